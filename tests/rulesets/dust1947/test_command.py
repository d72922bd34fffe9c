"""Command: officers, radios, medics, mechanics and the skills that order (d47.command.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust.events import Activated, Happened, Healed
from dieselfront.rulesets.dust.state import ABOARD, STIMULATED
from rulesets.dust1947.table import BLUE, RED, Table, aircraft, hero, kill, squad, vehicle, weapon

STAFF = {1: "officer", 2: "radio", 3: "medic", 4: "mechanic"}


def staff(armour: int = 2, **more: object):
    """A command squad: leader, officer, radio, medic, mechanic."""
    return squad(weapon("Pistol", "1/1", 3), men=5, armour=armour, roles=STAFF, skills="Command Squad", **more)


def officer(**more: object):
    more.setdefault("skills", "Officer")
    return hero(weapon("Pistol", "1/1", 3), **more)


def orders(table: Table, unit) -> set[str]:
    return {action[8:] for sequence in table.menu(unit) for action in sequence if action.startswith("special:")}


def friend(table: Table, at: str, tokens: str = "activated", **more: object):
    """A friendly squad that has done its turn."""
    return table.put(squad(weapon("Rifle", "1/1", 6), men=3, **more), at, tokens=tokens)


# -- who commands -------------------------------------------------------------------------------


@pytest.mark.rule("d47.command.specialists", "d47.skill.command_squad")
def test_each_specialist_brings_his_orders_and_takes_them_along():
    table = Table()
    unit = table.put(staff(), "C3")
    friend(table, "C4", "activated, under fire")
    hurt = friend(table, "D4")
    kill(hurt, 0)
    tank = table.put(vehicle(), "D3")
    tank.main.damage = 2
    assert {"rally", "get-moving", "get-up", "stimulants", "repair"} <= orders(table, unit)
    kill(unit, 1)
    assert not {"rally", "get-moving"} & orders(table, unit)
    kill(unit, 3)
    assert not {"get-up", "stimulants"} & orders(table, unit)
    kill(unit, 4)
    assert not orders(table, unit)


@pytest.mark.rule("d47.command.officer_sources", "d47.skill.officer")
def test_a_hero_with_officer_commands_and_others_do_not():
    table = Table()
    boss = table.put(officer(), "C3")
    plain = table.put(hero(weapon()), "C5")
    friend(table, "C4")
    assert "get-moving" in orders(table, boss) and not orders(table, plain)


@pytest.mark.rule("d47.command.from_ground_vehicle", "d47.command.from_aircraft")
def test_from_a_vehicle_all_command_from_an_aircraft_only_officers():
    table = Table()
    truck = table.put(vehicle(skills="Passengers (6)", locomotion="wheeled"), "C3", tokens="activated")
    plane = table.put(aircraft(skills="Passengers (6)"), "G3", tokens="activated")
    hurt = friend(table, "C4")
    other = friend(table, "G4")
    for one in (hurt, other):
        kill(one, 0)
    for carrier, expected in ((truck, {"get-moving", "get-up", "stimulants"}), (plane, {"get-moving"})):
        unit = table.put(staff())
        unit.status, unit.aboard = ABOARD, carrier.id
        found = table.rules.command.specials({}, unit, table.play)
        assert set(found) == expected
        assert carrier not in table.rules.command.to_reactivate(table.play, unit)


@pytest.mark.rule("d47.command.makeshift_repair_mounted", "d47.open.mechanic_mounted")
@pytest.mark.parametrize(("option", "offered"), [("never", False), ("other_vehicles", True)])
def test_a_mounted_mechanic_repairs_only_where_the_house_says_so(option: str, offered: bool):
    table = Table(options={"mechanic_mounted": option})
    truck = table.put(vehicle(skills="Passengers (6)"), "C3")
    tank = table.put(vehicle(), "C4")
    tank.main.damage = 1
    unit = table.put(staff())
    unit.status, unit.aboard = ABOARD, truck.id
    assert ("repair" in table.rules.command.specials({}, unit, table.play)) == offered


# -- radios -------------------------------------------------------------------------------------


@pytest.mark.rule("d47.command.radio_operator", "d47.command.get_moving_radio")
def test_the_radio_reaches_everywhere_and_dies_with_its_operator():
    table = Table()
    unit = table.put(staff(), "C3")
    far = friend(table, "K11")
    assert far in table.rules.command.to_reactivate(table.play, unit)
    kill(unit, 2)
    assert far not in table.rules.command.to_reactivate(table.play, unit)


@pytest.mark.rule("d47.command.armored_officer_radio")
@pytest.mark.parametrize(("armour", "radio"), [(2, False), (3, True), (4, True)])
def test_heavy_officers_carry_their_own_radio(armour: int, radio: bool):
    table = Table()
    assert table.rules.command.has_radio(table.play, table.put(officer(armour=armour), "C3")) == radio
    heavy = table.put(squad(weapon(), men=2, armour=armour, roles={1: "officer"}, skills="Command Squad"), "C5")
    assert table.rules.command.has_radio(table.play, heavy) == radio


@pytest.mark.rule("d47.command.vehicle_radio", "d47.command.hero_radio_sources")
def test_an_officer_uses_the_radio_of_what_he_drives_or_rides_in():
    table = Table()
    tank = table.put(vehicle(weapon("Gun", mount="turret")), "C3", pilot=officer(skills="Officer, Pilot"))
    assert table.rules.command.has_radio(table.play, tank)
    rider = table.put(officer())
    rider.status, rider.aboard = ABOARD, tank.id
    assert table.rules.command.has_radio(table.play, rider)
    assert not table.rules.command.has_radio(table.play, table.put(officer(), "F3"))
    joined = table.put(staff(), "H3", joined=officer())
    kill(joined, 1)
    assert table.rules.command.has_radio(table.play, joined)


@pytest.mark.rule("d47.open.vehicle_radio_squads", "d47.skill.command_vehicle_radio")
@pytest.mark.parametrize(("skill", "radio"), [("", False), ("Command Vehicle", True)])
def test_only_a_command_vehicle_lends_a_squad_an_operator(skill: str, radio: bool):
    table = Table()
    truck = table.put(vehicle(skills=skill), "C3")
    unit = table.put(staff())
    kill(unit, 2)
    unit.status, unit.aboard = ABOARD, truck.id
    assert table.rules.command.has_radio(table.play, unit) == radio


# -- orders that count on a move ------------------------------------------------------------------


def staff_without_radio():
    roles = {1: "officer", 2: "medic", 3: "mechanic"}
    return squad(weapon("Pistol", "1/1", 3), men=4, roles=roles, skills="Command Squad")


def patient(table: Table, at: str):
    """A unit that every specialist can do something for: infantry, or a vehicle for the mechanic."""
    hurt = table.put(squad(weapon("Faust", "1/1", 4, ammo=1), men=3), at, tokens="activated, under fire")
    hurt.main.mark(0, 1)
    kill(hurt, 0)
    return hurt


@pytest.mark.rule("d47.turn.declare_all", "d47.action.special")
@pytest.mark.parametrize(
    ("order", "far", "dice"),
    [
        ("rally", "C7", "AA"),
        ("get-moving", "C7", "S"),
        ("ammo-drop", "C7", "S"),
        ("get-up", "C6", "S"),
        ("repair", "C6", "SSSSS"),
    ],
)
def test_an_order_may_count_on_the_move_before_it(order: str, far: str, dice: str):
    table = Table()
    unit = table.put(staff_without_radio(), "C3")
    other = table.put(vehicle(damage=6), far) if order == "repair" else patient(table, far)
    other.main.damage = 3 if order == "repair" else 0
    menu = table.menu(unit)
    assert ("move", f"special:{order}") in menu
    assert not any(action == f"special:{order}" for sequence in menu for action in sequence[:1])
    answers = {"get_up": other, "return_soldier": 0} if order == "get-up" else {}
    game = table.activate(unit, "move", f"special:{order}", move="C5", mend="damage", dice=dice, **answers)
    assert game.labels == [order.replace("-", " ")]


@pytest.mark.rule("d47.turn.declare_all")
def test_an_order_that_finds_nobody_after_the_move_is_lost():
    table = Table()
    unit = table.put(staff_without_radio(), "C3")
    patient(table, "C6")
    game = table.activate(unit, "move", "special:get-up", move="C2")
    assert game.labels == []
    assert "d47.turn.declare_all" in [event.rule for event in game.of(Happened)]


@pytest.mark.rule("d47.turn.declare_all")
def test_an_order_is_not_offered_where_no_move_could_bring_anybody_near():
    table = Table()
    unit = table.put(staff_without_radio(), "C3")
    patient(table, "C11")
    assert not {"rally", "get-up", "get-moving", "repair", "ammo-drop"} & orders(table, unit)


@pytest.mark.rule("d47.turn.declare_all", "d47.skill.medevac", "d47.skill.follow_me")
def test_skills_that_order_count_on_the_move_too():
    table = Table()
    truck = table.put(vehicle(skills="Medevac", locomotion="wheeled"), "C2")
    boss = table.put(officer(skills="Follow Me"), "H2")
    hurt, man = patient(table, "C5"), table.put(squad(weapon()), "H6")
    game = table.activate(truck, "move", "special:medevac", move="C4 N", dice="A", return_soldier=0)
    assert game.labels == ["medevac"] and hurt.models == 3
    assert ("special:follow-me",) not in table.menu(boss)
    table.activate(boss, "move", "special:follow-me", move="H4", dice="A", follow_me_move="H8")
    assert man.where == (table.at("H8"),)


@pytest.mark.rule("d47.turn.declare_all", "d47.command.from_aircraft")
def test_a_medic_may_leave_his_carrier_and_treat():
    table = Table()
    truck = table.put(vehicle(skills="Passengers (6)", locomotion="wheeled"), "C3")
    unit = table.put(staff())
    unit.status, unit.aboard = ABOARD, truck.id
    hurt = patient(table, "C6")
    assert ("special:get-up",) not in table.menu(unit)
    table.activate(unit, "move", "special:get-up", dismount="C5", dice="A", get_up=hurt, return_soldier=0)
    assert hurt.models == 3


# -- orders -------------------------------------------------------------------------------------


@pytest.mark.rule("d47.command.get_moving", "d47.open.reactivation_full")
def test_get_moving_ends_the_officers_activation_and_another_unit_acts_again():
    table = Table()
    boss = table.put(officer(), "C3")
    other = friend(table, "C4", "activated, under fire")
    game = table.activate(
        boss,
        dice="A AS",
        get_moving=other,
        actions=[("special:get-moving", "special:get-moving"), ("move",)],
        move="C5",
    )
    assert [event.unit for event in game.of(Activated)] == [boss.id, other.id]
    assert game.labels == ["get moving", "recovery"] and other.where == (table.at("C5"),)


@pytest.mark.rule("d47.turn.repeat_special")
def test_a_failed_order_may_be_tried_again_with_the_second_action():
    table = Table()
    boss = table.put(officer(), "C3")
    friend(table, "C4")
    game = table.activate(boss, "special:get-moving", "special:get-moving", dice="S T")
    assert game.labels == ["get moving", "get moving"]


@pytest.mark.rule("d47.command.get_moving_once")
def test_a_unit_is_reactivated_once_per_turn():
    table = Table()
    boss = table.put(officer(), "C3")
    friend(table, "C4", "activated, reactivated")
    assert "get-moving" not in orders(table, boss)


@pytest.mark.rule("d47.open.get_moving_aircraft")
@pytest.mark.parametrize(("option", "able"), [("by_radio", True), ("never", False)])
def test_aircraft_are_reactivated_by_radio_if_the_house_says_so(option: str, able: bool):
    table = Table(options={"get_moving_aircraft": option})
    plane = table.put(aircraft(), "C4", tokens="activated")
    assert (plane in table.rules.command.to_reactivate(table.play, table.put(staff(), "C3"))) == able
    assert plane not in table.rules.command.to_reactivate(table.play, table.put(officer(), "C5"))


@pytest.mark.rule(
    "d47.command.rally_scope", "d47.command.rally_roll", "d47.open.rally_stunned", "d47.open.command_targets"
)
def test_rally_helps_all_near_or_one_far_away():
    table = Table()
    unit = table.put(staff(), "C3")
    one = friend(table, "C4", "suppressed, stunned")
    two = friend(table, "E3", "suppressed, stunned")
    far = friend(table, "K11", "under fire")
    table.put(squad(weapon()), "D4", RED, tokens="suppressed")
    game = table.activate(unit, "special:rally", dice="AA AS", rally="near")
    assert game.dice("rally") == [2, 2]
    assert not one.suppressed and not one.stunned, "two ARMY remove everything"
    assert two.under_fire and two.stunned and not two.suppressed, "one ARMY takes a step and leaves the stun"
    table.activate(unit, "special:rally", dice="AS", rally=far)
    assert not far.under_fire


@pytest.mark.rule("d47.command.ammo_drop", "d47.command.ammo_drop_radio")
def test_an_ammo_drop_refills_a_unit():
    table = Table()
    unit = table.put(staff(), "C3")
    near = table.put(squad(weapon("Faust", "1/1", 4, ammo=1), men=2), "C4")
    far = table.put(squad(weapon("Faust", "1/1", 4, ammo=1), men=2), "K11")
    for other in (near, far):
        other.main.mark(0, 2)
    game = table.activate(unit, "special:ammo-drop", "special:ammo-drop", dice="T S", ammo_drop=far)
    assert far.main.marked(0) == 0 and near.main.marked(0) == 2
    assert game.of(Happened)[0].rule == "d47.command.ammo_drop_radio"
    kill(unit, 2)
    assert table.rules.command.to_supply(table.play, unit) == [near]


@pytest.mark.rule(
    "d47.command.get_up", "d47.command.get_up_ammo", "d47.open.heal_combined", "d47.open.heal_eliminated_unit"
)
def test_a_medic_brings_a_soldier_back_without_ammunition():
    table = Table()
    unit = table.put(staff(), "C3")
    hurt = table.put(squad(weapon("Faust", "1/1", 4, ammo=1), men=3), "C4", joined=hero(damage=3))
    hurt.main.mark(0, 1)
    kill(hurt, 1)
    hurt.parts[1].damage = 1
    game = table.activate(unit, "special:get-up", dice="S", get_up=hurt, heal_part=1)
    assert hurt.parts[1].damage == 0 and hurt.models == 3
    table.activate(unit, "special:get-up", dice="A", get_up=hurt)
    assert hurt.models == 4 and hurt.main.marked(0) == 1
    assert game.of(Healed)[0].points == 1
    assert hurt not in table.rules.command.to_heal(table.play, unit)


@pytest.mark.rule("d47.command.stimulants_give", "d47.command.stimulants_use")
@pytest.mark.parametrize(("die", "choice"), [("T", ""), ("A", "attack")])
def test_stimulants_make_an_attack_sustained(die: str, choice: str):
    table = Table()
    unit = table.put(staff(), "C3")
    other = table.put(squad(weapon("Rifle", "1/1", 6), men=1), "C4")
    foe = table.put(squad(men=3), "C8", RED, tokens="activated")
    table.activate(unit, "special:stimulants", stimulants=other)
    assert other.is_(STIMULATED)
    answers = {"stimulants_effect": choice} if choice else {}
    game = table.activate(other, "attack", dice=f"{die} SA T", target=foe, **answers)
    assert not other.is_(STIMULATED) and game.hits == 1


@pytest.mark.rule("d47.command.stimulants_use", "d47.open.stimulants_no_matching_action")
def test_stimulants_make_a_move_a_march():
    table = Table()
    other = table.put(squad(weapon(), men=1, move=1, march=4), "C4", tokens="stimulated")
    table.activate(other, "move", dice="S", march="C8")
    assert other.where == (table.at("C8"),)


@pytest.mark.rule("d47.command.stimulants_cap")
def test_stimulants_never_go_beyond_three_actions():
    table = Table()
    unit = table.put(squad(weapon(), skills="Infantry Ace"), "C4", tokens="stimulated")
    game = table.activate(unit, "move", dice="A T", move="C5")
    menu = next(decision for decision in game.decisions if decision.key == "actions")
    assert all(len(sequence) <= 2 for sequence in menu.options) and ("march", "attack") not in menu.options


@pytest.mark.rule(
    "d47.command.makeshift_repair", "d47.skill.mechanic", "d47.critical.full_repair", "d47.critical.single_repair"
)
def test_a_mechanic_repairs_damage_or_one_critical():
    table = Table()
    unit = table.put(hero(weapon(), skills="Mechanic"), "C3")
    tank = table.put(vehicle(damage=6), "C4")
    tank.main.damage, tank.criticals = 3, ("reduced_mobility", "immobilized")
    game = table.activate(unit, "special:repair", dice="AASTT", mend="damage")
    assert game.dice("repair") == [5] and tank.main.damage == 1 and len(tank.criticals) == 2
    table.activate(unit, "special:repair", mend="immobilized")
    assert tank.criticals == ("reduced_mobility",) and tank.main.damage == 1
    table.activate(unit, "special:repair", dice="ASSSS", mend="damage")
    assert tank.main.damage == 0 and tank.criticals == ()
    driver = table.put(vehicle(damage=6, skills="Mechanic"), "H3")
    driver.main.damage = 2
    assert "repair" not in orders(table, driver)


# -- skills -------------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.jammer_radio")
def test_a_jammer_makes_radio_successes_roll_again():
    table = Table()
    unit = table.put(staff(), "C3")
    friend(table, "K11")
    jammer = table.put(vehicle(skills="Jammer"), "C9", RED)
    game = table.activate(unit, "special:get-moving", dice="A S")
    assert [stage for stage, _ in game.rolls[0].stages] == ["roll", "re-roll"]
    table.rules.ground.put(table.state, jammer, table.at("C10"), 0)
    game = table.activate(unit, "special:get-moving", dice="S")
    assert len(game.rolls[0].stages) == 1
    near = friend(table, "C4")
    table.rules.ground.put(table.state, jammer, table.at("C9"), 0)
    game = table.activate(unit, dice="A", order_by="voice", get_moving=near, actions=[("special:get-moving",), ()])
    assert len(game.rolls[0].stages) == 1, "a voice cannot be jammed"


@pytest.mark.rule("d47.skill.command_vehicle_reroll", "d47.skill.jammer_command_vehicle")
def test_a_command_vehicle_rolls_again_and_the_jammer_strikes_twice():
    table = Table()
    truck = table.put(vehicle(skills="Command Vehicle, Passengers (6)"), "C3", tokens="activated")
    unit = table.put(staff())
    unit.status, unit.aboard = ABOARD, truck.id
    friend(table, "K11")
    game = table.activate(unit, "special:get-moving", dice="S S")
    assert [stage for stage, _ in game.rolls[0].stages] == ["roll", "re-roll"]
    table.put(vehicle(skills="Jammer"), "C9", RED)
    game = table.activate(unit, "special:get-moving", dice="A S A S")
    assert len(game.rolls[0].stages) == 4


@pytest.mark.rule("d47.skill.general_free_order")
def test_a_general_gives_one_order_for_nothing():
    table = Table()
    boss = table.put(officer(skills="Officer, General"), "C3")
    friend(table, "C4", "activated, under fire")
    menu = table.menu(boss)
    assert ("free:special:rally", "march") in menu and ("march", "free:special:rally", "move") not in menu
    assert not any(sum(a.startswith("free:") for a in sequence) > 1 for sequence in menu)
    plain = table.put(officer(), "E3")
    assert not any(a.startswith("free:") for sequence in table.menu(plain) for a in sequence)


@pytest.mark.rule("d47.skill.general_two_dice")
def test_a_general_with_a_staff_rolls_two_dice():
    table = Table()
    unit = table.put(staff(), "C3", joined=officer(skills="Officer, General"))
    friend(table, "C4")
    game = table.activate(unit, "special:get-moving", dice="ST")
    assert game.dice("get moving") == [2]


@pytest.mark.rule("d47.skill.desert_fox")
def test_the_desert_fox_lends_at_the_double():
    table = Table()
    boss = table.put(officer(skills="Officer, Desert Fox"), "C3")
    other = friend(table, "C4", move=2, march=4)
    game = table.activate(
        boss,
        dice="A",
        get_moving=other,
        actions=[("special:get-moving",), ("march", "free:move")],
        march="C8",
        move="C10",
    )
    assert other.where == (table.at("C10"),) and "d47.skill.desert_fox" in game.rules
    assert not any("free:move" in sequence for sequence in table.menu(other))


@pytest.mark.rule("d47.skill.follow_me", "d47.open.follow_me_action")
def test_follow_me_lets_light_infantry_dash():
    table = Table()
    boss = table.put(officer(skills="Follow Me"), "C3")
    light, other = friend(table, "C4", ""), friend(table, "D3", "")
    heavy = friend(table, "D4", "", armour=3)
    far = friend(table, "H8", "")
    game = table.activate(boss, "special:follow-me", dice="A S", follow_me_move="C6")
    assert game.dice("follow me") == [1, 1] and light.where == (table.at("C6"),)
    assert not light.activated and not table.rules.reactions.may_react(table.play, light)
    assert table.rules.reactions.may_react(table.play, other)
    assert heavy.where == (table.at("D4"),) and far.where == (table.at("H8"),)
    assert "follow-me" not in orders(table, boss), "once per turn"


@pytest.mark.rule("d47.skill.medevac", "d47.open.medevac_passengers")
def test_medevac_rolls_for_every_lost_soldier():
    table = Table()
    truck = table.put(vehicle(skills="Medevac", locomotion="wheeled"), "C3")
    hurt = friend(table, "C4", "")
    kill(hurt, 0, 1)
    game = table.activate(truck, "special:medevac", dice="AS", return_soldier=1)
    assert game.dice("medevac") == [2] and hurt.models == 2


@pytest.mark.rule("d47.skill.air_traffic_control", "d47.open.atc_ends_activation")
def test_air_traffic_control_sends_an_aircraft_again():
    table = Table()
    tower = table.put(vehicle(weapon(), skills="Air Traffic Control"), "C3")
    plane = table.put(aircraft(weapon("Gun", "1/1", 6)), "F6", tokens="activated")
    game = table.activate(tower, dice="A", actions=[("special:air-traffic-control", "move"), ("move",)], move="F8 N")
    assert [event.unit for event in game.of(Activated)] == [tower.id, plane.id]
    assert "air-traffic-control" not in orders(table, tower)


@pytest.mark.rule("d47.skill.air_alert")
def test_air_alert_widens_the_fire_of_vehicles_for_the_turn():
    table = Table()
    spotter = table.put(vehicle(weapon("Flak", "2/1", 8, mount="turret"), skills="Air Alert"), "C3")
    flak = table.put(vehicle(weapon("Flak", "2/1", 8, mount="turret")), "E3", BLUE)
    gunners = table.put(squad(weapon("MG", "2/1", 8), men=1), "G3", BLUE)
    plane = table.put(aircraft(damage=9), "D8", RED)
    assert table.plan(flak, "Flak", plane).hit.faces == 1
    table.activate(spotter, "special:air-alert", dice="A")
    assert table.plan(flak, "Flak", plane).hit.faces == 1 | 4
    assert table.plan(gunners, "MG", plane).hit.faces == 1
    table.run(table.rules.turn.begin(table.play), "AAA SSS", first=0)
    assert table.plan(flak, "Flak", plane).hit.faces == 1
