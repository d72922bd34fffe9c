"""Plans of an activation: what each sequence of actions is worth, from where, at whom."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.activation import ATTACK, DISEMBARK, EXTINGUISH, MARCH, MOVE, RELOAD, SUSTAINED
from dieselfront.rulesets.warfare.adviser.estimates import (
    MM,
    NO_FIRE,
    Fire,
    Point,
    Scene,
    bearing_of,
    fire,
    turned,
)
from dieselfront.rulesets.warfare.battle import mm
from dieselfront.rulesets.warfare.going import MARCH as MARCH_KIND
from dieselfront.rulesets.warfare.going import MOVE as MOVE_KIND
from dieselfront.rulesets.warfare.going import Move
from dieselfront.rulesets.warfare.state import State, Unit
from dieselfront.table.measured.terrain import Cover

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare

DIRECTIONS = 16
TRIED = 6
"""So many of the best places are tried for a way before the unit stays."""
UNSEEN = 0.5
"""An enemy who has to move first to see a unit threatens it by so much."""
SECOND_SHOT = 0.3
"""How much the second best target of an enemy adds to what its fire may cost: it has two actions, rarely two shots."""
AFTER_MOVE = 0.85
"""The share of a shot's worth that is left where the enemy may react to the move before it."""
HEADQUARTERS = 0.4
"""How much less a Command Section is drawn to the enemy: its orders reach others from behind."""
REAR = 135  # degrees from the front: an enemy beyond stands behind
STEP = 150.0  # millimetres: where coming closer counts half
SPECIALS = {EXTINGUISH: 0.15, RELOAD: 0.1, DISEMBARK: 0.25}
"""What special actions are worth, as a share of the unit's points."""
Spot = tuple[Point, float]
"""A place and a heading."""


class Plan(NamedTuple):
    """What a unit means to do."""

    value: float
    actions: tuple[str, ...]
    way: Any = None
    """The answer of its move, None to stay."""
    target: str = ""
    words: str = ""
    is_idle: bool = False
    """Is an action declared that nothing comes of: a move to nowhere, an attack on nobody?"""


