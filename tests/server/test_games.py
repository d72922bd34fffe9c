"""Games over HTTP: beginning, looking, choosing, taking back, ending."""

from __future__ import annotations

import random
from typing import Any

import pytest

from dieselfront import rulesets
from dieselfront.kernel.record import checks, verify
from server.kit import Server, Table, some_answer


def test_a_new_game_brings_a_token_for_each_person_and_one_for_spectators(server: Server) -> None:
    created = server.begin().created
    tokens = [seat["token"] for seat in created["seats"]] + [created["spectator"]["token"]]
    assert len(set(tokens)) == 3 and all(len(token) >= 32 for token in tokens)
    assert created["seats"][0]["link"] == f"/battle/{created['id']}#{tokens[0]}"


def test_a_computer_has_no_token(server: Server) -> None:
    created = server.begin(seats=[{"kind": "human"}, {"kind": "computer", "level": "random"}]).created
    assert created["seats"][1]["token"] is None


def test_an_empty_wish_is_a_person_against_a_computer(server: Server) -> None:
    table = Table(server, server.post("/api/games", {}).json())
    shown = table.look(table.tokens[0])
    assert [seat["kind"] for seat in shown["seats"]] == ["human", "computer"] and shown["you"] == 0


def test_a_choice_moves_the_game_on_and_is_told_with_its_rule(server: Server) -> None:
    table = server.begin()
    shown = table.play(4)
    assert (shown["version"], shown["choices"]) == (4, 4)
    assert shown["log"] and all(line["rule"] and line["text"] for line in shown["log"])
    assert {line["choice"] for line in shown["log"]} <= set(range(5))


def test_only_the_player_who_decides_sees_the_options(server: Server) -> None:
    table = server.begin()
    deciding = table.look()["decision"]["player"]
    mine, theirs = table.look(table.tokens[deciding]), table.look(table.tokens[1 - deciding])
    assert mine["decision"]["mine"] and mine["decision"]["options"]
    assert not theirs["decision"]["mine"] and "options" not in theirs["decision"]
    assert "options" not in table.look(table.spectator)["decision"]


def test_the_dice_seed_stays_secret_until_the_game_is_over(server: Server) -> None:
    table = server.begin()
    table.play(10)
    assert table.look()["seed"] is None
    assert server.get(f"{table.path}/record", table.both).json()["seed"] is None
    table.do("concede")
    assert table.look()["seed"] and server.get(f"{table.path}/record", table.both).json()["seed"]


def test_a_choice_for_the_other_seat_is_refused(server: Server) -> None:
    table = server.begin()
    shown = table.look()
    other = table.tokens[1 - shown["decision"]["player"]]
    answer = shown["decision"]["options"][0]["answer"]
    refused = table.choose(answer, shown["version"], other)
    assert refused.status_code == 403 and table.look()["version"] == shown["version"]


def test_a_spectator_cannot_choose_or_end_the_game(server: Server) -> None:
    table = server.begin()
    answer = table.look()["decision"]["options"][0]["answer"]
    assert table.choose(answer, 0, table.spectator).status_code == 403
    for what in ("undo", "concede", "draw", "takeback"):
        assert table.do(what, token=table.spectator).status_code == 403
    assert table.look()["version"] == 0


@pytest.mark.parametrize("token", [None, "", "wrong", "x" * 64, "a,b,c,d,e"])
def test_without_a_token_nothing_is_shown(server: Server, token: str | None) -> None:
    table = server.begin()
    assert server.get(table.path, token).status_code == 403
    assert server.get(f"{table.path}/record", token).status_code == 403


def test_the_token_of_another_game_opens_nothing(server: Server) -> None:
    one, other = server.begin(), server.begin()
    assert server.get(one.path, other.both).status_code == 403


def test_a_stale_choice_is_refused_with_the_game_as_it_stands(server: Server) -> None:
    table = server.begin()
    first = table.look()
    answer = first["decision"]["options"][0]["answer"]
    assert table.choose(answer, 0).status_code == 200
    stale = table.choose(answer, 0)
    assert stale.status_code == 409
    assert stale.json()["snapshot"]["version"] == 1 == table.look()["version"]


def test_a_version_is_never_used_twice_even_after_an_undo(server: Server) -> None:
    table = server.begin()
    before = table.play(2)
    assert table.do("undo").status_code == 200
    again = table.look()
    assert again["version"] == before["version"] + 1 and again["choices"] == before["choices"] - 1
    answer = some_answer(again["decision"], random.Random(3))
    assert table.choose(answer, before["version"]).status_code == 409


FORGERIES: list[Any] = [
    "no such unit",
    None,
    17,
    -1,
    10**40,
    1.5,
    True,
    [],
    {},
    {"a": [1]},
    [["x"], {"y": 1}],
    [[[[[[]]]]]],
    "x" * 5000,
]


