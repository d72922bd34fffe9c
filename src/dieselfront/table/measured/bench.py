"""Sight checks a second beside prepared Shapely, in alternating slices of one run (for `dieselfront bench`).

Both sides get the same lines over the same 40 polygons on a table of 1800 x 1200 mm. "one" asks line by line from bare
coordinates, "one, lines ready" spares the peer the making of its line objects, "batch" asks thousands at once. The
entries marked pure do without Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from dieselfront.table.measured import speed
from dieselfront.table.measured.angles import step
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import Cover, Piece, Sight, TerrainKind, polygon

if TYPE_CHECKING:
    from dieselfront.table.measured.index import Ints

ROCK = TerrainKind("rock", "Rock", Sight.BLOCKS, Cover.HARD, 120)


class Numbers:
    """A small fixed sequence of numbers (a linear congruence), so that every run asks the same questions."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, limit: int) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (self.state >> 33) % limit


def sample_table(pieces: int = 40, seed: int = 47) -> MeasuredTable:
    """A table of 1800 x 1200 mm with so many star-shaped rocks of 5 to 8 corners."""
    numbers = Numbers(seed)
    return MeasuredTable(1800, 1200, [_rock(i, numbers) for i in range(pieces)])


def _rock(number: int, numbers: Numbers) -> Piece:
    x, y = 100 + numbers.below(1600), 100 + numbers.below(1000)
    corners = 5 + numbers.below(4)
    points = []
    for i in range(corners):
        dx, dy = step(360 * i // corners + numbers.below(20), 300 + numbers.below(600))
        points.append((x + dx // 10, y + dy // 10))
    return polygon(f"rock-{number}", ROCK, points)


def sample_lines(count: int, seed: int = 11) -> Ints:
    """Rows of (ax, ay, bx, by) in mm all over that table."""
    numbers = Numbers(seed)
    rows = [[numbers.below(1801), numbers.below(1201), numbers.below(1801), numbers.below(1201)] for _ in range(count)]
    return np.array(rows, dtype=np.int64)


def _rates(ours: Callable[[], object], peer: Callable[[], object], count: int, seconds: float) -> dict[str, float]:
    """Both run in turns until each has had its share of the time; rates per second."""
    spent, done = [0.0, 0.0], [0, 0]
    ours(), peer()
    while sum(spent) < seconds:
        for side, work in enumerate((ours, peer)):
            start = perf_counter()
            work()
            spent[side] += perf_counter() - start
            done[side] += count
    rates = [done[side] / spent[side] for side in (0, 1)]
    return {"ours": round(rates[0]), "peer": round(rates[1]), "ratio": round(rates[0] / rates[1], 2)}


def bench_sight(seconds: float = 0.8, count: int = 4000) -> dict[str, dict[str, float | str]]:
    """{"sight one": {"ours", "peer", "ratio", "unit"}, ...}; about half a dozen entries of `seconds` each."""
    import shapely
    from shapely.prepared import prep

    table, lines = sample_table(), sample_lines(count)
    union = shapely.union_all([shapely.Polygon(piece.parts[0].polygon) for piece in table.pieces])
    shapely.prepare(union)
    prepared = prep(union)
    rows = [tuple(int(v) for v in row) for row in lines]
    points = lines.reshape(-1, 2, 2).astype(float) * 10
    ready = shapely.linestrings(points)
    line_string = shapely.LineString

    def one() -> list[bool]:
        return [table.is_clear(ax, ay, bx, by) for ax, ay, bx, by in rows]

    def peer_one() -> list[bool]:
        return [
            not prepared.intersects(line_string(((ax * 10, ay * 10), (bx * 10, by * 10)))) for ax, ay, bx, by in rows
        ]

    def peer_ready() -> list[bool]:
        return [not prepared.intersects(line) for line in ready]

    def batch() -> object:
        return table.are_clear(lines)

    def peer_batch() -> object:
        return ~shapely.intersects(union, ready)

    was = speed.is_in_use()
    rates: dict[str, dict[str, float | str]] = {}
    for mark, set_mode in (("", speed.use_compiled), (", pure", speed.use_pure)):
        set_mode()
        for name, ours, peer in (
            ("sight one", one, peer_one),
            ("sight one, lines ready", one, peer_ready),
            ("sight batch", batch, peer_batch),
        ):
            rates[name + mark] = {**_rates(ours, peer, count, seconds), "unit": "lines/s"}
    if was:
        speed.use_compiled()
    return rates
