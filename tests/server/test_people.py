"""People, their games on every device, the lobby and ratings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from dieselfront.server import lobby, moderation, people
from dieselfront.server.ratings import Strength, after
from server.databases import postgres
from server.kit import Server, Table, serving
from server.test_processes import until

EVERYTHING = {"people": True, "lobby": True, "ratings": True, "push": True, "sharing": True}


class Somebody:
    """A person at one device."""

    def __init__(self, server: Server, told: dict[str, Any]) -> None:
        self.server = server
        self.told = told
        self.id: str = told["id"]
        self.key: str = told["key"]

    def get(self, path: str, **query: Any) -> httpx.Response:
        return self.server.http.get(path, headers={"X-Person": self.key}, params=query)

    def post(self, path: str, body: Any = None, **headers: str) -> httpx.Response:
        sent = {"X-Person": self.key, **headers}
        return self.server.http.post(path, headers=sent, json=body) if body is not None else self._plain(path, sent)

    def _plain(self, path: str, headers: dict[str, str]) -> httpx.Response:
        return self.server.http.post(path, headers=headers)

    def games(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.get("/api/people/me/games").json()
        return found


def a_person(server: Server, name: str) -> Somebody:
    told = server.post("/api/people", {"name": name})
    assert told.status_code == 201, told.text
    return Somebody(server, told.json())


def test_a_person_comes_back_on_another_device_by_the_code_and_the_code_changes(server: Server) -> None:
    ann = a_person(server, "  Ann   of Arc ")
    assert ann.get("/api/people/me").json() == {"id": ann.id, "name": "Ann of Arc", "ratings": []}
    code = ann.told["recovery"]
    told = server.post("/api/people/recover", {"code": code.upper().replace("-", " ")})
    assert told.status_code == 201 and told.json()["id"] == ann.id and told.json()["recovery"] != code
    phone = Somebody(server, told.json())
    assert phone.get("/api/people/me").json()["id"] == ann.id == ann.get("/api/people/me").json()["id"]
    assert server.post("/api/people/recover", {"code": code}).status_code == 403
    alone = server.post("/api/people/recover", {"code": phone.told["recovery"], "alone": True}).json()
    assert ann.get("/api/people/me").status_code == 401 == phone.get("/api/people/me").status_code
    assert Somebody(server, alone).get("/api/people/me").status_code == 200


def test_nobody_else_is_let_in(server: Server) -> None:
    assert server.get("/api/people/me").status_code == 401
    assert server.http.get("/api/people/me", headers={"X-Person": "x" * 32}).status_code == 401
    assert server.post("/api/people/recover", {"code": "x" * 20}).status_code == 403
    assert server.post("/api/people", {"name": " \t "}).status_code in (400, 422)
    assert server.post("/api/people", {"name": "x" * 100}).status_code == 400


def test_keys_and_codes_are_not_in_the_database(server: Server) -> None:
    ann = a_person(server, "Ann")
    data = b"".join(path.read_bytes() for path in Path(server.settings.database).parent.glob("games.sqlite3*"))
    assert ann.id.encode() in data
    assert ann.key.encode() not in data and ann.told["recovery"].encode() not in data


def test_a_seat_becomes_ones_own_and_is_opened_by_the_key_on_every_device(server: Server) -> None:
    ann, bob = a_person(server, "Ann"), a_person(server, "Bob")
    table = server.begin()
    claimed = ann.post(f"{table.path}/claim", **{"X-Seat": table.tokens[0]})
    assert claimed.status_code == 200 and claimed.json()["seat"] == 0
    assert bob.post(f"{table.path}/claim", **{"X-Seat": table.tokens[0]}).status_code == 409
    assert bob.post(f"{table.path}/claim", **{"X-Seat": table.spectator}).status_code == 403
    assert bob.post(f"{table.path}/claim", **{"X-Seat": "wrong"}).status_code == 403
    assert table.look(ann.key)["you"] == 0
    assert server.get(table.path, bob.key).status_code == 403
    socket = table.socket(ann.key)
    assert socket.wait_for("snapshot")["you"] == 0
    socket.close()
    phone = Somebody(server, server.post("/api/people/recover", {"code": ann.told["recovery"]}).json())
    assert [game["game"] for game in phone.games()] == [table.id] and table.look(phone.key)["you"] == 0
    assert bob.games() == []


def test_my_games_tell_whose_turn_it_is(server: Server) -> None:
    ann, bob = a_person(server, "Ann"), a_person(server, "Bob")
    table = server.begin()
    for who, token in zip((ann, bob), table.tokens, strict=True):
        assert who.post(f"{table.path}/claim", **{"X-Seat": token}).status_code == 200
    for _ in range(3):
        decider = table.play(1)["decision"]["player"]
        until(lambda: [who.games()[0]["your_turn"] for who in (ann, bob)] == [decider == 0, decider == 1])  # noqa: B023
    assert ann.games()[0]["names"] == ["Ann", "Bob"] and not ann.games()[0]["over"]
    table.do("concede", {"seat": 0})
    ended = until(lambda: [game for game in ann.games() if game["over"]])
    assert not ended[0]["your_turn"]


def test_two_people_meet_in_the_lobby_and_their_game_is_rated(server: Server) -> None:
    ann, bob, eve = (a_person(server, name) for name in ("Ann", "Bob", "Eve"))
    offered = ann.post("/api/lobby", {"points": 50, "pace": "correspondence"})
    assert offered.status_code == 201, offered.text
    id = offered.json()["offer"]
    seen = [one for one in bob.get("/api/lobby", ruleset="dust1947").json() if one["id"] == id]
    assert seen[0]["host"]["name"] == "Ann" and not seen[0]["yours"] and seen[0]["points"] == 50
    assert not [one for one in bob.get("/api/lobby", pace="live").json() if one["id"] == id]
    assert ann.post(f"/api/lobby/{id}/join").status_code == 409
    joined = bob.post(f"/api/lobby/{id}/join")
    assert joined.status_code == 200, joined.text
    assert eve.post(f"/api/lobby/{id}/join").status_code == 404
    game = joined.json()["game"]
    assert server.get(f"/api/games/{game}", bob.key).json()["you"] == joined.json()["seat"] == 1
    assert server.get(f"/api/games/{game}", ann.key).json()["you"] == 0
    shown = server.get(f"/api/games/{game}", ann.key).json()
    assert shown["rated"] and [seat["person"] for seat in shown["seats"]] == [ann.id, bob.id]
    assert server.get(f"/api/games/{game}", eve.key).status_code == 403
    assert server.post(f"/api/games/{game}/concede", token=ann.key).status_code == 200
    winner = until(lambda: bob.get("/api/people/me").json()["ratings"])[0]
    loser = ann.get("/api/people/me").json()["ratings"][0]
    assert winner["rating"] > 1500 > loser["rating"] and winner["games"] == loser["games"] == 1


def test_those_who_wish_the_same_are_paired_unless_one_blocked_the_other(server: Server) -> None:
    ann, bob, eve = (a_person(server, name) for name in ("Ann", "Bob", "Eve"))
    wish = {"points": 61, "pair": True}
    assert ann.post("/api/lobby", wish).json()["game"] is None
    assert eve.post("/api/people/me/blocked", {"person": ann.id}).status_code == 200
    assert eve.post("/api/lobby", wish).json()["game"] is None
    assert ann.id not in [one["host"]["id"] for one in eve.get("/api/lobby").json()]
    assert eve.id not in [one["host"]["id"] for one in ann.get("/api/lobby").json()]
    met = bob.post("/api/lobby", wish).json()
    assert met["game"] and ann.games()[0]["game"] == met["game"] == bob.games()[0]["game"]
    assert eve.games() == []


def test_offers_are_few_legal_and_can_be_taken_back(server: Server) -> None:
    ann = a_person(server, "Ann")
    assert ann.post("/api/lobby", {"ruleset": "../../x"}).status_code == 422
    assert ann.post("/api/lobby", {"scenario": "nowhere"}).status_code == 422
    assert ann.post("/api/lobby", {"army": "nobody"}).status_code == 422
    assert ann.post("/api/lobby", {"points": 10**9}).status_code == 400
    ids = [ann.post("/api/lobby", {"points": 40}).json()["offer"] for _ in range(lobby.MOST_OFFERS)]
    assert ann.post("/api/lobby", {"points": 40}).status_code == 429
    bob = a_person(server, "Bob")
    assert server.http.delete(f"/api/lobby/{ids[0]}", headers={"X-Person": bob.key}).status_code == 200
    assert ids[0] in [one["id"] for one in ann.get("/api/lobby").json()]  # it is not his
    assert server.http.delete(f"/api/lobby/{ids[0]}", headers={"X-Person": ann.key}).status_code == 200
    assert bob.post(f"/api/lobby/{ids[0]}/join").status_code == 404
    assert ann.post("/api/lobby", {"points": 40}).status_code == 201


def test_a_game_against_a_computer_is_rated_and_one_against_oneself_is_not(server: Server) -> None:
    ann = a_person(server, "Ann")
    alone = server.begin()
    for token in alone.tokens:
        assert ann.post(f"{alone.path}/claim", **{"X-Seat": token}).status_code == 200
    assert "rated" not in alone.look()
    assert alone.do("concede", {"seat": 0}).status_code == 200
    computer = {"kind": "computer", "level": "recruit"}
    table = Table(server, server.post("/api/games", {"seats": [{"kind": "human"}, computer]}).json())
    assert ann.post(f"{table.path}/claim", **{"X-Seat": table.tokens[0]}).status_code == 200
    assert table.do("concede").status_code == 200
    rated = until(lambda: ann.get("/api/people/me").json()["ratings"])
    assert [one["games"] for one in rated] == [1] and rated[0]["rating"] < 1500


def test_a_new_code_takes_the_place_of_the_one_before(server: Server) -> None:
    ann = a_person(server, "Ann")
    fresh = ann.post("/api/people/me/recovery").json()["recovery"]
    assert server.post("/api/people/recover", {"code": ann.told["recovery"]}).status_code == 403
    assert server.post("/api/people/recover", {"code": fresh}).json()["id"] == ann.id
    assert server.post("/api/people/me/recovery").status_code == 401


def test_anybody_may_look_at_the_lobby_and_offers_say_who_is_looked_for(server: Server) -> None:
    ann, bob = a_person(server, "Ann"), a_person(server, "Bob")
    ids = {
        level: ann.post("/api/lobby", {"points": 77, "level": level}).json()["offer"]
        for level in ("any", "new", "veteran")
    }
    assert ann.post("/api/lobby", {"level": "godlike"}).status_code == 400
    shown = {one["id"]: one for one in server.http.get("/api/lobby", params={"level": "new"}).json()}
    assert ids["any"] in shown and ids["new"] in shown and ids["veteran"] not in shown
    assert shown[ids["new"]]["level"] == "new" and not shown[ids["new"]]["yours"]
    wish = {"points": 78, "pair": True}
    assert ann.post("/api/lobby", {**wish, "level": "veteran"}).json()["game"] is None
    assert bob.post("/api/lobby", {**wish, "level": "new"}).json()["game"] is None
    eve = a_person(server, "Eve")
    assert eve.post("/api/lobby", {**wish, "level": "veteran"}).json()["game"] == ann.games()[0]["game"]


def test_a_report_reaches_the_host_with_the_talk_and_the_host_keeps_somebody_out(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        ann, bob, eve = (a_person(server, name) for name in ("Ann", "Bob", "Eve"))
        game = bob.post(f"/api/lobby/{ann.post('/api/lobby', {}).json()['offer']}/join").json()["game"]
        assert server.post(f"/api/games/{game}/chat", {"text": "You are a toad."}, bob.key).status_code in (200, 201)
        told = {"person": bob.id, "text": "He is rude.", "game": game}
        assert ann.post("/api/people/me/reports", told).status_code == 201
        assert eve.post("/api/people/me/reports", {**told, "person": ann.id}).status_code == 201
        assert ann.post("/api/people/me/reports", {**told, "person": ann.id}).status_code == 422
        assert ann.post("/api/people/me/reports", {**told, "person": "nobody"}).status_code == 404
        url = server.settings.database_url
        kept = moderation.reports(url)
        assert [(one.by_name, one.about_name, one.game) for one in kept] == [("Eve", "Ann", None), ("Ann", "Bob", game)]
        assert kept[1].chat[0][:2] == ["Bob", "You are a toad."] and kept[0].chat == []
        assert moderation.bar(url, bob.id, True) == "Bob" and moderation.bar(url, "nobody", True) is None
        assert bob.post("/api/lobby", {}).status_code == 403 == bob.get("/api/lobby").status_code
        assert server.get(f"/api/games/{game}", bob.key).status_code == 200
        moderation.bar(url, bob.id, False)
        assert bob.post("/api/lobby", {}).status_code == 201
        for _ in range(people.MOST_REPORTS - 1):
            assert ann.post("/api/people/me/reports", told).status_code == 201
        assert ann.post("/api/people/me/reports", told).status_code == 429


def test_whom_one_has_blocked_can_be_seen_and_undone(server: Server) -> None:
    ann, bob = a_person(server, "Ann"), a_person(server, "Bob")
    ann.post("/api/people/me/blocked", {"person": bob.id})
    assert ann.get("/api/people/me/blocked").json() == [{"id": bob.id, "name": "Bob"}]
    ann.post("/api/people/me/blocked", {"person": bob.id, "blocked": False})
    assert ann.get("/api/people/me/blocked").json() == []


def test_people_and_computer_levels_stand_in_one_list_and_a_rematch_is_everybodys(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        ann, bob = a_person(server, "Ann"), a_person(server, "Bob")
        game = bob.post(f"/api/lobby/{ann.post('/api/lobby', {}).json()['offer']}/join").json()["game"]
        server.post(f"/api/games/{game}/concede", token=ann.key)
        computer = {"kind": "computer", "level": "recruit"}
        table = Table(server, server.post("/api/games", {"seats": [{"kind": "human"}, computer]}).json())
        ann.post(f"{table.path}/claim", **{"X-Seat": table.tokens[0]})
        table.do("concede")
        ranked = until(lambda: [one for one in [server.get("/api/ratings").json()] if len(one) == 3])[0]
        assert [one["name"] for one in ranked] == ["Bob", "recruit", "Ann"] and ranked[1]["who"] == "level:recruit"
        assert server.http.get("/api/ratings", params={"ruleset": "konflikt47"}).json() == []
        again = server.post(f"/api/games/{game}/rematch", token=bob.key).json()["id"]
        assert again in [one["game"] for one in ann.games()] and again in [one["game"] for one in bob.games()]
        assert all(one["rated"] for one in bob.games())
        assert server.get(f"/api/games/{again}", bob.key).json()["you"] == 0


def test_features_tell_what_the_host_has_switched_off(tmp_path: Path, server: Server) -> None:
    assert server.get("/api/features").json() == EVERYTHING
    with serving(tmp_path, ratings=False, push=False) as quiet:
        assert quiet.get("/api/features").json() == {**EVERYTHING, "ratings": False, "push": False}
        assert quiet.get("/api/ratings").status_code == 404


def test_a_host_may_switch_it_off(tmp_path: Path) -> None:
    with serving(tmp_path, people=False, lobby=False, ratings=False) as quiet:
        assert quiet.post("/api/people", {"name": "Ann"}).status_code == 404
        assert quiet.get("/api/lobby").status_code == 404
        assert quiet.begin().play(2)["version"] == 2


def test_words_that_the_host_refuses_are_in_no_name(tmp_path: Path) -> None:
    with serving(tmp_path, refused_names=("Rude",)) as server:
        for name in ("a rude  one", "R.U.D.E", "r u d e", "\uff32ude", "very-rude!"):
            assert server.post("/api/people", {"name": name}).status_code == 422, name
        assert server.post("/api/people", {"name": "prudence"}).status_code == 201


@pytest.mark.parametrize("name", ["\u202eadmin", "a\u200bb", "\ufeff", "z" + "\u0300" * 50, "\u2028", "\u00ad"])
def test_names_hold_only_what_can_be_seen(name: str, server: Server) -> None:
    assert server.post("/api/people", {"name": name}).status_code == 422


@pytest.mark.parametrize("name", ["Renée", "Łukasz Żółw", "李小龍", "Zoë 2", "O'Brien-Smith"])
def test_names_of_all_peoples_are_taken(name: str, server: Server) -> None:
    assert server.post("/api/people", {"name": name}).json()["name"] == name


def test_people_meet_across_processes(tmp_path: Path) -> None:
    with postgres() as url, serving(tmp_path, database=url) as one, serving(tmp_path, database=url) as other:
        ann, bob = a_person(one, "Ann"), a_person(other, "Bob")
        assert ann.post("/api/lobby", {"pair": True}).status_code == 201
        game = bob.post("/api/lobby", {"pair": True}).json()["game"]
        assert [who.games()[0]["game"] for who in (ann, bob)] == [game, game]
        for server, who in ((one, ann), (other, bob)):
            assert server.get(f"/api/games/{game}", who.key).status_code == 200
        assert other.post(f"/api/games/{game}/concede", token=ann.key).status_code == 200
        assert until(lambda: bob.get("/api/people/me").json()["ratings"])[0]["games"] == 1


def test_ratings_are_those_of_the_paper() -> None:
    """The example of Glickman's description of Glicko-2: three games, one won."""
    results = [(Strength(1400, 30), 1.0), (Strength(1550, 100), 0.0), (Strength(1700, 300), 0.0)]
    found = after(Strength(1500, 200, 0.06), results)
    assert found.rating == pytest.approx(1464.06, abs=0.02) and found.deviation == pytest.approx(151.52, abs=0.02)
    assert found.volatility == pytest.approx(0.05999, abs=0.00001) and found.games == 3


def test_ratings_stay_within_reason_however_long_somebody_wins() -> None:
    best, worst = Strength(), Strength()
    for _ in range(300):
        best, worst = after(best, [(worst, 1.0)]), after(worst, [(best, 0.0)])
    assert 1500 < best.rating < 4000 and 30 <= best.deviation <= 350


def test_codes_are_read_however_they_are_typed() -> None:
    code = people.new_code()
    assert people.code_hash(f" {code.upper()} ") == people.code_hash(code.replace("-", ""))
