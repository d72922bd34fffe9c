"""Reachable area: a lattice flooded with straight ways, every spot with a real path that movement.py would allow.

What is said to be in reach is in reach: the path is there to check. A spot only just reachable round several corners
may be missed by up to a lattice step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush

from dieselfront.table.cost_grid import CostGrid, cost_grid
from dieselfront.table.measured.geometry import Point, point_segment_square
from dieselfront.table.measured.movement import (
    FREE,
    Ahead,
    Drive,
    Going,
    Manoeuvre,
    Pivot,
    compiled_legs,
    drive,
    extra_micrometres,
    leg_is_free,
    leg_micrometres,
    terrain_masks,
)
from dieselfront.table.measured.placement import Crowd, Keep, Places
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.table import MeasuredTable

_AROUND = ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1))


class Reach:
    """Where a model can go: `spots` are lattice points (mm) with their cost in tenths, in order of rows."""

    __slots__ = ("_flood", "_nodes", "body", "limit", "spots", "step")

    def __init__(self, flood: _Flood) -> None:
        self._flood = flood
        self._nodes = flood.best
        self.body = flood.body
        self.limit = flood.limit // 100
        self.step = flood.step
        cells = sorted(self._nodes, key=lambda cell: (cell[1], cell[0]))
        self.spots: list[tuple[int, int, int]] = [(*flood.at(cell), -(-self._nodes[cell][0] // 100)) for cell in cells]

    def path_to(self, x: int, y: int) -> list[Point] | None:
        """A legal path to any point (mm), the start first, or None when none is known within the limit."""
        flood, goal = self._flood, (x, y)
        start = (self.body.x, self.body.y)
        if goal == start:
            return [start]
        options: list[tuple[int, int, Point]] = [(flood.cost(start, goal), 0, (0, 0))]
        i, j = (x - start[0]) // self.step, (y - start[1]) // self.step
        if flood.at((i, j)) == goal and (i, j) in self._nodes:
            return flood.path((i, j))
        for cell in ((i + di, j + dj) for di in (-1, 0, 1, 2) for dj in (-1, 0, 1, 2)):
            if cell in self._nodes:
                options.append((self._nodes[cell][0] + flood.cost(flood.at(cell), goal), 1, cell))
        for cost, _, cell in sorted(options):
            if cost <= flood.limit and flood.is_free(flood.at(cell), goal):
                return [*flood.path(cell), goal]
        return None

    def covers(self, x: int, y: int) -> bool:
        """Can the model get to a point?"""
        return self.path_to(x, y) is not None

    def ends(self, places: Places) -> list[tuple[int, int, int]]:
        """The spots where it may also stop."""
        return [(x, y, cost) for x, y, cost in self.spots if places.is_legal(self.body.at(x, y))]

    def outline(self) -> list[list[Point]]:
        """Rings of points (mm) round the reachable lattice squares, for drawing: outer rings and holes alike."""
        return _rings(set(self._nodes), self._flood)

    def costs(self) -> CostGrid | None:
        """What the way to every spot costs, for drawing."""
        costs = {cell: -(-cost // 100) for cell, (cost, _) in self._nodes.items()}
        return cost_grid((self.body.x, self.body.y), self.step, self.limit, costs)


class _Flood:
    """The search: direct ways first, then round corners, cheapest spot first."""

    __slots__ = (
        "_barred",
        "_crowd",
        "_legs",
        "_slow",
        "_walls",
        "best",
        "body",
        "charged",
        "going",
        "limit",
        "step",
        "table",
    )

    def __init__(
        self,
        table: MeasuredTable,
        body: Body,
        limit: int,
        going: Going,
        crowd: Crowd,
        step: int,
        charged: MeasuredTable | None = None,
    ) -> None:
        self.table = table
        self.charged = table if charged is None else charged
        self.body = body
        self.limit = limit * 100  # micrometres
        self.going = going
        self.step = step
        slow, barred = terrain_masks(self.charged, going)[0], terrain_masks(table, going)[1]
        r = body.radius + limit
        box = (body.cx - r, body.cy - r, body.cx + r, body.cy + r)
        box = (max(box[0], -16000), max(box[1], -16000), min(box[2], 49000), min(box[3], 49000))
        self._slow = self.charged.near_box(*box, slow)
        self._barred = table.near_box(*box, barred)
        self._walls = table.near_box(*box, table.building_mask) if going.walls != "open" else 0
        self._crowd = Crowd([keep for keep in crowd.keeps if _in_range(keep, body, limit)])
        masks = (self._slow, self._barred)
        self._legs = compiled_legs(table, self.charged, body, going, masks, self._crowd, self.limit)
        self.best: dict[Point, tuple[int, Point]] = self._flooded() or self._run()

    def _flooded(self) -> dict[Point, tuple[int, Point]] | None:
        """What `_run` answers, by compiled code."""
        best: dict[Point, tuple[int, Point]] | None
        best = None if self._legs is None else self._legs.flood(self.step, self._spreads())
        return best

    def _spreads(self) -> bool:
        """Is there anything to go round?"""
        return bool(self._barred or self._slow or self._walls or self._crowd.keeps)

    def at(self, cell: Point) -> Point:
        return self.body.x + cell[0] * self.step, self.body.y + cell[1] * self.step

    def cost(self, a: Point, b: Point) -> int:
        length = leg_micrometres(a, b)
        return length + extra_micrometres(self.charged, a, b, length, self._slow, self.going)

    def is_free(self, a: Point, b: Point) -> bool:
        answer: bool | None = None if self._legs is None else self._legs.is_free(a, b)
        if answer is not None:
            return answer
        return leg_is_free(self.table, self.body.at(*a), self.body.at(*b), self.going, self._barred, self._crowd)

    def path(self, cell: Point) -> list[Point]:
        points = [self.at(cell)]
        while cell != (0, 0):
            cell = self.best[cell][1]
            points.append(self.at(cell))
        return points[::-1]

    def _run(self) -> dict[Point, tuple[int, Point]]:
        self.best = {}
        start = (self.body.x, self.body.y)
        most = self.limit // (1000 * self.step)
        self.best[(0, 0)] = (0, (0, 0))
        heap: list[tuple[int, int, int]] = []
        settled = {(0, 0)}
        for j in range(-most, most + 1):
            for i in range(-most, most + 1):
                place = self.at((i, j))
                length = leg_micrometres(start, place)
                if length > self.limit or (i, j) == (0, 0) or not self.is_free(start, place):
                    continue
                cost = self.cost(start, place)
                if cost <= self.limit:
                    self.best[(i, j)] = (cost, (0, 0))
                    if cost == length:
                        settled.add((i, j))
                    heappush(heap, (cost, j, i))
        if self._spreads():
            self._spread(heap, settled, most)
        return self.best

    def _spread(self, heap: list[tuple[int, int, int]], settled: set[Point], most: int) -> None:
        while heap:
            cost, j, i = heappop(heap)
            cell = (i, j)
            if cost > self.best[cell][0]:
                continue
            for di, dj in _AROUND:
                other = (i + di, j + dj)
                if other in settled or max(abs(other[0]), abs(other[1])) > most:
                    continue
                better = self._step(cell, other)
                if better is not None:
                    self.best[other] = better
                    heappush(heap, (better[0], other[1], other[0]))

    def _step(self, cell: Point, other: Point) -> tuple[int, Point] | None:
        """The cheaper way to a neighbour: straight from where this cell was reached from, or from here."""
        limit = self.best[other][0] - 1 if other in self.best else self.limit
        place = self.at(other)
        for source in (self.best[cell][1], cell):
            here = self.at(source)
            base = self.best[source][0]
            if base + leg_micrometres(here, place) > limit:
                continue
            cost = base + self.cost(here, place)
            if cost <= limit and self.is_free(here, place):
                return cost, source
        return None


def _in_range(keep: Keep, body: Body, limit: int) -> bool:
    reach = limit + body.radius + keep.body.radius + keep.gap
    square = point_segment_square(keep.body.cx, keep.body.cy, body.cx, body.cy, body.cx, body.cy)[0]
    return square <= reach * reach


def reach(
    table: MeasuredTable,
    body: Body,
    limit: int,
    going: Going = FREE,
    avoid: Iterable[Keep] | Crowd = (),
    step: int = 12,
    charged: MeasuredTable | None = None,
) -> Reach:
    """Where a model can go within `limit` tenths, on a lattice of `step` mm round where it stands.

    `charged` is a table of slow terrain as the middle of the model meets it (see `grown`), if not that of the table.
    """
    crowd = avoid if isinstance(avoid, Crowd) else Crowd(avoid)
    return Reach(_Flood(table, body, limit, going, crowd, step, charged))


def _rings(cells: set[Point], flood: _Flood) -> list[list[Point]]:
    """The outlines of lattice squares, traced along their free edges."""
    half = flood.step // 2
    edges: dict[Point, list[Point]] = {}
    for i, j in sorted(cells):
        for (di, dj), a, b in (
            ((0, -1), (i, j), (i + 1, j)),
            ((1, 0), (i + 1, j), (i + 1, j + 1)),
            ((0, 1), (i + 1, j + 1), (i, j + 1)),
            ((-1, 0), (i, j + 1), (i, j)),
        ):
            if (i + di, j + dj) not in cells:
                edges.setdefault(a, []).append(b)
    rings = []
    while edges:
        start = min(edges)
        ring, here = [start], start
        while True:
            there = edges[here].pop()
            if not edges[here]:
                del edges[here]
            if there == start:
                break
            ring.append(there)
            here = there
        rings.append(ring)
    return [[(flood.at(corner)[0] - half, flood.at(corner)[1] - half) for corner in ring] for ring in rings]


def drive_reach(
    table: MeasuredTable,
    body: Body,
    limit: int,
    turns: int,
    going: Going = FREE,
    avoid: Iterable[Keep] | Crowd = (),
    degrees: int = 30,
    lengths: Sequence[int] | None = None,
    backwards: bool = False,
) -> list[Drive]:
    """Drives of a hull with at most so many turns, on a lattice of turns and lengths: what a player may choose from.

    Each drive is legal and ends somewhere new; they come in a fixed order. `lengths` are tenths (six even parts of the
    limit by default).
    """
    crowd = avoid if isinstance(avoid, Crowd) else Crowd(avoid)
    sign = -1 if backwards else 1
    parts = list(lengths) if lengths is not None else [limit * k // 6 for k in range(1, 7)]
    angles = [angle for d in range(degrees, 91, degrees) for angle in (-d, d)]
    drives: dict[tuple[int, int, int], Drive] = {}

    def extend(steps: list[Manoeuvre], left: int, turned: int) -> None:
        for length in parts:
            if length <= left:
                grow([*steps, Ahead(sign * length)], left - length, turned, may_drive=False)
        if turned < turns:
            for angle in angles:
                grow([*steps, Pivot(angle)], left, turned + 1, may_drive=True)

    def grow(steps: list[Manoeuvre], left: int, turned: int, may_drive: bool) -> None:
        made = drive(table, body, steps, going, limit, turns, avoid=crowd)
        if not made.is_legal:
            return
        end = made.end
        drives.setdefault((end.x, end.y, end.heading), made)
        if may_drive:
            for length in parts:
                if length <= left:
                    grow([*steps, Ahead(sign * length)], left - length, turned, may_drive=False)
        elif turned < turns:
            for angle in angles:
                grow([*steps, Pivot(angle)], left, turned + 1, may_drive=True)

    extend([], limit, 0)
    return list(drives.values())
