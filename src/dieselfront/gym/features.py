"""What an agent sees: numbers from 0 to 1 for every unit, for the battle and for every option, in fixed columns.

Everything is seen from the seat of the agent: its own units stand in the first half of the rows, the enemy's in the
second, each in the order of the ruleset's field. Rows that no unit uses hold zeros.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dieselfront.gym.actions import Gist, Options
from dieselfront.kernel.decisions import Assign, Decision
from dieselfront.kernel.field import Standing
from dieselfront.kernel.game import Game
from dieselfront.kernel.meaning import ACTS
from dieselfront.kernel.ruleset import Ruleset
from dieselfront.table.square.geometry import read_name

Array = NDArray[np.float32]

UNIT_COLUMNS = {
    "present": "1 if a unit stands in this row",
    "own": "1 if it is the agent's own",
    "on_table": "1 if it stands on the table",
    "waiting": "1 if it is not on the table and not lost: in reserve, aboard, not deployed yet",
    "x": "where its middle is, from left (0) to right (1) of the table",
    "y": "where its middle is, from top (0) to bottom (1) of the table",
    "share": "what is left of it",
    "points": "what it cost, as a share of the dearer army",
    "models": "models left, 20 or more being 1",
    "activated": "1 if it has acted in this turn",
    "markers": "markers and tokens on it, 8 or more being 1",
    "asked": "1 if the current decision is about it",
}
"""The columns of `observation`, each with its meaning."""

BATTLE_COLUMNS = {
    "to_act": "1 if the decision is the agent's",
    "turn": "turns begun, as a share of the scenario's turns",
    "own_score": "the agent's victory points, as score / (score + 20)",
    "enemy_score": "the enemy's, likewise",
    "own_strength": "what is left of the agent's army, by points",
    "enemy_strength": "what is left of the enemy's",
    "own_objectives": "objectives that the agent holds, as a share of all",
    "enemy_objectives": "objectives that the enemy holds",
    "options": "listed options, as a share of the limit",
    "sampled": "1 if there are more options than are listed",
    **{f"act_{act}": f"1 if the decision is of this kind: {meaning}" for act, meaning in ACTS.items()},
}
"""The entries of `battle`, each with its meaning."""

OPTION_COLUMNS = {
    "unit_x": "where the unit that acts is, across the table",
    "unit_y": "and down the table",
    "unit_share": "what is left of it",
    "has_target": "1 if it is done to a unit",
    "target_own": "1 if that is the agent's own",
    "target_x": "where the first target is, across the table",
    "target_y": "and down the table",
    "target_share": "what is left of it",
    "target_points": "what it cost, as a share of the dearer army",
    "has_place": "1 if it names a place",
    "place_x": "where that is, across the table",
    "place_y": "and down the table",
    "weapons": "weapons used, 8 or more being 1",
    "careless": "1 if it does nothing where something could be done",
    "assigned": "where several things are assigned at once (weapons to targets), the share of them that is",
    "near_enemy": "how near the nearest enemy is to the place: 1 beside it, 0 a table's length away",
    "near_objective": "how near the nearest objective is to the place, likewise",
    **{f"act_{act}": f"1 if {meaning}" for act, meaning in ACTS.items()},
}
"""The columns of `options`, each with its meaning."""

_ACT = {act: number for number, act in enumerate(ACTS)}
_FIRST_BATTLE_ACT = len(BATTLE_COLUMNS) - len(ACTS)
_FIRST_OPTION_ACT = len(OPTION_COLUMNS) - len(ACTS)
_NO_ACTOR, _NO_TARGET = (0.0,) * 3, (0.0,) * 6
_NOWHERE = (0.0,) * 3, (0.0,) * 2
HALF_SCORE = 20.0
MOST_MODELS, MOST_MARKERS, MOST_WEAPONS = 20, 8, 8


class Scene:
    """One position as one agent may see it, from which its observation is made."""

    __slots__ = (
        "_agent",
        "_army",
        "_enemies",
        "_goals",
        "_height",
        "_objectives",
        "_places",
        "_shown",
        "_sides",
        "_strength",
        "_facts",
        "_units",
        "_view",
        "_width",
    )

    def __init__(self, game: Game, rules: Ruleset[Any], agent: int) -> None:
        self._agent = agent
        self._view = rules.glance(game.state, (agent,))
        self._shown: dict[str, Mapping[str, Any]] = {unit["id"]: unit for unit in self._view["units"]}
        self._units = [unit for unit in rules.field.units(game.state) if unit.id in self._shown]
        table = self._view["table"]
        self._width, self._height = float(table["width"]), float(table["height"])
        costs, left = [0, 0], [0.0, 0.0]
        for unit in self._units:
            costs[unit.side] += unit.points
            left[unit.side] += unit.points * unit.share
        self._army = float(max(*costs, 1))
        self._strength = [_share(left[side] / max(1, costs[side])) for side in (0, 1)]
        self._facts = {
            unit.id: (*self.point(unit.centre), _share(unit.share), _share(unit.points / self._army))
            for unit in self._units
        }
        """Place across and down, what is left, and cost of every unit."""
        self._sides: dict[str | None, int] = {unit.id: unit.side for unit in self._units}
        self._enemies = [self._facts[unit.id][:2] for unit in self._units if unit.side != agent and unit.on_table]
        self._objectives = rules.field.objectives(game.state)
        self._goals = [self.point(place) for goal in self._objectives for place in goal.places]
        self._places: dict[Any, tuple[tuple[float, ...], tuple[float, ...]]] = {}

    def units(self, rows: int, asked: str) -> Array:
        """The rows of all units, own ones first."""
        table = np.zeros((rows, len(UNIT_COLUMNS)), np.float32)
        half = rows // 2
        for first, side in ((0, self._agent), (half, 1 - self._agent)):
            units = [self._row(unit, asked) for unit in self._units if unit.side == side][:half]
            if units:
                table[first : first + len(units)] = units
        return table

    def _row(self, unit: Standing, asked: str) -> tuple[float, ...]:
        shown = self._shown[unit.id]
        x, y, share, points = self._facts[unit.id]
        return (
            1.0,
            float(unit.side == self._agent),
            float(unit.on_table),
            float(not unit.on_table and unit.share > 0),
            x,
            y,
            share,
            points,
            _share(shown.get("models_left", 0) / MOST_MODELS),
            float(bool(shown.get("activated"))),
            _share(len(shown.get("tokens", ())) / MOST_MARKERS),
            float(unit.id == asked),
        )

    def battle(self, decision: Decision | None, listed: Options | None, most: int) -> Array:
        """The battle as a whole."""
        view, agent, enemy = self._view, self._agent, 1 - self._agent
        score = view.get("score") or [side.get("points", 0) for side in view["sides"]]
        entries = np.zeros(len(BATTLE_COLUMNS), np.float32)
        entries[:_FIRST_BATTLE_ACT] = (
            float(decision is not None and decision.player == agent),
            _share(view["turn"] / max(1, view["turns"])),
            _score(score[agent]),
            _score(score[enemy]),
            self._strength[agent],
            self._strength[enemy],
            self._held(agent),
            self._held(enemy),
            len(listed) / most if listed is not None else 0.0,
            float(listed is not None and not listed.complete),
        )
        if decision is not None:
            entries[_FIRST_BATTLE_ACT + _ACT[decision.act]] = 1.0
        return entries

    def options(self, listed: Options | None, most: int) -> Array:
        """A row for every listed option."""
        table = np.zeros((most, len(OPTION_COLUMNS)), np.float32)
        if listed is not None:
            gists, assigned = listed.gists(), _assigned(listed)
            rows: dict[Any, tuple[float, ...]] = {}
            filled = []
            for key in zip(gists, assigned, strict=True):
                if key not in rows:
                    rows[key] = self._option(*key)
                filled.append(rows[key])
            table[: len(gists), :_FIRST_OPTION_ACT] = filled
            table[range(len(gists)), [_FIRST_OPTION_ACT + _ACT[one.act] for one in gists]] = 1.0
        return table

    def _option(self, about: Gist, assigned: float) -> tuple[float, ...]:
        actor = self._facts.get(about.unit)
        place, nearness = self._at(about.place) if about.place is not None else _NOWHERE
        return (
            (actor[:3] if actor is not None else _NO_ACTOR)
            + self._target(about.target)
            + place
            + (_share(about.weapons / MOST_WEAPONS), float(about.careless), assigned)
            + nearness
        )

    def _target(self, id: str | None) -> tuple[float, ...]:
        """The columns of a unit as a target."""
        facts = self._facts.get(id) if id is not None else None
        return _NO_TARGET if facts is None else (1.0, float(self._sides[id] == self._agent), *facts)

    def _at(self, place: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The columns of a place, and how near the nearest enemy and the nearest objective are to it."""
        columns = self._places.get(place)
        if columns is None:
            x, y = self.point(place)
            columns = (1.0, x, y), (_near(x, y, self._enemies), _near(x, y, self._goals))
            self._places[place] = columns
        return columns

    @property
    def table(self) -> dict[str, Any]:
        """The table as views show it."""
        table: dict[str, Any] = self._view["table"]
        return table

    def placed(self) -> Iterator[tuple[float, float, bool, float, bool, str]]:
        """Every unit on the table: where, whether own, its strength, whether it has still to act, its id."""
        for unit in self._units:
            if unit.on_table and unit.centre is not None:
                x, y, share, points = self._facts[unit.id]
                fresh = not self._shown[unit.id].get("activated")
                yield x, y, unit.side == self._agent, share * points, fresh, unit.id

    def goals(self) -> Iterator[tuple[str, float, float]]:
        """Every place of an objective: whose it is (own, enemy, free) and where."""
        for goal in self._objectives:
            whose = "free" if goal.holder is None else "own" if goal.holder == self._agent else "enemy"
            for place in goal.places:
                yield (whose, *self.point(place))

    def point(self, place: Any) -> tuple[float, float]:
        """A point or the name of a square as shares of the table; the corner where there is none."""
        if isinstance(place, str):
            return square_share(place, self._width, self._height)
        if not isinstance(place, tuple) or len(place) < 2:
            return 0.0, 0.0
        return _share(place[0] / self._width), _share(place[1] / self._height)

    def _held(self, side: int) -> float:
        objectives = self._objectives
        return sum(one.holder == side for one in objectives) / len(objectives) if objectives else 0.0


