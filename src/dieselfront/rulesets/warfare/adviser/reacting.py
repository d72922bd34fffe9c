"""Reactions: who moves away, lies down or fires back, and who keeps his actions.

What a reaction brings is measured against what it costs: an action to whoever has not acted yet, the ground to whoever
steps aside, a marker to whoever lies down.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from dieselfront.odds import choices
from dieselfront.players.adviser import Candidate
from dieselfront.rulesets.warfare.activation import ATTACK as ATTACK_ACTION
from dieselfront.rulesets.warfare.activation import MOVE as MOVE_ACTION
from dieselfront.rulesets.warfare.activation import SUSTAINED
from dieselfront.rulesets.warfare.adviser.estimates import Fire
from dieselfront.rulesets.warfare.adviser.gunnery import NO_SHOOTING, standing
from dieselfront.rulesets.warfare.adviser.intent import Ended, Plan
from dieselfront.rulesets.warfare.firing import ATTACK as ATTACK_KIND
from dieselfront.rulesets.warfare.firing import REACTION as REACTION_KIND
from dieselfront.rulesets.warfare.firing import SUSTAINED as SUSTAINED_KIND
from dieselfront.rulesets.warfare.going import REACTION as REACTION_MOVE
from dieselfront.rulesets.warfare.going import Move
from dieselfront.rulesets.warfare.reactions import ATTACK, DIRT, MOVE
from dieselfront.rulesets.warfare.state import Unit

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.adviser.plans import Planner

TRIED = 8
"""So many places are looked at by whoever may step aside."""
NAMED = re.compile(r"\(([^()\s]+)\)")
STAYS = 2 / 3
"""The chance that one marker stays on a unit that rolls for it."""
WORTH_RUNNING = 0.8
"""Points of danger below which nobody thinks of stepping aside."""
RESERVE = 0.02
"""What any reaction costs at least, as a share of the unit's points: there may be a better moment."""
UNSEEN_PLACE = 0.15
"""The share of the danger that stepping aside saves where nobody looks for places."""
AGAIN = 0.5
"""What fire that the attacker could direct at somebody else instead is worth."""


