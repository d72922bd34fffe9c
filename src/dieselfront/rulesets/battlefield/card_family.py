"""The cards of Dust Tactics Battlefield: 264 of its own, and the Dust 1947 cards it can borrow.

Both games print the same card, so a Dust 1947 card is fielded unchanged (conversion d47-bf-1): skills that this game
does not know have no effect, and where this game has a card of the same name, that one is taken. Prices of the two
tables differ for half of the common names, so a list that borrows says so.
"""

from __future__ import annotations

import random
import re
from typing import ClassVar

import msgspec

from dieselfront.forces.armies import Army
from dieselfront.forces.card_face import CardFace, Figure, Remark
from dieselfront.forces.dust import DustCard
from dieselfront.forces.dust_check import check_passengers, check_pilots
from dieselfront.forces.dust_face import dust_face, with_lengths
from dieselfront.forces.dust_family import DustFamily
from dieselfront.forces.dust_files import CardEntry
from dieselfront.forces.dust_random import GREAT_BLOCS, buy_dust, mount_some, pool_of
from dieselfront.forces.dust_units import DustUnit
from dieselfront.forces.families import family
from dieselfront.forces.family import one_of
from dieselfront.forces.findings import Findings
from dieselfront.forces.skills import slug

LENDER = "dust1947"
BORROWED = "Dust 1947 card, fielded unchanged (conversion d47-bf-1)"
SAME_RULES = {
    "d47.pilot.skill_required": "bf.pilot.who",
    "d47.skill.pilot_name": "bf.pilot.who",
    "d47.pilot.one_per_vehicle": "bf.pilot.who",
    "d47.pilot.combined": "bf.pilot.who",
    "d47.transport.passenger_spaces": "bf.transport.spaces",
    "d47.transport.start_mounted": "bf.transport.mount",
    "d47.sealift.capacity": "bf.sealift.spaces",
    "d47.airlift.who": "bf.airlift.load",
    "d47.open.airlift_capacity": "bf.open.airlift_capacity",
    "d47.skill.zombie_transport": "bf.skill.zombie_limits",
}
"""Rules of mounting that both games have, and what they are called here."""


