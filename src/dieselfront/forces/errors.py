"""What can be wrong with a card, a list or an imported file, told in one sentence each."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

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


class BadCards(ForcesError):
    """Cards that could not be loaded, every fault listed."""

    def __init__(self, errors: Iterable[CardError]) -> None:
        self.errors = tuple(errors)
        more = len(self.errors) - 1
        super().__init__(f"{self.errors[0]}" + (f" (and {more} more)" if more else ""))


class UnknownCard(ForcesError, KeyError):
    """An id that no card has, with the nearest ids that exist."""

    def __init__(self, card_id: str, ruleset: str, known: Iterable[str]) -> None:
        self.card_id = card_id
        self.nearest = nearest(card_id, known)
        hint = f"; did you mean {' or '.join(self.nearest)}?" if self.nearest else "."
        self.sentence = f"There is no {ruleset} card with the id {card_id!r}{hint}"
        super().__init__(self.sentence)

    def __str__(self) -> str:
        return self.sentence


def nearest(word: str, known: Iterable[str], count: int = 3) -> tuple[str, ...]:
    """The known words most like this one, best first.

    Words that contain it come first, then those that share its parts once slips are mended (`rangr` is
    `ranger`), then those that look alike as a whole.
    """
    if not word or len(word) > 200:
        return ()
    names = list(dict.fromkeys(known))
    within = [name for name in names if word.lower() in name.lower()]
    found = dict.fromkeys(by_length(within)[:count])
    found.update(dict.fromkeys(by_length(sharing_parts(word, names))[:count]))
    by_small = {name.lower(): name for name in reversed(names)}
    alike = difflib.get_close_matches(word.lower(), by_small, n=count, cutoff=0.6)
    found.update(dict.fromkeys(by_small[name] for name in alike))
    return tuple(found)[:count]


def by_length(names: list[str]) -> list[str]:
    return sorted(names, key=lambda name: (len(name), name))


def sharing_parts(word: str, names: list[str]) -> list[str]:
    """Names that have all parts of the word, each part mended to the nearest that exists."""
    parts = {name: set(_PARTS.findall(name.lower())) for name in names}
    vocabulary = sorted(set().union(*parts.values())) if parts else []
    wanted: set[str] = set()
    for part in _PARTS.findall(word.lower())[:8]:
        mended = [part] if part in vocabulary else difflib.get_close_matches(part, vocabulary, n=1, cutoff=0.7)
        wanted.update(mended)
    return [name for name in names if wanted and wanted <= parts[name]]
