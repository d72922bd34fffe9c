"""What is declared for an attack: the target, weapon by weapon, what a sustained attack is used for, abilities, second
targets. The plan says it; where there is none, or it no longer fits, what is at stake decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from dieselfront.kernel.decisions import Answer, Decision
from dieselfront.odds import choices
from dieselfront.rulesets.warfare.abilities.attacking import FIGHTING_SPIRIT
from dieselfront.rulesets.warfare.activation import MARCH, SUSTAINED
from dieselfront.rulesets.warfare.adviser.estimates import Fire
from dieselfront.rulesets.warfare.adviser.gunnery import NO_SHOOTING, Shooting
from dieselfront.rulesets.warfare.adviser.intent import Plan
from dieselfront.rulesets.warfare.firing import ATTACK as ATTACK_KIND
from dieselfront.rulesets.warfare.firing import CHARGE as CHARGE_KIND
from dieselfront.rulesets.warfare.firing import REACTION as REACTION_KIND
from dieselfront.rulesets.warfare.firing import SUSTAINED as SUSTAINED_KIND
from dieselfront.rulesets.warfare.state import Unit

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.adviser.plans import Planner

CHOOSE = ("choose", "")
ENOUGH = 0.03
"""An ability that can be used once in a game has to bring such a share of the unit's points before the last turn."""


def kind_of(planner: Planner, unit: Unit) -> tuple[str, dict[str, Any]]:
    """What kind of attack the unit is about to make."""
    if planner.state.notes.get("reacting") or planner.state.active != unit.side:
        return REACTION_KIND, {}
    declared = unit.notes.get("declared", ())
    if SUSTAINED in declared:
        return SUSTAINED_KIND, {}
    if MARCH in declared and unit.has("Charge"):
        return CHARGE_KIND, {}
    return ATTACK_KIND, {FIGHTING_SPIRIT: True} if FIGHTING_SPIRIT in declared else {}


def targets(planner: Planner, decision: Any) -> list[tuple[Answer, float, Shooting]]:
    """Every target that can be attacked now with the best way to do it, the best first."""
    unit = planner.state.unit(decision.unit)
    kind, data = kind_of(planner, unit)
    aimed = {aim[1] for aim in decision.options if aim is not None and aim != CHOOSE}
    only = planner.state.unit(next(iter(aimed))) if len(aimed) == 1 else None
    made: dict[Answer, tuple[Answer, float, Shooting]] = {}
    for shooting in planner.gunnery.ways(unit, kind, only, **data):
        answer = CHOOSE if shooting.aim is None else shooting.aim
        if answer in decision.options and (answer not in made or shooting.value > made[answer][1]):
            made[answer] = (answer, shooting.value, shooting)
    return sorted(made.values(), key=lambda one: -one[1])


def planned_target(decision: Any, shooting: Shooting) -> Answer:
    """The target that was planned, None if it cannot be attacked any more."""
    if shooting is NO_SHOOTING:
        return None
    wanted = CHOOSE if shooting.aim is None else shooting.aim
    return wanted if wanted in decision.options else None


def planned_weapons(decision: Any, shooting: Shooting) -> Answer:
    """Every weapon at the target that was planned for it, None if that is not legal."""
    wanted = dict(shooting.aims)
    answer = tuple(
        wanted.get(item) if wanted.get(item) in options else None
        for item, options in zip(decision.items, decision.choices, strict=True)
    )
    if not any(answer) or decision.objection(answer) is not None:
        return None
    return answer


def shooting_of(plan: Any, unit: str) -> Shooting:
    """The attack of a plan, if it is this unit's."""
    return plan.shooting if isinstance(plan, Plan) and plan.unit == unit else NO_SHOOTING


def at_stake(planner: Planner, decision: Decision, answer: Answer) -> float:
    """Points that an answer puts at stake: the enemy's less ours."""
    value = 0.0
    for target_odds in choices.of_stakes(decision.at_stake(answer)):
        unit = planner.state.unit(target_odds.target)
        odds = target_odds.odds
        fire = Fire(odds.mean_losses, odds.destroyed, 1.0 - odds.hits[0])
        value += planner.gain(unit, fire) if unit.side != decision.player else -planner.values.loss(unit, fire)
    return value


def best_at_stake(planner: Planner, decision: Decision, answers: Iterable[Answer]) -> Answer:
    """The answer that puts most at stake for the enemy."""
    return max(answers, key=lambda answer: at_stake(planner, decision, answer))


def tricks(planner: Planner, decision: Any) -> Answer:
    """Abilities for this attack: those that bring enough."""
    unit = planner.state.unit(decision.unit)
    needed = 0.0 if planner.values.is_last_turn else ENOUGH * unit.ap
    ways: list[tuple[str, ...]] = [(), *[(name,) for name in decision.options]]
    plain = at_stake(planner, decision, ())
    worths = {way: at_stake(planner, decision, way) - plain for way in ways}
    best = max(ways, key=lambda way: worths[way] - needed * len(way))
    return tuple(name for name in decision.options if name in best)


__all__ = ["at_stake", "best_at_stake", "planned_target", "planned_weapons", "shooting_of", "targets", "tricks"]
