"""Steps on squares: what terrain lets each kind of mover do (d47.move.*, d47.terrain.*).

A step graph holds, for each direction, the mask of squares a mover may leave that way; units of the moment
are taken off with a few operations on masks. Reach lives in movement.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from dieselfront.table.square.geometry import (
    DIAGONALS,
    EIGHT,
    FORWARD,
    Place,
    Size,
    mask_of,
    shift,
)
from dieselfront.table.terrain import AMPHIBIOUS, Wall

if TYPE_CHECKING:
    from dieselfront.table.square.grid import Grid

GraphKey = tuple[str, str, bool, bool, bool, bool]


class Mover(msgspec.Struct, frozen=True):
    """What matters about a unit when it moves."""

    kind: str
    size: Size = "standard"
    flying: bool = False
    amphibious: bool = False
    crosses_low_walls: bool = True
    through_enemies: bool = False
    vehicle: bool = False
    shares: bool = False
    """May end its movement on a friend's square."""


class Occupancy:
    """Who stands where, as bitmasks over places."""

    __slots__ = ("aircraft", "enemies", "friend_vehicles", "friends", "sight_blockers")

    def __init__(
        self,
        friends: int = 0,
        friend_vehicles: int = 0,
        enemies: int = 0,
        aircraft: int = 0,
        sight_blockers: int = 0,
    ) -> None:
        self.friends = friends | friend_vehicles
        self.friend_vehicles = friend_vehicles
        self.enemies = enemies
        self.aircraft = aircraft
        self.sight_blockers = sight_blockers


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


def graph_key(mover: Mover) -> GraphKey:
    """Everything about a mover that its step graph depends on."""
    return mover.kind, mover.size, mover.flying, mover.amphibious, mover.crosses_low_walls, mover.vehicle


def may(mover: Mover, allowed: tuple[str, ...]) -> bool:
    """Whether a list of mover kinds includes this mover."""
    return mover.kind in allowed or (mover.amphibious and AMPHIBIOUS in allowed)


def crosses(mover: Mover, wall: Wall | None) -> bool:
    """Whether a mover gets across the edge (d47.terrain.opening_*, d47.terrain.low_wall_cross)."""
    if wall is None:
        return True
    if wall.opening == "huge" or (wall.opening == "large" and mover.size != "huge"):
        return True
    if wall.opening == "small" and not mover.vehicle:
        return True
    return wall.kind == "low" and mover.crosses_low_walls


