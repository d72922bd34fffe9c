"""Plans of an activation: what each sequence of actions is worth, from where, at whom.

The quick judgement of a place guesses sight and cover; it serves playouts, and tells which places are worth a closer
look. The closer look sets the unit down there for a question and asks the rules: who sees whom, in what cover, and what
an attack would roll (gunnery.py, dangers.py).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.abilities.attacking import FIGHTING_SPIRIT
from dieselfront.rulesets.warfare.activation import ATTACK, DISEMBARK, EMBARK, MARCH, MOVE, RELOAD, SUSTAINED
from dieselfront.rulesets.warfare.adviser.boarding import Boarding
from dieselfront.rulesets.warfare.adviser.dangers import Dangers
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
from dieselfront.rulesets.warfare.adviser.gunnery import NO_SHOOTING, Gunnery, Shooting, standing
from dieselfront.rulesets.warfare.adviser.intent import IDLE, Done, Ended, Plan, Spot, words_of
from dieselfront.rulesets.warfare.adviser.places import Place, goal_points, places_of, turn_ways
from dieselfront.rulesets.warfare.adviser.specials import CARES, Specials
from dieselfront.rulesets.warfare.adviser.values import Values
from dieselfront.rulesets.warfare.battle import mm
from dieselfront.rulesets.warfare.firing import ATTACK as ATTACK_KIND
from dieselfront.rulesets.warfare.firing import CHARGE as CHARGE_KIND
from dieselfront.rulesets.warfare.firing import SUSTAINED as SUSTAINED_KIND
from dieselfront.rulesets.warfare.going import MARCH as MARCH_KIND
from dieselfront.rulesets.warfare.going import MOVE as MOVE_KIND
from dieselfront.rulesets.warfare.going import Move
from dieselfront.rulesets.warfare.state import State, Unit
from dieselfront.table.measured.shapes import distance_from_point
from dieselfront.table.measured.terrain import Cover, Sight

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.ruleset import Warfare
    from dieselfront.table.measured.shapes import Body

TRIED, HIDEOUTS = 6, 3
"""So many of the best places are looked at closely before the unit stays, and so many hideouts besides."""
TRIED_BY_ORDER = 2
"""So many of them for an order, for any unit may be given one."""
HIDDEN = 0.4
"""The share of the danger that is left where the enemy does not see a unit."""
WATCHERS = 2
"""So many enemies are asked whether they see a place."""
UNSEEN = 0.5
"""An enemy who has to move first to see a unit threatens it by so much."""
SECOND_SHOT = 0.3
"""How much the second best target of an enemy adds to what its fire may cost: it has two actions, rarely two shots."""
AFTER_MOVE = 0.9
"""The share of a shot's worth that is left where the enemy may react to the move before it."""
HEADQUARTERS = 0.4
"""How much less a Command Section is drawn to the enemy: its orders reach others from behind."""
REAR = 135  # degrees from the front: an enemy beyond stands behind
STEP = 150.0  # millimetres: where coming closer counts half
NEAR_GOAL = 70.0
UNHELD = 0.6
"""The share of an objective's points that being near it is worth, beside standing at it."""
KEPT = 0.3
"""The share that is left where a friend holds it already."""
SUPPORTS = 0.12
"""The share of an objective's points that a second unit at it is worth."""
EXPECTED_BACK = 0.7
"""What reactions may cost counts so much: whoever reacts may also do something else."""
BARELY = 0.05
"""What being well placed is worth in the last turn."""
MISSES = 2 / 3
"""The chance that a die brings no HIT."""
FOR_NOTHING = 0.01
"""The share of a unit's points that a move has to bring at least."""
ACTION = 0.15
"""The share of a unit's points that an action is worth where it has nobody to shoot at."""


