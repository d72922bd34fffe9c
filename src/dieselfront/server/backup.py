"""Backups: a whole database in one file, from SQLite or PostgreSQL and into either, while the server goes on.

The file is gzipped JSON, a line for each row. Its first line tells the revision of the tables, its last one how many
rows there were and the digest of all lines before it: a file that was cut off or changed is refused before anything is
written.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, LargeBinary, MetaData, Table, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError

from dieselfront.server import migrate
from dieselfront.server.storage import engine_for

FORMAT = 1
CHUNK = 500
TABLES = (
    *("games", "journal", "chat", "records", "positions", "frames", "sealed_lists"),
    *("people", "devices", "places", "lobby", "ratings", "rated", "blocks", "subscriptions", "server_keys"),
    *("reports", "shared_games"),
)
"""In the order in which rows may be put in; tables a revision does not know are left out."""


class BackupError(Exception):
    """A backup that cannot be made or put back; one sentence says why."""


def backup(url: str, path: Path) -> dict[str, int]:
    """Write everything into a file; returns how many rows of each table. One moment of the database is kept."""
    engine = engine_for(url)
    unfinished = path.with_name(path.name + ".part")
    try:
        with engine.connect() as connection:
            _one_moment(connection)
            revision = MigrationContext.configure(connection).get_current_revision()
            if revision is None:
                raise BackupError("The database has no tables of ours; there is nothing to back up.")
            handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)  # seeds and seats are secrets
            with os.fdopen(handle, "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as packed:
                counts = _write(connection, revision, packed)
                packed.close()
                raw.flush()
                os.fsync(raw.fileno())
        unfinished.replace(path)
    except SQLAlchemyError as error:
        raise BackupError(f"The database cannot be read: {_first_line(error)}.") from None
    except OSError as error:
        raise BackupError(f"{path} cannot be written: {error.strerror or error}.") from None
    finally:
        unfinished.unlink(missing_ok=True)
        engine.dispose()
    return counts


def _one_moment(connection: Connection) -> None:
    """See the database as it is now, whatever is written meanwhile."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))
    else:
        connection.exec_driver_sql("BEGIN")


def _write(connection: Connection, revision: str, packed: gzip.GzipFile) -> dict[str, int]:
    digest = hashlib.sha256()

    def line(content: Any) -> None:
        data = json.dumps(content, separators=(",", ":")).encode() + b"\n"
        digest.update(data)
        packed.write(data)

    line({"dieselfront": "backup", "format": FORMAT, "revision": revision, "created": time.time()})
    counts: dict[str, int] = {}
    for table in _tables(connection):
        rows = connection.execution_options(yield_per=CHUNK).execute(select(table).order_by(*table.primary_key.columns))
        counts[table.name] = 0
        for row in rows:
            line([table.name, [_plain(value) for value in row]])
            counts[table.name] += 1
    packed.write(json.dumps({"rows": counts, "digest": digest.hexdigest()}).encode() + b"\n")
    return counts


def _tables(connection: Connection) -> list[Table]:
    """The tables of the database as they are, not as this program would make them."""
    known = MetaData()
    known.reflect(connection)
    return [known.tables[name] for name in TABLES if name in known.tables]


def _plain(value: Any) -> Any:
    return {"base64": base64.b64encode(bytes(value)).decode()} if isinstance(value, (bytes, memoryview)) else value


def restore(url: str, path: Path) -> dict[str, int]:
    """Put a backup into an empty database; all of it or nothing. Tables are brought up to date afterwards."""
    head, counts = check(path)
    engine = engine_for(url)
    try:
        _must_be_empty(engine)
        if engine.dialect.name == "sqlite" and engine.url.database:
            Path(engine.url.database).parent.mkdir(parents=True, exist_ok=True)
        migrate.upgrade(engine, head["revision"])
        with engine.begin() as connection:
            _fill(connection, path)
        migrate.upgrade(engine)
    except SQLAlchemyError as error:
        raise BackupError(f"The database cannot take the backup: {_first_line(error)}.") from None
    finally:
        engine.dispose()
    return counts


def _must_be_empty(engine: Engine) -> None:
    with engine.connect() as connection:
        for table in _tables(connection):
            rows = connection.execute(select(func.count()).select_from(table)).scalar() or 0
            if rows:
                raise BackupError(
                    f"The database holds {rows} rows of {table.name} already; a backup goes into an empty one."
                )


def check(path: Path) -> tuple[dict[str, Any], dict[str, int]]:
    """Read a backup from end to end: is it whole, and can this program take it?"""
    digest = hashlib.sha256()
    head: dict[str, Any] | None = None
    last: Any = None
    before = b""
    for data in _lines(path):
        if before:
            digest.update(before)
        head = _json(path, data) if head is None else head
        before = data
    last = _json(path, before) if before else None
    if not isinstance(head, dict) or head.get("dieselfront") != "backup" or not isinstance(last, dict):
        raise BackupError(f"{path.name} is not a backup of ours, or it was cut off.")
    if head.get("format") != FORMAT:
        raise BackupError(f"{path.name} has format {head.get('format')}; this program reads format {FORMAT}.")
    if last.get("digest") != digest.hexdigest():
        raise BackupError(f"{path.name} was changed or cut off: its digest does not match.")
    known = {script.revision for script in ScriptDirectory.from_config(migrate.config(None)).walk_revisions()}
    if head.get("revision") not in known:
        raise BackupError(f"{path.name} comes from a newer program (revision {head.get('revision')}).")
    return head, last["rows"]


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with gzip.open(path, "rb") as packed:
            yield from packed
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or "it is not a whole gzip file"
        raise BackupError(f"{path} cannot be read: {reason}.") from None


def _json(path: Path, data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        raise BackupError(f"{path.name} is not a backup of ours, or it was cut off.") from None


def _fill(connection: Connection, path: Path) -> None:
    tables = {table.name: table for table in _tables(connection)}
    waiting: list[dict[str, Any]] = []
    into = ""
    for data in _lines(path):
        entry = json.loads(data)
        if isinstance(entry, dict):
            continue
        name, values = entry
        if waiting and (name != into or len(waiting) >= CHUNK):
            connection.execute(insert(tables[into]), waiting)
            waiting = []
        into = name
        columns = tables[name].columns
        waiting.append({column.name: _value(column, value) for column, value in zip(columns, values, strict=True)})
    if waiting:
        connection.execute(insert(tables[into]), waiting)


def _value(column: Any, value: Any) -> Any:
    if isinstance(value, dict):
        return base64.b64decode(value["base64"])
    return value.encode() if isinstance(value, str) and isinstance(column.type, LargeBinary) else value


def _first_line(error: Exception) -> str:
    cause = getattr(error, "orig", None) or error
    return str(cause).strip().split("\n", 1)[0]


__all__ = ["BackupError", "backup", "check", "restore"]
