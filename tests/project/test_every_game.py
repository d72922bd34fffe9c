"""Loops over all games: what is said of "every game" is tried in each of them, on small battles.

Answers of the computer players are checked as any other (DIESELFRONT_CHECK_TRUSTED), small forces fight for two turns.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import msgspec
import pytest

from dieselfront import players, rulesets
from dieselfront.forces.random_army import random_army
from dieselfront.kernel.decisions import Answer, Decision
from dieselfront.kernel.game import CHECK_TRUSTED, Game
from dieselfront.kernel.views import View
from dieselfront.odds import choices
from dieselfront.scenarios import battle, library

SEARCHING = ["ace", "marshal"]
LEVELS = [level for level in players.LEVELS if level not in SEARCHING]
ENOUGH = 6
"""So many declarations with odds are enough."""

SMALL = 0.35
"""The share of a usual army that a small one has."""


def small_battle(ruleset: str, seed: int, share: float = SMALL, turns: int = 2) -> Game:
    """A battle of few units and few turns on the game's first battlefield."""
    scenario = library.find(library.names(ruleset)[0], ruleset) | {"turns": turns}
    points = int(rulesets.load(ruleset).usual_points * share)
    armies = [random_army(ruleset, points, 2 * seed + side) for side in (0, 1)]
    return battle.start(battle.header(ruleset, scenario, armies, seed=str(seed)), str(seed))


def played(game: Game, level: str) -> Game:
    """The game, once a level has played it against chance to its end."""
    assert CHECK_TRUSTED
    ruleset = game.rules.id
    seats = [players.make(level, "one", ruleset), players.make("random", "other", ruleset)]
    while (decision := game.pending) is not None:
        game.choose(seats[decision.player].choose(game))
    return game


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("ruleset", rulesets.names())
def test_every_level_plays_every_game_to_its_end(ruleset: str, level: str):
    game = played(small_battle(ruleset, seed=3), level)
    assert len(game.choices) > 10 and type(game.events[-1]).__name__ == "GameEnded"


@pytest.mark.slow
@pytest.mark.parametrize("level", SEARCHING)
@pytest.mark.parametrize("ruleset", rulesets.names())
def test_levels_that_search_play_every_game_to_its_end(ruleset: str, level: str):
    game = played(small_battle(ruleset, seed=3, share=0.25, turns=1), level)
    assert type(game.events[-1]).__name__ == "GameEnded"


# -- stakes and odds -----------------------------------------------------------------------------------------


def strikes(decision: Decision, answer: Answer) -> bool:
    """Does an answer attack somebody?"""
    about = decision.meaning(answer)
    return about.act in ("attack", "assault") and bool(about.targets)


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_whatever_strikes_somebody_tells_its_stakes(ruleset: str):
    """Where nothing is at stake although somebody is struck, no shot comes of it: out of range, or only smoke."""
    asked, mute = Counter[str](), Counter[str]()
    for seed in range(12):
        if asked.total() >= ENOUGH:
            break
        game = small_battle(ruleset, seed, share=0.8, turns=4)
        chance = Random(seed)
        while (decision := game.pending) is not None:
            answer = decision.sample(chance)
            odds = choices.of_choice(game, answer)
            for one in odds:
                assert sum(one.odds.losses) == pytest.approx(1.0) and -1e-12 <= one.odds.destroyed <= 1 + 1e-12
                assert one.target in {unit.id for unit in game.rules.field.units(game.state)}
            asked[decision.key] += bool(odds)
            mute[decision.key] += strikes(decision, answer) and not decision.has_stakes
            game.choose(answer)
    assert asked.total() >= ENOUGH
    assert not +mute, f"decisions that strike and tell no stakes: {dict(+mute)}"


# -- views ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_every_view_has_the_same_words(ruleset: str):
    game = small_battle(ruleset, seed=1)
    chance = Random(1)
    while (decision := game.pending) is not None:
        if len(game.choices) % 10 == 0:
            view = msgspec.convert(msgspec.to_builtins(game.rules.view(game.state)), View)
            on_table = {unit.id for unit in game.rules.field.units(game.state) if unit.on_table}
            assert {unit.id for unit in view.units if unit.status in ("board", "table")} == on_table
        game.choose(decision.sample(chance))


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_a_copy_offers_the_same_long_after_its_original_has_gone_on(ruleset: str):
    """What a procedure remembers for copies must not look at the units of the game it was copied from."""
    game = small_battle(ruleset, seed=5, turns=6)
    player = players.make("random", "one", ruleset)
    kept: list[tuple[Game, str, Answer]] = []
    while (decision := game.pending) is not None:
        if len(kept) < 60:
            kept.append((game.copy(), decision.key, decision.sample(Random(7))))
        game.choose(player.choose(game))
    for copied, key, answer in kept:
        waiting = copied.copy().pending
        assert waiting is not None and waiting.key == key
        assert waiting.sample(Random(7)) == answer
        waiting.check(answer)
