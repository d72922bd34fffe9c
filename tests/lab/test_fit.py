"""Outlooks fitted to played games."""

from __future__ import annotations

import numpy as np
import pytest

from dieselfront.lab.fit import Fitting, Sample, fit, fitted, regression
from dieselfront.players.outlook import Outlook, outlook


def test_the_regression_finds_the_weights_that_made_the_results():
    chance = np.random.default_rng(7)
    columns = chance.normal(size=(20_000, 3))
    true = np.array([1.5, -0.5, 0.0])
    won = (chance.random(20_000) < 1.0 / (1.0 + np.exp(-columns @ true))).astype(float)
    assert regression(columns, won) == pytest.approx(true, abs=0.06)


def made_up(worth: float) -> list[Sample]:
    """Positions of games that the side with more material wins, and the side with the better list even more often."""
    chance = np.random.default_rng(3)
    found = []
    for game in range(3000):
        start = {"material": float(chance.normal()), "units": 0.0}
        features = {"material": start["material"] + float(chance.normal()), "fire": float(chance.normal())}
        late = float(chance.random())
        pull = features["material"] + worth * late * features["fire"] + 2.0 * start["material"]
        found.append(Sample(game, late, features, start, float(chance.random() < 1.0 / (1.0 + np.exp(-pull)))))
    return found


def test_what_grows_towards_the_end_is_told_and_the_better_list_is_not_taken_for_better_play():
    told = fitted(Fitting("dust1947"), made_up(3.0))
    early, end = told.weights["fire"]
    assert told.weights["material"][0] == 1.0 and abs(early) < 0.6
    assert end == pytest.approx(3.0, abs=0.7)  # with the list in it, material would count double and fire half as much
    assert told.loss < told.before


def test_a_fit_is_the_same_again_and_names_every_feature_the_outlook_weighs():
    wanted = Fitting("dust1947", games=2)
    one, other = fit(wanted), fit(wanted)
    assert one.weights == other.weights and one.positions > 10
    assert set(one.weights) == set(outlook("dust1947").weights)


def test_an_outlook_goes_from_the_first_weight_to_the_last():
    found = Outlook({"fire": (0.5, 2.5)})
    assert [found.worth({"fire": 2.0}, late) for late in (0.0, 0.5, 1.0)] == [1.0, 3.0, 5.0]


def test_a_variant_has_the_outlook_of_its_parent():
    assert outlook("freeform1947").weights == outlook("dust1947").weights
