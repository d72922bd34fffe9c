"""Transport: capacity, getting in and out, riders, pilots, lifted vehicles, lost carriers (dw.ability.carry_capacity*,
dw.ability.tank_riders*, dw.ability.pilot*, dw.ability.air_*, dw.ability.vehicle_carry_*, dw.aircraft.carry*)."""

from __future__ import annotations

import pytest

from dieselfront.forces.skills import SkillRef
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.damage_tables import FIRE
from dieselfront.rulesets.warfare.state import ABOARD, GONE, HIGH, LOW, TABLE
from rulesets.warfare.field import BLUE, RED, Field, hero, inch, plane, squad, usual, vehicle, weapon

CARRIER = vehicle(3, abilities=["Carry Capacity (6)"], name="Carrier")
SEATS = ("inside", "riding", "piloting", "lifted")


def pair(carrier=None, rider=None, away: float = 1, **options):
    """A carrier and a unit beside it."""
    field = Field(**options)
    a = field.put(BLUE, carrier or CARRIER, 900, 600, heading=0)
    b = field.put(BLUE, rider or squad(5), 900 + 42 + inch(away), 570, pitch=0, spots=None)
    if len(b.men) > 1:
        ground.stand(field.state.table, b, [(930 + 26 + 26 * (n % 2), 570 + 26 * (n // 2)) for n in range(len(b.men))])
    return field, a, b


def seats(field, unit, carrier):
    return field.rules.transport.seats(field.state, unit, carrier)


# -- room ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.ability.carry_capacity", "dw.ability.carry_capacity_action")
def test_embarking_is_an_action_that_takes_the_unit_off_the_table():
    field, carrier, unit = pair()
    field.put(RED, squad(5), 900, 400)
    ran = field.activate(unit, ("embark",))
    assert unit.place == ABOARD and unit.bodies == []
    assert field.rules.transport.room(field.state, carrier, "inside") == 1
    assert "reaction" not in ran.asked


@pytest.mark.rule("dw.ability.carry_capacity_size")
def test_heavy_soldiers_take_two_spaces():
    field, carrier, _ = pair()
    three, four = field.put(BLUE, squad(3, armor=3), 200, 200), field.put(BLUE, squad(4, armor=3), 200, 400)
    assert seats(field, three, carrier) == ["inside"]
    assert seats(field, four, carrier) == []


@pytest.mark.rule("dw.ability.carry_capacity_distance")
def test_everybody_within_three_inches_gets_in_and_out():
    field, carrier, unit = pair()
    assert field.rules.transport.may_embark(field.state, unit)
    unit.bodies[4] = unit.bodies[4].at(900 + 30 + 12 + inch(4), 600)
    assert not field.rules.transport.may_embark(field.state, unit)
    field.aboard(unit, carrier)
    region = field.rules.transport.exit_region(field.state, unit, carrier, 3)
    far = (900 + 30 + 12 + inch(3.5), 600)
    near = [(960 + 26 * n, 600) for n in range(4)]
    assert "dw.ability.carry_capacity_distance" in region.why_not(
        (960, 600, 0, near[0], near[1], near[2], (960, 640), far)
    )


@pytest.mark.rule("dw.ability.carry_capacity_inside")
def test_aboard_the_only_action_is_to_get_out():
    field, carrier, unit = pair()
    field.put(RED, squad(5), 900, 400, reaction=True)
    field.aboard(unit, carrier)
    menu = field.menu(unit)
    assert {names[0] for names in menu if names} == {"disembark"}
    assert ("disembark", "attack") in menu
    foe = field.state.units[-1]
    ran = field.activate(unit, ("disembark", "attack"), "BBBBB", {"target": ("direct", foe.id)})
    assert unit.place == TABLE and ran.of("Aimed")


@pytest.mark.rule("dw.ability.carry_capacity_action")
def test_nobody_reacts_to_getting_out():
    field, carrier, unit = pair()
    field.put(RED, squad(5), 900, 600 - 30 - 12 - inch(5))
    field.aboard(unit, carrier)
    ran = field.activate(unit, ("disembark",))
    assert "reaction" not in ran.asked and unit.place == TABLE


@pytest.mark.rule("dw.ability.carry_capacity_command")
def test_a_section_aboard_commands_from_the_hull():
    field, carrier, unit = pair(rider=squad(5, tags=["command_section"]), phase="command")
    field.aboard(unit, carrier)
    field.state.orders = 2
    near = field.put(BLUE, squad(1), 900 + 30 + 12 + inch(12) - 1, 600)
    far = field.put(BLUE, squad(1), 900 + 30 + 12 + inch(12.5), 700)
    assert field.rules.command.reach(field.state, near).by == unit.id
    assert field.rules.command.reach(field.state, far) is None


@pytest.mark.rule("dw.ability.carry_capacity_destroyed")
def test_survivors_of_a_transport_get_out_with_a_reaction_marker():
    field, carrier, unit = pair()
    field.aboard(unit, carrier)
    carrier.wounds = {0: 5}
    carrier.effects = (FIRE,)
    ran = field.activate(carrier, ())
    assert carrier.place == GONE and unit.place == TABLE and unit.reaction
    wreck = field.state.table.piece(f"wreck of {carrier.id}")
    kinds = [type(event).__name__ for event in ran.events]
    assert kinds.index("Boarded") < kinds.index("Cleared")
    assert len(unit.bodies) == 5 and wreck.kind.id == "wreck"


@pytest.mark.rule("dw.open.transport_wreck_placement")
def test_who_finds_no_room_is_lost():
    pocket = [[37.5, 40], [37.5, 22.1], [33.3, 22.1], [33.3, 25.0], [37.4, 25.0], [37.4, 40]]
    field = Field({"kind": "rocks", "points": [[0, 0], [60, 0], [60, 40], *pocket, [0, 40]]}, size=(60, 40))
    carrier = field.put(BLUE, CARRIER, inch(35.4), inch(23.6), heading=0)
    unit = field.put(BLUE, squad(5), place="off")
    field.aboard(unit, carrier)
    carrier.wounds, carrier.effects = {0: 5}, (FIRE,)
    ran = field.activate(carrier, ())
    lost = next(event for event in ran.of("Lost") if event.unit == unit.id)
    assert lost.rule == "dw.open.transport_wreck_placement"
    assert len(unit.men) == 5 - len(lost.men)


@pytest.mark.rule("dw.ability.carry_capacity_deploy")
def test_a_unit_deployed_aboard_waits_for_its_transport():
    field = Field(phase="setup")
    carrier, unit = field.put(BLUE, CARRIER, place="off"), field.put(BLUE, squad(5), place="off")
    options = field.rules.setup
    field.state.notes["to_place"] = (carrier.id, unit.id)
    assert ("aboard", unit.id, carrier.id, "inside") in options.deploy_options(field.state, BLUE)
    field.aboard(unit, carrier)
    field.state.phase = "units"
    assert field.menu(unit) == [()]


# -- riders ------------------------------------------------------------------------------------------------

TANK = vehicle(4, abilities=["Tank Riders (6)"], name="Tank", capacity=8)


@pytest.mark.rule("dw.ability.tank_riders")
def test_riders_get_off_within_six_inches():
    field, tank, unit = pair(TANK)
    assert seats(field, unit, tank) == ["riding"]
    field.aboard(unit, tank, "riding")
    assert field.rules.transport.exit_inches(unit, tank) == 6
    inside = field.put(BLUE, squad(1), place="off")
    field.aboard(inside, field.put(BLUE, CARRIER, 300, 300))
    assert field.rules.transport.exit_inches(inside, field.state.unit(inside.carrier)) == 3


@pytest.mark.rule("dw.ability.tank_riders_damage", "dw.open.tank_riders_damaged")
def test_riders_are_attacked_when_their_vehicle_suffers_damage():
    field, tank, unit = pair(TANK, squad(5, armor=1))
    field.aboard(unit, tank, "riding")
    foe = field.put(RED, squad(3, [weapon(vehicles="1/1", count=3)]), 900, 300)
    ran = field.attack(foe, tank, "HHB BBBB BB HHBBB B", answers={"casualties": ((1, 1), (2, 1))}, reactions=False)
    assert ran.dice("riders") == [5]
    assert len(unit.men) == 3 and unit.suppression == 1
    ran = field.attack(foe, tank, "HHB HHBB", reactions=False)
    assert not ran.dice("riders")
    tank.effects = (FIRE,)
    ran = field.activate(tank, (), "BBB")
    assert ran.dice("riders") == [3]


@pytest.mark.rule("dw.ability.tank_riders_combination")
def test_riders_and_passengers_have_spaces_of_their_own():
    both = vehicle(4, abilities=["Tank Riders (6)", "Carry Capacity (6)"])
    field, tank, unit = pair(both)
    other = field.put(BLUE, squad(5), 200, 200)
    field.aboard(unit, tank, "inside")
    assert seats(field, other, tank) == ["riding"]
    tank.notes["gained"] = (SkillRef("Tankodesantniki"),)
    field.rules.outfit.refresh(field.state, tank)
    assert field.rules.transport.capacity(tank, "riding") == 6


# -- pilots ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.ability.pilot", "dw.open.pilot_details")
def test_a_pilot_boards_what_his_card_names_and_takes_no_space():
    ace = hero(abilities=["Pilot (light walker)"])
    field, walker, man = pair(vehicle(3, abilities=["Carry Capacity (6)"]), ace)
    heavy = field.put(BLUE, vehicle(6, tags=["heavy_walker"]), 300, 300)
    assert "piloting" in seats(field, man, walker)
    assert seats(field, man, heavy) == []
    field.activate(man, ("embark",), answers={"embark": (walker.id, "piloting")})
    assert man.seat == "piloting" and field.rules.transport.room(field.state, walker, "inside") == 6
    assert field.rules.command.pool(field.state, BLUE) == 2


@pytest.mark.rule("dw.ability.pilot_disembark")
def test_getting_out_is_all_a_pilot_does():
    field, walker, man = pair(vehicle(3), hero(abilities=["Pilot"]))
    field.aboard(man, walker, "piloting")
    assert field.menu(man, 2) == [(), ("disembark",)]
    field.activate(man, ("disembark",))
    assert man.place == TABLE


@pytest.mark.rule("dw.ability.heroic_pilot")
def test_some_vehicles_act_only_with_their_own_hero():
    field, walker, man = pair(vehicle(3, abilities=["Heroic Pilot (Sigrid)"]), hero(abilities=["Pilot"]))
    assert field.rules.activation.action_count(field.state, walker) == 0
    assert seats(field, man, walker) == []
    sigrid = field.put(BLUE, hero(name="Sigrid", abilities=["Pilot"]), 300, 300)
    assert seats(field, sigrid, walker) == ["piloting"]
    field.aboard(sigrid, walker, "piloting")
    assert field.rules.activation.action_count(field.state, walker) == 2


@pytest.mark.rule("dw.ability.pilot_aircraft_lost")
def test_a_pilot_bails_out_of_a_lost_aircraft():
    field, machine, man = pair(plane(capacity=1), hero(abilities=["Pilot"]))
    field.aboard(man, machine, "piloting")
    squad_aboard = field.put(BLUE, squad(2), place="off")
    field.aboard(squad_aboard, machine, "inside")
    field.run(lambda play: field.rules.damage.hit(play, machine, 1, "dw.aircraft.hazard_hard", "test"), default=usual)
    assert man.place == TABLE and man.reaction
    assert squad_aboard.place == GONE


# -- aircraft ------------------------------------------------------------------------------------------------

CHOPPER = plane(1, abilities=["Carry Capacity (5)", "Hover"], name="Chopper")


@pytest.mark.rule("dw.aircraft.carry")
def test_a_low_aircraft_takes_soldiers():
    field, machine, unit = pair(CHOPPER)
    machine.altitude = LOW
    field.activate(unit, ("embark",))
    assert unit.place == ABOARD and unit.carrier == machine.id


@pytest.mark.rule("dw.aircraft.carry_timing")
@pytest.mark.parametrize("altitude, activated, may", [(LOW, False, True), (LOW, True, False), (HIGH, False, False)])
def test_not_after_its_activation_and_not_at_high_altitude(altitude, activated, may):
    field, machine, unit = pair(CHOPPER)
    machine.altitude, machine.activated = altitude, activated
    assert field.rules.transport.may_embark(field.state, unit) is may
    field.aboard(unit, machine)
    assert field.rules.transport.may_disembark(field.state, unit) is may


@pytest.mark.rule("dw.aircraft.carry_eliminated")
def test_passengers_are_lost_with_their_aircraft():
    field, machine, unit = pair(CHOPPER)
    field.aboard(unit, machine)
    field.run(lambda play: field.rules.damage.hit(play, machine, 9, "dw.aircraft.hazard_hard", "test"), default=usual)
    assert unit.place == GONE and field.rules.victory.ap_lost(unit) == 20


@pytest.mark.rule("dw.ability.air_cavalry")
def test_air_cavalry_gets_out_late():
    field, machine, unit = pair(CHOPPER, squad(5, abilities=["Air Cavalry"]))
    machine.activated = True
    assert not field.rules.transport.may_embark(field.state, unit)
    field.aboard(unit, machine)
    assert field.rules.transport.may_disembark(field.state, unit)


@pytest.mark.rule("dw.ability.air_cavalry_survive", "dw.open.air_cavalry_marker")
def test_air_cavalry_survives_a_crash():
    field, machine, unit = pair(CHOPPER, squad(5, abilities=["Air Cavalry"]))
    field.aboard(unit, machine)
    unit.reaction = True
    field.put(RED, squad(5), 900, 400)
    ran = field.run(
        lambda play: field.rules.damage.hit(play, machine, 9, "dw.aircraft.hazard_hard", "test"), default=usual
    )
    assert unit.place == TABLE and len(unit.bodies) == 5 and unit.reaction
    assert "reaction" not in ran.asked
    assert field.rules.activation.action_count(field.state, unit) == 1


@pytest.mark.rule("dw.ability.air_lift", "dw.ability.vehicle_carry_aircraft")
def test_an_aircraft_lifts_vehicles_up_to_its_rating():
    lifter = plane(1, abilities=["Vehicle Carry Capacity (3)"])
    field, machine, light = pair(lifter, vehicle(3, abilities=["Air Lift"]))
    machine.altitude, machine.activated = LOW, True
    heavy = field.put(BLUE, vehicle(4, abilities=["Air Lift"]), 300, 300)
    plain = field.put(BLUE, vehicle(3), 300, 500)
    assert seats(field, light, machine) == ["lifted"]
    assert seats(field, heavy, machine) == [] and seats(field, plain, machine) == []
    field.put(RED, squad(5), 900, 400)
    ran = field.activate(light, ("embark",))
    assert light.place == ABOARD and "reaction" not in ran.asked


@pytest.mark.rule("dw.ability.air_lift_altitude")
def test_a_lifted_vehicle_leaves_at_any_altitude_and_boards_low():
    lifter = plane(1, abilities=["Vehicle Carry Capacity (3)"])
    field, machine, light = pair(lifter, vehicle(3, abilities=["Air Lift"]))
    machine.altitude = HIGH
    assert not field.rules.transport.may_embark(field.state, light)
    field.aboard(light, machine, "lifted")
    assert field.rules.transport.may_disembark(field.state, light)


@pytest.mark.rule("dw.ability.vehicle_carry_ground", "dw.open.vehicle_carry_rating")
def test_a_hauler_carries_vehicles_without_air_lift():
    field, hauler, light = pair(vehicle(4, abilities=["Vehicle Carry Capacity (2)"]), vehicle(2))
    heavier = field.put(BLUE, vehicle(3), 300, 300)
    assert seats(field, light, hauler) == ["lifted"] and seats(field, heavier, hauler) == []
    field.aboard(light, hauler, "lifted")
    assert seats(field, field.put(BLUE, vehicle(1), 300, 500), hauler) == []


@pytest.mark.rule("dw.ability.air_drop")
def test_air_drop_lands_anywhere_far_from_the_enemy():
    field = Field()
    unit = field.put(BLUE, squad(3, abilities=["Air Drop"]), place="off", arrival="air drop")
    foe = field.put(RED, squad(1), 900, 600)
    assert ("march",) in field.menu(unit, 2) and ("march",) not in field.menu(unit, 1)
    way = field.rules.setup.arrival_of(field.state, unit)
    region = field.rules.setup.arrival_region(field.state, unit, way)
    assert "dw.ability.air_drop" in region.why_not((900, 600 + inch(12), 0))
    field.activate(unit, ("march",), answers={"enter": (900, 600 + inch(13) + 60, 0)})
    assert unit.place == TABLE and ground.unit_distance(unit, foe) > 12 * 254


@pytest.mark.rule("dw.open.air_lift_air_drop_swap")
def test_read_as_printed_the_two_change_places():
    field = Field(air_lift_air_drop_swap="as_printed")
    lifter = field.put(BLUE, plane(1, abilities=["Vehicle Carry Capacity (3)"]), 900, 600)
    lift = field.put(BLUE, vehicle(3, abilities=["Air Lift"]), place="off")
    drop = field.put(BLUE, vehicle(3, abilities=["Air Drop"]), place="off")
    assert seats(field, lift, lifter) == [] and seats(field, drop, lifter) == ["lifted"]
    assert [way.name for way in field.rules.setup.arrivals(field.state, lift)] == ["air lift"]
    assert field.rules.setup.arrivals(field.state, drop) == []


@pytest.mark.rule("dw.ability.hover")
def test_hovering_is_a_turn_that_can_be_reacted_to():
    field = Field()
    machine = field.put(BLUE, CHOPPER, 900, 600, heading=0)
    field.put(RED, squad(1, [weapon(vehicles="1/1")]), 900, 600 - 30 - 12 - inch(10))
    answers = {"altitude": LOW, "compulsory move": "hover", "turn": 0}
    ran = field.activate(machine, (), answers=answers)
    assert machine.spots == ((900, 600),) and machine.heading == 0
    assert ran.asked.count("reaction") == 2
    field.activate(machine, (), answers={**answers, "turn": 90})
    assert machine.heading == 90
