"""Engineering: wrecks, wire, mines, trenches, fortifications, scenery (d47.engineer.*, d47.clear.*, d47.*.clear)."""

from __future__ import annotations

from typing import Any

import pytest

from dieselfront.rulesets.dust.events import Eliminated, Happened
from dieselfront.rulesets.dust.state import Unit
from rulesets.dust1947.table import BLUE, RED, Table, aircraft, hero, knife, squad, vehicle, weapon

WORK = "special:engineering"
GUN = weapon("Gun", "2/1", 6)


def site(*terrain: str, card: Any = None, at: str = "C4", **more: Any) -> tuple[Table, Unit]:
    table = Table(*terrain, size=(9, 9), **more)
    return table, table.put(card or vehicle(GUN), at)


def may_work(table: Table, unit: Unit) -> bool:
    return any(WORK in sequence for sequence in table.menu(unit))


# -- wrecks -----------------------------------------------------------------------------------------


@pytest.mark.rule("d47.clear.wreck", "d47.open.clearing_who")
@pytest.mark.parametrize("die, cleared", [("A", True), ("S", False), ("T", False)])
def test_any_vehicle_clears_a_wreck_beside_it_on_army(die, cleared):
    table, tank = site("wreck at C5")
    table.activate(tank, WORK, dice=die)
    assert table.state.table.has(table.at("C5"), "wreck") is not cleared


@pytest.mark.rule("d47.clear.wreck_dozer")
@pytest.mark.parametrize("die, cleared", [("A", True), ("T", True), ("S", False)])
def test_a_dozer_clears_a_wreck_on_target_too(die, cleared):
    table, dozer = site("wreck at C5", card=vehicle(skills="Dozer Blade"))
    table.activate(dozer, WORK, dice=die)
    assert table.state.table.has(table.at("C5"), "wreck") is not cleared


@pytest.mark.rule("d47.clear.wreck", "d47.critical.fire_smoke")
def test_clearing_a_burning_wreck_takes_fire_and_smoke_away():
    table, tank = site("wreck at C5")
    table.rules.criticals.set_wreck_alight(table.play, (table.at("C5"),), "d47.critical.fire_smoke")
    table.activate(tank, WORK, dice="A")
    assert table.state.table.features(table.at("C5")) == ()


@pytest.mark.rule("d47.clear.wreck", "d47.open.clearing_who")
def test_neither_infantry_nor_aircraft_clear_wrecks():
    for card in (squad(GUN), aircraft(GUN, skills="Helicopter")):
        table, unit = site("wreck at C5", card=card)
        assert not may_work(table, unit)


@pytest.mark.rule("d47.clear.wreck")
def test_a_wreck_must_be_beside_the_vehicle():
    table, tank = site("wreck at C6", card=vehicle(GUN, move=1, march=1))
    game = table.activate(tank, WORK)
    assert game.rolls == []
    table, tank = site("wreck at C6", card=vehicle(GUN, move=1, march=1))
    table.activate(tank, "move", WORK, move="C5", dice="A")
    assert not table.state.table.has(table.at("C6"), "wreck")


@pytest.mark.rule("d47.turn.repeat_special", "d47.clear.wreck")
def test_the_work_may_be_tried_twice_in_one_activation():
    table, tank = site("wreck at C5")
    table.activate(tank, WORK, WORK, dice="SA")
    assert not table.state.table.has(table.at("C5"), "wreck")


# -- wire -------------------------------------------------------------------------------------------


@pytest.mark.rule("d47.wire.clear")
def test_on_army_infantry_cuts_a_gap_one_square_wide_and_may_go_on():
    table, men = site("wire from B5 to D5", card=squad(GUN, men=3))
    table.activate(men, WORK, "move", dice="A", engineering=("wire", table.at("C5")), move="C6")
    assert [table.state.table.has(table.at(name), "wire") for name in ("B5", "C5", "D5")] == [True, False, True]
    assert men.place == table.at("C6")


@pytest.mark.rule("d47.wire.clear")
def test_otherwise_the_activation_of_the_infantry_is_over():
    table, men = site("wire at C5", card=squad(GUN, men=3))
    game = table.activate(men, WORK, "move", dice="T")
    assert table.state.table.has(table.at("C5"), "wire")
    assert "move" not in game.asked


