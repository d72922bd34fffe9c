"""A trial attack: what would be rolled if one unit attacked another now, everything aimed at it; nothing changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dieselfront.dice.plan import AnyPlan
from dieselfront.odds import exact
from dieselfront.odds.result import Odds
from dieselfront.rulesets.warfare.damage_tables import row_for, table_of
from dieselfront.rulesets.warfare.firing import ATTACK, SUSTAINED, Attack, Strike
from dieselfront.rulesets.warfare.plans import TABLE_HITS
from dieselfront.rulesets.warfare.state import State, Unit

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare


def strikes(
    rules: Warfare,
    state: State,
    unit: Unit,
    target: Unit,
    kind: str = ATTACK,
    weapons: Sequence[str] = (),
    mode: str = "",
) -> list[Strike]:
    """Every way to attack the target with all weapons that go together (close combat, direct, indirect), each with
    its plan; `weapons` are names, lower case."""
    strikes: list[Strike] = []
    ways = ordered_ways(rules, state, unit, target, kind)
    for way in ways:
        if mode and way[0] != mode:
            continue
        attack = Attack(state, unit, kind)
        aims = rules.attacking.aims(attack, target)
        shots = rules.attacking._all_at(attack, aims, way)
        attack.shots = [shot for shot in shots if not weapons or shot.weapon.name.lower() in weapons]
        if not attack.shots:
            continue
        if attack.is_indirect:
            attack.spotter = rules.artillery.first_spotter(attack)
        if kind == SUSTAINED:
            attack.way = rules.attacking.sustained_ways(attack)[0]
        strikes.append(rules.attacking.plan(attack, target))
    return strikes


def ordered_ways(rules: Warfare, state: State, unit: Unit, target: Unit, kind: str) -> list[tuple[str, str]]:
    """The ways in which some weapon can be used at the target, each once."""
    aims = rules.attacking.aims(Attack(state, unit, kind), target)
    return list(dict.fromkeys(aim for options in aims.values() for aim in options))


def best(strikes: Sequence[Strike]) -> Strike | None:
    """The strike that costs the target most."""
    return max(strikes, key=lambda strike: evaluate([strike]).mean_losses, default=None)


def evaluate(struck: Sequence[Strike], label: str = "") -> Odds:
    """The odds of strikes on one target, one after the other; machines with the effects of their table."""
    plans: list[AnyPlan] = [strike.plan for strike in struck if strike.plan is not None]
    odds = exact.evaluate(plans, label=label)
    target = struck[0].target
    if target.is_machine and TABLE_HITS in odds.further:
        odds.tell_chances(lambda: effects(odds, target))
    return odds


def effects(odds: Odds, target: Unit) -> dict[str, float]:
    """The chance of every row of the damage table (dw.damage.vehicle_table_roll); rows the target has already lead to
    the next lower one it has not (dw.damage.vehicle_one_effect)."""
    table = table_of(target)
    chances: dict[str, float] = {}
    for hits, chance in enumerate(odds.further[TABLE_HITS]):
        effect = fresh(target, row_for(table, hits).effect)
        if effect and chance:
            chances[effect] = chances.get(effect, 0.0) + chance
    return {row.effect: chances[row.effect] for row in table if row.effect in chances}


def fresh(target: Unit, effect: str) -> str:
    """The effect that a row gives a machine with those it has; by the printed rule the next lower one."""
    names = [row.effect for row in table_of(target)]
    place = names.index(effect)
    return next((name for name in reversed(names[1 : place + 1]) if name not in target.effects), "")


__all__ = ["best", "effects", "evaluate", "ordered_ways", "strikes"]
