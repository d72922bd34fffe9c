"""Catalogues: every card of a ruleset, read when first asked for, with the user's own cards on top
(homebrew)."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from dieselfront.forces import documents
from dieselfront.forces.dust import DustCard
from dieselfront.forces.dust_files import (
    CardEntry,
    CardFile,
    Fault,
    OptionEntry,
    WeaponEntry,
    read_card,
    slug,
)
from dieselfront.forces.errors import CardError, ForcesError, UnknownCard, nearest
from dieselfront.forces.konflikt import KonfliktCard
from dieselfront.forces.konflikt_files import ProfileEntry, UnitEntry, UnitFile, UnitOptionEntry, read_unit
from dieselfront.forces.skills import SkillRef

Card = DustCard | KonfliktCard
CardT = TypeVar("CardT", bound=DustCard | KonfliktCard)

DUST_FILES = ("allies", "axis", "ssu", "mercenaries", "mythos")
KONFLIKT_FILES = ("germany", "united-states", "great-britain", "soviet-union", "japan", "finland", "italy")
DUST_RULESETS = ("dust1947", "freeform1947", "battlefield", "warfare")
RULESETS = (*DUST_RULESETS, "konflikt47")
DATA_VERSION = "1"
"""Edition of the shipped cards; army lists are stamped with it."""


class Catalogue(Generic[CardT]):
    """Cards by id, in the order of their files; read on first use. `errors` tells what homebrew could not
    be read."""

    def __init__(self, ruleset: str, read: Callable[[], tuple[dict[str, CardT], list[CardError]]]) -> None:
        self.ruleset = ruleset
        self.version = DATA_VERSION
        self._read = read
        self._cards: dict[str, CardT] | None = None
        self._errors: tuple[CardError, ...] = ()
        self._by_name: dict[str, list[CardT]] | None = None

    @property
    def cards(self) -> dict[str, CardT]:
        if self._cards is None:
            self._cards, errors = self._read()
            self._errors = tuple(errors)
        return self._cards

    @property
    def errors(self) -> tuple[CardError, ...]:
        """Faults of homebrew files met while loading; the cards they concern are left out."""
        return self._errors if self.cards else ()

    def __iter__(self) -> Iterator[CardT]:
        return iter(self.cards.values())

    def __len__(self) -> int:
        return len(self.cards)

    def __contains__(self, card_id: object) -> bool:
        return card_id in self.cards

    def __getitem__(self, card_id: str) -> CardT:
        """The card of that id; an unknown id raises `UnknownCard`, which names the nearest ones."""
        card = self.cards.get(card_id)
        if card is None:
            raise UnknownCard(card_id, self.ruleset, self.cards)
        return card

    def find(self, words: str) -> list[CardT]:
        """Cards whose name or id holds all these words, in catalogue order."""
        wanted = words.lower().split()
        return [card for card in self if all(word in f"{card.id} {card.name}".lower() for word in wanted)]

    def named(self, name: str) -> list[CardT]:
        """Cards of that name, or versions of what has that name, whatever the letters' case and signs."""
        if self._by_name is None:
            self._by_name = {}
            for card in self:
                family = card.variant_of if isinstance(card, DustCard) else None
                for key in dict.fromkeys([slug(card.name), slug(family or card.name)]):
                    self._by_name.setdefault(key, []).append(card)
        return self._by_name.get(slug(name), [])

    def sides(self) -> list[str]:
        """The blocs (or nations) that have cards, in catalogue order."""
        return list(dict.fromkeys(side_of(card) for card in self))

    def factions(self, side: str | None = None) -> list[str]:
        """The factions that Dust cards name, of one bloc or of all."""
        found = [
            name for card in self if isinstance(card, DustCard) and side in (None, card.bloc) for name in card.factions
        ]
        return sorted(dict.fromkeys(found))

    def unknown_rules(self, known_names: Collection[str]) -> dict[str, list[str]]:
        """Rule names on cards that are not among the known ones, each with the ids of the cards that print
        it."""
        known = {name.lower() for name in known_names}
        found: dict[str, list[str]] = {}
        for card in self:
            for name in dict.fromkeys(ref.name for ref in all_rules(card)):
                if name.lower() not in known:
                    found.setdefault(name, []).append(card.id)
        return dict(sorted(found.items()))


def side_of(card: Card) -> str:
    """The bloc or nation a card belongs to."""
    return card.bloc if isinstance(card, DustCard) else card.nation


def points_of(card: Card) -> int:
    """The price of the card, for Konflikt '47 that of its usual experience."""
    return card.points if isinstance(card, DustCard) else card.points[card.usual_experience]


