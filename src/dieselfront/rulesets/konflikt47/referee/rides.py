"""Why a unit may not ride or be towed, with the rule (k47.transport.*, k47.artillery.tow)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.state import ADVANCE, RUN, State, Unit
from dieselfront.table.measured.shapes import distance

if TYPE_CHECKING:
    from dieselfront.rulesets.konflikt47.ruleset import Konflikt47

Refusal = tuple[str, str]
"""A rule and the reason it gives."""


def ride(rules: Konflikt47, state: State, unit: Unit, carrier: Unit) -> Refusal | None:
    """Why a unit may not be aboard; None if it may."""
    pair = f"{unit.card.name} cannot ride in {carrier.card.name}"
    vehicle = carrier.card.vehicle
    if carrier.side != unit.side or carrier is unit:
        return "k47.transport.mount", f"{pair}: only friends ride along"
    if vehicle is None or not vehicle.capacity:
        return "k47.transport.capacity", f"{pair}: it carries nobody"
    if not unit.is_infantry or unit.is_mounted:
        return "k47.transport.capacity", f"{pair}: only infantry on foot rides"
    taken = sum(rules.transports.seats(other) for other in state.passengers(carrier) if other is not unit)
    left, needed = vehicle.capacity - taken, rules.transports.seats(unit)
    if needed > left:
        return "k47.transport.capacity", f"{pair}: it takes {needed} places, {left} are left"
    return None


def tow(rules: Konflikt47, state: State, gun: Unit, carrier: Unit) -> Refusal | None:
    """Why a gun may not be towed; None if it may."""
    pair = f"{gun.card.name} cannot be towed by {carrier.card.name}"
    if carrier.side != gun.side or not gun.is_artillery:
        return "k47.artillery.tow", f"{pair}: only guns of its own side are towed"
    place, gun.carrier = gun.carrier, ""
    able = rules.artillery.can_tow(state, carrier, gun)
    gun.carrier = place
    return None if able else ("k47.transport.capacity", f"{pair}: it tows no gun of that size")


def mounting(rules: Konflikt47, state: State, unit: Unit, carrier: Unit, order: str) -> Refusal | None:
    """Why a unit may not go aboard from where it stands."""
    why = ride(rules, state, unit, carrier)
    pair = f"{unit.card.name} cannot mount {carrier.card.name}"
    if why is not None:
        return why
    if carrier.order in (ADVANCE, RUN):
        return "k47.transport.mount", f"{pair}: it has moved this turn"
    reach = rules.movement.reach(unit, order) + INCH
    if not carrier.bodies or any(distance(body, carrier.bodies[0]) > reach for body in unit.bodies):
        return "k47.transport.mount", f"{pair}: not every model gets within 1 inch of it"
    return None


__all__ = ["mounting", "ride", "tow"]
