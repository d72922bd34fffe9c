"""Finding our cards for the units of a roster: by name, side, points and weapons; nothing is ever dropped."""

from __future__ import annotations

import re

import msgspec

from dieselfront.forces.armies import Army, ArmyUnit
from dieselfront.forces.battlescribe.rosters import MAX_UNITS, Choice, Roster
from dieselfront.forces.catalogue import Card, catalogue, side_of
from dieselfront.forces.dust import DustCard
from dieselfront.forces.dust_files import slug
from dieselfront.forces.errors import ForcesError, nearest
from dieselfront.forces.konflikt import KonfliktCard, KonfliktOption, build
from dieselfront.forces.muster import dust_points

SIDES = {
    "dust1947": {"Allies": "Allies", "Axis": "Axis", "SSU": "SSU", "Mercenaries": "Mercenaries", "Mythos": "Mythos"},
    "konflikt47": {
        "Germany": "Germany",
        "United States": "United States",
        "United_States": "United States",
        "Great Britain": "Great Britain",
        "Great_Britain": "Great Britain",
        "Soviet Union": "Soviet Union",
        "Soviet_Union": "Soviet Union",
        "Japan": "Japan",
        "Finland": "Finland",
        "Italy": "Italy",
    },
}
MANY = 60
"""For so many unmatched units the nearest cards are looked up."""
_LEVEL = re.compile(r"^(inexperienced|regular|veteran)(?: \(vehicle\))?$")


class Unmatched(msgspec.Struct, frozen=True):
    """A unit of the roster for which we have no card, with the nearest we have."""

    name: str
    points: int
    side: str
    nearest: tuple[str, ...]


class ImportedArmy(msgspec.Struct, frozen=True):
    """What became of a roster: the list, the units left over, and what was changed on the way."""

    army: Army
    unmatched: tuple[Unmatched, ...]
    warnings: tuple[str, ...]


def import_roster(roster: Roster, ruleset: str | None = None) -> ImportedArmy:
    """The roster as a list of our cards."""
    game = ruleset or guess_ruleset(roster)
    units: list[ArmyUnit] = []
    unmatched: list[Unmatched] = []
    warnings: list[str] = []
    sides: list[str] = []
    total = 0.0
    for force in roster.forces:
        side = side_in(force.catalogue, game)
        captured = "captured" in force.catalogue.lower()
        for choice in force.units:
            total += choice.total()
            if is_setting(choice):
                continue
            card = best_card(choice, game, side)
            if card is None:
                unmatched.append(leftover(choice, game, side, len(unmatched) < MANY))
                continue
            sides.append(side_of(card))
            for _ in range(min(choice.count, 20)):
                units.append(unit_of(choice, card, captured, warnings))
    if len(units) > MAX_UNITS:
        raise ForcesError(f"The roster has {len(units)} units; lists have at most {MAX_UNITS}.")
    return ImportedArmy(army_of(roster, game, units, sides, total), tuple(unmatched), tuple(warnings))


def guess_ruleset(roster: Roster) -> str:
    """The game by its name, or by which catalogue knows more of the units."""
    name = f"{roster.game} {roster.name} {' '.join(force.catalogue for force in roster.forces)}".lower()
    if "konflikt" in name:
        return "konflikt47"
    if "dust" in name:
        return "dust1947"
    hits = {game: sum(best_card(one, game, "") is not None for one in every_unit(roster)) for game in SIDES}
    return max(hits, key=lambda game: hits[game])


def every_unit(roster: Roster) -> list[Choice]:
    return [one for force in roster.forces for one in force.units]


def is_setting(choice: Choice) -> bool:
    """Entries that set something for the whole roster and are no units."""
    return (
        choice.total() == 0
        and choice.kind in ("upgrade", "")
        and choice.name.lower().startswith(
            ("show ", "faction", "configuration", "game type", "force type", "battle size")
        )
    )


