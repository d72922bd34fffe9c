"""The PettingZoo environment: two agents, one decision of the game a step, dice by seed, the result as reward."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from dieselfront import rulesets
from dieselfront.forces.armies import Army
from dieselfront.gym.actions import Options
from dieselfront.gym.battles import MOST_SEED, VERSION, BattleSetup, GymError, checked, ruleset_of
from dieselfront.gym.features import BATTLE_COLUMNS, OPTION_COLUMNS, UNIT_COLUMNS, Scene
from dieselfront.gym.text import draw
from dieselfront.kernel.game import Game

AGENTS = ("player_0", "player_1")
MAX_ACTIONS = 256
MAX_UNITS = 48
WIN, DRAW, LOSS = 1.0, 0.0, -1.0

Observation = dict[str, Any]


class BattleEnv(AECEnv[str, Observation, int], EzPickle):  # type: ignore[misc]
    """A battle as an AEC environment; `player_0` plays the first army. See docs/gym.md."""

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "render_fps": 4, "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        name: str,
        *,
        scenario: str | dict[str, Any] = "",
        armies: Sequence[str | Army] = (),
        points: int = 0,
        options: Mapping[str, str] | None = None,
        seed: int | None = None,
        max_actions: int = MAX_ACTIONS,
        max_units: int = MAX_UNITS,
        max_cycles: int | None = None,
        option_features: bool = True,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(
            self,
            name,
            scenario=scenario,
            armies=armies,
            points=points,
            options=options,
            seed=seed,
            max_actions=max_actions,
            max_units=max_units,
            max_cycles=max_cycles,
            option_features=option_features,
            render_mode=render_mode,
        )
        super().__init__()
        ruleset = ruleset_of(name)
        _check_limits(max_actions, max_units, max_cycles, render_mode)
        self.setup = checked(
            BattleSetup(
                ruleset=ruleset, scenario=scenario, armies=tuple(armies), points=points, options=dict(options or {})
            )
        )
        self.rules = rulesets.load(ruleset)
        self.metadata = {**type(self).metadata, "name": f"{ruleset}_v{VERSION}"}
        self.max_actions, self.max_units, self.max_cycles = max_actions, max_units, max_cycles
        self.option_features = option_features
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.action_spaces = {agent: spaces.Discrete(max_actions) for agent in AGENTS}
        self.observation_spaces = {agent: self._observation_space() for agent in AGENTS}
        self._episodes = Random(secrets.randbits(64) if seed is None else seed)
        self._game: Game | None = None
        self._listed: Options | None = None
        self._seen: dict[str, Observation] = {}

    def _observation_space(self) -> spaces.Dict:
        parts: dict[str, spaces.Space[Any]] = {
            "observation": _unit_box(self.max_units, len(UNIT_COLUMNS)),
            "battle": _unit_box(len(BATTLE_COLUMNS)),
            "action_mask": spaces.Box(0, 1, (self.max_actions,), np.int8),
        }
        if self.option_features:
            parts["options"] = _unit_box(self.max_actions, len(OPTION_COLUMNS))
        return spaces.Dict(parts)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    @property
    def game(self) -> Game:
        """The game itself, for whoever wants more than the observation tells."""
        if self._game is None:
            raise GymError("The environment has no battle yet; call reset() first.")
        return self._game

    # -- playing --------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new battle. A seed fixes it and, by their order, all battles after it."""
        if seed is not None:
            self._episodes = Random(seed)
        self.battle_seed = self._episodes.randrange(MOST_SEED)
        self._game = self.setup.game(self.battle_seed)
        self._check_room()
        self.cycles = 0
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.agent_selection = AGENTS[0]
        self._turn_to_decision()

    def step(self, action: int | None) -> None:
        """Answer the current decision with the option of this index; None once the agent is done."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.answer(self._answer_of(action))

    def answer(self, answer: Any) -> None:
        """Answer the current decision with a legal answer that need not be listed: for computer players."""
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self.game.choose_trusted(answer)
        self.cycles += 1
        self._turn_to_decision()
        self._finish()
        self._accumulate_rewards()
        if self.render_mode == "human":
            print(self._text())

    def _answer_of(self, action: int | None) -> Any:
        listed = self._listed
        assert listed is not None
        if action is None or not 0 <= action < len(listed):
            raise GymError(f"Action {action} is masked: this decision has the options 0 to {len(listed) - 1}.")
        return listed.answers[action]

    def _turn_to_decision(self) -> None:
        """List the options of the decision that the game waits for now, and turn to the agent whose it is."""
        if self._listed is not None:
            self._listed.expire()
        decision = self.game.pending
        self._seen = {}
        self._listed = None
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        if decision is None:
            return
        self._listed = Options(decision, self.max_actions, f"{self.battle_seed}/{self.cycles}")
        self.agent_selection = AGENTS[decision.player]
        self.infos[self.agent_selection] = {
            "decision": decision.key,
            "text": decision.text,
            "rule": decision.rule,
            "unit": decision.unit,
            "options": self._listed,
        }

    def _finish(self) -> None:
        if self.game.pending is None:
            self.terminations = dict.fromkeys(AGENTS, True)
            winner = self.game.winner
            self.rewards = {
                agent: DRAW if winner is None else WIN if winner == side else LOSS for side, agent in enumerate(AGENTS)
            }
        elif self.max_cycles is not None and self.cycles >= self.max_cycles:
            self.truncations = dict.fromkeys(AGENTS, True)

    def _check_room(self) -> None:
        units = self.rules.field.units(self.game.state)
        largest = max(sum(unit.side == side for unit in units) for side in (0, 1))
        if largest > self.max_units // 2:
            raise GymError(f"An army has {largest} units: max_units must be at least {2 * largest}.")

    # -- seeing ---------------------------------------------------------------------------------

    def observe(self, agent: str) -> Observation:
        """The position from the seat of an agent; the mask is empty for the one who has nothing to decide."""
        if agent not in self._seen:
            self._seen[agent] = self._observed(AGENTS.index(agent))
        return self._seen[agent]

    def _observed(self, side: int) -> Observation:
        decision = self.game.pending
        own = self._listed if decision is not None and decision.player == side else None
        scene = Scene(self.game, self.rules, side)
        mask = np.zeros(self.max_actions, np.int8)
        mask[: len(own) if own is not None else 0] = 1
        observation: Observation = {
            "observation": scene.units(self.max_units, decision.unit if decision is not None else ""),
            "battle": scene.battle(decision, own, self.max_actions),
            "action_mask": mask,
        }
        if self.option_features:
            observation["options"] = scene.options(own, self.max_actions)
        return observation

    def render(self) -> str | None:
        """The table from above as text (`ansi`), or printed (`human`)."""
        if self.render_mode == "human":
            print(self._text())
            return None
        return self._text()

    def _text(self) -> str:
        return draw(self.game, self.rules)

    def close(self) -> None:
        """Nothing is held open."""


def _unit_box(*shape: int) -> spaces.Box:
    return spaces.Box(0.0, 1.0, shape, np.float32)


def _check_limits(max_actions: int, max_units: int, max_cycles: int | None, render_mode: str | None) -> None:
    if max_actions < 2:
        raise GymError(f"max_actions must be 2 or more, not {max_actions}.")
    if max_units < 2 or max_units % 2:
        raise GymError(f"max_units must be an even number, half of it for each side, not {max_units}.")
    if max_cycles is not None and max_cycles < 1:
        raise GymError(f"max_cycles must be 1 or more, not {max_cycles}.")
    modes = BattleEnv.metadata["render_modes"]
    if render_mode is not None and render_mode not in modes:
        raise GymError(f"There is no render mode '{render_mode}'; expected {' or '.join(modes)}.")


def raw_env(name: str, **parameters: Any) -> BattleEnv:
    """The environment of a ruleset (`NAME` or `NAME_vVERSION`) without PettingZoo's checks of its use."""
    return BattleEnv(name, **parameters)


def env(name: str, **parameters: Any) -> AECEnv[str, Observation, int]:
    """The environment of a ruleset, with PettingZoo's checks: a masked action loses, a wrong order of calls raises."""
    made: AECEnv[str, Observation, int] = raw_env(name, **parameters)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=LOSS)
    return wrappers.OrderEnforcingWrapper(made)


__all__ = ["AGENTS", "BattleEnv", "Observation", "env", "raw_env"]
