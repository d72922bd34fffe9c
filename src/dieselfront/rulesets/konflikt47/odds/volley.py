"""The volley of one unit at the other: measured pools, all that their dice can come to, and how the rules apply it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.konflikt47.assault import HAND_TO_HAND
from dieselfront.rulesets.konflikt47.damage import Volley
from dieselfront.rulesets.konflikt47.firing import POINT_BLANK, Pool, Shot
from dieselfront.rulesets.konflikt47.odds import outcomes
from dieselfront.rulesets.konflikt47.odds.firing_range import ATTACKER, KonfliktSituation
from dieselfront.rulesets.konflikt47.odds.outcomes import Salvo, Salvos
from dieselfront.rulesets.konflikt47.odds.policy import Policy, measured, suppresses
from dieselfront.rulesets.konflikt47.odds.positions import ExchangePosition
from dieselfront.rulesets.konflikt47.playing import Play

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47

FIGHTING = (POINT_BLANK, HAND_TO_HAND)


class Fire:
    """The volley of one unit at the other: its pools, and all that the dice can come to."""

    __slots__ = ("grades", "how", "pools", "rules", "salvos", "suppressive", "unit", "victim", "waves")

    def __init__(
        self,
        rules: Konflikt47,
        unit: str,
        victim: str,
        how: str,
        pools: Sequence[Pool],
        salvos: Salvos,
        grades: list[dict[outcomes.Grade, float]],
        suppressive: bool = False,
    ) -> None:
        self.rules = rules
        self.unit = unit
        self.victim = victim
        self.how = how
        self.pools = list(pools)
        self.salvos = salvos
        self.grades = grades
        self.suppressive = suppressive
        self.waves: list[tuple[str, ...]] = []  # whom shockwaves touch

    @classmethod
    def aimed(
        cls,
        rules: Konflikt47,
        position: ExchangePosition,
        side: str,
        shots: Sequence[Shot],
        situation: KonfliktSituation,
        how: str = "",
    ) -> Fire:
        """Shots measured from where the units stand."""
        state = position.state
        unit = state.unit(side)
        target = position.target if side == ATTACKER else position.attacker
        how = how or situation.order
        suppressive = side == ATTACKER and suppresses(rules, state, unit, shots, situation)
        pools = measured(rules, state, unit, target, shots, how, suppressive)
        fire = cls.rolled(rules, position, side, pools, how, situation, suppressive)
        waves = [shot for shot in shots if unit.weapon(shot.weapon).is_wave]
        fire.waves = [rules.weapon_rules.wave(state, unit, target, shot) for shot in waves]
        return fire

    @classmethod
    def rolled(
        cls,
        rules: Konflikt47,
        position: ExchangePosition,
        side: str,
        pools: Sequence[Pool],
        how: str,
        situation: KonfliktSituation,
        suppressive: bool = False,
    ) -> Fire:
        """The volley of measured pools."""
        state = position.state
        unit = state.unit(side)
        target = position.target if side == ATTACKER else position.attacker
        policy = Policy(situation, rules, state)
        salvos = outcomes.of_pools(rules, state, unit, target, pools, how, policy)
        grades = [outcomes.grades(rules, state, target, pool) if target.is_armoured else {} for pool in pools]
        return cls(rules, side, target.id, how, pools, salvos, grades, suppressive)

    def rewards(self, position: ExchangePosition) -> bool:
        """Does killing change who strikes the blows?"""
        return self.how == HAND_TO_HAND and "on_killed_in_fight" in position.unit(self.unit).hooks

    def wave(self, play: Play, touched: Sequence[str]) -> Procedure:
        """A shockwave runs along its line."""
        yield from self.rules.weapon_rules.shockwave(play, play.state.unit(self.unit), touched)

    def burst(self, play: Play) -> Procedure:
        """The gun burst while it was shot at."""
        target = play.state.unit(self.victim)
        yield from self.rules.losses.destroy(play, target, "the gun burst", "k47.special.compression")

    def volley(self, play: Play, salvo: Salvo) -> Volley:
        """A salvo as a volley in the position that is being played."""
        unit, target = play.state.unit(self.unit), play.state.unit(self.victim)
        return outcomes.written(salvo, unit, target, self.how, self.suppressive)

    def apply(self, play: Play, salvo: Salvo) -> Procedure:
        """A volley that troops or soft targets suffer, or blows; those are compared later."""
        chapters = self.rules
        settle = chapters.assault.settle if self.how in FIGHTING else chapters.damage.apply
        yield from settle(play, self.volley(play, salvo))

    def land(self, play: Play, salvo: Salvo) -> Procedure:
        """Casualties and pins, before damage results."""
        yield from self.rules.damage.land(play, self.volley(play, salvo))

    def shaken(self, play: Play, salvo: Salvo) -> Procedure:
        """Morale after the damage results of armour."""
        volley = self.volley(play, salvo)
        if volley.target.alive:
            yield from self.rules.damage.shaken(play, volley, len(volley.target.men))
