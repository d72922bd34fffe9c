"""The field: where things stand, and what can be measured and seen there, asked the same way of every table.

A game answers in terms of its own ground (squares or millimetres); screens, referee, server and computer players ask
here and know neither. Every answer says what is true, why (each reason with its rule), and where to draw it. Units are
named by id; a place where nobody need stand is wrapped in `At`. Points are the names of squares, or (x, y) in
millimetres.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

import msgspec

if TYPE_CHECKING:
    from dieselfront.kernel.game import Play
    from dieselfront.table.cost_grid import CostGrid

StateT = TypeVar("StateT")

Point = Any
"""The name of a square, or (x, y) in millimetres."""

BLOCKED, COVERED, CLEAR = "blocked", "cover", "clear"
"""What a line of sight is."""

MOST_ARCS = 8
NO_COVER = "none"


class At(NamedTuple):
    """A place instead of a unit: the name of a square, or (x, y) in millimetres."""

    place: Point


End = str | At
"""Who or what a question is about: a unit's id, or a place."""


class NoAnswer(ValueError):
    """A question that makes no sense for this unit or place; one sentence says why. `about` is what was wrong."""

    def __init__(self, message: str, about: str = "") -> None:
        super().__init__(message)
        self.about = about


class UnknownWord(NoAnswer):
    """A question with a word that the game does not have at all, such as a way of moving."""


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """Why something is so, with the rule behind it and where it lies."""

    text: str
    rule: str
    blocks: bool = False
    """Does it hide, or only cover?"""
    code: str = ""
    """What kind of reason it is, in the words of the table."""
    what: str = ""
    """The terrain or unit that is in the way."""
    places: tuple[Point, ...] = ()
    facts: dict[str, Any] = {}


class FieldAnswer(msgspec.Struct, kw_only=True):
    """What every answer carries besides its own facts."""

    rules: list[str] = []
    """The ids of the rules behind it, the most important one first."""
    notes: list[str] = []
    """Further sentences: how it was counted, in the words of the game."""
    facts: dict[str, Any] = {}
    """Further facts that only this kind of ground knows."""
    marks: dict[str, Any] = {}
    """Bodies, shapes and lines for drawings, as the table knows them."""


class SightLine(msgspec.Struct, kw_only=True):
    """One line of sight: from an eye to a model or a square."""

    kind: str
    """`clear`, `cover` or `blocked`."""
    eye: Point
    end: Point
    viewer: Any = ""
    """Which model or square looks."""
    target: Any = ""
    """Which model or square is looked at."""
    label: str = ""
    """What the target of this line is called, where there are several."""
    at: Point = None
    """Where it is blocked, or what covers stands."""
    reasons: list[Reason] = []
    facts: dict[str, Any] = {}


class Sight(FieldAnswer, kw_only=True):
    """What one unit sees of another: whether, in which cover, how far, along which lines."""

    viewer: str
    target: str
    viewer_name: str
    target_name: str
    visible: bool
    cover: str = NO_COVER
    """The grade of cover by its name in this game, `none` in the open."""
    distance: float
    """In the game's own lengths: squares, inches."""
    lines: list[SightLine] = []
    because: list[Reason] = []
    """What decides beyond the lines: weather, works, rules of the unit's own."""

    @property
    def kind(self) -> str:
        """What the whole comes to."""
        return BLOCKED if not self.visible else COVERED if self.cover != NO_COVER else CLEAR

    def best(self) -> SightLine | None:
        """The line to draw: one that is what the whole comes to, with reasons if it needs some."""
        fitting = sorted(self.lines, key=lambda line: (line.kind != self.kind, self._unexplained(line)))
        return fitting[0] if fitting else None

    def _unexplained(self, line: SightLine) -> bool:
        return self.kind != CLEAR and not line.reasons

    def reason(self) -> Reason | None:
        """What decided, in one sentence; None where nothing is in the way."""
        line = self.best()
        if self.kind == CLEAR:
            return None
        weighty = [reason for reason in (line.reasons if line else ()) if reason.blocks == (self.kind == BLOCKED)]
        return next(iter((*weighty, *self.because, *(line.reasons if line else ()))), None)


