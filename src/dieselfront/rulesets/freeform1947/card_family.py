"""The cards of Dust 1947 Freeform: those of Dust 1947 (ff.scope.unchanged)."""

from __future__ import annotations

from dieselfront.forces.card_face import CardFace
from dieselfront.forces.dust import DustCard
from dieselfront.forces.dust_face import with_lengths
from dieselfront.forces.dust_family import DustFamily


class FreeformFamily(DustFamily):
    """Dust 1947 cards, measured in inches."""

    roster_words = ("dust 1947 freeform", "freeform")

    def face(self, card: DustCard) -> CardFace:
        """A point of movement or range is 4" (ff.scope.range_unit)."""
        return with_lengths(super().face(card), 4, '"')


FAMILY = FreeformFamily("freeform1947", home="dust1947")
