"""The luck report: every throw of a recorded game, what it should have brought, what it did, and how lucky that was.

A side is lucky where its own throws and tests succeed more often than they should; saves count like shots. Numbers that
are rolled (how many hits, how many pins) are weighed beside them, by their sum. The chance of luck as good as that is
exact: the distribution of all throws added up, given which dice were rolled. Dice that favour nobody (a draw from the
cup, who begins) are only counted.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from math import erfc, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dieselfront.dice.rollers import FairDice, Roller
from dieselfront.dice.throw import Dice, Throw, perform
from dieselfront.kernel import record as records
from dieselfront.kernel.game import Game
from dieselfront.odds import exact, series

if TYPE_CHECKING:
    from dieselfront.kernel.ruleset import Ruleset

Floats = NDArray[np.float64]
TEST, NUMBER = "test", "number"


class Roll(NamedTuple):
    """One throw: who, what, with how many dice, and what came of it."""

    number: int
    turn: int
    player: int
    label: str
    rule: str
    dice: int
    expected: float
    variance: float
    successes: int
    as_good: float  # the chance of so many successes or more
    as_bad: float  # the chance of so few or fewer
    kind: str = "throw"  # throw, test (passed or not), number (successes are its sum, the good way round)

    @property
    def luck(self) -> float:
        """Successes more than expected."""
        return self.successes - self.expected

    def to_json(self) -> dict[str, Any]:
        """The throw as plain data."""
        return self._asdict() | {"luck": self.luck}


class Tally(NamedTuple):
    """Many throws of one side taken together."""

    throws: int
    dice: int
    expected: float
    successes: int
    as_good: float
    as_bad: float
    normal: float  # the chance of luck as good, by the normal curve

    @property
    def luck(self) -> float:
        """Successes more than expected."""
        return self.successes - self.expected

    def to_json(self) -> dict[str, Any]:
        """The tally as plain data."""
        return self._asdict() | {"luck": self.luck}


class Luck(NamedTuple):
    """The report of a game."""

    names: tuple[str, str]
    rolls: list[Roll]
    sides: tuple[Tally, Tally]
    kinds: tuple[dict[str, Tally], dict[str, Tally]]
    balance: float  # luck of the first side minus luck of the second
    as_extreme: float  # the chance of a balance so far from even, either way
    numbers: tuple[Tally, Tally]  # numbers that were rolled, by their sums
    neutral: int  # dice that favour nobody

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "sides": [
                {
                    "name": name,
                    **side.to_json(),
                    "numbers": numbers.to_json(),
                    "kinds": {kind: tally.to_json() for kind, tally in kinds.items()},
                }
                for name, side, numbers, kinds in zip(self.names, self.sides, self.numbers, self.kinds, strict=True)
            ],
            "neutral": self.neutral,
            "balance": self.balance,
            "as_extreme": self.as_extreme,
            "rolls": [roll.to_json() for roll in self.rolls],
            "sentences": self.sentences(),
        }

    def strokes(self, player: int, count: int = 3, *, good: bool = True) -> list[Roll]:
        """The luckiest (or unluckiest) throws of a side."""
        own = [roll for roll in self.rolls if roll.player == player and (roll.luck > 0) == good and roll.luck]
        return sorted(own, key=lambda roll: (roll.as_good if good else roll.as_bad, roll.number))[:count]

    def sentences(self) -> list[str]:
        """The report in words."""
        said = [_side_sentence(name, side) for name, side in zip(self.names, self.sides, strict=True)]
        said += [
            _number_sentence(name, tally) for name, tally in zip(self.names, self.numbers, strict=True) if tally.throws
        ]
        lucky = 0 if self.balance >= 0 else 1
        if abs(self.balance) < 0.05:
            said.append("The dice favoured nobody.")
        else:
            said.append(
                f"Taken together the dice were {abs(self.balance):.1f} successes kinder to {self.names[lucky]} than to "
                f"{self.names[1 - lucky]}; a difference as large as that, either way, comes up in "
                f"{one_in(self.as_extreme)}."
            )
        said.append(_verdict(self.as_extreme, self.names[lucky]))
        return said


def _side_sentence(name: str, side: Tally) -> str:
    lucky = side.luck >= 0
    more, quality = ("more", "as good") if lucky else ("fewer", "as bad")
    tail = side.as_good if lucky else side.as_bad
    return (
        f"{name} threw {side.dice} dice in {side.throws} throws: {side.successes} successes where {side.expected:.1f} "
        f"were to be expected, {abs(side.luck):.1f} {more}. Luck {quality} as that comes up in {one_in(tail)}."
    )


def _number_sentence(name: str, tally: Tally) -> str:
    lucky = tally.luck >= 0
    more, quality = ("more", "as good") if lucky else ("less", "as bad")
    tail = tally.as_good if lucky else tally.as_bad
    return (
        f"The numbers that {name} rolled came to {tally.successes} where {tally.expected:.1f} were to be expected, "
        f"{abs(tally.luck):.1f} {more}; numbers {quality} as that come up in {one_in(tail)}."
    )


def one_in(chance: float) -> str:
    """A chance in words people use: 1 game in 7."""
    if chance >= 0.995:
        return "every game"
    if chance > 0.34:
        return f"{chance:.0%} of games"
    return f"1 game in {round(1 / chance):,}" if chance > 0 else "no game at all"


def _verdict(chance: float, lucky: str) -> str:
    if chance > 0.2:
        return "That is ordinary: the dice did not decide this game."
    if chance > 0.05:
        return f"{lucky} had a good day, of a kind that everybody has now and then."
    if chance > 0.005:
        return f"{lucky} was really lucky."
    return f"{lucky} was luckier than most players ever are."


Weighed = tuple[Roll, Floats]
"""A throw and the chances of everything that could have come of it."""


# -- reading the throws of a game ---------------------------------------------------------------------------


class Watching:
    """Passes dice through and keeps what was asked and what fell."""

    def __init__(self, dice: Roller) -> None:
        self.dice = dice
        self.seen: list[tuple[Dice, tuple[int, ...]]] = []

    def roll(self, question: Dice, number: int) -> tuple[int, ...]:
        faces = self.dice.roll(question, number)
        self.seen.append((question, faces))
        return faces


def report(rules: Ruleset[Any], kept: records.Record, seed: str | None = None) -> Luck:
    """Play a record again and weigh every throw in it; it must replay exactly, like any record."""
    header = kept.header
    records.start_replay(rules, kept, seed)  # complains about what cannot be replayed
    seed = seed or kept.seed
    watching = Watching(FairDice(seed, header.salt)) if seed is not None else None
    game = Game(rules, rules.new_state(header), watching, header)
    seen = watching.seen if watching is not None else []
    turns = [game.turn] * len(seen)
    steps = records.steps(game, kept)
    for answer in kept.choices:
        typed = game._pending_dice if watching is None else None
        if typed is not None:  # dice that people rolled themselves are choices too
            seen.append((typed, tuple(typed.die.face(name) for name in answer)))
        next(steps)
        turns += [game.turn] * (len(seen) - len(turns))
    return weigh(seen, turns, _names(game, header))


def _names(game: Game, header: records.Header) -> tuple[str, str]:
    names = [side["name"] for side in game.rules.view(game.state)["sides"]]
    seats = [seat.capitalize() for seat in header.seats]
    chosen = [name or seat for name, seat in zip(names, seats, strict=True)]
    return (chosen[0], chosen[1]) if chosen[0] != chosen[1] else (seats[0], seats[1])


def weigh(seen: Sequence[tuple[Dice, tuple[int, ...]]], turns: Sequence[int], names: tuple[str, str]) -> Luck:
    """The report of throws as they fell."""
    rolls: list[Roll] = []
    pmfs: list[Floats] = []
    neutral = 0
    for place, question, stages in _grouped(seen):
        luck = _weighed(len(rolls) + 1, turns[place], question, stages)
        if luck is None:
            neutral += question.count
            continue
        rolls.append(luck[0])
        pmfs.append(luck[1])
    successes = [(roll, pmf) for roll, pmf in zip(rolls, pmfs, strict=True) if roll.kind != NUMBER]
    numbers = [(roll, pmf) for roll, pmf in zip(rolls, pmfs, strict=True) if roll.kind == NUMBER]
    sides = (_tally(successes, 0), _tally(successes, 1))
    kinds = (_kinds(rolls, pmfs, 0), _kinds(rolls, pmfs, 1))
    balance = sides[0].luck - sides[1].luck
    extreme = _as_extreme(successes, balance)
    return Luck(names, rolls, sides, kinds, balance, extreme, (_tally(numbers, 0), _tally(numbers, 1)), neutral)


def _grouped(seen: Sequence[tuple[Dice, tuple[int, ...]]]) -> Iterable[tuple[int, Dice, list[tuple[int, ...]]]]:
    """Stages of one throw taken together."""
    place = 0
    while place < len(seen):
        question, faces = seen[place]
        start = place
        stages = [faces]
        place += 1
        while place < len(seen) and seen[place][0].stage != "roll" and seen[place][0].throw is question.throw:
            stages.append(seen[place][1])
            place += 1
        yield start, question, stages


def _weighed(number: int, turn: int, question: Dice, stages: list[tuple[int, ...]]) -> tuple[Roll, Floats] | None:
    """A throw, a test or a number beside its distribution; None for dice that cannot favour anybody."""
    throw, reading = question.throw, question.reading
    if throw is not None:
        return _roll(number, turn, throw, question, stages) if 0 < float(throw.chance()) < 1 else None
    if reading is None or not reading.good:
        return None
    sums = _sums(question.count, reading.sides)
    total = reading.total(stages[0])
    if reading.at_most is not None:
        passed = float(sums[: max(reading.at_most + 1, 0)].sum())
        pmf = np.array([1.0 - passed, passed])
        return _weighed_roll(number, turn, question, reading.rule, pmf, int(total <= reading.at_most), TEST), pmf
    if reading.good < 0:
        total = question.count * (1 + reading.sides) - total  # the good way round; the chances are symmetric
    return _weighed_roll(number, turn, question, reading.rule, sums, total, NUMBER), sums


def _sums(dice: int, sides: int) -> Floats:
    """The chances of every sum of some dice."""
    one = np.array([0.0] + [1.0 / sides] * sides)
    return _total([one] * dice)


def _weighed_roll(number: int, turn: int, question: Dice, rule: str, pmf: Floats, value: int, kind: str) -> Roll:
    values = np.arange(len(pmf))
    mean = float(values @ pmf)
    variance = float(((values - mean) ** 2) @ pmf)
    good, bad = float(pmf[value:].sum()), float(pmf[: value + 1].sum())
    return Roll(
        number, turn, question.player, question.label, rule, question.count, mean, variance, value, good, bad, kind
    )


def _roll(number: int, turn: int, throw: Throw, question: Dice, stages: list[tuple[int, ...]]) -> tuple[Roll, Floats]:
    hit, chain = exact.chances(throw)
    length = series.cut(question.count, 1.0 - hit, chain, 1e-15)
    pmf = np.array(series.first_terms(question.count, 1.0 - hit, chain, length))
    successes = _again(perform(throw, question.count, question.player), stages)
    values = np.arange(length)
    mean = question.count * hit / (1.0 - chain)
    variance = float(((values - mean) ** 2) @ pmf)
    good, bad = float(pmf[successes:].sum()), float(pmf[: successes + 1].sum())
    roll = Roll(
        number, turn, question.player, throw.label, throw.rule, question.count, mean, variance, successes, good, bad
    )
    return roll, pmf


def _again(procedure: Generator[Dice, Any, Any], stages: list[tuple[int, ...]]) -> int:
    """The successes of a throw, from the faces that fell."""
    try:
        procedure.send(None)
        for faces in stages:
            procedure.send(faces)
    except StopIteration as end:
        return int(end.value.successes)
    raise ValueError("a throw of the record broke off in the middle")


def _total(pmfs: Iterable[Floats]) -> Floats:
    total: Floats = np.ones(1)
    for pmf in pmfs:
        total = np.convolve(total, pmf)
    return total


def _tally(weighed: Iterable[Weighed], player: int) -> Tally:
    own = [(roll, pmf) for roll, pmf in weighed if roll.player == player]
    total = _total(pmf for _, pmf in own)
    successes = sum(roll.successes for roll, _ in own)
    expected = sum(roll.expected for roll, _ in own)
    spread = sqrt(sum(roll.variance for roll, _ in own))
    normal = erfc((successes - 0.5 - expected) / spread / sqrt(2)) / 2 if spread else 1.0
    return Tally(
        len(own),
        sum(roll.dice for roll, _ in own),
        expected,
        successes,
        min(1.0, float(total[successes:].sum())),
        min(1.0, float(total[: successes + 1].sum())),
        normal,
    )


def _kinds(rolls: Sequence[Roll], pmfs: Sequence[Floats], player: int) -> dict[str, Tally]:
    """The tallies of every kind of throw, the most frequent first."""
    labels = dict.fromkeys(roll.label for roll in rolls if roll.player == player)
    tallies = {
        label: _tally([(roll, pmf) for roll, pmf in zip(rolls, pmfs, strict=True) if roll.label == label], player)
        for label in labels
    }
    return dict(sorted(tallies.items(), key=lambda item: (-item[1].dice, item[0])))


def _as_extreme(weighed: Sequence[Weighed], balance: float) -> float:
    """The chance that first side's luck minus second side's is at least so far from even."""
    first = _total(pmf for roll, pmf in weighed if roll.player == 0)
    second = _total(pmf for roll, pmf in weighed if roll.player == 1)
    both = np.convolve(first, second[::-1])
    even = sum(roll.expected if roll.player == 0 else -roll.expected for roll, _ in weighed)
    values = np.arange(len(both)) - (len(second) - 1) - even
    return min(1.0, float(both[np.abs(values) >= abs(balance) - 1e-9].sum()))
