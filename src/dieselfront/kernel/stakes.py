"""Stakes: what would be rolled for an answer, by whom, against whom, known before anybody commits to it.

A decision that leads to dice gives its stakes for any answer (`Decision.at_stake`). The odds room evaluates the plans;
screens, referee and computer players ask the odds room. Nothing is guessed from procedures under way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from dieselfront.dice.plan import AnyPlan

Left = Callable[[Any], tuple[int, bool]]
"""What a unit has left in a state, in points or soldiers, and whether it is still there."""


class Stake(NamedTuple):
    """One target of an answer: who would roll against it and the plans of those rolls, in the order of resolution."""

    target: str
    """The id of the unit that stands to lose."""
    plans: Sequence[AnyPlan]
    """The plans that play would roll (dice.plan)."""
    unit: str = ""
    """The id of the unit that rolls."""
    act: str = "attack"
    """The kind of act, one of meaning.ACTS."""
    name: str = ""
    """What people call the target."""
    chance: float = 1.0
    """How likely it comes to these rolls at all: a reaction has to succeed first."""
    left: Left | None = None
    """How to read off a state what the target has left, where the plans do not tell the whole end."""
    templates: Sequence[Any] = ()
    """Templates that are laid on the table for it."""


__all__ = ["Left", "Stake"]
