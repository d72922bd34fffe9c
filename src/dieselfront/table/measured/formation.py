"""Formation: the four coherency rules of the books, and automatic placement of a unit that a player may adjust."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from dieselfront.table.measured.angles import SCALE, direction
from dieselfront.table.measured.geometry import Point
from dieselfront.table.measured.placement import Crowd, Keep, Places, offsets
from dieselfront.table.measured.shapes import Body, Shape, distance, distance_from_centre, is_within
from dieselfront.table.measured.units import round_half_up


class Coherency(Protocol):
    """A rule of keeping together; the first body of a unit is its leader."""

    def broken(self, bodies: Sequence[Body]) -> list[int]:
        """The numbers of the models that break it."""
        ...

    def admits(self, body: Body, placed: Sequence[Body]) -> bool:
        """May a model join those already placed?"""
        ...


@dataclass(frozen=True, slots=True)
class Chain:
    """One group in which no model is more than `gap` from another one of it (k47.core.coherency)."""

    gap: int

    def broken(self, bodies: Sequence[Body]) -> list[int]:
        """All models outside the largest group (of equal groups, the one with the lowest number)."""
        best: set[int] = set()
        left = list(range(len(bodies)))
        while left:
            group = self._group(bodies, left[0])
            left = [number for number in left if number not in group]
            if len(group) > len(best):
                best = group
        return [number for number in range(len(bodies)) if number not in best]

    def _group(self, bodies: Sequence[Body], start: int) -> set[int]:
        group, edge = {start}, [start]
        while edge:
            here = bodies[edge.pop()]
            for number, other in enumerate(bodies):
                if number not in group and is_within(here, other, self.gap):
                    group.add(number)
                    edge.append(number)
        return group

    def admits(self, body: Body, placed: Sequence[Body]) -> bool:
        return not placed or any(is_within(body, other, self.gap) for other in placed)


@dataclass(frozen=True, slots=True)
class Circle:
    """Every base touches a circle of `radius` round the centre of the leader (ff.move.circle)."""

    radius: int

    def broken(self, bodies: Sequence[Body]) -> list[int]:
        return [i for i, body in enumerate(bodies) if i and distance_from_centre(bodies[0], body) > self.radius]

    def admits(self, body: Body, placed: Sequence[Body]) -> bool:
        return not placed or distance_from_centre(placed[0], body) <= self.radius


@dataclass(frozen=True, slots=True)
class Leash:
    """Every model within `reach` of the leader, base to base (dw.formation.range)."""

    reach: int

    def broken(self, bodies: Sequence[Body]) -> list[int]:
        return [i for i, body in enumerate(bodies) if i and not is_within(bodies[0], body, self.reach)]

    def admits(self, body: Body, placed: Sequence[Body]) -> bool:
        return not placed or is_within(placed[0], body, self.reach)


@dataclass(frozen=True, slots=True)
class AllWithin:
    """Every model within `reach` of every other (bf.move.formation)."""

    reach: int

    def broken(self, bodies: Sequence[Body]) -> list[int]:
        return [
            i
            for i, body in enumerate(bodies)
            if any(distance(body, other) > self.reach for other in bodies if other is not body)
        ]

    def admits(self, body: Body, placed: Sequence[Body]) -> bool:
        return all(is_within(body, other, self.reach) for other in placed)


# -- patterns ----------------------------------------------------------------------------------------------


def turned(right: int, ahead: int, heading: int) -> Point:
    """A step of so many mm to the right and ahead of a heading, on the table."""
    fx, fy = direction(heading)
    return round_half_up(ahead * fx - right * fy, SCALE), round_half_up(ahead * fy + right * fx, SCALE)


def block(count: int, spacing: int, files: int = 0) -> list[Point]:
    """Steps (right, ahead) of a block behind and beside its leader, ranks filled from the middle outwards (mm)."""
    files = files or max(1, min(5, (count + 1) // 2))
    order = sorted(range(-(files // 2), files - files // 2), key=lambda f: (abs(f), f))
    return [(spacing * order[i % files], -spacing * (i // files)) for i in range(count)]


def line(count: int, spacing: int) -> list[Point]:
    """One rank, the leader in the middle (mm)."""
    return block(count, spacing, files=count)


def column(count: int, spacing: int) -> list[Point]:
    """One file behind the leader (mm)."""
    return block(count, spacing, files=1)


def pattern_spots(x: int, y: int, heading: int, steps: Sequence[Point]) -> list[Point]:
    """The spots of a pattern with its leader at (x, y)."""
    return [(x + dx, y + dy) for dx, dy in (turned(right, ahead, heading) for right, ahead in steps)]


# -- arranging ---------------------------------------------------------------------------------------------


def arrange(
    wanted: Sequence[Body],
    places: Places,
    coherency: Coherency,
    origins: Sequence[Point] | None = None,
    limit: int | None = None,
    step: int = 4,
) -> list[Body] | None:
    """Legal, coherent, non-overlapping places for a unit, each as near to the wanted one as can be; None if impossible.

    The leader (the first) is set down exactly where wanted or not at all; the others follow in order, each at the first
    spot in order of distance from the wanted one. `origins` and `limit` (tenths) bind each model to a straight-line
    distance from where it came. Models that no longer fit wait until the others stand.
    """
    if not wanted or not places.is_legal(wanted[0]):
        return None
    placed: dict[int, Body] = {0: wanted[0]}
    crowd = Crowd([*places.crowd.keeps, Keep(wanted[0])])
    law = Places(places.table, places.no_entry, crowd, (), places.test)
    law.zones = places.zones
    waiting = list(range(1, len(wanted)))
    while waiting:
        left = []
        for number in waiting:
            origin = None if origins is None else origins[number]
            spot = _spot(wanted[number], law, coherency, list(placed.values()), origin, limit, step)
            if spot is None:
                left.append(number)
            else:
                placed[number] = spot
                crowd.add(Keep(spot))
        if len(left) == len(waiting):
            return None
        waiting = left
    return [places.table.settled(placed[number]) for number in range(len(wanted))]


def _spot(
    wanted: Body,
    law: Places,
    coherency: Coherency,
    placed: list[Body],
    origin: Point | None,
    limit: int | None,
    step: int,
) -> Body | None:
    def fits(body: Body) -> bool:
        if origin is not None and limit is not None:
            dx, dy = (body.x - origin[0]) * 10, (body.y - origin[1]) * 10
            if dx * dx + dy * dy > limit * limit:
                return False
        return coherency.admits(body, placed) and law.is_legal(body)

    if fits(wanted):
        return wanted
    home = _drawn_in(wanted, placed, coherency)
    steps = _steps(200 // step)
    begin = 0
    while (number := _first_free(home, steps, step, begin, law, coherency, placed, origin, limit)) is not None:
        if number < 0:
            return None
        dx, dy = steps[number]
        moved = home.at(home.x + dx * step, home.y + dy * step)
        if fits(moved):
            return moved
        begin = number + 1
    for dx, dy in steps[begin:]:
        moved = home.at(home.x + dx * step, home.y + dy * step)
        if fits(moved):
            return moved
    return None


@cache
def _steps(most: int) -> tuple[Point, ...]:
    return ((0, 0), *offsets(most))


def _first_free(
    home: Body,
    steps: tuple[Point, ...],
    pace: int,
    begin: int,
    law: Places,
    coherency: Coherency,
    placed: list[Body],
    origin: Point | None,
    limit: int | None,
) -> int | None:
    """The next of some steps that may fit, found by compiled code; -1 for none, None where Python has to look."""
    table = law.table
    rule, reach = _RULES.get(type(coherency), lambda _: (0, 0))(coherency)
    if table.compiled is None or not rule:
        return None
    bound = (0, 0, -1) if origin is None or limit is None else (*origin, limit * limit)
    numbers = (table.width, table.depth, rule, reach, *bound)
    number: int | None = table.compiled.first_free(home, steps, pace, begin, law.crowd.keeps, law.mask, numbers, placed)
    return number


_RULES: dict[type, Callable[[Any], tuple[int, int]]] = {
    Circle: lambda circle: (1, circle.radius),
    Leash: lambda leash: (2, leash.reach),
    Chain: lambda chain: (3, chain.gap),
    AllWithin: lambda every: (4, every.reach),
}
"""The rules of keeping together as compiled code knows them, with their lengths."""


def _drawn_in(wanted: Body, placed: Sequence[Body], coherency: Coherency) -> Body:
    """A spot out of reach of the others is first drawn to the nearest of them: there the search begins."""
    if coherency.admits(wanted, placed):
        return wanted
    nearest = min(placed, key=lambda body: ((body.cx - wanted.cx) ** 2 + (body.cy - wanted.cy) ** 2, body.cx, body.cy))
    room = (nearest.radius + wanted.radius) // 10 + 1
    dx, dy = wanted.x - nearest.x, wanted.y - nearest.y
    far = max(abs(dx), abs(dy), 1)
    return wanted.at(nearest.x + dx * room // far, nearest.y + dy * room // far)


def place_unit(
    shape: Shape,
    count: int,
    x: int,
    y: int,
    places: Places,
    coherency: Coherency,
    heading: int = 0,
    gap: int = 5,
    files: int = 0,
    keys: Sequence[object] | None = None,
) -> list[Body] | None:
    """A fresh unit of equal bases round a leader at (x, y): a block facing `heading`, adjusted to the ground.

    `gap` mm between bases where there is room. None when the leader cannot stand there or somebody finds no place.
    """
    spots = pattern_spots(x, y, heading, block(count, max(shape.width, shape.length) + gap, files))
    ground = places.table
    wanted = [
        ground.stand(shape, sx, sy, heading, None if keys is None else keys[i]) for i, (sx, sy) in enumerate(spots)
    ]
    return arrange(wanted, places, coherency)


def follow(unit: Sequence[Body], x: int, y: int, heading: int | None = None) -> list[Body]:
    """A unit carried along with its leader to (x, y), everyone keeping his place in the formation."""
    dx, dy = x - unit[0].x, y - unit[0].y
    return [body.at(body.x + dx, body.y + dy, heading) for body in unit]
