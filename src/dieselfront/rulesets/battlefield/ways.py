"""Ways of Battlefield: every miniature within its Move, slowed by terrain as a whole (bf.move.*).

A miniature that moves into, through or out of terrain goes 20 cm at most in a MOVE and 40 cm in a MARCH MOVE,
whatever its rating. Each miniature is asked for itself (bf.open.terrain_cap_unit).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from dieselfront.rulesets.battlefield import forts
from dieselfront.rulesets.battlefield.clear_ground import ClearBlock, ClearGround
from dieselfront.rulesets.dust.state import DustState, Unit
from dieselfront.rulesets.dust_open import ways
from dieselfront.rulesets.dust_open.models import Figure
from dieselfront.rulesets.dust_open.places import Hand, Point, floor_of, xy
from dieselfront.table.measured.formation import arrange
from dieselfront.table.measured.movement import leg_is_free, passes_over, path_length
from dieselfront.table.measured.placement import Crowd, Keep
from dieselfront.table.measured.reach import Reach, reach
from dieselfront.table.measured.shapes import Body, overlaps

PLENTY = 8
"""Spots over clear ground that are choice enough: those at the edge of the table and beside friends are then left to
the players' own hands."""

SLOW_POINTS = 2
"""Points of Move that terrain leaves of a MOVE; a MARCH MOVE has twice as many (bf.move.terrain_limit)."""


SLOWED = "bf.move.terrain_limit"
HALT = "bf.move.terrain_halt"


class Gone:
    """How far the miniatures of a unit have come in the first part of a march, and which of them met terrain."""

    __slots__ = ("rough", "walked")

    def __init__(self, walked: Mapping[Figure, int], rough: frozenset[Figure]) -> None:
        self.walked = walked
        self.rough = rough


NOWHERE = Gone({}, frozenset())


