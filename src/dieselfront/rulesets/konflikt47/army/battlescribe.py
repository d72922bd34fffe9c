"""Konflikt '47 catalogues of BattleScribe as cards: prices by experience, models, hulls, weapons, options."""

from __future__ import annotations

import re

import msgspec

from dieselfront.forces.battlescribe.dust import free_id
from dieselfront.forces.battlescribe.library import Library, Profile
from dieselfront.forces.battlescribe.offers import (
    Group,
    Offer,
    Pick,
    cost,
    force_limit,
    offer,
    own_cost,
    per_model_cost,
    pick,
    quality_of,
)
from dieselfront.forces.battlescribe.safe import Node
from dieselfront.forces.dust_files import slug
from dieselfront.rulesets.konflikt47.army.card_files import (
    ProfileEntry,
    RankEntry,
    UnitEntry,
    UnitOptionEntry,
    UnitWeaponEntry,
    VehicleEntry,
)
from dieselfront.rulesets.konflikt47.army.cards import EXPERIENCES

NATIONS = {
    "Great_Britain_and_the_Commonwealth": "Great Britain",
    "The_United_States": "United States",
    "Soviet_Union": "Soviet Union",
}
LENDERS = {"(British)": "Great Britain", "(USA)": "United States"}
KINDS = {
    "Headquarters": "headquarters",
    "Characters": "character",
    "Infantry Squads": "infantry",
    "Free Units": "infantry",
    "Infantry Support Squads": "team",
    "Artillery and Anti-tank Guns": "artillery",
    "Walkers": "walker",
    "Tanks and Tank Destroyers": "vehicle",
    "Assault Guns and Self-Propelled Artillery": "vehicle",
    "Armoured Cars and Anti-Aircraft Vehicles": "vehicle",
    "Transports": "transport",
    "Tows": "transport",
    "Fortifications": "fortification",
}
CLASSES = {"Armored Car": "Armoured Car", "Armored Carrier": "Armoured Carrier"}
RATES = {"tracked": (9, 18), "half_tracked": (9, 18), "wheeled": (12, 24), "walker": (12, 18)}
_MOVEMENT = re.compile(r"(\d+)\"?\s*-\s*(\d+)\"?\s*\((\w[\w-]*)\)")
_DIGITS = re.compile(r"\d+")


class ImportedUnits(msgspec.Struct):
    """Units read from catalogues, by nation, the weapon profiles they use, and what could not be read."""

    cards: dict[str, list[UnitEntry]]
    profiles: dict[str, ProfileEntry]
    warnings: list[str]


def read_konflikt(library: Library) -> ImportedUnits:
    """Every unit of the catalogues."""
    result = ImportedUnits({}, {}, [])
    for root in library.catalogues:
        nation = NATIONS.get(root.get("name"), root.get("name").replace("_", " "))
        result.cards[nation] = read_nation(library, root, nation, result)
    return result


def read_nation(library: Library, root: Node, nation: str, result: ImportedUnits) -> list[UnitEntry]:
    """The units a nation's file offers, then those it defines and does not offer."""
    categories: dict[str, list[str]] = {}
    offers: dict[str, Offer] = {}
    for node in (*root.inside("selectionEntries"), *root.inside("entryLinks")):
        offered = offer(library, node)
        if offered is None:
            result.warnings.append(f"{nation}: {node.get('name')[:60]} is not in these files and is left out.")
            continue
        inner = unwrapped(offered)
        if inner is None:
            continue
        key = inner.nodes[-1].get("id")
        names = [name for one in (*offered.nodes, *inner.nodes) for name in library.category_names(one) if name]
        categories.setdefault(key, []).extend(names)
        offers.setdefault(key, inner)
    listed = set(offers)
    for node in root.inside("sharedSelectionEntries"):
        if node.get("type") == "unit" and node.get("id") not in listed:
            unlisted = offer(library, node)
            if unlisted is not None:
                offers[node.get("id")] = unlisted
    taken: set[str] = set()
    cards: list[UnitEntry] = []
    for key, one in offers.items():
        names = list(dict.fromkeys(categories.get(key, [])))
        card = read_unit_offer(one, nation, names, key not in listed, result)
        card.id = free_id(card.id, taken)
        cards.append(card)
    return cards


