"""How well people and computer levels play, for each game by itself: Glicko-2, one game after another."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from glicko2 import Player
from sqlalchemy import Connection, delete, insert, select

from dieselfront import players
from dieselfront.server import tables
from dieselfront.server.live import LiveGame, Seat

SCALE = 173.7178
LEAST_DEVIATION = 30.0
"""Nobody is known better than this, so that ratings never stand still."""
SURE_DEVIATION = 110.0
LEVEL = "level:"
"""How the names of computer levels begin."""


class Strength(NamedTuple):
    """A rating, how far off it may be, and how much it jumps about."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06
    games: int = 0

    @property
    def is_sure(self) -> bool:
        """Is it more than a guess?"""
        return is_sure(self.deviation)


def is_sure(deviation: float) -> bool:
    """Is a rating of this deviation more than a guess?"""
    return deviation < SURE_DEVIATION


class _Player(Player):  # type: ignore[misc]
    """The library's player; its volatility step takes the rating where Glickman's paper has the deviation."""

    def _f(self, x: float, delta: float, v: float, a: float) -> float:
        phi, ex = (self.rd / SCALE) ** 2, math.exp(x)
        return float(ex * (delta**2 - phi - v - ex) / (2 * (phi + v + ex) ** 2) - (x - a) / self._tau**2)


def after(own: Strength, results: list[tuple[Strength, float]]) -> Strength:
    """A strength after some games; each result is the other's strength and 1, 0.5 or 0."""
    player = _Player(own.rating, own.deviation, own.volatility)
    others = [other for other, _ in results]
    player.update_player(
        [other.rating for other in others], [other.deviation for other in others], [score for _, score in results]
    )
    deviation = min(350.0, max(LEAST_DEVIATION, player.rd))
    return Strength(player.rating, deviation, player.vol, own.games + len(results))


def rated_as(seat: Seat) -> str | None:
    """Under which name a seat is rated: a person, or a computer level as it comes; nobody else."""
    if seat.is_human:
        return seat.person
    name, _, changed = players.spelled(seat.level or "")
    return None if changed else f"{LEVEL}{name}"


def rated_sides(live: LiveGame) -> tuple[str, str] | None:
    """Who is rated by a game: two that are not the same, at least one of them a person; none otherwise."""
    return sides_rated(live.seats)


def sides_rated(seats: Sequence[Seat]) -> tuple[str, str] | None:
    """The same by the seats alone."""
    first, second = (rated_as(seat) for seat in seats)
    if first is None or second is None or first == second or not any(seat.person for seat in seats):
        return None
    return first, second


def strength(connection: Connection, who: str, ruleset: str) -> Strength:
    """How well somebody plays a game, as far as it is known."""
    ratings = tables.ratings
    wanted = select(ratings.c.rating, ratings.c.deviation, ratings.c.volatility, ratings.c.games)
    row = connection.execute(wanted.where(ratings.c.who == who, ratings.c.ruleset == ruleset)).first()
    return Strength() if row is None else Strength(*row)


def rate(connection: Connection, game: str, ruleset: str, sides: tuple[str, str], winner: int | None) -> None:
    """Count a finished game, once: a second time finds it counted."""
    rated = tables.rated
    if connection.execute(select(rated.c.game).where(rated.c.game == game)).first() is not None:
        return
    connection.execute(insert(rated), {"game": game, "at": time.time()})
    before = [strength(connection, who, ruleset) for who in sides]
    for side, who in enumerate(sides):
        score = 0.5 if winner is None else float(winner == side)
        _put(connection, who, ruleset, after(before[side], [(before[1 - side], score)]))


def _put(connection: Connection, who: str, ruleset: str, new: Strength) -> None:
    ratings = tables.ratings
    connection.execute(delete(ratings).where(ratings.c.who == who, ratings.c.ruleset == ruleset))
    row: dict[str, Any] = {"who": who, "ruleset": ruleset, **new._asdict()}
    connection.execute(insert(ratings), row)


__all__ = ["LEVEL", "Strength", "after", "is_sure", "rate", "rated_sides", "sides_rated", "strength"]
