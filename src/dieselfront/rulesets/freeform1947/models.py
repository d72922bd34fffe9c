"""Leaders: who leads a unit, his command circle, and how the others close up round him (ff.move.*, ff.damage.*)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from heapq import heapify, heappop

from msgspec import UnsetType

from dieselfront.rulesets.dust.state import ON_BOARD, DustState, Unit
from dieselfront.rulesets.dust1947.fortifications import BUNKER
from dieselfront.rulesets.dust_open.forts import KINDS, fort_at
from dieselfront.rulesets.dust_open.models import ONE_BASE, SINGLE, Figure, Models
from dieselfront.rulesets.dust_open.places import Point, xy
from dieselfront.rulesets.dust_open.table import OpenTable
from dieselfront.rulesets.freeform1947.driving_in import gates
from dieselfront.rulesets.freeform1947.forts import admits
from dieselfront.rulesets.freeform1947.places import CIRCLE
from dieselfront.table.measured.formation import Circle, Coherency
from dieselfront.table.measured.placement import Keep, Places, keeps_from_centres, offsets
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.terrain import Stand


class Led(Models):
    """Units as models round their leaders; the first figure of a unit leads it (ff.move.leader_model)."""

    def together(self, state: DustState, unit: Unit) -> Coherency:
        """Every base touches the command circle of the leader (ff.move.circle)."""
        return Circle(CIRCLE)

    def first_figure(self, unit: Unit, models: list[Figure]) -> Figure:
        """A joined hero leads (ff.move.hero_leader), else the model sculpted as leader, else the first."""
        for part in unit.parts[1:]:
            if part.card.kind == "hero" and (part.card.id, SINGLE) in models:
                return part.card.id, SINGLE
        for role in ("leader", "officer"):
            for part in unit.parts:
                for soldier in () if self.one_body(part) else part.alive:
                    if role in part.card.soldiers[soldier].roles:
                        return part.card.id, soldier
        return models[0]

    def has_circle(self, unit: Unit) -> bool:
        """Leaders of infantry and lone infantrymen have a command circle, guns and vehicles none.

        ff.open.single_models.
        """
        if not unit.is_infantry or not unit.figures:
            return False
        card, soldier = unit.figures[0]
        return soldier != SINGLE or any(part.card.id == card and part.card.kind == "hero" for part in unit.parts)

    def leader(self, state: DustState, unit: Unit) -> Body:
        """The model from which movement, sight and range of a unit are judged (ff.scope.leader)."""
        return self.first(state, unit)

    def highest(self, table: OpenTable, place: int) -> int:
        """A roof lies above the top floor, and a plinth has but its top (d47.terrain.building_floors)."""
        stage = table.stage_at(place)
        return 0 if stage is None else max(1, stage.floors)

    def measuring(self, state: DustState, unit: Unit) -> list[Body]:
        """Only leaders, hulls and guns measure (ff.range.leader)."""
        return self.bodies(state, unit)[:1]

    def circle(self, unit: Unit) -> float | UnsetType:
        return CIRCLE / 10 if self.has_circle(unit) else 0

    def zoned(self, bodies: Sequence[Body]) -> Sequence[Body]:
        """The leader is set down inside, the others round him."""
        return bodies[:1]

    def leaders(self, state: DustState, but: Unit) -> list[Body]:
        """All other leaders with a command circle."""
        known = state.table.positions.of(state.units).leaders
        leaders: list[Body] | None = known.get(but.id)
        if leaders is None:
            leaders = known[but.id] = [
                self.leader(state, unit)
                for unit in state.units
                if unit.status == ON_BOARD and unit is not but and self.has_circle(unit)
            ]
        return leaders

    def first_problem(self, state: DustState, unit: Unit, first: Body, places: Places) -> str | None:
        """Besides what stops everybody: leaders keep out of each other's circles."""
        problem = super().first_problem(state, unit, first, places)
        if problem is not None:
            return problem
        circled = unit.is_infantry and self._would_have_circle(unit)
        near = [body for body in self.leaders(state, unit) if body.floor == first.floor] if circled else []
        if not keeps_from_centres(first, near, CIRCLE):
            return "a leader may not end inside the circle of another (ff.move.leader_circles)"
        return None

    def _would_have_circle(self, unit: Unit) -> bool:
        return self.has_circle(unit) if unit.figures else unit.card.kind not in ONE_BASE or len(unit.parts) > 1

    # -- fortifications ------------------------------------------------------------------------------

    def places(self, state: DustState, unit: Unit, first: Body | None = None, own: Sequence[Body] = ()) -> Places:
        """A unit is inside a fortification with all of its models or with none (d47.fort.area, d47.fort.full)."""
        places = super().places(state, unit, first, own)
        if first is not None and first.inside is not None and unit.is_vehicle and not unit.is_aircraft:
            return self._garage(state, first, places)
        fort = fort_at(state, first.x, first.y) if first is not None and unit.is_infantry else None
        if fort is None or not admits(state, unit, fort):
            return places
        outside = tuple(kind for kind in places.no_entry if kind not in KINDS)
        piece = state.table.land.piece(fort.id)
        test = places.test
        return Places(
            places.table,
            outside,
            places.crowd,
            test=lambda body: piece.stand(body) is Stand.WHOLLY and (test is None or test(body)),
        )

    def _garage(self, state: DustState, hull: Body, places: Places) -> Places:
        """A hull stands wholly inside a building that it can drive into (d47.terrain.opening_large)."""
        piece = state.table.land.piece(str(hull.inside))
        fits = bool(gates(piece, hull))
        inside = Stand.WHOLLY
        return Places(
            places.table, places.no_entry, places.crowd, test=lambda body: fits and piece.stand(body) is inside
        )

    def may_stand(self, state: DustState, unit: Unit, place: int) -> bool:
        """Nobody is set down in a bunker from elsewhere: one goes in through its doors (d47.fort.bunker_walls)."""
        fort = fort_at(state, *xy(place)) if state.forts else None
        if fort is not None and fort.kind == BUNKER and not unit.on_board:
            return False
        return super().may_stand(state, unit, place)

    # -- closing up ----------------------------------------------------------------------------------

    def close_up(self, state: DustState, unit: Unit, leader: int) -> None:
        """A new leader, and the others by the shortest way into his circle (ff.damage.restore_move)."""
        order = [leader, *(number for number in range(len(unit.where)) if number != leader)]
        bodies = self.bodies(state, unit)
        wanted = [bodies[number] for number in order]
        unit.figures = tuple(unit.figures[number] for number in order)
        unit.where = tuple(unit.where[number] for number in order)
        unit.place = unit.where[0]
        if not Circle(CIRCLE).broken(wanted):
            return
        formation = self._drawn(state, unit, wanted)
        if formation is None:
            formation = self.pressed(state, unit, unit.where[0])
        self._stand(state, unit, formation)

    def _drawn(self, state: DustState, unit: Unit, wanted: list[Body]) -> list[Body] | None:
        """Those outside the circle drawn straight to its edge, the others where they are."""
        circle = Circle(CIRCLE)
        leader = wanted[0]
        near = [wanted[0], *(body for body in wanted[1:] if circle.admits(body, [leader]))]
        places = self.places(state, unit, leader, near)
        placed = {body.key: body for body in near}
        for body in wanted[1:]:
            if body.key in placed:
                continue
            spot = self._nearest(state, leader, body, places, circle)
            if spot is None:
                return None
            placed[body.key] = spot
            places.crowd.add(Keep(spot))
        return [placed[body.key] for body in wanted]

    def _nearest(self, state: DustState, leader: Body, body: Body, places: Places, circle: Circle) -> Body | None:
        """The legal place touching the circle that is nearest to where a model stands."""
        reach = (CIRCLE + body.radius) // 10
        spots = [
            ((leader.x + dx - body.x) ** 2 + (leader.y + dy - body.y) ** 2, leader.y + dy, leader.x + dx)
            for dx, dy in disc_points(reach)
        ]
        heapify(spots)  # most often one of the first will do
        while spots:
            _, y, x = heappop(spots)
            if 0 <= x <= state.table.width and 0 <= y <= state.table.height:
                moved = self._again(state.table, leader, Body(body.shape, x, y, 0, 0, body.key))
                if circle.admits(moved, [leader]) and places.is_legal(moved):
                    return moved
        return None


@cache
def disc_points(radius: int) -> tuple[Point, ...]:
    """Points every few millimetres on a disc."""
    return ((0, 0), *((dx * 3, dy * 3) for dx, dy in offsets(radius // 3)))
