"""Bench entries of the ace: playouts a second of processor time, and how long it thinks with twelve units a side.

One game of ace against ace is played for every entry until it has thought long enough; the figures of its searches are
compared with what is promised.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from statistics import median
from time import process_time
from typing import Any, NamedTuple
from unittest.mock import patch

from dieselfront import rulesets
from dieselfront.lab.bench import CPU, Entry
from dieselfront.lab.benches.engine import fresh
from dieselfront.lab.promises import promises
from dieselfront.players import make, opponent, search

UNITS = 12
LONG_ENOUGH = 20.0
"""Seconds of searching, from the beginning of a game."""
USUAL, LONGEST = 2.0, 6.0
"""Promised: seconds of processor time that half of all searches take at most, and that every one does."""


class Thought(NamedTuple):
    """One search: its processor time and its playouts."""

    seconds: float
    playouts: int


def entries() -> Iterator[Entry]:
    """Playouts, the usual search and the longest one, of every game."""
    for ruleset in rulesets.names():
        promised = promises(ruleset).playouts
        if promised is not None:
            name = f"ace.playouts.{ruleset}"
            yield Entry(name, "playouts/s", "as promised", partial(playouts, ruleset, promised), 1, CPU)
        yield Entry(f"ace.usual.{ruleset}", "searches/s", f"one in {USUAL:g} s", partial(usual, ruleset), 1, CPU)
        yield Entry(f"ace.longest.{ruleset}", "searches/s", f"one in {LONGEST:g} s", partial(longest, ruleset), 1, CPU)


def playouts(ruleset: str, promised: float) -> tuple[float, float]:
    """How many playouts fit into a second of searching."""
    searched = thoughts(ruleset)
    return sum(one.playouts for one in searched) / sum(one.seconds for one in searched), promised


def usual(ruleset: str) -> tuple[float, float]:
    """Half of all searches are over sooner."""
    return 1 / median(one.seconds for one in thoughts(ruleset)), 1 / USUAL


def longest(ruleset: str) -> tuple[float, float]:
    """No search took longer."""
    return 1 / max(one.seconds for one in thoughts(ruleset)), 1 / LONGEST


@cache
def thoughts(ruleset: str) -> tuple[Thought, ...]:
    """The searches of a game, ace against ace."""
    searched: list[Thought] = []

    def watched(*question: Any) -> Any:
        begun = process_time()
        verdict = search.search(*question)
        searched.append(Thought(process_time() - begun, verdict.playouts))
        return verdict

    game = fresh(1, ruleset, UNITS)
    players = [make("ace", str(side), ruleset) for side in (0, 1)]
    with patch.object(opponent, "search", watched):
        while game.pending is not None and sum(one.seconds for one in searched) < LONG_ENOUGH:
            game.choose(players[game.pending.player].choose(game))
    return tuple(searched)
