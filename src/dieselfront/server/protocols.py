"""Connections are counted where they arrive, before a word is spoken: one address cannot take them all.

Uvicorn's protocols, with three additions: an address with too many connections is cut off at once, a connection
that asks nothing for a while is closed, and so is one whose request has a head without end.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from dieselfront.server.guard import Complaints, network_of

SILENCE_SECONDS = 20.0
HEAD_BYTES = 64 * 1024
"""What the head of a request may have, in pieces; all of it at once may have a little more."""
MOST_UNREAD = 4
"""Messages of a socket that may wait to be read before no more are taken from the line."""
TOO_LONG = b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Connections:
    """Open connections by address."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.open: dict[str, int] = {}
        self.complaints = Complaints()

    def come(self, address: str) -> bool:
        """One more; False if there are too many from there."""
        now = self.open.get(address, 0)
        if self.most and now >= self.most:
            self.complaints.about("connections", address)
            return False
        self.open[address] = now + 1
        return True

    def go(self, address: str) -> None:
        """One less."""
        left = self.open.get(address, 0) - 1
        if left > 0:
            self.open[address] = left
        else:
            self.open.pop(address, None)


def peer(transport: Any) -> str:
    """Where a connection comes from."""
    peername = transport.get_extra_info("peername")
    return network_of(str(peername[0])) if isinstance(peername, tuple) else ""


def counted(connections: Connections) -> tuple[Any, Any]:
    """Uvicorn's protocols for requests and sockets, counting."""
    http: Any = AutoHTTPProtocol
    websockets: Any = AutoWebSocketsProtocol
    tells_heads = hasattr(http, "on_headers_complete")

    class CountedHttp(http):  # type: ignore[misc]
        counted_as: str | None = None
        begun_at: float | None = None
        head_bytes: int = 0

        def connection_made(self, transport: Any) -> None:
            address = peer(transport)
            if not connections.come(address):
                transport.abort()
                return
            self.counted_as = address
            super().connection_made(transport)
            self.begun_at = asyncio.get_running_loop().time()
            asyncio.get_running_loop().call_later(SILENCE_SECONDS, self.hang_up_if_silent)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if not tells_heads or self.begun_at is None or self.transport.is_closing():
                return
            self.head_bytes += len(data)
            if self.head_bytes > HEAD_BYTES and self.transport.get_protocol() is self:
                self.transport.write(TOO_LONG)
                self.transport.close()

        def on_message_begin(self) -> None:
            self.head_bytes = 0
            self.begun_at = asyncio.get_running_loop().time()
            super().on_message_begin()

        def on_headers_complete(self) -> None:
            self.begun_at = None
            super().on_headers_complete()

        def connection_lost(self, exc: Exception | None) -> None:
            if self.counted_as is not None:
                connections.go(self.counted_as)
                super().connection_lost(exc)

        def hang_up_if_silent(self) -> None:
            """Nobody asked anything, or the head of a request drips: no request, no upgrade."""
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            loop = asyncio.get_running_loop()
            waited = self.begun_at is not None and loop.time() - self.begun_at >= SILENCE_SECONDS * 0.9
            if waited and (tells_heads or self.cycle is None):
                self.transport.close()
            else:
                loop.call_later(SILENCE_SECONDS, self.hang_up_if_silent)

    class CountedWebSocket(websockets):  # type: ignore[misc]
        read_paused: bool

        def connection_made(self, transport: Any) -> None:
            self.counted_as = peer(transport)
            super().connection_made(transport)

        def send_receive_event_to_app(self) -> None:
            """Uvicorn stops reading at every message until it is taken: two calls of the system for each."""
            is_paused, self.read_paused = self.read_paused, True
            super().send_receive_event_to_app()
            self.read_paused = is_paused
            if not is_paused and self.queue.qsize() >= MOST_UNREAD:
                self.read_paused = True
                self.transport.pause_reading()

        def connection_lost(self, exc: Exception | None) -> None:
            connections.go(self.counted_as)
            super().connection_lost(exc)

    return CountedHttp, CountedWebSocket
