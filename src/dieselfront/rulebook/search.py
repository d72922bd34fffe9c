"""Searching the rules: every word must fit somewhere; titles and ids weigh more than the text.

The words of the rules are indexed once: each word of a search is compared with the vocabulary of the books, not with
every word of every rule.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence

from dieselfront.rulebook.model import Rule

_WORD = re.compile(r"[a-z0-9']+")
_WEIGHTS = (("title", 8), ("id", 6), ("text", 3), ("note", 1), ("problem", 1), ("example", 1))
_WHOLE_WORD = 2
RULING_PENALTY = 1
MOST_WORDS = 12
"""Words of a search that count; whoever writes more has said enough by then."""
KEPT = 12
"""Collections of rules whose index is kept: each game's own, and all of them together."""


def search(words: str, rules: Iterable[Rule]) -> list[Rule]:
    """The rules that hold all the words, best first; those that hold some of them if none holds all."""
    return _index_of(tuple(rules)).search(words)


class Index:
    """The vocabulary of some rules: which rules hold a word, and in which fields."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = rules
        self.held: dict[str, dict[int, int]] = {}
        """By word: the rules that hold it (by place), each with its fields as bits."""
        for place, rule in enumerate(rules):
            for bit, (field, _) in enumerate(_WEIGHTS):
                for word in set(map(_stem, _words(getattr(rule, field)))):
                    holders = self.held.setdefault(word, {})
                    holders[place] = holders.get(place, 0) | 1 << bit

    def search(self, words: str) -> list[Rule]:
        """The rules that fit, best first."""
        wanted = [_stem(word) for word in _words(words)][:MOST_WORDS]
        scores = [self._scores(word) for word in wanted]
        every = set.intersection(*map(set, scores)) if scores else set()
        some = every or {place for held in scores for place in held}
        totals = {place: sum(held.get(place, 0) for held in scores) for place in some}
        ranked = sorted(totals, key=lambda place: (-_weighed(totals[place], self.rules[place]), self.rules[place].id))
        return [self.rules[place] for place in ranked]

    def _scores(self, word: str) -> dict[int, int]:
        """What a word is worth to each rule that holds it, or a near relative of it."""
        whole = self.held.get(word, {})
        near: dict[int, int] = {}
        for other, holders in self.held.items():
            if _related(word, other):
                for place, fields in holders.items():
                    near[place] = near.get(place, 0) | fields
        return {place: _worth(whole.get(place, 0), near.get(place, 0)) for place in whole.keys() | near.keys()}


_kept: OrderedDict[tuple[int, ...], Index] = OrderedDict()


def _index_of(rules: tuple[Rule, ...]) -> Index:
    """The index of these rules, made once; it holds the rules, so their identities stay theirs."""
    key = tuple(map(id, rules))
    index = _kept.get(key)
    if index is None:
        index = _kept[key] = Index(rules)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return index


def _worth(whole: int, near: int) -> int:
    """Fields that hold the word itself count twice, fields with a near relative (suppress, suppression) once."""
    worth = 0
    for bit, (_, weight) in enumerate(_WEIGHTS):
        if whole >> bit & 1:
            worth += weight * _WHOLE_WORD
        elif near >> bit & 1:
            worth += weight
    return worth


def _weighed(score: int, rule: Rule) -> int:
    """A rule comes before the designer's note that fits as well."""
    return score - RULING_PENALTY if rule.is_ruling else score


def _related(word: str, other: str) -> bool:
    """One begins with the other, and the shorter one is long enough to mean something."""
    if len(word) > len(other):
        return len(other) > 4 and word.startswith(other)
    return len(word) > 2 and other.startswith(word)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("_", " "))


def _stem(word: str) -> str:
    """Singular and plural are one word."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
