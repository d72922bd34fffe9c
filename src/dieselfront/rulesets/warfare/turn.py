"""The turn: Initiative, Command, Unit and End phase (dw.turn.phases, dw.initiative.*, dw.end.*)."""

from __future__ import annotations

from dieselfront.kernel.game import QUIET, Procedure
from dieselfront.rulesets.warfare.chapter import Chapter
from dieselfront.rulesets.warfare.events import Initiative, PhaseBegan, TurnBegan, TurnEnded
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.state import State
from dieselfront.rulesets.warfare.throws import combat

SIDES = ("blue", "red")
MOST_TIES = 100


class Turn(Chapter):
    """The loop of the game; it can be taken up again at every quiet moment from the state alone."""

    def resume(self, play: Play) -> Procedure:
        """Set-up, then turns until the game is over."""
        state: State = play.state
        if state.phase == "setup":
            yield from self.rules.setup.set_up(play)
        while not state.over:
            yield QUIET
            if self.rules.victory.is_wiped_out(play):
                break
            if state.phase == "initiative":
                yield from self.initiative(play)
            elif state.phase == "command":
                yield from self.rules.command.step(play)
            elif state.phase == "units":
                yield from self.rules.activation.step(play)
            else:
                yield from self.end(play)

    def begin(self, play: Play, turn: int) -> None:
        """A turn begins with the Initiative phase."""
        state: State = play.state
        state.turn = turn
        state.phase = "initiative"
        for unit in state.units:
            unit.activated = False
            unit.reacted = False
        play.emit(TurnBegan("dw.turn.phases", turn))

    # -- initiative -----------------------------------------------------------------------------------------

    def initiative(self, play: Play) -> Procedure:
        """Fewest HITs go first (dw.initiative.fewest_first); ties are rolled again with whole pools
        (dw.initiative.ties, dw.open.tie_reroll)."""
        state: State = play.state
        play.emit(PhaseBegan("dw.turn.phases", "Initiative"))
        pools = [self.rules.command.pool(state, side) for side in (0, 1)]
        empty = not any(pools)
        if empty:  # dw.open.pool_zero
            pools = [1, 1]
        hits = yield from self.roll_pools(play, pools)
        state.initiative = 0 if hits[0] < hits[1] else 1
        state.hits = (0, 0) if empty else (hits[0], hits[1])
        play.emit(Initiative("dw.initiative.fewest_first", state.initiative, tuple(hits)))
        self.begin_command(play, state.initiative)

    def roll_pools(self, play: Play, pools: list[int]) -> Procedure:
        throw = combat("Command Pool", "dw.initiative.command_pool")
        while True:
            hits = []
            for side in (0, 1):
                thrown = yield from play.throw(throw, pools[side], side)
                hits.append(thrown.successes)
            if hits[0] != hits[1]:
                return hits

    # -- phases ------------------------------------------------------------------------------------------

    def begin_command(self, play: Play, side: int) -> None:
        """One side's part of the Command phase (dw.command.order_count)."""
        state: State = play.state
        state.phase = "command"
        state.active = side
        state.orders = self.rules.command.order_count(state, side)
        play.emit(PhaseBegan("dw.turn.phases", "Command", side))

    def begin_units(self, play: Play, side: int) -> None:
        """One side's part of the Unit phase."""
        state: State = play.state
        state.phase = "units"
        state.active = side
        state.orders = 0
        play.emit(PhaseBegan("dw.turn.phases", "Unit", side))

    def end(self, play: Play) -> Procedure:
        """Scenario actions, then one suppression marker and all reaction markers off every unit
        (dw.end.scenario_actions, dw.end.remove_suppression, dw.end.remove_reaction)."""
        state: State = play.state
        play.emit(PhaseBegan("dw.turn.phases", "End"))
        self.rules.victory.scenario_actions(play)
        for unit in state.units:
            if unit.alive:
                self.rules.suppression.calm(play, unit, 1, "dw.end.remove_suppression")
                self.rules.suppression.unmark_reaction(play, unit, "dw.end.remove_reaction")
                for answer in unit.hooks.get("on_turn_ended", ()):
                    answer(play, unit)
                self.rules.artillery.turn_ended(play, unit)
        play.emit(TurnEnded("dw.turn.phases", state.turn))
        if not self.rules.victory.is_over(play):
            self.begin(play, state.turn + 1)
        return
        yield


__all__ = ["SIDES", "Turn"]
