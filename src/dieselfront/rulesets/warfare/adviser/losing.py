"""Who falls, which weapon is lost, who leads: what a figure or a weapon is worth against the enemies that are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dieselfront.rulesets.warfare.adviser.estimates import volley
from dieselfront.rulesets.warfare.profiles import against
from dieselfront.rulesets.warfare.state import Unit

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.adviser.plans import Planner
    from dieselfront.rulesets.warfare.unit_cards import WarfareWeapon

HERO, LEADER, ROLE = 100.0, 2.0, 0.6
"""Points that a hero, the leader and a role on the card are missed by."""
SELDOM = 0.04
"""A weapon's plain strength counts so much beside what it does to the enemies that are there."""
ONLY = 0.2
"""The share of an enemy's points that the only one is missed by who could hurt him."""
MOSTLY = 0.4
"""From such a share of a unit's power against an enemy on it hangs on one man."""
NEAR = 1.2
"""Within so many times its range a weapon is as good as in range."""
BARE = 0.6
"""The share left of a weapon whose enemies are farther away."""


def missed(planner: Planner, unit: Unit, man: int) -> float:
    """How much a figure is missed."""
    figure = unit.figures[man]
    led = HERO if figure.is_hero else LEADER if man == unit.leader else 0.0
    roles = figure.card.soldiers[figure.number].roles if figure.number < len(figure.card.soldiers) else ()
    arms = [place for place in range(len(unit.carried(man))) if (man, place) not in unit.broken]
    served = set(figure.guns)
    own = [place for place in arms if unit.carried(man)[place] not in served]  # the next of a crew takes over its gun
    worth = sum(weapon_worth(planner, unit, man, place) for place in own)
    return led + ROLE * len(roles) + worth + _alone_against(planner, unit, man)


def _alone_against(planner: Planner, unit: Unit, man: int) -> float:
    """Enemies whom the others could hardly hurt without him."""
    worth = 0.0
    for enemy in planner.scene.sides[1 - unit.side]:
        column = enemy.card.armor_class
        power = {one: sum(_power(unit.weapons[i], column) for i in unit.carried(one)) for one in {*unit.men, man}}
        share = power[man] / (sum(power.values()) or 1.0)
        if share > MOSTLY:
            worth += ONLY * enemy.ap * share
    return worth


def _power(weapon: WarfareWeapon, column: str) -> float:
    """Dice times damage against a class of targets."""
    cell = against(weapon, column)
    return 0.0 if cell is None else float(max(cell.dice, 3 * cell.spray) * cell.damage)


def weapon_worth(planner: Planner, unit: Unit, man: int, place: int) -> float:
    """Points that a weapon may bring: its best shot at an enemy that is there, and a little for its strength."""
    index = unit.carried(man)[place]
    weapon = unit.weapons[index]
    best = 0.0
    at = planner.here(unit)[0] if unit.bodies else None
    for enemy in planner.scene.sides[1 - unit.side]:
        inches = planner.scene.inches(unit, at, enemy) if at is not None else 0.0
        near = 1.0 if inches <= NEAR * weapon.range + unit.card.move else BARE
        best = max(best, near * _shot(planner, weapon, enemy))
    return best + SELDOM * strength(weapon)


def _shot(planner: Planner, weapon: WarfareWeapon, enemy: Unit) -> float:
    """What it does to one enemy by itself."""
    column = enemy.card.armor_class
    if enemy.is_aircraft and not enemy.is_high:
        column = f"V{enemy.armor}"
    cell = against(weapon, column)
    if cell is None or not enemy.points_left:
        return 0.0
    dice = cell.spray * len(enemy.men) if cell.spray else cell.dice
    inverted = weapon.has("Inverted") or weapon.has("Rocket Punch")
    armor = 0 if weapon.has("Phaser") else enemy.armor
    extra = int(weapon.has("Laser"))
    expected = volley(((dice, cell.damage, inverted, extra),), armor, 0, enemy.points_left, False)
    bare = volley(((dice, cell.damage, inverted, extra),), 0, 0, enemy.points_left, False)
    return planner.gain(enemy, expected) + 0.3 * planner.gain(enemy, bare)


def strength(weapon: WarfareWeapon) -> float:
    """Dice times damage, at its best."""
    return max((max(cell.dice, 3 * cell.spray) * cell.damage for cell in weapon.cells.values()), default=0)


__all__ = ["missed", "strength", "weapon_worth"]
