"""Learned worth: the chance to win a position, from boosted trees that `lab learn` grew on self-play.

A game's model lies in its folder as `adviser/value.json`, with how it was made and how well it predicts the results of
games left out. The trees begin where hand-made judgement ends: they correct the chance that the adviser's worth of a
position gives (`Base`), so that it still separates two positions that fall into the same leaves. NumPy evaluates all
trees at once (`Forest`); the library that grew them is not needed.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from dieselfront import rulebook
from dieselfront.kernel.game import Game
from dieselfront.players.adviser import Adviser, Worth
from dieselfront.players.position import ADVISER, DATA_VERSION, both_seats

if TYPE_CHECKING:  # loaded when a model is asked, so that games without one do without it
    import numpy as np
    from numpy.typing import NDArray

FILE = "value.json"
FORMAT = 2
STEEPEST = 30.0
"""An exponent beyond this is as good as certain."""
MOST_LEAVES = 16
"""A tree has no more leaves than a mask of a forest has bits."""


class Tree(msgspec.Struct, frozen=True):
    """A decision tree. Node n asks whether its column is at most its threshold; -1-k as a child is leaf k."""

    columns: list[int]
    thresholds: list[float]
    left: list[int]
    right: list[int]
    leaves: list[float]

    def value(self, row: Sequence[float]) -> float:
        """The leaf that a row of columns leads to: the naive way, the twin of `Forest`."""
        node = 0 if self.columns else -1
        while node >= 0:
            node = self.left[node] if row[self.columns[node]] <= self.thresholds[node] else self.right[node]
        return self.leaves[-1 - node]


class Forest:
    """All trees as arrays, evaluated at once without following any branch.

    Every node has a mask of the leaves that are left when its answer is no: all but those on its left. What is left
    after all nodes of a tree have spoken is the leaf on the far left of those that remain, the lowest bit.
    """

    def __init__(self, trees: Sequence[Tree]) -> None:
        import numpy as np

        nodes = max((len(tree.columns) for tree in trees), default=0) or 1
        leaves = max((len(tree.leaves) for tree in trees), default=0) or 1
        if leaves > MOST_LEAVES:
            raise ValueError(f"A tree has at most {MOST_LEAVES} leaves, not {leaves}.")
        shape = (len(trees), nodes)
        self.columns = np.zeros(shape, dtype=np.intp)
        self.thresholds = np.full(shape, np.inf)
        self.masks = np.full(shape, 0xFFFF, dtype=np.uint16)
        self.leaves = np.zeros((len(trees), leaves))
        self.numbers = np.arange(len(trees))
        self.lowest = np.array([0, *((bits & -bits).bit_length() - 1 for bits in range(1, 1 << MOST_LEAVES))], np.intp)
        for number, tree in enumerate(trees):
            self._plant(number, tree)

    def _plant(self, number: int, tree: Tree) -> None:
        order: list[float] = []

        def walk(node: int) -> int:
            """Number the leaves from left to right; returns the mask of those below a node."""
            if node < 0:
                order.append(tree.leaves[-1 - node])
                return 1 << (len(order) - 1)
            left = walk(tree.left[node])
            self.masks[number, node] = 0xFFFF & ~left
            return left | walk(tree.right[node])

        walk(0 if tree.columns else -1)
        self.columns[number, : len(tree.columns)] = tree.columns
        self.thresholds[number, : len(tree.columns)] = tree.thresholds
        self.leaves[number, : len(order)] = order

    def totals(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sum of all trees for every row."""
        import numpy as np

        asked = rows[:, self.columns] > self.thresholds
        left = np.bitwise_and.reduce(np.where(asked, self.masks, np.uint16(0xFFFF)), axis=2)
        total: NDArray[np.float64] = self.leaves[self.numbers, self.lowest[left]].sum(axis=1)
        return total


def _array(rows: list[list[float]]) -> NDArray[np.float64]:
    import numpy as np

    return np.array(rows)


class Base(msgspec.Struct, frozen=True):
    """What hand-made judgement says: how much a point of worth weighs, at the beginning of a battle and at its end."""

    early: float = 0.0
    end: float = 0.0

    def exponent(self, worth: float, late: float) -> float:
        return worth * (self.early + (self.end - self.early) * late)


class Calibration(msgspec.Struct, frozen=True):
    """Positions of games left out whose chance fell between two tenths: the mean chance, the share won, how many."""

    chance: float
    won: float
    positions: int


class Measured(msgspec.Struct, frozen=True):
    """How well results of games left out were predicted: mean log loss, beside the hand-made worth and beside 50 %."""

    games: int
    positions: int
    loss: float
    hand_made_loss: float
    coin_loss: float
    calibration: list[Calibration]
    calibration_error: float
    """How far chances and shares won lie apart on average."""


class ValueModel(msgspec.Struct, frozen=True, dict=True):
    """The model of a game. `digest` is a hash of base and trees; `made` says from which games and how."""

    format: int
    ruleset: str
    version: str
    data_version: int
    columns: list[str]
    base: Base
    trees: list[Tree]
    made: dict[str, Any]
    measured: Measured
    digest: str

    @cached_property
    def forest(self) -> Forest:
        return Forest(self.trees)

    def chance(self, game: Game, player: int, adviser: Adviser) -> float:
        """The chance of a player to win; when the game is over, its result."""
        return self.judged(game, player, adviser)[1]

    def judged(self, game: Game, player: int, adviser: Adviser) -> tuple[Worth, float]:
        """What the adviser thinks a position worth to a player, and his chance to win it: both seats count half."""
        if game.over:
            return adviser.worth(game, player), 0.5 if game.winner is None else float(game.winner == player)
        own, other = adviser.measures(game, player), adviser.measures(game, 1 - player)
        seats = both_seats(game)
        rows = [self._row(seats[player], own[1]), self._row(seats[1 - player], other[1])]
        mine, theirs = self.forest.totals(_array(rows)).tolist()
        late = seats[0]["late"]
        mine += self.base.exponent(own[0].total, late)
        theirs += self.base.exponent(other[0].total, late)
        return own[0], (likely(mine) + 1.0 - likely(theirs)) / 2.0

    def _row(self, columns: dict[str, float], measures: Mapping[str, float]) -> list[float]:
        columns.update((ADVISER + name, value) for name, value in measures.items())
        return [columns[name] for name in self.columns]


def likely(exponent: float) -> float:
    """An exponent as a chance."""
    return 1.0 / (1.0 + math.exp(-max(-STEEPEST, min(STEEPEST, exponent))))


def digest_of(base: Base, trees: list[Tree]) -> str:
    """The hash that a file of trees names."""
    return hashlib.sha256(msgspec.json.encode((base, trees))).hexdigest()


@cache
def value_model(ruleset: str) -> ValueModel | None:
    """The model of a game, if it has one that fits the columns of today."""
    folder = rulebook.folders().get(ruleset)
    file = folder / "adviser" / FILE if folder is not None else None
    if file is None or not file.is_file():
        return None
    content = file.read_bytes()
    made = msgspec.json.decode(content, type=_Head)
    if (made.format, made.data_version) != (FORMAT, DATA_VERSION):
        return None
    return msgspec.json.decode(content, type=ValueModel)


class _Head(msgspec.Struct, frozen=True):
    """What tells whether a file can be read."""

    format: int
    data_version: int


__all__ = ["Base", "Calibration", "Forest", "Measured", "Tree", "ValueModel", "digest_of", "value_model"]
