"""Where an answer would lead: the way there, how long it is, and the models at its end; for ghosts on a screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from dieselfront.table.measured.movement import ahead_of
from dieselfront.table.measured.shapes import Body


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


def fan(body: Body, ahead: int, widest: int = 90, step: int = 10) -> Iterator[tuple[tuple[int, int, int], ...]]:
    """Ways of a vehicle that turns once and goes straight on, near and far, close enough together to be drawn as one
    area; also straight back. The answers of regions of drives look like this."""
    for turn in range(-widest, widest + 1, step):
        turned = body.at(body.x, body.y, body.heading + turn)
        for quarter in (1, 2, 3, 4):
            there = ahead_of(turned, ahead * quarter // 4)
            end = (there.x, there.y, turned.heading)
            yield (end,) if not turn else ((body.x, body.y, turned.heading), end)
    for half in (1, 2):
        there = ahead_of(body, -ahead * half // 4)
        yield ((there.x, there.y, body.heading),)


def fan_ends(region: Traceable, body: Body, ahead: int) -> list[Body]:
    """The hulls at the ends of all those ways that a region allows, and where the vehicle stands."""
    traces = (region.trace(answer) for answer in fan(body, ahead))
    return [body, *(trace.bodies[0] for trace in traces if trace is not None)]


__all__ = ["Trace", "Traceable", "fan", "fan_ends"]
