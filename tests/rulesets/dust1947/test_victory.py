"""Victory: objectives held and contested, the end of the game, points and draws (d47.victory.*)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dieselfront.kernel.events import GameEnded
from dieselfront.rulesets.dust.events import Scored
from dieselfront.rulesets.dust.state import AWAY, LANDED, OFF_BOARD, RESERVE
from dieselfront.rulesets.dust1947 import scenario as scenarios
from rulesets.dust1947.table import BLUE, RED, Table, aircraft, squad, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 8)


def field(points: int = 5, *, goal: Any = None, squares: str = "E5", each_turn: int = 0, **more: Any) -> Table:
    objective = {"name": "hill", "squares": squares, "points": points, "each_turn": each_turn}
    table = Table(size=(9, 9), **more)
    plain = msgspec.to_builtins(table.state.scenario) | {"objectives": [objective], "goal": goal}
    table.state.scenario = scenarios.read(plain)
    table.state.objectives = scenarios.objectives(table.state.scenario, table.state.table)
    return table


def holder(table: Table) -> int | None:
    found: int | None = table.rules.victory.holder(table.play, table.state.objectives[0])
    return found


@pytest.mark.rule("d47.victory.hold_objective")
def test_an_objective_is_held_by_standing_on_it():
    table = field()
    men = table.put(squad(RIFLE), "E5")
    assert holder(table) == BLUE
    table.rules.ground.put(table.state, men, table.at("E4"), None)
    assert holder(table) is None


@pytest.mark.rule("d47.open.objective_contested")
def test_an_objective_with_both_sides_on_it_is_held_by_nobody():
    table = field(squares="E5 F5")
    table.put(squad(RIFLE), "E5")
    table.put(squad(RIFLE), "F5", RED)
    assert holder(table) is None


@pytest.mark.rule("d47.open.objective_contested", "d47.skill.mindless_objectives")
def test_mindless_zombies_deny_an_objective_but_never_hold_it():
    table = field(squares="E5 F5")
    table.put(squad(RIFLE, skills="Zombie, Mindless"), "E5")
    assert holder(table) is None
    table.put(squad(RIFLE), "F5", RED)
    assert holder(table) is None


@pytest.mark.rule("d47.open.objective_contested", "d47.skill.aircraft_objectives")
def test_aircraft_neither_hold_nor_contest():
    table = field()
    table.put(aircraft(RIFLE), "E5")
    assert holder(table) is None
    table.put(squad(RIFLE), "E5", RED)
    assert holder(table) == RED


@pytest.mark.rule("d47.open.objective_contested", "d47.skill.airborne_objective")
def test_troops_that_landed_this_turn_do_not_count():
    table = field(squares="E5 F5")
    men = table.put(squad(RIFLE, skills="Airborne"), "E5")
    men.set(LANDED)
    table.put(squad(RIFLE), "F5", RED)
    assert holder(table) == RED


@pytest.mark.rule("d47.victory.end_conditions")
def test_the_game_ends_at_the_end_of_the_turn_limit():
    table = field()
    table.put(squad(RIFLE), "A1"), table.put(squad(RIFLE), "A9", RED)
    table.state.turn = 7
    table.end_turn()
    assert table.state.phase == "turn"
    table.state.turn = 8
    table.end_turn()
    assert table.state.phase == "over"


@pytest.mark.rule("d47.victory.end_conditions", "d47.victory.win_objective")
def test_completing_the_objective_wins_at_the_end_of_that_turn_not_before():
    table = field(goal={"hold": ["hill"]})
    men, other = table.put(squad(RIFLE), "E4"), table.put(squad(RIFLE), "A9", RED)
    table.activate(men, "move", move="E5")
    assert table.state.phase == "activations"
    table.activate(other)
    game = table.end_turn()
    assert (table.state.phase, table.state.winner) == ("over", BLUE)
    assert game.of(GameEnded)[0].rule == "d47.victory.win_objective"


@pytest.mark.rule("d47.victory.win_objective")
@pytest.mark.parametrize("turn, side, won", [(1, None, False), (3, None, True), (3, RED, False), (3, BLUE, True)])
def test_a_goal_may_be_for_one_side_and_from_some_turn_on(turn, side, won):
    table = field(goal={"hold": ["hill"], "side": side, "from_turn": 3})
    table.put(squad(RIFLE), "E5"), table.put(squad(RIFLE), "A9", RED)
    table.state.turn = turn
    table.end_turn()
    assert (table.state.phase == "over") is won


@pytest.mark.rule("d47.victory.win_objective", "d47.victory.end_conditions")
def test_wiping_out_the_enemy_wins_at_the_end_of_the_turn():
    table = field()
    table.put(squad(RIFLE), "A1")
    table.end_turn()
    assert (table.state.phase, table.state.winner) == ("over", BLUE)


@pytest.mark.rule("d47.victory.vp")
def test_points_are_what_was_eliminated_plus_what_the_scenario_gives():
    table = field(points=5)
    table.put(squad(RIFLE), "E5"), table.put(squad(RIFLE), "A9", RED)
    table.state.sides[BLUE].points_scored, table.state.sides[RED].points_scored = 30, 33
    table.state.turn = 8
    game = table.end_turn()
    assert table.state.winner == BLUE
    assert "35 points to 33" in game.of(GameEnded)[0].reason


@pytest.mark.rule("d47.victory.vp")
def test_an_objective_may_give_points_every_turn():
    table = field(points=0, each_turn=2)
    table.put(squad(RIFLE), "E5"), table.put(squad(RIFLE), "A9", RED)
    for _ in range(2):
        table.end_turn()
    assert table.state.sides[BLUE].points_scored == 4
    assert table.state.sides[RED].points_scored == 0


@pytest.mark.rule("d47.victory.vp")
def test_an_eliminated_unit_scores_its_points_for_the_enemy():
    table = field()
    tank = table.put(vehicle(RIFLE, points=13, damage=2), "E5", RED)
    tank.main.damage = 2
    game = table.run(table.rules.damage.bury(table.play, tank))
    assert table.state.sides[BLUE].points_scored == 13
    assert [event.points for event in game.of(Scored)] == [13]


@pytest.mark.rule("d47.victory.draw")
def test_equal_points_are_a_draw():
    table = field()
    table.put(squad(RIFLE), "A1"), table.put(squad(RIFLE), "A9", RED)
    for side in table.state.sides:
        side.points_scored = 33
    table.state.turn = 8
    game = table.end_turn()
    assert (table.state.phase, table.state.winner) == ("over", None)
    assert game.of(GameEnded)[0].rule == "d47.victory.draw"


@pytest.mark.rule("d47.open.victory_both")
@pytest.mark.parametrize("points, winner", [((9, 7), BLUE), ((7, 9), RED), ((8, 8), None)])
def test_when_both_sides_qualify_points_decide(monkeypatch, points, winner):
    table = field(points=0)
    table.put(squad(RIFLE), "A1")  # Red has nobody left, but has done what the scenario asked
    monkeypatch.setattr(type(table.rules.victory), "objective_done", lambda self, play, side: side == RED)
    table.state.sides[BLUE].points_scored, table.state.sides[RED].points_scored = points
    table.end_turn()
    assert (table.state.phase, table.state.winner) == ("over", winner)


@pytest.mark.rule("d47.open.victory_both")
def test_nobody_left_on_either_side_is_settled_by_points():
    table = field()
    table.state.sides[RED].points_scored = 9
    table.end_turn()
    assert (table.state.phase, table.state.winner) == ("over", RED)


@pytest.mark.rule("d47.open.elimination_offboard")
@pytest.mark.parametrize("status, goes_on", [(OFF_BOARD, True), ("aboard", True), (RESERVE, False), (AWAY, False)])
def test_who_is_off_the_board_saves_his_side_only_as_a_spy_or_passenger(status, goes_on):
    table = field()
    spy = table.put(squad(RIFLE))
    spy.status = status
    table.put(squad(RIFLE), "A9", RED)
    table.end_turn()
    assert (table.state.phase == "turn") is goes_on
