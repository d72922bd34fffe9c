"""Geometry of squares: names, distances, arcs and exact rays between centres. No board, no terrain."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final, Literal, NamedTuple

from dieselfront.table.square import native
from dieselfront.table.terrain import TableError

Place = int
Facing = int
Stance = tuple[Place, Facing]
Size = Literal["standard", "large", "huge"]
Arc = Literal["all", "front", "rear", "left", "right"]
Side = Literal["north", "east", "south", "west"]

NORTH, EAST, SOUTH, WEST = range(4)
SIDES: Final[tuple[Side, ...]] = ("north", "east", "south", "west")
FORWARD: Final[tuple[tuple[int, int], ...]] = ((0, -1), (1, 0), (0, 1), (-1, 0))
DIAGONALS: Final[tuple[tuple[int, int], ...]] = ((1, -1), (1, 1), (-1, 1), (-1, -1))
EIGHT: Final[tuple[tuple[int, int], ...]] = FORWARD + DIAGONALS

_NAME: Final = re.compile(r"^\s*([A-Za-z]+)\s*([0-9]+)\s*(?:\+\s*([0-9]+))?\s*$")


def mask_of(places: Iterable[Place]) -> int:
    """The bitmask of some places."""
    mask = 0
    for place in places:
        mask |= 1 << place
    return mask


def union(masks: Iterable[int]) -> int:
    """All squares of some masks."""
    whole = 0
    for mask in masks:
        whole |= mask
    return whole


def places_of(mask: int) -> tuple[Place, ...]:
    """The places of a bitmask, in ascending order."""
    places = []
    while mask:
        low = mask & -mask
        places.append(low.bit_length() - 1)
        mask ^= low
    return tuple(places)


def shift(mask: int, offset: int) -> int:
    """Move every bit of a mask by an offset."""
    return mask << offset if offset >= 0 else mask >> -offset


@cache
def column_letters(x: int) -> str:
    """A, B, ... Z, AA, AB, ..."""
    letters = ""
    x += 1
    while x:
        x, rest = divmod(x - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def read_name(text: str) -> tuple[int, int, int]:
    """Column, row and level of a name like "C4" or "C4+1"."""
    match = _NAME.match(text)
    if match is None or int(match[2]) == 0:
        raise TableError(f"{text!r} is not a square; expected a column letter and a row number such as C4 or C4+1.")
    x = 0
    for letter in match[1].upper():
        x = x * 26 + ord(letter) - ord("A") + 1
    return x - 1, int(match[2]) - 1, int(match[3] or 0)


def offset_distance(dx: int, dy: int) -> int:
    """Squares counted for an offset: the first diagonal 1, later ones 2 (d47.attack.range.diagonal)."""
    dx, dy = abs(dx), abs(dy)
    diagonals = min(dx, dy)
    straight = abs(dx - dy)
    return straight + (2 * diagonals - 1 if diagonals else 0)


def offset_in_arc(dx: int, dy: int, facing: Facing, arc: Arc) -> bool:
    """Whether an offset lies in an arc of something that faces an edge (d47.attack.arc.*)."""
    ahead_x, ahead_y = FORWARD[facing]
    ahead = dx * ahead_x + dy * ahead_y
    right = -dx * ahead_y + dy * ahead_x
    if arc == "all":
        return True
    if arc == "front":
        return ahead >= 1 and abs(right) <= ahead
    if arc == "rear":
        return ahead <= -1 and abs(right) <= -ahead
    if arc == "right":
        return right > 0
    if arc == "left":
        return right < 0
    raise TableError(f"{arc!r} is not an arc; expected all, front, rear, left or right.")


class Crossing(NamedTuple):
    """Where a ray leaves one square for the next: over an edge, or exactly through a vertex."""

    x: int
    y: int
    to_x: int
    to_y: int
    moment: int
    """When, in parts of the ray's `length`."""
    is_vertex: bool


class Ray(NamedTuple):
    """The straight line from the centre of (0,0) to the centre of (dx,dy)."""

    squares: tuple[tuple[int, int], ...]
    """Squares whose interior it crosses, both ends included, in order."""
    crossings: tuple[Crossing, ...]
    length: int


@cache
def ray(dx: int, dy: int) -> Ray:
    """The exact ray of an offset, in integers, computed once for all tables.

    The line crosses vertical grid lines at (2i+1)/(2|dx|) of its way and horizontal ones at (2j+1)/(2|dy|);
    where both moments are equal it goes exactly through a vertex.
    """
    wide, high = abs(dx), abs(dy)
    step_x, step_y = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
    length = 2 * (wide or 1) * (high or 1)
    x = y = i = j = 0
    squares = [(0, 0)]
    crossings = []
    while i < wide or j < high:
        at_x = (2 * i + 1) * (high or 1) if i < wide else length + 1
        at_y = (2 * j + 1) * (wide or 1) if j < high else length + 1
        to_x = x + step_x if at_x <= at_y else x
        to_y = y + step_y if at_y <= at_x else y
        i += at_x <= at_y
        j += at_y <= at_x
        crossings.append(Crossing(x, y, to_x, to_y, min(at_x, at_y), at_x == at_y))
        x, y = to_x, to_y
        squares.append((x, y))
    return Ray(tuple(squares), tuple(crossings), length)


native.take_over(globals(), "mask_of", "places_of")
