"""What computer players of Dust Warfare do where special rules or good sense leave no doubt, and what they leave alone.

Every position is a small referee file; a veteran plays the activation or answers the decision it leads to.
"""

from __future__ import annotations

import pytest

from dieselfront.lab import blunders
from dieselfront.lab.blunder_words import holds
from dieselfront.players import make
from dieselfront.players.weights import weights
from dieselfront.rulesets.warfare.adviser import adviser
from dieselfront.rulesets.warfare.adviser.gunnery import standing
from dieselfront.rulesets.warfare.adviser.plans import Planner

TABLE = "ruleset: warfare\nsize: 48in x 48in\nturns: 6\n"
DONE = "activated: yes, reaction: yes"

POSITIONS = {
    "a bazooka fires at the tank and rifles at the soldiers": """
turn: 3
units:
  a1: {card: ssu-specialists, place: "24in, 30in", formation: row}
  b1: {card: axis-ludwig, place: "20in, 18in", facing: east, damage: 4, activated: yes}
  b2: {card: axis-zombies, place: "28in, 20in", models: 2, activated: yes}
expect: {weapon: {RPG: b1, AK: b2}}
""",
    "a bolt of lightning leaps to the second cripple": """
turn: 3
units:
  a1: {card: ssu-red-lightning, place: "24in, 36in", formation: row}
  b1: {card: axis-zombies, place: "22in, 18in", models: 1, activated: yes}
  b2: {card: axis-zombies, place: "27in, 18in", models: 1, activated: yes}
expect: {all: [{target: b1}, {target: b2}]}
""",
    "hammers march into a free attack": """
turn: 3
units:
  a1: {card: allies-hammers, place: "24in, 36in", formation: row}
  b1: {card: axis-jagdluther, place: "24in, 17in", facing: south, damage: 4}
expect: {action: march, target: b1}
""",
    "an empty launcher is reloaded and fired": f"""
turn: 3
units:
  a1: {{card: allies-blackhawk, place: "24in, 32in", facing: north, out_of_ammo: [Heavy PIAT]}}
  b1: {{card: axis-ludwig, place: "24in, 21in", facing: south, damage: 4, {DONE}}}
expect: {{action: reload + attack, target: b1}}
""",
    "a burning tank puts the fire out before it shoots": f"""
turn: 3
units:
  a1: {{card: ssu-kv-47-natasia, place: "24in, 32in", facing: north, damage: 3, effects: [external fire]}}
  b1: {{card: allies-the-saints, place: "24in, 18in", {DONE}}}
expect: {{action: put out the fire}}
""",
    "the medic goes to those who are about to run": """
turn: 3
units:
  a1: {card: allies-mustangs, place: "20in, 42in"}
  a2: {card: allies-gunners, place: "25in, 43in", suppression: 1}
  a3: {card: allies-grim-reapers, place: "20in, 46in", models: 1, suppression: 2}
  b1: {card: ssu-frontoviki, place: "20in, 6in"}
expect: {unit: a1, action: heal, answer: {heal: a3}}
""",
    "in the last turn whoever holds the objective is shot, not the bigger squad": f"""
turn: 6
initiative: red
victory: objectives
objectives:
  - {{id: inn, at: [30, 18], points: 30}}
units:
  a1: {{card: ssu-frontoviki, place: "24in, 32in", formation: row}}
  b1: {{card: allies-artillery-scouts, place: "30in, 18in", models: 1, {DONE}}}
  b2: {{card: allies-mavericks, place: "18in, 20in", {DONE}}}
expect: {{target: b1}}
""",
    "a car drives up to keep the enemy from holding": f"""
turn: 6
initiative: red
victory: objectives
objectives:
  - {{id: mill, at: [24, 18], points: 30}}
units:
  a1: {{card: ssu-gaz-64, place: "24in, 34in", facing: north}}
  a2: {{card: ssu-frontoviki, place: "6in, 44in", activated: yes}}
  b1: {{card: axis-stormtroopers, place: "24in, 17in", {DONE}}}
expect: {{denies: mill}}
""",
    "riders get off and take the objective": """
turn: 6
victory: objectives
objectives:
  - {id: gate, at: [24, 20], points: 40}
units:
  a1: {card: ssu-iosef-stalin, place: "24in, 27in", facing: north, activated: yes}
  a2: {card: ssu-tiger-claws, aboard: a1, seat: riding}
  b1: {card: allies-wildfire, place: "4in, 4in", facing: south, activated: yes}
expect: {holds: gate}
""",
    "a crippled walker goes behind the rocks": """
turn: 3
terrain:
  - rocks at 10in, 30in size 10in x 3in
units:
  a1: {card: allies-mobile-hq, place: "23in, 35in", facing: north, damage: 5, reaction: yes}
  b1: {card: axis-konigsluther, place: "24in, 6in", facing: south}
expect: {hidden: {a1: [b1]}}
""",
    "an order puts a fire out before the turn begins": """
turn: 3
phase: command
orders: 1
initiative: red
units:
  a1: {card: allies-the-boss, place: "20in, 40in"}
  a2: {card: allies-cobra, place: "24in, 34in", facing: north, damage: 5, effects: [external fire]}
  a3: {card: allies-gunners, place: "10in, 36in"}
  b1: {card: ssu-frontoviki, place: "24in, 4in"}
expect: {order: take action, unit: a2, answer: {ordered action: put out the fire}}
""",
    "a gunship hovers instead of leaving the table": f"""
turn: 3
units:
  a1: {{card: ssu-striker, place: "24in, 6in", facing: north, altitude: low}}
  b1: {{card: axis-ludwig, place: "24in, 14in", facing: north, damage: 4, {DONE}}}
expect: {{answer: {{compulsory move: hover}}}}
""",
    "snipers step out of reach of flames and shotguns": """
turn: 3
active: red
initiative: blue
units:
  a1: {card: axis-sharpshooters, place: "24in, 30in", formation: row, activated: yes}
  b1: {card: ssu-fakyeli, place: "24in, 24in", formation: row}
do:
  - actions: attack
  - target: a1
expect: {answer: {reaction: a1 move}, near: {unit: a1, to: b1, least: 6.1}}
""",
    "whoever has acted fires at those who come up to fire": """
turn: 3
active: red
initiative: blue
units:
  a1: {card: ssu-frontoviki, place: "24in, 30in", formation: row, activated: yes}
  b1: {card: allies-firestarters, place: "24in, 20in", models: 2}
do:
  - actions: move + attack
expect: {answer: {reaction: a1 attack}}
""",
    "the only bazooka is not lost before the rifles": """
turn: 3
active: red
initiative: red
units:
  a1: {card: allies-death-dealers, place: "24in, 34in", activated: yes, reaction: yes}
  b1: {card: {name: Gun, models: 1, points: 5, weapons: [{name: Gun, range: 18, vs: {S: 6/1}}]}, place: "24in, 20in"}
  b2: {card: ssu-babushka, place: "34in, 22in", facing: south, damage: 6}
do:
  - activate: b1
  - actions: attack
  - {target: a1, dice: [HIT, HIT, HIT, HIT, BLANK, BLANK, BLANK, BLANK]}
expect: {keeps: {a1: M9 Bazooka}}
""",
}


