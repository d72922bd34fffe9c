"""The Konflikt '47 family of cards: units priced by experience, with their weapons and a player's choices."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from dieselfront.forces import documents
from dieselfront.forces.armies import Army, ArmyUnit
from dieselfront.forces.card_face import CardFace
from dieselfront.forces.errors import Fault, ForcesError
from dieselfront.forces.family import CardFamily
from dieselfront.forces.findings import Findings
from dieselfront.forces.skills import SkillRef
from dieselfront.forces.suggestion import Suggestion
from dieselfront.rulesets.konflikt47.army.card_files import ProfileEntry, UnitEntry, UnitFile, read_unit
from dieselfront.rulesets.konflikt47.army.cards import EXPERIENCES, KonfliktCard, build
from dieselfront.rulesets.konflikt47.army.platoons import check_konflikt
from dieselfront.rulesets.konflikt47.army.units import KonfliktUnit

if TYPE_CHECKING:
    from dieselfront.forces.battlescribe.compare import Difference
    from dieselfront.forces.battlescribe.importing import ImportedCards
    from dieselfront.forces.battlescribe.library import Library
    from dieselfront.forces.battlescribe.rosters import Choice
    from dieselfront.forces.sheet import Sheet

Profiles = Mapping[str, ProfileEntry]


class KonfliktFamily(CardFamily[KonfliktCard, KonfliktUnit]):
    """Cards of seven nations; a file's weapon profiles count for all cards."""

    file_type = UnitFile
    entry_type = UnitEntry
    shipped_names = ("germany", "united-states", "great-britain", "soviet-union", "japan", "finland", "italy")
    edition = 2016
    usual_points = 500
    price_word = "pts"
    side_word = "nation"
    side_field = "nation"
    levels = EXPERIENCES
    roster_words = ("konflikt",)
    rule_chapters = ("special", "wrule", "vehicle", "weapon", "officer", "he", "cq", "cqw", "nation", "shoot")
    rule_aliases: ClassVar[Mapping[str, str]] = {
        "Infrared (IR) Vision": "IR vision",
        "Gyro-Stabilised": "gyro stabiliser",
        "Schuerzen Armoured Skirts": "armoured skirts",
        "Rally to the Colors!": "rally colours",
        "Turret Rear-Mounted Machine Gun": "rear turret MG",
        "Dual Weapon System": "dual weapon pack",
    }

    # -- files ------------------------------------------------------------------------------------------------

    def shelf(self, paths: Sequence[Path]) -> Profiles:
        """The shipped weapon profiles, and those of the given files on top."""
        file = msgspec.json.decode((self.folder / "weapons.json").read_bytes(), type=UnitFile)
        profiles = {row.name: row for row in file.profiles}
        for path in paths:
            profiles |= self.home_profiles(path)
        return profiles

    def home_profiles(self, path: Path) -> dict[str, ProfileEntry]:
        """The weapon profiles of a homebrew file; faults in them are told when the file itself is read."""
        try:
            data = documents.read_document(path)
            if isinstance(data, dict) and data.get("ruleset") == self.ruleset:
                return {row.name: row for row in msgspec.convert(data.get("profiles", ()), tuple[ProfileEntry, ...])}
        except (ForcesError, msgspec.ValidationError):
            pass
        return {}

    def make(self, entry: UnitEntry, file: UnitFile, source: str, shelf: Profiles) -> KonfliktCard:
        return read_unit(entry, file.nation, source, shelf, file.option_sets)

    # -- what a card says -------------------------------------------------------------------------------------

    def side(self, card: KonfliktCard) -> str:
        return card.nation

    def points(self, card: KonfliktCard) -> int:
        return card.points[card.usual_experience]

    def filters(self, card: KonfliktCard) -> dict[str, Any]:
        hull = card.vehicles[0] if card.vehicles else None
        return {
            **super().filters(card),
            "armour": hull.vehicle_class if hull else "",
            "locomotion": hull.mode if hull else "",
            "models": card.models_max,
            "carried": list(dict.fromkeys(weapon.name for weapon in card.weapons if weapon.default)),
        }

    def prices(self, card: KonfliktCard) -> set[int]:
        return set(card.points.values())

    def rules(self, card: KonfliktCard) -> Iterable[SkillRef]:
        yield from card.skills
        for weapon in card.weapons:
            yield from weapon.rules
        yield from card.model_skills
        for choice in card.options:
            yield from choice.grants

    def face(self, card: KonfliktCard) -> CardFace:
        from dieselfront.rulesets.konflikt47.army.face import konflikt_face  # needs the charts

        return konflikt_face(card)

    # -- armies -----------------------------------------------------------------------------------------------

    def muster_unit(self, army: Army, place: int, label: str, unit: ArmyUnit) -> KonfliktUnit:
        card = self.catalogue[unit.card]
        bought = build(card, unit.experience or card.usual_experience, unit.models, unit.options)
        return KonfliktUnit(place, label, unit, card, bought.points, build=bought)

    def check(self, army: Army, units: tuple[KonfliktUnit, ...], findings: Findings) -> None:
        check_konflikt(army, units, findings)

    def suggest(self, army: Army, units: tuple[KonfliktUnit, ...], left: int) -> list[Suggestion]:
        from dieselfront.rulesets.konflikt47.army.advice import konflikt_needs

        return konflikt_needs(army, units, left)

    def draw_army(self, points: int, dice: random.Random, side: str | None, faction: str | None) -> Army | None:
        from dieselfront.rulesets.konflikt47.army.draw import random_konflikt

        return random_konflikt(points, dice, side)

    def category(self, one: KonfliktUnit) -> str:
        return one.konflikt.category or one.konflikt.kind.capitalize()

    def choices(self, one: KonfliktUnit) -> list[str]:
        """Experience and options; what single models carry, and their number, on lines of their own."""
        from dieselfront.forces.army_text import counted  # the text form builds on families

        card = one.konflikt
        chosen = [(one.unit.experience or card.usual_experience).capitalize()]
        carried: dict[str, list[str]] = {}
        for option_id, count in one.unit.options.items():
            option = card.option(option_id)
            words = carried.setdefault(option.for_model, []) if option.for_model else chosen
            words.append(counted(option.name, count))
        lines = [f". {carrier}: {', '.join(words)}" for carrier, words in carried.items()]
        lines += [f". {one.unit.models}x models"] if one.unit.models is not None else []
        return [*chosen, *lines]

    def draw(self, sheet: Sheet, one: KonfliktUnit, titles: dict[str, str]) -> None:
        from dieselfront.rulesets.konflikt47.army.sheet import draw_konflikt

        draw_konflikt(sheet, one, one.konflikt)

    # -- files of other programs --------------------------------------------------------------------------------

    def import_cards(self, library: Library) -> ImportedCards:
        from dieselfront.forces.battlescribe.importing import ImportedCards, valid
        from dieselfront.rulesets.konflikt47.army.battlescribe import read_konflikt

        read = read_konflikt(library)
        entries: list[UnitEntry] = []
        cards: list[Any] = []
        for nation, rows in read.cards.items():
            for entry in rows:
                try:
                    cards.append(read_unit(valid(entry, UnitEntry), nation, "imported", read.profiles, {}))
                    entries.append(entry)
                except (Fault, msgspec.ValidationError) as fault:
                    read.warnings.append(f"{nation}: {entry.name} is left out: {fault}.")
        profiles = tuple(valid(one, ProfileEntry) for one in read.profiles.values())
        file = UnitFile("konflikt47", source="imported", profiles=profiles, cards=tuple(entries))
        return ImportedCards(self.ruleset, file, cards, read.warnings)

    def recognises(self, library: Library) -> bool:
        return any(one in library.type_names.values() for one in ("Troop Quality", "Vehicle Quality"))

    def compare(self, imported: Sequence[KonfliktCard]) -> list[Difference]:
        from dieselfront.forces.battlescribe.compare import compared
        from dieselfront.rulesets.konflikt47.army.compare import konflikt_differences

        nations = {card.nation for card in imported}
        shipped = {key: card for key, card in self.load()[0].items() if card.nation in nations}
        return compared(imported, shipped, konflikt_differences)

    def roster_unit(self, choice: Choice, card: KonfliktCard, captured: bool, warnings: list[str]) -> ArmyUnit:
        from dieselfront.rulesets.konflikt47.army.rosters import konflikt_unit

        return konflikt_unit(choice, card, warnings)
