"""Views of the Dust games: built of the contract's own types, and nothing is lost on the way to plain data."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from dieselfront import rulesets
from dieselfront.kernel.game import Game
from dieselfront.kernel.views import HullView, MeasuredView, SquaresView, UnitView, View, plain
from dieselfront.rulesets.dust1947 import view as on_squares
from dieselfront.rulesets.dust_open import view as on_open_table
from dieselfront.scenarios import battle, library

GAMES = [name for name in rulesets.names() if name in ("dust1947", "freeform1947", "battlefield")]


def middle_of_a_game(ruleset: str, choices: int = 120) -> Game:
    chance = Random(ruleset)
    forces = battle.starters(ruleset)[:2]
    game = battle.start(battle.header(ruleset, library.names(ruleset)[0], forces, seed="views"), "views")
    for _ in range(choices):
        if game.pending is None:
            break
        game.choose_trusted(game.pending.sample(chance))
    return game


def built(game: Game) -> View:
    """The view before it becomes plain data."""
    rules: Any = game.rules
    module: Any = on_squares if rules.table == "squares" else on_open_table
    view: View = module.view(rules, game.state)
    return view


@pytest.mark.parametrize("ruleset", GAMES)
def test_views_are_built_of_the_types_of_the_contract(ruleset: str) -> None:
    game = middle_of_a_game(ruleset)
    view = built(game)
    assert isinstance(view, View) and all(isinstance(unit, UnitView) for unit in view.units)
    assert isinstance(view.table, SquaresView if game.rules.table == "squares" else MeasuredView)
    assert plain(view) == game.rules.view(game.state)


@pytest.mark.parametrize("ruleset", GAMES)
def test_plain_views_are_data_that_read_back_the_same(ruleset: str) -> None:
    game = middle_of_a_game(ruleset)
    view = built(game)
    again = msgspec.json.decode(msgspec.json.encode(game.rules.view(game.state)), type=type(view))
    assert [unit.id for unit in again.units] == [unit.id for unit in game.state.units]
    assert again.score == view.score and again.steps == view.steps and again.pools == view.pools


@pytest.mark.parametrize("ruleset", ["freeform1947", "battlefield"])
def test_a_unit_on_the_open_table_shows_its_models_or_its_hull(ruleset: str) -> None:
    game = middle_of_a_game(ruleset)
    for unit, shown in zip(game.state.units, built(game).units, strict=True):
        assert isinstance(shown.models, list)
        if shown.status != "board":
            assert shown.models == []
        elif isinstance(shown.hull, HullView):
            assert shown.models == [] and shown.hull.length > 0
        else:
            assert len(shown.models) == len(unit.figures)


def test_boards_that_are_equal_are_described_once() -> None:
    game = middle_of_a_game("dust1947", 10)
    assert game.rules.view(game.state)["table"] is game.rules.view(game.copy().state)["table"]
