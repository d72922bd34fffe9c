"""What things are worth in points: damage, the end of a unit, markers, objectives, and the last turn.

Before the last turn a unit's points are spread over its damage and its end; then only what is scored counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dieselfront.rulesets.warfare.adviser.estimates import MM, Fire
from dieselfront.rulesets.warfare.damage_tables import BLINDED, BREACH, DETONATION, DRIVE, FIRE, WEAPON
from dieselfront.rulesets.warfare.state import State, Unit

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.battle import Battle, Objective
    from dieselfront.rulesets.warfare.ruleset import Warfare

ALL_GONE = 30.0
"""Points that the end of the last unit of a side is worth besides: the battle is over with it."""
FORESTALLED = 0.4
"""What it is worth that an enemy does not fire any more, as a share of what his best shot may cost."""
RUNS, RUNS_OFF = 0.15, 0.4
"""The share of its points that making an enemy run is worth, and making him run off the table."""
EDGE = 20.0
FIRED = 0.3
"""The share of that which is left of one who fires at this moment."""
HELD = 0.2
"""The same of one who is suppressed before he acts: perhaps he loses one of his actions."""
DECIDES = 30.0
"""Points that are worth more because they turn the result in the last turn."""
MARGIN = 0.1
"""The share of damage and markers that still counts in the last turn, where only ends score."""
UNSCORED = 0.05
"""The share of a unit's points that its end is worth in the last turn where only objectives score."""
EFFECTS = {BLINDED: 0.05, FIRE: 0.15, WEAPON: 0.12, DRIVE: 0.1, DETONATION: 0.2, BREACH: 0.2}
"""What effects of the damage table take from a machine, as a share of its points."""
SOON = 0.5
"""The share of an objective's points that shaking its holder off is worth before the last turn."""


