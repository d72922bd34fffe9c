"""Sight on squares: what blocks a line, what covers its target, and why (d47.attack.los.*, save.cover_*).

A line runs from centre to centre. Everything that does not move is worked out once per pair of squares and
kept as a `Line`; what moves comes as a bitmask and costs one `&`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import msgspec

from dieselfront.table.square.geometry import Crossing, Place, mask_of, places_of, ray

if TYPE_CHECKING:
    from dieselfront.table.square.grid import Grid
    from dieselfront.table.terrain import TerrainKind, Wall

Eye = Literal["low", "tall"]
AirSide = Literal["attacker", "target", "both"]

UNIT: Final = "unit"


class Reason(msgspec.Struct, frozen=True):
    """One thing that blocks a line of sight, or covers its target."""

    code: str
    what: str
    places: tuple[Place, ...]
    blocks: bool


class Sight(msgspec.Struct, frozen=True):
    """Whether a target is seen, whether it is in cover, and all the reasons."""

    visible: bool
    cover: bool
    reasons: tuple[Reason, ...]

    def __bool__(self) -> bool:
        return self.visible


class Flank(NamedTuple):
    """One side of a vertex: what stands there already, and where a unit would stand in the way."""

    blocked_by: str
    """Empty when nothing fixed blocks this side."""
    units: int
    places: tuple[Place, ...]


class Line:
    """The fixed part of a line of sight, ready for any blockers."""

    __slots__ = ("blocks", "cover", "flanks", "inner", "memo", "sight", "touched", "visible", "watch")

    def __init__(
        self,
        blocks: tuple[Reason, ...],
        cover: tuple[Reason, ...],
        inner: int,
        flanks: tuple[tuple[Flank, Flank], ...],
        touched: int,
    ) -> None:
        self.blocks = blocks
        self.cover = cover
        self.inner = inner
        self.flanks = flanks
        self.touched = touched
        self.memo: dict[int, Sight] = {}
        self.sight = Sight(False, False, blocks) if blocks else self._judge(0)
        self.visible = self.sight.visible
        """Is the target seen when no unit stands in the way?"""
        watch = inner
        for one, other in flanks:
            watch |= one.units | other.units
        self.watch = watch if self.visible else 0
        """Squares where a blocking unit changes the answer."""

    def with_units(self, units: int) -> Sight:
        """The sight past these units, which all stand on watched squares."""
        known = self.memo.get(units)
        if known is None:
            if len(self.memo) >= 64:
                self.memo.clear()
            known = self.memo[units] = self._judge(units)
        return known

    def visible_past(self, units: int) -> bool:
        """Whether the target is seen past these units, without the reasons."""
        if self.blocks or units & self.inner:
            return False
        for one, other in self.flanks:
            if (one.blocked_by or units & one.units) and (other.blocked_by or units & other.units):
                return False
        return True

    def _judge(self, units: int) -> Sight:
        in_the_way = units & self.inner
        blocks = [Reason("blocker", UNIT, places_of(in_the_way), True)] if in_the_way else []
        cover = list(self.cover)
        for one, other in self.flanks:
            first = one.blocked_by or (UNIT if units & one.units else "")
            second = other.blocked_by or (UNIT if units & other.units else "")
            if first and second:
                what = first if first == second else f"{first} and {second}"
                blocks.append(Reason("corners", what, one.places + other.places, True))
            elif first:
                cover.append(Reason("corner", first, one.places, False))
            elif second:
                cover.append(Reason("corner", second, other.places, False))
        if blocks:
            return Sight(False, False, tuple(blocks))
        return Sight(True, bool(cover), tuple(cover))


class PlainLine(Line):
    """A line along the ground past no wall: masks say what is seen, the reasons are put down when asked for."""

    __slots__ = ("corners", "made_by")

    def __init__(self, table: Grid, a: Place, b: Place, eye: Eye, way: _Way) -> None:
        start = a + way.least
        self.inner = inner = way.inner << start
        ground = way.ground << start
        self.touched = ground
        for level in range(1, table.levels):
            self.touched |= ground << level * table.plane
        hiding = table.hiding_mask(eye) & ground
        self.corners = [(1 << a + one, 1 << a + other) for one, other in way.pairs]
        self.visible = not hiding & inner
        watch = inner
        for one, other in self.corners:
            watch |= one | other
            if hiding & one and hiding & other:
                self.visible = False
        self.watch = watch if self.visible else 0
        self.made_by = (table, a, b, eye, way, hiding)

    def visible_past(self, units: int) -> bool:
        if not self.visible or units & self.inner:
            return False
        units |= self.made_by[5]
        for one, other in self.corners:  # noqa: SIM110 (asked very often)
            if units & one and units & other:
                return False
        return True

    def __getattr__(self, name: str) -> Any:
        """Only called for what has not been set yet."""
        if name not in ("blocks", "cover", "flanks", "memo", "sight"):
            raise AttributeError(name)
        table, a, b, eye, way, _ = self.made_by
        blocks, cover = _on_the_way(table, a, b, eye, way)
        hiding = table.hiding(eye)
        self.blocks, self.cover = tuple(blocks), tuple(cover)
        self.flanks = tuple(
            (_plain_flank(hiding, a + one), _plain_flank(hiding, a + other)) for one, other in way.pairs
        )
        self.memo = {}
        self.sight = Sight(False, False, self.blocks) if blocks else self._judge(0)
        return getattr(self, name)


class Outlook:
    """Lines from one square as masks: the places in plain sight, and which of them a unit on a square may hide."""

    __slots__ = ("beside", "known", "lines", "plain", "through", "watched")

    def __init__(self) -> None:
        self.known = 0
        self.plain = 0
        self.watched = 0
        self.through: dict[Place, int] = {}
        """By square the places whose lines run through it: a unit there hides them."""
        self.beside: dict[Place, int] = {}
        """By square the places past whose lines' corners it lies: a unit there may hide them."""
        self.lines: dict[Place, Line] = {}

    def add(self, b: Place, line: Line) -> None:
        """One more place, with the line to it."""
        bit = 1 << b
        self.known |= bit
        self.lines[b] = line
        if not line.visible:
            return
        self.plain |= bit
        watch = line.watch & ~bit
        self.watched |= watch
        for square in places_of(watch):
            among = self.through if line.inner >> square & 1 else self.beside
            among[square] = among.get(square, 0) | bit

    def seen(self, places: int, in_the_way: int) -> int:
        """Those of some known places that are seen when all this is in the way."""
        seen = places & self.plain
        in_the_way &= self.watched
        doubtful, rest = 0, in_the_way
        while rest:
            low = rest & -rest
            rest ^= low
            square = low.bit_length() - 1
            seen &= ~self.through.get(square, 0)
            doubtful |= self.beside.get(square, 0)
        doubtful &= seen
        while doubtful:
            low = doubtful & -doubtful
            doubtful ^= low
            line = self.lines[low.bit_length() - 1]
            if not line.visible_past(in_the_way & line.watch & ~low):
                seen ^= low
        return seen


