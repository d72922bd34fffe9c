"""Attacks: declaring, dice, saves, damage (d47.attack.arc/los/declare/hit/save/damage.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust.events import Damaged, Eliminated, SoldierLost, TerrainChanged
from dieselfront.rulesets.dust.shots import Attack
from rulesets.dust1947.table import BLUE, RED, Table, aircraft, hero, kill, knife, refused, squad, vehicle, weapon


def rifles(men: int = 3, dice: int = 1, reach: int = 6, **more: object):
    return squad(weapon("Rifle", f"{dice}/1", reach), men=men, **more)


# -- the whole attack ---------------------------------------------------------------------------


@pytest.mark.rule("d47.action.attack", "d47.attack.cc.ranged_first")
def test_shooting_is_done_before_the_blows_fall():
    table = Table()
    unit = table.put(squad(weapon("Rifle", "1/1", 6), knife("2/1"), men=2), "C3")
    foe = table.put(squad(knife("1/1"), men=5, name="Foes"), "C4", RED)
    # rifles: two hits, no save; then 2 knives × 2 dice against 3 knives of the survivors
    game = table.attack(unit, foe, "AA TT  SSSS SSS", declare=foe, retaliate=unit)
    assert game.labels == ["to hit", "infantry save", "to hit", "to hit"]
    assert game.dice("to hit") == [2, 4, 3]


@pytest.mark.rule("d47.action.sustained")
def test_a_sustained_attack_rolls_misses_again_once():
    table = Table()
    unit = table.put(rifles(3), "C3")
    foe = table.put(squad(men=5), "C6", RED)
    game = table.attack(unit, foe, "AST AS TT", sustained=True)
    assert game.hits == 2


# -- arcs and lines -----------------------------------------------------------------------------


@pytest.mark.rule("d47.attack.arc.infantry")
def test_infantry_fires_all_round():
    table = Table()
    unit = table.put(rifles(), "E5", facing="north")
    for at in ("E8", "E2", "H5", "B5"):
        assert table.may_aim(unit, "Rifle", table.put(squad(), at, RED))


@pytest.mark.rule("d47.attack.arc.turret", "d47.attack.arc.turn_needs_move")
def test_a_turret_turns_and_a_front_gun_needs_a_move():
    table = Table()
    tank = table.put(
        vehicle(weapon("Turret gun", "1/1", 6, mount="turret"), weapon("Hull gun", "1/1", 6, mount="front")),
        "E5",
        facing="north",
    )
    behind = table.put(squad(men=1), "E8", RED)
    assert table.may_aim(tank, "Turret gun", behind)
    assert not table.may_aim(tank, "Hull gun", behind)
    why = table.rules.attacks.why_not(table.play, Attack(tank), 0, 1, behind)
    assert why[0] == "d47.attack.arc.turn_needs_move"
    game = table.activate(tank, "move", "attack", move="E5 S", declare={"Hull gun": behind}, dice="S")
    assert game.dice("to hit") == [1]


@pytest.mark.rule("d47.attack.arc.aircraft_below")
def test_an_aircraft_cannot_shoot_straight_down():
    table = Table()
    plane = table.put(aircraft(weapon("Gun", "1/1", 6, mount="turret")), "C3")
    below = table.put(squad(), "C3", RED)
    beside = table.put(squad(), "D4", RED)
    assert not table.may_aim(plane, "Gun", below) and table.may_aim(plane, "Gun", beside)


@pytest.mark.rule("d47.open.range_origin_large")
def test_the_distance_of_big_units_is_the_smallest_between_their_squares():
    table = Table()
    tank = table.put(vehicle(size="large", locomotion="tracked"), "C4", facing="east")  # B4 and C4
    behind, ahead = table.put(squad(), "A4", RED), table.put(squad(), "F4", RED)
    assert [table.rules.ground.distance(table.state, tank, other) for other in (behind, ahead)] == [1, 3]


@pytest.mark.rule("d47.attack.los.large_origin")
def test_a_large_vehicle_sees_from_its_front_square():
    table = Table("structure at C5", size=(9, 9))
    gun = weapon("Turret", "1/1", 8, mount="turret")
    rear = weapon("Rear gun", "1/1", 8, mount="rear")
    tank = table.put(vehicle(gun, rear, size="large", locomotion="tracked"), "D5", facing="north")
    assert tank.where == (table.at("D5"), table.at("D6"))
    west = table.put(squad(), "A5", RED)
    south_west = table.put(squad(), "D9", RED)
    assert not table.may_aim(tank, "Turret", west)  # the structure stands beside the front square
    assert table.may_aim(tank, "Rear gun", south_west)


@pytest.mark.rule("d47.attack.los.huge_origin")
def test_a_huge_walker_may_choose_either_front_square():
    table = Table("structure at D4", size=(9, 9))
    walker = table.put(vehicle(weapon("Gun", "1/1", 8, mount="front"), size="huge"), "D6", facing="north")
    assert set(walker.where[:2]) == {table.at("D6"), table.at("E6")}
    foe = table.put(squad(), "E1", RED)
    assert table.may_aim(walker, "Gun", foe)
    table.state.table = table.state.table.placing("structure", (table.at("E3"),))
    assert not table.may_aim(walker, "Gun", foe)


# -- declaring ----------------------------------------------------------------------------------


@pytest.mark.rule("d47.attack.declare.weapon_target", "d47.attack.declare.split_targets")
def test_every_weapon_has_a_target_of_its_own():
    table = Table()
    unit = table.put(squad(weapon("Rifle", "1/1", 6), weapon("Bazooka", "2/3", 4, count=1), men=4), "C3")
    one, two = table.put(squad(men=5), "C6", RED), table.put(squad(men=5), "E6", RED)
    tank = table.put(vehicle(), "A6", RED)
    game = table.attack(unit, None, "A S AA TT", declare={"Rifle": [one, two, None, None], "Bazooka": tank})
    assert [event.target for event in game.events if hasattr(event, "saved")] == [one.id, two.id, tank.id]


@pytest.mark.rule("d47.attack.declare.locked", "d47.attack.declare.simultaneous")
def test_weapons_at_a_target_that_fell_are_used_up():
    table = Table()
    unit = table.put(
        vehicle(weapon("First", "1/5", 6, mount="turret"), weapon("Second", "1/5", 6, mount="turret", ammo=1)), "C3"
    )
    walker = table.put(vehicle(damage=3), "C6", RED)
    table.put(squad(), "D6", RED)
    game = table.attack(unit, walker, "A SS", pool_order=0)
    assert not walker.alive and len([r for r in game.rolls if r.label == "to hit"]) == 1
    assert unit.main.marked(1) == 1


@pytest.mark.rule("d47.attack.declare.limited_ammo_spent", "d47.attack.declare.optional_weapons")
def test_declared_ammunition_is_spent_and_undeclared_is_not():
    table = Table()
    unit = table.put(vehicle(weapon("Gun", "1/1", 6), weapon("Rocket", "1/1", 6, ammo=2)), "C3")
    foe = table.put(squad(men=5), "C6", RED)
    table.attack(unit, None, "S", declare={"Gun": foe})
    assert unit.main.marked(1) == 0
    table.attack(unit, None, "S", declare={"Rocket": foe})
    table.attack(unit, None, "S", declare={"Rocket": foe})
    assert unit.main.marked(1) == 2 and not table.may_aim(unit, "Rocket", foe)


@pytest.mark.rule("d47.attack.declare.single_model_all_weapons")
def test_heroes_and_vehicles_use_everything():
    table = Table()
    foe = table.put(squad(men=5), "C6", RED)
    for kind in (hero, vehicle):
        unit = table.put(kind(weapon("One", "1/1", 6), weapon("Two", "2/1", 6)), "C3")
        game = table.attack(unit, foe, "S SS")
        assert game.dice("to hit") == [1, 2]
        table.rules.ground.lift(unit, "lost")


@pytest.mark.rule("d47.attack.declare.infantry_survivors")
def test_only_the_weapons_of_survivors_fire():
    table = Table()
    unit = table.put(squad(weapon("Rifle", "1/1", 6, count=4), weapon("MG", "4/1", 6, count=1), men=5), "C3")
    foe = table.put(squad(men=5), "C6", RED)
    kill(unit, 1, 2)
    game = table.attack(unit, foe, "SS SSSS", pool_order=0)
    assert game.dice("to hit") == [2, 4]
    kill(unit, 4)
    assert not table.may_aim(unit, "MG", foe)


# -- dice ---------------------------------------------------------------------------------------


@pytest.mark.rule("d47.attack.hit.dice_count", "d47.attack.hit.success")
def test_the_cell_of_the_targets_armour_gives_the_dice_and_army_hits():
    table = Table()
    unit = table.put(squad(weapon("Gun", "S2 3/1, V3 1/2", 6), men=1), "C3")
    soldiers = table.put(squad(men=5, armour=2), "C6", RED)
    heavy = table.put(squad(men=5, armour=3), "E6", RED)
    walker = table.put(vehicle(armour=3), "A6", RED)
    game = table.attack(unit, soldiers, "AST T")
    assert game.hits == 1
    assert table.plan(unit, "Gun", walker).dice == 1
    assert not table.may_aim(unit, "Gun", heavy)


@pytest.mark.rule("d47.attack.hit.blast_dice")
def test_blast_rolls_a_die_for_every_miniature():
    table = Table()
    unit = table.put(hero(weapon("Mortar", "*/1", 6), weapon("Big one", "**/1", 6)), "C3")
    foe = table.put(squad(men=5), "C6", RED)
    tank = table.put(vehicle(), "E6", RED)
    assert table.plan(unit, "Mortar", foe).dice == 5
    assert table.plan(unit, "Mortar", tank).dice == 1
    assert table.plan(unit, "Big one", foe).dice == 10
    kill(foe, 0, 1)
    assert table.plan(unit, "Mortar", foe).dice == 3


@pytest.mark.rule("d47.attack.hit.blast_square", "d47.attack.hit.blast_hero_and_vehicle")
def test_blast_strikes_everybody_in_the_square_with_a_roll_each():
    table = Table()
    unit = table.put(hero(weapon("Mortar", "*/1", 6)), "C3")
    walker = table.put(vehicle(), "C6", RED)
    lone = table.put(hero(), "C6", RED)
    table.put(aircraft(), "C6", RED)
    game = table.attack(unit, walker, "S S")
    assert game.dice("to hit") == [1, 1]
    assert {shot.target.id for shot in table.shots(unit, "Mortar", walker)} == {walker.id, lone.id}


# -- saves --------------------------------------------------------------------------------------


@pytest.mark.rule("d47.attack.save.infantry_cover")
def test_infantry_in_cover_saves_on_army_or_shield():
    table = Table("rubble at C6")
    unit = table.put(rifles(4), "C3")
    foe = table.put(squad(men=5), "C6", RED)
    game = table.attack(unit, foe, "AAAA ASTT")
    assert game.labels == ["to hit", "cover save"] and game.saved == 2 and foe.models == 3


@pytest.mark.rule("d47.attack.save.infantry_open")
def test_infantry_in_the_open_saves_on_army_only():
    table = Table()
    unit = table.put(rifles(3), "C3")
    foe = table.put(squad(men=5), "C6", RED)
    game = table.attack(unit, foe, "AAA AST")
    assert game.labels == ["to hit", "infantry save"] and game.saved == 1 and foe.models == 3


@pytest.mark.rule("d47.attack.save.vehicle_cover")
def test_a_vehicle_saves_on_army_in_cover_and_never_in_the_open():
    table = Table("rubble at C6")
    unit = table.put(rifles(3), "C3")
    covered = table.put(vehicle(damage=9), "C6", RED)
    plain = table.put(vehicle(damage=9), "E6", RED)
    game = table.attack(unit, covered, "AAA AST SS")
    assert game.saved == 1 and covered.main.damage == 2
    game = table.attack(unit, plain, "AAA SS")
    assert game.labels[:1] == ["to hit"] and plain.main.damage == 3


@pytest.mark.rule("d47.attack.save.large_cover")
def test_one_covered_square_covers_a_large_vehicle():
    table = Table("trees at C7")
    unit = table.put(rifles(1), "C3")
    tank = table.put(vehicle(size="large", locomotion="tracked"), "C6", RED)  # C6 and C7
    assert [save.label for save in table.plan(unit, "Rifle", tank).saves] == ["cover save"]


@pytest.mark.rule("d47.attack.save.huge_cover", "d47.attack.save.own_squares_no_cover")
def test_two_covered_squares_cover_a_huge_walker_and_its_own_never_do():
    table = Table("rubble at C6", size=(12, 12))
    unit = table.put(rifles(1, reach=9), "C3")
    giant = table.put(vehicle(size="huge"), "C6", RED)  # C6 D6 C7 D7
    assert table.plan(unit, "Rifle", giant).saves == ()
    table.state.table = table.state.table.placing("rubble", (table.at("D6"),))
    assert len(table.plan(unit, "Rifle", giant).saves) == 1


# -- damage -------------------------------------------------------------------------------------


@pytest.mark.rule("d47.attack.damage.infantry")
def test_a_hit_takes_one_soldier_whatever_the_damage():
    table = Table()
    unit = table.put(hero(weapon("Cannon", "2/3", 6)), "C3")
    foe = table.put(squad(men=5), "C6", RED)
    game = table.attack(unit, foe, "AA TT")
    assert len(game.of(SoldierLost)) == 2 and foe.models == 3


@pytest.mark.rule("d47.attack.damage.owner_chooses")
def test_the_owner_of_the_squad_picks_who_is_lost():
    table = Table()
    unit = table.put(rifles(1), "C3")
    foe = table.put(squad(weapon("Rifle", "1/1", 6, count=3), weapon("MG", "4/1", 6, count=1), men=4), "C6", RED)
    game = table.attack(unit, foe, "A T", casualty=1)
    asked = next(decision for decision in game.decisions if decision.key == "casualty")
    assert asked.player == RED and 1 not in foe.main.alive and 3 in foe.main.alive


@pytest.mark.rule("d47.attack.damage.value", "d47.attack.damage.destroyed")
def test_damage_fills_the_track_and_a_full_track_destroys():
    table = Table()
    unit = table.put(hero(weapon("Cannon", "2/3", 6)), "C3")
    tough = table.put(vehicle(damage=7), "C6", RED)
    weak = table.put(vehicle(damage=6), "E6", RED)
    game = table.attack(unit, tough, "AA SS")
    assert game.of(Damaged)[0].points == 6 and tough.alive and tough.main.left == 1
    game = table.attack(unit, weak, "AA SS")
    assert not weak.alive and game.of(Eliminated)[0].unit == weak.id
    assert game.of(TerrainChanged)[0].feature == "wreck"


@pytest.mark.rule("d47.attack.damage.auto_kill", "d47.attack.damage.auto_kill_each_hit")
def test_every_automatic_kill_deals_the_whole_track():
    table = Table()
    unit = table.put(hero(weapon("Death ray", "2/#", 6)), "C3")
    walker = table.put(vehicle(damage=5, skills="Damage Resilient"), "C6", RED)
    assert table.plan(unit, "Death ray", walker).damage == 5
    game = table.attack(unit, walker, "AA AAAAAASSSS SS")  # ten resilience dice, six negate
    assert game.dice("damage resilient") == [10] and walker.main.damage == 4
    assert walker.alive


@pytest.mark.rule("d47.attack.damage.sequential")
def test_hits_on_a_combined_unit_go_one_by_one_to_hero_or_soldiers():
    table = Table()
    unit = table.put(rifles(3), "C3")
    foe = table.put(squad(men=3), "C6", RED, joined=hero(damage=2))
    game = table.attack(unit, foe, "AAA TTT", divide_hits=1)
    assert foe.parts[1].damage == 1 and len(foe.main.alive) == 1
    asked = next(decision for decision in game.decisions if decision.key == "divide-hits")
    assert asked.player == RED and refused(lambda: asked.check(3)).reason


@pytest.mark.rule("d47.attack.los.vehicle_blocks")
def test_a_vehicle_in_between_hides_the_target_and_infantry_does_not():
    table = Table()
    unit = table.put(rifles(), "C3")
    foe = table.put(squad(), "C7", RED)
    friend = table.put(squad(), "C5", BLUE)
    assert table.may_aim(unit, "Rifle", foe)
    table.rules.ground.lift(friend, "lost")
    table.put(vehicle(), "C5", BLUE)
    assert not table.may_aim(unit, "Rifle", foe)
    why = table.rules.attacks.why_not(table.play, Attack(unit), 0, 0, foe)
    assert why[0] == "d47.attack.los.vehicle_blocks" and "C5" in why[1]
