"""Routes: the ways a unit may be moved, offered as regions that people click in and players sample
(dw.move.*, dw.aircraft.move_*). The answer of a move is a tuple of points: the path of the leader, or of a vehicle or
aircraft with its headings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from dieselfront.kernel.decisions import Answer, Chance
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.going import DIFFICULT_INCHES, Clearance, Point, path_length
from dieselfront.rulesets.warfare.ground import INCH
from dieselfront.rulesets.warfare.state import Unit
from dieselfront.table.measured.angles import step, turn_between
from dieselfront.table.measured.arcs import point_in_arc
from dieselfront.table.measured.formation import Leash, follow
from dieselfront.table.measured.movement import Pivot, drive
from dieselfront.table.measured.shapes import Body, overlaps
from dieselfront.table.measured.trace import Trace

COMPASS = tuple(range(0, 360, 15))


class Route(NamedTuple):
    """A legal way: its points, every miniature's place at the end, how long it is and what it goes over."""

    path: tuple[tuple[int, ...], ...]
    bodies: list[Body]
    heading: int
    length: int = 0
    entered: tuple[str, ...] = ()
    climbed: int = 0
    back: bool = False


class FootRegion:
    """Where soldiers may go: any point in reach of the leader along a free way, the formation carried along
    (dw.move.soldier_free, dw.move.soldier_end_formation)."""

    def __init__(self, clearance: Clearance, unit: Unit, reach: int, leader_stays: bool = False) -> None:
        self.clearance = clearance
        self.unit = unit
        self.reach = reach
        self.leader_stays = leader_stays
        head = unit.acting_leader if unit.acting_leader in unit.men else unit.men[0]
        assert head is not None
        first = unit.body_of(head)
        self.bodies = [first, *[body for body in unit.bodies if body is not first]]
        self.leash = Leash(unit.card.leadership * INCH)
        self.scattered = bool(self.leash.broken(self.bodies))

    # -- the shape of a decision --------------------------------------------------------------------

    def why_not(self, answer: Answer) -> str | None:
        route = self.route(answer)
        return route if isinstance(route, str) else None

    def trace(self, answer: Answer) -> Trace | None:
        route = self.route(answer)
        if isinstance(route, str):
            return None
        leader = self.bodies[0]
        return Trace(route.bodies, ((leader.x, leader.y), *route.path), route.length, self.reach)

    def sample(self, chance: Chance) -> Answer:
        if self.leader_stays or not self.reach:
            return ()
        for _ in range(8):
            heading = chance.randrange(360)
            far = self.reach if chance.randrange(3) else chance.randrange(self.reach + 1)
            for length in (far, min(far, DIFFICULT_INCHES * INCH)):
                answer = self.towards(heading, length)
                if answer is not None and self.why_not(answer) is None:
                    return answer
        return ()

    def spots(self) -> list[Answer]:
        """Staying, then full and short moves all round the compass."""
        answers: list[Answer] = [()]
        if self.leader_stays:
            return answers
        short = min(self.reach // 2, DIFFICULT_INCHES * INCH)
        for heading in COMPASS:
            for far in (self.reach, short):
                answer = self.towards(heading, far)
                if answer is not None and answer not in answers and self.why_not(answer) is None:
                    answers.append(answer)
        return answers

    def facts(self) -> dict[str, Any]:
        leader = self.bodies[0]
        return {
            "kind": "foot",
            "start": [leader.x, leader.y],
            "reach": self.reach,
            "spots": [[list(point) for point in spot] for spot in self.spots()],
        }

    # -- ways ----------------------------------------------------------------------------------------

    def towards(self, heading: int, far: int) -> tuple[Point, ...] | None:
        """A straight path of at most `far` tenths along a heading."""
        leader = self.bodies[0]
        dx, dy = whole(step(heading, far))
        if path_length([(0, 0), (dx, dy)]) > far:  # whole millimetres can overstate the way by a hair
            dx, dy = whole(step(heading, far - 10))
        return ((leader.x + dx, leader.y + dy),) if dx or dy else None

    def route(self, answer: Answer) -> Route | str:
        """The way and the places it ends in, or what is wrong with it."""
        path, spots = split(answer)
        if path is None:
            return "expected the points of a path, each two whole numbers"
        if any(not self._on_table(point) for point in path):
            return "the way leads off the table"
        leader = self.bodies[0]
        if self.leader_stays and any(point != (leader.x, leader.y) for point in path):
            return "the leader stays where he is (dw.command.regroup_move)"
        length = path_length([(leader.x, leader.y), *path])
        if length > self.reach:
            return f'the path is {length / 254:.2f}" long, the unit may move {self.reach / 254:g}" (dw.action.move)'
        if spots is not None:
            return self._placed(path, spots, length)
        if not path:
            return self._stay()
        return self._carried(path, length)

    def _on_table(self, point: Point) -> bool:
        table = self.clearance.table
        return 0 <= point[0] <= table.width and 0 <= point[1] <= table.depth

    def _stay(self) -> Route:
        """Nobody goes anywhere, except those who have to close up."""
        if self.scattered:
            settled = self._closed_up(self.bodies)
            if not isinstance(settled, str):
                return self._route((), settled, 0, (), 0)
        return Route((), list(self.unit.bodies), self.unit.heading)

    def _carried(self, path: tuple[Point, ...], length: int) -> Route | str:
        """Everybody goes the leader's way beside him."""
        leader = self.bodies[0]
        entered: dict[str, None] = {}
        climbed = 0
        for body in self.bodies:
            dx, dy = body.x - leader.x, body.y - leader.y
            mine = [(x + dx, y + dy) for x, y in path]
            problem, over = self.clearance.leg_problem(body, mine)
            problem = problem or self.clearance.slow_problem(body, over, length)
            problem = problem or self.clearance.climb_problem(body, mine, over)
            if problem is not None:
                return problem
            entered.update(dict.fromkeys(over))
            climbed = max(climbed, self.clearance.climbed(body, mine, over))
        moved = follow(self.bodies, *path[-1])
        problem = self.clearance.end_problem(moved)
        if problem is None and not self.scattered:
            return self._route(path, moved, length, tuple(entered), climbed)
        settled = self._closed_up(moved)
        if isinstance(settled, str):
            return problem or settled
        return self._route(path, settled, length, tuple(entered), climbed)

    def _closed_up(self, wanted: Sequence[Body]) -> list[Body] | str:
        """The formation is packed round the leader; nobody goes further than his Move."""
        origins = [(body.x, body.y) for body in self.bodies]
        settled = self.clearance.settle(wanted, self.reach, origins)
        if settled is None:
            return "there is no room for all miniatures in formation there (dw.move.soldier_end_formation)"
        for body, end in zip(self.bodies, settled, strict=True):
            if problem := self._own_way(body, end):
                return problem
        return settled

    def _own_way(self, body: Body, end: Body) -> str | None:
        """What is wrong with one miniature's straight way to its place."""
        if (body.x, body.y) == (end.x, end.y):
            return None
        far = path_length([(body.x, body.y), (end.x, end.y)])
        if far > self.reach:
            return f'a miniature would move {far / 254:.2f}", the limit is {self.reach / 254:g}" (dw.action.move)'
        problem, over = self.clearance.leg_problem(body, [(end.x, end.y)])
        problem = problem or self.clearance.slow_problem(body, over, far)
        return problem or self.clearance.climb_problem(body, [(end.x, end.y)], over)

    def _placed(self, path: tuple[Point, ...], spots: Sequence[Point], length: int) -> Route | str:
        """The player sets every miniature down himself, the leader first."""
        if len(spots) != len(self.bodies):
            return f"expected a spot for each of {len(self.bodies)} miniatures"
        moved = [body.at(x, y) for body, (x, y) in zip(self.bodies, spots, strict=True)]
        if self.leader_stays and (moved[0].x, moved[0].y) != (self.bodies[0].x, self.bodies[0].y):
            return "the leader stays where he is (dw.command.regroup_move)"
        for body, end in zip(self.bodies, moved, strict=True):
            if problem := self._own_way(body, end):
                return problem
        if self.leash.broken(moved):
            reach = self.unit.card.leadership
            return f'every miniature must end within {reach}" of the leader (dw.move.soldier_end_formation)'
        if any(overlaps(body, other) for number, body in enumerate(moved) for other in moved[:number]):
            return "two miniatures would stand on the same ground"
        problem = self.clearance.end_problem(moved)
        if problem is not None:
            return problem
        over = tuple(
            id for body, end in zip(self.bodies, moved, strict=True)
            for id in self.clearance.leg_problem(body, [(end.x, end.y)])[1]
        )  # fmt: skip
        return self._route(path or ((moved[0].x, moved[0].y),), moved, length, tuple(dict.fromkeys(over)), 0)

    def _route(
        self,
        path: Sequence[tuple[int, ...]],
        bodies: Sequence[Body],
        length: int,
        entered: tuple[str, ...],
        climbed: int,
    ) -> Route:
        by_key = {body.key: body for body in bodies}
        ordered = [by_key[body.key] for body in self.unit.bodies]
        return Route(tuple(path), ordered, self.unit.heading, length, entered, climbed)


class DriveLimits(NamedTuple):
    """What a vehicle or aircraft may do in one move."""

    ahead: int
    back: int = 0
    turns: bool = True
    spot_turn: bool = True
    must_move: bool = False
    turn_after: bool = True


class DriveRegion:
    """Where a vehicle may go: straight into its front arc, or back into its rear arc, with one turn of up to 90 degrees
    before or after (dw.move.vehicle_front_arc, dw.move.vehicle_turn, dw.move.vehicle_reverse,
    dw.open.vehicle_turn_limits);
    or a turn on the spot instead of all that (dw.move.vehicle_spot_turn). Heavy walkers are measured from the centre
    like
    all others (dw.heavy_walker.move)."""

    def __init__(self, clearance: Clearance, unit: Unit, limits: DriveLimits) -> None:
        self.clearance = clearance
        self.unit = unit
        self.limits = limits
        self.body = unit.bodies[0]

    # -- the shape of a decision --------------------------------------------------------------------

    def why_not(self, answer: Answer) -> str | None:
        route = self.route(answer)
        return route if isinstance(route, str) else None

    def trace(self, answer: Answer) -> Trace | None:
        route = self.route(answer)
        if isinstance(route, str):
            return None
        return Trace(route.bodies, ((self.body.x, self.body.y), *route.path), route.length, self.limits.ahead)

    def sample(self, chance: Chance) -> Answer:
        limits, body = self.limits, self.body
        for _ in range(8):
            back = bool(limits.back) and chance.randrange(8) == 0
            reach = limits.back if back else limits.ahead
            far = reach if chance.randrange(3) else chance.randrange(reach + 1)
            turn = chance.randrange(181) - 90 if limits.turns and chance.randrange(3) else 0
            before = chance.randrange(2) == 0 or not limits.turn_after
            facing = (body.heading + (turn if before else 0)) % 360
            bearing = facing + (180 if back else 0) + chance.randrange(81) - 40
            for length in (far, min(far, DIFFICULT_INCHES * INCH)):
                answer = self._answer(bearing, length, turn, before)
                if answer and self.why_not(answer) is None:
                    return answer
        spots = self.spots()
        return spots[chance.randrange(len(spots))]

    def _answer(self, bearing: int, far: int, turn: int, before: bool) -> tuple[tuple[int, int, int], ...]:
        body = self.body
        dx, dy = whole(step(bearing % 360, far))
        x, y = body.x + dx, body.y + dy
        heading = (body.heading + turn) % 360
        if not dx and not dy:
            return ((x, y, heading),) if turn and self.limits.spot_turn else ()
        if not turn:
            return ((x, y, body.heading),)
        if before:
            return (body.x, body.y, heading), (x, y, heading)
        return (x, y, body.heading), (x, y, heading)

    def spots(self) -> list[Answer]:
        """Staying; moves ahead and aslant, with and without a turn; back; turns on the spot."""
        answers: list[Answer] = [] if self.limits.must_move else [()]
        body, limits = self.body, self.limits
        candidates: list[Answer] = []
        short = min(limits.ahead // 2, DIFFICULT_INCHES * INCH)
        for far in (limits.ahead, short):
            for off in (0, -30, 30):
                candidates.append(self._answer(body.heading + off, far, 0, True))
            if limits.turns:
                for turn in (-90, -45, 45, 90):
                    candidates.append(self._answer(body.heading + turn, far, turn, True))
                    if limits.turn_after:
                        candidates.append(self._answer(body.heading, far, turn, False))
        if limits.back:
            candidates.append(self._answer(body.heading + 180, limits.back, 0, True))
        if limits.spot_turn:
            candidates += [((body.x, body.y, (body.heading + turn) % 360),) for turn in (-90, -45, 45, 90, 180)]
        for answer in candidates:
            if answer and answer not in answers and self.why_not(answer) is None:
                answers.append(answer)
        return answers or [()]

    def facts(self) -> dict[str, Any]:
        return {
            "kind": "drive",
            "start": [self.body.x, self.body.y, self.body.heading],
            "reach": self.limits.ahead,
            "turns": 1 if self.limits.turns else 0,
            "back": self.limits.back,
            "spots": [[list(point) for point in spot] for spot in self.spots()],
        }

    # -- ways ----------------------------------------------------------------------------------------

    def route(self, answer: Answer) -> Route | str:
        """The drive measured, or what is wrong with it."""
        given = points_of(answer, 3)
        if given is None:
            return "expected the points of a path with headings, each three whole numbers"
        if not given:
            if self.limits.must_move and self.spots() != [()]:
                return "it has to move (dw.aircraft.move_front_arc)"
            return Route((), [self.body], self.body.heading)
        table = self.clearance.table
        if any(not (0 <= x <= table.width and 0 <= y <= table.depth) for x, y, _ in given):
            return "the way leads off the table (dw.open.aircraft_table_edge)" if self.unit.is_aircraft else (
                "the way leads off the table"
            )  # fmt: skip
        parsed = self._parsed(given)
        if isinstance(parsed, str):
            return parsed
        before, (x, y), after = parsed
        if (x, y) == (self.body.x, self.body.y):
            return self._spot_turn(given, (before or 0) + (after or 0))
        return self._drive(given, before, x, y, after)

    def _parsed(self, given: tuple[tuple[int, ...], ...]) -> tuple[int, Point, int] | str:
        """A turn before, one straight way, a turn after; each in degrees, 0 for none."""
        x, y, heading = self.body.x, self.body.y, self.body.heading
        before = after = 0
        moved = False
        for px, py, turned in given:
            degrees = (turned - heading + 180) % 360 - 180
            if (px, py) != (x, y):
                if moved:
                    return "a vehicle moves along one straight line (dw.move.vehicle_front_arc)"
                moved = True
                x, y = px, py
            if degrees:
                if before or after:
                    return "only one turn is allowed in a move (dw.move.vehicle_turn)"
                if moved:
                    after = degrees
                else:
                    before = degrees
                heading = turned % 360
        return before, (x, y), after

    def _spot_turn(self, given: tuple[tuple[int, ...], ...], degrees: int) -> Route | str:
        if not degrees:
            return self.route(())
        if not self.limits.spot_turn:
            rule = "dw.aircraft.move_front_arc" if self.unit.is_aircraft else "dw.ability.wheels_limits"
            return f"it cannot turn on the spot ({rule})"
        turned = self._pivoted(self.body, degrees)
        if isinstance(turned, str):
            return turned
        problem = self.clearance.end_problem([turned])
        if problem is not None:
            return problem
        return Route(given[-1:], [self._grounded(turned)], turned.heading)

    def _pivoted(self, body: Body, degrees: int) -> Body | str:
        """The vehicle turned about its centre, if nothing is in the way of its hull."""
        turned = body.at(body.x, body.y, body.heading + degrees)
        if not body.corners:
            return turned
        keeps = [keep for keep in self.clearance.keeps if keep.is_kept(body)]
        swung = drive(self.clearance.table, body, [Pivot(degrees)], self.clearance.going, widest=360, avoid=keeps)
        if swung.problems:
            return f"there is no room to turn ({swung.problems[0].what})"
        return turned

    def _drive(self, given: tuple[tuple[int, ...], ...], before: int, x: int, y: int, after: int) -> Route | str:
        limits = self.limits
        if (before or after) and not limits.turns:
            return "it may not turn in this move (dw.ability.jump_vehicle_no_turn)"
        if after and not limits.turn_after:
            return "it may not turn after a move in which bombs are dropped (dw.weapon.bombs_move)"
        if abs(before) > 90 or abs(after) > 90:
            return "a turn is at most 90 degrees (dw.move.vehicle_turn)"
        body: Body | str = self._pivoted(self.body, before) if before else self.body
        if isinstance(body, str):
            return body
        back = self._is_back(body, x, y)
        if isinstance(back, str):
            return back
        length = path_length([(body.x, body.y), (x, y)])
        reach = limits.back if back else limits.ahead
        if length > reach:
            rule = "dw.move.vehicle_reverse" if back else "dw.action.move"
            return f'the way is {length / 254:.2f}" long, it may go {reach / 254:g}" ({rule})'
        problem, over = self.clearance.leg_problem(body, [(x, y)])
        if problem is None and not back:
            problem = self.clearance.slow_problem(body, over, length)
        problem = problem or self.clearance.climb_problem(body, [(x, y)], over)
        if problem is not None:
            return problem
        return self._ended(given, body, x, y, after, length, over, back)

    def _ended(
        self, given: tuple[tuple[int, ...], ...], body: Body, x: int, y: int, after: int, length: int,
        over: tuple[str, ...], back: bool,
    ) -> Route | str:  # fmt: skip
        end: Body | str = body.at(x, y)
        assert isinstance(end, Body)
        if after:
            end = self._pivoted(end, after)
            if isinstance(end, str):
                return end
        problem = self.clearance.end_problem([end])
        if problem is not None:
            return problem
        climbed = self.clearance.climbed(body, [(x, y)], over)
        return Route(given, [self._grounded(end)], end.heading, length, over, climbed, back)

    def _is_back(self, body: Body, x: int, y: int) -> bool | str:
        """Forward into the front arc or back into the rear arc, nothing else."""
        if point_in_arc(body, ground.ARCS["front"], x * 10, y * 10):
            return False
        if self.limits.back and point_in_arc(body, ground.ARCS["rear"], x * 10, y * 10):
            return True
        rule = "dw.aircraft.move_front_arc" if self.unit.is_aircraft else "dw.move.vehicle_front_arc"
        return f"it moves into its front arc of 90 degrees ({rule})"

    def _grounded(self, body: Body) -> Body:
        return self.clearance.table.stand(body.shape, body.x, body.y, body.heading, body.key)


def to_zero(tenths: int) -> int:
    """Whole millimetres, rounded towards where one stands."""
    return tenths // 10 if tenths >= 0 else -(-tenths // 10)


def whole(way: tuple[int, int]) -> tuple[int, int]:
    return to_zero(way[0]), to_zero(way[1])


def points_of(answer: Answer, size: int) -> tuple[tuple[int, ...], ...] | None:
    if not isinstance(answer, tuple):
        return None
    for point in answer:
        if not isinstance(point, tuple) or len(point) != size:
            return None
        if not all(isinstance(value, int) and not isinstance(value, bool) for value in point):
            return None
    return answer


def split(answer: Answer) -> tuple[tuple[Point, ...] | None, tuple[Point, ...] | None]:
    """A path, and if its last part says ("models", (x, y), ...) the spot of every miniature, the leader first."""
    if not isinstance(answer, tuple):
        return None, None
    spots = None
    if answer and isinstance(answer[-1], tuple) and answer[-1] and answer[-1][0] == "models":
        spots = points_of(answer[-1][1:], 2)
        if spots is None:
            return None, None
        answer = answer[:-1]
    path = points_of(answer, 2)
    return path, spots  # type: ignore[return-value]


__all__ = ["COMPASS", "DriveLimits", "DriveRegion", "FootRegion", "Route", "path_length", "points_of", "split",
           "turn_between", "whole"]  # fmt: skip
