"""Cards for abilities and weapon rules that no shipped card prints, each made so that the rule can come to use."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from dieselfront.forces.skills import SkillRef
from dieselfront.rulesets.warfare.unit_cards import DamageCell, WarfareCard, WarfareWeapon

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare

ENERGY = ("Phaser", "Laser", "Tesla")
STURDY = 15
"""Damage that a vehicle takes which has to be damaged first and then to do something about it."""
AGAINST_AIRCRAFT = {f"A{armor}": DamageCell(2, 0, 1) for armor in range(1, 8)}

BASES: dict[str, Callable[[WarfareCard], bool]] = {
    "Self Repair": lambda card: _is_walker(card),
    "Agile": lambda card: _is_walker(card),
    "Combined Shots": lambda card: _is_walker(card),
    "Supercharged": lambda card: card.kind == "infantry" and any(map(_is_energy, card.weapons)),
    "Schwerpunkt": lambda card: card.is_hero and card.has("Pilot"),
    "Expert Repair": lambda card: _is_walker(card),
    "Flight": lambda card: card.kind == "infantry" and any(weapon.close for weapon in card.weapons),
    "Blutkreuz Übertoten": lambda card: card.kind == "infantry" and card.has("Blutkreuz Zombie"),
}
"""Who bears an ability, where it needs more than a plain squad."""


def homebrew(rules: Warfare) -> list[WarfareCard]:
    """A card for every rule that none of ours prints, and for rules that work on other bearers than those printed."""
    cards = list(rules.all_cards().values())
    on_cards = {ref.name for card in cards for ref in card.abilities}
    on_weapons = {ref.name for card in cards for weapon in card.weapons for ref in weapon.rules}
    made = [_bearer(cards, name) for name in rules.registry.abilities if name not in on_cards]
    made += [_armed(cards, name) for name in rules.registry.weapon_rules if name not in on_weapons]
    return [*made, *_other_bearers(cards)]


def _bearer(cards: list[WarfareCard], name: str) -> WarfareCard:
    base = next(card for card in cards if BASES.get(name, _is_plain_squad)(card))
    ref, weapons = SkillRef(name), base.weapons
    if name == "Combined Shots":  # two guns of one name
        weapons = tuple(msgspec.structs.replace(one, count=2, arc="turret") for one in weapons[:1])
        ref = SkillRef(name, weapons[0].name)
    if name == "Flight":  # blades that reach aircraft
        weapons = tuple(
            msgspec.structs.replace(one, cells={**one.cells, **AGAINST_AIRCRAFT}) if one.close else one
            for one in weapons
        )
    abilities = (*base.abilities, ref, *([SkillRef("Self Repair")] if name == "Expert Repair" else []))
    capacity = STURDY if base.type == "vehicle" else base.capacity
    return _with(base, _slug(name), name, abilities=abilities, weapons=weapons, capacity=capacity)


def _armed(cards: list[WarfareCard], name: str) -> WarfareCard:
    walker = next(filter(_is_walker, cards))
    weapons = tuple(msgspec.structs.replace(one, rules=(*one.rules, SkillRef(name))) for one in walker.weapons)
    abilities = (*walker.abilities, SkillRef("Self Repair"))
    return _with(walker, f"weapon-{_slug(name)}", name, weapons=weapons, abilities=abilities, capacity=STURDY)


def _other_bearers(cards: list[WarfareCard]) -> list[WarfareCard]:
    """A vehicle that jumps, a superhuman whom only his ability keeps from joining, Übertoten who are no zombies, and
    an aircraft that does not bring its passengers home."""
    walker = next(filter(_is_walker, cards))
    hero = next(card for card in cards if card.is_hero and card.may_join and card.type == "soldier")
    squad = next(filter(_is_plain_squad, cards))
    lifter = next(card for card in cards if card.type == "aircraft" and card.has("Carry Capacity"))
    return [
        _with(walker, "jumping-walker", "Jumping Walker", abilities=(*walker.abilities, SkillRef("Jump"))),
        _with(hero, "superhuman", "Superhuman", abilities=(*hero.abilities, SkillRef("Superhuman"))),
        _with(squad, "fearless", "Fearless", abilities=(SkillRef("Blutkreuz Übertoten"),)),
        _with(lifter, "frail-lifter", "Frail Lifter", capacity=1),
    ]


def _is_plain_squad(card: WarfareCard) -> bool:
    return card.kind == "infantry" and card.models == 5 and not card.abilities


def _is_walker(card: WarfareCard) -> bool:
    return card.type == "vehicle" and card.is_walker and bool(card.weapons)


def _is_energy(weapon: WarfareWeapon) -> bool:
    return any(map(weapon.has, ENERGY))


def _with(card: WarfareCard, id: str, name: str, **changes: Any) -> WarfareCard:
    named = {"id": f"homebrew-{id}", "name": f"Homebrew {name}", "unique": False, "conversion": ""}
    return msgspec.structs.replace(card, **named, **changes)


def _slug(name: str) -> str:
    return "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name.lower())


__all__ = ["homebrew"]
