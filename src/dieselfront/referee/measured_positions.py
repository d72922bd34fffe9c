"""What position files of measured tables share: lengths, and pieces of terrain in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from dieselfront.kernel.ruleset import Ruleset
from dieselfront.referee import measured_words as words
from dieselfront.referee.choices import simple
from dieselfront.referee.document import Entry
from dieselfront.referee.errors import suggestion
from dieselfront.referee.measured_words import NotUnderstood

T = TypeVar("T")

LENGTHS = {"inches": "in", "inch": "in", "in": "in", "cm": "cm", "centimetres": "cm", "mm": "mm", "millimetres": "mm"}
_LEN = r"[-\d./ ]+(?:inches|inch|in|cm|mm|feet|ft|[\"”″]|centimetres|millimetres)?"
_TWO = rf"{_LEN}\s*(?:,|x|by)\s*{_LEN}"
PIECE = re.compile(
    rf"^\s*(?P<kind>[\w-]+)(?P<name>\s+.+?)?\s+(?P<how>at|from)\s+(?P<where>{_TWO}(?:\s+to\s+{_TWO})*?)"
    rf"(?:[\s,]+size\s+(?P<size>{_TWO}?))?(?:[\s,]+radius\s+(?P<radius>{_LEN}?))?"
    rf"(?:[\s,]+width\s+(?P<width>{_LEN}?))?(?:[\s,]+height\s+(?P<height>{_LEN}?))?"
    r"(?:[\s,]+(?:with\s+)?(?P<floors>\d+)\s+floors?)?\s*$",
    re.IGNORECASE,
)
""" "woods at 5in, 10in size 9in x 7in", "hedge from 10in, 33in to 20in, 33in", "building inn at 27in, 18in ..."."""


def understood(entry: Entry, read: Callable[[], T]) -> T:
    """Words of the measured table, with the line where they stand if nobody understands them."""
    try:
        return read()
    except NotUnderstood as error:
        raise entry.wrong(str(error)) from None


def length_unit(top: dict[str, Entry], rules: Ruleset[Any] | None = None) -> str:
    """What bare numbers of a file mean: the lengths of the game unless `lengths` says otherwise."""
    if "lengths" not in top:
        usual = rules.lengths if rules is not None else "in"
        return usual if usual in LENGTHS.values() else "in"
    unit = LENGTHS.get(top["lengths"].text().strip().lower())
    if unit is None:
        raise top["lengths"].wrong("expected inches, cm or mm")
    return unit


class Lengths:
    """Places and lengths of a file, in the unit it uses; inches come out."""

    def __init__(self, unit: str) -> None:
        self.unit = unit

    def spot(self, entry: Entry) -> tuple[int, int]:
        """A place in whole millimetres."""
        return understood(entry, lambda: words.spot(entry.plain(), self.unit))

    def pair(self, entry: Entry) -> tuple[float, float]:
        """Two lengths in inches."""
        return self.pair_in(entry, entry.plain())

    def pair_in(self, entry: Entry, text: Any) -> tuple[float, float]:
        """Two lengths that stand inside a longer text."""
        x, y = understood(entry, lambda: words.pair(text, self.unit))
        return x / 254, y / 254

    def inches(self, entry: Entry) -> float:
        """One length in inches."""
        return self.inches_in(entry, entry.plain())

    def inches_in(self, entry: Entry, text: Any) -> float:
        """One length that stands inside a longer text."""
        return understood(entry, lambda: words.length(text, self.unit)) / 254


class Pieces:
    """Pieces of terrain of a file as scenario files write them: plain tables in inches, heights in millimetres."""

    keys = ("kind", "id", "name", "at", "size", "points", "line", "width", "radius", "height", "floors", "traits")

    def __init__(self, lengths: Lengths, kinds: Collection[str], traits: Collection[str] = ()) -> None:
        self.lengths = lengths
        self.kinds = kinds
        self.traits = traits

    def read(self, entry: Entry, number: int) -> dict[str, Any]:
        """One piece; without a name it is called after its kind and its number."""
        piece = self._from_keys(entry) if entry.is_table else self._in_words(entry)
        piece["id"] = piece.get("id") or f"{piece['kind']} {number}"
        return piece

    def _kind(self, entry: Entry, word: str) -> str:
        kind = simple(word).replace(" ", "-")
        if kind not in self.kinds:
            raise entry.wrong(f"there is no terrain '{word}'{suggestion(kind, self.kinds)}")
        return kind

    def _from_keys(self, entry: Entry) -> dict[str, Any]:
        """A table with the keys of scenario files; lengths may carry their unit."""
        pairs = entry.table(self.keys)
        if "kind" not in pairs:
            raise entry.wrong(f"'kind' is missing{suggestion('', self.kinds)}")
        piece: dict[str, Any] = {"kind": self._kind(pairs["kind"], pairs["kind"].text())}
        name = pairs.get("id") or pairs.get("name")
        if name is not None:
            piece["id"] = name.text()
        for key in ("at", "size"):
            if key in pairs:
                piece[key] = self.lengths.pair(pairs[key])
        for key in ("points", "line"):
            if key in pairs:
                piece[key] = [self.lengths.pair(one) for one in pairs[key].entries()]
        for key in ("width", "radius"):
            if key in pairs:
                piece[key] = self.lengths.inches(pairs[key])
        if "height" in pairs:
            piece["height"] = round(self.lengths.inches(pairs["height"]) * 25.4)
        if "floors" in pairs:
            piece["floors"] = pairs["floors"].number(1, 9)
        if "traits" in pairs:
            piece["traits"] = [self._trait(pairs["traits"], word) for word in pairs["traits"].words()]
        return piece

    def _trait(self, entry: Entry, word: str) -> str:
        trait = simple(word).replace(" ", "-")
        if trait not in self.traits:
            raise entry.wrong(f"there is no trait '{word}'{suggestion(trait, self.traits)}")
        return trait

    def _in_words(self, entry: Entry) -> dict[str, Any]:
        """ "woods at 5in, 10in size 9in x 7in", "hedge from 10in, 33in to 20in, 33in", "woods at 5, 5 radius 4"."""
        match = PIECE.match(entry.text())
        if match is None:
            area = next(iter(self.kinds), "woods")
            raise entry.wrong(
                f"{entry.text()!r} is no terrain; expected for instance '{area} at 5in, 10in size 9in x 7in' "
                "or 'hedge from 10in, 33in to 20in, 33in'"
            )
        piece: dict[str, Any] = {"kind": self._kind(entry, match["kind"]), "id": (match["name"] or "").strip()}
        where = [part for part in re.split(r"\s+to\s+", match["where"].strip()) if part]
        spots = [self.lengths.pair_in(entry, part) for part in where]
        piece |= {"line": spots} if match["how"].lower() == "from" else {"at": spots[0]}
        if match["size"]:
            piece["size"] = self.lengths.pair_in(entry, match["size"])
        for key in ("radius", "width"):
            if match[key]:
                piece[key] = self.lengths.inches_in(entry, match[key])
        if match["height"]:
            piece["height"] = round(self.lengths.inches_in(entry, match["height"]) * 25.4)
        if match["floors"]:
            piece["floors"] = int(match["floors"])
        return piece


__all__ = ["LENGTHS", "PIECE", "Lengths", "Pieces", "length_unit", "understood"]
