"""Steps on squares: what terrain lets each kind of mover do (d47.move.*, d47.terrain.*).

A step graph holds, for each direction, the mask of squares a mover may leave that way; units of the moment
are taken off with a few operations on masks. Reach lives in movement.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from dieselfront.table.square import native
from dieselfront.table.square.geometry import DIAGONALS, EIGHT, FORWARD, Place, places_of, shift, union
from dieselfront.table.square.movers import Mover, crosses, may

if TYPE_CHECKING:
    from dieselfront.table.square.grid import Grid


class Step(NamedTuple):
    """One direction: how far a bit moves, whether diagonally, and from which squares."""

    offset: int
    diagonal: bool
    leaving: int


class _Corner(NamedTuple):
    """A diagonal direction with its two flanks: squares from which a flank's way round is open."""

    offset: int
    leaving: int
    flank: int
    flank_open: int
    other: int
    other_open: int


class _HugeStep(NamedTuple):
    """A step of a 2x2 block: squares it enters, squares that flank it, by offset from its min corner."""

    offset: int
    diagonal: bool
    leaving: int
    enters: tuple[int, ...]
    passes: tuple[tuple[int, int], ...]


class StepGraph:
    """What terrain lets one kind of mover do; units come later, as masks."""

    __slots__ = (
        "corners",
        "halves",
        "hazards",
        "huge",
        "indoors",
        "landing",
        "mover",
        "nodes",
        "passable",
        "plane",
        "roads",
        "spared",
        "steps",
        "stoppable",
        "table_size",
        "tops",
    )

    def __init__(self, table: Grid, mover: Mover) -> None:
        self.mover = mover
        self.plane = table.plane
        self.table_size = table.size
        self.steps: list[Step] = []
        self.corners: list[_Corner] = []
        self.huge: list[_HugeStep] = []
        self.landing: dict[int, Place] = {}
        self.tops: list[tuple[int, int]] = []
        self.halves = self.roads = self.hazards = self.indoors = self.spared = 0
        if mover.kind == "aircraft":
            self._as_aircraft(table)
        else:
            self._ground_masks(table)
            if mover.flying:
                self._as_flyer(table)
            else:
                self._as_ground(table)
                if mover.size == "huge":
                    self._as_huge(table)

    @property
    def on_wheels(self) -> bool:
        """Moves like a vehicle: no stairs, no cut corners."""
        return self.mover.vehicle or self.mover.size != "standard"

    # --- what the squares allow ---

    def _ground_masks(self, table: Grid) -> None:
        mover = self.mover
        self.nodes = table.existing & ((1 << table.plane) - 1) if self.on_wheels else table.existing
        kinds = [(table.kinds[name], where) for name, where in table.masks_by_kind().items()]
        passable = self.nodes
        if mover.kind == "naval":
            passable = union(where for kind, where in kinds if kind.water)
        stoppable = passable
        for kind, where in kinds:
            if not may(mover, kind.passable):
                passable &= ~where
            if not may(mover, kind.stoppable):
                stoppable &= ~where
            if kind.hazard and (not kind.hazard_for or may(mover, kind.hazard_for)):
                self.hazards |= where
            if kind.halves:
                self.halves |= where
            if kind.road:
                self.roads |= where
            if kind.name in mover.spares:
                self.spared |= where
        self.passable, self.stoppable = passable, stoppable

    # --- ground units ---

    def _as_ground(self, table: Grid) -> None:
        walls = _Walls(table, self.mover)
        impassable = self._corners(table)
        for index, (dx, dy) in enumerate(FORWARD):
            offset = dy * table.width + dx
            leaving = walls.straight[index] & self.nodes & shift(self.passable, -offset)
            self.steps.append(Step(offset, False, leaving & ~_across(table, offset)))
        for index, (dx, dy) in enumerate(DIAGONALS):
            flank, other = dx, dy * table.width
            around = table.leaving(dx, dy) & self.nodes
            self.corners.append(
                _Corner(
                    flank + other,
                    around & shift(self.passable, -flank - other) & ~_across(table, flank + other),
                    flank,
                    around & ~shift(impassable, -flank) & ~walls.at_flank[index],
                    other,
                    around & ~shift(impassable, -other) & ~walls.at_other[index],
                )
            )
        if not self.on_wheels:
            self._stairs(table)
            self._through_passages(table)

    def _corners(self, table: Grid) -> int:
        """Squares past whose corners no step leads: those without a dot, for vehicles all that they cannot enter.

        d47.move.vehicle_corner, d47.move.infantry_corner_ok.
        """
        dotless = union(where for name, where in table.masks_by_kind().items() if table.kinds[name].corner)
        return dotless | self.nodes & ~self.passable if self.on_wheels else dotless

    def _through_passages(self, table: Grid) -> None:
        """One step through a door or over sandbags, however thick the walls are (d47.fort.area)."""
        moves: dict[tuple[int, bool], int] = {}
        for outside, inside in table.passages():
            for here, there in ((outside, inside), (inside, outside)):
                if self.passable >> there & 1:
                    _add(moves, here, there, False)
        for (offset, _), leaving in sorted(moves.items()):
            self._add_step(offset, leaving)

    def _stairs(self, table: Grid) -> None:
        """Infantry change floors and climb plinths (d47.terrain.building_floors, d47.babylon.plinth)."""
        up = down = 0
        for (x, y), column in table.columns().items():
            if column.climb == "inside":
                for level in range(column.top):
                    low, high = table.index(x, y, level), table.index(x, y, level + 1)
                    up |= (1 << low) if self.passable >> high & 1 else 0
                    down |= (1 << high) if self.passable >> low & 1 else 0
            elif column.climb == "outside":
                self._climbs(table, x, y, column.top)
        self._add_step(table.plane, up)
        self._add_step(-table.plane, down)

    def _climbs(self, table: Grid, x: int, y: int, rise: int) -> None:
        """From every square around a plinth to its top, and back."""
        top = table.index(x, y, rise)
        for dx, dy in EIGHT:
            if 0 <= x + dx < table.width and 0 <= y + dy < table.height:
                foot = table.index(x + dx, y + dy)
                if self.passable >> top & 1:
                    self._add_step(top - foot, 1 << foot)
                if self.passable >> foot & 1:
                    self._add_step(foot - top, 1 << top)

    def _add_step(self, offset: int, leaving: int) -> None:
        if leaving:
            self.steps.append(Step(offset, False, leaving))

    # --- huge units: a 2x2 block, led by the side toward which it moves ---

    def _as_huge(self, table: Grid) -> None:
        width = table.width
        whole = self._whole_blocks(table)
        for index in range(4):
            self._huge_step(table, whole, self.steps[index], FORWARD[index], _LEADS[index])
        for index, (dx, dy) in enumerate(DIAGONALS):
            offset, leaving, _, flank_open, _, other_open = self.corners[index]
            step = Step(offset, True, leaving & flank_open & other_open)
            for lead in (0 if dy < 0 else 2, 1 if dx > 0 else 3):
                self._huge_step(table, whole, step, (dx, dy), _LEADS[lead])
        self.nodes = whole
        self.halves = whole & _any_of_four(self.halves, width)
        self.hazards = whole & _any_of_four(self.hazards, width)
        self.spared = whole & _any_of_four(self.spared, width)
        self.roads = whole & ~_any_of_four(~self.roads & ((1 << table.plane) - 1), width)

    def _whole_blocks(self, table: Grid) -> int:
        """Min corners of the 2x2 blocks that no wall runs through."""
        walls = _Walls(table, self.mover)
        east, south = walls.straight[1] & self.nodes, walls.straight[2] & self.nodes
        return east & shift(east, -table.width) & south & shift(south, -1)

    def _huge_step(
        self, table: Grid, whole: int, step: Step, way: tuple[int, int], lead: tuple[tuple[int, int], ...]
    ) -> None:
        """The block may step if both its leading squares may (d47.move.large_leading_edge, d47.move.large_diagonal)."""
        (dx, dy), width = way, table.width
        leads = tuple(y * width + x for x, y in lead)
        leaving = whole & shift(whole, -step.offset) & table.leaving(dx, dy)
        for square in leads:
            leaving &= shift(step.leaving, -square)
        enters = tuple(square + step.offset for square in leads)
        passes = tuple((square + dx, square + dy * width) for square in leads) if step.diagonal else ()
        self.huge.append(_HugeStep(step.offset, step.diagonal, leaving, enters, passes))

    # --- flying infantry: a sky above the board, and floors entered through openings ---

    def _as_flyer(self, table: Grid) -> None:
        sky = table.size
        ground = (1 << table.plane) - 1
        self.landing = {sky + place: place for place in range(table.plane)}
        for (x, y), column in table.columns().items():
            self.landing[sky + table.index(x, y)] = table.index(x, y, column.top)
        self.tops = _tops_by_level(table)
        moves: dict[tuple[int, bool], int] = {}
        for dx, dy in EIGHT:
            moves[(dy * table.width + dx, bool(dx and dy))] = (table.leaving(dx, dy) & ground) << sky
        self.indoors = indoor = table.indoor | table.closed
        self.nodes = indoor | ground << sky
        for place in places_of(table.indoor & ~table.closed):
            self._leave_floor(table, moves, place, sky)
        for outside, inside in table.passages():
            _add(moves, sky + table.ground(outside), inside, False)
            _add(moves, inside, sky + table.ground(outside), False)
        self.steps = [Step(offset, diagonal, mask) for (offset, diagonal), mask in sorted(moves.items())]
        self.stoppable = self.units_in_nodes(self.stoppable & ~indoor) | (self.stoppable & indoor)
        self.hazards = self.units_in_nodes(self.hazards)
        self.passable = self.nodes
        self.halves = self.roads = 0

    def _leave_floor(self, table: Grid, moves: dict[tuple[int, bool], int], place: Place, sky: int) -> None:
        """Steps between an indoor place and what is around it, both ways."""
        x, y = table.xy(place)
        level = table.level(place)
        for dx, dy in EIGHT:
            to_x, to_y = x + dx, y + dy
            if not (0 <= to_x < table.width and 0 <= to_y < table.height):
                continue
            target = table.index(to_x, to_y, level)
            if not self._passes_indoors(table, place, dx, dy, target):
                continue
            inside = table.exists(target) and table.is_indoor(target)
            node = target if inside else sky + table.index(to_x, to_y)
            _add(moves, place, node, bool(dx and dy))
            _add(moves, node, place, bool(dx and dy))
        above = table.index(x, y, level + 1)
        if level + 1 < table.levels and table.exists(above):
            node = above if table.is_indoor(above) else sky + table.index(x, y)
            _add(moves, place, node, False)
            _add(moves, node, place, False)

    def _passes_indoors(self, table: Grid, place: Place, dx: int, dy: int, target: Place) -> bool:
        if not (dx and dy):
            return crosses(self.mover, table.wall(place, target))
        flanks = (place + dx, place + dy * table.width)
        return any(self._way_round(table, place, flank, target) for flank in flanks)

    def _way_round(self, table: Grid, place: Place, flank: Place, target: Place) -> bool:
        """One side of a diagonal has neither corner nor wall (d47.open.diagonal_between_structures)."""
        edges = (table.wall(place, flank), table.wall(flank, target))
        return table.has_dot(flank) and all(crosses(self.mover, wall) for wall in edges)

    # --- aircraft: nothing on the ground matters ---

    def _as_aircraft(self, table: Grid) -> None:
        self.nodes = self.passable = self.stoppable = (1 << table.plane) - 1
        for dx, dy in EIGHT:
            leaving = table.leaving(dx, dy) & self.nodes
            self.steps.append(Step(dy * table.width + dx, bool(dx and dy), leaving))

    # --- with the units of the moment ---

    def node(self, place: Place) -> int:
        """Where a unit on a place starts in this graph."""
        if self.landing and not self.indoors >> place & 1:
            return self.table_size + place % self.plane
        return place

    def place(self, node: int) -> Place:
        """The place a node of this graph stands for."""
        return self.landing.get(node, node) if self.landing else node

    def units_in_nodes(self, units: int) -> int:
        """Units by place, as a mask over the nodes of this graph."""
        if not self.landing:
            return units
        mask = units & self.nodes & ((1 << self.table_size) - 1)
        for level, tops in self.tops:
            mask |= ((units >> (level * self.plane)) & tops) << self.table_size
        return mask

    def live_steps(self, friends: int, enemies: int, blocked: int) -> list[Step]:
        """The steps left when units stand in the way; `blocked` are those that cannot be passed."""
        if self.huge:
            return self._live_huge(friends, enemies, blocked)
        if not self.corners:
            return self.steps
        open_now = open_corners(self.corners, self.on_wheels, friends | enemies, enemies)
        new = tuple.__new__  # half the price of calling Step
        return self.steps + [
            new(Step, (corner[0], True, leaving)) for corner, leaving in zip(self.corners, open_now, strict=True)
        ]

    def _live_huge(self, friends: int, enemies: int, blocked: int) -> list[Step]:
        units = friends | enemies
        live = []
        for offset, diagonal, leaving, enters, passes in self.huge:
            for square in enters:
                leaving &= ~shift(blocked, -square)
            for flank, other in passes:
                leaving &= ~(shift(enemies, -flank) | shift(enemies, -other))
                leaving &= ~(shift(units, -flank) & shift(units, -other))
            live.append(Step(offset, diagonal, leaving))
        return live


