"""The grid: squares and floors, terrain and walls, names, distances, footprints, arcs (d47.setup.*).

The table itself, which also answers sight and reach, is in board.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final, Literal, Self

import msgspec

from dieselfront.table.square.geometry import (
    EIGHT,
    FORWARD,
    SIDES,
    Arc,
    Facing,
    Place,
    Side,
    Size,
    Stance,
    column_letters,
    mask_of,
    offset_distance,
    offset_in_arc,
    places_of,
    read_name,
    shift,
    union,
)
from dieselfront.table.terrain import Column, Opening, TableError, TerrainKind, Wall

Features = Mapping[Place, tuple[str, ...]]
Edges = Mapping[tuple[Place, Place], Wall]
Passages = tuple[tuple[Place, Place], ...]
"""Pairs (outside, inside): the ways, one step each, by which those on foot get into a closed place."""
Key = tuple[object, ...]

_NO_KINDS: Final[tuple[TerrainKind, ...]] = ()
_GROUND: Final = range(1)
MOST_SQUARES: Final = 3600
"""Of one level; distances and lines of sight are kept for pairs of squares."""
MOST_LEVELS: Final = 12
KEPT_SIZES: Final = 12
"""Sizes of boards whose distances are kept."""


class Grid:
    """Squares and floors with their terrain and walls. Never changed.

    A place is `level*W*H + y*W + x`.
    """

    __slots__ = (
        "_columns",
        "_distances",
        "_edges",
        "_featured",
        "_hiding",
        "_features",
        "_key",
        "_kinds_at",
        "_kinds_key",
        "_hiding_masks",
        "_kind_masks",
        "_passages",
        "_rings",
        "_storeyed",
        "_walled",
        "existing",
        "height",
        "indoor",
        "kinds",
        "levels",
        "plane",
        "size",
        "width",
        "rough",
    )

    def __init__(
        self,
        width: int,
        height: int,
        kinds: Mapping[str, TerrainKind],
        features: Features | None = None,
        edges: Edges | None = None,
        columns: Mapping[tuple[int, int], Column] | None = None,
        passages: Passages = (),
    ) -> None:
        if width < 1 or height < 1:
            raise TableError(f"A board needs at least one square each way, not {width} by {height}.")
        if width * height > MOST_SQUARES:
            raise TableError(f"A board has at most {MOST_SQUARES} squares, not {width} by {height}.")
        self.width = width
        self.height = height
        self.kinds = dict(kinds)
        self.plane = width * height
        self._columns = {xy: column for xy, column in sorted((columns or {}).items()) if column.top > 0}
        self.levels = 1 + max((column.top for column in self._columns.values()), default=0)
        if self.levels > MOST_LEVELS:
            raise TableError(f"A board has at most {MOST_LEVELS} levels, not {self.levels}.")
        self.size = self.levels * self.plane
        self.existing = self._existing_places()
        in_order = [self.kinds[name] for name in sorted(self.kinds)]
        self._kinds_key = msgspec.json.encode(in_order, order="sorted")
        self._distances = _distance_table(width, height)
        self._rings: dict[Place, int] = {}
        self._passages = passages
        checked = {place: self._checked_features(place, names) for place, names in (features or {}).items()}
        walls = dict(self._checked_edge(pair, wall) for pair, wall in (edges or {}).items())
        self._furnish({place: names for place, names in checked.items() if names}, walls)

    def _furnish(self, features: Features, edges: Edges) -> None:
        """Put down terrain and walls that have been checked."""
        self._features = dict(sorted(features.items()))
        self._edges = {pair: edges[pair] for pair in sorted(edges)}
        self._kinds_at = {place: tuple(self.kinds[name] for name in names) for place, names in self._features.items()}
        self.indoor = mask_of(place for place, kinds in self._kinds_at.items() if any(kind.indoor for kind in kinds))
        self._featured = mask_of(place % self.plane for place in self._features)
        self._walled = mask_of(place % self.plane for pair in self._edges for place in pair)
        self._storeyed = mask_of(self.index(x, y) for x, y in self._columns)
        self.rough = self._walled | self._storeyed | self.indoor & ((1 << self.plane) - 1)
        self._hiding: tuple[dict[Place, tuple[str, ...]], dict[Place, tuple[str, ...]]] = (
            self._kinds_that_hide(self._kinds_at, "all"),
            self._kinds_that_hide(self._kinds_at, "low"),
        )
        self._hiding_masks = (mask_of(self._hiding[0]), mask_of(self._hiding[1]))
        self._kind_masks: dict[str, int] = {}
        for place, names in self._features.items():
            for name in names:
                self._kind_masks[name] = self._kind_masks.get(name, 0) | 1 << place
        self._key: Key | None = None

    def _refurnish(self, other: Grid, kind: TerrainKind, changed: int, features: Features) -> None:
        """Give another grid of this size this one's terrain and walls, but for one kind that comes or goes."""
        other._features = dict(features)
        other._edges, other._walled, other._storeyed = self._edges, self._walled, self._storeyed
        other._kinds_at, other._hiding = self._kinds_at.copy(), self._hiding
        for place in places_of(changed):
            names = features.get(place)
            if names:
                other._kinds_at[place] = tuple(self.kinds[name] for name in names)
            else:
                del other._kinds_at[place]
        other._featured = mask_of(place % self.plane for place in features)
        other.indoor, other.rough = self.indoor, self.rough
        if kind.indoor:
            other.indoor = mask_of(p for p, kinds in other._kinds_at.items() if any(one.indoor for one in kinds))
            other.rough = other._walled | other._storeyed | other.indoor & ((1 << self.plane) - 1)
        other._hiding_masks = self._hiding_masks
        if kind.sight != "no":
            other._hiding = (other._hiding_since(self, changed, "all"), other._hiding_since(self, changed, "low"))
            other._hiding_masks = (mask_of(other._hiding[0]), mask_of(other._hiding[1]))
        other._key = None

    def _hiding_since(self, before: Grid, changed: int, more: str) -> dict[Place, tuple[str, ...]]:
        """For every place the terrain that blocks sight, which was the same on another grid but for some places."""
        hiding = before._hiding[more == "low"].copy()
        places = places_of(changed)
        for place in places:
            hiding.pop(place, None)
        hiding.update(self._kinds_that_hide(places, more))
        return hiding

    def _copy_size_to(self, other: Grid) -> None:
        """Everything but the terrain and walls."""
        other.width, other.height, other.plane = self.width, self.height, self.plane
        other.levels, other.size = self.levels, self.size
        other.kinds, other._kinds_key = self.kinds, self._kinds_key
        other._columns, other.existing, other._distances = self._columns, self.existing, self._distances
        other._passages, other._rings = self._passages, self._rings

    def _existing_places(self) -> int:
        mask = (1 << self.plane) - 1
        for (x, y), column in self._columns.items():
            if not (0 <= x < self.width and 0 <= y < self.height):
                raise TableError(f"The floors at column {x}, row {y} are off the board.")
            for level in range(1, column.top + 1):
                mask |= 1 << (level * self.plane + y * self.width + x)
        return mask

    def _checked_features(self, place: Place, names: Iterable[str]) -> tuple[str, ...]:
        if not self.exists(place):
            raise TableError(f"There is no square {place} on this board to put terrain on.")
        for name in names:
            if name not in self.kinds:
                known = ", ".join(sorted(self.kinds)) or "none"
                raise TableError(f"{name!r} on {self.name(place)} is not a terrain kind; known kinds are {known}.")
        return tuple(sorted(set(names)))

    def _checked_edge(self, pair: tuple[Place, Place], wall: Wall) -> tuple[tuple[Place, Place], Wall]:
        low, high = min(pair), max(pair)
        if low < 0 or high >= self.size:
            raise TableError(f"The wall between places {low} and {high} is off the board.")
        (x, y), (to_x, to_y) = self.xy(low), self.xy(high)
        if self.level(low) != self.level(high) or abs(x - to_x) + abs(y - to_y) != 1:
            raise TableError(f"A wall needs two squares side by side, not {self.name(low)} and {self.name(high)}.")
        return (low, high), wall

    # --- identity ---

    def key(self) -> Key:
        """The canonical content; tables with equal keys are equal."""
        if self._key is None:
            self._key = (
                self.width,
                self.height,
                self._kinds_key,
                tuple(self._features.items()),
                tuple((pair, wall.kind, wall.opening, wall.height, wall.name) for pair, wall in self._edges.items()),
                tuple((xy, column.top, column.climb) for xy, column in self._columns.items()),
                self._passages,
            )
        return self._key

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Grid) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def to_plain(self) -> dict[str, Any]:
        """The content as plain data with square names, without the kinds."""
        ways = [[self.name(outside), self.name(inside)] for outside, inside in self._passages]
        return {
            "width": self.width,
            "height": self.height,
            "features": {self.name(place): list(names) for place, names in self._features.items()},
            "walls": [
                {"between": [self.name(a), self.name(b)], **_wall_to_plain(wall)}
                for (a, b), wall in self._edges.items()
            ],
            "columns": {
                self.name(self.place(*xy)): {"top": column.top, "climb": column.climb}
                for xy, column in self._columns.items()
            },
            **({"passages": ways} if ways else {}),
        }

    @classmethod
    def from_plain(cls, data: Mapping[str, Any], kinds: Mapping[str, TerrainKind]) -> Self:
        """The table that `to_plain` wrote."""
        try:
            plain = msgspec.convert(data, _PlainTable)
        except msgspec.ValidationError as error:
            raise TableError(f"The table data is not as expected: {error}.") from error
        width, plane = plain.width, plain.width * plain.height

        def index(name: str) -> Place:
            x, y, level = read_name(name)
            if not (x < plain.width and y < plain.height):
                raise TableError(f"{name} is off the {plain.width} by {plain.height} board.")
            return level * plane + y * width + x

        return cls(
            plain.width,
            plain.height,
            kinds,
            {index(name): names for name, names in plain.features.items()},
            {(index(wall.between[0]), index(wall.between[1])): wall.wall() for wall in plain.walls},
            {read_name(name)[:2]: column for name, column in plain.columns.items()},
            tuple((index(outside), index(inside)) for outside, inside in plain.passages),
        )

    # --- squares ---

    def index(self, x: int, y: int, level: int = 0) -> Place:
        """The number of a place, without asking whether it exists."""
        return level * self.plane + y * self.width + x

    def place(self, x: int, y: int, level: int = 0) -> Place:
        """The place at a column, row and level; an error if there is none."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise TableError(f"Column {x}, row {y} is off the {self.width} by {self.height} board.")
        place = self.index(x, y, level)
        if not (0 <= level < self.levels and self.exists(place)):
            raise TableError(f"{column_letters(x)}{y + 1} has no level {level}.")
        return place

    def square(self, text: str) -> Place:
        """The place with a name such as C4 or C4+1."""
        x, y, level = read_name(text)
        if not (x < self.width and y < self.height):
            last = f"{column_letters(self.width - 1)}{self.height}"
            raise TableError(f"{text} is off the board; its squares run from A1 to {last}.")
        return self.place(x, y, level)

    def name(self, place: Place) -> str:
        """The name of a place: column letter, row number, and +level above the ground."""
        return _name(place, self.width, self.plane)

    def xy(self, place: Place) -> tuple[int, int]:
        """Column and row of a place."""
        y, x = divmod(place % self.plane, self.width)
        return x, y

    def level(self, place: Place) -> int:
        """0 on the ground, 1 and more on floors and roofs."""
        return place // self.plane

    def ground(self, place: Place) -> Place:
        """The ground square under a place."""
        return place % self.plane

    def height_of(self, place: Place) -> int:
        """How high somebody stands there: each floor, roof or plinth is 1 (d47.open.height_units)."""
        return place // self.plane

    def exists(self, place: Place) -> bool:
        """Whether there is such a place."""
        return place >= 0 and bool(self.existing >> place & 1)

    def places(self) -> tuple[Place, ...]:
        """All places, in order."""
        return tuple(place for place in range(self.size) if self.existing >> place & 1)

    def column(self, x: int, y: int) -> Column | None:
        """The floors above a square."""
        return self._columns.get((x, y))

    def columns(self) -> Mapping[tuple[int, int], Column]:
        """All squares with floors above them."""
        return self._columns

    def features(self, place: Place) -> tuple[str, ...]:
        """Names of the terrain on a place."""
        return self._features.get(place, ())

    def kinds_at(self, place: Place) -> tuple[TerrainKind, ...]:
        """The terrain on a place."""
        return self._kinds_at.get(place, _NO_KINDS)

    def masks_by_kind(self) -> Mapping[str, int]:
        """Where each kind of terrain is, as masks."""
        return self._kind_masks

    def leaving(self, dx: int, dy: int) -> int:
        """The places that have a neighbour in one direction, on any level."""
        return _leaving(self.width, self.height, self.levels, self.existing, dx, dy)

    def has(self, place: Place, kind: str) -> bool:
        """Whether a place has terrain of that kind."""
        return kind in self._features.get(place, ())

    def squares_with(self, kind: str) -> tuple[Place, ...]:
        """Every place with terrain of that kind, in order."""
        return tuple(place for place, names in self._features.items() if kind in names)

    def wall(self, a: Place, b: Place) -> Wall | None:
        """The wall on the edge between two squares side by side."""
        return self._edges.get((a, b) if a < b else (b, a))

    def passages(self) -> Passages:
        """The only ways into and out of the places they lead to, as pairs (outside, inside)."""
        return self._passages

    @property
    def closed(self) -> int:
        """The places that only passages lead to, as a mask."""
        return mask_of(inside for _, inside in self._passages)

    def walls(self) -> Edges:
        """Every wall, by the two places it lies between."""
        return self._edges

    def is_indoor(self, place: Place) -> bool:
        """Whether a place is inside a building."""
        return bool(self.indoor >> place & 1)

    def has_dot(self, place: Place) -> bool:
        """Whether a square has a centre dot: no impassable terrain on it."""
        return not any(kind.corner for kind in self.kinds_at(place))

    def _kinds_that_hide(self, places: Iterable[Place], *more: str) -> dict[Place, tuple[str, ...]]:
        """For every one of some places the terrain that blocks sight; "low" adds what blocks low eyes only."""
        blocking = {"all", *more}
        hiding: dict[Place, tuple[str, ...]] = {}
        for place in places:
            names = tuple([kind.name for kind in self.kinds_at(place) if kind.sight in blocking])
            if names:
                hiding[place] = names
        return hiding

    def hiding(self, eye: str) -> Mapping[Place, tuple[str, ...]]:
        """The terrain that blocks sight for such an eye, by place."""
        return self._hiding[eye == "low"]

    def hiding_mask(self, eye: str) -> int:
        """The places with terrain that blocks sight for such an eye."""
        return self._hiding_masks[eye == "low"]

    def ring(self, place: Place) -> int:
        """A place and its eight neighbours as a mask."""
        ring = self._rings.get(place)
        if ring is None:
            plane = self.plane
            ring = self._rings[place] = _ring(self.width, self.height, place % plane) << place // plane * plane
        return ring

    def is_walled(self, x: int, y: int) -> bool:
        """Whether a square has a wall on any level."""
        return bool(self._walled >> (y * self.width + x) & 1)

    def is_featured(self, x: int, y: int) -> bool:
        """Whether a square has terrain on any level."""
        return bool(self._featured >> (y * self.width + x) & 1)

    def levels_at(self, x: int, y: int) -> range:
        """The levels there are at a square."""
        return range(self._columns[(x, y)].top + 1) if (x, y) in self._columns else _GROUND

    def in_terrain_cover(self, place: Place) -> bool:
        """Whether standing there is cover by itself (d47.attack.save.cover_sources)."""
        return any(kind.cover for kind in self.kinds_at(place))

    # --- distances ---

    def distance(self, a: Place, b: Place) -> int:
        """Range in squares; heights do not count, except straight up and down."""
        plane = self.plane
        squares = self._distances[a % plane][b % plane]
        return squares or abs(a // plane - b // plane)

    def distances(self, a: Place) -> Sequence[int]:
        """Range to every square of the ground; 0 stands for its own square, on whatever level."""
        return self._distances[a % self.plane]

    def touching(self, a: Place, b: Place) -> bool:
        """Same square or one of its eight neighbours, whatever the level."""
        return self._distances[a % self.plane][b % self.plane] <= 1

    def adjacent(self, a: Place, b: Place) -> bool:
        """One of the eight neighbours on one level (d47.attack.range.adjacent, d47.terrain.floors_not_adjacent)."""
        plane = self.plane
        return a // plane == b // plane and self._distances[a % plane][b % plane] == 1

    def contact(self, a: Place, b: Place) -> bool:
        """Adjacent, and no solid wall between: close enough for close combat (d47.open.cc_in_buildings)."""
        plane = self.plane
        if self._distances[a % plane][b % plane] != 1 or a // plane != b // plane:
            return False
        (x, y), (to_x, to_y) = self.xy(a), self.xy(b)
        level = self.level(a)
        if x == to_x or y == to_y:
            return not self._solid(a, b)
        around = (self.index(to_x, y, level), self.index(x, to_y, level))
        return any(not self._solid(a, flank) and not self._solid(flank, b) for flank in around)

    def _solid(self, a: Place, b: Place) -> bool:
        wall = self.wall(a, b)
        return wall is not None and wall.is_solid

    def neighbours(self, place: Place) -> tuple[Place, ...]:
        """The up to eight squares around, on the same level, in reading order."""
        x, y = self.xy(place)
        level = self.level(place)
        around = [
            self.index(x + dx, y + dy, level)
            for dx, dy in EIGHT
            if 0 <= x + dx < self.width and 0 <= y + dy < self.height
        ]
        return tuple(sorted(other for other in around if self.exists(other)))

    def within(self, place: Place, reach: int) -> tuple[Place, ...]:
        """Every place at most so far away, itself included, in order."""
        return tuple(other for other in self.places() if self.distance(place, other) <= reach)

    def edge_squares(self, side: Side | None = None) -> tuple[Place, ...]:
        """The ground squares along one board edge, or along all of them."""
        if side is not None and side not in SIDES:
            raise TableError(f"{side!r} is not a board edge; expected north, east, south or west.")
        edges = {
            "north": range(self.width),
            "south": range(self.plane - self.width, self.plane),
            "west": range(0, self.plane, self.width),
            "east": range(self.width - 1, self.plane, self.width),
        }
        if side is not None:
            return tuple(edges[side])
        return tuple(sorted({place for squares in edges.values() for place in squares}))

    # --- footprints and arcs ---

    def footprint(self, size: Size, stance: Stance) -> tuple[Place, ...]:
        """The squares a unit stands on, front squares first (d47.setup.footprint_*)."""
        squares = self._footprint(size, stance)
        if squares is None:
            raise TableError(f"A {size} unit at {self.name(stance[0])} facing {SIDES[stance[1]]} leaves the board.")
        return squares

    def fits(self, size: Size, stance: Stance) -> bool:
        """Whether the whole unit is on the board."""
        return self._footprint(size, stance) is not None

    def _footprint(self, size: Size, stance: Stance) -> tuple[Place, ...] | None:
        place, facing = stance
        if not self.exists(place):
            return None
        if size == "standard":
            return (place,)
        x, y = self.xy(place)
        level = self.level(place)
        if size == "large":
            ahead_x, ahead_y = FORWARD[facing]
            squares = [(x, y), (x - ahead_x, y - ahead_y)]
        else:
            squares = [(x + dx, y + dy) for dx, dy in _HUGE[facing]]
        if not all(0 <= ax < self.width and 0 <= ay < self.height for ax, ay in squares):
            return None
        places = tuple(self.index(ax, ay, level) for ax, ay in squares)
        return places if all(self.exists(other) for other in places) else None

    def in_arc(self, origin: Place, facing: Facing, target: Place, arc: Arc) -> bool:
        """Whether a square lies in an arc (d47.attack.arc.*)."""
        (x, y), (to_x, to_y) = self.xy(origin), self.xy(target)
        return offset_in_arc(to_x - x, to_y - y, facing, arc)


_HUGE: Final = (
    ((0, 0), (1, 0), (0, 1), (1, 1)),
    ((1, 0), (1, 1), (0, 0), (0, 1)),
    ((1, 1), (0, 1), (1, 0), (0, 0)),
    ((0, 1), (0, 0), (1, 1), (1, 0)),
)

_DISTANCES: dict[tuple[int, int], tuple[bytes | tuple[int, ...], ...]] = {}


@lru_cache(maxsize=20_000)
def _ring(width: int, height: int, square: int) -> int:
    y, x = divmod(square, width)
    return mask_of(
        row * width + column
        for row in range(max(0, y - 1), min(height, y + 2))
        for column in range(max(0, x - 1), min(width, x + 2))
    )


def _distance_table(width: int, height: int) -> tuple[bytes | tuple[int, ...], ...]:
    """Distances between all ground squares, shared by all boards of this size; a few sizes are kept."""
    table = _DISTANCES.get((width, height))
    if table is None:
        small = offset_distance(width - 1, height - 1) < 256
        kind: Any = bytes if small else tuple
        strips = [kind(offset_distance(dx, dy) for dx in range(1 - width, width)) for dy in range(height)]
        table = tuple(
            _joined([strips[abs(y - ay)][width - 1 - ax : 2 * width - 1 - ax] for y in range(height)], small)
            for ay in range(height)
            for ax in range(width)
        )
        while len(_DISTANCES) >= KEPT_SIZES:
            del _DISTANCES[next(iter(_DISTANCES))]
        _DISTANCES[(width, height)] = table
    return table


def _joined(strips: list[Any], small: bool) -> bytes | tuple[int, ...]:
    return b"".join(strips) if small else tuple(chain.from_iterable(strips))


@lru_cache(maxsize=2000)
def _leaving(width: int, height: int, levels: int, existing: int, dx: int, dy: int) -> int:
    rows = [y for y in range(height) if 0 <= y + dy < height]
    columns = [x for x in range(width) if 0 <= x + dx < width]
    plane = mask_of(y * width + x for y in rows for x in columns)
    inside = union(plane << (level * width * height) for level in range(levels))
    return inside & existing & shift(existing, -(dy * width + dx))


class _PlainWall(msgspec.Struct, forbid_unknown_fields=True):
    between: tuple[str, str]
    kind: Literal["high", "low"] = "high"
    opening: Opening = "none"
    height: int = 1
    name: str = ""
    rules: dict[str, str] = {}

    def wall(self) -> Wall:
        return Wall(self.kind, self.opening, self.height, self.name, self.rules)


class _PlainTable(msgspec.Struct, forbid_unknown_fields=True):
    width: int
    height: int
    features: dict[str, tuple[str, ...]] = {}
    walls: list[_PlainWall] = []
    columns: dict[str, Column] = {}
    passages: list[tuple[str, str]] = []


def _wall_to_plain(wall: Wall) -> dict[str, Any]:
    plain = {
        "kind": wall.kind,
        "opening": wall.opening,
        "height": wall.height,
        "name": wall.name,
        "rules": wall.rules,
    }
    default = {"kind": "high", "opening": "none", "height": 1, "name": "", "rules": {}}
    return {field: value for field, value in plain.items() if value != default[field]}


@lru_cache(maxsize=20_000)
def _name(place: Place, width: int, plane: int) -> str:
    level, square = divmod(place, plane)
    y, x = divmod(square, width)
    return f"{column_letters(x)}{y + 1}" + (f"+{level}" if level else "")
