"""Plans for one order die of Konflikt '47: every order with where to go or whom to shoot, and what it is worth.

Values are differences to doing nothing, in the points of worth.py (k47.order.*, k47.cq.*, k47.building.*).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.adviser.area_fire import beside_gain, is_launcher, waves_gain
from dieselfront.rulesets.konflikt47.adviser.arrivals import entries
from dieselfront.rulesets.konflikt47.adviser.charges import charge_worth, overrun_worth
from dieselfront.rulesets.konflikt47.adviser.designators import pointed_out, should_wait
from dieselfront.rulesets.konflikt47.adviser.encouragement import heartened, waverers
from dieselfront.rulesets.konflikt47.adviser.guess import apart, middle, spread
from dieselfront.rulesets.konflikt47.adviser.hiding import shadows, shortened
from dieselfront.rulesets.konflikt47.adviser.intent import Intent
from dieselfront.rulesets.konflikt47.adviser.jumps import JUMP, jumps
from dieselfront.rulesets.konflikt47.adviser.suppression import SUPPRESS, may_suppress, suppressed_gain
from dieselfront.rulesets.konflikt47.adviser.worth import Judge
from dieselfront.rulesets.konflikt47.battle import mm
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.odds.fire_odds import best_shots, fire_odds
from dieselfront.rulesets.konflikt47.routes import DriveRegion, FootRegion, Route
from dieselfront.rulesets.konflikt47.state import ADVANCE, AMBUSH, DOWN, FIRE, RALLY, RUN, Unit
from dieselfront.table.measured.angles import heading_of
from dieselfront.table.measured.movement import ahead_of
from dieselfront.table.measured.shapes import Body

Place = tuple[Any, Body]
FIREFIGHT = 0.2  # how often a target shoots back that would else have shot at somebody else, or later
SURER = 1.3  # Suppressive Fire has to promise so much more: pins pass, losses last
HIDES = 4.0  # points of danger from which on places out of sight are looked for
BARRED = 3  # of the best ways that are barred so many are tried shorter


def region_is_scattered(region: Any) -> bool:
    """Must the unit close up before anything else (k47.core.coherency)?"""
    return isinstance(region, FootRegion) and region.scattered


class Planner:
    """Plans of a unit, the best first."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self._exact: dict[Any, float] = {}
        self.looks = False  # candidates are made: what takes longer to look at is looked at, too

    # -- all orders ------------------------------------------------------------------------------------------

    def intents(self, unit: Unit, options: Sequence[str], careful: bool, most: int = 3) -> list[Intent]:
        """Orders worth considering with what they are worth, the best first."""
        if not unit.on_table:
            return self._off_table(unit, options)
        danger = self.judge.danger(unit)
        intents = list(self._fire(unit, options, careful))
        intents += self._call(unit, options)
        if self.looks and unit.designates:
            intents += self._designate(unit, options)
        intents += self._still(unit, options, danger)
        for order in (ADVANCE, RUN):
            if order in options:
                intents += self.moves(unit, order, danger, careful)
        if RUN in options:
            intents += self._aboard(unit, danger)
        if "assault" in options:
            intents += self._assaults(unit)
        if "overrun" in options:
            intents += self._overruns(unit)
        down = max((intent.value for intent in intents if intent.order == DOWN), default=0.0)
        for intent in intents:
            intent.urgent = 0.25 * danger
            if unit.pins and intent.order != DOWN:  # who fails his order goes Down (k47.order.test_fail)
                intent.value += 0.9 * (1 - self.obeys(unit, intent.order)) * down
        intents.sort(key=lambda intent: -intent.value)
        return intents[:most]

    def refined(self, unit: Unit, intent: Intent) -> Intent:
        """The same plan judged with more care: fire by exact odds, more places to move to."""
        judge = self.judge
        if intent.order == FIRE and intent.target:
            enemy = judge.state.unit(intent.target)
            guess = judge.guesses.volley(judge.state, unit, enemy, FIRE)
            gain = self.suppressed_gain(unit, enemy) if intent.enter == SUPPRESS else self.exact_gain(unit, enemy, FIRE)
            gain += judge.silenced(enemy, guess) + self.prized(enemy, guess.gone) - self.answered(unit, enemy)
            better = Intent(unit.id, FIRE, self.obeys(unit, FIRE) * gain, target=enemy.id, enter=intent.enter)
            better.numbers, better.urgent = intent.numbers, intent.urgent
            return better
        if intent.order in (ADVANCE, RUN) and intent.path is not None and not unit.building:
            ways = self.moves(unit, intent.order, judge.danger(unit), True, 1)
            best = max(ways, key=lambda way: way.value, default=intent)
            if best.value > intent.value:
                best.urgent = intent.urgent
                return best
        return intent

    def _off_table(self, unit: Unit, options: Sequence[str]) -> list[Intent]:
        """Reserves arrive, passengers get off where they are of use, guns are unlimbered."""
        wanted = [order for order in (ADVANCE, RUN) if order in options]
        waits = Intent(unit.id, RALLY if RALLY in options and unit.pins else DOWN, 0.0)
        if unit.place == "aboard" and wanted and not self._gets_off(unit):
            wanted = []
        if wanted and self.looks and not unit.is_artillery:
            return sorted([*entries(self, unit, wanted), waits], key=lambda intent: -intent.value)
        if len(wanted) == 2 and self._has_to_run(unit):
            wanted = [RUN]
        return [Intent(unit.id, wanted[0], 8.0)] if wanted else [waits]

    def _has_to_run(self, unit: Unit) -> bool:
        """In the last turn: is an objective too far from its transport to walk there, and near enough to run?"""
        judge = self.judge
        if judge.turns_left() or not unit.carrier or not judge.holds(unit):
            return False
        hull = judge.state.unit(unit.carrier).bodies[0]
        ways = [judge.moves_to(unit, hull.x, hull.y, one.at, one.radius) for one in judge.objectives()]
        return 0.4 < min(ways, default=9.0) <= 1.3

    def _gets_off(self, unit: Unit) -> bool:
        """Passengers leave their transport near the enemy, near what they want, or when time runs out."""
        state = self.judge.state
        carrier = state.unit(unit.carrier)
        body = carrier.bodies[0]
        if carrier.order == "" and self.judge.turns_left() > 1 and self.judge.rules.vehicles.can_move(carrier):
            near = min((apart(body, middle(enemy)) for enemy in state.enemies(carrier)), default=99 * INCH)
            reach = max(12 * INCH, self.judge.guesses.reach(state, unit) * 2 // 3)
            goals = [self.judge.moves_to(unit, body.x, body.y, one.at, one.radius) for one in self.judge.objectives()]
            return near <= reach or min(goals, default=9.0) <= 1.0
        return True

    def obeys(self, unit: Unit, order: str) -> float:
        """The chance that the unit carries an order out."""
        order = RUN if order in ("assault", "overrun") else order
        return self.judge.guesses.order_chance(self.judge.state, unit, order)

    # -- standing still --------------------------------------------------------------------------------------

    def _fire(self, unit: Unit, options: Sequence[str], careful: bool) -> Iterable[Intent]:
        """Fire at the best targets."""
        if FIRE not in options:
            return
        chance = self.obeys(unit, FIRE)
        worth = []
        launches = is_launcher(unit)
        for enemy in self.judge.state.enemies(unit):
            guess = self.judge.guesses.volley(self.judge.state, unit, enemy, FIRE)
            gain = self.judge.gain(enemy, guess)
            way = ""
            if self.looks and guess.hit and may_suppress(unit, enemy):
                pins = self.suppressed_gain(unit, enemy)
                if pins > SURER * gain + 0.5:
                    gain, way = pins, SUPPRESS
            if gain > 0.05 and launches:
                gain += beside_gain(self.judge, unit, enemy)
            if gain > 0.05 and not (self.looks and should_wait(self.judge, unit, enemy)):
                worth.append((gain, enemy, guess, way))
        worth.sort(key=lambda one: (-one[0], one[1].id))
        for gain, enemy, guess, way in worth[:2]:
            gain = self.exact_gain(unit, enemy, FIRE) if careful and not way else gain
            gain += self.judge.silenced(enemy, guess) + self.prized(enemy, guess.gone) - self.answered(unit, enemy)
            intent = Intent(unit.id, FIRE, chance * gain, target=enemy.id, enter=way or None)
            end = f", {100 * guess.gone:.0f} % to destroy it" if guess.gone >= 0.01 else ""
            lost = "" if enemy.is_vehicle else f"{guess.losses:.1f} losses, "
            test = f", order passed {100 * chance:.0f} %" if chance < 1 else ""
            pins = 1 + guess.hit if way else guess.hit * guess.pins
            intent.numbers = f"{lost}{pins:.1f} pins{end}{test}"
            yield intent

    def suppressed_gain(self, unit: Unit, enemy: Unit) -> float:
        """What Suppressive Fire takes from an enemy."""
        state, rules = self.judge.state, self.judge.rules
        if not rules.shooting.could_shoot(state, unit, enemy, FIRE):
            return 0.0
        return suppressed_gain(self.judge, unit, enemy, best_shots(rules, state, unit, enemy, FIRE))

    def answered(self, unit: Unit, enemy: Unit) -> float:
        """What a Firefight costs beyond what the enemy would shoot in any case (k47.react.firefight)."""
        if enemy.order:
            return 0.0
        judge = self.judge
        back = judge.gain(unit, judge.guesses.volley(judge.state, enemy, unit, FIRE))
        return FIREFIGHT * judge.guesses.ready(enemy) * back if back > 1.0 else 0.0

    def prized(self, enemy: Unit, gone: float) -> float:
        """What the end of an enemy is worth to our objectives."""
        return gone * self.judge.hold_on(enemy) if gone > 0.01 and self.looks else 0.0

    def _call(self, unit: Unit, options: Sequence[str]) -> Iterable[Intent]:
        """An observer calls the barrage when he sees something worth it (k47.open.barrage)."""
        judge = self.judge
        if FIRE not in options or not unit.carries("observer"):
            return
        if not judge.rules.scenario_rules.may_call(judge.state, unit):
            return
        seen = [enemy for enemy in judge.state.enemies(unit) if ground.sees(judge.state, unit, enemy)]
        if seen:
            value = 0.2 * max(self.under_barrage(enemy, unit.side) for enemy in seen)
            intent = Intent(unit.id, FIRE, value * self.obeys(unit, FIRE))
            intent.numbers = f"a barrage on {value / 0.2:.0f} points of the enemy"
            yield intent

    def _designate(self, unit: Unit, options: Sequence[str]) -> Iterable[Intent]:
        """A designator that shows a gun its target (k47.special.target_designator)."""
        worth = pointed_out(self.judge, unit) if FIRE in options else 0.0
        if worth > 1.0:
            intent = Intent(unit.id, FIRE, worth * self.obeys(unit, FIRE))
            intent.numbers = f"a gun gains {worth:.0f} points from it"
            yield intent

    def under_barrage(self, centre: Unit, side: int) -> float:
        """What stands near a unit, our own counted against it."""
        here = middle(centre)
        total = 0.0
        for unit in self.judge.state.units:
            if unit.on_table and unit.bodies and apart(here, middle(unit)) <= 12 * INCH:
                total += self.judge.value(unit) * (1.0 if unit.side != side else -1.5)
        return total

    def exact_gain(self, unit: Unit, enemy: Unit, how: str) -> float:
        """What the fire of a unit takes from an enemy, by exact odds."""
        state, rules = self.judge.state, self.judge.rules
        key = (
            unit.id, unit.spots, unit.heading, unit.pins, unit.spent, unit.building, how, enemy.id, enemy.spots,
            enemy.heading, enemy.pins, enemy.order == DOWN, enemy.building, state.turn,
        )  # fmt: skip
        gain = self._exact.get(key)
        if gain is None:
            if len(self._exact) > 5000:
                self._exact.clear()
            gain = 0.0
            if rules.shooting.could_shoot(state, unit, enemy, how):
                shots = best_shots(rules, state, unit, enemy, how)
                gain = self.judge.gain_of(enemy, fire_odds(rules, state, unit, enemy, shots, how))
                gain += waves_gain(self.judge, unit, enemy, shots)
                gain += beside_gain(self.judge, unit, enemy) if is_launcher(unit) else 0.0
                if self.judge.guesses.gist(state, unit).snipes:  # exact odds do not know whom he names
                    gain = max(gain, self.judge.gain(enemy, self.judge.guesses.volley(state, unit, enemy, how)))
            self._exact[key] = gain
        return gain

    def _still(self, unit: Unit, options: Sequence[str], danger: float) -> Iterable[Intent]:
        """Rally, Ambush and Down."""
        judge = self.judge
        if RALLY in options and unit.pins:
            chance = self.obeys(unit, RALLY)
            shed = judge.pinned(unit, unit.pins) - judge.pinned(unit, max(0.0, unit.pins - 4.5))
            intent = Intent(unit.id, RALLY, chance * shed * 1.15)
            intent.numbers = f"{unit.pins} pins, order passed {100 * chance:.0f} %"
            yield intent
        if AMBUSH in options:
            intent = Intent(unit.id, AMBUSH, self.obeys(unit, AMBUSH) * self.lying_in_wait(unit))
            intent.numbers = "waits for a better shot"
            yield intent
        if DOWN in options:
            saved = danger - judge.danger(unit, down=True)
            shed = judge.pinned(unit, unit.pins) - judge.pinned(unit, max(0, unit.pins - 1))
            intent = Intent(unit.id, DOWN, saved + 0.4 * shed)
            intent.numbers = f"saves {saved:.1f} points"
            yield intent

    def lying_in_wait(self, unit: Unit, besides: str = "") -> float:
        """What opportunity fire may bring: enemies with an order to come who could walk into it."""
        judge = self.judge
        best = 0.0
        here = middle(unit)
        reach = judge.guesses.reach(judge.state, unit)
        for enemy in judge.state.enemies(unit):
            if enemy.is_artillery or enemy.id == besides:
                continue
            if enemy.order and judge.state.phase == "orders":
                continue
            far = max(0, apart(here, middle(enemy)) - 6 * INCH)
            if far > reach:
                continue
            guess = judge.guesses.at(judge.state, unit, enemy, AMBUSH, far, 0, "front" if enemy.is_vehicle else "")
            best = max(best, judge.gain(enemy, guess))
        return 0.15 * best + 0.2

    # -- moving ----------------------------------------------------------------------------------------------

    def moves(self, unit: Unit, order: str, danger: float, careful: bool, most: int = 2) -> Iterable[Intent]:
        """Promising ways, judged where they end; only the best are tried for room."""
        judge = self.judge
        chance = self.obeys(unit, order)
        if unit.building:
            yield from self._out_of_house(unit, order, danger, chance)
            return
        home = middle(unit)
        base = judge.place(unit, home, home)
        region = judge.rules.movement.region(judge.state, unit, order)
        next_turn = 0.3 if judge.turns_left() else 0.0
        turns_guns = unit.is_vehicle or not judge.guesses.gist(judge.state, unit).fixed
        idle = next_turn * judge.potential(unit, FIRE, turns_guns)[0]
        may_stay = order == ADVANCE and (judge.guesses.gist(judge.state, unit).fixed or region_is_scattered(region))
        kept = unit.bodies, unit.gun, unit.heading
        fires = order == ADVANCE and any(True for _ in judge.guesses.groups(judge.state, unit, ADVANCE))

        waiting = waverers(self, unit) if self.looks and unit.card.rank else []

        def judged_at(path: Any, body: Body) -> tuple[float, float, Any, str, Body]:
            self.move_to(unit, body)
            unit.moves += 1 if path else 0  # who ranged in on it has to begin anew (k47.wrule.indirect_hit)
            fear = judge.danger(unit)
            shot, target = judge.potential(unit, ADVANCE, not unit.is_vehicle) if fires else (0.0, None)
            if target is not None:
                if self.looks:
                    shot += self.prized(target, judge.guesses.volley(judge.state, unit, target, ADVANCE).gone)
                shot -= self.answered(unit, target)
            later = next_turn * judge.potential(unit)[0] - idle if next_turn else 0.0
            unit.moves -= 1 if path else 0
            help = heartened(self, waiting) if waiting else 0.0
            unit.bodies, unit.gun, unit.heading = kept
            worth = judge.place(unit, body, home, order == RUN) - base + later
            if worth > 0:  # the dead gain nothing by where they lie
                worth *= max(0.2, 1.0 - fear / judge.value(unit))
            worth += help - (fear - danger) - self._mined(unit, home, body)
            return worth + 0.97 * shot, shot, path, "" if target is None else target.id, body

        places = self.places(unit, region, careful)
        if self.looks and danger > HIDES and not region_is_scattered(region):
            places += shadows(judge, unit, region)
        judge.guesses.keeps = False
        judged = [judged_at(path, body) for path, body in places]
        leaps = {}
        if self.looks:
            judged = self._unbarred(region, home, judged, judged_at)
            leaps = dict(jumps(judge, unit, order))
            judged += [judged_at(path, body) for path, body in leaps.items()]
        judge.guesses.keeps = True
        judged.sort(key=lambda one: -one[0])
        taken = 0
        for worth, shot, path, target_id, _ in judged:
            if taken >= most:
                break
            if path == () and not may_stay:
                continue
            leaps_there = path in leaps
            if path == () or leaps_there or self._is_free(region, path):
                taken += 1
                intent = Intent(unit.id, order, chance * worth, path, target_id, JUMP if leaps_there else None)
                test = f", order passed {100 * chance:.0f} %" if chance < 1 else ""
                fire = f", its fire should bring about {shot:.0f} points" if shot > 0.5 else ""
                intent.numbers = f"the ground is worth {worth - shot:+.0f} points{fire}{test}"
                yield intent
        if most > 1:
            yield from self._into_houses(unit, order, danger, chance, base)

    def _unbarred(self, region: Any, home: Body, judged: list[Any], judged_at: Any) -> list[Any]:
        """Of the best ways that are barred, the longest part that is free."""
        ways: list[Any] = []
        tried = 0
        for one in sorted(judged, key=lambda one: -one[0]):
            path = one[2]
            if path == () or self._is_free(region, path):
                ways.append(one)
                continue
            if tried < BARRED and one[0] > 0:
                tried += 1
                for shorter in shortened(region, path):
                    if self._is_free(region, shorter):
                        ways.append(judged_at(shorter, self._end_of(region, home, shorter)))
                        break
        return ways

    def _end_of(self, region: Any, home: Body, path: Any) -> Body:
        """Where the model that stands for the unit comes to stand at the end of a way."""
        if isinstance(region, DriveRegion):
            return region.body.at(*path[-1])
        leader = region.bodies[0]
        return home.at(home.x + path[-1][0] - leader.x, home.y + path[-1][1] - leader.y)

    def _is_free(self, region: Any, path: Any) -> bool:
        if isinstance(region, FootRegion):
            return region.quick(path) is None
        return isinstance(region.route(path), Route)

    def _mined(self, unit: Unit, home: Body, body: Body) -> float:
        """What a way through mines costs (k47.mine.*)."""
        table = self.judge.state.table
        if unit.flies or not any(piece.kind.id == "minefield" for piece in table.pieces):
            return 0.0
        for step in range(1, 7):
            x, y = home.cx + (body.cx - home.cx) * step // 6, home.cy + (body.cy - home.cy) * step // 6
            if any(piece.kind.id == "minefield" for piece in table.pieces_at(x, y)):
                return 0.25 * self.judge.value(unit)
        return 0.0

    def move_to(self, unit: Unit, body: Body) -> None:
        """Set the unit down in thought: the model that stands for it is enough."""
        if unit.gun is not None:
            unit.gun = body
        unit.bodies = [body] * max(1, len(unit.bodies))
        if unit.is_vehicle:
            unit.heading = body.heading

    def places(self, unit: Unit, region: Any, careful: bool) -> list[Place]:
        if isinstance(region, DriveRegion):
            return self._drives(unit, region, careful)
        if region.scattered:
            return [((), middle(unit))]
        home, leader = middle(unit), region.bodies[0]
        places: list[Place] = [((), home)]
        seen = {()}
        table = self.judge.state.table
        for heading, far in self._headings(unit, leader, region.reach, careful):
            way: Any = region.towards(heading % 360, far)
            if way is not None and way not in seen:
                seen.add(way)
                x, y = home.x + way[-1][0] - leader.x, home.y + way[-1][1] - leader.y
                if 15 < x < table.width - 15 and 15 < y < table.depth - 15:
                    places.append((way, home.at(x, y)))
        return places

    def _headings(self, unit: Unit, leader: Body, reach: int, careful: bool) -> Iterable[tuple[int, int]]:
        """Towards objectives, cover and enemies, a little to the left and right of them, and away from the nearest."""
        for x, y in self.aims(unit, leader):
            if (x, y) != (leader.x, leader.y):
                way = heading_of(x - leader.x, y - leader.y)
                far = int(10 * ((x - leader.x) ** 2 + (y - leader.y) ** 2) ** 0.5)
                yield way, min(reach, far)
                if careful:
                    yield way, reach // 2
                    yield way + 35, reach
                    yield way - 35, reach
        for x, y in self._shelters(leader, reach):
            yield heading_of(x - leader.x, y - leader.y), int(10 * ((x - leader.x) ** 2 + (y - leader.y) ** 2) ** 0.5)
        nearest = self._nearest(unit, leader)
        if nearest is not None and (nearest.x, nearest.y) != (leader.x, leader.y):
            yield heading_of(leader.x - nearest.x, leader.y - nearest.y), reach

    def aims(self, unit: Unit, leader: Body) -> list[tuple[int, int]]:
        judge = self.judge
        state, battle = judge.state, judge.battle
        aims: list[tuple[int, int]] = []
        spots = [(mm(one.at[0]), mm(one.at[1])) for one in judge.objectives()]
        spots.sort(key=lambda spot: (spot[0] - leader.x) ** 2 + (spot[1] - leader.y) ** 2)
        aims += spots[:2]
        if battle is not None and battle.victory == "breakthrough" and unit.side == (battle.attacker or 0):
            table, edge = state.table, state.edges[1 - unit.side]
            ahead = {"north": (leader.x, 0), "south": (leader.x, table.depth), "west": (0, leader.y)}
            aims.append(ahead.get(edge, (table.width, leader.y)))
        aims += self._to_encourage(unit, leader)
        enemies = sorted((apart(leader, middle(enemy)), enemy.id, middle(enemy)) for enemy in state.enemies(unit))
        aims += [(body.x, body.y) for _, _, body in enemies[: 1 if len(aims) > 1 else 2]]
        return aims or [(state.table.width // 2, state.table.depth // 2)]

    def _to_encourage(self, unit: Unit, leader: Body) -> list[tuple[int, int]]:
        """Pinned troops that an officer's presence would help, the worst first (k47.morale.officer_range)."""
        if not unit.card.rank:
            return []
        pinned = [friend for friend in self.judge.state.friends(unit) if friend.pins > 1 and not friend.is_vehicle]
        pinned.sort(key=lambda friend: (bool(friend.order), -friend.pins, friend.id))
        return [(middle(friend).x, middle(friend).y) for friend in pinned[:1]]

    def _shelters(self, leader: Body, reach: int) -> list[tuple[int, int]]:
        """Ground that covers, as far as it is in reach: the nearest place well inside it."""
        shelters = []
        for piece in self.judge.state.table.pieces:
            if not (piece.kind.is_area and piece.kind.cover) or piece.is_building:
                continue
            low_x, low_y, high_x, high_y = (value // 10 for value in piece.parts[0].box)
            x = min(max(leader.x, low_x + 45), max(high_x - 45, low_x + 45))
            y = min(max(leader.y, low_y + 45), max(high_y - 45, low_y + 45))
            if (x, y) != (leader.x, leader.y) and 100 * ((x - leader.x) ** 2 + (y - leader.y) ** 2) <= reach * reach:
                shelters.append((x, y))
        return shelters[:3]

    def _nearest(self, unit: Unit, body: Body) -> Body | None:
        bodies = [middle(enemy) for enemy in self.judge.state.enemies(unit)]
        return min(bodies, key=lambda one: (apart(body, one), one.x, one.y)) if bodies else None

    def _drives(self, unit: Unit, region: DriveRegion, careful: bool) -> list[Place]:
        """Staying; straight on, or a turn and then straight on, all or half of the way; a turn only; back."""
        body, limits = region.body, region.limits
        places: list[Place] = [((), body)]
        on_road = limits.road_ahead and any(piece.kind.id == "road" for piece in self.judge.state.table.pieces)
        roads = tuple(limits.road_ahead * share // 4 for share in (4, 3)) if on_road else ()  # k47.terrain.code_x2
        turns = [0]
        if limits.turns:
            turns += [-30, 30, -60, 60, -90, 90] if careful else [-45, 45, 90]
            aims = self.aims(unit, body)
            for x, y in aims[:2]:
                if (x, y) != (body.x, body.y):
                    off = (heading_of(x - body.x, y - body.y) - body.heading + 180) % 360 - 180
                    if abs(off) <= 90 and off not in turns:
                        turns.append(off)
        for turn in turns:
            turned = body.at(body.x, body.y, body.heading + turn)
            first = ((body.x, body.y, turned.heading),) if turn else ()
            if turn:
                places.append((first, turned))
            legs = (limits.ahead, limits.ahead // 2) if careful else (limits.ahead,)
            for far in (*roads, *legs):
                gone = ahead_of(turned, far)
                places.append(((*first, (gone.x, gone.y, turned.heading)), gone))
        if limits.back:
            gone = ahead_of(body, -limits.back)
            places.append((((gone.x, gone.y, body.heading),), gone))
        table = self.judge.state.table
        return [place for place in places if 25 < place[1].x < table.width - 25 and 25 < place[1].y < table.depth - 25]

    # -- riding ----------------------------------------------------------------------------------------------

    def _aboard(self, unit: Unit, danger: float) -> Iterable[Intent]:
        """Onto a transport that has still to act, if it comes to an objective sooner (k47.transport.mount)."""
        judge = self.judge
        if not judge.holds(unit) or unit.building or not judge.objectives() or not judge.turns_left():
            return
        home = middle(unit)
        for carrier in judge.rules.transports.mountable(judge.state, unit, RUN):
            if carrier.order or not judge.rules.vehicles.can_move(carrier):
                continue
            gain = 0.0
            for objective in judge.objectives():
                on_foot = judge.moves_to(unit, home.x, home.y, objective.at, objective.radius)
                driven = judge.ride(unit, carrier, carrier.bodies[0], objective)
                turns = judge.turns_left()
                sooner = judge.soon(driven, turns + 1) - judge.soon(on_foot, turns + 1)
                gain = max(gain, judge.on_the_way() * judge.prize(objective) * sooner)
            if gain > 0:
                intent = Intent(
                    unit.id, RUN, self.obeys(unit, RUN) * (gain + 0.5 * danger), enter=("mount", carrier.id)
                )
                intent.numbers = f"a ride is worth {gain:+.1f}"
                yield intent

    # -- houses ----------------------------------------------------------------------------------------------

    def _into_houses(self, unit: Unit, order: str, danger: float, chance: float, base: float) -> Iterable[Intent]:
        """Houses and bunkers in reach: hard cover, and hits are shrugged off (k47.building.cover)."""
        if not unit.is_infantry:
            return
        judge = self.judge
        state = judge.state
        home = middle(unit)
        for piece, floor in judge.rules.buildings.enterable(state, unit, order):
            low_x, low_y, high_x, high_y = (value // 10 for value in state.table.piece(piece).parts[0].box)
            body = home.at((low_x + high_x) // 2, (low_y + high_y) // 2)
            kept = unit.bodies, unit.building, unit.notes.copy()
            unit.bodies, unit.building = [body] * len(unit.bodies), piece
            unit.floor = floor
            judge.guesses.keeps = False
            fear = judge.danger(unit)
            shot = judge.potential(unit, ADVANCE)[0] if order == ADVANCE else 0.0
            later = judge.potential(unit, FIRE)[0]
            judge.guesses.keeps = True
            unit.bodies, unit.building, unit.notes = kept
            worth = judge.place(unit, body, home) - base - (fear - danger) + shot + 0.15 * later + 1.0
            intent = Intent(unit.id, order, chance * worth, enter=("enter", piece, floor))
            intent.numbers = f"cover in {piece} is worth {worth - shot:+.1f}"
            yield intent

    def _out_of_house(self, unit: Unit, order: str, danger: float, chance: float) -> Iterable[Intent]:
        """Leave for a better place: towards objectives, enemies and cover, as far as the unit comes."""
        judge = self.judge
        home = middle(unit)
        base = judge.place(unit, home, home)
        reach = judge.rules.movement.reach(unit, order)
        next_turn = 0.3 if judge.turns_left() else 0.0
        idle = next_turn * judge.potential(unit)[0]
        kept = unit.bodies, unit.building
        best: tuple[float, float, Any] | None = None
        judge.guesses.keeps = False
        for x, y in [*self.aims(unit, home), *self._shelters(home, reach)]:
            far = max(1.0, 10 * ((x - home.x) ** 2 + (y - home.y) ** 2) ** 0.5)
            share = min(1.0, reach / far)
            body = home.at(home.x + int((x - home.x) * share), home.y + int((y - home.y) * share))
            unit.bodies, unit.building = [body] * len(kept[0]), ""
            fear = judge.danger(unit)
            shot = judge.potential(unit, ADVANCE)[0] if order == ADVANCE else 0.0
            later = next_turn * judge.potential(unit)[0] - idle if next_turn else 0.0
            unit.bodies, unit.building = kept
            worth = judge.place(unit, body, home) - base - (fear - danger) + later + 0.97 * shot - 1.0
            if best is None or worth > best[0]:
                best = worth, shot, (body.x, body.y)
        judge.guesses.keeps = True
        if best is not None:
            intent = Intent(unit.id, order, chance * best[0], path=best[2], enter="leave")
            intent.numbers = f"ground outside is worth {best[0] - best[1]:+.1f}"
            yield intent

    # -- assaults --------------------------------------------------------------------------------------------

    def _assaults(self, unit: Unit) -> Iterable[Intent]:
        """Enemies in reach, weighed blow against blow."""
        judge = self.judge
        state, rules = judge.state, judge.rules
        reach = rules.movement.reach(unit, RUN)
        for target in state.enemies(unit):
            far = apart(middle(unit), middle(target)) - spread(unit) - spread(target)
            if far > reach + INCH:
                yield from self._charge(unit, target, reach)
                continue
            value = self._assault_worth(unit, target, max(0, far))
            if value <= 0.5 or ground.unit_distance(state, unit, target) > reach:
                continue
            if not rules.assault.is_target(state, unit, target):
                continue
            if not rules.assault.measure(state, unit, target).into_contact:
                continue
            chance = self.obeys_assault(unit, target)
            value += self._prized_fight(unit, target)
            intent = Intent(unit.id, "assault", chance * value, target=target.id)
            intent.numbers = f"the fight is worth {value:+.1f}"
            yield intent

    def _prized_fight(self, unit: Unit, target: Unit) -> float:
        """What driving an enemy off is worth to our objectives: whoever wins stands where he stood."""
        held = self.judge.hold_on(target) if self.looks else 0.0
        if not held or unit.is_vehicle or target.is_vehicle:
            return self.prized(target, 0.5) if held else 0.0
        wins, _, _ = self.judge.guesses.fight(self.judge.state, unit, target)
        return wins * held * (2.0 if self.judge.holds(unit) else 1.0)

    def _charge(self, unit: Unit, target: Unit, reach: int) -> Iterable[Intent]:
        """An assault that falls short, by those who obey it better than any other order (k47.nation.japan)."""
        judge = self.judge
        if unit.pins < 2 or unit.is_vehicle or not judge.rules.assault.is_target(judge.state, unit, target):
            return
        chance = self.obeys_assault(unit, target)
        if chance < self.obeys(unit, RUN) + 0.25:
            return
        home, there = middle(unit), middle(target)
        share = reach / max(1, apart(home, there))
        body = home.at(home.x + int((there.x - home.x) * share), home.y + int((there.y - home.y) * share))
        worth = judge.place(unit, body, home, True) - judge.place(unit, home, home)
        intent = Intent(unit.id, "assault", chance * worth, target=target.id)
        intent.numbers = f"ground on the way is worth {worth:+.1f}, order passed {100 * chance:.0f} %"
        yield intent

    def obeys_assault(self, unit: Unit, target: Unit) -> float:
        state, rules = self.judge.state, self.judge.rules
        occasion = rules.orders.occasion(state, unit, ("assault", target.id))
        if not rules.orders.needs_test(state, unit, occasion):
            return 1.0
        return self.judge.guesses.obeys(state, unit, occasion)

    def _assault_worth(self, unit: Unit, target: Unit, far: int) -> float:
        judge = self.judge
        if unit.is_vehicle or target.is_vehicle:
            return charge_worth(judge, unit, target)
        shaken = 0.0
        if target.order in ("", AMBUSH) and (far > 6 * INCH or target.order == AMBUSH):
            guess = judge.guesses.at(judge.state, target, unit, FIRE, far, 0)
            shaken = 0.6 * guess.losses * judge.guesses.ready(target)
        value = judge.fight(unit, target, shaken)
        return value * (0.8 if not target.order else 1.0) if value > 0 else value

    def _overruns(self, unit: Unit) -> Iterable[Intent]:
        """Tanks drive through troops that have no answer to them."""
        judge = self.judge
        reach = judge.rules.movement.reach(unit, RUN)
        storming = judge.rules.vehicle_assault
        for target in storming.overrun_targets(judge.state, unit):
            if ground.unit_distance(judge.state, unit, target) > reach:
                continue
            value = overrun_worth(judge, unit, target)
            if value > 0 and (not self.looks or storming.through(judge.state, unit, target) is not None):
                yield Intent(unit.id, "overrun", value * self.obeys(unit, RUN), target=target.id)


__all__ = ["Intent", "Planner"]
