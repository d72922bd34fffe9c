"""The chance to win: the worth of a position, turned into a chance by what such positions came to in played games.

Where a game ships a learned model (learned.py), that is asked. Elsewhere it is a logistic curve over the lead of the
first side, in armies (1 is a lead as large as one whole army). How steep it is at the beginning and at the end of a
battle stands in `adviser/chance.yaml` of a game or its relative, fitted by tools/fit_chance.py; a draw counts as half a
win.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

from dieselfront.kernel.game import Game
from dieselfront.players.adviser import Adviser
from dieselfront.players.learned import value_model
from dieselfront.players.weights import adviser_data

STEEPEST = 30.0
"""A lead beyond this exponent is as good as won."""


class Steepness(NamedTuple):
    """How fast a lead becomes a win: at the beginning of a battle, and at its end."""

    early: float = 4.0
    end: float = 8.0

    def chance(self, lead: float, late: float) -> float:
        """The chance to win with a lead (in armies) when it is so late (0 to 1)."""
        exponent = lead * (self.early + (self.end - self.early) * late)
        return 1.0 / (1.0 + math.exp(-max(-STEEPEST, min(STEEPEST, exponent))))


@cache
def steepness(ruleset: str) -> Steepness:
    """What was fitted for a ruleset or the one it inherits from; the usual where nothing was."""
    known = adviser_data(ruleset, "chance")
    return Steepness(float(known["early"]), float(known["end"])) if known else Steepness()


class Scales:
    """Weighs the positions of one game."""

    def __init__(self, adviser: Adviser, ruleset: str) -> None:
        self.adviser = adviser
        self.model = value_model(ruleset)
        self.steepness = steepness(ruleset)

    def chance(self, game: Game) -> float:
        """The chance of the first side to win; when the game is over, its result."""
        if game.over:
            return 0.5 if game.winner is None else 1.0 - game.winner
        if self.model is not None:
            return self.model.chance(game, 0, self.adviser)
        return self.steepness.chance(self.lead(game), lateness(game))

    def lead(self, game: Game) -> float:
        """How far the first side is ahead, in armies; both sides' view of it counts the same."""
        points = sum(unit.points for unit in game.rules.field.units(game.state))
        both = self.adviser.worth(game, 0).total - self.adviser.worth(game, 1).total
        return float(both / max(1.0, points))


def lateness(game: Game) -> float:
    """How late it is: 0 in the first turn, 1 in the last; in the middle where nobody knows the last."""
    turns = game.header.scenario.get("turns") if game.header is not None else None
    if not isinstance(turns, int) or turns < 2:
        return 0.5
    return min(1.0, max(0.0, (game.turn - 1) / (turns - 1)))


__all__ = ["Scales", "Steepness", "lateness", "steepness"]