@pytest.mark.rule("d47.engineer.wire", "d47.weapon.cutting_engineering", "d47.weapon.grapple_engineering")
@pytest.mark.parametrize("rule", ["Cutting", "Grapple"])
@pytest.mark.parametrize("die, cut", [("A", True), ("S", False)])
def test_a_vehicle_with_a_saw_or_a_claw_cuts_wire_on_army(rule, die, cut):
    table, walker = site("wire at C5", card=vehicle(knife("1/1", rule, "Tool"), GUN))
    game = table.activate(walker, WORK, "move", dice=die, move="C3")
    assert table.state.table.has(table.at("C5"), "wire") is not cut
    assert walker.place == table.at("C3") and "move" in game.asked  # a vehicle goes on


@pytest.mark.rule("d47.engineer.wire")
@pytest.mark.parametrize("name, count", [("Dual Chainsaws", 1), ("Paired Claws", 1), ("Chainsaw", 2)])
def test_paired_saws_roll_two_dice_for_wire(name, count):
    table, walker = site("wire at C5", card=vehicle(knife("1/1", "Cutting", name, count=count)))
    game = table.activate(walker, WORK, dice="SA")
    assert game.dice("cutting wire") == [2]
    assert not table.state.table.has(table.at("C5"), "wire")


@pytest.mark.rule("d47.engineer.wire", "d47.skill.engineer_vehicle")
def test_an_engineer_vehicle_does_only_what_its_equipment_allows():
    saw = vehicle(knife("1/1", "Cutting", "Chainsaw"), skills="Engineer Vehicle")
    table, walker = site("wire at C5", card=saw)
    assert may_work(table, walker)
    table, walker = site("trench at C5", "minefield at D5", card=saw)
    assert not may_work(table, walker)
    table, tank = site("wire at C5", card=vehicle(GUN, skills="Engineer Vehicle"))
    assert not may_work(table, tank)


@pytest.mark.rule("d47.engineer.wire", "d47.critical.main_weapon")
def test_a_destroyed_saw_cuts_no_wire():
    table, walker = site("wire at C5", card=vehicle(knife("1/1", "Cutting", "Chainsaw")))
    walker.main.broken = 1
    assert not may_work(table, walker)


# -- mines ------------------------------------------------------------------------------------------


@pytest.mark.rule("d47.mines.clear")
def test_on_army_infantry_clears_one_square_of_mines():
    table, men = site("minefield from B5 to D5", card=squad(GUN, men=5))
    table.activate(men, WORK, dice="A", engineering=("minefield", table.at("C5")))
    assert [table.state.table.has(table.at(name), "minefield") for name in ("B5", "C5", "D5")] == [True, False, True]
    assert not men.suppressed


@pytest.mark.rule("d47.mines.clear")
def test_otherwise_the_mines_go_off_and_the_unit_is_suppressed():
    table, men = site("minefield at C5", card=squad(GUN, men=5))
    game = table.activate(men, WORK, dice="S TTTTS")
    assert men.suppressed
    assert game.dice("to hit") == [5]
    assert len(men.main.alive) == 5
    assert table.state.table.has(table.at("C5"), "minefield")


@pytest.mark.rule("d47.engineer.clear_mines", "d47.skill.dozer_blade_engineering")
def test_on_army_a_dozer_clears_four_squares_of_mines():
    table, dozer = site("minefield from B5 to D7", card=vehicle(skills="Dozer Blade"))
    squares = tuple(table.at(name) for name in ("C5", "D5", "C6", "D6"))
    table.activate(dozer, WORK, dice="A", engineering=("minefield", table.at("C5")), gap=squares)
    left = {table.state.table.name(place) for place in table.state.table.squares_with("minefield")}
    assert left == {"B5", "B6", "B7", "C7", "D7"}


@pytest.mark.rule("d47.engineer.clear_mines")
def test_otherwise_nothing_happens_to_the_dozer():
    table, dozer = site("minefield at C5", card=vehicle(skills="Dozer Blade"))
    game = table.activate(dozer, WORK, dice="T")
    assert dozer.main.damage == 0
    assert game.labels == ["ploughing mines"]
    assert table.state.table.has(table.at("C5"), "minefield")


@pytest.mark.rule("d47.engineer.clear_mines")
def test_a_vehicle_without_a_dozer_blade_clears_no_mines():
    table, tank = site("minefield at C5")
    assert not may_work(table, tank)


