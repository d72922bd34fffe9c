"""What charges by and at vehicles are worth: walkers among troops, overruns, troops at tanks (k47.cqv.*, k47.cqw.*)."""

from __future__ import annotations

from math import comb

from dieselfront.rulesets.konflikt47.adviser.guess import lasting
from dieselfront.rulesets.konflikt47.adviser.worth import Judge
from dieselfront.rulesets.konflikt47.odds.fire_odds import not_ignored, table_odds
from dieselfront.rulesets.konflikt47.state import Unit

ROUNDS = 2.5  # of a fight that the walker goes on with as long as it likes


def charge_worth(judge: Judge, unit: Unit, target: Unit) -> float:
    """An assault in which a vehicle takes part: on one that stands still, with the right weapons, it pays
    (k47.cqv.to_hit)."""
    if unit.is_vehicle and not target.is_vehicle:
        return trample_worth(judge, unit, target)
    if unit.is_vehicle:
        return 0.25 * judge.value(target) - 0.2 * judge.value(unit)
    return torn_open(judge, unit, target) * judge.value(target) - 0.08 * judge.value(unit)


def trample_worth(judge: Judge, walker: Unit, target: Unit) -> float:
    """A walker among troops: round after round until they are gone or have torn it open (k47.cqw.result)."""
    storming = judge.rules.vehicle_assault
    if target.is_artillery:  # crushed, if it does not stop the walker before (k47.cqw.gun)
        risk = 0.0 if target.order else 0.5 * judge.guesses.volley(judge.state, target, walker).gone
        return (1 - risk) * judge.value(target) - (risk + 0.03) * judge.value(walker)
    throw, ignore = judge.rules.fight_plans.damage(judge.state, target, storming.pen(walker), "walker blows")
    dice = storming.blow_dice(walker)
    chance = float(throw.chance()) * not_ignored(ignore)
    wins = 1 - (1 - chance) ** dice
    wiped: float = min(1.0, ROUNDS * dice * chance / max(1, len(target.men)))
    breaks = judge.guesses.breaks(judge.state, target, 0)
    taken = wins * max(wiped, 1 - (1 - breaks) ** ROUNDS) + 0.25 * wins * (1 - wiped)
    risk = min(1.0, 1.5 * torn_open(judge, target, walker))
    if not target.order:
        risk += 0.5 * judge.guesses.volley(judge.state, target, walker).gone
    return float(min(0.95, taken) * judge.value(target) - (risk + 0.03) * judge.value(walker))


def overrun_worth(judge: Judge, unit: Unit, target: Unit) -> float:
    """Guns are crushed, others test their nerve; whoever has an answer to tanks gives it (k47.cqw.tank_overrun)."""
    lost = 0.9 if target.is_artillery else judge.guesses.breaks(judge.state, target, 0)
    armed = judge.rules.vehicle_assault.has_anti_tank(target)
    risk = (0.25 if not target.order else 0.12) if armed else 0.03
    return lost * judge.value(target) - risk * judge.value(unit)


def torn_open(judge: Judge, unit: Unit, vehicle: Unit) -> float:
    """The chance that troops wreck a vehicle in an assault; lesser damage counts a little (k47.cqv.damage)."""
    rules, state = judge.rules, judge.state
    score = rules.vehicle_assault.score(state, vehicle)
    dice = max(0, len(unit.men) - unit.pins)
    if score > 6 or not dice or (vehicle.is_enclosed and not rules.vehicle_assault.has_anti_tank(unit)):
        return 0.0
    chance = (7 - score) / 6
    worth: int = unit.ask("on_vehicle_hit_worth", 1, unit)
    value = vehicle.card.vehicle.value if vehicle.card.vehicle is not None else 6
    total = 0.0
    for hits in range(1, dice + 1):
        odds = comb(dice, hits) * chance**hits * (1 - chance) ** (dice - hits)
        ends = [_wrecked(judge, vehicle, face + 1 + hits * worth, value) for face in range(1, 7)]
        total += odds * sum(ends) / 6
    return total


def _wrecked(judge: Judge, vehicle: Unit, total: int, value: int) -> float:
    """The same for a damage roll."""
    if total < value:
        return 0.0
    if not vehicle.is_enclosed:
        return 1.0
    return lasting(table_odds(judge.rules.damage.grade(total, value), 0), vehicle)


__all__ = ["charge_worth", "overrun_worth", "torn_open", "trample_worth"]
