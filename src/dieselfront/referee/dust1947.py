"""The referee's adaptor for Dust 1947: positions on squares and the questions about them."""

from __future__ import annotations

from typing import Any

from dieselfront.referee.court import Answer
from dieselfront.referee.document import Entry
from dieselfront.referee.dust_position import KEYS, Position
from dieselfront.referee.dust_questions import Questions
from dieselfront.referee.session import Session

QUESTIONS = ("sight", "cover", "range", "arc", "reach", "weapons", "odds", "objectives", "square")


class Dust1947Adaptor:
    """What a Dust 1947 file may say and ask."""

    keys = KEYS
    questions = QUESTIONS

    def position(self, rules: Any, root: dict[str, Entry], options: dict[str, str]) -> Any:
        """The state that the file describes."""
        return Position(rules, root, options).state()

    def answer(self, session: Session, kind: str, entry: Entry) -> Answer:
        """The answer to one question about the position as it is now."""
        return Questions(session).answer(kind, entry)

    def facing(self, state: Any, unit: str) -> Any:
        """Which way a unit looks, kept where a choice names no facing."""
        found = state.by_id.get(unit)
        return found.facing if found is not None else None


ADAPTOR = Dust1947Adaptor()
