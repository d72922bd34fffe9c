"""What happens in a game of Dust Warfare, each event naming its rule."""

from __future__ import annotations

from typing import Any, ClassVar

from dieselfront.kernel.events import Event


class TurnBegan(Event, frozen=True, tag=True):
    turn: int

    says: ClassVar[str] = "Turn {turn} begins"


class PhaseBegan(Event, frozen=True, tag=True):
    """A part of the turn begins; `side` is -1 where both sides take part."""

    phase: str
    side: int = -1

    says: ClassVar[str] = "{phase} phase"

    def sentence(self, names: Any = None) -> str:
        who = (names("side", self.side) if names else str(self.side)) if self.side >= 0 else ""
        return f"{self.phase} phase" + (f" of {who}" if who else "")


class Initiative(Event, frozen=True, tag=True):
    """The Command Pools are rolled; fewer HITs go first."""

    side: int
    hits: tuple[int, ...]

    says: ClassVar[str] = "{side} goes first; HITs {hits}"


class Ordered(Event, frozen=True, tag=True):
    unit: str
    order: str
    by: str = ""

    says: ClassVar[str] = "{unit} is ordered: {order}"


class Promoted(Event, frozen=True, tag=True):
    """A unit becomes a temporary Command Section."""

    unit: str
    says: ClassVar[str] = "{unit} becomes a temporary Command Section"


class Activated(Event, frozen=True, tag=True):
    unit: str
    actions: int

    says: ClassVar[str] = "{unit} is activated with {actions} actions"


class Declared(Event, frozen=True, tag=True):
    """The actions of an activation are announced."""

    unit: str
    actions: tuple[str, ...]

    says: ClassVar[str] = "{unit} declares: {actions}"

    def sentence(self, names: Any = None) -> str:
        who = names("unit", self.unit) if names else self.unit
        return f"{who} declares: {', '.join(self.actions) or 'nothing'}"


class LeaderNamed(Event, frozen=True, tag=True):
    """A figure leads the unit, or stands in as leader for one event."""

    unit: str
    man: int
    stand_in: bool = False

    says: ClassVar[str] = "figure {man} of {unit} is named leader"


class Moved(Event, frozen=True, tag=True):
    unit: str
    how: str
    path: tuple[tuple[int, ...], ...]
    spots: tuple[tuple[int, ...], ...]
    heading: int

    says: ClassVar[str] = "{unit} moves ({how})"


class Placed(Event, frozen=True, tag=True):
    unit: str
    how: str
    spots: tuple[tuple[int, ...], ...]
    heading: int
    where: str = ""

    says: ClassVar[str] = "{unit} {how} {where}"


class Reacted(Event, frozen=True, tag=True):
    unit: str
    how: str
    to: str

    says: ClassVar[str] = "{unit} reacts to {to}: {how}"


class Aimed(Event, frozen=True, tag=True):
    """An attack is declared: weapons and targets."""

    unit: str
    kind_of: str
    shots: tuple[tuple[str, str], ...]
    tricks: tuple[str, ...] = ()

    says: ClassVar[str] = "{unit} attacks"

    def sentence(self, names: Any = None) -> str:
        say = names if names else (lambda field, value: value)
        shots = ", ".join(f"{weapon} at {say('target', target)}" for weapon, target in self.shots)
        more = f" ({', '.join(self.tricks)})" if self.tricks else ""
        return f"{say('unit', self.unit)} attacks: {shots}{more}"


class Wasted(Event, frozen=True, tag=True):
    """Shots that found no target any more."""

    unit: str
    target: str
    reason: str

    says: ClassVar[str] = "{unit} finds no target: {reason}"


class Struck(Event, frozen=True, tag=True):
    """What an attack came to against one target: HITs, damage before defence, points of cover, damage suffered."""

    unit: str
    target: str
    hits: int
    damage: int
    cover: int
    suffered: int
    because: tuple[tuple[str, str], ...] = ()

    says: ClassVar[str] = "{target}: {hits} HITs, {damage} damage, cover {cover}, {suffered} suffered"


class Lost(Event, frozen=True, tag=True):
    """Figures are removed as casualties."""

    unit: str
    men: tuple[int, ...]

    says: ClassVar[str] = "{unit} loses {men}"


class Hurt(Event, frozen=True, tag=True):
    """Points of damage stay on a figure; negative points are recovered."""

    unit: str
    man: int
    points: int

    says: ClassVar[str] = "{unit} takes {points} damage"


class Destroyed(Event, frozen=True, tag=True):
    unit: str
    how: str

    says: ClassVar[str] = "{unit} is destroyed ({how})"


class Marked(Event, frozen=True, tag=True):
    """Markers of a kind are put on a unit or taken off; `now` is how many it has."""

    unit: str
    marker: str
    change: int
    now: int

    says: ClassVar[str] = "{unit}: {marker} {change:+d}, now {now}"


class Damaged(Event, frozen=True, tag=True):
    """An effect of a damage table, or its end."""

    unit: str
    effect: str
    gone: bool = False

    says: ClassVar[str] = "{unit}: {effect}"


class Overrun(Event, frozen=True, tag=True):
    unit: str
    target: str

    says: ClassVar[str] = "{unit} overruns {target}"


class Boarded(Event, frozen=True, tag=True):
    unit: str
    carrier: str
    how: str

    says: ClassVar[str] = "{unit} {how} {carrier}"


class Used(Event, frozen=True, tag=True):
    """An ability was used."""

    unit: str
    ability: str

    says: ClassVar[str] = "{unit} uses {ability}"


class Altitude(Event, frozen=True, tag=True):
    unit: str
    altitude: str

    says: ClassVar[str] = "{unit} flies {altitude}"


class Cleared(Event, frozen=True, tag=True):
    """A piece of terrain is gone, or has appeared."""

    unit: str
    piece: str
    appeared: bool = False

    says: ClassVar[str] = "{piece} is changed by {unit}"


class Joined(Event, frozen=True, tag=True):
    unit: str
    to: str

    says: ClassVar[str] = "{unit} joins {to}"


class Scored(Event, frozen=True, tag=True):
    points: tuple[int, ...]
    how: str

    says: ClassVar[str] = "Points: {points[0]} to {points[1]}"


class TurnEnded(Event, frozen=True, tag=True):
    turn: int

    says: ClassVar[str] = "Turn {turn} ends"
