"""The player that takes any legal answer."""

from __future__ import annotations

from random import Random

from dieselfront.kernel.decisions import Answer
from dieselfront.kernel.game import Game


class RandomPlayer:
    """Any legal choice, by a seeded chance of its own."""

    __slots__ = ("chance", "reason")

    copies = False

    def __init__(self, seed: str) -> None:
        self.chance = Random(seed)
        self.reason = ""

    def choose(self, game: Game) -> Answer:
        decision = game.pending
        assert decision is not None
        return decision.sample(self.chance)
