"""The adviser of Dust Warfare: which unit first, what it does, who reacts with what, orders, who falls.

Whatever it does not know better the general adviser answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dieselfront.kernel.decisions import Answer, Decision, Path
from dieselfront.kernel.game import Game
from dieselfront.odds import choices
from dieselfront.players.adviser import Candidate, Effort, Level, Memory, Worth
from dieselfront.players.general import WON, GeneralAdviser
from dieselfront.rulesets.warfare.activation import ATTACK as FIRE
from dieselfront.rulesets.warfare.adviser.plans import Plan, Planner
from dieselfront.rulesets.warfare.adviser.setting_up import best_spot, best_squad, next_to_place
from dieselfront.rulesets.warfare.command import REGROUP, TAKE_ACTION
from dieselfront.rulesets.warfare.reactions import ATTACK, DIRT, MOVE
from dieselfront.rulesets.warfare.ruleset import Warfare
from dieselfront.rulesets.warfare.state import State, Unit

LEVELS: Mapping[str, Level] = {
    "recruit": Level(candidates=12, noise=28.0, confusion=2.0),
    "regular": Level(candidates=12, noise=18.0, confusion=1.0),
    "veteran": Level(candidates=12, noise=2.5),
    "ace": Level(effort=Effort(candidates=6, playouts=36, replies=0, trust=3.0, reactions=False, seconds=6.0)),
    "marshal": Level(
        effort=Effort(
            candidates=10, playouts=48, replies=3, trust=3.0, blend=True, reactions=False, learned=200.0, seconds=12.0
        ),
        sharp=True,
    ),
}
"""How levels think here: a unit costs 10 to 40 points."""

FIRST_STRIKE = 0.3
"""What acting before the enemy, who cannot react, adds to a single attack."""
TO_COME = 1.0
"""The share of the fire still to come that is expected to come."""
RAISED = 2 / 3
"""The chance that one marker stays on a unit that rolls for it."""


class WarfareAdviser(GeneralAdviser):
    """Quick judgement for Dust Warfare."""

    levels = LEVELS
    press = 0.0  # its own plans look at the score

    def begins(self, decision: Decision) -> bool:
        return decision.key in ("activate", "order")

    def opens(self, decision: Decision) -> bool:
        return decision.key == "actions"

    # -- candidates -------------------------------------------------------------------------------------------

    def candidates(self, game: Game, memory: Memory, most: int) -> Sequence[Candidate]:
        decision = game.pending
        assert decision is not None
        makers = {
            "activate": self._turns, "actions": self._actions, "order": self._orders, "reaction": self._reactions,
            "target": self._targets,
        }  # fmt: skip
        maker = makers.get(decision.key)
        if maker is None:
            return ()
        made = maker(decision, self._planner(game))
        made.sort(key=lambda one: -one.value)
        if decision.key == "target":  # the plan under way goes on
            for one in made:
                one.note = memory.get(decision.player)
        return made[: 1 if decision.key == "activate" and not self.sharp else most]

    def _planner(self, game: Game) -> Planner:
        rules = game.rules
        assert isinstance(rules, Warfare)
        return Planner(rules, game.state, self.weights)

    def _turns(self, decision: Any, planner: Planner) -> list[Candidate]:
        """Who acts next: first whoever does most now, so that fewer enemies are left to react."""
        made = []
        for id in decision.options:
            unit = planner.state.unit(id)
            value = planner.fire_here(unit)[0] if unit.bodies else 0.0
            made.append(Candidate(id, value, None, unit.name))
        return made

    def _actions(self, decision: Any, planner: Planner) -> list[Candidate]:
        unit = planner.state.unit(decision.unit)
        plans = planner.plans(unit, decision.options)
        rest = next((plan.value for plan in plans if not plan.actions), 0.0)
        useful = [plan for plan in plans if not plan.is_idle] or plans
        return [Candidate(plan.actions, plan.value - rest, plan, f"{unit.name}: {plan.words}") for plan in useful]

    def _orders(self, decision: Any, planner: Planner) -> list[Candidate]:
        made = []
        for option in decision.options:
            value = 0.0 if option is None else self._order_worth(planner, option)
            if option is None or value > 0:  # no level wastes an order
                made.append(Candidate(option, value, None, decision.label(option)))
        return made or [Candidate(decision.options[0], 0.0, None, decision.label(decision.options[0]))]

    def _order_worth(self, planner: Planner, option: Any) -> float:
        """Regroup the shaken; let those act now who have something to shoot at."""
        unit = planner.state.unit(option[1])
        if not unit.bodies:
            return 0.2 if option[0] == TAKE_ACTION else 0.0
        fire = planner.fire_here(unit)[0]
        if option[0] == REGROUP:
            markers = unit.suppression
            lost = 0.5 * max(fire, 0.2 * unit.ap)
            retreats = unit.ap * 0.3 if markers > len(unit.men) and not unit.is_hero_led else 0.0
            return (lost * (1.0 - (1.0 - RAISED) ** markers) + retreats) if markers else -1.0
        if option[0] == TAKE_ACTION:
            return FIRST_STRIKE * fire if fire else -0.1
        return 0.5

    def _targets(self, decision: Any, planner: Planner) -> list[Candidate]:
        """Every target with what attacking it from here is worth; of two ways to attack it the one that hurts more."""
        unit = planner.state.unit(decision.unit)
        spot = planner.here(unit)
        ways: dict[str, list[Any]] = {}
        for aim in decision.options:
            if aim is not None and aim[0] != "choose":
                ways.setdefault(aim[1], []).append(aim)
        made = []
        for target, aims in ways.items():
            aim = aims[0] if len(aims) == 1 else max(aims, key=lambda one: self._exact(decision, one))
            value = planner.fire_at(unit, spot, planner.state.unit(target))
            made.append(Candidate(aim, value, None, decision.label(aim)))
        return made

    def _exact(self, decision: Decision, aim: Any) -> float:
        return sum(target_odds.odds.mean_losses for target_odds in choices.of_stakes(decision.at_stake(aim)))

    # -- reactions --------------------------------------------------------------------------------------------

    def _reactions(self, decision: Any, planner: Planner) -> list[Candidate]:
        """Who fires back, who lies down: a unit that has acted this turn reacts for nothing."""
        state = planner.state
        costs = {option[0]: self._cost(planner, state.unit(option[0])) for option in decision.options if option}
        lying = any(option and option[1] == DIRT for option in decision.options)
        losses = self._losses(planner, decision, None) if lying else {}
        made = [Candidate(None, 0.0, None, "no reaction")]
        for option in decision.options:
            if option is None:
                continue
            unit, how = state.unit(option[0]), option[1]
            value = -costs[unit.id]
            if how == ATTACK:
                value += self._answer_fire(planner, decision, unit, option)
            elif how == DIRT:
                value += losses.get(unit.id, 0.0) - self._losses(planner, decision, option).get(unit.id, 0.0)
                value -= 0.0 if unit.activated else 0.3 * costs[unit.id]
            elif how == MOVE:
                value += 0.15 * losses.get(unit.id, 0.0) - 0.02 * unit.ap
            made.append(Candidate(option, value, None, decision.label(option)))
        return made

    def _cost(self, planner: Planner, unit: Unit) -> float:
        """What the action costs that a reaction marker takes from a unit that has not acted."""
        if unit.activated:
            return 0.0
        fire = planner.best_fire(unit, planner.here(unit))[0]
        return self.weights["tempo"] * max(fire, 0.08 * unit.ap)

    def _answer_fire(self, planner: Planner, decision: Decision, unit: Unit, option: Any) -> float:
        about = decision.meaning(option)
        return sum(planner.fire_at(unit, planner.here(unit), planner.state.unit(id)) for id in about.targets)

    def _losses(self, planner: Planner, decision: Decision, option: Any) -> dict[str, float]:
        """Points that the attack costs each of its targets if this is the answer."""
        lost: dict[str, float] = {}
        for target_odds in choices.of_stakes(decision.at_stake(option)):
            unit = planner.state.unit(target_odds.target)
            if unit.side == decision.player:
                odds, finish = target_odds.odds, self.weights["finish"]
                share = (1.0 - finish) * odds.mean_losses / max(1, odds.capacity) + finish * odds.destroyed
                lost[unit.id] = lost.get(unit.id, 0.0) + unit.ap * share
        return lost

    # -- answers ----------------------------------------------------------------------------------------------

    def answer(self, game: Game, memory: Memory) -> Answer:
        decision = game.pending
        assert decision is not None
        made = self.candidates(game, memory, 1)
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

    def _on_ordered_action(self, game: Game, decision: Any, plan: Any) -> Any:
        """Orders are given to those who have somebody to shoot at."""
        fires = FIRE in decision.options and self._planner(game).fire_here(game.state.unit(decision.unit))[1]
        return (FIRE,) if fires else None

    def _on_move(self, game: Game, decision: Path, plan: Any) -> Any:
        """The way that was planned, as long as it can be gone; else the best place now."""
        unit = game.state.unit(decision.unit)
        if isinstance(plan, Plan) and plan.way and decision.region.why_not(plan.way) is None:
            return (plan.way,)
        if unit.is_aircraft:
            return None
        planner = self._planner(game)
        region: Any = decision.region
        _, way, _ = planner.move(unit, region.clearance.move.kind, with_fire=False)
        return (way,) if decision.region.why_not(way) is None else None

    def _on_casualties(self, game: Game, decision: Any, plan: Any) -> Any:
        """Plain soldiers fall first, then those with better weapons, the leader and heroes last."""
        unit = game.state.unit(decision.unit)
        order = sorted(decision.options, key=lambda token: (_missed(unit, token[0]), token))
        fallen = order[: decision.least]
        return (tuple(token for token in decision.options if token in fallen),)

    def _on_weapon_lost(self, game: Game, decision: Any, plan: Any) -> Any:
        """The enemy takes the best weapon, the owner gives the least."""
        unit = game.state.unit(decision.unit)
        strength = {pair: _strength(unit, pair[0], pair[1]) for pair in decision.options}
        pick = min if decision.player == unit.side else max
        return (pick(decision.options, key=lambda pair: strength[pair]),)

    def _on_bombs(self, game: Game, decision: Decision, plan: Any) -> Any:
        return (True,)

    def _on_cheat_death(self, game: Game, decision: Decision, plan: Any) -> Any:
        return (True,)

    def _on_panzer_ace(self, game: Game, decision: Decision, plan: Any) -> Any:
        """Once a game: when the vehicle may be lost by it, or much of it."""
        (target_odds,) = choices.of_stakes(decision.at_stake(False))
        return (target_odds.odds.destroyed > 0.15 or target_odds.odds.mean_losses > 0.4 * target_odds.odds.capacity,)

    def _on_promote(self, game: Game, decision: Any, plan: Any) -> Any:
        able = [id for id in decision.options if id is not None]
        return (max(able, key=lambda id: game.state.unit(id).ap),) if able else None

    # -- worth ------------------------------------------------------------------------------------------------

    def worth(self, game: Game, player: int) -> Worth:
        """Points alive, markers, ground and the fire that may still come, on both sides."""
        state: State = game.state
        planner = self._planner(game)
        alive, threat = [0.0, 0.0], [0.0, 0.0]
        for unit in state.units:
            if unit.alive:
                alive[unit.side] += self._alive(unit)
            if unit.on_table:
                threat[unit.side] -= planner.pull(unit, planner.here(unit)[0])
        for side in (0, 1):
            threat[side] += TO_COME * planner.fire_to_come(side)
        points = game.play.rules.victory.points(state) if state.scenario is not None else (0, 0)
        goals = self.weights["objective"] * (points[player] - points[1 - player]) * 0.5
        total = self.weights["lose"] * alive[player] - self.weights["destroy"] * alive[1 - player]
        total += goals - threat[player] + threat[1 - player]
        if game.over:
            total += 0.0 if game.winner is None else WON if game.winner == player else -WON
        return Worth(total, alive[player], alive[1 - player], goals)

    def _alive(self, unit: Unit) -> float:
        finish = self.weights["finish"]
        whole = sum(figure.card.capacity for figure in unit.figures)
        value = unit.ap * (finish + (1.0 - finish) * unit.points_left / max(1, whole))
        if unit.suppression:
            value -= self.weights["shaken"] * unit.ap * (1.0 + 0.3 * (unit.suppression - 1))
        value -= 0.06 * unit.ap * len(unit.effects)
        return value


def _missed(unit: Unit, man: int) -> float:
    """How much a figure is missed."""
    figure = unit.figures[man]
    led = 100.0 if figure.is_hero else 50.0 if man == unit.leader else 0.0
    roles = figure.card.soldiers[figure.number].roles if figure.number < len(figure.card.soldiers) else ()
    return led + 3.0 * len(roles) + sum(_strength(unit, man, place) for place in range(len(unit.carried(man))))


def _strength(unit: Unit, man: int, place: int) -> float:
    """Dice times damage of a weapon, at its best."""
    weapon = unit.weapons[unit.carried(man)[place]]
    return max((max(cell.dice, 3 * cell.spray) * cell.damage for cell in weapon.cells.values()), default=0)


def adviser(weights: dict[str, float]) -> WarfareAdviser:
    """The adviser with these weights."""
    return WarfareAdviser(weights)


__all__ = ["WarfareAdviser", "adviser"]
