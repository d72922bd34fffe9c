"""Plans in stages, evaluated exactly: how the tallies of a plan can end up, each way with its chance.

Every stage of dice/plan.py is carried out on all positions of the tallies at once; tallies that nothing later asks for
are forgotten as soon as they are used, and so positions that differ only in them become one. No game is known here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from dieselfront.dice.plan import (
    Add,
    AnyPlan,
    Cap,
    Check,
    Highest,
    Look,
    Multiply,
    Number,
    Repeat,
    Save,
    Score,
    Set,
    Stage,
    Subtract,
    Table,
    When,
    as_list,
)
from dieselfront.dice.throw import Throw
from dieselfront.odds import series

Values = tuple[int, ...]
Joint = dict[Values, float]
"""The values of some tallies, with their chance."""


# -- the distributions of single stages --------------------------------------------------------------------------


def chances(throw: Throw) -> tuple[float, float]:
    """The chance that one die of a throw succeeds, and that a chain die does; worked out once per kind of throw."""
    key = (throw.faces, throw.rerolls, throw.chain, throw.confirm, throw.die.name)
    known = _known.get(key)
    if known is None:
        known = _known[key] = (float(throw.chance()), float(throw.chain_chance()))
        if known[1] >= 1.0:
            del _known[key]
            raise ValueError(f"{throw.label} chains on every face of the {throw.die.name}, so it would never end")
    return known


_known: dict[object, tuple[float, float]] = {}


def score_chance(stage: Score) -> tuple[float, float]:
    """The chance that one die succeeds, repeated faces included, and that a chain die does."""
    good, chain = chances(stage.throw)
    if stage.again:
        good += float(stage.throw.die.chance(stage.again & ~stage.throw.faces)) * good
    return good, chain


@lru_cache(maxsize=8192)
def successes(dice: int, good: float, chain: float) -> tuple[float, ...]:
    """The chances of 0, 1, 2 ... successes of so many dice; endless chains are cut where next to nothing is left."""
    if dice <= 0:
        return (1.0,)
    length = series.cut(dice, 1.0 - good, chain, series.TAIL * 1e-3) if chain else dice + 1
    return tuple(series.first_terms(dice, 1.0 - good, chain, length))


@lru_cache(maxsize=4096)
def by_kind(dice: int, shares: tuple[float, ...]) -> tuple[tuple[tuple[int, ...], float], ...]:
    """So many dice, each of one of several kinds or of none: how many of each kind."""
    table: dict[tuple[int, ...], float] = {(0,) * len(shares): 1.0}
    nothing = 1.0 - sum(shares)
    for _ in range(dice):
        after: dict[tuple[int, ...], float] = {}
        for counts, chance in table.items():
            after[counts] = after.get(counts, 0.0) + chance * nothing
            for place, share in enumerate(shares):
                if share > 0.0:
                    key = (*counts[:place], counts[place] + 1, *counts[place + 1 :])
                    after[key] = after.get(key, 0.0) + chance * share
        table = after
    return tuple(table.items())


@lru_cache(maxsize=2048)
def sums(dice: int, sides: int, plus: int, halved: bool, times: int) -> tuple[float, ...]:
    """A rolled number added up so many times."""
    one = number_chances(Number("", "", dice, sides, plus, halved))
    return tuple(series.power(one, times, times * (len(one) - 1) + 1))


def number_chances(number: Number) -> tuple[float, ...]:
    """The chances of 0, 1, 2 ... of a rolled number."""
    return _as_floats(number.dice, number.sides, number.plus, number.halved)


@lru_cache(maxsize=512)
def _as_floats(dice: int, sides: int, plus: int, halved: bool) -> tuple[float, ...]:
    return tuple(float(chance) for chance in Number("", "", dice, sides, plus, halved).chances())


@lru_cache(maxsize=256)
def at_most(dice: int, needed: int) -> float:
    """The chance that so many D6 come to no more than this."""
    falls = product(range(1, 7), repeat=dice)
    return float(sum(sum(faces) <= needed for faces in falls) / 6**dice)


# -- positions of tallies ----------------------------------------------------------------------------------------


class Evaluator:
    """Carries positions of some named tallies through stages."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self.place = {name: place for place, name in enumerate(self.names)}
        self._matters: dict[int, bool] = {}

    def run(self, stages: Iterable[Stage], positions: Joint) -> Joint:
        """Stages one after the other."""
        for stage in stages:
            positions = self.advance(stage, positions)
        return positions

    def advance(self, stage: Stage, positions: Joint) -> Joint:
        """One stage on every position; one that changes nothing anybody asks for is passed over."""
        matters = self._matters.get(id(stage))
        if matters is None:
            matters = self._matters[id(stage)] = any(name in self.place for name in stage.writes())
        if not matters:
            return positions
        step = _STEPS[type(stage)]
        after: Joint = {}
        for values, chance in positions.items():
            for key, share in step(self, stage, values):
                if share > 0.0:
                    after[key] = after.get(key, 0.0) + chance * share
        return after

    def value(self, values: Values, amount: int | str) -> int:
        """A number, or what a tally holds.

        A tally without a place is read only where what follows from it no longer matters: a stage inside another one
        that writes what is asked for elsewhere. There any value will do.
        """
        if not isinstance(amount, str):
            return amount
        place = self.place.get(amount)
        return 0 if place is None else values[place]

    def changed(self, values: Values, name: str, value: int) -> Values:
        """The same position with one tally changed."""
        at = self.place.get(name)
        return values if at is None else (*values[:at], value, *values[at + 1 :])

    def added(self, values: Values, name: str, more: int) -> Values:
        """The same position with something added to a tally."""
        at = self.place.get(name)
        return values if at is None or not more else (*values[:at], values[at] + more, *values[at + 1 :])


