"""Movement: moves and marches of soldiers, vehicles and aircraft, reactions around them, overruns, closing up, retreat
(dw.action.move, dw.action.march_move, dw.move.*, dw.unit_phase.out_of_formation*, dw.unit_phase.retreat_*).
"""

from __future__ import annotations

from collections.abc import Sequence

from dieselfront.dice import Throw
from dieselfront.kernel.decisions import Path, PickOne
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.chapter import Chapter
from dieselfront.rulesets.warfare.damage_tables import DRIVE, ENGINE, FIRE
from dieselfront.rulesets.warfare.events import Lost, Moved, Overrun
from dieselfront.rulesets.warfare.going import (
    DIFFICULT_INCHES,
    MARCH,
    MOVE,
    REACTION,
    REGROUP,
    RETREAT,
    Clearance,
    Move,
    path_length,
)
from dieselfront.rulesets.warfare.ground import INCH
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.profiles import DamageCell
from dieselfront.rulesets.warfare.reactions import AFTER, BEFORE
from dieselfront.rulesets.warfare.routes import DriveLimits, DriveRegion, FootRegion, Route, whole
from dieselfront.rulesets.warfare.state import State, Unit
from dieselfront.rulesets.warfare.terrain import floors_of
from dieselfront.rulesets.warfare.throws import COMBAT_DIE, combat
from dieselfront.table.measured.angles import step
from dieselfront.table.measured.movement import farthest, step_towards, swept
from dieselfront.table.measured.placement import Crowd, Keep, Places
from dieselfront.table.measured.shapes import Body, distance_from_line, is_nearer, is_within, overlaps_convex

REVERSE_INCHES = 3  # dw.move.vehicle_reverse, 6" on a march
REGROUP_INCHES = 6  # dw.command.regroup_move
FLAMES = DamageCell(spray=1, damage=1)  # dw.damage.vehicle.external_fire_overrun


