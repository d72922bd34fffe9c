"""Activations: heroes join, tokens are rolled off, aces roll, all actions are declared (bf.turn.*, bf.action.*)."""

from __future__ import annotations

from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Play, Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.battlefield.flags import ATTACK_STIMULANTS, IDLE, MARCHED, MOVE_STIMULANTS
from dieselfront.rulesets.battlefield.playing import battle_rules
from dieselfront.rulesets.dust.events import Activated, Happened
from dieselfront.rulesets.dust.state import (
    ABOARD,
    ACTED,
    ACTIVATED,
    DRIVEN,
    HAS_ACTIVATED_EVER,
    OFF_BOARD,
    ON_BOARD,
    RESERVE,
    Unit,
)
from dieselfront.rulesets.dust1947.activation import Activation, Activations, Menu

HERO = "hero"
"""In the memory of an activation: the id of the hero who joined for it."""


class BattleActivations(Activations):
    """What an activated unit does: two actions, never more than three (bf.turn.two_actions, bf.action.max_three).

    Which actions go together is as in Dust 1947 (bf.action.combination, bf.action.third_action_use,
    bf.open.split_double, bf.open.free_action_cap, bf.turn.declare_actions).
    """

    def run(self, play: Play, unit: Unit, *, reactivation: bool = False, outermost: bool = False) -> Procedure:
        """The whole activation, in the order of bf.open.activation_order."""
        activation = Activation(play, unit, reactivation)
        activation.outermost = outermost
        play.state.reacted = False
        unit.set(ACTIVATED | ACTED)
        unit.drop(MARCHED)
        play.emit(Activated("bf.turn.first_activation", unit.id))
        yield from self.prepare(activation)
        if unit.alive and not activation.ended:
            yield from self.declare(activation)
            yield from self.carry_out(activation, 0, play.rules.reactions.moment(activation))
        yield from self.finish(activation)

    def prepare(self, activation: Activation) -> Procedure:
        """1 arrival and joining, 2 rally, 3 third actions and stimulants."""
        play, unit = activation.play, activation.unit
        if unit.is_(IDLE):
            play.emit(Happened("bf.pilot.empty_vehicle", f"{unit.name} waits for its pilot", unit.id))
            activation.ended = True
            return
        if unit.status in (RESERVE, OFF_BOARD):
            yield from battle_rules(play).reserves.arrive(activation)
            if activation.ended:
                return
        if not activation.reactivation and HERO not in activation.memory:
            hero = yield from battle_rules(play).heroes.offer_join(play, unit)
            if hero is not None:
                activation.memory[HERO] = hero.id
        yield from play.rules.suppression.recover(play, unit)
        if play.rules.suppression.must_do_nothing(unit):  # bf.supp.lost_action, bf.hero.shares_suppression
            activation.nothing_first = True
        for answer in unit.effects.get("on_activation", ()):
            yield from answer(activation)
        yield from self.use_stimulants(activation)

    def use_stimulants(self, activation: Activation) -> Procedure:
        """Both tokens go, used or not, and one of them works.

        bf.command.attack_stimulants, bf.command.move_stimulants, bf.open.two_stimulants.
        """
        play, unit = activation.play, activation.unit
        held = [
            (name, flag) for name, flag in (("attack", ATTACK_STIMULANTS), ("move", MOVE_STIMULANTS)) if unit.is_(flag)
        ]
        unit.drop(ATTACK_STIMULANTS | MOVE_STIMULANTS)
        if not held:
            return
        effect = held[0][0]
        if len(held) > 1:
            effect = yield PickOne(
                unit.side,
                "stimulants-effect",
                [name for name, _ in held],
                text=f"{unit.name}: which stimulants work?",
                rule="bf.open.two_stimulants",
                unit=unit.id,
                act="choose",
                about=lambda name: About(unit=unit.id),
            )
        attack = effect == "attack"
        activation.memory["sustain_attack" if attack else "march_instead"] = True
        activation.budget = min(activation.budget, 2)
        words = "its ATTACK is sustained" if attack else "its MOVE is a MARCH MOVE"
        rule = "bf.command.attack_stimulants" if attack else "bf.command.move_stimulants"
        play.emit(Happened(rule, f"{unit.name} is stimulated: {words}", unit.id))

    def finish(self, activation: Activation) -> Procedure:
        """The end of an activation: its hero goes his own way (bf.hero.join)."""
        play, unit = activation.play, activation.unit
        if unit.status in (ON_BOARD, ABOARD):  # NOTHING off the table is no action (bf.open.scout_reserve)
            unit.set(HAS_ACTIVATED_EVER)
        unit.drop(DRIVEN)
        hero = activation.memory.get(HERO)
        if hero is not None:
            battle_rules(play).heroes.leave(play, unit, play.state.by_id[hero])
        yield from ()

    def menu(self, activation: Activation) -> Menu:
        """The legal sequences; the first turn of a meeting engagement allows less.

        bf.scenario.meeting_no_sustained, bf.scenario.meeting_aircraft.
        """
        menu = super().menu(activation)
        state, unit = activation.play.state, activation.unit
        if state.turn != 1 or state.scenario.arrival[unit.side] != "meeting":
            return menu
        for sequence in list(menu.sequences):
            if any("sustained" in action for action in sequence):
                menu.refused[sequence] = ("bf.scenario.meeting_no_sustained", "no SUSTAINED ATTACK in the first turn")
            elif unit.is_aircraft and any("attack" in action for action in sequence):
                menu.refused[sequence] = ("bf.scenario.meeting_aircraft", "aircraft do not attack in the first turn")
        menu.sequences = [sequence for sequence in menu.sequences if sequence not in menu.refused] or [()]
        return menu

    def tell_done(self, activation: Activation, action: str) -> None:
        """The last action of a unit decides whether it can take an objective (bf.objective.no_march)."""
        super().tell_done(activation, action)
        unit = activation.unit
        if action.removeprefix("free:") == "march":
            unit.set(MARCHED)
        elif action != "nothing":
            unit.drop(MARCHED)
