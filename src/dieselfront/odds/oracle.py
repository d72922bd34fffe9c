"""The oracle: runs the real procedure again and again, once for every way the dice can fall.

Slow and simple, it is what the fast evaluation is tested against, and what answers when no closed form exists. Weights
are whole numbers until the very end. Where a player decides in the middle of a resolution, a named policy answers.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import comb, prod
from typing import Any, Generic, NamedTuple, TypeVar

from dieselfront.dice.die import Die
from dieselfront.dice.plan import AnyPlan, PoolPlan, Score, as_list, everything, perform_plans
from dieselfront.dice.rollers import Roller
from dieselfront.dice.throw import Dice, Reading, perform
from dieselfront.kernel.decisions import NOT_FORCED, Answer, Decision
from dieselfront.kernel.game import Game, Procedure, Quiet

T = TypeVar("T", bound=Hashable)
Policy = Callable[[Decision], Answer]
Faces = tuple[int, ...]

CUT = 1e-17
"""Paths less likely than this are not followed; `Forecast.missing` adds up what was left out."""


class Forecast(NamedTuple, Generic[T]):
    """Everything that can come out, each with its exact weight; `missing` is what the cut left out."""

    chances: dict[T, Fraction]
    missing: float
    paths: int

    def chance(self, wanted: Callable[[T], bool]) -> float:
        """The chance of the outcomes that fit."""
        return float(sum((weight for value, weight in self.chances.items() if wanted(value)), Fraction(0)))

    def mean(self, number: Callable[[T], float]) -> float:
        """What to expect of a number read off the outcome."""
        return float(sum(Fraction(number(value)) * weight for value, weight in self.chances.items()))

    def distribution(self, number: Callable[[T], int]) -> list[float]:
        """The chances of 0, 1, 2 ... of a number read off the outcome."""
        totals: dict[int, Fraction] = {}
        for value, weight in self.chances.items():
            key = number(value)
            totals[key] = totals.get(key, Fraction(0)) + weight
        return [float(totals.get(index, 0)) for index in range(max(totals, default=0) + 1)]


# -- policies: who answers when a player would be asked -----------------------------------------------------


def first(decision: Decision) -> Answer:
    """Always the first legal answer."""
    return next(iter(decision.answers()))


def last(decision: Decision) -> Answer:
    """Always the last legal answer."""
    return list(decision.answers())[-1]


def by_key(answers: Mapping[str, Answer], otherwise: Policy = first) -> Policy:
    """Fixed answers to some kinds of questions, another policy for the rest."""

    def answer(decision: Decision) -> Answer:
        return decision.check(answers[decision.key]) if decision.key in answers else otherwise(decision)

    return answer


POLICIES: dict[str, Policy] = {"first": first, "last": last}


class DiceAsked(Exception):
    """Dice were asked for where none were expected."""

    def __init__(self, question: Dice) -> None:
        super().__init__(question.label)
        self.question = question


class NoDice:
    """Stands where no dice may be asked for."""

    def roll(self, question: Dice, number: int) -> tuple[int, ...]:
        raise DiceAsked(question)


NO_DICE = NoDice()


# -- the driver ---------------------------------------------------------------------------------------------


Apart = Callable[[Dice], bool]
"""Which throws are followed die by die, in their order."""


Lump = Callable[[Dice], bool | tuple[int, ...]]
"""For which throws faces that are treated alike are taken together; masks of faces are told apart besides."""


def never(question: Dice) -> bool:
    """Most throws do not ask in which order their dice fell."""
    return False


class TooManyPaths(Exception):
    """There are more ways for the dice to fall than somebody was willing to follow."""


class _Cut(Exception):
    """Nothing likely enough lies ahead on this path."""


class _Branch:
    """A throw met on the way: its outcomes worth following, and the one being followed."""

    __slots__ = ("index", "outcomes", "total")

    def __init__(self, outcomes: list[tuple[Faces, int]], total: int) -> None:
        self.outcomes = outcomes
        self.total = total
        self.index = 0


class ForkingDice:
    """Dice that fall every way in turn: each run of the procedure follows the next path."""

    __slots__ = ("_branches", "_depth", "apart", "cut", "lump", "missing", "total", "ways")

    def __init__(self, cut: float = CUT, lump: bool | Lump = False, apart: Apart = never) -> None:
        self.cut = cut
        self.lump: Lump = lump if callable(lump) else lambda question: lump
        self.apart = apart
        self.missing = 0.0
        self._branches: list[_Branch] = []
        self.start()

    def start(self) -> None:
        """Begin the next run."""
        self._depth = 0
        self.ways = 1
        self.total = 1

    def advance(self) -> bool:
        """Turn to the next path; False when every one was followed."""
        branches = self._branches
        while branches:
            branches[-1].index += 1
            if branches[-1].index < len(branches[-1].outcomes):
                return True
            branches.pop()
        return False

    def roll(self, question: Dice, number: int) -> Faces:
        if self._depth == len(self._branches):
            self._branches.append(self._meet(question))
        branch = self._branches[self._depth]
        self._depth += 1
        faces, ways = branch.outcomes[branch.index]
        self.ways *= ways
        self.total *= branch.total
        return faces

    def _meet(self, question: Dice) -> _Branch:
        """A throw not met before on this path: list its outcomes and drop those too unlikely to matter."""
        outcomes = in_order(question) if self.apart(question) else fallen(question, self.lump(question))
        total = len(question.die.sides) ** question.count
        so_far = self.ways / (self.total * total)
        worth = [outcome for outcome in outcomes if outcome[1] * so_far >= self.cut]
        if len(worth) < len(outcomes):
            self.missing += (total - sum(ways for _, ways in worth)) * so_far
            if not worth:
                raise _Cut
        return _Branch(worth, total)


def explore(
    run: Callable[[Roller], T], *, cut: float = CUT, lump: bool | Lump = False, apart: Apart = never, most: int = 0
) -> Forecast[T]:
    """Run something for every way its dice can fall; `run` gets the dice and returns what came out.

    With `lump`, faces that a throw treats alike are taken together: right for whatever reads only successes; it may
    name the throws for which that is so. `apart` names throws whose dice are read in the order in which they fell. More
    than `most` paths, if that is given, raise TooManyPaths.
    """
    dice = ForkingDice(cut, lump, apart)
    forecast: dict[T, dict[int, int]] = {}
    paths = 0
    while True:
        dice.start()
        paths += 1
        if most and paths > most:
            raise TooManyPaths(f"more than {most} ways for the dice to fall")
        try:
            outcome = run(dice)
        except _Cut:
            pass
        else:
            weights = forecast.setdefault(outcome, {})
            weights[dice.total] = weights.get(dice.total, 0) + dice.ways
        if not dice.advance():
            break
    chances = {
        outcome: sum((Fraction(ways, total) for total, ways in weights.items()), Fraction(0))
        for outcome, weights in forecast.items()
    }
    return Forecast(chances, dice.missing, paths)


def drive(procedure: Procedure, dice: Roller, policy: Policy = first) -> Any:
    """Carry a bare procedure through to its end and return its result."""
    answer: Any = None
    thrown = 0
    while True:
        try:
            question = procedure.send(answer)
        except StopIteration as end:
            return end.value
        if isinstance(question, Dice):
            answer = dice.roll(question, thrown)
            thrown += 1
        elif isinstance(question, Quiet):
            answer = None
        else:
            answer = question.forced()
            if answer is NOT_FORCED:
                answer = policy(question)


def of_procedure(
    make: Callable[[], Procedure],
    *,
    policy: Policy = first,
    cut: float = CUT,
    lump: bool = False,
    apart: Apart = never,
) -> Forecast[Any]:
    """Every result of a procedure; `make` starts it anew for each way the dice can fall."""
    return explore(lambda dice: drive(make(), dice, policy), cut=cut, lump=lump, apart=apart)


def of_game(
    game: Game,
    until: Callable[[Game], bool],
    observe: Callable[[Game], T],
    *,
    policy: Policy = first,
    cut: float = CUT,
    lump: bool = False,
) -> Forecast[T]:
    """Play a game on from where it stands, every way its dice can fall, until something is so."""

    def run(dice: Roller) -> T:
        twin = game.copy(dice)
        while (decision := twin.pending) is not None and not until(twin):
            twin.choose_trusted(policy(decision))
        return observe(twin)

    return explore(run, cut=cut, lump=lump)


# -- how dice can fall --------------------------------------------------------------------------------------


def fallen(question: Dice, lump: bool | tuple[int, ...] = False) -> list[tuple[Faces, int]]:
    """Every way the dice of a question can fall, each with the number of ways it comes about.

    `lump` takes faces together that are read alike; masks given in its place are told apart besides.
    """
    die = question.die
    reading = question.reading
    if reading is not None and reading.apart and lump and reading.bands:
        return _by_band(die, reading.bands, question.count)
    if reading is not None and reading.apart and question.count > 1:
        return in_order(question)
    if reading is not None and lump and len(die.sides) == 6 and die.all_faces == 63:
        return _sums(question.count, reading.sides, reading.at_most)
    more = lump if isinstance(lump, tuple) else ()
    kinds = _alike(die, (*_read(question), *more)) if lump and question.throw is not None else _all_faces(die)
    return _falls(kinds, question.count)


def in_order(question: Dice) -> list[tuple[Faces, int]]:
    """Every way the dice can fall, one after the other."""
    return [
        (tuple(face for face, _ in chosen), prod(sides for _, sides in chosen))
        for chosen in product(_all_faces(question.die), repeat=question.count)
    ]


@lru_cache(maxsize=1024)
def _by_band(die: Die, bands: tuple[int, ...], count: int) -> list[tuple[Faces, int]]:
    """Dice read one after the other, faces that mean the same taken together."""
    kinds = [(next(face for face in range(len(die.faces)) if band >> face & 1), die.ways(band)) for band in bands]
    return [
        (tuple(face for face, _ in chosen), prod(sides for _, sides in chosen))
        for chosen in product(kinds, repeat=count)
    ]


@cache
def _sums(count: int, sides: int, at_most: int | None) -> list[tuple[Faces, int]]:
    """The sums that dice without a throw can come to, one fall for each; of a test passed, failed, and all highest."""
    reading = Reading("", sides)
    sums: dict[Any, tuple[Faces, int]] = {}
    for faces in product(range(6), repeat=count):
        total = reading.total(faces)
        key = total if at_most is None else (total <= at_most, total == count * sides)
        kept, ways = sums.get(key, (faces, 0))
        sums[key] = (kept, ways + 1)
    return list(sums.values())


@cache
def _all_faces(die: Die) -> tuple[tuple[int, int], ...]:
    return tuple((face, count) for face, count in enumerate(die.counts) if count)


def _read(question: Dice) -> tuple[int, ...]:
    """The sets of faces that a throw looks for at this stage."""
    throw = question.throw
    assert throw is not None
    if question.stage == "roll":
        return (throw.faces,)
    if question.stage == "re-roll":
        return tuple(again.faces for again in throw.rerolls)
    return (throw.chain if question.stage == "chain" else throw.confirm,)


@lru_cache(maxsize=4096)
def _alike(die: Die, masks: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """The faces of a die in groups that are treated alike: one face of each group and the sides of the group."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for face in range(len(die.faces)):
        groups.setdefault(tuple(mask >> face & 1 for mask in masks), []).append(face)
    return tuple((faces[0], sum(die.counts[face] for face in faces)) for faces in groups.values())


