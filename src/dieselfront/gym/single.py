"""One agent against a computer player, as a Gymnasium environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from dieselfront import rulesets
from dieselfront.gym.battles import VERSION, GymError
from dieselfront.gym.environment import AGENTS, FAIR, LOSS, BattleEnv, Observation
from dieselfront.players import Player, make


class SoloEnv(gymnasium.Env[Observation, Any]):
    """The agent plays one side, a computer level the other. A masked action loses the battle at once.

    `side` is 0 or 1, or None to change sides from battle to battle. All other parameters are those of BattleEnv.
    """

    metadata: dict[str, Any] = BattleEnv.metadata

    def __init__(self, name: str, *, opponent: str = "random", side: int | None = 0, **parameters: Any) -> None:
        if side not in (None, 0, 1):
            raise GymError(f"The agent plays side 0, side 1 or None for both in turn, not {side}.")
        if parameters.get("dice", FAIR) != FAIR:
            raise GymError("Dice as an agent need the environment for several agents: gym.env(..., dice='agent').")
        self.battle = BattleEnv(name, **parameters)
        self.metadata = self.battle.metadata
        self.render_mode = self.battle.render_mode
        self.opponent_level = opponent
        make(opponent, "", self.battle.setup.ruleset)
        self.wanted_side = side
        self.side = side or 0
        self.observation_space = self.battle.observation_space(AGENTS[0])
        self.action_space = self.battle.action_space(AGENTS[0])
        self._opponent: Player | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new battle, at the first decision of the agent."""
        super().reset(seed=seed)
        battle = self.battle
        battle.reset(seed=seed)
        self.side = battle.battle_seed % 2 if self.wanted_side is None else self.wanted_side
        self._opponent = make(self.opponent_level, f"gym/{battle.battle_seed}", battle.setup.ruleset)
        self._await_agent()
        return battle.observe(AGENTS[self.side]), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Answer a decision; the opponent answers its own until the next one of the agent."""
        battle, agent = self.battle, AGENTS[self.side]
        if self._done():
            raise GymError("The battle is over; call reset().")
        if not battle.observe(agent)["action_mask"][int(action)]:
            battle.terminations = dict.fromkeys(AGENTS, True)
            kept = {part: array.copy() for part, array in battle.observe(agent).items()}
            return kept, LOSS, True, False, self._info() | {"illegal": True}
        battle.step(int(action))
        self._await_agent()
        reward = float(battle.rewards[agent])
        return battle.observe(agent), reward, battle.terminations[agent], battle.truncations[agent], self._info()

    def _await_agent(self) -> None:
        battle, opponent = self.battle, self._opponent
        assert opponent is not None
        while not self._done() and battle.agent_selection != AGENTS[self.side]:
            battle.answer(opponent.choose(battle.game))

    @property
    def over(self) -> bool:
        """Is the battle over? Against an opponent who acts first it may be before the agent has decided anything."""
        return self._done()

    def _done(self) -> bool:
        agent = AGENTS[self.side]
        return self.battle.terminations[agent] or self.battle.truncations[agent]

    def _info(self) -> dict[str, Any]:
        return {"side": self.side, **self.battle.infos[AGENTS[self.side]]}

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask as sb3-contrib asks for it."""
        mask: NDArray[np.int8] = self.battle.observe(AGENTS[self.side])["action_mask"]
        return mask.astype(np.bool_)

    def render(self) -> Any:
        return self.battle.render()


def solo_env(name: str, **parameters: Any) -> SoloEnv:
    """A battle against a computer level, as a Gymnasium environment."""
    return SoloEnv(name, **parameters)


def register() -> tuple[str, ...]:
    """Make every game known to `gymnasium.make`; returns the names."""
    names = []
    for ruleset in rulesets.names():
        name = f"dieselfront/{ruleset}-v{VERSION}"
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point="dieselfront.gym.single:SoloEnv", kwargs={"name": ruleset})
        names.append(name)
    return tuple(names)


__all__ = ["SoloEnv", "register", "solo_env"]