def side_in(text: str, ruleset: str) -> str:
    """The bloc or nation a catalogue's name speaks of; none for captured vehicles, who are everybody's."""
    if "captured" in text.lower():
        return ""
    sides = SIDES["konflikt47" if ruleset == "konflikt47" else "dust1947"]
    return next((side for sign, side in sides.items() if sign.lower() in text.lower()), "")


def names_below(choice: Choice) -> set[str]:
    names = {slug(one.name) for one in choice.below}
    for one in choice.below:
        names |= names_below(one)
    return names


def best_card(choice: Choice, ruleset: str, side: str) -> Card | None:
    """The card that fits best: the right name first, then side, version, points and weapons."""
    wanted = slug(choice.name)
    below = names_below(choice)
    found: list[Card] = list(catalogue(ruleset).named(choice.name))
    if not found:
        return None
    if side:
        own = [card for card in found if side_of(card) == side or is_mercenary(card)]
        found = own or found
    return max(found, key=lambda card: likeness(card, choice, wanted, below))


def is_mercenary(card: Card) -> bool:
    return isinstance(card, DustCard) and card.is_mercenary


def likeness(card: Card, choice: Choice, wanted: str, below: set[str]) -> tuple[int, int, int, int]:
    points = round(choice.total() / max(1, choice.count))
    known = prices(card)
    version = slug(card.name) in below or version_sign(card) in below
    armed = sum(slug(weapon.name) in below for weapon in card.weapons)
    return (int(version), int(points in known), armed, int(slug(card.name) == wanted))


def version_sign(card: Card) -> str:
    """Versions are also known by what stands in their brackets: "With Panzerfaust"."""
    match = re.search(r"\(([^()]+)\)$", card.name)
    return slug(match[1]) if match else "none"


def prices(card: Card) -> set[int]:
    if isinstance(card, DustCard):
        extra = {card.captured_ap} if card.captured_ap is not None else set()
        return {card.points, *extra}
    return set(card.points.values())


def leftover(choice: Choice, ruleset: str, side: str, look: bool) -> Unmatched:
    """A unit nobody knows; the nearest cards are looked up unless there are too many such units."""
    cards = [card for card in catalogue(ruleset) if not side or side_of(card) == side]
    by_name = {card.name: card.id for card in reversed(cards)}
    close = nearest(choice.name, by_name) if look else ()
    return Unmatched(choice.name, round(choice.total()), side, tuple(by_name[name] for name in close))


def unit_of(choice: Choice, card: Card, captured: bool, warnings: list[str]) -> ArmyUnit:
    if isinstance(card, DustCard):
        return dust_unit(choice, card, captured, warnings)
    return konflikt_unit(choice, card, warnings)


def dust_unit(choice: Choice, card: DustCard, captured: bool, warnings: list[str]) -> ArmyUnit:
    below = names_below(choice)
    captured = captured or "captured" in below
    options = {option.id: 1 for option in card.options if slug(option.name) in below}
    unit = ArmyUnit(card.id, options=options, captured=captured and card.captured_ap is not None)
    chosen = tuple(option for option in card.options if option.id in options)
    check_price(choice, card, dust_points(card, unit, chosen), warnings)
    return unit


def check_price(choice: Choice, card: Card, ours: int, warnings: list[str]) -> None:
    theirs = round(choice.total() / max(1, choice.count))
    if theirs and theirs != ours:
        warnings.append(f"{choice.name}: {theirs} points in the roster, {ours} with our card {card.id}.")


