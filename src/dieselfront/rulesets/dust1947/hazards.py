"""Hazards on the way: barbed wire, minefields, burning wrecks (d47.wire.*, d47.mines.*, d47.critical.fire_wreck_entry).

Clearing them is described in engineering.py.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from dieselfront.dice.plan import PoolPlan
from dieselfront.forces import ARMOUR_CLASSES, Cell, DustCard, DustWeapon
from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.dust.events import Happened, Moved
from dieselfront.rulesets.dust.hooks import NO_EFFECTS, Effects
from dieselfront.rulesets.dust.shots import Attack, Line, Pool, Saves, Shot
from dieselfront.rulesets.dust.state import ABOARD, NO_COVER, SUPPRESSED, Part, Unit
from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.rulesets.dust1947.dice import task
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.table.square import Reach, SquareTable

WIRE, MINES, FIRE = "wire", "minefield", "burning_wreck"


def _weapon(id: str, name: str, to_soldiers: int, to_vehicles: int) -> DustWeapon:
    """A hazard's weapon line: one die per miniature."""
    harm = {"S": to_soldiers, "V": to_vehicles}
    cells = {column: Cell(0, 1, harm[column[0]]) for column in ARMOUR_CLASSES if column[0] in harm}
    return DustWeapon(id, name, 1, cells)


def _card(weapon: DustWeapon) -> DustCard:
    """What stands in for the attacking unit's card."""
    return DustCard(weapon.id, weapon.name, "", "fortification", "S", 1, 0, 0, 1, 0, "immobile", weapons=(weapon,))


MINE_CARD = _card(_weapon(MINES, "Minefield", 1, 2))  # d47.mines.attack
FIRE_CARD = _card(_weapon(FIRE, "Burning wreck", 1, 1))  # d47.critical.fire_wreck_entry


def section(table: SquareTable, kind: str, place: int) -> int:
    """The first square of the connected piece that a square belongs to: one wire section, one minefield, one wreck."""
    return min(squares_of(table, kind, place))


def squares_of(table: SquareTable, kind: str, place: int) -> set[int]:
    """All squares of the connected piece that a square belongs to."""
    squares = {place}
    edge = [place]
    while edge:
        for other in table.neighbours(edge.pop()):
            if other not in squares and table.has(other, kind):
                squares.add(other)
                edge.append(other)
    return squares


