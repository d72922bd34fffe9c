"""Places of the open table as whole numbers, and the lengths of the freeform rules (ff.scope.*).

A place is a point in millimetres with a floor, packed into one number, so that chapters which carry places about need
not know whether they are squares or points. The range of a thing is a whole number as well: 4" or 10 cm make one.
"""

from __future__ import annotations

from dieselfront.table.measured.templates import BLAST_RADIUS
from dieselfront.table.measured.units import inches

Point = tuple[int, int]

BITS = 12
MOST = (1 << BITS) - 1
INCH = inches(1)
RANGE = inches(4)
"""One square, or one point of range or movement, in tenths of a millimetre (ff.scope.range_unit)."""

CIRCLE = BLAST_RADIUS
"""The radius of the command circle, the same as that of the blast template (ff.move.circle, ff.move.circle_tool)."""

HEADINGS = tuple(range(0, 360, 45))
"""Facings that are offered; any other whole degree is as good (ff.move.facing)."""


class Hand(int):
    """A place with the places of the other models, set down by hand (ff.move.place_rest), or with the way there."""

    others: tuple[Point, ...] = ()
    way: tuple[Point, ...] = ()


def at(x: int, y: int, floor: int = 0) -> int:
    """The place at a point (mm) on a floor."""
    return (floor << 2 * BITS) | (y << BITS) | x


def xy(place: int) -> Point:
    """The point of a place (mm)."""
    return place & MOST, place >> BITS & MOST


def floor_of(place: int) -> int:
    """The floor of a place, 0 on the ground."""
    return place >> 2 * BITS


def ranges(tenths: int) -> int:
    """A length as a range: 4.0" are range 1, 4.1" range 2 (ff.scope.convert)."""
    return -(-tenths // RANGE)