def open_corners(corners: list[_Corner], on_wheels: bool, units: int, enemies: int) -> list[int]:
    """For every diagonal the squares that can be left that way past these units."""
    squares = []
    for _, leaving, flank, flank_open, other, other_open in corners:
        if on_wheels:
            at_flank, at_other = shift(units, -flank), shift(units, -other)
            leaving &= flank_open & other_open & ~(at_flank & at_other)
            if enemies:
                leaving &= ~(shift(enemies, -flank) | shift(enemies, -other))
        else:
            leaving &= (flank_open & ~shift(units, -flank)) | (other_open & ~shift(units, -other))
        squares.append(leaving)
    return squares


class _Walls:
    """Where walls stop a mover: straight steps left open, and ways round a diagonal that are shut."""

    __slots__ = ("at_flank", "at_other", "straight")

    def __init__(self, table: Grid, mover: Mover) -> None:
        self.straight = [table.leaving(dx, dy) for dx, dy in FORWARD]
        self.at_flank = [0, 0, 0, 0]
        self.at_other = [0, 0, 0, 0]
        for (low, high), wall in table.walls().items():
            if not crosses(mover, wall):
                across = high - low == 1
                self._shut(table.width, low, high, 1 if across else 2)
                self._shut(table.width, high, low, 3 if across else 0)

    def _shut(self, width: int, a: Place, b: Place, way: int) -> None:
        """No step from `a` to `b`: neither straight, nor as the first or second leg round a diagonal."""
        self.straight[way] &= ~(1 << a)
        dx, dy = FORWARD[way]
        for index, (diagonal_x, diagonal_y) in enumerate(DIAGONALS):
            if dx and diagonal_x == dx:
                self.at_flank[index] |= 1 << a
                self.at_other[index] |= _bit(a - diagonal_y * width)
            if dy and diagonal_y == dy:
                self.at_other[index] |= 1 << a
                self.at_flank[index] |= _bit(a - diagonal_x)


