"""Drawing and describing squares in plain text, for logs, tests and terminals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dieselfront.table.square.geometry import FORWARD, SIDES, Place, column_letters

if TYPE_CHECKING:
    from dieselfront.table.square.grid import Grid
    from dieselfront.table.terrain import Wall

_BAR = {"none": "|", "small": ":", "large": "'", "huge": "'"}
_DASH = {"none": "--", "small": "..", "large": "''", "huge": "''"}


def describe(table: Grid, place: Place) -> str:
    """One line about a square: its name, its terrain, its walls."""
    parts = [", ".join(table.features(place)) or "open ground"]
    for side, (dx, dy) in zip(SIDES, FORWARD, strict=True):
        wall = _wall_toward(table, place, dx, dy)
        if wall is not None:
            opening = "" if wall.opening == "none" else f" with a {wall.opening} opening"
            parts.append(f"{wall.label}{opening} to the {side}")
    return f"{table.name(place)}: {'; '.join(parts)}"


def _wall_toward(table: Grid, place: Place, dx: int, dy: int) -> Wall | None:
    x, y = table.xy(place)
    if not (0 <= x + dx < table.width and 0 <= y + dy < table.height):
        return None
    return table.wall(place, place + dy * table.width + dx)


def ascii(table: Grid, marks: Mapping[Place, str], level: int) -> str:
    """A drawing of one level: two characters a square, walls between them, marks over terrain."""
    head = "    " + " ".join(f"{column_letters(x):>2}" for x in range(table.width))
    lines = [head]
    for y in range(table.height):
        lines.append(f"{y + 1:>3} " + _row(table, marks, level, y))
        under = _under(table, level, y)
        if under.strip():
            lines.append("    " + under)
    return "\n".join(line.rstrip() for line in lines)


def _row(table: Grid, marks: Mapping[Place, str], level: int, y: int) -> str:
    text = ""
    for x in range(table.width):
        place = table.index(x, y, level)
        text += f"{_symbol(table, marks, place):>2}" + _bar(_wall_toward(table, place, 1, 0))
    return text


def _symbol(table: Grid, marks: Mapping[Place, str], place: Place) -> str:
    if place in marks:
        return marks[place][:2]
    kinds = table.kinds_at(place)
    if kinds:
        return kinds[0].symbol
    return "." if table.exists(place) else " "


def _bar(wall: Wall | None) -> str:
    if wall is None:
        return " "
    return ";" if wall.kind == "low" else _BAR[wall.opening]


def _under(table: Grid, level: int, y: int) -> str:
    cells = []
    for x in range(table.width):
        wall = _wall_toward(table, table.index(x, y, level), 0, 1)
        dash = "  " if wall is None else "~~" if wall.kind == "low" else _DASH[wall.opening]
        cells.append(dash)
    return " ".join(cells)
