"""Going: what ground a mover may cross, whom it must keep clear of, and whether a way is free
(k47.terrain.*, k47.core.one_inch, k47.move.through). Paths are whole millimetres, lengths tenths of a millimetre.
Nobody rams: vehicles stop more than 1" from each other (k47.open.ramming).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.charts import DOUBLE, NO, NO_DUG_IN, NO_RUN, OK, TERRAIN_TABLE
from dieselfront.rulesets.konflikt47.ground import INCH
from dieselfront.rulesets.konflikt47.state import State, Unit
from dieselfront.table.measured.formation import Chain, arrange, follow
from dieselfront.table.measured.movement import NO_ENTRY, Going, leg_micrometres, walk
from dieselfront.table.measured.placement import Crowd, Keep, Places, keeps_near
from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import Piece

CHAIN = Chain(INCH)  # k47.core.coherency
Point = tuple[int, int]


def mover_class(unit: Unit) -> str:
    """The column of the terrain table."""
    vehicle = unit.card.vehicle
    if vehicle is not None:
        return vehicle.mode
    if unit.is_artillery:
        return "artillery"
    mover: str = unit.ask("on_mover", "infantry", unit)
    return mover


def code(state: State, unit: Unit, piece: Piece) -> str:
    """What the terrain table says for a unit and a piece, marks on the piece included."""
    category = ground.category(piece)
    mover = mover_class(unit)
    if category == "wreck":  # k47.armour.wreck
        terrain_code = NO if unit.is_vehicle else NO_RUN
    else:
        terrain_code = TERRAIN_TABLE[category][mover]
    if category == "obstacle" and unit.is_vehicle and is_marked(unit, piece):
        terrain_code = NO
    answer: str = unit.ask("on_terrain_code", terrain_code, unit, category)
    return answer


def is_marked(unit: Unit, piece: Piece) -> bool:
    """An anti-tank obstacle stops every vehicle, and tank traps are one by their nature (k47.terrain.code_ok_star);
    some obstacles stop walkers (k47.terrain.code_ok_dstar)."""
    return (
        piece.kind.id == "tank-traps"
        or "anti-tank" in piece.traits
        or (unit.is_walker and "no-walkers" in piece.traits)
    )


def may_cross(terrain_code: str, running: bool) -> bool:
    """Read the code of the terrain table for an Advance or a Run (k47.terrain.code_ok, k47.terrain.code_no_run,
    k47.terrain.code_no)."""
    if terrain_code in (OK, DOUBLE):
        return True
    return terrain_code == NO_RUN and not running


class Clearance:
    """What one unit may pass and where it may stop, in the present position.

    Ground that is barred and models to keep clear of are worked out when they are first asked for, which is before the
    position changes; a game that repeats its answers never asks.
    """

    __slots__ = (
        "_codes",
        "_ignored",
        "_stops",
        "_target",
        "bar",
        "end_keeps",
        "flies",
        "going",
        "keeps",
        "running",
        "state",
        "table",
        "unit",
    )
    bar: int
    going: Going
    keeps: list[Keep]
    end_keeps: list[Keep]

    def __init__(
        self,
        state: State,
        unit: Unit,
        running: bool,
        target: Unit | None = None,
        flies: bool = False,
        ignore: Sequence[Unit] = (),
    ) -> None:
        self.state = state
        self.unit = unit
        self.table: MeasuredTable = state.table
        self.running = running
        self.flies = flies
        self._codes: dict[tuple[str, tuple[str, ...]], str] = {}
        self._stops: int | None = None
        self._target = target
        self._ignored = ignore

    def __getattr__(self, name: str) -> Any:
        """Only called for what has not been worked out yet."""
        if name in ("bar", "going"):
            self.bar, self.going = self._barred()
        elif name in ("keeps", "end_keeps"):
            self._keep_clear()
        else:
            raise AttributeError(name)
        return getattr(self, name)

    def _keep_clear(self) -> None:
        self.keeps = []
        self.end_keeps = []
        for other in self.state.units:
            if other is self.unit or other.place != "table" or other in self._ignored or other.building:
                continue
            self._keep_from(other, other is self._target)

    def _keep_from(self, other: Unit, is_target: bool) -> None:
        """More than 1" from enemies all the way, from friends at the end (k47.core.one_inch, k47.move.through)."""
        gap = 0 if is_target else INCH
        for body in ground.all_bodies(other):
            self.end_keeps.append(Keep(body, gap))
            if self.flies:
                continue
            if other.side != self.unit.side:
                self.keeps.append(Keep(body, gap))
            elif other.is_vehicle or self.unit.is_vehicle:
                self.keeps.append(Keep(body, 0))

    def _barred(self) -> tuple[int, Going]:
        """The parts of the table this unit may not touch, for quick and for exact questions (k47.terrain.inside).

        The table remembers the answer for units that are alike; special rules and demolition are asked anew.
        """
        unit = self.unit
        if self.flies:
            return 0, Going()
        if "on_terrain_code" in unit.hooks or self.may_demolish:
            return self._barred_parts()
        alike = (mover_class(unit), unit.is_vehicle, unit.is_walker, self.running)
        memory = self.table.memory.setdefault("barred ground", {})
        barred: tuple[int, Going] | None = memory.get(alike)
        if barred is None:
            barred = memory[alike] = self._barred_parts()
        return barred

    def _barred_parts(self) -> tuple[int, Going]:
        mask = 0
        kinds: dict[str, int] = {}
        pieces: list[str] = []
        for number, piece in enumerate(self.table.part_piece):
            terrain_code = self._code(piece)
            if piece.is_building and self.demolishes(piece):
                continue
            if piece.is_building or not may_cross(terrain_code, self.running):
                mask |= 1 << number
                pieces.append(piece.id)
        return mask, Going(kinds, barred=tuple(dict.fromkeys(pieces)))

    def _code(self, piece: Piece) -> str:
        """What the terrain table says, asked once for pieces that are alike."""
        alike = (piece.kind.id, piece.traits)
        terrain_code = self._codes.get(alike)
        if terrain_code is None:
            terrain_code = self._codes[alike] = code(self.state, self.unit, piece)
        return terrain_code

    def demolishes(self, piece: Piece) -> bool:
        """Heavy vehicles may drive through an empty light building on Advance, if the option is on
        (k47.terrain.code_no_bang, k47.open.demolish)."""
        if not self.may_demolish or "light" not in piece.traits:
            return False
        return all(other.building != piece.id for other in self.state.units)

    @property
    def may_demolish(self) -> bool:
        """Is it a heavy vehicle on Advance, and the option on?"""
        vehicle = self.unit.card.vehicle
        if vehicle is None or not vehicle.heavy or self.running or vehicle.mode not in ("tracked", "walker"):
            return False
        return self.state.is_on("demolish_buildings")

    # -- questions ----------------------------------------------------------------------------------

    def leg_problem(self, bodies: Sequence[Body], dx: int, dy: int) -> str | None:
        """What stops the models on a straight leg of (dx, dy) millimetres."""
        low_x, low_y, high_x, high_y = _box(bodies, dx, dy)
        width, depth = self.table.width * 10, self.table.depth * 10
        inside = low_x >= 0 and low_y >= 0 and high_x <= width and high_y <= depth
        if not inside and not all(self.table.contains(body.at(body.x + dx, body.y + dy)) for body in bodies):
            return "the way leads off the table (k47.move.edge)"
        near = keeps_near(self.keeps, low_x, low_y, high_x, high_y)
        mask = self.table.near_box(low_x, low_y, high_x, high_y, self.bar) if self.bar else 0
        if not near and not mask:
            return None
        going = self.going if mask else Going()
        for body in bodies:
            start = (body.x, body.y)
            mine = [keep for keep in near if keep.is_kept(body)]
            walked = walk(self.table, body, [start, (body.x + dx, body.y + dy)], going, avoid=mine)
            if walked.problems:
                problem = walked.problems[0]
                return f"the way is barred by {_named(self.state, problem.who)}"
        return None

    def path_problem(self, bodies: Sequence[Body], path: Sequence[Point]) -> str | None:
        """What stops the unit along the points of its leader's path, formation kept."""
        here = list(bodies)
        x, y = here[0].x, here[0].y
        for px, py in path:
            problem = self.leg_problem(here, px - x, py - y)
            if problem is not None:
                return problem
            here = follow(here, px, py)
            x, y = px, py
        return None

    def end_problem(self, bodies: Sequence[Body]) -> str | None:
        """What forbids stopping there."""
        low_x, low_y, high_x, high_y = _box(bodies, 0, 0)
        for body in bodies:
            if not self.table.contains(body):
                return "not all models would be on the table"
        for keep in keeps_near(self.end_keeps, low_x, low_y, high_x, high_y):
            for body in bodies:
                if not keep.is_kept(body):
                    return f'less than 1" from {_named(self.state, keep.body.key)} (k47.core.one_inch)'
        mask = self.table.near_box(low_x, low_y, high_x, high_y, self.stop_mask()) if self.table.pieces else 0
        if mask:
            for body in bodies:
                for piece in self.table.near(body):
                    if self.stops_not(piece) and piece.overlaps(body):
                        return f"nobody may stop on {piece.id}"
        return None

    def stop_mask(self) -> int:
        """The parts of the table it may not end on."""
        if self._stops is None:
            numbers = (number for number, piece in enumerate(self.table.part_piece) if self.stops_not(piece))
            self._stops = sum(1 << number for number in numbers)
        return self._stops

    def stops_not(self, piece: Piece) -> bool:
        """Ground the unit may not end on: buildings (entered by their own rule) and what it may not enter."""
        if piece.is_building:
            return not self.demolishes(piece)
        if self.flies:
            return ground.category(piece) in ("impassable", "water", "building")
        terrain_code = self._code(piece)
        return not may_cross(terrain_code, self.running) and terrain_code != NO_DUG_IN

    def places(self, ignore: Iterable[Body] = ()) -> Places:
        """The law of places for automatic placement."""
        no_entry = [kind for kind, cost in self._stop_kinds().items() if cost == NO_ENTRY]
        skip = list(ignore)
        return Places(self.table, no_entry, Crowd(keep for keep in self.end_keeps if keep.body not in skip))

    def _stop_kinds(self) -> dict[str, int]:
        return {piece.kind.id: NO_ENTRY for piece in self.table.pieces if self.stops_not(piece)}

    def settle(
        self, wanted: Sequence[Body], limit: int | None = None, origins: Sequence[Point] | None = None
    ) -> list[Body] | None:
        """The models set down as near to where they should stand as the rules allow, in one chain."""
        return arrange(wanted, self.places(), CHAIN, origins, limit)


def _box(bodies: Sequence[Body], dx: int, dy: int) -> tuple[int, int, int, int]:
    """The box round all models before and after a step (tenths)."""
    low_x = low_y = 1 << 40
    high_x = high_y = -(1 << 40)
    for body in bodies:
        r = body.radius
        low_x, high_x = min(low_x, body.cx - r), max(high_x, body.cx + r)
        low_y, high_y = min(low_y, body.cy - r), max(high_y, body.cy + r)
    dx, dy = dx * 10, dy * 10
    return low_x + min(dx, 0), low_y + min(dy, 0), high_x + max(dx, 0), high_y + max(dy, 0)


def _named(state: State, who: object) -> str:
    if isinstance(who, tuple) and who and isinstance(who[0], str):
        return state.unit(who[0]).card.name
    return str(who)


def path_length(path: Sequence[Point]) -> int:
    """The length of a path in tenths, rounded up (k47.move.model_limit)."""
    return -(-sum(leg_micrometres(a, b) for a, b in pairwise(path)) // 100)
