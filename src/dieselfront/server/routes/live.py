"""The live game: one WebSocket a visitor, told of every change through his outbox (subscriptions.py).

It holds ticks and small messages. On a tick each socket fetches what its visitor may see since the
version it was sent last, so a slow one misses nothing: it gets several changes as one.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect

from dieselfront.server.games import GONE_ELSEWHERE, Games, StaleChoice
from dieselfront.server.guard import Bucket, Visitors
from dieselfront.server.live import LiveGame, Seats
from dieselfront.server.messages import Chat, Choose, Hello, Incoming, Ping, Sync, incoming
from dieselfront.server.refusals import Refused, asker
from dieselfront.server.routes.common import PathId
from dieselfront.server.storage import StorageError
from dieselfront.server.subscriptions import TICK

log = logging.getLogger("dieselfront.server")
Socket = WebSocket[Any, Any, State]

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
BAD_MESSAGE, FORBIDDEN, NOT_FOUND, TOO_MUCH, TOO_LATE, AWAY = 4400, 4403, 4404, 4429, 4408, 4503


GONE = (WebSocketDisconnect, OSError, RuntimeError)
"""What sending to a visitor who left may raise."""
CODES = {403: FORBIDDEN, 429: TOO_MUCH, 503: AWAY}
RESTART = 1012
"""What a server says that a client should connect again to."""
UPDATE_SECONDS = 0.05
"""No socket is sent more updates than one in so long; what changes meanwhile comes as one."""
MOST_SENDING = 0.005
"""Processor time that handing an update to the network may count for; a slow visitor lets others run meanwhile."""


@websocket("/games/{game_id:str}/live")
async def live_game(socket: Socket, game_id: PathId) -> None:
    """A visitor at a game, from his hello to his leaving."""
    games: Games = socket.app.state.games
    await socket.accept()
    try:
        visit = await welcome(socket, games, game_id)
    except Refused as error:
        await farewell(socket, CODES.get(error.status, NOT_FOUND), error.reason)
        return
    except StorageError as error:
        await farewell(socket, AWAY, str(error))
        return
    except UNREADABLE:
        await farewell(
            socket, BAD_MESSAGE, "The first message has to say hello, with the token of a seat or a spectator."
        )
        return
    except GONE:
        await farewell(socket, TOO_LATE, "Nobody said hello.")
        return
    outbox = games.subscriptions.come(game_id)
    games.come(visit.live, visit.seats)
    telling = asyncio.create_task(outbox.pass_on(visit.pass_on))
    try:
        await visit.send_update()  # what happened between the snapshot and the subscription
        await visit.listen()
    except GONE:
        pass
    finally:
        games.subscriptions.go(game_id, outbox)
        games.go(game_id, visit.seats)
        telling.cancel()


async def welcome(socket: Socket, games: Games, game_id: PathId) -> Visit:
    """Who is there? The answer is the whole game."""
    text = await asyncio.wait_for(receive(socket, games), games.settings.limits.hello_seconds)
    hello = incoming.decode(text)
    if not isinstance(hello, Hello):
        raise msgspec.DecodeError("expected a hello")
    live = await games.game(game_id)
    seats = await games.admit(live, [*(hello.token or "").split(","), *hello.tokens][:3])
    most = games.settings.limits.sockets_per_game * (2 if seats else 1)  # spectators never keep the players out
    if games.sockets(game_id) >= most:
        raise Refused(429, "Too many people watch this game.")
    visit = Visit(socket, games, live, seats)
    await visit.send_snapshot()
    return visit


async def receive(socket: Socket, games: Games) -> bytes:
    """One message; too long a one ends the visit."""
    message = await socket.receive_data("text")
    data = message.encode() if isinstance(message, str) else message
    if len(data) > games.settings.limits.message_bytes:
        raise msgspec.DecodeError("too long")
    return data


async def farewell(socket: Socket, code: int, reason: str) -> None:
    """Close a socket with a reason a program can read."""
    try:
        await socket.send_data(msgspec.json.encode({"type": "refused", "reason": reason}).decode())
        await socket.close(code=code, reason=reason[:120])
    except Exception:  # it may be gone already
        return


class Visit:
    """One socket at one game."""

    __slots__ = (
        "bucket",
        "games",
        "id",
        "live",
        "seats",
        "sending",
        "socket",
        "syncing",
        "updated",
        "version",
        "weight",
    )

    def __init__(self, socket: Socket, games: Games, live: LiveGame, seats: Seats) -> None:
        self.socket = socket
        self.games = games
        self.live = live
        self.id = live.id
        self.seats = seats
        self.version = -1
        self.updated = 0.0  # when it was sent the last update
        self.sending = asyncio.Lock()
        limits = games.settings.limits
        self.bucket = Bucket(limits.messages_per_second, limits.messages_burst)
        self.syncing = Bucket(limits.syncs_per_second, limits.syncs_burst)
        visitors: Visitors = socket.app.state.visitors
        self.weight = visitors.bytes(asker.get())

    # -- telling --------------------------------------------------------------------------------

    async def send(self, data: bytes) -> None:
        await self.socket.send_data(data.decode())

    async def send_json(self, message: Any) -> None:
        await self.send(msgspec.json.encode(message))

    async def send_snapshot(self) -> None:
        """The whole game."""
        async with self.sending:
            live = await self.games.game(self.id)
            async with live.lock:
                data = self.games.snapshot_now(live, self.seats)
                self.version = live.version
            self.weight.spend(len(data))
            await self.send(data)

    async def pass_on(self, event: bytes) -> None:
        """An event of the game: a tick becomes an update, anything else goes out as it is."""
        try:
            if event == TICK:
                await self.send_update()
            elif event == GONE_ELSEWHERE:
                await farewell(self.socket, RESTART, "The game has gone to another server; connect again.")
            else:
                await self.send(event)
        except (*GONE, Refused):
            return  # the socket is going, or the game cannot be read now; the next tick tries again
        except Exception:
            log.exception("a socket at game %s could not be updated", self.id)

    @property
    def is_due(self) -> bool:
        """May it be sent an update now?"""
        return time.monotonic() - self.updated >= UPDATE_SECONDS

    async def send_update(self) -> None:
        """What changed since the last message to this socket; choices in quick succession come as one."""
        if self.games.stands_at(self.id, self.version):
            return  # whoever made the choice was told of it with its acknowledgement
        if not self.is_due:
            await asyncio.sleep(self.updated + UPDATE_SECONDS - time.monotonic())
        await self.games.pace.wait()
        async with self.sending:
            live = await self.games.game(self.id)
            async with live.lock:
                self.updated = time.monotonic()
                started = time.thread_time()
                update = self.games.update_now(live, self.seats, self.version)
                if update is None:
                    return
                self.version, data = update
                built = time.thread_time()
                self.games.pace.spent(built - started)
            await self.socket.send_data(data.decode())
            self.games.pace.spent(min(time.thread_time() - built, MOST_SENDING))

    # -- listening ------------------------------------------------------------------------------

    async def listen(self) -> None:
        """Take messages until the visitor leaves, or says too much or nonsense."""
        while True:
            try:
                message = incoming.decode(await receive(self.socket, self.games))
            except UNREADABLE as error:
                log.info("a message at game %s could not be read", self.id)
                await farewell(self.socket, BAD_MESSAGE, f"This message cannot be read: {str(error)[:80]}")
                return
            if not self.bucket.take(1.0):
                log.warning("a socket at game %s sends too much", self.id)
                await farewell(self.socket, TOO_MUCH, "Too many messages; slow down.")
                return
            await self.answer(message)

    async def answer(self, message: Incoming) -> None:
        """One message of the visitor."""
        if isinstance(message, Choose):
            await self._choose(message)
        elif isinstance(message, Chat):
            await self._chat(message)
        elif isinstance(message, Sync):
            await self._sync()
        elif isinstance(message, Ping):
            await self.send_json({"type": "pong", "id": message.id})

    async def _sync(self) -> None:
        """A whole snapshot, now and then; what it weighs counts for the visitor's address."""
        if not self.syncing.take(1.0) or not self.weight.take(0.0):
            await self.send_json({"type": "refused", "status": 429, "reason": "Too many snapshots; wait a moment."})
            return
        try:
            await self.send_snapshot()
        except Refused as error:
            await self.send_json(self._refusal(error, None))

    async def _choose(self, message: Choose) -> None:
        try:
            with self.games.answering():
                version = await self.games.choose(self.id, self.seats, message.decision, message.answer)
                await self.send_json({"type": "ack", "id": message.id, "version": version})
            if self.is_due and self.games.pace.has_time:
                await self.pass_on(TICK)  # at once, so that both go out together
        except Refused as error:
            await self.send_json(self._refusal(error, message.id))

    async def _chat(self, message: Chat) -> None:
        try:
            with self.games.answering():
                await self.games.say(self.id, self.seats, message.text)
        except Refused as error:
            await self.send_json(self._refusal(error, message.id))

    def _refusal(self, error: Refused, id: int | str | None) -> dict[str, Any]:
        refusal: dict[str, Any] = {
            "type": "refused",
            "id": id,
            "status": error.status,
            "reason": error.reason,
            "rule": error.rule,
        }
        if isinstance(error, StaleChoice):
            refusal["snapshot"] = msgspec.Raw(self.games.snapshot_now(error.live, self.seats))
        return refusal
