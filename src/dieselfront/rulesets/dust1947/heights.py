"""Height advantage: shooting down and shooting up (d47.height.*). Heights are floors, roofs and plinths."""

from __future__ import annotations

from dieselfront.dice import Because, Reroll
from dieselfront.rulesets.dust.shots import Saves, Shot
from dieselfront.rulesets.dust1947.attack import SAME_FACES
from dieselfront.rulesets.dust1947.playing import Play


class Heights:
    """Who stands higher, and what it is worth."""

    def change_saves(self, play: Play, saves: Saves, shot: Shot) -> None:
        """Higher attackers force saves to be rolled again, higher targets may roll failures again."""
        above = self.advantage(play, shot)
        if above >= 1:  # d47.height.attacker
            saves.rerolls.append(Reroll(True, SAME_FACES, "d47.height.attacker"))
            saves.because.append(Because("d47.height.attacker", "the attacker stands higher: saves are rolled again"))
        elif above <= -1:  # d47.height.target
            saves.rerolls.append(Reroll(False, SAME_FACES, "d47.height.target"))
            saves.because.append(
                Because("d47.height.target", "the target stands higher: failed saves are rolled again")
            )

    def advantage(self, play: Play, shot: Shot) -> int:
        """Levels the attacker's terrain lies above the target's (d47.open.height_units, d47.height.flying)."""
        if not shot.line.above or shot.close or self.in_the_air(play, shot):
            return 0
        return shot.line.above

    def in_the_air(self, play: Play, shot: Shot) -> bool:
        """Aircraft and their passengers never have it, nor do those who fire at aircraft (d47.height.aircraft)."""
        return shot.target.is_aircraft or bool(play.rules.transport.carrier_or_self(play, shot.unit).is_aircraft)
