"""Terrain kinds and small helpers for the tests of the square table."""

from __future__ import annotations

from collections.abc import Iterable

from dieselfront.table.square import BoardBuilder, Mover, Occupancy, Place, SquareTable, kinds_from, mask_of

ON_LEGS = ["infantry", "walker"]

KINDS = kinds_from(
    {
        "silo": {"sight": "all", "passable": [], "stoppable": [], "corner": True, "symbol": "S"},
        "rubble": {"cover": True, "passable": ON_LEGS, "stoppable": ON_LEGS, "symbol": "r"},
        "trees": {"sight": "all", "cover": True, "height": 1, "symbol": "t"},
        "tall-trees": {"sight": "all", "cover": True, "height": 2, "symbol": "T"},
        "smoke": {"sight": "all", "cover": True, "symbol": "s"},
        "hut": {"sight": "low", "height": 1, "passable": [], "stoppable": [], "corner": True, "symbol": "h"},
        "crate": {"cover": True, "object_cover": True, "symbol": "c"},
        "wreck": {
            "sight": "all",
            "cover": True,
            "height": 1,
            "passable": ON_LEGS,
            "stoppable": ["infantry"],
            "symbol": "x",
        },
        "mud": {"halves": True, "symbol": "m"},
        "road": {"road": True, "symbol": "="},
        "water": {
            "water": True,
            "passable": ["naval", "amphibious"],
            "stoppable": ["naval", "amphibious"],
            "symbol": "~",
        },
        "swamp": {
            "passable": [*ON_LEGS, "amphibious"],
            "stoppable": [*ON_LEGS, "amphibious"],
            "symbol": "w",
        },
        "wire": {"hazard": True, "hazard_for": ["infantry"], "symbol": "#"},
        "mines": {"hazard": True, "symbol": "*"},
        "building": {"indoor": True, "cover": True, "symbol": "B"},
        "plinth": {
            "sight": "all",
            "height": 1,
            "climb": True,
            "passable": [],
            "stoppable": [],
            "corner": True,
            "symbol": "P",
        },
    },
    where="test kinds",
)

SQUAD = Mover("infantry")
FLYERS = Mover("infantry", flying=True)
WALKER = Mover("walker", vehicle=True)
TANK = Mover("tracked", vehicle=True)
TRUCK = Mover("wheeled", vehicle=True, crosses_low_walls=False)
LARGE_TANK = Mover("tracked", "large", vehicle=True)
HUGE_WALKER = Mover("walker", "huge", vehicle=True)
PLANE = Mover("aircraft", vehicle=True)
LARGE_PLANE = Mover("aircraft", "large", vehicle=True)

NOBODY = Occupancy()


def board(*pieces: str, width: int = 12, height: int = 9) -> SquareTable:
    """A board with some pieces told in words."""
    return BoardBuilder(width, height, KINDS).pieces(pieces).build()


def at(table: SquareTable, names: str) -> int:
    """The mask of some squares by name."""
    return mask_of(table.square(name) for name in names.split())


def named(table: SquareTable, places: Iterable[Place]) -> list[str]:
    """Names of places, in order."""
    return [table.name(place) for place in places]
