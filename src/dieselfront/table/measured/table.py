"""The measured table: size and terrain, never changing once made, with its indexes and memories inside.

State copies share one table. Changing terrain gives a new table (`with_piece`, `without_piece`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dieselfront.table.measured import native
from dieselfront.table.measured.geometry import LINE, Point, Stretch, merge, point_in_polygon, stretches
from dieselfront.table.measured.index import MAX_TABLE_MM, LineIndex
from dieselfront.table.measured.shapes import Body, Shape
from dieselfront.table.measured.terrain import Piece, Sight, Stand, TerrainKind, piece_from_data

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from dieselfront.table.measured.batch import Batch
    from dieselfront.table.measured.index import Ints

FAR_OFF = 8000  # tenths that terrain may hang over the edge of a table
STANDS = tuple(Stand)
MEMORY = 10_000  # entries a memory may hold before it starts afresh


class MeasuredTable:
    """A table of `width` x `depth` millimetres; x runs right, y runs down, the corner (0, 0) is upper left."""

    __slots__ = (
        "__weakref__",
        "_batch",
        "_by_id",
        "_has_hills",
        "_masks",
        "_index_of_solids",
        "building_mask",
        "_solid",
        "_solids",
        "_stands",
        "compiled",
        "depth",
        "index",
        "kind_masks",
        "memory",
        "part_piece",
        "parts",
        "pieces",
        "seen",
        "sight_mask",
        "spotters",
        "width",
    )

    index: LineIndex
    """Which parts a line can meet; made when it is first asked for."""
    compiled: Any
    """The terrain as compiled code reads it, or None where Python answers; made when it is first asked for."""

    def __init__(self, width: int, depth: int, pieces: Iterable[Piece] = ()) -> None:
        if not (0 < width <= MAX_TABLE_MM and 0 < depth <= MAX_TABLE_MM):
            raise ValueError(f"A table of {width} x {depth} mm: expected sides from 1 to {MAX_TABLE_MM} mm.")
        self.width = width
        self.depth = depth
        self.pieces = tuple(pieces)
        self._by_id = {piece.id: piece for piece in self.pieces}
        if len(self._by_id) != len(self.pieces):
            raise ValueError("Two terrain pieces of the table have the same id.")
        for piece in self.pieces:
            self._check_place(piece)
        self._build()

    def _check_place(self, piece: Piece) -> None:
        for part in piece.parts:
            low_x, low_y, high_x, high_y = part.box
            if min(low_x, low_y) < -FAR_OFF or high_x > self.width * 10 + FAR_OFF or high_y > self.depth * 10 + FAR_OFF:
                raise ValueError(
                    f"Terrain piece {piece.id!r} lies far off the table of {self.width} x {self.depth} mm."
                )

    def _build(self) -> None:
        self.part_piece = [piece for piece in self.pieces for _ in piece.parts]
        self.parts = [part for piece in self.pieces for part in piece.parts]
        self.kind_masks: dict[str, int] = {}
        self.sight_mask = self.building_mask = 0
        tall = []
        for number, piece in enumerate(self.part_piece):
            self.kind_masks[piece.kind.id] = self.kind_masks.get(piece.kind.id, 0) | 1 << number
            if piece.is_building:
                self.building_mask |= 1 << number
            if (piece.kind.sight and piece.height) or piece.is_building:
                self.sight_mask |= 1 << number
                if piece.kind.sight is Sight.BLOCKS:
                    tall.append(self.parts[number].polygon)
        self._solids = tuple(tall)
        self._index_of_solids: LineIndex | None = None
        self._batch: Batch | None = None
        self._has_hills = any(piece.kind.is_hill for piece in self.pieces)
        self._stands: dict[tuple[int, int, int, int], tuple[tuple[Piece, Stand], ...]] = {}
        self._solid: dict[int, int] = {}
        self._masks: dict[tuple[str, ...], int] = {}
        self.memory: dict[Any, dict[Any, Any]] = {}  # sight.py keeps what it has seen here, rules by rules
        self.seen: dict[Any, dict[Any, bool]] = {}  # and here whether there was anything to see
        self.spotters: dict[int, Any] = {}  # and those who look, by the identity of their rules

    def __getattr__(self, name: str) -> Any:
        """Only called for what has not been made yet."""
        if name == "index":
            self.index = LineIndex([part.polygon for part in self.parts])
            return self.index
        if name == "compiled":
            kernel = native.KERNEL
            packed = tuple(piece.packed for piece in self.pieces)
            self.compiled = None if kernel is None else kernel.land(self.pieces, packed)
            return self.compiled
        raise AttributeError(name)

    @property
    def _tall(self) -> LineIndex:
        """What blocks sight whatever its height, made when a plain line is first asked about."""
        if self._index_of_solids is None:
            self._index_of_solids = LineIndex(self._solids)
        return self._index_of_solids

    # -- pieces --------------------------------------------------------------------------------------------

    def piece(self, id: str) -> Piece:
        """The piece with an id."""
        piece = self._by_id.get(id)
        if piece is None:
            raise KeyError(f"There is no terrain piece {id!r} on this table.")
        return piece

    def with_piece(self, piece: Piece) -> MeasuredTable:
        """A table with one more piece, or with the piece of the same id replaced."""
        if piece.id in self._by_id:
            return MeasuredTable(self.width, self.depth, [piece if p.id == piece.id else p for p in self.pieces])
        return MeasuredTable(self.width, self.depth, (*self.pieces, piece))

    def without_piece(self, id: str) -> MeasuredTable:
        """A table without a piece."""
        gone = self.piece(id)
        return MeasuredTable(self.width, self.depth, [piece for piece in self.pieces if piece is not gone])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MeasuredTable):
            return False
        return (self.width, self.depth, self.pieces) == (other.width, other.depth, other.pieces)

    def __hash__(self) -> int:
        return hash((self.width, self.depth, tuple(piece.id for piece in self.pieces)))

    def __reduce__(self) -> tuple[type[MeasuredTable], tuple[int, int, tuple[Piece, ...]]]:
        return MeasuredTable, (self.width, self.depth, self.pieces)  # memories stay at home

    def to_data(self) -> dict[str, Any]:
        """Plain data for records."""
        return {"width": self.width, "depth": self.depth, "pieces": [piece.to_data() for piece in self.pieces]}

    @staticmethod
    def from_data(data: Mapping[str, Any], kinds: Mapping[str, TerrainKind]) -> MeasuredTable:
        """The table that `to_data` described; kinds come from the ruleset."""
        pieces = [piece_from_data(piece, kinds) for piece in data["pieces"]]
        return MeasuredTable(data["width"], data["depth"], pieces)

    # -- places --------------------------------------------------------------------------------------------

    def contains(self, body: Body) -> bool:
        """Is all of a model on the table?"""
        width, depth = self.width * 10, self.depth * 10
        if body.corners:
            return all(0 <= x <= width and 0 <= y <= depth for x, y in body.corners)
        r = body.radius
        return r <= body.cx <= width - r and r <= body.cy <= depth - r

    def ground(self, x: int, y: int) -> int:
        """The level of the ground at a point: the highest hill there, else 0 (mm)."""
        if not self._has_hills:
            return 0
        return max((p.height // 10 for p in self.pieces_at(x * 10, y * 10) if p.kind.is_hill), default=0)

    def stand(self, shape: Shape, x: int, y: int, heading: int = 0, key: object = None) -> Body:
        """A model set down on the ground as it lies there."""
        return Body(shape, x, y, heading, self.ground(x, y), key)

    def settled(self, body: Body) -> Body:
        """A model that has moved, on the ground as it lies there now (inside a building it stays on its floor)."""
        level = body.z if body.inside is not None else self.ground(body.x, body.y)
        if level == body.z:
            return body
        return Body(body.shape, body.x, body.y, body.heading, level, body.key)

    def stand_inside(self, shape: Shape, building: str, floor: int, x: int, y: int, key: object = None) -> Body:
        """A model set down on a floor of a building."""
        piece = self.piece(building)
        if not 0 <= floor < piece.floors:
            raise ValueError(f"{building!r} has floors 0 to {piece.floors - 1}, not {floor}.")
        return Body(shape, x, y, 0, floor * piece.floor_height // 10, key, building, floor)

    def pieces_at(self, x: int, y: int) -> list[Piece]:
        """The pieces over a point (tenths), outlines included, in table order."""
        if self.compiled is not None:
            pieces: list[Piece] | None = self.compiled.pieces_at(x, y)
            if pieces is not None:
                return pieces
        mask = self.index.near_box(x, y, x, y, self.index.all_parts)
        return self._pieces(mask, lambda number: point_in_polygon(x, y, self.index.polygons[number]) >= 0)

    def _pieces(self, mask: int, test: Any) -> list[Piece]:
        pieces: list[Piece] = []
        while mask:
            bit = mask & -mask
            mask ^= bit
            number = bit.bit_length() - 1
            piece = self.part_piece[number]
            if (not pieces or pieces[-1] is not piece) and test(number):
                pieces.append(piece)
        return pieces

    def near_box(self, low_x: int, low_y: int, high_x: int, high_y: int, mask: int) -> int:
        """The parts among `mask` whose boxes (in whole cells) meet a box (tenths)."""
        if self.compiled is not None:
            near: int | None = self.compiled.near_box(low_x, low_y, high_x, high_y, mask)
            if near is not None:
                return near
        return self.index.near_box(low_x, low_y, high_x, high_y, mask)

    def near(self, body: Body, reach: int = 0) -> list[Piece]:
        """The pieces whose boxes come within `reach` of a model: a first sieve, in table order."""
        r = body.radius + reach
        mask = self.near_box(body.cx - r, body.cy - r, body.cx + r, body.cy + r, self.index.all_parts)
        return self._pieces(mask, lambda number: True)

    def overlapped(self, body: Body, mask: int) -> Piece | None:
        """The first piece with a part among `mask`, not the one it is inside of, on whose ground a model stands."""
        if self.compiled is not None:
            piece: Piece | bool | None = self.compiled.overlapped(body, mask)
            if piece is not None:
                return piece or None  # type: ignore[return-value]
        for each in self.near(body):
            if self.parts_of(each) & mask and each.id != body.inside and each.overlaps(body):
                return each
        return None

    def standing(self, body: Body) -> tuple[tuple[Piece, Stand], ...]:
        """The pieces a model touches or stands in, and how much of it does, in table order."""
        key = (body.shape.code, body.x, body.y, body.heading)
        known = self._stands.get(key)
        if known is None:
            known = self._standing(body)
            if len(self._stands) >= MEMORY:
                self._stands.clear()
            self._stands[key] = known
        return known

    def _standing(self, body: Body) -> tuple[tuple[Piece, Stand], ...]:
        if self.compiled is not None:
            stands = self.compiled.standing(body)
            if stands is not None:
                return tuple((piece, STANDS[grade]) for piece, grade in stands)
        grades = ((piece, piece.stand(body)) for piece in self.near(body))
        return tuple((piece, grade) for piece, grade in grades if grade)

    # -- lines ---------------------------------------------------------------------------------------------

    def is_clear(self, ax: int, ay: int, bx: int, by: int) -> bool:
        """Does the line between two points (mm) miss everything that blocks sight, whatever its height?

        Walls of buildings count as solid here; openings, heights and area terrain are sight.py's affair.
        """
        return self._tall.first_entered(ax * 10, ay * 10, bx * 10, by * 10) < 0

    def are_clear(self, lines: Ints | Sequence[Sequence[int]]) -> npt.NDArray[np.bool_]:
        """The same for many lines: rows of (ax, ay, bx, by) in mm."""
        import numpy as np

        from dieselfront.table.measured.batch import Batch

        if self._batch is None:
            self._batch = Batch(self._tall)
        return self._batch.last_entered(np.asarray(lines, dtype=np.int64).reshape(-1, 4) * 10) < 0

    def stretches_in(self, a: Point, b: Point, mask: int) -> list[tuple[Piece, list[Stretch]]]:
        """The pieces among `mask` a line (tenths) runs through, each with its stretches, in table order."""
        if self.compiled is not None:
            met: list[tuple[Piece, list[Stretch]]] | None = self.compiled.stretches_in(a, b, mask)
            if met is not None:
                return met
        (ax, ay), (bx, by) = a, b
        mask = self.index.near_line(ax, ay, bx, by, mask)
        crossed: list[tuple[Piece, list[Stretch]]] = []
        polygons, pieces = self.index.polygons, self.part_piece
        while mask:
            bit = mask & -mask
            mask ^= bit
            number = bit.bit_length() - 1
            inside = stretches(ax, ay, bx, by, polygons[number])
            if not inside:
                continue
            if crossed and crossed[-1][0] is pieces[number]:
                crossed[-1] = (pieces[number], merge(crossed[-1][1] + inside))
            else:
                crossed.append((pieces[number], inside))
        return crossed

    def solid_above(self, z: int) -> int:
        """The parts that block every line running no higher than z (tenths): solid all through, and taller."""
        mask = self._solid.get(z)
        if mask is None:
            mask = 0
            for number, piece in enumerate(self.part_piece):
                if piece.height > z and piece.kind.sight is Sight.BLOCKS and not piece.is_building:
                    mask |= 1 << number
            self._solid[z] = mask
        return mask

    def parts_of(self, piece: Piece) -> int:
        """The parts of one piece."""
        masks = self.memory.setdefault("parts", {})
        mask: int | None = masks.get(piece.id)
        if mask is None:
            mask = masks[piece.id] = sum(1 << n for n, owner in enumerate(self.part_piece) if owner is piece)
        return mask

    def mask_of(self, kinds: Iterable[str]) -> int:
        """The parts of all pieces of these kinds."""
        if isinstance(kinds, tuple):
            known = self._masks.get(kinds)
            if known is None:
                known = self._masks[kinds] = self.mask_of(list(kinds))
            return known
        mask = 0
        for kind in kinds:
            mask |= self.kind_masks.get(kind, 0)
        return mask


def place_on(a: Point, b: Point, place: int) -> Point:
    """The point (mm) at a place of a line in parts of LINE, rounded down."""
    (ax, ay), (bx, by) = a, b
    return (ax * LINE + (bx - ax) * place) // (10 * LINE), (ay * LINE + (by - ay) * place) // (10 * LINE)
