"""The library over HTTP: games, scenarios, rules, cards, armies, odds between cards."""

from __future__ import annotations

from typing import Any

import pytest

from dieselfront import players, rulebook, rulesets
from dieselfront.lab.balance import FAIR
from dieselfront.players import LEVELS
from dieselfront.scenarios import balance
from server.kit import Server

RANGERS = "allies-ranger-recon-squad"


def test_every_game_is_listed_with_its_options(server: Server) -> None:
    games = {game["id"]: game for game in server.get("/api/rulesets").json()}
    assert set(games) == set(rulebook.names())
    assert games["dust1947"]["playable"] and games["dust1947"]["table"] == "squares"
    option = games["dust1947"]["options"][0]
    assert {"name", "rule", "default", "choices"} <= set(option) and option["choices"][0]["text"]


def test_scenarios_levels_and_starters_are_listed(server: Server) -> None:
    assert "crossroads" in [one["id"] for one in server.get("/api/scenarios", ruleset="dust1947").json()]
    levels = server.get("/api/levels").json()
    assert [level["id"] for level in levels] == list(LEVELS) and all(level["text"] for level in levels)
    starters = server.get("/api/armies/starters", ruleset="dust1947").json()
    assert starters and all(one["army"]["units"] and one["ruleset"] == "dust1947" for one in starters)
    assert len(server.get("/api/armies/starters").json()) > len(starters)
    assert server.get("/api/scenarios", ruleset="chess").status_code == 404


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_every_lopsided_army_and_scenario_is_served_with_its_words(server: Server, ruleset: str) -> None:
    served = server.get("/api/balance", ruleset=ruleset).json()
    figures = balance.measured(ruleset)
    if figures is None:
        pytest.skip("nobody has measured this game")
    listed = {
        "armies": server.get("/api/armies/starters", ruleset=ruleset).json(),
        "scenarios": server.get("/api/scenarios", ruleset=ruleset).json(),
    }
    for kind, shares in (("armies", figures.armies), ("scenarios", figures.scenarios)):
        lopsided = {one.name: one for one in shares if one.low > FAIR[1] or one.high < FAIR[0]}
        assert set(served[kind]) == set(lopsided) <= {one["id"] for one in listed[kind]}
        for id, share in lopsided.items():
            assert f"{share.share:.0%}".replace("%", " % of") in served[kind][id]["text"]
            assert served[kind][id]["short"] in served[kind][id]["text"]
    assert all(set(pair["armies"]) & set(served["armies"]) and pair["text"] for pair in served["pairings"])


def test_balance_of_a_game_that_is_not_there_is_refused(server: Server) -> None:
    assert server.get("/api/balance", ruleset="chess").status_code == 404
    assert server.get("/api/balance").status_code == 200


def test_personalities_are_listed_in_a_line_each_and_may_sit_down(server: Server) -> None:
    listed = server.get("/api/personalities").json()
    assert [one["id"] for one in listed] == list(players.personalities()) and all(one["text"] for one in listed)
    for one in listed:
        level = f"veteran:{one['id']}"
        table = server.begin(seats=[{"kind": "human"}, {"kind": "computer", "level": level}])
        assert table.look(table.tokens[0])["seats"][1]["name"] == f"Computer (veteran, {one['id']})"
    wrong = [{"kind": "human"}, {"kind": "computer", "level": "veteran:cautios"}]
    refused = server.post("/api/games", {"seats": wrong})
    assert refused.status_code == 422 and "did you mean cautious?" in refused.json()["reason"]


def test_rules_are_found_by_id_and_by_words(server: Server) -> None:
    rule = server.get("/api/rules/d47.turn.pass").json()
    assert rule["title"] == "Passing" and rule["ruleset"] == "dust1947" and rule["chapter"] == "turn"
    found = server.get("/api/rules", ruleset="dust1947", q="suppression").json()
    assert found and "suppress" in (found[0]["id"] + found[0]["text"]).lower()
    assert len(server.get("/api/rules", ruleset="dust1947").json()) == len(rulebook.ids("dust1947"))
    missing = server.get("/api/rules/d47.turn.pas")
    assert missing.status_code == 404 and "d47.turn.pass" in missing.json()["reason"]


