"""Durable choices a second, beside a bare server that echoes after its commit: alternating slices of one run.

python -m dieselfront.server.bench
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from dieselfront.server.drill import Player, Script, echo_server, game_server, script

CONNECTIONS = 16
SLICES = 4
SLICE_SECONDS = 2.0
LONGEST_SLICE = 30.0


async def our_slice(plan: Script, seconds: float, connections: int) -> float:
    """Choices acknowledged a second, each connection playing games of its own as fast as it can."""
    end = time.perf_counter() + seconds
    games = [await asyncio.to_thread(plan.begin) for _ in range(connections)]
    started = time.perf_counter()
    end = started + seconds
    made = await asyncio.gather(*(_play_on(plan, game, end) for game in games))
    return sum(made) / (time.perf_counter() - started)


async def _play_on(plan: Script, game: dict[str, Any], end: float) -> int:
    player = Player(plan.url, game, game["table"]["token"])
    await player.join()
    made = total = 0
    while time.perf_counter() < end:
        if made == len(plan.answers):
            await player.leave()
            game = await asyncio.to_thread(plan.begin)
            player = Player(plan.url, game, game["table"]["token"])
            await player.join()
            made = 0
        await player.say_choice(made, plan.answers[made], made)
        answer = await player.acknowledged(made)
        if answer.type != "ack":
            raise RuntimeError(f"a choice of the script was refused: {answer.reason}")
        made += 1
        total += 1
    await player.leave()
    return total


async def peer_slice(url: str, seconds: float, connections: int, message: str) -> float:
    """Messages echoed a second by the bare server."""
    started = time.perf_counter()
    counts = await asyncio.gather(*(_echo_on(url, started + seconds, message) for _ in range(connections)))
    return sum(counts) / (time.perf_counter() - started)


async def _echo_on(url: str, end: float, message: str) -> int:
    count = 0
    async with connect(url.replace("http", "ws", 1), compression=None, ping_interval=None) as socket:
        while time.perf_counter() < end:
            await socket.send(message)
            await socket.recv()
            count += 1
    return count


async def measure(ours: str, peer: str, seconds: float, slices: int, connections: int) -> dict[str, Any]:
    """Both in turn; the best slice of each counts least noise."""
    plan = await asyncio.to_thread(lambda: Script(ours, script("bench")))
    message = json.dumps({"type": "choose", "decision": 1, "answer": plan.answers[1], "id": 1})
    our_rates, peer_rates = [], []
    for _ in range(slices):
        peer_rates.append(await peer_slice(peer, seconds, connections, message))
        our_rates.append(await our_slice(plan, seconds, connections))
    mine, theirs = sum(our_rates) / slices, sum(peer_rates) / slices
    return {"ours": round(mine, 1), "peer": round(theirs, 1), "ratio": round(mine / theirs, 3), "unit": "choices/s"}


def durable_choices(
    seconds: float = SLICE_SECONDS, slices: int = SLICES, connections: int = CONNECTIONS
) -> dict[str, Any]:
    """The entry of the bench: our durable choices beside bare echoes after a commit."""
    seconds = min(seconds, LONGEST_SLICE)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        with game_server(place / "ours.sqlite3") as ours, echo_server(place / "peer.sqlite3") as peer:
            return asyncio.run(measure(ours.url, peer.url, seconds, slices, connections))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Durable choices a second beside a bare echo after a commit.")
    parser.add_argument("--seconds", type=float, default=SLICE_SECONDS)
    parser.add_argument("--slices", type=int, default=SLICES)
    parser.add_argument("--connections", type=int, default=CONNECTIONS)
    chosen = parser.parse_args()
    found = durable_choices(chosen.seconds, min(chosen.slices, 20), min(chosen.connections, 200))
    print(json.dumps({"server.durable_choices": found}, indent=2))


if __name__ == "__main__":
    main()
