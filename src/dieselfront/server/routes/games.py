"""Games over HTTP: begin, look, choose, take back, give up, talk."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import Response, Router, get, post
from litestar.datastructures import State
from litestar.params import JSONBody, QueryParameter

from dieselfront.server import beginnings
from dieselfront.server.house import House, Refused
from dieselfront.server.messages import (
    Acknowledged,
    At,
    Choice,
    Created,
    GiveUp,
    NewGame,
    OfferAction,
    Say,
    Snapshot,
    Why,
)
from dieselfront.server.routes.common import PathId, SeatHeader, json_bytes, visitor

ChoiceNumber = Annotated[int, QueryParameter(name="choice", ge=1, le=10**6, description="The number of a choice.")]


@post("/", summary="Begin a game", operation_id="begin")
async def begin(data: JSONBody[NewGame], state: State) -> Created:
    """A new game. The answer holds the only copy of the seats' tokens."""
    house: House = state.house
    begun = await asyncio.to_thread(beginnings.begin, data, house.settings.limits)
    await house.add(begun.row, begun.entries)
    return begun.created


@get("/{game_id:str}", summary="Look at a game", operation_id="look")
async def look(game_id: PathId, state: State, seat: SeatHeader = None) -> Response[Snapshot]:
    """The game as the holder of this token sees it."""
    house: House = state.house
    live, seats = await visitor(house, game_id, seat)
    return json_bytes(await house.snapshot(live, seats))


@post("/{game_id:str}/choices", status_code=200, summary="Answer the pending decision", operation_id="choose")
async def choose(game_id: PathId, data: JSONBody[Choice], state: State, seat: SeatHeader = None) -> Acknowledged:
    """Answered when the choice is on the disk. 409: the decision is gone; 422: the rules do not allow it."""
    house: House = state.house
    _, seats = await visitor(house, game_id, seat)
    return Acknowledged(await house.choose(game_id, seats, data.decision, data.answer))


@post("/{game_id:str}/undo", status_code=200, summary="Take your last choice back, up to the dice", operation_id="undo")
async def undo(
    game_id: PathId, state: State, data: JSONBody[At | None] = None, seat: SeatHeader = None
) -> Acknowledged:
    """Possible until a die has fallen or another person has chosen; a computer's choices since go with it."""
    house: House = state.house
    _, seats = await visitor(house, game_id, seat)
    return Acknowledged(await house.undo(game_id, seats, data.version if data else None))


@post("/{game_id:str}/takeback", status_code=200, summary="Ask to take a choice back", operation_id="takeback")
async def takeback(
    game_id: PathId, state: State, data: JSONBody[OfferAction | None] = None, seat: SeatHeader = None
) -> Acknowledged:
    """By consent of the other side, even past dice; they fall again as they fell. Computers always consent."""
    house: House = state.house
    _, seats = await visitor(house, game_id, seat)
    return Acknowledged(await house.takeback(game_id, seats, data.action if data else "offer"))


@post("/{game_id:str}/draw", status_code=200, summary="Offer a draw, or answer the offer", operation_id="draw")
async def draw(
    game_id: PathId, state: State, data: JSONBody[OfferAction | None] = None, seat: SeatHeader = None
) -> Acknowledged:
    """The game ends in a draw when both sides agree."""
    house: House = state.house
    _, seats = await visitor(house, game_id, seat)
    return Acknowledged(await house.draw(game_id, seats, data.action if data else "offer"))


@post("/{game_id:str}/concede", status_code=200, summary="Give the game up", operation_id="concede")
async def concede(
    game_id: PathId, state: State, data: JSONBody[GiveUp | None] = None, seat: SeatHeader = None
) -> Acknowledged:
    """The other side wins."""
    house: House = state.house
    _, seats = await visitor(house, game_id, seat)
    return Acknowledged(await house.concede(game_id, seats, data.seat if data else None))


@post("/{game_id:str}/chat", status_code=200, summary="Say something", operation_id="say")
async def say(game_id: PathId, data: JSONBody[Say], state: State, seat: SeatHeader = None) -> dict[str, int]:
    """A line of chat, for everybody at the game; its number comes back."""
    house: House = state.house
    _, seats = await visitor(house, game_id, seat)
    return {"n": await house.say(game_id, seats, data.text)}


@get("/{game_id:str}/why", summary="Why a computer chose so", operation_id="why")
async def why(game_id: PathId, choice: ChoiceNumber, state: State, seat: SeatHeader = None) -> Why:
    """The reason of a choice, once what came of it is settled."""
    live, _ = await visitor(state.house, game_id, seat)
    found = live.why(choice)
    if found is None:
        raise Refused(404, f"No reason is told for choice {choice}.")
    return Why(choice, *found)


handlers: list[Any] = [begin, look, choose, undo, takeback, draw, concede, say, why]
router = Router("/games", route_handlers=handlers, tags=["Games"])
