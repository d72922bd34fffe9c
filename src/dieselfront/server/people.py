"""People without passwords: a person is a key that the browser keeps, one for each device.

A recovery code brings a new device its own key; the code is used up and replaced by another. Keys and codes are kept
only as their hashes. A person's key opens the seats he holds, on every device.
"""

from __future__ import annotations

import secrets
import time
import unicodedata
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, and_, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from dieselfront.server import tables, tokens
from dieselfront.server.live import LiveGame, Seat
from dieselfront.server.messages import Known, MyGame, NewPerson, Ranked, Reporting
from dieselfront.server.ratings import LEVEL, is_sure, sides_rated
from dieselfront.server.refusals import Refused
from dieselfront.server.storage import Storage

CODE_PARTS, CODE_LETTERS = 5, 4
MOST_DEVICES = 20
MOST_GAMES = 200
MOST_BLOCKED = 500
MOST_REPORTS = 10
"""Reports of one person in a day."""
DAY_SECONDS = 86_400.0
CHAT_REPORTED = 50
MOST_RANKED = 100
BARRED = "The host of this server keeps you out of the lobby."


LONGEST_NAME = 60
MOST_MARKS = 6
"""Marks above and below the letters of a name."""


class Person(NamedTuple):
    """Somebody this server knows."""

    id: str
    name: str
    barred: bool = False


def new_code() -> str:
    """A recovery code of a hundred bits: short enough to write down."""
    letters = ["".join(secrets.choice(tokens.ALPHABET) for _ in range(CODE_LETTERS)) for _ in range(CODE_PARTS)]
    return "-".join(letters)


def code_hash(code: str) -> str:
    """What is kept of a code; however it was typed."""
    return tokens.hashed("".join(letter for letter in code.lower() if letter in tokens.ALPHABET))


def _is_refused(word: str, name: str) -> bool:
    """Does a name hold a refused word, be it spelled with dots or blanks between its letters?"""
    lower = name.casefold()
    letters = "".join(letter for letter in lower if letter.isalnum())
    words = "".join(letter if letter.isalnum() else " " for letter in lower).split()
    return word in words or letters == word


