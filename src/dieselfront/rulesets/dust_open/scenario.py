"""Scenarios of the open table as data: lengths in inches or centimetres from the upper left corner.

ff.scope.mode, bf.setup.table_size.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from dieselfront.rulesets.dust1947.scenario import Goal, Objective, ScenarioError
from dieselfront.rulesets.dust_open.places import MOST, Measures, at
from dieselfront.rulesets.dust_open.sizes import Size
from dieselfront.rulesets.dust_open.table import OpenTable
from dieselfront.rulesets.dust_open.terrain import Kind
from dieselfront.table.measured.shapes import Shape
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import (
    MOST_FLOORS,
    Opening,
    Piece,
    TerrainKind,
    building,
    disc,
    house,
    road,
    wall,
)

Length = int | float
Spot = tuple[Length, Length]
Floors = Annotated[int, Meta(ge=0, le=MOST_FLOORS)]
Box = tuple[Length, Length, Length, Length]
UNITS = {"in": Fraction(254, 10), "cm": Fraction(10)}
"""Millimetres of the units in which scenarios are written."""

HEADING_NAMES = {"north": 0, "east": 90, "south": 180, "west": 270}
ROAD_WIDTH = 76  # millimetres
WALL_WIDTH = 8  # millimetres
FLOOR_HEIGHT = 80  # millimetres, where a building does not tell its height


class OpeningEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A door or window in a building's wall, from one point of it to another."""

    a: Spot
    b: Spot
    floor: int = 0
    door: bool = False


class TerrainEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of terrain: a box (`at`, `size`), several (`boxes`), a polygon (`points`), a `line` or a disc (`radius`).

    A building is a box with `floors`; without `openings` it has a door in every wall and windows above.
    """

    kind: str
    id: str = ""
    at: Spot | None = None
    size: Spot | None = None
    boxes: tuple[Box, ...] = ()
    points: tuple[Spot, ...] = ()
    line: tuple[Spot, ...] = ()
    width: Length = 0
    radius: Length = 0
    height: int | None = None  # millimetres
    floors: Floors = 0
    openings: tuple[OpeningEntry, ...] = ()


class Zone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deployment area: boxes (x, y, width, depth)."""

    boxes: tuple[Box, ...]
    facing: Literal["north", "east", "south", "west"] = "north"


class ObjectiveSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An objective: its marker or markers, and the points for holding it at the end of the game or of every turn."""

    name: str
    at: tuple[Spot, ...]
    points: int = 0
    each_turn: int = 0


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A battle on the open table."""

    id: str
    name: str
    size: Spot
    deploy: tuple[Zone, ...]
    turns: int
    ruleset: str = ""
    lengths: Literal["in", "cm"] = "in"
    text: str = ""
    points: int = 50
    terrain: tuple[TerrainEntry, ...] = ()
    objectives: tuple[ObjectiveSpec, ...] = ()
    goal: Goal | None = None
    reserve: Annotated[int, Meta(ge=0)] = 0
    weather: Literal["none", "low", "medium", "high"] = "none"
    severity: Literal["random", "mild", "moderate", "severe"] = "random"
    weather_name: str = "fog"
    entry: tuple[tuple[Box, ...], ...] = ()  # boxes at the edge where each side's reserves enter
    bases: dict[str, Size] = {}  # cards whose models are of another size
    converted_from: str = ""


def read(data: dict[str, Any], where: str = "scenario") -> Scenario:
    """A scenario from plain data, with errors that name the field."""
    try:
        return msgspec.convert(data, Scenario)
    except msgspec.ValidationError as error:
        raise ScenarioError(f"{where}: {error}") from None


@lru_cache(maxsize=4_096)
def mm(value: Length, unit: str = "in") -> int:
    """A length as whole millimetres, halves rounded up."""
    return int(Fraction(str(value)) * UNITS[unit] + Fraction(1, 2))


def spot(value: Spot, unit: str = "in") -> tuple[int, int]:
    return mm(value[0], unit), mm(value[1], unit)


@lru_cache(maxsize=1_024)
def box(value: Box, unit: str = "in") -> tuple[int, int, int, int]:
    """A box as its corners in millimetres: low x, low y, high x, high y."""
    x, y, width, depth = (Fraction(str(part)) for part in value)
    return mm(value[0], unit), mm(value[1], unit), mm(float(x + width), unit), mm(float(y + depth), unit)


def build(
    scenario: Scenario,
    terrain: dict[str, Kind],
    kinds: dict[str, TerrainKind],
    shapes: dict[str, Shape],
    measures: Measures,
) -> OpenTable:
    """The table of a scenario."""
    return OpenTable(land_of(scenario, kinds), terrain, kinds, shapes, measures)


MOST_LANDS = 32
_LANDS: dict[Any, tuple[MeasuredTable, dict[str, TerrainKind]]] = {}


def land_of(scenario: Scenario, kinds: dict[str, TerrainKind]) -> MeasuredTable:
    """The ground of a scenario: the same for every game played on it, so that what it remembers serves them all."""
    key = (scenario.id, scenario.size, scenario.lengths, scenario.terrain, id(kinds))  # which the entry keeps alive
    known = _LANDS.get(key)
    if known is None:
        if len(_LANDS) >= MOST_LANDS:
            _LANDS.clear()
        known = _LANDS[key] = (_land(scenario, kinds), kinds)
    return known[0]


