"""The play that the chapters of this game hold: the kernel's, with its own ruleset and state for type checkers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dieselfront.kernel import game

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare
    from dieselfront.rulesets.warfare.state import State

    Play = game.Play[Warfare, State]
else:
    Play = game.Play

__all__ = ["Play"]
