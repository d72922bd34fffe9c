"""Special actions: what each is worth for a unit where it stands, or would stand after a move.

Whom it cares for: the retreating before the shaken, those in reach of the enemy before others, what still fights before
what is finished.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from dieselfront.rulesets.warfare.abilities.repairing import (
    CLEAR,
    HEAL,
    REGENERATE,
    REPAIR,
    SELF_REPAIR,
    Care,
    reliefs,
)
from dieselfront.rulesets.warfare.activation import EMBARK, EXTINGUISH, RELOAD
from dieselfront.rulesets.warfare.adviser.estimates import MM
from dieselfront.rulesets.warfare.adviser.values import EDGE, EFFECTS
from dieselfront.rulesets.warfare.damage_tables import FIRE
from dieselfront.rulesets.warfare.state import Unit

if TYPE_CHECKING:
    from dieselfront.rulesets.warfare.adviser.plans import Planner

HIT = 1 / 3
"""The chance of a HIT on one die."""
HEAL_ZOMBIES = "heal zombies"
CARES = (HEAL, HEAL_ZOMBIES, REPAIR)
RESCUED = 0.3
"""The share of a unit's points that a marker is worth that keeps it from running."""
OFF_TABLE = 0.8
"""The same where it would run off the table."""
READY = 0.4
"""What having a weapon loaded again is worth, as a share of its best attack."""
CLEARED = 0.02
"""The share of a unit's points that an obstacle less is worth."""
NEXT_TURN = 0.6
"""What helping a unit that has acted already is worth: it waits for the next turn."""


