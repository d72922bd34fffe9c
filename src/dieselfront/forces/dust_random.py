"""Random Dust armies: units of mixed kinds, heroes with squads and vehicles, squads in transports."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from dieselfront.forces.armies import Army, ArmyUnit, free_label
from dieselfront.forces.army_check import check_army
from dieselfront.forces.dust import DustCard
from dieselfront.forces.dust_check import of_another_faction, spaces, why_not_join, why_not_pilot, why_not_ride
from dieselfront.forces.dust_units import DustUnit
from dieselfront.forces.family import one_of
from dieselfront.forces.muster import muster

if TYPE_CHECKING:
    from dieselfront.forces.dust_family import DustFamily

KIND_WEIGHTS = {"infantry": 9, "vehicle": 6, "hero": 4, "support": 2, "aircraft": 1, "fortification": 0}
GREAT_BLOCS = ("Allies", "Axis", "SSU")


class Buyable(Protocol):
    """What buying asks of a card, whichever Dust game it is of."""

    @property
    def id(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def bloc(self) -> str: ...
    @property
    def points(self) -> int: ...
    @property
    def max_in_army(self) -> int | None: ...
    @property
    def variant_of(self) -> str | None: ...
    @property
    def options(self) -> Sequence[Any]: ...


def random_dust(
    family: DustFamily, points: int, dice: random.Random, bloc: str | None, faction: str | None
) -> Army | None:
    """A list of one bloc, of one of its factions now and then."""
    cards = family.catalogue
    chosen = one_of("bloc", bloc, cards.sides()) or dice.choice(GREAT_BLOCS)
    banner = one_of("faction", faction, cards.factions(chosen))
    if banner is None and faction is None and cards.factions(chosen) and dice.random() < 0.3:
        banner = dice.choice(cards.factions(chosen))
    units = buy_dust(points, dice, pool_of(family, chosen, banner, dice))
    army = Army(family.ruleset, f"{banner or chosen} {points}", points, tuple(units), bloc=chosen, faction=banner)
    army = assign_heroes(army, dice)
    army = mount_some(army, dice)
    if banner is not None and faction is None and not check_army(army).ok:
        army = msgspec.structs.replace(army, faction=None, name=f"{chosen} {points}")
    return army


def pool_of(family: DustFamily, bloc: str, faction: str | None, dice: random.Random) -> list[DustCard]:
    """The cards to choose from: the bloc's own and, now and then, mercenaries."""
    mercenaries = dice.random() < 0.3
    return [
        card
        for card in family.catalogue
        if (card.bloc == bloc or (mercenaries and card.is_mercenary))
        and not card.alternate_profile
        and not (faction is not None and of_another_faction(card, faction))
        and (faction is None or faction in card.factions or dice.random() < 0.25)
    ]


def buy_dust(points: int, dice: random.Random, pool: Sequence[Buyable]) -> list[ArmyUnit]:
    """Buy units of mixed kinds until nothing more fits."""
    bought: list[ArmyUnit] = []
    people: set[str] = set()
    left = points
    while True:
        fitting = [card for card in pool if card.points <= left and person(card) not in people]
        if not fitting or len(bought) >= 60:
            return bought
        weights = [KIND_WEIGHTS[card.kind] * (1 + card.points) for card in fitting]
        if not any(weights):
            return bought
        card = dice.choices(fitting, weights)[0]
        unit = ArmyUnit(card.id)
        left -= card.points
        affordable = [option for option in card.options if option.points <= left]
        if affordable and dice.random() < 0.3:
            option = dice.choice(affordable)
            unit = ArmyUnit(card.id, options={option.id: 1})
            left -= option.points
        if card.max_in_army is not None:
            people.add(person(card))
        bought.append(unit)


def person(card: Buyable) -> str:
    """Versions of one hero are one person."""
    return f"{card.bloc}/{card.variant_of}" if card.kind == "hero" and card.variant_of else card.id


def assign_heroes(army: Army, dice: random.Random) -> Army:
    """Let heroes join squads or take the wheel where they may; those who must join and cannot are dropped."""
    units = list(army.units)
    mustered = muster(army)
    taken: set[str] = set()
    dropped: list[int] = []
    for one in mustered:
        card = one.dust
        if card.kind != "hero":
            continue
        squads = [s for s in mustered if s.label not in taken and not why_not_join(card, s.dust)]
        squads = [s for s in squads if not (card.has("Commissar") and s.options)]
        vehicles = [v for v in mustered if v.label not in taken and not why_not_pilot(card, v.dust)]
        must = card.has("Commissar")
        if vehicles and dice.random() < 0.7:
            target = dice.choice(vehicles).label
            units[one.place] = msgspec.structs.replace(units[one.place], pilots=target)
            taken.add(target)
        elif squads and (must or dice.random() < 0.7):
            target = dice.choice(squads).label
            units[one.place] = msgspec.structs.replace(units[one.place], joins=target)
            taken.add(target)
        elif must:
            dropped.append(one.place)
    return without(msgspec.structs.replace(army, units=tuple(units)), dropped)


def without(army: Army, places: list[int]) -> Army:
    """The list without those units; labels of the others stay what references call them."""
    if not places:
        return army
    labels = army.labels()
    kept = [place for place in range(len(army.units)) if place not in places]
    taken: set[str] = set()
    units = []
    for place in kept:
        unit = army.units[place]
        if free_label(unit.card, taken) != labels[place]:
            unit = msgspec.structs.replace(unit, label=labels[place])
        taken.add(labels[place])
        units.append(unit)
    return msgspec.structs.replace(army, units=tuple(units))


def mount_some(army: Army, dice: random.Random) -> Army:
    """Put squads into transports that have room for them."""
    mustered = muster(army)
    units = list(army.units)
    for carrier in mustered:
        seats = carrier.dust.skill("Passengers")
        if seats is None or dice.random() < 0.4:
            continue
        for one in mustered:
            if units[one.place].mounted_in or one.unit.joins or one.unit.pilots or one.dust.kind == "vehicle":
                continue
            party = party_spaces(one, mustered)
            if one.label != carrier.label and party <= seats.number and not why_not_ride(one.dust, carrier.dust):
                units[one.place] = msgspec.structs.replace(units[one.place], mounted_in=carrier.label)
                break
    return msgspec.structs.replace(army, units=tuple(units))


def party_spaces(one: DustUnit, mustered: tuple[DustUnit, ...]) -> int:
    return spaces(one) + sum(spaces(hero) for hero in mustered if hero.unit.joins == one.label)
