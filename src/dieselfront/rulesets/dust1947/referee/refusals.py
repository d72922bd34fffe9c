"""Why something may not be, with the rule: who joins or pilots whom, who rides where, what cannot be aimed at what."""

from __future__ import annotations

import re
from typing import Any

from dieselfront.forces import DustCard
from dieselfront.forces.dust_check import names_sibling, why_not_join, why_not_pilot
from dieselfront.kernel.decisions import Assign
from dieselfront.referee.choices import simple
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.shots import Attack
from dieselfront.rulesets.dust.state import AWAY, Unit
from dieselfront.rulesets.dust1947.playing import Play
from dieselfront.rulesets.dust1947.transport import AIRLIFT, PASSENGERS, SEALIFT

Refusal = tuple[str, str]
"""A rule and the reason it gives."""


def company(squad: DustCard, heroes: list[DustCard]) -> Refusal | None:
    """Why these heroes may not be with a unit (d47.hero.*); None if they may."""
    for hero in heroes:
        for reason, rule in why_not_join(hero, squad):
            return rule, reason.rstrip(".")
    if len(heroes) > 1:
        siblings = len(heroes) == 2 and names_sibling(*heroes) and names_sibling(heroes[1], heroes[0])
        if not siblings:
            names = " and ".join(hero.name for hero in heroes)
            return "d47.hero.one_per_unit", f"{names} may not both join {squad.name}; one hero is allowed"
    return None


def pilot(hero: DustCard, vehicle: DustCard) -> Refusal | None:
    """Why a hero may not pilot a vehicle (d47.pilot.*); None if he may."""
    return next(((rule, reason.rstrip(".")) for reason, rule in why_not_pilot(hero, vehicle)), None)


def ride(play: Play, unit: Unit, carrier: Unit) -> Refusal | None:
    """Why a unit may not go aboard (d47.transport.*, d47.airlift.*, d47.sealift.*); None if it may."""
    chapter = play.rules.transport
    pair = f"{unit.name} cannot ride in {carrier.name}"
    if carrier.side != unit.side or carrier is unit:
        return "d47.transport.mount", f"{pair}: only friends ride along"
    kind = chapter.kind(carrier)
    if not kind:
        return "d47.transport.passenger_spaces", f"{pair}: it carries nobody"
    own: Refusal | None = ask(unit.effects, "on_passenger", None, unit, carrier)
    if own is not None:
        return own[0], f"{pair}: {own[1]}"
    aboard = [other for other in chapter.cargo(play, carrier) if other is not unit]
    if kind == AIRLIFT:
        lifts = unit.is_vehicle and "on_airlifted" in unit.effects and unit.card.size == "standard"
        if not lifts:
            return "d47.airlift.who", f"{pair}: only airmobile vehicles of one square are lifted"
        return ("d47.open.airlift_capacity", f"{pair}: it lifts one vehicle at a time") if aboard else None
    if kind == PASSENGERS and not unit.is_infantry:
        return "d47.transport.passenger_spaces", f"{pair}: passengers are infantry"
    if unit.is_aircraft or (unit.is_vehicle and unit.card.size == "huge"):
        return "d47.sealift.capacity", f"{pair}: sealifters take infantry and vehicles up to large"
    room = chapter.spaces(carrier) - sum(chapter.needs(other) for other in aboard)
    needed = chapter.needs(unit)
    if needed > room:
        return "d47.transport.passenger_spaces", f"{pair}: it takes {needed} spaces, {room} are left"
    return None


def mounting(play: Play, unit: Unit, carrier: Unit) -> Refusal | None:
    """Why a unit may not go aboard from where it stands."""
    why = ride(play, unit, carrier)
    if why is None and not play.rules.ground.near(play.state, unit, carrier, 1):
        return "d47.transport.mount", f"{unit.name} does not stand beside {carrier.name}"
    if why is None and play.rules.transport.kind(carrier) == SEALIFT:
        return "d47.sealift.mount", f"{unit.name} has no movement left to go into {carrier.name}"
    return why


def aim(play: Play, decision: Assign, place: int, target: str) -> Refusal | None:
    """Why one weapon of a declaration cannot be aimed at a unit: range, sight, arc, armour (d47.attack.*)."""
    unit, other = play.state.by_id.get(decision.unit), play.state.by_id.get(target)
    item = decision.items[place]
    if unit is None or other is None or not isinstance(item, tuple) or len(item) != 3:
        return None
    if not other.on_board:
        return "d47.attack.declare.weapon_target", _where_else(play, other)
    if other.side == unit.side:
        return "d47.attack.declare.weapon_target", f"{other.name} is a friend"
    part, index, _ = item
    why: Refusal | None = play.rules.attacks.why_not(play, Attack(unit), part, index, other)
    return why


def _where_else(play: Play, unit: Unit) -> str:
    """Why a unit that is not on the table for itself is no target."""
    company = play.state.by_id.get(unit.aboard) if unit.status == AWAY else None
    if company is not None:
        return f"{unit.name} is one target with {company.name}; aim at {company.id}"
    return f"{unit.name} is not on the table"


def any_weapon(play: Play, unit: Unit, name: str, target: Unit) -> Refusal | None:
    """Why a weapon that a declaration does not offer cannot be used on a target."""
    field: Any = play.rules.field
    wanted: Any = None
    try:
        wanted = field.weapon(unit, name)
    except ValueError:
        return None
    part, index = wanted
    if index < 0:
        return None
    why: Refusal | None = play.rules.attacks.why_not(play, Attack(unit), part, index, target)
    return why


def barred_weapon(decision: Assign, unit: Unit, what: str) -> str:
    """The name of a weapon that words mean but the declaration does not offer, "" if they mean none such.

    Whoever carries several weapons may be called after one of them; the words mean the weapon.
    """
    name = simple(re.sub(r"^\d+\s*[x×]?\s+", "", what.strip()))
    called = {name, name.removesuffix("s")}
    offered = {simple(decision.item(item).partition(" (")[0]) for item in decision.items}
    if called & offered:
        return ""
    weapons = (weapon.name for part in unit.parts for weapon in part.card.weapons)
    return next((weapon for weapon in weapons if simple(weapon) in called), "")


__all__ = ["aim", "any_weapon", "barred_weapon", "company", "mounting", "pilot", "ride"]
