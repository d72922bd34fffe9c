"""A chapter of the rulebook: rules without memory. What changes lives in the state, what is printed on the cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare


class Chapter:
    """Knows only the rulebook it belongs to, so that chapters can refer to each other."""

    __slots__ = ("rules",)

    def __init__(self, rules: Warfare) -> None:
        self.rules = rules
