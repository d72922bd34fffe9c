"""The peer our server is measured beside: a bare WebSocket server that commits every message and echoes it.

    python -m dieselfront.server.echo --port 8048 --database echo.sqlite3

No games, no rules, no views: SQLite with the same durability (write-ahead log, synchronous FULL), one commit a message.
"""

from __future__ import annotations

import argparse
import contextlib
import sqlite3
from typing import Any

import uvicorn

from dieselfront.server.run import address, listen


class Echo:
    """The ASGI application."""

    def __init__(self, path: str) -> None:
        self.database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            self.database.execute(f"PRAGMA {pragma}")
        self.database.execute("CREATE TABLE IF NOT EXISTS messages (n INTEGER PRIMARY KEY, body TEXT)")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        if scope["type"] != "websocket":
            return
        await receive()
        await send({"type": "websocket.accept"})
        while True:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message["text"]
            self.database.execute("INSERT INTO messages (body) VALUES (?)", (text,))
            await send({"type": "websocket.send", "text": text})


async def _lifespan(receive: Any, send: Any) -> None:
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await send({"type": "lifespan.shutdown.complete"})


def main() -> None:
    """Serve until it is stopped."""
    parser = argparse.ArgumentParser(description="A bare echo server that commits every message.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--database", required=True)
    chosen = parser.parse_args()
    listening = listen("127.0.0.1", chosen.port)
    print(address(listening, "127.0.0.1"), flush=True)
    settings = uvicorn.Config(Echo(chosen.database), log_level="error", ws_per_message_deflate=False, lifespan="on")
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(settings).run(sockets=[listening])


if __name__ == "__main__":
    main()
