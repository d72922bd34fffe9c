"""What the referee says when a file is wrong: one sentence that begins with the line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class RefereeError(ValueError):
    """Something in a referee file is wrong; the sentence names the line, what was found and what was expected."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.line = line


def suggestion(word: str, known: Iterable[str]) -> str:
    """'; did you mean X?' or '; expected one of ...'."""
    words = [str(one) for one in known]
    close = difflib.get_close_matches(word.lower(), words, n=2, cutoff=0.6)
    if close:
        return f"; did you mean {' or '.join(close)}?"
    return f"; expected one of {', '.join(words)}" if words else ""