class Planner:
    """Plans for one position."""

    def __init__(self, rules: Warfare, state: State, weights: dict[str, float]) -> None:
        self.rules = rules
        self.state = state
        self.weights = weights
        self.scene = Scene(state)
        self.values = Values(rules, state, weights)
        self.values.harm = self.harm
        self.gunnery = Gunnery(rules, state, self.values)
        self.goals = goal_points(self)
        self._seen: dict[tuple[str, str], bool] = {}
        self._cover = [piece for piece in state.table.pieces if piece.kind.cover and piece.kind.is_area]
        self._stands: dict[tuple[str, str], list[tuple[float, Place]]] = {}
        self._stays: dict[str, float] = {}
        self._hiding = any(piece.kind.sight in (Sight.BLOCKS, Sight.AREA) for piece in state.table.pieces) or any(
            unit.is_machine for unit in self.scene.machines
        )
        """Is there anything to hide behind?"""
        self._ends: dict[tuple[str, str, Any], float] = {}
        self.is_quick = False
        """Is it asked in a playout?"""
        self.ordered = False
        """Is it an order, to which nobody reacts?"""

    @cached_property
    def dangers(self) -> Dangers:
        return Dangers(self)

    @cached_property
    def specials(self) -> Specials:
        return Specials(self)

    @cached_property
    def boarding(self) -> Boarding:
        return Boarding(self)

    # -- what things are worth --------------------------------------------------------------------------------

    def gain(self, target: Unit, expected: Fire) -> float:
        """Points that fire at a unit is worth."""
        return self.values.gain(target, expected)

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

    def best_fire(self, unit: Unit, spot: Spot, sustained: bool = False) -> tuple[float, str]:
        """The best target from a spot; sight is hoped for."""
        best, whom = 0.0, ""
        for target in self.scene.sides[1 - unit.side]:
            value = self.fire_at(unit, spot, target, sustained)
            if value > best:
                best, whom = value, target.id
        return best, whom

    def sees(self, unit: Unit, target: Unit) -> bool:
        """Does its leader, or somebody else, see the nearest of the target?"""
        key = (unit.id, target.id)
        if key not in self._seen:
            blockers = self.scene.hulls(unit, target)
            self._seen[key] = any(
                ground.sees_body(self.state, unit, eye, target, body, blockers)
                for eye in unit.bodies[:2]
                for body in target.bodies[:2]
            )
        return self._seen[key]

    def shelter(self, unit: Unit) -> int:
        """The cover a unit has where it stands, as far as the ground tells, and its markers."""
        return self.stepped(unit, int(self.ground_cover(self.scene.centres[unit.id])))

    def stepped(self, unit: Unit, grade: int) -> int:
        """Cover made better by markers and for Teams, worse for zombies."""
        if unit.suppression and not unit.is_machine:
            grade += 1
        if unit.card.is_team and grade == Cover.SOFT:
            grade = Cover.HARD
        grade = min(int(Cover.HARD), grade)
        return max(0, grade - 1) if unit.has("Blutkreuz Zombie") else grade

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

    def nearest_enemies(self, unit: Unit, most: int) -> list[Unit]:
        """The enemies that are nearest to where a unit stands."""
        at = self.here(unit)[0]
        enemies = self.scene.sides[1 - unit.side]
        return sorted(enemies, key=lambda enemy: math.dist(at, self.scene.centres[enemy.id]))[:most]

    def is_near_enemies(self, unit: Unit) -> bool:
        """Is an enemy so near that a unit should rather fight on foot?"""
        at = self.here(unit)[0]
        return any(self.scene.inches(unit, at, enemy) <= 18 for enemy in self.scene.sides[1 - unit.side])

    def action_worth(self, unit: Unit) -> float:
        """What one action of a unit is worth."""
        fire = self.best_fire(unit, self.here(unit))[0] if unit.bodies else 0.0
        return self.weights["tempo"] * max(fire, ACTION * unit.ap)

    def harm(self, enemy: Unit) -> float:
        """What an enemy's best shot may cost, at those who stand on the table now."""
        if enemy.id not in self.scene.centres:
            return 0.0
        friends = self.scene.sides[1 - enemy.side]
        return max((self.threat(enemy, unit, self.here(unit), here=True) for unit in friends), default=0.0)

    def danger(self, unit: Unit, spot: Spot, here: bool = False) -> float:
        """What enemy fire may cost at a spot: all who could bring their guns to bear, the worst of them most. Where it
        stands already, those who do not see it yet count less."""
        cover = self.stepped(unit, int(self.ground_cover(spot[0])))
        threats = [self.threat(enemy, unit, spot, here, cover) for enemy in self.scene.sides[1 - unit.side]]
        threats.sort(reverse=True)
        return sum(value / (1 + place) for place, value in enumerate(threats[:4]))

    def threat(self, enemy: Unit, unit: Unit, spot: Spot, here: bool = False, cover: int | None = None) -> float:
        """What one enemy's fire may cost a unit at a spot, in the cover it has there."""
        if self.values.is_last_turn and enemy.activated:
            return 0.0
        at, heading = spot
        inches = self.scene.inches(unit, at, enemy)
        near = inches - (0 if enemy.is_machine and not enemy.card.move else enemy.card.move * 0.7)
        if near > self.scene.reach(enemy, unit):
            return 0.0
        if cover is None:
            cover = self.stepped(unit, int(self.ground_cover(at)))
        rear = unit.is_vehicle and turned(heading, bearing_of(at, self.scene.centres[enemy.id])) > REAR
        nearer = max(0.0, min(inches, max(near, inches * 0.5)))
        expected = fire(enemy, unit, nearer, cover, rear=rear, arms=self.scene.arms(enemy))
        value = self.values.loss(unit, expected)
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

    # -- ground -----------------------------------------------------------------------------------------------

    def pull(self, unit: Unit, at: Point, bodies: Sequence[Body] | None = None) -> float:
        """Objectives held or near, enemies at a good distance, the far edge in a breakthrough."""
        weights, late = self.weights, self.values.is_last_turn
        value = weights["objective"] * self.goal_worth(unit, at, bodies)
        eager = (HEADQUARTERS if unit.card.may_command else 1.0) * (BARELY if late else 1.0)
        value += 0.35 * eager * unit.ap * weights["advance"] * self._closeness(unit, at)
        battle = self.state.scenario
        if battle is not None and battle.victory == "breakthrough" and (battle.attacker or 0) == unit.side:
            value += 2.0 * unit.ap * self._through(unit, at)
        return value

    def goal_worth(self, unit: Unit, at: Point, bodies: Sequence[Body] | None = None) -> float:
        """The best objective for a unit there: to stand at it, or to be near it."""
        best, held = 0.0, 0.0
        late = self.values.is_last_turn
        for objective, (goal, points) in zip(self.values.objectives, self.goals, strict=True):
            mates = self.values.company(unit.side, objective, unit)
            enemies = self.values.company(1 - unit.side, objective)
            if not unit.is_aircraft and self._stands_at(unit, at, bodies, objective, goal):
                held += points * (SUPPORTS if mates else 1.0)
                continue
            share = BARELY if late else UNHELD
            if mates and not enemies:
                share *= KEPT
            best = max(best, share * points / (1.0 + max(0.0, math.dist(at, goal) - NEAR_GOAL) / STEP))
        return max(best, held) if not held else held + 0.1 * best

    def _stands_at(self, unit: Unit, at: Point, bodies: Sequence[Body] | None, objective: Any, goal: Point) -> bool:
        radius = mm(objective.radius)
        if bodies is None:
            return math.dist(at, goal) <= radius + self.scene.half_width(unit) * (1.0 if unit.is_machine else 0.4)
        x, y = mm(objective.at[0]) * 10, mm(objective.at[1]) * 10
        return any(distance_from_point(x, y, body) <= radius * 10 for body in bodies)

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
        far: float = {"north": at[1], "south": table.depth - at[1], "west": at[0], "east": table.width - at[0]}[edge]
        if far < 270:
            return 1.0
        return (BARELY if self.values.is_last_turn else 0.6) / (1.0 + (far - 270) / 400)

    def stand(self, unit: Unit, spot: Spot, exposed: float = 1.0) -> float:
        """What ending the activation at a spot is worth, before fire, at a quick glance."""
        cover = int(self.ground_cover(spot[0])) * self.weights["cover"] * 0.04 * unit.ap
        return self.pull(unit, spot[0]) + cover - exposed * self.weights["threat"] * self.danger(unit, spot)

    def stand_closely(self, unit: Unit, spot: Spot, bodies: Sequence[Body]) -> float:
        """The same with the sight and cover that enemies really have."""
        cover = int(self.ground_cover(spot[0])) * self.weights["cover"] * 0.04 * unit.ap
        danger = self.dangers.at(unit, bodies, spot)
        return self.pull(unit, spot[0], bodies) + cover - self.weights["threat"] * danger

    # -- plans ------------------------------------------------------------------------------------------------

    def here(self, unit: Unit) -> Spot:
        return (self.scene.centres[unit.id], float(unit.heading))

    def plans(self, unit: Unit, menu: Sequence[tuple[str, ...]]) -> list[Plan]:
        """Every sequence of a menu with its worth, the best first."""
        if not unit.bodies:
            made = [self.boarding.plan(unit, names) for names in menu]
        else:
            made = [self._plan(unit, tuple(names), self._stay(unit)) for names in menu]
        made.sort(key=lambda plan: -plan.value)
        return made

    def _stay(self, unit: Unit) -> float:
        """What standing where it stands is worth."""
        value = self._stays.get(unit.id)
        if value is None:
            value = self._stays[unit.id] = self.stand_closely(unit, self.here(unit), unit.bodies)
        return value

    def _plan(self, unit: Unit, names: tuple[str, ...], stay: float) -> Plan:
        """One sequence: what comes before the move, the place, and what comes after it."""
        moves = [name for name in names if name in (MOVE, MARCH)]
        if not moves:
            return self._staying(unit, names, stay)
        kind = moves[0]
        place = names.index(kind)
        first = self._all(unit, names[:place])
        value, ended, after = self.move(unit, MARCH_KIND if kind == MARCH else MOVE_KIND, names[place + 1 :])
        shooting = first.shooting if first.shooting is not NO_SHOOTING else after.shooting
        idle = first.is_idle or after.is_idle or not ended.way
        return Plan(
            first.value + value, names, ended.way, shooting.target, words_of(names), idle, shooting, None, unit.id
        )

    def _staying(self, unit: Unit, names: tuple[str, ...], stay: float) -> Plan:
        done = self._all(unit, names)
        shooting = done.shooting
        if EMBARK in names:
            stay = 0.0
        return Plan(
            done.value + stay, names, None, shooting.target, words_of(names), done.is_idle, shooting, None, unit.id
        )

    def _all(self, unit: Unit, names: Sequence[str]) -> Done:
        """What several actions on the spot are worth together."""
        value, shooting, idle = 0.0, NO_SHOOTING, False
        loaded = unit.empty
        try:
            for name in names:
                done = self.act(unit, name)
                value += done.value
                idle = idle or done.is_idle
                if done.shooting is not NO_SHOOTING:
                    shooting = done.shooting
                if name == RELOAD:
                    unit.empty = ()
        finally:
            unit.empty = loaded
        return Done(value, shooting, idle)

    def act(self, unit: Unit, name: str, spot: Spot | None = None) -> Done:
        """What one action is worth from where the unit stands (or is set down for the question)."""
        if name in (ATTACK, SUSTAINED, FIGHTING_SPIRIT):
            return self._attack(unit, name, spot or self.here(unit))
        if name == DISEMBARK:
            return Done(0.0)
        value = self.specials.worth(unit, name)
        return Done(value, is_idle=value <= 0.0)

    def _attack(self, unit: Unit, name: str, spot: Spot) -> Done:
        kind = SUSTAINED_KIND if name == SUSTAINED else ATTACK_KIND
        data: dict[str, Any] = {FIGHTING_SPIRIT: True} if name == FIGHTING_SPIRIT else {}
        shooting = self.gunnery.best(unit, kind, None, **data)
        if shooting is NO_SHOOTING:
            return IDLE
        value = shooting.value - self._answered(unit, shooting, spot)
        return Done(value, shooting, shooting.value <= 0.0)

    def _answered(self, unit: Unit, shooting: Shooting, spot: Spot) -> float:
        """What targets that fire back may cost."""
        if self.ordered:
            return 0.0
        targets = [id for id, _ in shooting.fires]
        return EXPECTED_BACK * self.weights["threat"] * self.dangers.back(unit, targets, spot)

    # -- moves ------------------------------------------------------------------------------------------------

    def move(self, unit: Unit, kind: str, then: Sequence[str] = ()) -> tuple[float, Ended, Done]:
        """The best place a move leads to, what comes after it included, and the way there. Places are rated by what is
        hoped for; the best ones are looked at closely."""
        here = self.here(unit)
        ended = Ended((), here, unit.bodies)
        after = self._after(unit, kind, then, ended)
        best = (self._stay(unit) + after.value, ended, after)
        region = self.rules.movement.region(Move(self.state, unit, kind))
        rated = [
            (hoped + self._hoped(unit, kind, then, (place.at, place.heading)), place)
            for hoped, place in self.rated(unit, kind, region)
        ]
        rated.sort(key=lambda one: -one[0])
        must = bool(then)  # staying is another plan's affair
        tried, hideouts = 0, 0
        most = (TRIED, HIDEOUTS)
        if self.ordered or self.is_quick:
            most = (1 if self.is_quick else TRIED_BY_ORDER, 1)
        for _, place in rated:
            if tried >= most[0] and (not place.is_hideout or hideouts >= most[1]):
                continue
            route = region.route(place.way)
            if isinstance(route, str):
                continue
            tried += not place.is_hideout
            hideouts += place.is_hideout
            ended = Ended(place.way, (place.at, place.heading), route.bodies)
            after = self._after(unit, kind, then, ended)
            value = self._end(unit, kind, ended) + after.value
            if value > best[0] or (must and not best[1].way and not after.is_idle):
                best = (value, ended, after)
        return best

    def rated(self, unit: Unit, kind: str, region: Any) -> list[tuple[float, Place]]:
        """Places with what standing there is hoped to be worth; worked out once for each kind of move."""
        key = (unit.id, kind)
        kept = self._stands.get(key)
        if kept is None:
            places = places_of(self, unit, region)
            if unit.is_machine:
                at = self.here(unit)[0]
                enemies = self.nearest_enemies(unit, 3)
                places += turn_ways(unit, region, [bearing_of(at, self.scene.centres[one.id]) for one in enemies])
            watchers = self._watchers(unit)
            kept = [
                (self.stand(unit, (place.at, place.heading), self._exposed(unit, place, watchers)), place)
                for place in places
            ]
            self._stands[key] = kept
        return list(kept)

    def _watchers(self, unit: Unit) -> list[tuple[Unit, float]]:
        """The enemies it has to fear most, each with his share of the danger."""
        here = self.here(unit)
        threats = [(self.threat(enemy, unit, here), enemy) for enemy in self.scene.sides[1 - unit.side]]
        whole = sum(value for value, _ in threats)
        threats.sort(key=lambda one: -one[0])
        return [(enemy, value / whole) for value, enemy in threats[:WATCHERS] if value > 0.0]

    def _exposed(self, unit: Unit, place: Place, watchers: Sequence[tuple[Unit, float]]) -> float:
        """How much of the danger is left at a place where some of them do not see its first miniature."""
        if not self._hiding or self.is_quick:
            return 1.0
        first = unit.bodies[0]
        x, y = round(place.at[0]), round(place.at[1])
        body = self.state.table.stand(first.shape, x, y, round(place.heading) % 360, first.key)
        exposed = 1.0
        for enemy, share in watchers:
            blockers = self.scene.hulls(enemy, unit)
            if not ground.sees_body(self.state, enemy, enemy.bodies[0], unit, body, blockers):
                exposed -= (1.0 - HIDDEN) * share
        return exposed

    def _end(self, unit: Unit, kind: str, ended: Ended) -> float:
        """What a move there is worth by itself; worked out once."""
        key = (unit.id, kind, ended.way)
        value = self._ends.get(key)
        if value is None:
            value = self._ends[key] = self._stood(unit, kind, ended)
        return value

    def _stood(self, unit: Unit, kind: str, ended: Ended) -> float:
        value = self.stand_closely(unit, ended.spot, ended.bodies) - (FOR_NOTHING * unit.ap if ended.way else 0.0)
        if unit.is_vehicle:
            value += self._overruns(unit, ended)
        if not self.ordered:
            cost = self.dangers.on_the_way(unit, ended.bodies, ended.spot, kind)
            value -= EXPECTED_BACK * self.weights["threat"] * cost
        return value

    def _overruns(self, unit: Unit, ended: Ended) -> float:
        """Markers for those it rolls over (dw.move.overrun_suppression)."""
        body, end = unit.bodies[0], ended.bodies[0]
        length = round(math.dist((body.x, body.y), (end.x, end.y)) * 10)
        if not length:
            return 0.0
        chance = 1.0 - MISSES ** max(0, unit.armor)
        return sum(
            chance * self.values.marker(enemy)
            for enemy in self.scene.sides[1 - unit.side]
            if enemy.is_soldier and not enemy.is_above
            if self.rules.movement._is_overrun(body, end, enemy, length)
        )

    def _hoped(self, unit: Unit, kind: str, then: Sequence[str], spot: Spot) -> float:
        """What is hoped to come of the actions after a move."""
        value = 0.0
        if any(name in (ATTACK, FIGHTING_SPIRIT) for name in then) or (kind == MARCH_KIND and unit.has("Charge")):
            value += AFTER_MOVE * self.best_fire(unit, spot)[0]
        for name in then:
            if name in CARES:
                value += self._care_hoped(unit, name, spot)
        return value

    def _care_hoped(self, unit: Unit, name: str, spot: Spot) -> float:
        best = 0.0
        for patient in self.specials.patients(unit, name, unit.card.move):
            if self.scene.inches(unit, spot[0], patient) <= 5.5:
                best = max(best, self.specials.care(unit, patient, name))
        return best

    def _after(self, unit: Unit, kind: str, then: Sequence[str], ended: Ended) -> Done:
        """What the actions after a move come to, by the rules themselves."""
        charges = kind == MARCH_KIND and unit.has("Charge")
        if not then and not charges:
            return Done(0.0)
        with standing(unit, ended.bodies, round(ended.spot[1])):
            if charges:
                shooting = self.gunnery.best(unit, CHARGE_KIND)
                if shooting is NO_SHOOTING:
                    return Done(0.0)
                return Done(shooting.value - self._answered(unit, shooting, ended.spot), shooting)
            value, shooting, idle = 0.0, NO_SHOOTING, False
            for name in then:
                done = self.act(unit, name, ended.spot)
                share = AFTER_MOVE if name in (ATTACK, FIGHTING_SPIRIT) else 1.0
                value += share * done.value
                idle = idle or done.is_idle
                shooting = done.shooting if done.shooting is not NO_SHOOTING else shooting
            return Done(value, shooting, idle)

    # -- quick ------------------------------------------------------------------------------------------------

    def move_at_once(self, unit: Unit, kind: str) -> Any:
        """The way to the best place at a quick glance, () to stay."""
        region = self.rules.movement.region(Move(self.state, unit, kind))
        stay = self.stand(unit, self.here(unit))
        rated = sorted(self.rated(unit, kind, region), key=lambda one: -one[0])
        for hoped, place in rated[:TRIED]:
            if hoped <= stay:
                break
            if region.why_not(place.way) is None:
                return place.way
        return ()


__all__ = ["Planner"]