def unwrapped(entry: Offer) -> Offer | None:
    """Some units are offered in a wrapper that only gives them a place in the roster; mere upgrades are none."""
    grouped = [one for choice in entry.groups for one in choice.entries if one.kind == "unit"]
    if entry.kind == "unit" and len(grouped) == 1 and not entry.entries:
        return grouped[0]
    if entry.kind in ("unit", "model"):
        return entry
    inner = [one for one in entry.entries if one.kind == "unit"]
    return inner[0] if len(inner) == 1 else None


def read_unit_offer(
    entry: Offer, nation: str, categories: list[str], unlisted: bool, result: ImportedUnits
) -> UnitEntry:
    notes: list[str] = []
    name = entry.nodes[-1].get("name")
    levels = levels_of(entry)
    builds = {level: plain_build(entry, None if level == "fixed" else level) for level in levels}
    plain = builds["regular"] if "regular" in builds else next(reversed(builds.values()))
    prices = {lvl: round(cost(one)) for lvl, one in builds.items()}
    hulls = vehicles_of(entry, notes)
    kind = kind_of(categories, hulls)
    if "fixed" in prices:
        lasting = "regular" if kind in ("artillery", "headquarters") else "veteran"
        notes.append(f"experience: none in the file; {lasting} taken.")
        prices = {lasting: prices["fixed"]}
        builds = {lasting: plain}
    crew = crew_of(plain)
    least, most = (1, 1) if hulls else models_of(entry, plain, crew)
    weapons = weapons_of(entry, plain, result)
    options = options_of(entry, builds, plain)
    rules, model_rules = rules_of(entry, plain)
    lender = next((home for sign, home in LENDERS.items() if name.startswith(sign)), None)
    if least == 0:
        least, most = 1, most + 1
        notes.append("models: none in the file; 1 taken.")
    return UnitEntry(
        id=slug(f"{nation} {name}"),
        name=name,
        kind=kind,  # type: ignore[arg-type]
        points=prices,  # type: ignore[arg-type]
        models_min=least,
        models_max=max(least, most),
        nation=nation,
        crew=crew,
        category=categories[0] if categories else None,
        categories=tuple(categories),
        max_in_army=force_limit(entry.nodes) or None,
        borrowed_from=lender,
        unlisted=unlisted,
        skills=tuple(rules),
        model_skills=tuple(model_rules),
        vehicles=tuple(hulls),
        weapons=tuple(weapons),
        options=tuple(options),
        ranks=tuple(ranks_of(entry)),
        notes=tuple(notes),
    )


def plain_build(entry: Offer, level: str | None) -> Pick:
    """The plainest build, with weapons that cost nothing though nothing compels to take them."""
    built = pick(entry, level)
    for one in entry.entries:
        if one.least == 0 and is_free_weapon(one, built):
            built.below.append(pick(one, level, built))
    return built


def is_free_weapon(one: Offer, built: Pick) -> bool:
    armed = any(weapon_profiles(inner) for inner in (one, *everything(one))) or "Multiple Launcher" in one.rules
    return armed and one.kind == "upgrade" and own_cost(one, built) == 0 and not per_model_cost(one)[1]


def kind_of(categories: list[str], hulls: list[VehicleEntry]) -> str:
    for name in categories:
        if name in KINDS:
            return KINDS[name]
    return "vehicle" if any("Tank" in one.vehicle_class for one in hulls) else "transport"


def everything(entry: Offer) -> list[Offer]:
    """All offers below, in order: entries, then groups."""
    result: list[Offer] = []
    for one in entry.entries:
        result += [one, *everything(one)]
    for choice in entry.groups:
        result += in_group(choice)
    return result


def in_group(choice: Group) -> list[Offer]:
    result: list[Offer] = []
    for one in choice.entries:
        result += [one, *everything(one)]
    for inner in choice.groups:
        result += in_group(inner)
    return result


def levels_of(entry: Offer) -> list[str]:
    """The experiences the unit comes in; one fixed by its profile; "fixed" if the file names none."""
    chosen = {quality_of(one) for one in (*entry.entries, *(e for g in entry.groups for e in g.entries))}
    offered = [level for level in EXPERIENCES if level in chosen]
    if offered:
        return list(offered)
    for one, _ in pick(entry, None).all():
        for profile in one.offer.profiles:
            if profile.type_name in ("Troop Quality", "Vehicle Quality"):
                return [profile.name.lower().split(" ")[0]]
    return ["fixed"]