class _Height(NamedTuple):
    """Heights a line has in one square: from `low` to `high` in parts of `unit`, or just one point."""

    low: int
    high: int
    unit: int

    def meets(self, base: int, top: int | None) -> bool:
        """Whether something from `base` up to below `top` is in the way."""
        under_top = top is None or self.low < top * self.unit
        if self.low == self.high:
            return under_top and base * self.unit <= self.low
        return under_top and base * self.unit < self.high


class _Tracer:
    """Works out one line; used once and thrown away."""

    def __init__(self, table: Grid, a: Place, b: Place, eye: Eye, ignore: int) -> None:
        self.table = table
        self.a, self.b = a, b
        self.near: tuple[Place, ...] = (a, b)
        self.eye = eye
        self.ignore = ignore
        ax, ay = table.xy(a)
        bx, by = table.xy(b)
        self.level_a, self.level_b = table.level(a), table.level(b)
        self.ray = ray(bx - ax, by - ay)
        self.squares = [(ax + x, ay + y) for x, y in self.ray.squares]
        self.crossings = [
            Crossing(ax + c.x, ay + c.y, ax + c.to_x, ay + c.to_y, c.moment, c.is_vertex) for c in self.ray.crossings
        ]
        self.last = len(self.squares) - 1
        self.flat = self.level_a == self.level_b
        self.inside_a = self._indoor_run(self.level_a, range(self.last + 1))
        self.inside_b = self._indoor_run(self.level_b, range(self.last, -1, -1))
        self.end_a = self._platform_run(self.level_a, range(self.last + 1))
        self.end_b = self._platform_run(self.level_b, range(self.last, -1, -1))
        self.blocks: list[Reason] = []
        self.cover: list[Reason] = []
        self.inner = 0
        self.touched = self._columns_touched()
        self.flanks: list[tuple[Flank, Flank]] = []

    def _columns_touched(self) -> int:
        """Every place, on any level, whose terrain could matter to this line."""
        squares = list(self.squares)
        for crossing in self.crossings:
            if crossing.is_vertex:
                squares += [(crossing.to_x, crossing.y), (crossing.x, crossing.to_y)]
        levels = range(self.table.levels)
        return mask_of(self.table.index(x, y, level) for x, y in squares for level in levels)

    # --- which part of the line runs on whose floor ---

    def _indoor_run(self, level: int, indices: range) -> int:
        """Index of the last square, from that end, still inside the same building; -1 outdoors."""
        run = -1
        for index in indices:
            if not self.table.is_indoor(self.table.index(*self.squares[index], level)):
                break
            run = index
        return run

    def _platform_run(self, level: int, indices: range) -> int:
        """Index of the last square, from that end, on the same floor or roof; -1 on open ground."""
        run = -1
        for index in indices:
            place = self.table.index(*self.squares[index], level)
            if not (self.table.exists(place) and (level or self.table.is_indoor(place))):
                break
            run = index
        return run

    @property
    def floors_between(self) -> bool:
        """Both ends stand in one building, one above the other's floor."""
        return not self.flat and self.end_a != -1 and self.end_b != -1 and self.end_a >= self.end_b

    # --- the whole line ---

    def line(self) -> Line:
        """The line of sight between two ground units."""
        self._own_square_cover()
        if self.floors_between:
            self._through_floors()
        for index in range(1, self.last):
            self._square(index)
        for index, crossing in enumerate(self.crossings):
            if crossing.is_vertex:
                self._vertex(index, crossing)
            else:
                self._edge(index, crossing)
        return self._result()

    def air_line(self, air: AirSide) -> Line:
        """Aircraft and ground see each other; indoors one needs an opening (d47.open.aircraft_los)."""
        if air == "attacker":
            self._own_square_cover()
        if air == "target":
            inside, self.inside_b, self.end_b, self.near = self.inside_a, -1, -1, (self.a,)
        else:
            inside, self.inside_a, self.end_a, self.near = self.inside_b, -1, -1, (self.b,)
        if air == "both" or inside == -1:
            return self._result()
        if inside == (self.last if air == "target" else 0):
            self.blocks.append(Reason("indoors", "building", (self.a if air == "target" else self.b,), True))
            return self._result()
        run = range(0, inside + 1) if air == "target" else range(inside - 1, self.last)
        for index in run:
            crossing = self.crossings[index]
            if crossing.is_vertex:
                self._vertex(index, crossing)
            else:
                self._edge(index, crossing)
        self.cover = [reason for reason in self.cover if reason.code == "in_terrain"]
        blocked = [pair for pair in self.flanks if pair[0].blocked_by and pair[1].blocked_by]
        self.flanks = [(Flank(a.blocked_by, 0, a.places), Flank(b.blocked_by, 0, b.places)) for a, b in blocked]
        self.inner = 0
        return self._result()

    def _result(self) -> Line:
        return Line(tuple(self.blocks), tuple(self.cover), self.inner, tuple(self.flanks), self.touched)

    def _own_square_cover(self) -> None:
        for kind in self.table.kinds_at(self.b):
            if kind.cover and not self.ignore >> self.b & 1:
                self.cover.append(Reason("in_terrain", kind.name, (self.b,), False))

    def _through_floors(self) -> None:
        """One floor between does not block and covers both; more floors block (d47.terrain.floors_los)."""
        if abs(self.level_a - self.level_b) == 1:
            self.cover.append(Reason("floors_apart", "floor", (self.a, self.b), False))
        else:
            self.blocks.append(Reason("floor", "floor", (self.a, self.b), True))

    # --- squares whose interior is crossed ---

    def _heights(self, index: int) -> list[_Height]:
        """Where the line runs in a square: on the floor of an end, or on its slope between the two."""
        if self.flat:
            return [_Height(self.level_a, self.level_a, 1)]
        floors = []
        if index <= self.end_a:
            floors.append(_Height(self.level_a, self.level_a, 1))
        if self.end_b != -1 and index >= self.end_b:
            floors.append(_Height(self.level_b, self.level_b, 1))
        if floors:
            return floors
        enter = self._slope(self.crossings[index - 1].moment)
        leave = self._slope(self.crossings[index].moment)
        return [_Height(min(enter, leave), max(enter, leave), self.ray.length)]

    def _slope(self, moment: int) -> int:
        """Height at a moment of the way, in parts of the ray's length."""
        return self.level_a * self.ray.length + (self.level_b - self.level_a) * moment

    def _square(self, index: int) -> None:
        x, y = self.squares[index]
        for height in self._heights(index):
            self._units_in(x, y, height)
            for what, place in self._pieces_in(x, y, height):
                self.blocks.append(Reason("interior", what, (place,), True))
        self._object_cover(x, y)

    def _units_in(self, x: int, y: int, height: _Height) -> None:
        self.inner |= self._unit_bits(x, y, height)

    def _unit_bits(self, x: int, y: int, height: _Height) -> int:
        """Where a unit, one floor high, would stand in the way (d47.height.vehicle_height)."""
        bits = 0
        for level in self.table.levels_at(x, y):
            if height.meets(level, level + 1):
                bits |= 1 << self.table.index(x, y, level)
        return bits

    def _pieces_in(self, x: int, y: int, height: _Height) -> list[tuple[str, Place]]:
        """Terrain of a square that reaches into the line."""
        pieces: list[tuple[str, Place]] = []
        if not self.table.is_featured(x, y):
            return pieces
        slanted = height.unit != 1
        ceiling = 0
        for level in reversed(self.table.levels_at(x, y)):
            place = self.table.index(x, y, level)
            if self.ignore >> place & 1:
                continue
            for kind in self.table.kinds_at(place):
                if slanted and kind.indoor:
                    ceiling = max(ceiling, level + 1)
                if self._blocks_sight(kind) and height.meets(level, level + kind.height if kind.height else None):
                    pieces.append((kind.name, place))
            if not slanted and level * height.unit <= height.low:
                break
        if ceiling and height.meets(0, ceiling):
            pieces.append(("building", self.table.index(x, y, 0)))
        return pieces

    def _blocks_sight(self, kind: TerrainKind) -> bool:
        return kind.sight == "all" or (kind.sight == "low" and self.eye == "low")

    def _object_cover(self, x: int, y: int) -> None:
        """An object next to the target covers it if the line passes through its square."""
        place = self.table.index(x, y, self.level_b)
        if self.ignore >> place & 1 or not self.table.is_featured(x, y):
            return
        if not self.table.adjacent(place, self.b):
            return
        for kind in self.table.kinds_at(place):
            if kind.object_cover and not self._blocks_sight(kind):
                self.cover.append(Reason("object", kind.name, (place,), False))

    # --- edges and vertices ---

    def _crossing_heights(self, index: int, crossing: Crossing) -> list[_Height]:
        if self.flat:
            return [_Height(self.level_a, self.level_a, 1)]
        floors = []
        if index <= self.end_a:
            floors.append(_Height(self.level_a, self.level_a, 1))
        if self.end_b != -1 and index + 1 >= self.end_b:
            floors.append(_Height(self.level_b, self.level_b, 1))
        slope = self._slope(crossing.moment)
        return floors or [_Height(slope, slope, self.ray.length)]

    def _walls(self, x: int, y: int, to_x: int, to_y: int) -> list[tuple[int, Wall, tuple[Place, Place]]]:
        """The walls on one edge, from the ground up, with their levels."""
        walls: list[tuple[int, Wall, tuple[Place, Place]]] = []
        if not self.table.is_walled(x, y):
            return walls
        for level in range(self.table.levels):
            pair = (self.table.index(x, y, level), self.table.index(to_x, to_y, level))
            wall = self.table.wall(*pair)
            if wall is not None:
                walls.append((level, wall, pair))
        return walls

    def _opening_is_near(self, pair: tuple[Place, Place], level: int) -> bool:
        """The attacker or the target stands next to the opening, diagonally or not."""
        return any(
            self.table.level(unit) == level and all(self.table.touching(unit, side) for side in pair)
            for unit in self.near
        )

    def _must_be_near(self, index: int, pair: tuple[Place, Place]) -> bool:
        """Lines out of or into a building need somebody at the opening (d47.attack.los.building_opening)."""
        if self.table.is_indoor(pair[0]) == self.table.is_indoor(pair[1]):
            return False
        leaving = self.inside_a != -1 and index == self.inside_a
        entering = self.inside_b != -1 and index + 1 == self.inside_b
        return leaving or entering

    def _wall_blocks(self, index: int, level: int, wall: Wall, pair: tuple[Place, Place]) -> str:
        """The code of what blocks at this wall; empty if the line goes on."""
        if wall.kind == "low":
            return ""
        if wall.opening == "none":
            return "wall"
        if self._must_be_near(index, pair) and not self._opening_is_near(pair, level):
            return "opening"
        return ""

    def _edge(self, index: int, crossing: Crossing) -> None:
        heights = self._crossing_heights(index, crossing)
        for level, wall, pair in self._walls(crossing.x, crossing.y, crossing.to_x, crossing.to_y):
            if not any(height.meets(level, level + wall.height) for height in heights):
                continue
            code = self._wall_blocks(index, level, wall, pair)
            if code:
                self.blocks.append(Reason(code, wall.label, pair, True))
            elif index == self.last - 1 and level == self.level_b:
                self._wall_cover(wall, pair)

    def _wall_cover(self, wall: Wall, pair: tuple[Place, Place]) -> None:
        """A wall on the edge of the target's square covers it; a gate as wide as the square does not."""
        code = _cover_of(wall)
        if code:
            self.cover.append(Reason(code, wall.label, pair, False))

    def _vertex(self, index: int, crossing: Crossing) -> None:
        one = self._flank(index, crossing, crossing.to_x, crossing.y)
        other = self._flank(index, crossing, crossing.x, crossing.to_y)
        if one.blocked_by or other.blocked_by or one.units or other.units:
            self.flanks.append((one, other))
        if index == self.last - 1:
            self._low_walls_at_vertex(index, crossing)

    def _flank(self, index: int, crossing: Crossing, x: int, y: int) -> Flank:
        """One side of a vertex: the flanking square and the two edges that lead past it."""
        heights = self._crossing_heights(index, crossing)
        place = self.table.index(x, y, self.level_a if self.flat else 0)
        blocked_by, units = "", 0
        places: tuple[Place, ...] = (place,)
        for height in heights:
            units |= self._unit_bits(x, y, height)
            for what, where in self._pieces_in(x, y, height):
                blocked_by, places = blocked_by or what, (where,)
        edges = ((crossing.x, crossing.y, x, y), (x, y, crossing.to_x, crossing.to_y))
        for edge in edges:
            for level, wall, pair in self._walls(*edge):
                in_the_way = any(height.meets(level, level + wall.height) for height in heights)
                if in_the_way and self._wall_blocks(index, level, wall, pair) and not blocked_by:
                    blocked_by, places = wall.label, pair
        return Flank(blocked_by, units, places)

    def _low_walls_at_vertex(self, index: int, crossing: Crossing) -> None:
        """A line into the target's square over a vertex is covered when low walls lie on both sides of it."""
        one = self._low_wall_beside(index, crossing, crossing.to_x, crossing.y)
        other = self._low_wall_beside(index, crossing, crossing.x, crossing.to_y)
        if one and other:
            self.cover.append(Reason("low_wall", "low wall", one + other, False))

    def _low_wall_beside(self, index: int, crossing: Crossing, x: int, y: int) -> tuple[Place, ...]:
        heights = self._crossing_heights(index, crossing)
        for edge in ((crossing.x, crossing.y, x, y), (x, y, crossing.to_x, crossing.to_y)):
            for level, wall, pair in self._walls(*edge):
                in_the_way = any(height.meets(level, level + wall.height) for height in heights)
                if wall.kind == "low" and level == self.level_b and in_the_way:
                    return pair
        return ()


