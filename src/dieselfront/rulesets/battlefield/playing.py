"""The play that the chapters of Battlefield hold, and the ruleset in it (see dust_open/playing.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dieselfront.rulesets.dust1947.playing import Play

if TYPE_CHECKING:
    from dieselfront.rulesets.battlefield.ruleset import Battlefield


def battle_rules(play: Play) -> Battlefield:
    """The ruleset of Battlefield."""
    return play.rules  # type: ignore[return-value]  # only Battlefield has such chapters


__all__ = ["Play", "battle_rules"]
