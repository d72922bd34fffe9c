"""Forces and scenarios on their way into a game's header: cards inlined, heroes with their units, boards checked.

What may be bought is said by the forces room; how units are made of it by setup.py (d47.hero.*, d47.pilot.*).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from dieselfront.forces import DustCard, dust_catalogue
from dieselfront.forces.armies import Army
from dieselfront.forces.dust_check import advantage
from dieselfront.forces.dust_units import DustUnit, fielded_card
from dieselfront.forces.muster import muster
from dieselfront.forces.skills import SkillRef
from dieselfront.rulesets.dust1947 import scenario as scenarios
from dieselfront.rulesets.dust1947.scenario import FACING_NAMES, ScenarioError
from dieselfront.table.terrain import TableError, TerrainKind

SIDE_LETTERS = "ab"


def force_from_army(army: Army, side: int) -> dict[str, Any]:
    """The force of a list: each unit with its own card first, then the heroes who joined it, its pilot, its carrier."""
    mustered = muster(army)
    leading = [one for one in mustered if not (one.unit.joins or one.unit.pilots)]
    ids = {one.label: f"{SIDE_LETTERS[side]}{number}" for number, one in enumerate(leading, 1)}
    cards: dict[str, Any] = {}
    gifts = {one.label: advantage(army, one, mustered) for one in mustered}
    units = [_entry(one, mustered, ids, cards, gifts) for one in leading]
    return {"name": army.name, "bloc": army.bloc or "", "cards": cards, "units": units}


def _entry(
    one: DustUnit,
    everybody: tuple[DustUnit, ...],
    ids: dict[str, str],
    cards: dict[str, Any],
    gifts: dict[str, tuple[SkillRef, ...]],
) -> dict[str, Any]:
    """One unit of the force."""
    heroes = [other for other in everybody if other.unit.joins == one.label]
    pilots = [other for other in everybody if other.unit.pilots == one.label]
    entry: dict[str, Any] = {"id": ids[one.label], "cards": [_inline(other, cards, gifts) for other in (one, *heroes)]}
    if pilots:
        entry["pilot"] = _inline(pilots[0], cards, gifts)
    if one.unit.mounted_in:
        entry["aboard"] = ids[one.unit.mounted_in]
    return entry


def _inline(one: DustUnit, cards: dict[str, Any], gifts: dict[str, tuple[SkillRef, ...]]) -> str:
    """Put the card as it takes the field among the force's cards, under a key that tells variants apart."""
    card = _with_advantage(_fielded(one), gifts[one.label])
    for inlined in (card, *_second_profiles(card)):
        cards[inlined.id] = _plain(msgspec.json.encode(inlined))  # as a record will hold it
    return card.id


@lru_cache(maxsize=2048)
def _plain(card: bytes) -> dict[str, Any]:
    """A card as plain data, shared by all headers that hold it and never changed."""
    plain: dict[str, Any] = msgspec.json.decode(card)
    return plain


def _second_profiles(card: DustCard) -> list[DustCard]:
    """Profiles that the card turns into during the game."""
    if not card.has("Possessed"):
        return []
    return [other for other in dust_catalogue() if other.alternate_profile and other.variant_of == card.name]


def _fielded(one: DustUnit) -> DustCard:
    """The card with what was bought for it; its own name where the list gives one."""
    card = fielded_card(one)
    bought = "".join(f"+{option.id}" for option in one.options) + ("+captured" if one.unit.captured else "")
    name = one.unit.name or card.name
    return msgspec.structs.replace(card, id=card.id + bought, name=name, points=one.points)


def _with_advantage(card: DustCard, gift: tuple[SkillRef, ...]) -> DustCard:
    """The card with its platoon's advantage (d47.platoon.advantage)."""
    new = tuple(skill for skill in gift if skill not in card.skills)
    return msgspec.structs.replace(card, id=f"{card.id}+platoon", skills=(*card.skills, *new)) if new else card


def check_scenario(data: dict[str, Any], kinds: dict[str, TerrainKind], where: str) -> None:
    """Set the scenario up once and throw it away: every square, piece and objective must exist."""
    scenario = scenarios.read(data, where)
    try:
        table = scenarios.build(scenario, kinds)
        if len(scenario.deploy) != 2:
            raise ScenarioError(f"{where}: expected 2 deployment areas, one per side, not {len(scenario.deploy)}.")
        for zone in scenario.deploy:
            scenarios.squares(table, zone.squares)
            if zone.facing not in FACING_NAMES:
                raise ScenarioError(f"{where}: nobody can face {zone.facing!r}; expected north, east, south or west.")
        scenarios.forts(scenario, table)
        if len(scenario.entry) not in (0, 2):
            raise ScenarioError(f"{where}: entry names squares for both sides or for none.")
        for squares in scenario.entry:
            scenarios.squares(table, squares)
        known = {objective.name for objective in scenarios.objectives(scenario, table)}
        for name in scenario.goal.hold if scenario.goal else []:
            if name not in known:
                raise ScenarioError(f"{where}: the goal names {name!r}, which is none of its objectives.")
    except TableError as error:
        raise ScenarioError(f"{where}: {error}") from None
