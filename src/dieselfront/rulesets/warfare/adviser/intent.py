"""What a unit means to do: a plan of an activation, the place a move ends at, what an action comes to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dieselfront.rulesets.warfare.adviser.estimates import Point
from dieselfront.rulesets.warfare.adviser.gunnery import NO_SHOOTING, Shooting

if TYPE_CHECKING:
    from dieselfront.table.measured.shapes import Body

Spot = tuple[Point, float]
"""A place and a heading."""


class Plan(NamedTuple):
    """What a unit means to do."""

    value: float
    actions: tuple[str, ...]
    way: Any = None
    """The answer of its move, None to stay."""
    target: str = ""
    words: str = ""
    is_idle: bool = False
    """Is an action declared that nothing comes of: a move to nowhere, an attack on nobody?"""
    shooting: Shooting = NO_SHOOTING
    spot: Any = None
    """Where it is set down when it gets out or comes in."""
    unit: str = ""


class Ended(NamedTuple):
    """Where a move ends: the way, the place, and everybody's body there."""

    way: Any
    spot: Spot
    bodies: Sequence[Body]


class Done(NamedTuple):
    """What an action is worth, and how it attacks if it does."""

    value: float
    shooting: Shooting = NO_SHOOTING
    is_idle: bool = False


IDLE = Done(0.0, is_idle=True)


def words_of(names: Sequence[str]) -> str:
    """A sequence of actions in words."""
    return ", then ".join(names) if names else "nothing"


__all__ = ["IDLE", "Done", "Ended", "Plan", "Spot", "words_of"]
