"""Turns the table of Battlefield facts into our card files, one file per bloc, one weapon per line.

    python tools/build_battlefield_cards.py FACTS.json src/dieselfront/rulesets/battlefield/cards

The facts mark what looks wrong and what is likely meant; the likely value is taken and the card's notes say so.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from build_dust1947_cards import commissars, entry, option, plain, weapon

BLOCS = {"Allies": "allies", "Axis": "axis", "SSU": "ssu", "Mercenaries": "mercenaries"}
SOURCE = "Community army-builder facts, edition 904d5d0"
ONE_SHOT = ("Panzerfaust 100 (HE)", "RPG-1")
"""Single shots besides those that the Dust 1947 table names in the same way."""
MISSPELT = {"Expert: 7.5CM FPKWZ": "Expert: 7.5cm FPKZW"}
"""Skills that name a weapon otherwise than the card that carries it."""
SNIPER = "Sniper"
"""A rule of weapons; one row of facts has it among the skills."""
INFERRED = {
    "dust1947": "the facts leave values out; those of the Dust 1947 card of the same name are taken.",
    "guess": "the facts leave values out; those of the nearest Dust 1947 mercenary card are taken.",
}

Card = dict[str, Any]


def main(facts: Path, out: Path) -> None:
    units = json.loads(facts.read_text(encoding="utf-8"))
    for bloc, name in BLOCS.items():
        cards = [card(unit) for unit in units if unit["bloc"] == bloc]
        (out / f"{name}.json").write_text(file_text(bloc, cards, commissars(units)), encoding="utf-8")


def card(unit: Card) -> Card:
    """Our card from one row of facts."""
    notes: list[str] = []
    unit = settle(unit, notes)
    out: Card = {"id": unit["id"], "name": unit["name"]}
    out |= {key: unit[key] for key in ("subtitle", "variant_of") if unit.get(key)}
    out |= {"kind": unit["kind"], "factions": unit["factions"]}
    if unit["unique"] or unit["max_in_roster"] == 1:
        out["unique"] = True
    out |= {"armour": unit["armour"], "move": unit["move"], "march": unit["march"]}
    if unit["kind"] == "infantry":
        out["models"] = unit["models"]
    else:
        out["damage"] = unit["damage_track"]
    out["points"] = unit["ap"]
    if unit["captured_ap"] is not None:
        out |= {"captured_by": unit["captured_by"], "captured_ap": unit["captured_ap"]}
    out["skills"] = [MISSPELT.get(skill, skill) for skill in unit["skills"] if skill != SNIPER]
    notes += [f"skills: the facts say {said}; {MISSPELT[said]} taken." for said in unit["skills"] if said in MISSPELT]
    out["weapons"] = [line for row in unit["weapons"] for line in weapons(unit, row, notes)]
    if unit["options"]:
        is_commissar = unit["options"][0].get("group") == "Commissar"
        out["options"] = "commissars" if is_commissar else [bought(row) for row in unit["options"]]
    if notes:
        out["notes"] = notes
    return out


def settle(unit: Card, notes: list[str]) -> Card:
    """The suspect values: what the facts said and what is taken."""
    unit = json.loads(json.dumps(unit))
    for doubt in unit.get("suspect", ()):
        path, likely = doubt["field"], doubt["likely"]
        said = "nothing" if doubt["value"] is None else doubt["value"]
        subject = path.removeprefix("weapons.").replace(".vs.", " against ").replace("damage_track", "damage")
        subject = subject.replace(".count", " count").replace(".range", " range")
        notes.append(f"{subject}: the facts say {said}; {likely} taken.")
        if path == "skills":
            unit["skills"].append(likely)
        elif path.startswith("weapons."):
            _, name, *keys = path.split(".")
            row = next(row for row in unit["weapons"] if row["name"] == name)
            for key in keys[:-1]:
                row = row[key]
            row[keys[-1]] = likely
        else:
            unit[path] = likely
    if unit.get("profile_inferred"):
        notes.append(f"values: {INFERRED[unit['profile_inferred']]}")
    if SNIPER in unit["skills"]:
        rifle = next(row for row in unit["weapons"] if row["name"].endswith(SNIPER))
        rifle["rules"] = [*rifle.get("rules", ()), SNIPER]
        notes.append(f"skills: the facts say {SNIPER}; taken as a rule of the {rifle['name']}.")
    return unit


def weapons(unit: Card, row: Card, notes: list[str]) -> list[Card]:
    """A weapon line; a pair at the sides becomes one on the left and one on the right."""
    if row.get("mount") == "Side":
        notes.append(f"{row['name']} mount: the facts say Side; one taken on the left, one on the right.")
        half = {**row, "count": row["count"] // 2}
        return [weapon(unit, {**half, "mount": side}, []) for side in ("Left", "Right")]
    line = weapon(unit, row, notes)
    if row["name"] in ONE_SHOT:
        line["ammo"] = 1
        notes.append(f"{row['name']} ammo: no number in the facts; 1 taken for each, these are single shots.")
    return [{key: line[key] for key in ("name", "count", "mount", "range", "ammo", "rules", "vs") if key in line}]


def bought(row: Card) -> Card:
    """Something to buy; what has no group stands in one of its own name."""
    out = option({"group": row["name"], **row})
    if row.get("skills") and "armour" not in row:
        out["skills"] = row["skills"]
    return out


def file_text(bloc: str, cards: list[Card], commissar_rows: list[Card]) -> str:
    head: Card = {"ruleset": "battlefield", "bloc": bloc, "source": SOURCE}
    lines = ["{"] + [f'  "{key}": {plain(value)},' for key, value in head.items()]
    if bloc == "SSU":
        lines += [
            '  "option_sets": {"commissars": [',
            ",\n".join(entry(row, "    ") for row in commissar_rows),
            "  ]},",
        ]
    lines += ['  "cards": [', ",\n".join(entry(one, "    ") for one in cards), "  ]", "}", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
