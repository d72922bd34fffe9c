"""Sums of dice in closed form: how many successes a handful of dice brings, chains and all.

After thinning (saves, negation) one die of any pool still brings 0 successes with some chance and otherwise 1, 2, 3 ...
with geometrically falling chances. So a die is two numbers: `none`, the chance of nothing, and `again`, the chance that
a success is followed by another one. Everything here adds positive numbers only, or is guarded where it does not, so
that no digit is lost. Pools and plans live in exact.py, whole batches in batch.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log
from typing import NamedTuple

TAIL = 1e-13
"""Exploding dice never end: distributions are cut where what lies beyond is less likely than this."""

_SMALLEST_START = 1e-280
_STEPS = (0.06, 0.12, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


class DieOdds(NamedTuple):
    """One die: the chance of no success, and of one more success after each."""

    none: float
    again: float


def one_die(hit: float, chain: float, kept: float) -> DieOdds:
    """A die that hits by chance `hit`, chains by `chain`, and whose every hit counts by chance `kept`."""
    if not chain:
        return DieOdds(1.0 - hit + hit * (1.0 - kept), 0.0)
    rest = 1.0 - chain + chain * kept  # a chain ends, or goes on with a hit that counts
    return DieOdds(1.0 - hit + hit * (1.0 - kept) * (1.0 - chain) / rest, chain * kept / rest)


def first_terms(dice: int, none: float, again: float, length: int) -> list[float]:
    """The chances of 0, 1, ... length-1 successes with so many dice, by the quickest safe way."""
    if none <= 0.0 or (length > dice + 1 and again) or none**dice < _SMALLEST_START:
        return die_by_die(dice, none, again, length)
    return _recurrence(dice, none, again, length)


def _recurrence(dice: int, none: float, again: float, length: int) -> list[float]:
    """Each term from the two before it: ((none + b·z) / (1 - again·z)) ** dice satisfies a linear equation.

    All terms are positive up to `dice` successes when b is; when b is negative the wanted solution is the larger one.
    """
    b = 1.0 - none - again
    lead = dice * (1.0 - none) * (1.0 - again)
    slope = none * again - b
    back = b * again
    before, term = 0.0, none**dice
    terms = [term]
    for k in range(length - 1):
        before, term = term, ((lead + slope * k) * term + back * (k - 1) * before) / (none * (k + 1))
        terms.append(term if term > 0.0 else 0.0)
    return terms


def die_by_die(dice: int, none: float, again: float, length: int) -> list[float]:
    """The same, adding one die after the other: slower, and safe everywhere."""
    some = (1.0 - none) * (1.0 - again)
    terms = [1.0] + [0.0] * (length - 1)
    for _ in range(dice):
        run = 0.0
        for k, term in enumerate(terms):
            terms[k] = none * term + some * run
            run = term + again * run
    return terms


def cut(dice: int, none: float, again: float, tail: float = TAIL) -> int:
    """How many terms leave less than `tail` beyond them (Chernoff's bound, so it is certain)."""
    if not again:
        return dice + 1
    best = 1 << 30
    for step in _STEPS:
        z = 1.0 + step * (1.0 / again - 1.0)
        growth = none + (1.0 - none) * (1.0 - again) * z / (1.0 - again * z)
        best = min(best, ceil((dice * log(growth) - log(tail)) / log(z)))
    return best + 1


def product(first: Sequence[float], second: Sequence[float], length: int) -> list[float]:
    """Two independent numbers added: the distribution of the sum, up to `length` terms."""
    terms = [0.0] * min(length, len(first) + len(second) - 1)
    size = len(terms)
    for i, chance in enumerate(first):
        if not chance or i >= size:
            continue
        for j in range(min(len(second), size - i)):
            terms[i + j] += chance * second[j]
    return terms


def power(base: Sequence[float], times: int, length: int) -> list[float]:
    """The same number added to itself so many times, by squaring."""
    result = [1.0]
    square = list(base)
    while times:
        if times & 1:
            result = product(result, square, length)
        times >>= 1
        if times:
            square = product(square, square, length)
    return result


def binomial(count: int, chance: float, length: int) -> list[float]:
    """The chances of 0, 1, ... successes among `count` independent tries."""
    return first_terms(count, 1.0 - chance, 0.0, min(length, count + 1))


def compound(none: float, again: float, worth: Sequence[float], length: int) -> list[float]:
    """One die whose every success is worth a random number of points: the distribution of its points."""
    some = (1.0 - none) * (1.0 - again)
    padded = list(worth[:length]) + [0.0] * (length - len(worth))
    scale = 1.0 / (1.0 - again * padded[0])
    run: list[float] = []
    for k in range(length):
        total = padded[k]
        if again:
            total += again * sum(padded[i] * run[k - i] for i in range(1, k + 1))
        run.append(total * scale)
    terms = [some * term for term in run]
    terms[0] += none
    return terms
