"""The play that the chapters of Freeform hold, and the ruleset in it (see dust_open/playing.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dieselfront.rulesets.dust1947.playing import Play

if TYPE_CHECKING:
    from dieselfront.rulesets.freeform1947.ruleset import Freeform1947


def free_rules(play: Play) -> Freeform1947:
    """The ruleset of Freeform."""
    return play.rules  # type: ignore[return-value]  # only Freeform has such chapters


__all__ = ["Play", "free_rules"]
