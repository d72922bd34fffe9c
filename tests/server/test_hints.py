"""Hints: what the computer would do in a player's place; legal, for nobody else, and blind to the dice to come."""

from __future__ import annotations

import msgspec
import pytest

from dieselfront import players
from dieselfront.dice.throw import Dice
from dieselfront.kernel.game import Game
from dieselfront.server import hints, shapes
from odds.test_choices import GAMES, battle, library
from server.kit import Server


class Forbidden:
    """The dice of a game that nobody may look at."""

    def roll(self, question: Dice, number: int) -> tuple[int, ...]:
        raise AssertionError("a hint looked at the dice of the game")


def started(ruleset: str, seed: str = "hints") -> Game:
    made = battle.header(ruleset, library.names(ruleset)[0], battle.starters(ruleset)[:2], seed=seed)
    return battle.start(made, seed, keep_history=False)


@pytest.mark.parametrize("ruleset", GAMES)
def test_hints_are_legal_and_look_at_no_die_of_the_game(ruleset: str) -> None:
    game = started(ruleset)
    reasons = 0
    for _ in range(60):
        decision = game.pending
        assert decision is not None
        own, game.dice = game.dice, Forbidden()  # type: ignore[assignment]
        before = len(game.events)
        told = hints.hint(f"blind {ruleset}", game)
        game.dice = own
        assert game.pending is decision and len(game.events) == before
        assert decision.check(told["answer"]) == told["answer"] and told["label"]
        reasons += bool(told["reason"])
        game.choose(told["answer"])
    assert reasons > 5


def test_the_hint_is_the_same_whatever_the_dice_will_show() -> None:
    told = []
    for seed in ("one", "another"):
        game = started("dust1947", seed)
        hints._given.clear()
        told.append(hints.hint("same", game))
    assert told[0] == told[1]


def test_deploying_by_hints_ends_with_everybody_placed() -> None:
    game = started("dust1947")
    while game.state.turn == 0 and game.pending is not None:
        game.choose(hints.hint("deploy", game)["answer"])
    assert game.state.turn == 1
    assert {unit["status"] for unit in game.rules.view(game.state)["units"]} == {"board"}


def test_an_adviser_is_kept_while_its_hints_are_followed() -> None:
    game = started("dust1947")
    while game.pending is not None and game.pending.key != "activate":
        game.choose(hints.hint("kept", game)["answer"])
    assert game.pending is not None
    player = game.pending.player
    told = hints.hint("kept", game)
    first = hints._given["kept", player].adviser
    follower, stray = game.copy(), game.copy()
    follower.choose(told["answer"])
    assert follower.pending is not None and follower.pending.player == player
    assert hints.hint("kept", follower)["reason"] == told["reason"]
    assert hints._given["kept", player].adviser is first
    others = [one for one in game.pending.answers() if one not in (told["answer"], None)]
    stray.choose(others[0])
    hints._given["kept", player] = hints.Advice(first, game.settled, len(game.choices), told["answer"])
    hints.hint("kept", stray)
    assert hints._given["kept", player].adviser is not first


def test_only_the_player_who_decides_gets_a_hint(server: Server) -> None:
    table = server.begin()
    shown = table.look()
    player = shown["decision"]["player"]
    told = server.get(f"{table.path}/hint", table.tokens[player])
    assert told.status_code == 200, told.text
    hint = told.json()
    msgspec.convert(hint, shapes.Hint)
    assert set(hint) == {"version", "answer", "label", "reason", "chance"} and hint["version"] == shown["version"]
    assert server.get(f"{table.path}/hint", table.tokens[player]).json() == hint
    for token in (table.tokens[1 - player], table.spectator):
        refused = server.get(f"{table.path}/hint", token)
        assert refused.status_code == 403 and "not yours" in refused.json()["reason"]
    assert table.look()["version"] == shown["version"]
    assert table.choose(hint["answer"], shown["version"], table.tokens[player]).status_code == 200


def test_nobody_advises_on_dice_that_people_roll_nor_on_a_game_that_is_over(server: Server) -> None:
    table = server.begin(dice="typed")
    shown = table.play(60, until=lambda now: now["decision"]["shape"] == "dice")
    refused = server.get(f"{table.path}/hint", table.both)
    assert shown["decision"]["shape"] == "dice" and refused.status_code == 422 and "rolled" in refused.json()["reason"]
    table.do("concede", {"seat": 0})
    assert server.get(f"{table.path}/hint", table.both).status_code == 403


def test_a_hint_comes_from_the_level_it_names(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    make = players.make
    monkeypatch.setattr(players, "make", lambda level, *rest: (asked.append(level), make(level, *rest))[1])
    hints._given.clear()
    hints.hint("level", started("dust1947"))
    assert asked == [hints.LEVEL] and hints.LEVEL.partition(":")[0] in players.LEVELS


def test_a_hint_tells_the_learned_chance_where_the_game_ships_a_model() -> None:
    game = started("dust1947")
    assert hints.hint("chance", game)["chance"] is None  # nothing to tell before the first turn
    player = players.make("recruit", "chance", "dust1947")
    while game.turn < 2:
        game.choose(player.choose(game))
    decision = game.pending
    assert decision is not None
    own, game.dice = game.dice, Forbidden()  # type: ignore[assignment]
    mine, theirs = (hints.chance("chance", game, side) for side in (decision.player, 1 - decision.player))
    game.dice = own
    assert mine is not None and theirs is not None
    assert mine + theirs == pytest.approx(1.0, abs=0.002)
