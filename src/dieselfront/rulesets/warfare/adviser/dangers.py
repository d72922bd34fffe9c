"""Danger: what enemy fire may cost a unit where it stands or means to go, with the sight and cover it would have there.

Whoever has acted this turn fires next turn at the earliest, and never again in the last one. Whoever may still react
fires at whoever moves near him, and back at whoever attacks him.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.adviser.estimates import bearing_of, fire, turned
from dieselfront.rulesets.warfare.adviser.gunnery import standing
from dieselfront.rulesets.warfare.state import Unit

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.adviser.intent import Spot
    from dieselfront.rulesets.warfare.adviser.plans import Planner
    from dieselfront.table.measured.shapes import Body

FROM_HERE, AFTER_MOVE = 1.15, 0.85
"""Whoever sees a unit in range already may use both actions on it, whoever has to move first only one."""
COMES_ROUND = 0.4
"""The share of a threat that is left where the enemy does not see the place from where he stands."""
REACTS_FREE, REACTS_DEAR = 0.8, 0.4
"""How likely an enemy reacts who has acted already, and one who would lose an action by it."""
REACTION_INCHES = 12.0
REAR = 135
TWO_SHOTS = 2


class Dangers:
    """Fire to be expected in one position."""

    def __init__(self, planner: Planner) -> None:
        self.planner = planner
        self.state = planner.state
        self.rules = planner.rules
        self.values = planner.values
        self.scene = planner.scene

    def presence(self, enemy: Unit) -> float:
        """How much an enemy's fire to come counts: all of it if he still acts this turn."""
        if not enemy.activated:
            return 0.6 if enemy.suppression and not enemy.is_hero_led else 1.0
        return 0.0 if self.values.is_last_turn else self.planner.weights["spent"]

    def at(self, unit: Unit, bodies: Sequence[Body], spot: Spot) -> float:
        """What enemies may do to it there: the worst of them counts whole, the others less and less."""
        with standing(unit, bodies, round(spot[1])):
            threats = [self._threat(enemy, unit, spot) for enemy in self.scene.sides[1 - unit.side]]
        threats.sort(reverse=True)
        return sum(value / (1 + place) for place, value in enumerate(threats[:4]))

    def _threat(self, enemy: Unit, unit: Unit, spot: Spot) -> float:
        """One enemy's fire at a unit that stands there."""
        presence = self.presence(enemy)
        if not presence:
            return 0.0
        inches = self.scene.inches(unit, spot[0], enemy)
        reach = self.scene.reach(enemy, unit)
        pace = self._pace(enemy)
        if inches - pace > reach:
            return 0.0
        seen = self.sees(enemy, unit)
        factor = COMES_ROUND
        if seen:
            factor = FROM_HERE if inches <= reach else AFTER_MOVE
        elif not pace:
            factor = 0.05
        nearer = inches if seen and inches <= reach else max(0.0, min(reach, inches) - 0.4 * pace)
        return presence * factor * self.loss(enemy, unit, spot, nearer, seen)

    def loss(self, enemy: Unit, unit: Unit, spot: Spot, inches: float, seen: bool) -> float:
        """Points that one attack from so far costs; cover counts as it is from where the enemy stands."""
        cover = self.cover_from(enemy, unit) if seen else int(self.planner.ground_cover(spot[0]))
        rear = unit.is_vehicle and turned(spot[1], bearing_of(spot[0], self.scene.centres[enemy.id])) > REAR
        expected = fire(enemy, unit, inches, min(TWO_SHOTS, cover), rear=rear, arms=self.scene.arms(enemy))
        return self.values.loss(unit, expected)

    def _pace(self, enemy: Unit) -> float:
        if not enemy.card.move or not self.rules.movement.can_move(self.state, enemy, "move"):
            return 0.0
        return enemy.card.move * 0.9

    def sees(self, enemy: Unit, unit: Unit) -> bool:
        """Does anybody of the enemy see anybody of the unit as it stands now?"""
        blockers = self.scene.hulls(enemy, unit)
        return any(
            ground.sees_body(self.state, enemy, eye, unit, body, blockers)
            for eye in enemy.bodies
            for body in unit.bodies
        )

    def cover_from(self, enemy: Unit, unit: Unit) -> int:
        """The cover of the unit against the enemy's leader, steps included."""
        head = enemy.acting_leader if enemy.acting_leader in enemy.men else enemy.men[0]
        assert head is not None
        grade = int(ground.half_cover(ground.obscured(self.state, enemy, enemy.body_of(head), unit)))
        return self.planner.stepped(unit, grade)

    # -- reactions --------------------------------------------------------------------------------------------

    def reactors(self, unit: Unit) -> list[Unit]:
        """Enemies that may still react this turn."""
        if self.state.phase != "units" or self.state.active != unit.side:
            return []
        ready = self.rules.reactions.is_ready
        return [enemy for enemy in self.scene.sides[1 - unit.side] if ready(self.state, enemy)]

    def on_the_way(self, unit: Unit, bodies: Sequence[Body], spot: Spot, kind: str) -> float:
        """What reactions to a move may cost: from those within 12\" of where it begins or ends."""
        if kind == "march" and unit.has("Assault"):
            bodies, spot = list(unit.bodies), self.planner.here(unit)
        if unit.is_soldier and unit.has("Jump"):
            return 0.0
        costs = []
        here = self.planner.here(unit)
        for enemy in self.reactors(unit):
            before = self.scene.inches(unit, here[0], enemy)
            after = self.scene.inches(unit, spot[0], enemy)
            if min(before, after) > REACTION_INCHES:
                continue
            worst = 0.0
            if before <= REACTION_INCHES and self.sees(enemy, unit):
                worst = self.loss(enemy, unit, here, before, True)
            with standing(unit, bodies, round(spot[1])):
                if self.sees(enemy, unit):
                    worst = max(worst, self.loss(enemy, unit, spot, after, True))
            costs.append(worst * self._willing(enemy))
        costs.sort(reverse=True)
        return sum(value / (1 + place) for place, value in enumerate(costs[:4]))

    def back(self, unit: Unit, targets: Sequence[str], spot: Spot) -> float:
        """What targets within 12\" may do when they fire back, both at once."""
        total = 0.0
        for id in targets:
            enemy = self.state.unit(id)
            if not self.rules.reactions.is_ready(self.state, enemy) or self.state.phase != "units":
                continue
            inches = self.scene.inches(unit, spot[0], enemy)
            if inches <= REACTION_INCHES:
                total += self._willing(enemy) * self.loss(enemy, unit, spot, inches, True)
        return total

    def _willing(self, enemy: Unit) -> float:
        return REACTS_FREE if enemy.activated else REACTS_DEAR


__all__ = ["Dangers"]
