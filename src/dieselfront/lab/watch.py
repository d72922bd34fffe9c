"""Many random games under watch: random armies on every scenario in turn, everything checked (invariants.py).

>>> from dieselfront.lab import watch
>>> [one.number for one in watch.run("dust1947", games=1, seed="7")]
[0]
"""

from __future__ import annotations

import hashlib
import multiprocessing
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from random import Random

import msgspec

from dieselfront import rulesets
from dieselfront.forces.random_army import random_army
from dieselfront.kernel.record import digest
from dieselfront.lab.invariants import play_watched
from dieselfront.scenarios import battle, library

SHARE = 4
"""Games that a process plays before it reports."""


class Watched(msgspec.Struct, frozen=True):
    """One game in which nothing was wrong."""

    number: int
    scenario: str
    decisions: int
    events: int
    digest: str


def run(ruleset: str, games: int, seed: str, workers: int = 1) -> Iterator[Watched]:
    """Every game in the order of its number; something wrong raises with a note that says in which game."""
    if workers <= 1:
        for number in range(games):
            yield play_one(ruleset, number, seed)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, games), mp_context=context) as pool:
        shares = [range(first, min(first + SHARE, games)) for first in range(0, games, SHARE)]
        waiting = [pool.submit(_play_some, ruleset, numbers, seed) for numbers in shares]
        try:
            for share in waiting:
                yield from share.result()
        except BaseException:
            for share in waiting:
                share.cancel()
            raise


def _play_some(ruleset: str, numbers: Iterable[int], seed: str) -> list[Watched]:
    return [play_one(ruleset, number, seed) for number in numbers]


def play_one(ruleset: str, number: int, seed: str) -> Watched:
    """One watched game between two random armies."""
    scenarios = library.names(ruleset)
    scenario = scenarios[number % len(scenarios)]
    points = rulesets.load(ruleset).usual_points
    base = int(hashlib.sha256(f"{ruleset}/{seed}".encode()).hexdigest()[:8], 16)
    armies = [random_army(ruleset, points, base + 2 * number + side) for side in (0, 1)]
    dice = f"watched/{ruleset}/{seed}/{number}"
    game = battle.start(battle.header(ruleset, scenario, armies, seed=dice, salt=str(number)), dice)
    try:
        decisions = play_watched(game, Random(dice))
    except Exception as error:
        error.add_note(f"in watched game {number} of seed {seed} ({scenario}), after {len(game.choices)} choices")
        raise
    return Watched(number, scenario, decisions, len(game.events), digest(game))
