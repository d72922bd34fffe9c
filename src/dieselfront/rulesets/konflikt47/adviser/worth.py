"""What a position of Konflikt '47 is worth: units alive, pins, objectives, fire to come (k47.game.victory, k47.pin.*).

One victory point is 50 points. Danger and potential fire are quick guesses; see guess.py.
"""

from __future__ import annotations

from math import exp, sqrt, tanh
from typing import TYPE_CHECKING, Any

from dieselfront.players.adviser import Worth
from dieselfront.players.outlook import outlook
from dieselfront.rulesets.konflikt47.adviser.guess import NOTHING, Guess, Guesses, apart, middle, spread
from dieselfront.rulesets.konflikt47.battle import Battle, Objective, mm
from dieselfront.rulesets.konflikt47.charts import RANK_RANGE
from dieselfront.rulesets.konflikt47.ground import INCH, sees
from dieselfront.rulesets.konflikt47.odds.fire_odds import FireOdds
from dieselfront.rulesets.konflikt47.state import ABOARD, ADVANCE, AMBUSH, DOWN, FIRE, GONE, RESERVE, RUN, State, Unit
from dieselfront.table.measured.shapes import Body

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47

POINTING = (FIRE, ADVANCE)  # orders on which a designator points targets out
POINTED_OUT = 2.5  # that fire, not shots to come in general, is what a designator is ordered for
POINT = 50.0  # a victory point
SKILL = 0.75  # what a point of an army list is worth while its unit can fight on
LEAD = 60.0  # a lead that wins, at the end
STAKE = 400.0  # a game won: more than any lead in one that goes on
MARGIN = 0.1
PIN = 3.2  # a pin, for a start
ON_THE_WAY = 0.3  # late in the battle being on the way to an objective is worth so much more of it
USUAL_TANK = 200.0  # points; beyond them a pin costs less than in proportion
LEAST = 0.8  # of the point for its end: however pinned, a unit that is lost counts
RIDERS_LOSE = 0.4  # the share of their worth that passengers lose with their transport
NEARER = 0.8  # what fire is worth for which a unit has to advance first: it may have something better to do
USUAL = {  # the weights of personalities.yaml that leave everything as it is
    "destroy": 1.0,
    "lose": 1.0,
    "finish": 0.35,
    "objective": 1.0,
    "advance": 1.0,
    "threat": 0.35,
    "cover": 0.5,
    "shaken": 0.12,
    "tempo": 0.15,
}


