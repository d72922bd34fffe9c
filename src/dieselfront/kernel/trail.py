"""Trails: lists that only grow and share their beginning with the one they were copied from."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class Trail(Generic[T]):
    """What has happened so far. A fork costs the same however long that is.

    Nobody may shorten `own` while a fork may still be read: what is taken back goes on with a new trail.
    """

    __slots__ = ("_before", "own", "inherited")

    def __init__(self, own: list[T] | None = None, before: list[T] | None = None, inherited: int = 0) -> None:
        self.own: list[T] = [] if own is None else own
        self._before: list[T] = [] if before is None else before
        self.inherited = inherited

    def __len__(self) -> int:
        return self.inherited + len(self.own)

    def all(self) -> list[T]:
        """Everything from the beginning; not to be changed."""
        return self._before[: self.inherited] + self.own if self.inherited else self.own

    def fork(self, length: int) -> Trail[T]:
        """A trail that begins with the first so many steps of this one."""
        inherited = self.inherited
        if not inherited:
            return Trail([], self.own, length)
        return Trail(self.own[: max(0, length - inherited)], self._before, min(inherited, length))

    def fork_all(self) -> Trail[T]:
        """A trail that begins with all of this one."""
        inherited, own = self.inherited, self.own
        return Trail(own.copy(), self._before, inherited) if inherited else Trail([], own, len(own))


__all__ = ["Trail"]
