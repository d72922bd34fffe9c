"""What the computer would do in a player's place, and why: a hint for whoever has to decide.

The computer looks at a copy with dice of its own, so that nothing of the dice to come can be read off its advice. While
a player follows the hints, the adviser remembers its plan of the activation under way; whoever goes his own way, or
begins another activation, is advised afresh.
"""

from __future__ import annotations

import zlib
from collections import OrderedDict
from typing import Any, NamedTuple

from dieselfront import players
from dieselfront.kernel.decisions import Answer, Assign, Decision, Path, PickSome, Place, PlaceFree, TypeDice
from dieselfront.kernel.game import Game
from dieselfront.players.learned import value_model
from dieselfront.players.search import OwnDice
from dieselfront.server.refusals import Refused

LEVEL = "ace:seconds=0.3"
"""A level that searches, a third of a second a decision; too short for the playouts of the highest."""
ADVISERS_KEPT = 64
WINDS = ("north", "east", "south", "west")


class Advice(NamedTuple):
    """The last hint of a player: who gave it, in which activation, after how many choices, and what it was."""

    adviser: players.Player
    settled: int
    choices: int
    answer: Answer


_given: OrderedDict[tuple[str, int], Advice] = OrderedDict()


def hint(id: str, game: Game) -> dict[str, Any]:
    """The answer a computer would give to the pending decision, in words, and its reason; `game` is not changed."""
    decision = game.pending
    if decision is None:
        raise Refused(409, "The game is over; there is nothing to decide.")
    if isinstance(decision, TypeDice):
        raise Refused(422, "The dice are rolled at your table; the computer cannot advise on them.")
    asking = (id, decision.player)
    adviser = _adviser(asking, game)
    answer = decision.check(adviser.choose(blind(game, id)))
    _given[asking] = Advice(adviser, game.settled, len(game.choices), answer)
    while len(_given) > ADVISERS_KEPT:
        _given.popitem(last=False)
    return {
        "answer": answer,
        "label": words(decision, answer),
        "reason": str(adviser.reason or ""),
        "chance": chance(id, game, decision.player),
    }


def chance(id: str, game: Game, player: int) -> float | None:
    """What was learned from played games about the player's chance to win, where the game ships such a model.

    It is asked about a copy in which what the player cannot know is guessed; nothing is told before the first turn.
    """
    model = value_model(game.rules.id)
    if model is None or game.turn < 1:
        return None
    adviser = players.adviser_of(game.rules.id, players.weights(game.rules.id))
    twin = blind(game, id)
    adviser.imagine(twin, player, zlib.crc32(id.encode()))
    return round(model.chance(twin, player, adviser), 3)


def blind(game: Game, id: str) -> Game:
    """A copy whose dice are not those of the game; where people roll their own there are none."""
    if game.dice is None:
        return game.copy()
    return game.copy(OwnDice(zlib.crc32(f"{id}/{len(game.choices)}".encode())))


def _adviser(asking: tuple[str, int], game: Game) -> players.Player:
    """Whoever gave this player the last hint, if it was followed in the same activation; else somebody new."""
    last = _given.pop(asking, None)
    if last is not None and _is_followed(last, game):
        return last.adviser
    id, player = asking
    return players.make(LEVEL, f"{id}/hint/{player}/{len(game.choices)}", game.rules.id)


def _is_followed(last: Advice, game: Game) -> bool:
    if last.settled != game.settled or last.choices >= len(game.choices):
        return False
    return bool(game.choices[last.choices] == last.answer)


# -- in words ---------------------------------------------------------------------------------------


def words(decision: Decision, answer: Any) -> str:
    """An answer of any shape as people say it."""
    if isinstance(decision, Assign):
        return _aims(decision, answer)
    if isinstance(decision, PickSome):
        return ", ".join(decision.label(one) for one in answer) or "nothing"
    if isinstance(decision, Path):
        return "the way drawn on the table" if answer else "stay"
    if isinstance(decision, PlaceFree):
        return "the spot marked on the table"
    if isinstance(decision, Place):
        spot, facing = answer
        wind = WINDS[facing] if isinstance(facing, int) and 0 <= facing < len(WINDS) else ""
        turned = f", facing {wind}" if wind and len(decision.facings(spot)) > 1 else ""
        return f"{decision.label(spot)}{turned}"
    return decision.label(answer)


def _aims(decision: Assign, answer: Any) -> str:
    """Weapons that do the same are described together."""
    alike: dict[str, list[str]] = {}
    for item, aim in zip(decision.items, answer, strict=True):
        alike.setdefault(decision.label(aim), []).append(decision.item(item))
    return "; ".join(f"{', '.join(dict.fromkeys(items))}: {aim}" for aim, items in alike.items())


__all__ = ["Advice", "blind", "chance", "hint", "words"]
