"""A throw: the plan of one roll, known before the dice fall.

Which faces succeed, what is rolled again, what explodes, and the rule behind each item. Play performs a throw die by
die; the odds room evaluates the very same object. Pipelines of throws (hit, save, negate) are made by the rulesets.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from fractions import Fraction
from typing import NamedTuple

from dieselfront.dice.die import Die


class Because(NamedTuple):
    """One item of a plan and the rule it came from."""

    rule: str
    text: str


class Reroll(NamedTuple):
    """Dice that are rolled once more: forced ones take successes, allowed ones take failures."""

    successes: bool
    faces: int
    rule: str


class Throw:
    """How one roll works, whatever the number of dice.

    Every die is rolled; re-rolls apply in order (forced before allowed, as the rules put them); then every success
    earns a chain die, which succeeds on `chain` and earns another one until a die misses. With `confirm`, each success
    must be rolled again and counts only on those faces. `reads` are sets of faces that the rules look at besides
    successes (natural sixes, grades of damage); `ordered` says that it matters in which order the dice fell.
    """

    __slots__ = ("because", "chain", "confirm", "die", "faces", "label", "ordered", "reads", "rerolls", "rule")

    def __init__(
        self,
        label: str,
        die: Die,
        faces: int,
        rule: str,
        rerolls: tuple[Reroll, ...] = (),
        chain: int = 0,
        confirm: int = 0,
        because: tuple[Because, ...] = (),
        reads: tuple[int, ...] = (),
        ordered: bool = False,
    ) -> None:
        self.label = label
        self.die = die
        self.faces = faces
        self.rule = rule
        self.rerolls = rerolls
        self.chain = chain
        self.confirm = confirm
        self.because = because
        self.reads = reads
        self.ordered = ordered

    def chance(self) -> Fraction:
        """The chance that one die succeeds, re-rolls and confirmation included, chain dice not."""
        good = self.die.chance(self.faces)
        for reroll in self.rerolls:
            again = self.die.chance(reroll.faces)
            if reroll.successes:
                good = good * again
            else:
                good = good + (1 - good) * again
        if self.confirm:
            good *= self.die.chance(self.confirm)
        return good

    def chain_chance(self) -> Fraction:
        """The chance that a chain die succeeds."""
        return self.die.chance(self.chain)

    def key(self) -> tuple[object, ...]:
        """What decides the odds of the throw: throws with equal keys have equal odds."""
        return (
            self.die.name,
            self.faces,
            tuple((again.successes, again.faces) for again in self.rerolls),
            self.chain,
            self.confirm,
        )


class Reading(NamedTuple):
    """How dice without a throw are read: their sum is a number, or a test that a low sum passes.

    `sides` 2 or 3 means a D6 read as D2 or D3. `good` says whether a high number is good (1) or bad (-1) for who rolls,
    or neither (0). `apart` means that every die is read for itself, in the order in which they fell; `bands` are then
    the sets of faces that mean the same (a line of a table).
    """

    rule: str
    sides: int = 6
    at_most: int | None = None
    good: int = 1
    apart: bool = False
    bands: tuple[int, ...] = ()

    def total(self, faces: Sequence[int]) -> int:
        """The sum of the dice."""
        return sum(face * self.sides // 6 + 1 for face in faces)


class Dice(NamedTuple):
    """The question that a procedure yields: roll so many dice now. The answer is a tuple of face indices."""

    die: Die
    count: int  # type: ignore[assignment]
    player: int
    label: str
    throw: Throw | None = None
    stage: str = "roll"  # roll, re-roll, chain, confirm
    reading: Reading | None = None  # where there is no throw: what the sum of the dice means


class Thrown(NamedTuple):
    """What a throw came to: every stage with its faces, and the successes in the end."""

    count: int  # type: ignore[assignment]
    successes: int
    stages: tuple[tuple[str, tuple[int, ...]], ...]
    misses: int


NOTHING_THROWN = Thrown(0, 0, (), 0)


def perform(throw: Throw, count: int, player: int) -> Generator[Dice, Sequence[int], Thrown]:
    """Roll a throw stage by stage, asking for dice only when some are due."""
    if count <= 0:
        return NOTHING_THROWN
    die = throw.die
    faces = yield Dice(die, count, player, throw.label, throw)
    stages = [("roll", tuple(faces))]
    good = throw.faces
    successes = 0
    for face in faces:
        successes += good >> face & 1
    misses = count - successes
    for reroll in throw.rerolls:
        taken = successes if reroll.successes else misses
        if not taken:
            continue
        faces = yield Dice(die, taken, player, throw.label, throw, "re-roll")
        stages.append(("re-roll", tuple(faces)))
        fresh = 0
        for face in faces:
            fresh += reroll.faces >> face & 1
        successes = fresh if reroll.successes else successes + fresh
        misses = count - successes
    if throw.confirm and successes:
        faces = yield Dice(die, successes, player, throw.label, throw, "confirm")
        stages.append(("confirm", tuple(faces)))
        successes = sum(throw.confirm >> face & 1 for face in faces)
        misses = count - successes
    if throw.chain:
        due = successes
        while due:
            faces = yield Dice(die, due, player, throw.label, throw, "chain")
            stages.append(("chain", tuple(faces)))
            due = sum(throw.chain >> face & 1 for face in faces)
            successes += due
    return Thrown(count, successes, tuple(stages), misses)
