"""Forces and boards of the exercise run: drawn from what is still wanting, in company that brings it to use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from dieselfront.rulesets.warfare.unit_cards import WarfareCard, WarfareOption, bought_soldier

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare

SIZE = 7
"""Units of a force."""
ANYBODY = 0.004
"""The weight of a card from which nothing is wanted."""
BOARD = (40, 30)
TERRAIN = (
    {"kind": "forest", "at": [6, 12], "size": [6, 6]},
    {"kind": "building", "at": [25, 11], "size": [8, 8], "floors": 3},
    {"kind": "hedge", "line": [[14, 15], [22, 15]]},
    {"kind": "wall", "line": [[4, 10], [10, 10]]},
    {"kind": "barbed-wire", "line": [[16, 12], [22, 12]]},
    {"kind": "tank-obstacle", "line": [[15, 18], [20, 18]]},
    {"kind": "crater", "at": [20, 20], "size": [4, 3]},
    {"kind": "shallow-water", "at": [34, 10], "size": [5, 10]},
    {"kind": "barricade", "line": [[24, 20], [30, 20]]},
)
HOUSE = (737, 381)
"""The middle of the building, in millimetres."""
DEPTHS = (9, 12)
"""How deep the zones are: far apart, or near enough for blades from the first turn on."""
Fits = Callable[[WarfareCard, WarfareCard], bool]
COMPANY: dict[str, Fits] = {
    "Artillery Strike": lambda _, card: any(weapon.has("Artillery") for weapon in card.weapons),
    "Mechanic": lambda _, card: card.type != "soldier",
    "Expert Repair": lambda _, card: card.type != "soldier",
    "Pilot": lambda _, card: card.type == "aircraft",
    "Panzer Ace": lambda _, card: card.type == "vehicle",
    "Schwerpunkt": lambda _, card: card.type == "vehicle",
    "Carry Capacity": lambda _, card: card.type == "soldier" and card.armor <= 2,
    "Tank Riders": lambda _, card: card.type == "soldier" and card.armor <= 2,
    "Vehicle Carry Capacity": lambda _, card: card.has("Air Lift") or card.has("Air Drop"),
    "Air Lift": lambda _, card: card.has("Vehicle Carry Capacity"),
    "Air Drop": lambda _, card: card.has("Vehicle Carry Capacity"),
    "Blutkreuz Übertoten": lambda _, card: card.is_hero and card.may_join,
    "Blutkreuz Zombie": lambda _, card: card.is_hero and card.may_join,
    "Superhuman": lambda hero, card: card.models > 1 and (card.armor, card.move) == (hero.armor, hero.move),
    "Air Cavalry": lambda _, card: card.type == "aircraft" and card.has("Carry Capacity"),
    "Commissar": lambda _, card: card.type == "soldier" and card.models == 5,
}
"""Abilities that need somebody on their side to work on."""
FOES: dict[str, Callable[[WarfareCard], bool]] = {
    "Flight": lambda card: card.type == "aircraft",
    "Air Superiority": lambda card: card.type == "aircraft",
    "Entrench": lambda card: any(weapon.has("Phaser") for weapon in card.weapons),
    "Schwerpunkt": lambda card: card.type == "vehicle" and card.armor >= 4,
}
"""Abilities that need somebody on the other side."""


class Recruiter:
    """Draws forces from what is wanting."""

    def __init__(self, rules: Warfare, cards: list[WarfareCard], used: Any, chance: Random) -> None:
        self.rules = rules
        self.cards = cards
        self.used = used
        self.chance = chance
        self.bought = bought_soldiers(rules)

    def force(self, side: int, foes: Iterable[str] = ()) -> dict[str, Any]:
        """A force of any blocs, with company for those who need it and somebody to meet the abilities of the foe."""
        weights = [self.lack(card) for card in self.cards]
        squads = [card for card in self.cards if card.id not in self.bought]
        chosen = [self.chance.choice([card for card in squads if FOES[name](card)]) for name in foes]
        while len(chosen) < SIZE:
            card = self.chance.choices(self.cards, weights)[0]
            chosen.append(card)
            for name, fits in COMPANY.items():
                if card.has(name) and card.id not in self.bought and len(chosen) < SIZE + 1:
                    chosen.append(self.chance.choice([one for one in squads if fits(card, one)] or squads))
        units = [{"label": f"{card.id}-{number}", **self.entry(card)} for number, card in enumerate(chosen)]
        return {"name": f"Exercise {side + 1}", "units": units, "unrestricted": True}

    def entry(self, card: WarfareCard) -> dict[str, Any]:
        """A card with an option or without; a soldier who can only be bought comes with his squad."""
        if card.id in self.bought:
            squad, option = self.bought[card.id]
            return {"card": msgspec.to_builtins(squad), "options": {option.id: 1}}
        entry = {"card": msgspec.to_builtins(card)}
        if card.options and self.chance.random() < 0.5:
            entry["options"] = {self.chance.choice(card.options).id: 1}
        return entry

    def is_wanted(self, name: str) -> bool:
        """Is an ability of that name not used enough yet?"""
        return any(self.short(self.used.skills, kind.__qualname__) for kind in self.rules.registry.abilities[name])

    def short(self, counts: Any, key: str) -> float:
        """How much of something is wanted: 0, or from one half to one, so that the last uses are looked for, too."""
        left = self.used.times - counts.get(key, self.used.times)
        return 0.5 + 0.5 * left / self.used.times if left > 0 else 0.0

    def lack(self, card: WarfareCard) -> float:
        """How much a card, its weapons and its rules are wanted."""
        used, registry = self.used, self.rules.registry
        want = ANYBODY + self.short(used.units, card.id)
        want += 1.5 * sum(self.short(used.weapons, f"{card.id}/{weapon.id}") for weapon in card.weapons)
        kinds = [kind for ref in card.abilities for kind in registry.abilities.get(ref.name, ())]
        kinds += [
            kind for weapon in card.weapons for ref in weapon.rules for kind in registry.weapon_rules.get(ref.name, ())
        ]
        return want + 2.0 * sum(self.short(used.skills, kind.__qualname__) for kind in kinds)


def bought_soldiers(rules: Warfare) -> dict[str, tuple[WarfareCard, WarfareOption]]:
    """Soldiers who have a profile of their own and can only be bought for a squad: by id, the squad and the option."""
    return {
        bought_soldier(card, option).id: (card, option)
        for card in rules.all_cards().values()
        for option in card.options
        if option.adds_soldier
    }


def scenario(chance: Random) -> dict[str, Any]:
    """A small board with everything on it, near enough to fight from the first turn on."""
    return {
        "id": "exercise",
        "name": "Exercise",
        "size": list(BOARD),
        "terrain": [dict(piece) for piece in TERRAIN],
        "depth": chance.choice(DEPTHS),
        "turns": 5,
        "reserves": chance.choice(["none", "allowed"]),
    }


__all__ = ["FOES", "HOUSE", "Recruiter", "bought_soldiers", "scenario"]
