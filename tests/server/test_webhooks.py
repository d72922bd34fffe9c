"""Notifications of correspondence games."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from dieselfront.server.settings import Settings
from dieselfront.server.webhooks import ForbiddenAddress, Webhooks, is_public, public_address
from server.kit import serving


class Inbox:
    """A web server that keeps what it is sent."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        inbox = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                inbox.messages.append({"path": self.path, **json.loads(body)})
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                return

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def wait_for(self, count: int) -> list[dict[str, Any]]:
        deadline = time.monotonic() + 10
        while len(self.messages) < count and time.monotonic() < deadline:
            time.sleep(0.01)
        return self.messages


@pytest.fixture
def inbox() -> Iterator[Inbox]:
    box = Inbox()
    yield box
    box.server.shutdown()


def test_a_player_who_is_away_is_told_once_that_it_is_his_turn(tmp_path: Path, inbox: Inbox) -> None:
    with serving(tmp_path, private_webhooks=True, public_url="https://games.example/") as server:
        seats = [{"kind": "human", "name": "Ann", "webhook": f"{inbox.url}/ann"}, {"kind": "human", "name": "Bob"}]
        table = server.begin(pace="correspondence", webhook=f"{inbox.url}/game", seats=seats)
        table.play(6)
        makers = server.games._games[table.id].makers
        told = inbox.wait_for(2)
        time.sleep(0.2)
        turns = [message for message in told if message["path"] == "/game"]
        changes = sum(one != other for one, other in pairwise(makers))
        assert changes <= len(turns) <= changes + 2
        assert all(one["seat"] != other["seat"] for one, other in pairwise(turns))
        assert {message["seat"] for message in told if message["path"] == "/ann"} <= {0}
        assert told[0]["link"] == f"https://games.example/battle/{table.id}" and told[0]["text"]
        said = json.dumps(told)
        assert not any(token in said for token in (*table.tokens, table.spectator))
        before = len(inbox.messages)
        table.do("concede")
        assert inbox.wait_for(before + 2)[-1]["over"]


def test_live_games_send_nothing(tmp_path: Path, inbox: Inbox) -> None:
    with serving(tmp_path, private_webhooks=True) as server:
        server.begin(webhook=inbox.url).play(6)
        time.sleep(0.1)
        assert inbox.messages == []


def test_a_private_address_is_never_called_unless_the_owner_allows_it(tmp_path: Path, inbox: Inbox) -> None:
    with serving(tmp_path) as server:
        server.begin(pace="correspondence", webhook=inbox.url).play(8)
        time.sleep(0.2)
    assert inbox.messages == []
    with pytest.raises(ForbiddenAddress):
        asyncio.run(Webhooks(Settings())._post(inbox.url, b"{}"))


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.1.1",
        "172.20.0.1",
        "169.254.169.254",
        "0.0.0.0",
        "::1",
        "fe80::1%eth0",
        "fd00::1",
        "::ffff:127.0.0.1",
        "2002:7f00:1::",
        "64:ff9b::7f00:1",
        "64:ff9b::0808:0808",
        "::127.0.0.1",
        "fec0::1",
        "2001:0:7f00:1::",
        "::",
        "224.0.0.1",
        "100.64.0.1",
        "255.255.255.255",
    ],
)
def test_addresses_of_ones_own_network_are_not_public(address: str) -> None:
    assert not is_public(address)


def test_names_are_looked_up_before_they_are_called() -> None:
    assert is_public("93.184.216.34") and is_public("2606:4700::1111")
    with pytest.raises(ForbiddenAddress):
        public_address("localhost", 80, allow_private=False)
    assert public_address("localhost", 80, allow_private=True) in ("127.0.0.1", "::1")
