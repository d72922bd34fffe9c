"""The play that the chapters of this game hold: the kernel's, with its own ruleset and state for type checkers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dieselfront.kernel import game

if TYPE_CHECKING:
    from dieselfront.rulesets.dust.state import DustState
    from dieselfront.rulesets.dust1947.ruleset import Dust1947

    Play = game.Play[Dust1947, DustState]
else:
    Play = game.Play

__all__ = ["Play"]
