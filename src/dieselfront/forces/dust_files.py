"""Dust card files: the format people write (JSON or YAML) and how it becomes cards (see docs/forces.md)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from dieselfront.forces import crews
from dieselfront.forces.dust import (
    ARMOUR_CLASSES,
    ArmourType,
    Cell,
    DustCard,
    DustOption,
    DustWeapon,
    Kind,
    Locomotion,
    Mount,
    Size,
    Soldier,
)
from dieselfront.forces.errors import Fault as Fault
from dieselfront.forces.skills import SkillRef, read_skill
from dieselfront.forces.skills import slug as slug

Count = Annotated[int, Meta(ge=0, le=1000)]
Positive = Annotated[int, Meta(ge=1, le=1000)]
Men = Annotated[int, Meta(ge=1, le=100)]
FEW = Meta(max_length=60)
"""No card has more weapon lines or skills than this."""
Name = Annotated[str, Meta(min_length=1, max_length=200)]
CardId = Annotated[str, Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=120)]
RangeText = Annotated[str, Meta(pattern=r"^(C|\d{1,3}|\d{1,3}-\d{1,3})$", description="C, 6 or 4-12")]
CellText = Annotated[
    str,
    Meta(
        pattern=r"^(-|(\*{1,4}|\d{1,2})/(#|\d{1,2}))$",
        description="dice/damage; * is a blast symbol, # the automatic-kill symbol, - cannot attack",
    ),
]
ArmourText = Annotated[str, Meta(pattern=r"^(S[1-4]|V[1-7]|A[1-3])$", description="S1 to S4, V1 to V7, A1 to A3")]


class WeaponEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A weapon line as written in a card file. Without range and table it stands for the file's weapon of
    that name."""

    name: Name
    vs: dict[str, CellText] | None = None
    range: RangeText | Count | None = None
    count: Positive = 1
    mount: Mount | None = None
    rules: tuple[Name, ...] = ()
    ammo: Positive | None = None


class SoldierEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A soldier, where a card tells itself who carries what (weapons by place, the first is 0)."""

    name: Name
    roles: tuple[Literal["leader", "officer", "radio", "medic", "mechanic", "spotter", "shield", "commissar"], ...] = ()
    weapons: tuple[Count, ...] = ()


class OptionEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Something the unit may buy."""

    name: Name
    group: Name
    points: Count
    armour: ArmourText | None = None
    move: Count = 0
    march: Count = 0
    skills: Annotated[tuple[Name, ...], FEW] = ()
    weapons: Annotated[tuple[WeaponEntry, ...], FEW] = ()


class CardEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A unit as written in a card file."""

    id: CardId
    name: Name
    kind: Kind
    armour: ArmourText
    move: Count
    march: Count
    points: Count
    bloc: Name | None = None
    damage: Annotated[int, Meta(ge=0, le=100)] = 0
    models: Men | None = None
    subtitle: str | None = None
    factions: tuple[Name, ...] = ()
    bloc_wide: bool = True
    unique: bool = False
    max_in_army: Positive | None = None
    captured_by: tuple[Name, ...] = ()
    captured_ap: Count | None = None
    variant_of: Name | None = None
    alternate_profile: bool = False
    locomotion: Locomotion | None = None
    size: Size | None = None
    skills: Annotated[tuple[Name, ...], FEW] = ()
    weapons: Annotated[tuple[WeaponEntry, ...], FEW] = ()
    soldiers: Annotated[tuple[SoldierEntry, ...], Meta(max_length=100)] = ()
    options: Annotated[tuple[OptionEntry, ...], FEW] | str = ()
    notes: tuple[str, ...] = ()
    source: str = ""


class CardFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A file of Dust cards: what all of them share, then the cards."""

    ruleset: Name
    cards: tuple[CardEntry, ...]
    bloc: Name | None = None
    source: str = ""
    weapons: tuple[WeaponEntry, ...] = ()
    option_sets: dict[str, tuple[OptionEntry, ...]] = {}


