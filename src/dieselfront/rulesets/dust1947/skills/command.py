"""Skills that give orders, or change how orders work (d47.skill.officer, .general_*, .follow_me, .medevac, ...)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from dieselfront.dice import Throw
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.dust.events import Happened
from dieselfront.rulesets.dust.hooks import Skill
from dieselfront.rulesets.dust.state import ACTED, DOUBLE_TIME, REACTIVATED, Unit
from dieselfront.rulesets.dust1947.activation import Activation, Menu
from dieselfront.rulesets.dust1947.command import NOBODY
from dieselfront.rulesets.dust1947.dice import ARMY, task
from dieselfront.rulesets.dust1947.playing import Play

FOLLOW_ME_RANGE = 2
FOLLOW_ME_MOVE = 2
OFFICER_ORDERS = ("rally", "get-moving", "ammo-drop")
ONE_DIE_ORDERS = ("get moving", "ammo drop")


class Deed(NamedTuple):
    """A special action that a skill grants."""

    name: str
    perform: Callable[[Activation], Procedure]
    cost: int = 1
    once: str = ""


class Leader(Skill):
    """Marks a unit that may give command actions; command.py knows which."""

    def on_leads(self) -> None:
        """A mark."""


class Officer(Leader):
    """A hero who gives officer orders (d47.skill.officer)."""

    name, rule = "Officer", "d47.skill.officer"


class CommandSquad(Leader):
    """Officer, medic and mechanic orders through the squad's soldiers; command.py reads it.

    d47.skill.command_squad.
    """

    name, rule = "Command Squad", "d47.skill.command_squad"


class Mechanic(Leader):
    """May repair vehicles, not itself, not while mounted; command.py reads it (d47.skill.mechanic)."""

    name, rule = "Mechanic", "d47.skill.mechanic"


class CombatMedic(Leader):
    """A hero who gives the medic's orders, also to the unit he joined (d47.open.skills_not_in_source)."""

    name, rule = "Combat Medic", "d47.open.skills_not_in_source"


class CommandVehicle(Skill):
    """Lends its passengers a radio operator (d47.skill.command_vehicle_radio) and a second try."""

    name, rule = "Command Vehicle", "d47.skill.command_vehicle_radio"

    def on_lends_radio(self) -> None:
        """A mark."""


class Jammer(Skill):
    """Spoils enemy radio traffic within range 6; command.py asks for it (d47.skill.jammer_radio)."""

    name, rule = "Jammer", "d47.skill.jammer_radio"

    def on_jams(self) -> None:
        """A mark."""


class GeneralFreeOrder(Leader):
    """One officer order for nothing in every activation, within the cap of three (d47.skill.general_free_order)."""

    name, rule = "General", "d47.skill.general_free_order"

    def on_actions(self, menu: Menu, activation: Activation) -> Menu:
        orders = [name for name in OFFICER_ORDERS if name in menu.specials]
        for sequence in list(menu.sequences):
            for order in orders:
                for place in range(len(sequence) + 1):
                    menu.add((*sequence[:place], f"free:special:{order}", *sequence[place:]))
        return menu


class GeneralTwoDice(Skill):
    """With an officer in the unit he joined, one-die orders roll two; one success is enough.

    d47.skill.general_two_dice.
    """

    name, rule = "General", "d47.skill.general_two_dice"

    def on_command_roll(self, roll: tuple[Throw, int], order: str, unit: Unit, play: Play) -> tuple[Throw, int]:
        joined = any(part.card.has("Command Squad") for part in unit.parts if part.card.id != self.bearer)
        return (roll[0], 2) if joined and order in ONE_DIE_ORDERS else roll


class DesertFox(Skill):
    """Units he makes act again have At the Double for it (d47.skill.desert_fox)."""

    name, rule = "Desert Fox", "d47.skill.desert_fox"

    def on_reactivates(self, play: Play, officer: Unit, unit: Unit) -> None:
        unit.set(DOUBLE_TIME)
        play.emit(Happened(self.rule, f"{unit.name} has At the Double for this activation", unit.id))


