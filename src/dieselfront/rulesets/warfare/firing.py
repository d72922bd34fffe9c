"""What an attack is made of: shots, groups of equal weapons, and the strike on one target. Hooks are asked with
these."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dieselfront.dice import Because, Throw
from dieselfront.rulesets.warfare.plans import Defence, Group, Plan, Tallies
from dieselfront.rulesets.warfare.state import State, Unit
from dieselfront.rulesets.warfare.unit_cards import DamageCell, WarfareWeapon
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.terrain import Cover

ATTACK, SUSTAINED, REACTION, CHARGE, BOMBS, FREE = "attack", "sustained", "reaction", "charge", "bombs", "free"
"""Kinds of attack: an action, two actions, a reaction, the end of a charge, bombs, and attacks nobody acts for."""

DIRECT, INDIRECT, CLOSE = "direct", "indirect", "close"
REROLL, NOTHING = "reroll", "nothing"


class Attack:
    """One attack action: who, how, with what, at whom."""

    __slots__ = ("counters", "data", "dirt", "kind", "move", "shots", "spotter", "state", "strikes", "tricks", "unit",
                 "way")  # fmt: skip

    def __init__(self, state: State, unit: Unit, kind: str = ATTACK) -> None:
        self.state = state
        self.unit = unit
        self.kind = kind
        self.shots: list[Shot] = []
        self.way = REROLL if kind == SUSTAINED else NOTHING
        """What a sustained attack is used for."""
        self.tricks: tuple[str, ...] = ()
        """Optional abilities that were declared for this attack."""
        self.spotter: tuple[str, int] | None = None
        """(unit, figure) that sees for indirect fire."""
        self.strikes: list[Strike] = []
        self.counters: list[Attack] = []
        self.dirt: tuple[str, ...] = ()
        """Units that hit the dirt because of it."""
        self.move: Any = None
        """The move after which bombs fall or a charge strikes."""
        self.data: dict[str, Any] = {}
        """What abilities want to remember for the rest of this attack."""

    @property
    def targets(self) -> list[Unit]:
        """The units aimed at, each once, in the order of the shots."""
        return list({shot.target.id: shot.target for shot in self.shots}.values())

    @property
    def is_close(self) -> bool:
        """A close combat attack (dw.weapon.close_combat_range)."""
        return any(shot.weapon.close for shot in self.shots)

    @property
    def is_indirect(self) -> bool:
        return any(shot.mode == INDIRECT for shot in self.shots)

    def uses(self, trick: str) -> bool:
        return trick in self.tricks

    def at(self, target: Unit) -> list[Shot]:
        return [shot for shot in self.shots if shot.target is target]


class Shot:
    """One weapon of one miniature aimed at one unit."""

    __slots__ = ("attack", "index", "linked", "man", "mode", "place", "target")

    def __init__(
        self, attack: Attack, man: int, place: int, index: int, target: Unit, mode: str = DIRECT, linked: bool = False
    ) -> None:
        self.attack = attack
        self.man = man
        self.place = place
        """Its place among the weapons of the figure."""
        self.index = index
        """Its number in the unit's list of weapons."""
        self.target = target
        self.mode = mode
        self.linked = linked
        """A second target reached through the first: range and sight are not asked again."""

    @property
    def unit(self) -> Unit:
        return self.attack.unit

    @property
    def state(self) -> State:
        return self.attack.state

    @property
    def weapon(self) -> WarfareWeapon:
        return self.attack.unit.weapons[self.index]

    @property
    def body(self) -> Body:
        return self.attack.unit.body_of(self.man)


class Pool:
    """Equal weapons of one attack at one target: they roll together (dw.attack.roll_separately)."""

    __slots__ = ("because", "cell", "damage", "dice", "extra", "hits", "piercing", "shots", "strike", "throw", "weapon")

    def __init__(self, strike: Strike, weapon: WarfareWeapon, cell: DamageCell, shots: list[Shot]) -> None:
        self.strike = strike
        self.weapon = weapon
        self.cell = cell
        self.shots = shots
        self.dice = 0
        self.throw: Throw | None = None
        self.extra = 0
        self.damage = cell.damage
        self.piercing = False
        self.hits = 0
        """HITs it scored, once it was rolled."""
        self.because: tuple[Because, ...] = ()

    @property
    def attack(self) -> Attack:
        return self.strike.attack

    @property
    def target(self) -> Unit:
        return self.strike.target

    @property
    def unit(self) -> Unit:
        return self.strike.attack.unit


class Strike:
    """One attack as it falls on one target: the plan, and what came of it."""

    __slots__ = (
        "armor_allowed", "armor_dice", "armor_throw", "attack", "because", "bonus", "cover", "defence", "grades",
        "groups", "markers", "plan", "pools", "seen", "suffered", "table_pool", "tallies", "target", "terrain", "total",
    )  # fmt: skip

    def __init__(self, attack: Attack, target: Unit) -> None:
        self.attack = attack
        self.target = target
        self.pools: list[Pool] = []
        self.grades: dict[int, Cover] = {}
        """For each figure of the target what obscures it from the leader."""
        self.seen: tuple[int, ...] = ()
        """Figures of the target that some attacker sees (dw.attack.los_blocked_target)."""
        self.terrain = Cover.NONE
        """The cover of terrain and screens, before steps."""
        self.cover = Cover.NONE
        self.armor_allowed = True
        self.armor_dice = 0
        self.armor_throw: Throw | None = None
        self.bonus = 0
        self.because: tuple[Because, ...] = ()
        self.groups: tuple[Group, ...] = ()
        self.defence: Defence | None = None
        self.plan: Plan | None = None
        """Everything that is rolled, for stakes; play performs the stages of groups and defence."""
        self.tallies: Tallies = {}
        self.total = 0
        """Damage before defence."""
        self.suffered = 0
        self.table_pool = 0
        """Damage before the armor roll less cover (dw.damage.vehicle_table_roll)."""
        self.markers = 0

    @property
    def unit(self) -> Unit:
        return self.attack.unit

    @property
    def state(self) -> State:
        return self.attack.state

    @property
    def hits(self) -> int:
        return sum(pool.hits for pool in self.pools)

    def note(self, rule: str, text: str) -> None:
        """A reason for the log: what changed armor or cover."""
        if (rule, text) not in self.because:
            self.because = (*self.because, Because(rule, text))

    @property
    def weapons(self) -> Iterator[WarfareWeapon]:
        """The weapons that take part, each kind once."""
        seen: set[str] = set()
        for pool in self.pools:
            if pool.weapon.id not in seen:
                seen.add(pool.weapon.id)
                yield pool.weapon


__all__ = ["ATTACK", "BOMBS", "CHARGE", "CLOSE", "DIRECT", "FREE", "INDIRECT", "NOTHING", "REACTION", "REROLL",
           "SUSTAINED", "Attack", "Pool", "Shot", "Strike"]  # fmt: skip
