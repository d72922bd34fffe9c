"""What a screen draws of a unit: bases and hulls at true size and heading, who leads, who carries what, and where a
unit is that does not stand on the table. The position as a whole is told by ruleset.py."""

from __future__ import annotations

from collections import Counter
from typing import Any

from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.cards import Man, UnitCard
from dieselfront.rulesets.konflikt47.state import GONE, TABLE, State, Unit

LEADERS = ("officer", "nco")
MARKED = ("medic", "gunner", "spotter", "observer", "handler", "character")


def unit_facts(unit: Unit) -> dict[str, Any]:
    """What its card says, for its silhouette: how it moves, how well it is armoured, what it carries."""
    card, vehicle = unit.card, unit.card.vehicle
    return {
        "armour": vehicle.armour if vehicle is not None else "",
        "locomotion": vehicle.mode if vehicle is not None else "",
        "nation": card.nation,
        "skills": list(card.rules),
        "weapons": list(dict.fromkeys(weapon.name for weapon in card.weapons)),
    }


def where_it_is(unit: Unit) -> dict[str, Any]:
    """Aboard whom, in which building and on which floor."""
    return {"carrier": unit.carrier, "building": unit.building, "floor": int(unit.notes.get("floor", 0))}


def order_dice(state: State) -> dict[str, Any]:
    """The cup: a die for every living unit, those without an order still in it (k47.turn.pool)."""
    alive = [sum(unit.side == side and unit.place != GONE for unit in state.units) for side in (0, 1)]
    return {"name": "In the cup", "left": list(state.cup()), "total": alive, "shared": True}


def models_view(unit: Unit) -> list[dict[str, Any]]:
    """Every model at its place, the leader and those with a weapon of their own marked as such."""
    shape = ground.shape_of(unit)
    common = rank_and_file(unit.card)
    return [
        {"x": body.x, "y": body.y, "base": shape.width, "name": unit.man(man).name, **marks_of(unit, man, common)}
        for man, body in zip(unit.men, unit.bodies, strict=False)
    ]


def marks_of(unit: Unit, man: int, common: tuple[int, ...]) -> dict[str, str]:
    """What sets a model apart: its part in the unit, and the weapon that most of the others do not carry."""
    model = unit.man(man)
    role = role_of(model)
    own = [index for index in model.weapons if index not in common]
    weapon = unit.weapon(own[-1]).name if own and not unit.is_vehicle else ""
    return ({"role": role} if role else {}) | ({"weapon": weapon} if weapon else {})


def role_of(model: Man) -> str:
    if any(model.is_a(role) for role in LEADERS):
        return "leader"
    return next((role for role in MARKED if model.is_a(role)), "")


def rank_and_file(card: UnitCard) -> tuple[int, ...]:
    """The weapons that most models of a squad carry; nobody's where every model stands alone."""
    carried = Counter(man.weapons for man in card.men if man.weapons)
    weapons, count = carried.most_common(1)[0] if carried else ((), 0)
    return weapons if count > 1 else ()


def hull_view(unit: Unit) -> dict[str, Any]:
    """A vehicle's hull or an artillery unit's gun, where it stands and which way it looks."""
    shown: dict[str, Any] = {}
    if unit.is_vehicle and unit.bodies:
        body, shape = unit.bodies[0], ground.shape_of(unit)
        place = {"x": body.x, "y": body.y, "heading": body.heading}
        shown["hull"] = {**place, "length": shape.length, "width": shape.width}
    if unit.gun is not None and unit.place == TABLE:
        gun = unit.gun
        shown["gun"] = {"x": gun.x, "y": gun.y, "base": gun.shape.width, "heading": unit.heading}
    return shown
