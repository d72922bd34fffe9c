"""Transport: passengers, airlifters, sealifters, pilots who leave.

d47.transport.*, d47.airlift.*, d47.sealift.*, d47.pilot.*.
"""

from __future__ import annotations

from dieselfront.kernel.game import Play, Procedure
from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.activation import Activation


class Transport:
    """Carriers and those they carry."""

    def begin_aboard(self, play: Play, unit: Unit) -> None:
        return

    def may_leave(self, play: Play, unit: Unit) -> tuple[bool, bool]:
        return False, False

    def leave(self, activation: Activation, budget: int, action: str) -> Procedure:
        return
        yield

    def offer_mounting(self, activation: Activation) -> Procedure:
        return
        yield

    def passenger_may_react(self, play: Play, unit: Unit) -> bool:
        return False

    def carrier_or_self(self, play: Play, unit: Unit) -> Unit:
        found: Unit = play.state.by_id[unit.aboard] if unit.aboard else unit
        return found

    def before_lost(self, play: Play, unit: Unit) -> Procedure:
        return
        yield

    def after_lost(self, play: Play, unit: Unit, where: tuple[int, ...]) -> Procedure:
        return
        yield
