"""Spots: where a whole unit may be set down, for deployment, arrival, dismounting and leaving buildings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from dieselfront.kernel.decisions import Answer, Chance
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.going import CHAIN, Clearance
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.state import Unit
from dieselfront.table.measured.formation import arrange, block, pattern_spots
from dieselfront.table.measured.placement import Crowd, Keep, Places
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.trace import Trace

Box = tuple[int, int, int, int]  # low x, low y, high x, high y in whole millimetres


PACES = (75, 25)
"""Millimetres from one spot to the next: a coarse grid, and a fine one where that finds nothing."""


class SpotRegion:
    """A unit is set down round its first model: the answer is (x, y, heading); more points set every model by hand."""

    def __init__(
        self,
        clearance: Clearance,
        unit: Unit,
        box: Box,
        test: Callable[[Body], bool],
        facing: int,
        refusal: str,
        may_refuse: bool = False,
        dug_in: bool = False,
    ) -> None:
        self.clearance = clearance
        self.unit = unit
        self.box = box
        self.test = test
        self.facing = facing
        self.refusal = refusal
        self.may_refuse = may_refuse
        self.dug_in = dug_in

    # -- the shape of a decision --------------------------------------------------------------------------

    def why_not(self, answer: Answer) -> str | None:
        bodies_or_problem = self.bodies(answer)
        return bodies_or_problem if isinstance(bodies_or_problem, str) else None

    def trace(self, answer: Answer) -> Trace | None:
        bodies = self.bodies(answer)
        return None if isinstance(bodies, str) else Trace(bodies)

    def sample(self, chance: Chance) -> Answer:
        low_x, low_y, high_x, high_y = self.box
        for _ in range(60):
            x = low_x + chance.randrange(max(1, high_x - low_x + 1))
            y = low_y + chance.randrange(max(1, high_y - low_y + 1))
            answer = (x, y, self.facing)
            if self.stands(self.pattern(answer)):
                return answer
        return self.first()

    def first(self) -> Answer:
        """The first spot that works, row by row; () when there is none at all."""
        return next((spot for pace in PACES for spot in self._grid(pace)), ())

    def spots(self, most: int = 24) -> list[Answer]:
        """Spots all over the region, evenly spread; () when there is none at all."""
        for pace in PACES:
            legal = list(self._grid(pace))
            if legal:
                return [legal[number * len(legal) // most] for number in range(most)] if len(legal) > most else legal
        return [()]

    def _grid(self, pace: int) -> Iterator[Answer]:
        """Where the unit may be set down, row by row."""
        low_x, low_y, high_x, high_y = self.box
        for y in range(low_y, high_y + 1, pace):
            for x in range(low_x, high_x + 1, pace):
                spot = (x, y, self.facing)
                if self.stands(self.pattern(spot)):
                    yield spot

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
        """The models round the first one, facing as answered; a gun stands first, its crew behind it."""
        x, y, heading = answer
        table = self.clearance.table
        unit = self.unit
        if unit.is_vehicle:
            return [table.stand(ground.shape_of(unit), x, y, heading, (unit.id, unit.men[0]))]
        shape = ground.shape_of(unit)
        spacing = shape.width + 4
        if unit.is_artillery:
            gun = ground.gun_shape(unit)
            behind = gun.width // 2 + shape.width // 2 + 3
            steps = [(spacing * side, -behind) for side in (0, -1, 1, -2, 2, -3, 3)][: len(unit.men)]
            spots = [(x, y), *pattern_spots(x, y, heading, steps)]
            crew = [
                table.stand(shape, sx, sy, 0, (unit.id, man)) for man, (sx, sy) in zip(unit.men, spots[1:], strict=True)
            ]
            return [table.stand(gun, x, y, heading, (unit.id, "gun")), *crew]
        spots = pattern_spots(x, y, heading, block(len(unit.men), spacing))
        return [table.stand(shape, sx, sy, 0, (unit.id, man)) for man, (sx, sy) in zip(unit.men, spots, strict=True)]

    def stands(self, bodies: Sequence[Body]) -> bool:
        """Is this a legal place for all models as they are?"""
        return all(self.test(body) for body in bodies) and self.end_problem(bodies) is None

    def end_problem(self, bodies: Sequence[Body]) -> str | None:
        return self.clearance.end_problem(bodies)

    def bodies(self, answer: Answer) -> list[Body] | str:
        """The models as they would stand, or why not."""
        if answer == () and (self.may_refuse or not self.stands_somewhere()):
            return []
        if not (isinstance(answer, tuple) and len(answer) >= 3 and all(isinstance(value, int) for value in answer[:3])):
            return "expected x, y and a heading"
        table = self.clearance.table
        if not (0 <= answer[0] <= table.width and 0 <= answer[1] <= table.depth):
            return self.refusal
        wanted = self.pattern(answer[:3])
        if len(answer) > 3:
            return self._by_hand(wanted, answer[3:])
        if self.stands(wanted):
            return wanted
        crowd = Crowd(Keep(keep.body, keep.gap, keep.strict) for keep in self.clearance.end_keeps)
        places = Places(self.clearance.table, self.clearance.places().no_entry, crowd, test=self.test)
        settled = arrange(wanted, places, CHAIN)
        if settled is None:
            problem = self.end_problem(wanted)
            return problem if problem is not None else self.refusal
        return settled

    def stands_somewhere(self) -> bool:
        return self.spots(1) not in ([], [()])

    def _by_hand(self, wanted: list[Body], points: Sequence[Any]) -> list[Body] | str:
        if len(points) != len(wanted) or not all(isinstance(p, tuple) and len(p) == 2 for p in points):
            return f"expected a spot for each of {len(wanted)} models"
        table = self.clearance.table
        placed = [
            table.stand(body.shape, x, y, body.heading, body.key) for body, (x, y) in zip(wanted, points, strict=True)
        ]
        if not all(self.test(body) for body in placed):
            return self.refusal
        if CHAIN.broken(placed):
            return 'no model may stand more than 1" from the others (k47.core.coherency)'
        return self.end_problem(placed) or placed

    def set_down(self, answer: Answer, play: Play | None = None) -> bool:
        """Put the unit there; False if there was no room at all. Copies of the game inherit where its models stand."""
        bodies = self.bodies(answer) if play is None else play.now(lambda: self.bodies(answer))
        if isinstance(bodies, str) or not bodies:
            return False
        unit = self.unit
        heading = answer[2] % 360
        unit.heading = heading
        if unit.is_artillery:
            unit.gun = bodies[0]
            bodies = bodies[1:]
        unit.bodies = list(bodies)
        return True


def everywhere(body: Body) -> bool:
    """No further condition."""
    return True


def near(hull: Sequence[Body], reach: int) -> Callable[[Body], bool]:
    """Within so many tenths of one of these models."""
    return lambda body: any(ground.distance(body, other) <= reach for other in hull)


def box_round(bodies: Sequence[Body], reach: int) -> Box:
    """The box round some models, widened by a reach (tenths)."""
    low_x = min(body.cx - body.radius for body in bodies) - reach
    high_x = max(body.cx + body.radius for body in bodies) + reach
    low_y = min(body.cy - body.radius for body in bodies) - reach
    high_y = max(body.cy + body.radius for body in bodies) + reach
    return low_x // 10, low_y // 10, high_x // 10, high_y // 10


__all__ = ["INCH", "Box", "SpotRegion", "box_round", "everywhere", "near"]