class StepGraph:
    """What terrain lets one kind of mover do; units come later, as masks."""

    __slots__ = (
        "corners",
        "halves",
        "hazards",
        "huge",
        "landing",
        "mover",
        "nodes",
        "passable",
        "plane",
        "roads",
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
        self.halves = self.roads = self.hazards = 0
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

    # --- what the squares allow ---

    def _ground_masks(self, table: Grid) -> None:
        mover = self.mover
        existing = mask_of(table.places())
        if mover.vehicle:
            existing &= (1 << table.plane) - 1
        passable = stoppable = 0 if mover.kind == "naval" else existing
        for place, kinds in table.kinds_by_place().items():
            bit = 1 << place
            if mover.kind == "naval" and any(kind.water for kind in kinds):
                passable, stoppable = passable | bit, stoppable | bit
            if not all(may(mover, kind.passable) for kind in kinds):
                passable &= ~bit
            if not all(may(mover, kind.stoppable) for kind in kinds):
                stoppable &= ~bit
            if any(kind.hazard and (not kind.hazard_for or may(mover, kind.hazard_for)) for kind in kinds):
                self.hazards |= bit
            if any(kind.halves for kind in kinds):
                self.halves |= bit
            if any(kind.road for kind in kinds):
                self.roads |= bit
        self.passable = passable
        self.stoppable = stoppable
        self.nodes = existing

    # --- ground units ---

    def _as_ground(self, table: Grid) -> None:
        for dx, dy in FORWARD:
            leaving = mask_of(
                place
                for place, target in _pairs(table, dx, dy)
                if self.passable >> target & 1 and crosses(self.mover, table.wall(place, target))
            )
            self.steps.append(Step(dy * table.width + dx, False, leaving))
        for dx, dy in DIAGONALS:
            self.corners.append(self._corner(table, dx, dy))
        if not self.mover.vehicle:
            self._stairs(table)

    def _corner(self, table: Grid, dx: int, dy: int) -> _Corner:
        leaving = flank_open = other_open = 0
        for place, target in _pairs(table, dx, dy):
            flank, other = place + dx, place + dy * table.width
            bit = 1 << place
            if self.passable >> target & 1:
                leaving |= bit
            if self._way_round(table, place, flank, target):
                flank_open |= bit
            if self._way_round(table, place, other, target):
                other_open |= bit
        return _Corner(dy * table.width + dx, leaving, dx, flank_open, dy * table.width, other_open)

    def _way_round(self, table: Grid, place: Place, flank: Place, target: Place) -> bool:
        """One side of a diagonal has neither corner nor wall (d47.open.diagonal_between_structures)."""
        if any(kind.corner for kind in table.kinds_at(flank)):
            return False
        return crosses(self.mover, table.wall(place, flank)) and crosses(self.mover, table.wall(flank, target))

    def _stairs(self, table: Grid) -> None:
        """Infantry change floors and climb plinths (d47.terrain.building_floors, d47.babylon.plinth)."""
        up = down = 0
        for (x, y), column in table.columns().items():
            if column.climb == "inside":
                for level in range(column.top):
                    low, high = table.index(x, y, level), table.index(x, y, level + 1)
                    up |= (1 << low) if self.passable >> high & 1 else 0
                    down |= (1 << high) if self.passable >> low & 1 else 0
        self._add_step(table.plane, up)
        self._add_step(-table.plane, down)
        for dx, dy in EIGHT:
            for rise in range(1, table.levels):
                self._climbs(table, dx, dy, rise)

    def _climbs(self, table: Grid, dx: int, dy: int, rise: int) -> None:
        up = down = 0
        offset = rise * table.plane + dy * table.width + dx
        for (x, y), column in table.columns().items():
            foot_x, foot_y = x - dx, y - dy
            if column.climb != "outside" or column.top != rise:
                continue
            if 0 <= foot_x < table.width and 0 <= foot_y < table.height:
                foot, top = table.index(foot_x, foot_y), table.index(x, y, rise)
                up |= (1 << foot) if self.passable >> top & 1 else 0
                down |= (1 << top) if self.passable >> foot & 1 else 0
        self._add_step(offset, up)
        self._add_step(-offset, down)

    def _add_step(self, offset: int, leaving: int) -> None:
        if leaving:
            self.steps.append(Step(offset, False, leaving))

    # --- huge units: a 2x2 block, led by the side toward which it moves ---

    def _as_huge(self, table: Grid) -> None:
        width = table.width
        block = (0, 1, width, width + 1)
        anchors = [table.index(x, y) for y in range(table.height - 1) for x in range(width - 1)]
        whole = [place for place in anchors if self._block_is_whole(table, place)]
        for index, (dx, dy) in enumerate(FORWARD):
            lead = _LEADS[index]
            self._huge_step(table, whole, dx, dy, lead)
        for dx, dy in DIAGONALS:
            for index, (ahead_x, ahead_y) in enumerate(FORWARD):
                if (ahead_x and ahead_x == dx) or (ahead_y and ahead_y == dy):
                    self._huge_step(table, whole, dx, dy, _LEADS[index])
        under = {place: mask_of(place + offset for offset in block) for place in whole}
        self.nodes = mask_of(whole)
        self.halves = mask_of(place for place in whole if under[place] & self.halves)
        self.hazards = mask_of(place for place in whole if under[place] & self.hazards)
        self.roads = mask_of(place for place in whole if not under[place] & ~self.roads)

    def _block_is_whole(self, table: Grid, place: Place) -> bool:
        """No wall runs through the block."""
        width = table.width
        inner = ((0, 1), (width, width + 1), (0, width), (1, width + 1))
        return all(crosses(self.mover, table.wall(place + a, place + b)) for a, b in inner)

    def _huge_step(self, table: Grid, whole: list[Place], dx: int, dy: int, lead: tuple[tuple[int, int], ...]) -> None:
        width = table.width
        offset = dy * width + dx
        anchors = set(whole)
        leads = tuple(y * width + x for x, y in lead)
        enters = tuple(square + offset for square in leads)
        passes = tuple((square + dx, square + dy * width) for square in leads) if dx and dy else ()
        leaving = 0
        for place, target in _pairs(table, dx, dy):
            if place in anchors and target in anchors and self._block_enters(table, place, offset, leads, passes):
                leaving |= 1 << place
        self.huge.append(_HugeStep(offset, bool(dx and dy), leaving, enters, passes))

    def _block_enters(
        self,
        table: Grid,
        place: Place,
        offset: int,
        leads: tuple[int, ...],
        passes: tuple[tuple[int, int], ...],
    ) -> bool:
        for number, square in enumerate(leads):
            here, there = place + square, place + square + offset
            if not self.passable >> there & 1:
                return False
            if not passes:
                if not crosses(self.mover, table.wall(here, there)):
                    return False
            elif not all(self._way_round(table, here, place + flank, there) for flank in passes[number]):
                return False
        return True

    # --- flying infantry: a sky above the board, and floors entered through openings ---

    def _as_flyer(self, table: Grid) -> None:
        sky = table.size
        for y in range(table.height):
            for x in range(table.width):
                top = _top(table, x, y)
                self.landing[sky + table.index(x, y)] = top
        indoor = [place for place in table.places() if table.is_indoor(place)]
        moves: dict[tuple[int, bool], int] = {}
        for dx, dy in EIGHT:
            for place, target in _pairs_on_ground(table, dx, dy):
                _add(moves, sky + place, sky + target, bool(dx and dy))
        for place in indoor:
            self._leave_floor(table, moves, place, sky)
        self.steps = [Step(offset, diagonal, mask) for (offset, diagonal), mask in sorted(moves.items())]
        self.nodes = mask_of(indoor) | (((1 << table.plane) - 1) << sky)
        ends = mask_of(place for place in indoor if self.stoppable >> place & 1)
        landings = [node for node, top in self.landing.items() if self._can_land(table, top)]
        self.stoppable = ends | mask_of(landings)
        self.passable = self.nodes
        self.tops = _tops_by_level(table, self.landing)
        self.halves = self.roads = 0
        self.hazards = mask_of(node for node, top in self.landing.items() if self.hazards >> top & 1)

    def _can_land(self, table: Grid, top: Place) -> bool:
        return bool(self.stoppable >> top & 1) and not table.is_indoor(top)

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

    # --- aircraft: nothing on the ground matters ---

    def _as_aircraft(self, table: Grid) -> None:
        self.nodes = self.passable = self.stoppable = (1 << table.plane) - 1
        for dx, dy in EIGHT:
            leaving = mask_of(place for place, _ in _pairs_on_ground(table, dx, dy))
            self.steps.append(Step(dy * table.width + dx, bool(dx and dy), leaving))

    # --- with the units of the moment ---

    def node(self, place: Place, table: Grid) -> int:
        """Where a unit on a place starts in this graph."""
        if self.landing and not table.is_indoor(place):
            return self.table_size + place % self.plane
        return place

    def place(self, node: int) -> Place:
        """The place a node of this graph stands for."""
        return self.landing.get(node, node) if self.landing else node

    def units_in_nodes(self, units: int) -> int:
        """Units by place, as a mask over the nodes of this graph."""
        if not self.landing:
            return units
        found = units & self.nodes & ((1 << self.table_size) - 1)
        for level, tops in self.tops:
            found |= ((units >> (level * self.plane)) & tops) << self.table_size
        return found

    def live_steps(self, friends: int, enemies: int, blocked: int) -> list[Step]:
        """The steps left when units stand in the way; `blocked` are those that cannot be passed."""
        if self.huge:
            return self._live_huge(friends, enemies, blocked)
        if not self.corners:
            return self.steps
        units = friends | enemies
        live = list(self.steps)
        for offset, leaving, flank, flank_open, other, other_open in self.corners:
            if self.mover.vehicle:
                at_flank, at_other = shift(units, -flank), shift(units, -other)
                leaving &= flank_open & other_open & ~(at_flank & at_other)
                if enemies:
                    leaving &= ~(shift(enemies, -flank) | shift(enemies, -other))
            else:
                leaving &= (flank_open & ~shift(units, -flank)) | (other_open & ~shift(units, -other))
            live.append(Step(offset, True, leaving))
        return live

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


_LEADS: Final = (
    ((0, 0), (1, 0)),
    ((1, 0), (1, 1)),
    ((0, 1), (1, 1)),
    ((0, 0), (0, 1)),
)
"""The two leading squares of a 2x2 block for each direction, from its min corner."""


def _pairs(table: Grid, dx: int, dy: int) -> list[tuple[Place, Place]]:
    """Existing places with their existing neighbours in one direction, on every level."""
    pairs = []
    for place in table.places():
        x, y = table.xy(place)
        if 0 <= x + dx < table.width and 0 <= y + dy < table.height:
            target = place + dy * table.width + dx
            if table.exists(target):
                pairs.append((place, target))
    return pairs


def _pairs_on_ground(table: Grid, dx: int, dy: int) -> list[tuple[Place, Place]]:
    return [(place, target) for place, target in _pairs(table, dx, dy) if place < table.plane]


def _top(table: Grid, x: int, y: int) -> Place:
    """The highest place over a square: where a flyer above it would land."""
    column = table.column(x, y)
    return table.index(x, y, column.top if column else 0)


def _tops_by_level(table: Grid, landing: dict[int, Place]) -> list[tuple[int, int]]:
    """For each level, the squares whose landing place lies on it."""
    tops: dict[int, int] = {}
    for place in landing.values():
        level = table.level(place)
        tops[level] = tops.get(level, 0) | 1 << table.ground(place)
    return sorted(tops.items())


def _add(moves: dict[tuple[int, bool], int], here: int, there: int, diagonal: bool) -> None:
    key = (there - here, diagonal)
    moves[key] = moves.get(key, 0) | 1 << here