class People:
    """All people of a server."""

    def __init__(self, storage: Storage, refused_names: Sequence[str] = ()) -> None:
        self.storage = storage
        self.refused_names = frozenset(name.casefold() for name in refused_names)

    def check_name(self, name: str) -> str:
        """A name as it may stand in the lobby: letters that are seen, few marks above them, no refused word."""
        clean = " ".join(unicodedata.normalize("NFKC", name).split())
        marks = sum(1 for letter in clean if unicodedata.combining(letter))
        if not clean or not clean.isprintable() or marks > MOST_MARKS or len(clean) > LONGEST_NAME:
            raise Refused(422, "This name cannot be used here; choose another.")
        if any(_is_refused(word, clean) for word in self.refused_names):
            raise Refused(422, "This name cannot be used here; choose another.")
        return clean

    async def register(self, name: str) -> NewPerson:
        """A new person, with the key of the first device and a recovery code."""
        made = NewPerson(tokens.new_id(), self.check_name(name), tokens.new_token(), new_code())
        now = time.time()

        def work(connection: Connection) -> None:
            row = {"id": made.id, "name": made.name, "recovery": code_hash(made.recovery), "created": now}
            connection.execute(insert(tables.people), row)
            _add_device(connection, made.id, made.key, now)

        await self.storage.write(work)
        return made

    async def recover(self, code: str, alone: bool) -> NewPerson:
        """The key for another device; the code is replaced. `alone`: the keys of all other devices are forgotten."""
        people, key, fresh = tables.people, tokens.new_token(), new_code()
        known: list[Person] = []

        def work(connection: Connection) -> None:
            known.clear()
            wanted = select(people.c.id, people.c.name).where(people.c.recovery == code_hash(code))
            person = connection.execute(wanted).first()
            if person is None:
                return
            known.append(Person(*person))
            changed = update(people).where(people.c.id == person.id).values(recovery=code_hash(fresh))
            connection.execute(changed)
            if alone:
                connection.execute(delete(tables.devices).where(tables.devices.c.person == person.id))
            _add_device(connection, person.id, key, time.time())

        await self.storage.write(work)
        if not known:
            raise Refused(403, "This recovery code opens nothing; perhaps it has been used already.")
        return NewPerson(known[0].id, known[0].name, key, fresh)

    async def fresh_code(self, person: Person) -> str:
        """A new recovery code; the one before opens nothing any more."""
        people, code = tables.people, new_code()
        change = update(people).where(people.c.id == person.id).values(recovery=code_hash(code))
        await self.storage.write(lambda connection: connection.execute(change))
        return code

    async def who(self, key: str | None) -> Person:
        """Whose key it is; Refused if nobody's."""
        person = await self.known(key) if key else None
        if person is None:
            raise Refused(401, "This is for people this server knows; send your key as X-Person.")
        return person

    async def known(self, key: str) -> Person | None:
        """Whose key it is, if anybody's."""
        people, devices = tables.people, tables.devices
        wanted = select(people.c.id, people.c.name, people.c.barred).join(devices, devices.c.person == people.c.id)
        digest = tokens.hashed(key.strip()[: tokens.LONGEST])
        row = await self.storage.read(lambda c: c.execute(wanted.where(devices.c.key == digest)).first())
        return None if row is None else Person(*row)

    async def rename(self, person: Person, name: str) -> None:
        """From now on he is called so; games that are under way keep the old name."""
        people = tables.people
        change = update(people).where(people.c.id == person.id).values(name=self.check_name(name))
        await self.storage.write(lambda connection: connection.execute(change))

    async def games(self, person: Person) -> list[MyGame]:
        """His games, those first in which it is his turn, then by the last change."""
        places, games = tables.places, tables.games
        columns = (places.c.game, games.c.ruleset, games.c.pace, games.c.seats)
        wanted = (
            select(*columns, places.c.seat, places.c.turn, places.c.over, places.c.at)
            .join(games, games.c.id == places.c.game)
            .where(places.c.person == person.id)
            .order_by(places.c.over, places.c.turn.desc(), places.c.at.desc())
            .limit(MOST_GAMES)
        )
        rows = await self.storage.read(lambda connection: connection.execute(wanted).all())
        return [
            MyGame(
                *(row.game, row.ruleset, row.pace, row.seat, [seat.name for seat in seats]),
                *(row.turn, row.over, row.at, sides_rated(seats) is not None),
            )
            for row, seats in ((row, msgspec.json.decode(row.seats, type=list[Seat])) for row in rows)
        ]

    async def block(self, person: Person, other: str, blocked: bool) -> None:
        """Meet somebody no more in the lobby, or again."""
        if other == person.id:
            raise Refused(422, "Nobody blocks himself.")
        blocks = tables.blocks
        row = {"person": person.id, "other": other}

        def work(connection: Connection) -> None:
            connection.execute(delete(blocks).where(blocks.c.person == person.id, blocks.c.other == other))
            mine = select(func.count()).select_from(blocks).where(blocks.c.person == person.id)
            if blocked and connection.execute(mine).scalar_one() < MOST_BLOCKED:
                exists = select(tables.people.c.id).where(tables.people.c.id == other)
                if connection.execute(exists).first() is not None:
                    connection.execute(insert(blocks), row)

        await self.storage.write(work)

    async def blocked(self, person: Person) -> list[Known]:
        """Whom somebody has blocked."""
        blocks, people = tables.blocks, tables.people
        wanted = select(people.c.id, people.c.name).join(blocks, blocks.c.other == people.c.id)
        wanted = wanted.where(blocks.c.person == person.id).order_by(people.c.name).limit(MOST_BLOCKED)
        return [Known(*row) for row in await self.storage.read(lambda connection: connection.execute(wanted).all())]

    async def report(self, person: Person, report: Reporting) -> str:
        """Keep a report for the host, with what was said in the game if both sat there."""
        if report.person == person.id:
            raise Refused(422, "Nobody reports himself.")
        id, now = tokens.new_id(), time.time()

        def work(connection: Connection) -> None:
            reports, people = tables.reports, tables.people
            recent = select(func.count()).select_from(reports)
            recent = recent.where(reports.c.person == person.id, reports.c.at > now - DAY_SECONDS)
            if connection.execute(recent).scalar_one() >= MOST_REPORTS:
                raise Refused(429, f"At most {MOST_REPORTS} reports a day; the host has got yours.")
            if connection.execute(select(people.c.id).where(people.c.id == report.person)).first() is None:
                raise Refused(404, "There is nobody of that name here any more.")
            game = report.game if report.game and _both_sat(connection, report.game, person.id, report.person) else None
            row = {
                "id": id,
                "person": person.id,
                "other": report.person,
                "game": game,
                "text": report.text,
                "at": now,
            }
            row["chat"] = msgspec.json.encode(_last_lines(connection, game)).decode()
            connection.execute(insert(reports), row)

        await self.storage.write(work)
        return id

    async def ranking(self, ruleset: str) -> list[Ranked]:
        """Who plays a game best, people and computer levels together."""
        ratings, people = tables.ratings, tables.people
        wanted = (
            select(ratings.c.who, people.c.name, ratings.c.rating, ratings.c.deviation, ratings.c.games)
            .outerjoin(people, people.c.id == ratings.c.who)
            .where(ratings.c.ruleset == ruleset, or_(people.c.barred.is_(None), ~people.c.barred))
            .order_by(ratings.c.rating.desc())
            .limit(MOST_RANKED)
        )
        rows = await self.storage.read(lambda connection: connection.execute(wanted).all())
        return [
            Ranked(
                row.who,
                row.name or row.who.removeprefix(LEVEL),
                round(row.rating, 1),
                round(row.deviation, 1),
                row.games,
                is_sure(row.deviation),
            )
            for row in rows
            if row.name is not None or row.who.startswith(LEVEL)
        ]


