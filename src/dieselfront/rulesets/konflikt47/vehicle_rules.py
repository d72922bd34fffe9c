"""Special rules printed on vehicle cards (k47.vehicle.slow_tough_agile, k47.vehicle.front_armour and more)."""

from __future__ import annotations

from dieselfront.rulesets.konflikt47.charts import NO_RUN, Rates, Weapon
from dieselfront.rulesets.konflikt47.firing import Wound
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.hooks import Special
from dieselfront.rulesets.konflikt47.morale import Occasion
from dieselfront.rulesets.konflikt47.state import ADVANCE, Unit

Groups = list[tuple[tuple[int, ...], str]]
"""Weapons of which one may fire in an action, each group with its rule."""


class SlowVehicle(Special):
    """6" Advance, 12" Run (k47.vehicle.slow_tough_agile)."""

    rule = "k47.vehicle.slow_tough_agile"

    def on_rates(self, rates: Rates, unit: Unit) -> Rates:
        return rates._replace(advance=6, run=12)


class Agile(Special):
    """One extra pivot per move (k47.vehicle.slow_tough_agile)."""

    rule = "k47.vehicle.slow_tough_agile"

    def on_rates(self, rates: Rates, unit: Unit) -> Rates:
        if not unit.is_vehicle:
            return rates
        return rates._replace(advance_turns=rates.advance_turns + 1, run_turns=rates.run_turns + 1)

    def on_lends_turn(self) -> None:
        """Of a figure aboard (k47.special.quirks: Paragon skills)."""


class ToughVehicle(Special):
    """Damage is ignored on 5+ (k47.vehicle.slow_tough_agile)."""

    rule = "k47.vehicle.slow_tough_agile"

    def on_ignore_damage(self, score: int, unit: Unit, wound: Wound) -> int:
        return min(score, 5)


class ToughFront(Special):
    """Tough only against front hits (k47.vehicle.front_armour)."""

    rule = "k47.vehicle.front_armour"

    def on_ignore_damage(self, score: int, unit: Unit, wound: Wound) -> int:
        return min(score, 5) if wound.facing == "front" else score


class FrontArmour(Special):
    """Another damage value against front hits (k47.vehicle.front_armour)."""

    rule = "k47.vehicle.front_armour"

    def __init__(self, value: int = 0, more: int = 0) -> None:
        self.value = value
        self.more = more

    def on_damage_value(self, value: int, unit: Unit, wound: Wound) -> int:
        if wound.facing != "front":
            return value
        return self.value or value + self.more


class VulnerableSides(Special):
    """Hits on side and rear have 1 more penetration (k47.vehicle.weak_sides)."""

    rule = "k47.vehicle.weak_sides"

    def on_hit_pen(self, pen: int, unit: Unit, wound: Wound) -> int:
        return pen + 1 if wound.facing in ("side", "rear") and not wound.small_arm else pen


class WeakSides(Special):
    """Side hits use the rear modifier (k47.vehicle.weak_sides)."""

    rule = "k47.vehicle.weak_sides"

    def on_hit_pen(self, pen: int, unit: Unit, wound: Wound) -> int:
        return pen + 1 if wound.facing == "side" and not wound.small_arm else pen


class ArmouredSkirts(Special):
    """AT rifles and shaped charges get no side bonus (k47.vehicle.misc)."""

    rule = "k47.vehicle.misc"

    def on_hit_pen(self, pen: int, unit: Unit, wound: Wound) -> int:
        weapon = wound.weapon
        if weapon is None or wound.facing != "side" or unit.is_walker:
            return pen
        return pen - 1 if weapon.has("Shaped Charge") or weapon.chart == "Anti-tank Rifle" else pen


class OneManTurret(Special):
    """An Advance order always needs an order test (k47.vehicle.order_limits)."""

    rule = "k47.vehicle.order_limits"

    def on_must_test(self, must: bool, unit: Unit, occasion: Occasion) -> bool:
        return must or occasion.order == ADVANCE


class Amphibious(Special):
    """May cross deep water, but not on Run (k47.vehicle.amphibious)."""

    rule = "k47.vehicle.amphibious"

    def on_terrain_code(self, code: str, unit: Unit, category: str) -> str:
        return NO_RUN if category == "water" else code

    def on_swims(self) -> None: ...


class FlotationScreens(Special):
    """Afloat the screens hide the forward guns (k47.vehicle.amphibious)."""

    rule = "k47.vehicle.amphibious"

    def on_may_fire(self, may: bool, unit: Unit, man: int, weapon: Weapon, how: str) -> bool:
        return may and not (weapon.arc == "front" and unit.afloat)


class OpenTopped(Special):
    """Not fully enclosed; indirect fire falls into it (k47.vehicle.open_topped, k47.armour.open_indirect)."""

    rule = "k47.vehicle.open_topped"

    def on_open(self) -> None: ...

    def on_damage_roll(self, bonus: int, unit: Unit, wound: Wound) -> int:
        return bonus + 1 if wound.indirect else bonus


class JettisonFuelTrailer(Special):
    """The fuel of its flamethrower is no danger to it (k47.wrule.flame_carrier)."""

    rule = "k47.wrule.flame_carrier"

    def on_drops_fuel(self) -> None: ...


class Recce(Special):
    """May evade, and reverses at the Advance rate with turns (k47.vehicle.recce, k47.move.reverse_recce)."""

    rule = "k47.vehicle.recce"

    def on_scouts(self) -> None: ...

    def on_reverse(self, back: tuple[int, int], unit: Unit, rates: Rates) -> tuple[int, int]:
        return max(back[0], rates.advance * INCH), rates.advance_turns


