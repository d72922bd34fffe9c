"""What a Konflikt '47 list lacks: empty slots of its platoons, something against tanks, points to spend."""

from __future__ import annotations

from dieselfront.forces.armies import Army
from dieselfront.forces.findings import Findings
from dieselfront.forces.suggestion import FEW, Suggestion
from dieselfront.rulesets.konflikt47.army.cards import KonfliktCard
from dieselfront.rulesets.konflikt47.army.platoons import categories_of, is_lent, platoon_of, platoons_of
from dieselfront.rulesets.konflikt47.army.units import KonfliktUnit, konflikt_catalogue


def konflikt_needs(army: Army, units: tuple[KonfliktUnit, ...], left: int) -> list[Suggestion]:
    pool = [card for card in konflikt_catalogue() if card.nation == army.nation and not card.unlisted]
    pool = [card for card in pool if not is_lent(card)]
    suggestions: list[Suggestion] = []
    for label, selector in platoons_of(army, Findings()).items():
        members = [one for one in units if platoon_of(army, one) == label]
        for slot in selector.slots:
            have = sum(slot.category in categories_of(one.konflikt) for one in members)
            if have < slot.min:
                cards = cheapest([card for card in pool if slot.category in categories_of(card)])
                suggestions.append(Suggestion(f"{selector.name} lacks {slot.min - have} of {slot.name}", cards))
    if not any(is_tank_killer(one.konflikt) for one in units):
        armed = [card for card in pool if is_tank_killer(card) and min(card.points.values()) <= left]
        suggestions.append(Suggestion("Nothing here can pierce a medium tank", cheapest(armed)))
    affordable = [card for card in pool if min(card.points.values()) <= left]
    if left > 0 and affordable:
        dearest = sorted(affordable, key=lambda card: (-min(card.points.values()), card.id))
        suggestions.append(Suggestion(f"{left} points are left, enough for", tuple(card.id for card in dearest[:FEW])))
    return suggestions


def cheapest(cards: list[KonfliktCard]) -> tuple[str, ...]:
    ordered = sorted(cards, key=lambda card: (min(card.points.values()), card.id))
    return tuple(card.id for card in ordered[:FEW])


def is_tank_killer(card: KonfliktCard) -> bool:
    return any((weapon.pen_vehicle or weapon.pen or 0) >= 4 for weapon in card.weapons if weapon.default)
