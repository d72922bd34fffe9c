"""Wire and mines: what happens to those who move into, through or out of them (d47.wire.cross, d47.mines.attack)."""

from __future__ import annotations

from typing import Any

import pytest

from dieselfront.rulesets.dust.events import Happened
from dieselfront.rulesets.dust.state import NO_COVER, Unit
from rulesets.dust1947.table import RED, Table, aircraft, hero, squad, vehicle, weapon

RIFLE = weapon("Rifle", "3/1", 8)
LANE = ("structure at A1-A9, C1-C9",)


def lane(*terrain: str, at: str = "B3", unit: Any = None) -> tuple[Table, Unit]:
    """A lane one square wide, so that there is no way round."""
    table = Table("structure at A1-A9", "structure at C1-C9", *terrain, size=(3, 9))
    return table, table.put(unit or squad(RIFLE, men=5, move=3, march=5), at)


# -- wire -------------------------------------------------------------------------------------------


@pytest.mark.rule("d47.wire.cross")
def test_on_army_a_squad_gets_through_wire_and_goes_on():
    table, men = lane("wire at B4")
    game = table.activate(men, "move", move="B5", dice="A")
    assert men.place == table.at("B5")
    assert not men.is_(NO_COVER)
    assert game.labels == ["barbed wire"]


@pytest.mark.rule("d47.wire.cross", "d47.open.wire_details")
def test_otherwise_it_stops_before_the_wire_its_activation_is_over_and_it_has_no_cover():
    table, men = lane("wire at B4", "rubble at B3")
    foe = table.put(squad(RIFLE, men=1), "B8", RED)
    game = table.activate(men, "move", "attack", move="B5", dice="S")
    assert men.place == table.at("B3")
    assert "declare" not in game.asked
    assert [save.label for save in table.plan(foe, "Rifle", men).saves] == ["infantry save"]


@pytest.mark.rule("d47.wire.cross")
def test_being_caught_in_wire_lasts_until_the_next_activation():
    table, men = lane("wire at B4", "rubble at B3")
    foe = table.put(squad(RIFLE, men=1), "B8", RED)
    table.activate(men, "move", move="B5", dice="S")
    table.end_turn()
    assert men.is_(NO_COVER)
    table.activate(men)
    assert [save.label for save in table.plan(foe, "Rifle", men).saves] == ["cover save"]


@pytest.mark.rule("d47.open.wire_details")
def test_a_squad_that_fails_to_leave_wire_stays_in_it():
    table, men = lane("wire at B3")
    table.activate(men, "move", move="B4", dice="T")
    assert men.place == table.at("B3")
    assert men.is_(NO_COVER)


@pytest.mark.rule("d47.open.wire_details")
def test_one_roll_serves_a_whole_section_and_a_new_one_the_next_section():
    table, men = lane("wire at B4, B5")
    assert table.activate(men, "move", move="B6", dice="A").labels == ["barbed wire"]
    table, men = lane("wire at B4, B6")
    game = table.activate(men, "march", march="B8", dice="A S")
    assert game.labels == ["barbed wire", "barbed wire"]
    assert men.place == table.at("B5")


@pytest.mark.rule("d47.open.wire_details")
def test_both_parts_of_a_march_are_one_movement_through_one_section():
    table, men = lane("wire at B4-B6")
    table.put(squad(men=1), "B9", RED)
    game = table.activate(men, "march", march_first="B5", march="B7", dice="A")
    assert men.place == table.at("B7")
    assert game.labels == ["barbed wire"]


@pytest.mark.rule("d47.open.wire_details")
def test_vehicles_ignore_wire_and_leave_it_where_it_is():
    table, tank = lane("wire at B4", unit=vehicle(locomotion="tracked"))
    assert table.activate(tank, "move", move="B5").rolls == []
    assert table.state.table.has(table.at("B4"), "wire")


