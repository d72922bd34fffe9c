"""A load trial: many live games at once, two sockets each, a choice every few seconds.

    python -m dieselfront.server.load --games 200 --seconds 120 --every 2
    python -m dieselfront.server.load --games 400 --seconds 120 --every 2 --processes 2
    python -m dieselfront.server.load --games 200 --seconds 15 --every 0.05 --compare 2 --cores 0.2 --rounds 3

Starts servers of its own on the loopback interface and stops by itself. Nothing may be lost or out of order. More than
one process share a PostgreSQL server of the trial's own; the sockets of a game come to one process, as a proxy that
looks at the game's id has them, or to any of them (--scattered). Processor time stands beside choices a second: on one
machine the players, the database and the servers share its cores. --compare asks how many times the choices of one
process several of them carry, in turns on the same database, each process with the same share of a core (--cores), so
that the machine does not run out of cores before the servers do.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import random
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from dieselfront.server.cpu_share import limited
from dieselfront.server.trial_postgres import cluster
from dieselfront.server.trial_tools import Player, Script, call, game_server, listening, script, share, stop_cleanly

LONGEST_SECONDS = 600.0
MOST_GAMES = 1000


class Trial:
    """What came of it."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.in_time = 0
        """Choices acknowledged before the time was up."""
        self.refused = 0
        self.gaps = 0
        self.lost = 0
        self.late = 0

    def facts(self, games: int, seconds: float) -> dict[str, Any]:
        """The result in numbers, times in milliseconds."""
        return {
            "games": games,
            "sockets": games * 2,
            "seconds": round(seconds, 1),
            "choices": len(self.waits),
            "choices_per_second": round(self.in_time / seconds, 1),
            "lost": self.lost,
            "out_of_order": self.gaps,
            "refused": self.refused,
            "p50_ms": round(share(self.waits, 0.5) * 1000, 1),
            "p99_ms": round(share(self.waits, 0.99) * 1000, 1),
            "max_ms": round(max(self.waits, default=0.0) * 1000, 1),
        }


async def one_game(
    plan: Script, created: dict[str, Any], urls: tuple[str, str], every: float, end: float, trial: Trial
) -> None:
    """Two sockets at one game: whoever decides in the script makes the choice, the other one watches."""
    table, watch = created["table"]["token"], created["spectator"]["token"]
    chooser, watcher = Player(urls[0], created, table), Player(urls[1], created, watch)
    await asyncio.gather(chooser.join(), watcher.join())
    over = asyncio.Event()
    ears = asyncio.create_task(listening(watcher, over))
    made = 0
    next_at = time.monotonic() + random.random() * every
    while made < len(plan.answers) and max(next_at, time.monotonic()) < end:
        await asyncio.sleep(max(0.0, next_at - time.monotonic()))
        next_at += every
        started = time.perf_counter()
        await chooser.say_choice(made, plan.answers[made], made)
        answer = await chooser.acknowledged(made)
        trial.waits.append(time.perf_counter() - started)
        trial.in_time += time.monotonic() <= end
        if answer.type != "ack" or answer.version != made + 1:
            trial.refused += 1
            break
        made += 1
    await _settle(watcher, made)
    over.set()
    await ears
    _, seen = await asyncio.to_thread(call, urls[1], "GET", f"/api/games/{created['id']}", b"", watch)
    trial.lost += made - seen["choices"] + made - watcher.version
    trial.gaps += chooser.gaps + watcher.gaps
    await asyncio.gather(chooser.leave(), watcher.leave())


async def _settle(watcher: Player, made: int) -> None:
    """The last update may still be under way."""
    deadline = time.monotonic() + 10
    while watcher.version < made and time.monotonic() < deadline:
        await asyncio.sleep(0.05)


async def play(urls: Sequence[str], games: int, seconds: float, every: float, scattered: bool) -> dict[str, Any]:
    """All games at once, on servers that are up."""
    plan = await asyncio.to_thread(lambda: Script(urls[0], script("load")))
    created = [await asyncio.to_thread(plan.begin) for _ in range(games)]
    trial = Trial()
    end = time.monotonic() + seconds
    await asyncio.gather(
        *(
            one_game(plan, game, _places(urls, number, scattered), every, end, trial)
            for number, game in enumerate(created)
        )
    )
    return trial.facts(games, seconds)


