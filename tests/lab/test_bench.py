"""The bench: what it sets up before it measures, and which rows it has."""

from __future__ import annotations

import pytest

from dieselfront import rulesets
from dieselfront.lab.bench import CPU, Entry, entries, measure
from dieselfront.lab.benches import engine, thinking
from dieselfront.lab.larger_tables import LARGER, enlarged


@pytest.mark.parametrize("game", rulesets.names())
def test_the_starter_armies_of_every_game_can_be_grown(game):
    started = engine.fresh(1, game, 12)
    assert started.pending is not None


@pytest.mark.parametrize("percent", LARGER)
@pytest.mark.parametrize("game", rulesets.names())
def test_the_battlefield_of_every_game_can_be_made_larger(game, percent):
    started = engine.fresh(1, game, 6, percent)
    assert started.pending is not None
    assert started.header.scenario != engine.fresh(1, game, 6).header.scenario


def test_the_ground_of_a_measured_table_is_laid_out_again_where_there_is_more():
    pieces = [enlarged("crossroads", "freeform1947", percent)["terrain"] for percent in LARGER]
    assert len(pieces[0]) < len(pieces[1])
    assert len({piece["id"] for piece in pieces[1]}) == len(pieces[1])


def test_growth_is_measured_for_every_game_and_promised_for_twenty_units():
    goals = {entry.name: entry.goal for entry in engine.entries() if entry.name.startswith("engine.growth.")}
    for game in rulesets.names():
        assert goals[f"engine.growth.{game}.20"] == engine.GROWTH
        assert goals[f"engine.growth.{game}.40"] is None


@pytest.mark.parametrize("row", ["engine.decisions", "engine.copies", "ace.playouts", "ace.usual", "ace.longest"])
def test_every_game_has_a_row_with_a_promise(row):
    goals = {entry.name: entry.goal for entry in entries()}
    assert all(goals[f"{row}.{game}"] for game in rulesets.names())


def test_decisions_of_every_game_are_measured_in_pure_python_as_well():
    pure = {entry.name for entry in entries() if entry.also_pure}
    assert pure == {f"engine.decisions.{game}" for game in rulesets.names()}


def test_a_figure_that_is_known_is_compared_as_it_is():
    known = Entry("known", "things/s", "a promise", lambda: (30.0, 20.0), 1.0, CPU)
    assert measure(known, 0.1, 2).ratio == 1.5


def test_the_searches_of_an_ace_are_timed_and_their_playouts_counted(monkeypatch):
    monkeypatch.setattr(thinking, "LONG_ENOUGH", 0.05)
    monkeypatch.setattr(thinking, "UNITS", 5)
    thinking.thoughts.cache_clear()
    try:
        searched = thinking.thoughts("warfare")
        assert searched and all(one.seconds > 0 and one.playouts > 0 for one in searched)
        assert thinking.longest("warfare")[0] <= thinking.usual("warfare")[0]
    finally:
        thinking.thoughts.cache_clear()
