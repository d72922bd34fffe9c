"""Leagues: computer players against each other, every battle fought both ways, with 95 % intervals; and the tuner.

>>> from dieselfront.lab.league import League, play
>>> play(League("dust1947", ("regular", "random"), games=2)).pairs[0].games
2

The tuner is SPSA (simultaneous perturbation): all weights are shifted at once, each up or down by the toss of a coin,
and the two opposite shifts play a match; all weights then move by what the match says. Same seed, same weights.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from statistics import median
from typing import Any

import msgspec

from dieselfront.lab.crew import Crew, crew_of
from dieselfront.lab.simulate import (
    Matches,
    Played,
    SimulationError,
    check,
    line_up,
    play_with,
    players_of,
    seats,
    version_of,
)
from dieselfront.players import weights
from dieselfront.players.opponent import Opponent

Z95 = 1.959964
STEP = 0.15
"""How far weights are shifted for a match, as a factor's logarithm."""
GAIN = 0.3
"""How far they move after it, for a match won outright."""

Step = Callable[[Any], None]


class League(msgspec.Struct, frozen=True):
    """Who plays: neighbours in the list meet, or all pairs. `games` is per pair, sides and armies swapped."""

    ruleset: str
    players: tuple[str, ...]
    games: int = 200
    seed: str = "1"
    all_pairs: bool = False
    timed: bool = False
    """Is it told how long the players thought? Nothing but that differs from run to run."""


class Thinking(msgspec.Struct, frozen=True):
    """How long a player thought about its choices among several candidates, in seconds of processor time."""

    choices: int
    median: float
    longest: float


class Pair(msgspec.Struct, frozen=True):
    """What a pair came to: games won by the first, drawn, lost, and the share won with its 95 % interval."""

    first: str
    second: str
    games: int
    won: int
    drawn: int
    lost: int
    share: float
    low: float
    high: float
    digest: str
    thinking: tuple[Thinking, ...] = ()
    """Of both players, if times were asked for."""


class Met(msgspec.Struct, frozen=True):
    """One game of a league: how it ended, and how long each player (not: each side) thought about every choice."""

    played: Played
    thought: tuple[list[float], list[float]]


class Standings(msgspec.Struct):
    """A league when it is over."""

    ruleset: str
    seed: str
    pairs: list[Pair]


def wilson(won: int, games: int, z: float = Z95) -> tuple[float, float]:
    """Wilson's interval of a share; draws count as not won."""
    if not games:
        return 0.0, 1.0
    share = won / games
    scale = 1.0 + z * z / games
    centre = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1.0 - share) / games + z * z / (4 * games * games))
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def pairs_of(league: League) -> list[tuple[str, str]]:
    """Who meets whom."""
    names = league.players
    if len(names) < 2:
        raise SimulationError("A league needs at least two players, with commas between them.")
    if league.all_pairs:
        return [(one, other) for place, one in enumerate(names) for other in names[place + 1 :]]
    return list(pairwise(names))


def play(league: League, workers: int | Crew = 1, progress: Step | None = None) -> Standings:
    """Play the whole league."""
    if league.games < 2 or league.games % 2:
        raise SimulationError(
            f"Every battle is fought both ways: an even number of games is needed, not {league.games}."
        )
    with crew_of(workers, progress) as crew:
        met = [meet(league.ruleset, *pair, league.games, league.seed, crew, league.timed) for pair in pairs_of(league)]
        return Standings(league.ruleset, league.seed, met)


def meet(
    ruleset: str, one: str, other: str, games: int, seed: str, workers: int | Crew = 1, timed: bool = False
) -> Pair:
    """One pair of players."""
    matches = Matches(ruleset, games=1, seed=seed, players=(one, other), swap=True)
    check(matches)
    line_up(matches, 0)  # what the first game loads, forked processes need not load again
    tasks = [(matches, number) for number in range(games)]
    with crew_of(workers) as crew:
        return pair_of(matches.players, list(crew.run(meet_task, tasks, Met, version_of(ruleset))), timed)


def meet_task(task: tuple[Matches, int]) -> Met:
    """One game of a pair, as a worker plays it."""
    matches, number = task
    players = players_of(matches, number)
    played = play_with(players, matches, number)
    thought: tuple[list[float], list[float]] = ([], [])
    for seat, player in zip(seats(matches, number), players, strict=True):
        if isinstance(player, Opponent):
            thought[seat].extend(round(seconds, 4) for seconds in player.thought)
    return Met(played, thought)


