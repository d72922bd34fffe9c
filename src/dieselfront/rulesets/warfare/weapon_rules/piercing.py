"""Weapons against armor and cover: penetrators, tank killers, incendiaries, burst weapons, grenades
(dw.weapon.penetrator, dw.weapon.tank_killer, dw.weapon.incendiary*, dw.weapon.burst, dw.weapon.grenades_*).
"""

from __future__ import annotations

from collections.abc import Sequence

from dieselfront.dice import Throw
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.damage_tables import FIRE
from dieselfront.rulesets.warfare.firing import Pool, Strike
from dieselfront.rulesets.warfare.ground import INCH
from dieselfront.rulesets.warfare.hooks import WeaponRule
from dieselfront.rulesets.warfare.throws import inverted, with_reason

PENETRATOR_INCHES = 24


def is_penetrated(strike: Strike, pools: Sequence[Pool]) -> bool:
    """Is a vehicle attacked by one of these weapons within 24"?"""
    if not strike.target.is_machine:
        return False
    hull = strike.target.bodies[0]
    return any(ground.distance(shot.body, hull) <= PENETRATOR_INCHES * INCH for pool in pools for shot in pool.shots)


class Penetrator(WeaponRule):
    """Half of a vehicle's armor dice within 24", rounded up (dw.weapon.penetrator)."""

    name = "Penetrator"
    rule = "dw.weapon.penetrator"

    def on_armor_halved(self, halved: bool, strike: Strike) -> bool:
        if halved or not is_penetrated(strike, [pool for pool in strike.pools if pool.weapon.has(self.name)]):
            return halved
        strike.note(self.rule, "Penetrator: half of the armor dice")
        return True


class TankKiller(WeaponRule):
    """The roll on the damage table is inverted if it scored a HIT (dw.weapon.tank_killer,
    dw.open.tank_killer_mixed)."""

    name = "Tank Killer"
    rule = "dw.weapon.tank_killer"

    def on_table_throw(self, throw: Throw, strike: Strike) -> Throw:
        return inverted(throw, self.rule, "Tank Killer: inverted")


class Incendiary(WeaponRule):
    """A damaged vehicle burns instead of rolling on the table; once it burns nothing more happens
    (dw.weapon.incendiary)."""

    name = "Incendiary"
    rule = "dw.weapon.incendiary"

    def on_table_effect(self, effect: str, strike: Strike) -> str:
        return FIRE


class IncendiaryLimits(WeaponRule):
    """Not aircraft, whatever their altitude (dw.weapon.incendiary_limits); soldiers have no table at all."""

    name = "Incendiary"
    rule = "dw.weapon.incendiary_limits"

    def on_table_effect(self, effect: str, strike: Strike) -> str:
        return effect if strike.target.is_vehicle else ""


class Burst(WeaponRule):
    """Cover does not count against an attack with a burst weapon (dw.weapon.burst, dw.open.whole_attack_scope)."""

    name = "Burst"
    rule = "dw.weapon.burst"

    def on_cover_counts(self, counts: bool, strike: Strike) -> bool:
        strike.note(self.rule, "burst weapons: cover does not count")
        return False


class GrenadesSuppress(WeaponRule):
    """One suppression marker even without a HIT (dw.weapon.grenades_suppress, dw.open.suppression_per_attack)."""

    name = "Grenades"
    rule = "dw.weapon.grenades_suppress"

    def on_marker(self, markers: int, strike: Strike) -> int:
        return max(markers, 1)

    def on_throw(self, throw: Throw, pool: Pool) -> Throw:
        return with_reason(throw, self.rule, "grenades: a marker even without a HIT")


class GrenadesOverCover(WeaponRule):
    """Cover does not count (dw.weapon.grenades_no_cover)."""

    name = "Grenades"
    rule = "dw.weapon.grenades_no_cover"

    def on_cover_counts(self, counts: bool, strike: Strike) -> bool:
        strike.note(self.rule, "grenades: cover does not count")
        return False


__all__ = ["is_penetrated"]
