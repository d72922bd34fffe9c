"""Under fire: armor rolls, damage ignored, markers borne (dw.ability.badass, dw.ability.cheat_death,
dw.ability.damage_resilient, dw.ability.dozer_blade_armor, dw.ability.entrench*, dw.ability.legendary_tactician).
"""

from __future__ import annotations

from dieselfront.dice import Throw
from dieselfront.kernel.decisions import YesNo
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.events import Used
from dieselfront.rulesets.warfare.firing import Strike
from dieselfront.rulesets.warfare.hooks import Ability
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.state import State, Unit
from dieselfront.rulesets.warfare.throws import BLANK, COMBAT_DIE

DEATH_CHEATED = BLANK  # dw.open.cheat_death_face: the face that saves
PHASER = "Phaser"


class Badass(Ability):
    """One action in spite of both markers (dw.ability.badass)."""

    name = "Badass"
    rule = "dw.ability.badass"

    def on_action_count(self, count: int, unit: Unit, state: State) -> int:
        return max(count, 1)


class CheatDeath(Ability):
    """Once per game, when the damage of an attack is known: a BLANK and all of it is ignored (dw.ability.cheat_death,
    dw.open.cheat_death_face)."""

    name = "Cheat Death"
    rule = "dw.ability.cheat_death"

    def on_before_armor(self, ignored: bool, play: Play, strike: Strike) -> Procedure:
        unit = strike.target
        if ignored or unit.has_used(self.name):
            return ignored
        throw = Throw(f"{unit.name} cheats death", COMBAT_DIE, DEATH_CHEATED, self.rule)
        attacking, tallies = play.rules.attacking, dict(strike.tallies)
        tries = yield YesNo(
            unit.side,
            "cheat death",
            text=f"{strike.total} points of damage threaten {unit.name}. Does it try to cheat death?",
            rule=self.rule,
            unit=unit.id,
            act="react",
            stakes=lambda tries: attacking.rest_stakes(strike, tallies, ignored=throw if tries else None),
        )
        if not tries:
            return False
        unit.use(self.name)
        play.emit(Used(self.rule, unit.id, self.name))
        thrown = yield from play.throw(throw, 1, unit.side, unit.id)
        return thrown.successes > 0


class DamageResilient(Ability):
    """One armor die more (dw.ability.damage_resilient)."""

    name = "Damage Resilient"
    rule = "dw.ability.damage_resilient"

    def on_armor_dice(self, dice: int, strike: Strike) -> int:
        strike.note(self.rule, "Damage Resilient: one armor die more")
        return dice + 1


class DozerBladeArmor(Ability):
    """One armor die more against units most of which stand wholly in the front arc
    (dw.ability.dozer_blade_armor)."""

    name = "Dozer Blade"
    rule = "dw.ability.dozer_blade_armor"

    def on_facing_dice(self, dice: int, strike: Strike) -> int:
        attacker = strike.unit
        if attacker is strike.target or not attacker.bodies or "eye" in strike.attack.data:
            return dice
        if not ground.most_in_side(strike.target, "front", attacker):
            return dice
        strike.note(self.rule, "Dozer Blade: one armor die more in front")
        return dice + 1


def is_dug_in(strike: Strike) -> bool:
    """Has the unit neither moved nor got out of a vehicle this turn?"""
    return strike.target.notes.get("moved") != strike.state.turn


class Entrench(Ability):
    """Unmoved, its armor roll cancels one point more (dw.ability.entrench); nothing without an armor roll
    (dw.open.armor_bonus_without_roll)."""

    name = "Entrench"
    rule = "dw.ability.entrench"

    def on_armor_bonus(self, points: int, strike: Strike) -> int:
        if not strike.armor_allowed or not is_dug_in(strike):
            return points
        strike.note(self.rule, "Entrench: one point more")
        return points + 1


class EntrenchAgainstPhasers(Ability):
    """The point counts against phasers although no armor roll is made (dw.ability.entrench_phaser)."""

    name = "Entrench"
    rule = "dw.ability.entrench_phaser"

    def on_armor_bonus(self, points: int, strike: Strike) -> int:
        fired = any(weapon.has(PHASER) for weapon in strike.weapons)
        if not fired or strike.armor_allowed or not is_dug_in(strike):
            return points
        strike.note(self.rule, "Entrench: one point against phasers")
        return points + 1


class LegendaryTactician(Ability):
    """One point more at the armor roll while half of the unit stands wholly in an area of terrain
    (dw.ability.legendary_tactician, dw.open.armor_bonus_without_roll)."""

    name = "Legendary Tactician"
    rule = "dw.ability.legendary_tactician"

    def on_armor_bonus(self, points: int, strike: Strike) -> int:
        if not strike.armor_allowed or not ground.half_inside(strike.state.table, strike.target):
            return points
        strike.note(self.rule, "Legendary Tactician: one point more in terrain")
        return points + 1


__all__ = ["DEATH_CHEATED"]
