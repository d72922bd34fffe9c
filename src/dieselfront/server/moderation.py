"""What the host does about people: read reports, and keep somebody out of the lobby."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
from sqlalchemy import select, update
from sqlalchemy.exc import SQLAlchemyError

from dieselfront.server import tables
from dieselfront.server.storage import StorageError, engine_for

MOST_SHOWN = 500


class Report(NamedTuple):
    """What somebody reported about somebody else."""

    at: float
    by: str
    by_name: str
    about: str
    about_name: str
    barred: bool
    game: str | None
    text: str
    chat: list[list[Any]]
    """Name, words and time of the last lines of that game."""


def reports(url: str) -> list[Report]:
    """All reports, the newest first."""
    filed, by, about = tables.reports, tables.people.alias("by"), tables.people.alias("about")
    wanted = (
        select(filed, by.c.name.label("by_name"), about.c.name.label("about_name"), about.c.barred)
        .join(by, by.c.id == filed.c.person)
        .join(about, about.c.id == filed.c.other)
        .order_by(filed.c.at.desc())
        .limit(MOST_SHOWN)
    )
    engine = engine_for(url)
    try:
        with engine.connect() as connection:
            rows = connection.execute(wanted).all()
    except SQLAlchemyError:
        raise StorageError("The database cannot be read, or has no reports of this program's version.") from None
    finally:
        engine.dispose()
    return [
        Report(
            *(row.at, row.person, row.by_name, row.other, row.about_name, row.barred),
            *(row.game, row.text, msgspec.json.decode(row.chat)),
        )
        for row in rows
    ]


def bar(url: str, person: str, barred: bool) -> str | None:
    """Keep somebody out of the lobby, or let him in again; returns his name, or none if nobody has that id."""
    people = tables.people
    engine = engine_for(url)
    try:
        with engine.begin() as connection:
            name: str | None = connection.execute(select(people.c.name).where(people.c.id == person)).scalar()
            connection.execute(update(people).where(people.c.id == person).values(barred=barred))
    except SQLAlchemyError:
        raise StorageError("The database cannot be changed.") from None
    finally:
        engine.dispose()
    return name


__all__ = ["Report", "bar", "reports"]
