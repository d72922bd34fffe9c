"""Warfare cards: what a unit's card says, and the files (JSON or YAML) that cards are written in.

No card of this game was ever published as data. The shipped ones are converted by stated formulas (`conversion` names
them); every screen that shows a card says so through `WarfareCard.origin`. Lengths are whole inches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from dieselfront.forces import crews
from dieselfront.forces.dust import ARMOUR_CLASSES, Soldier
from dieselfront.forces.dust_files import FEW, ArmourText, CardId, Count, Fault, Men, Name, Positive, slug
from dieselfront.forces.skills import SkillRef, read_skill

Kind = Literal["hero", "infantry", "support", "vehicle", "aircraft", "fortification"]
UnitType = Literal["soldier", "vehicle", "aircraft"]
Reach = Literal["ranged", "close", "artillery", "bomb"]
Arc = Literal["front", "turret", "rear", "left", "right"]
Tag = Literal["team", "walker", "heavy_walker", "command_section", "no_join"]
PriceSource = Literal["converted", "fb", "ffg"]

CLOSE_INCHES = 3
"""Reach of close combat weapons (dw.weapon.close_combat_range)."""
ARTILLERY_INCHES = 36
"""Reach of artillery fired directly (dw.profile.artillery)."""
ARTILLERY_MINIMUM = 12
LEADERSHIP_INCHES = 6
COMMAND_INCHES = 12
ARTILLERY_RULE = "Artillery"
TYPES: Mapping[str, UnitType] = {"S": "soldier", "V": "vehicle", "A": "aircraft"}
CONVERSIONS = {
    "bf-dw-1": "converted from the Battlefield card by stated formulas, not a printed Warfare card",
}
"""What a card says of itself where its numbers were worked out and not printed."""


class DamageCell(msgspec.Struct, frozen=True, gc=False):
    """Dice and damage against one armor class: X/Y (dw.profile.dice_damage).

    `spray` dice are rolled for each miniature of the target in place of `dice` (dw.profile.spray).
    """

    dice: int = 0
    spray: int = 0
    damage: int = 1

    def __str__(self) -> str:
        return f"{'*' * self.spray if self.spray else self.dice}/{self.damage}"


class WarfareWeapon(msgspec.Struct, frozen=True, gc=False):
    """A weapon line. `count` copies are carried (dw.profile.quantity); a class without a cell cannot be attacked.

    `range` is in inches: 3 for close combat, 36 for artillery fired directly, 0 for bombs (their reach is how far the
    aircraft moved). `crewed` marks the gun that a whole crew serves: it stands in no soldier's list.
    """

    id: str
    name: str
    count: int
    cells: dict[str, DamageCell]
    range: int = 0
    min_range: int = 0
    reach: Reach = "ranged"
    arc: Arc | None = None
    rules: tuple[SkillRef, ...] = ()
    crewed: bool = False

    def has(self, rule: str) -> bool:
        return any(ref.name == rule for ref in self.rules)

    @property
    def close(self) -> bool:
        """A close combat weapon, range C (dw.profile.close_combat)."""
        return self.reach == "close"

    @property
    def range_max(self) -> int:
        return self.range

    @property
    def range_text(self) -> str:
        """The range as a card prints it: C, A, B or inches."""
        signs = {"close": "C", "artillery": "A", "bomb": "B"}
        return signs.get(self.reach) or (f"{self.min_range}-{self.range}" if self.min_range else str(self.range))


class WarfareOption(msgspec.Struct, frozen=True, gc=False):
    """Something a unit may buy: a bunker, an ability, or a commissar with a profile of his own."""

    id: str
    name: str
    points: int
    group: str = ""
    adds_soldier: bool = False
    armor: int = 0
    move: int = 0
    abilities: tuple[SkillRef, ...] = ()
    weapons: tuple[WarfareWeapon, ...] = ()


class WarfareCard(msgspec.Struct, frozen=True, gc=False):
    """A unit's card. `capacity` is the damage that each miniature takes before it is lost."""

    id: str
    name: str
    bloc: str
    kind: Kind
    type: UnitType
    armor: int
    move: int
    capacity: int
    points: int
    ruleset: str = "warfare"
    leadership: int = LEADERSHIP_INCHES
    command: int = COMMAND_INCHES
    factions: tuple[str, ...] = ()
    unique: bool = False
    max_in_army: int | None = None
    tags: tuple[Tag, ...] = ()
    abilities: tuple[SkillRef, ...] = ()
    weapons: tuple[WarfareWeapon, ...] = ()
    soldiers: tuple[Soldier, ...] = ()
    options: tuple[WarfareOption, ...] = ()
    variant_of: str | None = None
    subtitle: str | None = None
    notes: tuple[str, ...] = ()
    source: str = ""
    conversion: str = ""
    price: PriceSource = "converted"

    def has(self, ability: str) -> bool:
        return any(ref.name == ability for ref in self.abilities)

    def ability(self, name: str) -> SkillRef | None:
        """The ability of that name as this card prints it, None if the card does not have it."""
        return next((ref for ref in self.abilities if ref.name == name), None)

    def weapon(self, weapon_id: str) -> WarfareWeapon:
        for weapon in self.weapons:
            if weapon.id == weapon_id:
                return weapon
        raise KeyError(f"{self.name} has no weapon {weapon_id!r}; it has {', '.join(w.id for w in self.weapons)}.")

    @property
    def armor_class(self) -> str:
        """The column of weapon tables that counts against this unit, such as S2 or V4."""
        return f"{self.type[0].upper()}{self.armor}"

    @property
    def models(self) -> int:
        """Miniatures at full strength."""
        return len(self.soldiers) or 1

    @property
    def is_hero(self) -> bool:
        return self.kind == "hero"

    @property
    def is_team(self) -> bool:
        return "team" in self.tags

    @property
    def is_walker(self) -> bool:
        return "walker" in self.tags or self.is_heavy_walker

    @property
    def is_heavy_walker(self) -> bool:
        return "heavy_walker" in self.tags

    @property
    def may_command(self) -> bool:
        """Whether the unit may be the Command Section of a platoon."""
        return "command_section" in self.tags

    @property
    def may_join(self) -> bool:
        """Whether this hero may join a unit."""
        return self.is_hero and "no_join" not in self.tags

    @property
    def origin(self) -> str:
        """Where the numbers come from, for every screen that shows the card; nothing for a card somebody wrote."""
        return CONVERSIONS.get(self.conversion, self.conversion)


