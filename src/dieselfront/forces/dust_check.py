"""Building a Dust force: blocs, factions, mercenaries, captured vehicles, heroes, passengers, platoons
(d47.force.*, d47.platoon.*, d47.hero.*, d47.pilot.*)."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from dieselfront.forces.armies import Army
from dieselfront.forces.catalogue import Catalogue, home_folder
from dieselfront.forces.documents import convert, read_document
from dieselfront.forces.dust import DustCard
from dieselfront.forces.dust_units import DustUnit, dust_catalogue
from dieselfront.forces.errors import nearest
from dieselfront.forces.findings import Findings
from dieselfront.forces.skills import SkillRef, read_skill
from dieselfront.rulebook.load import folders

MERCENARIES = "Mercenaries"
PLATOONS = folders()["dust1947"] / "cards" / "platoons.json"
SEALIFTER_SPACES = 12


class Section(msgspec.Struct, frozen=True):
    """A place in a platoon chart and the cards that may fill it."""

    section: str
    one_of: tuple[str, ...]


class PlatoonChart(msgspec.Struct, frozen=True):
    """A platoon's chart. Most charts are known by name only; then the general make-up is checked."""

    id: str
    name: str
    bloc: str | None = None
    command: Section | None = None
    combat: tuple[Section, ...] = ()
    advantage: str | None = None


@lru_cache(maxsize=1)
def platoon_charts() -> dict[str, PlatoonChart]:
    """The platoon charts by id: ours, then those of the user's own folder, which may replace them."""
    rows = msgspec.json.decode(PLATOONS.read_bytes(), type=tuple[PlatoonChart, ...])
    charts = {row.id: row for row in rows}
    folder = home_folder() / "platoons"
    for path in sorted(folder.glob("*.*")) if folder.is_dir() else ():
        if path.suffix in (".json", ".yaml", ".yml"):
            charts |= {row.id: row for row in convert(read_document(path), tuple[PlatoonChart, ...])}
    return charts


def advantage(army: Army, one: DustUnit, everybody: tuple[DustUnit, ...]) -> tuple[SkillRef, ...]:
    """Skills that a complete platoon gives to all units in it and supporting it (d47.platoon.advantage).

    Independent units and those of another platoon get nothing (d47.platoon.scope). An advantage is a list of skills
    with commas between them.
    """
    chart = platoon_charts().get(army.platoons.get(one.unit.platoon or "", ""))
    if chart is None or not chart.advantage:
        return ()
    members = [other for other in everybody if other.unit.platoon == one.unit.platoon]
    if platoon_faults(chart, members):
        return ()
    return tuple(read_skill(word) for word in chart.advantage.split(",") if word.strip())


def check_dust(cards: Catalogue[DustCard], army: Army, units: tuple[DustUnit, ...], findings: Findings) -> None:
    """All rules of building a Dust force."""
    check_bloc(cards, army, units, findings)
    check_captured(army, units, findings)
    check_unique(units, findings)
    check_dust_options(units, findings)
    check_points(army, units, findings)
    check_heroes(units, findings)
    check_pilots(units, findings)
    check_passengers(units, findings)
    check_platoons(army, units, findings)


# Blocs and factions


def check_bloc(cards: Catalogue[DustCard], army: Army, units: tuple[DustUnit, ...], findings: Findings) -> None:
    """All units are of one bloc, apart from mercenaries and one captured vehicle (d47.force.single_bloc)."""
    blocs = cards.sides()
    if army.bloc is None:
        findings.error(f"The list names no bloc; expected one of {', '.join(blocs)}.", "d47.force.single_bloc")
        return
    if army.bloc not in blocs:
        hint = nearest(army.bloc, blocs)
        wanted = f"did you mean {' or '.join(hint)}?" if hint else f"expected one of {', '.join(blocs)}."
        findings.error(f"There is no bloc {army.bloc!r}; {wanted}", "d47.force.single_bloc")
        return
    for one in units:
        card = one.dust
        if card.bloc != army.bloc and not one.unit.captured and not card.is_mercenary:
            message = f"{one.title} belongs to {card.bloc}, the list to {army.bloc}."
            findings.error(message, "d47.force.single_bloc", one.label)
    known = cards.factions()
    if army.faction is not None and army.faction not in known:
        hint = nearest(army.faction, known)
        wanted = f"did you mean {' or '.join(hint)}?" if hint else f"expected one of {', '.join(known)}."
        findings.error(f"There is no faction {army.faction!r}; {wanted}", "d47.force.faction_force")


