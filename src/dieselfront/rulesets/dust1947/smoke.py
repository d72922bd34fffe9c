"""Smoke screens: placing and expiring (d47.weapon.smoke_*). The smoke of fires is kept by criticals.py."""

from __future__ import annotations

from dieselfront.rulesets.dust.events import TerrainChanged
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.table.square import SquareTable

CLOSED = ("bunker", "fort_wall")


class Smoke:
    """Smoke on the board."""

    def place(self, play: Play, places: tuple[int, ...], rule: str) -> None:
        """A screen that lasts through the following turn.

        d47.weapon.smoke_duration, d47.open.smoke_launcher_duration.
        """
        state = play.state
        outside = tuple(place for place in places if self.may_lie(state.table, place))
        state.table = state.table.placing("smoke", outside)
        state.smokes += ((state.turn + 1, outside),)
        play.emit(TerrainChanged(rule, "smoke", outside, True))

    def may_lie(self, table: SquareTable, place: int) -> bool:
        """Buildings and bunkers take no smoke (d47.weapon.smoke_not_buildings)."""
        return not table.is_indoor(place) and not any(table.has(place, closed) for closed in CLOSED)

    def expire(self, play: Play) -> None:
        """Smoke disappears when its last turn ends, unless a younger screen keeps it up."""
        play.rules.criticals.disperse(play)
        state = play.state
        if not state.smokes:
            return
        over = [places for last, places in state.smokes if last <= state.turn]
        if not over:
            return
        state.smokes = tuple(smoke for smoke in state.smokes if smoke[0] > state.turn)
        kept = {place for _, places in state.smokes for place in places}
        gone = tuple(sorted({place for places in over for place in places} - kept))
        state.table = state.table.clearing("smoke", gone)
        play.emit(TerrainChanged("d47.weapon.smoke_duration", "smoke", gone, False))
