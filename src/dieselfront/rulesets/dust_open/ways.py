"""Ways of the open table: how far a unit can go, what is in its way, what the ground costs (ff.move.*, bf.move.*).

A way is that of the unit's first model; the others are set down round it. What a game adds (circles to keep out of,
terrain that ends a move) it says in a class of its own, which its ground names as `ways`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from dieselfront.kernel.decisions import Chance
from dieselfront.rulesets.dust.state import DustState, Unit
from dieselfront.rulesets.dust_open.places import Point, at, floor_of, xy
from dieselfront.rulesets.dust_open.regions import Region
from dieselfront.rulesets.dust_open.terrain import ROAD
from dieselfront.table.measured.angles import step
from dieselfront.table.measured.movement import (
    extra_micrometres,
    grown,
    leg_is_free,
    leg_micrometres,
    runs_on,
    terrain_masks,
)
from dieselfront.table.measured.placement import Crowd, Keep
from dieselfront.table.measured.reach import Reach, reach
from dieselfront.table.measured.shapes import Body, outline
from dieselfront.table.measured.trace import Trace

LATTICE = ((60, 20), (110, 34), (210, 50), (330, 75), (430, 100), (9_999, 150))
"""How far apart the points of a list of spots lie, by the length of the move (mm); they are the same for all units."""

FLOOD = 5  # steps of a flood to each side
DRAWN = 32  # and of one that is drawn

# -- ways -------------------------------------------------------------------------------------------


class Origin:
    """Where a move begins: for most, where the first model stands."""

    def __init__(self, body: Body) -> None:
        self.body = body

    def of(self, goal: Point) -> tuple[Point, int]:
        """The start of the way to a goal, and what the way has cost before it."""
        return (self.body.x, self.body.y), 0


class FromHull(Origin):
    """Out of a carrier: from the point of its hull nearest to the goal; the base begins touching it."""

    def __init__(self, body: Body, carrier: Body) -> None:
        super().__init__(body)
        self.carrier = carrier

    def of(self, goal: Point) -> tuple[Point, int]:
        gx, gy = goal[0] * 10, goal[1] * 10
        points = [*outline(self.carrier), *_middles(self.carrier)]
        x, y = min(points, key=lambda point: ((point[0] - gx) ** 2 + (point[1] - gy) ** 2, point))
        return (x // 10, y // 10), -self.body.radius


class FromEdge(Origin):
    """Onto the table over one of its edges: straight in, until the whole model is on it."""

    def __init__(self, body: Body, boxes: Sequence[tuple[int, int, int, int]], size: Point) -> None:
        super().__init__(body)
        self.boxes = boxes
        self.size = size

    def of(self, goal: Point) -> tuple[Point, int]:
        x, y = goal
        starts = []
        for low_x, low_y, high_x, high_y in self.boxes:
            cx, cy = min(max(x, low_x), high_x), min(max(y, low_y), high_y)
            starts += [(cx, 0)] if low_y == 0 else []
            starts += [(cx, self.size[1])] if high_y == self.size[1] else []
            starts += [(0, cy)] if low_x == 0 else []
            starts += [(self.size[0], cy)] if high_x == self.size[0] else []
        starts = starts or [(x, y)]
        start = min(starts, key=lambda spot: ((spot[0] - x) ** 2 + (spot[1] - y) ** 2, spot))
        return start, self.body.radius


def _middles(body: Body) -> list[Point]:
    corners = body.corners
    pairs = zip(corners, corners[1:] + corners[:1], strict=True)
    return [((ax + bx) // 2, (ay + by) // 2) for (ax, ay), (bx, by) in pairs]


class Ways(Region):
    """Where a move of so many tenths can end, and the way there; listed costs are whole ranges.

    ff.move.less, ff.move.measure_point, ff.move.straight_measure, ff.move.large, bf.move.distance, bf.move.turning.
    """

    takes_ways = True
    hair = 12
    """Lengths are compared as they are shown, to half a tenth of an inch (in tenths of a millimetre): spots are whole
    millimetres, and 12.0" are within 12"."""

    def __init__(
        self, ground: Any, state: DustState, unit: Unit, limit: int, bonus: int = 0, start: Origin | None = None
    ) -> None:
        super().__init__(ground, state, unit)
        self.limit = limit
        self.bonus = bonus
        self.mover = ground.mover(unit, state)
        self.law = ground.law(state, unit)
        self.origin = start or Origin(ground.first(state, unit))
        self.body = self.origin.body
        self.flies = self.mover.flying or unit.is_aircraft
        self.land = state.table.land
        self.barred = terrain_masks(self.land, self.law.going)[1]
        self.mire = grown(self.land, self.body, self.law.slow)  # ff.open.touch_or_inside
        self.slow = terrain_masks(self.mire, self.law.going)[0]
        self.crowd = Crowd(self._keeps())
        self._flood: Reach | None = None
        self._routes: dict[int, tuple[int, tuple[Point, ...]] | str] = {}

    # -- what stands in the way ---------------------------------------------------------------------

    def _keeps(self) -> list[Keep]:
        """Hulls and models that stop it; those one stands in already do not hold one there.

        ff.move.through_friends, ff.move.vehicle_vehicle, ff.move.enemy_block, ff.move.vehicle_blocked_hull,
        ff.open.pass_vehicle, ff.move.aircraft_free.
        """
        if self.flies:
            return []
        keeps: list[Keep] = []
        carrier = self.origin.carrier.key if isinstance(self.origin, FromHull) else None
        for other, bodies in self.ground.others(self.state, self.unit):
            if bodies[0].key != carrier:
                keeps += self.kept_from(other, bodies)
        standing = isinstance(self.origin, Origin) and type(self.origin) is Origin
        return [keep for keep in keeps if keep.is_kept(self.body)] if standing else keeps

    def kept_from(self, other: Unit, bodies: list[Body]) -> list[Keep]:
        """What of another unit stops this one on its way."""
        enemy = other.side != self.unit.side and not self.mover.through_enemies
        if other.is_vehicle and (self.unit.is_vehicle or enemy):
            return [Keep(bodies[0])]
        if enemy and self.unit.is_vehicle:
            return [Keep(body) for body in bodies]
        return []

    def objection(self, path: Sequence[Point]) -> str | None:
        """What a game has against a way that is free and short enough."""
        return None

    # -- ways ---------------------------------------------------------------------------------------

    def route(self, place: int) -> tuple[int, tuple[Point, ...]] | str:
        """What the way to a place costs (tenths) and its points, or why there is none."""
        if getattr(place, "way", ()):
            return self._named_route(place)
        place = int(place)
        route = self._routes.get(place)
        if route is None:
            route = self._routes[place] = self._route(place)
        return route

    def _route(self, place: int) -> tuple[int, tuple[Point, ...]] | str:
        goal = xy(place)
        start, head = self.origin.of(goal)
        climb = self._climb(place)
        if isinstance(climb, str):
            return climb
        spent = head + climb
        if goal == start:
            return (max(0, spent), (start,)) if spent <= self.limit + self.hair else self._too_far(spent)
        direct = (start, goal)
        free = self._is_free(start, goal)
        if free and self._fits(direct, self._cost(direct) + spent, spent):
            return self._checked(max(0, self._cost(direct) + spent), direct)
        if not free and not self._may_stand(goal):
            return f"something is in the way ({self.ground.cites['blocked']})"
        if type(self.origin) is Origin and not self.flies and not self._is_out_of_reach(start, goal, spent):
            path = self.around(goal, blocked=not free)
            if path is not None and self._fits(path, self._cost(path) + spent, spent):
                return self._checked(self._cost(path) + spent, tuple(path))
        if free and self._cost(direct) + spent <= self.limit + self.hair:
            return self._no_fit()
        if not free:
            return f"something is in the way ({self.ground.cites['blocked']})"
        return self._too_far(self._cost(direct) + spent)

    def _may_stand(self, goal: Point) -> bool:
        """Is there room at the end of the way? Else none leads there, however long. (A quick first question.)"""
        land = self.land
        if land.compiled is None or self.law.going.by_centre:
            return True
        there = self.body.at(*goal)
        return land.compiled.may_stand(there, self.crowd.keeps, self.barred, land.width, land.depth) is not False

    def _is_out_of_reach(self, start: Point, goal: Point, spent: int) -> bool:
        """Is even the straight line too long? Then no way round need be looked for."""
        return leg_micrometres(start, goal) // 100 + spent > self.limit + self.bonus + 2 * self.hair

    def around(self, goal: Point, blocked: bool) -> list[Point] | None:
        """A way round what stands between (or round slow ground, where nothing blocks), if one is known."""
        return self.flood().path_to(*goal) if self.barred or self.slow or self.crowd.keeps else None

    def _named_route(self, place: Any) -> tuple[int, tuple[Point, ...]] | str:
        """A way of the player's own choice, leg by leg (ff.move.multi_segments)."""
        goal = xy(place)
        between = [point for point in place.way if point != goal]
        start, head = self.origin.of(between[0] if between else goal)
        climb = self._climb(place)
        if isinstance(climb, str):
            return climb
        path = (start, *between, goal)
        if not all(self._is_free(a, b) for a, b in pairwise(path)):
            return f"something is in the way ({self.ground.cites['blocked']})"
        cost = max(0, self._cost(path) + head + climb)
        if self._fits(path, cost, head + climb):
            return self._checked(cost, path)
        return self._too_far(cost) if cost > self.limit + self.hair else self._no_fit()

    def _checked(self, cost: int, path: tuple[Point, ...]) -> tuple[int, tuple[Point, ...]] | str:
        return self.objection(path) or (cost, path)

    def _too_far(self, cost: int) -> str:
        length = self.ground.length_label
        return f"that would cost {length(cost)} of {length(self.limit)} ({self.ground.cites['too_far']})"

    def _no_fit(self) -> str:
        """Why a free way that costs little enough is none all the same."""
        return self._too_far(self.limit)

    def _is_free(self, a: Point, b: Point) -> bool:
        if self.flies:
            return True
        return leg_is_free(self.land, self.body.at(*a), self.body.at(*b), self.law.going, self.barred, self.crowd)

    def _cost(self, path: Sequence[Point]) -> int:
        """The length with slow stretches counted twice (ff.move.terrain_part, ff.move.multi_segments)."""
        total = 0
        for a, b in pairwise(path):
            length = leg_micrometres(a, b)
            total += length + extra_micrometres(self.mire, a, b, length, self.slow, self.law.going)
        return -(-total // 100)

    def _fits(self, path: Sequence[Point], cost: int, spent: int) -> bool:
        """Within the limit, which a road makes longer (ff.area.roads).

        Ends are whole millimetres, so that a move of exactly the limit may come out a hair longer.
        """
        return cost <= self.most(path) + self.hair

    def most(self, path: Sequence[Point]) -> int:
        """How long this way may be."""
        on_road = bool(self.bonus) and runs_on(self.land, path, (ROAD,))
        return self.limit + (self.bonus if on_road else 0)

    def _climb(self, place: int) -> int | str:
        """One floor up or down costs range 1 (ff.open.height_levels, bf.move.floors)."""
        floor = self.floor_cost
        here = self.body.floor if self.body.inside is not None else 0
        there = floor_of(place)
        if not there and not here:
            return 0
        building = self.state.table.building_at(place)
        if there and (building is None or there >= building.floors or not self.unit.is_infantry):
            return "there is no such floor"
        if building is not None and building.id == self.body.inside:
            return abs(there - here) * floor
        return (there + here) * floor

    @property
    def floor_cost(self) -> int:
        """What a floor costs (tenths)."""
        return int(self.state.table.measures.range)

    def flood(self) -> Reach:
        """Everything in reach round corners, on a lattice."""
        if self._flood is None:
            pace = max(20, self.limit // (10 * FLOOD))
            far = self.limit + self.bonus + self.hair
            self._flood = reach(self.land, self.body, far, self.law.going, self.crowd, pace, self.mire)
        return self._flood

    def drawn_flood(self) -> Reach:
        """The same on a lattice fine enough to be looked at."""
        pace = max(12, self.limit // (10 * DRAWN))
        far = self.limit + self.bonus + self.hair
        return reach(self.land, self.body, far, self.law.going, self.crowd, pace, self.mire)

    # -- as a region --------------------------------------------------------------------------------

    @property
    def costs(self) -> dict[int, int]:
        """Listed once for a position, whoever asks: players come back to it in thought."""
        if self._costs is None:
            plain = self._plain()
            if plain is None:
                self._costs = self.listed()
                return self._costs
            state, unit = self.state, self.unit
            known = state.table.positions.of(state.units).reaches
            key = (type(self), unit.id, unit.flags, state.phase, self.limit, self.bonus, *plain)
            costs = known.get(key)
            if costs is None:
                costs = known[key] = self.listed()
            self._costs = costs
        return self._costs

    def _plain(self) -> tuple[int, ...] | None:
        """What the list depends on besides the position; None where it depends on more than a few numbers."""
        state, unit = self.state, self.unit
        stands = type(self.origin) is Origin and unit.where and self.body is self.ground.first(state, unit)
        return None if not stands or state.forts or unit.suppressed else ()

    def problem(self, place: int, heading: int) -> str | None:
        by_hand = getattr(place, "others", ()) or getattr(place, "way", ())
        stays = self.unit.where and place == self.unit.place and not by_hand
        if stays and type(self.origin) is Origin and (self.unit.is_infantry or heading == self.unit.facing):
            return None
        way = self.route(place)
        if isinstance(way, str):
            return way
        formation = self.ground.formation(self.state, self.unit, place, heading)
        return formation if isinstance(formation, str) else None

    def traced(self, place: int, bodies: Sequence[Body]) -> Trace:
        way = self.route(place)
        return Trace(bodies) if isinstance(way, str) else Trace(bodies, way[1], way[0], self.most(way[1]))

    def __bool__(self) -> bool:
        """Is there anywhere to go? (One spot is enough to know.)"""
        if self._costs is not None:
            return bool(self._costs)
        return any(self.problem(place, self.usual(place)) is None for place in self._lattice())

    def listed(self) -> dict[int, int]:
        costs: dict[int, int] = {}
        for place in self._lattice():
            if self.problem(place, self.usual(place)) is None:
                way = self.route(place)
                costs[place] = 0 if isinstance(way, str) else way[0]
        near = sorted(costs.items(), key=lambda item: (item[1], item[0]))
        return {place: self.state.table.measures.ranges(cost) for place, cost in near}

    def _lattice(self) -> Iterator[int]:
        x, y = self._middle()
        far = (self.limit + self.bonus) // 10
        if type(self.origin) is not Origin:
            far += 120
        pace = next(pace for most, pace in LATTICE if far <= most)
        table = self.state.table
        here = -1
        if self.unit.where and type(self.origin) is Origin:
            here = self.unit.place
            yield here
        for py in range(max(0, -(-(y - far) // pace) * pace), min(table.height, y + far) + 1, pace):
            for px in range(max(0, -(-(x - far) // pace) * pace), min(table.width, x + far) + 1, pace):
                if (px - x) ** 2 + (py - y) ** 2 <= far * far and at(px, py) != here:
                    yield at(px, py)
        yield from self._upstairs()

    def _upstairs(self) -> Iterator[int]:
        """The middles of floors of buildings near."""
        if not self.unit.is_infantry:
            return
        for piece in self.land.near(self.body, self.limit):
            for floor in range(piece.floors):
                x, y = piece.parts[0].centre
                yield at(x // 10, y // 10, floor)

    def _middle(self) -> Point:
        if isinstance(self.origin, FromHull):
            return self.origin.carrier.x, self.origin.carrier.y
        return self.body.x, self.body.y

    def anywhere(self, chance: Chance) -> tuple[int, int]:
        x, y = self._middle()
        far = self.limit if chance.randrange(3) else chance.randrange(max(1, self.limit) + 1)
        dx, dy = step(chance.randrange(360), max(0, far - 10))
        place = self.state.table.place(x + _whole(dx), y + _whole(dy))
        return place, 15 * chance.randrange(24)

    def facts(self) -> dict[str, Any]:
        x, y = self._middle()
        return super().facts() | {"start": [x, y], "reach": self.limit}

    # -- as the reach of squares ----------------------------------------------------------------------

    def cost(self, place: int) -> int:
        way = self.route(place)
        return 0 if isinstance(way, str) else way[0]

    def path(self, place: int) -> tuple[int, ...]:
        """The places of the way after its start."""
        way = self.route(place)
        points = () if isinstance(way, str) else way[1][1:]
        return tuple(at(x, y, floor_of(place)) for x, y in points)

    def hazards(self, place: int) -> tuple[str, ...]:
        """Wire, mines and fires on the way."""
        mask = self.land.mask_of(("wire", "minefield", "burning_wreck"))
        if not mask or self.flies:
            return ()
        legs = [((ax * 10, ay * 10), (bx * 10, by * 10)) for (ax, ay), (bx, by) in pairwise(self.points(place))]
        return tuple(piece.id for a, b in legs for piece, _ in self.land.stretches_in(a, b, mask))

    def points(self, place: int) -> tuple[Point, ...]:
        """The points of the way, its start first."""
        way = self.route(place)
        return () if isinstance(way, str) else way[1]


class ExitWays(Ways):
    """Out of a carrier; as on squares every end comes with its cost and the reach that leads there."""

    def items(self) -> Any:
        return [(place, (cost, self)) for place, cost in self.costs.items()]


class EntryWays(Ways):
    """Onto the table over its edge."""

    facing = 0

    def usual(self, place: int) -> int:
        return self.facing

    def _middle(self) -> Point:
        low_x, low_y, high_x, high_y = self.origin.boxes[0] if isinstance(self.origin, FromEdge) else (0, 0, 0, 0)
        return (low_x + high_x) // 2, (low_y + high_y) // 2

    def _lattice(self) -> Iterator[int]:
        table = self.state.table
        assert isinstance(self.origin, FromEdge)
        far = self.limit // 10
        for low_x, low_y, high_x, high_y in self.origin.boxes:
            for y in range(max(0, low_y - far), min(table.height, high_y + far) + 1, 60):
                for x in range(max(0, low_x - far), min(table.width, high_x + far) + 1, 60):
                    yield at(x, y)

    def anywhere(self, chance: Chance) -> tuple[int, int]:
        places = list(self.costs)
        return places[chance.randrange(len(places))], self.usual(0)


def _whole(tenths: int) -> int:
    return tenths // 10 if tenths >= 0 else -(-tenths // 10)
