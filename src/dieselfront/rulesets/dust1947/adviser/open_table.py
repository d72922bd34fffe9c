"""The field of an open table, as a Dust adviser sees it: the same questions, asked of the ground of the ruleset."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

from dieselfront.rulesets.dust.state import Unit
from dieselfront.rulesets.dust1947.adviser.field import ARCS, UNSEEN, Field, Piece
from dieselfront.rulesets.dust1947.adviser.fire import EVERY_ARC, Firepower
from dieselfront.rulesets.dust1947.playing import Play


@contextmanager
def off_the_table(units: Iterable[Unit]) -> Iterator[None]:
    """Units seen without their places: points are no squares, so there are no masks of them."""
    stood = [(unit, unit.where) for unit in units]
    for unit, _ in stood:
        unit.where = ()
    try:
        yield
    finally:
        for unit, where in stood:
            unit.where = where


def field_of(play: Play, fire: Firepower) -> Field:
    """The field that fits the table of the game."""
    return OpenField(play, fire) if play.rules.table == "measured" else Field(play, fire)


class OpenField(Field):
    """One position on a measured table."""

    def __init__(self, play: Play, fire: Firepower) -> None:
        state = play.state
        with off_the_table(state.units):
            super().__init__(play, fire)
        self.ground: Any = play.rules.ground  # that of an open table, which this folder does not know
        self.dug = False  # its ground knows works by itself
        pieces = [*self.pieces[0], *self.pieces[1]]
        for piece in pieces:
            piece.where = piece.unit.where
        hulls = [piece.unit for piece in pieces if not piece.foot and not piece.flying]
        ground: Any = self.ground  # that of an open table, which this folder does not know
        self.hulls = ground.hulls(state, [ground.first(state, unit) for unit in hulls])
        self._distances: dict[tuple[int, str], int] = {}
        self._looks: dict[tuple[str, int, str, int, bool], int] = {}

    def piece(self, unit: Unit) -> Piece:
        with off_the_table([unit]):
            piece = super().piece(unit)
        piece.where = unit.where
        return piece

    def distance(self, spot: int, piece: Piece) -> int:
        key = (spot, piece.unit.id)
        distance = self._distances.get(key)
        if distance is None:
            distance = self._distances[key] = self.ground.spot_distance(self.state, spot, piece.unit)
        return distance

    def look(self, viewer: Piece, start: int, other: Piece, end: int) -> int:
        key = (viewer.unit.id, start, other.unit.id, end, self.whole)
        sight = self._looks.get(key)
        if sight is None:
            sight = self._looks[key] = self._look(viewer, start, other, end)
        return sight

    def _look(self, viewer: Piece, start: int, other: Piece, end: int) -> int:
        if self.limit is not None and self.table.distance(start, end) > self.limit:
            return UNSEEN
        moved = self.whole and end != other.place
        look = self.ground.whole_sight if moved else self.ground.spot_sight
        sight: int = look(self.state, viewer.unit, start, other.unit, end, self.hulls)
        return sight

    def arcs(self, piece: Piece, spot: int, facing: int | None, foe: Piece) -> int:
        if piece.foot:
            return EVERY_ARC
        look = piece.unit.facing if facing is None else facing
        inside = self.ground.spot_arcs(self.state, piece.unit, spot, look, foe.unit)
        return sum(bit for arc, bit in ARCS if arc in inside)

    def facing_to(self, start: int, end: int) -> int:
        facing: int = self.ground.facing_to(self.state, start, end)
        return facing


def half_a_hull(ground: Any, state: Any, unit: Unit) -> int:
    """From the middle of a hull to its nearer side, in tenths of a millimetre."""
    table = state.table
    corners = ground.spot_body(state, unit, table.place(table.width // 2, table.height // 2)).corners
    sides = [math.dist(one, other) for one, other in pairwise(corners or ())]
    return int(min(sides[:2], default=0.0)) // 2


class Straight(Mapping[int, int]):
    """How far any point is from the nearest marker of an objective, in ranges; 0 where the marker is held."""

    def __init__(self, table: Any, places: frozenset[int], near: int) -> None:
        self.table = table
        self.near = near  # held from so near (tenths)
        self.places = tuple(sorted(places))

    def __getitem__(self, spot: int) -> int:
        tenths = min(self.table.tenths(spot, place) for place in self.places)
        return 0 if tenths <= self.near else int(self.table.measures.ranges(tenths))

    def __iter__(self) -> Iterator[int]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


__all__ = ["OpenField", "Straight", "half_a_hull"]
