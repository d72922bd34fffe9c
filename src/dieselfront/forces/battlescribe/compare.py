"""Imported cards against shipped ones: every difference, and whether a note of the shipped card explains it."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from dieselfront.forces.dust import DustCard, DustOption, DustWeapon
from dieselfront.forces.konflikt import KonfliktCard, KonfliktOption, KonfliktVehicle


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
    for note in notes:
        head = note.partition(":")[0].lower()
        if all(mentions(head, word) for word in words) or head == words[0]:
            return note
    return ""


ASPECTS = {
    "count": ("ammo", "weapons"),
    "damage_values": ("experience", "vehicle"),
    "points": ("experience",),
    "points_per_extra_model": ("experience",),
    "options": ("experience", "weapons", "ranks"),
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


def compare_weapons(theirs: tuple[DustWeapon, ...], mine: tuple[DustWeapon, ...], differ) -> None:  # type: ignore[no-untyped-def]
    names = [one.name for one in theirs], [one.name for one in mine]
    if sorted(names[0]) != sorted(names[1]):
        differ("weapons", sorted(names[0]), sorted(names[1]))
        return
    key = lambda one: (one.name, one.mount or "", one.range_max)  # noqa: E731
    for one, other in zip(sorted(theirs, key=key), sorted(mine, key=key), strict=True):
        differ(f"{one.name} / range", one.range_text, other.range_text)
        differ(f"{one.name} / mount", one.mount, other.mount)
        differ(f"{one.name} / count", one.count, other.count)
        differ(f"{one.name} / ammo", one.ammo, other.ammo)
        differ(f"{one.name} / rules", sorted(map(str, one.rules)), sorted(map(str, other.rules)))
        for armour in dict.fromkeys((*one.cells, *other.cells)):
            differ(f"{one.name} / {armour}", str(one.cells.get(armour)), str(other.cells.get(armour)))


def compare_options(theirs: tuple[DustOption, ...], mine: tuple[DustOption, ...], differ) -> None:  # type: ignore[no-untyped-def]
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
    differ("points_per_extra_model", card.points_per_extra_model, ours.points_per_extra_model)
    differ("models", (card.models_min, card.models_max), (ours.models_min, ours.models_max))
    differ("categories", sorted(card.categories), sorted(ours.categories or ((ours.category,) if ours.category else ())))
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


def compare_unit_weapons(card: KonfliktCard, ours: KonfliktCard, differ) -> None:  # type: ignore[no-untyped-def]
    theirs = {one.name: one for one in card.weapons}
    mine = {one.name: one for one in ours.weapons}
    if sorted(theirs) != sorted(mine):
        differ("weapons", sorted(theirs), sorted(mine))
    for name in theirs.keys() & mine.keys():
        one, other = theirs[name], mine[name]
        numbers = lambda w: (w.range_text, w.shots, w.pen_text, w.he, sorted(map(str, w.rules)))  # noqa: E731
        differ(f"{name} / numbers", numbers(one), numbers(other))
        differ(f"{name} / count", one.count, other.count)


def compare_unit_options(card: KonfliktCard, ours: KonfliktCard, differ) -> None:  # type: ignore[no-untyped-def]
    def told(option: KonfliktOption) -> tuple[str, str, str]:
        return (option.for_model or "", option.group or "", option.name)

    theirs = {told(one): one for one in card.options}
    mine = {told(one): one for one in ours.options}
    if sorted(theirs) != sorted(mine):
        extra = sorted(set(theirs) - set(mine)), sorted(set(mine) - set(theirs))
        differ("options", f"has {extra[0]}", f"has {extra[1]}")
    for key in sorted(theirs.keys() & mine.keys()):
        one, other = theirs[key], mine[key]
        parts = lambda o: (o.points, o.max, o.group_max, o.per_model, o.default, o.adds_model)  # noqa: E731
        differ(f"options / {key[2]}", parts(one), parts(other))
