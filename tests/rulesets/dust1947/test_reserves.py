"""Reserves: who goes into reserve, how fresh they are, and how they come back (d47.reserve.*)."""

from __future__ import annotations

from typing import Any

import pytest

from dieselfront.rulesets.dust.events import Deployed
from dieselfront.rulesets.dust.state import LOST, RESERVE, Unit
from rulesets.dust1947.table import BLUE, RED, Table, aircraft, hero, squad, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 8)
FAUST = weapon("Faust", "1/3", 3, ammo=1)


def battle(reserve: int = 2, *terrain: str, **more: Any) -> Table:
    """Blue deploys in rows 1 and 2 and so enters over the northern edge."""
    table = Table(*terrain, size=(9, 9), reserve=reserve, **more)
    for side in table.state.sides:
        side.reserves_left = reserve
    return table


def slay(table: Table, unit: Unit, part: int = 0, **answers: Any) -> Any:
    """The part of the unit loses all it has."""
    dying = unit.parts[part]
    if dying.squad:
        dying.alive = ()
    else:
        dying.damage = dying.card.damage
    return table.run(table.rules.damage.bury(table.play, unit), **answers)


def next_turn(table: Table) -> None:
    """Those put into reserve are gathered when the next turn begins."""
    table.run(table.rules.turn.begin(table.play), dice="AAA SSS", first=BLUE)


def reserved(table: Table, card: Any, **more: Any) -> Unit:
    """A unit that has waited in reserve since last turn."""
    unit = table.put(card, **more)
    unit.status = RESERVE
    return unit


# -- going into reserve -----------------------------------------------------------------------------


@pytest.mark.rule("d47.reserve.eligible")
def test_an_eliminated_unit_may_be_put_into_reserve_as_often_as_the_scenario_says():
    table = battle(2)
    men = table.put(squad(RIFLE, men=2), "C4")
    for left in (1, 0):
        game = slay(table, men, reserve=True)
        assert game.asked == ["reserve"] and game.decisions[0].player == BLUE
        assert table.state.sides[BLUE].reserves_left == left
        next_turn(table)
        assert men.status == RESERVE
        table.activate(men, "move", move="C1")
    assert slay(table, men).asked == []
    assert men.status == LOST


@pytest.mark.rule("d47.reserve.eligible")
def test_nobody_has_to_use_the_reserve():
    table = battle(1)
    men = table.put(squad(RIFLE, men=2), "C4")
    slay(table, men, reserve=False)
    next_turn(table)
    assert men.status == LOST
    assert table.state.sides[BLUE].reserves_left == 1


@pytest.mark.rule("d47.reserve.eligible")
def test_without_reserves_in_the_scenario_nobody_is_asked():
    table = battle(0)
    assert slay(table, table.put(squad(RIFLE), "C4")).asked == []


@pytest.mark.rule("d47.reserve.refresh")
def test_a_unit_in_reserve_has_no_damage_and_full_ammunition():
    table = battle()
    men = table.put(squad(FAUST, men=3), "C4", tokens="suppressed")
    men.main.mark(0, 1, 1)
    slay(table, men, reserve=True)
    next_turn(table)
    assert len(men.main.alive) == 3
    assert men.main.marked(0) == 0
    assert not men.suppressed
    tank = table.put(vehicle(RIFLE, damage=3), "E4")
    tank.criticals = ("immobilized",)
    slay(table, tank, reserve=True)
    next_turn(table)
    assert tank.main.damage == 0 and tank.criticals == ()


@pytest.mark.rule("d47.reserve.heroes")
def test_heroes_do_not_go_into_reserve():
    table = battle()
    assert slay(table, table.put(hero(RIFLE), "C4")).asked == []


@pytest.mark.rule("d47.reserve.heroes", "d47.skill.commissar_poon")
def test_a_squad_returns_without_its_fallen_hero_unless_he_is_a_commissar():
    table = battle()
    men = table.put(squad(RIFLE, men=2), "C4", joined=hero(RIFLE))
    slay(table, men, part=1)
    slay(table, men, reserve=True)
    next_turn(table)
    assert [part.card.kind for part in men.parts] == ["infantry"]
    men = table.put(squad(RIFLE, men=2), "E4", joined=hero(RIFLE, skills="Commissar"))
    slay(table, men, part=1)
    slay(table, men, reserve=True)
    next_turn(table)
    assert [part.card.kind for part in men.parts] == ["infantry", "hero"]
    assert all(part.left == part.card.damage or part.alive for part in men.parts)


