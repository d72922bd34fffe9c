"""Catalogues: every card of a game, read when first asked for, with the user's own cards on top (homebrew)."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from dieselfront.forces import documents, families
from dieselfront.forces.errors import CardError, ForcesError, SeveralCards, UnknownCard
from dieselfront.forces.skills import slug

if TYPE_CHECKING:
    from dieselfront.forces.family import CardFamily


class Card(Protocol):
    """What every card of every game has."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def ruleset(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def notes(self) -> tuple[str, ...]: ...
    @property
    def source(self) -> str: ...


CardT = TypeVar("CardT", bound=Card)
MOST_LETTERS = 80
"""Letters of a name that are compared."""
VERY_LIKE = 0.82
"""How like a card's name mistyped words must be, from 0 to 1."""
Reading = tuple[dict[str, CardT], list[CardError]]


class Catalogue(Generic[CardT]):
    """Cards by id, in the order of their files; read on first use. `errors` says what homebrew could not be read.

    Cards that another game lends are found by id and not listed.
    """

    def __init__(
        self,
        family: CardFamily[CardT, Any],
        read: Callable[[], Reading[CardT]],
        lent: Callable[[], dict[str, CardT]] = dict,
    ) -> None:
        self.family = family
        self.ruleset = family.ruleset
        self.version = family.data_version
        self._read = read
        self._read_lent = lent
        self._cards: dict[str, CardT] | None = None
        self._lent: dict[str, CardT] | None = None
        self._errors: tuple[CardError, ...] = ()
        self._by_name: dict[str, list[CardT]] | None = None

    @property
    def cards(self) -> dict[str, CardT]:
        if self._cards is None:
            self._cards, errors = self._read()
            self._errors = tuple(errors)
        return self._cards

    @property
    def lent(self) -> dict[str, CardT]:
        """Cards of another game that may be played here by a stated rule."""
        if self._lent is None:
            self._lent = self._read_lent()
        return self._lent

    @property
    def errors(self) -> tuple[CardError, ...]:
        """Faults of homebrew files met while loading; the cards they concern are left out."""
        return self._errors if self.cards else ()

    def __iter__(self) -> Iterator[CardT]:
        return iter(self.cards.values())

    def __len__(self) -> int:
        return len(self.cards)

    def __contains__(self, card_id: object) -> bool:
        return card_id in self.cards or card_id in self.lent

    def __getitem__(self, card_id: str) -> CardT:
        """The card of that id; an unknown id raises `UnknownCard`, which names the nearest ones."""
        card = self.cards.get(card_id) or self.lent.get(card_id)
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
                for key in dict.fromkeys([slug(card.name), slug(self.family.version_of(card) or card.name)]):
                    self._by_name.setdefault(key, []).append(card)
        return self._by_name.get(slug(name), [])

    def called(self, words: str) -> CardT:
        """A card by its id, its name, or words of its name that fit no other; a slip of the fingers is forgiven."""
        if words in self:
            return self[words]
        fitting = self.named(words) or self.find(words) or self._nearly(words)
        if not fitting:
            raise UnknownCard(words[:80], self.ruleset, self.cards)
        if len(fitting) > 1:
            raise SeveralCards(words, [card.id for card in fitting])
        return fitting[0]

    def _nearly(self, words: str) -> list[CardT]:
        """Cards whose name is very like these words."""
        by_name: dict[str, list[CardT]] = {}
        for card in self:
            by_name.setdefault(slug(card.name), []).append(card)
        wanted = slug(words[:MOST_LETTERS])
        close = difflib.get_close_matches(wanted, by_name, n=1, cutoff=VERY_LIKE) if wanted else []
        return by_name[close[0]] if close else []

    def sides(self) -> list[str]:
        """The blocs or nations that have cards, in catalogue order."""
        return list(dict.fromkeys(self.family.side(card) for card in self))

    def factions(self, side: str | None = None) -> list[str]:
        """The factions that cards name, of one side or of all."""
        named = [name for card in self if side in (None, self.family.side(card)) for name in self.family.factions(card)]
        return sorted(dict.fromkeys(named))

    def unknown_rules(self, known_names: Collection[str]) -> dict[str, list[str]]:
        """Rule names on cards that are not among the known ones, each with the ids of the cards that print
        it."""
        known = {name.lower() for name in known_names}
        holders: dict[str, list[str]] = {}
        for card in self:
            for name in dict.fromkeys(ref.name for ref in self.family.rules(card)):
                if name.lower() not in known:
                    holders.setdefault(name, []).append(card.id)
        return dict(sorted(holders.items()))


def catalogue(ruleset: str) -> Catalogue[Any]:
    """The catalogue a game plays with; an unknown game is refused with the nearest."""
    return families.family(ruleset).catalogue


def side_of(card: Card) -> str:
    """The bloc or nation a card belongs to."""
    return families.family(card.ruleset).side(card)


def points_of(card: Card) -> int:
    """The price of the card as it usually comes."""
    return families.family(card.ruleset).points(card)


def forget() -> None:
    """Read everything anew at the next use, after homebrew files have changed."""
    families.forget()


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


def check_file(path: Path) -> tuple[list[Any], list[CardError]]:
    """Read one file of homebrew cards by itself: its cards and everything that is wrong with it."""
    try:
        data = documents.read_document(path)
    except ForcesError as error:
        return [], [CardError(path.name, "", "", str(error))]
    ruleset = data.get("ruleset") if isinstance(data, dict) else None
    if ruleset not in families.names():
        return [], [wrong_ruleset(path.name)]
    return families.family(str(ruleset)).read_home(data, path.name, [path])


def wrong_ruleset(name: str) -> CardError:
    """What is said of a file that names no game we have cards of."""
    return CardError(name, "", "ruleset", f"expected a table with ruleset: one of {', '.join(families.names())}")


__all__ = [
    "Card",
    "CardT",
    "Catalogue",
    "catalogue",
    "check_file",
    "forget",
    "home_files",
    "home_folder",
    "points_of",
    "side_of",
]
