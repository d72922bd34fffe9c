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
from dieselfront.rulesets.warfare.throws import combat, inverted
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.terrain import Cover

MM = 25.4
ARC_DEGREES = 45
SQUAD_WIDTH = 30.0
MOST_KNOWN = 20_000

Point = tuple[float, float]
Group = tuple[int, int, bool, int]
"""Dice and damage of equal weapons; are their dice inverted; how many more for each HIT."""
Volley = tuple[Group, ...]


class Fire(NamedTuple):
    """What an attack comes to: points of damage, the chance of the end, the chance of any HIT."""

    losses: float
    destroyed: float
    hit: float


NO_FIRE = Fire(0.0, 0.0, 0.0)


@lru_cache(maxsize=20_000)
def volley(groups: Volley, armor: int, cover: int, capacity: int, sustained: bool) -> Fire:
    """The exact result of groups of dice against armor and cover; equal ones are worked out once."""
    plain = combat("attack", "dw.attack.roll", rerolls="dw.action.sustained_attack" if sustained else "")
    turned = inverted(plain, "dw.dice.invert", "inverted")
    armed = [
        plans.Group("attack", dice, turned if is_inverted else plain, damage, extra)
        for dice, damage, is_inverted, extra in groups
    ]
    roll = combat("armor", "dw.armor_roll") if armor else None
    plan = plans.attack_plan("attack", armed, plans.Defence(Cover(cover), armor, roll, 0, capacity))
    odds = exact.evaluate(plan)
    return Fire(odds.mean_losses, odds.destroyed, 1.0 - odds.hits[0])


class Arm(NamedTuple):
    """A kind of weapon as it works against a class of targets."""

    range: int
    least: int
    is_close: bool
    arc: str
    dice: int
    damage: int
    is_inverted: bool = False
    extra: int = 0
    no_armor: bool = False
    no_cover: bool = False


INVERTED = ("Inverted", "Rocket Punch")
NO_ARMOR = ("Phaser",)
NO_COVER = ("Burst", "Grenades")


class Arms:
    """The weapons a unit has left, and what they do against each class, worked out once."""

    __slots__ = ("_against", "_reach", "extra", "is_sniping", "is_spotting", "kept", "weapons")

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
        self.kept = (unit.figures, unit.weapons)  # they must live as long as they are known by their id
        self.is_sniping = unit.has("Sniper")
        self.is_spotting = unit.has("Spotter")
        self.extra = int(unit.has("Frenzy"))
        self._against: dict[tuple[str, int], tuple[Arm, ...]] = {}
        self._reach: dict[tuple[str, int], int] = {}

    def against(self, column: str, figures: int) -> tuple[Arm, ...]:
        """What works against a class of so many figures."""
        key = (column, figures)
        arms = self._against.get(key)
        if arms is None:
            arms = self._against[key] = tuple(
                Arm(
                    weapon.range, weapon.min_range, weapon.close, weapon.arc or "",
                    (cell.spray * figures if cell.spray else cell.dice) * count, cell.damage,
                    any(map(weapon.has, INVERTED)) or (self.is_spotting and not weapon.close),
                    self.extra + weapon.has("Laser"),
                    self.is_sniping or any(map(weapon.has, NO_ARMOR)),
                    self.is_sniping or any(map(weapon.has, NO_COVER)),
                )
                for weapon, count in self.weapons
                if (cell := weapon.cells.get(column)) is not None and (cell.spray or cell.dice)
            )  # fmt: skip
        return arms

    def reach(self, column: str, figures: int) -> int:
        """The longest range of a weapon that can hurt such a target."""
        key = (column, figures)
        inches = self._reach.get(key)
        if inches is None:
            inches = self._reach[key] = max((arm.range for arm in self.against(column, figures)), default=0)
        return inches


_known: dict[tuple[object, ...], Arms] = {}


def arms_of(unit: Unit) -> Arms:
    """The weapons of a unit; copies of it share them until it loses something."""
    key = (id(unit.figures), id(unit.weapons), tuple(unit.men), unit.broken, unit.spent, unit.empty, unit.abilities)
    arms = _known.get(key)
    if arms is None:
        if len(_known) > MOST_KNOWN:
            _known.clear()
        arms = _known[key] = Arms(unit)
    return arms


