"""Where a model may stand: on the table, off barred terrain, clear of others, in a zone; the nearest such spot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from dieselfront.table.measured.geometry import Point, Polygon
from dieselfront.table.measured.shapes import (
    Body,
    distance_from_centre,
    is_nearer,
    is_wholly_in,
    is_within,
    overlaps,
)
from dieselfront.table.measured.table import MeasuredTable


@dataclass(frozen=True, slots=True)
class Keep:
    """A model to keep away from: `gap` tenths clear of it, "more than" the gap when strict; gap 0 only bars overlap."""

    body: Body
    gap: int = 0
    strict: bool = True

    def is_kept(self, body: Body) -> bool:
        """Does a model stand far enough from it?"""
        if self.gap == 0:
            return not overlaps(body, self.body)
        if self.strict:
            return not is_within(body, self.body, self.gap)
        return not is_nearer(body, self.body, self.gap)


class Crowd:
    """Models to keep away from, found by place: squares of 100 mm hold those whose room reaches into them."""

    __slots__ = ("_cells", "keeps")

    def __init__(self, keeps: Iterable[Keep] = ()) -> None:
        self.keeps: list[Keep] = []
        self._cells: dict[tuple[int, int], list[Keep]] = {}
        for keep in keeps:
            self.add(keep)

    def add(self, keep: Keep) -> None:
        """One more model to keep away from."""
        self.keeps.append(keep)
        for cell in _cells(keep.body, keep.gap):
            self._cells.setdefault(cell, []).append(keep)

    def near(self, body: Body) -> list[Keep]:
        """Those that could be too near to a model, in the order they were added within each square."""
        cells = list(_cells(body, 0))
        if len(cells) == 1:
            return self._cells.get(cells[0], [])
        seen: dict[int, Keep] = {}
        for cell in cells:
            for keep in self._cells.get(cell, ()):
                seen.setdefault(id(keep), keep)
        return list(seen.values())

    def first_broken(self, body: Body) -> Keep | None:
        """A model that a body stands too near to."""
        for keep in self.near(body):
            if keep.body is not body and not keep.is_kept(body):
                return keep
        return None


def _cells(body: Body, gap: int) -> Iterator[tuple[int, int]]:
    r = body.radius + gap
    for x in range((body.cx - r) // 1000, (body.cx + r) // 1000 + 1):
        for y in range((body.cy - r) // 1000, (body.cy + r) // 1000 + 1):
            yield x, y


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a place or a way is not allowed: what, by whom (terrain id or model key), where (mm)."""

    what: str  # "off table", "terrain", "model", "zone", "rule", "wall", "too far", "too many turns", "turn too wide"
    who: object
    at: Point


class Places:
    """The law of places for one kind of mover: ask `problem(body)`, it answers None when the place is legal."""

    __slots__ = ("_mask", "crowd", "no_entry", "table", "test", "zones")

    def __init__(
        self,
        table: MeasuredTable,
        no_entry: Iterable[str] = (),
        crowd: Crowd | None = None,
        zones: Sequence[Polygon] = (),
        test: Callable[[Body], bool] | None = None,
    ) -> None:
        self.table = table
        self.no_entry = tuple(no_entry)
        self._mask = table.mask_of(self.no_entry)
        self.crowd = Crowd() if crowd is None else crowd
        self.zones = tuple(tuple((x * 10, y * 10) for x, y in zone) for zone in zones)
        self.test = test

    def problem(self, body: Body) -> Problem | None:
        """What is wrong with a place, or None."""
        here = (body.x, body.y)
        if not self.table.contains(body):
            return Problem("off table", None, here)
        if self.zones and not any(is_wholly_in(body, zone) for zone in self.zones):
            return Problem("zone", None, here)
        broken = self.crowd.first_broken(body)
        if broken is not None:
            return Problem("model", broken.body.key, here)
        if self._mask:
            for piece in self.table.near(body):
                if piece.kind.id in self.no_entry and piece.id != body.inside and piece.overlaps(body):
                    return Problem("terrain", piece.id, here)
        if self.test is not None and not self.test(body):
            return Problem("rule", None, here)
        return None

    def is_legal(self, body: Body) -> bool:
        return self.problem(body) is None

    def nearest(self, body: Body, most: int = 300, step: int = 1) -> Body | None:
        """The legal place nearest to a body's own, at most `most` mm away; None when there is none.

        Places are tried in order of exact distance; equal ones from the top left, row by row. With `step` above 1 only
        every so-manieth millimetre is tried first and the neighbourhood of the best then in single millimetres.
        """
        if self.is_legal(body):
            return body
        coarse = max(step, 1)
        for dx, dy in offsets(most // coarse):
            moved = body.at(body.x + dx * coarse, body.y + dy * coarse)
            if self.is_legal(moved):
                return moved if coarse == 1 else self._polished(body, moved, coarse)
        return None

    def _polished(self, wanted: Body, found: Body, reach: int) -> Body:
        """The best legal single millimetre round a coarse find."""
        spots = sorted(
            ((found.x + dx - wanted.x) ** 2 + (found.y + dy - wanted.y) ** 2, found.y + dy, found.x + dx)
            for dx in range(-reach, reach + 1)
            for dy in range(-reach, reach + 1)
        )
        for _, y, x in spots:
            moved = wanted.at(x, y)
            if self.is_legal(moved):
                return moved
        return found


@cache
def offsets(most: int) -> tuple[Point, ...]:
    """All steps (dx, dy) of at most `most` in order of length, equal ones row by row."""
    limit = most * most
    found = [
        (dx * dx + dy * dy, dy, dx)
        for dy in range(-most, most + 1)
        for dx in range(-most, most + 1)
        if 0 < dx * dx + dy * dy <= limit
    ]
    return tuple((dx, dy) for _, dy, dx in sorted(found))


def keeps_from_centres(leader: Body, others: Iterable[Body], radius: int) -> bool:
    """Is the centre of a leader outside the circles of others, drawn round their centres (ff.move.leader_circles)?"""
    return all((leader.cx - o.cx) ** 2 + (leader.cy - o.cy) ** 2 > radius * radius for o in others)


def reaches_circle(leader: Body, body: Body, radius: int) -> bool:
    """Does a base touch the circle round the centre of its leader (ff.move.circle)?"""
    return distance_from_centre(leader, body) <= radius
