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


def _switch(name: str, rule: str, on: str, off: str, default: str = "on") -> Option:
    choices = {"on": on, "off": off} if default == "on" else {"off": off, "on": on}
    return Option(name, rule, choices)


OPTIONS: dict[str, Option] = {
    option.name: option
    for option in (
        _switch(
            "snap_to_action",
            "k47.open.snap_default",
            "Officers may use Snap to Action.",
            "Snap to Action is not used.",
        ),
        Option(
            "officer_range",
            "k47.morale.officer_range",
            {
                "by_rank": 'The bonus reaches 6" for lieutenants and 12" for captains and majors.',
                "six_inches": 'The bonus reaches 6" for every rank, 12" only with the supplement weapons option.',
            },
        ),
        Option(
            "flame_armour_rolls",
            "k47.open.flame_armour_rolls",
            {
                "one_roll": "A flamethrower makes one damage roll per shot against armour.",
                "each_hit": "Every flame hit on armour is rolled separately.",
            },
        ),
        Option(
            "vehicle_not_acted",
            "k47.open.vehicle_not_acted",
            {
                "stationary": "An assaulted vehicle without an order die counts as stationary.",
                "previous_order": "An assaulted vehicle without an order die counts by its order of the previous turn.",
            },
        ),
        Option(
            "retain_down_pin",
            "k47.turn.retain_down_pin",
            {
                "removes_one": "A unit that keeps its Down order at turn end removes 1 pin.",
                "removes_none": "Keeping Down removes no pin.",
            },
        ),
        Option(
            "run_to_cover_down",
            "k47.react.run_to_cover",
            {
                "bonus": "The Down bonus counts against the shot that caused the run.",
                "no_bonus": "The Down bonus does not count against the shot that caused the run.",
            },
        ),
        Option(
            "run_to_cover_distance",
            "k47.open.run_to_cover_distance",
            {
                "advance": "Run to Cover moves up to the Advance rate.",
                "run": "Run to Cover moves up to the Run rate.",
            },
        ),
        _switch(
            "woods_block",
            "k47.core.los_area",
            "Area terrain blocks sight through it.",
            "Pieces block only by their height.",
        ),
        Option(
            "buildings_between",
            "k47.core.los",
            {
                "block": "A building between two units blocks sight, windows or not.",
                "windows": "Units see each other through a building between them where a line passes its windows and "
                "doors.",
            },
        ),
        _switch(
            "supplement_weapons",
            "k47.open.weapon_versions",
            "The later weapon profiles and the supplement weapons are used.",
            "The earlier weapon profiles are used.",
            default="off",
        ),
        _switch("smoke_shells", "k47.wrule.smoke", "Smoke shells may be fired.", "There are no smoke shells."),
        _switch(
            "tank_overrun", "k47.cqw.tank_overrun", "Tanks may overrun infantry.", "Tanks may not overrun infantry."
        ),
        _switch(
            "building_collapse",
            "k47.building.he",
            "An HE total of 10 or more makes an occupied building collapse.",
            "Buildings never collapse.",
        ),
        _switch(
            "abandoned_transports",
            "k47.transport.empty",
            "At turn end an empty unarmed transport nearer to an enemy than to any friend is removed.",
            "Empty transports stay on the table.",
            default="off",
        ),
        _switch(
            "national_rules",
            "k47.nation.scope",
            "Each force uses the rules of its nation.",
            "National rules are not used.",
        ),
        _switch(
            "outflanking",
            "k47.game.outflank",
            "Reserves may be noted for an outflanking move.",
            "Nobody outflanks.",
        ),
        _switch(
            "demolish_buildings",
            "k47.open.demolish",
            "Heavy and super-heavy vehicles may drive through buildings and wreck them.",
            "Vehicles never enter buildings.",
            default="off",
        ),
        _switch(
            "barrage",
            "k47.open.barrage",
            "Once per game an artillery observer may call a barrage.",
            "Artillery observers are ordinary infantry.",
            default="off",
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
            raise BadOption(f"Konflikt '47 has no option {name!r}; the options are {', '.join(OPTIONS)}.")
        if choice not in option.choices:
            raise BadOption(f"option {name} has no choice {choice!r}; expected {' or '.join(option.choices)}.")
    return {name: chosen.get(name, option.default) for name, option in OPTIONS.items()}
