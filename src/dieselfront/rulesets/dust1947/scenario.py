"""Scenarios as data: board, deployment areas, objectives, goal, weather, reserves, fortifications, turn limit.

d47.setup.*, d47.victory.*, d47.weather.*, d47.reserve.eligible, d47.fort.placement_free_or_paid.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from dieselfront.rulesets.dust1947.fortifications import PRICES, Fort, built, hindrances, layout, why_not
from dieselfront.table.square import BoardBuilder, SquareTable
from dieselfront.table.terrain import TableError, TerrainKind

FACING_NAMES = {"north": 0, "east": 1, "south": 2, "west": 3}

IN_OTHER_WORDS = {
    "archeological wall": "low wall",  # d47.babylon.arch_walls
    "archeological building": "building",
    "low wall set": "low wall",  # d47.babylon.wall_set: high unless agreed otherwise
    "wall set": "wall",
    "lamassu pillar": "lamassu",
    "lamassu pillars": "lamassu",
    "rocket prototype": "rocket",
    "barbed wire": "wire",
    "mines": "minefield",
    "silo": "structure",
    "pillar": "structure",
}
"""Names of terrain pieces that play like another kind."""


class ScenarioError(ValueError):
    """A scenario that cannot be set up; the message says what and where."""


class BoardSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The board: its size in squares and its terrain, piece by piece in words."""

    size: tuple[int, int]
    terrain: list[str] = []


class Zone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deployment area."""

    squares: str
    facing: str = "north"


class ObjectiveSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An objective: squares to stand on, and the points for holding it at the end of the game or of every turn."""

    name: str
    squares: str
    points: int = 0
    each_turn: int = 0


class FortSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fortification of one side: assigned and free, or optional and paid for (d47.fort.placement_free_or_paid).

    `at` names its footprint ("C2-F5", or the first square of four by four); without it the owner places it.
    `interior` names other squares inside than the usual two.
    """

    kind: Literal["bunker", "strongpoint"]
    side: Literal[0, 1]
    at: str = ""
    facing: str = ""
    interior: str = ""
    optional: bool = False
    over_objectives: bool = False


class Goal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Holding all these objectives at the end of a turn wins at once."""

    hold: list[str]
    side: int | None = None
    from_turn: int = 1


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A battle to be fought."""

    id: str
    name: str
    board: BoardSpec
    deploy: list[Zone]
    turns: int
    ruleset: str = "dust1947"
    text: str = ""
    points: int = 50
    objectives: list[ObjectiveSpec] = []
    goal: Goal | None = None
    reserve: Annotated[int, Meta(ge=0)] = 0  # Reserve (#)
    weather: Literal["none", "low", "medium", "high"] = "none"  # the risk of it
    severity: Literal["random", "mild", "moderate", "severe"] = "random"
    weather_name: str = "fog"  # fog, blizzard, sandstorm: all the same (d47.weather.type)
    fortifications: list[FortSpec] = []
    entry: list[str] = []  # squares where each side's reserves enter; its own board edge if not given


class Objective(msgspec.Struct, frozen=True):
    """An objective on the board."""

    name: str
    places: frozenset[int]
    points: int
    each_turn: int = 0


def read(data: dict[str, Any], where: str = "scenario") -> Scenario:
    """A scenario from plain data, with errors that name the field."""
    try:
        return msgspec.convert(data, Scenario)
    except msgspec.ValidationError as error:
        raise ScenarioError(f"{where}: {error}") from None


def build(scenario: Scenario, kinds: dict[str, TerrainKind]) -> SquareTable:
    """The board of a scenario (d47.setup.board); games on the same board share it and what it has worked out."""
    key = (msgspec.json.encode(scenario.board), id(kinds))
    table = _boards.get(key)
    if table is None:
        if len(_boards) >= MOST_BOARDS:
            _boards.clear()
        table = _boards[key] = _build(scenario, kinds)
    return table


MOST_BOARDS = 64
_boards: dict[tuple[bytes, int], SquareTable] = {}


def _build(scenario: Scenario, kinds: dict[str, TerrainKind]) -> SquareTable:
    builder = BoardBuilder(scenario.board.size[0], scenario.board.size[1], kinds)
    for piece in scenario.board.terrain:
        try:
            builder.piece(in_our_words(piece))
        except TableError as error:
            raise ScenarioError(f"scenario {scenario.id}: terrain {error}") from None
    return builder.build()


_squares: dict[tuple[int, int, int, str], tuple[int, ...]] = {}


def squares(table: SquareTable, text: str) -> tuple[int, ...]:
    """Squares named as "C4", "A1-L2" or several of them."""
    key = (table.width, table.height, table.existing, text)
    known = _squares.get(key)
    if known is None:
        if len(_squares) >= MOST_BOARDS * 8:
            _squares.clear()
        known = _squares[key] = _read_squares(table, text)
    return known


def _read_squares(table: SquareTable, text: str) -> tuple[int, ...]:
    places: list[int] = []
    for word in text.replace(",", " ").split():
        first, _, last = word.partition("-")
        if not last:
            places.append(table.square(first))
            continue
        (x1, y1), (x2, y2) = table.xy(table.square(first)), table.xy(table.square(last))
        for y in range(min(y1, y2), max(y1, y2) + 1):
            for x in range(min(x1, x2), max(x1, x2) + 1):
                places.append(table.place(x, y))
    return tuple(dict.fromkeys(places))


def in_our_words(piece: str) -> str:
    """A piece of terrain with the name of the kind it plays like."""
    for name, kind in IN_OTHER_WORDS.items():
        if piece.lower().startswith(name + " "):
            return kind + piece[len(name) :]
    return piece


def objectives(scenario: Scenario, table: SquareTable) -> tuple[Objective, ...]:
    """The scenario's objectives on its board."""
    return tuple(
        Objective(spec.name, frozenset(squares(table, spec.squares)), spec.points, spec.each_turn)
        for spec in scenario.objectives
    )


