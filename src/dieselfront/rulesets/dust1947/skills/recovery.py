"""Shaking off fear, wounds and death: Brave, Red Banner, Damage Resilient, Cheat Death, Resurrection and the like."""

from __future__ import annotations

from typing import Any

from dieselfront.dice import DUST_DIE, Because, Throw
from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import on_unit
from dieselfront.rulesets.dust.events import Happened
from dieselfront.rulesets.dust.hooks import Skill
from dieselfront.rulesets.dust.shots import Shot
from dieselfront.rulesets.dust.state import DRIVEN, STUNNED, SUPPRESSED, UNDER_FIRE, Part, Unit
from dieselfront.rulesets.dust1947.activation import Activation, Menu, SpecialAction
from dieselfront.rulesets.dust1947.dice import ARMY, SHIELD, task
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.rulesets.dust1947.skills.common import part_of

RECOVERY_DICE = 3
DRIVEN_PACE = (3, 4)


# -- tokens ---------------------------------------------------------------------------------------


class Brave(Skill):
    """Three dice to shake off under fire and suppression (d47.skill.brave)."""

    name = "Brave"
    rule = "d47.skill.brave"

    def on_recovery_dice(self, dice: int, unit: Unit, play: Play) -> int:
        return max(dice, RECOVERY_DICE)


class RedBanner(Skill):
    """Friendly infantry in sight and range 2 recover with three dice.

    d47.skill.red_banner, d47.open.red_banner_rally.
    """

    name = "Red Banner"
    rule = "d47.skill.red_banner"

    def on_recovery_near(self, dice: int, friend: Unit, unit: Unit, play: Play) -> int:
        ground = play.rules.ground
        if unit.is_infantry and ground.near(play.state, friend, unit, 2) and ground.sees(play.state, friend, unit):
            return max(dice, RECOVERY_DICE)
        return dice


class NothinsEasy(Skill):
    """The unit that this hero joined never gains under fire or suppression tokens (d47.skill.nothins_easy)."""

    name = "Nothin's Easy"
    rule = "d47.skill.nothins_easy"

    def on_token(self, token: int | None, unit: Unit) -> int | None:
        joined = any(part.card.id != self.bearer for part in unit.parts)
        return None if joined and token in (UNDER_FIRE, SUPPRESSED) else token


# -- wounds ---------------------------------------------------------------------------------------


class Resilience(Skill):
    """One die for every point of damage about to be taken; each ARMY negates one."""

    def on_negate(self, throw: Throw | None, part: Part, shot: Shot | None) -> Throw | None:
        if throw is not None or not self.protects(part, shot):
            return throw
        because = (Because(self.rule, f"{self.name}: each ARMY negates a point of damage"),)
        return Throw("damage resilient", DUST_DIE, ARMY, self.rule, because=because)

    def protects(self, part: Part, shot: Shot | None) -> bool:
        """Does it work for this part against this attack?"""
        raise NotImplementedError


class DamageResilient(Resilience):
    """Works for its bearer only, in close combat too.

    d47.skill.damage_resilient, d47.open.damage_resilient_sharing.
    """

    name = "Damage Resilient"
    rule = "d47.skill.damage_resilient"
    shared = False

    def protects(self, part: Part, shot: Shot | None) -> bool:
        return self.helps(part)


class DefensiveTactics(Resilience):
    """Damage Resilient while in cover, whatever the weapon does to the cover save (d47.skill.defensive_tactics)."""

    name = "Defensive Tactics"
    rule = "d47.skill.defensive_tactics"

    def protects(self, part: Part, shot: Shot | None) -> bool:
        return shot is not None and bool(shot.play.rules.saves.allowed(shot.play, shot).cover)


class CheatDeath(Skill):
    """Once per game, after the attack that eliminated him, the hero may stand up again (d47.skill.cheat_death)."""

    name = "Cheat Death"
    rule = "d47.skill.cheat_death"
    shared = False

    def on_dying(self, waits: bool, unit: Unit, part: Part) -> bool:
        return waits or self.can(part)

    def on_lost(self, play: Play, unit: Unit, part: Part, shot: Shot | None) -> Procedure:
        if not self.can(part):
            return
        part.spent += (self.name,)
        thrown = yield from play.throw(task("cheat death", self.rule, ARMY | SHIELD), 1, unit.side, unit.id)
        if thrown.successes:
            part.damage = part.card.damage - 1
            play.emit(Happened(self.rule, f"{part.card.name} cheats death", unit.id))
            play.rules.suppression.give(play, unit, STUNNED, self.rule)

    def can(self, part: Part) -> bool:
        return self.helps(part) and not part.squad and self.name not in part.spent


class Possessed(Skill):
    """Unhurt she is herself; with the first wound the demon shows, until it is healed.

    Only the card names it (d47.open.skills_not_in_source).
    """

    name = "Possessed"
    rule = "d47.open.skills_not_in_source"
    shared = False

    def on_hurt(self, play: Play, unit: Unit, part: Part) -> None:
        if self.helps(part) and part.other is not None and bool(part.damage) != part.card.alternate_profile:
            part.card, part.other = part.other, part.card
            play.rules.index(unit)
            play.rules.ground.rename(unit, part.other.id, part.card.id)
            play.emit(Happened(self.rule, f"{part.other.name} turns into {part.card.name}", unit.id))


