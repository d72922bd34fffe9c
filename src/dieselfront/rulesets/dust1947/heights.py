"""Height advantage (d47.height.*)."""

from __future__ import annotations

from dieselfront.dice import Because, Reroll
from dieselfront.kernel.game import Play
from dieselfront.rulesets.dust.shots import Saves, Shot
from dieselfront.rulesets.dust1947.attack import SAME_FACES


class Heights:
    """Shooting down and shooting up."""

    def change_saves(self, play: Play, saves: Saves, shot: Shot) -> None:
        """Higher attackers force successes to be rolled again, higher targets may roll failures again."""
        above = self.advantage(shot)
        if above >= 1:
            saves.rerolls.append(Reroll(True, SAME_FACES, "d47.height.attacker"))
            saves.because.append(Because("d47.height.attacker", "the attacker stands higher: saves are rolled again"))
        elif above <= -1:
            saves.rerolls.append(Reroll(False, SAME_FACES, "d47.height.target"))
            saves.because.append(Because("d47.height.target", "the target stands higher: failed saves are rolled again"))

    def advantage(self, shot: Shot) -> int:
        """Levels the attacker stands above the target; aircraft never count (d47.height.aircraft)."""
        if shot.unit.is_aircraft or shot.target.is_aircraft or shot.close:
            return 0
        return shot.line.above