@pytest.mark.parametrize("answer", FORGERIES, ids=lambda answer: repr(answer)[:30])
def test_a_forged_choice_is_refused_with_a_reason_and_changes_nothing(server: Server, answer: Any) -> None:
    table = server.begin()
    before = table.look()
    refused = table.choose(answer, 0)
    assert refused.status_code == 422 and refused.json()["reason"].endswith(".")
    assert table.look() == before


def test_every_shape_of_decision_refuses_forged_answers(server: Server) -> None:
    table = server.begin()
    chance = random.Random(5)
    seen: set[str] = set()
    shown = table.look()
    for _ in range(150):
        if shown["over"]:
            break
        shape = shown["decision"]["shape"]
        if shape not in seen:
            seen.add(shape)
            for answer in FORGERIES:
                if not (shape == "yes-no" and answer is True) and not (shape == "number" and answer == 17):
                    reply = table.choose(answer, shown["version"])
                    assert reply.status_code in (200, 422), (shape, answer, reply.text)
                    if reply.status_code == 200:
                        shown = table.look()
        table.choose(some_answer(shown["decision"], chance), shown["version"])
        shown = table.look()
    assert {"pick-one", "place"} <= seen


def test_a_whole_game_ends_with_a_record_that_verifies(server: Server) -> None:
    table = server.begin()
    shown = table.play(2000)
    assert shown["over"] and shown["result"]["kind"] == "played" and shown["decision"] is None
    record = server.get(f"{table.path}/record", table.spectator)
    found = verify(rulesets.load, record.content)
    assert found["ok"] and found["over"] and found["winner"] == shown["result"]["winner"]
    assert table.choose(0, shown["version"]).status_code == 409


def test_check_values_are_those_of_the_record(server: Server) -> None:
    table = server.begin()
    table.play(30)
    live = server.games._games[table.id]
    assert live.check_value == checks(live.game)[-1]
    assert table.do("takeback").status_code == 200
    assert live.check_value == checks(live.game)[-1]


# -- taking back ------------------------------------------------------------------------------------


def test_undo_takes_the_last_choice_back(server: Server) -> None:
    table = server.begin()
    first = table.look()
    table.choose(first["decision"]["options"][0]["answer"], 0)
    assert table.look()["can_undo"]
    assert table.do("undo").status_code == 200
    again = table.look()
    same = ("decision", "view", "log", "turn", "choices")
    assert [again[name] for name in same if name != "decision"] == [first[name] for name in same if name != "decision"]
    assert again["decision"]["options"] == first["decision"]["options"]


def test_undo_is_refused_once_dice_have_fallen(server: Server) -> None:
    table = server.begin()
    shown = table.play(400, until=lambda seen: seen["log"] and seen["log"][-1]["kind"] == "Rolled")
    rolled = [line for line in shown["log"] if line["kind"] == "Rolled"]
    assert rolled and rolled[-1]["choice"] == shown["choices"]
    assert not shown["can_undo"] and table.do("undo").status_code == 422


def test_undo_is_refused_once_the_other_person_has_chosen(server: Server) -> None:
    table = server.begin()
    chance = random.Random(1)
    makers = []
    while len(set(makers)) < 2:
        shown = table.look()
        makers.append(shown["decision"]["player"])
        table.choose(some_answer(shown["decision"], chance), shown["version"])
    early = table.tokens[makers[0]]
    assert not table.look(early)["can_undo"]
    assert table.do("undo", token=early).status_code == 422
    assert table.do("undo", token=table.tokens[makers[-1]]).status_code == 200


def test_a_takeback_past_dice_needs_the_other_sides_consent(server: Server) -> None:
    table = server.begin()
    shown = table.play(400, until=lambda seen: seen["log"] and seen["log"][-1]["kind"] == "Rolled")
    assert table.do("takeback", {"action": "offer"}, table.tokens[0]).status_code == 200
    assert table.look()["offers"]["takeback"] == 0 and table.look()["choices"] == shown["choices"]
    assert table.do("takeback", {"action": "accept"}, table.tokens[0]).status_code == 422
    assert table.do("takeback", {"action": "accept"}, table.tokens[1]).status_code == 200
    after = table.look()
    assert after["choices"] < shown["choices"] and after["offers"]["takeback"] is None


def test_after_a_takeback_the_same_choice_brings_the_same_dice(server: Server) -> None:
    table = server.begin()
    shown = table.play(400, until=lambda seen: seen["log"] and seen["log"][-1]["kind"] == "Rolled")
    answer = server.get(f"{table.path}/record", table.both).json()["choices"][-1]
    assert table.do("takeback").status_code == 200
    assert table.look()["choices"] == shown["choices"] - 1
    assert table.choose(answer).status_code == 200
    assert table.look()["log"] == shown["log"]


