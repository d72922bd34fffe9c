"""What happens in a game of Konflikt '47, each event naming its rule."""

from __future__ import annotations

from typing import Any, ClassVar

from dieselfront.kernel.events import DiceFell, Event


class TurnBegan(Event, frozen=True, tag=True):
    """A turn begins; the cup holds so many dice of each side."""

    turn: int
    cup: tuple[int, ...]

    says: ClassVar[str] = "Turn {turn} begins; the cup holds {cup[0]} blue and {cup[1]} red dice"


class TurnEnded(Event, frozen=True, tag=True):
    """The turn end phase is over."""

    turn: int

    says: ClassVar[str] = "Turn {turn} ends"


class DieDrawn(DiceFell, frozen=True, tag=True):
    """An order die came out of a cup with so many dice of each side; no stage where only one side had dice in it."""

    side: int
    cup: tuple[int, ...]

    says: ClassVar[str] = "An order die of {side} is drawn"

    @property
    def left(self) -> tuple[int, ...]:
        """What the cup holds now."""
        return tuple(dice - (side == self.side) for side, dice in enumerate(self.cup))


class Ordered(Event, frozen=True, tag=True):
    """A unit has an order die with this face."""

    unit: str
    order: str
    target: str = ""

    says: ClassVar[str] = "{unit} is ordered: {order} {target}"

    def sentence(self, names: Any = None) -> str:
        who = names("unit", self.unit) if names else self.unit
        at = (names("target", self.target) if names else self.target) if self.target else ""
        return f"{who} is ordered: {self.order}" + (f" against {at}" if at else "")


class DieTurned(Event, frozen=True, tag=True):
    """An order die was turned to another face, or taken out of sequence."""

    unit: str
    order: str

    says: ClassVar[str] = "{unit}: the order die shows {order}"


class DieReturned(Event, frozen=True, tag=True):
    """A unit's order die goes back into the cup."""

    unit: str

    says: ClassVar[str] = "{unit}: the order die goes back into the cup"


class OrderKept(Event, frozen=True, tag=True):
    """A unit keeps its order into the next turn."""

    unit: str
    order: str

    says: ClassVar[str] = "{unit} keeps {order}"


class Counted(DiceFell, frozen=True, tag=True):
    """Dice thrown for a number."""

    notation: str
    total: int
    unit: str = ""

    @property
    def faces(self) -> tuple[int, ...]:
        """What the dice show."""
        return tuple(int(face) for _, faces in self.stages for face in faces)

    def sentence(self, names: Any = None) -> str:
        shown = "; ".join((f"{stage}: " if stage != "roll" else "") + " ".join(faces) for stage, faces in self.stages)
        return f"{self.label} ({self.notation}): {shown} → {self.total}"


class Tested(DiceFell, frozen=True, tag=True):
    """2D6 against morale, with every modifier and its rule."""

    unit: str
    needed: int
    passed: bool
    because: tuple[tuple[str, str], ...] = ()

    @property
    def faces(self) -> tuple[int, ...]:
        """What the two dice show."""
        return tuple(int(face) for face in self.stages[0][1])

    def sentence(self, names: Any = None) -> str:
        who = names("unit", self.unit) if names else self.unit
        one, other = self.faces
        verdict = "passed" if self.passed else "failed"
        return f"{who}, {self.label}: {one + other} ({one}+{other}) against {self.needed}, {verdict}"


class Automatic(Event, frozen=True, tag=True):
    """A test that a rule passes without dice."""

    unit: str
    what: str

    says: ClassVar[str] = "{unit} passes its {what} without a roll"


class Fubar(Event, frozen=True, tag=True):
    """A double six: the order went wrong."""

    unit: str
    result: str

    says: ClassVar[str] = "{unit}: FUBAR, {result}"


class Pinned(Event, frozen=True, tag=True):
    """A unit takes pins."""

    unit: str
    pins: int
    total: int

    says: ClassVar[str] = "{unit} takes {pins} pin(s), now {total}"


class Unpinned(Event, frozen=True, tag=True):
    """A unit loses pins."""

    unit: str
    pins: int
    total: int

    says: ClassVar[str] = "{unit} loses {pins} pin(s), now {total}"


class Moved(Event, frozen=True, tag=True):
    """A unit moved: where its first model (or hull) went, and where every model stands now."""

    unit: str
    how: str
    path: tuple[tuple[int, ...], ...]
    spots: tuple[tuple[int, int], ...]
    heading: int = 0

    says: ClassVar[str] = "{unit} moves ({how})"


class Placed(Event, frozen=True, tag=True):
    """A unit is set up, arrives, mounts or dismounts."""

    unit: str
    how: str
    spots: tuple[tuple[int, int], ...]
    heading: int = 0
    where: str = ""

    says: ClassVar[str] = "{unit} {how} {where}"

    def sentence(self, names: Any = None) -> str:
        who = names("unit", self.unit) if names else self.unit
        place = (names("where", self.where) if names else self.where) if self.where else ""
        return " ".join(word for word in (who, self.how, JOINED_BY.get(self.how, "") if place else "", place) if word)


