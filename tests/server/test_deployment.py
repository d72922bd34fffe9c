"""What deploy/ holds: the parts of the compose file, started without containers, and a game played through them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from dieselfront.server.local_stack import NoNginx, local_configuration, stack
from dieselfront.server.trial_postgres import NoPostgres
from dieselfront.server.trial_tools import Process

DEPLOY = Path(__file__).parents[2] / "deploy"


@pytest.fixture(scope="module")
def deployed() -> Iterator[tuple[str, list[Process]]]:
    try:
        with stack(DEPLOY / "nginx.conf") as running:
            yield running
    except (NoNginx, NoPostgres) as missing:
        pytest.skip(str(missing))


def hello(url: str, game: dict[str, Any]) -> Any:
    """A socket at a game, at its snapshot."""
    socket = connect(f"{url.replace('http', 'ws', 1)}/api/games/{game['id']}/live", max_size=None)
    socket.send(json.dumps({"type": "hello", "token": game["table"]["token"]}))
    assert json.loads(socket.recv(10))["type"] == "snapshot"
    return socket


def test_a_game_is_played_through_the_proxy_and_outlives_the_process_that_had_it(
    deployed: tuple[str, list[Process]],
) -> None:
    url, servers = deployed
    http = httpx.Client(base_url=url, timeout=30)
    assert http.get("/health").json()["status"] == "ok" and http.get("/metrics").status_code == 404
    begun = http.post("/api/games", json={"seats": [{"kind": "human"}, {"kind": "human"}]})
    assert begun.status_code == 201
    game = begun.json()
    path, seat = f"/api/games/{game['id']}", {"X-Seat": game["table"]["token"]}
    socket = hello(url, game)
    choice = first_answer(http.get(path, headers=seat).json())
    assert http.post(f"{path}/choices", json=choice, headers=seat).json() == {"version": 1}
    next(server for server in servers if has_a_game(server)).kill()
    answers = [http.get(path, headers=seat) for _ in range(3)]
    assert [(answer.status_code, answer.json()["version"]) for answer in answers] == [(200, 1)] * 3
    socket = again(url, game)
    choice = first_answer(http.get(path, headers=seat).json())
    assert http.post(f"{path}/choices", json=choice, headers=seat).json() == {"version": 2}
    while (told := json.loads(socket.recv(10))).get("version") != 2:
        assert told["type"] != "refused"
    socket.close()


def has_a_game(server: Process) -> bool:
    return "dieselfront_games_in_memory 1.0" in httpx.get(f"{server.url}/metrics").text


def again(url: str, game: dict[str, Any]) -> Any:
    """Connect as a browser does, until it works."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            return hello(url, game)
        except (ConnectionClosed, InvalidStatus, OSError):
            time.sleep(0.2)
    raise AssertionError("nobody took the game over")


def first_answer(shown: dict[str, Any]) -> dict[str, Any]:
    decision = shown["decision"]
    if "options" in decision:
        answer = decision["options"][0]["answer"]
    else:
        spot = decision["spots"][0]
        answer = [spot["spot"], spot["facings"][0]]
    return {"decision": shown["version"], "answer": answer}


def test_the_compose_file_names_the_processes_that_the_proxy_knows() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    apps = [name for name in services if name.startswith("app")]
    configuration = (DEPLOY / "nginx.conf").read_text()
    assert len(apps) == 2 and all(f"server {name}:8047" in configuration for name in apps)
    assert all(services[name]["hostname"] == name for name in apps)
    assert services["proxy"]["ports"] == ["8080:8080"] and "listen 8080;" in configuration


def test_the_configuration_is_the_same_but_for_addresses(tmp_path: Path) -> None:
    text = (DEPLOY / "nginx.conf").read_text()
    local = local_configuration(text, ["127.0.0.1:1", "127.0.0.1:2"], 3, tmp_path)
    assert "server 127.0.0.1:1 max_fails" in local and "server 127.0.0.1:2 max_fails" in local
    assert "listen 127.0.0.1:3;" in local and "app1" not in local and str(tmp_path / "proxy") in local