def _places(urls: Sequence[str], number: int, scattered: bool) -> tuple[str, str]:
    """Where the two sockets of a game go: to one process, or to the next best ones."""
    return urls[number % len(urls)], urls[(number + scattered) % len(urls)]


def run(
    games: int, seconds: float, every: float, processes: int = 1, scattered: bool = False, postgres: bool = False
) -> dict[str, Any]:
    """A whole trial with servers of its own."""
    with ExitStack() as stack:
        if processes == 1 and not postgres:
            database = str(Path(stack.enter_context(tempfile.TemporaryDirectory())) / "load.sqlite3")
        else:
            database = stack.enter_context(cluster()).url
        servers = [stack.enter_context(game_server(database)) for _ in range(processes)]
        before = [server.processor_seconds for server in servers]
        report = asyncio.run(play([server.url for server in servers], games, seconds, every, scattered))
        spent = [server.processor_seconds - used for server, used in zip(servers, before, strict=True)]
    made = max(1, report["choices"])
    report["processor_seconds"] = [round(one, 1) for one in spent]
    return report | {"processes": processes, "processor_ms_per_choice": round(sum(spent) / made * 1000, 2)}


def compare(games: int, seconds: float, every: float, processes: int, cores: float, rounds: int) -> dict[str, Any]:
    """What one process carries and what several carry, in turns, each with the same share of a core."""
    with ExitStack() as stack:
        database = stack.enter_context(cluster()).url
        servers = [stack.enter_context(game_server(database)) for _ in range(processes)]
        urls = [server.url for server in servers]
        for url in urls:  # whoever has just started loads games first
            asyncio.run(play([url], 10, 2.0, every, False))
        for server in servers:
            assert server.process is not None
            stack.enter_context(limited(server.process.pid, cores))
        turns = itertools.chain.from_iterable((urls[:1], urls) for _ in range(rounds))
        reports = [asyncio.run(play(some, games, seconds, every, False)) | {"processes": len(some)} for some in turns]
    rates = {
        some: [report["choices_per_second"] for report in reports if report["processes"] == some]
        for some in (1, processes)
    }
    means = {some: sum(rate) / len(rate) for some, rate in rates.items()}
    return {
        "cores_each": cores,
        "ratio": round(means[processes] / means[1], 2),
        "choices_per_second": rates,
        "lost": sum(report["lost"] for report in reports),
        "out_of_order": sum(report["out_of_order"] for report in reports),
        "refused": sum(report["refused"] for report in reports),
        "rounds": reports,
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Many live games at once on a server of our own.")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two choices of a game")
    parser.add_argument("--processes", type=int, default=1, help="server processes; more than one share a PostgreSQL")
    parser.add_argument("--postgres", action="store_true", help="PostgreSQL for a single process too, to compare")
    parser.add_argument("--scattered", action="store_true", help="the sockets of a game come to different processes")
    parser.add_argument("--compare", type=int, default=0, metavar="N", help="one process beside N of them, in turns")
    parser.add_argument("--cores", type=float, default=0.2, help="with --compare: what each process has of a core")
    parser.add_argument("--rounds", type=int, default=3, help="with --compare: how often each has its turn")
    chosen = parser.parse_args()
    stop_cleanly()
    games, seconds = min(chosen.games, MOST_GAMES), min(chosen.seconds, LONGEST_SECONDS)
    processes = max(1, min(chosen.processes, 8))
    every = max(0.05, chosen.every)
    if chosen.compare:
        several, rounds = max(2, min(chosen.compare, 8)), max(1, min(chosen.rounds, 20))
        report = compare(games, seconds, every, several, min(1.0, max(0.05, chosen.cores)), rounds)
    else:
        report = run(games, seconds, every, processes, chosen.scattered, chosen.postgres)
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
