"""Movers: what matters about a unit when it moves, and who stands in its way (d47.move.*)."""

from __future__ import annotations

import msgspec

from dieselfront.table.square.geometry import Size
from dieselfront.table.terrain import AMPHIBIOUS, Wall

GraphKey = tuple[str, str, bool, bool, bool, bool, tuple[str, ...]]


class Mover(msgspec.Struct, frozen=True):
    """What matters about a unit when it moves."""

    kind: str
    size: Size = "standard"
    flying: bool = False
    amphibious: bool = False
    crosses_low_walls: bool = True
    through_enemies: bool = False
    vehicle: bool = False
    shares: bool = False
    """May end its movement on a friend's square."""
    spares: tuple[str, ...] = ()
    """Kinds of terrain that it would ruin: of equally good ways the one over the fewest such squares is taken."""


class Occupancy:
    """Who stands where, as bitmasks over places."""

    __slots__ = ("aircraft", "enemies", "friend_vehicles", "friends", "sight_blockers")

    def __init__(
        self,
        friends: int = 0,
        friend_vehicles: int = 0,
        enemies: int = 0,
        aircraft: int = 0,
        sight_blockers: int = 0,
    ) -> None:
        self.friends = friends | friend_vehicles
        self.friend_vehicles = friend_vehicles
        self.enemies = enemies
        self.aircraft = aircraft
        self.sight_blockers = sight_blockers


def graph_key(mover: Mover) -> GraphKey:
    """Everything about a mover that its step graph depends on."""
    return (
        mover.kind,
        mover.size,
        mover.flying,
        mover.amphibious,
        mover.crosses_low_walls,
        mover.vehicle,
        mover.spares,
    )


def may(mover: Mover, allowed: tuple[str, ...]) -> bool:
    """Whether a list of mover kinds includes this mover."""
    return mover.kind in allowed or (mover.amphibious and AMPHIBIOUS in allowed)


def crosses(mover: Mover, wall: Wall | None) -> bool:
    """Whether a mover gets across the edge: over a low wall, or through an opening of a high one that it fits through.

    d47.terrain.high_wall, d47.terrain.opening_small, d47.terrain.opening_large, d47.terrain.opening_huge,
    d47.open.large_opening_large_vehicle, d47.terrain.low_wall_cross.
    """
    if wall is None:
        return True
    if wall.opening == "huge" or (wall.opening == "large" and mover.size != "huge"):
        return True
    if wall.opening == "small" and not mover.vehicle:
        return True
    return wall.kind == "low" and mover.crosses_low_walls
