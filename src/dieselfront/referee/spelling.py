"""The words that answers and sentences may consist of: those of a game's own texts, and of the table being judged.

Whether an answer is legal is for the rules to say; here it is only asked whether it can be read at all: whether every
word of it names something in this game, an action, a weapon, a unit or a place. Closed lists stand in vocabulary.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dieselfront
from dieselfront.kernel.decisions import Decision, Number, Place, YesNo
from dieselfront.referee.choices import EVERYTHING, FIRST, NOBODY, SHORTEST, THE_REST, simple
from dieselfront.referee.measured_words import COMPASS, STAYING, TENTHS
from dieselfront.referee.reference import SHAPES, decisions
from dieselfront.referee.vocabulary import nearest, relatives, source_files, texts

if TYPE_CHECKING:
    from dieselfront.referee.session import Session

OF_ANSWERS = (*NOBODY, *EVERYTHING, *THE_REST, FIRST, *STAYING, *COMPASS, *TENTHS, "yes", "holds")
JOINING = "a an and at away by centre degrees facing floor from in of on over the then to via way with x"
MANOEUVRES = "back backwards forward forwards hold left pivot point reverse right step straight turn"
SHARED_SOURCES = ("kernel/*.py", "referee/choices.py", "referee/questions.py")
"""Whose texts stand in decisions and answers of every game."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_DOCSTRING = re.compile(r'"""[\s\S]*?"""')
_FILLED_IN = re.compile(r"\{[^{}]*\}")
_MEASURE = re.compile(r"^\d+(?:in|inch|inches|cm|mm|ft|feet|x|st|nd|rd|th)?$")
PLACES = (SHAPES["Place"], SHAPES["Path"])
SQUARE = re.compile(r"^[a-z]{1,2}\d{1,3}$")


def words_of(value: Any) -> Iterator[str]:
    """Every word of a value, in small letters; of a table its keys as well."""
    return (word.lower() for word in _as_written(value))


def _as_written(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from _as_written(list(value))
        yield from _as_written(list(value.values()))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _as_written(one)
    elif isinstance(value, str):
        yield from _WORD.findall(value)


@cache
def written_words(ruleset: str) -> frozenset[str]:
    """The words of all texts in the source of a game: its labels, its reasons, its sentences."""
    shared = (file for files in SHARED_SOURCES for file in Path(dieselfront.__file__).parent.glob(files))
    own = (file for name in relatives(ruleset) for file in source_files(name))
    words = {word for file in (*shared, *own) for word in _words_in(file)}
    return frozenset(words | set(words_of([*OF_ANSWERS, JOINING, MANOEUVRES])))


@cache
def _words_in(file: Path) -> frozenset[str]:
    source = _DOCSTRING.sub("", file.read_text("utf-8"))
    return frozenset(word for text in _QUOTED.findall(source) for word in words_of(_FILLED_IN.sub(" ", text)))


class Spelling:
    """The words of one table at one moment."""

    def __init__(self, session: Session[Any, Any], happened: Iterable[str] = ()) -> None:
        """`happened` are sentences of what is over: they name who is no longer on the table."""
        self.session = session
        self.ruleset = session.rules.id
        self.on_squares = session.rules.table == "squares"
        view = session.rules.view(session.state)
        self.named = {*words_of(view), *words_of(list(happened))}
        self.units = [str(unit["id"]).lower() for unit in view["units"]]
        self.board = (view["table"].get("width", 0), view["table"].get("height", 0)) if self.on_squares else (0, 0)

    def knows(self, text: str, more: Iterable[str] = ()) -> bool:
        """Does every word of a text occur in this game?"""
        return self.unknown(text, more) is None

    def unknown(self, value: Any, more: Iterable[str] = ()) -> str | None:
        """The first word that nobody knows; None if all are known. `more` are texts that stand beside."""
        beside = set(words_of(list(more)))
        return next((word.lower() for word in _as_written(value) if not self._is_known(word, beside)), None)

    def _is_known(self, written: str, beside: set[str]) -> bool:
        word = written.lower()
        if word.isdigit() or len(word) == 1 or _MEASURE.match(word):
            return True
        known = (beside, self.named, written_words(self.ruleset))
        if any(one in words for one in (word, word.removesuffix("s"), word + "s") for words in known):
            return True
        if any(letter.isdigit() for letter in word):
            return self.on_squares and written[0].isupper() and self._is_square(word)
        return len(word) >= SHORTEST and any(known_word.startswith(word) for words in known[:2] for known_word in words)

    def _is_square(self, word: str) -> bool:
        """A square of the board. Only capitals name one: a small letter and a number is a unit."""
        if not SQUARE.match(word):
            return False
        column = 0
        for letter in word.rstrip("0123456789"):
            column = column * 26 + ord(letter) - ord("a") + 1
        row = int(word.lstrip("abcdefghijklmnopqrstuvwxyz"))
        return column <= self.board[0] and 1 <= row <= self.board[1]

    # -- answers --------------------------------------------------------------------------------------

    def unreadable(self, decision: Decision | None, wanted: Any) -> str | None:
        """Why an answer cannot be read at all; None if its words name what there is in this game, legal or not."""
        if isinstance(decision, YesNo):
            return None if isinstance(wanted, bool) or simple(str(wanted)) in ("yes", "no") else "expected yes or no"
        if isinstance(decision, Number):
            number = str(wanted).strip().lstrip("-")
            return None if number.isdigit() else "expected a whole number"
        labels = self._labels(decision) if decision is not None else []
        if wanted is True and decision is not None and "yes" not in words_of(labels):
            return "yes is an answer to questions of yes or no"
        if isinstance(decision, Place) and isinstance(wanted, str):
            return self._unreadable_place(wanted, labels)
        return self._complaint(wanted, labels)

    def unreadable_later(self, key: str, wanted: Any) -> str | None:
        """The same for an answer to a decision that is not asked now."""
        is_place = any(asked.shape in PLACES for asked in decisions(self.ruleset) if simple(asked.key) == simple(key))
        if is_place and self.on_squares and isinstance(wanted, str):
            return self._unreadable_place(wanted, [])
        return self._complaint(wanted, [])

    def _unreadable_place(self, wanted: str, labels: list[str]) -> str | None:
        """Squares need not lie on the board: that they do not is a reason to refuse them."""
        beside = {*words_of(labels), *words_of([*OF_ANSWERS, JOINING, MANOEUVRES])}
        for word in words_of(wanted):
            if word not in beside and not SQUARE.match(word) and not word.isdigit():
                return f"'{word}' is no place"
        return None

    def _complaint(self, wanted: Any, labels: list[str]) -> str | None:
        word = self.unknown(wanted, labels)
        if word is None:
            return None
        known = [*words_of(labels), *self.units, *self.named]
        return f"nobody knows '{word}'{nearest(word, dict.fromkeys(known))}"

    def _labels(self, decision: Decision) -> list[str]:
        shown = decision.facts()
        refused = decision.refused() if decision.refusals is not None else []
        return [decision.key, decision.text, *texts(shown), *(option.label for option in refused)]


__all__ = ["Spelling", "words_of", "written_words"]
