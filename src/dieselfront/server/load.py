"""A load trial: many live games at once, two sockets each, a choice every few seconds.

    python -m dieselfront.server.load --games 200 --seconds 120 --every 2

Starts a server of its own on the loopback interface and stops by itself. Nothing may be lost or out of order.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from pathlib import Path
from typing import Any

from dieselfront.server.trial_tools import Player, Script, call, game_server, listening, script, share

LONGEST_SECONDS = 600.0
MOST_GAMES = 1000


class Trial:
    """What came of it."""

    def __init__(self) -> None:
        self.waits: list[float] = []
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
            "choices_per_second": round(len(self.waits) / seconds, 1),
            "lost": self.lost,
            "out_of_order": self.gaps,
            "refused": self.refused,
            "p50_ms": round(share(self.waits, 0.5) * 1000, 1),
            "p99_ms": round(share(self.waits, 0.99) * 1000, 1),
            "max_ms": round(max(self.waits, default=0.0) * 1000, 1),
        }


async def one_game(plan: Script, created: dict[str, Any], every: float, end: float, trial: Trial) -> None:
    """Two sockets at one game: whoever decides in the script makes the choice, the other one watches."""
    table, watch = created["table"]["token"], created["spectator"]["token"]
    chooser, watcher = Player(plan.url, created, table), Player(plan.url, created, watch)
    await asyncio.gather(chooser.join(), watcher.join())
    over = asyncio.Event()
    ears = asyncio.create_task(listening(watcher, over))
    made = 0
    next_at = time.monotonic() + random.random() * every
    while made < len(plan.answers) and next_at < end:
        await asyncio.sleep(max(0.0, next_at - time.monotonic()))
        next_at += every
        started = time.perf_counter()
        await chooser.say_choice(made, plan.answers[made], made)
        answer = await chooser.acknowledged(made)
        trial.waits.append(time.perf_counter() - started)
        if answer.type != "ack" or answer.version != made + 1:
            trial.refused += 1
            break
        made += 1
    await _settle(watcher, made)
    over.set()
    await ears
    _, seen = await asyncio.to_thread(call, plan.url, "GET", f"/api/games/{created['id']}", b"", watch)
    trial.lost += made - seen["choices"] + made - watcher.version
    trial.gaps += chooser.gaps + watcher.gaps
    await asyncio.gather(chooser.leave(), watcher.leave())


async def _settle(watcher: Player, made: int) -> None:
    """The last update may still be under way."""
    deadline = time.monotonic() + 10
    while watcher.version < made and time.monotonic() < deadline:
        await asyncio.sleep(0.05)


async def play(url: str, games: int, seconds: float, every: float) -> dict[str, Any]:
    """All games at once, on a server that is up."""
    plan = await asyncio.to_thread(lambda: Script(url, script("load")))
    created = [await asyncio.to_thread(plan.begin) for _ in range(games)]
    trial = Trial()
    end = time.monotonic() + seconds
    started = time.monotonic()
    await asyncio.gather(*(one_game(plan, game, every, end, trial) for game in created))
    return trial.facts(games, time.monotonic() - started)


def run(games: int, seconds: float, every: float) -> dict[str, Any]:
    """A whole trial with a server of its own."""
    with tempfile.TemporaryDirectory() as folder, game_server(Path(folder) / "load.sqlite3") as server:
        return asyncio.run(play(server.url, games, seconds, every))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Many live games at once on a server of our own.")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two choices of a game")
    chosen = parser.parse_args()
    games, seconds = min(chosen.games, MOST_GAMES), min(chosen.seconds, LONGEST_SECONDS)
    print(json.dumps(run(games, seconds, max(0.05, chosen.every)), indent=2))


if __name__ == "__main__":
    main()
