"""Scenarios of Dust Warfare: table, terrain, zones, objectives, length (dw.setup.scenario_choice,
dw.open.scenario_data).

Places and sizes are inches from the upper left corner of the table; sizes that matter to the rules are checked on load.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from dieselfront.rulesets.warfare.terrain import KINDS
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import MOST_FLOORS, Piece, disc, wall

Inches = float
Spot = tuple[Inches, Inches]
Floors = Annotated[int, Meta(ge=0, le=MOST_FLOORS)]
MM = 25.4


class BadBattle(ValueError):
    """A scenario the rules cannot read; the message says where and what was expected."""


class TerrainEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A piece of terrain: a rectangle (`at`, `size`), a polygon (`points`), a line (`line`, `width`) or a disc."""

    kind: str
    id: str = ""
    at: Spot | None = None
    size: Spot | None = None
    points: tuple[Spot, ...] = ()
    line: tuple[Spot, ...] = ()
    width: Inches = 0
    radius: Inches = 0
    height: int | None = None
    floors: Floors = 1
    roofed: bool = False
    traits: tuple[str, ...] = ()


class Zone(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A rectangle on the table where a side sets up, with the edge it comes from."""

    at: Spot
    size: Spot
    edge: Literal["north", "south", "east", "west"]


class Objective(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A place worth points to the side that holds it."""

    id: str
    at: Spot
    points: int = 10
    radius: Inches = 3


class Battle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A scenario; defaults as dw.open.scenario_data says: 6 turns, strips of 12", AP destroyed."""

    id: str
    name: str
    size: Spot = (72, 48)
    text: str = ""
    points: int = 150
    ruleset: str = "warfare"
    terrain: tuple[TerrainEntry, ...] = ()
    zones: tuple[Zone, Zone] | None = None
    first: int = 0
    depth: Inches = 12
    reserves: Literal["none", "allowed"] = "none"
    reserve_turn: int = 2
    attacker: int | None = None
    turns: int = 6
    objectives: tuple[Objective, ...] = ()
    scoring: Literal["end", "each turn"] = "end"
    victory: Literal["destruction", "objectives", "both", "breakthrough"] = "destruction"
    lead: int = 1
    wrecks: bool = True


def read_battle(data: dict[str, Any] | None, where: str = "") -> Battle:
    """A scenario from plain data, with an error that names the field."""
    if not data:
        raise BadBattle("No scenario is set; a game cannot be set up without one (dw.setup.scenario_choice).")
    place = where or f"scenario {data.get('id', '')!r}"
    try:
        battle = msgspec.convert(data, Battle)
    except msgspec.ValidationError as error:
        raise BadBattle(f"{place}: {error}.") from None
    if battle.victory in ("objectives", "both") and not battle.objectives:
        raise BadBattle(f"{place}: victory by objectives needs at least one of them.")
    if not 24 <= min(battle.size) <= max(battle.size) <= 120:
        raise BadBattle(f"{place}: the table is {battle.size[0]:g} x {battle.size[1]:g} inches; expected 24 to 120.")
    return battle


def mm(inches: Inches) -> int:
    """Whole millimetres."""
    return round(inches * MM)


def point(spot: Spot) -> tuple[int, int]:
    return mm(spot[0]), mm(spot[1])


def make_table(battle: Battle) -> MeasuredTable:
    """The table with all its terrain (dw.setup.battlefield_and_deploy)."""
    try:
        return _table(battle.size, battle.terrain)
    except BadBattle:
        raise
    except ValueError as error:
        raise BadBattle(f"scenario {battle.id!r}: {error}") from None


@lru_cache(maxsize=32)
def _table(size: Spot, terrain: tuple[TerrainEntry, ...]) -> MeasuredTable:
    """Tables never change: games on the same terrain share one, and what it remembers serves them all."""
    pieces = [make_piece(entry, number) for number, entry in enumerate(terrain)]
    return MeasuredTable(mm(size[0]), mm(size[1]), pieces)


def make_piece(entry: TerrainEntry, number: int = 0) -> Piece:
    """One piece of terrain."""
    if entry.kind not in KINDS:
        raise BadBattle(
            f"terrain {entry.id or number!r} is of unknown kind {entry.kind!r}; expected {', '.join(KINDS)}."
        )
    id = entry.id or f"{entry.kind} {number + 1}"
    try:
        return _shape(entry, id)
    except (ValueError, TypeError) as error:
        raise BadBattle(f"terrain {id!r}: {error}") from None


def _shape(entry: TerrainEntry, id: str) -> Piece:
    kind = KINDS[entry.kind]
    traits = list(entry.traits)
    if entry.roofed:
        traits.append("roofed")
    if entry.floors > 1:
        traits.append(f"floors {entry.floors}")
    height = entry.height
    if height is None and entry.kind == "building" and entry.floors > 1:
        height = kind.height * entry.floors
    if entry.line:
        width = mm(entry.width) if entry.width else (90 if entry.kind == "road" else 8)
        strip = wall(id, kind, [point(spot) for spot in entry.line], width, height)
        return Piece(id, kind, [part.polygon for part in strip.parts], height, traits=traits, in_tenths=True)
    if entry.radius and entry.at:
        x, y = point(entry.at)
        round_piece = disc(id, kind, x, y, mm(entry.radius) * 10, height, sides=16)
        return Piece(id, kind, [part.polygon for part in round_piece.parts], height, traits=traits, in_tenths=True)
    return Piece(id, kind, [corners(entry)], height, traits=traits)


def corners(entry: TerrainEntry) -> list[tuple[int, int]]:
    if entry.points:
        return [point(spot) for spot in entry.points]
    if entry.at is None or entry.size is None:
        raise ValueError("expected `at` and `size`, `points`, `line`, or `at` and `radius`")
    x, y = point(entry.at)
    width, depth = point(entry.size)
    return [(x, y), (x + width, y), (x + width, y + depth), (x, y + depth)]


INWARD = {"north": 180, "south": 0, "east": 270, "west": 90}  # where troops entering from an edge look
OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}


def edge_strip(battle: Battle, edge: str, depth: int) -> tuple[int, int, int, int]:
    """The strip along an edge, in millimetres."""
    width, height = mm(battle.size[0]), mm(battle.size[1])
    if edge == "north":
        return 0, 0, width, depth
    if edge == "south":
        return 0, height - depth, width, height
    if edge == "west":
        return 0, 0, depth, height
    return width - depth, 0, width, height


def zone_box(zone: Zone) -> tuple[int, int, int, int]:
    x, y = point(zone.at)
    width, depth = point(zone.size)
    return x, y, x + width, y + depth
