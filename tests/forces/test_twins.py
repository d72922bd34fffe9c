"""Units of one name are told apart by a number, whichever side they are on."""

from __future__ import annotations

import pytest

from dieselfront import rulesets
from dieselfront.forces.twins import told_apart
from dieselfront.scenarios import battle, library


@pytest.mark.parametrize(
    ("names", "apart"),
    [
        (["Ludwig", "Rifles"], ["Ludwig", "Rifles"]),
        (["Rifles", "Ludwig", "Rifles"], ["Rifles 1", "Ludwig", "Rifles 2"]),
        (["Tank 1", "Tank", "Tank"], ["Tank 1", "Tank 2", "Tank 3"]),
        ([], []),
    ],
)
def test_only_names_that_occur_twice_are_numbered(names: list[str], apart: list[str]) -> None:
    assert told_apart(names) == apart


@pytest.mark.parametrize("ruleset", ["dust1947", "freeform1947", "konflikt47"])
def test_no_two_units_of_a_game_bear_the_same_name(ruleset: str) -> None:
    army = battle.starters(ruleset)[0]
    game = battle.start(battle.header(ruleset, library.names(ruleset)[0], [army, army], seed="1"), "1")
    shown = [unit["name"] for unit in game.rules.view(game.state)["units"]]
    assert len(set(shown)) == len(shown) > 6
    named = game.rules.names(game.state)
    units = game.rules.view(game.state)["units"]
    assert [named("unit", unit["id"]) for unit in units] == shown
    assert not any("(" in name and unit["id"] in name for name, unit in zip(shown, units, strict=True))
    assert rulesets.load(ruleset) is game.rules