def position(sentence: str) -> blunders.Blunder:
    return blunders.read_blunder(f"{TABLE}{POSITIONS[sentence]}".encode(), "position", ("ruleset", "expect"))


@pytest.mark.parametrize("sentence", POSITIONS)
def test_a_veteran_sees_it(sentence):
    blunder = position(sentence)
    scene = blunders.play(blunder, make("veteran", "see", "warfare"), "see")
    assert holds(scene, blunder.expect), [taken.in_words() for taken in scene.taken]


def test_asking_what_a_unit_could_do_elsewhere_leaves_the_position_as_it_is():
    for sentence in POSITIONS:
        game = blunders.start(position(sentence))
        before = game.state.facts()
        mind = adviser(weights("warfare"))
        mind.candidates(game, {}, 12)
        mind.worth(game, 0)
        assert game.state.facts() == before


def test_a_unit_that_stands_elsewhere_for_a_question_comes_back_even_if_the_question_fails():
    game = blunders.start(position("hammers march into a free attack"))
    unit = game.state.unit("a1")
    bodies = unit.bodies
    with pytest.raises(ZeroDivisionError), standing(unit, bodies[:1]):
        raise ZeroDivisionError
    assert unit.bodies is bodies


def test_what_is_much_worse_than_the_best_answer_no_level_takes_by_mistake():
    game = blunders.start(position("a car drives up to keep the enemy from holding"))
    mind = adviser(weights("warfare"))
    plans = mind.candidates(game, {}, 12)
    assert not mind.gives_up(game, plans[0])
    assert mind.gives_up(game, plans[-1]) and plans[0].value - plans[-1].value > 16


def test_a_hidden_place_is_less_dangerous_than_an_open_one():
    game = blunders.start(position("a crippled walker goes behind the rocks"))
    planner = Planner(game.rules, game.state, weights("warfare"))
    unit = game.state.unit("a1")
    here = planner.here(unit)
    hidden = [game.state.table.stand(unit.bodies[0].shape, 380, 900, 0, unit.bodies[0].key)]
    assert planner.dangers.at(unit, hidden, ((380.0, 900.0), 0.0)) < 0.5 * planner.dangers.at(unit, unit.bodies, here)
