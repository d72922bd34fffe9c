"""What an option is about: who acts, on whom, where, with what, at which cost, and by which rule it is refused.

Screens, the terminal, screen readers, computer players and the learning environment read this and never the words of a
label. A decision gives it with `meaning(answer)`; what it leaves out it does not know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

ACTS = {
    "activate": "a unit is chosen to act",
    "attack": "weapons are used against an enemy, from afar",
    "assault": "an enemy is fought hand to hand",
    "move": "a unit changes its place",
    "deploy": "a unit is put on the table for the first time",
    "react": "a unit answers what an enemy does",
    "rally": "a unit recovers: markers are taken off",
    "support": "a friend is helped: orders, healing, repair, supplies",
    "build": "terrain is changed: works, smoke, mines",
    "ride": "a unit gets into or out of a transport",
    "lose": "models or points are chosen to be lost",
    "wait": "a unit holds back for later: ambush, overwatch, reserve",
    "pass": "nothing is done",
    "choose": "anything else: an edge, a side, a way of doing it",
}
"""The kinds of acts, the same words in every game, each with its meaning."""


class About(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one answer means, in words that every game shares."""

    act: str = "choose"
    """One of ACTS."""
    unit: str = ""
    """The id of the unit that acts."""
    targets: tuple[str, ...] = ()
    """The ids of the units that it is done to."""
    places: tuple[Any, ...] = ()
    """Where on the table: names of squares, or (x, y) in millimetres."""
    way: tuple[Any, ...] = ()
    """The way there, in the same terms, where the answer fixes one."""
    facing: Any = None
    """The facing taken up, where the answer fixes one."""
    weapons: tuple[str, ...] = ()
    """The names of the weapons used."""
    skills: tuple[str, ...] = ()
    """The names of special rules that are used."""
    cost: int | None = None
    """What it costs, in the game's own measure (squares, millimetres, points)."""
    careless: bool = False
    """Legal, but rarely meant: nothing where something could be done. Screens do not make it the main choice."""

    def __post_init__(self) -> None:
        if self.act not in ACTS:
            raise ValueError(f"{self.act!r} is no kind of act; expected one of {', '.join(ACTS)}")


NOTHING = About(act="pass", careless=True)
"""The meaning of doing nothing."""


def on_unit(act: str, unit: str = "") -> Callable[[Any], About]:
    """For decisions whose answers are ids of units that something is done to, or None."""
    return lambda target: NOTHING if target is None else About(act, unit, targets=(target,))


def by_unit(act: str) -> Callable[[Any], About]:
    """For decisions whose answers are ids of units that act, or None."""
    return lambda unit: NOTHING if unit is None else About(act, unit)


def at_place(act: str, unit: str, name: Callable[[Any], Any]) -> Callable[[Any], About]:
    """For decisions whose answers are places; `name` gives them as tables show them."""
    return lambda place: NOTHING if place is None else About(act, unit, places=(name(place),))


class Refusal(msgspec.Struct, frozen=True):
    """Why an answer that a player might expect is not legal."""

    rule: str
    reason: str


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """One answer as people see it: its words, what it is about, and why not if it is refused."""

    answer: Any
    label: str
    about: About = About()
    refused: Refusal | None = None


__all__ = ["ACTS", "NOTHING", "About", "Option", "Refusal", "at_place", "by_unit", "on_unit"]