def test_an_offer_is_declined_withdrawn_or_gone_with_the_next_choice(server: Server) -> None:
    table = server.begin()
    table.play(4)
    for closing, by in (("decline", 1), ("withdraw", 0)):
        table.do("draw", {"action": "offer"}, table.tokens[0])
        assert table.look()["offers"]["draw"] == 0
        assert table.do("draw", {"action": closing}, table.tokens[by]).status_code == 200
        assert table.look()["offers"]["draw"] is None
    table.do("draw", {"action": "offer"}, table.tokens[0])
    table.play(1)
    assert table.look()["offers"]["draw"] is None
    assert table.do("draw", {"action": "accept"}, table.tokens[1]).status_code == 422


def test_a_draw_is_agreed(server: Server) -> None:
    table = server.begin()
    table.do("draw", {"action": "offer"}, table.tokens[1])
    table.do("draw", {"action": "accept"}, table.tokens[0])
    shown = table.look()
    assert shown["over"] and shown["result"] == {
        "winner": None,
        "reason": "Both sides agree to a draw.",
        "kind": "draw",
    }


def test_who_concedes_loses_and_the_record_still_verifies(server: Server) -> None:
    table = server.begin()
    table.play(12)
    assert table.do("concede", token=table.tokens[1]).status_code == 200
    shown = table.look()
    assert shown["over"] and shown["result"]["winner"] == 0 and shown["decision"] is None
    assert verify(rulesets.load, server.get(f"{table.path}/record", table.both).content)["ok"]
    for what in ("undo", "concede", "draw", "takeback"):
        assert table.do(what).status_code == 409


# -- chat -------------------------------------------------------------------------------------------


def test_what_is_said_is_kept_with_its_speaker(server: Server) -> None:
    table = server.begin()
    table.do("chat", {"text": "  Good luck\u0000\u202e to\nyou  "}, table.tokens[1])
    table.do("chat", {"text": "Hear, hear"}, table.spectator)
    said = table.look()["chat"]
    assert [(line["n"], line["seat"], line["name"], line["text"]) for line in said] == [
        (1, 1, "Bob", "Good luck toyou"),
        (2, None, "Spectator", "Hear, hear"),
    ]


@pytest.mark.parametrize("text", ["", "   ", "\u0000", "x" * 501])
def test_empty_or_long_chat_is_refused(server: Server, text: str) -> None:
    table = server.begin()
    assert table.do("chat", {"text": text}).status_code in (400, 422)
    assert table.look()["chat"] == []


# -- wishes that cannot be granted ------------------------------------------------------------------

BAD_WISHES: list[dict[str, Any]] = [
    {"ruleset": "chess"},
    {"scenario": "nowhere"},
    {"scenario": "/etc/passwd"},
    {"scenario": "../../../etc/passwd.yaml"},
    {"scenario": {"id": "x"}},
    {"scenario": {"name": "x", "board": {"size": [9999, 9999]}, "turns": 1}},
    {"armies": ["nobody"]},
    {"armies": ["/etc/passwd", "/etc/passwd"]},
    {"armies": [{"ruleset": "dust1947", "name": "Few", "points": 10, "units": []}]},
    {"armies": [{"ruleset": "konflikt47", "name": "Other", "points": 10, "units": []}]},
    {"armies": ["random:-1"]},
    {"options": {"gravity": "off"}},
    {"seats": [{"kind": "human"}]},
    {"seats": [{"kind": "computer", "level": "godlike"}, {"kind": "human"}]},
]


@pytest.mark.parametrize("wish", BAD_WISHES, ids=lambda wish: str(wish)[:40])
def test_a_battle_that_cannot_be_fought_is_refused_with_a_sentence(server: Server, wish: dict[str, Any]) -> None:
    refused = server.post("/api/games", wish)
    assert refused.status_code == 422, refused.text
    assert (
        refused.json()["reason"].endswith((".", "?"))
        and "/etc" not in refused.json()["reason"].replace(str(wish), "")[60:]
    )


@pytest.mark.parametrize("wish", [{"pace": "fast"}, {"colour": "red"}, {"seats": 5}, {"webhook": "ftp://x"}, [], "x"])
def test_a_wish_of_the_wrong_shape_is_not_understood(server: Server, wish: Any) -> None:
    refused = server.post("/api/games", wish)
    assert refused.status_code == 400 and refused.json()["reason"]


def test_armies_scenarios_and_options_of_ones_own_are_played(server: Server) -> None:
    army = server.get("/api/armies/starters", ruleset="dust1947").json()[2]["army"]
    scenario = server.get("/api/scenarios", ruleset="dust1947").json()[0]
    scenario["name"] = "My own field"
    table = server.begin(scenario=scenario, armies=[army, "random:3"], options={"low_wall_wheeled": "never"})
    shown = table.look()
    assert shown["scenario"]["name"] == "My own field" and shown["options"] == {"low_wall_wheeled": "never"}
    for ruleset in rulesets.names():
        assert server.begin(ruleset=ruleset, scenario="random:77").look()["scenario"]["id"] == "random:77"
