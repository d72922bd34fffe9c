"""The turn: initiative by three dice, alternating activations, passing (bf.turn.*)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Play, Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.battlefield.faces import TIE_FACE
from dieselfront.rulesets.battlefield.flags import FRESH_PILOT
from dieselfront.rulesets.dust.events import FirstChosen, InitiativeWon, Passed, TurnBegan
from dieselfront.rulesets.dust.state import ABOARD, ACTED, ACTIVATED, OFF_BOARD, ON_BOARD, REACTIVATED, RESERVE, Unit
from dieselfront.rulesets.dust1947.dice import ARMY_FACE, task
from dieselfront.rulesets.dust1947.turn import PASS, Turn

OUT = "pilot "
"""Before the id of a vehicle: its pilot gets out and acts on his own."""


class BattleTurn(Turn):
    """The flow of the game."""

    def begin(self, play: Play) -> Procedure:
        """Fresh units, initiative, first activation; neither weather nor returning reserves (bf.turn.end)."""
        state = play.state
        state.turn += 1
        for unit in state.units:
            unit.drop(ACTIVATED | ACTED | REACTIVATED | FRESH_PILOT)
        for side in state.sides:
            side.used = tuple(mark for mark in side.used if mark.startswith("once "))
        play.emit(TurnBegan("bf.turn.initiative", state.turn))
        winner = yield from self.initiative(play)
        first = yield PickOne(
            winner,
            "first",
            [winner, 1 - winner],
            labels=lambda side: state.sides[side].name,
            text="Who takes the first activation?",
            rule="bf.turn.initiative_choice",
            act="choose",
            about=lambda side: About(),
        )
        state.first = state.to_act = first
        play.emit(FirstChosen("bf.turn.initiative_choice", first))
        state.phase = "activations"

    def initiative(self, play: Play) -> Generator[Any, Any, int]:
        """More ARMY wins, then more TARGET, then both roll again (bf.turn.initiative, bf.turn.initiative_tie)."""
        options = play.state.options
        again = options.get("dice") == "classic" and options.get("classic_three_way") == "reroll_ties"
        while True:
            counts = []
            for side in (0, 1):
                throw = task("initiative", "bf.turn.initiative")
                thrown = yield from play.throw(throw, self.initiative_dice(play, side), side)
                faces = thrown.stages[0][1]
                counts.append((faces.count(ARMY_FACE), 0 if again else faces.count(TIE_FACE)))
            if counts[0] != counts[1]:
                winner = 0 if counts[0] > counts[1] else 1
                tied = counts[0][0] == counts[1][0]
                rule = "bf.turn.initiative_tie" if tied else "bf.turn.initiative"
                play.emit(InitiativeWon(rule, winner, (counts[0][tied], counts[1][tied])))
                return winner

    def counts(self, play: Play, unit: Unit) -> bool:
        """Everybody on the table, aboard, or still to come has an activation (bf.turn.pass, bf.open.spy_counts)."""
        return unit.status in (ON_BOARD, ABOARD, OFF_BOARD, RESERVE)

    def next_activation(self, play: Play) -> Procedure:
        """A go is an activation or a pass (bf.turn.first_activation, bf.turn.alternate, bf.turn.finish_remaining)."""
        state = play.state
        side = state.to_act
        mine, theirs, pilots = play.now(lambda: self._choices(play, side))
        if not mine:
            if theirs:
                state.to_act = 1 - side
            else:
                yield from self.end(play)
            return
        may_pass = len(mine) < theirs
        chosen = yield PickOne(
            side,
            "activate",
            (*mine, *pilots, PASS) if may_pass else (*mine, *pilots),
            labels=lambda choice: self._label(play, choice),
            refusals=lambda: self._refusals(play, side, may_pass),
            text="Activate a unit",
            rule="bf.turn.first_activation",
            act="activate",
            about=self._about,
        )
        state.to_act = 1 - side
        if chosen == PASS:
            play.emit(Passed("bf.turn.pass", side))
        elif chosen.startswith(OUT):
            yield from play.rules.transport.pilot_leaves(play, state.by_id[chosen.removeprefix(OUT)])
        else:
            yield from play.rules.activations.run(play, state.by_id[chosen], outermost=True)

    def _choices(self, play: Play, side: int) -> tuple[tuple[str, ...], int, tuple[str, ...]]:
        mine = tuple(unit.id for unit in self.waiting(play, side))
        pilots = tuple(OUT + vehicle for vehicle in play.rules.heroes.pilots_out(play, side))
        return mine, len(self.waiting(play, 1 - side)), pilots

    def _label(self, play: Play, choice: str) -> str:
        if choice == PASS:
            return "pass"
        if choice.startswith(OUT):
            vehicle = play.state.by_id[choice.removeprefix(OUT)]
            pilot = play.rules.heroes.pilot(vehicle)
            return f"{pilot.card.name if pilot else 'the pilot'} leaves {vehicle.card.name}"
        name: str = play.state.by_id[choice].name
        return name

    def _about(self, choice: Any) -> About:
        if choice == PASS:
            return About(act="pass")
        if choice.startswith(OUT):
            return About(act="ride", unit=choice.removeprefix(OUT))
        return About(act="activate", unit=choice)