def pair_of(players: tuple[str, str], met: Sequence[Met], timed: bool = False) -> Pair:
    """What games between two players came to."""
    won = drawn = 0
    whole = hashlib.sha256()
    for one in met:
        whole.update(one.played.digest.encode())
        if one.played.winner is None:
            drawn += 1
        elif one.played.seats[one.played.winner] == 0:
            won += 1
    games = len(met)
    low, high = wilson(won, games)
    return Pair(
        *players,
        games,
        won,
        drawn,
        games - won - drawn,
        round(won / games, 4),
        round(low, 4),
        round(high, 4),
        whole.hexdigest(),
        tuple(thinking([seconds for one in met for seconds in one.thought[seat]]) for seat in (0, 1)) if timed else (),
    )


def thinking(seconds: Sequence[float]) -> Thinking:
    """Median and longest of these times."""
    return Thinking(len(seconds), round(median(seconds or (0.0,)), 3), round(max(seconds, default=0.0), 3))


# -- the tuner ----------------------------------------------------------------------------------


class Tuning(msgspec.Struct, frozen=True):
    """What is tuned: the weights of a ruleset at one level, over so many matches of so many games."""

    ruleset: str
    level: str = "regular"
    matches: int = 20
    games: int = 12
    proof: int = 100
    seed: str = "1"
    names: tuple[str, ...] = ()


class Tuned(msgspec.Struct):
    """What the tuner found: weights before and after, the score of each match, the proof against the old ones."""

    ruleset: str
    level: str
    seed: str
    before: dict[str, float]
    after: dict[str, float]
    scores: list[float]
    proof: Pair | None


def spelled(level: str, changed: dict[str, float]) -> str:
    """A player with weights of its own, by name."""
    return f"{level}:" + "/".join(f"{name}={number:.4f}" for name, number in changed.items())


def tune(tuning: Tuning, workers: int | Crew = 1, progress: Step | None = None) -> Tuned:
    """Shift, play, move; then prove the new weights against the old ones."""
    before = weights(tuning.ruleset)
    names = tuning.names or tuple(before)
    strangers = [name for name in names if name not in before]
    if strangers:
        raise SimulationError(
            f"There is no weight '{strangers[0]}' for {tuning.ruleset}; there are {', '.join(before)}."
        )
    with crew_of(workers, progress) as crew:
        logs, scores = _moved(tuning, names, before, crew)
        after = {name: round(math.exp(logs[name]), 4) for name in names}
        proof = None
        if tuning.proof:
            better = spelled(tuning.level, after)
            proof = meet(tuning.ruleset, better, tuning.level, tuning.proof, f"{tuning.seed}/proof", crew)
        old = {name: before[name] for name in names}
        return Tuned(tuning.ruleset, tuning.level, tuning.seed, old, after, scores, proof)


def _moved(
    tuning: Tuning, names: Sequence[str], before: dict[str, float], crew: Crew
) -> tuple[dict[str, float], list[float]]:
    """The logarithms of the weights after all matches, and the score of each."""
    chance = Random(f"tune/{tuning.seed}")
    logs = {name: math.log(max(before[name], 1e-3)) for name in names}
    scores = []
    for number in range(tuning.matches):
        coin = {name: 1.0 if chance.random() < 0.5 else -1.0 for name in names}
        cooling = 1.0 / (1.0 + number / max(1, tuning.matches)) ** 0.6
        shift = STEP * cooling
        up = {name: math.exp(logs[name] + shift * coin[name]) for name in names}
        down = {name: math.exp(logs[name] - shift * coin[name]) for name in names}
        rivals = spelled(tuning.level, up), spelled(tuning.level, down)
        pair = meet(tuning.ruleset, *rivals, tuning.games, f"{tuning.seed}/{number}", crew)
        score = (pair.won + 0.5 * pair.drawn) / pair.games
        scores.append(round(score, 4))
        for name in names:
            logs[name] += GAIN * cooling * (score - 0.5) * 2 * shift * coin[name] / STEP
    return logs, scores


def games_of(work: League | Tuning) -> int:
    """How many games a league or a tuning will play."""
    if isinstance(work, League):
        return work.games * len(pairs_of(work))
    return work.matches * work.games + work.proof


def markdown(pairs: Sequence[Pair]) -> str:
    """The table as it stands in the documentation."""
    lines = [
        "| players | games | won | drawn | lost | share won | 95 % interval |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for one in pairs:
        lines.append(
            f"| {one.first} – {one.second} | {one.games} | {one.won} | {one.drawn} | {one.lost} "
            f"| {one.share:.1%} | {one.low:.1%} – {one.high:.1%} |"
        )
    return "\n".join(lines)


__all__ = [
    "League",
    "Met",
    "Pair",
    "Standings",
    "Thinking",
    "Tuned",
    "Tuning",
    "games_of",
    "markdown",
    "meet",
    "pair_of",
    "play",
    "tune",
    "wilson",
]