def _score(self: Evaluator, stage: Score, values: Values) -> Iterable[tuple[Values, float]]:
    dice = max(0, self.value(values, stage.dice))
    good, chain = score_chance(stage)
    if not stage.kinds:
        for number, chance in enumerate(successes(dice, good, chain)):
            yield self.added(values, stage.to, number), chance
        return
    throw = stage.throw
    if throw.rerolls or throw.chain or throw.confirm or stage.again:
        raise ValueError(f"{throw.label}: kinds of faces are read of dice that are thrown once")
    shares = tuple(float(throw.die.chance(faces & throw.faces)) for faces, _ in stage.kinds)
    for counts, chance in by_kind(dice, (good - sum(shares), *shares)):
        reached = self.added(values, stage.to, counts[0])
        for (_, name), count in zip(stage.kinds, counts[1:], strict=True):
            reached = self.added(reached, name, count)
        yield reached, chance


def _save(self: Evaluator, stage: Save, values: Values) -> Iterable[tuple[Values, float]]:
    good, chain = chances(stage.throw)
    if chain:
        raise ValueError(f"{stage.throw.label} is a save and cannot chain: a save cancels one hit a die")
    items = self.value(values, stage.of)
    for number, chance in enumerate(successes(items, good, 0.0)):
        yield self.changed(values, stage.of, items - number), chance


def _multiply(self: Evaluator, stage: Multiply, values: Values) -> Iterable[tuple[Values, float]]:
    number = stage.number
    times = self.value(values, stage.of)
    for total, chance in enumerate(sums(number.dice, number.sides, number.plus, number.halved, times)):
        yield self.added(values, stage.to, total if stage.most is None else min(total, stage.most)), chance


def _subtract(self: Evaluator, stage: Subtract, values: Values) -> Iterable[tuple[Values, float]]:
    before = self.value(values, stage.of) - self.value(values, stage.flat)
    saved: Sequence[float] = (1.0,)
    if stage.throw is not None:
        saved = successes(self.value(values, stage.dice), *chances(stage.throw))
    for number, chance in enumerate(saved):
        yield self.changed(values, stage.of, max(0, before - number)), chance


