"""Cards written out in a position file: as in card files, with what goes without saying filled in."""

from __future__ import annotations

from typing import Any

from dieselfront.forces.dust import ARMOUR_CLASSES
from dieselfront.forces.dust_files import slug
from dieselfront.referee.document import Entry

KINDS = {"S": "infantry", "V": "vehicle", "A": "aircraft"}
DEFAULTS: dict[str, Any] = {"armor": "S2", "move": 6, "points": 20}
CARD_KEYS = {
    "name, id": "what it is called; the unit's id if left out",
    "kind": "`hero`, `infantry`, `support`, `vehicle`, `aircraft` or `fortification`; after the armor if left out",
    "armor": "`S1`-`S4`, `V1`-`V7` or `A1`-`A3`, `S2` if left out",
    "move, points, models, capacity, leadership": "6, 20, 1, 1 and 6 if left out; `capacity` is per figure",
    "abilities": "by name: `[Fast, Carry Capacity (6)]`",
    "tags": "`team`, `walker`, `heavy_walker`, `command_section`, `no_join`",
    "weapons": "`{name: Rifle, range: 16, count: 5, vs: {S: 1/1, V2: 2/1}, rules: [Laser], arc: front, min_range: 0}`; "
    "range in inches, `C`, `A` or `B`; in `vs` a letter stands for all its classes, `*/1` is a spray die per figure",
    "options": "as in card files",
}


def completed(entry: Entry, id: str) -> dict[str, Any]:
    """The card as a card file would write it."""
    card: dict[str, Any] = dict(entry.plain())
    card.setdefault("name", id)
    card.setdefault("id", slug(str(card["name"])) or id)
    for key, value in DEFAULTS.items():
        card.setdefault(key, value)
    card["armor"] = str(card["armor"])
    card.setdefault("kind", KINDS.get(card["armor"][:1], "infantry"))
    card["weapons"] = [_weapon(one) for one in card.get("weapons", ())]
    return card


def _weapon(weapon: Any) -> Any:
    """A letter in `vs` stands for every armor class of its kind that is not named itself."""
    if not isinstance(weapon, dict) or not isinstance(weapon.get("vs"), dict):
        return weapon
    cells: dict[str, Any] = {}
    for name, cell in weapon["vs"].items():
        if str(name) in KINDS:
            cells |= {one: str(cell) for one in ARMOUR_CLASSES if one[0] == name and one not in weapon["vs"]}
        else:
            cells[str(name)] = str(cell)
    return weapon | {"vs": cells}


__all__ = ["CARD_KEYS", "completed"]
