"""What a list lacks: missing units of its platoons, points left and what they buy, gaps an enemy would find."""

from __future__ import annotations

import msgspec

from dieselfront.forces.armies import Army
from dieselfront.forces.army_check import check_army, known_units
from dieselfront.forces.catalogue import DUST_RULESETS, dust_catalogue, konflikt_catalogue
from dieselfront.forces.dust import DustCard
from dieselfront.forces.dust_check import of_another_faction, platoon_charts
from dieselfront.forces.findings import Findings
from dieselfront.forces.konflikt import KonfliktCard
from dieselfront.forces.konflikt_check import categories_of, is_lent, platoon_of, platoons_of
from dieselfront.forces.muster import Mustered

FEW = 5


class Suggestion(msgspec.Struct, frozen=True):
    """Something the list could do with, and the cards that would give it."""

    message: str
    cards: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.message}: {', '.join(self.cards)}" if self.cards else self.message


def suggest(army: Army) -> tuple[Suggestion, ...]:
    """What the list lacks, the musts before the shoulds."""
    units = known_units(army)
    left = army.points - sum(one.points for one in units)
    found = dust_needs(army, units, left) if army.ruleset in DUST_RULESETS else konflikt_needs(army, units, left)
    if left < 0:
        found.append(Suggestion(f"{-left} points over the limit; leave something out"))
    return tuple(found)


# Dust


def dust_needs(army: Army, units: tuple[Mustered, ...], left: int) -> list[Suggestion]:
    found = platoon_needs(army, units)
    pool = dust_pool(army, units, left)
    if not any(can_hurt(one.dust, "V4") for one in units):
        armed = [card for card in pool if can_hurt(card, "V4")]
        found.append(Suggestion("Nothing here can hurt a medium walker", best(armed)))
    if not any(can_hurt(one.dust, "A2") for one in units):
        armed = [card for card in pool if can_hurt(card, "A2")]
        found.append(Suggestion("Nothing here can hurt an aircraft", best(armed)))
    if sum(one.dust.kind == "infantry" for one in units) < 2:
        squads = [card for card in pool if card.kind == "infantry"]
        found.append(Suggestion("Few squads to take objectives with", best(squads)))
    if not any(one.dust.has("Command Squad") or one.dust.has("Officer") for one in units):
        leaders = [card for card in pool if card.has("Command Squad") or card.has("Officer")]
        found.append(Suggestion("No officer or command squad to rally the others", best(leaders)))
    if army.faction is not None:
        found += faction_needs(army, units)
    if left > 0 and pool:
        found.append(Suggestion(f"{left} points are left, enough for", best(pool)))
    return [one for one in found if one.cards or "left" not in one.message]


def dust_pool(army: Army, units: tuple[Mustered, ...], left: int) -> list[DustCard]:
    """Cards the list may still take."""
    taken = {one.card.id for one in units} | {one.dust.variant_of for one in units if one.dust.kind == "hero"}
    return [
        card
        for card in dust_catalogue()
        if card.points <= left
        and (card.bloc == army.bloc or card.is_mercenary)
        and not card.alternate_profile
        and not (card.max_in_army == 1 and (card.id in taken or (card.variant_of in taken and card.variant_of)))
        and not (army.faction is not None and of_another_faction(card, army.faction))
    ]


def can_hurt(card: DustCard, armour: str) -> bool:
    """Whether a weapon of the card does more than scratch that class: two dice, or two points a hit."""
    return any(
        cell is not None and (cell.kill or cell.dice * cell.damage >= 2 or cell.blast * cell.damage >= 2)
        for cell in (weapon.cells.get(armour) for weapon in card.weapons)
    )


def best(cards: list[DustCard]) -> tuple[str, ...]:
    """The dearest few, as they use the points best."""
    ordered = sorted(cards, key=lambda card: (card.is_mercenary, -card.points, card.id))
    return tuple(card.id for card in ordered[:FEW])


def faction_needs(army: Army, units: tuple[Mustered, ...]) -> list[Suggestion]:
    report = check_army(army)
    reasons = [fault.message for fault in report.errors if fault.rule == "d47.force.faction_force"]
    return [Suggestion(reason) for reason in reasons]


def platoon_needs(army: Army, units: tuple[Mustered, ...]) -> list[Suggestion]:
    charts = platoon_charts()
    found: list[Suggestion] = []
    for label, chart_id in army.platoons.items():
        chart = charts.get(chart_id)
        if chart is None:
            continue
        members = [one for one in units if one.unit.platoon == label]
        if not any(one.unit.role == "command" for one in members):
            cards = chart.command.one_of if chart.command else ()
            found.append(Suggestion(f"{chart.name} lacks its command unit", cards))
        combat = sum(one.unit.role == "combat" for one in members)
        needed = len(chart.combat) or 2
        if combat < needed:
            cards = chart.combat[0].one_of if chart.combat else ()
            found.append(Suggestion(f"{chart.name} lacks {needed - combat} combat units", cards))
    return found


# Konflikt '47


def konflikt_needs(army: Army, units: tuple[Mustered, ...], left: int) -> list[Suggestion]:
    pool = [card for card in konflikt_catalogue() if card.nation == army.nation and not card.unlisted]
    pool = [card for card in pool if not is_lent(card)]
    found: list[Suggestion] = []
    for label, selector in platoons_of(army, Findings()).items():
        members = [one for one in units if platoon_of(army, one) == label]
        for slot in selector.slots:
            have = sum(slot.category in categories_of(one.konflikt) for one in members)
            if have < slot.min:
                cards = cheapest([card for card in pool if slot.category in categories_of(card)])
                found.append(Suggestion(f"{selector.name} lacks {slot.min - have} of {slot.name}", cards))
    if not any(is_tank_killer(one.konflikt) for one in units):
        armed = [card for card in pool if is_tank_killer(card) and min(card.points.values()) <= left]
        found.append(Suggestion("Nothing here can pierce a medium tank", cheapest(armed)))
    affordable = [card for card in pool if min(card.points.values()) <= left]
    if left > 0 and affordable:
        dearest = sorted(affordable, key=lambda card: (-min(card.points.values()), card.id))
        found.append(Suggestion(f"{left} points are left, enough for", tuple(card.id for card in dearest[:FEW])))
    return found


def cheapest(cards: list[KonfliktCard]) -> tuple[str, ...]:
    ordered = sorted(cards, key=lambda card: (min(card.points.values()), card.id))
    return tuple(card.id for card in ordered[:FEW])


def is_tank_killer(card: KonfliktCard) -> bool:
    return any((weapon.pen_vehicle or weapon.pen or 0) >= 4 for weapon in card.weapons if weapon.default)