class Distance(FieldAnswer, kw_only=True):
    """How far apart two ends are, and what that means for each weapon of the first."""

    length: float
    start: Point = None
    end: Point = None
    weapons: list[dict[str, Any]] = []


class Arc(FieldAnswer, kw_only=True):
    """Where one weapon bears: squares, or the corners of an outline; no outline where it bears all round."""

    weapon: str
    name: str
    range: float
    at: Point
    outline: list[Point] = []


class Bearing(FieldAnswer, kw_only=True):
    """Is a target inside the arc of a weapon?"""

    weapon: str
    arc: str
    inside: bool
    facing: str = ""


class Facing(FieldAnswer, kw_only=True):
    """Which side of a unit a shooter hits."""

    side: str
    name: str


class Reach(FieldAnswer, kw_only=True):
    """Where a move can end; with a goal also whether it is reached, by which way, at which cost, or why not."""

    how: str
    budget: float = 0
    may: bool = True
    reached: bool | None = None
    cost: float | None = None
    path: list[Point] = []
    reason: str = ""
    squares: Mapping[str, float] | None = None
    """The squares in reach by name, each with its cost; None on a measured table."""


class TerrainEffect(FieldAnswer, kw_only=True):
    """What a kind of terrain does to a unit, or what lies at a place."""

    kind: str
    text: str
    going: str = ""
    """How the unit crosses it: `slow`, `no`, or empty where it goes as on open ground."""


class Template(FieldAnswer, kw_only=True):
    """Whom a template laid on the table touches: the names of models by unit."""

    shape: str
    touched: dict[str, list[Any]]


class Coherency(FieldAnswer, kw_only=True):
    """Do the models of a unit stand together?"""

    holds: bool
    out: list[Any] = []


