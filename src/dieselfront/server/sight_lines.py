"""What a unit sees and why, where its weapons bear, how far it can go, and what the ground does to it; for drawing.

Everything is asked of the game's field, which play asks too. Nothing here changes a game.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dieselfront.kernel.decisions import Decision, PlaceFree
from dieselfront.kernel.field import Arc, Field, NoAnswer, TerrainEffect
from dieselfront.kernel.game import Game
from dieselfront.table.measured.outlines import template_shapes

Facts = dict[str, Any]


def sights(game: Game, unit: str) -> Facts:
    """Everything worth drawing about a unit; empty lists for what its game does not tell."""
    return {
        "unit": unit,
        "lines": lines(game, unit),
        "arcs": arcs(game, unit),
        "reach": reach(game, unit),
        "terrain": effects(game, unit),
    }


def field_of(game: Game) -> Field[Any]:
    """What can be measured and seen in this game."""
    field: Field[Any] = game.rules.field
    return field


def is_shown(game: Game, unit: str) -> bool:
    """Does the unit stand on the table?"""
    return any(one.id == unit and one.on_table for one in field_of(game).units(game.state))


# -- lines of sight ---------------------------------------------------------------------------------


def lines(game: Game, unit: str) -> list[Facts]:
    """A line from the unit to every enemy on the table: clear, in cover or blocked, with where and why."""
    standing = {one.id: one for one in field_of(game).units(game.state) if one.on_table}
    if unit not in standing:
        return []
    enemies = [id for id, one in standing.items() if one.side != standing[unit].side]
    drawn = (_line(game, unit, enemy) for enemy in enemies)
    return [line for line in drawn if line is not None]


def _line(game: Game, unit: str, target: str) -> Facts | None:
    try:
        sight = field_of(game).sight(game.play, unit, target)
    except NoAnswer:  # inside a building, aboard, or otherwise out of sight for such questions
        return None
    line = sight.best()
    if line is None:
        return None
    reason = sight.reason()
    return {
        "unit": unit,
        "to": target,
        "kind": sight.kind,
        "start": _plain(line.eye),
        "end": _plain(line.end),
        "at": _plain(line.at) if reason is not None else None,
        "reason": reason.text if reason is not None else "",
        "rule": reason.rule if reason is not None else "",
        "range": sight.facts.get("inches", sight.distance),
    }


def after(game: Game, decision: Decision) -> list[Facts]:
    """What the unit of a decision sees once it has been answered; only answers that place it change that."""
    if isinstance(decision, PlaceFree) or decision.shape == "place":
        return lines(game, decision.unit)
    return []


# -- arcs, reach, terrain -----------------------------------------------------------------------------


def arcs(game: Game, unit: str) -> list[Facts]:
    """Where each weapon bears, as squares or as an outline."""
    try:
        return [_arc(arc) for arc in field_of(game).arcs(game.state, unit)]
    except NoAnswer:
        return []


def _arc(arc: Arc) -> Facts:
    return {
        "weapon": arc.weapon,
        "name": arc.name,
        "range": arc.range,
        "at": _plain(arc.at),
        "outline": [_plain(point) for point in arc.outline],
        "rule": arc.rules[0] if arc.rules else "",
    }


def reach(game: Game, unit: str) -> list[list[list[float]]]:
    """Rings round the ground in reach, on measured tables: of the move being chosen, else of a plain move."""
    pending = game.pending
    region = pending.region if isinstance(pending, PlaceFree) and pending.unit == unit else None
    try:
        rings = field_of(game).outline(game.play, unit, region)
    except NoAnswer:
        return []
    return [[[float(x), float(y)] for x, y in ring] for ring in rings]


def effects(game: Game, unit: str) -> list[Facts]:
    """A line for every kind of terrain on the table: movement, sight and cover, for this unit."""
    return [_effect(effect) for effect in field_of(game).terrain(game.state, unit)]


def _effect(effect: TerrainEffect) -> Facts:
    return {"kind": effect.kind, "text": effect.text, "rules": effect.rules}


def templates(laid: Iterable[Any]) -> list[Facts]:
    """What an answer lays on the table: discs, and bands that lead to them; in millimetres."""
    drawn = dict.fromkeys(shape for template in laid for shape in template_shapes(template))
    return [
        {
            "at": list(shape.at),
            "radius": shape.radius,
            "start": None if shape.start is None else list(shape.start),
            "width": shape.width,
            "outline": [list(point) for point in shape.outline],
        }
        for shape in drawn
    ]


def _plain(point: Any) -> Any:
    return list(point) if isinstance(point, tuple) else point


__all__ = ["after", "arcs", "effects", "is_shown", "lines", "reach", "sights", "templates"]
