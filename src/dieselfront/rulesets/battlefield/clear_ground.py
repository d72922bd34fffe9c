"""Clear ground: shifts of a whole unit that meet nothing, found without working out ways and places one by one.

A quick first question before ways.py: where a unit is moved as it stands and neither terrain that bars nor another
model is near the ground it sweeps, the straight way is free, everybody fits and everybody is in reach.
"""

from __future__ import annotations

from typing import Any

from dieselfront.rulesets.dust_open.places import Point
from dieselfront.table.measured.geometry import point_segment_square, segment_polygon_square
from dieselfront.table.measured.movement import NO_ENTRY, path_length
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.terrain import Part

Box = tuple[int, int, int, int]


class ClearGround:
    """What lies round a unit that is about to move."""

    __slots__ = ("_bodies", "_box", "_far", "_models", "_parts", "_size", "_standers", "start")

    def __init__(self, ways: Any, bodies: list[Body]) -> None:
        self.start: Point = (bodies[0].x, bodies[0].y)
        self._bodies = bodies
        self._size = (ways.state.table.width * 10, ways.state.table.height * 10)
        self._far = ways.limit
        self._box = _box_round(bodies)
        low_x, low_y, high_x, high_y = (side + add for side, add in zip(self._box, _grown(self._far), strict=True))
        land = ways.land
        mask = land.mask_of(ways.law.no_end) | ways.barred | land.building_mask | land.mask_of(ways.closed)
        near = land.near_box(low_x, low_y, high_x, high_y, mask) if mask else 0
        self._parts: list[Part] = [land.parts[number] for number in _numbers(near)]
        self._models: list[Body] = []
        self._standers: list[Body] = []
        for other, theirs in ways.ground.others(ways.state, ways.unit):
            stops = ways.kept_from(other, theirs)
            near_ones = [
                body
                for body in theirs
                if low_x <= body.cx + body.radius
                and body.cx - body.radius <= high_x
                and low_y <= body.cy + body.radius
                and body.cy - body.radius <= high_y
            ]
            (self._models if stops else self._standers).extend(near_ones)

    def cost(self, goal: Point) -> int | None:
        """How far it is to a goal (tenths) over clear ground; None where something is in the way, or may be."""
        dx, dy = (goal[0] - self.start[0]) * 10, (goal[1] - self.start[1]) * 10
        length = path_length([self.start, goal])
        if length > self._far or self.leaves_table(goal):
            return None
        low_x, low_y, high_x, high_y = self._box
        swept = (low_x + min(0, dx), low_y + min(0, dy), high_x + max(0, dx), high_y + max(0, dy))
        if any(self._meets_part(part, dx, dy) for part in self._parts if _overlap(swept, part.box)):
            return None
        if any(self._meets_model(body, dx, dy) for body in self._models if _reaches(swept, body)):
            return None
        return None if self.is_crowded(goal) else length

    def is_crowded(self, goal: Point) -> bool:
        """Would it end on a friend?"""
        dx, dy = (goal[0] - self.start[0]) * 10, (goal[1] - self.start[1]) * 10
        low_x, low_y, high_x, high_y = self._box
        ends = (low_x + dx, low_y + dy, high_x + dx, high_y + dy)
        return any(self._ends_on(body, dx, dy) for body in self._standers if _reaches(ends, body))

    def leaves_table(self, goal: Point) -> bool:
        """Would a model hang over the edge of the table?"""
        dx, dy = (goal[0] - self.start[0]) * 10, (goal[1] - self.start[1]) * 10
        low_x, low_y, high_x, high_y = self._box
        width, depth = self._size
        return low_x + dx < 0 or low_y + dy < 0 or high_x + dx > width or high_y + dy > depth

    def _meets_part(self, part: Part, dx: int, dy: int) -> bool:
        """Does a model come over a piece of terrain on its way?"""
        for mine in self._bodies:
            ax, ay, room = mine.cx, mine.cy, mine.radius
            square, scale = point_segment_square(*part.centre, ax, ay, ax + dx, ay + dy)
            if square > (room + part.radius) ** 2 * scale:
                continue
            square, scale = segment_polygon_square(ax, ay, ax + dx, ay + dy, part.polygon)
            if square <= room * room * scale:
                return True
        return False

    def _meets_model(self, body: Body, dx: int, dy: int) -> bool:
        for mine in self._bodies:
            square, scale = point_segment_square(body.cx, body.cy, mine.cx, mine.cy, mine.cx + dx, mine.cy + dy)
            if square <= (mine.radius + body.radius) ** 2 * scale:
                return True
        return False

    def _ends_on(self, body: Body, dx: int, dy: int) -> bool:
        for mine in self._bodies:
            x, y, room = mine.cx + dx - body.cx, mine.cy + dy - body.cy, mine.radius + body.radius
            if x * x + y * y <= room * room:
                return True
        return False


