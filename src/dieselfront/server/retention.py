"""Retention: games and records that nobody has touched for as long as the host set are exported and dropped."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, delete, func, select

from dieselfront.server import tables
from dieselfront.server.exports import exported, write_whole
from dieselfront.server.storage import Storage, StorageError, game_rows

log = logging.getLogger("dieselfront.server")
DAY = 86_400.0
AT_ONCE = 50
EVERY_SECONDS = 3600.0


class Dropped(NamedTuple):
    """How many games and records left."""

    games: int
    records: int


def untouched(before: float, process: int = 0) -> Select[Any]:
    """Games without a change or a word since that time, and not in the hands of another server process."""
    games, journal, chat, owners = tables.games, tables.journal, tables.chat, tables.owners
    others = select(owners.c.game).where(owners.c.game == games.c.id, owners.c.process != process).exists()
    changed = select(func.max(journal.c.at)).where(journal.c.game == games.c.id).scalar_subquery()
    said = select(func.max(chat.c.at)).where(chat.c.game == games.c.id).scalar_subquery()
    return (
        select(games.c.id)
        .where(games.c.created < before, ~others)
        .where(func.coalesce(changed, 0.0) < before)
        .where(func.coalesce(said, 0.0) < before)
    )


def old_games(connection: Connection, before: float, after: str, process: int) -> list[str]:
    """Some of them, in the order of their ids."""
    ids = untouched(before, process).where(tables.games.c.id > after).order_by(tables.games.c.id).limit(AT_ONCE)
    return list(connection.execute(ids).scalars())


def old_records(connection: Connection, before: float) -> list[str]:
    """Some of the records that were brought along before that time."""
    records = tables.records
    ids = select(records.c.id).where(records.c.created < before).order_by(records.c.id).limit(AT_ONCE)
    return list(connection.execute(ids).scalars())


def export_game(connection: Connection, id: str, folder: Path) -> None:
    """Write a game's file; it is on the disk before anything is dropped."""
    rows = game_rows(connection, id)
    if rows is not None:
        write_whole(folder / f"game-{id}.json", exported(*rows))


def export_record(connection: Connection, id: str, folder: Path) -> None:
    """Write a record's file."""
    data = connection.execute(select(tables.records.c.data).where(tables.records.c.id == id)).scalar()
    if data is not None:
        write_whole(folder / f"record-{id}.json", bytes(data))


def drop_game(connection: Connection, id: str, before: float, process: int) -> None:
    """Drop a game that is still untouched, and all that belongs to it."""
    if connection.execute(untouched(before, process).where(tables.games.c.id == id)).first() is None:
        return
    for table in (tables.journal, tables.chat, tables.positions, tables.frames):
        connection.execute(delete(table).where(table.c.game == id))
    connection.execute(delete(tables.games).where(tables.games.c.id == id))


def drop_record(connection: Connection, id: str) -> None:
    """Drop a record."""
    connection.execute(delete(tables.records).where(tables.records.c.id == id))


def drop_offers(connection: Connection, before: float) -> None:
    """Drop battles with sealed lists that were offered before that time; a game they led to has its own life."""
    connection.execute(delete(tables.sealed_lists).where(tables.sealed_lists.c.created < before))


async def tidy(
    storage: Storage,
    days: float,
    folder: Path,
    forget: Callable[[str], bool] = lambda id: True,
    process: Callable[[], int] = lambda: 0,
) -> Dropped:
    """Export and drop everything that is old enough; `forget` says whether a game may leave the memory.

    `process` is the number of this server where several share the database; what others have is theirs to drop.
    """
    before = time.time() - days * DAY
    games = records = 0
    after = ""
    while ids := await storage.read(partial(old_games, before=before, after=after, process=process())):
        after = ids[-1]
        for id in ids:
            if forget(id):
                await storage.read(partial(export_game, id=id, folder=folder))
                await storage.write(partial(drop_game, id=id, before=before, process=process()))
                games += 1
    while ids := await storage.read(partial(old_records, before=before)):
        for id in ids:
            await storage.read(partial(export_record, id=id, folder=folder))
            await storage.write(partial(drop_record, id=id))
            records += 1
    await storage.write(partial(drop_offers, before=before))
    return Dropped(games, records)


async def tidy_on(
    storage: Storage, days: float, folder: Path, forget: Callable[[str], bool], process: Callable[[], int] = lambda: 0
) -> None:
    """Do so every hour, as long as the server runs."""
    while True:
        try:
            dropped = await tidy(storage, days, folder, forget, process)
            if dropped != (0, 0):
                log.warning("exported and dropped %d games and %d records", *dropped)
        except (StorageError, OSError) as error:
            log.error("old games could not be exported: %s", error)
        await asyncio.sleep(EVERY_SECONDS)


__all__ = ["Dropped", "tidy", "tidy_on"]
