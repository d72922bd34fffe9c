"""Positions as numbers: what can be counted in any game, from the seat of one player, each number with its meaning.

The numbers come from the ruleset's field and view, so every game has them; what a game's own adviser measures comes
beside them (`adviser_…`). Self-play data and learned values are made of these columns. DATA_VERSION is raised whenever
one of them changes its meaning.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from dieselfront.kernel.field import Standing
from dieselfront.kernel.game import Game
from dieselfront.players.adviser import Adviser
from dieselfront.players.general import STEP, point_of

DATA_VERSION = 1
FAR = 12.0
"""Steps beyond which nobody is near; a step is a square, or four inches."""
HALF_SCORE = 20.0
ADVISER = "adviser_"
"""How the columns begin that a game's own adviser measures."""

_SIDE = {
    "strength": "points alive on the table, as a share of the dearer army",
    "waiting": "points alive that are not on the table, as a share of the dearer army",
    "units": "units alive",
    "fresh": "share of its points on the table that has not acted in this turn",
    "biggest": "its most valuable unit alive, as a share of the dearer army",
    "score": "victory points, as score / (score + 20)",
    "held": "objectives it holds, by their points, as a share of all",
    "nearer": "objectives whose nearest unit is its own, as a share of all",
    "goal_steps": "how far its strength stands from the nearest objective on average, in steps (12 at most)",
    "enemy_steps": "how far its strength stands from the nearest enemy on average, in steps (12 at most)",
    "fire": "strength that has not acted, each unit by how near the nearest enemy is (1 beside it, 0 at 12 steps)",
    "next_fire": "the same of units that have acted",
    "spread": "how far its strength stands from its own middle on average, in steps",
    "markers": "markers on its units (pins, suppression, tokens) per unit on the table",
}
_LEADS = ("strength", "waiting", "units", "score", "held", "nearer", "fire", "next_fire", "markers")

COLUMNS = {
    "late": "turns begun, as a share of the scenario's turns",
    "on_move": "1 if the pending decision is the player's",
    **{f"own_{name}": f"of the player: {meaning}" for name, meaning in _SIDE.items()},
    **{f"enemy_{name}": f"of the enemy: {meaning}" for name, meaning in _SIDE.items()},
    **{f"lead_{name}": f"own_{name} less enemy_{name}" for name in _LEADS},
}
"""Every general column with its meaning."""


def measured(game: Game, player: int, adviser: Adviser | None = None) -> dict[str, float]:
    """The columns of a position from the seat of a player, with those of the adviser if one is given."""
    return both_seats(game, adviser)[player]


def both_seats(game: Game, adviser: Adviser | None = None) -> tuple[dict[str, float], dict[str, float]]:
    """The columns from both seats; most of the work is the same."""
    counted = _Counted(game)
    seats = counted.seat(0), counted.seat(1)
    if adviser is not None:
        for player, columns in enumerate(seats):
            measures = adviser.features(game, player)[1]
            columns.update((ADVISER + name, float(value)) for name, value in measures.items())
    return seats


