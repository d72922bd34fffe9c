"""Konflikt '47 cards: units priced by experience, their weapons, and the choices a player makes when
buying them.

The files that hold the cards are read by `card_files.py`; `build` tells what one bought unit costs and
carries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from dieselfront.forces.errors import ForcesError, nearest
from dieselfront.forces.skills import SkillRef

Experience = Literal["inexperienced", "regular", "veteran"]
EXPERIENCES: tuple[Experience, ...] = ("inexperienced", "regular", "veteran")
KonfliktKind = Literal[
    "headquarters",
    "character",
    "infantry",
    "team",
    "artillery",
    "walker",
    "vehicle",
    "transport",
    "fortification",
]
Mode = Literal["tracked", "half_tracked", "wheeled", "walker"]
Arc = Literal["front", "rear", "left", "right", "all"]
Prices = dict[str, int]
"""A price for each experience a unit comes in."""

TROOP_DAMAGE_VALUE = {"inexperienced": 3, "regular": 4, "veteran": 5}
"""k47.damage.values: infantry and gun crews by experience."""


class KonfliktWeapon(msgspec.Struct, frozen=True, gc=False):
    """A weapon of a unit. `count` is what the plainest build carries; `default` whether that build carries
    it at all.

    Ranges are inches; `indirect_min` is the least range of indirect fire of howitzers. `shots` is a number
    or dice such as D6+1. `pen` is None for weapons that work by high explosive (`he`) or by their own rule
    alone.
    """

    id: str
    name: str
    profile: str
    range_min: int = 0
    range_max: int = 0
    indirect_min: int | None = None
    shots: str = "-"
    pen: int | None = None
    pen_vehicle: int | None = None
    he: str | None = None
    rules: tuple[SkillRef, ...] = ()
    count: int = 0
    default: bool = False
    arc: Arc | None = None

    def has(self, rule: str) -> bool:
        return any(ref.name == rule for ref in self.rules)

    @property
    def range_text(self) -> str:
        if not self.range_max:
            return "close"
        low = f"{self.range_min}-" if self.range_min else f"0/{self.indirect_min}-" if self.indirect_min else ""
        return f'{low}{self.range_max}"'

    @property
    def pen_text(self) -> str:
        if self.pen is None:
            return "HE" if self.he else "special"
        if self.pen_vehicle is not None:
            return f"{self.pen:+d}/{self.pen_vehicle:+d}"
        return f"{self.pen:+d}" if self.pen else "-"


class KonfliktVehicle(msgspec.Struct, frozen=True, gc=False):
    """The hull of a vehicle, or of one variant of it."""

    vehicle_class: str
    damage_value: int
    advance: int
    run: int
    mode: Mode
    variant: str | None = None
    transport: int | None = None
    tow: tuple[str, ...] = ()


class KonfliktOption(msgspec.Struct, frozen=True, gc=False):
    """A choice of a unit. Options of one `group` (of one carrier, `for_model`) exclude each other beyond
    `group_max`; where one of them is the `default`, it is part of the plainest build and the others cost
    the difference."""

    id: str
    name: str
    points: Prices
    group: str | None = None
    for_model: str | None = None
    per_model: bool = False
    points_flat: int = 0
    max: int | None = None
    group_max: int | None = None
    default: bool = False
    adds_model: bool = False
    conditional: bool = False
    weapons: tuple[str, ...] = ()
    grants: tuple[SkillRef, ...] = ()


class Rank(msgspec.Struct, frozen=True, gc=False):
    """A rank an officer may hold: bonus to morale, orders he may snap off, and how far his voice carries."""

    title: str
    rank: str
    morale_bonus: int
    extra_orders: int
    range: int


class KonfliktCard(msgspec.Struct, frozen=True, gc=False):
    """A unit's card. `points` is the price of the plainest build at each experience it comes in."""

    id: str
    name: str
    nation: str
    kind: KonfliktKind
    points: Prices
    models_min: int
    models_max: int
    damage_values: dict[str, int]
    ruleset: str = "konflikt47"
    category: str | None = None
    categories: tuple[str, ...] = ()
    crew: int | None = None
    max_in_army: int | None = None
    vehicles: tuple[KonfliktVehicle, ...] = ()
    skills: tuple[SkillRef, ...] = ()
    model_skills: tuple[SkillRef, ...] = ()
    weapons: tuple[KonfliktWeapon, ...] = ()
    options: tuple[KonfliktOption, ...] = ()
    ranks: tuple[Rank, ...] = ()
    borrowed_from: str | None = None
    unlisted: bool = False
    notes: tuple[str, ...] = ()
    source: str = ""

    def has(self, skill: str) -> bool:
        return any(ref.name == skill for ref in self.skills)

    @property
    def unique(self) -> bool:
        return self.max_in_army == 1

    @property
    def points_per_extra_model(self) -> Prices:
        """What one more of the plainest soldiers costs at each experience; empty if the unit has a fixed size."""
        plain = default_soldier(self) if self.crew is None and not self.vehicles else None
        return dict(plain.points) if plain else {}

    @property
    def experiences(self) -> tuple[Experience, ...]:
        """The experiences this unit comes in, from the rawest up."""
        return tuple(level for level in EXPERIENCES if level in self.points)

    @property
    def usual_experience(self) -> Experience:
        """Regular if the unit comes so, else the best it has."""
        return "regular" if "regular" in self.points else self.experiences[-1]

    def weapon(self, weapon_id: str) -> KonfliktWeapon:
        for weapon in self.weapons:
            if weapon.id == weapon_id:
                return weapon
        raise KeyError(f"{self.name} has no weapon {weapon_id!r}; it has {', '.join(w.id for w in self.weapons)}.")

    def option(self, option_id: str) -> KonfliktOption:
        """The option of that id; raises `ForcesError` with the nearest ids."""
        for option in self.options:
            if option.id == option_id:
                return option
        hint = nearest(option_id, (option.id for option in self.options))
        wanted = f"; did you mean {' or '.join(hint)}?" if hint else "."
        raise ForcesError(f"{self.name} has no option {option_id!r}{wanted}")


