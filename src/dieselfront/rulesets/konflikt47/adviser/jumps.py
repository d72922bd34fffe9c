"""Jumps of walkers: straight on at the Run rate, over everything (k47.vehicle.jump)."""

from __future__ import annotations

from typing import Any

from dieselfront.rulesets.konflikt47.adviser.worth import Judge
from dieselfront.rulesets.konflikt47.state import Unit
from dieselfront.table.measured.movement import ahead_of
from dieselfront.table.measured.shapes import Body

JUMP = "jump"
SHARES = (20, 18, 16, 14, 12, 9)  # twentieths of the way


def jumps(judge: Judge, unit: Unit, order: str) -> list[tuple[Any, Body]]:
    """Where it may land."""
    if not unit.jumps:
        return []
    region: Any = judge.rules.movement.region(judge.state, unit, order, JUMP)
    landings = []
    for share in SHARES:
        end = ahead_of(region.body, region.limits.ahead * share // 20)
        path = ((end.x, end.y, region.body.heading),)
        if region.why_not(path) is None:
            landings.append((path, end))
    return landings


__all__ = ["JUMP", "jumps"]
