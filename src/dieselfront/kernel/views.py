"""Views: a position as plain data, in words that every game shares. They belong to the contract of a ruleset.

A ruleset builds these structs, so that its fields are checked like any other code, and `Ruleset.view` gives them as
plain data (`plain`); what a game tells beyond the common words stands in a struct of its own derived from one of these,
and nobody but that game reads it. The server sends the plain data as they are, and `tools/make_api_types.py` writes the
same words as types for the browser app. A field that only some games tell is unset by default.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType, to_builtins

Number = int | float


class WeaponView(Struct, frozen=True):
    """A line of weapons and whether it can still fire."""

    id: str
    name: str
    count: int
    range: str
    ammo: int | None
    ammo_left: int | None
    loaded: bool
    broken: bool


class PartView(Struct, frozen=True):
    """One card's models inside a unit."""

    card: str
    name: str
    role: str
    damage: int
    skills: list[str]
    weapons: list[WeaponView]


class ModelView(Struct, frozen=True):
    """A model on a measured table, in millimetres: who it is, what sets it apart, what it has left."""

    x: Number
    y: Number
    base: Number | UnsetType = UNSET
    name: str | UnsetType = UNSET
    role: str | UnsetType = UNSET
    weapon: str | UnsetType = UNSET
    left: int | UnsetType = UNSET
    left_max: int | UnsetType = UNSET
    floor: int | UnsetType = UNSET


class HullView(Struct, frozen=True):
    """A vehicle on a measured table: its middle, where it looks, its size."""

    x: Number
    y: Number
    heading: Number
    length: Number
    width: Number


class GunView(Struct, frozen=True):
    """A crewed gun on a measured table: its base, and where it looks."""

    x: Number
    y: Number
    base: Number
    heading: Number


class UnitView(Struct, frozen=True):
    """A unit as screens show it."""

    id: str
    name: str
    side: int
    card: str
    kind: str
    status: str
    facing: Number
    models_left: int
    models_max: int
    tokens: list[str]
    activated: bool
    armour: str | UnsetType = UNSET
    locomotion: str | UnsetType = UNSET
    size: str | UnsetType = UNSET
    places: list[str] | UnsetType = UNSET
    models: list[ModelView] | UnsetType = UNSET
    hull: HullView | UnsetType = UNSET
    gun: GunView | UnsetType = UNSET
    carrier: str | UnsetType = UNSET
    building: str | UnsetType = UNSET
    floor: int | UnsetType = UNSET
    order: str | UnsetType = UNSET
    pins: int | UnsetType = UNSET
    nation: str | UnsetType = UNSET
    skills: list[str] | UnsetType = UNSET
    weapons: list[str] | UnsetType = UNSET
    left: int | UnsetType = UNSET
    left_max: int | UnsetType = UNSET
    damage: int | UnsetType = UNSET
    damage_max: int | UnsetType = UNSET
    criticals: list[str] | UnsetType = UNSET
    aboard: str | UnsetType = UNSET
    points: int | UnsetType = UNSET
    parts: list[PartView] | UnsetType = UNSET
    origin: str | UnsetType = UNSET
    """Where the numbers of its card come from, if nobody printed them."""


class Wall(Struct, frozen=True):
    """A wall between two squares."""

    between: Annotated[list[str], Meta(min_length=2, max_length=2)]
    kind: str | UnsetType = UNSET
    opening: str | UnsetType = UNSET


class ColumnView(Struct, frozen=True):
    """The floors over a square."""

    top: int
    climb: str


class KindView(Struct, frozen=True):
    """A kind of terrain as text screens draw it."""

    symbol: str


class SquaresView(Struct, frozen=True, tag_field="kind", tag="squares"):
    """A table of squares; squares go by their names."""

    width: int
    height: int
    features: dict[str, list[str]]
    walls: list[Wall]
    columns: dict[str, ColumnView] | UnsetType = UNSET
    kinds: dict[str, KindView] | UnsetType = UNSET


class PieceView(Struct, frozen=True):
    """A piece of terrain on a measured table."""

    kind: str
    outline: list[Annotated[list[Number], Meta(min_length=2, max_length=2)]]
    name: str | UnsetType = UNSET
    floors: int | UnsetType = UNSET
    openings: list[list[Number]] | UnsetType = UNSET


class LengthUnit(Struct, frozen=True):
    """What a game measures in."""

    mm: Number
    mark: str


class MeasuredView(Struct, frozen=True, tag_field="kind", tag="measured"):
    """A measured table, in millimetres; its game measures in inches unless it says otherwise."""

    width: Number
    height: Number
    terrain: list[PieceView]
    unit: LengthUnit | UnsetType = UNSET


class ObjectiveView(Struct, frozen=True):
    """Something worth holding, and who holds it."""

    name: str
    points: int
    holder: int | None
    places: list[str] | UnsetType = UNSET
    spots: list[Annotated[list[Number], Meta(min_length=2, max_length=2)]] | UnsetType = UNSET


class SideView(Struct, frozen=True):
    """One of the two forces."""

    name: str
    points: int
    bloc: str | UnsetType = UNSET


class TurnStep(Struct, frozen=True):
    """A part of the turn; is it going on now, and is it one side's own?"""

    name: str
    now: bool
    side: int | UnsetType = UNSET


class PoolView(Struct, frozen=True, omit_defaults=True):
    """What both sides draw from during a turn (dice in a cup, orders, activations): what is left of how many."""

    name: str
    left: list[int]
    total: list[int]
    shared: bool = False
    """All lie in one cup, and chance says whose comes next."""


class View(Struct, frozen=True):
    """The position as the ruleset shows it."""

    turn: int
    turns: int
    phase: str
    sides: list[SideView]
    units: list[UnitView]
    table: SquaresView | MeasuredView
    objectives: list[ObjectiveView]
    to_act: int | UnsetType = UNSET
    scenario: str | UnsetType = UNSET
    weather: str | UnsetType = UNSET
    score: list[int] | UnsetType = UNSET
    steps: list[TurnStep] | UnsetType = UNSET
    pools: list[PoolView] | UnsetType = UNSET


def plain(view: Struct) -> dict[str, Any]:
    """A view, or a part of one, as plain data; what is unset is left out."""
    data: dict[str, Any] = to_builtins(view)
    return data


def plain_on(view: View, table: dict[str, Any]) -> dict[str, Any]:
    """A view as plain data, with its table as plain data that is at hand already: tables hardly ever change."""
    values = {name: getattr(view, name) for name in view.__struct_fields__ if name != "table"}
    data: dict[str, Any] = to_builtins({name: value for name, value in values.items() if value is not UNSET})
    return data | {"table": table}


__all__ = [
    "ColumnView",
    "GunView",
    "HullView",
    "KindView",
    "LengthUnit",
    "MeasuredView",
    "ModelView",
    "Number",
    "ObjectiveView",
    "PartView",
    "PieceView",
    "PoolView",
    "SideView",
    "SquaresView",
    "TurnStep",
    "UnitView",
    "View",
    "Wall",
    "WeaponView",
    "plain",
    "plain_on",
]
