"""Performing plans at the table: stage by stage, dice asked for as they are due, tallies changed.

Whoever rolls is a `Hand`: it throws and writes down what fell. Rulesets have hands of their own.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Any, Protocol

from dieselfront.dice.die import D6
from dieselfront.dice.stages import (
    Add,
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
    Tallies,
    When,
    amount_of,
)
from dieselfront.dice.throw import Dice, Reading, Throw, Thrown, perform


class Hand(Protocol):
    """Who rolls the dice of a plan at the table and writes them down."""

    def throw(self, throw: Throw, count: int, by: int, rule: str) -> Generator[Any, Any, Thrown]:
        """Roll a throw."""

    def number(self, number: Number, by: int) -> Generator[Any, Any, int]:
        """Roll a number; what it comes to before it is halved."""

    def read(self, table: Table) -> Generator[Any, Any, Sequence[int]]:
        """Roll the dice of a table: every die by itself, with what is always added."""

    def check(self, check: Check, needed: int) -> Generator[Any, Any, bool]:
        """Roll a check."""


class PlainHand:
    """Rolls and writes nothing down."""

    def __init__(self, players: tuple[int, int] = (0, 1)) -> None:
        self.players = players

    def throw(self, throw: Throw, count: int, by: int, rule: str) -> Generator[Any, Any, Thrown]:
        """Roll a throw."""
        return (yield from perform(throw, count, self.players[by]))

    def number(self, number: Number, by: int) -> Generator[Any, Any, int]:
        """Roll a number."""
        if not number.dice:
            return number.plus
        reading = Reading(number.rule, number.sides)
        faces = yield Dice(D6, number.dice, self.players[by], number.label, reading=reading)
        return number.read(faces)

    def read(self, table: Table) -> Generator[Any, Any, Sequence[int]]:
        """Roll the dice of a table."""
        reading = Reading(table.rule, apart=True)
        faces = yield Dice(table.die, table.dice, self.players[table.by], table.label, reading=reading)
        return [face + 1 + table.plus for face in faces]

    def check(self, check: Check, needed: int) -> Generator[Any, Any, bool]:
        """Roll a check."""
        reading = Reading(check.rule, at_most=needed)
        faces = yield Dice(D6, check.dice, self.players[check.by], check.label, reading=reading)
        total: int = sum(face + 1 for face in faces)
        return total <= needed


def perform_stage(stage: Stage, tallies: Tallies, hand: Hand) -> Generator[Any, Any, None]:
    """One stage at the table: dice are asked for as they are due, and the tallies changed."""
    if isinstance(stage, Score):
        yield from _score(stage, tallies, hand)
    elif isinstance(stage, Save):
        if tallies[stage.of]:
            thrown = yield from hand.throw(stage.throw, tallies[stage.of], stage.by, "")
            tallies[stage.of] = max(0, tallies[stage.of] - thrown.successes)
    elif isinstance(stage, Multiply):
        total = 0
        for _ in range(tallies[stage.of]):
            total += stage.number.worth((yield from hand.number(stage.number, stage.by)))
        tallies[stage.to] += total if stage.most is None else min(total, stage.most)
    elif isinstance(stage, Subtract):
        saved = amount_of(stage.flat, tallies)
        if stage.throw is not None:
            dice = amount_of(stage.dice, tallies)
            saved += (yield from hand.throw(stage.throw, dice, stage.by, "")).successes if dice else 0
        tallies[stage.of] = max(0, tallies[stage.of] - saved)
    elif isinstance(stage, Table):
        yield from _table(stage, tallies, hand)
    elif isinstance(stage, Check):
        passed = yield from hand.check(stage, stage.needed(tallies))
        yield from perform_stages(stage.passed if passed else stage.failed, tallies, hand)
    elif isinstance(stage, Highest):
        shown = stage.number.worth((yield from hand.number(stage.number, stage.by)))
        tallies[stage.to] = max(tallies[stage.to], shown)
    elif isinstance(stage, Repeat):
        for _ in range(amount_of(stage.of, tallies)):
            if not tallies[stage.until]:
                yield from perform_stages(stage.then, tallies, hand)
    elif isinstance(stage, When):
        if stage.holds(tallies):
            yield from perform_stages(stage.then, tallies, hand)
    else:
        settle(stage, tallies)


def settle(stage: Stage, tallies: Tallies) -> None:
    """A stage without dice."""
    if isinstance(stage, Add):
        tallies[stage.to] += amount_of(stage.amount, tallies)
    elif isinstance(stage, Look):
        tallies[stage.to] += stage.value(tallies)
    elif isinstance(stage, Cap):
        tallies[stage.of] = min(tallies[stage.of], stage.most)
    elif isinstance(stage, Set):
        tallies.update(stage.values)
    else:
        raise TypeError(f"{type(stage).__name__} is no stage of a plan")


def _score(stage: Score, tallies: Tallies, hand: Hand) -> Generator[Any, Any, None]:
    dice = amount_of(stage.dice, tallies)
    if dice <= 0:
        return
    thrown = yield from hand.throw(stage.throw, dice, stage.by, stage.rule)
    good = thrown.successes
    first = thrown.stages[0][1]
    if stage.again:
        repeated = sum(stage.again >> face & 1 for face in first)
        if repeated:
            good += (yield from hand.throw(stage.throw, repeated, stage.by, stage.again_rule)).successes
    for faces, name in stage.kinds:
        special = sum(1 for face in first if faces & stage.throw.faces & 1 << face)
        tallies[name] += special
        good -= special
    tallies[stage.to] += good


def _table(stage: Table, tallies: Tallies, hand: Hand) -> Generator[Any, Any, None]:
    times = amount_of(stage.of, tallies)
    if isinstance(stage.of, str):
        tallies[stage.of] = 0
    for _ in range(times):
        if tallies[stage.until]:
            return
        for roll in (yield from hand.read(stage)):
            if not tallies[stage.until]:
                row = stage.row(roll + (tallies[stage.more] if stage.more else 0))
                tallies[row.name] += 1
                yield from perform_stages(row.then, tallies, hand)


def perform_stages(stages: Iterable[Stage], tallies: Tallies, hand: Hand) -> Generator[Any, Any, None]:
    """Several stages, one after the other."""
    for stage in stages:
        yield from perform_stage(stage, tallies, hand)


__all__ = ["Hand", "PlainHand", "perform_stage", "perform_stages", "settle"]
