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


def untouched(before: float) -> Select[Any]:
    """Games without a change or a word since that time."""
    games, journal, chat = tables.games, tables.journal, tables.chat
    changed = select(func.max(journal.c.at)).where(journal.c.game == games.c.id).scalar_subquery()
    said = select(func.max(chat.c.at)).where(chat.c.game == games.c.id).scalar_subquery()
    return (
        select(games.c.id)
        .where(games.c.created < before)
        .where(func.coalesce(changed, 0.0) < before)
        .where(func.coalesce(said, 0.0) < before)
    )


def old_games(connection: Connection, before: float, after: str) -> list[str]:
    """Some of them, in the order of their ids."""
    ids = untouched(before).where(tables.games.c.id > after).order_by(tables.games.c.id).limit(AT_ONCE)
    return list(connection.execute(ids).scalars())


def old_records(connection: Connection, before: float) -> list[str]:
    """Some of the records that were brought along before that time."""
    records = tables.records
    ids = select(records.c.id).where(records.c.created < before).order_by(records.c.id).limit(AT_ONCE)
    return list(connection.execute(ids).scalars())


def export_game(connection: Connection, id: str, folder: Path) -> None:
    """Write a game's file; it is on the disk before anything is dropped."""
    found = game_rows(connection, id)
    if found is not None:
        write_whole(folder / f"game-{id}.json", exported(*found))


def export_record(connection: Connection, id: str, folder: Path) -> None:
    """Write a record's file."""
    data = connection.execute(select(tables.records.c.data).where(tables.records.c.id == id)).scalar()
    if data is not None:
        write_whole(folder / f"record-{id}.json", bytes(data))


def drop_game(connection: Connection, id: str, before: float) -> None:
    """Drop a game that is still untouched, and all that belongs to it."""
    if connection.execute(untouched(before).where(tables.games.c.id == id)).first() is None:
        return
    for table in (tables.journal, tables.chat, tables.positions, tables.frames):
        connection.execute(delete(table).where(table.c.game == id))
    connection.execute(delete(tables.games).where(tables.games.c.id == id))


def drop_record(connection: Connection, id: str) -> None:
    """Drop a record."""
    connection.execute(delete(tables.records).where(tables.records.c.id == id))


async def tidy(storage: Storage, days: float, folder: Path, forget: Callable[[str], bool] = lambda id: True) -> Dropped:
    """Export and drop everything that is old enough; `forget` says whether a game may leave the memory."""
    before = time.time() - days * DAY
    games = records = 0
    after = ""
    while ids := await storage.read(partial(old_games, before=before, after=after)):
        after = ids[-1]
        for id in ids:
            if forget(id):
                await storage.read(partial(export_game, id=id, folder=folder))
                await storage.write(partial(drop_game, id=id, before=before))
                games += 1
    while ids := await storage.read(partial(old_records, before=before)):
        for id in ids:
            await storage.read(partial(export_record, id=id, folder=folder))
            await storage.write(partial(drop_record, id=id))
            records += 1
    return Dropped(games, records)


async def tidy_on(storage: Storage, days: float, folder: Path, forget: Callable[[str], bool]) -> None:
    """Do so every hour, as long as the server runs."""
    while True:
        try:
            dropped = await tidy(storage, days, folder, forget)
            if dropped != (0, 0):
                log.warning("exported and dropped %d games and %d records", *dropped)
        except (StorageError, OSError) as error:
            log.error("old games could not be exported: %s", error)
        await asyncio.sleep(EVERY_SECONDS)


__all__ = ["Dropped", "tidy", "tidy_on"]