@pytest.mark.rule("d47.open.flying_ground_hazards")
def test_flying_troops_ignore_wire_even_where_they_land():
    table, men = lane("wire at B4", unit=squad(skills="Flying"))
    assert table.activate(men, "move", move="B4").rolls == []
    assert men.place == table.at("B4")


@pytest.mark.rule("d47.wire.cross")
def test_a_squad_stopped_on_a_friends_square_falls_back_to_a_free_one():
    table, men = lane("wire at B5", at="B3")
    table.put(squad(men=1), "B4")
    table.activate(men, "march", march="B6", dice="S")
    assert men.place == table.at("B3")


@pytest.mark.rule("d47.wire.cross")
def test_the_way_round_wire_is_taken_where_there_is_one():
    table = Table("wire at C4", size=(6, 9))
    men = table.put(squad(move=3), "C3")
    assert table.activate(men, "move", move="C5").rolls == []


# -- mines ------------------------------------------------------------------------------------------


@pytest.mark.rule("d47.mines.attack", "d47.open.mine_details")
def test_a_squad_that_enters_a_minefield_is_attacked_by_blast_one_with_its_usual_save():
    table, men = lane("minefield at B4")
    game = table.activate(men, "move", move="B5", dice="AASTT AS")
    assert game.dice("to hit") == [5]
    assert game.dice("infantry save") == [2]
    assert len(men.main.alive) == 4
    assert men.place == table.at("B5")
    assert men.under_fire and not men.suppressed
    assert game.rolls[0].player == RED


@pytest.mark.rule("d47.mines.attack")
def test_a_tank_in_a_minefield_is_attacked_by_blast_two():
    table, tank = lane("minefield at B4", unit=vehicle(locomotion="tracked", damage=5))
    game = table.activate(tank, "move", move="B5", dice="A")
    assert tank.main.damage == 2
    assert game.dice("to hit") == [1]


@pytest.mark.rule("d47.mines.attack")
def test_a_tank_destroyed_by_mines_is_a_wreck_where_the_mines_are_and_scores_for_the_enemy():
    table, tank = lane("minefield at B4", unit=vehicle(locomotion="tracked", damage=2))
    table.activate(tank, "move", move="B5", dice="A")
    assert not tank.alive
    assert table.state.table.has(table.at("B4"), "wreck")
    assert table.state.sides[RED].points_scored == 10


@pytest.mark.rule("d47.open.mine_details")
def test_crossing_a_minefield_of_two_squares_is_one_attack():
    table, men = lane("minefield at B4, B5")
    game = table.activate(men, "move", move="B6", dice="SSSSS")
    assert game.dice("to hit") == [5]


@pytest.mark.rule("d47.mines.attack")
def test_leaving_a_minefield_is_dangerous_too():
    table, men = lane("minefield at B3")
    game = table.activate(men, "move", move="B4", dice="SSSSS")
    assert game.dice("to hit") == [5]


@pytest.mark.rule("d47.open.mine_details")
def test_mines_in_rubble_leave_infantry_its_cover():
    table, men = lane("minefield at B4", "rubble at B4")
    game = table.activate(men, "move", move="B4", dice="ASSSS S")
    assert game.dice("cover save") == [1]
    assert len(men.main.alive) == 5


@pytest.mark.rule("d47.open.flying_ground_hazards")
def test_flying_troops_meet_mines_only_where_they_land():
    table, men = lane("minefield at B4", unit=squad(men=3, skills="Flying"))
    assert table.activate(men, "move", move="B5").rolls == []
    table, men = lane("minefield at B4", unit=squad(men=3, skills="Flying"))
    assert table.activate(men, "move", move="B4", dice="SSS").dice("to hit") == [3]


@pytest.mark.rule("d47.open.flying_ground_hazards", "d47.mines.attack")
def test_aircraft_never_meet_mines():
    table, plane = lane("minefield at B4", unit=aircraft(move=4))
    assert table.activate(plane, "move", move="B4").rolls == []