def in_faction(card: DustCard, faction: str) -> bool:
    return faction in card.factions


def of_another_faction(card: DustCard, faction: str) -> bool:
    """Mercenaries have no faction (d47.force.mercenary); units the whole bloc may take are bloc units."""
    return bool(card.factions) and not in_faction(card, faction) and not card.bloc_wide and not card.is_mercenary


def is_all_mercenary(units: tuple[DustUnit, ...]) -> bool:
    """Only mercenaries, optionally one captured walker (d47.force.mercenary_bonus)."""
    captured = [one for one in units if one.unit.captured]
    walkers_only = all(one.dust.locomotion == "walker" for one in captured)
    rest = [one for one in units if not one.unit.captured]
    return bool(rest) and all(one.dust.is_mercenary for one in rest) and len(captured) <= 1 and walkers_only


def check_points(army: Army, units: tuple[DustUnit, ...], findings: Findings) -> None:
    """The limit, with the free hero points of a faction force (d47.force.faction_bonus,
    d47.open.faction_75_base).

    The bonus comes on top of what is spent: it pays what exceeds the limit, is spent on heroes only, and
    is at most a tenth, rounded down, of the points spent without it.
    """
    total = sum(one.points for one in units)
    over = max(0, total - army.points)
    spent = total - over
    mercenary = is_all_mercenary(units)
    reasons = [] if mercenary else why_no_faction_force(army, units, spent, over)
    findings.faction_force = army.faction is not None and not reasons and not mercenary
    entitled = findings.faction_force or mercenary
    findings.bonus = spent // 10 if entitled else 0
    if army.faction is not None:
        for reason in reasons:
            findings.error(reason, "d47.force.faction_force")
    if not over:
        return
    hero_points = sum(one.points for one in units if may_use_bonus(one, army, mercenary))
    rule = "d47.force.mercenary_bonus" if mercenary else "d47.force.faction_bonus"
    allowed = min(findings.bonus, hero_points)
    if over > allowed:
        extra = f" and {allowed} free for heroes" if allowed else ""
        findings.error(f"The list costs {total} points; the limit is {army.points}{extra}.", rule if entitled else "")


def may_use_bonus(one: DustUnit, army: Army, mercenary: bool) -> bool:
    """Bonus points buy heroes of the faction or bloc; all-mercenary forces use them for mercenary heroes."""
    card = one.dust
    return card.kind == "hero" and (card.is_mercenary if mercenary else card.bloc == army.bloc)


def why_no_faction_force(army: Army, units: tuple[DustUnit, ...], spent: int, bonus: int) -> list[str]:
    """Why the list is not a faction force, empty if it is one (d47.force.faction_force).

    A commissar counts with the unit he is bought for (d47.skill.commissar_faction): his points are its points.
    """
    if army.faction is None:
        return ["The list names no faction."]
    reasons = [
        f"{one.title} belongs to another faction than {army.faction}."
        for one in units
        if not one.unit.captured and of_another_faction(one.dust, army.faction)
    ]
    own = [one for one in units if in_faction(one.dust, army.faction) and not one.unit.captured]
    others = sum(one.points for one in units if one not in own and one.dust.kind == "hero")
    share = sum(one.points for one in own) - max(0, bonus - others)
    if share * 4 < spent * 3:
        reasons.append(f"Only {share} of {spent} points are spent on {army.faction}; three quarters are needed.")
    return reasons


