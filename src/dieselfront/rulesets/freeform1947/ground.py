"""The ground of freeform games: range, sight and cover of a unit from its leader (ff.los.*, ff.range.*, ff.cover.*).

What models see of each other is told in dust_open/ground.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, ClassVar

from dieselfront.rulesets.dust.state import DustState, Unit
from dieselfront.rulesets.dust_open.ground import (
    ARCS,
    Details,
    LateLine,
    OpenGround,
    OpenLine,
    Scene,
    Sort,
    places_of,
)
from dieselfront.rulesets.dust_open.models import Figure
from dieselfront.rulesets.dust_open.places import xy
from dieselfront.rulesets.dust_open.table import OpenTable
from dieselfront.rulesets.freeform1947.models import Led
from dieselfront.rulesets.freeform1947.places import CIRCLE, INCH, MEASURES, RANGE
from dieselfront.rulesets.freeform1947.ways import FreeEntry, FreeExits, FreeWays
from dieselfront.table.measured.arcs import ALL_ROUND, Arc, in_arc
from dieselfront.table.measured.shapes import Body, distance, distance_from_point
from dieselfront.table.measured.sight import Eye, Sighting, SightRules
from dieselfront.table.measured.terrain import Sight

THIN_WOODS_OPEN, ANY_LINE = "thin_woods_open", "any_line"
"""Readings of the rules of sight that a house may choose (ff.open.area_through, ff.los.large_building)."""


@cache
def sight_rules(more: int = 0, glance: bool = False, readings: tuple[str, ...] = ()) -> SightRules:
    """What hides whom; lines are drawn from middle to middle, the depth of area terrain is measured between bases."""
    return SightRules(
        columns=1 if glance else 3,
        rows=2 if glance else 3,
        area_through=THIN_WOODS_OPEN in readings,  # ff.los.area_behind, ff.open.area_through
        area_depth=RANGE + more,  # ff.los.area_length, ff.los.area_deep, ff.open.area_sum
        opening_reach=RANGE,  # ff.los.opening
        indoor_reach=3 * RANGE + more,  # ff.los.large_building
        indoor_for_all=ANY_LINE in readings,
        storeys=1,  # d47.terrain.floors_los
    )


def rules_between(table: OpenTable, mine: Body, body: Body, glance: bool = False) -> SightRules:
    """The rules of sight between two models; bases inside area terrain reach as far as their rims."""
    if not table.land.sight_mask:
        return sight_rules(0, glance)
    readings = table.measures.readings
    own = 0 if mine.corners or not _is_within(table, mine) else mine.radius
    return sight_rules(own + (0 if body.corners else body.radius), glance, readings)


def _is_within(table: OpenTable, body: Body) -> bool:
    """Does a model stand in something that hides by its depth?"""
    if body.inside is not None:
        return True
    return any(piece.kind.sight is Sight.AREA for piece, _ in table.land.standing(body))


HUT = "quonset_hut"
BELOW = CIRCLE  # the same square as an aircraft: within 2" of its stand


Covered = tuple[tuple[Figure, ...], tuple[Any, ...]]


class Judgement:
    """What a leader sees of a target: the range, and on demand the models seen, those covered and why."""

    __slots__ = ("_ask", "_covered", "_see", "_seen", "far", "is_visible", "models", "target")

    def __init__(
        self,
        far: int,
        is_visible: bool,
        models: int,
        target: Sort,
        see: Callable[[], tuple[Figure, ...]],
        ask: Callable[[tuple[Figure, ...]], Covered],
    ) -> None:
        self.far = far
        self.is_visible = is_visible
        self.models = models
        self.target = target
        self._see = see
        self._ask = ask
        self._seen: tuple[Figure, ...] | None = None
        self._covered: Covered | None = None

    def seen(self) -> tuple[Figure, ...]:
        """The models seen, in arc."""
        if self._seen is None:
            self._seen = self._see() if self.is_visible else ()
        return self._seen

    def covered(self) -> Covered:
        """The models in cover, and the reasons."""
        if self._covered is None:
            self._covered = self._ask(self.seen())
        return self._covered


class FreeGround(Led, OpenGround):
    """Questions about the open table, asked in terms of units and their leaders."""

    ways = FreeWays
    exits = FreeExits
    entry = FreeEntry

    cites: ClassVar[dict[str, str]] = {
        "arc": "ff.arc.turn_first",
        "below": "d47.attack.arc.aircraft_below",
        "beside": "ff.scope.convert",
        "blast": "ff.blast.infantry",
        "blocked": "ff.move.enemy_block, ff.move.vehicle_blocked_hull",
        "casualty": "ff.damage.order_ties",
        "deploy": "ff.scope.mode",
        "divide": "ff.damage.hero_leader",
        "facing": "ff.move.facing",
        "loop": "ff.move.aircraft_must",
        "march": "ff.move.march",
        "move": "ff.move.move",
        "overlap": "ff.move.no_overlap",
        "terrain": "ff.move.leader_path",
        "terrain_blocks": "ff.los.terrain",
        "together": "ff.move.circle",
        "too_far": "ff.move.move, ff.move.multi_segments",
        "unseen": "ff.attack.need_los",
        "vehicle_blocks": "ff.los.vehicles_block",
        "zone": "ff.scope.convert",
    }
    reason_rules: ClassVar[dict[str, str]] = {
        "blocks": "ff.los.terrain",
        "through": "ff.los.area_behind",
        "depth": "ff.los.area_length",
        "floor": "ff.los.walls",
        "reach": "ff.los.large_building",
        "storey": "d47.terrain.floors_los",
    }

    def length_label(self, tenths: int) -> str:
        return f'{tenths / INCH:.1f}"'

    def looks_from_middle(self, viewer: Unit, mine: Body) -> bool:
        """A leader looks from where he stands, a gun from its rim."""
        return viewer.is_infantry and self.has_circle(viewer)

    def sight_rules(self, table: OpenTable, mine: Body, body: Body, glance: bool = False) -> SightRules:
        return rules_between(table, mine, body, glance)

    def burst_rules(self) -> SightRules:
        return sight_rules()

    # -- distances ------------------------------------------------------------------------------

    def in_contact(self, state: DustState, one: Unit, other: Unit) -> bool:
        """Close combat reaches as far as range 1 from the leader to a model he sees, on his own floor.

        ff.open.cc_range.
        """
        if not self.near(state, one, other, 1) or one.is_aircraft != other.is_aircraft:
            return False
        mine = self.leader(state, one)
        if all(mine.floor != body.floor for body in self.bodies(state, other)):
            return False
        line = self.line(state, one, other, None, self.sight_blockers(state, one))
        return line.visible and line.distance <= 1

    def stands_at(self, state: DustState, unit: Unit, places: frozenset[int]) -> bool:
        """A marker is held within the command circle, or within 2" of a hull (ff.open.objectives)."""
        mine = self.leader(state, unit)
        for x, y in map(xy, places):
            if self.has_circle(unit):
                if (mine.x - x) ** 2 + (mine.y - y) ** 2 <= (CIRCLE // 10) ** 2:
                    return True
            elif distance_from_point(x * 10, y * 10, mine) <= CIRCLE:
                return True
        return False

    # -- sight ----------------------------------------------------------------------------------

    def outlook(self, state: Any, viewer: Unit) -> Any:
        """The position as a unit sees it: walkers, big vehicles and those upstairs look over huts.

        d47.quonset.los, d47.open.quonset_walkers.
        """
        if HUT not in state.table.masks_by_kind() or self.eye(viewer, state.table) == "low":
            return state
        memory = state.table.land.memory
        if HUT not in memory:
            memory[HUT] = state.table.without(HUT)
        return Scene(memory[HUT])

    def look(
        self, state: Any, viewer: Unit, mine: Body, target: Unit, body: Body, blockers: Any, arc: Arc = ALL_ROUND
    ) -> Sighting:
        return super().look(self.outlook(state, viewer), viewer, mine, target, body, blockers, arc)

    def model_sees(self, state: Any, unit: Unit, figure: Figure, target: Unit, blockers: Any) -> bool:
        return super().model_sees(self.outlook(state, unit), unit, figure, target, blockers)

    def sees_spot(self, state: Any, mine: Body, place: int, blockers: Any, viewer: Unit) -> bool:
        return super().sees_spot(self.outlook(state, viewer), mine, place, blockers, viewer)

    def _glance(self, state: Any, unit: Unit, mine: Body, other: Unit, body: Body, past: Sequence[Body]) -> Sighting:
        return super()._glance(self.outlook(state, unit), unit, mine, other, body, past)

    def line(
        self,
        state: DustState,
        unit: Unit,
        target: Unit,
        mount: str | None,
        blockers: Any,
        *,
        arc: Any = None,
        eyes: Unit | None = None,
    ) -> OpenLine:
        """Range, arc, sight and cover from leader, hull or base to the models of a target (ff.los.trace).

        ff.attack.viewpoint, ff.range.target_point.
        """
        mine = self.leader(state, unit)
        looking = mine if eyes is None else self.leader(state, eyes)
        theirs = self.bodies(state, target)
        fire_arc = ALL_ROUND if arc == "all" or unit.is_infantry else ARCS[mount]
        in_front = [body for body in theirs if fire_arc is ALL_ROUND or in_arc(mine, fire_arc, body)]
        if not in_front:
            reason = f"{target.name} is outside the weapon's arc"
            return OpenLine(99, False, refusal=("ff.arc.turn_first", reason))
        viewer = eyes or unit
        if viewer.is_aircraft and not target.is_aircraft and distance(looking, in_front[0]) <= BELOW:
            below = (f"{target.name} is right below the aircraft",)
            return OpenLine(0, False, refusal=("d47.attack.arc.aircraft_below", *below))
        scene = self.outlook(state, viewer)
        memory = scene.table.land.memory.setdefault("lines", {})
        key = (
            *_standing(looking), *_standing(mine), fire_arc.name, viewer.is_aircraft, target.is_aircraft,
            target.is_vehicle, target.where, target.facing, target.figures, places_of(blockers),
        )  # fmt: skip
        found = memory.get(key)
        if found is None:
            if len(memory) > 5_000:
                memory.clear()
            found = memory[key] = self._judge(
                Scene(scene.table), viewer, looking, fire_arc, mine, target, theirs, in_front, blockers
            )
        above = state.table.level(unit.where[0]) - state.table.level(target.place)
        details = partial(self._details, found, target.name)
        return LateLine(found.far, found.is_visible, unit.where[0], above, found.seen, details)

    def _details(self, found: Judgement, name: str) -> Details:
        """Cover and reasons of what has been judged."""
        covered, reasons = found.covered()
        if not found.is_visible:
            return False, covered, reasons, self._unseen(name, reasons)
        return self.is_covered(found.target, found.models, len(covered)), covered, reasons, None

    def _judge(
        self,
        scene: Scene,
        viewer: Unit,
        looking: Body,
        arc: Arc,
        mine: Body,
        target: Unit,
        theirs: list[Body],
        in_front: list[Body],
        blockers: Any,
    ) -> Judgement:
        """The range is that of the nearest model seen; the rest is found out when it is asked for (ff.range.all_in)."""
        eyes = self.eyes(viewer, looking, arc)
        sorts = Sort(viewer.is_aircraft, viewer.is_infantry), Sort(target.is_aircraft, target.is_infantry)

        def is_sighted(body: Body) -> bool:
            return self.is_sighted(scene, sorts[0], looking, sorts[1], body, blockers, eyes)

        figures = target.figures

        def see() -> tuple[Figure, ...]:
            pairs = zip(figures, theirs, strict=True)
            return tuple(figure for figure, body in pairs if body in in_front and is_sighted(body))

        reach = sorted((distance(mine, body), number) for number, body in enumerate(in_front))
        nearest = next((far for far, number in reach if is_sighted(in_front[number])), None)
        ask = partial(self._covered, scene, sorts, looking, figures, theirs, blockers, eyes)
        far = MEASURES.ranges(reach[0][0] if nearest is None else nearest)
        return Judgement(far, nearest is not None, len(theirs), sorts[1], see, ask)

    def _covered(
        self,
        scene: Scene,
        sorts: tuple[Sort, Sort],
        looking: Body,
        figures: tuple[Figure, ...],
        theirs: list[Body],
        blockers: Any,
        eyes: list[Eye],
        seen: tuple[Figure, ...],
    ) -> Covered:
        """The models in cover, those not seen or outside the arc among them, and why."""
        covered: list[Figure] = []
        reasons: list[Any] = []
        viewer, target = sorts
        for figure, body in zip(figures, theirs, strict=True):
            sighting = self.sighting(scene, viewer, looking, target, body, blockers, eyes)
            if figure not in seen or self.model_covered(scene, viewer, looking, target, body, sighting):
                covered.append(figure)
            reasons += [reason for reason in sighting.reasons if reason not in reasons]
        return tuple(covered), tuple(reasons)

    def is_covered(self, target: Unit | Sort, models: int, covered: int) -> bool:
        """Half of the models, rounded for the target and at least one; a vehicle is but one model.

        ff.cover.unit, ff.open.cover_half, ff.cover.doubt, ff.cover.vehicle.
        """
        return covered >= max(1, models // 2)


def _standing(body: Body) -> tuple[Any, ...]:
    return body.shape, body.x, body.y, body.heading, body.floor


__all__ = ["ARCS", "FreeGround"]
