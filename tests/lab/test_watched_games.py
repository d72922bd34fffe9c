"""Random games with everything checked after every choice."""

from __future__ import annotations

from random import Random

import pytest

from dieselfront.kernel.decisions import PickOne
from dieselfront.lab.invariants import Broken, check_decision, play_watched
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
