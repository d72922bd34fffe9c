"""What Battlefield has not: critical hits and fires (bf.damage.no_extras). Weather and height are never asked for."""

from __future__ import annotations

from dieselfront.dice import Throw
from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.dust.shots import Attack, Shot
from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.criticals import Criticals


class NoCriticals(Criticals):
    """Damage is damage."""

    def check(self, play: Play, attack: Attack) -> Procedure:
        return
        yield

    def check_wreck(self, play: Play, attack: Attack, unit: Unit) -> Procedure:
        """What is destroyed is destroyed."""
        return
        yield

    def burn(self, play: Play, unit: Unit) -> Procedure:
        return
        yield

    def change_hits(self, hit: Throw, shot: Shot) -> Throw:
        return hit

    def leave_wreck(self, play: Play, unit: Unit, where: tuple[int, ...]) -> None:
        """Wrecks do not burn."""

    def disperse(self, play: Play) -> None:
        """There is no smoke of fires."""
