"""Shots and pools: what a unit's fire at one target is made of, and the plan of its dice (k47.shoot.*).

A Shot is one weapon of one model with its choice of round; a Pool is all shots that need the same dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from dieselfront.dice import D6, Because, Throw
from dieselfront.rulesets.konflikt47.charts import Weapon
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.state import State, Unit
from dieselfront.rulesets.konflikt47.throws import at_least

HITS_ON = 3  # k47.shoot.base

# how a unit comes to shoot
FIRE, ADVANCE, AMBUSH = "fire", "advance", "ambush"
FIREFIGHT, STAND_AND_FIRE, FRIENDLY, POINT_BLANK = "firefight", "stand and fire", "friendly fire", "point-blank fire"


class Shot(NamedTuple):
    """One weapon of one model, the target it is declared at, and the round or way of firing chosen."""

    man: int
    weapon: int
    target: str
    round: str = ""


class Modifier(NamedTuple):
    """One line of the table of hit modifiers that applies."""

    rule: str
    text: str
    value: int


def without(modifiers: Sequence[Modifier], *rules: str) -> list[Modifier]:
    """The modifiers without those of some rules."""
    return [one for one in modifiers if one.rule not in rules]


class Aimed:
    """A shot with everything measured: what the rules for hit modifiers ask."""

    __slots__ = (
        "cover",
        "how",
        "indirect",
        "long",
        "man",
        "point_blank",
        "range",
        "round",
        "sniper",
        "state",
        "suppressive",
        "target",
        "unit",
        "weapon",
        "weapon_index",
    )

    def __init__(self, state: State, unit: Unit, target: Unit, shot: Shot, how: str) -> None:
        self.state = state
        self.unit = unit
        self.target = target
        self.man = shot.man
        self.weapon_index = shot.weapon
        self.weapon: Weapon = unit.weapon(shot.weapon)
        self.round = shot.round
        self.how = how
        self.range = 0
        self.long = False
        self.point_blank = False
        self.cover = 0
        self.indirect = shot.round in ("indirect", "smoke")
        self.sniper = False
        self.suppressive = False


class Wound(NamedTuple):
    """What a target's rules ask about a damaging hit: where it comes from and what it is."""

    state: State
    weapon: Weapon | None
    pen: int
    facing: str = ""  # front, side, rear, top for vehicles; front for a gun's shield
    sniper: bool = False
    hand_to_hand: bool = False
    indirect: bool = False

    @property
    def small_arm(self) -> bool:
        return self.weapon is not None and self.weapon.small_arm

    @property
    def passes_shields(self) -> bool:
        return self.weapon is not None and self.weapon.passes_shields


class Pool:
    """Shots of one kind at one target: how many dice, what they need, and what a hit does."""

    __slots__ = (
        "because",
        "dice",
        "exploding",
        "facing",
        "he",
        "hits",
        "indirect",
        "long",
        "mark",
        "men",
        "near",
        "need",
        "pen",
        "reroll_ones",
        "round",
        "sniper",
        "suppressive",
        "weapon",
        "weapon_index",
    )

    def __init__(self, aimed: Aimed, need: int, because: tuple[Because, ...]) -> None:
        self.weapon = aimed.weapon
        self.weapon_index = aimed.weapon_index
        self.round = aimed.round
        self.need = need
        self.because = because
        self.dice = 0
        self.men: list[int] = []
        self.long = aimed.long
        self.near = aimed.range <= 12 * INCH
        self.mark: int | None = None
        self.indirect = aimed.indirect
        self.sniper = aimed.sniper
        self.suppressive = aimed.suppressive
        self.he = ""
        self.pen = 0
        self.facing = ""
        self.hits = 0
        self.reroll_ones = ""
        self.exploding = False

    def key(self) -> tuple[Any, ...]:
        return (self.weapon_index, self.round, self.need, self.long, self.near, self.sniper)

    def throw(self) -> Throw:
        """The dice to hit."""
        return hit_throw(self.need, f"{self.weapon.name} to hit", self.because, (1,) if self.reroll_ones else ())


def hit_throw(need: int, label: str, because: tuple[Because, ...] = (), reads: tuple[int, ...] = ()) -> Throw:
    """1 always misses (k47.shoot.nat1); above 6 a six must be followed by another (k47.shoot.impossible,
    k47.open.impossible)."""
    confirm = at_least(6) if need > 6 else 0
    faces = at_least(min(6, max(2, need)))
    return Throw(label, D6, faces, "k47.shoot.base", confirm=confirm, because=because, reads=reads)


def damage_throw(value: int, pen: int, label: str, because: tuple[Because, ...] = ()) -> Throw:
    """D6 plus penetration must reach the damage value; a natural 1 never does (k47.damage.roll, k47.damage.nat1)."""
    needed = max(2, value - pen)
    return Throw(label, D6, at_least(needed) if needed <= 6 else 0, "k47.damage.roll", because=because)