def all_rules(card: Card) -> Iterable[SkillRef]:
    """Every special rule a card can bring: its own, its weapons', its options'."""
    yield from card.skills
    for weapon in card.weapons:
        yield from weapon.rules
    if isinstance(card, DustCard):
        for option in card.options:
            yield from option.skills
            for weapon in option.weapons:
                yield from weapon.rules
    else:
        yield from card.model_skills
        for choice in card.options:
            yield from choice.grants


def catalogue(ruleset: str) -> Catalogue[DustCard] | Catalogue[KonfliktCard]:
    """The catalogue a ruleset plays with; the games of the Dust family share one."""
    if ruleset in DUST_RULESETS:
        return dust_catalogue()
    if ruleset == "konflikt47":
        return konflikt_catalogue()
    hint = nearest(ruleset, RULESETS)
    known = f"did you mean {' or '.join(hint)}?" if hint else f"expected one of {', '.join(RULESETS)}."
    raise ForcesError(f"There is no ruleset {ruleset!r}; {known}")


@lru_cache(maxsize=1)
def dust_catalogue() -> Catalogue[DustCard]:
    """All Dust 1947 cards and the user's own; freeform play uses the same."""
    return Catalogue("dust1947", lambda: load_dust(home_files()))


@lru_cache(maxsize=1)
def konflikt_catalogue() -> Catalogue[KonfliktCard]:
    """All Konflikt '47 cards and the user's own."""
    return Catalogue("konflikt47", lambda: load_konflikt(home_files()))


def forget() -> None:
    """Read everything anew at the next use, after homebrew files have changed."""
    dust_catalogue.cache_clear()
    konflikt_catalogue.cache_clear()


def home_folder() -> Path:
    """Where the user's own files live: DIESELFRONT_HOME, or .dieselfront in the home folder."""
    chosen = os.environ.get("DIESELFRONT_HOME")
    return Path(chosen) if chosen else Path.home() / ".dieselfront"


def home_files() -> list[Path]:
    """The user's card files in the order of their names; later ones override earlier ones."""
    folder = home_folder() / "cards"
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in (".json", ".yaml", ".yml"))


def shipped(ruleset: str, name: str) -> bytes:
    return (resources.files("dieselfront.forces") / "data" / ruleset / f"{name}.json").read_bytes()


def load_dust(files: Iterable[Path] = ()) -> tuple[dict[str, DustCard], list[CardError]]:
    """The shipped Dust cards, then those of the given files on top."""
    decoder = msgspec.json.Decoder(CardFile)
    entries: dict[str, tuple[CardEntry, CardFile]] = {}
    cards: dict[str, DustCard] = {}
    for name in DUST_FILES:
        file = decoder.decode(shipped("dust1947", name))
        for entry in file.cards:
            entries[entry.id] = (entry, file)
            cards[entry.id] = read_card(entry, file.ruleset, file.bloc, file.source, file.option_sets, {})
    errors: list[CardError] = []
    for path in files:
        for card in read_home_file(path, entries, {}, {}, errors):
            if isinstance(card, DustCard):
                cards[card.id] = card
    return cards, errors


def load_konflikt(files: Iterable[Path] = ()) -> tuple[dict[str, KonfliktCard], list[CardError]]:
    """The shipped Konflikt '47 cards, then those of the given files on top; a file's profiles count for
    all cards."""
    decoder = msgspec.json.Decoder(UnitFile)
    profiles = {row.name: row for row in decoder.decode(shipped("konflikt47", "weapons")).profiles}
    errors: list[CardError] = []
    paths = list(files)
    for path in paths:
        profiles |= read_home_profiles(path)
    entries: dict[str, tuple[UnitEntry, UnitFile]] = {}
    cards: dict[str, KonfliktCard] = {}
    for name in KONFLIKT_FILES:
        file = decoder.decode(shipped("konflikt47", name))
        for entry in file.cards:
            entries[entry.id] = (entry, file)
            cards[entry.id] = read_unit(entry, file.nation, file.source, profiles, file.option_sets)
    for path in paths:
        for card in read_home_file(path, {}, entries, profiles, errors):
            if isinstance(card, KonfliktCard):
                cards[card.id] = card
    return cards, errors


def check_file(path: Path) -> tuple[list[Card], list[CardError]]:
    """Read one file of homebrew cards by itself: its cards and everything that is wrong with it."""
    decoder = msgspec.json.Decoder(CardFile)
    dust: dict[str, tuple[CardEntry, CardFile]] = {}
    for name in DUST_FILES:
        dust_file = decoder.decode(shipped("dust1947", name))
        dust |= {entry.id: (entry, dust_file) for entry in dust_file.cards}
    unit_decoder = msgspec.json.Decoder(UnitFile)
    profiles = {row.name: row for row in unit_decoder.decode(shipped("konflikt47", "weapons")).profiles}
    units: dict[str, tuple[UnitEntry, UnitFile]] = {}
    for name in KONFLIKT_FILES:
        unit_file = unit_decoder.decode(shipped("konflikt47", name))
        units |= {entry.id: (entry, unit_file) for entry in unit_file.cards}
    errors: list[CardError] = []
    try:
        documents.read_bytes(path)
    except ForcesError as error:
        return [], [CardError(path.name, "", "", str(error))]
    profiles |= read_home_profiles(path)
    return read_home_file(path, dust, units, profiles, errors), errors


