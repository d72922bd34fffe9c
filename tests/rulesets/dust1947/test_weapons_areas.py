"""Weapons aimed at squares: artillery, smoke, flames, bombs, spores, screams."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust.events import Hits
from rulesets.dust1947.table import BLUE, RED, Table, aircraft, hero, squad, support, vehicle, weapon

MORTAR = weapon("Mortar", "2/1", "3-8", "Artillery")


def battery(table: Table, at: str = "C2", rules: str = "Artillery", cells: str = "2/1"):
    return table.put(support(weapon("Mortar", cells, "3-8", rules)), at)


def area(table: Table, point: str, *squares: str, word: str = "area"):
    """Aim the mortar at a point, with these squares in its block."""
    wanted = {table.at(name) for name in squares}
    return {"Mortar": lambda aim: aim[0] == table.at(point) and aim[1] == word and wanted <= set(aim[2])}


def points(table: Table, unit, **attack) -> set[str]:
    return {table.state.table.name(aim[0]) for aim in table.aims(unit, "Mortar", **attack)}


# -- artillery --------------------------------------------------------------------------------------


@pytest.mark.rule("d47.weapon.artillery_target")
def test_artillery_is_aimed_at_squares_with_a_dot_even_empty_ones():
    table = Table("structure at E6")
    found = points(table, battery(table))
    assert "C6" in found and "E6" not in found


@pytest.mark.rule("d47.weapon.artillery_min_range")
def test_artillery_has_a_minimum_range():
    table = Table()
    found = points(table, battery(table))
    assert "C4" not in found and "C5" in found and "C10" in found and "C11" not in found


@pytest.mark.rule("d47.weapon.artillery_target", "d47.attack.arc.front")
def test_artillery_on_a_vehicle_keeps_its_arc():
    table = Table()
    gun = table.put(vehicle(weapon("Mortar", "2/1", "3-8", "Artillery", mount="front")), "F6", facing="north")
    found = points(table, gun)
    assert "F2" in found and "F10" not in found


@pytest.mark.rule("d47.weapon.artillery_indirect")
def test_without_an_observer_artillery_needs_its_own_sight():
    table = Table("structure at C4")
    gun = battery(table)
    eyes = table.put(squad(skills="Artillery Observer"), "E5")
    assert "C6" not in points(table, gun)
    assert "C6" in points(table, gun, by_observer=eyes)


@pytest.mark.rule("d47.weapon.artillery_not_inside")
def test_artillery_does_not_fire_from_inside_a_building():
    table = Table("building from C2 to D3 with 1 floors, door on south of C3")
    assert points(table, battery(table, "C3")) == set()
    assert points(table, battery(table, "F3")) != set()


@pytest.mark.rule("d47.weapon.artillery_area")
def test_the_area_is_a_block_that_the_point_can_see_and_reach():
    table = Table("wall between C6 and D6", "wall between C7 and D7", size=(9, 12))
    gun = battery(table)
    at_wall = [aim[2] for aim in table.aims(gun, "Mortar") if aim[0] == table.at("C6") and "area" in aim]
    assert all(table.at("D6") not in block for block in at_wall), "not through a wall"
    far = [aim[2] for aim in table.aims(gun, "Mortar") if aim[0] == table.at("C10") and "area" in aim]
    assert any(table.at("C11") in block for block in far), "the other squares may be out of range"
    assert all(len(block) == 4 for block in far)


@pytest.mark.rule("d47.weapon.artillery_everyone")
def test_everybody_in_the_area_is_attacked_once_friend_or_foe():
    table = Table()
    gun = battery(table, cells="1/1")
    friend = table.put(squad(), "C7")
    foes = [table.put(squad(), "C8", RED), table.put(squad(), "D8", RED)]
    game = table.attack(gun, dice="AAA", declare=area(table, "C8", "C7", "D7", "D8"))
    assert [event.target for event in game.of(Hits)] == [friend.id, *(foe.id for foe in foes)]


@pytest.mark.rule("d47.weapon.artillery_everyone")
def test_a_huge_walker_on_two_squares_of_the_area_is_attacked_once():
    table = Table()
    gun = battery(table)
    table.put(vehicle(size="huge", damage=9), "C8", RED)
    game = table.attack(gun, dice="AS SS", declare=area(table, "C8", "C7", "D7", "D8"))
    assert game.dice("to hit") == [2]


@pytest.mark.rule("d47.weapon.artillery_everyone")
def test_aircraft_above_the_area_are_safe():
    table = Table()
    gun = battery(table)
    table.put(aircraft(), "C8", RED)
    foe = table.put(squad(), "C8", RED)
    game = table.attack(gun, dice="SS", declare=area(table, "C8"))
    assert [event.target for event in game.of(Hits)] == [foe.id]


@pytest.mark.rule("d47.weapon.artillery_saves")
def test_against_artillery_there_is_a_cover_save_and_no_infantry_save():
    table = Table("rubble at D8")
    gun = battery(table)
    open_, covered = table.put(squad(men=4), "C8", RED), table.put(squad(men=4), "D8", RED)
    game = table.attack(gun, dice="AA AA SS", declare=area(table, "C8", "D8"))
    assert game.labels == ["to hit", "to hit", "cover save"]
    assert len(open_.main.alive) == 2 and len(covered.main.alive) == 4


@pytest.mark.rule("d47.weapon.artillery_saves")
def test_cover_against_artillery_is_judged_from_the_point_of_impact():
    table = Table("low wall between C7 and C8")
    gun = battery(table)
    foe = table.put(squad(men=4), "C8", RED)
    behind = table.attack(gun, dice="AA SS", declare=area(table, "C7", "C8"))
    beside = table.attack(gun, dice="AA", declare=area(table, "C8"))
    assert "cover save" in behind.labels and "cover save" not in beside.labels
    assert len(foe.main.alive) == 2


@pytest.mark.rule("d47.weapon.artillery_everyone", "d47.attack.hit.blast_dice")
def test_a_shell_with_a_blast_rolls_for_every_miniature_of_every_unit():
    table = Table()
    gun = battery(table, cells="*/1")
    table.put(squad(men=4), "C8", RED)
    table.put(hero(), "C8", RED)
    game = table.attack(gun, dice="SSSS S", declare=area(table, "C8"))
    assert game.dice("to hit") == [4, 1]


@pytest.mark.rule("d47.open.reactive_target", "d47.weapon.artillery_area")
def test_in_a_reaction_the_shell_falls_on_the_unit_that_moved():
    table = Table()
    mover = table.put(squad(men=3), "C8")
    gun = table.put(support(MORTAR), "C4", RED)
    table.put(squad(), "F8")
    assert points(table, gun, only=mover.id, reactive=True) == {"C8"}


# -- smoke shells -----------------------------------------------------------------------------------


@pytest.mark.rule("d47.weapon.smoke_shells", "d47.open.smoke_size")
@pytest.mark.parametrize("die, squares", [("T", 4), ("A", 4), ("S", 0)])
def test_smoke_shells_screen_a_block_on_army_or_target(die, squares):
    table = Table()
    table.attack(battery(table), dice=die, declare=area(table, "C8", "C8", "D9", word="smoke"))
    assert len(table.state.table.squares_with("smoke")) == squares


@pytest.mark.rule("d47.weapon.smoke_duration")
def test_smoke_lasts_through_the_following_turn():
    table = Table()
    table.attack(battery(table), dice="A", declare=area(table, "C8", word="smoke"))
    table.end_turn()
    assert table.state.table.squares_with("smoke")
    table.state.turn = 2
    table.end_turn()
    assert not table.state.table.squares_with("smoke")


@pytest.mark.rule("d47.weapon.smoke_not_buildings")
def test_no_smoke_inside_buildings():
    table = Table("building from C8 to D9 with 1 floors, window on north of C8")
    gun = battery(table, "C3")
    smokes = [aim for aim in table.aims(gun, "Mortar") if "smoke" in aim]
    assert smokes and not any(table.state.table.is_indoor(aim[0]) for aim in smokes)
    table.attack(gun, dice="A", declare=area(table, "C7", "C8", word="smoke"))
    smoke = table.state.table.squares_with("smoke")
    assert table.at("C7") in smoke and not any(table.state.table.is_indoor(place) for place in smoke)


@pytest.mark.rule("d47.open.smoke_shell_ammo", "d47.weapon.reload_token")
def test_a_smoke_shell_is_fired_whether_it_works_or_not():
    table = Table()
    gun = battery(table, rules="Artillery, Reload")
    table.attack(gun, dice="S", declare=area(table, "C8", word="smoke"))
    assert not gun.main.is_loaded(0) and points(table, gun) == set()


# -- flames -----------------------------------------------------------------------------------------


@pytest.mark.rule("d47.weapon.flame_range1", "d47.hero.shared_square_area_attack")
def test_a_flamethrower_burns_everybody_in_an_adjacent_square():
    table = Table()
    flamer = table.put(hero(weapon("Flamer", "1/1", 1, "Flame")), "C4")
    team, lone = table.put(squad(men=4), "D5", RED), table.put(hero(), "D5", RED)
    game = table.attack(flamer, team, dice="A A")
    assert [event.target for event in game.of(Hits)] == [team.id, lone.id]


@pytest.mark.rule("d47.weapon.flame_saves")
def test_nobody_saves_against_flames():
    table = Table("rubble at C5")
    flamer = table.put(hero(weapon("Flamer", "3/1", 1, "Flame")), "C4")
    foe = table.put(squad(men=4), "C5", RED)
    assert table.attack(flamer, foe, dice="AAA").labels == ["to hit"] and len(foe.main.alive) == 1


@pytest.mark.rule("d47.weapon.flame_suppression")
def test_flames_suppress_at_once():
    table = Table()
    flamer = table.put(hero(weapon("Flamer", "1/1", 1, "Flame")), "C4")
    fresh, shaken = table.put(squad(men=4), "C5", RED), table.put(squad(men=4), "C3", RED, tokens="under fire")
    for foe in (fresh, shaken):
        table.attack(flamer, foe, dice="A")
        assert foe.tokens() == ["suppressed"]


@pytest.mark.rule("d47.weapon.flame_path")
def test_a_long_flame_burns_friends_on_the_way():
    table = Table()
    walker = table.put(vehicle(weapon("Napalm", "1/1", 3, "Flame")), "C4")
    friend, foe = table.put(squad(men=4), "C6"), table.put(squad(men=4), "C7", RED)
    game = table.attack(walker, foe, dice="A A")
    assert [event.target for event in game.of(Hits)] == [friend.id, foe.id]


@pytest.mark.rule("d47.weapon.flame_path")
def test_a_flame_at_an_aircraft_burns_those_between_and_not_those_below():
    table = Table()
    walker = table.put(vehicle(weapon("Napalm", "1/1", 3, "Flame")), "C4")
    between, below = table.put(squad(men=4), "C6"), table.put(squad(men=4), "C7", RED)
    plane = table.put(aircraft(), "C7", RED)
    game = table.attack(walker, plane, dice="A A SS")
    assert [event.target for event in game.of(Hits)] == [plane.id, between.id]
    assert between.suppressed and not below.suppressed


@pytest.mark.rule("d47.weapon.flame_path", "d47.open.flame_path_ties")
def test_of_several_shortest_paths_the_attacker_takes_the_one_past_his_friend():
    table = Table()
    walker = table.put(vehicle(weapon("Napalm", "1/1", 3, "Flame")), "C4")
    friend, foe = table.put(squad(men=4), "D4"), table.put(squad(men=4), "E5", RED)
    assert len(table.aims(walker, "Napalm")) > 1
    avoids = {"Napalm": lambda aim: table.at("D4") not in aim[2]}
    game = table.attack(walker, dice="A", declare=avoids)
    assert [event.target for event in game.of(Hits)] == [foe.id] and len(friend.main.alive) == 4


@pytest.mark.rule("d47.weapon.flame_stop")
def test_a_flame_ends_at_a_square_that_blocks_sight():
    table = Table("wreck at D5")
    walker = table.put(vehicle(weapon("Napalm", "1/1", 3, "Flame")), "C4")
    foe = table.put(squad(men=4), "F5", RED)
    cut = [aim for aim in table.aims(walker, "Napalm") if table.at("D5") in aim[2]]
    assert cut and all(aim[2][-1] == table.at("D5") for aim in cut), "the wreck stops it"
    assert any(aim[2][-1] == table.at("F5") for aim in table.aims(walker, "Napalm"))
    table.attack(walker, declare={"Napalm": cut[0]})
    assert len(foe.main.alive) == 4


@pytest.mark.rule("d47.skill.flame_burst")
def test_a_flame_burst_burns_one_square_without_saves_and_suppresses():
    table = Table("rubble at C6")
    gunner = table.put(hero(weapon("RPG", "1/1", 3, "Flame Burst")), "C4")
    team, lone = table.put(squad(men=4), "C6", RED), table.put(hero(), "C6", RED)
    near = table.put(squad(men=4), "C5", RED)
    game = table.attack(gunner, team, dice="A A")
    assert game.labels == ["to hit", "to hit"]
    assert team.tokens() == lone.tokens() == ["suppressed"] and near.tokens() == []


# -- bombs, spores, screams ---------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.large_ordnance")
def test_large_ordnance_covers_a_block_whose_other_squares_need_no_sight():
    table = Table("structure from D5 to F5")
    gun = table.put(vehicle(weapon("Bomb", "2/1", 6, "Large Ordnance")), "C2")
    seen, unseen = table.put(squad(men=4), "C6", RED), table.put(squad(men=4), "D6", BLUE)
    aim = {"Bomb": lambda aim: aim[0] == table.at("C6") and table.at("D6") in aim[2]}
    game = table.attack(gun, dice="AA SS AA AA", declare=aim)
    assert {event.target for event in game.of(Hits)} == {seen.id, unseen.id}
    assert "infantry save" in game.labels, "normal saves"


@pytest.mark.rule("d47.skill.spores", "d47.open.spores_friends")
def test_spores_attack_everybody_within_range_one_and_allow_infantry_saves_only():
    table = Table("rubble at C5")
    migo = table.put(squad(weapon("Fungi", "2/1", 1, "Spores", count=1), men=3), "C4")
    foe, friend = table.put(squad(men=4), "C5", RED), table.put(squad(men=4), "D4")
    far = table.put(squad(men=4), "C6", RED)
    game = table.attack(migo, dice="AA AS AA SS", declare={"Fungi": lambda aim: True})
    assert {event.target for event in game.of(Hits)} == {foe.id, friend.id} and far.tokens() == []
    assert game.dice("infantry save") == [2, 2] and "cover save" not in game.labels
    assert len(foe.main.alive) == 3


@pytest.mark.rule("d47.skill.spores")
def test_spores_need_an_enemy_within_range_one():
    table = Table()
    migo = table.put(squad(weapon("Fungi", "2/1", 1, "Spores", count=1), men=3), "C4")
    table.put(squad(men=4), "D4")
    assert table.aims(migo, "Fungi") == []


@pytest.mark.rule("d47.skill.psychic_scream")
def test_a_scream_goes_through_walls_and_saves_once_in_a_game():
    table = Table("structure from A5 to L5", "rubble at C6")
    avatar = table.put(vehicle(weapon("Scream", "1/1", 3, "Psychic Scream"), weapon("Claw", "1/1", 1)), "C4")
    friend, foe, far = (
        table.put(squad(men=4), "D3"),
        table.put(squad(men=4), "C6", RED),
        table.put(squad(men=4), "C8", RED),
    )
    assert table.aims(avatar, "Scream") == [], "no part of an ordinary attack"
    game = table.activate(avatar, "free:special:psychic-scream", dice="A A")
    assert {event.target for event in game.of(Hits)} == {friend.id, foe.id} and len(far.main.alive) == 4
    assert game.labels == ["to hit", "to hit"], "no saves"
    assert not any("scream" in action for sequence in table.menu(avatar) for action in sequence)


@pytest.mark.rule("d47.skill.psychic_scream", "d47.turn.max_three_actions")
def test_the_scream_is_free_but_counts():
    table = Table()
    avatar = table.put(vehicle(weapon("Scream", "1/1", 3, "Psychic Scream"), weapon("Gun", "1/1", 8)), "C4")
    table.put(squad(), "C9", RED)
    menu = table.menu(avatar)
    assert ("move", "free:special:psychic-scream", "attack") in menu
    assert all(len(sequence) <= 3 for sequence in table.menu(avatar, budget=3))