@pytest.mark.rule("d47.mines.attack")
def test_a_large_tank_meets_the_mines_it_drives_over_once():
    table = Table("minefield at A5-E5", size=(5, 9))
    tank = table.put(vehicle(locomotion="tracked", size="large", damage=6, move=4), "C3", facing="south")
    game = table.activate(tank, "move", move="C7 S", dice="A")
    assert tank.main.damage == 2
    assert tank.place == table.at("C7")
    assert len(game.of(Happened)) == 1


@pytest.mark.rule("d47.open.mine_details", "d47.attack.suppress.upgrade")
def test_mines_move_a_unit_under_fire_up_to_suppressed():
    table, men = lane("minefield at B4")
    men.set(1 << 2)
    table.activate(men, "move", move="B5", dice="SS ASSSS A")
    assert men.suppressed


@pytest.mark.rule("d47.mines.attack")
def test_the_last_man_may_die_in_a_minefield_and_the_activation_ends():
    table, men = lane("minefield at B4", unit=squad(RIFLE, men=1))
    table.put(squad(men=1), "B8", RED)
    game = table.activate(men, "move", "attack", move="B5", dice="A S")
    assert not men.alive
    assert "declare" not in game.asked


@pytest.mark.rule("d47.wire.cross", "d47.transport.dismount")
@pytest.mark.parametrize("die, place", [("A", "B5"), ("S", "")])
def test_passengers_who_leave_through_wire_may_be_caught_before_they_are_out(die, place):
    table, truck = lane("wire at B4", unit=vehicle(RIFLE, locomotion="wheeled", skills="Passengers (6)"))
    men = table.put(squad(RIFLE, men=3))
    men.status, men.aboard = "aboard", truck.id
    table.activate(men, "move", dismount="B5", dice=die)
    assert (men.place == table.at(place)) if place else (men.aboard == truck.id and not men.on_board)


@pytest.mark.rule("d47.mines.attack", "d47.transport.dismount")
def test_passengers_who_leave_through_mines_are_attacked():
    table, truck = lane("minefield at B4", unit=vehicle(RIFLE, locomotion="wheeled", skills="Passengers (6)"))
    men = table.put(squad(RIFLE, men=3))
    men.status, men.aboard = "aboard", truck.id
    game = table.activate(men, "move", dismount="B5", dice="ASS T")
    assert game.dice("to hit") == [3]
    assert len(men.main.alive) == 2 and men.place == table.at("B5")


@pytest.mark.rule("d47.mines.attack", "d47.terrain.wreck_created")
def test_a_large_tank_destroyed_by_mines_is_a_wreck_where_its_move_ended():
    table = Table("minefield at A5-E5", size=(5, 9))
    tank = table.put(vehicle(locomotion="tracked", size="large", damage=2, move=4), "C3", facing="south")
    table.activate(tank, "move", move="C7 S", dice="A")
    assert not tank.alive
    assert table.state.table.squares_with("wreck") == (table.at("C6"), table.at("C7"))


@pytest.mark.rule("d47.wire.cross", "d47.mines.attack", "d47.move.no_stacking_end")
def test_caught_in_wire_behind_a_friend_in_a_minefield_a_squad_goes_back_to_where_it_came_from():
    table, men = lane("minefield at B3", "wire at B4", at="B2")
    table.put(squad(men=2), "B3")
    start = men.where
    table.activate(men, "move", move="B5", dice="SSSSS T")
    assert men.where == start and men.is_(NO_COVER)


@pytest.mark.rule("d47.wire.cross", "d47.move.hero_may_share")
def test_a_squad_that_shares_its_square_with_a_hero_is_caught_there():
    table, men = lane("wire at B4")
    table.put(hero(), "B3")
    table.activate(men, "move", move="B5", dice="T")
    assert men.where == (table.at("B3"),) and men.on_board
