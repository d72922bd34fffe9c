"""The ground of Battlefield: range, sight and cover from every miniature to every other (bf.attack.*, bf.cover.*).

No leader and no circle: a unit keeps within 15 cm (bf.move.formation), and each of its miniatures measures, sees and is
covered for itself. What they see together is a `Survey`, worked out once for an aim; who fires, the groups that roll
apart and the miniatures that may be hit follow from it (attack.py, damage.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, ClassVar, NamedTuple

import msgspec

from dieselfront.rulesets.battlefield import forts
from dieselfront.rulesets.battlefield.places import SYSTEMS, close, formation
from dieselfront.rulesets.battlefield.ways import BattleEntry, BattleExits, BattleWays
from dieselfront.rulesets.dust.state import ABOARD, ON_BOARD, DustState, Unit
from dieselfront.rulesets.dust1947.weather import sight_limit
from dieselfront.rulesets.dust_open.ground import (
    ARCS,
    BURST,
    Details,
    LateLine,
    OpenGround,
    Scene,
    Sort,
    measures,
)
from dieselfront.rulesets.dust_open.models import Figure
from dieselfront.rulesets.dust_open.places import Measures, at, xy
from dieselfront.rulesets.dust_open.position import Hulls
from dieselfront.rulesets.dust_open.table import OpenTable
from dieselfront.table.measured.arcs import ALL_ROUND, Arc, in_arc
from dieselfront.table.measured.formation import AllWithin, Coherency, pattern_spots
from dieselfront.table.measured.formation import block as pattern
from dieselfront.table.measured.placement import Crowd, Keep, Places
from dieselfront.table.measured.shapes import Body, distance, distance_from_point, distances
from dieselfront.table.measured.sight import (
    Eye,
    Sighting,
    SightRules,
    eye_of,
    eyes_in_arc,
    first_seen,
    sees,
    sees_spot,
    sight,
)
from dieselfront.table.measured.terrain import stretched
from dieselfront.table.square import Mover


@cache
def sight_rules(point: int, glance: bool = False) -> SightRules:
    """Woods, smoke and buildings with openings are areas seen into by their edges.

    bf.attack.los_woods, bf.attack.los_smoke, bf.attack.los_inside_limit, bf.attack.los_walls, bf.open.deep_wood_los,
    bf.open.building_los.
    """
    return SightRules(
        columns=1 if glance else 3,
        rows=2 if glance else 3,
        edge_reach=point,
        area_depth=3 * point,
        closed_areas=forts.KINDS,  # bf.fort.los_block
        open_buildings=True,
    )


ACROSS_FORT = 10 * (forts.WIDE + forts.DEEP)
"""Farther than that (tenths) nobody inside a fortification is from its walls."""

MOST_SURVEYS = 300
"""Surveys are asked for again soon or never."""

BASE = 125
"""Half the base of a soldier (tenths): what is taken off where nobody stands yet."""


class View:
    """What one attacking miniature knows of a target unit; looks are taken when somebody asks for them."""

    __slots__ = ("_arc", "_covered", "_known", "_mine", "_watch", "far")

    def __init__(self, far: dict[Figure, int], watch: Any, mine: Body, arc: Arc) -> None:
        self.far = far
        """How far each miniature of the target is (tenths), those outside its arc left out."""
        self._watch = watch
        self._mine = mine
        self._arc = arc
        self._known: dict[Figure, bool] = {}
        self._covered: Covered | None = None

    def sees(self, figure: Figure) -> bool:
        """Does it see a miniature, in its arc?"""
        if figure not in self.far:
            return False
        seen = self._known.get(figure)
        if seen is None:
            seen = self._known[figure] = self._watch.sees(self._mine, self._arc, figure)
        return seen

    @property
    def seen(self) -> tuple[Figure, ...]:
        """Those it sees, in its arc."""
        return tuple(figure for figure in self.far if self.sees(figure))

    @property
    def covered(self) -> tuple[Figure, ...]:
        """Those in cover from it, the unseen ones included (bf.cover.no_los_counts)."""
        return self._details()[0]

    @property
    def reasons(self) -> list[Any]:
        """Why miniatures are hidden or in cover."""
        return self._details()[1]

    def _details(self) -> Covered:
        if self._covered is None:
            self._covered = self._watch.covered(self._mine, self._arc)
        return self._covered

    def has_valid(self, least: int, most: int) -> bool:
        """Is there anybody it could attack with a weapon that reaches from `least` to `most` tenths?"""
        known = self._known
        for figure, far in self.far.items():
            if least <= far <= most and (known.get(figure) if figure in known else self.sees(figure)):
                return True
        return False

    def valid(self, least: int, most: int) -> tuple[Figure, ...]:
        """Those it could attack with a weapon that reaches from `least` to `most` tenths (bf.damage.valid_targets)."""
        return tuple(figure for figure, far in self.far.items() if least <= far <= most and self.sees(figure))

    def nearest(self) -> int:
        """To the nearest miniature of the target (bf.attack.range_measure)."""
        return min(self.far.values(), default=1 << 30)


Covered = tuple[tuple[Figure, ...], list[Any]]
"""The miniatures in cover, and why."""


class Survey(NamedTuple):
    """What every miniature of a unit knows of a target."""

    views: dict[Figure, View]

    @property
    def reasons(self) -> tuple[Any, ...]:
        """Why miniatures are hidden or in cover, each reason once."""
        return tuple(dict.fromkeys(reason for view in self.views.values() for reason in view.reasons))


class BattleLine(LateLine):
    """The line of a unit or of a group of its firers, with what each of them sees."""

    __slots__ = ("_measure", "survey")

    _measure: Callable[[], tuple[int, bool]]

    def __init__(
        self,
        distance: int,
        visible: bool,
        *,
        refusal: tuple[str, str] | None = None,
        seen: tuple[Figure, ...] = (),
        survey: Survey | None = None,
    ) -> None:
        super().__init__(distance, visible, -1, 0, lambda: seen, lambda: (False, (), (), refusal))
        self.survey = survey

    @classmethod
    def late(
        cls,
        origin: int,
        survey: Survey,
        measure: Callable[[], tuple[int, bool]],
        see: Callable[[], tuple[Figure, ...]],
        find: Callable[[], Details],
    ) -> BattleLine:
        """A line of which nothing has been worked out yet."""
        line = cls.__new__(cls)
        line.origin, line.above, line.touched, line.survey = origin, 0, None, survey
        line._measure, line._see, line._find = measure, see, find
        return line

    def __getattr__(self, name: str) -> Any:
        if name in ("distance", "visible"):
            self.distance, self.visible = self._measure()
            return object.__getattribute__(self, name)
        return super().__getattr__(name)


class BattleGround(OpenGround):
    """Questions about the open table, asked miniature by miniature."""

    ways = BattleWays
    exits = BattleExits
    entry = BattleEntry

    cites: ClassVar[dict[str, str]] = {
        "arc": "bf.move.rotate_to_fire",
        "below": "bf.attack.los_trace",
        "beside": "bf.transport.destroyed_after",
        "blast": "bf.attack.blast_template",
        "blocked": "bf.move.through_enemies, bf.move.impassable",
        "casualty": "bf.damage.squad",
        "deploy": "bf.setup.scenario",
        "divide": "bf.hero.defend_together",
        "facing": "bf.move.turning",
        "loop": "bf.move.aircraft_first",
        "march": "bf.action.march",
        "move": "bf.action.move",
        "overlap": "bf.move.no_overlap",
        "terrain": "bf.move.impassable",
        "terrain_blocks": "bf.attack.los_blocked",
        "together": "bf.move.formation",
        "too_far": "bf.move.distance",
        "unseen": "bf.attack.los_trace",
        "vehicle_blocks": "bf.attack.los_blocked",
        "zone": "bf.setup.scenario",
    }
    reason_rules: ClassVar[dict[str, str]] = {
        "blocks": "bf.attack.los_walls",
        "through": "bf.attack.los_woods",
        "depth": "bf.attack.los_inside_limit",
        "floor": "bf.attack.los_walls",
        "area": "bf.cover.area_terrain",
        "screens": "bf.cover.definition",
        "opening": "bf.cover.area_terrain",
    }

    def length_label(self, tenths: int) -> str:
        return f"{tenths / 100:.1f} cm"

    # -- keeping together -----------------------------------------------------------------------

    def together(self, state: DustState, unit: Unit) -> Coherency:
        """Every miniature of infantry within 15 cm of every other; others are one model (bf.move.formation).

        It is asked when a unit is moved or set down, never because of losses (bf.move.formation_losses).
        """
        return AllWithin(formation(measures(state)))

    def places(self, state: DustState, unit: Unit, first: Body | None = None, own: Sequence[Body] = ()) -> Places:
        """Where miniatures may stand: clear of others on their floor, on either side of a wall (bf.move.no_overlap)."""
        floor = None if first is None or unit.is_aircraft else first.floor
        crowd = self.crowd(state, unit, floor)
        if own:
            near = (Keep(body) for body in own if floor is None or body.floor == floor)
            crowd = Crowd([*crowd.keeps, *near])
        test = None if first is None or not first.floor else _OnFloor(state.table, first).admits
        return Places(state.table.land, self.law(state, unit).no_end, crowd, test=test)

    def block(self, state: DustState, unit: Unit, heading: int) -> list[Body]:
        """The unit as it forms up far from everything, round a first miniature in the middle of the table."""
        table: OpenTable = state.table
        figures = self.figures_of(unit)
        x, y = table.width // 2, table.height // 2
        turned = 0 if unit.is_infantry else heading
        shape = self.shape(table, unit, figures[0])
        first = Body(shape, x, y, turned, 0, (unit.id, *figures[0]))
        spacing = max(self.shape(table, unit, figure).width for figure in figures) + 4
        points = pattern_spots(x, y, heading, pattern(len(figures), spacing, files=3))[1:]
        others = zip(figures[1:], points, strict=True)
        return [first, *(Body(self.shape(table, unit, f), px, py, 0, 0, (unit.id, *f)) for f, (px, py) in others)]

    def mover(self, unit: Unit, state: DustState | None = None) -> Mover:
        """How the unit moves; out of a bunker one goes through its doors (bf.fort.bunker_walls)."""
        mover = self.mover_by_nature(unit, state)
        if state is not None and state.forts and mover.flying and forts.in_bunker(state, unit):
            return msgspec.structs.replace(mover, flying=False)
        return mover

    def crosses_low_walls(self, unit: Unit, state: DustState | None = None) -> bool:
        """Low walls are slowing terrain like any other (bf.move.terrain_list)."""
        return True

    # -- distances ------------------------------------------------------------------------------

    def tenths(self, state: DustState, one: Unit, other: Unit) -> int:
        """Those aboard something are where it is."""
        if one.status == ABOARD:
            one = state.by_id[one.aboard]
        if other.status == ABOARD:
            other = state.by_id[other.aboard]
        return super().tenths(state, one, other)

    def blows_reach(self, state: DustState) -> int | None:
        """Within 5 cm, or that far from a wall of the box that one of them is in (bf.cc.reach, bf.fort.cc_reach)."""
        return close(measures(state)) + (ACROSS_FORT if state.forts else 0)

    def in_contact(self, state: DustState, one: Unit, other: Unit) -> bool:
        """Is any miniature within 5 cm of one of the other unit (bf.attack.range_close, bf.cc.reach)?

        bf.fort.cc_reach. Riders are where their vehicle is (bf.vehicle.tank_riders_cc).
        """
        if one.status == ABOARD:
            one = state.by_id[one.aboard]
        if other.status == ABOARD:
            other = state.by_id[other.aboard]
        past_walls = forts.in_contact(state, self, one, other) if state.forts else None
        if past_walls is not None:
            return past_walls
        if not one.where or not other.where or self.tenths(state, one, other) > close(measures(state)):
            return False
        return bool(self.fighters(state, one, other))

    def fighters(self, state: DustState, one: Unit, other: Unit) -> tuple[Figure, ...]:
        """The miniatures of a unit that are within 5 cm of one of the other unit, on the same floor (bf.cc.reach)."""
        reach = close(measures(state))
        theirs = self.bodies(state, other)
        fighters = []
        for figure, mine in zip(one.figures, self.bodies(state, one), strict=True):
            if any(self._touches(mine, body, reach) for body in theirs):
                fighters.append(figure)
        return tuple(fighters)

    def _touches(self, mine: Body, body: Body, reach: int) -> bool:
        return mine.floor == body.floor and distance(mine, body) <= reach

    def near(self, state: DustState, one: Unit, other: Unit, most: int) -> bool:
        """Within so many points; actions of range 1 end at the walls of a fortification (bf.fort.special_actions)."""
        if most <= 1 and state.forts and forts.parted(state, one, other):
            return False
        return super().near(state, one, other, most)

    def stands_at(self, state: DustState, unit: Unit, places: frozenset[int]) -> bool:
        """A miniature within 10 cm of the objective (bf.objective.capture)."""
        point = measures(state).range
        bodies = self.bodies(state, unit)
        return any(
            distance_from_point(x * 10, y * 10, body) <= point for x, y in map(xy, sorted(places)) for body in bodies
        )

    def hold_reach(self, state: DustState) -> int:
        """Range 1 of the marker (bf.objective.capture)."""
        return measures(state).range

    def spot_distance(self, state: DustState, spot: int, unit: Unit) -> int:
        """From a spot to a unit in points; none at all within reach of blows (bf.cc.reach)."""
        x, y = xy(spot)
        bodies = self.bodies(state, unit)
        gap = min(distance_from_point(x * 10, y * 10, body) for body in bodies) - BASE
        scale = measures(state)
        return 0 if gap <= close(scale) else scale.ranges(gap)

    # -- sight ----------------------------------------------------------------------------------

    def sight_rules(self, table: OpenTable, mine: Body, body: Body, glance: bool = False) -> SightRules:
        return sight_rules(table.measures.range, glance)

    def burst_rules(self) -> SightRules:
        return sight_rules(SYSTEMS["metric"].range)

    def sight_blockers(self, state: DustState, viewer: Unit) -> Any:
        """Vehicles and aircraft block, friend or foe; infantry never does (bf.attack.los_infantry_transparent)."""
        return self._hulls(state, viewer, "VA")

    def look(
        self, state: DustState, viewer: Unit, mine: Body, target: Unit, body: Body, blockers: Any, arc: Arc = ALL_ROUND
    ) -> Sighting:
        """How one miniature looks to another, from the best point of its body (bf.attack.los_trace).

        Whoever is seen sees (bf.attack.los_mutual). Aircraft are looked at where they fly, as vehicles are
        (bf.attack.aircraft_as_vehicles).
        """
        return self._best_look(state.table, mine, body, blockers, arc)

    def _best_look(self, table: OpenTable, mine: Body, body: Body, blockers: Any, arc: Arc) -> Sighting:
        rules = self.sight_rules(table, mine, body)
        past = [hull for hull in blockers if hull.key not in (body.key, mine.key)]
        sighting = sight(table.land, mine, body, rules, past, self.viewpoints(mine, body, arc))
        if not sighting.seen and sees(table.land, body, mine, rules, past, self.viewpoints(body, mine)):
            return Sighting(1, 0, sighting.total, sighting.reasons, sighting.eye)
        return sighting

    def _is_seen(self, table: OpenTable, mine: Body, body: Body, blockers: Any, arc: Arc) -> bool:
        """The same as `_best_look(...).is_seen`, sooner."""
        rules = self.sight_rules(table, mine, body)
        land = table.land
        if first_seen(land, mine, [body], rules, blockers, self.viewpoints(mine, body, arc)) == 0:
            return True
        return first_seen(land, body, [mine], rules, blockers, self.viewpoints(body, mine)) == 0

    def sighting(
        self,
        state: DustState | Scene,
        viewer: Unit | Sort,
        mine: Body,
        target: Unit | Sort,
        body: Body,
        blockers: Any,
        eyes: list[Eye],
    ) -> Sighting:
        return self._best_look(state.table, mine, body, blockers, ALL_ROUND)

    def is_sighted(
        self,
        state: DustState | Scene,
        viewer: Unit | Sort,
        mine: Body,
        target: Unit | Sort,
        body: Body,
        blockers: Any,
        eyes: list[Eye],
    ) -> bool:
        return self._is_seen(state.table, mine, body, blockers, ALL_ROUND)

    def viewpoints(self, mine: Body, body: Body, arc: Arc = ALL_ROUND) -> list[Eye]:
        """Points of a body from which it may look: all round a hull, the middle and both sides of a soldier."""
        if mine.corners:
            return eyes_in_arc(mine, arc) or [eye_of(mine)]
        x, y, z = eye_of(mine)
        dx, dy = body.cx - x, body.cy - y
        if not dx and not dy:
            return [(x, y, z)]
        sx, sy = stretched(-dy, dx, mine.shape.body * 10 // 3)
        return [(x, y, z), (x + sx, y + sy, z), (x - sx, y - sy, z)]

    def is_covered(self, target: Unit | Sort, models: int, covered: int) -> bool:
        """At least half of the miniatures of infantry; anything else is one miniature (bf.cover.half_unit)."""
        return covered > 0 and 2 * covered >= models

    def model_covered(
        self,
        state: DustState | Scene,
        viewer: Unit | Sort,
        mine: Body,
        target: Unit | Sort,
        body: Body,
        sighting: Sighting,
    ) -> bool:
        """In cover unless all of it is seen from some point without terrain between (bf.cover.definition).

        Being in or behind area terrain always covers (bf.cover.area_terrain); other miniatures never do. The area or
        building that the attacker stands in does not cover those outside it.
        """
        table: OpenTable = state.table
        if not target.is_aircraft:  # above terrain, never inside (bf.move.aircraft_terrain)
            if body.inside is not None and body.inside != mine.inside:
                return True
            for piece, _ in table.land.standing(body):
                if piece.kind.is_area and not piece.is_building and piece.overlaps(body):
                    return True
        own = {piece.id for piece, _ in table.land.standing(mine)} | {mine.inside}
        return any(
            not reason.is_model
            and reason.who not in own
            and table.terrain[self._kind(table, reason.who)].cover != "none"
            for reason in sighting.reasons
        )

    def _kind(self, table: OpenTable, who: object) -> str:
        return table.land.piece(str(who)).kind.id

    def survey(
        self,
        state: DustState,
        unit: Unit,
        target: Unit,
        mount: str | None,
        blockers: Any,
        arc: Any = None,
        eyes: Unit | None = None,
    ) -> Survey:
        """What each miniature of a unit knows of each one of a target, worked out once for a position.

        Distances run between bases and hulls (bf.attack.range_points).
        """
        fire_arc = self.fire_arc(state, unit, mount, arc)
        memory = state.table.memory.setdefault("surveys", {})
        hulls = blockers if isinstance(blockers, Hulls) else state.table.hulls(list(blockers))
        mine, theirs = self.bodies(state, unit), self.bodies(state, target)
        looking = mine if eyes is None else self.bodies(state, eyes)
        # the same models standing as they stood are the same lists, which the entry keeps alive
        key = (id(mine), id(looking), id(theirs), id(fire_arc), id(hulls))
        entry = memory.get(key)
        if entry is None or entry[1] != state.forts:
            if len(memory) > MOST_SURVEYS:
                memory.clear()
            survey = self._survey(state, unit, target, fire_arc, hulls, eyes)
            entry = memory[key] = (survey, state.forts, mine, looking, theirs, hulls)
        cached: Survey = entry[0]
        return cached

    def fire_arc(self, state: DustState, unit: Unit, mount: str | None, arc: Any = None) -> Arc:
        """All round for soldiers and turrets, by its mount for everything else.

        bf.attack.fof_infantry, bf.attack.fof_turret, bf.attack.fof_front, bf.attack.fof_rear, bf.attack.fof_side,
        bf.attack.fof_support, bf.open.support_fof.
        """
        return ALL_ROUND if arc == "all" else ARCS[mount]

    def _survey(self, state: DustState, unit: Unit, target: Unit, arc: Arc, blockers: Any, eyes: Unit | None) -> Survey:
        scene = Scene(state.table.bare, state.forts)
        sort = Sort(target.is_aircraft, target.is_infantry)
        theirs = dict(zip(target.figures, self.bodies(state, target), strict=True))
        watching = unit if eyes is None else eyes
        watch = _Watch(self, scene, Sort(watching.is_aircraft, watching.is_infantry), sort, theirs, blockers)
        looking: Any = watch if eyes is None else _Observers(watch, self.bodies(state, eyes))
        bodies = self.bodies(state, target)
        views: dict[Figure, View] = {}
        for figure, mine in zip(unit.figures, self.bodies(state, unit), strict=True):
            far = dict(zip(target.figures, distances(mine, bodies), strict=True))
            if arc is not ALL_ROUND:
                turned = mine if mine.corners else mine.at(mine.x, mine.y, unit.facing)
                far = {other: tenths for other, tenths in far.items() if in_arc(turned, arc, theirs[other])}
            views[figure] = View(far, looking, mine, arc)
        return Survey(views)

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
    ) -> BattleLine:
        """Range, sight and cover of a whole unit: what its best placed miniature knows."""
        survey = self.survey(state, unit, target, mount, blockers, arc, eyes)
        return self.line_of(state, unit, target, survey, tuple(survey.views))

    def line_of(
        self, state: DustState, unit: Unit, target: Unit, survey: Survey, firers: Sequence[Figure]
    ) -> BattleLine:
        """The line of some miniatures of a unit: they see what any of them sees."""
        views = [survey.views[figure] for figure in firers if figure in survey.views]
        if not any(view.far for view in views):
            reason = f"{target.name} is outside the weapon's field of fire"
            return BattleLine(99, False, refusal=(self.cites["arc"], reason), survey=survey)
        sort = Sort(target.is_aircraft, target.is_infantry)
        details = partial(self._details, survey, views, sort, len(target.figures), target.name)
        measure = partial(_nearest_seen, views, measures(state))
        return BattleLine.late(unit.place, survey, measure, partial(_seen_by_any, views, target.figures), details)

    def _details(self, survey: Survey, views: list[View], target: Sort, count: int, name: str) -> Details:
        """Cover and reasons of a line."""
        watching = [view for view in views if view.seen]
        cover = bool(watching) and all(self.is_covered(target, count, len(view.covered)) for view in watching)
        best = min(views, key=lambda view: (not view.seen, len(view.covered)))
        refusal = None if watching else self._unseen(name, survey.reasons)
        return cover, best.covered, survey.reasons, refusal

    def sees(self, state: DustState, one: Unit, other: Unit) -> bool:
        """Does any miniature see one of the other unit? The same as a visible line, sooner."""
        if one is other or one.status != ON_BOARD or other.status != ON_BOARD or sight_limit(state) is not None:
            return super().sees(state, one, other)
        table, blockers = state.table, self.sight_blockers(state, one)
        theirs = self.bodies(state, other)
        return any(
            self._is_seen(table, mine, body, blockers, ALL_ROUND)
            for mine in self.bodies(state, one)
            for body in theirs
            if not state.forts or forts.unseen(state, mine, body, one, other) is None
        )

    def _glance(self, state: Any, unit: Unit, mine: Body, other: Unit, body: Body, past: Sequence[Body]) -> Sighting:
        """As on every open table, but for the blind side of a bunker (bf.fort.bunker_vision)."""
        if state.forts and forts.unseen(state, mine, body, unit, other) is not None:
            return Sighting(0, 0, 1, (), eye_of(mine))
        return super()._glance(state, unit, mine, other, body, past)

    def sees_spot(self, state: DustState, mine: Body, place: int, blockers: Any, viewer: Unit) -> bool:
        """Is a point of the ground in sight of a miniature?"""
        speck = state.table.body(BURST, place, 0, "spot")
        rules = self.sight_rules(state.table, mine, speck)
        return sees_spot(state.table.land, mine, speck, rules, blockers, self.viewpoints(mine, speck))

    def sees_from(self, state: DustState, place: int, body: Body) -> bool:
        """Is a miniature seen from the centre of a template (bf.attack.blast_centre_los)?"""
        burst = state.table.body(BURST, place, 0, "burst")
        if distance(burst, body) == 0:
            return True
        rules = self.sight_rules(state.table, burst, body)
        return sees(state.table.land, burst, body, rules)


def _nearest_seen(views: list[View], scale: Measures) -> tuple[int, bool]:
    """The range to the nearest miniature that is seen, or else to the nearest; and whether one is."""
    pairs = sorted((far, number, figure) for number, view in enumerate(views) for figure, far in view.far.items())
    for far, number, figure in pairs:
        if views[number].sees(figure):
            return scale.ranges(far), True
    return scale.ranges(pairs[0][0]), False


def _seen_by_any(views: list[View], figures: tuple[Figure, ...]) -> tuple[Figure, ...]:
    return tuple(figure for figure in figures if any(view.sees(figure) for view in views))


class _Watch(NamedTuple):
    """Miniatures looking at those of a target, as all of them stood when it was made."""

    ground: BattleGround
    scene: Scene
    unit: Sort
    target: Sort
    theirs: dict[Figure, Body]
    blockers: Any

    def sees(self, mine: Body, arc: Arc, figure: Figure) -> bool:
        """Does one miniature see another?"""
        body = self.theirs[figure]
        if self.scene.forts and forts.unseen(self.scene, mine, body, self.unit, self.target) is not None:
            return False
        return self.ground._is_seen(self.scene.table, mine, body, self.blockers, arc)

    def covered(self, mine: Body, arc: Arc) -> Covered:
        """Who is in cover from one miniature, and why."""
        ground = self.ground
        covered: list[Figure] = []
        reasons: list[Any] = []
        for figure, body in self.theirs.items():
            sighting = ground._best_look(self.scene.table, mine, body, self.blockers, arc)
            if not sighting.seen or ground.model_covered(self.scene, self.unit, mine, self.target, body, sighting):
                covered.append(figure)
            reasons += sighting.reasons
        return tuple(covered), reasons


class _Observers:
    """What an observer sees: from the miniature with the best view, cover too (bf.open.observer_cover)."""

    __slots__ = ("_best", "bodies", "watch")

    def __init__(self, watch: _Watch, bodies: list[Body]) -> None:
        self.watch = watch
        self.bodies = bodies
        self._best: tuple[tuple[Figure, ...], Covered] | None = None

    def best(self) -> tuple[tuple[Figure, ...], Covered]:
        """Whom the best placed miniature sees, who is in cover from it, and why."""
        if self._best is None:
            looks = [
                (
                    tuple(figure for figure in self.watch.theirs if self.watch.sees(mine, ALL_ROUND, figure)),
                    self.watch.covered(mine, ALL_ROUND),
                )
                for mine in self.bodies
            ]
            self._best = max(looks, key=lambda look: (len(look[0]), -len(look[1][0])))
        return self._best

    def sees(self, mine: Body, arc: Arc, figure: Figure) -> bool:
        """Whoever fires, the observer looks."""
        return figure in self.best()[0]

    def covered(self, mine: Body, arc: Arc) -> Covered:
        return self.best()[1]


class _OnFloor:
    """A soldier upstairs stands in the same building as the first one."""

    __slots__ = ("first", "table")

    def __init__(self, table: OpenTable, first: Body) -> None:
        self.table = table
        self.first = first

    def admits(self, body: Body) -> bool:
        here = self.table.building_at(at(body.x, body.y))
        return here is not None and here.id == self.first.inside
