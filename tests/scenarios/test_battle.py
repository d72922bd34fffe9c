"""From scenario and army lists to a game."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import msgspec
import pytest

from dieselfront import rulesets
from dieselfront.forces.armies import Army, ArmyUnit
from dieselfront.forces.muster import army_points
from dieselfront.kernel.record import Header, dump, load, record, replay
from dieselfront.scenarios import battle, library
from dieselfront.scenarios.battle import BattleError

ARMIES = ["dust1947-allies", "dust1947-ssu"]


def test_a_header_holds_everything_the_game_needs():
    made = battle.header("dust1947", "crossroads", ARMIES, seed="7")
    plain = msgspec.json.decode(msgspec.json.encode(made), type=Header)
    assert plain == made
    assert battle.start(plain, "7").pending.key == "deploy-unit"


def test_a_record_survives_a_language_that_writes_33_for_33_point_0():
    field = library.find("meeting-engagement", "konflikt47")
    field |= {"size": [float(length) for length in field["size"]]}
    armies = list(battle.starters("konflikt47")[:2])
    game = battle.start(battle.header("konflikt47", field, armies, seed="7"), "7")
    chance = Random(3)
    for _ in range(4):
        game.choose(game.pending.sample(chance))
    data = dump(record(game, publish_seed=True))
    elsewhere = json.dumps(shortest(json.loads(data)))
    assert replay(rulesets.load("konflikt47"), load(elsewhere.encode())).choices == game.choices
    assert game.header.scenario["size"] == [int(length) for length in field["size"]]


def shortest(value: Any) -> Any:
    """What JavaScript makes of numbers: it knows no 33.0."""
    if isinstance(value, list):
        return [shortest(one) for one in value]
    if isinstance(value, dict):
        return {key: shortest(one) for key, one in value.items()}
    return int(value) if isinstance(value, float) and value.is_integer() else value


@pytest.mark.rule("d47.hero.join_before_game", "d47.pilot.before_game", "d47.skill.commissar_join")
def test_heroes_stand_with_their_units():
    allies = battle.header("dust1947", "crossroads", ARMIES, seed="7").forces
    assert allies[0]["units"][0]["cards"] == ["allies-ranger-weapon-squad", "allies-bazooka-joe"]
    assert allies[1]["units"][0] == {"id": "b1", "cards": ["ssu-grand-ma"], "pilot": "ssu-koshka"}
    battle_squad = allies[1]["units"][1]["cards"][0]
    soldiers = allies[1]["cards"][battle_squad]["soldiers"]
    assert soldiers[-1]["roles"] == ["commissar"]


def test_a_unit_may_begin_inside_its_transport():
    army = Army(
        "dust1947",
        "Riders",
        50,
        (ArmyUnit("allies-ranger-recon-squad", mounted_in="bus"), ArmyUnit("allies-pounder", label="bus")),
        bloc="Allies",
    )
    made = battle.header("dust1947", "crossroads", [army, "dust1947-axis"], seed="7")
    assert made.forces[0]["units"][0]["aboard"] == "a2"


def test_two_forces_of_one_name_are_told_apart():
    made = battle.header("dust1947", "crossroads", ["dust1947-axis"] * 2, seed="7")
    assert [force["name"] for force in made.forces] == ["Sturmgruppe Manfred (1)", "Sturmgruppe Manfred (2)"]


@pytest.mark.parametrize(
    ("options", "message"),
    [({"no_such": "x"}, "has no option 'no_such'"), ({"critical_destroyed": "maybe"}, "cannot be 'maybe'")],
)
def test_options_of_the_game_are_checked(options, message):
    with pytest.raises(BattleError, match=message):
        battle.header("dust1947", "crossroads", ARMIES, seed="7", options=options)


def test_an_army_for_another_game_is_refused():
    with pytest.raises(BattleError, match="made for konflikt47"):
        battle.header("dust1947", "crossroads", ["konflikt47-germany", "dust1947-axis"], seed="7")


@pytest.mark.parametrize("scenario", ["crossroads", "factory-yard", "river-line", "random:11"])
def test_a_battle_is_played_to_its_end_by_anybody(scenario):
    game = battle.start(battle.header("dust1947", scenario, ["random:3", "dust1947-axis"], seed="1"), "1")
    chance = Random(1)
    while (pending := game.pending) is not None:
        game.choose(pending.sample(chance))
    view = game.rules.view(game.state)
    assert view["phase"] == "over"
    names = game.rules.names(game.state)
    sentences = [event.sentence(names) for event in game.events]
    assert all(sentences)
    assert not any("{" in sentence for sentence in sentences)


def test_the_view_is_plain_data_and_names_squares():
    game = battle.start(battle.header("dust1947", "crossroads", ARMIES, seed="7"), "7")
    chance = Random(2)
    while game.pending.key != "activate":
        game.choose(game.pending.sample(chance))
    view = msgspec.json.decode(msgspec.json.encode(game.rules.view(game.state)))
    assert view["table"]["features"]["B6"] == ["trees"]
    assert [side["name"] for side in view["sides"]] == ["Bravo Company", "Koshka's Vanguard"]
    first = view["units"][0]
    assert (first["id"], first["left"], first["left_max"]) == ("a1", 9, 9)
    assert first["places"][0][0] in "ABCDEFGHIJKL"
    assert view["objectives"][0] == {"name": "the crossroads", "places": ["F5"], "points": 10, "holder": None}


@pytest.mark.parametrize(("ruleset", "points"), [("dust1947", 50), ("freeform1947", 50), ("konflikt47", 500)])
def test_a_random_army_is_of_the_size_usual_for_its_game(ruleset, points):
    cost = army_points(battle.army("random:5", ruleset))
    assert 0.8 * points <= cost <= points