# Card files


RangeEntry = Annotated[int, Meta(ge=1, le=200)] | Literal["C", "A", "B"]
CellText = Annotated[
    str,
    Meta(
        pattern=r"^(-|(\*{1,4}|\d{1,2})/\d{1,2})$",
        description="dice/damage; * is a spray die for each miniature of the target, - cannot attack",
    ),
]


class WarfareWeaponEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A weapon line as written in a card file: range in inches, C, A (artillery) or B (bombs)."""

    name: Name
    range: RangeEntry
    vs: dict[str, CellText]
    count: Positive = 1
    min_range: Count = 0
    arc: Arc | None = None
    rules: Annotated[tuple[Name, ...], FEW] = ()


class WarfareOptionEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Something the unit may buy."""

    name: Name
    points: Count
    group: str = ""
    armor: ArmourText | None = None
    move: Count = 0
    abilities: Annotated[tuple[Name, ...], FEW] = ()
    weapons: Annotated[tuple[WarfareWeaponEntry, ...], FEW] = ()


class WarfareEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A unit as written in a card file."""

    id: CardId
    name: Name
    kind: Kind
    armor: ArmourText
    move: Count
    points: Count
    bloc: Name | None = None
    models: Men = 1
    capacity: Annotated[int, Meta(ge=1, le=100)] = 1
    leadership: Count = LEADERSHIP_INCHES
    command: Count = COMMAND_INCHES
    subtitle: str | None = None
    factions: tuple[Name, ...] = ()
    unique: bool = False
    max_in_army: Positive | None = None
    variant_of: Name | None = None
    tags: tuple[Tag, ...] = ()
    abilities: Annotated[tuple[Name, ...], FEW] = ()
    weapons: Annotated[tuple[WarfareWeaponEntry, ...], FEW] = ()
    options: Annotated[tuple[WarfareOptionEntry, ...], FEW] | str = ()
    notes: tuple[str, ...] = ()
    source: str = ""
    conversion: str | None = None
    price: PriceSource = "converted"


class WarfareFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A file of Warfare cards: what all of them share, then the cards."""

    ruleset: Literal["warfare"]
    cards: tuple[WarfareEntry, ...]
    bloc: Name | None = None
    source: str = ""
    conversion: str = ""
    option_sets: dict[str, tuple[WarfareOptionEntry, ...]] = {}


