"""More actions and better moves: aces, scouts, At the Double, Move and Fire, raids, smoke, camouflage, dozers."""

from __future__ import annotations

from typing import Any

from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.dust.events import TokenGained
from dieselfront.rulesets.dust.hooks import Skill
from dieselfront.rulesets.dust.shots import Attack, Shot
from dieselfront.rulesets.dust.state import (
    CAMOUFLAGED,
    DUG_IN,
    HAS_ACTIVATED_EVER,
    JINKING,
    REACTIVATED,
    TOKEN_NAMES,
    Unit,
)
from dieselfront.rulesets.dust1947.activation import MOST_ACTIONS, Activation, Menu, SpecialAction
from dieselfront.rulesets.dust1947.dice import ARMY, TARGET, task
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.rulesets.dust1947.skills.common import is_pilot, is_spent, spend

SEEN_WITHIN = 2  # a camouflaged unit can be attacked from here


# -- a third action -------------------------------------------------------------------------------


class Ace(Skill):
    """One die when the unit activates: on ARMY or TARGET it has a third action.

    d47.open.activation_limit_with_three.
    """

    def on_activation(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        if self.applies(unit):
            thrown = yield from play.throw(task(self.name.lower(), self.rule, ARMY | TARGET), 1, unit.side, unit.id)
            if thrown.successes:
                activation.budget = min(MOST_ACTIONS, activation.budget + 1)

    def applies(self, unit: Unit) -> bool:
        return True


class InfantryAce(Ace):
    """The hero and the unit he joined may have a third action (d47.skill.infantry_ace)."""

    name = "Infantry Ace"
    rule = "d47.skill.infantry_ace"


class AcePilot(Ace):
    """The vehicle this hero pilots may have a third action (d47.skill.ace_pilot)."""

    name = "Ace Pilot"
    rule = "d47.skill.ace_pilot"
    shared = False

    def applies(self, unit: Unit) -> bool:
        return unit.is_vehicle and is_pilot(unit, self.bearer)


class AceAirPilot(Ace):
    """The aircraft this hero pilots may have a third action (d47.skill.ace_air_pilot)."""

    name = "Ace Air Pilot"
    rule = "d47.skill.ace_air_pilot"
    shared = False

    def applies(self, unit: Unit) -> bool:
        return unit.is_aircraft and is_pilot(unit, self.bearer)


class Scout(Skill):
    """A third action in its first activation, if that begins with a MARCH MOVE (d47.skill.scout)."""

    name = "Scout"
    rule = "d47.skill.scout"

    def on_actions(self, menu: Menu, activation: Activation) -> Menu:
        if not activation.unit.is_(HAS_ACTIVATED_EVER) and not activation.reactivation and menu.budget >= 2:
            for sequence in menu.within(3):
                if sequence and sequence[0] == "march":
                    menu.add(sequence)
        return menu


# -- free actions ---------------------------------------------------------------------------------


class AtTheDouble(Skill):
    """A free MOVE right after a MARCH MOVE (d47.skill.at_the_double)."""

    name = "At the Double"
    rule = "d47.skill.at_the_double"

    def on_actions(self, menu: Menu, activation: Activation) -> Menu:
        menu.follow("march", "free:move")
        return menu


class MoveAndFire(Skill):
    """A free MOVE beside a ranged SUSTAINED ATTACK, or a free ranged ATTACK beside a MARCH MOVE.

    d47.skill.move_and_fire.
    """

    name = "Move and Fire"
    rule = "d47.skill.move_and_fire"

    def on_actions(self, menu: Menu, activation: Activation) -> Menu:
        move, march, armed, attack_now, _ = menu.basis
        if menu.budget < 2 or not armed:
            return menu
        if move:
            menu.add(("free:move", "ranged-sustained"))
            if attack_now:
                menu.add(("ranged-sustained", "free:move"))
        if march:
            menu.add(("march", "free:ranged-attack"))
            if attack_now:
                menu.add(("free:ranged-attack", "march"))
        return menu


class Raid(Skill):
    """A vehicle may spend its whole activation on MOVE, ATTACK, MOVE (d47.skill.raid)."""

    name = "Raid"
    rule = "d47.skill.raid"

    def on_actions(self, menu: Menu, activation: Activation) -> Menu:
        move, _, armed, _, _ = menu.basis
        if move and armed and not activation.nothing_first and activation.unit.on_board:
            menu.specials["raid"] = RaidAction()
            menu.add(("special:raid",))
        return menu


class RaidAction(SpecialAction):
    """RAID: the enemy may react once the first MOVE is done (d47.reactive.trigger_raid)."""

    name = "raid"
    cost = 3

    def perform(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        unit.set(REACTIVATED)  # it cannot be reactivated this turn
        for place, action in enumerate(("move", "attack", "move")):
            if place == 1:
                yield from play.rules.reactions.offer(play, unit)
            if activation.ended or not unit.alive or not unit.on_board:
                return
            yield from play.rules.activations.perform(activation, action)


class SmokeLaunchers(Skill):
    """Once per game, free: smoke on one of its squares and three more that make a block (d47.skill.smoke_launchers)."""

    name = "Smoke Launchers"
    rule = "d47.skill.smoke_launchers"

    def on_specials(self, specials: dict[str, Any], unit: Unit, play: Play) -> dict[str, Any]:
        return self.on_specials_ahead(specials, unit, play, 0) if unit.on_board else specials

    def on_specials_ahead(self, specials: dict[str, Any], unit: Unit, play: Play, ahead: int) -> dict[str, Any]:
        if not is_spent(unit, self.name):
            specials["launch-smoke"] = LaunchSmoke()
        return specials


class LaunchSmoke(SpecialAction):
    """LAUNCH SMOKE: the screen lasts as long as artillery smoke (d47.open.smoke_launcher_duration)."""

    name = "launch-smoke"
    free = True

    def perform(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        if is_spent(unit, SmokeLaunchers.name) or not unit.on_board:
            return
        table = play.state.table
        blocks = sorted({block for place in unit.where for block in table.blocks_of_four(place)})
        chosen = yield PickOne(
            unit.side,
            "launch-smoke",
            blocks,
            labels=lambda block: " ".join(table.name(place) for place in block),
            text=f"{unit.name}: where is the smoke?",
            rule=SmokeLaunchers.rule,
            unit=unit.id,
            act="build",
            about=lambda block: About("build", unit.id, places=tuple(table.name(place) for place in block)),
        )
        spend(unit, SmokeLaunchers.name)
        play.rules.smoke.place(play, chosen, SmokeLaunchers.rule)


# -- not being seen, or hit -------------------------------------------------------------------------


def can_hide(unit: Unit) -> bool:
    """A combined unit is camouflaged only if hero and squad both can be (d47.open.camouflage_combined)."""
    return all(part.card.has(Camouflage.name) for part in unit.fighters())


class Camouflage(Skill):
    """Cannot be attacked from range 3 or more while camouflaged (d47.skill.camouflage_effect)."""

    name = "Camouflage"
    rule = "d47.skill.camouflage_effect"
    shared = False

    def on_targeted(self, refusal: tuple[str, str] | None, shot: Shot) -> tuple[str, str] | None:
        if shot.target.is_(CAMOUFLAGED) and shot.line.distance > SEEN_WITHIN:
            reason = f"{shot.target.name} is camouflaged and at range {shot.line.distance}"
            return refusal or (self.rule, reason)
        return refusal


class Hiding(Skill):
    """Starts the game camouflaged and can hide again by a special action (d47.skill.camouflage_gain)."""

    name = "Camouflage"
    rule = "d47.skill.camouflage_gain"
    shared = False

    def on_fielded(self, play: Play, unit: Unit) -> None:
        if can_hide(unit):
            unit.set(CAMOUFLAGED)

    def on_specials(self, specials: dict[str, Any], unit: Unit, play: Play) -> dict[str, Any]:
        return self.on_specials_ahead(specials, unit, play, 0) if unit.on_board else specials

    def on_specials_ahead(self, specials: dict[str, Any], unit: Unit, play: Play, ahead: int) -> dict[str, Any]:
        if can_hide(unit):
            specials["camouflage"] = Hide()
        return specials


class Hide(SpecialAction):
    """The CAMOUFLAGE special action."""

    name = "camouflage"

    def perform(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        if can_hide(unit) and unit.on_board and not unit.is_(CAMOUFLAGED):
            unit.set(CAMOUFLAGED)
            play.emit(TokenGained(Hiding.rule, unit.id, TOKEN_NAMES[CAMOUFLAGED]))
        return
        yield


class Exposed(Skill):
    """Every action but MOVE and NOTHING ends camouflage, a call for fire excepted (d47.skill.camouflage_lost)."""

    name = "Camouflage"
    rule = "d47.skill.camouflage_lost"
    shared = False

    def on_declared(self, shots: list[Shot], attack: Attack) -> list[Shot]:
        """Weapons with Stealth do not betray their user."""
        activation = attack.flags.get("activation")
        if activation is not None and shots and all(shot.weapon.has("Stealth") for shot in shots):
            activation.memory["unseen"] = True
        return shots

    def on_action_done(self, activation: Activation, action: str) -> None:
        unseen = activation.memory.pop("unseen", False)
        quiet = action.removeprefix("free:") in ("move", "nothing", "special:camouflage")  # d47.open.camouflage_march
        if not unseen and not quiet:
            activation.play.rules.suppression.drop(activation.play, activation.unit, CAMOUFLAGED, self.rule)


class CrazyJimmy(Skill):
    """The vehicle he pilots is in cover after a MARCH MOVE, until its next activation.

    Only the card names it (d47.open.skills_not_in_source).
    """

    name = "Crazy Jimmy"
    rule = "d47.open.skills_not_in_source"
    shared = False

    def on_action_done(self, activation: Activation, action: str) -> None:
        if action.removeprefix("free:") == "march" and is_pilot(activation.unit, self.bearer):
            activation.unit.set(JINKING)

    def on_cover_always(self, in_cover: bool, unit: Unit) -> bool:
        return in_cover or unit.is_(JINKING)


# -- earth-moving -----------------------------------------------------------------------------------


class DozerBlade(Skill):
    """DOZER: cover from all sides until it moves (d47.skill.dozer_blade_dig)."""

    name = "Dozer Blade"
    rule = "d47.skill.dozer_blade_dig"

    def on_specials(self, specials: dict[str, Any], unit: Unit, play: Play) -> dict[str, Any]:
        return self.on_specials_ahead(specials, unit, play, 0) if unit.on_board else specials

    def on_specials_ahead(self, specials: dict[str, Any], unit: Unit, play: Play, ahead: int) -> dict[str, Any]:
        specials["dozer"] = DigIn()
        return specials

    def on_cover_always(self, in_cover: bool, unit: Unit) -> bool:
        return in_cover or unit.is_(DUG_IN)


class DigIn(SpecialAction):
    """The DOZER special action."""

    name = "dozer"

    def perform(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        if unit.on_board:
            unit.set(DUG_IN)
            play.emit(TokenGained(DozerBlade.rule, unit.id, TOKEN_NAMES[DUG_IN]))
        return
        yield


class DozerEngineering(Skill):
    """A vehicle with a dozer blade may take ENGINEERING actions (d47.skill.dozer_blade_engineering)."""

    name = "Dozer Blade"
    rule = "d47.skill.dozer_blade_engineering"

    def on_tools(self, tools: tuple[str, ...], unit: Unit) -> tuple[str, ...]:
        return (*tools, "dozer")


class EngineerVehicle(Skill):
    """May take the ENGINEERING actions its equipment allows (d47.skill.engineer_vehicle)."""

    name = "Engineer Vehicle"
    rule = "d47.skill.engineer_vehicle"

    def on_tools(self, tools: tuple[str, ...], unit: Unit) -> tuple[str, ...]:
        return (*tools, "engineer")


# -- the whole side ---------------------------------------------------------------------------------


class BlackOps(Skill):
    """Four initiative dice while this hero is not eliminated (d47.skill.black_ops)."""

    name = "Black Ops"
    rule = "d47.skill.black_ops"

    def on_initiative_dice(self, dice: int, side: int, play: Play) -> int:
        return max(dice, 4)  # it sets the number, it does not add (d47.open.extra_dice_stack)


ALL: list[type[Skill]] = [
    InfantryAce,
    AcePilot,
    AceAirPilot,
    Scout,
    AtTheDouble,
    MoveAndFire,
    Raid,
    SmokeLaunchers,
    Camouflage,
    Hiding,
    Exposed,
    CrazyJimmy,
    DozerBlade,
    DozerEngineering,
    EngineerVehicle,
    BlackOps,
]
