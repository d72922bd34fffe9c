"""Buildings: entering, leaving, shooting out, protection, collapse (k47.building.*, k47.cq.building)."""

from __future__ import annotations

from collections.abc import Sequence

from dieselfront.kernel.decisions import PickOne, PlaceFree, YesNo
from dieselfront.kernel.game import Procedure
from dieselfront.kernel.meaning import About
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.chapter import Chapter
from dieselfront.rulesets.konflikt47.events import Placed
from dieselfront.rulesets.konflikt47.firing import Shot
from dieselfront.rulesets.konflikt47.going import Clearance, path_length
from dieselfront.rulesets.konflikt47.ground import Aim
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.routes import Route
from dieselfront.rulesets.konflikt47.spots import SpotRegion, box_round, near
from dieselfront.rulesets.konflikt47.state import ADVANCE, RUN, State, Unit
from dieselfront.table.measured.formation import follow
from dieselfront.table.measured.shapes import Body, distance
from dieselfront.table.measured.terrain import Piece

SHOOTERS_PER_OPENING = 2  # k47.building.shoot_from


class Buildings(Chapter):
    """Houses and bunkers."""

    def occupant(self, state: State, piece: str, floor: int) -> Unit | None:
        """Only one unit per floor (k47.building.enter)."""
        for unit in state.units:
            if unit.building == piece and unit.floor == floor and unit.alive:
                return unit
        return None

    def doors(self, piece: Piece, floor: int = 0) -> list[Body]:
        """The openings of a floor as small bodies to measure to."""
        return ground.opening_bodies(piece, floor, piece.id)

    def enterable(self, state: State, unit: Unit, order: str) -> list[tuple[str, int]]:
        """Buildings with a free ground floor whose opening every model can reach (k47.building.enter)."""
        if unit.is_mounted or not unit.bodies:
            return []
        reach = self.rules.movement.reach(unit, order)
        floors = []
        for piece in state.table.pieces:
            if not piece.is_building or self.occupant(state, piece.id, 0) is not None:
                continue
            doors = self.doors(piece)
            if doors and all(any(distance(body, door) <= reach for door in doors) for body in unit.bodies):
                floors.append((piece.id, 0))
        return floors

    def enter(self, play: Play, unit: Unit, piece_id: str, floor: int, order: str) -> Procedure:
        """The whole unit counts as inside once it has got to the opening."""
        state: State = play.state
        piece = state.table.piece(piece_id)
        leader = unit.bodies[0]
        door = min(self.doors(piece), key=lambda body: (distance(leader, body), body.x, body.y))
        length = path_length([(leader.x, leader.y), (door.x, door.y)])
        route = Route(((door.x, door.y),), follow(unit.bodies, door.x, door.y), None, unit.heading, length)
        done = yield from self.rules.movement.go(play, unit, route, order, how="enters")
        if done and unit.on_table:
            self.put_inside(state, unit, piece, floor)
            play.emit(Placed("k47.building.enter", unit.id, "enters", unit.spots, unit.heading, piece_id))

    def put_inside(self, state: State, unit: Unit, piece: Piece, floor: int) -> None:
        """Models stand in rows inside the walls; inside a house they may stand close."""
        unit.building = piece.id
        unit.floor = floor
        low_x, low_y, high_x, high_y = piece.parts[0].box
        columns = max(1, (high_x - low_x) // 300)
        shape = ground.shape_of(unit)
        bodies = []
        for number, man in enumerate(unit.men):
            x = min(low_x // 10 + 15 + 28 * (number % columns), high_x // 10 - 13)
            y = min(low_y // 10 + 15 + 28 * (number // columns), high_y // 10 - 13)
            bodies.append(Body(shape, x, y, 0, floor * piece.floor_height // 10, (unit.id, man), piece.id, floor))
        unit.bodies = bodies

    # -- leaving -----------------------------------------------------------------------------------------------

    def leave_or_stay(self, play: Play, unit: Unit, order: str) -> Procedure:
        """Out through an opening, to another floor, or no move at all."""
        state: State = play.state
        piece = state.table.piece(unit.building)
        floor = unit.floor
        ways: list[object] = ["leave", "stay"]
        ways += [
            ("floor", other)
            for other in (floor - 1, floor + 1)
            if 0 <= other < piece.floors and self.occupant(state, piece.id, other) is None
        ]
        how = yield PickOne(
            unit.side,
            "manner",
            ways,
            text=f"{unit.card.name} is in a building: what does it do?",
            rule="k47.building.enter",
            unit=unit.id,
            labels=lambda way: way if isinstance(way, str) else f"to floor {way[1]}",
            act="move",
            about=lambda way: About("pass" if way == "stay" else "move", unit.id),
        )
        if how == "stay":
            return
        if isinstance(how, tuple):
            self.put_inside(state, unit, piece, how[1])
            play.emit(Placed("k47.building.enter", unit.id, "changes floors", unit.spots, 0, piece.id))
            return
        yield from self.leave(play, unit, piece, order)

    def leave(self, play: Play, unit: Unit, piece: Piece, order: str) -> Procedure:
        state: State = play.state
        region = self.way_out(state, unit, piece, self.rules.movement.reach(unit, order), order == RUN)
        answer = yield PlaceFree(
            unit.side,
            "leave building",
            region,
            text=f"Where does {unit.card.name} go?",
            rule="k47.building.enter",
            unit=unit.id,
            act="move",
        )
        if region.set_down(answer, play):
            unit.building = ""
            del unit.floor
            play.emit(Placed("k47.building.enter", unit.id, "leaves", unit.spots, unit.heading, piece.id))

    def way_out(self, state: State, unit: Unit, piece: Piece, reach: int, running: bool) -> SpotRegion:
        doors = self.doors(piece)
        clearance = Clearance(state, unit, running)
        refusal = "all models must end within the unit's rate of an opening (k47.building.enter)"
        return SpotRegion(clearance, unit, box_round(doors, reach), near(doors, reach), unit.heading, refusal, True)

    def step_out(self, state: State, unit: Unit) -> None:
        """An assault out of a building begins at its openings."""
        piece = state.table.piece(unit.building)
        region = self.way_out(state, unit, piece, self.rules.movement.reach(unit, ADVANCE), False)
        if region.set_down(region.first()):
            unit.building = ""
            del unit.floor

    # -- fighting -----------------------------------------------------------------------------------------------

    def aims(
        self,
        state: State,
        unit: Unit,
        target: Unit,
        shots: Sequence[Shot],
        own: Sequence[Body],
        foes: Sequence[Body],
        blockers: Sequence[Body],
    ) -> list[tuple[Shot, Aim | None]]:
        """Two models may shoot out of each opening (k47.building.shoot_from)."""
        slots: list[Aim] = []
        for eye in ground.openings_of(state.table, unit):
            aim = ground.aim(state, unit, eye, target, own, foes, blockers)
            if aim is not None and not aim.blocked_by_friends:
                slots += [aim] * SHOOTERS_PER_OPENING
        slots.sort(key=lambda aim: aim.range)
        return [(shot, slots[number] if number < len(slots) else None) for number, shot in enumerate(shots)]

    def protection(self, state: State, unit: Unit) -> int:
        """Extra protection: +1, +2 in a bunker (k47.building.cover)."""
        return 2 if state.table.piece(unit.building).kind.id == "bunker" else 1

    def collapse(self, play: Play, piece: str) -> Procedure:
        """Everyone inside is lost, the house becomes rubble (k47.building.he)."""
        state: State = play.state
        for unit in [unit for unit in state.units if unit.alive and unit.building == piece]:
            yield from self.rules.losses.destroy(play, unit, "buried in the ruins", "k47.building.he")
        self.rules.terrain.rubble(play, piece)

    def may_occupy(self, state: State, unit: Unit, target: Unit) -> bool:
        """Did the assaulters clear the building they assaulted (k47.cq.building)?"""
        home = target.last_building
        if not home or not unit.is_infantry or unit.is_mounted:
            return False
        known = any(piece.id == home and piece.is_building for piece in state.table.pieces)
        return known and self.occupant(state, home, 0) is None

    def occupy(self, play: Play, unit: Unit, target: Unit) -> Procedure:
        """The winners may take the building."""
        state: State = play.state
        home = target.last_building
        wants = yield YesNo(
            unit.side,
            "occupy building",
            text="Occupy the building?",
            rule="k47.cq.building",
            unit=unit.id,
            act="move",
        )
        if wants:
            self.put_inside(state, unit, state.table.piece(home), 0)
            play.emit(Placed("k47.cq.building", unit.id, "occupies", unit.spots, 0, home))
        return wants
