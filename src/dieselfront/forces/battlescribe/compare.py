"""Imported cards against shipped ones: every difference, and whether a note of the shipped card explains it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from dieselfront.forces.dust import DustCard, DustOption, DustWeapon


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


ASPECTS = {"count": ("ammo",), "all": ("weapons",)}


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
