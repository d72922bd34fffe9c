"""Getting out and coming in: where a unit is set down, and what it can still do from there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dieselfront.rulesets.warfare.activation import ATTACK, DISEMBARK, MOVE
from dieselfront.rulesets.warfare.adviser.estimates import centre
from dieselfront.rulesets.warfare.adviser.intent import Plan, words_of
from dieselfront.rulesets.warfare.going import MOVE as MOVE_KIND
from dieselfront.rulesets.warfare.state import ABOARD, TABLE, Unit

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.adviser.plans import Planner

COMES_IN = 0.3
"""The share of its points that coming onto the table is worth to a unit."""
MOST_SPOTS = 12
SOON = 0.5
"""What a shot that it may have next is worth to whoever comes in."""
RIDES_ON = 0.1
"""What a seat is worth beside standing on the table, as a share of a unit's points: it is out of fire."""


class Boarding:
    """Plans of units that are not on the table."""

    def __init__(self, planner: Planner) -> None:
        self.planner = planner
        self.rules = planner.rules
        self.state = planner.state

    def plan(self, unit: Unit, names: tuple[str, ...]) -> Plan:
        """What a sequence is worth to a unit aboard or off the table."""
        words = words_of(names)
        if unit.place == ABOARD and names[:1] == (DISEMBARK,):
            return self._out(unit, names, words)
        if not names:
            return Plan(self._seated(unit), names, None, "", words, False, unit=unit.id)
        return Plan((COMES_IN + 0.1 * (len(names) > 1)) * unit.ap, names, None, "", words, unit=unit.id)

    def _seated(self, unit: Unit) -> float:
        """A ride goes on if the carrier does not stand where it is going."""
        if self.planner.values.is_last_turn or unit.place != ABOARD:
            return 0.0
        carrier = self.state.unit(unit.carrier)
        goes_on = not carrier.activated and carrier.on_table
        return (RIDES_ON + (0.15 if goes_on else 0.0)) * unit.ap

    def _out(self, unit: Unit, names: tuple[str, ...], words: str) -> Plan:
        """The best spot to get out, with a move or an attack from there."""
        carrier = self.state.unit(unit.carrier)
        transport = self.rules.transport
        if carrier.place != TABLE or not transport.may_disembark(self.state, unit):
            return Plan(0.0, names, None, "", words, True, unit=unit.id)
        region = transport.exit_region(self.state, unit, carrier, transport.exit_inches(unit, carrier))
        best = Plan(0.0, names, None, "", words, True, unit=unit.id)
        for answer in _spread(region.spots(4 * MOST_SPOTS), MOST_SPOTS):
            bodies = region.bodies(answer) if answer else "nowhere"
            if isinstance(bodies, str) or not bodies:
                continue
            plan = self._from(unit, names, words, answer, bodies)
            if best.is_idle or plan.value > best.value:
                best = plan
        return best

    def _from(self, unit: Unit, names: tuple[str, ...], words: str, answer: Any, bodies: Any) -> Plan:
        """The unit stands there for a question."""
        kept = unit.place, unit.bodies, unit.heading
        unit.place = TABLE
        by_key = {body.key: body for body in bodies}
        unit.bodies = [by_key[unit.id, man] for man in unit.men]
        try:
            there = type(self.planner)(self.rules, self.state, self.planner.weights)
            spot = (centre(unit), float(unit.heading))
            if MOVE in names:
                value, ended, _ = there.move(unit, MOVE_KIND)
                return Plan(value, names, ended.way, "", words, not ended.way, spot=answer, unit=unit.id)
            value = there.stand_closely(unit, spot, unit.bodies)
            if ATTACK in names:
                done = there.act(unit, ATTACK)
                value += done.value
                return Plan(
                    value, names, None, done.shooting.target, words, done.is_idle, done.shooting, answer, unit.id
                )
            return Plan(value, names, None, "", words, spot=answer, unit=unit.id)
        finally:
            unit.place, unit.bodies, unit.heading = kept


def best_entry(planner: Planner, unit: Unit, region: Any) -> Any:
    """Where a unit comes onto the table: where it stands best and has somebody to shoot at next."""
    best: tuple[float, Any] = (float("-inf"), None)
    for answer in _spread(region.spots(6 * MOST_SPOTS), 3 * MOST_SPOTS):
        if not answer:
            continue
        spot = ((float(answer[0]), float(answer[1])), float(answer[2]))
        value = planner.stand(unit, spot) + SOON * planner.best_fire(unit, spot)[0]
        if value > best[0] and region.why_not(answer) is None:
            best = (value, answer)
    return best[1]


def _spread(spots: Any, most: int) -> list[Any]:
    """So many of them, from all over the list."""
    listed = list(spots)
    if len(listed) <= most:
        return listed
    return [listed[number * len(listed) // most] for number in range(most)]


__all__ = ["Boarding", "best_entry"]
