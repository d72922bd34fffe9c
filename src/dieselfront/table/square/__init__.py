"""The square table: a board of squares that answers sight, range, reach and arcs exactly, with reasons."""

from __future__ import annotations

from dieselfront.table.square.board import SquareTable
from dieselfront.table.square.builder import BoardBuilder
from dieselfront.table.square.geometry import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    Arc,
    Facing,
    Place,
    Side,
    Size,
    Stance,
    mask_of,
    places_of,
)
from dieselfront.table.square.movers import Mover, Occupancy
from dieselfront.table.square.reach import End, Reach
from dieselfront.table.square.sight import Reason, Sight
from dieselfront.table.terrain import Column, TableError, TerrainKind, Wall, kinds_from, load_kinds

__all__ = [
    "EAST",
    "NORTH",
    "SOUTH",
    "WEST",
    "Arc",
    "BoardBuilder",
    "Column",
    "End",
    "Facing",
    "Mover",
    "Occupancy",
    "Place",
    "Reach",
    "Reason",
    "Side",
    "Sight",
    "Size",
    "SquareTable",
    "Stance",
    "TableError",
    "TerrainKind",
    "Wall",
    "kinds_from",
    "load_kinds",
    "mask_of",
    "places_of",
]