_LEADS: Final = (
    ((0, 0), (1, 0)),
    ((1, 0), (1, 1)),
    ((0, 1), (1, 1)),
    ((0, 0), (0, 1)),
)
"""The two leading squares of a 2x2 block for each direction, from its min corner."""


def _bit(place: Place) -> int:
    return 1 << place if place >= 0 else 0


def _any_of_four(squares: int, width: int) -> int:
    """Min corners of the 2x2 blocks that hold any of these squares."""
    return squares | squares >> 1 | squares >> width | squares >> (width + 1)


def _tops_by_level(table: Grid) -> list[tuple[int, int]]:
    """For each level, the squares whose highest place lies on it: where a flyer above would land."""
    tops = {0: (1 << table.plane) - 1}
    for (x, y), column in table.columns().items():
        bit = 1 << table.index(x, y)
        tops[0] &= ~bit
        tops[column.top] = tops.get(column.top, 0) | bit
    return sorted(tops.items())


def _across(table: Grid, offset: int) -> int:
    """Squares from which an ordinary step would lead into or out of a place that only passages lead to."""
    return table.closed ^ shift(table.closed, -offset)


def _add(moves: dict[tuple[int, bool], int], here: int, there: int, diagonal: bool) -> None:
    key = (there - here, diagonal)
    moves[key] = moves.get(key, 0) | 1 << here


native.take_over(globals(), "open_corners")
