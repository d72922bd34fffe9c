"""Odds of Battlefield between two cards: everybody who can be is in range, as each measures for himself.

Belongs above the rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dieselfront.rulesets.battlefield.places import close
from dieselfront.rulesets.dust.state import DustState, Unit
from dieselfront.rulesets.dust1947.odds import ADAPTOR
from dieselfront.rulesets.dust1947.odds.lanes import too_far
from dieselfront.rulesets.dust_open.ground import OpenGround, measures
from dieselfront.rulesets.dust_open.odds import OpenLane
from dieselfront.rulesets.dust_open.playing import on_open_table
from dieselfront.table.measured.shapes import distance

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.ruleset import Dust1947


class BattleLane(OpenLane):
    """A lane on which the last rank of the attacker is in range, too (bf.attack.range_measure)."""

    range_mm = 100

    def _move_to(self, rules: Dust1947, state: DustState, attacker: Unit, target: Unit, wanted: int, y: int) -> None:
        """Nearer and nearer until everybody is in range; for blows as near as it goes."""
        ground = on_open_table(rules).ground
        scale = measures(state)
        most = close(scale) if wanted <= 1 else wanted * scale.range
        best = None
        for x in range(self.x + wanted * self.range_mm + 400, self.x, -5):
            place = state.table.place(x, y)
            if not ground.may_stand(state, target, place):
                continue
            ground.put(state, target, place, self.west)
            best = x
            if self._farthest(ground, state, attacker, target) <= most:
                return
        if best is None or ground.distance(state, attacker, target) > wanted:
            raise too_far(attacker, target, wanted)

    def _farthest(self, ground: OpenGround, state: DustState, attacker: Unit, target: Unit) -> int:
        theirs = ground.bodies(state, target)
        return max(min(distance(mine, body) for body in theirs) for mine in ground.bodies(state, attacker))


LANE = BattleLane()

__all__ = ["ADAPTOR", "LANE"]
