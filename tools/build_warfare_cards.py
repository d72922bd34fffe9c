"""Turns the table of converted Warfare facts into our card files, one file per bloc, one weapon per line.

    python tools/build_warfare_cards.py WARFARE.json BATTLEFIELD.json src/dieselfront/rulesets/warfare/cards

The Battlefield table gives what the converted table leaves out: the profiles of what a unit may buy (commissars,
amphibious kits), converted here by the same formulas.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from build_dust1947_cards import plain

BLOCS = {"Allies": "allies", "Axis": "axis", "SSU": "ssu", "Mercenaries": "mercenaries"}
ARCS = {"F": "front", "T": "turret", "R": "rear"}
SOURCE = "Converted from the Battlefield cards by the formulas bf-dw-1"
PRICES = {
    "fb": "points: the price of a published force list, not of the formula.",
    "ffg": "points: the price of the publisher's own article, not of the formula.",
}
ABILITIES = {"Brave": "Badass"}
WEAPON_RULES = {"Grenade": "Grenades"}

Card = dict[str, Any]


def main(facts: Path, originals: Path, out: Path) -> None:
    units = json.loads(facts.read_text(encoding="utf-8"))
    printed = {unit["id"]: unit for unit in json.loads(originals.read_text(encoding="utf-8"))}
    for bloc, name in BLOCS.items():
        cards = [card(unit, printed[unit["id"]]) for unit in units if unit["bloc"] == bloc]
        (out / f"{name}.json").write_text(file_text(bloc, cards, commissars(units, printed)), encoding="utf-8")


def card(unit: Card, printed: Card) -> Card:
    """Our card from one row of facts."""
    notes = [PRICES[unit["ap_source"]]] if unit["ap_source"] in PRICES else []
    out: Card = {"id": unit["id"], "name": unit["name"]}
    out |= {key: unit[key] for key in ("subtitle", "variant_of") if unit.get(key)}
    out["kind"] = unit["kind"]
    if unit["factions"]:
        out["factions"] = unit["factions"]
    if unit["unique"] or unit["max_in_roster"] == 1:
        out["unique"] = True
    tags = [tag for tag in unit["tags"] if tag != "hero"]
    if tags:
        out["tags"] = tags
    out |= {"armor": f"{unit['type'][0].upper()}{unit['armor']}", "move": unit["move"]}
    out |= {"models": unit["models"], "capacity": unit["damage_capacity"], "points": unit["ap"]}
    if unit["ap_source"] != "converted":
        out["price"] = unit["ap_source"]
    out["abilities"] = unit["abilities"]
    out["weapons"] = [line for row in unit["weapons"] for line in weapon(row, notes)]
    if unit["options"]:
        is_commissar = unit["options"][0]["group"] == "Commissar"
        bought = [option(row, one) for row, one in zip(unit["options"], printed["options"], strict=True)]
        out["options"] = "commissars" if is_commissar else bought
    if notes:
        out["notes"] = notes
    return out


def weapon(row: Card, notes: list[str]) -> list[Card]:
    """A weapon line; a pair at the sides becomes one on the left and one on the right."""
    out: Card = {"name": row["name"], "count": row["count"], "range": row["range"]}
    if row.get("min_range"):
        out["min_range"] = row["min_range"]
    if row["rules"]:
        out["rules"] = row["rules"]
    vs = {name: cell for name, cell in row["vs"].items() if cell != "-"}
    if row.get("arc") == "LtRt":
        notes.append(f"{row['name']}: a pair at the sides; one taken on the left, one on the right.")
        return [{**out, "count": row["count"] // 2, "arc": side, "vs": vs} for side in ("left", "right")]
    if row.get("arc"):
        out["arc"] = ARCS[row["arc"]]
    return [{**out, "vs": vs}]


def option(row: Card, printed: Card) -> Card:
    """Something to buy: the converted price, and the printed profile by the same formulas."""
    out: Card = {"name": row["name"], "points": row["ap"]}
    if row.get("group"):
        out["group"] = row["group"]
    if "armour" in printed:
        out |= {"armor": printed["armour"], "move": 3 * printed["move"]}
    if printed.get("skills"):
        out["abilities"] = [ABILITIES.get(name, name) for name in printed["skills"]]
    if printed.get("weapons"):
        out["weapons"] = [converted_weapon(one) for one in printed["weapons"]]
    return out


def converted_weapon(row: Card) -> Card:
    """A printed weapon line: 3 inches a range point, at least 6; one point of damage against soldiers."""
    out: Card = {"name": row["name"], "count": row["count"], "range": max(6, 3 * int(row["range"]))}
    if row["rules"]:
        out["rules"] = [WEAPON_RULES.get(name, name) for name in row["rules"]]
    out["vs"] = {name: converted_cell(name, row["vs"]) for name in row["vs"] if row["vs"][name] != "-"}
    return out


def converted_cell(name: str, row: Card) -> str:
    """Damage against soldiers is 1; the automatic kill is the highest number of the row in that letter, plus 1."""
    dice, _, damage = row[name].partition("/")
    if name[0] == "S":
        return f"{dice}/1"
    if damage != "#":
        return f"{dice}/{damage}"
    numbers = [
        int(cell.partition("/")[2]) for key, cell in row.items() if key[0] == name[0] and cell[-1:] not in ("-", "#")
    ]
    return f"{dice}/{max(numbers) + 1 if numbers else 6}"


def commissars(units: list[Card], printed: dict[str, Card]) -> list[Card]:
    """The three commissars, the same for every squad that may take one."""
    unit = next(one for one in units if one["options"] and one["options"][0]["group"] == "Commissar")
    return [option(row, one) for row, one in zip(unit["options"], printed[unit["id"]]["options"], strict=True)]


def file_text(bloc: str, cards: list[Card], commissar_rows: list[Card]) -> str:
    head: Card = {"ruleset": "warfare", "bloc": bloc, "source": SOURCE, "conversion": "bf-dw-1"}
    lines = ["{"] + [f'  "{key}": {plain(value)},' for key, value in head.items()]
    if bloc == "SSU":
        lines += [
            '  "option_sets": {"commissars": [',
            ",\n".join(entry(row, "    ") for row in commissar_rows),
            "  ]},",
        ]
    lines += ['  "cards": [', ",\n".join(entry(one, "    ") for one in cards), "  ]", "}", ""]
    return "\n".join(lines)


def entry(card: Card, pad: str) -> str:
    """A card: facts on few lines, then one weapon, option or note per line."""
    groups = (
        ("id", "name", "subtitle", "variant_of"),
        ("kind", "factions", "unique", "tags", "group"),
        ("armor", "move", "models", "capacity", "points", "price"),
        ("abilities",),
    )
    parts = []
    for group in groups:
        line = ", ".join(f'"{key}": {plain(card[key])}' for key in group if key in card)
        if line:
            parts.append(line)
    for key in ("weapons", "options", "notes"):
        if isinstance(card.get(key), list):
            rows = (",\n" + pad + "    ").join(plain(row) for row in card[key])
            parts.append(f'"{key}": [\n{pad}    {rows}]' if card[key] else f'"{key}": []')
        elif key in card:
            parts.append(f'"{key}": {plain(card[key])}')
    return pad + "{" + f",\n{pad}  ".join(parts) + "}"


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
