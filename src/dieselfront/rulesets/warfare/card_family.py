"""The cards of Dust Warfare: converted by stated formulas, so every card says where its numbers come from.

Homebrew may replace any of them: a card of the user's own with the same id counts, and says nothing of conversions if
it sets `conversion` to nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any, ClassVar

import msgspec

from dieselfront.forces.armies import Army, ArmyUnit
from dieselfront.forces.card_face import CardFace, Choices, Figure, OptionFace, WeaponFace
from dieselfront.forces.dust import ARMOUR_CLASSES
from dieselfront.forces.dust_random import GREAT_BLOCS, buy_dust, person
from dieselfront.forces.family import CardFamily, one_of
from dieselfront.forces.findings import Findings
from dieselfront.forces.muster import Mustered
from dieselfront.forces.skills import SkillRef, slug
from dieselfront.forces.suggestion import FEW, Suggestion
from dieselfront.rulesets.warfare.unit_cards import (
    DamageCell,
    WarfareCard,
    WarfareEntry,
    WarfareFile,
    WarfareOption,
    WarfareWeapon,
    read_card,
    with_option,
)

COLUMNS = (("Range",), *(tuple(name for name in ARMOUR_CLASSES if name[0] == letter) for letter in "SVA"))
LEGEND = "Dice / damage of each hit. * is a die for each miniature of the target, C close combat, A artillery, B bombs."
SECTIONS = 4
"""A platoon has a Command Section, one to four sections and support: the shape of published lists, not a rule."""


class WarfareUnit(Mustered, frozen=True):
    """A unit of a list, with the options bought for it."""

    options: tuple[WarfareOption, ...] = ()

    @property
    def warfare(self) -> WarfareCard:
        assert isinstance(self.card, WarfareCard)
        return self.card

    @property
    def fielded(self) -> WarfareCard:
        """The card as the unit takes the field, with what was bought for it."""
        card = self.warfare
        for option in self.options:
            card = with_option(card, option)
        return card


class WarfareFamily(CardFamily[WarfareCard, WarfareUnit]):
    """Cards in inches: armor, capacity of each miniature, dice and damage against every class."""

    file_type = WarfareFile
    entry_type = WarfareEntry
    shipped_names = ("allies", "axis", "ssu", "mercenaries")
    edition = 2012
    usual_points = 150
    price_word = "AP"
    side_word = "bloc"
    side_field = "bloc"
    roster_words = ("dust warfare", "warfare")
    rule_chapters = ("ability", "weapon", "profile", "hero", "heavy_walker", "dice")
    rule_aliases: ClassVar = {"Commissar": "commissar"}
    legend = (LEGEND,)

    # -- files ------------------------------------------------------------------------------------------------

    def make(self, entry: WarfareEntry, file: WarfareFile, source: str, shelf: Any) -> WarfareCard:
        return read_card(entry, file.bloc, source, file.conversion, file.option_sets)

    def under(self, file: WarfareFile, known: WarfareFile) -> WarfareFile:
        """A changed card is still a converted one, unless its file says otherwise."""
        merged: WarfareFile = super().under(file, known)
        return msgspec.structs.replace(merged, conversion=file.conversion or known.conversion)

    # -- what a card says -------------------------------------------------------------------------------------

    def side(self, card: WarfareCard) -> str:
        return card.bloc

    def points(self, card: WarfareCard) -> int:
        return card.points

    def rules(self, card: WarfareCard) -> Iterable[SkillRef]:
        yield from card.abilities
        for weapon in card.weapons:
            yield from weapon.rules
        for option in card.options:
            yield from option.abilities
            for weapon in option.weapons:
                yield from weapon.rules

    def skills(self, card: WarfareCard) -> tuple[SkillRef, ...]:
        return card.abilities

    def factions(self, card: WarfareCard) -> tuple[str, ...]:
        """Cards name factions, but no rule of this game uses them."""
        return ()

    def is_mercenary(self, card: WarfareCard) -> bool:
        return card.bloc == "Mercenaries"

    def origin(self, card: WarfareCard) -> str:
        return card.origin

    def filters(self, card: WarfareCard) -> dict[str, Any]:
        return {
            **super().filters(card),
            "armour": card.armor_class,
            "move": card.move,
            "models": card.models,
            "damage": card.capacity,
            "unique": card.unique,
            "locomotion": "walker" if card.is_walker else "",
        }

    def face(self, card: WarfareCard) -> CardFace:
        kinds = [card.kind, *(tag.replace("_", " ") for tag in card.tags)]
        return CardFace(
            headline=f"{card.bloc}{''.join(f', {one}' for one in card.factions)}; {', '.join(kinds)}",
            price=f"{card.points} AP",
            figures=tuple(figures(card)),
            rules_word="Abilities",
            rules=tuple(map(str, card.abilities)),
            columns=COLUMNS,
            weapons=tuple(map(weapon_face, card.weapons)),
            members=() if card.is_hero else tuple(members(card)),
            track=card.models * card.capacity,
            options=tuple(OptionFace(one.id, one.name, f"{one.points} AP", group=one.group) for one in card.options),
            choices=Choices(joins=card.may_join, pilots=card.has("Pilot"), rides=card.type == "soldier"),
            legend=LEGEND if card.weapons else "",
            origin=card.origin,
        )

    # -- armies -----------------------------------------------------------------------------------------------

    def muster_unit(self, army: Army, place: int, label: str, unit: ArmyUnit) -> WarfareUnit:
        card = self.catalogue[unit.card]
        options = tuple(self.option(card, name) for name in unit.options)
        points = card.points + sum(option.points * unit.options[option.id] for option in options)
        return WarfareUnit(place, label, unit, card, points, options)

    def check(self, army: Army, units: tuple[WarfareUnit, ...], findings: Findings) -> None:
        """Points, heroes, options and passengers are rules; the shape of platoons is advice."""
        check_points(army, units, findings)
        check_unique(units, findings)
        check_options(units, findings)
        check_heroes(units, findings)
        check_pilots(units, findings)
        check_passengers(units, findings)
        advise(army, units, findings)

    def suggest(self, army: Army, units: tuple[WarfareUnit, ...], left: int) -> list[Suggestion]:
        pool = [card for card in self.catalogue if card.bloc == army.bloc and card.points <= left]
        pool.sort(key=lambda card: (-card.points, card.id))
        needs: list[Suggestion] = []
        if not any(one.warfare.may_command for one in units):
            leaders = tuple(card.id for card in pool if card.may_command)[:FEW]
            needs.append(Suggestion("No Command Section to issue orders", leaders))
        if not any("V4" in weapon.cells for one in units for weapon in one.warfare.weapons):
            armed = tuple(card.id for card in pool if any("V4" in weapon.cells for weapon in card.weapons))[:FEW]
            needs.append(Suggestion("Nothing here can hurt a medium walker", armed))
        if left > 0 and pool:
            needs.append(Suggestion(f"{left} points are left, enough for", tuple(card.id for card in pool[:FEW])))
        return needs

    def draw_army(self, points: int, dice: random.Random, side: str | None, faction: str | None) -> Army | None:
        """A Command Section first, then units of mixed kinds until nothing more fits."""
        bloc = one_of("bloc", side, self.catalogue.sides()) or dice.choice(GREAT_BLOCS)
        one_of("faction", faction, ())
        pool = [card for card in self.catalogue if card.bloc == bloc and "Heroic Pilot" not in _names(card)]
        leaders = [card for card in pool if card.may_command and card.points <= points // 2]
        if not leaders:
            return None
        leader = dice.choice(leaders)
        rest = [card for card in pool if not (card.is_hero and person(card) == person(leader))]
        units = [ArmyUnit(leader.id), *buy_dust(points - leader.points, dice, rest)]
        return self.army(f"{bloc} {points}", points, tuple(units), bloc, None)

    def choices(self, one: WarfareUnit) -> list[str]:
        from dieselfront.forces.army_text import counted  # the text form builds on families

        return [counted(option.name, one.unit.options[option.id]) for option in one.options]


# Faces


def figures(card: WarfareCard) -> list[Figure]:
    """The numbers that play uses; a march is twice the Move."""
    strength = [Figure("Miniatures", str(card.models))] if card.models > 1 else []
    command = [Figure("Command", f'{card.command}"')] if card.may_command else []
    return [
        Figure("Armor", card.armor_class),
        Figure("Move", f'{card.move}"'),
        Figure("March", f'{2 * card.move}"'),
        Figure("Capacity", str(card.capacity)),
        *strength,
        Figure("Leadership", f'{card.leadership}"'),
        *command,
    ]


def members(card: WarfareCard) -> list[str]:
    return [
        f"{soldier.name}: {', '.join(card.weapons[line].name for line in soldier.weapons) or 'serves the gun'}"
        for soldier in card.soldiers
    ]


def weapon_face(weapon: WarfareWeapon) -> WeaponFace:
    cells = [weapon.cells.get(name) for name in ARMOUR_CLASSES]
    reach = f'{weapon.range_text}"' if weapon.reach == "ranged" else weapon.range_text
    return WeaponFace(
        name=weapon.name,
        count=weapon.count,
        details=(weapon.arc,) if weapon.arc else (),
        rules=tuple(map(str, weapon.rules)),
        cells=(reach, *(str(cell) if cell is not None else "-" for cell in cells)),
        spoken=(f"range {reach}", *map(spoken, cells)),
    )


def spoken(cell: DamageCell | None) -> str:
    if cell is None:
        return "cannot be attacked"
    dice = f"{cell.spray} dice for each miniature" if cell.spray else f"{cell.dice} dice"
    return f"{dice}, {cell.damage} damage"


# Building a force


def check_points(army: Army, units: tuple[WarfareUnit, ...], findings: Findings) -> None:
    """The total agreed is not exceeded (dw.setup.army_points)."""
    total = sum(one.points for one in units)
    if total > army.points:
        findings.error(f"The list costs {total} AP; the limit is {army.points}.", "dw.setup.army_points")


def check_unique(units: tuple[WarfareUnit, ...], findings: Findings) -> None:
    """A named hero is one person, whatever the version of his card."""
    copies: dict[str, list[WarfareUnit]] = {}
    for one in units:
        card = one.warfare
        person = f"{card.bloc}/{card.variant_of}" if card.is_hero and card.variant_of else card.id
        copies.setdefault(person, []).append(one)
    for same in copies.values():
        most = same[0].warfare.max_in_army
        if most is not None and len(same) > most:
            findings.error(f"{same[0].card.name} stands {len(same)} times in the list; {most} allowed.")


def check_options(units: tuple[WarfareUnit, ...], findings: Findings) -> None:
    """One choice of each group; a unit has one commissar (dw.ability.commissar_attach)."""
    for one in units:
        groups = [option.group for option in one.options for _ in range(one.unit.options[option.id])]
        for group in dict.fromkeys(group for group in groups if groups.count(group) > 1):
            rule = "dw.ability.commissar_attach" if group == "Commissar" else ""
            findings.error(f"{one.title} takes {groups.count(group)} of {group}; one is allowed.", rule, one.label)


def check_heroes(units: tuple[WarfareUnit, ...], findings: Findings) -> None:
    """Who joins whom (dw.hero.join, dw.hero.join_limit)."""
    by_label = {one.label: one for one in units}
    company: dict[str, int] = {}
    for one in units:
        squad = by_label.get(one.unit.joins or "")
        if squad is None:
            continue
        company[squad.label] = company.get(squad.label, 0) + 1
        if company[squad.label] == 2:
            findings.error(f"Two heroes join {squad.title}; one is allowed.", "dw.hero.join_limit", squad.label)
        for message, rule in why_not_join(one.warfare, squad.warfare):
            findings.error(message, rule, one.label)


def why_not_join(hero: WarfareCard, squad: WarfareCard) -> list[tuple[str, str]]:
    """Every reason the hero may not join the unit, each with its rule (dw.hero.join)."""
    pair = f"{hero.name} may not join {squad.name}"
    if not hero.is_hero or squad.type != "soldier" or squad.is_hero:
        return [(f"{pair}: heroes join units of soldiers.", "dw.hero.join")]
    reasons: list[tuple[str, str]] = []
    if not hero.may_join:
        reasons.append((f"{pair}: {hero.name} joins nobody.", "dw.hero.join"))
    if hero.move != squad.move:
        reasons.append((f'{pair}: Move {hero.move}" and {squad.move}", they must be the same.', "dw.hero.join"))
    if hero.armor_class != squad.armor_class:
        classes = f"armor {hero.armor_class} and {squad.armor_class}"
        reasons.append((f"{pair}: {classes}, they must be the same.", "dw.hero.join"))
    for ability, rule in KINDS_APART.items():
        if hero.has(ability) != squad.has(ability):
            reasons.append((f"{pair}: {ability}s keep to their own kind.", rule))
    return reasons


KINDS_APART = {
    "Blutkreuz Ape": "dw.ability.blutkreuz_ape_join",
    "Blutkreuz Zombie": "dw.ability.blutkreuz_zombie_join",
}
"""Kinds whose heroes and units join only each other."""


def check_pilots(units: tuple[WarfareUnit, ...], findings: Findings) -> None:
    """Who pilots what (dw.ability.pilot, dw.ability.heroic_pilot)."""
    by_label = {one.label: one for one in units}
    for one in units:
        vehicle = by_label.get(one.unit.pilots or "")
        if vehicle is None:
            continue
        hero, seat = one.warfare, vehicle.warfare.ability("Heroic Pilot")
        pair = f"{hero.name} may not pilot {vehicle.card.name}"
        if not hero.is_hero or not hero.has("Pilot") or vehicle.warfare.type == "soldier":
            findings.error(f"{pair}: heroes with Pilot drive vehicles and aircraft.", "dw.ability.pilot", one.label)
        elif seat is not None and slug(seat.argument or "") not in slug(hero.name):
            findings.error(f"{pair}: its pilot is {seat.argument}.", "dw.ability.heroic_pilot", one.label)
        if one.unit.joins is not None:
            findings.error(f"{one.title} cannot both join a unit and pilot.", "dw.hero.join", one.label)


def check_passengers(units: tuple[WarfareUnit, ...], findings: Findings) -> None:
    """Who starts aboard (dw.ability.carry_capacity, dw.ability.carry_capacity_deploy)."""
    by_label = {one.label: one for one in units}
    aboard: dict[str, int] = {}
    for one in units:
        carrier = by_label.get(one.unit.mounted_in or "")
        if carrier is None:
            continue
        room = carrier.warfare.ability("Carry Capacity")
        if room is None or one.warfare.type != "soldier":
            message = f"{one.title} cannot start in {carrier.title}: no room for such passengers."
            findings.error(message, "dw.ability.carry_capacity", one.label)
            continue
        heroes = [hero for hero in units if hero.unit.joins == one.label]
        aboard[carrier.label] = aboard.get(carrier.label, 0) + sum(spaces(rider) for rider in (one, *heroes))
        if aboard[carrier.label] > room.number:
            message = f"{carrier.title} has {room.number} spaces, its riders need {aboard[carrier.label]}."
            findings.error(message, "dw.ability.carry_capacity_size", carrier.label)


def spaces(one: WarfareUnit) -> int:
    """One space a soldier of armor 1 or 2, two of armor 3 or 4 (dw.ability.carry_capacity_size)."""
    return one.fielded.models * (2 if one.warfare.armor >= 3 else 1)


def advise(army: Army, units: tuple[WarfareUnit, ...], findings: Findings) -> None:
    """One bloc, and platoons as published lists have them: a Command Section, up to four sections, support."""
    for one in units:
        if army.bloc is not None and one.warfare.bloc not in (army.bloc, "Mercenaries"):
            findings.warn(f"{one.title} belongs to {one.warfare.bloc}, the list to {army.bloc}.", unit=one.label)
    commands = sum(one.warfare.may_command for one in units)
    sections = sum(one.warfare.kind == "infantry" and not one.warfare.may_command for one in units)
    if units and not commands:
        findings.warn("No unit can be a Command Section; somebody has to be promoted to issue orders.")
    elif sections > SECTIONS * commands:
        findings.warn(f"{sections} sections for {commands} Command Sections; platoons have up to {SECTIONS} each.")


def _names(card: WarfareCard) -> set[str]:
    return {ref.name for ref in card.abilities}


FAMILY = WarfareFamily("warfare")
