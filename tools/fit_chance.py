"""Fit how steep the chance to win is: plays games between computers and prints the numbers for adviser/chance.yaml.

    python tools/fit_chance.py RULESET [GAMES] [LEVEL]

Every scenario of the game is played in turn with its starter armies. At each activation the lead is noted, and after the
game who won. A logistic regression finds how much a lead counts at the beginning and at the end; that a scenario or an
army favours one side is allowed for by a number of its own for each pairing, which is thrown away.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from dieselfront import players
from dieselfront.players.chance import Scales, lateness
from dieselfront.scenarios import battle, library

Rows = NDArray[np.float64]
RIDGE, PAIRING_RIDGE = 1e-2, 2.0


def noted(ruleset: str, number: int, level: str) -> list[tuple[float, float, float, float]]:
    """Scenario, lead, lateness and result of every activation of one game, for the first side."""
    scenarios, armies = library.names(ruleset), battle.starters(ruleset)
    pair = [armies[number % len(armies)], armies[(number + 1 + number // len(armies)) % len(armies)]]
    header = battle.header(ruleset, scenarios[number % len(scenarios)], pair, seed=f"chance {number}")
    game = battle.start(header, f"chance {number}", keep_history=False)
    seated = [players.make(level, f"{number}/{side}", ruleset) for side in (0, 1)]
    adviser = players.adviser_of(ruleset, players.weights(ruleset))
    scales = Scales(adviser, ruleset)
    seen: list[tuple[float, float]] = []
    while (decision := game.pending) is not None:
        if adviser.begins(decision) or adviser.opens(decision):
            seen.append((scales.lead(game), lateness(game)))
        game.choose_trusted(seated[decision.player].choose(game))
    result = 0.5 if game.winner is None else 1.0 - game.winner
    return [(number % len(scenarios), lead, late, result) for lead, late in seen]


def fitted(rows: Rows) -> Rows:
    """Two slopes by Newton's method, and a number for each scenario behind them."""
    scenario, lead, late, won = rows.T
    there = (scenario[:, None] == np.unique(scenario)[None, :]).astype(float)
    inputs = np.concatenate([np.stack([lead * (1 - late), lead * late], axis=1), there], axis=1)
    ridge = np.array([RIDGE] * 2 + [PAIRING_RIDGE] * there.shape[1])
    slopes = np.zeros(inputs.shape[1])
    for _ in range(40):
        chance = 1 / (1 + np.exp(-np.clip(inputs @ slopes, -30, 30)))
        curve = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + np.diag(ridge)
        slopes += np.clip(np.linalg.solve(curve, inputs.T @ (won - chance) - ridge * slopes), -5, 5)
    return slopes[:2]


def tell(rows: Rows, slopes: Rows) -> None:
    """How well the chances keep their word, seen from both sides."""
    _, lead, late, won = np.concatenate([rows, rows * [1, -1, 1, -1] + [0, 0, 0, 1]]).T
    chance = 1 / (1 + np.exp(-np.clip(lead * (slopes[0] * (1 - late) + slopes[1] * late), -30, 30)))
    print(f"  Brier {np.mean((chance - won) ** 2):.3f} (always one half: {np.mean((0.5 - won) ** 2):.3f})")
    for low in (0.5, 0.6, 0.7, 0.8, 0.9):
        inside = (chance >= low) & (chance < low + 0.1 + (low == 0.9))
        if inside.any():
            print(f"  {chance[inside].mean():.2f} said, {won[inside].mean():.2f} came ({inside.sum()} positions)")


def main(ruleset: str, games: int = 60, level: str = "veteran") -> None:
    rows = np.array([row for number in range(games) for row in noted(ruleset, number, level)])
    slopes = fitted(rows)
    print(f"{ruleset}: early: {slopes[0]:.2f}, end: {slopes[1]:.2f} ({games} games of {level}, {len(rows)} positions)")
    tell(rows, slopes)


if __name__ == "__main__":
    main(sys.argv[1], *(int(word) for word in sys.argv[2:3]), *sys.argv[3:4])
