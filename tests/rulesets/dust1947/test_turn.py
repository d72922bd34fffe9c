"""The turn: initiative, alternation, passing, the menu of actions (d47.setup.*, d47.turn.*, d47.action.*)."""

from __future__ import annotations

import pytest

from dieselfront.kernel.game import Quiet
from dieselfront.rulesets.dust.events import FirstChosen, InitiativeWon, Passed, TurnBegan
from dieselfront.rulesets.dust.state import ACTIVATED
from dieselfront.rulesets.dust1947.activation import Activation
from rulesets.dust1947.table import BLUE, RED, Game, Table, aircraft, hero, refused, squad, vehicle, weapon


def begin(table: Table, dice: str, **answers: object) -> Game:
    return table.run(table.rules.turn.begin(table.play), dice, **answers)


def two_a_side() -> Table:
    table = Table()
    for side, row in ((BLUE, 1), (RED, 12)):
        for column in "AB":
            table.put(squad(weapon(), men=1), f"{column}{row}", side)
    return table


@pytest.mark.rule("d47.turn.initiative_roll")
def test_more_army_wins_the_initiative():
    game = begin(two_a_side(), "AAS ATT", first=0)
    assert game.of(InitiativeWon)[0].side == BLUE
    assert game.dice("initiative") == [3, 3]


@pytest.mark.rule("d47.turn.initiative_tiebreak")
@pytest.mark.parametrize(("dice", "winner"), [("ATS ASS", BLUE), ("ASS ATS", RED), ("ASS AAS", RED)])
def test_equal_army_is_decided_by_target(dice: str, winner: int):
    game = begin(two_a_side(), dice, first=0)
    assert game.of(InitiativeWon)[0].side == winner


@pytest.mark.rule("d47.turn.initiative_reroll")
def test_a_second_tie_rolls_everything_again():
    game = begin(two_a_side(), "ATS ATS SSS TAS", first=1)
    assert game.dice("initiative") == [3, 3, 3, 3]
    assert game.of(InitiativeWon)[0].side == RED


@pytest.mark.rule("d47.turn.initiative_choice")
def test_the_winner_may_let_the_other_begin():
    table = two_a_side()
    game = begin(table, "AAA SSS", first=RED)
    assert game.decisions[0].player == BLUE and table.state.to_act == RED
    assert game.of(FirstChosen)[0].side == RED


@pytest.mark.rule("d47.turn.sequence")
def test_a_turn_ends_when_all_have_acted_and_a_fresh_one_begins():
    table = two_a_side()
    for unit in table.state.units:
        unit.set(ACTIVATED)
    table.state.turn = 3
    table.run(table.rules.turn.next_activation(table.play))
    assert table.state.phase == "turn"
    game = begin(table, "AAA SSS", first=BLUE)
    assert table.state.turn == 4 and game.of(TurnBegan)[0].turn == 4
    assert not any(unit.activated for unit in table.state.units)


def order_of_play(table: Table) -> list[int]:
    """Whose turn it is, activation by activation, when everybody does nothing."""
    seen = []
    procedure = table.rules.turn.resume(table.play)
    answer = None
    while len(seen) < 20:
        question = procedure.send(answer)
        answer = None
        if isinstance(question, Quiet):
            if table.state.phase != "activations":
                return seen
            continue
        forced = question.forced()
        if question.key == "activate":
            seen.append(question.player)
            answer = next(iter(question.options))
        elif question.key == "actions":
            answer = ()
        else:
            answer = forced
    return seen


@pytest.mark.rule("d47.turn.alternate")
def test_players_alternate_and_the_longer_side_goes_on_alone():
    table = Table()
    table.put(squad(weapon(), men=1), "A1")
    for column in "ABC":
        table.put(squad(weapon(), men=1), f"{column}12", RED)
    assert order_of_play(table) == [BLUE, RED, RED, RED]


