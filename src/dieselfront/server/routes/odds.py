"""Odds of an attack between cards and of every pending option, what a choice would lead to, and advice."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Response, Router, get, post
from litestar.datastructures import State
from litestar.params import JSONBody, QueryParameter

from dieselfront import rulesets
from dieselfront.server import jobs
from dieselfront.server.games import Games
from dieselfront.server.messages import Id, Plain, Preview, Request
from dieselfront.server.refusals import Refused
from dieselfront.server.routes.common import PathId, SeatHeader, json_bytes, visitor
from dieselfront.server.shapes import CardOdds, Hint, OptionsOdds, PreviewFacts, Sights

UnitId = Annotated[str, QueryParameter(name="unit", min_length=1, max_length=80, description="The id of a unit.")]


class OddsWish(Request, frozen=True):
    """Two cards and the situation between them; what is left out is the plain case."""

    attacker: Id
    target: Id
    ruleset: Id = rulesets.DEFAULT
    situation: Plain = msgspec.field(default_factory=dict)


@post("/odds", status_code=200, summary="The odds of an attack between two cards", operation_id="odds")
async def between_cards(data: JSONBody[OddsWish], state: State) -> Response[CardOdds]:
    """Exact chances of hits, losses and destruction, step by step with the rules behind them."""
    games: Games = state.games
    wish = (data.ruleset, data.attacker, data.target, data.situation)
    return json_bytes(await games.long_work.run(jobs.card_odds, *wish))


@get(
    "/games/{game_id:str}/odds",
    summary="The odds of every answer of the pending decision",
    operation_id="options_odds",
)
async def of_options(game_id: PathId, state: State, seat: SeatHeader = None) -> Response[OptionsOdds]:
    """For the player who declares: each weapon at each target, and everything at each target."""
    games: Games = state.games
    live, seats = await visitor(games, game_id, seat)
    async with live.lock:
        version = live.version
        if live.may_answer(seats) is None:
            if seats:  # it was, a moment ago
                return json_bytes(jobs.encode({"version": version, "options": [], "targets": []}))
            raise Refused(403, "This decision is not yours.")
        position = games.position(live)
    return json_bytes(await games.long_work.run(jobs.options_odds, position, version, home=live.id))


@post("/games/{game_id:str}/preview", status_code=200, summary="What a choice would lead to", operation_id="preview")
async def preview(
    game_id: PathId, data: JSONBody[Preview], state: State, seat: SeatHeader = None
) -> Response[PreviewFacts]:
    """The lines that follow until dice fall, where one could go next, and the odds of a declared attack."""
    games: Games = state.games
    live, seats = await visitor(games, game_id, seat)
    async with live.lock:
        if data.decision != live.version and seats:  # somebody decided meanwhile: no fault of who looks ahead
            return json_bytes(jobs.too_late())
        if live.may_answer(seats) is None:
            raise Refused(403, "This decision is not yours.")
        position = games.position(live)
    return json_bytes(await games.long_work.run(jobs.preview, position, data.answer, seats, home=live.id))


@get("/games/{game_id:str}/hint", summary="What the computer would do here, and why", operation_id="hint")
async def hint(game_id: PathId, state: State, seat: SeatHeader = None) -> Response[Hint]:
    """For the player who has to decide: an answer, the answer in words, and what is meant by it."""
    games: Games = state.games
    live, seats = await visitor(games, game_id, seat)
    async with live.lock:
        if live.may_answer(seats) is None:
            raise Refused(403, "This decision is not yours.")
        version, known = live.version, live.hinted(seats)
        position = games.position(live)
    if known is None:
        known = await games.long_work.run(jobs.hint, position, version, home=live.id)
        live.keep_hint(seats, version, known)
    return json_bytes(known)


@get("/games/{game_id:str}/sight", summary="What a unit sees, and why", operation_id="sight")
async def sight(game_id: PathId, unit: UnitId, state: State, seat: SeatHeader = None) -> Response[Sights]:
    """Lines to its enemies with the obstacles on them, fields of fire, ground in reach, what terrain does to it."""
    games: Games = state.games
    live, seats = await visitor(games, game_id, seat)
    games.must_not_wait(live)
    async with live.lock:
        version, known = live.version, live.seen_from(seats, unit)
        position = games.position(live)
    if known is None:
        known = await games.long_work.run(jobs.sight, position, version, unit, home=live.id)
        live.keep_seen(seats, unit, version, known)
    return json_bytes(known)


handlers: list[Any] = [between_cards, of_options, preview, hint, sight]
router = Router("/", route_handlers=handlers, tags=["Odds"])
