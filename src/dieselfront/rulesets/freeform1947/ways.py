"""Ways of freeform games: circles of leaders, slow terrain by the inch, no advance while suppressed (ff.move.*)."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from itertools import pairwise
from typing import Any

from dieselfront.rulesets.dust.state import ON_BOARD, DustState, Unit
from dieselfront.rulesets.dust1947.fortifications import BUNKER
from dieselfront.rulesets.dust_open import ways
from dieselfront.rulesets.dust_open.forts import fort_at
from dieselfront.rulesets.dust_open.models import NO_FLOOR
from dieselfront.rulesets.dust_open.places import Point, at, floor_of, xy
from dieselfront.rulesets.dust_open.table import OpenTable
from dieselfront.rulesets.freeform1947.driving_in import Gate, gates
from dieselfront.rulesets.freeform1947.forts import doors_open_to
from dieselfront.rulesets.freeform1947.places import CIRCLE, INCH
from dieselfront.table.measured.corners import Corners
from dieselfront.table.measured.movement import FREE, leg_is_free, stretches_inside, terrain_masks
from dieselfront.table.measured.placement import Crowd, Keep
from dieselfront.table.measured.shapes import Body, distance_from_line, distance_from_point
from dieselfront.table.measured.terrain import Piece


class FreeWays(ways.Ways):
    """A move of the leader; he and hulls stay out of enemy circles."""

    def __init__(
        self, ground: Any, state: DustState, unit: Unit, limit: int, bonus: int = 0, start: ways.Origin | None = None
    ) -> None:
        super().__init__(ground, state, unit, limit, bonus, start)
        self.floor = self.body.floor
        self._corners: Corners | None = None
        self._climbs: dict[tuple[int, str], FreeWays] | None = {}
        self.threat = self._threat() if unit.suppressed else None
        if state.forts and not self.flies:
            self._enter_forts(state, unit)

    def _enter_forts(self, state: DustState, unit: Unit) -> None:
        """Fortifications are closed but to those who may be inside (d47.fort.infantry_only, d47.fort.full)."""
        doors = doors_open_to(state, unit, walks=type(self.origin) is ways.Origin)
        if doors:
            self.law = copy(self.law)
            self.law.going = replace(self.law.going, allowed=doors)
            self.barred = terrain_masks(self.land, self.law.going)[1]

    # -- floors -------------------------------------------------------------------------------------

    def route(self, place: int) -> tuple[int, tuple[Point, ...]] | str:
        climb = self._climbing(place)
        if climb is not None:
            return climb.route(place)
        within = self._driven_through(place)
        return super().route(place) if within is None else self._drive(int(place), *within)

    # -- vehicles in buildings ----------------------------------------------------------------------

    def _driven_through(self, place: int) -> tuple[Piece | None, Piece | None] | None:
        """The buildings in which a vehicle begins and ends its move; None for all other moves."""
        if not self.unit.is_vehicle or self.flies or not self.land.building_mask:
            return None
        table: OpenTable = self.state.table
        starts = type(self.origin) is ways.Origin and self.body.inside is not None
        start = self.land.piece(str(self.body.inside)) if starts else None
        goal = table.building_at(int(place))
        return None if start is None and goal is None else (start, goal)

    def _drive(self, place: int, start: Piece | None, goal: Piece | None) -> tuple[int, tuple[Point, ...]] | str:
        """The shortest way of a vehicle by openings as wide as its hull (d47.terrain.opening_large)."""
        known = self._routes.get(place)
        if known is None:
            known = self._routes[place] = self._shortest_drive(place, start, goal)
        return known

    def _shortest_drive(
        self, place: int, start: Piece | None, goal: Piece | None
    ) -> tuple[int, tuple[Point, ...]] | str:
        climb = self._climb(place)
        if isinstance(climb, str):  # vehicles stay on the ground floor (d47.terrain.building_floors)
            return climb
        paths = [self._whole(start, goal, leaves, enters, xy(place)) for leaves, enters in self._gates(start, goal)]
        costs = [(self._cost(path), path) for path in paths if path is not None]
        if not costs:
            return f"no opening there is wide enough for it ({self.ground.cites['blocked']}, d47.terrain.opening_large)"
        cost, path = min(costs)
        return self._checked(cost, path) if self._fits(path, cost, 0) else self._too_far(cost)

    def _gates(self, start: Piece | None, goal: Piece | None) -> list[tuple[Gate | None, Gate | None]]:
        """By which openings it could go: out of one building, into another."""
        if start is goal:
            return [(None, None)]
        leaves: list[Gate | None] = [None] if start is None else [*gates(start, self.body)]
        enters: list[Gate | None] = [None] if goal is None else [*gates(goal, self.body)]
        return [(one, other) for one in leaves for other in enters]

    def _whole(
        self, start: Piece | None, goal: Piece | None, leaves: Gate | None, enters: Gate | None, end: Point
    ) -> tuple[Point, ...] | None:
        """A way through these openings; None if something is in it."""
        here = (self.body.x, self.body.y)
        if start is goal:
            return (here, end) if self._clear(here, end) else None
        head = (here,) if leaves is None else (here, leaves.inside, leaves.outside)
        tail = (end,) if enters is None else (enters.outside, enters.inside, end)
        between = self._between(head[-1], tail[0])
        if between is None:
            return None
        indoors = [*pairwise(head), *pairwise(tail)]
        return (*head[:-1], *between, *tail[1:]) if all(self._clear(a, b) for a, b in indoors) else None

    def _between(self, a: Point, b: Point) -> Sequence[Point] | None:
        """The part of a way under the open sky."""
        if self._is_free(a, b):
            return (a, b)
        far = self.limit + self.bonus + self.hair
        return Corners(self.land, self.body.at(*a), far, self.law.going, self.crowd, self.mire).path_to(*b)

    def _clear(self, a: Point, b: Point) -> bool:
        """Does nobody stand in the way inside?"""
        return leg_is_free(self.land, self.body.at(*a), self.body.at(*b), FREE, 0, self.crowd)

    def _climbing(self, place: int) -> FreeWays | None:
        """How a move is walked that begins or ends above the ground; None for all others.

        Buildings are entered and left at ground level; those on any floor between start and end are in the way.
        """
        there = floor_of(place)
        if self._climbs is None or not (there or self.floor) or self.flies:
            return None
        stage = self.state.table.stage_at(int(place))
        key = there, "" if stage is None else stage.id
        if key not in self._climbs:
            self._climbs[key] = self._made_for(there, stage)
        return self._climbs[key]

    def _made_for(self, there: int, stage: Piece | None) -> FreeWays:
        below = self._stage()
        stays = stage is not None and stage is below
        low, high = (min(there, self.floor) if stays else 0), max(there, self.floor)
        made = copy(self)
        made._climbs, made._corners, made._flood, made._routes = None, None, None, {}
        here = self.body
        made.body = Body(here.shape, here.x, here.y, here.heading, here.z, here.key, here.inside, low)
        climbed = tuple(piece.id for piece in (stage, below) if piece is not None and not piece.is_building)
        made.law = copy(self.law)
        made.law.going = replace(
            self.law.going, allowed=(*self.law.going.allowed, *climbed), walls="closed" if low else self.law.going.walls
        )
        made.barred = terrain_masks(self.land, made.law.going)[1]
        made.crowd = Crowd(keep for keep in ways.Ways._keeps(self) if low <= keep.body.floor <= high)
        return made

    def _stage(self) -> Piece | None:
        """What it stands in or on."""
        stage: Piece | None = self.state.table.stage_at(at(self.body.x, self.body.y, self.floor))
        return stage

    def _climb(self, place: int) -> int | str:
        """One floor up or down, onto a roof or a plinth costs range 1 (ff.open.height_levels, d47.babylon.plinth)."""
        here, there = self.floor, floor_of(place)
        if not there and not here:
            return 0
        if there and (there > self.ground.highest(self.state.table, place) or not self.unit.is_infantry):
            return NO_FLOOR
        stays = self.state.table.stage_at(int(place)) is self._stage()
        return (abs(there - here) if stays else there + here) * self.floor_cost

    def _keeps(self) -> list[Keep]:
        """Those on other floors do not stand in the way (ff.move.enemy_block)."""
        return [keep for keep in super()._keeps() if keep.body.floor == self.body.floor]

    # -- ways round ---------------------------------------------------------------------------------

    def around(self, goal: Point, blocked: bool) -> list[Point] | None:
        """The shortest way from corner to corner (ff.move.straight_measure); round slow ground by a lattice."""
        if not blocked:
            return self.flood().path_to(*goal) if self.slow else None
        if self._corners is None:
            far = self.limit + self.bonus + self.hair
            self._corners = Corners(self.land, self.body, far, self.law.going, self.crowd, self.mire)
        return self._corners.path_to(*goal)

    # -- what stands in the way ---------------------------------------------------------------------

    def kept_from(self, other: Unit, bodies: list[Body]) -> list[Keep]:
        """Enemy circles besides hulls and models (ff.move.enemy_block, ff.open.leader_circle_meaning)."""
        keeps = super().kept_from(other, bodies)
        enemy = other.side != self.unit.side and not self.mover.through_enemies
        if enemy and self.ground.has_circle(other):
            keeps.append(self._circle(bodies[0]))
        return keeps

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

    def objection(self, path: Sequence[Point]) -> str | None:
        if self.advances(path):
            return "a suppressed unit may not advance on the enemy (ff.suppress.no_advance)"
        if self.flies and self.state.forts and self._lands_in_bunker(path[-1]):
            return "one enters a bunker on foot, by its rear doors (d47.fort.bunker_walls)"
        return None

    def _lands_in_bunker(self, end: Point) -> bool:
        fort = fort_at(self.state, *end)
        return fort is not None and fort.kind == BUNKER and self.unit.is_infantry

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

    def _fits(self, path: Sequence[Point], cost: int, spent: int) -> bool:
        """Within the limit; where the move ends inside slow terrain the last stretch is rounded down.

        Slow terrain is measured at the edge of base or hull, from where it touches (ff.open.touch_or_inside). Ends are
        whole millimetres, so that a move of exactly the limit may come out a hair longer.

        ff.move.terrain_part, ff.move.multi_segments, ff.move.terrain_example, ff.open.rounding_step,
        ff.open.move_units.
        """
        limit = self.most(path)
        parts = stretches_inside(self.mire, path, self.law.slow) if self.slow else []
        ends_inside = bool(parts) and parts[-1][1]
        if cost > limit + (2 * self.hair if ends_inside else self.hair):
            return False
        if not ends_inside:
            return True
        last = parts[-1][0]
        left = limit + self.hair - (cost - 2 * last)
        return last <= left // (2 * INCH) * INCH + self.hair

    def _no_fit(self) -> str:
        return "the stretch inside slow terrain is rounded down to whole inches (ff.move.terrain_part)"


class FreeExits(FreeWays, ways.ExitWays):
    """Out of a carrier."""


class FreeEntry(FreeWays, ways.EntryWays):
    """Onto the table over its edge."""
