"""Outlooks fitted to played games: which features of a position tell who will win, and how much.

Regular players whose judgement errs a little play against each other; at their activations the adviser measures the
position, and a logistic regression with a small ridge finds what each feature is worth at the beginning and at the end
of a battle. How the armies differed at the start is fitted beside it and thrown away, so that the better list is not
taken for good play. The numbers are scaled so that a point of the first feature at the beginning is worth one.

>>> from dieselfront.lab.fit import Fitting, fit
>>> sorted(fit(Fitting("dust1947", games=4)).weights)[:2]
['control', 'cover']
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from dieselfront.lab.crew import Crew, crew_of
from dieselfront.lab.simulate import Matches, SimulationError, line_up, seed_of, version_of
from dieselfront.players import adviser_of, level_of, weights
from dieselfront.players.opponent import Opponent
from dieselfront.scenarios import battle

RIDGE = 1e-4
FOLDS = 4
EVERY = 2
"""Positions are taken at every so many activations."""

CONTROLS = ("material", "units")
"""Features whose value at the start of a game says how the armies differ."""


class Fitting(msgspec.Struct, frozen=True):
    """What is fitted: games of a ruleset between regular players who err by `noise` points."""

    ruleset: str
    games: int = 440
    seed: str = "fit"
    noise: float = 0.8


class Sample(msgspec.Struct, frozen=True):
    """A position to learn from: how late it was, its features, those of its start, and the share of the win."""

    game: int
    late: float
    features: dict[str, float]
    start: dict[str, float]
    won: float


class Fitted(msgspec.Struct):
    """What came out: weights at the beginning and the end, and the loss on games that were left out of the fit."""

    ruleset: str
    games: int
    positions: int
    weights: dict[str, tuple[float, float]]
    loss: float
    before: float
    """The loss of the outlook in use, with its best scale."""


def fit(wanted: Fitting, workers: int | Crew = 1, progress: Callable[[Any], None] | None = None) -> Fitted:
    """Play the games and fit."""
    with crew_of(workers, progress) as crew:
        jobs = [(wanted, number) for number in range(wanted.games)]
        played = crew.run(positions, jobs, list[Sample], version_of(wanted.ruleset))
        measured = [position for some in played for position in some]
    if not measured:
        raise SimulationError(f"Players of {wanted.ruleset} measure no features that could be fitted.")
    return fitted(wanted, measured)


def positions(job: tuple[Fitting, int]) -> list[Sample]:
    """The measured positions of one game."""
    wanted, number = job
    matches = Matches(wanted.ruleset, wanted.games, wanted.seed, ("regular", "regular"), swap=True)
    seed = seed_of(matches, number)
    game = battle.start(line_up(matches, number)[0], seed, keep_history=False)
    adviser = adviser_of(wanted.ruleset, weights(wanted.ruleset))
    level = msgspec.structs.replace(level_of("regular", adviser), noise=wanted.noise)
    players = [Opponent(adviser, level, f"{seed}/{side}") for side in (0, 1)]
    seen: list[tuple[int, float, dict[str, float]]] = []
    starts: dict[int, dict[str, float]] = {}
    asked = number
    while (decision := game.pending) is not None:
        if adviser.begins(decision):
            asked += 1
            if not starts:
                starts = {side: adviser.features(game, side)[1] for side in (0, 1)}
            if asked % EVERY == 0:
                seen.append((decision.player, *adviser.features(game, decision.player)))
        game.choose_trusted(players[decision.player].choose(game))
    won = {side: 0.5 if game.winner is None else float(game.winner == side) for side in (0, 1)}
    return [Sample(number, late, features, starts[side], won[side]) for side, late, features in seen]


def fitted(wanted: Fitting, samples: list[Sample]) -> Fitted:
    """The regression, and how well it tells the results of games it has not seen."""
    from dieselfront.players.outlook import outlook

    names = list(samples[0].features)
    late = np.array([one.late for one in samples])
    plain = np.array([[one.features[name] for name in names] for one in samples])
    control = np.array([[one.start.get(name, 0.0) for name in CONTROLS] + [1.0] for one in samples])
    both = np.hstack([plain, control])
    columns = np.hstack([both, both * late[:, None]])
    won = np.array([one.won for one in samples])
    games = np.array([one.game for one in samples]) // 2  # both games of a swapped pair are left out together
    used = outlook(wanted.ruleset)
    known = set(names) <= set(used.weights)
    now = np.array([[used.worth(one.features, one.late) if known else 0.0, 1.0] for one in samples])
    coefficients = regression(columns, won)
    scale = coefficients[0] or 1.0
    count = both.shape[1]
    new_weights = {
        name: (
            round(float(coefficients[place] / scale), 3),
            round(float((coefficients[place] + coefficients[count + place]) / scale), 3),
        )
        for place, name in enumerate(names)
    }
    loss, before = loss_of(columns, won, games), loss_of(np.hstack([now, now * late[:, None]]), won, games)
    return Fitted(wanted.ruleset, wanted.games, len(samples), new_weights, round(loss, 4), round(before, 4))


def regression(columns: Any, won: Any) -> Any:
    """Logistic regression by Newton's method, every column scaled to spread one."""
    spread = columns.std(axis=0)
    spread[spread == 0.0] = 1.0
    scaled = columns / spread
    coefficients = np.zeros(columns.shape[1])
    ridge = RIDGE * len(won)
    for _ in range(60):
        chance = 1.0 / (1.0 + np.exp(-np.clip(scaled @ coefficients, -30.0, 30.0)))
        slope = scaled.T @ (won - chance) - ridge * coefficients
        curve = (scaled * (chance * (1.0 - chance))[:, None]).T @ scaled + ridge * np.eye(len(coefficients))
        step = np.linalg.solve(curve, slope)
        coefficients += step
        if float(np.abs(step).max()) < 1e-8:
            break
    return coefficients / spread


def loss_of(columns: Any, won: Any, games: Any) -> float:
    """The mean log loss on games left out, a quarter of them at a time."""
    total = 0.0
    for fold in range(FOLDS):
        out = games % FOLDS == fold
        if out.all() or not out.any():
            continue
        coefficients = regression(columns[~out], won[~out])
        chance = np.clip(1.0 / (1.0 + np.exp(-columns[out] @ coefficients)), 1e-4, 1.0 - 1e-4)
        total -= float((won[out] * np.log(chance) + (1.0 - won[out]) * np.log(1.0 - chance)).sum())
    return total / len(won)


__all__ = ["Fitted", "Fitting", "fit", "fitted", "regression"]
