"""People and the lobby: register, recover, all games of one's own, offers, joining. A host may switch any of it off."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from litestar import Router, delete, get, post
from litestar.datastructures import State
from litestar.params import JSONBody, QueryParameter
from sqlalchemy import Connection, select

from dieselfront import rulesets
from dieselfront.server import lobby, tables, tokens
from dieselfront.server.games import Games
from dieselfront.server.lobby import Entry, Lobby
from dieselfront.server.messages import (
    Blocking,
    Called,
    Experience,
    Features,
    Joining,
    Known,
    Meeting,
    MyGame,
    NewCode,
    NewPerson,
    Offer,
    OfferView,
    PersonView,
    PushKey,
    Ranked,
    Rating,
    Recovering,
    Reported,
    Reporting,
    Silencing,
    Subscribed,
    Subscription,
)
from dieselfront.server.people import BARRED, Person
from dieselfront.server.ratings import Strength
from dieselfront.server.refusals import Refused
from dieselfront.server.routes.common import PathId, PersonHeader, SeatHeader

OfRuleset = Annotated[str | None, QueryParameter(name="ruleset", max_length=40, description="The id of a game.")]
OfPace = Annotated[
    Literal["live", "correspondence"] | None, QueryParameter(name="pace", description="live or correspondence.")
]


OfLevel = Annotated[Experience | None, QueryParameter(name="level", description="any, new, regular or veteran.")]
Feature = Literal["people", "lobby", "push", "ratings"]


def must_have(games: Games, what: Feature) -> None:
    """Refuse what the host has switched off."""
    if not getattr(games.settings, what):
        raise Refused(404, f"This server has no {what}.")


async def the_person(state: State, key: str | None, what: Feature = "people") -> Person:
    """Who asks."""
    games: Games = state.games
    must_have(games, what)
    who = await games.people.who(key)
    if what == "lobby" and who.barred:
        raise Refused(403, BARRED)
    return who


async def views(games: Games, people: list[Person]) -> dict[str, PersonView]:
    """People as others see them, by id."""
    ratings = tables.ratings
    wanted = select(ratings).where(ratings.c.who.in_({person.id for person in people}))

    def ask(connection: Connection) -> list[Any]:
        return list(connection.execute(wanted).all()) if games.settings.ratings else []

    by_person: dict[str, list[Rating]] = {person.id: [] for person in people}
    for row in await games.storage.read(ask):
        strength = Strength(row.rating, row.deviation, row.volatility, row.games)
        by_person[row.who].append(
            Rating(
                row.ruleset, round(strength.rating, 1), round(strength.deviation, 1), strength.games, strength.is_sure
            )
        )
    return {person.id: PersonView(person.id, person.name, by_person[person.id]) for person in people}


@get("/features", summary="What this server has for people", operation_id="features")
async def features(state: State) -> Features:
    """Pages of what its host has switched off are not shown."""
    on = state.games.settings
    return Features(on.people, on.people and on.lobby, on.people and on.ratings, on.people and on.push, on.sharing)


# -- people -----------------------------------------------------------------------------------------


@post("/people", summary="Become known", operation_id="register")
async def register(data: JSONBody[Called], state: State) -> NewPerson:
    """A key for this browser and a recovery code for the person; neither is given again."""
    games: Games = state.games
    must_have(games, "people")
    return await games.people.register(data.name)


@post("/people/recover", summary="Come back on another device", operation_id="recover")
async def recover(data: JSONBody[Recovering], state: State) -> NewPerson:
    """A key for this device, and a new code; the old code opens nothing any more."""
    games: Games = state.games
    must_have(games, "people")
    return await games.people.recover(data.code, data.alone)


@get("/people/me", summary="Who you are here", operation_id="me")
async def me(state: State, person: PersonHeader = None) -> PersonView:
    """Name and ratings."""
    who = await the_person(state, person)
    return (await views(state.games, [who]))[who.id]


@post("/people/me/recovery", summary="A new recovery code", operation_id="fresh_code")
async def fresh_code(state: State, person: PersonHeader = None) -> NewCode:
    """The code before it opens nothing any more."""
    games: Games = state.games
    return NewCode(await games.people.fresh_code(await the_person(state, person)))


@post("/people/me/name", status_code=200, summary="Change your name", operation_id="rename")
async def rename(data: JSONBody[Called], state: State, person: PersonHeader = None) -> Called:
    """For games that begin from now on."""
    games: Games = state.games
    who = await the_person(state, person)
    await games.people.rename(who, data.name)
    return Called((await games.people.who(person)).name)


@get("/people/me/games", summary="All your games", operation_id="my_games")
async def my_games(state: State, person: PersonHeader = None) -> list[MyGame]:
    """Those first in which it is your turn."""
    games: Games = state.games
    return await games.people.games(await the_person(state, person))


@post("/people/me/blocked", status_code=200, summary="Block somebody, or no longer", operation_id="block")
async def block(data: JSONBody[Blocking], state: State, person: PersonHeader = None) -> Blocking:
    """Neither sees the other's offers, and they are not paired."""
    games: Games = state.games
    await games.people.block(await the_person(state, person), data.person, data.blocked)
    return data


@get("/people/me/blocked", summary="Whom you have blocked", operation_id="blocked")
async def blocked(state: State, person: PersonHeader = None) -> list[Known]:
    """By name."""
    games: Games = state.games
    return await games.people.blocked(await the_person(state, person))


@post("/people/me/reports", summary="Tell the host about somebody", operation_id="report")
async def report(data: JSONBody[Reporting], state: State, person: PersonHeader = None) -> Reported:
    """The host reads it, with the talk of the game where you met."""
    games: Games = state.games
    return Reported(await games.people.report(await the_person(state, person), data))


