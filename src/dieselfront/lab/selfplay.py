"""Self-play: positions of games between computer players, each with its features, the hand-made worth and the result.

>>> from dieselfront.lab.selfplay import SelfPlay, play
>>> play(SelfPlay("dust1947", games=1, players=("random", "random")))[0].number
0

Positions are taken at the beginning of activations, from both seats. What the columns mean stands in docs/data.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from dieselfront.kernel.game import Game
from dieselfront.kernel.record import digest
from dieselfront.lab.crew import Crew, crew_of
from dieselfront.lab.simulate import ANY, EACH, Matches, SimulationError, check, line_up, seats, seed_of, version_of
from dieselfront.players import adviser_of, make, weights
from dieselfront.players.adviser import Adviser
from dieselfront.players.position import both_seats
from dieselfront.scenarios import battle

EVERY = 2
"""Positions are taken at every so many activations, as a rule."""
MOST_DECISIONS = 200_000


class SelfPlay(msgspec.Struct, frozen=True):
    """What is played: sides changed every game, starter armies in turn or new random ones for every battle."""

    ruleset: str
    games: int = 100
    seed: str = "selfplay"
    players: tuple[str, str] = ("regular", "regular")
    scenario: str = ANY
    random_armies: bool = False
    every: int = EVERY

    @property
    def matches(self) -> Matches:
        army = EACH if self.random_armies else ANY
        return Matches(self.ruleset, self.games, self.seed, self.players, army, army, scenario=self.scenario, swap=True)


class SeatPosition(msgspec.Struct, frozen=True):
    """A position from one seat: after how many choices, whose seat, how much hand-made judgement gives it."""

    choices: int
    turn: int
    side: int
    to_act: int
    decision: str
    worth: float
    features: list[float]


class PlayedOut(msgspec.Struct, frozen=True):
    """One game with its positions."""

    number: int
    winner: int | None
    turns: int
    scenario: str
    armies: tuple[str, str]
    players: tuple[str, str]
    digest: str
    columns: list[str]
    positions: list[SeatPosition]


class Task(msgspec.Struct, frozen=True):
    """One game, as it goes to a worker."""

    matches: Matches
    number: int
    every: int


def play(wanted: SelfPlay, workers: int | Crew = 1, progress: Callable[[Any], None] | None = None) -> list[PlayedOut]:
    """All games in the order of their numbers."""
    if wanted.every < 1:
        raise SimulationError(f"Positions are taken at every 1 activation or more, not {wanted.every}.")
    check(wanted.matches)
    plain = msgspec.structs.replace(wanted.matches, games=1)
    tasks = [Task(plain, number, wanted.every) for number in range(wanted.games)]
    with crew_of(workers, progress) as crew:
        return list(crew.run(play_task, tasks, PlayedOut, version_of(wanted.ruleset)))


def play_task(task: Task) -> PlayedOut:
    """One game; positions are measured on the way."""
    matches, number = task.matches, task.number
    header, armies = line_up(matches, number)
    seed = seed_of(matches, number)
    game = battle.start(header, seed, keep_history=False)
    seated = seats(matches, number)
    names = (matches.players[seated[0]], matches.players[seated[1]])
    players = [make(name, f"{seed}/{place}", matches.ruleset) for place, name in zip(seated, names, strict=True)]
    recorder = Recorder(matches.ruleset, task.every, number)
    while (decision := game.pending) is not None:
        recorder.see(game)
        game.choose_trusted(players[decision.player].choose(game))
        if len(game.choices) > MOST_DECISIONS:
            raise SimulationError(f"A game did not end after {MOST_DECISIONS} decisions.")
    turns = game.turn
    scenario = str(header.scenario.get("id", ""))
    return PlayedOut(
        number, game.winner, turns, scenario, armies, names, digest(game), recorder.columns, recorder.positions
    )


class Recorder:
    """Measures positions of a game at the beginning of every so many activations."""

    def __init__(self, ruleset: str, every: int = EVERY, first: int = 0) -> None:
        self.adviser: Adviser = adviser_of(ruleset, weights(ruleset))
        self.every = every
        self.columns: list[str] = []
        self.positions: list[SeatPosition] = []
        self._begun = first  # games begin at different activations, so that not all take the same ones

    def see(self, game: Game) -> None:
        """Look at the pending decision; measure the position if it is one of those that are taken."""
        decision = game.pending
        if decision is None or not (self.adviser.begins(decision) or self.adviser.opens(decision)):
            return
        if self.adviser.opens(decision) and self.adviser.inside(game):
            return
        self._begun += 1
        if self._begun % self.every == 0:
            self._measure(game, decision)

    def _measure(self, game: Game, decision: Any) -> None:
        for side, features in enumerate(both_seats(game, self.adviser)):
            self.columns = self.columns or list(features)
            worth = self.adviser.worth(game, side).total
            turn = game.turn
            values = [round(features[name], 5) for name in self.columns]
            self.positions.append(
                SeatPosition(len(game.choices), turn, side, decision.player, decision.key, round(worth, 4), values)
            )


def digest_of(games: Sequence[PlayedOut]) -> str:
    """One hash for all games in their order."""
    return hashlib.sha256("".join(game.digest for game in games).encode()).hexdigest()


__all__ = ["PlayedOut", "Recorder", "SeatPosition", "SelfPlay", "digest_of", "play"]
