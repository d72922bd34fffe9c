"""Turns tables of Konflikt '47 facts into our card files: weapon profiles, then one file per nation.

    python tools/build_konflikt47_cards.py UNITS.json WEAPONS.json src/dieselfront/rulesets/konflikt47/cards

Every value that looked wrong or was missing in the facts is settled here, by name, and says so in the card's notes.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

SOURCE = "Community army-builder facts, edition ea0adeb (first-edition numbers)"
NATIONS = {
    "Germany": "germany",
    "United States": "united-states",
    "Great Britain": "great-britain",
    "Soviet Union": "soviet-union",
    "Japan": "japan",
    "Finland": "finland",
    "Italy": "italy",
}
RATES = {"tracked": (9, 18), "half_tracked": (9, 18), "wheeled": (12, 24), "walker": (12, 18)}
CLASSES = {
    "Armored Car": "Armoured Car",
    "Armored Carrier": "Armoured Carrier",
    "Soft-Skin": "Soft-Skin",
    "Soft-Skinned Vehicle": "Soft-Skin",
    "Soft-Skin Carrier": "Soft-Skin",
    "Soft-Skinned": "Soft-Skin",
    "Soft Skin": "Soft-Skin",
    "Soft Skinned": "Soft-Skin",
}
HALF_TRACKS = ("half-track", "panzerwerfer", "m16-anti", "m21-mortar")
TRACKED = (
    "lvt",
    "kangaroo",
    "wasp",
    "bren-carrier",
    "automated-carrier",
    "recovery-tractor",
    "artillery-tractor",
)
TRACKED += ("ro-ke", "so-da", "ho-ro", "ke-nu", "semovente")
COMMAND = (
    {
        "name": "Command Vehicle",
        "points": 25,
        "group": "Command Vehicle",
        "max": 1,
        "group_max": 1,
        "conditional": True,
        "grants": ["Command Vehicle"],
    },
    {
        "name": "Senior Command Vehicle",
        "points": 40,
        "group": "Command Vehicle",
        "max": 1,
        "group_max": 1,
        "conditional": True,
        "grants": ["Senior Command Vehicle"],
    },
    {"name": "Radio Network", "points": 5, "max": 1, "conditional": True, "grants": ["Radio Network"]},
)

TURRET_GUNS = {
    "united-states-m4a3-sherman": ("Medium AT Gun",),
    "great-britain-sherman": ("Medium Howitzer",),
    "soviet-union-t-44-85-medium-tank": ("Heavy AT Gun", "Super-Heavy AT Gun"),
}
"""Guns of turrets that the facts name without their mount."""

Card = dict[str, Any]


def main(units_path: Path, weapons_path: Path, out: Path) -> None:
    units = json.loads(units_path.read_text(encoding="utf-8"))
    weapons = json.loads(weapons_path.read_text(encoding="utf-8"))
    rows = profiles(weapons)
    out.mkdir(parents=True, exist_ok=True)
    (out / "weapons.json").write_text(weapons_text(rows), encoding="utf-8")
    by_name = {row["name"]: row for row in rows}
    for nation, name in NATIONS.items():
        cards = [card(unit, by_name) for unit in units if unit["nation"] == nation]
        (out / f"{name}.json").write_text(file_text(nation, cards), encoding="utf-8")


def profiles(weapons: list[Card]) -> list[Card]:
    """Every weapon profile, plus the rocket launcher that three units name without numbers."""
    rows = []
    for row in weapons:
        out: Card = {
            "name": row["name"],
            "range": inches(row["range"]),
            "shots": row["shots"],
            "pen": row["pen"],
            "rules": row["special"],
        }
        if row["name"] == "Arm-Mounted Light Automatic Cannon":
            out |= {"range": '48"', "shots": "2", "pen": "+2", "rules": ["HE (D2)"]}
            out["notes"] = [
                "range, shots, pen and rules: the facts give a machine gun's numbers (36\", 5, -); the light automatic cannon's (48\", 2, +2, HE D2) taken."
            ]
        if row["name"] == "Hull-Mounted Forward-Facing Medium Howitzer":
            out["rules"] = ["Indirect Fire", "HE (2D6)"]
            out["notes"] = ["rules: the facts say HE (D6); HE (2D6) taken, as every other medium howitzer has."]
        rows.append(out)
    rows.append({"name": "Paragon Sword", "range": "-", "shots": "-", "pen": "-", "rules": []})
    rows.append(
        {
            "name": "Multiple Launcher",
            "range": '18-72"',
            "shots": "1",
            "pen": "HE",
            "rules": ["Indirect Fire", "HE (2D6)", "Multiple Launcher"],
            "notes": ["named without numbers in the facts; the numbers of the turret-mounted multiple launcher taken."],
        }
    )
    return rows


def inches(text: str) -> str:
    plain = text.replace('"', "").replace(" ", "")
    return plain if plain == "-" else f'{plain}"'


def card(unit: Card, by_name: dict[str, Card]) -> Card:
    notes: list[str] = []
    unit = settle(unit, notes)
    out: Card = {"id": unit["id"], "name": unit["name"], "kind": unit["kind"]}
    if unit["category"]:
        out["category"] = unit["category"]
    others = [name for name in unit["categories"] if name != unit["category"]]
    if others:
        out["categories"] = unit["categories"]
    out["points"] = {level: price for level, price in unit["points"].items() if price is not None}
    size = unit["composition"]
    if size["max"] != 1:
        out |= {"models_min": size["min"], "models_max": size["max"]}
    if size["crew"]:
        out["crew"] = size["crew"]
    if unit["max_per_force"]:
        out["max_in_army"] = unit["max_per_force"]
    for key in ("borrowed_from", "unlisted"):
        if unit.get(key):
            out[key] = unit[key]
    out["skills"] = unit["special_rules"]
    if unit.get("model_rules"):
        out["model_skills"] = unit["model_rules"]
    if unit.get("vehicle"):
        out["vehicles"] = [vehicle(unit, row, notes) for row in unit["vehicle"]]
    out["weapons"] = [weapon(row, by_name) for row in unit["weapons"]]
    out["options"], sets = options(unit)
    if sets:
        out["option_sets"] = sets
    if unit.get("ranks"):
        out["ranks"] = [rank(row) for row in unit["ranks"]]
    if notes:
        out["notes"] = notes
    return out


def settle(unit: Card, notes: list[str]) -> Card:
    """The suspect and missing values, one by one: what the facts said, what we took, and why."""
    unit = json.loads(json.dumps(unit))
    name = re.sub(
        r"^italy-(british|usa)-",
        lambda m: {"british": "great-britain-", "usa": "united-states-"}[m[1]],
        unit["id"],
    )
    rows = {row["name"]: row for row in unit["weapons"]}
    for doubt in unit.get("suspect", ()):
        if doubt["reason"] == "base_and_quality_both_priced":
            old, extra = dict(unit[doubt["field"]]), doubt["likely"]
            unit[doubt["field"]] = {level: extra.get(level) for level in old}
            notes.append(
                f"{doubt['field']}: the facts charge a base price and the price by experience ({listed(old)}); the latter alone taken ({listed(extra)})."
            )
            if doubt["field"] == "points_per_extra_model":
                less = next(old[level] - extra[level] for level in extra)
                for option in unit["options"]:
                    if option.get("model") and isinstance(option["points"], dict):
                        option["points"] = {level: price - less for level, price in option["points"].items()}
    if name in ("germany-sdkfz-234-heavy-armoured-car", "italy-l3-35-tankette"):
        hull(unit, "Armoured Car", 7, "wheeled" if "234" in name else "tracked")
        notes.append(
            "vehicle: no hull in the facts; "
            + (
                "armoured car, 7+, taken."
                if "234" in name
                else "7+ taken, as the tankettes of other nations have; tracked."
            )
        )
    if name in ("great-britain-sherman-v-medium-tank", "italy-sherman-medium-tank"):
        hull(unit, "Medium Tank", 9, "tracked")
        notes.append("vehicle: no hull in the facts; medium tank, 9+, taken, as every other Sherman is.")
    if name == "soviet-union-isu-122":
        hull(unit, "Heavy Tank", 10, "tracked")
        notes.append("vehicle: no hull in the facts; heavy tank, 10+, taken, as the ISU-152 is.")
    if name == "germany-hetzer":
        unit["points"] = {"inexperienced": 184, "regular": 230, "veteran": 276}
        notes.append(
            "points: the facts repeat the Jagdtiger's 440/550/660; 184/230/276 taken, the StuG's price: same gun, same class."
        )
    if name == "germany-jagdtiger":
        rows["Hull-Mounted Forward-Facing Super-Heavy AT Gun"] |= {"count": 1, "default": True}
        unit["points"] = {level: price + 80 for level, price in unit["points"].items()}
        unit["options"] = [
            row for row in unit["options"] if row["name"] != "Hull-Mounted Forward-Facing Super-Heavy AT Gun"
        ]
        notes.append(
            "weapons and points: the facts sell the main gun as an option for 80 points; taken as part of the vehicle, and the 80 points as part of its price."
        )
    if name == "united-states-officer":
        for row in unit["options"]:
            if row["name"] == "First Lieutenant":
                row["points"]["veteran"] = 90
        notes.append(
            "options (First Lieutenant, veteran): the facts' price of 0 hangs on a condition that never holds; 90 taken, 15 above regular like every officer."
        )
    if name == "united-states-firefly-jump-infantry-squad" and unit["points"]["veteran"] == 130:
        unit["points"]["veteran"] = 90
        notes.append("points: the facts add 40 for the sergeant's SMG (130); 90 taken, as five soldiers at 18 cost.")
    if name == "united-states-2-1-2-ton-truck":
        unit["points"] = {"inexperienced": 31, "regular": 39, "veteran": 47}
        notes.append(
            "points: the facts give two veteran prices and no regular one; 31/39/47 taken, as other trucks cost."
        )
    if name == "united-states-tank-recovery-tractor":
        unit["points"]["veteran"] = 14
        notes.append("points, veteran: the facts say 1; 14 taken, a step of 2 like the others.")
    if name == "great-britain-inexperienced-infantry-section":
        unit["points"] = {"inexperienced": 35}
        unit["points_per_extra_model"] = {"inexperienced": 7}
        notes.append(
            "experience: the facts mark the section regular; inexperienced taken, as its name and its price say."
        )
    for gun in TURRET_GUNS.get(name, ()):
        special = [rule for rule in rows[gun]["special"] or () if rule not in ("Team", "Fixed")]
        rows[gun] |= {"profile": f"Turret-Mounted {gun}", "special": special}
        notes.append(f"weapons ({gun}): no mount in the facts; in the turret, as such guns of the tank's sisters are.")
    if name == "soviet-union-mk2-armoured-officer":
        for row in unit["options"]:
            if row["name"].startswith("Junior Lieutenant"):
                row |= {"points": 85, "default": True}
            if row["name"].startswith("Senior Lieutenant"):
                row |= {"points": 110, "default": False}
        notes.append(
            "ranks: the facts price the junior lieutenant at 110 and the senior at 85; swapped, the higher rank costs more everywhere else."
        )
    if name == "soviet-union-mk2-senior-armoured-officer":
        unit["points"]["veteran"] = 145
        next(row for row in unit["options"] if row["name"] == "Captain")["points"] = 145
        notes.append("points: the facts say 1 for the captain; 145 taken, 40 below the major like every captain.")
    if name == "soviet-union-m-42-anti-tank-gun":
        unit["points"]["inexperienced"] = 40
        notes.append("points, inexperienced: the facts say 92, above regular; 40 taken, ten below regular's 50.")
    if name == "finland-panzer-iv":
        rows["Turret-Mounted Schwerefeld Projektor"] |= {"count": None, "default": False}
        unit["options"].insert(
            0,
            {
                "name": "Turret-Mounted Heavy AT Gun",
                "points": 0,
                "group": "Main Weapon",
                "group_max": 1,
                "default": True,
            },
        )
        unit["options"].insert(
            1,
            {
                "name": "Turret-Mounted Schwerefeld Projektor",
                "points": 0,
                "group": "Main Weapon",
                "group_max": 1,
                "default": False,
            },
        )
        notes.append(
            "weapons: the facts force two turret guns on it; one of the two taken, the anti-tank gun unless chosen otherwise."
        )
    extra_model = unit["points_per_extra_model"] or {}
    if "fixed" in unit["points"] and extra_model and "fixed" not in extra_model:
        unit["points"] = dict.fromkeys(extra_model, unit["points"]["fixed"])
        notes.append("experience: one price for all in the facts; taken for each experience its extra men come in.")
    if "fixed" in unit["points"]:
        level = "regular" if unit["kind"] in ("artillery", "headquarters") else "veteran"
        unit["points"] = {level: unit["points"]["fixed"]}
        if unit["points_per_extra_model"]:
            unit["points_per_extra_model"] = {level: unit["points_per_extra_model"]["fixed"]}
        notes.append(
            f"experience: none in the facts; {level} taken, {'as crews and medics usually are' if level == 'regular' else 'as picked troops are'}."
        )
    if unit["composition"]["min"] is None:
        mortar = "mortar" in name
        unit["composition"] = {"min": 4, "max": 5, "crew": 4} if mortar else {"min": 2, "max": 2, "crew": 2}
        notes.append(
            f"models: none in the facts; {'4 and an optional spotter' if mortar else '2'} taken, as the same team of other nations has."
        )
    if name in ("germany-nebelwerfer", "soviet-union-katyusha"):
        title = "Nebelwerfer" if "nebel" in name else "Katyusha"
        unit["weapons"].append({"name": title, "profile": "Multiple Launcher", "count": 1, "special": None})
        unit["options"] = [row for row in unit["options"] if row["name"] != "Katyusha"]
        notes.append(
            f"weapons, options ({title}): named without numbers in the facts; those of the multiple launcher taken."
        )
    if name == "germany-panzerwerfer-42":
        unit["weapons"].append(
            {
                "name": "Forward-Facing Nebelwerfer",
                "profile": "Multiple Launcher",
                "count": 1,
                "special": None,
            }
        )
        notes.append(
            "weapons (Forward-Facing Nebelwerfer): named without numbers in the facts; those of the multiple launcher taken."
        )
    if name == "united-states-m3a2-pondskater-scout-walker" and not unit["special_rules"]:
        unit["special_rules"] = ["Agile", "Open-Topped", "Walker", "Recce"]
        unit["vehicle"][0]["variant"] = None
        unit["options"] = [row for row in unit["options"] if row.get("group") != "Walkers"]
        for row in unit["options"]:
            if row.get("for") == unit["name"]:
                del row["for"]
        unit["options"] = [
            {
                "name": "360-Degree Pintle-Mounted HMG",
                "points": 0,
                "group": "Loadout",
                "max": 1,
                "group_max": 2,
                "default": True,
            },
            {"name": "360-Degree Pintle-Mounted Dual HMG", "points": 25, "group": "Loadout", "max": 1, "group_max": 2},
            {
                "name": "Casement-Mounted Forward-Facing Light AT Gun",
                "points": 30,
                "group": "Loadout",
                "max": 1,
                "group_max": 2,
            },
            *({**row, "conditional": True} for row in COMMAND),
        ]
        notes.append(
            "skills and options: the facts give none to the unit, only to the walker inside it; the walker's taken."
        )
    two_modes = {
        "Grenade Launcher (HE)": "Shaped Charge",
        "Heavy Tesla Rifle (Single Shot Mode)": "Assault",
        "Dual Weapon Pack (Heavy Weapon)": "Assault",
    }
    standard = {
        "great-britain-officer": {"Soldier": "Pistol"},
        "great-britain-senior-officer": {"Soldier": "Rifle", "Major": "Rifle"},
        "soviet-union-forward-artillery-observer": {"Regular Soldier": "Pistol", "Veteran Soldier": "Pistol"},
    }
    for carrier, weapon_name in standard.get(unit["id"], {}).items():
        for row in unit["options"]:
            if row.get("for") == carrier and row.get("group") == "Weapon":
                row["default"] = row["name"] == weapon_name
        notes.append(f"options ({carrier}): the facts take another standard weapon than the file; {weapon_name} taken.")
    if "exoskeleton" in unit["id"]:
        for row in unit["options"]:
            if row["name"].startswith("Soldier"):
                row["model"] = True
    if unit["id"] == "italy-usa-marine-squad":
        next(row for row in unit["options"] if row["name"] == "Pistol")["group_max"] = 3
        notes.append("options (Pistol): the facts leave out that three may be taken.")
    for row in unit["weapons"]:
        if "paragon" in unit["id"] and row["name"] in ("Axe", "Sword", "Knives") and row["special"]:
            notes.append(
                f"{row['name']} rules: the facts add the rules of the figure that wields it; left with the figure."
            )
            row["special"] = None
            row["profile"] = "Paragon Sword" if row["name"] == "Sword" else None
    for row in unit["weapons"]:
        extra = two_modes.get(row["name"])
        if extra and row["special"] and extra in row["special"]:
            row["special"] = [rule for rule in row["special"] if rule != extra]
            notes.append(f"{row['name']} rules: the facts add {extra}, a rule of its other mode; left out.")
    choosing = [row for row in unit["options"] if row.get("choose") and row.get("for")]
    for row in choosing:
        group = [one for one in choosing if one["for"] == row["for"] and one["group"] == row["group"]]
        if not any(one.get("default") for one in group):
            plain_one = min(
                group, key=lambda one: str(one["points"]) if isinstance(one["points"], dict) else f"{one['points']:05}"
            )
            plain_one["default"] = True
            notes.append(
                f"options ({row['for']}): the facts mark no standard {row['group']}; {plain_one['name']} taken, whose price the carrier's includes."
            )
    for weapon_name in unit.get("default_without_minimum", ()):
        notes.append(f"{weapon_name}: free of charge but not compulsory in the facts; taken as standard equipment.")
    if any(row.get("profile", row["name"]) == "Arm-Mounted Light Automatic Cannon" for row in unit["weapons"]):
        notes.append(
            "weapons (Arm-Mounted Light Automatic Cannon): the facts give a machine gun's numbers; the light automatic cannon's taken."
        )
        for row in unit["weapons"]:
            if row.get("profile") == "Arm-Mounted Light Automatic Cannon":
                row["special"] = None
    if any(row["name"] == "Hull-Mounted Forward-Facing Medium Howitzer" for row in unit["weapons"]):
        notes.append(
            "Hull-Mounted Forward-Facing Medium Howitzer: the facts say HE (D6); HE (2D6) taken, as every other medium howitzer has."
        )
        for row in unit["weapons"]:
            if row["name"] == "Hull-Mounted Forward-Facing Medium Howitzer":
                row["special"] = [("HE (2D6)" if rule == "HE (D6)" else rule) for rule in row["special"]]
    return unit


def listed(prices: Card) -> str:
    return "/".join(str(price) for price in prices.values() if price is not None)


def hull(unit: Card, vehicle_class: str, value: int, mode: str) -> None:
    advance, run = RATES[mode]
    movement = {"advance": advance, "run": run, "mode": mode}
    unit["vehicle"] = [
        {
            "variant": None,
            "class": vehicle_class,
            "damage_value": f"{value}+",
            "movement": movement,
            "transport": None,
            "tow": None,
        }
    ]


def vehicle(unit: Card, row: Card, notes: list[str]) -> Card:
    move = row["movement"]
    if move is None:
        mode = mode_of(unit["id"], row["variant"] or "")
        advance, run = RATES[mode]
        move = {"advance": advance, "run": run, "mode": mode}
        note = f'movement: blank in the facts; {mode.replace("_", "-")}, {advance}" and {run}", taken from what the vehicle is.'
        if note not in notes:
            notes.append(note)
    out = {
        "vehicle_class": CLASSES.get(row["class"], row["class"]),
        "damage_value": int(row["damage_value"].rstrip("+")),
    }
    out |= {"mode": move["mode"], "advance": move["advance"], "run": move["run"]}
    if row["variant"]:
        out["variant"] = row["variant"]
    if row["transport"] is not None:
        out["transport"] = row["transport"]
    if row["tow"] and row["tow"] != ["none"]:
        out["tow"] = row["tow"]
    return out


def mode_of(unit_id: str, variant: str) -> str:
    if variant.startswith("Wheeled"):
        return "wheeled"
    if variant.startswith("Tracked"):
        return "tracked"
    if any(word in unit_id for word in HALF_TRACKS):
        return "half_tracked"
    return "tracked" if any(word in unit_id for word in TRACKED) else "wheeled"


def weapon(row: Card, by_name: dict[str, Card]) -> Card:
    out: Card = {"name": row["name"]}
    if row["count"]:
        out["count"] = row["count"]
    if row.get("profile"):
        out["profile"] = row["profile"]
    profile = by_name[row.get("profile") or row["name"]]
    if row["special"] is not None and row["special"] != profile["rules"]:
        extra = [rule for rule in row["special"] if rule not in profile["rules"]]
        if profile["rules"] + extra == row["special"]:
            out["rules"] = extra
        else:
            out["all_rules"] = row["special"]
    return out


def options(unit: Card) -> tuple[list[Card], list[str]]:
    """The unit's options; the three of armoured platoons, the same everywhere, become a shared set."""
    rows = [option(row) for row in unit["options"]]
    rows = [row for row in rows if row.get("for") != "Command Vehicle"]
    if all(row in rows for row in COMMAND):
        return [row for row in rows if row not in COMMAND], ["command"]
    return rows, []


