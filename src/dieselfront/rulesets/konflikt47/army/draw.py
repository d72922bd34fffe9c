"""Random Konflikt '47 armies: a reinforced platoon, filled slot by slot."""

from __future__ import annotations

import random

import msgspec

from dieselfront.forces.armies import Army, ArmyUnit
from dieselfront.forces.army_check import check_army
from dieselfront.forces.errors import ForcesError
from dieselfront.forces.family import one_of
from dieselfront.rulesets.konflikt47.army.cards import KonfliktCard, build
from dieselfront.rulesets.konflikt47.army.platoons import categories_of, is_lent, selectors
from dieselfront.rulesets.konflikt47.army.units import konflikt_catalogue


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