class BattleWays(ways.Ways):
    """Where a move can end: the way of the first miniature, and the others each within its own limits."""

    hair = 5  # half a tenth of a centimetre

    def __init__(
        self, ground: Any, state: DustState, unit: Unit, limit: int, bonus: int = 0, start: ways.Origin | None = None
    ) -> None:
        super().__init__(ground, state, unit, limit, bonus, start)
        self.gone = NOWHERE
        self.cap = SLOW_POINTS * state.table.measures.range
        self.rough = 0 if self.flies else self._slowing()
        self._stands: dict[tuple[int, int], list[Body] | str] = {}
        self._floods: dict[Figure, Reach] = {}
        self._crowds: dict[Figure, Crowd] = {}
        self._in_the_way: list[Keep] | None = None
        self._clear: ClearGround | None = None
        self._looked_round = False

    def marching(self, points: int, gone: Gone = NOWHERE) -> BattleWays:
        """The same for a march: terrain leaves twice as much, and what was walked already counts."""
        self.cap = points * self.state.table.measures.range
        self.gone = gone
        return self

    # -- what stands in the way ---------------------------------------------------------------------

    def kept_from(self, other: Unit, bodies: list[Body]) -> list[Keep]:
        """Enemy miniatures, and vehicles for vehicles; gaps between miniatures are ways (bf.move.through_enemies).

        bf.move.through_friends, bf.move.under_aircraft, bf.move.aircraft_over_units.
        """
        if other.side != self.unit.side:
            return [Keep(body) for body in bodies]
        return [Keep(body) for body in bodies] if other.is_vehicle and self.unit.is_vehicle else []

    def objection(self, path: Sequence[Point]) -> str | None:
        if self.state.forts and not self.flies:
            return forts.way_problem(self.state, self.unit, path)
        return None

    # -- terrain ------------------------------------------------------------------------------------

    def _slowing(self) -> int:
        """The terrain that slows it down, looked up once for all who move in this way (bf.move.terrain_list)."""
        known = self.land.memory.setdefault("slowing", {})
        mask: int | None = known.get(self.mover)
        if mask is None:
            kinds = self.state.table.terrain
            mask = known[self.mover] = self.land.mask_of([id for id in kinds if _slows(kinds[id], self.mover)])
        return mask

    def is_rough(self, path: Sequence[Point], body: Body | None = None) -> bool:
        """Does a way begin in terrain, or lead into or through it, with any part of base or hull?

        bf.move.terrain_list.
        """
        if not self.rough:
            return False
        mine = self.body if body is None else body
        legs = pairwise(path) if len(path) > 1 else [(path[0], path[0])]
        return any(self._meets(mine.at(*a), mine.at(*b)) for a, b in legs)

    def _meets(self, a: Body, b: Body) -> bool:
        """Does a model come into terrain on a leg? What has walls is entered by the middle of a base."""
        walled = self.rough & (self.land.building_mask | self.land.mask_of(self.closed))
        if passes_over(self.land, a, b, self.rough & ~walled):
            return True
        start, end = (a.cx, a.cy), (b.cx, b.cy)
        if start != end:
            return bool(walled and self.land.stretches_in(start, end, walled))
        return any(self.land.parts_of(piece) & walled for piece in self.land.pieces_at(*start))

    def first_rough(self, path: Sequence[Point]) -> tuple[int, Point] | None:
        """Where a way first meets terrain: how far along (tenths), and the last point before it (mm)."""
        walked = 0
        for a, b in pairwise(path):
            if self._meets(self.body.at(*a), self.body.at(*b)):
                along, point = self._before(a, b)
                return walked + along, point
            walked += path_length([a, b])
        return None

    def _before(self, a: Point, b: Point) -> tuple[int, Point]:
        """The last millimetre of a leg before terrain, and how far along it is; the start if there is none."""
        start, length = self.body.at(*a), max(1, path_length([a, b]))

        def point(along: int) -> Point:
            return a[0] + (b[0] - a[0]) * along // length, a[1] + (b[1] - a[1]) * along // length

        steps = range(0, length + 1, 10)
        met = bisect_left(steps, True, lo=1, key=lambda along: self._meets(start, self.body.at(*point(along))))
        along = 0 if self._meets(start, start) else steps[met - 1]
        return along, point(along)

    def turns_into_rough(self, place: int, heading: int | None) -> bool:
        """Would a hull come into terrain by the way it is turned at the end?"""
        if not self.rough or not self.body.corners or heading is None or heading == self.body.heading:
            return False
        there = self.body.at(*xy(place), heading)
        return self._meets(there, there)

    def most(self, path: Sequence[Point]) -> int:
        """How long the way of the first miniature may be (bf.move.terrain_limit, bf.move.terrain_halt)."""
        figure = self.ground.figures_of(self.unit)[0]
        return self._most(figure, path, self.body)

    def _most(self, figure: Figure, path: Sequence[Point], body: Body) -> int:
        rough = figure in self.gone.rough or self.is_rough(path, body)
        walked = self.gone.walked.get(figure, 0)
        return min(self.limit, self.cap - walked) if rough else self.limit

    def _no_fit(self) -> str:
        """Terrain on the way is what makes it too far."""
        return f"terrain on the way leaves it {self.ground.length_label(self.cap)} ({SLOWED})"

    def _slow_limit(self) -> int:
        """How far the first miniature may still go in terrain."""
        figure = self.ground.figures_of(self.unit)[0]
        most: int = min(self.limit, self.cap - self.gone.walked.get(figure, 0)) + self.hair
        return most

    @property
    def floor_cost(self) -> int:
        """What is climbed counts as walked: the height of a floor (bf.move.floors)."""
        building = self.state.table.building_at(self._goal)
        return building.floor_height if building is not None else 0

    _goal = 0

    def _climb(self, place: int) -> int | str:
        self._goal = place
        return super()._climb(place)

    # -- over clear ground --------------------------------------------------------------------------

    closed = forts.KINDS
    """Terrain with walls of its own (bf.fort.bunker_walls)."""

    @property
    def clear(self) -> ClearGround | None:
        """What a shift of the whole unit could meet; None where that is no quick question."""
        if not self._looked_round:
            self._looked_round = True
            if self._may_shift():
                self._clear = ClearGround(self, self.ground.bodies(self.state, self.unit))
        return self._clear

    def _may_shift(self) -> bool:
        """Does the unit stand in the open and in formation, at the beginning of its way?"""
        unit = self.unit
        begins_here = type(self.origin) is ways.Origin and self.gone is NOWHERE and bool(unit.where)
        if not begins_here or self.slow or self.bonus:
            return False
        if unit.is_aircraft or unit.card.locomotion == "naval" or self.ground.figures_of(unit) != unit.figures:
            return False
        bodies = self.ground.bodies(self.state, unit)
        if any(body.inside is not None or body.floor for body in bodies):
            return False
        return len(bodies) == 1 or not self.ground.together(self.state, unit).broken(bodies)

    def shift(self, place: int) -> int | None:
        """What a shift over clear ground costs; None if it takes a closer look."""
        if floor_of(place) or isinstance(place, Hand):
            return None
        clear = self.clear
        cost = clear.cost(xy(place)) if clear is not None else None
        return cost if cost is not None and (cost <= self.cap or not self.rough) else None

    def listed(self) -> dict[int, int]:
        """Spots over clear ground, and those that take a closer look where they are not many."""
        costs: dict[int, int] = {}
        doubtful: list[int] = []
        for place in self._lattice():
            cost = self.shift(place)
            if cost is not None:
                costs[place] = cost
            elif not self.is_beyond(place):
                doubtful.append(place)
        if len(costs) > PLENTY:
            doubtful = [place for place in doubtful if self.deserves_a_look(place)]
        for place in doubtful:
            if self.problem(place, self.usual(place)) is None:
                costs[place] = self.cost(place)
        near = sorted(costs.items(), key=lambda item: (item[1], item[0]))
        return {place: self.state.table.measures.ranges(cost) for place, cost in near}

    def _plain(self) -> tuple[int, ...] | None:
        plain = super()._plain()
        return None if plain is None or self.gone is not NOWHERE else (*plain, self.cap)

    def is_beyond(self, place: int) -> bool:
        """Is it too far even as the crow flies?"""
        goal = xy(place)
        start, head = self.origin.of(goal)
        return path_length([start, goal]) + head > self.limit + self.bonus + self.hair

    def deserves_a_look(self, place: int) -> bool:
        """Is it terrain or a foe that is in the way, not the edge of the table or a friend?"""
        clear = self._clear
        return clear is None or not (clear.leaves_table(xy(place)) or clear.is_crowded(xy(place)))

    # -- the whole unit -----------------------------------------------------------------------------

    def problem(self, place: int, heading: int) -> str | None:
        if self.shift(place) is not None:
            return None
        problem = super().problem(place, heading)
        if problem is None and self.turns_into_rough(place, heading) and self.cost(place) > self._slow_limit():
            return f"it would turn into terrain after more than {self.ground.length_label(self.cap)} ({HALT})"
        if problem is not None or len(self.ground.figures_of(self.unit)) == 1 or type(self.origin) is not ways.Origin:
            return problem
        bodies = self.standing(place, heading)
        return bodies if isinstance(bodies, str) else None

    def standing(self, place: int, heading: int) -> list[Body] | str:
        """The unit as it would stand there, every miniature within its own limits (bf.move.formation)."""
        by_hand = bool(getattr(place, "others", ()))
        key = (int(place), heading)
        if by_hand or key not in self._stands:
            stand = self._standing(place, heading)
            if by_hand:
                return stand
            self._stands[key] = stand
        return self._stands[key]

    def _standing(self, place: int, heading: int) -> list[Body] | str:
        ground, state, unit = self.ground, self.state, self.unit
        bodies = ground.formation(state, unit, place, heading)
        if isinstance(bodies, str) or self._all_in_reach(bodies):
            return bodies  # type: ignore[no-any-return]
        if getattr(place, "others", ()):
            return "a miniature would go too far (bf.move.distance, bf.move.terrain_limit)"
        first = bodies[0]
        starts = dict(zip(unit.figures, map(xy, unit.where), strict=True))
        figures = ground.figures_of(unit)
        origins = [starts.get(figure, (first.x, first.y)) for figure in figures]
        places = ground.places(state, unit, first)
        dx, dy = first.x - origins[0][0], first.y - origins[0][1]
        wanted = [first]
        for body, (x, y) in zip(bodies[1:], origins[1:], strict=True):
            wanted.append(body.at(min(max(x + dx, 0), state.table.width), min(max(y + dy, 0), state.table.height)))
        tight = min(self.limit, self.cap)
        for most in dict.fromkeys((self.limit, tight)):
            arranged = arrange(wanted, places, ground.together(state, unit), origins, most, step=6)
            if arranged is not None:
                placed = [first, *(ground._again(state.table, first, body) for body in arranged[1:])]
                if self._all_in_reach(placed):
                    return placed
        return "the others cannot keep up with it (bf.move.distance, bf.move.formation)"

    def _all_in_reach(self, bodies: Sequence[Body]) -> bool:
        starts = dict(zip(self.unit.figures, self.unit.where, strict=True))
        for body in bodies[1:]:
            figure = body.key[1:] if isinstance(body.key, tuple) else None
            if figure not in starts:
                continue
            path = self.path_of(figure, body)
            if path is None:
                return False
            climbed = abs(body.floor - floor_of(starts[figure])) * self.floor_cost
            if path_length(path) + climbed > self._most(figure, path, body):
                return False
        return True

    def path_of(self, figure: Figure, body: Body) -> list[Point] | None:
        """The way of one of the others to where it would stand: straight, or round what is in its way."""
        start = xy(self.unit.where[self.unit.figures.index(figure)])
        goal = (body.x, body.y)
        if self.flies or start == goal:
            return [start, goal]
        here = body.at(*start)
        crowd = self._crowds.get(figure)
        if crowd is None:
            kept = [keep for keep in self._others_in_the_way() if keep.is_kept(here)]
            crowd = self._crowds[figure] = Crowd(kept)
        if leg_is_free(self.land, here, body.at(*goal), self.law.going, self.barred, crowd):
            return [start, goal]
        if figure not in self._floods:
            pace = max(20, self.limit // 50)
            self._floods[figure] = reach(self.land, here, self.limit, self.law.going, crowd, pace)
        return self._floods[figure].path_to(*goal)

    def _others_in_the_way(self) -> list[Keep]:
        if self._in_the_way is None:
            others = self.ground.others(self.state, self.unit)
            self._in_the_way = [keep for other, bodies in others for keep in self.kept_from(other, bodies)]
        return self._in_the_way

    def spots_of(self, place: int, heading: int | None) -> dict[Figure, Point]:
        """Where everybody would stand."""
        bodies = self.standing(place, self.unit.facing if heading is None else heading)
        if isinstance(bodies, str):
            return {}
        return {
            figure: (body.x, body.y) for figure, body in zip(self.ground.figures_of(self.unit), bodies, strict=True)
        }

    def after(self, place: int, heading: int | None) -> Gone:
        """How far everybody has come at the end of the way."""
        turned = self.unit.facing if heading is None else heading
        bodies = self.standing(place, turned)
        starts = dict(zip(self.unit.figures, self.unit.where, strict=True))
        walked: dict[Figure, int] = dict(self.gone.walked)
        rough = set(self.gone.rough)
        if isinstance(bodies, str):
            return self.gone
        for number, (figure, body) in enumerate(zip(self.ground.figures_of(self.unit), bodies, strict=True)):
            path = list(self.points(place)) if not number else self.path_of(figure, body) or [xy(starts[figure])]
            if len(path) > 1:
                walked[figure] = walked.get(figure, 0) + path_length(path)
                if self.is_rough(path, body):
                    rough.add(figure)
        return Gone(walked, frozenset(rough))


def _slows(kind: Any, mover: Any) -> bool:
    """Is it slowing terrain for a mover (bf.move.terrain_list, bf.vehicle.amphibious, bf.open.wire_vehicles)?"""
    if mover.amphibious and "amphibious" in kind.going:
        return bool(kind.going["amphibious"] == "slow")
    return bool(kind.going.get(mover.kind, kind.going.get("all", "ok")) == "slow")


class FreshWays(BattleWays):
    """Ways of a unit that is not on the table yet: it forms up where its first miniature arrives."""

    def problem(self, place: int, heading: int) -> str | None:
        if heading != self.usual(place):
            return ways.Ways.problem(self, place, heading)
        return super().problem(place, heading)

    def shift(self, place: int) -> int | None:
        """What the way costs where ground and way are clear; None if it takes a closer look."""
        if floor_of(place) or isinstance(place, Hand) or self.unit.is_aircraft:
            return None
        goal = xy(place)
        start, head = self.origin.of(goal)
        cost = max(0, path_length([start, goal]) + head)
        if cost > (min(self.limit, self.cap) if self.rough else self.limit):
            return None
        block = self.block
        return cost if block is not None and block.stands(goal) and block.comes(start, goal) else None

    def deserves_a_look(self, place: int) -> bool:
        """There is room enough elsewhere."""
        return False

    @property
    def block(self) -> ClearBlock | None:
        """The unit as it forms up; None where that is no quick question."""
        if not self._looked_round:
            self._looked_round = True
            self._block = block_of(self, self.usual(0), self.closed)
        return self._block

    _block: ClearBlock | None = None


def block_of(region: Any, heading: int, closed: tuple[str, ...] = forts.KINDS) -> ClearBlock | None:
    """A fresh unit in its block, for quick questions."""
    ground, state, unit = region.ground, region.state, region.unit
    if unit.is_aircraft or unit.card.locomotion == "naval" or unit.where:
        return None
    bodies = ground.block(state, unit, heading)
    if len(bodies) > 1 and (ground.together(state, unit).broken(bodies) or any_overlap(bodies)):
        return None
    return ClearBlock(region, bodies, closed)


def any_overlap(bodies: Sequence[Body]) -> bool:
    return any(overlaps(one, other) for place, one in enumerate(bodies) for other in bodies[:place])


class BattleExits(FreshWays, ways.ExitWays):
    """Out of a carrier: from its hull (bf.transport.dismount)."""


class BattleEntry(FreshWays, ways.EntryWays):
    """Onto the table from an arrival zone (bf.scenario.meeting_entry, bf.scenario.reserves_move)."""
