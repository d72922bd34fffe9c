"""The adviser of Konflikt '47: quick judgement for every decision, candidates where an order die is to be spent.

Plans come from plans.py, worth from worth.py, guesses from guess.py. Questions of the game
itself are answered with exact odds, questions of playouts with guesses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

from dieselfront.kernel.decisions import Answer, Assign, Decision, Number, PickOne, PickSome, PlaceFree, YesNo
from dieselfront.kernel.game import Game
from dieselfront.players.adviser import Adviser, Candidate, Effort, Level, Memory, Worth
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.adviser.area_fire import wave_gain
from dieselfront.rulesets.konflikt47.adviser.arrivals import crowd, worth_of_spot
from dieselfront.rulesets.konflikt47.adviser.guess import apart, middle
from dieselfront.rulesets.konflikt47.adviser.intent import Intent
from dieselfront.rulesets.konflikt47.adviser.plans import Planner
from dieselfront.rulesets.konflikt47.adviser.suppression import SUPPRESS
from dieselfront.rulesets.konflikt47.adviser.worth import Judge
from dieselfront.rulesets.konflikt47.charts import RANK_BONUS
from dieselfront.rulesets.konflikt47.events import DieDrawn, Ordered
from dieselfront.rulesets.konflikt47.firing import Shot
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.odds.fire_odds import fire_odds
from dieselfront.rulesets.konflikt47.state import ADVANCE, AMBUSH, DOWN, FIRE, GONE, RESERVE, RUN, State, Unit
from dieselfront.table.measured.angles import heading_of
from dieselfront.table.measured.shapes import Body

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47

LAST_DICE = 5  # with so many units left to act in the last turn playouts go to the end
LAST_DICE_SHARP = 8  # the same for levels that get the best proposals
UNITS = 3  # units that are thought about when a die is drawn, at least
MOST_UNITS = 8  # the same for levels that get the best proposals
ROLE_WORTH = {"gunner": 8.0, "officer": 8.0, "medic": 5.0, "nco": 4.0, "observer": 5.0, "spotter": 2.0}
VERBS = {
    FIRE: "fires",
    ADVANCE: "advances",
    RUN: "runs",
    AMBUSH: "lies in ambush",
    "rally": "rallies",
    DOWN: "stays down",
    "assault": "assaults",
    "overrun": "overruns",
}
MEANT = 5.0  # how much better another target has to be before a weapon leaves the one that the plan means
DOGS_RUN = 16  # inches (k47.special.war_dogs)
THEIR_TURN = 0.35
"""How much more the enemy's fire to come counts than ours: he will have his dice, we have to draw ours first."""
# A playout ends with the own activation: measured on positions of real games, what a reply adds to the spread of a
# playout is more than it tells, and fire to come is judged by `Judge.worth`. First sight is worth some four playouts.
LEVELS = {
    "recruit": Level(candidates=24, noise=48.0, confusion=36.0),
    "regular": Level(candidates=24, noise=20.0, confusion=24.0),
    "veteran": Level(candidates=8, noise=5.0),
    "ace": Level(effort=Effort(candidates=8, playouts=48, replies=0, trust=4.0, seconds=12.0)),
    "marshal": Level(
        candidates=16,
        effort=Effort(candidates=10, playouts=40, replies=2, trust=4.0, blend=True, learned=1000.0, seconds=12.0),
        sharp=True,
    ),
}


def adviser(weights: dict[str, float]) -> KonfliktAdviser:
    """The adviser with these weights."""
    return KonfliktAdviser(weights)


def is_way(answer: Answer) -> bool:
    """Is an answer a way: points one after the other, with a heading or without?"""
    steps: Any = answer if isinstance(answer, tuple) else ()
    return bool(steps) and all(
        isinstance(step, tuple) and len(step) in (2, 3) and all(isinstance(part, int) for part in step)
        for step in steps
    )


