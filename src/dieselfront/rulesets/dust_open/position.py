"""What follows from where everybody stands, worked out once for each position of a table.

Units that have not changed hold the same objects (places, figures, effects), in copies of the game too; a position is
known again by them.
"""

from __future__ import annotations

from typing import Any

from dieselfront.rulesets.dust.state import Unit
from dieselfront.table.measured.placement import Crowd
from dieselfront.table.measured.shapes import Body, stamp_of

MOST_POSITIONS = 60
"""Whoever thinks ahead comes back to a few dozen positions in turn."""


class Hulls(list[Body]):
    """Models that block sight; the same list as long as the same models stand there (`OpenTable.hulls`)."""

    __slots__ = ()


class PositionCache:
    """Where everybody stands, and what has been worked out about it; units themselves are not kept."""

    __slots__ = ("_kept", "crowds", "formations", "hulls", "leaders", "reaches")

    def __init__(self, units: list[Unit]) -> None:
        self._kept = (
            [unit.where for unit in units],
            [unit.figures for unit in units],
            [unit.status for unit in units],
            [unit.id for unit in units],
            [unit.effects for unit in units],
        )
        self.crowds: dict[tuple[str, int | None], Crowd] = {}
        """Everybody else's bases, by unit and floor."""
        self.hulls: dict[str, Hulls] = {}
        """What blocks a unit's sight."""
        self.leaders: dict[str, list[Body]] = {}
        """All other leaders with a circle, by unit."""
        self.formations: dict[tuple[Any, ...], tuple[list[Body] | str, Any]] = {}
        """How units would stand round a spot, or why they cannot, among which fortifications."""
        self.reaches: dict[tuple[Any, ...], dict[int, int]] = {}
        """Where units could go, with what it costs."""


class Positions:
    """The positions of a table that came up lately."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[bytes, PositionCache] = {}

    def of(self, units: list[Unit]) -> PositionCache:
        """What is known of where these units stand."""
        stamp = stamp_of(units)
        position = self._known.get(stamp)
        if position is None:
            if len(self._known) >= MOST_POSITIONS:
                self._known.clear()
            position = self._known[stamp] = PositionCache(units)
        return position
