"""What the referee says when a file is wrong: one sentence that begins with the line, or in JSON with the step."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


class LineNumber(int):
    """The number of a line; in JSON, where everything may stand on one, also the words that name the place."""

    words: str = ""

    @classmethod
    def of_path(cls, number: int, words: str) -> LineNumber:
        """A line whose place is called by its words."""
        line = cls(number)
        line.words = words
        return line

    def named(self) -> str:
        """How a complaint begins."""
        return self.words or (f"line {int(self)}" if self else "")


class RefereeError(ValueError):
    """Something in a referee file is wrong; the sentence names the line, what was found and what was expected.

    `rule` is the rule that forbids it, where a rule does; `events` are the sentences of what had happened before.
    `forbids` tells a refusal from a mistake of the file: it was clearly read, but the rules, or the laws of a position,
    do not allow it. `about` is the word that a question could not be answered for.
    """

    def __init__(
        self,
        message: str,
        line: int = 0,
        rule: str | None = None,
        events: Sequence[str] = (),
        forbids: bool = False,
        about: str = "",
    ) -> None:
        place = line.named() if isinstance(line, LineNumber) else f"line {line}" if line else ""
        super().__init__(f"{place}: {message}" if place else message)
        self.line = int(line)
        self.rule = rule
        self.events = tuple(events)
        self.forbids = forbids
        self.about = about

    @property
    def is_refusal(self) -> bool:
        """Was it understood and then refused, rather than not understood?"""
        return self.forbids or self.rule is not None


def suggestion(word: str, known: Iterable[str]) -> str:
    """'; did you mean X?' or '; expected one of ...'."""
    words = [str(one) for one in known]
    spelled = {one.lower(): one for one in words}
    close = difflib.get_close_matches(word.lower(), spelled, n=2, cutoff=0.6)
    if close:
        return f"; did you mean {' or '.join(spelled[one] for one in close)}?"
    return f"; expected one of {', '.join(words)}" if words else ""


def counted(number: int, what: str, several: str = "") -> str:
    """ "1 die", "3 dice": a number with its word."""
    return f"{number} {what if number == 1 else several or what + 's'}"


__all__ = ["LineNumber", "RefereeError", "counted", "suggestion"]
