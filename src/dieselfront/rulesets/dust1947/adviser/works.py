"""Engineering as a Dust adviser sees it: mines, wire and wrecks to clear, forts to bury (d47.clear.*)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.adviser.field import Field
from dieselfront.rulesets.dust1947.adviser.goals import Goals

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.adviser.plans import Planner

ONE, TWO = 1 / 3, 2 / 3
"""The chance of a die that succeeds on one face, on two."""

WORKS = (
    {"wire": 0.3, "minefield": -1.0},
    {"wire": 1.5, "minefield": 2.5, "wreck": 0.1, "trench": 0.1},
)
"""What works on the way ahead are worth to men and to vehicles."""

BEHIND = 0.8
"""What it is worth to each friend behind that a way is opened."""


class Works:
    """What works beside a unit are worth; a part of `Specials`."""

    planner: Planner

    def _engineering(self, field: Field, goals: Goals, unit: Unit, spot: int, hurry: bool) -> float:
        """The best work beside the unit; without any the action is wasted."""
        if spot < 0 or field.play.rules.table == "measured":
            return 0.0
        table = field.table
        kinds = field.play.rules.engineering.workable(field.play, unit)
        squares = unit.where if spot == unit.place else (spot,)
        beside = sorted({other for place in squares for other in table.neighbours(place)})
        works = [self.work(goals, unit, kind, at) for kind in kinds for at in beside if table.has(at, kind)]
        best = max(works, default=-0.2)
        worked = [at for at in beside if any(table.has(at, kind) for kind in kinds)]
        return best + self._behind(field, goals, unit, worked) if goals.values and unit.is_vehicle else best

    def _behind(self, field: Field, goals: Goals, unit: Unit, places: Sequence[int]) -> float:
        """What an open way is worth to friends who have it before them."""
        others = [piece for piece in field.pieces[unit.side] if piece.unit is not unit and not piece.flying]
        if goals.left:
            return BEHIND * sum(any(goals.ahead(other.unit, place) for place in places) for other in others)
        opened = [
            self._let_through(field, goals, other.unit, place)
            for other in others
            if not other.acted
            for place in places
        ]
        return max(opened, default=0.0)

    def _let_through(self, field: Field, goals: Goals, unit: Unit, place: int) -> float:
        """What a friend could take in the last turn by a way through a place that is closed to him."""
        table, march = field.table, field.play.rules.movement.pace(field.play, unit)[1]
        ends = self.planner.reach(field.play, unit, "march")
        reached = 0
        for end in ends:
            reached |= goals.held_from(unit, end[0] if isinstance(end, tuple) else end)
        best = 0.0
        for number, one in enumerate(field.state.objectives):
            onward = min(table.distance(place, there) for there in one.places)
            if not reached >> number & 1 and table.distance(unit.place, place) + onward <= march:
                best = max(best, goals.taken_by(number, unit))
        return TWO * best

    def work(self, goals: Goals, unit: Unit, kind: str, place: int) -> float:
        """Those with the tools clear the way ahead; men who lift mines by hand are more likely to set them off."""
        worth = WORKS[unit.is_vehicle].get(kind, 0.0)
        return worth if worth <= 0 or goals.ahead(unit, place) else 0.05

    def task(self, field: Field, goals: Goals, unit: Unit, task: tuple[str, int]) -> tuple[float, int]:
        """Of works beside a unit the one that opens the way, then the nearest to what is wanted."""
        kind, place = task
        if kind == "fort":
            return self.buried(field, unit, place), -place
        return self.work(goals, unit, kind, place) + 0.1 * goals.pull(unit, place), -place

    def buried(self, field: Field, unit: Unit, place: int | None = None) -> float:
        """Points inside a fortification beside the unit that two actions could bury, one time in three."""
        best = 0.0
        table = field.table
        for fort in field.state.forts:
            if place is not None and place not in fort.footprint:
                continue
            beside = any(table.distance(own, square) <= 1 for own in unit.where for square in fort.footprint)
            inside = [p for p in field.by_id.values() if set(p.where) & set(fort.interior) and not p.flying]
            points = sum(p.points * (1 if p.unit.side != unit.side else -2) for p in inside)
            if beside:
                best = max(best, ONE * self.planner.weights["destroy"] * points)
        return best


__all__ = ["ONE", "TWO", "Works"]