# -- trenches ---------------------------------------------------------------------------------------


@pytest.mark.rule("d47.engineer.fill_trench", "d47.skill.dozer_blade_engineering")
def test_on_army_a_dozer_fills_a_trench_and_those_inside_stand_beside_it_unharmed():
    table, dozer = site("trench at C5", card=vehicle(skills="Dozer Blade"))
    men = table.put(squad(men=4), "C5", RED)
    game = table.activate(dozer, WORK, dice="A", climb_out="C6")
    assert not table.state.table.has(table.at("C5"), "trench")
    assert men.place == table.at("C6")
    assert len(men.main.alive) == 4
    assert next(d for d in game.decisions if d.key == "climb-out").player == RED


@pytest.mark.rule("d47.engineer.fill_trench")
def test_otherwise_the_trench_stays():
    table, dozer = site("trench at C5", card=vehicle(skills="Dozer Blade"))
    men = table.put(squad(men=4), "C5", RED)
    table.activate(dozer, WORK, dice="T")
    assert table.state.table.has(table.at("C5"), "trench")
    assert men.place == table.at("C5")


@pytest.mark.rule("d47.engineer.fill_trench")
def test_other_vehicles_fill_no_trenches():
    table, tank = site("trench at C5", card=vehicle(knife("1/1", "Grapple", "Claw")))
    assert not may_work(table, tank)


# -- fortifications ---------------------------------------------------------------------------------


def siege(skills: str = "Dozer Blade", **more: Any) -> tuple[Table, Unit, Unit]:
    spec = {"kind": "bunker", "side": 1, "at": "D4", "facing": "north"}
    table = Table(size=(14, 14), fortifications=[spec], **more)
    table.raise_forts()
    dozer = table.put(vehicle(skills=skills), "C6")
    return table, dozer, table.put(squad(men=3), "E5", RED, joined=hero(skills="Cheat Death"))


@pytest.mark.rule("d47.engineer.bury", "d47.open.cheat_death_scope")
def test_two_consecutive_actions_and_army_bury_a_bunker_with_everybody_inside():
    table, dozer, men = siege()
    game = table.activate(dozer, WORK, WORK, dice="A")
    assert not men.alive
    assert table.state.forts == ()
    assert table.state.table.passages() == ()
    assert table.state.table.squares_with("bunker") == table.state.table.squares_with("fort_wall") == ()
    assert [event.unit for event in game.of(Eliminated)] == [men.id]
    assert game.labels == ["burying"]
    assert table.state.sides[BLUE].points_scored == 20


@pytest.mark.rule("d47.engineer.bury")
def test_without_army_the_bunker_stands():
    table, dozer, men = siege()
    table.activate(dozer, WORK, WORK, dice="S")
    assert men.alive and len(table.state.forts) == 1


@pytest.mark.rule("d47.engineer.bury")
def test_one_action_alone_is_not_enough_to_bury_anything():
    table, dozer, men = siege()
    game = table.activate(dozer, WORK)
    assert game.rolls == []
    game = table.activate(dozer, WORK, "move", move="C7")
    assert game.rolls == []
    assert men.alive


@pytest.mark.rule("d47.engineer.bury")
def test_only_a_dozer_buries_and_only_beside_the_walls():
    table, tank, _ = siege("Engineer Vehicle")
    assert not may_work(table, tank)
    table, dozer, _ = siege()
    table.rules.ground.put(table.state, dozer, table.at("B6"), None)
    assert table.activate(dozer, WORK, WORK).rolls == []


# -- scenery ----------------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.ammo_replenish_infantry", "d47.terrain.ammo_dump")
def test_a_squad_beside_an_ammo_dump_fills_up_with_one_action():
    table, men = site("ammo dump at C5", card=squad(weapon("Panzerfaust", "1/3", 3, ammo=1), men=2))
    men.main.mark(0, 1, 0)
    game = table.activate(men, "special:ammo-replenish", "move", move="C3")
    assert men.main.marked(0) == 0
    assert "d47.skill.ammo_replenish_infantry" in game.rules


