"""Carriers: passengers, tank riders, airlifters, sealifters (bf.transport.*, bf.airlift.*, bf.sealift.*)."""

from __future__ import annotations

from typing import Any

from dieselfront.forces import DustWeapon
from dieselfront.kernel.decisions import PickOne
from dieselfront.kernel.game import Play, Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.battlefield.faces import CRASH
from dieselfront.rulesets.battlefield.places import CONTACT
from dieselfront.rulesets.dust.shots import Shot
from dieselfront.rulesets.dust.state import ABOARD, AWAY, LOST, Part, Unit
from dieselfront.rulesets.dust1947.activation import Activation, Menu
from dieselfront.rulesets.dust1947.dice import task
from dieselfront.rulesets.dust1947.transport import AIRLIFT, PASSENGERS, SEALIFTER_SPACES
from dieselfront.rulesets.dust_open.chapters import OpenTransport, ways_from
from dieselfront.table.measured.shapes import distance

RIDERS = "Tank Riders"
PILOTS = ("Pilot", "Ace Pilot", "Air Pilot", "Ace Air Pilot")


class BattleTransport(OpenTransport):
    """Carriers and those they carry.

    Much is as in Dust 1947: bf.transport.activation, bf.transport.untargetable, bf.airlift.activation,
    bf.airlift.untargetable, bf.airlift.destroyed_rolls, bf.sealift.activation, bf.sealift.untargetable.
    """

    def kind(self, carrier: Unit) -> str:
        """Tank riders sit outside, and ride like passengers (bf.vehicle.passengers, bf.vehicle.tank_riders_hits)."""
        kind = super().kind(carrier)
        return kind or (PASSENGERS if carrier.card.has(RIDERS) else "")

    def spaces(self, carrier: Unit) -> int:
        """Room aboard (bf.transport.spaces, bf.sealift.spaces, bf.open.airlift_capacity)."""
        total = 0
        for skill in ("Passengers", RIDERS):
            ref = carrier.card.skill(skill)
            total += ref.number if ref is not None else 0
        return total or (SEALIFTER_SPACES if carrier.card.has("Sealifter") else 0)

    def rides_outside(self, carrier: Unit) -> bool:
        return carrier.card.has(RIDERS) and not carrier.card.has("Passengers")

    def may_fire(self, play: Play, unit: Unit, weapon: DustWeapon) -> bool:
        """Passengers use neither support, flame nor C weapons; tank riders strike (bf.transport.no_sustained).

        bf.vehicle.tank_riders_cc.
        """
        if unit.status != ABOARD:
            return True
        carrier = play.state.by_id[unit.aboard]
        if self.kind(carrier) != PASSENGERS or weapon.crewed or weapon.has("Flame"):
            return False
        return not weapon.close or self.rides_outside(carrier)

    counted_in = "spaces of passengers"

    def counts(self, part: Part) -> int:
        """The spaces he uses (bf.open.half_firing)."""
        return self.needs_each(part)

    def begin_aboard(self, play: Play, unit: Unit) -> None:
        """A hero who lies in ambush with a unit is part of it, not its cargo (bf.scenario.ambush_hold)."""
        if unit.status != AWAY:
            super().begin_aboard(play, unit)

    def offer_mounting(self, activation: Activation) -> Procedure:
        """Every miniature has to be in contact with the hull (bf.transport.mount, bf.sealift.load)."""
        play, unit = activation.play, activation.unit
        if not unit.is_aircraft and unit.on_board and self._at_hull(play, unit):
            yield from super().offer_mounting(activation)

    def fits(self, play: Play, unit: Unit, carrier: Unit) -> bool:
        """Airlifters pick up what they hover over, nobody mounts them (bf.airlift.load)."""
        return super().fits(play, unit, carrier)

    def below(self, play: Play, lifter: Unit) -> list[Unit]:
        """Vehicles right below an airlifter that it may carry (bf.vehicle.airlifter, bf.vehicle.airmobile)."""
        if self.kind(lifter) != AIRLIFT or self.cargo(play, lifter):
            return []
        ground, state = play.rules.ground, play.state
        stand = ground.first(state, lifter)
        return [
            unit
            for unit in state.on_board(lifter.side)
            if unit.is_vehicle and self.fits(play, unit, lifter) and distance(stand, ground.first(state, unit)) == 0
        ]

    def offer_lift(self, activation: Activation) -> Procedure:
        """An airlifter that begins a move above a vehicle may take it along (bf.airlift.load)."""
        play, lifter = activation.play, activation.unit
        able = self.below(play, lifter)
        if not able:
            return
        chosen = yield PickOne(
            lifter.side,
            "airlift",
            [None, *(unit.id for unit in able)],
            labels=lambda unit_id: "nothing" if unit_id is None else play.state.by_id[unit_id].name,
            text=f"{lifter.name}: what is picked up?",
            rule="bf.airlift.load",
            unit=lifter.id,
            act="ride",
            about=lambda unit_id: About(act="pass" if unit_id is None else "ride", unit=lifter.id),
        )
        if chosen is not None:
            self._go_aboard(play, play.state.by_id[chosen], lifter, "bf.airlift.load")

    def _at_hull(self, play: Play, unit: Unit) -> bool:
        ground, state = play.rules.ground, play.state
        for carrier in state.on_board(unit.side):
            if self.kind(carrier) not in ("", AIRLIFT) and carrier is not unit:
                hull = ground.first(state, carrier)
                if all(distance(hull, body) <= CONTACT for body in ground.bodies(state, unit)):
                    return True
        return False

    # -- pilots ---------------------------------------------------------------------------------

    def pilot_leaves(self, play: Play, vehicle: Unit) -> Procedure:
        """A pilot activates on his own, with a MOVE or MARCH MOVE away from his machine first (bf.pilot.dismount)."""
        heroes = play.rules.heroes
        hero = heroes.get_out(play, vehicle)
        yield from play.rules.activations.run(play, hero)
        if hero.status == ABOARD and hero.aboard == vehicle.id:  # there was no way out
            heroes.take_controls(play, hero, vehicle)

    def limit_menu(self, menu: Menu) -> None:
        """What the carried may do before they have left: passengers attack, nobody else does, nobody sustains.

        bf.transport.no_sustained, bf.airlift.activation, bf.sealift.activation, bf.pilot.dismount.
        """
        activation = menu.activation
        unit = activation.unit
        if unit.status != ABOARD:
            return
        kind = self.kind(activation.play.state.by_id[unit.aboard])
        pilot = any(unit.main.card.has(skill) for skill in PILOTS) and not kind
        for sequence in menu.sequences:
            aboard = _before_leaving(sequence)
            if any("sustained" in action for action in aboard):
                menu.refused[sequence] = ("bf.transport.no_sustained", "passengers cannot make a sustained attack")
            elif kind != PASSENGERS and any("attack" in action for action in aboard):
                menu.refused[sequence] = ("bf.sealift.activation", "cargo has to leave first")
            elif pilot and aboard:
                menu.refused[sequence] = ("bf.pilot.dismount", "a pilot leaves with his first action")
        menu.sequences = [sequence for sequence in menu.sequences if sequence not in menu.refused]

    # -- losses ---------------------------------------------------------------------------------

    def shake_riders(self, play: Play, shot: Shot, hits: int) -> Procedure:
        """A die for each hit that counts on the vehicle, each TARGET takes a rider (bf.vehicle.tank_riders_hits).

        Templates strike the riders for themselves (bf.vehicle.tank_riders_template).
        """
        carrier = shot.target
        if not carrier.card.has(RIDERS) or getattr(shot.line, "touched", None) is not None or not carrier.alive:
            return
        rule = "bf.vehicle.tank_riders_hits"
        for unit in self.cargo(play, carrier):
            thrown = yield from play.throw(task("tank riders", rule, CRASH), hits, unit.side, unit.id)
            yield from self._hurt(play, unit, thrown.successes, rule)

    def _crash(self, play: Play, carrier: Unit, unit: Unit, where: tuple[int, ...]) -> Procedure:
        """One die per miniature, each TARGET takes one; survivors stand within 10 cm, suppressed and activated.

        bf.transport.destroyed_rolls, bf.transport.destroyed_after, bf.open.zombie_bailout.
        """
        rule = "bf.transport.destroyed_rolls"
        thrown = yield from play.throw(task("crash", rule, CRASH), unit.models, unit.side, unit.id)
        yield from self._hurt(play, unit, thrown.successes, rule)
        if unit.status == LOST:
            return
        spots = self._around(play, unit, where)
        yield from self._survive(play, unit, spots, "bf.transport.destroyed_after", "bf.transport.destroyed_after")

    def _hurt_order(self, unit: Unit) -> list[Part]:
        return sorted(unit.fighters(), key=lambda part: not part.squad)

    def ways_out(self, play: Play, carrier: Unit, unit: Unit, budget: int) -> Any:
        return ways_from(play, carrier, unit, budget)


def _before_leaving(sequence: tuple[str, ...]) -> tuple[str, ...]:
    """The actions of a sequence before its first movement; all of them if it has none."""
    for place, action in enumerate(sequence):
        if action.removeprefix("free:") in ("move", "march"):
            return sequence[:place]
    return sequence
