"""The ground of freeform games: range, sight and cover of a unit from its leader (ff.los.*, ff.range.*, ff.cover.*).

What models see of each other is described in dust_open/ground.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, ClassVar

import msgspec

from dieselfront.rulesets.dust.state import DustState, Unit
from dieselfront.rulesets.dust_open.forts import fort_of, in_bunker, on_blind_side, parted
from dieselfront.rulesets.dust_open.ground import (
    ARCS,
    BURST,
    Details,
    LateLine,
    OpenGround,
    OpenLine,
    Scene,
    Sort,
)
from dieselfront.rulesets.dust_open.models import Figure
from dieselfront.rulesets.dust_open.places import Point, xy
from dieselfront.rulesets.dust_open.position import Hulls
from dieselfront.rulesets.dust_open.table import OpenTable
from dieselfront.rulesets.freeform1947 import forts
from dieselfront.rulesets.freeform1947.models import Led
from dieselfront.rulesets.freeform1947.places import CIRCLE, INCH, MEASURES, RANGE
from dieselfront.rulesets.freeform1947.ways import FreeEntry, FreeExits, FreeWays
from dieselfront.table.measured.arcs import ALL_ROUND, Arc, in_arc
from dieselfront.table.measured.shapes import Body, distance, distance_from_point, nearest_first
from dieselfront.table.measured.sight import Eye, Sighting, SightRules, eye_of, first_seen
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import Sight
from dieselfront.table.square import Mover

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
MAIN_WEAPON = "d47.fort.main_weapon_arc"
BELOW = CIRCLE  # the same square as an aircraft: within 2" of its stand


MOST_LINES = 400
"""Lines are asked for again soon or never."""

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

    def mover(self, unit: Unit, state: DustState | None = None) -> Mover:
        """How the unit moves; out of a bunker one goes through its doors (d47.fort.bunker_walls)."""
        mover = self.mover_by_nature(unit, state)
        if state is not None and state.forts and mover.flying and in_bunker(state, unit):
            return msgspec.structs.replace(mover, flying=False)
        return mover

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

        ff.open.cc_range. Past the walls of a fortification only at its openings (d47.fort.cc_access).
        """
        past_walls = forts.in_contact(state, self, one, other) if state.forts else None
        if past_walls is not None:
            return past_walls and one.is_aircraft == other.is_aircraft
        if not self.near(state, one, other, 1) or one.is_aircraft != other.is_aircraft:
            return False
        mine = self.leader(state, one)
        if all(mine.floor != body.floor for body in self.bodies(state, other)):
            return False
        line = self.line(state, one, other, None, self.sight_blockers(state, one))
        return line.visible and line.distance <= 1

    def near(self, state: DustState, one: Unit, other: Unit, most: int) -> bool:
        """Within so many ranges; range 1 ends at the walls of a fortification (d47.fort.special_range1)."""
        if most <= 1 and state.forts and parted(state, one, other):
            return False
        return super().near(state, one, other, most)

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

    def outlook(self, state: Any, viewer: Unit, *places: Body) -> Any:
        """The position as a unit sees it: walkers, big vehicles and those upstairs look over huts, those inside a
        fortification out of it and others into it.

        d47.quonset.los, d47.open.quonset_walkers, d47.fort.strongpoint_view.
        """
        table = state.table
        if HUT in table.masks_by_kind() and self.eye(viewer, table) != "low":
            memory = table.memory
            if HUT not in memory:
                memory[HUT] = table.without(HUT)
            table = memory[HUT]
        if state.forts:
            table = forts.past_walls(table, forts.forts_round(state, ((body.x, body.y) for body in places)).values())
        return state if table is state.table else Scene(table, state.forts)

    def look(
        self, state: Any, viewer: Unit, mine: Body, target: Unit, body: Body, blockers: Any, arc: Arc = ALL_ROUND
    ) -> Sighting:
        return super().look(self.outlook(state, viewer, mine, body), viewer, mine, target, body, blockers, arc)

    def model_sees(self, state: Any, unit: Unit, figure: Figure, target: Unit, blockers: Any) -> bool:
        mine, theirs = self.bodies(state, unit)[unit.figures.index(figure)], self.first(state, target)
        return super().model_sees(self.outlook(state, unit, mine, theirs), unit, figure, target, blockers)

    def sees_spot(self, state: Any, mine: Body, place: int, blockers: Any, viewer: Unit) -> bool:
        speck = state.table.body(BURST, place, 0, "spot")
        if state.forts and on_blind_side(state, mine, speck, viewer, viewer):
            return False
        return super().sees_spot(self.outlook(state, viewer, mine, speck), mine, place, blockers, viewer)

    def sighting(
        self, state: Any, viewer: Any, mine: Body, target: Any, body: Body, blockers: Any, eyes: list[Eye]
    ) -> Sighting:
        """As on every open table, but for the blind side of a bunker (d47.fort.bunker_view)."""
        if state.forts and on_blind_side(state, mine, body, viewer, target):
            return Sighting(0, 0, 1, (), eye_of(mine))
        return super().sighting(state, viewer, mine, target, body, blockers, eyes)

    def is_sighted(
        self, state: Any, viewer: Any, mine: Body, target: Any, body: Body, blockers: Any, eyes: list[Eye]
    ) -> bool:
        if state.forts and on_blind_side(state, mine, body, viewer, target):
            return False
        return super().is_sighted(state, viewer, mine, target, body, blockers, eyes)

    def first_sighted(
        self, state: Any, viewer: Any, mine: Body, target: Any, bodies: Sequence[Body], blockers: Any, eyes: list[Eye]
    ) -> int:
        """Models that the same rules of sight hold for are looked at together."""
        if state.forts or viewer.is_aircraft or target.is_aircraft:
            return super().first_sighted(state, viewer, mine, target, bodies, blockers, eyes)
        land = state.table.land
        begun = 0
        while begun < len(bodies):
            radius, corners = bodies[begun].radius, bool(bodies[begun].corners)
            end = begun + 1
            while end < len(bodies) and bodies[end].radius == radius and bool(bodies[end].corners) == corners:
                end += 1
            alike = list(bodies[begun:end])
            rules = rules_between(state.table, mine, alike[0])
            number = first_seen(land, mine, alike, rules, blockers, eyes)
            if number >= 0:
                return begun + number
            begun = end
        return -1

    def _glance(self, state: Any, unit: Unit, mine: Body, other: Unit, body: Body, past: Sequence[Body]) -> Sighting:
        if state.forts and on_blind_side(state, mine, body, unit, other):
            return Sighting(0, 0, 1, (), eye_of(mine))
        return super()._glance(self.outlook(state, unit, mine, body), unit, mine, other, body, past)

    def tape_land(self, state: DustState, body: Body, end: Point) -> MeasuredTable:
        """Flames go out of a fortification and into it, not across."""
        if not state.forts:
            return super().tape_land(state, body, end)
        return forts.past_walls(state.table, forts.forts_round(state, ((body.x, body.y), end)).values()).land

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
        gun = None if arc == "all" else self._fixed_gun(state, unit, mount, mine)
        fire_arc = ALL_ROUND if arc == "all" or unit.is_infantry else ARCS[mount]
        in_front = theirs if fire_arc is ALL_ROUND else [body for body in theirs if in_arc(mine, fire_arc, body)]
        if gun is not None:
            in_front = [body for body in theirs if in_arc(gun, ARCS[mount], body)]
        if not in_front:
            reason = f"{target.name} is outside the weapon's arc"
            return OpenLine(99, False, refusal=(MAIN_WEAPON if gun is not None else "ff.arc.turn_first", reason))
        viewer = eyes or unit
        if state.forts and all(on_blind_side(state, looking, body, viewer, target) for body in in_front):
            far = MEASURES.ranges(min(distance(mine, body) for body in in_front))
            blind = f"{target.name} is on the blind side of a bunker"
            return OpenLine(far, False, refusal=("d47.fort.bunker_view", blind))
        if viewer.is_aircraft and not target.is_aircraft and distance(looking, in_front[0]) <= BELOW:
            below = (f"{target.name} is right below the aircraft",)
            return OpenLine(0, False, refusal=("d47.attack.arc.aircraft_below", *below))
        scene = self.outlook(state, viewer, looking, theirs[0])
        memory = scene.table.memory.setdefault("lines", {})
        hulls = blockers if isinstance(blockers, Hulls) else state.table.hulls(list(blockers))
        # the same models standing as they stood are the same objects, which the entry keeps alive
        key = (id(looking), id(mine), id(fire_arc), id(theirs), id(hulls), 0 if gun is None else gun.heading + 1)
        entry = memory.get(key)
        if entry is None or entry[1] != state.forts:
            if len(memory) > MOST_LINES:
                memory.clear()
            scenery = Scene(scene.table.bare, state.forts)
            judgement = self._judge(scenery, viewer, looking, fire_arc, mine, target, theirs, in_front, hulls)
            entry = memory[key] = (judgement, state.forts, looking, mine, theirs, hulls)
        judged: Judgement = entry[0]
        above = state.table.level(unit.where[0]) - state.table.level(target.place)
        details = partial(self._details, judged, target.name)
        return LateLine(judged.far, judged.is_visible, unit.where[0], above, judged.seen, details)

    def _fixed_gun(self, state: DustState, unit: Unit, mount: str | None, mine: Body) -> Body | None:
        """The main weapon of a strongpoint unit, turned the way its fortification faces (d47.fort.main_weapon_arc)."""
        fort = fort_of(state, unit) if state.forts and mount == "front" and unit.is_infantry else None
        return None if fort is None else mine.at(mine.x, mine.y, fort.facing)

    def _details(self, judgement: Judgement, name: str) -> Details:
        """Cover and reasons of what has been judged."""
        covered, reasons = judgement.covered()
        if not judgement.is_visible:
            return False, covered, reasons, self._unseen(name, reasons)
        return self.is_covered(judgement.target, judgement.models, len(covered)), covered, reasons, None

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

        reach = nearest_first(mine, in_front)
        ordered = in_front if len(in_front) == 1 else [in_front[number] for _, number in reach]
        first = self.first_sighted(scene, sorts[0], looking, sorts[1], ordered, blockers, eyes)
        ask = partial(self._covered, scene, sorts, looking, figures, theirs, blockers, eyes)
        far = MEASURES.ranges(reach[max(first, 0)][0])
        return Judgement(far, first >= 0, len(theirs), sorts[1], see, ask)

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


__all__ = ["ARCS", "FreeGround"]