class Judge:
    """The worth of units, places and positions; it holds the position it looks at and caches."""

    def __init__(self, weights: dict[str, float]) -> None:
        self.factor = {name: weights.get(name, usual) / usual for name, usual in USUAL.items()}
        self.guesses = Guesses()
        self.outlook = outlook("konflikt47")
        self.rules: Konflikt47  # both given by `look_at`
        self.state: State
        self.battle: Any = None
        self.turn = 0
        self.is_over = False  # is the turn over: has everybody acted in it?
        self._at: dict[str, list[Unit]] = {}  # who stands at which objective
        self._values: dict[str, float] = {}
        self._skills: dict[str, float] = {}
        self._riders: dict[str, float] = {}
        self._designators: list[Unit] = []  # those that point targets out now
        self._company_of = [0, 0]  # units on the table, by side
        self.fire_to_come = [0.0, 0.0]  # by side, of units still to be ordered, at the last position weighed

    def look_at(self, rules: Konflikt47, state: State, turn: int = 0) -> None:
        """Judge this position from now on; with `turn` as at the end of that turn, though the next has begun."""
        self.rules = rules
        self.state = state
        self.turn = turn or state.turn
        self.is_over = self.turn != state.turn
        self.battle = state.scenario
        self._at = {}
        self._values = {}
        self._skills = {}
        self._riders = {}
        self._designators = [one for one in state.units if one.order in POINTING and one.designates]
        first = sum(unit.side == 0 and unit.place == "table" for unit in state.units)
        self._company_of = [first, sum(unit.place == "table" for unit in state.units) - first]
        self.guesses.use(rules, state)

    def has_acted(self, unit: Unit) -> bool:
        """Has the unit had its order this turn? Whoever lies in Ambush may still fire."""
        return self.is_over or (bool(unit.order) and unit.order != AMBUSH)

    # -- units -----------------------------------------------------------------------------------------------

    def turns_left(self) -> int:
        """Whole turns after this one."""
        battle: Battle | None = self.battle
        return 3 if battle is None else max(0, battle.turns - self.turn)

    def share_left(self) -> float:
        """The share of the game that is still to come."""
        battle: Battle | None = self.battle
        return 0.5 if battle is None else min(1.0, self.turns_left() / max(1, battle.turns))

    def skill(self, unit: Unit) -> float:
        """What the unit at full strength is worth besides the point for its end."""
        skill = self._skills.get(unit.id)
        if skill is None:
            left = 0.35 + 0.75 * self.share_left()
            skill = self._skills[unit.id] = SKILL * float(unit.card.points or 50) * left
        return skill

    def end(self, unit: Unit) -> float:
        """What the end of a unit costs its side besides its fighting power."""
        return POINT * self.factor["finish"]

    def value(self, unit: Unit) -> float:
        """What the unit is worth as it stands."""
        value = self._values.get(unit.id)
        if value is None:
            value = self._values[unit.id] = 0.0 if unit.place == GONE else self._value(unit)
        return value

    def _value(self, unit: Unit) -> float:
        share = 1.0
        if not unit.is_vehicle:
            share = len(unit.men) / max(1, len(unit.card.men))
        elif unit.immobilised:
            share = 0.7
        power = self.skill(unit) * (0.3 + 0.7 * share)
        end = self.end(unit)
        return max(LEAST * end, end * (0.82 + 0.18 * share) + power - self.pinned(unit, unit.pins))

    def riders(self, carrier: Unit) -> float:
        """What its end would cost those aboard: D6 hits, a pin and their order (k47.transport.destroyed)."""
        cost = self._riders.get(carrier.id)
        if cost is None:
            aboard = self.state.passengers(carrier)
            cost = self._riders[carrier.id] = sum(RIDERS_LOSE * self.value(unit) for unit in aboard)
        return cost

    def pinned(self, unit: Unit, pins: float) -> float:
        """What pins cost: each weighs a little more than the one before (k47.pin.to_hit, k47.pin.morale)."""
        if not pins:
            return 0.0
        points = float(unit.card.points or 50)
        heavy = 0.5 + 0.01 * min(points, USUAL_TANK) + 0.005 * max(0.0, points - USUAL_TANK)
        heavy *= 0.5 + 2.5 * self.share_left()
        return self.factor["shaken"] * PIN * heavy * min(pins, 8.0) * (0.85 + 0.08 * min(pins, 8.0))

    def gain(self, target: Unit, guess: Guess) -> float:
        """What a volley takes from its target."""
        if guess is NOTHING:
            return 0.0
        whole = self.value(target)
        if target.card.vehicle is not None:
            whole += self.riders(target)
        lives = 1 - guess.gone
        taken = guess.gone * whole
        if not target.is_vehicle:
            full = max(1, len(target.card.men))
            taken += lives * guess.losses / full * (0.7 * self.skill(target) + 0.25 * self.end(target))
        more = self.pinned(target, target.pins + guess.pins) - self.pinned(target, target.pins)
        return taken + lives * guess.hit * more

    def gain_of(self, target: Unit, odds: FireOdds) -> float:
        """The same from exact odds."""
        hit = odds.hit or 1e-9
        losses = odds.gone if target.is_vehicle else odds.mean_losses
        routed = odds.hit * self.guesses.routs(self.state, target, odds.pins / hit)
        worth = self.gain(target, Guess(losses, odds.hit, odds.pins / hit, max(odds.gone, routed)))
        if target.is_armoured:
            worth += 0.12 * self.skill(target) * min(1.0, sum(odds.results.values())) * (1 - odds.gone)
        return worth

    # -- fire to come ----------------------------------------------------------------------------------------

    def potential(
        self, unit: Unit, how: str = FIRE, turned: bool = True, closes_in: bool = False
    ) -> tuple[float, Unit | None]:
        """The best volley the unit could fire from where it stands; `closes_in` counts those after an Advance, too."""
        best: tuple[float, Unit | None] = (0.0, None)
        for enemy in self.state.enemies(unit):
            guess = self.guesses.volley(self.state, unit, enemy, how, turned)
            share = 1.0
            if guess is NOTHING:
                guess = self.guesses.after_advance(self.state, unit, enemy) if closes_in else NOTHING
                if guess is NOTHING:
                    continue
                share = NEARER
            worth = share * self.gain(enemy, guess)
            if worth > best[0]:
                best = (worth, enemy)
        return best

    def silenced(self, target: Unit, guess: Guess) -> float:
        """What a target can no longer do after a volley: most of all one with its order still to come."""
        share = guess.gone + 0.12 * (1 - guess.gone) * guess.hit * guess.pins
        if share < 0.02:
            return 0.0
        acted = self.has_acted(target)
        coming = self.to_come(target, self.turns_left() == 0) * (0.6 if acted else 1.0)
        return 0.5 * self.factor["tempo"] * share * coming

    def danger(self, unit: Unit, down: bool = False) -> float:
        """What enemies could do to the unit where it stands before it acts again; not all of them will shoot at it."""
        state: State = self.state
        if not unit.on_table:
            return 0.0
        kept = unit.order
        if down:
            unit.order = DOWN
        total = 0.0
        focus = 0.45 + 0.55 / max(1, self._company_of[unit.side])
        for enemy in state.enemies(unit):
            guess = self.guesses.volley(state, enemy, unit, FIRE, True)
            if guess is NOTHING:
                guess = self.guesses.after_advance(state, enemy, unit)
                fire = 0.0 if guess is NOTHING else NEARER * self.gain(unit, guess)
            else:
                fire = self.gain(unit, guess)
            close = self.storm(enemy, unit)
            weight = 0.3 if self.has_acted(enemy) else 0.5
            total += weight * self.guesses.ready(enemy) * max(fire, close)
        unit.order = kept
        most = 0.7 * (self.value(unit) + (self.riders(unit) if unit.card.vehicle is not None else 0.0))
        return most * (1 - exp(-focus * total / max(1.0, most))) * self.factor["threat"]

    def storm(self, unit: Unit, target: Unit) -> float:
        """What an assault is worth to a unit, if the target is in reach of it."""
        if unit.card.vehicle is not None or target.card.vehicle is not None or not unit.bodies or not target.bodies:
            return 0.0
        gist = self.guesses.gist(self.state, unit)
        if not gist.storms:
            return 0.0
        far = apart(middle(unit), middle(target))
        if far > gist.run + gist.spread + self.guesses.gist(self.state, target).spread:
            return 0.0
        return max(0.0, self.fight(unit, target))

    def fight(self, unit: Unit, target: Unit, shaken: float = 0.0) -> float:
        """What a fight between troops is worth: the loser is often gone (k47.cq.after)."""
        wins, mine, theirs = self.guesses.fight(self.state, unit, target, shaken)
        taken = 0.75 * wins + 0.25 * min(1.0, mine / max(1, len(target.men)))
        lost = 0.75 * (1 - wins) + 0.25 * min(1.0, (theirs + shaken) / max(1, len(unit.men)))
        return taken * self.value(target) - lost * self.value(unit)

    # -- objectives ------------------------------------------------------------------------------------------

    def lateness(self) -> float:
        """How much holding a place now is worth of holding it at the end."""
        battle: Battle | None = self.battle
        if battle is None:
            return 0.4
        gone = min(1.0, self.turn / max(1, battle.turns))
        return float(0.15 + 0.85 * gone**3)

    def objectives(self) -> tuple[Objective, ...]:
        battle: Battle | None = self.battle
        return battle.objectives if battle is not None and battle.victory in ("objectives", "both") else ()

    def on_the_way(self) -> float:
        """How much being on the way to an objective is worth of it, as a share."""
        return (0.25 + ON_THE_WAY * self.lateness()) * self.factor["advance"]

    def prize(self, objective: Objective) -> float:
        return POINT * objective.points * self.factor["objective"]

    def is_at(self, unit: Unit, objective: Objective, shift: tuple[int, int] = (0, 0)) -> bool:
        """Does a model stand within reach of an objective, the whole unit shifted by some millimetres?"""
        x, y = mm(objective.at[0]) - shift[0], mm(objective.at[1]) - shift[1]
        reach = objective.radius * 25.4
        body = unit.bodies[0]
        if abs(body.x - x) + abs(body.y - y) > reach + 800:
            return False
        for body in unit.bodies:
            room = reach + body.radius / 10
            if (body.x - x) ** 2 + (body.y - y) ** 2 <= room * room:
                return True
        return False

    def held_alone(self, unit: Unit) -> list[Objective]:
        """Objectives that would be lost if this unit left."""
        if not self.holds(unit):
            return []
        return [one for one in self.objectives() if self.is_at(unit, one) and not self._others_at(unit, one)[0]]

    def hold_on(self, unit: Unit) -> float:
        """What objectives lose to the other side by a unit that stands there alone, or could yet come there."""
        if unit.place != "table" or not unit.bodies:
            return 0.0
        total, late = 0.0, self.lateness()
        for objective in self.objectives():
            friend, foe = self._others_at(unit, objective)
            if self.is_at(unit, objective):
                total += 0.0 if friend else self.prize(objective) * late * (1.0 if self.holds(unit) or foe else 0.0)
            elif not unit.order and not self.is_over and not friend:
                body = unit.bodies[0]
                if self.moves_to(unit, body.x, body.y, objective.at, objective.radius) <= 1.0:
                    total += 0.4 * self.prize(objective) * late
        return total

    def holds(self, unit: Unit) -> bool:
        """May the unit hold an objective at all (k47.special.medic)?"""
        return unit.is_infantry and not unit.is_noncombatant

    def moves_to(self, unit: Unit, x: int, y: int, at: tuple[float, float], radius: float) -> float:
        """Run moves from a place to within reach of another."""
        far = sqrt((x - mm(at[0])) ** 2 + (y - mm(at[1])) ** 2) - radius * 25.4 - spread(unit) / 20
        rate = max(1, self.guesses.gist(self.state, unit).run) / 10
        return max(0.0, far) / rate

    def soon(self, moves: float, turns: float) -> float:
        """How likely a place so many moves away is reached in so many turns."""
        if moves <= 0:
            return 1.0
        if moves <= turns:
            return max(0.3, 0.85 - 0.12 * moves)
        return 0.25 / (1 + 2 * (moves - turns))

    def within_a_run(self, unit: Unit) -> float:
        """What the best objective is worth that the unit could still take, or deny, with its order."""
        if not self.holds(unit) or unit.place != "table":
            return 0.0
        best, body = 0.0, unit.bodies[0]
        for objective in self.objectives():
            friend, foe = self._others_at(unit, objective)
            if friend or self.is_at(unit, objective):
                continue
            if self.moves_to(unit, body.x, body.y, objective.at, objective.radius) <= 1.0:
                best = max(best, self.prize(objective) * self.lateness() * (0.6 if foe else 1.0))
        return best

    def goals(self, player: int) -> float:
        """What objectives and ground gained are worth to a player, the enemy's share taken off."""
        return self._aims(player)[0]

    def _aims(self, player: int) -> tuple[float, float]:
        """The worth of objectives, and the victory points they would give now."""
        total, points = 0.0, 0.0
        late = self.lateness()
        for objective in self.objectives():
            prize = self.prize(objective)
            near, held, soon = self._at_objective(objective)
            for side in (0, 1):
                sign = 1 if side == player else -1
                if held[side] and not near[1 - side]:
                    total += sign * prize * late
                    points += sign * objective.points
                elif not held[side]:
                    way = (0.22 + ON_THE_WAY * late) * self.factor["advance"] * (0.4 if near[1 - side] else 1.0)
                    total += sign * way * prize * soon[side]
                else:
                    total += sign * 0.15 * prize
        through, reached = self._broken_through(player)
        return total + through, points + reached

    def _at_objective(self, objective: Objective) -> tuple[list[bool], list[bool], list[float]]:
        """By side: is anybody there, somebody who may hold it, and how soon could somebody be?"""
        near, held, soon = [False, False], [False, False], [0.0, 0.0]
        for unit in self.state.units:
            if unit.place == ABOARD and self.holds(unit):
                soon[unit.side] = max(soon[unit.side], self._rides_there(unit, objective))
            if unit.place != "table":
                continue
            if self.is_at(unit, objective):
                near[unit.side] = True
                held[unit.side] = held[unit.side] or self.holds(unit)
            elif self.holds(unit):
                body = unit.bodies[0]
                turns = self.turns_left() + (0.0 if unit.order or self.is_over else 1.0)
                moves = self.moves_to(unit, body.x, body.y, objective.at, objective.radius)
                soon[unit.side] = max(soon[unit.side], self.soon(moves, turns) * self.guesses.ready(unit))
        return near, held, soon

    def _rides_there(self, rider: Unit, objective: Objective) -> float:
        """How soon somebody aboard could be at an objective."""
        carrier = self.state.unit(rider.carrier)
        if carrier.place != "table":
            return 0.0
        body = carrier.bodies[0]
        turns = self.turns_left() + (0.0 if rider.order or carrier.order == RUN or self.is_over else 1.0)
        if not turns:
            return 0.0
        return self.soon(self.ride(rider, carrier, body, objective), turns)

    def lead(self, player: int, points: float) -> float:
        """What being ahead is worth: two victory points win, more win no more (k47.game.victory)."""
        battle: Battle | None = self.battle
        if battle is None:
            return 0.0
        if battle.victory != "objectives":
            points += sum(1 if unit.side != player else -1 for unit in self.state.units if unit.place == GONE)
        return LEAD * self.lateness() * tanh(points / 2)

    def _broken_through(self, player: int) -> tuple[float, float]:
        """What the ground an attacker gained is worth, and the victory points it would give now."""
        battle: Battle | None = self.battle
        if battle is None or battle.victory != "breakthrough":
            return 0.0, 0.0
        attacker = battle.attacker or 0
        units = self.state.on_table(attacker)
        total = sum(self.through(unit, unit.bodies[0].x, unit.bodies[0].y) for unit in units)
        points = 2.0 * sum(self.rules.victory.is_through(self.state, unit) for unit in units)
        return (total, points) if player == attacker else (-total, -points)

    def through(self, unit: Unit, x: int, y: int) -> float:
        """What an attacker's unit is worth on its way to the far edge: two points if it gets there."""
        edge = self.state.edges[1 - unit.side]
        table = self.state.table
        far = {"north": y, "south": table.depth - y, "west": x, "east": table.width - x}[edge]
        rate = max(1, self.guesses.gist(self.state, unit).run) / 10
        moves = max(0.0, far - 12 * 25.4 + spread(unit) / 10) / rate
        turns = self.turns_left() + (0.0 if unit.order or self.is_over else 1.0)
        if unit.is_artillery and moves > 0:
            return 0.0
        return 2 * POINT * self.factor["objective"] * self.soon(moves, turns) * (0.6 + 0.4 * self.lateness())

    # -- places ----------------------------------------------------------------------------------------------

    def place(self, unit: Unit, body: Body, home: Body, running: bool = False) -> float:
        """What standing at a place is worth to the unit: objectives, ground gained, fighting range, its officer."""
        worth = self._ground(unit, body, (body.x - home.x, body.y - home.y))
        if unit.is_vehicle:
            worth += self._delivered(unit, body, running)
        if not self.turns_left():
            return worth + (self._company(unit, body) if unit.card.rank else 0.0)
        return worth + self._post(unit, body)

    def _delivered(self, carrier: Unit, body: Body, running: bool) -> float:
        """What a place is worth to those aboard; nobody gets off after a run (k47.transport.dismount)."""
        best = 0.0
        for rider in self.state.passengers(carrier):
            if not self.holds(rider):
                continue
            turns = self.turns_left() + (0.0 if rider.order or running or self.is_over else 1.0)
            if not turns:
                continue
            for objective in self.objectives():
                friend, _ = self._others_at(rider, objective)
                if not friend:
                    moves = self.ride(rider, carrier, body, objective)
                    best = max(best, self.on_the_way() * self.prize(objective) * self.soon(moves, turns))
        return best

    def ride(self, rider: Unit, carrier: Unit, body: Body, objective: Objective) -> float:
        """Moves until somebody aboard is at an objective, on his own feet or driven there."""
        on_foot = self.moves_to(rider, body.x, body.y, objective.at, objective.radius)
        rate: float = max(1, self.rules.movement.reach(carrier, RUN)) / 10
        far = sqrt((body.x - mm(objective.at[0])) ** 2 + (body.y - mm(objective.at[1])) ** 2)
        return min(on_foot, 0.5 + far / rate)

    def posted(self, unit: Unit) -> float:
        """What its place is worth to a unit apart from objectives."""
        return self._post(unit, middle(unit))

    def _post(self, unit: Unit, body: Body) -> float:
        pull = self.factor["advance"] * self.out_of_range(unit, body)
        return self._company(unit, body) + 8.0 * self.share_left() * self.sheltered(body) - pull

    def sheltered(self, body: Body) -> float:
        """How well the ground itself covers: 1 soft, 2 hard."""
        pieces = self.state.table.pieces_at(body.cx, body.cy)
        best = max((int(piece.kind.cover) for piece in pieces if piece.kind.is_area), default=0)
        return best * self.factor["cover"]

    def _ground(self, unit: Unit, body: Body, shift: tuple[int, int]) -> float:
        battle: Battle | None = self.battle
        if battle is not None and battle.victory == "breakthrough" and unit.side == (battle.attacker or 0):
            return self.through(unit, body.x, body.y)
        best, late = 0.0, self.lateness()
        for objective in self.objectives():
            prize = self.prize(objective)
            friend, foe = self._others_at(unit, objective)
            if self.is_at(unit, objective, shift):
                if self.holds(unit):
                    here = 0.2 if friend else 0.5 if foe else 1.0
                else:
                    here = 0.6 if foe and not friend else 0.0
                best = max(best, prize * here * max(late, 0.35))
            elif self.holds(unit) and not friend:
                moves = self.moves_to(unit, body.x, body.y, objective.at, objective.radius)
                best = max(best, self.on_the_way() * prize * self.soon(moves, self.turns_left()))
        return best

    def _others_at(self, unit: Unit, objective: Objective) -> tuple[bool, bool]:
        """Does a friend hold it already, and is an enemy there?"""
        there = self._at.get(objective.id)
        if there is None:
            there = self._at[objective.id] = [
                other for other in self.state.units if other.place == "table" and self.is_at(other, objective)
            ]
        friend = any(other.side == unit.side and other.id != unit.id and self.holds(other) for other in there)
        return friend, any(other.side != unit.side for other in there)

    def out_of_range(self, unit: Unit, body: Body) -> float:
        """What it costs to be out of the distance at which the unit likes to fight the nearest enemy."""
        enemies = self.state.enemies(unit)
        if not enemies or unit.card.rank or unit.is_noncombatant or unit.carries("observer"):
            return 0.0
        near = min(apart(body, middle(enemy)) for enemy in enemies) / INCH
        reach = self.guesses.reach(self.state, unit) / INCH
        if unit.card.vehicle is not None and not reach:  # an unarmed transport goes where its riders want to fight
            riders = self.state.passengers(unit)
            return max((self.out_of_range(rider, body) for rider in riders), default=0.0)
        if reach <= 12:  # it fights hand to hand, and wants to be in reach of an assault
            return 0.9 * max(0.0, near - 9.0)
        liked = reach / 2 if reach <= 36 else 24.0
        return 0.45 * max(0.0, near - liked)

    def _company(self, unit: Unit, body: Body) -> float:
        """Officers belong near the others, and the others near an officer (k47.morale.officer_range)."""
        if unit.is_vehicle:
            return 0.0
        worth = 0.0
        for friend in self.state.friends(unit):
            if friend.is_vehicle:
                continue
            rank = unit.card.rank or friend.card.rank
            if rank and apart(body, middle(friend)) - spread(friend) <= RANK_RANGE[rank] * INCH:
                worth += 1.0 + 0.8 * min(friend.pins if unit.card.rank else unit.pins, 4)
        return min(worth, 5.0)

    # -- positions -------------------------------------------------------------------------------------------

    def worth(self, player: int) -> Worth:
        """What the position is worth to a player."""
        return self.measures(player)[0]

    def measures(self, player: int) -> tuple[Worth, dict[str, float]]:
        """The worth of a position, and what was counted for it."""
        mine, theirs, features = self.features(player)
        late = 1.0 - self.share_left()
        goals = self.outlook.worth({"goals": features["goals"], "lead": features["lead"]}, late)
        return Worth(self.outlook.worth(features, late), mine, theirs, goals), features

    def outcome(self, player: int, winner: int | None) -> Worth:
        """What a finished game is worth: after the last turn the result, hardly its margin.

        Whoever is wiped out before has lost what he had, and that is counted already.
        """
        worth = self.worth(player)
        if self.turns_left():
            return worth
        won = 0.0 if winner is None else STAKE if winner == player else -STAKE
        return Worth(MARGIN * worth.total + won, worth.mine, worth.theirs, won)

    def features(self, player: int) -> tuple[float, float, dict[str, float]]:
        """What both sides have alive, and what the outlook weighs."""
        state: State = self.state
        alive, count = [0.0, 0.0], [0, 0]
        fire, later, posted = [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]
        last = self.turns_left() == 0
        for unit in state.units:
            if unit.place == GONE:
                continue
            side = unit.side
            count[side] += 1
            alive[side] += self.value(unit)
            if unit.place == RESERVE:
                alive[side] -= 6.0 + (20.0 if last else 0.0)
            if unit.place == "table":
                acted = self.has_acted(unit)
                if not (acted and last):
                    (later if acted else fire)[side] += self.could_do(unit)
                if not last:
                    posted[side] += self.posted(unit)
        other = 1 - player
        goals, points = self._aims(player)
        threat = self.factor["threat"]
        self.fire_to_come = [threat * amount for amount in fire]
        features = {
            "material": self.factor["lose"] * alive[player] - self.factor["destroy"] * alive[other],
            "units": float(count[player] - count[other]),
            "goals": goals,
            "lead": self.lead(player, points),
            "fire": threat * (fire[player] - fire[other]),
            "next_fire": threat * (later[player] - later[other]),
            "posts": posted[player] - posted[other],
        }
        return alive[player], alive[other], features

    def to_come(self, unit: Unit, last: bool) -> float:
        """The fire a unit may still bring this turn; next turn the enemy may well come first."""
        acted = self.has_acted(unit)
        if acted and last:
            return 0.0
        return (0.4 if acted else 0.9) * self.could_do(unit)

    def could_do(self, unit: Unit) -> float:
        """The best a unit could do from where it stands, by fire or by assault."""
        fire, target = self.potential(unit, closes_in=True)
        if target is not None and self._designators and not unit.order:
            fire += self._pointed_out(unit, target) * fire
        close = max((self.storm(unit, enemy) for enemy in self.state.enemies(unit)), default=0.0)
        return self.guesses.ready(unit) * max(fire, 0.5 * close)

    def _pointed_out(self, unit: Unit, target: Unit) -> float:
        """How much more a gun does that may roll a miss again (k47.special.target_designator)."""
        if not any(weapon.at_gun for weapon in unit.card.weapons):
            return 0.0
        if not any(one.side == unit.side and sees(self.state, one, target) for one in self._designators):
            return 0.0
        return POINTED_OUT * (1.0 - self.guesses.volley(self.state, unit, target, FIRE, True).hit)


__all__ = ["POINT", "Judge"]
