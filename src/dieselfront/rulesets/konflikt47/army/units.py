"""Units of Konflikt '47 lists: card, price, and what the bought unit is made of."""

from __future__ import annotations

from dieselfront.forces.catalogue import Catalogue, catalogue
from dieselfront.forces.muster import Mustered
from dieselfront.rulesets.konflikt47.army.cards import Build, KonfliktCard


class KonfliktUnit(Mustered, frozen=True, kw_only=True):
    """A unit of a list with its build: models, weapons and extra rules."""

    build: Build

    @property
    def konflikt(self) -> KonfliktCard:
        assert isinstance(self.card, KonfliktCard)
        return self.card


def konflikt_catalogue() -> Catalogue[KonfliktCard]:
    """All Konflikt '47 cards and the user's own."""
    return catalogue("konflikt47")
