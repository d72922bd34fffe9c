"""Bench entries of the odds room: the reference attack beside icepool and beside a compiled loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol, runtime_checkable

from dieselfront import rulesets
from dieselfront.lab.bench import Entry, Missing, Work
from dieselfront.rulesets import Companion

DICE, SOLDIERS = 12, 5
STATED_LIMIT = 10_000_000.0  # attacks a second of a compiled loop, where none can be compiled here
BATCH = 65_536
SIDE = 20


def entries() -> Iterator[Entry]:
    """From its plan, from the cards, in batches, and a matrix of real cards."""
    yield Entry("odds.plan", "attacks/s", "icepool, its fastest form", from_plan, 50.0)
    yield Entry("odds.cards", "attacks/s", "icepool, its fastest form", from_cards, 10.0)
    yield Entry("odds.batch", "attacks/s", "a compiled loop", in_batches)
    yield Entry("odds.matrix", "attacks/s", "icepool, its fastest form", whole_matrix)


# -- ours ---------------------------------------------------------------------------------------------------


@runtime_checkable
class BenchModule(Protocol):
    """What a game's module `bench` gives: its reference attack."""

    def plan(self) -> Any:
        """The plan of the attack."""

    def attack(self) -> Callable[[], Any]:
        """The attack between two cards, to be worked out again and again."""

    def rivals(self, side: int) -> tuple[list[Any], list[Any]]:
        """Cards of two sides for a matrix."""


BENCH: Companion[BenchModule] = Companion("bench", BenchModule)


def reference() -> BenchModule:
    """Cards and plans of the reference attack, made by the usual game itself (its companion module `bench`)."""
    own = BENCH.of(rulesets.DEFAULT)
    assert own is not None
    return own


def from_plan() -> tuple[Work, Work]:
    from dieselfront.odds import losses

    plan = reference().plan()
    check(losses(plan))

    def ours() -> int:
        for _ in range(50):
            losses(plan)
        return 50

    return ours, icepool_work()


def from_cards() -> tuple[Work, Work]:
    attack = reference().attack()
    check(attack().target_odds.losses)

    def ours() -> int:
        attack()
        return 1

    return ours, icepool_work()


def in_batches() -> tuple[Work, Work | float]:
    import numpy as np

    from dieselfront.odds import batch

    one = batch.Batch.of([reference().plan()])
    many = batch.Batch._make(np.repeat(column, BATCH) for column in one)
    check(list(batch.losses(many)[0]))

    def ours() -> int:
        batch.losses(many)
        return BATCH

    return ours, compiled_work()


def whole_matrix() -> tuple[Work, Work]:
    from dieselfront.odds.matrix import matrix

    rules = rulesets.load(rulesets.DEFAULT)
    mine, theirs = reference().rivals(SIDE)

    def ours() -> int:
        return sum(len(row) for row in matrix(rules, mine, theirs).cells)

    return ours, icepool_work()


# -- peers --------------------------------------------------------------------------------------------------


def icepool_losses(depth: int = 28) -> list[float]:
    """The reference attack as one would write it with icepool, in the fastest of the forms we tried.

    One die: saved and unsaved hits of the chain roll again; then twelve of them, doubled up, clipped at five.
    """
    from icepool import Again, Die

    chain: Any = Die({0: 6, Again: 2, Again + 1: 1}, again_depth=depth).clip(0, SOLDIERS)
    one: Any = Die({0: 12, chain: 10, chain + 1: 5}).clip(0, SOLDIERS)
    two = (2 @ one).clip(0, SOLDIERS)
    three = (two + one).clip(0, SOLDIERS)
    six = (2 @ three).clip(0, SOLDIERS)
    twelve = (2 @ six).clip(0, SOLDIERS)
    return [float(chance) for chance in twelve.probabilities()]


def icepool_work() -> Work:
    try:
        import icepool  # noqa: F401
    except ImportError:
        raise Missing("the package 'icepool' is not installed (pip install 'dieselfront[bench]')") from None
    icepool_losses()

    def peer() -> int:
        icepool_losses()
        return 1

    return peer


def check(losses: Any) -> None:
    """Both sides must say the same before anybody's speed counts."""
    try:
        theirs = icepool_losses()
    except ImportError:
        return
    gap = max(abs(one - other) for one, other in zip(losses, theirs, strict=True))
    if gap > 1e-12:
        raise AssertionError(f"the reference attack differs from icepool's by {gap}")


def compiled_work() -> Work | float:
    """A compiled loop over the same closed form: the limit of this machine; a stated figure without a compiler."""
    try:
        import numba
    except ImportError:
        return STATED_LIMIT
    import numpy as np

    loop: Callable[..., Any] = numba.njit(cache=False)(_loop)
    out = np.zeros((BATCH, SOLDIERS + 1))
    columns = [np.full(BATCH, value) for value in (float(DICE), 5 / 9, 1 / 3, 1 / 3)]
    loop(*columns, out)

    def peer() -> int:
        loop(*columns, out)
        return BATCH

    return peer


def _loop(dice: Any, hit: Any, chain: Any, kept: Any, out: Any) -> None:
    """The recurrence of odds/series.py, one attack after the other."""
    for row in range(len(dice)):
        rest = 1.0 - chain[row] * (1.0 - kept[row])
        none = 1.0 - hit[row] + hit[row] * (1.0 - kept[row]) * (1.0 - chain[row]) / rest
        again = chain[row] * kept[row] / rest
        b = 1.0 - none - again
        lead = dice[row] * (1.0 - none) * (1.0 - again)
        slope = none * again - b
        back = b * again
        before, term, total = 0.0, none ** dice[row], 0.0
        steps = out.shape[1] - 1
        for k in range(steps):
            out[row, k] = term
            total += term
            before, term = term, ((lead + slope * k) * term + back * (k - 1) * before) / (none * (k + 1))
        out[row, steps] = 1.0 - total
