"""Battles with secret army lists: offer one with your list, take one up with yours, look what may be seen."""

from __future__ import annotations

from typing import Any

from litestar import Response, Router, get, post
from litestar.datastructures import State
from litestar.params import JSONBody

from dieselfront.server import sealed_lists
from dieselfront.server.games import Games
from dieselfront.server.messages import HandedIn, SealedBattle, SealedOffer, SealedReply
from dieselfront.server.refusals import Refused
from dieselfront.server.routes.common import PathId, SeatHeader, json_of
from dieselfront.server.storage import Conflict


@post("/", summary="Offer a battle with secret lists", operation_id="offer_sealed")
async def offer(data: JSONBody[SealedOffer], state: State) -> HandedIn:
    """Your list is kept and shown to nobody else until the other side has handed in its own."""
    games: Games = state.games
    with games.answering():
        checked = await games.long_work.run(sealed_lists.checked_offer, data, games.settings.limits)
        return await sealed_lists.keep(games.storage, checked)


@post("/{sealed_id:str}", summary="Take the battle up with your own list", operation_id="take_up_sealed")
async def take_up(sealed_id: PathId, data: JSONBody[SealedReply], state: State) -> HandedIn:
    """Both lists are public from now on, and the game begins. 409: somebody else has taken it up."""
    games: Games = state.games
    with games.answering():
        stored = await sealed_lists.find(games.storage, sealed_id)
        begins = await games.long_work.run(sealed_lists.taken_up, stored, data, games.settings.limits)
        try:
            await games.storage.write(lambda connection: sealed_lists.claim(connection, sealed_id, begins))
        except Conflict as error:
            raise Refused(409, str(error)) from None
        seat = begins.begun.created.seats[1]
        return HandedIn(sealed_id, seat.seat, seat.token or "", begins.begun.row.id, seat.link)


@get("/{sealed_id:str}", summary="Look at a battle with secret lists", operation_id="look_sealed")
async def look(sealed_id: PathId, state: State, seat: SeatHeader = None) -> Response[SealedBattle]:
    """Your own list, and the other's once both are in; then also the game, which your token opens."""
    games: Games = state.games
    stored = await sealed_lists.find(games.storage, sealed_id)
    return json_of(sealed_lists.shown(stored, seat))


handlers: list[Any] = [offer, take_up, look]
router = Router("/sealed-lists", route_handlers=handlers, tags=["Games"])
