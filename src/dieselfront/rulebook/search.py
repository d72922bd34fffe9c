"""Searching the rules: every word must fit somewhere; titles and ids weigh more than the text."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dieselfront.rulebook.model import Rule

_WORD = re.compile(r"[a-z0-9']+")
_WEIGHTS = (("title", 8), ("id", 6), ("text", 3), ("note", 1), ("problem", 1), ("example", 1))
_WHOLE_WORD = 2
RULING_PENALTY = 1


def search(words: str, rules: Iterable[Rule]) -> list[Rule]:
    """The rules that hold all the words, best first; those that hold some of them if none holds all."""
    wanted = [_stem(word) for word in _words(words)]
    scored = [(rule, [_score(word, rule) for word in wanted]) for rule in rules]
    whole = [(sum(scores), rule) for rule, scores in scored if wanted and all(scores)]
    part = [(sum(scores), rule) for rule, scores in scored if any(scores)]
    ranked = sorted(whole or part, key=lambda found: (-_weighed(*found), found[1].id))
    return [rule for _, rule in ranked]


def _weighed(score: int, rule: Rule) -> int:
    """A rule comes before the designer's note that fits as well."""
    return score - RULING_PENALTY if rule.is_ruling else score


def _score(word: str, rule: Rule) -> int:
    return sum(weight * _fit(word, getattr(rule, field)) for field, weight in _WEIGHTS)


def _fit(word: str, text: str) -> int:
    """2 if the text holds the word itself, 1 if it holds a near relative (suppress, suppression)."""
    held = [_stem(other) for other in _words(text)]
    if word in held:
        return _WHOLE_WORD
    return 1 if any(_related(word, other) for other in held) else 0


def _related(word: str, other: str) -> bool:
    """One begins with the other, and the shorter one is long enough to mean something."""
    longer, shorter = (word, other) if len(word) > len(other) else (other, word)
    return longer.startswith(shorter) and (len(other) > 4 if shorter is other else len(word) > 2)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("_", " "))


def _stem(word: str) -> str:
    """Singular and plural are one word."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
