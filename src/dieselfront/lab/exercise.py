"""The exercise run: random games until every unit, weapon line, skill and special action has been used often enough.

Cards, forces, boards, what counts as a use and the player who looks for what is wanting are the game's own (its
companion module `exercise`); every game is watched for invariants. What was used, and how often, is the result. A unit
is used when it activates, a weapon line when it is aimed, a special action when it is declared, a skill or weapon rule
when its answer makes a difference; nothing counts twice for one choice, and checks, copies and replays count nothing.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from dieselfront import rulesets
from dieselfront.dice import commitment
from dieselfront.kernel.decisions import Answer, Decision
from dieselfront.kernel.game import Game
from dieselfront.kernel.hooks import oversight
from dieselfront.kernel.record import Header, new_game
from dieselfront.lab.crew import Crew, crew_of
from dieselfront.lab.invariants import (
    COPY_EVERY,
    check_copy,
    check_decision,
    check_position,
    check_record,
    check_twin,
    watch_events,
)
from dieselfront.lab.simulate import version_of
from dieselfront.rulesets import Companion

if TYPE_CHECKING:
    from dieselfront.kernel.ruleset import Ruleset


KINDS = ("units", "weapons", "skills", "specials", "choices")


class CannotExercise(ValueError):
    """A game that says nothing about its exercise; the sentence names those that do."""


@runtime_checkable
class ExerciseModule(Protocol):
    """What a game's module `exercise` gives."""

    SPECIALS: Sequence[str]
    """Actions beyond the usual ones."""
    UNUSABLE: dict[str, str]
    """Effects that no game can use, each with the reason."""
    Eager: Any
    """Makes the player who uses what has been used least: `Eager(used, chance)`."""

    def cards(self, rules: Ruleset[Any]) -> list[Any]:
        """All cards that are exercised."""

    def effects(self, rules: Ruleset[Any]) -> list[Any]:
        """The classes of all skills and weapon rules."""

    def is_mark(self, kind: Any) -> bool:
        """Is an effect used by being borne?"""

    def battle(
        self, rules: Ruleset[Any], cards: list[Any], used: Any, chance: Random
    ) -> tuple[dict[str, Any], list[Any]]:
        """A battlefield and two forces of what has been used least."""

    def count(self, game: Game, decision: Decision, answer: Answer, used: Any) -> None:
        """Count what an answer uses."""

    def seen(self, value: Any) -> Any:
        """What can be seen of a value, to tell whether it was changed."""

    def differs(self, hook: str, before: list[Any], result: Any) -> bool:
        """Did a hook change anything?"""


EXERCISE: Companion[ExerciseModule] = Companion("exercise", ExerciseModule)


@cache
def games() -> tuple[str, ...]:
    """The games that can be exercised: those with a companion module of their own."""
    return tuple(name for name in rulesets.names() if _own(name) is not None)


def _own(ruleset: str) -> ExerciseModule | None:
    """The module `exercise` in the game's own folder; a relative's does not fit its cards."""
    return EXERCISE.own(ruleset)


def exercise_of(ruleset: str) -> ExerciseModule:
    """What a game says about its exercise."""
    own = _own(ruleset)
    if own is None:
        raise CannotExercise(f"{ruleset} cannot be exercised yet; expected {' or '.join(games())}.")
    return own


class Used(NamedTuple):
    """How often everything was used; what was never used stands at 0. `marks` are skills used by being borne."""

    times: int
    games: int
    decisions: int
    units: Counter[str]
    weapons: Counter[str]
    skills: Counter[str]
    specials: Counter[str]
    choices: Counter[str]
    marks: list[str]
    unusable: dict[str, str]

    def wanting(self) -> dict[str, list[str]]:
        """What has not been used often enough yet, by its kind."""
        return {
            kind: [name for name, count in counter.items() if count < self.times]
            for kind, counter in (
                ("units", self.units),
                ("weapons", self.weapons),
                ("skills", self.skills),
                ("specials", self.specials),
            )
        }

    @property
    def done(self) -> float:
        """The share of all wanted uses that has been reached."""
        counters = (self.units, self.weapons, self.skills, self.specials)
        reached = sum(min(count, self.times) for counter in counters for count in counter.values())
        return reached / (self.times * sum(map(len, counters)))


def run(
    times: int,
    seed: int,
    most_games: int = 5000,
    ruleset: str = rulesets.DEFAULT,
    together: int = 1,
    workers: int | Crew = 1,
) -> Iterator[Used]:
    """Play until everything was used so many times; yields the tallies after every game.

    Every game looks for what is wanting. `together` games begin with the same tallies and can be played at once; the
    result depends on that number, not on how many workers there are.
    """
    rules: Ruleset[Any] = rulesets.load(ruleset)
    own = exercise_of(ruleset)
    used = nothing_used(rules, own, own.cards(rules), times)
    with crew_of(workers) as crew:
        for first in range(1, most_games + 1, together):
            numbers = range(first, min(first + together, most_games + 1))
            tasks = [Task(ruleset, seed, number, _plain(used)) for number in numbers]
            for number, played in zip(numbers, crew.run(play_task, tasks, Tallies, version_of(ruleset)), strict=True):
                used = _added(used, played, number)
                yield used
                if not any(used.wanting().values()):
                    return


Counts = dict[str, dict[str, int]]
"""The tallies of every kind, as they go to workers and into files."""


