"""After the battle: results, reviews and rematches."""

from __future__ import annotations

import json
import time
from typing import Any

import msgspec
import pytest

from dieselfront.server.shapes import Review
from server.kit import Server, Table


def reviewed(server: Server, path: str, token: str | None, patience: float = 120.0) -> dict[str, Any]:
    """Ask until the review is ready."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        answer = server.get(f"{path}/review", token)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        msgspec.convert(told, Review)
        if told["ready"]:
            return told
        time.sleep(0.1)
    raise AssertionError(f"the review was not ready in time: {told['done']} of {told['of']}")


@pytest.fixture(scope="module")
def played(server: Server) -> Table:
    table = server.begin()
    assert table.play(3000, seed=8)["over"]
    return table


def test_a_finished_game_is_reviewed_once_and_stored(server: Server, played: Table) -> None:
    told = reviewed(server, played.path, played.spectator)
    shown = played.look()
    assert told["moments"][-1]["choice"] == shown["choices"] and told["moments"][-1]["player"] is None
    winner = shown["result"]["winner"]
    assert told["moments"][-1]["chance"] == (0.5 if winner is None else 1 - winner)
    assert all(0 <= moment["chance"] <= 1 for moment in told["moments"])
    assert len(told["activations"]) == told["of"] == len(told["moments"]) - 1
    for one in told["activations"]:
        assert one["gave_up"] >= 0 and one["continuations"] >= 2
        assert one["luck"] == pytest.approx(one["after"] - one["chosen"], abs=2e-4)
    games = server.games
    games.reviews._known.clear()
    done = games.long_work.done
    again = server.get(f"{played.path}/review", played.spectator).json()
    assert again == told and games.long_work.done == done


def test_the_result_tells_losses_by_unit_and_adds_up(server: Server, played: Table) -> None:
    told = reviewed(server, played.path, played.both)
    view = played.look()["view"]
    for side, result in enumerate(told["sides"]):
        fates = {unit["id"]: unit for unit in result["units"]}
        assert set(fates) == {unit["id"] for unit in view["units"] if unit["side"] == side}
        assert result["lost"] == pytest.approx(
            sum(one["points"] * (1 - one["left"]) for one in fates.values()), abs=0.2
        )
        gone = [unit["id"] for unit in view["units"] if unit["side"] == side and unit["status"] == "gone"]
        assert all(fates[id]["left"] == 0 for id in gone)
        if told["sides"][1 - side]["lost"]:
            assert 0 < result["best"]["points"] <= told["sides"][1 - side]["points"]


def test_a_running_game_is_not_reviewed(server: Server) -> None:
    table = server.begin()
    answer = server.get(f"{table.path}/review", table.both)
    assert answer.status_code == 409 and "over" in answer.json()["reason"]
    assert server.get(f"{table.path}/review").status_code == 403


def test_a_game_that_was_given_up_ends_at_its_result(server: Server) -> None:
    table = server.begin()
    table.play(40, seed=3)
    server.post(f"{table.path}/concede", {"seat": 0}, table.both)
    told = reviewed(server, table.path, table.both)
    assert told["moments"][-1]["chance"] == 0.0


def test_a_record_is_reviewed_too(server: Server) -> None:
    table = server.begin()
    table.play(60, seed=4)
    server.post(f"{table.path}/concede", {"seat": 1}, table.both)
    kept = json.loads(server.get(f"{table.path}/record", table.both).content)
    id = server.post("/api/records", kept).json()["id"]
    assert reviewed(server, f"/api/records/{id}", None)["sides"][0]["units"]


def test_dice_of_a_real_table_leave_the_curve_without_judgements(server: Server) -> None:
    table = server.begin(dice="typed")
    table.play(30, seed=5)
    server.post(f"{table.path}/concede", {"seat": 0}, table.both)
    told = reviewed(server, table.path, table.both)
    assert told["activations"] == [] and "real table" in told["note"]


# -- rematch ----------------------------------------------------------------------------------------


def test_a_rematch_changes_sides_and_everybody_keeps_his_link(server: Server) -> None:
    table = server.begin()
    ann, bob = table.tokens
    assert server.post(f"{table.path}/rematch", token=ann).status_code == 409
    server.post(f"{table.path}/concede", {"seat": 0}, ann)
    assert server.post(f"{table.path}/rematch", token=table.spectator).status_code == 403
    first = server.post(f"{table.path}/rematch", token=ann).json()["id"]
    assert server.post(f"{table.path}/rematch", token=bob).json()["id"] == first
    assert table.look(bob)["offers"]["rematch"] == first
    old, new = table.look(ann), server.get(f"/api/games/{first}", ann).json()
    assert (old["yours"], new["yours"]) == ([0], [1])
    assert [seat["name"] for seat in new["seats"]] == ["Bob", "Ann"]
    assert [seat["side"] for seat in new["seats"]] == [seat["side"] for seat in old["seats"]]
    assert new["commitment"] != old["commitment"] and not new["over"]
    assert server.get(f"/api/games/{first}", bob).json()["yours"] == [0]
    assert server.get(f"/api/games/{first}", table.spectator).json()["yours"] == []
    assert server.get(f"/api/games/{first}", table.both).json()["yours"] == [0, 1]


def test_a_rematch_against_the_computer_gives_it_the_other_side(server: Server) -> None:
    table = server.begin(seats=[{"kind": "human", "name": "Ann"}, {"kind": "computer", "level": "random"}])
    token = table.tokens[0]
    server.post(f"{table.path}/concede", {"seat": 0}, token)
    id = server.post(f"{table.path}/rematch", token=token).json()["id"]
    new = server.get(f"/api/games/{id}", token).json()
    assert [seat["kind"] for seat in new["seats"]] == ["computer", "human"] and new["yours"] == [1]


def test_a_rematch_survives_a_restart(server: Server) -> None:
    table = server.begin()
    server.post(f"{table.path}/concede", {"seat": 1}, table.both)
    id = server.post(f"{table.path}/rematch", token=table.both).json()["id"]
    games = server.games
    games.let_go(table.id)
    assert server.post(f"{table.path}/rematch", token=table.both).json()["id"] == id
