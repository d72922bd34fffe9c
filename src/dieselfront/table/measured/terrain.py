"""Terrain of the measured table: kinds as data, pieces as polygons with heights, buildings with floors and openings.

What a kind does to movement is data here and law in the rulesets; what it does to sight is worked out in sight.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import pairwise
from math import isqrt
from typing import Any

from dieselfront.table.measured import native
from dieselfront.table.measured.angles import SCALE, direction
from dieselfront.table.measured.geometry import (
    Point,
    Polygon,
    convex_parts,
    double_area,
    is_simple,
    on_segment,
    point_in_polygon,
)
from dieselfront.table.measured.shapes import Body, is_wholly_in, overlaps_convex, touches_polygon
from dieselfront.table.measured.units import ceil_sqrt, round_half_up


class Sight(IntEnum):
    """What a line of sight below the top of a piece meets."""

    OPEN = 0  # nothing: mud, road, river
    SCREEN = 1  # never blocked, but the target counts as behind it: tank traps
    AREA = 2  # into it and out of it, not across: woods, smoke
    BLOCKS = 3  # blocked: walls, hills, hedges up to their height


class Cover(IntEnum):
    """Grades of cover; rulesets that know only one use HARD or SOFT alike."""

    NONE = 0
    SOFT = 1
    HARD = 2


class Stand(IntEnum):
    """How much of a model is in a piece of terrain; each grade includes the ones before it."""

    OUT = 0
    TOUCH = 1
    CENTRE = 2
    WHOLLY = 3


@dataclass(frozen=True, slots=True)
class TerrainKind:
    """A kind of terrain. `going` says per class of mover ("infantry", "wheeled", ...) a word its ruleset knows."""

    id: str
    name: str
    sight: Sight = Sight.OPEN
    cover: Cover = Cover.NONE
    height: int = 0  # millimetres, unless a piece says otherwise
    is_area: bool = False  # those inside are in its cover
    is_hill: bool = False  # models inside stand on top of it
    going: Mapping[str, str] = field(default_factory=dict, hash=False)
    drawing: str = ""  # pattern of the picture; the id when empty


@dataclass(frozen=True, slots=True)
class Opening:
    """A door, window or gap in a building's wall: a straight stretch of its outline (mm) on one floor."""

    a: Point
    b: Point
    floor: int = 0
    sill: int = 0  # millimetres above the floor
    lintel: int | None = None  # None: up to the ceiling
    is_door: bool = False

    @property
    def middle(self) -> Point:
        """The middle of the opening in tenths."""
        return (self.a[0] + self.b[0]) * 5, (self.a[1] + self.b[1]) * 5


class Part:
    """One filled polygon of a piece: clockwise corners in tenths, its box, its convex pieces."""

    __slots__ = ("box", "centre", "convex", "polygon", "radius")

    def __init__(self, polygon: Polygon) -> None:
        self.polygon = polygon if double_area(polygon) > 0 else tuple(reversed(polygon))
        xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
        self.box = (min(xs), min(ys), max(xs), max(ys))
        self.convex = convex_parts(self.polygon)
        cx, cy = (self.box[0] + self.box[2]) // 2, (self.box[1] + self.box[3]) // 2
        self.centre = (cx, cy)
        self.radius = max(ceil_sqrt((x - cx) ** 2 + (y - cy) ** 2) for x, y in polygon)

    def is_near(self, x: int, y: int, reach: int) -> bool:
        """Is the point within `reach` of the box round the part? (A quick first question.)"""
        low_x, low_y, high_x, high_y = self.box
        return low_x - reach <= x <= high_x + reach and low_y - reach <= y <= high_y + reach


MOST_FLOORS = 24
MOST_HEIGHT = 100_000
"""Of terrain, in tenths of a millimetre: taller than anything that stands on a table."""


