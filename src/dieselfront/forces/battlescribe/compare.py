"""Imported cards against shipped ones: every difference, and whether a note of the shipped card explains it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from dieselfront.forces.catalogue import CardT

Differ = Callable[[str, object, object], None]


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
    return next((note for note in notes if explains(note.partition(":")[0].lower(), words)), "")


def explains(head: str, words: list[str]) -> bool:
    """Whether a note's head covers a field, or one aspect of a weapon or option."""
    subject, *aspect = words
    if not aspect:
        return mentions(head, subject)
    if subject == "options":
        return aspect[0] in head or any(word in head for word in ASPECTS["options"])
    return "weapons" in head or head == subject or (subject in head and mentions(head, aspect[0]))


ASPECTS = {
    "count": ("ammo", "weapons"),
    "damage_values": ("experience", "vehicle", "points"),
    "points": ("experience",),
    "options": ("experience", "weapons", "ranks", "points"),
    "crew": ("models",),
    "vehicle": ("movement",),
}
"""A note on the right-hand words also explains a difference in the left-hand one, which follows from it."""


def mentions(head: str, word: str) -> bool:
    return word in head or any(other in head for other in ASPECTS.get(word, ()))


def compared(
    imported: Iterable[CardT], shipped: dict[str, CardT], differences: Callable[[CardT, CardT], list[Difference]]
) -> list[Difference]:
    """Every difference between cards of the same id; cards that only one side has differ in `card`."""
    rows: list[Difference] = []
    seen: set[str] = set()
    for card in imported:
        seen.add(card.id)
        ours = shipped.get(card.id)
        rows += differences(card, ours) if ours is not None else [Difference(card.id, "card", card.name, "none")]
    rows += [Difference(card.id, "card", "none", card.name) for card in shipped.values() if card.id not in seen]
    return rows