@pytest.mark.rule("d47.skill.ammo_replenish_vehicle", "d47.terrain.ammo_dump")
def test_a_vehicle_beside_an_ammo_dump_needs_both_actions():
    table, tank = site("ammo dump at C5", card=vehicle(weapon("Rockets", "1/3", 6, ammo=2)))
    tank.main.mark(0, 2, 0)
    refill = [sequence for sequence in table.menu(tank) if "special:ammo-replenish" in sequence]
    assert refill == [("special:ammo-replenish",)]
    game = table.activate(tank, "special:ammo-replenish")
    assert tank.main.marked(0) == 0
    assert "d47.skill.ammo_replenish_vehicle" in game.rules


@pytest.mark.rule("d47.skill.ammo_replenish_infantry")
@pytest.mark.parametrize("terrain", [["ammo dump at C7"], ["ammo dump at C5", "wall between C4 and C5"]])
def test_an_ammo_dump_out_of_reach_or_sight_gives_nothing(terrain):
    table, men = site(*terrain, card=squad(weapon("Panzerfaust", "1/3", 3, ammo=1), men=2))
    men.main.mark(0, 1, 0)
    assert not any(sequence[:1] == ("special:ammo-replenish",) for sequence in table.menu(men))


@pytest.mark.rule("d47.skill.ammo_replenish_infantry", "d47.turn.declare_all")
@pytest.mark.parametrize(("goal", "full"), [("C5", True), ("C3", False)])
def test_who_declares_a_move_and_ammunition_gets_it_where_the_move_ends(goal, full):
    table, men = site("ammo dump at C6", card=squad(weapon("Panzerfaust", "1/3", 3, ammo=1), men=2))
    men.main.mark(0, 1, 0)
    game = table.activate(men, "move", "special:ammo-replenish", move=goal)
    assert (men.main.marked(0) == 0) == full
    assert ("d47.turn.declare_all" in [event.rule for event in game.of(Happened)]) != full


@pytest.mark.rule("d47.babylon.rocket", "d47.skill.makeshift_repair_scenery")
def test_a_vehicle_beside_the_rocket_repairs_itself_with_both_actions():
    table, tank = site("rocket prototype at C5", card=vehicle(GUN, damage=6))
    tank.main.damage = 4
    repairs = [sequence for sequence in table.menu(tank) if "special:scenery-repair" in sequence]
    assert repairs == [("special:scenery-repair",)]
    table.activate(tank, "special:scenery-repair", dice="AASTT")
    assert tank.main.damage == 2


@pytest.mark.rule("d47.babylon.rocket")
def test_a_vehicle_away_from_the_rocket_does_not_repair_itself():
    table, tank = site("rocket prototype at C7", card=vehicle(GUN, damage=6))
    tank.main.damage = 4
    assert not any("special:scenery-repair" in sequence for sequence in table.menu(tank))


@pytest.mark.rule("d47.babylon.pit")
def test_the_pit_blocks_no_sight_and_lends_follow_me_to_those_beside_it():
    table, man = site("archeological pit at C5", card=hero(GUN))
    far = table.put(squad(), "C7", RED)
    assert table.may_aim(man, "Gun", far)
    assert table.rules.scenery.near(table.play, man, "Follow Me")
    assert not table.rules.scenery.near(table.play, far, "Follow Me")


@pytest.mark.rule("d47.babylon.pit", "d47.skill.follow_me_scenery")
def test_a_hero_beside_the_pit_may_call_his_men_to_follow():
    table, man = site("archeological pit at C5", card=hero(GUN))
    table.put(squad(), "D4")
    assert any("special:follow-me" in sequence for sequence in table.menu(man))
    table.rules.ground.put(table.state, man, table.at("C2"), None)
    assert not any(sequence[:1] == ("special:follow-me",) for sequence in table.menu(man))
    assert ("move", "special:follow-me") in table.menu(man), "it may walk up first"


@pytest.mark.rule("d47.babylon.pit", "d47.skill.follow_me_scenery")
@pytest.mark.parametrize(("goal", "calls"), [("C3", 1), ("C1", 0)])
def test_a_hero_calls_only_where_the_pit_is_beside_him_in_the_end(goal, calls):
    table, man = site("archeological pit at C4", card=hero(GUN, move=3))
    table.rules.ground.put(table.state, man, table.at("C3" if not calls else "C1"), None)
    table.put(squad(), "D2")
    game = table.activate(man, "move", "special:follow-me", move=goal, dice="S" * calls)
    assert game.labels == ["follow me"] * calls
