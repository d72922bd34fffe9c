"""Reactive attacks: after the first action of an enemy, before the last of three (bf.react.*)."""

from __future__ import annotations

from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.dust.state import HAS_ACTIVATED_EVER, Unit
from dieselfront.rulesets.dust1947.activation import COSTS, Activation
from dieselfront.rulesets.dust1947.reaction import MID_MARCH, NEVER
from dieselfront.rulesets.dust_open.chapters import OpenReactions
from dieselfront.table.measured.shapes import distance

SCOUT = "Scout"
SUSTAINED_AS = {"attack": "sustained", "ranged-attack": "ranged-sustained"}
SUSTAINED = ("sustained", "ranged-sustained", "special:call-sustained-attack")


class BattleReactions(OpenReactions):
    """One unit may answer an enemy activation (bf.react.trigger)."""

    def moment(self, activation: Activation) -> int:
        """Before which action the enemy may react.

        bf.react.trigger, bf.react.vs_march, bf.react.three_actions, bf.react.not_vs_sustained, bf.react.not_vs_nothing,
        bf.open.reaction_sustained_three, bf.open.reaction_single_action, bf.open.charge_reaction,
        bf.open.reaction_first_nothing, bf.open.reaction_window. Stimulants have made of an action what it is by then
        (bf.command.attack_stimulants), and a scout's march is a single action (bf.skill.scout).
        """
        actions = list(activation.actions)
        declared = [action.removeprefix("free:") for action in actions]
        if not declared or (len(declared) == 1 and declared[0] != "march"):
            return NEVER
        plain = [self._stimulated(activation, action) for action in declared]
        weight = sum(self._cost(activation, action) for action in plain) - self._scouts(activation, plain)
        free_last = actions[-1].startswith("free:")
        if weight < 3 or free_last:
            if "march" in plain:
                return MID_MARCH
            if plain[-1] in SUSTAINED or plain[0] in SUSTAINED or plain[1] == "nothing":
                return NEVER
            return 1
        if plain[-1] in SUSTAINED or plain[-1] == "nothing":
            return NEVER
        return MID_MARCH if plain[-1] == "march" else len(plain) - 1

    def _cost(self, activation: Activation, action: str) -> int:
        if action.startswith("special:"):
            return 2 if action in SUSTAINED else 1
        return COSTS.get(action, 1)

    def _stimulated(self, activation: Activation, action: str) -> str:
        """What stimulants make of an action (bf.command.attack_stimulants, bf.command.move_stimulants)."""
        if activation.memory.get("sustain_attack"):
            return SUSTAINED_AS.get(action, action)
        return "march" if action == "move" and activation.memory.get("march_instead") else action

    def _scouts(self, activation: Activation, actions: list[str]) -> bool:
        """Is the march a scout's, which counts as a single action (bf.skill.scout)? So these are two, not three."""
        unit = activation.unit
        first = not unit.is_(HAS_ACTIVATED_EVER) and not activation.reactivation
        return first and actions[0] == "march" and activation.budget < 3 and unit.has(SCOUT)

    def splits_march(self, activation: Activation) -> bool:
        """Is the reaction to this activation due in the middle of its march?"""
        return self.moment(activation) == MID_MARCH

    def attempt(self, play: Play, unit: Unit, trigger: Unit) -> Procedure:
        """An attempt activates the unit: a hero may join it, and it rolls against its token first.

        bf.react.uses_activation, bf.open.under_fire_reaction.
        """
        hero = yield from play.rules.heroes.offer_join(play, unit)
        yield from super().attempt(play, unit, trigger)
        if hero is not None:
            play.rules.heroes.leave(play, unit, hero)

    def _bearings(self, play: Play, unit: Unit, headings: list[int]) -> list[int]:
        """Turning on the spot; a long hull may not end farther away (bf.react.two, bf.open.reaction_move_attack)."""
        trigger = play.state.by_id.get(play.state.interrupted)
        if trigger is None or unit.card.size == "standard":
            return headings
        ground, state = play.rules.ground, play.state
        theirs = ground.bodies(state, trigger)
        hull = ground.first(state, unit)
        now = min(distance(hull, body) for body in theirs)
        return [
            way for way in headings if min(distance(hull.at(hull.x, hull.y, way), body) for body in theirs) <= now
        ] or [unit.facing]
