"""Templates: blast discs, tapes, strips, flame teardrops. A model is touched when both share a point."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from dieselfront.table.measured.angles import step
from dieselfront.table.measured.geometry import Point, Polygon, segment_polygon_square, segment_segment_square
from dieselfront.table.measured.shapes import Body, distance_from_point, touches_polygon
from dieselfront.table.measured.units import inches

BLAST_RADIUS = inches(2)  # the 4" template, also the command circle (ff.move.circle_tool)


class Template(Protocol):
    """Anything laid on the table to see whom it touches."""

    def touches(self, body: Body) -> bool:
        """Does it share at least a point with a model?"""
        ...


@dataclass(frozen=True, slots=True)
class Disc:
    """A round template: centre in mm, radius in tenths (blast, HE, smoke, command circle)."""

    x: int
    y: int
    radius: int = BLAST_RADIUS

    def touches(self, body: Body) -> bool:
        return distance_from_point(self.x * 10, self.y * 10, body) <= self.radius

    def covers(self, body: Body) -> bool:
        """Is all of a model under it?"""
        x, y = self.x * 10, self.y * 10
        if body.corners:
            return all((cx - x) ** 2 + (cy - y) ** 2 <= self.radius * self.radius for cx, cy in body.corners)
        room = self.radius - body.radius
        return room >= 0 and (body.cx - x) ** 2 + (body.cy - y) ** 2 <= room * room


@dataclass(frozen=True, slots=True)
class Strip:
    """A straight band between two points (mm), `width` tenths wide in all; width 0 is a bare line."""

    a: Point
    b: Point
    width: int = 0

    def touches(self, body: Body) -> bool:
        ax, ay, bx, by = self.a[0] * 10, self.a[1] * 10, self.b[0] * 10, self.b[1] * 10
        if body.corners:
            square, scale = segment_polygon_square(ax, ay, bx, by, body.corners)
            reach = self.width
        else:
            square, scale = segment_segment_square(ax, ay, bx, by, body.cx, body.cy, body.cx, body.cy)
            reach = self.width + 2 * body.radius
        return 4 * square <= reach * reach * scale


@dataclass(frozen=True, slots=True)
class Area:
    """A template of any outline: corners clockwise in tenths."""

    corners: Polygon

    def touches(self, body: Body) -> bool:
        return touches_polygon(body, self.corners)


@dataclass(frozen=True, slots=True)
class Together:
    """Several templates laid as one: a flame tape with the blast template at its end."""

    parts: tuple[Template, ...]

    def touches(self, body: Body) -> bool:
        return any(part.touches(body) for part in self.parts)


def flame_tape(bearer: Point, end: Point, width: int = inches("1/2"), radius: int = BLAST_RADIUS) -> Together:
    """The tape from the bearer with the blast template at its end (ff.flame.line, ff.flame.strip); points in mm."""
    return Together((Strip(bearer, end, width), Disc(end[0], end[1], radius)))


def flame_strip(start: Point, heading: int, length: int, width: int) -> Area:
    """A flame template with straight sides and ends (bf.open.flame_template): lengths in tenths, start in mm."""
    x, y = start[0] * 10, start[1] * 10
    sx, sy = step(heading + 90, width // 2)
    fx, fy = step(heading, length)
    return Area(((x - sx, y - sy), (x - sx + fx, y - sy + fy), (x + sx + fx, y + sy + fy), (x + sx, y + sy)))


def teardrop(start: Point, heading: int, length: int, wide: int, narrow: int = 60) -> Area:
    """A flame teardrop from `start` (mm): `narrow` wide at the nozzle, a half circle `wide` across at the far end."""
    x, y = start[0] * 10, start[1] * 10
    nx, ny = step(heading - 90, narrow // 2)
    mx, my = step(heading, length - wide // 2)
    rim = [step(heading - 90 + 15 * i, wide // 2) for i in range(13)]
    return Area(((x + nx, y + ny), *((x + mx + dx, y + my + dy) for dx, dy in rim), (x - nx, y - ny)))


def touched(template: Template, bodies: Sequence[Body]) -> list[int]:
    """The numbers of the models a template touches, in order."""
    return [number for number, body in enumerate(bodies) if template.touches(body)]


def on_line(a: Point, b: Point, bodies: Iterable[Body], near: int = 0) -> list[Body]:
    """The models a straight line (mm) passes through or comes within `near` of (k47.core.los_units)."""
    strip = Strip(a, b, 2 * near)
    return [body for body in bodies if strip.touches(body)]
