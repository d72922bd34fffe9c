"""Shared games: with everybody's consent, without names of people beyond their seats, for anybody to study."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from dieselfront import rulesets
from dieselfront.cli.server import app
from dieselfront.kernel.record import verify
from server.kit import Server, Table, serving


def agree(table: Table, share: bool, token: str) -> dict[str, object]:
    answer = table.do("sharing", {"share": share}, token)
    assert answer.status_code == 200, answer.text
    told: dict[str, object] = answer.json()
    return told


def listed(server: Server) -> set[str]:
    return {game["id"] for game in server.get("/api/shared-games").json()}


def test_a_finished_game_is_shared_when_both_agree_and_no_more_when_one_takes_it_back(server: Server) -> None:
    table = server.begin()
    table.play(3)
    assert table.do("sharing", {"share": True}, table.tokens[0]).status_code == 409
    table.do("concede", {"seat": 1})
    assert agree(table, True, table.tokens[0]) == {"agreed": [True, False], "shared": False}
    assert table.id not in listed(server)
    assert server.get(f"/api/shared-games/{table.id}/record").status_code == 404
    assert agree(table, True, table.tokens[1]) == {"agreed": [True, True], "shared": True}
    assert table.id in listed(server)
    record = server.get(f"/api/shared-games/{table.id}/record")
    assert verify(rulesets.load, record.content, "shared")["ok"]
    assert all(token not in record.text for token in (*table.tokens, table.spectator))
    assert agree(table, False, table.tokens[0]) == {"agreed": [False, True], "shared": False}
    assert table.id not in listed(server)


def test_spectators_share_nothing_and_computers_have_nothing_against_it(server: Server) -> None:
    alone = server.begin(seats=[{"kind": "human", "name": "Ann"}, {"kind": "computer", "level": "random"}])
    alone.do("concede", {"seat": 0}, alone.created["seats"][0]["token"])
    assert server.get(f"{alone.path}/sharing", alone.spectator).json() == {"agreed": [False, True], "shared": False}
    assert alone.do("sharing", {"share": True}, alone.spectator).status_code == 403
    assert agree(alone, True, alone.created["seats"][0]["token"])["shared"]


def test_many_shared_games_are_listed_page_by_page(server: Server) -> None:
    tables = [server.begin() for _ in range(3)]
    for table in tables:
        table.do("concede", {"seat": 0})
        agree(table, True, table.both)
    ids = sorted(listed(server))
    later = [game["id"] for game in server.get("/api/shared-games", after=ids[0]).json()]
    assert later == ids[1:]


def test_a_host_may_switch_it_off(tmp_path: Path) -> None:
    with serving(tmp_path, sharing=False) as quiet:
        table = quiet.begin()
        table.do("concede", {"seat": 0})
        assert table.do("sharing", {"share": True}).status_code == 404
        assert quiet.get("/api/shared-games").status_code == 404
        assert quiet.get("/api/features").json()["sharing"] is False


def test_shared_games_become_files_for_a_dataset(server: Server, tmp_path: Path) -> None:
    table = server.begin()
    table.play(2)
    table.do("concede", {"seat": 0})
    agree(table, True, table.both)
    kept = server.begin()
    kept.do("concede", {"seat": 0})
    done = CliRunner().invoke(
        app, ["export-shared", str(tmp_path / "out"), "--database", server.settings.database, "--json"]
    )
    assert done.exit_code == 0, done.output
    told = json.loads(done.output)
    files = {path.stem for path in (tmp_path / "out").glob("*.json")}
    assert told["games"] == len(files) and told["damaged"] == 0
    assert table.id in files and kept.id not in files
    assert verify(rulesets.load, (tmp_path / "out" / f"{table.id}.json").read_bytes(), "shared")["ok"]
