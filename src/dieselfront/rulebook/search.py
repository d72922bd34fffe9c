"""Searching the rules: every word must fit somewhere; titles and ids weigh more than the text.

It forgives: words that only make a question of it are left out, words of other games are translated
(`synonyms.yaml`), and a word that no rule holds is taken for the nearest one that some rule does.

The words of the rules are indexed once: each word of a search is compared with the vocabulary of the books, not with
every word of every rule.
"""

from __future__ import annotations

import difflib
import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
import yaml

from dieselfront.rulebook.model import Rule

_WORD = re.compile(r"[a-z0-9']+")
_WEIGHTS = (("title", 8), ("id", 6), ("text", 3), ("note", 1), ("problem", 1), ("example", 1))
_WHOLE_WORD = 2
RULING_PENALTY = 1
MOST_WORDS = 12
"""Words of a search that count; whoever writes more has said enough by then."""
SLIP = 2
"""Letters that a mistyped word may be shorter or longer, and shorter words are not mended."""
ALIKE = 0.75
"""How alike a mistyped word must be, from 0 to 1."""
MENDED_KEPT = 500
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
        stems: dict[str, str] = {}
        for place, rule in enumerate(rules):
            for bit, (field, _) in enumerate(_WEIGHTS):
                text = getattr(rule, field)
                if not text:
                    continue
                for word in {stems.get(one) or stems.setdefault(one, _stem(one)) for one in _words(text)}:
                    holders = self.held.setdefault(word, {})
                    holders[place] = holders.get(place, 0) | 1 << bit

        self.mended: OrderedDict[str, str] = OrderedDict()
        """Words that no rule holds, and what was taken for them."""

    def search(self, words: str) -> list[Rule]:
        """The rules that fit, best first."""
        scores = [self._best(meanings) for meanings in wanted_words(words)]
        every = set.intersection(*map(set, scores)) if scores else set()
        some = every or {place for held in scores for place in held}
        totals = {place: sum(held.get(place, 0) for held in scores) for place in some}
        held_by = {place: sum(place in held for held in scores) for place in some}

        def rank(place: int) -> tuple[int, int, str]:
            return -held_by[place], -_weighed(totals[place], self.rules[place]), self.rules[place].id

        return [self.rules[place] for place in sorted(totals, key=rank)]

    def _best(self, meanings: Sequence[str]) -> dict[int, int]:
        """What a word is worth to each rule, as it was written or as this book calls it."""
        best: dict[int, int] = {}
        for meaning in meanings:
            held = [self._scores(_stem(word)) for word in _words(meaning)]
            for place in set.intersection(*map(set, held)):
                best[place] = max(best.get(place, 0), sum(one[place] for one in held) // len(held))
        return best or self._scores(self._mend(_stem(meanings[0].split()[-1])))

    def _mend(self, word: str) -> str:
        """The word of the book that a mistyped one is nearest to; the word itself if there is none."""
        if word not in self.mended:
            alike = [one for one in self.held if abs(len(one) - len(word)) <= SLIP and one[0] in word[:SLIP]]
            close = difflib.get_close_matches(word, alike, n=1, cutoff=ALIKE) if len(word) > SLIP else []
            self.mended[word] = close[0] if close else word
            while len(self.mended) > MENDED_KEPT:
                self.mended.popitem(last=False)
        return self.mended[word]

    def _scores(self, word: str) -> dict[int, int]:
        """What a word is worth to each rule that holds it, or a near relative of it."""
        whole = self.held.get(word, {})
        near: dict[int, int] = {}
        for other, holders in self.held.items():
            if _related(word, other):
                for place, fields in holders.items():
                    near[place] = near.get(place, 0) | fields
        return {place: _worth(whole.get(place, 0), near.get(place, 0)) for place in whole.keys() | near.keys()}


class Synonyms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words of other games in the words of ours, and words that only make a sentence of a search."""

    plain: frozenset[str]
    same: dict[str, tuple[str, ...]]


@cache
def synonyms() -> Synonyms:
    """The words that come with the program."""
    text = files("dieselfront.rulebook").joinpath("synonyms.yaml").read_text(encoding="utf-8")
    data: Any = yaml.safe_load(text)
    return Synonyms(frozenset(data["plain"].split()), {name: tuple(same) for name, same in data["same"].items()})


def wanted_words(text: str) -> list[tuple[str, ...]]:
    """What a search asks for: each word or phrase with all it may be called, without the words of a question."""
    known = synonyms()
    words = _words(text)[: 2 * MOST_WORDS]
    is_question_only = all(word in known.plain for word in words)
    asked_for: list[tuple[str, ...]] = []
    while words:
        size = next((n for n in (3, 2) if len(words) >= n and " ".join(words[:n]) in known.same), 1)
        phrase, words = " ".join(words[:size]), words[size:]
        own = () if size > 1 else (phrase,)
        if is_question_only or phrase not in known.plain:
            asked_for.append((*own, *known.same.get(phrase, ())))
    return asked_for[:MOST_WORDS]


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
