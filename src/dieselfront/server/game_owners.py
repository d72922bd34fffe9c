"""Which server process has a game: one at a time, where several share a PostgreSQL database.

A process takes a number when it starts and gives a sign of life twice a second. Whoever is asked for a game that nobody
has takes it; the others pass their visitors on (forwarding.py). A process that gave no sign for a while is given up:
its row is deleted, and with it go its games. Every commit holds the row of its process, so one that was given up and
wakes again can write nothing. It takes a new number and begins with empty hands.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from sqlalchemy import Connection, delete, func, insert, select, text, update
from sqlalchemy.exc import SQLAlchemyError

from dieselfront.server import tables, tokens
from dieselfront.server.storage import Fenced, Storage, StorageError

log = logging.getLogger("dieselfront.server")
BEAT_SECONDS = 0.5
HOLD_SECONDS = 3.0
"""How long after its last sign of life a process still takes games for its own."""
BURY_SECONDS = 4.0
"""How long after it the others give it up: later, so that a game never has two owners."""
KNOWN_SECONDS = 2.0
"""How long it is remembered that another process has a game."""
MOST_KNOWN = 10_000
NOW = func.extract("epoch", func.clock_timestamp())
AWAY = "The database cannot be reached at the moment; nothing was changed. Try again."


class Owner(NamedTuple):
    """A server process and how the others reach it."""

    process: int
    address: str
    key: str


class GameOwners(Protocol):
    """Who has which game."""

    key: str
    address: str
    lost: int
    """How often this process was given up by the others."""

    @property
    def shared(self) -> bool:
        """May another process have a game?"""
        ...

    @property
    def process(self) -> int:
        """The number of this process; 0 where there is only one."""
        ...

    def start(self, on_loss: Callable[[], Any]) -> None:
        """Take a number; `on_loss` is called when all games have gone to others."""
        ...

    def stop(self) -> None:
        """Give all games back."""
        ...

    def fence(self, id: str) -> int | None:
        """The number under which this process has a game now; none if it does not have it."""
        ...

    async def owner(self, id: str) -> Owner | None:
        """Who has a game; this process from now on if nobody had it. None if there is no such game."""
        ...

    def doubt(self, id: str) -> None:
        """Whoever was said to have a game does not answer: ask anew."""
        ...

    async def release(self, id: str) -> None:
        """Let others have a game."""
        ...


class SoleOwner:
    """One process has the database, and every game in it."""

    shared = False
    process = 0
    key = address = ""
    lost = 0

    def start(self, on_loss: Callable[[], Any]) -> None:
        return

    def stop(self) -> None:
        return

    def fence(self, id: str) -> int | None:
        return 0

    async def owner(self, id: str) -> Owner | None:
        return Owner(0, "", "")

    def doubt(self, id: str) -> None:
        return

    async def release(self, id: str) -> None:
        return


class SharedOwners:
    """Several processes share the database."""

    shared = True

    def __init__(self, storage: Storage, address: str) -> None:
        self.storage = storage
        self.address = address
        self.key = tokens.new_token()
        self.process = 0
        self.lost = 0
        self._held_until = 0.0
        self._steady_since = float("-inf")
        self._mine: dict[str, int] = {}
        self._elsewhere: OrderedDict[str, tuple[Owner, float]] = OrderedDict()
        self._asking: Counter[str] = Counter()
        self._releasing: dict[str, asyncio.Task[None]] = {}
        self._stopping = threading.Event()
        self._beating: threading.Thread | None = None
        self._on_loss: Callable[[], Any] = lambda: None

    # -- signs of life --------------------------------------------------------------------------

    def start(self, on_loss: Callable[[], Any]) -> None:
        """Take a number and begin to give signs of life, in a thread of their own."""
        self._on_loss = on_loss
        with self.storage.engine.begin() as connection:  # whoever listened here before us is gone
            connection.execute(delete(tables.processes).where(tables.processes.c.address == self.address))
        self._register()
        self._beating = threading.Thread(target=self._beat_on, name="signs of life", daemon=True)
        self._beating.start()

    def stop(self) -> None:
        """Give all games back at once."""
        self._stopping.set()
        if self._beating is not None:
            self._beating.join()
        try:
            with self.storage.engine.begin() as connection:
                connection.execute(delete(tables.processes).where(tables.processes.c.number == self.process))
        except SQLAlchemyError:
            log.warning("the games of this process could not be given back; the others take them in a moment")

    def _register(self) -> None:
        started = time.monotonic()
        row = {"address": self.address, "key": self.key, "seen": NOW}
        with self.storage.engine.begin() as connection:
            taken = insert(tables.processes).values(row).returning(tables.processes.c.number)
            self.process = connection.execute(taken).scalar_one()
        self._held_until = started + HOLD_SECONDS

    def _beat_on(self) -> None:
        while not self._stopping.wait(BEAT_SECONDS):
            try:
                self._beat()
            except Exception as error:
                self._steady_since = time.monotonic()
                if not isinstance(error, SQLAlchemyError):
                    log.exception("a sign of life failed")

    def _beat(self) -> None:
        """One sign of life; who is silent for long is given up, but not if the database or we were away ourselves."""
        started = time.monotonic()
        mine = tables.processes.c.number == self.process
        with self.storage.engine.begin() as connection:
            alive = connection.execute(update(tables.processes).where(mine).values(seen=NOW)).rowcount
        if not alive:
            self.lost += 1
            log.warning("the other servers gave this one up; its games have gone to them")
            self._register()
            self._on_loss()
            return
        self._held_until = started + HOLD_SECONDS
        if started - self._steady_since > BURY_SECONDS:
            self._bury()

    def _bury(self) -> None:
        since_start = NOW - func.extract("epoch", func.pg_postmaster_start_time())
        silent = (tables.processes.c.seen < NOW - BURY_SECONDS) & (since_start > BURY_SECONDS + BEAT_SECONDS)
        if not self._count(silent):
            return
        with self.storage.engine.begin() as connection:
            connection.execute(text("SET LOCAL lock_timeout = '1s'"))
            buried = connection.execute(delete(tables.processes).where(silent)).rowcount
        if buried:
            log.warning("%d server(s) gave no sign of life; their games are free", buried)

    def _count(self, silent: Any) -> int:
        with self.storage.engine.connect() as connection:
            return connection.execute(select(func.count()).select_from(tables.processes).where(silent)).scalar_one()

    # -- games ----------------------------------------------------------------------------------

    def fence(self, id: str) -> int | None:
        number = self._mine.get(id)
        return number if number == self.process and time.monotonic() < self._held_until else None

    def doubt(self, id: str) -> None:
        self._elsewhere.pop(id, None)

    async def owner(self, id: str) -> Owner | None:
        if self.fence(id) is not None:
            return Owner(self.process, self.address, self.key)
        known = self._elsewhere.get(id)
        if known is not None and known[1] > time.monotonic():
            return known[0]
        while (releasing := self._releasing.get(id)) is not None:
            await asyncio.shield(releasing)
        return await self._ask(id, self.process)

    async def _ask(self, id: str, process: int) -> Owner | None:
        self._asking[id] += 1
        try:
            owner = await self.storage.read(lambda connection: claim(connection, id, process), change=True)
        finally:
            self._asking[id] -= 1
            if not self._asking[id]:
                del self._asking[id]
        if owner is None:
            return None
        if owner.process != process:
            self._remember(id, owner)
            return owner
        self._mine[id] = process
        await self._until_signed(id)
        return owner

    async def _until_signed(self, id: str) -> None:
        """The database answers, but our last sign of life is old: the next one comes in a moment."""
        deadline = time.monotonic() + 4 * BEAT_SECONDS
        while self.fence(id) is None:
            if time.monotonic() > deadline:
                raise StorageError(AWAY)
            await asyncio.sleep(BEAT_SECONDS / 10)

    def _remember(self, id: str, owner: Owner) -> None:
        self._elsewhere[id] = (owner, time.monotonic() + KNOWN_SECONDS)
        self._elsewhere.move_to_end(id)
        if len(self._elsewhere) > MOST_KNOWN:
            self._elsewhere.popitem(last=False)

    async def release(self, id: str) -> None:
        if id in self._asking or id in self._releasing or id not in self._mine:
            return
        number = self._mine.pop(id)
        task = self._releasing[id] = asyncio.create_task(self._release(id, number))
        task.add_done_callback(lambda _: self._releasing.pop(id, None))
        await asyncio.shield(task)

    async def _release(self, id: str, number: int) -> None:
        owners = tables.owners
        gone = delete(owners).where(owners.c.game == id, owners.c.process == number)
        try:
            await self.storage.write(lambda connection: connection.execute(gone), number)
        except Fenced:
            return
        except StorageError:  # it stays with this process, which takes it up again when it is asked for
            log.warning("a game could not be released")


_CLAIM = text(
    "INSERT INTO owners (game, process) SELECT id, :process FROM games WHERE id = :game ON CONFLICT DO NOTHING"
)
_OWNER = (
    select(tables.processes.c.number, tables.processes.c.address, tables.processes.c.key)
    .join(tables.owners, tables.owners.c.process == tables.processes.c.number)
    .where(tables.owners.c.game == text(":game"))
)


def claim(connection: Connection, id: str, process: int) -> Owner | None:
    """Who has a game; this process if nobody had it."""
    row = connection.execute(_OWNER, {"game": id}).first()
    if row is None:
        connection.execute(_CLAIM, {"game": id, "process": process})
        row = connection.execute(_OWNER, {"game": id}).first()
    return None if row is None else Owner(*row)


def owners_for(storage: Storage, address: str) -> GameOwners:
    """Who may have the games of this database."""
    if storage.engine.dialect.name == "postgresql":
        return SharedOwners(storage, address)
    return SoleOwner()


__all__ = ["GameOwners", "Owner", "SharedOwners", "SoleOwner", "owners_for"]
