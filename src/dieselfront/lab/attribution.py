"""What units add: a logistic regression of who won on what both armies were made of.

The columns are the shares of an army's points in each card, the first side's less the second's. A ridge pulls every
card towards its points' worth, more so the fewer games it was seen in; the intervals are those of the ridge's normal
approximation. All armies cost about the same, so a number says what the points bring in this card beyond others.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

if TYPE_CHECKING:
    from dieselfront.lab.balance import Fought

TENTH = 0.1
"""Effects are given for a tenth of an army's points."""
SPREAD = 4.0
"""How far cards are expected to differ, as a standard deviation of log odds for a whole army of one card."""
FEWEST = 3
"""Cards seen in fewer games are left out."""
Z95 = 1.959964


class UnitWorth(msgspec.Struct, frozen=True):
    """A card: games it was seen in, and how the chance of an even game changes by a tenth of the army in it.

    `adds`, `low` and `high` are in percentage points; `per_point` is `adds` for one point of the army list.
    """

    card: str
    games: int
    adds: float
    low: float
    high: float
    per_point: float


def attribution(games: Sequence[Fought], usual_points: int) -> list[UnitWorth]:
    """Every card that was seen often enough, the best first."""
    seen = Counter(card for game in games for card in {*game.units[0], *game.units[1]})
    cards = sorted(card for card, count in seen.items() if count >= FEWEST)
    if not cards:
        return []
    columns = np.array([[*(_difference(game, card) for card in cards), 1.0] for game in games])
    won = np.array([0.5 if game.winner is None else float(game.winner == 0) for game in games])
    ridge = np.array([*[1.0 / SPREAD**2] * len(cards), 1e-6])  # the advantage of the first side is not pulled
    effects, spreads = _beyond_others(games, cards, *logistic(columns, won, ridge))
    worths = [
        UnitWorth(
            card,
            seen[card],
            _points(effect),
            _points(effect - Z95 * spread),
            _points(effect + Z95 * spread),
            round(_points(effect) / (TENTH * usual_points), 3),
        )
        for card, effect, spread in zip(cards, effects, spreads, strict=False)
    ]
    return sorted(worths, key=lambda worth: (-worth.adds, worth.card))


def _beyond_others(games: Sequence[Fought], cards: Sequence[str], effects: Any, covariances: Any) -> tuple[Any, Any]:
    """Effects and their standard errors, each card's less that of the average point of all armies.

    Shares of an army add up to 1, so games tell only how cards differ, never what all of them have in common.
    """
    means = np.array([sum(_share(units, card) for game in games for units in game.units) for card in cards])
    contrast = np.zeros((len(cards), len(effects)))
    contrast[:, : len(cards)] = np.eye(len(cards)) - means / means.sum()
    return contrast @ effects, np.sqrt(np.diag(contrast @ covariances @ contrast.T))


def _share(units: dict[str, int], card: str) -> float:
    return units.get(card, 0) / max(1, sum(units.values()))


def _difference(game: Fought, card: str) -> float:
    return _share(game.units[0], card) - _share(game.units[1], card)


def _points(effect: float) -> float:
    """A change of log odds by a tenth of an army, as percentage points of an even game."""
    return round(100.0 * (1.0 / (1.0 + math.exp(-TENTH * float(effect))) - 0.5), 2)


def logistic(columns: Any, won: Any, ridge: Any) -> tuple[Any, Any]:
    """Coefficients of a logistic regression with a ridge for each column, and their covariances."""
    coefficients = np.zeros(columns.shape[1])
    for _ in range(80):
        chance = 1.0 / (1.0 + np.exp(-np.clip(columns @ coefficients, -30.0, 30.0)))
        slope = columns.T @ (won - chance) - ridge * coefficients
        curve = (columns * (chance * (1.0 - chance))[:, None]).T @ columns + np.diag(ridge)
        step = np.linalg.solve(curve, slope)
        coefficients += step
        if float(np.abs(step).max()) < 1e-9:
            break
    return coefficients, np.linalg.inv(curve)


__all__ = ["UnitWorth", "attribution", "logistic"]
