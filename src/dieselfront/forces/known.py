"""Which special rules on cards are known; the others load, play without effect, and are flagged."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from dieselfront import rulebook
from dieselfront.forces import families

_WORD = re.compile(r"[a-z0-9]+")


class KnownRules:
    """The special rules that a game's rulebook explains, found by the words of their names."""

    def __init__(
        self, book: str, chapters: tuple[str, ...], aliases: Mapping[str, str], also_played: tuple[str, ...]
    ) -> None:
        self.book = book
        self.chapters = chapters
        self.aliases = aliases
        self.also_played = frozenset(also_played)
        self._answers: dict[str, bool] = {}

    def explains(self, name: str) -> bool:
        """Whether the rulebook has a rule of this name or about it, or the game plays it all the same."""
        answer = self._answers.get(name)
        if answer is None:
            answer = self._answers[name] = self._explains(name)
        return answer

    def _explains(self, name: str) -> bool:
        if name in self.also_played:
            return True
        wanted = words(self.aliases.get(name, name))
        return bool(wanted) and any(contains(row, wanted) for row in self._rows)

    @cached_property
    def _rows(self) -> tuple[tuple[str, ...], ...]:
        """Titles, ids, texts and tables of the chapters that explain special rules, as words."""
        rows: list[str] = []
        for rule in rulebook.load(self.book).rules:
            if rule.id.split(".")[1] in self.chapters:
                rows += [rule.title, rule.id.rpartition(".")[2].replace("_", " "), rule.text]
                rows += table_words(rule.table)
        return tuple(dict.fromkeys(words(row) for row in rows))


def table_words(table: object) -> list[str]:
    """The names of rules that a rule's table lists."""
    rows = table if isinstance(table, list | tuple) else []
    cells: list[str] = []
    for row in rows:
        if isinstance(row, dict):
            cells += [
                text for key in ("rule", "weapon", "gear", "item") for text in [row.get(key)] if isinstance(text, str)
            ]
            cells += [text for text in row.get("special", ()) if isinstance(text, str)]
    return [part for text in cells for part in text.split(",")]


def words(text: str) -> tuple[str, ...]:
    """Lower-case words without their plural s, so that Snipers is Sniper."""
    return tuple(word.rstrip("s") if len(word) > 3 else word for word in _WORD.findall(text.lower()))


def contains(row: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    size = len(wanted)
    return any(row[at : at + size] == wanted for at in range(len(row) - size + 1))


def unknown_rules(card: Any) -> tuple[str, ...]:
    """The names of a card's special rules that nobody knows, in the order of the card."""
    return families.family(card.ruleset).unknown_rules(card)
