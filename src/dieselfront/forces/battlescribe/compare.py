"""Imported cards against shipped ones: every difference, and whether a note of the shipped card explains it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import msgspec

from dieselfront.forces.dust import DustCard, DustOption, DustWeapon
from dieselfront.forces.konflikt import KonfliktCard, KonfliktOption, KonfliktVehicle, KonfliktWeapon

Differ = Callable[[str, object, object], None]


class Difference(msgspec.Struct, frozen=True):
    """One value that differs. `explained` is the note that tells why, empty if none does."""

    card: str
    field: str
    imported: str
    shipped: str
    explained: str = ""

    def __str__(self) -> str:
        why = f" ({self.explained})" if self.explained else ""
        return f"{self.card}, {self.field}: imported {self.imported}, shipped {self.shipped}{why}"


def explanation(field: str, notes: Iterable[str]) -> str:
    """The note whose head (what stands before the colon) speaks of the field."""
    words = field.lower().split(" / ")
    return next((note for note in notes if explains(note.partition(":")[0].lower(), words)), "")


def explains(head: str, words: list[str]) -> bool:
    """Whether a note's head covers a field, or one aspect of a weapon or option."""
    subject, *aspect = words
    if not aspect:
        return mentions(head, subject)
    if subject == "options":
        return aspect[0] in head or any(word in head for word in ASPECTS["options"])
    return "weapons" in head or head == subject or (subject in head and mentions(head, aspect[0]))


ASPECTS = {
    "count": ("ammo", "weapons"),
    "damage_values": ("experience", "vehicle", "points"),
    "points": ("experience",),
    "options": ("experience", "weapons", "ranks", "points"),
    "crew": ("models",),
    "vehicle": ("movement",),
}
"""A note on the right-hand words also explains a difference in the left-hand one, which follows from it."""


def mentions(head: str, word: str) -> bool:
    return word in head or any(other in head for other in ASPECTS.get(word, ()))


def compare_dust(imported: Iterable[DustCard], shipped: dict[str, DustCard]) -> list[Difference]:
    """Every difference between Dust cards of the same id; cards that only one side has differ in `card`."""
    found: list[Difference] = []
    seen: set[str] = set()
    for card in imported:
        seen.add(card.id)
        ours = shipped.get(card.id)
        if ours is None:
            found.append(Difference(card.id, "card", card.name, "none"))
        else:
            found += dust_differences(card, ours)
    found += [Difference(card.id, "card", "none", card.name) for card in shipped.values() if card.id not in seen]
    return found


FIELDS = (
    *("name", "bloc", "kind", "armour_class", "move", "march", "damage", "points", "bloc_wide", "unique"),
    *("max_in_army", "captured_ap", "captured_by", "models", "size", "locomotion"),
)
ALIASES = {"armour_class": "armour", "max_in_army": "unique"}


def dust_differences(card: DustCard, ours: DustCard) -> list[Difference]:
    found: list[Difference] = []

    def differ(field: str, theirs: object, mine: object) -> None:
        if theirs != mine:
            found.append(Difference(card.id, field, str(theirs), str(mine), explanation(field, ours.notes)))

    for field in FIELDS:
        differ(ALIASES.get(field, field), getattr(card, field), getattr(ours, field))
    differ("factions", sorted(card.factions), sorted(ours.factions))
    differ("skills", sorted(map(str, card.skills)), sorted(map(str, ours.skills)))
    compare_weapons(card.weapons, ours.weapons, differ)
    compare_options(card.options, ours.options, differ)
    return found


def compare_weapons(theirs: tuple[DustWeapon, ...], mine: tuple[DustWeapon, ...], differ: Differ) -> None:
    names = [one.name for one in theirs], [one.name for one in mine]
    if sorted(names[0]) != sorted(names[1]):
        differ("weapons", sorted(names[0]), sorted(names[1]))
        return
    for one, other in zip(sorted(theirs, key=line_key), sorted(mine, key=line_key), strict=True):
        differ(f"{one.name} / range", one.range_text, other.range_text)
        differ(f"{one.name} / mount", one.mount, other.mount)
        differ(f"{one.name} / count", one.count, other.count)
        differ(f"{one.name} / ammo", one.ammo, other.ammo)
        differ(f"{one.name} / rules", sorted(map(str, one.rules)), sorted(map(str, other.rules)))
        for armour in dict.fromkeys((*one.cells, *other.cells)):
            differ(f"{one.name} / {armour}", str(one.cells.get(armour)), str(other.cells.get(armour)))


def line_key(one: DustWeapon) -> tuple[str, str, int]:
    return (one.name, one.mount or "", one.range_max)


def compare_options(theirs: tuple[DustOption, ...], mine: tuple[DustOption, ...], differ: Differ) -> None:
    def told(option: DustOption) -> tuple[object, ...]:
        weapons = [(one.name, one.count, one.range_text, sorted(one.cells.items(), key=str)) for one in option.weapons]
        return (option.group, option.name, option.points, option.armour, sorted(map(str, option.skills)), weapons)

    differ("options", sorted(map(told, theirs), key=str), sorted(map(told, mine), key=str))


# Konflikt '47


def compare_konflikt(imported: Iterable[KonfliktCard], shipped: dict[str, KonfliktCard]) -> list[Difference]:
    """Every difference between Konflikt '47 cards of the same id."""
    found: list[Difference] = []
    seen: set[str] = set()
    for card in imported:
        seen.add(card.id)
        ours = shipped.get(card.id)
        if ours is None:
            found.append(Difference(card.id, "card", card.name, "none"))
        else:
            found += konflikt_differences(card, ours)
    found += [Difference(card.id, "card", "none", card.name) for card in shipped.values() if card.id not in seen]
    return found


KONFLIKT_FIELDS = ("name", "nation", "kind", "crew", "max_in_army", "borrowed_from", "unlisted", "damage_values")


def konflikt_differences(card: KonfliktCard, ours: KonfliktCard) -> list[Difference]:
    found: list[Difference] = []

    def differ(field: str, theirs: object, mine: object) -> None:
        if theirs != mine:
            found.append(Difference(card.id, field, str(theirs), str(mine), explanation(field, ours.notes)))

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
    return found


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
    def told(option: KonfliktOption) -> tuple[str, str, str]:
        return (option.for_model or "", option.group or "", option.name)

    theirs = {told(one): one for one in card.options}
    mine = {told(one): one for one in ours.options}
    if sorted(theirs) != sorted(mine):
        extra = sorted(set(theirs) - set(mine)), sorted(set(mine) - set(theirs))
        differ("options", f"has {extra[0]}", f"has {extra[1]}")
    for key in sorted(theirs.keys() & mine.keys()):
        differ(f"options / {key[2]}", terms(theirs[key]), terms(mine[key]))


def terms(one: KonfliktOption) -> tuple[object, ...]:
    """What an option costs and how often it may be taken."""
    return (one.points, one.max, one.group_max, one.per_model, one.default, one.adds_model)
