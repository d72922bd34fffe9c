"""What an officer's presence is worth to pinned friends who have still to act (k47.morale.officers)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dieselfront.rulesets.konflikt47.state import DOWN, Unit

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.adviser.plans import Planner

MOST = 2  # so many of the worst pinned are thought of
LATER = 0.7  # they may be shot at before they act


class Waverer(NamedTuple):
    """A friend who may fail his order: what the order would be worth, and his chance to obey as things are."""

    unit: Unit
    order: str
    worth: float
    chance: float


def waverers(planner: Planner, officer: Unit) -> list[Waverer]:
    """Pinned friends in reach of an officer's help, with the best they could do."""
    judge = planner.judge
    if not officer.card.rank:
        return []
    pinned = [
        unit
        for unit in judge.state.friends(officer)
        if unit.pins > 1 and not unit.order and unit.on_table and not unit.is_vehicle and not unit.card.rank
    ]
    pinned.sort(key=lambda unit: (-unit.pins, unit.id))
    waiting = []
    for unit in pinned[:MOST]:
        options = judge.rules.orders.choices(judge.state, unit)
        plans = [plan for plan in planner.intents(unit, options, False, 4) if plan.order != DOWN]
        for plan in plans[:1]:
            chance = planner.obeys(unit, plan.order)
            if 0 < chance < 1 and plan.value > 0:
                waiting.append(Waverer(unit, plan.order, plan.value / chance, chance))
    return waiting


def heartened(planner: Planner, waiting: list[Waverer]) -> float:
    """What they gain with the officer where he stands now, in thought or in truth."""
    return LATER * sum(one.worth * (planner.obeys(one.unit, one.order) - one.chance) for one in waiting)


__all__ = ["heartened", "waverers"]