def crew_of(plain: Pick) -> int | None:
    for one, _ in plain.all():
        for profile in one.offer.profiles:
            if profile.type_name == "Crew" and profile.name.strip().isdecimal():
                return int(profile.name)
        for rule in one.offer.rules:
            match = re.fullmatch(r"Crew \((\d{1,2})\)", rule)
            if match:
                return int(match[1])
    return None


def models_of(entry: Offer, plain: Pick, crew: int | None) -> tuple[int, int]:
    """How many models the unit has at least and at most."""
    least = sum(times for one, times in plain.all() if is_man(one.offer) and one is not plain)
    if least == 0 and entry.kind == "model":
        least = 1
    most = most_models(entry)
    if crew is not None:
        return crew, crew + (most if least == 0 else max(0, most - least))
    if least == 0 and ranks_of(entry):
        return 1, 1 + most
    return least, most


def is_man(one: Offer) -> bool:
    """A figure: an entry of type model, or an upgrade that is a soldier in all but type."""
    return one.kind == "model" or (one.kind == "upgrade" and one.name.startswith(("Soldier", "NCO")))


def most_models(entry: Offer) -> int:
    total = 0
    for one in entry.entries:
        if is_man(one):
            total += one.most or 1
        elif not quality_of(one):
            total += sum(times for inner, times in pick(one, None).all() if inner.offer.kind == "model")
    for choice in entry.groups:
        men = [one for one in choice.entries if is_man(one)]
        if men:
            each = sum(one.most if one.most is not None else 99 for one in men)
            total += min(each, choice.most if choice.most is not None else each)
    return total


def vehicles_of(entry: Offer, notes: list[str]) -> list[VehicleEntry]:
    """The hulls: the unit's own, then those of variants."""
    rows: list[VehicleEntry] = []
    for one in (entry, *everything(entry)):
        for profile in one.profiles:
            if profile.type_name == "Vehicle":
                rows.append(vehicle_of(entry, one, profile, notes))
    return rows


def vehicle_of(whole: Offer, one: Offer, profile: Profile, notes: list[str]) -> VehicleEntry:
    match = _MOVEMENT.search(profile.values.get("Movement", ""))
    if match:
        mode = {"half-tracked": "half_tracked"}.get(match[3].lower(), match[3].lower())
        advance, run = int(match[1]), int(match[2])
    else:
        mode = mode_of(whole.name, one.name)
        advance, run = RATES[mode]
        note = f"movement: blank in the file; {mode.replace('_', '-')} taken from what the vehicle is."
        if note not in notes:
            notes.append(note)
    if mode not in RATES:
        mode = "wheeled"
    kind = profile.values.get("Type", "").strip() or profile.name
    value = _DIGITS.search(profile.values.get("Damage Value", ""))
    carried = profile.values.get("Transport", "").strip()
    return VehicleEntry(
        vehicle_class=vehicle_class(kind),
        damage_value=min(15, max(2, int(value[0][:2]))) if value else 7,
        mode=mode,  # type: ignore[arg-type]
        advance=min(advance, 99),
        run=min(run, 99),
        variant=None if one is whole else one.name,
        transport=seats(carried) if carried else None,
        tow=tow_of(profile.values.get("Tow", "")),
    )


def vehicle_class(kind: str) -> str:
    return "Soft-Skin" if kind.lower().startswith("soft") else CLASSES.get(kind, kind)


def seats(text: str) -> int:
    match = _DIGITS.search(text)
    return min(int(match[0][:4]), 999) if match else 0


def tow_of(text: str) -> tuple[str, ...]:
    parts = [part.strip().lower().rstrip(".") for part in text.split(";")]
    return tuple(part for part in parts if part not in ("", "none"))


HALF_TRACKS = ("half-track", "panzerwerfer", "m16-anti", "m21-mortar")
TRACKED = (
    *("lvt", "kangaroo", "wasp", "bren-carrier", "automated-carrier", "recovery-tractor", "artillery-tractor"),
    *("ro-ke", "so-da", "ho-ro", "ke-nu", "semovente"),
)


def mode_of(name: str, variant: str) -> str:
    """How a vehicle gets about when its file does not say: from its name."""
    if variant.startswith(("Wheeled", "Tracked")):
        return variant.split(",")[0].split(" ")[0].lower()
    words = slug(name)
    if any(word in words for word in HALF_TRACKS):
        return "half_tracked"
    return "tracked" if any(word in words for word in TRACKED) else "wheeled"


