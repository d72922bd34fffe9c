"""The lobby: battles that people look for. Somebody joins with one press, or two who wish the same are paired."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, func, insert, select

from dieselfront.forces import ForcesError
from dieselfront.scenarios import ScenarioProblem, battle
from dieselfront.server import new_games, tables, tokens
from dieselfront.server.live import Seat
from dieselfront.server.messages import Meeting, NewGame, NewSeat, Offer
from dieselfront.server.people import Person, block_between, take_place
from dieselfront.server.refusals import Refused
from dieselfront.server.settings import Limits
from dieselfront.server.storage import GameRow, Storage

MOST_OFFERS = 5
"""Offers of one person."""
MOST_SHOWN = 100
LIVE_SECONDS, CORRESPONDENCE_SECONDS = 3600.0, 7 * 86_400.0
"""How long an offer stands."""
ANYBODY = "any"
GONE = "This offer is gone: somebody was faster, or it was taken back."


class Entry(NamedTuple):
    """An offer with the name of who made it."""

    id: str
    person: str
    name: str
    ruleset: str
    points: int
    pace: str
    wish: str
    pair: bool
    created: float

    @property
    def offer(self) -> Offer:
        return msgspec.json.decode(self.wish, type=Offer)


_LOBBY, _PEOPLE = tables.lobby, tables.people
_ENTRIES = select(
    *(_LOBBY.c.id, _LOBBY.c.person, _PEOPLE.c.name, _LOBBY.c.ruleset, _LOBBY.c.points),
    *(_LOBBY.c.pace, _LOBBY.c.wish, _LOBBY.c.pair, _LOBBY.c.created),
).join(_PEOPLE, _PEOPLE.c.id == _LOBBY.c.person)


def _standing(now: float) -> Any:
    """Offers that have not run out."""
    live, slow = now - LIVE_SECONDS, now - CORRESPONDENCE_SECONDS
    created: Any = _LOBBY.c.created
    return ((_LOBBY.c.pace == "live") & (created > live)) | ((_LOBBY.c.pace != "live") & (created > slow))


def _fits(one: Offer, other: Offer) -> bool:
    """Do two look for each other, as far as experience goes?"""
    return ANYBODY in (one.level, other.level) or one.level == other.level


def check_offer(offer: Offer, limits: Limits) -> None:
    """Refuse an offer that could not be played, or that would be a burden to whoever looks at the lobby."""
    if len(msgspec.json.encode(offer)) > limits.offer_bytes:
        raise Refused(413, f"An offer has at most {limits.offer_bytes} bytes.")
    new_games.known_ruleset(offer.ruleset)
    try:
        new_games.scenario_for(NewGame(ruleset=offer.ruleset, scenario=offer.scenario), limits)
    except (ScenarioProblem, ValueError) as error:
        raise Refused(422, new_games.sentence(error)) from None
    _army(offer, offer.army, limits)


def _army(offer: Offer, wanted: str | dict[str, Any] | None, limits: Limits) -> None:
    if wanted is None:
        return
    try:
        army = new_games.army_for(wanted, offer.ruleset, limits)
    except (ForcesError, ValueError) as error:
        raise Refused(422, new_games.sentence(error)) from None
    if army.points > offer.points:
        raise Refused(422, f"The army has {army.points} points; the battle is of {offer.points}.")


def battle_of(entry: Entry, guest: Person, army: str | dict[str, Any] | None, limits: Limits) -> GameRow:
    """The game that comes of an offer, with both people in their seats."""
    offer = entry.offer
    _army(offer, army, limits)
    starters = list(battle.starters(offer.ruleset))
    if len(starters) < 2 and (offer.army is None or army is None):
        raise Refused(422, f"There are no starter armies for {offer.ruleset}; a battle needs two army lists.")
    first = starters[0] if offer.army is None else offer.army
    second = next(name for name in starters if name != first) if army is None else army
    wish = NewGame(
        ruleset=offer.ruleset,
        scenario=offer.scenario,
        armies=[first, second],
        seats=[NewSeat(name=entry.name), NewSeat(name=guest.name)],
        pace=offer.pace,
    )
    row = new_games.begin(wish, limits).row
    seats = msgspec.json.decode(row.seats, type=list[Seat])
    held = [
        msgspec.structs.replace(seat, person=who) for seat, who in zip(seats, (entry.person, guest.id), strict=True)
    ]
    return row._replace(seats=msgspec.json.encode(held).decode())


class Lobby:
    """All offers of a server."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    async def entries(self, person: Person | None, ruleset: str | None, pace: str | None) -> list[Entry]:
        """Offers this person may see, the newest first."""
        wanted = _ENTRIES.where(_standing(time.time()), ~_PEOPLE.c.barred)
        if person is not None:
            wanted = wanted.where(block_between(person.id))
        if ruleset:
            wanted = wanted.where(_LOBBY.c.ruleset == ruleset)
        if pace:
            wanted = wanted.where(_LOBBY.c.pace == pace)
        wanted = wanted.order_by(_LOBBY.c.created.desc()).limit(MOST_SHOWN)
        return [Entry(*row) for row in await self.storage.read(lambda connection: connection.execute(wanted).all())]

    async def entry(self, id: str, person: Person) -> Entry:
        """One of them."""
        wanted = _ENTRIES.where(_LOBBY.c.id == id, _standing(time.time()), block_between(person.id))
        row = await self.storage.read(lambda connection: connection.execute(wanted).first())
        if row is None:
            raise Refused(404, GONE)
        return Entry(*row)

    async def match(self, person: Person, offer: Offer) -> Entry | None:
        """The oldest offer that waits for exactly this."""
        same = (_LOBBY.c.ruleset == offer.ruleset, _LOBBY.c.points == offer.points, _LOBBY.c.pace == offer.pace)
        wanted = _ENTRIES.where(_LOBBY.c.pair, _LOBBY.c.person != person.id, *same)
        wanted = wanted.where(_standing(time.time()), block_between(person.id), ~_PEOPLE.c.barred)
        wanted = wanted.order_by(_LOBBY.c.created).limit(MOST_SHOWN)
        rows = await self.storage.read(lambda connection: connection.execute(wanted).all())
        return next((entry for entry in (Entry(*row) for row in rows) if _fits(entry.offer, offer)), None)

    async def add(self, person: Person, offer: Offer) -> str:
        """A new offer; those that ran out go."""
        id, now = tokens.new_id(), time.time()
        row = {"id": id, "person": person.id, "ruleset": offer.ruleset, "points": offer.points, "pace": offer.pace}
        row |= {"wish": msgspec.json.encode(offer).decode(), "pair": offer.pair, "created": now}

        def work(connection: Connection) -> None:
            connection.execute(delete(_LOBBY).where(~_standing(now)))
            mine = select(func.count()).select_from(_LOBBY).where(_LOBBY.c.person == person.id)
            if connection.execute(mine).scalar_one() >= MOST_OFFERS:
                raise Refused(429, f"At most {MOST_OFFERS} offers of yours can stand; take one back first.")
            connection.execute(insert(_LOBBY), row)

        await self.storage.write(work)
        return id

    async def take_back(self, id: str, person: Person) -> None:
        """An offer of one's own goes."""
        gone = delete(_LOBBY).where(_LOBBY.c.id == id, _LOBBY.c.person == person.id)
        await self.storage.write(lambda connection: connection.execute(gone))

    async def meet(self, entry: Entry, guest: Person, row: GameRow) -> Meeting:
        """Begin the game, if nobody was faster."""

        def work(connection: Connection) -> None:
            if connection.execute(delete(_LOBBY).where(_LOBBY.c.id == entry.id)).rowcount != 1:
                raise Refused(409, GONE)
            connection.execute(insert(tables.games), row._asdict())
            for seat, who in enumerate((entry.person, guest.id)):
                take_place(connection, row.id, seat, who, False, False)

        await self.storage.write(work)
        return Meeting(None, row.id, 1)


__all__ = ["Entry", "Lobby", "battle_of", "check_offer"]
