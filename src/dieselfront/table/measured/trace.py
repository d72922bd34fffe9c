"""Where an answer would lead: the way there, how long it is, and the models at its end; for ghosts on a screen."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Any, NamedTuple, Protocol, runtime_checkable

from dieselfront.table.measured.movement import ahead_of
from dieselfront.table.measured.shapes import Body

Point = tuple[int, int]


class Trace(NamedTuple):
    """A legal answer of a region, before it is given. Lengths in tenths of a millimetre."""

    bodies: Sequence[Body]
    """Every model where it would stand."""
    way: Sequence[Sequence[int]] = ()
    """The points that the first model goes along, the first one where it stands now (mm)."""
    length: int = 0
    limit: int = 0
    """How long the way may be; 0 where nothing is measured."""


@runtime_checkable
class Traceable(Protocol):
    """A region that knows where its answers lead."""

    def trace(self, answer: Any) -> Trace | None:
        """Where an answer leads; None where it is not legal."""


QUARTERS = (4, 3, 2, 1)
NARROW = 12
"""Half the width of the strip that is drawn where a vehicle can only go straight (mm)."""


def fan_outline(region: Traceable, body: Body, ahead: int, widest: int = 90, step: int = 10) -> list[list[Point]]:
    """Rings round where the middle of a vehicle can end that turns once and goes straight on, or straight back."""
    turns = range(-widest, widest + 1, step)
    rim = [end for turn in turns if (end := _farthest(region, body, ahead, turn)) is not None]
    rings = [[(body.x, body.y), *rim]] if len(rim) > 2 else [_strip(body, end) for end in rim]
    back = _farthest(region, body, -ahead, 0)
    return [*rings, *([_strip(body, back)] if back is not None else [])]


def _farthest(region: Traceable, body: Body, ahead: int, turn: int) -> Point | None:
    """How far it can go after a turn, in quarters of its move; a turn on the spot comes first in the answer."""
    turned = body.at(body.x, body.y, body.heading + turn)
    for quarter in QUARTERS:
        there = ahead_of(turned, ahead * quarter // 4)
        end = (there.x, there.y, turned.heading)
        if region.trace((end,) if not turn else ((body.x, body.y, turned.heading), end)) is not None:
            return there.x, there.y
    return None


def _strip(body: Body, end: Point) -> list[Point]:
    """A narrow strip from where it stands to an end."""
    dx, dy = end[0] - body.x, end[1] - body.y
    far = max(1, isqrt(dx * dx + dy * dy))
    ox, oy = -dy * NARROW // far, dx * NARROW // far
    return [
        (body.x + ox, body.y + oy),
        (end[0] + ox, end[1] + oy),
        (end[0] - ox, end[1] - oy),
        (body.x - ox, body.y - oy),
    ]


__all__ = ["Trace", "Traceable", "fan_outline"]