def check_captured(army: Army, units: tuple[DustUnit, ...], findings: Findings) -> None:
    """At most one captured vehicle, from the list of those that can be (d47.force.captured_one)."""
    captured = [one for one in units if one.unit.captured]
    if len(captured) > 1:
        names = ", ".join(one.title for one in captured)
        findings.error(f"More than one captured vehicle: {names}; one is allowed.", "d47.force.captured_one")
    for one in captured:
        card = one.dust
        if card.captured_ap is None:
            findings.error(f"{one.title} cannot be captured.", "d47.force.captured_one", one.label)
        elif card.bloc == army.bloc:
            message = f"{one.title} is of the list's own bloc and needs no capturing."
            findings.error(message, "d47.force.captured_one", one.label)


def check_unique(units: tuple[DustUnit, ...], findings: Findings) -> None:
    """No hero twice, whatever the version of it; no more of a card than it allows (d47.hero.unique)."""
    people: dict[str, list[DustUnit]] = {}
    for one in units:
        card = one.dust
        key = f"{card.bloc}/{card.variant_of}" if card.kind == "hero" and card.variant_of else card.id
        people.setdefault(key, []).append(one)
        if card.alternate_profile:
            message = f"{one.title} is the second profile of {card.variant_of} and not bought by itself."
            findings.error(message, "d47.hero.unique", one.label)
    for copies in people.values():
        card = copies[0].dust
        if card.max_in_army is not None and len(copies) > card.max_in_army:
            rule = "d47.hero.unique" if card.kind == "hero" else "d47.skill.pilot_name"
            findings.error(f"{card.name} stands {len(copies)} times in the list; {card.max_in_army} allowed.", rule)


def check_dust_options(units: tuple[DustUnit, ...], findings: Findings) -> None:
    """One choice of each group: one commissar a unit (d47.skill.commissar_join), a bunker or a
    strongpoint."""
    for one in units:
        groups = [option.group for option in one.options for _ in range(one.unit.options[option.id])]
        for group in dict.fromkeys(group for group in groups if groups.count(group) > 1):
            rule = "d47.skill.commissar_join" if group == "Commissar" else "d47.fort.strongpoint_unit_included"
            findings.error(f"{one.title} takes {groups.count(group)} of {group}; one is allowed.", rule, one.label)


# Heroes, pilots, passengers


def check_heroes(units: tuple[DustUnit, ...], findings: Findings) -> None:
    """Who joins whom (d47.hero.join_before_game and the limits of skills)."""
    by_label = {one.label: one for one in units}
    joined: dict[str, list[DustUnit]] = {}
    for one in units:
        if one.unit.joins is not None and one.unit.joins in by_label:
            squad = by_label[one.unit.joins]
            joined.setdefault(squad.label, []).append(one)
            for message, rule in why_not_join(one.dust, squad.dust):
                findings.error(message, rule, one.label)
        elif one.dust.has("Commissar") and one.dust.kind == "hero" and one.unit.joins is None:
            findings.error(f"{one.title} must join a unit.", "d47.skill.commissar_poon", one.label)
    for label, heroes in joined.items():
        check_company(by_label[label], heroes, findings)


def check_company(squad: DustUnit, heroes: list[DustUnit], findings: Findings) -> None:
    """One hero a unit, siblings excepted (d47.hero.one_per_unit, d47.hero.siblings); Poon alone."""
    if len(heroes) > 1 and not are_siblings(heroes):
        names = " and ".join(one.title for one in heroes)
        findings.error(f"{names} join {squad.title}; one hero is allowed.", "d47.hero.one_per_unit", squad.label)
    poon = any(one.dust.has("Commissar") for one in heroes)
    if poon and (len(heroes) > 1 or any(option.group == "Commissar" for option in squad.options)):
        message = f"{squad.title} is joined by a commissar hero; no other hero or commissar may join it."
        findings.error(message, "d47.skill.commissar_poon", squad.label)


def are_siblings(heroes: list[DustUnit]) -> bool:
    """A pair that name each other (d47.hero.siblings)."""
    if len(heroes) != 2:
        return False
    one, other = (hero.dust for hero in heroes)
    return names_sibling(one, other) and names_sibling(other, one)


def names_sibling(card: DustCard, other: DustCard) -> bool:
    skill = card.skill("Siblings")
    return skill is not None and same_person(skill.argument or "", other)


