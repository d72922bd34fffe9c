"""Shots: one weapon line of one part aimed at one target, and what planning works out about it."""

from __future__ import annotations

from typing import Any

from dieselfront.dice import Because, Throw
from dieselfront.dice.plan import PoolPlan
from dieselfront.forces import Cell, DustWeapon
from dieselfront.rulesets.dust.hooks import Effects
from dieselfront.rulesets.dust.state import Part, Unit

Aim = tuple[Any, ...]
"""How a weapon is aimed, as plain data: the target (a unit id or a place), then pairs of word and value.

("b3",) is a plain shot, ("b3", "salvo", 2) a salvo, (27, "area", (27, 28, 39, 40)) a shell on a square.
"""


def detail(aim: Aim, word: str) -> Any:
    """What an aim says about one word, None if nothing."""
    for place in range(1, len(aim) - 1, 2):
        if aim[place] == word:
            return aim[place + 1]
    return None


class Line:
    """Range, sight and cover between two units, with reasons."""

    __slots__ = ("above", "cover", "distance", "origin", "reasons", "refusal", "visible")

    def __init__(
        self,
        distance: int,
        visible: bool,
        cover: bool = False,
        reasons: tuple[Any, ...] = (),
        origin: int = -1,
        above: int = 0,
        refusal: tuple[str, str] | None = None,
    ) -> None:
        self.distance = distance
        self.visible = visible
        self.cover = cover
        self.reasons = reasons
        self.origin = origin
        self.above = above  # levels the attacker stands higher than the target
        self.refusal = refusal

    @property
    def is_refused(self) -> bool:
        """Does the line itself stand against the attack?"""
        return self.refusal is not None

    def settled(self) -> Line:
        """The line with everything about it worked out, to be kept while things change."""
        return self


class Attack:
    """One attack under way: who, with which kind of action, and what has been declared."""

    __slots__ = (
        "by_observer",
        "close_allowed",
        "damage_to",
        "dying",
        "flags",
        "hit_units",
        "only",
        "ranged_allowed",
        "reactive",
        "retaliation",
        "shots",
        "sustained",
        "sustained_close",
        "unit",
        "weapons",
    )

    def __init__(
        self,
        unit: Unit,
        *,
        sustained: bool = False,
        reactive: bool = False,
        retaliation: bool = False,
        only: str = "",
        ranged_allowed: bool = True,
        close_allowed: bool = True,
        by_observer: Unit | None = None,
    ) -> None:
        self.unit = unit
        self.sustained = sustained
        self.sustained_close = False  # in a sustained attack with both parts: is it the close combat that is sustained
        self.reactive = reactive
        self.retaliation = retaliation
        self.only = only  # the only unit that may be a target
        self.ranged_allowed = ranged_allowed
        self.close_allowed = close_allowed
        self.by_observer = by_observer
        self.flags: dict[str, Any] = {}  # what skills want to remember during this attack
        self.hit_units: dict[str, list[Shot]] = {}  # target id → shots that hit it with ranged weapons
        self.damage_to: dict[str, int] = {}  # vehicle id → damage dealt by this attack
        self.shots: list[Shot] = []  # everything declared
        self.weapons: tuple[tuple[int, int], ...] | None = None  # (part, line) of the only weapons allowed
        self.dying: list[tuple[Unit, Part, Shot]] = []  # eliminated, but they may still cheat death

    def let_go(self) -> None:
        """It is over: without its shots, which all know it, nothing is left for Python's search for cycles."""
        self.shots = []
        self.hit_units = {}
        self.dying = []


class Shot:
    """A weapon line of a part, `count` weapons strong, against one target."""

    __slots__ = (
        "aim",
        "attack",
        "bearers",
        "cell",
        "close",
        "count",
        "effects",
        "index",
        "line",
        "part",
        "play",
        "target",
        "unit",
        "weapon",
    )

    def __init__(
        self,
        play: Any,
        attack: Attack,
        part: Part,
        index: int,
        weapon: DustWeapon,
        effects: Effects,
        target: Unit,
        line: Line,
        count: int = 1,
        aim: Aim = (),
        bearers: tuple[int, ...] = (),
    ) -> None:
        self.play = play
        self.attack = attack
        self.unit = attack.unit
        self.part = part
        self.index = index
        self.weapon = weapon
        self.effects = effects
        self.target = target
        self.line = line
        self.count = count
        self.aim = aim
        self.bearers = bearers
        self.close = weapon.close
        self.cell: Cell | None = weapon.cells.get(target.card.armour_class)

    @property
    def mode(self) -> str:
        """How the weapon is used: "", "salvo", "volley", ..."""
        return self.aim[1] if len(self.aim) > 1 else ""

    def aimed(self, word: str) -> Any:
        """What its aim says about one word, None if nothing."""
        return detail(self.aim, word)

    @property
    def sustained(self) -> bool:
        """Is this pool the sustained part of its attack? (d47.attack.cc.sustained_choice)"""
        return self.attack.sustained and self.close == self.attack.sustained_close


class Saves:
    """Which saves the target of a shot may make. Weapon rules take away, skills and terrain give and change."""

    __slots__ = (
        "because",
        "cover",
        "cover_faces",
        "cover_firm",
        "evade",
        "evade_rerolls",
        "immune_to",
        "infantry_faces",
        "no_cover",
        "no_infantry",
        "rerolls",
    )

    def __init__(self, cover: bool, cover_faces: int, infantry_faces: int) -> None:
        self.cover = cover  # is the target in cover from this shot
        self.cover_faces = cover_faces
        self.infantry_faces = infantry_faces  # 0: no infantry save for this kind of unit
        self.no_cover = False  # cover save not allowed
        self.no_infantry = False
        self.cover_firm = False  # cover that special weapons cannot negate
        self.evade = 0  # faces of an evade save
        self.evade_rerolls: list[Any] = []
        self.immune_to: tuple[str, ...] = ()  # rules that cannot take its infantry save away
        self.rerolls: list[Any] = []
        self.because: list[Because] = []

    def negate_cover(self, rule: str, text: str) -> None:
        """A weapon denies the cover save, unless the cover is of the kind that cannot be denied."""
        if not self.cover_firm:
            self.no_cover = True
        self.because.append(Because(rule, text))

    def negate_infantry(self, rule: str, text: str) -> None:
        """A weapon denies the infantry save, unless the unit is immune to that."""
        if rule in self.immune_to:
            return
        self.no_infantry = True
        self.because.append(Because(rule, text))


class Pool:
    """A shot with its plan, ready to be rolled."""

    __slots__ = ("plan", "shot")

    def __init__(self, shot: Shot, plan: PoolPlan) -> None:
        self.shot = shot
        self.plan = plan


__all__ = ["Aim", "Attack", "Line", "Pool", "Saves", "Shot", "Throw"]
