"""Where an answer would lead: the way there, how long it is, and the models at its end; for ghosts on a screen."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Any, NamedTuple, Protocol, runtime_checkable

from dieselfront.table.cost_grid import CostGrid, cost_grid
from dieselfront.table.measured.angles import heading_of
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


RAYS = 12
"""Steps of the lattice on which drives are drawn, to each side."""


def fan_costs(region: Traceable, body: Body, ahead: int) -> CostGrid | None:
    """What it costs a vehicle to turn once and go straight on to every spot of a lattice, as its region measures it.

    None where it can hardly turn: no lattice shows a line.
    """
    step = max(12, ahead // (10 * RAYS))
    costs = {(0, 0): 0}
    for j in range(-RAYS - 1, RAYS + 2):
        for i in range(-RAYS - 1, RAYS + 2):
            cost = _drive_cost(region, body, i * step, j * step, ahead)
            if cost is not None:
                costs[i, j] = cost
    return cost_grid((body.x, body.y), step, ahead, costs) if len(costs) > RAYS else None


def _drive_cost(region: Traceable, body: Body, dx: int, dy: int, ahead: int) -> int | None:
    if not (dx or dy) or (dx * dx + dy * dy) * 100 > ahead * ahead:
        return None
    heading = heading_of(dx, dy)
    end = (body.x + dx, body.y + dy, heading)
    trace = region.trace((end,) if heading == body.heading else ((body.x, body.y, heading), end))
    return None if trace is None else trace.length


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


__all__ = ["Trace", "Traceable", "fan_costs", "fan_outline"]
