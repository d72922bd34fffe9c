"""Shooting better: Expert, Fighting Spirit, Lucky, Take Aim, spotters, crews of support weapons, quick reactions."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from dieselfront.dice import DUST_DIE, Because, Reroll, Throw, Thrown
from dieselfront.dice.plan import PoolPlan
from dieselfront.kernel.decisions import IllegalChoice, YesNo
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import NOTHING, About
from dieselfront.rulesets.dust.events import Happened
from dieselfront.rulesets.dust.hooks import Skill
from dieselfront.rulesets.dust.shots import Attack, Shot
from dieselfront.rulesets.dust.state import SUPPRESSED, Part, Unit
from dieselfront.rulesets.dust1947.attack import ONE_OF_EACH, SAME_FACES
from dieselfront.rulesets.dust1947.dice import ARMY, SHIELD, TARGET, widen
from dieselfront.rulesets.dust1947.reaction import Reaction
from dieselfront.rulesets.dust1947.skills.common import is_pilot, is_spent, spend

LONG_REACTION = 6


def is_action(shot: Shot) -> bool:
    """Is the shot part of an ATTACK or SUSTAINED ATTACK? A retaliation is not (d47.open.retaliation_skills).

    Reactive attacks are: passive skills work there (d47.reactive.passive_skills_only).
    """
    return not shot.attack.retaliation


# -- more faces hit -------------------------------------------------------------------------------


class Expert(Skill):
    """Hits on ARMY or TARGET with the named weapon, also as pilot of a vehicle that has it (d47.skill.expert)."""

    name = "Expert"
    rule = "d47.skill.expert"
    shared = False

    def on_hit(self, throw: Throw, shot: Shot) -> Throw:
        if is_action(shot) and self.knows(shot) and self.wields(shot):
            return widen(throw, TARGET, self.rule, f"expert with the {shot.weapon.name}: TARGET hits too")
        return throw

    def knows(self, shot: Shot) -> bool:
        """The weapon named, or each of several; without a name, whatever the bearer uses."""
        named = (self.argument or "").lower().split(" and ")
        return any(name in shot.weapon.name.lower() for name in named)

    def wields(self, shot: Shot) -> bool:
        """His own weapons, or those of the vehicle he pilots (d47.open.pilot_skill_sharing).

        A vehicle that names its pilot is expert only with him aboard.
        """
        if not self.helps(shot.part):
            return is_pilot(shot.unit, self.bearer)
        seat = shot.part.card.skill("Pilot") if shot.part.card.kind != "hero" else None
        return seat is None or not seat.argument or any(part.role == "pilot" for part in shot.unit.parts)


class AceGunner(Skill):
    """Every weapon of the vehicle this hero pilots hits on ARMY or TARGET.

    Only cards name it (d47.open.skills_not_in_source).
    """

    name = "Ace Gunner"
    rule = "d47.open.skills_not_in_source"
    shared = False

    def on_hit(self, throw: Throw, shot: Shot) -> Throw:
        if is_action(shot) and is_pilot(shot.unit, self.bearer):
            return widen(throw, TARGET, self.rule, "ace gunner at the controls: TARGET hits too")
        return throw


class TakeAim(Skill):
    """The hero hits on ARMY or TARGET in a ranged SUSTAINED ATTACK (d47.skill.take_aim)."""

    name = "Take Aim"
    rule = "d47.skill.take_aim"
    shared = False

    def on_hit(self, throw: Throw, shot: Shot) -> Throw:
        if shot.sustained and not shot.close and self.helps(shot.part):
            return widen(throw, TARGET, self.rule, f"{self.name}: TARGET hits too")
        return throw


class PowerScope(TakeAim):
    """A scope on the bearer's ranged weapons: ARMY or TARGET in a SUSTAINED ATTACK (d47.weapon.power_scope)."""

    name = "Power Scope"
    rule = "d47.weapon.power_scope"


