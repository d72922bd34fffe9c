"""Battles as data: table, terrain, deployment, reserves, objectives, victory (k47.game.*). Scenario files hold them in
inches; here they become a table in millimetres. What measured games share stands in table/measured/described.py.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from dieselfront.rulesets.konflikt47.ground import KINDS
from dieselfront.table.measured import described
from dieselfront.table.measured.described import (
    EDGES,
    INWARD,
    OPPOSITE,
    BadBattle,
    Box,
    Inches,
    Spot,
    TerrainEntry,
    Zone,
    corners,
    edge_strip,
    mm,
    point,
    zone_box,
)
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import Opening, Piece, building, house


class Objective(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A place worth points to the side that holds it at the end."""

    id: str
    at: Spot
    points: int = 1
    radius: Inches = 3


class Battle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A scenario. Without zones the default deployment is used (k47.game.deploy)."""

    id: str
    name: str
    size: Spot = (48, 48)
    text: str = ""
    points: int = 500
    ruleset: str = "konflikt47"
    terrain: tuple[TerrainEntry, ...] = ()
    zones: tuple[Zone, Zone] | None = None
    first: int | None = None
    depth: Inches = 12
    reserves: Literal["half", "none", "all"] = "half"
    attacker: int | None = None
    turns: int = 6
    extra_turn: int = 4
    objectives: tuple[Objective, ...] = ()
    victory: Literal["destruction", "objectives", "both", "breakthrough"] = "destruction"
    lead: int = 2


def read_battle(data: dict[str, Any], where: str = "") -> Battle:
    """A scenario from plain data, with an error that names the field."""
    return described.read(data, Battle, where)


def make_table(battle: Battle) -> MeasuredTable:
    """The table with all its terrain."""
    return described.make_table(battle, make_piece)


def make_piece(entry: TerrainEntry, number: int = 0) -> Piece:
    """One piece of terrain."""
    return described.piece_of(entry, number, KINDS, _shape)


def _shape(entry: TerrainEntry, id: str) -> Piece:
    if entry.kind in ("building", "bunker"):
        return _house(entry, id)
    return described.plain_piece(entry, id, KINDS[entry.kind], entry.height, entry.traits)


def _house(entry: TerrainEntry, id: str) -> Piece:
    """A house with an opening in the middle of each wall; polygons get one opening per wall too."""
    kind = KINDS[entry.kind]
    if entry.at is not None and entry.size is not None:
        x, y = point(entry.at)
        width, depth = point(entry.size)
        made = house(id, kind, x, y, width, depth, entry.floors)
        return Piece(
            id, kind, [part.polygon for part in made.parts], made.height // 10, made.floors, made.openings,
            entry.traits, in_tenths=True,
        )  # fmt: skip
    points = corners(entry)
    openings = [
        Opening(a, b, floor=floor)
        for floor in range(entry.floors)
        for a, b in zip(points, points[1:] + points[:1], strict=True)
    ]
    return building(id, kind, points, entry.floors, openings=openings)


def edge_zone(battle: Battle, edge: str) -> Box:
    """The strip along an edge where a side sets up (k47.game.deploy)."""
    return edge_strip(battle.size, edge, mm(battle.depth))


__all__ = [
    "EDGES",
    "INWARD",
    "OPPOSITE",
    "BadBattle",
    "Battle",
    "Objective",
    "TerrainEntry",
    "Zone",
    "edge_strip",
    "edge_zone",
    "make_piece",
    "make_table",
    "mm",
    "point",
    "read_battle",
    "zone_box",
]
