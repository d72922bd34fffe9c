"""Ways and regions of the open table: where a unit may be moved or set down (ff.move.*).

The answer to "where to?" is (x, y) in millimetres, (x, y, heading) for what has a front, (x, y, heading, floor) inside
a building; the points of all other models may follow as a fifth (ff.move.place_rest).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from itertools import pairwise
from typing import Any, Self

from dieselfront.kernel.decisions import Answer, Chance, IllegalChoice, PlaceFree, plain
from dieselfront.rulesets.dust.state import ON_BOARD, DustState, Unit
from dieselfront.rulesets.freeform1947.places import (
    CIRCLE,
    HEADINGS,
    INCH,
    MOST,
    RANGE,
    Hand,
    Point,
    at,
    floor_of,
    ranges,
    xy,
)
from dieselfront.rulesets.freeform1947.terrain import ROAD
from dieselfront.table.measured.angles import heading_of, step
from dieselfront.table.measured.movement import (
    extra_micrometres,
    leg_is_free,
    leg_micrometres,
    runs_on,
    stretches_inside,
    terrain_masks,
)
from dieselfront.table.measured.placement import Crowd, Keep
from dieselfront.table.measured.reach import Reach, reach
from dieselfront.table.measured.shapes import Body, distance_from_line, distance_from_point, outline

TRIES = 10
LATTICE = ((60, 20), (110, 34), (210, 50), (330, 75), (430, 100), (9_999, 150))
"""How far apart the points of a list of spots lie, by the length of the move (mm); they are the same for all units."""

FLOOD = 5  # steps of a flood to each side


# -- answers ----------------------------------------------------------------------------------------


def read(answer: Any) -> tuple[int, int | None]:
    """An answer as place and facing; points of the other models go with the place."""
    x, y, *more = answer
    heading = more[0] if more else None
    floor = more[1] if len(more) > 1 else 0
    place = at(x, y, floor)
    if len(more) > 2:
        place = Hand(place)
        place.others = tuple(more[2])
    return place, heading


def label(answer: Any) -> str:
    """An answer, or a place, in words."""
    if isinstance(answer, int):
        answer = (*xy(answer), 0, floor_of(answer))
    x, y, *more = answer
    turned = f" heading {more[0]}" if more and more[0] else ""
    floor = f" on floor {more[1]}" if len(more) > 1 and more[1] else ""
    return f"{x / 10:g}/{y / 10:g} cm{turned}{floor}"


class Spot(PlaceFree):
    """Where a unit goes; players may also answer with a place and a facing, as they do on squares."""

    __slots__ = ()

    region: Region

    @property
    def spots(self) -> Mapping[int, int]:
        """Good spots with what they cost."""
        return self.region.costs

    def facings(self, spot: int) -> Sequence[int | None]:
        """The facings possible on a spot."""
        return self.region.facings(spot)

    def check(self, answer: Answer) -> Answer:
        answer = plain(answer)
        tidy = self.region.tidy(answer)
        if tidy is None:
            raise IllegalChoice("expected x and y in millimetres, then a heading where it matters", self.rule or None)
        return super().check(tidy)


class Region(Mapping[int, int]):
    """Where a unit may be set down."""

    def __init__(self, ground: Any, state: DustState, unit: Unit) -> None:
        self.ground = ground
        self.state = state
        self.unit = unit
        self._costs: dict[int, int] | None = None

    def bound(self, state: DustState) -> Self:
        """The same region in a copy of its game: what was found out stays, but it looks at the copy's position."""
        if self.state is state:
            return self
        twin = copy(self)
        twin.state = state
        twin.unit = state.by_id[self.unit.id]
        return twin

    # -- what kinds of regions say for themselves -------------------------------------------------

    def problem(self, place: int, heading: int) -> str | None:
        """Why the unit may not be set down there."""
        raise NotImplementedError

    def listed(self) -> dict[int, int]:
        """A fair choice of legal spots with their costs."""
        raise NotImplementedError

    def anywhere(self, chance: Chance) -> tuple[int, int]:
        """Some place and heading, legal or not."""
        raise NotImplementedError

    # -- as a mapping of spots ----------------------------------------------------------------------

    @property
    def costs(self) -> dict[int, int]:
        if self._costs is None:
            self._costs = self.listed()
        return self._costs

    def __iter__(self) -> Iterator[int]:
        return iter(self.costs)

    def __len__(self) -> int:
        return len(self.costs)

    def __getitem__(self, place: int) -> int:
        return self.costs[place]

    def __bool__(self) -> bool:
        return bool(self.costs)

    def facings(self, place: int) -> Sequence[int | None]:
        if self.unit.is_infantry:
            return (None,)
        fitting = [heading for heading in HEADINGS if self.problem(place, heading) is None]
        return fitting or [self.usual(place)]

    def usual(self, place: int) -> int:
        """The way a unit looks there unless told otherwise."""
        return self.unit.facing

    # -- as a region of a decision ------------------------------------------------------------------

    def tidy(self, answer: Any) -> Answer | None:
        """An answer in its plain form, None if it is none."""
        if not isinstance(answer, tuple) or len(answer) < 2:
            return None
        if isinstance(answer[0], int) and answer[0] > MOST and len(answer) == 2:  # a place and a facing
            heading = answer[1] if isinstance(answer[1], int) else self.usual(answer[0])
            return self.told(answer[0], heading)
        numbers, others = answer[:4], answer[4:]
        if not all(isinstance(number, int) and not isinstance(number, bool) for number in numbers) or len(others) > 1:
            return None
        x, y = numbers[:2]
        floor = numbers[3] if len(numbers) > 3 else 0
        if not (0 <= x <= self.state.table.width and 0 <= y <= self.state.table.height and 0 <= floor < 16):
            return None
        heading = numbers[2] % 360 if len(numbers) > 2 else self.usual(at(x, y))
        if not others:
            return self.told(at(x, y, floor), heading)
        points = others[0]
        count = len(self.ground.figures_of(self.unit)) - 1
        if not isinstance(points, tuple) or len(points) != count or not all(map(_is_point, points)):
            return None
        return (x, y, heading, floor, points)

    def told(self, place: int, heading: int) -> tuple[int, ...]:
        """A place as the answer that stands for it."""
        x, y = xy(place)
        if floor_of(place):
            return (x, y, heading, floor_of(place))
        return (x, y) if self.unit.is_infantry else (x, y, heading % 360)

    def why_not(self, answer: Answer) -> str | None:
        place, heading = read(answer)
        return self.problem(place, self.usual(place) if heading is None else heading)

    def spots(self) -> list[Answer]:
        found: list[Answer] = []
        for place in self.costs:
            heading = self.unit.facing if self.unit.is_infantry else self.facing_for(place)
            found.append(self.told(place, heading))
        return found

    def facing_for(self, place: int) -> int:
        """Towards the nearest enemy where that is possible."""
        wanted = self.towards_enemy(place)
        return wanted if self.problem(place, wanted) is None else int(self.facings(place)[0] or 0)

    def towards_enemy(self, place: int) -> int:
        x, y = xy(place)
        foes = [xy(foe.place) for foe in self.state.on_board(1 - self.unit.side)]
        if not foes:
            return self.usual(place)
        fx, fy = min(foes, key=lambda foe: ((foe[0] - x) ** 2 + (foe[1] - y) ** 2, foe))
        return heading_of(fx - x, fy - y) if (fx, fy) != (x, y) else self.usual(place)

    def sample(self, chance: Chance) -> Answer:
        for _ in range(TRIES):
            place, heading = self.anywhere(chance)
            if self.problem(place, heading) is None:
                return self.told(place, heading)
        found = self.spots()
        return found[chance.randrange(len(found))]

    def facts(self) -> dict[str, Any]:
        return {"kind": "spot", "facing": self.usual(0), "spots": [list(spot) for spot in self.spots()]}


