"""After the battle: records, replays, luck and branches; for games of this server and for records brought along."""

from __future__ import annotations

import time
import zlib
from dataclasses import dataclass
from typing import Annotated, Any

from litestar import Response, Router, get, post
from litestar.datastructures import State
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIType, Operation, Reference, RequestBody, Schema
from litestar.params import JSONBody, QueryParameter

from dieselfront.server import jobs, tokens
from dieselfront.server.games import Games
from dieselfront.server.jobs import Source
from dieselfront.server.live import LiveGame
from dieselfront.server.messages import BranchAt, Created, Plain, RecordId
from dieselfront.server.moved_games import MovedGame
from dieselfront.server.refusals import Refused
from dieselfront.server.routes.common import JSON, Ask, PathId, SeatHeader, json_bytes, visitor
from dieselfront.server.shapes import CaseFile, Frame, Luck, Story
from dieselfront.server.storage import LUCK

AtChoice = Annotated[int, QueryParameter(name="at", ge=0, le=10**6, description="After how many choices.")]

WhyWrong = Annotated[str, QueryParameter(name="why", max_length=500, description="What should have happened.")]


async def source_of_game(games: Games, live: LiveGame) -> Source:
    """The record of a game as far as it has come."""
    async with live.lock:
        return games.source(live)


async def stored_frame(games: Games, live: LiveGame, at: int) -> bytes:
    """One moment of a finished game whose rules have moved, as it was stored."""
    if at > len(live.makers):
        raise Refused(422, f"The game has {len(live.makers)} choices, so there is no moment after {at}.")
    block = await games.storage.frames(live.id, at)
    frame = None if block is None else await games.pools.beginning.run(jobs.from_archive, block, at)
    if frame is None:
        raise Refused(410, "The rules of this game have moved, and this moment was not stored; the log tells it.")
    return frame


async def source_of_record(games: Games, id: str) -> Source:
    """An uploaded record."""
    data = await games.storage.record(id) if tokens.is_id(id) else None
    if data is None:
        raise Refused(404, "There is no such record.")
    return Source(id, data)


async def begun(games: Games, source: Source, name: str, wish: BranchAt) -> Created:
    """A new game that goes its own way after some choices of a record."""
    limits = games.settings.limits
    made = await games.long_work.run(jobs.branch, source.data, name, wish.at, wish.seats, limits, home=source.key)
    await games.add(made.row, made.entries)
    return made.created


# -- games of this server ---------------------------------------------------------------------------


@get("/games/{game_id:str}/record", summary="The record of a game", operation_id="record")
async def record(game_id: PathId, state: State, seat: SeatHeader = None) -> Response[Plain]:
    """Header, choices and check values; with the dice seed once the game is over."""
    games: Games = state.games
    live, _ = await visitor(games, game_id, seat)
    async with live.lock:
        data = live.record_file()
    response: Response[Any] = json_bytes(data)
    response.headers["Content-Disposition"] = f'attachment; filename="dieselfront-{game_id}.json"'
    return response


@get("/games/{game_id:str}/case", summary="The position as a case for the referee", operation_id="case")
async def case(game_id: PathId, state: State, why: WhyWrong = "", seat: SeatHeader = None) -> Response[CaseFile]:
    """A referee file: where the game stood at its last quiet moment, and the choices and dice since."""
    games: Games = state.games
    live, seats = await visitor(games, game_id, seat)
    if not seats:
        raise Refused(403, "Only who plays this game may write it down.")
    async with live.lock:
        position = games.position(live)
    too_much = f"{jobs.UNWRITABLE}: it is too large."
    return json_bytes(await games.long_work.run(jobs.case, position, why, home=live.id, too_much=too_much))


@get("/games/{game_id:str}/replay", summary="A game after so many choices", operation_id="replay")
async def replay(game_id: PathId, state: State, at: AtChoice, seat: SeatHeader = None) -> Response[Frame]:
    """The position, the lines of the last choice, and who decides next."""
    games: Games = state.games
    live, _ = await visitor(games, game_id, seat)
    if isinstance(live, MovedGame):
        return json_bytes(await stored_frame(games, live, at))
    source = await source_of_game(games, live)
    return json_bytes(await games.long_work.run(jobs.frame, source, at, home=source.key))


