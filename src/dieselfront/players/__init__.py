"""Computer players. They see what a person would see and choose among the same legal answers.

Every ruleset gets all levels from the general adviser (`general.py`), which reads options, stakes and field. A game may
give an adviser of its own (`adviser.Adviser`): a package `adviser` in its folder with a function `adviser(weights)` and
its numbers in weights.yaml and outlook.yaml. Levels, search and reasons are general.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from dieselfront import rulesets
from dieselfront.kernel.decisions import Answer
from dieselfront.kernel.game import Game
from dieselfront.players.adviser import Adviser, Effort, Level
from dieselfront.players.general import GeneralAdviser
from dieselfront.players.opponent import Opponent
from dieselfront.players.weights import UnknownPersonality, UnknownPlayer, about, personalities, weights

LEVELS = {
    "random": "Any legal move at all.",
    "recruit": "Knows the rules, misjudges much.",
    "regular": "Knows what is good and overlooks some of it.",
    "veteran": "Takes the best plan it sees and hardly errs.",
    "ace": "Plays its best plans out before it chooses.",
}
"""The levels, weakest first, each in a line."""

THINKING = {
    "recruit": Level(candidates=12, noise=4.0, confusion=2.0),
    "regular": Level(candidates=12, noise=2.5, confusion=1.0),
    "veteran": Level(candidates=12, noise=1.0),
    "ace": Level(effort=Effort(candidates=10, playouts=48, replies=1, trust=8.0, blend=True, seconds=12.0)),
}
"""How each level thinks."""


class Player(Protocol):
    """Answers the pending decision of a game; `reason` says why it chose its last activation."""

    reason: str

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

    `name` may be LEVEL, LEVEL:PERSONALITY, or with weights of its own LEVEL:PERSONALITY/WEIGHT=NUMBER/...
    """
    from dieselfront.players.random_player import RandomPlayer

    level, own, changed = spelled(name)
    if level not in LEVELS:
        raise UnknownPlayer(f"there is no player {name!r}; the players are {', '.join(LEVELS)}")
    wanted = weights(ruleset, own or personality, {**(changes or {}), **changed})
    if level == "random":
        return RandomPlayer(seed)
    adviser = adviser_of(ruleset, wanted)
    return Opponent(adviser, level_of(level, adviser), seed)


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
    own = rulesets.companion(ruleset, "adviser")
    if own is None:
        return GeneralAdviser(wanted)
    adviser: Adviser = own.adviser(wanted)
    return adviser


__all__ = [
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
