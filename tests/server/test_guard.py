"""What stands before the API: headers, names, limits, sizes, and what is never written into a log."""

from __future__ import annotations

import json
import logging
import socket
import time
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from dieselfront.server import guard
from dieselfront.server.guard import Bucket, Held, TooFull, Visitors, host_in, network_of
from dieselfront.server.protocols import Connections
from dieselfront.server.settings import Limits
from server.kit import LIMITS, Server, serving


@pytest.mark.parametrize("path", ["/", "/api/health", "/api/nothing", "/battle/x", "/api/games/zzzzzzzzzzzz"])
def test_every_answer_carries_strict_headers(server: Server, path: str) -> None:
    headers = server.get(path).headers
    policy = headers["content-security-policy"]
    assert "unsafe" not in policy and "script-src 'self'" in policy and "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


def test_answers_of_the_api_are_not_kept_by_browsers(server: Server) -> None:
    table = server.begin()
    assert server.get(table.path, table.both).headers["cache-control"] == "no-store"


def test_without_a_built_app_the_page_says_how_to_build_it(tmp_path: Path) -> None:
    with serving(tmp_path, web_folder=str(tmp_path)) as server:
        page = server.get("/")
        assert (
            page.status_code == 200 and "make web" in page.text and page.headers["content-type"].startswith("text/html")
        )
        (tmp_path / "index.html").write_text("<!doctype html><title>App</title>")
        (tmp_path / "assets").mkdir()
        (tmp_path / "assets" / "x.js").write_text("1;" * 1000)
        (tmp_path.parent / "secret.txt").write_text("secret")
        assert "App" in server.get("/").text and "App" in server.get("/rules/d47.turn.pass").text
        script = server.get("/assets/x.js")
        assert script.text == "1;" * 1000 and "immutable" in script.headers["cache-control"]
        assert server.http.get("/assets/x.js", headers={"If-None-Match": script.headers["etag"]}).status_code == 304
        assert server.get("/assets/y.js").status_code == 404
        for sly in ("/../secret.txt", "/%2e%2e/secret.txt", "/assets/../../secret.txt", "/..%2fsecret.txt"):
            assert "secret" not in raw_get(server.url, sly)


def raw_get(url: str, path: str) -> str:
    """A request that no client tidied up."""
    host, port = url.removeprefix("http://").rstrip("/").split(":")
    with socket.create_connection((host, int(port)), 5) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while data := line.recv(65536):
            answer += data
    return answer.decode(errors="replace").partition("\r\n\r\n")[2]


def test_a_local_server_answers_to_local_names_only(server: Server) -> None:
    assert server.http.get("/api/health", headers={"Host": "evil.example"}).status_code == 421
    assert server.http.get("/api/health", headers={"Host": "localhost:1234"}).status_code == 200
    assert host_in("[::1]:80") == "[::1]" and host_in("A.example:8047") == "a.example"