# Weapons


def weapon_profiles(one: Offer) -> list[Profile]:
    return [one for one in one.profiles if one.type_name == "Weapon" and one.name != "No Weapon"]


def weapons_of(entry: Offer, plain: Pick, result: ImportedUnits) -> list[UnitWeaponEntry]:
    """Everything the unit can carry; counts are those of the plainest build."""
    carried: dict[tuple[str, ...], int] = {}
    for one, times in plain.all():
        for title, profile in named_profiles(one.offer):
            key = weapon_key(title, profile, one.offer)
            carried[key] = carried.get(key, 0) + times
    rows: dict[tuple[str, ...], UnitWeaponEntry] = {}
    for offered in (entry, *(one.offer for one, _ in plain.all()), *everything(entry)):
        for title, profile in named_profiles(offered):
            shared = shared_profile(profile, result)
            key = weapon_key(title, profile, offered)
            if key not in rows:
                rows[key] = UnitWeaponEntry(
                    name=title,
                    count=carried.get(key, 0),
                    profile=shared.name if shared.name != title else None,
                    rules=key[2:],
                )
    return sorted(rows.values(), key=lambda row: row.count == 0)


def shared_profile(profile: Profile, result: ImportedUnits) -> ProfileEntry:
    """The profile as all units share it; another table of the same name gets a number."""
    entry = profile_entry(profile)
    name, number = entry.name, 2
    while name in result.profiles and not same_table(result.profiles[name], entry):
        name, number = f"{entry.name} {number}", number + 1
    entry.name = name
    return result.profiles.setdefault(name, entry)


def same_table(one: ProfileEntry, other: ProfileEntry) -> bool:
    return (one.range, one.shots, one.pen, one.rules) == (other.range, other.shots, other.pen, other.rules)


def weapon_key(title: str, profile: Profile, offered: Offer) -> tuple[str, ...]:
    """A weapon's name, its table, and the rules its entry adds to those its table names."""
    specials = [rule for one in weapon_profiles(offered) for rule in profile_entry(one).rules]
    extra = [RULE_WORDS.get(rule, rule) for rule in offered.rules if not covered(rule, specials)]
    own = tuple(dict.fromkeys(extra)) if offered.kind == "upgrade" and not offered.entries else ()
    return (title, profile.name.strip(), *own)


def named_profiles(one: Offer) -> list[tuple[str, Profile]]:
    """The weapons of an entry: one goes by the entry's name, several by their own."""
    profiles = weapon_profiles(one)
    if len(profiles) == 1 and one.kind == "upgrade" and not one.entries:
        return [(one.name.strip(), profiles[0])]
    return [(profile.name.strip(), profile) for profile in profiles]


RULE_WORDS = {"Team Weapon": "Team", "High Explosive": "HE", "Flamethrowers": "Flamethrower", "Fixed Weapon": "Fixed"}


def covered(rule: str, specials: list[str]) -> bool:
    """Whether the weapon's own line names the rule already."""
    word = RULE_WORDS.get(rule, rule).lower()
    return any(special.lower().startswith(word) or word.startswith(special.lower()) for special in specials)


def profile_entry(profile: Profile) -> ProfileEntry:
    specials = profile.values.get("Special Rules", "")
    rules = [part.strip() for part in specials.split(",") if part.strip() not in ("", "-")]
    return ProfileEntry(
        name=profile.name.strip(),
        range=inches(profile.values.get("Range", "")),
        shots=(profile.values.get("Shots", "") or "-")[:40],
        pen=(profile.values.get("Penetration", "") or "-")[:40],
        rules=tuple(rules),
    )


def inches(text: str) -> str:
    plain = text.replace('"', "").replace(" ", "")
    return f'{plain}"' if re.fullmatch(r"(?:\d+/)?(?:\d+-)?\d+", plain) and len(plain) < 15 else "-"


# Options


def options_of(entry: Offer, builds: dict[str, Pick], plain: Pick) -> list[UnitOptionEntry]:
    """Every choice of the unit and of its models."""
    rows: list[UnitOptionEntry] = []
    collect(entry, None, plain, dict(builds), rows, 0)
    return rows


