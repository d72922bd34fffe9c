"""Dangers on the way: what mines, wire and burning wrecks cost who walks through them (d47.mines.*, d47.wire.*)."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.adviser.field import Field

WIRE, MINES, FIRE = "wire", "minefield", "burning_wreck"
KINDS = (WIRE, MINES, FIRE)

STRUCK = 1 / 3
"""The chance that a mine, or the fire of a wreck, hits a man or a vehicle."""

THROUGH = 1 / 3
"""The chance that men get through wire."""


class Toll(NamedTuple):
    """What a way takes: points lost on average, the chance of the unit's end, and the chance to get through."""

    points: float
    ends: float
    through: float


FREE = Toll(0.0, 0.0, 1.0)


def has_hazards(field: Field) -> bool:
    """Is there anything on the table that hurts or holds who walks through it?"""
    kinds = field.table.masks_by_kind()
    return any(kind in kinds for kind in KINDS)


def toll(field: Field, unit: Unit, reach: Any, end: Any) -> Toll:
    """What the way to an end takes from a unit."""
    if unit.is_aircraft:
        return FREE
    met = kinds_met(field, unit, reach, end)
    if not met:
        return FREE
    points, ends, through = 0.0, 0.0, 1.0
    for kind in met:
        if kind == WIRE:
            through *= THROUGH if unit.is_infantry else 1.0
            continue
        lost, gone = _blast(field, unit, 2 if kind == MINES and unit.is_vehicle else 1)
        points += (1.0 - ends) * lost
        ends += (1.0 - ends) * gone
    return Toll(points, ends, through)


def kinds_met(field: Field, unit: Unit, reach: Any, end: Any) -> list[str]:
    """The hazards on a way, each piece once, and those that a unit steps out of."""
    entered = reach.hazards(end)
    table = field.table
    if field.play.rules.table == "measured":
        return [table.land.piece(name).kind.id for name in dict.fromkeys(entered)]
    kinds: dict[str, None] = {}
    moved = bool(reach.path(end))
    start = unit.where if moved and not reach.mover.flying else ()
    for place in (*start, *entered):
        for kind in KINDS:
            if table.has(place, kind) and (kind != FIRE or place not in start):
                kinds[kind] = None
    return list(kinds)


def _blast(field: Field, unit: Unit, damage: int) -> tuple[float, float]:
    """Points that one die a miniature takes on average, and the chance of the end."""
    part = unit.fighters()[0]
    left = part.left
    if left < 1:
        return 0.0, 0.0
    if part.squad:
        odds = [math.comb(left, hits) * STRUCK**hits * (1.0 - STRUCK) ** (left - hits) for hits in range(left + 1)]
        return field.fire.worth(unit, odds)
    taken = min(damage, left)
    odds = [0.0] * (left + 1)
    odds[0], odds[taken] = 1.0 - STRUCK, STRUCK
    return field.fire.worth(unit, odds)


__all__ = ["FREE", "Toll", "has_hazards", "kinds_met", "toll"]
