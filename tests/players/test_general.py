"""The general adviser alone: it plays any game from what decisions say about themselves, and far better than chance."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dieselfront import players, rulesets
from dieselfront.forces.random_army import random_army
from dieselfront.kernel.decisions import Path, PickOne, PickSome, PlaceFree
from dieselfront.kernel.meaning import About
from dieselfront.players.general import GeneralAdviser, point_of
from dieselfront.players.opponent import Opponent
from dieselfront.players.weights import book
from dieselfront.scenarios import battle, library


def general(seed: str) -> Opponent:
    """A regular that knows nothing of the game it plays."""
    adviser = GeneralAdviser(dict(book().weights))
    return Opponent(adviser, players.level_of("regular", adviser), seed)


def result(ruleset: str, number: int) -> float:
    """1 for a game won against chance, half for a draw; sides change from game to game."""
    names = library.names(ruleset)
    points = rulesets.load(ruleset).usual_points // 2
    armies = [random_army(ruleset, points, 7 * number + side) for side in (0, 1)]
    made = battle.header(ruleset, names[number % len(names)], armies, seed=str(number))
    game = battle.start(made, str(number), keep_history=False)
    own = number % 2
    seats = {own: general(str(number)), 1 - own: players.make("random", str(number), ruleset)}
    while (decision := game.pending) is not None:
        game.choose_trusted(seats[decision.player].choose(game))
    return 0.5 if game.winner is None else float(game.winner == own)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", rulesets.names())
def test_it_beats_chance_in_every_game(ruleset: str):
    assert sum(result(ruleset, number) for number in range(8)) >= 5


class Anywhere:
    """A region without borders."""

    def why_not(self, spot):
        return None

    def sample(self, chance):
        return (0, 0)

    def spots(self):
        return [(0, 0)]

    def facts(self):
        return {}


@pytest.mark.parametrize(
    "answer, places, facing", [((10, 20), ((10, 20),), None), ((10, 20, 90), ((10, 20),), 90), ((), (), None)]
)
def test_a_spot_on_a_measured_table_says_where_it_is(answer, places, facing):
    about = PlaceFree(0, "move", Anywhere(), unit="a1").meaning(answer)
    assert (about.act, about.unit, about.places, about.facing) == ("move", "a1", places, facing)


def test_a_way_says_where_it_leads_and_no_way_that_nothing_moves():
    decision = Path(0, "move", Anywhere(), unit="a1")
    about = decision.meaning(((10, 20, 0), (30, 40, 90)))
    assert about.places == ((30, 40),) and about.way == ((10, 20), (30, 40)) and about.facing == 90
    assert decision.meaning(()).careless


@pytest.mark.parametrize("act, taken", [("wait", ()), ("lose", ()), ("activate", ("x", "y"))])
def test_of_what_helps_it_takes_all_and_of_anything_else_none(act, taken):
    decision = PickSome(0, "some", ["x", "y"], 0, 2, act=act)
    adviser = GeneralAdviser(dict(book().weights))
    assert adviser._some(None, decision) == taken  # type: ignore[arg-type]


def test_an_attack_that_puts_nothing_at_stake_is_worth_less_than_holding_still():
    adviser = GeneralAdviser(dict(book().weights))
    decision = PickOne(0, "order", ["fire"], about=lambda _: About("attack"), stakes=lambda _: ())

    nobody = SimpleNamespace(units={}, enemies=[], goals=[], enemy_near=lambda unit: 0.0)
    assert adviser._value(nobody, decision, "fire") < 0  # type: ignore[arg-type]


def test_points_are_squares_by_name_or_millimetres():
    assert point_of("C4") == (2.0, 3.0) and point_of((10, 20)) == (10.0, 20.0) and point_of("nowhere at all") is None
