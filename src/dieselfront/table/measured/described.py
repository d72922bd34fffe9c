"""Ground as scenario files in inches describe it: pieces of terrain, zones to set up in, strips along the edges.

What a game adds (its kinds of ground, houses, what a scenario says besides) stands in its own `battle` module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import MOST_FLOORS, Piece, TerrainKind, disc, wall

Inches = float
Spot = tuple[Inches, Inches]
Floors = Annotated[int, Meta(ge=0, le=MOST_FLOORS)]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom, in millimetres."""
MM = 25.4
SMALLEST, LARGEST = 24, 120
"""Inches that a table may measure."""
ROAD, LINE = 90, 8
"""How wide a road and any other line are unless their entry says so, in millimetres."""

EDGES = ("north", "south", "east", "west")
OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}
INWARD = {"north": 180, "south": 0, "east": 270, "west": 90}
"""Where troops look who enter from an edge."""


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
    traits: tuple[str, ...] = ()


class Zone(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A rectangle on the table where a side sets up, with the edge it comes from."""

    at: Spot
    size: Spot
    edge: Literal["north", "south", "east", "west"]


Entry = TypeVar("Entry", bound=TerrainEntry)
Described = TypeVar("Described", bound=msgspec.Struct)
MakePiece = Callable[[Any, int], Piece]


def read(data: Mapping[str, Any], kind: type[Described], where: str = "") -> Described:
    """A scenario of a game's own type from plain data, with an error that names the field."""
    place = where or f"scenario {data.get('id', '')!r}"
    try:
        battle: Any = msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise BadBattle(f"{place}: {error}.") from None
    if battle.victory in ("objectives", "both") and not battle.objectives:
        raise BadBattle(f"{place}: victory by objectives needs at least one of them.")
    width, height = battle.size
    if not SMALLEST <= min(battle.size) <= max(battle.size) <= LARGEST:
        raise BadBattle(f"{place}: the table is {width:g} x {height:g} inches; expected {SMALLEST} to {LARGEST}.")
    read_battle: Described = battle
    return read_battle


def mm(inches: Inches) -> int:
    """Whole millimetres."""
    return round(inches * MM)


def point(spot: Spot) -> tuple[int, int]:
    return mm(spot[0]), mm(spot[1])


# -- the table --------------------------------------------------------------------------------------


def make_table(battle: Any, make_piece: MakePiece) -> MeasuredTable:
    """The table of a scenario with all its terrain, each piece made by its game."""
    try:
        return _table(battle.size, battle.terrain, make_piece)
    except BadBattle:
        raise
    except ValueError as error:
        raise BadBattle(f"scenario {battle.id!r}: {error}") from None


@lru_cache(maxsize=64)
def _table(size: Spot, terrain: tuple[TerrainEntry, ...], make_piece: MakePiece) -> MeasuredTable:
    """Tables never change: games on the same terrain share one, and what it remembers serves them all."""
    pieces = [make_piece(entry, number) for number, entry in enumerate(terrain)]
    return MeasuredTable(mm(size[0]), mm(size[1]), pieces)


def piece_of(
    entry: Entry, number: int, kinds: Mapping[str, TerrainKind], shape: Callable[[Entry, str], Piece]
) -> Piece:
    """One piece of terrain, of a kind that the game knows."""
    if entry.kind not in kinds:
        raise BadBattle(
            f"terrain {entry.id or number!r} is of unknown kind {entry.kind!r}; expected {', '.join(kinds)}."
        )
    id = entry.id or f"{entry.kind} {number + 1}"
    try:
        return shape(entry, id)
    except (ValueError, TypeError) as error:
        raise BadBattle(f"terrain {id!r}: {error}") from None


def plain_piece(entry: TerrainEntry, id: str, kind: TerrainKind, height: int | None, traits: Sequence[str]) -> Piece:
    """A line, a disc, a rectangle or a polygon."""
    if entry.line:
        width = mm(entry.width) if entry.width else (ROAD if entry.kind == "road" else LINE)
        strip = wall(id, kind, [point(spot) for spot in entry.line], width, height)
        return Piece(id, kind, [part.polygon for part in strip.parts], height, traits=traits, in_tenths=True)
    if entry.radius and entry.at:
        x, y = point(entry.at)
        round_piece = disc(id, kind, x, y, mm(entry.radius) * 10, height, sides=16)
        return Piece(id, kind, [part.polygon for part in round_piece.parts], height, traits=traits, in_tenths=True)
    return Piece(id, kind, [corners(entry)], height, traits=traits)


def corners(entry: TerrainEntry) -> list[tuple[int, int]]:
    """The corners of a rectangle or polygon, in millimetres."""
    if entry.points:
        return [point(spot) for spot in entry.points]
    if entry.at is None or entry.size is None:
        raise ValueError("expected `at` and `size`, `points`, `line`, or `at` and `radius`")
    x, y = point(entry.at)
    width, depth = point(entry.size)
    return [(x, y), (x + width, y), (x + width, y + depth), (x, y + depth)]


# -- where sides set up -----------------------------------------------------------------------------


def edge_strip(size: Spot, edge: str, depth: int) -> Box:
    """The strip along an edge of a table."""
    width, height = mm(size[0]), mm(size[1])
    if edge == "north":
        return 0, 0, width, depth
    if edge == "south":
        return 0, height - depth, width, height
    if edge == "west":
        return 0, 0, depth, height
    return width - depth, 0, width, height


def zone_box(zone: Zone) -> Box:
    x, y = point(zone.at)
    width, depth = point(zone.size)
    return x, y, x + width, y + depth