class Hazards:
    """What a path meets."""

    def cross(self, activation: Activation, reach: Reach, end: Any) -> Generator[Any, Any, bool]:
        """Resolve the hazards on a path, in order.

        True if the unit was stopped, and then stands where it was stopped; or if it did not survive.
        """
        play, unit = activation.play, activation.unit
        if not play.state.table.graph(reach.mover).hazards:
            return False
        met: set[tuple[str, int]] = activation.memory.setdefault(f"hazards {len(activation.done)}", set())
        if reach.mover.flying or unit.card.size != "standard":
            return (yield from self._land(play, unit, reach, end, met))
        here = unit.where[0] if unit.where else None
        walked: list[int] = [] if here is None else [here]
        carrier = unit.aboard
        for there in reach.path(end):
            caught = yield from self._step(activation, here, there, met)
            if caught:
                self._hold_back(activation, walked, carrier)
            if caught or not unit.alive:
                return True
            here = there
            walked.append(there)
        return False

    def _step(
        self, activation: Activation, here: int | None, there: int, met: set[tuple[str, int]]
    ) -> Generator[Any, Any, bool]:
        """One step: wire before it, mines from it or at its end, fire at its end; True if wire holds the unit."""
        play, unit = activation.play, activation.unit
        table = play.state.table
        around = [place for place in (here, there) if place is not None]
        if unit.is_infantry:
            for place in around:
                if self._first_contact(table, WIRE, place, met):
                    caught = yield from self._cross_wire(play, unit)
                    if caught:
                        return True
        for place in around:
            if self._first_contact(table, MINES, place, met):
                self._advance(play, unit, place)
                yield from self.mines(play, unit)
        if unit.alive and self._first_contact(table, FIRE, there, met):
            self._advance(play, unit, there)
            yield from self.fire(play, unit)
        return False

    def _first_contact(self, table: SquareTable, kind: str, place: int, met: set[tuple[str, int]]) -> bool:
        """Once per movement action and piece (d47.open.wire_details, d47.open.mine_details)."""
        if not table.has(place, kind):
            return False
        mark = (kind, section(table, kind, place))
        fresh = mark not in met
        met.add(mark)
        return fresh

    def _advance(self, play: Play, unit: Unit, place: int) -> None:
        """The unit has come this far when the hazard strikes."""
        if unit.where != (place,):
            play.rules.ground.put(play.state, unit, place, None)

    def _land(
        self, play: Play, unit: Unit, reach: Reach, end: Any, met: set[tuple[str, int]]
    ) -> Generator[Any, Any, bool]:
        """Flying units meet only what they land in; big vehicles all that they drove over.

        d47.open.flying_ground_hazards. What strikes a vehicle of several squares strikes it where it ends its move.
        """
        table = play.state.table
        start = () if reach.mover.flying else unit.where
        struck = [
            kind
            for place in (*start, *reach.hazards(end))
            for kind in (MINES, FIRE)
            if self._first_contact(table, kind, place, met)
        ]
        if struck:
            spot, facing = (end, None) if unit.card.size == "standard" else end
            play.rules.ground.put(play.state, unit, spot, facing)
        for kind in struck:
            if unit.alive:
                yield from self.mines(play, unit) if kind == MINES else self.fire(play, unit)
        return not unit.alive

    # -- wire -----------------------------------------------------------------------------------

    def _cross_wire(self, play: Play, unit: Unit) -> Generator[Any, Any, bool]:
        """Infantry needs ARMY to get into, through or out of wire (d47.wire.cross); vehicles ignore it."""
        thrown = yield from play.throw(task("barbed wire", "d47.wire.cross"), 1, unit.side, unit.id)
        return thrown.successes == 0

    def _hold_back(self, activation: Activation, walked: list[int], carrier: str) -> None:
        """Caught in wire: the unit stays in the square it was leaving, its activation is over, it has no cover save.

        Where a friend stands it goes farther back, at last to where it came from.
        """
        play, unit = activation.play, activation.unit
        table, ground = play.state.table, play.rules.ground
        mover, occupancy = ground.mover(unit), ground.occupancy(play.state, unit)
        origin = 0 if carrier else 1
        while len(walked) > origin and not table.can_stop(mover, walked[-1], occupancy):
            walked.pop()
        if walked:
            ground.put(play.state, unit, walked[-1], None)
        if walked[origin:]:
            way = tuple(walked[origin:])
            play.emit(Moved("d47.wire.cross", unit.id, way, unit.where, unit.facing, len(way)))
        elif carrier and unit.on_board:
            ground.lift(unit, ABOARD)
            unit.aboard = carrier
        unit.set(NO_COVER)
        activation.ended = True
        play.emit(Happened("d47.wire.cross", f"{unit.name} is caught in barbed wire", unit.id))

    # -- mines and fire -------------------------------------------------------------------------

    def mines(self, play: Play, unit: Unit) -> Procedure:
        """The opposing player attacks with blast/1, or blast/2 on a vehicle; saves and tokens as usual.

        d47.mines.attack.
        """
        play.emit(Happened("d47.mines.attack", f"{unit.name} is in a minefield", unit.id))
        yield from self._attack(play, unit, MINE_CARD, NO_EFFECTS)

    def fire(self, play: Play, unit: Unit) -> Procedure:
        """Blast/1 for those who enter a burning wreck; who is hit is suppressed (d47.critical.fire_wreck_entry)."""
        play.emit(Happened("d47.critical.fire_wreck_entry", f"{unit.name} enters a burning wreck", unit.id))
        effects: Effects = {"on_save": (self._no_cover,), "on_hit_token": (self._suppresses,)}
        yield from self._attack(play, unit, FIRE_CARD, effects)

    def _no_cover(self, saves: Saves, shot: Shot) -> Saves:
        """Infantry saves only: the wreck itself does not help (d47.open.hazard_saves)."""
        saves.no_cover = True
        return saves

    def _suppresses(self, token: tuple[int, str], shot: Shot) -> tuple[int, str]:
        return SUPPRESSED, "d47.critical.fire_wreck_entry"

    def _attack(self, play: Play, unit: Unit, card: DustCard, effects: Effects) -> Procedure:
        """An attack that nobody makes: no unit attacks, so no critical hits (d47.open.critical_trigger_scope)."""
        attacks = play.rules.attacks
        attacker = Unit(card.id, 1 - unit.side, [Part(card)], card.name)
        attack = Attack(attacker)
        line = Line(0, True, play.state.table.in_terrain_cover(unit.place))
        shot = Shot(play, attack, attacker.main, 0, card.weapons[0], effects, unit, line)
        plan: PoolPlan = attacks.plan(play, shot)
        yield from attacks.resolve(play, Pool(shot, plan))
        yield from play.rules.damage.settle_dying(play, attack)
        yield from play.rules.suppression.after_fire(play, attack)
        attack.let_go()
