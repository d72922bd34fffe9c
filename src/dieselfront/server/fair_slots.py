"""A few things at once, shared fairly: nobody's slow ones keep the others waiting.

No owner and no host has more than its part of the slots, and a slot that comes free goes to whoever has fewest.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple


class Crowded(Exception):
    """Too much waits already."""


class _Wish(NamedTuple):
    """Somebody who waits for a slot."""

    owner: str
    host: str
    turn: asyncio.Future[None]


class FairSlots:
    """The slots, who has them and who waits for them."""

    def __init__(
        self,
        most: int,
        *,
        per_owner: int,
        per_host: float = math.inf,
        waiting_per_owner: float = math.inf,
        most_waiting: float = math.inf,
    ) -> None:
        self.most = most
        self.per_owner = per_owner
        self.per_host = per_host
        self.waiting_per_owner = waiting_per_owner
        self.most_waiting = most_waiting
        self._owners: Counter[str] = Counter()
        self._hosts: Counter[str] = Counter()
        self._wishes: list[_Wish] = []

    @property
    def taken(self) -> int:
        """How many slots are in use."""
        return self._owners.total()

    @property
    def waiting(self) -> int:
        """How many wait for one."""
        return len(self._wishes)

    @asynccontextmanager
    async def slot(self, owner: str, host: str) -> AsyncIterator[None]:
        """Have a slot as long as the block runs; Crowded if too many wait."""
        await self._take(owner, host)
        try:
            yield
        finally:
            self._give_back(owner, host)

    async def _take(self, owner: str, host: str) -> None:
        if self._may_have(owner, host):
            self._count(owner, host, 1)
            return
        waiting_too = sum(wish.owner == owner for wish in self._wishes)
        if waiting_too >= self.waiting_per_owner or len(self._wishes) >= self.most_waiting:
            raise Crowded
        wish = _Wish(owner, host, asyncio.get_running_loop().create_future())
        self._wishes.append(wish)
        try:
            await wish.turn
        except asyncio.CancelledError:
            if wish in self._wishes:
                self._wishes.remove(wish)
            else:  # the slot was given in the same moment
                self._give_back(owner, host)
            raise

    def _may_have(self, owner: str, host: str) -> bool:
        free = self.taken < self.most
        return free and self._owners[owner] < self.per_owner and self._hosts[host] < self.per_host

    def _count(self, owner: str, host: str, by: int) -> None:
        for counter, name in ((self._owners, owner), (self._hosts, host)):
            counter[name] += by
            if not counter[name]:
                del counter[name]

    def _give_back(self, owner: str, host: str) -> None:
        self._count(owner, host, -1)
        while (wish := self._next()) is not None:
            self._wishes.remove(wish)
            self._count(wish.owner, wish.host, 1)
            wish.turn.set_result(None)

    def _next(self) -> _Wish | None:
        """Whoever may have a slot and has fewest; among equals who has waited longest."""
        able = (wish for wish in self._wishes if self._may_have(wish.owner, wish.host))
        return min(able, key=lambda wish: self._owners[wish.owner], default=None)


__all__ = ["Crowded", "FairSlots"]
