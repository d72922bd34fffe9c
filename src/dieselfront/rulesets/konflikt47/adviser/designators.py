"""Target designators: who points a tank out acts before the gun that shoots at it (k47.special.target_designator)."""

from __future__ import annotations

from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.adviser.worth import Judge
from dieselfront.rulesets.konflikt47.state import FIRE, Unit


def has_at_gun(unit: Unit) -> bool:
    return any(weapon.at_gun for weapon in unit.card.weapons)


def pointed_out(judge: Judge, designator: Unit) -> float:
    """What the best gun still to fire gains if it may roll a miss again at somebody the designator sees."""
    guns = [friend for friend in judge.state.friends(designator) if friend.on_table and not friend.order]
    seen = [enemy for enemy in judge.state.enemies(designator) if ground.sees(judge.state, designator, enemy)]
    best = 0.0
    for gun in guns:
        if not has_at_gun(gun):
            continue
        for enemy in seen:
            guess = judge.guesses.volley(judge.state, gun, enemy, FIRE)
            best = max(best, judge.gain(enemy, guess) * (1 - guess.hit))
    return best


def should_wait(judge: Judge, gun: Unit, target: Unit) -> bool:
    """Should a gun leave its target to a designator first? The target cannot get away any more this turn."""
    if not target.order or not has_at_gun(gun):
        return False
    return any(
        friend.designates and not friend.order and friend.on_table and ground.sees(judge.state, friend, target)
        for friend in judge.state.friends(gun)
    )


__all__ = ["has_at_gun", "pointed_out", "should_wait"]