def same_person(name: str, card: DustCard) -> bool:
    """Whether a skill's argument names this card: "Sigrid" names every version of Sigrid, with or without surname."""
    plain = name.lower().removeprefix("the ").strip()
    names = [one.lower().removeprefix("the ").strip() for one in (card.name, card.variant_of or "")]
    return any(one == plain or (card.kind == "hero" and plain and one.startswith(f"{plain} ")) for one in names)


def why_not_join(hero: DustCard, squad: DustCard) -> list[tuple[str, str]]:
    """Every reason the hero may not join the squad, each with its rule; empty if it may."""
    if hero.kind != "hero":
        return [(f"{hero.name} is no hero and joins nobody.", "d47.hero.join_before_game")]
    if squad.kind not in ("infantry", "support"):
        return [(f"{squad.name} is no infantry unit a hero could join.", "d47.hero.join_before_game")]
    pair = f"{hero.name} may not join {squad.name}"
    reasons: list[tuple[str, str]] = []
    if hero.armour_class != squad.armour_class:
        armours = f"armour {hero.armour} and {squad.armour}"
        reasons.append((f"{pair}: {armours}, they must be the same.", "d47.hero.same_armor"))
    if hero.has("Loner"):
        reasons.append((f"{pair}: loners join nobody.", "d47.skill.loner"))
    if hero.has("Superhuman"):
        reasons.append((f"{pair}: superhumans join nobody.", "d47.skill.superhuman_join"))
    if squad.has("Airborne") and not hero.has("Airborne"):
        reasons.append((f"{pair}: only airborne heroes join airborne units.", "d47.skill.airborne_join"))
    if squad.has("Flying") and not hero.has("Flying"):
        reasons.append((f"{pair}: only flying heroes join flying units.", "d47.skill.flying_join"))
    if hero.has("Gorilla") != squad.has("Gorilla"):
        reasons.append((f"{pair}: gorillas keep to gorillas.", "d47.skill.gorilla"))
    if hero.has("Steel Guard") != squad.has("Steel Guard"):
        reasons.append((f"{pair}: Steel Guards keep to Steel Guards.", "d47.skill.steel_guard_join"))
    if hero.has("Zombie") != squad.has("Zombie") and not leads_the_mindless(hero, squad):
        rule = "d47.skill.mindless_join" if squad.has("Mindless") else "d47.skill.zombie_join"
        reasons.append((f"{pair}: zombies keep to zombies.", rule))
    return reasons


def leads_the_mindless(hero: DustCard, squad: DustCard) -> bool:
    """Mindless zombies may also take a hero with Blutkreuz (d47.skill.mindless_join)."""
    return squad.has("Mindless") and hero.has("Blutkreuz")


def check_pilots(units: tuple[DustUnit, ...], findings: Findings) -> None:
    """Who pilots what; one hero a vehicle (d47.pilot.one_per_vehicle)."""
    by_label = {one.label: one for one in units}
    pilots: dict[str, list[DustUnit]] = {}
    for one in units:
        if one.unit.pilots is None or one.unit.pilots not in by_label:
            continue
        vehicle = by_label[one.unit.pilots]
        pilots.setdefault(vehicle.label, []).append(one)
        for message, rule in why_not_pilot(one.dust, vehicle.dust):
            findings.error(message, rule, one.label)
        if one.unit.joins is not None:
            findings.error(f"{one.title} cannot both join a unit and pilot.", "d47.pilot.combined", one.label)
    for label, heroes in pilots.items():
        if len(heroes) > 1:
            names = " and ".join(one.title for one in heroes)
            message = f"{names} pilot {by_label[label].title}; one pilot is allowed."
            findings.error(message, "d47.pilot.one_per_vehicle", label)


