"""Importing files of other programs, whatever they are: catalogues become cards, rosters become lists."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from dieselfront.forces.battlescribe.compare import Difference, compare_dust, compare_konflikt
from dieselfront.forces.battlescribe.dust import read_dust
from dieselfront.forces.battlescribe.konflikt import read_konflikt
from dieselfront.forces.battlescribe.library import Library, check_version
from dieselfront.forces.battlescribe.match import ImportedArmy, import_roster
from dieselfront.forces.battlescribe.rosters import checked, parse_roster, roster_from_xml
from dieselfront.forces.battlescribe.safe import Node, parse_xml, read_file, unpack
from dieselfront.forces.catalogue import Card, load_dust, load_konflikt
from dieselfront.forces.dust import DustCard
from dieselfront.forces.dust_files import CardEntry, CardFile, Fault, read_card
from dieselfront.forces.errors import ForcesError
from dieselfront.forces.konflikt import KonfliktCard
from dieselfront.forces.konflikt_files import ProfileEntry, UnitEntry, UnitFile, read_unit

T = TypeVar("T", bound=msgspec.Struct)


class ImportedCards(msgspec.Struct):
    """Cards made from catalogues: the file that holds them, the cards themselves, and what went wrong."""

    file: CardFile | UnitFile
    cards: list[Card]
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
                roots.append(root)
                continue
            armies.append(import_roster(checked(roster_from_xml(root, path.name), path.name), ruleset))
        else:
            armies.append(import_roster(parse_roster(data, path.name), ruleset))
    return Imported(import_cards(Library(roots)) if roots else None, armies)


def import_cards(library: Library) -> ImportedCards:
    """The units of catalogues as cards of the game they are for."""
    if is_konflikt(library):
        return konflikt_cards(library)
    return dust_cards(library)


def is_konflikt(library: Library) -> bool:
    """The game by its name, or else by the kind of tables its files hold."""
    names = " ".join(root.get("name") for root in library.roots).lower()
    if "konflikt" in names or "dust" in names:
        return "konflikt" in names
    return any(one in library.type_names.values() for one in ("Troop Quality", "Vehicle Quality"))


def dust_cards(library: Library) -> ImportedCards:
    read = read_dust(library)
    entries: list[CardEntry] = []
    cards: list[Card] = []
    for bloc, rows in read.cards.items():
        for entry in rows:
            try:
                cards.append(read_card(valid(entry, CardEntry), "dust1947", bloc, "imported", {}, {}))
                entries.append(entry)
            except (Fault, msgspec.ValidationError) as fault:
                read.warnings.append(f"{bloc}: {entry.name} is left out: {fault}.")
    return ImportedCards(CardFile("dust1947", tuple(entries), source="imported"), cards, read.warnings)


def konflikt_cards(library: Library) -> ImportedCards:
    read = read_konflikt(library)
    entries: list[UnitEntry] = []
    cards: list[Card] = []
    for nation, rows in read.cards.items():
        for entry in rows:
            try:
                cards.append(read_unit(valid(entry, UnitEntry), nation, "imported", read.profiles, {}))
                entries.append(entry)
            except (Fault, msgspec.ValidationError) as fault:
                read.warnings.append(f"{nation}: {entry.name} is left out: {fault}.")
    profiles = tuple(valid(one, ProfileEntry) for one in read.profiles.values())
    file = UnitFile("konflikt47", source="imported", profiles=profiles, cards=tuple(entries))
    return ImportedCards(file, cards, read.warnings)


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
    dust = [card for card in imported.cards if isinstance(card, DustCard)]
    if dust or isinstance(imported.file, CardFile):
        blocs = {card.bloc for card in dust}
        shipped = {key: card for key, card in load_dust()[0].items() if card.bloc in blocs}
        return compare_dust(dust, shipped)
    units = [card for card in imported.cards if isinstance(card, KonfliktCard)]
    nations = {card.nation for card in units}
    ours = {key: card for key, card in load_konflikt()[0].items() if card.nation in nations}
    return compare_konflikt(units, ours)
