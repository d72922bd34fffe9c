"""Who is at which game in this process, and what each socket has still to be told.

All visitors of a game meet in one process (forwarding.py), so events need no way but through its memory: whoever
publishes puts them into the outboxes of those who are there, and goes on.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress

MOST_WAITING = 1000
"""Events that wait for a slow socket; the oldest go first."""
TICK = b"tick"
"""The position changed: every socket fetches what its visitor may see."""


class Outbox:
    """What one socket has still to be told, in its order."""

    __slots__ = ("_events", "_ready")

    def __init__(self) -> None:
        self._events: deque[bytes] = deque(maxlen=MOST_WAITING)
        self._ready = asyncio.Event()

    def put(self, event: bytes) -> None:
        """One more; a tick after a tick tells nothing."""
        if event is TICK and self._events and self._events[-1] is TICK:
            return
        self._events.append(event)
        self._ready.set()

    async def pass_on(self, tell: Callable[[bytes], Awaitable[None]]) -> None:
        """Tell everything that comes, one after another, until it is cancelled."""
        while True:
            while self._events:
                await tell(self._events.popleft())
            self._ready.clear()
            await self._ready.wait()


class Subscriptions:
    """The outboxes of all sockets, by game."""

    def __init__(self) -> None:
        self._outboxes: dict[str, dict[Outbox, None]] = {}

    def publish(self, event: bytes, game: str) -> None:
        """Something for everybody at a game."""
        for outbox in self._outboxes.get(game, ()):
            outbox.put(event)

    def come(self, game: str) -> Outbox:
        """Somebody wishes to be told of a game from now on."""
        outbox = Outbox()
        self._outboxes.setdefault(game, {})[outbox] = None
        return outbox

    def go(self, game: str, outbox: Outbox) -> None:
        """He is told no more."""
        there = self._outboxes.get(game, {})
        with suppress(KeyError):
            del there[outbox]
        if not there:
            self._outboxes.pop(game, None)


__all__ = ["TICK", "Outbox", "Subscriptions"]
