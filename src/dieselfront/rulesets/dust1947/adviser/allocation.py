"""Who goes where in the last turn: an objective is left to whoever can reach no other one."""

from __future__ import annotations

from functools import cache

from dieselfront.rulesets.dust.state import ON_BOARD, Unit
from dieselfront.rulesets.dust1947.adviser.field import Field
from dieselfront.rulesets.dust1947.adviser.goals import Goals
from dieselfront.rulesets.dust1947.adviser.intent import Intent
from dieselfront.rulesets.dust1947.adviser.plans import Planner

FEWEST = 2
"""With fewer objectives, or fewer units to go there, nothing has to be shared out."""

MOST_UNITS = 8


class Allocation:
    """What the units of a side that have still to act could take, each in its own activation."""

    def __init__(self, planner: Planner, field: Field, goals: Goals, side: int) -> None:
        self.goals = goals
        self.takes: dict[str, dict[int, float]] = {}
        waiting = [piece.unit for piece in field.pieces[side] if not piece.acted and piece.unit.status == ON_BOARD]
        if goals.left or len(goals.values) < FEWEST or len(waiting) < FEWEST:
            return
        for unit in waiting:
            takes = self._taken_by(planner, field, unit)
            if takes and len(self.takes) < MOST_UNITS:
                self.takes[unit.id] = takes

    def _taken_by(self, planner: Planner, field: Field, unit: Unit) -> dict[int, float]:
        """What a unit gains on each objective that it reaches; by a march it may count for less than by a move."""
        takes: dict[int, float] = {}
        goals, before = self.goals, unit.flags
        if goals.counts(unit) == "none":
            return takes
        for action in ("move", "march"):
            ends = planner.reachable(field, goals, unit, action, True)
            reached = {number for end in ends for number in range(len(goals.values)) if self._stands(unit, end, number)}
            unit.flags = planner.flags_after(unit, (action,))
            try:
                for number in sorted(reached):
                    takes[number] = max(takes.get(number, 0.0), goals.taken_by(number, unit))
            finally:
                unit.flags = before
        return {number: gain for number, gain in takes.items() if gain > 0}

    def _stands(self, unit: Unit, end: object, number: int) -> bool:
        spot = end[0] if isinstance(end, tuple) else end
        return bool(self.goals.held_from(unit, spot) >> number & 1)  # type: ignore[arg-type]

    def taken_from_others(self, unit: Unit, intent: Intent) -> float:
        """What friends could have taken and no longer can when a unit goes where it means to."""
        end = intent.then[0] if intent.then is not None else intent.spot
        others = [name for name in self.takes if name != unit.id]
        if not others or intent.mount is not None:
            return 0.0
        spot = unit.place if end is None else end
        holds = self.goals.held_from(unit, spot) if spot >= 0 else 0
        if not holds:
            return 0.0
        every = (1 << len(self.goals.values)) - 1
        return self._best(tuple(others), every) - self._best(tuple(others), every & ~holds)

    def _best(self, units: tuple[str, ...], free: int) -> float:
        """The most that some units can take of the objectives that are free."""

        @cache
        def best(first: int, free: int) -> float:
            if first == len(units):
                return 0.0
            most = best(first + 1, free)
            for number, gain in self.takes[units[first]].items():
                if free >> number & 1:
                    most = max(most, gain + best(first + 1, free & ~(1 << number)))
            return most

        return best(0, free)


__all__ = ["Allocation"]
