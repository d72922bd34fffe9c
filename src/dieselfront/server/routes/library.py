"""The library: games, scenarios, levels, rules, cards and starter armies. Nothing here changes anything."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
from litestar import Response, Router, get
from litestar.datastructures import State
from litestar.params import QueryParameter

from dieselfront import players, rulebook, rulesets
from dieselfront.forces import ForcesError, UnknownCard, families
from dieselfront.forces.army_check import check_army
from dieselfront.forces.errors import nearest
from dieselfront.forces.family import CardFamily
from dieselfront.kernel.views import View
from dieselfront.odds import OddsError
from dieselfront.odds.games import adapter, fields
from dieselfront.rulebook.diagrams import diagrams
from dieselfront.scenarios import balance, battle, lessons, library
from dieselfront.server import jobs
from dieselfront.server.new_games import known_ruleset, sentence, starters
from dieselfront.server.refusals import Refused
from dieselfront.server.routes.common import PathId, json_bytes, json_of
from dieselfront.server.shapes import (
    BalanceNotes,
    CardFacts,
    CardRow,
    Level,
    Personality,
    Ruleset,
    RuleText,
    Scenario,
    Starter,
)

Words = Annotated[str, QueryParameter(name="q", max_length=200, description="Words to look for.")]
RulesetId = Annotated[str, QueryParameter(name="ruleset", max_length=40, description="The id of a game.")]
Bloc = Annotated[str, QueryParameter(name="bloc", max_length=60, description="A bloc or nation.")]
CardKind = Annotated[str, QueryParameter(name="kind", max_length=40, description="Such as hero, infantry, vehicle.")]
AN_HOUR = "public, max-age=3600"


def kept(body: bytes) -> Response[Any]:
    """An answer that stays true for a while."""
    response = json_bytes(body)
    response.headers["Cache-Control"] = AN_HOUR
    return response


# -- games ------------------------------------------------------------------------------------------


@get("/rulesets", summary="The games", operation_id="rulesets")
async def list_rulesets() -> Response[list[Ruleset]]:
    """Every game with its kind of table, its options, and whether it can be played yet."""
    return json_bytes(await asyncio.to_thread(rulesets_json))


@cache
def rulesets_json() -> bytes:
    return msgspec.json.encode([_ruleset(name) for name in rulebook.names()])


def _ruleset(name: str) -> dict[str, Any]:
    head = rulebook.head(name)
    known = rulebook.load(name)
    return {
        "id": head.ruleset,
        "name": head.name,
        "summary": head.summary,
        "table": head.table,
        "version": head.version,
        "rules": len(rulebook.ids(name)),
        "inherits": head.inherits or None,
        "playable": name in rulesets.names() and bool(library.names(name)),
        "options": _options(name, known),
        "cards": _card_words(name),
    }


def _card_words(name: str) -> dict[str, Any] | None:
    """What a page of cards or armies needs to know of a game's cards; nothing for a game without any."""
    if name not in families.names():
        return None
    cards: CardFamily[Any, Any] = families.family(name)
    return {
        "catalogue": cards.home,
        "edition": cards.edition,
        "side_word": cards.side_word,
        "side_field": cards.side_field,
        "sides": cards.catalogue.sides(),
        "price_word": cards.price_word,
        "levels": cards.levels,
        "usual_points": cards.usual_points,
        "odds": name in rulesets.names() and _has_odds(name),
    }


def _has_odds(name: str) -> bool:
    """Whether the page of odds can ask this game for its odds."""
    try:
        return bool(fields(adapter(name).situation_type))
    except OddsError:
        return False


def _options(name: str, known: rulebook.Rulebook) -> list[dict[str, Any]]:
    """The options a game of this ruleset may really choose, described in the rulebook's words."""
    played = rulesets.load(name).options if name in rulesets.names() else {}
    return [msgspec.to_builtins(option) for option in known.options if option.name in played]


@get("/rulesets/{ruleset_id:str}/picture", summary="A battle of a game to look at", operation_id="picture")
async def show_picture(ruleset_id: PathId, state: State) -> Response[View]:
    """A position of a small battle, always the same; pages draw it where they introduce the game."""
    known_ruleset(ruleset_id)
    if ruleset_id not in _pictures:
        _pictures[ruleset_id] = await state.games.long_work.run(jobs.picture, ruleset_id)
    return kept(_pictures[ruleset_id])


_pictures: dict[str, bytes] = {}


