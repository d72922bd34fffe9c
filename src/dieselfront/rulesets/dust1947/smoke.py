"""Smoke screens: placing and expiring (d47.weapon.smoke_*)."""

from __future__ import annotations

from dieselfront.kernel.game import Play
from dieselfront.rulesets.dust.events import TerrainChanged


class Smoke:
    """Smoke on the board."""

    def place(self, play: Play, places: tuple[int, ...], rule: str) -> None:
        """A screen that lasts through the following turn (d47.weapon.smoke_duration).

        Buildings take none (d47.weapon.smoke_not_buildings).
        """
        state = play.state
        table = state.table
        outside = tuple(place for place in places if not table.is_indoor(place))
        state.table = table.placing("smoke", outside)
        state.smokes += ((state.turn + 1, outside),)
        play.emit(TerrainChanged(rule, "smoke", outside, True))

    def expire(self, play: Play) -> None:
        """Smoke disappears when its last turn ends, unless a fire or a younger screen keeps it up."""
        state = play.state
        over = [smoke for smoke in state.smokes if smoke[0] <= state.turn]
        if not over:
            return
        state.smokes = tuple(smoke for smoke in state.smokes if smoke[0] > state.turn)
        kept = {place for _, places in state.smokes for place in places} | self.burning(play)
        gone = tuple(sorted({place for _, places in over for place in places} - kept))
        state.table = state.table.clearing("smoke", gone)
        play.emit(TerrainChanged("d47.weapon.smoke_duration", "smoke", gone, False))

    def burning(self, play: Play) -> set[int]:
        """Squares whose smoke comes from a fire."""
        table = play.state.table
        return {place for place in table.squares_with("burning_wreck")} if "burning_wreck" in table.kinds else set()
