"""What a first evening asks of the server: lessons, pictures, drawings of rules, invitations, cards by name."""

from __future__ import annotations

import msgspec
import pytest

from dieselfront import rulesets
from dieselfront.server import network, shapes
from dieselfront.server.settings import Settings
from server.kit import Server


def test_every_lesson_can_be_begun_as_it_is_served(server: Server) -> None:
    lessons = server.get("/api/lessons").json()
    assert lessons[0]["ruleset"] == rulesets.DEFAULT
    for lesson in lessons:
        wish = {key: lesson[key] for key in ("ruleset", "scenario", "armies")}
        begun = server.post("/api/games", wish)
        assert begun.status_code == 201, begun.text
        named = server.post("/api/games", {"ruleset": lesson["ruleset"], "scenario": f"lesson:{lesson['id']}"})
        assert named.status_code == 201, named.text
    unknown = server.post("/api/games", {"scenario": "lesson:chess"})
    assert unknown.status_code == 422 and "first-battle" in unknown.json()["reason"]
    assert server.get("/api/lessons", ruleset="warfare").json()[0]["ruleset"] == "warfare"
    assert server.get("/api/lessons", ruleset="chess").status_code == 404


def test_a_picture_of_a_game_is_a_position_with_units(server: Server) -> None:
    view = msgspec.convert(server.get("/api/rulesets/dust1947/picture").json(), shapes.View)
    assert view.turn == 1
    assert {unit.side for unit in view.units} == {0, 1}
    assert server.get("/api/rulesets/chess/picture").status_code == 422


def test_a_rule_with_a_drawing_says_where_it_is(server: Server) -> None:
    rule = server.get("/api/rules/d47.attack.los.corner_gives_cover").json()
    drawing = server.get(rule["diagram"])
    assert drawing.headers["content-type"].startswith("image/svg+xml")
    assert drawing.text.startswith("<svg")
    assert "diagram" not in server.get("/api/rules/d47.turn.pass").json()
    assert server.get("/api/rules/d47.turn.pass/diagram").status_code == 404


def test_a_card_is_found_by_its_name(server: Server) -> None:
    assert server.get("/api/cards/Ludwig", ruleset="dust1947").json()["id"] == "axis-ludwig"
    assert server.get("/api/cards/ranger", ruleset="dust1947").status_code == 422
    odds = server.post("/api/odds", {"attacker": "Ranger Weapon Squad", "target": "Ludwig"}).json()
    assert odds["target"] == "Ludwig"


def test_a_link_comes_back_as_a_qr_code(server: Server) -> None:
    drawing = server.post("/api/qr", {"text": "http://192.168.1.5:8047/battle/1#a"})
    assert drawing.headers["content-type"].startswith("image/svg+xml")
    assert drawing.headers["cache-control"] == "no-store"
    assert "<path" in drawing.text
    assert server.post("/api/qr", {"text": "x" * 601}).status_code in (400, 422)


def test_the_server_says_whether_friends_can_reach_it(server: Server) -> None:
    reach = msgspec.convert(server.get("/api/reach").json(), shapes.Reach)
    assert not reach.open
    assert "LAN=1" in reach.command


@pytest.fixture
def two_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "own_addresses", lambda: ("192.168.1.5", "fd00::5"))


@pytest.mark.usefixtures("two_networks")
def test_links_for_friends_begin_with_the_addresses_of_the_network() -> None:
    assert network.origins(Settings(), 8047) == ["http://192.168.1.5:8047", "http://[fd00::5]:8047"]
    assert network.origins(Settings(public_url="https://games.example/"), 8047) == ["https://games.example"]
    assert network.origins(Settings(proxies="10.0.0.1"), 8047) == []


@pytest.mark.usefixtures("two_networks")
@pytest.mark.parametrize(
    "host, opened", [("127.0.0.1", False), ("0.0.0.0", True), ("::", True), ("192.168.1.5", True), ("10.9.9.9", False)]
)
def test_only_a_server_that_listens_to_the_network_is_open(host: str, opened: bool) -> None:
    assert network.is_open(Settings(host=host)) is opened


@pytest.mark.parametrize(
    "asker, near",
    [("127.0.0.1", True), ("192.168.1.9", True), ("::1", True), ("8.8.8.8", False), ("testclient", False)],
)
def test_addresses_are_told_only_in_the_own_network(asker: str, near: bool) -> None:
    assert network.is_near(asker) is near
