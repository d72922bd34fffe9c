"""Orders, and who acts next.

Nobody reacts to an order, and it is carried out before anybody activates: it serves whoever has something to do before
the enemy acts, and brings the shaken to their senses.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dieselfront.rulesets.warfare.activation import MOVE
from dieselfront.rulesets.warfare.adviser.estimates import MM
from dieselfront.rulesets.warfare.adviser.intent import Plan
from dieselfront.rulesets.warfare.adviser.specials import CARES
from dieselfront.rulesets.warfare.command import REGROUP, TAKE_ACTION, USE
from dieselfront.rulesets.warfare.firing import ATTACK as ATTACK_KIND
from dieselfront.rulesets.warfare.state import Unit

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.adviser.plans import Planner

FIRST_STRIKE, UNANSWERED = 0.35, 0.2
"""What acting before the enemy, or only without his reactions, adds to a single action."""
FORESTALLED = 0.5
"""What it is worth that an enemy who is destroyed does not fire."""
STAYS = 2 / 3
"""The chance that one marker stays on a unit that rolls for it."""
LOST = 0.5
"""What markers cost of a unit's best attack, while they stay."""
USED_UP = 0.12
"""What an ability for once a game is worth later, as a share of the unit's points."""
CLEARS = 0.5
"""What it is worth that an enemy cannot react to those who go past him."""
RUNS = -1.0
"""Whoever is going to run acts last: somebody may help him before."""
EXPOSED = 0.25
"""From such a share of its points in danger on a unit may want to leave at once."""
NEAR_GOAL = 100.0
TAKES, WATCHED = 0.8, 0.1
"""The share of an objective's points for which a unit goes at once, and where an enemy waits who may still react."""
NEAR = 14.0
"""Inches within which an enemy reacts to somebody's move."""


