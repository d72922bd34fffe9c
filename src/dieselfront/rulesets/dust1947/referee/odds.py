"""Odds of attacks between units of a Dust position, as play would roll them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dieselfront.dice import Because
from dieselfront.kernel.field import NoAnswer
from dieselfront.odds import evaluate
from dieselfront.referee.document import Entry
from dieselfront.referee.errors import counted
from dieselfront.referee.questions import FROM, TO, Questions
from dieselfront.referee.results import Answer
from dieselfront.referee.session import Session
from dieselfront.rulesets.dust.shots import Attack
from dieselfront.rulesets.dust.state import DustState, Unit
from dieselfront.rulesets.dust1947.field import DustField
from dieselfront.rulesets.dust1947.playing import Play

if TYPE_CHECKING:
    from dieselfront.rulesets.dust1947.ruleset import Dust1947

KEYS = ("attacker", "from", "target", "to", "weapon", "sustained", "close")


def odds(session: Session[Dust1947, DustState], entry: Entry) -> Answer:
    """Exact odds of an attack from where the units stand, with everything that shapes the dice."""
    asked = Questions(session)
    pairs = entry.table(KEYS)
    state, field = session.state, session.rules.field
    unit = state.by_id[asked.unit(pairs, FROM, entry)]
    target = state.by_id[asked.unit(pairs, TO, entry)]
    sustained = pairs["sustained"].flag() if "sustained" in pairs else False
    attack = Attack(unit, sustained=sustained, only=target.id)
    try:
        wanted = field.weapon(unit, pairs["weapon"].text()) if "weapon" in pairs else None
    except NoAnswer as error:
        raise pairs["weapon"].no_answer(error) from None
    plans = attack_plans(session.play, attack, target, wanted)
    if not plans:
        why = refusals(field, session.play, unit, target)
        raise entry.impossible(f"{unit.name} has nothing to attack {target.name} with{why}")
    evaluated = evaluate(plans, label=f"{unit.name} against {target.name}")
    facts = evaluated.to_json() | {"attacker": unit.id, "target": target.id, "sustained": sustained}
    facts["plans"] = [{"weapon": plan.label, "dice": plan.dice, "damage": plan.damage} for plan in plans]
    loss = "soldiers" if plans[0].squad else "points of damage"
    text = [f"{plan.label}: {counted(plan.dice, 'die', 'dice')}" for plan in plans]
    expected = f"{evaluated.mean_hits:.2f} hits, {evaluated.mean_losses:.2f} {loss} of {evaluated.capacity}"
    text.append(f"Expected: {expected}.")
    text.append(f"Destroyed with a chance of {evaluated.destroyed:.1%}.")
    text += [f"{because.text} ({because.rule})" for because in _reasons(plans)]
    return Answer("odds", text, facts, evaluated.rules())


def refusals(field: DustField, play: Play, unit: Unit, target: Unit) -> str:
    """Why no weapon can be used, each reason once."""
    reasons = dict.fromkeys(use.reason for use in field.weapons(play, unit.id, target.id) if not use.usable)
    return ": " + "; ".join(reasons) if reasons else ""


def attack_plans(play: Play, attack: Attack, target: Unit, wanted: tuple[int, int] | None) -> list[Any]:
    """The plans of all weapons (or the one named) that can be used on the target, ranged ones first."""
    attacks = play.rules.attacks
    lines = [line for line in attacks.weapon_lines(play, attack) if wanted in (None, (line.part, line.index))]
    if wanted is None:
        lines = [line for line in lines if not line.weapon.close] or lines
    shots = []
    for line in lines:
        aims = [aim for aim in line.aims if aim and aim[0] == target.id]
        if aims:
            able = attacks.takers(play, attack, line, aims[0])
            shots += attacks.pools_of(play, attacks.shot(play, attack, line.part, line.index, aims[0], able))
    attack.shots = shots  # who fires has no hands free (d47.weapon.spotter)
    struck = [one for shot in shots for one in attacks.victims(play, shot) if one.target is target]
    return [attacks.plan(play, one) for one in struck]


def _reasons(plans: list[Any]) -> list[Because]:
    return list(dict.fromkeys(because for plan in plans for because in plan.reasons()))


__all__ = ["odds"]
