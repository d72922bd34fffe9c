"""Critical hits: the check, the table, every result, fire and smoke, repairs (d47.critical.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust.events import CriticalHit, Damaged, Eliminated, Happened, TerrainChanged
from dieselfront.rulesets.dust.shots import Attack
from dieselfront.rulesets.dust.state import BURNING, Unit
from dieselfront.rulesets.dust1947.criticals import RESULTS
from rulesets.dust1947.table import BLUE, RED, Table, aircraft, hero, knife, squad, support, vehicle, weapon

GUN = weapon("Gun", "3/1", 8)
MG = weapon("MG", "1/1", 8)
ROCKETS = weapon("Rockets", "1/1", 8)


def duel(*terrain: str, target: object = None, **more: object) -> tuple[Table, Unit, Unit]:
    """A squad with a gun facing a tank with three weapons, four squares apart."""
    table = Table(*terrain, size=(9, 9), **more)
    shooter = table.put(squad(weapon("Gun", "3/1", 8), men=1), "C1")
    tank = table.put(target or vehicle(GUN, MG, ROCKETS, damage=6), "C5", RED)  # type: ignore[arg-type]
    return table, shooter, tank


def suffer(table: Table, unit: Unit, result: str, **answers: object) -> None:
    table.run(table.rules.criticals.suffer(table.play, unit, result), **answers)


# -- the check --------------------------------------------------------------------------------------


@pytest.mark.rule("d47.critical.trigger")
def test_two_army_after_damage_are_a_critical_hit():
    table, shooter, tank = duel()
    game = table.attack(shooter, tank, dice="ASS AA AS")
    assert [event.result for event in game.of(CriticalHit)] == ["reduced_mobility"]
    assert tank.criticals == ("reduced_mobility",)
    assert game.dice("critical hit") == [2]


@pytest.mark.rule("d47.critical.trigger")
@pytest.mark.parametrize("dice", ["ASS AS", "ASS ST"])
def test_anything_less_than_two_army_is_no_critical_hit(dice):
    table, shooter, tank = duel()
    table.attack(shooter, tank, dice=dice)
    assert tank.criticals == ()


@pytest.mark.rule("d47.critical.trigger", "d47.skill.damage_resilient")
def test_damage_that_was_negated_altogether_gives_no_roll():
    table, shooter, tank = duel(target=vehicle(GUN, damage=6, skills="Damage Resilient"))
    game = table.attack(shooter, tank, dice="ASS A")
    assert "critical hit" not in game.labels


@pytest.mark.rule("d47.critical.trigger")
def test_an_attack_without_damage_gives_no_roll():
    table, shooter, tank = duel("rubble at C5")
    game = table.attack(shooter, tank, dice="ASS A")
    assert "critical hit" not in game.labels


@pytest.mark.rule("d47.critical.trigger")
def test_infantry_suffers_no_critical_hits():
    table, shooter, _ = duel()
    man = table.put(hero(damage=4), "D5", RED)
    game = table.attack(shooter, man, dice="ASS T")
    assert man.main.damage == 1
    assert "critical hit" not in game.labels


@pytest.mark.rule("d47.critical.one_per_attack")
def test_three_weapons_on_one_tank_make_one_check():
    table = Table(size=(9, 9))
    shooter = table.put(vehicle(GUN, MG, ROCKETS), "C1", facing="south")
    tank = table.put(vehicle(GUN, damage=9), "C5", RED)
    game = table.attack(shooter, tank, dice="ASS A A AA SS")
    assert tank.main.damage == 3
    assert game.dice("critical hit") == [2]
    assert len(tank.criticals) == 1


@pytest.mark.rule("d47.critical.one_per_attack")
def test_two_tanks_damaged_by_one_attack_are_checked_each():
    table = Table(size=(9, 9))
    shooter = table.put(vehicle(GUN, MG), "C1", facing="south")
    one, other = table.put(vehicle(GUN), "C5", RED), table.put(vehicle(GUN), "E5", RED)
    game = table.attack(shooter, dice="ASS A AS ST", declare={"Gun": one, "MG": other})
    assert game.dice("critical hit") == [2, 2]


@pytest.mark.rule("d47.open.critical_trigger_scope")
def test_blows_in_close_combat_and_in_retaliation_can_cause_criticals():
    table = Table(size=(9, 9))
    blue = table.put(vehicle(knife("2/1", name="Claw"), damage=6), "C4", facing="south")
    red = table.put(vehicle(knife("2/1", name="Claw"), damage=6), "C5", RED, facing="north")
    game = table.attack(blue, red, dice="AS AS AA SS AA AS", retaliate={"Claw": blue})
    assert blue.criticals == ("immobilized",)
    assert red.criticals == ("reduced_mobility",)
    assert game.dice("critical hit") == [2, 2]


@pytest.mark.rule("d47.open.critical_trigger_scope")
def test_mines_and_fire_cause_no_criticals():
    table, _, tank = duel()
    mines = table.run(table.rules.hazards.mines(table.play, tank), dice="A")
    tank.set(BURNING)
    fire = table.run(table.rules.criticals.burn(table.play, tank))
    assert tank.main.damage == 3
    assert "critical hit" not in mines.labels + fire.labels


# -- the table --------------------------------------------------------------------------------------


@pytest.mark.rule("d47.critical.table")
@pytest.mark.parametrize(
    "pair, result",
    [
        ("AA", "main_weapon_destroyed"),
        ("AT", "on_fire"),
        ("TA", "on_fire"),
        ("AS", "reduced_mobility"),
        ("SA", "reduced_mobility"),
        ("TT", "secondary_weapon_destroyed"),
        ("TS", "targeting_system_damaged"),
        ("ST", "targeting_system_damaged"),
        ("SS", "immobilized"),
    ],
)
def test_the_unordered_pair_is_read_in_the_table(pair, result):
    table, shooter, tank = duel()
    table.attack(shooter, tank, dice=f"ASS AA {pair}", broken_weapon="MG")
    assert tank.criticals == (result,)


@pytest.mark.rule("d47.critical.table")
def test_every_unordered_pair_has_its_own_result():
    assert len(RESULTS) == len(set(RESULTS.values())) == 6


@pytest.mark.rule("d47.critical.duplicate_reroll")
def test_a_critical_the_vehicle_already_has_is_rolled_again():
    table, shooter, tank = duel()
    suffer(table, tank, "immobilized")
    game = table.attack(shooter, tank, dice="ASS AA SS SS AS")
    assert tank.criticals == ("immobilized", "reduced_mobility")
    assert game.dice("critical hit table") == [2, 2, 2]


@pytest.mark.rule("d47.open.critical_no_secondary")
def test_a_tank_with_one_weapon_rolls_again_for_the_secondary_weapon():
    table, shooter, tank = duel(target=vehicle(GUN, damage=6))
    table.attack(shooter, tank, dice="ASS AA TT AS")
    assert tank.criticals == ("reduced_mobility",)


@pytest.mark.rule("d47.open.critical_no_secondary")
def test_when_nothing_more_can_break_the_critical_has_no_effect():
    table, shooter, tank = duel()
    for result in dict.fromkeys(RESULTS.values()):
        suffer(table, tank, result, broken_weapon="MG")
    game = table.attack(shooter, tank, dice="ASS S AA")  # its smoke gives it a save
    assert game.of(CriticalHit) == []
    assert "d47.open.critical_no_secondary" in game.rules


# -- the results ------------------------------------------------------------------------------------


@pytest.mark.rule("d47.critical.main_weapon", "d47.open.critical_crippled")
def test_without_its_main_weapon_a_tank_fires_the_others_and_moves_as_before():
    table, shooter, tank = duel()
    suffer(table, tank, "main_weapon_destroyed")
    assert not table.may_aim(tank, "Gun", shooter)
    assert table.may_aim(tank, "MG", shooter)
    assert table.rules.movement.pace(table.play, tank) == (3, 5)


@pytest.mark.rule("d47.critical.secondary_weapon")
def test_the_owner_chooses_which_secondary_weapon_is_lost():
    table, shooter, tank = duel()
    game = table.attack(shooter, tank, dice="ASS AA TT", broken_weapon="Rockets")
    asked = game.decisions[-1]
    assert (asked.key, asked.player, list(asked.answers())) == ("broken-weapon", RED, [1, 2])
    assert game.of(Happened)[-1].text == "Rockets is destroyed"
    assert not table.may_aim(tank, "Rockets", shooter)
    assert table.may_aim(tank, "MG", shooter)
    assert table.may_aim(tank, "Gun", shooter)


@pytest.mark.rule("d47.critical.reduced_mobility")
@pytest.mark.parametrize("printed, halved", [((3, 5), (1, 2)), ((2, 4), (1, 2)), ((1, 3), (0, 1))])
def test_reduced_mobility_halves_the_pace_rounded_down(printed, halved):
    table, _, tank = duel(target=vehicle(GUN, move=printed[0], march=printed[1]))
    suffer(table, tank, "reduced_mobility")
    assert table.rules.movement.pace(table.play, tank) == halved


@pytest.mark.rule("d47.critical.reduced_mobility")
def test_a_vehicle_slowed_to_nothing_may_still_turn_in_place():
    table, _, tank = duel(target=vehicle(GUN, move=1, march=1, locomotion="tracked"))
    suffer(table, tank, "reduced_mobility")
    game = table.activate(tank, "move", move="C5 W")
    assert tank.facing == 3
    assert len(next(d for d in game.decisions if d.key == "move").spots) == 1  # type: ignore[attr-defined]


@pytest.mark.rule("d47.critical.reduced_mobility", "d47.open.strongpoint_unit_moves")
def test_a_pace_of_nothing_allows_no_movement():
    table, _, tank = duel(target=vehicle(GUN, move=1, march=1))
    suffer(table, tank, "reduced_mobility")
    assert table.rules.movement.may_move(table.play, tank) == (True, False)
    fixed = table.put(vehicle(GUN, move=0, march=0), "E5", RED)
    suffer(table, fixed, "reduced_mobility")
    assert table.rules.movement.may_move(table.play, fixed) == (False, False)


@pytest.mark.rule("d47.critical.immobilized", "d47.open.immobilized_turn")
def test_an_immobilized_vehicle_may_neither_move_nor_turn():
    table, _, tank = duel()
    assert ("move", "attack") in table.menu(tank)
    suffer(table, tank, "immobilized")
    assert not any("move" in sequence or "march" in sequence for sequence in table.menu(tank))
    assert not table.rules.reactions._may_turn(table.play, tank)


@pytest.mark.rule("d47.critical.immobilized", "d47.open.critical_aircraft")
def test_an_immobilized_aircraft_is_destroyed():
    table, shooter, plane = duel(target=aircraft(GUN, damage=5))
    game = table.attack(shooter, plane, dice="ASS AA SS")
    assert not plane.alive
    assert [event.unit for event in game.of(Eliminated)] == [plane.id]
    assert table.state.sides[BLUE].points_scored == 10


@pytest.mark.rule("d47.critical.targeting")
def test_with_damaged_targeting_every_hit_of_an_attack_is_rolled_again():
    table, shooter, tank = duel()
    suffer(table, tank, "targeting_system_damaged")
    game = table.attack(tank, dice="AAS AT S", declare={"Gun": shooter})
    assert game.hits == 1
    assert "d47.critical.targeting" in game.reasons


@pytest.mark.rule("d47.critical.targeting", "d47.open.targeting_vs_sustained")
def test_with_damaged_targeting_a_sustained_attack_is_one_plain_roll():
    table, shooter, tank = duel()
    plan = table.plan(tank, "Gun", shooter, sustained=True)
    assert [again.successes for again in plan.hit.rerolls] == [False]
    suffer(table, tank, "targeting_system_damaged")
    assert table.plan(tank, "Gun", shooter, sustained=True).hit.rerolls == ()


@pytest.mark.rule("d47.open.targeting_vs_sustained")
def test_with_damaged_targeting_a_wire_guided_attack_is_one_plain_roll():
    missile = weapon("Missile", "3/1", 8, "Wire Guided")
    table, shooter, tank = duel(target=vehicle(missile))
    suffer(table, tank, "targeting_system_damaged")
    game = table.attack(tank, dice="ASS S", declare={"Missile": shooter})
    assert game.hits == 1


# -- fire -------------------------------------------------------------------------------------------


@pytest.mark.rule("d47.critical.fire_smoke")
def test_a_burning_vehicle_stands_in_smoke_that_covers_it_and_blocks_sight():
    table, shooter, tank = duel(target=vehicle(GUN, skills="Small Vehicle", damage=6))
    behind = table.put(squad(men=1), "C8", RED)
    assert table.may_aim(shooter, "Gun", behind)
    suffer(table, tank, "on_fire")
    assert tank.is_(BURNING)
    assert table.state.table.has(tank.place, "fire_smoke")
    assert not table.may_aim(shooter, "Gun", behind)
    walker = table.put(vehicle(GUN), "E5", RED)
    assert not table.plan(shooter, "Gun", walker).saves
    suffer(table, walker, "on_fire")
    assert table.plan(shooter, "Gun", walker).saves[0].label == "cover save"


@pytest.mark.rule("d47.open.fire_smoke_size")
def test_the_smoke_moves_along_with_all_squares_of_a_burning_vehicle():
    table, _, tank = duel(target=vehicle(GUN, size="large", locomotion="tracked", damage=6))
    suffer(table, tank, "on_fire")
    before = tank.where
    assert len(before) == 2
    table.activate(tank, "move", move="C8 S")
    assert not set(before) & set(tank.where)
    assert table.state.table.squares_with("fire_smoke") == tuple(sorted(tank.where))


@pytest.mark.rule("d47.critical.fire_damage", "d47.open.activation_start_fire")
def test_a_burning_vehicle_takes_a_point_when_it_activates_whatever_its_resilience():
    table, _, tank = duel(target=vehicle(GUN, damage=5, skills="Damage Resilient"))
    suffer(table, tank, "on_fire")
    tank.main.damage = 3
    game = table.activate(tank)
    assert tank.main.left == 1
    assert [event.rule for event in game.of(Damaged)] == ["d47.critical.fire_damage"]


@pytest.mark.rule("d47.open.activation_start_fire")
def test_a_vehicle_that_burns_out_as_it_activates_does_not_act():
    table, _, tank = duel()
    suffer(table, tank, "on_fire")
    tank.main.damage = 5
    game = table.activate(tank, "move", "attack")
    assert not tank.alive
    assert "actions" not in game.asked


@pytest.mark.rule("d47.open.activation_start_fire")
def test_an_attempt_to_react_feeds_the_fire_too():
    table, shooter, tank = duel()
    suffer(table, tank, "on_fire")
    table.activate(shooter, "march", dice="SS", march_first="C2", march="C2", react=tank)
    assert tank.main.damage == 1


@pytest.mark.rule("d47.critical.fire_smoke", "d47.terrain.wreck_created")
def test_the_fire_burns_on_in_the_wreck():
    table, _, tank = duel()
    suffer(table, tank, "on_fire")
    tank.main.damage = 5
    place = tank.place
    table.activate(tank)
    board = table.state.table
    assert board.has(place, "wreck") and board.has(place, "burning_wreck") and board.has(place, "fire_smoke")
    table.end_turn()
    assert table.state.table.has(place, "fire_smoke")


@pytest.mark.rule("d47.open.critical_destroyed")
def test_a_tank_destroyed_by_the_attack_may_still_catch_fire():
    table, shooter, tank = duel(target=vehicle(GUN, damage=2))
    game = table.attack(shooter, tank, dice="AAA AA AT")
    assert not tank.alive
    assert table.state.table.has(table.at("C5"), "burning_wreck")
    assert game.of(TerrainChanged)[-1].rule == "d47.open.critical_destroyed"


@pytest.mark.rule("d47.open.critical_destroyed")
def test_every_other_critical_on_a_destroyed_tank_is_ignored():
    table, shooter, tank = duel(target=vehicle(GUN, damage=2))
    game = table.attack(shooter, tank, dice="AAA AA TT")
    assert tank.criticals == ()
    assert game.of(CriticalHit) == []


@pytest.mark.rule("d47.open.critical_destroyed")
def test_a_house_may_rule_that_destroyed_vehicles_are_not_checked():
    table, shooter, tank = duel(target=vehicle(GUN, damage=2), options={"critical_destroyed": "no_roll"})
    game = table.attack(shooter, tank, dice="AAA")
    assert not tank.alive
    assert "critical hit" not in game.labels


@pytest.mark.rule("d47.open.critical_aircraft", "d47.skill.aircraft_destroyed")
def test_a_destroyed_aircraft_leaves_nothing_that_could_burn():
    table, shooter, plane = duel(target=aircraft(GUN, damage=1))
    game = table.attack(shooter, plane, dice="AAA")
    assert "critical hit" not in game.labels
    assert not table.state.table.has(table.at("C5"), "wreck")


@pytest.mark.rule("d47.skill.mythos_creature")
def test_a_mythos_creature_suffers_no_criticals():
    table, shooter, beast = duel(target=vehicle(GUN, damage=6, skills="Mythos Creature"))
    game = table.attack(shooter, beast, dice="ASS")
    assert "critical hit" not in game.labels


# -- burning wrecks ---------------------------------------------------------------------------------


def crossing(*soldiers: object, at: str = "C4") -> tuple[Table, Unit]:
    table = Table("wreck at C5", size=(5, 9))
    table.state.table = table.state.table.placing("burning_wreck", [table.at("C5")])
    for name in ("A5", "B5", "D5", "E5"):
        table.state.table = table.state.table.placing("structure", [table.at(name)])
    return table, table.put(squad(men=5) if not soldiers else soldiers[0], at)  # type: ignore[arg-type]


@pytest.mark.rule("d47.critical.fire_wreck_entry", "d47.open.hazard_saves")
def test_a_squad_that_crosses_a_burning_wreck_is_burnt_and_suppressed():
    table, men = crossing()
    game = table.activate(men, "move", move="C6", dice="AASST AS")
    assert men.place == table.at("C6")
    assert len(men.main.alive) == 4
    assert men.suppressed
    assert game.dice("infantry save") == [2]
    assert "critical hit" not in game.labels


@pytest.mark.rule("d47.open.hazard_saves")
def test_a_hit_by_a_burning_wreck_suppresses_even_if_it_is_saved():
    table, men = crossing()
    table.activate(men, "move", move="C5", dice="ASSST A")
    assert men.place == table.at("C5")
    assert len(men.main.alive) == 5
    assert men.suppressed


@pytest.mark.rule("d47.open.hazard_saves")
def test_a_walker_gets_no_save_against_a_burning_wreck():
    table, walker = crossing(vehicle(GUN, move=2, skills="Small Vehicle"))
    game = table.activate(walker, "move", move="C6", dice="A")
    assert walker.main.damage == 1
    assert walker.suppressed
    assert game.saved == 0


@pytest.mark.rule("d47.critical.fire_wreck_entry", "d47.terrain.wreck_created")
def test_a_walker_that_dies_in_a_burning_wreck_stays_there():
    table, walker = crossing(vehicle(GUN, move=2, damage=1))
    table.activate(walker, "move", move="C6", dice="A")
    assert not walker.alive
    assert table.state.table.squares_with("wreck") == (table.at("C5"),)


@pytest.mark.rule("d47.critical.fire_wreck_entry")
def test_a_flying_squad_is_burnt_only_where_it_lands():
    table, men = crossing(squad(men=3, skills="Flying"))
    table.activate(men, "move", move="C6")
    assert not men.suppressed
    table, men = crossing(squad(men=3, skills="Flying"))
    table.activate(men, "move", move="C5", dice="ASS S")
    assert men.suppressed and len(men.main.alive) == 2


@pytest.mark.rule("d47.critical.fire_wreck_entry")
def test_a_way_round_the_fire_is_taken_where_there_is_one():
    table = Table("wreck at C5", size=(9, 9))
    table.state.table = table.state.table.placing("burning_wreck", [table.at("C5")])
    men = table.put(squad(men=3, move=3), "C4")
    table.activate(men, "move", move="C6")
    assert not men.suppressed


# -- repairs ----------------------------------------------------------------------------------------


@pytest.mark.rule("d47.critical.single_repair", "d47.open.repair_critical_roll")
def test_a_mechanic_may_mend_one_critical_without_a_roll():
    table, _, tank = duel()
    suffer(table, tank, "on_fire")
    suffer(table, tank, "immobilized")
    tank.main.damage = 4
    mechanic = table.put(squad(men=2, skills="Mechanic"), "C6", RED)
    table.activate(mechanic, "special:repair", repair=tank, mend="on_fire")
    assert tank.criticals == ("immobilized",)
    assert not tank.is_(BURNING)
    assert not table.state.table.has(tank.place, "fire_smoke")
    assert tank.main.damage == 4


@pytest.mark.rule("d47.critical.full_repair")
def test_all_criticals_disappear_when_the_track_is_undamaged_again():
    table, shooter, tank = duel()
    for result in ("main_weapon_destroyed", "secondary_weapon_destroyed", "on_fire"):
        suffer(table, tank, result, broken_weapon="MG")
    tank.main.damage = 2
    mechanic = table.put(squad(men=2, skills="Mechanic"), "C6", RED)
    table.activate(mechanic, "special:repair", repair=tank, mend="damage", dice="AASST")
    assert tank.main.damage == 0
    assert tank.criticals == ()
    assert tank.main.broken == 0
    assert not tank.is_(BURNING)
    assert table.may_aim(tank, "Gun", shooter)


@pytest.mark.rule("d47.critical.full_repair")
def test_a_repair_that_leaves_damage_leaves_the_criticals():
    table, _, tank = duel()
    suffer(table, tank, "immobilized")
    tank.main.damage = 3
    mechanic = table.put(squad(men=2, skills="Mechanic"), "C6", RED)
    table.activate(mechanic, "special:repair", repair=tank, mend="damage", dice="AASST")
    assert tank.main.damage == 1
    assert tank.criticals == ("immobilized",)


@pytest.mark.rule("d47.critical.trigger")
def test_the_attacking_player_rolls_for_the_critical_hit():
    table, shooter, tank = duel()
    game = table.attack(shooter, tank, dice="ASS AA AS")
    assert {roll.player for roll in game.rolls if roll.label.startswith("critical")} == {BLUE}


@pytest.mark.rule("d47.critical.trigger")
def test_support_weapons_are_no_vehicles():
    table, shooter, _ = duel()
    gun = table.put(support(weapon("Mortar", "1/1", 8), men=3), "D5", RED)
    game = table.attack(shooter, gun, dice="ASS S")
    assert "critical hit" not in game.labels
    assert Attack(shooter).damage_to == {}


@pytest.mark.rule("d47.open.activation_start_fire", "d47.transport.survivors", "d47.transport.destroyed_roll")
def test_passengers_of_a_transport_that_burns_out_crawl_away_suppressed_and_done_for_the_turn():
    table, _, truck = duel(target=vehicle(GUN, damage=1, locomotion="wheeled", skills="Passengers (6)"))
    riders = table.put(squad(men=3), side=RED)
    riders.status, riders.aboard = "aboard", truck.id
    table.rules.criticals.mark(table.state, truck, "on_fire")
    table.activate(truck, dice="TSS", survivors="D5", place="D5", dismount="D5")
    assert not truck.alive
    assert len(riders.main.alive) == 2
    assert riders.on_board and riders.suppressed and riders.activated


@pytest.mark.rule("d47.critical.secondary_weapon", "d47.critical.fire_smoke")
def test_a_position_may_begin_with_critical_hits():
    table, shooter, tank = duel()
    for result in ("main_weapon_destroyed", "secondary_weapon_destroyed", "on_fire"):
        table.rules.criticals.mark(table.state, tank, result)
    assert not table.may_aim(tank, "Gun", shooter) and not table.may_aim(tank, "MG", shooter)
    assert table.may_aim(tank, "Rockets", shooter)
    assert tank.is_(BURNING) and table.state.table.has(tank.place, "fire_smoke")


@pytest.mark.rule("d47.critical.fire_smoke")
def test_smoke_goes_with_a_fire_that_leaves_the_board():
    table, _, boat = duel(target=vehicle(GUN, damage=1, locomotion="naval", skills="Naval Unit"))
    table.put(squad(men=1), "A9", RED)
    table.rules.criticals.mark(table.state, boat, "on_fire")
    table.activate(boat)
    table.end_turn()
    assert table.state.table.squares_with("fire_smoke") == ()
