"""The plan of an attack pool: throws in a row, from dice to losses, with the rule behind every item.

Rulesets work a plan out; play performs it throw by throw; the odds room evaluates the same object exactly.
"""

from __future__ import annotations

from dieselfront.dice.throw import Because, Throw


class PoolPlan:
    """Dice → hits → saves (each one die per hit left) → points → negation (one die per point) → losses.

    `damage` is the points an unsaved hit is worth (1 against a squad: one soldier a hit). `capacity` is what the target
    can still lose, in points or soldiers. `negate` rolls one die per point about to be lost; successes cancel one each.
    """

    __slots__ = ("because", "capacity", "damage", "dice", "hit", "label", "negate", "saves", "squad")

    def __init__(
        self,
        label: str,
        dice: int,
        hit: Throw,
        saves: tuple[Throw, ...] = (),
        damage: int = 1,
        capacity: int = 1,
        squad: bool = False,
        negate: Throw | None = None,
        because: tuple[Because, ...] = (),
    ) -> None:
        self.label = label
        self.dice = dice
        self.hit = hit
        self.saves = saves
        self.damage = damage
        self.capacity = capacity
        self.squad = squad
        self.negate = negate
        self.because = because

    def reasons(self) -> list[Because]:
        """Every item of the plan with its rule, in the order of resolution."""
        found = [*self.because, *self.hit.because]
        for save in self.saves:
            found.extend(save.because)
        if self.negate is not None:
            found.extend(self.negate.because)
        return found