def why_not_pilot(hero: DustCard, vehicle: DustCard) -> list[tuple[str, str]]:
    """Every reason the hero may not pilot the vehicle (d47.pilot.skill_required, d47.skill.pilot_name)."""
    pair = f"{hero.name} may not pilot {vehicle.name}"
    if hero.kind != "hero" or vehicle.kind not in ("vehicle", "aircraft"):
        return [(f"{pair}: heroes pilot vehicles and aircraft.", "d47.pilot.skill_required")]
    reasons: list[tuple[str, str]] = []
    for_aircraft = vehicle.kind == "aircraft"
    names = ("Air Pilot", "Ace Air Pilot") if for_aircraft else ("Pilot", "Ace Pilot")
    skill = next((ref for ref in hero.skills if ref.name in names), None)
    if skill is None:
        needed = " or ".join(names)
        reasons.append((f"{pair}: it needs {needed}.", "d47.pilot.skill_required"))
    elif skill.argument and not same_person(skill.argument, vehicle):
        reasons.append((f"{pair}: {hero.name} pilots only {skill.argument}.", "d47.skill.pilot_name"))
    seat = vehicle.skill("Pilot")
    if seat is not None and seat.argument and not same_person(seat.argument, hero):
        reasons.append((f"{pair}: its pilot is {seat.argument}.", "d47.skill.pilot_name"))
    return reasons


def check_passengers(units: tuple[DustUnit, ...], findings: Findings) -> None:
    """Units that start aboard: room and permission (d47.transport.passenger_spaces,
    d47.transport.start_mounted)."""
    by_label = {one.label: one for one in units}
    aboard: dict[str, list[DustUnit]] = {}
    for one in units:
        carrier = by_label.get(one.unit.mounted_in or "")
        if carrier is None:
            continue
        if one.unit.joins is not None or one.unit.pilots is not None:
            message = f"{one.title} rides with the unit it joined; only that unit is mounted."
            findings.error(message, "d47.transport.start_mounted", one.label)
            continue
        riders = [one, *(hero for hero in units if hero.unit.joins == one.label)]
        for message, rule in why_not_ride(one.dust, carrier.dust):
            findings.error(message, rule, one.label)
        aboard.setdefault(carrier.label, []).extend(riders)
    for label, riders in aboard.items():
        check_room(by_label[label], riders, findings)


def why_not_ride(rider: DustCard, carrier: DustCard) -> list[tuple[str, str]]:
    """Every reason the unit may not start aboard."""
    pair = f"{rider.name} cannot start in {carrier.name}"
    if carrier.has("Sealifter"):
        if rider.size == "huge" or rider.kind in ("aircraft", "fortification"):
            return [(f"{pair}: sealifters take infantry and vehicles up to large.", "d47.sealift.capacity")]
        return []
    if rider.kind == "vehicle":
        if carrier.has("Airlifter") and (rider.has("Airmobile") or rider.has("Air Assault")):
            return []
        return [(f"{pair}: only airlifters carry vehicles, and only airmobile ones.", "d47.airlift.who")]
    if rider.kind not in ("infantry", "support", "hero"):
        return [(f"{pair}: only infantry rides.", "d47.transport.passenger_spaces")]
    if rider.has("Zombie"):
        return [(f"{pair}: zombies are never passengers.", "d47.skill.zombie_transport")]
    if carrier.skill("Passengers") is None:
        return [(f"{pair}: it has no room for passengers.", "d47.transport.passenger_spaces")]
    return []


def check_room(carrier: DustUnit, riders: list[DustUnit], findings: Findings) -> None:
    """Spaces taken and given (d47.transport.passenger_spaces, d47.sealift.capacity,
    d47.open.airlift_capacity)."""
    card = carrier.dust
    vehicles = [one for one in riders if one.dust.kind == "vehicle"]
    if card.has("Sealifter"):
        room, rule = SEALIFTER_SPACES, "d47.sealift.capacity"
    else:
        skill = card.skill("Passengers")
        room, rule = (skill.number if skill else 0), "d47.transport.passenger_spaces"
        if len(vehicles) > 1:
            findings.error(f"{card.name} lifts one vehicle at a time.", "d47.open.airlift_capacity", carrier.label)
        riders = [one for one in riders if one.dust.kind != "vehicle"]
    needed = sum(spaces(one) for one in riders)
    if needed > room:
        findings.error(f"{carrier.title} has {room} spaces, its riders need {needed}.", rule, carrier.label)


