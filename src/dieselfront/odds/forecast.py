"""Forecasts of whole resolutions: the real procedure, run for every result of every throw, equal positions merged.

The oracle follows each die; here a throw counts by its successes, whose chances are known in closed form, and paths
that lead to the same position go on as one. So an exchange of fire with several weapons, saves, tokens, retaliation
and critical hits takes a fraction of a second, and it is still the code that play runs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, NamedTuple, TypeVar

from dieselfront.dice.rollers import Roller
from dieselfront.dice.throw import Dice, Throw
from dieselfront.odds import exact, series
from dieselfront.odds.oracle import Apart, Faces, TooManyPaths, fallen, in_order, never

T = TypeVar("T", bound=Hashable)
Mark = Callable[[Dice], Hashable]
"""What tells positions apart when a throw is about to begin; None where paths must not be merged."""

CUT = 1e-16
"""Results less likely than this, on their path, are not followed."""


class Outlook(NamedTuple, Generic[T]):
    """Everything that can come out, with its chance; `missing` is what was too unlikely to follow."""

    chances: dict[T, float]
    missing: float
    runs: int

    def chance(self, wanted: Callable[[T], bool]) -> float:
        """The chance of the outcomes that fit."""
        return sum(chance for value, chance in self.chances.items() if wanted(value))

    def mean(self, number: Callable[[T], float]) -> float:
        """What to expect of a number read off the outcome."""
        return sum(number(value) * chance for value, chance in self.chances.items())

    def distribution(self, number: Callable[[T], int], length: int = 0) -> list[float]:
        """The chances of 0, 1, 2 ... of a number read off the outcome."""
        totals: dict[int, float] = {}
        for value, chance in self.chances.items():
            key = number(value)
            totals[key] = totals.get(key, 0.0) + chance
        return [totals.get(index, 0.0) for index in range(max(max(totals, default=0) + 1, length))]


class _Merge(Exception):
    """A position was reached at which paths are merged."""

    def __init__(self, key: Hashable) -> None:
        self.key = key


class _Dropped(Exception):
    """Nothing likely enough lies ahead."""


class _Fork:
    """A throw met on the way: what can come of it, and which result is being followed."""

    __slots__ = ("index", "results")

    def __init__(self, results: list[tuple[Any, float]]) -> None:
        self.results = results
        self.index = 0


class ResultDice:
    """Dice that give every result of every throw in turn, by number of successes where only that is read."""

    def __init__(self, mark: Mark, by_face: Callable[[Dice], bool], cut: float, apart: Apart = never) -> None:
        self.mark = mark
        self.by_face = by_face
        self.apart = apart
        self.cut = cut
        self.missing = 0.0
        self.begin([], 1.0)

    def begin(self, prefix: list[Any], weight: float) -> None:
        """Go on from a merged position: the results that led there, and how likely it is."""
        self.prefix = prefix
        self.entry = weight
        self.forks: list[_Fork] = []
        self.start()

    def start(self) -> None:
        """Begin the next run."""
        self.taken = 0
        self.weight = self.entry
        self.script = _NO_SCRIPT

    def advance(self) -> bool:
        """Turn to the next path from this position; False when there is none left."""
        forks = self.forks
        while forks:
            forks[-1].index += 1
            if forks[-1].index < len(forks[-1].results):
                return True
            forks.pop()
        return False

    def path(self) -> list[Any]:
        """The results that led to where the run stands now."""
        return self.prefix + [fork.results[fork.index][0] for fork in self.forks]

    def roll(self, question: Dice, number: int) -> Faces:
        script = self.script
        if question.stage == "roll":
            result = self._next(question)
            if isinstance(result, tuple):
                self.script = _NO_SCRIPT
                return result
            assert question.throw is not None
            script = self.script = _Script(question.throw, question.count, result)
            return script.first()
        if script is _NO_SCRIPT:
            return self._next_faces(question)
        if question.stage == "chain" and script.extra < 0:
            script.extra = self._next(question)
        faces: Faces = script.stage(question)
        return faces

    def _next_faces(self, question: Dice) -> Faces:
        """A later stage of a throw that is followed by face."""
        faces: Faces = self._next(question)
        return faces

    def _next(self, question: Dice) -> Any:
        """The result of this throw on the path being followed."""
        place = self.taken
        self.taken += 1
        if place < len(self.prefix):
            return self.prefix[place]
        place -= len(self.prefix)
        if place == len(self.forks):
            if place and question.stage == "roll":
                key = self.mark(question)
                if key is not None:
                    raise _Merge(key)
            self.forks.append(_Fork(self._results(question)))
        fork = self.forks[place]
        result, chance = fork.results[fork.index]
        self.weight *= chance
        return result

    def _results(self, question: Dice) -> list[tuple[Any, float]]:
        by_face = self.by_face(question) or (question.throw is not None and bool(question.throw.reads))
        if question.throw is None or self.script is _NO_SCRIPT and question.stage != "roll" or by_face:
            total = len(question.die.sides) ** question.count
            lump = question.throw is None  # a number or a test: only the sum is read
            ordered = self.apart(question) or (question.throw is not None and question.throw.ordered)
            falls = in_order(question) if ordered else fallen(question, lump=lump)
            results: list[tuple[Any, float]] = [(faces, ways / total) for faces, ways in falls]
        elif question.stage == "chain":
            results = list(enumerate(extra_successes(question.throw, question.count)))
        else:
            results = list(enumerate(successes(question.throw, question.count)))
        worth = [(result, chance) for result, chance in results if chance * self.weight > self.cut]
        self.missing += self.weight * (1.0 - sum(chance for _, chance in worth))
        if not worth:
            raise _Dropped
        return worth


def successes(throw: Throw, count: int) -> list[float]:
    """The chances of 0, 1, 2 ... successes of a throw, re-rolls included, chains not."""
    return series.first_terms(count, 1.0 - exact.chances(throw)[0], 0.0, count + 1)


def extra_successes(throw: Throw, due: int) -> list[float]:
    """The chances of 0, 1, 2 ... further successes when so many dice begin a chain."""
    chain = exact.chances(throw)[1]
    return series.first_terms(due, 1.0 - chain, chain, series.cut(due, 1.0 - chain, chain, 1e-16))


class _Script:
    """Faces, stage by stage, that lead a throw to a number of successes."""

    __slots__ = ("count", "extra", "goal", "now", "rerolls", "throw")

    def __init__(self, throw: Throw, count: int, goal: int) -> None:
        self.throw = throw
        self.count = count
        self.goal = goal
        self.now = 0
        self.extra = -1  # further successes by chain, once they are due
        self.rerolls = iter(throw.rerolls)

    def first(self) -> Faces:
        faces, self.now = self._faces(self.throw.faces, self.count, self.goal)
        return faces

    def stage(self, question: Dice) -> Faces:
        """The faces of a later stage: as many successes as are still wanted."""
        if question.stage == "re-roll":
            return self._reroll()
        if question.stage == "confirm":
            faces, self.now = self._faces(self.throw.confirm, question.count, self.goal)
            return faces
        faces, good = self._faces(self.throw.chain, question.count, self.extra)
        self.extra -= good
        return faces

    def _reroll(self) -> Faces:
        while True:
            again = next(self.rerolls)
            taken = self.now if again.successes else self.count - self.now
            if taken:
                break
        if again.successes:
            faces, self.now = self._faces(again.faces, taken, self.goal)
        else:
            faces, good = self._faces(again.faces, taken, self.goal - self.now)
            self.now += good
        return faces

    def _faces(self, mask: int, count: int, wanted: int) -> tuple[Faces, int]:
        """So many dice, as near to the wanted successes as the faces allow."""
        die = self.throw.die
        good = [face for face, sides in enumerate(die.counts) if sides and mask >> face & 1]
        bad = [face for face, sides in enumerate(die.counts) if sides and not mask >> face & 1]
        hits = 0 if not good else count if not bad else max(0, min(wanted, count))
        return tuple(good[:1] * hits + bad[:1] * (count - hits)), hits


_NO_SCRIPT: Any = None
"""The throw under way is followed by face."""


def forecast(
    run: Callable[[Roller], T],
    mark: Mark = lambda question: None,
    *,
    by_face: Callable[[Dice], bool] = never,
    cut: float = CUT,
    apart: Apart = never,
    most: int = 0,
) -> Outlook[T]:
    """Run something for every result of its throws; positions with equal marks go on as one.

    `by_face` names the throws whose faces are read one by one (a table of results), not only their successes; `apart`
    those of them whose dice are read in the order in which they fell. More than `most` runs, if that is given, raise
    TooManyPaths.
    """
    dice = ResultDice(mark, by_face, cut, apart)
    outlook: dict[T, float] = {}
    layer: dict[Hashable, tuple[float, list[Any]]] = {None: (1.0, [])}
    runs = 0
    while layer:
        after: dict[Hashable, tuple[float, list[Any]]] = {}
        for key, (weight, prefix) in layer.items():
            step = _follow(run, dice, key, weight, prefix, most - runs if most else 0)
            runs += step.runs
            for outcome, chance in step.ended.items():
                outlook[outcome] = outlook.get(outcome, 0.0) + chance * step.scale
            for met, (chance, path) in step.met.items():
                before = after.get(met)
                after[met] = (chance * step.scale + (before[0] if before else 0.0), before[1] if before else path)
        layer = after
    return Outlook(outlook, dice.missing, runs)


class _Step(NamedTuple):
    """What comes of one merged position: ends, further positions, and a scale for having come back to itself."""

    ended: dict[Any, float]
    met: dict[Hashable, tuple[float, list[Any]]]
    scale: float
    runs: int


def _follow(
    run: Callable[[Roller], Any], dice: ResultDice, key: Hashable, weight: float, prefix: list[Any], most: int = 0
) -> _Step:
    """Every path from a merged position to its end or to the next one.

    A roll that is repeated until it fits leads back to the same position; what it leads to otherwise is scaled up,
    which is the sum over any number of repetitions.
    """
    ended: dict[Any, float] = {}
    met: dict[Hashable, tuple[float, list[Any]]] = {}
    back = 0.0
    runs = 0
    dice.begin(prefix, weight)
    while True:
        dice.start()
        runs += 1
        if most and runs > most:
            raise TooManyPaths(f"more than {most} ways for the dice to fall")
        try:
            outcome = run(dice)
        except _Merge as reached:
            if reached.key == key:
                back += dice.weight
            else:
                before, path = met.get(reached.key, (0.0, None))
                met[reached.key] = (before + dice.weight, dice.path() if path is None else path)
        except _Dropped:
            pass
        else:
            ended[outcome] = ended.get(outcome, 0.0) + dice.weight
        if not dice.advance():
            return _Step(ended, met, weight / (weight - back), runs)
