"""What units are: zombies, Steel Guards, superhumans, creatures, flyers, boats, aircraft, small vehicles."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust.events import Eliminated, Hits
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.state import DUG_IN, EVADES, EVADES_WELL
from rulesets.dust1947.table import RED, Table, aircraft, hero, knife, squad, support, vehicle, weapon

GUN = weapon("Gun", "3/1", 8)
FLAK = weapon("Flak", "3/1", 8)


def shot_at(table: Table, target_card, at: str = "C5", **details):
    """A gunner with three dice at C2 and his target."""
    gunner = table.put(hero(GUN), "C2")
    return gunner, table.put(target_card, at, RED, **details)


# -- zombies --------------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.zombie_saves")
def test_zombies_in_cover_make_infantry_saves_on_army_or_shield():
    table = Table("rubble at C5")
    gunner, zombies = shot_at(table, squad(men=5, skills="Zombie"))
    game = table.attack(gunner, zombies, dice="AAA AST")
    assert game.labels == ["to hit", "infantry save"]
    assert len(zombies.main.alive) == 4


@pytest.mark.rule("d47.skill.zombie_saves", "d47.weapon.artillery_saves")
def test_artillery_leaves_zombies_no_save_at_all():
    table = Table("rubble at C7")
    gun = table.put(support(weapon("Mortar", "3/1", "4-12", "Artillery")), "C2")
    zombies = table.put(squad(men=5, skills="Zombie"), "C7", RED)
    game = table.attack(gun, dice="AAA", declare={"Mortar": lambda aim: aim[0] == table.at("C7") and "area" in aim})
    assert game.labels == ["to hit"] and len(zombies.main.alive) == 2


@pytest.mark.rule("d47.skill.zombie_command", "d47.skill.lesser_mythos")
@pytest.mark.parametrize("nature", ["Zombie", "Lesser Mythos Creatures"])
def test_zombies_and_mythos_creatures_take_no_orders(nature):
    table = Table()
    deaf = table.put(squad(skills=nature), "C3")
    plain = table.put(squad(), "C4")
    assert ask(deaf.effects, "on_ordered", None, "get-moving", deaf) is not None
    assert ask(plain.effects, "on_ordered", None, "get-moving", plain) is None


@pytest.mark.rule("d47.skill.zombie_transport")
def test_zombies_are_refused_as_passengers():
    table = Table()
    zombies = table.put(squad(skills="Zombie"), "C3")
    truck = table.put(vehicle(skills="Passengers (6)"), "C4")
    refusal = ask(zombies.effects, "on_passenger", None, zombies, truck)
    assert refusal is not None and refusal[0] == "d47.skill.zombie_transport"


@pytest.mark.rule("d47.skill.mindless_objectives", "d47.open.objective_contested")
def test_mindless_zombies_deny_an_objective_but_never_hold_it():
    table = Table(objectives={"mid": "C3 C4"})
    zombies = table.put(squad(skills="Zombie, Mindless"), "C3")
    objective = table.state.objectives[0]
    holder = table.rules.victory.holder
    assert holder(table.play, objective) is None
    foe = table.put(squad(), "C4", RED)
    assert holder(table.play, objective) is None
    table.rules.ground.put(table.state, zombies, table.at("C8"), None)
    assert holder(table.play, objective) == foe.side


@pytest.mark.rule("d47.skill.mindless_suppression", "d47.open.token_immunity")
def test_mindless_zombies_take_no_tokens_even_from_flames():
    table = Table()
    gunner = table.put(hero(GUN, weapon("Flamer", "1/1", 1, "Flame")), "C4")
    zombies = table.put(squad(men=5, skills="Mindless"), "C5", RED, joined=hero(skills="Zombie"))
    table.attack(gunner, zombies, dice="ASS A A", declare={"Gun": zombies, "Flamer": zombies})
    assert zombies.tokens() == []


# -- Steel Guards -----------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.steel_guard_save", "d47.skill.steel_guard_resilient")
def test_steel_guards_save_on_army_or_shield_in_cover_and_shrug_off_the_rest():
    table = Table("rubble at C5")
    gunner, guards = shot_at(table, squad(men=3, skills="Steel Guard"))
    game = table.attack(gunner, guards, dice="AAA STT AT")
    assert game.labels == ["to hit", "infantry save", "damage resilient"]
    assert len(guards.main.alive) == 2


@pytest.mark.rule("d47.skill.steel_guard_resilient")
def test_steel_guards_negate_a_casualty_on_army():
    table = Table()
    gunner, guards = shot_at(table, squad(men=3, skills="Steel Guard"))
    table.attack(gunner, guards, dice="AAS TT AT")
    assert len(guards.main.alive) == 2


@pytest.mark.rule("d47.skill.steel_guard_artillery", "d47.weapon.artillery_saves")
@pytest.mark.parametrize("where", ["C7", "E7"])
def test_artillery_does_not_cancel_the_saves_of_steel_guards_in_the_open_or_in_cover(where):
    table = Table("rubble at E7")
    gun = table.put(support(weapon("Mortar", "2/1", "4-12", "Artillery")), "C2")
    guards = table.put(squad(men=3, skills="Steel Guard"), where, RED)
    aim = {"Mortar": lambda aim: aim[0] == table.at(where) and "area" in aim}
    game = table.attack(gun, dice="AA SS", declare=aim)
    assert game.labels == ["to hit", "infantry save"] and game.saved == 2
    assert len(guards.main.alive) == 3


@pytest.mark.rule("d47.skill.steel_guard_save", "d47.weapon.flame_saves")
def test_flames_do_cancel_the_saves_of_steel_guards():
    table = Table()
    flamer = table.put(hero(weapon("Flamer", "2/1", 1, "Flame")), "C4")
    guards = table.put(squad(men=3, skills="Steel Guard"), "C5", RED)
    game = table.attack(flamer, guards, dice="AA TT")
    assert game.labels == ["to hit", "damage resilient"] and len(guards.main.alive) == 1


# -- superhumans and creatures ------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.superhuman_saves")
def test_a_superhuman_in_the_open_saves_on_shield_too():
    table = Table()
    gunner, victory = shot_at(table, hero(skills="Superhuman", damage=4))
    table.attack(gunner, victory, dice="AAS ST")
    assert victory.main.damage == 1


@pytest.mark.rule("d47.skill.superhuman_suppression")
def test_a_superhuman_hit_twice_has_no_tokens():
    table = Table()
    gunner, victory = shot_at(table, hero(skills="Superhuman", damage=9))
    for _ in range(2):
        table.attack(gunner, victory, dice="ASS A")
    assert victory.tokens() == []


@pytest.mark.rule("d47.skill.mythos_creature")
def test_a_mythos_creature_suffers_neither_tokens_nor_critical_hits():
    table = Table()
    gunner, beast = shot_at(table, vehicle(skills="Mythos Creature", damage=9))
    game = table.attack(gunner, beast, dice="AAA")  # no dice for a critical hit
    assert beast.main.damage == 3 and beast.tokens() == [] and "critical hit" not in game.labels


# -- how they move -----------------------------------------------------------------------------------


def ends(table: Table, unit, budget: int = 2) -> set[str]:
    """The squares the unit can end a move on."""
    reach = table.rules.movement.reach(table.play, unit, budget, "move")
    return {table.state.table.name(end if isinstance(end, int) else end[0]) for end in reach.costs}


@pytest.mark.rule("d47.skill.flying_move")
def test_flyers_pass_over_water_and_enemies_but_must_land_on_firm_ground():
    table = Table("water at C4", "water at B4", "water at D4")
    flyer = table.put(squad(skills="Flying", move=3), "C3")
    table.put(squad(), "C5", RED)
    found = ends(table, flyer, 3)
    assert "C6" in found
    assert "C4" not in found and "C5" not in found


@pytest.mark.rule("d47.skill.flying_2d")
def test_flying_up_to_a_roof_counts_squares_only():
    table = Table("building from C5 to D6 with 3 floors")
    flyer = table.put(squad(skills="Flying", move=2), "C3")
    walker = table.put(squad(move=2), "D3")
    assert "C5+3" in ends(table, flyer, 2)
    assert "D5+3" not in ends(table, walker, 2)


@pytest.mark.rule("d47.open.flying_sharing", "d47.skill.flying_move")
def test_a_flying_hero_does_not_lift_a_squad_on_foot():
    table = Table("water from A4 to L4")
    walkers = table.put(squad(move=3), "C3", joined=hero(skills="Flying", move=3))
    assert "C5" not in ends(table, walkers, 3)
    flyers = table.put(squad(move=3, skills="Flying"), "F3", joined=hero(skills="Flying", move=3))
    assert "F5" in ends(table, flyers, 3)


@pytest.mark.rule("d47.skill.trailblazer")
def test_trailblazers_move_through_enemies_without_stopping_there():
    table = Table("structure at B4", "structure at D4", size=(5, 9))
    table.put(squad(), "C4", RED)
    plain = table.put(squad(), "C3")
    assert "C5" not in ends(table, plain)
    table.rules.ground.lift(plain, "off")
    blazer = table.put(squad(skills="Trailblazer"), "C3")
    assert "C5" in ends(table, blazer) and "C4" not in ends(table, blazer)


@pytest.mark.rule("d47.skill.amphibious")
def test_amphibious_vehicles_cross_water_and_swamp_as_open_ground():
    table = Table("water from A4 to F4", "swamp from G4 to L4")
    swimmer = table.put(vehicle(skills="Amphibious", locomotion="tracked"), "C3")
    tank = table.put(vehicle(locomotion="tracked"), "H3")
    assert {"C4", "C5"} <= ends(table, swimmer)
    assert "H4" not in ends(table, tank)


@pytest.mark.rule("d47.skill.tracked", "d47.skill.half_tracked", "d47.skill.wheeled")
@pytest.mark.parametrize("drive", ["Tracked", "Half-Tracked", "Wheeled"])
def test_tracks_and_wheels_shun_rubble_and_like_roads(drive):
    table = Table("rubble at C4", "road from F1 to F9")
    tank = table.put(vehicle(skills=drive), "C3")
    assert "C4" not in ends(table, tank)
    on_road = table.put(vehicle(skills=drive), "F1")
    assert "F4" in ends(table, on_road, 2), "a whole MOVE on road gives one more square"


@pytest.mark.rule("d47.skill.naval_terrain")
def test_boats_keep_to_the_water():
    table = Table("water from A4 to L5")
    boat = table.put(vehicle(skills="Naval Unit"), "C4")
    found = ends(table, boat)
    assert "E4" in found and "C3" not in found


@pytest.mark.rule("d47.skill.naval_free_attack")
def test_a_boat_attacks_for_free_after_its_march():
    table = Table("water from A4 to L5")
    boat = table.put(vehicle(GUN, skills="Naval Unit", locomotion="naval"), "A4")
    foe = table.put(squad(men=4), "H4", RED)
    assert ("march", "free:attack") in table.menu(boat)
    game = table.activate(boat, "march", "free:attack", march="F4 E", march_first="D4", target=foe, dice="AAA SSS")
    assert game.hits == 3 and len(foe.main.alive) == 1
    assert ("march", "attack") not in table.menu(table.put(vehicle(GUN), "A1"))


@pytest.mark.rule("d47.skill.naval_destroyed")
def test_a_sunken_boat_leaves_no_wreck():
    table = Table("water at C5")
    gunner, boat = shot_at(table, vehicle(skills="Naval Unit", locomotion="naval", damage=2))
    game = table.attack(gunner, boat, dice="AAA")
    assert game.of(Eliminated)
    assert table.state.table.features(table.at("C5")) == ("water",)


# -- aircraft ------------------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.helicopter", "d47.move.aircraft_must_move_first")
def test_only_helicopters_may_hover_and_fire():
    table = Table()
    table.put(squad(), "C6", RED)
    plane = table.put(aircraft(GUN), "C3")
    copter = table.put(aircraft(GUN, skills="Helicopter"), "E3")
    assert ("sustained",) in table.menu(copter) and ("attack", "move") in table.menu(copter)
    assert all(sequence[0] in ("move", "march") for sequence in table.menu(plane))


@pytest.mark.rule("d47.skill.aircraft_evade")
def test_an_aircraft_that_moved_evades_on_army():
    table = Table()
    flak = table.put(vehicle(FLAK), "C2")
    plane = table.put(aircraft(damage=9), "C5", RED, tokens="evading")
    game = table.attack(flak, plane, dice="AAA ATS SS")
    assert game.labels[1] == "evade save" and plane.main.damage == 2


@pytest.mark.rule("d47.skill.aircraft_improved_evade")
def test_an_aircraft_that_marched_evades_on_army_or_shield():
    table = Table()
    flak = table.put(vehicle(FLAK), "C2")
    plane = table.put(aircraft(damage=9), "C5", RED, tokens="evading well")
    table.attack(flak, plane, dice="AAA ATS SS")
    assert plane.main.damage == 1


@pytest.mark.rule("d47.skill.aircraft_evade", "d47.skill.aircraft_improved_evade", "d47.skill.aircraft_no_evade")
@pytest.mark.parametrize("action, flag", [("move", EVADES), ("march", EVADES_WELL)])
def test_the_save_follows_from_the_movement_and_ends_with_the_next_activation(action, flag):
    table = Table()
    copter = table.put(aircraft(GUN, skills="Helicopter"), "C3")
    table.activate(copter, action, **{action: "E3 N"})
    assert copter.is_(flag)
    table.activate(copter)
    assert not copter.is_(EVADES | EVADES_WELL)


@pytest.mark.rule("d47.skill.aircraft_no_evade", "d47.open.helicopter_turning")
def test_a_helicopter_that_only_turns_has_no_evade_save():
    table = Table()
    copter = table.put(aircraft(GUN, skills="Helicopter"), "C3")
    table.activate(copter, "move", move="C3 E")
    assert copter.facing == 1 and not copter.is_(EVADES)


@pytest.mark.rule("d47.open.evade_mid_march")
def test_a_marching_aircraft_evades_well_before_it_has_finished():
    table = Table()
    plane = table.put(aircraft(damage=9), "C3")
    flak = table.put(vehicle(FLAK), "C8", RED)
    game = table.activate(
        plane, "march", march_first="C5", march="C6 N", react=flak, dice="AS AAA AST SS", target=plane
    )
    assert game.of(Hits)[0].saved == 2 and plane.main.damage == 1


@pytest.mark.rule("d47.open.evade_and_cover", "d47.weapon.sniper_saves")
def test_a_sniper_does_not_cancel_an_evade_save():
    table = Table()
    sniper = table.put(hero(weapon("Rifle", "4/1", 8, "Sniper")), "C2")
    plane = table.put(aircraft(damage=9), "C5", RED, tokens="evading")
    game = table.attack(sniper, plane, dice="AAAA AAST SS")
    assert game.dice("evade save") == [4] and plane.main.damage == 2


@pytest.mark.rule("d47.skill.aircraft_objectives")
def test_aircraft_neither_hold_nor_contest():
    table = Table(objectives={"mid": "C3"})
    table.put(aircraft(), "C3")
    objective = table.state.objectives[0]
    assert table.rules.victory.holder(table.play, objective) is None
    table.put(squad(), "C3", RED)
    assert table.rules.victory.holder(table.play, objective) == RED


@pytest.mark.rule("d47.skill.aircraft_destroyed")
def test_a_destroyed_aircraft_leaves_no_wreck():
    table = Table()
    flak = table.put(vehicle(FLAK), "C2")
    plane = table.put(aircraft(damage=2), "C5", RED)
    table.attack(flak, plane, dice="AAA")
    assert not plane.alive and table.state.table.features(table.at("C5")) == ()


# -- small vehicles --------------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.small_vehicle_cover")
@pytest.mark.parametrize("terrain", [(), ("rubble at C5",)])
def test_a_small_vehicle_has_its_cover_save_everywhere_and_no_better_one_in_cover(terrain):
    table = Table(*terrain)
    gunner, jeep = shot_at(table, vehicle(skills="Small Vehicle", damage=9))
    game = table.attack(gunner, jeep, dice="AAA AST SS")
    assert game.dice("cover save") == [3] and jeep.main.damage == 2


@pytest.mark.rule("d47.skill.small_vehicle_los")
def test_a_small_vehicle_blocks_the_sight_of_small_vehicles_only():
    table = Table()
    tank = table.put(vehicle(GUN), "C2")
    table.put(vehicle(skills="Small Vehicle"), "C4")
    foe = table.put(vehicle(), "C6", RED)
    assert table.may_aim(tank, "Gun", foe)
    table.rules.ground.lift(tank, "off")
    jeep = table.put(vehicle(GUN, skills="Small Vehicle"), "C2")
    assert not table.may_aim(jeep, "Gun", foe)


@pytest.mark.rule("d47.skill.dozer_blade_dig")
def test_a_dozer_digs_in_until_it_moves():
    table = Table()
    dozer = table.put(vehicle(skills="Dozer Blade", damage=9), "C5", RED)
    gunner = table.put(hero(GUN), "C2")
    table.activate(dozer, "special:dozer")
    assert dozer.is_(DUG_IN)
    game = table.attack(gunner, dozer, dice="AAA AST SS")
    assert game.dice("cover save") == [3]
    table.activate(dozer, "move", move="C5 E", dice="SS")
    game = table.attack(gunner, dozer, dice="AAA SS")
    assert game.dice("cover save") == []


@pytest.mark.rule(
    "d47.skill.dozer_blade_engineering",
    "d47.skill.engineer_vehicle",
    "d47.weapon.cutting_engineering",
    "d47.weapon.grapple_engineering",
)
def test_tools_for_engineering_come_from_skills_and_weapons():
    table = Table()
    unit = table.put(
        vehicle(knife(rules="Cutting"), knife(rules="Grapple", name="Claw"), skills="Dozer Blade, Engineer Vehicle"),
        "C3",
    )
    tools = ask(unit.effects, "on_tools", (), unit)
    for index in range(2):
        effects = table.rules.attacks.effects_of(table.play, unit.main, index)
        tools = ask(effects, "on_tools", tools, unit)
    assert tools == ("dozer", "engineer", "cutting", "grapple")
