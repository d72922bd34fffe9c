"""Attacks of freeform games: when all is over, leaders who fell are replaced (ff.attack.*, ff.damage.leader_timing)."""

from __future__ import annotations

from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.dust.shots import Attack, Shot
from dieselfront.rulesets.dust.state import ON_BOARD
from dieselfront.rulesets.dust1947.attack import WeaponRow
from dieselfront.rulesets.dust_open.attack import OpenAttacks
from dieselfront.rulesets.freeform1947.playing import Play, free_rules


class FreeAttacks(OpenAttacks):
    """The attack of the open table, from the leader's place."""

    def all_take_part(self, attack: Attack, line: WeaponRow) -> bool:
        """Hand to hand, too, each model needs sight of its own; those who are struck all strike back.

        ff.attack.participants, ff.open.cc_range.
        """
        return attack.unit.status != ON_BOARD or (line.weapon.close and attack.retaliation)

    def carry_out(self, play: Play, attack: Attack, shots: list[Shot]) -> Procedure:
        """As on squares; when all is over, leaders who fell are replaced (ff.damage.leader_timing)."""
        yield from super().carry_out(play, attack, shots)
        yield from free_rules(play).leaders.settle(play)
