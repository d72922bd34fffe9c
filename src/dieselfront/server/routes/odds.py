"""Odds: of an attack between two cards, of every option of a pending decision, and what a choice would lead to."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import Response, Router, get, post
from litestar.datastructures import State
from litestar.params import JSONBody, QueryParameter

from dieselfront import rulesets
from dieselfront.forces import ForcesError, catalogue
from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.kernel.game import Game
from dieselfront.odds.games import OddsError, adapter
from dieselfront.rulesets import UnknownRuleset
from dieselfront.server import forecasts
from dieselfront.server.beginnings import sentence
from dieselfront.server.house import House, Refused, StaleChoice
from dieselfront.server.messages import Id, Plain, Preview, Request
from dieselfront.server.routes.common import PathId, SeatHeader, json_bytes, json_of, visitor
from dieselfront.server.shapes import CardOdds, OptionsOdds, PreviewFacts, Sights

UnitId = Annotated[str, QueryParameter(name="unit", min_length=1, max_length=80, description="The id of a unit.")]


class OddsWish(Request, frozen=True):
    """Two cards and the situation between them; what is left out is the plain case."""

    attacker: Id
    target: Id
    ruleset: Id = "dust1947"
    situation: Plain = msgspec.field(default_factory=dict)


@post("/odds", status_code=200, summary="The odds of an attack between two cards", operation_id="odds")
async def between_cards(data: JSONBody[OddsWish], state: State) -> Response[CardOdds]:
    """Exact chances of hits, losses and destruction, step by step with the rules behind them."""
    async with state.house.long_work:
        return json_of(await asyncio.to_thread(_between, data))


def _between(wish: OddsWish) -> dict[str, Any]:
    try:
        rules = rulesets.load(wish.ruleset)
        game = adapter(wish.ruleset)
        situation = msgspec.convert(wish.situation, game.situation_type)
        cards = catalogue(wish.ruleset)
        return game.attack(rules, cards[wish.attacker], cards[wish.target], situation).to_json()
    except msgspec.ValidationError as error:
        raise Refused(422, f"The situation is not understood: {error}.") from None
    except (OddsError, ForcesError, UnknownRuleset, ValueError) as error:
        raise Refused(422, sentence(error)) from None


@get(
    "/games/{game_id:str}/odds",
    summary="The odds of every answer of the pending decision",
    operation_id="options_odds",
)
async def of_options(game_id: PathId, state: State, seat: SeatHeader = None) -> Response[OptionsOdds]:
    """For the player who decides: each weapon and everything at each target, or each answer that leads to dice."""
    house: House = state.house
    live, seats = await visitor(house, game_id, seat)
    async with live.lock:
        if live.may_answer(seats) is None:
            raise Refused(403, "This decision is not yours.")
        version, copy = live.version, live.game.copy()
    async with house.long_work:
        found = await asyncio.to_thread(forecasts.options, copy)
    return json_of({"version": version, **found})


@post("/games/{game_id:str}/preview", status_code=200, summary="What a choice would lead to", operation_id="preview")
async def preview(
    game_id: PathId, data: JSONBody[Preview], state: State, seat: SeatHeader = None
) -> Response[PreviewFacts]:
    """The lines that follow until dice fall, where one could go next, and the odds of a declared attack."""
    house: House = state.house
    live, seats = await visitor(house, game_id, seat)
    async with live.lock:
        if data.decision != live.version:
            raise StaleChoice(live, seats, data.decision)
        if live.may_answer(seats) is None:
            raise Refused(403, "This decision is not yours.")
        copy = live.game.copy()
    async with house.long_work:
        try:
            return json_of(await asyncio.to_thread(forecasts.preview, copy, data.answer, seats))
        except IllegalChoice as error:
            raise Refused(422, sentence(error), error.rule) from None


@get("/games/{game_id:str}/sight", summary="What a unit sees, and why", operation_id="sight")
async def sight(game_id: PathId, unit: UnitId, state: State, seat: SeatHeader = None) -> Response[Sights]:
    """Lines to its enemies with the obstacles on them, fields of fire, ground in reach, what terrain does to it."""
    house: House = state.house
    live, seats = await visitor(house, game_id, seat)
    async with live.lock:
        version, known = live.version, live.seen_from(seats, unit)
        copy = live.game.copy() if known is None else None
    if copy is not None:
        async with house.long_work:
            known = await asyncio.to_thread(_sight, copy, version, unit)
        live.keep_seen(seats, unit, version, known)
    assert known is not None
    return json_bytes(known)


def _sight(game: Game, version: int, unit: str) -> bytes:
    from dieselfront.server import sight_lines

    if not sight_lines.is_shown(game, unit):
        raise Refused(404, f"There is no unit '{unit[:80]}' on the table.")
    return msgspec.json.encode({"version": version, **sight_lines.sights(game, unit)})


handlers: list[Any] = [between_cards, of_options, preview, sight]
router = Router("/", route_handlers=handlers, tags=["Odds"])
