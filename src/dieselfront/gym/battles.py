"""Which battle an environment plays: ruleset, scenario, armies and options, fixed or drawn by an episode's seed."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from dieselfront import rulesets
from dieselfront.forces.armies import Army
from dieselfront.forces.random_army import random_army
from dieselfront.kernel.game import Game
from dieselfront.scenarios import battle, library

VERSION = 1
"""Raised whenever observations, actions or rewards change their meaning."""
ANY, RANDOM = "any", "random"
MOST_SEED = 2**31


class GymError(ValueError):
    """An environment that cannot be made as asked; one sentence says why."""


class BattleSetup(msgspec.Struct, frozen=True, kw_only=True):
    """What is fought. Scenario: a name, a file, `random:SEED`, or `any` (drawn by the episode's seed).

    Armies: for each side a starter list, a file, an `Army`, `any` (a starter list drawn by the seed) or `random` (a
    legal list drawn by the seed, of `points` points). Without them: the first scenario and the first two starter
    lists, or two random armies where `points` are given.
    """

    ruleset: str
    scenario: str | dict[str, Any] = ""
    armies: tuple[str | Army, ...] = ()
    points: int = 0
    options: dict[str, str] = {}

    def game(self, seed: int, fair: bool = True) -> Game:
        """The battle of this seed, at its first decision; the same seed gives the same armies and dice.

        Without fair dice the game asks what its dice show.
        """
        chance = Random(f"gym/{self.ruleset}/{seed}")
        scenario = self._scenario(chance)
        armies = [self._army(wanted, chance) for wanted in self._wanted()]
        dice = f"gym/{seed}" if fair else None
        header = battle.header(self.ruleset, scenario, armies, seed=dice, options=self.options, salt=str(seed))
        return battle.start(header, dice, keep_history=False)

    def _scenario(self, chance: Random) -> str | dict[str, Any]:
        if not isinstance(self.scenario, str) or self.scenario not in ("", ANY):
            return self.scenario
        known = library.names(self.ruleset)
        if not known:
            raise GymError(f"There are no scenarios for {self.ruleset}; name one of your own.")
        return known[0] if not self.scenario else known[chance.randrange(len(known))]

    def _wanted(self) -> tuple[str | Army, ...]:
        if self.armies:
            return self.armies
        starters = battle.starters(self.ruleset)
        if self.points or not starters:
            return (RANDOM, RANDOM)
        return (starters[0], starters[1 % len(starters)])

    def _army(self, wanted: str | Army, chance: Random) -> str | Army:
        if wanted == ANY:
            starters = battle.starters(self.ruleset)
            return starters[chance.randrange(len(starters))] if starters else self._army(RANDOM, chance)
        if wanted == RANDOM:
            points = self.points or rulesets.load(self.ruleset).usual_points
            return random_army(self.ruleset, points, chance.randrange(MOST_SEED))
        return wanted


def ids() -> tuple[str, ...]:
    """The names of all environments, with their version."""
    return tuple(f"{name}_v{VERSION}" for name in rulesets.names())


def ruleset_of(name: str) -> str:
    """The ruleset of an environment's name: with the current version, or without any."""
    ruleset, mark, version = name.rpartition("_v")
    if not mark or not version.isdigit():
        ruleset, version = name, str(VERSION)
    rulesets.load(ruleset)
    if int(version) != VERSION:
        raise GymError(f"There is no environment {name}; this installation plays {ruleset}_v{VERSION}.")
    return ruleset


def checked(setup: BattleSetup) -> BattleSetup:
    """Complain about what is wrong before the first episode."""
    rulesets.load(setup.ruleset)
    if setup.armies and len(setup.armies) != 2:
        raise GymError(f"A battle needs two armies, not {len(setup.armies)}.")
    if setup.points < 0:
        raise GymError(f"Armies cost 1 point or more, not {setup.points}.")
    if setup.points and any(wanted != RANDOM for wanted in setup.armies):
        raise GymError("Points are for random armies: leave `armies` out, or make both 'random'.")
    setup.game(0)
    return setup
