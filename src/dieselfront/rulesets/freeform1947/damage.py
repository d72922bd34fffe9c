"""Leaders lost, and those who take their place (ff.damage.*)."""

from __future__ import annotations

from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.dust.events import Happened, Moved
from dieselfront.rulesets.dust.state import ON_BOARD, STUNNED, Part, Unit
from dieselfront.rulesets.dust_open.damage import OpenDamage
from dieselfront.rulesets.dust_open.models import SINGLE, Figure

LEADERLESS = 1 << 22
"""A flag of units that lost their leader in an attack that is not over yet."""


class FreeDamage(OpenDamage):
    """From unsaved hits to losses, model by model; leaders may be among them."""

    def describe(self, play: Play, unit: Unit, part: Part, soldier: int) -> str:
        """A soldier in words, with his place."""
        words = super().describe(play, unit, part, soldier)
        return f"the leader, {words}" if unit.figures[:1] == ((part.card.id, soldier),) else words

    def _notice(self, play: Play, unit: Unit) -> None:
        """The table shows who is left; a unit has no leader until the attack is over if he fell (ff.scope.leader)."""
        if play.rules.ground.regroup(play.state, unit):
            unit.set(LEADERLESS)


class Leaders:
    """What happens when a leader falls (ff.damage.leader_loss)."""

    def settle(self, play: Play) -> Procedure:
        """At the end of an attack: a new leader, coherency, a stunned token (ff.damage.leader_timing)."""
        state = play.state
        for unit in list(state.units):
            if unit.status == ON_BOARD and play.rules.ground.regroup(state, unit):
                unit.set(LEADERLESS)
            if unit.is_(LEADERLESS) and unit.status == ON_BOARD:
                yield from self.succeed(play, unit)
            unit.drop(LEADERLESS)

    def succeed(self, play: Play, unit: Unit) -> Procedure:
        """The owner names another model; the survivors close up round him.

        ff.damage.new_leader, ff.open.last_model, ff.open.stun_stack.
        """
        chosen: Figure = yield PickOne(
            unit.side,
            "new-leader",
            list(unit.figures),
            labels=lambda figure: self.name(play, unit, figure),
            text=f"{unit.name}: who leads now?",
            rule="ff.damage.new_leader",
            unit=unit.id,
        )
        before = unit.where
        play.rules.ground.close_up(play.state, unit, unit.figures.index(tuple(chosen)))
        unit.drop(LEADERLESS)
        play.emit(Happened("ff.damage.new_leader", f"{self.name(play, unit, chosen)} leads {unit.name}", unit.id))
        if sorted(before) != sorted(unit.where):
            play.emit(Moved("ff.damage.restore_move", unit.id, (), unit.where, unit.facing, 0))
        play.rules.suppression.give(play, unit, STUNNED, "ff.damage.leader_loss")

    def name(self, play: Play, unit: Unit, figure: Figure) -> str:
        part = {part.card.id: part for part in unit.parts}[figure[0]]
        if figure[1] == SINGLE:
            return part.card.name
        found: str = play.rules.damage.describe(play, unit, part, figure[1])
        return found