class Task(NamedTuple):
    """A game to be played, and what has been used before it."""

    ruleset: str
    seed: int
    number: int
    used: tuple[int, Counts]


class Tallies(NamedTuple):
    """What one game used."""

    decisions: int
    counts: Counts


def _plain(used: Used) -> tuple[int, Counts]:
    return used.times, {kind: dict(getattr(used, kind)) for kind in KINDS}


def _added(used: Used, played: Tallies, number: int) -> Used:
    """The tallies with those of one more game."""
    sums: dict[str, Any] = {kind: Counter(getattr(used, kind)) for kind in KINDS}
    for kind, counts in played.counts.items():
        sums[kind].update(counts)
    return used._replace(games=number, decisions=used.decisions + played.decisions, **sums)


def play_task(task: Task) -> Tallies:
    """One game, with the hooks of the rules under watch meanwhile."""
    own = exercise_of(task.ruleset)
    rules: Ruleset[Any] = rulesets.load(task.ruleset)
    cards = own.cards(rules)
    times, before = task.used
    used = nothing_used(rules, own, cards, times)
    for kind, counts in before.items():
        getattr(used, kind).update(counts)
    tally = Tally(used.skills, own)
    oversight.watch = tally.watch
    rules.forget()
    seed = f"{task.seed}/{task.number}"
    try:
        game = new_battle(rules, own, cards, used, seed)
        try:
            decisions = _play(game, own, used, tally, Random(f"{seed}/choices"))
        except Exception as error:
            error.add_note(f"in game {task.number} of seed {task.seed}, after {len(game.choices)} choices")
            raise
    finally:
        oversight.watch = None
        rules.forget()
    gained = {kind: dict(getattr(used, kind) - Counter(before[kind])) for kind in KINDS}
    return Tallies(decisions, gained)


def nothing_used(rules: Ruleset[Any], own: Any, cards: list[Any], times: int) -> Used:
    """The tallies before the first game."""
    kinds = own.effects(rules)
    return Used(
        times,
        0,
        0,
        Counter(dict.fromkeys((card.id for card in cards), 0)),
        Counter(dict.fromkeys((f"{card.id}/{weapon.id}" for card in cards for weapon in card.weapons), 0)),
        Counter(dict.fromkeys((kind.__qualname__ for kind in kinds if kind.__qualname__ not in own.UNUSABLE), 0)),
        Counter(dict.fromkeys(own.SPECIALS, 0)),
        Counter(),
        sorted({kind.__qualname__ for kind in kinds if own.is_mark(kind)}),
        own.UNUSABLE,
    )


def new_battle(rules: Ruleset[Any], own: Any, cards: list[Any], used: Used, seed: str) -> Game:
    """A game in which what is wanting can be used."""
    board, forces = own.battle(rules, cards, used, Random(f"{seed}/forces"))
    header = Header(rules.id, rules.version, board, forces, ["a", "b"], commitment(seed))
    return new_game(rules, header, seed)


def _play(game: Game, own: Any, used: Used, tally: Tally, chance: Random) -> int:
    """One game, watched after every event and choice; its record is replayed at the end."""
    eager = own.Eager(used, chance)
    made = 0
    watch_events(game, tally.pause)
    while (decision := game.pending) is not None:
        list(islice(decision.answers(), 1))  # options are worked out before the checks, so that their rules count
        twin = None
        with tally.pause():
            check_position(game)
            check_decision(game, decision, chance)
            if made % COPY_EVERY == 0:
                twin = game.copy()
                check_twin(twin, decision)
        answer = eager.choose(game, decision)
        own.count(game, decision, answer, used)
        game.choose(answer)
        tally.settle()
        if twin is not None:
            with tally.pause():
                check_copy(game, twin, decision, answer)
        made += 1
    with tally.pause():
        check_position(game)
        check_record(game)
    return made


class Tally:
    """Counts skills whose answer makes a difference: a value changed, a token given, a question asked."""

    def __init__(self, counts: Counter[str], own: Any) -> None:
        self.counts = counts
        self.own = own
        self.fresh: dict[str, None] = {}  # used since the last choice
        self.paused = False

    @contextmanager
    def pause(self) -> Iterator[None]:
        """What is asked meanwhile is no use of anything."""
        before, self.paused = self.paused, True
        try:
            yield
        finally:
            self.paused = before

    def settle(self) -> None:
        """A choice has been carried out: whatever was used for it counts once."""
        self.counts.update(self.fresh.keys())
        self.fresh.clear()

    def watch(self, skill: Any, hook: str, answer: Callable[..., Any]) -> Callable[..., Any]:
        """The skill's answer, with somebody looking over its shoulder."""
        name = type(skill).__qualname__
        seen, differs = self.own.seen, self.own.differs

        def asked(*context: Any) -> Any:
            if self.paused or name not in self.counts:
                return answer(*context)
            before = [seen(one) for one in context]
            result = answer(*context)
            if differs(hook, before, result) or [seen(one) for one in context] != before:
                self.fresh[name] = None
            return result

        def carried_out(*context: Any) -> Any:
            before = [seen(one) for one in context]
            procedure = answer(*context)
            spoke = False
            reply: Any = None
            while True:
                try:
                    question = procedure.send(reply)
                except StopIteration as end:
                    if not self.paused and name in self.counts and (spoke or [seen(one) for one in context] != before):
                        self.fresh[name] = None
                    return end.value
                spoke = True
                reply = yield question

        return carried_out if inspect.isgeneratorfunction(answer) else asked
