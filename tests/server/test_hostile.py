"""Hostile requests: each is answered or refused within its bounds, and whoever plays beside it notices nothing.

The list only grows: whatever once held the server up stays in it. Every entry says how it may be answered, in how many
seconds, and with how many bytes. The server runs in a process of its own; it tells the longest stall of its event loop
in processor time, so that a busy machine does not count, and the system tells its memory.
"""

from __future__ import annotations

import asyncio
import http.client
import io
import json
import random
import signal
import socket
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from dieselfront.kernel.record import Header, Record, dump, record
from dieselfront.players import make
from dieselfront.scenarios import battle, library
from dieselfront.server.loop_watch import LoopWatch
from dieselfront.server.trial_tools import Process, game_server
from server.kit import some_answer

STALL_SECONDS = 0.25
MEGABYTES = 600
WORK_SECONDS = 3.0
"""How long work may take on the server of these tests."""
REBUILD_SECONDS = 0.1
"""Processor time that all choices of a game may take on it."""


class Answer(NamedTuple):
    """What came back: the status, how many bytes, and the sentence."""

    status: int
    size: int
    reason: str = ""


class Stalls(NamedTuple):
    """How often an event loop has stood still for too long, and how long it ever did."""

    long: float
    longest: float


class Target:
    """The server under attack."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.host, port = process.url.removeprefix("http://").split(":")
        self.port = int(port)

    def ask(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        headers: dict[str, str] | None = None,
        source: str = "127.0.0.1",
        seconds: float = 60.0,
    ) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=seconds, source_address=(source, 0))
        try:
            sent = {"Content-Type": "application/json"} if headers is None else headers
            connection.putrequest(method, path, skip_accept_encoding=True)
            for name, value in {**sent, **({"Content-Length": str(len(body))} if body else {})}.items():
                connection.putheader(name, value)
            connection.endheaders(body or None)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def answer(self, method: str, path: str, body: Any = None, **more: Any) -> Answer:
        raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        status, data = self.ask(method, path, raw, **more)
        reason = ""
        with suppress(ValueError, AttributeError):
            reason = str(json.loads(data).get("reason", ""))
        return Answer(status, len(data), reason)

    def numbers(self) -> dict[str, float]:
        """The server's own numbers of /metrics."""
        status, data = self.ask("GET", "/metrics")
        assert status == 200
        lines = [line for line in data.decode().splitlines() if line.startswith("dieselfront_")]
        return {
            name.removeprefix("dieselfront_"): float(value)
            for name, _, value in (line.rpartition(" ") for line in lines)
        }

    def number(self, name: str) -> float:
        """One of them."""
        return self.numbers()[name]

    @property
    def stalls(self) -> Stalls:
        """How often its event loop has stood still for too long so far."""
        numbers = self.numbers()
        name = "event_loop_stall_seconds"
        long = numbers[f"{name}_count"] - numbers[f'{name}_bucket{{le="{STALL_SECONDS}"}}']
        return Stalls(long, numbers["event_loop_longest_stall_seconds"])

    @property
    def megabytes(self) -> float:
        """The most memory the server's process has held since it was asked to forget it."""
        status = (self._folder / "status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024

    def forget_megabytes(self) -> None:
        """From now on only what is held now, and more, counts."""
        (self._folder / "clear_refs").write_text("5")

    @property
    def _folder(self) -> Path:
        assert self.process.process is not None
        return Path(f"/proc/{self.process.process.pid}")

    def begin(self, source: str = "127.0.0.1", **wish: Any) -> dict[str, Any]:
        wish.setdefault("seats", [{"kind": "human"}, {"kind": "human"}])
        status, data = self.ask("POST", "/api/games", json.dumps(wish).encode(), source=source)
        assert status == 201, data
        made: dict[str, Any] = json.loads(data)
        return made


class Hostile(NamedTuple):
    """One entry of the list."""

    name: str
    send: Callable[[Target], Answer]
    statuses: tuple[int, ...]
    seconds: float
    size: int = 2000


# -- what is sent -----------------------------------------------------------------------------------


def post(path: str, body: Any, **more: Any) -> Callable[[Target], Answer]:
    return lambda target: target.answer("POST", path, body, **more)


def get(path: str) -> Callable[[Target], Answer]:
    return lambda target: target.answer("GET", path)


def forged(change: Callable[[dict[str, Any]], None], ruleset: str = "dust1947") -> Callable[[Target], Answer]:
    """A record whose header was changed."""

    def send(target: Target) -> Answer:
        armies = battle.starters(ruleset)
        header = battle.header(ruleset, library.names(ruleset)[0], [armies[0], armies[1]], seed="x")
        plain = msgspec.to_builtins(Record(header, [], [], "x"))
        change(plain["header"])
        return target.answer("POST", "/api/records", plain)

    return send


def more_dice(header: dict[str, Any]) -> None:
    for card in header["forces"][0]["cards"].values():
        for weapon in card["weapons"]:
            for cell in weapon["cells"].values():
                cell["dice"] = 3_000_000


def more_soldiers(header: dict[str, Any]) -> None:
    for card in header["forces"][0]["cards"].values():
        card["soldiers"] = [{"name": "one more"}] * 100_000


def more_units(header: dict[str, Any]) -> None:
    header["forces"][0]["units"] = header["forces"][0]["units"] * 1000


def more_shots(header: dict[str, Any]) -> None:
    rifle = {"name": "Rifle of rifles", "range": 24, "shots": "3000000D6"}
    header["forces"][0]["units"] = [{"card": {"id": "x", "name": "X", "men": [{"weapons": [rifle]}]}}]


def more_men(header: dict[str, Any]) -> None:
    header["forces"][0]["units"] = [{"card": {"id": "x", "name": "X", "men": [{"count": 10**9}]}}]


def wider_board(header: dict[str, Any]) -> None:
    header["scenario"]["board"]["size"] = [60, 60]


def crowded_table(target: Target) -> Answer:
    """As many units as a record may have, each as large as a card may be; then the game is begun and played."""
    armies = battle.starters("dust1947")
    header = battle.header("dust1947", "crossroads", [armies[0], armies[1]], seed="x")
    plain = msgspec.to_builtins(Record(header, [], [], "x"))
    for side, force in enumerate(plain["header"]["forces"]):
        card = next(card for card in force["cards"].values() if len(card["soldiers"]) > 2)
        card["soldiers"] = (card["soldiers"] * 60)[:100]
        force["cards"] = {card["id"]: card}
        force["units"] = [{"id": f"{'ab'[side]}{number}", "cards": [card["id"]]} for number in range(100)]
    status, data = target.ask("POST", "/api/records", json.dumps(plain).encode())
    if status != 201:
        return Answer(status, len(data))
    seats = {"at": 0, "seats": [{"kind": "human"}, {"kind": "human"}]}
    status, data = target.ask("POST", f"/api/records/{json.loads(data)['id']}/branch", json.dumps(seats).encode())
    assert status == 201
    game = json.loads(data)
    headers = {"X-Seat": game["table"]["token"], "Content-Type": "application/json"}
    for _ in range(40):
        _, data = target.ask("GET", f"/api/games/{game['id']}", headers=headers)
        shown = json.loads(data)
        answer = some_answer(shown["decision"], random.Random(1))
        body = {"decision": shown["version"], "answer": answer}
        status, data = target.ask(
            "POST", f"/api/games/{game['id']}/choices", json.dumps(body).encode(), headers=headers
        )
        assert status == 200, data
    written, data = target.ask("GET", f"/api/games/{game['id']}/case", headers=headers)
    assert written == 200 or json.loads(data)["reason"].startswith("This game cannot be written down for the referee")
    return Answer(status, len(data) if written != 200 else 0)


def scenario(board: dict[str, Any], **more: Any) -> dict[str, Any]:
    told = {"id": "x", "name": "X", "turns": 6, "deploy": [{"squares": "A1-C3"}, {"squares": "E1-G3"}]}
    seats = [{"kind": "human"}, {"kind": "human"}]
    return {"scenario": {**told, "board": board, **more}, "seats": seats}


def odds(**situation: Any) -> dict[str, Any]:
    return {"attacker": "ssu-iosef", "target": "ssu-mao", "situation": situation}


def large_army(units: int) -> dict[str, Any]:
    listed = [{"card": "allies-ranger-recon-squad"}] * units
    return {"ruleset": "dust1947", "name": "X", "points": 50, "bloc": "Allies", "units": listed}


def dripping_body(target: Target) -> Answer:
    """A body of a thousand bytes, one at a time."""
    with socket.create_connection((target.host, target.port), timeout=30) as connection:
        head = (
            "POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n"
        )
        connection.sendall(head.encode() + b"\r\n")
        connection.settimeout(0.1)
        for _ in range(200):
            with suppress(TimeoutError):
                data = connection.recv(4096)
                return Answer(int(data.split()[1]) if data else 0, len(data))
            with suppress(OSError):
                connection.sendall(b" ")
    raise AssertionError("a dripping body was waited for")


def snapshots(target: Target) -> Answer:
    """Twenty sockets that want the whole game again and again."""
    game = target.begin()
    url = f"ws://{target.host}:{target.port}/api/games/{game['id']}/live"
    sockets = [connect(url, max_size=None) for _ in range(20)]
    drawn = 0
    try:
        for one in sockets:
            one.send(json.dumps({"type": "hello", "token": game["spectator"]["token"]}))
        for _ in range(60):
            for one in sockets:
                one.send('{"type":"sync"}')
        refused = 0
        for one in sockets:
            answers = 0
            while answers < 61:
                message = str(one.recv(10))
                drawn += len(message)
                refused += message.startswith('{"type":"refused"')
                answers += message.startswith(('{"type":"refused"', '{"type":"snapshot"'))
        return Answer(429 if refused >= 50 * len(sockets) else 200, drawn)
    finally:
        for one in sockets:
            with suppress(OSError):
                one.socket.shutdown(socket.SHUT_RDWR)


def dripping_webhooks(target: Target) -> Answer:
    """Twelve receivers of notifications that answer one byte a second; pages and health go on."""
    with dripping("127.0.0.1") as address:
        for number in range(12):
            choose_away(target, game_away(target, f"{address}{number}"))
        started = time.monotonic()
        answers = [target.answer("GET", path) for path in ("/", "/health", "/api/rulesets")]
        assert time.monotonic() - started < 5 * slowness()
    return answers[1]


def starving_webhooks(target: Target) -> Answer:
    """Forty slow receivers of one stranger: a notification that somebody else waits for is sent all the same."""
    with dripping("127.0.0.3") as slow, socket.create_server(("127.0.0.4", 0)) as quick:
        games = [game_away(target, f"{slow}{number}") for number in range(40)]
        other = game_away(target, f"http://127.0.0.4:{quick.getsockname()[1]}/", source="127.0.0.2")
        for game in games:
            choose_away(target, game)
        choose_away(target, other, source="127.0.0.2")
        quick.settimeout(12)  # the slow ones are tried for half a minute
        connection, _ = quick.accept()
        with connection:
            head = connection.recv(4096)
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    return Answer(200 if head.startswith(b"POST / ") else 0, len(head))


def game_away(target: Target, webhook: str, source: str = "127.0.0.1") -> dict[str, Any]:
    """A game by correspondence whose maker wishes to be told whose turn it is."""
    return target.begin(source=source, pace="correspondence", webhook=webhook)


def choose_away(target: Target, game: dict[str, Any], source: str = "127.0.0.1") -> None:
    """The first choice of the game: its maker is told."""
    headers = {"X-Seat": game["table"]["token"], "Content-Type": "application/json"}
    _, told = target.ask("GET", f"/api/games/{game['id']}", headers=headers, source=source)
    shown = json.loads(told)
    body = json.dumps({"decision": shown["version"], "answer": shown["decision"]["options"][0]["answer"]}).encode()
    status, _ = target.ask("POST", f"/api/games/{game['id']}/choices", body, headers=headers, source=source)
    assert status == 200


@contextmanager
def dripping(host: str) -> Iterator[str]:
    """A web server that answers one byte a second; its address."""
    with socket.create_server((host, 0)) as listening:
        threading.Thread(target=_drip, args=(listening,), daemon=True).start()
        yield f"http://{host}:{listening.getsockname()[1]}/"


def _drip(listening: socket.socket) -> None:
    def serve(connection: socket.socket) -> None:
        with suppress(OSError), connection:
            connection.sendall(b"HTTP/1.1 ")
            for _ in range(60):
                time.sleep(1)
                connection.sendall(b" ")

    with suppress(OSError):
        while True:
            connection, _ = listening.accept()
            threading.Thread(target=serve, args=(connection,), daemon=True).start()


def gone_asker(target: Target) -> Answer:
    """Somebody asks for long odds and leaves: the work is given up."""
    before = target.number("long_work_killed_total")
    with suppress(TimeoutError):
        target.ask("POST", "/api/odds", json.dumps(odds(turns=5)).encode(), seconds=0.5)
    deadline = time.monotonic() + WORK_SECONDS - 1
    while time.monotonic() < deadline and target.number("long_work_killed_total") == before:
        time.sleep(0.1)
    return Answer(499 if target.number("long_work_killed_total") > before else 200, 0)


def crowding(target: Target) -> Answer:
    """One address fills the queue; another is served before the rest of it."""
    busy = json.dumps(odds(turns=5)).encode()

    def ask() -> None:
        with suppress(OSError):
            target.ask("POST", "/api/odds", busy, seconds=4 * WORK_SECONDS)

    askers = [threading.Thread(target=ask, daemon=True) for _ in range(9)]
    for one in askers:
        one.start()
    time.sleep(0.5)
    answer = target.answer("POST", "/api/odds", odds(), source="127.0.0.2")
    for one in askers:
        one.join(0)
    return answer


def reviews_of_many_games(target: Target) -> Answer:
    """One address wants more games reviewed at a time than it may; whoever plays beside it is served."""
    answers = []
    for _ in range(10):
        game = target.begin()
        headers = {"X-Seat": game["table"]["token"], "Content-Type": "application/json"}
        shown = json.loads(target.ask("GET", f"/api/games/{game['id']}", headers=headers)[1])
        body = json.dumps({"decision": shown["version"], "answer": shown["decision"]["options"][0]["answer"]})
        target.ask("POST", f"/api/games/{game['id']}/choices", body.encode(), headers=headers)
        target.ask("POST", f"/api/games/{game['id']}/concede", b'{"seat": 0}', headers=headers)
        answers.append(target.answer("GET", f"/api/games/{game['id']}/review", headers=headers))
    assert {answer.status for answer in answers} <= {200, 422, 429, 503}
    return max(answers, key=lambda answer: answer.size)


def as_somebody(path: str, body: Any, times: int = 1) -> Callable[[Target], Answer]:
    """A request of a person this server knows, again and again; the last answer counts."""

    def send(target: Target) -> Answer:
        _, told = target.ask("POST", "/api/people", b'{"name":"Mallory"}')
        headers = {"Content-Type": "application/json", "X-Person": json.loads(told)["key"]}
        answers = [target.answer("POST", path, body, headers=headers) for _ in range(times)]
        return answers[-1]

    return send


def crowded_lobby(target: Target) -> Answer:
    """As many offers as the lobby shows, each as long as it may be; then somebody looks."""
    longest = {**large_army(3), "name": "x" * 100, "notes": "x" * 15_000}
    for number in range(20):
        _, told = target.ask("POST", "/api/people", json.dumps({"name": f"Mallory {number}"}).encode())
        headers = {"Content-Type": "application/json", "X-Person": json.loads(told)["key"]}
        for _ in range(5):
            target.answer("POST", "/api/lobby", {"army": longest, "points": 5000}, headers=headers)
    return target.answer("GET", "/api/lobby")


def raw(target: Target, data: bytes) -> Answer:
    """Bytes as they are; the first line of what comes back."""
    with socket.create_connection((target.host, target.port), timeout=8) as connection:
        with suppress(OSError):
            connection.sendall(data)
        with suppress(OSError):
            answer = connection.recv(4096)
            return Answer(int(answer.split()[1]) if answer else 0, len(answer))
    return Answer(0, 0)


def many_headers(target: Target) -> Answer:
    head = b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    return raw(target, head + b"".join(b"X-%d: y\r\n" % number for number in range(20_000)) + b"\r\n")


def endless_head(target: Target) -> Answer:
    head = b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: "
    before = target.megabytes
    answer = raw(target, head + b"a" * 50_000_000)
    assert target.megabytes - before < 20
    return answer


def two_lengths(target: Target) -> Answer:
    head = b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    return raw(target, head + b"Content-Length: 2\r\nContent-Length: 9\r\n\r\n{}GET / HT")


def never_reading(target: Target) -> Answer:
    """Forty spectators who take nothing from the line while a game is played; whoever plays notices nothing."""
    game = target.begin()
    request = (
        f"GET /api/games/{game['id']}/live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
    ).encode()
    hello = json.dumps({"type": "hello", "token": game["spectator"]["token"]}).encode()
    frame = bytes([0x81, 0x80 | 126]) + len(hello).to_bytes(2) + bytes(4) + hello  # masked with nothing
    if len(hello) < 126:
        frame = bytes([0x81, 0x80 | len(hello)]) + bytes(4) + hello
    deaf = []
    try:
        for _ in range(40):
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.connect((target.host, target.port))
            one.sendall(request + frame)
            deaf.append(one)
        headers = {"X-Seat": game["table"]["token"], "Content-Type": "application/json"}
        chance = random.Random(3)
        for _ in range(60):
            shown = json.loads(target.ask("GET", f"/api/games/{game['id']}", headers=headers)[1])
            body = {"decision": shown["version"], "answer": some_answer(shown["decision"], chance)}
            answer = target.answer("POST", f"/api/games/{game['id']}/choices", body, headers=headers)
            assert answer.status == 200, answer
        return answer
    finally:
        for one in deaf:
            one.close()


def crowded_gallery(target: Target) -> Answer:
    """As many spectators as a game may have; the player still gets to his seat."""
    game = target.begin()
    url = f"ws://{target.host}:{target.port}/api/games/{game['id']}/live"
    sockets = []
    try:
        for _ in range(201):
            one = connect(url, max_size=None)
            sockets.append(one)
            one.send(json.dumps({"type": "hello", "token": game["spectator"]["token"]}))
            said = str(one.recv(10))
        assert said.startswith('{"type":"refused"'), said[:80]
        player = connect(url, max_size=None)
        sockets.append(player)
        player.send(json.dumps({"type": "hello", "token": game["table"]["token"]}))
        said = str(player.recv(10))
        return Answer(200 if said.startswith('{"type":"snapshot"') else 429, len(said))
    finally:
        for one in sockets:
            with suppress(OSError):
                one.socket.shutdown(socket.SHUT_RDWR)


def at_once(
    count: int, method: str, path: str, body: bytes = b"", *, part: int | None = None
) -> Callable[[Target], Answer]:
    """Many requests at the same moment, each on a line of its own; with `part`, only so much of each body is sent.

    The most frequent answer counts, unless one of them is a mistake of ours.
    """

    def send(target: Target) -> Answer:
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\nConnection: close\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        data = head.encode() + b"\r\n" + body[:part]
        lines = [socket.create_connection((target.host, target.port), timeout=30) for _ in range(count)]
        for line in lines:
            with suppress(OSError):  # refused before it was all there
                line.sendall(data)
        answers = [_whole_answer(line) for line in lines]
        worst = max(answer.status for answer in answers)
        if worst >= 500 and worst != 503:
            return Answer(worst, 0)
        status = max({answer.status for answer in answers}, key=[answer.status for answer in answers].count)
        return Answer(status, max(answer.size for answer in answers))

    return send


def _whole_answer(line: socket.socket) -> Answer:
    received = b""
    with line, suppress(OSError):
        while more := line.recv(1 << 16):
            received += more
    return Answer(int(received.split()[1]) if received else 0, len(received))


def forged_record(choices: bytes, checks: bytes = b"[]") -> bytes:
    """A record whose choices are these bytes."""
    armies = battle.starters("dust1947")
    header = battle.header("dust1947", "crossroads", [armies[0], armies[1]], seed="x")
    return b'{"header":%s,"choices":%s,"checks":%s}' % (msgspec.json.encode(header), choices, checks)


class LongGame(NamedTuple):
    """A game whose choices take longer than a game may have, and how many of them take a third of that."""

    file: bytes
    answers: list[Any]
    allowed: int


@cache
def long_game(ruleset: str = "freeform1947") -> LongGame:
    """A hundred units a side on a measured table, played until its choices have taken three times what they may."""
    armies = battle.starters(ruleset)
    plain = msgspec.to_builtins(battle.header(ruleset, library.names(ruleset)[0], [armies[0], armies[1]], seed="long"))
    for force in plain["forces"]:
        listed = force["units"]
        force["units"] = [{**unit, "id": f"{unit['id']}-{copy}"} for copy in range(100) for unit in listed][:100]
    game = battle.start(msgspec.convert(plain, Header), "long", keep_history=False)
    players = [make("random", f"long/{side}", ruleset) for side in (0, 1)]
    spent, allowed = 0.0, 0
    while (decision := game.pending) is not None and spent < 3 * REBUILD_SECONDS:
        answer = players[decision.player].choose(game)
        started = time.thread_time()
        game.choose(answer)
        spent += time.thread_time() - started
        allowed += spent < REBUILD_SECONDS / 3
    assert spent >= 3 * REBUILD_SECONDS, f"this game takes only {spent:.2f} s"
    kept = record(game, publish_seed=True)
    return LongGame(dump(kept), json.loads(msgspec.json.encode(kept.choices)), allowed)


def brought(target: Target, file: bytes) -> str:
    """The id of a record that is brought along; where a busy machine ends the work on it, once more."""
    for _ in range(5):
        status, data = target.ask("POST", "/api/records", file)
        if b"takes longer than" not in data:
            break
    assert status == 201, data
    return str(json.loads(data)["id"])


def branch_of(target: Target, record_id: str, at: int) -> tuple[int, dict[str, Any]]:
    wish = {"at": at, "seats": [{"kind": "human"}, {"kind": "human"}]}
    status, data = target.ask("POST", f"/api/records/{record_id}/branch", json.dumps(wish).encode())
    return status, json.loads(data)


def long_games_begun(target: Target) -> Answer:
    """A record that takes long to play again, branched at its end four times at once: none begins a game."""
    long = long_game()
    path = f"/api/records/{brought(target, long.file)}/branch"
    wish = {"at": len(long.answers), "seats": [{"kind": "human"}, {"kind": "human"}]}
    answers: list[Answer] = []

    def ask() -> None:
        answers.append(target.answer("POST", path, wish))

    askers = [threading.Thread(target=ask) for _ in range(4)]
    for one in askers:
        one.start()
    for one in askers:
        one.join()
    ask()  # alone, so that a busy machine does not end it before its choices are made again
    assert [answer.status for answer in answers] == [422] * 5, answers
    assert any("too long to be made again" in answer.reason for answer in answers), answers
    return answers[-1]


def long_game_played(target: Target) -> Answer:
    """A game played on until it would take too long to be rebuilt, then rebuilt again and again by take-backs.

    It is refused more choices, and each rebuilding keeps to the time that its choices may have taken.
    """
    long = long_game()
    status, game = branch_of(target, brought(target, long.file), long.allowed)
    assert status == 201, game
    token = game["table"]["token"]
    said = {}
    with connect(f"ws://{target.host}:{target.port}/api/games/{game['id']}/live", max_size=None) as player:
        player.send(json.dumps({"type": "hello", "token": token}))
        version = int(json.loads(player.recv(10))["version"])
        for number, answer in enumerate(long.answers[long.allowed :], version):
            player.send(json.dumps({"type": "choose", "decision": number, "answer": answer, "id": number}))
            while (said := json.loads(player.recv(20)))["type"] not in ("ack", "refused"):
                pass
            if said["type"] == "refused":
                break
    assert said["type"] == "refused", f"all {len(long.answers)} choices were taken"
    assert "all the time that a game may have" in said["reason"], said
    headers = {"X-Seat": token, "Content-Type": "application/json"}
    for _ in range(6):
        started = time.monotonic()
        back = target.answer("POST", f"/api/games/{game['id']}/takeback", {"action": "offer"}, headers=headers)
        assert back.status in (200, 201), back
        assert time.monotonic() - started < 10 * REBUILD_SECONDS * slowness()
    return Answer(int(said["status"]), 0, said["reason"])


def tower(ruleset: str, **more: Any) -> dict[str, Any]:
    """A battle round a building that is out of all measure."""
    known = library.find(library.names(ruleset)[0], ruleset)
    building = {"kind": "building", "at": [20, 20], "size": [6, 6], **more}
    field = {**known, "id": "x", "terrain": [building], "fortifications": []}
    if "fortifications" not in known:
        del field["fortifications"]
    return {"ruleset": ruleset, "scenario": field, "seats": [{"kind": "human"}, {"kind": "human"}]}


def strange_answers(ruleset: str) -> Callable[[Target], Answer]:
    """Everything that is no answer, to a decision and to its preview: each is refused with a sentence."""

    def send(target: Target) -> Answer:
        game = target.begin(ruleset=ruleset)
        headers = {"X-Seat": game["table"]["token"], "Content-Type": "application/json"}
        answers = []
        for _ in range(3):
            shown = json.loads(target.ask("GET", f"/api/games/{game['id']}", headers=headers)[1])
            for strange in STRANGE:
                body = b'{"decision":%d,"answer":%s}' % (shown["version"], strange)
                for asked in ("preview", "choices"):
                    answers.append(target.answer("POST", f"/api/games/{game['id']}/{asked}", body, headers=headers))
            hint = json.loads(target.ask("GET", f"/api/games/{game['id']}/hint", headers=headers)[1])
            body = json.dumps({"decision": shown["version"], "answer": hint["answer"]}).encode()
            target.ask("POST", f"/api/games/{game['id']}/choices", body, headers=headers)
        return max(answers)

    return send


def strange_messages(target: Target) -> Answer:
    """Messages of a socket that mean nothing, each on a socket of its own; the game goes on."""
    game = target.begin()
    url = f"ws://{target.host}:{target.port}/api/games/{game['id']}/live"
    for strange in MESSAGES:
        with connect(url, max_size=None, close_timeout=1) as one:
            one.send(json.dumps({"type": "hello", "token": game["table"]["token"]}))
            with suppress(ConnectionClosed):
                one.send(strange)
                one.send('{"type":"ping","id":"after"}')
                while '"after"' not in str(one.recv(5)):
                    pass
    return target.answer("GET", f"/api/games/{game['id']}", headers={"X-Seat": game["table"]["token"]})


def half_a_frame(target: Target) -> Answer:
    """Twenty sockets that announce a message and send half of it, or a message without end in small pieces."""
    game = target.begin()
    request = (
        f"GET /api/games/{game['id']}/live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
    ).encode()
    half = bytes([0x81, 0x80 | 127]) + (2**40).to_bytes(8) + bytes(4) + b"{" * 1000
    piece = bytes([0x00, 0x80 | 126]) + (1000).to_bytes(2) + bytes(4) + b"x" * 1000
    endless = bytes([0x01, 0x80 | 126]) + (1000).to_bytes(2) + bytes(4) + b"x" * 1000 + piece * 400
    lines = []
    try:
        for number in range(20):
            line = socket.create_connection((target.host, target.port), timeout=8)
            lines.append(line)
            with suppress(OSError):  # it may be closed before all of it is sent
                line.sendall(request + (half if number % 2 else endless))
        return target.answer("GET", "/health")
    finally:
        for line in lines:
            line.close()


def archive(names: int, size: int) -> Callable[[Target], Answer]:
    """A zipped roster that is larger than it looks."""

    def send(target: Target) -> Answer:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
            for number in range(names):
                file.writestr(f"{number}.ros", b"A" * size)
        head = b'--X\r\nContent-Disposition: form-data; name="files"; filename="a.rosz"\r\n\r\n'
        form = {"Content-Type": "multipart/form-data; boundary=X"}
        return target.answer("POST", "/api/armies/import", head + packed.getvalue() + b"\r\n--X--\r\n", headers=form)

    return send


def browser(number: int) -> dict[str, Any]:
    keys = {"p256dh": "A" * 87, "auth": "A" * 22}
    return {"endpoint": f"https://push.example/{number}", "keys": keys}


FOREIGN = {"Content-Type": "text/plain", "Origin": "http://evil.example"}
LETTERS = "+".join("abcdefghijklmnopqrstuvwxyz" * 4)[:200]
FORESTS = "trees at " + ", ".join(["A1-AF32"] * 850)
DEEP = b"[" * 50_000
MANY_LISTS = b"[" + b",".join([b"[]"] * 1_300_000) + b"]"
INDENTED = b"[" * 400 + b",".join([b"0"] * 1_000_000) + b"]" * 400
"""Written one value a line, as people read records, it would have half a thousand million letters."""
ARMY_OF_LISTS = b'{"units":[' + b",".join([b"{}"] * 80_000) + b"]}"
STRANGE = [
    *(b"null", b"1e308", b"-1e308", b"1e309", b"NaN", b"9" * 40, b"-9223372036854775809", b"18446744073709551616"),
    *(
        b'"\\u0000"',
        b'"\\ud83d\\ude00"',
        b'"%s"' % (b"x" * 30_000),
        b"{}",
        b"[[]]",
        b"[null,null]",
        b"[1e308,-1e308,0]",
    ),
    *(b"[[1e308,1e308],1e308]", b"[[0.1,0.1],0.1]", b'["A1",999999999999]', b"[" * 900 + b"]" * 900),
    *(b"[" + b",".join([b"[1,2]"] * 5000) + b"]", b'{"a":{"b":1}}'),
]
MESSAGES = [
    *(
        '{"type":"ping","id":%s}' % ("9" * 40),
        '{"type":"ping","id":1e400}',
        '{"type":"ping","id":"%s"}' % ("x" * 31_000),
    ),
    *('{"type":"choose","decision":0,"answer":[],"id":%s}' % ("9" * 40), '{"type":"choose","decision":-1,"answer":[]}'),
    *('{"type":"chat","text":"\\u0000\\u202ex"}', '{"type":"zzz"}', "[]", "", "x" * 40_000, "[" * 30_000),
    *('{"type":"ping","type":"chat","text":"x"}', b'{"type":"ping"}', b"\xff\xfe"),
]

THE_LIST = [
    Hostile("cards with three million dice", forged(more_dice), (422,), 4),
    Hostile("cards with a hundred thousand soldiers", forged(more_soldiers), (413, 422), 4),
    Hostile("forces of thousands of units", forged(more_units), (422,), 4),
    Hostile("a rifle of three million shots", forged(more_shots, "konflikt47"), (422,), 4),
    Hostile("a squad of a thousand million men", forged(more_men, "konflikt47"), (422,), 4),
    Hostile("a record of a wide board", forged(wider_board), (422,), 4),
    Hostile("a crowded table", crowded_table, (200, 422), 30),
    Hostile("odds of a thousand turns", post("/api/odds", odds(turns=1000)), (422,), 2),
    Hostile("odds of a thousand million turns", post("/api/odds", odds(turns=10**9)), (422,), 2),
    Hostile("odds that take too long", post("/api/odds", odds(turns=5)), (422,), WORK_SECONDS + 2),
    Hostile("odds of a range without end", post("/api/odds", odds(range=10**9)), (422,), 2),
    Hostile("odds with ten thousand targets", post("/api/odds", odds(others=["x"] * 10_000)), (422,), 2),
    Hostile("a hundred one-letter words", get(f"/api/rules?q={LETTERS}"), (200,), 2, 400_000),
    Hostile(
        "words that begin everything", get("/api/rules?q=" + "+".join(["the", "uni", "att"] * 16)), (200,), 2, 400_000
    ),
    Hostile("cards by a hundred letters", get(f"/api/cards?q={LETTERS}"), (200,), 2, 800_000),
    Hostile("a rule nobody knows", get("/api/rules/" + "x" * 128), (404,), 2),
    Hostile("a board of 60 by 60", post("/api/games", scenario({"size": [60, 60]})), (422,), 2),
    Hostile("a board of 10000 by 10000", post("/api/games", scenario({"size": [10_000, 10_000]})), (422,), 2),
    Hostile("the widest board there may be", post("/api/games", scenario({"size": [32, 32]})), (201,), 4),
    Hostile("a long thin board", post("/api/games", scenario({"size": [1, 1_000_000]})), (422,), 2),
    Hostile(
        "the same forest again and again",
        post("/api/games", scenario({"size": [32, 32], "terrain": [FORESTS]})),
        (201,),
        4,
    ),
    Hostile(
        "a tower of a thousand million floors",
        post("/api/games", scenario({"size": [9, 9], "terrain": ["building from A1 to B2 with 999999999 floors"]})),
        (422,),
        2,
    ),
    Hostile("a battle of a million turns", post("/api/games", {**scenario({"size": [9, 9]}, turns=10**6)}), (422,), 2),
    Hostile(
        "a print of four hundred units",
        post("/api/armies/print", large_army(400)),
        (200, 422),
        WORK_SECONDS + 2,
        2_000_000,
    ),
    Hostile(
        "a check of four hundred units",
        post("/api/armies/check", large_army(400)),
        (200, 422),
        WORK_SECONDS + 2,
        800_000,
    ),
    Hostile("a print of a million units", post("/api/armies/print", large_army(5000)), (413, 422), 4),
    Hostile("a game of four hundred units", post("/api/games", {"armies": [large_army(400)]}), (422,), 4),
    Hostile(
        "a random army of 5000 points",
        post("/api/armies/random", {"points": 5000}),
        (200, 422),
        WORK_SECONDS + 2,
        100_000,
    ),
    Hostile("the letter nobody writes", get("/%00"), (400,), 1),
    Hostile("three hundred letters", get("/" + "a" * 300), (200, 404), 1, 100_000),
    Hostile("three thousand letters", get("/" + "a" * 3000), (414,), 1),
    Hostile("a way out of the folder", get("/../../../../etc/passwd"), (200, 404), 1, 100_000),
    Hostile("a ruleset that is a path", post("/api/games", {"ruleset": "../../x"}), (422,), 1),
    Hostile("odds of a ruleset that is a path", post("/api/odds", {**odds(), "ruleset": "../../x"}), (422,), 1),
    Hostile("scenarios of a ruleset that is a path", get("/api/scenarios?ruleset=../../x"), (404,), 1),
    Hostile("a page of another site", post("/api/games", b"{}", headers=FOREIGN), (403,), 1),
    Hostile("a form of another site", post("/api/games", b"{}", headers={"Content-Type": "text/plain"}), (415,), 1),
    Hostile("no kind of body", post("/api/games", b"{}", headers={}), (415,), 1),
    Hostile("lists in lists in lists", post("/api/games", DEEP), (400,), 2),
    Hostile("lists in lists as an answer", post("/api/armies/check", b'{"units":' + DEEP), (400,), 2),
    Hostile(
        "a number of a hundred thousand digits", post("/api/odds", b'{"attacker":' + b"9" * 100_000 + b"}"), (400,), 2
    ),
    Hostile("a body without end", post("/api/games", b" " * 10_000_000), (413,), 2),
    Hostile("a body that drips", dripping_body, (408, 0), 6),
    Hostile("the whole game again and again", snapshots, (429,), 10, 60_000_000),
    Hostile("webhooks that drip", dripping_webhooks, (200,), 10),
    Hostile("webhooks that drip for somebody else", starving_webhooks, (200,), 20),
    Hostile("somebody who asks and leaves", gone_asker, (499,), WORK_SECONDS + 2),
    Hostile("reviews of many games", reviews_of_many_games, (200, 422, 429, 503), 30, 60_000),
    Hostile("a name of a thousand letters", post("/api/people", {"name": "x" * 1000}), (400,), 1),
    Hostile("a recovery code that is guessed", post("/api/people/recover", {"code": "2" * 20}), (403,), 1),
    Hostile("a key that nobody has", get("/api/people/me/games"), (401,), 1),
    Hostile("a hundred offers of one person", as_somebody("/api/lobby", {"points": 50}, 100), (429,), 20),
    Hostile("an offer of four hundred units", as_somebody("/api/lobby", {"army": large_army(400)}), (422,), 5),
    Hostile("an offer of a ruleset that is a path", as_somebody("/api/lobby", {"ruleset": "../../x"}), (422,), 5),
    Hostile(
        "an offer as long as a request may be",
        as_somebody("/api/lobby", {"army": {**large_army(3), "notes": "x" * 200_000}}),
        (413, 422),
        5,
    ),
    Hostile("a lobby full of long offers", crowded_lobby, (200,), 30, 700_000),
    Hostile(
        "reports without end", as_somebody("/api/people/me/reports", {"person": "x", "text": "abc"}, 60), (404,), 20
    ),
    Hostile("new codes without end", as_somebody("/api/people/me/recovery", {}, 100), (201, 429), 20),
    Hostile("ratings of a game nobody plays", get("/api/ratings?ruleset=" + "x" * 40), (200,), 2),
    Hostile("half a letter as a name", post("/api/people", b'{"name":"\\ud800"}'), (400,), 2),
    Hostile("many headers", many_headers, (200, 400, 431, 0), 5),
    Hostile("a head that never ends", endless_head, (431, 0), 3),
    Hostile("two lengths of one body", two_lengths, (400, 0), 3),
    Hostile("sockets that never read", never_reading, (200,), 40),
    Hostile("spectators who keep the players out", crowded_gallery, (200,), 40, 400_000),
    Hostile("an offer that nobody made", as_somebody("/api/lobby/222222222222/join", {}), (404,), 2),
    Hostile(
        "a push service that is nowhere",
        as_somebody("/api/people/me/push", {**browser(1), "endpoint": "https://[:::/"}),
        (422,),
        5,
    ),
    Hostile("keys of no browser", as_somebody("/api/people/me/push", browser(1)), (422,), 5),
    Hostile("blocks of nobody", as_somebody("/api/people/me/blocked", {"person": "x" * 128}, 50), (200,), 10),
    Hostile("all rules for two hundred at once", at_once(200, "GET", "/api/rules"), (200,), 20, 400_000),
    Hostile("all cards for two hundred at once", at_once(200, "GET", "/api/cards"), (200,), 20, 400_000),
    Hostile("two hundred searches at once", at_once(200, "GET", "/api/rules?q=the+a"), (200,), 20, 400_000),
    Hostile("the description for two hundred at once", at_once(200, "GET", "/api/openapi.json"), (200,), 10, 400_000),
    Hostile(
        "a hundred codes drawn at once",
        at_once(100, "POST", "/api/qr", b'{"text":"%s"}' % (b"x" * 600)),
        (200,),
        20,
        9000,
    ),
    Hostile("a record of a million lists", post("/api/records", forged_record(MANY_LISTS)), (422,), WORK_SECONDS + 2),
    Hostile(
        "a record that grows when it is written",
        post("/api/records", forged_record(INDENTED, b'["x"]')),
        (400, 422),
        WORK_SECONDS + 2,
    ),
    Hostile(
        "sixteen records of a million lists",
        at_once(16, "POST", "/api/records", forged_record(MANY_LISTS)),
        (0, 422, 429),
        10 * WORK_SECONDS,
    ),
    Hostile("long games begun at their ends", long_games_begun, (422,), 15),
    Hostile("a game that would take long to be rebuilt", long_game_played, (422,), 15),
    Hostile(
        "bodies that stop before their end",
        at_once(60, "POST", "/api/records", b" " * 4_000_000, part=3_900_000),
        (0, 408, 429),
        20,
    ),
    Hostile("lists of nothing at once", at_once(60, "POST", "/api/armies/check", ARMY_OF_LISTS), (0, 422, 429), 30),
    *(
        Hostile(f"a tower in {ruleset}", post("/api/games", tower(ruleset, floors=10**9)), (422,), 2)
        for ruleset in ("battlefield", "freeform1947", "konflikt47", "warfare")
    ),
    *(
        Hostile(f"a wall to the moon in {ruleset}", post("/api/games", tower(ruleset, height=10**18)), (201, 422), 2)
        for ruleset in ("battlefield", "freeform1947", "konflikt47", "warfare")
    ),
    Hostile(
        "a battle that is over before it begins", post("/api/games", scenario({"size": [9, 9]}, turns=-1)), (422,), 2
    ),
    *(
        Hostile(f"strange answers in {ruleset}", strange_answers(ruleset), (422,), 30)
        for ruleset in ("battlefield", "dust1947", "freeform1947", "konflikt47", "warfare")
    ),
    Hostile("strange messages", strange_messages, (200,), 30, 100_000),
    Hostile("half a message, and one without end", half_a_frame, (200,), 10),
    Hostile("a roster of 200 MB in a small archive", archive(1, 200_000_000), (422,), 4),
    Hostile("an archive of ten thousand files", archive(10_000, 0), (422,), 4),
    Hostile("one who crowds the others out", crowding, (200,), 3 * WORK_SECONDS, 100_000),
]


def slowness() -> float:
    """How much longer things take because the machine does something else as well: 1 if it does not."""
    clock, processor = time.perf_counter(), time.process_time()
    while time.process_time() - processor < 0.1:
        pass
    return max(1.0, (time.perf_counter() - clock) / 0.1)


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    folder = tmp_path_factory.mktemp("hostile")
    limits = {"work_seconds": WORK_SECONDS, "body_seconds": 2.0, "bytes_per_second": 4e6, "bytes_burst": 64e6}
    limits["rebuild_seconds"] = REBUILD_SECONDS
    with game_server(folder / "games.sqlite3", **limits) as process:
        under_attack = Target(process)
        under_attack.answer("POST", "/api/odds", odds())  # the processes for long work are up
        yield under_attack


@pytest.mark.parametrize("hostile", THE_LIST, ids=lambda entry: entry.name)
def test_a_hostile_request_is_refused_within_its_bounds(hostile: Hostile, target: Target) -> None:
    before = target.stalls
    target.forget_megabytes()
    started = time.monotonic()
    answer = hostile.send(target)
    seconds = time.monotonic() - started
    assert answer.status in hostile.statuses, answer
    assert answer.status < 500 and "Something went wrong" not in answer.reason
    assert seconds < hostile.seconds * slowness()
    assert answer.size < hostile.size
    after = target.stalls
    assert after.long == before.long, f"{after.long - before.long:.0f} of up to {after.longest:.2f} s"
    assert target.megabytes < MEGABYTES


def test_the_server_stops_while_it_is_under_attack(tmp_path: Path) -> None:
    process = game_server(tmp_path / "games.sqlite3", work_seconds=60.0)
    process.start()
    target = Target(process)
    dripping_webhooks(target)
    asking = threading.Thread(target=lambda: _ask_and_forget(target), daemon=True)
    asking.start()
    time.sleep(1)
    assert process.process is not None
    started = time.monotonic()
    process.process.send_signal(signal.SIGINT)
    assert process.process.wait(60) == 0
    assert time.monotonic() - started < 10 * slowness()


def _ask_and_forget(target: Target) -> None:
    with suppress(OSError, http.client.HTTPException):
        target.ask("POST", "/api/odds", json.dumps(odds(turns=5)).encode())


def test_the_rate_limit_holds_however_the_path_is_spelled(tmp_path: Path) -> None:
    with game_server(tmp_path / "games.sqlite3", new_games_per_minute=3.0) as process:
        target = Target(process)
        wish = {"seats": [{"kind": "human"}, {"kind": "human"}]}
        paths = ["/api/games", "//api/games", "/api//games/", "/api/games//", "///api///games", "/%61pi/games"]
        statuses = [target.answer("POST", path, wish).status for path in paths]
        assert statuses == [201, 201, 201, 429, 429, 429]


@pytest.mark.parametrize("ruleset", ["dust1947", "konflikt47"])
def test_a_record_that_was_not_forged_is_taken(ruleset: str, target: Target) -> None:
    assert forged(lambda header: None, ruleset)(target).status == 201


def test_a_stall_of_the_loop_is_seen() -> None:
    watch = LoopWatch()

    async def stall() -> None:
        watch.start()
        await asyncio.sleep(0.1)
        end = time.process_time() + 0.3
        while time.process_time() < end:
            pass
        await asyncio.sleep(0.1)
        watch.stop()

    asyncio.run(stall())
    assert watch.longest >= 0.3 and watch.longer_than[0.25] >= 1
    assert watch.buckets()[-1][1] == watch.beats
