"""Dust cards as they are shown: values, skills, soldiers, and the table of dice against every class of armour."""

from __future__ import annotations

import msgspec

from dieselfront.forces.card_face import CardFace, Choices, Figure, OptionFace, Remark, WeaponFace
from dieselfront.forces.dust import ARMOUR_CLASSES, Cell, DustCard, DustWeapon

COLUMNS = (("Range",), *(tuple(name for name in ARMOUR_CLASSES if name[0] == letter) for letter in "SVA"))
LEGEND = "Dice / damage for each class of armour. * is a blast, # destroys outright, C is close combat."


def dust_face(card: DustCard) -> CardFace:
    """The card as printed."""
    kinds = dict.fromkeys([card.kind, card.locomotion.replace("_", "-")])
    size = f", {card.size}" if card.size != "standard" else ""
    is_hero = card.kind == "hero" and card.is_infantry
    return CardFace(
        headline=f"{card.bloc}, {', '.join(card.factions) or 'bloc unit'}; {', '.join(kinds)}{size}",
        price=f"{card.points} AP",
        figures=tuple(figures(card)),
        rules_word="Skills",
        rules=tuple(map(str, card.skills)),
        columns=COLUMNS,
        weapons=tuple(map(weapon_face, card.weapons)),
        members=() if card.kind == "hero" else tuple(members(card)),
        track=card.damage or card.models,
        options=tuple(
            OptionFace(option.id, option.name, f"{option.points} AP", group=option.group) for option in card.options
        ),
        choices=Choices(joins=is_hero, pilots=is_hero, rides=card.is_infantry),
        remarks=tuple(remarks(card)),
        legend=LEGEND if card.weapons else "",
    )


def figures(card: DustCard) -> list[Figure]:
    strength = Figure("Damage", str(card.damage)) if card.damage else Figure("Soldiers", str(card.models))
    return [
        Figure("Armour", card.armour_class),
        Figure("Move", str(card.move)),
        Figure("March", str(card.march)),
        strength,
    ]


def with_lengths(face: CardFace, per_point: int, unit: str) -> CardFace:
    """The face for a measured table: what a point of movement comes to stands beside it."""
    measured = tuple(
        Figure(figure.name, f"{figure.value} ({int(figure.value) * per_point}{unit})")
        if figure.name in ("Move", "March")
        else figure
        for figure in face.figures
    )
    legend = f"{face.legend} A point of range or movement is {per_point}{unit}.".strip()
    return msgspec.structs.replace(face, figures=measured, legend=legend)


def members(card: DustCard) -> list[str]:
    """The soldiers, each with what he carries."""
    return [
        f"{soldier.name}: {', '.join(card.weapons[line].name for line in soldier.weapons) or 'serves the gun'}"
        for soldier in card.soldiers
    ]


def remarks(card: DustCard) -> list[Remark]:
    lines: list[Remark] = []
    if card.max_in_army:
        lines.append(Remark("In an army", f"at most {card.max_in_army}"))
    if card.captured_ap is not None:
        lines.append(Remark("Captured", f"{card.captured_ap} AP by {', '.join(card.captured_by)}"))
    return lines


def weapon_face(weapon: DustWeapon) -> WeaponFace:
    details: list[str] = [weapon.mount] if weapon.mount else []
    details += [f"ammo {weapon.ammo}"] if weapon.ammo else []
    cells = [weapon.cells.get(name) for name in ARMOUR_CLASSES]
    return WeaponFace(
        name=weapon.name,
        count=weapon.count,
        details=tuple(details),
        rules=tuple(map(str, weapon.rules)),
        cells=(weapon.range_text, *(str(cell) if cell is not None else "-" for cell in cells)),
        spoken=(f"range {weapon.range_text}", *map(spoken, cells)),
    )


def spoken(cell: Cell | None) -> str:
    """A cell in words, for those who hear it."""
    if cell is None:
        return "cannot be attacked"
    dice = f"{cell.blast} blast" if cell.blast else f"{cell.dice} dice"
    return f"{dice}, {'destroys' if cell.kill else f'{cell.damage} damage'}"
