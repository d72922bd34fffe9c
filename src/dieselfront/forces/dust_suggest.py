"""What a Dust list lacks: platoons' missing units, guns against armour and aircraft, squads, officers."""

from __future__ import annotations

from collections.abc import Iterable

from dieselfront.forces.armies import Army
from dieselfront.forces.army_check import check_army
from dieselfront.forces.dust import DustCard
from dieselfront.forces.dust_check import of_another_faction, platoon_charts
from dieselfront.forces.dust_units import DustUnit
from dieselfront.forces.suggestion import FEW, Suggestion


def dust_needs(cards: Iterable[DustCard], army: Army, units: tuple[DustUnit, ...], left: int) -> list[Suggestion]:
    """What the list lacks, the musts before the shoulds."""
    suggestions = platoon_needs(army, units)
    pool = dust_pool(cards, army, units, left)
    if not any(can_hurt(one.dust, "V4") for one in units):
        armed = [card for card in pool if can_hurt(card, "V4")]
        suggestions.append(Suggestion("Nothing here can hurt a medium walker", best(armed)))
    if not any(can_hurt(one.dust, "A2") for one in units):
        armed = [card for card in pool if can_hurt(card, "A2")]
        suggestions.append(Suggestion("Nothing here can hurt an aircraft", best(armed)))
    if sum(one.dust.kind == "infantry" for one in units) < 2:
        squads = [card for card in pool if card.kind == "infantry"]
        suggestions.append(Suggestion("Few squads to take objectives with", best(squads)))
    if not any(one.dust.has("Command Squad") or one.dust.has("Officer") for one in units):
        leaders = [card for card in pool if card.has("Command Squad") or card.has("Officer")]
        suggestions.append(Suggestion("No officer or command squad to rally the others", best(leaders)))
    if army.faction is not None:
        suggestions += faction_needs(army, units)
    if left > 0 and pool:
        suggestions.append(Suggestion(f"{left} points are left, enough for", best(pool)))
    return [one for one in suggestions if one.cards or "left" not in one.message]


def dust_pool(cards: Iterable[DustCard], army: Army, units: tuple[DustUnit, ...], left: int) -> list[DustCard]:
    """Cards the list may still take."""
    taken = {one.card.id for one in units} | {one.dust.variant_of for one in units if one.dust.kind == "hero"}
    return [
        card
        for card in cards
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


def faction_needs(army: Army, units: tuple[DustUnit, ...]) -> list[Suggestion]:
    report = check_army(army)
    reasons = [fault.message for fault in report.errors if fault.rule == "d47.force.faction_force"]
    return [Suggestion(reason) for reason in reasons]


def platoon_needs(army: Army, units: tuple[DustUnit, ...]) -> list[Suggestion]:
    charts = platoon_charts()
    suggestions: list[Suggestion] = []
    for label, chart_id in army.platoons.items():
        chart = charts.get(chart_id)
        if chart is None:
            continue
        members = [one for one in units if one.unit.platoon == label]
        if not any(one.unit.role == "command" for one in members):
            cards = chart.command.one_of if chart.command else ()
            suggestions.append(Suggestion(f"{chart.name} lacks its command unit", cards))
        combat = sum(one.unit.role == "combat" for one in members)
        needed = len(chart.combat) or 2
        if combat < needed:
            cards = chart.combat[0].one_of if chart.combat else ()
            suggestions.append(Suggestion(f"{chart.name} lacks {needed - combat} combat units", cards))
    return suggestions