def collect(
    entry: Offer,
    carrier: str | None,
    plain: Pick,
    here: dict[str, Pick],
    rows: list[UnitOptionEntry],
    depth: int,
) -> None:
    if depth > 6 or entry.name == "Command Vehicle":
        return
    for one in entry.entries:
        if quality_of(one):
            continue
        if one.most is None or one.most > one.least:
            rows.append(option_of(one, None, carrier, plain, here))
        whose = one.name if one.least == 0 or one.kind == "model" else carrier
        collect(one, whose, plain, inside(one, here), rows, depth + 1)
    for choice in entry.groups:
        collect_group(choice, carrier, plain, here, rows, depth)


def collect_group(
    choice: Group,
    carrier: str | None,
    plain: Pick,
    here: dict[str, Pick],
    rows: list[UnitOptionEntry],
    depth: int,
) -> None:
    for one in choice.entries:
        if quality_of(one):
            continue
        fixed = one.least > 0 and one.most is not None and one.most <= one.least
        alone = len(choice.entries) == 1 and choice.least == choice.most == 1
        if not fixed and not alone:
            rows.append(option_of(one, choice, carrier, plain, here))
        collect(one, one.name, plain, inside(one, here), rows, depth + 1)
    for inner in choice.groups:
        collect_group(inner, carrier, plain, here, rows, depth + 1)


def inside(one: Offer, here: dict[str, Pick]) -> dict[str, Pick]:
    """The selections of an offer as the plainest builds have it, or as taking it would make it."""
    result = {}
    for level, parent in here.items():
        taken = next((child for child in parent.below if child.offer is one), None)
        result[level] = taken or pick(one, level, parent)
    return result


def option_of(
    one: Offer, choice: Group | None, carrier: str | None, plain: Pick, here: dict[str, Pick]
) -> UnitOptionEntry:
    each, per_model = per_model_cost(one)
    prices = {}
    for level, parent in here.items():
        if per_model:
            prices[level] = round(each)
        else:
            trial = pick(one, level, parent)
            gear = sum(cost(child) for child in trial.below)
            prices[level] = round(own_cost(one, parent, trial) + gear)
    values = set(prices.values())
    default = choice is not None and is_default(one, plain, here)
    gear_names = [
        title
        for child, _ in pick(one, None).all()
        if child.offer is not one
        for title, _ in named_profiles(child.offer)
    ]
    return UnitOptionEntry(
        name=one.name,
        points=values.pop() if len(values) == 1 else prices,  # type: ignore[arg-type]
        group=choice.name if choice is not None else None,
        for_model=carrier,
        per_model=per_model,
        max=one.most,
        group_max=choice.most if choice is not None else None,
        default=default,
        adds_model=is_man(one),
        conditional=one.conditional,
        weapons=tuple(dict.fromkeys(gear_names)),
        grants=tuple(one.rules) if not weapon_profiles(one) else (),
    )


def is_default(one: Offer, plain: Pick, here: dict[str, Pick]) -> bool:
    """Whether the plainest build (or its carrier's) has this choice."""
    level = next((level for level, pick_ in here.items() if root_of(pick_) is plain), next(reversed(here)))
    return any(child.offer is one for child in here[level].below)


def root_of(one: Pick) -> Pick:
    while one.parent is not None:
        one = one.parent
    return one


# Rules and ranks


def rules_of(entry: Offer, plain: Pick) -> tuple[list[str], list[str]]:
    """Rules of the unit and its plain models, and those only optional models bring."""
    rules = list(entry.rules)
    for picked, _ in plain.all():
        carrier = picked.offer.kind == "model" or not weapon_profiles(picked.offer)
        if carrier and not quality_of(picked.offer):
            rules += [rule for rule in picked.offer.rules if rule not in rules]
    rules = [rule for rule in rules if not rule.startswith("Crew (")]
    optional: list[str] = []
    for one in everything(entry):
        if one.kind == "model":
            optional += [rule for rule in one.rules if rule not in rules and rule not in optional]
    return rules, optional


def ranks_of(entry: Offer) -> list[RankEntry]:
    rows = []
    for one in (entry, *everything(entry)):
        for profile in one.profiles:
            if profile.type_name == "Rank":
                rows.append(
                    RankEntry(
                        title=one.name,
                        rank=profile.name,
                        morale_bonus=seats(profile.values.get("Morale Bonus", "")),
                        extra_orders=seats(profile.values.get("Extra Orders", "")),
                        range=seats(profile.values.get("Range", "")),
                    )
                )
    return rows
