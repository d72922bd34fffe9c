"""Konflikt '47 card files: the format people write (JSON or YAML) and how it becomes cards (see
docs/forces.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from dieselfront.forces.dust_files import FEW, CardId, Count, Men, Name, Positive
from dieselfront.forces.errors import Fault
from dieselfront.forces.skills import read_skill, slug
from dieselfront.rulesets.konflikt47.army.cards import (
    EXPERIENCES,
    TROOP_DAMAGE_VALUE,
    Arc,
    Experience,
    KonfliktCard,
    KonfliktKind,
    KonfliktOption,
    KonfliktVehicle,
    KonfliktWeapon,
    Mode,
    Prices,
    Rank,
)

Price = Annotated[int, Meta(ge=-1000, le=5000)]
RANGE_HELP = 'inches: 36", 6-18", 0/24-48" (from 0 direct, from 24 indirect), - for close combat'
PEN_HELP = "-, +2, HE, +1/+7 (against infantry/vehicles), Special"
PriceEntry = Price | dict[Experience, Price]
DamageValue = Annotated[int, Meta(ge=2, le=15)]


class ProfileEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The numbers of a weapon, shared by every unit that carries it."""

    name: Name
    range: Annotated[str, Meta(max_length=20, description=RANGE_HELP)] | Count = "-"
    shots: Annotated[str, Meta(max_length=40, description="a number or dice: 2, D6, 2D6-1")] | Count = "-"
    pen: Annotated[str, Meta(max_length=40, description=PEN_HELP)] | Price = "-"
    rules: tuple[Name, ...] = ()
    notes: tuple[str, ...] = ()


class UnitWeaponEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A weapon a unit can carry. `count` is what the plainest build has; no count means it is an option
    only."""

    name: Name
    count: Count = 0
    profile: Name | None = None
    rules: tuple[Name, ...] = ()
    all_rules: tuple[Name, ...] | None = None


class VehicleEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A hull."""

    vehicle_class: Name
    damage_value: DamageValue
    mode: Mode
    advance: Count
    run: Count
    variant: Name | None = None
    transport: Count | None = None
    tow: tuple[str, ...] = ()


class UnitOptionEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"for_model": "for"}):
    """A choice of the unit; see `KonfliktOption`."""

    name: Name
    points: PriceEntry
    group: Name | None = None
    for_model: Name | None = None
    per_model: bool = False
    points_flat: Count = 0
    max: Count | None = None
    group_max: Count | None = None
    default: bool = False
    adds_model: bool = False
    conditional: bool = False
    weapons: tuple[Name, ...] = ()
    grants: tuple[Name, ...] = ()


class RankEntry(msgspec.Struct, forbid_unknown_fields=True):
    """A rank of an officer."""

    title: Name
    rank: Name
    morale_bonus: Count
    extra_orders: Count
    range: Count


class UnitEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A unit as written in a card file."""

    id: CardId
    name: Name
    kind: KonfliktKind
    points: dict[Experience, Price]
    models_min: Men = 1
    models_max: Men | None = None
    nation: Name | None = None
    crew: Positive | None = None
    category: Name | None = None
    categories: tuple[Name, ...] = ()
    max_in_army: Positive | None = None
    borrowed_from: Name | None = None
    unlisted: bool = False
    skills: tuple[Name, ...] = ()
    model_skills: tuple[Name, ...] = ()
    vehicles: tuple[VehicleEntry, ...] = ()
    weapons: Annotated[tuple[UnitWeaponEntry, ...], FEW] = ()
    options: Annotated[tuple[UnitOptionEntry, ...], Meta(max_length=400)] = ()
    option_sets: tuple[Name, ...] = ()
    ranks: tuple[RankEntry, ...] = ()
    notes: tuple[str, ...] = ()
    source: str = ""


class UnitFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A file of Konflikt '47 cards: shared values, weapon profiles, option sets several units share, the
    units."""

    ruleset: Literal["konflikt47"]
    nation: Name | None = None
    source: str = ""
    profiles: tuple[ProfileEntry, ...] = ()
    option_sets: dict[str, tuple[UnitOptionEntry, ...]] = {}
    cards: tuple[UnitEntry, ...] = ()


