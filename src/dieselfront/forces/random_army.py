"""Random armies: legal lists for a number of points, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec

from dieselfront.forces.armies import Army, ArmyUnit, free_label
from dieselfront.forces.army_check import check_army
from dieselfront.forces.catalogue import DUST_RULESETS, catalogue, dust_catalogue, konflikt_catalogue
from dieselfront.forces.dust import DustCard
from dieselfront.forces.dust_check import of_another_faction, spaces, why_not_join, why_not_pilot, why_not_ride
from dieselfront.forces.errors import ForcesError, nearest
from dieselfront.forces.konflikt import KonfliktCard, build
from dieselfront.forces.konflikt_check import categories_of, is_lent, selectors
from dieselfront.forces.muster import Mustered, muster

ATTEMPTS = 40
KIND_WEIGHTS = {"infantry": 9, "vehicle": 6, "hero": 4, "support": 2, "aircraft": 1, "fortification": 0}
GREAT_BLOCS = ("Allies", "Axis", "SSU")


def random_army(ruleset: str, points: int, seed: int, bloc: str | None = None, faction: str | None = None) -> Army:
    """A legal list of at most that many points and seldom much fewer; `bloc` is a nation in Konflikt '47."""
    catalogue(ruleset)
    if points < 1:
        raise ForcesError(f"An army of {points} points cannot be built; expected 1 or more.")
    for attempt in range(ATTEMPTS):
        dice = random.Random(f"{ruleset}/{points}/{seed}/{bloc}/{faction}/{attempt}")
        if ruleset in DUST_RULESETS:
            army = random_dust(ruleset, points, dice, bloc, faction)
        else:
            army = random_konflikt(points, dice, bloc)
        if army is not None and army.units and check_army(army).ok:
            return army
    side = f" of {bloc}" if bloc else ""
    raise ForcesError(f"No legal army{side} could be built for {points} points; expected more points.")


def one_of(word: str, name: str | None, known: Sequence[str]) -> str | None:
    """The name if it is known (letters' case aside); an unknown one is refused with the nearest."""
    if name is None:
        return None
    for one in known:
        if one.lower() == name.lower():
            return one
    hint = nearest(name, known)
    wanted = f"did you mean {' or '.join(hint)}?" if hint else f"expected one of {', '.join(known)}."
    raise ForcesError(f"There is no {word} {name!r}; {wanted}")


# Dust


def random_dust(ruleset: str, points: int, dice: random.Random, bloc: str | None, faction: str | None) -> Army | None:
    cards = dust_catalogue()
    chosen = one_of("bloc", bloc, cards.sides()) or dice.choice(GREAT_BLOCS)
    banner = one_of("faction", faction, cards.factions(chosen))
    if banner is None and faction is None and cards.factions(chosen) and dice.random() < 0.3:
        banner = dice.choice(cards.factions(chosen))
    units = buy_dust(points, dice, pool_of(chosen, banner, dice))
    army = Army(ruleset, f"{banner or chosen} {points}", points, tuple(units), bloc=chosen, faction=banner)
    army = assign_heroes(army, dice)
    army = mount_some(army, dice)
    if banner is not None and faction is None and not check_army(army).ok:
        army = msgspec.structs.replace(army, faction=None, name=f"{chosen} {points}")
    return army


def pool_of(bloc: str, faction: str | None, dice: random.Random) -> list[DustCard]:
    """The cards to choose from: the bloc's own and, now and then, mercenaries."""
    mercenaries = dice.random() < 0.3
    return [
        card
        for card in dust_catalogue()
        if (card.bloc == bloc or (mercenaries and card.is_mercenary))
        and not card.alternate_profile
        and not (faction is not None and of_another_faction(card, faction))
        and (faction is None or faction in card.factions or dice.random() < 0.25)
    ]


def buy_dust(points: int, dice: random.Random, pool: list[DustCard]) -> list[ArmyUnit]:
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


def person(card: DustCard) -> str:
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


def party_spaces(one: Mustered, mustered: tuple[Mustered, ...]) -> int:
    return spaces(one) + sum(spaces(hero) for hero in mustered if hero.unit.joins == one.label)


# Konflikt '47


def random_konflikt(points: int, dice: random.Random, nation: str | None) -> Army | None:
    cards = konflikt_catalogue()
    chosen = one_of("nation", nation, cards.sides()) or dice.choice(cards.sides())
    pool = [card for card in cards if card.nation == chosen and not card.unlisted and not is_lent(card)]
    slots = selectors()["reinforced"].slots
    units: list[ArmyUnit] = []
    left = points
    for slot in slots:
        for _ in range(slot.min):
            unit, price = buy_konflikt(slot.category, left // (2 if slot.category == "Commander" else 1), pool, dice)
            if unit is None:
                return None
            units.append(unit)
            left -= price
    for _ in range(40):
        slot = dice.choice(slots)
        unit, price = buy_konflikt(slot.category, left, pool, dice)
        if unit is None:
            continue
        tried = Army("konflikt47", "trial", points, (*units, unit), nation=chosen)
        if check_army(tried).ok:
            units.append(unit)
            left -= price
    return Army("konflikt47", f"{chosen} {points}", points, tuple(units), nation=chosen)


def buy_konflikt(
    category: str, left: int, pool: list[KonfliktCard], dice: random.Random
) -> tuple[ArmyUnit | None, int]:
    """One unit of a category that can be paid, perhaps with more men."""
    fitting = [
        (card, level)
        for card in pool
        if category in categories_of(card)
        for level in card.experiences
        if card.points[level] <= left
    ]
    if not fitting:
        return None, 0
    card, level = dice.choice(fitting)
    experience = None if level == card.usual_experience and dice.random() < 0.5 else level
    price = card.points[level]
    each = card.points_per_extra_model.get(level, 0)
    if each > 0 and card.kind == "infantry":
        most = min(card.models_max - card.models_min, (left - price) // each)
        extra = dice.randint(0, max(0, most))
        models = card.models_min + extra if extra else None
        unit = ArmyUnit(card.id, experience=experience, models=models)
        return with_some_option(card, unit, left, dice)
    return with_some_option(card, ArmyUnit(card.id, experience=experience), left, dice)


def with_some_option(card: KonfliktCard, unit: ArmyUnit, left: int, dice: random.Random) -> tuple[ArmyUnit, int]:
    """The unit and its price, perhaps with one option that can be paid."""
    level = unit.experience or card.usual_experience
    price = build(card, level, unit.models).points
    choices = [one.id for one in card.options if not (one.conditional or one.default or one.adds_model)]
    if choices and dice.random() < 0.4:
        options = {dice.choice(choices): 1}
        try:
            dearer = build(card, level, unit.models, options).points
        except ForcesError:
            return unit, price
        if dearer <= left:
            return msgspec.structs.replace(unit, options=options), dearer
    return unit, price
