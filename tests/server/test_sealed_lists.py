"""Battles with secret army lists over HTTP: neither list is shown before both are kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest

from dieselfront.scenarios import battle
from server.kit import Server

OFFER = {"ruleset": "warfare", "army": "warfare-allies", "name": "Ann"}


def offered(server: Server, **changes: Any) -> tuple[str, str]:
    """The address of an offered battle, and the token of who offered it."""
    answer = server.post("/api/sealed-lists", {**OFFER, **changes})
    assert answer.status_code == 201, answer.text
    return f"/api/sealed-lists/{answer.json()['id']}", answer.json()["token"]


def own_list() -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(battle.army("warfare-axis", "warfare"))
    return {**plain, "name": "What nobody may know"}


@pytest.mark.rule("dw.setup.secret_lists")
def test_neither_sees_the_other_list_before_both_are_handed_in(server: Server) -> None:
    path, ann = offered(server, army=own_list())
    mine, anybody = server.get(path, ann).json(), server.get(path)
    assert mine["lists"][0]["name"] == "What nobody may know" and mine["lists"][1] is None
    assert "What nobody may know" not in anybody.text and "card" not in anybody.text
    assert anybody.json()["lists"] == [None, None] and anybody.json()["rule"] == "dw.setup.secret_lists"
    bob = server.post(path, {"army": "warfare-ssu", "name": "Bob"}).json()
    for token in (ann, bob["token"], None):
        seen = server.get(path, token).json()
        assert seen["revealed"] and seen["game"] == bob["game"]
        assert [one["name"] for one in seen["lists"]] == [
            "What nobody may know",
            battle.army("warfare-ssu", "warfare").name,
        ]


@pytest.mark.rule("dw.setup.secret_lists")
def test_the_tokens_of_both_open_their_seats_in_the_game(server: Server) -> None:
    path, ann = offered(server)
    bob = server.post(path, {"army": "warfare-axis", "name": "Bob"}).json()
    game = f"/api/games/{bob['game']}"
    assert [server.get(game, token).json()["yours"] for token in (ann, bob["token"])] == [[0], [1]]
    assert [seat["name"] for seat in server.get(game, ann).json()["seats"]] == ["Ann", "Bob"]


@pytest.mark.rule("dw.setup.secret_lists")
def test_a_list_cannot_be_changed_after_the_reveal(server: Server) -> None:
    path, _ = offered(server)
    assert server.post(path, {"army": "warfare-axis"}).status_code == 201
    again = server.post(path, {"army": "warfare-ssu"})
    assert again.status_code == 409 and "already" in again.json()["reason"]


def test_one_of_two_who_take_it_up_at_the_same_time_is_refused(server: Server) -> None:
    path, _ = offered(server)
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda army: server.post(path, {"army": army}), ["warfare-axis", "warfare-ssu"]))
    assert sorted(answer.status_code for answer in answers) == [201, 409]


def test_a_list_that_cannot_be_played_is_refused_and_nothing_is_revealed(server: Server) -> None:
    path, ann = offered(server, army="warfare-starter-allies")
    larger = server.post(path, {"army": "warfare-axis"})
    assert larger.status_code == 422 and "points a side" in larger.json()["reason"]
    assert server.post(path, {"army": "no-such-army"}).status_code == 422
    assert server.get(path, ann).json()["lists"][1] is None and not server.get(path).json()["revealed"]
    assert server.post("/api/sealed-lists", {**OFFER, "ruleset": "chess"}).status_code == 422
    assert server.get("/api/sealed-lists/234567892345").status_code == 404


def test_any_game_may_be_arranged_this_way(server: Server) -> None:
    path, _ = offered(server, ruleset="dust1947", army="dust1947-allies")
    assert server.get(path).json()["rule"] == ""
    assert server.post(path, {"army": "dust1947-axis"}).json()["game"]
