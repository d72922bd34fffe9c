"""Units of Dust lists: what they cost, what was bought for them, and the card as it takes the field."""

from __future__ import annotations

import msgspec

from dieselfront.forces.armies import ArmyUnit
from dieselfront.forces.catalogue import Catalogue, catalogue
from dieselfront.forces.dust import DustCard, DustOption, DustWeapon, Soldier
from dieselfront.forces.errors import ForcesError, nearest
from dieselfront.forces.muster import Mustered

CAPTURED_EXTRA = 2
"""A captured vehicle costs 2 AP more (d47.force.captured_cost)."""


class DustUnit(Mustered, frozen=True):
    """A unit of a Dust list, with the options bought for it."""

    options: tuple[DustOption, ...] = ()

    @property
    def dust(self) -> DustCard:
        assert isinstance(self.card, DustCard)
        return self.card


def dust_catalogue() -> Catalogue[DustCard]:
    """All Dust 1947 cards and the user's own."""
    return catalogue("dust1947")


def dust_points(card: DustCard, unit: ArmyUnit, options: tuple[DustOption, ...]) -> int:
    """The card's AP, its options', and 2 more if captured (d47.force.captured_cost)."""
    points = card.points
    if unit.captured:
        points = card.captured_ap if card.captured_ap is not None else card.points + CAPTURED_EXTRA
    return points + sum(option.points * unit.options[option.id] for option in options)


def dust_option(card: DustCard, option_id: str) -> DustOption:
    for option in card.options:
        if option.id == option_id:
            return option
    hint = nearest(option_id, (option.id for option in card.options))
    wanted = f"; did you mean {' or '.join(hint)}?" if hint else "."
    raise ForcesError(f"{card.name} has no option {option_id!r}{wanted}")


def fielded_card(mustered: DustUnit) -> DustCard:
    """The card as the unit takes the field: a commissar bought with it stands among its soldiers
    (d47.skill.commissar_join), his weapons after the unit's own, his skills shared."""
    card = mustered.dust
    for option in mustered.options:
        if option.adds_soldier:
            card = with_soldier(card, option)
    return card


def with_soldier(card: DustCard, option: DustOption) -> DustCard:
    taken = {weapon.id for weapon in card.weapons}
    brought = tuple(renamed(weapon, taken) for weapon in option.weapons)
    first = len(card.weapons)
    commissar = Soldier(option.name, ("commissar",), tuple(range(first, first + len(brought))))
    skills = (*card.skills, *(ref for ref in option.skills if ref not in card.skills))
    return msgspec.structs.replace(
        card, skills=skills, weapons=(*card.weapons, *brought), soldiers=(*card.soldiers, commissar)
    )


def renamed(weapon: DustWeapon, taken: set[str]) -> DustWeapon:
    return msgspec.structs.replace(weapon, id=f"commissar-{weapon.id}") if weapon.id in taken else weapon


__all__ = ["DustUnit", "dust_catalogue", "dust_option", "dust_points", "fielded_card"]
