"""Who listens at which game: every socket has an ear, and what happens at a game is called into all of them.

A change of the position is a tick. Ticks that come while a socket is busy are one tick to it; small messages keep their
order and come before it.
"""

from __future__ import annotations

import asyncio
from collections import deque

BACKLOG = 1000
"""Messages a socket may be behind; the oldest go."""


class Ear:
    """What one socket has yet to be told."""

    __slots__ = ("_called", "messages", "ticked")

    def __init__(self) -> None:
        self.messages: deque[bytes] = deque(maxlen=BACKLOG)
        self.ticked = False
        self._called = asyncio.Event()

    def tick(self) -> None:
        """The position changed."""
        self.ticked = True
        self._called.set()

    def hear(self, message: bytes) -> None:
        """A small message."""
        self.messages.append(message)
        self._called.set()

    async def wait(self) -> None:
        """Go on when there is something to tell."""
        await self._called.wait()
        self._called.clear()


class Ears:
    """All of them, by game."""

    def __init__(self) -> None:
        self._at: dict[str, list[Ear]] = {}

    def lend(self, game: str) -> Ear:
        """An ear at a game."""
        ear = Ear()
        self._at.setdefault(game, []).append(ear)
        return ear

    def take_away(self, game: str, ear: Ear) -> None:
        """A socket is gone."""
        listening = self._at.get(game, [])
        if ear in listening:
            listening.remove(ear)
        if not listening:
            self._at.pop(game, None)

    def tick(self, game: str) -> None:
        """Tell everybody at a game that its position changed."""
        for ear in self._at.get(game, ()):
            ear.tick()

    def tell(self, game: str, message: bytes) -> None:
        """Tell everybody at a game something small."""
        for ear in self._at.get(game, ()):
            ear.hear(message)


__all__ = ["Ear", "Ears"]
