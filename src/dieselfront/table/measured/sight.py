"""Sight on the measured table: how much of a model is seen, and what hides the rest.

A target is looked at in fixed points: columns across its silhouette as seen from the eye, rows up its height. Each
point gets a straight line from the eye; the line is blocked, screened or clear. All with whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from math import isqrt
from typing import Any
from weakref import ref

from dieselfront.table.measured import native
from dieselfront.table.measured.angles import SCALE, direction
from dieselfront.table.measured.arcs import Arc, point_in_arc, remembered
from dieselfront.table.measured.geometry import LINE, Point, Polygon, Stretch, cross, merge, stretches
from dieselfront.table.measured.shapes import Body, Shape, distance, distance_from_line, outline
from dieselfront.table.measured.table import MEMORY, MeasuredTable, place_on
from dieselfront.table.measured.terrain import Opening, Piece, Sight, Stand, opening_at, stretched
from dieselfront.table.measured.units import round_half_up

Eye = tuple[int, int, int]  # x, y, z in tenths


@dataclass(frozen=True, slots=True)
class SightRules:
    """What rulebooks see differently. Lengths in tenths; None means the rule does not exist."""

    columns: int = 5  # points across the silhouette
    rows: int = 3  # points up the body
    area_through: bool = False  # may a line cross area terrain that neither end stands in?
    area_depth: int | None = None  # most area terrain a line may cross in all
    opening_reach: int | None = None  # viewer or target must be this near to one of the openings the line uses
    indoor_reach: int | None = None  # how far one sees inside one building
    indoor_for_all: bool = False  # does that hold for lines that come in or go out by an opening, too?
    openings: bool = True  # does a line pass through the openings of a building between?
    stand: Stand = Stand.TOUCH  # how much of a model must be in area terrain to look out of it
    edge_reach: int | None = None  # area terrain: viewer or target must be this near to an edge that the line crosses
    closed_areas: tuple[str, ...] = ()  # kinds of area terrain that are seen into and out of, never across
    open_buildings: bool = False  # are buildings with openings seen into like area terrain?
    storeys: int = 0  # how many floors apart one still sees another inside a building
    code: int = field(init=False, repr=False, compare=False, default=0)  # the hash, worked out once: memories ask often

    def __post_init__(self) -> None:
        object.__setattr__(self, "code", hash(self._values()))

    def __hash__(self) -> int:
        return self.code

    def __reduce__(self) -> tuple[type[SightRules], tuple[object, ...]]:
        return SightRules, self._values()  # hashes of words stay at home

    def _values(self) -> tuple[object, ...]:
        return tuple(getattr(self, rule.name) for rule in fields(self) if rule.init)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why some points are hidden or behind something: `who` is a terrain id or the key of a model, `at` in mm."""

    who: object
    effect: str  # hides: "blocks", "through", "depth", "floor", "reach"; else "screens", "area", "opening", "storey"
    points: int
    at: Point
    is_model: bool = False

    @property
    def hides(self) -> bool:
        """Does it hide points (rather than only stand before them)?"""
        return self.effect not in ("screens", "area", "opening", "storey")


@dataclass(frozen=True, slots=True)
class Sighting:
    """How a target looks from an eye: points seen and clear of the total, the reasons, and the eye that saw it."""

    seen: int
    clear: int
    total: int
    reasons: tuple[Reason, ...]
    eye: Eye

    @property
    def is_seen(self) -> bool:
        return self.seen > 0

    @property
    def is_clear(self) -> bool:
        return self.clear == self.total

    @property
    def is_half_hidden(self) -> bool:
        """Is at least half of it hidden?"""
        return 2 * (self.total - self.seen) >= self.total


# -- points ------------------------------------------------------------------------------------------------


def eye_of(body: Body) -> Eye:
    """The eye of a model: over the centre of its base at eye height."""
    return body.cx, body.cy, (body.z + body.shape.eye) * 10


