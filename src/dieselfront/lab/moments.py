"""Moments of battles: a position as the battle that led to it, its armies, scenario, dice seed and choices.

Such a position is exact in every game and takes little room. Whether it is still the same after rules or cards have
changed is known from a digest of who stands where.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.kernel.game import Game
from dieselfront.kernel.record import Header
from dieselfront.lab.simulate import SimulationError
from dieselfront.scenarios import battle


class MomentError(SimulationError):
    """A moment that cannot be reached any more; one sentence says why."""


class Moment(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Everything that leads to a position. `stands` is the digest of the units on it."""

    scenario: str
    armies: tuple[str, str]
    seed: str
    choices: str
    """The choices so far, as JSON."""
    stands: str
    salt: str = ""
    options: dict[str, str] = {}


def moment_of(game: Game, armies: tuple[str, str], seed: str) -> Moment:
    """Where a game stands that was begun with these lists and this seed."""
    header: Header = game.header
    return Moment(
        scenario=str(header.scenario["id"]),
        armies=armies,
        seed=seed,
        choices=msgspec.json.encode(list(game.choices)).decode(),
        stands=standing(game),
        salt=header.salt,
        options=dict(header.options),
    )


def reached(ruleset: str, moment: Moment, seats: tuple[str, str] = battle.SEATS) -> Game:
    """The game at the moment, with the dice of the battle ahead; MomentError if it went another way meanwhile."""
    try:
        header = battle.header(
            ruleset,
            moment.scenario,
            list(moment.armies),
            seed=moment.seed,
            seats=seats,
            options=moment.options,
            salt=moment.salt,
        )
        game = battle.start(header, moment.seed)
        for answer in msgspec.json.decode(moment.choices, type=list[Any]):
            game.choose(answer)
    except (IllegalChoice, ValueError) as error:
        raise MomentError(f"the battle cannot be played again by the rules of today: {error}") from None
    if standing(game) != moment.stands:
        raise MomentError("the battle goes another way by the rules of today: units stand elsewhere.")
    return game


def standing(game: Game) -> str:
    """A digest of who stands where, in which turn, and who has to decide what."""
    decision = game.pending
    asked = ("", -1) if decision is None else (decision.key, decision.player)
    units = [
        (unit.id, unit.side, unit.on_table, round(unit.share, 4), [round(part) for part in unit.centre or ()])
        for unit in game.rules.field.units(game.state)
    ]
    return hashlib.sha256(msgspec.json.encode([game.turn, asked, units])).hexdigest()[:16]


__all__ = ["Moment", "MomentError", "moment_of", "reached", "standing"]
