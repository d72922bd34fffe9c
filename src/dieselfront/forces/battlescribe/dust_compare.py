"""Imported Dust cards against shipped ones, value by value."""

from __future__ import annotations

from dieselfront.forces.battlescribe.compare import Differ, Difference, explanation
from dieselfront.forces.dust import DustCard, DustOption, DustWeapon

FIELDS = (
    *("name", "bloc", "kind", "armour_class", "move", "march", "damage", "points", "bloc_wide", "unique"),
    *("max_in_army", "captured_ap", "captured_by", "models", "size", "locomotion"),
)
ALIASES = {"armour_class": "armour", "max_in_army": "unique"}


def dust_differences(card: DustCard, ours: DustCard) -> list[Difference]:
    differences: list[Difference] = []

    def differ(field: str, theirs: object, mine: object) -> None:
        if theirs != mine:
            differences.append(Difference(card.id, field, str(theirs), str(mine), explanation(field, ours.notes)))

    for field in FIELDS:
        differ(ALIASES.get(field, field), getattr(card, field), getattr(ours, field))
    differ("factions", sorted(card.factions), sorted(ours.factions))
    differ("skills", sorted(map(str, card.skills)), sorted(map(str, ours.skills)))
    compare_weapons(card.weapons, ours.weapons, differ)
    compare_options(card.options, ours.options, differ)
    return differences


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
    def option_facts(option: DustOption) -> tuple[object, ...]:
        weapons = [(one.name, one.count, one.range_text, sorted(one.cells.items(), key=str)) for one in option.weapons]
        return (option.group, option.name, option.points, option.armour, sorted(map(str, option.skills)), weapons)

    differ("options", sorted(map(option_facts, theirs), key=str), sorted(map(option_facts, mine), key=str))
