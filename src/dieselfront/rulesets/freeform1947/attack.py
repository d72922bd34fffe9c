"""Attacks of freeform games: when all is over, leaders who fell are replaced (ff.attack.*, ff.damage.leader_timing)."""

from __future__ import annotations

from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.dust.shots import Attack, Shot
from dieselfront.rulesets.dust_open.attack import OpenAttacks


class FreeAttacks(OpenAttacks):
    """The attack of the open table, from the leader's place."""

    def carry_out(self, play: Play, attack: Attack, shots: list[Shot]) -> Procedure:
        """As on squares; when all is over, leaders who fell are replaced (ff.damage.leader_timing)."""
        yield from super().carry_out(play, attack, shots)
        yield from play.rules.leaders.settle(play)
