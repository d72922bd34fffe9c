"""Facings as people say them, the same everywhere: a point of the compass (north, N, NE) or degrees from north.

On squares a unit looks north, east, south or west; on measured tables any whole degree will do.
"""

from __future__ import annotations

from typing import Any

from dieselfront.referee.measured_words import COMPASS, NotUnderstood, heading

QUARTERS = ("north", "east", "south", "west")


def degrees(wanted: Any) -> int:
    """Whole degrees clockwise from north."""
    return heading(wanted)


def quarter(wanted: Any) -> int:
    """One of four facings, 0 to 3; those numbers themselves are read as records hold them."""
    if isinstance(wanted, int) and not isinstance(wanted, bool) and 0 <= wanted < len(QUARTERS):
        return wanted
    try:
        turned = heading(wanted)
    except NotUnderstood:
        raise NotUnderstood(f"nobody can face {wanted!r}; expected north, east, south or west") from None
    if turned % 90:
        raise NotUnderstood(f"on squares nobody can face {wanted}; expected north, east, south or west")
    return turned // 90


def facing(table: str, wanted: Any) -> int:
    """A facing as a game on this kind of table holds it."""
    return quarter(wanted) if table == "squares" else degrees(wanted)


__all__ = ["COMPASS", "QUARTERS", "degrees", "facing", "quarter"]
