"""The turn: draw an order die, give an order, until the cup is empty; then the turn end phase (k47.turn.*)."""

from __future__ import annotations

from functools import cache
from typing import Any

from dieselfront.dice import Dice, Die
from dieselfront.kernel.decisions import PickOne, PickSome
from dieselfront.kernel.game import QUIET, Procedure
from dieselfront.kernel.meaning import by_unit
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.events import DieDrawn, DieReturned, OrderKept, TurnBegan, TurnEnded
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.state import AMBUSH, DOWN, RESERVE, State, Unit

SIDES = ("blue", "red")


@cache
def order_cup(blue: int, red: int) -> Die:
    """The cup as a die: one side of it for every order die inside (k47.turn.draw)."""
    return Die("order cup", SIDES, (0,) * blue + (1,) * red)


class Turn(Chapter):
    """The loop of the game; it can be taken up again at every draw from the state alone."""

    def resume(self, play: Play) -> Procedure:
        """Go on from the position: set-up, then turns until the game is over (k47.turn.sequence)."""
        state: State = play.state
        if state.phase == "setup":
            yield from self.rules.setup.set_up(play)
        while not state.over:
            yield QUIET
            if self.rules.victory.is_wiped_out(play):
                break
            if state.phase == "orders":
                yield from self.orders_phase_step(play)
            else:
                yield from self.turn_end(play)

    def begin(self, play: Play, turn: int) -> Procedure:
        """A turn begins: the cup holds a die for every living unit without an order (k47.turn.pool)."""
        state: State = play.state
        state.turn = turn
        state.phase = "orders"
        play.emit(TurnBegan("k47.turn.pool", turn, state.cup()))
        yield from self.rules.scenario_rules.turn_began(play)
        for unit in list(state.units):
            if unit.alive:
                for answer in unit.hooks.get("on_turn_began", ()):
                    yield from answer(None, play, unit)

    def orders_phase_step(self, play: Play) -> Procedure:
        """One draw and everything that follows from it; the phase ends with the cup (k47.turn.orders_end)."""
        state: State = play.state
        cup = state.cup()
        if not any(cup):
            state.phase = "turn end"
            return
        side = yield from self.draw(play, cup)
        unit = yield PickOne(
            side,
            "unit",
            lambda: [unit.id for unit in self.selectable(state, side)],
            text="Which unit gets the order die?",
            rule="k47.turn.draw",
            labels=lambda id: state.unit(id).card.name,
            act="activate",
            about=by_unit("activate"),
        )
        yield from self.rules.orders.activate(play, state.unit(unit))

    def draw(self, play: Play, cup: tuple[int, int]) -> Procedure:
        """Draw blind; a side alone in the cup acts for all remaining draws (k47.turn.draw_one_side)."""
        if cup[0] and cup[1]:
            (side,) = yield Dice(order_cup(*cup), 1, 0, "order die")
            stages: tuple[Any, ...] = (("draw", (SIDES[side],)),)
        else:
            side = 0 if cup[0] else 1
            stages = ()
        play.emit(DieDrawn("k47.turn.draw", 0, "order die", stages, side, cup))
        return side

    def selectable(self, state: State, side: int) -> list[Unit]:
        """Units of the side without an order die (k47.turn.one_order)."""
        free = [unit for unit in state.units if unit.side == side and unit.in_cup]
        ordered = any(unit.side == side and unit.order and unit.alive for unit in state.units)
        ready = [unit for unit in free if self.is_ready(state, unit, ordered)]
        return ready or free

    def is_ready(self, state: State, unit: Unit, ordered: bool) -> bool:
        """Cumbersome vehicles wait for another unit (k47.vehicle.order_limits), Elite units for a friend's order
        (k47.special.elite)."""
        if unit.waits_for_others and not ordered:
            return False
        return not unit.elite_wait

    # -- turn end -------------------------------------------------------------------------------------

    def turn_end(self, play: Play) -> Procedure:
        """Dice go back to the cup, except those of units that keep Ambush or Down (k47.turn.end_return)."""
        state: State = play.state
        for side in (0, 1):
            keeping = yield from self.keepers(play, side)
            for unit in state.of(side):
                self.end_for(play, unit, unit.id in keeping)
        self.rules.terrain.turn_ended(play)
        yield from self.rules.transports.turn_ended(play)
        play.emit(TurnEnded("k47.turn.sequence", state.turn))
        ended = yield from self.rules.victory.is_over(play)
        if not ended:
            yield from self.begin(play, state.turn + 1)

    def keepers(self, play: Play, side: int) -> Procedure:
        """The owner chooses which Ambush and Down orders stay (k47.turn.retain_choice); never for reserves."""
        state: State = play.state
        units = [unit.id for unit in state.of(side) if unit.order in (AMBUSH, DOWN) and unit.place != RESERVE]
        if not units:
            return ()
        kept = yield PickSome(
            side,
            "keep",
            units,
            0,
            len(units),
            text="Which units keep their Ambush or Down order?",
            rule="k47.turn.retain_choice",
            labels=lambda id: state.unit(id).card.name if isinstance(id, str) else ", ".join(id),
            act="wait",
        )
        return kept

    def end_for(self, play: Play, unit: Unit, keeps: bool) -> None:
        """One unit at turn end; keeping Down sheds a pin (k47.turn.retain_down_pin)."""
        unit.last_order = unit.order
        unit.forget_turn()
        if not keeps:
            if unit.order:
                unit.order = ""
                del unit.shell
                play.emit(DieReturned("k47.turn.end_return", unit.id))
            return
        play.emit(OrderKept("k47.turn.retain_choice", unit.id, unit.order))
        if unit.order == DOWN and play.state.options["retain_down_pin"] == "removes_one":
            self.rules.morale.unpin(play, unit, 1, "k47.turn.retain_down_pin")
