"""Several environments at once, over processes: random play whose results depend on the seeds alone.

>>> from dieselfront.gym import parallel_runner
>>> [rollout.seed for rollout in parallel_runner("dust1947", seeds=[3, 4], max_cycles=10)]
[3, 4]
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random
from typing import Any

import msgspec

from dieselfront.gym.battles import GymError
from dieselfront.gym.environment import AGENTS, BattleEnv, Observation
from dieselfront.kernel.record import digest

Policy = Callable[[Observation, Random], int]
"""Chooses an action; it must be importable (a function of a module) where there are several workers."""


class Rollout(msgspec.Struct, frozen=True):
    """One battle: its rewards by side, how long it took, and a hash of its final state and log."""

    seed: int
    rewards: tuple[float, float]
    steps: int
    finished: bool
    digest: str


def any_option(observation: Observation, chance: Random) -> int:
    """Any option that the mask allows, each as likely."""
    return chance.randrange(int(observation["action_mask"].sum()))


def parallel_runner(
    name: str, *, seeds: Iterable[int], workers: int = 1, policy: Policy = any_option, **parameters: Any
) -> list[Rollout]:
    """Play a battle for every seed and return the results in the order of the seeds, however many processes work."""
    wanted = list(seeds)
    if workers < 1:
        raise GymError(f"At least 1 worker is needed, not {workers}.")
    play = partial(_play_share, name, policy, parameters)
    if workers == 1 or len(wanted) < 2:
        return play(wanted)
    shares = [wanted[start::workers] for start in range(min(workers, len(wanted)))]
    with ProcessPoolExecutor(len(shares), mp_context=multiprocessing.get_context("spawn")) as pool:
        played = list(pool.map(play, shares))
    return [played[place % len(shares)][place // len(shares)] for place in range(len(wanted))]


def _play_share(name: str, policy: Policy, parameters: dict[str, Any], seeds: list[int]) -> list[Rollout]:
    environment = BattleEnv(name, **parameters)
    return [_play(environment, policy, seed) for seed in seeds]


def _play(environment: BattleEnv, policy: Policy, seed: int) -> Rollout:
    environment.reset(seed=seed)
    chance = Random(f"policy/{seed}")
    agent = environment.agent_selection
    while not (environment.terminations[agent] or environment.truncations[agent]):
        environment.step(policy(environment.observe(agent), chance))
        agent = environment.agent_selection
    first, second = (float(environment.rewards[agent]) for agent in AGENTS)
    finished = environment.terminations[agent]
    return Rollout(seed, (first, second), environment.cycles, finished, digest(environment.game))


__all__ = ["Policy", "Rollout", "any_option", "parallel_runner"]
