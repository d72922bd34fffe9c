"""Short versions of the trials: load, durability, speed. The long ones are commands of dieselfront.server."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dieselfront.server import bench, durability, load, takeover
from dieselfront.server.trial_postgres import NoPostgres
from dieselfront.server.trial_tools import call, game_server, share
from server.databases import postgres


def test_a_few_games_at_once_lose_nothing_and_keep_their_order() -> None:
    found = load.run(games=8, seconds=3.0, every=0.25)
    assert found["choices"] > 40 and found["sockets"] == 16
    assert (found["lost"], found["out_of_order"], found["refused"]) == (0, 0, 0)


def test_a_server_killed_at_random_moments_keeps_every_acknowledged_choice(tmp_path: Path) -> None:
    found = durability.run(kills=3, seed=11, games=4, folder=tmp_path)
    assert found["ok"], found["faults"]
    assert found["choices"] > 0 and found["kills"] == 3


KILLS = int(os.environ.get("DIESELFRONT_KILLS", "10"))
"""How often the long trial kills the server; the proof of a release asks for 100."""


@pytest.mark.slow
def test_many_kills_lose_nothing(tmp_path: Path) -> None:
    found = durability.run(kills=KILLS, seed=7, folder=tmp_path)
    assert found["ok"], found["faults"]


@pytest.mark.slow
def test_kills_lose_nothing_on_postgresql_either(tmp_path: Path) -> None:
    with postgres() as url:
        found = durability.run(kills=5, seed=3, folder=tmp_path, database=url)
    assert found["ok"], found["faults"]


@pytest.mark.slow
def test_a_process_killed_among_several_is_followed_by_another_and_nothing_is_lost() -> None:
    try:
        found = takeover.run(games=6, kills=2, period=3.0, every=0.3, restart=True)
    except NoPostgres as missing:
        pytest.skip(str(missing))
    assert found["ok"], found["faults"]
    assert found["choices"] > 50 and found["cut_off"] > 0


@pytest.mark.slow
def test_sockets_scattered_over_two_processes_lose_nothing() -> None:
    try:
        found = load.run(games=6, seconds=3.0, every=0.3, processes=2, scattered=True)
    except NoPostgres as missing:
        pytest.skip(str(missing))
    assert found["choices"] > 20 and found["processes"] == 2
    assert (found["lost"], found["out_of_order"], found["refused"]) == (0, 0, 0)


@pytest.mark.slow
def test_durable_choices_are_a_quarter_of_bare_echoes_after_a_commit_at_least() -> None:
    best = 0.0
    for _ in range(3):  # a busy machine takes more from us, who have rules to play, than from an echo
        best = max(best, bench.durable_choices(seconds=8.0, slices=4)["ratio"])
        if best >= 0.25:
            break
    assert best >= 0.25


@pytest.mark.slow
def test_an_echo_is_measured_beside_our_choices() -> None:
    found = bench.durable_choices(seconds=1.0, slices=1, connections=4)
    assert {"ours", "peer", "ratio", "unit"} <= set(found) and found["ours"] > 0 and found["peer"] > 0
    assert set(found["processor_ms"]) == {"ours", "peer", "client_ours", "client_peer"}


def test_the_command_says_where_it_is_and_stops_cleanly(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from dieselfront.cli import main; main()", "serve", "--port", "0"]
    command += ["--database", str(tmp_path / "g.sqlite3"), "--thinkers", "1"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert server.stdout is not None and server.stderr is not None
    line = server.stdout.readline()
    url = line.split()[3].rstrip("/")
    assert line.startswith("Dieselfront is at http://127.0.0.1:")
    status, told = call(url, "GET", "/api/health")
    assert status == 200 and told["status"] == "ok"
    started = time.monotonic()
    server.send_signal(signal.SIGINT)
    assert server.wait(20) == 0 and time.monotonic() - started < 15
    assert server.stderr.read() == ""


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--database", "mysql://x/y"], "expected SQLite or PostgreSQL"),
        (["--database", "/proc/nowhere/x.sqlite3"], "cannot be used"),
        (["--log", "loud"], "--log is error"),
        (["--web", "/nowhere"], "not a folder"),
        (["--host", "203.0.113.7"], "cannot be used"),
    ],
)
def test_a_server_that_cannot_start_says_why_in_a_sentence(options: list[str], told: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from dieselfront.cli import main; main()", "serve", "--port", "0"]
    command += options if "--database" in options else [*options, "--database", str(tmp_path / "x.sqlite3")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and told in done.stderr and "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with game_server(tmp_path / "a.sqlite3") as server:
        port = server.url.rpartition(":")[2]
        command = [sys.executable, "-c", "from dieselfront.cli import main; main()", "serve", "--port", port]
        command += ["--database", str(tmp_path / "b.sqlite3")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode == 2 and f"Port {port}" in done.stderr


def test_shares_of_a_list() -> None:
    assert share([3.0, 1.0, 2.0], 0.5) == 2.0 and share([], 0.5) == 0.0 and share([1.0], 0.99) == 1.0


@pytest.mark.slow
def test_ten_thousand_sockets_from_one_address_are_refused_and_nothing_changes(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-c",
        "from dieselfront.cli import main; main()",
        "serve",
        "--port",
        "0",
        "--thinkers",
        "0",
    ]
    server = subprocess.Popen([*command, "--database", str(tmp_path / "g.sqlite3")], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        url = server.stdout.readline().split()[3].rstrip("/")
        _, game = call(url, "POST", "/api/games", b"{}")
        path, token = f"/api/games/{game['id']}", game["spectator"]["token"]
        started = time.monotonic()
        lines = [opened(url, f"{path}/live") for _ in range(10_000)]
        accepted = sum(line is not None and was_accepted(line) for line in lines)
        took = time.monotonic() - started
        for line in lines:
            if line is not None:
                line.close()
        time.sleep(0.5)
        assert 0 < accepted <= 64 * (1 + took // 10)  # the silent ones are sent away after ten seconds
        status, seen = call(url, "GET", path, token=token)
        assert status == 200 and seen["version"] == 0 and server.poll() is None
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(20)


def opened(url: str, path: str) -> socket.socket | None:
    """A socket that asked to become a WebSocket, unless it was cut off."""
    host, port = url.removeprefix("http://").split(":")
    try:
        line = socket.create_connection((host, int(port)), 10)
        request = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        line.sendall(
            (request + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n").encode()
        )
    except OSError:
        return None
    return line


def was_accepted(line: socket.socket) -> bool:
    line.settimeout(0.5)
    try:
        return b" 101 " in line.recv(100)
    except OSError:
        return False
