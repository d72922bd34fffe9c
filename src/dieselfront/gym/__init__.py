"""The learning environment: every game as a PettingZoo AEC environment, and against a computer player for Gymnasium.

>>> from dieselfront import gym
>>> environment = gym.env("dust1947", seed=7)
>>> environment.reset()
>>> environment.agent_selection in environment.possible_agents
True

An action is an index into the options of the current decision (actions.py); what an agent sees is documented column by
column (features.py). `pip install dieselfront[gym]` installs what this room needs.
"""

from __future__ import annotations

from dieselfront.gym import dependencies as _dependencies  # noqa: F401 (first: it tells what is missing)
from dieselfront.gym.battles import VERSION, BattleSetup, GymError, ids
from dieselfront.gym.curriculum import Stage, curriculum, stage
from dieselfront.gym.environment import BattleEnv, env, raw_env
from dieselfront.gym.rewards import ShapedReward
from dieselfront.gym.rollouts import Rollout, parallel_runner
from dieselfront.gym.single import SoloEnv, register, solo_env

__all__ = [
    "VERSION",
    "BattleEnv",
    "BattleSetup",
    "GymError",
    "Rollout",
    "ShapedReward",
    "SoloEnv",
    "Stage",
    "curriculum",
    "env",
    "ids",
    "parallel_runner",
    "raw_env",
    "register",
    "solo_env",
    "stage",
]
