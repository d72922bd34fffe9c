"""Several server processes: whatever is asked about a game goes to the process that has it.

All sockets of a game meet there, so who is present, what was said and whose turn it is need no telling between
processes. A visitor notices nothing but a short wait when his game goes from a process that died to another.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import Any

import httpx
import msgspec
from litestar.types import ASGIApp
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from dieselfront.server.game_owners import GameOwners, Owner
from dieselfront.server.guard import refuse
from dieselfront.server.refusals import asker
from dieselfront.server.settings import Limits
from dieselfront.server.storage import StorageError
from dieselfront.server.tokens import is_id

log = logging.getLogger("dieselfront.server")
PREFIX = "/api/games/"
PATIENCE_SECONDS = 8.0
"""How long a visitor waits for a game whose process died."""
LOOK_AGAIN_SECONDS = 0.25
CONNECT_SECONDS = 2.0
ANSWER_SECONDS = 60.0
MISDIRECTED = 421
AWAY, RESTART = 4503, 1012
_OF_CONNECTIONS = frozenset((b"connection", b"keep-alive", b"transfer-encoding", b"date", b"server"))
_JUDGED = frozenset((b"host", b"origin", b"forwarded", b"x-forwarded-for", b"x-forwarded-proto", b"x-real-ip"))
_WRITTEN_ANEW = frozenset((b"content-length", b"upgrade", b"te", b"trailer", b"x-peer-key", b"x-peer-for"))
NOT_PASSED_ON = _OF_CONNECTIONS | _JUDGED | _WRITTEN_ANEW
"""Headers that are about one connection, or that the process in front has judged already."""
NOT_REACHED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
UNDECIDED = "The server that has this game went away; look whether the change was made before you try again."
NOBODY = "No server has this game at the moment; try again."


class Elsewhere(Exception):
    """The process that was said to have a game cannot be reached or does not have it."""


def game_in(path: str) -> str | None:
    """The game that a path is about."""
    if not path.startswith(PREFIX):
        return None
    id = path[len(PREFIX) :].partition("/")[0]
    return id if is_id(id) else None


class Forwarding:
    """The ASGI layer between the guard and the application."""

    def __init__(self, app: ASGIApp, owners: GameOwners, limits: Limits) -> None:
        self.app = app
        self.owners = owners
        self.limits = limits
        self.requests = 0
        """Requests passed on so far."""
        self.sockets = 0
        """Sockets passed on now."""
        self._client: httpx.AsyncClient | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        id = game_in(scope["path"]) if self.owners.shared and scope["type"] != "lifespan" else None
        if id is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(id, scope, receive, send)
        else:
            await self._request(id, scope, receive, send)

    async def close(self) -> None:
        """Let go of the connections to others."""
        if self._client is not None:
            await self._client.aclose()

    async def _other(self, id: str) -> Owner | None:
        """The process that has a game, if it is not this one."""
        owner = await self.owners.owner(id)
        return None if owner is None or owner.process == self.owners.process else owner

    # -- requests -------------------------------------------------------------------------------

    async def _request(self, id: str, scope: Any, receive: Any, send: Any) -> None:
        body: bytes | None = None
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                owner = await self._other(id)
                if owner is None:
                    await self.app(scope, receive if body is None else _again(body, receive), send)
                    return
                if scope.get("peer"):
                    await refuse(send, MISDIRECTED, "This server does not have that game.")
                    return
                body = await _whole(receive, self.limits.body_bytes) if body is None else body
                await self._ask(owner, scope, body, send)
                return
            except Elsewhere as error:
                self.owners.doubt(id)
                if time.monotonic() > deadline or str(error):
                    await refuse(send, 503, str(error) or NOBODY)
                    return
                await asyncio.sleep(LOOK_AGAIN_SECONDS)
            except StorageError as error:
                await refuse(send, 503, str(error))
                return
            except _TooLarge:
                await refuse(send, 413, "The request is too large.")
                return

    async def _ask(self, owner: Owner, scope: Any, body: bytes, send: Any) -> None:
        """Ask the owner and bring the answer back; Elsewhere if it has to be asked of another."""
        self.requests += 1
        query = scope.get("query_string", b"").decode("latin-1")
        url = f"{owner.address}{scope['path']}" + (f"?{query}" if query else "")
        headers = [*_passed_on(scope), *_credentials(owner)]
        asking = self._http().build_request(scope["method"], url, headers=headers, content=body or None)
        try:
            answer = await self._http().send(asking, stream=True)
        except NOT_REACHED:
            raise Elsewhere from None
        except httpx.TransportError:
            raise Elsewhere("" if scope["method"] in ("GET", "HEAD") else UNDECIDED) from None
        try:
            if answer.status_code == MISDIRECTED:
                raise Elsewhere
            kept = [(name.lower(), value) for name, value in answer.headers.raw if name.lower() not in _OF_CONNECTIONS]
            await send({"type": "http.response.start", "status": answer.status_code, "headers": kept})
            async for part in answer.aiter_raw():
                await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            await answer.aclose()

    def _http(self) -> httpx.AsyncClient:
        if self._client is None:
            timeout = httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS, pool=CONNECT_SECONDS)
            self._client = httpx.AsyncClient(timeout=timeout, trust_env=False, follow_redirects=False)
        return self._client

    # -- sockets --------------------------------------------------------------------------------

    async def _socket(self, id: str, scope: Any, receive: Any, send: Any) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                owner = await self._other(id)
                if owner is None:
                    await self.app(scope, receive, send)
                    return
                if scope.get("peer"):
                    await receive()
                    await send({"type": "websocket.close", "code": RESTART, "reason": "not here"})
                    return
                upstream = await self._connected(owner, scope)
            except Elsewhere:
                self.owners.doubt(id)
                if time.monotonic() > deadline:
                    await _turn_away(receive, send, NOBODY)
                    return
                await asyncio.sleep(LOOK_AGAIN_SECONDS)
            except StorageError as error:
                await _turn_away(receive, send, str(error))
                return
            else:
                await self._bridge(upstream, receive, send)
                return

    async def _connected(self, owner: Owner, scope: Any) -> ClientConnection:
        url = owner.address.replace("http", "ws", 1) + scope["path"]
        try:
            return await connect(
                url,
                additional_headers=_credentials(owner),
                open_timeout=CONNECT_SECONDS,
                close_timeout=CONNECT_SECONDS,
                compression=None,
                max_size=None,
                proxy=None,
            )
        except (OSError, InvalidHandshake, TimeoutError, EOFError):
            raise Elsewhere from None

    async def _bridge(self, upstream: ClientConnection, receive: Any, send: Any) -> None:
        """Pass messages both ways until one side leaves."""
        self.sockets += 1
        try:
            await receive()
            await send({"type": "websocket.accept"})
            sides = [asyncio.create_task(_up(receive, upstream)), asyncio.create_task(_down(upstream, send))]
            try:
                await asyncio.wait(sides, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for side in sides:
                    side.cancel()
                await asyncio.gather(*sides, return_exceptions=True)
        finally:
            self.sockets -= 1
            await upstream.close()


class _TooLarge(Exception):
    """A body beyond its bound."""


async def _up(receive: Any, upstream: ClientConnection) -> None:
    """What the visitor says."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            message: Any = await receive()
            if message["type"] == "websocket.disconnect":
                return
            said = message.get("text")
            await upstream.send(said if said is not None else message.get("bytes") or b"")


