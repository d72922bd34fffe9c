"""Finding our cards for the units of a roster: by name, side, points and weapons; nothing is ever dropped."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from dieselfront.forces.armies import Army, ArmyUnit
from dieselfront.forces.battlescribe.rosters import MAX_UNITS, Choice, Roster
from dieselfront.forces.catalogue import Card
from dieselfront.forces.errors import ForcesError, nearest
from dieselfront.forces.families import catalogued, family, names
from dieselfront.forces.family import CardFamily
from dieselfront.forces.skills import slug

Cards = CardFamily[Any, Any]

MANY = 60
"""For so many unmatched units the nearest cards are looked up."""


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
    game = family(ruleset) if ruleset else guess_game(roster)
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
            sides.append(game.side(card))
            for _ in range(min(choice.count, 20)):
                units.append(game.roster_unit(choice, card, captured, warnings))
    if len(units) > MAX_UNITS:
        raise ForcesError(f"The roster has {len(units)} units; lists have at most {MAX_UNITS}.")
    return ImportedArmy(army_of(roster, game, units, sides, total), tuple(unmatched), tuple(warnings))


def guess_game(roster: Roster) -> Cards:
    """The game by its name, or by which catalogue knows most of the units."""
    text = f"{roster.game} {roster.name} {' '.join(force.catalogue for force in roster.forces)}"
    named = game_named(text)
    if named is not None:
        return named
    units = every_unit(roster)
    return max(catalogued(), key=lambda game: sum(best_card(one, game, "") is not None for one in units))


def game_named(text: str) -> Cards | None:
    """The game that a text names by one of its words; the longest such word decides."""
    lower = text.lower()
    signs = [(len(word), name) for name in names() for word in family(name).roster_words if word in lower]
    return family(max(signs, key=lambda sign: sign[0])[1]) if signs else None


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


def side_in(text: str, game: Cards) -> str:
    """The bloc or nation a catalogue's name speaks of; none for captured vehicles, who are everybody's."""
    plain = text.lower().replace("_", " ")
    if "captured" in plain:
        return ""
    return next((side for side in game.catalogue.sides() if side.lower() in plain), "")


def names_below(choice: Choice) -> set[str]:
    names = {slug(one.name) for one in choice.below}
    for one in choice.below:
        names |= names_below(one)
    return names


def best_card(choice: Choice, game: Cards, side: str) -> Card | None:
    """The card that fits best: the right name first, then side, version, points and weapons."""
    wanted = slug(choice.name)
    below = names_below(choice)
    cards: list[Card] = list(game.catalogue.named(choice.name))
    if not cards:
        return None
    if side:
        own = [card for card in cards if game.side(card) == side or game.is_mercenary(card)]
        cards = own or cards
    return max(cards, key=lambda card: likeness(game, card, choice, wanted, below))


def likeness(game: Cards, card: Any, choice: Choice, wanted: str, below: set[str]) -> tuple[int, int, int, int]:
    points = round(choice.total() / max(1, choice.count))
    known = game.prices(card)
    version = slug(card.name) in below or version_sign(card) in below
    armed = sum(slug(name) in below for name in game.weapon_names(card))
    return (int(version), int(points in known), armed, int(slug(card.name) == wanted))


def version_sign(card: Card) -> str:
    """Versions are also known by what stands in their brackets: "With Panzerfaust"."""
    match = re.search(r"\(([^()]+)\)$", card.name)
    return slug(match[1]) if match else "none"


def leftover(choice: Choice, game: Cards, side: str, look: bool) -> Unmatched:
    """A unit nobody knows; the nearest cards are looked up unless there are too many such units."""
    cards = [card for card in game.catalogue if not side or game.side(card) == side]
    by_name = {card.name: card.id for card in reversed(cards)}
    close = nearest(choice.name, by_name) if look else ()
    return Unmatched(choice.name, round(choice.total()), side, tuple(by_name[name] for name in close))


def check_price(choice: Choice, card: Card, ours: int, warnings: list[str]) -> None:
    theirs = round(choice.total() / max(1, choice.count))
    if theirs and theirs != ours:
        warnings.append(f"{choice.name}: {theirs} points in the roster, {ours} with our card {card.id}.")


def army_of(roster: Roster, game: Cards, units: list[ArmyUnit], sides: list[str], total: float) -> Army:
    """The list itself; its side is the one most of its units belong to."""
    counts = {side: sides.count(side) for side in dict.fromkeys(sides)}
    ranked = sorted(counts, key=lambda side: (side == "Mercenaries", -counts[side]))
    side = ranked[0] if ranked else None
    limit = round(roster.limit) if roster.limit > 0 else round(total)
    points = max(0, min(limit, 100_000))
    return game.army(clean(roster.name), points, tuple(units), side, None)


def clean(name: str) -> str:
    """A roster's name as the name of a list: one line, no control characters."""
    plain = "".join(sign for sign in name if sign.isprintable()).strip()
    return plain[:120] or "Imported army"
