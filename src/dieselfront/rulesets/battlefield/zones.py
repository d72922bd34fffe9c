"""Deployment areas of Battlefield: every miniature inside, clear ground found quickly (bf.setup.scenario)."""

from __future__ import annotations

from typing import Any

from dieselfront.rulesets.battlefield.clear_ground import ClearBlock
from dieselfront.rulesets.battlefield.ways import block_of
from dieselfront.rulesets.dust_open.places import Hand, Point, floor_of, xy
from dieselfront.rulesets.dust_open.regions import Zone


class BattleZone(Zone):
    """A deployment area."""

    def __init__(self, *details: Any) -> None:
        super().__init__(*details)
        self._block: ClearBlock | None = None
        self._looked_round = False

    @property
    def block(self) -> ClearBlock | None:
        """The unit as it forms up; None where that is no quick question."""
        if not self._looked_round:
            self._looked_round = True
            self._block = block_of(self, self.facing)
        return self._block

    def problem(self, place: int, heading: int) -> str | None:
        if heading == self.facing and self._is_clear(place):
            return None
        return super().problem(place, heading)

    def _is_clear(self, place: int) -> bool:
        if floor_of(place) or isinstance(place, Hand):
            return False
        block = self.block
        return block is not None and self._holds(block, xy(place)) and block.stands(xy(place))

    def _holds(self, block: ClearBlock, goal: Point) -> bool:
        """Is every miniature of the block inside the area?"""
        return all(
            any(
                low_x * 10 + r <= x <= high_x * 10 - r and low_y * 10 + r <= y <= high_y * 10 - r
                for low_x, low_y, high_x, high_y in self.boxes
            )
            for x, y, r in block.stood(goal)
        )


__all__ = ["BattleZone"]
