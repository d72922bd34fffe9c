"""Models on the measured table: round bases and oriented hulls, their distances and overlaps, all exact.

A distance is a whole number of tenths of a millimetre rounded up, so `distance(a, b) <= inches(6)` is exactly
"within 6 inches" and `distance(a, b) > inches(1)` exactly "more than 1 inch".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dieselfront.table.measured import native
from dieselfront.table.measured.angles import box_corners, step
from dieselfront.table.measured.geometry import (
    Point,
    Polygon,
    convex_overlap,
    line_enters,
    outline_square,
    point_in_polygon,
    point_polygon_square,
    point_segment_square,
    polygon_polygon_square,
    segment_polygon_square,
)
from dieselfront.table.measured.units import ceil_sqrt, ceil_sqrt_ratio

_CODES: dict[tuple[int, int, int, bool, int, int], int] = {}


class Shape:
    """What a model is cut to: a round base or a box hull, with its height, eye and body. Sizes in millimetres."""

    __slots__ = ("body", "code", "eye", "height", "is_round", "length", "width")

    def __init__(
        self, width: int, length: int, height: int, is_round: bool, eye: int | None = None, body: int | None = None
    ) -> None:
        if min(width, length) <= 0 or height < 0:
            raise ValueError(f"A model of {width} x {length} x {height} mm cannot stand: expected sizes above zero.")
        self.width = width
        self.length = length
        self.height = height
        self.is_round = is_round
        self.eye = height * 9 // 10 if eye is None else eye
        self.body = (width * 3 // 5 if is_round else width) if body is None else body
        self.code = _CODES.setdefault(self._fields(), len(_CODES))  # equal shapes have equal codes, in this process
        """A short name of the shape for keys of memories."""

    def __hash__(self) -> int:
        return self.code

    def __reduce__(self) -> tuple[type[Shape], tuple[object, ...]]:
        return Shape, self._fields()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Shape) and self.code == other.code

    def _fields(self) -> tuple[int, int, int, bool, int, int]:
        return self.width, self.length, self.height, self.is_round, self.eye, self.body

    def __repr__(self) -> str:
        if self.is_round:
            return f"round_base({self.width}, height={self.height})"
        return f"hull({self.width}, {self.length}, height={self.height})"


def round_base(diameter: int, height: int = 30, eye: int | None = None, body: int | None = None) -> Shape:
    """A round base; the body seen on it is three fifths of its width unless another is given (mm)."""
    return Shape(diameter, diameter, height, True, eye, body)


def hull(width: int, length: int, height: int = 40, eye: int | None = None) -> Shape:
    """A box hull, `length` along its heading (mm)."""
    return Shape(width, length, height, False, eye)


class Body:
    """A shape standing somewhere: centre in millimetres, heading in whole degrees, ground level z in millimetres.

    `key` says whose it is in reasons ("tiger", ("squad", 3)); `inside` and `floor` say in which building it stands.
    `memo` holds what has been worked out from all this and nothing else.
    """

    __slots__ = ("corners", "cx", "cy", "floor", "heading", "inside", "key", "memo", "radius", "shape", "x", "y", "z")

    def __init__(
        self,
        shape: Shape,
        x: int,
        y: int,
        heading: int = 0,
        z: int = 0,
        key: object = None,
        inside: str | None = None,
        floor: int = 0,
    ) -> None:
        self.shape = shape
        self.x = x
        self.y = y
        self.heading = heading % 360
        self.z = z
        self.key = key
        self.inside = inside
        self.floor = floor
        self.memo: dict[Any, Any] | None = None
        self.cx = cx = x * 10
        self.cy = cy = y * 10
        self.corners: Polygon
        if shape.is_round:
            self.radius = shape.width * 5
            self.corners = ()
        else:
            offsets = box_corners(shape.width * 10, shape.length * 10, self.heading)
            self.corners = tuple((cx + dx, cy + dy) for dx, dy in offsets)
            self.radius = max(ceil_sqrt(dx * dx + dy * dy) for dx, dy in offsets)

    def at(self, x: int, y: int, heading: int | None = None) -> Body:
        """The same model somewhere else."""
        turned = self.heading if heading is None else heading
        return Body(self.shape, x, y, turned, self.z, self.key, self.inside, self.floor)

    def __reduce__(self) -> tuple[type[Body], tuple[object, ...]]:
        return Body, (self.shape, self.x, self.y, self.heading, self.z, self.key, self.inside, self.floor)

    def __repr__(self) -> str:
        return f"Body({self.shape!r}, {self.x}, {self.y}, heading={self.heading}, key={self.key!r})"


def between(a: Body, b: Body) -> tuple[int, int, int]:
    """(n, d, room): the distance of two models is sqrt(n / d) - room, exactly; not above zero when they touch."""
    if a.corners:
        if b.corners:
            return *polygon_polygon_square(a.corners, b.corners), 0
        a, b = b, a
    if b.corners:
        return *point_polygon_square(a.cx, a.cy, b.corners), a.radius
    dx, dy = a.cx - b.cx, a.cy - b.cy
    return dx * dx + dy * dy, 1, a.radius + b.radius


def distance(a: Body, b: Body) -> int:
    """Base to base, base to hull or hull to hull, nearest points; 0 when they touch or overlap."""
    square, scale, room = between(a, b)
    return max(0, ceil_sqrt_ratio(square, scale) - room)


def is_within(a: Body, b: Body, length: int) -> bool:
    """Is the distance at most `length`? (Faster than measuring, same answer.)"""
    dx, dy = a.cx - b.cx, a.cy - b.cy
    reach = length + a.radius + b.radius
    if dx * dx + dy * dy > reach * reach:
        return False
    return not (a.corners or b.corners) or distance(a, b) <= length


def any_within(some: Iterable[Body], others: Sequence[Body], length: int) -> bool:
    """Is one of some models within `length` of one of others?"""
    return any(is_within(a, b, length) for a in some for b in others)


def is_nearer(a: Body, b: Body, length: int) -> bool:
    """Is the distance less than `length`? Exactly `length` is not."""
    square, scale, room = between(a, b)
    return square < (length + room) ** 2 * scale


def overlaps(a: Body, b: Body) -> bool:
    """Do two models share ground? Touching is not overlapping."""
    dx, dy = a.cx - b.cx, a.cy - b.cy
    reach = a.radius + b.radius
    if dx * dx + dy * dy >= reach * reach:
        return False
    if not (a.corners or b.corners):
        return True
    if a.corners and b.corners:
        return convex_overlap(a.corners, b.corners)
    return is_nearer(a, b, 0)


def distance_from_point(x: int, y: int, body: Body) -> int:
    """From a point (tenths) to the nearest point of a model."""
    if body.corners:
        return ceil_sqrt_ratio(*point_polygon_square(x, y, body.corners))
    dx, dy = x - body.cx, y - body.cy
    return max(0, ceil_sqrt(dx * dx + dy * dy) - body.radius)


def distance_from_centre(a: Body, b: Body) -> int:
    """From the centre of a to the nearest point of b (a command circle is drawn round the centre of its leader)."""
    return distance_from_point(a.cx, a.cy, b)


def distance_of_centres(a: Body, b: Body) -> int:
    """From centre to centre."""
    dx, dy = a.cx - b.cx, a.cy - b.cy
    return ceil_sqrt(dx * dx + dy * dy)


def distance_from_line(ax: int, ay: int, bx: int, by: int, body: Body) -> int:
    """From the straight line a-b (tenths) to the nearest point of a model."""
    if body.corners:
        return ceil_sqrt_ratio(*segment_polygon_square(ax, ay, bx, by, body.corners))
    square = point_segment_square(body.cx, body.cy, ax, ay, bx, by)
    return max(0, ceil_sqrt_ratio(*square) - body.radius)


def distances(body: Body, others: list[Body]) -> list[int]:
    """From a model to each of some others."""
    return [distance(body, other) for other in others]


def in_box_round(around: list[Body], bodies: list[Body]) -> list[Body]:
    """Those of some models whose box meets the box round some others."""
    low_x, high_x = min(body.cx - body.radius for body in around), max(body.cx + body.radius for body in around)
    low_y, high_y = min(body.cy - body.radius for body in around), max(body.cy + body.radius for body in around)
    return [
        body
        for body in bodies
        if low_x <= body.cx + body.radius
        and body.cx - body.radius <= high_x
        and low_y <= body.cy + body.radius
        and body.cy - body.radius <= high_y
    ]


def any_overlap(bodies: list[Body]) -> bool:
    """Do two of some models share ground?"""
    return any(overlaps(one, other) for number, one in enumerate(bodies) for other in bodies[:number])


def nearest_first(body: Body, others: list[Body]) -> list[tuple[int, int]]:
    """The distances of a model from others, with their numbers in the list, the nearest first."""
    return sorted((distance(body, other), number) for number, other in enumerate(others))


def bodies_kept(memory: dict[int, tuple[Any, ...]], unit: Any) -> list[Body] | None:
    """The bodies remembered for a unit that stands as it stood when they were made; None if it does not.

    Entries are (where, facing, figures, id, bodies) under the identity of `where`: whoever moves gets a new tuple of
    places, and the entry keeps the old one alive.
    """
    entry = memory.get(id(unit.where))
    if entry is None or entry[1] != unit.facing or entry[2] != unit.figures or entry[3] != unit.id:
        return None
    bodies: list[Body] = entry[4]
    return bodies


def units_within(
    memory: dict[int, tuple[Any, ...]], bodies: list[Body], units: list[Any], length: int
) -> list[Any] | None:
    """The units with a body within a length of one of these; None if the bodies of one are not known."""
    near = []
    for unit in units:
        theirs = bodies_kept(memory, unit)
        if not theirs:
            return None
        if any_within(bodies, theirs, length):
            near.append(unit)
    return near


def stamp_of(units: list[Any]) -> bytes:
    """A key for a whole position: the same as long as nobody's places, figures, status, effects or facing are replaced.

    It is made of identities: whoever remembers something under it keeps these objects alive.
    """
    marks = (
        value
        for unit in units
        for value in (id(unit.where), id(unit.figures), id(unit.status), id(unit.id), id(unit.effects), unit.facing)
    )
    return b"".join(mark.to_bytes(8, "little", signed=True) for mark in marks)


def unit_distance(unit: Iterable[Body], other: Iterable[Body]) -> int:
    """Between two units: their two nearest models."""
    others = list(other)
    best, best_square, best_room = -1, 0, -1
    for a in unit:
        for b in others:
            dx, dy, room = a.cx - b.cx, a.cy - b.cy, a.radius + b.radius
            square = dx * dx + dy * dy
            if a.corners or b.corners:
                if best >= 0 and square >= (best + room) ** 2:
                    continue
                far = distance(a, b)
            else:
                if room == best_room and square >= best_square:
                    continue
                far = ceil_sqrt(square) - room
                if far <= 0:
                    return 0
                if best < 0 or far < best:
                    best_square, best_room = square, room
            if best < 0 or far < best:
                best = far
    if best < 0:
        raise ValueError("The distance of a unit without models was asked for.")
    return best


def is_completely_within(body: Body, centre: Body, length: int) -> bool:
    """Is every point of a model at most `length` from the nearest point of a round base or of a point-like model?"""
    if centre.corners:
        raise ValueError("'Completely within' is measured from a round base; give one standing on the hull's point.")
    reach = length + centre.radius
    if body.corners:
        return all((x - centre.cx) ** 2 + (y - centre.cy) ** 2 <= reach * reach for x, y in body.corners)
    room = reach - body.radius
    dx, dy = body.cx - centre.cx, body.cy - centre.cy
    return room >= 0 and dx * dx + dy * dy <= room * room


def touches_polygon(body: Body, polygon: Polygon) -> bool:
    """Does a model share at least a point with a filled polygon (its outline included)?"""
    if body.corners:
        return polygon_polygon_square(body.corners, polygon)[0] == 0
    square, scale = point_polygon_square(body.cx, body.cy, polygon)
    return square <= body.radius * body.radius * scale


def overlaps_convex(body: Body, polygon: Polygon) -> bool:
    """Does a model share ground with a clockwise convex polygon? Touching is not overlapping."""
    if body.corners:
        return convex_overlap(body.corners, polygon)
    square, scale = point_polygon_square(body.cx, body.cy, polygon)
    return square < body.radius * body.radius * scale


def is_wholly_in(body: Body, polygon: Polygon) -> bool:
    """Is every point of a model inside a polygon (touching its outline from inside is allowed)?"""
    if point_in_polygon(body.cx, body.cy, polygon) < 0:
        return False
    if body.corners:
        if any(point_in_polygon(x, y, polygon) < 0 for x, y in body.corners):
            return False
        edges = zip((polygon[-1], *polygon), polygon, strict=False)
        return not any(line_enters(*p, *q, body.corners) for p, q in edges)
    square, scale = outline_square(body.cx, body.cy, polygon)
    return square >= body.radius * body.radius * scale


def muzzle(body: Body) -> Point:
    """The middle of the front side of a hull, or the front of a base (tenths)."""
    if body.corners:
        (ax, ay), (bx, by) = body.corners[0], body.corners[1]
        return (ax + bx) // 2, (ay + by) // 2
    dx, dy = step(body.heading, body.radius)
    return body.cx + dx, body.cy + dy


def outline(body: Body) -> list[Point]:
    """Corner points of a hull, or eight points round a base (tenths)."""
    if body.corners:
        return list(body.corners)
    r, d = body.radius, body.radius * 7 // 10
    offsets = ((0, -r), (d, -d), (r, 0), (d, d), (0, r), (-d, d), (-r, 0), (-d, -d))
    return [(body.cx + dx, body.cy + dy) for dx, dy in offsets]


if native.KERNEL is not None:
    native.KERNEL.use_corners(box_corners)
native.take_over(
    globals(),
    "Body",
    "any_overlap",
    "distances",
    "in_box_round",
    "any_within",
    "distance",
    "is_within",
    "is_nearer",
    "overlaps",
    "distance_from_point",
    "distance_from_centre",
    "distance_from_line",
    "unit_distance",
    "units_within",
    "nearest_first",
    "bodies_kept",
    "stamp_of",
    "touches_polygon",
    "overlaps_convex",
    "is_wholly_in",
)
