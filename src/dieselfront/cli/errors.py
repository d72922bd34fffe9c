"""What the command line says when something is wrong, and how it prints one JSON document."""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Iterable
from typing import Any

import msgspec

EXIT_USER_ERROR = 2


class UserError(Exception):
    """A mistake the user can mend: one sentence with what is wrong, where, and what was expected (exit 2)."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def nearest(word: str, known: Iterable[str], *, at_most: int = 3) -> list[str]:
    """The known words most like this one, best first."""
    return difflib.get_close_matches(word, list(known), n=at_most, cutoff=0.5)


def unknown(kind: str, word: str, known: Iterable[str], *, listed_by: str = "") -> UserError:
    """The complaint about an id nobody knows, with the nearest ones that exist."""
    close = nearest(word, known)
    message = f"There is no {kind} '{word}'"
    if close:
        message += "; did you mean " + " or ".join(close)
    message += "?" if close else "."
    if listed_by:
        message += f" `{listed_by}` lists them."
    return UserError(message)


def print_json(document: Any) -> None:
    """Print one JSON document and nothing else; structs, tuples and dataclasses become plain JSON."""
    plain = msgspec.to_builtins(document, str_keys=True)
    sys.stdout.write(json.dumps(plain, ensure_ascii=False, indent=2) + "\n")


def complain(message: str) -> None:
    """One line for the person at the terminal, on stderr."""
    sys.stderr.write(f"dieselfront: {message}\n")