class DualDirectionDrive(Special):
    """Reverses at the Run rate (k47.vehicle.misc)."""

    rule = "k47.vehicle.misc"

    def on_reverse(self, back: tuple[int, int], unit: Unit, rates: Rates) -> tuple[int, int]:
        return rates.run * INCH, back[1]


class TurnOnTheSpot(DualDirectionDrive):
    """Turns about before it reverses (k47.vehicle.misc)."""

    def on_turns_on_spot(self) -> None: ...


class Jump(Special):
    """May jump over everything in a straight line (k47.vehicle.jump)."""

    rule = "k47.vehicle.jump"

    def on_jumps(self) -> None: ...


class AssaultVehicle(Special):
    """May assault (k47.cq.who)."""

    rule = "k47.cq.who"

    def on_may_assault(self, may: bool, unit: Unit) -> bool:
        return may or unit.is_vehicle


class TurretEmplacement(Special):
    """A turret without a vehicle beneath it (k47.vehicle.misc)."""

    rule = "k47.vehicle.misc"

    def on_emplaced(self) -> None: ...


class SingleCrew(Special):
    """One weapon an action (k47.vehicle.misc)."""

    rule = "k47.vehicle.misc"

    def on_fires_one(self) -> None: ...


class BusyTurret(Special):
    """One weapon of the turret, co-axial guns apart (k47.vehicle.weapon_limits)."""

    rule = "k47.vehicle.weapon_limits"

    def on_alternatives(self, groups: Groups, unit: Unit) -> Groups:
        weapons = enumerate(unit.card.weapons)
        turret = tuple(index for index, weapon in weapons if weapon.arc == "turret" and not weapon.coaxial)
        return [*groups, (turret, self.rule)]


class CrewCarriedWeapon(Special):
    """One of its weapons an action (k47.vehicle.weapon_limits)."""

    rule = "k47.vehicle.weapon_limits"

    def on_alternatives(self, groups: Groups, unit: Unit) -> Groups:
        return [*groups, (shooters(unit), self.rule)]


class MultipleWeapons(Special):
    """One of the first two weapons of a vehicle; in a team the loader's own only while the team weapon is silent
    (k47.vehicle.weapon_limits, k47.special.quirks)."""

    rule = "k47.vehicle.weapon_limits"

    def on_crew_fires(self) -> None: ...

    def on_alternatives(self, groups: Groups, unit: Unit) -> Groups:
        return [*groups, (shooters(unit)[:2], self.rule)]


def shooters(unit: Unit) -> tuple[int, ...]:
    """The weapons with which a vehicle can shoot."""
    return tuple(index for index, weapon in enumerate(unit.card.weapons) if weapon.shoots)


class Cumbersome(Special):
    """Not the first to be ordered (k47.vehicle.order_limits)."""

    rule = "k47.vehicle.order_limits"

    def on_waits(self) -> None: ...


class CommandVehicle(Special):
    """Steadies armoured vehicles near it (k47.vehicle.command, k47.vehicle.command_senior)."""

    def __init__(self, rule: str, bonus: int) -> None:
        self.rule = rule  # type: ignore[misc]
        self.bonus = bonus

    def on_command_bonus(self, bonus: int, vehicle: Unit) -> int:
        return max(bonus, self.bonus)


class RadioNetwork(Special):
    """One more for a command vehicle's own platoon (k47.vehicle.command_senior)."""

    rule = "k47.vehicle.command_senior"

    def on_platoon_bonus(self, bonus: int, vehicle: Unit, unit: Unit) -> int:
        return bonus + 1


class WalkerFist(Special):
    """A fist more (k47.cqw.attacks)."""

    rule = "k47.cqw.attacks"

    def on_fists(self, fists: int, unit: Unit) -> int:
        return fists + 1


VEHICLE_RULES: dict[str, Special] = {
    "Slow Vehicle": SlowVehicle(),
    "Agile": Agile(),
    "Tough Vehicle": ToughVehicle(),
    "Tough Front Armour": ToughFront(),
    "Heavy Frontal Armour": FrontArmour(more=1),
    "Heavy Front Armour": FrontArmour(10),
    "Reinforced Front Armour": FrontArmour(9),
    "Advanced Armour": FrontArmour(12),
    "Vulnerable Sides": VulnerableSides(),
    "Weak Side Armour": WeakSides(),
    "Armoured Skirts": ArmouredSkirts(),
    "One Man Turret": OneManTurret(),
    "Amphibious": Amphibious(),
    "Flotation Screens": FlotationScreens(),
    "Open-Topped": OpenTopped(),
    "Jettison Fuel Trailer": JettisonFuelTrailer(),
    "Recce": Recce(),
    "Dual Direction Drive": DualDirectionDrive(),
    "Turn on the Spot": TurnOnTheSpot(),
    "Jump": Jump(),
    "Assault": AssaultVehicle(),
    "Turret Emplacement": TurretEmplacement(),
    "Single Crew": SingleCrew(),
    "Busy Turret": BusyTurret(),
    "Multiple Weapons": MultipleWeapons(),
    "Crew Carried Weapon": CrewCarriedWeapon(),
    "Cumbersome": Cumbersome(),
    "Command Vehicle": CommandVehicle("k47.vehicle.command", 1),
    "Senior Command Vehicle": CommandVehicle("k47.vehicle.command_senior", 3),
    "Radio Network": RadioNetwork(),
    "Fist": WalkerFist(),
}
