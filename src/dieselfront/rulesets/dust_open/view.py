"""What games on the open table show: names for the log, and positions as screens show them."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import UNSET
from msgspec.structs import replace

from dieselfront.forces import DustCard
from dieselfront.kernel.by_identity import ByIdentity
from dieselfront.kernel.field import Field
from dieselfront.kernel.views import (
    HullView,
    LengthUnit,
    MeasuredView,
    ModelView,
    ObjectiveView,
    PieceView,
    UnitView,
    plain,
)
from dieselfront.rulesets.dust.state import ON_BOARD, DustState, Unit
from dieselfront.rulesets.dust.view import DustUnit, DustView, Namer, namer, position_view, unit_view
from dieselfront.rulesets.dust_open.places import xy
from dieselfront.rulesets.dust_open.playing import Play
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.table import MeasuredTable
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


def view(rules: OpenDust, state: DustState) -> DustView:
    """The whole position."""
    play = Play(rules, state)
    objectives = [
        ObjectiveView(
            name=objective.name,
            spots=[list(xy(place)) for place in sorted(objective.places)],
            points=objective.points,
            holder=rules.victory.holder(play, objective),
        )
        for objective in state.objectives
    ]
    score = [rules.victory.score(play, side) for side in (0, 1)]
    units: list[UnitView] = [placed_view(rules, state, unit) for unit in state.units]
    return position_view(
        state, units, table_view(state.table.land, length_unit(rules.field)), objectives, score, rules.id
    )


def length_unit(field: Field[DustState]) -> LengthUnit:
    """What the game measures in: inches or centimetres."""
    return LengthUnit(field.unit_tenths / 10, "″" if field.unit_tenths == 254 else field.unit_sign.strip())


@lru_cache(maxsize=32)
def table_view(land: MeasuredTable, unit: LengthUnit) -> MeasuredView:
    """The table with its terrain as outlines in millimetres, buildings with doors and windows; made once a table."""
    return MeasuredView(
        width=land.width,
        height=land.depth,
        terrain=[
            PieceView(
                name=piece.id,
                kind=piece.kind.id,
                outline=[[x / 10, y / 10] for x, y in part.polygon],
                floors=piece.floors,
                openings=[list(opening) for opening in openings_view(piece)],
            )
            for piece in land.pieces
            for part in piece.parts
        ],
        unit=unit,
    )


@lru_cache(maxsize=32)
def plain_table(land: MeasuredTable, unit: LengthUnit) -> dict[str, Any]:
    """The same as plain data."""
    return plain(table_view(land, unit))


def placed_view(rules: OpenDust, state: DustState, unit: Unit) -> DustUnit:
    """A unit with its models where they stand, in the order of its figures."""
    shown = unit_view(unit, state.table.name)
    if unit.status != ON_BOARD:
        return replace(shown, models=[], carrier=unit.aboard)
    bodies = rules.ground.bodies(state, unit)
    first = bodies[0]
    models = [] if first.corners else [model_view(unit, place, body) for place, body in enumerate(bodies)]
    return replace(
        shown,
        models=models,
        carrier=unit.aboard,
        circle=rules.ground.circle(unit),
        building=first.inside or UNSET,
        floor=first.floor if first.inside or first.floor else UNSET,
        hull=hull_view(first) if first.corners else UNSET,
    )


def hull_view(hull: Body) -> HullView:
    """A vehicle where it stands, at its true size."""
    return HullView(hull.x, hull.y, hull.heading, hull.shape.length, hull.shape.width)


def model_view(unit: Unit, place: int, body: Body) -> ModelView:
    """Who a model is: its name, whether it leads, the weapon that most of the others lack, and its wounds."""
    card, soldier = unit.figures[place]
    part = next((part for part in unit.parts if part.card.id == card), unit.main)
    if soldier < 0:
        weapons = [weapon.name for weapon in part.card.weapons]
    else:
        common = rank_and_file(part.card)
        carried = part.card.soldiers[soldier].weapons
        weapons = [part.card.weapons[index].name for index in carried if index not in common]
    return ModelView(
        x=body.x,
        y=body.y,
        base=body.shape.width,
        floor=body.floor,
        name=figure_name(unit, unit.figures[place]),
        role="leader" if place == 0 and len(unit.figures) > 1 else UNSET,
        weapon=weapons[0] if weapons else UNSET,
        left=part.left if soldier < 0 else UNSET,
        left_max=part.card.damage if soldier < 0 else UNSET,
    )


@ByIdentity
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
