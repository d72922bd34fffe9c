"""The face of a card: what a screen, a terminal or a printed sheet shows of it, the same shape for every game.

A family fills it with the numbers that play uses; nobody who shows it knows which game it is of.
"""

from __future__ import annotations

import msgspec


class Figure(msgspec.Struct, frozen=True):
    """A value of the unit under its name: Armour S2, Move 6"."""

    name: str
    value: str


class WeaponFace(msgspec.Struct, frozen=True):
    """A weapon line: how many, what is special about it, and a cell for each column of the card's table.

    `spare` weapons are not carried unless they are bought.
    """

    name: str
    count: int = 1
    details: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    spoken: tuple[str, ...] = ()
    spare: bool = False

    @property
    def title(self) -> str:
        return f"{self.count}x {self.name}" if self.count > 1 else self.name


class OptionFace(msgspec.Struct, frozen=True):
    """Something the unit may buy, up to `most` times. `price` is in words, as it may hang on experience."""

    id: str
    name: str
    price: str
    group: str = ""
    carrier: str = ""
    standard: bool = False
    most: int = 1


class Remark(msgspec.Struct, frozen=True):
    """A line with a label: Captured: 34 AP by Axis."""

    label: str
    text: str


class Choices(msgspec.Struct, frozen=True):
    """What a list may decide about a unit of the card besides its options."""

    levels: tuple[str, ...] = ()
    models_min: int = 1
    models_max: int = 1
    joins: bool = False
    pilots: bool = False
    rides: bool = False


class CardFace(msgspec.Struct, frozen=True):
    """A card as it is shown.

    `columns` are those of the weapon table in groups (soldiers, vehicles, aircraft); `track` is the number of boxes
    to tick; `origin` says where numbers come from that nobody printed.
    """

    headline: str
    price: str
    figures: tuple[Figure, ...] = ()
    rules_word: str = "Rules"
    rules: tuple[str, ...] = ()
    columns: tuple[tuple[str, ...], ...] = ()
    weapons: tuple[WeaponFace, ...] = ()
    members: tuple[str, ...] = ()
    track: int = 0
    options: tuple[OptionFace, ...] = ()
    choices: Choices = Choices()
    remarks: tuple[Remark, ...] = ()
    legend: str = ""
    origin: str = ""
