"""Before the battle: whom a hero joins, who is set up next and where.

Units stand apart and in cover, near objectives and what they can hurt; those with short weapons stand in front.
"""

from __future__ import annotations

import math
from typing import Any

from dieselfront.rulesets.warfare.adviser.plans import Planner
from dieselfront.rulesets.warfare.state import Unit

COLUMNS, ROWS = 15, 3
APART = 260.0
"""Millimetres between the middles of two units that stand comfortably."""
CROWDED, ASIDE, FORWARD = 0.3, 0.03, 0.05
"""Shares of a unit's points: standing on somebody's toes, at the far end of the zone, and in front."""
SHORT = 16
"""Weapons up to this range, in inches, belong in front."""
PACE = 3.0
"""Points that an inch of difference in Move costs whoever joins."""


def best_squad(planner: Planner, hero: Unit, options: Any) -> Any:
    """Heroes go with the strongest squad that keeps up with them, rather not with one that stays behind to command;
    alone, they draw all the fire."""
    joins = [option for option in options if option is not None and option[0] == "join"]

    def fit(option: Any) -> float:
        squad = planner.state.unit(option[1])
        return squad.ap * (0.5 if squad.card.may_command else 1.0) - PACE * abs(squad.card.move - hero.card.move)

    return max(joins, key=fit, default=None)


def next_to_place(planner: Planner, options: Any) -> Any:
    """The cheapest first: whoever matters more sees more of the enemy before he has to choose."""
    placed = [option for option in options if option[0] == "place"]
    return min(placed, key=lambda option: planner.state.unit(option[1]).ap, default=None)


def best_spot(planner: Planner, unit: Unit, region: Any) -> Any:
    """The best of some places all over the zone that is free."""
    low_x, low_y, high_x, high_y = region.box
    spots = [
        (
            round(low_x + (column + 0.5) * (high_x - low_x) / COLUMNS),
            round(low_y + (row + 0.5) * (high_y - low_y) / ROWS),
        )
        for row in range(ROWS)
        for column in range(COLUMNS)
    ]
    spots.sort(key=lambda at: -_worth(planner, unit, region, at))
    answers = ((x, y, region.facing) for x, y in spots)
    return next((answer for answer in answers if region.why_not(answer) is None), None)


def _worth(planner: Planner, unit: Unit, region: Any, at: tuple[int, int]) -> float:
    friends = [planner.scene.centres[one.id] for one in planner.scene.sides[unit.side]]
    nearest = min((math.dist(at, centre) for centre in friends), default=APART)
    value = planner.stand(unit, (at, float(region.facing)))
    value -= CROWDED * unit.ap * max(0.0, 1.0 - nearest / APART)
    aside, forward = _zone_share(region, at)
    if _longest(planner, unit) <= SHORT:
        value += FORWARD * unit.ap * forward
    return value - ASIDE * unit.ap * aside


def _zone_share(region: Any, at: tuple[int, int]) -> tuple[float, float]:
    """How far to the side of the zone (0 to 1) and how far in front (0 to 1) a place lies."""
    low_x, low_y, high_x, high_y = region.box
    across = 2.0 * (at[0] - low_x) / (high_x - low_x) - 1.0
    down = 2.0 * (at[1] - low_y) / (high_y - low_y) - 1.0
    east, south = math.sin(math.radians(region.facing)), -math.cos(math.radians(region.facing))
    forward = across * east + down * south
    aside = abs(down if abs(east) > abs(south) else across)
    return aside, (forward + 1.0) / 2.0


def _longest(planner: Planner, unit: Unit) -> int:
    return max((weapon.range for weapon, _ in planner.scene.arms(unit).weapons), default=0)


__all__ = ["best_spot", "best_squad", "next_to_place"]
