"""Stakes: what would be rolled for an answer, by whom, against whom, known before anybody commits to it.

A decision that leads to dice gives its stakes for any answer (`Decision.at_stake`). The odds room evaluates the plans;
screens, referee and computer players ask the odds room. Nothing is guessed from procedures under way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Stake(NamedTuple):
    """One target of an answer: who would roll against it and the plans of those rolls, in the order of resolution."""

    target: str
    """The id of the unit that stands to lose."""
    plans: Sequence[Any]
    """The plans that play would roll (dice.plan)."""
    unit: str = ""
    """The id of the unit that rolls."""
    act: str = "attack"
    """The kind of act, one of meaning.ACTS."""


__all__ = ["Stake"]
