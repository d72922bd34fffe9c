"""What the referee gives back: answers to questions, events with their sentences, and the verdict on a whole file."""

from __future__ import annotations

from typing import Any

import msgspec


class Answer(msgspec.Struct):
    """The answer to one question: facts, in sentences, with the rules behind it; `marks` are for drawings."""

    kind: str
    text: list[str]
    facts: dict[str, Any]
    rules: list[str] = []
    marks: dict[str, Any] = {}
    line: int = 0
    after: int = 0


class EventLine(msgspec.Struct):
    """An event with its sentence; `step` is the choice that led to it, 0 before the first."""

    event: dict[str, Any]
    text: str
    step: int


class Verdict(msgspec.Struct):
    """Everything the referee has to say about a file."""

    ruleset: str
    title: str
    answers: list[Answer]
    events: list[EventLine]
    state: dict[str, Any]
    decision: dict[str, Any] | None
    dice_used: int
    failed: list[dict[str, Any]] = []
    """Expectations of a case file that were not met."""

    def to_json(self) -> dict[str, Any]:
        """The verdict as `dieselfront referee --json` prints it."""
        return {
            "ruleset": self.ruleset,
            "title": self.title,
            "answers": [answer_json(answer) for answer in self.answers],
            "events": [event_json(line) for line in self.events],
            "state": self.state,
            "decision": self.decision,
            "dice_used": self.dice_used,
            **({"failed": self.failed} if self.failed else {}),
        }


def answer_json(answer: Answer) -> dict[str, Any]:
    """One answer as plain data."""
    first = {"ask": answer.kind, "line": answer.line, "after": answer.after}
    return {**first, **answer.facts, "text": answer.text, "rules": answer.rules}


def event_json(line: EventLine) -> dict[str, Any]:
    """One event as plain data."""
    return {**line.event, "text": line.text, "step": line.step}


__all__ = ["Answer", "EventLine", "Verdict", "answer_json", "event_json"]
