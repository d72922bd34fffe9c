"""Reactive attacks (d47.reactive.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust.events import Moved, Reacts, Turned
from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.rulesets.dust1947.reaction import MID_MARCH, NEVER
from rulesets.dust1947.table import RED, Table, knife, squad, vehicle, weapon


def rifles(men: int = 2, **more: object):
    return squad(weapon("Rifle", "1/1", 6), men=men, **more)


def duel(distance: int = 3):
    table = Table()
    unit = table.put(rifles(), "C3")
    foe = table.put(rifles(), f"C{3 + distance}", RED)
    return table, unit, foe


def moment(table: Table, unit, *actions: str) -> int:
    activation = Activation(table.play, unit)
    activation.actions = actions
    return table.rules.reactions.moment(activation)


@pytest.mark.rule("d47.reactive.trigger_move_attack", "d47.reactive.trigger_attack_move")
def test_a_move_and_an_attack_in_either_order_can_be_reacted_to_in_between():
    table, unit, foe = duel()
    assert moment(table, unit, "move", "attack") == 1 and moment(table, unit, "attack", "move") == 1
    game = table.activate(unit, "move", "attack", move="C4", react=foe, dice="SS SS", target=foe)
    assert game.asked == ["actions", "move", "react", "declare"]


@pytest.mark.rule("d47.open.reactive_other_actions", "d47.open.reactive_trigger_misprint")
def test_other_activations_cannot_be_reacted_to():
    table, unit, _ = duel()
    for actions in (("sustained",), ("move",), ("attack",), ("move", "special:x"), ("special:x", "attack"), ()):
        assert moment(table, unit, *actions) == NEVER


@pytest.mark.rule("d47.reactive.trigger_march", "d47.open.march_split_move")
def test_a_march_is_interrupted_after_the_move_value():
    table = Table()
    unit = table.put(rifles(move=2, march=5), "C3")
    foe = table.put(rifles(), "G5", RED)
    game = table.activate(unit, "march", march_first="C5", react=foe, march="C8", dice="SS")
    assert game.asked == ["actions", "march-first", "react", "march"]
    assert [move.cost for move in game.of(Moved)] == [2, 3]
    assert moment(table, unit, "march", "free:close-attack") == MID_MARCH


@pytest.mark.rule("d47.open.march_split_move", "d47.open.diagonal_scope")
def test_a_march_has_one_cheap_diagonal_in_all():
    table = Table()
    unit = table.put(rifles(move=1, march=2), "C3")
    table.put(rifles(), "G5", RED)
    game = table.activate(unit, "march", march_first="D4", react=None, march="D5")
    second = next(decision for decision in game.decisions if decision.key == "march")
    assert table.at("E5") not in second.spots and table.at("D5") in second.spots


@pytest.mark.rule("d47.reactive.timing", "d47.open.reactive_three_actions_charge")
def test_three_actions_are_interrupted_after_the_second():
    table, unit, _ = duel()
    assert moment(table, unit, "move", "attack", "special:x") == 2
    assert moment(table, unit, "move", "sustained") == 1
    house = Table(options={"reactive_three_actions_charge": "after_move"})
    other = house.put(rifles(), "C3")
    assert moment(house, other, "move", "attack", "special:x") == 1


@pytest.mark.rule("d47.reactive.eligible")
@pytest.mark.parametrize("token", ["activated", "acted"])
def test_who_has_acted_cannot_react(token: str):
    table, unit, foe = duel()
    assert foe in table.rules.reactions.reactors(table.play, unit)
    foe.set({"activated": 1, "acted": 2}[token])
    assert foe not in table.rules.reactions.reactors(table.play, unit)


@pytest.mark.rule("d47.reactive.range", "d47.open.reactive_no_line")
def test_reactions_reach_four_squares_and_need_no_line_to_be_tried():
    table = Table("structure at C6")
    unit = table.put(rifles(), "C4")
    near, far = table.put(rifles(), "C8", RED), table.put(rifles(), "C9", RED)
    assert table.rules.reactions.reactors(table.play, unit) == [near]
    assert far not in table.rules.reactions.reactors(table.play, unit)


@pytest.mark.rule("d47.reactive.one_per_activation")
def test_only_one_unit_tries_in_an_activation():
    table = Table()
    unit = table.put(rifles(move=2, march=4), "C3")
    one, two = table.put(rifles(), "E4", RED), table.put(rifles(), "E5", RED)
    table.state.reacted = True
    game = table.run(table.rules.reactions.offer(table.play, unit))
    assert game.asked == []
    table.state.reacted = False
    game = table.activate(unit, "march", march_first="C4", react=one, march="C5", dice="SS")
    assert game.asked.count("react") == 1 and not two.activated


@pytest.mark.rule("d47.reactive.roll", "d47.reactive.no_success", "d47.reactive.uses_activation")
def test_a_failed_reaction_costs_the_activation():
    table, unit, foe = duel()
    game = table.activate(unit, "move", "attack", move="C4", react=foe, dice="ST SS", target=foe)
    assert game.dice("reaction") == [2] and game.of(Reacts)[0].unit == foe.id
    assert foe.activated and foe not in table.rules.turn.waiting(table.play, RED)
    assert game.dice("to hit") == [2], "only the active unit fires"


@pytest.mark.rule("d47.reactive.one_success")
def test_one_success_is_one_attack():
    table, unit, foe = duel()
    game = table.activate(unit, "move", "attack", move="C4", react=foe, dice="AS SS SS", declare=[unit, foe])
    assert "reaction-attack" not in game.asked
    assert [len(roll.stages) for roll in game.rolls if roll.label == "to hit"] == [1, 1]


@pytest.mark.rule("d47.reactive.two_successes", "d47.reactive.rotate_only")
def test_two_successes_sustain_or_turn_and_attack():
    table, unit, foe = duel()
    game = table.activate(unit, "move", "attack", move="C4", react=foe, dice="AA SS SS SS", declare=[unit, foe])
    assert [len(roll.stages) for roll in game.rolls if roll.label == "to hit"] == [2, 1]
    table = Table()
    unit = table.put(rifles(), "C3")
    tank = table.put(vehicle(weapon("Gun", "1/1", 6, mount="front"), locomotion="tracked"), "C7", RED, facing="south")
    game = table.activate(
        unit,
        "move",
        "attack",
        move="C4",
        react=tank,
        dice="AA S SS",
        reaction_attack="turn and attack",
        turn=(table.at("C7"), 0),
        declare=[unit, tank],
    )
    assert game.of(Turned)[0].facing == 0 and tank.where == (table.at("C7"),)
    turning = next(decision for decision in game.decisions if decision.key == "turn")
    assert {stance[0] for stance in turning.options} == {table.at("C7")}


@pytest.mark.rule("d47.reactive.no_cc", "d47.open.reactive_target")
def test_a_reaction_shoots_at_the_trigger_only_and_never_fights():
    table = Table()
    unit = table.put(rifles(), "C3")
    other = table.put(rifles(), "E4")
    foe = table.put(squad(weapon("Rifle", "1/1", 6), knife(), men=2), "C5", RED)
    game = table.activate(unit, "move", "attack", move="C4", react=foe, dice="AS SS SS", declare=[unit, {"Rifle": foe}])
    declared = next(decision for decision in game.decisions if decision.key == "declare")
    targets = {aim[0] for options in declared.choices for aim in options if aim is not None}
    assert targets == {unit.id} and len(declared.items) == 2
    assert other.alive


@pytest.mark.rule("d47.reactive.passive_skills_only")
def test_passive_skills_work_in_a_reaction_and_free_actions_do_not():
    table = Table()
    unit = table.put(rifles(), "C3")
    foe = table.put(
        squad(weapon("Rifle", "1/1", 6), men=2, skills="Brave, Move and Fire"), "C6", RED, tokens="suppressed"
    )
    game = table.activate(unit, "move", "attack", move="C4", react=foe, dice="AAS AS SS SS", declare=[unit, foe])
    assert game.dice("recovery") == [3], "Brave is passive"
    assert not [event for event in game.of(Moved) if event.unit == foe.id]


@pytest.mark.rule("d47.reactive.trigger_raid")
def test_a_raid_is_interrupted_after_its_first_move():
    table = Table()
    raider = table.put(vehicle(weapon("Gun", "1/1", 6, mount="turret"), skills="Raid", locomotion="wheeled"), "C3")
    foe = table.put(rifles(), "C8", RED)
    game = table.activate(raider, "special:raid", move=["C5 N", "C4 N"], react=foe, dice="SS S", declare=foe)
    assert game.asked == ["actions", "move", "react", "declare", "move"]
