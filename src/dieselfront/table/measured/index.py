"""Which polygons does a line meet? Masks of bits looked up along eight directions, then the exact question.

Every polygon has a bit. For each of eight fixed directions two rows of masks say which polygons begin at or before a
cell and which end at or after it; a line can only meet those that pass its directions. A handful of look-ups replaces
a loop. The compiled twin in speed.py and the batches in batch.py give the same answers bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dieselfront.table.measured.geometry import Polygon, enters_exactly, point_in_polygon

AXES = ((1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2), (2, -1), (1, -2))
CELL_BITS = 7  # 12.8 mm
LOW, HIGH = -16384, 49152  # tenths: the room lines may run in
MAX_TABLE_MM = 3200

if TYPE_CHECKING:  # NumPy takes a while to load, and only batches and compiled code need it
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Kernel = Callable[[Ints, int, int, int, int], int]

Rows = tuple[list[int], list[int]]


def axis_bits(kx: int, ky: int) -> int:
    """Cells of a direction are as wide in projection as its vector is long, about."""
    return CELL_BITS + (2 if abs(kx) + abs(ky) > 2 else 1 if abs(kx) + abs(ky) > 1 else 0)


def axis_offset(kx: int, ky: int) -> int:
    """What is added to a projection so that none is negative."""
    return -min(kx * x + ky * y for x in (LOW, HIGH) for y in (LOW, HIGH))


def _rows(kx: int, ky: int, polygons: Sequence[Polygon]) -> Rows:
    """For each cell of a direction: the polygons begun so far, the polygons not ended yet."""
    bits, offset = axis_bits(kx, ky), axis_offset(kx, ky)
    last = max(kx * x + ky * y for x in (LOW, HIGH) for y in (LOW, HIGH)) + offset
    cells = (last >> bits) + 1
    begun: dict[int, int] = {}
    ended: dict[int, int] = {}
    for number, polygon in enumerate(polygons):
        along = [kx * x + ky * y for x, y in polygon]
        first, last = (min(along) + offset) >> bits, (max(along) + offset) >> bits
        begun[first] = begun.get(first, 0) | 1 << number
        ended[last] = ended.get(last, 0) | 1 << number
    return _filled(begun, cells), _filled({cells - 1 - cell: mask for cell, mask in ended.items()}, cells)[::-1]


def _filled(marks: dict[int, int], cells: int) -> list[int]:
    """For each cell all masks marked at it or before it."""
    row: list[int] = []
    so_far = 0
    for cell in sorted(marks):
        row += [so_far] * (cell - len(row))
        so_far |= marks[cell]
    return row + [so_far] * (cells - len(row))


_PLACES = tuple((kx, ky, axis_bits(kx, ky), axis_offset(kx, ky)) for kx, ky in AXES)


_ACROSS = {True: (3, 6, 7), False: (2, 4, 5)}
"""The directions across lines that fall to the right, and across those that rise."""


class LineIndex:
    """Finds the polygons (clockwise, tenths) a line may meet, and whether it does. Never changes once made."""

    __slots__ = ("_axes", "_packed", "all_parts", "polygons")

    def __init__(self, polygons: Sequence[Polygon]) -> None:
        self.polygons = tuple(polygons)
        self.all_parts = (1 << len(self.polygons)) - 1
        self._axes: tuple[Rows, ...] | None = None
        self._packed: Ints | None = None

    @property
    def packed(self) -> Ints:
        """The polygons as compiled code reads them."""
        if self._packed is None:
            self._packed = pack(self.polygons)
        return self._packed

    @property
    def rows(self) -> tuple[Rows, ...]:
        """The rows of masks, direction by direction, made when they are first asked for."""
        if self._axes is None:
            self._axes = tuple(_rows(kx, ky, self.polygons) for kx, ky in AXES)
        return self._axes

    def near_line(self, ax: int, ay: int, bx: int, by: int, mask: int) -> int:
        """The polygons among `mask` that the line a-b could meet (tenths)."""
        rows = self.rows
        ax += 16384
        bx += 16384
        ay += 16384
        by += 16384
        starts, ends = rows[0]
        mask &= starts[bx >> 7] & ends[ax >> 7] if ax < bx else starts[ax >> 7] & ends[bx >> 7]
        starts, ends = rows[1]
        mask &= starts[by >> 7] & ends[ay >> 7] if ay < by else starts[ay >> 7] & ends[by >> 7]
        if not mask:
            return 0
        if (ax < bx) is (ay < by):  # falling lines: the directions across them
            p, q = ax - ay + 65536, bx - by + 65536
            starts, ends = rows[3]
            mask &= starts[q >> 8] & ends[p >> 8] if p < q else starts[p >> 8] & ends[q >> 8]
            p, q = 2 * ax - ay + 65536, 2 * bx - by + 65536
            starts, ends = rows[6]
            mask &= starts[q >> 9] & ends[p >> 9] if p < q else starts[p >> 9] & ends[q >> 9]
            p, q = ax - 2 * ay + 131072, bx - 2 * by + 131072
            starts, ends = rows[7]
            return mask & (starts[q >> 9] & ends[p >> 9] if p < q else starts[p >> 9] & ends[q >> 9])
        p, q = ax + ay, bx + by
        starts, ends = rows[2]
        mask &= starts[q >> 8] & ends[p >> 8] if p < q else starts[p >> 8] & ends[q >> 8]
        p, q = 2 * ax + ay, 2 * bx + by
        starts, ends = rows[4]
        mask &= starts[q >> 9] & ends[p >> 9] if p < q else starts[p >> 9] & ends[q >> 9]
        p, q = ax + 2 * ay, bx + 2 * by
        starts, ends = rows[5]
        return mask & (starts[q >> 9] & ends[p >> 9] if p < q else starts[p >> 9] & ends[q >> 9])

    def near_box(self, low_x: int, low_y: int, high_x: int, high_y: int, mask: int) -> int:
        """The polygons among `mask` whose boxes (in whole cells) meet a box (tenths)."""
        starts, ends = self.rows[0]
        mask &= starts[(high_x + 16384) >> 7] & ends[(low_x + 16384) >> 7]
        starts, ends = self.rows[1]
        return mask & starts[(high_y + 16384) >> 7] & ends[(low_y + 16384) >> 7]

    def near_fan(self, x: int, y: int, cx: int, cy: int, radius: int, mask: int) -> int:
        """The polygons among `mask` that lines from (x, y) to anywhere in a circle could meet."""
        rows = self.rows
        starts, ends = rows[0]
        mask &= starts[(max(x, cx + radius) + 16384) >> 7] & ends[(min(x, cx - radius) + 16384) >> 7]
        starts, ends = rows[1]
        mask &= starts[(max(y, cy + radius) + 16384) >> 7] & ends[(min(y, cy - radius) + 16384) >> 7]
        if not mask:
            return 0
        wide = radius + (radius >> 1) + 1  # at least sqrt(2) radius
        wider = 2 * radius + (radius >> 2) + 1  # at least sqrt(5) radius
        for number in _ACROSS[(x < cx) is (y < cy)]:
            kx, ky, bits, offset = _PLACES[number]
            starts, ends = rows[number]
            spread = wide if number < 4 else wider
            p, q = kx * x + ky * y + offset, kx * cx + ky * cy + offset
            first, last = q - spread, q + spread
            mask &= starts[(p if p > last else last) >> bits] & ends[(p if p < first else first) >> bits]
        return mask

    def first_entered(self, ax: int, ay: int, bx: int, by: int) -> int:
        """A polygon whose inside the line a-b passes through (the highest number), or -1 (tenths)."""
        if _kernel is not None:
            number = _kernel(self.packed, ax, ay, bx, by)
            if number >= -1:
                return number
        return self.last_of(ax, ay, bx, by, self.near_line(ax, ay, bx, by, self.all_parts))

    def last_of(self, ax: int, ay: int, bx: int, by: int, mask: int) -> int:
        """The highest number among `mask` whose inside the line passes through, or -1."""
        polygons = self.polygons
        dx, dy = bx - ax, by - ay
        c = dx * ay - dy * ax
        while mask:
            number = mask.bit_length() - 1
            polygon = polygons[number]
            px, py = polygon[-1]
            side = dx * py - dy * px
            was = side > c
            if side == c:
                if enters_exactly(ax, ay, bx, by, polygon):
                    return number
                mask ^= 1 << number
                continue
            for qx, qy in polygon:
                side = dx * qy - dy * qx
                if (side > c) is was and side != c:
                    px, py = qx, qy
                    continue
                ex, ey = qx - px, qy - py
                k = ex * py - ey * px
                a = ex * ay - ey * ax - k
                b = ex * by - ey * bx - k
                if side == c or a == 0 or b == 0:
                    if enters_exactly(ax, ay, bx, by, polygon):
                        return number
                    break
                if (a > 0) is not (b > 0):
                    return number
                was = not was
                px, py = qx, qy
            else:
                if point_in_polygon(ax, ay, polygon) > 0:
                    return number
            mask ^= 1 << number
        return -1


_kernel: Kernel | None = None


def use_kernel(kernel: Kernel | None) -> None:
    """Set or take away the compiled twin (speed.py calls this; answers do not change)."""
    global _kernel
    _kernel = kernel


def pack(polygons: Sequence[Polygon]) -> Ints:
    """[count, then per polygon its box and where its corners stand, then the corners with the last one first]."""
    import numpy as np

    base = 1 + 6 * len(polygons)
    heads: list[int] = []
    corners: list[int] = []
    for polygon in polygons:
        xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
        start = base + len(corners)
        for x, y in (polygon[-1], *polygon):
            corners += (x, y)
        heads += (min(xs), min(ys), max(xs), max(ys), start, base + len(corners))
    return np.array([len(polygons), *heads, *corners], dtype=np.int64)


def has_kernel() -> bool:
    """Is the compiled twin in use?"""
    return _kernel is not None