@pytest.mark.rule("d47.reserve.eligible", "d47.hero.freed")
def test_a_squad_that_its_hero_outlives_goes_into_reserve_on_its_own():
    table = battle()
    men = table.put(squad(RIFLE, men=2), "C4", joined=hero(RIFLE))
    slay(table, men, reserve=True)
    next_turn(table)
    assert men.on_board and men.is_hero
    (squad_again,) = [unit for unit in table.state.units if unit.status == RESERVE]
    assert squad_again.id != men.id and len(squad_again.main.alive) == 2
    assert table.state.by_id[squad_again.id] is squad_again


@pytest.mark.rule("d47.open.reserve_counting")
def test_every_elimination_scores_the_full_points_again():
    table = battle()
    men = table.put(squad(RIFLE, men=2, points=15), "C4")
    slay(table, men, reserve=True)
    next_turn(table)
    table.activate(men, "move", move="C1")
    slay(table, men, reserve=True)
    assert table.state.sides[RED].points_scored == 30


@pytest.mark.rule("d47.reserve.eligible", "d47.attack.declare.simultaneous")
def test_a_unit_put_into_reserve_takes_no_more_hits_of_the_attack_that_eliminated_it():
    table = battle()
    shooter = table.put(squad(RIFLE, weapon("Flame", "2/1", 3, "Flame"), men=1), "C6", RED)
    men = table.put(squad(RIFLE, men=1), "C4")
    table.attack(shooter, men, dice="AA", reserve=True, pool_order="Flame")
    assert men.status == LOST
    next_turn(table)
    assert men.status == RESERVE and len(men.main.alive) == 1


@pytest.mark.rule("d47.reserve.entry", "d47.open.activation_start_fire")
def test_a_vehicle_that_burns_out_and_goes_into_reserve_does_not_act_on():
    table = battle()
    tank = table.put(vehicle(RIFLE, damage=1), "C4")
    table.rules.criticals.mark(table.state, tank, "on_fire")
    game = table.activate(tank, "move", reserve=True)
    assert game.asked == ["reserve"]
    assert not tank.alive


# -- entering ---------------------------------------------------------------------------------------


@pytest.mark.rule("d47.reserve.entry")
def test_a_unit_may_enter_in_any_turn_after_the_one_it_was_eliminated():
    table = battle()
    men, other = table.put(squad(RIFLE, men=2), "C4"), table.put(squad(RIFLE), "E4")
    slay(table, men, reserve=True)
    assert table.rules.reserves.may_enter(table.play, BLUE) == []
    next_turn(table)
    assert table.rules.reserves.may_enter(table.play, BLUE) == [men]
    assert table.rules.turn.waiting(table.play, BLUE) == [other]


@pytest.mark.rule("d47.reserve.entry", "d47.open.reserve_entry_move")
def test_reserves_come_over_the_board_edge_of_their_own_area_and_then_act_as_usual():
    table = battle()
    men = reserved(table, squad(RIFLE, men=2, move=2))
    foe = table.put(squad(men=3), "C7", RED)
    game = table.activate(men, "move", "attack", move="C2", target=foe, dice="SSSS")
    asked = next(d for d in game.decisions if d.key == "move")
    rows = {table.state.table.xy(spot)[1] for spot in asked.spots}
    assert rows == {0, 1}
    assert men.on_board and men.place == table.at("C2")
    assert "to hit" in game.labels
    assert game.of(Deployed)[0].rule == "d47.reserve.entry"


@pytest.mark.rule("d47.open.reserve_entry_move")
def test_the_first_action_of_a_reserve_must_be_a_movement():
    table = battle()
    men = reserved(table, squad(RIFLE, men=2))
    assert all(sequence[0] in ("move", "march") for sequence in table.menu(men))
    assert ("move", "attack") in table.menu(men)


@pytest.mark.rule("d47.open.reserve_entry_move")
def test_a_march_reaches_as_many_rows_as_it_counts():
    table = battle()
    men = reserved(table, squad(RIFLE, men=2, move=2, march=4))
    table.activate(men, "march", march="C4")
    assert men.place == table.at("C4")


