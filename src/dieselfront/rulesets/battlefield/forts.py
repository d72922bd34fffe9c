"""Bunkers, strongpoints and trenches of Battlefield (bf.fort.*): close combat within 5 cm of a wall, the ways in.

What every Dust game on the open table knows of them is in dust_open/forts.py. Who defends because of them is described
in setup.py, burying them in engineering.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from dieselfront.forces import DustWeapon
from dieselfront.kernel.game import Play
from dieselfront.rulesets.battlefield.places import close
from dieselfront.rulesets.dust.shots import Shot
from dieselfront.rulesets.dust.state import DustState, Unit
from dieselfront.rulesets.dust1947.fortifications import BUNKER
from dieselfront.rulesets.dust_open.forts import (
    DEEP,
    DOORS,
    KINDS,
    WIDE,
    Fort,
    OpenForts,
    fort_at,
    fort_of,
    holds_against,
    in_bunker,
    is_at_wall,
    is_crossed,
    on_blind_side,
    parted,
)
from dieselfront.rulesets.dust_open.places import Point
from dieselfront.table.measured.shapes import Body

UPGRADE = 5  # bf.fort.cost: from the strongpoint of a unit to a bunker


def unseen(state: Any, mine: Body, body: Body, unit: Any, target: Any) -> tuple[str, str] | None:
    """Why a wall of a bunker hides one miniature from another (bf.fort.bunker_vision, bf.fort.strongpoint_vision)."""
    if on_blind_side(state, mine, body, unit, target):
        return "bf.fort.bunker_vision", "the target is on the blind side of a bunker"
    return None


def in_contact(state: DustState, ground: Any, one: Unit, other: Unit) -> bool | None:
    """Close combat past walls: at a strongpoint, or at the slit or doors of a bunker (bf.fort.cc_reach)."""
    mine, theirs = fort_of(state, one), fort_of(state, other)
    if mine == theirs:
        return None
    if mine is not None and theirs is not None:
        return False
    fort, outside = (mine, other) if mine is not None else (theirs, one)
    return any(at_the_wall(state, fort, body) for body in ground.bodies(state, outside))


def at_the_wall(state: DustState, fort: Fort, body: Body) -> bool:
    """Is a miniature within 5 cm of a place where those inside are fought?"""
    return is_at_wall(fort, body, close(state.table.measures))


def way_problem(state: DustState, unit: Unit, path: Sequence[Point]) -> str | None:
    """Why a way may not lead into or out of a fortification (bf.fort.bunker_walls, bf.fort.infantry_only)."""
    for fort in state.forts:
        if not fort.placed:
            continue
        for a, b in pairwise(path):
            crossed = [edge for edge in fort.edges() if is_crossed(a, b, edge)]
            if not crossed:
                continue
            if not unit.is_infantry:
                return "only infantry enters bunkers and strongpoints (bf.fort.infantry_only)"
            if fort.kind == BUNKER and any(edge != fort.edge(DOORS) for edge in crossed):
                return "the walls of a bunker are impassable; its doors are at the rear (bf.fort.bunker_walls)"
            if fort.kind == BUNKER and holds_against(state, fort, unit):
                return "an enemy holds the bunker (bf.fort.bunker_walls)"
    return None


def is_main(unit: Unit, weapon: DustWeapon) -> bool:
    """Is it the weapon that the crew serves, or the first one where none is marked so?"""
    lines = unit.card.weapons
    return weapon.crewed if any(line.crewed for line in lines) else lines[:1] == (weapon,)


class BattleForts(OpenForts):
    """Walls of concrete, walls of sandbags, and trenches (bf.fort.trench).

    The saves behind them are those of Dust 1947 (bf.fort.bunker_save, bf.fort.strongpoint_save,
    bf.fort.cc_save_bunker, bf.fort.cc_save_strongpoint).
    """

    placement = "bf.fort.placement"

    def refusal(self, play: Play, shot: Shot) -> tuple[str, str] | None:
        """Nothing inside a bunker fires at aircraft (bf.fort.no_aa)."""
        refusal = super().refusal(play, shot)
        return None if refusal is None else ("bf.fort.no_aa", refusal[1])

    def mount(self, play: Play, unit: Unit, weapon: DustWeapon) -> str | None:
        """The main weapon of a strongpoint unit fires 45 degrees to each side of a bunker's facing.

        bf.fort.main_weapon.
        """
        return (
            "front"
            if is_main(unit, weapon) and unit.has("Strongpoint") and in_bunker(play.state, unit)
            else weapon.mount
        )


__all__ = ["DEEP", "KINDS", "WIDE", "BattleForts", "Fort", "fort_at", "fort_of", "in_bunker", "parted"]