class WeaponUse(msgspec.Struct, kw_only=True):
    """Can one weapon be used on a target, and if not, by which rule?"""

    weapon: str
    usable: bool
    rule: str
    reason: str = ""
    facts: dict[str, Any] = {}


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A unit as plans and screens see it: what it is worth, what is left of it, where it is."""

    id: str
    side: int
    name: str
    points: int
    share: float
    """What is left of it, from 0 to 1."""
    where: str
    """`table`, or where else: `reserve`, `aboard`, `gone` and so on."""
    centre: Point = None
    """The middle of the unit on the table (x, y): in squares from the upper left corner, or in millimetres."""

    @property
    def on_table(self) -> bool:
        return self.where == "table"


class Objective(msgspec.Struct, frozen=True, kw_only=True):
    """What is worth holding: its points, who holds it now, and where it lies."""

    name: str
    points: int
    holder: int | None = None
    places: tuple[Point, ...] = ()


class Field(ABC, Generic[StateT]):
    """What a game's ground answers. `Unknown` ends and questions that make no sense raise NoAnswer."""

    @abstractmethod
    def units(self, state: StateT) -> list[Standing]:
        """Every unit of the game, in a fixed order."""

    def objectives(self, state: StateT) -> list[Objective]:
        """What the battle is fought for; nothing, where only losses count."""
        return []

    @abstractmethod
    def distance(self, state: StateT, one: End, other: End) -> Distance:
        """How far apart they are, as the game measures."""

    @abstractmethod
    def sight(self, play: Play, viewer: End, target: End, weapon: str = "") -> Sight:
        """Whether one sees the other, in which cover, and why; a weapon brings its arc."""

    @abstractmethod
    def cover(self, play: Play, viewer: str, target: str, weapon: str = "") -> Sight:
        """The cover of a target, with everything that gives it; a weapon brings the saves."""

    @abstractmethod
    def arcs(self, state: StateT, unit: str) -> list[Arc]:
        """Where each of its weapons bears."""

    @abstractmethod
    def bearing(self, state: StateT, unit: str, target: End, weapon: str = "", facing: Any = None) -> Bearing:
        """Is a target inside the arc of a weapon, if the unit faces that way?"""

    @abstractmethod
    def reach(
        self, play: Play, unit: str, how: str = "", goal: Any = None, facing: Any = None, under_way: Any = None
    ) -> Reach:
        """Where a unit can go by a way of moving (`move`, `run` ...); a goal is a place or a whole way.

        `under_way` is the region, or the spots with their costs, of a move that is being chosen: what is left of it.
        """

    @abstractmethod
    def outline(self, play: Play, unit: str, region: Any = None) -> list[list[Point]]:
        """Rings round the ground in reach: of the region of a decision, else of a plain move."""

    def costs(self, play: Play, unit: str, region: Any = None) -> CostGrid | None:
        """What the way to every spot of that ground costs; None where nothing is measured."""
        return None

    @abstractmethod
    def weapons(self, play: Play, unit: str, target: str, how: str = "") -> list[WeaponUse]:
        """Which weapons can be used on a target, and why the others cannot."""

    @abstractmethod
    def terrain(self, state: StateT, unit: str) -> list[TerrainEffect]:
        """What each kind of terrain on the table does to a unit: movement, sight, cover."""

    @abstractmethod
    def terrain_at(self, state: StateT, place: At) -> TerrainEffect:
        """What lies at a place and who stands there."""

    def is_sheltered(self, state: StateT, unit: str) -> bool:
        """Does the unit stand in terrain that covers, or in a building, whoever looks at it?"""
        raise NoAnswer("this game says nothing about terrain that units stand in")

    def carried(self, state: StateT, unit: str) -> list[str]:
        """The weapons that living models of a unit carry, and what these models are called."""
        raise NoAnswer("this game says nothing about who carries what")

    ways: tuple[str, ...] = ("move",)
    """The ways of moving that `reach` knows, the usual one first."""
    grades: tuple[str, ...] = ("cover",)
    """The grades of cover; one only where a unit is in cover or not."""
    length_mark: str = ""
    """What stands behind a length in sentences."""
    unit_tenths: ClassVar[int] = 254
    """A unit of length on a measured table, in tenths of a millimetre."""
    unit_word: ClassVar[str] = "inches"
    """What facts call such a length."""
    unit_sign: ClassVar[str] = '"'
    """What stands behind its number."""
    goal_is_way: ClassVar[bool] = False
    """Is the goal of a `reach` a whole way, in the words of moves, or only its end?"""

    def region(self, state: StateT, unit: str, how: str) -> Any:
        """Where ways of a unit may lead, as the region of a decision, in games whose goals are ways."""
        raise NoAnswer("moves of this game are described by their ends")

    def facing(self, state: StateT, viewer: End, target: str) -> Facing:
        """Which side of a target a shooter hits."""
        raise NoAnswer("facings do not matter in this game")

    def template(self, play: Play, shape: str, at: Any, start: End | None = None, **details: Any) -> Template:
        """Whom a template touches."""
        raise NoAnswer("this game lays no templates")

    def coherency(self, state: StateT, unit: str) -> Coherency:
        """Do the models of a unit stand together?"""
        raise NoAnswer("units of this game stand in one place")


def few(arcs: Sequence[Arc]) -> list[Arc]:
    """Every arc there is, but only the longest of those that go all round."""
    round_about = sorted((arc for arc in arcs if not arc.outline), key=lambda arc: -arc.range)
    fixed = {(arc.weapon, arc.name): arc for arc in arcs if arc.outline}
    return [*round_about[:1], *fixed.values()][:MOST_ARCS]


def unique(items: Any) -> list[Any]:
    """Each item once, in order."""
    return list(dict.fromkeys(items))


__all__ = [
    "Arc",
    "At",
    "Bearing",
    "Coherency",
    "Distance",
    "End",
    "Facing",
    "Field",
    "FieldAnswer",
    "NoAnswer",
    "Objective",
    "Reach",
    "Reason",
    "Sight",
    "SightLine",
    "Standing",
    "Template",
    "TerrainEffect",
    "WeaponUse",
    "few",
    "unique",
]