def read_unit(
    entry: UnitEntry,
    nation: str | None,
    source: str,
    profiles: Mapping[str, ProfileEntry],
    option_sets: Mapping[str, tuple[UnitOptionEntry, ...]],
) -> KonfliktCard:
    """Make the card that an entry describes; raises `Fault` for values that cannot be."""
    home = entry.nation or nation
    if home is None:
        raise Fault("nation", "missing; expected the nation of the card or of its whole file")
    if not entry.points:
        raise Fault("points", "empty; expected a price for at least one experience")
    models_max = entry.models_max or entry.models_min
    if models_max < entry.models_min:
        raise Fault("models_max", f"{models_max} is below models_min {entry.models_min}")
    prices = in_order(entry.points)
    vehicles = tuple(read_vehicle(one) for one in entry.vehicles)
    return KonfliktCard(
        id=entry.id,
        name=entry.name,
        nation=home,
        kind=entry.kind,
        points=prices,
        models_min=entry.models_min,
        models_max=models_max,
        damage_values={level: vehicles[0].damage_value if vehicles else TROOP_DAMAGE_VALUE[level] for level in prices},
        category=entry.category,
        categories=entry.categories,
        crew=entry.crew,
        max_in_army=entry.max_in_army,
        vehicles=vehicles,
        skills=tuple(read_skill(text) for text in entry.skills),
        model_skills=tuple(read_skill(text) for text in entry.model_skills),
        weapons=read_unit_weapons(entry.weapons, profiles),
        options=read_unit_options(entry, option_sets),
        ranks=tuple(Rank(one.title, one.rank, one.morale_bonus, one.extra_orders, one.range) for one in entry.ranks),
        borrowed_from=entry.borrowed_from,
        unlisted=entry.unlisted,
        notes=entry.notes,
        source=entry.source or source,
    )


def in_order(prices: Mapping[Experience, int]) -> Prices:
    """Prices from the rawest experience up."""
    return {level: prices[level] for level in EXPERIENCES if level in prices}


def read_vehicle(entry: VehicleEntry) -> KonfliktVehicle:
    return KonfliktVehicle(
        entry.vehicle_class,
        entry.damage_value,
        entry.advance,
        entry.run,
        entry.mode,
        entry.variant,
        entry.transport,
        entry.tow,
    )


def read_unit_weapons(
    entries: tuple[UnitWeaponEntry, ...], profiles: Mapping[str, ProfileEntry]
) -> tuple[KonfliktWeapon, ...]:
    weapons: list[KonfliktWeapon] = []
    taken: set[str] = set()
    for place, entry in enumerate(entries):
        profile = profiles.get(entry.profile or entry.name)
        if profile is None:
            raise Fault(
                f"weapons[{place}]",
                f"no weapon profile named {entry.profile or entry.name!r}; expected one of the "
                "shipped profiles or one listed under profiles",
            )
        weapon_id = free_id(slug(entry.name), taken)
        weapons.append(read_unit_weapon(weapon_id, entry, profile, f"weapons[{place}]"))
    return tuple(weapons)


def read_unit_weapon(weapon_id: str, entry: UnitWeaponEntry, profile: ProfileEntry, field: str) -> KonfliktWeapon:
    low, indirect, high = read_inches(str(profile.range), field)
    names = entry.all_rules if entry.all_rules is not None else (*profile.rules, *entry.rules)
    rules = tuple(read_skill(name) for name in names)
    pen, pen_vehicle = read_pen(str(profile.pen))
    return KonfliktWeapon(
        id=weapon_id,
        name=entry.name,
        profile=profile.name,
        range_min=low,
        range_max=high,
        indirect_min=indirect,
        shots=str(profile.shots),
        pen=pen,
        pen_vehicle=pen_vehicle,
        he=next((ref.argument for ref in rules if ref.name == "HE"), None),
        rules=rules,
        count=entry.count,
        default=entry.count > 0,
        arc=read_arc(entry.name),
    )


