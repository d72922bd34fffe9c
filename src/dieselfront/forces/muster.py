"""The units of a list with their cards and prices. What else a bought unit has stands in its family's own struct."""

from __future__ import annotations

from typing import Any

import msgspec

from dieselfront.forces.armies import Army, ArmyUnit
from dieselfront.forces.families import family


class Mustered(msgspec.Struct, frozen=True):
    """A unit of a list: its place, label, card and price."""

    place: int
    label: str
    unit: ArmyUnit
    card: Any
    points: int

    @property
    def title(self) -> str:
        """How the unit is spoken of: its own name with the card's, or the card's alone."""
        return f"{self.unit.name} ({self.card.name})" if self.unit.name else str(self.card.name)


def muster(army: Army) -> tuple[Any, ...]:
    """Every unit of the list with its card and price; raises `ForcesError` for a card or option unknown."""
    cards = family(army.ruleset)
    return tuple(
        cards.muster_unit(army, place, label, unit)
        for place, (label, unit) in enumerate(zip(army.labels(), army.units, strict=True))
    )


def army_points(army: Army) -> int:
    """What the whole list costs."""
    return sum(one.points for one in muster(army))


__all__ = ["Mustered", "army_points", "muster"]
