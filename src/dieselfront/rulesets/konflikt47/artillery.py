"""Artillery: guns and their crews, towing and limbering (k47.artillery.*)."""

from __future__ import annotations

from dieselfront.kernel.decisions import PickOne, PlaceFree
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import on_unit
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.events import Placed
from dieselfront.rulesets.konflikt47.going import Clearance
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.spots import SpotRegion, box_round, near
from dieselfront.rulesets.konflikt47.state import ADVANCE, DOWN, FIRE, RALLY, RUN, TABLE, TOWED, State, Unit
from dieselfront.table.measured.shapes import distance

HITCH = 2 * INCH  # units stand more than 1" apart, so "in contact" is taken as within 2"
SIZES = ("light", "medium", "heavy", "super-heavy")


class Artillery(Chapter):
    """Guns."""

    def tow_size(self, unit: Unit) -> str:
        """How heavy a gun is to tow; rift guns count as medium (k47.special.quirks)."""
        size: str = unit.ask("on_tow_size", unit.card.gun, unit)
        return size

    def can_tow(self, state: State, carrier: Unit, gun: Unit) -> bool:
        """The card says how big a gun it tows (k47.transport.capacity)."""
        vehicle = carrier.card.vehicle
        if vehicle is None or vehicle.tow not in SIZES or any(unit.is_artillery for unit in state.passengers(carrier)):
            return False
        return SIZES.index(self.tow_size(gun)) <= SIZES.index(vehicle.tow)

    def tows(self, state: State, gun: Unit) -> list[Unit]:
        """Tow vehicles the gun can be limbered to now (k47.artillery.tow)."""
        if gun.gun is None or gun.dug_in:
            return []
        return [
            carrier
            for carrier in state.friends(gun)
            if carrier.is_vehicle
            and carrier.order != RUN
            and self.can_tow(state, carrier, gun)
            and distance(gun.gun, carrier.bodies[0]) <= HITCH
        ]

    def limber(self, play: Play, gun: Unit) -> Procedure:
        """A Fire order may limber the gun instead (k47.artillery.tow); True if it did."""
        tows = self.tows(play.state, gun)
        if not tows:
            return False
        choice = yield PickOne(
            gun.side,
            "limber",
            [None, *[tow.id for tow in tows]],
            text=f"Is {gun.card.name} limbered?",
            rule="k47.artillery.tow",
            unit=gun.id,
            act="ride",
            about=on_unit("ride", gun.id),
        )
        if choice is None:
            return False
        self.hitch(play, gun, play.state.unit(choice))
        return True

    def hitch(self, play: Play, gun: Unit, tow: Unit) -> None:
        """The gun moves with the vehicle from now on and cannot fire."""
        gun.place = TOWED
        gun.carrier = tow.id
        gun.bodies = []
        gun.gun = None
        gun.moves += 1
        play.emit(Placed("k47.artillery.tow", gun.id, "is limbered", (), 0, tow.id))

    def towed_orders(self, state: State, unit: Unit) -> tuple[str, ...]:
        """A limbered gun: Fire or Advance to unlimber, Rally or Down."""
        carrier = state.unit(unit.carrier)
        if not carrier.on_table or carrier.order == RUN:
            return (RALLY, DOWN)
        return (FIRE, ADVANCE, RALLY, DOWN)

    def towed_order(self, play: Play, unit: Unit, order: str) -> Procedure:
        """Unlimber; the gun may fire from the next turn (k47.artillery.tow)."""
        if order == RALLY:
            yield from self.rules.orders.do_rally(play, unit)
        if order not in (FIRE, ADVANCE):
            return
        state: State = play.state
        hull = state.unit(unit.carrier).bodies[0]
        unit.moves += 1
        refusal = 'the gun must stand within 6" of its tow (k47.artillery.tow)'
        clearance = Clearance(state, unit, False)
        region = SpotRegion(
            clearance, unit, box_round([hull], 6 * INCH), near([hull], 6 * INCH), hull.heading, refusal, True
        )
        answer = yield PlaceFree(
            unit.side,
            "unlimber",
            region,
            text=f"Where is {unit.card.name} unlimbered?",
            rule="k47.artillery.tow",
            unit=unit.id,
            act="ride",
        )
        if region.set_down(answer, play):
            unit.place = TABLE
            unit.carrier = ""
            play.emit(Placed("k47.artillery.tow", unit.id, "is unlimbered", unit.spots, unit.heading))
