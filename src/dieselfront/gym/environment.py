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
from dieselfront.gym.planes import PLANES, picture, planes
from dieselfront.gym.text import draw, draw_svg
from dieselfront.kernel.decisions import PickOne, TypeDice
from dieselfront.kernel.game import Game

AGENTS = ("player_0", "player_1")
DICE = "dice_0"
"""The agent that says what dice show, where chance is not left to the seed."""
FAIR, AGENT = "fair", "agent"
MAX_ACTIONS = 256
MAX_UNITS = 48
PICTURE_CELLS = 48
"""Cells across and down a picture."""
WIN, DRAW, LOSS = 1.0, 0.0, -1.0

METADATA: dict[str, Any] = {
    "render_modes": ["ansi", "human", "svg", "rgb_array"],
    "render_fps": 4,
    "is_parallelizable": False,
}

Observation = dict[str, Any]


class BattleEnv(AECEnv[str, Observation, int], EzPickle):  # type: ignore[misc]
    """A battle as an AEC environment; `player_0` plays the first army. See docs/gym.md."""

    metadata: dict[str, Any] = METADATA

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
        map_size: int = 0,
        dice: str = FAIR,
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
            map_size=map_size,
            dice=dice,
            render_mode=render_mode,
        )
        super().__init__()
        ruleset = ruleset_of(name)
        _check_limits(max_actions, max_units, max_cycles, map_size, render_mode)
        self.setup = checked(
            BattleSetup(
                ruleset=ruleset, scenario=scenario, armies=tuple(armies), points=points, options=dict(options or {})
            )
        )
        self.rules = rulesets.load(ruleset)
        self.metadata = {**type(self).metadata, "name": f"{ruleset}_v{VERSION}"}
        self.max_actions, self.max_units, self.max_cycles = max_actions, max_units, max_cycles
        self.option_features = option_features
        self.map_size = map_size
        self.render_mode = render_mode
        if dice not in (FAIR, AGENT):
            raise GymError(f"Dice are '{FAIR}' (by the seed) or an '{AGENT}', not '{dice}'.")
        self.dice = dice
        self.possible_agents = [*AGENTS, DICE] if dice == AGENT else list(AGENTS)
        self._faces: list[str] = []
        self.agents: list[str] = []
        self.action_spaces = {agent: spaces.Discrete(max_actions) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
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
        if self.map_size:
            parts["map"] = _unit_box(len(PLANES), self.map_size, self.map_size)
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
        self._game = self.setup.game(self.battle_seed, fair=self.dice == FAIR)
        self._faces = []
        self._check_room()
        self.cycles = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.possible_agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.possible_agents, 0.0)
        self.terminations = dict.fromkeys(self.possible_agents, False)
        self.truncations = dict.fromkeys(self.possible_agents, False)
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
        if self.agent_selection != DICE or self._all_dice(answer):
            self.game.choose_trusted(tuple(self._faces) if self.agent_selection == DICE else answer)
            self._faces = []
        self.cycles += 1
        self._turn_to_decision()
        self._finish()
        self._accumulate_rewards()
        if self.render_mode == "human":
            print(self._text())

    def _all_dice(self, face: str) -> bool:
        """Lay one more die of the throw; are these all?"""
        self._faces.append(face)
        thrown = self.game.pending
        assert isinstance(thrown, TypeDice)
        return len(self._faces) == thrown.count_

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
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.possible_agents}
        if decision is None:
            return
        self.agent_selection = AGENTS[decision.player]
        if isinstance(decision, TypeDice):  # one step a die
            self.agent_selection = DICE
            decision = PickOne(decision.player, "die", list(decision.faces), text=decision.text, rule=decision.rule)
        self._listed = Options(decision, self.max_actions, f"{self.battle_seed}/{self.cycles}")
        self.infos[self.agent_selection] = {
            "decision": decision.key,
            "text": decision.text,
            "rule": decision.rule,
            "unit": decision.unit,
            "options": self._listed,
        }

    def _finish(self) -> None:
        if self.game.pending is None:
            self.terminations = dict.fromkeys(self.possible_agents, True)
            winner = self.game.winner
            for side, agent in enumerate(AGENTS):
                self.rewards[agent] = DRAW if winner is None else WIN if winner == side else LOSS
        elif self.max_cycles is not None and self.cycles >= self.max_cycles:
            self.truncations = dict.fromkeys(self.possible_agents, True)

    def _check_room(self) -> None:
        units = self.rules.field.units(self.game.state)
        largest = max(sum(unit.side == side for unit in units) for side in (0, 1))
        if largest > self.max_units // 2:
            raise GymError(f"An army has {largest} units: max_units must be at least {2 * largest}.")

    # -- seeing ---------------------------------------------------------------------------------

    def observe(self, agent: str) -> Observation:
        """The position from the seat of an agent; the mask is empty for the one who has nothing to decide."""
        if agent not in self._seen:
            self._seen[agent] = self._observed(agent)
        return self._seen[agent]

    def _observed(self, agent: str) -> Observation:
        decision = self.game.pending
        side = AGENTS.index(agent) if agent != DICE else decision.player if decision is not None else 0
        own = self._listed if decision is not None and agent == self.agent_selection else None
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
        if self.map_size:
            observation["map"] = planes(scene, self.map_size, decision.unit if decision is not None else "")
        return observation

    def render(self) -> Any:
        """The table from above: text (`ansi`), printed text (`human`), a drawing (`svg`) or a picture (`rgb_array`)."""
        if self.render_mode == "rgb_array":
            return picture(planes(Scene(self.game, self.rules, 0), PICTURE_CELLS, ""))
        if self.render_mode == "svg":
            return draw_svg(self.game, self.rules)
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


def _check_limits(
    max_actions: int, max_units: int, max_cycles: int | None, map_size: int, render_mode: str | None
) -> None:
    if map_size and not 4 <= map_size <= 256:
        raise GymError(f"map_size must be 0 for no map, or 4 to 256 cells, not {map_size}.")
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
