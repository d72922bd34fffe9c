"""Learning what positions are worth: boosted trees (LightGBM) on positions of self-play, proven on games left out.

Both games of a battle that was fought both ways are left out together. The trees begin at the hand-made worth of the
positions, turned into a chance by its best scale (a logistic regression that may change as the battle goes on) on the
same games, which is also what they are compared with. LightGBM is needed to grow trees, not to use them
(players/learned.py).
"""

from __future__ import annotations

import copy
import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from dieselfront.lab.dataset import POSITION_COLUMNS, read_positions
from dieselfront.lab.fit import regression
from dieselfront.lab.simulate import SimulationError
from dieselfront.players.learned import (
    FORMAT,
    STEEPEST,
    Base,
    Calibration,
    Forest,
    Measured,
    Tree,
    ValueModel,
    digest_of,
)
from dieselfront.players.position import DATA_VERSION

FOLDS = 5
BINS = 10
TREES = 160
PARAMETERS: dict[str, Any] = {
    "objective": "cross_entropy",
    "learning_rate": 0.04,
    "num_leaves": 8,
    "min_data_in_leaf": 150,
    "lambda_l2": 20.0,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "seed": 47,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "verbosity": -1,
}
CAREFUL = PARAMETERS | {"learning_rate": 0.03, "num_leaves": 4, "min_data_in_leaf": 400, "lambda_l2": 100.0}
"""Slower growth, for few games or games that chance decides."""
ARMY = ("own_biggest", "enemy_biggest")
"""Columns that are not learned from: they tell armies apart more than positions."""
SIDES = ("own_", "enemy_")
LEAST, MOST = 1e-4, 1.0 - 1e-4
AT_ONCE = 2000
"""So many positions are evaluated at once."""


class Positions:
    """Positions as arrays: features, results, hand-made worth, and the battle each belongs to."""

    def __init__(self, tables: Sequence[Any]) -> None:
        self.columns = [name for name in tables[0].column_names if name not in POSITION_COLUMNS]
        self.features = np.concatenate([_matrix(table, self.columns) for table in tables])
        self.late = self.features[:, self.columns.index("late")]
        self.won = _joined(tables, "result")
        self.worth = _joined(tables, "worth")
        battles = np.concatenate([np.array(table.column("battle").to_pylist()) for table in tables])
        self.battles = np.unique(battles, return_inverse=True)[1]
        self.games = len({game for table in tables for game in table.column("game").to_pylist()})

    def without(self, beginnings: tuple[str, ...]) -> Positions:
        """The same positions without the columns whose names begin so."""
        kept = [place for place, name in enumerate(self.columns) if not name.startswith(beginnings)]
        twin = copy.copy(self)
        twin.columns = [self.columns[place] for place in kept]
        twin.features = self.features[:, kept]
        return twin


def _matrix(table: Any, columns: Sequence[str]) -> Any:
    return np.column_stack([table.column(name).to_numpy() for name in columns]).astype(np.float64)


def _joined(tables: Sequence[Any], name: str) -> Any:
    return np.concatenate([table.column(name).to_numpy() for table in tables]).astype(np.float64)


class Growth(NamedTuple):
    """A way to grow trees: what LightGBM is given, and which columns it sees."""

    name: str
    parameters: Mapping[str, Any]
    without: tuple[str, ...]


GROWTHS = (
    Growth("bold", PARAMETERS, ARMY),
    Growth("careful", CAREFUL, ARMY),
    Growth("differences only", CAREFUL, SIDES),
)
"""The ways that are tried; the one that tells the games left out best is taken."""


def learn(files: Sequence[Path], trees: int = TREES) -> ValueModel:
    """Grow a model from files of positions of one game."""
    if importlib.util.find_spec("lightgbm") is None:
        raise SimulationError("Learning needs LightGBM, which is not installed: pip install 'dieselfront[learn]'.")
    read = [read_positions(path) for path in files]
    if not read:
        raise SimulationError("Name a file of positions; `dieselfront lab selfplay` writes such files.")
    ruleset, version = _one_game(read)
    positions = Positions([table for table, _ in read])
    if positions.battles.max(initial=0) < FOLDS:
        raise SimulationError(f"At least {FOLDS + 1} battles are needed to leave some of them out.")
    tried = [(left_out(positions.without(growth.without), trees, growth.parameters), growth) for growth in GROWTHS]
    measured, growth = min(tried, key=lambda one: one[0].loss)
    seen = positions.without(growth.without)
    base = scaled(seen, np.ones(len(seen.won), dtype=bool))
    grown = grow(seen.features, seen.won, trees, hand_made(seen, base), growth.parameters)
    sources = [{key: about.get(key) for key in ("selfplay", "games", "digest")} for _, about in read]
    made = {
        "by": "dieselfront lab learn",
        "growth": growth.name,
        "parameters": dict(growth.parameters) | {"trees": trees},
        "tried": {one.name: measure.loss for measure, one in tried},
        "from": sources,
    }
    return ValueModel(
        FORMAT, ruleset, version, DATA_VERSION, seen.columns, base, grown, made, measured, digest_of(base, grown)
    )