class Piece:
    """A piece of terrain: never changes once made. Heights in tenths; `floors` above zero makes it a building."""

    __slots__ = ("_packed", "floor_height", "floors", "height", "id", "kind", "openings", "parts", "traits")

    def __init__(
        self,
        id: str,
        kind: TerrainKind,
        outlines: Sequence[Sequence[Point]],
        height: int | None = None,
        floors: int = 0,
        openings: Sequence[Opening] = (),
        traits: Sequence[str] = (),
        *,
        in_tenths: bool = False,
    ) -> None:
        self.id = id
        self.kind = kind
        self.parts = tuple(Part(_checked(id, line, in_tenths)) for line in outlines)
        if not self.parts:
            raise ValueError(f"Terrain piece {id!r} has no outline: expected at least three corners.")
        self.height = (kind.height if height is None else height) * 10
        self.floors = floors
        self.floor_height = self.height // floors if floors else 0
        self.openings = tuple(openings)
        self.traits = tuple(traits)
        self._packed: tuple[object, ...] | None = None
        self._check_openings()

    @property
    def packed(self) -> tuple[object, ...]:
        """The piece as compiled code reads it, in tenths."""
        if self._packed is None:
            openings = tuple(
                (
                    o.a[0] * 10,
                    o.a[1] * 10,
                    o.b[0] * 10,
                    o.b[1] * 10,
                    o.floor,
                    o.sill * 10,
                    _lintel(self, o),
                    int(o.is_door),
                )
                for o in self.openings
            )
            parts = tuple((part.polygon, part.convex) for part in self.parts)
            sizes = self.height, self.floors, self.floor_height
            self._packed = (self.id, int(self.kind.sight), *sizes, openings, parts)
        return self._packed

    def _check_openings(self) -> None:
        if self.floors > MOST_FLOORS or self.height > MOST_HEIGHT:
            raise ValueError(f"{self.id!r} is too tall: at most {MOST_FLOORS} floors and {MOST_HEIGHT // 10} mm.")
        if self.floors < 0 or (self.floors and self.floor_height <= 0):
            raise ValueError(f"Building {self.id!r} needs a height for its {self.floors} floors.")
        for opening in self.openings:
            if not 0 <= opening.floor < max(self.floors, 1):
                raise ValueError(f"Opening on floor {opening.floor} of {self.id!r}: it has {self.floors} floors.")
            if not self._on_outline(opening):
                raise ValueError(f"Opening {opening.a}-{opening.b} of {self.id!r} does not lie on one of its walls.")

    def _on_outline(self, opening: Opening) -> bool:
        (ax, ay), (bx, by) = opening.a, opening.b
        for part in self.parts:
            px, py = part.polygon[-1]
            for qx, qy in part.polygon:
                if on_segment(ax * 10, ay * 10, px, py, qx, qy) and on_segment(bx * 10, by * 10, px, py, qx, qy):
                    return True
                px, py = qx, qy
        return False

    @property
    def is_building(self) -> bool:
        return self.floors > 0

    def stand(self, body: Body) -> Stand:
        """How much of a model is in this piece, seen from above."""
        best = Stand.OUT
        for part in self.parts:
            if not part.is_near(body.cx, body.cy, body.radius) or not touches_polygon(body, part.polygon):
                continue
            if is_wholly_in(body, part.polygon):
                return Stand.WHOLLY
            centre = point_in_polygon(body.cx, body.cy, part.polygon) >= 0
            best = max(best, Stand.CENTRE if centre else Stand.TOUCH)
        return best

    def overlaps(self, body: Body) -> bool:
        """Does a model stand on any of its ground (touching the outline is not enough)?"""
        return any(
            overlaps_convex(body, convex)
            for part in self.parts
            if part.is_near(body.cx, body.cy, body.radius)
            for convex in part.convex
        )

    def covers_point(self, x: int, y: int) -> bool:
        """Is a point (tenths) in the piece or on its outline?"""
        return any(part.is_near(x, y, 0) and point_in_polygon(x, y, part.polygon) >= 0 for part in self.parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Piece) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash((self.id, self.kind.id, self.height))

    def _content(self) -> tuple[object, ...]:
        outlines = tuple(part.polygon for part in self.parts)
        return self.id, self.kind, outlines, self.height, self.floors, self.openings, self.traits

    def __repr__(self) -> str:
        return f"Piece({self.id!r}, {self.kind.id!r})"

    def to_data(self) -> dict[str, Any]:
        """Plain data for records: corners in tenths, everything else as given."""
        data: dict[str, Any] = {
            "id": self.id,
            "kind": self.kind.id,
            "outlines": [[list(point) for point in part.polygon] for part in self.parts],
            "height": self.height // 10,
        }
        if self.floors:
            data["floors"] = self.floors
        if self.openings:
            data["openings"] = [
                {
                    "a": list(o.a),
                    "b": list(o.b),
                    "floor": o.floor,
                    "sill": o.sill,
                    "lintel": o.lintel,
                    "door": o.is_door,
                }
                for o in self.openings
            ]
        if self.traits:
            data["traits"] = list(self.traits)
        return data


