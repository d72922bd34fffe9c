"""A cache for what follows from frozen objects alone, such as cards, whose own hash would read them from end to end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")

ENTRIES = 4096
"""More than all cards and forces of a ruleset; a full cache starts afresh."""


class ByIdentity(Generic[Key, Value]):
    """Makes a value once for each object; the object is kept, so that its identity cannot become another's."""

    __slots__ = ("_entries", "_made", "_make")

    def __init__(self, make: Callable[[Key], Value], entries: int = ENTRIES) -> None:
        self._make = make
        self._entries = entries
        self._made: dict[int, tuple[Key, Value]] = {}

    def __call__(self, key: Key) -> Value:
        made = self._made.get(id(key))
        if made is None:
            if len(self._made) >= self._entries:
                self._made.clear()
            made = self._made[id(key)] = (key, self._make(key))
        return made[1]
