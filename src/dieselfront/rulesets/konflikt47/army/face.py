"""Konflikt '47 cards as they are shown, with the numbers of the charts that play uses (k47.weapon.*, k47.move.rates).

The catalogue prints weapons too, but a unit fires by the charts; a weapon that no chart knows does nothing in play and
says so.
"""

from __future__ import annotations

from typing import Any

from dieselfront.forces.card_face import CardFace, Choices, Figure, OptionFace, WeaponFace
from dieselfront.rulesets.konflikt47.army.cards import KonfliktCard, KonfliktOption, KonfliktVehicle, KonfliktWeapon
from dieselfront.rulesets.konflikt47.cards import BadCard, read_card
from dieselfront.rulesets.konflikt47.charts import GUN_ADVANCE, RATES, Weapon
from dieselfront.rulesets.konflikt47.forces_in import gun_size, kind_of, named, text_of, vehicle_of, weapon_name

MANY = 20
"""As often may an option be taken that sets no limit of its own, as far as a form is concerned."""
COLUMNS = (("Range", "Shots", "Pen"),)
LEGEND = "Range in inches; Pen against soldiers/vehicles where they differ; HE by the template table."


def konflikt_face(card: KonfliktCard) -> CardFace:
    """The card with what its weapons and hulls are in play."""
    prices = ", ".join(f"{level} {card.points[level]} ({card.damage_values[level]}+)" for level in card.experiences)
    return CardFace(
        headline=f"{card.nation}; {card.kind}, {models(card)} models",
        price=prices,
        figures=tuple(figures(card)),
        rules_word="Rules",
        rules=tuple(map(str, card.skills)),
        columns=COLUMNS,
        weapons=tuple(row for weapon in card.weapons for row in weapon_faces(card, weapon)),
        members=tuple(hull_words(card, hull) for hull in card.vehicles),
        track=0 if card.vehicles else card.models_min,
        options=tuple(
            OptionFace(
                option.id,
                option.name,
                option_price(option),
                group=option.group or "",
                carrier=option.for_model or "",
                standard=option.default,
                most=MANY if option.max is None else option.max,
            )
            for option in card.options
        ),
        choices=Choices(card.experiences if len(card.experiences) > 1 else (), card.models_min, card.models_max),
        legend=LEGEND if card.weapons else "",
    )


def option_price(option: KonfliktOption) -> str:
    prices = "/".join(map(str, dict.fromkeys(option.points.values())))
    return f"{prices} per model" if option.per_model else prices


def models(card: KonfliktCard) -> str:
    return f"{card.models_min}" if card.models_min == card.models_max else f"{card.models_min}-{card.models_max}"


def figures(card: KonfliktCard) -> list[Figure]:
    values = list(dict.fromkeys(f"{card.damage_values[level]}+" for level in card.experiences))
    rates = RATES[vehicle_mode(card)] if card.vehicles else RATES["infantry"]
    moves = f'{rates.advance}"/{rates.run}"'
    if kind_of(card) == "artillery":
        moves = f'{GUN_ADVANCE.get(gun_size(card.name, [weapon_name(one) for one in card.weapons]), 3)}"'
    return [
        Figure("Models", models(card)),
        Figure("Damage value", " / ".join(values)),
        Figure("Moves", moves),
        *([Figure("Slot", card.category)] if card.category else []),
    ]


def vehicle_mode(card: KonfliktCard) -> str:
    return card.vehicles[0].mode.replace("_", "-")


def hull_words(card: KonfliktCard, hull: KonfliktVehicle) -> str:
    rates = RATES[hull.mode.replace("_", "-")]
    carry = f", carries {hull.transport}" if hull.transport else ""
    moves = f'{rates.advance}"/{rates.run}"'
    return f"{hull.variant or card.name}: {hull.vehicle_class} {hull.damage_value}+, {hull.mode}, {moves}{carry}"


def weapon_faces(card: KonfliktCard, weapon: KonfliktWeapon) -> list[WeaponFace]:
    """A line for each way the weapon fires."""
    modes = modes_in_play(card, weapon)
    if not modes:
        return [
            WeaponFace(
                weapon.name,
                weapon.count,
                ("no effect in play",),
                tuple(map(str, weapon.rules)),
                ("-",) * 3,
                spare=not weapon.count,
            )
        ]
    return [mode_face(weapon, mode, len(modes) > 1) for mode in modes]


def modes_in_play(card: KonfliktCard, weapon: KonfliktWeapon) -> tuple[Weapon, ...]:
    """The weapon as the unit's rules leave it, read the way a game reads it."""
    kind = kind_of(card)
    notes = [text_of(ref) for ref in weapon.rules]
    described: dict[str, Any] = {
        "name": card.name,
        "kind": kind,
        "rules": [text_of(ref) for ref in card.skills],
        "men": [{"weapons": [named(weapon_name(weapon), notes)]}],
    }
    if kind == "vehicle":
        described["vehicle"] = vehicle_of(card)
    try:
        modes = read_card(described).weapons
    except BadCard:
        return ()
    lines = {weapon_name(one) for one in card.weapons}
    if len(lines & {mode.name for mode in modes}) > 1:  # the card has a line for each mode
        return tuple(mode for mode in modes if mode.name == weapon_name(weapon))
    return modes


def mode_face(weapon: KonfliktWeapon, mode: Weapon, several: bool) -> WeaponFace:
    details = [mode.arc] if weapon.arc and mode.arc != "all" else []
    details += [f"HE {mode.he}"] if mode.he else []
    return WeaponFace(
        name=f"{weapon.name}: {mode.name}" if several and mode.name != weapon.name else weapon.name,
        count=weapon.count,
        details=tuple(details),
        rules=tuple(dict.fromkeys(mode.special)),
        cells=(range_text(mode), mode.shots if mode.shoots else "-", pen_text(mode)),
        spare=not weapon.count,
    )


def range_text(mode: Weapon) -> str:
    if not mode.shoots:
        return "close"
    low = f"{mode.min_range}-" if mode.min_range else f"0/{mode.indirect_min}-" if mode.indirect_min else ""
    return f'{low}{mode.range}"'


def pen_text(mode: Weapon) -> str:
    if mode.he_only:
        return "HE"
    if mode.pen_vehicle is not None:
        return f"{mode.pen:+d}/{mode.pen_vehicle:+d}"
    return f"{mode.pen:+d}" if mode.pen else "-"
