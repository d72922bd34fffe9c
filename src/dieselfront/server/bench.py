"""Durable choices a second, beside a bare server that echoes after its commit: alternating slices of one run.

    python -m dieselfront.server.bench

Both sides are processes of their own with an SQLite file each (write-ahead log, synchronous FULL), asked over as many
WebSockets by one client. Every choice of ours is legal, played, journaled and acknowledged before the next one of its
game comes, and shown to whoever watches within a twentieth of a second; games that end are begun anew. Beside the rates
stand the processor time that each server's own process took for one choice or one echo, what the client took for it,
and how busy the machine was.
"""

from __future__ import annotations

import argparse
import asyncio
import atexit
import json
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from dieselfront.lab.bench import Entry, Work, measure
from dieselfront.server.trial_tools import Player, Process, Script, echo_server, game_server, script

CONNECTIONS = 16
AT_A_TIME = 8
"""Choices each connection makes before the clock is looked at."""


class Ours:
    """Connections at games of our server, each playing through a script again and again."""

    def __init__(self, url: str, connections: int) -> None:
        self.plan = Script(url, script("bench"))
        self.games = [_OurGame(self.plan) for _ in range(connections)]

    async def prepare(self) -> None:
        await asyncio.gather(*(game.begin() for game in self.games))

    async def work(self) -> int:
        """A few choices of everybody, each acknowledged."""
        await asyncio.gather(*(game.play(AT_A_TIME) for game in self.games))
        return AT_A_TIME * len(self.games)


class _OurGame:
    """One connection."""

    def __init__(self, plan: Script) -> None:
        self.plan = plan
        self.made = 0

    async def begin(self) -> None:
        created = await asyncio.to_thread(self.plan.begin)
        self.player = Player(self.plan.url, created, created["table"]["token"])
        await self.player.join()
        self.made = 0

    async def play(self, choices: int) -> None:
        for _ in range(choices):
            if self.made == len(self.plan.answers):
                await self.player.leave()
                await self.begin()
            await self.player.say_choice(self.made, self.plan.answers[self.made], self.made)
            answer = await self.player.acknowledged(self.made)
            if answer.type != "ack":
                raise RuntimeError(f"a choice of the script was refused: {answer.reason}")
            self.made += 1


class Peer:
    """Connections at the bare server."""

    def __init__(self, url: str, connections: int, message: str) -> None:
        self.url = url.replace("http", "ws", 1)
        self.count = connections
        self.message = message
        self.sockets: list[ClientConnection] = []

    async def prepare(self) -> None:
        self.sockets = [await connect(self.url, compression=None, ping_interval=None) for _ in range(self.count)]

    async def work(self) -> int:
        """A few messages of everybody, each echoed."""
        await asyncio.gather(*(self._echo(socket) for socket in self.sockets))
        return AT_A_TIME * len(self.sockets)

    async def _echo(self, socket: ClientConnection) -> None:
        for _ in range(AT_A_TIME):
            await socket.send(self.message)
            await socket.recv()


class Spent:
    """What a server did, and the processor time it took for it."""

    def __init__(self) -> None:
        self.done = 0
        self.seconds = 0.0

    def add(self, done: int, seconds: float) -> None:
        self.done += done
        self.seconds += seconds

    @property
    def milliseconds(self) -> float:
        """For one piece of work."""
        return 1000 * self.seconds / self.done if self.done else 0.0


class Arena:
    """Both servers and a loop to ask them from."""

    def __init__(self, connections: int) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.loop = asyncio.new_event_loop()
        self.servers: list[Process] = []
        atexit.register(self.close)
        place = Path(self.folder.name)
        self.servers = [game_server(place / "ours.sqlite3"), echo_server(place / "peer.sqlite3")]
        for server in self.servers:
            server.start()
        self.ours = Ours(self.servers[0].url, connections)
        message = json.dumps({"type": "choose", "decision": 1, "answer": self.ours.plan.answers[1], "id": 1})
        self.peer = Peer(self.servers[1].url, connections, message)
        for side in (self.ours, self.peer):
            self.loop.run_until_complete(side.prepare())
        self.spent = {server: Spent() for server in self.servers}
        self.asking = {server: Spent() for server in self.servers}

    def works(self) -> tuple[Work, Work]:
        """The work of both sides."""
        ours, peer = self.servers
        return lambda: self._work(self.ours, ours), lambda: self._work(self.peer, peer)

    def _work(self, side: Ours | Peer, server: Process) -> int:
        before, asked = server.processor_seconds, time.process_time()
        done = self.loop.run_until_complete(side.work())
        self.spent[server].add(done, server.processor_seconds - before)
        self.asking[server].add(done, time.process_time() - asked)
        return done

    def processor_ms(self) -> dict[str, float]:
        """Processor time for one choice and for one echo, of each server's own process and of the client, in ms."""
        ours, peer = self.servers
        servers = {"ours": self.spent[ours], "peer": self.spent[peer]}
        client = {"client_ours": self.asking[ours], "client_peer": self.asking[peer]}
        return {name: round(spent.milliseconds, 3) for name, spent in {**servers, **client}.items()}

    def close(self) -> None:
        """Stop everything."""
        atexit.unregister(self.close)
        for server in self.servers:
            server.stop()
        self.servers = []
        if not self.loop.is_closed():
            self.loop.close()
            self.folder.cleanup()


def entries() -> Iterator[Entry]:
    """The entry of `dieselfront bench`."""
    yield Entry(
        "server.durable_choices",
        "choices/s",
        "a bare WebSocket server, echo after commit",
        lambda: Arena(CONNECTIONS).works(),
        goal=0.8,
    )


def durable_choices(seconds: float = 12.0, slices: int = 4, connections: int = CONNECTIONS) -> dict[str, Any]:
    """Measure it, and stop the servers afterwards."""
    arena = Arena(connections)
    try:
        entry = next(entries())._replace(prepare=arena.works)
        figures = measure(entry, seconds, slices).to_json()
        return figures | {"processor_ms": arena.processor_ms(), "load_average": round(os.getloadavg()[0], 1)}
    finally:
        arena.close()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Durable choices a second beside a bare echo after a commit.")
    parser.add_argument("--seconds", type=float, default=12.0)
    parser.add_argument("--slices", type=int, default=4)
    parser.add_argument("--connections", type=int, default=CONNECTIONS)
    chosen = parser.parse_args()
    figures = durable_choices(min(chosen.seconds, 120.0), min(chosen.slices, 40), min(chosen.connections, 200))
    print(json.dumps({"server.durable_choices": figures}, indent=2))


if __name__ == "__main__":
    main()
