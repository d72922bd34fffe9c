"""Routes: the ways a unit may be moved, offered as regions that people click in and players sample
(k47.move.*). The answer of a move is a tuple of points: the path of the first model, or of a vehicle with its headings.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Any, NamedTuple

from dieselfront.kernel.decisions import Answer, Chance
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.going import CHAIN, Clearance, Point, path_length
from dieselfront.rulesets.konflikt47.state import Unit
from dieselfront.table.measured.angles import heading_of, step, turn_between
from dieselfront.table.measured.formation import follow
from dieselfront.table.measured.movement import (
    Ahead,
    Drive,
    Manoeuvre,
    Pivot,
    ahead_of,
    drive,
    runs_on,
    stretches_inside,
)
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.trace import Trace

COMPASS = tuple(range(0, 360, 15))


class Route(NamedTuple):
    """A legal way: the leader's points, and every model's place at the end."""

    path: tuple[tuple[int, ...], ...]
    bodies: list[Body]
    gun: Body | None
    heading: int
    length: int = 0


class Reach(NamedTuple):
    """Whether an assault gets to its target: the way, and how far it started away."""

    route: Route | None
    start: int
    into_contact: bool


class FootRegion:
    """Where troops on foot may go: any point in reach along a free way, the formation carried along."""

    def __init__(self, clearance: Clearance, unit: Unit, reach: int, may_stay: bool = True) -> None:
        self.clearance = clearance
        self.unit = unit
        self.reach = reach
        self.may_stay = may_stay
        self.gun_first = unit.gun is not None
        self.apart = [body for body in unit.bodies if self.is_apart(body)]
        crew = [body for body in unit.bodies if body not in self.apart]
        self.bodies = [unit.gun, *crew] if unit.gun is not None else crew
        self.scattered = bool(CHAIN.broken(self.bodies))

    # -- the shape of a decision --------------------------------------------------------------------

    def why_not(self, answer: Answer) -> str | None:
        route = self.route(answer)
        return route if isinstance(route, str) else None

    def trace(self, answer: Answer) -> Trace | None:
        route = self.route(answer)
        if isinstance(route, str):
            return None
        leader = self.bodies[0]
        bodies = [*route.bodies, route.gun] if route.gun is not None else route.bodies
        return Trace(bodies, ((leader.x, leader.y), *route.path), route.length, self.reach)

    def sample(self, chance: Chance) -> Answer:
        for _ in range(12):
            heading = chance.randrange(360)
            far = self.reach if chance.randrange(3) else chance.randrange(self.reach + 1)
            answer = self.towards(heading, far)
            if answer is not None and self.quick(answer) is None:
                return answer
        return self.fallback()

    def spots(self) -> list[Answer]:
        """Staying, then full and half moves all round the compass."""
        answers: list[Answer] = [()] if self.stays_legally() else []
        for heading in COMPASS:
            for far in (self.reach, self.reach // 2):
                answer = self.towards(heading, far)
                if answer is not None and answer not in answers and self.quick(answer) is None:
                    answers.append(answer)
        return answers or [self.fallback()]

    def facts(self) -> dict[str, Any]:
        leader = self.bodies[0]
        return {
            "kind": "foot",
            "start": [leader.x, leader.y],
            "reach": self.reach,
            "spots": [[list(point) for point in spot] for spot in self.spots()],
        }

    def is_apart(self, body: Body) -> bool:
        """A spotter posted away from his weapon stays where he is (k47.wrule.spotter)."""
        unit = self.unit
        man = unit.men[unit.bodies.index(body)]
        if not unit.man(man).is_a("spotter") or len(unit.bodies) < 2:
            return False
        others = [other for other in ground.all_bodies(unit) if other is not body]
        return not CHAIN.admits(body, others)

    # -- ways ----------------------------------------------------------------------------------------

    def towards(self, heading: int, far: int) -> tuple[Point, ...] | None:
        """A straight path of at most `far` tenths along a heading."""
        leader = self.bodies[0]
        dx, dy = _whole(step(heading, far))
        if path_length([(0, 0), (dx, dy)]) > far:  # whole millimetres can overstate the way by a hair
            dx, dy = _whole(step(heading, far - 10))
        return ((leader.x + dx, leader.y + dy),) if dx or dy else None

    def stays_legally(self) -> bool:
        return self.may_stay and not self.scattered

    def fallback(self) -> Answer:
        """Staying put, whatever the formation: always possible."""
        return ()

    def quick(self, answer: Answer) -> str | None:
        """Is the way free? (The same answer as `why_not`, without setting down more than needed.)"""
        if self.scattered:
            return self.why_not(answer)
        problem = self.clearance.path_problem(self.bodies, answer)
        if problem is None and answer:
            problem = self.clearance.end_problem(follow(self.bodies, *answer[-1]))
        return problem

    def route(self, answer: Answer) -> Route | str:
        """The way and the places it ends in, or what is wrong with it."""
        path, spots = _split(answer)
        if path is None:
            return "expected the points of a path, each two whole numbers"
        leader = self.bodies[0]
        length = path_length([(leader.x, leader.y), *path])
        if length > self.reach:
            return (
                f'the path is {length / 254:.1f}" long, the unit may move {self.reach / 254:g}" (k47.move.model_limit)'
            )
        if spots is not None:
            return self._placed(path, spots, length)
        if not path and not self.scattered:
            return Route((), list(self.unit.bodies), self.unit.gun, self.unit.heading, 0)
        if not self.scattered:
            problem = self.clearance.path_problem(self.bodies, path)
            if problem is not None:
                return problem
            moved = follow(self.bodies, *path[-1])
            problem = self.clearance.end_problem(moved)
            if problem is None:
                return self._route(path, self._settled(moved), length)
            closed_up = self._closed_up(path, length)
            return problem if isinstance(closed_up, str) else closed_up
        if path:
            problem = self.clearance.path_problem(self.bodies[:1], path)
            if problem is not None:
                return problem
        return self._closed_up(path, length)

    def _closed_up(self, path: tuple[Point, ...], length: int) -> Route | str:
        """The formation is packed round the leader; no model goes further than the rate (k47.core.coherency)."""
        leader = self.bodies[0]
        x, y = path[-1] if path else (leader.x, leader.y)
        wanted = follow(self.bodies, x, y)
        origins = [(body.x, body.y) for body in self.bodies]
        settled = self.clearance.settle(wanted, self.reach, origins)
        if settled is None:
            if not path:
                return Route((), list(self.unit.bodies), self.unit.gun, self.unit.heading, 0)
            return "there is no room for all models there"
        for body, end in zip(self.bodies, settled, strict=True):
            problem = self.clearance.leg_problem([body], end.x - body.x, end.y - body.y)
            if problem is not None and body is not leader:
                return problem if path else Route((), list(self.unit.bodies), self.unit.gun, self.unit.heading, 0)
        return self._route(path, self._settled(settled), length)

    def _placed(self, path: tuple[Point, ...], spots: Sequence[Point], length: int) -> Route | str:
        """The player sets every model down himself."""
        if len(spots) != len(self.bodies):
            return f"expected a spot for each of {len(self.bodies)} models"
        moved = [body.at(x, y) for body, (x, y) in zip(self.bodies, spots, strict=True)]
        for body, end in zip(self.bodies, moved, strict=True):
            far = path_length([(body.x, body.y), (end.x, end.y)])
            if far > self.reach:
                return f'a model would move {far / 254:.1f}", the limit is {self.reach / 254:g}" (k47.move.model_limit)'
            problem = self.clearance.leg_problem([body], end.x - body.x, end.y - body.y)
            if problem is not None:
                return problem
        if CHAIN.broken(moved):
            return 'no model may stand more than 1" from the others (k47.core.coherency)'
        for number, body in enumerate(moved):
            for other in moved[:number]:
                if (body.cx - other.cx) ** 2 + (body.cy - other.cy) ** 2 < (body.radius + other.radius) ** 2:
                    return "two models would stand on the same ground"
        problem = self.clearance.end_problem(moved)
        if problem is not None:
            return problem
        return self._route(path or ((moved[0].x, moved[0].y),), self._settled(moved), length)

    def _settled(self, bodies: Sequence[Body]) -> list[Body]:
        """Everyone stands on the ground as it lies there."""
        table = self.clearance.table
        return [table.stand(body.shape, body.x, body.y, body.heading, body.key) for body in bodies]

    def _route(self, path: Sequence[tuple[int, ...]], bodies: list[Body], length: int) -> Route:
        gun = bodies[0] if self.gun_first else None
        crew = [*(bodies[1:] if self.gun_first else bodies), *self.apart]
        by_key = {body.key: body for body in crew}
        ordered = [by_key[body.key] for body in self.unit.bodies]
        return Route(tuple(path), ordered, gun, self.unit.heading, length)


class DriveLimits(NamedTuple):
    """What a vehicle may do in one move (k47.move.turns, k47.move.reverse)."""

    ahead: int
    turns: int
    back: int
    back_turns: int
    road_ahead: int = 0
    jump: int = 0
    start_turn_only: bool = False
    flip_back: bool = False  # Turn on the Spot: may end facing the way it went


class DriveRegion:
    """Where a vehicle may drive: straight legs with pivots, or straight back; pivots alone are a move too
    (k47.move.turn_only)."""

    def __init__(self, clearance: Clearance, unit: Unit, limits: DriveLimits) -> None:
        self.clearance = clearance
        self.unit = unit
        self.limits = limits
        self.body = unit.bodies[0]

    def why_not(self, answer: Answer) -> str | None:
        route = self.route(answer)
        return route if isinstance(route, str) else None

    def trace(self, answer: Answer) -> Trace | None:
        route = self.route(answer)
        if isinstance(route, str):
            return None
        return Trace(route.bodies, ((self.body.x, self.body.y), *route.path), route.length, self.limits.ahead)

    def sample(self, chance: Chance) -> Answer:
        limits = self.limits
        for _ in range(10):
            heading = self.body.heading
            points: list[tuple[int, int, int]] = []
            here = self.body
            left = limits.ahead
            turns = chance.randrange(limits.turns + 1) if limits.turns > 0 else 0
            back = limits.back and chance.randrange(8) == 0
            if back:
                there = ahead_of(here, -limits.back)
                points.append((there.x, there.y, heading))
            else:
                for number in range(turns + 1):
                    far = left if number == turns else left * chance.randrange(5) // 4
                    if far:
                        there = ahead_of(here, far)
                        points.append((there.x, there.y, here.heading))
                        here = there
                        left -= far
                    if number < turns:
                        here = here.at(here.x, here.y, (here.heading + chance.randrange(181) - 90) % 360)
                        points.append((here.x, here.y, here.heading))
            answer = tuple(points)
            if self.why_not(answer) is None:
                return answer
        return ()

    def spots(self) -> list[Answer]:
        """Staying; straight on and back; a turn first or a turn at the end."""
        answers: list[Answer] = [()]
        body, limits = self.body, self.limits
        candidates: list[list[tuple[int, int, int]]] = []
        for far in (limits.ahead, limits.ahead // 2):
            there = ahead_of(body, far)
            candidates.append([(there.x, there.y, body.heading)])
            if limits.turns:
                for turn in (-90, -60, -30, 30, 60, 90):
                    turned = body.at(body.x, body.y, body.heading + turn)
                    gone = ahead_of(turned, far)
                    candidates.append([(body.x, body.y, turned.heading), (gone.x, gone.y, turned.heading)])
        if limits.turns:
            for turn in (-90, -45, 45, 90):
                candidates.append([(body.x, body.y, (body.heading + turn) % 360)])
        if limits.back:
            there = ahead_of(body, -limits.back)
            candidates.append([(there.x, there.y, body.heading)])
        for points in candidates:
            answer = tuple(points)
            if self.why_not(answer) is None:
                answers.append(answer)
        return answers

    def facts(self) -> dict[str, Any]:
        return {
            "kind": "drive",
            "start": [self.body.x, self.body.y, self.body.heading],
            "reach": self.limits.ahead,
            "turns": self.limits.turns,
            "back": self.limits.back,
            "spots": [[list(point) for point in spot] for spot in self.spots()],
        }

    # -- ways ----------------------------------------------------------------------------------------

    def route(self, answer: Answer) -> Route | str:
        """The drive measured, or what is wrong with it."""
        points = _points(answer, 3)
        if points is None:
            return "expected the points of a path with headings, each three whole numbers"
        if not points:
            return Route((), [self.body], None, self.body.heading, 0)
        table = self.clearance.table
        if any(not (0 <= x <= table.width and 0 <= y <= table.depth) for x, y, _ in points):
            return "the way leads off the table (k47.move.edge)"
        steps = self._steps(points)
        if isinstance(steps, str):
            return steps
        driven = drive(self.clearance.table, self.body, steps, self.clearance.going, widest=360, avoid=self._avoid())
        wet = self._through_water(driven, steps) if self.unit.swims else 0
        if isinstance(wet, str):
            return wet
        problem = self._limits(driven.ahead + wet, driven.back, steps, driven.path)
        if problem is not None:
            return problem
        if driven.problems:
            first = driven.problems[0]
            who = f" by {first.who}" if first.who else ""
            return f"the way is barred ({first.what}{who})"
        end = self._grounded(driven.end)
        problem = self.clearance.end_problem([end])
        if problem is not None:
            return problem
        path = tuple((body.x, body.y, body.heading) for body in driven.places[1:])
        return Route(path, [end], None, end.heading, driven.ahead + driven.back)

    def _grounded(self, body: Body) -> Body:
        return self.clearance.table.stand(body.shape, body.x, body.y, body.heading, body.key)

    def _avoid(self) -> list[Any]:
        return [keep for keep in self.clearance.keeps if keep.is_kept(self.body)]

    def _steps(self, points: Sequence[tuple[int, ...]]) -> list[Manoeuvre] | str:
        """Points with headings as pivots and straight legs."""
        x, y, heading = self.body.x, self.body.y, self.body.heading
        steps: list[Manoeuvre] = []
        for px, py, turned in points:
            if turned % 360 != heading:
                degrees = (turned - heading + 180) % 360 - 180
                steps.append(Pivot(degrees))
                heading = turned % 360
            if (px, py) == (x, y):
                continue
            far = -(-isqrt(((px - x) ** 2 + (py - y) ** 2) * 100 * 10000) // 100)
            way = heading_of(px - x, py - y)
            off = turn_between(way, heading)
            slack = 2 + 600 // max(far, 1)
            if off <= slack:
                steps.append(Ahead(far))
            elif off >= 180 - slack:
                steps.append(Ahead(-far))
            else:
                return "a vehicle drives straight ahead or straight back; turn it first (k47.move.turns)"
            x, y = px, py
        return steps

    def _through_water(self, driven: Drive, steps: Sequence[Manoeuvre]) -> int | str:
        """What water adds to a drive: its length there once more, for that is half speed; or what is wrong with it
        (k47.vehicle.amphibious). Whoever begins afloat has half the reach already."""
        table = self.clearance.table
        kinds = {piece.kind.id for piece in table.pieces if ground.is_water(piece)}
        wet = sum(length for length, inside in stretches_inside(table, driven.path, kinds) if inside)
        if driven.back and wet:
            return "nobody reverses in deep water (k47.vehicle.amphibious)"
        for place, manoeuvre in zip(driven.places, steps, strict=False):
            if isinstance(manoeuvre, Pivot) and ground.is_in_water(table, place):
                return "in deep water a vehicle goes straight ahead (k47.vehicle.amphibious)"
        return 0 if ground.is_in_water(table, self.body) else wet

    def _limits(self, ahead: int, back: int, steps: Sequence[Manoeuvre], path: Sequence[Point]) -> str | None:
        limits = self.limits
        turns = sum(isinstance(one, Pivot) for one in steps)
        widest = max((abs(one.degrees) for one in steps if isinstance(one, Pivot)), default=0)
        if ahead and back:
            return "forward and reverse cannot be mixed in one move (k47.move.reverse)"
        if back:
            if limits.flip_back and turns == 1 and isinstance(steps[-1], Pivot):
                turns = widest = 0  # k47.vehicle.order_limits: Turn on the Spot
            if turns > limits.back_turns >= 0:
                return "this vehicle reverses without so many turns (k47.move.reverse)"
            if back > limits.back:
                return f'reversing {back / 254:.1f}" is more than {limits.back / 254:g}" (k47.move.reverse)'
            return "a turn is at most 90 degrees (k47.move.turns)" if widest > 90 else None
        on_road = bool(limits.road_ahead) and runs_on(self.clearance.table, path, ("road",))
        reach = limits.road_ahead if on_road else limits.ahead  # k47.terrain.code_x2
        if ahead > reach + 10:
            return f'driving {ahead / 254:.1f}" is more than {reach / 254:g}" (k47.move.rates)'
        if on_road:  # k47.open.road_turns: following the road costs no turns
            return None
        if widest > 90:
            return "a turn is at most 90 degrees (k47.move.turns)"
        if turns > limits.turns >= 0:
            return f"{turns} turns are more than the {limits.turns} allowed (k47.move.rates)"
        if limits.start_turn_only and any(isinstance(one, Pivot) for one in steps[1:]):
            return "only a turn at the start is allowed"
        return None


class JumpRegion(DriveRegion):
    """A jump: straight on at the Run rate over everything, landing clear of every unit (k47.vehicle.jump)."""

    def route(self, answer: Answer) -> Route | str:
        points = _points(answer, 3)
        if points is None:
            return "expected the points of a path with headings, each three whole numbers"
        if not points:
            return Route((), [self.body], None, self.body.heading, 0)
        steps = self._steps(points)
        if isinstance(steps, str):
            return steps
        if len(steps) != 1 or not isinstance(steps[0], Ahead):
            return "a jump is one straight line without turns (k47.vehicle.jump)"
        if abs(steps[0].length) > self.limits.ahead + 10:
            return f'a jump reaches {self.limits.ahead / 254:g}" (k47.vehicle.jump)'
        end = self._grounded(self.body.at(points[0][0], points[0][1]))
        problem = self.clearance.end_problem([end])
        if problem is not None:
            return problem
        return Route(((end.x, end.y, end.heading),), [end], None, end.heading, abs(steps[0].length))


def _to_zero(tenths: int) -> int:
    """Whole millimetres, rounded towards where one stands."""
    return tenths // 10 if tenths >= 0 else -(-tenths // 10)


def _whole(way: tuple[int, int]) -> tuple[int, int]:
    return _to_zero(way[0]), _to_zero(way[1])


def _points(answer: Answer, size: int) -> tuple[tuple[int, ...], ...] | None:
    if not isinstance(answer, tuple):
        return None
    for point in answer:
        if not isinstance(point, tuple) or len(point) != size:
            return None
        if not all(isinstance(value, int) and not isinstance(value, bool) for value in point):
            return None
    return answer


def _split(answer: Answer) -> tuple[tuple[Point, ...] | None, tuple[Point, ...] | None]:
    """A path, and if its last part says ("models", (x, y), ...) the spot of every model."""
    if not isinstance(answer, tuple):
        return None, None
    spots = None
    if answer and isinstance(answer[-1], tuple) and answer[-1] and answer[-1][0] == "models":
        spots = _points(answer[-1][1:], 2)
        if spots is None:
            return None, None
        answer = answer[:-1]
    path = _points(answer, 2)
    return path, spots  # type: ignore[return-value]


def midway(route: Route, start: Sequence[Body], gun: Body | None, far: int) -> tuple[list[Body], Body | None]:
    """Where the models are after `far` tenths of the way, formation kept."""
    first = gun if gun is not None else start[0]
    x, y, left = first.x, first.y, far
    heading = first.heading
    for point in route.path:
        px, py = point[0], point[1]
        if len(point) > 2:
            heading = point[2]
        leg = path_length([(x, y), (px, py)])
        if leg >= left:
            if leg:
                x, y = x + (px - x) * left // leg, y + (py - y) * left // leg
            break
        x, y, left = px, py, left - leg
    dx, dy = x - first.x, y - first.y
    turned = heading if start and start[0].corners else None
    bodies = [body.at(body.x + dx, body.y + dy, turned) for body in start]
    return bodies, None if gun is None else gun.at(gun.x + dx, gun.y + dy)


__all__ = ["COMPASS", "DriveLimits", "DriveRegion", "FootRegion", "JumpRegion", "Route", "ground", "midway"]
