"""Moving: how far and over what ground (dw.ability.agile, dw.ability.fast, dw.ability.scout_vehicle,
dw.ability.amphibious, dw.ability.assault, dw.ability.climb*, dw.ability.jump_*, dw.ability.tracks*, dw.ability.wheels*,
dw.ability.dozer_blade_move, dw.ability.reserved). Soldiers who fly are in flight.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.warfare.events import Used
from dieselfront.rulesets.warfare.going import MARCH, MOVE, REACTION, Move, mover_class, path_length
from dieselfront.rulesets.warfare.ground import INCH
from dieselfront.rulesets.warfare.hooks import Ability
from dieselfront.rulesets.warfare.playing import Play
from dieselfront.rulesets.warfare.reactions import AFTER
from dieselfront.rulesets.warfare.setup import Arrival
from dieselfront.rulesets.warfare.state import State, Unit
from dieselfront.rulesets.warfare.terrain import DIFFICULT, IMPASSABLE, going, is_water
from dieselfront.rulesets.warfare.throws import BLANK, HIT
from dieselfront.table.measured.terrain import Piece

EXTRA_INCHES = 6
CLIMB_INCHES, CLIMB_FLOORS = 6, 2
JUMP_INCHES, JUMP_FLOORS = 9, 3
FAST_TURN = "fast in turn"
JUMP_WAY = "jump"


# -- how far ----------------------------------------------------------------------------------------------


class Agile(Ability):
    """6" more when the unit moves as a reaction (dw.ability.agile)."""

    name = "Agile"
    rule = "dw.ability.agile"

    def on_reaction_inches(self, inches: int, unit: Unit, move: Move) -> int:
        return inches + EXTRA_INCHES

    def on_moved(self, play: Play, unit: Unit, move: Move) -> Procedure:
        if move.kind == REACTION and farthest(unit, move) > (move.inches - EXTRA_INCHES) * INCH:
            play.emit(Used(self.rule, unit.id, self.name))
        return
        yield


class Fast(Ability):
    """6" more in one move of the turn, a reaction included, added after a march is doubled
    (dw.ability.fast, dw.open.fast_and_march)."""

    name = "Fast"
    rule = "dw.ability.fast"

    def may(self, unit: Unit, move: Move) -> bool:
        """Is the extra distance still there for this move?"""
        return move.kind in (MOVE, MARCH, REACTION) and unit.notes.get(FAST_TURN) != move.state.turn

    def on_move_inches(self, inches: int, unit: Unit, move: Move) -> int:
        return inches + EXTRA_INCHES if self.may(unit, move) else inches

    def on_moved(self, play: Play, unit: Unit, move: Move) -> Procedure:
        """It is spent once somebody went farther than he could have without it."""
        if self.may(unit, move) and farthest(unit, move) > (move.inches - EXTRA_INCHES) * INCH:
            unit.notes[FAST_TURN] = move.state.turn
            play.emit(Used(self.rule, unit.id, self.name))
        return
        yield


def farthest(unit: Unit, move: Move) -> int:
    """How far the leader's way was, or the straight way of the miniature that went farthest."""
    ways = [
        path_length([(start.x, start.y), (body.x, body.y)])
        for start, body in zip(move.start, unit.bodies, strict=False)
    ]
    return max([move.length, *ways])


class ScoutVehicle(Fast):
    """Fast in its first activation of the game; an order before it uses nothing up (dw.ability.scout_vehicle,
    dw.open.take_action_steps)."""

    name = "Scout Vehicle"
    rule = "dw.ability.scout_vehicle"

    def may(self, unit: Unit, move: Move) -> bool:
        first = move.state.phase == "units" and unit.activated and not unit.notes.get("been active")
        return first and move.kind != REACTION and not unit.has("Fast") and super().may(unit, move)

    def on_deploy(self, ways: list[Arrival], unit: Unit, state: State) -> list[Arrival]:
        """Or it is kept in reserve like Reserved units."""
        return [*ways, Arrival("scout vehicle", False, self.rule)]


class Reserved(Ability):
    """May stay off the table and come in with a march, touching any edge more than 12" from the enemy
    (dw.ability.reserved, dw.open.reserved_placement)."""

    name = "Reserved"
    rule = "dw.ability.reserved"

    def on_deploy(self, ways: list[Arrival], unit: Unit, state: State) -> list[Arrival]:
        return [*ways, Arrival("reserved", False, self.rule)]


class Assault(Ability):
    """Enemies react to its march only before it begins (dw.ability.assault)."""

    name = "Assault"
    rule = "dw.ability.assault"

    def on_move_windows(self, windows: Sequence[str], unit: Unit, move: Move) -> Sequence[str]:
        return [one for one in windows if one != AFTER] if move.is_march else windows


# -- over what ground ---------------------------------------------------------------------------------------


