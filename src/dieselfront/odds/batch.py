"""Thousands of attack pools at once, in NumPy: the same closed form as exact.py, one column per capacity step.

`Batch.of(plans)` gathers plans into arrays; `losses(batch)` gives one row per plan, from no loss to destroyed.
Callers who have numbers rather than plans fill a Batch themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dieselfront.dice.plan import PoolPlan
from dieselfront.odds import exact, series

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

_CHUNK = 8192  # rows worked on at a time, so that they stay in the processor's cache
_SMALLEST_START = 1e-280


class Batch(NamedTuple):
    """Many pools as columns: dice, chance to hit and to chain, chance that a hit counts, points a hit, capacity.

    `negated` is the chance that a single point is negated; it is folded into `counts` where a hit is worth one point.
    """

    dice: Whole
    hit: Floats
    chain: Floats
    counts: Floats
    damage: Whole
    capacity: Whole
    negated: Floats

    @classmethod
    def of(cls, plans: Sequence[PoolPlan]) -> Batch:
        """Plans gathered into columns."""
        rows = [_row(plan) for plan in plans]
        columns = list(zip(*rows, strict=True)) if rows else [()] * 7
        dice, hit, chain, counts, damage, capacity, negated = columns
        return cls(
            np.array(dice, np.int64),
            np.array(hit, np.float64),
            np.array(chain, np.float64),
            np.array(counts, np.float64),
            np.array(damage, np.int64),
            np.array(capacity, np.int64),
            np.array(negated, np.float64),
        )


def _row(plan: PoolPlan) -> tuple[int, float, float, float, int, int, float]:
    if plan.capacity < 1:
        raise ValueError(f"{plan.label}: the target has nothing left to lose")
    if plan.hit_by_hit:
        raise ValueError(f"{plan.label}: hits that are resolved one by one have no batched form")
    hit, chain = exact.chances(plan.hit)
    counts = exact.kept(plan)
    negated = exact.chances(plan.negate)[0] if plan.negate is not None else 0.0
    if plan.damage == 1:
        return max(plan.dice, 0), hit, chain, counts * (1.0 - negated), 1, plan.capacity, 0.0
    return max(plan.dice, 0), hit, chain, counts, plan.damage, plan.capacity, negated


def losses(batch: Batch) -> Floats:
    """One row per pool: the chances of losing 0, 1, ...; entry `capacity` of a row is destruction, zeros follow."""
    rows = len(batch.dice)
    width = int(batch.capacity.max(initial=0)) + 1
    chances = np.zeros((width, rows))
    for start in range(0, rows, _CHUNK):
        part = Batch._make(column[start : start + _CHUNK] for column in batch)
        _fill(part, chances[:, start : start + _CHUNK])
    return chances.T


def destroyed(batch: Batch) -> Floats:
    """The chance that each pool destroys its target."""
    return losses(batch)[np.arange(len(batch.dice)), batch.capacity]


def _fill(part: Batch, table: Floats) -> None:
    """Work out some pools; `table` has one column each, zero so far."""
    need = -(-part.capacity // np.maximum(part.damage, 1))  # hits past the saves that destroy the target
    steps = int(need.max())
    none, again = _one_die(part)
    start = none**part.dice
    unsafe = (start < _SMALLEST_START) | ((again > 0.0) & (need > part.dice + 1))
    terms = table if (part.damage == 1).all() else np.empty((steps, len(need)))
    _recurrence(part.dice, none, again, start, terms[:steps])
    if unsafe.any():
        _die_by_die(part.dice, none, again, unsafe, terms[:steps])
    if terms is not table:
        _space(terms, part.damage, need, table)
    elif need.min() < steps:
        _cap(table, need)
    _close(part, table, (again == 0.0) & (part.dice < need))
    for row in np.nonzero((part.negated > 0.0) | (part.damage < 1))[0]:
        _one_by_one(part, int(row), table)


def _one_die(part: Batch) -> tuple[Floats, Floats]:
    rest = 1.0 - part.chain * (1.0 - part.counts)
    none = 1.0 - part.hit + part.hit * (1.0 - part.counts) * (1.0 - part.chain) / rest
    return none, part.chain * part.counts / rest


def _recurrence(dice: Whole, none: Floats, again: Floats, start: Floats, terms: Floats) -> None:
    """Each row of terms from the two above it (see series.py)."""
    scale = 1.0 / np.maximum(none, _SMALLEST_START)
    b = 1.0 - none - again
    lead = dice * ((1.0 - none) * (1.0 - again) * scale)
    slope = (none * again - b) * scale
    back = b * again * scale
    chained = bool(back.any())
    terms[0] = start
    for k in range(len(terms) - 1):
        term = terms[k + 1]
        np.multiply(slope, k, out=term)
        term += lead  # exactly zero at k = dice when nothing chains
        term *= terms[k]
        if chained and k > 1:
            earlier = back * terms[k - 1]
            earlier *= k - 1
            term += earlier
        term /= k + 1
    np.maximum(terms, 0.0, out=terms)


def _die_by_die(dice: Whole, none: Floats, again: Floats, where: NDArray[np.bool_], terms: Floats) -> None:
    """The slower and always safe way, for the columns that need it."""
    columns = np.nonzero(where)[0]
    dice, none, again = dice[columns], none[columns], again[columns]
    some = (1.0 - none) * (1.0 - again)
    safe = np.zeros((len(terms), len(columns)))
    safe[0] = 1.0
    for die in range(int(dice.max())):
        rolled = dice > die
        run = np.zeros(len(columns))
        for k in range(len(terms)):
            term = safe[k].copy()
            safe[k] = np.where(rolled, none * term + some * run, term)
            run = term + again * run
    terms[:, columns] = safe


def _cap(table: Floats, need: Whole) -> None:
    """No terms from the capacity on."""
    for k in range(int(need.min()), len(table)):
        table[k][need <= k] = 0.0


def _space(terms: Floats, damage: Whole, need: Whole, table: Floats) -> None:
    """Hits as points: every hit is worth `damage` of them."""
    for hits, term in enumerate(terms):
        columns = np.nonzero(need > hits)[0]
        table[hits * damage[columns], columns] = term[columns]


def _close(part: Batch, table: Floats, impossible: NDArray[np.bool_]) -> None:
    """What is missing to one is the chance of destruction."""
    dead = 1.0 - table.sum(axis=0)
    dead[impossible] = 0.0
    np.maximum(dead, 0.0, out=dead)
    first = int(part.capacity[0])
    if (part.capacity == first).all():
        table[first] = dead
    else:
        table[part.capacity, np.arange(len(dead))] = dead


def _one_by_one(part: Batch, row: int, table: Floats) -> None:
    """A pool without a batched form: points negated one by one when a hit is worth several."""
    capacity, damage = int(part.capacity[row]), int(part.damage[row])
    none, again = series.one_die(float(part.hit[row]), float(part.chain[row]), float(part.counts[row]))
    table[:, row] = 0.0
    if damage < 1:
        table[0, row] = 1.0
        return
    worth = series.binomial(damage, 1.0 - float(part.negated[row]), capacity)
    terms = series.power(series.compound(none, again, worth, capacity), int(part.dice[row]), capacity)
    table[: len(terms), row] = terms
    table[capacity, row] = max(0.0, 1.0 - sum(terms))
