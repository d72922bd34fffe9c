"""What a weapon's hits are like: chains, better aim, denied saves, stuns, grips, picked targets (d47.weapon.*)."""

from __future__ import annotations

from collections.abc import Hashable

from dieselfront.dice import Because, Reroll, Throw
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.dust.hooks import WeaponRule
from dieselfront.rulesets.dust.shots import Aim, Saves, Shot
from dieselfront.rulesets.dust.state import GRAPPLED, STUNNED, Part, Unit
from dieselfront.rulesets.dust1947.attack import SAME_FACES
from dieselfront.rulesets.dust1947.damage import SINGLE, Picker
from dieselfront.rulesets.dust1947.dice import ARMY, TARGET, widen
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.rulesets.dust1947.skills.common import protected_leaders
from dieselfront.rulesets.dust1947.skills.marksmanship import is_action

# -- to hit ---------------------------------------------------------------------------------------


class Chain(WeaponRule):
    """Each hit gives a die that hits on ARMY, until one misses; only initial misses are ever re-rolled."""

    def on_hit(self, throw: Throw, shot: Shot) -> Throw:
        throw.chain |= ARMY
        throw.because += (Because(self.rule, f"{self.name}: every hit gives another die"),)
        return throw


class Laser(Chain):
    """Laser weapons chain (d47.weapon.laser); sustained fire re-rolls their initial dice.

    d47.skill.laser_sustained.
    """

    name = "Laser"
    rule = "d47.weapon.laser"


class Cutting(Chain):
    """Cutting weapons chain (d47.weapon.cutting)."""

    name = "Cutting"
    rule = "d47.weapon.cutting"


class ExpertWeapon(WeaponRule):
    """A weapon its bearer is expert with: ARMY or TARGET (d47.skill.expert)."""

    name = "Expert"
    rule = "d47.skill.expert"

    def on_hit(self, throw: Throw, shot: Shot) -> Throw:
        if is_action(shot):
            return widen(throw, TARGET, self.rule, f"expert with the {shot.weapon.name}: TARGET hits too")
        return throw


class SavageAnimal(WeaponRule):
    """Hits on ARMY or TARGET, striking back too (d47.skill.savage_animal)."""

    name = "Savage Animal"
    rule = "d47.skill.savage_animal"

    def on_hit(self, throw: Throw, shot: Shot) -> Throw:
        return widen(throw, TARGET, self.rule, "savage animal: TARGET hits too")


class PowerScopeWeapon(WeaponRule):
    """Hits on ARMY or TARGET in a SUSTAINED ATTACK (d47.weapon.power_scope)."""

    name = "Power Scope"
    rule = "d47.weapon.power_scope"

    def on_hit(self, throw: Throw, shot: Shot) -> Throw:
        return widen(throw, TARGET, self.rule, "power scope: TARGET hits too") if shot.sustained else throw


class WireGuided(WeaponRule):
    """Alone in an ATTACK, its misses are re-rolled as in a SUSTAINED ATTACK (d47.weapon.wire_guided)."""

    name = "Wire Guided"
    rule = "d47.weapon.wire_guided"

    def on_hit(self, throw: Throw, shot: Shot) -> Throw:
        used = sum(other.count for other in shot.attack.shots) or shot.count
        if is_action(shot) and not shot.sustained and used == 1:
            throw.rerolls += (Reroll(False, SAME_FACES, self.rule),)
            throw.because += (Because(self.rule, "wire-guided: misses are rolled again"),)
        return throw


# -- saves ----------------------------------------------------------------------------------------


class Grenade(WeaponRule):
    """Infantry gets no cover save, vehicles keep theirs (d47.weapon.grenade)."""

    name = "Grenade"
    rule = "d47.weapon.grenade"

    def on_save(self, saves: Saves, shot: Shot) -> Saves:
        if shot.target.is_infantry:
            saves.negate_cover(self.rule, "grenade: no cover save for infantry")
        return saves


class Phaser(WeaponRule):
    """No cover save; infantry keeps its infantry save (d47.weapon.phaser)."""

    name = "Phaser"
    rule = "d47.weapon.phaser"

    def on_save(self, saves: Saves, shot: Shot) -> Saves:
        saves.negate_cover(self.rule, "phaser: no cover save")
        return saves


class Radiation(WeaponRule):
    """Every save passed is rolled again once (d47.skill.radiation)."""

    name = "Radiation"
    rule = "d47.skill.radiation"

    def on_save(self, saves: Saves, shot: Shot) -> Saves:
        again = Reroll(True, SAME_FACES, self.rule)
        saves.rerolls.append(again)
        saves.evade_rerolls.append(again)
        saves.because.append(Because(self.rule, "radiation: saves are rolled again"))
        return saves


