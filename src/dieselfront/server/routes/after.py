"""After the battle: the result in numbers, the review, and the rematch."""

from __future__ import annotations

from typing import Any

from litestar import Router, get, post
from litestar.datastructures import State

from dieselfront.server.games import Games
from dieselfront.server.live import LiveGame
from dieselfront.server.messages import Rematch
from dieselfront.server.moved_games import MovedGame
from dieselfront.server.refusals import Refused
from dieselfront.server.reviews import Wanted
from dieselfront.server.routes.common import PathId, SeatHeader, visitor
from dieselfront.server.routes.replays import source_of_game, source_of_record
from dieselfront.server.shapes import Review


def result_of(live: LiveGame) -> float | None:
    """The first side's result where the game was given up or drawn by agreement; none where it was played out."""
    result = live.outcome
    if result is None or result.kind == "played":
        return None
    return 0.5 if result.winner is None else 1.0 - result.winner


@get("/games/{game_id:str}/review", summary="A finished game looked at again", operation_id="review")
async def review(game_id: PathId, state: State, seat: SeatHeader = None) -> Review:
    """Losses, objectives, the chance to win over the game, and what each activation gave up against the best found.

    Worked out piece by piece when somebody asks first, and stored with the game; until `ready` ask again for more.
    """
    games: Games = state.games
    live, _ = await visitor(games, game_id, seat)
    if not live.over:
        raise Refused(409, "A game is reviewed when it is over.")
    if isinstance(live, MovedGame):
        stored = await games.reviews.stored(live.id)
        if stored is None:
            raise Refused(410, "The rules of this game have moved, so it cannot be reviewed any more.")
        return stored
    return await games.reviews.review(Wanted(await source_of_game(games, live), result_of(live), live.id))


@get("/records/{record_id:str}/review", summary="A record looked at again", operation_id="record_review")
async def record_review(record_id: PathId, state: State) -> Review:
    """As for games; a record that ends before the battle does is reviewed as far as it goes."""
    games: Games = state.games
    return await games.reviews.review(Wanted(await source_of_record(games, record_id), None, None))


@post("/games/{game_id:str}/rematch", summary="Play again with sides changed", operation_id="rematch")
async def rematch(game_id: PathId, state: State, seat: SeatHeader = None) -> Rematch:
    """The same battle with new dice. Whoever asks first begins it; everybody's token opens his seat there as well."""
    games: Games = state.games
    _, seats = await visitor(games, game_id, seat)
    with games.answering():
        return Rematch(await games.rematch(game_id, seats))


handlers: list[Any] = [review, record_review, rematch]
router = Router("/", route_handlers=handlers, tags=["After the battle"])
