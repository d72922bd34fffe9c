"""Dust catalogues of BattleScribe as cards: units, their variants, weapons, options, captured vehicles."""

from __future__ import annotations

import re

import msgspec

from dieselfront.forces.battlescribe.library import Library, Profile
from dieselfront.forces.battlescribe.safe import Node
from dieselfront.forces.crews import rank
from dieselfront.forces.dust import ARMOUR_CLASSES, DustWeapon
from dieselfront.forces.dust_files import CardEntry, OptionEntry, WeaponEntry, slug
from dieselfront.forces.skills import read_skill

KINDS = {"Heroes": "hero", "Infantry": "infantry", "Vehicle": "vehicle", "Aircraft": "aircraft"}
MOUNTS = ("front", "turret", "left", "right", "rear")
ONE_SHOT = ("Panzerfaust", "Panzerfaust 100", "Flammfaust", "RPG", "X-4 Missile", "Gliding Bomb")
CAPTURED = ("Captured Vehicles", "Captured Walkers")
"""Catalogues that only say for how much a vehicle of another bloc may be had."""
BLOCS = {"Mercs": "Mercenaries"}
"""Catalogues that go by a short name."""
FACTION_RULES = ("USMC", "Spetsnaz", "Blutkreuz Korps", "Fallschirmjäger")
"""Factions that older files write among the rules of a unit."""
SHORT_NAMES = {"AMP": "Amphibious"}
_CELL = re.compile(r"^(\*{1,4}|\d{1,2})/(#|\d{1,2})$")
_RANGE = re.compile(r"^(C|\d{1,3}|\d{1,3}-\d{1,3})$")
_ARMOUR = re.compile(r"^(S[1-4]|V[1-7]|A[1-3])$")
_MOUNTED = re.compile(r"^(?P<name>.+?)\s*\((?P<mount>Front|Turret|Left|Right|Rear)\)$", re.IGNORECASE)


class Draft(msgspec.Struct):
    """A unit as one choice of an entry gives it, before variants are merged or told apart."""

    name: str
    kind: str
    profile: dict[str, str]
    points: int
    limit: int | None
    skills: list[str]
    weapons: list[WeaponEntry]
    notes: list[str]

    def likeness(self) -> tuple[object, ...]:
        """What two drafts must share to be one card."""
        stats = {key: value for key, value in self.profile.items() if key != "Faction"}
        return (sorted(stats.items()), self.points, self.limit, sorted(self.skills), self.weapons)


class Imported(msgspec.Struct):
    """Cards read from catalogues, by bloc, and what could not be read."""

    cards: dict[str, list[CardEntry]]
    warnings: list[str]


def read_dust(library: Library) -> Imported:
    """Every unit of the catalogues; the list of captured vehicles is folded into the home units."""
    result = Imported({}, [])
    for root in library.catalogues:
        if root.get("name") not in CAPTURED:
            bloc = BLOCS.get(root.get("name"), root.get("name"))
            result.cards[bloc] = read_catalogue(library, root, bloc, result.warnings)
    for root in library.catalogues:
        if root.get("name") in CAPTURED:
            fold_captured(library, root, result)
    return result


def read_catalogue(library: Library, root: Node, bloc: str, warnings: list[str]) -> list[CardEntry]:
    cards: list[CardEntry] = []
    taken: set[str] = set()
    for entry in top_entries(library, root):
        for card in read_entry(library, entry, bloc, warnings):
            card.id = free_id(card.id, taken)
            cards.append(card)
    return cards


def top_entries(library: Library, root: Node) -> list[Node]:
    """What the catalogue offers at the top: its entries and the shared ones it links to."""
    entries = list(root.inside("selectionEntries"))
    for link in root.inside("entryLinks"):
        target = library.target(link)
        if target is not None and target.tag == "selectionEntry":
            entries.append(target)
    return entries


def free_id(name: str, taken: set[str]) -> str:
    id_of_card, number = name, 2
    while id_of_card in taken:
        id_of_card, number = f"{name}-{number}", number + 1
    taken.add(id_of_card)
    return id_of_card