def _table(self: Evaluator, stage: Table, values: Values) -> Iterable[tuple[Values, float]]:
    times = self.value(values, stage.of)
    if isinstance(stage.of, str):
        values = self.changed(values, stage.of, 0)
    sides = len(stage.die.sides)
    positions: Joint = {values: 1.0}
    for _ in range(times * stage.dice):
        after: Joint = {}
        for place, chance in positions.items():
            if self.value(place, stage.until):
                after[place] = after.get(place, 0.0) + chance
                continue
            more = stage.plus + self.value(place, stage.more or 0)
            for face, ways in enumerate(stage.die.counts):
                row = stage.row(face + 1 + more)
                start = self.added(place, row.name, 1)
                for key, share in self.run(row.then, {start: chance * ways / sides}).items():
                    after[key] = after.get(key, 0.0) + share
        positions = after
    return positions.items()


def _check(self: Evaluator, stage: Check, values: Values) -> Iterable[tuple[Values, float]]:
    needed = stage.needs[min(self.value(values, stage.by_tally or 0), len(stage.needs) - 1)]
    passed = at_most(stage.dice, needed)
    yield from self.run(stage.passed, {values: passed}).items()
    yield from self.run(stage.failed, {values: 1.0 - passed}).items()


def _highest(self: Evaluator, stage: Highest, values: Values) -> Iterable[tuple[Values, float]]:
    before = self.value(values, stage.to)
    for number, chance in enumerate(number_chances(stage.number)):
        yield self.changed(values, stage.to, max(before, number)), chance


def _when(self: Evaluator, stage: When, values: Values) -> Iterable[tuple[Values, float]]:
    holds = self.value(values, stage.of) >= stage.least and not (stage.unless and self.value(values, stage.unless))
    return self.run(stage.then, {values: 1.0}).items() if holds else ((values, 1.0),)


def _repeat(self: Evaluator, stage: Repeat, values: Values) -> Iterable[tuple[Values, float]]:
    positions: Joint = {values: 1.0}
    over: Joint = {}
    for _ in range(self.value(values, stage.of)):
        going: Joint = {}
        for place, chance in positions.items():
            side = over if self.value(place, stage.until) else going
            side[place] = side.get(place, 0.0) + chance
        positions = self.run(stage.then, going)
    return (*positions.items(), *over.items())


def _add(self: Evaluator, stage: Add, values: Values) -> Iterable[tuple[Values, float]]:
    return ((self.added(values, stage.to, self.value(values, stage.amount)), 1.0),)


def _look(self: Evaluator, stage: Look, values: Values) -> Iterable[tuple[Values, float]]:
    value = stage.values[min(self.value(values, stage.of), len(stage.values) - 1)]
    return ((self.added(values, stage.to, value), 1.0),)


def _cap(self: Evaluator, stage: Cap, values: Values) -> Iterable[tuple[Values, float]]:
    return ((self.changed(values, stage.of, min(self.value(values, stage.of), stage.most)), 1.0),)


def _set(self: Evaluator, stage: Set, values: Values) -> Iterable[tuple[Values, float]]:
    for name, value in stage.values.items():
        values = self.changed(values, name, value)
    return ((values, 1.0),)


_STEPS: dict[type[Stage], Callable[[Evaluator, Any, Values], Iterable[tuple[Values, float]]]] = {
    Score: _score,
    Save: _save,
    Multiply: _multiply,
    Subtract: _subtract,
    Table: _table,
    Check: _check,
    Highest: _highest,
    Repeat: _repeat,
    When: _when,
    Add: _add,
    Look: _look,
    Cap: _cap,
    Set: _set,
}


# -- whole plans -------------------------------------------------------------------------------------------------


def joint(plans: Sequence[AnyPlan] | AnyPlan, wanted: Sequence[str]) -> Joint:
    """How the wanted tallies can end up together after plans on one target, one after the other."""
    return after(program(plans), wanted)


