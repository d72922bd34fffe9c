"""Many games between computer players: the same games for the same seed, however many processes play them.

>>> from dieselfront.lab.simulate import Matches, simulate
>>> simulate(Matches("dust1947", games=2, seed="7")).games
2
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from dieselfront import rulesets
from dieselfront.forces.armies import Army
from dieselfront.kernel.game import Game
from dieselfront.kernel.record import Header, digest, dump, record
from dieselfront.lab.crew import Crew, crew_of
from dieselfront.players import Player, make
from dieselfront.scenarios import battle, library

SIDES = ("blue", "red")
ANY = "any"
EACH = "random:any"
"""A new random army for every battle."""
MOST_DECISIONS = 200_000
"""No battle takes so many decisions; one that does would go on for ever."""


class SimulationError(ValueError):
    """Games that cannot be played as asked; one sentence says why."""


class Matches(msgspec.Struct, frozen=True):
    """What is to be played. `any` takes the scenarios and starter armies in turn; `swap` changes seats every game.

    `random:any` as an army is a new random list for every battle.
    """

    ruleset: str
    games: int = 1
    seed: str = "1"
    players: tuple[str, str] = ("random", "random")
    blue: str = ANY
    red: str = ANY
    scenario: str = ANY
    options: dict[str, str] = {}
    swap: bool = False
    save: str = ""


class Played(msgspec.Struct, frozen=True):
    """One finished game; `winner` is a side, `seats` who sat where."""

    number: int
    winner: int | None
    seats: tuple[int, int]
    decisions: int
    events: int
    turns: int
    digest: str
    scenario: str
    armies: tuple[str, str]


class Report(msgspec.Struct):
    """What many games came to."""

    ruleset: str
    games: int
    wins: dict[str, int]
    draws: int
    decisions: int
    events: int
    seconds: float
    digest: str
    by_side: dict[str, int]
    players: tuple[str, str]
    seed: str
    turns: float


def simulate(matches: Matches, workers: int | Crew = 1, progress: Callable[[Played], None] | None = None) -> Report:
    """Play all games and add them up, in the order of their numbers."""
    started = time.perf_counter()
    check(matches)
    with crew_of(workers, progress) as crew:
        played = list(play_all(matches, crew))
        return summary(matches, played, time.perf_counter() - started)


def check(matches: Matches) -> None:
    """Find mistakes before the first game: players, armies, scenario and options must exist."""
    if matches.games < 1:
        raise SimulationError(f"At least 1 game has to be played, not {matches.games}.")
    rulesets.load(matches.ruleset)
    for name in matches.players:
        make(name, "", matches.ruleset)
    line_up(matches, 0)


def play_all(matches: Matches, workers: int | Crew = 1) -> Iterator[Played]:
    """Every game in the order of its number."""
    line_up(matches, 0)  # what the first game loads, forked processes need not load again
    with crew_of(workers) as crew:
        plain = msgspec.structs.replace(matches, games=1)  # a longer series of the same seed begins with the same games
        tasks = [(plain, number) for number in range(matches.games)]
        yield from crew.run(play_task, tasks, Played, version_of(matches.ruleset))


def play_task(task: tuple[Matches, int]) -> Played:
    """One game of a series, as a worker plays it."""
    return play_one(*task)


def version_of(ruleset: str) -> str:
    """What results of games are kept under: another version of the rules may play differently."""
    return f"{ruleset} {rulesets.load(ruleset).version}"


# -- one game -----------------------------------------------------------------------------------


def seed_of(matches: Matches, number: int) -> str:
    """The dice seed of a game, from the seed of the whole and its number."""
    return hashlib.sha256(f"{matches.ruleset}/{matches.seed}/{number}".encode()).hexdigest()[:32]


def seats(matches: Matches, number: int) -> tuple[int, int]:
    """Which player sits on which side."""
    return (1, 0) if matches.swap and number % 2 else (0, 1)


def line_up(matches: Matches, number: int) -> tuple[Header, tuple[str, str]]:
    """The header of a game and the names of its armies."""
    turn = number // 2 if matches.swap else number  # both games of a swapped pair are the same battle
    scenarios = library.names(matches.ruleset)
    if matches.scenario == ANY and not scenarios:
        raise SimulationError(f"There are no scenarios for {matches.ruleset}; --scenario names one of your own.")
    scenario = scenarios[turn % len(scenarios)] if matches.scenario == ANY else matches.scenario
    armies = _armies(matches, turn // max(1, len(scenarios)), turn)
    seated = tuple(matches.players[player] for player in seats(matches, number))
    seed = seed_of(matches, number)
    lists: list[str | Army] = list(armies)
    header = battle.header(
        matches.ruleset, scenario, lists, seed=seed, seats=seated, options=matches.options, salt=str(number)
    )
    return header, armies


def _armies(matches: Matches, turn: int, number: int) -> tuple[str, str]:
    """The two army lists of battle `number`; `any` goes through all pairs of starter armies."""
    starters = battle.starters(matches.ruleset)
    if not starters and ANY in (matches.blue, matches.red):
        raise SimulationError(f"There are no starter armies for {matches.ruleset}; name army lists of your own.")
    pairs = [(one, other) for one in starters for other in starters if one != other]
    pairs = pairs or [(one, one) for one in starters] or [(ANY, ANY)]
    chosen = zip((matches.blue, matches.red), pairs[turn % len(pairs)], strict=True)
    blue, red = (starter if wanted == ANY else wanted for wanted, starter in chosen)
    return _named(blue, matches, number, 0), _named(red, matches, number, 1)


def _named(army: str, matches: Matches, battle: int, side: int) -> str:
    """An army by its name; of random ones a new one for every battle and side."""
    if army != EACH:
        return army
    key = f"{matches.ruleset}/{matches.seed}/{battle}/{side}/army"
    return f"random:{int(hashlib.sha256(key.encode()).hexdigest()[:7], 16)}"


def play_one(matches: Matches, number: int) -> Played:
    """One whole game."""
    return play_with(players_of(matches, number), matches, number)


def players_of(matches: Matches, number: int) -> list[Player]:
    """The players of a game as they sit."""
    seed = seed_of(matches, number)
    return [make(matches.players[player], f"{seed}/{player}", matches.ruleset) for player in seats(matches, number)]


def play_with(players: Sequence[Player], matches: Matches, number: int) -> Played:
    """One whole game between these players."""
    header, armies = line_up(matches, number)
    seed = seed_of(matches, number)
    copyable = any(player.copies for player in players)
    game = battle.start(header, seed, keep_history=False, copyable=copyable)
    decisions = play_out(game, players)
    if matches.save:
        save(game, Path(matches.save), number)
    return Played(
        number,
        game.winner,
        seats(matches, number),
        decisions,
        len(game.events),
        game.turn,
        digest(game),
        str(header.scenario.get("id", "")),
        armies,
    )


def play_out(game: Game, players: Sequence[Any]) -> int:
    """Let the players finish a game; returns how many decisions they took."""
    decisions = 0
    while (pending := game.pending) is not None:
        game.choose(players[pending.player].choose(game))
        decisions += 1
        if decisions > MOST_DECISIONS:
            raise SimulationError(f"A game did not end after {MOST_DECISIONS} decisions.")
    return decisions


def save(game: Game, folder: Path, number: int) -> None:
    """Write the record of a game."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"game-{number:05d}.json").write_bytes(dump(record(game)))


