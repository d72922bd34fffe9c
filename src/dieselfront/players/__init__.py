"""Computer players. They see what a person would see and choose among the same legal answers.

Every ruleset gets all levels from the general adviser (`general.py`), which reads options, stakes and field. A game may
give an adviser of its own (`adviser.Adviser`): a package `adviser` in its folder with a function `adviser(weights)` and
its numbers in weights.yaml and outlook.yaml. Levels, search and reasons are general.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import msgspec

from dieselfront.kernel.decisions import Answer
from dieselfront.kernel.game import Game
from dieselfront.players.adviser import ADVISER, Adviser, Effort, Level
from dieselfront.players.general import GeneralAdviser
from dieselfront.players.opponent import Opponent
from dieselfront.players.weights import UnknownPersonality, UnknownPlayer, about, personalities, weights

LEVELS = {
    "random": "Any legal move at all.",
    "recruit": "Knows the rules, misjudges much.",
    "regular": "Knows what is good and overlooks some of it.",
    "veteran": "Takes the best plan it sees and hardly errs.",
    "ace": "Plays its best plans out before it chooses.",
    "marshal": "Plays more plans out, and several activations of both sides further.",
}
"""The levels, weakest first, each in a line."""

GENERAL = "general"
"""The general adviser alone, even where a game brings its own: `general` (as a regular) or `general:LEVEL`."""

THINKING = {
    "recruit": Level(candidates=12, noise=4.0, confusion=2.0),
    "regular": Level(candidates=12, noise=2.5, confusion=1.0),
    "veteran": Level(candidates=12, noise=1.0),
    "ace": Level(effort=Effort(candidates=10, playouts=24, replies=0, trust=8.0, seconds=12.0)),
    "marshal": Level(
        effort=Effort(candidates=12, playouts=64, replies=4, trust=8.0, blend=True, learned=100.0, seconds=12.0),
        sharp=True,
    ),
}
"""How each level thinks."""

SECONDS = "seconds"
"""In a player's name, among its weights: how long a search goes on, in place of a number of playouts."""
UNLIMITED = 1_000_000
LONGEST_THOUGHT = 600.0


class Player(Protocol):
    """Answers the pending decision of a game; `reason` says why it chose its last activation.

    `copies` tells whether it may play on copies of the game.
    """

    reason: str

    @property
    def copies(self) -> bool: ...

    def choose(self, game: Game) -> Answer: ...


def make(
    name: str,
    seed: str,
    ruleset: str,
    *,
    personality: str = "balanced",
    changes: Mapping[str, float] | None = None,
) -> Player:
    """A computer player by name; the same seed always plays the same.

    `name` may be LEVEL, LEVEL:PERSONALITY, or with weights of its own LEVEL:PERSONALITY/WEIGHT=NUMBER/...; before it
    `general:` leaves the game's own adviser out. `seconds=NUMBER` among the weights lets a level that searches think so
    long about every decision instead of playing a number of playouts; then the clock decides, and games may differ.
    """
    from dieselfront.players.random_player import RandomPlayer

    alone, name = general_alone(name)
    level, own, changed = spelled(name)
    if level not in LEVELS:
        raise UnknownPlayer(f"there is no player {name!r}; the players are {', '.join(LEVELS)}")
    seconds = changed.pop(SECONDS, None)
    wanted = weights(GENERAL if alone else ruleset, own or personality, {**(changes or {}), **changed})
    if level == "random":
        return RandomPlayer(seed)
    adviser = GeneralAdviser(wanted) if alone else adviser_of(ruleset, wanted)
    thinking = level_of(level, adviser)
    adviser.sharp = thinking.sharp
    return Opponent(adviser, thinking if seconds is None else unhurried(name, thinking, seconds), seed)


def unhurried(name: str, level: Level, seconds: float) -> Level:
    """The same level with a time budget for every search instead of a number of playouts."""
    if level.effort is None or not 0.0 < seconds <= LONGEST_THOUGHT:
        raise UnknownPlayer(f"in {name!r} the seconds want a level that searches, and more than 0 and at most 600")
    effort = msgspec.structs.replace(level.effort, playouts=UNLIMITED, seconds=seconds)
    return msgspec.structs.replace(level, effort=effort)


def general_alone(name: str) -> tuple[bool, str]:
    """Does a player's name leave the game's own adviser out? And the name without that."""
    first, _, rest = name.partition(":")
    return (True, rest or "regular") if first == GENERAL else (False, name)


def spelled(name: str) -> tuple[str, str, dict[str, float]]:
    """Level, personality and own weights of a player's name."""
    level, _, rest = name.partition(":")
    personality, changed = "", {}
    for word in filter(None, rest.split("/")):
        weight, equals, number = word.partition("=")
        if not equals:
            personality = word
            continue
        try:
            changed[weight] = float(number)
        except ValueError:
            raise UnknownPlayer(f"in {name!r} the weight {weight!r} wants a number, not {number!r}") from None
    return level, personality, changed


def level_of(name: str, adviser: Adviser) -> Level:
    """How a level thinks; an adviser may have a measure of its own (`levels`)."""
    return adviser.levels.get(name, THINKING[name])


def adviser_of(ruleset: str, wanted: dict[str, float]) -> Adviser:
    """The adviser of a ruleset with these weights: its own, or the general one."""
    own = ADVISER.of(ruleset)
    return GeneralAdviser(wanted) if own is None else own.adviser(wanted)


__all__ = [
    "GENERAL",
    "LEVELS",
    "Level",
    "Player",
    "UnknownPersonality",
    "UnknownPlayer",
    "about",
    "make",
    "personalities",
    "spelled",
    "weights",
]
