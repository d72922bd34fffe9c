"""Dust cards: what is printed on a unit's card, for every game of the Dust family.

The files that hold the cards are read by `dust_files.py`; who carries which weapon is in `crews.py`.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from dieselfront.forces.skills import SkillRef

Bloc = Literal["Allies", "Axis", "SSU", "Mercenaries", "Mythos"]
Kind = Literal["hero", "infantry", "support", "vehicle", "aircraft", "fortification"]
ArmourType = Literal["S", "V", "A"]
Mount = Literal["front", "turret", "left", "right", "rear"]
Locomotion = Literal["infantry", "walker", "tracked", "half_tracked", "wheeled", "naval", "aircraft", "immobile"]
Size = Literal["standard", "large", "huge"]
Role = Literal["leader", "officer", "radio", "medic", "mechanic", "spotter", "shield", "commissar"]

ARMOUR_CLASSES = (
    *("S1", "S2", "S3", "S4"),
    *("V1", "V2", "V3", "V4", "V5", "V6", "V7"),
    *("A1", "A2", "A3"),
)
"""Every armour class in the order of the weapon tables: soldiers, vehicles, aircraft."""

# Cards in the header of a record were never a card file, so the types themselves know the bounds of card files.
Dice = Annotated[int, Meta(ge=0, le=99)]
Blasts = Annotated[int, Meta(ge=0, le=4)]
Count = Annotated[int, Meta(ge=0, le=1000)]
Track = Annotated[int, Meta(ge=0, le=100)]
Price = Annotated[int, Meta(ge=0, le=5000)]
ArmourValue = Annotated[int, Meta(ge=0, le=7)]
Few = Meta(max_length=120)
Men = Meta(max_length=110)
Text = Annotated[str, Meta(max_length=400)]


class Cell(msgspec.Struct, frozen=True, gc=False):
    """One cell of a weapon table: dice (or blast symbols) and damage per hit (or the automatic-kill
    symbol)."""

    dice: Dice = 0
    blast: Blasts = 0
    damage: Dice = 0
    kill: bool = False

    def __str__(self) -> str:
        left = "*" * self.blast if self.blast else str(self.dice)
        return f"{left}/{'#' if self.kill else self.damage}"


class DustWeapon(msgspec.Struct, frozen=True, gc=False):
    """A weapon line of a card. `count` weapons of this kind are carried; cells that are missing cannot be
    attacked.

    `close` is the range C of close combat (its ranges are 0). `ammo` is the number of ammo boxes of each
    weapon, None if it never runs out. `crewed` marks the heavy weapon of a support-weapon unit, fired by
    two of the crew.
    """

    id: Text
    name: Text
    count: Count
    cells: Annotated[dict[Text, Cell], Meta(max_length=20)]
    range_min: Count = 0
    range_max: Count = 0
    close: bool = False
    mount: Mount | None = None
    rules: Annotated[tuple[SkillRef, ...], Few] = ()
    ammo: Count | None = None
    crewed: bool = False

    def has(self, rule: str) -> bool:
        for ref in self.rules:  # noqa: SIM110 (asked very often)
            if ref.name == rule:
                return True
        return False

    @property
    def is_blast(self) -> bool:
        """Does it strike all who stand on a square, against armour of any class?"""
        for cell in self.cells.values():  # noqa: SIM110 (asked very often)
            if cell.blast:
                return True
        return False

    @property
    def range_text(self) -> str:
        """The range as the card prints it: C, 6 or 4-12."""
        if self.close:
            return "C"
        return f"{self.range_min}-{self.range_max}" if self.range_min else str(self.range_max)


class Soldier(msgspec.Struct, frozen=True, gc=False):
    """One miniature of a squad: what it is called, its roles, and the weapons it carries (places in the
    card's list)."""

    name: Text
    roles: Annotated[tuple[Role, ...], Few] = ()
    weapons: Annotated[tuple[Count, ...], Few] = ()


class DustOption(msgspec.Struct, frozen=True, gc=False):
    """Something a unit may buy: a bunker for its gun, or a commissar, who brings his own armour, skills
    and weapons."""

    id: Text
    group: Text
    name: Text
    points: Price
    adds_soldier: bool = False
    armour_type: ArmourType | None = None
    armour: ArmourValue = 0
    move: Count = 0
    march: Count = 0
    skills: Annotated[tuple[SkillRef, ...], Few] = ()
    weapons: Annotated[tuple[DustWeapon, ...], Few] = ()


_CLASSES = {(name[0], int(name[1:])): name for name in ARMOUR_CLASSES}


class DustCard(msgspec.Struct, frozen=True, gc=False):
    """A unit's card. `damage` is the capacity of the damage track, 0 for squads (their soldiers are the
    track)."""

    id: Text
    name: Text
    bloc: Text
    kind: Kind
    armour_type: ArmourType
    armour: ArmourValue
    move: Count
    march: Count
    damage: Track
    points: Price
    locomotion: Locomotion
    size: Size = "standard"
    ruleset: str = "dust1947"
    factions: tuple[str, ...] = ()
    bloc_wide: bool = True
    unique: bool = False
    max_in_army: Count | None = None
    skills: Annotated[tuple[SkillRef, ...], Few] = ()
    weapons: Annotated[tuple[DustWeapon, ...], Few] = ()
    soldiers: Annotated[tuple[Soldier, ...], Men] = ()
    options: Annotated[tuple[DustOption, ...], Few] = ()
    captured_by: tuple[str, ...] = ()
    captured_ap: Price | None = None
    variant_of: str | None = None
    alternate_profile: bool = False
    subtitle: str | None = None
    notes: tuple[str, ...] = ()
    source: str = ""

    def has(self, skill: str) -> bool:
        for ref in self.skills:  # noqa: SIM110 (asked very often)
            if ref.name == skill:
                return True
        return False

    def skill(self, name: str) -> SkillRef | None:
        """The skill of that name as this card prints it, None if the card has it not."""
        return next((ref for ref in self.skills if ref.name == name), None)

    def weapon(self, weapon_id: str) -> DustWeapon:
        for weapon in self.weapons:
            if weapon.id == weapon_id:
                return weapon
        raise KeyError(f"{self.name} has no weapon {weapon_id!r}; it has {', '.join(w.id for w in self.weapons)}.")

    @property
    def armour_class(self) -> str:
        """The column of weapon tables that counts against this unit, such as S2 or V4."""
        return _CLASSES.get((self.armour_type, self.armour)) or f"{self.armour_type}{self.armour}"

    @property
    def models(self) -> int:
        """Miniatures of the unit at full strength: its soldiers, or 1 for a vehicle or an aircraft."""
        return len(self.soldiers) or 1

    @property
    def is_infantry(self) -> bool:
        """Heroes, squads and support weapons move and fight as infantry."""
        return self.armour_type == "S"

    @property
    def is_mercenary(self) -> bool:
        return self.bloc == "Mercenaries" or self.has("Mercenary")
