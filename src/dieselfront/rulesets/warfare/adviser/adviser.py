"""The adviser of Dust Warfare: which unit first, what it does, who reacts with what, orders, who falls.

Whatever it does not know better the general adviser answers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from dieselfront.kernel.decisions import Answer, Decision, Path
from dieselfront.kernel.game import Game
from dieselfront.odds import choices
from dieselfront.players.adviser import Candidate, Effort, Level, Memory, Worth
from dieselfront.players.general import WON, GeneralAdviser
from dieselfront.rulesets.warfare.adviser import declaring, flying, losing
from dieselfront.rulesets.warfare.adviser.boarding import best_entry
from dieselfront.rulesets.warfare.adviser.commanding import Commanding
from dieselfront.rulesets.warfare.adviser.intent import Plan
from dieselfront.rulesets.warfare.adviser.peeking import PEEKED, peeked
from dieselfront.rulesets.warfare.adviser.plans import Planner
from dieselfront.rulesets.warfare.adviser.reacting import Reacting
from dieselfront.rulesets.warfare.adviser.setting_up import best_spot, best_squad, next_to_place
from dieselfront.rulesets.warfare.adviser.values import EFFECTS, MARGIN
from dieselfront.rulesets.warfare.ruleset import Warfare
from dieselfront.rulesets.warfare.state import State, Unit

LEVELS: Mapping[str, Level] = {
    "recruit": Level(candidates=12, noise=60.0, confusion=2.0),
    "regular": Level(candidates=12, noise=22.0, confusion=1.0),
    "veteran": Level(candidates=12, noise=2.5),
    "ace": Level(effort=Effort(candidates=6, playouts=48, replies=0, trust=8.0, reactions=False, seconds=6.0)),
    "marshal": Level(
        effort=Effort(
            candidates=10, playouts=48, replies=3, trust=3.0, blend=True, reactions=False, learned=200.0, seconds=12.0
        ),
        sharp=True,
    ),
}
"""How levels think here: a unit costs 10 to 40 points."""

LEADING = 15.0
"""Points that a lead in the last turn is worth beside the points themselves."""
TO_COME = 1.0
"""The share of the fire still to come that is expected to come."""
ORDERS_OF_PLAY = 3
"""So many units an ace weighs that could act next."""
GONE_ASTRAY = 0.2
"""The share of its points that an aircraft is worth less that has flown off the table: it comes back a turn later."""
PLAIN_TO_SEE = 16.0
"""Points by which an answer has to be worse than the best one for everybody to see it."""
PLAIN_SHARE = 0.5
"""The same as a share of what the unit costs that decides."""
NOT_IDLE = 0.5
"""Points for which nobody does nothing instead."""
GOALS = 0.5
"""The share of a lead in points that counts before the last turn: the enemy may still take it back."""


class Weighed(Candidate):
    """A candidate that knows how much worse than the best one it is."""

    __slots__ = ("behind", "price")

    def __init__(self, of: Candidate, behind: float, price: float) -> None:
        super().__init__(of.answer, of.value, of.note, of.words, of.numbers)
        self.behind = behind
        self.price = price
        """What the dearest unit costs that the decision is about."""


class WarfareAdviser(GeneralAdviser):
    """Quick judgement for Dust Warfare."""

    levels = LEVELS
    press = 0.0  # its own plans look at the score

    def begins(self, decision: Decision) -> bool:
        return decision.key == "activate"

    def opens(self, decision: Decision) -> bool:
        """An order is given and carried out at once, without anybody being asked who acts."""
        return decision.key in ("actions", "order")

    # -- candidates -------------------------------------------------------------------------------------------

    def candidates(self, game: Game, memory: Memory, most: int) -> Sequence[Candidate]:
        decision = game.pending
        assert decision is not None
        if decision.key in PEEKED and game.state.phase == "units":
            return peeked(self, game, memory)
        made = self._proposed(game, decision, memory)
        return made[: 1 if decision.key == "activate" and not self.sharp else most]

    def _proposed(self, game: Game, decision: Any, memory: Memory, quick: bool = False) -> list[Candidate]:
        """What is worth comparing, the best first; in playouts with a `quick` look."""
        makers = {
            "activate": self._turns, "actions": self._actions, "order": self._orders, "reaction": self._reactions,
            "target": self._targets, "ordered action": self._ordered,
        }  # fmt: skip
        maker = makers.get(decision.key)
        if maker is None:
            return []
        planner = self._planner(game)
        planner.is_quick = quick
        made = maker(decision, planner, memory)
        made.sort(key=lambda one: -one.value)
        price = self._price(decision, planner)
        return [Weighed(one, made[0].value - one.value, price) for one in made]

    def _price(self, decision: Any, planner: Planner) -> float:
        """What the dearest unit costs that the decision is about."""
        if decision.unit:
            return float(planner.state.unit(decision.unit).ap)
        ids = [option if isinstance(option, str) else option[1 if decision.key == "order" else 0]
               for option in decision.options if option is not None]  # fmt: skip
        return float(max((planner.state.unit(id).ap for id in ids), default=0))

    def gives_up(self, game: Game, candidate: Candidate) -> bool:
        """What is much worse, measured by the unit it is about, anybody sees; nor does anybody do nothing while there
        is something to do."""
        if not isinstance(candidate, Weighed):
            return False
        idle = candidate.answer == () and candidate.behind > NOT_IDLE
        return idle or candidate.behind > min(PLAIN_TO_SEE, PLAIN_SHARE * candidate.price)

    def _planner(self, game: Game) -> Planner:
        rules = game.rules
        assert isinstance(rules, Warfare)
        return Planner(rules, game.state, self.weights)

    def _turns(self, decision: Any, planner: Planner, memory: Memory) -> list[Candidate]:
        """Who acts next."""
        commanding = Commanding(planner)
        made = []
        for id in decision.options:
            unit = planner.state.unit(id)
            made.append(Candidate(id, commanding.turn_worth(unit), None, unit.name))
        return made

    def _actions(self, decision: Any, planner: Planner, memory: Memory) -> list[Candidate]:
        unit = planner.state.unit(decision.unit)
        plans = planner.plans(unit, decision.options)
        rest = next((plan.value for plan in plans if not plan.actions), 0.0)
        useful = [plan for plan in plans if not plan.is_idle] or plans
        return [Candidate(plan.actions, plan.value - rest, plan, f"{unit.name}: {plan.words}") for plan in useful]

    def _orders(self, decision: Any, planner: Planner, memory: Memory) -> list[Candidate]:
        commanding = Commanding(planner)
        made = []
        for option in decision.options:
            value, plan = (0.0, None) if option is None else commanding.order_worth(option)
            if option is None or value > 0:  # no level wastes an order
                made.append(Candidate(option, value, plan, decision.label(option)))
        return made or [Candidate(decision.options[0], 0.0, None, decision.label(decision.options[0]))]

    def _ordered(self, decision: Any, planner: Planner, memory: Memory) -> list[Candidate]:
        """The action that the order was given for, or the best one now."""
        unit = planner.state.unit(decision.unit)
        plan: Any = memory.get(decision.player)
        if not self._is_meant(plan, unit) or plan.actions[0] not in decision.options:
            plan = Commanding(planner).best_single(unit, list(decision.options)) if unit.bodies else None
        if plan is None or plan.actions[0] not in decision.options:
            return []
        return [Candidate(plan.actions[0], plan.value, plan, f"{unit.name}: {plan.words}")]

    def _is_meant(self, plan: Any, unit: Unit) -> bool:
        return isinstance(plan, Plan) and plan.unit == unit.id and len(plan.actions) == 1

    def _targets(self, decision: Any, planner: Planner, memory: Memory) -> list[Candidate]:
        """The target that was planned; else every target with what attacking it from here is worth."""
        plan: Any = memory.get(decision.player)
        shooting = declaring.shooting_of(plan, decision.unit)
        planned = declaring.planned_target(decision, shooting)
        if planned is not None:
            return [Candidate(planned, plan.value, plan, decision.label(planned))]
        made = []
        for answer, value, best in declaring.targets(planner, decision):
            note = (
                plan if isinstance(plan, Plan) and plan.unit == decision.unit else Plan(value, (), unit=decision.unit)
            )
            made.append(Candidate(answer, value, note._replace(shooting=best), decision.label(answer)))
        return made

    def _reactions(self, decision: Any, planner: Planner, memory: Memory) -> list[Candidate]:
        """Who fires back, lies down, steps aside, and who waits."""
        return Reacting(planner, decision, planner.is_quick).candidates()

    # -- answers ----------------------------------------------------------------------------------------------

    def answer(self, game: Game, memory: Memory) -> Answer:
        decision = game.pending
        assert decision is not None
        made = self._proposed(game, decision, memory, quick=True)
        if made:
            memory[decision.player] = made[0].note
            return made[0].answer
        handler = getattr(self, f"_on_{decision.key.replace(' ', '_')}", None)
        handled = None if handler is None else handler(game, decision, memory.get(decision.player))
        return super().answer(game, memory) if handled is None else handled[0]

    def _on_join(self, game: Game, decision: Any, plan: Any) -> Any:
        return (best_squad(self._planner(game), game.state.unit(decision.unit), decision.options),)

    def _on_deploy(self, game: Game, decision: Any, plan: Any) -> Any:
        chosen = next_to_place(self._planner(game), decision.options)
        return None if chosen is None else (chosen,)

    def _on_set_up(self, game: Game, decision: Any, plan: Any) -> Any:
        spot = best_spot(self._planner(game), game.state.unit(decision.unit), decision.region)
        return None if spot is None else (spot,)

    def _on_move(self, game: Game, decision: Path, plan: Any) -> Any:
        """The way that was planned, as long as it can be gone; else the best place now."""
        unit = game.state.unit(decision.unit)
        if isinstance(plan, Plan) and plan.way and decision.region.why_not(plan.way) is None:
            return (plan.way,)
        if unit.is_aircraft:
            return None
        region: Any = decision.region
        way = self._planner(game).move_at_once(unit, region.clearance.move.kind)
        return (way,) if decision.region.why_not(way) is None else None

    def _on_disembark(self, game: Game, decision: Any, plan: Any) -> Any:
        """The spot that was planned, if it is still free."""
        planned = isinstance(plan, Plan) and plan.unit == decision.unit and plan.spot
        return (plan.spot,) if planned and decision.region.why_not(plan.spot) is None else None

    def _on_enter(self, game: Game, decision: Any, plan: Any) -> Any:
        spot = best_entry(self._planner(game), game.state.unit(decision.unit), decision.region)
        return None if spot is None else (spot,)

    _on_return = _on_enter

    # -- attacks ----------------------------------------------------------------------------------------------

    def _on_weapons(self, game: Game, decision: Any, plan: Any) -> Any:
        answer = declaring.planned_weapons(decision, declaring.shooting_of(plan, decision.unit))
        return None if answer is None else (answer,)

    def _on_sustained_attack(self, game: Game, decision: Any, plan: Any) -> Any:
        planned = declaring.shooting_of(plan, decision.unit).way
        if planned in decision.options:
            return (planned,)
        return (declaring.best_at_stake(self._planner(game), decision, decision.options),)

    def _on_abilities(self, game: Game, decision: Any, plan: Any) -> Any:
        shooting = declaring.shooting_of(plan, decision.unit)
        if shooting.target and all(name in decision.options for name in shooting.tricks):
            return (tuple(name for name in decision.options if name in shooting.tricks),)
        return (declaring.tricks(self._planner(game), decision),)

    def _on_second_target(self, game: Game, decision: Any, plan: Any) -> Any:
        planned = declaring.shooting_of(plan, decision.unit).second
        if planned and planned in decision.options:
            return (planned,)
        return (declaring.best_at_stake(self._planner(game), decision, decision.options),)

    def _on_compulsory_move(self, game: Game, decision: Any, plan: Any) -> Any:
        unit = game.state.unit(decision.unit)
        return (flying.FLY_ON if flying.flies_on(self._planner(game), unit) else flying.HOVER,)

    def _on_turn(self, game: Game, decision: Any, plan: Any) -> Any:
        turn = flying.best_turn(self._planner(game), game.state.unit(decision.unit))
        return (max(decision.least, min(decision.most, turn)),)

    def _on_bombs(self, game: Game, decision: Decision, plan: Any) -> Any:
        return (True,)

    def _on_bomb_target(self, game: Game, decision: Any, plan: Any) -> Any:
        return (declaring.best_at_stake(self._planner(game), decision, decision.options),)

    # -- care and loss ----------------------------------------------------------------------------------------

    def _cared(self, game: Game, decision: Any) -> Any:
        """The patient for whom most is done."""
        planner = self._planner(game)
        unit = game.state.unit(decision.unit)
        return (max(decision.options, key=lambda id: planner.specials.care(unit, game.state.unit(id), decision.key)),)

    def _on_heal(self, game: Game, decision: Any, plan: Any) -> Any:
        return self._cared(game, decision)

    _on_heal_zombies = _on_heal

    def _on_repair(self, game: Game, decision: Any, plan: Any) -> Any:
        return self._cared(game, decision)

    def _on_repaired_effect(self, game: Game, decision: Any, plan: Any) -> Any:
        """The effect that costs the vehicle most."""
        about = decision.meaning(decision.options[0])
        vehicle = game.state.unit(about.targets[0]) if about.targets else game.state.unit(decision.unit)
        specials = self._planner(game).specials
        return (max(decision.options, key=lambda effect: specials.effect_costs(vehicle, effect)),)

    def _on_effect(self, game: Game, decision: Any, plan: Any) -> Any:
        """The lesser effect that costs the enemy's machine most."""
        vehicle = game.state.unit(decision.unit)
        specials = self._planner(game).specials
        return (max(decision.options, key=lambda effect: specials.effect_costs(vehicle, effect)),)

    def _on_recovery(self, game: Game, decision: Any, plan: Any) -> Any:
        """The miniature that was missed most comes back, before scratches are healed."""
        about = decision.meaning(decision.options[0])
        unit = game.state.unit(about.targets[0]) if about.targets else game.state.unit(decision.unit)
        planner = self._planner(game)

        def worth(relief: tuple[str, int]) -> float:
            kind, man = relief
            return losing.missed(planner, unit, man) * (1.0 if kind == "casualty" else 0.5)

        return (max(decision.options, key=worth),)

    def _on_casualties(self, game: Game, decision: Any, plan: Any) -> Any:
        """Whoever does least against the enemies that are there falls first, the leader and heroes last."""
        unit = game.state.unit(decision.unit)
        planner = self._planner(game)
        missed = {man: losing.missed(planner, unit, man) for man in {token[0] for token in decision.options}}
        order = sorted(decision.options, key=lambda token: (missed[token[0]], token))
        fallen = order[: decision.least]
        return (tuple(token for token in decision.options if token in fallen),)

    def _on_weapon_lost(self, game: Game, decision: Any, plan: Any) -> Any:
        """The enemy takes the best weapon, the owner gives the least."""
        unit = game.state.unit(decision.unit)
        planner = self._planner(game)
        worth = {pair: losing.weapon_worth(planner, unit, pair[0], pair[1]) for pair in decision.options}
        pick = min if decision.player == unit.side else max
        return (pick(decision.options, key=lambda pair: worth[pair]),)

    def _on_cheat_death(self, game: Game, decision: Decision, plan: Any) -> Any:
        """Once a game: when it may be lost by it, or much of it, or nothing comes after this turn."""
        odds = [one.odds for one in choices.of_stakes(decision.at_stake(False))]
        late = self._planner(game).values.is_last_turn
        hurt = any(one.destroyed > 0.1 or one.mean_losses > 0.35 * one.capacity for one in odds)
        return (late or not odds or hurt,)

    def _on_panzer_ace(self, game: Game, decision: Decision, plan: Any) -> Any:
        """Once a game: when the vehicle may be lost by it, or much of it, and turning the roll helps."""
        (kept,) = choices.of_stakes(decision.at_stake(False))
        (turned,) = choices.of_stakes(decision.at_stake(True))
        saved = kept.odds.mean_losses - turned.odds.mean_losses
        rescued = kept.odds.destroyed - turned.odds.destroyed
        late = self._planner(game).values.is_last_turn
        return (rescued > 0.15 or saved > 0.35 * kept.odds.capacity or (late and saved > 0),)

    def _on_promote(self, game: Game, decision: Any, plan: Any) -> Any:
        able = [id for id in decision.options if id is not None]
        return (max(able, key=lambda id: game.state.unit(id).ap),) if able else None

    def _on_stand_in_leader(self, game: Game, decision: Any, plan: Any) -> Any:
        """The enemy's stand-in: whoever is farthest from the others, so that few are in formation."""
        unit = game.state.unit(decision.unit)
        if len(unit.bodies) != len(unit.men):
            return None
        spots = {man: (body.x, body.y) for man, body in zip(unit.men, unit.bodies, strict=True)}
        return (max(decision.options, key=lambda man: sum(math.dist(spots[man], spot) for spot in spots.values())),)

    # -- worth ------------------------------------------------------------------------------------------------

    def worth(self, game: Game, player: int) -> Worth:
        """Points alive, markers, ground and the fire that may still come, on both sides."""
        state: State = game.state
        planner = self._planner(game)
        values = planner.values
        late = values.is_last_turn
        alive, threat = [0.0, 0.0], [0.0, 0.0]
        for unit in state.units:
            if unit.alive:
                alive[unit.side] += self._alive(unit, planner)
            if unit.on_table:
                threat[unit.side] -= planner.pull(unit, planner.here(unit)[0], unit.bodies)
        for side in (0, 1):
            threat[side] += TO_COME * planner.fire_to_come(side)
        points = game.play.rules.victory.points(state) if state.scenario is not None else (0, 0)
        lead = points[player] - points[1 - player]
        goals = self.weights["objective"] * lead * GOALS
        if late and state.scenario is not None:
            least = state.scenario.lead
            goals += LEADING if lead >= least else -LEADING if -lead >= least else 0.0
        total = self.weights["lose"] * alive[player] - self.weights["destroy"] * alive[1 - player]
        total += goals - threat[player] + threat[1 - player]
        if game.over:
            total += 0.0 if game.winner is None else WON if game.winner == player else -WON
        return Worth(total, alive[player], alive[1 - player], goals)

    def _alive(self, unit: Unit, planner: Planner) -> float:
        """What a unit is worth as it is: its points, less its damage, markers and effects."""
        values = planner.values
        finish = 1.0 - MARGIN if values.is_last_turn else self.weights["finish"]
        whole = sum(figure.card.capacity for figure in unit.figures)
        value = values.price(unit) * (finish + (1.0 - finish) * unit.points_left / max(1, whole))
        done = MARGIN if values.is_last_turn and unit.activated else 1.0
        if unit.suppression:
            value -= done * self.weights["shaken"] * unit.ap * (1.0 + 0.3 * (unit.suppression - 1))
            if unit.suppression > len(unit.men) and not unit.is_hero_led and unit.bodies:
                value -= done * 0.5 * planner.specials.running_costs(unit)
        if unit.is_aircraft and unit.notes.get("left by"):
            value -= GONE_ASTRAY * unit.ap
        if unit.empty:
            value -= done * 0.06 * unit.ap
        return value - done * sum(EFFECTS.get(effect, 0.06) for effect in unit.effects) * unit.ap


def adviser(weights: dict[str, float]) -> WarfareAdviser:
    """The adviser with these weights."""
    return WarfareAdviser(weights)


__all__ = ["WarfareAdviser", "adviser"]