# -- adding up ----------------------------------------------------------------------------------


def summary(matches: Matches, played: Sequence[Played], seconds: float) -> Report:
    """Wins by player, and by side where both players have one name; the digest of all games in order."""
    whole = hashlib.sha256()
    by_player = [0, 0]
    by_side = dict.fromkeys(SIDES, 0)
    for one in played:
        whole.update(one.digest.encode())
        if one.winner is not None:
            by_side[SIDES[one.winner]] += 1
            by_player[one.seats[one.winner]] += 1
    first, second = matches.players
    wins = {first: by_player[0], second: by_player[1]} if first != second else dict(by_side)
    return Report(
        ruleset=matches.ruleset,
        games=len(played),
        wins=wins,
        draws=sum(one.winner is None for one in played),
        decisions=sum(one.decisions for one in played),
        events=sum(one.events for one in played),
        seconds=round(seconds, 3),
        digest=whole.hexdigest(),
        by_side=by_side,
        players=matches.players,
        seed=matches.seed,
        turns=round(sum(one.turns for one in played) / max(1, len(played)), 2),
    )


__all__ = [
    "Matches",
    "Played",
    "Report",
    "SimulationError",
    "play_all",
    "play_one",
    "play_out",
    "play_with",
    "players_of",
    "simulate",
]
