"""Terrain of the open table: kinds as data, and what they cost whom (ff.area.*)."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from dieselfront.table.measured.movement import FREE, NO_ENTRY, Going
from dieselfront.table.measured.terrain import Cover, Sight, TerrainKind
from dieselfront.table.square import Mover

ROAD = "road"
LOW_WALL = "low_wall"
BUILDING = "building"
FORDS = ("river", "water")
SIGHTS = {"open": Sight.OPEN, "screen": Sight.SCREEN, "area": Sight.AREA, "blocks": Sight.BLOCKS}


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of terrain as the file tells it."""

    sight: str = "open"
    cover: str = "none"
    height: int = 0
    area: bool = True
    hill: bool = False
    climb: bool = False
    """May those on foot climb upon it (d47.babylon.plinth)?"""
    going: dict[str, str] = {}
    drawing: str = ""
    rules: dict[str, str] = {}

    def on_table(self, id: str) -> TerrainKind:
        """What the table knows of it; one grade of cover is all this game has."""
        grade = Cover.NONE if self.cover == "none" else Cover.HARD
        covers = self.area and grade is not Cover.NONE
        name = id.replace("_", " ").capitalize()
        return TerrainKind(
            id, name, SIGHTS[self.sight], grade, self.height, covers, self.hill, self.going, self.drawing or id
        )


def kinds_from(data: dict[str, Any]) -> dict[str, Kind]:
    """All kinds of a terrain file."""
    return {id: msgspec.convert(plain, Kind) for id, plain in data.items()}


def word(kind: Kind, id: str, mover: Mover) -> str:
    """What a kind of terrain is to a mover: ok, half, no or pass (ff.area.table, ff.open.swamp_rate)."""
    if id == LOW_WALL and not mover.crosses_low_walls:  # d47.terrain.low_wall_cross
        return "no"
    if id == BUILDING and mover.vehicle:  # hulls stay outside
        return "no"
    if mover.amphibious and "amphibious" in kind.going:  # ff.area.swamp
        return kind.going["amphibious"]
    return kind.going.get(mover.kind, kind.going.get("all", "ok"))


class Law:
    """What the ground is to one kind of mover: the cost of ways, and where it may not end."""

    __slots__ = ("going", "no_end", "slow")

    def __init__(self, kinds: dict[str, Kind], mover: Mover) -> None:
        flies = mover.flying or mover.kind == "aircraft"
        words = {id: word(kind, id, mover) for id, kind in kinds.items()}
        costs = {id: {"half": 2, "no": NO_ENTRY}.get(passage, 1) for id, passage in words.items()}
        walls = "closed" if mover.vehicle else "openings"  # only those on foot go through doors and windows
        self.going = FREE if flies else Going(costs, walls=walls)
        self.slow = () if flies else tuple(id for id, cost in costs.items() if cost > 1)
        air = mover.kind == "aircraft"  # ff.move.aircraft_free, ff.move.aircraft_above
        self.no_end = () if air else tuple(id for id, passage in words.items() if passage in ("no", "pass"))


@cache
def _law(kinds: _Frozen, mover: Mover) -> Law:
    return Law(kinds.kinds, mover)


class _Frozen:
    """Kinds as a key of a memory: the same dictionary is the same law."""

    def __init__(self, kinds: dict[str, Kind]) -> None:
        self.kinds = kinds

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Frozen) and other.kinds is self.kinds

    def __hash__(self) -> int:
        return id(self.kinds)


def law(kinds: dict[str, Kind], mover: Mover) -> Law:
    """The law of the ground for a mover, worked out once."""
    return _law(_Frozen(kinds), mover)
