"""Critical hits and fire on vehicles (d47.critical.*)."""

from __future__ import annotations

from dieselfront.dice import Throw
from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.dust.shots import Attack, Shot
from dieselfront.rulesets.dust.state import Unit


class Criticals:
    """What a lucky hit breaks."""

    def check(self, play: Play, attack: Attack) -> Procedure:
        return
        yield

    def burn(self, play: Play, unit: Unit) -> Procedure:
        return
        yield

    def change_hits(self, hit: Throw, shot: Shot) -> Throw:
        return hit

    def slow(self, unit: Unit, move: int, march: int) -> tuple[int, int]:
        return move, march
