"""Whole games: from the header to the end, watched; what decisions say of themselves; what screens see."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from dieselfront.dice import commitment
from dieselfront.kernel.decisions import Path, PlaceFree
from dieselfront.kernel.record import Header, digest, new_game
from dieselfront.lab.invariants import play_watched
from dieselfront.rulesets.warfare import RULESET
from dieselfront.scenarios import library
from rulesets.warfare.field import BLUE, RED, Field, gap, squad, vehicle

ALLIES = ("allies-bazooka-joe", "allies-the-boss", "allies-recon-boys", "allies-death-dealers", "allies-pounder")
AXIS = ("axis-stefan", "axis-the-old-man", "axis-the-ghosts", "axis-stormtroopers", "axis-luther")
SSU = ("ssu-red-command", "ssu-frontoviki", "ssu-matrioshka", "ssu-burner", "ssu-assaulter")


def force(name: str, ids: tuple[str, ...]) -> dict:
    cards = RULESET.all_cards()
    return {"name": name, "units": [{"label": id, "card": msgspec.to_builtins(cards[id])} for id in ids]}


def a_game(scenario: str = "crossroads", blue=ALLIES, red=SSU, seed: str = "1", **options: str):
    header = Header(
        ruleset="warfare", version=RULESET.version, scenario=library.find(scenario, "warfare"),
        forces=[force("Blue", blue), force("Red", red)], seats=["blue", "red"], commitment=commitment(seed), salt="",
        options=options,
    )  # fmt: skip
    return new_game(RULESET, header, seed)


def played(game, seed: str):
    chance = Random(seed)
    while (decision := game.pending) is not None:
        game.choose(decision.sample(chance))
    return game


@pytest.mark.parametrize("scenario", ["crossroads", "break-through"])
def test_a_watched_game_keeps_every_invariant(scenario):
    assert play_watched(a_game(scenario, seed=scenario), Random(scenario)) > 50


def test_equal_seeds_play_equal_games():
    first, second = (played(a_game("river-crossing", AXIS, SSU, "x"), "y") for _ in range(2))
    assert digest(first) == digest(second)


@pytest.mark.parametrize("scenario", [*library.names("warfare"), "random:1", "random:2", "random:3"])
def test_every_scenario_can_be_set_up(scenario):
    game = a_game(scenario)
    chance = Random(scenario)
    while game.state.phase == "setup":
        game.choose(game.pending.sample(chance))
    assert game.state.turn == 1
    assert not list(RULESET.invariants(game.state))
    view = RULESET.view(game.state)
    assert view["table"]["kind"] == "measured" and len(view["units"]) == 10


def test_there_are_six_scenarios():
    assert len(library.names("warfare")) >= 6


def test_every_decision_says_what_it_is_about():
    game, chance, seen = a_game("supply-dumps", seed="meaning"), Random("meaning"), {}
    while (decision := game.pending) is not None:
        answer = decision.sample(chance)
        about = decision.meaning(answer)
        seen.setdefault(decision.key, set()).add(about.act)
        if not isinstance(decision, Path | PlaceFree):
            decision.facts()
        assert decision.rule.startswith("dw.") and decision.text
        game.choose(answer)
    assert seen["activate"] == {"activate"} and "attack" in seen["target"]
    assert all(
        act != "choose"
        for key, acts in seen.items()
        for act in acts
        if key not in ("leader", "stand-in leader", "effect")
    )


def test_targets_and_reactions_show_what_is_at_stake():
    field = Field()
    a, b = field.put(BLUE, squad(5), 900, 600), field.put(RED, squad(5), 900, 600 - gap(10))
    ran = field.attack(a, b, "BBBBB")
    target, reaction = ran.questions
    (stake,) = target.at_stake(("direct", b.id))
    assert stake.target == b.id and stake.unit == a.id and stake.plans[0].stages[0].dice == 5
    stakes = reaction.at_stake((b.id, "attack"))
    assert {(one.unit, one.target) for one in stakes} == {(a.id, b.id), (b.id, a.id)}
    assert target.at_stake(None) == ()


def test_nobody_is_asked_when_nobody_may_react():
    field = Field()
    a, b = field.put(BLUE, squad(5), 900, 600), field.put(RED, squad(5), 900, 600 - gap(10), suppression=1)
    assert "reaction" not in field.attack(a, b, "BBBBB").asked


def test_converted_cards_say_so_on_the_screen():
    game = a_game()
    for unit in RULESET.view(game.state)["units"]:
        assert "converted" in unit["origin"]


def test_sentences_name_units_as_people_do():
    game = played(a_game(seed="words"), "words")
    names = RULESET.names(game.state)
    told = [event.sentence(names) for event in game.events]
    assert all(told) and any("The Boss" in sentence for sentence in told)


def test_a_copy_of_the_state_is_independent():
    field = Field()
    unit = field.put(BLUE, vehicle(), 900, 600)
    twin = field.state.clone()
    assert twin.facts() == field.state.facts()
    twin.unit(unit.id).effects = ("blinded",)
    twin.unit(unit.id).wounds[0] = 2
    assert unit.effects == () and unit.wounds == {}
