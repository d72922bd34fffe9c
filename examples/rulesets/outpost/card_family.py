"""Outpost's cards: soldiers, move, range and price."""

from __future__ import annotations

from typing import Any

import msgspec

from dieselfront.forces.card_face import CardFace, Figure
from dieselfront.forces.family import CardFamily
from dieselfront.forces.muster import Mustered


class OutpostEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card as written in a file."""

    id: str
    name: str
    side: str
    men: int
    move: int
    range: int
    points: int


class OutpostFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of cards."""

    ruleset: str
    source: str
    cards: list[OutpostEntry]


class OutpostCard(OutpostEntry, frozen=True, kw_only=True):
    """A unit's card."""

    source: str
    ruleset: str = "outpost"
    kind: str = "infantry"
    notes: tuple[str, ...] = ()


class OutpostFamily(CardFamily[OutpostCard, Mustered]):
    """Cards with four numbers."""

    file_type = OutpostFile
    entry_type = OutpostEntry
    usual_points = 30

    def make(self, entry: OutpostEntry, file: OutpostFile, source: str, shelf: Any) -> OutpostCard:
        return OutpostCard(**msgspec.structs.asdict(entry), source=source)

    def side(self, card: OutpostCard) -> str:
        return card.side

    def points(self, card: OutpostCard) -> int:
        return card.points

    def face(self, card: OutpostCard) -> CardFace:
        numbers = {"Soldiers": card.men, "Move": card.move, "Range": card.range}
        figures = tuple(Figure(name, str(number)) for name, number in numbers.items())
        return CardFace(headline=f"{card.side}; {card.kind}", price=f"{card.points} points", figures=figures)


FAMILY = OutpostFamily("outpost")
