"""The adviser of the Dust games: answers every decision at once, proposes activations, and values positions.

Points expected to be destroyed and lost come from exact odds (dust_fire.py), objectives from dust_goals.py, geometry
from dust_field.py, plans of an activation from dust_plans.py. Levels and search are general (opponent.py, search.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dieselfront.kernel.decisions import Answer, Assign, Decision, Number, PickOne, Place, YesNo
from dieselfront.kernel.game import Game
from dieselfront.players.adviser import Adviser, Candidate, Memory, Worth
from dieselfront.players.search import LONGEST
from dieselfront.rulesets.dust.events import WeaponsDeclared
from dieselfront.rulesets.dust.state import (
    Unit,
)
from dieselfront.rulesets.dust1947.adviser.allocation import Allocation
from dieselfront.rulesets.dust1947.adviser.declare import Declaration, soldier_worth, weapon_worth
from dieselfront.rulesets.dust1947.adviser.field import Field
from dieselfront.rulesets.dust1947.adviser.fire import (
    CLOSE_ONLY,
    EVERY_ARC,
    PLAIN,
    RANGED_ONLY,
    Firepower,
)
from dieselfront.rulesets.dust1947.adviser.goals import Goals, Ways
from dieselfront.rulesets.dust1947.adviser.intent import Intent
from dieselfront.rulesets.dust1947.adviser.open_table import field_of
from dieselfront.rulesets.dust1947.adviser.plans import Planner
from dieselfront.rulesets.dust1947.adviser.reacting import Reactions
from dieselfront.rulesets.dust1947.adviser.special import each_is_worth
from dieselfront.rulesets.dust1947.adviser.standing import FEAR
from dieselfront.rulesets.dust1947.adviser.worth import Judge
from dieselfront.rulesets.dust1947.playing import Play

PASS = "pass"
LITTLE = 0.3
"""A side passes only if nothing it could do is worth so much at first sight."""

YES = frozenset({"reload", "assault-shield"})
"""Questions answered with yes."""

SPECIAL = 2
"""So many plans with special actions are kept among the candidates, if they bring anything."""

EXPECTED = 0.5
"""What fire on the spot where a unit begins counts beside fire that comes now."""
READY_TO_FIRE = 0.3
"""What a shot from the spot where a unit begins is worth beside one that is fired now."""

SPREAD_OUT = 0.6
"""Where shells may burst: what a neighbour costs whoever is set up on foot."""

Rank = Callable[[Field, Goals, Unit], float]

_ways = Ways()


def adviser(weights: dict[str, float]) -> DustAdviser:
    """The adviser with these weights."""
    return DustAdviser(weights)


class DustAdviser(Adviser):
    """Quick judgement for the Dust games."""

    starts = frozenset({"activate"})
    acts = frozenset({"actions"})

    contact = 1
    """The distance from which blows are struck."""

    def __init__(self, weights: dict[str, float]) -> None:
        self.weights = weights
        finish = weights["finish"]
        self.fire = Firepower(finish)  # its own: what is kept must not depend on games played before
        self.ways = _ways
        self.planner = Planner(weights)
        self.judge = Judge(weights, self.fire, self.ways)
        self.specials = self.planner.specials
        self.reactions = Reactions(self.planner)
        self._handlers: dict[str, Any] = {}

    # -- what the search asks ----------------------------------------------------------------------

    def answer(self, game: Game, memory: Memory) -> Answer:
        """A sensible answer to the pending decision."""
        decision = game.decision if game.decision is not None else game.pending
        assert decision is not None
        key = decision.key
        handler = self._handlers.get(key)
        if handler is None:
            handler = self._handlers[key] = getattr(self, "_" + key.replace("-", "_"), self._otherwise)
        advice = handler(game, decision, memory)
        return self._otherwise(game, decision, memory)[0] if advice is None else advice[0]

    def candidates(self, game: Game, memory: Memory, most: int) -> Sequence[Candidate]:
        """Activations to compare, actions of a unit, reactions."""
        decision: Any = game.pending
        assert decision is not None
        if decision.key == "activate":
            return self._activations(game, decision, most)
        if decision.key == "actions":
            if _planned(memory.get(decision.player), decision) is not None:
                return ()
            return self._sequences(game, decision, most)
        if decision.key == "react":
            return self._reactions(game, decision)
        return ()

    def gives_up(self, game: Game, candidate: Candidate) -> bool:
        """Does a plan leave an objective that its unit holds, in the last turn?"""
        intent, state = candidate.note, game.state
        if not isinstance(intent, Intent) or state.turn < state.scenario.turns:
            return False
        unit = state.by_id[intent.unit]
        end = intent.then[0] if intent.then is not None else intent.spot
        if not unit.on_board or (end is None and intent.mount is None):
            return False
        goals = Goals(game.play, self.ways, self.weights)
        held = goals.stake(unit, unit.place)
        left: float = 0.0 if intent.mount is not None else goals.stake(unit, end)
        return held > 0 and left < held

    def to_the_end(self, game: Game) -> int:
        """In the last turn playouts go as far as they can."""
        return LONGEST if game.state.turn >= game.state.scenario.turns else 0

    def imagine(self, game: Game, player: int, chance: int) -> None:
        """Nothing is hidden from either side but the dice."""

    def worth(self, game: Game, player: int) -> Worth:
        """What the position is worth to a player."""
        return self.judge.worth(game, player)

    def measures(self, game: Game, player: int) -> tuple[Worth, dict[str, float]]:
        """What the position is worth to a player, and what the outlook weighs."""
        return self.judge.measures(game, player)

    def features(self, game: Game, player: int) -> tuple[float, dict[str, float]]:
        """How late it is, and what the outlook weighs."""
        return self.judge.features(game, player)

    # -- candidates -------------------------------------------------------------------------------

    def _activations(self, game: Game, decision: PickOne, most: int) -> list[Candidate]:
        """The best plans of every unit that may act, in order of what acting now brings."""
        play = game.play
        field = field_of(play, self.fire)
        goals = Goals(play, self.ways, self.weights)
        candidates: list[Candidate] = []
        shared = Allocation(self.planner, field, goals, decision.player)
        for choice in decision.options:
            if choice == PASS:
                continue
            unit = play.state.by_id[choice]
            urgency = self._urgency(field, unit)
            plans = self.planner.plans(field, goals, unit)
            if not plans:
                candidates.append(Candidate(choice, 0.1 + urgency, None, f"{unit.name} acts"))
                continue
            idle = plans[0].idle
            for plan in plans:
                value = plan.value - idle + urgency + plan.before - shared.taken_from_others(unit, plan)
                candidates.append(Candidate(choice, value, plan, self.planner.words(play, plan), plan.numbers))
        if PASS in decision.options and all(candidate.value < LITTLE for candidate in candidates):
            candidates.append(Candidate(PASS, 0.0, None, "passes"))
        return _varied(candidates, most)

    def _sequences(self, game: Game, decision: PickOne, most: int) -> list[Candidate]:
        """The best plans of the unit that is acting."""
        play = game.play
        unit = play.state.by_id[decision.unit]
        field = field_of(play, self.fire)
        goals = Goals(play, self.ways, self.weights)
        plans = self.planner.plans(field, goals, unit, decision.options)
        shared = Allocation(self.planner, field, goals, decision.player)
        candidates = [
            Candidate(
                plan.actions,
                plan.value - shared.taken_from_others(unit, plan),
                plan.announced(),
                self.planner.words(play, plan),
                plan.numbers,
            )
            for plan in plans
        ]
        return _varied(candidates, most)

    def _urgency(self, field: Field, unit: Unit) -> float:
        """A unit in danger acts before one that is safe."""
        if not unit.on_board:
            return 0.0
        return 0.25 * self.planner.danger(field, unit, unit.place, waiting_only=True)

    def _reactions(self, game: Game, decision: PickOne) -> list[Candidate]:
        """Not to react, or each unit that may, by what the shot is worth beside the activation it costs."""
        play = game.play
        state = play.state
        trigger = state.by_id[decision.unit]
        field = field_of(play, self.fire)
        goals = Goals(play, self.ways, self.weights)
        candidates = [Candidate(None, 0.0, None, "holds its fire")]
        for choice in decision.options:
            if choice is not None and state.by_id[choice].on_board:
                value = self.reactions.worth(field, goals, state.by_id[choice], trigger)
                candidates.append(Candidate(choice, value, None, f"{state.by_id[choice].name} reacts"))
        candidates.sort(key=lambda candidate: -candidate.value)
        return candidates

    # -- setting up -----------------------------------------------------------------------------

    def _deploy_unit(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        return (decision.options[0],)

    def _deploy(self, game: Game, decision: Place, memory: Memory) -> Any:
        """Near objectives, in cover, guns with long range farther back; looking towards the middle."""
        play = game.play
        state = play.state
        unit = state.by_id[decision.unit]
        table = state.table
        goals = Goals(play, self.ways, self.weights)
        middle = table.place(table.width // 2, table.height // 2)
        field = field_of(play, self.fire)
        crowd = [piece.place for piece in field.pieces[unit.side]]

        apart = SPREAD_OUT if unit.is_infantry and _bursts(state.of_side(1 - unit.side)) else 0.3

        def worth(spot: int) -> float:
            points: float = 0.8 * self.weights["cover"] if table.in_terrain_cover(spot) else 0.0
            points += goals.pull(unit, spot) if goals.values else 0.0
            points -= 0.35 * int(table.distance(spot, middle))
            return points - apart * sum(int(table.distance(spot, place)) <= 1 for place in crowd)

        if self.sharp:
            return (self._under_fire(field, decision, unit, worth, middle),)
        best = max(decision.spots, key=worth)
        return ((best, self._facing(field, decision, best, middle)),)

    def _under_fire(
        self, field: Field, decision: Place, unit: Unit, worth: Callable[[int], float], middle: int
    ) -> tuple[int, Any]:
        """The spot that is best when fire is counted, that of enemies who stand there and our own; not in a crowd."""
        table = field.table
        fear = self.planner.fear(field, unit)
        towards = {foe.place for foe in field.pieces[1 - unit.side]}

        def expected(spot: int) -> float:
            value = worth(spot) - EXPECTED * fear * self.planner.danger(field, unit, spot)
            if towards:
                value += READY_TO_FIRE * self.planner.shoot(field, unit, spot, PLAIN, turned=True).gain
            return value

        best = max(decision.spots, key=expected)
        nearest = min(towards, key=lambda place: (int(table.distance(best, place)), place), default=middle)
        return best, self._facing(field, decision, best, nearest)

    def _facing(self, field: Field, decision: Place, spot: Any, towards: int) -> Any:
        facings = decision.facings(spot)
        wanted = field.facing_to(spot, towards)
        return wanted if wanted in facings else facings[0]

    def _first(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        return (decision.player,)

    # -- choosing a unit and its actions ----------------------------------------------------------

    def _activate(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """In a hurry: the unit with the best attack, or the most endangered one."""
        field = field_of(game.play, self.fire)
        state = game.state
        best: tuple[float, Any] = (-1.0, None)
        for choice in decision.options:
            unit = state.by_id.get(choice)
            if unit is None:
                continue
            worth = 0.002 * unit.points
            if unit.on_board and not unit.stunned:
                piece = field.by_id[choice]
                worth = max(worth, field.calls(piece))
                for foe in field.pieces[1 - decision.player]:
                    salvo = field.shoots(piece, piece.place, foe)
                    if salvo is not None and salvo.points > worth:
                        worth = salvo.points
            if worth > best[0]:
                best = (worth, choice)
        memory.pop(decision.player, None)
        return (best[1],) if best[1] is not None else (decision.options[-1],)

    def _actions(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """Follow the plan, or make one in a hurry."""
        options = decision.options
        intent = _planned(memory.get(decision.player), decision)
        if intent is not None:
            memory[decision.player] = intent.announced()
            return (intent.actions,)
        play = game.play
        unit = play.state.by_id[decision.unit]
        field = field_of(play, self.fire)
        goals = Goals(play, self.ways, self.weights)
        plans = self.planner.plans(field, goals, unit, options, hurry=True)
        if not plans:
            return (max(options, key=len),)
        memory[decision.player] = plans[0].announced()
        return (plans[0].actions,)

    # -- moving ---------------------------------------------------------------------------------

    def _move(self, game: Game, decision: Place, memory: Memory) -> Any:
        """To the spot of the plan or as near as it goes; without a plan to the best spot."""
        intent = memory.get(decision.player)
        play = game.play
        unit = play.state.by_id[decision.unit]
        if isinstance(intent, Intent) and intent.unit == unit.id and intent.spot is not None:
            if _is_open_to(decision, intent):
                if intent.then is not None:
                    memory[decision.player] = intent.onward()
                return ((intent.spot, intent.facing),)
            spots = decision.spots
            spot, facing = intent.spot, intent.facing
            if spot not in spots:
                table = play.state.table
                spot = min(spots, key=lambda place: (table.distance(place, intent.spot), place))
            facings = decision.facings(spot)
            if intent.then is not None:
                memory[decision.player] = intent.onward()
            return ((spot, facing if facing in facings else facings[0]),)
        field = field_of(play, self.fire)
        goals = Goals(play, self.ways, self.weights)
        best = self.planner.best_spot(field, goals, unit, list(decision.spots))
        foe = field.nearest_foe(unit, best)
        facings = decision.facings(best)
        wanted = field.facing_to(best, foe.place) if foe is not None else unit.facing
        return ((best, wanted if wanted in facings else facings[0]),)

    _march = _move
    _dismount = _move
    _survivors = _move
    _pilot_lands = _move
    _pilot_leaves = _move
    _follow_me_move = _move

    def _land(self, game: Game, decision: Place, memory: Memory) -> Any:
        """Where the plan says, or the best place to land (d47.skill.airborne_entry)."""
        intent = memory.get(decision.player)
        unit = game.state.by_id[decision.unit]
        if game.play.rules.table != "measured" and not (isinstance(intent, Intent) and intent.unit == unit.id):
            field = field_of(game.play, self.fire)
            goals = Goals(game.play, self.ways, self.weights)
            best = self.planner.moves.landings(field, goals, unit, decision.spots, True)[0]
            facings = decision.facings(best.spot)
            return ((best.spot, best.facing if best.facing in facings else facings[0]),)
        return self._move(game, decision, memory)

    def _march_first(self, game: Game, decision: Place, memory: Memory) -> Any:
        """The first leg of a march goes along the way to its end, as far as it may."""
        intent = memory.get(decision.player)
        play = game.play
        unit = play.state.by_id[decision.unit]
        if isinstance(intent, Intent) and intent.unit == unit.id and intent.spot is not None and unit.on_board:
            march = play.rules.movement.pace(play, unit)[1]
            reach = play.rules.movement.reach(play, unit, march, "march")
            end = intent.spot if unit.card.size == "standard" else (intent.spot, intent.facing)
            if end in reach:
                spots = decision.spots
                for place in reversed(reach.path(end)):
                    if place in spots:
                        facings = decision.facings(place)
                        return ((place, intent.facing if intent.facing in facings else facings[0]),)
        return self._move(game, decision, dict(memory))

    def _mount(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """Aboard only if the plan says so."""
        intent = memory.get(decision.player)
        wanted = intent.mount if isinstance(intent, Intent) and intent.unit == decision.unit else None
        return (wanted if wanted in decision.options else None,)

    # -- fighting -------------------------------------------------------------------------------

    def _declare(self, game: Game, decision: Assign, memory: Memory) -> Any:
        """Every weapon at what it is worth most against."""
        intent = memory.get(decision.player)
        smoke = intent.smoke if isinstance(intent, Intent) and intent.unit == decision.unit else ()
        missed = self.specials.missed_in(game.play, self.fire, self.ways)
        unit = game.state.by_id[decision.unit]
        beyond = None if decision.key == "retaliate" else self._beyond(game, unit)
        back = None if beyond is None else self._back(game, unit)
        return (Declaration(game.play, decision, self.fire, self.weights, smoke, missed, beyond, back).answer(),)

    def _back(self, game: Game, unit: Unit) -> Callable[[Unit], float]:
        """What a foe who is struck at close quarters strikes back with; who is stunned does not."""

        def back(foe: Unit) -> float:
            if foe.stunned:
                return 0.0
            numbers = self.fire.signature(foe), self.fire.mark(unit)
            blows = self.fire.salvo(game.play, foe, numbers[0], unit, numbers[1], self.contact, False, CLOSE_ONLY)
            return FEAR * blows.points

        return back

    def _beyond(self, game: Game, unit: Unit) -> Callable[[Unit], float]:
        """What the end of a foe brings besides his points: objectives, and what he could have done."""
        field: Field | None = None
        known: dict[str, float] = {}

        def beyond(foe: Unit) -> float:
            nonlocal field
            worth = known.get(foe.id)
            if worth is None:
                if field is None:
                    field = field_of(game.play, self.fire)
                    field.goals = Goals(game.play, self.ways, self.weights)
                worth = known[foe.id] = self.planner.beyond(field, unit, foe)
            return worth

        return beyond

    _retaliate = _declare

    def _react(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        return (self._reactions(game, decision)[0].answer,)

    def _reaction_attack(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """Sustained if the target is in the arc as the unit stands, else turn."""
        state = game.state
        unit, trigger = state.by_id[decision.unit], state.by_id[state.interrupted]
        field = field_of(game.play, self.fire)
        shot = field.shoots(field.piece(unit), unit.place, field.piece(trigger), RANGED_ONLY, turned=False)
        if shot is not None and shot.points > 0:
            return ("sustained",)
        return (decision.options[-1],)

    def _turn(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        state = game.state
        unit = state.by_id[decision.unit]
        trigger = state.by_id.get(state.interrupted)
        if trigger is None or not trigger.where:
            return None
        wanted = field_of(game.play, self.fire).facing_to(unit.place, trigger.place)
        ways = decision.options
        if isinstance(ways[0], int):  # headings in degrees: the one nearest to the trigger
            return (min(ways, key=lambda way: (abs((way - wanted + 180) % 360 - 180), way)),)
        return (next((stance for stance in ways if stance[1] == wanted), ways[0]),)

    def _fighting_spirit(self, game: Game, decision: Decision, memory: Memory) -> Any:
        """Once a game: for a target that is worth it, or when time runs out."""
        state = game.state
        aimed: set[str] = set()
        for event in reversed(game.play.events[-16:]):
            if isinstance(event, WeaponsDeclared):
                aimed = {target for _, _, target in event.pools if target in state.by_id}
                break
        worth = sum(self.judge.strength(state.by_id[name]) for name in sorted(aimed))
        dearest = max((unit.points for unit in state.on_board(1 - decision.player)), default=0)
        return (worth >= 0.5 * dearest or state.turn >= state.scenario.turns - 1,)

    _lucky = _fighting_spirit

    def _reserve(self, game: Game, decision: Decision, memory: Memory) -> Any:
        """Early in the battle the last place is kept for a unit worth twice as much (d47.reserve.eligible)."""
        state = game.state
        unit = state.by_id.get(decision.unit)
        if unit is None or state.sides[decision.player].reserves_left > 1 or 2 * state.turn >= state.scenario.turns:
            return (True,)
        others = [other.main.card for other in state.on_board(decision.player) if other is not unit]
        dearest = max((card.points for card in others if card.kind != "hero"), default=0)
        return (2 * unit.main.card.points >= dearest,)

    def _sustain_close(self, game: Game, decision: Decision, memory: Memory) -> Any:
        """The part of a sustained attack that does more."""
        unit = game.state.by_id[decision.unit]
        field = field_of(game.play, self.fire)
        piece = field.piece(unit)
        near, far = 0.0, 0.0
        for foe in field.foes(unit):
            if unit.place >= 0 and field.distance(unit.place, foe) <= 1:
                near = max(near, field.salvo(piece, foe, 1, False, CLOSE_ONLY, EVERY_ARC).points)
            salvo = field.shoots(piece, unit.place, foe, RANGED_ONLY, turned=False)
            far = max(far, salvo.points if salvo is not None else 0.0)
        return (near > far,)

    def _pool_order(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        return (decision.options[0],)

    def _casualty(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """The least valuable soldier goes, or the most valuable one of the enemy."""
        unit = game.state.by_id[decision.unit]
        pick = min if unit.side == decision.player else max
        worth = self._worth_of_soldiers(game, unit)
        part = next((p for p in unit.parts if p.squad), unit.parts[0])
        roles = any(
            isinstance(man, int) and man < len(part.card.soldiers) and part.card.soldiers[man].roles
            for man in decision.options
        )
        if not roles:
            return (pick(decision.options, key=worth),)
        field, goals = field_of(game.play, self.fire), Goals(game.play, self.ways, self.weights)

        def with_orders(soldier: Any) -> float:
            return worth(soldier) + (
                self.specials.missed(field, goals, unit, part, soldier) if isinstance(soldier, int) else 0
            )

        return (pick(decision.options, key=with_orders),)

    def _return_soldier(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """The one who can do most to the foes that are there (d47.command.get_up)."""
        unit = game.state.by_id[decision.unit]
        return (max(decision.options, key=self._worth_of_soldiers(game, unit)),)

    _returning = _return_soldier

    def _worth_of_soldiers(self, game: Game, unit: Unit) -> Callable[[Any], float]:
        part = next((p for p in unit.parts if p.squad), unit.parts[0])
        foes = game.state.on_board(1 - unit.side)
        return lambda soldier: soldier_worth(part, soldier, foes)

    def _broken_weapon(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """The least of its weapons goes."""
        weapons = game.state.by_id[decision.unit].main.card.weapons
        return (min(decision.options, key=lambda line: weapon_worth(weapons[line])),)

    def _divide_hits(self, game: Game, decision: Number, memory: Memory) -> Any:
        """The squad takes the hits before the hero; whoever divides them on the enemy gives them to the hero."""
        own = game.state.by_id[decision.unit].side == decision.player
        return (decision.least if own else decision.most,)

    # -- orders ---------------------------------------------------------------------------------

    def _best_of(self, game: Game, decision: PickOne, rank: Rank) -> Any:
        """The unit that ranks highest, the dearest of equals."""
        field = field_of(game.play, self.fire)
        goals = Goals(game.play, self.ways, self.weights)
        units = [game.state.by_id[choice] for choice in decision.options]
        return (max(units, key=lambda unit: (rank(field, goals, unit), unit.points)).id,)

    def _get_moving(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """The unit that gains most by acting again."""
        return self._best_of(game, decision, self.specials.again)

    _air_traffic_control = _get_moving

    def _rally(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """Everybody near, unless a shaken unit far away is worth more."""
        field = field_of(game.play, self.fire)
        goals = Goals(game.play, self.ways, self.weights)
        officer = game.state.by_id[decision.unit]
        near = game.play.rules.command.in_voice(game.play, officer, "rally")

        def worth(choice: Any) -> float:
            units = near if choice == "near" else [game.state.by_id[choice]]
            return sum(self.specials.shaken(field, goals, unit) for unit in units)

        return (max(decision.options, key=worth),)

    def _ammo_drop(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """Who can use it, and soon."""
        return self._best_of(game, decision, self.specials.supplied)

    def _stimulants(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        return self._best_of(game, decision, self.specials.stimulated)

    def _repair(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        return self._best_of(game, decision, lambda field, goals, unit: self.specials.mended(unit))

    def _get_up(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """Who gains most by one more soldier."""
        return self._best_of(game, decision, lambda field, goals, unit: self.specials.helped_up(field, unit))

    def _medevac(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        return self._best_of(game, decision, lambda field, goals, unit: self.specials.flown_out(field, unit))

    def _resurrect(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        return self._best_of(game, decision, lambda field, goals, unit: self.specials.risen(unit))

    def _fresh(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """The lost unit that is worth most as new."""
        field = field_of(game.play, self.fire)
        units = [game.state.by_id[choice] for choice in decision.options]
        return (max(units, key=lambda unit: (self.specials.fresh(field, unit), unit.id)).id,)

    _inject = _stimulants

    def _air_alert(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        caller = game.state.by_id[decision.unit]
        return self._best_of(game, decision, lambda field, goals, unit: self.specials.alarmed(field, caller, unit))

    def _heal_part(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """The part whose soldiers or points are dearest."""
        hurt = game.play.rules.command.wounds(game.state.by_id[decision.unit])
        return (max(decision.options, key=lambda place: each_is_worth(hurt[place])),)

    def _mend(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """Damage, or the critical hit that costs more."""
        vehicle = game.state.by_id[decision.unit]
        goals = Goals(game.play, self.ways, self.weights)
        return (max(decision.options, key=lambda what: self.specials.mending(vehicle, what, goals)),)

    def _execute(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """The man whom the enemy would miss most."""

        def worth(victim: Any) -> float:
            parts = game.state.by_id[victim[0]].parts
            part = next(part for part in parts if part.card.id == victim[1])
            return self.specials.executed(part, victim[2])

        return (max(decision.options, key=worth),)

    def _order_by(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        return ("voice",)

    def _stimulants_effect(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """A sustained attack, unless nothing is in reach of one or quick legs reach an objective."""
        unit = game.state.by_id[decision.unit]
        field = field_of(game.play, self.fire)
        goals = Goals(game.play, self.ways, self.weights)
        if unit.on_board and goals.values and not goals.left:
            near, far = (self._best_pull(field, goals, unit, action) for action in ("move", "march"))
            if far > near + LITTLE:
                return ("move",)
        return ("attack" if self.specials.prospect(field, unit) > LITTLE else "move",)

    def _best_pull(self, field: Field, goals: Goals, unit: Unit, action: str) -> float:
        """The most that ground in reach of a movement is worth."""
        ends = self.planner.reachable(field, goals, unit, action, True)
        return max((goals.pull(unit, end[0] if isinstance(end, tuple) else end) for end in ends), default=0.0)

    def _battery(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """The battery that does most to what the observer sees, else the one with the heaviest shells."""
        observer = game.state.by_id[decision.unit]
        return self._best_of(
            game,
            decision,
            lambda field, goals, gun: self.specials.called(field, observer, gun, PLAIN, observer.place),
        )

    def _launch_smoke(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """Where the screen stops the most dangerous shooters."""
        if game.play.rules.table == "measured":
            return (decision.options[0],)
        unit = game.state.by_id[decision.unit]
        field = field_of(game.play, self.fire)
        few = self.specials.before_the_guns(field, unit, unit.place, decision.options)[:3]
        return (min(few, key=lambda block: self.specials.through(field, unit, unit.place, block)),)

    def _engineering(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """What opens the way."""
        unit = game.state.by_id[decision.unit]
        field = field_of(game.play, self.fire)
        goals = Goals(game.play, self.ways, self.weights)
        return (max(decision.options, key=lambda task: self.specials.task(field, goals, unit, task)),)

    def _gap(self, game: Game, decision: PickOne, memory: Memory) -> Any:
        """The block with the most mines."""
        table = game.state.table
        return (max(decision.options, key=lambda block: sum(table.has(place, "minefield") for place in block)),)

    def _spy_revealed(self, game: Game, decision: Decision, memory: Memory) -> Any:
        """When there is somebody worth it to appear beside, or time runs out."""
        state = game.state
        unit = state.by_id[decision.unit]
        field = field_of(game.play, self.fire)
        piece = field.piece(unit)
        salvos = [field.salvo(piece, foe, 1, False, PLAIN, EVERY_ARC) for foe in field.foes(unit)]
        best = max((salvo.points for salvo in salvos), default=0.0)
        return (best > 0.2 * unit.points or state.turn >= state.scenario.turns - 1,)

    def _spy_appears(self, game: Game, decision: Place, memory: Memory) -> Any:
        """Where it can strike best and is in the least danger."""
        field = field_of(game.play, self.fire)
        goals = Goals(game.play, self.ways, self.weights)
        unit = game.state.by_id[decision.unit]

        def worth(spot: Any) -> float:
            shot = self.planner.shoot(field, unit, spot, PLAIN, turned=True)
            return shot.gain + self.planner.stand(field, goals, unit, spot, True)[0]

        best = max(decision.spots, key=worth)
        return ((best, decision.facings(best)[0]),)

    # -- all else -------------------------------------------------------------------------------

    def _otherwise(self, game: Game, decision: Decision, memory: Memory) -> Any:
        """Questions it has no view on: a modest answer, always the same."""
        if isinstance(decision, YesNo):
            return (decision.key in YES,)
        if isinstance(decision, Number):
            return (decision.least,)
        if isinstance(decision, Place):
            spot = next(iter(decision.spots))
            return ((spot, decision.facings(spot)[0]),)
        if isinstance(decision, Assign) and decision.default is not None:
            return (decision.default,)
        return (next(iter(decision.answers())),)


def _is_open_to(decision: Any, intent: Intent) -> bool:
    """On a table without squares: may the plan be followed to the letter? Listing all spots would take far longer."""
    region = getattr(decision, "region", None)
    if region is None or not isinstance(intent.spot, int):
        return False
    facing = region.usual(intent.spot) if intent.facing is None else intent.facing
    return region.problem(intent.spot, facing) is None


def _bursts(units: Iterable[Unit]) -> bool:
    """Has anybody weapons that strike all who stand close together?"""
    cells = (
        cell for unit in units for part in unit.parts for weapon in part.card.weapons for cell in weapon.cells.values()
    )
    return any(cell.blast for cell in cells)


def _planned(note: Any, decision: PickOne) -> Intent | None:
    """The plan in the memory, if it is for the unit that acts now, fresh, and still possible.

    A unit that has shaken off its tokens or gained an action meanwhile thinks anew.
    """
    if not isinstance(note, Intent) or note.declared or note.unit != decision.unit:
        return None
    if note.menu and note.menu != len(decision.options):
        return None
    return note if note.actions in decision.options else None


def _varied(candidates: list[Candidate], most: int) -> list[Candidate]:
    """The best at first sight, no more than three of one unit before every unit has had its turn.

    The safest plan and the best few with special actions always have a place.
    """
    candidates.sort(key=lambda candidate: -candidate.value)
    if len(candidates) <= most:
        return candidates
    first: list[Candidate] = []
    later: list[Candidate] = []
    seen: dict[Any, int] = {}
    for candidate in candidates:
        name = candidate.note.unit if isinstance(candidate.note, Intent) else candidate.answer
        count = seen[name] = seen.get(name, 0) + 1
        (first if count <= 3 else later).append(candidate)
    ordered = first + later
    plans = [candidate for candidate in candidates if isinstance(candidate.note, Intent)]
    wanted = [candidate for candidate in plans if candidate.note.safe][:1]
    wanted += [one for one in plans if one.note.special and one.note.value > one.note.idle + LITTLE][:SPECIAL]
    kept = [candidate for candidate in wanted if candidate not in ordered[:most]]
    return [*ordered[: most - len(kept)], *kept]


__all__ = ["DustAdviser", "Play", "adviser"]
