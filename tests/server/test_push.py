"""Push notifications: encrypted for the browser, signed by the server, to nobody's own network."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from server.databases import postgres
from server.kit import serving
from server.test_people import a_person
from server.test_processes import until


class Browser:
    """A browser that is subscribed, and the push service it listens to."""

    def __init__(self) -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.auth = b"0123456789abcdef"
        self.heard: list[tuple[dict[str, str], bytes]] = []
        self.status = 201
        browser = self

        class Service(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                browser.heard.append(({name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(browser.status)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                return

        self.service = HTTPServer(("127.0.0.1", 0), Service)
        threading.Thread(target=self.service.serve_forever, daemon=True).start()

    def subscription(self) -> dict[str, Any]:
        public = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": plain(public), "auth": plain(self.auth)}
        return {"endpoint": f"http://127.0.0.1:{self.service.server_port}/secret", "keys": keys}

    def read(self, body: bytes) -> dict[str, Any]:
        opened = http_ece.decrypt(body, private_key=self.private, auth_secret=self.auth, version="aes128gcm")
        found: dict[str, Any] = json.loads(opened)
        return found


def plain(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@pytest.fixture
def browser() -> Iterator[Browser]:
    made = Browser()
    yield made
    made.service.shutdown()
    made.service.server_close()


def test_a_person_who_is_away_is_told_by_the_browser_that_it_is_his_turn(tmp_path: Path, browser: Browser) -> None:
    with serving(tmp_path, private_webhooks=True) as server:
        ann, bob = a_person(server, "Ann"), a_person(server, "Bob")
        assert len(server.get("/api/people/push").json()["key"]) == 87
        for who in (ann, bob):
            assert who.post("/api/people/me/push", browser.subscription()).json() == {"browsers": 1}
        offer = ann.post("/api/lobby", {"pace": "correspondence"}).json()["offer"]
        game = bob.post(f"/api/lobby/{offer}/join").json()["game"]
        assert server.post(f"/api/games/{game}/concede", token=ann.key).status_code == 200
        headers, body = until(lambda: browser.heard)[0]
        told = browser.read(body)
        assert told["game"] == game and told["over"] and "over" in told["text"]
        assert headers["authorization"].startswith("vapid t=") and headers["content-encoding"] == "aes128gcm"
        assert game.encode() not in body


def test_a_browser_that_listens_no_more_is_forgotten(tmp_path: Path, browser: Browser) -> None:
    browser.status = 410
    with serving(tmp_path, private_webhooks=True) as server:
        ann = a_person(server, "Ann")
        ann.post("/api/people/me/push", browser.subscription())
        table = server.begin(pace="correspondence")
        assert ann.post(f"{table.path}/claim", **{"X-Seat": table.tokens[0]}).status_code == 200
        assert table.do("concede", {"seat": 1}).status_code == 200
        until(lambda: browser.heard)
        until(lambda: count(server) == 0)


def count(server: Any) -> int:
    with server.games.storage.engine.connect() as connection:
        found: int = connection.exec_driver_sql("SELECT count(*) FROM subscriptions").scalar()
    return found


def test_what_is_no_subscription_is_refused(tmp_path: Path, browser: Browser) -> None:
    with serving(tmp_path) as server:
        ann = a_person(server, "Ann")
        assert ann.post("/api/people/me/push", browser.subscription()).status_code == 422  # no https
        given = browser.subscription() | {"endpoint": "https://push.example/x"}
        assert server.post("/api/people/me/push", given).status_code == 401
        for keys in ({"p256dh": "A" * 87, "auth": "A" * 22}, {"p256dh": "A" * 16, "auth": "A" * 22}):
            assert ann.post("/api/people/me/push", given | {"keys": keys}).status_code == 422
        for nowhere in ("[:::", "push.example:99999", "/x", "u:p@push.example", "10.0.0.1", "[::ffff:127.0.0.1]"):
            told = ann.post("/api/people/me/push", given | {"endpoint": f"https://{nowhere}/"})
            assert told.status_code == 422 and count(server) == 0, nowhere
        for number in range(10):
            told = ann.post("/api/people/me/push", given | {"endpoint": f"https://push.example/{number}"})
            assert told.json() == {"browsers": number + 1}
        assert ann.post("/api/people/me/push", given).status_code == 429
        assert ann.post("/api/people/me/push/stop").json() == {"browsers": 0} and count(server) == 0
    with serving(tmp_path, push=False) as quiet:
        assert quiet.get("/api/people/push").status_code == 404


def test_all_processes_sign_with_one_key(tmp_path: Path) -> None:
    with postgres() as url, serving(tmp_path, database=url) as one, serving(tmp_path, database=url) as other:
        assert one.get("/api/people/push").json() == other.get("/api/people/push").json()