class BattlefieldFamily(DustFamily):
    """Dust cards with this game's few rules of building a force: no platoons, no factions, no hero bonus."""

    shipped_names = ("allies", "axis", "ssu", "mercenaries")
    edition = 2015
    usual_points = 75
    roster_words = ("dust tactics", "battlefield")
    rule_chapters = (
        *("skill", "weapon", "hero", "command", "fort", "vehicle", "transport", "airlift", "sealift", "pilot"),
        *("superhuman", "engineer"),
    )
    rule_aliases: ClassVar = {"Get Moving You...": "get moving", "Support Weapon": "support weapon"}
    also_played = ()

    # -- cards of Dust 1947 -----------------------------------------------------------------------------------

    def lent(self) -> dict[str, DustCard]:
        """Dust 1947 cards whose name this game does not have."""
        own = self.catalogue
        return {
            card.id: msgspec.structs.replace(card, ruleset=self.ruleset, source=BORROWED)
            for card in family(LENDER).catalogue
            if card.id not in own.cards and not own.named(card.name) and not card.alternate_profile
        }

    def origin(self, card: DustCard) -> str:
        return BORROWED if card.source == BORROWED else ""

    # -- what a card says -------------------------------------------------------------------------------------

    def factions(self, card: DustCard) -> tuple[str, ...]:
        """Cards print factions, but no rule of this game uses them."""
        return ()

    def face(self, card: DustCard) -> CardFace:
        """March is twice Move (bf.open.march_printed), a point is 10 cm (bf.setup.measure_system)."""
        face = dust_face(card)
        figures = tuple(
            Figure("March", str(2 * card.move)) if figure.name == "March" else figure for figure in face.figures
        )
        remarks = face.remarks
        if card.march != 2 * card.move:
            remarks = (*remarks, Remark("Printed march", f"{card.march}, which counts only by choice of the players"))
        choices = msgspec.structs.replace(face.choices, joins=False)  # heroes join as they activate (bf.hero.join)
        shown = msgspec.structs.replace(
            face, figures=figures, remarks=remarks, choices=choices, origin=self.origin(card)
        )
        return with_lengths(shown, 10, " cm")

    # -- armies -----------------------------------------------------------------------------------------------

    def check(self, army: Army, units: tuple[DustUnit, ...], findings: Findings) -> None:
        """Points and unique heroes are rules; keeping to one bloc is advice, as no rule asks for it."""
        self.check_points(army, units, findings)
        self.check_unique(units, findings)
        self.check_options(units, findings)
        self.check_mounted(units, findings)
        self.advise(army, units, findings)

    def check_points(self, army: Army, units: tuple[DustUnit, ...], findings: Findings) -> None:
        """The limit agreed (bf.setup.ap_limit)."""
        total = sum(one.points for one in units)
        if total > army.points:
            findings.error(f"The list costs {total} AP; the limit is {army.points}.", "bf.setup.ap_limit")

    def check_unique(self, units: tuple[DustUnit, ...], findings: Findings) -> None:
        """No hero twice, whatever the version (bf.hero.unique), and no more of a card than it allows."""
        copies: dict[str, list[DustUnit]] = {}
        for one in units:
            card = one.dust
            person = f"{card.bloc}/{card.variant_of}" if card.kind == "hero" and card.variant_of else card.id
            copies.setdefault(person, []).append(one)
        for same in copies.values():
            card = same[0].dust
            most = 1 if card.kind == "hero" else card.max_in_army
            if most is not None and len(same) > most:
                rule = "bf.hero.unique" if card.kind == "hero" else ""
                findings.error(f"{card.name} stands {len(same)} times in the list; {most} allowed.", rule)

    def check_options(self, units: tuple[DustUnit, ...], findings: Findings) -> None:
        """One choice of each group: one commissar a unit (bf.skill.commissar), a bunker or a strongpoint."""
        for one in units:
            groups = [option.group for option in one.options for _ in range(one.unit.options[option.id])]
            for group in dict.fromkeys(group for group in groups if groups.count(group) > 1):
                rule = "bf.skill.commissar" if group == "Commissar" else "bf.fort.strongpoint_units"
                findings.error(f"{one.title} takes {groups.count(group)} of {group}; one is allowed.", rule, one.label)

    def check_mounted(self, units: tuple[DustUnit, ...], findings: Findings) -> None:
        """Who starts the game aboard or at the wheel (bf.pilot.who, bf.transport.spaces, bf.airlift.load)."""
        faults = Findings()
        check_pilots(units, faults)
        check_passengers(units, faults)
        for fault in faults.errors:
            findings.error(fault.message, SAME_RULES.get(fault.rule, fault.rule), fault.unit)

    def advise(self, army: Army, units: tuple[DustUnit, ...], findings: Findings) -> None:
        for one in units:
            foreign = army.bloc is not None and one.dust.bloc != army.bloc
            if foreign and not one.dust.is_mercenary and not one.unit.captured:
                findings.warn(f"{one.title} belongs to {one.dust.bloc}, the list to {army.bloc}.", unit=one.label)
            if one.unit.joins is not None:
                message = f"{one.title} joins a unit when it activates, not in the list."
                findings.warn(message, "bf.hero.join", one.label)
            if self.origin(one.dust):
                findings.warn(f"{one.title}: {BORROWED}; its price is of another table.", unit=one.label)

    def renamed(self, entry: CardEntry, bloc: str) -> CardEntry:
        """Files of other programs add a subtitle in brackets or a faction behind a dash to some names."""
        short, _, more = re.sub(r"\s+\((.+)\)$| - (.+)$", r"|\1\2", entry.name).partition("|")
        if not more or self.catalogue.named(entry.name) or not self.catalogue.named(short):
            return entry
        return msgspec.structs.replace(entry, name=short, id=slug(f"{bloc} {short}"), subtitle=more)

    def draw_army(self, points: int, dice: random.Random, side: str | None, faction: str | None) -> Army | None:
        bloc = one_of("bloc", side, self.catalogue.sides()) or dice.choice(GREAT_BLOCS)
        one_of("faction", faction, ())
        units = buy_dust(points, dice, pool_of(self, bloc, None, dice))
        return mount_some(self.army(f"{bloc} {points}", points, tuple(units), bloc, None), dice)


FAMILY = BattlefieldFamily("battlefield")
