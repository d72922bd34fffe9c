"""Scenarios as data: board, deployment areas, objectives, goal and turn limit (d47.setup.*, d47.victory.*)."""

from __future__ import annotations

from typing import Any

import msgspec

from dieselfront.table.square import BoardBuilder, SquareTable
from dieselfront.table.terrain import TableError, TerrainKind

FACING_NAMES = {"north": 0, "east": 1, "south": 2, "west": 3}


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
    """An objective: squares to stand on and the points for holding it at the end."""

    name: str
    squares: str
    points: int = 0


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
    reserve: int = 0  # d47.reserve.eligible
    weather: str = "none"  # none, low, medium, high
    severity: str = "random"  # random, mild, moderate, severe
    weather_name: str = "fog"
    fortifications: list[dict[str, Any]] = []
    entry: str = "deploy"  # deploy, edge


class Objective(msgspec.Struct, frozen=True):
    """An objective on the board."""

    name: str
    places: frozenset[int]
    points: int


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
            builder.piece(piece)
        except TableError as error:
            raise ScenarioError(f"scenario {scenario.id}: terrain {piece!r}: {error}") from None
    return builder.build()


def squares(table: SquareTable, text: str) -> tuple[int, ...]:
    """Squares named as "C4", "A1-L2" or several of them."""
    found: list[int] = []
    for word in text.replace(",", " ").split():
        first, _, last = word.partition("-")
        if not last:
            found.append(table.square(first))
            continue
        (x1, y1), (x2, y2) = table.xy(table.square(first)), table.xy(table.square(last))
        for y in range(min(y1, y2), max(y1, y2) + 1):
            for x in range(min(x1, x2), max(x1, x2) + 1):
                found.append(table.place(x, y))
    return tuple(dict.fromkeys(found))


def objectives(scenario: Scenario, table: SquareTable) -> tuple[Objective, ...]:
    """The scenario's objectives on its board."""
    return tuple(
        Objective(spec.name, frozenset(squares(table, spec.squares)), spec.points) for spec in scenario.objectives
    )
