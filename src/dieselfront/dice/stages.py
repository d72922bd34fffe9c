"""The stages that plans are made of: each reads some tallies, small whole numbers by name, and changes some.

Plans are in plan.py, how play rolls them in performing.py; the odds room evaluates them (odds/stages.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from dieselfront.dice.die import D6, Die
from dieselfront.dice.throw import Because, Throw

DICE, HITS, UNSAVED, POINTS, LOSSES, DESTROYED = "dice", "hits", "unsaved", "points", "losses", "destroyed"
"""Names of tallies that every game shares: what screens show of a plan."""

ROLLER, TARGET = 0, 1
"""Who rolls the dice of a stage: whoever acts, or whom it is done to."""

Amount = int | str
"""A number, or the tally that holds it."""

Tallies = dict[str, int]


class Number(NamedTuple):
    """A number that dice decide: so many D6, read as D6, D3 or D2, their sum plus something, perhaps halved."""

    label: str
    rule: str
    dice: int = 0
    sides: int = 6
    plus: int = 0
    halved: bool = False
    """Half of it, rounded down."""
    notation: str = ""

    def read(self, faces: Sequence[int]) -> int:
        """What thrown faces come to, before it is halved."""
        return sum(face * self.sides // 6 + 1 for face in faces) + self.plus

    def worth(self, total: int) -> int:
        """What a total counts."""
        total = max(0, total)
        return total // 2 if self.halved else total

    def chances(self) -> tuple[Fraction, ...]:
        """The chances of 0, 1, 2 ..."""
        return _number_chances(self.dice, self.sides, self.plus, self.halved)

    def mean(self) -> float:
        """What to expect of it."""
        return _number_mean(self.dice, self.sides, self.plus, self.halved)


@cache
def _number_mean(dice: int, sides: int, plus: int, halved: bool) -> float:
    return float(sum(value * chance for value, chance in enumerate(_number_chances(dice, sides, plus, halved))))


@cache
def _number_chances(dice: int, sides: int, plus: int, halved: bool) -> tuple[Fraction, ...]:
    number = Number("", "", dice, sides, plus, halved)
    totals: dict[int, int] = {0: 1}
    for _ in range(dice):
        after: dict[int, int] = {}
        for total, ways in totals.items():
            for face in range(6):
                shown = total + face * sides // 6 + 1
                after[shown] = after.get(shown, 0) + ways
        totals = after
    chances: dict[int, int] = {}
    for total, ways in totals.items():
        worth = number.worth(total + plus)
        chances[worth] = chances.get(worth, 0) + ways
    return tuple(Fraction(chances.get(value, 0), 6**dice) for value in range(max(chances) + 1))


# -- stages ------------------------------------------------------------------------------------------------------


class Stage:
    """One step of a plan: which tallies it reads, which it changes, and the rule behind it."""

    __slots__ = ()

    def reads(self) -> Iterable[str]:
        """Tallies on which its results depend, those it changes included."""
        raise NotImplementedError

    def writes(self) -> Iterable[str]:
        """Tallies that it changes."""
        raise NotImplementedError

    def inner(self) -> Iterable[Stage]:
        """Stages that may follow inside this one."""
        return ()

    def reasons(self) -> Iterable[Because]:
        """The items of the stage with their rules."""
        return ()

    def key(self) -> Any:
        """What decides the odds of the stage: stages with equal keys have equal odds."""
        raise NotImplementedError


def _of(*amounts: Amount) -> tuple[str, ...]:
    return tuple(amount for amount in amounts if isinstance(amount, str))


def amount_of(amount: Amount, tallies: Mapping[str, int]) -> int:
    """A number, or what a tally holds."""
    return tallies[amount] if isinstance(amount, str) else amount


class Score(Stage):
    """Roll dice; successes are added to a tally, those on the faces of `kinds` to tallies of their own.

    Dice that show one of the `again` faces are thrown once more besides. `kind` is what screens call the step.
    """

    __slots__ = ("again", "again_rule", "by", "dice", "kind", "kinds", "rule", "throw", "to")

    def __init__(
        self,
        throw: Throw,
        dice: Amount = DICE,
        to: str = HITS,
        by: int = ROLLER,
        kind: str = "hit",
        kinds: tuple[tuple[int, str], ...] = (),
        again: int = 0,
        again_rule: str = "",
        rule: str = "",
    ) -> None:
        self.throw = throw
        self.dice = dice
        self.to = to
        self.by = by
        self.kind = kind
        self.kinds = kinds
        self.again = again
        self.again_rule = again_rule
        self.rule = rule

    def reads(self) -> Iterable[str]:
        return (*_of(self.dice), *self.writes())

    def writes(self) -> Iterable[str]:
        return (self.to, *(name for _, name in self.kinds))

    def reasons(self) -> Iterable[Because]:
        return self.throw.because

    def key(self) -> Any:
        return ("score", self.throw.key(), self.dice, self.to, self.kinds, self.again)


class Save(Stage):
    """One die for every item of a tally; each success cancels one."""

    __slots__ = ("by", "kind", "of", "throw")

    def __init__(self, throw: Throw, of: str = HITS, by: int = TARGET, kind: str = "save") -> None:
        self.throw = throw
        self.of = of
        self.by = by
        self.kind = kind

    def reads(self) -> Iterable[str]:
        return (self.of,)

    def writes(self) -> Iterable[str]:
        return (self.of,)

    def reasons(self) -> Iterable[Because]:
        return self.throw.because

    def key(self) -> Any:
        return ("save", self.throw.key(), self.of)


class Multiply(Stage):
    """Every item of a tally is worth a number, fixed or rolled for each; `most` limits the sum."""

    __slots__ = ("because", "by", "most", "number", "of", "to")

    def __init__(
        self,
        number: Number,
        of: str = UNSAVED,
        to: str = POINTS,
        by: int = ROLLER,
        most: int | None = None,
        because: tuple[Because, ...] = (),
    ) -> None:
        self.number = number
        self.of = of
        self.to = to
        self.by = by
        self.most = most
        self.because = because

    def reads(self) -> Iterable[str]:
        return (self.of, self.to)

    def writes(self) -> Iterable[str]:
        return (self.to,)

    def reasons(self) -> Iterable[Because]:
        return self.because

    def key(self) -> Any:
        number = self.number
        return ("multiply", number.dice, number.sides, number.plus, number.halved, self.of, self.to, self.most)


class Subtract(Stage):
    """A tally less the successes of some dice and a number, never below nothing: armour rolls, cover, medics."""

    __slots__ = ("because", "by", "dice", "flat", "kind", "of", "throw")

    def __init__(
        self,
        of: str = POINTS,
        throw: Throw | None = None,
        dice: Amount = 0,
        flat: Amount = 0,
        by: int = TARGET,
        kind: str = "armour",
        because: tuple[Because, ...] = (),
    ) -> None:
        self.of = of
        self.throw = throw
        self.dice = dice
        self.flat = flat
        self.by = by
        self.kind = kind
        self.because = because

    def reads(self) -> Iterable[str]:
        return (*_of(self.dice, self.flat), self.of)

    def writes(self) -> Iterable[str]:
        return (self.of,)

    def reasons(self) -> Iterable[Because]:
        return (*self.because, *(self.throw.because if self.throw is not None else ()))

    def key(self) -> Any:
        throw = self.throw.key() if self.throw is not None else None
        return ("subtract", self.of, throw, self.dice, self.flat)


class TableRow(NamedTuple):
    """One row of a table: from which roll on it counts, what it is called, and what follows."""

    least: int
    name: str
    rule: str
    then: tuple[Stage, ...] = ()


class Table(Stage):
    """For every item of a tally some dice are read on a table, one after the other, until `until` is no longer 0.

    Rows are in rising order; the first one counts for everything below the second. The tally is used up. `plus` is
    added to every die, and so is what the tally `more` holds.
    """

    __slots__ = ("by", "dice", "die", "label", "rows", "more", "of", "plus", "rule", "until")

    def __init__(
        self,
        label: str,
        rule: str,
        rows: Sequence[TableRow],
        of: Amount = 1,
        dice: int = 1,
        plus: int = 0,
        until: str = DESTROYED,
        by: int = ROLLER,
        die: Die = D6,
        more: str = "",
    ) -> None:
        self.label = label
        self.rule = rule
        self.rows = tuple(rows)
        self.of = of
        self.dice = dice
        self.plus = plus
        self.until = until
        self.by = by
        self.die = die
        self.more = more

    def row(self, roll: int) -> TableRow:
        """The row that a roll leads to, additions included."""
        return next((row for row in reversed(self.rows) if roll >= row.least), self.rows[0])

    def reads(self) -> Iterable[str]:
        return (*_of(self.of, self.more or 0), self.until, *(name for stage in self.inner() for name in stage.reads()))

    def writes(self) -> Iterable[str]:
        return (*_of(self.of), *(name for stage in self.inner() for name in stage.writes()), *self.counted())

    def counted(self) -> tuple[str, ...]:
        """The tallies that count how often each row came up: one of its name for every row."""
        return tuple(row.name for row in self.rows)

    def inner(self) -> Iterable[Stage]:
        return (stage for row in self.rows for stage in row.then)

    def reasons(self) -> Iterable[Because]:
        return (Because(self.rule, self.label),)

    def key(self) -> Any:
        rows = tuple((row.least, row.name, tuple(stage.key() for stage in row.then)) for row in self.rows)
        return ("table", self.of, self.dice, self.plus, self.more, self.until, self.die.name, rows)


class Check(Stage):
    """Two dice (or more) whose sum must not be above a number, which a tally may change; what follows if it fails.

    `needs` are the numbers for 0, 1, 2 ... of the tally `by_tally`, the last one for everything beyond.
    """

    __slots__ = ("by", "by_tally", "dice", "failed", "label", "needs", "passed", "rule")

    def __init__(
        self,
        label: str,
        rule: str,
        needs: Sequence[int],
        by_tally: str = "",
        failed: Sequence[Stage] = (),
        passed: Sequence[Stage] = (),
        dice: int = 2,
        by: int = TARGET,
    ) -> None:
        self.label = label
        self.rule = rule
        self.needs = tuple(needs)
        self.by_tally = by_tally
        self.failed = tuple(failed)
        self.passed = tuple(passed)
        self.dice = dice
        self.by = by

    def needed(self, tallies: Mapping[str, int]) -> int:
        """What the sum may be at most."""
        at = tallies[self.by_tally] if self.by_tally else 0
        return self.needs[min(at, len(self.needs) - 1)]

    def reads(self) -> Iterable[str]:
        return (*_of(self.by_tally or 0), *(name for stage in self.inner() for name in stage.reads()))

    def writes(self) -> Iterable[str]:
        return tuple(name for stage in self.inner() for name in stage.writes())

    def inner(self) -> Iterable[Stage]:
        return (*self.failed, *self.passed)

    def reasons(self) -> Iterable[Because]:
        return (Because(self.rule, self.label),)

    def key(self) -> Any:
        after = tuple(tuple(stage.key() for stage in stages) for stages in (self.failed, self.passed))
        return ("check", self.needs, self.by_tally, self.dice, after)


class Add(Stage):
    """Add to a tally: a number, or what another tally holds."""

    __slots__ = ("amount", "to")

    def __init__(self, to: str, amount: Amount = 1) -> None:
        self.to = to
        self.amount = amount

    def reads(self) -> Iterable[str]:
        return (self.to, *_of(self.amount))

    def writes(self) -> Iterable[str]:
        return (self.to,)

    def key(self) -> Any:
        return ("add", self.to, self.amount)


class Highest(Stage):
    """A number is rolled; the tally keeps the highest of all it was given: pins of several kinds of hits."""

    __slots__ = ("by", "number", "to")

    def __init__(self, to: str, number: Number, by: int = ROLLER) -> None:
        self.to = to
        self.number = number
        self.by = by

    def reads(self) -> Iterable[str]:
        return (self.to,)

    def writes(self) -> Iterable[str]:
        return (self.to,)

    def reasons(self) -> Iterable[Because]:
        return (Because(self.number.rule, self.number.label),)

    def key(self) -> Any:
        number = self.number
        return ("highest", self.to, number.dice, number.sides, number.plus, number.halved)


class Look(Stage):
    """What a tally means, looked up: the value for 0, 1, 2 ..., the last one for everything beyond."""

    __slots__ = ("of", "to", "values")

    def __init__(self, of: str, to: str, values: Sequence[int]) -> None:
        self.of = of
        self.to = to
        self.values = tuple(values)

    def reads(self) -> Iterable[str]:
        return (self.of, self.to)

    def writes(self) -> Iterable[str]:
        return (self.to,)

    def value(self, tallies: Mapping[str, int]) -> int:
        """What is added."""
        return self.values[min(tallies[self.of], len(self.values) - 1)]

    def key(self) -> Any:
        return ("look", self.of, self.to, self.values)


class Cap(Stage):
    """A tally counts no further than this: what the target can lose."""

    __slots__ = ("most", "of")

    def __init__(self, of: str = LOSSES, most: int = 1) -> None:
        self.of = of
        self.most = most

    def reads(self) -> Iterable[str]:
        return (self.of,)

    def writes(self) -> Iterable[str]:
        return (self.of,)

    def key(self) -> Any:
        return ("cap", self.of, self.most)


class When(Stage):
    """Stages that follow only where a tally is at least so high (and another one still nothing)."""

    __slots__ = ("least", "of", "then", "unless")

    def __init__(self, of: str, least: int, then: Sequence[Stage], unless: str = "") -> None:
        self.of = of
        self.least = least
        self.then = tuple(then)
        self.unless = unless

    def holds(self, tallies: Mapping[str, int]) -> bool:
        """Do they follow?"""
        return tallies[self.of] >= self.least and not (self.unless and tallies[self.unless])

    def reads(self) -> Iterable[str]:
        return (self.of, *_of(self.unless or 0), *(name for stage in self.then for name in stage.reads()))

    def writes(self) -> Iterable[str]:
        return tuple(name for stage in self.then for name in stage.writes())

    def inner(self) -> Iterable[Stage]:
        return self.then

    def key(self) -> Any:
        return ("when", self.of, self.least, self.unless, tuple(stage.key() for stage in self.then))


class Repeat(Stage):
    """Stages once for every item of a tally, one after the other, until `until` is no longer 0."""

    __slots__ = ("of", "then", "until")

    def __init__(self, of: Amount, then: Sequence[Stage], until: str = DESTROYED) -> None:
        self.of = of
        self.then = tuple(then)
        self.until = until

    def reads(self) -> Iterable[str]:
        return (*_of(self.of), self.until, *(name for stage in self.then for name in stage.reads()))

    def writes(self) -> Iterable[str]:
        return tuple(name for stage in self.then for name in stage.writes())

    def inner(self) -> Iterable[Stage]:
        return self.then

    def key(self) -> Any:
        return ("repeat", self.of, self.until, tuple(stage.key() for stage in self.then))


class Set(Stage):
    """Tallies begin with these values, whatever they were: the start of a plan."""

    __slots__ = ("values",)

    def __init__(self, values: Mapping[str, int]) -> None:
        self.values = dict(values)

    def reads(self) -> Iterable[str]:
        return ()

    def writes(self) -> Iterable[str]:
        return tuple(self.values)

    def key(self) -> Any:
        return ("set", tuple(self.values.items()))


def everything(stages: Iterable[Stage]) -> Iterable[Stage]:
    """Stages and those inside them."""
    for stage in stages:
        yield stage
        yield from everything(stage.inner())


__all__ = [
    "DESTROYED",
    "DICE",
    "HITS",
    "LOSSES",
    "POINTS",
    "ROLLER",
    "TARGET",
    "UNSAVED",
    "Add",
    "Amount",
    "Cap",
    "Check",
    "Highest",
    "Look",
    "Multiply",
    "Number",
    "Repeat",
    "Save",
    "Score",
    "Set",
    "Stage",
    "Subtract",
    "Table",
    "TableRow",
    "Tallies",
    "When",
    "amount_of",
    "everything",
]
