"""Terrain that changes: wrecks, rubble, smoke; and deep water (k47.armour.wreck, k47.wrule.smoke)."""

from __future__ import annotations

from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.events import TerrainChanged
from dieselfront.rulesets.konflikt47.ground import INCH, KINDS
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.routes import DriveLimits
from dieselfront.rulesets.konflikt47.state import ADVANCE, State, Unit
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.terrain import Piece, disc


class Terrain(Chapter):
    """The table as it changes in play."""

    def wreck(self, play: Play, unit: Unit, hull: Body) -> None:
        """A knocked out vehicle stays as wreck (k47.armour.ko, k47.armour.wreck)."""
        state: State = play.state
        piece = Piece(f"wreck of {unit.id}", KINDS["wreck"], [hull.corners], in_tenths=True)
        state.table = state.table.with_piece(piece)
        play.emit(TerrainChanged("k47.armour.wreck", piece.id, "a wreck is left"))

    def rubble(self, play: Play, id: str) -> None:
        """A collapsed or demolished building becomes rough ground (k47.building.he, k47.open.demolish)."""
        state: State = play.state
        old = state.table.piece(id)
        piece = Piece(id, KINDS["rubble"], [part.polygon for part in old.parts], in_tenths=True)
        state.table = state.table.with_piece(piece)
        play.emit(TerrainChanged("k47.building.he", id, "collapses into rubble"))

    def put_smoke(self, play: Play, x: int, y: int) -> None:
        """Smoke of 3" radius until the end of the next turn (k47.wrule.smoke)."""
        state: State = play.state
        number = state.smoke_count + 1
        state.smoke_count = number
        piece = disc(f"smoke {number}", KINDS["smoke"], x, y, 3 * INCH, sides=24)
        state.table = state.table.with_piece(piece)
        state.smoke = (*state.smoke, (piece.id, state.turn + 1))
        play.emit(TerrainChanged("k47.wrule.smoke", piece.id, "smoke rises"))

    def turn_ended(self, play: Play) -> None:
        """Smoke clears at the end of the turn after it was placed."""
        state: State = play.state
        smoke = state.smoke
        for id, last in smoke:
            if state.turn >= last:
                state.table = state.table.without_piece(id)
                play.emit(TerrainChanged("k47.wrule.smoke", id, "clears"))
        left = tuple(entry for entry in smoke if state.turn < entry[1])
        if left != smoke:
            state.smoke = left

    # -- water -------------------------------------------------------------------------------------------------

    def is_in_water(self, state: State, unit: Unit) -> bool:
        """Does the vehicle swim?"""
        return unit.is_vehicle and bool(unit.bodies) and ground.is_in_water(state.table, unit.bodies[0])

    def drove_over(self, play: Play, unit: Unit) -> None:
        """Heavy vehicles wreck the light buildings they drive through, if the option is on (k47.open.demolish)."""
        state: State = play.state
        if not unit.is_vehicle or not unit.bodies:
            return
        del unit.afloat
        for piece in ground.pieces_under(state.table, unit.bodies[0]):
            if piece.is_building:
                self.rubble(play, piece.id)
            elif ground.is_water(piece):
                unit.afloat = True

    def in_water(self, state: State, unit: Unit, order: str, limits: DriveLimits) -> DriveLimits:
        """Afloat: straight ahead at half speed on Advance only (k47.vehicle.amphibious)."""
        if not unit.swims or not self.is_in_water(state, unit):
            return limits
        ahead = limits.ahead // 2 if order == ADVANCE else 0
        return DriveLimits(ahead, 0, 0, 0)
