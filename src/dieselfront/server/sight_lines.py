"""What a unit sees and why, where its weapons bear, how far it can go, and what the ground does to it; for drawing.

Everything is asked of the game's field, which play asks too. Nothing here changes a game.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shapely.geometry import Point, Polygon
from shapely.ops import nearest_points

from dieselfront.kernel.decisions import Decision, PlaceFree
from dieselfront.kernel.field import Arc, Field, NoAnswer, Reason, Sight, SightLine, TerrainEffect
from dieselfront.kernel.game import Game
from dieselfront.table.measured.outlines import template_shapes
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.trace import Traceable

Facts = dict[str, Any]


def sights(game: Game, unit: str) -> Facts:
    """Everything worth drawing about a unit; empty lists for what its game does not tell."""
    if not is_shown(game, unit):
        return {"unit": unit, "lines": [], "arcs": [], "reach": [], "costs": None, "terrain": []}
    return {
        "unit": unit,
        "lines": lines(game, unit),
        "arcs": arcs(game, unit),
        "reach": reach(game, unit),
        "costs": costs(game, unit),
        "terrain": effects(game, unit),
    }


def caught_up(game: Game) -> Game:
    """A copy of a game stands at the last quiet moment until its decision is asked for: here it is."""
    _ = game.pending
    return game


def field_of(game: Game) -> Field[Any]:
    """What can be measured and seen in this game."""
    field: Field[Any] = game.rules.field
    return field


def is_known(game: Game, unit: str) -> bool:
    """Is there such a unit?"""
    return any(one.id == unit for one in field_of(game).units(game.state))


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
        "at": _plain(_obstacle(line, reason)) if reason is not None else None,
        "reason": reason.text if reason is not None else "",
        "rule": reason.rule if reason is not None else "",
        "range": sight.facts.get("inches", sight.distance),
    } | _on_the_tape(game, sight)


def _obstacle(line: SightLine, reason: Reason) -> Any:
    """Where the reason that is told stands: on measured tables a line may have met something else before it."""
    spots = [place for place in reason.places if isinstance(place, tuple)] if isinstance(line.at, tuple) else []
    return spots[0] if spots else line.at


def _on_the_tape(game: Game, sight: Sight) -> Facts:
    """Distance against range, and every model of the target as it is seen; on measured tables."""
    distance = field_of(game).distance(game.state, sight.viewer, sight.target)
    tape = next(iter(distance.marks.get("tapes", ())), None)
    if tape is None:
        return {}
    one, other, tenths = tape
    start, end = edge_points(one, other)
    length = round(tenths / field_of(game).unit_tenths, 2)
    weapons = [
        {"weapon": row["weapon"], "length": row.get("length", row["range"]), "reaches": row["reaches"]}
        for row in distance.weapons
    ]
    models = [
        {"at": _plain(line.end), "kind": line.kind, "reason": line.reasons[0].text if line.reasons else ""}
        for line in sight.lines
        if isinstance(line.end, tuple)
    ]
    ruler = {"start": start, "end": end, "length": length, "weapons": weapons}
    return {"ruler": ruler, "models": models, "no_shot": _no_shot(game, sight)}


def _no_shot(game: Game, sight: Sight) -> str:
    """Why nothing can be fired at a target that is seen; empty where something can."""
    if not sight.visible:
        return ""
    try:
        uses = field_of(game).weapons(game.play, sight.viewer, sight.target)
    except NoAnswer:
        return ""
    if any(use.usable for use in uses):
        return ""
    return next((use.reason for use in uses if use.reason), "")


def edge_points(one: Body, other: Body) -> tuple[list[float], list[float]]:
    """Where the tape from one model to another touches their edges (mm)."""
    a: Any = Point(one.cx, one.cy).buffer(one.radius) if not one.corners else Polygon(one.corners)
    b: Any = Point(other.cx, other.cy).buffer(other.radius) if not other.corners else Polygon(other.corners)
    start, end = nearest_points(a, b)
    return [round(start.x / 10, 1), round(start.y / 10, 1)], [round(end.x / 10, 1), round(end.y / 10, 1)]


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
    try:
        rings = field_of(game).outline(game.play, unit, _chosen_region(game, unit))
    except NoAnswer:
        return []
    return [[[float(x), float(y)] for x, y in ring] for ring in rings]


def costs(game: Game, unit: str) -> Facts | None:
    """What the way to every spot of that ground costs, as a grid of letters; its limit in the lengths of the game."""
    try:
        grid = field_of(game).costs(game.play, unit, _chosen_region(game, unit))
    except NoAnswer:
        return None
    return None if grid is None else grid._asdict() | {"limit": round(grid.limit / field_of(game).unit_tenths, 2)}


def _chosen_region(game: Game, unit: str) -> Any:
    """The region of the move that is being chosen, if it is this unit's."""
    pending = game.pending
    return pending.region if isinstance(pending, PlaceFree) and pending.unit == unit else None


def route(game: Game, decision: Decision, answer: Any) -> Facts | None:
    """Where an answer brings a unit: its models there, the way and its length in the lengths of the game."""
    if not isinstance(decision, PlaceFree) or not isinstance(decision.region, Traceable):
        return None
    trace = decision.region.trace(answer)
    if trace is None:
        return None
    tenths = field_of(game).unit_tenths
    return {
        "bodies": [
            {
                "x": body.x,
                "y": body.y,
                "heading": body.heading,
                "width": body.shape.width,
                "length": body.shape.length,
                "round": body.shape.is_round,
            }
            for body in trace.bodies
        ],
        "way": [list(point[:2]) for point in trace.way],
        "length": round(trace.length / tenths, 1),
        "limit": round(trace.limit / tenths, 1),
    }


def effects(game: Game, unit: str) -> list[Facts]:
    """A line for every kind of terrain on the table: movement, sight and cover, for this unit."""
    return [_effect(effect) for effect in field_of(game).terrain(game.state, unit)]


def _effect(effect: TerrainEffect) -> Facts:
    return {"kind": effect.kind, "text": effect.text, "rules": effect.rules, "going": effect.going}


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


__all__ = [
    "after",
    "arcs",
    "caught_up",
    "costs",
    "effects",
    "is_known",
    "is_shown",
    "lines",
    "reach",
    "route",
    "sights",
    "templates",
]
