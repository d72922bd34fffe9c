"""From a ruleset, a scenario and two army lists to a game: the header that fixes everything, and the first position.

>>> from dieselfront.scenarios import battle
>>> game = battle.start(battle.header("dust1947", "crossroads", ["dust1947-allies", "dust1947-axis"], seed="7"), "7")
>>> game.pending.key
'deploy-unit'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dieselfront import rulesets
from dieselfront.dice import commitment
from dieselfront.forces.armies import Army, find_army, starter_armies
from dieselfront.forces.random_army import random_army
from dieselfront.kernel.game import Game
from dieselfront.kernel.record import Header, new_game, whole_numbers
from dieselfront.kernel.ruleset import Ruleset
from dieselfront.scenarios import library
from dieselfront.scenarios.library import ScenarioProblem

SEATS = ("blue", "red")


class BattleError(ValueError):
    """A battle that cannot be fought as asked; one sentence says why."""


def header(
    ruleset: str,
    scenario: str | dict[str, Any],
    armies: Sequence[str | Army],
    *,
    seed: str | None,
    seats: Sequence[str] = SEATS,
    options: Mapping[str, str] | None = None,
    salt: str = "",
) -> Header:
    """Everything that fixes a game before the first choice; without a seed the players roll dice of their own."""
    rules = rulesets.load(ruleset)
    chosen = library.find(scenario, ruleset) if isinstance(scenario, str) else scenario
    if len(armies) != 2:
        raise BattleError(f"A battle needs two armies, not {len(armies)}.")
    forces = [
        force(rules, army(one, ruleset) if isinstance(one, str) else one, side) for side, one in enumerate(armies)
    ]
    _tell_apart(forces)
    return Header(
        ruleset=ruleset,
        version=rules.version,
        scenario=whole_numbers(chosen),
        forces=whole_numbers(forces),
        seats=list(seats),
        commitment=commitment(seed) if seed is not None else "",
        salt=salt,
        options=checked_options(rules, options or {}),
    )


def start(made: Header, seed: str | None, *, keep_history: bool = True, copyable: bool = True) -> Game:
    """The game of a header, at its first decision."""
    return new_game(rulesets.load(made.ruleset), made, seed, keep_history=keep_history, copyable=copyable)


def army(wanted: str, ruleset: str) -> Army:
    """An army list by name, by path, or `random:SEED`; it must be made for this ruleset."""
    if wanted == "random" or wanted.startswith("random:"):
        return random_army(ruleset, rulesets.load(ruleset).usual_points, _number(wanted.partition(":")[2] or "1"))
    chosen = find_army(wanted)
    if chosen.ruleset != ruleset:
        raise BattleError(f"The army list '{wanted}' is made for {chosen.ruleset}, not for {ruleset}.")
    return chosen


def force(rules: Ruleset[Any], listed: Army, side: int) -> dict[str, Any]:
    """The force of a list as the ruleset wants it."""
    return rules.force_from_army(listed, side)


def starters(ruleset: str) -> tuple[str, ...]:
    """The names of the army lists that come with a ruleset."""
    return tuple(name for name, listed in starter_armies().items() if listed.ruleset == ruleset)


def checked_options(rules: Ruleset[Any], options: Mapping[str, str]) -> dict[str, str]:
    """Options of the game, each known and one of its choices."""
    known = rules.options
    for name, choice in options.items():
        if name not in known:
            raise BattleError(f"{rules.name} has no option '{name}'; its options are {', '.join(known) or 'none'}.")
        if choice not in known[name]:
            raise BattleError(f"Option {name} cannot be '{choice}'; expected {' or '.join(known[name])}.")
    return dict(options)


def _number(text: str) -> int:
    if not text.isdigit() or len(text) > 18:
        raise BattleError(f"A random army is asked for as random:NUMBER, not random:{text}.")
    return int(text)


def _tell_apart(forces: list[dict[str, Any]]) -> None:
    """Two forces of one name are told apart by a number."""
    if forces[0]["name"] == forces[1]["name"]:
        for number, force in enumerate(forces, 1):
            force["name"] = f"{force['name']} ({number})"


__all__ = ["BattleError", "ScenarioProblem", "army", "checked_options", "header", "start", "starters"]
