"""Suppressive Fire: worse hits, but a pin without any and a second one with them (k47.special.suppressive_fire)."""

from __future__ import annotations

from collections.abc import Sequence

from dieselfront.rulesets.konflikt47.adviser.guess import Guess
from dieselfront.rulesets.konflikt47.adviser.worth import Judge
from dieselfront.rulesets.konflikt47.firing import Shot
from dieselfront.rulesets.konflikt47.odds.fire_odds import pool_odds
from dieselfront.rulesets.konflikt47.state import FIRE, Unit

SUPPRESS = "suppress"


def may_suppress(unit: Unit, target: Unit) -> bool:
    """Squads with two LMGs and units with an MMG may, not at closed armour."""
    if not unit.is_infantry or target.is_enclosed:
        return False
    charts = [unit.weapon(index).chart for man in unit.men for index in unit.weapons_of(man)]
    return "MMG" in charts or sum("LMG" in chart for chart in charts) >= 2


def suppressed_gain(judge: Judge, unit: Unit, target: Unit, shots: Sequence[Shot]) -> float:
    """What it takes from a target by exact odds."""
    pools, _ = judge.rules.shooting.pools(judge.state, unit, target, shots, FIRE, True)
    if not pools:
        return 0.0
    odds = pool_odds(judge.rules, judge.state, target, pools)
    losses = odds.gone if target.is_vehicle else odds.mean_losses
    pins = 1.0 + odds.hit
    gone = max(odds.gone, judge.guesses.routs(judge.state, target, pins))
    return judge.gain(target, Guess(losses, 1.0, pins, gone))


__all__ = ["SUPPRESS", "may_suppress", "suppressed_gain"]