def fire(
    unit: Unit, target: Unit, inches: float, cover: int = 0, sustained: bool = False, heading: float | None = None,
    bearing: float = 0.0, rear: bool = False, arms: Arms | None = None,
) -> Fire:  # fmt: skip
    """What a unit's attack on another does from so many inches away; `heading` and `bearing` matter to guns with an
    arc, `rear` is an attack from behind a vehicle."""
    column = target.card.armor_class
    if target.is_aircraft and not target.is_high:
        column = f"V{target.armor}"
    ranged: list[Arm] = []
    close: list[Arm] = []
    for arm in (arms or arms_of(unit)).against(column, len(target.men)):
        if inches > arm.range + 0.01 or inches < arm.least:
            continue
        if arm.arc == "front" and heading is not None and turned(heading, bearing) > ARC_DEGREES:
            continue
        (close if arm.is_close else ranged).append(arm)
    capacity = target.points_left
    armor = 0 if rear else target.armor
    best = NO_FIRE
    if ranged and capacity > 0:
        best = _volley_of(ranged, armor, cover, capacity, sustained)
    if close and capacity > 0:
        other = _volley_of(close, armor, 0, capacity, sustained)
        if other.losses > best.losses:
            return other
    return best


def _volley_of(arms: Sequence[Arm], armor: int, cover: int, capacity: int, sustained: bool) -> Fire:
    """A weapon that armor or cover does not stop makes them void for the whole attack (dw.open.whole_attack_scope)."""
    groups = tuple(sorted((arm.dice, arm.damage, arm.is_inverted, arm.extra) for arm in arms))
    if any(arm.no_armor for arm in arms):
        armor = 0
    if any(arm.no_cover for arm in arms):
        cover = 0
    return volley(groups, armor, cover, capacity, sustained)


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
    return unit.bodies[0].shape.width / 2 if len(unit.bodies) == 1 else SQUAD_WIDTH


class Scene:
    """Who stands where with what, read once for a decision."""

    def __init__(self, state: State) -> None:
        self.state = state
        there = [unit for unit in state.units if unit.place == TABLE and unit.bodies]
        self.centres: dict[str, Point] = {unit.id: centre(unit) for unit in there}
        self.sides: tuple[Sequence[Unit], Sequence[Unit]] = (
            [unit for unit in there if unit.side == 0],
            [unit for unit in there if unit.side == 1],
        )
        self._widths: dict[str, float] = {unit.id: width(unit) for unit in there}
        self.machines = [unit for unit in there if unit.is_machine]
        self._arms: dict[str, Arms] = {}

    def inches(self, unit: Unit, at: Point, other: Unit) -> float:
        """Base to base between a unit standing at a point and another where it is."""
        widths = self._widths
        own = widths.get(unit.id, SQUAD_WIDTH)
        return max(0.0, (math.dist(at, self.centres[other.id]) - own - widths[other.id]) / MM)

    def hulls(self, *besides: Unit) -> list[Body]:
        """Vehicles and low aircraft that could block sight, wherever they stand now."""
        machines = [unit for unit in self.machines if unit not in besides and not unit.is_high]
        return [unit.bodies[0] for unit in machines if unit.bodies]

    def half_width(self, unit: Unit) -> float:
        """Half the room a unit takes, in millimetres."""
        return self._widths.get(unit.id, SQUAD_WIDTH)

    def arms(self, unit: Unit) -> Arms:
        """The weapons a unit has left."""
        arms = self._arms.get(unit.id)
        if arms is None:
            arms = self._arms[unit.id] = arms_of(unit)
        return arms

    def reach(self, unit: Unit, target: Unit) -> int:
        """The longest range of a weapon that can hurt a target."""
        return self.arms(unit).reach(target.card.armor_class, len(target.men))

    def is_behind(self, at: Point, target: Unit) -> bool:
        """Is a point in the rear arc of a vehicle?"""
        if not target.is_vehicle:
            return False
        return turned((target.heading + 180) % 360, bearing_of(self.centres[target.id], at)) < ARC_DEGREES


__all__ = ["NO_FIRE", "Fire", "Point", "Scene", "arms_of", "bearing_of", "centre", "fire", "turned", "volley"]
