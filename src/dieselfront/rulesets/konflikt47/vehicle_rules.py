"""Special rules printed on vehicle cards (k47.vehicle.slow_tough_agile, k47.vehicle.front_armour and more)."""

from __future__ import annotations

from dieselfront.rulesets.konflikt47.charts import OK, Rates
from dieselfront.rulesets.konflikt47.firing import Wound
from dieselfront.rulesets.konflikt47.hooks import Special
from dieselfront.rulesets.konflikt47.morale import Occasion
from dieselfront.rulesets.konflikt47.state import ADVANCE, Unit


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
    """May cross deep water (k47.vehicle.amphibious)."""

    rule = "k47.vehicle.amphibious"

    def on_terrain_code(self, code: str, unit: Unit, category: str) -> str:
        return OK if category == "water" else code


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
}
