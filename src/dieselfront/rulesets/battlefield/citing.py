"""Naming this game's rules: what a relative's code does in its own ids is cited under the ids of Battlefield.

Chapters that Battlefield inherits name the rules of Dust 1947. The same rule has an id of its own here; cites.yaml
pairs them. Events, decisions and reasons of plans are translated when they leave the procedures.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

import msgspec
import yaml

from dieselfront.dice import Because, Reroll, Throw, Thrown
from dieselfront.dice.throw import Dice
from dieselfront.kernel.decisions import Decision
from dieselfront.kernel.events import Event
from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.battlefield.classic import classic
from dieselfront.rulesets.dust.events import PoolPlanned

T = TypeVar("T")
Refusals = Callable[[], Mapping[Any, tuple[str, str]]]


@cache
def table() -> dict[str, str]:
    """The ids of relatives, each with the id of the same rule here."""
    text = files("dieselfront.rulesets.battlefield").joinpath("cites.yaml").read_text("utf-8")
    return {str(old): str(new) for old, new in yaml.safe_load(text).items()}


def cite(rule: str) -> str:
    """The id by which this game knows a rule."""
    return table().get(rule, rule)


class CitingPlay(Play):
    """A play whose log names the rules of this game; everything else is the play it stands for.

    That one alone knows what copies inherit, whether a copy repeats answers, and whether pauses are of any use.
    """

    __slots__ = ("_play",)

    def __init__(self, play: Play) -> None:
        self.rules, self.state, self.log = play.rules, play.state, play.log
        self._play = play

    @property
    def pauses(self) -> bool:  # type: ignore[override]  # only the game itself sets it
        return self._play.pauses

    @property
    def answered(self) -> bool:  # type: ignore[override]
        return self._play.answered

    def once(self, find: Callable[[], T]) -> Callable[[], T]:
        return self._play.once(find)

    def now(self, find: Callable[[], T]) -> T:
        return self._play.now(find)

    def throw(
        self, throw: Throw, count: int, player: int, unit: str = "", rule: str = ""
    ) -> Generator[Dice, Any, Thrown]:
        """With the dice that the players chose (bf.dice.faces)."""
        if self.state.options.get("dice") == "classic":
            throw = classic(throw)
        return self._play.throw(throw, count, player, unit, cite(rule or throw.rule))

    def emit(self, event: Event) -> None:
        rule = cite(event.rule)
        if isinstance(event, PoolPlanned):
            reasons = tuple((cite(name), text) for name, text in event.reasons)
            event = msgspec.structs.replace(event, rule=rule, reasons=reasons)
        elif rule is not event.rule:
            event = msgspec.structs.replace(event, rule=rule)
        self._play.emit(event)


def citing(procedure: Procedure) -> Procedure:
    """The same questions, decisions under the ids of this game."""
    answer: Any = None
    while True:
        try:
            question = procedure.send(answer)
        except StopIteration as stop:
            return stop.value
        if isinstance(question, Decision):
            question.rule = cite(question.rule)
            if question.refusals is not None:
                question.refusals = _cited_refusals(question.refusals)
        answer = yield question


def _cited_refusals(refusals: Refusals) -> Refusals:
    """Why answers are refused, under the ids of this game."""
    return lambda: {answer: (cite(rule), reason) for answer, (rule, reason) in refusals().items()}


def cited(throw: Throw, chosen: Callable[[Throw], Throw] | None = None) -> Throw:
    """A throw of a plan under the ids of this game, with other dice perhaps."""
    twin = throw if chosen is None else chosen(throw)
    rerolls = tuple(Reroll(one.successes, one.faces, cite(one.rule)) for one in twin.rerolls)
    return Throw(
        twin.label,
        twin.die,
        twin.faces,
        cite(twin.rule),
        rerolls,
        twin.chain,
        twin.confirm,
        because(twin.because),
        twin.reads,
        twin.ordered,
    )


def because(items: tuple[Because, ...]) -> tuple[Because, ...]:
    """Reasons of a plan under the ids of this game."""
    return tuple(Because(cite(item.rule), item.text) for item in items)
