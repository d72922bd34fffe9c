"""Leaders lost, and those who take their place (ff.damage.*)."""

from __future__ import annotations

from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.dust.events import Happened, Moved
from dieselfront.rulesets.dust.state import ON_BOARD, STUNNED, Part, Unit
from dieselfront.rulesets.dust_open.damage import OpenDamage
from dieselfront.rulesets.dust_open.models import SINGLE, Figure
from dieselfront.rulesets.freeform1947.playing import Play, free_rules

LEADERLESS = 1 << 22
"""A flag of units that lost their leader in an attack that is not over yet."""


class FreeDamage(OpenDamage):
    """From unsaved hits to losses, model by model; leaders may be among them."""

    def describe(self, play: Play, unit: Unit, part: Part, soldier: int) -> str:
        """A soldier in words, with his place."""
        words = super().describe(play, unit, part, soldier)
        return f"the leader, {words}" if unit.figures[:1] == ((part.card.id, soldier),) else words

    def leads(self, unit: Unit, part: Part, soldier: int) -> bool:
        return unit.figures[:1] == ((part.card.id, soldier),)

    def label(self, play: Play, unit: Unit, part: Part, soldier: int) -> str:
        """A soldier as a choice; who leads is said."""
        words = super().label(play, unit, part, soldier)
        return f"the leader: {words}" if self.leads(unit, part, soldier) else words

    def _notice(self, play: Play, unit: Unit) -> None:
        """The table shows who is left; a unit has no leader until the attack is over if he fell (ff.scope.leader)."""
        if free_rules(play).ground.regroup(play.state, unit):
            unit.set(LEADERLESS)


class Leaders:
    """What happens when a leader falls (ff.damage.leader_loss)."""

    def settle(self, play: Play) -> Procedure:
        """At the end of an attack: a new leader, coherency, a stunned token (ff.damage.leader_timing)."""
        state, regroup = play.state, free_rules(play).ground.regroup
        for unit in list(state.units):
            if unit.status == ON_BOARD and (regroup(state, unit) or unit.flags & LEADERLESS):
                unit.set(LEADERLESS)
                yield from self.succeed(play, unit)
            if unit.flags & LEADERLESS:
                unit.drop(LEADERLESS)

    def succeed(self, play: Play, unit: Unit) -> Procedure:
        """The owner names another model; the survivors close up round him.

        ff.damage.new_leader, ff.open.last_model, ff.open.stun_stack.
        """
        chosen: Figure = yield PickOne(
            unit.side,
            "new-leader",
            list(unit.figures),
            labels=lambda figure: self.label(play, unit, figure),
            text=f"{unit.name}: who leads now?",
            rule="ff.damage.new_leader",
            unit=unit.id,
        )
        before = unit.where
        free_rules(play).ground.close_up(play.state, unit, unit.figures.index(tuple(chosen)))
        unit.drop(LEADERLESS)
        play.emit(Happened("ff.damage.new_leader", f"{self.name(play, unit, chosen)} leads {unit.name}", unit.id))
        if sorted(before) != sorted(unit.where):
            play.emit(Moved("ff.damage.restore_move", unit.id, (), unit.where, unit.facing, 0))
        free_rules(play).suppression.give(play, unit, STUNNED, "ff.damage.leader_loss")

    def label(self, play: Play, unit: Unit, figure: Figure) -> str:
        """A model as a choice; nobody leads yet."""
        part = {part.card.id: part for part in unit.parts}[figure[0]]
        if figure[1] == SINGLE:
            return part.card.name
        said: str = OpenDamage.label(free_rules(play).damage, play, unit, part, figure[1])
        return said

    def name(self, play: Play, unit: Unit, figure: Figure) -> str:
        part = {part.card.id: part for part in unit.parts}[figure[0]]
        if figure[1] == SINGLE:
            return part.card.name
        description: str = free_rules(play).damage.describe(play, unit, part, figure[1])
        return description
