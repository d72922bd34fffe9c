"""Many random games under watch: random armies on every scenario in turn, everything checked (invariants.py).

>>> from dieselfront.lab import watch
>>> [one.number for one in watch.run("dust1947", games=1, seed="7")]
[0]
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from random import Random

import msgspec

from dieselfront import rulesets
from dieselfront.forces.random_army import random_army
from dieselfront.kernel.record import digest
from dieselfront.lab.crew import Crew, crew_of
from dieselfront.lab.invariants import play_watched
from dieselfront.lab.simulate import version_of
from dieselfront.scenarios import battle, library


class Watched(msgspec.Struct, frozen=True):
    """One game in which nothing was wrong."""

    number: int
    scenario: str
    decisions: int
    events: int
    digest: str


def run(ruleset: str, games: int, seed: str, workers: int | Crew = 1) -> Iterator[Watched]:
    """Every game in the order of its number; something wrong raises with a note that says in which game."""
    tasks = [(ruleset, number, seed) for number in range(games)]
    with crew_of(workers) as crew:
        yield from crew.run(play_task, tasks, Watched, version_of(ruleset))


def play_task(task: tuple[str, int, str]) -> Watched:
    """One watched game, as a worker plays it."""
    return play_one(*task)


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
