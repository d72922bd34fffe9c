"""Random games under watch: what must be true after every choice, whatever the rules did.

General checks (options, copies, records) know no rules; each ruleset adds its own through
`rules.invariants(state, quiet)`, which yields a sentence for everything that is wrong with a position.
"""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

from dieselfront.kernel.decisions import Decision, IllegalChoice
from dieselfront.kernel.game import Game
from dieselfront.kernel.record import digest, dump, load, record, replay

STRANGERS: tuple[Any, ...] = ("no such answer", -4711, ("x", ("y",)), {"a": 1}, 3.5)
MOST_ANSWERS = 12
COPY_EVERY = 9


class Broken(AssertionError):
    """Something that must never happen; the message says where and what."""


def play_watched(game: Game, chance: Random, *, copies: bool = True) -> int:
    """Play a game at random and check everything after every choice; returns the number of decisions."""
    made = 0
    while (decision := game.pending) is not None:
        check_position(game)
        check_decision(game, decision, chance)
        answer = decision.sample(chance)
        twin = game.copy() if copies and made % COPY_EVERY == 0 else None
        if twin is not None:
            asked = twin.pending
            if asked is None or asked.facts() != decision.facts():
                raise Broken(f"{decision.key}: a copy waits for another decision than its original")
        game.choose(answer)
        if twin is not None:
            check_copy(game, twin, decision, answer)
        made += 1
    check_position(game)
    check_record(game)
    return made


def check_position(game: Game) -> None:
    """What the ruleset says must be true of a position."""
    watch = getattr(game.rules, "invariants", lambda state, quiet: ())
    for complaint in watch(game.state, game.quiet):
        raise Broken(f"after choice {len(game.choices)}: {complaint}")


def check_decision(game: Game, decision: Decision, chance: Random) -> None:
    """Every answer offered is accepted; a stranger is refused with a reason and changes nothing."""
    for answer in islice(decision.answers(), MOST_ANSWERS):
        if decision.check(answer) != answer:
            raise Broken(f"{decision.key}: the offered answer {answer!r} is read as another")
    before = (len(game.choices), len(game.events), game.state.facts())
    for stranger in STRANGERS:
        try:
            game.choose(stranger)
        except IllegalChoice as refusal:
            if not refusal.reason:
                raise Broken(f"{decision.key}: refused without a reason") from None
        else:
            raise Broken(f"{decision.key}: took {stranger!r} for an answer")
    if (len(game.choices), len(game.events), game.state.facts()) != before:
        raise Broken(f"{decision.key}: a refused answer changed the game")


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