class FreeGoing(Ability):
    """Some terrain does not hinder the unit; the log says so when it mattered."""

    impassable: ClassVar[bool] = True
    """Impassable terrain is crossed too."""

    def frees(self, unit: Unit, piece: Piece, move: Move) -> bool:
        """Is this piece no hindrance in this move?"""
        raise NotImplementedError

    def on_difficult(self, is_difficult: bool, unit: Unit, piece: Piece, move: Move) -> bool:
        return is_difficult and not self.frees(unit, piece, move)

    def on_barred(self, is_barred: bool, unit: Unit, piece: Piece, move: Move) -> bool:
        return is_barred and not (self.impassable and self.frees(unit, piece, move))

    def on_moved(self, play: Play, unit: Unit, move: Move) -> Procedure:
        """Name the ability if the way led over ground that would have slowed or stopped others."""
        crossed = [move.state.table.piece(id) for id in move.entered]
        hindered = (DIFFICULT, IMPASSABLE) if self.impassable else (DIFFICULT,)
        if any(going(piece, mover_class(unit)) in hindered and self.frees(unit, piece, move) for piece in crossed):
            play.emit(Used(self.rule, unit.id, self.name))
        return
        yield


class Amphibious(FreeGoing):
    """Water of any depth is open ground, to stop in as well (dw.ability.amphibious)."""

    name = "Amphibious"
    rule = "dw.ability.amphibious"

    def frees(self, unit: Unit, piece: Piece, move: Move) -> bool:
        return is_water(piece)

    def on_no_stop(self, may_not: bool, unit: Unit, piece: Piece, move: Move) -> bool:
        return may_not and not is_water(piece)


class Climb(FreeGoing):
    """Goes freely over terrain up to 6" tall, impassable terrain too, but does not stop in that
    (dw.ability.climb)."""

    name = "Climb"
    rule = "dw.ability.climb"

    def frees(self, unit: Unit, piece: Piece, move: Move) -> bool:
        return piece.height <= CLIMB_INCHES * INCH


class ClimbUp(Ability):
    """6" or two floors up or down in a move (dw.ability.climb_vertical)."""

    name = "Climb"
    rule = "dw.ability.climb_vertical"

    def on_vertical(self, inches: int, unit: Unit, move: Move) -> int:
        return max(inches, CLIMB_INCHES)

    def on_floors(self, floors: int, unit: Unit, move: Move) -> int:
        return max(floors, CLIMB_FLOORS)


class Jump(FreeGoing):
    """Passes over terrain up to 9" tall without stopping in impassable terrain, 9" or three floors up and down;
    soldiers always, vehicles when they choose to (dw.ability.jump_move)."""

    name = "Jump"
    rule = "dw.ability.jump_move"
    everyone = True

    def on_ways(self, ways: list[str], unit: Unit, state: State) -> list[str]:
        return [*ways, JUMP_WAY] if unit.is_machine else ways

    def jumps(self, unit: Unit, move: Move) -> bool:
        return unit.is_soldier or move.way == JUMP_WAY

    def frees(self, unit: Unit, piece: Piece, move: Move) -> bool:
        return self.jumps(unit, move) and piece.height <= JUMP_INCHES * INCH

    def on_vertical(self, inches: int, unit: Unit, move: Move) -> int:
        return max(inches, JUMP_INCHES) if self.jumps(unit, move) else inches

    def on_floors(self, floors: int, unit: Unit, move: Move) -> int:
        return max(floors, JUMP_FLOORS)


class JumpUnanswered(Ability):
    """Nobody reacts to moves of soldiers with Jump (dw.ability.jump_reactions)."""

    name = "Jump"
    rule = "dw.ability.jump_reactions"
    everyone = True

    def on_move_windows(self, windows: Sequence[str], unit: Unit, move: Move) -> Sequence[str]:
        return () if unit.is_soldier else windows


class JumpStraight(Ability):
    """A vehicle does not turn in a jump (dw.ability.jump_vehicle_no_turn)."""

    name = "Jump"
    rule = "dw.ability.jump_vehicle_no_turn"
    everyone = True

    def on_turns(self, may: bool, unit: Unit, move: Move) -> bool:
        return may and move.way != JUMP_WAY


class DozerBlade(FreeGoing):
    """Difficult terrain does not slow the vehicle (dw.ability.dozer_blade_move)."""

    name = "Dozer Blade"
    rule = "dw.ability.dozer_blade_move"
    impassable = False

    def frees(self, unit: Unit, piece: Piece, move: Move) -> bool:
        return True


class Tracks(Ability):
    """A HIT stops it at difficult terrain (dw.ability.tracks, dw.open.tracks_details)."""

    name = "Tracks"
    rule = "dw.ability.tracks"

    def on_ground_die(self, faces: int, unit: Unit) -> int:
        return HIT


class TracksMarch(Ability):
    """Difficult terrain stays difficult on a march (dw.ability.tracks_march)."""

    name = "Tracks"
    rule = "dw.ability.tracks_march"

    def on_march_free(self, free: bool, unit: Unit) -> bool:
        return False


class Wheels(Ability):
    """A BLANK stops it at difficult terrain (dw.ability.wheels, dw.open.tracks_details)."""

    name = "Wheels"
    rule = "dw.ability.wheels"

    def on_ground_die(self, faces: int, unit: Unit) -> int:
        return BLANK


class WheelsLimits(Ability):
    """No free march through difficult terrain and no turn on the spot (dw.ability.wheels_limits)."""

    name = "Wheels"
    rule = "dw.ability.wheels_limits"

    def on_march_free(self, free: bool, unit: Unit) -> bool:
        return False

    def on_spot_turn(self, may: bool, unit: Unit, state: State) -> bool:
        return False


__all__ = ["EXTRA_INCHES", "Climb", "ClimbUp", "FreeGoing"]
