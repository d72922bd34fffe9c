"""Many lines at once against the polygons of a table: whole numbers in NumPy, or compiled (speed.py). Same answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dieselfront.table.measured.geometry import enters_exactly
from dieselfront.table.measured.index import AXES, LineIndex, axis_bits, axis_offset
from dieselfront.table.measured.speed import batch_kernel

if TYPE_CHECKING:
    from dieselfront.table.measured.index import Ints

CHUNK = 4096
Words = npt.NDArray[np.uint64]


class Batch:
    """The rows of masks and the corners of a LineIndex as arrays."""

    __slots__ = ("_corners_x", "_corners_y", "_index", "_rows")

    def __init__(self, index: LineIndex) -> None:
        self._index = index
        words = max(1, -(-len(index.polygons) // 64))
        self._rows = [(_words(starts, words), _words(ends, words)) for starts, ends in index.rows]
        widest = max((len(polygon) for polygon in index.polygons), default=3)
        padded = [(p[-1], *p, *([p[-1]] * (widest - len(p)))) for p in index.polygons]
        corners = np.array(padded, dtype=np.int64).reshape(len(padded), widest + 1, 2)
        self._corners_x = np.ascontiguousarray(corners[:, :, 0].T.astype(np.float64))
        self._corners_y = np.ascontiguousarray(corners[:, :, 1].T.astype(np.float64))

    def last_entered(self, lines: Ints) -> Ints:
        """For each row (ax, ay, bx, by) in tenths: the highest polygon whose inside the line enters, or -1."""
        lines = np.ascontiguousarray(lines, dtype=np.int64).reshape(-1, 4)
        if not self._index.polygons:
            return np.full(len(lines), -1, dtype=np.int64)
        kernel = batch_kernel()
        if kernel is not None:
            return self._compiled(kernel, lines)
        parts = [self._chunk(lines[start : start + CHUNK]) for start in range(0, len(lines), CHUNK)]
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)

    def _compiled(self, kernel: object, lines: Ints) -> Ints:
        entered_parts = np.empty(len(lines), dtype=np.int64)
        kernel(self._index.packed, lines, entered_parts)  # type: ignore[operator]
        for i in np.flatnonzero(entered_parts == -2):
            ax, ay, bx, by = (int(v) for v in lines[i])
            near = self._index.near_line(ax, ay, bx, by, self._index.all_parts)
            entered_parts[i] = self._index.last_of(ax, ay, bx, by, near)
        return entered_parts

    def _chunk(self, lines: Ints) -> Ints:
        """Round by round each open line asks the highest polygon it has not asked yet."""
        near = self._near(lines)
        bits = np.unpackbits(near.view(np.uint8), axis=1, bitorder="little")
        part = np.flatnonzero(bits) % bits.shape[1]
        counts = bits.sum(axis=1, dtype=np.int64)
        last = np.cumsum(counts) - 1
        entered_parts = np.full(len(lines), -1, dtype=np.int64)
        active = np.flatnonzero(counts)
        asked = 0
        while len(active):
            parts = part[last[active] - asked]
            entered = self._enters(lines[active], parts)
            entered_parts[active[entered]] = parts[entered]
            asked += 1
            active = active[~entered]
            active = active[counts[active] > asked]
        return entered_parts

    def _near(self, lines: Ints) -> Words:
        ax, ay, bx, by = lines.T
        mask: Words | None = None
        for (kx, ky), (starts, ends) in zip(AXES, self._rows, strict=True):
            offset, bits = axis_offset(kx, ky), axis_bits(kx, ky)
            p = (kx * ax + ky * ay + offset) >> bits
            q = (kx * bx + ky * by + offset) >> bits
            both = starts[np.maximum(p, q)] & ends[np.minimum(p, q)]
            mask = both if mask is None else mask & both
        assert mask is not None
        return np.ascontiguousarray(mask)

    def _enters(self, lines: Ints, part: Ints) -> npt.NDArray[np.bool_]:
        """Does each line enter its polygon? The doubtful ones are asked exactly.

        Doubles hold these whole numbers exactly (all stay below 2**53) and multiply faster than 64-bit integers.
        """
        ax, ay, bx, by = lines.T.astype(np.float64)
        x, y = self._corners_x[:, part] - ax, self._corners_y[:, part] - ay
        dx, dy = bx - ax, by - ay
        side = dx * y - dy * x
        px, py, qx, qy = x[:-1], y[:-1], x[1:], y[1:]
        a = px * qy - py * qx
        b = a + side[:-1] - side[1:]
        above = side > 0
        front = a > 0
        apart = above[1:] != above[:-1]
        crossed = (apart & (front != (b > 0))).any(axis=0)
        high = y > 0
        inside = np.logical_xor.reduce((high[1:] != high[:-1]) & (front == (qy > py)), axis=0)
        doubtful = (side == 0).any(axis=0) | (apart & ((a == 0) | (b == 0))).any(axis=0)
        entered: npt.NDArray[np.bool_] = crossed | inside
        for i in np.flatnonzero(doubtful):
            ax_, ay_, bx_, by_ = (int(v) for v in lines[i])
            entered[i] = enters_exactly(ax_, ay_, bx_, by_, self._index.polygons[int(part[i])])
        return entered


def _words(row: list[int], words: int) -> Words:
    """A row of masks as 64-bit words."""
    limit = (1 << 64) - 1
    cells = [[(mask >> (64 * word)) & limit for word in range(words)] for mask in row]
    return np.array(cells, dtype=np.uint64)
