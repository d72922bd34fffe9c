"""Aircraft at a quick glance: fly on or hover, and which way to look; what a closer look decides is tried on copies."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dieselfront.rulesets.warfare.adviser.intent import Spot
from dieselfront.rulesets.warfare.state import Unit

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.adviser.plans import Planner

FLY_ON, HOVER = "fly on", "hover"
MM = 25.4
TURNS = (0, -20, 20, -45, 45, -70, 70, -90, 90)


def ahead(planner: Planner, unit: Unit) -> Spot | None:
    """Where the compulsory move ends, None off the table."""
    body = unit.bodies[0]
    bearing = math.radians(body.heading)
    far = unit.card.move * MM
    x, y = body.x + math.sin(bearing) * far, body.y - math.cos(bearing) * far
    table = planner.state.table
    room = body.radius / 10
    inside = room < x < table.width - room and room < y < table.depth - room
    return ((x, y), float(body.heading)) if inside else None


def flies_on(planner: Planner, unit: Unit) -> bool:
    """Does it find more to shoot at where the compulsory move takes it than by turning on the spot?"""
    end = ahead(planner, unit)
    if end is None:
        return False
    here = planner.here(unit)[0]
    turned = (here, float(unit.heading + best_turn(planner, unit)))
    return planner.best_fire(unit, end)[0] > planner.best_fire(unit, turned)[0]


def best_turn(planner: Planner, unit: Unit) -> int:
    """The turn on the spot after which it can do most."""
    here = planner.here(unit)[0]
    worth = {turn: planner.best_fire(unit, (here, float((unit.heading + turn) % 360)))[0] for turn in TURNS}
    return max(TURNS, key=lambda turn: (worth[turn], -abs(turn)))


__all__ = ["FLY_ON", "HOVER", "best_turn", "flies_on"]
