"""Games over HTTP: begin, look, choose, take back, give up, talk."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, Router, get, post
from litestar.datastructures import State
from litestar.params import JSONBody, QueryParameter

from dieselfront.server import jobs, new_games
from dieselfront.server.games import Games
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
from dieselfront.server.refusals import Refused
from dieselfront.server.routes.common import PathId, SeatHeader, json_bytes, visitor

ChoiceNumber = Annotated[int, QueryParameter(name="choice", ge=1, le=10**6, description="The number of a choice.")]


@post("/", summary="Begin a game", operation_id="begin")
async def begin(data: JSONBody[NewGame], state: State) -> Created:
    """A new game. The answer holds the only copy of the seats' tokens."""
    games: Games = state.games
    limits = games.settings.limits
    if new_games.is_plain(data):
        begun = await games.pools.beginning.run(new_games.begin, data, limits)
    else:
        begun = await games.long_work.run(jobs.begin, data, limits)
    await games.add(begun.row, begun.entries)
    return begun.created


@get("/{game_id:str}", summary="Look at a game", operation_id="look")
async def look(game_id: PathId, state: State, seat: SeatHeader = None) -> Response[Snapshot]:
    """The game as the holder of this token sees it."""
    games: Games = state.games
    live, seats = await visitor(games, game_id, seat)
    return json_bytes(await games.snapshot(live, seats))


@post("/{game_id:str}/choices", status_code=200, summary="Answer the pending decision", operation_id="choose")
async def choose(game_id: PathId, data: JSONBody[Choice], state: State, seat: SeatHeader = None) -> Acknowledged:
    """Answered when the choice is on the disk. 409: the decision is gone; 422: the rules do not allow it."""
    games: Games = state.games
    _, seats = await visitor(games, game_id, seat)
    with games.answering():
        return Acknowledged(await games.choose(game_id, seats, data.decision, data.answer))


@post("/{game_id:str}/undo", status_code=200, summary="Take your last choice back, up to the dice", operation_id="undo")
async def undo(
    game_id: PathId, state: State, data: JSONBody[At | None] = None, seat: SeatHeader = None
) -> Acknowledged:
    """Possible until a die has fallen or another person has chosen; a computer's choices since go with it."""
    games: Games = state.games
    _, seats = await visitor(games, game_id, seat)
    with games.answering():
        return Acknowledged(await games.undo(game_id, seats, data.version if data else None))


@post("/{game_id:str}/takeback", status_code=200, summary="Ask to take a choice back", operation_id="takeback")
async def takeback(
    game_id: PathId, state: State, data: JSONBody[OfferAction | None] = None, seat: SeatHeader = None
) -> Acknowledged:
    """By consent of the other side, even past dice; they fall again as they fell. Computers always consent."""
    games: Games = state.games
    _, seats = await visitor(games, game_id, seat)
    with games.answering():
        return Acknowledged(await games.takeback(game_id, seats, data.action if data else "offer"))


@post("/{game_id:str}/draw", status_code=200, summary="Offer a draw, or answer the offer", operation_id="draw")
async def draw(
    game_id: PathId, state: State, data: JSONBody[OfferAction | None] = None, seat: SeatHeader = None
) -> Acknowledged:
    """The game ends in a draw when both sides agree."""
    games: Games = state.games
    _, seats = await visitor(games, game_id, seat)
    with games.answering():
        return Acknowledged(await games.draw(game_id, seats, data.action if data else "offer"))


@post("/{game_id:str}/move", status_code=200, summary="Go on under rules that have moved", operation_id="move")
async def move(
    game_id: PathId, state: State, data: JSONBody[OfferAction | None] = None, seat: SeatHeader = None
) -> Acknowledged:
    """The game goes on from a stored position when both sides consent; the log says so. Computers always consent."""
    games: Games = state.games
    _, seats = await visitor(games, game_id, seat)
    with games.answering():
        return Acknowledged(await games.move(game_id, seats, data.action if data else "offer"))


@post("/{game_id:str}/concede", status_code=200, summary="Give the game up", operation_id="concede")
async def concede(
    game_id: PathId, state: State, data: JSONBody[GiveUp | None] = None, seat: SeatHeader = None
) -> Acknowledged:
    """The other side wins."""
    games: Games = state.games
    _, seats = await visitor(games, game_id, seat)
    with games.answering():
        return Acknowledged(await games.concede(game_id, seats, data.seat if data else None))


@post("/{game_id:str}/chat", status_code=200, summary="Say something", operation_id="say")
async def say(game_id: PathId, data: JSONBody[Say], state: State, seat: SeatHeader = None) -> dict[str, int]:
    """A line of chat, for everybody at the game; its number comes back."""
    games: Games = state.games
    _, seats = await visitor(games, game_id, seat)
    with games.answering():
        return {"n": await games.say(game_id, seats, data.text)}


@get("/{game_id:str}/why", summary="Why a computer chose so", operation_id="why")
async def why(game_id: PathId, choice: ChoiceNumber, state: State, seat: SeatHeader = None) -> Why:
    """The reason of a choice, once what came of it is settled."""
    live, _ = await visitor(state.games, game_id, seat)
    explanation = live.why(choice)
    if explanation is None:
        raise Refused(404, f"No reason is given for choice {choice}.")
    return Why(choice, *explanation)


handlers: list[Any] = [begin, look, choose, undo, takeback, draw, move, concede, say, why]
router = Router("/games", route_handlers=handlers, tags=["Games"])
