"""Importing files of other programs, whatever they are: catalogues become cards, rosters become lists."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from dieselfront.forces.battlescribe.compare import Difference
from dieselfront.forces.battlescribe.first_schema import modernised
from dieselfront.forces.battlescribe.library import Library, check_version
from dieselfront.forces.battlescribe.match import ImportedArmy, game_named, import_roster
from dieselfront.forces.battlescribe.rosters import checked, parse_roster, roster_from_xml
from dieselfront.forces.battlescribe.safe import Node, parse_xml, read_file, unpack
from dieselfront.forces.errors import ForcesError
from dieselfront.forces.families import catalogued, family
from dieselfront.forces.family import CardFamily

T = TypeVar("T", bound=msgspec.Struct)


class ImportedCards(msgspec.Struct):
    """Cards made from catalogues: the file that holds them, the cards themselves, and what went wrong."""

    ruleset: str
    file: msgspec.Struct
    cards: list[Any]
    warnings: list[str]


class Imported(msgspec.Struct):
    """What became of the files: cards if there were catalogues among them, a list for every roster."""

    cards: ImportedCards | None
    armies: list[ImportedArmy]


def import_files(paths: Sequence[Path], ruleset: str | None = None) -> Imported:
    """Read catalogues (all together, as they refer to each other) and rosters (each by itself)."""
    roots: list[Node] = []
    armies: list[ImportedArmy] = []
    for path in paths:
        data = unpack(read_file(path), path.name)
        if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<":
            root = parse_xml(data, path.name)
            check_version(root, path.name)
            if root.tag in ("catalogue", "gameSystem"):
                roots.append(modernised(root))
                continue
            armies.append(import_roster(checked(roster_from_xml(root, path.name), path.name), ruleset))
        else:
            armies.append(import_roster(parse_roster(data, path.name), ruleset))
    return Imported(import_cards(Library(roots), ruleset) if roots else None, armies)


def import_cards(library: Library, ruleset: str | None = None) -> ImportedCards:
    """The units of catalogues as cards of the game they are for."""
    return (family(ruleset) if ruleset else game_of(library)).import_cards(library)


def game_of(library: Library) -> CardFamily[Any, Any]:
    """The game by its name, or else by the kind of tables its files hold."""
    named = game_named(" ".join(root.get("name") for root in library.roots))
    if named is not None:
        return named
    games = catalogued()
    return next((game for game in games if game.recognises(library)), games[0])


def valid(entry: T, kind: type[T]) -> T:
    """The entry, checked as if it had been read from a file."""
    return msgspec.convert(msgspec.to_builtins(entry), kind)


def write_cards(imported: ImportedCards, path: Path) -> None:
    """Write imported cards as a homebrew file."""
    data = msgspec.json.format(msgspec.json.encode(imported.file), indent=1)
    try:
        path.write_bytes(data + b"\n")
    except OSError as error:
        raise ForcesError(f"{path} cannot be written: {error.strerror or error}.") from None


def compare_with_shipped(imported: ImportedCards) -> list[Difference]:
    """Differences between imported cards and the shipped ones of the same game."""
    return family(imported.ruleset).compare(imported.cards)