@get("/scenarios", summary="Battlefields", operation_id="scenarios")
async def list_scenarios(ruleset: RulesetId = "") -> Response[list[Scenario]]:
    """The scenarios of a game; `random:SEED` is a board that nobody has seen before."""
    game = _known(ruleset or await asyncio.to_thread(families.newest))
    return kept(await asyncio.to_thread(scenarios_json, game))


@cache
def scenarios_json(ruleset: str) -> bytes:
    return msgspec.json.encode([library.find(id, ruleset) for id in library.names(ruleset)])


@get("/lessons", summary="Battles with a coach", operation_id="lessons")
async def list_lessons(ruleset: RulesetId = "") -> Response[list[lessons.Lesson]]:
    """Small battles with what is learnt in them step by step; begun as any other battle, with their whole scenario."""
    if ruleset:
        _known(ruleset)
    return kept(await asyncio.to_thread(lessons_json, ruleset))


@cache
def lessons_json(ruleset: str) -> bytes:
    return msgspec.json.encode(lessons.lessons(ruleset) if ruleset else lessons.every_lesson())


@get("/levels", summary="Computer opponents", operation_id="levels")
async def list_levels() -> list[Level]:
    """The levels a computer can play at."""
    return [Level(level, level.capitalize(), text) for level, text in players.LEVELS.items()]


@get("/personalities", summary="What computer opponents care about", operation_id="personalities")
async def list_personalities() -> list[Personality]:
    """The personalities a computer of any level may have: a seat's level is then LEVEL:PERSONALITY."""
    return [Personality(one, one.capitalize(), players.about(one)) for one in players.personalities()]


@get("/armies/starters", summary="Starter armies", operation_id="starters")
async def list_starters(ruleset: RulesetId = "") -> Response[list[Starter]]:
    """The army lists that come with the program, whole."""
    if ruleset:
        _known(ruleset)
    return kept(await asyncio.to_thread(starters_json, ruleset))


@cache
def starters_json(ruleset: str) -> bytes:
    rows = [
        {
            "id": id,
            "name": army.name,
            "ruleset": army.ruleset,
            "side": army.side,
            "points": check_army(army).points,
            "limit": army.points,
            "army": army,
        }
        for id, army in starters().items()
        if ruleset in ("", army.ruleset)
    ]
    return msgspec.json.encode(rows)


@get("/balance", summary="What is lopsided", operation_id="balance")
async def show_balance(ruleset: RulesetId = "") -> Response[BalanceNotes]:
    """The starter armies, scenarios and pairings of a game that are lopsided between equal players, and how much."""
    game = _known(ruleset or await asyncio.to_thread(families.newest))
    return kept(await asyncio.to_thread(balance_json, game))


@cache
def balance_json(ruleset: str) -> bytes:
    armies = {id: balance.army_note(ruleset, id) for id in battle.starters(ruleset)}
    scenarios = {id: balance.scenario_note(ruleset, id) for id in library.names(ruleset)}
    notes = {
        "armies": {id: note for id, note in armies.items() if note},
        "scenarios": {id: note for id, note in scenarios.items() if note},
        "pairings": balance.pairings(ruleset),
    }
    return msgspec.json.encode(notes)


def _known(ruleset: str) -> str:
    if ruleset not in rulebook.names():
        raise Refused(404, f"There is no ruleset '{ruleset}'; there are {', '.join(rulebook.names())}.")
    return ruleset


# -- rules ------------------------------------------------------------------------------------------


@get("/rules", summary="The rules", operation_id="rules")
async def list_rules(ruleset: RulesetId = "", q: Words = "") -> Response[list[RuleText]]:
    """All rules of a game in the order of the book, or those that fit some words, best first."""
    if ruleset:
        _known(ruleset)
    if not q.strip():
        return kept(await asyncio.to_thread(rules_json, ruleset))
    return json_of(await asyncio.to_thread(_search, ruleset, q))


@cache
def rules_json(ruleset: str) -> bytes:
    return msgspec.json.encode([_rule(name, rule) for name, rule in _rules(ruleset)])


def _rules(ruleset: str) -> list[tuple[str, rulebook.Rule]]:
    """A game's own rules and those it inherits; without a game, every rule once."""
    if not ruleset:
        return [(name, rule) for name in rulebook.names() for rule in rulebook.load(name).rules]
    book = rulebook.load(ruleset)
    own = [(ruleset, rule) for rule in book.rules]
    return own + [(book.head.inherits, rule) for rule in book.inherited]


def _search(ruleset: str, words: str) -> list[dict[str, Any]]:
    owner = {rule.id: name for name, rule in _rules(ruleset)}
    matches = rulebook.search(words, (rule for _, rule in _rules(ruleset)))
    return [_rule(owner[rule.id], rule) for rule in matches[:100]]


