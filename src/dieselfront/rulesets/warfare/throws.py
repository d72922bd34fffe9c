"""The combat die and the throws made with it (dw.dice.*): 2 faces HIT, 4 faces BLANK, inverted or not."""

from __future__ import annotations

from dieselfront.dice import Because, Die, Reroll, Throw

COMBAT_DIE = Die("combat die", ("HIT", "BLANK"), (0, 0, 1, 1, 1, 1))  # dw.dice.faces
HIT = COMBAT_DIE.mask(["HIT"])
BLANK = COMBAT_DIE.mask(["BLANK"])


def combat(
    label: str, rule: str, inverted: bool = False, rerolls: str = "", because: tuple[Because, ...] = ()
) -> Throw:
    """A throw of combat dice; inverted, the BLANKs count (dw.dice.invert, at most once: dw.open.invert_twice).

    `rerolls` is the rule by which every failure is rolled once more; the second face stands (dw.dice.reroll_final) and
    nothing is rolled a third time (dw.dice.reroll_once).
    """
    good = BLANK if inverted else HIT
    again = (Reroll(False, good, rerolls),) if rerolls else ()
    return Throw(label, COMBAT_DIE, good, rule, rerolls=again, because=because)


def inverted(throw: Throw, rule: str, text: str) -> Throw:
    """The same throw with the other faces counting; a throw that is inverted already stays so
    (dw.open.invert_twice)."""
    because = (*throw.because, Because(rule, text))
    if throw.faces == BLANK:
        return Throw(throw.label, throw.die, BLANK, throw.rule, throw.rerolls, because=because)
    again = tuple(Reroll(reroll.successes, BLANK, reroll.rule) for reroll in throw.rerolls)
    return Throw(throw.label, throw.die, BLANK, throw.rule, again, because=because)


def with_reason(throw: Throw, rule: str, text: str) -> Throw:
    """The same throw, with one more reason for the log."""
    because = (*throw.because, Because(rule, text))
    return Throw(throw.label, throw.die, throw.faces, throw.rule, throw.rerolls, because=because)


__all__ = ["BLANK", "COMBAT_DIE", "HIT", "combat", "inverted", "with_reason"]