class FightingSpirit(Skill):
    """Once per game, declared before rolling, a whole attack hits on ARMY or TARGET (d47.skill.fighting_spirit)."""

    name = "Fighting Spirit"
    rule = "d47.skill.fighting_spirit"

    def on_aimed(self, attack: Attack, shots: list[Shot]) -> Procedure:
        unit = attack.unit
        if is_spent(unit, self.name):
            return
        if (
            yield YesNo(
                unit.side,
                "fighting-spirit",
                text=f"{unit.name}: use Fighting Spirit?",
                rule=self.rule,
                unit=unit.id,
                act="attack",
                about=lambda use: About("attack", unit.id, skills=(self.name,)) if use else NOTHING,
            )
        ):
            spend(unit, self.name)
            attack.flags[self.name] = True
            shots[0].play.emit(Happened(self.rule, f"{unit.name} shows its fighting spirit", unit.id))

    def on_hit(self, throw: Throw, shot: Shot) -> Throw:
        if shot.attack.flags.get(self.name):
            return widen(throw, TARGET, self.rule, "fighting spirit: TARGET hits too")
        return throw


class Spotter(Skill):
    """While the spotter uses no weapon, the unit's snipers hit on ARMY or TARGET in a SUSTAINED ATTACK.

    d47.weapon.spotter.
    """

    name = "Spotter"
    rule = "d47.weapon.spotter"

    def on_hit(self, throw: Throw, shot: Shot) -> Throw:
        if shot.sustained and shot.weapon.has("Sniper") and self.watching(shot):
            return widen(throw, TARGET, self.rule, "the spotter watches: TARGET hits too")
        return throw

    def watching(self, shot: Shot) -> bool:
        """Is there a spotter alive whose hands are free?"""
        busy = {(id(other.part), bearer) for other in shot.attack.shots for bearer in other.bearers}
        return any(
            "spotter" in part.card.soldiers[soldier].roles and (id(part), soldier) not in busy
            for part in shot.unit.parts
            for soldier in part.alive
        )


# -- more dice ------------------------------------------------------------------------------------


class KillingSpree(Skill):
    """Every hit of the hero's ranged weapons gives another die, until one misses (d47.skill.killing_spree)."""

    name = "Killing Spree"
    rule = "d47.skill.killing_spree"
    shared = False

    def on_hit(self, throw: Throw, shot: Shot) -> Throw:
        if not shot.close and self.helps(shot.part):
            throw.chain |= ARMY  # one die a hit, whatever else chains (d47.open.chain_stacking)
            throw.because += (Because(self.rule, "killing spree: every hit gives another die"),)
        return throw


class Lucky(Skill):
    """Once per game the hero re-rolls the misses of one attack, after seeing the roll (d47.skill.lucky)."""

    name = "Lucky"
    rule = "d47.skill.lucky"
    shared = False

    def on_rolled(self, thrown: Thrown, shot: Shot, hits: int, plan: PoolPlan) -> Generator[Any, Any, int]:
        if not thrown.misses or not is_action(shot) or not self.helps(shot.part) or self.comes_late(shot, plan):
            return hits
        if not (yield from self.wanted(shot, thrown.misses)):
            return hits
        play = shot.play
        again = Throw("lucky re-roll", DUST_DIE, plan.hit.faces, self.rule, chain=plan.hit.chain)
        second = yield from play.throw(again, thrown.misses, shot.unit.side, shot.unit.id)
        return hits + int(second.successes)

    def comes_late(self, shot: Shot, plan: PoolPlan) -> bool:
        """Were the misses rolled again before, where a player may choose that but once (d47.open.reroll_limit)?"""
        chosen = any(not again.successes for again in plan.hit.rerolls)
        return chosen and shot.play.state.options.get("reroll_limit") == ONE_OF_EACH

    def wanted(self, shot: Shot, misses: int) -> Generator[Any, Any, bool]:
        """Asked once; later weapons of the same attack are re-rolled too."""
        unit = shot.unit
        if shot.attack.flags.get(self.name):
            return True
        if self.name in shot.part.spent:
            return False
        text = f"{unit.name} is lucky: re-roll {misses} misses with the {shot.weapon.name}?"
        if not (
            yield YesNo(
                unit.side,
                "lucky",
                text=text,
                rule=self.rule,
                unit=unit.id,
                act="attack",
                about=lambda use: About("attack", unit.id, skills=(self.name,)) if use else NOTHING,
            )
        ):
            return False
        shot.part.spent += (self.name,)
        shot.attack.flags[self.name] = True
        return True


