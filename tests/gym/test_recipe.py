"""The training recipe learns: after a minute it beats chance far more often than chance does."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="the extra dieselfront[gym] is not installed")
pytest.importorskip("pettingzoo", reason="the extra dieselfront[gym] is not installed")

from dieselfront import gym, rulesets
from dieselfront.gym import recipe
from dieselfront.lab.crew import Crew

GAME = rulesets.DEFAULT


def test_masked_actions_have_no_row_and_likely_options_have_high_scores():
    environment = gym.solo_env(GAME, **gym.stage(GAME, "duel").parameters)
    observation, info = environment.reset(seed=1)
    described = recipe.rows(observation)
    assert described.shape == (len(info["options"]), recipe.WIDTH)
    weights = np.zeros(recipe.WIDTH)
    assert recipe.chances(weights, described) == pytest.approx(np.full(len(described), 1 / len(described)))
    weights[recipe.OPTION["careless"]] = -50.0
    likely = recipe.chances(
        weights, np.array([np.zeros(recipe.WIDTH), np.eye(recipe.WIDTH)[recipe.OPTION["careless"]]])
    )
    assert likely[0] == pytest.approx(1.0)


def test_the_push_of_a_choice_is_the_slope_of_its_likelihood():
    environment = gym.solo_env(GAME, **gym.stage(GAME, "duel").parameters)
    observation, _ = environment.reset(seed=2)
    weights = np.linspace(-1, 1, recipe.WIDTH)
    action, push = recipe.choose(weights, observation, recipe.Random(3))
    described, small = recipe.rows(observation), 1e-6
    for place in range(0, recipe.WIDTH, 5):
        shifted = weights.copy()
        shifted[place] += small
        slope = np.log(recipe.chances(shifted, described)[action] / recipe.chances(weights, described)[action]) / small
        assert push[place] == pytest.approx(slope, abs=1e-4)


def test_training_is_the_same_for_any_number_of_workers():
    wanted = recipe.Recipe(GAME, batches=2, games=4, proof=4)
    with Crew(2) as crew:
        shared = recipe.train(wanted, crew)
    alone = recipe.train(wanted)
    assert msgspec.structs.replace(shared, cpu_seconds=0.0) == msgspec.structs.replace(alone, cpu_seconds=0.0)
    assert recipe.picture(alone).startswith("<svg") and len(alone.curve) == 2


@pytest.mark.slow
def test_it_learns():
    trained = recipe.train(recipe.Recipe(GAME, batches=30, games=24, proof=60))
    untaught = np.mean(trained.curve[:1])
    assert trained.won / trained.proof > 0.75 and trained.won / trained.proof > untaught + 0.2