def spaces(one: DustUnit) -> int:
    """Spaces a unit takes: one a soldier of armour 1 or 2, two of armour 3 or 4, vehicles by size."""
    card = one.dust
    if card.kind == "vehicle":
        return 12 if card.size == "large" else 6
    extra = sum(1 for option in one.options if option.adds_soldier)
    return (card.models + extra) * (2 if card.armour >= 3 else 1)


# Platoons


def check_platoons(army: Army, units: tuple[DustUnit, ...], findings: Findings) -> None:
    """Platoons are optional, but complete (d47.platoon.optional, d47.platoon.multiple)."""
    charts = platoon_charts()
    for label, chart_id in army.platoons.items():
        chart = charts.get(chart_id)
        if chart is None:
            hint = nearest(chart_id, charts)
            wanted = f"did you mean {' or '.join(hint)}?" if hint else "see the platoons of the cards."
            findings.error(f"There is no platoon chart {chart_id!r}; {wanted}", "d47.platoon.composition")
            continue
        members = [one for one in units if one.unit.platoon == label]
        if chart.bloc not in (None, army.bloc, MERCENARIES):
            message = f"{chart.name} is a chart of {chart.bloc}, the list is of {army.bloc}."
            findings.error(message, "d47.platoon.composition")
        for message, rule in platoon_faults(chart, members):
            findings.error(message, rule)


def platoon_faults(chart: PlatoonChart, members: list[DustUnit]) -> list[tuple[str, str]]:
    """What keeps a platoon from being complete (d47.platoon.composition, d47.platoon.mercenary_swap)."""
    command = [one for one in members if one.unit.role == "command"]
    combat = [one for one in members if one.unit.role == "combat"]
    faults: list[tuple[str, str]] = []
    if len(command) != 1:
        message = f"{chart.name} needs one command unit and has {len(command)}."
        faults.append((message, "d47.platoon.composition"))
    if not chart.combat:
        if not 2 <= len(combat) <= 4:
            message = f"{chart.name} needs two to four combat units and has {len(combat)}."
            faults.append((message, "d47.platoon.composition"))
        return faults
    if chart.command and command and command[0].card.id not in chart.command.one_of:
        names = ", ".join(chart.command.one_of)
        faults.append((f"{chart.name}: {command[0].title} cannot command; expected {names}.", "d47.platoon.optional"))
    unfilled, strangers = fill_sections(chart.combat, combat)
    swaps = [one for one in strangers if unfilled and any(may_replace(one.dust, s) for s in unfilled)]
    if len(swaps) > 1:
        message = f"{chart.name}: {len(swaps)} mercenary replacements; one is allowed."
        faults.append((message, "d47.platoon.mercenary_swap"))
    for one in strangers:
        if one not in swaps:
            faults.append((f"{chart.name} has no combat place for {one.title}.", "d47.platoon.composition"))
    for section in unfilled[len(swaps) :]:
        names = ", ".join(section.one_of)
        faults.append((f"{chart.name} lacks {section.section}: one of {names}.", "d47.platoon.optional"))
    return faults


def fill_sections(sections: tuple[Section, ...], combat: list[DustUnit]) -> tuple[list[Section], list[DustUnit]]:
    """Put units into sections, the pickiest sections first; what stays empty and who finds no place."""
    left = list(combat)
    unfilled: list[Section] = []
    for section in sorted(sections, key=lambda one: len(one.one_of)):
        filler = next((one for one in left if one.card.id in section.one_of), None)
        if filler is None:
            unfilled.append(section)
        else:
            left.remove(filler)
    return unfilled, left


def may_replace(card: DustCard, section: Section) -> bool:
    """A mercenary of the same type, at least as well armoured (d47.platoon.mercenary_swap)."""
    if not card.is_mercenary:
        return False
    cards = dust_catalogue()
    replaced = [cards[name] for name in section.one_of if name in cards]
    return any(card.armour_type == one.armour_type and card.armour >= one.armour for one in replaced)
