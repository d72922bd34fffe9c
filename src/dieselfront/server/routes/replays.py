"""After the battle: records, replays, luck and branches; for games of this server and for records brought along."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from typing import Annotated, Any

from litestar import Response, Router, get, post
from litestar.datastructures import State
from litestar.params import JSONBody, QueryParameter

from dieselfront.kernel.record import BrokenRecord, Record, dump, load
from dieselfront.server import beginnings, reels, tokens
from dieselfront.server.house import House, Refused
from dieselfront.server.live import LiveGame
from dieselfront.server.messages import BranchAt, Created, Plain, RecordId
from dieselfront.server.reels import Reel
from dieselfront.server.routes.common import PathId, SeatHeader, json_bytes, json_of, visitor
from dieselfront.server.settings import Settings
from dieselfront.server.shapes import Frame, Luck, Story

log = logging.getLogger("dieselfront.server")
AtChoice = Annotated[int, QueryParameter(name="at", ge=0, le=10**6, description="After how many choices.")]
AT_ONCE = 2
MOST_CHOICES = 20_000


class Reels:
    """Replays kept ready, the ones looked at last."""

    def __init__(self, settings: Settings) -> None:
        self.most = settings.limits.replays_in_memory
        self._kept: OrderedDict[Any, Reel] = OrderedDict()
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def of_game(self, live: LiveGame) -> Reel:
        """The replay of a game as far as it has come."""
        key = (live.id, live.version)
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
            return found
        async with live.lock:
            kept = live.record()
        return await self._make(key, kept, live.row.seed)

    async def of_record(self, house: House, id: str) -> Reel:
        """The replay of an uploaded record."""
        found = self._kept.get(id)
        if found is not None:
            self._kept.move_to_end(id)
            return found
        data = await house.storage.record(id) if tokens.is_id(id) else None
        if data is None:
            raise Refused(404, "There is no such record.")
        return await self._make(id, load(data), None)

    async def check(self, data: bytes, settings: Settings) -> Reel:
        """A record that somebody brings along: does it replay?"""
        try:
            kept = load(data)
        except BrokenRecord as error:
            raise Refused(422, beginnings.sentence(error)) from None
        if len(kept.choices) > MOST_CHOICES or len(kept.header.forces) != 2 or len(kept.header.seats) != 2:
            raise Refused(422, f"A record has two sides and at most {MOST_CHOICES} choices.")
        return await self._make(None, kept, None, settings)

    async def _make(self, key: Any, kept: Record, seed: str | None, settings: Settings | None = None) -> Reel:
        async with self._slots:
            try:
                reel = await asyncio.to_thread(_replayed, kept, seed, settings)
            except Refused:
                raise
            except BrokenRecord as error:
                raise Refused(422, beginnings.sentence(error)) from None
            except Exception as error:  # a header may hold anything; what cannot be played is refused
                log.info("a record could not be replayed: %s", type(error).__name__)
                raise Refused(422, "This record cannot be replayed: its scenario or forces are not sound.") from None
        if key is not None:
            self._kept[key] = reel
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)
        return reel


def _replayed(kept: Record, seed: str | None, settings: Settings | None) -> Reel:
    if settings is not None:
        beginnings.own_scenario(kept.header.scenario, kept.header.ruleset, settings.limits)
    return Reel(kept, seed)


def frame_of(reel: Reel, at: int) -> dict[str, Any]:
    """One moment of a replay."""
    if at > reel.choices:
        raise Refused(422, f"The game has {reel.choices} choices, so there is no moment after {at}.")
    return reel.frame(at)


# -- games of this server ---------------------------------------------------------------------------


@get("/games/{game_id:str}/record", summary="The record of a game", operation_id="record")
async def record(game_id: PathId, state: State, seat: SeatHeader = None) -> Response[Plain]:
    """Header, choices and check values; with the dice seed once the game is over."""
    house: House = state.house
    live, _ = await visitor(house, game_id, seat)
    async with live.lock:
        data = live.record_file()
    response: Response[Any] = json_bytes(data)
    response.headers["Content-Disposition"] = f'attachment; filename="dieselfront-{game_id}.json"'
    return response


@get("/games/{game_id:str}/replay", summary="A game after so many choices", operation_id="replay")
async def replay(game_id: PathId, state: State, at: AtChoice, seat: SeatHeader = None) -> Response[Frame]:
    """The position, the lines of the last choice, and who decides next."""
    live, _ = await visitor(state.house, game_id, seat)
    reel = await state.reels.of_game(live)
    return json_of(await asyncio.to_thread(frame_of, reel, at))


@get("/games/{game_id:str}/luck", summary="How the dice fell", operation_id="luck")
async def luck(game_id: PathId, state: State, seat: SeatHeader = None) -> Response[Luck]:
    """Successes of both sides beside what was to be expected, and how often luck like that comes up."""
    live, _ = await visitor(state.house, game_id, seat)
    reel = await state.reels.of_game(live)
    return json_of(await asyncio.to_thread(reels.judged, reel, live.row.seed))


@post("/games/{game_id:str}/branch", summary="Play on from an earlier moment", operation_id="branch")
async def branch(game_id: PathId, data: JSONBody[BranchAt], state: State, seat: SeatHeader = None) -> Created:
    """A new game with the first choices of this one, once this one is over. The same dice lie ahead."""
    house: House = state.house
    live, _ = await visitor(house, game_id, seat)
    async with live.lock:
        kept = live.record()
    begun = await asyncio.to_thread(beginnings.branch, kept, game_id, data.at, data.seats)
    await house.add(begun.row, begun.entries)
    return begun.created


# -- records brought along --------------------------------------------------------------------------


@post("/records", summary="Bring a record along", operation_id="upload")
async def upload(data: JSONBody[Record], state: State) -> RecordId:
    """The body is a record file. It is replayed die by die; what does not verify is refused."""
    settings: Settings = state.settings
    reel = await state.reels.check(dump(data), settings)
    id = tokens.new_id()
    await state.house.storage.add_record(id, dump(reel.kept), time.time())
    return RecordId(id, reel.choices, True, reel.last.winner, int(getattr(reel.last.state, "turn", 0)))


@get("/records/{record_id:str}", summary="A record as a story", operation_id="story")
async def story(record_id: PathId, state: State) -> Response[Story]:
    """Who fought, the whole log, and how it ended."""
    reel = await state.reels.of_record(state.house, record_id)
    return json_of({"id": record_id, **reel.story()})


@get("/records/{record_id:str}/file", summary="A record as a file", operation_id="record_file")
async def record_file(record_id: PathId, state: State) -> Response[Plain]:
    """The record as it was brought along."""
    data = await state.house.storage.record(record_id) if tokens.is_id(record_id) else None
    if data is None:
        raise Refused(404, "There is no such record.")
    return json_bytes(data)


@get("/records/{record_id:str}/replay", summary="A record after so many choices", operation_id="record_replay")
async def record_replay(record_id: PathId, state: State, at: AtChoice) -> Response[Frame]:
    """As for games."""
    reel = await state.reels.of_record(state.house, record_id)
    return json_of(await asyncio.to_thread(frame_of, reel, at))


@get("/records/{record_id:str}/luck", summary="How the dice of a record fell", operation_id="record_luck")
async def record_luck(record_id: PathId, state: State) -> Response[Luck]:
    """As for games."""
    reel = await state.reels.of_record(state.house, record_id)
    return json_of(await asyncio.to_thread(reels.judged, reel))


@post("/records/{record_id:str}/branch", summary="Play on from a moment of a record", operation_id="record_branch")
async def record_branch(record_id: PathId, data: JSONBody[BranchAt], state: State) -> Created:
    """As for games."""
    house: House = state.house
    reel = await state.reels.of_record(house, record_id)
    begun = await asyncio.to_thread(beginnings.branch, reel.kept, record_id, data.at, data.seats)
    await house.add(begun.row, begun.entries)
    return begun.created


handlers: list[Any] = [record, replay, luck, branch, story, record_file, record_replay, record_luck, record_branch]
router = Router("/", route_handlers=handlers, tags=["Replays"])
