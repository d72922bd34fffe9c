"""Vehicles: moving or not, which weapons fire together, falling back (k47.vehicle.*, k47.order.test_fail_vehicle)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.going import Clearance
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.routes import DriveLimits, DriveRegion, Route
from dieselfront.rulesets.konflikt47.state import RUN, State, Unit
from dieselfront.table.measured.arcs import Facing, corner_arc, facing_shot_at, in_arc
from dieselfront.table.measured.movement import ahead_of


class Vehicles(Chapter):
    """What is particular to vehicles (k47.vehicle.orders)."""

    def can_move(self, unit: Unit) -> bool:
        """Immobilised vehicles neither drive nor pivot (k47.vehicle.immobile_turret)."""
        if not unit.is_vehicle:
            return True
        return not unit.immobilised and not unit.is_emplaced

    # -- weapons that exclude each other ------------------------------------------------------------------

    def agree(self, state: State, unit: Unit, weapons: Sequence[int], answer: tuple[Any, ...]) -> IllegalChoice | None:
        """May these weapons fire together in one action (k47.shoot.vehicle_weapons, k47.vehicle.weapon_limits)?"""
        fired = [index for index, choice in zip(weapons, answer, strict=True) if choice is not None]
        if not fired:
            return None
        if unit.fires_one and len(fired) > 1:  # k47.vehicle.misc
            return IllegalChoice("a single crewman fires one weapon a turn", "k47.vehicle.misc")
        for group, rule in self.alternatives(unit):
            if len([index for index in fired if index in group]) > 1:
                names = " and ".join(unit.weapon(index).name for index in group)
                return IllegalChoice(f"{names} are alternatives in one action", rule)
        if not self.rear_gun_agrees(state, unit, weapons, answer):
            return IllegalChoice("the rear turret gun fires opposite to the main gun", "k47.vehicle.misc")
        linked = [choice for index, choice in zip(weapons, answer, strict=True) if unit.weapon(index).is_linked]
        if len({choice[0] if choice else None for choice in linked}) > 1:  # k47.vehicle.misc
            return IllegalChoice("linked weapons fire together at one target", "k47.vehicle.misc")
        return None

    def rear_gun_agrees(self, state: State, unit: Unit, weapons: Sequence[int], answer: tuple[Any, ...]) -> bool:
        """A rear turret gun bears only into the arc opposite to the main gun (k47.vehicle.misc)."""
        choices = dict(zip(weapons, answer, strict=True))
        rear = [choices[index][0] for index in weapons if choices[index] and unit.weapon(index).rear_turret]
        if not rear:
            return True
        main = next((c[0] for i, c in choices.items() if c and self.is_main_gun(unit, i)), None)
        facing = Facing.FRONT
        if main is not None:
            facing = facing_shot_at(unit.bodies[0], ground.presence(state, state.unit(main))[0])
        opposite = corner_arc(Facing((facing + 2) % 4))
        body = unit.bodies[0]
        return all(any(in_arc(body, opposite, b) for b in ground.presence(state, state.unit(id))) for id in rear)

    def is_main_gun(self, unit: Unit, index: int) -> bool:
        weapon = unit.weapon(index)
        return weapon.arc == "turret" and not weapon.coaxial and not weapon.rear_turret

    def alternatives(self, unit: Unit) -> list[tuple[tuple[int, ...], str]]:
        """Groups of weapons of which one may fire: gun and co-axial gun, modes of one weapon, names on the card."""
        weapons = list(enumerate(unit.card.weapons))
        groups: list[tuple[tuple[int, ...], str]] = []
        guns = [(index, weapon) for index, weapon in weapons if weapon.shoots and not weapon.coaxial]
        turret_gun = next((index for index, weapon in guns if weapon.arc == "turret"), None)
        main = turret_gun if turret_gun is not None else guns[0][0] if guns else None
        for index, weapon in weapons:
            if weapon.coaxial and main is not None:
                groups.append(((main, index), "k47.shoot.vehicle_weapons"))
        packs: dict[str, list[int]] = {}
        for index, weapon in weapons:
            if weapon.pack:
                packs.setdefault(weapon.pack, []).append(index)
        groups += [(tuple(pack), "k47.open.dual_pack") for pack in packs.values() if len(pack) > 1]
        changed: list[tuple[tuple[int, ...], str]] = unit.ask("on_alternatives", groups, unit)
        return changed

    # -- falling back ----------------------------------------------------------------------------------------

    def fall_back(self, play: Play, unit: Unit) -> Procedure:
        """Reverse away from the closest visible enemy (k47.order.test_fail_vehicle)."""
        state: State = play.state
        if not self.can_move(unit) or self.rules.terrain.is_in_water(state, unit):
            return
        enemy = ground.closest_visible_enemy(state, unit)
        if enemy is None:
            return
        before = ground.unit_distance(state, unit, enemy)
        route = self.reverse_route(state, unit)
        if route is None:
            return
        kept = unit.bodies
        unit.bodies = route.bodies
        further = ground.unit_distance(state, unit, enemy) > before
        unit.bodies = kept
        if further:
            unit.moves += 1
            yield from self.rules.movement.go(play, unit, route, RUN, ambushes=False, how="falls back")

    def reverse_route(self, state: State, unit: Unit) -> Route | None:
        """As far straight back as the reverse rate and the ground allow."""
        limits = self.rules.movement.drive_limits(state, unit, "advance")
        region = DriveRegion(Clearance(state, unit, False), unit, DriveLimits(0, 0, limits.back, 0))
        body, far = unit.bodies[0], limits.back
        while far > 0:
            there = ahead_of(body, -far)
            route = region.route(((there.x, there.y, body.heading),))
            if isinstance(route, Route):
                return route
            far -= INCH // 2
        return None