def read_card(
    entry: CardEntry,
    ruleset: str,
    bloc: str | None,
    source: str,
    option_sets: Mapping[str, tuple[OptionEntry, ...]],
    shared_weapons: Mapping[str, WeaponEntry],
) -> DustCard:
    """Make the card that an entry describes; raises `Fault` for values that cannot be."""
    armour_type, armour = read_armour(entry.armour)
    skills = tuple(read_skill(text) for text in entry.skills)
    weapons = read_weapons(tuple(shared_weapon(one, shared_weapons) for one in entry.weapons), "weapons")
    is_support = entry.kind == "support" or any(ref.name == "Support Weapon" for ref in skills)
    if is_support:
        weapons = mark_crewed(weapons)
    home = entry.bloc or bloc
    if home is None:
        raise Fault("bloc", "missing; expected the bloc of the card or of its whole file")
    check_track(entry, is_support)
    return DustCard(
        id=entry.id,
        name=entry.name,
        bloc=home,
        kind=entry.kind,
        armour_type=armour_type,
        armour=armour,
        move=entry.move,
        march=entry.march,
        damage=entry.damage,
        points=entry.points,
        locomotion=entry.locomotion or locomotion(entry.kind, armour_type, entry.move, skills),
        size=entry.size or size(skills),
        ruleset=ruleset,
        factions=entry.factions,
        bloc_wide=entry.bloc_wide,
        unique=entry.unique or is_named_pilots(entry.kind, skills),
        max_in_army=1 if entry.unique or is_named_pilots(entry.kind, skills) else entry.max_in_army,
        skills=skills,
        weapons=weapons,
        soldiers=read_soldiers(entry, armour_type, armour, skills, weapons, is_support),
        options=read_options(entry.options, option_sets),
        captured_by=entry.captured_by,
        captured_ap=entry.captured_ap,
        variant_of=entry.variant_of,
        alternate_profile=entry.alternate_profile,
        subtitle=entry.subtitle,
        notes=entry.notes,
        source=entry.source or source,
    )


def check_track(entry: CardEntry, is_support: bool) -> None:
    """Squads count soldiers, everything else has a damage track."""
    if entry.kind == "infantry" and not is_support:
        if entry.models is None and not entry.soldiers:
            raise Fault("models", "missing; expected the number of soldiers of the squad")
        if entry.damage:
            raise Fault("damage", "a squad has no damage track; expected 0 or nothing")
    elif entry.damage < 1:
        raise Fault("damage", f"missing; expected the capacity of the damage track of the {entry.kind}")


def read_armour(text: str) -> tuple[ArmourType, int]:
    letter: ArmourType = "S" if text[0] == "S" else "V" if text[0] == "V" else "A"
    return letter, int(text[1:])


def read_soldiers(
    entry: CardEntry,
    armour_type: ArmourType,
    armour: int,
    skills: tuple[SkillRef, ...],
    weapons: tuple[DustWeapon, ...],
    is_support: bool,
) -> tuple[Soldier, ...]:
    """The soldiers as the card tells them, or derived from its weapons; none for vehicles and aircraft."""
    if entry.soldiers:
        for place, soldier in enumerate(entry.soldiers):
            if any(line >= len(weapons) for line in soldier.weapons):
                raise Fault(
                    f"soldiers[{place}].weapons",
                    f"expected places below {len(weapons)}, the number of weapon lines",
                )
        return tuple(Soldier(one.name, one.roles, one.weapons) for one in entry.soldiers)
    if armour_type != "S" or entry.kind in ("vehicle", "aircraft"):
        return ()
    if is_support:
        return crews.support_crew(entry.damage, weapons)
    if entry.kind == "infantry":
        return crews.squad(entry.models or 1, skills, armour, weapons)
    return crews.hero(skills, armour, weapons)


def shared_weapon(entry: WeaponEntry, shared: Mapping[str, WeaponEntry]) -> WeaponEntry:
    """A line that only names a weapon of the file takes its numbers from there."""
    known = shared.get(entry.name)
    if known is None or entry.vs is not None:
        return entry
    return WeaponEntry(
        name=entry.name,
        vs=known.vs,
        range=known.range if entry.range is None else entry.range,
        count=entry.count,
        mount=entry.mount or known.mount,
        rules=entry.rules or known.rules,
        ammo=entry.ammo or known.ammo,
    )


def read_weapons(entries: tuple[WeaponEntry, ...], field: str) -> tuple[DustWeapon, ...]:
    """Weapon lines with ids that are unique inside the card: name, mount if needed, number if still
    needed."""
    names = [slug(entry.name) for entry in entries]
    ids: list[str] = []
    for entry, name in zip(entries, names, strict=True):
        base = f"{name}-{entry.mount}" if names.count(name) > 1 and entry.mount else name
        ids.append(base if base not in ids else next(f"{base}-{n}" for n in range(2, 99) if f"{base}-{n}" not in ids))
    return tuple(
        read_weapon(weapon_id, entry, f"{field}[{place}]")
        for place, (weapon_id, entry) in enumerate(zip(ids, entries, strict=True))
    )


