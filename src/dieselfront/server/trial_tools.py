"""What load, durability and speed trials share: servers in processes of their own, and games that follow a script.

A script is the record of a game. It is brought along as a record and branched at its beginning, so that any number of
games can be played on the server choice by choice, the dice falling as in the record. All on the loopback interface.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from dieselfront import rulesets
from dieselfront.kernel.record import Record, record
from dieselfront.players import make
from dieselfront.scenarios import battle, library
from dieselfront.server.processor_time import processor_seconds

START_SECONDS = 60.0
OPEN_SECONDS = 60.0
"""How long a socket may take to open: hundreds of them open at once on a server that has a share of a core."""
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/")


class Process:
    """A server in a process of its own, on a free port of the loopback interface."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = [sys.executable, *command]
        self.process: subprocess.Popen[str] | None = None
        self.url = ""

    def __enter__(self) -> Process:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start it and wait until it says where it is."""
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            line = self.process.stdout.readline()
            address = _ADDRESS.search(line)
            if address:
                self.url = address.group().rstrip("/")
                return
            if not line and self.process.poll() is not None:
                break
        raise RuntimeError("the server did not start")

    def stop(self) -> None:
        """Stop it as a person would."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """Stop it as a power cut would."""
        self._end(signal.SIGKILL)

    @property
    def processor_seconds(self) -> float:
        """Processor time the server's own process has taken so far; 0 where the system does not tell."""
        assert self.process is not None
        return processor_seconds(self.process.pid) or 0.0

    def _end(self, how: signal.Signals) -> None:
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.process = None


def stop_cleanly() -> None:
    """A trial that is told to stop stops the servers it started."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def game_server(database: Path | str, port: int = 0, **limits: float) -> Process:
    """Our own server, with limits wide enough for one machine to play everybody, but for those that are given."""
    return Process(["-m", "dieselfront.server.trial_tools", str(database), str(port), json.dumps(limits)])


def serve(database: str, port: int, given: dict[str, Any]) -> None:
    """What that process runs."""
    from dieselfront.server.run import run
    from dieselfront.server.settings import Limits, Settings

    many = 1e9
    limits = Limits(
        requests_per_second=many,
        requests_burst=many,
        messages_per_second=many,
        messages_burst=many,
        new_games_per_minute=many,
        sockets_per_address=20_000,
        connections_per_address=0,
        bytes_burst=many,
        bytes_per_second=many,
        games_in_memory=1000,
        work_seconds=60.0,
    )
    limits = msgspec.structs.replace(limits, **given)
    run(Settings(port=port, database=database, thinkers=0, private_webhooks=True, limits=limits), "error")


def echo_server(database: Path | str) -> Process:
    """The bare peer."""
    return Process(["-m", "dieselfront.server.echo", "--database", str(database)])


def script(seed: str, ruleset: str = rulesets.DEFAULT, level: str = "regular") -> Record:
    """A game between two computers, as a record."""
    armies = battle.starters(ruleset)
    header = battle.header(ruleset, library.names(ruleset)[0], [armies[0], armies[1]], seed=seed, seats=("Ann", "Bob"))
    game = battle.start(header, seed, keep_history=False)
    players = [make(level, f"{seed}/{side}", ruleset) for side in (0, 1)]
    while (decision := game.pending) is not None:
        game.choose(players[decision.player].choose(game))
    return record(game)


def call(url: str, method: str, path: str, body: bytes = b"", token: str = "") -> tuple[int, Any]:
    """One request; returns status and JSON."""
    status, data = fetch(url, method, path, body, token)
    return status, json.loads(data) if data else None


def fetch(url: str, method: str, path: str, body: bytes = b"", token: str = "") -> tuple[int, bytes]:
    """One request; returns status and body."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=60)
    try:
        headers = {"Content-Type": "application/json", **({"X-Seat": token} if token else {})}
        connection.request(method, path, body or None, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


class Script:
    """A record that the server knows, and the games branched from it."""

    def __init__(self, url: str, kept: Record) -> None:
        self.url = url
        self.kept = kept
        self.answers: list[Any] = json.loads(msgspec.json.encode(kept.choices))
        status, answer = call(url, "POST", "/api/records", msgspec.json.encode(kept))
        if status != 201:
            raise RuntimeError(f"the script was refused: {answer}")
        self.id = answer["id"]

    def begin(self) -> dict[str, Any]:
        """A new game of two people that can follow the script from its first choice."""
        wish = {"at": 0, "seats": [{"kind": "human"}, {"kind": "human"}]}
        status, answer = call(self.url, "POST", f"/api/records/{self.id}/branch", json.dumps(wish).encode())
        if status != 201:
            raise RuntimeError(f"no game could be begun: {answer}")
        created: dict[str, Any] = answer
        return created


class Player:
    """A socket at a scripted game."""

    def __init__(self, url: str, game: dict[str, Any], token: str) -> None:
        self.address = f"{url.replace('http', 'ws', 1)}/api/games/{game['id']}/live"
        self.token = token
        self.socket: ClientConnection | None = None
        self.version = -1
        self.gaps = 0

    async def join(self) -> int:
        """Open the socket and say hello; returns the version the game stands at."""
        self.socket = await connect(
            self.address, compression=None, max_size=None, ping_interval=None, open_timeout=OPEN_SECONDS
        )
        await self.socket.send(json.dumps({"type": "hello", "token": self.token}))
        while True:
            message = msgspec.json.decode(await self.socket.recv(), type=Heard)
            if message.type == "snapshot":
                self.version = message.version
                return self.version

    async def leave(self) -> None:
        if self.socket is not None:
            await self.socket.close()

    async def say_choice(self, version: int, answer: Any, id: int) -> None:
        assert self.socket is not None
        await self.socket.send(json.dumps({"type": "choose", "decision": version, "answer": answer, "id": id}))

    async def hear(self) -> Heard:
        """The next message; updates that do not follow on are counted, and whole snapshots that go back."""
        assert self.socket is not None
        message = msgspec.json.decode(await self.socket.recv(), type=Heard)
        if message.type == "snapshot":
            self.gaps += message.version < self.version
            self.version = message.version
        elif message.type == "update":
            if message.since != self.version or message.version <= message.since:
                self.gaps += 1
            self.version = message.version
        return message

    async def acknowledged(self, id: int) -> Heard:
        """Listen until a choice is acknowledged or refused."""
        while True:
            message = await self.hear()
            if message.type in ("ack", "refused") and message.id == id:
                return message


class Heard(msgspec.Struct):
    """What a trial reads of a message."""

    type: str
    version: int = -1
    since: int = -1
    id: int | str | None = None
    status: int = 0
    reason: str = ""


async def listening(player: Player, until: asyncio.Event) -> None:
    """Hear everything until the trial is over."""
    while not until.is_set():
        try:
            await asyncio.wait_for(player.hear(), 0.5)
        except TimeoutError:
            continue


def share(values: Sequence[float], part: float) -> float:
    """The value below which such a part of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3]) if len(sys.argv) > 3 else {})
