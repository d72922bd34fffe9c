"""Building a Konflikt '47 force: reinforced platoons, experience, options, transports (k47.game.platoon)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import msgspec

from dieselfront.forces.armies import Army
from dieselfront.forces.errors import nearest
from dieselfront.forces.findings import Findings
from dieselfront.rulesets.konflikt47.army.cards import KonfliktCard
from dieselfront.rulesets.konflikt47.army.units import KonfliktUnit, konflikt_catalogue

PLATOON = "k47.game.platoon"
SELECTORS = Path(__file__).parent.parent / "cards" / "selectors.json"
NO_SLOT = ("Senior Officer", "Political Officer", "Transports", "Tows", "Free Units", "Characters")
"""Categories that no slot of a platoon counts; senior officers are one a force."""


class Slot(msgspec.Struct, frozen=True):
    """A place in a platoon: which units count for it and how many there may be."""

    name: str
    category: str
    max: int
    min: int = 0


class Selector(msgspec.Struct, frozen=True):
    """A kind of platoon."""

    id: str
    name: str
    slots: tuple[Slot, ...]
    armoured: bool = False


@lru_cache(maxsize=1)
def selectors() -> dict[str, Selector]:
    """The kinds of platoon by id."""
    rows = msgspec.json.decode(SELECTORS.read_bytes(), type=tuple[Selector, ...])
    return {row.id: row for row in rows}


def categories_of(card: KonfliktCard) -> tuple[str, ...]:
    return card.categories or ((card.category,) if card.category else ())


def check_konflikt(army: Army, units: tuple[KonfliktUnit, ...], findings: Findings) -> None:
    """All rules of building a Konflikt '47 force, as far as the facts go."""
    check_nation(army, units, findings)
    check_limits(army, units, findings)
    check_models(units, findings)
    for label, selector in platoons_of(army, findings).items():
        members = [one for one in units if platoon_of(army, one) == label]
        for message in platoon_faults(selector, members):
            findings.error(f"{selector.name}: {message}", PLATOON)
        check_conditional(selector, members, findings)


def check_nation(army: Army, units: tuple[KonfliktUnit, ...], findings: Findings) -> None:
    """Every unit comes from the nation's own list, where Italy may borrow one (k47.nation.italy)."""
    nations = konflikt_catalogue().sides()
    if army.nation not in nations:
        hint = nearest(army.nation or "", nations)
        wanted = f"did you mean {' or '.join(hint)}?" if hint else f"expected one of {', '.join(nations)}."
        name = f"There is no nation {army.nation!r}" if army.nation else "The list names no nation"
        findings.error(f"{name}; {wanted}", PLATOON)
        return
    for one in units:
        if one.konflikt.nation != army.nation:
            message = f"{one.title} is of {one.konflikt.nation}, the list of {army.nation}."
            findings.error(message, PLATOON, one.label)
    lent = [one for one in units if is_lent(one.konflikt)]
    if len(lent) > 1:
        names = ", ".join(one.title for one in lent)
        findings.error(f"Borrowed units: {names}; one is allowed.", "k47.nation.italy")


def is_lent(card: KonfliktCard) -> bool:
    """A unit of another nation's list in Italy's (k47.nation.italy)."""
    return any("Mentorship" in name for name in categories_of(card)) or card.borrowed_from is not None


def check_limits(army: Army, units: tuple[KonfliktUnit, ...], findings: Findings) -> None:
    """Points, copies of a card, and one senior officer a force."""
    total = sum(one.points for one in units)
    if total > army.points:
        findings.error(f"The list costs {total} points; the limit is {army.points}.")
    ids = [one.card.id for one in units]
    for one in {one.card.id: one for one in units}.values():
        limit = one.card.max_in_army
        if limit is not None and ids.count(one.card.id) > limit:
            findings.error(f"{one.card.name} stands {ids.count(one.card.id)} times in the list; {limit} allowed.")
    seniors = [one for one in units if "Senior Officer" in categories_of(one.konflikt)]
    if len(seniors) > 1:
        names = ", ".join(one.title for one in seniors)
        findings.error(f"Senior officers: {names}; one a force is allowed.", PLATOON)