class Reacting:
    """The reactions to one move or attack."""

    def __init__(self, planner: Planner, decision: Any, quick: bool = False) -> None:
        self.quick = quick
        """Is it asked in a playout, where nobody looks for places?"""
        self.planner = planner
        self.state = planner.state
        self.rules = planner.rules
        self.values = planner.values
        self.decision = decision
        self.actor = self._actor()
        self.is_attack = decision.has_stakes and bool(decision.at_stake(None))
        if self.is_attack and self.actor is not None:
            self.values.has_fired(self.actor)
        self.losses = self._losses(None) if self.is_attack else {}

    def _actor(self) -> Unit | None:
        """Who moves or attacks: the question names him first."""
        ids = {unit.id: unit for unit in self.state.units if unit.side != self.decision.player}
        return next((ids[id] for id in NAMED.findall(self.decision.text) if id in ids), None)

    # -- all answers ------------------------------------------------------------------------------------------

    def candidates(self) -> list[Candidate]:
        """Every reaction with its worth."""
        made = [Candidate(None, 0.0, None, "no reaction")]
        for option in self.decision.options:
            if option is None:
                continue
            unit, how = self.state.unit(option[0]), option[1]
            worth, plan = self._worth(unit, how, option)
            made.append(Candidate(option, worth, plan, self.decision.label(option)))
        return made

    def _worth(self, unit: Unit, how: str, option: Any) -> tuple[float, Plan | None]:
        cost = self.cost(unit) + (0.0 if self.values.is_last_turn else RESERVE * unit.ap)
        if how == ATTACK:
            value, plan = self._fired_back(unit)
            return value - cost, plan
        if how == DIRT:
            return self._lain_down(unit, option) - cost, None
        if how == MOVE:
            value, plan = self._stepped_aside(unit)
            return value - cost, plan
        return -cost, None

    def cost(self, unit: Unit) -> float:
        """What the action costs that a reaction marker takes from a unit that has not acted."""
        return 0.0 if unit.activated else self.planner.action_worth(unit)

    def _losses(self, option: Any) -> dict[str, float]:
        """Points that the attack costs each of its targets if this is the answer."""
        lost: dict[str, float] = {}
        for target_odds in choices.of_stakes(self.decision.at_stake(option)):
            unit = self.state.unit(target_odds.target)
            if unit.side == self.decision.player:
                odds = target_odds.odds
                share = self.values.loss(unit, Fire(odds.mean_losses, odds.destroyed, 1.0 - odds.hits[0]))
                lost[unit.id] = lost.get(unit.id, 0.0) + share
        return lost

    # -- fire -------------------------------------------------------------------------------------------------

    def _fired_back(self, unit: Unit) -> tuple[float, Plan | None]:
        if self.actor is None:
            return 0.0, None
        data = {"close only": True} if self._is_close(unit) else {}
        shooting = self.planner.gunnery.best(unit, REACTION_KIND, self.actor, **data)
        if shooting is NO_SHOOTING:
            return 0.0, None
        value = shooting.value
        fire = shooting.at(self.actor.id)
        if fire is not None and not self.is_attack:
            value += self._prevented(unit, fire)
        return value, Plan(value, (), None, self.actor.id, "fires back", shooting=shooting, unit=unit.id)

    def _is_close(self, unit: Unit) -> bool:
        """Is it a close combat, in which only close combat weapons answer?"""
        stakes = self.decision.at_stake(None) if self.is_attack else ()
        return any(stake.act == "assault" and stake.target == unit.id for stake in stakes)

    def _prevented(self, unit: Unit, fire: Fire) -> float:
        """Whoever falls before he fires does not fire."""
        if not self._attack_follows():
            return 0.0
        assert self.actor is not None
        share = max(fire.destroyed, fire.losses / max(1, self.actor.points_left))
        spot = self.planner.here(unit)
        inches = self.planner.scene.inches(unit, spot[0], self.actor)
        return share * AGAIN * self.planner.dangers.loss(self.actor, unit, spot, inches, True)

    def _attack_follows(self) -> bool:
        declared = self.actor.notes.get("declared", ()) if self.actor is not None else ()
        return declared[-1:] == (ATTACK_ACTION,) and declared[:1] == (MOVE_ACTION,)

    # -- lying down -------------------------------------------------------------------------------------------

    def _lain_down(self, unit: Unit, option: Any) -> float:
        """What a step of cover saves, less the marker that comes with it."""
        saved = self.losses.get(unit.id, 0.0) - self._losses(option).get(unit.id, 0.0)
        return saved - self._marker(unit)

    def _marker(self, unit: Unit) -> float:
        """A marker more makes it likelier that one stays, and that the unit runs."""
        if self.values.is_last_turn and unit.activated:
            return 0.0
        if not self.rules.suppression.may_be_suppressed(self.state, unit):
            return 0.0
        soon = 0.5 if unit.activated else 1.0
        worth = soon * (STAYS - STAYS**2) * self.planner.action_worth(unit)
        if unit.suppression + 2 > len(unit.men) and not unit.is_hero_led:
            worth += 0.3 * self.planner.specials.running_costs(unit)
        return worth

    # -- stepping aside ---------------------------------------------------------------------------------------

    def _stepped_aside(self, unit: Unit) -> tuple[float, Plan | None]:
        """The place where the attack is lost, or where least can come of it."""
        if self.actor is None:
            return 0.0, None
        now = self._threat_here(unit)
        if self.quick:
            return UNSEEN_PLACE * now - RESERVE * unit.ap, None
        if now < WORTH_RUNNING and not self.planner.values.has_goals:
            return 0.0, None
        planner = self.planner
        here = planner.here(unit)
        stay = planner.stand_closely(unit, here, unit.bodies) - now
        best, plan = 0.0, None
        for ended in self._places(unit, here):
            with standing(unit, ended.bodies, round(ended.spot[1])):
                there = self._threat_there(unit, ended)
            value = planner.stand_closely(unit, ended.spot, ended.bodies) - there - stay
            if value > best:
                best = value
                plan = Plan(value, (), ended.way, "", "steps aside", unit=unit.id)
        return best, plan

    def _places(self, unit: Unit, here: Any) -> list[Ended]:
        """The places that look best: away from the attacker, out of sight, in cover."""
        assert self.actor is not None
        planner = self.planner
        region = planner.rules.movement.region(Move(self.state, unit, REACTION_MOVE))
        rated = planner.rated(unit, REACTION_MOVE, region)
        far = planner.scene.inches
        reach = planner.scene.reach(self.actor, unit)

        actor = self.actor

        def hoped(one: Any) -> float:
            inches = far(unit, one[1].at, actor)
            lost = self.losses.get(unit.id, 0.0)
            return float(one[0]) + (lost if inches > reach else 0.02 * lost * inches)

        made = []
        for _, place in sorted(rated, key=hoped, reverse=True):
            route = region.route(place.way)
            if not isinstance(route, str):
                made.append(Ended(place.way, (place.at, place.heading), route.bodies))
            if len(made) >= TRIED:
                break
        return made

    def _threat_here(self, unit: Unit) -> float:
        """What the attack costs if it stays; of a mover, what his attack afterwards may cost."""
        if self.is_attack:
            return self.losses.get(unit.id, 0.0)
        assert self.actor is not None
        spot = self.planner.here(unit)
        return self._after_move(unit, spot)

    def _threat_there(self, unit: Unit, ended: Ended) -> float:
        """The same from a place where it stands for the question."""
        assert self.actor is not None
        if not self.is_attack:
            return self._after_move(unit, ended.spot)
        declared = self.actor.notes.get("declared", ())
        kind = SUSTAINED_KIND if SUSTAINED in declared else ATTACK_KIND
        shooting = self.planner.gunnery.best(self.actor, kind, unit)
        struck = shooting.at(unit.id)
        return 0.0 if struck is None else min(self.losses.get(unit.id, 0.0), self.values.loss(unit, struck))

    def _after_move(self, unit: Unit, spot: Any) -> float:
        """What the mover's attack may cost the unit there."""
        assert self.actor is not None
        if not self._attack_follows():
            return 0.0
        planner = self.planner
        inches = max(0.0, planner.scene.inches(unit, spot[0], self.actor) - self.actor.card.move)
        if inches > planner.scene.reach(self.actor, unit):
            return 0.0
        seen = planner.dangers.sees(self.actor, unit)
        return AGAIN * planner.dangers.loss(self.actor, unit, spot, inches, seen)


__all__ = ["Reacting"]
