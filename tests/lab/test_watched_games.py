"""Random games with everything checked after every choice."""

from __future__ import annotations

import json
from random import Random

import pytest
from typer.testing import CliRunner

from dieselfront import rulesets
from dieselfront.cli.rules import app
from dieselfront.kernel.decisions import PickOne
from dieselfront.lab import watch
from dieselfront.lab.invariants import Broken, check_decision, play_watched, watch_events
from dieselfront.rulesets.dust.events import Activated, TokenGained
from dieselfront.rulesets.dust.state import BURNING, LOST
from dieselfront.rulesets.konflikt47 import events as k47
from dieselfront.rulesets.konflikt47.state import GONE
from dieselfront.scenarios import battle, library


def armies(ruleset: str, number: int) -> list[str]:
    return [f"random:{2 * number + 1}", f"random:{2 * number + 2}"]


@pytest.mark.parametrize("number", range(24))
def test_random_games_of_dust_1947_keep_every_invariant(number: int):
    scenarios = library.names("dust1947")
    header = battle.header(
        "dust1947", scenarios[number % len(scenarios)], armies("dust1947", number), seed=f"watched-{number}"
    )
    game = battle.start(header, f"watched-{number}")
    assert play_watched(game, Random(number)) > 50
    assert game.over


def test_the_watch_sees_a_unit_in_two_places():
    header = battle.header("dust1947", "crossroads", ["dust1947-allies", "dust1947-axis"], seed="x")
    game = battle.start(header, "x")
    while game.state.phase == "deploy":
        game.choose(next(iter(game.pending.answers())))
    one, two = game.state.on_board(0)[:2]
    two.where, two.place = one.where, one.place
    with pytest.raises(Broken):
        play_watched(game, Random(1))


class TakesAnything(PickOne):
    def check(self, answer: object) -> object:
        return answer


def test_the_watch_sees_a_decision_that_takes_anything():
    header = battle.header("dust1947", "crossroads", ["dust1947-allies", "dust1947-axis"], seed="x")
    game = battle.start(header, "x")
    game.decision = TakesAnything(0, "deploy-unit", game.pending.options)
    with pytest.raises(Exception, match=r"took|no such answer"):
        check_decision(game, game.decision, Random(1))


# -- after every event ----------------------------------------------------------------------------


def dust_game():
    header = battle.header("dust1947", "crossroads", ["dust1947-allies", "dust1947-axis"], seed="x")
    game = battle.start(header, "x")
    while game.state.phase == "deploy":
        game.choose(next(iter(game.pending.answers())))
    watch_events(game)
    return game


def konflikt_game():
    header = battle.header("konflikt47", "crossroads", ["konflikt47-germany", "konflikt47-soviet-union"], seed="x")
    game = battle.start(header, "x")
    while game.state.phase == "setup":
        game.choose(game.pending.sample(Random(1)))
    watch_events(game)
    return game


@pytest.mark.parametrize("event", [Activated, lambda rule, unit: TokenGained(rule, unit, "stunned")])
def test_the_watch_sees_the_dead_act_or_gain_tokens(event):
    game = dust_game()
    unit = game.state.on_board(0)[0]
    unit.where, unit.place, unit.status = (), -1, LOST
    with pytest.raises(Broken, match="lost"):
        game.play.emit(event("rule", unit.id))


def test_the_watch_sees_a_token_that_the_unit_cannot_bear():
    game = dust_game()
    squad = next(unit for unit in game.state.on_board(0) if unit.card.kind == "infantry")
    game.play.emit(Activated("rule", squad.id))
    squad.set(BURNING)
    with pytest.raises(Broken, match="burning"):
        game.play.emit(Activated("rule", squad.id))


def test_the_watch_sees_an_order_die_that_was_not_in_the_cup():
    game = konflikt_game()
    drawn = next(event for event in reversed(game.events) if isinstance(event, k47.DieDrawn))
    game.play.emit(drawn)
    game.state.units[0].order = "fire"
    with pytest.raises(Broken, match="cup"):
        game.play.emit(drawn)


def test_the_watch_sees_a_die_on_a_unit_that_is_gone():
    game = konflikt_game()
    unit = game.state.units[0]
    unit.place, unit.bodies, unit.order = GONE, [], "fire"
    with pytest.raises(Broken, match="order die"):
        game.play.emit(k47.TurnEnded("rule", 1))


def test_the_watch_sees_a_squad_out_of_coherency():
    game = konflikt_game()
    squad = next(unit for unit in game.state.units if unit.on_table and len(unit.bodies) > 3 and not unit.building)
    squad.men = squad.men[:1] + squad.men[-1:]
    squad.bodies = squad.bodies[:1] + squad.bodies[-1:]
    assert game.rules.movement.is_scattered(squad)
    with pytest.raises(Broken, match="coherency"):
        game.play.emit(k47.Moved("rule", squad.id, "advance", (), squad.spots))


# -- Konflikt '47 -----------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(6))
def test_random_games_of_konflikt_47_keep_every_invariant(number: int):
    assert watch.play_one("konflikt47", number, "tests").decisions > 50


@pytest.mark.rule("k47.turn.cup_invariant")
def test_order_dice_are_conserved_by_the_log_alone():
    """Who has a die in the cup, kept from what was told and nothing else, is what every draw finds there."""
    game = konflikt_game()
    chance = Random(5)
    while game.pending is not None:
        game.choose(game.pending.sample(chance))
    sides = {unit.id: unit.side for unit in game.state.units}
    cup, kept, gone, draws = set(sides), set(), set(), 0
    for event in game.events:
        if isinstance(event, k47.TurnBegan):
            cup, kept = set(sides) - gone - kept, set()
        elif isinstance(event, k47.OrderKept):
            kept.add(event.unit)
        elif isinstance(event, k47.Ordered | k47.DieTurned):
            cup.discard(event.unit)
        elif isinstance(event, k47.DieReturned):
            cup.add(event.unit)
        elif isinstance(event, k47.Destroyed):
            gone.add(event.unit)
            cup.discard(event.unit)
        elif isinstance(event, k47.DieDrawn):
            draws += 1
            inside = [sum(sides[unit] == side for unit in cup) - (side == event.side) for side in (0, 1)]
            assert inside == list(event.left)
    assert draws > 20


# -- the command --------------------------------------------------------------------------------------


def test_the_command_watches_games_with_one_digest_for_any_number_of_workers():
    told = [
        json.loads(CliRunner().invoke(app, ["watch", "dust1947", "--games", "3", *more, "--json"]).stdout)
        for more in ([], ["--workers", "2"])
    ]
    assert [one["games"] for one in told] == [3, 3] and told[0]["digest"] == told[1]["digest"]
    assert told[0]["broken"] == "" and told[0]["events"] > 300


def test_the_command_tells_what_was_broken_and_in_which_game(monkeypatch: pytest.MonkeyPatch):
    rules = rulesets.load("dust1947")
    monkeypatch.setattr(type(rules), "event_invariants", lambda self, state, event: ["nothing may ever happen"])
    result = CliRunner().invoke(app, ["watch", "dust1947", "--games", "1", "--seed", "9", "--json"])
    assert result.exit_code == 1
    assert "nothing may ever happen" in json.loads(result.stdout)["broken"]
    assert "watched game 0 of seed 9" in json.loads(result.stdout)["broken"]


def test_a_copy_of_an_activation_that_has_ended_early_does_not_go_on_with_it():
    watch.play_one("dust1947", 162, "pauses")  # a reaction is offered there after the activation was cut short
