"""What position files of all games share: two sides by any names, and a list or a table of units with short ids."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dieselfront.referee.choices import simple
from dieselfront.referee.document import Entry
from dieselfront.referee.errors import suggestion

COLOURS = ("blue", "red")
LETTERS = "ab"
_ID = re.compile(r"^[\w-]{1,30}$")


def read_sides(
    top: dict[str, Entry], keys: Sequence[str], value: Callable[[str, Entry], Any], more: dict[str, Any] | None = None
) -> list[dict[str, Any]]:
    """Two sides, blue and red unless the file names them."""
    made: list[dict[str, Any]] = [{"name": colour.capitalize(), **(more or {})} for colour in COLOURS]
    if "sides" not in top:
        return made
    entry = top["sides"]
    listed = list(entry.table().items()) if entry.is_table else [("", one) for one in entry.entries()]
    if len(listed) != 2:
        raise entry.wrong(f"expected two sides, not {len(listed)}")
    for place, (key, one) in enumerate(listed):
        if one.is_table:
            made[place] |= {name: value(name, each) for name, each in one.table(keys).items()}
        else:
            made[place]["name"] = one.text()
        made[place]["key"] = key
    return made


def known_word(what: str, word: str, known: Iterable[str], entry: Entry) -> str:
    """The name that was meant, whatever its capitals and dashes; an unknown one is refused with the nearest."""
    names = {simple(name): name for name in known}
    if simple(word) not in names:
        raise entry.wrong(f"there is no {what} '{word}'{suggestion(word, names.values())}")
    return names[simple(word)]


def side_number(sides: Sequence[dict[str, Any]], entry: Entry, also: Sequence[str] = ()) -> int:
    """A side by its colour, letter, number or name, or by what else a game calls it."""
    text = simple(entry.text())
    for place in (0, 1):
        known = {COLOURS[place], LETTERS[place], str(place + 1)}
        known |= {simple(str(sides[place].get(key, ""))) for key in ("name", "key", *also)}
        if text in known - {""}:
            return place
    names = " or ".join(str(one.get("key") or one["name"]) for one in sides)
    raise entry.wrong(f"there is no side '{entry.text()}'; expected {COLOURS[0]}, {COLOURS[1]} or {names}")


def listed_units(top: dict[str, Entry], describe: Callable[[Entry, str, list[int]], Any]) -> list[Any]:
    """Every unit of the file as its game describes it; no id twice."""
    if "units" not in top:
        return []
    entry = top["units"]
    listed = list(entry.table().items()) if entry.is_table else [("", one) for one in entry.entries()]
    counts = [0, 0]
    described: list[Any] = []
    for key, one in listed:
        unit = describe(one, key, counts)
        if any(other.id == unit.id for other in described):
            raise one.wrong(f"a second unit is called '{unit.id}'")
        described.append(unit)
    return described


class DescribedUnit:
    """One unit of a file: its side and id; what else it says is the game's affair."""

    keys: tuple[str, ...] = ()

    def __init__(self, entry: Entry, key: str, counts: list[int], side: Callable[[Entry], int]) -> None:
        self.entry = entry
        self.pairs = entry.table(self.keys)
        for needed in ("card", "side"):
            if needed not in self.pairs and not (needed == "side" and key[:1] in tuple(LETTERS)):
                raise entry.wrong(f"'{needed}' is missing; a unit needs a card, a side and a place")
        self.side = side(self.pairs["side"]) if "side" in self.pairs else LETTERS.index(key[0])
        counts[self.side] += 1
        self.id = self.pairs["id"].text() if "id" in self.pairs else key or f"{LETTERS[self.side]}{counts[self.side]}"
        if not _ID.match(self.id):
            raise self.pairs.get("id", entry).wrong(f"a unit's id is a short word such as a1, not {self.id!r}")

    def has(self, key: str) -> bool:
        """Does the file say this about the unit?"""
        return key in self.pairs


__all__ = ["COLOURS", "LETTERS", "DescribedUnit", "known_word", "listed_units", "read_sides", "side_number"]
