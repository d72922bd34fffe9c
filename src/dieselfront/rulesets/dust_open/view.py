"""What games on the open table show: names for the log, and positions as plain data for screens."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from dieselfront.forces import DustCard
from dieselfront.rulesets.dust.state import ON_BOARD, DustState, Unit
from dieselfront.rulesets.dust.view import Namer, common_view, namer
from dieselfront.rulesets.dust_open.places import xy
from dieselfront.rulesets.dust_open.playing import Play
from dieselfront.table.measured.terrain import openings_view

if TYPE_CHECKING:
    from dieselfront.rulesets.dust_open.ruleset import OpenDust


def names(state: DustState, length_label: Any) -> Namer:
    """As on squares, but a unit is where its first model is, and lengths are measured."""
    plain = namer(state, state.table.name)

    def name(field: str, value: Any) -> Any:
        if field == "where" and isinstance(value, tuple) and value:
            return state.table.name(value[0])
        if field == "cost" and isinstance(value, int):
            return length_label(value)
        if field == "facing" and isinstance(value, int):
            return f"{value}°"
        return plain(field, value)

    return name


def view(rules: OpenDust, state: DustState) -> dict[str, Any]:
    """The whole position as plain data."""
    shown = common_view(state, state.table.name)
    shown["ruleset"] = rules.id
    shown["table"] = table_view(state) | {"unit": length_unit(rules.field)}
    for unit, plain in zip(state.units, shown["units"], strict=True):
        plain |= models_view(rules, state, unit)
    play = Play(rules, state)
    shown["objectives"] = [
        {
            "name": objective.name,
            "spots": [list(xy(place)) for place in sorted(objective.places)],
            "points": objective.points,
            "holder": rules.victory.holder(play, objective),
        }
        for objective in state.objectives
    ]
    shown["score"] = [rules.victory.score(play, side) for side in (0, 1)]
    return shown


def length_unit(field: Any) -> dict[str, Any]:
    """What the game measures in: inches or centimetres."""
    return {"mm": field.unit_tenths / 10, "mark": "″" if field.unit_tenths == 254 else field.unit_sign.strip()}


def table_view(state: DustState) -> dict[str, Any]:
    """The table with its terrain as outlines in millimetres, buildings with doors and windows."""
    land = state.table.land
    return {
        "kind": "measured",
        "width": land.width,
        "height": land.depth,
        "terrain": [
            {
                "name": piece.id,
                "kind": piece.kind.id,
                "outline": [[x / 10, y / 10] for x, y in part.polygon],
                "floors": piece.floors,
                "openings": openings_view(piece),
            }
            for piece in land.pieces
            for part in piece.parts
        ],
    }


def models_view(rules: OpenDust, state: DustState, unit: Unit) -> dict[str, Any]:
    """Where the models of a unit stand, in the order of its figures."""
    if unit.status != ON_BOARD:
        return {"models": [], "carrier": unit.aboard}
    bodies = rules.ground.bodies(state, unit)
    shown: dict[str, Any] = {
        "models": [
            {"x": body.x, "y": body.y, "base": body.shape.width, "floor": body.floor, **figure_view(unit, place)}
            for place, body in enumerate(bodies)
        ],
        "carrier": unit.aboard,
        **rules.ground.shown(unit),
    }
    hull = bodies[0]
    if hull.inside:
        shown |= {"building": hull.inside}
    if hull.inside or hull.floor:
        shown |= {"floor": hull.floor}
    if hull.corners:
        size = {"length": hull.shape.length, "width": hull.shape.width}
        shown["hull"] = {"x": hull.x, "y": hull.y, "heading": hull.heading, **size}
        shown["models"] = []
    return shown


def figure_view(unit: Unit, place: int) -> dict[str, Any]:
    """Who a model is: its name, whether it leads, the weapon that most of the others lack, and its wounds."""
    card, soldier = unit.figures[place]
    part = next((part for part in unit.parts if part.card.id == card), unit.main)
    shown: dict[str, Any] = {"name": figure_name(unit, unit.figures[place])}
    if place == 0 and len(unit.figures) > 1:
        shown["role"] = "leader"
    if soldier < 0:
        weapons = [weapon.name for weapon in part.card.weapons]
        shown |= {"left": part.left, "left_max": part.card.damage}
    else:
        common = rank_and_file(part.card)
        carried = part.card.soldiers[soldier].weapons
        weapons = [part.card.weapons[index].name for index in carried if index not in common]
    if weapons:
        shown["weapon"] = weapons[0]
    return shown


def rank_and_file(card: DustCard) -> tuple[int, ...]:
    """The weapons that most soldiers of a squad carry."""
    carried = Counter(soldier.weapons for soldier in card.soldiers if soldier.weapons)
    weapons, count = carried.most_common(1)[0] if carried else ((), 0)
    return weapons if count > 1 else ()


def figure_name(unit: Unit, figure: tuple[str, int]) -> str:
    """What a model is called."""
    card, soldier = figure
    part = next((part for part in unit.parts if part.card.id == card), unit.main)
    return part.card.name if soldier < 0 else part.card.soldiers[soldier].name
