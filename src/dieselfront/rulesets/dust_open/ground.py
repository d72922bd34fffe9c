"""The open ground: places to choose, templates, and how one model sees another (ff.los.*, bf.los.*).

It takes the place of the squares of Dust 1947 and answers the same questions. From which models a unit measures, and
how range, sight and cover of models become those of units, is a game's own affair (`line`). Ways and regions are
described in ways.py and regions.py.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.shots import Line
from dieselfront.rulesets.dust.state import ON_BOARD, DustState, Unit
from dieselfront.rulesets.dust1947.ground import Objection, Turns
from dieselfront.rulesets.dust_open import regions
from dieselfront.rulesets.dust_open.models import Figure, Models
from dieselfront.rulesets.dust_open.places import Measures, Point, floor_of, xy
from dieselfront.rulesets.dust_open.playing import Play
from dieselfront.rulesets.dust_open.position import Hulls
from dieselfront.rulesets.dust_open.table import OpenTable, field
from dieselfront.rulesets.dust_open.ways import EntryWays, ExitWays, Ways
from dieselfront.table.measured.angles import heading_of
from dieselfront.table.measured.arcs import ALL_ROUND, Arc, Facing, centre_arc, in_arc, side_arc
from dieselfront.table.measured.geometry import cross
from dieselfront.table.measured.shapes import (
    Body,
    any_within,
    distance,
    distance_from_line,
    distance_from_point,
    round_base,
    unit_distance,
    units_within,
)
from dieselfront.table.measured.sight import (
    Eye,
    Sighting,
    SightRules,
    apart_from,
    eye_of,
    eyes_in_arc,
    look_from,
    sees,
    sees_spot,
    sight,
)
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.templates import Area, Disc, Template, Together
from dieselfront.table.measured.terrain import Opening, Piece

ARCS: dict[str | None, Arc] = {
    None: ALL_ROUND,  # ff.arc.infantry
    "turret": ALL_ROUND,  # ff.arc.turret
    "front": centre_arc(Facing.FRONT),  # ff.arc.front
    "rear": centre_arc(Facing.REAR),  # ff.arc.rear
    "left": side_arc(Facing.LEFT),  # ff.arc.side, ff.open.side_arc
    "right": side_arc(Facing.RIGHT),
}
BURST = round_base(2, height=20)
MOST_GLANCES = 4_000
"""What players see in thought they look at again in the next playout."""


def measures(state: DustState | Scene) -> Measures:
    """The lengths of a game."""
    table: OpenTable = state.table
    return table.measures


class OpenLine(Line):
    """Range, sight and cover as on squares, and which models of the target are seen, covered, or under a template."""

    __slots__ = ("covered", "seen", "touched")

    def __init__(
        self,
        distance: int,
        visible: bool,
        cover: bool = False,
        reasons: tuple[Any, ...] = (),
        origin: int = -1,
        above: int = 0,
        refusal: tuple[str, str] | None = None,
        seen: tuple[Figure, ...] = (),
        covered: tuple[Figure, ...] = (),
    ) -> None:
        super().__init__(distance, visible, cover, reasons, origin, above, refusal)
        self.seen = seen
        self.covered = covered
        self.touched: tuple[Figure, ...] | None = None


LATE = ("cover", "covered", "reasons", "refusal")
Details = tuple[bool, tuple[Figure, ...], tuple[Any, ...], tuple[str, str] | None]
"""What most lines are never asked for: cover of the unit, models in cover, reasons, and why it cannot be attacked."""


class LateLine(OpenLine):
    """A line whose range and sight are known; all else is worked out when the first of it is asked for."""

    __slots__ = ("_find", "_see")

    def __init__(
        self,
        distance: int,
        visible: bool,
        origin: int,
        above: int,
        see: Callable[[], tuple[Figure, ...]],
        find: Callable[[], Details],
    ) -> None:
        self.distance = distance
        self.visible = visible
        self.origin = origin
        self.above = above
        self.touched = None
        self._see = see
        self._find = find

    def __getattr__(self, name: str) -> Any:
        """Only called for what has not been set yet."""
        if name == "seen":
            self.seen = self._see()
        elif name in LATE:
            self.cover, self.covered, self.reasons, self.refusal = self._find()
        else:
            raise AttributeError(name)
        return object.__getattribute__(self, name)

    @property
    def is_refused(self) -> bool:
        return not self.visible

    def settled(self) -> LateLine:
        self.seen, self.cover  # noqa: B018
        return self


class Sort(NamedTuple):
    """What sight and cover ask of a unit, whatever becomes of it later."""

    is_aircraft: bool
    is_infantry: bool


class Scene(NamedTuple):
    """What sight and cover ask of a position, whatever is moved later."""

    table: OpenTable
    forts: tuple[Any, ...] = ()


class OpenGround(Models):
    """Questions about the open table, asked in terms of units."""

    ways: ClassVar[type[Ways]] = Ways
    exits: ClassVar[type[ExitWays]] = ExitWays
    entry: ClassVar[type[EntryWays]] = EntryWays
    """How a unit moves over the ground, out of a carrier and onto the table."""

    reason_rules: ClassVar[dict[str, str]] = {}
    """The rules behind the reasons why a model is not seen."""

    def length(self, state: DustState, points: int) -> int:
        return points * measures(state).range

    def length_label(self, tenths: int) -> str:
        """A length in the words of the game."""
        raise NotImplementedError

    def blows_reach(self, state: DustState) -> int | None:
        """So near (tenths) units surely are that fight hand to hand; None if nobody knows."""
        return measures(state).range if not state.forts else None

    # -- choosing places ------------------------------------------------------------------------

    def choose(
        self, play: Play, unit: Unit, key: str, spots: Mapping[Any, int], turns: Turns = (None,), **details: Any
    ) -> Generator[Any, Any, tuple[int, int | None]]:
        region = spots if isinstance(spots, regions.Region) else regions.Listed(self, play.state, unit, spots, turns)
        spot, facing = yield from self.ask_for(play, unit, key, region, **details)
        return spot, facing

    def ask_for(
        self, play: Play, unit: Unit, key: str, region: regions.Region, **details: Any
    ) -> Generator[Any, Any, tuple[int, int | None]]:
        """A spot of a region, as place and facing."""
        region = region.bound(play.state)
        answer = yield regions.Spot(unit.side, key, region, labels=regions.label, unit=unit.id, **details)
        return regions.read(answer)

    def landing(
        self, state: DustState, unit: Unit, objection: Objection, near: Sequence[int] = ()
    ) -> Mapping[int, Any]:
        """Anywhere without objection, outside buildings; there are no squares here to be listed."""
        return regions.Anywhere(self, state, unit, objection, near)

    def arrive(
        self, play: Play, unit: Unit, key: str, places: Mapping[int, Any], **details: Any
    ) -> Generator[Any, Any, tuple[int, int | None]]:
        assert isinstance(places, regions.Region)
        return (yield from self.ask_for(play, unit, key, places, **details))

    def would_be_near(self, state: DustState, unit: Unit, spot: int, other: Unit, most: int) -> bool:
        """Would its first model, set down there, be within so many ranges of another unit, base to base?"""
        mine = self.spot_body(state, unit, spot)
        return any_within((mine,), self.bodies(state, other), most * measures(state).range)

    def beside(self, state: DustState, unit: Unit, where: tuple[int, ...], *, on: bool = False) -> Any:
        """Anywhere within range 1 of where something stood, or of the wreck it left (ff.scope.convert)."""
        return regions.Beside(self, state, unit, where[0])

    # -- ways -----------------------------------------------------------------------------------

    def reach(
        self,
        state: DustState,
        unit: Unit,
        budget: int,
        *,
        diagonal_used: bool = False,
        road_bonus: int = 0,
        halved_budget: int | None = None,
        start: Any = None,
        spent: int = 0,
        on_road: bool = True,
    ) -> Any:
        """Where the unit can end a move of so many ranges, less the tenths already spent (ff.move.move)."""
        point = measures(state).range
        limit = budget * point - spent
        return self.ways(self, state, unit, limit, road_bonus * point if on_road else 0, start)

    # -- distances ------------------------------------------------------------------------------

    def tenths(self, state: DustState, one: Unit, other: Unit) -> int:
        """Between the nearest models, as far as the first unit measures from them.

        ff.range.leader, bf.attack.range_measure.
        """
        return unit_distance(self.measuring(state, one), self.bodies(state, other))

    def units_within(self, state: DustState, unit: Unit, others: list[Unit], length: int) -> list[Unit]:
        """Those of some units that are within so many tenths, as far as the first measures from its models."""
        memory, mine = state.table.bodies_by_places, self.measuring(state, unit)
        near = units_within(memory, mine, others, length)
        if near is None:  # somebody has moved: remember where he stands, and ask again
            for other in others:
                self.bodies(state, other)
            near = units_within(memory, mine, others, length)
        return [other for other in others if self.tenths(state, unit, other) <= length] if near is None else near

    def distance(self, state: DustState, one: Unit, other: Unit) -> int:
        return measures(state).ranges(self.tenths(state, one, other))

    def near(self, state: DustState, one: Unit, other: Unit, most: int) -> bool:
        """Is the other unit within so many ranges? 4.0" is range 1, 4.1" is not."""
        if not one.where or not other.where:
            return False
        return any_within(self.measuring(state, one), self.bodies(state, other), most * measures(state).range)

    # -- templates ------------------------------------------------------------------------------

    def template(self, state: DustState, places: Sequence[int]) -> Template:
        """What places of effect cover: a circle of 4" for one, fields of 4" for several (ff.scope.convert)."""
        if len(places) == 1:
            return Disc(*xy(places[0]), measures(state).effect)
        side = 2 * measures(state).effect
        return Together(tuple(Area(tuple(field(*xy(place), side))) for place in places))

    def touched(self, state: DustState, unit: Unit, template: Template, floor: int | None = None) -> tuple[Figure, ...]:
        """The models under a template; inside buildings only those on the floor that is hit (ff.blast.level)."""
        figures = []
        for figure, body in zip(unit.figures, self.bodies(state, unit), strict=True):
            in_street = body.inside is None and not body.floor
            level_hit = floor is None or in_street or body.floor == floor
            if level_hit and template.touches(body):
                figures.append(figure)
        return tuple(figures)

    def standing_on(self, state: DustState, places: Sequence[int], but: Unit) -> list[Unit]:
        template = self.template(state, places)
        return self.under(state, template, but, floor_of(places[0]))

    def under(self, state: DustState, template: Template, but: Unit | None = None, floor: int = 0) -> list[Unit]:
        """Every ground unit with a model under a template, friend or foe (ff.blast.units, ff.flame.affects)."""
        return [
            unit
            for unit in state.units
            if unit.status == ON_BOARD
            and unit is not but
            and not unit.is_aircraft
            and self.touched(state, unit, template, floor)
        ]

    # -- sight ----------------------------------------------------------------------------------

    def sight_blockers(self, state: DustState, viewer: Unit) -> Any:
        """Hulls of ground vehicles, friend or enemy; infantry and aircraft never block.

        ff.los.vehicles_block, ff.los.infantry_transparent.
        """
        return self._hulls(state, viewer, "V")

    def _hulls(self, state: DustState, viewer: Unit, types: str) -> Hulls:
        """The first models of everybody else of these armour types who blocks the viewer's sight."""
        known = state.table.positions.of(state.units).hulls
        hulls: Hulls | None = known.get(viewer.id)
        if hulls is None:
            hulls = known[viewer.id] = self._find_hulls(state, viewer, types)
        return hulls

    def _find_hulls(self, state: DustState, viewer: Unit, types: str) -> Hulls:
        bodies = []
        for unit in state.units:
            if unit.status == ON_BOARD and unit is not viewer and unit.parts[0].card.armour_type in types:
                effects = unit.effects
                if "on_blocks_sight" not in effects or ask(effects, "on_blocks_sight", True, unit, viewer):
                    bodies.append(self.bodies(state, unit)[0])
        hulls: Hulls = state.table.hulls(bodies)
        return hulls

    def hulls(self, state: DustState, bodies: list[Body]) -> Hulls:
        """Models that block sight, known again."""
        hulls: Hulls = state.table.hulls(bodies)
        return hulls

    def origins(self, unit: Unit, mount: str | None) -> Sequence[int]:
        return unit.where[:1]

    def sight_rules(self, table: OpenTable, mine: Body, body: Body, glance: bool = False) -> SightRules:
        """What hides one model from another."""
        raise NotImplementedError

    def look(
        self, state: DustState, viewer: Unit, mine: Body, target: Unit, body: Body, blockers: Any, arc: Arc = ALL_ROUND
    ) -> Sighting:
        """How one model of a target looks: part of its body must be in view (ff.los.body, ff.los.infantry_target)."""
        return self.sighting(state, viewer, mine, target, body, blockers, self.eyes(viewer, mine, arc))

    def eyes(self, viewer: Unit, mine: Body, arc: Arc = ALL_ROUND) -> list[Eye]:
        """The points from which a model looks."""
        return [eye_of(mine)] if self.looks_from_middle(viewer, mine) else eyes_in_arc(mine, arc) or [eye_of(mine)]

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
        """How one model looks from some points of another."""
        if viewer.is_aircraft or target.is_aircraft:
            return self._from_the_air(state, mine, body, viewer.is_aircraft)
        past = apart_from(blockers, mine, body)
        return sight(state.table.land, mine, body, self.sight_rules(state.table, mine, body), past, eyes)

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
        """Is any of it seen? The same as `sighting(...).is_seen`, sooner."""
        if viewer.is_aircraft or target.is_aircraft:
            return self._from_the_air(state, mine, body, viewer.is_aircraft).is_seen
        past = apart_from(blockers, mine, body)
        return sees(state.table.land, mine, body, self.sight_rules(state.table, mine, body), past, eyes)

    def first_sighted(
        self,
        state: DustState | Scene,
        viewer: Unit | Sort,
        mine: Body,
        target: Unit | Sort,
        bodies: Sequence[Body],
        blockers: Any,
        eyes: list[Eye],
    ) -> int:
        """The number of the first of some models of a target that is seen; -1 for none."""
        for number, body in enumerate(bodies):
            if self.is_sighted(state, viewer, mine, target, body, blockers, eyes):
                return number
        return -1

    def looks_from_middle(self, viewer: Unit, mine: Body) -> bool:
        """A soldier looks from where he stands, a hull from all round."""
        return not mine.corners

    def _from_the_air(self, state: DustState | Scene, mine: Body, body: Body, from_above: bool) -> Sighting:
        """Aircraft and units outside see each other anywhere; inside, one needs an opening near.

        ff.los.aircraft, ff.los.aircraft_in_building.
        """
        above, below = (mine, body) if from_above else (body, mine)
        open_air = below.inside is None or self._at_an_opening(state, below, above)
        points = 1 if open_air else 0
        return Sighting(points, points, 1, (), eye_of(mine))

    def _at_an_opening(self, state: DustState | Scene, inside: Body, outside: Body) -> bool:
        piece = state.table.land.piece(str(inside.inside))
        return any(
            opening.floor == inside.floor
            and _far_from(inside, opening) <= measures(state).range
            and _is_out_there(piece, opening, inside, outside)
            for opening in piece.openings
        )

    # -- cover ----------------------------------------------------------------------------------

    def is_covered(self, target: Unit, models: int, covered: int) -> bool:
        """Is a unit in cover when so many of its models are?"""
        raise NotImplementedError

    def model_covered(
        self,
        state: DustState | Scene,
        viewer: Unit | Sort,
        mine: Body,
        target: Unit | Sort,
        body: Body,
        sighting: Sighting,
    ) -> bool:
        """In covering area terrain, or partly hidden by a feature (ff.cover.model, ff.cover.limbs).

        ff.area.cover, ff.los.area_edge_cover, ff.open.edge_cover, ff.open.touch_or_inside, ff.open.rubble_cover.
        """
        if target.is_aircraft:  # ff.move.aircraft_above
            return False
        table: OpenTable = state.table
        kinds = table.terrain
        if body.inside is not None and body.inside != mine.inside:
            return self._covers(kinds[table.land.piece(body.inside).kind.id].cover, target)
        for piece, _ in table.land.standing(body):
            if piece.kind.is_area and not piece.is_building and self._covers(kinds[piece.kind.id].cover, target):
                return True
        if viewer.is_aircraft:  # ff.open.aircraft_cover
            return False
        for reason in sighting.reasons:
            if reason.effect == "storey":  # d47.terrain.floors_los
                return True
            if not reason.is_model:
                piece = table.land.piece(str(reason.who))
                own = piece.id == mine.inside  # shooting out of one's own window covers nobody
                if not own and reason.effect != "area" and self._covers(kinds[piece.kind.id].cover, target):
                    return True
        return False

    def _covers(self, cover: str, target: Unit | Sort) -> bool:
        """Tank traps cover infantry only (ff.area.tank_traps, ff.open.tank_trap_sight)."""
        return cover == "all" or (cover == "infantry" and target.is_infantry)

    def _unseen(self, name: str, reasons: tuple[Any, ...]) -> tuple[str, str]:
        """The first thing in the way, with its rule."""
        for reason in reasons:
            if reason.hides:
                rule = self.reason_rules.get(reason.effect, self.cites["terrain_blocks"])
                rule = self.cites["vehicle_blocks"] if reason.is_model else rule
                who = reason.who[0] if isinstance(reason.who, tuple) else reason.who
                return rule, f"{name} cannot be seen: {who} is in the way"
        return self.cites["unseen"], f"{name} cannot be seen"

    def burst_rules(self) -> SightRules:
        """What hides a model from a shell that bursts."""
        raise NotImplementedError

    def line_from(self, state: DustState, place: int, target: Unit) -> OpenLine:
        """Cover of a unit from a shell that bursts somewhere (d47.weapon.artillery_saves)."""
        table: OpenTable = state.table
        burst = table.body(BURST, place, 0, "burst")
        covered = []
        theirs = self.bodies(state, target)
        for figure, body in zip(target.figures, theirs, strict=True):
            sighting = look_from(table.land, eye_of(burst), body, self.burst_rules(), (), burst)
            if not sighting.seen or self.model_covered(state, target, burst, target, body, sighting):
                covered.append(figure)
        cover = self.is_covered(target, len(theirs), len(covered))
        far = measures(state).ranges(min(distance(burst, body) for body in theirs))
        return OpenLine(far, True, cover, (), place, seen=target.figures, covered=tuple(covered))

    def model_sees(self, state: DustState, unit: Unit, figure: Figure, target: Unit, blockers: Any) -> bool:
        """Does a model of the unit see at least one of the target (ff.attack.participants, ff.open.los_who)?"""
        number = unit.figures.index(figure)
        mine = self.bodies(state, unit)[number]
        eyes = self.eyes(unit, mine)
        return self.first_sighted(state, unit, mine, target, self.bodies(state, target), blockers, eyes) >= 0

    def sees_spot(self, state: DustState, mine: Body, place: int, blockers: Any, viewer: Unit) -> bool:
        """Is a point of the ground in sight of a model?"""
        if viewer.is_aircraft:
            return not state.table.is_indoor(place)
        speck = state.table.body(BURST, place, 0, "spot")
        return sees_spot(state.table.land, mine, speck, self.sight_rules(state.table, mine, speck), blockers)

    def tape_land(self, state: DustState, body: Body, end: Point) -> MeasuredTable:
        """The terrain that a flame meets on its way from a bearer to a point."""
        land: MeasuredTable = state.table.land
        return land

    # -- what players ask of spots where nobody stands yet ----------------------------------------

    def spot_body(self, state: DustState, unit: Unit, spot: int) -> Body:
        """The first model or hull of a unit as it would stand on a spot."""
        if unit.where and spot == unit.place:
            return self.first(state, unit)
        figure = self.figures_of(unit)[0]
        shape = self.shape(state.table, unit, figure)
        body: Body = state.table.body(shape, spot, self.heading(unit), (unit.id, *figure), unit.is_aircraft)
        return body

    def hold_reach(self, state: DustState) -> int:
        """So near to its marker (tenths) a first model surely holds an objective."""
        return measures(state).range // 2

    def spot_distance(self, state: DustState, spot: int, unit: Unit) -> int:
        x, y = xy(spot)
        bodies = self.bodies(state, unit)
        nearest = min(distance_from_point(x * 10, y * 10, body) for body in bodies)
        return measures(state).ranges(max(0, nearest - bodies[0].radius // 2))

    def spot_sight(self, state: DustState, unit: Unit, spot: int, other: Unit, end: int, blockers: Any) -> int:
        mine = self.spot_body(state, unit, spot)
        theirs = self.bodies(state, other)[:2] if end == other.place else [self.spot_body(state, other, end)]
        hulls = blockers if isinstance(blockers, Hulls) else state.table.hulls(list(blockers))
        memory = state.table.memory.setdefault("glances", {})
        # the same models standing as they stood are the same objects, which the entry keeps alive
        key = (id(mine), id(theirs[0]), id(theirs[-1]), id(hulls), unit.place)
        entry = memory.get(key)
        if entry is None or entry[1] != state.forts:
            if len(memory) > MOST_GLANCES:
                memory.clear()
            sight = self._spot_sight(state, unit, mine, other, theirs, hulls)
            entry = memory[key] = (sight, state.forts, mine, theirs, hulls)
        known: int = entry[0]
        return known

    def whole_sight(self, state: DustState, unit: Unit, spot: int, other: Unit, end: int, blockers: Any) -> int:
        """The same, looking at every model of a unit that has moved to its spot."""
        theirs = self.formation(state, other, end, self.heading(other))
        if isinstance(theirs, str) or len(theirs) < 2:
            return self.spot_sight(state, unit, spot, other, end, blockers)
        hulls = blockers if isinstance(blockers, Hulls) else state.table.hulls(list(blockers))
        return self._spot_sight(state, unit, self.spot_body(state, unit, spot), other, theirs, hulls)

    def _spot_sight(
        self, state: DustState, unit: Unit, mine: Body, other: Unit, theirs: list[Body], blockers: Sequence[Any]
    ) -> int:
        seen = covered = 0
        past = [hull for hull in blockers if hull.key[0] not in (unit.id, other.id)]
        for body in theirs:
            sighting = self._glance(state, unit, mine, other, body, past)
            seen += bool(sighting.seen)
            covered += not sighting.seen or self.model_covered(state, unit, mine, other, body, sighting)
        return 0 if not seen else 2 if self.is_covered(other, len(theirs), covered) else 1

    def _glance(
        self, state: DustState, unit: Unit, mine: Body, other: Unit, body: Body, past: Sequence[Body]
    ) -> Sighting:
        """One look from the middle of a model."""
        if unit.is_aircraft or other.is_aircraft:
            return self._from_the_air(state, mine, body, unit.is_aircraft)
        rules = self.sight_rules(state.table, mine, body, glance=True)
        return look_from(state.table.land, eye_of(mine), body, rules, past, mine)

    def spot_arcs(self, state: DustState, unit: Unit, spot: int, facing: int, other: Unit) -> tuple[str, ...]:
        there = self.spot_body(state, unit, spot)
        hull = there.at(there.x, there.y, facing)
        foe = self.first(state, other)
        return tuple(arc for arc in ("front", "rear", "left", "right") if in_arc(hull, ARCS[arc], foe))

    def facing_to(self, state: DustState, start: int, end: int) -> int:
        (x1, y1), (x2, y2) = xy(start), xy(end)
        return heading_of(x2 - x1, y2 - y1) if (x1, y1) != (x2, y2) else 0


def _far_from(body: Body, opening: Opening) -> int:
    (ax, ay), (bx, by) = opening.a, opening.b
    return distance_from_line(ax * 10, ay * 10, bx * 10, by * 10, body)


def _is_out_there(piece: Piece, opening: Opening, inside: Body, outside: Body) -> bool:
    """Does somebody outside look at the outer face of an opening?"""
    (ax, ay), (bx, by) = opening.a, opening.b
    wall = (ax * 10, ay * 10, bx * 10, by * 10)
    mine, yours = cross(*wall, inside.cx, inside.cy), cross(*wall, outside.cx, outside.cy)
    return (mine > 0) != (yours > 0)
