"""Fire that strikes more than its target: shockwaves along a line, launchers all round (k47.wrule.shockwave_line,
k47.special.multiple_launcher)."""

from __future__ import annotations

from collections.abc import Sequence

from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.adviser.guess import apart, middle
from dieselfront.rulesets.konflikt47.adviser.worth import Judge
from dieselfront.rulesets.konflikt47.firing import Shot
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.state import FIRE, Unit

OWN = 1.3  # our own losses weigh more: nobody shoots at his own men for an even exchange
BESIDE = 6  # inches round the target that a launcher endangers


def wave_gain(judge: Judge, unit: Unit, target: Unit, shot: Shot) -> float:
    """What a shockwave through a target takes from all on its line, our own counted against it."""
    total = 0.0
    for id in judge.rules.weapon_rules.wave(judge.state, unit, target, shot):
        struck = judge.state.unit(id)
        gain = judge.gain(struck, judge.guesses.wave(judge.state, unit, struck, shot.weapon))
        total += gain if struck.side != unit.side else -OWN * gain
    return total


def waves_gain(judge: Judge, unit: Unit, target: Unit, shots: Sequence[Shot]) -> float:
    """The same for all shockwaves among declared shots."""
    return sum(wave_gain(judge, unit, target, shot) for shot in shots if unit.weapon(shot.weapon).is_wave)


def is_launcher(unit: Unit) -> bool:
    return any(weapon.spreads for weapon in unit.card.weapons)


def beside_gain(judge: Judge, unit: Unit, target: Unit) -> float:
    """What a launcher does to those round its target, friend and foe."""
    state = judge.state
    here = middle(target)
    total = 0.0
    for other in state.units:
        if other is target or other is unit or not other.on_table or not other.bodies:
            continue
        if apart(here, middle(other)) > (BESIDE + 6) * INCH or not ground.within(other, target, BESIDE):
            continue
        far = apart(middle(unit), middle(other))
        guess = judge.guesses.at(state, unit, other, FIRE, far, 0, "front" if other.is_vehicle else "")
        gain = judge.gain(other, guess)
        total += gain if other.side != unit.side else -OWN * gain
    return total


__all__ = ["beside_gain", "is_launcher", "wave_gain", "waves_gain"]
