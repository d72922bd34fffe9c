"""What position files of measured tables share: lengths, and pieces of terrain in words."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from dieselfront.referee.document import Entry
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


def length_unit(top: dict[str, Entry], rules: Any = None) -> str:
    """What bare numbers of a file mean: the lengths of the game unless `lengths` says otherwise."""
    if "lengths" not in top:
        usual = str(getattr(rules, "lengths", "in"))
        return usual if usual in LENGTHS.values() else "in"
    unit = LENGTHS.get(top["lengths"].text().strip().lower())
    if unit is None:
        raise top["lengths"].wrong("expected inches, cm or mm")
    return unit


__all__ = ["LENGTHS", "PIECE", "length_unit", "understood"]
