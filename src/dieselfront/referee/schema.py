"""The JSON Schema of referee files, for editors: what may stand where; the referee itself checks much more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dieselfront import rulesets
from dieselfront.referee.contract import REFEREE, Adaptor, adaptor_for

TEXT = {"type": "string"}
WORDS = {"anyOf": [TEXT, {"type": "array", "items": TEXT}]}
PLACE = {"type": ["string", "array", "object"], "description": "a square, or a spot such as 12in, 8in"}
NUMBER = {"type": "integer", "minimum": 0}
FLAG = {"type": "boolean"}
CARD = {
    "anyOf": [{"type": "string", "description": "a card's id"}, {"type": "object", "description": "an inline card"}]
}
FACES = {"type": "array", "items": {"type": ["string", "integer"]}, "description": "faces by name, in order"}


def schema() -> dict[str, Any]:
    """The schema of a whole file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Dieselfront referee file",
        "type": "object",
        "required": ["ruleset"],
        "additionalProperties": False,
        "properties": {
            "ruleset": TEXT,
            "title": TEXT,
            "text": TEXT,
            "options": {"type": "object", "additionalProperties": TEXT},
            "size": {"anyOf": [TEXT, {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}]},
            "lengths": {"enum": ["inches", "cm", "mm"], "description": "what bare numbers mean on a measured table"},
            "terrain": {"type": ["array", "string"], "items": {"type": ["string", "object"]}},
            "map": WORDS,
            "sides": {"type": ["array", "object"]},
            "units": {
                "anyOf": [{"type": "array", "items": unit()}, {"type": "object", "additionalProperties": unit()}]
            },
            "turn": {"type": ["string", "integer", "object"]},
            "round": NUMBER,
            "turns": NUMBER,
            "phase": {"enum": _all(lambda adaptor: adaptor.phases)},
            "edges": WORDS,
            "victory": TEXT,
            "objectives": {"type": "array"},
            "goal": {"type": "object"},
            "reserve": NUMBER,
            "fortifications": {"type": "array"},
            "weather": {"type": ["string", "object"]},
            "smoke": {"type": "array"},
            "scenario": {"type": "object"},
            "ask": {"type": ["array", "object", "string"]},
            "do": {"type": "array", "items": {"type": ["object", "string"]}},
            "dice": FACES,
            "defaults": {"type": "object"},
            "expect": {"type": "object"},
            "refused": {"type": ["boolean", "string", "array"]},
            "rules": WORDS,
            "source": TEXT,
            "played": {"type": "object"},
            "cases": {"type": "array", "items": {"type": "object"}},
        },
    }


def _all(words: Callable[[Adaptor[Any]], tuple[str, ...]]) -> list[str]:
    """What any of the games knows, each word once."""
    known: dict[str, None] = {}
    for ruleset in rulesets.names():
        if REFEREE.of(ruleset) is not None:
            known |= dict.fromkeys(words(adaptor_for(ruleset)))
    return list(known)


def unit() -> dict[str, Any]:
    """The schema of a unit."""
    known: dict[str, Any] = {key: {} for key in _all(lambda adaptor: adaptor.unit_keys)}
    known |= {"id": TEXT, "name": TEXT, "card": CARD, "side": {"type": ["string", "integer"]}, "place": PLACE}
    known |= {"facing": {"type": ["string", "integer"]}, "models": NUMBER, "damage": NUMBER, "tokens": WORDS}
    known |= {"activated": FLAG, "acted": FLAG, "spent": WORDS, "criticals": WORDS}
    known["status"] = {"enum": _all(lambda adaptor: adaptor.statuses)}
    return {"type": "object", "required": ["card"], "additionalProperties": False, "properties": known}
