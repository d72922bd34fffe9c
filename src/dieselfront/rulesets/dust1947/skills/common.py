"""What several skills need: uses once per game, who pilots, who leads."""

from __future__ import annotations

from dieselfront.rulesets.dust.state import Part, Unit


def is_spent(unit: Unit, name: str) -> bool:
    """Has the unit used up a once-per-game skill? Hero and unit use it together (d47.skill.once_per_game_joint)."""
    return any(name in part.spent for part in unit.parts)


def spend(unit: Unit, name: str) -> None:
    """Use up a once-per-game skill for all parts of the unit."""
    for part in unit.parts:
        part.spent += (name,)


def part_of(unit: Unit, card: str) -> Part | None:
    """The part of a unit with this card."""
    return next((part for part in unit.parts if part.card.id == card), None)


def is_pilot(unit: Unit, card: str) -> bool:
    """Does the hero with this card pilot the unit?"""
    return any(part.role == "pilot" and part.card.id == card for part in unit.parts)


def protected_leaders(unit: Unit) -> tuple[tuple[str, int], ...]:
    """Squad leaders who may not be picked out; a joined hero leads in their place (d47.open.squad_leader_combined)."""
    parts = unit.fighters()
    if any(part.card.kind == "hero" and part.left > 0 for part in parts):
        return ()
    return tuple(
        (part.card.id, soldier)
        for part in parts
        if part.squad
        for soldier in part.alive
        if "leader" in part.card.soldiers[soldier].roles
    )
