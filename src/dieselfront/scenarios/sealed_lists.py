"""Two army lists handed in one by one: each side sees its own, and both become public at the same moment.

A game whose rules say so names the rule (`Ruleset.secret_lists`); any other game may be arranged this way too. Whoever
collects the lists (the server does) asks here who may see what.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from dieselfront.forces.armies import Army


class ListRefused(ValueError):
    """A list that cannot be handed in; one sentence says why."""


class SealedLists(NamedTuple):
    """The lists of the two sides, as far as they are in."""

    lists: tuple[Army | None, Army | None] = (None, None)

    @property
    def revealed(self) -> bool:
        """Are both in? From then on everybody sees them."""
        return None not in self.lists

    def hand_in(self, side: int, army: Army) -> SealedLists:
        """One side's list; it stays as it is, and the second may not be larger than the first was allowed to be."""
        if self.lists[side] is not None:
            raise ListRefused("This side has handed its list in already; it cannot be changed any more.")
        other = self.lists[1 - side]
        if other is not None and army.ruleset != other.ruleset:
            raise ListRefused(f"The other list is for {other.ruleset}, this one for {army.ruleset}.")
        if other is not None and army.points > other.points:
            raise ListRefused(f"The battle is fought with {other.points} points a side, not with {army.points}.")
        return SealedLists((army, other) if side == 0 else (other, army))

    def seen_by(self, sides: Collection[int]) -> tuple[Army | None, Army | None]:
        """The lists as the holder of these sides sees them: his own, and the other's once both are in."""
        first, second = (listed if self.revealed or side in sides else None for side, listed in enumerate(self.lists))
        return first, second


__all__ = ["ListRefused", "SealedLists"]