def _near(x: float, y: float, points: Sequence[tuple[float, ...]]) -> float:
    """1 at the nearest of the points, 0 a table's length away from it."""
    if not points:
        return 0.0
    return 1.0 - min(1.0, min([math.hypot(x - point[0], y - point[1]) for point in points]))


def _assigned(listed: Options) -> list[float]:
    """Of each answer of an assignment, the share of its items that are assigned to something."""
    answers = listed.answers
    if not isinstance(listed.decision, Assign):
        return [0.0] * len(answers)
    return [sum(one is not None for one in answer) / max(1, len(answer)) for answer in answers]


@lru_cache(maxsize=16_384)
def square_share(name: str, width: float, height: float) -> tuple[float, float]:
    """The middle of a square by its name as shares of the table; the corner for words that name no square."""
    point = square_point(name)
    return (0.0, 0.0) if point is None else (_share(point[0] / width), _share(point[1] / height))


def square_point(name: str) -> tuple[float, float] | None:
    """The middle of a square by its name; None for words that name no square."""
    try:
        column, row, _ = read_name(name)
    except ValueError:
        return None
    return column + 0.5, row + 0.5


def _share(value: float) -> float:
    return 0.0 if value <= 0 else 1.0 if value >= 1 else float(value)


def _score(points: float) -> float:
    points = max(0.0, float(points))
    return points / (points + HALF_SCORE)
