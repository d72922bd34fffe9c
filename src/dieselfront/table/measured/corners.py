"""Ways round corners: the shortest path of straight legs past terrain, walls and models.

Such a path bends only at corners: of what may not be entered (grown by base or hull), of walls and their openings, and
on the rims of circles to keep out of. Slow ground is charged here, and gone round in reach.py. Corners are whole
millimetres and lie a millimetre off what they go round, so that a way is overstated by a few millimetres at most, and
every leg is one that `leg_is_free` allows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from dieselfront.table.measured.angles import SCALE, direction
from dieselfront.table.measured.geometry import Point
from dieselfront.table.measured.movement import (
    Going,
    compiled_legs,
    convex_hull,
    extra_micrometres,
    leg_is_free,
    leg_micrometres,
    terrain_masks,
)
from dieselfront.table.measured.placement import Crowd, Keep
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import Opening, Piece
from dieselfront.table.measured.units import round_half_up

SPARE = 10
"""Tenths of a millimetre between a corner of a way and what it goes round."""

SIDES = 8
ROUND_SIDES = 16
WIDE = 300
"""Circles of this radius (tenths) and more are gone round in more and shorter legs."""

COSINES = {4: 70_711, 8: 92_388, 16: 98_079}
"""The cosine of half a side's angle, in parts of 100,000."""

Cost = tuple[int, int]
"""What a corner costs to reach (micrometres), and the number of the corner before it."""


class Corners:
    """The cheapest ways of one model round what stands about, from where it is."""

    def __init__(
        self,
        table: MeasuredTable,
        body: Body,
        limit: int,
        going: Going,
        crowd: Crowd,
        charged: MeasuredTable | None = None,
    ) -> None:
        self.table = table
        self.body = body
        self.limit = limit * 100  # micrometres
        self.going = going
        self.crowd = crowd
        self.charged = table if charged is None else charged
        self._box = _box(body, limit)
        self._slow = self.charged.near_box(*self._box, terrain_masks(self.charged, going)[0])
        self._barred = table.near_box(*self._box, terrain_masks(table, going)[1])
        masks = (self._slow, self._barred)
        self._legs = compiled_legs(table, self.charged, body, going, masks, crowd, self.limit)
        self._nodes: list[Point] = [(body.x, body.y)]
        self._best: dict[int, Cost] | None = None

    def path_to(self, x: int, y: int) -> list[Point] | None:
        """The cheapest path to a point (mm), the start first, or None when none is within the limit."""
        goal = (x, y)
        best = self._reached()
        options = sorted((cost + leg_micrometres(self._nodes[node], goal), node) for node, (cost, _) in best.items())
        cheapest: tuple[int, int] | None = None
        for least, node in options:
            if least > self.limit or (cheapest is not None and least >= cheapest[0]):
                break
            cost = best[node][0] + self._cost(self._nodes[node], goal)
            if (
                cost <= self.limit
                and (cheapest is None or cost < cheapest[0])
                and self._is_free(self._nodes[node], goal)
            ):
                cheapest = cost, node
        return None if cheapest is None else [*self._path(cheapest[1]), goal]

    def _path(self, node: int) -> list[Point]:
        best = self._reached()
        points = [self._nodes[node]]
        while node:
            node = best[node][1]
            points.append(self._nodes[node])
        return points[::-1]

    def _reached(self) -> dict[int, Cost]:
        """Every corner in reach with its cost, worked out once."""
        if self._best is None:
            self._nodes += self._corners()
            self._best = (None if self._legs is None else self._legs.search(self._nodes)) or self._searched()
        return self._best

    def _searched(self) -> dict[int, Cost]:
        nodes = self._nodes
        best: dict[int, Cost] = {0: (0, 0)}
        settled: set[int] = set()
        heap = [(0, 0)]
        while heap:
            cost, node = heappop(heap)
            if node in settled:
                continue
            settled.add(node)
            for other in range(1, len(nodes)):
                if other in settled:
                    continue
                most = best[other][0] - 1 if other in best else self.limit
                if cost + leg_micrometres(nodes[node], nodes[other]) > most:
                    continue
                total = cost + self._cost(nodes[node], nodes[other])
                if total <= most and self._is_free(nodes[node], nodes[other]):
                    best[other] = (total, node)
                    heappush(heap, (total, other))
        return best

    def _cost(self, a: Point, b: Point) -> int:
        length = leg_micrometres(a, b)
        return length + extra_micrometres(self.charged, a, b, length, self._slow, self.going)

    def _is_free(self, a: Point, b: Point) -> bool:
        answer: bool | None = None if self._legs is None else self._legs.is_free(a, b)
        if answer is not None:
            return answer
        return leg_is_free(self.table, self.body.at(*a), self.body.at(*b), self.going, self._barred, self.crowd)

    # -- corners ------------------------------------------------------------------------------------

    def _corners(self) -> list[Point]:
        """Corners in reach on which the model could stand for a moment, each once, in a fixed order."""
        start = self._nodes[0]
        points = dict.fromkeys(self._all_corners())
        points.pop(start, None)
        return [
            point
            for point in points
            if leg_micrometres(start, point) <= self.limit
            and 0 <= point[0] <= self.table.width
            and 0 <= point[1] <= self.table.depth
            and self._is_free(point, point)
        ]

    def _all_corners(self) -> Iterator[Point]:
        for keep in self.crowd.keeps:
            if self._is_near(keep.body.cx, keep.body.cy, keep.body.radius + keep.gap):
                yield from _round_model(self.body, keep)
        for polygon in self._polygons(self.table, self._barred):
            yield from _round_polygon(polygon, _rim(self.body))
        if self.going.walls != "open":
            yield from self._walls()

    def _walls(self) -> Iterator[Point]:
        """Round the outer corners of buildings, and through their openings."""
        for polygon in self._polygons(self.table, self.table.building_mask):
            yield from _round_polygon(polygon, _ring(SPARE, 4))
        for piece in self._buildings():
            for opening in piece.openings if self.going.walls != "closed" else ():
                if opening.floor == self.body.floor:
                    yield from _in_opening(opening)

    def _buildings(self) -> list[Piece]:
        mask = self.table.near_box(*self._box, self.table.building_mask)
        return [piece for number, piece in enumerate(self.table.part_piece) if mask >> number & 1]

    def _polygons(self, table: MeasuredTable, mask: int) -> Iterator[Sequence[Point]]:
        """The convex pieces of some parts of terrain in reach."""
        mask = table.near_box(*self._box, mask)
        while mask:
            bit = mask & -mask
            mask ^= bit
            yield from table.parts[bit.bit_length() - 1].convex

    def _is_near(self, x: int, y: int, radius: int) -> bool:
        reach = self.limit // 100 + self.body.radius + radius
        return (x - self.body.cx) ** 2 + (y - self.body.cy) ** 2 <= reach * reach


