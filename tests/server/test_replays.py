"""After the battle: replays, branches, luck, records brought along; and previews before a choice."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from dieselfront import referee, rulesets
from dieselfront.kernel.record import load, replay, verify
from server.kit import Server, Table, some_answer


@pytest.fixture(scope="module")
def played(server: Server) -> Table:
    table = server.begin()
    assert table.play(3000, seed=8)["over"]
    return table


def test_any_moment_of_a_game_can_be_looked_at(server: Server, played: Table) -> None:
    kept = load(server.get(f"{played.path}/record", played.spectator).content)
    rules = rulesets.load(kept.header.ruleset)
    for at in (0, 1, 7, 8, 9, len(kept.choices) // 2, len(kept.choices)):
        frame = server.get(f"{played.path}/replay", played.spectator, at=at).json()
        game = replay(rules, kept, at)
        assert frame["view"] == json.loads(json.dumps(rules.view(game.state)))
        assert (frame["at"], frame["lines"], frame["over"]) == (at, len(game.events), game.over)
    assert server.get(f"{played.path}/replay", played.spectator, at=at + 1).status_code == 422
    assert server.get(f"{played.path}/replay", played.spectator, at=-1).status_code == 400


def test_the_lines_of_all_moments_are_the_log(server: Server, played: Table) -> None:
    shown = played.look()
    lines: list[Any] = []
    for at in range(12):
        lines += server.get(f"{played.path}/replay", played.spectator, at=at).json()["log"]
    assert lines == [line for line in shown["log"] if line["choice"] < 12]


def test_a_running_game_is_replayed_too_without_its_seed(server: Server) -> None:
    table = server.begin()
    table.play(15)
    frame = server.get(f"{table.path}/replay", table.spectator, at=10)
    assert frame.status_code == 200 and "seed" not in frame.json()


def test_luck_counts_every_die_beside_what_was_to_be_expected(server: Server, played: Table) -> None:
    luck = server.get(f"{played.path}/luck", played.spectator).json()
    rolled = [line["data"] for line in played.look()["log"] if line["kind"] == "Rolled"]
    dice = sum(len(faces) for roll in rolled for _, faces in roll["stages"])
    assert sum(side["dice"] for side in luck["sides"]) == dice > 0
    assert len(luck["rolls"]) == len(rolled)
    assert luck["sentences"] and all(0 < side["as_good"] <= 1 for side in luck["sides"])


def test_who_thinks_that_a_ruling_is_wrong_gets_a_case_that_the_referee_plays(server: Server, tmp_path: Path) -> None:
    table = server.begin(scenario="crossroads")
    table.play(40)
    file = server.get(f"{table.path}/case", table.both, why="The shot was out of range.").json()
    assert file["name"] == f"case-{table.id}.yaml" and "The shot was out of range." in file["text"]
    (tmp_path / file["name"]).write_text(file["text"])
    report = referee.check(tmp_path)
    assert report.cases == report.held == 1
    assert server.get(f"{table.path}/case", table.spectator).status_code == 403


def test_a_finished_game_is_branched_and_goes_its_own_way(server: Server, played: Table) -> None:
    original = played.look()
    at = original["choices"] // 3
    created = played.do("branch", {"at": at, "seats": [{"kind": "human"}, {"kind": "human"}]})
    assert created.status_code == 201
    branch = Table(server, created.json())
    shown = branch.look()
    assert shown["choices"] == at and shown["origin"] == f"{played.id}@{at}" and not shown["over"]
    assert shown["log"] == [line for line in original["log"] if line["choice"] <= at]
    branch.play(3000, seed=99)
    assert verify(rulesets.load, server.get(f"{branch.path}/record", branch.both).content)["ok"]


def test_a_running_game_cannot_be_branched_to_look_at_dice_to_come(server: Server) -> None:
    table = server.begin()
    table.play(10)
    assert table.do("branch", {"at": 5}).status_code == 409


def test_a_record_brought_along_is_verified_shown_and_branched(server: Server, played: Table) -> None:
    record = server.get(f"{played.path}/record", played.spectator).content
    uploaded = server.http.post("/api/records", content=record, headers={"Content-Type": "application/json"})
    assert uploaded.status_code == 201, uploaded.text
    id = uploaded.json()["id"]
    story = server.get(f"/api/records/{id}").json()
    original = played.look()
    assert story["log"] == original["log"] and story["result"]["winner"] == original["result"]["winner"]
    assert story["seed"] == original["seed"]
    assert server.get(f"/api/records/{id}/file").content == record
    assert server.get(f"/api/records/{id}/replay", at=5).json()["at"] == 5
    assert server.get(f"/api/records/{id}/luck").json()["sides"]
    assert server.post(f"/api/records/{id}/branch", {"at": 4}).status_code == 201
    assert server.get("/api/records/zzzzzzzzzzzz").status_code == 404


def changed(record: dict[str, Any], how: str) -> dict[str, Any]:
    if how == "choice":
        record["choices"][3] = "cheat"
    elif how == "seed":
        record["seed"] = "0" * 32
    elif how == "check":
        record["checks"][5] = "0" * 12
    elif how == "version":
        record["header"]["version"] = "99"
    elif how == "ruleset":
        record["header"]["ruleset"] = "chess"
    elif how == "forces":
        record["header"]["forces"] = [{}, {}]
    elif how == "one side":
        record["header"]["forces"] = record["header"]["forces"][:1]
    elif how == "scenario":
        record["header"]["scenario"] = {"board": {"size": [5000, 5000]}}
    elif how == "odd scenario":
        record["header"]["scenario"] = {"board": None, "turns": []}
    return record


@pytest.mark.parametrize(
    "how", ["choice", "seed", "check", "version", "ruleset", "forces", "one side", "scenario", "odd scenario"]
)
def test_a_record_that_was_tampered_with_is_refused(server: Server, played: Table, how: str) -> None:
    record = changed(server.get(f"{played.path}/record", played.spectator).json(), how)
    answer = server.post("/api/records", record)
    assert answer.status_code == 422 and answer.json()["reason"].endswith((".", "?")), answer.text


# -- before a choice --------------------------------------------------------------------------------


def test_a_preview_changes_nothing_and_tells_where_one_could_go(server: Server) -> None:
    table = server.begin()
    before = table.look()
    answer = before["decision"]["options"][0]["answer"]
    told = table.do("preview", {"decision": 0, "answer": answer})
    assert told.status_code == 200, told.text
    assert told.json()["next"]["shape"] == "place" and told.json()["reach"]
    assert table.look() == before
    nonsense = table.do("preview", {"decision": 0, "answer": "nonsense"}).json()
    assert nonsense["refused"]["text"] and not nonsense["reach"]
    assert table.do("preview", {"decision": 9, "answer": answer}).json()["refused"]["text"] == "The game has moved on."
    other = table.tokens[1 - before["decision"]["player"]]
    assert table.do("preview", {"decision": 0, "answer": answer}, other).status_code == 403


def test_previews_never_show_dice_to_come(server: Server) -> None:
    table = server.begin()
    chance = random.Random(2)
    shown = table.look()
    stopped = 0
    for _ in range(250):
        if shown["over"] or stopped > 3:
            break
        answer = some_answer(shown["decision"], chance)
        told = table.do("preview", {"decision": shown["version"], "answer": answer}).json()
        before = len(shown["log"])
        table.choose(answer, shown["version"])
        shown = table.look()
        fresh = shown["log"][before:]
        assert [line["text"] for line in told["lines"]] == [line["text"] for line in fresh[: len(told["lines"])]]
        if told["dice"]:
            stopped += 1
            assert any(line["kind"] == "Rolled" for line in fresh[len(told["lines"]) :])
            assert told["dice"]["count"] > 0 and 0 <= told["dice"]["chance"] <= 1
        else:
            assert not any(line["kind"] == "Rolled" for line in fresh)
    assert stopped


def aims(decision: dict[str, Any]) -> bool:
    """Can a weapon be aimed at a unit?"""
    return any(option["about"].get("targets") for item in decision["items"] for option in item["options"])


def test_the_odds_of_every_weapon_at_every_target_are_told_before_declaring(server: Server) -> None:
    table = server.begin(scenario="crossroads")
    shown = table.play(800, seed=3, until=lambda seen: seen["decision"]["key"] == "declare" and aims(seen["decision"]))
    assert shown["decision"]["key"] == "declare", "nobody ever shot"
    token = table.tokens[shown["decision"]["player"]]
    found = server.get(f"{table.path}/odds", token).json()
    assert found["version"] == shown["version"] and found["options"] and found["targets"]
    for one in found["options"] + found["targets"]:
        assert abs(sum(one["odds"]["losses"].values()) - 1.0) < 1e-9
    whole = found["targets"][0]
    told = table.do("preview", {"decision": shown["version"], "answer": whole["answer"]}, token).json()
    assert told["odds"][whole["target"]] == whole["odds"]
    assert server.get(f"{table.path}/odds", table.tokens[1 - shown["decision"]["player"]]).json()["targets"] == []
    assert server.get(f"{table.path}/odds").status_code == 403
