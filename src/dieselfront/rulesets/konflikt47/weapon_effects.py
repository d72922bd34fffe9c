"""Rules of weapons (k47.wrule.*, k47.special.*): small objects that answer the hooks of weapons.

The names are those of the special column of the weapons chart and of rules on cards that change a gun. Procedures that
need the whole rulebook (ranging, shockwaves, smoke) are in weapon_rules.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dieselfront.dice import Because
from dieselfront.dice.plan import Multiply, Number
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.konflikt47.charts import CHART, Weapon
from dieselfront.rulesets.konflikt47.events import Gained
from dieselfront.rulesets.konflikt47.firing import Aimed, Modifier, Pool, Shot, without
from dieselfront.rulesets.konflikt47.hooks import Effects, WeaponRule, index
from dieselfront.rulesets.konflikt47.plans import ROLLS, STRUCK, number_of
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.state import State, Unit
from dieselfront.rulesets.konflikt47.throws import number

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.damage import Volley

Ranged = tuple[int, tuple[Because, ...]]


class LosesNothingAtLongRange(WeaponRule):
    """Full penetration at any range (k47.wrule.shaped_pen, k47.wrule.flame_top and others)."""

    def __init__(self, rule: str) -> None:
        self.rule = rule  # type: ignore[misc]

    def on_keeps_pen(self) -> None: ...


class AntiTank(WeaponRule):
    """Shaped charges, flames and one-shot weapons count against tanks, small arms never (k47.open.at_weapons)."""

    rule = "k47.open.at_weapons"

    def on_anti_tank(self, counts: bool, weapon: Weapon) -> bool:
        return counts or not weapon.small_arm


class Flak(WeaponRule):
    """Meant for aircraft, not for tanks (k47.open.at_weapons)."""

    rule = "k47.open.at_weapons"

    def on_anti_tank(self, counts: bool, weapon: Weapon) -> bool:
        return False


class TeslaGauntlet(WeaponRule):
    """Counts against tanks (k47.special.characters)."""

    rule = "k47.special.characters"

    def on_anti_tank(self, counts: bool, weapon: Weapon) -> bool:
        return True


class Assault(WeaponRule):
    """No penalty for moving (k47.wrule.assault_move)."""

    rule = "k47.wrule.assault_move"

    def on_hit_modifiers(self, modifiers: list[Modifier], aimed: Aimed) -> list[Modifier]:
        return without(modifiers, "k47.shoot.moving")


class AssaultInCloseQuarters(WeaponRule):
    """Two attacks in hand-to-hand (k47.wrule.assault_cq)."""

    rule = "k47.wrule.assault_cq"

    def on_two_attacks(self) -> None: ...


class ShapedCharge(WeaponRule):
    """-1 to hit (k47.wrule.shaped_hit)."""

    rule = "k47.wrule.shaped_hit"

    def on_hit_modifiers(self, modifiers: list[Modifier], aimed: Aimed) -> list[Modifier]:
        return [*modifiers, Modifier(self.rule, "shaped charge", -1)]


class Team(WeaponRule):
    """-1 to hit for the last man of the crew (k47.wrule.team_one_man)."""

    rule = "k47.wrule.team_one_man"

    def on_hit_modifiers(self, modifiers: list[Modifier], aimed: Aimed) -> list[Modifier]:
        if not aimed.unit.is_lone_crew:
            return modifiers
        return [*modifiers, Modifier(self.rule, "one man left", -1)]


class CrewServed(WeaponRule):
    """One of the weapons that are in plentiful supply (k47.nation.us)."""

    rule = "k47.nation.us"

    def on_crewed(self) -> None: ...


class Fixed(WeaponRule):
    """Carried by troops it bears to the front only (k47.wrule.fixed_arc)."""

    rule = "k47.wrule.fixed_arc"

    def on_points_ahead(self) -> None: ...


class FixedInPlace(WeaponRule):
    """Silent on an Advance (k47.wrule.fixed_move)."""

    rule = "k47.wrule.fixed_move"

    def on_may_advance(self, may: bool, unit: Unit) -> bool:
        return may and (unit.is_vehicle or unit.fires_on_the_move)


class FixedInCloseQuarters(WeaponRule):
    """Takes no part in point-blank fire of troops (k47.cq.pb_fire_detail)."""

    rule = "k47.cq.pb_fire_detail"

    def on_point_blank(self, may: bool, unit: Unit) -> bool:
        return may and unit.is_vehicle


class OneShot(WeaponRule):
    """Fires once, at a target of its own if that is a vehicle (k47.wrule.one_shot)."""

    rule = "k47.wrule.one_shot"

    def on_used_up(self) -> None: ...

    def on_fired(self, value: Any, play: Play, unit: Unit, shot: Shot) -> Procedure:
        unit.spent = (*unit.spent, (shot.man, shot.weapon))
        return
        yield


class Howitzer(WeaponRule):
    """Fires directly or indirectly, with a minimum range of its own (k47.wrule.howitzer)."""

    rule = "k47.wrule.howitzer"

    def on_ways(self, ways: tuple[str, ...], weapon: Weapon) -> tuple[str, ...]:
        return (*ways, "indirect")

    def on_least_range(self, inches: int, aimed: Aimed) -> int:
        return aimed.weapon.indirect_min if aimed.indirect else inches


class IndirectFire(WeaponRule):
    """Never fires directly (k47.wrule.indirect_hit)."""

    rule = "k47.wrule.indirect_hit"

    def on_ways(self, ways: tuple[str, ...], weapon: Weapon) -> tuple[str, ...]:
        return ("indirect",)


class ShortRange(WeaponRule):
    """A howitzer that does not fire directly at long range (k47.vehicle.gun_variants)."""

    rule = "k47.vehicle.gun_variants"

    def on_out_of_range(self, problem: tuple[str, str] | None, aimed: Aimed) -> tuple[str, str] | None:
        if problem is None and aimed.long and not aimed.indirect:
            return self.rule, "this howitzer may not fire at long range"
        return problem


# -- flames ----------------------------------------------------------------------------------------------------------


class Flamethrower(WeaponRule):
    """Neither cover nor lying down helps, and one hit burns many (k47.wrule.flame_hit)."""

    rule = "k47.wrule.flame_hit"

    def on_hit_modifiers(self, modifiers: list[Modifier], aimed: Aimed) -> list[Modifier]:
        return without(modifiers, "k47.shoot.down", "k47.shoot.cover")

    def on_worth(self, worth: Multiply | None, state: State, target: Unit, pool: Pool) -> Multiply | None:
        """Against armour only by a ruling (k47.open.flame_armour_rolls)."""
        if pool.he or (target.is_armoured and state.options["flame_armour_rolls"] != "each_hit"):
            return worth
        return Multiply(number_of(pool.weapon.shots, "flames", self.rule), STRUCK, ROLLS)


class Frightful(WeaponRule):
    """D3+1 pins and a morale check (k47.wrule.flame_pins)."""

    rule = "k47.wrule.flame_pins"

    def on_burns(self) -> None: ...

    def on_pins(self, pins: Number | None, pool: Pool) -> Number | None:
        return number_of("D3", "pins", self.rule, plus=1)


class FromAbove(WeaponRule):
    """Vehicles are hit on the top (k47.wrule.flame_top)."""

    rule = "k47.wrule.flame_top"

    def on_strikes_top(self) -> None: ...


class ThroughOpenings(WeaponRule):
    """Neither walls nor gun shields protect (k47.wrule.flame_shield)."""

    rule = "k47.wrule.flame_shield"

    def on_passes_shields(self) -> None: ...


class Fuel(WeaponRule):
    """On a 1 the fuel is gone (k47.wrule.flame_fuel)."""

    rule = "k47.wrule.flame_fuel"

    def on_fired(self, value: Any, play: Play, unit: Unit, shot: Shot) -> Procedure:
        if shot.man in unit.men:
            yield from play.rules.weapon_rules.fuel(play, unit, shot)


class FuelCarrier(WeaponRule):
    """+1 on the damage table for who carries the fuel (k47.wrule.flame_carrier)."""

    rule = "k47.wrule.flame_carrier"

    def on_carries_fuel(self) -> None: ...


# -- rift technology -------------------------------------------------------------------------------------------------


class Tesla(WeaponRule):
    """A hit arcs from man to man (k47.wrule.tesla_arc, k47.open.tesla_count)."""

    rule = "k47.wrule.tesla_arc"

    def on_worth(self, worth: Multiply | None, state: State, target: Unit, pool: Pool) -> Multiply | None:
        if worth is not None or target.is_vehicle:
            return worth
        arcs = number_of("D6", "arcing", self.rule, plus=1)
        return Multiply(arcs, STRUCK, ROLLS, most=len(target.men))


class Shockwave(WeaponRule):
    """A line that hits friend and foe (k47.wrule.shockwave_line)."""

    rule = "k47.wrule.shockwave_line"

    def on_wave(self) -> None: ...

    def on_point_blank(self, may: bool, unit: Unit) -> bool:
        return False


class GravityPulse(WeaponRule):
    """More penetration the heavier the vehicle is (k47.wrule.gravity_pen)."""

    rule = "k47.wrule.gravity_pen"

    def on_pen(self, pen: int, unit: Unit, target: Unit, pool: Pool) -> int:
        if target.card.vehicle is None:
            return pen
        value = target.card.vehicle.value
        return pen + (2 if value >= 10 else 1 if value >= 8 else 0)


class Slowing(WeaponRule):
    """Whoever is damaged is slowed (k47.wrule.gravity_slow)."""

    rule = "k47.wrule.gravity_slow"

    def on_slows(self) -> None: ...


class CompressionWave(WeaponRule):
    """Three hits of three bring more (k47.special.compression)."""

    rule = "k47.special.compression"

    def on_hits(self, hits: int, play: Play, volley: Volley, pool: Pool) -> Procedure:
        if hits < 3:
            return hits
        return (yield from play.rules.weapon_rules.compression(play, volley, pool, hits))


class MultipleLauncher(WeaponRule):
    """Never ranges in, and endangers everyone near the target (k47.special.multiple_launcher)."""

    rule = "k47.special.multiple_launcher"

    def on_ranging(self, ranged: Ranged, aimed: Aimed) -> Ranged:
        return 6, (Because(self.rule, "never ranges in"),)

    def on_hits(self, hits: int, play: Play, volley: Volley, pool: Pool) -> Procedure:
        yield from play.rules.weapon_rules.launcher_spread(play, volley, pool)
        return hits

    def on_spreads(self) -> None: ...


class MeteorStrike(WeaponRule):
    """D6 shots, whose hits on armour strike together (k47.special.meteor)."""

    rule = "k47.special.meteor"

    def on_rolls_shots(self) -> None: ...

    def on_strikes_as_one(self) -> None: ...


class RailGun(WeaponRule):
    """May bring a house down, and may run hot (k47.special.rail_gun)."""

    rule = "k47.special.rail_gun"

    def on_pen(self, pen: int, unit: Unit, target: Unit, pool: Pool) -> int:
        return (pen + 1) // 2 if unit.rail_half else pen

    def on_house_hit(self, value: Any, play: Play, volley: Volley, pool: Pool) -> Procedure:
        total = yield from number(play, "2D6", "collapse", self.rule, volley.unit.side, volley.unit.id)
        volley.collapse = volley.collapse or total >= 11

    def on_fired(self, value: Any, play: Play, unit: Unit, shot: Shot) -> Procedure:
        if not unit.alive:
            return
        roll = yield from number(play, "D6", "rail gun", self.rule, unit.side, unit.id)
        if roll == 1:
            unit.rail_half = True
            play.emit(Gained(self.rule, unit.id, "the rail gun runs hot"))


# -- guns of some cards ----------------------------------------------------------------------------------------------


class SqueezeBore(WeaponRule):
    """Penetration by range (k47.vehicle.gun_variants)."""

    rule = "k47.vehicle.gun_variants"

    def on_pen(self, pen: int, unit: Unit, target: Unit, pool: Pool) -> int:
        return 2 if pool.long else 6 if pool.near else 4


class Linked(WeaponRule):
    """Linked weapons fire together (k47.vehicle.misc)."""

    rule = "k47.vehicle.misc"

    def on_linked(self) -> None: ...


class GyroStabilised(WeaponRule):
    """A stabilised gun (k47.nation.us)."""

    rule = "k47.nation.us"

    def on_stabilised(self) -> None: ...


# -- close quarters --------------------------------------------------------------------------------------------------


class Sword(WeaponRule):
    """Who has it is a tough fighter (k47.weapon.equipment)."""

    rule = "k47.weapon.equipment"

    def on_strikes_again(self) -> None: ...


class Fist(WeaponRule):
    """One attack more for a walker (k47.cqw.attacks)."""

    rule = "k47.cqw.attacks"

    def on_fist(self) -> None: ...


_ANTI_TANK = AntiTank()
_LINKED = Linked()

WEAPON_RULES: dict[str, tuple[WeaponRule, ...]] = {  # answers come in this order, whatever the order on the chart
    "Assault": (Assault(), AssaultInCloseQuarters()),
    "One-shot": (OneShot(), _ANTI_TANK),
    "Flamethrower": (
        Flamethrower(),
        Frightful(),
        FromAbove(),
        ThroughOpenings(),
        Fuel(),
        FuelCarrier(),
        LosesNothingAtLongRange("k47.wrule.flame_top"),
        _ANTI_TANK,
    ),
    "Shaped Charge": (ShapedCharge(), LosesNothingAtLongRange("k47.wrule.shaped_pen"), _ANTI_TANK),
    "Team": (Team(), CrewServed()),
    "Fixed": (Fixed(), FixedInPlace(), FixedInCloseQuarters()),
    "Howitzer": (Howitzer(),),
    "Indirect Fire": (IndirectFire(),),
    "Short Range": (ShortRange(),),
    "Tesla": (Tesla(), LosesNothingAtLongRange("k47.wrule.tesla_pen")),
    "Shockwave": (Shockwave(),),
    "Squeeze-bore": (SqueezeBore(), LosesNothingAtLongRange("k47.vehicle.gun_variants")),
    "Gravity Pulse": (GravityPulse(), Slowing()),
    "Compression Wave": (CompressionWave(),),
    "Multiple Launcher": (MultipleLauncher(),),
    "Meteor Strike": (MeteorStrike(),),
    "Rail Gun": (RailGun(), LosesNothingAtLongRange("k47.special.rail_gun")),
    "Superior Range": (LosesNothingAtLongRange("k47.vehicle.gun_variants"),),
    "Linked Weapons": (_LINKED,),
    "Linked Weapon": (_LINKED,),
    "Gyro-Stabilised": (GyroStabilised(),),
    "Tough Fighters": (Sword(),),
    "Fist": (Fist(),),
    "Flak": (Flak(),),
    "Tesla Gauntlet": (TeslaGauntlet(),),
}

_known: dict[tuple[str, ...], Effects] = {}


def effects_of(special: Sequence[str]) -> Effects:
    """What the rules of a weapon answer; equal weapons share it."""
    key = tuple(special)
    if key not in _known:
        _known[key] = index(effect for name, effects in WEAPON_RULES.items() if name in key for effect in effects)
    return _known[key]


def forget() -> None:
    """Work out the answers of all weapons anew; those of the chart are kept with them."""
    _known.clear()
    for weapon in CHART.values():
        weapon.__dict__.clear()


__all__ = ["WEAPON_RULES", "effects_of", "forget"]
