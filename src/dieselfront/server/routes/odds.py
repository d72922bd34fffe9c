"""Odds of an attack between cards and of every pending option, what a choice would lead to, and advice."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, Router, get, post
from litestar.datastructures import State
from litestar.params import JSONBody, QueryParameter

from dieselfront import rulesets
from dieselfront.odds.games import Field, adapter, fields
from dieselfront.server import jobs
from dieselfront.server.games import Games
from dieselfront.server.messages import Id, Plain, Preview, Request
from dieselfront.server.new_games import known_ruleset
from dieselfront.server.refusals import Refused
from dieselfront.server.routes.common import PathId, SeatHeader, json_bytes, visitor
from dieselfront.server.shapes import CardOdds, Hint, OddsQuestion, OptionsOdds, PreviewFacts, Sights

UnitId = Annotated[str, QueryParameter(name="unit", min_length=1, max_length=80, description="The id of a unit.")]


RulesetId = Annotated[str, QueryParameter(name="ruleset", max_length=40, description="The id of a game.")]


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


@get("/odds/questions", summary="What the odds of a game depend on", operation_id="odds_questions")
async def questions(ruleset: RulesetId = rulesets.DEFAULT) -> Response[list[OddsQuestion]]:
    """What may be said of the situation between two cards of a game; the names are those of a situation's fields."""
    known_ruleset(ruleset)
    return json_bytes(await asyncio.to_thread(_questions_json, ruleset))


@cache
def _questions_json(ruleset: str) -> bytes:
    asked = [_question(field) for field in fields(adapter(ruleset).situation_type) if not field.asked.holds]
    return msgspec.json.encode(asked)


def _question(field: Field) -> OddsQuestion:
    kinds: dict[Any, Literal["flag", "number", "words", "list"]] = {bool: "flag", int: "number", tuple: "list"}
    choices = [field.default, *(value for _, value in field.asked.values)] if field.asked.values else []
    text = field.asked.help.partition(";")[0].rstrip(".")
    kind = "choice" if choices else kinds.get(field.kind, "words")
    return OddsQuestion(field.name, kind, text, field.default, choices, field.asked.least, field.asked.most)


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


handlers: list[Any] = [between_cards, questions, of_options, preview, hint, sight]
router = Router("/", route_handlers=handlers, tags=["Odds"])