def read_entry(library: Library, entry: Node, bloc: str, warnings: list[str]) -> list[CardEntry]:
    """The card or cards of an entry: variants that differ only in faction are one card."""
    variants = variant_nodes(library, entry)
    if unit_profile(library, entry) is not None:
        drafts = [draft_of(library, entry, None)]
        drafts[0].profile["Faction"] = drafts[0].profile.get("Faction", "")
        drafts += [alternate for alternate in (draft_of(library, entry, node) for node in variants) if alternate]
    else:
        drafts = [draft_of(library, entry, node) for node in variants]
    if not drafts:
        warnings.append(f"{bloc}: {entry.get('name')} has no table of values and is left out.")
        return []
    like = drafts[0].likeness()
    if all(draft.likeness() == like for draft in drafts):
        return [card_of(library, entry, drafts, bloc, entry.get("name"), None, warnings)]
    return [
        card_of(library, entry, [one], bloc, variant_name(entry, one), entry.get("name"), warnings) for one in drafts
    ]


def variant_name(entry: Node, draft: Draft) -> str:
    """A variant that does not say whose it is gets the entry's name in front."""
    base = entry.get("name")
    words = set(re.findall(r"\w+", draft.name.lower()))
    if draft.name.lower().startswith(("with ", "without ")) or not words:
        return f"{base} ({draft.name})"
    return draft.name


def variant_nodes(library: Library, entry: Node) -> list[Node]:
    """Choices below an entry that carry a unit's table of values and are not mere additions to it."""
    nodes: list[Node] = []
    for group in entry.inside("selectionEntryGroups"):
        if is_optional(group):
            continue
        for node in group.inside("selectionEntries"):
            if unit_profile(library, node) is not None:
                nodes.append(node)
    return nodes


def is_optional(node: Node) -> bool:
    return limit_of(node, "min") in (None, 0)


def limit_of(node: Node, kind: str, scopes: tuple[str, ...] = ("parent",)) -> int | None:
    """The least or greatest number of selections in a scope."""
    for one in node.inside("constraints"):
        if one.get("type") == kind and one.get("field") == "selections" and one.get("scope") in scopes:
            return whole(one.get("value"))
    return None


def whole(text: str) -> int | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return int(number) if abs(number) < 1_000_000 else None


def unit_profile(library: Library, node: Node) -> Profile | None:
    """The table of a unit: it has an armour."""
    return next((one for one in library.profiles(node) if "Armour" in one.values), None)


def weapon_profile(library: Library, node: Node) -> Profile | None:
    return next((one for one in library.profiles(node) if "Range" in one.values and "S1" in one.values), None)


def draft_of(library: Library, entry: Node, variant: Node | None) -> Draft:
    """The unit that choosing this variant of the entry gives."""
    holder = variant if variant is not None else entry
    profile = unit_profile(library, holder)
    assert profile is not None
    notes: list[str] = []
    own = weapons_of(library, entry, notes)
    skills = library.rules(entry)
    points = points_of(entry)
    limits = [limit_of(entry, "max", ("roster", "force", "parent"))]
    if variant is not None:
        extra = weapons_of(library, variant, notes)
        repeated = {one.name for one in own} & {one.name for one in extra}
        own = extra if repeated else own + extra
        skills = skills + [name for name in library.rules(variant) if name not in skills]
        points += points_of(variant)
        limits.append(limit_of(variant, "max", ("roster", "force")))
    numbers = [limit for limit in limits if limit is not None]
    limit = min(numbers) if numbers else None
    return Draft(holder.get("name"), profile.type_name, dict(profile.values), points, limit, skills, own, notes)


def points_of(node: Node) -> int:
    return sum(whole(one.get("value")) or 0 for one in node.inside("costs"))


def weapons_of(library: Library, node: Node, notes: list[str]) -> list[WeaponEntry]:
    """The weapons an entry always has: entries below it that must be taken and carry a weapon's table."""
    weapons = [
        weapon_entry(one.name, one, 1, [], notes)
        for one in library.profiles(node)
        if "Range" in one.values and "S1" in one.values and unit_like(library, node)
    ]
    for child, link in children(library, node):
        profile = weapon_profile(library, child)
        least = (limit_of(link, "min") if link is not None else None) or limit_of(child, "min")
        if profile is None and not unit_like(library, child) and least:
            profile = same_named(library, child.get("name"))
            if profile is not None:
                notes.append(f"{child.get('name')}: named without numbers; those of the same name taken.")
        if profile is not None and least:
            rules = library.rules(child) + (library.rules(link) if link is not None else [])
            weapons += at_both_sides(weapon_entry(child.get("name"), profile, least, rules, notes), profile, notes)
    return weapons


