"""Trails: lists that only grow and share their beginning with the one they were copied from."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class Trail(Generic[T]):
    """What has happened so far. A fork costs the same however long that is.

    Nobody may shorten `own` while a fork may still be read: what is taken back goes on with a new trail.
    """

    __slots__ = ("_before", "_shared", "own")

    def __init__(self, own: list[T] | None = None, before: list[T] | None = None, shared: int = 0) -> None:
        self.own: list[T] = [] if own is None else own
        self._before: list[T] = [] if before is None else before
        self._shared = shared

    def __len__(self) -> int:
        return self._shared + len(self.own)

    def all(self) -> list[T]:
        """Everything from the beginning; not to be changed."""
        return self._before[: self._shared] + self.own if self._shared else self.own

    def fork(self, length: int) -> Trail[T]:
        """A trail that begins with the first so many steps of this one."""
        shared = self._shared
        if not shared:
            return Trail([], self.own, length)
        return Trail(self.own[: max(0, length - shared)], self._before, min(shared, length))


__all__ = ["Trail"]
