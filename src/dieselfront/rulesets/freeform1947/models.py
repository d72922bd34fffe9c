"""Models of a unit: who leads, where they stand, what keeps them together, how they close up (ff.move.*, ff.damage.*).

Sight, range and cover between units are told in ground.py, ways in ways.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dieselfront.rulesets.dust.state import BURNING, ON_BOARD, DustState, Part, Unit
from dieselfront.rulesets.dust1947.criticals import move_smoke
from dieselfront.rulesets.dust1947.ground import Ground
from dieselfront.rulesets.freeform1947.places import CIRCLE, HEADINGS, Point, at, floor_of, xy
from dieselfront.rulesets.freeform1947.sizes import size_of
from dieselfront.rulesets.freeform1947.table import OpenTable
from dieselfront.rulesets.freeform1947.terrain import FORDS, Law, law
from dieselfront.table.measured.formation import Circle, arrange, block, pattern_spots
from dieselfront.table.measured.movement import Going, leg_is_free
from dieselfront.table.measured.placement import Crowd, Keep, Places, keeps_from_centres, offsets
from dieselfront.table.measured.shapes import Body, Shape, overlaps, round_base

Figure = tuple[str, int]
"""A model: the card it belongs to, and its number among the soldiers; -1 for a hero, a vehicle, the base of a gun."""

ONE_BASE = ("support", "fortification")
SINGLE = -1
WALL_KINDS = ("wall", "structure", "impassable", "rock")


class Models(Ground):
    """Units as models round their leaders."""

    # -- models --------------------------------------------------------------------------------------

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

    # -- where things stand --------------------------------------------------------------------------

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

    # -- the law of places ---------------------------------------------------------------------------

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

    def may_stand(self, state: DustState, unit: Unit, place: int) -> bool:
        """Can the whole unit stand round that place?"""
        return not isinstance(self.formation(state, unit, place, unit.facing), str)

    # -- losses and returns --------------------------------------------------------------------------

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


_NOBODY = Crowd()
_POINT = round_base(1, height=1)


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
            return True
        here = self.table.building_at(at(body.x, body.y)) if self.land.building_mask else None
        if leader.floor and (here is None or here.id != leader.inside):
            return False
        if self.walls and self.land.stretches_in((leader.cx, leader.cy), (body.cx, body.cy), self.walls):
            return False
        one, other = _speck(leader), _speck(body)
        return leg_is_free(self.land, one, other, self.going, 0, _NOBODY)


def _speck(body: Body) -> Body:
    return Body(_POINT, body.x, body.y, 0, body.z, None, body.inside, body.floor)


def _disc(radius: int) -> list[Point]:
    """Points every few millimetres on a disc."""
    return [(0, 0), *((dx * 3, dy * 3) for dx, dy in offsets(radius // 3))]