class Build(msgspec.Struct, frozen=True, gc=False):
    """One bought unit: what it costs, how many models it has, what they carry (weapon id: how many), extra
    rules."""

    points: int
    models: int
    weapons: dict[str, int]
    rules: tuple[SkillRef, ...]


def build(
    card: KonfliktCard, experience: str, models: int | None = None, options: Mapping[str, int] | None = None
) -> Build:
    """Price and equip a unit: the plainest build, more soldiers, then every chosen option
    (k47.game.platoon)."""
    if experience not in card.points:
        raise ForcesError(f"{card.name} does not come as {experience}; expected {' or '.join(card.experiences)}.")
    picks = [(card.option(option_id), count) for option_id, count in (options or {}).items() if count]
    check_picks(card, picks)
    size = card.models_min if models is None else models
    points = card.points[experience]
    weapons = {weapon.id: weapon.count for weapon in card.weapons if weapon.default}
    rules: list[SkillRef] = []
    plain = default_soldier(card)
    added = sum(count for option, count in picks if option.adds_model and not has_default(card, option))
    if models is None:
        size += added
    extra = size - card.models_min - added
    for option, _ in picks:
        check_carrier(card, option, picks, plain, extra)
    if extra:
        points += extra * (price(plain, experience) if plain else card.points_per_extra_model.get(experience, 0))
        arm(card, weapons, plain, extra)
    for option, count in picks:
        arm(card, weapons, *standard_weapon(card, option, count, picks))
    for option, count in picks:
        points += count * price(option, experience) * (size if option.per_model else 1) + count * option.points_flat
        arm(card, weapons, option, count)
        rules.extend(option.grants)
        replaced = default_of(card, option)
        if replaced is not None and not option.default:
            points -= count * price(replaced, experience)
            arm(card, weapons, replaced, -count)
    return Build(points, size, {name: count for name, count in weapons.items() if count > 0}, tuple(rules))