@lru_cache(maxsize=4096)
def _falls(kinds: tuple[tuple[int, int], ...], count: int) -> list[tuple[Faces, int]]:
    """Every way `count` dice can fall, their order forgotten, and in how many ways each comes about."""
    (face, sides), *others = kinds
    if not others:
        return [((face,) * count, sides**count)]
    falls = []
    for taken in range(count, -1, -1):
        ways = comb(count, taken) * sides**taken
        for rest, rest_ways in _falls(tuple(others), count - taken):
            falls.append(((face,) * taken + rest, ways * rest_ways))
    return falls


# -- attack pools, rolled in full ---------------------------------------------------------------------------


class PoolResult(NamedTuple):
    """What came out of pools on one target."""

    hits: int
    unsaved: int
    points: int
    lost: int
    destroyed: bool


def roll_pools(plans: Sequence[PoolPlan]) -> Generator[Dice, Sequence[int], PoolResult]:
    """Pools on one target, one after the other, rolled throw by throw: what the plan means, said as a procedure."""
    hits = unsaved = points = 0
    left = capacity = plans[0].capacity
    for plan in plans:
        scored = (yield from perform(plan.hit, plan.dice, 0)).successes
        hits += scored
        for save in plan.saves:
            scored -= (yield from perform(save, scored, 1)).successes
        unsaved += scored
        for share in [1] * scored if plan.hit_by_hit else [scored]:
            worth = min(plan.damage, left) if plan.hit_by_hit else share * plan.damage
            if plan.negate is not None:
                worth -= (yield from perform(plan.negate, worth, 1)).successes
            points += worth
            left = max(0, left - worth)  # hits left over when nobody remains are lost
    return PoolResult(hits, unsaved, points, capacity - left, left == 0)


