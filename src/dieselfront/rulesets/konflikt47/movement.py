"""Movement: rates, moves by order, forced moves, and what interrupts them (k47.move.*, k47.ambush.trigger)."""

from __future__ import annotations

from collections.abc import Callable

from dieselfront.kernel.decisions import Path, PickOne
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.charts import GUN_ADVANCE, RATES, Rates
from dieselfront.rulesets.konflikt47.events import Moved
from dieselfront.rulesets.konflikt47.going import CHAIN, Clearance
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.routes import (
    COMPASS,
    DriveLimits,
    DriveRegion,
    FootRegion,
    JumpRegion,
    Route,
    midway,
)
from dieselfront.rulesets.konflikt47.state import ADVANCE, RUN, State, Unit
from dieselfront.table.measured.angles import heading_of, step
from dieselfront.table.measured.formation import follow
from dieselfront.table.measured.movement import ahead_of
from dieselfront.table.measured.shapes import Body, distance

MILLIMETRE = 10
ANY_TURNS = -1


class Movement(Chapter):
    """Moving units about the table."""

    # -- rates --------------------------------------------------------------------------------------------

    def rates(self, unit: Unit) -> Rates:
        """How far the unit moves, in inches (k47.move.rates)."""
        vehicle = unit.card.vehicle
        if unit.is_artillery:  # k47.move.artillery
            rates = Rates(GUN_ADVANCE.get(unit.card.gun, 3), 0)
        else:
            rates = RATES[vehicle.mode if vehicle is not None else "infantry"]
        changed: Rates = unit.ask("on_rates", rates, unit)
        return changed

    def carried_skill(self, state: State, unit: Unit, rates: Rates) -> Rates:
        """An Agile figure aboard lends its transport one more turn (k47.special.quirks: Paragon skills)."""
        if any(passenger.lends_turn for passenger in state.passengers(unit)):
            return rates._replace(advance_turns=rates.advance_turns + 1, run_turns=rates.run_turns + 1)
        return rates

    def reach(self, unit: Unit, order: str) -> int:
        """The rate for an order, in tenths of a millimetre."""
        rates = self.rates(unit)
        return (rates.run if order == RUN else rates.advance) * INCH

    def is_scattered(self, unit: Unit) -> bool:
        """Have casualties broken the unit's chain (k47.core.coherency, k47.artillery.crew)?"""
        if unit.is_vehicle or not unit.on_table or unit.building or len(unit.bodies) + bool(unit.gun) < 2:
            return False
        return bool(CHAIN.broken([body for body in ground.all_bodies(unit) if not self.is_spotter(unit, body)]))

    def is_spotter(self, unit: Unit, body: Body) -> bool:
        """A spotter may stand apart from his unit (k47.wrule.spotter)."""
        man = body.key[1] if isinstance(body.key, tuple) else None
        return isinstance(man, int) and unit.man(man).is_a("spotter")

    # -- moving by order ----------------------------------------------------------------------------------

    def move(self, play: Play, unit: Unit, order: str) -> Procedure:
        """Advance or Run: the player chooses a way; mounting and entering buildings are ways too."""
        unit.moves += 1
        if unit.building:
            yield from self.rules.buildings.leave_or_stay(play, unit, order)
            return
        how = yield from self.manner(play, unit, order)
        if how == "dismount bikes":
            unit.ask("on_dismount", None, play, unit)
            how = "move"
        if isinstance(how, tuple):
            if how[0] == "mount":
                yield from self.rules.transports.mount(play, unit, how[1], order)
            elif how[0] == "enter":
                yield from self.rules.buildings.enter(play, unit, how[1], how[2], order)
            elif how[0] == "limber":
                self.rules.artillery.hitch(play, unit, play.state.unit(how[1]))
            return
        done = yield from self.travel(play, unit, order, how)
        if done and unit.on_table:
            yield from self.face(play, unit)
            for answer in unit.hooks.get("on_move_done", ()):
                yield from answer(None, play, unit)

    def manner(self, play: Play, unit: Unit, order: str) -> Procedure:
        """Plain moving, or one of the special ways the position offers."""
        state: State = play.state
        how = yield PickOne(
            unit.side,
            "manner",
            play.now(lambda: self.manners(state, unit, order)),
            text=f"How does {unit.card.name} move?",
            rule="k47.move.rates",
            unit=unit.id,
            labels=lambda way: way if isinstance(way, str) else f"{way[0]} {way[1]}",
            act="move",
            about=lambda way: About(
                "move" if isinstance(way, str) else "ride", unit.id, targets=() if isinstance(way, str) else (way[1],)
            ),
        )
        return how

    def manners(self, state: State, unit: Unit, order: str) -> tuple[object, ...]:
        """Plain moving, mounting, entering a building, on foot or off the bikes, behind a tow, a jump."""
        ways: list[object] = ["move"]
        if unit.is_infantry:
            ways += [("mount", carrier.id) for carrier in self.rules.transports.mountable(state, unit, order)]
            ways += [("enter", piece, floor) for piece, floor in self.rules.buildings.enterable(state, unit, order)]
            if unit.flies:
                ways.append("on foot")
            if unit.is_mounted and order == ADVANCE:
                ways.append("dismount bikes")
        if unit.is_artillery and order == ADVANCE:
            ways += [("limber", tow.id) for tow in self.rules.artillery.tows(state, unit)]
        if unit.jumps:
            ways.append("jump")
        return tuple(ways)

    def region(self, state: State, unit: Unit, order: str, how: str = "move") -> FootRegion | DriveRegion:
        """Where the unit may go with this order."""
        running = order == RUN
        if unit.is_vehicle:
            limits = self.drive_limits(state, unit, order)
            if how == "jump":  # k47.vehicle.jump
                rates = self.rates(unit)
                limits = DriveLimits(rates.run * INCH, 0, 0, 0)
                return JumpRegion(Clearance(state, unit, running, flies=True), unit, limits)
            return DriveRegion(Clearance(state, unit, running), unit, limits)
        flies = unit.flies and how != "on foot" or unit.ignores_terrain
        reach = self.reach(unit, order)
        if how == "on foot":
            reach = (RATES["infantry"].run if running else RATES["infantry"].advance) * INCH
        if unit.is_artillery and unit.dug_in:  # k47.terrain.code_no_star, k47.artillery.dug_in
            reach = 0
        return FootRegion(Clearance(state, unit, running, flies=flies), unit, reach)

    def drive_limits(self, state: State, unit: Unit, order: str) -> DriveLimits:
        """Distance and turns of a vehicle, forward and in reverse (k47.move.reverse, k47.move.reverse_recce,
        k47.open.reverse_wording)."""
        rates = self.carried_skill(state, unit, self.rates(unit))
        ahead, turns = (rates.run, rates.run_turns) if order == RUN else (rates.advance, rates.advance_turns)
        back, back_turns = unit.ask("on_reverse", (rates.advance * INCH // 2, 0), unit, rates)
        road = 2 * ahead * INCH if unit.card.vehicle is not None else 0  # k47.open.road_walker
        limits = DriveLimits(ahead * INCH, turns, back, back_turns, road, flip_back=unit.turns_on_spot)
        return self.rules.terrain.in_water(state, unit, order, limits)

    def travel(self, play: Play, unit: Unit, order: str, how: str = "move") -> Procedure:
        """Choose a way and go it; True if the unit got to the end of it (k47.move.less)."""
        state: State = play.state
        region = self.region(state, unit, order, how)
        if region.reach == 0 if isinstance(region, FootRegion) else False:
            return True
        answer = yield Path(
            unit.side,
            "move",
            region,
            text=f"Where does {unit.card.name} go?",
            rule="k47.move.rates",
            unit=unit.id,
            act="move",
        )
        route = play.now(lambda: region.route(answer))
        assert isinstance(route, Route), route
        return (yield from self.go(play, unit, route, order))

    def go(self, play: Play, unit: Unit, route: Route, order: str, ambushes: bool = True, how: str = "") -> Procedure:
        """Follow a route, stopping for minefields and ambushes on the way; True if the unit reaches its end."""
        start, gun = list(unit.bodies), unit.gun
        if unit.flies:
            unit.in_flight = True
        stops = yield from self.rules.ambush.stops(play, unit, route, start, gun) if ambushes else self._none()
        mines = play.now(lambda: self.rules.mines.stops(play.state, unit, route, start, gun))
        stops = sorted([*stops, *mines], key=lambda stop: stop[0])
        for far, kind, who in stops:
            unit.bodies, unit.gun = midway(route, start, gun, far)
            if unit.is_vehicle:
                unit.heading = unit.bodies[0].heading
            if kind == "mines":
                yield from self.rules.mines.attack(play, unit, who, order)
            else:
                yield from self.rules.ambush.spring(play, play.state.unit(who), unit)
            if not unit.alive:
                return False
            if self.is_stopped(unit, order):
                del unit.in_flight
                self.halt(play, unit, how or order)
                return False
            start, gun = self._remaining(unit, start, gun)
        del unit.in_flight
        self.finish(play, unit, route, how or order)
        self.rules.terrain.drove_over(play, unit)
        return True

    def _none(self) -> Procedure:
        return []
        yield

    def _remaining(self, unit: Unit, start: list[Body], gun: Body | None) -> tuple[list[Body], Body | None]:
        """The starting places of those who are still there."""
        alive = {body.key for body in unit.bodies}
        return [body for body in start if body.key in alive], gun

    def is_stopped(self, unit: Unit, order: str) -> bool:
        """Down, stunned or immobilised: the action ends here (k47.ambush.victim, k47.armour.mid_move)."""
        return unit.order not in (order, RUN, ADVANCE) or (unit.is_vehicle and bool(unit.halted))

    def halt(self, play: Play, unit: Unit, how: str) -> None:
        """The unit stays where it was caught, its models set down on free ground."""
        if not unit.is_vehicle:
            self.squeeze(play.state, unit)
        play.emit(Moved("k47.armour.mid_move", unit.id, f"{how}, halted", (), unit.spots, unit.heading))

    def squeeze(self, state: State, unit: Unit) -> None:
        """Set models down on the nearest free ground."""
        clearance = Clearance(state, unit, False)
        bodies = ground.all_bodies(unit)
        if clearance.end_problem(bodies) is None and not CHAIN.broken(bodies):
            return
        places = clearance.places()
        leader = places.nearest(bodies[0], most=400, step=8)
        if leader is None:
            return
        wanted = follow([leader, *[body.at(body.x, body.y) for body in bodies[1:]]], leader.x, leader.y)
        settled = clearance.settle(wanted)
        if settled is not None:
            self.set_down(state, unit, settled)

    def set_down(self, state: State, unit: Unit, bodies: list[Body]) -> None:
        """Put the models where they were settled; a gun stands last in the list."""
        table = state.table
        placed = [table.stand(body.shape, body.x, body.y, body.heading, body.key) for body in bodies]
        if unit.gun is not None:
            unit.gun = next(body for body in placed if body.key == (unit.id, "gun"))
        by_key = {body.key: body for body in placed}
        unit.bodies = [by_key[unit.id, man] for man in unit.men]

    def finish(self, play: Play, unit: Unit, route: Route, how: str) -> None:
        """The end of the way; a chain that casualties broke is whole again (k47.core.coherency)."""
        alive = [(unit.id, man) for man in unit.men]
        bodies = [body for body in route.bodies if body.key in alive]
        unit.bodies = bodies
        if route.gun is not None:
            unit.gun = route.gun
        if unit.is_vehicle:
            unit.heading = route.heading
        if len(bodies) < len(route.bodies) or self.is_scattered(unit):
            self.squeeze(play.state, unit)
        if route.path:
            play.emit(Moved("k47.move.rates", unit.id, how, route.path, unit.spots, unit.heading))

    def face(self, play: Play, unit: Unit) -> Procedure:
        """Fixed weapons are pointed anew at the end of a move (k47.wrule.fixed_pivot)."""
        if unit.is_vehicle or not any(weapon.points_ahead for weapon in unit.card.weapons):
            return
        headings = sorted({*COMPASS, unit.heading})
        unit.heading = yield PickOne(
            unit.side,
            "facing",
            headings,
            text=f"Where does {unit.card.name} point its weapon?",
            rule="k47.wrule.fixed_pivot",
            unit=unit.id,
            labels=lambda heading: f"{heading}°",
            act="move",
            about=lambda heading: About("move", unit.id, facing=heading),
        )
        if unit.gun is not None:
            unit.gun = unit.gun.at(unit.gun.x, unit.gun.y, unit.heading)

    # -- forced moves -----------------------------------------------------------------------------------

    def flee(self, play: Play, unit: Unit, enemy: Unit, ordered: bool = False) -> Procedure:
        """Straight away from an enemy, as far as the Run rate allows (k47.move.forced)."""
        state: State = play.state
        unit.moves += 1
        if unit.building:
            return
        route = self.flight(state, unit, enemy)
        if isinstance(route, str):
            yield from self.rules.losses.destroy(play, unit, "fled off the table", "k47.move.edge")
            return
        yield from self.go(play, unit, route, RUN, ambushes=ordered, how="flees")

    def flight(self, state: State, unit: Unit, enemy: Unit) -> Route | str:
        """Where a unit that flees from an enemy comes to; 'off' if that is over the table's edge."""
        if unit.is_vehicle:
            return self.flee_by_vehicle(state, unit, enemy)
        return self.flee_on_foot(state, unit, enemy)

    def away(self, unit: Unit, enemy: Unit) -> int:
        """The heading straight away from the enemy, along the line of the closest models."""
        pairs = [(distance(mine, theirs), mine, theirs) for mine in unit.bodies for theirs in ground.all_bodies(enemy)]
        _, mine, theirs = min(pairs, key=lambda pair: (pair[0], pair[1].x, pair[1].y, pair[2].x, pair[2].y))
        if (mine.x, mine.y) == (theirs.x, theirs.y):
            return 0
        return heading_of(mine.x - theirs.x, mine.y - theirs.y)

    def flee_on_foot(self, state: State, unit: Unit, enemy: Unit) -> Route | str:
        """The longest free way; 'off' if it leads over the table's edge (k47.move.edge)."""
        flies = unit.flies
        clearance = Clearance(state, unit, True, flies=flies)
        heading = self.away(unit, enemy)
        leader = unit.bodies[0]
        best: list[Body] = list(unit.bodies)
        path: tuple[tuple[int, int], ...] = ()
        reach = self.reach(unit, RUN)
        problems: list[str | None] = []

        def is_free(gone: int) -> bool:
            """Can the unit stop after so many tenths of the way?"""
            nonlocal best, path
            dx, dy = step(heading, gone)
            to = (leader.x + int(dx / 10), leader.y + int(dy / 10))
            problem = clearance.leg_problem(unit.bodies, to[0] - leader.x, to[1] - leader.y)
            problems.append(problem)
            moved = follow(unit.bodies, *to)
            if problem is not None or clearance.end_problem(moved) is not None:
                return False
            best, path = [state.table.stand(b.shape, b.x, b.y, b.heading, b.key) for b in moved], (to,)
            return True

        feel_out(is_free, reach, lambda: problems[-1] is not None)
        if any(problem is not None and "off the table" in problem for problem in problems):
            return "off"
        return Route(path, best, None, unit.heading)

    def flee_by_vehicle(self, state: State, unit: Unit, enemy: Unit) -> Route | str:
        """Forward if its turns can bring the front to point away, else straight back (k47.move.forced)."""
        rates = self.rates(unit)
        away = self.away(unit, enemy)
        body = unit.bodies[0]
        clearance = Clearance(state, unit, True)
        turn = (away - body.heading + 180) % 360 - 180
        allowed = 90 * rates.run_turns if rates.run_turns >= 0 else 180
        turned = max(-allowed, min(allowed, turn))
        if abs(turn - turned) < 90:
            limits = DriveLimits(rates.run * INCH, max(rates.run_turns, 0), 0, 0)
            region = DriveRegion(clearance, unit, limits)
            front = body.at(body.x, body.y, body.heading + turned)
            pivot = ((body.x, body.y, front.heading),) if turned else ()
            return self._longest(region, front, pivot, rates.run * INCH)
        limits = DriveLimits(0, 0, rates.advance * INCH // 2, 0)
        return self._longest(DriveRegion(clearance, unit, limits), body, (), -(rates.advance * INCH // 2))

    def _longest(
        self, region: DriveRegion, body: Body, pivot: tuple[tuple[int, int, int], ...], most: int
    ) -> Route | str:
        """The longest straight way of a vehicle; "off" if it leads over the table's edge."""
        sign, reach = (1 if most > 0 else -1), abs(most)
        best: tuple[tuple[int, int, int], ...] = ()
        problems: list[str | None] = []

        def is_free(gone: int) -> bool:
            """Can it stop after so many tenths of the way?"""
            nonlocal best
            there = ahead_of(body, sign * gone)
            problems.append(region.clearance.leg_problem([body], there.x - body.x, there.y - body.y))
            if problems[-1] is not None or region.clearance.end_problem([there]) is not None:
                return False
            best = (*pivot, (there.x, there.y, body.heading))
            return True

        feel_out(is_free, reach, lambda: problems[-1] is not None)
        if any(problem is not None and "off the table" in problem for problem in problems):
            return "off"
        route = region.route(best)
        if isinstance(route, str):
            route = region.route(())
        assert isinstance(route, Route)
        return route

    # -- small moves after fights ----------------------------------------------------------------------

    def shift(self, play: Play, unit: Unit, reach: int, rule: str, must_clear: bool = False) -> Procedure:
        """A free move of up to `reach` tenths in any direction: consolidation, regrouping (k47.cq.consolidate)."""
        state: State = play.state
        if not unit.on_table or unit.building:
            return
        unit.moves += 1
        if must_clear or self.is_crowded(state, unit):
            self.step_clear(state, unit)
        clearance = Clearance(state, unit, False, flies=unit.flies)
        any_way = DriveLimits(reach, ANY_TURNS, reach, ANY_TURNS)
        region = DriveRegion(clearance, unit, any_way) if unit.is_vehicle else FootRegion(clearance, unit, reach)
        answer = yield Path(
            unit.side,
            "consolidate",
            region,
            text=f"Where does {unit.card.name} go?",
            rule=rule,
            unit=unit.id,
            act="move",
        )
        route = play.now(lambda: region.route(answer))
        assert isinstance(route, Route), route
        self.finish(play, unit, route, "consolidates")

    def is_crowded(self, state: State, unit: Unit) -> bool:
        return Clearance(state, unit, False).end_problem(ground.all_bodies(unit)) is not None

    def step_clear(self, state: State, unit: Unit) -> None:
        """The nearest ground where the unit stands more than 1" from everyone."""
        clearance = Clearance(state, unit, False)
        bodies = ground.all_bodies(unit)
        if clearance.end_problem(bodies) is None:
            return
        spots = ((heading, far) for far in range(INCH // 2, 36 * INCH, INCH // 2) for heading in COMPASS)
        leader = bodies[0]
        for heading, far in spots:
            dx, dy = step(heading, far)
            moved = follow(bodies, leader.x + dx // 10, leader.y + dy // 10)
            if clearance.end_problem(moved) is None:
                self.set_down(state, unit, moved)
                return


def feel_out(is_free: Callable[[int], bool], reach: int, is_barred: Callable[[], bool]) -> None:
    """Try a straight way in half inches until it is barred, then to the millimetre (k47.move.forced).

    `is_free` keeps the farthest place where one can stop; the last try that succeeds is the farthest.
    """
    stopped = gone = 0
    while gone < reach:
        gone = min(reach, gone + INCH // 2)
        if is_free(gone):
            stopped = gone
        if is_barred():
            break
    for far in range(min(reach, stopped + INCH // 2) - MILLIMETRE, stopped, -MILLIMETRE):
        if is_free(far):
            return