class Planner:
    """Plans for one position."""

    def __init__(self, rules: Warfare, state: State, weights: dict[str, float]) -> None:
        self.rules = rules
        self.state = state
        self.weights = weights
        self.scene = Scene(state)
        battle = state.scenario
        self.goals: list[tuple[Point, float]] = []
        if battle is not None and battle.victory in ("objectives", "both"):
            late = min(1.0, state.turn / max(1, battle.turns))
            share = 1.0 if battle.scoring == "each turn" else 0.4 + 0.6 * late
            self.goals = [((mm(one.at[0]), mm(one.at[1])), one.points * share) for one in battle.objectives]
        self._seen: dict[tuple[str, str], bool] = {}
        self._legal: dict[tuple[str, str], bool] = {}
        self._cover = [piece for piece in state.table.pieces if piece.kind.cover and piece.kind.is_area]

    # -- what things are worth --------------------------------------------------------------------------------

    def gain(self, target: Unit, expected: Fire) -> float:
        """Points that fire at a unit is worth: losses, its end, and the marker that every HIT brings to soldiers."""
        weights = self.weights
        finish = weights["finish"]
        share = expected.losses / max(1, target.points_left)
        value = target.ap * ((1.0 - finish) * share + finish * expected.destroyed)
        if not target.is_machine and not target.is_lone_hero:
            fresh = 1.0 if not target.suppression else 0.35
            value += weights["shaken"] * target.ap * expected.hit * fresh * (0.5 if target.activated else 1.0)
        return value

    def fire_at(self, unit: Unit, spot: Spot, target: Unit, sustained: bool = False) -> float:
        """What attacking a target from a spot is worth."""
        at, heading = spot
        inches = self.scene.inches(unit, at, target)
        aimed = heading if unit.is_machine else None
        bearing = bearing_of(at, self.scene.centres[target.id])
        rear = self.scene.is_behind(at, target)
        cover, arms = self.shelter(target), self.scene.arms(unit)
        expected = fire(unit, target, inches, cover, sustained, aimed, bearing, rear, arms)
        return self.gain(target, expected) if expected is not NO_FIRE else 0.0

    def best_fire(
        self, unit: Unit, spot: Spot, sustained: bool = False, may: Callable[[Unit], bool] | None = None
    ) -> tuple[float, str]:
        """The best target from a spot, of those that `may` be attacked; without it sight is hoped for."""
        best, whom = 0.0, ""
        for target in self.scene.sides[1 - unit.side]:
            value = self.fire_at(unit, spot, target, sustained)
            if value > best and (may is None or may(target)):
                best, whom = value, target.id
        return best, whom

    def fire_here(self, unit: Unit, sustained: bool = False) -> tuple[float, str]:
        """The best target from where it stands, by the rules themselves."""
        return self.best_fire(unit, self.here(unit), sustained, lambda target: self.may_attack(unit, target))

    def may_attack(self, unit: Unit, target: Unit) -> bool:
        """Do the rules let it attack this unit now?"""
        key = (unit.id, target.id)
        if key not in self._legal:
            self._legal[key] = self.rules.attacking.can_attack(self.state, unit, ATTACK, only=target)
        return self._legal[key]

    def sees_from(self, unit: Unit, at: Point, target: Unit) -> bool:
        """Would its first miniature see the nearest of a target from a point?"""
        first = unit.bodies[0]
        eye = self.state.table.stand(first.shape, round(at[0]), round(at[1]), first.heading, first.key)
        blockers = ground.hulls(self.state, unit, target)
        return any(ground.sees_body(self.state, unit, eye, target, body, blockers) for body in target.bodies[:2])

    def sees(self, unit: Unit, target: Unit) -> bool:
        """Does its leader, or somebody else, see the nearest of the target?"""
        key = (unit.id, target.id)
        if key not in self._seen:
            blockers = ground.hulls(self.state, unit, target)
            self._seen[key] = any(
                ground.sees_body(self.state, unit, eye, target, body, blockers)
                for eye in unit.bodies[:2]
                for body in target.bodies[:2]
            )
        return self._seen[key]

    def shelter(self, unit: Unit) -> int:
        """The cover a unit has where it stands, as far as the ground tells, and its markers."""
        grade = int(self.ground_cover(self.scene.centres[unit.id]))
        if unit.suppression and not unit.is_machine:
            grade += 1
        if unit.card.is_team and grade == Cover.SOFT:
            grade = Cover.HARD
        return min(int(Cover.HARD), grade)

    def ground_cover(self, at: Point) -> Cover:
        """The best cover that the ground itself gives at a point."""
        best = Cover.NONE
        for piece in self._cover:
            if piece.kind.cover > best and self._holds(piece, at):
                best = piece.kind.cover
        return best

    def _holds(self, piece: Any, at: Point) -> bool:
        x, y = at[0] * 10, at[1] * 10
        return any(
            low_x <= x <= high_x and low_y <= y <= high_y
            for low_x, low_y, high_x, high_y in (part.box for part in piece.parts)
        )

    def danger(self, unit: Unit, spot: Spot, here: bool = False) -> float:
        """What enemy fire may cost at a spot: all who could bring their guns to bear, the worst of them most. Where it
        stands already, those who do not see it yet count less."""
        threats = [self.threat(enemy, unit, spot, here) for enemy in self.scene.sides[1 - unit.side]]
        threats.sort(reverse=True)
        return sum(value / (1 + place) for place, value in enumerate(threats[:4]))

    def threat(self, enemy: Unit, unit: Unit, spot: Spot, here: bool = False) -> float:
        """What one enemy's fire may cost a unit at a spot."""
        at, heading = spot
        inches = self.scene.inches(unit, at, enemy)
        near = inches - (0 if enemy.is_machine and not enemy.card.move else enemy.card.move * 0.7)
        if near > self.scene.reach(enemy, unit):
            return 0.0
        cover = int(self.ground_cover(at)) + (1 if unit.suppression and not unit.is_machine else 0)
        rear = unit.is_vehicle and turned(heading, bearing_of(at, self.scene.centres[enemy.id])) > REAR
        nearer = max(0.0, min(inches, max(near, inches * 0.5)))
        expected = fire(enemy, unit, nearer, min(2, cover), rear=rear, arms=self.scene.arms(enemy))
        value = self.gain(unit, expected)
        if here and value and not self.sees(enemy, unit):
            value *= UNSEEN
        late = self.weights["spent"] if enemy.activated else 1.0
        return value * late * (0.5 if enemy.suppression else 1.0)

    def fire_to_come(self, side: int) -> float:
        """What a side may lose to the fire of all enemies: each has one good shot, and a worse one at somebody else."""
        total = 0.0
        spots = [(unit, self.here(unit)) for unit in self.scene.sides[side]]
        for enemy in self.scene.sides[1 - side]:
            threats = sorted((self.threat(enemy, unit, spot, here=True) for unit, spot in spots), reverse=True)
            total += sum(threats[:1]) + SECOND_SHOT * sum(threats[1:2])
        return total

    def pull(self, unit: Unit, at: Point) -> float:
        """Objectives near, enemies at a good distance, the far edge in a breakthrough."""
        weights = self.weights
        value = 0.0
        for goal, points in self.goals:
            value = max(value, weights["objective"] * points / (1.0 + max(0.0, math.dist(at, goal) - 70) / STEP))
        eager = HEADQUARTERS if unit.card.may_command else 1.0
        value += 0.35 * eager * unit.ap * weights["advance"] * self._closeness(unit, at)
        battle = self.state.scenario
        if battle is not None and battle.victory == "breakthrough" and (battle.attacker or 0) == unit.side:
            value += 2.0 * unit.ap * self._through(unit, at)
        return value

    def _closeness(self, unit: Unit, at: Point) -> float:
        """1 where some enemy it can hurt is well in range, less the farther away it is."""
        best = 0.0
        for enemy in self.scene.sides[1 - unit.side]:
            reach = self.scene.reach(unit, enemy)
            if reach:
                short = self.scene.inches(unit, at, enemy) - 0.8 * reach
                best = max(best, 1.0 / (1.0 + max(0.0, short) * MM / STEP))
        return best

    def _through(self, unit: Unit, at: Point) -> float:
        edge = self.state.edges[1 - unit.side]
        table = self.state.table
        far = {"north": at[1], "south": table.depth - at[1], "west": at[0], "east": table.width - at[0]}[edge]
        return 1.0 if far < 270 else 0.6 / (1.0 + (far - 270) / 400)

    def stand(self, unit: Unit, spot: Spot) -> float:
        """What ending the activation at a spot is worth, before fire."""
        cover = int(self.ground_cover(spot[0])) * self.weights["cover"] * 0.04 * unit.ap
        return self.pull(unit, spot[0]) + cover - self.weights["threat"] * self.danger(unit, spot)

    # -- plans ------------------------------------------------------------------------------------------------

    def here(self, unit: Unit) -> Spot:
        return (self.scene.centres[unit.id], float(unit.heading))

    def plans(self, unit: Unit, menu: Sequence[tuple[str, ...]]) -> list[Plan]:
        """Every sequence of a menu with its worth, the best first."""
        if not unit.bodies:
            return [Plan(self._other(unit, names), names, words=_words(names)) for names in menu]
        here = self.here(unit)
        stay = self.stand(unit, here)
        moved: dict[str, tuple[float, Any, Spot]] = {}
        made: list[Plan] = []
        single = self.fire_here(unit)
        double = self.fire_here(unit, sustained=True)
        for names in menu:
            made.append(self._plan(unit, names, stay, single, double, moved))
        made.sort(key=lambda plan: -plan.value)
        return made

    def _plan(
        self, unit: Unit, names: tuple[str, ...], stay: float, single: tuple[float, str], double: tuple[float, str],
        moved: dict[str, tuple[float, Any, Spot]],
    ) -> Plan:  # fmt: skip
        base = self._extra(unit, names)
        if SUSTAINED in names:
            return Plan(base + stay + double[0], names, None, double[1], _words(names), not double[1])
        if names in ((MOVE,), (MARCH,)):
            value, way, _ = self._kept(unit, names[0], moved)
            return Plan(base + value, names, way, "", _words(names), not way)
        if names == (MOVE, ATTACK):
            return self._advance(unit, names, base)
        if names == (ATTACK, MOVE):
            value, way, _ = self._kept(unit, MOVE, moved)
            return Plan(base + single[0] + value, names, way, single[1], _words(names), not (way and single[1]))
        if ATTACK in names:
            return Plan(base + stay + single[0], names, None, single[1], _words(names), not single[1])
        return Plan(base + stay, names, None, "", _words(names))

    def _extra(self, unit: Unit, names: Iterable[str]) -> float:
        return sum(self._special(unit, name) for name in names if name not in (MOVE, MARCH, ATTACK, SUSTAINED))

    def _special(self, unit: Unit, name: str) -> float:
        return SPECIALS.get(name, 0.05) * unit.ap

    def _other(self, unit: Unit, names: tuple[str, ...]) -> float:
        """Off the table or aboard: coming in and getting out are worth something."""
        return 0.0 if not names else (0.3 + 0.1 * (len(names) > 1)) * unit.ap

    def _kept(self, unit: Unit, name: str, moved: dict[str, tuple[float, Any, Spot]]) -> tuple[float, Any, Spot]:
        if name not in moved:
            moved[name] = self.move(unit, MARCH_KIND if name == MARCH else MOVE_KIND, with_fire=False)
        return moved[name]

    def _advance(self, unit: Unit, names: tuple[str, ...], base: float) -> Plan:
        value, way, spot = self.move(unit, MOVE_KIND, with_fire=True)
        target = self._fire_from(unit, spot)[1]
        return Plan(base + value, names, way, target, _words(names), not (way and target))

    def move(self, unit: Unit, kind: str, with_fire: bool) -> tuple[float, Any, Spot]:
        """The best place a move leads to, its worth, and the way there. Places are rated by what is hoped for; of the
        best ones it is asked whether they can be reached and what is seen from there."""
        here = self.here(unit)
        region = self.rules.movement.region(Move(self.state, unit, kind))
        best: tuple[float, Any, Spot] = (self._worth(unit, here, with_fire), (), here)
        ways = self._ways(unit, region, here)
        rated = [(self._hoped(unit, spot, with_fire), way, spot) for way, spot in ways]
        rated.sort(key=lambda one: -one[0])
        for hoped, way, spot in rated[:TRIED]:
            if hoped <= best[0]:
                break
            worth = self._worth(unit, spot, with_fire) if with_fire else hoped
            if worth > best[0] and region.why_not(way) is None:
                best = (worth, way, spot)
        return best

    def _hoped(self, unit: Unit, spot: Spot, with_fire: bool) -> float:
        fired = AFTER_MOVE * self.best_fire(unit, spot)[0] if with_fire else 0.0
        return self.stand(unit, spot) + fired

    def _worth(self, unit: Unit, spot: Spot, with_fire: bool) -> float:
        fired = AFTER_MOVE * self._fire_from(unit, spot)[0] if with_fire else 0.0
        return self.stand(unit, spot) + fired

    def _fire_from(self, unit: Unit, spot: Spot) -> tuple[float, str]:
        """The best target from a spot, of those that are seen from there."""
        return self.best_fire(unit, spot, may=lambda target: self.sees_from(unit, spot[0], target))

    def _ways(self, unit: Unit, region: Any, here: Spot) -> list[tuple[Any, Spot]]:
        """Places worth a look: full and half moves all round, or what a hull can do."""
        if unit.is_soldier:
            first = region.bodies[0]
            ways = []
            for number in range(DIRECTIONS):
                for far in (region.reach, region.reach // 2):
                    way = region.towards(number * 360 // DIRECTIONS, far)
                    if way:
                        x, y = way[-1]
                        ways.append((way, ((here[0][0] + x - first.x, here[0][1] + y - first.y), here[1])))
            return ways
        return [(way, ((way[-1][0], way[-1][1]), float(way[-1][2]))) for way in region.spots() if way]


def _words(names: tuple[str, ...]) -> str:
    return ", then ".join(names) if names else "nothing"


__all__ = ["Plan", "Planner", "Spot"]