def at_both_sides(weapon: WeaponEntry, profile: Profile, notes: list[str]) -> list[WeaponEntry]:
    """A pair mounted at the sides is one weapon on the left and one on the right."""
    if profile.values.get("Mount", "").strip().lower() != "side" or weapon.count % 2:
        return [weapon]
    notes.append(f"{weapon.name} mount: Side in the file; one taken on the left, one on the right.")
    half = weapon.count // 2
    return [msgspec.structs.replace(weapon, mount=mount, count=half) for mount in ("left", "right")]


def unit_like(library: Library, node: Node) -> bool:
    return unit_profile(library, node) is not None


def same_named(library: Library, name: str) -> Profile | None:
    """A shared weapon table of that name, for entries that forgot to link theirs."""
    node = library.shared_profiles.get(name)
    profile = library.profile(node) if node is not None else None
    return profile if profile is not None and "Range" in profile.values else None


def children(library: Library, node: Node) -> list[tuple[Node, Node | None]]:
    """Entries directly below, with the link that brought them, if one did."""
    library.toil()
    pairs: list[tuple[Node, Node | None]] = [(one, None) for one in node.inside("selectionEntries")]
    for link in node.inside("entryLinks"):
        target = library.target(link)
        if target is not None and target.tag == "selectionEntry":
            pairs.append((target, link))
    return pairs


def weapon_entry(title: str, profile: Profile, count: int, rules: list[str], notes: list[str]) -> WeaponEntry:
    """A weapon line from its table; single shots and volleys get their ammunition."""
    full_name = " ".join((profile.name or title).split())
    match = _MOUNTED.match(full_name)
    name = match["name"] if match else full_name
    mount = profile.values.get("Mount", "").strip().lower() or (match["mount"].lower() if match else "")
    if mount == "turret":
        name = name.removesuffix(" Turret")
    reach = profile.values.get("Range", "").strip().replace(" ", "").upper()
    if not _RANGE.match(reach):
        notes.append(f"{name} range: {reach or 'blank'} in the file; C taken.")
        reach = "C"
    ammo = None
    if "Volley" in rules:
        notes.append(f"{name} ammo: {count} in the file; taken as one weapon with {count} ammo boxes.")
        count, ammo = 1, count
    elif name in ONE_SHOT:
        notes.append(f"{name} ammo: no number in the file; 1 taken for each.")
        ammo = 1
    return WeaponEntry(
        name=name,
        vs=cells_of(name, profile, notes),
        range=reach,
        count=count,
        mount=mount if mount in MOUNTS else None,  # type: ignore[arg-type]
        rules=tuple(dict.fromkeys(rules)),
        ammo=ammo,
    )


def cells_of(name: str, profile: Profile, notes: list[str]) -> dict[str, str]:
    """The weapon's table; signs nobody knows are noted."""
    cells: dict[str, str] = {}
    for armour in ARMOUR_CLASSES:
        text = profile.values.get(armour, "").strip().replace("☠", "#")
        if text in ("", "-"):
            continue
        plain = text.replace("¤", "#").replace("/+", "/#").rstrip("/")
        if not _CELL.match(plain):
            notes.append(f"{name} against {armour}: {text[:20]!r} in the file cannot be read; none taken.")
            continue
        if plain != text:
            notes.append(f"{name} against {armour}: {text} in the file; {plain} taken.")
        cells[armour] = plain
    return cells


def kind_of(drafts: list[Draft], category: str, armour: str) -> str:
    """The kind of unit, from the kind of its table and its place in the roster."""
    if category.startswith("Aircraft") or armour.startswith("A"):
        return "aircraft"
    if category == "Fortification":
        return "fortification"
    known = KINDS.get(drafts[0].kind)
    if known:
        return known
    if "Support" in drafts[0].kind or category == "Support Weapon":
        return "support"
    if armour.startswith("V"):
        return "vehicle"
    return "hero" if "Damage Track" in drafts[0].profile else "infantry"


