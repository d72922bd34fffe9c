"""What can be wrong with a card, a list or an imported file, in one sentence each."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from functools import lru_cache

import msgspec

_PARTS = re.compile(r"[^\W_]+")


class CardError(msgspec.Struct, frozen=True):
    """One fault in one card: which file, which card, which field, and what was expected there."""

    file: str
    card: str
    field: str
    message: str

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.file, self.card and f"card {self.card}", self.field) if part)
        return f"{place}: {self.message}"


class ForcesError(ValueError):
    """A mistake in what the user gave us; the text is fit to be shown as it is."""


class Fault(ValueError):
    """A value of a card that the format allows and sense does not; names the field."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class UnknownCard(ForcesError, KeyError):
    """An id that no card has, with the nearest ids that exist, looked up when the sentence is asked for."""

    def __init__(self, card_id: str, ruleset: str, known: Iterable[str]) -> None:
        super().__init__(card_id)
        self.card_id = card_id
        self.ruleset = ruleset
        self._known = known

    @property
    def nearest(self) -> tuple[str, ...]:
        return nearest(self.card_id, self._known)

    def __str__(self) -> str:
        close = self.nearest
        hint = f"; did you mean {' or '.join(close)}?" if close else "."
        game = f"{self.ruleset} " if self.ruleset else ""
        return f"There is no {game}card with the id {self.card_id!r}{hint}"


class SeveralCards(ForcesError):
    """Words that fit more than one card."""

    def __init__(self, words: str, ids: Iterable[str]) -> None:
        fitting = list(ids)
        shown = ", ".join(fitting[:6]) + (" ..." if len(fitting) > 6 else "")
        super().__init__(f"'{words[:80]}' fits {len(fitting)} cards; name one of them by its id: {shown}")


def nearest(word: str, known: Iterable[str], count: int = 3) -> tuple[str, ...]:
    """The known words most like this one, best first.

    Words that contain it come first, then those that share its parts once slips are mended (`rangr` is
    `ranger`), then those that look alike as a whole.
    """
    if not word or len(word) > 200:
        return ()
    return most_alike(word.lower(), tuple(dict.fromkeys(known)), count)


@lru_cache(maxsize=256)
def most_alike(word: str, names: tuple[str, ...], count: int) -> tuple[str, ...]:
    within = [name for name in names if word in name.lower()]
    similar = dict.fromkeys(by_length(within)[:count])
    similar.update(dict.fromkeys(by_length(sharing_parts(word, names))[:count]))
    if len(similar) < count:
        by_small = {name.lower(): name for name in reversed(names)}
        alike = difflib.get_close_matches(word, by_small, n=count, cutoff=0.6)
        similar.update(dict.fromkeys(by_small[name] for name in alike))
    return tuple(similar)[:count]


def by_length(names: list[str]) -> list[str]:
    return sorted(names, key=lambda name: (len(name), name))


def sharing_parts(word: str, names: tuple[str, ...]) -> list[str]:
    """Names that have all parts of the word, each part mended to the nearest that exists."""
    parts = parts_of(names)
    wanted: set[str] = set()
    for part in _PARTS.findall(word)[:8]:
        mended = [part] if part in parts else difflib.get_close_matches(part, parts, n=1, cutoff=0.7)
        wanted.update(mended)
    if not wanted:
        return []
    return [name for name in names if all(name in parts[part] for part in wanted)]


@lru_cache(maxsize=16)
def parts_of(names: tuple[str, ...]) -> dict[str, frozenset[str]]:
    """The words that names are made of, each with the names that have it."""
    parts: dict[str, set[str]] = {}
    for name in names:
        for part in _PARTS.findall(name.lower()):
            parts.setdefault(part, set()).add(name)
    return {part: frozenset(holders) for part, holders in sorted(parts.items())}