def eyes_all_round(body: Body) -> list[Eye]:
    """The centre, then the corners and edge middles of a hull, or eight points round a base."""
    z = (body.z + body.shape.eye) * 10
    points = [(body.cx, body.cy), *outline(body)]
    if body.corners:
        corners = body.corners
        points += [((ax + bx) // 2, (ay + by) // 2) for (ax, ay), (bx, by) in _edges(corners)]
    return [(x, y, z) for x, y in points]


def eyes_in_arc(body: Body, arc: Arc) -> list[Eye]:
    """The points of a hull or base that lie in a fire arc: a vehicle may look from any of them (ff.los.trace)."""
    eyes: list[Eye] = remembered(body, "eyes", arc, _eyes_in_arc)
    return eyes


def _eyes_in_arc(body: Body, arc: Arc) -> list[Eye]:
    return [eye for eye in eyes_all_round(body) if point_in_arc(body, arc, eye[0], eye[1])]


def eyes_at_openings(piece: Piece, floor: int, eye: int = 27) -> list[Eye]:
    """An eye just outside each opening of a floor, `eye` mm above it, in the order of the openings."""
    z = floor * piece.floor_height + eye * 10
    return [(*_just_outside(piece, o.a, o.b), z) for o in piece.openings if o.floor == floor]


def _just_outside(piece: Piece, a: Point, b: Point) -> Point:
    middle = (a[0] + b[0]) * 5, (a[1] + b[1]) * 5
    nx, ny = stretched((b[1] - a[1]) * 10, (a[0] - b[0]) * 10, 2)
    first, second = (middle[0] + nx, middle[1] + ny), (middle[0] - nx, middle[1] - ny)
    return second if piece.covers_point(*first) else first


def _edges(corners: Polygon) -> list[tuple[Point, Point]]:
    return list(zip(corners, corners[1:] + corners[:1], strict=True))


def _bands(width: int, count: int) -> list[int]:
    """The middles of `count` equal bands of a width laid about zero."""
    return [round_half_up(width * (2 * i + 1 - count), 2 * count) for i in range(count)]


def silhouette(eye_x: int, eye_y: int, body: Body, count: int) -> list[Point]:
    """The columns of a target as seen from an eye, left to right (tenths)."""
    dx, dy = body.cx - eye_x, body.cy - eye_y
    if dx == 0 and dy == 0:
        return [(body.cx, body.cy)]
    if body.corners:
        return _hull_columns(eye_x, eye_y, body.corners, count) or [(body.cx, body.cy)]
    columns = []
    for band in _bands(body.shape.body * 10, count):
        ox, oy = stretched(-dy, dx, abs(band)) if band else (0, 0)
        columns.append((body.cx + ox, body.cy + oy) if band > 0 else (body.cx - ox, body.cy - oy))
    return columns


def _hull_columns(ex: int, ey: int, corners: Polygon, count: int) -> list[Point]:
    """Points along the sides of a hull that face the eye, evenly over their summed apparent width."""
    facing = [(a, b) for a, b in _edges(corners) if cross(*a, *b, ex, ey) < 0]
    if len(facing) == 2 and facing[0][0] == facing[1][1]:
        facing.reverse()
    facing = [(b, a) for a, b in reversed(facing)]  # left to right as seen from the eye
    middle_x, middle_y = sum(x for x, _ in corners) // 4 - ex, sum(y for _, y in corners) // 4 - ey
    widths = [abs((bx - ax) * middle_y - (by - ay) * middle_x) for (ax, ay), (bx, by) in facing]
    total = sum(widths)
    points: list[Point] = []
    for i in range(count if total else 0):
        place = total * (2 * i + 1)
        for ((ax, ay), (bx, by)), width in zip(facing, widths, strict=True):
            if place <= width * 2 * count:
                scale = max(1, width * 2 * count)
                way_x, way_y = round_half_up((bx - ax) * place, scale), round_half_up((by - ay) * place, scale)
                points.append((ax + way_x, ay + way_y))
                break
            place -= width * 2 * count
    return points


def levels(body: Body, rows: int) -> list[int]:
    """The heights of the rows of a target, bottom to top (tenths)."""
    high = body.shape.height * 10
    return [body.z * 10 + high * (2 * j + 1) // (2 * rows) for j in range(rows)]


# -- lines -------------------------------------------------------------------------------------------------

CLEAR, SCREENED, HIDDEN = 0, 1, 2
Verdict = tuple[int, str, Piece | None, int]  # state, effect, piece, place on the line
_CLEAR: Verdict = (CLEAR, "", None, 0)


def _below(parts: list[Stretch], az: int, bz: int, top: int) -> list[Stretch]:
    """What is left of stretches where the line from height az to bz runs below a top."""
    if az < top and bz < top:
        return parts
    if az >= top and bz >= top:
        return []
    rise = bz - az
    if rise > 0:
        limit = ((top - az) * LINE) // rise
        return [(start, min(end, limit)) for start, end in parts if start < limit]
    limit = -((-(az - top) * LINE) // -rise)
    return [(max(start, limit), end) for start, end in parts if end > limit]


class _Look:
    """One look from a viewer at a target: what both stand in, and the verdict on any line between them."""

    __slots__ = ("_stood", "rules", "table", "target", "viewer")

    def __init__(self, table: MeasuredTable, viewer: Body | None, target: Body | None, rules: SightRules) -> None:
        self.table = table
        self.rules = rules
        self.viewer = viewer
        self.target = target
        self._stood: tuple[Piece, ...] | None = None

    def _is_stood_in(self, piece: Piece) -> bool:
        """Does one of both stand in a piece?"""
        return piece in self.stood_in()

    def stood_in(self) -> tuple[Piece, ...]:
        """The pieces that one of both stands in."""
        if self._stood is None:
            self._stood = _stood_in(self.table, self.viewer, self.rules) + _stood_in(
                self.table, self.target, self.rules
            )
        return self._stood

    def stood_in_parts(self) -> int:
        """Their parts."""
        parts = 0
        for piece in self.stood_in():
            parts |= self.table.parts_of(piece)
        return parts

    def verdict(self, a: Point, az: int, b: Point, bz: int, met: list[tuple[Piece, list[Stretch]]]) -> Verdict:
        """The worst thing that happens to a line; `met` are the pieces under it, seen from above."""
        screen = _CLEAR
        areas: list[tuple[Piece, list[Stretch]]] = []
        for piece, parts in met:
            if piece.is_building:
                verdict = self._building(piece, parts, a, az, b, bz)
            else:
                low = _below(parts, az, bz, piece.height)
                if not low:
                    continue
                if piece.kind.sight is Sight.AREA:
                    areas.append((piece, low))
                    continue
                state = HIDDEN if piece.kind.sight is Sight.BLOCKS else SCREENED
                verdict = (state, "blocks" if state == HIDDEN else "screens", piece, low[0][0])
            if verdict[0] == HIDDEN:
                return verdict
            if verdict[0] and not screen[0]:
                screen = verdict
        if areas:
            verdict = self._areas(areas, a, b)
            if verdict[0] == HIDDEN or not screen[0]:
                return verdict
        return screen

    def _areas(self, areas: list[tuple[Piece, list[Stretch]]], a: Point, b: Point) -> Verdict:
        """Area terrain: into it and out of it, not across, and not too deep."""
        if self.rules.edge_reach is not None:
            return self._edges(areas, a, b)
        for piece, low in areas:
            if not (self.rules.area_through or self._is_stood_in(piece)):
                return HIDDEN, "through", piece, low[0][0]
        depth = self.rules.area_depth
        if depth is not None:
            inside = sum(end - start for start, end in merge([part for _, low in areas for part in low]))
            dx, dy = b[0] - a[0], b[1] - a[1]
            if inside * inside * (dx * dx + dy * dy) > depth * depth * LINE * LINE:
                return HIDDEN, "depth", areas[0][0], areas[0][1][0][0]
        return SCREENED, "area", areas[-1][0], areas[-1][1][0][0]

    def _edges(self, areas: list[tuple[Piece, list[Stretch]]], a: Point, b: Point) -> Verdict:
        """Area terrain by its edges: somebody stands near one that the line crosses, and not too much lies between."""
        dx, dy = b[0] - a[0], b[1] - a[1]
        length = isqrt(dx * dx + dy * dy)
        for piece, low in areas:
            if piece.kind.id in self.rules.closed_areas:
                if not self._is_stood_in(piece):
                    return HIDDEN, "blocks", piece, low[0][0]
                continue
            inside = sum(end - start for start, end in low) * length // LINE
            if self.rules.area_depth is not None and inside > self.rules.area_depth:
                return HIDDEN, "depth", piece, low[0][0]
            edges = [place for part in low for place in part if 0 < place < LINE]
            if edges and not any(self._is_by(place * length // LINE, length) for place in edges):
                return HIDDEN, "through", piece, low[0][0]
        return SCREENED, "area", areas[-1][0], areas[-1][1][0][0]

    def _is_by(self, along: int, length: int) -> bool:
        """Does viewer or target stand near enough to a point so far along the line between them?"""
        assert self.rules.edge_reach is not None
        ends = ((along, self.viewer), (length - along, self.target))
        rims = (far - (0 if body is None or body.corners else body.radius) for far, body in ends)
        return any(far <= self.rules.edge_reach for far in rims)

    def _building(self, piece: Piece, parts: list[Stretch], a: Point, az: int, b: Point, bz: int) -> Verdict:
        """A building: over its roof, or through openings of one floor; walls, roof and ceilings block."""
        if self.rules.open_buildings and piece.openings:
            return self._open_building(piece, parts, a, az, b, bz)
        if self.rules.storeys and 0 < self._storeys_apart(piece) <= self.rules.storeys:
            return self._next_storey(piece, parts, a, b)
        used = False
        openings: list[Opening] = []
        for start, end in parts:
            first, last = az + (bz - az) * start // LINE, az + (bz - az) * end // LINE
            if first >= piece.height and last >= piece.height:
                continue
            if (
                first >= piece.height
                or last >= piece.height
                or first // piece.floor_height != last // piece.floor_height
            ):
                return HIDDEN, "floor", piece, start
            wholly = start == 0 and end == LINE
            if (wholly or self.rules.indoor_for_all) and self._too_far_inside(a, b, end - start):
                return HIDDEN, "reach", piece, start
            if not self.rules.openings:
                return HIDDEN, "blocks", piece, start
            for place, z in ((start, first), (end, last)):
                if 0 < place < LINE:
                    opening = self._opening(piece, a, b, place, z)
                    if opening is None:
                        return HIDDEN, "blocks", piece, place
                    openings.append(opening)
            used = True
        if openings and not any(self._is_near(opening) for opening in openings):
            return HIDDEN, "blocks", piece, parts[0][0]
        return (SCREENED, "opening", piece, parts[0][0]) if used else _CLEAR

    def _storeys_apart(self, piece: Piece) -> int:
        """How many floors lie between viewer and target in one building, its roof being the highest; 0 if not in it."""
        floors = [body.floor for body in (self.viewer, self.target) if body is not None and _is_in(piece, body)]
        return abs(floors[0] - floors[1]) if len(floors) == 2 else 0

    def _next_storey(self, piece: Piece, parts: list[Stretch], a: Point, b: Point) -> Verdict:
        """Through the floor between: screened, as far as one sees inside, and not out of the house and in again."""
        if self._too_far_inside(a, b):
            return HIDDEN, "reach", piece, parts[0][0]
        if any(0 < place < LINE for part in parts for place in part):
            return HIDDEN, "blocks", piece, parts[0][0]
        return SCREENED, "storey", piece, parts[0][0]

    def _open_building(self, piece: Piece, parts: list[Stretch], a: Point, az: int, b: Point, bz: int) -> Verdict:
        """A building that is seen into and through by its edges; its ceilings block."""
        low = _below(parts, az, bz, piece.height)
        if not low:
            return _CLEAR
        bodies = [body for body in (self.viewer, self.target) if body is not None and body.inside == piece.id]
        if len({body.floor for body in bodies}) > 1:
            return HIDDEN, "floor", piece, low[0][0]
        state, effect, _, place = self._edges([(piece, low)], a, b)
        return (SCREENED, "opening", piece, place) if state == SCREENED else (state, effect, piece, place)

    def _too_far_inside(self, a: Point, b: Point, part: int = LINE) -> bool:
        """Is a line, or the part of it inside a building, longer than one sees there?"""
        reach = self.rules.indoor_reach
        if reach is None:
            return False
        dx, dy = b[0] - a[0], b[1] - a[1]
        return (dx * dx + dy * dy) * part * part > reach * reach * LINE * LINE

    def _opening(self, piece: Piece, a: Point, b: Point, place: int, z: int) -> Opening | None:
        """The opening through which the line passes the wall, if it does."""
        x = a[0] + (b[0] - a[0]) * place // LINE
        y = a[1] + (b[1] - a[1]) * place // LINE
        floor, above = divmod(z, piece.floor_height)
        return opening_at(piece, x, y, floor, above)

    def _is_near(self, opening: Opening) -> bool:
        """Does one of both stand near enough to an opening (ff.los.opening)?"""
        reach = self.rules.opening_reach
        if reach is None:
            return True
        ax, ay, bx, by = opening.a[0] * 10, opening.a[1] * 10, opening.b[0] * 10, opening.b[1] * 10
        bodies = (body for body in (self.viewer, self.target) if body is not None)
        return any(distance_from_line(ax, ay, bx, by, body) <= reach for body in bodies)


def _is_in(piece: Piece, body: Body) -> bool:
    """Does a model stand inside a building or on its roof?"""
    return body.inside == piece.id or (body.floor == piece.floors and piece.covers_point(body.cx, body.cy))


def _stood_in(table: MeasuredTable, body: Body | None, rules: SightRules) -> tuple[Piece, ...]:
    if body is None:
        return ()
    return tuple(piece for piece, grade in table.standing(body) if grade >= rules.stand)


# -- looking -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _View:
    """What terrain does to the points of a target: states point by point, reasons, and the sighting without models."""

    columns: list[Point]
    heights: list[int]
    states: list[int]
    obstacles: dict[tuple[object, str], list[object]]
    sighting: Sighting


def _look(table: MeasuredTable, eye: Eye, viewer: Body | None, target: Body, rules: SightRules) -> _View:
    compiled = spotter_of(table, rules).compiled
    answer = None if compiled is None else compiled.look(eye, viewer, target)
    if answer is None:
        return look_in_python(table, eye, viewer, target, rules)
    columns, heights, states, obstacles = answer
    return _View(columns, heights, states, obstacles, _sighting(states, obstacles, eye))


def look_in_python(table: MeasuredTable, eye: Eye, viewer: Body | None, target: Body, rules: SightRules) -> _View:
    """What `compiled.look` answers, and what it means."""
    x, y, z = eye
    index = table.index
    near = index.near_fan(x, y, target.cx, target.cy, target.radius, table.sight_mask)
    columns = silhouette(x, y, target, rules.columns)
    heights = levels(target, rules.rows)
    states = [CLEAR] * (len(columns) * len(heights))
    obstacles: dict[tuple[object, str], list[object]] = {}
    if near:
        tall = near & table.solid_above(max(z, heights[-1]))  # these hide whole columns: ask them first
        look = _Look(table, viewer, target, rules)
        for number, column in enumerate(columns):
            first = number * len(heights)
            wall = index.last_of(x, y, *column, index.near_line(x, y, *column, tall)) if tall else -1
            if wall >= 0:
                states[first : first + len(heights)] = [HIDDEN] * len(heights)
                _count_wall(obstacles, table, (x, y), column, wall, len(heights))
                continue
            met = table.stretches_in((x, y), column, near ^ tall)
            for row, height in enumerate(heights if met else ()):
                state, effect, piece, place = look.verdict((x, y), z, column, height, met)
                if piece is not None:
                    states[first + row] = state
                    _count(obstacles, piece.id, effect, place_on((x, y), column, place), False)
    return _View(columns, heights, states, obstacles, _sighting(states, obstacles, eye))


class Spotter:
    """Asks whether terrain leaves any part of targets in sight: the same as `look_from`, without the reasons.

    It stops at the first part seen, and asks what hid the last line first: one piece that hides a line is enough.
    """

    __slots__ = ("_areas", "_last", "_opaque", "_suspect", "_table", "compiled", "rules")

    def __init__(self, table: MeasuredTable, rules: SightRules) -> None:
        self._table = ref(table)  # which keeps its spotters: no cycle, so that a table goes when nobody needs it
        self.rules = rules
        self._suspect = 0
        self._last = 0
        self._opaque: dict[int, int] = {}
        areas = (n for n, piece in enumerate(table.part_piece) if piece.kind.sight is Sight.AREA)
        self._areas = sum(1 << number for number in areas)
        self.compiled = _compiled(table, rules)

    @property
    def table(self) -> MeasuredTable:
        """The table it looks over."""
        table = self._table()
        assert table is not None
        return table

    def is_seen(self, eye: Eye, viewer: Body | None, target: Body) -> bool:
        """Is any part of the target in sight of this eye?"""
        answer: bool | None = None if self.compiled is None else self.compiled.is_seen(eye, viewer, target)
        return self.is_seen_in_python(eye, viewer, target) if answer is None else answer

    def any_seen(self, viewers: list[Body], targets: list[Body], are_inside: bool) -> bool:
        """Does one of some models see any part of one of others? What viewers inside something stand in is left out."""
        answer: bool | None = None if self.compiled is None else self.compiled.any_seen(viewers, targets, are_inside)
        if answer is not None:
            return answer
        return any(
            is_seen_from(self.table, eye_of(viewer), target, self.rules, (), None if are_inside else viewer)
            for viewer in viewers
            for target in targets
        )

    def is_seen_in_python(self, eye: Eye, viewer: Body | None, target: Body) -> bool:
        """What `compiled.is_seen` answers, and what it means."""
        table, (x, y, z) = self.table, eye
        index = table.index
        near = index.near_fan(x, y, target.cx, target.cy, target.radius, table.sight_mask)
        if not near:
            return True
        heights = levels(target, self.rules.rows)[::-1]  # what stands before a target leaves its top in sight longest
        tall = near & table.solid_above(max(z, heights[0]))
        others = near ^ tall
        look = _Look(table, viewer, target, self.rules)
        opaque = others & self._opaque_above(max(z, heights[0]))
        if opaque & self._areas:
            opaque &= ~look.stood_in_parts()
        columns = silhouette(x, y, target, self.rules.columns)
        for number in _middle_first(len(columns)):
            column = columns[number]
            if tall and index.last_of(x, y, *column, index.near_line(x, y, *column, tall)) >= 0:
                continue
            if opaque and self._enters(x, y, column, opaque):
                continue
            if others & self._suspect and self._is_hidden(look, eye, column, heights, others & self._suspect):
                continue
            if not self._is_hidden(look, eye, column, heights, others):
                return True
        return False

    def _enters(self, x: int, y: int, column: Point, opaque: int) -> bool:
        """Does a line run through one of these parts? What hid the last line is asked first."""
        polygons = self.table.index.polygons
        last = self._last
        if opaque >> last & 1 and stretches(x, y, *column, polygons[last]):
            return True
        near = self.table.index.near_line(x, y, *column, opaque)
        while near:
            part = near.bit_length() - 1
            near ^= 1 << part
            if part != last and stretches(x, y, *column, polygons[part]):
                self._last = part
                return True
        return False

    def _opaque_above(self, z: int) -> int:
        """The parts that hide whatever is behind them from every line running no higher than z.

        Area terrain is among them, though those who stand in it look out of it.
        """
        mask = self._opaque.get(z)
        if mask is None:
            mask = 0
            for number, piece in enumerate(self.table.part_piece):
                if piece.height > z and self._is_opaque(piece):
                    mask |= 1 << number
            self._opaque[z] = mask
        return mask

    def _is_opaque(self, piece: Piece) -> bool:
        rules = self.rules
        if piece.is_building:
            return not rules.openings and not (rules.open_buildings and piece.openings)
        if piece.kind.sight is not Sight.AREA:
            return False
        return not rules.area_through if rules.edge_reach is None else piece.kind.id in rules.closed_areas

    def _is_hidden(self, look: _Look, eye: Eye, column: Point, heights: list[int], parts: int) -> bool:
        """Are all heights of a column hidden by these parts of terrain?"""
        x, y, z = eye
        met = self.table.stretches_in((x, y), column, parts)
        if not met:
            return False
        suspect: Piece | None = None
        for height in heights:
            state, _, suspect, _ = look.verdict((x, y), z, column, height, met)
            if state != HIDDEN:
                return False
        self._suspect = self.table.parts_of(suspect) if suspect is not None else 0
        return True


def _compiled(table: MeasuredTable, rules: SightRules) -> Any:
    """The same question as compiled code asks it, or None where there is none."""
    if table.compiled is None:
        return None
    limits = (rules.area_depth, rules.opening_reach, rules.indoor_reach, rules.edge_reach)
    depth, opening, indoor, edge = (-1 if limit is None else limit for limit in limits)
    numbers = (
        rules.columns, rules.rows, int(rules.area_through), depth, opening, indoor, int(rules.indoor_for_all),
        int(rules.openings), int(rules.stand), edge, int(rules.open_buildings), rules.storeys,
    )  # fmt: skip
    closed = bytes(piece.kind.id in rules.closed_areas for piece in table.pieces)
    hiding = bytes(bool((piece.kind.sight and piece.height) or piece.is_building) for piece in table.pieces)
    return table.compiled.watch(numbers, closed, hiding)


@cache
def _middle_first(count: int) -> tuple[int, ...]:
    """The numbers of columns, from the middle outwards."""
    return tuple(sorted(range(count), key=lambda number: abs(2 * number + 1 - count)))


def _count_wall(
    obstacles: dict[tuple[object, str], list[object]],
    table: MeasuredTable,
    eye: Point,
    column: Point,
    wall: int,
    points: int,
) -> None:
    """A whole column hidden by one solid polygon."""
    piece = table.part_piece[wall]
    entry = obstacles.get((piece.id, "blocks"))
    if entry is None:
        place = stretches(*eye, *column, table.index.polygons[wall])
        entry = obstacles[piece.id, "blocks"] = [0, place_on(eye, column, place[0][0] if place else 0), False]
    entry[0] += points  # type: ignore[operator]


def _count(obstacles: dict[tuple[object, str], list[object]], who: object, effect: str, at: Point, model: bool) -> None:
    entry = obstacles.setdefault((who, effect), [0, at, model])
    entry[0] += 1  # type: ignore[operator]


def _sighting(states: Sequence[int], obstacles: dict[tuple[object, str], list[object]], eye: Eye) -> Sighting:
    if not obstacles:
        return Sighting(len(states), len(states), len(states), (), eye)
    reasons = tuple(
        Reason(who, effect, points, at, model)  # type: ignore[arg-type]
        for (who, effect), (points, at, model) in obstacles.items()
    )
    return Sighting(sum(s != HIDDEN for s in states), states.count(CLEAR), len(states), reasons, eye)


def _places(eye: Eye, viewer: Body | None, target: Body) -> tuple[object, ...]:
    """All that a look past terrain depends on, besides the table and the rules."""
    if viewer is None:
        return (eye, target.shape.code, target.x, target.y, target.heading, target.z, target.inside, target.floor)
    return (
        eye, viewer.shape.code, viewer.x, viewer.y, viewer.heading, viewer.inside, viewer.floor,
        target.shape.code, target.x, target.y, target.heading, target.z, target.inside, target.floor,
    )  # fmt: skip


def _remembered(table: MeasuredTable, eye: Eye, viewer: Body | None, target: Body, rules: SightRules) -> _View:
    """Terrain does not move: what it hides is worked out once for each pair of places."""
    memory = table.memory.setdefault(rules, {})
    key = _places(eye, viewer, target)
    view: _View | None = memory.get(key)
    if view is None:
        view = _look(table, eye, viewer, target, rules)
        if len(memory) >= MEMORY:
            memory.clear()
        memory[key] = view
    return view


def look_from(
    table: MeasuredTable,
    eye: Eye,
    target: Body,
    rules: SightRules,
    blockers: Iterable[Body] = (),
    viewer: Body | None = None,
) -> Sighting:
    """How a target looks from one eye, past terrain and past the models that block sight."""
    view = _remembered(table, eye, viewer, target, rules)
    if not view.sighting.seen:
        return view.sighting
    between = in_the_way(eye, viewer, target, blockers) if blockers else NOBODY
    if not between:
        return view.sighting
    return _past_models(view, eye, between)


def apart_from(bodies: list[Body], one: Body, other: Body) -> list[Body]:
    """Those of some models that are neither of two, compared by their keys."""
    return [body for body in bodies if body.key != other.key and body.key != one.key]


def in_the_way(eye: Eye, viewer: Body | None, target: Body, blockers: Iterable[Body]) -> list[Body]:
    """Those of some models that could stand before some part of a target."""
    return [body for body in blockers if _is_in_the_way(eye, viewer, target, body)]


def any_in_the_way(eye: Eye, viewer: Body | None, target: Body, blockers: Iterable[Body]) -> bool:
    """Could one of these models stand before some part of a target?"""
    return any(_is_in_the_way(eye, viewer, target, body) for body in blockers)


def _is_in_the_way(eye: Eye, viewer: Body | None, target: Body, body: Body) -> bool:
    return body is not viewer and body is not target and _is_between(eye, target, body)


def _is_between(eye: Eye, target: Body, body: Body) -> bool:
    """Could a model stand before some part of a target? (A quick first question.)"""
    reach = body.radius + target.radius
    ex, ey, _ = eye
    ux, uy, vx, vy = target.cx - ex, target.cy - ey, body.cx - ex, body.cy - ey
    length = ux * ux + uy * uy
    along = ux * vx + uy * vy
    if along < -body.radius * body.radius and vx * vx + vy * vy > body.radius * body.radius:
        return False
    area = ux * vy - uy * vx
    if area * area > reach * reach * length:
        return False
    wx, wy = body.cx - target.cx, body.cy - target.cy
    return along <= length or wx * wx + wy * wy < reach * reach


def _past_models(view: _View, eye: Eye, models: Sequence[Body]) -> Sighting:
    states = list(view.states)
    obstacles = {key: list(entry) for key, entry in view.obstacles.items()}
    x, y, z = eye
    rows = len(view.heights)
    for body in models:
        solid, bottom, top = solid_outline(body), body.z * 10, (body.z + body.shape.height) * 10
        for number, column in enumerate(view.columns):
            inside = stretches(x, y, *column, solid)
            if not inside:
                continue
            for row, height in enumerate(view.heights):
                low = _below(inside, z, height, top)
                if low and states[number * rows + row] != HIDDEN and max(z, height) > bottom:
                    states[number * rows + row] = HIDDEN
                    _count(obstacles, body.key, "blocks", place_on((x, y), column, low[0][0]), True)
    return _sighting(states, obstacles, eye)


def solid_outline(body: Body) -> Polygon:
    """The polygon a model blocks sight with: its hull, or 24 corners round its base."""
    if body.corners:
        return body.corners
    return tuple((body.cx + dx, body.cy + dy) for dx, dy in ring(body.radius))


@cache
def ring(radius: int) -> Polygon:
    """Corners round a base of this radius, about its middle."""
    vectors = (direction(15 * i) for i in range(24))
    return tuple((round_half_up(dx * radius, SCALE), round_half_up(dy * radius, SCALE)) for dx, dy in vectors)


DEFAULT = SightRules()


def sight(
    table: MeasuredTable,
    viewer: Body,
    target: Body,
    rules: SightRules = DEFAULT,
    blockers: Sequence[Body] = (),
    eyes: Sequence[Eye] | None = None,
) -> Sighting:
    """How a target looks to a viewer: from the best of its eyes (most points seen, then most clear, then the first)."""
    best: Sighting | None = None
    for eye in [eye_of(viewer)] if eyes is None else eyes:
        sighting = look_from(table, eye, target, rules, blockers, viewer)
        if best is None or (sighting.seen, sighting.clear) > (best.seen, best.clear):
            best = sighting
        if best.is_clear:
            break
    if best is None:
        raise ValueError("Sight needs at least one eye.")
    return best


def sees(
    table: MeasuredTable,
    viewer: Body,
    target: Body,
    rules: SightRules = DEFAULT,
    blockers: Sequence[Body] = (),
    eyes: Sequence[Eye] | None = None,
) -> bool:
    """Does the viewer see any part of the target? (It stops as soon as that is certain.)"""
    points = [eye_of(viewer)] if eyes is None else eyes
    compiled = spotter_of(table, rules).compiled
    if compiled is not None:
        answer: bool | None = compiled.sees(points, viewer, target, blockers or NOBODY)
        if answer is not None:
            return answer
    return any(is_seen_from(table, eye, target, rules, blockers, viewer) for eye in points)


NOBODY: list[Body] = []
"""No models in the way."""


def first_seen(
    table: MeasuredTable, viewer: Body, targets: list[Body], rules: SightRules, blockers: list[Body], eyes: list[Eye]
) -> int:
    """The number of the first of some targets that the viewer sees past all others (compared by keys); -1 for none."""
    compiled = spotter_of(table, rules).compiled
    if compiled is not None:
        answer: int | None = compiled.first_seen(eyes, viewer, targets, blockers)
        if answer is not None:
            return answer
    for number, target in enumerate(targets):
        if sees(table, viewer, target, rules, apart_from(blockers, viewer, target), eyes):
            return number
    return -1


def sees_spot(
    table: MeasuredTable,
    viewer: Body,
    spot: Body,
    rules: SightRules,
    blockers: list[Body],
    eyes: list[Eye] | None = None,
) -> bool:
    """Does the viewer see a spot, past all models but himself and those who stand on it?"""
    points = [eye_of(viewer)] if eyes is None else eyes
    compiled = spotter_of(table, rules).compiled
    if compiled is not None:
        answer: bool | None = compiled.sees_spot(points, viewer, spot, blockers)
        if answer is not None:
            return answer
    past = [body for body in blockers if body.key != viewer.key and distance(body, spot)]
    return sees(table, viewer, spot, rules, past, points)


def is_seen_from(
    table: MeasuredTable,
    eye: Eye,
    target: Body,
    rules: SightRules,
    blockers: Iterable[Body] = (),
    viewer: Body | None = None,
) -> bool:
    """Is any part of a target in sight of an eye? The same as `look_from(...).seen > 0`, without the reasons."""
    spotter = spotter_of(table, rules)
    seen = spotter.is_seen(eye, viewer, target) if spotter.compiled else _seen_before(spotter, eye, viewer, target)
    if not seen or not any_in_the_way(eye, viewer, target, blockers):
        return seen
    return look_from(table, eye, target, rules, blockers, viewer).seen > 0


def _seen_before(spotter: Spotter, eye: Eye, viewer: Body | None, target: Body) -> bool:
    """In Python the answer is worth remembering."""
    memory = spotter.table.seen.setdefault(spotter.rules, {})
    key = _places(eye, viewer, target)
    seen = memory.get(key)
    if seen is None:
        if len(memory) >= MEMORY:
            memory.clear()
        seen = memory[key] = spotter.is_seen(eye, viewer, target)
    return seen


MOST_SPOTTERS = 200


def spotter_of(table: MeasuredTable, rules: SightRules) -> Spotter:
    """The one spotter of a table under some rules, with what it has learnt."""
    spotter: Spotter | None = table.spotters.get(id(rules))  # which keeps its rules alive
    if spotter is None:
        if len(table.spotters) >= MOST_SPOTTERS:
            table.spotters.clear()
        spotter = table.spotters[id(rules)] = Spotter(table, rules)
    return spotter


def sees_point(
    table: MeasuredTable, eye: Eye, point: Eye, rules: SightRules = DEFAULT, blockers: Sequence[Body] = ()
) -> bool:
    """Is the straight line from an eye to a point (both in tenths) free? The same both ways."""
    (ax, ay, az), (bx, by, bz) = eye, point
    if (bx, by, bz) < (ax, ay, az):  # one direction only, so that both ways agree to the last digit
        (ax, ay, az), (bx, by, bz) = (bx, by, bz), (ax, ay, az)
    met = table.stretches_in((ax, ay), (bx, by), table.sight_mask)
    if met:
        look = _Look(table, _speck(ax, ay), _speck(bx, by), rules)
        if look.verdict((ax, ay), az, (bx, by), bz, met)[0] == HIDDEN:
            return False
    for body in blockers:
        inside = stretches(ax, ay, bx, by, solid_outline(body))
        if inside and _below(inside, az, bz, (body.z + body.shape.height) * 10) and max(az, bz) > body.z * 10:
            return False
    return True


_SPECK = Shape(1, 1, 1, True)


def _speck(x: int, y: int) -> Body:
    """A model of a millimetre, to ask what a point stands in."""
    return Body(_SPECK, x // 10, y // 10)


if native.KERNEL is not None:
    native.KERNEL.use_ring(ring)
native.take_over(globals(), "any_in_the_way", "apart_from", "in_the_way")
