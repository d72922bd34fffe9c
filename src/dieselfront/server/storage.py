"""Keeping games: one writer that commits in groups, readers beside it; SQLite or PostgreSQL.

Whoever awaits `write` goes on only when the change is on the disk. Changes that arrive while a commit is under way
share the next one. A change that the database refuses is tried again alone, so that it fails for nobody else.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine, create_engine, delete, event, insert, make_url, select, text, update
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError

from dieselfront.server import tables
from dieselfront.server.refusals import Refused
from dieselfront.server.threads import Threads

log = logging.getLogger("dieselfront.server")
T = TypeVar("T")
Work = Callable[[Connection], Any]
MOST_AT_ONCE = 256
ROWS_OF_A_STATEMENT = 64
"""Every SQLite there is takes so many values in one statement."""
READERS = 4
PATIENCE_SECONDS = 15
"""How long PostgreSQL may take for one statement."""
IDLE_SECONDS = 5
"""How long a server may fall silent in the middle of a transaction: a frozen one must not hold the others up."""
CONFLICTS = ("IntegrityError", "UniqueViolation")
"""What the drivers call an entry that is there already."""


class StorageError(Exception):
    """The database cannot be reached or refuses its work; one sentence says so."""


class Conflict(StorageError):
    """Somebody else wrote the same entry first."""


class Fenced(StorageError):
    """The process that wishes the change has been given up by the others, and its games have gone to them."""


class GameRow(NamedTuple):
    """A game as it is kept."""

    id: str
    created: float
    ruleset: str
    header: bytes
    seed: str | None
    seats: str
    spectator: str
    pace: str
    webhook: str | None
    origin: str | None
    offers: str


class Entry(NamedTuple):
    """One line of a journal."""

    game: str
    version: int
    kind: str
    seat: int
    body: str
    check: str
    at: float
    why: str | None = None


_ANOTHER_ROW = f", ({', '.join('?' * len(Entry._fields))})"
LATEST = 0
"""The version under which the latest position of a running game is kept; others are where its rules moved."""
LUCK = -1
"""The first frame of the block that is none: how the dice fell."""
REVIEW = -2
"""The same for the review of the game."""


class StoredRow(NamedTuple):
    """A position as it is kept."""

    game: str
    version: int
    choices: int
    rules: str
    state: bytes
    log: bytes
    at: float


class ChatRow(NamedTuple):
    """One line of chat."""

    game: str
    n: int
    seat: int | None
    name: str
    text: str
    at: float


class _Job(NamedTuple):
    """A change on its way to the disk, and who waits for it: entries of a journal, or any other work."""

    entries: Sequence[Entry]
    work: Work | None
    fence: int
    loop: asyncio.AbstractEventLoop
    waiting: asyncio.Future[None]


_RAW_LIVING = "SELECT number FROM processes WHERE number = ANY(%s) FOR KEY SHARE"
_LIVING = text(_RAW_LIVING.replace("%s", ":numbers"))
"""Holds a process's row until the commit: to give a process up is to delete its row, and that waits so long."""


def _check_fences(living: Sequence[Any], fences: Collection[int]) -> None:
    if len(living) != len(fences):
        raise Fenced("This server has lost the game to another one; nothing was changed.")


def _tell_waiting(jobs: Sequence[_Job], error: Exception | None) -> None:
    """From the writer's thread; a loop that is gone waits for nothing."""
    with contextlib.suppress(RuntimeError):
        jobs[0].loop.call_soon_threadsafe(_settle, [job.waiting for job in jobs], error)


def _settle(waiting: Sequence[asyncio.Future[None]], error: Exception | None) -> None:
    """Tell those who wait, as far as they still do."""
    for one in waiting:
        if one.done():
            continue
        if error is None:
            one.set_result(None)
        else:
            one.set_exception(error)


