"""Turns a table of Dust 1947 facts into our card files, one file per bloc, one weapon per line.

    python tools/build_dust1947_cards.py FACTS.json src/dieselfront/rulesets/dust1947/cards

Every value that looked wrong in the facts is settled here, by name, and says so in the card's notes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

BLOCS = {"Allies": "allies", "Axis": "axis", "SSU": "ssu", "Mercenaries": "mercenaries", "Mythos": "mythos"}
SOURCE = "Community army-builder facts, edition 516c407"
ONE_SHOT = ("Panzerfaust", "Panzerfaust 100", "Flammfaust", "RPG", "X-4 Missile", "Gliding Bomb")

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
    weapons = [weapon(unit, row, notes) for row in unit["weapons"]]
    out: Card = {"id": unit["id"], "name": unit["name"]}
    subtitle = unit.get("subtitle") or {"Recon Boys": "Recon Boys"}.get(unit.get("profile_name", ""))
    if subtitle:
        out["subtitle"] = subtitle
    if unit.get("variant_of"):
        out["variant_of"] = unit["variant_of"]
    if unit.get("alternate_profile"):
        out["alternate_profile"] = True
    out |= {"kind": unit["kind"], "factions": unit["factions"], "bloc_wide": unit["bloc_wide"]}
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
    if unit.get("locomotion"):
        out["locomotion"] = unit["locomotion"]
    out["skills"] = unit["skills"]
    out["weapons"] = weapons
    if unit["options"]:
        is_commissar = unit["options"][0]["group"] == "Commissar"
        out["options"] = "nkvd-commissars" if is_commissar else [option(row) for row in unit["options"]]
    if notes:
        out["notes"] = notes
    return out


def settle(unit: Card, notes: list[str]) -> Card:
    """The suspect values, one by one: what the facts said, what we took, and why."""
    unit = json.loads(json.dumps(unit))
    name = unit["id"]
    rows = {row["name"]: row for row in unit["weapons"]}
    if name.startswith("allies-machete-mack"):
        notes.append(
            "weapons: the facts list the weapons twice, for the hero and for each version of him; the version's own are taken."
        )
    if name == "allies-assault-truck":
        rows["Twin Heavy Machinegun"]["vs"]["A1"] = "3/2"
        notes.append(
            "Twin Heavy Machinegun against A1: the facts say 3/3; 3/2 taken, as on every other card with this weapon."
        )
    if name == "allies-devastator":
        unit["damage_track"] = 10
        notes.append("damage: the facts say 1; 10 taken, as its sisters Fireball and Punisher have.")
    if name == "allies-humber-mk-v":
        unit["locomotion"] = "wheeled"
        notes.append(
            "locomotion: the facts name none, which would make it a walker; it is an armoured car, so wheeled."
        )
    if name in ("allies-gregory-izzy", "axis-tina-and-hyane"):
        notes.append(
            "models: the facts leave open whether man and animal are one miniature or two; one, as for every hero."
        )
    if name == "axis-raketenmann":
        rows["Triple Assault Laser"]["range"] = "4"
        rows["Triple Assault Laser"]["vs"]["V1"] = "7/1"
        notes.append(
            "Triple Assault Laser range: blank in the facts; 4 taken: heavy assault lasers and rifles reach 6, the lighter assault rifle and laser rifle 4."
        )
        notes.append("Triple Assault Laser against V1: the facts say 7/1/; 7/1 taken, the second slash is a slip.")
    if name == "axis-sigrid-with-panzerfaust":
        rows["Panzerfaust 100"]["rules"] = ["Grenade"]
        notes.append(
            "Panzerfaust 100: the facts give it no rule; Grenade taken, as on every other card with this weapon."
        )
    if name == "axis-zombie-grenadier-squad":
        unit["models"] = 5
        notes.append("models: the weapon counts fit several sizes; 5 taken, the size of the other zombie squads.")
    if name == "axis-hermann":
        rows["Light Laser Gun"]["mount"] = "Front"
        notes.append(
            "Light Laser Gun mount: the facts say Front in one place and Turret in another; Front taken, as on its sisters Hans and Heinrich."
        )
    if name == "axis-mobelwagen-ausf-b":
        unit |= {"armour": "V3", "move": 2, "march": 4}
        notes.append("armour: the facts say S3 for this tracked vehicle; V3 taken.")
        notes.append("move and march: the facts say 4 and 2; 2 and 4 taken, they were swapped.")
    if name == "axis-falke":
        rows["Light Bomb"]["vs"]["V1"] = "*/#"
        notes.append(
            "Light Bomb against V1: the facts show an unknown sign for the damage; the automatic-kill symbol taken."
        )
    if name == "axis-konigslothar":
        notes.append(
            "Dual Rocket Launcher: without Reload, unlike Lothar's launcher of the same name; left so, the heavier walker may carry a loader."
        )
    if name == "ssu-roza":
        unit["max_in_roster"] = 1
        notes.append("unique: the facts set no limit; unique taken, as every hero is (d47.hero.unique).")
    if name in ("ssu-spetsnaz-anti-tank-squad", "ssu-spetsnaz-assault-squad"):
        unit |= {"armour": "S1", "march": 5}
        notes.append("armour: the facts say S2; S1 taken, as a second source and the other Spetsnaz squads have.")
        notes.append("march: the facts say 4; 5 taken, as the other Spetsnaz squads have.")
        notes.append(
            "commissars: the facts let this squad take one though his armour is 2; kept as a permission of this card."
        )
    if name in ("axis-totenmeister", "axis-wilfried", "axis-zombie-squad"):
        inferred = next(row["name"] for row in unit["weapons"] if row.get("profile_inferred"))
        notes.append(
            f"{inferred}: named without numbers in the facts; the numbers of the same weapon elsewhere in the bloc taken."
        )
    if name == "axis-heinrich-tropical":
        notes.append(
            "captured: the list of captured vehicles prints the machinegun with S4 2/1; the home card's 3/1 taken."
        )
    if name == "axis-jagdluther":
        notes.append(
            "captured: the list of captured vehicles mounts the machinegun in a turret; the home card's front taken."
        )
    if name == "ssu-red-fury":
        notes.append("captured: the list of captured vehicles prints another submachine gun; the home card's taken.")
    if name == "mythos-avatar-of-nyarlathotep":
        notes.append(
            "Psychic Scream: its damage rises with vehicle armour, the only table that does; kept as the facts have it."
        )
    if name == "mythos-lilith-possessed":
        notes.append("points: 0, because this is the second profile of Lilith and not bought by itself.")
    if unit["kind"] == "support":
        for row in unit["weapons"]:
            if row.get("mount"):
                notes.append(
                    f"{row['name']} mount: the facts say {row.pop('mount')}; none taken, infantry weapons have no arc."
                )
    return unit


def weapon(unit: Card, row: Card, notes: list[str]) -> Card:
    out: Card = {"name": row["name"], "count": row["count"]}
    if row.get("mount"):
        out["mount"] = row["mount"].lower()
    out["range"] = row["range"]
    if "Volley" in row["rules"]:
        out |= {"count": 1, "ammo": row["count"]}
        notes.append(
            f"{row['name']} ammo: the facts list {row['count']} of them; taken as one weapon with {row['count']} ammo boxes."
        )
    elif row["name"] in ONE_SHOT:
        out["ammo"] = 1
        notes.append(f"{row['name']} ammo: no number in the facts; 1 taken for each, these are single shots.")
    if row["rules"]:
        out["rules"] = row["rules"]
    out["vs"] = {name: cell.replace("☠", "#") for name, cell in row["vs"].items() if cell != "-"}
    return out


def option(row: Card) -> Card:
    out: Card = {"name": row["name"], "group": row["group"], "points": row["ap"]}
    if "armour" in row:
        out |= {"armour": row["armour"], "move": row["move"], "march": row["march"], "skills": row["skills"]}
        out["weapons"] = [weapon({}, one, []) for one in row["weapons"]]
    return out


def commissars(units: list[Card]) -> list[Card]:
    """The three commissars, the same for every squad that may take one."""
    return next(
        [option(row) for row in unit["options"]]
        for unit in units
        if unit["options"] and unit["options"][0].get("group") == "Commissar"
    )


def file_text(bloc: str, cards: list[Card], commissar_rows: list[Card]) -> str:
    head: Card = {"ruleset": "dust1947", "bloc": bloc, "source": SOURCE}
    lines = ["{"] + [f'  "{key}": {plain(value)},' for key, value in head.items()]
    if bloc == "SSU":
        lines += [
            '  "option_sets": {"nkvd-commissars": [',
            ",\n".join(entry(row, "    ") for row in commissar_rows),
            "  ]},",
        ]
    lines += ['  "cards": [', ",\n".join(entry(one, "    ") for one in cards), "  ]", "}", ""]
    return "\n".join(lines)


def entry(card: Card, pad: str) -> str:
    """A card: facts on few lines, then one weapon, option or note per line."""
    groups = (
        ("id", "name", "subtitle", "variant_of", "alternate_profile"),
        ("kind", "factions", "bloc_wide", "unique", "group"),
        ("armour", "move", "march", "models", "damage", "points", "captured_by", "captured_ap", "locomotion"),
        ("skills",),
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


def plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
