"""Close combat: within 5 cm, struck back by those who can fight (bf.cc.*)."""

from __future__ import annotations

from typing import Any

from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.dust.shots import Attack, Shot
from dieselfront.rulesets.dust.state import ABOARD, Unit
from dieselfront.rulesets.dust1947.close_combat import CloseCombat


class BattleCloseCombat(CloseCombat):
    """The close combat step: blows of both sides, casualties removed together (bf.cc.retaliation)."""

    def retaliation(self, play: Play, attack: Attack, foe: Unit) -> Any:
        """A suppressed or stunned unit never strikes back (bf.supp.no_fighting, bf.token.stunned).

        Only survivors of the shooting do (bf.cc.retaliation_survivors), without re-rolls (bf.cc.sustained_choice).
        """
        if foe.suppressed:
            return None
        back = yield from super().retaliation(play, attack, foe)
        return back

    def takes_part(self, unit: Unit) -> bool:
        """Those who ride on a vehicle strike from it (bf.vehicle.tank_riders_cc)."""
        return unit.on_board or unit.status == ABOARD

    def fight(self, play: Play, attack: Attack, shots: list[Shot]) -> Procedure:
        """All blows of one speed together; no critical hits (bf.damage.no_extras)."""
        shots = [shot for shot in shots if shot.target.on_board]
        answers: list[Attack] = []
        for foe in dict.fromkeys(shot.target.id for shot in shots):
            back = yield from self.retaliation(play, attack, play.state.by_id[foe])
            if back is not None:
                answers.append(back[0])
                shots = [*shots, *back[1]]
        for speed in (0, 1):  # bf.skill.first_strike
            yield from self._strike(play, [shot for shot in shots if self.speed(play, shot) == speed])
        for answered in answers:
            yield from play.rules.suppression.after_attack(play, answered)
            answered.let_go()