@get("/games/{game_id:str}/luck", summary="How the dice fell", operation_id="luck")
async def luck(game_id: PathId, state: State, seat: SeatHeader = None) -> Response[Luck]:
    """Successes of both sides beside what was to be expected, and how often luck like that comes up."""
    games: Games = state.games
    live, _ = await visitor(games, game_id, seat)
    if isinstance(live, MovedGame):
        packed = await games.storage.frames(live.id, LUCK)
        if packed is None:
            raise Refused(410, "The rules of this game have moved; how its dice fell cannot be judged any more.")
        return json_bytes(zlib.decompress(packed))
    source = await source_of_game(games, live)
    return json_bytes(await games.long_work.run(jobs.luck, source, home=source.key))


@post("/games/{game_id:str}/branch", summary="Play on from an earlier moment", operation_id="branch")
async def branch(game_id: PathId, data: JSONBody[BranchAt], state: State, seat: SeatHeader = None) -> Created:
    """A new game with the first choices of this one, once this one is over. The same dice lie ahead."""
    games: Games = state.games
    live, _ = await visitor(games, game_id, seat)
    return await begun(games, await source_of_game(games, live), game_id, data)


# -- records brought along --------------------------------------------------------------------------


@dataclass
class BringsRecord(Operation):
    """The body is described here, since it is read elsewhere: in a process that may be killed."""

    def __post_init__(self) -> None:
        a_list, a_text = Schema(type=OpenAPIType.ARRAY), Schema(type=OpenAPIType.STRING)
        an_object = Schema(type=OpenAPIType.OBJECT)
        fields: dict[str, Reference | Schema] = {
            "header": an_object,
            "choices": a_list,
            "checks": a_list,
            "seed": a_text,
            "result": an_object,
        }
        shape = Schema(type=OpenAPIType.OBJECT, properties=fields, required=["header", "choices", "checks"])
        self.request_body = RequestBody(content={JSON: OpenAPIMediaType(schema=shape)}, required=True)


@post("/records", summary="Bring a record along", operation_id="upload", operation_class=BringsRecord)
async def upload(request: Ask, state: State) -> RecordId:
    """The body is a record file. It is replayed die by die; what does not verify is refused."""
    games: Games = state.games
    limits = games.settings.limits
    id, written = tokens.new_id(), await request.body()
    verified = await games.long_work.run(jobs.check_record, Source(id, written), limits, home=id)
    await games.storage.add_record(id, written, time.time())
    return RecordId(id, verified.choices, True, verified.winner, verified.turns)


@get("/records/{record_id:str}", summary="A record as a story", operation_id="story")
async def story(record_id: PathId, state: State) -> Response[Story]:
    """Who fought, the whole log, and how it ended."""
    games: Games = state.games
    source = await source_of_record(games, record_id)
    return json_bytes(await games.long_work.run(jobs.story, source, record_id, home=record_id))


@get("/records/{record_id:str}/file", summary="A record as a file", operation_id="record_file")
async def record_file(record_id: PathId, state: State) -> Response[Plain]:
    """The record as it was brought along."""
    return json_bytes((await source_of_record(state.games, record_id)).data)


@get("/records/{record_id:str}/replay", summary="A record after so many choices", operation_id="record_replay")
async def record_replay(record_id: PathId, state: State, at: AtChoice) -> Response[Frame]:
    """As for games."""
    games: Games = state.games
    source = await source_of_record(games, record_id)
    return json_bytes(await games.long_work.run(jobs.frame, source, at, home=record_id))


@get("/records/{record_id:str}/luck", summary="How the dice of a record fell", operation_id="record_luck")
async def record_luck(record_id: PathId, state: State) -> Response[Luck]:
    """As for games."""
    games: Games = state.games
    source = await source_of_record(games, record_id)
    return json_bytes(await games.long_work.run(jobs.luck, source, home=record_id))


@post("/records/{record_id:str}/branch", summary="Play on from a moment of a record", operation_id="record_branch")
async def record_branch(record_id: PathId, data: JSONBody[BranchAt], state: State) -> Created:
    """As for games."""
    games: Games = state.games
    return await begun(games, await source_of_record(games, record_id), record_id, data)


handlers: list[Any] = [
    record,
    case,
    replay,
    luck,
    branch,
    story,
    record_file,
    record_replay,
    record_luck,
    record_branch,
]
router = Router("/", route_handlers=handlers, tags=["Replays"])
