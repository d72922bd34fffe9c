"""Forces and boards of the exercise run: drawn from what is still wanting, in company that brings it to use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from dieselfront.rulesets.warfare.unit_cards import WarfareCard

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare

SIZE = 7
"""Units of a force."""
BOARD = (40, 30)
TERRAIN = (
    {"kind": "forest", "at": [6, 12], "size": [6, 6]},
    {"kind": "building", "at": [26, 12], "size": [6, 5], "floors": 2},
    {"kind": "hedge", "line": [[14, 15], [22, 15]]},
    {"kind": "wall", "line": [[4, 10], [10, 10]]},
    {"kind": "barbed-wire", "line": [[16, 12], [22, 12]]},
    {"kind": "tank-obstacle", "line": [[15, 18], [20, 18]]},
    {"kind": "crater", "at": [20, 20], "size": [4, 3]},
    {"kind": "shallow-water", "at": [34, 10], "size": [5, 10]},
    {"kind": "barricade", "line": [[24, 20], [30, 20]]},
)
COMPANY: dict[str, Callable[[WarfareCard], bool]] = {
    "Artillery Strike": lambda card: any(weapon.has("Artillery") for weapon in card.weapons),
    "Mechanic": lambda card: card.type != "soldier",
    "Expert Repair": lambda card: card.type != "soldier",
    "Pilot": lambda card: card.type != "soldier",
    "Panzer Ace": lambda card: card.type == "vehicle",
    "Schwerpunkt": lambda card: card.type == "vehicle",
    "Carry Capacity": lambda card: card.type == "soldier" and card.armor <= 2,
    "Tank Riders": lambda card: card.type == "soldier" and card.armor <= 2,
    "Vehicle Carry Capacity": lambda card: card.has("Air Lift") or card.has("Air Drop"),
    "Air Lift": lambda card: card.has("Vehicle Carry Capacity"),
    "Air Drop": lambda card: card.has("Vehicle Carry Capacity"),
    "Blutkreuz Übertoten": lambda card: card.is_hero and card.may_join,
    "Blutkreuz Zombie": lambda card: card.is_hero and card.may_join,
    "Superhuman": lambda card: card.type == "soldier" and card.models == 5,
    "Air Cavalry": lambda card: card.type == "aircraft" and card.has("Carry Capacity"),
    "Commissar": lambda card: card.type == "soldier" and card.models == 5,
}
"""Abilities that need somebody on their side to work on."""
FOES: dict[str, Callable[[WarfareCard], bool]] = {
    "Flight": lambda card: card.type == "aircraft",
}
"""Abilities that need somebody on the other side."""


class Recruiter:
    """Draws forces from what is wanting."""

    def __init__(self, rules: Warfare, cards: list[WarfareCard], used: Any, chance: Random) -> None:
        self.rules = rules
        self.cards = cards
        self.used = used
        self.chance = chance

    def force(self, side: int, foes: Iterable[str] = ()) -> dict[str, Any]:
        """A force of any blocs, with company for those who need it and somebody to meet the abilities of the foe."""
        weights = [self.lack(card) for card in self.cards]
        chosen = [self.chance.choice([card for card in self.cards if FOES[name](card)]) for name in foes]
        while len(chosen) < SIZE:
            card = self.chance.choices(self.cards, weights)[0]
            chosen.append(card)
            for name, fits in COMPANY.items():
                if card.has(name) and len(chosen) < SIZE + 1:
                    chosen.append(self.chance.choice([one for one in self.cards if fits(one)] or self.cards))
        units = [
            {"label": f"{card.id}-{number}", "card": msgspec.to_builtins(card), **self.options(card)}
            for number, card in enumerate(chosen)
        ]
        return {"name": f"Exercise {side + 1}", "units": units, "unrestricted": True}

    def options(self, card: WarfareCard) -> dict[str, Any]:
        if not card.options or self.chance.random() < 0.5:
            return {}
        return {"options": {self.chance.choice(card.options).id: 1}}

    def lack(self, card: WarfareCard) -> float:
        """How much a card, its weapons and its rules are wanted."""
        used, times = self.used, self.used.times
        want: float = 0.02 + max(0, times - used.units[card.id]) / times
        for weapon in card.weapons:
            want += 1.5 * max(0, times - used.weapons[f"{card.id}/{weapon.id}"]) / times
        registry = self.rules.registry
        kinds = [kind for ref in card.abilities for kind in registry.abilities.get(ref.name, ())]
        kinds += [
            kind for weapon in card.weapons for ref in weapon.rules for kind in registry.weapon_rules.get(ref.name, ())
        ]
        for kind in kinds:
            want += 2.0 * max(0, times - used.skills.get(kind.__qualname__, times)) / times
        return float(want)


def scenario(chance: Random) -> dict[str, Any]:
    """A small board with everything on it, near enough to fight from the first turn on."""
    return {
        "id": "exercise",
        "name": "Exercise",
        "size": list(BOARD),
        "terrain": [dict(piece) for piece in TERRAIN],
        "depth": 9,
        "turns": 5,
        "reserves": chance.choice(["none", "allowed"]),
    }


__all__ = ["FOES", "Recruiter", "scenario"]
