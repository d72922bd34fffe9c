"""Threads of the server, apart by purpose: whatever is stuck in one pool, the others go on."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")
RESTORERS = 3


class Threads:
    """A few threads for one kind of work."""

    def __init__(self, purpose: str, count: int) -> None:
        self._pool = ThreadPoolExecutor(count, thread_name_prefix=purpose)

    async def run(self, work: Callable[..., T], *details: Any) -> T:
        """Do it in one of the threads, and wait for it without holding anybody up."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *details)

    def close(self) -> None:
        """Begin nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)


async def in_own_thread(work: Callable[..., T], *details: Any) -> T:
    """Do it in a thread of its own that nobody has to wait for at the end, such as asking a slow name server."""
    loop = asyncio.get_running_loop()
    waiting: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if waiting.done():
            return
        if error is not None:
            waiting.set_exception(error)
        else:
            waiting.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, error = None, None
        try:
            result = work(*details)
        except BaseException as raised:
            error = raised
        with contextlib.suppress(RuntimeError):  # the loop may be gone
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=run, daemon=True).start()
    return await waiting


class Pools:
    """The pools of a server. Reading the database has one of its own, in storage.py."""

    def __init__(self) -> None:
        self.choosing = Threads("choosing", 4)
        """Choices whose rules may take a moment, take-backs."""
        self.beginning = Threads("beginning", 2)
        """New games, and moments of stored ones."""
        self.restoring = Threads("restoring", RESTORERS)
        """Games rebuilt from their journals. One address has at most one of these threads."""
        self.storing = Threads("storing", 1)
        """Positions of running games on their way into the database."""
        self.pages = Threads("pages", 2)
        """Files of the browser app."""
        self.packing = Threads("packing", 2)
        """Long answers on their way out."""

    def close(self) -> None:
        """Begin nothing more."""
        for pool in (self.choosing, self.beginning, self.restoring, self.storing, self.pages, self.packing):
            pool.close()


__all__ = ["RESTORERS", "Pools", "Threads", "in_own_thread"]