class Commanding:
    """Orders and activations in one position."""

    def __init__(self, planner: Planner) -> None:
        self.planner = planner
        self.state = planner.state
        self.rules = planner.rules
        self.values = planner.values

    # -- orders -----------------------------------------------------------------------------------------------

    def order_worth(self, option: Any) -> tuple[float, Plan | None]:
        """What an order is worth, and what is meant by it."""
        unit = self.state.unit(option[1])
        if option[0] == USE:
            return self._used(unit), None
        if not unit.bodies:
            return (0.2 if option[0] == TAKE_ACTION and not self.values.is_last_turn else 0.0), None
        if option[0] == REGROUP:
            return self._regrouped(unit), None
        if option[0] == TAKE_ACTION:
            return self._acts_now(unit)
        return 0.5, None

    def _regrouped(self, unit: Unit) -> float:
        """All markers off: actions that would be lost, and whoever would run stays."""
        markers = unit.suppression
        if not markers:
            return -1.0
        fire = self.planner.best_fire(unit, self.planner.here(unit))[0]
        worth = LOST * max(fire, 0.2 * unit.ap) * (1.0 - (1.0 - STAYS) ** markers)
        if self.rules.suppression.is_retreating(self.state, unit):
            missing = markers - len(unit.men)
            worth += (0.7 if missing == 1 else 0.95) * self.planner.specials.running_costs(unit)
        return worth

    def _acts_now(self, unit: Unit) -> tuple[float, Plan | None]:
        """The best single action, and what is gained by its being done now."""
        plan = self.best_single(unit)
        if plan is None:
            return -0.1, None
        enemy_first = self.state.initiative != unit.side
        share = FIRST_STRIKE if enemy_first else UNANSWERED
        worth = share * max(0.0, plan.value)
        for id, fire in plan.shooting.fires:
            target = self.state.unit(id)
            if target.side != unit.side and not target.activated:
                worth += FORESTALLED * fire.destroyed * self.values.menace(target)
        if unit.suppression:
            worth *= 1.2
        return worth, plan

    def best_single(self, unit: Unit, names: Sequence[str] | None = None) -> Plan | None:
        """The best single action against doing nothing; its worth is what it gains."""
        planner = self.planner
        singles = list(self.rules.activation.singles(self.state, unit) if names is None else names)
        if names is None and MOVE in singles and not self._might_leave(unit):
            singles.remove(MOVE)
        planner.ordered = True
        try:
            made = planner.plans(unit, [(), *[(name,) for name in singles]])
        finally:
            planner.ordered = False
        idle = next((plan.value for plan in made if not plan.actions), 0.0)
        acting = [plan for plan in made if plan.actions and not plan.is_idle]
        if not acting:
            return None
        best = max(acting, key=lambda plan: plan.value)
        return best._replace(value=best.value - idle)

    def _might_leave(self, unit: Unit) -> bool:
        """Is it worth a thought that it goes somewhere before anybody acts: from danger, or to an objective?"""
        planner = self.planner
        here = planner.here(unit)
        if planner.danger(unit, here, here=True) > EXPOSED * unit.ap:
            return True
        reach = unit.card.move * MM + NEAR_GOAL
        return any(math.dist(here[0], goal) <= reach for goal, _ in planner.goals)

    def _used(self, unit: Unit) -> float:
        """An ability for once a game: when much fire is to be expected."""
        if not unit.bodies:
            return 0.0
        danger = self.planner.dangers.at(unit, unit.bodies, self.planner.here(unit))
        later = 0.0 if self.values.is_last_turn else USED_UP * unit.ap
        shaken = self.planner.action_worth(unit) if unit.suppression else 0.0
        return 0.35 * danger + shaken - later

    # -- who acts next ----------------------------------------------------------------------------------------

    def turn_worth(self, unit: Unit) -> float:
        """What acting next is worth: what it does to the enemy now, whom it helps before he acts, whose way it
        clears."""
        if not unit.bodies:
            return 0.0
        planner = self.planner
        if self.rules.suppression.is_retreating(self.state, unit):
            return RUNS * unit.ap
        shooting = planner.gunnery.best_here(unit, ATTACK_KIND)
        value = shooting.value
        for id, fire in shooting.fires:
            target = self.state.unit(id)
            if target.side != unit.side and fire.hit:
                value += (
                    CLEARS
                    * max(fire.destroyed, fire.hit if target.is_soldier else 0.0)
                    * self._in_the_way(unit, target)
                )
        return value + self._helps(unit) + self._takes(unit)

    def _takes(self, unit: Unit) -> float:
        """In the last turn: an objective that a march may still take or deny, if nobody is left who fires at whoever
        comes."""
        values = self.values
        if not values.is_last_turn or unit.is_aircraft:
            return 0.0
        planner = self.planner
        at = planner.here(unit)[0]
        best = 0.0
        for objective, (goal, points) in zip(values.objectives, planner.goals, strict=True):
            if values.company(unit.side, objective):
                continue
            inches = math.dist(at, goal) / MM
            if inches <= 2 * unit.card.move + objective.radius:
                watched = any(
                    planner.scene.inches(unit, goal, enemy) <= NEAR for enemy in planner.dangers.reactors(unit)
                )
                best = max(best, points * (WATCHED if watched else TAKES))
        return best

    def _in_the_way(self, unit: Unit, enemy: Unit) -> float:
        """What the enemy's reaction may cost friends who still want to go past him."""
        if not self.rules.reactions.is_ready(self.state, enemy):
            return 0.0
        planner = self.planner
        costs = [0.0]
        for friend in planner.scene.sides[unit.side]:
            if friend is unit or friend.activated:
                continue
            spot = planner.here(friend)
            inches = planner.scene.inches(friend, spot[0], enemy)
            if inches <= NEAR + friend.card.move:
                costs.append(planner.dangers.loss(enemy, friend, spot, min(inches, NEAR - 4), False))
                costs[-1] += 0.3 * self._goal_past(friend, enemy)
        return max(costs)

    def _goal_past(self, friend: Unit, enemy: Unit) -> float:
        """The best objective near the enemy that the friend could still take."""
        planner = self.planner
        best = 0.0
        for goal, points in planner.goals:
            near = planner.scene.inches(enemy, goal, friend) <= 2 * friend.card.move + 3
            if near and planner.scene.inches(friend, goal, enemy) <= NEAR:
                best = max(best, points)
        return best

    def _helps(self, unit: Unit) -> float:
        """Whom it can care for who has not acted yet."""
        specials = self.planner.specials
        best = 0.0
        for name in CARES:
            for patient in specials.patients(unit, name, unit.card.move):
                if patient is not unit and not patient.activated:
                    best = max(best, specials.care(unit, patient, name))
        return 1.5 * best


__all__ = ["Commanding"]
