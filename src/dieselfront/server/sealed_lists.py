"""Battles whose army lists are handed in one by one; neither is shown before both are on the disk.

Whoever offers a battle hands his list in first and keeps a token. Whoever takes it up hands in his own without having
seen the first; in the same transaction the game begins, and the token of each opens his seat in it.
"""

from __future__ import annotations

import hmac
import time
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, insert, select, update

from dieselfront import rulesets
from dieselfront.forces import ForcesError
from dieselfront.forces.armies import Army
from dieselfront.scenarios.sealed_lists import ListRefused, SealedLists
from dieselfront.server import new_games, tables, tokens
from dieselfront.server.live import Seat
from dieselfront.server.messages import HandedIn, NewGame, NewSeat, SealedBattle, SealedOffer, SealedReply
from dieselfront.server.new_games import Begun, sentence
from dieselfront.server.refusals import Refused
from dieselfront.server.settings import Limits
from dieselfront.server.storage import Conflict, Storage

NAMES = new_games.NAMES


class Stored(NamedTuple):
    """A row of the table."""

    id: str
    created: float
    offer: str
    token: str
    reply: str | None
    reply_token: str | None
    game: str | None


class Begins(NamedTuple):
    """The second list and the game it begins."""

    reply: SealedReply
    begun: Begun


# -- work for other processes -----------------------------------------------------------------------


def checked_offer(offer: SealedOffer, limits: Limits) -> SealedOffer:
    """The offer with its list written out; Refused if no game could be begun with it."""
    new_games.known_ruleset(offer.ruleset)
    try:
        new_games.scenario_for(_wish(offer, []), limits)
        army = new_games.army_for(offer.army, offer.ruleset, limits)
    except (ForcesError, ValueError) as error:
        raise Refused(422, sentence(error)) from None
    return msgspec.structs.replace(offer, army=msgspec.to_builtins(army))


def taken_up(stored: Stored, reply: SealedReply, limits: Limits) -> Begins:
    """The reply with its list written out, and the game of both lists; the first token opens the first seat."""
    offer = msgspec.json.decode(stored.offer, type=SealedOffer)
    try:
        army = new_games.army_for(reply.army, offer.ruleset, limits)
        both = lists_of(stored).hand_in(1, army)
    except ListRefused as error:
        raise Refused(409 if stored.reply is not None else 422, str(error)) from None
    except (ForcesError, ValueError) as error:
        raise Refused(422, sentence(error)) from None
    written = msgspec.structs.replace(reply, army=msgspec.to_builtins(army))
    begun = new_games.begin(_wish(offer, [msgspec.to_builtins(one) for one in both.lists], written), limits)
    first, second = msgspec.json.decode(begun.row.seats, type=list[Seat])
    seats = [msgspec.structs.replace(first, token=stored.token), second]
    begun.row = begun.row._replace(seats=msgspec.json.encode(seats).decode())
    return Begins(written, begun)


def _wish(offer: SealedOffer, armies: list[Any], reply: SealedReply | None = None) -> NewGame:
    names = offer.name, reply.name if reply is not None else None
    return NewGame(
        offer.ruleset,
        offer.scenario,
        armies,
        [NewSeat("human", name) for name in names],
        offer.options,
        offer.dice,
        offer.pace,
    )


# -- what is kept and shown -------------------------------------------------------------------------


def lists_of(stored: Stored) -> SealedLists:
    """The lists that are in."""
    offer = msgspec.json.decode(stored.offer, type=SealedOffer)
    reply = msgspec.json.decode(stored.reply, type=SealedReply) if stored.reply is not None else None
    second = msgspec.convert(reply.army, Army) if reply is not None else None
    return SealedLists((msgspec.convert(offer.army, Army), second))


def shown(stored: Stored, token: str | None) -> SealedBattle:
    """The battle as the holder of a token sees it; without one, as anybody does."""
    offer = msgspec.json.decode(stored.offer, type=SealedOffer)
    reply = msgspec.json.decode(stored.reply, type=SealedReply) if stored.reply is not None else None
    both = lists_of(stored)
    first = both.lists[0]
    return SealedBattle(
        stored.id,
        offer.ruleset,
        rulesets.load(offer.ruleset).secret_lists,
        first.points if first is not None else 0,
        [offer.name or NAMES[0], (reply.name or NAMES[1]) if reply is not None else None],
        list(both.seen_by(sides_of(stored, token))),
        both.revealed,
        stored.game,
    )


def sides_of(stored: Stored, token: str | None) -> tuple[int, ...]:
    """The side that a token stands for."""
    digest = tokens.hashed((token or "").strip()[: tokens.LONGEST])
    kept = (stored.token, stored.reply_token)
    return tuple(side for side, one in enumerate(kept) if one is not None and hmac.compare_digest(digest, one))


async def find(storage: Storage, id: str) -> Stored:
    """A battle by its id."""
    wanted = select(tables.sealed_lists).where(tables.sealed_lists.c.id == id)
    row = await storage.read(lambda connection: connection.execute(wanted).first()) if tokens.is_id(id) else None
    if row is None:
        raise Refused(404, "There is no battle with sealed lists of this name.")
    return Stored(*row)


async def keep(storage: Storage, offer: SealedOffer) -> HandedIn:
    """A new battle, waiting for the second list."""
    token = tokens.new_token()
    written = msgspec.json.encode(offer).decode()
    row = Stored(tokens.new_id(), time.time(), written, tokens.hashed(token), None, None, None)
    await storage.write(lambda connection: connection.execute(insert(tables.sealed_lists), row._asdict()))
    return HandedIn(row.id, 0, token)


def claim(connection: Connection, id: str, begins: Begins) -> None:
    """The second list; Conflict if somebody else was quicker. The game is kept in the same transaction."""
    token = begins.begun.created.seats[1].token or ""
    waiting = update(tables.sealed_lists).where(tables.sealed_lists.c.id == id, tables.sealed_lists.c.reply.is_(None))
    changed = connection.execute(
        waiting.values(
            reply=msgspec.json.encode(begins.reply).decode(),
            reply_token=tokens.hashed(token),
            game=begins.begun.row.id,
        )
    )
    if changed.rowcount != 1:
        raise Conflict("Somebody else has taken this battle up.")
    connection.execute(insert(tables.games), begins.begun.row._asdict())


__all__ = ["Begins", "Stored", "checked_offer", "claim", "find", "keep", "lists_of", "shown", "sides_of", "taken_up"]
