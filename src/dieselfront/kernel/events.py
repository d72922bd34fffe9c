"""Events: everything that happens, each naming the rule that caused it and able to say itself in a sentence.

Rulesets define their own kinds as small structs; the log, the digest, the browser and `explain` read them all alike.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from dieselfront.dice.die import Die
from dieselfront.dice.throw import Thrown


class Event(msgspec.Struct, frozen=True, tag_field="kind", tag=True):
    """Something that happened by a rule. `says` is its sentence with the fields' names in braces."""

    rule: str

    says: ClassVar[str] = ""

    def sentence(self, names: Any = None) -> str:
        """The event in words; `names` turns ids and places into what people call them."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        if names is not None:
            fields = {name: names(name, value) for name, value in fields.items()}
        return one_of_each(self.says.format_map(fields))


_SEVERAL = re.compile(
    r"(?<![\d.,])1 (dice|hits|HITs|shots|points|soldiers|models|pins|attacks|actions|squares|turns|boxes)\b"
)


def one_of_each(sentence: str) -> str:
    """ "1 dice" is "1 die", "1 hits" is "1 hit"."""
    return _SEVERAL.sub(lambda match: "1 " + SINGULARS.get(match[1], match[1].removesuffix("s")), sentence)


SINGULARS = {"dice": "die", "boxes": "box"}


class NamesDie(Event, frozen=True, kw_only=True):
    """An event of dice that are not the game's usual ones says which they are.

    The usual die is the first of the ruleset's `dice`; it goes without saying, so that logs of games with one kind of
    die have no such field.
    """

    die: str | msgspec.UnsetType = msgspec.UNSET


class DiceFell(NamesDie, frozen=True, tag=True):
    """Dice fell: who rolled, what for, and the faces by name; one stage for every question for dice, in their order.

    Every die of a game stands in exactly one event of this kind, so the log alone proves them all.
    """

    player: int
    label: str
    stages: tuple[tuple[str, tuple[str, ...]], ...]


class Rolled(DiceFell, frozen=True, tag=True):
    """A throw: every stage with its faces, and what they came to."""

    successes: int
    needs: tuple[str, ...]
    unit: str = ""

    says: ClassVar[str] = "{label}: {stages} → {successes}"

    def sentence(self, names: Any = None) -> str:
        named = None if names is None else names("unit", self.unit) if self.unit else names("player", self.player)
        who = f"{named}, " if isinstance(named, str) else ""
        shown = "; ".join((f"{stage}: " if stage != "roll" else "") + " ".join(faces) for stage, faces in self.stages)
        result = f"{self.successes} success" + ("" if self.successes == 1 else "es")
        return f"{who}{self.label} ({' or '.join(self.needs)}): {shown} → {result}"


class Read(DiceFell, frozen=True, tag=True):
    """Dice that are read as they fell: a sum, a line of a table, a check."""

    def sentence(self, names: Any = None) -> str:
        who = f"{names('player', self.player)}, " if names is not None else ""
        return f"{who}{self.label}: {'; '.join(' '.join(faces) for _, faces in self.stages)}"


class GameEnded(Event, frozen=True, tag=True):
    """The game is over."""

    winner: int | None
    reason: str

    says: ClassVar[str] = "The game ends: {reason}"


_encoder = msgspec.json.Encoder(order="deterministic")


def encode(events: list[Event]) -> bytes:
    """Events as canonical JSON, for digests and check values."""
    return _encoder.encode(events)


def facts(event: Event) -> dict[str, Any]:
    """An event as plain data."""
    built: dict[str, Any] = msgspec.to_builtins(event)
    return built


def rolled(
    rule: str, player: int, thrown: Thrown, label: str, die: Die, faces: int, unit: str = "", usual: Die | None = None
) -> Rolled:
    """The event of a throw; the game's usual die is not named."""
    names = die.faces
    stages = tuple([(stage, tuple([names[face] for face in shown])) for stage, shown in thrown.stages])
    named = msgspec.UNSET if usual is None or die is usual else die.name
    return Rolled(rule, player, label, stages, thrown.successes, die.names(faces), unit, die=named)


def die_of(event: NamesDie, dice: Sequence[Die]) -> Die:
    """The die that fell, of those that a game rolls."""
    return next((die for die in dice if die.name == event.die), dice[0])
