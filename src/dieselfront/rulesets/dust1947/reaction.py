"""Reactions: one unit may answer an enemy activation (d47.reactive.*). Attacks live in attack.py."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import ANSWERED, Procedure
from dieselfront.kernel.meaning import NOTHING, About
from dieselfront.kernel.stakes import Stake
from dieselfront.rulesets.dust.events import Activated, Reacts
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.shots import Attack
from dieselfront.rulesets.dust.state import ACTED, ACTIVATED, HAS_ACTIVATED_EVER, NO_COVER, STIMULATED, STUNNED, Unit
from dieselfront.rulesets.dust1947.activation import ATTACKS, COSTS, LIMITED_ATTACKS, MOVEMENTS, Activation
from dieselfront.rulesets.dust1947.dice import ARMY, task
from dieselfront.rulesets.dust1947.playing import Play

REACTION_RANGE = 4
LONGEST_REACTION = 6  # with Advanced Reactive Fire
MID_MARCH = -1
NEVER = -2


class Reaction:
    """How a unit may try to react."""

    __slots__ = ("dice", "faces", "range")

    def __init__(self) -> None:
        self.range = REACTION_RANGE  # d47.reactive.range
        self.dice = 2  # d47.reactive.roll
        self.faces = ARMY


class Reactions:
    """Reactive attacks."""

    # -- when -----------------------------------------------------------------------------------

    def moment(self, activation: Activation) -> int:
        """Before which action the enemy may react; MID_MARCH inside a march, NEVER if nothing triggers it.

        d47.open.reactive_trigger_misprint, d47.open.reactive_three_actions_charge.
        """
        declared = activation.actions
        if (
            len(declared) == 1
            and not declared[0].endswith("march")
            and not activation.unit.is_aircraft
            and not activation.memory
        ):
            return NEVER
        actions = [action.removeprefix("free:") for action in declared]
        if activation.memory.get("march_instead"):  # d47.command.stimulants_use
            actions = ["march" if action == "move" else action for action in actions]
        if "march" in actions:  # d47.reactive.trigger_march
            option = activation.play.state.options.get("reactive_three_actions_charge", "mid_march")
            return MID_MARCH if option == "mid_march" or len(actions) < 3 else len(actions) - 1
        moves = [place for place, action in enumerate(actions) if action in MOVEMENTS]
        fights = [place for place, action in enumerate(actions) if self._is_attack(action)]
        if moves and fights:  # d47.reactive.trigger_move_attack, d47.reactive.trigger_attack_move
            weight = sum(COSTS.get(action, 1) for action in actions)
            if weight >= 3 and self._late(activation):  # d47.reactive.timing
                return min(2, len(actions) - 1)
            return min(moves[0], fights[0]) + 1
        if moves and activation.unit.is_aircraft and self._aircraft_trigger(activation):
            return moves[0] + 1
        return NEVER

    def _is_attack(self, action: str) -> bool:
        """Attacks of every kind, calls for artillery fire included."""
        return action in ATTACKS or action in LIMITED_ATTACKS or action.endswith("-attack")

    def _late(self, activation: Activation) -> bool:
        return bool(activation.play.state.options.get("reactive_three_actions_charge", "mid_march") == "mid_march")

    def _aircraft_trigger(self, activation: Activation) -> bool:
        """An aircraft's compulsory move triggers too (d47.open.reactive_other_actions)."""
        option = activation.play.state.options.get("reactive_other_actions", "aircraft_always")
        return option == "aircraft_always" and bool(ask(activation.unit.effects, "on_must_move", True, activation.unit))

    # -- who ------------------------------------------------------------------------------------

    def may_react(self, play: Play, unit: Unit) -> bool:
        """Only a unit that has taken no action this turn, never an aircraft.

        d47.reactive.eligible, d47.reactive.no_aircraft.
        """
        if unit.flags & (ACTIVATED | ACTED) or unit.is_aircraft:
            return False
        return unit.on_board or bool(play.rules.transport.passenger_may_react(play, unit))

    def could_react(self, play: Play, mover: Unit, distance: int) -> bool:
        """Might any enemy react to this unit after a move of so many squares?"""
        ground = play.rules.ground
        return any(
            unit.side != mover.side
            and self.may_react(play, unit)
            and (not unit.on_board or ground.near(play.state, unit, mover, distance + LONGEST_REACTION + 1))
            for unit in play.state.units
        )

    def reactors(self, play: Play, trigger: Unit) -> list[Unit]:
        """Enemy units that may try now: eligible and within range (d47.open.reactive_no_line)."""
        ground = play.rules.ground
        reactors = []
        for unit in play.state.units:
            if unit.side == trigger.side or not self.may_react(play, unit):
                continue
            place = play.rules.transport.carrier_or_self(play, unit)
            if ground.near(play.state, place, trigger, self.reaction(unit).range):
                reactors.append(unit)
        return reactors

    def reaction(self, unit: Unit) -> Reaction:
        """Range, dice and faces of the unit's attempt; skills speak here."""
        reaction: Reaction = ask(unit.effects, "on_reaction", Reaction(), unit)
        return reaction

    # -- how ------------------------------------------------------------------------------------

    def offer(self, play: Play, trigger: Unit) -> Procedure:
        """One attempt per enemy activation (d47.reactive.one_per_activation).

        d47.open.reactive_roll_moment.
        """
        state = play.state
        if state.reacted or not trigger.alive or not trigger.on_board:
            return
        able = play.now(lambda: tuple(unit.id for unit in self.reactors(play, trigger)))
        if not able:
            return
        chosen = (
            yield ANSWERED
            if play.answered
            else PickOne(
                1 - trigger.side,
                "react",
                [None, *able],
                labels=lambda unit_id: "do not react" if unit_id is None else state.by_id[unit_id].name,
                text=f"React to {trigger.name}?",
                rule="d47.reactive.one_per_activation",
                unit=trigger.id,
                act="react",
                about=lambda unit_id: (
                    NOTHING if unit_id is None else About(act="react", unit=unit_id, targets=(trigger.id,))
                ),
                stakes=lambda unit_id: [] if unit_id is None else self.stakes(play, state.by_id[unit_id], trigger),
            )
        )
        if chosen is None:
            return
        state.reacted = True
        state.interrupted = trigger.id
        yield from self.attempt(play, state.by_id[chosen], trigger)
        state.interrupted = ""

    def stakes(self, play: Play, unit: Unit, trigger: Unit) -> list[Stake]:
        """What a reaction would roll: an ATTACK on one success, a SUSTAINED ATTACK on two, each with its chance.

        d47.reactive.one_success, d47.reactive.two_successes.
        """
        stakes = []
        for sustained, chance in zip((False, True), self.chances(unit), strict=True):
            attack = self.attack(play, unit, trigger, sustained)
            for stake in play.rules.attacks.everything_at(play, attack, trigger) if chance else ():
                stakes.append(stake._replace(act="react", chance=chance, left=None))
        return stakes

    def chances(self, unit: Unit) -> tuple[float, float]:
        """The chances of one success, and of two or more, of an attempt to react."""
        chance = float(task("reaction", "d47.reactive.roll", self.reaction(unit).faces).chance())
        dice = self.dice(unit)
        none = (1.0 - chance) ** dice
        one = dice * chance * (1.0 - chance) ** (dice - 1)
        return (one, max(0.0, 1.0 - none - one) if dice > 1 else 0.0) if unit.on_board else (1.0 - none, 0.0)

    def dice(self, unit: Unit) -> int:
        """Two dice, one for the suppressed or stunned.

        d47.attack.suppress.reactive_one_die, d47.skill.stunned_reaction.
        """
        return 1 if unit.suppressed or unit.stunned else self.reaction(unit).dice

    def attack(self, play: Play, unit: Unit, trigger: Unit, sustained: bool) -> Attack:
        """The attack of a reaction: at the trigger only, from afar (d47.open.reactive_target, d47.reactive.no_cc)."""
        attack: Attack = play.rules.activations.plain_attack(play, unit)
        attack.sustained = sustained
        attack.reactive = True
        attack.only = trigger.id
        attack.close_allowed = False
        return attack

    def attempt(self, play: Play, unit: Unit, trigger: Unit) -> Procedure:
        """The attempt is the unit's activation, whatever comes of it (d47.reactive.uses_activation).

        d47.reactive.no_success.
        """
        unit.set(ACTIVATED | ACTED | HAS_ACTIVATED_EVER)
        unit.drop(STIMULATED | NO_COVER)  # d47.open.stimulants_reaction, d47.wire.cross
        play.emit(Activated("d47.reactive.uses_activation", unit.id))
        play.emit(Reacts("d47.reactive.roll", unit.id, trigger.id))
        yield from play.rules.criticals.burn(play, unit)
        if not unit.alive:
            return
        # d47.attack.suppress.reactive_roll, d47.open.reactive_underfire
        yield from play.rules.suppression.recover(play, unit)
        successes = yield from self.roll(play, unit)
        if successes:
            yield from self._shoot(play, unit, trigger, successes)

    def roll(self, play: Play, unit: Unit) -> Generator[Any, Any, int]:
        """The attempt: every ARMY is a success unless a skill says otherwise (d47.reactive.roll)."""
        throw = task("reaction", "d47.reactive.roll", self.reaction(unit).faces)
        thrown = yield from play.throw(throw, self.dice(unit), unit.side, unit.id)
        play.rules.suppression.drop(play, unit, STUNNED, "d47.skill.stunned_reaction")
        return thrown.successes

    def _shoot(self, play: Play, unit: Unit, trigger: Unit, successes: int) -> Procedure:
        """One success: ATTACK. Two: SUSTAINED ATTACK, or turn and ATTACK.

        d47.reactive.one_success, d47.reactive.two_successes.
        """
        sustained = False
        if successes >= 2 and unit.on_board:
            turns = self._may_turn(play, unit)
            options = ["sustained", "turn and attack"] if turns else ["sustained"]
            choice = yield PickOne(
                unit.side,
                "reaction-attack",
                options,
                text=f"{unit.name}: sustained attack, or turn first?",
                rule="d47.reactive.two_successes",
                unit=unit.id,
            )
            sustained = choice == "sustained"
            if not sustained:
                yield from self._turn(play, unit)
        attack = self.attack(play, unit, trigger, sustained)
        activation = Activation(play, unit)
        attack.flags["activation"] = activation
        yield from play.rules.attacks.run(play, attack)
        play.rules.activations.tell_done(activation, "sustained" if sustained else "attack")

    def _may_turn(self, play: Play, unit: Unit) -> bool:
        """Facing matters only to vehicles, and an immobilized one cannot turn (d47.open.immobilized_turn)."""
        return unit.is_vehicle and any(play.rules.movement.may_move(play, unit))

    def _turn(self, play: Play, unit: Unit) -> Procedure:
        """The MOVE of a reaction only turns in place (d47.reactive.rotate_only)."""
        ground = play.rules.ground
        stance = (ground.stance(unit), unit.facing) if unit.card.size == "standard" else ground.stance(unit)
        table, state = play.state.table, play.state
        stances = play.now(lambda: list(table.rotations(ground.mover(unit), stance, ground.occupancy(state, unit))))
        spot, facing = yield PickOne(
            unit.side,
            "turn",
            stances,
            labels=lambda s: f"{play.state.table.name(s[0])} facing {'NESW'[s[1]]}",
            text=f"{unit.name}: turn to face",
            rule="d47.reactive.rotate_only",
            unit=unit.id,
        )
        play.rules.movement._turn(play, unit, spot if unit.card.size == "standard" else (spot, facing), facing)


__all__ = ["MID_MARCH", "NEVER", "Attack", "Reaction", "Reactions"]
