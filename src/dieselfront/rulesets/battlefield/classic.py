"""The original dice: two target faces and four blank ones (bf.dice.classic_single, bf.dice.classic_pair).

A roll that needs one face of three counts the target, one that counts two of them the blank. What has three results
(initiative, stimulants, scattered reserves) is rolled with a modern die (bf.open.classic_three_way).
"""

from __future__ import annotations

from dieselfront.dice import Reroll, Throw
from dieselfront.dice.die import Die

CLASSIC_DIE = Die("classic Dust die", ("TARGET", "BLANK"), (0, 0, 1, 1, 1, 1))
HIT, BLANK = 1, 2
THREE_WAY = ("initiative", "inject", "scatter")
"""Labels of rolls whose three faces all mean something."""


def faces(mask: int) -> int:
    """What a set of faces of the modern die is on the classic one."""
    number = mask.bit_count()
    return (0, HIT, BLANK, HIT | BLANK)[number]


def classic(throw: Throw) -> Throw:
    """The same throw with classic dice."""
    if throw.label in THREE_WAY or throw.die is CLASSIC_DIE:
        return throw
    again = tuple(Reroll(one.successes, faces(one.faces), one.rule) for one in throw.rerolls)
    return Throw(
        throw.label,
        CLASSIC_DIE,
        faces(throw.faces),
        throw.rule,
        again,
        faces(throw.chain),
        faces(throw.confirm),
        throw.because,
    )
