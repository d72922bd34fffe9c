"""Options of the game: rulings a house may see otherwise, chosen in the header by name (each with its rule)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Option(NamedTuple):
    """A named ruling: its rule, its choices with what each means; the first choice is the default."""

    name: str
    rule: str
    choices: Mapping[str, str]

    @property
    def default(self) -> str:
        return next(iter(self.choices))


OPTIONS: dict[str, Option] = {
    option.name: option
    for option in (
        Option(
            "retreat_move_distance",
            "dw.open.retreat_move_distance",
            {
                "free": "Retreat moves are no action; the unit acts afterwards as usual.",
                "is_the_action": "The retreat move is one of the unit's actions.",
            },
        ),
        Option(
            "vehicle_cover_line",
            "dw.open.vehicle_cover_line",
            {
                "leader": "Only a clear line from the unit leader denies a vehicle its cover.",
                "any_miniature": "A clear line from any attacking miniature denies a vehicle its cover.",
            },
        ),
        Option(
            "one_effect_at_a_time",
            "dw.open.one_effect_at_a_time",
            {
                "next_lower": "An effect the vehicle has already becomes the next lower one it has not.",
                "attacker_picks": "The attacker picks any lesser effect the vehicle has not.",
            },
        ),
        Option(
            "cover_step_order",
            "dw.open.cover_step_order",
            {
                "suppression_first": "The suppression step comes before the Team upgrade.",
                "team_first": "The Team upgrade comes before the suppression step.",
            },
        ),
        Option(
            "air_lift_air_drop_swap",
            "dw.open.air_lift_air_drop_swap",
            {
                "exchanged": "Air Lift is carried by aircraft, Air Drop stays off the table and drops in.",
                "as_printed": "Air Drop is carried by aircraft, Air Lift stays off the table and drops in.",
            },
        ),
        Option(
            "black_ops_shared",
            "dw.open.black_ops_shared",
            {
                "shared": "Black Ops is shared: one bearer is enough for the unit.",
                "bearer_only": "Black Ops works only for units in which everybody has it.",
            },
        ),
    )
}


class BadOption(ValueError):
    """An option or a choice that does not exist."""


def read_options(chosen: Mapping[str, str]) -> dict[str, str]:
    """All options with their choices; what the header leaves out has its default."""
    for name, choice in chosen.items():
        option = OPTIONS.get(name)
        if option is None:
            raise BadOption(f"Dust Warfare has no option {name!r}; the options are {', '.join(OPTIONS)}.")
        if choice not in option.choices:
            raise BadOption(f"option {name} has no choice {choice!r}; expected {' or '.join(option.choices)}.")
    return {name: chosen.get(name, option.default) for name, option in OPTIONS.items()}
