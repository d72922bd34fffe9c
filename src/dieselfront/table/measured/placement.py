"""Where a model may stand: on the table, off barred terrain, clear of others, in a zone; the nearest such spot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from dieselfront.table.measured import native
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


class Keep:
    """A model to keep away from: `gap` tenths clear of it, "more than" the gap when strict; gap 0 only bars overlap."""

    __slots__ = ("body", "gap", "strict")

    def __init__(self, body: Body, gap: int = 0, strict: bool = True) -> None:
        self.body = body
        self.gap = gap
        self.strict = strict

    def is_kept(self, body: Body) -> bool:
        """Does a model stand far enough from it?"""
        return is_kept(self, body)

    def __reduce__(self) -> tuple[type[Keep], tuple[Body, int, bool]]:
        return Keep, (self.body, self.gap, self.strict)

    def __repr__(self) -> str:
        return f"Keep(body={self.body!r}, gap={self.gap}, strict={self.strict})"


def is_kept(keep: Keep, body: Body) -> bool:
    """Does a model stand far enough from another?"""
    if keep.gap == 0:
        return not overlaps(body, keep.body)
    if keep.strict:
        return not is_within(body, keep.body, keep.gap)
    return not is_nearer(body, keep.body, keep.gap)


class Crowd:
    """Models to keep away from, found by place: squares of 100 mm hold those whose room reaches into them."""

    __slots__ = ("_cells", "_sorted", "keeps")

    def __init__(self, keeps: Iterable[Keep] = ()) -> None:
        self.keeps: list[Keep] = list(keeps)
        self._cells: dict[tuple[int, int], list[Keep]] = {}
        self._sorted = 0  # so many of the models are in the squares; compiled code seldom asks for them

    def add(self, keep: Keep) -> None:
        """One more model to keep away from."""
        self.keeps.append(keep)

    def near(self, body: Body) -> list[Keep]:
        """Those that could be too near to a model, in the order they were added within each square."""
        while self._sorted < len(self.keeps):
            keep = self.keeps[self._sorted]
            self._sorted += 1
            for cell in _cells(keep.body, keep.gap):
                self._cells.setdefault(cell, []).append(keep)
        cells = list(_cells(body, 0))
        if len(cells) == 1:
            return self._cells.get(cells[0], [])
        seen: dict[int, Keep] = {}
        for cell in cells:
            for keep in self._cells.get(cell, ()):
                seen.setdefault(id(keep), keep)
        return list(seen.values())

    def is_free(self, body: Body) -> bool:
        """Does a body stand far enough from everybody?"""
        if native.KERNEL is not None:
            return first_not_kept(self.keeps, body) is None
        return first_not_kept(self.near(body), body) is None

    def first_broken(self, body: Body) -> Keep | None:
        """A model that a body stands too near to: the first one in the order of `near`."""
        if native.KERNEL is None:
            return first_not_kept(self.near(body), body)
        if self.is_free(body):
            return None
        r = body.radius  # only those round the body are sorted into squares, for which compiled code has no other use
        close = Crowd(keeps_near(self.keeps, body.cx - r, body.cy - r, body.cx + r, body.cy + r))
        return first_not_kept(close.near(body), body)


def first_not_kept(keeps: list[Keep], body: Body) -> Keep | None:
    """The first of these models, the body itself left out, that it stands too near to."""
    for keep in keeps:
        if keep.body is not body and not keep.is_kept(body):
            return keep
    return None


def keeps_near(keeps: list[Keep], low_x: int, low_y: int, high_x: int, high_y: int) -> list[Keep]:
    """Those of some models whose room comes near a box (tenths): a first sieve."""
    near = []
    for keep in keeps:
        body, room = keep.body, keep.body.radius + keep.gap
        if low_x - room <= body.cx <= high_x + room and low_y - room <= body.cy <= high_y + room:
            near.append(keep)
    return near


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

    __slots__ = ("crowd", "mask", "no_entry", "table", "test", "zones")

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
        self.mask = table.mask_of(self.no_entry)
        self.crowd = Crowd() if crowd is None else crowd
        self.zones = tuple(tuple((x * 10, y * 10) for x, y in zone) for zone in zones)
        self.test = test

    def problem(self, body: Body) -> Problem | None:
        """What is wrong with a place, or None."""
        if native.KERNEL is not None and self.is_legal(body):
            return None
        here = (body.x, body.y)
        if not self.table.contains(body):
            return Problem("off table", None, here)
        if self.zones and not any(is_wholly_in(body, zone) for zone in self.zones):
            return Problem("zone", None, here)
        broken = self.crowd.first_broken(body)
        if broken is not None:
            return Problem("model", broken.body.key, here)
        if self.mask:
            piece = self.table.overlapped(body, self.mask)
            if piece is not None:
                return Problem("terrain", piece.id, here)
        if self.test is not None and not self.test(body):
            return Problem("rule", None, here)
        return None

    def is_legal(self, body: Body) -> bool:
        """Is nothing wrong with a place? (It asks less than `problem`.)"""
        table = self.table
        if table.compiled is not None:
            free = table.compiled.may_stand(body, self.crowd.keeps, self.mask, table.width, table.depth)
            if free is not None:
                return bool(free) and self._suits(body)
        if not table.contains(body) or not self.crowd.is_free(body):
            return False
        if self.mask and table.overlapped(body, self.mask) is not None:
            return False
        return self._suits(body)

    def _suits(self, body: Body) -> bool:
        """Is it in a zone, and has the test nothing against it?"""
        if self.zones and not any(is_wholly_in(body, zone) for zone in self.zones):
            return False
        return self.test is None or self.test(body)

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

    def _polished(self, wanted: Body, rough: Body, reach: int) -> Body:
        """The best legal single millimetre round a coarse find."""
        spots = sorted(
            ((rough.x + dx - wanted.x) ** 2 + (rough.y + dy - wanted.y) ** 2, rough.y + dy, rough.x + dx)
            for dx in range(-reach, reach + 1)
            for dy in range(-reach, reach + 1)
        )
        for _, y, x in spots:
            moved = wanted.at(x, y)
            if self.is_legal(moved):
                return moved
        return rough


@cache
def offsets(most: int) -> tuple[Point, ...]:
    """All steps (dx, dy) of at most `most` in order of length, equal ones row by row."""
    limit = most * most
    steps = [
        (dx * dx + dy * dy, dy, dx)
        for dy in range(-most, most + 1)
        for dx in range(-most, most + 1)
        if 0 < dx * dx + dy * dy <= limit
    ]
    return tuple((dx, dy) for _, dy, dx in sorted(steps))


def keeps_from_centres(leader: Body, others: Iterable[Body], radius: int) -> bool:
    """Is the centre of a leader outside the circles of others, drawn round their centres (ff.move.leader_circles)?"""
    return all((leader.cx - o.cx) ** 2 + (leader.cy - o.cy) ** 2 > radius * radius for o in others)


def reaches_circle(leader: Body, body: Body, radius: int) -> bool:
    """Does a base touch the circle round the centre of its leader (ff.move.circle)?"""
    return distance_from_centre(leader, body) <= radius


native.take_over(globals(), "Keep", "first_not_kept", "is_kept", "keeps_near")