def _land(scenario: Scenario, kinds: dict[str, TerrainKind]) -> MeasuredTable:
    names: dict[str, int] = {}
    pieces = []
    for entry in scenario.terrain:
        names[entry.kind] = names.get(entry.kind, 0) + 1
        usual = f"{entry.kind} {names[entry.kind]}"
        pieces.append(piece(entry, kinds, usual, scenario.id, scenario.lengths))
    width, depth = spot(scenario.size, scenario.lengths)
    if not (0 < width <= MOST and 0 < depth <= MOST):
        size = f"{scenario.size} {scenario.lengths}"
        raise ScenarioError(f"scenario {scenario.id}: a table of {size} is too big or too small.")
    try:
        return MeasuredTable(width, depth, pieces)
    except ValueError as error:
        raise ScenarioError(f"scenario {scenario.id}: {error}") from None


def piece(entry: TerrainEntry, kinds: dict[str, TerrainKind], usual: str, where: str, unit: str = "in") -> Piece:
    """One piece of terrain."""
    kind = kinds.get(entry.kind)
    if kind is None:
        raise ScenarioError(f"scenario {where}: there is no terrain {entry.kind!r}; expected {', '.join(kinds)}.")
    try:
        return _shaped(entry, kind, entry.id or usual, unit)
    except (ValueError, TypeError) as error:
        raise ScenarioError(f"scenario {where}: terrain {entry.id or usual!r}: {error}") from None


def _shaped(entry: TerrainEntry, kind: TerrainKind, id: str, unit: str) -> Piece:
    if entry.floors:
        return _building(entry, kind, id, unit)
    if entry.line:
        line = [spot(one, unit) for one in entry.line]
        if kind.id in ("road", "river", "water"):
            return road(id, kind, line, mm(entry.width, unit) if entry.width else ROAD_WIDTH)
        return wall(id, kind, line, mm(entry.width, unit) if entry.width else WALL_WIDTH, entry.height)
    if entry.radius and entry.at:
        return disc(id, kind, *spot(entry.at, unit), mm(entry.radius, unit) * 10, entry.height, sides=24)
    if entry.points:
        return Piece(id, kind, [[spot(one, unit) for one in entry.points]], entry.height)
    boxes = entry.boxes or ((*entry.at, *entry.size),) if entry.at and entry.size else entry.boxes
    if not boxes:
        raise ValueError("expected `at` and `size`, `boxes`, `points`, `line`, or `at` and `radius`")
    return Piece(id, kind, [_corners(one, unit) for one in boxes], entry.height)


def _corners(value: Box, unit: str) -> list[tuple[int, int]]:
    low_x, low_y, high_x, high_y = box(value, unit)
    return [(low_x, low_y), (high_x, low_y), (high_x, high_y), (low_x, high_y)]


def _building(entry: TerrainEntry, kind: TerrainKind, id: str, unit: str) -> Piece:
    if entry.at is None or entry.size is None:
        raise ValueError("a building needs `at` and `size`")
    low_x, low_y, high_x, high_y = box((*entry.at, *entry.size), unit)
    tall = entry.height // entry.floors if entry.height is not None else FLOOR_HEIGHT
    if not entry.openings:
        return house(id, kind, low_x, low_y, high_x - low_x, high_y - low_y, entry.floors, tall)
    openings = [
        Opening(spot(o.a, unit), spot(o.b, unit), o.floor, 0 if o.door else 10, None, o.door) for o in entry.openings
    ]
    corners = [(low_x, low_y), (high_x, low_y), (high_x, high_y), (low_x, high_y)]
    return building(id, kind, corners, entry.floors, tall, openings)


def objectives(scenario: Scenario) -> tuple[Objective, ...]:
    """The scenario's objectives with their markers."""
    return tuple(
        Objective(
            one.name,
            frozenset(at(*spot(marker, scenario.lengths)) for marker in one.at),
            one.points,
            one.each_turn,
        )
        for one in scenario.objectives
    )


def zone_boxes(scenario: Scenario, side: int) -> list[tuple[int, int, int, int]]:
    """The boxes of a deployment area in millimetres."""
    return [box(one, scenario.lengths) for one in scenario.deploy[side].boxes]


def entry_boxes(scenario: Scenario, side: int) -> list[tuple[int, int, int, int]]:
    """Where reserves enter: boxes at the edge, the deployment area if the scenario names none."""
    if not scenario.entry:
        return zone_boxes(scenario, side)
    return [box(one, scenario.lengths) for one in scenario.entry[side]]


def check(
    scenario: Scenario, terrain: dict[str, Kind], kinds: dict[str, TerrainKind], where: str, measures: Measures
) -> None:
    """Set the scenario up once and throw it away."""
    build(scenario, terrain, kinds, {}, measures)
    if len(scenario.deploy) != 2:
        raise ScenarioError(f"{where}: expected 2 deployment areas, one per side, not {len(scenario.deploy)}.")
    if len(scenario.entry) not in (0, 2):
        raise ScenarioError(f"{where}: entry names boxes for both sides or for none.")
    width, depth = spot(scenario.size, scenario.lengths)
    for side in (0, 1):
        for low_x, low_y, high_x, high_y in (*zone_boxes(scenario, side), *entry_boxes(scenario, side)):
            if not (0 <= low_x < high_x <= width and 0 <= low_y < high_y <= depth):
                raise ScenarioError(f"{where}: a deployment area of side {side + 1} lies off the table.")
    known = {objective.name for objective in scenario.objectives}
    for name in scenario.goal.hold if scenario.goal else []:
        if name not in known:
            raise ScenarioError(f"{where}: the goal names {name!r}, which is none of its objectives.")
