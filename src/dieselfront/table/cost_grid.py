"""What the way to every spot in reach costs, in a form small enough to send: a letter for each spot of a lattice.

Floods (measured/reach.py) and drives (measured/trace.py) fill it; a screen smooths it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-"
"""A spot's cost in 63rds of the limit, rounded to the nearest."""
OUT_OF_REACH = "."
MOST_COLUMNS = 66
"""A lattice of more columns or rows is thinned: no grid is larger than 66 × 66 letters."""

Cell = tuple[int, int]


class CostGrid(NamedTuple):
    """A lattice of spots row by row, `step` millimetres apart; the first stands at (x, y)."""

    x: int
    y: int
    step: int
    columns: int
    limit: int
    """What the last letter stands for (tenths of a millimetre)."""
    cells: str

    def cost(self, x: int, y: int) -> int | None:
        """The cost (tenths) at the spot nearest to a point, None out of reach."""
        column, row = round((x - self.x) / self.step), round((y - self.y) / self.step)
        if not (0 <= column < self.columns and 0 <= row < len(self.cells) // self.columns):
            return None
        letter = self.cells[row * self.columns + column]
        most = len(LETTERS) - 1
        return None if letter == OUT_OF_REACH else LETTERS.index(letter) * self.limit // most


def cost_grid(start: tuple[int, int], step: int, limit: int, costs: Mapping[Cell, int]) -> CostGrid | None:
    """The grid of lattice cells counted from `start` with their costs (tenths); None if only the start is in reach."""
    if len(costs) < 2 or limit <= 0:
        return None
    columns, rows = [i for i, _ in costs], [j for _, j in costs]
    wide = max(max(columns) - min(columns), max(rows) - min(rows)) + 1
    thin = -(-wide // MOST_COLUMNS)
    # Cells that are kept are whole multiples, so that the start is one of them.
    west, east = -(-min(columns) // thin), max(columns) // thin
    north, south = -(-min(rows) // thin), max(rows) // thin
    cells = "".join(
        _letter(costs.get((i * thin, j * thin)), limit) for j in range(north, south + 1) for i in range(west, east + 1)
    )
    pace = step * thin
    return CostGrid(start[0] + west * pace, start[1] + north * pace, pace, east - west + 1, limit, cells)


def _letter(cost: int | None, limit: int) -> str:
    if cost is None:
        return OUT_OF_REACH
    most = len(LETTERS) - 1
    return LETTERS[min(most, (2 * cost * most + limit) // (2 * limit))]


__all__ = ["LETTERS", "MOST_COLUMNS", "OUT_OF_REACH", "CostGrid", "cost_grid"]
