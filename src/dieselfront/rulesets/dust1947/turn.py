"""The turn: initiative, alternating activations, passing, the end of the turn (d47.turn.*)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import ANSWERED, QUIET, Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.dust.events import FirstChosen, InitiativeWon, Passed, TurnBegan, TurnEnded
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.state import ACTED, ACTIVATED, LANDED, REACTIVATED, Unit
from dieselfront.rulesets.dust1947.dice import ARMY_FACE, TARGET_FACE, task
from dieselfront.rulesets.dust1947.playing import Play

INITIATIVE_DICE = 3
PASS = "pass"


class Turn:
    """The flow of the game from quiet moment to quiet moment."""

    def resume(self, play: Play) -> Procedure:
        """Go on from any quiet moment; the state alone tells where we are."""
        state = play.state
        while True:
            if state.under_way is not None:
                yield from play.rules.activations.go_on(play)
                continue
            yield QUIET
            if state.phase == "deploy":
                yield from play.rules.setup.deploy(play)
            elif state.phase == "turn":
                yield from self.begin(play)
            elif state.phase == "activations":
                yield from self.next_activation(play)
            else:
                return

    # -- initiative -----------------------------------------------------------------------------

    def begin(self, play: Play) -> Procedure:
        """A new turn: fresh units, initiative, weather, first activation (d47.turn.sequence)."""
        state = play.state
        state.turn += 1
        for unit in state.units:
            unit.drop(ACTIVATED | ACTED | REACTIVATED | LANDED)
        for side in state.sides:
            side.used = ()
        play.emit(TurnBegan("d47.turn.sequence", state.turn))
        play.rules.reserves.gather(play)
        winner = yield from self.initiative(play)
        yield from play.rules.weather.roll(play, winner)  # d47.open.weather_risk_vs_begin
        first = yield PickOne(  # d47.turn.initiative_choice
            winner,
            "first",
            [winner, 1 - winner],
            labels=lambda side: state.sides[side].name,
            text="Who takes the first activation?",
            rule="d47.turn.initiative_choice",
        )
        state.first = state.to_act = first
        play.emit(FirstChosen("d47.turn.initiative_choice", first))
        state.phase = "activations"

    def initiative(self, play: Play) -> Generator[Any, Any, int]:
        """More ARMY wins, then more TARGET, then both roll again.

        d47.turn.initiative_roll, d47.turn.initiative_tiebreak, d47.turn.initiative_reroll.
        """
        while True:
            counts = []
            for side in (0, 1):
                throw = task("initiative", "d47.turn.initiative_roll")
                thrown = yield from play.throw(throw, self.initiative_dice(play, side), side)
                faces = thrown.stages[0][1]
                counts.append((faces.count(ARMY_FACE), faces.count(TARGET_FACE)))
            if counts[0] != counts[1]:
                winner = 0 if counts[0] > counts[1] else 1
                tied = counts[0][0] == counts[1][0]
                rule = "d47.turn.initiative_tiebreak" if tied else "d47.turn.initiative_roll"
                shown = (counts[0][tied], counts[1][tied])
                play.emit(InitiativeWon(rule, winner, shown))
                return winner

    def initiative_dice(self, play: Play, side: int) -> int:
        """Three dice, more by skills that set the number (d47.open.extra_dice_stack)."""
        state = play.state
        dice = 4 if state.sides[side].extra_initiative else INITIATIVE_DICE
        for unit in state.of_side(side):
            if "on_initiative_dice" in unit.effects:
                dice = ask(unit.effects, "on_initiative_dice", dice, side, play)
        return dice

    # -- activations ----------------------------------------------------------------------------

    def waiting(self, play: Play, side: int) -> list[Unit]:
        """The units a side still has to activate; a combined unit is one unit (d47.turn.pass_combined_count).

        d47.transport.activate_separately, d47.sealift.activate_separately.
        """
        counts = self.counts
        return [
            unit for unit in play.state.units if unit.side == side and not unit.flags & ACTIVATED and counts(play, unit)
        ]

    def counts(self, play: Play, unit: Unit) -> bool:
        """Does the unit take activations: on the table, aboard, or off it by a rule of its own."""
        return unit.status in ("board", "aboard", "off")

    def next_activation(self, play: Play) -> Procedure:
        """Players alternate; who has none left is skipped (d47.turn.alternate)."""
        state = play.state
        side = state.to_act
        mine, theirs, arrivals = play.now(lambda: self._who_may_act(play, side))
        if not mine and not arrivals:
            if theirs or play.rules.reserves.may_enter(play, 1 - side):
                state.to_act = 1 - side
            else:
                yield from self.end(play)
            return
        may_pass = len(mine) < theirs or not mine  # d47.turn.pass, d47.open.reserve_pass_count
        chosen = (
            yield ANSWERED
            if play.answered
            else PickOne(
                side,
                "activate",
                (*mine, *arrivals, PASS) if may_pass else (*mine, *arrivals),
                labels=lambda choice: "pass" if choice == PASS else state.by_id[choice].name,
                refusals=lambda: self._refusals(play, side, may_pass),
                text="Activate a unit",
                rule="d47.turn.alternate",
                act="activate",
                about=lambda choice: About("pass") if choice == PASS else About("activate", choice),
            )
        )
        state.to_act = 1 - side
        if chosen == PASS:
            play.emit(Passed("d47.turn.pass", side))
            if not mine and not theirs:
                play.rules.reserves.wait(play, side)
            return
        yield from play.rules.activations.run(play, state.by_id[chosen], outermost=True)

    def _who_may_act(self, play: Play, side: int) -> tuple[tuple[str, ...], int, tuple[str, ...]]:
        """The units of a side that wait for their activation, how many the enemy has, and those that may come on."""
        mine = tuple([unit.id for unit in self.waiting(play, side)])
        arrivals = tuple([unit.id for unit in play.rules.reserves.may_enter(play, side)])
        return mine, len(self.waiting(play, 1 - side)), arrivals

    def _refusals(self, play: Play, side: int, may_pass: bool) -> dict[Any, tuple[str, str]]:
        refused = {
            unit.id: ("d47.turn.alternate", f"{unit.name} has already been activated this turn")
            for unit in play.state.of_side(side)
            if unit.activated
        }
        if not may_pass:
            refused[PASS] = ("d47.turn.pass", "you may pass only with fewer units left to activate than the enemy")
        return refused

    # -- the end --------------------------------------------------------------------------------

    def end(self, play: Play) -> Procedure:
        """Effects that expire, then the question whether the game is over (d47.turn.sequence)."""
        state = play.state
        play.emit(TurnEnded("d47.turn.sequence", state.turn))
        play.rules.smoke.expire(play)
        for unit in state.units:
            for answer in unit.effects.get("on_turn_end", ()):
                answer(play, unit)
        if play.rules.victory.check(play):
            state.phase = "over"
        else:
            state.phase = "turn"
        return
        yield