class Specials:
    """Worth of special actions in one position."""

    def __init__(self, planner: Planner) -> None:
        self.planner = planner
        self.rules = planner.rules
        self.state = planner.state
        self.values = planner.values

    def worth(self, unit: Unit, name: str) -> float:
        """What the action is worth from where the unit stands now."""
        if name in CARES:
            return max((self.care(unit, patient, name) for patient in self.patients(unit, name)), default=0.0)
        if name == SELF_REPAIR:
            return self._repaired(unit, unit)
        if name == REGENERATE:
            return self._regrown(unit)
        if name == EXTINGUISH:
            return self._extinguished(unit)
        if name == RELOAD:
            return self._reloaded(unit)
        if name == EMBARK:
            return self._embarked(unit)
        if name == CLEAR or name == "demolish":
            return 0.0 if self.values.is_last_turn else CLEARED * unit.ap
        return 0.05 * unit.ap

    # -- care -------------------------------------------------------------------------------------------------

    def patients(self, unit: Unit, name: str, more: int = 0) -> list[Unit]:
        """Whom the action could be done to from here, or after a move of so many inches."""
        cares = [one for one in self._cares(unit) if one.action == name]
        return [patient for care in cares for patient in care.patients(self.state, unit, more)]

    def _cares(self, unit: Unit) -> Iterable[Care]:
        owners = (getattr(answer, "__self__", None) for answer in unit.hooks.get("on_specials", ()))
        return [owner for owner in owners if isinstance(owner, Care)]

    def care(self, unit: Unit, patient: Unit, name: str) -> float:
        """What it is worth to care for a unit."""
        return self._repaired(unit, patient) if name == REPAIR else self._healed(patient)

    def _healed(self, patient: Unit) -> float:
        """A marker less for certain, perhaps a comrade back."""
        soon = NEXT_TURN if patient.activated else 1.0
        value = 0.0
        if patient.suppression:
            markers, men = patient.suppression, len(patient.men)
            value = soon * self.planner.action_worth(patient) * (_raised(markers) - _raised(markers - 1))
            value += 0.02 * patient.ap
            if markers > men and not patient.is_hero_led:
                value += soon * self.running_costs(patient) * (1.0 if markers == men + 1 else 0.3)
        if reliefs(patient):
            whole = sum(figure.card.capacity for figure in patient.figures)
            value += HIT * self.values.price(patient) * 0.6 / max(1, whole) * max(1, patient.figures[0].card.capacity)
        return value

    def running_costs(self, unit: Unit) -> float:
        """What retreating costs a unit: its ground, or itself where the edge is near."""
        if not unit.bodies or self.values.is_last_turn and not self.values.ends_score:
            return 0.1 * unit.ap
        near = self.values.edge(unit) <= unit.card.move * MM + EDGE
        return (OFF_TABLE if near else RESCUED) * unit.ap + (self.values.bonus(unit) if near else 0.0)

    def _repaired(self, unit: Unit, vehicle: Unit) -> float:
        """The worst effect is gone, a point of damage perhaps."""
        soon = NEXT_TURN if vehicle.activated else 1.0
        if self.values.is_last_turn:
            soon = 0.1 if vehicle.activated else 0.6
        worst = max((self.effect_costs(vehicle, effect) for effect in vehicle.effects), default=0.0)
        value = soon * worst
        if vehicle.wounds:
            chance = 1.0 - HIT if self._is_handy(unit) else HIT
            share = (1.0 - self.planner.weights["finish"]) / max(1, vehicle.figures[0].card.capacity)
            last = 0.25 if vehicle.points_left == 1 else 0.0
            value += chance * self.values.price(vehicle) * (share + last)
        return value

    def _is_handy(self, unit: Unit) -> bool:
        return unit.has("Tank Head") or unit.has("Expert Repair")

    def effect_costs(self, vehicle: Unit, effect: str) -> float:
        """What an effect of the damage table takes from a machine from now on."""
        if effect == FIRE:
            return self._burning(vehicle)
        return EFFECTS.get(effect, 0.1) * 1.5 * vehicle.ap

    def _burning(self, unit: Unit) -> float:
        """A point of damage at the end of every activation."""
        if not unit.is_vehicle or (self.values.is_last_turn and unit.activated):
            return 0.0
        if unit.points_left <= 1:
            return self.values.price(unit) + self.values.bonus(unit)
        share = 1.0 / max(1, unit.figures[0].card.capacity)
        left = max(1.0, unit.points_left - 1.0)
        return self.values.price(unit) * share * (1.0 + 1.0 / left)

    def _regrown(self, unit: Unit) -> float:
        fallen = [man for man in range(len(unit.figures)) if man not in unit.men]
        lost = sum(unit.figures[man].card.capacity for man in fallen) + sum(unit.wounds.values())
        whole = sum(figure.card.capacity for figure in unit.figures)
        return HIT * lost * self.values.price(unit) / max(1, whole) * 0.7

    def _extinguished(self, unit: Unit) -> float:
        return self._burning(unit)

    # -- weapons and rides ------------------------------------------------------------------------------------

    def _reloaded(self, unit: Unit) -> float:
        """What it could fire again next time."""
        if self.values.is_last_turn:
            return 0.0
        empty, unit.empty = unit.empty, ()
        try:
            fire = self.planner.best_fire(unit, self.planner.here(unit))[0] if unit.bodies else 0.0
        finally:
            unit.empty = empty
        return READY * fire + 0.06 * unit.ap

    def _embarked(self, unit: Unit) -> float:
        """A ride is worth something to whoever is far from everything and has a carrier that goes on this turn."""
        carriers = [self.state.unit(berth[0]) for berth in self.rules.transport.berths(self.state, unit)]
        if not carriers or self.values.is_last_turn or self.values.holding(unit):
            return 0.0
        fresh = any(not carrier.activated for carrier in carriers)
        here = self.planner.here(unit)
        pull = self.planner.pull(unit, here[0])
        return max(0.0, (0.3 if fresh else 0.05) * (unit.ap - pull)) * (
            0.3 if self.planner.is_near_enemies(unit) else 0.4
        )


RAISED = 2 / 3
"""The chance that one marker stays on a unit that rolls for it."""


def _raised(markers: int) -> float:
    """The chance that a unit with so many markers still has one after its roll."""
    return 1.0 - (1.0 - RAISED) ** markers if markers > 0 else 0.0


__all__ = ["CARES", "HIT", "Specials"]
