"""What a screen draws of a unit: bases and hulls at true size and heading, who leads, who carries what, and where a
unit is that does not stand on the table; then the table and the position as a whole."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, UnsetType

from dieselfront.kernel.by_identity import ByIdentity
from dieselfront.kernel.views import (
    GunView,
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
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.battle import Battle, mm
from dieselfront.rulesets.konflikt47.cards import Man, UnitCard
from dieselfront.rulesets.konflikt47.state import GONE, TABLE, State, Unit
from dieselfront.rulesets.konflikt47.turn import SIDES
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import openings_view

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47

LEADERS = ("officer", "nco")
MARKED = ("medic", "gunner", "spotter", "observer", "handler", "character")


class KonfliktUnit(UnitView, frozen=True, kw_only=True):
    """A unit, with its quality and the rules it has at the moment."""

    quality: str
    rules: list[str]


class KonfliktView(View, frozen=True, kw_only=True):
    """The position, with the cup and the edges of the table."""

    ruleset: str
    cup: list[int]
    edges: list[str]


def view(rules: Konflikt47, state: State) -> KonfliktView:
    """The position: table, terrain, units with their models, tokens."""
    battle: Battle | None = state.scenario
    return KonfliktView(
        ruleset=rules.id,
        turn=state.turn,
        turns=battle.turns if battle is not None else 0,
        phase=state.phase,
        cup=list(state.cup()),
        steps=[TurnStep("Orders", state.phase == "orders"), TurnStep("Turn end", state.phase == "turn end")],
        pools=[order_dice(state)],
        edges=list(state.edges),
        sides=[
            SideView(force.get("name", SIDES[side]), state.scores[side])
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
        units=[unit_view(unit) for unit in state.units],
    )


@lru_cache(maxsize=32)
def table_view(table: MeasuredTable) -> MeasuredView:
    """The table with its terrain as outlines in millimetres, buildings with doors and windows; made once a table."""
    return MeasuredView(
        width=table.width,
        height=table.depth,
        terrain=[
            PieceView(
                name=piece.id,
                kind=piece.kind.id,
                outline=[[x / 10, y / 10] for x, y in part.polygon],
                floors=piece.floors,
                openings=[[*ends] for ends in openings_view(piece)],
            )
            for piece in table.pieces
            for part in piece.parts
        ],
    )


@lru_cache(maxsize=32)
def plain_table(table: MeasuredTable) -> dict[str, Any]:
    """The same as plain data."""
    return plain(table_view(table))


def unit_view(unit: Unit) -> KonfliktUnit:
    """One unit as a screen draws it: where it is, what its card says, what it did and suffered."""
    card, vehicle = unit.card, unit.card.vehicle
    return KonfliktUnit(
        id=unit.id,
        name=card.name,
        side=unit.side,
        card=card.id,
        kind=card.kind,
        quality=card.quality,
        status=unit.place,
        activated=bool(unit.order),
        order=unit.order,
        pins=unit.pins,
        facing=unit.heading,
        models_left=len(unit.men) if unit.alive else 0,
        models_max=len(card.men),
        damage=0,
        damage_max=0,
        models=models_view(unit),
        tokens=tokens(unit),
        rules=sorted(unit.rules),
        carrier=unit.carrier,
        building=unit.building,
        floor=int(unit.floor),
        armour=vehicle.armour if vehicle is not None else "",
        locomotion=vehicle.mode if vehicle is not None else "",
        nation=card.nation,
        skills=list(card.rules),
        weapons=list(dict.fromkeys(weapon.name for weapon in card.weapons)),
        hull=hull_view(unit),
        gun=gun_view(unit),
    )


def tokens(unit: Unit) -> list[str]:
    """States worth a marker beside the unit."""
    tokens = [unit.order] if unit.order else []
    tokens += [f"{unit.pins} pins"] if unit.pins else []
    tokens += ["immobilised"] if unit.immobilised else []
    tokens += ["NCO lost"] if unit.nco_lost else []
    tokens += ["halted"] if unit.halted else []
    tokens += ["slowed"] if unit.slowed else []
    tokens += ["dug in"] if unit.dug_in else []
    return tokens + (["loose"] if unit.released else [])


def order_dice(state: State) -> PoolView:
    """The cup: a die for every living unit, those without an order still in it (k47.turn.pool)."""
    alive = [sum(unit.side == side and unit.place != GONE for unit in state.units) for side in (0, 1)]
    return PoolView("In the cup", list(state.cup()), alive, shared=True)


def models_view(unit: Unit) -> list[ModelView]:
    """Every model at its place, the leader and those with a weapon of their own marked as such."""
    shape = ground.shape_of(unit)
    common = rank_and_file(unit.card)
    return [
        ModelView(
            x=body.x,
            y=body.y,
            base=shape.width,
            name=unit.man(man).name,
            role=role_of(unit.man(man)) or UNSET,
            weapon=own_weapon(unit, man, common) or UNSET,
        )
        for man, body in zip(unit.men, unit.bodies, strict=False)
    ]


def own_weapon(unit: Unit, man: int, common: tuple[int, ...]) -> str:
    """The weapon that most of the other models do not carry."""
    own = [index for index in unit.man(man).weapons if index not in common]
    return unit.weapon(own[-1]).name if own and not unit.is_vehicle else ""


@ByIdentity
def role_of(model: Man) -> str:
    if any(model.is_a(role) for role in LEADERS):
        return "leader"
    return next((role for role in MARKED if model.is_a(role)), "")


@ByIdentity
def rank_and_file(card: UnitCard) -> tuple[int, ...]:
    """The weapons that most models of a squad carry; nobody's where every model stands alone."""
    carried = Counter(man.weapons for man in card.men if man.weapons)
    weapons, count = carried.most_common(1)[0] if carried else ((), 0)
    return weapons if count > 1 else ()


def hull_view(unit: Unit) -> HullView | UnsetType:
    """A vehicle's hull, where it stands and which way it looks."""
    if not unit.is_vehicle or not unit.bodies:
        return UNSET
    body, shape = unit.bodies[0], ground.shape_of(unit)
    return HullView(body.x, body.y, body.heading, shape.length, shape.width)


def gun_view(unit: Unit) -> GunView | UnsetType:
    """An artillery unit's gun, where it stands and which way it looks."""
    if unit.gun is None or unit.place != TABLE:
        return UNSET
    return GunView(unit.gun.x, unit.gun.y, unit.gun.shape.width, unit.heading)
