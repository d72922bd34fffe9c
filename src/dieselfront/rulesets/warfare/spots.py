"""Spots: where a whole unit may be set down: deployment, arrival, leaving a transport."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dieselfront.kernel.decisions import Answer, Chance
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.going import Clearance
from dieselfront.rulesets.warfare.ground import INCH
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.state import State, Unit
from dieselfront.table.measured.formation import Leash, arrange, block, pattern_spots
from dieselfront.table.measured.placement import Crowd, Keep, Places
from dieselfront.table.measured.shapes import Body, is_nearer, overlaps
from dieselfront.table.measured.trace import Trace

Box = tuple[int, int, int, int]  # low x, low y, high x, high y in whole millimetres
Test = Callable[[Body], bool]


class SpotRegion:
    """A unit is set down round its leader: the answer is (x, y, heading); more points set every miniature by hand."""

    def __init__(
        self, clearance: Clearance, unit: Unit, box: Box, test: Test, facing: int, refusal: str, pace: int = 75,
        may_refuse: bool = False,
    ) -> None:  # fmt: skip
        self.clearance = clearance
        self.unit = unit
        self.box = box
        foes = _enemies(clearance.state, unit)
        self.test = (lambda body: test(body) and not any(is_nearer(body, foe, INCH) for foe in foes)) if foes else test
        self.facing = facing
        self.refusal = refusal
        self.pace = pace
        self.may_refuse = may_refuse
        self.leash = Leash(unit.card.leadership * INCH)
        head = unit.acting_leader if unit.acting_leader in unit.men else unit.men[0]
        assert head is not None
        self.order = [head, *[man for man in unit.men if man != head]]

    # -- the shape of a decision --------------------------------------------------------------------------

    def why_not(self, answer: Answer) -> str | None:
        bodies_or_problem = self.bodies(answer)
        return bodies_or_problem if isinstance(bodies_or_problem, str) else None

    def trace(self, answer: Answer) -> Trace | None:
        bodies = self.bodies(answer)
        return None if isinstance(bodies, str) else Trace(bodies)

    def sample(self, chance: Chance) -> Answer:
        low_x, low_y, high_x, high_y = self.box
        for _ in range(40):
            x = low_x + chance.randrange(max(1, high_x - low_x + 1))
            y = low_y + chance.randrange(max(1, high_y - low_y + 1))
            answer = (x, y, self.facing)
            if self.stands(self.pattern(answer)):
                return answer
        spots = self.spots(1)
        return spots[0]

    def spots(self, most: int = 24) -> list[Answer]:
        low_x, low_y, high_x, high_y = self.box
        answers: list[Answer] = [()] if self.may_refuse else []
        for pace in (self.pace, max(12, self.pace // 3)):
            for y in range(low_y, high_y + 1, pace):
                for x in range(low_x, high_x + 1, pace):
                    answer = (x, y, self.facing)
                    if self.stands(self.pattern(answer)):
                        answers.append(answer)
                        if len(answers) >= most:
                            return answers
            if answers and answers != [()]:
                return answers
        return self._squeezed() or [()]

    def _squeezed(self) -> list[Answer]:
        """Where the usual pattern fits nowhere: the first spot at which the miniatures can be packed somehow."""
        low_x, low_y, high_x, high_y = self.box
        for y in range(low_y, high_y + 1, 25):
            for x in range(low_x, high_x + 1, 25):
                if isinstance(self._packed(self.pattern((x, y, self.facing))), list):
                    return [(x, y, self.facing)]
        return []

    def facts(self) -> dict[str, Any]:
        low_x, low_y, high_x, high_y = self.box
        return {
            "kind": "spot",
            "box": [low_x, low_y, high_x, high_y],
            "facing": self.facing,
            "spots": [list(spot) for spot in self.spots()],
        }

    # -- setting down --------------------------------------------------------------------------------------

    def pattern(self, answer: tuple[int, ...]) -> list[Body]:
        """The miniatures round the leader, facing as answered."""
        x, y, heading = answer
        table, unit = self.clearance.table, self.unit
        if unit.is_machine:
            return [table.stand(ground.shape_of(unit, self.order[0]), x, y, heading, (unit.id, self.order[0]))]
        shapes = [ground.shape_of(unit, man) for man in self.order]
        spacing = max(shape.width for shape in shapes) + 4
        spots = pattern_spots(x, y, heading, block(len(self.order), spacing))
        return [
            table.stand(shape, sx, sy, 0, (unit.id, man))
            for man, shape, (sx, sy) in zip(self.order, shapes, spots, strict=True)
        ]

    def stands(self, bodies: Sequence[Body]) -> bool:
        """Is this a legal place for all miniatures as they are?"""
        return all(self.test(body) for body in bodies) and self.clearance.end_problem(bodies) is None

    def bodies(self, answer: Answer) -> list[Body] | str:
        """The miniatures as they would stand, or why not."""
        if answer == ():
            return [] if self.may_refuse or self.spots(1) in ([], [()]) else self.refusal
        if not (isinstance(answer, tuple) and len(answer) >= 3 and all(type(value) is int for value in answer[:3])):
            return "expected x, y and a heading"
        table = self.clearance.table
        if not (0 <= answer[0] <= table.width and 0 <= answer[1] <= table.depth):
            return self.refusal
        wanted = self.pattern(answer[:3])
        if len(answer) > 3:
            return self._by_hand(wanted, answer[3:])
        if self.stands(wanted):
            return wanted
        return self._packed(wanted)

    def _packed(self, wanted: list[Body]) -> list[Body] | str:
        """The same unit squeezed into what room there is."""
        if not self.test(wanted[0]):
            return self.refusal
        law = self.clearance.places()
        crowd = Crowd(Keep(keep.body, keep.gap, keep.strict) for keep in self.clearance.end_keeps)
        base = law.test
        places = Places(
            self.clearance.table, (), crowd, test=lambda body: self.test(body) and (base is None or base(body))
        )
        settled = arrange(wanted, places, self.leash)
        if settled is None:
            return self.clearance.end_problem(wanted) or self.refusal
        return settled

    def _by_hand(self, wanted: list[Body], points: Sequence[Any]) -> list[Body] | str:
        if len(points) != len(wanted) or not all(isinstance(p, tuple) and len(p) == 2 for p in points):
            return f"expected a spot for each of {len(wanted)} miniatures"
        if not all(type(value) is int for p in points for value in p):
            return "expected whole millimetres"
        table = self.clearance.table
        placed = [
            table.stand(body.shape, x, y, body.heading, body.key) for body, (x, y) in zip(wanted, points, strict=True)
        ]
        if not all(self.test(body) for body in placed):
            return self.refusal
        if self.leash.broken(placed):
            return f'every miniature must stand within {self.unit.card.leadership}" of the leader (dw.formation.range)'
        if any(overlaps(body, other) for number, body in enumerate(placed) for other in placed[:number]):
            return "two miniatures would stand on the same ground"
        return self.clearance.end_problem(placed) or placed

    def set_down(self, answer: Answer, play: Play) -> bool:
        """Put the unit there; False if it stays where it is. Copies of the game inherit where its miniatures stand."""
        bodies = play.now(lambda: self.bodies(answer))
        if isinstance(bodies, str) or not bodies:
            return False
        unit = self.unit
        unit.heading = answer[2] % 360
        by_key = {body.key: body for body in bodies}
        unit.bodies = [by_key[unit.id, man] for man in unit.men]
        return True


def _enemies(state: State, unit: Unit) -> list[Body]:
    """Whom a vehicle keeps an inch from when it is set down, for nobody is overrun by that."""
    if not unit.is_vehicle:
        return []
    return [body for enemy in state.enemies(unit) for body in enemy.bodies]


def everywhere(body: Body) -> bool:
    """No further condition."""
    return True


def near(others: Sequence[Body], reach: int) -> Test:
    """Within so many tenths of one of these miniatures."""
    return lambda body: any(ground.distance(body, other) <= reach for other in others)


def inside(box: Box) -> Test:
    """Is all of a miniature in a rectangle (mm)?"""
    low_x, low_y, high_x, high_y = (value * 10 for value in box)

    def test(body: Body) -> bool:
        if body.corners:
            return all(low_x <= x <= high_x and low_y <= y <= high_y for x, y in body.corners)
        r = body.radius
        return low_x + r <= body.cx <= high_x - r and low_y + r <= body.cy <= high_y - r

    return test


def box_round(bodies: Sequence[Body], reach: int) -> Box:
    """The box round some miniatures, widened by a reach (tenths)."""
    low_x = min(body.cx - body.radius for body in bodies) - reach
    high_x = max(body.cx + body.radius for body in bodies) + reach
    low_y = min(body.cy - body.radius for body in bodies) - reach
    high_y = max(body.cy + body.radius for body in bodies) + reach
    return low_x // 10, low_y // 10, high_x // 10, high_y // 10


__all__ = ["Box", "SpotRegion", "box_round", "everywhere", "inside", "near"]
