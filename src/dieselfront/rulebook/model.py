"""What a rulebook is made of: rules under their ids, options of the game, the book around them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import msgspec

Row = dict[str, Any]


class Choice(msgspec.Struct, frozen=True):
    """One way to play an option."""

    id: str
    text: str


class Option(msgspec.Struct, frozen=True):
    """A ruling that a house may see otherwise, chosen in the header of a game; ours is the default."""

    name: str
    rule: str
    default: str
    choices: tuple[Choice, ...]

    def choice(self, id: str) -> Choice | None:
        """The choice of this id, if there is one."""
        return next((choice for choice in self.choices if choice.id == id), None)


class Rule(msgspec.Struct, frozen=True, omit_defaults=True):
    """One rule, in our own words.

    A ruling (an id with `.open.`) is a designer's note: `problem` is the question, `text` the ruling, `why`
    its reason. `differs` compares with the relative's rule; `see_also` names rules to read with it.
    """

    id: str
    title: str
    text: str
    dice: tuple[str, ...] = ()
    table: tuple[Row, ...] = ()
    note: str = ""
    example: str = ""
    problem: str = ""
    why: str = ""
    differs: str = ""
    see_also: tuple[str, ...] = ()
    option: Option | None = None

    @property
    def chapter(self) -> str:
        """The part of the book it stands in: `attack` for d47.attack.save.cover_sources."""
        return self.id.split(".")[1]

    @property
    def is_ruling(self) -> bool:
        return self.chapter == "open"


class Head(msgspec.Struct, frozen=True):
    """The head of a book: which game, what it is in a sentence, the prefix of its ids, its table, its relative."""

    ruleset: str
    name: str
    prefix: str
    table: str
    version: str
    summary: str = ""
    inherits: str = ""
    superseded: dict[str, str] = {}


class Rulebook:
    """All rules of one ruleset, in the order of the book."""

    def __init__(self, head: Head, rules: tuple[Rule, ...], relative: Rulebook | None) -> None:
        self.head = head
        self.rules = rules
        self.relative = relative
        self._by_id = {rule.id: rule for rule in rules}

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its own rules."""
        return tuple(self._by_id)

    @cached_property
    def inherited(self) -> tuple[Rule, ...]:
        """The rules of its relative that still hold here, in their order."""
        if self.relative is None:
            return ()
        relatives = (*self.relative.inherited, *self.relative.rules)
        return tuple(rule for rule in relatives if rule.id not in self.head.superseded)

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """The options a game of this ruleset may choose, inherited ones first."""
        return tuple(rule.option for rule in (*self.inherited, *self.rules) if rule.option)

    def find(self, id: str) -> Rule | None:
        """The rule of this id, its own or inherited."""
        own = self._by_id.get(id)
        return own if own or self.relative is None else self.relative.find(id)

    def __getitem__(self, id: str) -> Rule:
        rule = self.find(id)
        if rule is None:
            raise KeyError(f"{self.head.name} has no rule {id}")
        return rule

    def __len__(self) -> int:
        return len(self.rules)
