"""Models of a unit: where they stand, what keeps them together, where they may be set down (ff.move.*, bf.move.*).

A unit is a tuple of figures and the places they stand on; the first of them is the one that is moved, and the others
are set down round it. Whether the first means anything beyond that (a leader) is a game's own affair. Sight, range and
cover between units are described in ground.py, ways in ways.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec import UNSET, UnsetType

from dieselfront.rulesets.dust.state import BURNING, ON_BOARD, DustState, Part, Unit
from dieselfront.rulesets.dust1947.criticals import move_smoke
from dieselfront.rulesets.dust1947.ground import Ground
from dieselfront.rulesets.dust_open.places import HEADINGS, Hand, Point, at, floor_of, xy
from dieselfront.rulesets.dust_open.sizes import size_of
from dieselfront.rulesets.dust_open.table import OpenTable
from dieselfront.rulesets.dust_open.terrain import FORDS, Law, law
from dieselfront.table.measured.formation import Coherency, arrange, block, pattern_spots
from dieselfront.table.measured.geometry import point_segment_square
from dieselfront.table.measured.movement import Going, leg_is_free
from dieselfront.table.measured.placement import Crowd, Keep, Places, offsets
from dieselfront.table.measured.shapes import Body, Shape, any_overlap, bodies_kept, round_base
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import Stand, blank_walls

Figure = tuple[str, int]
"""A model: the card it belongs to, and its number among the soldiers; -1 for a hero, a vehicle, the base of a gun."""

ONE_BASE = ("support", "fortification")
SINGLE = -1
MOST_UNITS = 1_000
NO_FLOOR = "there is no such floor"
WALL_KINDS = ("wall", "structure", "impassable", "rock")


class Models(Ground):
    """Units as models that keep together."""

    cites: ClassVar[dict[str, str]] = {}
    """The rules a game names for what is refused or done here, by what they are about."""

    def together(self, state: DustState, unit: Unit) -> Coherency:
        """What keeps the models of a unit together."""
        raise NotImplementedError

    # -- models --------------------------------------------------------------------------------------

    def models(self, unit: Unit) -> list[Figure]:
        """The models a unit has now, in the order of its parts; a gun and its crew share one base."""
        figures: list[Figure] = []
        for part in unit.parts:
            if part.role == "pilot":
                continue
            if self.one_body(part):
                figures.append((part.card.id, SINGLE))
            else:
                figures += [(part.card.id, soldier) for soldier in part.alive]
        return figures

    def one_body(self, part: Part) -> bool:
        """Is the part one miniature on the table: hero, vehicle, or a support weapon on its base?"""
        return not part.squad or part.card.kind in ONE_BASE

    def figures_of(self, unit: Unit) -> tuple[Figure, ...]:
        """Its models, the one that is moved first."""
        models = self.models(unit)
        kept = [figure for figure in unit.figures if figure in models]
        if kept:
            return (*kept, *(figure for figure in models if figure not in kept))
        first = self.first_figure(unit, models)
        return (first, *(figure for figure in models if figure != first))

    def first_figure(self, unit: Unit, models: list[Figure]) -> Figure:
        """The model that is moved, when nobody has been named yet."""
        return models[0]

    def shape(self, table: OpenTable, unit: Unit, figure: Figure) -> Shape:
        shape = table.shapes.get(figure[0])
        if shape is None:
            card = next(part.card for part in (*unit.parts, *unit.fallen) if part.card.id == figure[0])
            shape = size_of(card).shape()
        return shape

    def heading(self, unit: Unit) -> int:
        """Bases of soldiers have no front."""
        return 0 if unit.is_infantry else unit.facing

    def bodies(self, state: DustState, unit: Unit) -> list[Body]:
        """Its models as they stand, in the order of its figures; the same list as long as none of them moves."""
        table: OpenTable = state.table
        memory = table.bodies_by_places
        known = bodies_kept(memory, unit)
        if known is not None:
            return known
        if len(memory) > MOST_UNITS:
            memory.clear()
        heading = self.heading(unit)
        bodies = [
            table.body(self.shape(table, unit, figure), place, heading, (unit.id, *figure), unit.is_aircraft)
            for figure, place in zip(unit.figures, unit.where, strict=True)
        ]
        memory[id(unit.where)] = (unit.where, unit.facing, unit.figures, unit.id, bodies)
        return bodies

    def first(self, state: DustState, unit: Unit) -> Body:
        """The hull, the base of a gun, or the first soldier."""
        return self.bodies(state, unit)[0]

    def measuring(self, state: DustState, unit: Unit) -> list[Body]:
        """The models from which a unit measures and sees: all of them, unless a game names one."""
        return self.bodies(state, unit)

    def circle(self, unit: Unit) -> float | UnsetType:
        """The circle that screens draw round a unit, in millimetres; none where a game has no such thing."""
        return UNSET

    def zoned(self, bodies: Sequence[Body]) -> Sequence[Body]:
        """The models that have to stand inside an area in which the unit is set down."""
        return bodies

    # -- where things stand --------------------------------------------------------------------------

    def stance(self, unit: Unit) -> Any:
        return unit.where[0]

    def turns(self, unit: Unit) -> tuple[int | None, ...]:
        return (None,) if unit.is_infantry else HEADINGS

    def put(self, state: DustState, unit: Unit, spot: int, facing: int | None) -> None:
        """Stand a unit round the place of its first model, hull or base (ff.move.formation, ff.move.place_rest)."""
        before = unit.where
        unit.facing = unit.facing if facing is None else facing % 360
        figures = self.figures_of(unit)
        formation = self.formation(state, unit, spot, unit.facing)
        if isinstance(formation, str):
            formation = self.pressed(state, unit, spot)
        unit.figures = state.table.same(figures)
        self._stand(state, unit, formation)
        unit.status = ON_BOARD
        unit.aboard = ""
        if unit.flags & BURNING:
            move_smoke(state, unit, before[:1])

    def _stand(self, state: DustState, unit: Unit, bodies: Sequence[Body]) -> None:
        unit.where = state.table.same(tuple([at(body.x, body.y, body.floor) for body in bodies]))
        unit.place = unit.where[0]

    def lift(self, unit: Unit, status: str) -> None:
        super().lift(unit, status)
        unit.figures = ()

    def rename(self, unit: Unit, old: str, new: str) -> None:
        """A hero who goes on as another card stays where he is."""
        unit.figures = tuple((new if card == old else card, number) for card, number in unit.figures)

    # -- the law of places ---------------------------------------------------------------------------

    def law(self, state: DustState, unit: Unit) -> Law:
        """What the terrain is to the unit."""
        return law(state.table.terrain, self.mover(unit, state))

    def others(self, state: DustState, unit: Unit) -> list[tuple[Unit, list[Body]]]:
        """Everybody else in its layer: aircraft stand over ground models (ff.move.under_aircraft)."""
        memory, find = state.table.bodies_by_places, self.bodies  # most of them have not moved
        return [(other, bodies_kept(memory, other) or find(state, other)) for other in self._standing(state, unit)]

    def _standing(self, state: DustState, unit: Unit) -> list[Unit]:
        flies = unit.is_aircraft
        return [
            other
            for other in state.units
            if other.status == ON_BOARD and other is not unit and (other.parts[0].card.armour_type == "A") == flies
        ]

    def crowd(self, state: DustState, unit: Unit, floor: int | None = None) -> Crowd:
        """Everybody else's bases, on one floor or on all, found by place; the same for the same position."""
        known = state.table.positions.of(state.units).crowds
        crowd: Crowd | None = known.get((unit.id, floor))
        if crowd is None:
            bodies = [body for _, own in self.others(state, unit) for body in own]
            crowd = Crowd([Keep(body) for body in bodies if floor is None or body.floor == floor])
            known[unit.id, floor] = crowd
        return crowd

    def places(self, state: DustState, unit: Unit, first: Body | None = None, own: Sequence[Body] = ()) -> Places:
        """Where models of the unit may stand: no bases on one floor overlap, friend or foe.

        ff.move.no_overlap, ff.move.no_gap, bf.move.no_overlap.
        """
        table: OpenTable = state.table
        crowd = self.crowd(state, unit, None if first is None else first.floor)
        if own:
            crowd = Crowd([*crowd.keeps, *map(Keep, own)])
        no_end = self.law(state, unit).no_end
        if first is None or unit.is_aircraft:
            return Places(table.land, no_end, crowd)
        beside = BesideFirst(table, first, unit.is_infantry)
        if beside.stage is not None:
            no_end = tuple(kind for kind in no_end if kind != beside.stage.kind.id)
        return Places(table.land, no_end, crowd, test=beside.admits)

    def highest(self, table: OpenTable, place: int) -> int:
        """The highest floor there is at a point."""
        building = table.building_at(place)
        return 0 if building is None else building.floors - 1

    def formation(self, state: DustState, unit: Unit, spot: int, heading: int) -> list[Body] | str:
        """The models as they would stand round the first one there, or why that is not possible."""
        if isinstance(spot, Hand):
            return self._formation(state, unit, spot, heading)
        known = state.table.positions.of(state.units).formations
        lost = () if unit.figures else self.figures_of(unit)  # whoever comes on may have lost men on the way
        key = unit.id, spot, heading, state.phase, lost
        entry = known.get(key)
        if entry is None or entry[1] is not state.forts:
            entry = known[key] = (self._formation(state, unit, spot, heading), state.forts)
        formation: list[Body] | str = entry[0]
        return formation

    def _formation(self, state: DustState, unit: Unit, spot: int, heading: int) -> list[Body] | str:
        table: OpenTable = state.table
        if floor_of(spot) and floor_of(spot) > self.highest(table, spot):
            return NO_FLOOR
        figures = self.figures_of(unit)
        x, y = xy(spot)
        shape = self.shape(table, unit, figures[0])
        turned = 0 if unit.is_infantry else heading
        first = table.body(shape, at(x, y, floor_of(spot)), turned, (unit.id, *figures[0]), unit.is_aircraft)
        places = self.places(state, unit, first)
        problem = self.first_problem(state, unit, first, places)
        if problem is not None:
            return problem
        if len(figures) == 1:
            return [first]
        hand = getattr(spot, "others", ())
        wanted = [first, *self._wanted(state, unit, figures, first, heading, hand)]
        if hand:
            return self._by_hand(state, unit, wanted, places)
        if self._all_fit(state, unit, wanted, places):
            return wanted
        arranged = arrange(wanted, places, self.together(state, unit), step=6)
        if arranged is None:
            return f"there is no room for the whole unit there ({self.cites['together']})"
        return [first, *(self._again(table, first, body) for body in arranged[1:])]

    def first_problem(self, state: DustState, unit: Unit, first: Body, places: Places) -> str | None:
        """Why the first model, a hull or a base may not end there."""
        problem = places.problem(first)
        if problem is not None:
            return {
                "off table": "that is not wholly on the table",
                "model": f"bases may not overlap ({self.cites['overlap']})",
                "terrain": f"nobody of this kind may stop on that terrain ({self.cites['terrain']})",
                "rule": f"nobody stands in a wall or over the edge of a floor ({self.cites['terrain']})",
            }.get(problem.what, "that is not possible there")
        if unit.card.locomotion == "naval" and not self._afloat(state.table, first):
            return "ships stay on the water"
        return None

    def _afloat(self, table: OpenTable, body: Body) -> bool:
        return any(piece.kind.id in FORDS for piece in table.land.pieces_at(body.cx, body.cy))

    def _wanted(
        self,
        state: DustState,
        unit: Unit,
        figures: tuple[Figure, ...],
        first: Body,
        heading: int,
        hand: tuple[Point, ...],
    ) -> list[Body]:
        """Where the others would like to stand: as the answer says, as they stood round it before, or in a block."""
        table: OpenTable = state.table
        if hand:
            points = list(hand)
        elif unit.where and unit.figures == figures:
            x, y = xy(unit.where[0])
            steps = [(px - x, py - y) for px, py in map(xy, unit.where[1:])]
            points = [(first.x + dx, first.y + dy) for dx, dy in steps]
        else:
            spacing = max(self.shape(table, unit, figure).width for figure in figures) + 4
            points = pattern_spots(first.x, first.y, heading, block(len(figures), spacing, files=3))[1:]
        wanted = []
        for figure, (x, y) in zip(figures[1:], points, strict=True):
            shape = self.shape(table, unit, figure)
            x, y = min(max(x, 0), table.width), min(max(y, 0), table.height)
            wanted.append(table.body(shape, at(x, y, first.floor), 0, (unit.id, *figure)))
        return wanted

    def _again(self, table: OpenTable, first: Body, body: Body) -> Body:
        """A model on the floor of the first one."""
        return table.body(body.shape, at(body.x, body.y, first.floor), body.heading, body.key)

    def _all_fit(self, state: DustState, unit: Unit, bodies: list[Body], places: Places) -> bool:
        if self.together(state, unit).broken(bodies):
            return False
        if any_overlap(bodies):
            return False
        return all(places.is_legal(body) for body in bodies[1:])

    def _by_hand(self, state: DustState, unit: Unit, bodies: list[Body], places: Places) -> list[Body] | str:
        """Models set down one by one (ff.move.place_rest)."""
        if self.together(state, unit).broken(bodies):
            return f"the models would not keep together ({self.cites['together']})"
        if not self._all_fit(state, unit, bodies, places):
            return f"a model cannot be placed there ({self.cites['terrain']}, {self.cites['overlap']})"
        return bodies

    def pressed(self, state: DustState, unit: Unit, spot: int) -> list[Body]:
        """The legal formation nearest to a spot, for units that something stops on their way."""
        for dx, dy in ((0, 0), *offsets(24)):
            x, y = xy(spot)
            x, y = x + dx * 12, y + dy * 12
            if 0 <= x <= state.table.width and 0 <= y <= state.table.height:
                formation = self.formation(state, unit, at(x, y, floor_of(spot)), unit.facing)
                if not isinstance(formation, str):
                    return formation
        return self._heaped(state, unit, spot)

    def _heaped(self, state: DustState, unit: Unit, spot: int) -> list[Body]:
        """Nothing helps: all on one spot; random games watch that this never happens."""
        table: OpenTable = state.table
        heading = self.heading(unit)
        return [
            table.body(self.shape(table, unit, figure), spot, heading, (unit.id, *figure))
            for figure in self.figures_of(unit)
        ]

    def may_stand(self, state: DustState, unit: Unit, place: int) -> bool:
        """Can the whole unit stand round that place?"""
        return not isinstance(self.formation(state, unit, place, unit.facing), str)

    # -- losses and returns --------------------------------------------------------------------------

    def regroup(self, state: DustState, unit: Unit) -> bool:
        """Let the models on the table be those the unit has; True if its first model is no longer among them."""
        if unit.status != ON_BOARD or self._is_complete(state, unit):
            return False
        models = self.models(unit)
        renamed = self._renamed(unit, models)
        standing = [(figure, place) for figure, place in zip(renamed, unit.where, strict=True) if figure in models]
        lost = bool(renamed) and renamed[0] not in models
        if not standing:
            standing = [(models[0], unit.where[0])]
        same = state.table.same
        unit.figures, unit.where = same(tuple(f for f, _ in standing)), same(tuple(p for _, p in standing))
        unit.place = unit.where[0]
        for figure in models:
            if figure not in unit.figures:
                self._return(state, unit, figure)
        return lost

    def _is_complete(self, state: DustState, unit: Unit) -> bool:
        """Are the models on the table those the unit has? Asked often, and seldom has anything changed."""
        memory = state.table.complete
        key = (id(unit.figures), unit.id)  # units of one card may share their figures
        known = memory.get(key)
        if len(unit.parts) == 1:
            part = unit.parts[0]
            parts: tuple[Any, ...] = (part.card, part.alive, part.role)
        else:
            parts = tuple([(part.card, part.alive, part.role) for part in unit.parts])
        if known is not None and known[1] == parts:  # most often the very same objects
            return True
        models = self.models(unit)
        if models and set(models) != set(unit.figures):
            return False
        if len(memory) > MOST_UNITS:
            memory.clear()
        memory[key] = (unit.figures, parts)
        return True

    def _renamed(self, unit: Unit, models: list[Figure]) -> list[Figure]:
        """A hero who turns into somebody else stays where he is."""
        strangers = [figure for figure in models if figure not in unit.figures and figure[1] == SINGLE]
        renamed = []
        for figure in unit.figures:
            gone = figure not in models and figure[1] == SINGLE
            renamed.append(strangers.pop(0) if gone and strangers else figure)
        return renamed

    def _return(self, state: DustState, unit: Unit, figure: Figure) -> None:
        """A soldier who comes back is placed with his unit; without room he stays away."""
        first = self.first(state, unit)
        standing = self.bodies(state, unit)
        places = self.places(state, unit, first, standing)
        shape = self.shape(state.table, unit, figure)
        together = self.together(state, unit)
        for dx, dy in offsets(16):
            x, y = first.x + dx * 6, first.y + dy * 6
            if not (0 <= x <= state.table.width and 0 <= y <= state.table.height):
                continue
            body = self._again(state.table, first, Body(shape, x, y, 0, 0, (unit.id, *figure)))
            if together.admits(body, standing) and places.is_legal(body):
                unit.figures += (figure,)
                unit.where += (at(x, y, body.floor),)
                return
        for part in unit.parts:
            if part.card.id == figure[0]:
                part.alive = tuple(soldier for soldier in part.alive if soldier != figure[1])