async def _down(upstream: ClientConnection, send: Any) -> None:
    """What he is sent; if the owner goes, he is asked to connect again."""
    try:
        async for said in upstream:
            event: dict[str, Any] = {"type": "websocket.send"}
            event["text" if isinstance(said, str) else "bytes"] = said
            await send(event)
    except ConnectionClosed:
        pass
    except (OSError, RuntimeError):  # the visitor has left
        return
    code = upstream.close_code
    code = RESTART if code is None or code == 1006 else code
    with contextlib.suppress(OSError, RuntimeError):
        await send({"type": "websocket.close", "code": code, "reason": upstream.close_reason or ""})


async def _turn_away(receive: Any, send: Any, reason: str) -> None:
    await receive()
    refusal = msgspec.json.encode({"type": "refused", "reason": reason}).decode()
    with contextlib.suppress(OSError, RuntimeError):
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": refusal})
        await send({"type": "websocket.close", "code": AWAY, "reason": reason[:120]})


async def _whole(receive: Any, most: int) -> bytes:
    """The body of a request."""
    parts: list[bytes] = []
    size = 0
    while True:
        message: Any = await receive()
        if message["type"] != "http.request":
            return b"".join(parts)
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > most:
            raise _TooLarge
        if not message.get("more_body", False):
            return b"".join(parts)


def _again(body: bytes, receive: Any) -> Any:
    """A body that has been read, for whoever reads it now."""
    waiting = [body]

    async def once_more() -> Any:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return once_more


def _passed_on(scope: Any) -> list[tuple[str, str]]:
    kept = [(name, value) for name, value in scope["headers"] if name not in NOT_PASSED_ON]
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in kept]


def _credentials(owner: Owner) -> list[tuple[str, str]]:
    """What makes the owner believe that one of us asks, and for whom."""
    return [("x-peer-key", owner.key), ("x-peer-for", asker.get())]


__all__ = ["Forwarding", "game_in"]
