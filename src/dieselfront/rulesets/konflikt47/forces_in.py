"""Forces in: army lists and catalogue cards as the rules read them (models with their weapons and roles)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dieselfront.rulesets.konflikt47.cards import BadCard, UnitCard, armour_class, read_card
from dieselfront.rulesets.konflikt47.charts import chart_weapon, firing_modes

GUN_SIZES = ("super-heavy", "heavy", "medium", "light")
NO_MODEL = ("rifle grenade", "panzerfaust", "luftfaust", "sword", "axe", "knife", "knives", "fist")


def read_unit(entry: Mapping[str, Any], supplement: bool = False) -> UnitCard:
    """A unit of a force: an inline card, or an entry of an army list that names a card of the catalogue."""
    card = entry.get("card")
    if isinstance(card, Mapping):
        return read_card(card, supplement)
    if card is None:
        return read_card(entry, supplement)
    return read_card(describe(entry), supplement)


def describe(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The plain description of an army list's unit."""
    from dieselfront.rulesets.konflikt47.army.cards import build
    from dieselfront.rulesets.konflikt47.army.units import konflikt_catalogue

    card = konflikt_catalogue()[str(entry["card"])]
    experience: str = entry.get("experience") or card.usual_experience
    options: Any = entry.get("options") or {}
    if not isinstance(options, Mapping):
        options = dict.fromkeys(options, 1)
    made = build(card, experience, entry.get("models"), options)
    rules = [text_of(ref) for ref in (*card.skills, *made.rules)]
    kind = kind_of(card)
    described: dict[str, Any] = {
        "id": card.id,
        "name": entry.get("name") or card.name,
        "kind": kind,
        "quality": experience,
        "nation": card.borrowed_from or card.nation,
        "rules": list(dict.fromkeys(rules)),
        "points": made.points,
        "squad": card.kind in ("infantry",),
        "lent": card.borrowed_from is not None and card.borrowed_from != card.nation,
    }
    weapons = [
        (weapon_name(weapon), made.weapons[weapon.id], [text_of(ref) for ref in weapon.rules])
        for weapon in card.weapons
        if weapon.id in made.weapons
    ]
    rank = rank_of(card, options)
    if rank:
        described["rank"] = rank
    if kind == "vehicle":
        described["vehicle"] = vehicle_of(card)
        described["men"] = [{"weapons": [named(name, notes) for name, count, notes in weapons for _ in range(count)]}]
        return described
    if kind == "artillery":
        described["gun"] = gun_size(card.name, [name for name, _, _ in weapons])
    described["men"] = crew(card, made.models, weapons, kind, bool(rank))
    return described


PASSED_ON = ("Gyro-Stabilised", "Gyro-Stabilisers", "Short Barrel", "75mm HE", "122mm HE", "20pdr HE", "HE")


def named(name: str, notes: list[str]) -> Any:
    """A weapon with the notes that change it."""
    kept = [note for note in notes if note in (*PASSED_ON, "Linked Weapons", "Linked Weapon", "Flak")]
    return {"name": name, "rules": kept} if kept else name


def text_of(ref: Any) -> str:
    return f"{ref.name} ({ref.argument})" if getattr(ref, "argument", None) else str(ref.name)


def kind_of(card: Any) -> str:
    if card.vehicles or card.kind in ("walker", "vehicle", "transport"):
        return "vehicle"
    if card.kind == "fortification":
        return "vehicle"
    return "artillery" if card.kind == "artillery" else "infantry"


def weapon_name(weapon: Any) -> str:
    """The name some chart knows: the entry's, or its profile's; one that tells the mount before one that does not."""
    charted = [(name, chart_weapon(name)) for name in (weapon.name, weapon.profile) if name]
    names = [(str(name), charted_weapon) for name, charted_weapon in charted if charted_weapon is not None]
    mounted = (name for name, charted_weapon in names if charted_weapon.arc != "all")
    return next(mounted, names[0][0] if names else str(weapon.name))


def vehicle_of(card: Any) -> dict[str, Any]:
    hull = card.vehicles[0] if card.vehicles else None
    if hull is None:
        return {"class": "medium tank"}
    return {
        "class": armour_class(hull.vehicle_class),
        "value": hull.damage_value,
        "mode": hull.mode.replace("_", "-"),
        "capacity": hull.transport or 0,
        "tow": tow_size(hull.tow),
    }


def tow_size(tow: tuple[str, ...]) -> str:
    """The heaviest gun the card says it can tow."""
    text = " ".join(tow).lower()
    if not text or text == "none":
        return ""
    if "any" in text:
        return "super-heavy"
    return next((size for size in GUN_SIZES if size in text), "medium")


def gun_size(name: str, weapons: list[str]) -> str:
    """How heavy a gun is to push (k47.move.artillery)."""
    texts = " ".join([*weapons, name]).lower()
    if "heavy automatic" in texts:
        return "medium"
    for size in GUN_SIZES:
        if size in texts.replace("-mounted", ""):
            return size
    return "medium"


def rank_of(card: Any, options: Mapping[str, int]) -> str:
    """The rank bought, or the lowest the card offers."""
    if not card.ranks:
        return ""
    taken = {option.name for option in card.options if options.get(option.id)}
    for rank in card.ranks:
        if rank.title in taken:
            return str(rank.rank).lower()
    return str(card.ranks[0].rank).lower()


def crew(
    card: Any, models: int, weapons: list[tuple[str, int, list[str]]], kind: str, officer: bool
) -> list[dict[str, Any]]:
    """Who carries what: primary weapons make soldiers, second weapons are handed out in order."""
    team = kind == "artillery" or card.kind == "team"
    men: list[dict[str, Any]] = [{"weapons": []} for _ in range(max(1, models))]
    shooters = [(name, count) for name, count, _ in weapons if known(name)]
    if team and shooters:
        men[0]["gunner"] = True
        main = [name for name, _ in shooters]
        if any("sniper" in rule.name.lower() for rule in card.skills):
            for man, (name, _) in zip(men, shooters, strict=False):
                man["weapons"].append(name)
        else:
            men[0]["weapons"] += dedupe(main)
        for man in men[1:]:
            man["crew"] = True
        return men
    primaries = [name for name, count in shooters if name.lower() not in NO_MODEL for _ in range(count)]
    seconds = [name for name, count in shooters if name.lower() in NO_MODEL for _ in range(count)]
    for man, name in zip(men, primaries, strict=False):
        man["weapons"].append(name)
    spare = primaries[len(men) :] + seconds
    for number, name in enumerate(spare):
        men[(number + 1) % len(men)]["weapons"].append(name)
    first = men[0]
    if officer:
        first["officer"] = True
    elif card.kind == "infantry" and not card.has("No NCO in Unit"):
        first["nco"] = True
    if card.has("Medic"):
        first["medic"] = True
    if "observer" in card.name.lower() and "artillery" in card.name.lower():
        first["observer"] = True
    if card.kind == "character":
        first["character"] = True
    if card.has("War Dogs"):
        first["handler"] = True
    if card.has("Unarmed Soldier"):
        for man in men:
            if not man["weapons"]:
                man["unarmed"] = True
    return men


def dedupe(names: list[str]) -> list[str]:
    """Modes of one weapon are listed once; the chart brings all modes along."""
    kept: list[str] = []
    for name in names:
        modes = [mode.name for mode in firing_modes(name)]
        if not any(name in [mode.name for mode in firing_modes(other)] for other in kept) and modes:
            kept.append(name)
    return kept


def known(name: str) -> bool:
    return chart_weapon(name) is not None


__all__ = ["BadCard", "describe", "read_unit"]
