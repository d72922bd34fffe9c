"""Dice of Konflikt '47: numbers such as D3 or 2D6-1, faces at or above a score, sums (k47.core.dice)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from dieselfront.dice import D6, Because, Dice, Reading, Throw
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.konflikt47.events import Counted
from dieselfront.rulesets.konflikt47.playing import Play

_NOTATION = re.compile(r"(\d*)D([236])([+-]\d+)?$")


@cache
def at_least(score: int) -> int:
    """The mask of D6 faces showing `score` or more."""
    return sum(1 << (face - 1) for face in range(max(score, 1), 7))


def two(face: int) -> int:
    """A D6 read as D2: 1-3 is 1, 4-6 is 2."""
    return 1 if face <= 3 else 2


def three(face: int) -> int:
    """A D6 read as D3: halved, rounded up."""
    return (face + 1) // 2


@cache
def parse(notation: str) -> tuple[int, int, int]:
    """(dice, sides, plus) of a notation; a plain number has no dice."""
    text = notation.upper().replace(" ", "")
    if text.isdigit():
        return 0, 6, int(text)
    match = _NOTATION.match(text)
    if match is None:
        raise ValueError(f"{notation!r} is no number of dice; expected 3, D2, D3, D6, 2D6 or 2D6-1.")
    return int(match[1] or 1), int(match[2]), int(match[3] or 0)


def read(notation: str, faces: Sequence[int]) -> int:
    """What thrown D6 (faces 1 to 6) come to in this notation."""
    _, sides, plus = parse(notation)
    shown = [two(face) if sides == 2 else three(face) if sides == 3 else face for face in faces]
    return sum(shown) + plus


def number(play: Play, notation: str, label: str, rule: str, player: int, unit: str = "", good: int = 1) -> Procedure:
    """Roll a number such as D3 and log it; a plain number needs no die. `good` is 1 if high is good for the player,
    -1 if it is bad, 0 if neither."""
    dice, sides, plus = parse(notation)
    if not dice:
        return plus
    faces = yield Dice(D6, dice, player, f"{label} ({notation})", reading=Reading(rule, sides, good=good))
    total = read(notation, [face + 1 for face in faces])
    play.emit(Counted(rule, player, label, fell(faces), notation, total, unit))
    return total


def fell(faces: Sequence[int], stage: str = "roll") -> tuple[tuple[str, tuple[str, ...]], ...]:
    """One question for six-sided dice as the log keeps it."""
    return ((stage, tuple(D6.faces[face] for face in faces)),)


def needs(
    score: int, label: str, rule: str, because: tuple[Because, ...] = (), confirm: int = 0, reroll_ones: str = ""
) -> Throw:
    """A throw that succeeds on `score` or more."""
    from dieselfront.dice import Reroll

    rerolls = (Reroll(False, at_least(score), reroll_ones),) if reroll_ones else ()
    return Throw(label, D6, at_least(score), rule, rerolls=rerolls, confirm=confirm, because=because)
