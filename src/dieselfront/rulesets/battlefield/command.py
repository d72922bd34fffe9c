"""Command squads: officers, radio operators, medics, mechanics (bf.command.*)."""

from __future__ import annotations

from typing import Any

from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Play, Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.battlefield.damage import WRECK
from dieselfront.rulesets.battlefield.faces import AMMO_DROP, ATTACK, MOVE
from dieselfront.rulesets.battlefield.flags import ATTACK_STIMULANTS, MOVE_STIMULANTS
from dieselfront.rulesets.battlefield.playing import battle_rules
from dieselfront.rulesets.dust.events import Happened
from dieselfront.rulesets.dust.state import ABOARD, LOST, RESERVE, Part, Unit
from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.rulesets.dust1947.command import MECHANIC, MEDIC, OFFICER, Order
from dieselfront.rulesets.dust1947.dice import ARMY, task
from dieselfront.rulesets.dust_open.chapters import OpenCommand

REINFORCED, REPLACED = "once reinforced", "once replaced"
"""Marks of a side that has used an order it has once a game."""


class BattleCommand(OpenCommand):
    """Orders and those who give them (bf.command.squad); superhumans take none (bf.superhuman.no_command)."""

    def _officer(self, specials: dict[str, Any], unit: Unit, play: Play, ahead: int) -> None:
        """Four orders and no RALLY (bf.command.no_rally); the die is rolled before anybody is chosen.

        bf.open.command_targets_range.
        """
        used = play.state.sides[unit.side].used
        lost = [other for other in play.state.units if other.side == unit.side and other.status == LOST]
        if self.to_supply(play, unit, ahead):
            specials["ammo-drop"] = Order("ammo-drop", "bf.command.ammo_drop", OFFICER, self.ammo_drop)
        if self.to_reactivate(play, unit, ahead):
            specials["get-moving"] = Order("get-moving", "bf.command.get_moving", OFFICER, self.get_moving)
        if REINFORCED not in used and any(self._may_return(other) for other in lost):
            specials["reinforcement"] = Order("reinforcement", "bf.command.reinforcements", OFFICER, self.reinforce)
        if REPLACED not in used and any(other.is_vehicle for other in lost):
            specials["replacement"] = Order("replacement", "bf.command.replacement_vehicle", OFFICER, self.replace)

    def _may_return(self, unit: Unit) -> bool:
        """Squads and support weapons, no heroes and no zombies (bf.open.zombie_reinforcement)."""
        return unit.card.kind in ("infantry", "support") and not unit.has("Zombie") and not unit.has("Strongpoint")

    def _medic(self, specials: dict[str, Any], unit: Unit, play: Play, ahead: int) -> None:
        if self.to_heal(play, unit, ahead):
            specials["get-up"] = Order("get-up", "bf.command.get_up", MEDIC, self.get_up)
        himself = unit.on_board and unit.is_infantry and self.may_receive("stimulants", unit)
        if himself or self.near_medic(play, unit, "stimulants", ahead):
            specials["inject"] = Order("inject", "bf.command.inject", MEDIC, self.inject)

    def _mechanic(self, specials: dict[str, Any], unit: Unit, play: Play, ahead: int) -> None:
        if self.to_repair(play, unit, ahead):
            specials["repair"] = Order("repair", "bf.command.makeshift_repair", MECHANIC, self.repair)

    def _may_command(self, play: Play, unit: Unit, role: str, ahead: int = 0) -> bool:
        """On the table, or riding in something that is."""
        return unit.on_board or unit.status == ABOARD

    def may_receive(self, order: str, unit: Unit) -> bool:
        return not unit.has("Superhuman") and super().may_receive(order, unit)

    def jammed(self, play: Play, unit: Unit) -> bool:
        """Nobody jams radios here."""
        return False

    def has_radio(self, play: Play, unit: Unit) -> bool:
        """The squad's operator, an officer of armour 3 or 4, or a vehicle's.

        bf.command.radio, bf.vehicle.command_radio.
        """
        carrier = play.state.by_id.get(unit.aboard) if unit.status == ABOARD else None
        if not unit.is_infantry:
            return True
        for part in unit.parts:
            if part.left <= 0 or not part.card.has("Command Squad"):
                continue
            if self.soldier(part, "radio") or (part.card.armour >= 3 and self.soldier(part, OFFICER)):
                return True
            if carrier is not None and "on_lends_radio" in carrier.effects:
                return True
        return False

    # -- the officer ----------------------------------------------------------------------------

    def _reactivable(self, play: Play, unit: Unit, radio: bool, ahead: int = 0) -> list[Unit]:
        """Units that have activated, once a turn each (bf.command.get_moving, bf.command.get_moving_limit)."""

        def wanted(other: Unit) -> bool:
            return other is not unit and other.activated and not other.is_(1 << 7)

        if radio:
            return self.by_radio(play, unit, "get-moving", wanted)
        return self.in_voice(play, unit, "get-moving", ahead=ahead, wanted=wanted)

    def to_supply(self, play: Play, unit: Unit, ahead: int = 0) -> list[Unit]:
        return self.in_hearing(play, unit, "ammo-drop", ahead, self.spent_ammo)

    def to_heal(self, play: Play, unit: Unit, ahead: int = 0) -> list[Unit]:
        if not any(other.is_infantry and self.wounds(other) for other in play.state.on_board(unit.side)):
            return []
        return super().to_heal(play, unit, ahead)

    def ammo_drop(self, activation: Activation) -> Procedure:
        """On ARMY or TARGET a unit's ammo boxes are cleared (bf.command.ammo_drop, bf.open.officer_range)."""
        play, unit = activation.play, activation.unit
        rule = "bf.command.ammo_drop"
        successes = yield from self.roll(activation, "ammo drop", rule, AMMO_DROP, False)
        able = self.to_supply(play, unit)
        if successes and able:
            chosen = yield from self.choose(activation, "ammo-drop", able, rule, "who gets ammunition?")
            self.refill(play, chosen, rule)

    def get_moving(self, activation: Activation) -> Procedure:
        """On ARMY another unit acts again at once; failure ends nothing.

        bf.command.get_moving, bf.open.failed_command_rest.
        """
        play, unit = activation.play, activation.unit
        rule = "bf.command.get_moving"
        successes = yield from self.roll(activation, "get moving", rule, ARMY, False)
        able = self.to_reactivate(play, unit)
        if successes and able:
            chosen = yield from self.choose(activation, "get-moving", able, rule, "who acts again?")
            yield from self._send(activation, chosen, rule)

    def _send(self, activation: Activation, chosen: Unit, rule: str) -> Procedure:
        """The officer's activation ends and the other's begins; his hero leaves him first."""
        play = activation.play
        hero = activation.memory.pop("hero", None)
        if hero is not None:
            battle_rules(play).heroes.leave(play, activation.unit, play.state.by_id[hero])
        yield from self.reactivate(activation, chosen, rule)

    def reinforce(self, activation: Activation) -> Procedure:
        """On ARMY a lost squad or support weapon comes back fresh, once a game.

        bf.command.reinforcements, bf.command.reinforcements_once.
        """
        yield from self._fresh(activation, "bf.command.reinforcements", REINFORCED, self._may_return)

    def replace(self, activation: Activation) -> Procedure:
        """On ARMY a lost vehicle is replaced and its wreck taken away.

        bf.command.replacement_vehicle, bf.command.replacement_once.
        """
        yield from self._fresh(activation, "bf.command.replacement_vehicle", REPLACED, lambda unit: unit.is_vehicle)

    def _fresh(self, activation: Activation, rule: str, mark: str, may: Any) -> Procedure:
        play, unit = activation.play, activation.unit
        successes = yield from self.roll(activation, rule.rpartition(".")[2].replace("_", " "), rule, ARMY, False)
        lost = [other for other in play.state.units if other.side == unit.side and other.status == LOST and may(other)]
        if not successes or not lost:
            return
        chosen = yield from self.choose(activation, "fresh", lost, rule, "which unit comes back?")
        play.state.sides[unit.side].used += (mark,)
        self._renew(play, chosen)
        play.emit(Happened(rule, f"{chosen.name} comes back", chosen.id))
        hero = activation.memory.pop("hero", None)
        if hero is not None:
            battle_rules(play).heroes.leave(play, unit, play.state.by_id[hero])
        activation.ended = True
        yield from play.rules.activations.run(play, chosen, reactivation=True)

    def _renew(self, play: Play, unit: Unit) -> None:
        """Full strength, full ammo, ready to enter like reserves without a roll (bf.open.reinforcement_entry)."""
        if unit.is_vehicle:
            marks = [mark for mark in play.state.sides[unit.side].used if mark.startswith(f"{WRECK}{unit.id} ")]
            places = tuple(int(mark.rpartition(" ")[2]) for mark in marks)
            play.state.table = play.state.table.clearing("wreck", places)
        unit.parts = [Part(unit.main.card)]
        unit.flags, unit.fallen, unit.held_by, unit.aboard = 0, (), "", ""
        unit.status = RESERVE
        play.rules.index(unit)

    # -- the medic ------------------------------------------------------------------------------

    def inject(self, activation: Activation) -> Procedure:
        """A unit is chosen, then the die: ARMY either token, TARGET attack, SHIELD move (bf.command.inject)."""
        play, unit = activation.play, activation.unit
        rule = "bf.command.inject"
        able = self.near_medic(play, unit, "stimulants")
        if not able:
            return
        chosen = yield from self.choose(activation, "inject", able, rule, "who gets stimulants?")
        thrown = yield from play.throw(task("inject", rule), 1, unit.side, unit.id)
        face = thrown.stages[0][1][0]
        effect = {ATTACK: "attack", MOVE: "move"}.get(face, "")
        if not effect:
            effect = yield PickOne(
                unit.side,
                "inject-token",
                ["attack", "move"],
                text="Attack or Move Stimulants?",
                rule=rule,
                unit=chosen.id,
                act="support",
                about=lambda name: About(act="support", unit=unit.id, targets=(chosen.id,)),
            )
        chosen.set(ATTACK_STIMULANTS if effect == "attack" else MOVE_STIMULANTS)
        play.emit(Happened(rule, f"{chosen.name} has {effect} stimulants", chosen.id))

    # -- the mechanic ---------------------------------------------------------------------------

    def to_repair(self, play: Play, unit: Unit, ahead: int = 0) -> list[Unit]:
        """Damaged vehicles within range 1 and sight (bf.command.makeshift_repair, bf.vehicle.mechanic)."""

        def wanted(other: Unit) -> bool:
            return other is not unit and not other.is_infantry and bool(other.main.damage)

        return self.in_voice(play, unit, "repair", 1, ahead, wanted)

    def mend(self, activation: Activation, vehicle: Unit) -> Procedure:
        """Five dice, every ARMY takes a point off; a command vehicle rolls all again after none.

        bf.command.makeshift_repair, bf.open.command_reroll_repair.
        """
        play, unit = activation.play, activation.unit
        rule = "bf.command.makeshift_repair"
        thrown = yield from play.throw(task("repair", rule), 5, unit.side, unit.id)
        mounted = unit.status == ABOARD and play.state.by_id[unit.aboard].has("Command Vehicle")
        if not thrown.successes and mounted:
            again = task("repair", "bf.vehicle.command_reroll")
            thrown = yield from play.throw(again, 5, unit.side, unit.id)
        yield from self.heal(play, vehicle, vehicle.main, thrown.successes, rule)