def _one_game(read: Sequence[tuple[Any, dict[str, Any]]]) -> tuple[str, str]:
    games = {(row["ruleset"], row["version"]) for table, _ in read for row in _kinds(table)}
    if len(games) != 1:
        raise SimulationError(f"All positions must be of one version of one game, not of {len(games)}.")
    if any(about.get("data_version") != DATA_VERSION for _, about in read):
        raise SimulationError("A file was written with other columns than today's; play it anew.")
    ruleset, version = games.pop()
    return str(ruleset), str(version)


def _kinds(table: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = (
        table.select(["ruleset", "version"]).group_by(["ruleset", "version"]).aggregate([]).to_pylist()
    )
    return rows


def scaled(positions: Positions, chosen: Any) -> Base:
    """What a point of hand-made worth weighs in the chosen positions, at the beginning of a battle and at its end."""
    late = positions.late[chosen]
    worth = positions.worth[chosen]
    early, change = regression(np.column_stack([worth, worth * late]), positions.won[chosen])
    return Base(float(f"{early:.6g}"), float(f"{early + change:.6g}"))


def hand_made(positions: Positions, base: Base) -> Any:
    """The exponents of the chances that hand-made worth gives."""
    return np.clip(positions.worth * (base.early + (base.end - base.early) * positions.late), -STEEPEST, STEEPEST)


def grow(features: Any, won: Any, trees: int, base: Any, parameters: Mapping[str, Any] = PARAMETERS) -> list[Tree]:
    """The trees of LightGBM in our own plain shape; they correct what `base` says."""
    booster = boosted(features, won, trees, base, parameters)
    return [_plain(tree["tree_structure"]) for tree in booster.dump_model()["tree_info"]]


def boosted(features: Any, won: Any, trees: int, base: Any, parameters: Mapping[str, Any] = PARAMETERS) -> Any:
    """LightGBM's own model."""
    import lightgbm

    data = lightgbm.Dataset(features, label=won, init_score=base, free_raw_data=False)
    return lightgbm.train(dict(parameters), data, num_boost_round=trees)


def _plain(root: dict[str, Any]) -> Tree:
    tree = Tree([], [], [], [], [])

    def place(node: dict[str, Any]) -> int:
        if "split_feature" not in node:
            tree.leaves.append(float(f"{node['leaf_value']:.5g}"))
            return -len(tree.leaves)
        number = len(tree.columns)
        tree.columns.append(int(node["split_feature"]))
        tree.thresholds.append(float(f"{node['threshold']:.6g}"))
        tree.left.append(0)
        tree.right.append(0)
        tree.left[number] = place(node["left_child"])
        tree.right[number] = place(node["right_child"])
        return number

    place(root)
    return tree


def chances(trees: Sequence[Tree], features: Any, base: Any) -> Any:
    """The chances of many positions."""
    forest = Forest(trees)
    totals = [forest.totals(some) for some in np.array_split(features, len(features) // AT_ONCE + 1)]
    return 1.0 / (1.0 + np.exp(-np.clip(np.concatenate(totals) + base, -STEEPEST, STEEPEST)))


def left_out(positions: Positions, trees: int, parameters: Mapping[str, Any] = PARAMETERS) -> Measured:
    """Every battle is predicted once by trees that were grown without it."""
    learned, by_hand = np.zeros_like(positions.won), np.zeros_like(positions.won)
    for fold in range(FOLDS):
        out = positions.battles % FOLDS == fold
        base = hand_made(positions, scaled(positions, ~out))
        grown = grow(positions.features[~out], positions.won[~out], trees, base[~out], parameters)
        learned[out] = chances(grown, positions.features[out], base[out])
        by_hand[out] = 1.0 / (1.0 + np.exp(-base[out]))
    calibration, error = calibrated(learned, positions.won)
    return Measured(
        positions.games,
        len(positions.won),
        log_loss(learned, positions.won),
        log_loss(by_hand, positions.won),
        log_loss(np.full_like(positions.won, 0.5), positions.won),
        calibration,
        error,
    )


def log_loss(chance: Any, won: Any) -> float:
    """The mean log loss; a draw is half a win."""
    safe = np.clip(chance, LEAST, MOST)
    return round(float(-(won * np.log(safe) + (1.0 - won) * np.log(1.0 - safe)).mean()), 4)


def calibrated(chance: Any, won: Any) -> tuple[list[Calibration], float]:
    """By tenths of chance: the mean chance and the share won; and how far they lie apart on average."""
    places = np.minimum((chance * BINS).astype(int), BINS - 1)
    rows, apart = [], 0.0
    for number in range(BINS):
        inside = places == number
        count = int(inside.sum())
        if count:
            mean, share = float(chance[inside].mean()), float(won[inside].mean())
            rows.append(Calibration(round(mean, 4), round(share, 4), count))
            apart += abs(mean - share) * count
    return rows, round(apart / max(1, len(won)), 4)


def write(model: ValueModel, path: Path) -> int:
    """Write a model; returns its size in bytes."""
    return path.write_bytes(msgspec.json.encode(model) + b"\n")


__all__ = ["Positions", "calibrated", "chances", "grow", "learn", "left_out", "log_loss", "write"]
