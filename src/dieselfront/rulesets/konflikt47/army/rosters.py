"""Units of rosters of other programs as units of ours: experience, size and choices."""

from __future__ import annotations

import re

from dieselfront.forces.armies import ArmyUnit
from dieselfront.forces.battlescribe.match import check_price
from dieselfront.forces.battlescribe.rosters import Choice
from dieselfront.forces.errors import ForcesError
from dieselfront.forces.skills import slug
from dieselfront.rulesets.konflikt47.army.cards import KonfliktCard, KonfliktOption, build

_LEVEL = re.compile(r"^(inexperienced|regular|veteran)(?: \(vehicle\))?$")


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
    models = next((one.count for one in choice.below if one.name.lower() == "models"), 0)
    if models:
        return min(models, card.models_max)
    men = sum(one.count for one in choice.below if one.kind == "model")
    if not men:
        adding = {slug(one.name) for one in card.options if one.adds_model}
        men = sum(one.count for one in choice.below if slug(one.name) in adding or slug(one.name) == "nco")
    if men <= card.models_min or card.vehicles:
        return None
    return min(men, card.models_max)
