"""Shaped rewards: stated wrappers that add hints on the way to the result.

The shape is potential-based: what a step adds is the change of a potential, so that over a whole battle it adds
nothing but the difference between end and beginning, and the best way to play stays the best (Ng, Harada and Russell
1999, for discount 1; give the discount of your learner otherwise).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium

from dieselfront.gym.battles import GymError
from dieselfront.gym.environment import Observation
from dieselfront.gym.features import BATTLE_COLUMNS

BATTLE = {name: number for number, name in enumerate(BATTLE_COLUMNS)}
LEADS = ("strength", "score", "objectives")
"""What a potential may weigh: each the agent's less the enemy's, from the entries of `battle`."""


class ShapedReward(gymnasium.Wrapper[Observation, Any, Observation, Any]):
    """Adds the change of a weighed lead to every reward; at the end of a battle the potential is 0."""

    def __init__(
        self, env: gymnasium.Env[Observation, Any], weights: Mapping[str, float] | None = None, discount: float = 1.0
    ) -> None:
        super().__init__(env)
        self.weights = dict(weights if weights is not None else {"strength": 0.5})
        strange = [name for name in self.weights if name not in LEADS]
        if strange:
            raise GymError(f"A reward cannot be shaped by '{strange[0]}'; expected {' or '.join(LEADS)}.")
        self.discount = discount
        self._potential = 0.0

    def potential(self, observation: Observation) -> float:
        """The weighed leads of the agent."""
        battle = observation["battle"]
        return sum(
            weight * float(battle[BATTLE[f"own_{name}"]] - battle[BATTLE[f"enemy_{name}"]])
            for name, weight in self.weights.items()
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        observation, info = self.env.reset(seed=seed, options=options)
        self._potential = self.potential(observation)
        return observation, info

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self.env.step(action)
        after = 0.0 if terminated else self.potential(observation)
        shaped = float(reward) + self.discount * after - self._potential
        self._potential = after
        return observation, shaped, terminated, truncated, info


__all__ = ["LEADS", "ShapedReward"]