# -- the undead -----------------------------------------------------------------------------------


def carries_blutkreuz(unit: Unit) -> bool:
    """Has somebody in the unit the Blutkreuz, by a skill or by a rule of a weapon?"""
    name = Blutkreuz.name
    return unit.has(name) or any(weapon.has(name) for part in unit.fighters() for weapon in part.card.weapons)


class Driven(Skill):
    """Mindless zombies that begin their activation beside the Blutkreuz are fast and charge (d47.skill.blutkreuz)."""

    name = "Mindless"
    rule = "d47.skill.blutkreuz"

    def on_activation(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        for friend in play.state.on_board(unit.side):
            if carries_blutkreuz(friend) and unit.on_board and play.rules.ground.near(play.state, friend, unit, 1):
                unit.set(DRIVEN)
                play.emit(Happened(self.rule, f"{unit.name} is driven on by the Blutkreuz", unit.id))
                break
        return
        yield

    def on_pace(self, pace: tuple[int, int], unit: Unit) -> tuple[int, int]:
        return DRIVEN_PACE if unit.is_(DRIVEN) else pace

    def on_actions(self, menu: Menu, activation: Activation) -> Menu:
        if activation.unit.is_(DRIVEN):
            menu.follow("march", "free:close-attack")
        return menu


class Blutkreuz(Skill):
    """Drives mindless zombies on; they look for it themselves (Driven)."""

    name = "Blutkreuz"
    shared = False


class Resurrection(Skill):
    """RESURRECTION: mindless zombies within range 1 get up again, one die for each lost (d47.skill.resurrection)."""

    name = "Resurrection"
    rule = "d47.skill.resurrection"

    def on_specials(self, specials: dict[str, Any], unit: Unit, play: Play) -> dict[str, Any]:
        if any(lost_zombies(friend) for friend in play.state.on_board(unit.side)):
            specials["resurrection"] = Resurrect()
        return specials


def lost_zombies(unit: Unit) -> int:
    """How many soldiers a mindless unit has lost."""
    main = unit.main
    return len(main.card.soldiers) - len(main.alive) if main.squad and main.card.has("Mindless") else 0


class Resurrect(SpecialAction):
    """The RESURRECTION special action."""

    name = "resurrection"

    def perform(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        near = [
            friend.id
            for friend in play.state.on_board(unit.side)
            if lost_zombies(friend) and play.rules.ground.near(play.state, unit, friend, 1)
        ]
        if not near:
            return
        chosen = yield PickOne(
            unit.side,
            "resurrect",
            near,
            labels=lambda unit_id: play.state.by_id[unit_id].name,
            text="Which zombies rise again?",
            rule=Resurrection.rule,
            unit=unit.id,
            act="support",
            about=on_unit("support", unit.id),
        )
        zombies = play.state.by_id[chosen]
        throw = task("resurrection", Resurrection.rule)
        thrown = yield from play.throw(throw, lost_zombies(zombies), unit.side, unit.id)
        yield from play.rules.damage.heal(play, zombies, zombies.main, thrown.successes, Resurrection.rule)


# -- mechanics ------------------------------------------------------------------------------------


class MechanicCrew(Skill):
    """A repair by the whole crew: one die for each miniature, each ARMY mends a point of an adjacent vehicle.

    Only cards name it (d47.open.skills_not_in_source).
    """

    name = "Mechanic Crew"
    rule = "d47.open.skills_not_in_source"
    shared = False

    def on_specials(self, specials: dict[str, Any], unit: Unit, play: Play) -> dict[str, Any]:
        if any(friend.is_vehicle and friend.main.damage for friend in play.state.on_board(unit.side)):
            specials["crew-repair"] = CrewRepair(self.bearer)
        return specials


class CrewRepair(SpecialAction):
    """The MAKESHIFT REPAIR of a Mechanic Crew."""

    __slots__ = ("bearer",)

    name = "crew-repair"

    def __init__(self, bearer: str) -> None:
        self.bearer = bearer

    def perform(self, activation: Activation) -> Procedure:
        play, unit = activation.play, activation.unit
        crew = part_of(unit, self.bearer)
        near = [
            friend.id
            for friend in play.state.on_board(unit.side)
            if friend.is_vehicle and friend.main.damage and play.rules.ground.near(play.state, unit, friend, 1)
        ]
        if crew is None or not near or not unit.on_board:
            return
        chosen = yield PickOne(
            unit.side,
            "repair",
            near,
            labels=lambda unit_id: play.state.by_id[unit_id].name,
            text="Which vehicle is repaired?",
            rule=MechanicCrew.rule,
            unit=unit.id,
            act="support",
            about=on_unit("support", unit.id),
        )
        patient = play.state.by_id[chosen]
        thrown = yield from play.throw(task("crew repair", MechanicCrew.rule), crew.models, unit.side, unit.id)
        yield from play.rules.damage.heal(play, patient, patient.main, thrown.successes, MechanicCrew.rule)


ALL: list[type[Skill]] = [
    Brave,
    RedBanner,
    NothinsEasy,
    DamageResilient,
    DefensiveTactics,
    CheatDeath,
    Possessed,
    Driven,
    Blutkreuz,
    Resurrection,
    MechanicCrew,
]
