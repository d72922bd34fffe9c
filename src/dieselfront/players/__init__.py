"""Computer players. They see what a person would see and choose among the same legal answers."""

from __future__ import annotations

from typing import Protocol

from dieselfront.kernel.decisions import Answer
from dieselfront.kernel.game import Game

LEVELS = ("random", "regular")


class Player(Protocol):
    """Answers the pending decision of a game."""

    def choose(self, game: Game) -> Answer: ...


class UnknownPlayer(ValueError):
    """There is no computer player of that name."""


def make(name: str, seed: str, ruleset: str) -> Player:
    """A computer player by name; the same seed always plays the same."""
    from dieselfront.players.random_player import RandomPlayer

    if name == "random":
        return RandomPlayer(seed)
    if name == "regular":
        if ruleset in ("dust1947", "freeform1947", "battlefield"):
            from dieselfront.players.dust import DustRegular

            return DustRegular(seed)
        if ruleset == "konflikt47":
            from dieselfront.players.konflikt import KonfliktRegular

            return KonfliktRegular(seed)
        return RandomPlayer(seed)
    raise UnknownPlayer(f"there is no player {name!r}; the players are {', '.join(LEVELS)}")