class FollowMe(Skill):
    """Once per turn: infantry of armour 1 or 2 near him may dash two squares each (d47.skill.follow_me)."""

    name, rule = "Follow Me", "d47.skill.follow_me"

    def on_specials(self, specials: dict[str, Any], unit: Unit, play: Play) -> dict[str, Any]:
        return self.on_specials_ahead(specials, unit, play, 0) if unit.on_board else specials

    def on_specials_ahead(self, specials: dict[str, Any], unit: Unit, play: Play, ahead: int) -> dict[str, Any]:
        if "follow-me" not in play.state.sides[unit.side].used and self.followers(play, unit, ahead):
            specials["follow-me"] = Deed("follow-me", self.perform, once=self.rule)
        return specials

    def followers(self, play: Play, unit: Unit, ahead: int = 0) -> list[Unit]:
        near = play.rules.command.in_voice(play, unit, "follow-me", FOLLOW_ME_RANGE, ahead)
        return [other for other in near if other is not unit and other.is_infantry and other.card.armour <= 2]

    def perform(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        side = play.state.sides[unit.side]
        if "follow-me" in side.used:
            return
        side.used += ("follow-me",)
        followers = self.followers(play, unit) if unit.on_board else []
        if not followers:
            activation.lost("follow me", NOBODY)
        for other in followers:
            thrown = yield from play.throw(task("follow me", self.rule), 1, unit.side, other.id)
            if thrown.successes:
                yield from self.dash(play, other)

    def dash(self, play: Play, other: Unit) -> Procedure:
        """A move of up to two squares that is no activation and triggers nothing (d47.open.follow_me_action)."""
        movement = play.rules.movement
        reach = movement.reach(play, other, FOLLOW_ME_MOVE, "move")
        spot, _ = yield from movement.where_to(play, other, reach, "follow-me-move")
        if spot != other.place:
            other.set(ACTED)
            yield from movement.go(Activation(play, other), reach, spot, None)


class Medevac(Skill):
    """Soldiers lost by an infantry unit within range 1 come back on ARMY, a die each (d47.skill.medevac)."""

    name, rule = "Medevac", "d47.skill.medevac"

    def on_specials(self, specials: dict[str, Any], unit: Unit, play: Play) -> dict[str, Any]:
        return self.on_specials_ahead(specials, unit, play, 0) if unit.on_board else specials

    def on_specials_ahead(self, specials: dict[str, Any], unit: Unit, play: Play, ahead: int) -> dict[str, Any]:
        if self.patients(play, unit, ahead):
            specials["medevac"] = Deed("medevac", self.perform)
        return specials

    def patients(self, play: Play, unit: Unit, ahead: int = 0) -> list[Unit]:
        command = play.rules.command
        near = [u for u in command.in_voice(play, unit, "medevac", 1, ahead) if u.is_infantry]
        return [other for other in near if any(part.squad for part in command.wounds(other))]

    def perform(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        command = play.rules.command
        able = self.patients(play, unit) if unit.on_board else []
        if not able:
            activation.lost("medevac", NOBODY)
            return
        chosen = yield from command.choose(activation, "medevac", able, self.rule, "which unit?")
        for part in [part for part in command.wounds(chosen) if part.squad]:
            lost = len(part.card.soldiers) - len(part.alive)
            thrown = yield from play.throw(task("medevac", self.rule), lost, unit.side, unit.id)
            yield from command.heal(play, chosen, part, thrown.successes, self.rule)


class AirTrafficControl(Skill):
    """On ARMY an aircraft that has acted flies again; the controller's activation ends.

    d47.skill.air_traffic_control.
    """

    name, rule = "Air Traffic Control", "d47.skill.air_traffic_control"

    def on_specials(self, specials: dict[str, Any], unit: Unit, play: Play) -> dict[str, Any]:
        if self.aircraft(play, unit):
            specials["air-traffic-control"] = Deed("air-traffic-control", self.perform)
        return specials

    def aircraft(self, play: Play, unit: Unit) -> list[Unit]:
        return [
            other
            for other in play.state.on_board(unit.side)
            if other.is_aircraft and other is not unit and other.activated and not other.is_(REACTIVATED)
        ]

    def perform(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        able = self.aircraft(play, unit)
        if not able:
            return
        command = play.rules.command
        chosen = yield from command.choose(activation, "air-traffic-control", able, self.rule, "which aircraft?")
        successes = yield from command.roll(activation, "air traffic control", self.rule, ARMY, True)
        if successes:  # d47.open.atc_ends_activation
            yield from command.reactivate(activation, chosen, self.rule)


class AirAlert(Skill):
    """On ARMY every friendly vehicle hits a spotted aircraft on TARGET too for the rest of the turn.

    d47.skill.air_alert.
    """

    name, rule = "Air Alert", "d47.skill.air_alert"

    def on_specials(self, specials: dict[str, Any], unit: Unit, play: Play) -> dict[str, Any]:
        return self.on_specials_ahead(specials, unit, play, 0) if unit.on_board else specials

    def on_specials_ahead(self, specials: dict[str, Any], unit: Unit, play: Play, ahead: int) -> dict[str, Any]:
        if self.spotted(play, unit, ahead):
            specials["air-alert"] = Deed("air-alert", self.perform)
        return specials

    def spotted(self, play: Play, unit: Unit, ahead: int = 0) -> list[Unit]:
        """Aircraft in sight; what a unit sees after a movement nobody knows yet."""
        side = play.state.sides[unit.side]
        return [
            other
            for other in play.state.on_board(1 - unit.side)
            if other.is_aircraft
            and f"alert:{other.id}" not in side.used
            and (ahead or play.rules.ground.sees(play.state, unit, other))
        ]

    def perform(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        able = self.spotted(play, unit) if unit.on_board else []
        if not able:
            activation.lost("air alert", "no aircraft is in sight")
            return
        command = play.rules.command
        chosen = yield from command.choose(activation, "air-alert", able, self.rule, "which aircraft?")
        thrown = yield from play.throw(task("air alert", self.rule), 1, unit.side, unit.id)
        if thrown.successes:
            play.state.sides[unit.side].used += (f"alert:{chosen.id}",)
            play.emit(Happened(self.rule, f"All vehicles are on the alert for {chosen.name}", chosen.id))


ALL: list[type[Skill]] = [
    Officer,
    CommandSquad,
    Mechanic,
    CombatMedic,
    CommandVehicle,
    Jammer,
    GeneralFreeOrder,
    GeneralTwoDice,
    DesertFox,
    FollowMe,
    Medevac,
    AirTrafficControl,
    AirAlert,
]