def program(plans: Sequence[AnyPlan] | AnyPlan) -> list[Stage]:
    """Plans as one row of stages; what a plan starts with is set when it begins."""
    return [stage for plan in as_list(plans) for stage in (Set(plan.start), *plan.stages)]


def after(stages: Sequence[Stage], wanted: Sequence[str]) -> Joint:
    """How the wanted tallies can end up, everything at 0 in the beginning."""
    needed, live = _sliced(stages, wanted)
    names = sorted({*wanted, *(name for _, alive in live for name in alive), *needed})
    evaluator = Evaluator(names)
    positions: Joint = {(0,) * len(names): 1.0}
    for stage, alive in live:
        positions = evaluator.advance(stage, positions)
        forgotten = [name not in alive for name in names]
        if any(forgotten):
            merged: Joint = {}
            for values, chance in positions.items():
                key = tuple(0 if gone else value for value, gone in zip(values, forgotten, strict=True))
                merged[key] = merged.get(key, 0.0) + chance
            positions = merged
    places = [evaluator.place[name] for name in wanted]
    joint: Joint = {}
    for values, chance in positions.items():
        key = tuple(values[place] for place in places)
        joint[key] = joint.get(key, 0.0) + chance
    return joint


def _sliced(stages: Sequence[Stage], wanted: Sequence[str]) -> tuple[set[str], list[tuple[Stage, set[str]]]]:
    """The stages that matter for the wanted tallies, each with the tallies that still matter after it."""
    alive = set(wanted)
    kept: list[tuple[Stage, set[str]]] = []
    every: set[str] = set(wanted)
    for stage in reversed(stages):
        before = _live_before(stage, alive, every)
        if before is not None:
            kept.append((stage, alive))
            alive = before
            every |= alive
    kept.reverse()
    return every, kept


def _live_before(stage: Stage, alive: set[str], every: set[str]) -> set[str] | None:
    """The tallies that matter before a stage, if these matter after it; None if the stage does not matter itself.

    `every` collects what matters anywhere, inside stages too.
    """
    written = set(stage.writes())
    if not written & alive:
        return None
    if isinstance(stage, Set):
        return alive - written
    if isinstance(stage, When):
        return alive | _live_through(stage.then, alive, every) | _named(stage.of, stage.unless)
    if isinstance(stage, Check):
        passed, failed = _live_through(stage.passed, alive, every), _live_through(stage.failed, alive, every)
        return alive | passed | failed | _named(stage.by_tally)
    if isinstance(stage, Table | Repeat):
        rows = [row.then for row in stage.rows] if isinstance(stage, Table) else [stage.then]
        now = alive | _named(stage.of, stage.until, getattr(stage, "more", ""))
        while True:  # what one round needs, the round before has to leave
            more = now.union(*(_live_through(row, now, every) for row in rows))
            if more == now:
                return now
            now = more
    return alive | (set(stage.reads()) - (written - alive))


def _live_through(stages: Sequence[Stage], alive: set[str], every: set[str]) -> set[str]:
    for stage in reversed(stages):
        before = _live_before(stage, alive, every)
        alive = alive if before is None else before
        every |= alive
    return alive


def _named(*names: int | str) -> set[str]:
    return {name for name in names if isinstance(name, str) and name}


def marginal(plans: Sequence[AnyPlan] | AnyPlan, name: str, length: int = 0) -> list[float]:
    """The chances of 0, 1, 2 ... of one tally."""
    return spread(((values[0], chance) for values, chance in joint(plans, (name,)).items()), length)


def spread(chances: Iterable[tuple[int, float]], length: int = 0) -> list[float]:
    """Values with their chances as a list from 0 on."""
    totals: dict[int, float] = {}
    for value, chance in chances:
        totals[value] = totals.get(value, 0.0) + chance
    return [totals.get(value, 0.0) for value in range(max(max(totals, default=0) + 1, length))]


__all__ = [
    "Evaluator",
    "Joint",
    "after",
    "at_most",
    "chances",
    "joint",
    "marginal",
    "number_chances",
    "program",
    "score_chance",
    "spread",
    "successes",
]
