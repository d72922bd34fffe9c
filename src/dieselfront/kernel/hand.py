"""The hand that rolls plans in a game: every die that falls is written into the log under its rule.

A ruleset with sentences of its own for dice has its own hand; this one serves any other (dice/performing.py).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, TypeVar

import msgspec

from dieselfront.dice.die import D6, Die
from dieselfront.dice.performing import PlainHand
from dieselfront.dice.stages import Check, Number, Table
from dieselfront.dice.throw import Dice, Throw, Thrown
from dieselfront.kernel.events import Read
from dieselfront.kernel.game import Play

T = TypeVar("T")


class LoggingHand(PlainHand):
    """Rolls for whoever acts and for whom it is done to: their sides, and the ids of their units."""

    def __init__(self, play: Play, players: tuple[int, int], units: tuple[str, str] = ("", "")) -> None:
        super().__init__(players)
        self.play = play
        self.units = units

    def throw(self, throw: Throw, count: int, by: int, rule: str) -> Generator[Any, Any, Thrown]:
        """Roll a throw."""
        return (yield from self.play.throw(throw, count, self.players[by], self.units[by], rule))

    def number(self, number: Number, by: int) -> Generator[Any, Any, int]:
        """Roll a number."""
        return (yield from self._logged(super().number(number, by), number.label, number.rule, by, D6))

    def read(self, table: Table) -> Generator[Any, Any, Sequence[int]]:
        """Roll the dice of a table."""
        return (yield from self._logged(super().read(table), table.label, table.rule, table.by, table.die))

    def check(self, check: Check, needed: int) -> Generator[Any, Any, bool]:
        """Roll a check."""
        return (yield from self._logged(super().check(check, needed), check.label, check.rule, check.by, D6))

    def _logged(
        self, rolling: Generator[Any, Any, T], label: str, rule: str, by: int, die: Die
    ) -> Generator[Any, Any, T]:
        """Pass the questions on, and log the faces that come back."""
        reply: Any = None
        while True:
            try:
                question = rolling.send(reply)
            except StopIteration as end:
                result: T = end.value
                return result
            reply = yield question
            if isinstance(question, Dice):
                faces = tuple(die.faces[face] for face in reply)
                named = msgspec.UNSET if die is self.play.rules.dice[0] else die.name
                self.play.emit(Read(rule, self.players[by], label, (("roll", faces),), die=named))


__all__ = ["LoggingHand"]
