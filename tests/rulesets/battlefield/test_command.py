"""Command squads and their orders (bf.command.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.battlefield.flags import ATTACK_STIMULANTS, MOVE_STIMULANTS
from rulesets.battlefield.field import RED, Field
from rulesets.dust1947.table import hero, kill, squad, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 4)
ROLES = {0: "officer", 1: "radio", 2: "medic", 3: "mechanic"}
ENTRY = {"entry": [[[0, 100, 180, 20]], [[0, 0, 180, 20]]]}


def commanded(place=(500, 620), card=None, **details: object):
    field = Field(**ENTRY)
    staff = field.put(squad(RIFLE, men=5, skills="Command Squad", roles=ROLES, **details), (500, 500))
    return field, staff, field.put(card or squad(RIFLE, men=4), place)


def orders(field, unit):
    return set(field.rules.activations.specials(field.play, unit))


@pytest.mark.rule("bf.command.squad", "bf.command.no_rally")
def test_each_specialist_gives_his_orders_and_takes_them_with_him():
    field, staff, other = commanded()
    other.set(1)
    other.set(1 << 3)
    kill(other, 3)
    field.rules.ground.regroup(field.state, other)
    tank = field.put(vehicle(damage=5), (560, 420))
    tank.main.damage = 2
    assert {"get-moving", "get-up", "inject", "repair"} <= orders(field, staff) and "rally" not in orders(field, staff)
    kill(staff, 2)
    assert not {"get-up", "inject"} & orders(field, staff)


@pytest.mark.rule("bf.command.get_moving", "bf.command.get_moving_limit", "bf.open.failed_command_rest")
def test_get_moving_lets_another_unit_act_again_once():
    field, staff, other = commanded()
    other.set(1)
    game = field.activate(
        staff,
        "special:get-moving",
        "special:get-moving",
        dice="S A",
        get_moving=other,
        actions=[("special:get-moving", "special:get-moving"), ()],
    )
    assert game.labels == ["get moving", "get moving"] and "bf.command.get_moving" in game.rules
    assert other not in field.rules.command.to_reactivate(field.play, staff)


@pytest.mark.rule("bf.command.radio", "bf.open.officer_range")
@pytest.mark.parametrize(
    "radio, place, able", [(True, (500, 1100), True), (False, (500, 1100), False), (False, (500, 700), True)]
)
def test_a_radio_reaches_everybody_and_a_voice_twenty_centimetres(radio, place, able):
    field, staff, other = commanded(place)
    other.set(1)
    if not radio:
        kill(staff, 1)
        field.rules.ground.regroup(field.state, staff)
    assert ("get-moving" in orders(field, staff)) is able


@pytest.mark.rule("bf.command.ammo_drop")
@pytest.mark.parametrize("die, full", [("A", True), ("T", True), ("S", False)])
def test_an_ammo_drop_clears_the_boxes(die, full):
    field, staff, other = commanded(card=squad(weapon("Faust", "1/1", 4, ammo=1), men=2))
    other.main.mark(0, 1, 0)
    field.activate(staff, "special:ammo-drop", dice=die, ammo_drop=other)
    assert (other.main.marked(0) == 0) is full


@pytest.mark.rule("bf.command.reinforcements", "bf.command.reinforcements_once", "bf.open.reinforcement_entry")
def test_a_lost_squad_comes_back_once():
    field, staff, other = commanded()
    kill(other, 0, 1, 2, 3)
    field.rules.ground.lift(other, "lost")
    game = field.activate(
        staff,
        "special:reinforcement",
        dice="A",
        fresh=other,
        actions=[("special:reinforcement",), ("move",)],
        move=(900, 1050),
    )
    assert other.on_board and len(other.main.alive) == 4 and game.labels == ["reinforcements"]
    field.rules.ground.lift(other, "lost")
    assert "reinforcement" not in orders(field, staff)


@pytest.mark.rule("bf.open.command_targets_range", "bf.open.zombie_reinforcement")
def test_zombies_and_heroes_do_not_come_back():
    field, staff, zombies = commanded(card=squad(men=3, skills="Zombie"))
    field.rules.ground.lift(zombies, "lost")
    field.rules.ground.lift(field.put(hero(), (700, 600)), "lost")
    assert "reinforcement" not in orders(field, staff)


@pytest.mark.rule("bf.command.replacement_vehicle", "bf.command.replacement_once")
def test_a_lost_vehicle_is_replaced_once():
    field, staff, tank = commanded((900, 600), vehicle(damage=5, move=3))
    gun = field.put(vehicle(weapon("Gun", "1/#", 8)), (900, 200), RED)
    field.attack(gun, tank, dice="A")
    assert len(field.state.table.pieces_of("wreck")) == 1
    field.activate(
        staff,
        "special:replacement",
        dice="A",
        fresh=tank,
        actions=[("special:replacement",), ("move",)],
        move=(900, 1050, 0),
    )
    assert tank.on_board and tank.main.damage == 0 and not field.state.table.pieces_of("wreck")
    assert "replacement" not in orders(field, staff)


@pytest.mark.rule("bf.command.get_up")
@pytest.mark.parametrize("die, men", [("A", 4), ("S", 4), ("T", 3)])
def test_a_medic_helps_somebody_up(die, men):
    field, staff, other = commanded((500, 590))
    kill(other, 3)
    field.rules.ground.regroup(field.state, other)
    field.activate(staff, "special:get-up", dice=die, get_up=other)
    assert len(other.main.alive) == men and len(other.figures) == men


@pytest.mark.rule("bf.command.inject")
@pytest.mark.parametrize("die, flag", [("T", ATTACK_STIMULANTS), ("S", MOVE_STIMULANTS), ("A", MOVE_STIMULANTS)])
def test_an_injection_is_chosen_first_and_the_die_says_what_it_is(die, flag):
    field, staff, other = commanded((500, 590))
    field.activate(staff, "special:inject", dice=die, inject=other, inject_token="move")
    assert other.is_(flag)


@pytest.mark.rule("bf.command.attack_stimulants", "bf.command.move_stimulants", "bf.open.two_stimulants")
def test_stimulants_make_one_action_a_double_one():
    field, _, other = commanded((500, 700))
    foe = field.put(squad(men=9), (500, 300), RED)
    other.set(ATTACK_STIMULANTS)
    game = field.activate(other, "attack", dice="SSSSSSSS SSSSSSSS", target=foe)
    assert len(game.rolls[0].stages) == 2 and not other.is_(ATTACK_STIMULANTS)
    other.drop(1)
    other.set(MOVE_STIMULANTS | ATTACK_STIMULANTS)
    game = field.activate(other, "move", march=(500, 1000), stimulants_effect="move")
    assert field.points(other)[0] == (500, 1000) and not other.is_(MOVE_STIMULANTS | ATTACK_STIMULANTS)


@pytest.mark.rule("bf.command.makeshift_repair", "bf.vehicle.mechanic")
def test_a_mechanic_takes_damage_off():
    field, staff, tank = commanded((500, 400), vehicle(damage=5))
    tank.main.damage = 3
    field.activate(staff, "special:repair", dice="AASTT", repair=tank)
    assert tank.main.damage == 1
    helper = field.put(vehicle(skills="Mechanic"), (600, 400))
    assert "repair" in orders(field, helper)


@pytest.mark.rule("bf.vehicle.command_radio", "bf.vehicle.command_reroll", "bf.open.command_reroll_repair")
def test_a_command_vehicle_lends_a_radio_and_a_second_try():
    field = Field()
    car = field.put(vehicle(skills="Command Vehicle, Passengers (6)"), (500, 500))
    staff = field.put(squad(RIFLE, men=5, skills="Command Squad", roles={0: "officer", 3: "mechanic"}), aboard=car)
    far = field.put(squad(men=3), (500, 1100), tokens="activated")
    assert "get-moving" in orders(field, staff)
    game = field.activate(
        staff, "special:get-moving", dice="S A", get_moving=far, actions=[("special:get-moving",), ()]
    )
    assert len(game.rolls[0].stages) == 2
    tank = field.put(vehicle(damage=5), (600, 500))
    tank.main.damage = 3
    staff.drop(1)
    game = field.activate(staff, "special:repair", dice="SSSSS ASSSS", repair=tank)
    assert tank.main.damage == 2


@pytest.mark.rule("bf.superhuman.no_command")
def test_superhumans_take_no_orders():
    field, staff, brute = commanded((500, 590), hero(skills="Superhuman"))
    brute.main.damage = 1
    assert not field.rules.command.to_heal(field.play, staff)
