"""Bases and hulls: how big a model is, by the kind of its unit (ff.move.measure_point, ff.range.target_point)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
import yaml

from dieselfront.forces import DustCard
from dieselfront.forces.catalogue import home_folder
from dieselfront.table.measured.shapes import Shape, hull, round_base

HOME_FILE = "{}-sizes.yaml"


class Size(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a model stands on: a round base or a hull, and how high it is."""

    height: int
    base: int = 0
    hull: tuple[int, int] = (0, 0)

    def shape(self) -> Shape:
        return round_base(self.base, self.height) if self.base else hull(*self.hull, self.height)


class Entry(Size, frozen=True):
    """A line of the table of sizes: what it says about cards must fit."""

    kind: str = ""
    armour_type: str = ""
    armour: tuple[int, ...] = ()
    locomotion: str = ""
    size: str = ""

    def fits(self, card: DustCard) -> bool:
        wanted = (self.kind, self.armour_type, self.locomotion, self.size)
        has = (card.kind, card.armour_type, card.locomotion, card.size)
        plain = all(not want or want == own for want, own in zip(wanted, has, strict=True))
        return plain and (not self.armour or card.armour in self.armour)


@cache
def entries() -> tuple[Entry, ...]:
    """The table of sizes."""
    text = files("dieselfront.rulesets.dust_open").joinpath("sizes.yaml").read_text("utf-8")
    return msgspec.convert(yaml.safe_load(text), tuple[Entry, ...])


def size_of(card: DustCard) -> Entry:
    """The entry that counts for a card."""
    return next(entry for entry in entries() if entry.fits(card))


class SizeError(ValueError):
    """A file of sizes that cannot be read; the message says what and where."""


def home_sizes(ruleset: str) -> dict[str, Any]:
    """The user's own sizes by card, from a file such as freeform1947-sizes.yaml in the home folder."""
    name = HOME_FILE.format(ruleset)
    path = home_folder() / name
    if not path.is_file():
        return {}
    try:
        sizes = msgspec.convert(yaml.safe_load(path.read_text("utf-8")) or {}, dict[str, Size])
    except (msgspec.ValidationError, yaml.YAMLError, UnicodeDecodeError) as error:
        raise SizeError(f"{name}: {error}; expected cards with base or hull, and height.") from None
    for id, size in sizes.items():
        if not size.base and not all(size.hull):
            raise SizeError(f"{name}: {id} has neither a base nor a hull.")
    return {id: msgspec.to_builtins(size) for id, size in sizes.items()}


def shapes_of(cards: Mapping[str, DustCard], own: Mapping[str, Any]) -> dict[str, Shape]:
    """The shape of every card's models; `own` names cards whose models are of another size."""
    shapes = {}
    for id, card in cards.items():
        own_size = own.get(id) or own.get(id.partition("+")[0])
        shapes[id] = (msgspec.convert(own_size, Size) if own_size else size_of(card)).shape()
    return shapes