def _rule(ruleset: str, rule: rulebook.Rule) -> dict[str, Any]:
    facts: dict[str, Any] = msgspec.to_builtins(rule)
    drawn = {"diagram": f"/api/rules/{rule.id}/diagram"} if rule.id in diagrams() else {}
    return {**facts, **drawn, "ruleset": ruleset, "chapter": rule.chapter, "ruling": rule.is_ruling}


@get("/rules/{rule_id:str}", summary="One rule", operation_id="rule")
async def show_rule(rule_id: PathId) -> Response[RuleText]:
    """A rule by its id, wherever it stands."""
    return kept(await asyncio.to_thread(_one_rule, rule_id))


def _one_rule(id: str) -> bytes:
    for name in rulebook.names():
        if id in rulebook.ids(name):
            return msgspec.json.encode(_rule(name, rulebook.load(name)[id]))
    close = nearest(id, rulebook.all_ids())
    hint = f" Did you mean {' or '.join(close)}?" if close else ""
    raise Refused(404, f"There is no rule '{id[:80]}'.{hint}")


@get(
    "/rules/{rule_id:str}/diagram",
    summary="A drawing of a rule",
    operation_id="diagram",
    media_type="image/svg+xml",
)
async def show_diagram(rule_id: PathId, state: State) -> Response[bytes]:
    """An SVG, drawn by the referee from a position that shows the rule."""
    file = diagrams().get(rule_id)
    if file is None:
        raise Refused(404, f"There is no drawing of the rule '{rule_id[:80]}'.")
    if file not in _drawings:
        _drawings[file] = await state.games.long_work.run(jobs.diagram, str(file))
    return Response(_drawings[file], media_type="image/svg+xml", headers={"Cache-Control": AN_HOUR})


_drawings: dict[Path, bytes] = {}


# -- cards ------------------------------------------------------------------------------------------


@get("/cards", summary="Unit cards", operation_id="cards")
async def list_cards(
    ruleset: RulesetId = "", q: Words = "", bloc: Bloc = "", kind: CardKind = ""
) -> Response[list[CardRow]]:
    """Cards that fit, in short; one by one they are described in full."""
    if ruleset:
        _known(ruleset)
    return kept(await asyncio.to_thread(_cards_json, ruleset, q, bloc, kind))


@lru_cache(maxsize=64)
def _cards_json(ruleset: str, words: str, side: str, kind: str) -> bytes:
    try:
        games = [families.family(ruleset)] if ruleset else families.catalogued()
    except ForcesError as error:
        raise Refused(422, sentence(error)) from None
    rows = [
        {**game.row(card), **game.filters(card)}
        for game in games
        for card in game.catalogue.find(words)
        if (not side or game.side(card).lower() == side.lower()) and (not kind or card.kind == kind.lower())
    ]
    return msgspec.json.encode(rows)


@get("/cards/{card_id:str}", summary="One unit card", operation_id="card")
async def show_card(card_id: PathId, ruleset: RulesetId = "") -> Response[CardFacts]:
    """A card in full by its id or its name, of one game or of the newest game that has it."""
    if ruleset:
        _known(ruleset)
    return kept(await asyncio.to_thread(_card_json, card_id, ruleset))


def _card_json(id: str, ruleset: str) -> bytes:
    try:
        games = [families.family(ruleset)] if ruleset else families.catalogued()
    except ForcesError as error:
        raise Refused(422, sentence(error)) from None
    for game in games:
        if id in game.catalogue:
            return msgspec.json.encode(game.document(game.catalogue[id]))
    named = _named(id, games)
    if named is not None:
        return named
    close = nearest(id, [known for game in games for known in game.catalogue.cards])
    hint = f" Did you mean {' or '.join(close)}?" if close else ""
    raise Refused(404, f"There is no card '{id[:80]}'.{hint}")


def _named(words: str, games: Sequence[CardFamily[Any, Any]]) -> bytes | None:
    """The card of the newest game in which the words are a card's name; Refused if they fit several."""
    for game in games:
        try:
            return msgspec.json.encode(game.document(game.catalogue.called(words)))
        except UnknownCard:
            continue
        except ForcesError as error:
            raise Refused(422, sentence(error)) from None
    return None


handlers: list[Any] = [
    list_rulesets,
    show_picture,
    list_scenarios,
    list_lessons,
    list_levels,
    list_personalities,
    list_starters,
    show_balance,
    list_rules,
    show_rule,
    show_diagram,
    list_cards,
    show_card,
]
router = Router("/", route_handlers=handlers, tags=["Library"])
