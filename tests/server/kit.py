"""A server for tests: the real thing on a free port of the loopback interface, and visitors for it."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from websockets.sync.client import ClientConnection, connect

from dieselfront.server.app import create_app
from dieselfront.server.run import address, announce, config, listen
from dieselfront.server.settings import Limits, Settings

LIMITS = Limits(
    requests_per_second=5000.0,
    requests_burst=50_000.0,
    messages_per_second=5000.0,
    messages_burst=50_000.0,
    new_games_per_minute=10_000.0,
    sockets_per_address=500,
    connections_per_address=1000,
    review_seconds=1.0,
    work_seconds=60.0,
)
"""Generous ones; tests of limits bring their own."""


class Server:
    """A running server and how to reach it."""

    def __init__(self, settings: Settings, url: str, app: Any) -> None:
        self.settings = settings
        self.url = url
        self.app = app
        self.http = httpx.Client(base_url=url, timeout=30.0)

    @property
    def games(self) -> Any:
        return self.app.app.state.games

    def post(self, path: str, body: Any = None, token: str | None = None) -> httpx.Response:
        headers = {"X-Seat": token} if token else {}
        return (
            self.http.post(path, json=body, headers=headers)
            if body is not None
            else self.http.post(path, headers=headers)
        )

    def get(self, path: str, token: str | None = None, **query: Any) -> httpx.Response:
        return self.http.get(path, headers={"X-Seat": token} if token else {}, params=query)

    def begin(self, **wish: Any) -> Table:
        """A new game; by default two people."""
        wish.setdefault("seats", [{"kind": "human", "name": "Ann"}, {"kind": "human", "name": "Bob"}])
        answer = self.post("/api/games", wish)
        assert answer.status_code == 201, answer.text
        return Table(self, answer.json())


class Table:
    """A game on the server, seen by whoever made it."""

    def __init__(self, server: Server, created: dict[str, Any]) -> None:
        self.server = server
        self.created = created
        self.id: str = created["id"]
        self.path = f"/api/games/{self.id}"
        self.tokens: list[str] = [seat["token"] for seat in created["seats"]]
        self.both: str = created["table"]["token"]
        self.spectator: str = created["spectator"]["token"]

    def look(self, token: str | None = None) -> dict[str, Any]:
        answer = self.server.get(self.path, token or self.both)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def choose(self, answer: Any, version: int | None = None, token: str | None = None) -> httpx.Response:
        decision = self.look(token)["version"] if version is None else version
        return self.server.post(f"{self.path}/choices", {"decision": decision, "answer": answer}, token or self.both)

    def do(self, what: str, body: Any = None, token: str | None = None) -> httpx.Response:
        return self.server.post(f"{self.path}/{what}", body, token or self.both)

    def play(self, choices: int, seed: int = 1, until: Any = None) -> dict[str, Any]:
        """Both people choose by chance for a while; returns the last snapshot."""
        chance = random.Random(seed)
        shown = self.look()
        for _ in range(choices):
            if shown["over"] or (until is not None and until(shown)):
                break
            answer = self.choose(some_answer(shown["decision"], chance), shown["version"])
            assert answer.status_code == 200, answer.text
            shown = self.look()
        return shown

    def socket(self, token: str) -> Visitor:
        return Visitor(self, token)


class Visitor:
    """A socket at a game."""

    def __init__(self, table: Table, token: str, hello: bool = True) -> None:
        url = table.server.url.replace("http://", "ws://").rstrip("/")
        self.socket: ClientConnection = connect(f"{url}{table.path}/live", max_size=None)
        self.waiting: list[dict[str, Any]] = []
        if hello:
            self.send({"type": "hello", "token": token})

    def send(self, message: Any) -> None:
        self.socket.send(json.dumps(message))

    def receive(self, timeout: float = 10.0) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.socket.recv(timeout))
        return found

    def wait_for(self, kind: str, timeout: float = 10.0, **fields: Any) -> dict[str, Any]:
        """The next message of a kind; others are set aside."""
        for place, message in enumerate(self.waiting):
            if _fits(message, kind, fields):
                return self.waiting.pop(place)
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            message = self.receive(max(0.01, end - time.monotonic()))
            if _fits(message, kind, fields):
                return message
            self.waiting.append(message)
        raise AssertionError(f"no {kind} {fields} among {[one['type'] for one in self.waiting]}")

    def close(self) -> None:
        self.socket.close()


def _fits(message: dict[str, Any], kind: str, fields: dict[str, Any]) -> bool:
    return message["type"] == kind and all(message.get(name) == value for name, value in fields.items())


def some_answer(decision: dict[str, Any], chance: random.Random) -> Any:
    """Any answer a client can read off a decision's facts."""
    shape = decision["shape"]
    if shape == "pick-one":
        return chance.choice(decision["options"])["answer"]
    if shape == "pick-some":
        return [one["answer"] for one in decision["options"][: max(decision["least"], min(1, decision["most"]))]]
    if shape == "place":
        spot = chance.choice(decision["spots"])
        return [spot["spot"], chance.choice(spot["facings"])]
    if shape == "assign":
        aims = [chance.choice(item["options"])["answer"] for item in decision["items"]]
        return aims if chance.random() < 0.5 and "default" not in decision else decision.get("default", aims)
    if shape == "number":
        return decision["least"]
    if shape == "yes-no":
        return chance.random() < 0.5
    if shape == "dice":
        return [chance.choice(decision["faces"]) for _ in range(decision["count"])]
    raise AssertionError(f"no answer to a {shape}")


@contextmanager
def serving(folder: Path, **settings: Any) -> Iterator[Server]:
    """A server in a thread of this process."""
    settings.setdefault("database", str(folder / "games.sqlite3"))
    settings.setdefault("thinkers", 0)
    settings.setdefault("limits", LIMITS)
    made = Settings(host="127.0.0.1", port=0, **settings)
    listening = listen("127.0.0.1", 0)
    app = create_app(made)
    announce(app, made, listening)
    running = uvicorn.Server(config(app, made, "warning"))
    running.capture_signals = _no_signals  # type: ignore[method-assign]
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + 30
    while not running.started:
        assert thread.is_alive() and time.monotonic() < deadline, "the server did not start"
        time.sleep(0.01)
    server = Server(made, address(listening, "127.0.0.1"), app)
    try:
        yield server
    finally:
        server.http.close()
        running.should_exit = True
        thread.join(20)
        assert not thread.is_alive(), "the server did not stop"


@contextmanager
def _no_signals() -> Iterator[None]:
    yield
