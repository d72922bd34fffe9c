"""What the exercise runs of Dust games on the open table share: an eager player who sets models down.

What counts as a use, and how forces are drawn, is described in dust1947/exercise.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from dieselfront.kernel.decisions import Answer, Decision
from dieselfront.kernel.game import Game
from dieselfront.rulesets.dust1947.exercise.eager import Eager, Point
from dieselfront.rulesets.dust_open.chapters import AnyHeading
from dieselfront.rulesets.dust_open.regions import Spot
from dieselfront.table.measured.angles import heading_of


class OpenEager(Eager):
    """Moves to the enemy, fires whatever it has, takes special actions, on a table without squares."""

    places = Spot

    def choose(self, game: Game, decision: Decision) -> Answer:
        if isinstance(decision, AnyHeading):
            return self.chance.choice(list(decision.options))
        return super().choose(game, decision)

    def misfit(self, table: Any, spot: int, foes: list[int], wished: int) -> float:
        """As near as can be for blows and short weapons, else in the middle of the range that is wished."""
        gap = min(table.tenths(spot, foe) for foe in foes)
        return float(gap if wished <= 1 else abs(gap - wished * table.measures.range + table.measures.range // 2))

    def is_at(self, table: Any, spot: int, places: Collection[int]) -> bool:
        """So near that an objective is held from there."""
        return any(table.tenths(spot, place) <= table.measures.range // 2 for place in places)

    def facing(self, decision: Any, spot: int, line: tuple[Point, Point], quarters: int) -> int | None:
        """Along a line to an enemy, or so many quarter turns from that, if the hull has room to stand like that."""
        (x, y), (foe_x, foe_y) = line
        if (x, y) == (foe_x, foe_y):
            return None
        ahead = (heading_of(foe_x - x, foe_y - y) + 90 * quarters) % 360
        return ahead if decision.region.problem(spot, ahead) is None else None


__all__ = ["OpenEager"]
