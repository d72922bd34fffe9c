"""What a screen draws: the table, the turn, every unit with its miniatures, who leads and who carries what."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, UnsetType

from dieselfront.kernel.by_identity import ByIdentity
from dieselfront.kernel.views import (
    HullView,
    MeasuredView,
    ModelView,
    ObjectiveView,
    PieceView,
    PoolView,
    SideView,
    TurnStep,
    UnitView,
    View,
    plain,
)
from dieselfront.rulesets.warfare.battle import Battle, mm
from dieselfront.rulesets.warfare.state import Figure, State, Unit
from dieselfront.rulesets.warfare.turn import SIDES
from dieselfront.table.measured.table import MeasuredTable

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare


class WarfareUnit(UnitView, frozen=True, kw_only=True):
    """A unit, with its markers as numbers."""

    suppression: int
    reaction: bool
    leader: int | None
    altitude: str
    rules: list[str]


class WarfareView(View, frozen=True, kw_only=True):
    """The position, with what the phases of a turn count."""

    ruleset: str
    active: int
    initiative: int
    orders: int
    hits: list[int]
    edges: list[str]


def view(rules: Warfare, state: State) -> WarfareView:
    """The position: table, terrain, units with their miniatures, markers."""
    battle: Battle | None = state.scenario
    points = rules.victory.points(state) if battle is not None else tuple(state.scores)
    return WarfareView(
        ruleset=rules.id,
        turn=state.turn,
        turns=battle.turns if battle is not None else 0,
        phase=state.phase,
        active=state.active,
        initiative=state.initiative,
        orders=state.orders,
        hits=list(state.hits),
        edges=list(state.edges),
        steps=steps(state),
        pools=pools(state),
        sides=[
            SideView(force.get("name", SIDES[side]), points[side], bloc(state, side))
            for side, force in enumerate(state.forces or ({}, {}))
        ],
        table=table_view(state.table),
        objectives=[
            ObjectiveView(
                name=one.id,
                spots=[[mm(one.at[0]), mm(one.at[1])]],
                points=one.points,
                holder=rules.victory.holder(state, one),
            )
            for one in (battle.objectives if battle is not None else ())
        ],
        units=[unit_view(rules, unit) for unit in state.units],
    )


def bloc(state: State, side: int) -> str:
    """Whose colours a side wears."""
    return next((unit.card.bloc for unit in state.units if unit.side == side), "")


def steps(state: State) -> list[TurnStep]:
    """The parts of the turn in their order, and which of them goes on (dw.turn.phases)."""
    first = state.initiative if state.initiative in (0, 1) else 0
    parts = [
        TurnStep(name, state.phase == phase and state.active == side, side)
        for side in (first, 1 - first)
        for name, phase in (("Command", "command"), ("Units", "units"))
    ]
    return [TurnStep("Initiative", state.phase == "initiative"), *parts, TurnStep("End", state.phase == "end")]


def pools(state: State) -> list[PoolView]:
    """Orders of the Command phase, and who has still to act in the Unit phase (dw.command.order_count)."""
    hits = [max(1, count) if state.turn else 0 for count in state.hits]
    now = [state.orders if state.phase == "command" and state.active == side else 0 for side in (0, 1)]
    alive = [[unit for unit in state.units if unit.side == side and unit.alive] for side in (0, 1)]
    waiting = [sum(not unit.activated for unit in units) for units in alive]
    return [
        PoolView("Orders", now, [max(*pair) for pair in zip(hits, now, strict=True)]),
        PoolView("To activate", waiting, [len(units) for units in alive]),
    ]


@lru_cache(maxsize=32)
def table_view(table: MeasuredTable) -> MeasuredView:
    """The measured table with its terrain as outlines in millimetres; made once a table."""
    return MeasuredView(
        width=table.width,
        height=table.depth,
        terrain=[
            PieceView(
                name=piece.id,
                kind=piece.kind.id,
                outline=[[x / 10, y / 10] for x, y in part.polygon],
                floors=piece.floors,
            )
            for piece in table.pieces
            for part in piece.parts
        ],
    )


@lru_cache(maxsize=32)
def plain_table(table: MeasuredTable) -> dict[str, Any]:
    """The same as plain data."""
    return plain(table_view(table))


def unit_view(rules: Warfare, unit: Unit) -> WarfareUnit:
    """One unit as a screen draws it; converted cards say so."""
    capacity = sum(figure.card.capacity for figure in unit.figures)
    leader = unit.acting_leader if len(unit.men) > 1 else None
    abilities = sorted(unit.abilities)
    return WarfareUnit(
        id=unit.id,
        name=unit.card.name,
        side=unit.side,
        card=unit.card.id,
        origin=unit.card.origin,
        kind=unit.card.kind,
        status=unit.place,
        activated=unit.activated,
        pins=unit.suppression,
        suppression=unit.suppression,
        reaction=unit.reaction,
        leader=None if unit.leader is None else unit.leader + 1,
        altitude=unit.altitude,
        facing=unit.heading,
        models_left=len(unit.men) if unit.alive else 0,
        models_max=len(unit.figures),
        left=unit.points_left if unit.alive else 0,
        left_max=capacity,
        damage=sum(unit.wounds.values()),
        damage_max=capacity,
        carrier=unit.carrier,
        building="",
        models=[
            ModelView(
                x=body.x,
                y=body.y,
                base=body.shape.width,
                name=rules.man_name(unit, man),
                role="leader" if man == leader else UNSET,
                weapon=own_weapon(unit, man) or UNSET,
            )
            for man, body in zip(unit.men, unit.bodies, strict=False)
        ],
        tokens=tokens(unit),
        rules=abilities,
        armour=unit.card.armor_class,
        locomotion="walker" if unit.card.is_walker else "",
        nation=unit.card.bloc,
        skills=abilities,
        weapons=list(dict.fromkeys(weapon.name for weapon in unit.weapons)),
        hull=hull_view(unit),
    )


def hull_view(unit: Unit) -> HullView | UnsetType:
    """A machine where it stands, at its true size."""
    if not unit.is_machine or not unit.bodies:
        return UNSET
    body = unit.bodies[0]
    return HullView(body.x, body.y, body.heading, body.shape.length, body.shape.width)


def own_weapon(unit: Unit, man: int) -> str:
    """What a miniature carries that most of the others do not."""
    common = common_weapons(unit.figures)
    own = [index for index in unit.figures[man].weapons if index not in common]
    return unit.weapons[own[-1]].name if own and not unit.is_machine else ""


@ByIdentity
def common_weapons(figures: tuple[Figure, ...]) -> tuple[int, ...]:
    """The weapons that most miniatures of a unit carry."""
    return Counter(figure.weapons for figure in figures).most_common(1)[0][0]


def tokens(unit: Unit) -> list[str]:
    """States worth a marker beside the unit."""
    tokens = [f"{unit.suppression} suppression"] if unit.suppression else []
    tokens += ["reaction"] if unit.reaction else []
    tokens += ["leaderless"] if unit.alive and unit.leader is None else []
    tokens += [unit.altitude] if unit.altitude else []
    tokens += ["flying"] if unit.is_flying else []
    tokens += [f"out of ammo: {unit.weapons[index].name}" for index in unit.empty]
    return tokens + list(unit.effects)