class ClearBlock:
    """A unit that comes from somewhere else and forms up as a block: where all of it stands clear of everything."""

    __slots__ = ("_first", "_land", "_mask", "_models", "_room", "_size", "_steps")

    def __init__(self, region: Any, bodies: list[Body], closed: tuple[str, ...]) -> None:
        ground, state, unit = region.ground, region.state, region.unit
        self._land = land = state.table.land
        self._size = (state.table.width * 10, state.table.height * 10)
        first = bodies[0]
        self._first = first
        self._steps = [(body.cx - first.cx, body.cy - first.cy, body.radius) for body in bodies]
        self._room = max(max(abs(dx), abs(dy)) + r for dx, dy, r in self._steps)
        law = ground.law(state, unit)
        barred = tuple(id for id, cost in law.going.costs.items() if cost == NO_ENTRY)
        self._mask = land.mask_of((*law.no_end, *barred, *closed)) | land.building_mask
        everybody = ground.others(state, unit)
        self._models = [body for _, theirs in everybody for body in theirs]

    def stood(self, goal: Point) -> list[tuple[int, int, int]]:
        """Where its models would stand: centres and radii (tenths)."""
        return [(goal[0] * 10 + dx, goal[1] * 10 + dy, r) for dx, dy, r in self._steps]

    def leaves_table(self, goal: Point) -> bool:
        """Would a model hang over the edge of the table?"""
        width, depth = self._size
        return any(x < r or y < r or x + r > width or y + r > depth for x, y, r in self.stood(goal))

    def stands(self, goal: Point) -> bool:
        """Is there room for the whole block, with nothing near that would have to be looked at?"""
        x, y = goal[0] * 10, goal[1] * 10
        if self.leaves_table(goal) or self._meets(x, y):
            return False
        return not self._land.near_box(x - self._room, y - self._room, x + self._room, y + self._room, self._mask)

    def _meets(self, x: int, y: int) -> bool:
        for body in self._models:
            reach = self._room + body.radius
            if abs(body.cx - x) > reach or abs(body.cy - y) > reach:
                continue
            for dx, dy, r in self._steps:
                if (x + dx - body.cx) ** 2 + (y + dy - body.cy) ** 2 <= (r + body.radius) ** 2:
                    return True
        return False

    def comes(self, start: Point, goal: Point) -> bool:
        """Is the straight way of its first model free of everything?"""
        ax, ay, bx, by, r = start[0] * 10, start[1] * 10, goal[0] * 10, goal[1] * 10, self._first.radius
        low_x, low_y, high_x, high_y = min(ax, bx) - r, min(ay, by) - r, max(ax, bx) + r, max(ay, by) + r
        if self._land.near_box(low_x, low_y, high_x, high_y, self._mask):
            return False
        return not any(
            _reaches((low_x, low_y, high_x, high_y), body) and self._brushes(body, ax, ay, bx, by)
            for body in self._models
        )

    def _brushes(self, body: Body, ax: int, ay: int, bx: int, by: int) -> bool:
        square, scale = point_segment_square(body.cx, body.cy, ax, ay, bx, by)
        return square <= (self._first.radius + body.radius) ** 2 * scale


def _box_round(bodies: list[Body]) -> Box:
    return (
        min(body.cx - body.radius for body in bodies),
        min(body.cy - body.radius for body in bodies),
        max(body.cx + body.radius for body in bodies),
        max(body.cy + body.radius for body in bodies),
    )


def _grown(far: int) -> Box:
    return -far, -far, far, far


def _numbers(mask: int) -> list[int]:
    numbers = []
    while mask:
        bit = mask & -mask
        mask ^= bit
        numbers.append(bit.bit_length() - 1)
    return numbers


def _overlap(one: Box, other: Box) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def _reaches(box: Box, body: Body) -> bool:
    r = body.radius
    return box[0] <= body.cx + r and body.cx - r <= box[2] and box[1] <= body.cy + r and body.cy - r <= box[3]


__all__ = ["ClearBlock", "ClearGround"]