class _Counted:
    """What is counted once for both seats."""

    def __init__(self, game: Game) -> None:
        rules, state = game.rules, game.state
        self.view: dict[str, Any] = rules.glance(state, (0, 1))
        self.step = STEP[rules.table]
        units = rules.field.units(state)
        costs = [sum(unit.points for unit in units if unit.side == side) for side in (0, 1)]
        self.army = float(max(*costs, 1))
        self.alive = [[unit for unit in units if unit.side == side and unit.share > 0] for side in (0, 1)]
        self.there = [[u for u in side if u.on_table and u.centre is not None] for side in self.alive]
        self.shown = {unit["id"]: unit for unit in self.view["units"]}
        self.goals = rules.field.objectives(state)
        self.goal_points = [[point for point in map(point_of, goal.places) if point is not None] for goal in self.goals]
        decision = game.pending
        self.to_act = decision.player if decision is not None else None
        self.sides = [self._side(0), self._side(1)]

    def seat(self, player: int) -> dict[str, float]:
        own, enemy = self.sides[player], self.sides[1 - player]
        columns = {
            "late": min(1.0, self.view["turn"] / max(1, self.view["turns"])),
            "on_move": float(self.to_act == player),
        }
        columns.update((f"own_{name}", value) for name, value in own.items())
        columns.update((f"enemy_{name}", value) for name, value in enemy.items())
        columns.update((f"lead_{name}", own[name] - enemy[name]) for name in _LEADS)
        return columns

    def _side(self, side: int) -> dict[str, float]:
        alive, there = self.alive[side], self.there[side]
        weights = [unit.points * unit.share for unit in there]
        near = [self._near(unit, self.there[1 - side]) for unit in there]
        acted = [bool(self.shown.get(unit.id, {}).get("activated")) for unit in there]
        closeness = [weight * (1.0 - far / FAR) for weight, far in zip(weights, near, strict=True)]
        everything = sum(unit.points * unit.share for unit in alive)
        return {
            "strength": sum(weights) / self.army,
            "waiting": max(0.0, everything - sum(weights)) / self.army,
            "units": float(len(alive)),
            "fresh": _mean([float(not one) for one in acted], weights),
            "biggest": max((unit.points * unit.share for unit in alive), default=0.0) / self.army,
            "score": self._score(side),
            "held": self._held(side),
            "nearer": self._nearer(side),
            "goal_steps": _mean([self._to_goal(unit) for unit in there], weights),
            "enemy_steps": _mean(near, weights),
            "fire": sum(one for one, done in zip(closeness, acted, strict=True) if not done) / self.army,
            "next_fire": sum(one for one, done in zip(closeness, acted, strict=True) if done) / self.army,
            "spread": self._spread(there, weights),
            "markers": self._markers(there),
        }

    def _near(self, unit: Standing, others: Sequence[Standing]) -> float:
        far = min((math.dist(unit.centre, other.centre) for other in others), default=math.inf)
        return min(FAR, far / self.step)

    def _to_goal(self, unit: Standing) -> float:
        far = (math.dist(unit.centre, point) / self.step for points in self.goal_points for point in points)
        return min(FAR, min(far, default=FAR))

    def _score(self, side: int) -> float:
        scores = self.view.get("score") or [one.get("points", 0) for one in self.view["sides"]]
        points = max(0.0, float(scores[side]))
        return points / (points + HALF_SCORE)

    def _held(self, side: int) -> float:
        total = sum(max(1, goal.points) for goal in self.goals)
        return sum(max(1, goal.points) for goal in self.goals if goal.holder == side) / total if total else 0.0

    def _nearer(self, side: int) -> float:
        """Objectives whose nearest unit is ours; what is as near to both is nobody's."""
        if not self.goal_points:
            return 0.0
        return sum(self._reach(side, points) < self._reach(1 - side, points) for points in self.goal_points) / len(
            self.goal_points
        )

    def _reach(self, side: int, points: Sequence[tuple[float, float]]) -> float:
        far = (math.dist(unit.centre, point) for unit in self.there[side] for point in points)
        return min(far, default=math.inf)

    def _spread(self, there: Sequence[Standing], weights: Sequence[float]) -> float:
        middle = tuple(_mean([unit.centre[axis] for unit in there], weights) for axis in (0, 1))
        return _mean([math.dist(unit.centre, middle) / self.step for unit in there], weights)

    def _markers(self, there: Sequence[Standing]) -> float:
        counts = [_marks(self.shown.get(unit.id, {})) for unit in there]
        return sum(counts) / len(counts) if counts else 0.0


def _marks(shown: dict[str, Any]) -> int:
    return len(shown.get("tokens", ())) + int(shown.get("pins") or 0) + int(shown.get("suppression") or 0)


def _mean(values: Sequence[float], weights: Sequence[float]) -> float:
    total = sum(weights)
    return sum(value * weight for value, weight in zip(values, weights, strict=True)) / total if total else 0.0


__all__ = ["ADVISER", "COLUMNS", "DATA_VERSION", "both_seats", "measured"]