def test_too_many_requests_are_told_to_wait(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(LIMITS, requests_per_second=1.0, requests_burst=20.0)
    with serving(tmp_path, limits=limits) as server:
        answers = [server.get("/api/health") for _ in range(40)]
        assert [answer.status_code for answer in answers[:20]] == [200] * 20
        assert answers[-1].status_code == 429 and int(answers[-1].headers["retry-after"]) >= 1
        assert server.get("/").status_code == 200  # pages are not counted


def test_too_many_new_games_are_told_to_wait(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(LIMITS, new_games_per_minute=3.0)
    with serving(tmp_path, limits=limits) as server:
        statuses = [server.post("/api/games", {}).status_code for _ in range(5)]
        assert statuses == [201, 201, 201, 429, 429]


def test_a_bucket_fills_up_again() -> None:
    bucket = Bucket(1000.0, 5.0)
    assert [bucket.take(1.0) for _ in range(6)].count(True) >= 5
    time.sleep(0.01)
    assert bucket.take(3.0)


def test_addresses_are_counted_by_household_and_forgotten_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert network_of("192.0.2.7") == "192.0.2.7"
    assert network_of("2001:db8:1:2:3::9") == network_of("2001:db8:1:2:ffff::1") != network_of("2001:db8:1:3::1")
    monkeypatch.setattr(guard, "ADDRESSES", 10)
    visitors = Visitors(Limits())
    for number in range(50):
        visitors.requests(f"192.0.2.{number}")
    assert len(visitors._requests) == 10


def test_connections_beyond_the_limit_are_cut_before_a_word_is_spoken(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(LIMITS, connections_per_address=30)
    with serving(tmp_path, limits=limits) as server:
        table = server.begin()
        host, port = server.url.removeprefix("http://").rstrip("/").split(":")
        lines = [socket.create_connection((host, int(port)), 5) for _ in range(300)]
        cut = sum(is_cut(line) for line in lines)
        assert 265 <= cut <= 275
        for line in lines:
            line.close()
        time.sleep(0.2)
        assert httpx.get(f"{server.url}api/health").status_code == 200
        assert table.look()["version"] == 0


def is_cut(line: socket.socket) -> bool:
    line.settimeout(0.02)
    try:
        return line.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def test_connections_are_counted_down_when_they_go() -> None:
    connections = Connections(2)
    assert connections.come("a") and connections.come("a") and not connections.come("a") and connections.come("b")
    connections.go("a")
    assert connections.come("a") and connections.open == {"a": 2, "b": 1}


@pytest.mark.parametrize("path", ["/api/games", "/api/armies/check", "/api/odds", "/api/games/zzzzzzzzzzzz/chat"])
def test_a_body_that_is_too_long_is_refused(server: Server, path: str) -> None:
    answer = server.post(path, {"text": "x" * 1_000_000})
    assert answer.status_code == 413 and answer.json()["reason"]


def test_an_upload_may_be_longer_but_not_endless(server: Server) -> None:
    middling, endless = "x" * 1_000_000, "x" * 5_000_000
    assert server.post("/api/records", {"header": middling}).status_code == 400
    assert server.post("/api/records", {"header": endless}).status_code == 413


def test_chat_of_a_megabyte_is_refused_and_nothing_changes(server: Server) -> None:
    table = server.begin()
    assert table.do("chat", {"text": "x" * 1_000_000}).status_code == 413
    assert table.look()["chat"] == []


NONSENSE = [
    b"",
    b"{",
    b"\xff\xfe",
    b"null",
    b'"x"',
    b"[" * 100_000,
    b'{"a":' * 50_000,
    b'{"decision":1e400,"answer":0}',
]


@pytest.mark.parametrize("body", NONSENSE, ids=range(len(NONSENSE)))
@pytest.mark.parametrize("path", ["/api/games", "choices", "chat", "draw", "/api/records", "/api/armies/check"])
def test_nonsense_is_refused_with_a_reason(server: Server, path: str, body: bytes) -> None:
    table = server.begin()
    url = path if path.startswith("/") else f"{table.path}/{path}"
    headers = {"Content-Type": "application/json", "X-Seat": table.both}
    answer = server.http.post(url, content=body, headers=headers)
    optional = path == "draw" and body in (b"", b"null")
    assert answer.status_code == 200 if optional else 400 <= answer.status_code < 500, answer.text
    assert optional or answer.json()["reason"]


@pytest.mark.parametrize("id", ["..", "%00", "a" * 500, "zzzzzzzzzzzz", "ABCDEFGHJKMN", "' OR 1=1 --", "%F0%9F%98%80"])
def test_ids_that_are_none_are_not_found(server: Server, id: str) -> None:
    for what in ("", "/record", "/odds", "/luck", "/replay?at=0"):
        answer = server.http.get(f"/api/games/{id}{what}", headers={"X-Seat": "x"})
        assert 400 <= answer.status_code < 500


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "OPTIONS"])
def test_other_methods_are_not_allowed(server: Server, method: str) -> None:
    assert server.http.request(method, "/api/games").status_code in (204, 405)


def test_no_token_seed_or_answer_is_ever_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with serving(tmp_path) as server:
        table = server.begin(webhook="https://hooks.example/SECRETPATH", pace="correspondence")
        table.play(5)
        server.get(table.path, "wrong-token-of-somebody")
        table.do("chat", {"text": "a private word"})
        visitor = table.socket(table.tokens[0])
        visitor.wait_for("snapshot")
        visitor.socket.send("{broken")
        seed = server.games._games[table.id].row.seed
        time.sleep(0.1)
    logged = "\n".join(
        record.getMessage() for record in caplog.records if record.name.startswith(("dieselfront", "uvicorn"))
    )
    for secret in (*table.tokens, table.spectator, seed, "a private word", "SECRETPATH", "wrong-token"):
        assert secret not in logged


def test_the_description_of_the_api_is_complete(server: Server) -> None:
    described = server.get("/api/openapi.json").json()
    of_games = "choices undo takeback draw concede chat preview odds record replay branch luck"
    others = "games records rulesets scenarios levels rules rules/{rule_id} cards cards/{card_id} odds health"
    armies = "starters check import print random"
    wanted = {f"/api/games/{{game_id}}/{what}" for what in of_games.split()} | {f"/api/{one}" for one in others.split()}
    wanted |= {f"/api/armies/{what}" for what in armies.split()} | {"/api/games/{game_id}"}
    assert wanted <= set(described["paths"])
    assert "Snapshot" in json.dumps(described["components"])


def test_the_server_is_well(server: Server) -> None:
    told: dict[str, Any] = server.get("/api/health").json()
    assert told["status"] == "ok"


def test_long_answers_are_packed_in_threads_and_lasting_ones_once(server: Server) -> None:
    told = server.http.get("/api/rules", headers={"Accept-Encoding": "gzip"})
    plain = server.http.get("/api/rules", headers={"Accept-Encoding": "identity"})
    assert told.headers["content-encoding"] == "gzip" and told.headers["vary"] == "Accept-Encoding"
    assert "content-encoding" not in plain.headers and told.json() == plain.json()
    assert int(told.headers["content-length"]) * 2 < int(plain.headers["content-length"])
    packing = server.app.behind.app
    assert [len(body) for body in packing._kept].count(int(plain.headers["content-length"])) == 1
    assert server.http.get("/api/levels", headers={"Accept-Encoding": "gzip"}).headers.get("content-encoding") is None


def test_all_bodies_under_way_are_bounded_together() -> None:
    held = Held(100, 60)
    held.take("a", 50)
    with pytest.raises(TooFull) as refused:
        held.take("a", 20)
    assert refused.value.status_code == 429
    held.take("b", 50)
    with pytest.raises(TooFull) as refused:
        held.take("c", 1)
    assert refused.value.status_code == 503
    held.give_back("a", 50)
    held.take("c", 1)
    assert held.all == 51 and held.by_address == {"b": 50, "c": 1}