def trace(table: Grid, a: Place, b: Place, eye: Eye, ignore: int = 0) -> Line:
    """The fixed part of the line of sight from one place to another."""
    if a < table.plane and b < table.plane and not ignore:
        return _ground_line(table, a, b, eye)
    return _Tracer(table, a, b, eye, ignore).line()


def trace_air(table: Grid, a: Place, b: Place, air: AirSide) -> Line:
    """The line of sight when one end, or both, are aircraft."""
    return _Tracer(table, a, b, "tall", 0).air_line(air)


def retrace(table: Grid, line: Line, a: Place, b: Place, eye: Eye, changed: int) -> Line:
    """A line on the ground after plain terrain changed on some of its squares; the rest is kept.

    Nothing of what changed has walls or floors, so only what stands on those squares is judged again.
    """
    way = _way_between(table, a, b)
    hiding = table.hiding(eye)
    inside: list[Reason] = []
    objects: list[Reason] = []
    for offset in way.squares[1:-1]:
        place = a + offset
        if changed >> place & 1:
            hidden, beside = _plain_square(table, hiding, place, b)
            inside += hidden
            objects += beside
        else:
            inside += [reason for reason in line.blocks if reason.code == "interior" and reason.places[0] == place]
            objects += [reason for reason in line.cover if reason.code == "object" and reason.places[0] == place]
    own = _own_cover(table, b)
    blocks = (*inside, *(reason for reason in line.blocks if reason.code != "interior"))
    cover = (
        *own,
        *(reason for reason in line.cover if reason.code == "floors_apart"),
        *objects,
        *(reason for reason in line.cover if reason.code not in ("in_terrain", "object", "floors_apart")),
    )
    flanks = tuple(
        (
            _plain_flank(hiding, a + one) if changed >> a + one & 1 else before,
            _plain_flank(hiding, a + other) if changed >> a + other & 1 else behind,
        )
        for (one, other), (before, behind) in zip(way.pairs, line.flanks, strict=True)
    )
    return Line(blocks, cover, line.inner, flanks, line.touched)


