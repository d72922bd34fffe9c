"""What a unit sees and why, where its weapons bear, how far it can go, and what the ground does to it; for drawing.

Sight, cover and range are the referee's own answers, which ask the ground that play asks. Nothing here changes a game.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from dieselfront.kernel.decisions import Decision, PlaceFree
from dieselfront.kernel.game import Game
from dieselfront.referee.court import Adaptor, Answer, adaptor_for
from dieselfront.referee.document import Entry
from dieselfront.referee.errors import RefereeError
from dieselfront.server import bearings, footing

ON_TABLE = ("board", "table")
Facts = dict[str, Any]


def sights(game: Game, unit: str) -> Facts:
    """Everything worth drawing about a unit; empty lists for what its game does not tell."""
    return {
        "unit": unit,
        "lines": lines(game, unit),
        "arcs": bearings.arcs(game, unit),
        "reach": footing.reach(game, unit),
        "terrain": footing.effects(game, unit),
    }


def is_shown(game: Game, unit: str) -> bool:
    """Does the unit stand on the table?"""
    return any(one["id"] == unit and one["status"] in ON_TABLE for one in units(game))


def units(game: Game) -> list[Facts]:
    """The units of a position as its ruleset shows them."""
    found: list[Facts] = game.rules.view(game.state)["units"]
    return found


def lines(game: Game, unit: str) -> list[Facts]:
    """A line from the unit to every enemy on the table: clear, in cover or blocked, with where and why."""
    known = {one["id"]: one for one in units(game) if one["status"] in ON_TABLE}
    adaptor = adaptor_of(game)
    if unit not in known or adaptor is None:
        return []
    side = known[unit]["side"]
    found = (_line(game, adaptor, unit, id) for id, one in known.items() if one["side"] != side)
    return [line for line in found if line is not None]


def adaptor_of(game: Game) -> Adaptor | None:
    """The referee of this game, if there is one."""
    try:
        return adaptor_for(game.rules.id)
    except RefereeError:
        return None


def _line(game: Game, adaptor: Adaptor, unit: str, target: str) -> Facts | None:
    question = entry({"from": unit, "to": target})
    position: Any = SimpleNamespace(rules=game.rules, state=game.state, play=game.play)
    try:
        seen = adaptor.answer(position, "sight", question)
        if "sights" in seen.marks:
            told = _measured(seen, adaptor.answer(position, "cover", question))
            apart = adaptor.answer(position, "range", question).facts
            told["range"] = apart.get("inches", apart["range"])
        else:
            told = _on_squares(seen)
    except RefereeError:  # inside a building, aboard, or otherwise out of sight for such questions
        return None
    return {"unit": unit, "to": target, **told}


def entry(pairs: dict[str, str]) -> Entry:
    """A question as the referee reads it."""
    made = Entry(0, "")
    made.pairs = {}
    for name, value in pairs.items():
        made.pairs[name] = leaf = Entry(0, name)
        leaf.value = value
    return made


# -- squares ----------------------------------------------------------------------------------------


def _on_squares(seen: Answer) -> Facts:
    facts = seen.facts
    kind = "blocked" if not facts["visible"] else "cover" if facts["cover"] else "clear"
    line = min(facts["lines"], key=lambda one: (kind_of(one) != kind, -len(one["reasons"])))
    reasons = [one for one in line["reasons"] if one["blocks"] == (kind == "blocked")] if kind != "clear" else []
    at = " ".join(dict.fromkeys(reasons[0]["places"])) if reasons else None
    reason, rule = (reasons[0]["text"], reasons[0]["rule"]) if reasons else _last_word(seen, kind)
    return {
        "kind": kind,
        "start": line["from"],
        "end": line["to"],
        "at": at,
        "reason": reason,
        "rule": rule,
        "range": facts["range"],
    }


def kind_of(line: Facts) -> str:
    """A single line of the referee's."""
    return "blocked" if not line["visible"] else "cover" if line["cover"] else "clear"


def _last_word(seen: Answer, kind: str) -> tuple[str, str]:
    """What decided, where no obstacle on the line did: the weather, a trench, a rule of the unit's own."""
    if kind == "clear" or not seen.rules:
        return "", ""
    rule = seen.rules[-1]
    told = seen.text[-1].removesuffix(f" ({rule})").removeprefix("cover: ")
    return told, rule


# -- measured tables --------------------------------------------------------------------------------


def _measured(seen: Answer, cover: Answer) -> Facts:
    facts, given = seen.facts, cover.facts["cover"]
    kind = "blocked" if not facts["visible"] else "cover" if given not in (None, False, "none") else "clear"
    rows = facts["lines"] if "lines" in facts else facts["models"]
    sightings = seen.marks["sights"]
    order = sorted(range(len(rows)), key=lambda n: (-sightings[n][1].seen, -sightings[n][1].clear, n))
    best = order[0]
    if kind == "cover":  # a model that stands behind something, if the best seen one does not
        best = next((n for n in order if rows[n]["reasons"]), best)
    body, sighting = sightings[best]
    at = sighting.reasons[0].at if sighting.reasons and kind != "clear" else None
    reason, rule = _why(seen, cover, rows[best]["reasons"], kind)
    return {
        "kind": kind,
        "start": [sighting.eye[0] / 10, sighting.eye[1] / 10],
        "end": [body.x, body.y],
        "at": None if at is None else list(at),
        "reason": reason,
        "rule": rule,
    }


def _why(seen: Answer, cover: Answer, reasons: list[Facts], kind: str) -> tuple[str, str]:
    """What decided, in the words of the game."""
    if kind == "clear":
        return "", ""
    if kind == "cover" and "shooters" in cover.facts:  # this game has grades of cover, with reasons of their own
        why = ", ".join(dict.fromkeys(told for row in cover.facts["shooters"] for told in row["reasons"]))
        return f"{cover.facts['cover']} cover{f': {why}' if why else ''}", cover.rules[0]
    if reasons:
        return reasons[0]["text"], reasons[0]["rule"]
    return _last_word(seen if kind == "blocked" else cover, kind)


def after(game: Game, decision: Decision) -> list[Facts]:
    """What the unit of a decision sees once it has been answered; only answers that place it change that."""
    if isinstance(decision, PlaceFree) or decision.shape == "place":
        return lines(game, decision.unit)
    return []


__all__ = ["after", "is_shown", "lines", "sights"]
