"""Games are forgotten as soon as nobody holds them: nothing is left for Python's search for cycles."""

from __future__ import annotations

import gc

import pytest

from dieselfront import rulesets
from dieselfront.lab.benches.engine import Player

FEW = 300
"""Objects in cycles that a whole game may leave, most of them from lists that are kept and made once."""

KEEPS = "warfare"
"""Its questions tell stakes even after the attack is over, so that attacks and shots know each other for good."""


@pytest.mark.parametrize("ruleset", [name for name in rulesets.names() if name != KEEPS])
def test_a_game_that_is_over_leaves_no_cycles(ruleset: str) -> None:
    player = Player(seed=5, ruleset=ruleset, units=5)
    _play_out(player)  # what is made once a process is made now
    gc.collect()
    gc.disable()
    try:
        _play_out(player)
        assert gc.collect() < FEW
    finally:
        gc.enable()


def _play_out(player: Player) -> None:
    while not player.step():
        pass