def read_card(
    entry: WarfareEntry,
    bloc: str | None,
    source: str,
    conversion: str,
    option_sets: Mapping[str, tuple[WarfareOptionEntry, ...]],
) -> WarfareCard:
    """Make the card that an entry describes; raises `Fault` for values that cannot be."""
    home = entry.bloc or bloc
    if home is None:
        raise Fault("bloc", "missing; expected the bloc of the card or of its whole file")
    kind = TYPES[entry.armor[0]]
    if kind != "soldier" and entry.models != 1:
        raise Fault("models", f"a {kind} is one miniature; expected 1 or nothing")
    abilities = tuple(read_skill(text) for text in entry.abilities)
    weapons = read_weapons(entry.weapons, "weapons", entry.kind)
    return WarfareCard(
        id=entry.id,
        name=entry.name,
        bloc=home,
        kind=entry.kind,
        type=kind,
        armor=int(entry.armor[1:]),
        move=entry.move,
        capacity=entry.capacity,
        points=entry.points,
        leadership=entry.leadership,
        command=entry.command,
        factions=entry.factions,
        unique=entry.unique,
        max_in_army=1 if entry.unique else entry.max_in_army,
        tags=entry.tags,
        abilities=abilities,
        weapons=weapons,
        soldiers=soldiers(entry, abilities, weapons) if kind == "soldier" else (),
        options=read_options(entry.options, option_sets),
        variant_of=entry.variant_of,
        subtitle=entry.subtitle,
        notes=entry.notes,
        source=entry.source or source,
        conversion=conversion if entry.conversion is None else entry.conversion,
        price=entry.price,
    )


def soldiers(
    entry: WarfareEntry, abilities: Sequence[SkillRef], weapons: Sequence[WarfareWeapon]
) -> tuple[Soldier, ...]:
    """The miniatures with what each carries, the leader first, handed out as for the other Dust games."""
    if entry.kind in ("support", "fortification"):
        return crews.support_crew(entry.models, weapons)
    if entry.kind == "hero":
        return crews.hero(abilities, int(entry.armor[1:]), weapons)
    jobs = tuple(SkillRef("Artillery Observer") if ref.name == "Artillery Strike" else ref for ref in abilities)
    return crews.squad(entry.models, jobs, int(entry.armor[1:]), weapons)


def read_weapons(entries: Sequence[WarfareWeaponEntry], field: str, kind: str = "") -> tuple[WarfareWeapon, ...]:
    """Weapon lines with ids that are unique inside the card."""
    names = [slug(entry.name) for entry in entries]
    ids: list[str] = []
    for entry, name in zip(entries, names, strict=True):
        base = f"{name}-{entry.arc}" if names.count(name) > 1 and entry.arc else name
        ids.append(base if base not in ids else next(f"{base}-{n}" for n in range(2, 99) if f"{base}-{n}" not in ids))
    lines = tuple(
        read_weapon(weapon_id, entry, f"{field}[{place}]")
        for place, (weapon_id, entry) in enumerate(zip(ids, entries, strict=True))
    )
    return with_crewed_gun(lines) if kind in ("support", "fortification") else lines


def with_crewed_gun(weapons: tuple[WarfareWeapon, ...]) -> tuple[WarfareWeapon, ...]:
    """The gun of a crew: the one of a kind that has an arc, else the one that reaches farthest."""
    singles = [place for place, weapon in enumerate(weapons) if weapon.count == 1]
    if not singles:
        return weapons
    gun = max(singles, key=lambda place: (weapons[place].arc is not None, weapons[place].range))
    return tuple(
        msgspec.structs.replace(weapon, crewed=True) if place == gun else weapon for place, weapon in enumerate(weapons)
    )


