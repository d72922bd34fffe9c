"""The open table as the chapters see it: the questions of a board of squares, answered by points (ff.scope.mode).

Whatever a chapter puts on a square becomes a circle or a field of 4" here (ff.scope.convert, ff.open.smoke_area).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from dieselfront.rulesets.dust_open.places import MOST, Measures, Place, Point, at, floor_of, xy
from dieselfront.rulesets.dust_open.position import Hulls, Positions
from dieselfront.rulesets.dust_open.terrain import Kind
from dieselfront.table.measured.shapes import Body, Shape
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import Piece, TerrainKind, disc
from dieselfront.table.measured.units import ceil_sqrt

ROUND = ("smoke", "fire_smoke")
FLOOR_OF_HILL = 1


class OpenTable:
    """A measured table with the sizes of its models; never changes, changes of terrain give another one."""

    __slots__ = (
        "_bare",
        "_bodies",
        "_hulls",
        "_key",
        "_same",
        "bodies_by_places",
        "complete",
        "height",
        "kinds",
        "land",
        "measures",
        "memory",
        "positions",
        "shapes",
        "terrain",
        "width",
    )

    def __init__(
        self,
        land: MeasuredTable,
        terrain: dict[str, Kind],
        kinds: Mapping[str, TerrainKind],
        shapes: Mapping[str, Shape],
        measures: Measures,
    ) -> None:
        self.land = land
        self.measures = measures
        self.terrain = terrain
        self.kinds = kinds
        self.shapes = shapes
        self.width = land.width
        self.height = land.depth
        self._bodies: dict[tuple[Any, ...], Body] = {}
        self.bodies_by_places: dict[int, tuple[Any, ...]] = {}
        """What `shapes.bodies_kept` remembers of the units that stand here."""
        self.complete: dict[tuple[int, str], Any] = {}
        """Units whose models all stand here, by the identity of their figures and their id, with who makes them up."""
        self._hulls: dict[tuple[int, ...], Hulls] = {}
        self._same: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        self.positions = Positions()
        self.memory: dict[Any, Any] = {}
        """What chapters remember of this table in this game; what follows from the terrain alone is kept by `land`."""
        self._key: list[str] | None = None
        self._bare: OpenTable | None = None

    @property
    def bare(self) -> OpenTable:
        """The same table without its memories, for what is remembered itself: no cycle, so that all of it goes at once
        when the game is over."""
        if self._bare is None:
            self._bare = OpenTable(self.land, self.terrain, self.kinds, self.shapes, self.measures)
        return self._bare

    def __reduce__(self) -> tuple[type[OpenTable], tuple[object, ...]]:
        return type(self), (self.land, self.terrain, self.kinds, self.shapes, self.measures)  # memories stay at home

    # -- points ---------------------------------------------------------------------------------

    def place(self, x: int, y: int, floor: int = 0) -> Place:
        """The place at a point, brought onto the table (mm)."""
        return at(min(max(x, 0), self.width), min(max(y, 0), self.height), floor)

    def xy(self, place: int) -> Point:
        return xy(place)

    def name(self, place: int) -> str:
        """A place in centimetres from the upper left corner."""
        x, y = xy(place)
        floor = floor_of(place)
        return f"{x / 10:g}/{y / 10:g} cm" + (f" on floor {floor}" if floor else "")

    def exists(self, place: int) -> bool:
        x, y = xy(place)
        return 0 <= x <= self.width and 0 <= y <= self.height

    def distance(self, a: int, b: int) -> int:
        """The range between two points."""
        return self.measures.ranges(self.tenths(a, b))

    def tenths(self, a: int, b: int) -> int:
        """The distance of two points in tenths of a millimetre, rounded up."""
        (ax, ay), (bx, by) = xy(a), xy(b)
        return ceil_sqrt(100 * ((ax - bx) ** 2 + (ay - by) ** 2))

    def level(self, place: int) -> int:
        """How high a place lies, in floors; a hill counts as one."""
        x, y = xy(place)
        return floor_of(place) + (FLOOR_OF_HILL if self.land.ground(x, y) else 0)

    def body(self, shape: Shape, place: int, heading: int, key: object, flies: bool = False) -> Body:
        """A model standing somewhere; what flies is above the ground, never inside (ff.move.aircraft_above)."""
        wanted = (shape.code, place, heading, key, flies)
        body = self._bodies.get(wanted)
        if body is None:
            if len(self._bodies) > 4_000:
                self._bodies.clear()
            body = self._bodies[wanted] = self._stand(shape, place, heading, key, flies)
        return body

    def _stand(self, shape: Shape, place: int, heading: int, key: object, flies: bool) -> Body:
        x, y = xy(place)
        stage, floor = (None, 0) if flies else (self.stage_at(place), floor_of(place))
        if stage is not None and floor >= max(1, stage.floors):  # on a roof: under the open sky, but not on the ground
            return Body(shape, x, y, heading, stage.height // 10, key, None, max(1, stage.floors))
        if stage is None:
            body = self.land.stand(shape, x, y, heading, key)
            high = self.measures.flight
            return Body(shape, x, y, heading, body.z + high, key) if flies and high else body
        return Body(shape, x, y, heading, floor * stage.floor_height // 10, key, stage.id, floor)

    def hulls(self, bodies: list[Body]) -> Hulls:
        """Models that block sight: the same list for the same models."""
        key = tuple(map(id, bodies))  # which the list keeps alive
        hulls = self._hulls.get(key)
        if hulls is None:
            if len(self._hulls) > 200:
                self._hulls.clear()
            hulls = self._hulls[key] = Hulls(bodies)
        return hulls

    def same(self, things: tuple[Any, ...]) -> tuple[Any, ...]:
        """Equal places or figures as one object, so that a position which comes up again is known again."""
        if len(self._same) > 2_000:
            self._same.clear()
        return self._same.setdefault(things, things)

    def building_at(self, place: int) -> Piece | None:
        """The building a point lies in."""
        if not self.land.building_mask:
            return None
        x, y = xy(place)
        for piece in self.land.pieces_at(x * 10, y * 10):
            if piece.is_building:
                return piece
        return None

    def stage_at(self, place: int) -> Piece | None:
        """The building a point lies in; for a place above the ground also a piece that one climbs upon."""
        building = self.building_at(place)
        if building is not None or not floor_of(place):
            return building
        x, y = xy(place)
        pieces = self.land.pieces_at(x * 10, y * 10)
        return next((piece for piece in pieces if self.terrain[piece.kind.id].climb), None)

    # -- terrain --------------------------------------------------------------------------------

    def features(self, place: int) -> tuple[str, ...]:
        """The kinds of terrain at a point; units off the table stand on none."""
        if place < 0:
            return ()
        x, y = xy(place)
        return tuple(piece.kind.id for piece in self.land.pieces_at(x * 10, y * 10))

    def has(self, place: int, kind: str) -> bool:
        return kind in self.land.kind_masks and kind in self.features(place)

    def is_indoor(self, place: int) -> bool:
        return self.building_at(place) is not None

    def in_terrain_cover(self, place: int) -> bool:
        """Does covering area terrain lie there (ff.area.cover)?"""
        return any(self.kinds[kind].is_area for kind in self.features(place))

    def masks_by_kind(self) -> Mapping[str, int]:
        """The kinds of terrain on the table."""
        return self.land.kind_masks

    def pieces_of(self, kind: str) -> list[Piece]:
        return [piece for piece in self.land.pieces if piece.kind.id == kind] if kind in self.land.kind_masks else []

    def squares_with(self, kind: str) -> tuple[int, ...]:
        """The middles of all pieces of a kind."""
        return tuple(middle(piece) for piece in self.pieces_of(kind))

    def neighbours(self, place: int) -> tuple[int, ...]:
        """Points have none."""
        return ()

    def footprint(self, size: str, stance: tuple[int, int]) -> tuple[int, ...]:
        """A unit of any size stands at one point."""
        return (stance[0],)

    def blocks_of_four(self, place: int) -> tuple[tuple[int, ...], ...]:
        """Two by two squares are a field of 8" by 8": four places whose fields of 4" make it up (ff.scope.convert)."""
        (x, y), half = xy(place), self.measures.effect // 10
        corners = ((x - half, y - half), (x + half, y - half), (x - half, y + half), (x + half, y + half))
        return (tuple(self.place(cx, cy) for cx, cy in corners),)

    def area_blocks(self, place: int, *, blockers: Any = ()) -> tuple[tuple[int, ...], ...]:
        return self.blocks_of_four(place)

    # -- changes --------------------------------------------------------------------------------

    def placing(self, kind: str, places: Iterable[int]) -> OpenTable:
        """A table with a circle or a field of 4" of this kind at each place; what burns has the shape of its wreck."""
        new = [self._laid(kind, place) for place in places]
        known = {piece.id for piece in self.land.pieces}
        fresh = list({piece.id: piece for piece in new if piece.id not in known}.values())
        return self.with_pieces(fresh) if fresh else self

    def _laid(self, kind: str, place: int) -> Piece:
        x, y = xy(place)
        id = f"{kind}@{x},{y}"
        wrecks = [piece for piece in self.pieces_of("wreck") if piece.covers_point(x * 10, y * 10)]
        if kind == "burning_wreck" and wrecks:
            return Piece(id, self.kinds[kind], [part.polygon for part in wrecks[0].parts], in_tenths=True)
        if kind in ROUND:
            return disc(id, self.kinds[kind], x, y, self.measures.effect, sides=24)
        return Piece(id, self.kinds[kind], [field(x, y, 2 * self.measures.effect)], in_tenths=True)

    def with_pieces(self, pieces: Iterable[Piece]) -> OpenTable:
        """A table with more pieces."""
        return self._changed([*self.land.pieces, *pieces])

    def without(self, kind: str) -> OpenTable:
        """A table without anything of this kind."""
        return self._changed([piece for piece in self.land.pieces if piece.kind.id != kind])

    def clearing(self, kind: str, places: Iterable[int]) -> OpenTable:
        """A table without the pieces of this kind that lie at these places."""
        points = [(x * 10, y * 10) for x, y in map(xy, places)]
        gone = {piece.id for piece in self.pieces_of(kind) if any(piece.covers_point(x, y) for x, y in points)}
        return self.without_pieces(gone)

    def without_pieces(self, gone: Collection[str]) -> OpenTable:
        """A table without the pieces of these ids."""
        return self._changed([piece for piece in self.land.pieces if piece.id not in gone]) if gone else self

    def _changed(self, pieces: list[Piece]) -> OpenTable:
        land = MeasuredTable(self.width, self.height, pieces)
        return OpenTable(land, self.terrain, self.kinds, self.shapes, self.measures)

    def key(self) -> list[str]:
        """What tells this table from others of the same game."""
        if self._key is None:
            self._key = [piece.id for piece in self.land.pieces]
        return self._key


def field(x: int, y: int, side: int) -> list[Point]:
    """The corners of a square field round a point, in tenths."""
    half, cx, cy = side // 2, x * 10, y * 10
    return [(cx - half, cy - half), (cx + half, cy - half), (cx + half, cy + half), (cx - half, cy + half)]


def middle(piece: Piece) -> Place:
    """The middle of the first part of a piece, as a place."""
    x, y = piece.parts[0].centre
    return at(min(max(x // 10, 0), MOST), min(max(y // 10, 0), MOST))