@get("/ratings", summary="Who plays a game best", operation_id="ranking")
async def ranking(state: State, ruleset: OfRuleset = None) -> list[Ranked]:
    """People and computer levels together, the best first."""
    games: Games = state.games
    must_have(games, "people")
    must_have(games, "ratings")
    return await games.people.ranking(ruleset or rulesets.DEFAULT)


@get("/people/push", summary="The key to subscribe with", operation_id="push_key")
async def push_key(state: State) -> PushKey:
    """The server's public key (VAPID), for the browser's push manager."""
    games: Games = state.games
    must_have(games, "push")
    return PushKey(await games.push.public_key())


@post("/people/me/push", status_code=200, summary="Be notified by this browser", operation_id="subscribe")
async def subscribe(data: JSONBody[Subscription], state: State, person: PersonHeader = None) -> Subscribed:
    """When it is your turn in a correspondence game and you are away."""
    games: Games = state.games
    who = await the_person(state, person, "push")
    return Subscribed(await games.push.subscribe(who.id, data))


@post("/people/me/push/stop", status_code=200, summary="Be notified no more", operation_id="unsubscribe")
async def unsubscribe(state: State, data: JSONBody[Silencing | None] = None, person: PersonHeader = None) -> Subscribed:
    """By the browser of that address, or by none of your browsers."""
    games: Games = state.games
    who = await the_person(state, person, "push")
    return Subscribed(await games.push.unsubscribe(who.id, data.endpoint if data else None))


@post("/games/{game_id:str}/claim", status_code=200, summary="Make a seat your own", operation_id="claim")
async def claim(game_id: PathId, state: State, person: PersonHeader = None, seat: SeatHeader = None) -> MyGame:
    """Whoever has a seat's link takes it along to all devices; the link goes on working."""
    games: Games = state.games
    who = await the_person(state, person)
    await games.claim_seat(game_id, seat, who)
    mine = [one for one in await games.people.games(who) if one.game == game_id]
    return mine[0]


# -- the lobby --------------------------------------------------------------------------------------


@get("/lobby", summary="Open seats", operation_id="lobby")
async def offers(
    state: State,
    ruleset: OfRuleset = None,
    pace: OfPace = None,
    level: OfLevel = None,
    person: PersonHeader = None,
) -> list[OfferView]:
    """Battles that people look for, the newest first. Anybody may look."""
    games: Games = state.games
    must_have(games, "lobby")
    who = await the_person(state, person, "lobby") if person else None
    entries = await Lobby(games.storage).entries(who, ruleset, pace)
    entries = [entry for entry in entries if level is None or entry.offer.level in (level, lobby.ANYBODY)]
    hosts = await views(games, [Person(entry.person, entry.name) for entry in entries])
    return [_offer_view(entry, hosts[entry.person], who) for entry in entries]


def _offer_view(entry: Entry, host: PersonView, who: Person | None) -> OfferView:
    offer = entry.offer
    yours = who is not None and entry.person == who.id
    return OfferView(
        *(entry.id, host, entry.ruleset, entry.points, offer.pace),
        *(offer.scenario, entry.pair, yours, entry.created, offer.level),
    )


@post("/lobby", summary="Look for a battle", operation_id="offer")
async def offer(data: JSONBody[Offer], state: State, person: PersonHeader = None) -> Meeting:
    """With `pair`, whoever waits for the same is met at once; otherwise the offer stands until somebody joins."""
    games: Games = state.games
    who = await the_person(state, person, "lobby")
    await games.long_work.run(lobby.check_offer, data, games.settings.limits)
    waiting = await Lobby(games.storage).match(who, data) if data.pair else None
    if waiting is not None:
        return await _meet(games, waiting, who, data.army)
    return Meeting(await Lobby(games.storage).add(who, data), None, None)


@post("/lobby/{offer_id:str}/join", status_code=200, summary="Join a battle", operation_id="join")
async def join(
    offer_id: PathId, state: State, data: JSONBody[Joining | None] = None, person: PersonHeader = None
) -> Meeting:
    """The battle begins; your key opens your seat."""
    games: Games = state.games
    who = await the_person(state, person, "lobby")
    entry = await Lobby(games.storage).entry(offer_id, who) if tokens.is_id(offer_id) else None
    if entry is None:
        raise Refused(404, lobby.GONE)
    if entry.person == who.id:
        raise Refused(409, "This offer is your own.")
    return await _meet(games, entry, who, data.army if data else None)


@delete("/lobby/{offer_id:str}", status_code=200, summary="Take an offer back", operation_id="take_offer_back")
async def take_back(offer_id: PathId, state: State, person: PersonHeader = None) -> dict[str, bool]:
    """Nobody can join it any more."""
    games: Games = state.games
    who = await the_person(state, person, "lobby")
    if tokens.is_id(offer_id):
        await Lobby(games.storage).take_back(offer_id, who)
    return {"gone": True}


async def _meet(games: Games, entry: Entry, who: Person, army: Any) -> Meeting:
    row = await games.long_work.run(lobby.battle_of, entry, who, army, games.settings.limits)
    meeting = await Lobby(games.storage).meet(entry, who, row)
    games.tell_host(entry.person, row.id, f"{who.name} has joined your battle.")
    return meeting


handlers: list[Any] = [register, recover, me, rename, my_games, block, claim, offers, offer, join, take_back]
handlers += [features, fresh_code, blocked, report, ranking, push_key, subscribe, unsubscribe]
router = Router("/", route_handlers=handlers, tags=["People"])