def _is_point(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(n, int) and 0 <= n <= MOST for n in value)


class Listed(Region):
    """Some places and no others."""

    def __init__(self, ground: Any, state: DustState, unit: Unit, places: Mapping[int, int], turns: Any) -> None:
        super().__init__(ground, state, unit)
        self._costs = dict(places)
        self.may_turn = turns if callable(turns) else lambda place: turns

    def problem(self, place: int, heading: int) -> str | None:
        if place not in self.costs:
            return "expected one of the places offered"
        found = self.ground.formation(self.state, self.unit, place, heading)
        return found if isinstance(found, str) else None

    def anywhere(self, chance: Chance) -> tuple[int, int]:
        places = list(self.costs)
        return places[chance.randrange(len(places))], chance.randrange(24) * 15


class Zone(Region):
    """A strip or field of the table in which the leader, or the whole hull, is set down (ff.scope.convert)."""

    def __init__(
        self, ground: Any, state: DustState, unit: Unit, boxes: Sequence[tuple[int, int, int, int]], facing: int
    ) -> None:
        super().__init__(ground, state, unit)
        self.boxes = tuple(boxes)
        self.facing = facing

    def usual(self, place: int) -> int:
        return self.facing

    def problem(self, place: int, heading: int) -> str | None:
        found = self.ground.formation(self.state, self.unit, place, heading)
        if isinstance(found, str):
            return found
        if not any(_is_in(box, found[0]) for box in self.boxes):
            return "that is not inside the deployment area (ff.scope.convert)"
        return None

    def listed(self) -> dict[int, int]:
        for pace in (90, 40, 15):
            found = {place: 0 for place in self._grid(pace) if self.problem(place, self.facing) is None}
            if found:
                return found
        return {}

    def _grid(self, pace: int) -> Iterator[int]:
        for low_x, low_y, high_x, high_y in self.boxes:
            for y in range(low_y + pace // 2, high_y + 1, pace):
                for x in range(low_x + pace // 2, high_x + 1, pace):
                    yield at(x, y)

    def anywhere(self, chance: Chance) -> tuple[int, int]:
        low_x, low_y, high_x, high_y = self.boxes[chance.randrange(len(self.boxes))]
        x = low_x + chance.randrange(high_x - low_x + 1)
        y = low_y + chance.randrange(high_y - low_y + 1)
        return at(x, y), self.facing

    def __bool__(self) -> bool:
        return self._costs != {} and (bool(self._costs) or self._has_room())

    def _has_room(self) -> bool:
        """Is there any room at all? (One spot is enough to know.)"""
        grids = (self._grid(pace) for pace in (90, 40, 15))
        return any(self.problem(place, self.facing) is None for grid in grids for place in grid)

    def facts(self) -> dict[str, Any]:
        boxes = zip(*self.boxes, strict=True)
        low_x, low_y, high_x, high_y = boxes
        return super().facts() | {"box": [min(low_x), min(low_y), max(high_x), max(high_y)], "facing": self.facing}


def _is_in(box: tuple[int, int, int, int], body: Body) -> bool:
    low_x, low_y, high_x, high_y = (side * 10 for side in box)
    if body.corners:
        return all(low_x <= x <= high_x and low_y <= y <= high_y for x, y in body.corners)
    return low_x <= body.cx <= high_x and low_y <= body.cy <= high_y


# -- ways -------------------------------------------------------------------------------------------


class Origin:
    """Where a move begins: for most, where the leader stands."""

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

    ff.move.less, ff.move.measure_point, ff.move.straight_measure, ff.move.large.
    """

    def __init__(
        self, ground: Any, state: DustState, unit: Unit, limit: int, bonus: int = 0, start: Origin | None = None
    ) -> None:
        super().__init__(ground, state, unit)
        self.limit = limit
        self.bonus = bonus
        self.mover = ground.mover(unit, state)
        self.law = ground.law(state, unit)
        self.origin = start or Origin(ground.leader(state, unit))
        self.body = self.origin.body
        self.flies = self.mover.flying or unit.is_aircraft
        self.land = state.table.land
        self.slow, self.barred = terrain_masks(self.land, self.law.going)
        self.crowd = Crowd(self._keeps())
        self.threat = self._threat() if unit.suppressed else None
        self._flood: Reach | None = None
        self._routes: dict[int, tuple[int, tuple[Point, ...]] | str] = {}

    # -- what stands in the way ---------------------------------------------------------------------

    def _keeps(self) -> list[Keep]:
        """Enemy circles, hulls and models; those one stands in already do not hold one there.

        ff.move.through_friends, ff.move.vehicle_vehicle, ff.move.enemy_block, ff.move.vehicle_blocked_hull,
        ff.open.leader_circle_meaning, ff.open.pass_vehicle, ff.move.aircraft_free.
        """
        if self.flies:
            return []
        found: list[Keep] = []
        unit, ground = self.unit, self.ground
        carrier = self.origin.carrier.key if isinstance(self.origin, FromHull) else None
        for other, bodies in ground.others(self.state, unit):
            enemy = other.side != unit.side and not self.mover.through_enemies
            if bodies[0].key == carrier:
                continue
            if other.is_vehicle and (unit.is_vehicle or enemy):
                found.append(Keep(bodies[0]))
            elif enemy and unit.is_vehicle:
                found += [Keep(body) for body in bodies]
            if enemy and ground.has_circle(other):
                found.append(self._circle(bodies[0]))
        standing = isinstance(self.origin, Origin) and type(self.origin) is Origin
        return [keep for keep in found if keep.is_kept(self.body)] if standing else found

    def _circle(self, leader: Body) -> Keep:
        """Hulls stay out of the circle, leaders with their middle."""
        own = 0 if self.unit.is_vehicle else self.body.radius
        return Keep(leader, max(0, CIRCLE - leader.radius - own), strict=False)

    def _threat(self) -> tuple[list[Body], int] | None:
        """The nearest enemy a suppressed unit sees, and how far away it is (ff.open.advance_towards)."""
        state, unit, ground = self.state, self.unit, self.ground
        if not unit.where:
            return None
        foes = [foe for foe in state.units if foe.side != unit.side and foe.status == ON_BOARD]
        foes.sort(key=lambda foe: ground.tenths(state, unit, foe))
        for foe in foes:
            if ground.sees(state, unit, foe):
                bodies = ground.bodies(state, foe)
                return bodies, min(distance_from_point(self.body.cx, self.body.cy, body) for body in bodies)
        return None

    def advances(self, path: Sequence[Point]) -> bool:
        """Does the way come nearer to that enemy at any point (ff.suppress.no_advance)?"""
        if self.threat is None:
            return False
        bodies, least = self.threat
        return any(
            distance_from_line(ax * 10, ay * 10, bx * 10, by * 10, body) < least
            for (ax, ay), (bx, by) in pairwise(path)
            for body in bodies
        )

    # -- ways ---------------------------------------------------------------------------------------

    def route(self, place: int) -> tuple[int, tuple[Point, ...]] | str:
        """What the way to a place costs (tenths) and its points, or why there is none."""
        found = self._routes.get(place)
        if found is None:
            found = self._routes[place] = self._route(place)
        return found

    def _route(self, place: int) -> tuple[int, tuple[Point, ...]] | str:
        goal = xy(place)
        start, head = self.origin.of(goal)
        climb = self._climb(place)
        if isinstance(climb, str):
            return climb
        spent = head + climb
        if goal == start:
            return (max(0, spent), (start,)) if spent <= self.limit else self._too_far(spent)
        direct = (start, goal)
        free = self._is_free(start, goal)
        if free and self._fits(direct, self._cost(direct) + spent, spent):
            return self._checked(max(0, self._cost(direct) + spent), direct)
        if type(self.origin) is Origin and not self.flies and (self.barred or self.slow or self.crowd.keeps):
            path = self.flood().path_to(*goal)
            if path is not None and self._fits(path, self._cost(path) + spent, spent):
                return self._checked(self._cost(path) + spent, tuple(path))
        if free and self._cost(direct) + spent <= self.limit:
            return "the stretch inside slow terrain is rounded down to whole inches (ff.move.terrain_part)"
        if not free:
            return "something is in the way (ff.move.enemy_block, ff.move.vehicle_blocked_hull)"
        return self._too_far(self._cost(direct) + spent)

    def _checked(self, cost: int, path: tuple[Point, ...]) -> tuple[int, tuple[Point, ...]] | str:
        if self.advances(path):
            return "a suppressed unit may not advance on the enemy (ff.suppress.no_advance)"
        return cost, path

    def _too_far(self, cost: int) -> str:
        return f'that would cost {cost / INCH:.1f}" of {self.limit / INCH:.1f}" (ff.move.move, ff.move.multi_segments)'

    def _is_free(self, a: Point, b: Point) -> bool:
        if self.flies:
            return True
        return leg_is_free(self.land, self.body.at(*a), self.body.at(*b), self.law.going, self.barred, self.crowd)

    def _cost(self, path: Sequence[Point]) -> int:
        """The length with slow stretches counted twice (ff.move.terrain_part, ff.move.multi_segments)."""
        total = 0
        for a, b in pairwise(path):
            length = leg_micrometres(a, b)
            total += length + extra_micrometres(self.land, a, b, length, self.slow, self.law.going)
        return -(-total // 100)

    def _fits(self, path: Sequence[Point], cost: int, spent: int) -> bool:
        """Within the limit; where the move ends inside slow terrain the last stretch is rounded down.

        ff.move.terrain_example, ff.open.rounding_step, ff.open.move_units.
        """
        limit = self.limit
        if self.bonus and runs_on(self.land, path, (ROAD,)):  # ff.area.roads
            limit += self.bonus
        if cost > limit:
            return False
        if not self.slow:
            return True
        parts = stretches_inside(self.land, path, self.law.slow)
        if not parts or not parts[-1][1]:
            return True
        last = parts[-1][0]
        left = limit - (cost - 2 * last)
        return last <= left // (2 * INCH) * INCH

    def _climb(self, place: int) -> int | str:
        """One floor up or down costs range 1 (ff.open.height_levels)."""
        here = self.body.floor if self.body.inside is not None else 0
        there = floor_of(place)
        if not there and not here:
            return 0
        building = self.state.table.building_at(place)
        if there and (building is None or there >= building.floors or not self.unit.is_infantry):
            return "there is no such floor"
        if building is not None and building.id == self.body.inside:
            return abs(there - here) * RANGE
        return (there + here) * RANGE

    def flood(self) -> Reach:
        """Everything in reach round corners, on a lattice."""
        if self._flood is None:
            pace = max(20, self.limit // (10 * FLOOD))
            self._flood = reach(self.land, self.body, self.limit + self.bonus, self.law.going, self.crowd, pace)
        return self._flood

    # -- as a region --------------------------------------------------------------------------------

    def problem(self, place: int, heading: int) -> str | None:
        stays = self.unit.where and place == self.unit.place and not getattr(place, "others", ())
        if stays and type(self.origin) is Origin and (self.unit.is_infantry or heading == self.unit.facing):
            return None
        way = self.route(int(place))
        if isinstance(way, str):
            return way
        found = self.ground.formation(self.state, self.unit, place, heading)
        return found if isinstance(found, str) else None

    def __bool__(self) -> bool:
        """Is there anywhere to go? (One spot is enough to know.)"""
        if self._costs is not None:
            return bool(self._costs)
        return any(self.problem(place, self.usual(place)) is None for place in self._lattice())

    def listed(self) -> dict[int, int]:
        found: dict[int, int] = {}
        for place in self._lattice():
            if self.problem(place, self.usual(place)) is None:
                way = self.route(place)
                found[place] = 0 if isinstance(way, str) else way[0]
        near = sorted(found.items(), key=lambda item: (item[1], item[0]))
        return {place: ranges(cost) for place, cost in near}

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
        way = self.route(int(place))
        return 0 if isinstance(way, str) else way[0]

    def path(self, place: int) -> tuple[int, ...]:
        """The places of the way after its start."""
        way = self.route(int(place))
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
        way = self.route(int(place))
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