@pytest.mark.rule("d47.turn.pass")
@pytest.mark.parametrize(("mine", "theirs", "legal"), [(2, 3, True), (3, 3, False), (3, 2, False)])
def test_passing_needs_strictly_fewer_units_left(mine: int, theirs: int, legal: bool):
    table = Table()
    for number in range(mine):
        table.put(squad(weapon(), men=1), f"{'ABC'[number]}1")
    for number in range(theirs):
        table.put(squad(weapon(), men=1), f"{'ABC'[number]}12", RED)
    procedure = table.rules.turn.next_activation(table.play)
    decision = procedure.send(None)
    if not legal:
        refusal = refused(lambda: decision.check("pass"))
        assert refusal.rule == "d47.turn.pass"
        return
    game = table.run(table.rules.turn.next_activation(table.play), activate="pass")
    assert game.of(Passed)[0].side == BLUE and table.state.to_act == RED


@pytest.mark.rule("d47.turn.pass_combined_count")
def test_a_hero_in_a_squad_and_a_pilot_count_with_their_unit():
    table = Table()
    table.put(squad(weapon()), "A1", joined=hero())
    table.put(vehicle(), "C1", pilot=hero(skills="Pilot"))
    assert len(table.rules.turn.waiting(table.play, BLUE)) == 2


@pytest.mark.rule("d47.turn.two_actions")
def test_two_actions_are_the_measure():
    table = two_a_side()
    menu = table.menu(table.state.units[0])
    assert ("move", "attack") in menu and ("march",) in menu
    assert ("march", "attack") not in menu and ("move", "attack", "move") not in menu


@pytest.mark.rule("d47.turn.one_move_one_attack")
def test_one_movement_and_one_attack_per_activation():
    table = Table()
    near = table.put(squad(weapon()), "C3")
    table.put(squad(weapon()), "C5", RED)
    menu = table.menu(near, budget=3)
    assert ("attack", "attack") not in menu and ("march", "move") not in menu
    assert ("march", "attack") in menu and ("sustained", "move") in menu


@pytest.mark.rule("d47.turn.two_moves_become_march")
def test_two_moves_are_offered_as_a_march_and_use_the_march_value():
    table = Table()
    unit = table.put(squad(weapon(), move=3, march=4), "F6")
    assert ("move", "move") not in table.menu(unit)
    decision = activation_decision(table, unit)
    assert refused(lambda: decision.check(("move", "move"))).rule == "d47.turn.two_moves_become_march"
    game = table.activate(unit, "march", march="F10")
    assert game.moves[0].cost == 4


def activation_decision(table: Table, unit):
    procedure = table.rules.activations.declare(Activation(table.play, unit))
    return procedure.send(None)


@pytest.mark.rule("d47.turn.declare_all")
def test_all_actions_are_declared_before_the_first_but_targets_only_when_firing():
    table = Table()
    unit = table.put(squad(weapon("Rifle", "1/1", 5), men=1), "C3")
    foe = table.put(squad(weapon(), men=1), "C10", RED)
    game = table.activate(unit, "move", "attack", move="C5", declare=foe, dice="S")
    assert game.asked == ["actions", "move", "declare"]


@pytest.mark.rule("d47.turn.max_three_actions")
def test_nothing_is_ever_offered_beyond_three_actions():
    table = Table()
    unit = table.put(squad(weapon(), skills="At the Double, Charge, Move and Fire"), "C3")
    table.put(squad(weapon()), "C5", RED)
    for budget in (2, 3):
        weights = {"march": 2, "sustained": 2}
        for sequence in table.menu(unit, budget=budget):
            assert sum(weights.get(action.removeprefix("free:"), 1) for action in sequence) <= 3, sequence


@pytest.mark.rule("d47.action.special", "d47.turn.repeat_special")
def test_a_special_action_needs_its_rule_and_may_be_repeated():
    table = Table()
    plain = table.put(squad(weapon()), "C3")
    assert not any("special" in action for sequence in table.menu(plain) for action in sequence)
    hidden = table.put(squad(weapon(), skills="Camouflage"), "E3")
    menu = table.menu(hidden)
    assert ("special:camouflage",) in menu and ("special:camouflage", "special:camouflage") in menu


@pytest.mark.rule("d47.action.nothing")
def test_nothing_and_attack_attacks_once_without_moving():
    table = Table()
    unit = table.put(squad(weapon("Rifle", "1/1", 6), men=1), "C3")
    foe = table.put(squad(weapon(), men=1), "C6", RED)
    game = table.activate(unit, "attack", target=foe, dice="S")
    assert not game.moves and len(game.rolls) == 1


