"""The units of a list with their cards: what they cost, whom they join, what they carry into the game."""

from __future__ import annotations

import msgspec

from dieselfront.forces.armies import Army, ArmyUnit
from dieselfront.forces.catalogue import Card, catalogue
from dieselfront.forces.dust import DustCard, DustOption, DustWeapon, Soldier
from dieselfront.forces.errors import ForcesError, UnknownCard, nearest
from dieselfront.forces.konflikt import Build, KonfliktCard, build

CAPTURED_EXTRA = 2
"""A captured vehicle costs 2 AP more (d47.force.captured_cost)."""


class Mustered(msgspec.Struct, frozen=True):
    """A unit of a list: its place, label, card and price; `build` for Konflikt '47, `options` for Dust."""

    place: int
    label: str
    unit: ArmyUnit
    card: Card
    points: int
    options: tuple[DustOption, ...] = ()
    build: Build | None = None

    @property
    def dust(self) -> DustCard:
        assert isinstance(self.card, DustCard)
        return self.card

    @property
    def konflikt(self) -> KonfliktCard:
        assert isinstance(self.card, KonfliktCard)
        return self.card

    @property
    def title(self) -> str:
        """How the unit is spoken of: its own name with the card's, or the card's alone."""
        return f"{self.unit.name} ({self.card.name})" if self.unit.name else self.card.name


def muster(army: Army) -> tuple[Mustered, ...]:
    """Every unit of the list with its card and price; raises `ForcesError` for a card or option unknown."""
    return tuple(
        muster_unit(army, place, label, unit)
        for place, (label, unit) in enumerate(zip(army.labels(), army.units, strict=True))
    )


def muster_unit(army: Army, place: int, label: str, unit: ArmyUnit) -> Mustered:
    cards = catalogue(army.ruleset)
    card = cards[unit.card]
    if isinstance(card, DustCard):
        options = tuple(dust_option(card, name) for name in unit.options)
        return Mustered(place, label, unit, card, dust_points(card, unit, options), options)
    bought = build(card, unit.experience or card.usual_experience, unit.models, unit.options)
    return Mustered(place, label, unit, card, bought.points, build=bought)


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


def fielded_card(mustered: Mustered) -> DustCard:
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


def army_points(army: Army) -> int:
    """What the whole list costs."""
    return sum(one.points for one in muster(army))


__all__ = ["Mustered", "UnknownCard", "army_points", "dust_option", "fielded_card", "muster"]