def konflikt_unit(choice: Choice, card: KonfliktCard, warnings: list[str]) -> ArmyUnit:
    """The unit with its experience, size and choices."""
    level = experience_in(choice) or card.usual_experience
    if level not in card.points:
        warnings.append(f"{choice.name}: our card {card.id} does not come as {level}; {card.usual_experience} taken.")
        level = card.usual_experience
    picks: dict[str, int] = {}
    unknown: list[str] = []
    for one in choice.below:
        collect_picks(one, card, None, picks, unknown)
    models = models_in(choice, card)
    options = {name: min(count, 100) for name, count in picks.items() if not card.option(name).default}
    if unknown:
        warnings.append(f"{choice.name}: no option of {card.id} for {', '.join(dict.fromkeys(unknown))}.")
    unit = ArmyUnit(card.id, experience=level, models=models, options=options)  # type: ignore[arg-type]
    try:
        check_price(choice, card, build(card, level, models, options).points, warnings)
    except ForcesError as error:
        warnings.append(f"{choice.name}: {error} Its options are left out.")
        unit = ArmyUnit(card.id, experience=level, models=models)  # type: ignore[arg-type]
    return unit


def experience_in(choice: Choice) -> str | None:
    for one in choice.below:
        match = _LEVEL.match(one.name.lower())
        if match:
            return match[1]
        inner = experience_in(one)
        if inner:
            return inner
    return None


def collect_picks(
    choice: Choice, card: KonfliktCard, carrier: str | None, picks: dict[str, int], unknown: list[str]
) -> None:
    """Options chosen, each by its name and its carrier's."""
    if _LEVEL.match(choice.name.lower()) or choice.name.lower() == "models":
        return
    option = option_named(card, choice.name, carrier)
    if option is not None:
        picks[option.id] = picks.get(option.id, 0) + choice.count
    elif not is_plain_part(card, choice.name):
        unknown.append(choice.name)
    for one in choice.below:
        collect_picks(one, card, choice.name, picks, unknown)


def option_named(card: KonfliktCard, name: str, carrier: str | None) -> KonfliktOption | None:
    same = [one for one in card.options if slug(one.name) == slug(name)]
    own = [one for one in same if slug(one.for_model or "-") == slug(carrier or "-")]
    free = [one for one in same if one.for_model is None]
    return next(iter(own or free), None)


def is_plain_part(card: KonfliktCard, name: str) -> bool:
    """Weapons every build has, carriers of options, and the plain crew need no option."""
    parts = {slug(weapon.name) for weapon in card.weapons} | {slug(weapon.profile) for weapon in card.weapons}
    parts |= {slug(one.for_model) for one in card.options if one.for_model}
    parts |= {slug(name_) for one in card.options for name_ in one.weapons}
    words = ("nco", "crew", "soldier", "observer", "medic", "officer", "spotter")
    plain = slug(name)
    return plain in parts or any(word in plain for word in words) or plain == slug(card.name)


def models_in(choice: Choice, card: KonfliktCard) -> int | None:
    """The size of the unit, if the roster tells it and it is not the least."""
    told = next((one.count for one in choice.below if one.name.lower() == "models"), 0)
    if told:
        return min(told, card.models_max)
    men = sum(one.count for one in choice.below if one.kind == "model")
    if not men:
        adding = {slug(one.name) for one in card.options if one.adds_model}
        men = sum(one.count for one in choice.below if slug(one.name) in adding or slug(one.name) == "nco")
    if men <= card.models_min or card.vehicles:
        return None
    return min(men, card.models_max)


def army_of(roster: Roster, ruleset: str, units: list[ArmyUnit], sides: list[str], total: float) -> Army:
    """The list itself; its side is the one most of its units belong to."""
    counts = {side: sides.count(side) for side in dict.fromkeys(sides)}
    ranked = sorted(counts, key=lambda side: (side == "Mercenaries", -counts[side]))
    side = ranked[0] if ranked else None
    limit = round(roster.limit) if roster.limit > 0 else round(total)
    return Army(
        ruleset=ruleset,
        name=clean(roster.name),
        points=max(0, min(limit, 100_000)),
        units=tuple(units),
        bloc=side if ruleset != "konflikt47" else None,
        nation=side if ruleset == "konflikt47" else None,
    )


def clean(name: str) -> str:
    """A roster's name as the name of a list: one line, no control characters."""
    plain = "".join(sign for sign in name if sign.isprintable()).strip()
    return plain[:120] or "Imported army"