class Storage:
    """The database of a server."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = engine_for(url, IDLE_SECONDS)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._writer: threading.Thread | None = None
        self._ready = False
        self._lock: OnlyOne | None = None
        self._raw: Any = None
        self._appending: Any = insert(tables.journal).compile(dialect=self.engine.dialect)
        self._readers = Threads("reading", READERS)
        self.failures = 0
        self.commits = 0
        self.entries = 0

    def check(self) -> None:
        """Reach the database and bring its tables up to date, once."""
        from dieselfront.server.migrate import upgrade

        if self._ready:
            return
        try:
            if self.engine.dialect.name == "sqlite" and self.engine.url.database:
                Path(self.engine.url.database).parent.mkdir(parents=True, exist_ok=True)
                self._lock = OnlyOne(self.engine.url.database)
                self._lock.take()
            upgrade(self.engine)
            self._ready = True
        except (SQLAlchemyError, OSError) as error:
            raise StorageError(f"The database {self.shown_url} cannot be used: {_first_line(error)}.") from None
        finally:
            self.engine.dispose()

    def open(self) -> None:
        """Bring the tables up to date and start the writer."""
        self.check()
        self._writer = threading.Thread(target=self._write_on, name="writer", daemon=True)
        self._writer.start()

    def close(self) -> None:
        """Finish what is under way and let go of the database."""
        if self._writer is not None:
            self._jobs.put(None)
            self._writer.join()
            self._writer = None
        self._readers.close()
        self.engine.dispose()
        if self._lock is not None:
            self._lock.let_go()
        self._ready = False

    @property
    def shown_url(self) -> str:
        """The database's address without its password."""
        return self.engine.url.render_as_string(hide_password=True)

    # -- writing --------------------------------------------------------------------------------

    async def append(self, *entries: Entry, fence: int = 0) -> None:
        """Add entries to a journal; returns when they are durable. Fenced if the process of that number is gone."""
        await self._hand_over(entries, None, fence)

    async def write(self, work: Work, fence: int = 0) -> None:
        """Do any other change; returns when it is durable. What the work itself refuses is not done."""
        await self._hand_over((), work, fence)

    async def _hand_over(self, entries: Sequence[Entry], work: Work | None, fence: int) -> None:
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[None] = loop.create_future()
        # A caller that gives up does not take the change back: it is on its way.
        self._jobs.put(_Job(entries, work, fence, loop, waiting))
        await waiting

    def _write_on(self) -> None:
        """The writer: take everything that waits, commit it together, tell those who wait."""
        last = False
        while not last:
            jobs, last = self._waiting()
            if jobs:
                self._commit(jobs)
        if self._raw is not None:
            self._raw.close()
            self._raw = None

    def _waiting(self) -> tuple[list[_Job], bool]:
        jobs: list[_Job] = []
        job = self._jobs.get()
        while True:
            if job is None:
                return jobs, True
            jobs.append(job)
            if len(jobs) >= MOST_AT_ONCE:
                return jobs, False
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                return jobs, False

    def _commit(self, jobs: list[_Job]) -> None:
        try:
            self._do(jobs)
        except Exception as error:
            if len(jobs) == 1:
                problem = error if isinstance(error, Refused) else _storage_error(error)
                self.failures += not isinstance(problem, Conflict | Refused)
                _tell_waiting(jobs, problem)
                return
            for job in jobs:
                self._commit([job])
            return
        self.commits += 1
        _tell_waiting(jobs, None)

    def _do(self, jobs: list[_Job]) -> None:
        entries = [entry for job in jobs for entry in job.entries]
        fences = {job.fence for job in jobs if job.fence}
        if all(job.work is None for job in jobs):
            self._append(entries, fences)
        else:
            with self.engine.begin() as connection:
                if fences:
                    _check_fences(connection.execute(_LIVING, {"numbers": list(fences)}).all(), fences)
                for job in jobs:
                    if job.work is not None:
                        job.work(connection)
                if entries:
                    connection.execute(insert(tables.journal), [entry._asdict() for entry in entries])
        self.entries += len(entries)

    def _append(self, entries: list[Entry], fences: Collection[int] = ()) -> None:
        """The usual case, choices and nothing else, on a connection of the writer's own and without ceremony."""
        if self._raw is None:
            self._raw = self.engine.raw_connection()
        cursor = self._raw.cursor()
        try:
            if fences:
                cursor.execute(_RAW_LIVING, (list(fences),))
                _check_fences(cursor.fetchall(), fences)
            self._insert(cursor, entries)
            self._raw.commit()
        except BaseException:
            self._drop_raw()
            raise
        finally:
            with contextlib.suppress(Exception):
                cursor.close()

    def _insert(self, cursor: Any, entries: list[Entry]) -> None:
        """SQLite lets go of the interpreter at each statement and waits for it again: one statement for many rows."""
        one = str(self._appending)
        if not self._appending.positional:
            cursor.executemany(one, [entry._asdict() for entry in entries])
            return
        for first in range(0, len(entries), ROWS_OF_A_STATEMENT):
            rows = entries[first : first + ROWS_OF_A_STATEMENT]
            cursor.execute(one + _ANOTHER_ROW * (len(rows) - 1), [value for row in rows for value in row])

    def _drop_raw(self) -> None:
        """Undo what the writer's own connection was about, and take a new one next time."""
        raw, self._raw = self._raw, None
        with contextlib.suppress(Exception):
            raw.rollback()
        with contextlib.suppress(Exception):
            raw.invalidate()

    # -- reading --------------------------------------------------------------------------------

    async def read(self, work: Callable[[Connection], T], *, change: bool = False) -> T:
        """Ask the database, without holding anybody up; or change something small that waits for no others."""

        def ask() -> T:
            try:
                with self.engine.begin() if change else self.engine.connect() as connection:
                    return work(connection)
            except SQLAlchemyError as error:
                self.failures += 1
                raise _storage_error(error, "The database cannot be read at the moment; try again.") from None

        return await self._readers.run(ask)

    async def game(self, id: str) -> tuple[GameRow, list[Entry], list[ChatRow]] | None:
        """A game with its journal and its chat, or nothing."""

        return await self.read(lambda connection: game_rows(connection, id))

    async def whole_game(self, id: str) -> tuple[GameRow, list[Entry], list[ChatRow], dict[int, StoredRow]] | None:
        """The same with its stored positions, by version."""

        def ask(connection: Connection) -> Any:
            game = game_rows(connection, id)
            if game is None:
                return None
            wanted = select(tables.positions).where(tables.positions.c.game == id)
            stored = [StoredRow(*row) for row in connection.execute(wanted)]
            return (*game, {row.version: row for row in stored})

        return await self.read(ask)

    async def frames(self, id: str, at: int) -> bytes | None:
        """The block of a finished game's frames that holds the one after so many choices; or LUCK, or REVIEW."""
        frames = tables.frames
        wanted = select(frames.c.data).where(frames.c.game == id, frames.c.first <= at, frames.c.first >= min(at, 0))
        latest = wanted.order_by(frames.c.first.desc()).limit(1)
        block = await self.read(lambda connection: connection.execute(latest).scalar())
        return bytes(block) if block is not None else None

    async def record(self, id: str) -> bytes | None:
        """An uploaded record."""
        wanted = select(tables.records.c.data).where(tables.records.c.id == id)
        data = await self.read(lambda connection: connection.execute(wanted).scalar())
        return bytes(data) if data is not None else None

    # -- changes by name ------------------------------------------------------------------------

    async def add_game(self, row: GameRow, entries: Sequence[Entry] = ()) -> None:
        """A new game, with the choices it begins with if it branched from another."""
        rows = [entry._asdict() for entry in entries]

        def work(connection: Connection) -> None:
            connection.execute(insert(tables.games), row._asdict())
            if rows:
                connection.execute(insert(tables.journal), rows)

        await self.write(work)

    async def set_offers(self, id: str, offers: str, fence: int = 0) -> None:
        """Who offers a draw, who asks for a take-back."""
        change = update(tables.games).where(tables.games.c.id == id).values(offers=offers)
        await self.write(lambda connection: connection.execute(change), fence)

    async def say(self, row: ChatRow, keep: int, fence: int = 0) -> None:
        """A line of chat; the oldest go when there are too many."""

        def work(connection: Connection) -> None:
            connection.execute(insert(tables.chat), row._asdict())
            old = (tables.chat.c.game == row.game) & (tables.chat.c.n <= row.n - keep)
            connection.execute(delete(tables.chat).where(old))

        await self.write(work, fence)

    async def put_position(self, row: StoredRow, fence: int = 0) -> None:
        """Keep a position instead of the one before it."""
        await self.write(lambda connection: replace_position(connection, row), fence)

    async def put_frames(self, id: str, blocks: Sequence[tuple[int, bytes]], fence: int = 0) -> None:
        """Keep the frames of a finished game."""

        def work(connection: Connection) -> None:
            frames = tables.frames
            connection.execute(delete(frames).where(frames.c.game == id, frames.c.first != REVIEW))
            rows = [{"game": id, "first": first, "data": data} for first, data in blocks]
            connection.execute(insert(frames), rows)

        await self.write(work, fence)

    async def put_block(self, id: str, first: int, data: bytes) -> None:
        """Keep one block of a finished game instead of the one before it."""

        def work(connection: Connection) -> None:
            frames = tables.frames
            connection.execute(delete(frames).where(frames.c.game == id, frames.c.first == first))
            connection.execute(insert(frames), {"game": id, "first": first, "data": data})

        await self.write(work)

    async def add_record(self, id: str, data: bytes, now: float) -> None:
        """An uploaded record."""
        await self.write(lambda c: c.execute(insert(tables.records), {"id": id, "created": now, "data": data}))


