"""Carrying and being carried: Carry Capacity, Tank Riders, pilots, lifted vehicles, drops from the air
(dw.ability.carry_capacity*, dw.ability.tank_riders*, dw.ability.pilot*, dw.ability.air_*, dw.aircraft.carry*).
Getting in and out is in transport.py.
"""

from __future__ import annotations

from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.warfare.events import Used
from dieselfront.rulesets.warfare.hooks import Ability
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.profiles import DamageCell
from dieselfront.rulesets.warfare.setup import Arrival
from dieselfront.rulesets.warfare.state import INSIDE, PILOTING, RIDING, State, Unit

UNDER_FIRE = DamageCell(spray=1, damage=1)
RIDER_INCHES = 6
SWAPPED = "exchanged"


class CarryCapacity(Ability):
    """Spaces inside a vehicle (dw.ability.carry_capacity) or an aircraft (dw.aircraft.carry)."""

    name = "Carry Capacity"
    rule = "dw.ability.carry_capacity"

    def on_capacity(self, spaces: int, unit: Unit, seat: str) -> int:
        return spaces + self.number if seat == INSIDE else spaces


class TankRiders(Ability):
    """Spaces on top, counted apart from those inside (dw.ability.tank_riders_combination); riders who get off by action
    are set down within 6"."""

    name = "Tank Riders"
    rule = "dw.ability.tank_riders"

    def on_capacity(self, spaces: int, unit: Unit, seat: str) -> int:
        return spaces + self.number if seat == RIDING else spaces

    def on_exit_inches(self, inches: int, unit: Unit, carrier: Unit) -> int:
        return RIDER_INCHES if unit.seat == RIDING else inches


class RidersUnderFire(Ability):
    """Whenever the vehicle suffers damage its riders are attacked, with armor but without cover
    (dw.open.tank_riders_damaged)."""

    name = "Tank Riders"
    rule = "dw.ability.tank_riders_damage"

    def on_damage_suffered(self, play: Play, unit: Unit, points: int) -> Procedure:
        attacking = play.rules.attacking
        strikes = [
            attacking.free_strike(play.state, unit, rider, UNDER_FIRE, "riders under fire", None, cover=False)
            for rider in play.state.aboard(unit, RIDING)
        ]
        yield from attacking.free_attacks(play, strikes)


class Pilot(Ability):
    """A hero who pilots vehicles of the type or the name that his card gives; without one, any vehicle
    (dw.ability.pilot, dw.open.pilot_details)."""

    name = "Pilot"
    rule = "dw.ability.pilot"

    def on_pilots(self, may: bool, unit: Unit, vehicle: Unit, state: State) -> bool:
        return may or self.fits(vehicle)

    def fits(self, vehicle: Unit) -> bool:
        """Is the vehicle of the type, or the very one, that the card names?"""
        wanted = self.argument.lower()
        if not wanted:
            return vehicle.is_machine
        return wanted == vehicle.card.name.lower() or wanted in kinds_of(vehicle)


def kinds_of(vehicle: Unit) -> tuple[str, ...]:
    """What people call a vehicle: walker, light walker, heavy walker, vehicle, aircraft."""
    if vehicle.is_aircraft:
        return ("aircraft",)
    if vehicle.card.is_heavy_walker:
        return ("vehicle", "walker", "heavy walker")
    if vehicle.card.is_walker:
        weight = "light walker" if vehicle.armor <= 3 else "medium walker"
        return ("vehicle", "walker", weight)
    return ("vehicle",)


class PilotBailsOut(Ability):
    """A pilot gets out of a lost aircraft with a reaction marker (dw.ability.pilot_aircraft_lost)."""

    name = "Pilot"
    rule = "dw.ability.pilot_aircraft_lost"

    def on_lost_with(self, saved: bool, play: Play, unit: Unit, carrier: Unit) -> Procedure:
        if unit.seat != PILOTING:
            return saved
        play.emit(Used(self.rule, unit.id, self.name))
        return True
        yield


class HeroicPilot(Ability):
    """The vehicle acts only with its own hero aboard, and nobody else pilots it (dw.ability.heroic_pilot)."""

    name = "Heroic Pilot"
    rule = "dw.ability.heroic_pilot"

    def on_needs_pilot(self, name: str, unit: Unit) -> str:
        return name or self.argument


class VehicleCarryCapacity(Ability):
    """One vehicle up to this armor: lifted by an aircraft (dw.ability.vehicle_carry_aircraft) or hauled on the ground
    (dw.ability.vehicle_carry_ground, dw.open.vehicle_carry_rating)."""

    name = "Vehicle Carry Capacity"
    rule = "dw.ability.vehicle_carry_aircraft"

    def on_lift_rating(self, armor: int, unit: Unit) -> int:
        return max(armor, self.number)


class AirLift(Ability):
    """The vehicle can be carried by an aircraft (dw.ability.air_lift, dw.ability.air_lift_altitude); read as printed,
    it stays off the table and drops in (dw.open.air_lift_air_drop_swap)."""

    name = "Air Lift"
    rule = "dw.ability.air_lift"

    def on_lifted(self, may: bool, unit: Unit, carrier: Unit, state: State) -> bool:
        return may or state.option("air_lift_air_drop_swap") == SWAPPED

    def on_deploy(self, ways: list[Arrival], unit: Unit, state: State) -> list[Arrival]:
        if state.option("air_lift_air_drop_swap") == SWAPPED:
            return ways
        return [*ways, Arrival("air lift", True, "dw.open.air_lift_air_drop_swap")]


class AirDrop(Ability):
    """The unit stays off the table and drops in anywhere more than 12" from the enemy (dw.ability.air_drop); read as
    printed, it is carried by aircraft (dw.open.air_lift_air_drop_swap)."""

    name = "Air Drop"
    rule = "dw.ability.air_drop"

    def on_deploy(self, ways: list[Arrival], unit: Unit, state: State) -> list[Arrival]:
        if state.option("air_lift_air_drop_swap") != SWAPPED:
            return ways
        return [*ways, Arrival("air drop", True, self.rule)]

    def on_lifted(self, may: bool, unit: Unit, carrier: Unit, state: State) -> bool:
        return may or state.option("air_lift_air_drop_swap") != SWAPPED


class AirCavalry(Ability):
    """May leave an aircraft that has activated (dw.ability.air_cavalry)."""

    name = "Air Cavalry"
    rule = "dw.ability.air_cavalry"

    def on_late_exit(self, may: bool, unit: Unit, carrier: Unit) -> bool:
        return True


class AirCavalrySurvives(Ability):
    """Gets out of a lost aircraft unharmed, with a reaction marker (dw.ability.air_cavalry_survive,
    dw.open.air_cavalry_marker)."""

    name = "Air Cavalry"
    rule = "dw.ability.air_cavalry_survive"

    def on_lost_with(self, saved: bool, play: Play, unit: Unit, carrier: Unit) -> Procedure:
        play.emit(Used(self.rule, unit.id, self.name))
        return True
        yield


class RadioCommand(Ability):
    """A Command Section aboard has one radioman more (dw.ability.radio_command)."""

    name = "Radio Command"
    rule = "dw.ability.radio_command"

    def on_section_radios(self, radios: int, carrier: Unit, section: Unit, state: State) -> int:
        return radios + 1


class Hover(Ability):
    """May turn on the spot instead of its compulsory move (dw.ability.hover)."""

    name = "Hover"
    rule = "dw.ability.hover"

    def on_hover(self, may: bool, unit: Unit, state: State) -> bool:
        return True
