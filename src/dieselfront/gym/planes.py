"""Map planes: the table from above as a stack of square pictures, each with a documented meaning.

The table is stretched over the grid, whatever its size and kind; what lies in the same cell adds up, to 1 at most.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from dieselfront.gym.features import Scene

Array = NDArray[np.float32]

PLANES = {
    "own_strength": "what is left of own units here, by points, as a share of the dearer army",
    "enemy_strength": "the same of the enemy's",
    "own_fresh": "of that, what has not acted in this turn",
    "enemy_fresh": "the same of the enemy's",
    "own_objective": "1 where an objective lies that the agent holds",
    "enemy_objective": "1 where one lies that the enemy holds",
    "free_objective": "1 where one lies that nobody holds",
    "terrain": "1 where terrain of any kind lies: trees, water, buildings, roads, smoke",
    "asked": "1 where the unit stands that the current decision is about",
}
"""The planes of `map`, each with its meaning."""
_PLACE = {name: number for number, name in enumerate(PLANES)}


def planes(scene: Scene, size: int, asked: str) -> Array:
    """The planes of a position as one agent sees it: plane, row, column."""
    stack = np.zeros((len(PLANES), size, size), np.float32)
    for x, y, own, strength, fresh, id in scene.placed():
        row, column = _cell(x, y, size)
        whose = "own" if own else "enemy"
        stack[_PLACE[f"{whose}_strength"], row, column] += strength
        if fresh:
            stack[_PLACE[f"{whose}_fresh"], row, column] += strength
        if id == asked:
            stack[_PLACE["asked"], row, column] = 1.0
    for whose, x, y in scene.goals():
        row, column = _cell(x, y, size)
        stack[_PLACE[f"{whose}_objective"], row, column] = 1.0
    stack[_PLACE["terrain"]] = terrain(scene.table, size)
    return np.minimum(stack, 1.0)


def _cell(x: float, y: float, size: int) -> tuple[int, int]:
    return min(size - 1, int(y * size)), min(size - 1, int(x * size))


def terrain(table: dict[str, Any], size: int) -> Array:
    """Where terrain lies, from the view of a table: squares with features, or outlines in millimetres."""
    width, height = float(table["width"]), float(table["height"])
    if "features" in table:
        return _squares(tuple(name for name, kinds in table["features"].items() if kinds), width, height, size)
    outlines = tuple(tuple(map(tuple, piece["outline"])) for piece in table.get("terrain", ()) if piece.get("outline"))
    return _outlines(outlines, width, height, size)


@lru_cache(maxsize=32)
def _squares(names: tuple[str, ...], width: float, height: float, size: int) -> Array:
    from dieselfront.gym.features import square_point

    plane = np.zeros((size, size), np.float32)
    for name in names:
        point = square_point(name)
        if point is not None:
            column, row = point[0] - 0.5, point[1] - 0.5
            rows = _span(row / height, (row + 1) / height, size)
            plane[rows, _span(column / width, (column + 1) / width, size)] = 1.0
    return plane


def _span(start: float, end: float, size: int) -> slice:
    """The cells whose middle lies between two shares of the table, one at least."""
    first = min(size - 1, round(start * size))
    return slice(first, max(first + 1, round(end * size)))


@lru_cache(maxsize=32)
def _outlines(outlines: tuple[tuple[tuple[float, float], ...], ...], width: float, height: float, size: int) -> Array:
    from shapely import Polygon, contains_xy

    middles = (np.arange(size) + 0.5) / size
    x, y = np.meshgrid(middles * width, middles * height)
    plane = np.zeros((size, size), np.float32)
    for outline in outlines:
        if len(outline) >= 3:
            plane[contains_xy(Polygon(outline), x, y)] = 1.0
    return plane


COLOURS: Iterable[tuple[str, tuple[int, int, int]]] = (
    ("terrain", (176, 170, 120)),
    ("free_objective", (230, 190, 60)),
    ("own_objective", (120, 160, 220)),
    ("enemy_objective", (220, 130, 110)),
    ("own_strength", (31, 79, 122)),
    ("enemy_strength", (179, 52, 15)),
)
"""What a picture shows, the later over the earlier."""
PAPER = (243, 236, 219)


def picture(stack: Array, cell: int = 12) -> NDArray[np.uint8]:
    """The planes as a picture (height, width, red green blue)."""
    size = stack.shape[1]
    image = np.empty((size, size, 3), np.uint8)
    image[:] = PAPER
    for name, colour in COLOURS:
        image[stack[_PLACE[name]] > 0] = colour
    return np.repeat(np.repeat(image, cell, axis=0), cell, axis=1)


__all__ = ["PLANES", "picture", "planes"]
