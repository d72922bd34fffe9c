"""The play that the chapters of this game hold: the kernel's, with its own ruleset and state for type checkers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dieselfront.kernel import game

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47
    from dieselfront.rulesets.konflikt47.state import State

    Play = game.Play[Konflikt47, State]
else:
    Play = game.Play

__all__ = ["Play"]