@lru_cache(maxsize=512)
def read_inches(text: str, field: str = "range") -> tuple[int, int | None, int]:
    """Least range, least indirect range, greatest range: 36", 6-18", 0/24-48", - for close combat."""
    plain = text.replace('"', "").replace(" ", "")
    if plain in ("-", ""):
        return 0, None, 0
    match = re.fullmatch(r"(?:(\d+)/)?(?:(\d+)-)?(\d+)", plain)
    if match is None:
        raise Fault(f"{field}.range", f"{text!r} is no range; expected inches such as 36, 6-18 or 0/24-48")
    direct, low, high = match.groups()
    if direct is not None:
        return int(direct), int(low) if low else None, int(high)
    return int(low) if low else 0, None, int(high)


@lru_cache(maxsize=64)
def read_pen(text: str) -> tuple[int | None, int | None]:
    """Penetration against infantry and, where it differs, against vehicles; None where HE or a rule
    decides."""
    if text == "-":
        return 0, None
    match = re.fullmatch(r"([+-]?\d+)(?:/([+-]?\d+))?", text)
    if match is None:
        return None, None
    return int(match[1]), int(match[2]) if match[2] else None


@lru_cache(maxsize=512)
def read_arc(name: str) -> Arc | None:
    """Where a vehicle's weapon may fire, as its name tells."""
    words = name.lower().replace("-", " ")
    for sign, arc in ARCS:
        if sign in words:
            return arc
    return None


ARCS: tuple[tuple[str, Arc], ...] = (
    ("360 degree", "all"),
    ("turret based", "all"),
    ("rear", "rear"),
    ("forward facing", "front"),
    ("forward firing", "front"),
    ("turret mounted", "all"),
    ("turred mounted", "all"),
    ("coaxial", "all"),
    ("co axial", "all"),
    ("hull mounted", "front"),
    ("casement mounted", "front"),
    ("left", "left"),
    ("right", "right"),
)


def read_unit_options(
    entry: UnitEntry, option_sets: Mapping[str, tuple[UnitOptionEntry, ...]]
) -> tuple[KonfliktOption, ...]:
    """The unit's own options, then those of the sets it shares."""
    rows = list(entry.options)
    for name in entry.option_sets:
        if name not in option_sets:
            raise Fault(
                "option_sets",
                f"no option set {name!r}; expected one of {', '.join(option_sets) or 'none given'}",
            )
        rows.extend(option_sets[name])
    names = [slug(row.name) for row in rows]
    taken: set[str] = set()
    return tuple(read_unit_option(row, option_id(row, names, taken), tuple(in_order(entry.points))) for row in rows)


def option_id(row: UnitOptionEntry, names: list[str], taken: set[str]) -> str:
    """The option's name; with its carrier, its group or a number if the name is not enough."""
    name = slug(row.name)
    if names.count(name) > 1 and row.for_model:
        name = f"{slug(row.for_model)}-{name}"
    return free_id(name, taken)


def free_id(name: str, taken: set[str]) -> str:
    id = name
    number = 2
    while id in taken:
        id = f"{name}-{number}"
        number += 1
    taken.add(id)
    return id


def read_unit_option(row: UnitOptionEntry, name: str, levels: tuple[str, ...]) -> KonfliktOption:
    points = in_order(row.points) if isinstance(row.points, dict) else dict.fromkeys(levels, row.points)
    return KonfliktOption(
        id=name,
        name=row.name,
        points=points,
        group=row.group,
        for_model=row.for_model,
        per_model=row.per_model,
        points_flat=row.points_flat,
        max=row.max,
        group_max=row.group_max,
        default=row.default,
        adds_model=row.adds_model,
        conditional=row.conditional,
        weapons=row.weapons,
        grants=tuple(read_skill(text) for text in row.grants),
    )