class Values:
    """Points of one position."""

    def __init__(self, rules: Warfare, state: State, weights: dict[str, float]) -> None:
        self.rules = rules
        self.state = state
        self.weights = weights
        battle = state.scenario
        self.is_last_turn = battle is not None and state.turn >= battle.turns
        self.has_goals = battle is not None and battle.victory in ("objectives", "both") and bool(battle.objectives)
        self.ends_score = battle is None or battle.victory != "objectives"
        self._bonus: dict[str, float] = {}
        self._menace: dict[str, float] = {}
        self.harm: Callable[[Unit], float] | None = None
        """What an enemy may still do, as far as somebody can tell who knows places."""
        self._at: dict[tuple[str, str], bool] = {}
        self._alive = [len(state.of(0)), len(state.of(1))]
        self._points: tuple[int, int] | None = None

    # -- objectives -------------------------------------------------------------------------------------------

    @property
    def objectives(self) -> tuple[Objective, ...]:
        objectives: tuple[Objective, ...] = self.state.scenario.objectives if self.has_goals else ()
        return objectives

    def share(self) -> float:
        """How much of an objective's points counts now: all where every turn scores and at the end."""
        battle: Battle = self.state.scenario
        if battle.scoring == "each turn":
            return 1.0
        return 0.4 + 0.6 * min(1.0, self.state.turn / max(1, battle.turns))

    def is_at(self, unit: Unit, objective: Objective) -> bool:
        """Does it stand at the objective (and is it no aircraft)?"""
        key = (unit.id, objective.id)
        at = self._at.get(key)
        if at is None:
            at = self._at[key] = unit.on_table and not unit.is_aircraft and self.rules.victory.is_at(unit, objective)
        return at

    def company(self, side: int, objective: Objective, but: Unit | None = None) -> int:
        """How many units of a side stand at an objective."""
        return sum(self.is_at(unit, objective) for unit in self.state.units if unit.side == side and unit is not but)

    def holding(self, unit: Unit) -> float:
        """What becomes of objectives if the unit were gone: those it holds alone, and those it keeps from the enemy."""
        swing = 0.0
        for objective in self.objectives:
            if self.is_at(unit, objective) and not self.company(unit.side, objective, unit):
                swing += objective.points
        return swing * self.share() if swing else 0.0

    # -- units ------------------------------------------------------------------------------------------------

    def lead(self, side: int) -> int:
        """How many points a side is ahead if the battle ended now."""
        if self._points is None:
            self._points = (0, 0) if self.state.scenario is None else self.rules.victory.points(self.state)
        return self._points[side] - self._points[1 - side]

    def price(self, unit: Unit) -> float:
        """The points that count of a unit: all of them, or in the last turn those that are scored."""
        if not self.is_last_turn or self.ends_score:
            return float(unit.ap)
        return UNSCORED * unit.ap

    def bonus(self, unit: Unit) -> float:
        """What its end is worth besides its points: objectives it holds, the battle itself."""
        bonus = self._bonus.get(unit.id)
        if bonus is None:
            bonus = self._bonus[unit.id] = self._bonus_of(unit)
        return bonus

    def _bonus_of(self, unit: Unit) -> float:
        swing = self.holding(unit) * (1.0 if self.is_last_turn else SOON)
        bonus = self.weights["objective"] * swing
        if self.is_last_turn and self.state.scenario is not None:
            lead = self.lead(1 - unit.side)
            scored = swing + (unit.ap if self.ends_score else 0)
            if scored and lead < self.state.scenario.lead <= lead + scored:
                bonus += DECIDES
        return bonus

    def gain(self, target: Unit, expected: Fire) -> float:
        """Points that fire at an enemy is worth: what he loses, and what he cannot do any more."""
        value = self.loss(target, expected)
        if expected.destroyed and self._alive[target.side] == 1:
            value += ALL_GONE * expected.destroyed
        if expected.losses:
            share = expected.losses / max(1, target.points_left)
            less = expected.destroyed if target.is_machine else max(expected.destroyed, share)
            value += FORESTALLED * self.menace(target) * less
        return value

    def menace(self, enemy: Unit) -> float:
        """What an enemy may still do this turn, or in the next one."""
        harm = self._menace.get(enemy.id)
        if harm is None:
            self._menace[enemy.id] = 0.0  # whoever measures it may ask again
            harm = self._menace[enemy.id] = 0.0 if self.harm is None else self.harm(enemy)
        return harm

    def has_fired(self, enemy: Unit) -> None:
        """Whoever attacks at this moment does not do it again soon."""
        self._menace[enemy.id] = FIRED * self.menace(enemy)

    def loss(self, target: Unit, expected: Fire) -> float:
        """Points that fire takes from a unit: losses, its end, the marker that every HIT brings to soldiers, and what
        the damage table does to machines."""
        weights = self.weights
        finish = weights["finish"]
        share = expected.losses / max(1, target.points_left)
        price = self.price(target)
        if self.is_last_turn:
            value = price * (MARGIN * share + (1.0 - MARGIN) * expected.destroyed)
        else:
            value = price * ((1.0 - finish) * share + finish * expected.destroyed)
        value += self.bonus(target) * expected.destroyed
        if expected.hit and not target.is_machine and not target.is_lone_hero:
            value += self.marker(target) * expected.hit
        return value

    def marker(self, target: Unit) -> float:
        """What one more suppression marker takes from a unit: an action, if it stays, and its nerve."""
        if not self.rules.suppression.may_be_suppressed(self.state, target):
            return 0.0
        fresh = 1.0 if not target.suppression else 0.35
        late = 0.5 if target.activated else 1.0
        if self.is_last_turn and target.activated:
            late = MARGIN
        worth = self.weights["shaken"] * target.ap + (0.0 if target.activated else HELD * self.menace(target))
        return worth * fresh * late + self.running(target) * late

    def running(self, target: Unit) -> float:
        """What it is worth that one more marker makes a unit run: off the table, where the edge is near."""
        men = len(target.men)
        if target.suppression != men or target.is_hero_led or not target.bodies:
            return 0.0
        return (RUNS_OFF if self.edge(target) <= target.card.move * MM + EDGE else RUNS) * target.ap

    def edge(self, unit: Unit) -> float:
        """How far its leader stands from the nearest table edge, in millimetres."""
        leader = unit.body_of(unit.leader if unit.leader in unit.men else unit.men[0])
        table = self.state.table
        return float(min(leader.x, table.width - leader.x, leader.y, table.depth - leader.y))

    def crippling(self, target: Unit, effects: dict[str, float]) -> float:
        """What the damage table is expected to take from a machine."""
        if self.is_last_turn and target.activated:
            return 0.0
        return target.ap * sum(EFFECTS.get(effect, 0.1) * chance for effect, chance in effects.items())


__all__ = ["ALL_GONE", "Values"]