def standard_weapon(
    card: KonfliktCard, seat: KonfliktOption, count: int, picks: Sequence[tuple[KonfliktOption, int]]
) -> tuple[KonfliktOption | None, int]:
    """What models bought without a weapon of their own carry unless another is chosen, its price in theirs."""
    replaced = default_of(card, seat)
    brings_none = seat.adds_model and not seat.weapons and not seat.default
    if not brings_none or (replaced is not None and not replaced.weapons):
        return None, 0
    carried = [other for other in card.options if other.default and other.for_model == seat.name]
    if not carried:
        return None, 0
    chosen = sum(number for other, number in picks if other is carried[0])
    return carried[0], max(0, count - chosen)


def check_picks(card: KonfliktCard, picks: Sequence[tuple[KonfliktOption, int]]) -> None:
    """No option more often than its own limit and its group's allow."""
    for option, count in picks:
        if count < 0:
            raise ForcesError(f"{card.name}: option {option.id!r} is taken {count} times; expected 1 or more.")
        if option.max is not None and count > option.max:
            raise ForcesError(
                f"{card.name}: option {option.id!r} is taken {count} times; at most {option.max} allowed."
            )
        group = [(other, number) for other, number in picks if same_group(option, other)]
        carriers = carriers_of(card, option)
        if option.group_max is not None and sum(number for _, number in group) > option.group_max * carriers:
            names = ", ".join(other.id for other, _ in group)
            raise ForcesError(
                f"{card.name}: {names} together are more than the {option.group_max} of {option.group!r}."
            )


def check_carrier(
    card: KonfliktCard,
    option: KonfliktOption,
    picks: Sequence[tuple[KonfliktOption, int]],
    plain: KonfliktOption | None,
    extra: int,
) -> None:
    """What a model carries needs the model: bought, part of the plainest build, or one of the extra men."""
    seats = [one for one in card.options if one.name == option.for_model]
    if not seats:
        return
    bought = any(one in seats for one, _ in picks)
    standing = any(
        seat.default and not any(one is not seat and same_group(one, seat) and seat.group_max == 1 for one, _ in picks)
        for seat in seats
    )
    more = extra > 0 and plain in seats
    if not (bought or standing or more):
        raise ForcesError(f"{card.name}: option {option.id!r} is for a {option.for_model}, and the unit has none.")


def carriers_of(card: KonfliktCard, option: KonfliktOption) -> int:
    """How many models may make a choice that is each model's own."""
    if option.for_model is None:
        return 1
    return (
        max(1, card.models_max) if option.for_model.lower().startswith(("soldier", "regular", "veteran", "inex")) else 2
    )


def same_group(one: KonfliktOption, other: KonfliktOption) -> bool:
    return one.group is not None and one.group == other.group and one.for_model == other.for_model


def default_of(card: KonfliktCard, option: KonfliktOption) -> KonfliktOption | None:
    """The choice that this one replaces, if its group has a default."""
    return next((other for other in card.options if other.default and same_group(option, other)), None)


def has_default(card: KonfliktCard, option: KonfliktOption) -> bool:
    return default_of(card, option) is not None


def default_soldier(card: KonfliktCard) -> KonfliktOption | None:
    """The plainest extra soldier: the default choice among those that add a model to a group of several."""
    members = [o for o in card.options if o.adds_model and o.default and o.group_max != 1]
    return members[0] if members else next((o for o in card.options if o.adds_model and o.group_max != 1), None)


def price(option: KonfliktOption, experience: str) -> int:
    return option.points.get(experience, 0)


def arm(card: KonfliktCard, weapons: dict[str, int], option: KonfliktOption | None, count: int) -> None:
    """Add (or with a negative count take away) the weapons an option brings."""
    if option is None:
        return
    for name in option.weapons or (option.name,):
        for weapon in card.weapons:
            if weapon.name == name:
                weapons[weapon.id] = weapons.get(weapon.id, 0) + count
