"""The Dust die's faces as masks (d47.dice.faces)."""

from __future__ import annotations

from dieselfront.dice import DUST_DIE, Because, Reroll, Throw

ARMY = DUST_DIE.mask(["ARMY"])
SHIELD = DUST_DIE.mask(["SHIELD"])
TARGET = DUST_DIE.mask(["TARGET"])
ARMY_FACE, SHIELD_FACE, TARGET_FACE = 0, 1, 2


def task(label: str, rule: str, faces: int = ARMY, rerolls: tuple[Reroll, ...] = ()) -> Throw:
    """A simple roll of Dust dice that succeeds on some faces, ARMY unless the rule says otherwise."""
    return Throw(label, DUST_DIE, faces, rule, rerolls)


def widen(throw: Throw, faces: int, rule: str, text: str) -> Throw:
    """More faces count as successes of the initial roll, for the reason given."""
    throw.faces |= faces
    throw.because += (Because(rule, text),)
    return throw