class Movement(Chapter):
    """Going from here to there."""

    # -- whether and how far ------------------------------------------------------------------------------

    def can_move(self, state: State, unit: Unit, kind: str) -> bool:
        """A damaged drive allows no move of any kind (dw.damage.vehicle.drive_damaged), a damaged engine no march
        (dw.aircraft.damage.engine)."""
        if not unit.on_table or DRIVE in unit.effects or (kind == MARCH and ENGINE in unit.effects):
            return False
        return self.inches(Move(state, unit, kind)) > 0 or (unit.is_vehicle and unit.card.move > 0)

    def inches(self, move: Move) -> int:
        """Move, twice that on a march (dw.action.move, dw.action.march_move, dw.aircraft.move_distance), and what
        abilities
        add."""
        unit = move.unit
        base = unit.card.move * (2 if move.kind == MARCH else 1)
        if move.kind == REGROUP:
            return REGROUP_INCHES
        inches: int = unit.ask("on_move_inches", base, unit, move)
        if move.kind == REACTION:
            inches = unit.ask("on_reaction_inches", inches, unit, move)
        return inches

    # -- a move action -------------------------------------------------------------------------------------

    def move(self, play: Play, unit: Unit, kind: str = MOVE) -> Procedure:
        """A move with the reactions before and after it (dw.reaction.move_timing)."""
        state: State = play.state
        yield from self.rules.leaders.stand_in(play, unit)
        way = yield from self.choose_way(state, unit)
        move = Move(state, unit, kind, way)
        if unit.is_aircraft:
            yield from self.rules.aircraft.announce_bombs(play, move)
        yield from self.rules.reactions.to_move(play, move, BEFORE)
        if unit.on_table and unit.men and self.can_move(state, unit, kind):
            yield from self.rules.leaders.stand_in(play, unit)
            move.start = list(unit.bodies)
            yield from self.travel(play, move)
            yield from self.after(play, move)
        unit.stand_in = None
        return move

    def after(self, play: Play, move: Move) -> Procedure:
        """What follows a move: abilities, bombs, reactions, and the free attack of a charge."""
        unit = move.unit
        for answer in unit.hooks.get("on_moved", ()):
            if unit.on_table:
                yield from answer(play, unit, move)
        if move.bombs and unit.on_table:
            yield from self.rules.aircraft.drop_bombs(play, move)
        if unit.on_table:
            yield from self.rules.reactions.to_move(play, move, AFTER)
        for answer in unit.hooks.get("on_move_done", ()):
            if unit.on_table:
                yield from answer(play, unit, move)

    def choose_way(self, state: State, unit: Unit) -> Procedure:
        """Ordinary movement, or another one by an ability."""
        ways = unit.ask("on_ways", ["move"], unit, state)
        if len(ways) == 1:
            return ways[0]
        way = yield PickOne(
            unit.side,
            "way of moving",
            ways,
            text=f"How does {unit.name} move?",
            rule="dw.action.move",
            unit=unit.id,
            act="move",
            about=lambda how: About(act="move", unit=unit.id, skills=(how,)),
        )
        return way

    def region(self, move: Move) -> FootRegion | DriveRegion:
        """Where the unit may go in this move."""
        unit, state = move.unit, move.state
        move.inches = self.inches(move)
        if unit.is_soldier:
            return FootRegion(Clearance(move), unit, move.inches * INCH)
        return DriveRegion(Clearance(move), unit, self.limits(state, move))

    def limits(self, state: State, move: Move) -> DriveLimits:
        """What a vehicle or aircraft may do (dw.move.vehicle_reverse, dw.move.vehicle_spot_turn,
        dw.aircraft.move_front_arc)."""
        unit = move.unit
        turns = bool(unit.ask("on_turns", True, unit, move))
        if unit.is_aircraft:
            return DriveLimits(move.inches * INCH, 0, turns, False, turn_after=not move.bombs)
        back = REVERSE_INCHES * (2 if move.kind == MARCH else 1)
        back = 0 if move.way != "move" or unit.card.move == 0 else back
        spot = move.way == "move" and bool(unit.ask("on_spot_turn", True, unit, state))
        return DriveLimits(move.inches * INCH, back * INCH, turns, spot)

    def travel(self, play: Play, move: Move) -> Procedure:
        """Choose a way and go it."""
        unit = move.unit
        region = self.region(move)
        answer = yield Path(
            unit.side,
            "move",
            region,
            text=f"Where does {unit.name} go?",
            rule="dw.action.march_move" if move.is_march else "dw.action.move",
            unit=unit.id,
            act="move",
            about=lambda path: self._about(unit, path),
        )
        route = play.now(lambda: region.route(answer))
        assert isinstance(route, Route), route
        yield from self.go(play, move, region, route)

    def _about(self, unit: Unit, path: object) -> About:
        points = [point for point in path if isinstance(point, tuple) and point and isinstance(point[0], int)] if (
            isinstance(path, tuple)
        ) else []  # fmt: skip
        if not points:
            return About(act="move", unit=unit.id, careless=True)
        way = tuple((point[0], point[1]) for point in points)
        facing = points[-1][2] if len(points[-1]) > 2 else None
        start = unit.bodies[0]
        cost = path_length([(start.x, start.y), *way])
        return About(act="move", unit=unit.id, places=(way[-1],), way=way, facing=facing, cost=cost)

    def go(self, play: Play, move: Move, region: FootRegion | DriveRegion, route: Route) -> Procedure:
        """Carry a way out: the ground die of tracks and wheels, the move itself, overruns."""
        unit = move.unit
        route = yield from self.ground_die(play, move, region, route)
        start = list(unit.bodies)
        unit.notes.pop("floor", None)
        unit.bodies = list(route.bodies)
        if unit.is_machine:
            unit.heading = route.heading
        move.path, move.length, move.entered = route.path, route.length, route.entered
        if route.climbed:
            unit.notes["climbed"] = unit.notes.get("climbed", 0) + route.climbed
        if route.path or unit.bodies != start:
            unit.notes["moved"] = play.state.turn
            rule = "dw.action.march_move" if move.is_march else "dw.action.move"
            play.emit(Moved(rule, unit.id, self._how(move), route.path, unit.spots, unit.heading))
        if unit.is_soldier:
            yield from self.take_floor(play, move)
        if unit.is_vehicle:  # dw.aircraft.no_overrun
            yield from self.overrun(play, move, start[0])
        if unit.is_aircraft:
            yield from self.rules.aircraft.entered_hazards(play, move, start[0])

    def _how(self, move: Move) -> str:
        return move.kind if move.way == "move" else f"{move.kind}, {move.way}"

    # -- floors -----------------------------------------------------------------------------------------------

    def take_floor(self, play: Play, move: Move) -> Procedure:
        """Soldiers who end wholly in a building choose their level, one floor a move unless an ability says more
        (dw.move.vertical_limit)."""
        unit, state = move.unit, move.state
        piece = ground.building_under(state.table, unit.bodies)
        if piece is None or floors_of(piece) < 2:
            return
        was = move.start[0].z // max(1, piece.height // 10 // floors_of(piece)) if move.start else 0
        reach = unit.ask("on_floors", 1, unit, move)
        floors = [floor for floor in range(floors_of(piece)) if abs(floor - was) <= reach]
        if not floors:
            return
        floor = yield PickOne(
            unit.side,
            "floor",
            floors,
            text=f"On which floor of {piece.id} does {unit.name} end?",
            rule="dw.move.vertical_limit",
            unit=unit.id,
            act="move",
        )
        if floor:
            unit.notes["floor"] = floor
        unit.bodies = ground.settle(state.table, unit, unit.bodies)

    # -- tracks and wheels ------------------------------------------------------------------------------------

    def ground_die(self, play: Play, move: Move, region: FootRegion | DriveRegion, route: Route) -> Procedure:
        """One die when the way meets difficult terrain; on the wrong face it stops where it first touches it
        (dw.open.tracks_details)."""
        unit = move.unit
        faces = unit.ask("on_ground_die", 0, unit)
        if not faces or not route.length or route.back or not isinstance(region, DriveRegion):
            return route
        slow = [id for id in route.entered if id in region.clearance.difficult]
        if not slow:
            return route
        rule = "dw.ability.tracks" if faces == COMBAT_DIE.mask(["HIT"]) else "dw.ability.wheels"
        thrown = yield from play.throw(Throw("difficult ground", COMBAT_DIE, faces, rule), 1, unit.side, unit.id)
        if not thrown.successes:
            return route
        return self.halted(move, route, slow)

    def halted(self, move: Move, route: Route, slow: Sequence[str]) -> Route:
        """The way cut off where the vehicle first touches difficult terrain; nothing if it starts there."""
        start, end = move.unit.bodies[0], route.bodies[0]
        pieces = [move.state.table.piece(id) for id in slow]
        if any(piece.overlaps(start) for piece in pieces):
            return Route((), [start], start.heading)
        low, high = 0, route.length
        turned = start.at(start.x, start.y, end.heading if self._turned_first(route) else start.heading)
        while low < high:
            middle = (low + high + 1) // 2
            there = step_towards(turned, end.x, end.y, middle)
            if any(piece.overlaps(there) for piece in pieces):
                high = middle - 1
            else:
                low = middle
        there = step_towards(turned, end.x, end.y, low)
        clearance = Clearance(move)
        while low > 0 and clearance.end_problem([there]) is not None:
            low -= 10
            there = step_towards(turned, end.x, end.y, max(0, low))
        if clearance.end_problem([there]) is not None:  # friends stand where it would have turned
            return Route((), [start], start.heading)
        body = move.state.table.stand(there.shape, there.x, there.y, there.heading, there.key)
        return Route(((body.x, body.y, body.heading),), [body], body.heading, max(0, low), (), 0)

    def _turned_first(self, route: Route) -> bool:
        return len(route.path) > 1 and route.path[0][2] == route.path[-1][2]

    # -- overruns -----------------------------------------------------------------------------------------------

    def overrun(self, play: Play, move: Move, start: Body) -> Procedure:
        """Enemy soldiers that a vehicle crosses or ends near are pushed aside and suppressed (dw.move.overrun_through,
        dw.move.overrun_push, dw.move.overrun_suppression, dw.move.overrun_multiple, dw.open.overrun_scope)."""
        state, vehicle = move.state, move.unit
        body = vehicle.bodies[0]
        struck = [
            unit
            for unit in state.enemies(vehicle)
            if unit.is_soldier and not unit.is_above and self._is_overrun(start, body, unit, move.length)
        ]
        for unit in struck:
            play.emit(Overrun("dw.move.overrun_through", vehicle.id, unit.id))
            self.push(play, vehicle, unit)
            thrown = yield from play.throw(
                combat(f"overrun of {unit.name}", "dw.move.overrun_suppression"),
                vehicle.armor, vehicle.side, vehicle.id,
            )  # fmt: skip
            self.rules.suppression.suppress(play, unit, thrown.successes, "dw.move.overrun_suppression")
            if FIRE in vehicle.effects:  # dw.damage.vehicle.external_fire_overrun
                strike = self.rules.attacking.free_strike(state, vehicle, unit, FLAMES, "burning vehicle", body)
                yield from self.rules.attacking.free_attacks(play, [strike])

    def _is_overrun(self, start: Body, end: Body, unit: Unit, length: int) -> bool:
        """Crossed on the way, or nearer than 1" at the end."""
        if any(is_nearer(end, body, INCH) for body in unit.bodies):
            return True
        if not length:
            return False
        there = start.at(end.x, end.y)
        return any(crosses(start, there, body) for body in unit.bodies)

    def push(self, play: Play, vehicle: Unit, unit: Unit) -> None:
        """Miniatures nearer than 1" to the vehicle step aside, by the shortest way (dw.move.overrun_push)."""
        state: State = play.state
        hull = vehicle.bodies[0]
        keeps = [
            Keep(body, 0)
            for other in state.units
            if other.on_table and other is not vehicle
            for body in other.bodies
            if other is not unit
        ]
        firm = Clearance(Move(state, unit, REGROUP)).places().test
        moved = []
        for number, body in enumerate(unit.bodies):
            if not is_nearer(hull, body, INCH):
                continue
            mates = [Keep(mate, 0) for place, mate in enumerate(unit.bodies) if place != number]
            crowd = Crowd([*keeps, *mates, Keep(hull, INCH, strict=False)])
            spot = Places(state.table, (), crowd, test=firm).nearest(body, most=260, step=4)
            if spot is not None:
                unit.bodies[number] = state.table.settled(spot)
                moved.append(number)
        if moved:
            play.emit(Moved("dw.move.overrun_push", unit.id, "pushed aside", (), unit.spots, unit.heading))

    # -- closing up ------------------------------------------------------------------------------------------

    def close_up(self, play: Play, unit: Unit) -> None:
        """Miniatures outside Leadership range move straight towards the leader, just enough to be inside
        (dw.unit_phase.out_of_formation, dw.open.leader_range_step2); free, and nobody reacts
        (dw.unit_phase.out_of_formation_free)."""
        state: State = play.state
        away = ground.out_of_formation(unit)
        if not away or unit.leader is None:
            return
        leader = unit.body_of(unit.leader)
        clearance = Clearance(Move(state, unit, REGROUP), free_ground=True)
        for man in away:
            index = unit.men.index(man)
            unit.bodies[index] = state.table.settled(self._closer(clearance, unit, index, leader))
        play.emit(Moved("dw.unit_phase.out_of_formation", unit.id, "closes up", (), unit.spots, unit.heading))

    def _closer(self, clearance: Clearance, unit: Unit, index: int, leader: Body) -> Body:
        """The first place on the line to the leader that is in range, or as far as the way is free."""
        body = unit.bodies[index]
        reach = ground.leadership(unit)
        low, high = 0, path_length([(body.x, body.y), (leader.x, leader.y)])
        while low < high:
            middle = (low + high) // 2
            if is_within(leader, step_towards(body, leader.x, leader.y, middle), reach):
                high = middle
            else:
                low = middle + 1
        wanted = step_towards(body, leader.x, leader.y, low)
        if not is_within(leader, wanted, reach):
            wanted = step_towards(body, leader.x, leader.y, low + 10)
        mates = [Keep(mate, 0) for place, mate in enumerate(unit.bodies) if place != index]
        keeps = [keep for keep in clearance.keeps if keep.is_kept(body)]
        ends = Places(clearance.table, (), Crowd([*clearance.end_keeps, *mates]), test=clearance.places().test)
        got = farthest(clearance.table, body, wanted.x, wanted.y, clearance.going, keeps, ends)
        if is_within(leader, got, reach) or got is not body:
            return got
        beside = Places(
            clearance.table, (), ends.crowd, test=lambda spot: is_within(leader, spot, reach) and ends.is_legal(spot)
        ).nearest(wanted, most=120, step=4)
        return beside if beside is not None else body

    def regroup_move(self, play: Play, unit: Unit) -> Procedure:
        """Everybody but the leader may move up to 6" and ends in formation (dw.command.regroup_move,
        dw.open.regroup_details)."""
        state: State = play.state
        if not unit.is_soldier or len(unit.men) < 2 or not unit.on_table:
            return
        move = Move(state, unit, REGROUP)
        region = FootRegion(Clearance(move), unit, REGROUP_INCHES * INCH, leader_stays=True)
        answer = yield Path(
            unit.side,
            "regroup",
            region,
            text=f"How does {unit.name} close up round its leader?",
            rule="dw.command.regroup_move",
            unit=unit.id,
            act="move",
            about=lambda path: About(act="move", unit=unit.id),
        )
        route = play.now(lambda: region.route(answer))
        assert isinstance(route, Route), route
        if route.bodies != unit.bodies:
            unit.bodies = list(route.bodies)
            play.emit(Moved("dw.command.regroup_move", unit.id, "regroups", (), unit.spots, unit.heading))

    # -- retreat ------------------------------------------------------------------------------------------------

    def retreat(self, play: Play, unit: Unit) -> Procedure:
        """Everybody straight to the table edge nearest to the leader, his full Move, and off it as a casualty
        (dw.unit_phase.retreat_moves, dw.unit_phase.retreat_off_table, dw.open.retreat_move_distance)."""
        state: State = play.state
        leader = unit.body_of(unit.leader if unit.leader is not None else unit.men[0])
        heading = self.nearest_edge(state, leader)
        clearance = Clearance(Move(state, unit, RETREAT))
        reach = unit.card.move * INCH
        lost: list[int] = []
        for man in list(unit.men):
            index = unit.men.index(man)
            gone, place = self._retreated(clearance, unit, index, heading, reach)
            if gone:
                lost.append(man)
            else:
                unit.bodies[index] = state.table.settled(place)
        play.emit(Moved("dw.unit_phase.retreat_moves", unit.id, "retreats", (), unit.spots, unit.heading))
        if lost:
            for man in lost:
                unit.lose(man)
            play.emit(Lost("dw.unit_phase.retreat_off_table", unit.id, tuple(lost)))
            yield from self.rules.damage.settle(play, unit)

    def nearest_edge(self, state: State, body: Body) -> int:
        """The heading of the edge that is nearest; of equal ones the first clockwise from the top."""
        table = state.table
        far = {0: body.y, 90: table.width - body.x, 180: table.depth - body.y, 270: body.x}
        return min(far, key=lambda heading: (far[heading], heading))

    def _retreated(self, clearance: Clearance, unit: Unit, index: int, heading: int, reach: int) -> tuple[bool, Body]:
        """(has it left the table, where it stands): as far as the way is free; difficult terrain limits it."""
        body = unit.bodies[index]
        table = clearance.table
        room = {
            0: body.cy - body.radius,
            90: table.width * 10 - body.cx - body.radius,
            180: table.depth * 10 - body.cy - body.radius,
            270: body.cx - body.radius,
        }[heading]
        far = min(reach, max(0, room))
        dx, dy = whole(step(heading, far))
        _, over = clearance.leg_problem(body, [(body.x + dx, body.y + dy)])
        if any(id in clearance.difficult for id in over):
            far = min(far, DIFFICULT_INCHES * INCH)
            reach = min(reach, DIFFICULT_INCHES * INCH)
            dx, dy = whole(step(heading, far))
        keeps = [keep for keep in clearance.keeps if keep.is_kept(body)]
        mates = [Keep(mate, 0) for place, mate in enumerate(unit.bodies) if place != index]
        ends = Places(table, (), Crowd([*clearance.end_keeps, *mates]), test=clearance.places().test)
        if room <= reach:
            edge = farthest(table, body, body.x + dx, body.y + dy, clearance.going, keeps)
            if (edge.x, edge.y) == (body.x + dx, body.y + dy):
                return True, body
        return False, farthest(table, body, body.x + dx, body.y + dy, clearance.going, keeps, ends)


def crosses(start: Body, end: Body, body: Body) -> bool:
    """Does a straight way between two places run over a miniature?"""
    if start.corners:
        return overlaps_convex(body, swept(start, end))
    line = distance_from_line(start.cx, start.cy, end.cx, end.cy, body)
    return line < start.radius


__all__ = ["Movement"]
