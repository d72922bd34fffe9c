"""Answers are packed (gzip) where the browser can unpack them: long ones in threads, lasting ones once.

Packing an answer of a megabyte takes as long as answering a hundred small requests. On the event loop a few hundred
such requests at once would hold everybody up; so the loop packs only what takes no time.
"""

from __future__ import annotations

import asyncio
import gzip
from collections import OrderedDict
from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from dieselfront.server.guard import header_of
from dieselfront.server.threads import Threads

LEVEL = 5
SHORT = 1000
"""What is not worth packing."""
LONG = 16 * 1024
"""What takes longer than a moment."""
KEPT_BYTES = 16 * 1024 * 1024
TEXTS = (b"text/", b"application/json", b"image/svg+xml")


class Packing:
    """The ASGI layer around the application."""

    def __init__(self, app: ASGIApp, threads: Threads) -> None:
        self.app = app
        self._threads = threads
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._kept_bytes = 0
        self._under_way: dict[bytes, asyncio.Future[bytes]] = {}
        """Lasting answers that are being packed: whoever asks meanwhile waits for the same."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or "gzip" not in header_of(scope, b"accept-encoding"):
            await self.app(scope, receive, send)
            return
        held: list[Any] = []

        async def packed(message: Message) -> None:
            if message["type"] == "http.response.start":
                held.append(message)
                return
            if held:
                start = held.pop()
                if not message.get("more_body", False):
                    message = await self._packed(start, message)
                await send(start)
            await send(message)

        await self.app(scope, receive, packed)

    async def _packed(self, start: Any, message: Any) -> Any:
        """The body packed, and the head changed accordingly, if that is worth while."""
        headers = {name.lower(): value for name, value in start.get("headers", ())}
        body: bytes = message.get("body", b"")
        is_text = headers.get(b"content-type", b"").startswith(TEXTS)
        if len(body) < SHORT or not is_text or b"content-encoding" in headers:
            return message
        small = await self._pack(body, b"public" in headers.get(b"cache-control", b""))
        kept = [pair for pair in start["headers"] if pair[0].lower() not in (b"content-length", b"vary")]
        about = [(b"content-encoding", b"gzip"), (b"vary", b"Accept-Encoding")]
        start["headers"] = [*kept, *about, (b"content-length", str(len(small)).encode())]
        return {**message, "body": small}

    async def _pack(self, body: bytes, lasting: bool) -> bytes:
        if len(body) < LONG:
            return gzip.compress(body, LEVEL, mtime=0)
        known = self._kept.get(body) if lasting else None
        if known is not None:
            self._kept.move_to_end(body)
            return known
        if not lasting:
            return await self._in_thread(body)
        packing = self._under_way.get(body)
        if packing is None:
            packing = self._under_way[body] = asyncio.ensure_future(self._in_thread(body))
            packing.add_done_callback(lambda done: self._keep(body, done))
        return await asyncio.shield(packing)

    async def _in_thread(self, body: bytes) -> bytes:
        return await self._threads.run(lambda: gzip.compress(body, LEVEL, mtime=0))

    def _keep(self, body: bytes, done: asyncio.Future[bytes]) -> None:
        """Remember what was packed; what nobody asked for longest is forgotten."""
        del self._under_way[body]
        if done.cancelled() or done.exception() is not None:
            return
        self._kept[body] = done.result()
        self._kept_bytes += len(body) + len(done.result())
        while self._kept_bytes > KEPT_BYTES:
            old, small = self._kept.popitem(last=False)
            self._kept_bytes -= len(old) + len(small)


__all__ = ["Packing"]
