"""The open ground: where models stand, who sees whom, range and cover between units (ff.los.*, ff.range.*, ff.cover.*).

It takes the place of the squares of Dust 1947 and answers the same questions. Ways and regions are told in ways.py.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from functools import cache
from typing import Any

from dieselfront.kernel.game import Play
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.shots import Line
from dieselfront.rulesets.dust.state import BURNING, ON_BOARD, DustState, Part, Unit
from dieselfront.rulesets.dust1947.criticals import move_smoke
from dieselfront.rulesets.dust1947.ground import Ground, Turns
from dieselfront.rulesets.freeform1947 import ways
from dieselfront.rulesets.freeform1947.places import CIRCLE, HEADINGS, RANGE, Hand, Point, at, floor_of, ranges, xy
from dieselfront.rulesets.freeform1947.sizes import size_of
from dieselfront.rulesets.freeform1947.table import OpenTable, field
from dieselfront.rulesets.freeform1947.terrain import FORDS, Law, law
from dieselfront.table.measured.angles import heading_of, step
from dieselfront.table.measured.arcs import ALL_ROUND, Arc, Facing, centre_arc, in_arc, side_arc
from dieselfront.table.measured.formation import Circle, arrange, block, pattern_spots
from dieselfront.table.measured.geometry import cross
from dieselfront.table.measured.movement import Going, leg_is_free
from dieselfront.table.measured.placement import Crowd, Keep, Places, keeps_from_centres, offsets
from dieselfront.table.measured.shapes import (
    Body,
    Shape,
    distance,
    distance_from_line,
    distance_from_point,
    overlaps,
    round_base,
)
from dieselfront.table.measured.sight import Sighting, SightRules, eye_of, eyes_in_arc, look_from, sight
from dieselfront.table.measured.templates import Area, Disc, Template, Together
from dieselfront.table.measured.terrain import Opening, Piece, Sight

Figure = tuple[str, int]
"""A model: the card it belongs to, and its number among the soldiers; -1 for a hero, a vehicle, the base of a gun."""

ONE_BASE = ("support", "fortification")
SINGLE = -1


@cache
def sight_rules(more: int = 0, glance: bool = False) -> SightRules:
    """What hides whom; lines are drawn from middle to middle, the depth of area terrain is measured between bases."""
    return SightRules(
        columns=1 if glance else 3,
        rows=2 if glance else 3,
        area_through=False,  # ff.los.area_behind, ff.open.area_through
        area_depth=RANGE + more,  # ff.los.area_length, ff.los.area_deep, ff.open.area_sum
        opening_reach=RANGE,  # ff.los.opening
        indoor_reach=3 * RANGE + more,  # ff.los.large_building
    )


def rules_between(table: OpenTable, mine: Body, body: Body, glance: bool = False) -> SightRules:
    """The rules of sight between two models; bases inside area terrain reach as far as their rims."""
    if not table.land.sight_mask:
        return sight_rules(0, glance)
    own = 0 if mine.corners or not _is_within(table, mine) else mine.radius
    return sight_rules(own + (0 if body.corners else body.radius), glance)


def _is_within(table: OpenTable, body: Body) -> bool:
    """Does a model stand in something that hides by its depth?"""
    if body.inside is not None:
        return True
    return any(piece.kind.sight is Sight.AREA for piece, _ in table.land.standing(body))


ARCS: dict[str | None, Arc] = {
    None: ALL_ROUND,  # ff.arc.infantry
    "turret": ALL_ROUND,  # ff.arc.turret
    "front": centre_arc(Facing.FRONT),  # ff.arc.front
    "rear": centre_arc(Facing.REAR),  # ff.arc.rear
    "left": side_arc(Facing.LEFT),  # ff.arc.side, ff.open.side_arc
    "right": side_arc(Facing.RIGHT),
}
BELOW = CIRCLE  # the same square as an aircraft: within 2" of its stand
WALL_KINDS = ("wall", "structure", "impassable", "rock")
BURST = round_base(2, height=20)


class FreeLine(Line):
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


class FreeGround(Ground):
    """Questions about the open table, asked in terms of units."""

    # -- models ---------------------------------------------------------------------------------

    def models(self, unit: Unit) -> list[Figure]:
        """The models a unit has now, in the order of its parts; a gun and its crew share one base."""
        found: list[Figure] = []
        for part in unit.parts:
            if part.role == "pilot":
                continue
            if self.one_body(part):
                found.append((part.card.id, SINGLE))
            else:
                found += [(part.card.id, soldier) for soldier in part.alive]
        return found

    def one_body(self, part: Part) -> bool:
        """Is the part one miniature on the table: hero, vehicle, or a support weapon on its base?"""
        return not part.squad or part.card.kind in ONE_BASE

    def figures_of(self, unit: Unit) -> tuple[Figure, ...]:
        """Its models with the leader first: the one named, else by the rules (ff.move.leader_model)."""
        models = self.models(unit)
        kept = [figure for figure in unit.figures if figure in models]
        if kept:
            return (*kept, *(figure for figure in models if figure not in kept))
        leader = self.first_leader(unit, models)
        return (leader, *(figure for figure in models if figure != leader))

    def first_leader(self, unit: Unit, models: list[Figure]) -> Figure:
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

    def shape(self, table: OpenTable, unit: Unit, figure: Figure) -> Shape:
        found = table.shapes.get(figure[0])
        if found is None:
            card = next(part.card for part in (*unit.parts, *unit.fallen) if part.card.id == figure[0])
            found = size_of(card).shape()
        return found

    def heading(self, unit: Unit) -> int:
        """Bases of soldiers have no front."""
        return 0 if unit.is_infantry else unit.facing

    def bodies(self, state: DustState, unit: Unit) -> list[Body]:
        """Its models as they stand, the leader first."""
        table: OpenTable = state.table
        memory = table.land.memory.setdefault("units", {})
        key = (unit.id, unit.where, unit.facing, unit.figures)
        found: list[Body] | None = memory.get(key)
        if found is None:
            if len(memory) > 5_000:
                memory.clear()
            heading = self.heading(unit)
            found = memory[key] = [
                table.body(self.shape(table, unit, figure), place, heading, (unit.id, *figure), unit.is_aircraft)
                for figure, place in zip(unit.figures, unit.where, strict=True)
            ]
        return found

    def leader(self, state: DustState, unit: Unit) -> Body:
        """The model from which movement, sight and range of a unit are judged (ff.scope.leader)."""
        return self.bodies(state, unit)[0]

    def leaders(self, state: DustState, but: Unit) -> list[tuple[Unit, Body]]:
        """All other leaders with a command circle."""
        return [
            (unit, self.leader(state, unit))
            for unit in state.units
            if unit.status == ON_BOARD and unit is not but and self.has_circle(unit)
        ]

    # -- where things stand ---------------------------------------------------------------------

    def stance(self, unit: Unit) -> Any:
        return unit.where[0]

    def turns(self, unit: Unit) -> tuple[int | None, ...]:
        return (None,) if unit.is_infantry else HEADINGS

    def put(self, state: DustState, unit: Unit, spot: int, facing: int | None) -> None:
        """Stand a unit round the place of its leader, hull or base (ff.move.formation, ff.move.place_rest)."""
        before = unit.where
        unit.facing = unit.facing if facing is None else facing % 360
        figures = self.figures_of(unit)
        found = self.formation(state, unit, spot, unit.facing)
        if isinstance(found, str):
            found = self.pressed(state, unit, spot)
        unit.figures = figures
        self._stand(unit, found)
        unit.status = ON_BOARD
        unit.aboard = ""
        if unit.flags & BURNING:
            move_smoke(state, unit, before[:1])

    def _stand(self, unit: Unit, bodies: Sequence[Body]) -> None:
        unit.where = tuple(at(body.x, body.y, body.floor) for body in bodies)
        unit.place = unit.where[0]

    def lift(self, unit: Unit, status: str) -> None:
        super().lift(unit, status)
        unit.figures = ()

    # -- the law of places ----------------------------------------------------------------------

    def law(self, state: DustState, unit: Unit) -> Law:
        """What the terrain is to the unit."""
        return law(state.table.terrain, self.mover(unit, state))

    def others(self, state: DustState, unit: Unit) -> list[tuple[Unit, list[Body]]]:
        """Everybody else in its layer: aircraft stand over ground models (ff.move.under_aircraft)."""
        return [
            (other, self.bodies(state, other))
            for other in state.units
            if other.status == ON_BOARD and other is not unit and other.is_aircraft == unit.is_aircraft
        ]

    def crowd(self, state: DustState, unit: Unit) -> Crowd:
        """Everybody else's bases, found by place; the same for the same position."""
        memory = state.table.land.memory.setdefault("crowds", {})
        standing = [other for other, _ in self.others(state, unit)]
        key = tuple((other.id, other.where, other.facing) for other in standing)
        found: Crowd | None = memory.get(key)
        if found is None:
            if len(memory) > 200:
                memory.clear()
            bodies = [body for other in standing for body in self.bodies(state, other)]
            found = memory[key] = Crowd(map(Keep, bodies))
        return found

    def places(self, state: DustState, unit: Unit, leader: Body | None = None, own: Sequence[Body] = ()) -> Places:
        """Where models of the unit may stand: no bases overlap, friend or foe (ff.move.no_overlap, ff.move.no_gap)."""
        table: OpenTable = state.table
        crowd = self.crowd(state, unit)
        if own:
            crowd = Crowd([*crowd.keeps, *map(Keep, own)])
        test = None if leader is None or unit.is_aircraft else _BesideLeader(table, leader, unit.is_infantry).admits
        return Places(table.land, self.law(state, unit).no_end, crowd, test=test)

    def formation(self, state: DustState, unit: Unit, spot: int, heading: int) -> list[Body] | str:
        """The models as they would stand round a leader there, or why that is not possible."""
        table: OpenTable = state.table
        figures = self.figures_of(unit)
        x, y = xy(spot)
        shape = self.shape(table, unit, figures[0])
        turned = 0 if unit.is_infantry else heading
        leader = table.body(shape, at(x, y, floor_of(spot)), turned, (unit.id, *figures[0]), unit.is_aircraft)
        places = self.places(state, unit, leader)
        problem = self.leader_problem(state, unit, leader, places)
        if problem is not None:
            return problem
        if len(figures) == 1:
            return [leader]
        hand = getattr(spot, "others", ())
        wanted = [leader, *self._wanted(state, unit, figures, leader, heading, hand)]
        if hand:
            return self._by_hand(wanted, places)
        if self._all_fit(wanted, places):
            return wanted
        found = arrange(wanted, places, Circle(CIRCLE), step=6)
        if found is None:
            return "there is no room for the whole unit round its leader (ff.move.circle)"
        return [leader, *(self._again(table, leader, body) for body in found[1:])]

    def leader_problem(self, state: DustState, unit: Unit, leader: Body, places: Places) -> str | None:
        """Why a leader, hull or base may not end there."""
        problem = places.problem(leader)
        if problem is not None:
            return {
                "off table": "that is not wholly on the table",
                "model": "bases may not overlap (ff.move.no_overlap)",
                "terrain": "nobody of this kind may stop on that terrain (ff.move.leader_path)",
            }.get(problem.what, "that is not possible there")
        circled = unit.is_infantry and self._would_have_circle(unit)
        if circled and not keeps_from_centres(leader, [body for _, body in self.leaders(state, unit)], CIRCLE):
            return "a leader may not end inside the circle of another (ff.move.leader_circles)"
        if unit.card.locomotion == "naval" and not self._afloat(state.table, leader):
            return "ships stay on the water"
        return None

    def _would_have_circle(self, unit: Unit) -> bool:
        return self.has_circle(unit) if unit.figures else unit.card.kind not in ONE_BASE or len(unit.parts) > 1

    def _afloat(self, table: OpenTable, body: Body) -> bool:
        return any(piece.kind.id in FORDS for piece in table.land.pieces_at(body.cx, body.cy))

    def _wanted(
        self,
        state: DustState,
        unit: Unit,
        figures: tuple[Figure, ...],
        leader: Body,
        heading: int,
        hand: tuple[Point, ...],
    ) -> list[Body]:
        """Where the others would like to stand: as told, as they stood round him before, or in a block."""
        table: OpenTable = state.table
        if hand:
            points = list(hand)
        elif unit.where and unit.figures == figures:
            x, y = xy(unit.where[0])
            steps = [(px - x, py - y) for px, py in map(xy, unit.where[1:])]
            points = [(leader.x + dx, leader.y + dy) for dx, dy in steps]
        else:
            spacing = max(self.shape(table, unit, figure).width for figure in figures) + 4
            points = pattern_spots(leader.x, leader.y, heading, block(len(figures), spacing, files=3))[1:]
        wanted = []
        for figure, (x, y) in zip(figures[1:], points, strict=True):
            shape = self.shape(table, unit, figure)
            x, y = min(max(x, 0), table.width), min(max(y, 0), table.height)
            wanted.append(self._again(table, leader, Body(shape, x, y, 0, 0, (unit.id, *figure))))
        return wanted

    def _again(self, table: OpenTable, leader: Body, body: Body) -> Body:
        """A model on the floor of its leader."""
        floor = leader.floor if leader.inside is not None else 0
        return table.body(body.shape, at(body.x, body.y, floor), body.heading, body.key)

    def _all_fit(self, bodies: Sequence[Body], places: Places) -> bool:
        if Circle(CIRCLE).broken(bodies):
            return False
        others = bodies[1:]
        if any(overlaps(a, b) for i, a in enumerate(bodies) for b in bodies[:i]):
            return False
        return all(places.is_legal(body) for body in others)

    def _by_hand(self, bodies: list[Body], places: Places) -> list[Body] | str:
        """Models set down one by one (ff.move.place_rest)."""
        if Circle(CIRCLE).broken(bodies):
            return "every base has to touch the command circle of the leader (ff.move.circle)"
        if not self._all_fit(bodies, places):
            return "a model cannot be placed there (ff.move.leader_path, ff.move.no_overlap)"
        return bodies

    def pressed(self, state: DustState, unit: Unit, spot: int) -> list[Body]:
        """The legal formation nearest to a spot, for units that something stops on their way."""
        for dx, dy in ((0, 0), *offsets(24)):
            x, y = xy(spot)
            x, y = x + dx * 12, y + dy * 12
            if 0 <= x <= state.table.width and 0 <= y <= state.table.height:
                found = self.formation(state, unit, at(x, y, floor_of(spot)), unit.facing)
                if not isinstance(found, str):
                    return found
        return self._heaped(state, unit, spot)

    def _heaped(self, state: DustState, unit: Unit, spot: int) -> list[Body]:
        """Nothing helps: all on one spot; random games watch that this never happens."""
        table: OpenTable = state.table
        heading = self.heading(unit)
        return [
            table.body(self.shape(table, unit, figure), spot, heading, (unit.id, *figure))
            for figure in self.figures_of(unit)
        ]

    # -- losses and returns ---------------------------------------------------------------------

    def regroup(self, state: DustState, unit: Unit) -> bool:
        """Let the models on the table be those the unit has; True if its leader is no longer among them."""
        if unit.status != ON_BOARD:
            return False
        models = self.models(unit)
        if not models or (len(models) == len(unit.figures) and set(models) == set(unit.figures)):
            return False
        renamed = self._renamed(unit, models)
        standing = [(figure, place) for figure, place in zip(renamed, unit.where, strict=True) if figure in models]
        lost = bool(renamed) and renamed[0] not in models
        if not standing:
            standing = [(models[0], unit.where[0])]
        unit.figures, unit.where = tuple(f for f, _ in standing), tuple(p for _, p in standing)
        unit.place = unit.where[0]
        for figure in models:
            if figure not in unit.figures:
                self._return(state, unit, figure)
        return lost

    def _renamed(self, unit: Unit, models: list[Figure]) -> list[Figure]:
        """A hero who turns into somebody else stays where he is."""
        strangers = [figure for figure in models if figure not in unit.figures and figure[1] == SINGLE]
        renamed = []
        for figure in unit.figures:
            gone = figure not in models and figure[1] == SINGLE
            renamed.append(strangers.pop(0) if gone and strangers else figure)
        return renamed

    def _return(self, state: DustState, unit: Unit, figure: Figure) -> None:
        """A soldier who comes back is placed touching the circle; without room he stays away."""
        leader = self.leader(state, unit)
        places = self.places(state, unit, leader, self.bodies(state, unit))
        shape = self.shape(state.table, unit, figure)
        circle = Circle(CIRCLE)
        for dx, dy in offsets(16):
            x, y = leader.x + dx * 6, leader.y + dy * 6
            if not (0 <= x <= state.table.width and 0 <= y <= state.table.height):
                continue
            body = self._again(state.table, leader, Body(shape, x, y, 0, 0, (unit.id, *figure)))
            if circle.admits(body, [leader]) and places.is_legal(body):
                unit.figures += (figure,)
                unit.where += (at(x, y, body.floor),)
                return
        for part in unit.parts:
            if part.card.id == figure[0]:
                part.alive = tuple(soldier for soldier in part.alive if soldier != figure[1])

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
        found = self._drawn(state, unit, wanted)
        if found is None:
            found = self.pressed(state, unit, unit.where[0])
        self._stand(unit, found)

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
        spots = sorted(
            ((leader.x + dx - body.x) ** 2 + (leader.y + dy - body.y) ** 2, leader.y + dy, leader.x + dx)
            for dx, dy in _disc(reach)
        )
        for _, y, x in spots:
            if 0 <= x <= state.table.width and 0 <= y <= state.table.height:
                moved = self._again(state.table, leader, Body(body.shape, x, y, 0, 0, body.key))
                if circle.admits(moved, [leader]) and places.is_legal(moved):
                    return moved
        return None

    # -- choosing places ------------------------------------------------------------------------

    def choose(
        self, play: Play, unit: Unit, key: str, spots: Mapping[Any, int], turns: Turns = (None,), **details: Any
    ) -> Generator[Any, Any, tuple[int, int | None]]:
        region = spots if isinstance(spots, ways.Region) else ways.Listed(self, play.state, unit, spots, turns)
        spot, facing = yield from self.ask_for(play, unit, key, region, **details)
        return spot, facing

    def ask_for(
        self, play: Play, unit: Unit, key: str, region: ways.Region, **details: Any
    ) -> Generator[Any, Any, tuple[int, int | None]]:
        """A spot of a region, as place and facing."""
        region = region.bound(play.state)
        answer = yield ways.Spot(unit.side, key, region, labels=ways.label, unit=unit.id, **details)
        return ways.read(answer)

    def free_stances(self, state: DustState, unit: Unit) -> dict[int, tuple[int | None, ...]]:
        table: OpenTable = state.table
        turns = self.turns(unit)
        found: dict[int, tuple[int | None, ...]] = {}
        for y in range(30, table.height, 70):
            for x in range(30, table.width, 70):
                place = at(x, y)
                if not table.is_indoor(place) and self.may_stand(state, unit, place):
                    found[place] = turns
        return found

    def may_stand(self, state: DustState, unit: Unit, place: int) -> bool:
        """Can the whole unit stand round that place?"""
        return not isinstance(self.formation(state, unit, place, unit.facing), str)

    def beside(self, state: DustState, unit: Unit, where: tuple[int, ...], *, on: bool = False) -> dict[int, int]:
        """Places as near as can be to where something stood, at most range 1 from its rim (ff.scope.convert)."""
        x, y = xy(where[0])
        found: dict[int, int] = {}
        for radius in ((0,) if on else ()) + (40, 65, 90, 115, 140, 165, 190):
            if radius > 115 and found:
                break
            for dx, dy in _ring(radius):
                if 0 <= x + dx <= state.table.width and 0 <= y + dy <= state.table.height:
                    place = at(x + dx, y + dy)
                    if self.may_stand(state, unit, place):
                        found[place] = 0
        return found

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
        limit = budget * RANGE - spent
        return ways.Ways(self, state, unit, limit, road_bonus * RANGE if on_road else 0, start)

    # -- distances ------------------------------------------------------------------------------

    def tenths(self, state: DustState, one: Unit, other: Unit) -> int:
        """From leader or hull to the nearest model (ff.scope.convert, ff.range.leader, ff.range.vehicle_from)."""
        mine = self.leader(state, one)
        return min(distance(mine, body) for body in self.bodies(state, other))

    def distance(self, state: DustState, one: Unit, other: Unit) -> int:
        return ranges(self.tenths(state, one, other))

    def near(self, state: DustState, one: Unit, other: Unit, most: int) -> bool:
        """Is the other unit within so many ranges? 4.0" is range 1, 4.1" is not."""
        return bool(one.where and other.where) and self.tenths(state, one, other) <= most * RANGE

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

    # -- templates ------------------------------------------------------------------------------

    def template(self, places: Sequence[int]) -> Template:
        """What places of effect cover: a circle of 4" for one, fields of 4" for several (ff.scope.convert)."""
        if len(places) == 1:
            return Disc(*xy(places[0]))
        return Together(tuple(Area(tuple(field(*xy(place)))) for place in places))

    def touched(self, state: DustState, unit: Unit, template: Template, floor: int | None = None) -> tuple[Figure, ...]:
        """The models under a template; inside buildings only those on the floor that is hit (ff.blast.level)."""
        found = []
        for figure, body in zip(unit.figures, self.bodies(state, unit), strict=True):
            level_hit = floor is None or body.inside is None or body.floor == floor
            if level_hit and template.touches(body):
                found.append(figure)
        return tuple(found)

    def standing_on(self, state: DustState, places: Sequence[int], but: Unit) -> list[Unit]:
        template = self.template(places)
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
        return [
            self.leader(state, unit)
            for unit in state.units
            if unit.status == ON_BOARD
            and unit.is_vehicle
            and unit is not viewer
            and ("on_blocks_sight" not in unit.effects or ask(unit.effects, "on_blocks_sight", True, unit, viewer))
        ]

    def origins(self, unit: Unit, mount: str | None) -> Sequence[int]:
        return unit.where[:1]

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
    ) -> FreeLine:
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
            return FreeLine(99, False, refusal=("ff.arc.turn_first", reason))
        viewer = eyes or unit
        if viewer.is_aircraft and not target.is_aircraft and distance(looking, in_front[0]) <= BELOW:
            below = (f"{target.name} is right below the aircraft",)
            return FreeLine(0, False, refusal=("d47.attack.arc.aircraft_below", *below))
        memory = state.table.land.memory.setdefault("lines", {})
        key = (
            *_standing(looking), *_standing(mine), fire_arc.name, viewer.is_aircraft, target.is_aircraft,
            target.is_vehicle, target.where, target.facing, target.figures, tuple(map(_standing, blockers)),
        )  # fmt: skip
        found = memory.get(key)
        if found is None:
            if len(memory) > 20_000:
                memory.clear()
            found = memory[key] = self._judge(
                state, viewer, looking, fire_arc, mine, target, theirs, in_front, blockers
            )
        far, seen, covered, reasons = found
        cover = self.is_covered(target, len(theirs), len(covered))
        above = state.table.level(unit.where[0]) - state.table.level(target.place)
        line = FreeLine(far, bool(seen), bool(seen) and cover, reasons, unit.where[0], above)
        line.seen, line.covered = seen, covered
        if not seen:
            line.refusal = self._unseen(target, reasons)
        return line

    def _judge(
        self,
        state: DustState,
        viewer: Unit,
        looking: Body,
        arc: Arc,
        mine: Body,
        target: Unit,
        theirs: list[Body],
        in_front: list[Body],
        blockers: Any,
    ) -> tuple[int, tuple[Figure, ...], tuple[Figure, ...], tuple[Any, ...]]:
        """The range, the models seen and those covered, and why."""
        seen: list[Figure] = []
        covered: list[Figure] = []
        reasons: list[Any] = []
        reached: list[Body] = []
        for figure, body in zip(target.figures, theirs, strict=True):
            sighting = self.look(state, viewer, looking, target, body, blockers, arc)
            ahead = body in in_front
            if sighting.seen and ahead:
                seen.append(figure)
                reached.append(body)
            if not sighting.seen or not ahead or self.model_covered(state, viewer, looking, target, body, sighting):
                covered.append(figure)
            reasons += [reason for reason in sighting.reasons if reason not in reasons]
        far = ranges(min(distance(mine, body) for body in reached or in_front))  # ff.range.all_in
        return far, tuple(seen), tuple(covered), tuple(reasons)

    def look(
        self, state: DustState, viewer: Unit, mine: Body, target: Unit, body: Body, blockers: Any, arc: Arc = ALL_ROUND
    ) -> Sighting:
        """How one model of a target looks: part of its body must be in view (ff.los.body, ff.los.infantry_target)."""
        if viewer.is_aircraft or target.is_aircraft:
            return self._from_the_air(state, mine, body, viewer.is_aircraft)
        land = state.table.land
        eyes = [eye_of(mine)] if not mine.corners else eyes_in_arc(mine, arc) or [eye_of(mine)]
        past = [hull for hull in blockers if hull.key != body.key and hull.key != mine.key]
        return sight(land, mine, body, rules_between(state.table, mine, body), past, eyes)

    def _from_the_air(self, state: DustState, mine: Body, body: Body, from_above: bool) -> Sighting:
        """Aircraft and units outside see each other anywhere; inside, one needs an opening near.

        ff.los.aircraft, ff.los.aircraft_in_building.
        """
        above, below = (mine, body) if from_above else (body, mine)
        open_air = below.inside is None or self._at_an_opening(state.table, below, above)
        points = 1 if open_air else 0
        return Sighting(points, points, 1, (), eye_of(mine))

    def _at_an_opening(self, table: OpenTable, inside: Body, outside: Body) -> bool:
        piece = table.land.piece(str(inside.inside))
        return any(
            opening.floor == inside.floor
            and _far_from(inside, opening) <= RANGE
            and _is_out_there(piece, opening, inside, outside)
            for opening in piece.openings
        )

    # -- cover ----------------------------------------------------------------------------------

    def is_covered(self, target: Unit, models: int, covered: int) -> bool:
        """Half of the models, rounded for the target and at least one; a vehicle is but one model.

        ff.cover.unit, ff.open.cover_half, ff.cover.doubt, ff.cover.vehicle.
        """
        return covered >= max(1, models // 2)

    def model_covered(
        self, state: DustState, viewer: Unit, mine: Body, target: Unit, body: Body, sighting: Sighting
    ) -> bool:
        """In covering area terrain, or partly hidden by a feature (ff.cover.model, ff.cover.limbs).

        ff.area.cover, ff.los.area_edge_cover, ff.open.edge_cover, ff.open.touch_or_inside, ff.open.rubble_cover.
        """
        if target.is_aircraft:  # ff.move.aircraft_above
            return False
        table: OpenTable = state.table
        if body.inside is not None and body.inside != mine.inside:
            return True
        kinds = table.terrain
        for piece, _ in table.land.standing(body):
            if piece.kind.is_area and not piece.is_building and self._covers(kinds[piece.kind.id].cover, target):
                return True
        if viewer.is_aircraft:  # ff.open.aircraft_cover
            return False
        for reason in sighting.reasons:
            if not reason.is_model:
                piece = table.land.piece(str(reason.who))
                own = piece.id == mine.inside  # shooting out of one's own window covers nobody
                if not own and reason.effect != "area" and self._covers(kinds[piece.kind.id].cover, target):
                    return True
        return False

    def _covers(self, cover: str, target: Unit) -> bool:
        """Tank traps cover infantry only (ff.area.tank_traps, ff.open.tank_trap_sight)."""
        return cover == "all" or (cover == "infantry" and target.is_infantry)

    def _unseen(self, target: Unit, reasons: tuple[Any, ...]) -> tuple[str, str]:
        """The first thing in the way, with its rule."""
        for reason in reasons:
            if reason.hides:
                rule = REASON_RULES.get(reason.effect, "ff.los.terrain")
                rule = "ff.los.vehicles_block" if reason.is_model else rule
                who = reason.who[0] if isinstance(reason.who, tuple) else reason.who
                return rule, f"{target.name} cannot be seen: {who} is in the way"
        return "ff.attack.need_los", f"{target.name} cannot be seen"

    def line_from(self, state: DustState, place: int, target: Unit) -> FreeLine:
        """Cover of a unit from a shell that bursts somewhere (d47.weapon.artillery_saves)."""
        table: OpenTable = state.table
        burst = table.body(BURST, place, 0, "burst")
        covered = []
        theirs = self.bodies(state, target)
        for figure, body in zip(target.figures, theirs, strict=True):
            sighting = look_from(table.land, eye_of(burst), body, sight_rules(), (), burst)
            if not sighting.seen or self.model_covered(state, target, burst, target, body, sighting):
                covered.append(figure)
        cover = self.is_covered(target, len(theirs), len(covered))
        far = ranges(min(distance(burst, body) for body in theirs))
        return FreeLine(far, True, cover, (), place, seen=target.figures, covered=tuple(covered))

    def model_sees(self, state: DustState, unit: Unit, figure: Figure, target: Unit, blockers: Any) -> bool:
        """Does a model of the unit see at least one of the target (ff.attack.participants, ff.open.los_who)?"""
        number = unit.figures.index(figure)
        mine = self.bodies(state, unit)[number]
        return any(self.look(state, unit, mine, target, body, blockers).seen for body in self.bodies(state, target))

    def sees_spot(self, state: DustState, mine: Body, place: int, blockers: Any, viewer: Unit) -> bool:
        """Is a point of the ground in sight of a model?"""
        if viewer.is_aircraft:
            return not state.table.is_indoor(place)
        speck = state.table.body(BURST, place, 0, "spot")
        past = [hull for hull in blockers if hull.key != mine.key and distance(hull, speck)]
        return sight(
            state.table.land, mine, speck, rules_between(state.table, mine, speck), past, [eye_of(mine)]
        ).is_seen

    # -- what players ask of spots where nobody stands yet ----------------------------------------

    def spot_body(self, state: DustState, unit: Unit, spot: int) -> Body:
        """The leader or hull of a unit as it would stand on a spot."""
        if unit.where and spot == unit.place:
            return self.leader(state, unit)
        figure = self.figures_of(unit)[0]
        shape = self.shape(state.table, unit, figure)
        found: Body = state.table.body(shape, spot, self.heading(unit), (unit.id, *figure), unit.is_aircraft)
        return found

    def spot_distance(self, state: DustState, spot: int, unit: Unit) -> int:
        x, y = xy(spot)
        bodies = self.bodies(state, unit)
        return ranges(max(0, min(distance_from_point(x * 10, y * 10, body) for body in bodies) - bodies[0].radius // 2))

    def spot_sight(self, state: DustState, unit: Unit, spot: int, other: Unit, end: int, blockers: Any) -> int:
        mine = self.spot_body(state, unit, spot)
        theirs = self.bodies(state, other)[:2] if end == other.place else [self.spot_body(state, other, end)]
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
        rules = rules_between(state.table, mine, body, glance=True)
        return look_from(state.table.land, eye_of(mine), body, rules, past, mine)

    def spot_arcs(self, state: DustState, unit: Unit, spot: int, facing: int, other: Unit) -> tuple[str, ...]:
        there = self.spot_body(state, unit, spot)
        hull = there.at(there.x, there.y, facing)
        foe = self.leader(state, other)
        return tuple(arc for arc in ("front", "rear", "left", "right") if in_arc(hull, ARCS[arc], foe))

    def facing_to(self, state: DustState, start: int, end: int) -> int:
        (x1, y1), (x2, y2) = xy(start), xy(end)
        return heading_of(x2 - x1, y2 - y1) if (x1, y1) != (x2, y2) else 0


REASON_RULES = {
    "blocks": "ff.los.terrain",
    "through": "ff.los.area_behind",
    "depth": "ff.los.area_length",
    "floor": "ff.los.walls",
    "reach": "ff.los.large_building",
}


class _BesideLeader:
    """A soldier stands on the floor of his leader, and no blank wall between them (ff.move.leader_path)."""

    __slots__ = ("going", "land", "leader", "table", "walls")

    def __init__(self, table: OpenTable, leader: Body, on_foot: bool) -> None:
        self.table = table
        self.land = table.land
        self.leader = leader
        self.walls = table.land.mask_of(WALL_KINDS)
        self.going = Going(walls="openings" if on_foot else "closed")

    def admits(self, body: Body) -> bool:
        if not self.walls and not self.land.building_mask:
            return True
        leader = self.leader
        if body.key == leader.key:
            return self.going.walls != "closed" or not self._over_a_wall(body)
        here = self.table.building_at(at(body.x, body.y)) if self.land.building_mask else None
        if leader.floor and (here is None or here.id != leader.inside):
            return False
        if self.walls and self.land.stretches_in((leader.cx, leader.cy), (body.cx, body.cy), self.walls):
            return False
        one, other = _speck(leader), _speck(body)
        return leg_is_free(self.land, one, other, self.going, 0, _NOBODY)

    def _over_a_wall(self, body: Body) -> bool:
        """Vehicles do not stand in buildings."""
        return any(piece.is_building and piece.overlaps(body) for piece in self.land.near(body))


_NOBODY = Crowd()
_POINT = round_base(1, height=1)


def _speck(body: Body) -> Body:
    return Body(_POINT, body.x, body.y, 0, body.z, None, body.inside, body.floor)


def _standing(body: Body) -> tuple[Any, ...]:
    return body.shape, body.x, body.y, body.heading, body.floor


def _far_from(body: Body, opening: Opening) -> int:
    (ax, ay), (bx, by) = opening.a, opening.b
    return distance_from_line(ax * 10, ay * 10, bx * 10, by * 10, body)


def _is_out_there(piece: Piece, opening: Opening, inside: Body, outside: Body) -> bool:
    """Does somebody outside look at the outer face of an opening?"""
    (ax, ay), (bx, by) = opening.a, opening.b
    wall = (ax * 10, ay * 10, bx * 10, by * 10)
    mine, yours = cross(*wall, inside.cx, inside.cy), cross(*wall, outside.cx, outside.cy)
    return (mine > 0) != (yours > 0)


def _ring(radius: int) -> list[Point]:
    """Sixteen points on a circle, or its middle."""
    if not radius:
        return [(0, 0)]
    spots = [step(heading * 45 // 2, radius * 10) for heading in range(16)]
    return [(dx // 10, dy // 10) for dx, dy in spots]


def _disc(radius: int) -> list[Point]:
    """Points every few millimetres on a disc."""
    return [(0, 0), *((dx * 3, dy * 3) for dx, dy in offsets(radius // 3))]


__all__ = ["Figure", "FreeGround", "FreeLine", "Hand"]