@pytest.mark.rule("d47.open.reserve_entry_move", "d47.reactive.trigger_march")
def test_a_reserve_that_marches_on_can_be_reacted_to_after_its_move():
    table = battle()
    men = reserved(table, squad(RIFLE, men=2, move=2, march=4))
    foe = table.put(squad(RIFLE, men=1), "C5", RED)
    game = table.activate(men, "march", march_first="C2", march="D3", react=foe, dice="SS")
    assert game.asked.index("march-first") < game.asked.index("react") < game.asked.index("march")
    assert men.place == table.at("D3")


@pytest.mark.rule("d47.open.reserve_entry_move")
def test_a_unit_that_cannot_enter_a_free_legal_square_stays_in_reserve():
    table = battle(2, "structure from A1 to I1")
    men = reserved(table, squad(RIFLE))
    assert table.rules.reserves.may_enter(table.play, BLUE) == []
    table = battle(2, "structure from A1 to H1")
    men = reserved(table, squad(RIFLE, move=1, march=1))
    assert table.rules.reserves.may_enter(table.play, BLUE) == [men]
    table.put(squad(), "I1")
    assert table.rules.reserves.may_enter(table.play, BLUE) == []


@pytest.mark.rule("d47.open.reserve_entry_move", "d47.move.pass_friends")
def test_a_reserve_may_pass_a_friend_on_the_edge_but_not_an_enemy():
    table = battle(2, "structure from A1 to H1", "structure from A2 to H2")
    men = reserved(table, squad(RIFLE, move=2))
    table.put(squad(), "I1")
    assert set(table.rules.reserves.reach(table.play, men, 2).costs) == {table.at("I2")}
    table.state.units[-1].side = RED
    assert not table.rules.reserves.reach(table.play, men, 2).costs


@pytest.mark.rule("d47.open.reserve_entry_move", "d47.setup.footprint_large", "d47.setup.footprint_huge")
@pytest.mark.parametrize("size, squares", [("large", 2), ("huge", 4)])
def test_big_vehicles_enter_with_all_their_squares(size, squares):
    table = battle()
    tank = reserved(table, vehicle(RIFLE, size=size, move=3))
    entry = table.rules.reserves.reach(table.play, tank, 3)
    assert min(entry.costs.values()) == 2 and max(entry.costs.values()) == 3
    assert table.rules.reserves.reach(table.play, tank, 1).costs == {}
    end = next(iter(entry.costs))
    table.activate(tank, "move", move=lambda decision: end)
    assert tank.on_board and len(tank.where) == squares


@pytest.mark.rule("d47.reserve.entry")
def test_a_scenario_may_name_other_squares_to_enter():
    table = battle(2, entry=["A5", "I5"])
    men = reserved(table, squad(RIFLE, move=1))
    assert list(table.rules.reserves.reach(table.play, men, 1).costs) == [table.at("A5")]


@pytest.mark.rule("d47.open.reserve_entry_move", "d47.open.mud_partial")
def test_mud_at_the_edge_halves_the_entry_move():
    table = battle(2, "mud from A1 to I3")
    men = reserved(table, squad(RIFLE, move=4, march=6))
    assert max(table.rules.reserves.reach(table.play, men, 4).costs.values()) == 2


@pytest.mark.rule("d47.open.reserve_pass_count")
def test_units_in_reserve_do_not_count_for_passing():
    table = battle()
    table.put(squad(RIFLE), "C4")
    table.put(squad(RIFLE), "D4")
    waiting = reserved(table, squad(RIFLE))
    for name in ("C8", "D8", "E8"):
        table.put(squad(RIFLE), name, RED)
    game = table.run(table.rules.turn.next_activation(table.play), activate="pass")
    assert list(game.decisions[0].answers()) == ["a1", "a2", waiting.id, "pass"]


@pytest.mark.rule("d47.open.reserve_pass_count")
def test_reserves_may_be_brought_on_or_left_when_nobody_else_is_left_to_activate():
    table = battle()
    table.put(squad(RIFLE), "C4", tokens="activated")
    table.put(squad(RIFLE), "C8", RED, tokens="activated")
    waiting = reserved(table, squad(RIFLE))
    game = table.run(table.rules.turn.next_activation(table.play), activate="pass")
    assert list(game.decisions[0].answers()) == [waiting.id, "pass"]
    table.run(table.rules.turn.next_activation(table.play))
    table.run(table.rules.turn.next_activation(table.play))
    assert table.state.phase == "turn"  # the turn is over
    assert waiting.status == RESERVE