def of_pools(plans: Sequence[PoolPlan] | PoolPlan, *, cut: float = CUT) -> Forecast[PoolResult]:
    """The forecast of attack pools on one target."""
    pools = [plans] if isinstance(plans, PoolPlan) else list(plans)
    return of_procedure(lambda: roll_pools(pools), cut=cut, lump=True)


def of_plans(
    plans: Sequence[AnyPlan] | AnyPlan, names: Sequence[str], *, cut: float = CUT, most: int = 0
) -> Forecast[tuple[int, ...]]:
    """The forecast of plans of any stages on one target: how some of their tallies end up."""
    given = as_list(plans)
    read: dict[int, tuple[int, ...]] = {}
    for stage in everything(stage for plan in given for stage in plan.stages):
        if isinstance(stage, Score) and (stage.kinds or stage.again):
            masks = (*(faces for faces, _ in stage.kinds), stage.again)
            read[id(stage.throw)] = (*read.get(id(stage.throw), ()), *masks)

    def run(dice: Roller) -> tuple[int, ...]:
        tallies = drive(perform_plans(given), dice)
        return tuple(tallies[name] for name in names)

    return explore(run, cut=cut, lump=lambda question: read.get(id(question.throw), True), most=most)


__all__ = [
    "CUT",
    "NO_DICE",
    "POLICIES",
    "DiceAsked",
    "Forecast",
    "ForkingDice",
    "PoolResult",
    "by_key",
    "drive",
    "explore",
    "first",
    "last",
    "of_game",
    "of_plans",
    "of_pools",
    "of_procedure",
    "roll_pools",
]
