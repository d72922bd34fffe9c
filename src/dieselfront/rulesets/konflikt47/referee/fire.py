"""Questions about fire in Konflikt '47: exact odds, and what a hit does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from dieselfront.kernel.field import NoAnswer, unique
from dieselfront.odds import exact
from dieselfront.odds.result import Odds, as_json, mean
from dieselfront.referee.choices import simple
from dieselfront.referee.document import Entry
from dieselfront.referee.questions import FROM, TO, Questions
from dieselfront.referee.results import Answer
from dieselfront.referee.session import Session
from dieselfront.rulesets.konflikt47.firing import Pool, Shot, Wound
from dieselfront.rulesets.konflikt47.odds import fire_odds as konflikt_fire
from dieselfront.rulesets.konflikt47.plans import FAILED, HIT, MORALE, PINS
from dieselfront.rulesets.konflikt47.state import ADVANCE, FIRE, State, Unit

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47

KonfliktSession: TypeAlias = "Session[Konflikt47, State]"

KEYS = ("attacker", "from", "unit", "target", "to", "weapon", "round", "order")


def odds(session: KonfliktSession, entry: Entry) -> Answer:
    """Exact odds of fire from where the units stand, with everything that shapes the dice."""
    rules, state, field = session.rules, session.state, session.rules.field
    unit, target, how, shots = shooting(session, entry)
    plain = [shot for shot in shots if shot.round != "smoke" and not unit.weapon(shot.weapon).is_wave]
    pools, lost = rules.shooting.pools(state, unit, target, plain, how)
    if not pools:
        reason = lost[1] if lost else "no weapon bears on it"
        raise entry.impossible(f"{unit.card.name} has nothing to shoot at {target.card.name} with: {reason}")
    plan = rules.plans.of_volley(state, target, pools)
    fire = exact.evaluate(plan)
    steps = konflikt_fire.steps(rules, state, target, pools)
    rule_ids = unique(rule for step in steps for rule in step.rules())
    facts = odds_facts(fire, target) | {
        "attacker": unit.id,
        "target": target.id,
        "order": how,
        "steps": [step.to_json() for step in steps],
        "rules": rule_ids,
    }
    text = [f"{pool.weapon.name}: {field.pool(pool)['text']}" for pool in pools]
    notes = [] if plan.tells_all else [f"Of the dice of this plan only: {CHANGED}."]
    return Answer("odds", [*text, *_in_words(fire, target), *notes], facts, rule_ids)


CHANGED = "rules of the target or of a weapon speak afterwards"
"""What a plan of dice does not tell: rules that answer to what has happened."""


def _in_words(fire: Odds, target: Unit) -> list[str]:
    """The whole end of the volley: damage, pins, results of the table and morale (k47.shoot.sequence)."""
    pins = mean(fire.further[PINS])
    text = [f"A hit at all: {fire.chances[HIT]:.1%}; pins to expect: {pins:.2f}."]
    if not target.is_vehicle:
        text.append(f"Expected: {fire.mean_losses:.2f} of {len(target.men)} models; all lost: {fire.losses[-1]:.1%}.")
    checked = fire.chances[MORALE]
    nerve = f"; a morale check: {checked:.1%}, failed: {fire.chances[FAILED]:.1%}" if checked >= 0.0005 else ""
    return [*text, f"Destroyed in the end with a chance of {fire.destroyed:.1%}{nerve}."]


def odds_facts(fire: Odds, target: Unit) -> dict[str, Any]:
    """The odds as plain data, in the keys of `dieselfront odds --json`."""
    facts: dict[str, Any] = {
        "hits": as_json(fire.hits),
        "losses": {str(number): chance for number, chance in enumerate(fire.losses)},
        "destroyed": fire.destroyed,
        "expected": {"hits": fire.mean_hits, "losses": fire.mean_losses, "pins": mean(fire.further[PINS])},
        "hit": fire.chances[HIT],
        "check": fire.chances[MORALE],
        "failed": fire.chances[FAILED],
    }
    if target.is_armoured:
        return facts | {"results": {name: fire.chances[name] for name in konflikt_fire.RESULTS}}
    return facts


def damage(session: KonfliktSession, entry: Entry) -> Answer:
    """What a hit does: damage value, penetration and why; against armour the grade of every face of the die."""
    unit, target, how, shots = shooting(session, entry)
    pools, lost = session.rules.shooting.pools(session.state, unit, target, shots, how)
    if not pools:
        raise entry.impossible(f"{unit.card.name} cannot shoot at {target.card.name}: {(lost or ('', 'no weapon'))[1]}")
    by_weapon = [_of_pool(session, target, pool) for pool in pools]
    text = [line for one in by_weapon for line in one["text"]]
    rules = unique(rule for one in by_weapon for rule in one.pop("rules"))
    facts = {"from": unit.id, "to": target.id, "weapons": by_weapon}
    marks = {"facings": target.bodies[:1] if target.is_vehicle else []}
    return Answer("damage", text, facts, rules, marks)


def _of_pool(session: KonfliktSession, target: Unit, pool: Pool) -> dict[str, Any]:
    rules, state, weapon = session.rules, session.state, pool.weapon
    wound = Wound(state, weapon, pool.pen, pool.facing, pool.sniper, False, pool.indirect)
    value = rules.damage.value(target, wound)
    needed = max(2, value - pool.pen)
    side = f" from the {pool.facing}" if pool.facing else ""
    text = [f"{weapon.name}{side}: damage value {value}, penetration {pool.pen:+d}."]
    facts: dict[str, Any] = {
        "weapon": weapon.name,
        "round": pool.round,
        "facing": pool.facing,
        "value": value,
        "pen": pool.pen,
        "rules": ["k47.damage.roll", "k47.damage.values", "k47.damage.nat1"],
        "text": text,
    }
    if target.is_armoured and weapon.small_arm:
        text.append("Small arms cannot damage armour (k47.damage.small_arms_armour).")
        facts["rules"] = ["k47.damage.small_arms_armour"]
        return facts
    if not target.is_armoured:
        text.append(f"Every hit damages on {needed}+." if needed <= 6 else "It cannot be damaged.")
        facts["needed"] = needed
        return facts
    faces = dict(konflikt_fire.damaging(rules, value, pool.pen))
    facts["grades"] = {str(face): faces.get(face, "nothing") for face in range(1, 7)}
    text.append(", ".join(f"{face}: {grade}" for face, grade in facts["grades"].items()))
    facts["results"] = konflikt_fire.hit_results(rules, state, target, pool)
    text.append("A hit: " + ", ".join(f"{name} {chance:.1%}" for name, chance in facts["results"].items()))
    facts["rules"] = ["k47.armour.facing", "k47.armour.mods", "k47.armour.result_grade", "k47.armour.results"]
    return facts


def passes(needed: int) -> float:
    """The chance to roll so much or less on two dice."""
    return konflikt_fire.passes(needed)


def shooting(session: KonfliktSession, entry: Entry) -> tuple[Unit, Unit, str, list[Shot]]:
    """Who shoots at whom, by which order, with what."""
    asked, rules, state = Questions(session, session.lengths), session.rules, session.state
    pairs = entry.table(KEYS)
    unit, target = state.unit(asked.unit(pairs, FROM, entry)), state.unit(asked.unit(pairs, TO, entry))
    how = simple(pairs["order"].text()) if "order" in pairs else FIRE
    if how not in (FIRE, ADVANCE):
        raise pairs["order"].wrong(f"nobody shoots by '{how}'; expected fire or advance")
    try:
        wanted = rules.field.weapon(unit, pairs["weapon"].text()) if "weapon" in pairs else None
    except NoAnswer as error:
        raise pairs["weapon"].no_answer(error) from None
    way = pairs["round"].text() if "round" in pairs else ""
    if wanted is not None and unit.weapon(wanted).is_wave:
        reason = "a shockwave rolls a die on 4+ for every unit on its line; ask for weapons (k47.wrule.shockwave_line)"
        raise pairs["weapon"].impossible(reason)
    if wanted is None and not way:
        best = konflikt_fire.best_shots(rules, state, unit, target, how)
        return unit, target, how, [shot for shot in best if not unit.weapon(shot.weapon).is_wave]
    name = unit.weapon(wanted).name if wanted is not None else ""
    shots = [
        Shot(man, index, target.id, one)
        for man, index, one in rules.shooting.options_of(state, unit, how)
        if (not name or unit.weapon(index).name == name) and (not way or simple(one) == simple(way))
    ]
    once = {(shot.man, shot.weapon): shot for shot in reversed(shots)}
    return unit, target, how, sorted(once.values())


__all__ = ["damage", "odds"]
