"""Transport: embarking, disembarking, riders, pilots, carried vehicles, lost carriers
(dw.ability.carry_capacity*, dw.ability.tank_riders*, dw.ability.pilot*, dw.ability.air_lift*, dw.aircraft.carry*).
"""

from __future__ import annotations

from dieselfront.kernel.decisions import PickOne, PlaceFree
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.chapter import Chapter
from dieselfront.rulesets.warfare.events import Boarded, Lost
from dieselfront.rulesets.warfare.going import MOVE, Clearance, Move
from dieselfront.rulesets.warfare.ground import INCH
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.spots import SpotRegion, box_round
from dieselfront.rulesets.warfare.state import ABOARD, INSIDE, LIFTED, PILOTING, RIDING, TABLE, State, Unit
from dieselfront.table.measured.shapes import Body, distance, overlaps

BOARD_INCHES = 3  # dw.ability.carry_capacity_distance
Berth = tuple[str, str]  # carrier, seat


class Transport(Chapter):
    """Getting in and out."""

    # -- room -----------------------------------------------------------------------------------------------

    def spaces(self, unit: Unit) -> int:
        """Armor 1 and 2 take one space, 3 and 4 take two (dw.ability.carry_capacity_size)."""
        return sum(2 if unit.figures[man].card.armor >= 3 else 1 for man in unit.men)

    def capacity(self, carrier: Unit, seat: str) -> int:
        """Spaces inside or on top; both kinds are counted apart (dw.ability.tank_riders_combination)."""
        return int(carrier.ask("on_capacity", 0, carrier, seat))

    def room(self, state: State, carrier: Unit, seat: str) -> int:
        """Spaces left (dw.ability.carry_capacity); a pilot takes none (dw.ability.pilot)."""
        capacity = self.capacity(carrier, seat)
        return capacity - sum(self.spaces(unit) for unit in state.aboard(carrier, seat)) if capacity else 0

    def seats(self, state: State, unit: Unit, carrier: Unit) -> list[str]:
        """How the unit could be carried by this carrier, room and kind considered."""
        if carrier is unit or carrier.side != unit.side or not carrier.is_machine:
            return []
        seats = []
        if unit.is_soldier:
            rooms = [(seat, room) for seat in (INSIDE, RIDING) if (room := self.room(state, carrier, seat)) > 0]
            seats = [seat for seat, room in rooms if 0 < self.spaces(unit) <= room]
            if unit.is_lone_hero and self.may_pilot(state, unit, carrier):
                seats.append(PILOTING)
        elif unit.is_vehicle and self.can_be_lifted(state, unit, carrier):
            seats.append(LIFTED)
        return seats

    def may_pilot(self, state: State, unit: Unit, vehicle: Unit) -> bool:
        """A pilot hero boards vehicles of the type, or the very vehicle, that his card names (dw.ability.pilot)."""
        if state.aboard(vehicle, PILOTING):
            return False
        named = self.named_pilot(vehicle)
        if named:  # dw.ability.heroic_pilot
            return is_called(unit, named)
        return bool(unit.ask("on_pilots", False, unit, vehicle, state))

    def named_pilot(self, vehicle: Unit) -> str:
        """The hero without whom it does nothing, if there is one (dw.ability.heroic_pilot)."""
        name: str = vehicle.ask("on_needs_pilot", "", vehicle)
        return name

    def has_its_pilot(self, state: State, unit: Unit) -> bool:
        """Some vehicles act only with their own hero aboard (dw.ability.heroic_pilot)."""
        named = self.named_pilot(unit)
        return not named or any(is_called(pilot, named) for pilot in state.aboard(unit, PILOTING))

    def can_be_lifted(self, state: State, unit: Unit, carrier: Unit) -> bool:
        """One vehicle up to the carrier's rating; aircraft ask for Air Lift (dw.ability.vehicle_carry_aircraft,
        dw.ability.vehicle_carry_ground, dw.open.vehicle_carry_rating)."""
        rating = carrier.ask("on_lift_rating", 0, carrier)
        if not rating or unit.armor > rating or state.aboard(carrier, LIFTED):
            return False
        return not carrier.is_aircraft or bool(unit.ask("on_lifted", False, unit, carrier, state))

    # -- getting in -----------------------------------------------------------------------------------------------

    def berths(self, state: State, unit: Unit) -> list[Berth]:
        """Carriers within 3" of every miniature, with the seats they offer (dw.ability.carry_capacity_distance)."""
        if unit.place != TABLE or unit.is_aircraft:
            return []
        return [
            (carrier.id, seat)
            for carrier in state.friends(unit)
            if carrier.is_machine
            and self.is_open(state, unit, carrier, getting_in=True)
            and self._all_near(unit, carrier)
            for seat in self.seats(state, unit, carrier)
        ]

    def _all_near(self, unit: Unit, carrier: Unit) -> bool:
        return all(distance(body, carrier.bodies[0]) <= BOARD_INCHES * INCH for body in unit.bodies)

    def is_open(self, state: State, unit: Unit, carrier: Unit, getting_in: bool) -> bool:
        """Aircraft neither take nor release anybody once they have activated or while they fly high
        (dw.aircraft.carry_timing), except by abilities (dw.ability.air_cavalry, dw.ability.air_lift_altitude)."""
        if not carrier.is_aircraft:
            return True
        if unit.is_vehicle:  # dw.ability.air_lift, dw.ability.air_lift_altitude
            return not carrier.is_high or not getting_in
        if carrier.is_high:
            return False
        if not carrier.activated:
            return True
        return not getting_in and bool(unit.ask("on_late_exit", False, unit, carrier))

    def may_embark(self, state: State, unit: Unit) -> bool:
        return bool(self.berths(state, unit))

    def could_embark_later(self, state: State, unit: Unit) -> bool:
        """Is there a carrier that a move could bring it to?"""
        if unit.place != TABLE or unit.is_aircraft:
            return False
        return any(
            ground.within(unit, carrier, unit.card.move + BOARD_INCHES) and self.seats(state, unit, carrier)
            for carrier in state.friends(unit)
            if carrier.is_machine
        )

    def embark(self, play: Play, unit: Unit) -> Procedure:
        """One action, no move, nobody reacts (dw.ability.carry_capacity_action)."""
        state: State = play.state
        berths = self.berths(state, unit)
        carrier_id, seat = yield PickOne(
            unit.side,
            "embark",
            berths,
            text=f"What does {unit.name} get into?",
            rule="dw.ability.carry_capacity_action",
            unit=unit.id,
            labels=lambda berth: f"{state.unit(berth[0]).name} ({berth[0]}), {berth[1]}",
            act="ride",
            about=lambda berth: About(act="ride", unit=unit.id, targets=(berth[0],)),
        )
        self.board(play, unit, state.unit(carrier_id), seat, "dw.ability.carry_capacity_action")

    def board(self, play: Play, unit: Unit, carrier: Unit, seat: str, rule: str) -> None:
        """The miniatures come off the table (dw.ability.carry_capacity)."""
        unit.place = ABOARD
        unit.bodies = []
        unit.carrier = carrier.id
        unit.seat = seat
        for note in ("floor", "flying"):
            unit.notes.pop(note, None)
        play.emit(Boarded(rule, unit.id, carrier.id, f"is {seat}"))
        self.rules.outfit.refresh(play.state, carrier)

    # -- getting out -----------------------------------------------------------------------------------------------

    def may_disembark(self, state: State, unit: Unit) -> bool:
        """Only from a carrier in play (dw.ability.carry_capacity_deploy)."""
        if unit.place != ABOARD:
            return False
        carrier = state.unit(unit.carrier)
        if carrier.place != TABLE or not self.is_open(state, unit, carrier, getting_in=False):
            return False
        return self.exit_region(state, unit, carrier, self.exit_inches(unit, carrier)).spots(1) != [()]

    def exit_inches(self, unit: Unit, carrier: Unit) -> int:
        """Within 3", riders who get off by action within 6" (dw.ability.tank_riders)."""
        return int(carrier.ask("on_exit_inches", BOARD_INCHES, unit, carrier))

    def exit_region(self, state: State, unit: Unit, carrier: Unit, inches: int, hull: Body | None = None) -> SpotRegion:
        """Within reach of the carrier, in formation, clear of enemies."""
        body = hull if hull is not None else carrier.bodies[0]

        def test(spot: Body) -> bool:
            return distance(spot, body) <= inches * INCH and not overlaps(spot, body)

        clearance = Clearance(Move(state, unit, MOVE))
        box = box_round([body], inches * INCH)
        table = state.table
        box = (max(0, box[0]), max(0, box[1]), min(table.width, box[2]), min(table.depth, box[3]))
        refusal = f'every miniature is set down within {inches}" of the carrier (dw.ability.carry_capacity_distance)'
        return SpotRegion(clearance, unit, box, test, carrier.heading, refusal, pace=24)

    def disembark(self, play: Play, unit: Unit) -> Procedure:
        """One action (dw.ability.carry_capacity_action); a pilot has no other this time
        (dw.ability.pilot_disembark)."""
        state: State = play.state
        carrier = state.unit(unit.carrier)
        yield from self.rules.leaders.stand_in(play, unit)
        out = yield from self.set_down(play, unit, carrier, self.exit_inches(unit, carrier))
        if out:
            unit.notes["moved"] = state.turn

    def set_down(self, play: Play, unit: Unit, carrier: Unit, inches: int, hull: Body | None = None) -> Procedure:
        """Place the unit beside its carrier; False if there is no room."""
        region = self.exit_region(play.state, unit, carrier, inches, hull)
        answer = yield PlaceFree(
            unit.side,
            "disembark",
            region,
            text=f"Where does {unit.name} get out?",
            rule="dw.ability.carry_capacity_distance",
            unit=unit.id,
            act="ride",
            about=lambda spot: About(act="ride", unit=unit.id, places=(spot[:2],) if spot else ()),
        )
        if not region.set_down(answer, play):
            return False
        unit.place = TABLE
        unit.carrier = ""
        unit.seat = ""
        play.emit(Boarded("dw.ability.carry_capacity_action", unit.id, carrier.id, "leaves"))
        self.rules.outfit.refresh(play.state, carrier)
        for answer_ in unit.hooks.get("on_deployed", ()):
            yield from answer_(play, unit)
        return True

    # -- lost carriers -----------------------------------------------------------------------------------------------

    def carrier_lost(self, play: Play, carrier: Unit, body: Body | None) -> Procedure:
        """Who was aboard gets out of a ground vehicle with a reaction marker (dw.ability.carry_capacity_destroyed)
        and is
        lost with an aircraft (dw.aircraft.carry_eliminated), unless an ability saves it."""
        state: State = play.state
        for unit in state.aboard(carrier):
            saved = not carrier.is_aircraft
            if not saved:
                for answer in unit.hooks.get("on_lost_with", ()):
                    saved = yield from answer(saved, play, unit, carrier)
            if saved and body is not None:
                yield from self.bail_out(play, unit, carrier, body)
            else:
                yield from self.rules.damage.destroy(
                    play, unit, f"lost with {carrier.name}", "dw.aircraft.carry_eliminated"
                )

    def bail_out(self, play: Play, unit: Unit, carrier: Unit, body: Body) -> Procedure:
        """Within 3" of the hull; who finds no room is a casualty; a reaction marker, and nobody reacts
        (dw.open.transport_wreck_placement)."""
        state: State = play.state
        yield from self.rules.leaders.stand_in(play, unit)
        lost: list[int] = []
        while unit.men and self.exit_region(state, unit, carrier, BOARD_INCHES, body).spots(1) == [()]:
            man = next((one for one in reversed(unit.men) if one != unit.acting_leader), unit.men[-1])
            unit.lose(man)
            lost.append(man)
        if lost:
            play.emit(Lost("dw.open.transport_wreck_placement", unit.id, tuple(lost)))
        if not unit.men:
            yield from self.rules.damage.destroy(play, unit, "no room to get out", "dw.open.transport_wreck_placement")
            return
        yield from self.set_down(play, unit, carrier, BOARD_INCHES, body)
        unit.stand_in = None
        self.rules.outfit.refresh(state, unit)
        self.rules.suppression.mark_reaction(play, unit, "dw.ability.carry_capacity_destroyed")


def is_called(hero: Unit, named: str) -> bool:
    """Is this the hero a card names, by his whole name or the first part of it (dw.ability.heroic_pilot)?"""
    return hero.name == named or hero.name.startswith(f"{named} ")


__all__ = ["BOARD_INCHES", "Transport"]
