"""Shared games: finished games whose players all agreed that everybody may read and study them.

Each person at the game agrees for himself and may take it back; computers have nothing against it. What is shared is
the record, with the names of the seats, for its check values cover them: no chat, no tokens, nobody's key.
`dieselfront server export-shared` writes the records into a folder, from which `lab export` makes a dataset.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, delete, insert, select

from dieselfront.kernel.record import dump
from dieselfront.server import tables
from dieselfront.server.exports import record_of, write_whole
from dieselfront.server.live import LiveGame, Seats
from dieselfront.server.messages import SharedGame, Sharing
from dieselfront.server.refusals import Refused
from dieselfront.server.storage import Storage, engine_for, game_rows

PAGE = 100
"""So many shared games are listed at once."""


class Exported(NamedTuple):
    """How many shared games were written, and how many could not be read."""

    games: int
    damaged: int


def agreed(connection: Connection, game: str) -> set[int]:
    """The seats that agreed."""
    shared = tables.shared_games
    return set(connection.execute(select(shared.c.seat).where(shared.c.game == game)).scalars())


def sharing(live: LiveGame, seats: set[int]) -> Sharing:
    """Who agreed, and whether everybody did."""
    each = [not seat.is_human or number in seats for number, seat in enumerate(live.seats)]
    return Sharing(each, live.over and bool(seats) and all(each))


async def look(storage: Storage, live: LiveGame) -> Sharing:
    """How far a game is shared."""
    return sharing(live, await storage.read(lambda connection: agreed(connection, live.id)))


async def agree(storage: Storage, live: LiveGame, seats: Seats, share: bool) -> Sharing:
    """These seats agree, or take it back."""
    if not seats:
        raise Refused(403, "Spectators watch; only who played may share a game.")
    if not live.over:
        raise Refused(409, "A game can be shared once it is over.")
    shared = tables.shared_games

    def work(connection: Connection) -> None:
        connection.execute(delete(shared).where(shared.c.game == live.id, shared.c.seat.in_(seats)))
        if share:
            now = time.time()
            rows = [{"game": live.id, "seat": seat, "open": False, "at": now} for seat in seats]
            connection.execute(insert(shared), rows)
        everybody = sharing(live, agreed(connection, live.id)).shared
        connection.execute(shared.update().where(shared.c.game == live.id).values(open=everybody))

    await storage.write(work)
    return await look(storage, live)


def shared_ids() -> Select[Any]:
    """The games that everybody may read."""
    shared = tables.shared_games
    return select(shared.c.game).where(shared.c.open).distinct()


def listed(connection: Connection, after: str) -> list[SharedGame]:
    """Some of the shared games, in the order of their ids."""
    games = tables.games
    wanted = (
        select(games.c.id, games.c.ruleset, games.c.created)
        .where(games.c.id.in_(shared_ids()), games.c.id > after)
        .order_by(games.c.id)
        .limit(PAGE)
    )
    return [SharedGame(*row) for row in connection.execute(wanted)]


def shared_record(connection: Connection, game: str) -> bytes | None:
    """The record of a game that everybody may read."""
    shared = connection.execute(shared_ids().where(tables.shared_games.c.game == game)).first()
    return None if shared is None else record_data(connection, game)


def export(url: str, folder: Path) -> Exported:
    """Write the record of every shared game into a folder; the server may go on meanwhile."""
    engine = engine_for(url)
    written = damaged = 0
    try:
        with engine.connect() as connection:
            for game in list(connection.execute(shared_ids().order_by(tables.shared_games.c.game)).scalars()):
                data = record_data(connection, game)
                if data is None:
                    damaged += 1
                    continue
                write_whole(folder / f"{game}.json", data)
                written += 1
    finally:
        engine.dispose()
    return Exported(written, damaged)


def record_data(connection: Connection, game: str) -> bytes | None:
    """The record of a finished game as a file, with its seed; none if its row is damaged or gone."""
    rows = game_rows(connection, game)
    if rows is None:
        return None
    try:
        return dump(record_of(rows[0], rows[1], publish_seed=True))
    except (ValueError, TypeError):
        return None


__all__ = ["Exported", "agree", "export", "listed", "look", "shared_record"]