def game_rows(connection: Connection, id: str) -> tuple[GameRow, list[Entry], list[ChatRow]] | None:
    """A game with its journal and its chat, or nothing."""
    game_row = connection.execute(select(tables.games).where(tables.games.c.id == id)).first()
    if game_row is None:
        return None
    lines = select(tables.journal).where(tables.journal.c.game == id).order_by(tables.journal.c.version)
    said = select(tables.chat).where(tables.chat.c.game == id).order_by(tables.chat.c.n)
    return (
        GameRow(*game_row),
        [Entry(*row) for row in connection.execute(lines)],
        [ChatRow(*row) for row in connection.execute(said)],
    )


def replace_position(connection: Connection, row: StoredRow) -> None:
    """Keep a position instead of the one of the same version."""
    positions = tables.positions
    connection.execute(delete(positions).where(positions.c.game == row.game, positions.c.version == row.version))
    connection.execute(insert(positions), row._asdict())


class OnlyOne:
    """One process has an SQLite file at a time: a lock beside it, which the system lets go when the process ends."""

    def __init__(self, database: str) -> None:
        self.path = Path(f"{database}.lock")
        self._handle: Any = None

    def take(self) -> None:
        """StorageError if another process has it."""
        try:
            import fcntl
        except ImportError:  # not on Windows
            return
        self._handle = self.path.open("a")
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.let_go()
            raise StorageError(
                f"Another server has {self.path.name.removesuffix('.lock')} open; "
                "one process can use an SQLite file, any number a PostgreSQL database."
            ) from None

    def let_go(self) -> None:
        """Let others have it."""
        if self._handle is not None:
            self._handle.close()
            self._handle = None


