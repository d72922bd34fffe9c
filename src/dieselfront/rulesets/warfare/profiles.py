"""Cards as the rules read them: who carries what, who bears which ability, what a weapon does to whom
(dw.profile.*, dw.open.stat_line, dw.open.unit_cards). The cards themselves are in unit_cards.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from dieselfront.forces.dust_files import Fault
from dieselfront.rulesets.warfare import unit_cards
from dieselfront.rulesets.warfare.unit_cards import DamageCell, WarfareCard, WarfareEntry, WarfareWeapon

SOLDIER, VEHICLE, AIRCRAFT = "soldier", "vehicle", "aircraft"
COMMAND_RANGE = 12  # dw.command.command_range
TEMPORARY_RANGE = 6  # dw.command.temp_section_range
ROLES = {"Radioman": "radio", "Medic": "medic", "Mechanic": "mechanic", "Spotter": "spotter"}
"""Abilities that belong to one soldier of a squad, where the card says to whom."""


class BadCard(ValueError):
    """A card that the rules cannot read; the message says which and why."""


def read_card(data: Mapping[str, Any]) -> WarfareCard:
    """A card from a game's header, written out whole, or from an entry of a card file."""
    plain = dict(data)
    try:
        if isinstance(plain.get("armor"), str):
            entry = msgspec.convert(plain, WarfareEntry)
            return unit_cards.read_card(entry, entry.bloc or "Homebrew", "", "", {})
        return msgspec.convert(plain, WarfareCard)
    except (msgspec.ValidationError, Fault) as error:
        raise BadCard(f"card {plain.get('id') or plain.get('name')!r}: {error}.") from None


@cache
def _carried(models: tuple[tuple[int, ...], ...], counts: tuple[tuple[int, bool], ...]) -> tuple[tuple[int, ...], ...]:
    if len(models) > 1:
        return models
    return (tuple(number for number, (count, crewed) in enumerate(counts) for _ in range(0 if crewed else count)),)


def carried(card: WarfareCard) -> tuple[tuple[int, ...], ...]:
    """For every miniature the places of its weapons in the card's list, one for each copy (dw.profile.quantity)."""
    mine = tuple(soldier.weapons for soldier in card.soldiers) or ((),)
    return _carried(mine, tuple((weapon.count, weapon.crewed) for weapon in card.weapons))


def crew_guns(card: WarfareCard) -> tuple[int, ...]:
    """Weapons that a whole crew serves: whoever is left fires them."""
    return tuple(number for number, weapon in enumerate(card.weapons) if weapon.crewed)


def bears(card: WarfareCard, figure: int, ability: str) -> bool:
    """Does this miniature of the card have the ability itself? A specialist's is one soldier's, the second one's where
    the card does not say whose."""
    if not card.has(ability):
        return False
    role = ROLES.get(ability)
    if role is None or not card.soldiers:
        return True
    holders = [number for number, soldier in enumerate(card.soldiers) if role in soldier.roles]
    return figure in (holders or [min(1, len(card.soldiers) - 1)])


def against(weapon: WarfareWeapon, armor_class: str) -> DamageCell | None:
    """X/Y against a class (dw.profile.dice_damage, dw.profile.spray); none where the card has a dash
    (dw.profile.dash)."""
    return weapon.cells.get(armor_class)


def best_dice(weapon: WarfareWeapon) -> int:
    """The largest number of dice of its profile (dw.open.demolition_dice)."""
    return max((max(cell.dice, cell.spray) for cell in weapon.cells.values()), default=0)


__all__ = ["AIRCRAFT", "COMMAND_RANGE", "SOLDIER", "TEMPORARY_RANGE", "VEHICLE", "BadCard", "DamageCell", "WarfareCard",
           "WarfareWeapon", "against", "bears", "best_dice", "carried", "crew_guns", "read_card"]  # fmt: skip