class Radar(Skill):
    """Misses against aircraft are rolled again once, in ATTACK and SUSTAINED ATTACK.

    Only cards name it (d47.open.skills_not_in_source).
    """

    name = "Radar"
    rule = "d47.open.skills_not_in_source"

    def on_hit(self, throw: Throw, shot: Shot) -> Throw:
        if is_action(shot) and shot.target.is_aircraft:
            throw.rerolls += (Reroll(False, SAME_FACES, self.rule),)
            throw.because += (Because(self.rule, "radar: misses against aircraft are rolled again"),)
        return throw


# -- what a hit does ------------------------------------------------------------------------------


class AndStayDown(Skill):
    """Whoever its ranged weapons hit is suppressed at once (d47.skill.and_stay_down)."""

    name = "And Stay Down"
    rule = "d47.skill.and_stay_down"
    shared = False

    def on_hit_token(self, token: tuple[int, str], shot: Shot) -> tuple[int, str]:
        return (SUPPRESSED, self.rule) if not shot.close and self.helps(shot.part) else token


# -- reactions ------------------------------------------------------------------------------------


class LongReaction(Skill):
    """Reactive attacks up to range 6, shared.

    d47.skill.advanced_reactive_fire_range, d47.open.advanced_reactive_share.
    """

    name = "Advanced Reactive Fire"
    rule = "d47.skill.advanced_reactive_fire_range"

    def on_reaction(self, reaction: Reaction, unit: Unit) -> Reaction:
        reaction.range = LONG_REACTION
        return reaction


class SureReaction(Skill):
    """SHIELD counts as a success of the reaction roll (d47.skill.advanced_reactive_fire_roll)."""

    name = "Advanced Reactive Fire"
    rule = "d47.skill.advanced_reactive_fire_roll"

    def on_reaction(self, reaction: Reaction, unit: Unit) -> Reaction:
        reaction.faces |= SHIELD
        return reaction


# -- crews ----------------------------------------------------------------------------------------


class SupportWeapon(Skill):
    """Firing the support weapon takes two of the crew, or the last one; only the others use other weapons.

    d47.skill.support_weapon_crew; who does what is chosen anew for each attack (d47.skill.support_weapon_choice).
    """

    name = "Support Weapon"
    rule = "d47.skill.support_weapon_crew"
    shared = False

    def on_combination(self, items: list[Any], answer: tuple[Any, ...], attack: Attack) -> IllegalChoice | None:
        for place, part in enumerate(attack.unit.parts):
            if not self.helps(part):
                continue
            guns, others = self.employed(place, part, items, answer)
            if not guns:
                continue
            crew = min(2 * guns, len(part.alive)) if guns == 1 else 2 * guns
            if crew + others > len(part.alive):
                reason = f"{crew} of the crew of {len(part.alive)} serve the support weapon; {others} more are needed"
                return IllegalChoice(reason, self.rule)
        return None

    def employed(self, place: int, part: Part, items: list[Any], answer: tuple[Any, ...]) -> tuple[int, int]:
        """How many support weapons fire, and how many soldiers use something else."""
        guns = 0
        soldiers: set[int] = set()
        for (its_part, index, bearer), aim in zip(items, answer, strict=True):
            if aim is None or its_part != place:
                continue
            if index >= 0 and part.card.weapons[index].crewed:
                guns += 1
            else:
                soldiers.add(bearer)
        return guns, len(soldiers)


ALL: list[type[Skill]] = [
    Expert,
    AceGunner,
    TakeAim,
    PowerScope,
    FightingSpirit,
    Spotter,
    KillingSpree,
    Lucky,
    Radar,
    AndStayDown,
    LongReaction,
    SureReaction,
    SupportWeapon,
]