class _Way(NamedTuple):
    """The ray of an offset as numbers of places, for boards of one width."""

    squares: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    vertices: tuple[bool, ...]
    """For each step from square to square, whether it goes exactly through a vertex."""
    least: int
    ground: int
    inner: int


@lru_cache(maxsize=50_000)
def _way(dx: int, dy: int, width: int) -> _Way:
    """Places relative to the start, and as masks shifted so that the least of them is bit 0."""
    way = ray(dx, dy)
    squares = tuple(y * width + x for x, y in way.squares)
    pairs = tuple((c.y * width + c.to_x, c.to_y * width + c.x) for c in way.crossings if c.is_vertex)
    everything = [*squares, *(place for pair in pairs for place in pair)]
    least = min(everything)
    ground = mask_of(place - least for place in everything)
    vertices = tuple(crossing.is_vertex for crossing in way.crossings)
    return _Way(squares, pairs, vertices, least, ground, mask_of(place - least for place in squares[1:-1]))


def _way_between(table: Grid, a: Place, b: Place) -> _Way:
    (ax, ay), (bx, by) = table.xy(a), table.xy(b)
    return _way(bx - ax, by - ay, table.width)


def _ground_line(table: Grid, a: Place, b: Place, eye: Eye) -> Line:
    """A line along the ground; what stands on upper floors is out of its way."""
    way = _way_between(table, a, b)
    start = a + way.least
    ground = way.ground << start
    if not ground & table.rough:
        return PlainLine(table, a, b, eye, way)
    touched = ground
    for level in range(1, table.levels):
        touched |= ground << level * table.plane
    inner = way.inner << start
    blocks, cover = _on_the_way(table, a, b, eye, way)
    walls = _Walls(table, a, b, way, blocks, cover)
    flanks = walls.passed(table.hiding(eye))
    return Line(tuple(blocks), tuple(cover), inner, flanks, touched)