def _both_sat(connection: Connection, game: str, one: str, other: str) -> bool:
    places = tables.places
    wanted = select(places.c.person).where(places.c.game == game, places.c.person.in_((one, other)))
    return set(connection.execute(wanted).scalars()) == {one, other}


def _last_lines(connection: Connection, game: str | None) -> list[list[Any]]:
    chat = tables.chat
    if game is None:
        return []
    wanted = select(chat.c.name, chat.c.text, chat.c.at).where(chat.c.game == game).order_by(chat.c.n.desc())
    return [list(row) for row in connection.execute(wanted.limit(CHAT_REPORTED))][::-1]


def block_between(person: str) -> Any:
    """A condition on people: neither of the two has blocked the other."""
    blocks, people = tables.blocks, tables.people
    either = or_(
        and_(blocks.c.person == person, blocks.c.other == people.c.id),
        and_(blocks.c.other == person, blocks.c.person == people.c.id),
    )
    return ~select(blocks.c.person).where(either).exists()


def _add_device(connection: Connection, person: str, key: str, now: float) -> None:
    devices = tables.devices
    connection.execute(insert(devices), {"key": tokens.hashed(key), "person": person, "created": now})
    mine = select(devices.c.key).where(devices.c.person == person).order_by(devices.c.created.desc())
    old = list(connection.execute(mine.offset(MOST_DEVICES)).scalars())
    if old:
        connection.execute(delete(devices).where(devices.c.key.in_(old)))


# -- seats ------------------------------------------------------------------------------------------


def take_place(connection: Connection, game: str, seat: int, person: str, turn: bool, over: bool) -> None:
    """A seat is somebody's from now on."""
    row = {"game": game, "seat": seat, "person": person, "turn": turn, "over": over, "at": time.time()}
    try:
        connection.execute(insert(tables.places), row)
    except IntegrityError:
        raise Refused(409, "This seat is somebody's already.") from None


def mark_places(connection: Connection, game: str, deciders: Sequence[int], over: bool) -> None:
    """Whose turn it is, for those who look at all their games."""
    places = tables.places
    for seat in (0, 1):
        here = (places.c.game == game) & (places.c.seat == seat)
        state = {"turn": seat in deciders and not over, "over": over, "at": time.time()}
        connection.execute(update(places).where(here).values(state))


def people_at(live: LiveGame) -> dict[str, list[int]]:
    """The seats of a game by the people who hold them."""
    held: dict[str, list[int]] = {}
    for number, seat in enumerate(live.seats):
        if seat.person is not None:
            held.setdefault(seat.person, []).append(number)
    return held


__all__ = ["People", "Person", "block_between", "mark_places", "people_at", "take_place"]
