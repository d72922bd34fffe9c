"""The regular player of Konflikt '47: picks by exact expected value.

It weighs units it expects to break against its own, wants objectives, likes cover, rallies when pinned and reacts when
a reaction is worth the order it costs. Expected losses come from the very pools that play would roll; for places a
unit does not stand on yet one model of each weapon looks for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import erf, sqrt
from random import Random
from typing import Any

from dieselfront.kernel.decisions import Answer, Assign, Decision, Number, PickOne, PickSome, PlaceFree, YesNo
from dieselfront.kernel.game import Game
from dieselfront.odds.konflikt_fire import FireOdds, best_shots, fire_odds, passes, pool_odds
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.battle import mm
from dieselfront.rulesets.konflikt47.firing import Shot, Wound, damage_throw
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.routes import FootRegion, Route
from dieselfront.rulesets.konflikt47.state import ADVANCE, AMBUSH, DOWN, FIRE, RALLY, RUN, Unit
from dieselfront.table.measured.angles import heading_of

PRIZE = 45.0  # what a destroyed unit is worth besides its points: it is a victory point
PIN = 5.0  # worth of a pin on the enemy
HELD = 30.0  # worth of holding one point of an objective
PULL = 1.4  # worth of an inch nearer to where the unit wants to be
FEAR = 0.45  # how much danger counts against gain
ROLE_WORTH = {"gunner": 8.0, "officer": 8.0, "medic": 5.0, "nco": 4.0, "observer": 5.0, "spotter": 2.0}
MOST_SPOTS = 7
NEAREST = 3


class Intent:
    """What the player means to do with a unit: an order, and where it goes or whom it assaults."""

    __slots__ = ("order", "path", "target", "unit", "value")

    def __init__(self, unit: str, order: str, value: float, path: Any = None, target: str = "") -> None:
        self.unit = unit
        self.order = order
        self.value = value
        self.path = path
        self.target = target


class KonfliktRegular:
    """A sensible opponent for a newcomer."""

    def __init__(self, seed: str) -> None:
        self.chance = Random(seed)
        self.intents: dict[str, Intent] = {}
        self.rules: Any = None
        self.state: Any = None
        self._gains: dict[Any, float] = {}

    def choose(self, game: Game) -> Answer:
        decision = game.pending
        assert decision is not None
        self.rules = game.rules
        self.state = game.state.clone()
        self._gains = {}
        name = "".join(letter if letter.isalnum() else "_" for letter in decision.key)
        handler = getattr(self, f"_on_{name}", None)
        answer = handler(game, decision) if handler is not None else None
        return self._otherwise(decision) if answer is None else answer[0]

    def _otherwise(self, decision: Decision) -> Answer:
        """Questions it has no view on: the plainest answer."""
        if isinstance(decision, Number):
            return decision.least
        if isinstance(decision, YesNo):
            return False
        if isinstance(decision, PickSome):
            return tuple(decision.options[: decision.least])
        if isinstance(decision, PickOne):
            return decision.options[0]
        if isinstance(decision, Assign) and decision.default is not None:
            return decision.default
        return decision.sample(self.chance)

    # -- setting up -------------------------------------------------------------------------------------------

    def _on_deploy(self, game: Game, decision: PickOne) -> Any:
        """Everybody takes the field."""
        return (next((option for option in decision.options if isinstance(option, str)), decision.options[0]),)

    def _on_set_up(self, game: Game, decision: PlaceFree) -> Any:
        return self._best_spot(decision)

    _on_arrive = _on_leave_building = _on_dismount = _on_set_up

    def _best_spot(self, decision: PlaceFree, tries: int = 8) -> Any:
        """Near what the side wants, in cover, some of the way forward."""
        unit = self.state.unit(decision.unit)
        spots = [decision.sample(self.chance) for _ in range(tries)]
        spots = [spot for spot in spots if spot]
        if not spots:
            return None

        def worth(spot: Any) -> float:
            return -self._to_goal(unit, spot[0], spot[1]) + (4.0 if self._is_covered(spot[0], spot[1]) else 0.0)

        return (max(spots, key=worth),)

    def _on_facing(self, game: Game, decision: PickOne) -> Any:
        """Weapons point at the nearest enemy."""
        unit = self.state.unit(decision.unit)
        enemy = self._nearest(unit)
        if enemy is None:
            return (unit.heading,) if unit.heading in decision.options else None
        here, there = ground.all_bodies(unit)[0], ground.presence(self.state, enemy)[0]
        if (here.x, here.y) == (there.x, there.y):
            return None
        wanted = heading_of(there.x - here.x, there.y - here.y)
        return (min(decision.options, key=lambda one: (abs((one - wanted + 180) % 360 - 180), one)),)

    # -- choosing a unit --------------------------------------------------------------------------------------

    def _on_unit(self, game: Game, decision: PickOne) -> Any:
        """The unit with most to gain from shooting acts first; then those the enemy could hurt."""
        best: tuple[float, str] | None = None
        for id in decision.options:
            unit = self.state.unit(id)
            urgency = 0.02 * unit.card.points
            if unit.on_table:
                urgency += self._best_gain(unit, FIRE, quick=True) * self._passes(unit, FIRE)
                urgency += 0.25 * min(self._danger(unit), 40.0)
            if best is None or urgency > best[0]:
                best = (urgency, id)
        return None if best is None else (best[1],)

    def _on_snap_to_action(self, game: Game, decision: PickSome) -> Any:
        """As many as the officer may bring along, those with the best fire first."""
        order = sorted(decision.options, key=lambda id: -self._best_gain(self.state.unit(id), FIRE, quick=True))
        chosen = order[: decision.most]
        return (tuple(id for id in decision.options if id in chosen),)

    # -- choosing an order ------------------------------------------------------------------------------------

    def _on_order(self, game: Game, decision: PickOne) -> Any:
        unit = self.state.unit(decision.unit)
        options = list(decision.options)
        if not unit.on_table:
            wanted = [order for order in (ADVANCE, RUN) if order in options]
            return (wanted[0] if wanted else options[0],)
        plans = list(self._plans(unit, options))
        if not plans:
            return None
        best = max(plans, key=lambda plan: plan.value)
        self.intents[unit.id] = best
        return (best.order,)

    def _plans(self, unit: Unit, options: Sequence[str]) -> Iterable[Intent]:
        """Every order with what it is worth."""
        danger = self._danger(unit)
        here = self._standing(unit)
        if FIRE in options:
            gain = self._best_gain(unit, FIRE) * self._passes(unit, FIRE)
            yield Intent(unit.id, FIRE, gain + here - FEAR * danger)
        if RALLY in options and unit.pins:
            shed = min(unit.pins, 4.5) * self._passes(unit, RALLY)
            yield Intent(unit.id, RALLY, PIN * 1.5 * shed + here - FEAR * danger)
        if AMBUSH in options:
            yield Intent(unit.id, AMBUSH, 2.5 * self._passes(unit, AMBUSH) + here - FEAR * danger)
        if DOWN in options:
            yield Intent(unit.id, DOWN, here - 0.55 * FEAR * danger + (1.0 if unit.pins else 0.0))
        for order in (ADVANCE, RUN):
            if order in options:
                yield from self._moves(unit, order, danger)
        if "assault" in options:
            yield from self._assaults(unit)

    def _moves(self, unit: Unit, order: str, danger: float) -> Iterable[Intent]:
        """Some promising ways, each judged where it ends."""
        if unit.building:
            gain = self._best_gain(unit, ADVANCE) * self._passes(unit, order) if order == ADVANCE else 0.0
            yield Intent(unit.id, order, gain - FEAR * danger)
            return
        chance = self._passes(unit, order)
        region = self.rules.movement.region(self.state, unit, order)
        before = self._standing(unit) - FEAR * danger
        home = unit.bodies, unit.gun, unit.heading
        for path in self._ways(unit, region):
            route = region.route(path)
            if not isinstance(route, Route):
                continue
            unit.bodies, unit.gun, unit.heading = route.bodies, route.gun or unit.gun, route.heading
            worth = self._standing(unit) - FEAR * self._danger(unit)
            if order == ADVANCE:
                worth += self._best_gain(unit, ADVANCE, quick=True)
            unit.bodies, unit.gun, unit.heading = home
            yield Intent(unit.id, order, chance * worth + (1 - chance) * before, path)

    def _ways(self, unit: Unit, region: Any) -> list[Any]:
        """Towards the goal and the nearest enemies, a little to the left and right, all or half of the way."""
        if not isinstance(region, FootRegion):
            ways = region.spots()
            return [ways[self.chance.randrange(len(ways))] for _ in range(MOST_SPOTS)] if ways else [()]
        if region.scattered:
            return [region.sample(self.chance)]
        here = region.bodies[0]
        headings = [heading_of(x - here.x, y - here.y) for x, y in self._points(unit) if (x, y) != (here.x, here.y)]
        found: list[Any] = [()]
        for heading in headings:
            for turn in (0, 40, -40):
                for far in (region.reach, region.reach // 2):
                    way = region.towards((heading + turn) % 360, far)
                    if way is not None and way not in found and region.quick(way) is None:
                        found.append(way)
                        break
        while len(found) > MOST_SPOTS:
            found.pop(1 + self.chance.randrange(len(found) - 1))
        return found

    def _assaults(self, unit: Unit) -> Iterable[Intent]:
        """Enemies in reach, weighed blow against blow."""
        for target in self.rules.assault.targets(self.state, unit):
            if ground.unit_distance(self.state, unit, target) > self.rules.movement.reach(unit, RUN):
                continue
            if unit.is_vehicle or target.is_vehicle:
                value = self._storm_worth(unit, target)
            else:
                value = self._fight_worth(unit, target)
            if value <= 0 or not self.rules.assault.measure(self.state, unit, target).into_contact:
                continue
            choice = ("assault", target.id)
            occasion = self.rules.orders.occasion(self.state, unit, choice)
            tested = self.rules.orders.needs_test(self.state, unit, occasion)
            chance = passes(self.rules.morale.value(self.state, unit, occasion)[0]) if tested else 1.0
            yield Intent(unit.id, "assault", chance * value, target=target.id)

    def _fight_worth(self, unit: Unit, target: Unit) -> float:
        """What a fight between troops is worth: the loser is often gone."""
        mine, theirs = self._blows(unit, target), self._blows(target, unit)
        mean = mine[0] - theirs[0]
        if not target.order and ground.unit_distance(self.state, unit, target) > 6 * INCH:
            mean -= 0.5 * self._odds(target, unit, FIRE, quick=True).mean_losses
        spread = sqrt(mine[1] + theirs[1]) or 0.5
        wins = 0.5 * (1 + erf(mean / spread / sqrt(2)))
        return wins * self._prize(target) * 0.75 - (1 - wins) * self._prize(unit) * 0.75

    def _blows(self, unit: Unit, target: Unit) -> tuple[float, float]:
        """Kills to expect in a round of hand-to-hand, and their variance."""
        ordinary, hard = self.rules.assault.attack_dice(unit)
        pen: int = unit.ask("on_attack_pen", 0, unit)
        value = self.rules.damage.value(target, Wound(self.state, None, pen, hand_to_hand=True))
        chance = float(damage_throw(value, pen, "").chance())
        dice = ordinary + hard * (1 + chance)
        return min(dice * chance, float(len(target.men))), dice * chance * (1 - chance)

    def _storm_worth(self, unit: Unit, target: Unit) -> float:
        """Assaults on vehicles pay only with the right weapons and against one that stands still."""
        if unit.is_vehicle:
            return 0.4 * self._prize(target) - 0.1 * self._prize(unit)
        score = self.rules.vehicle_assault.score(self.state, target)
        if score > 4 or not self.rules.vehicle_assault.has_anti_tank(unit):
            return 0.0
        hits = max(0, len(unit.men) - unit.pins) * 0.5
        value = target.card.vehicle.value if target.card.vehicle is not None else 8
        return self._prize(target) * max(0.0, min(1.0, (6.5 + hits - value) / 6)) * 0.7

    def _on_assault_target(self, game: Game, decision: PickOne) -> Any:
        intent = self.intents.get(decision.unit)
        return (intent.target,) if intent is not None and intent.target in decision.options else None

    # -- moving -----------------------------------------------------------------------------------------------

    def _on_manner(self, game: Game, decision: PickOne) -> Any:
        for wanted in ("move", "leave"):
            if wanted in decision.options:
                return (wanted,)
        return None

    def _on_move(self, game: Game, decision: PlaceFree) -> Any:
        intent = self.intents.get(decision.unit)
        if intent is not None and intent.path is not None and decision.region.why_not(intent.path) is None:
            return (intent.path,)
        unit = self.state.unit(decision.unit)
        plans = list(self._moves(unit, unit.order, self._danger(unit))) if unit.order in (ADVANCE, RUN) else []
        plans = [plan for plan in plans if plan.path is not None and decision.region.why_not(plan.path) is None]
        return (max(plans, key=lambda plan: plan.value).path,) if plans else None

    def _on_consolidate(self, game: Game, decision: PlaceFree) -> Any:
        """Towards the goal."""
        unit = self.state.unit(decision.unit)
        region: Any = decision.region
        ways = [way for way in self._ways(unit, region) if region.why_not(way) is None]

        def worth(way: Any) -> float:
            x, y = way[-1][:2] if way else (region.bodies[0].x, region.bodies[0].y)
            return -self._to_goal(unit, x, y)

        return (max(ways, key=worth),) if ways else None

    # -- shooting ---------------------------------------------------------------------------------------------

    def _on_target(self, game: Game, decision: PickOne) -> Any:
        unit = self.state.unit(decision.unit)
        how = ADVANCE if unit.order == ADVANCE else FIRE
        targets = [id for id in decision.options if id is not None]
        if not targets:
            return (None,)
        return (max(targets, key=lambda id: self._gain(unit, self.state.unit(id), how)),)

    def _on_friendly_fire(self, game: Game, decision: PickOne) -> Any:
        unit = self.state.unit(decision.unit)
        return (max(decision.options, key=lambda id: self._gain(unit, self.state.unit(id), FIRE)),)

    def _on_weapons(self, game: Game, decision: Assign) -> Any:
        unit = self.state.unit(decision.unit)
        how = ADVANCE if unit.order == ADVANCE else FIRE
        if unit.is_vehicle:
            return self._vehicle_weapons(unit, how, decision)
        answer = []
        for men, options in zip(decision.items, decision.choices, strict=True):
            answer.append(max(options, key=lambda choice: self._round_worth(unit, men, choice, how)))
        return (tuple(answer),)

    def _round_worth(self, unit: Unit, men: Sequence[int], choice: Any, how: str) -> float:
        """What models gain by firing a weapon; a one-shot weapon is kept for something worth it."""
        if choice is None:
            return 0.01
        index, way, id = choice
        if way == "smoke":
            return 0.0
        target = self.state.unit(id)
        shots = [Shot(man, index, id, way) for man in men]
        worth = self._worth(target, fire_odds(self.rules, self.state, unit, target, shots, how))
        return worth - (4.0 if unit.weapon(index).has("One-shot") else 0.0)

    def _vehicle_weapons(self, unit: Unit, how: str, decision: Assign) -> Any:
        """Every weapon at what it is worth most against, the best first, as far as they go together."""
        scored = []
        for place, (index, options) in enumerate(zip(decision.items, decision.choices, strict=True)):
            for choice in options:
                if choice is not None and choice[1] != "smoke":
                    shot = Shot(unit.men[0], index, choice[0], choice[1])
                    target = self.state.unit(choice[0])
                    odds = fire_odds(self.rules, self.state, unit, target, [shot], how)
                    scored.append((self._worth(target, odds), place, choice))
        answer: list[Any] = [None] * len(decision.items)
        for value, place, choice in sorted(scored, key=lambda one: (-one[0], one[1], str(one[2]))):
            if value > 0.05 and answer[place] is None:
                answer[place] = choice
                if decision.objection(tuple(answer)) is not None:
                    answer[place] = None
        found = tuple(answer)
        return (found,) if decision.objection(found) is None else None

    def _on_ambush(self, game: Game, decision: Decision) -> Any:
        """Fire when they are nearest: at the end of their way."""
        if isinstance(decision, PickOne):
            return (decision.options[-1],)
        return (True,)

    # -- reacting ---------------------------------------------------------------------------------------------

    def _on_reaction(self, game: Game, decision: PickOne) -> Any:
        unit = self.state.unit(decision.unit)
        cause = self._cause(game, unit)
        if cause is None:
            return (None,)
        if "escape" in decision.options:
            return (self._flees(unit, cause, list(decision.options)),)
        return (self._answer_to_fire(unit, cause, list(decision.options)),)

    def _cause(self, game: Game, unit: Unit) -> Unit | None:
        """Who shoots or assaults: the enemy of the last announcement."""
        for event in reversed(game.events[-12:]):
            if type(event).__name__ in ("Declared", "Assaulted"):
                found = self.state.unit(str(getattr(event, "unit", "")))
                return found if isinstance(found, Unit) and found.side != unit.side else None
        return None

    def _answer_to_fire(self, unit: Unit, shooter: Unit, options: Sequence[Any]) -> Any:
        """Take it, go down, or shoot back: a reaction costs the order of this turn."""
        how = ADVANCE if shooter.order == ADVANCE else FIRE
        later = 0.8 * self._best_gain(unit, FIRE, quick=True) * self._passes(unit, FIRE) + 3.0
        later = 0.0 if unit.order else later
        incoming = self._gain(shooter, unit, how)
        scores: dict[Any, float] = {None: later - incoming}
        if "go down" in options:
            order, unit.order = unit.order, DOWN
            self._gains.clear()
            scores["go down"] = -self._gain(shooter, unit, how) - (2.5 if order == AMBUSH else 0.0)
            unit.order = order
            self._gains.clear()
        if "firefight" in options:
            chance = self._passes(unit, FIRE, always=True)
            back = self._gain(unit, shooter, FIRE)
            scores["firefight"] = chance * back + (1 - chance) * (later - PIN) - incoming
        if "recce move" in options:
            scores["recce move"] = later - 0.4 * incoming - 1.0
        return max(scores, key=lambda one: (scores[one], str(one)))

    def _flees(self, unit: Unit, enemy: Unit, options: Sequence[Any]) -> Any:
        """Run from a fight that is lost, unless the way leads off the table."""
        if unit.is_vehicle or enemy.is_vehicle:
            return "recce move" if "recce move" in options else None
        if self._fight_worth(enemy, unit) < 0.35 * self._prize(unit):
            return None
        route = self.rules.movement.flee_on_foot(self.state, unit, enemy)
        return None if isinstance(route, str) else "escape"

    def _on_stand_and_fire(self, game: Game, decision: YesNo) -> Any:
        return (True,)

    # -- close quarters ---------------------------------------------------------------------------------------

    def _on_method(self, game: Game, decision: PickOne) -> Any:
        """Point-blank fire comes first; hand-to-hand has more dice without pins."""
        unit = self.state.unit(decision.unit)
        shots = self.rules.assault.point_blank_shots(self.state, unit)
        dice = sum(int(weapon.shots) for shot in shots if (weapon := unit.weapon(shot.weapon)).shots.isdigit())
        hit = max(1, 5 - unit.pins) / 6
        ordinary, hard = self.rules.assault.attack_dice(unit)
        fire = 1.25 * dice * hit
        return ("point-blank fire" if fire > ordinary + 1.5 * hard else "hand-to-hand",)

    def _on_follow_on_combat(self, game: Game, decision: YesNo) -> Any:
        """Once more while the unit is in good heart."""
        unit = self.state.unit(decision.unit)
        return (len(unit.men) >= 4 and unit.pins < 3,)

    def _on_occupy_building(self, game: Game, decision: YesNo) -> Any:
        return (True,)

    _on_elite = _on_war_dogs = _on_occupy_building

    # -- casualties -------------------------------------------------------------------------------------------

    def _on_casualties(self, game: Game, decision: PickSome) -> Any:
        """Ordinary soldiers first."""
        unit = self.state.unit(decision.unit)
        order = sorted(decision.options, key=lambda man: (self._man_worth(unit, man), -man))
        chosen = order[: decision.least]
        return (tuple(man for man in decision.options if man in chosen),)

    def _on_exceptional_damage(self, game: Game, decision: PickOne) -> Any:
        """The gun, or the man they need most."""
        if "gun" in decision.options:
            return ("gun",)
        unit = self.state.unit(decision.unit)
        return (max(decision.options, key=lambda man: (self._man_worth(unit, man), -man)),)

    def _on_sniper_s_mark(self, game: Game, decision: PickOne) -> Any:
        men = [man for man in decision.options if isinstance(man, int)]
        unit = self.state.unit(decision.unit) if decision.unit else None
        if not men or unit is None or any(man >= len(unit.card.men) for man in men):
            return None
        return (max(men, key=lambda man: (self._man_worth(unit, man), -man)),)

    def _man_worth(self, unit: Unit, man: int) -> float:
        worth = sum(ROLE_WORTH.get(role, 0.0) for role in unit.man(man).roles)
        for index in unit.weapons_of(man):
            weapon = unit.weapon(index)
            worth += (int(weapon.shots) if weapon.shots.isdigit() else 3) * (1 + 0.4 * weapon.pen)
        return worth

    # -- what things are worth --------------------------------------------------------------------------------

    def _prize(self, unit: Unit) -> float:
        return PRIZE + 0.5 * float(unit.card.points)

    def _worth(self, target: Unit, odds: FireOdds) -> float:
        """Expected damage: units broken, models lost, pins."""
        points = float(target.card.points or 50)
        worth = self._prize(target) * odds.gone
        if target.is_vehicle:
            worth += 0.12 * points * sum(odds.results.values()) * (1 - odds.gone)
        else:
            worth += 0.6 * points * odds.mean_losses / max(1, len(target.card.men)) * (1 - odds.gone)
        return worth + PIN * odds.pins * (1 + 0.2 * target.pins) * (1 - odds.gone)

    def _odds(self, unit: Unit, target: Unit, how: str, quick: bool = False) -> FireOdds:
        if not quick:
            shots = best_shots(self.rules, self.state, unit, target, how)
            return fire_odds(self.rules, self.state, unit, target, shots, how)
        return self._quick_odds(unit, target, how)

    def _quick_odds(self, unit: Unit, target: Unit, how: str) -> FireOdds:
        """One model of each weapon looks and measures for all who carry it."""
        men: dict[tuple[int, str], list[int]] = {}
        used: set[int] = set()
        for man, index, way in self.rules.shooting.options_of(self.state, unit, how):
            fits = way not in ("smoke", "HE" if target.is_vehicle else "AT")
            once = unit.is_vehicle or man not in used
            if fits and once and self.rules.shooting.bears(self.state, unit, unit.weapon(index), target):
                men.setdefault((index, way), []).append(man)
                used.add(man)
        if unit.is_vehicle:
            men = self._agreeing(unit, target, men)
        shots = [Shot(carriers[len(carriers) // 2], index, target.id, way) for (index, way), carriers in men.items()]
        shots = [shot for shot in shots if not unit.weapon(shot.weapon).has("Shockwave")]
        pools, _ = self.rules.shooting.pools(self.state, unit, target, shots, how)
        for pool in pools:
            pool.dice *= len(men[pool.weapon_index, pool.round])
        return pool_odds(self.rules, self.state, target, pools)

    def _agreeing(
        self, unit: Unit, target: Unit, men: dict[tuple[int, str], list[int]]
    ) -> dict[tuple[int, str], list[int]]:
        """Weapons of a vehicle that may fire together, in the order of its card."""
        weapons = list(dict.fromkeys(index for index, _ in men))
        taken: dict[tuple[int, str], list[int]] = {}
        for key, carriers in men.items():
            tried = dict((*taken, key))
            answer = tuple((target.id, tried[index]) if index in tried else None for index in weapons)
            once = all(index != key[0] for index, _ in taken)
            if once and self.rules.vehicles.agree(self.state, unit, weapons, answer) is None:
                taken[key] = carriers
        return taken

    def _gain(self, unit: Unit, target: Unit, how: str, quick: bool = False) -> float:
        key = (unit.id, target.id, how, quick, unit.spots[:1], unit.heading)
        if key not in self._gains:
            self._gains[key] = self._worth(target, self._odds(unit, target, how, quick))
        return self._gains[key]

    def _best_gain(self, unit: Unit, how: str, quick: bool = False) -> float:
        """The best target in range and sight."""
        if not unit.on_table:
            return 0.0
        far = max((unit.weapon(i).range for man in unit.men for i in unit.weapons_of(man)), default=0) * INCH
        near = [enemy for enemy in self._by_distance(unit) if enemy[0] <= far][: NEAREST + 1]
        gains = [
            self._gain(unit, enemy, how, quick)
            for _, enemy in near
            if self.rules.shooting.could_shoot(self.state, unit, enemy, how)
        ]
        return max(gains, default=0.0)

    def _danger(self, unit: Unit) -> float:
        """What the nearest enemies could do to the unit where it stands; those who have acted count half."""
        if not unit.on_table:
            return 0.0
        total = 0.0
        for far, enemy in self._by_distance(unit)[:NEAREST]:
            reach = max((enemy.weapon(i).range for man in enemy.men for i in enemy.weapons_of(man)), default=0) * INCH
            if far > reach or not ground.sees(self.state, enemy, unit):
                continue
            exposed = self._exposure(unit)
            total += self._firepower(enemy, unit, far) * exposed * (0.5 if enemy.order else 1.0)
        return min(total, 0.8 * self._prize(unit))

    def _exposure(self, unit: Unit) -> float:
        """How much of the fire gets through: less in area terrain and buildings."""
        if unit.building:
            return 0.35
        body = unit.bodies[0]
        return 0.6 if self._is_covered(body.x, body.y) else 1.0

    def _firepower(self, enemy: Unit, unit: Unit, far: int) -> float:
        """A rough measure of a unit's fire at a distance, in worth of damage."""
        total = 0.0
        for man in enemy.men:
            best = 0.0
            for index in enemy.weapons_of(man):
                weapon = enemy.weapon(index)
                if not weapon.shoots or far > weapon.range * INCH or (unit.is_armoured and weapon.small_arm):
                    continue
                dice = float(weapon.shots) if weapon.shots.isdigit() else 3.0
                dice *= 2.5 if weapon.he and not unit.is_vehicle else 1.0
                best = max(best, dice * (0.35 if 2 * far > weapon.range * INCH else 0.5))
            total += best
        points = float(unit.card.points or 50)
        worth = 0.3 * points if unit.is_vehicle else points / len(unit.card.men)
        return total * 0.45 * worth * float(0.7 ** min(enemy.pins, 5))

    # -- where it wants to be ---------------------------------------------------------------------------------

    def _standing(self, unit: Unit) -> float:
        """Objectives, cover and distance to the goal where the unit stands."""
        body = ground.all_bodies(unit)[0]
        return self._place_worth(unit, body.x, body.y)

    def _place_worth(self, unit: Unit, x: int, y: int) -> float:
        worth = -PULL * self._to_goal(unit, x, y)
        worth += 2.0 if self._is_covered(x, y) else 0.0
        battle = self.state.scenario
        if battle is not None and battle.victory in ("objectives", "both") and unit.is_infantry:
            late = 1.0 if self.state.turn >= battle.turns - 1 else 0.5
            for objective in battle.objectives:
                if self._apart(x, y, objective.at) <= objective.radius:
                    worth += HELD * objective.points * late
        return worth

    def _to_goal(self, unit: Unit, x: int, y: int) -> float:
        """Inches to what matters most: an objective nobody of ours holds, the enemy's edge, or fighting range."""
        battle = self.state.scenario
        if battle is not None and battle.victory in ("objectives", "both") and unit.is_infantry:
            mine = [one for one in battle.objectives if self.rules.victory.holder(self.state, one) != unit.side]
            wanted = mine or list(battle.objectives)
            return min(self._apart(x, y, one.at) for one in wanted)
        if battle is not None and battle.victory == "breakthrough" and unit.side == (battle.attacker or 0):
            return self._to_edge(self.state.edges[1 - unit.side], x, y)
        enemies = [body for enemy in self.state.enemies(unit) for body in ground.presence(self.state, enemy)[:1]]
        if not enemies:
            table = self.state.table
            return 0.5 * sqrt((x - table.width / 2) ** 2 + (y - table.depth / 2) ** 2) / 25.4
        nearest = min(sqrt((x - body.x) ** 2 + (y - body.y) ** 2) for body in enemies) / 25.4
        return max(0.0, nearest - self._range(unit))

    def _range(self, unit: Unit) -> float:
        """The distance at which the unit likes to fight: half of the range of its best weapon."""
        ranges = [unit.weapon(i).range for man in unit.men for i in unit.weapons_of(man) if unit.weapon(i).shoots]
        return max(ranges, default=6) / 2

    def _to_edge(self, edge: str, x: int, y: int) -> float:
        table = self.state.table
        return float({"north": y, "south": table.depth - y, "west": x, "east": table.width - x}[edge]) / 25.4

    def _apart(self, x: int, y: int, at: tuple[float, float]) -> float:
        return sqrt((x - mm(at[0])) ** 2 + (y - mm(at[1])) ** 2) / 25.4

    def _points(self, unit: Unit) -> list[tuple[int, int]]:
        """Places worth going towards: objectives, the nearest enemies."""
        battle = self.state.scenario
        found: list[tuple[int, int]] = []
        if battle is not None and battle.victory in ("objectives", "both"):
            body = ground.all_bodies(unit)[0]
            ordered = sorted(battle.objectives, key=lambda one: self._apart(body.x, body.y, one.at))
            found += [(mm(one.at[0]), mm(one.at[1])) for one in ordered[:2]]
        if battle is not None and battle.victory == "breakthrough" and unit.side == (battle.attacker or 0):
            body = ground.all_bodies(unit)[0]
            table, edge = self.state.table, self.state.edges[1 - unit.side]
            ahead = {"north": (body.x, 0), "south": (body.x, table.depth), "west": (0, body.y)}
            found.append(ahead.get(edge, (table.width, body.y)))
        for _, enemy in self._by_distance(unit)[:2]:
            body = ground.presence(self.state, enemy)[0]
            found.append((body.x, body.y))
        table = self.state.table
        return found or [(table.width // 2, table.depth // 2)]

    def _is_covered(self, x: int, y: int) -> bool:
        return any(piece.kind.is_area and piece.kind.cover for piece in self.state.table.pieces_at(x * 10, y * 10))

    def _by_distance(self, unit: Unit) -> list[tuple[int, Unit]]:
        """Enemies on the table, the nearest first, measured between first models."""
        here = ground.all_bodies(unit)[0]
        found = []
        for enemy in self.state.enemies(unit):
            there = ground.presence(self.state, enemy)[0]
            found.append((int(10 * sqrt((here.x - there.x) ** 2 + (here.y - there.y) ** 2)), enemy))
        return sorted(found, key=lambda one: (one[0], one[1].id))

    def _nearest(self, unit: Unit) -> Unit | None:
        near = self._by_distance(unit)
        return near[0][1] if near else None

    def _passes(self, unit: Unit, order: str, always: bool = False) -> float:
        """The chance to carry an order out."""
        occasion = self.rules.orders.occasion(self.state, unit, order)
        if not always and not self.rules.orders.needs_test(self.state, unit, occasion):
            return 1.0
        if unit.ask("on_auto_pass", "", unit, occasion, self.state):
            return 1.0
        return passes(self.rules.morale.value(self.state, unit, occasion)[0])


__all__ = ["KonfliktRegular"]