def _lintel(piece: Piece, opening: Opening) -> int:
    """The height of an opening's upper edge over its floor (tenths)."""
    return piece.floor_height if opening.lintel is None else opening.lintel * 10


def opening_at(piece: Piece, x: int, y: int, floor: int, above: int | None = None) -> Opening | None:
    """The opening of a floor at a point of the wall (tenths), `above` tenths over the floor; None for bare wall.

    A point counts as on the wall when it is at most 0.3 mm off its line: crossings are rounded to tenths.
    """
    for opening in piece.openings:
        if opening.floor != floor:
            continue
        if above is not None and not opening.sill * 10 <= above <= _lintel(piece, opening):
            continue
        ax, ay, bx, by = opening.a[0] * 10, opening.a[1] * 10, opening.b[0] * 10, opening.b[1] * 10
        ux, uy, vx, vy = bx - ax, by - ay, x - ax, y - ay
        length = ux * ux + uy * uy
        area = ux * vy - uy * vx
        if 0 <= ux * vx + uy * vy <= length and area * area <= 9 * length:
            return opening
    return None


def blank_walls(piece: Piece, floor: int) -> tuple[tuple[int, int, int, int], ...]:
    """The stretches of a building's walls (tenths) that nobody stands in: all but the openings at ground level."""
    openings = [opening for opening in piece.openings if floor == 0 and opening.floor == 0]
    return tuple(
        stretch
        for part in piece.parts
        for a, b in zip(part.polygon, part.polygon[1:] + part.polygon[:1], strict=True)
        for stretch in _between(a, b, openings)
    )


def _between(a: Point, b: Point, openings: Sequence[Opening]) -> Iterator[tuple[int, int, int, int]]:
    """What openings leave of one wall."""

    def along(point: Point) -> int:
        return (point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])

    gaps = []
    for opening in openings:
        ends = [(x * 10, y * 10) for x, y in (opening.a, opening.b)]
        if all(on_segment(*end, *a, *b) for end in ends):
            gaps.append(sorted(ends, key=along))
    here = a
    for first, last in sorted(gaps, key=lambda gap: along(gap[0])):
        if along(first) > along(here):
            yield (*here, *first)
        here = max(here, last, key=along)
    if here != b:
        yield (*here, *b)


def piece_from_data(data: Mapping[str, Any], kinds: Mapping[str, TerrainKind]) -> Piece:
    """The piece that `to_data` described."""
    kind = kinds.get(data["kind"])
    if kind is None:
        known = ", ".join(sorted(kinds))
        raise ValueError(f"Terrain piece {data['id']!r} is of unknown kind {data['kind']!r}: expected one of {known}.")
    openings = [
        Opening(tuple(o["a"]), tuple(o["b"]), o["floor"], o["sill"], o["lintel"], o["door"])
        for o in data.get("openings", ())
    ]
    outlines = [[(x, y) for x, y in line] for line in data["outlines"]]
    return Piece(
        data["id"],
        kind,
        outlines,
        data["height"],
        data.get("floors", 0),
        openings,
        data.get("traits", ()),
        in_tenths=True,
    )


def _checked(id: str, line: Sequence[Point], in_tenths: bool) -> Polygon:
    """An outline in tenths with doubled corners dropped, refused when it crosses itself or is flat."""
    scale = 1 if in_tenths else 10
    corners = [(int(x) * scale, int(y) * scale) for x, y in line]
    corners = [corner for i, corner in enumerate(corners) if corner != corners[i - 1] or len(corners) == 1]
    if len(corners) < 3 or not is_simple(corners) or double_area(corners) == 0:
        raise ValueError(f"The outline of terrain piece {id!r} is not a simple polygon of at least three corners.")
    return tuple(corners)


def polygon(id: str, kind: TerrainKind, corners: Sequence[Point], height: int | None = None) -> Piece:
    """A piece with one outline (mm)."""
    return Piece(id, kind, [corners], height)


def rectangle(id: str, kind: TerrainKind, x: int, y: int, width: int, depth: int, height: int | None = None) -> Piece:
    """A rectangle with its upper left corner at (x, y) (mm)."""
    return polygon(id, kind, _rectangle(x, y, width, depth), height)


