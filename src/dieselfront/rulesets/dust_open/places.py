"""Places of the open table, and the lengths that a game measures with (ff.scope.*, bf.setup.measure_system).

A place is a point in millimetres with a floor, packed into one number, so that records and digests hold whole numbers
and chapters which carry places about need not know whether they are squares or points. The range of a thing is a whole
number as well: 4" or 10 cm make one.
"""

from __future__ import annotations

from typing import NamedTuple, NewType

Point = tuple[int, int]

Place = NewType("Place", int)
"""A point with a floor: made by `at`, read by `xy` and `floor_of`, never by arithmetic."""

BITS = 12
MOST = (1 << BITS) - 1

HEADINGS = tuple(range(0, 360, 45))
"""Facings that are offered; any other whole degree is as good (ff.move.facing, bf.move.turning)."""


class Measures(NamedTuple):
    """The lengths of a game in tenths of a millimetre."""

    range: int
    """One point of range or movement: 4" or 10 cm (ff.scope.range_unit, bf.setup.measure_system)."""
    blast: int
    """The radius of the blast template (ff.move.circle_tool, bf.open.blast_template_size)."""
    effect: int
    """The radius of smoke and of other effects of one square (ff.scope.convert)."""
    flight: int = 0
    """How high aircraft are above the ground, in millimetres."""
    readings: tuple[str, ...] = ()
    """Readings of the rules of sight that this game chose instead of the usual ones."""

    def ranges(self, tenths: int) -> int:
        """A length as a range: 4.0" are range 1, 4.1" range 2 (ff.scope.convert)."""
        return -(-tenths // self.range)


class Hand(int):
    """A place with the places of the other models, set down by hand (ff.move.place_rest), or with the way there."""

    others: tuple[Point, ...] = ()
    way: tuple[Point, ...] = ()


def at(x: int, y: int, floor: int = 0) -> Place:
    """The place at a point (mm) on a floor."""
    return Place((floor << 2 * BITS) | (y << BITS) | x)


def xy(place: int) -> Point:
    """The point of a place (mm)."""
    return place & MOST, place >> BITS & MOST


def floor_of(place: int) -> int:
    """The floor of a place, 0 on the ground."""
    return place >> 2 * BITS
