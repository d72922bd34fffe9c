"""A card family: everything that this house asks of the cards of a game, in one place.

A game's folder holds a module `card_family.py` with `FAMILY`, made from a class that inherits `CardFamily`. What is
abstract here a family owes; what has a body it may leave alone. Screens, terminal, server, army lists, printed sheets
and imports ask the family and know no game.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

import msgspec

from dieselfront.forces import documents, families
from dieselfront.forces.armies import Army, ArmyUnit
from dieselfront.forces.catalogue import CardT, Catalogue, Reading, home_files, wrong_ruleset
from dieselfront.forces.errors import CardError, Fault, ForcesError, nearest
from dieselfront.forces.findings import Findings
from dieselfront.forces.known import KnownRules
from dieselfront.forces.muster import Mustered
from dieselfront.forces.skills import SkillRef, slug
from dieselfront.forces.suggestion import Suggestion
from dieselfront.rulebook.load import folders, head

if TYPE_CHECKING:
    from dieselfront.forces.battlescribe.compare import Difference
    from dieselfront.forces.battlescribe.importing import ImportedCards
    from dieselfront.forces.battlescribe.library import Library
    from dieselfront.forces.battlescribe.rosters import Choice
    from dieselfront.forces.card_face import CardFace
    from dieselfront.forces.sheet import Sheet

UnitT = TypeVar("UnitT", bound=Mustered)
SideField = Literal["bloc", "nation"]
MOST_DRAWN = 60
"""Units of a list drawn at random."""


class CardFamily(ABC, Generic[CardT, UnitT]):
    """The cards of one game: their files, what they say, and the armies made of them."""

    file_type: ClassVar[type[msgspec.Struct]]
    """The format of a card file: `ruleset`, `cards`, `source`, and what all cards of the file share."""
    entry_type: ClassVar[type[msgspec.Struct]]
    """A card as written in such a file."""
    shipped_names: tuple[str, ...] = ()
    """The shipped card files in the order of the catalogue; all of the folder if none is named."""
    data_version: ClassVar[str] = "1"
    """Edition of the shipped cards; army lists are stamped with it."""
    edition: int = 0
    """The year of the cards: where several games hold an id, the newest is meant."""
    usual_points: int = 100
    """What an army of a usual battle costs."""
    price_word: ClassVar[str] = "points"
    side_word: ClassVar[str] = "side"
    """What a side is called: bloc, nation."""
    side_field: ClassVar[SideField] = "bloc"
    """The field of army lists that names it."""
    levels: ClassVar[tuple[str, ...]] = ()
    """The experiences that units of this game may be bought at, none where there is no such thing."""
    roster_words: tuple[str, ...] = ()
    """Words by which files of other programs name this game, the surest first."""
    rule_chapters: ClassVar[tuple[str, ...]] = ("skill", "weapon")
    """The chapters of the rulebook that explain what cards print."""
    rule_aliases: ClassVar[Mapping[str, str]] = {}
    """Rules that cards and rulebook call by different names."""
    also_played: ClassVar[tuple[str, ...]] = ()
    """Rules on cards that are played though the rulebook has no entry under their name."""
    legend: tuple[str, ...] = ()
    """What stands at the foot of a printed sheet."""

    def __init__(self, ruleset: str, *, home: str | None = None) -> None:
        self.ruleset = ruleset
        self.home = home or ruleset
        """The game whose catalogue this one plays with, itself as a rule."""

    # -- files ------------------------------------------------------------------------------------------------

    @abstractmethod
    def make(self, entry: Any, file: Any, source: str, shelf: Any) -> CardT:
        """The card of an entry, with what its file and the shelf give; raises `Fault` for values that cannot be."""

    def shelf(self, paths: Sequence[Path]) -> Any:
        """What cards of several files share, such as weapon profiles; nothing as a rule."""
        return None

    def under(self, file: Any, known: Any) -> Any:
        """The head of a homebrew file for a card that changes a shipped one: what its own file shared stays."""
        sets = {**known.option_sets, **file.option_sets}
        side = {self.side_field: getattr(known, self.side_field)}
        return msgspec.structs.replace(file, option_sets=sets, **side)

    def lent(self) -> dict[str, CardT]:
        """Cards of another game that may be played here by a stated rule, by id."""
        return {}

    @property
    def game_name(self) -> str:
        """What people call the game."""
        return head(self.ruleset).name

    @property
    def folder(self) -> Path:
        """Where the shipped card files are."""
        return folders()[self.home] / "cards"

    @property
    def catalogue(self) -> Catalogue[CardT]:
        """Every card of the game, and the user's own."""
        return self._catalogue if self.home == self.ruleset else families.family(self.home).catalogue

    @cached_property
    def _catalogue(self) -> Catalogue[CardT]:
        return Catalogue(self, lambda: self.load(home_files()), self.lent)

    @cached_property
    def known_rules(self) -> KnownRules:
        """Which special rules the rulebook explains."""
        return KnownRules(self.home, self.rule_chapters, self.rule_aliases, self.also_played)

    def forget(self) -> None:
        """Read everything anew at the next use."""
        self.__dict__.pop("_catalogue", None)

    def shipped_files(self) -> list[Any]:
        """The shipped card files, read."""
        decoder = msgspec.json.Decoder(self.file_type)
        names = self.shipped_names or sorted(path.stem for path in self.folder.glob("*.json"))
        return [decoder.decode((self.folder / f"{name}.json").read_bytes()) for name in names]

    def load(self, paths: Sequence[Path] = ()) -> Reading[CardT]:
        """The shipped cards, then those of the given files on top."""
        shelf = self.shelf(paths)
        cards: dict[str, CardT] = {}
        known: dict[str, tuple[Any, Any]] = {}
        for file in self.shipped_files():
            for entry in file.cards:
                known[entry.id] = (entry, file)
                cards[entry.id] = self.make(entry, file, file.source, shelf)
        errors: list[CardError] = []
        for path in paths:
            own, faults = self.read_path(path, known, shelf)
            cards |= {card.id: card for card in own}
            errors += faults
        return cards, errors

    def read_path(
        self, path: Path, known: dict[str, tuple[Any, Any]], shelf: Any
    ) -> tuple[list[CardT], list[CardError]]:
        """The cards of a homebrew file, none if it is for another game."""
        try:
            data = documents.read_document(path)
        except ForcesError as error:
            return [], [CardError(path.name, "", "", str(error))]
        ruleset = data.get("ruleset") if isinstance(data, dict) else None
        if ruleset not in families.names():
            return [], [wrong_ruleset(path.name)]
        if families.family(str(ruleset)).home != self.home:
            return [], []
        return self.read_rows(data, path.name, known, shelf)

    def read_home(
        self, data: dict[str, Any], name: str, paths: Sequence[Path] = ()
    ) -> tuple[list[CardT], list[CardError]]:
        """The cards of a homebrew document that are sound, and everything that is wrong with the others."""
        known = {entry.id: (entry, file) for file in self.shipped_files() for entry in file.cards}
        return self.read_rows(data, name, known, self.shelf(paths))

    def read_rows(
        self, data: dict[str, Any], name: str, known: dict[str, tuple[Any, Any]], shelf: Any
    ) -> tuple[list[CardT], list[CardError]]:
        rows = data.get("cards", [])
        if not isinstance(rows, list):
            return [], [CardError(name, "", "cards", "expected a list of cards")]
        try:
            file = msgspec.convert({**data, "cards": []}, self.file_type)
        except msgspec.ValidationError as error:
            return [], [CardError(name, "", *documents.place_and_message(error))]
        cards: list[CardT] = []
        errors: list[CardError] = []
        seen: set[str] = set()
        for place, row in enumerate(rows):
            title = str(row.get("id") or f"number {place + 1}") if isinstance(row, dict) else f"number {place + 1}"
            try:
                if not isinstance(row, dict):
                    raise Fault("", "expected a table with id, name, kind and so on")
                if title in seen:
                    raise Fault("id", f"{title!r} stands twice in this file; ids are used once")
                seen.add(title)
                cards.append(self.home_card(row, file, known.get(str(row.get("id"))), name, shelf))
            except msgspec.ValidationError as error:
                errors.append(CardError(name, title, *documents.place_and_message(error)))
            except Fault as fault:
                errors.append(CardError(name, title, fault.field, str(fault)))
        return cards, errors

    def home_card(self, row: dict[str, Any], file: Any, known: tuple[Any, Any] | None, name: str, shelf: Any) -> CardT:
        """A homebrew card; with the id of a shipped card it changes that card, and fields left out stay as they are."""
        if known is not None:
            row = {**msgspec.to_builtins(known[0]), **row}
            file = self.under(file, known[1])
        entry = msgspec.convert(row, self.entry_type)
        return self.make(entry, file, file.source or f"homebrew: {name}", shelf)

    # -- what a card says -------------------------------------------------------------------------------------

    @abstractmethod
    def side(self, card: CardT) -> str:
        """The bloc or nation a card belongs to."""

    @abstractmethod
    def points(self, card: CardT) -> int:
        """The price of the card as it usually comes."""

    def rules(self, card: CardT) -> Iterable[SkillRef]:
        """Every special rule a card can bring: its own, its weapons', its options'."""
        yield from self.skills(card)
        for weapon in getattr(card, "weapons", ()):
            yield from getattr(weapon, "rules", ())

    @abstractmethod
    def face(self, card: CardT) -> CardFace:
        """The card as it is shown, with the numbers that play uses."""

    def skills(self, card: CardT) -> tuple[SkillRef, ...]:
        """The special rules of the unit itself."""
        return tuple(getattr(card, "skills", ()))

    def weapon_names(self, card: CardT) -> list[str]:
        """The names of what the unit can carry, each once."""
        return list(dict.fromkeys(weapon.name for weapon in getattr(card, "weapons", ())))

    def prices(self, card: CardT) -> set[int]:
        """Everything that the card may cost, options aside."""
        return {self.points(card)}

    def version_of(self, card: CardT) -> str | None:
        """What this card is a version of, if it is one of several."""
        return getattr(card, "variant_of", None)

    def factions(self, card: CardT) -> tuple[str, ...]:
        return tuple(getattr(card, "factions", ()))

    def is_mercenary(self, card: CardT) -> bool:
        """Whether every side may take the card."""
        return False

    def origin(self, card: CardT) -> str:
        """Where the numbers come from if nobody printed them; shown wherever the card is."""
        return ""

    def unknown_rules(self, card: CardT) -> tuple[str, ...]:
        """The names of a card's special rules that the rulebook does not explain; they have no effect."""
        names = dict.fromkeys(ref.name for ref in self.rules(card))
        return tuple(name for name in names if not self.known_rules.explains(name))

    def row(self, card: CardT) -> dict[str, Any]:
        """A card in short, for lists: what people filter and sort by."""
        head = {"id": card.id, "name": card.name, "ruleset": card.ruleset, "points": self.points(card)}
        return {**head, "side": self.side(card), "kind": card.kind, "unknown_rules": self.unknown_rules(card)}

    def filters(self, card: CardT) -> dict[str, Any]:
        """More of the short form, for browsers: skills, weapons, and whatever else this family's lists show."""
        return {
            "skills": [str(ref) for ref in self.skills(card)],
            "weapons": self.weapon_names(card),
            "factions": self.factions(card),
            "any_side": self.is_mercenary(card),
            "rulesets": families.sharing(self.ruleset),
        }

    def document(self, card: CardT) -> dict[str, Any]:
        """The whole card as plain data: its own fields and its face."""
        plain: dict[str, Any] = msgspec.to_builtins(card)
        return {
            **plain,
            "side": self.side(card),
            "origin": self.origin(card),
            "unknown_rules": self.unknown_rules(card),
            "skill_names": [str(ref) for ref in self.skills(card)],
            "face": msgspec.to_builtins(self.face(card)),
        }

    # -- armies -----------------------------------------------------------------------------------------------

    def muster_unit(self, army: Army, place: int, label: str, unit: ArmyUnit) -> UnitT:
        """A unit of a list with its card and price; raises `ForcesError` for a card or option unknown."""
        card = self.catalogue[unit.card]
        points = self.points(card)
        for name, count in unit.options.items():
            points += count * int(self.option(card, name).points)
        return Mustered(place, label, unit, card, points)  # type: ignore[return-value]

    def option(self, card: CardT, option_id: str) -> Any:
        """An option of a card; an unknown one is refused with the nearest."""
        options = {option.id: option for option in getattr(card, "options", ())}
        if option_id in options:
            return options[option_id]
        hint = nearest(option_id, options)
        wanted = f"; did you mean {' or '.join(hint)}?" if hint else "."
        raise ForcesError(f"{card.name} has no option {option_id!r}{wanted}")

    def check(self, army: Army, units: tuple[UnitT, ...], findings: Findings) -> None:
        """All rules of building a force of this game; where it has none, the limit agreed."""
        total = sum(one.points for one in units)
        if total > army.points:
            findings.error(f"The list costs {total} {self.price_word}; the limit is {army.points}.")

    def draw_army(self, points: int, dice: random.Random, side: str | None, faction: str | None) -> Army | None:
        """A list drawn at random, perhaps not legal; None if nothing fits."""
        of = self.checked_side(side) or dice.choice(self.catalogue.sides())
        units: list[ArmyUnit] = []
        left = points
        while len(units) < MOST_DRAWN:
            fitting = [card for card in self.catalogue if self.side(card) == of and 0 < self.points(card) <= left]
            if not fitting:
                break
            card = dice.choice(fitting)
            units.append(ArmyUnit(card.id))
            left -= self.points(card)
        return self.army(f"{of} {points}", points, tuple(units), of, one_of("faction", faction, ()))

    def suggest(self, army: Army, units: tuple[UnitT, ...], left: int) -> list[Suggestion]:
        """What the list lacks, the musts before the shoulds."""
        return []

    def category(self, one: UnitT) -> str:
        """The heading that a unit stands under in lists like BattleScribe's."""
        return str(one.card.kind).capitalize()

    def choices(self, one: UnitT) -> list[str]:
        """What was chosen for a unit, in words; lines for single models begin with a dot."""
        return []

    def army(self, name: str, points: int, units: tuple[ArmyUnit, ...], side: str | None, faction: str | None) -> Army:
        """A list of this game."""
        of = {self.side_field: side}
        return Army(self.ruleset, name, points, units, faction=faction, **of)  # type: ignore[arg-type]

    def checked_side(self, name: str | None) -> str | None:
        """A side by its name, letters' case aside; an unknown one is refused with the nearest."""
        return one_of(self.side_word, name, self.catalogue.sides())

    # -- printing -----------------------------------------------------------------------------------------------

    def draw(self, sheet: Sheet, one: UnitT, titles: dict[str, str]) -> None:
        """Draw a unit's card on a sheet."""
        from dieselfront.forces.sheet import draw_face  # printing needs a package of its own

        draw_face(sheet, one, self.face(one.card), titles)

    # -- files of other programs --------------------------------------------------------------------------------

    def import_cards(self, library: Library) -> ImportedCards:
        """The units of BattleScribe catalogues as cards of this family."""
        raise ForcesError(f"Catalogues of {self.ruleset} cannot be imported; rosters can.")

    def recognises(self, library: Library) -> bool:
        """Whether catalogues that name no game look like this one's."""
        return False

    def compare(self, imported: Sequence[CardT]) -> list[Difference]:
        """Differences between imported cards and the shipped ones."""
        raise ForcesError(f"Cards of {self.ruleset} cannot be compared; nothing imports them.")

    def roster_unit(self, choice: Choice, card: CardT, captured: bool, warnings: list[str]) -> ArmyUnit:
        """A unit of a roster as one of ours, with what was chosen for it."""
        from dieselfront.forces.battlescribe.match import check_price, names_below  # they build on families

        below = names_below(choice)
        chosen = [option for option in getattr(card, "options", ()) if slug(option.name) in below]
        check_price(choice, card, self.points(card) + sum(int(option.points) for option in chosen), warnings)
        return ArmyUnit(card.id, options={option.id: 1 for option in chosen})


def one_of(word: str, name: str | None, known: Sequence[str]) -> str | None:
    """The name if it is known (letters' case aside); an unknown one is refused with the nearest."""
    if name is None:
        return None
    for one in known:
        if one.lower() == name.lower():
            return one
    hint = nearest(name, known)
    wanted = f"did you mean {' or '.join(hint)}?" if hint else f"expected one of {', '.join(known)}."
    raise ForcesError(f"There is no {word} {name!r}; {wanted}")


__all__ = ["CardFamily", "UnitT", "one_of"]