def _rectangle(x: int, y: int, width: int, depth: int) -> list[Point]:
    return [(x, y), (x + width, y), (x + width, y + depth), (x, y + depth)]


def disc(id: str, kind: TerrainKind, x: int, y: int, radius: int, height: int | None = None, sides: int = 36) -> Piece:
    """A round piece (smoke, crater): a polygon of `sides` corners on the circle; radius in tenths."""
    return Piece(id, kind, [_ring(x * 10, y * 10, radius, sides)], height, in_tenths=True)


def wall(id: str, kind: TerrainKind, line: Sequence[Point], thickness: int = 6, height: int | None = None) -> Piece:
    """A linear obstacle along a line of points (mm), `thickness` mm wide with square ends: hedge, wall, fence."""
    if len(line) < 2:
        raise ValueError(f"Linear obstacle {id!r} needs at least two points.")
    quads = [_strip(a, b, thickness * 10, thickness * 5) for a, b in pairwise(line)]
    return Piece(id, kind, quads, height, in_tenths=True)


def road(id: str, kind: TerrainKind, line: Sequence[Point], width: int = 100) -> Piece:
    """A road or river along a line of points (mm), `width` mm wide, its bends rounded."""
    if len(line) < 2:
        raise ValueError(f"Road {id!r} needs at least two points.")
    strips = [_strip(a, b, width * 10, 0) for a, b in pairwise(line)]
    bends = [_ring(x * 10, y * 10, width * 5, 16) for x, y in line[1:-1]]
    return Piece(id, kind, strips + bends, in_tenths=True)


def stretched(dx: int, dy: int, length: int) -> Point:
    """The vector (dx, dy) brought to a length, each coordinate rounded once; whole numbers all the way."""
    root = isqrt((dx * dx + dy * dy) << 40)
    return round_half_up((dx * length) << 20, root), round_half_up((dy * length) << 20, root)


def _strip(a: Point, b: Point, width: int, more: int) -> list[Point]:
    """A band from a to b (mm), `width` tenths wide, reaching `more` tenths beyond both ends."""
    ax, ay, bx, by = a[0] * 10, a[1] * 10, b[0] * 10, b[1] * 10
    if (ax, ay) == (bx, by):
        raise ValueError("Two points of a line of terrain are the same.")
    nx, ny = stretched(by - ay, ax - bx, width // 2)
    ex, ey = stretched(bx - ax, by - ay, more)
    return [
        (ax - ex + nx, ay - ey + ny),
        (bx + ex + nx, by + ey + ny),
        (bx + ex - nx, by + ey - ny),
        (ax - ex - nx, ay - ey - ny),
    ]


def _ring(x: int, y: int, radius: int, sides: int) -> list[Point]:
    """A regular polygon on a circle (tenths), corners rounded once."""
    vectors = (direction(i * 360 // sides) for i in range(sides))
    return [(x + round_half_up(dx * radius, SCALE), y + round_half_up(dy * radius, SCALE)) for dx, dy in vectors]


def building(
    id: str,
    kind: TerrainKind,
    corners: Sequence[Point],
    floors: int = 1,
    floor_height: int = 80,
    openings: Sequence[Opening] = (),
) -> Piece:
    """A building: walls along its outline (mm), floors above each other, openings in the walls."""
    return Piece(id, kind, [corners], floors * floor_height, floors, openings)


def house(
    id: str, kind: TerrainKind, x: int, y: int, width: int, depth: int, floors: int = 1, floor_height: int = 80
) -> Piece:
    """A rectangular house: a door 40 mm wide in the middle of each wall, windows above the doors on each floor."""
    corners = _rectangle(x, y, width, depth)
    openings = []
    for floor in range(floors):
        for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
            middle_x, middle_y = (ax + bx) // 2, (ay + by) // 2
            dx, dy = (20 if bx != ax else 0), (20 if by != ay else 0)
            ends = (middle_x - dx, middle_y - dy), (middle_x + dx, middle_y + dy)
            openings.append(Opening(*ends, floor=floor, sill=0 if floor == 0 else 15, is_door=floor == 0))
    return building(id, kind, corners, floors, floor_height, openings)


def openings_view(piece: Piece) -> list[list[int]]:
    """Doors and windows of the ground floor for screens: both ends in millimetres, and 1 for a door."""
    return [[*one.a, *one.b, int(one.is_door)] for one in piece.openings if one.floor == 0]


native.take_over(
    globals(),
    "stretched",
)
