"""Vehicles in buildings: they drive in and out where an opening is as wide as their hull.

d47.terrain.opening_small, d47.terrain.opening_large, d47.terrain.opening_huge: on squares an opening of one square lets
a vehicle through, one of two a huge one; here the width of the hull decides (d47.open.large_opening_large_vehicle).
"""

from __future__ import annotations

from typing import NamedTuple

from dieselfront.rulesets.dust_open.places import Point
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.terrain import Opening, Piece
from dieselfront.table.measured.units import ceil_sqrt

SPARE = 2  # millimetres between a hull before an opening and the wall


class Gate(NamedTuple):
    """An opening that is wide enough: the points before and behind it (mm) between which a hull goes straight."""

    outside: Point
    inside: Point


def gates(building: Piece, hull: Body) -> list[Gate]:
    """The openings at ground level by which a hull gets in and out."""
    wide = hull.shape.width
    return [
        _gate(building, opening, hull.radius // 10 + SPARE)
        for opening in _joined([one for one in building.openings if one.floor == 0])
        if ceil_sqrt((opening.b[0] - opening.a[0]) ** 2 + (opening.b[1] - opening.a[1]) ** 2) >= wide
    ]


def _joined(openings: list[Opening]) -> list[Opening]:
    """Openings side by side in one wall as one: two of a square each make one of two."""
    joined: list[Opening] = []
    for opening in openings:
        before = next((one for one in joined if _runs_on(one, opening)), None)
        if before is None:
            joined.append(opening)
            continue
        joined.remove(before)
        ends = sorted({before.a, before.b, opening.a, opening.b})
        joined.append(Opening(ends[0], ends[-1]))
    return joined


def _runs_on(one: Opening, other: Opening) -> bool:
    """Do two openings share an end and lie on one straight line?"""
    if not {one.a, one.b} & {other.a, other.b}:
        return False
    (ax, ay), (bx, by) = one.a, one.b
    return all((bx - ax) * (y - ay) == (by - ay) * (x - ax) for x, y in (other.a, other.b))


def _gate(building: Piece, opening: Opening, far: int) -> Gate:
    (ax, ay), (bx, by) = opening.a, opening.b
    x, y = (ax + bx) // 2, (ay + by) // 2
    length = max(1, ceil_sqrt((bx - ax) ** 2 + (by - ay) ** 2))
    dx, dy = -(by - ay) * far // length, (bx - ax) * far // length
    one, other = (x + dx, y + dy), (x - dx, y - dy)
    return Gate(other, one) if building.covers_point(one[0] * 10, one[1] * 10) else Gate(one, other)


__all__ = ["Gate", "gates"]
