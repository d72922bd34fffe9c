"""Terrain kinds and walls: what a rulebook's terrain does, as plain data (d47.terrain.*)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
import yaml

SightBlock = Literal["no", "all", "low"]
Opening = Literal["none", "small", "large", "huge"]

MOVER_KINDS: Final[tuple[str, ...]] = (
    "infantry",
    "walker",
    "tracked",
    "half_tracked",
    "wheeled",
    "naval",
    "aircraft",
)
AMPHIBIOUS: Final = "amphibious"
EVERYONE: Final[tuple[str, ...]] = ("infantry", "walker", "tracked", "half_tracked", "wheeled", "naval")


class TableError(ValueError):
    """Something about a table that cannot be; the message is one sentence for the reader."""


class TerrainKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of terrain: what it does to sight, cover and movement."""

    name: str
    sight: SightBlock = "no"
    """Whose sight it blocks: nobody's, everybody's, or only that of low eyes."""
    cover: bool = False
    """Standing in it is cover."""
    object_cover: bool = False
    """It does not block sight, but covers a unit right behind it, if that could also stand in it."""
    passable: tuple[str, ...] = EVERYONE
    """Mover kinds that may pass; `amphibious` stands for every amphibious mover."""
    stoppable: tuple[str, ...] = EVERYONE
    """Mover kinds that may end their movement here."""
    halves: bool = False
    """Mud: movement is limited to the halved budget."""
    road: bool = False
    water: bool = False
    """Naval movers stay on water squares."""
    hazard: bool = False
    """May be entered, but paths avoid it: wire, mines, a burning wreck."""
    hazard_for: tuple[str, ...] = ()
    """Mover kinds it is a hazard for; empty for every ground mover."""
    corner: bool = False
    """Impassable and dotless: its corners stop diagonal steps, of those who cut the corners of other terrain too."""
    height: int = 0
    """In floors. A kind that blocks sight with height 0 blocks it at every height."""
    indoor: bool = False
    """The floor of a building."""
    climb: bool = False
    """Infantry beside it may climb onto its top, which is `height` floors up."""
    symbol: str = "?"
    rules: dict[str, str] = {}
    """Aspect -> rule id, for explanations."""

    @property
    def moves_matter(self) -> bool:
        """Whether it changes anything for movement."""
        everyone = set(EVERYONE)
        free = everyone <= set(self.passable) and everyone <= set(self.stoppable)
        marks = (self.halves, self.road, self.water, self.hazard, self.corner, self.indoor, self.climb)
        return any(marks) or not free


class Wall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wall on the edge between two squares, with or without an opening."""

    kind: Literal["high", "low"] = "high"
    opening: Opening = "none"
    height: int = 1
    name: str = ""
    rules: dict[str, str] = {}

    @property
    def label(self) -> str:
        """What a reader calls it."""
        return self.name or f"{self.kind} wall"

    @property
    def is_solid(self) -> bool:
        """A high wall without any opening: nothing passes, nothing is seen."""
        return self.kind == "high" and self.opening == "none"


class Column(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The places above one square: levels 1..top, and how they are climbed."""

    top: int
    climb: Literal["inside", "outside", "none"] = "inside"


def load_kinds(path: str | Path) -> dict[str, TerrainKind]:
    """The terrain kinds of one YAML file."""
    file = Path(path)
    try:
        data = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise TableError(f"{file}: cannot read the terrain file ({error.strerror}).") from error
    except yaml.YAMLError as error:
        raise TableError(f"{file}: not valid YAML ({' '.join(str(error).split())}).") from error
    return kinds_from(data, where=str(file))


def kinds_from(data: object, where: str = "terrain") -> dict[str, TerrainKind]:
    """Terrain kinds from plain data: a list of entries with `name`, or a mapping from name to entry."""
    kinds: dict[str, TerrainKind] = {}
    for name, entry in _entries(data, where):
        if name in kinds:
            raise TableError(f"{where}: {name}: defined twice; every terrain kind needs its own name.")
        kinds[name] = _kind(name, entry, where)
    return kinds


def _entries(data: object, where: str) -> list[tuple[str, Mapping[str, Any]]]:
    if isinstance(data, Mapping):
        pairs: list[tuple[object, object]] = list(data.items())
    elif isinstance(data, list):
        pairs = [(_name_of(entry, where, number), entry) for number, entry in enumerate(data, start=1)]
    else:
        raise TableError(f"{where}: expected a list of terrain kinds, found {type(data).__name__}.")
    return [_checked_entry(name, entry, where) for name, entry in pairs]


def _name_of(entry: object, where: str, number: int) -> object:
    if isinstance(entry, Mapping) and "name" in entry:
        return entry["name"]
    raise TableError(f"{where}: entry {number}: name: missing; every terrain kind needs one.")


def _checked_entry(name: object, entry: object, where: str) -> tuple[str, Mapping[str, Any]]:
    if not isinstance(name, str) or not name:
        raise TableError(f"{where}: {name!r}: name: expected a text.")
    if entry is None:
        entry = {}
    if not isinstance(entry, Mapping):
        raise TableError(f"{where}: {name}: expected fields, found {type(entry).__name__}.")
    return name, entry


def _kind(name: str, entry: Mapping[str, Any], where: str) -> TerrainKind:
    fields = TerrainKind.__struct_fields__
    for field in entry:
        if field not in fields:
            raise TableError(f"{where}: {name}: {field}: unknown field; expected one of {', '.join(fields)}.")
    for field in fields:
        if field in entry:
            _check_field(name, field, entry[field], where)
    kind = msgspec.convert({**entry, "name": name}, TerrainKind)
    _check_sense(kind, where)
    return kind


def _check_field(name: str, field: str, value: object, where: str) -> None:
    try:
        msgspec.convert({"name": name, field: value}, TerrainKind)
    except msgspec.ValidationError as error:
        message = str(error).split(" - at ")[0]
        raise TableError(f"{where}: {name}: {field}: {message}.") from error


def _check_sense(kind: TerrainKind, where: str) -> None:
    known = (*MOVER_KINDS, AMPHIBIOUS)
    for field in ("passable", "stoppable", "hazard_for"):
        for mover in getattr(kind, field):
            if mover not in known:
                raise TableError(
                    f"{where}: {kind.name}: {field}: unknown mover {mover!r}; expected {', '.join(known)}."
                )
    if kind.height < 0:
        raise TableError(f"{where}: {kind.name}: height: expected 0 or more, found {kind.height}.")
    if kind.climb and kind.height < 1:
        raise TableError(f"{where}: {kind.name}: climb: needs a height of at least 1.")
    if len(kind.symbol) != 1:
        raise TableError(f"{where}: {kind.name}: symbol: expected one character, found {kind.symbol!r}.")