def along(way: Sequence[Body], far: int) -> Body:
    """The place so far along a way, in tenths of a millimetre."""
    for one, other in pairwise(way):
        step = apart(one, other)
        if step and step >= far:
            return one.at(one.x + (other.x - one.x) * far // step, one.y + (other.y - one.y) * far // step)
        far -= step
    return way[-1]


class KonfliktAdviser(Adviser):
    """Answers every decision of Konflikt '47; the memory holds the plans of the die under way, a tuple of intents."""

    starts = frozenset({"unit"})
    acts = frozenset({"order"})
    levels: Mapping[str, Level] = LEVELS

    def __init__(self, weights: dict[str, float]) -> None:
        self.judge = Judge(weights)
        self.planner = Planner(self.judge)
        self.rules: Konflikt47  # both given by `_look`
        self.state: State
        self._memory: Memory = {}
        self._events: Sequence[Any] = ()
        self._careful = False
        self._asked: tuple[Any, int] = (None, -1)
        self._asked_turn: tuple[Any, int] = (None, 0)

    # -- what the search asks --------------------------------------------------------------------------------

    def answer(self, game: Game, memory: Memory) -> Answer:
        """A sensible answer at once."""
        decision = game.pending
        assert decision is not None
        self._look(game, memory)
        self._careful = self._asked[0] is game and self._asked[1] == len(game.choices)
        name = "".join(letter if letter.isalnum() else "_" for letter in decision.key)
        handler = getattr(self, f"_on_{name}", None)
        answer = handler(game, decision) if handler is not None else None
        return self._otherwise(game, decision) if answer is None else answer[0]

    def candidates(self, game: Game, memory: Memory, most: int) -> Sequence[Candidate]:
        """Units with what each could do; for other questions none."""
        decision = game.pending
        assert decision is not None
        self._asked = (game, len(game.choices))
        self._asked_turn = (game.state.forces, game.state.turn)
        if not isinstance(decision, PickOne) or decision.key not in ("unit", "order", "reaction"):
            return ()
        self._look(game, memory)
        if decision.key == "reaction":
            return self._of_reactions(game, decision)
        if decision.key == "order" and self._plan(decision.unit, decision.player) is not None:
            return ()
        self.planner.looks = True
        try:
            return self._of_units(decision, most) if decision.key == "unit" else self._of_orders(decision, most)
        finally:
            self.planner.looks = False

    def inside(self, game: Game) -> bool:
        """Has an order been given with this die? Units an officer brings along get theirs inside his activation."""
        for event in reversed(game.events):
            if isinstance(event, DieDrawn):
                return False
            if isinstance(event, Ordered):
                return True
        return False

    def worth(self, game: Game, player: int) -> Worth:
        """What the position is worth to a player."""
        self.judge.look_at(game.play.rules, game.state, self._turn_of_search(game.state))
        if game.pending is None:
            return self.judge.outcome(player, game.winner)
        worth = self.judge.worth(player)
        return worth._replace(total=worth.total - THEIR_TURN * self.judge.fire_to_come[1 - player])

    def _turn_of_search(self, state: State) -> int:
        """The turn to judge a position by: where a playout went over into the next turn, the end of that before it.

        Else one playout would be judged before everybody may act again and another after it.
        """
        asked, turn = self._asked_turn
        return turn if asked is state.forces and state.turn == turn + 1 else state.turn

    def measures(self, game: Game, player: int) -> tuple[Worth, dict[str, float]]:
        """What the position is worth to a player, and what the outlook weighs."""
        self.judge.look_at(game.play.rules, game.state, self._turn_of_search(game.state))
        return self.judge.measures(player)

    def to_the_end(self, game: Game) -> int:
        """In what may be the last turn, with few dice left to draw, only the result counts: so many are left."""
        state: State = game.state
        battle = state.scenario
        if battle is None or state.turn < battle.turns or state.phase != "orders":
            return 0
        left = sum(unit.place != GONE and not unit.order for unit in state.units)
        return left if left <= (LAST_DICE_SHARP if self.sharp else LAST_DICE) else 0

    def features(self, game: Game, player: int) -> tuple[float, dict[str, float]]:
        """How late it is, and what the outlook weighs."""
        self.judge.look_at(game.play.rules, game.state)
        return 1.0 - self.judge.share_left(), self.judge.features(player)[2]

    def gives_up(self, game: Game, candidate: Candidate) -> bool:
        """Does a plan leave an objective that its unit alone holds, in what may be the last turn?"""
        self.judge.look_at(game.play.rules, game.state)
        plan = candidate.note[-1] if candidate.note else None
        if not isinstance(plan, Intent) or self.judge.turns_left() or game.state.unit(plan.unit).place != "table":
            return False
        unit = game.state.unit(plan.unit)
        held = self.judge.held_alone(unit)
        if not held or plan.order not in (ADVANCE, RUN, "assault", "overrun"):
            return False
        if plan.enter is not None or not plan.path:
            return plan.enter is not None or plan.order not in (ADVANCE, RUN)
        end, first = plan.path[-1], unit.bodies[0]
        shift = end[0] - first.x, end[1] - first.y
        return not all(self.judge.is_at(unit, objective, shift) for objective in held)

    def imagine(self, game: Game, player: int, chance: int) -> None:
        """Flanks that enemy reserves were secretly noted for are guessed anew (k47.game.outflank)."""
        state: State = game.state
        hidden = [u for u in state.units if u.side != player and u.place == RESERVE and not u.order]
        decision = game.pending
        if hidden and decision is not None and decision.key in ("unit", "order") and decision.player == player:
            for number, unit in enumerate(u for u in game.state.units if u.id in [one.id for one in hidden]):
                del unit.outflank
                if state.is_on("outflanking") and (chance >> number) % 4 == 0:
                    own = state.edges[unit.side]
                    flanks = ("east", "west") if own in ("north", "south") else ("north", "south")
                    unit.outflank = flanks[(chance >> number) // 4 % 2]

    def _look(self, game: Game, memory: Memory) -> None:
        self.rules, self.state, self._memory, self._events = game.play.rules, game.state, memory, game.events
        self.judge.look_at(game.play.rules, game.state)

    # -- plans in the memory ---------------------------------------------------------------------------------

    def _plan(self, unit: str, player: int) -> Intent | None:
        """What the unit is meant to do, if that was decided."""
        for intent in reversed(self._memory.get(player) or ()):
            if intent.unit == unit:
                plan: Intent = intent
                return plan
        return None

    def _remember(self, player: int, intent: Intent) -> None:
        self._memory[player] = (*(self._memory.get(player) or ()), intent)

    def _of_units(self, decision: PickOne, most: int) -> list[Candidate]:
        """The best plans of every unit, the most urgent first."""
        plans: list[tuple[float, Intent]] = []
        urgent = sorted(decision.options, key=lambda id: -self._urgency(self.state.unit(id)))
        for id in urgent[: MOST_UNITS if self.sharp else max(UNITS, most // 3)]:
            unit = self.state.unit(id)
            options = self.rules.orders.choices(self.state, unit)
            each = self.planner.intents(unit, options, False, 4 if len(decision.options) > 2 else 6)
            plans += [(self._priority(unit, intent), intent) for intent in each]
        plans = self._every_unit_first(plans)
        careful = 3 if not self.sharp else most // 2
        candidates = [
            self._refined(value, intent, place < careful) for place, (value, intent) in enumerate(plans[:most])
        ]
        candidates.sort(key=lambda one: -one.value)
        return self._distinct(candidates)

    def _every_unit_first(self, plans: list[tuple[float, Intent]]) -> list[tuple[float, Intent]]:
        """The best plan of every unit, then the others: whoever is first to act should not be crowded out."""
        plans.sort(key=lambda one: -one[0])
        first: dict[str, tuple[float, Intent]] = {}
        for one in plans:
            first.setdefault(one[1].unit, one)
        best = list(first.values())
        return best + [one for one in plans if one not in best]

    def _distinct(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Every plan once."""
        kept: dict[Any, Candidate] = {}
        for one in candidates:
            plan = one.note[-1]
            kept.setdefault((plan.unit, plan.order, plan.path, plan.target, plan.enter), one)
        return list(kept.values())

    def _refined(self, value: float, intent: Intent, careful: bool) -> Candidate:
        """A plan for a unit; the best have their fire measured and their way looked for with more care."""
        better = self.planner.refined(self.state.unit(intent.unit), intent) if careful else intent
        value += better.value - intent.value
        return Candidate(intent.unit, value, (better,), self._words(better), better.numbers)

    def _priority(self, unit: Unit, intent: Intent) -> float:
        """Shooting and fighting come before walking; who is in danger acts before it is too late."""
        value = intent.value
        if intent.order in (RUN, "rally", AMBUSH, DOWN) or (intent.order == ADVANCE and not intent.target):
            value *= 0.6
        if intent.order != DOWN and unit.on_table:
            value += self._voice(unit)
        return value + intent.urgent

    def _of_orders(self, decision: PickOne, most: int) -> list[Candidate]:
        """Plans of one unit: the last of its side, or one that an officer brings along."""
        unit = self.state.unit(decision.unit)
        before = self._memory.get(decision.player) or ()
        candidates = []
        for intent in self.planner.intents(unit, decision.options, True, most):
            if intent.order in decision.options:
                note = (*before, intent)
                candidates.append(Candidate(intent.order, intent.value, note, self._words(intent), intent.numbers))
        return candidates

    def _of_reactions(self, game: Game, decision: PickOne) -> list[Candidate]:
        """What the target of fire may do about it."""
        self._careful = True
        unit = self.state.unit(decision.unit)
        cause = self._cause(game, unit)
        if cause is None or "escape" in decision.options or cause.order == RUN:
            return []
        scores = self._scores_under_fire(unit, cause, decision.options)
        note = self._memory.get(decision.player)
        candidates = []
        for option, score in scores.items():
            words = f"{unit.card.name} under fire: {option or 'takes it'}"
            candidates.append(Candidate(option, score, note, words, f"worth {score:+.1f}"))
        candidates.sort(key=lambda one: (-one.value, str(one.answer)))
        return candidates

    def _words(self, intent: Intent) -> str:
        name = self.state.unit(intent.unit).card.name
        words = f"{name} {VERBS.get(intent.order, intent.order)}"
        if intent.target and intent.order in ("assault", "overrun"):
            return f"{words} {self.state.unit(intent.target).card.name}"
        if intent.target:
            words += f" {'and fires ' if intent.order == ADVANCE else ''}at {self.state.unit(intent.target).card.name}"
        if isinstance(intent.enter, tuple) and intent.enter[0] == "arrive":
            return f"{words} on to the table"
        if isinstance(intent.enter, tuple) and intent.enter[0] == "mount":
            return f"{name} mounts {self.state.unit(intent.enter[1]).card.name}"
        return words + (f" into {intent.enter[1]}" if isinstance(intent.enter, tuple) else "")

    def _otherwise(self, game: Game, decision: Decision) -> Answer:
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
        return decision.sample(self._chance(game))

    def _chance(self, game: Game) -> Random:
        """Spots are drawn by where the game is: the same position gives the same answer."""
        return Random(1000 * len(game.choices) + self.state.dice_thrown)

    # -- setting up ------------------------------------------------------------------------------------------

    def _on_deploy(self, game: Game, decision: PickOne) -> Any:
        """Everybody takes the field, the officer last so that he stands among his men."""
        units = [option for option in decision.options if isinstance(option, str)]
        if not units:
            return None
        return (min(units, key=lambda id: (bool(self.state.unit(id).card.rank), units.index(id))),)

    def _on_set_up(self, game: Game, decision: PlaceFree) -> Any:
        return self._best_spot(game, decision, 14 if self._careful else 6)

    def _on_arrive(self, game: Game, decision: PlaceFree) -> Any:
        spot = self._meant_spot(decision)
        return (spot,) if spot else self._best_spot(game, decision, 10 if self._careful else 4)

    _on_unlimber = _on_arrive

    def _meant_spot(self, decision: PlaceFree) -> Any:
        """The spot that the plan means, if there is still room."""
        plan = self._plan(decision.unit, decision.player)
        if plan is None or not isinstance(plan.enter, tuple) or plan.enter[0] != "arrive":
            return None
        region: Any = decision.region
        return plan.enter[1] if region.why_not(plan.enter[1]) is None else None

    def _on_dismount(self, game: Game, decision: PlaceFree) -> Any:
        """Off towards what the unit wants, else where it stands best."""
        spot = self._meant_spot(decision)
        if spot:
            return (spot,)
        unit = self.state.unit(decision.unit)
        hull = self.state.unit(unit.carrier).bodies[0] if unit.carrier else None
        aims = [] if hull is None else self.planner.aims(unit, hull)
        spots = [self._towards(decision.region, hull, x, y) for x, y in aims]
        return self._best_spot(game, decision, 8 if self._careful else 3, [spot for spot in spots if spot])

    def _on_leave_building(self, game: Game, decision: PlaceFree) -> Any:
        """As near as can be to the place the plan means."""
        plan = self._plan(decision.unit, decision.player)
        if plan is None or plan.enter != "leave" or plan.path is None:
            return self._best_spot(game, decision, 10 if self._careful else 4)
        spot = self._towards(decision.region, middle(self.state.unit(decision.unit)), *plan.path)
        return (spot,) if spot else self._best_spot(game, decision, 10 if self._careful else 4)

    def _towards(self, region: Any, home: Any, x: int, y: int) -> Any:
        """The spot farthest on the way to a place where the unit may be set down."""
        low_x, low_y, high_x, high_y = region.box
        x, y = min(max(x, low_x), high_x), min(max(y, low_y), high_y)
        for back in range(8):
            spot = (x + (home.x - x) * back // 8, y + (home.y - y) * back // 8, region.facing)
            if region.why_not(spot) is None:
                return spot
        return None

    def _best_spot(self, game: Game, decision: PlaceFree, tries: int, known: Sequence[Any] = ()) -> Any:
        """Near what the side wants, in cover, out of danger."""
        unit = self.state.unit(decision.unit)
        chance = self._chance(game)
        spots = [*known, *(spot for spot in (decision.sample(chance) for _ in range(tries)) if spot)]
        if not spots:
            return None
        return (max(spots, key=lambda spot: self._spot_worth(unit, spot)),)

    def _spot_worth(self, unit: Unit, spot: tuple[int, ...]) -> float:
        shape = ground.shape_of(unit)
        body = self.state.table.stand(shape, spot[0], spot[1], spot[2] if unit.is_vehicle else 0, (unit.id, 0))
        others = crowd(self.state.on_table(unit.side), unit, body)
        return float(worth_of_spot(self.judge, unit, body, spot[2]) - 1.5 * others)

    def _on_facing(self, game: Game, decision: PickOne) -> Any:
        """Weapons point at the best target, or at the nearest enemy."""
        unit = self.state.unit(decision.unit)
        _, enemy = self.judge.potential(unit)
        if enemy is None:
            enemy = self._nearest(unit)
        if enemy is None:
            return (unit.heading,) if unit.heading in decision.options else None
        here, there = middle(unit), middle(enemy)
        if (here.x, here.y) == (there.x, there.y):
            return None
        wanted = heading_of(there.x - here.x, there.y - here.y)
        return (min(decision.options, key=lambda one: (abs((one - wanted + 180) % 360 - 180), one)),)

    def _nearest(self, unit: Unit) -> Unit | None:
        here = middle(unit)
        near = sorted(
            ((here.x - middle(enemy).x) ** 2 + (here.y - middle(enemy).y) ** 2, enemy.id)
            for enemy in self.state.enemies(unit)
        )
        return self.state.unit(near[0][1]) if near else None

    # -- choosing a unit and an order ------------------------------------------------------------------------

    def _on_unit(self, game: Game, decision: PickOne) -> Any:
        """The unit with most to gain from shooting acts first; then those the enemy could hurt."""
        self._memory[decision.player] = ()
        best: tuple[float, str] | None = None
        for id in decision.options:
            urgency = self._urgency(self.state.unit(id))
            if best is None or urgency > best[0]:
                best = (urgency, id)
        return None if best is None else (best[1],)

    def _urgency(self, unit: Unit) -> float:
        """What the unit has to do now, at first sight: fire, fights, and what its officer's voice is worth."""
        urgency = 0.01 * float(unit.card.points)
        if unit.on_table:
            fire = self.judge.potential(unit, FIRE, False)[0]
            close = max((self.judge.storm(unit, enemy) for enemy in self.state.enemies(unit)), default=0.0)
            urgency += max(fire, close) * self.judge.guesses.ready(unit) + self._voice(unit)
        return urgency

    def _voice(self, officer: Unit) -> float:
        """What acting at once with the units round him is worth (k47.officer.snap)."""
        if not officer.card.rank or not self.rules.orders.may_snap(self.state, officer, FIRE):
            return 0.0
        near = self.rules.orders.snap_candidates(self.state, officer)
        fire = sorted((self.judge.potential(unit, FIRE, False)[0] for unit in near), reverse=True)
        brought = fire[: RANK_BONUS[officer.card.rank]]
        return 1.0 + float(brought[0] + 0.7 * sum(brought[1:])) if brought else 1.0

    def _on_order(self, game: Game, decision: PickOne) -> Any:
        plan = self._plan(decision.unit, decision.player)
        if plan is not None and plan.order in decision.options:
            return (plan.order,)
        unit = self.state.unit(decision.unit)
        plans = self.planner.intents(unit, decision.options, self._careful, 3)
        plans = [plan for plan in plans if plan.order in decision.options]
        if not plans:
            return (DOWN,) if DOWN in decision.options else None
        self._remember(decision.player, plans[0])
        return (plans[0].order,)

    def _on_snap_to_action(self, game: Game, decision: PickSome) -> Any:
        """As many as the officer may bring along, those with the best fire first."""
        order = sorted(decision.options, key=lambda id: -self.judge.potential(self.state.unit(id), FIRE, False)[0])
        chosen = order[: decision.most]
        return (tuple(id for id in decision.options if id in chosen),)

    def _on_next(self, game: Game, decision: PickOne) -> Any:
        """Those who shoot go before those who move."""
        late = {FIRE: 0, "assault": 2, RUN: 2, ADVANCE: 1}

        def when(id: str) -> int:
            plan = self._plan(id, decision.player)
            return 1 if plan is None else late.get(plan.order, 3)

        return (min(decision.options, key=lambda id: (when(id), decision.options.index(id))),)

    def _on_assault_target(self, game: Game, decision: PickOne) -> Any:
        plan = self._plan(decision.unit, decision.player)
        if plan is not None and plan.target in decision.options:
            return (plan.target,)
        unit = self.state.unit(decision.unit)
        return (max(decision.options, key=lambda id: self.judge.storm(unit, self.state.unit(id))),)

    _on_overrun_target = _on_assault_target

    def _on_keep(self, game: Game, decision: PickSome) -> Any:
        """Down is kept by the badly pinned, Ambush by those with nothing in sight to shoot at."""
        kept = []
        for id in decision.options:
            unit = self.state.unit(id)
            if not unit.on_table:
                continue
            if unit.order == DOWN and unit.pins >= 7:
                kept.append(id)
            patient = unit.is_artillery or any(weapon.points_ahead for weapon in unit.card.weapons)
            if unit.order == AMBUSH and patient and self.judge.potential(unit)[0] < 2.0 and self._waits_for(unit) > 3.0:
                kept.append(id)
        return (tuple(kept),)

    def _waits_for(self, unit: Unit, besides: str = "") -> float:
        """The best that could walk into an ambush."""
        return 6 * self.planner.lying_in_wait(unit, besides)

    # -- moving ----------------------------------------------------------------------------------------------

    def _on_manner(self, game: Game, decision: PickOne) -> Any:
        plan = self._plan(decision.unit, decision.player)
        if plan is not None and plan.enter in decision.options:
            return (plan.enter,)
        for wanted in ("move", "stay", "leave"):
            if wanted in decision.options:
                return (wanted,)
        return None

    def _on_move(self, game: Game, decision: PlaceFree) -> Any:
        region: Any = decision.region
        plan = self._plan(decision.unit, decision.player)
        if plan is not None and plan.path is not None and region.why_not(plan.path) is None:
            return (plan.path,)
        unit = self.state.unit(decision.unit)
        order = unit.order if unit.order in (ADVANCE, RUN) else ADVANCE
        plans = self.planner.moves(unit, order, self.judge.danger(unit), False) if not unit.building else ()
        for one in sorted(plans, key=lambda one: -one.value):
            if one.path is not None and region.why_not(one.path) is None:
                return (one.path,)
        return ((),) if region.why_not(()) is None else None

    def _on_consolidate(self, game: Game, decision: PlaceFree) -> Any:
        """The best place within a few inches."""
        unit = self.state.unit(decision.unit)
        region: Any = decision.region
        home = middle(unit)
        best: Any = None
        for path, body in self.planner.places(unit, region, False)[:8]:
            if region.why_not(path) is None:
                worth = self.judge.place(unit, body, home)
                if best is None or worth > best[0]:
                    best = (worth, path)
        return None if best is None else (best[1],)

    # -- shooting --------------------------------------------------------------------------------------------

    def _how(self, unit: Unit) -> str:
        return ADVANCE if unit.order == ADVANCE else FIRE

    def _gain(self, unit: Unit, target: Unit, how: str) -> float:
        """What fire takes from a target: exact in the game itself, guessed in playouts."""
        if self._careful:
            return self.planner.exact_gain(unit, target, how)
        return self.judge.gain(target, self.judge.guesses.volley(self.state, unit, target, how))

    def _on_target(self, game: Game, decision: PickOne) -> Any:
        """The target of the plan, unless another has become better by far."""
        unit = self.state.unit(decision.unit)
        targets = [id for id in decision.options if id is not None]
        if not targets:
            return (None,)
        plan = self._plan(decision.unit, decision.player)
        if plan is not None and plan.order == FIRE and plan.target in targets:
            return (plan.target,)
        how = self._how(unit)
        best = max(targets, key=lambda id: self._gain(unit, self.state.unit(id), how))
        return (best,)

    def _on_friendly_fire(self, game: Game, decision: PickOne) -> Any:
        unit = self.state.unit(decision.unit)
        return (max(decision.options, key=lambda id: self._gain(unit, self.state.unit(id), FIRE)),)

    def _on_next_target(self, game: Game, decision: PickOne) -> Any:
        return (decision.options[0],)

    def _on_barrage(self, game: Game, decision: PickOne) -> Any:
        """Where most of their points stand together."""
        targets = [id for id in decision.options if id is not None]

        def worth(id: str) -> float:
            return self.planner.under_barrage(self.state.unit(id), decision.player)

        return (max(targets, key=worth),) if targets else None

    def _on_suppressive_fire(self, game: Game, decision: YesNo) -> Any:
        """Only where hits are next to impossible anyway."""
        plan = self._plan(decision.unit, decision.player)
        if plan is None or not plan.target:
            return (False,)
        unit, target = self.state.unit(decision.unit), self.state.unit(plan.target)
        if plan.enter == SUPPRESS:
            return (True,)
        return (self.judge.guesses.volley(self.state, unit, target, FIRE).hit < 0.35,)

    def _on_weapons(self, game: Game, decision: Assign) -> Any:
        unit = self.state.unit(decision.unit)
        how = self._how(unit)
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
        worth = self._shots_worth(unit, target, [Shot(man, index, id, way) for man in men], how)
        return worth - (4.0 if unit.weapon(index).is_used_up else 0.0)

    def _shots_worth(self, unit: Unit, target: Unit, shots: Sequence[Shot], how: str) -> float:
        if unit.weapon(shots[0].weapon).is_wave:
            return wave_gain(self.judge, unit, target, shots[0])
        if self._careful:
            return self.judge.gain_of(target, fire_odds(self.rules, self.state, unit, target, shots, how))
        guesses = self.judge.guesses
        cover, far, side = guesses.sight(self.state, unit, target)
        men = [shot.man for shot in shots]
        line = guesses.line(
            self.state, unit, target, shots[0].weapon, shots[0].round, how, far, max(cover, 0), side, men
        )
        return 0.0 if line is None else self.judge.gain(target, guesses.summed(self.state, target, [line]))

    def _vehicle_weapons(self, unit: Unit, how: str, decision: Assign) -> Any:
        """Every weapon at what it is worth most against, the best first, as far as they go together."""
        plan = self._plan(unit.id, unit.side)
        scored = []
        for place, (index, options) in enumerate(zip(decision.items, decision.choices, strict=True)):
            for choice in options:
                if choice is not None and choice[1] != "smoke":
                    shot = Shot(unit.men[0], index, choice[0], choice[1])
                    worth = self._shots_worth(unit, self.state.unit(choice[0]), [shot], how)
                    if plan is not None and plan.target == choice[0]:
                        worth *= MEANT
                    scored.append((worth, place, choice))
        answer: list[Any] = [None] * len(decision.items)
        for value, place, choice in sorted(scored, key=lambda one: (-one[0], one[1], str(one[2]))):
            if value > 0.05 and answer[place] is None and self._is_clear(unit, decision.items[place], choice, how):
                answer[place] = choice
                if decision.objection(tuple(answer)) is not None:
                    answer[place] = None
        choices = tuple(answer)
        return (choices,) if decision.objection(choices) is None else None

    def _is_clear(self, unit: Unit, index: int, choice: Any, how: str) -> bool:
        """Does no friend stand in the line of fire of a vehicle (k47.core.los_units)? Exact odds know it already."""
        if self._careful or unit.weapon(index).is_wave:
            return True
        target = self.state.unit(choice[0])
        shot = Shot(unit.men[0], index, target.id, choice[1])
        aim = self.rules.shooting.aims(self.state, unit, target, [shot], how)[0][1]
        return aim is not None and not aim.blocked_by_friends

    def _on_ambush(self, game: Game, decision: Decision) -> Any:
        """Fire where on their way it does most, unless something better is still to come."""
        unit = self.state.unit(decision.unit)
        mover = self._mover(unit)
        if mover is None:
            return (decision.options[-1],) if isinstance(decision, PickOne) else (True,)
        waits = 0.75 * self._waits_for(unit, mover.id)
        if not isinstance(decision, PickOne):
            return (self._sprung(unit, mover, middle(mover)) > waits,)
        way = self._way(game, mover)
        gains = {far: self._sprung(unit, mover, along(way, far)) for far in decision.options if far is not None}
        best = max(gains, key=lambda far: (gains[far], far))
        return (best if gains[best] > waits else None,)

    def _sprung(self, unit: Unit, mover: Unit, body: Body) -> float:
        """What fire from Ambush takes from an enemy at a place on his way."""
        kept = mover.bodies, mover.gun
        self.judge.guesses.keeps = False
        self.planner.move_to(mover, body)
        try:
            return self.judge.gain(mover, self.judge.guesses.volley(self.state, unit, mover, AMBUSH, True))
        finally:
            self.judge.guesses.keeps = True
            mover.bodies, mover.gun = kept

    def _way(self, game: Game, mover: Unit) -> list[Body]:
        """The way that was just announced for an enemy, for the model that stands for his unit."""
        home, first = middle(mover), mover.bodies[0]
        for answer in reversed(game.choices[-6:]):
            if is_way(answer):
                steps: Any = answer
                return [home, *(home.at(home.x + step[0] - first.x, home.y + step[1] - first.y) for step in steps)]
        return [home]

    def _mover(self, unit: Unit) -> Unit | None:
        """The enemy whose move is interrupted: the last that was ordered to move."""
        for event in reversed(self._events[-30:]):
            if type(event).__name__ in ("Ordered", "DieDrawn"):
                ordered_id = getattr(event, "unit", "")
                if ordered_id and self.state.unit(ordered_id).side != unit.side:
                    mover: Unit = self.state.unit(ordered_id)
                    return mover if mover.bodies else None
        return None

    def _on_loaded_round(self, game: Game, decision: PickOne) -> Any:
        """What those call for who have still to move."""
        unit = self.state.unit(decision.unit)
        enemies = [enemy for enemy in self.state.enemies(unit) if not enemy.is_artillery]
        coming = [enemy for enemy in enemies if not enemy.order] or enemies
        armour = sum(self.judge.value(enemy) for enemy in coming if enemy.is_armoured)
        wanted = "AT" if 2 * armour >= sum(self.judge.value(enemy) for enemy in coming) else "HE"
        return (wanted,) if wanted in decision.options else None

    # -- reacting --------------------------------------------------------------------------------------------

    def _on_reaction(self, game: Game, decision: PickOne) -> Any:
        unit = self.state.unit(decision.unit)
        cause = self._cause(game, unit)
        if cause is None:
            return (None,)
        if "escape" in decision.options or cause.order == RUN:
            return (self._flees(unit, cause, list(decision.options)),)
        return (self._answer_to_fire(unit, cause, list(decision.options)),)

    def _cause(self, game: Game, unit: Unit) -> Unit | None:
        """Who shoots or assaults: the enemy of the last announcement."""
        for event in reversed(game.events[-12:]):
            if type(event).__name__ in ("Declared", "Assaulted"):
                attacker = self.state.unit(str(getattr(event, "unit", "")))
                return attacker if isinstance(attacker, Unit) and attacker.side != unit.side else None
        return None

    def _answer_to_fire(self, unit: Unit, shooter: Unit, options: Sequence[Any]) -> Any:
        """Take it, go down, or shoot back."""
        scores = self._scores_under_fire(unit, shooter, options)
        return max(scores, key=lambda one: (scores[one], str(one)))

    def _scores_under_fire(self, unit: Unit, shooter: Unit, options: Sequence[Any]) -> dict[Any, float]:
        """What each reaction is worth beside not being shot at; most cost the order of this turn."""
        how = self._how(shooter)
        later = 0.0 if unit.order else 0.8 * self._to_do(unit) + 2.0
        incoming = self._gain(shooter, unit, how)
        scores: dict[Any, float] = {None: -incoming}
        if "go down" in options:
            order, unit.order = unit.order, DOWN
            lying = self._gain(shooter, unit, how)
            unit.order = order
            scores["go down"] = -lying - later - (2.5 if order == AMBUSH else 0.0)
        if "firefight" in options:
            chance = self._passes_reaction(unit)
            back = self._gain(unit, shooter, FIRE)
            scores["firefight"] = chance * (back - later) - 5.0 * (1 - chance) - incoming
        if "run to cover" in options:
            chance = self._passes_reaction(unit)
            saved = 0.6 if self._is_cover_near(unit) else 0.1
            scores["run to cover"] = -(1 - saved * chance) * incoming - chance * later - 5.0 * (1 - chance) - 1.0
        if "recce move" in options:
            scores["recce move"] = -0.4 * incoming - 1.0 - 0.5 * later
        return scores

    def _is_cover_near(self, unit: Unit) -> bool:
        """Is there anything in reach to run behind or into?"""
        here, reach = middle(unit), self.rules.movement.reach(unit, ADVANCE)
        for piece in self.state.table.pieces:
            if piece.kind.cover or piece.height > 400:
                low_x, low_y, high_x, high_y = piece.parts[0].box
                if low_x - reach <= here.cx <= high_x + reach and low_y - reach <= here.cy <= high_y + reach:
                    return True
        return False

    def _to_do(self, unit: Unit) -> float:
        """What the unit could still do with its order this turn."""
        turned = not self.judge.guesses.gist(self.state, unit).fixed
        obeys = self.judge.guesses.order_chance(self.state, unit, FIRE)
        fire = self.judge.potential(unit, FIRE, turned, turned)[0] * obeys
        close = max((self.judge.storm(unit, enemy) for enemy in self.state.enemies(unit)), default=0.0)
        goal = self.judge.within_a_run(unit) if self.judge.turns_left() <= 1 and not unit.building else 0.0
        return max(fire, close, goal)

    def _passes_reaction(self, unit: Unit) -> float:
        occasion = self.rules.orders.occasion(self.state, unit, FIRE)
        return self.judge.guesses.obeys(self.state, unit, occasion)

    def _flees(self, unit: Unit, enemy: Unit, options: Sequence[Any]) -> Any:
        """Run from a fight that is lost, unless the way leads off the table."""
        if unit.is_vehicle or enemy.is_vehicle:
            return "recce move" if "recce move" in options else None
        if "escape" not in options or self.judge.fight(enemy, unit) < 0.3 * self.judge.value(unit):
            return None
        route = self.rules.movement.flee_on_foot(self.state, unit, enemy)
        return None if isinstance(route, str) else "escape"

    def _on_stand_and_fire(self, game: Game, decision: YesNo) -> Any:
        return (True,)

    def _on_run_to_cover(self, game: Game, decision: PlaceFree) -> Any:
        """The way with the least danger at its end that the rule allows (k47.react.run_to_cover)."""
        region: Any = decision.region
        unit = self.state.unit(decision.unit)
        home, first = middle(unit), unit.bodies[0]
        kept = unit.bodies, unit.gun, unit.heading
        ways = {region.towards(way, far) for way in range(0, 360, 30) for far in (region.reach, region.reach // 2)}
        judged = []
        self.judge.guesses.keeps = False
        for way in sorted(way for way in ways if way):
            end = way[-1]
            self.planner.move_to(unit, home.at(end[0] + home.x - first.x, end[1] + home.y - first.y))
            judged.append((self.judge.danger(unit), way))
        self.judge.guesses.keeps = True
        unit.bodies, unit.gun, unit.heading = kept
        for _, way in sorted(judged):
            if region.why_not(way) is None:
                return (way,)
        return None

    def _on_recce_move(self, game: Game, decision: PlaceFree) -> Any:
        """Where the least can happen to it."""
        unit = self.state.unit(decision.unit)
        region: Any = decision.region
        chance = self._chance(game)
        ways = [way for way in (region.sample(chance) for _ in range(12 if self._careful else 4)) if way]
        if not ways:
            return None
        kept = unit.bodies, unit.heading

        def danger(way: Any) -> float:
            x, y, heading = way[-1]
            unit.bodies, unit.heading = [kept[0][0].at(x, y, heading)], heading
            return self.judge.danger(unit)

        self.judge.guesses.keeps = False
        try:
            return (min(ways, key=danger),)
        finally:
            self.judge.guesses.keeps = True
            unit.bodies, unit.heading = kept

    # -- close quarters --------------------------------------------------------------------------------------

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

    _on_elite = _on_occupy_building

    def _on_war_dogs(self, game: Game, decision: YesNo) -> Any:
        """From now on the dogs run at whoever is nearest, friend or foe (k47.special.war_dogs)."""
        unit = self.state.unit(decision.unit)
        here = middle(unit)
        others = [one for one in self.state.units if one.on_table and one is not unit and not one.is_vehicle]
        others.sort(key=lambda one: (apart(here, middle(one)), one.id))
        if not others or others[0].side == unit.side:
            return (False,)
        far = apart(here, middle(others[0])) - 2 * INCH
        return (far <= DOGS_RUN * INCH and self.judge.fight(unit, others[0]) > 0,)

    def _on_motivate(self, game: Game, decision: PickOne) -> Any:
        """The friend who has most to shoot at acts again."""
        friends = [id for id in decision.options if id is not None]
        if not friends:
            return (None,)
        worth = {id: self.judge.potential(self.state.unit(id), FIRE, False)[0] for id in friends}
        best = max(friends, key=lambda id: worth[id])
        return (best if worth[best] > 3.0 else None,)

    # -- casualties ------------------------------------------------------------------------------------------

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


__all__ = ["LEVELS", "KonfliktAdviser", "adviser"]
