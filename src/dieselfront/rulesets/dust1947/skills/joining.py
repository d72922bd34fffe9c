"""Skills about who joins whom, and commissars (d47.skill.commissar_*, d47.hero.siblings, d47.skill.pilot).

Who may join is checked when a list is built (forces room); here is what these skills do in play.
"""

from __future__ import annotations

from dieselfront.dice import Throw
from dieselfront.rulesets.dust.hooks import Skill
from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.dice import TARGET, widen
from dieselfront.rulesets.dust1947.playing import Play

THREE_DICE = 3


class Pilot(Skill):
    """May drive a vehicle; heroes.py asks for it (d47.skill.pilot, d47.skill.pilot_name)."""

    name = "Pilot"
    shared = False


class Siblings(Skill):
    """A pair of heroes who may join the same unit (d47.hero.siblings); lists are checked for it."""

    name = "Siblings"


class Strongpoint(Skill):
    """Has to begin inside a bunker or strongpoint; fortifications.py sees to it (d47.skill.strongpoint)."""

    name = "Strongpoint"


class Commissar(Skill):
    """With a living commissar the unit's recovery rolls use three dice (d47.skill.commissar_recovery)."""

    name, rule = "Commissar", "d47.skill.commissar_recovery"

    def on_recovery_dice(self, dice: int, unit: Unit, play: Play) -> int:
        return max(dice, THREE_DICE) if self.watches(unit) else dice

    def watches(self, unit: Unit) -> bool:
        """Is the commissar still there: a soldier of the squad, or a hero of his own (d47.skill.commissar_poon)?"""
        for part in unit.parts:
            if not part.card.has(self.name):
                continue
            roles = [part.card.soldiers[man].roles for man in part.alive]
            if part.left > 0 and (not part.squad or any("commissar" in held for held in roles)):
                return True
        return False


class GetMovingSpetsnaz(Skill):
    """His GET MOVING succeeds on TARGET too for Spetsnaz; by voice it is enough that one is meant.

    d47.open.skills_not_in_source.
    """

    name, rule = "Get Moving You...", "d47.open.skills_not_in_source"

    def on_command_roll(self, roll: tuple[Throw, int], order: str, unit: Unit, play: Play) -> tuple[Throw, int]:
        able = play.rules.command.to_reactivate(play, unit) if order == "get moving" else []
        if able and all("Spetsnaz" in other.card.factions or "Spetsnaz" in other.card.name for other in able):
            return widen(roll[0], TARGET, self.rule, "Spetsnaz: TARGET succeeds too"), roll[1]
        return roll


ALL: list[type[Skill]] = [Pilot, Siblings, Strongpoint, Commissar, GetMovingSpetsnaz]
