"""The state of a Dust game: sides, units and their parts, the table, tokens. Small, slotted, plain.

A unit is made of parts: a squad, a hero joined to it, a vehicle, its pilot. Each part is one card's models. What is
printed on cards is shared by all copies; what changes is copied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import msgspec

from dieselfront.forces import DustCard
from dieselfront.rulesets.dust.hooks import NO_EFFECTS, Effects

# Flags of a unit, one bit each.
ACTIVATED = 1 << 0
ACTED = 1 << 1  # has taken an action this turn, so it may not react
UNDER_FIRE = 1 << 2
SUPPRESSED = 1 << 3
STUNNED = 1 << 4
STIMULATED = 1 << 5
CAMOUFLAGED = 1 << 6
REACTIVATED = 1 << 7
DUG_IN = 1 << 8
BURNING = 1 << 9
NO_COVER = 1 << 10  # caught in wire
HAS_ACTIVATED_EVER = 1 << 11
LANDED = 1 << 12  # landed this turn
EVADES = 1 << 13
EVADES_WELL = 1 << 14
GRAPPLED = 1 << 15
DOUBLE_TIME = 1 << 16  # reactivated with At the Double lent by an order
HIDDEN = 1 << 17  # a spy kept off the board
DRIVEN = 1 << 18  # driven on by the Blutkreuz in this activation
JINKING = 1 << 19  # in cover for having driven wildly
RETURNS = 1 << 20  # eliminated this turn and put into reserve

FOR_ONE_ACTIVATION = DOUBLE_TIME | DRIVEN

TOKEN_NAMES = {
    UNDER_FIRE: "under fire",
    SUPPRESSED: "suppressed",
    STUNNED: "stunned",
    STIMULATED: "stimulated",
    CAMOUFLAGED: "camouflaged",
    DUG_IN: "dug in",
    BURNING: "burning",
    NO_COVER: "caught in wire",
    EVADES: "evading",
    EVADES_WELL: "evading well",
    JINKING: "jinking",
    GRAPPLED: "grappled",
    ACTIVATED: "activated",
}
SHARED_TOKENS = tuple(TOKEN_NAMES.values())
"""Those that every Dust game knows; a game may add names of its own."""

BEARERS = 100
"""More than a unit ever has; ammo boxes are kept by weapon × BEARERS + bearer."""

ON_BOARD, ABOARD, OFF_BOARD, RESERVE, AWAY, LOST = "board", "aboard", "off", "reserve", "away", "lost"


class Plain(msgspec.Struct, eq=False, gc=False):
    """Plain data that is what it is by identity and is copied at little cost."""

    if TYPE_CHECKING:

        def __copy__(self) -> Self: ...


class Part(Plain):
    """One card's models inside a unit."""

    card: DustCard
    role: str = "main"  # main, joined, pilot
    alive: tuple[int, ...] = ()
    damage: int = 0
    other: DustCard | None = None  # a second profile that takes the card's place
    ammo: dict[int, int] | None = None  # boxes marked, by weapon and bearer; never changed, see `mark`
    unloaded: tuple[tuple[int, int], ...] = ()  # (weapon, bearer) without a loaded token
    broken: int = 0  # bits of weapons destroyed by critical hits
    spent: tuple[str, ...] = ()  # once-per-game skills used up

    def __post_init__(self) -> None:
        if is_squad(self.card):
            self.alive = tuple(range(len(self.card.soldiers)))

    def clone(self) -> Part:
        return self.__copy__()

    @property
    def squad(self) -> bool:
        """Are its soldiers removed one by one, rather than damage marked on a track?"""
        return self.card.kind in SQUADS

    @property
    def left(self) -> int:
        """Soldiers or points of damage it can still lose."""
        card = self.card
        return len(self.alive) if card.kind in SQUADS else card.damage - self.damage

    @property
    def models(self) -> int:
        """Miniatures still in play."""
        return len(self.alive) if is_squad(self.card) else 1

    def marked(self, weapon: int, bearer: int | None = None) -> int:
        """Ammo boxes already marked on a weapon line, or on the one weapon of it that a bearer carries."""
        if self.ammo is None:
            return 0
        if bearer is not None:
            return self.ammo.get(weapon * BEARERS + bearer, 0)
        return sum(boxes for key, boxes in self.ammo.items() if key // BEARERS == weapon)

    def mark(self, weapon: int, boxes: int, bearer: int = 0) -> None:
        """Mark ammo boxes of the weapon that a bearer carries."""
        self.ammo = dict(self.ammo or {})
        key = weapon * BEARERS + bearer
        self.ammo[key] = self.ammo.get(key, 0) + boxes

    def is_loaded(self, weapon: int, bearer: int | None = None) -> bool:
        """Has the weapon its loaded token; without a bearer, have all weapons of the line?"""
        if bearer is not None:
            return (weapon, bearer) not in self.unloaded
        return all(index != weapon for index, _ in self.unloaded)

    def unload(self, weapon: int, bearer: int) -> None:
        """The loaded token of a weapon goes."""
        if (weapon, bearer) not in self.unloaded:
            self.unloaded = tuple(sorted((*self.unloaded, (weapon, bearer))))

    def facts(self) -> dict[str, Any]:
        return {
            "card": self.card.id,
            "role": self.role,
            "alive": list(self.alive),
            "damage": self.damage,
            "ammo": {str(key): self.ammo[key] for key in sorted(self.ammo)} if self.ammo else {},
            "unloaded": [list(pair) for pair in self.unloaded],
            "broken": self.broken,
            "spent": list(self.spent),
        }


SQUADS = frozenset({"infantry", "support", "fortification"})


def is_squad(card: DustCard) -> bool:
    """Squads, support weapons and fortification crews lose a soldier per hit (d47.skill.support_weapon_base)."""
    return card.kind in SQUADS


class Unit(Plain):
    """One unit on or off the table; `parts[0]` is what it mainly is."""

    id: str
    side: int
    parts: list[Part]
    name: str = ""
    status: str = OFF_BOARD
    where: tuple[int, ...] = ()  # the places it occupies, front first
    place: int = -1  # the first of them, or -1
    facing: int = 0
    flags: int = 0
    aboard: str = ""  # the unit that carries it
    held_by: str = ""  # the unit that grapples it
    criticals: tuple[str, ...] = ()
    effects: Effects = NO_EFFECTS
    fallen: tuple[Part, ...] = ()  # parts it has lost; never changed any more
    figures: tuple[tuple[str, int], ...] = ()  # on measured tables, who stands at each of its places

    def __post_init__(self) -> None:
        self.name = self.name or " + ".join(part.card.name for part in self.parts)

    def clone(self) -> Unit:
        twin = self.__copy__()
        parts = self.parts
        twin.parts = [parts[0].__copy__()] if len(parts) == 1 else [part.__copy__() for part in parts]
        return twin

    # -- what it is -----------------------------------------------------------------------------

    @property
    def main(self) -> Part:
        return self.parts[0]

    @property
    def card(self) -> DustCard:
        return self.parts[0].card

    @property
    def is_infantry(self) -> bool:
        """Squads, support weapons and heroes (d47.setup.unit_types)."""
        return self.parts[0].card.armour_type == "S"

    @property
    def is_vehicle(self) -> bool:
        """Walkers, tanks and other ground vehicles."""
        return self.parts[0].card.armour_type == "V"

    @property
    def is_aircraft(self) -> bool:
        return self.parts[0].card.armour_type == "A"

    @property
    def is_hero(self) -> bool:
        """A hero on his own."""
        return self.parts[0].card.kind == "hero"

    @property
    def on_board(self) -> bool:
        return self.status == ON_BOARD

    @property
    def alive(self) -> bool:
        return self.status != LOST

    @property
    def whereabouts(self) -> str:
        """Its status for people: whoever was put into reserve is there, though he may enter only next turn."""
        return RESERVE if self.status == LOST and self.flags & RETURNS else self.status

    @property
    def stands(self) -> bool:
        """Is anything of it left that can be hit or strike? Those who may still cheat death are down."""
        if self.status == LOST:
            return False
        for part in self.parts:  # noqa: SIM110 (asked very often)
            if part.role != "pilot" and part.left > 0:
                return True
        return False

    @property
    def points(self) -> int:
        """Army points of all its parts."""
        return sum(part.card.points for part in self.parts)

    def fighters(self) -> list[Part]:
        """The parts that can be hit and can use their own weapons; pilots cannot (d47.pilot.untargetable)."""
        return [part for part in self.parts if part.role != "pilot"]

    @property
    def models(self) -> int:
        """Miniatures in the unit, pilots not counted."""
        return sum(part.models for part in self.parts if part.role != "pilot")

    def has(self, skill: str) -> bool:
        """Does any of its parts print the skill?"""
        for part in self.parts:  # noqa: SIM110 (asked very often)
            if part.card.has(skill):
                return True
        return False

    # -- flags ----------------------------------------------------------------------------------

    def is_(self, flag: int) -> bool:
        return bool(self.flags & flag)

    def set(self, flag: int) -> None:
        self.flags |= flag

    def drop(self, flag: int) -> None:
        self.flags &= ~flag

    @property
    def activated(self) -> bool:
        return bool(self.flags & ACTIVATED)

    @property
    def suppressed(self) -> bool:
        return bool(self.flags & SUPPRESSED)

    @property
    def under_fire(self) -> bool:
        return bool(self.flags & UNDER_FIRE)

    @property
    def stunned(self) -> bool:
        return bool(self.flags & (STUNNED | GRAPPLED))

    def tokens(self) -> list[str]:
        """Its tokens and states in words."""
        return [name for flag, name in TOKEN_NAMES.items() if self.flags & flag]

    def facts(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "side": self.side,
            "status": self.status,
            "where": list(self.where),
            "facing": self.facing,
            "flags": self.flags,
            "aboard": self.aboard,
            "held_by": self.held_by,
            "criticals": list(self.criticals),
            "parts": [part.facts() for part in self.parts],
            **({"figures": [list(figure) for figure in self.figures]} if self.figures else {}),
        }


class Side(Plain):
    """What belongs to a player rather than to a unit."""

    name: str
    bloc: str = ""
    points_scored: int = 0
    reserves_left: int = 0
    extra_initiative: bool = False
    used: tuple[str, ...] = ()  # once-per-turn abilities used this turn

    def clone(self) -> Side:
        return self.__copy__()

    def facts(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "points": self.points_scored,
            "reserves": self.reserves_left,
            "extra_initiative": self.extra_initiative,
            "used": list(self.used),
        }


_copy_of_part, _copy_of_unit, _copy_of_side = Part.__copy__, Unit.__copy__, Side.__copy__
"""Looked up once: every clone of a state calls them for all it holds."""


class DustState:
    """A whole position."""

    __slots__ = (
        "by_id",
        "deferred",
        "dice_thrown",
        "first",
        "forts",
        "interrupted",
        "objectives",
        "options",
        "phase",
        "reacted",
        "scenario",
        "severity",
        "sides",
        "smokes",
        "table",
        "to_act",
        "turn",
        "under_way",
        "units",
        "weather",
        "weather_turns",
        "winner",
    )

    def __init__(
        self, table: Any, sides: list[Side], units: list[Unit], scenario: Any, options: dict[str, str]
    ) -> None:
        self.table = table
        self.sides = sides
        self.units = units
        self.by_id = {unit.id: unit for unit in units}
        self.scenario = scenario
        self.options = options
        self.objectives: tuple[Any, ...] = ()
        self.turn = 0
        self.phase = "deploy"  # deploy, turn, activations, over
        self.first = 0
        self.to_act = 0
        self.dice_thrown = 0
        self.smokes: tuple[tuple[int, tuple[int, ...]], ...] = ()  # (last turn, places)
        self.weather = ""  # severity of the weather under way
        self.weather_turns = 0  # turns played in full under it
        self.severity = ""  # of every weather spell in this game, once it is known
        self.forts: tuple[Any, ...] = ()  # fortifications, placed or still to be placed
        self.interrupted = ""  # the unit whose activation a reaction interrupts
        self.deferred: tuple[tuple[str, int, str], ...] = ()  # tokens it will gain afterwards, and from whom
        self.reacted = False  # has a unit already tried to react in this activation
        self.winner: int | None = None
        self.under_way: Any = None  # an activation set down between two actions

    def clone(self) -> DustState:
        twin: DustState = DustState.__new__(DustState)
        twin.table = self.table
        twin.sides = [*map(_copy_of_side, self.sides)]
        twin.units = units = [*map(_copy_of_unit, self.units)]
        for unit in units:  # what Unit.clone does, for all of them
            parts = unit.parts
            unit.parts = [_copy_of_part(parts[0])] if len(parts) == 1 else [*map(_copy_of_part, parts)]
        twin.by_id = dict(zip(self.by_id, units, strict=True))  # both are in the order in which units came into play
        twin.scenario = self.scenario
        twin.options = self.options
        twin.objectives = self.objectives
        twin.turn = self.turn
        twin.phase = self.phase
        twin.first = self.first
        twin.to_act = self.to_act
        twin.dice_thrown = self.dice_thrown
        twin.smokes = self.smokes
        twin.weather = self.weather
        twin.weather_turns = self.weather_turns
        twin.severity = self.severity
        twin.forts = self.forts
        twin.interrupted = self.interrupted
        twin.deferred = self.deferred
        twin.reacted = self.reacted
        twin.winner = self.winner
        twin.under_way = self.under_way
        return twin

    def unit(self, id: str) -> Unit:
        return self.by_id[id]

    def of_side(self, side: int) -> list[Unit]:
        """The units of a side that are not lost."""
        return [unit for unit in self.units if unit.side == side and unit.status != LOST]

    def on_board(self, side: int | None = None) -> list[Unit]:
        """The units standing on the table."""
        if side is None:
            return [unit for unit in self.units if unit.status == ON_BOARD]
        return [unit for unit in self.units if unit.side == side and unit.status == ON_BOARD]

    def add(self, unit: Unit) -> None:
        """A new unit comes into play (a pilot who left his vehicle)."""
        self.units.append(unit)
        self.by_id[unit.id] = unit

    def facts(self) -> dict[str, Any]:
        """Canonical plain data, for digests and screens."""
        return {
            "turn": self.turn,
            "phase": self.phase,
            "first": self.first,
            "to_act": self.to_act,
            "dice_thrown": self.dice_thrown,
            "sides": [side.facts() for side in self.sides],
            "units": [unit.facts() for unit in self.units],
            "table": self.table.key() if self.table is not None else None,
            "smokes": [list(map(list_or_value, smoke)) for smoke in self.smokes],
            "weather": self.weather,
            "weather_turns": self.weather_turns,
            "severity": self.severity,
            "forts": [fort.facts() for fort in self.forts],
            "winner": self.winner,
        }


def list_or_value(value: Any) -> Any:
    """Tuples as lists, for canonical data."""
    return list(value) if isinstance(value, tuple) else value