def _box(body: Body, limit: int) -> tuple[int, int, int, int]:
    """The box that a model can reach, as far as tables go (tenths)."""
    r = body.radius + limit
    low, high = -16_000, 49_000
    return max(body.cx - r, low), max(body.cy - r, low), min(body.cx + r, high), min(body.cy + r, high)


def _ring(radius: int, sides: int) -> list[Point]:
    """The corners of a regular polygon round a circle (tenths), about its middle."""
    out = _outer(radius, sides)
    vectors = (direction(turn * 360 // sides + 180 // sides) for turn in range(sides))
    return [(round_half_up(dx * out, SCALE), round_half_up(dy * out, SCALE)) for dx, dy in vectors]


def _outer(radius: int, sides: int) -> int:
    """The radius of the corners of a polygon whose sides touch a circle."""
    return -(-radius * 100_000 // COSINES[sides])


def _rim(body: Body) -> list[Point]:
    """What a model adds to the things it goes round: its hull, or a polygon round its base."""
    if body.corners:
        return [_longer(x - body.cx, y - body.cy) for x, y in body.corners]
    return _ring(body.radius + SPARE, SIDES)


def _longer(dx: int, dy: int) -> Point:
    return dx + (SPARE if dx > 0 else -SPARE), dy + (SPARE if dy > 0 else -SPARE)


def _round_polygon(polygon: Sequence[Point], rim: Sequence[Point]) -> Iterator[Point]:
    """The corners of a convex polygon grown by a rim, in whole millimetres."""
    grown = convex_hull([(x + dx, y + dy) for x, y in polygon for dx, dy in rim])
    middle = sum(x for x, _ in polygon) // len(polygon), sum(y for _, y in polygon) // len(polygon)
    yield from (_outwards(point, middle) for point in grown)


def _round_model(body: Body, keep: Keep) -> Iterator[Point]:
    """Corners of a way round a model or its circle."""
    other = keep.body
    middle = (other.cx, other.cy)
    if other.corners:
        gap = _ring(keep.gap, SIDES) if keep.gap else [(0, 0)]
        grown = [(x + dx, y + dy) for x, y in other.corners for dx, dy in gap]
        yield from _round_polygon(grown, _rim(body))
        return
    radius = other.radius + keep.gap + SPARE + (0 if body.corners else body.radius)
    ring = [(other.cx + dx, other.cy + dy) for dx, dy in _ring(radius, ROUND_SIDES if radius >= WIDE else SIDES)]
    if body.corners:
        yield from _round_polygon(ring, _rim(body))
    else:
        yield from (_outwards(point, middle) for point in ring)


def _outwards(point: Point, middle: Point) -> Point:
    """A point in whole millimetres, rounded away from the middle of what it goes round."""
    return _away(point[0], middle[0]), _away(point[1], middle[1])


def _away(value: int, middle: int) -> int:
    return -(-value // 10) if value > middle else value // 10


def _in_opening(opening: Opening) -> Iterator[Point]:
    """The middle of an opening, and a point just inside each of its ends."""
    (ax, ay), (bx, by) = opening.a, opening.b
    yield (ax + bx) // 2, (ay + by) // 2
    step_x, step_y = _sign(bx - ax), _sign(by - ay)
    if (step_x == 0) != (step_y == 0):  # in walls askew whole millimetres seldom lie on the wall
        yield ax + step_x, ay + step_y
        yield bx - step_x, by - step_y


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


__all__ = ["Corners"]