def _on_the_way(table: Grid, a: Place, b: Place, eye: Eye, way: _Way) -> tuple[list[Reason], list[Reason]]:
    """Trees, wrecks, smoke and the like that block a line or cover its target."""
    hiding = table.hiding(eye)
    cover = _own_cover(table, b)
    blocks: list[Reason] = []
    for offset in way.squares[1:-1]:
        hidden, beside = _plain_square(table, hiding, a + offset, b)
        blocks += hidden
        cover += beside
    return blocks, cover


class _Walls:
    """The walls and openings a line along the ground passes; they add to what blocks and what covers."""

    __slots__ = ("a", "b", "blocks", "cover", "entering", "last", "leaving", "squares", "table", "way")

    def __init__(self, table: Grid, a: Place, b: Place, way: _Way, blocks: list[Reason], cover: list[Reason]) -> None:
        self.table = table
        self.a, self.b = a, b
        self.way = way
        self.blocks, self.cover = blocks, cover
        self.squares = [a + offset for offset in way.squares]
        self.last = len(self.squares) - 2  # the crossing into the target's square
        self.leaving = self._indoors(self.squares) - 1  # the crossing that leaves the attacker's building
        self.entering = self.last + 1 - self._indoors(self.squares[::-1])  # the one into the target's

    def _indoors(self, squares: list[Place]) -> int:
        """How many squares, from that end, lie inside the same building."""
        for count, square in enumerate(squares):
            if not self.table.is_indoor(square):
                return count
        return len(squares)

    def passed(self, hiding: Mapping[Place, tuple[str, ...]]) -> tuple[tuple[Flank, Flank], ...]:
        """Go from crossing to crossing; what stands beside the vertices is returned."""
        flanks: list[tuple[Flank, Flank]] = []
        corners = iter(self.way.pairs)
        for index, vertex in enumerate(self.way.vertices):
            here, there = self.squares[index], self.squares[index + 1]
            if vertex:
                one, other = (self.a + offset for offset in next(corners))
                flanks.append(
                    (self._flank(hiding, index, here, one, there), self._flank(hiding, index, here, other, there))
                )
                if index == self.last:
                    self._low_walls(here, one, other, there)
            else:
                self._edge(index, here, there)
        return tuple(flanks)

    def _edge(self, index: int, here: Place, there: Place) -> None:
        wall = self.table.wall(here, there)
        if wall is None:
            return
        code = self._stops(index, wall, here, there)
        if code:
            self.blocks.append(Reason(code, wall.label, (here, there), True))
        elif index == self.last:
            cover = _cover_of(wall)
            if cover:
                self.cover.append(Reason(cover, wall.label, (here, there), False))

    def _flank(
        self, hiding: Mapping[Place, tuple[str, ...]], index: int, here: Place, beside: Place, there: Place
    ) -> Flank:
        """One side of a vertex: the flanking square and the two edges that lead past it."""
        names = hiding.get(beside)
        if names:
            return Flank(names[0], 1 << beside, (beside,))
        for one, other in ((here, beside), (beside, there)):
            wall = self.table.wall(one, other)
            if wall is not None and self._stops(index, wall, one, other):
                return Flank(wall.label, 1 << beside, (one, other))
        return Flank("", 1 << beside, (beside,))

    def _stops(self, index: int, wall: Wall, here: Place, there: Place) -> str:
        """The code of what blocks at this wall; empty if the line goes on (d47.attack.los.building_opening)."""
        if wall.kind == "low":
            return ""
        if wall.opening == "none":
            return "wall"
        if index not in (self.leaving, self.entering):
            return ""
        table = self.table
        if table.is_indoor(here) == table.is_indoor(there):
            return ""
        near = any(table.touching(end, here) and table.touching(end, there) for end in (self.a, self.b))
        return "" if near else "opening"

    def _low_walls(self, here: Place, one: Place, other: Place, there: Place) -> None:
        """A line into the target's square over a vertex is covered when low walls lie on both sides of it."""
        first, second = self._low_wall(here, one, there), self._low_wall(here, other, there)
        if first and second:
            self.cover.append(Reason("low_wall", "low wall", first + second, False))

    def _low_wall(self, here: Place, beside: Place, there: Place) -> tuple[Place, ...]:
        for pair in ((here, beside), (beside, there)):
            wall = self.table.wall(*pair)
            if wall is not None and wall.kind == "low":
                return pair
        return ()


def _cover_of(wall: Wall) -> str:
    """How a wall on the edge of the target's square covers it; a gate as wide as the square does not."""
    if wall.kind == "low":
        return "low_wall"
    return "opening" if wall.opening == "small" else ""


def _own_cover(table: Grid, b: Place) -> list[Reason]:
    return [Reason("in_terrain", kind.name, (b,), False) for kind in table.kinds_at(b) if kind.cover]


def _plain_square(
    table: Grid, hiding: Mapping[Place, tuple[str, ...]], place: Place, b: Place
) -> tuple[list[Reason], list[Reason]]:
    """What on a square blocks the line, and what covers a target beside it."""
    kinds = table.kinds_at(place)
    if not kinds:
        return [], []
    names = hiding.get(place, ())
    hidden = [Reason("interior", name, (place,), True) for name in names]
    if not table.adjacent(place, b):
        return hidden, []
    beside = [
        Reason("object", kind.name, (place,), False) for kind in kinds if kind.object_cover and kind.name not in names
    ]
    return hidden, beside


def _plain_flank(hiding: Mapping[Place, tuple[str, ...]], place: Place) -> Flank:
    names = hiding.get(place)
    return Flank(names[0] if names else "", 1 << place, (place,))