def engine_for(url: str, idle_seconds: int = 0) -> Engine:
    """The engine for a URL; SQLite with a write-ahead log, synchronous FULL.

    PostgreSQL ends a session that falls silent in the middle of a transaction for `idle_seconds`.
    """
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite":
            if not parsed.database or parsed.database == ":memory:":
                raise StorageError("An SQLite database in memory forgets everything; expected the path of a file.")
            engine = create_engine(parsed, connect_args={"timeout": 30, "check_same_thread": False}, pool_size=8)
            event.listen(engine, "connect", _prepare_sqlite)
            return engine
        if parsed.get_backend_name() == "postgresql":
            patience = PATIENCE_SECONDS * 1000
            timeouts = f"-c statement_timeout={patience} -c lock_timeout={patience}"
            if idle_seconds:
                timeouts += f" -c idle_in_transaction_session_timeout={idle_seconds * 1000}"
            return create_engine(
                parsed,
                pool_size=8,
                pool_timeout=PATIENCE_SECONDS,
                pool_pre_ping=True,
                connect_args={"connect_timeout": 5, "options": timeouts},
            )
    except ArgumentError:
        raise StorageError(f"'{_hide(url)}' is no database; expected a file or postgresql://USER@HOST/NAME.") from None
    except ModuleNotFoundError as missing:
        raise StorageError(
            f"PostgreSQL needs the package '{missing.name}'; install it with: pip install 'dieselfront[postgres]'."
        ) from None
    raise StorageError(f"{parsed.get_backend_name()} is not supported; expected SQLite or PostgreSQL.")


def _prepare_sqlite(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


class _Complaints:
    """What the database refuses goes into the log, but one that is away for a minute does not fill it."""

    EVERY_SECONDS = 5.0

    def __init__(self) -> None:
        self._text = ""
        self._at = 0.0
        self._more = 0

    def about(self, text: str) -> None:
        now = time.monotonic()
        if text == self._text and now - self._at < self.EVERY_SECONDS:
            self._more += 1
            return
        more = f" (and {self._more} times before)" if self._more else ""
        log.error("the database refused: %s%s", text, more)
        self._text, self._at, self._more = text, now, 0


_complaints = _Complaints()


def _storage_error(error: Exception, reason: str = "") -> StorageError:
    """A refusal of the database in one sentence; its details go into the log."""
    if isinstance(error, StorageError):
        return error
    if isinstance(error, IntegrityError) or type(error).__name__ in CONFLICTS:
        return Conflict("Somebody else changed the game at the same moment.")
    _complaints.about(_first_line(error))
    return StorageError(reason or "The database cannot take the change at the moment; nothing was changed.")


def _first_line(error: Exception) -> str:
    """What went wrong, without the statement and its values."""
    cause = getattr(error, "orig", None) or error
    return str(cause).strip().split("\n", 1)[0]


def _hide(url: str) -> str:
    head, at, tail = url.rpartition("@")
    return f"{head.partition('://')[0]}://...@{tail}" if at else url


__all__ = [
    "LATEST",
    "LUCK",
    "REVIEW",
    "ChatRow",
    "Conflict",
    "Entry",
    "Fenced",
    "GameRow",
    "OnlyOne",
    "Storage",
    "StorageError",
    "StoredRow",
    "game_rows",
]
