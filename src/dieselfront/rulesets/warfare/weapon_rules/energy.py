"""Lasers, phasers, radiation, tesla weapons, and fists that never miss (dw.weapon.laser, dw.weapon.phaser*,
dw.weapon.radiation*, dw.weapon.tesla*, dw.weapon.rocket_punch).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dieselfront.dice import Throw
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.firing import Attack, Pool, Shot, Strike
from dieselfront.rulesets.warfare.hooks import WeaponRule
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.state import Unit
from dieselfront.rulesets.warfare.throws import inverted, with_reason

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare

OVERCHARGE, TESLA = "overcharge", "tesla"
ALLIES = "Allies"
SECOND_INCHES = 6


class Laser(WeaponRule):
    """One more die for each HIT of the first roll, never rerolled (dw.weapon.laser, dw.open.extra_dice_chain)."""

    name = "Laser"
    rule = "dw.weapon.laser"

    def on_extra(self, extra: int, pool: Pool) -> int:
        return extra + 1

    def on_throw(self, throw: Throw, pool: Pool) -> Throw:
        return with_reason(throw, self.rule, "Laser: a die more for each HIT")


class Phaser(WeaponRule):
    """No armor roll against an attack with a phaser; cover counts (dw.weapon.phaser)."""

    name = "Phaser"
    rule = "dw.weapon.phaser"

    def on_armor_allowed(self, may: bool, strike: Strike) -> bool:
        strike.note(self.rule, "Phaser: no armor roll")
        return False


class PhaserOvercharge(WeaponRule):
    """Allied units may double the dice of their phasers in a sustained attack; then they are empty
    (dw.weapon.phaser_overcharge)."""

    name = "Phaser"
    rule = "dw.weapon.phaser_overcharge"

    def on_sustained(self, ways: list[str], attack: Attack) -> list[str]:
        return [*ways, OVERCHARGE] if attack.unit.card.bloc == ALLIES else ways

    def on_dice(self, dice: int, pool: Pool) -> int:
        return 2 * dice if pool.attack.way == OVERCHARGE else dice

    def on_fired(self, play: Play, attack: Attack, shot: Shot) -> None:
        if attack.way == OVERCHARGE:
            play.rules.artillery.run_dry(play, shot.unit, shot.index, self.rule)


class Radiation(WeaponRule):
    """Soft cover does not reduce its damage, and a Team in soft cover has no more than that (dw.weapon.radiation); the
    damage of other weapons is reduced as ever (dw.weapon.radiation_separate)."""

    name = "Radiation"
    rule = "dw.weapon.radiation"

    def on_soft_ignored(self, ignored: bool, pool: Pool) -> bool:
        return True

    def on_throw(self, throw: Throw, pool: Pool) -> Throw:
        return with_reason(throw, self.rule, "Radiation: soft cover does not count")


class Tesla(WeaponRule):
    """In a sustained attack it may give up the rerolls and strike another unit within 6" of the first
    (dw.weapon.tesla); both are struck at once, so both react before the dice (dw.weapon.tesla_reactions)."""

    name = "Tesla"
    rule = "dw.weapon.tesla"

    def on_sustained(self, ways: list[str], attack: Attack) -> list[str]:
        if attack.is_indirect:  # dw.open.indirect_details
            return ways
        near = any(neighbours(shot) for shot in attack.shots if shot.weapon.has(self.name))
        return [*ways, TESLA] if near else ways

    def on_second_target(self, targets: list[Unit], attack: Attack, shot: Shot, rules: Warfare) -> list[Unit]:
        return [*targets, *neighbours(shot)] if attack.way == TESLA else targets

    def on_throw(self, throw: Throw, pool: Pool) -> Throw:
        leapt = any(shot.linked for shot in pool.shots)
        return with_reason(throw, self.rule, "Tesla: leaps from the first target") if leapt else throw


def neighbours(shot: Shot) -> list[Unit]:
    """Other enemy units no more than 6" from the target that this weapon is not aimed at itself."""
    state, target = shot.state, shot.target
    aimed = [other.target for other in shot.attack.shots if other.index == shot.index and not other.linked]
    return [
        unit
        for unit in state.enemies(shot.unit)
        if unit is not target and unit not in aimed and ground.within(unit, target, SECOND_INCHES)
    ]


class RocketPunch(WeaponRule):
    """Its dice are inverted (dw.weapon.rocket_punch)."""

    name = "Rocket Punch"
    rule = "dw.weapon.rocket_punch"

    def on_throw(self, throw: Throw, pool: Pool) -> Throw:
        return inverted(throw, self.rule, "Rocket Punch: inverted")


class InvertedDice(WeaponRule):
    """A weapon whose card inverts its dice (dw.dice.invert)."""

    name = "Inverted"
    rule = "dw.dice.invert"

    def on_throw(self, throw: Throw, pool: Pool) -> Throw:
        return inverted(throw, self.rule, "inverted dice")


__all__ = ["OVERCHARGE", "TESLA", "neighbours"]
