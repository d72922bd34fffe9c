"""The Dust family of cards: what the games with Dust's printed cards share."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from dieselfront.forces.armies import Army, ArmyUnit
from dieselfront.forces.card_face import CardFace
from dieselfront.forces.dust import DustCard
from dieselfront.forces.dust_check import check_dust
from dieselfront.forces.dust_face import dust_face
from dieselfront.forces.dust_files import CardEntry, CardFile, read_card
from dieselfront.forces.dust_units import DustUnit, dust_option, dust_points, fielded_card
from dieselfront.forces.errors import Fault
from dieselfront.forces.family import CardFamily
from dieselfront.forces.findings import Findings
from dieselfront.forces.skills import SkillRef, slug
from dieselfront.forces.suggestion import Suggestion

if TYPE_CHECKING:
    from dieselfront.forces.battlescribe.compare import Difference
    from dieselfront.forces.battlescribe.importing import ImportedCards
    from dieselfront.forces.battlescribe.library import Library
    from dieselfront.forces.battlescribe.rosters import Choice
    from dieselfront.forces.sheet import Sheet

CATEGORY_WORDS = {
    "hero": "Heroes",
    "infantry": "Infantry",
    "support": "Support Weapon",
    "vehicle": "Vehicle",
    "aircraft": "Aircraft",
    "fortification": "Fortification",
}


class DustFamily(CardFamily[DustCard, DustUnit]):
    """Cards with armour S, V or A, soldiers or a damage track, and dice against every class of armour."""

    file_type = CardFile
    entry_type = CardEntry
    shipped_names: tuple[str, ...] = ("allies", "axis", "ssu", "mercenaries", "mythos")
    edition = 2016
    usual_points = 50
    price_word = "AP"
    side_word = "bloc"
    side_field = "bloc"
    roster_words: tuple[str, ...] = ("dust 1947", "dust")
    rule_chapters: ClassVar[tuple[str, ...]] = (
        *("skill", "weapon", "hero", "command", "fort", "setup", "move", "terrain"),
    )
    also_played: ClassVar[tuple[str, ...]] = (
        *("Ace Gunner", "Combat Medic", "Crazy Jimmy", "Head Shot", "Mechanic Crew", "Possessed", "Quick Recovery"),
        *("Radar", "Stealth"),
    )

    @property
    def legend(self) -> tuple[str, ...]:  # type: ignore[override]
        from dieselfront.forces.dust_sheet import LEGEND  # the sheet builds on this family's units

        return LEGEND

    # -- files ------------------------------------------------------------------------------------------------

    def make(self, entry: CardEntry, file: CardFile, source: str, shelf: Any) -> DustCard:
        weapons = {one.name: one for one in file.weapons}
        return read_card(entry, file.ruleset, file.bloc, source, file.option_sets, weapons)

    # -- what a card says -------------------------------------------------------------------------------------

    def side(self, card: DustCard) -> str:
        return card.bloc

    def points(self, card: DustCard) -> int:
        return card.points

    def prices(self, card: DustCard) -> set[int]:
        return {card.points} if card.captured_ap is None else {card.points, card.captured_ap}

    def rules(self, card: DustCard) -> Iterable[SkillRef]:
        yield from card.skills
        for weapon in card.weapons:
            yield from weapon.rules
        for option in card.options:
            yield from option.skills
            for weapon in option.weapons:
                yield from weapon.rules

    def is_mercenary(self, card: DustCard) -> bool:
        return card.is_mercenary

    def face(self, card: DustCard) -> CardFace:
        return msgspec.structs.replace(dust_face(card), origin=self.origin(card))

    def filters(self, card: DustCard) -> dict[str, Any]:
        return {
            **super().filters(card),
            "armour": card.armour_class,
            "move": card.move,
            "march": card.march,
            "models": card.models,
            "damage": card.damage,
            "unique": card.unique,
            "size": card.size,
            "locomotion": card.locomotion,
        }

    # -- armies -----------------------------------------------------------------------------------------------

    def muster_unit(self, army: Army, place: int, label: str, unit: ArmyUnit) -> DustUnit:
        card = self.catalogue[unit.card]
        options = tuple(dust_option(card, name) for name in unit.options)
        return DustUnit(place, label, unit, card, dust_points(card, unit, options), options)

    def check(self, army: Army, units: tuple[DustUnit, ...], findings: Findings) -> None:
        check_dust(self.catalogue, army, units, findings)

    def suggest(self, army: Army, units: tuple[DustUnit, ...], left: int) -> list[Suggestion]:
        from dieselfront.forces.dust_suggest import dust_needs  # asks for whole checks

        return dust_needs(self.catalogue, army, units, left)

    def draw_army(self, points: int, dice: random.Random, side: str | None, faction: str | None) -> Army | None:
        from dieselfront.forces.dust_random import random_dust  # asks for whole checks

        return random_dust(self, points, dice, side, faction)

    def category(self, one: DustUnit) -> str:
        card = one.dust
        word = CATEGORY_WORDS[card.kind]
        return f"{word} {card.armour}" if card.kind in ("infantry", "vehicle", "aircraft") else word

    def choices(self, one: DustUnit) -> list[str]:
        from dieselfront.forces.army_text import counted  # the text form builds on families

        chosen = [counted(option.name, one.unit.options[option.id]) for option in one.options]
        return [*chosen, "Captured"] if one.unit.captured else chosen

    def draw(self, sheet: Sheet, one: DustUnit, titles: dict[str, str]) -> None:
        from dieselfront.forces.dust_sheet import draw_dust  # printing needs a package of its own

        draw_dust(sheet, one, fielded_card(one), titles)

    # -- files of other programs --------------------------------------------------------------------------------

    def import_cards(self, library: Library) -> ImportedCards:
        from dieselfront.forces.battlescribe.dust import read_dust
        from dieselfront.forces.battlescribe.importing import ImportedCards, valid

        read = read_dust(library)
        entries: list[CardEntry] = []
        cards: list[Any] = []
        for bloc, rows in read.cards.items():
            for row in rows:
                entry = self.renamed(row, bloc)
                try:
                    cards.append(read_card(valid(entry, CardEntry), self.ruleset, bloc, "imported", {}, {}))
                    entries.append(entry)
                except (Fault, msgspec.ValidationError) as fault:
                    read.warnings.append(f"{bloc}: {entry.name} is left out: {fault}.")
        file = CardFile(self.ruleset, tuple(entries), source="imported")
        return ImportedCards(self.ruleset, file, cards, read.warnings)

    def renamed(self, entry: CardEntry, bloc: str) -> CardEntry:
        """An imported unit under the name that this game's cards have."""
        return entry

    def compare(self, imported: Sequence[DustCard]) -> list[Difference]:
        from dieselfront.forces.battlescribe.compare import compared
        from dieselfront.forces.battlescribe.dust_compare import dust_differences

        blocs = {card.bloc for card in imported}
        shipped = {key: card for key, card in self.load()[0].items() if card.bloc in blocs}
        return compared(imported, shipped, dust_differences)

    def roster_unit(self, choice: Choice, card: DustCard, captured: bool, warnings: list[str]) -> ArmyUnit:
        from dieselfront.forces.battlescribe.match import check_price, names_below

        below = names_below(choice)
        captured = captured or "captured" in below
        options = {option.id: 1 for option in card.options if slug(option.name) in below}
        unit = ArmyUnit(card.id, options=options, captured=captured and card.captured_ap is not None)
        chosen = tuple(option for option in card.options if option.id in options)
        check_price(choice, card, dust_points(card, unit, chosen), warnings)
        return unit
