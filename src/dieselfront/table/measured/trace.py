"""Where an answer would lead: the way there, how long it is, and the models at its end; for ghosts on a screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

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


__all__ = ["Trace", "Traceable"]