class SniperSaves(WeaponRule):
    """Neither cover nor infantry saves (d47.weapon.sniper_saves)."""

    name = "Sniper"
    rule = "d47.weapon.sniper_saves"

    def on_save(self, saves: Saves, shot: Shot) -> Saves:
        saves.negate_cover(self.rule, "sniper: no cover save")
        saves.negate_infantry(self.rule, "sniper: no infantry save")
        return saves


# -- whom it hits ---------------------------------------------------------------------------------


class SniperPick(WeaponRule):
    """The attacker may name one miniature that takes every unsaved hit (d47.weapon.sniper_pick)."""

    name = "Sniper"
    rule = "d47.weapon.sniper_pick"

    def on_aims(self, aims: list[Aim], shot: Shot) -> list[Aim]:
        if not shot.target.is_infantry:
            return aims
        return [*aims, *((*aim, "at", victim) for aim in aims for victim in self.victims(shot.target))]

    def victims(self, unit: Unit) -> list[tuple[str, int]]:
        """Who may be named: not the leader, unless he is a hero or the last; those alike once."""
        protected = protected_leaders(unit) if unit.models > 1 else ()
        victims: list[tuple[str, int]] = []
        for part in unit.fighters():
            kinds: dict[Hashable, tuple[str, int]] = {}
            for soldier in part.alive if part.squad else (SINGLE,):
                named = (part.card.id, soldier)
                if named not in protected:
                    kinds.setdefault(self.alike(part, soldier) if part.squad else None, named)
            victims += kinds.values()
        return victims

    def alike(self, part: Part, soldier: int) -> Hashable:
        """What tells a soldier from others of his squad."""
        man = part.card.soldiers[soldier]
        return man.roles, man.weapons

    def on_pick(self, picker: Picker, shot: Shot) -> Picker:
        picker.named = shot.aimed("at")
        return picker


class HeadShot(WeaponRule):
    """The attacker picks the soldiers hit, and the unit is stunned.

    Only cards name it (d47.open.skills_not_in_source).
    """

    name = "Head Shot"
    rule = "d47.open.skills_not_in_source"

    def on_pick(self, picker: Picker, shot: Shot) -> Picker:
        picker.side = shot.unit.side
        picker.protected = protected_leaders(shot.target)
        return picker

    def on_struck(self, play: Play, shot: Shot, hits: int) -> None:
        play.rules.suppression.give(play, shot.target, STUNNED, self.rule)


class Stealth(WeaponRule):
    """Using it does not betray a camouflaged unit; Camouflage looks for it (d47.open.skills_not_in_source)."""

    name = "Stealth"


# -- what it leaves behind ------------------------------------------------------------------------


class Tesla(WeaponRule):
    """A unit that takes damage is stunned (d47.weapon.tesla_stun), in a reaction after its actions.

    d47.weapon.tesla_reaction.
    """

    name = "Tesla"
    rule = "d47.weapon.tesla_stun"

    def on_damaged(self, play: Play, shot: Shot, points: int) -> Procedure:
        if shot.target.stands:
            play.rules.suppression.give(play, shot.target, STUNNED, self.rule)
        return
        yield


class Grapple(WeaponRule):
    """A hit holds the target until the holder acts again (d47.weapon.grapple_hit, d47.weapon.grapple_release).

    The weapon named on the card grapples, the others do not (d47.skill.grapple).
    """

    name = "Grapple"
    rule = "d47.weapon.grapple_hit"

    def on_struck(self, play: Play, shot: Shot, hits: int) -> None:
        activation = shot.attack.flags.get("activation")
        if activation is not None:  # the grip of this very action holds
            activation.memory["grips"] = (*activation.memory.get("grips", ()), shot.target.id)
        play.rules.suppression.give(play, shot.target, GRAPPLED, self.rule, shot.unit.id)


class CuttingTool(WeaponRule):
    """A vehicle with a cutting weapon may take ENGINEERING actions (d47.weapon.cutting_engineering)."""

    name = "Cutting"
    rule = "d47.weapon.cutting_engineering"

    def on_tools(self, tools: tuple[str, ...], unit: Unit) -> tuple[str, ...]:
        return (*tools, "cutting")


class GrappleTool(WeaponRule):
    """A vehicle with a grapple weapon may take ENGINEERING actions (d47.weapon.grapple_engineering)."""

    name = "Grapple"
    rule = "d47.weapon.grapple_engineering"

    def on_tools(self, tools: tuple[str, ...], unit: Unit) -> tuple[str, ...]:
        return (*tools, "grapple")


ALL: list[type[WeaponRule]] = [
    Laser,
    Cutting,
    ExpertWeapon,
    SavageAnimal,
    PowerScopeWeapon,
    WireGuided,
    Grenade,
    Phaser,
    Radiation,
    SniperSaves,
    SniperPick,
    HeadShot,
    Stealth,
    Tesla,
    Grapple,
    CuttingTool,
    GrappleTool,
]
