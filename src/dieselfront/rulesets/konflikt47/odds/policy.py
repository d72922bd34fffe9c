"""Who decides what inside an attack of Konflikt '47: weapons, rounds, casualties, methods, as the situation tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dieselfront.kernel.decisions import Answer, Assign, Decision, PickOne, PickSome, YesNo
from dieselfront.odds import oracle
from dieselfront.odds.oracle import NO_DICE
from dieselfront.rulesets.konflikt47.assault import HAND_TO_HAND
from dieselfront.rulesets.konflikt47.firing import FIREFIGHT, POINT_BLANK, STAND_AND_FIRE, Pool, Shot
from dieselfront.rulesets.konflikt47.losses import GUN
from dieselfront.rulesets.konflikt47.odds import fire_odds
from dieselfront.rulesets.konflikt47.odds.firing_range import ATTACKER, TARGET, KonfliktSituation, casualty_order
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.state import State, Unit

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47


class Policy:
    """Answers decisions inside an attack: least missed models are lost first, the shooter picks the most missed."""

    def __init__(self, situation: KonfliktSituation, rules: Konflikt47, state: State) -> None:
        self.situation = situation
        self.rules = rules
        self.state = state

    def __call__(self, decision: Decision) -> Answer:
        if decision.key == "casualties" and isinstance(decision, PickSome):
            order = casualty_order(self.state.unit(decision.unit), self.situation.casualties)
            wanted = [man for man in order if man in decision.options][: decision.least]
            return tuple(man for man in decision.options if man in wanted)
        if decision.key == "exceptional damage" and isinstance(decision, PickOne):
            return GUN if GUN in decision.options else self.best(decision.unit, decision)
        if decision.key == "sniper's mark" and isinstance(decision, PickOne):
            enemy = TARGET if decision.unit == ATTACKER else ATTACKER
            return self.best(enemy, decision)
        if isinstance(decision, Assign):
            return self.aims(decision)
        if isinstance(decision, YesNo):
            return self.uses(decision)
        if decision.key == "method" and isinstance(decision, PickOne):
            return self.method(decision)
        if decision.key == "reaction" and isinstance(decision, PickOne):
            return FIREFIGHT if self.situation.reaction and FIREFIGHT in decision.options else None
        return next(iter(decision.answers()))

    def aims(self, decision: Assign) -> Answer:
        """Every model its best weapon and round among those asked for."""
        unit = self.state.unit(decision.unit)
        enemy = self.state.unit(TARGET if unit.id == ATTACKER else ATTACKER)
        fired = {(shot.weapon if unit.is_vehicle else shot.man): shot for shot in self.shots(unit, enemy)}
        answer: list[Any] = []
        for item in decision.items:
            shot = fired.get(item if unit.is_vehicle else item[0])
            if shot is None:
                answer.append(None)
            else:
                answer.append((shot.target, shot.round) if unit.is_vehicle else (shot.weapon, shot.round, shot.target))
        return tuple(answer)

    def shots(self, unit: Unit, enemy: Unit) -> list[Shot]:
        """What the unit would fire."""
        if unit.id != ATTACKER:
            how = STAND_AND_FIRE if self.situation.close else FIREFIGHT
            return fire_odds.best_shots(self.rules, self.state, unit, enemy, how)
        modes = [mode.lower() for mode in self.situation.modes]
        return fire_odds.best_shots(
            self.rules,
            self.state,
            unit,
            enemy,
            self.situation.order,
            lambda index, way: self.wants(unit.weapon(index).name),
            (lambda index, way: way.lower() in modes) if modes else None,
        )

    def wants(self, weapon: str) -> bool:
        """Was this weapon asked for?"""
        names = self.situation.weapons
        return not names or any(name.lower() in weapon.lower() for name in names)

    def best(self, unit: str, decision: PickOne) -> Answer:
        """The model that its owner would miss most, among those offered."""
        order = casualty_order(self.state.unit(unit))
        return max(decision.options, key=order.index)

    def uses(self, decision: YesNo) -> bool:
        """What was asked for is used; stand and fire is the reaction to an assault."""
        if decision.key == "stand and fire":
            return self.situation.reaction
        return any(skill.lower() in decision.key for skill in self.situation.skills)

    def method(self, decision: PickOne) -> Answer:
        """The attacker fights as told, the target hand-to-hand."""
        fires = decision.unit == ATTACKER and any(mode.lower() in POINT_BLANK for mode in self.situation.modes)
        return POINT_BLANK if fires and POINT_BLANK in decision.options else HAND_TO_HAND


# -- what is fired -----------------------------------------------------------------------------------------------


def declared(
    rules: Konflikt47, state: State, unit: Unit, target: Unit, how: str, situation: KonfliktSituation
) -> list[Shot]:
    """The shots of a unit as the rules declare them, every choice made by the policy."""
    policy = Policy(situation, rules, state)
    procedure = rules.shooting.declare(Play(rules, state), unit, how, only=target)
    shots: list[Shot] = oracle.drive(procedure, NO_DICE, policy)
    return [shot for shot in shots if unit.id != ATTACKER or policy.wants(unit.weapon(shot.weapon).name)]


def suppresses(
    rules: Konflikt47, state: State, unit: Unit, shots: Sequence[Shot], situation: KonfliktSituation
) -> bool:
    """Suppressive fire, if it was asked for and is allowed (k47.special.suppressive_fire)."""
    if not shots:
        return False
    procedure = rules.shooting.suppress(Play(rules, state), unit, shots, situation.order)
    answer: bool = oracle.drive(procedure, NO_DICE, Policy(situation, rules, state))
    return answer


def measured(
    rules: Konflikt47,
    state: State,
    unit: Unit,
    target: Unit,
    shots: Sequence[Shot],
    how: str,
    suppressive: bool = False,
) -> list[Pool]:
    """The pools of declared shots."""
    plain = [shot for shot in shots if shot.round != "smoke" and not unit.weapon(shot.weapon).is_wave]
    pools: list[Pool]
    pools, _ = rules.shooting.pools(state, unit, target, plain, how, suppressive)
    return pools
