"""Shared games: who agrees that everybody may read a finished game, the list of those games, and their records."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, Router, get, post
from litestar.datastructures import State
from litestar.params import JSONBody, QueryParameter

from dieselfront.server import shared_games
from dieselfront.server.games import Games
from dieselfront.server.messages import Plain, Share, SharedGame, Sharing
from dieselfront.server.refusals import Refused
from dieselfront.server.routes.common import PathId, SeatHeader, json_bytes, visitor

After = Annotated[str, QueryParameter(name="after", max_length=40, description="The last id of the page before.")]


def must_share(games: Games) -> None:
    """Refuse what the host has switched off."""
    if not games.settings.sharing:
        raise Refused(404, "This server shares no games.")


@get("/games/{game_id:str}/sharing", summary="Who agreed to share a game", operation_id="sharing")
async def sharing(game_id: PathId, state: State, seat: SeatHeader = None) -> Sharing:
    """For everybody at the game."""
    games: Games = state.games
    must_share(games)
    live, _ = await visitor(games, game_id, seat)
    return await shared_games.look(games.storage, live)


@post(
    "/games/{game_id:str}/sharing", status_code=200, summary="Share a finished game, or no more", operation_id="share"
)
async def share(game_id: PathId, data: JSONBody[Share], state: State, seat: SeatHeader = None) -> Sharing:
    """Everybody may read its record, with the names of the seats, while all its people agree. Chat stays private."""
    games: Games = state.games
    must_share(games)
    live, seats = await visitor(games, game_id, seat)
    with games.answering():
        return await shared_games.agree(games.storage, live, seats, data.share)


@get("/shared-games", summary="Games that everybody may read", operation_id="shared_games")
async def listed(state: State, after: After = "") -> list[SharedGame]:
    """A hundred at once, in the order of their ids."""
    games: Games = state.games
    must_share(games)
    return await games.storage.read(lambda connection: shared_games.listed(connection, after))


@get("/shared-games/{game_id:str}/record", summary="The record of a shared game", operation_id="shared_record")
async def record(game_id: PathId, state: State) -> Response[Plain]:
    """Header, choices, check values and dice seed; no token is needed."""
    games: Games = state.games
    must_share(games)
    data = await games.storage.read(lambda connection: shared_games.shared_record(connection, game_id))
    if data is None:
        raise Refused(404, "There is no shared game with this id.")
    response: Response[Any] = json_bytes(data)
    response.headers["Content-Disposition"] = f'attachment; filename="dieselfront-{game_id}.json"'
    return response


handlers: list[Any] = [sharing, share, listed, record]
router = Router("/", route_handlers=handlers, tags=["Shared games"])