def read_home_profiles(path: Path) -> dict[str, ProfileEntry]:
    """The weapon profiles of a homebrew file; faults in them are told when the file itself is read."""
    try:
        data = documents.read_document(path)
        if isinstance(data, dict) and data.get("ruleset") == "konflikt47":
            return {row.name: row for row in msgspec.convert(data.get("profiles", ()), tuple[ProfileEntry, ...])}
    except (ForcesError, msgspec.ValidationError):
        pass
    return {}


def read_home_file(
    path: Path,
    dust: dict[str, tuple[CardEntry, CardFile]],
    units: dict[str, tuple[UnitEntry, UnitFile]],
    profiles: dict[str, ProfileEntry],
    errors: list[CardError],
) -> list[Card]:
    """The cards of a homebrew file that are sound; what is wrong with the others is added to the errors."""
    try:
        data = documents.read_document(path)
    except ForcesError as error:
        errors.append(CardError(path.name, "", "", str(error)))
        return []
    ruleset = data.get("ruleset") if isinstance(data, dict) else None
    if ruleset not in RULESETS:
        expected = ", ".join(RULESETS)
        errors.append(CardError(path.name, "", "ruleset", f"expected a table with ruleset: one of {expected}"))
        return []
    rows = data.get("cards", [])
    if not isinstance(rows, list):
        errors.append(CardError(path.name, "", "cards", "expected a list of cards"))
        return []
    try:
        if ruleset == "konflikt47":
            head: CardFile | UnitFile = msgspec.convert({**data, "cards": []}, UnitFile)
        else:
            head = msgspec.convert({**data, "cards": []}, CardFile)
    except msgspec.ValidationError as error:
        errors.append(CardError(path.name, "", *documents.told(error)))
        return []
    cards: list[Card] = []
    seen: set[str] = set()
    for place, row in enumerate(rows):
        name = str(row.get("id") or f"number {place + 1}") if isinstance(row, dict) else f"number {place + 1}"
        try:
            if not isinstance(row, dict):
                raise Fault("", "expected a table with id, name, kind and so on")
            if name in seen:
                raise Fault("id", f"{name!r} stands twice in this file; ids are used once")
            seen.add(name)
            if isinstance(head, UnitFile):
                cards.append(home_unit(row, head, units, profiles, path.name))
            else:
                cards.append(home_card(row, head, dust, path.name))
        except msgspec.ValidationError as error:
            errors.append(CardError(path.name, name, *documents.told(error)))
        except Fault as fault:
            errors.append(CardError(path.name, name, fault.field, str(fault)))
    return cards


def home_card(
    row: dict[str, Any], file: CardFile, shipped_entries: dict[str, tuple[CardEntry, CardFile]], source: str
) -> DustCard:
    """A homebrew card. With the id of a shipped card it changes that card: fields it leaves out stay as
    they are."""
    known = shipped_entries.get(str(row.get("id")))
    sets: dict[str, tuple[OptionEntry, ...]] = dict(file.option_sets)
    bloc = file.bloc
    if known is not None:
        row = {**msgspec.to_builtins(known[0]), **row}
        sets = {**known[1].option_sets, **sets}
        bloc = known[1].bloc
    entry = msgspec.convert(row, CardEntry)
    weapons: dict[str, WeaponEntry] = {one.name: one for one in file.weapons}
    return read_card(entry, file.ruleset, bloc, file.source or f"homebrew: {source}", sets, weapons)


def home_unit(
    row: dict[str, Any],
    file: UnitFile,
    shipped_entries: dict[str, tuple[UnitEntry, UnitFile]],
    profiles: dict[str, ProfileEntry],
    source: str,
) -> KonfliktCard:
    """A homebrew unit, or the change of a shipped one, as with `home_card`."""
    known = shipped_entries.get(str(row.get("id")))
    sets: dict[str, tuple[UnitOptionEntry, ...]] = dict(file.option_sets)
    nation = file.nation
    if known is not None:
        row = {**msgspec.to_builtins(known[0]), **row}
        sets = {**known[1].option_sets, **sets}
        nation = known[1].nation
    entry = msgspec.convert(row, UnitEntry)
    return read_unit(entry, nation, file.source or f"homebrew: {source}", profiles, sets)
