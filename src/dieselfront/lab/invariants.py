"""Random games under watch: what must be true after every event and every choice, whatever the rules did.

General checks (options, copies, records) know no rules; each ruleset adds its own through
`rules.invariants(state, quiet)`, which yields a sentence for everything that is wrong with a position, and
`rules.event_invariants(state, event)`, which does so for something that has just happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from random import Random
from typing import Any

from dieselfront.kernel.decisions import Answer, Decision, IllegalChoice
from dieselfront.kernel.events import Event
from dieselfront.kernel.game import Game
from dieselfront.kernel.record import digest, dump, load, record, replay
from dieselfront.kernel.trail import Trail

STRANGERS: tuple[Any, ...] = ("no such answer", -4711, ("x", ("y",)), {"a": 1}, 3.5)
MOST_ANSWERS = 12
OLD_ANSWERS = 6
COPY_EVERY = 9


class Broken(AssertionError):
    """Something that must never happen; the message says where and what."""


class WatchedLog(list[Event]):
    """A log that looks at the position after every event that is written into it."""

    __slots__ = ("aside", "game", "of_event", "of_state")

    def __init__(self, game: Game, aside: Callable[[], AbstractContextManager[None]]) -> None:
        super().__init__(game.events)
        self.game = game
        self.aside = aside
        self.of_state = game.rules.invariants
        self.of_event = game.rules.event_invariants

    def append(self, event: Event) -> None:
        super().append(event)
        state = self.game.play.state
        with self.aside():
            for complaint in (*self.of_state(state, False), *self.of_event(state, event)):
                raise Broken(f"after {type(event).__name__}, event {len(self)}: {complaint}")


def watch_events(game: Game, aside: Callable[[], AbstractContextManager[None]] = nullcontext) -> None:
    """From now on look at the game after every event, within `aside`; copies of the game are not watched."""
    if not isinstance(game.play.log.own, WatchedLog):
        game.play.log = Trail(WatchedLog(game, aside))


def play_watched(game: Game, chance: Random, *, copies: bool = True) -> int:
    """Play a game at random and check everything after every event and choice; returns the number of decisions.

    Positions, events, offered answers and refusals are checked always, copies at every ninth choice, the record once.
    """
    made = 0
    watch_events(game)
    while (decision := game.pending) is not None:
        check_position(game)
        check_decision(game, decision, chance)
        answer = decision.sample(chance)
        twin = game.copy() if copies and made % COPY_EVERY == 0 else None
        if twin is not None:
            check_twin(twin, decision)
        game.choose(answer)
        if twin is not None:
            check_copy(game, twin, decision, answer)
        made += 1
    check_position(game)
    check_record(game)
    return made


def check_position(game: Game) -> None:
    """What the ruleset says must be true of a position."""
    watch = game.rules.invariants
    for complaint in watch(game.state, game.quiet):
        raise Broken(f"after choice {len(game.choices)}: {complaint}")


def check_decision(game: Game, decision: Decision, chance: Random) -> None:
    """Every answer offered is accepted; anything else is refused with a reason and changes nothing."""
    offered = list(islice(decision.answers(), MOST_ANSWERS))
    for answer in offered:
        if decision.check(answer) != answer:
            raise Broken(f"{decision.key}: the offered answer {answer!r} is read as another")
    before = (len(game.choices), len(game.events), game.state.facts())
    whole = not decision.takes_more
    for stranger in (*STRANGERS, *(_not_offered(game, offered) if whole else ())):
        try:
            game.choose(stranger)
        except IllegalChoice as refusal:
            if not refusal.reason:
                raise Broken(f"{decision.key}: refused without a reason") from None
        else:
            raise Broken(f"{decision.key}: took {stranger!r} for an answer")
    if (len(game.choices), len(game.events), game.state.facts()) != before:
        raise Broken(f"{decision.key}: a refused answer changed the game")


def _not_offered(game: Game, offered: list[Answer]) -> Iterable[Answer]:
    """Answers that were right a moment ago and are not now; only where the list of what is right is whole."""
    if len(offered) < MOST_ANSWERS:
        for answer in dict.fromkeys(game.choices[-OLD_ANSWERS:]):
            if not any(answer == one or _same_set(answer, one) for one in offered):
                yield answer


def _same_set(answer: Answer, other: Answer) -> bool:
    """Are both the same things in another order? Picks of several take any order; "yes" is as good as True."""
    if isinstance(answer, tuple) and isinstance(other, tuple):
        return sorted(map(repr, answer)) == sorted(map(repr, other))
    return isinstance(other, bool) and str(answer).lower() in ("yes", "no")


def check_twin(twin: Game, decision: Decision) -> None:
    """A copy waits for the decision its original waits for."""
    asked = twin.pending
    if asked is None or asked.facts() != decision.facts():
        raise Broken(f"{decision.key}: a copy waits for another decision than its original")


def check_copy(game: Game, twin: Game, decision: Decision, answer: Any) -> None:
    """A copy that was asked the same question goes the same way."""
    twin.choose(answer)
    if twin.state.facts() != game.state.facts() or twin.events != game.events:
        raise Broken(f"{decision.key}: a copy went another way than its original")


def check_record(game: Game) -> None:
    """The record of the finished game replays to the same game."""
    again = replay(game.rules, load(dump(record(game))))
    if digest(again) != digest(game):
        raise Broken("the record replays to another game")
