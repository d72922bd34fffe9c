"""Transports: mounting, riding, dismounting, and what happens when one is lost (k47.transport.*)."""

from __future__ import annotations

from dieselfront.kernel.decisions import PlaceFree
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.events import Placed
from dieselfront.rulesets.konflikt47.going import Clearance
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.spots import SpotRegion, box_round, near
from dieselfront.rulesets.konflikt47.state import ABOARD, ADVANCE, DOWN, RALLY, RUN, TABLE, State, Unit
from dieselfront.rulesets.konflikt47.throws import number
from dieselfront.table.measured.shapes import Body, distance


class Transports(Chapter):
    """Carrying infantry about."""

    def seats(self, unit: Unit) -> int:
        """Places the unit needs; large infantry counts double (k47.special.large_infantry)."""
        seats: int = unit.ask("on_seats", len(unit.men), unit)
        return seats

    def free_seats(self, state: State, carrier: Unit) -> int:
        """What is left of the capacity (k47.transport.capacity)."""
        vehicle = carrier.card.vehicle
        if vehicle is None:
            return 0
        return vehicle.capacity - sum(self.seats(unit) for unit in state.passengers(carrier) if unit.is_infantry)

    def mountable(self, state: State, unit: Unit, order: str) -> list[Unit]:
        """Stationary friendly transports that every model can reach within 1" (k47.transport.mount)."""
        if unit.is_mounted or not unit.bodies:
            return []
        reach = self.rules.movement.reach(unit, order) + INCH
        return [
            carrier
            for carrier in state.friends(unit)
            if carrier.is_vehicle
            and carrier.order not in (ADVANCE, RUN)
            and self.free_seats(state, carrier) >= self.seats(unit)
            and all(distance(body, carrier.bodies[0]) <= reach for body in unit.bodies)
        ]

    def mount(self, play: Play, unit: Unit, carrier_id: str, order: str) -> Procedure:
        """The unit goes aboard; enemies in Ambush may fire at it on its way."""
        carrier = play.state.unit(carrier_id)
        self.board(unit, carrier)
        play.emit(Placed("k47.transport.mount", unit.id, "mounts", (), 0, carrier_id))
        return
        yield

    def board(self, unit: Unit, carrier: Unit) -> None:
        unit.place = ABOARD
        unit.carrier = carrier.id
        unit.bodies = []
        unit.building = ""

    # -- orders of passengers ------------------------------------------------------------------------------

    def orders(self, state: State, unit: Unit) -> tuple[str, ...]:
        """Advance or Run to dismount, Rally or Down to stay aboard (k47.transport.orders)."""
        carrier = state.unit(unit.carrier)
        if not carrier.on_table or carrier.order == RUN:  # k47.transport.dismount
            return (RALLY, DOWN)
        return (ADVANCE, RUN, RALLY, DOWN)

    def passenger_order(self, play: Play, unit: Unit, order: str) -> Procedure:
        """Dismount, or sit tight."""
        if order in (ADVANCE, RUN):
            yield from self.dismount(play, unit, order)
            if unit.order == ADVANCE and unit.on_table:
                yield from self.rules.shooting.shoot(play, unit, ADVANCE)
        elif order == RALLY:
            yield from self.rules.orders.do_rally(play, unit)

    def dismount(self, play: Play, unit: Unit, order: str) -> Procedure:
        """Set down within the rate of the hull (k47.transport.dismount); no assault in this action."""
        state: State = play.state
        carrier = state.unit(unit.carrier)
        unit.moves += 1
        region = self.region(state, unit, carrier.bodies[0], self.rules.movement.reach(unit, order), order == RUN)
        answer = yield PlaceFree(
            unit.side,
            "dismount",
            region,
            text=f"Where does {unit.card.name} dismount?",
            rule="k47.transport.dismount",
            unit=unit.id,
            act="ride",
        )
        if region.set_down(answer, play):
            unit.place = TABLE
            unit.carrier = ""
            play.emit(Placed("k47.transport.dismount", unit.id, "dismounts", unit.spots, unit.heading, carrier.id))
            yield from self.rules.ambush.appeared(play, unit)

    def region(self, state: State, unit: Unit, hull: Body, reach: int, running: bool) -> SpotRegion:
        clearance = Clearance(state, unit, running)
        refusal = "all models must end within the unit's rate of the hull (k47.transport.dismount)"
        return SpotRegion(clearance, unit, box_round([hull], reach), near([hull], reach), hull.heading, refusal, True)

    # -- losing the transport ---------------------------------------------------------------------------------

    def bail_out(self, play: Play, unit: Unit, carrier: Unit, hull: Body) -> Procedure:
        """D6 hits without penetration, survivors within 3", Down, one pin more (k47.transport.destroyed)."""
        state: State = play.state
        if unit.is_artillery:  # k47.artillery.tow
            yield from self.rules.losses.destroy(play, unit, "lost with its tow", "k47.artillery.tow")
            return
        hits = yield from number(play, "D6", "hits on passengers", "k47.transport.destroyed", 1 - unit.side, unit.id)
        yield from self.rules.weapon_rules.hurt(play, carrier, unit, hits, 0, "the burning transport")
        if not unit.alive:
            return
        region = self.region(state, unit, hull, 3 * INCH, False)
        spot = region.first()
        if not spot:
            region = self.region(state, unit, hull, 12 * INCH, False)
            spot = region.first()
        unit.carrier = ""
        unit.place = TABLE
        if not region.set_down(spot, play):
            yield from self.rules.losses.destroy(play, unit, "no room beside the wreck", "k47.transport.destroyed")
            return
        play.emit(Placed("k47.transport.destroyed", unit.id, "bails out", unit.spots, unit.heading, carrier.id))
        self.rules.orders.turn_die(play, unit, DOWN, "k47.transport.destroyed")
        yield from self.rules.morale.pin(play, unit, 1, "k47.transport.destroyed")

    # -- turn end ------------------------------------------------------------------------------------------------

    def turn_ended(self, play: Play) -> Procedure:
        """Option: abandoned transports near the enemy are lost (k47.transport.empty)."""
        state: State = play.state
        if not state.is_on("abandoned_transports"):
            return
        for carrier in [unit for unit in state.units if unit.on_table and self.is_empty_transport(state, unit)]:
            enemies, friends = state.enemies(carrier), state.friends(carrier)
            if not enemies:
                continue
            foe = min(ground.unit_distance(state, carrier, enemy) for enemy in enemies)
            friend = min((ground.unit_distance(state, carrier, other) for other in friends), default=1 << 30)
            if foe < friend:
                yield from self.rules.losses.destroy(play, carrier, "abandoned", "k47.transport.empty")

    def is_empty_transport(self, state: State, unit: Unit) -> bool:
        vehicle = unit.card.vehicle
        armed = any(weapon.shoots for weapon in unit.card.weapons)
        return vehicle is not None and vehicle.capacity > 0 and not armed and not state.passengers(unit)
