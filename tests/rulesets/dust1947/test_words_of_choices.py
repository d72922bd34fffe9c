"""Choices in words: soldiers by what they carry, actions by what they spend."""

from __future__ import annotations

from dieselfront.forces.armies import army_from
from dieselfront.rulesets.dust.state import Part
from dieselfront.rulesets.dust1947.activation import about
from dieselfront.rulesets.dust1947.attack import is_leader, label_of_soldier
from dieselfront.rulesets.dust_open.damage import side_of
from dieselfront.rulesets.dust_open.places import at
from dieselfront.scenarios import battle, lessons


def a_squad() -> Part:
    lesson = lessons.lessons("dust1947")[0]
    armies = [army_from(army) for army in lesson.armies]
    game = battle.start(battle.header("dust1947", lesson.scenario, armies, seed="1"), "1")
    squad: Part = next(
        part for unit in game.state.units for part in unit.parts if part.card.id == "allies-ranger-weapon-squad"
    )
    return squad


def test_a_soldier_is_told_by_what_he_carries_each_thing_once() -> None:
    squad = a_squad()
    labels = [label_of_soldier(squad, soldier) for soldier in squad.alive]
    assert "Bazooka" in labels
    assert all(len(set(label.split(", "))) == len(label.split(", ")) for label in labels)


def test_the_leader_is_known() -> None:
    squad = a_squad()
    assert [label_of_soldier(squad, soldier).startswith("Leader") for soldier in squad.alive] == [
        is_leader(squad, soldier) for soldier in squad.alive
    ]


def test_actions_tell_what_they_spend() -> None:
    lesson = lessons.lessons("dust1947")[0]
    armies = [army_from(army) for army in lesson.armies]
    unit = battle.start(battle.header("dust1947", lesson.scenario, armies, seed="1"), "1").state.units[0]
    spent = {
        names: about(unit, names).cost for names in [("attack",), ("move", "attack"), ("sustained",), ("free:move",)]
    }
    assert spent == {("attack",): 1, ("move", "attack"): 2, ("sustained",): 2, ("free:move",): 0}


def test_models_are_told_by_the_side_they_stand_on() -> None:
    square = [at(100, 100), at(200, 100), at(150, 150), at(100, 200), at(200, 200)]
    assert [side_of(square, model) for model in range(5)] == [
        "north-west",
        "north-east",
        "",
        "south-west",
        "south-east",
    ]
    assert side_of([at(100, 100)], 0) == ""
