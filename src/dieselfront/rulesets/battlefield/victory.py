"""The end: objectives, a side without units, points of what was eliminated (bf.end.*, bf.objective.*)."""

from __future__ import annotations

from dieselfront.kernel.game import Play
from dieselfront.rulesets.battlefield.flags import MARCHED
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.state import ABOARD, LOST, ON_BOARD, Unit
from dieselfront.rulesets.dust1947.victory import Victory

CAME = "once came onto the table"


class BattleVictory(Victory):
    """Who has won: outright, else by points (bf.end.conditions, bf.end.winner, bf.end.ap_count).

    Both at once, or equal points, are decided as in Dust 1947 (bf.open.both_win, bf.open.victory_tie).
    """

    def standing(self, play: Play, unit: Unit) -> str:
        """Aircraft never count; who marched last only denies (bf.objective.aircraft, bf.objective.no_march).

        Only miniatures on the table are asked (bf.open.objective_mounted).
        """
        if unit.is_aircraft:
            return "none"
        standing: str = ask(unit.effects, "on_holds", "hold", unit, play)
        return "contest" if standing == "hold" and unit.is_(MARCHED) else standing

    def check(self, play: Play) -> bool:
        for side in (0, 1):
            here = any(unit.status in (ON_BOARD, ABOARD) for unit in play.state.of_side(side))
            if here and CAME not in play.state.sides[side].used:
                play.state.sides[side].used += (CAME,)
        return super().check(play)

    def has_units(self, play: Play, side: int) -> bool:
        """Units on the table; reserves do not save a player whose last one has died (bf.open.end_with_reserves)."""
        if any(unit.status in (ON_BOARD, ABOARD) for unit in play.state.of_side(side)):
            return True
        fell = any(unit.side == side and unit.status == LOST for unit in play.state.units)
        came = fell or CAME in play.state.sides[side].used
        return not came and bool(play.state.of_side(side))