def option(row: Card) -> Card:
    out: Card = {"name": row["name"], "points": row["points"]}
    for key, ours in (
        ("group", "group"),
        ("for", "for"),
        ("points_flat", "points_flat"),
        ("max", "max"),
        ("group_max", "group_max"),
    ):
        if row.get(key) is not None:
            out[ours] = row[key]
    if row.get("per") == "model":
        out["per_model"] = True
    if row.get("default"):
        out["default"] = True
    if row.get("model"):
        out["adds_model"] = True
    if row.get("conditional"):
        out["conditional"] = True
    for key in ("weapons", "grants"):
        if row.get(key):
            out[key] = row[key]
    return out


def rank(row: Card) -> Card:
    number = re.compile(r"\d+")
    return {
        "title": row["title"],
        "rank": row["rank"],
        **{key: int(number.search(str(row[key]))[0]) for key in ("morale_bonus", "extra_orders", "range")},  # type: ignore[index]
    }


def weapons_text(rows: list[Card]) -> str:
    lines = ",\n".join("    " + plain(row) for row in rows)
    return f'{{\n  "ruleset": "konflikt47",\n  "source": {plain(SOURCE)},\n  "profiles": [\n{lines}\n  ]\n}}\n'


def file_text(nation: str, cards: list[Card]) -> str:
    command = ",\n".join("    " + plain(row) for row in COMMAND)
    body = ",\n".join(entry(one, "    ") for one in cards)
    head = f'{{\n  "ruleset": "konflikt47",\n  "nation": {plain(nation)},\n  "source": {plain(SOURCE)},\n'
    return head + f'  "option_sets": {{"command": [\n{command}\n  ]}},\n  "cards": [\n{body}\n  ]\n}}\n'


def entry(one: Card, pad: str) -> str:
    """A card: facts on few lines, then one weapon, option, hull or note per line."""
    groups = (
        ("id", "name"),
        ("kind", "category", "categories", "max_in_army", "borrowed_from", "unlisted"),
        ("points", "models_min", "models_max", "crew"),
        ("skills", "model_skills"),
    )
    parts = []
    for group in groups:
        line = ", ".join(f'"{key}": {plain(one[key])}' for key in group if key in one)
        if line:
            parts.append(line)
    for key in ("vehicles", "weapons", "options", "ranks", "notes"):
        if one.get(key):
            rows = (",\n" + pad + "    ").join(plain(row) for row in one[key])
            parts.append(f'"{key}": [\n{pad}    {rows}]')
    if "option_sets" in one:
        parts.append(f'"option_sets": {plain(one["option_sets"])}')
    return pad + "{" + f",\n{pad}  ".join(parts) + "}"


def plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
