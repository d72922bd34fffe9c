"""Imported Konflikt '47 cards against shipped ones, value by value."""

from __future__ import annotations

import re

import msgspec

from dieselfront.forces.battlescribe.compare import Differ, Difference, explanation
from dieselfront.rulesets.konflikt47.army.cards import KonfliktCard, KonfliktOption, KonfliktVehicle, KonfliktWeapon

KONFLIKT_FIELDS = ("name", "nation", "kind", "crew", "max_in_army", "borrowed_from", "unlisted", "damage_values")


def konflikt_differences(card: KonfliktCard, ours: KonfliktCard) -> list[Difference]:
    differences: list[Difference] = []

    def differ(field: str, theirs: object, mine: object) -> None:
        if theirs != mine:
            differences.append(Difference(card.id, field, str(theirs), str(mine), explanation(field, ours.notes)))

    for field in KONFLIKT_FIELDS:
        differ(field, getattr(card, field), getattr(ours, field))
    differ("points", card.points, ours.points)
    differ("models", (card.models_min, card.models_max), (ours.models_min, ours.models_max))
    differ(
        "categories", sorted(card.categories), sorted(ours.categories or ((ours.category,) if ours.category else ()))
    )
    differ("vehicle", sorted(map(hull, card.vehicles)), sorted(map(hull, ours.vehicles)))
    differ("skills", sorted({str(ref) for ref in card.skills}), sorted({str(ref) for ref in ours.skills}))
    differ("model_skills", sorted(map(str, card.model_skills)), sorted(map(str, ours.model_skills)))
    differ("ranks", sorted(map(str, card.ranks)), sorted(map(str, ours.ranks)))
    compare_unit_weapons(card, ours, differ)
    compare_unit_options(card, ours, differ)
    return differences


def hull(vehicle: KonfliktVehicle) -> str:
    """A hull in words that do not depend on commas."""
    tow = re.sub(r"[^a-z]+", " ", " ".join(vehicle.tow)).strip()
    return str(msgspec.structs.replace(vehicle, tow=(tow,)))


def compare_unit_weapons(card: KonfliktCard, ours: KonfliktCard, differ: Differ) -> None:
    theirs = {weapon_key(one): one for one in card.weapons}
    mine = {weapon_key(one): one for one in ours.weapons}
    if sorted(theirs) != sorted(mine):
        lone = {key[0] for key in theirs.keys() ^ mine.keys()}
        both = {key[0] for key in theirs} & {key[0] for key in mine}
        for name in sorted(lone):
            field = f"{name} / rules" if name in both else "weapons"
            differ(field, [key for key in theirs if key[0] == name], [key for key in mine if key[0] == name])
    for key in sorted(theirs.keys() & mine.keys()):
        differ(f"{key[0]} / count", theirs[key].count, mine[key].count)
        differ(f"{key[0]} / numbers", numbers(theirs[key]), numbers(mine[key]))


def weapon_key(weapon: KonfliktWeapon) -> tuple[str, ...]:
    return (weapon.name, *sorted(map(str, weapon.rules)))


def numbers(weapon: KonfliktWeapon) -> tuple[str | None, ...]:
    return (weapon.range_text, weapon.shots, weapon.pen_text, weapon.he)


def compare_unit_options(card: KonfliktCard, ours: KonfliktCard, differ: Differ) -> None:
    def name_and_cost(option: KonfliktOption) -> tuple[str, str, str]:
        return (option.for_model or "", option.group or "", option.name)

    theirs = {name_and_cost(one): one for one in card.options}
    mine = {name_and_cost(one): one for one in ours.options}
    if sorted(theirs) != sorted(mine):
        extra = sorted(set(theirs) - set(mine)), sorted(set(mine) - set(theirs))
        differ("options", f"has {extra[0]}", f"has {extra[1]}")
    for key in sorted(theirs.keys() & mine.keys()):
        differ(f"options / {key[2]}", terms(theirs[key]), terms(mine[key]))


def terms(one: KonfliktOption) -> tuple[object, ...]:
    """What an option costs and how often it may be taken."""
    return (one.points, one.max, one.group_max, one.per_model, one.default, one.adds_model)