def forts(scenario: Scenario, table: SquareTable) -> tuple[Fort, ...]:
    """The scenario's fortifications: those with a place of their own placed, the others still to be placed."""
    goals = frozenset(place for goal in objectives(scenario, table) for place in goal.places)
    made: list[Fort] = []
    for spec in scenario.fortifications:
        fort = _fort(scenario, table, spec)
        own_goals: frozenset[int] = frozenset() if spec.over_objectives else goals
        hindered = hindrances(table, tuple(made), frozenset(), own_goals) if fort.placed else []
        reason = why_not(fort, hindered)
        if reason is not None:
            raise ScenarioError(f"scenario {scenario.id}: the {spec.kind} at {spec.at} cannot stand there: {reason}.")
        made.append(fort)
    return tuple(made)


def _fort(scenario: Scenario, table: SquareTable, spec: FortSpec) -> Fort:
    facing = FACING_NAMES.get(spec.facing or scenario.deploy[spec.side].facing)
    if facing is None:
        raise ScenarioError(
            f"scenario {scenario.id}: nobody can face {spec.facing!r}; expected {', '.join(FACING_NAMES)}."
        )
    price = PRICES[spec.kind] if spec.optional else 0
    fort = Fort(spec.kind, spec.side, facing, price=price, over_objectives=spec.over_objectives)
    if not spec.at:
        return fort
    footprint = squares(table, spec.at)
    whole, inside = (footprint, ()) if len(footprint) > 1 else layout(table, footprint[0], facing)
    inside = squares(table, spec.interior) if spec.interior else inside or layout(table, footprint[0], facing)[1]
    if not set(inside) <= set(whole):
        raise ScenarioError(f"scenario {scenario.id}: the interior of the {spec.kind} at {spec.at} lies outside it.")
    return msgspec.structs.replace(fort, footprint=whole, interior=inside)


def with_forts(table: SquareTable, placed: tuple[Fort, ...]) -> SquareTable:
    """The board with all fortifications that have their place."""
    for fort in placed:
        table = built(table, fort) if fort.placed and not fort.price else table
    return table
