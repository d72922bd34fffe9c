"""The bench: what it sets up before it measures."""

from __future__ import annotations

import pytest

from dieselfront import rulesets
from dieselfront.lab.benches import engine


@pytest.mark.parametrize("game", rulesets.names())
def test_the_starter_armies_of_every_game_can_be_grown(game):
    started = engine.fresh(1, game, 12)
    assert started.pending is not None


def test_growth_is_measured_for_every_game_and_promised_for_twenty_units():
    goals = {entry.name: entry.goal for entry in engine.entries() if entry.name.startswith("engine.growth.")}
    for game in rulesets.names():
        assert goals[f"engine.growth.{game}.20"] == engine.GROWTH
        assert goals[f"engine.growth.{game}.40"] is None
