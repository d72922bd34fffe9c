"""Transport: passengers, airlifters, sealifters (d47.transport.*, d47.airlift.*, d47.sealift.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust.shots import Attack
from dieselfront.rulesets.dust.state import ABOARD, EVADES_WELL, LOST
from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.rulesets.dust1947.reaction import MID_MARCH
from rulesets.dust1947.table import BLUE, RED, Table, aircraft, hero, knife, squad, support, vehicle, weapon


def rifles(men: int = 3, **more: object):
    return squad(weapon("Rifle", "1/1", 6), men=men, **more)


def truck(spaces: int = 6, skills: str = "", **more: object):
    more.setdefault("locomotion", "wheeled")
    return vehicle(skills=f"Passengers ({spaces})" + (f", {skills}" if skills else ""), **more)


def ride(table: Table, carrier, card, **more: object):
    """A unit that is aboard."""
    unit = table.put(card, side=carrier.side, **more)
    unit.status, unit.aboard = ABOARD, carrier.id
    return unit


def wreck(table: Table, carrier, dice: str, **answers: object):
    carrier.main.damage = carrier.card.damage
    return table.run(table.rules.damage.bury(table.play, carrier), dice, **answers)


# -- going aboard -------------------------------------------------------------------------------


@pytest.mark.rule("d47.transport.passenger_spaces", "d47.skill.passengers")
def test_light_soldiers_take_one_space_and_heavy_ones_two():
    table = Table()
    carrier = table.put(truck(6), "C3")
    fits = table.rules.transport.fits
    assert fits(table.play, table.put(rifles(6), "E3"), carrier)
    assert not fits(table.play, table.put(rifles(7), "F3"), carrier)
    assert fits(table.play, table.put(rifles(3, armour=3), "G3"), carrier)
    assert not fits(table.play, table.put(rifles(4, armour=3), "H3"), carrier)
    assert not fits(table.play, table.put(vehicle(), "I3"), carrier)
    assert not fits(table.play, table.put(rifles(2), "J3", RED), carrier)


@pytest.mark.rule("d47.transport.multiple_units")
def test_several_units_ride_while_spaces_last():
    table = Table()
    carrier = table.put(truck(6), "C3")
    ride(table, carrier, rifles(3))
    assert table.rules.transport.fits(table.play, table.put(rifles(3), "E3"), carrier)
    assert not table.rules.transport.fits(table.play, table.put(rifles(4), "F3"), carrier)


@pytest.mark.rule("d47.transport.mount", "d47.open.mount_when")
def test_a_squad_mounts_at_the_end_of_a_move_beside_the_truck():
    table = Table()
    carrier = table.put(truck(6), "C5")
    unit = table.put(rifles(), "C2")
    foe = table.put(squad(men=3), "G5", RED, tokens="activated")
    game = table.activate(unit, "move", "attack", move="C4", mount=carrier, declare=foe, dice="SSS")
    assert unit.status == ABOARD and unit.where == () and "d47.transport.mount" in game.rules
    assert table.rules.transport.may_leave(table.play, unit) == (True, True)
    far = table.put(rifles(), "H9")
    game = table.activate(far, "move", move="H10")
    assert "mount" not in game.asked


@pytest.mark.rule("d47.transport.start_mounted")
def test_infantry_may_begin_aboard():
    table = Table()
    carrier = table.put(truck(6), "C5")
    unit = table.put(rifles())
    unit.aboard = carrier.id
    table.rules.transport.begin_aboard(table.play, unit)
    assert unit.status == ABOARD and table.play.events[-1].rule == "d47.transport.start_mounted"


@pytest.mark.rule("d47.transport.activate_separately")
def test_passengers_are_units_of_their_own():
    table = Table()
    carrier = table.put(truck(6), "C5")
    unit = ride(table, carrier, rifles())
    assert table.rules.turn.waiting(table.play, BLUE) == [carrier, unit]


# -- leaving ------------------------------------------------------------------------------------


@pytest.mark.rule("d47.transport.dismount", "d47.transport.no_dismount_after")
def test_passengers_leave_before_their_vehicle_acts_and_not_after():
    table = Table()
    carrier = table.put(truck(6), "C5")
    unit = ride(table, carrier, rifles(move=2))
    game = table.activate(unit, "move", dismount="C7")
    assert unit.on_board and unit.where == (table.at("C7"),) and game.moves[0].cost == 2
    late = ride(table, carrier, rifles())
    carrier.set(1)
    menu = table.menu(late)
    assert not any("move" in action or "march" in action for sequence in menu for action in sequence)


@pytest.mark.rule("d47.skill.assault_vehicle")
def test_an_assault_vehicle_lets_them_out_afterwards_too():
    table = Table()
    carrier = table.put(truck(6, "Assault Vehicle"), "C5", tokens="activated")
    unit = ride(table, carrier, rifles())
    assert ("move", "attack") in table.menu(unit)


@pytest.mark.rule("d47.airlift.dismount")
def test_from_an_aircraft_they_start_in_the_square_below():
    table = Table()
    plane = table.put(aircraft(skills="Passengers (6), Helicopter"), "C5")
    unit = ride(table, plane, rifles(move=1))
    exits = table.rules.transport.exits(table.play, unit, 1)
    assert exits[table.at("C5")][0] == 0 and exits[table.at("C6")][0] == 1
    table.activate(unit, "move", dismount="C5")
    assert unit.where == (table.at("C5"),)


@pytest.mark.rule("d47.transport.dismount", "d47.reactive.trigger_march")
def test_a_march_out_of_a_truck_can_be_interrupted():
    table = Table()
    carrier = table.put(truck(6), "C5")
    unit = ride(table, carrier, rifles(move=1, march=3))
    foe = table.put(rifles(), "F6", RED)
    game = table.activate(unit, "march", dismount="C6", react=foe, march="C8", dice="SS")
    assert game.asked == ["actions", "dismount", "react", "march"] and unit.where == (table.at("C8"),)
    activation = Activation(table.play, unit)
    activation.actions = ("march",)
    assert table.rules.reactions.moment(activation) == MID_MARCH


# -- fighting from inside -----------------------------------------------------------------------


@pytest.mark.rule("d47.transport.no_sustained_cc_support")
def test_passengers_neither_sustain_nor_fight_nor_use_support_weapons():
    table = Table()
    carrier = table.put(truck(12), "C5", facing="north")
    unit = ride(table, carrier, squad(weapon("Rifle", "1/1", 6), knife(), men=3))
    crew = ride(table, carrier, support(weapon("Mortar", "3/1", 6), weapon("Rifle", "1/1", 6), men=3))
    table.put(squad(men=3), "D5", RED)
    menu = table.menu(unit)
    assert ("attack",) in menu and ("sustained",) not in menu
    lines = table.rules.attacks.weapon_lines(table.play, Attack(unit))
    assert [line.weapon.name for line in lines] == ["Rifle"]
    lines = table.rules.attacks.weapon_lines(table.play, Attack(crew))
    assert [line.weapon.name for line in lines] == ["Rifle"]


@pytest.mark.rule("d47.transport.fire_arc")
def test_passengers_fire_to_the_sides():
    table = Table()
    carrier = table.put(truck(6), "E5", facing="north")
    unit = ride(table, carrier, rifles(2))
    left, ahead = table.put(squad(), "B5", RED), table.put(squad(), "E2", RED)
    assert table.may_aim(unit, "Rifle", left) and not table.may_aim(unit, "Rifle", ahead)


@pytest.mark.rule("d47.transport.fire_half", "d47.open.passenger_half_rounding")
def test_half_the_spaces_fire_to_one_side():
    table = Table()
    carrier = table.put(truck(5), "E5", facing="north")
    unit = ride(table, carrier, rifles(4))
    left, right = table.put(squad(men=5), "B5", RED), table.put(squad(men=5), "H5", RED)
    lines = table.rules.attacks.weapon_lines(table.play, Attack(unit))
    decision = table.rules.attacks.declaration(table.play, Attack(unit), lines)
    to_left = next(aim for aim in decision.choices[0] if aim and aim[0] == left.id)
    to_right = next(aim for aim in decision.choices[0] if aim and aim[0] == right.id)
    assert decision.objection((to_left,) * 3 + (None,)).rule == "d47.transport.fire_half"
    assert decision.objection((to_left, to_left, to_right, to_right)) is None


@pytest.mark.rule("d47.transport.untargetable")
def test_passengers_cannot_be_attacked():
    table = Table()
    carrier = table.put(truck(6), "C5", RED)
    unit = ride(table, carrier, rifles())
    shooter = table.put(rifles(), "C8")
    targets = table.rules.attacks.possible_targets(table.play, Attack(shooter))
    assert carrier in targets and unit not in targets


@pytest.mark.rule("d47.transport.skills_not_on_vehicle")
def test_passengers_do_not_order_their_own_transport():
    table = Table()
    carrier = table.put(truck(6), "C5", tokens="activated, suppressed")
    unit = ride(table, carrier, hero(weapon(), skills="Officer"))
    assert carrier not in table.rules.command.in_hearing(table.play, unit, "rally")


@pytest.mark.rule("d47.skill.aircraft_fast_passengers")
def test_from_a_fast_aircraft_nobody_fires():
    table = Table()
    plane = table.put(aircraft(skills="Passengers (6), Helicopter"), "C5", facing="north")
    unit = ride(table, plane, rifles())
    foe = table.put(squad(), "F5", RED)
    assert table.may_aim(unit, "Rifle", foe)
    plane.set(EVADES_WELL)
    assert not table.may_aim(unit, "Rifle", foe)


@pytest.mark.rule("d47.open.passenger_reaction")
def test_passengers_react_with_a_single_attack():
    table = Table()
    carrier = table.put(truck(6), "C5", RED, facing="north")
    unit = ride(table, carrier, rifles(2))
    mover = table.put(rifles(2), "F7")
    game = table.activate(
        mover, "move", "attack", move="F6", react=unit, dice="AA SS SS", declare=[mover, carrier], casualty=0
    )
    assert "reaction-attack" not in game.asked and game.dice("to hit") == [2, 2]


# -- the end of a carrier -----------------------------------------------------------------------


@pytest.mark.rule("d47.transport.destroyed_roll", "d47.transport.survivors", "d47.open.passenger_damage_who")
def test_a_crash_hurts_on_target_and_survivors_are_suppressed():
    table = Table()
    carrier = table.put(truck(6), "C5")
    unit = ride(table, carrier, rifles(3))
    game = wreck(table, carrier, "TSA", survivors="C5")
    assert game.dice("crash") == [3] and unit.models == 2 and unit.where == (table.at("C5"),)
    assert unit.suppressed and unit.activated
    placing = next(decision for decision in game.decisions if decision.key == "survivors")
    assert table.at("D6") in placing.spots and table.at("C7") not in placing.spots


@pytest.mark.rule("d47.transport.survivors", "d47.open.critical_destroyed")
@pytest.mark.parametrize(
    "option, order",
    [
        ("before_survivors", ["to hit", "critical hit", "critical hit table", "crash"]),
        ("after_attack", ["to hit", "crash", "critical hit", "critical hit table"]),
    ],
)
def test_survivors_know_whether_the_wreck_burns_unless_the_house_rules_otherwise(option, order):
    table = Table(options={"critical_transport": option})
    shooter = table.put(squad(weapon("Bazooka", "1/#", 6), men=1), "C2", RED)
    carrier = table.put(truck(6), "C5")
    unit = ride(table, carrier, rifles(3))
    dice = "A AA AT SSS" if option == "before_survivors" else "A SSS AA AT"
    game = table.attack(shooter, carrier, dice=dice, survivors="C6")
    assert game.labels == order and unit.where == (table.at("C6"),)
    assert table.state.table.has(table.at("C5"), "burning_wreck")


@pytest.mark.rule("d47.transport.destroyed_resilient")
def test_resilience_works_in_a_crash():
    table = Table()
    carrier = table.put(truck(6), "C5")
    unit = ride(table, carrier, rifles(3, skills="Damage Resilient"))
    wreck(table, carrier, "TTA AS", survivors="C5")
    assert unit.models == 2


@pytest.mark.rule("d47.transport.no_space")
def test_without_room_the_survivors_are_lost():
    table = Table("structure from B4 to D6")
    carrier = table.put(truck(6), "C5")
    table.state.table = table.state.table.placing("impassable", (table.at("C5"),))
    unit = ride(table, carrier, rifles(3))
    game = wreck(table, carrier, "SSS")
    assert unit.status == LOST and "d47.transport.no_space" in game.rules


# -- airlifters ---------------------------------------------------------------------------------


def lifted(table: Table, skills: str = "Airmobile", at: str = "C5"):
    plane = table.put(aircraft(skills="Airlifter, Helicopter"), at)
    walker = ride(table, plane, vehicle(weapon("Gun", "1/1", 6), damage=4, skills=skills))
    return plane, walker


@pytest.mark.rule("d47.airlift.who", "d47.skill.airlifter", "d47.skill.airmobile", "d47.open.airlift_capacity")
def test_an_airlifter_carries_one_airmobile_vehicle():
    table = Table()
    plane = table.put(aircraft(skills="Airlifter"), "C5")
    fits = table.rules.transport.fits
    assert fits(table.play, table.put(vehicle(skills="Airmobile"), "E5"), plane)
    assert fits(table.play, table.put(vehicle(skills="Air Assault"), "F5"), plane)
    assert not fits(table.play, table.put(vehicle(), "G5"), plane)
    assert not fits(table.play, table.put(rifles(), "H5"), plane)
    ride(table, plane, vehicle(skills="Airmobile"))
    assert not fits(table.play, table.put(vehicle(skills="Airmobile"), "I5"), plane)


@pytest.mark.rule("d47.airlift.mount")
def test_a_vehicle_mounts_from_an_adjacent_square():
    table = Table()
    plane = table.put(aircraft(skills="Airlifter"), "C5")
    walker = table.put(vehicle(skills="Airmobile"), "C8")
    game = table.activate(walker, "move", move="C6 N", mount=plane)
    assert walker.status == ABOARD and "d47.airlift.mount" in game.rules


@pytest.mark.rule("d47.airlift.untargetable", "d47.open.airlift_carried_actions")
def test_a_carried_vehicle_is_safe_and_cannot_fight():
    table = Table()
    _, walker = lifted(table)
    foe = table.put(rifles(), "C8", RED)
    assert walker not in table.rules.attacks.possible_targets(table.play, Attack(foe))
    assert not any("attack" in s and "move" not in s for s in table.menu(walker))
    assert not table.rules.reactions.may_react(table.play, walker)


@pytest.mark.rule("d47.airlift.dismount_timing", "d47.skill.air_assault")
@pytest.mark.parametrize(("skill", "late"), [("Airmobile", False), ("Air Assault", True)])
def test_who_may_leave_after_the_airlifter_has_acted(skill: str, late: bool):
    table = Table()
    plane, walker = lifted(table, skill)
    assert table.rules.transport.may_leave(table.play, walker) == (True, True)
    plane.set(1)
    assert table.rules.transport.may_leave(table.play, walker)[0] == late


@pytest.mark.rule("d47.airlift.destroyed_roll", "d47.airlift.survivor")
def test_a_falling_vehicle_is_hurt_on_target_or_shield():
    table = Table()
    plane, walker = lifted(table)
    game = wreck(table, plane, "TSAA", survivors="C5 N")
    assert game.dice("fall") == [4] and walker.main.damage == 2
    assert walker.where == (table.at("C5"),) and walker.suppressed and walker.activated


@pytest.mark.rule("d47.airlift.air_assault_roll")
def test_air_assault_vehicles_fall_softer():
    table = Table()
    plane, walker = lifted(table, "Air Assault")
    wreck(table, plane, "TSAA", survivors="C5 N")
    assert walker.main.damage == 1


@pytest.mark.rule("d47.airlift.no_space")
def test_a_vehicle_that_cannot_land_is_destroyed():
    table = Table("structure at C5")
    plane, walker = lifted(table)
    game = wreck(table, plane, "AAAA")
    assert walker.status == LOST and "d47.airlift.no_space" in game.rules


# -- sealifters ---------------------------------------------------------------------------------


def landing_craft(table: Table, at: str = "C5", facing: str = "north"):
    return table.put(vehicle(locomotion="naval", skills="Naval Unit, Sealifter"), at, facing=facing)


@pytest.mark.rule("d47.sealift.capacity", "d47.skill.sealifter")
def test_a_sealifter_has_twelve_spaces():
    table = Table("water from A1 to L12")
    ship = landing_craft(table)
    fits = table.rules.transport.fits
    assert fits(table.play, table.put(vehicle()), ship) and fits(table.play, table.put(vehicle(size="large")), ship)
    assert not fits(table.play, table.put(vehicle(size="huge")), ship)
    ride(table, ship, vehicle())
    assert fits(table.play, table.put(rifles(6)), ship) and not fits(table.play, table.put(rifles(7)), ship)


@pytest.mark.rule("d47.sealift.mount")
def test_units_board_a_sealifter_from_the_beach():
    table = Table("water from A5 to L12")
    ship = landing_craft(table)
    unit = table.put(rifles(), "C3")
    game = table.activate(unit, "move", move="C4", mount=ship)
    assert unit.status == ABOARD and "d47.sealift.mount" in game.rules


@pytest.mark.rule("d47.sealift.mount")
@pytest.mark.parametrize("at, action, offered", [("C2", "move", False), ("C2", "march", True), ("C4", "move", True)])
def test_whoever_has_no_step_left_to_go_into_a_sealifter_stays_outside(at, action, offered):
    table = Table("water from A5 to L12")
    landing_craft(table)
    unit = table.put(rifles(), at)
    answers = {action: "C4"} | ({"mount": None} if offered else {})
    table.activate(unit, action, **answers)  # an answer that nobody asks for is an error
    assert table.state.table.name(unit.place) == "C4"


@pytest.mark.rule("d47.sealift.activate_separately", "d47.sealift.no_actions", "d47.sealift.untargetable")
def test_cargo_acts_for_itself_and_only_leaves():
    table = Table("water from A5 to L12")
    ship = landing_craft(table)
    unit = ride(table, ship, rifles())
    foe = table.put(rifles(), "C3", RED)
    assert unit in table.rules.turn.waiting(table.play, BLUE)
    assert not any("attack" in s and "move" not in s for s in table.menu(unit))
    assert unit not in table.rules.attacks.possible_targets(table.play, Attack(foe))


@pytest.mark.rule("d47.sealift.dismount")
def test_cargo_leaves_before_the_ship_acts():
    table = Table("water from A5 to L12")
    ship = landing_craft(table)
    unit = ride(table, ship, rifles(move=2))
    table.activate(unit, "move", dismount="C4")
    assert unit.where == (table.at("C4"),)
    ship.set(1)
    late = ride(table, ship, rifles())
    assert table.rules.transport.may_leave(table.play, late) == (False, False)


@pytest.mark.rule("d47.sealift.sunk", "d47.open.sealift_side_contact")
@pytest.mark.parametrize("facing", ["south", "east"])
def test_cargo_goes_down_unless_the_bow_door_is_ashore(facing: str):
    table = Table("water from A5 to L12")
    ship = landing_craft(table, facing=facing)
    unit = ride(table, ship, rifles())
    game = wreck(table, ship, "")
    assert unit.status == LOST and "d47.sealift.sunk" in game.rules


@pytest.mark.rule("d47.sealift.beached")
def test_a_beached_ship_lets_its_cargo_out_unharmed():
    table = Table("water from A5 to L12")
    ship = landing_craft(table, facing="north")
    unit = ride(table, ship, rifles())
    wreck(table, ship, "", survivors="C4")
    assert unit.where == (table.at("C4"),) and unit.models == 3 and not unit.suppressed and not unit.activated


@pytest.mark.rule("d47.sealift.dismount", "d47.move.no_stacking_end")
def test_a_large_vehicle_leaves_a_sealifter_for_dry_land_only():
    table = Table("water from A5 to L12")
    ship = landing_craft(table, facing="north")
    tank = ride(table, ship, vehicle(size="large", locomotion="tracked", move=3))
    exits = table.rules.transport.exits(table.play, tank, 3)
    squares = {place for end in exits for place in table.state.table.footprint("large", end)}
    assert exits and all(not table.state.table.has(place, "water") for place in squares)


@pytest.mark.rule("d47.sealift.dismount")
def test_a_large_vehicle_can_leave_a_sealifter_at_the_edge_of_the_board():
    table = Table("water from A2 to A12", size=(12, 12))
    ship = landing_craft(table, "A12", facing="east")
    tank = ride(table, ship, vehicle(size="large", locomotion="tracked", move=3))
    assert table.rules.transport.may_leave(table.play, tank) == (True, True)