@pytest.mark.rule("d47.action.move")
def test_a_move_goes_up_to_the_move_value_or_stays():
    table = Table()
    unit = table.put(squad(weapon(), move=2), "C3")
    decision = table.rules.movement.decision(
        table.play, unit, table.rules.movement.reach(table.play, unit, 2, "move"), "move"
    )
    spots = {table.state.table.name(spot) for spot in decision.spots}
    assert {"C3", "C4", "C5", "D5"} <= spots and "C6" not in spots
    table.activate(unit, "move", move="C3")
    assert unit.where == (table.at("C3"),)


@pytest.mark.rule("d47.action.march")
def test_a_march_goes_up_to_the_march_value_and_leaves_no_action():
    table = Table()
    unit = table.put(squad(weapon(), move=2, march=5), "C3")
    game = table.activate(unit, "march", march="C8")
    assert game.moves[0].cost == 5 and unit.where == (table.at("C8"),)


@pytest.mark.rule("d47.setup.infantry_one_square")
def test_a_squad_moves_as_one():
    table = Table()
    unit = table.put(squad(weapon(), men=5), "B2")
    table.activate(unit, "move", move="B3")
    assert unit.where == (table.at("B3"),) and unit.models == 5


@pytest.mark.rule("d47.setup.unit_types")
def test_a_hero_counts_as_infantry():
    table = Table()
    lone = table.put(hero(), "A1")
    assert lone.is_hero and lone.is_infantry and not lone.is_vehicle
    assert table.put(vehicle(), "C1").is_vehicle and table.put(aircraft(), "E1").is_aircraft


@pytest.mark.rule("d47.setup.overhang")
def test_only_the_footprint_counts_whatever_sticks_out():
    table = Table()
    tank = table.put(vehicle(locomotion="tracked"), "D4")
    walker = table.put(vehicle(), "D6")
    assert tank.where == (table.at("D4"),)
    table.activate(walker, "move", move="D5 N")
    assert walker.where == (table.at("D5"),)


@pytest.mark.rule("d47.move.aircraft_must_move_first")
def test_an_aircraft_moves_first():
    table = Table()
    plane = table.put(aircraft(weapon("Gun", "2/1", 6, mount="turret")), "C3")
    table.put(squad(weapon()), "C6", RED)
    menu = table.menu(plane)
    assert ("move", "attack") in menu and ("march",) in menu
    assert not {("attack",), ("attack", "move"), ("sustained",), ()} & set(menu)
    decision = activation_decision(table, plane)
    assert refused(lambda: decision.check(("sustained",))).rule == "d47.move.aircraft_must_move_first"
    copter = table.put(aircraft(weapon("Gun", "2/1", 6, mount="turret"), skills="Helicopter"), "E3")
    assert ("sustained",) in table.menu(copter)


@pytest.mark.rule("d47.move.aircraft_physical_move")
def test_an_aircraft_that_stays_has_flown_a_loop():
    table = Table()
    plane = table.put(aircraft(weapon()), "F6")
    game = table.activate(plane, "move", move="F6 N")
    assert [move.rule for move in game.moves] == ["d47.move.aircraft_physical_move"]
    assert plane.where == (table.at("F6"),)


@pytest.mark.rule("d47.move.aircraft_physical_move", "d47.move.large_aircraft", "d47.open.large_rotate")
@pytest.mark.parametrize("pace, able", [(1, False), (2, True)])
def test_a_large_aircraft_that_turns_on_its_own_squares_must_have_flown_a_loop(pace, able):
    table = Table()
    plane = table.put(aircraft(weapon(), size="large", move=pace), "F6", facing="north")
    reach = table.rules.movement.real(table.rules.movement.reach(table.play, plane, pace, "move"), True)
    turned = (table.at("F7"), 2)
    assert (turned in reach) is ((table.at("F6"), 0) in reach) is able
    assert reach[(table.at("E6"), 3)] == 1, "to swing round one end is a move of one square"
    if able:
        game = table.activate(plane, "move", move="F7 S")
        assert [move.rule for move in game.moves] == ["d47.move.aircraft_physical_move"] and reach[turned] == 2


@pytest.mark.rule("d47.open.helicopter_turning")
def test_a_large_helicopter_may_turn_without_moving():
    table = Table()
    plane = table.put(aircraft(weapon(), size="large", skills="Helicopter"), "F6", facing="north")
    assert table.activate(plane, "move", move="F7 S").moves == []