def read_weapon(weapon_id: str, entry: WeaponEntry, field: str) -> DustWeapon:
    if entry.vs is None or entry.range is None:
        missing = "vs" if entry.vs is None else "range"
        raise Fault(f"{field}.{missing}", f"missing; expected it here or in a weapon {entry.name!r} of the file")
    low, high, close = read_range(str(entry.range), field)
    return DustWeapon(
        id=weapon_id,
        name=entry.name,
        count=entry.count,
        cells=read_cells(entry.vs, field),
        range_min=low,
        range_max=high,
        close=close,
        mount=entry.mount,
        rules=tuple(read_skill(text) for text in entry.rules),
        ammo=entry.ammo,
    )


def read_range(text: str, field: str) -> tuple[int, int, bool]:
    """C is close combat; 6 reaches to 6; 4-12 has a minimum."""
    if text == "C":
        return 0, 0, True
    low, dash, high = text.partition("-")
    if not dash:
        return 0, int(low), False
    if int(low) > int(high):
        raise Fault(f"{field}.range", f"{text} is upside down; expected minimum-maximum such as 4-12")
    return int(low), int(high), False


def read_cells(vs: dict[str, str], field: str) -> dict[str, Cell]:
    """The weapon table; a dash or no entry at all means: cannot attack that class."""
    for name in vs:
        if name not in ARMOUR_CLASSES:
            raise Fault(f"{field}.vs", f"{name!r} is no armour class; expected S1-S4, V1-V7 or A1-A3")
    return {name: read_cell(vs[name]) for name in ARMOUR_CLASSES if vs.get(name, "-") != "-"}


@lru_cache(maxsize=1024)
def read_cell(text: str) -> Cell:
    dice, _, damage = text.partition("/")
    blast = dice.count("*")
    return Cell(
        dice=0 if blast else int(dice),
        blast=blast,
        damage=0 if damage == "#" else int(damage),
        kill=damage == "#",
    )


def mark_crewed(weapons: tuple[DustWeapon, ...]) -> tuple[DustWeapon, ...]:
    line = crews.support_line(weapons)
    return tuple(
        msgspec.structs.replace(weapon, crewed=True) if place == line else weapon
        for place, weapon in enumerate(weapons)
    )


def read_options(
    options: tuple[OptionEntry, ...] | str, option_sets: Mapping[str, tuple[OptionEntry, ...]]
) -> tuple[DustOption, ...]:
    """Options written out, or the name of a set that several cards of the file share."""
    if isinstance(options, str):
        if options not in option_sets:
            raise Fault(
                "options",
                f"no option set {options!r}; expected one of {', '.join(option_sets) or 'none given'}",
            )
        options = option_sets[options]
    return tuple(read_option(entry, f"options[{place}]") for place, entry in enumerate(options))


def read_option(entry: OptionEntry, field: str) -> DustOption:
    armour_type, armour = read_armour(entry.armour) if entry.armour else (None, 0)
    return DustOption(
        id=slug(entry.name),
        group=entry.group,
        name=entry.name,
        points=entry.points,
        adds_soldier=entry.armour is not None,
        armour_type=armour_type,
        armour=armour,
        move=entry.move,
        march=entry.march,
        skills=tuple(read_skill(text) for text in entry.skills),
        weapons=read_weapons(entry.weapons, f"{field}.weapons"),
    )


def is_named_pilots(kind: str, skills: tuple[SkillRef, ...]) -> bool:
    """A vehicle with "Pilot: Name" is unique (d47.skill.pilot_name)."""
    return kind in ("vehicle", "aircraft") and any(ref.name == "Pilot" and ref.argument for ref in skills)


def locomotion(kind: str, armour_type: str, move: int, skills: tuple[SkillRef, ...]) -> Locomotion:
    """How the unit gets about. Cards name tracks, wheels and keels; a vehicle that names none walks."""
    names = {ref.name for ref in skills}
    if kind == "aircraft" or armour_type == "A":
        return "aircraft"
    if kind == "fortification":
        return "immobile" if move == 0 else "infantry"
    if kind != "vehicle":
        return "infantry"
    if "Naval Unit" in names:
        return "naval"
    if "Half-Tracked" in names:
        return "half_tracked"
    if "Tracked" in names:
        return "tracked"
    return "wheeled" if "Wheeled" in names else "walker"


def size(skills: tuple[SkillRef, ...]) -> Size:
    names = {ref.name for ref in skills}
    return "huge" if "Huge Vehicle" in names else "large" if "Large Vehicle" in names else "standard"
