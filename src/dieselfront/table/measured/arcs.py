"""Facings and fire arcs: quadrants bounded by 45 degree lines from hull corners or centre, and side half-planes.

An arc is a convex polygon that reaches far beyond any table; its ends are rounded once, 8 m away from the hull.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from dieselfront.table.measured.angles import box_corners, step
from dieselfront.table.measured.geometry import Point, Polygon, point_in_polygon
from dieselfront.table.measured.shapes import Body, touches_polygon
from dieselfront.table.measured.units import round_half_up

FAR = 80_000  # tenths


class Facing(IntEnum):
    """The four sides of a hull, clockwise from the front."""

    FRONT = 0
    RIGHT = 1
    REAR = 2
    LEFT = 3

    @property
    def is_side(self) -> bool:
        return self in (Facing.RIGHT, Facing.LEFT)


@dataclass(frozen=True, slots=True)
class Arc:
    """Where a weapon points; `shape`: "corners" and "centre" quadrants, "beyond" a side line, "all" round."""

    name: str
    shape: str
    facings: tuple[Facing, ...] = ()


def corner_arc(*facings: Facing) -> Arc:
    """Quadrants bounded by lines running out at 45 degrees from the hull corners (k47.shoot.arcs)."""
    return Arc("+".join(f.name.lower() for f in facings), "corners", facings)


def centre_arc(*facings: Facing) -> Arc:
    """Quadrants of 45 degrees to either side, from the centre of the hull (ff.arc.front, dw.arc.vehicle_four)."""
    return Arc("+".join(f.name.lower() for f in facings), "centre", facings)


def side_arc(*facings: Facing) -> Arc:
    """Everything beyond a side line of the hull (ff.arc.side, ff.open.side_arc)."""
    return Arc("+".join(f.name.lower() for f in facings), "beyond", facings)


ALL_ROUND = Arc("all round", "all")


def arc_polygons(body: Body, arc: Arc) -> tuple[Polygon, ...]:
    """The polygons an arc covers, clockwise, in tenths; none for all round."""
    polygons: tuple[Polygon, ...] = remembered(body, "polygons", arc, _arc_polygons)
    return polygons


def remembered(body: Body, what: str, arc: Arc, find: Callable[[Body, Arc], Any]) -> Any:
    """What follows from a model and an arc alone is worked out once for each model as it stands."""
    memo = body.memo
    if memo is None:
        memo = body.memo = {}
    known = memo.get((what, id(arc)))  # which the entry keeps alive
    if known is None:
        known = memo[what, id(arc)] = (find(body, arc), arc)
    return known[0]


def _arc_polygons(body: Body, arc: Arc) -> tuple[Polygon, ...]:
    if arc.shape == "all":
        return ()
    if arc.shape == "beyond":
        return tuple(_beyond(body, facing) for facing in arc.facings)
    return tuple(_quadrant(body, facing, arc.shape == "centre") for facing in arc.facings)


def _side_ends(body: Body, facing: Facing) -> tuple[Point, Point]:
    """The two ends of a side, clockwise; a round base counts as the square round it."""
    corners = body.corners or tuple(
        (body.cx + dx, body.cy + dy) for dx, dy in box_corners(2 * body.radius, 2 * body.radius, body.heading)
    )
    return corners[facing], corners[(facing + 1) % 4]


def _quadrant(body: Body, facing: Facing, from_centre: bool) -> Polygon:
    if from_centre or not body.corners:
        a = b = (body.cx, body.cy)
    else:
        a, b = _side_ends(body, facing)
    left, right = _out(a, body.heading + 90 * facing - 45), _out(b, body.heading + 90 * facing + 45)
    return (a, left, right) if a == b else (a, left, right, b)


def _beyond(body: Body, facing: Facing) -> Polygon:
    a, b = _side_ends(body, facing)
    outward = body.heading + 90 * facing
    first, last = _out(a, outward - 90), _out(b, outward + 90)
    return first, _out(first, outward), _out(last, outward), last


def _out(point: Point, heading: int) -> Point:
    dx, dy = step(heading, FAR)
    return point[0] + dx, point[1] + dy


def in_arc(body: Body, arc: Arc, target: Body) -> bool:
    """Is a target at least partly in an arc of a model?"""
    return arc.shape == "all" or any(touches_polygon(target, polygon) for polygon in arc_polygons(body, arc))


def point_in_arc(body: Body, arc: Arc, x: int, y: int) -> bool:
    """Is a point (tenths) in an arc, its border lines included?"""
    return arc.shape == "all" or any(point_in_polygon(x, y, polygon) >= 0 for polygon in arc_polygons(body, arc))


def facings_at(body: Body, x: int, y: int, from_centre: bool = False) -> tuple[Facing, ...]:
    """The quadrants a point (tenths) lies in: one, two on a border line, none inside the hull."""
    make = centre_arc if from_centre else corner_arc
    return tuple(facing for facing in Facing if point_in_arc(body, make(facing), x, y))


def facing_shot_at(target: Body, shooter: Body, from_centre: bool = False) -> Facing:
    """The side of a target that a shooter hits: the quadrant that holds most of him (k47.armour.facing).

    Of equal shares the one better for the target counts: front, then the sides, then the rear.
    """
    here = facings_at(target, shooter.cx, shooter.cy, from_centre)
    polygons = {facing: arc_polygons(target, _arc_of(facing, from_centre))[0] for facing in Facing}
    touched = [facing for facing in Facing if touches_polygon(shooter, polygons[facing])]
    if len(touched) == 1:
        return touched[0]
    points = grid_points(shooter)
    shares = {
        facing: sum(point_in_polygon(x, y, polygons[facing]) >= 0 for x, y in points) for facing in touched or here
    }
    order = (Facing.FRONT, Facing.RIGHT, Facing.LEFT, Facing.REAR)
    return max(
        (facing for facing in order if facing in shares), key=lambda facing: shares[facing], default=Facing.FRONT
    )


def _arc_of(facing: Facing, from_centre: bool) -> Arc:
    return centre_arc(facing) if from_centre else corner_arc(facing)


def grid_points(body: Body, steps: int = 9) -> Sequence[Point]:
    """Points spread evenly over a model, symmetric about its centre (tenths)."""
    if body.corners:
        (ax, ay), (bx, by), (cx, cy), _ = body.corners
        ux, uy, vx, vy = bx - ax, by - ay, cx - bx, cy - by
        shares = [2 * i + 1 - steps for i in range(steps)]
        scale = 2 * steps
        return [
            (body.cx + round_half_up(ux * i + vx * j, scale), body.cy + round_half_up(uy * i + vy * j, scale))
            for i in shares
            for j in shares
        ]
    r = body.radius
    places = [round_half_up((2 * i + 1 - steps) * r, steps) for i in range(steps)]
    return [(body.cx + dx, body.cy + dy) for dx in places for dy in places if dx * dx + dy * dy <= r * r]
