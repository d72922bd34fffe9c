"""What the routes share: who asks, which game, and how refusals are reported."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Request, Response
from litestar.datastructures import State
from litestar.openapi.spec import Example
from litestar.params import HeaderParameter, PathParameter

from dieselfront.server.games import Games, StaleChoice
from dieselfront.server.live import LiveGame, Seats
from dieselfront.server.messages import Problem
from dieselfront.server.refusals import Refused

JSON = "application/json"
RETRY_SECONDS = 2
"""After how long whoever has too much under way may ask again."""
Ask = Request[Any, Any, State]

PathId = Annotated[str, PathParameter(min_length=1, max_length=128)]

SeatHeader = Annotated[
    str | None,
    HeaderParameter(
        name="X-Seat",
        required=False,
        max_length=200,
        description="The token of a seat or of a spectator; several with commas between them.",
        examples=[Example(value="a token from the game's link")],
    ),
]


PersonHeader = Annotated[
    str | None,
    HeaderParameter(name="X-Person", required=False, max_length=64, description="The key of a person's device."),
]


def json_bytes(body: bytes, status: int = 200) -> Response[Any]:
    """JSON that is already written."""
    return Response(body, media_type=JSON, status_code=status)


def json_of(content: Any, status: int = 200) -> Response[Any]:
    """Anything msgspec can write."""
    response = json_bytes(msgspec.json.encode(content), status)
    if status == 429:
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


async def visitor(games: Games, id: str, token: str | None) -> tuple[LiveGame, Seats]:
    """The game and the seats that a token opens."""
    live = await games.game(id)
    return live, await games.admit(live, token)


def tell_refusal(request: Ask, error: Refused) -> Response[Any]:
    """A refusal as JSON; a stale choice brings the game as it stands."""
    if isinstance(error, StaleChoice):
        games: Games = request.app.state.games
        snapshot = msgspec.Raw(games.snapshot_now(error.live, error.seats))
        return json_of({"reason": error.reason, "snapshot": snapshot}, error.status)
    problem = Problem(error.reason, error.rule, msgspec.UNSET if error.faults is None else error.faults)
    return json_of(problem, error.status)
