"""Many games between computer players: the same games for the same seed, however many processes play them.

>>> from dieselfront.lab.simulate import Matches, simulate
>>> simulate(Matches("dust1947", games=2, seed="7")).games
2
"""

from __future__ import annotations

import gc
import hashlib
import multiprocessing
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from dieselfront import rulesets
from dieselfront.forces.armies import Army
from dieselfront.kernel.game import Game
from dieselfront.kernel.record import Header, digest, dump, record
from dieselfront.players import make
from dieselfront.scenarios import battle, library

SIDES = ("blue", "red")
ANY = "any"
LARGEST_SHARE = 16
SELDOM = (20_000, 20, 50)
"""How many objects are made before Python looks for cycles among the young, older and oldest ones."""
MOST_DECISIONS = 200_000
"""No battle takes so many decisions; one that does would go on for ever."""


class SimulationError(ValueError):
    """Games that cannot be played as asked; one sentence says why."""


class Matches(msgspec.Struct, frozen=True):
    """What is to be played. `any` takes the scenarios and starter armies in turn; `swap` changes seats every game."""

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


def simulate(matches: Matches, workers: int = 1, progress: Callable[[Played], None] | None = None) -> Report:
    """Play all games and add them up, in the order of their numbers."""
    started = time.perf_counter()
    check(matches)
    played = []
    for one in play_all(matches, workers):
        played.append(one)
        if progress is not None:
            progress(one)
    return summary(matches, played, time.perf_counter() - started)


def check(matches: Matches) -> None:
    """Find mistakes before the first game: players, armies, scenario and options must exist."""
    if matches.games < 1:
        raise SimulationError(f"At least 1 game has to be played, not {matches.games}.")
    rulesets.load(matches.ruleset)
    for name in matches.players:
        make(name, "", matches.ruleset)
    line_up(matches, 0)


def play_all(matches: Matches, workers: int = 1) -> Iterator[Played]:
    """Every game in the order of its number."""
    if workers <= 1:
        with seldom_collecting():
            for number in range(matches.games):
                yield play_one(matches, number)
        return
    line_up(matches, 0)  # what the first game loads, forked processes need not load again
    with ProcessPoolExecutor(min(workers, matches.games), mp_context=_context()) as pool:
        waiting = [pool.submit(_play_some, matches, numbers) for numbers in _shares(matches.games, workers)]
        try:
            for share in waiting:
                yield from share.result()
        except BaseException:
            _cancel(waiting)
            raise


def _context() -> Any:
    """New processes are forks where that is safe, so that they find everything loaded, and begin afresh elsewhere."""
    may_fork = sys.platform == "linux" and threading.active_count() == 1
    return multiprocessing.get_context("fork" if may_fork else "spawn")


def _shares(games: int, workers: int) -> list[range]:
    """Games in shares that become smaller towards the end, so that no process waits long for the last one."""
    shares: list[range] = []
    start = 0
    while start < games:
        size = max(1, min(LARGEST_SHARE, (games - start) // (workers * 3)))
        shares.append(range(start, start + size))
        start += size
    return shares


def _play_some(matches: Matches, numbers: Sequence[int]) -> list[Played]:
    with seldom_collecting():
        return [play_one(matches, number) for number in numbers]


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Games make many small objects and few cycles: inside, Python looks for cycles less often."""
    before = gc.get_threshold()
    gc.set_threshold(*SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _cancel(waiting: list[Future[list[Played]]]) -> None:
    for share in waiting:
        share.cancel()


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
    armies = _armies(matches, turn // max(1, len(scenarios)))
    seated = tuple(matches.players[player] for player in seats(matches, number))
    seed = seed_of(matches, number)
    lists: list[str | Army] = list(armies)
    header = battle.header(
        matches.ruleset, scenario, lists, seed=seed, seats=seated, options=matches.options, salt=str(number)
    )
    return header, armies


def _armies(matches: Matches, turn: int) -> tuple[str, str]:
    """The two army lists of a game; `any` goes through all pairs of starter armies."""
    starters = battle.starters(matches.ruleset)
    if not starters and ANY in (matches.blue, matches.red):
        raise SimulationError(f"There are no starter armies for {matches.ruleset}; name army lists of your own.")
    pairs = [(one, other) for one in starters for other in starters if one != other]
    pairs = pairs or [(one, one) for one in starters] or [(ANY, ANY)]
    blue, red = pairs[turn % len(pairs)]
    return (blue if matches.blue == ANY else matches.blue, red if matches.red == ANY else matches.red)


def play_one(matches: Matches, number: int) -> Played:
    """One whole game."""
    header, armies = line_up(matches, number)
    seed = seed_of(matches, number)
    game = battle.start(header, seed, keep_history=False)
    seated = seats(matches, number)
    players = [make(matches.players[player], f"{seed}/{player}", matches.ruleset) for player in seated]
    decisions = play_out(game, players)
    if matches.save:
        save(game, Path(matches.save), number)
    return Played(
        number,
        game.winner,
        seated,
        decisions,
        len(game.events),
        int(getattr(game.state, "turn", 0)),
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


__all__ = ["Matches", "Played", "Report", "SimulationError", "play_all", "play_one", "play_out", "simulate"]