@pytest.mark.rule("d47.open.reserve_pass_count")
def test_a_reserve_that_has_entered_counts_as_activated():
    table = battle()
    men = reserved(table, squad(RIFLE))
    table.activate(men, "move", move="C1")
    assert men.activated
    assert table.rules.turn.waiting(table.play, BLUE) == []


@pytest.mark.rule("d47.open.elimination_offboard")
def test_reserves_do_not_save_a_side_without_units_on_the_board():
    table = battle()
    reserved(table, squad(RIFLE))
    table.put(squad(RIFLE), "C8", RED)
    table.end_turn()
    assert (table.state.phase, table.state.winner) == ("over", RED)


@pytest.mark.rule("d47.reserve.entry", "d47.skill.airborne_entry")
def test_airborne_troops_in_reserve_land_anywhere():
    table = battle()
    men = reserved(table, squad(RIFLE, men=3, skills="Airborne"))
    table.put(squad(RIFLE), "C8", RED)
    assert table.rules.reserves.may_enter(table.play, BLUE) == [men]
    table.activate(men, dice="S", land="E5")
    assert men.on_board and men.place == table.at("E5")


@pytest.mark.rule("d47.reserve.entry", "d47.wire.cross")
def test_wire_on_the_edge_can_keep_a_reserve_out():
    table = battle(2, "wire from A1 to I1")
    men = reserved(table, squad(RIFLE, men=3))
    table.activate(men, "move", "attack", move="C2", dice="S")
    assert men.status == RESERVE and men.activated


@pytest.mark.rule("d47.reserve.entry")
def test_an_aircraft_enters_by_flying_in():
    table = battle()
    plane = reserved(table, aircraft(RIFLE, move=4))
    table.activate(plane, "move", move="E4")
    assert plane.on_board and plane.place == table.at("E4")


@pytest.mark.rule("d47.open.reserve_entry_move", "d47.setup.footprint_large", "d47.setup.footprint_huge")
@pytest.mark.parametrize("size", ["large", "huge"])
def test_big_vehicles_enter_over_any_edge(size):
    for zone, edge in (("A1-I2", "row 0"), ("A8-I9", "row 8"), ("A1-B9", "column 0"), ("H1-I9", "column 8")):
        table = battle(deploy=[{"squares": zone, "facing": "south"}, {"squares": "E5", "facing": "north"}])
        tank = reserved(table, vehicle(RIFLE, size=size, move=2))
        board, number = table.state.table, int(edge[-1])
        entry = table.rules.reserves.reach(table.play, tank, 2)
        assert len(entry.costs) > 7
        for stance in entry.costs:
            squares = [board.xy(place) for place in board.footprint(size, stance)]
            assert all(abs((x if edge.startswith("column") else y) - number) <= 1 for x, y in squares)


@pytest.mark.rule("d47.open.reserve_entry_move", "d47.skill.flying_move")
def test_flying_reserves_come_in_over_whatever_stands_on_the_edge():
    table = battle(2, "structure from A1 to I1")
    men = reserved(table, squad(RIFLE, skills="Flying", move=2))
    assert table.rules.reserves.may_enter(table.play, BLUE) == [men]
    table.activate(men, "move", move="C2")
    assert men.place == table.at("C2")


@pytest.mark.rule("d47.open.reserve_entry_move", "d47.open.road_start")
def test_a_reserve_starts_off_the_road_and_gets_no_bonus_for_it():
    table = battle(2, "road from E1 to E9")
    truck = reserved(table, vehicle(RIFLE, locomotion="wheeled", move=3, march=5))
    table.put(squad(RIFLE), "A9", RED)
    game = table.activate(truck, "march", march_first="E3", march="E5 S")
    assert max(next(d for d in game.decisions if d.key == "march").spots.values()) == 2


@pytest.mark.rule("d47.reserve.entry", "d47.open.mount_when")
def test_a_reserve_that_enters_beside_a_transport_may_go_aboard():
    table = battle()
    truck = table.put(vehicle(RIFLE, locomotion="wheeled", skills="Passengers (6)"), "C2")
    men = reserved(table, squad(RIFLE, men=3))
    table.activate(men, "move", move="C1", mount=truck)
    assert men.aboard == truck.id
