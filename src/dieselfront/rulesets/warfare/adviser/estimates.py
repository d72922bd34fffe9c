"""Quick estimates: what a unit's fire does at a distance, from the same plans that play rolls, kept by their numbers.

Nobody's sight is asked here; plans.py asks it where a plan depends on it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from dieselfront.odds import exact
from dieselfront.rulesets.warfare import plans
from dieselfront.rulesets.warfare.state import TABLE, State, Unit
from dieselfront.rulesets.warfare.throws import combat
from dieselfront.table.measured.terrain import Cover

MM = 25.4
CLOSE_REACH = 3
ARC_DEGREES = 45
ARTILLERY_BLIND = 12

Point = tuple[float, float]
Volley = tuple[tuple[int, int], ...]
"""Dice and damage of every group of weapons."""


class Fire(NamedTuple):
    """What an attack comes to: points of damage, the chance of the end, the chance of any HIT."""

    losses: float
    destroyed: float
    hit: float


NO_FIRE = Fire(0.0, 0.0, 0.0)


@lru_cache(maxsize=20_000)
def volley(groups: Volley, armor: int, cover: int, capacity: int, sustained: bool) -> Fire:
    """The exact result of groups of dice against armor and cover; equal ones are worked out once."""
    throw = combat("attack", "dw.attack.roll", rerolls="dw.action.sustained_attack" if sustained else "")
    armed = [plans.Group("attack", dice, throw, damage) for dice, damage in groups]
    roll = combat("armor", "dw.armor_roll") if armor else None
    plan = plans.attack_plan("attack", armed, plans.Defence(Cover(cover), armor, roll, 0, capacity))
    odds = exact.evaluate(plan)
    return Fire(odds.mean_losses, odds.destroyed, 1.0 - odds.hits[0])


@lru_cache(maxsize=4_000)
def _arms(unit_key: tuple[object, ...], column: str, figures: int) -> tuple[tuple[int, int, bool, str, int, int], ...]:
    """(range, minimum, close, arc, dice, damage) of each weapon that works against a class."""
    unit = unit_key[-1]
    assert isinstance(unit, _Armed)
    arms = []
    for weapon, count in unit.weapons:
        cell = weapon.cells.get(column)
        if cell is not None:
            dice = (cell.spray * figures if cell.spray else cell.dice) * count
            arms.append((weapon.range, weapon.min_range, weapon.close, weapon.arc or "", dice, cell.damage))
    return tuple(arms)


class _Armed:
    """The weapons a unit has left; equal only to itself."""

    def __init__(self, unit: Unit) -> None:
        counts: dict[int, int] = {}
        for man in unit.men:
            for place, index in enumerate(unit.carried(man)):
                if (man, place) not in unit.broken and (man, place) not in unit.spent:
                    counts[index] = counts.get(index, 0) + 1
        self.weapons = [
            (unit.weapons[index], count)
            for index, count in counts.items()
            if unit.weapons[index].reach != "bomb" and index not in unit.empty
        ]


_known: dict[tuple[object, ...], _Armed] = {}


def _armed(unit: Unit) -> tuple[object, ...]:
    key = (unit.card.id, len(unit.figures), tuple(unit.men), unit.broken, unit.spent, unit.empty)
    armed = _known.get(key)
    if armed is None:
        if len(_known) > 20_000:
            _known.clear()
        armed = _known[key] = _Armed(unit)
    return (*key, armed)


def fire(
    unit: Unit, target: Unit, inches: float, cover: int = 0, sustained: bool = False, heading: float | None = None,
    bearing: float = 0.0, rear: bool = False,
) -> Fire:  # fmt: skip
    """What a unit's attack on another does from so many inches away; `heading` and `bearing` matter to guns with an
    arc, `rear` is an attack from behind a vehicle."""
    column = target.card.armor_class
    if target.is_aircraft and not target.is_high:
        column = f"V{target.armor}"
    ranged: list[tuple[int, int]] = []
    close: list[tuple[int, int]] = []
    for reach, least, is_close, arc, dice, damage in _arms(_armed(unit), column, len(target.men)):
        if not dice or inches > reach + 0.01 or inches < least:
            continue
        if arc == "front" and heading is not None and turned(heading, bearing) > ARC_DEGREES:
            continue
        (close if is_close else ranged).append((dice, damage))
    armor = 0 if rear else target.armor
    capacity = target.points_left
    best = NO_FIRE
    if ranged and capacity > 0:
        best = volley(tuple(sorted(ranged)), armor, cover, capacity, sustained)
    if close and capacity > 0:
        other = volley(tuple(sorted(close)), armor, 0, capacity, sustained)
        if other.losses > best.losses:
            return other
    return best


def reach_of(unit: Unit, target: Unit) -> int:
    """The longest range of a weapon that can hurt a target."""
    column = target.card.armor_class
    return max((arm[0] for arm in _arms(_armed(unit), column, len(target.men)) if arm[4]), default=0)


def turned(heading: float, bearing: float) -> float:
    """Degrees between two directions."""
    return abs((bearing - heading + 180) % 360 - 180)


def bearing_of(start: Point, end: Point) -> float:
    """The direction from one point to another, in degrees from north."""
    return math.degrees(math.atan2(end[0] - start[0], start[1] - end[1])) % 360


def centre(unit: Unit) -> Point:
    """The middle of its miniatures."""
    bodies = unit.bodies
    if len(bodies) == 1:
        return (bodies[0].x, bodies[0].y)
    return (sum(body.x for body in bodies) / len(bodies), sum(body.y for body in bodies) / len(bodies))


def width(unit: Unit) -> float:
    """Half the room a unit takes, in millimetres."""
    return unit.bodies[0].shape.width / 2 if len(unit.bodies) == 1 else 30.0


class Scene:
    """Who stands where, read once for a decision."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.centres: dict[str, Point] = {unit.id: centre(unit) for unit in state.units if unit.place == TABLE}
        self.sides: tuple[Sequence[Unit], Sequence[Unit]] = (state.on_table(0), state.on_table(1))

    def inches(self, unit: Unit, at: Point, other: Unit) -> float:
        """Base to base between a unit standing at a point and another where it is."""
        far = math.dist(at, self.centres[other.id]) - width(unit) - width(other)
        return max(0.0, far / MM)

    def is_behind(self, at: Point, target: Unit) -> bool:
        """Is a point in the rear arc of a vehicle?"""
        if not target.is_vehicle:
            return False
        return turned((target.heading + 180) % 360, bearing_of(self.centres[target.id], at)) < ARC_DEGREES


__all__ = ["NO_FIRE", "Fire", "Point", "Scene", "bearing_of", "centre", "fire", "reach_of", "turned", "volley"]