def card_of(
    library: Library,
    entry: Node,
    drafts: list[Draft],
    bloc: str,
    name: str,
    variant_of: str | None,
    warnings: list[str],
) -> CardEntry:
    draft = drafts[0]
    notes = list(dict.fromkeys(draft.notes))
    category = next(iter(library.category_names(entry)), "")
    armour = lettered(draft.profile.get("Armour", "").strip().upper(), category)
    if not _ARMOUR.match(armour):
        warnings.append(f"{bloc}: {name} has the armour {armour[:20]!r}, which is none; S1 taken.")
        armour = "S1"
    kind = kind_of(drafts, category, armour)
    factions = [one.profile.get("Faction", "").strip() for one in drafts]
    named = [one for text in factions for one in split_factions(text)]
    named += [text for text in draft.skills if text in FACTION_RULES]
    track = number(draft.profile.get("Damage Track", ""))
    is_support = any(read_skill(text).name == "Support Weapon" for text in draft.skills)
    is_squad = kind == "infantry" and not is_support
    return CardEntry(
        id=slug(f"{bloc} {name}"),
        name=" ".join(name.split()),
        kind=kind,  # type: ignore[arg-type]
        armour=armour,
        move=number(draft.profile.get("Move", "")),
        march=number(draft.profile.get("March Move", "")),
        points=max(0, draft.points),
        bloc=bloc,
        damage=0 if is_squad else max(1, track),
        models=squad_size(draft.weapons) if is_squad else None,
        factions=tuple(dict.fromkeys(named)),
        bloc_wide=any(not split_factions(text) for text in factions),
        unique=draft.limit == 1,
        max_in_army=draft.limit if draft.limit and draft.limit > 1 else None,
        variant_of=variant_of,
        skills=tuple(text for text in dict.fromkeys(draft.skills) if text not in FACTION_RULES),
        weapons=tuple(draft.weapons),
        options=options_of(library, entry, notes),
        notes=tuple(notes),
    )


def lettered(armour: str, category: str) -> str:
    """An armour written without its letter has that of its place in the roster."""
    letter = {"Vehicle": "V", "Aircraft": "A", "Infantry": "S"}.get(category.partition(" ")[0], "")
    return f"{letter}{armour}" if armour.isdigit() else armour


def split_factions(text: str) -> list[str]:
    words = [one.strip() for one in re.split(r"[,/]| and ", text) if one.strip() not in ("", "-", "Bloc")]
    return words


def number(text: str) -> int:
    """A value of a table; dashes and blanks are 0."""
    match = re.match(r"\d{1,3}", text.strip())
    return int(match[0]) if match else 0


def squad_size(weapons: list[WeaponEntry]) -> int:
    """How many soldiers the weapons make: guns first; second weapons make nobody."""
    lines = [DustWeapon("", one.name, one.count, {}, close=one.range == "C") for one in weapons]
    guns = sum(line.count for line in lines if rank(line) == 0)
    others = max((line.count for line in lines if rank(line) > 0), default=0)
    return max(1, guns, others)


def options_of(library: Library, entry: Node, notes: list[str]) -> tuple[OptionEntry, ...]:
    """What the unit may buy: optional groups and optional single entries."""
    groups = list(entry.inside("selectionEntryGroups"))
    groups += [
        target
        for target in map(library.target, entry.inside("entryLinks"))
        if target is not None and target.tag == "selectionEntryGroup"
    ]
    options: list[OptionEntry] = []
    for group in groups:
        if is_optional(group) or not any(unit_like(library, one) for one, _ in children(library, group)):
            options += [option_of(library, one, group.get("name"), notes) for one, _ in children(library, group)]
    for one, link in children(library, entry):
        least = (limit_of(link, "min") if link is not None else None) or limit_of(one, "min")
        if not least and weapon_profile(library, one) is None:
            options.append(option_of(library, one, "Options", notes))
    return tuple(options)


def option_of(library: Library, node: Node, group: str, notes: list[str]) -> OptionEntry:
    profile = unit_profile(library, node)
    armour = profile.values.get("Armour", "").strip().upper() if profile else ""
    name = SHORT_NAMES.get(node.get("name"), node.get("name"))
    return OptionEntry(
        name=name,
        group=group,
        points=max(0, points_of(node)),
        armour=armour if _ARMOUR.match(armour) else None,
        move=number(profile.values.get("Move", "")) if profile else 0,
        march=number(profile.values.get("March Move", "")) if profile else 0,
        skills=tuple(dict.fromkeys(library.rules(node))) if profile else (),
        weapons=tuple(weapons_of(library, node, notes)),
    )


def fold_captured(library: Library, root: Node, result: Imported) -> None:
    """The list of captured vehicles names the home bloc and the price."""
    homes = {name: {one.name: one for one in cards} for name, cards in result.cards.items()}
    for entry in top_entries(library, root):
        bloc = next(iter(library.category_names(entry)), "")
        home = homes.get(bloc, {}).get(" ".join(entry.get("name").split()))
        if home is None:
            result.warnings.append(
                f"{root.get('name')}: {entry.get('name')} of {bloc or 'no bloc'} has no home card here."
            )
            continue
        home.captured_ap = points_of(entry)
        home.captured_by = tuple(other for other in ("Allies", "Axis", "SSU") if other != bloc)