def read_weapon(weapon_id: str, entry: WarfareWeaponEntry, field: str) -> WarfareWeapon:
    for name in entry.vs:
        if name not in ARMOUR_CLASSES:
            raise Fault(f"{field}.vs", f"{name!r} is no armor class; expected S1-S4, V1-V7 or A1-A3")
    reach, inches, minimum = read_range(entry)
    if inches and minimum > inches:
        raise Fault(f"{field}.min_range", f"expected at most the range, {inches}")
    rules = entry.rules
    if reach == "artillery" and ARTILLERY_RULE not in rules:  # dw.profile.artillery: its range says so
        rules = (ARTILLERY_RULE, *rules)
    return WarfareWeapon(
        id=weapon_id,
        name=entry.name,
        count=entry.count,
        cells={name: read_cell(entry.vs[name]) for name in ARMOUR_CLASSES if entry.vs.get(name, "-") != "-"},
        range=inches,
        min_range=minimum,
        reach=reach,
        arc=entry.arc,
        rules=tuple(read_skill(text) for text in rules),
    )


def read_range(entry: WarfareWeaponEntry) -> tuple[Reach, int, int]:
    """The kind of reach, the range and the minimum range, in inches."""
    match entry.range:
        case "C":
            return "close", CLOSE_INCHES, 0
        case "A":
            return "artillery", ARTILLERY_INCHES, entry.min_range or ARTILLERY_MINIMUM
        case "B":
            return "bomb", 0, 0
        case inches:
            return "ranged", inches, entry.min_range


@lru_cache(maxsize=1024)
def read_cell(text: str) -> DamageCell:
    dice, _, damage = text.partition("/")
    spray = dice.count("*")
    return DamageCell(dice=0 if spray else int(dice), spray=spray, damage=int(damage))


def read_options(
    options: tuple[WarfareOptionEntry, ...] | str, option_sets: Mapping[str, tuple[WarfareOptionEntry, ...]]
) -> tuple[WarfareOption, ...]:
    """Options written out, or the name of a set that several cards of the file share."""
    if isinstance(options, str):
        if options not in option_sets:
            raise Fault(
                "options", f"no option set {options!r}; expected one of {', '.join(option_sets) or 'none given'}"
            )
        options = option_sets[options]
    return tuple(
        WarfareOption(
            id=slug(entry.name),
            name=entry.name,
            points=entry.points,
            group=entry.group,
            adds_soldier=entry.armor is not None,
            armor=int(entry.armor[1:]) if entry.armor else 0,
            move=entry.move,
            abilities=tuple(read_skill(text) for text in entry.abilities),
            weapons=read_weapons(entry.weapons, f"options[{place}].weapons"),
        )
        for place, entry in enumerate(options)
    )


def with_option(card: WarfareCard, option: WarfareOption) -> WarfareCard:
    """The card with something bought for it: an ability, or a commissar who stands behind its soldiers
    (dw.ability.commissar_attach)."""
    abilities = (*card.abilities, *(ref for ref in option.abilities if ref not in card.abilities))
    if not option.adds_soldier:
        return msgspec.structs.replace(card, abilities=abilities)
    taken = {weapon.id for weapon in card.weapons}
    brought = tuple(
        msgspec.structs.replace(weapon, id=f"commissar-{weapon.id}") if weapon.id in taken else weapon
        for weapon in option.weapons
    )
    first = len(card.weapons)
    commissar = Soldier(option.name, ("commissar",), tuple(range(first, first + len(brought))))
    return msgspec.structs.replace(
        card, abilities=abilities, weapons=(*card.weapons, *brought), soldiers=(*card.soldiers, commissar)
    )


def bought_soldier(card: WarfareCard, option: WarfareOption) -> WarfareCard:
    """The profile of a soldier who is bought for a unit and stands in it (dw.ability.commissar_attach)."""
    return msgspec.structs.replace(
        card, id=f"{card.id}-{option.id}", name=option.name, points=option.points, armor=option.armor or card.armor,
        abilities=option.abilities, weapons=option.weapons, soldiers=(), kind="infantry", tags=(),
    )  # fmt: skip


@cache
def shipped_cards() -> Mapping[str, WarfareCard]:
    """Every shipped card by id, in the order of the files; the catalogue adds the user's own."""
    decoder = msgspec.json.Decoder(WarfareFile)
    cards: dict[str, WarfareCard] = {}
    for name in ("allies", "axis", "ssu", "mercenaries"):
        file = decoder.decode((Path(__file__).parent / "cards" / f"{name}.json").read_bytes())
        for entry in file.cards:
            cards[entry.id] = read_card(entry, file.bloc, file.source, file.conversion, file.option_sets)
    return MappingProxyType(cards)
