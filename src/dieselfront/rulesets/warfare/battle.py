"""Scenarios of Dust Warfare: table, terrain, zones, objectives, length (dw.setup.scenario_choice,
dw.open.scenario_data).

Places and sizes are inches from the upper left corner of the table. What measured games share stands in
table/measured/described.py.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from dieselfront.rulesets.warfare.terrain import KINDS
from dieselfront.table.measured import described
from dieselfront.table.measured.described import (
    INWARD,
    OPPOSITE,
    BadBattle,
    Inches,
    Spot,
    Zone,
    edge_strip,
    mm,
    point,
    zone_box,
)
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import Piece


class TerrainEntry(described.TerrainEntry, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A piece of terrain; buildings may have a roof."""

    roofed: bool = False


class Objective(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A place worth points to the side that holds it."""

    id: str
    at: Spot
    points: int = 10
    radius: Inches = 3


class Battle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A scenario; defaults as dw.open.scenario_data says: 6 turns, strips of 12", AP destroyed."""

    id: str
    name: str
    size: Spot = (72, 48)
    text: str = ""
    points: int = 150
    ruleset: str = "warfare"
    terrain: tuple[TerrainEntry, ...] = ()
    zones: tuple[Zone, Zone] | None = None
    first: int = 0
    depth: Inches = 12
    reserves: Literal["none", "allowed"] = "none"
    reserve_turn: int = 2
    attacker: int | None = None
    turns: int = 6
    objectives: tuple[Objective, ...] = ()
    scoring: Literal["end", "each turn"] = "end"
    victory: Literal["destruction", "objectives", "both", "breakthrough"] = "destruction"
    lead: int = 1
    wrecks: bool = True


def read_battle(data: dict[str, Any] | None, where: str = "") -> Battle:
    """A scenario from plain data, with an error that names the field."""
    if not data:
        raise BadBattle("No scenario is set; a game cannot be set up without one (dw.setup.scenario_choice).")
    return described.read(data, Battle, where)


def make_table(battle: Battle) -> MeasuredTable:
    """The table with all its terrain (dw.setup.battlefield_and_deploy)."""
    return described.make_table(battle, make_piece)


def make_piece(entry: TerrainEntry, number: int = 0) -> Piece:
    """One piece of terrain."""
    return described.piece_of(entry, number, KINDS, _shape)


def _shape(entry: TerrainEntry, id: str) -> Piece:
    kind = KINDS[entry.kind]
    traits = list(entry.traits)
    if entry.roofed:
        traits.append("roofed")
    if entry.floors > 1:
        traits.append(f"floors {entry.floors}")
    height = entry.height
    if height is None and entry.kind == "building" and entry.floors > 1:
        height = kind.height * entry.floors
    return described.plain_piece(entry, id, kind, height, traits)


__all__ = [
    "INWARD",
    "OPPOSITE",
    "BadBattle",
    "Battle",
    "Objective",
    "TerrainEntry",
    "Zone",
    "edge_strip",
    "make_piece",
    "make_table",
    "mm",
    "point",
    "read_battle",
    "zone_box",
]
