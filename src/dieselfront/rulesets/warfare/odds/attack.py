"""Attack odds of Dust Warfare between two cards: the rules plan the attack, the odds room evaluates the plans.

An attack and the counter-attack against it are rolled and applied together (dw.reaction.attack_simultaneous), so each
is evaluated by itself from the position before both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dieselfront.odds.games import Cell, OddsError
from dieselfront.odds.result import AttackOdds, Odds
from dieselfront.rulesets.warfare.firing import ATTACK, CLOSE, DIRECT, REACTION, SUSTAINED, Attack, Shot, Strike
from dieselfront.rulesets.warfare.odds import firing_range, trial
from dieselfront.rulesets.warfare.odds.firing_range import Range, WarfareSituation
from dieselfront.rulesets.warfare.plans import TABLE_HITS
from dieselfront.rulesets.warfare.state import Unit

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare

DOUBT = "optional abilities of the target may change the end"


def attack(rules: Warfare, attacker: Any, target: Any, situation: WarfareSituation | None = None) -> AttackOdds:
    """The odds of one unit attacking another."""
    situation = situation or WarfareSituation()
    place = firing_range.build(rules, attacker, target, situation)
    strike = struck(rules, place, situation)
    back = _back(rules, place, situation) if situation.reaction else None
    return AttackOdds(
        attacker.name,
        target.name,
        situation.but(range=place.range),
        odds_of(strike),
        None if back is None else odds_of(back),
        refused=lambda: refused(rules, place, strike),
        choices=tricks(strike.attack),
    )


def odds_of(strike: Strike) -> Odds:
    """The odds of a strike with a note where the plans do not tell the end."""
    odds = trial.evaluate([strike], label=", ".join(group.label for group in strike.groups))
    odds.words = ("points of damage" if strike.target.is_machine else "soldiers", "past cover and armor")
    if strike.plan is not None and not strike.plan.tells_all:
        odds.notes.append(DOUBT)
    return odds


def struck(rules: Warfare, place: Range, situation: WarfareSituation) -> Strike:
    """The strike of the attack, with the abilities that were asked for."""
    kind = SUSTAINED if situation.sustained else ATTACK
    names = [name.lower() for name in situation.weapons]
    _check_weapons(place.attacker, names)
    mode = CLOSE if situation.close else ""
    strikes = trial.strikes(rules, place.state, place.attacker, place.target, kind, names, mode)
    best = trial.best(strikes)
    if best is None:
        raise OddsError(_why_none(rules, place))
    return _with_tricks(rules, best, situation.skills)


def _check_weapons(unit: Unit, names: Sequence[str]) -> None:
    known = {weapon.name.lower() for weapon in unit.weapons}
    for name in names:
        if name not in known:
            raise OddsError(f"{unit.name} has no weapon {name}; it has {', '.join(one.name for one in unit.weapons)}")


def tricks(attack: Attack) -> tuple[str, ...]:
    """Optional abilities of the attack."""
    return tuple(dict.fromkeys(attack.unit.ask("on_tricks", [], attack)))


def _with_tricks(rules: Warfare, strike: Strike, skills: Sequence[str]) -> Strike:
    if not skills:
        return strike
    attack = strike.attack
    known = {name.lower(): name for name in tricks(attack)}
    for skill in skills:
        if skill.lower() not in known:
            raise OddsError(
                f"{attack.unit.name} has no choice {skill} in this attack; it has {_listed(known.values())}"
            )
    attack.tricks = tuple(known[skill.lower()] for skill in skills)
    for name in attack.tricks:
        for answer in attack.unit.hooks.get("on_trick", ()):
            answer(attack, name)
    planned: Strike = rules.attacking.plan(attack, strike.target)
    return planned


def _listed(names: Any) -> str:
    return ", ".join(names) or "none"


def _back(rules: Warfare, place: Range, situation: WarfareSituation) -> Strike | None:
    """The counter-attack of the target (dw.reaction.attack_within_12)."""
    if place.range > 12:
        raise OddsError(f'a target {place.range}" away does not fire back; reactions reach 12" (--range)')
    mode = CLOSE if situation.close else ""
    return trial.best(trial.strikes(rules, place.state, place.target, place.attacker, REACTION, (), mode))


def refused(rules: Warfare, place: Range, strike: Strike) -> list[tuple[str, str, str]]:
    """The weapons that take no part: name, rule and reason."""
    used = {shot.weapon.id for shot in strike.attack.shots}
    out: list[tuple[str, str, str]] = []
    for man, at, index in rules.attacking.weapons(place.attacker):
        weapon = place.attacker.weapons[index]
        if weapon.id in used or any(name == weapon.name for name, _, _ in out):
            continue
        attack = Attack(place.state, place.attacker, strike.attack.kind)
        mode = rules.attacking.modes(attack, weapon)[0]
        why = rules.attacking.refusal(Shot(attack, man, at, index, place.target, mode), {})
        if why is None:
            why = ("dw.weapon.close_combat_range", "close combat weapons are used only with each other")
        out.append((weapon.name, *why))
    return out


def _why_none(rules: Warfare, place: Range) -> str:
    attacker, target = place.attacker, place.target
    attack = Attack(place.state, attacker)
    for man, at, index in rules.attacking.weapons(attacker):
        mode = CLOSE if attacker.weapons[index].close else DIRECT
        why = rules.attacking.refusal(Shot(attack, man, at, index, target, mode), {})
        if why is not None:
            return f"{attacker.name} cannot attack {target.name}: {attacker.weapons[index].name}: {why[1]}"
    return f"{attacker.name} has no weapon against {target.name}"


def cell(rules: Warfare, situation: WarfareSituation, card: Any, weapon: str, target: Any) -> Cell | None:
    """One card, or one weapon of it, against another, for a matrix."""
    asked = situation.but(weapons=(weapon,)) if weapon else situation
    try:
        place = firing_range.build(rules, card, target, asked)
        strike = struck(rules, place, asked)
    except OddsError:
        return None
    odds = trial.evaluate([strike])
    worth = odds.mean_losses / odds.capacity * target.points / card.points if card.points else 0.0
    assert strike.plan is not None
    return Cell(odds.mean_losses, odds.destroyed, worth, strike.plan.tells_all)


__all__ = ["TABLE_HITS", "attack", "cell", "odds_of", "refused", "struck", "tricks"]