_NOBODY = Crowd()
ON_FOOT, ON_WHEELS = Going(walls="openings"), Going(walls="closed")
_POINT = round_base(1, height=1)


class BesideFirst:
    """A soldier stands on the floor of the first one, and no blank wall between them (ff.move.leader_path).

    Nobody stands in a wall, nor over the edge of a floor or roof (d47.terrain.high_wall).
    """

    __slots__ = ("first", "going", "land", "on_foot", "stage", "table", "walls")

    def __init__(self, table: OpenTable, first: Body, on_foot: bool) -> None:
        self.table = table
        self.land = table.land
        self.first = first
        self.on_foot = on_foot
        self.stage = table.stage_at(at(first.x, first.y, first.floor)) if first.floor else None
        self.walls = table.land.mask_of(WALL_KINDS)
        self.going = ON_FOOT if on_foot else ON_WHEELS

    def admits(self, body: Body) -> bool:
        if self.stage is not None:
            if self.stage.stand(body) is not Stand.WHOLLY:
                return False
        elif not self._is_near_walls(body):
            return True
        elif self.on_foot and self.land.building_mask and is_in_wall(self.land, body):
            return False
        first = self.first
        if body.key == first.key:
            return True
        if self.walls and self.land.stretches_in((first.cx, first.cy), (body.cx, body.cy), self.walls):
            return False
        one, other = _speck(first), _speck(body)
        return leg_is_free(self.land, one, other, self.going, 0, _NOBODY)

    def _is_near_walls(self, body: Body) -> bool:
        """Could a wall stand between the two, or where the other one stands? (A quick first question.)"""
        walls = self.walls | self.land.building_mask
        if not walls:
            return False
        first, r = self.first, body.radius
        low_x, high_x = min(first.cx, body.cx - r), max(first.cx, body.cx + r)
        low_y, high_y = min(first.cy, body.cy - r), max(first.cy, body.cy + r)
        return bool(self.land.near_box(low_x, low_y, high_x, high_y, walls))


def is_in_wall(land: MeasuredTable, body: Body) -> bool:
    """Does a base on the ground reach over a wall of a building where it has no opening?"""
    memory = land.memory.setdefault("blank walls", {})
    for piece in land.near(body):
        if piece.is_building:
            if piece.id not in memory:
                memory[piece.id] = blank_walls(piece, 0)
            for wall in memory[piece.id]:
                square, scale = point_segment_square(body.cx, body.cy, *wall)
                if square < body.radius * body.radius * scale:
                    return True
    return False


def _speck(body: Body) -> Body:
    return Body(_POINT, body.x, body.y, 0, body.z, None, body.inside, body.floor)