JOINED_BY = {
    "starts mounted": "on",
    "changes floors": "in",
    "dismounts": "from",
    "bails out": "of",
    "is limbered": "to",
}
"""The small word between what a unit does and the place or vehicle that is named after it, where there is one."""


class Declared(Event, frozen=True, tag=True):
    """A unit declares its targets: weapon, target and shell for each."""

    unit: str
    shots: tuple[tuple[str, str, str], ...]

    says: ClassVar[str] = "{unit} opens fire: {shots}"

    def sentence(self, names: Any = None) -> str:
        def name(key: str, value: str) -> str:
            return str(names(key, value)) if names else value

        shots = "; ".join(
            f"{weapon} at {name('target', at)}" + (f" ({how})" if how else "") for weapon, at, how in self.shots
        )
        return f"{name('unit', self.unit)} opens fire: {shots}"


class NoShot(Event, frozen=True, tag=True):
    """Shots that cannot be made or are lost, with the reason."""

    unit: str
    target: str
    reason: str

    says: ClassVar[str] = "{unit}: no shot at {target}, {reason}"


class Hit(Event, frozen=True, tag=True):
    """What the dice to hit need, with every modifier and its rule."""

    unit: str
    target: str
    weapon: str
    dice: int
    needed: int
    because: tuple[tuple[str, str], ...] = ()

    says: ClassVar[str] = "{unit} shoots at {target} with {weapon}: {dice} shots needing {needed}+"


class Casualties(Event, frozen=True, tag=True):
    """Models removed from a unit."""

    unit: str
    models: tuple[int, ...]
    left: int

    says: ClassVar[str] = "{unit} loses {models}, {left} left"

    def sentence(self, names: Any = None) -> str:
        who = names("unit", self.unit) if names else self.unit
        lost = len(self.models)
        return f"{who} loses {lost} model{'' if lost == 1 else 's'}, {self.left} left"


class Destroyed(Event, frozen=True, tag=True):
    """A unit is destroyed."""

    unit: str
    reason: str

    says: ClassVar[str] = "{unit} is destroyed: {reason}"


class Damaged(Event, frozen=True, tag=True):
    """A damaging hit on a vehicle: its grade."""

    unit: str
    total: int
    value: int
    grade: str
    facing: str = ""

    says: ClassVar[str] = "{unit} is damaged: {total} against {value}, {grade} {facing}"


class DamageResult(Event, frozen=True, tag=True):
    """A result of the damage table."""

    unit: str
    roll: int
    result: str

    says: ClassVar[str] = "{unit}: damage result {roll}, {result}"


class Shrugged(Event, frozen=True, tag=True):
    """Damage that a rule ignored."""

    unit: str
    count: int

    says: ClassVar[str] = "{unit} ignores {count} damage"


class Reacted(Event, frozen=True, tag=True):
    """A unit reacts, or its test for the reaction failed."""

    unit: str
    reaction: str
    to: str

    says: ClassVar[str] = "{unit} reacts to {to}: {reaction}"


class Ambushed(Event, frozen=True, tag=True):
    """A unit on Ambush springs it."""

    unit: str
    target: str

    says: ClassVar[str] = "{unit} springs its ambush on {target}"


class Assaulted(Event, frozen=True, tag=True):
    """An assault is declared, reaches its target, or falls short."""

    unit: str
    target: str
    how: str

    says: ClassVar[str] = "{unit} assaults {target}: {how}"


class FightRound(Event, frozen=True, tag=True):
    """A round of close quarters: casualties suffered by each, and who won."""

    assaulter: str
    target: str
    losses: tuple[int, int]
    winner: str

    says: ClassVar[str] = "Close quarters of {assaulter} and {target}: losses {losses}, winner {winner}"


class Gained(Event, frozen=True, tag=True):
    """A unit gains or loses a rule or state."""

    unit: str
    what: str

    says: ClassVar[str] = "{unit}: {what}"


class TerrainChanged(Event, frozen=True, tag=True):
    """A wreck, a ruin, smoke or a cleared field changes the table."""

    piece: str
    what: str

    says: ClassVar[str] = "{piece}: {what}"


class Scored(Event, frozen=True, tag=True):
    """Victory points at the end."""

    points: tuple[int, ...]
    reason: str

    says: ClassVar[str] = "Victory points {points}: {reason}"

    def sentence(self, names: Any = None) -> str:
        return f"Victory points: {self.points[0]} to {self.points[1]}, {SCORED_FOR.get(self.reason, self.reason)}"


SCORED_FOR = {
    "destruction": "for enemy units destroyed",
    "objectives": "for objectives held",
    "both": "for objectives held and enemy units destroyed",
    "breakthrough": "for units broken through and enemy units destroyed",
}
"""What a scenario's way to win gives points for."""
