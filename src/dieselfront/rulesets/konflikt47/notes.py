"""Notes: what a unit or the whole position remembers for a while, declared once with its type and its usual value.

Most units have no notes at all, so they are kept in one small dict a unit (`notes`): copies stay cheap and the facts of
a position short. Chapters read and write them as plain attributes; `del unit.shell` forgets one.
"""

from __future__ import annotations

from typing import Any, Generic, Protocol, TypeVar, overload

ValueT = TypeVar("ValueT")


class HasNotes(Protocol):
    """A unit, or the state."""

    notes: dict[str, Any]


class Note(Generic[ValueT]):
    """One thing that can be remembered."""

    __slots__ = ("key", "usual")

    def __init__(self, usual: ValueT, key: str = "") -> None:
        self.usual = usual
        self.key = key
        """Its name in the facts of a position; that of the attribute unless another is given."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.key = self.key or name

    @overload
    def __get__(self, owner: None, kind: type) -> Note[ValueT]: ...

    @overload
    def __get__(self, owner: HasNotes, kind: type) -> ValueT: ...

    def __get__(self, owner: HasNotes | None, kind: type) -> Note[ValueT] | ValueT:
        if owner is None:
            return self
        value: ValueT = owner.notes.get(self.key, self.usual)
        return value

    def __set__(self, owner: HasNotes, value: ValueT) -> None:
        owner.notes[self.key] = value

    def __delete__(self, owner: HasNotes) -> None:
        owner.notes.pop(self.key, None)


__all__ = ["Note"]