def check_models(units: tuple[KonfliktUnit, ...], findings: Findings) -> None:
    """The number of models is within the card's."""
    for one in units:
        card = one.konflikt
        models = one.build.models if one.build else card.models_min
        if not card.models_min <= models <= card.models_max:
            sizes = f"{card.models_min} to {card.models_max}"
            findings.error(f"{one.title} has {models} models; expected {sizes}.", PLATOON, one.label)


def platoons_of(army: Army, findings: Findings) -> dict[str, Selector]:
    """The platoons of the list; a list that names none is one reinforced platoon."""
    known = selectors()
    named = army.platoons or {"first": "reinforced"}
    result: dict[str, Selector] = {}
    for label, name in named.items():
        if name in known:
            result[label] = known[name]
        else:
            hint = nearest(name, known)
            wanted = f"did you mean {' or '.join(hint)}?" if hint else f"expected one of {', '.join(known)}."
            findings.error(f"There is no kind of platoon {name!r}; {wanted}", PLATOON)
    return result


def platoon_of(army: Army, one: KonfliktUnit) -> str:
    """The platoon of a unit; without a word it is in the first."""
    return one.unit.platoon or next(iter(army.platoons), "first")


def platoon_faults(selector: Selector, members: list[KonfliktUnit]) -> list[str]:
    """Slots over- or underfilled. Units that fit two slots take the one that is free."""
    faults: list[str] = []
    single = [slot for slot in selector.slots if not shares(slot, selector)]
    for slot in single:
        names = [one.title for one in members if slot.category in categories_of(one.konflikt)]
        if len(names) > slot.max:
            faults.append(f"{len(names)} of {slot.name} ({', '.join(names)}); at most {slot.max} allowed.")
        if len(names) < slot.min:
            faults.append(f"{len(names)} of {slot.name}; at least {slot.min} needed.")
    faults.extend(shared_faults([slot for slot in selector.slots if slot not in single], members))
    if selector.id != "fortified":
        faults.extend(carrier_faults(members))
        faults.extend(
            f"{one.title} is a fortification and belongs to a fortified emplacement."
            for one in members
            if "Fortifications" in categories_of(one.konflikt)
        )
    return faults


def shares(slot: Slot, selector: Selector) -> bool:
    """The two vehicle slots of a reinforced platoon share units: a light walker fits both."""
    return not selector.armoured and slot.category.startswith(("Armored Cars,", "Tank,"))


def shared_faults(slots: list[Slot], members: list[KonfliktUnit]) -> list[str]:
    if len(slots) != 2:
        return []
    first, second = slots
    fits = [
        (one, first.category in categories_of(one.konflikt), second.category in categories_of(one.konflikt))
        for one in members
    ]
    only_first = [one for one, a, b in fits if a and not b]
    only_second = [one for one, a, b in fits if b and not a]
    both = [one for one, a, b in fits if a and b]
    faults = []
    for slot, units in ((first, only_first), (second, only_second)):
        if len(units) > slot.max:
            names = ", ".join(one.title for one in units)
            faults.append(f"{len(units)} of {slot.name} ({names}); at most {slot.max} allowed.")
    if not faults and len(only_first) + len(only_second) + len(both) > first.max + second.max:
        names = ", ".join(one.title for one in (*only_first, *both, *only_second))
        faults.append(f"too many vehicles ({names}); at most {first.max + second.max} allowed.")
    return faults


def carrier_faults(members: list[KonfliktUnit]) -> list[str]:
    """Infantry may have transports, guns a tow: no more carriers than units to carry."""
    carriers = [one for one in members if one.konflikt.kind == "transport"]
    carried = [one for one in members if one.konflikt.kind in ("infantry", "team", "artillery", "headquarters")]
    if len(carriers) <= len(carried):
        return []
    return [f"{len(carriers)} transports and tows for {len(carried)} units; at most one a unit allowed."]


def check_conditional(selector: Selector, members: list[KonfliktUnit], findings: Findings) -> None:
    """Command vehicles and radio networks belong to armoured platoons (k47.vehicle.command_senior)."""
    if selector.armoured:
        return
    for one in members:
        for name in one.unit.options:
            if one.konflikt.option(name).conditional:
                message = f"{one.title}: {name} is for armoured platoons only."
                findings.error(message, "k47.vehicle.command_senior", one.label)
