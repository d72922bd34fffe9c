"""Fortifications: bunkers and strongpoints (d47.fort.*)."""

from __future__ import annotations

from dieselfront.dice import Throw
from dieselfront.kernel.game import Play
from dieselfront.rulesets.dust.shots import Saves, Shot


class Fortifications:
    """Walls of concrete and sandbags."""

    def close_saves(self, play: Play, shot: Shot) -> tuple[Throw, ...]:
        return ()

    def change_saves(self, play: Play, saves: Saves, shot: Shot) -> None:
        return
