"""Movement on the open table: any direction, true distance, the first model's path (ff.move.*, bf.move.*)."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from dieselfront.kernel.game import Procedure
from dieselfront.rulesets.dust.events import Moved, TerrainChanged, Turned
from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.rulesets.dust1947.movement import LEGS, Movement
from dieselfront.rulesets.dust_open.places import at
from dieselfront.rulesets.dust_open.playing import Play, open_rules
from dieselfront.rulesets.dust_open.terrain import ROAD
from dieselfront.rulesets.dust_open.ways import Ways
from dieselfront.table.measured.movement import runs_on, walk

Way = Ways | Callable[[], Ways]


class OpenMovement(Movement):
    """Moving units: 4" or 10 cm for a point of MOVE or MARCH (ff.move.move, ff.move.march, bf.move.distance)."""

    def reach(  # type: ignore[override]
        self,
        play: Play,
        unit: Unit,
        budget: int,
        action: str,
        spent: int = 0,
        diagonal_used: bool = False,
        on_road: bool = True,
    ) -> Ways:
        """Where a movement action can end; `spent` are the tenths of a millimetre already gone."""
        bonus = self.road_bonus(play, unit, action, budget) if on_road else 0  # ff.area.roads
        ways: Ways = open_rules(play).ground.reach(play.state, unit, budget, road_bonus=bonus, spent=spent)
        return ways

    def real(self, reach: Ways, must_move: bool) -> Ways:  # type: ignore[override]
        """Any end can be flown to in a loop (ff.move.aircraft_must)."""
        return reach

    def where_to(  # type: ignore[override]
        self, play: Play, unit: Unit, way: Way, key: str, last: bool = True
    ) -> Generator[Any, Any, tuple[int, int | None]]:
        """A spot and, for vehicles, any facing (ff.move.facing)."""
        reach = way() if callable(way) else way
        rule = open_rules(play).ground.cites["march" if key.startswith("march") else "move"]
        spot, facing = yield from open_rules(play).ground.ask_for(
            play, unit, key, reach, text=f"{unit.name}: {LEGS.get(key, 'where to?')}", rule=rule
        )
        return spot, facing

    def _leg(  # type: ignore[override]
        self, activation: Activation, way: Way, key: str, *, last: bool = True, must_move: bool = False
    ) -> Generator[Any, Any, tuple[int, bool]]:
        play, unit = activation.play, activation.unit
        start = unit.place
        reach = (way() if callable(way) else way).bound(play.state)
        spot, facing = yield from self.where_to(play, unit, reach, key, last)
        cost = reach.cost(spot)
        yield from self.go(activation, reach, spot, facing)
        if must_move and spot == start and unit.alive:  # ff.move.aircraft_must
            self._tell_loop(play, unit)
        return cost, False

    def go(self, activation: Activation, reach: Any, end: Any, facing: int | None) -> Procedure:
        """Along the path, meeting what lies on it; the others are placed round the first (ff.move.formation)."""
        play, unit = activation.play, activation.unit
        path = reach.path(end)
        if not path:
            self._turn(play, unit, end, facing)
            return
        points, body, cost = reach.points(end), reach.body, reach.cost(end)
        if "off_road" in activation.memory:
            activation.memory["off_road"] = not runs_on(play.state.table.land, points, (ROAD,))
        stopped = yield from open_rules(play).hazards.cross(activation, reach, end)
        if stopped or not unit.alive:
            return
        open_rules(play).ground.put(play.state, unit, end, facing)
        play.emit(Moved(open_rules(play).ground.cites["move"], unit.id, path, unit.where, unit.facing, cost))
        self._run_over(play, unit, walk(play.state.table.land, body, points).entered)

    def _turn(self, play: Play, unit: Unit, end: Any, facing: int | None) -> None:
        """Turning on the spot, or a squad that only rearranges itself (ff.arc.turn_first)."""
        before = (unit.where, unit.facing)
        open_rules(play).ground.put(play.state, unit, end, facing)
        if (unit.where, unit.facing) != before:
            play.emit(Turned(open_rules(play).ground.cites["facing"], unit.id, unit.where, unit.facing))

    def _tell_loop(self, play: Play, unit: Unit) -> None:
        play.emit(Moved(open_rules(play).ground.cites["loop"], unit.id, unit.where, unit.where, unit.facing, 0))

    def _run_over(self, play: Play, unit: Unit, entered: tuple[str, ...]) -> None:
        """A vehicle that drives over an ammo crate removes it (d47.terrain.crate_vehicle)."""
        table = play.state.table
        crates = [piece for piece in table.pieces_of("ammo_crate") if piece.id in entered]
        for piece in crates if unit.is_vehicle else ():
            x, y = piece.parts[0].centre
            where = (at(x // 10, y // 10),)
            play.state.table = play.state.table.clearing("ammo_crate", where)
            play.emit(TerrainChanged("d47.terrain.crate_vehicle", "ammo_crate", where, False))