def test_cards_are_filtered_and_told_in_full(server: Server) -> None:
    heroes = server.get("/api/cards", ruleset="dust1947", bloc="axis", kind="hero").json()
    assert heroes and all(card["kind"] == "hero" and card["side"] == "Axis" for card in heroes)
    assert RANGERS in [card["id"] for card in server.get("/api/cards", q="ranger recon").json()]
    card = server.get(f"/api/cards/{RANGERS}").json()
    assert card["name"] == "Ranger Recon Squad" and card["weapons"][0]["cells"]
    assert server.get("/api/cards/nobody").status_code == 404


@pytest.fixture
def army(server: Server) -> dict[str, Any]:
    found: dict[str, Any] = server.get("/api/armies/starters", ruleset="dust1947").json()[0]["army"]
    return found


def test_a_list_is_checked_with_the_rules_it_breaks(server: Server, army: dict[str, Any]) -> None:
    good = server.post("/api/armies/check", army).json()
    assert good["ok"] and good["points"] <= good["limit"] and good["units"]
    twice = [{"card": unit["card"]} for unit in army["units"]] * 2
    bad = server.post("/api/armies/check", {**army, "points": 200, "units": twice}).json()
    assert not bad["ok"] and any(error["rule"].startswith("d47.") for error in bad["errors"]), bad
    assert server.post("/api/armies/check", {"name": "x"}).status_code == 422
    assert server.post("/api/armies/check", []).status_code == 400


def test_a_random_army_is_legal_and_the_same_for_the_same_seed(server: Server) -> None:
    wish = {"ruleset": "dust1947", "points": 60, "seed": 4, "bloc": "SSU"}
    drawn = server.post("/api/armies/random", wish).json()
    assert drawn == server.post("/api/armies/random", wish).json()
    assert server.post("/api/armies/check", drawn).json()["ok"]
    assert server.post("/api/armies/random", {**wish, "bloc": "Nobody"}).status_code == 422


def test_a_list_is_told_and_printed(server: Server, army: dict[str, Any]) -> None:
    text = server.post("/api/armies/text", {"army": army, "style": "chat"}).json()["text"]
    assert army["name"] in text
    pytest.importorskip("fpdf")
    pdf = server.post("/api/armies/print", army)
    assert (
        pdf.status_code == 200 and pdf.content.startswith(b"%PDF") and pdf.headers["content-type"] == "application/pdf"
    )


def test_a_list_in_text_is_imported_by_upload(server: Server, army: dict[str, Any]) -> None:
    text = server.post("/api/armies/text", {"army": army, "style": "battlescribe"}).json()["text"]
    answer = server.http.post("/api/armies/import", files=[("files", ("../../list.txt", text.encode()))])
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert found["armies"] and len(found["armies"][0]["units"]) + len(found["unmatched"]) >= len(army["units"]) / 2


@pytest.mark.parametrize(
    "content",
    [b"", b"\x00\x01\x02", b"<a>", b"PK\x03\x04broken", b'{"a": [', b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>"],
)
def test_a_file_that_is_no_roster_is_refused_with_a_sentence(server: Server, content: bytes) -> None:
    answer = server.http.post("/api/armies/import", files=[("files", ("list.ros", content))])
    assert answer.status_code == 422 and answer.json()["reason"].endswith((".", "?"))


def test_odds_between_two_cards_are_exact_and_explained(server: Server) -> None:
    plain = server.post("/api/odds", {"attacker": RANGERS, "target": RANGERS}).json()
    covered = server.post("/api/odds", {"attacker": RANGERS, "target": RANGERS, "situation": {"cover": True}}).json()
    assert abs(sum(plain["losses"].values()) - 1.0) < 1e-9 and plain["rules"]
    assert covered["expected"]["losses"] < plain["expected"]["losses"]


@pytest.mark.parametrize(
    "wish",
    [
        {"attacker": "nobody", "target": RANGERS},
        {"attacker": RANGERS, "target": RANGERS, "situation": {"range": 9999}},
        {"attacker": RANGERS, "target": RANGERS, "situation": {"moon": "full"}},
        {"attacker": RANGERS, "target": RANGERS, "ruleset": "chess"},
    ],
)
def test_odds_that_cannot_be_told_are_refused_with_a_sentence(server: Server, wish: dict[str, Any]) -> None:
    answer = server.post("/api/odds", wish)
    assert answer.status_code == 422 and answer.json()["reason"].endswith((".", "?"))
