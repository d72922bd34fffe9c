"""What an operator does: look at health and metrics, read logs, back up, restore, tidy, check, stop."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import os
import random
import re
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from dieselfront import rulesets
from dieselfront.kernel.record import load, verify
from dieselfront.server import backup as backups
from dieselfront.server.logs import JsonLines, TextLines, redacted
from dieselfront.server.retention import tidy
from dieselfront.server.self_check import check
from dieselfront.server.settings import Settings
from dieselfront.server.storage import Storage, StorageError
from dieselfront.server.tokens import new_seed, new_token
from dieselfront.server.trial_tools import Script, call, game_server, script
from server.databases import cluster, postgres
from server.kit import Server, Table, serving, some_answer


def command(*words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-c", "from dieselfront.cli import main; main()", *words]
    return subprocess.run(line, capture_output=True, text=True, timeout=60)


# -- metrics and logs -------------------------------------------------------------------------------


def numbers(server: Server) -> dict[str, float]:
    page = server.http.get("/metrics")
    assert page.status_code == 200 and page.headers["content-type"].startswith("text/plain")
    families = text_string_to_metric_families(page.text)
    return {sample.name: sample.value for family in families for sample in family.samples if not sample.labels}


def test_metrics_count_what_happens(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        before = numbers(server)
        table = server.begin()
        table.play(5)
        visitor = table.socket(table.spectator)
        visitor.wait_for("snapshot")
        server.post("/api/odds", {"attacker": "allies-ranger-recon-squad", "target": "ssu-mao"})
        after = numbers(server)
        visitor.close()
        assert after["dieselfront_journal_entries_total"] - before["dieselfront_journal_entries_total"] == 5
        assert after["dieselfront_games_in_memory"] == 1 and after["dieselfront_sockets"] == 1
        assert after["dieselfront_long_work_done_total"] == 1 and after["dieselfront_games_visited"] == 1
        assert after["process_resident_memory_bytes"] > 1e7
        assert after["dieselfront_event_loop_stall_seconds_count"] > 0
        page = server.http.get("/metrics").text
        assert 'dieselfront_http_answers_total{status="201"} 1.0' in page
        assert not any(secret in page for secret in (*table.tokens, table.id))


def test_metrics_are_for_this_machine_unless_the_owner_says_otherwise(tmp_path: Path) -> None:
    through_a_proxy = {"X-Forwarded-For": "203.0.113.7"}
    with serving(tmp_path / "local") as server:
        assert server.http.get("/metrics", headers=through_a_proxy).status_code == 404
    with serving(tmp_path / "all", metrics="all") as server:
        assert server.http.get("/metrics", headers=through_a_proxy).status_code == 200
    with serving(tmp_path / "off", metrics="off") as server:
        assert server.http.get("/metrics").status_code == 404


def test_logs_tell_no_secrets() -> None:
    token, seed = new_token(), new_seed()
    said = f"seat {token} at /battle/abc#{token},{token} with {seed} on postgresql://ann:pass%20word@host/games"
    for formatter in (TextLines(), JsonLines()):
        try:
            raise ValueError(f"X-Seat: {token}")
        except ValueError:
            record = logging.getLogger("x").makeRecord("x", logging.ERROR, "f", 1, said, (), sys.exc_info())
        line = formatter.format(record)
        assert not any(secret in line for secret in (token, seed, "pass%20word"))
        assert "host/games" in line
    told = json.loads(JsonLines().format(record))
    assert told["level"] == "error" and told["logger"] == "x" and "ValueError" in told["error"]
    assert redacted("game 23456789abcd at version 7") == "game 23456789abcd at version 7"


# -- backups ----------------------------------------------------------------------------------------


def finished(server: Server) -> Table:
    table = server.begin()
    table.play(12)
    server.post(f"{table.path}/chat", {"text": "Grüße, und viel Glück!"}, table.both)
    table.do("concede")
    return table


def test_a_backup_made_beside_the_server_brings_everything_back(tmp_path: Path) -> None:
    saved = tmp_path / "saved.gz"
    with serving(tmp_path / "one") as server:
        over, running = finished(server), server.begin()
        before = running.play(9)
        record = server.post("/api/records", server.get(f"{over.path}/record", over.both).json()).json()["id"]
        done = command("server", "backup", str(saved), "--database", server.settings.database, "--json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["rows"]["games"] == 2
        ended = over.look()
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    (tmp_path / "two").mkdir()
    done = command("server", "restore", str(saved), "--database", str(tmp_path / "two" / "games.sqlite3"))
    assert done.returncode == 0, done.stderr
    with serving(tmp_path / "two") as server:
        for table in (over, running):
            table.server = server
        assert running.look() == before and over.look() == ended
        assert running.play(1)["version"] == before["version"] + 1
        assert server.get(f"/api/records/{record}").status_code == 200


def test_a_backup_moves_between_databases(tmp_path: Path) -> None:
    saved, back = tmp_path / "saved.gz", tmp_path / "back.gz"
    with serving(tmp_path) as server:
        table = finished(server)
        shown = table.look()
    with postgres() as url:
        first = backups.backup(Settings(database=server.settings.database).database_url, saved)
        assert backups.restore(Settings(database=url).database_url, saved) == first
        with serving(tmp_path / "pg", database=url) as server:
            table.server = server
            assert table.look() == shown
        assert backups.backup(Settings(database=url).database_url, back) == first
    assert rows_of(saved) == rows_of(back)


def rows_of(path: Path) -> list[Any]:
    rows = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    return [row for row in rows if isinstance(row, list)]


@pytest.mark.parametrize("harm", ["cut", "flip", "other", "newer", "missing"])
def test_a_backup_that_is_not_whole_changes_nothing(tmp_path: Path, harm: str) -> None:
    saved, target = tmp_path / "saved.gz", tmp_path / "new.sqlite3"
    with serving(tmp_path) as server:
        finished(server)
        url = Settings(database=server.settings.database).database_url
    backups.backup(url, saved)
    data = saved.read_bytes()
    lines = gzip.decompress(data).splitlines(keepends=True)
    if harm == "cut":
        saved.write_bytes(data[: len(data) // 2])
    elif harm == "flip":
        saved.write_bytes(gzip.compress(b"".join(lines).replace(b'"choice"', b'"chojce"', 1)))
    elif harm == "newer":
        saved.write_bytes(gzip.compress(re.sub(rb'"00\d\d"', b'"9999"', b"".join(lines), count=1)))
    elif harm == "other":
        saved.write_bytes(b"something else")
    else:
        saved.unlink()
    done = command("server", "restore", str(saved), "--database", str(target))
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and not target.exists()


def test_a_backup_goes_into_an_empty_database_only(tmp_path: Path) -> None:
    saved = tmp_path / "saved.gz"
    with serving(tmp_path) as server:
        finished(server)
    url = Settings(database=server.settings.database).database_url
    backups.backup(url, saved)
    with pytest.raises(backups.BackupError, match="already"):
        backups.restore(url, saved)


def test_a_backup_is_one_moment_of_a_database_that_goes_on(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        table = server.begin()
        stop = threading.Event()
        playing = threading.Thread(target=lambda: [table.play(1) for _ in iter(stop.is_set, True)])
        playing.start()
        url = Settings(database=server.settings.database).database_url
        for number in range(5):
            path = tmp_path / f"{number}.gz"
            rows = backups.backup(url, path)
            versions = [values[1] for name, values in rows_of(path) if name == "journal"]
            assert versions == list(range(1, rows["journal"] + 1))
        stop.set()
        playing.join()


def test_a_database_that_goes_away_and_comes_back_loses_nothing(tmp_path: Path) -> None:
    with cluster() as database, serving(tmp_path, database=database.url) as server:
        table, other = server.begin(), server.begin()
        before = table.play(8)
        answer = some_answer(before["decision"], random.Random(3))
        server.games._games.pop(other.id, None)
        database.stop()
        assert table.choose(answer, before["version"]).status_code == 503
        assert server.get(other.path, other.both).status_code == 503 and server.get("/health").status_code == 503
        assert server.http.get("/").status_code == 200
        database.start()
        deadline = time.monotonic() + 30
        while server.get("/health").status_code != 200 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert table.look() == before and other.look()["version"] == 0
        assert table.choose(answer, before["version"]).status_code == 200
        assert numbers(server)["dieselfront_storage_failures_total"] >= 3


# -- retention --------------------------------------------------------------------------------------


def make_old(database: str, days: float) -> None:
    with sqlite3.connect(database) as connection:
        for table, column in (("games", "created"), ("journal", "at"), ("chat", "at"), ("records", "created")):
            connection.execute(f'UPDATE {table} SET "{column}" = "{column}" - ?', (days * 86_400,))
    connection.close()


def test_abandoned_games_are_exported_and_dropped(tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    with serving(tmp_path) as server:
        old, running = finished(server), server.begin()
        running.play(7)
        server.post("/api/records", server.get(f"{old.path}/record", old.both).json())
        database = server.settings.database
    make_old(database, 40)
    with serving(tmp_path) as server:
        fresh = server.begin()
        fresh.play(3)
    done = command("server", "tidy", "--days", "30", "--export-folder", str(folder), "-d", database, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"games": 2, "records": 1}
    told = json.loads((folder / f"game-{old.id}.json").read_text())
    assert told["chat"][0]["text"].startswith("Grüße") and len(told["journal"]) == 13
    assert not any(token in (folder / f"game-{old.id}.json").read_text() for token in old.tokens)
    record = json.dumps(told["record"]).encode()
    assert len(load(record).choices) == 12
    with serving(tmp_path) as server:
        fresh.server = old.server = server
        assert fresh.look()["version"] == 3
        assert server.get(old.path, old.both).status_code == 404
        assert server.games.storage.engine is not None


def test_a_server_tidies_by_itself_but_spares_games_somebody_is_at(tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    with serving(tmp_path) as server:
        watched, alone = server.begin(), server.begin()
        visitor = watched.socket(watched.spectator)
        visitor.wait_for("snapshot")
        make_old(server.settings.database, 40)
        work = tidy(server.games.storage, 30.0, folder, server.games.let_go)
        loop = next(iter(server.games._tasks.values()), None)
        assert loop is None
        dropped = asyncio.run(work)
        visitor.close()
        assert dropped == (1, 0) and [path.name for path in folder.iterdir()] == [f"game-{alone.id}.json"]
        assert watched.look()["version"] == 0


# -- checking ---------------------------------------------------------------------------------------


def faults(**settings: Any) -> dict[str, str]:
    return {finding.about: finding.level for finding in check(Settings(**{"port": 0, **settings}))}


def test_a_check_tells_what_is_misconfigured(tmp_path: Path) -> None:
    good = str(tmp_path / "games.sqlite3")
    assert "database" not in faults(database=good) and not (tmp_path / "games.sqlite3").exists()
    assert faults(database="mysql://x/y")["database"] == "error"
    (tmp_path / "file").touch()
    assert faults(database=str(tmp_path / "file" / "x.sqlite3"))["database"] == "error"
    assert faults(database=good, host="0.0.0.0")["allow-host"] == "warning"
    assert faults(database=good, public_url="games")["public-url"] == "error"
    assert faults(database=good, public_url="https://a.b", allowed_hosts=("c.d",))["allow-host"] == "error"
    assert faults(database=good, retain_days=3.0)["export-folder"] == "error"
    assert faults(database=good, host="0.0.0.0", private_webhooks=True)["private-webhooks"] == "warning"


def test_a_check_sees_a_running_server(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert faults(database=server.settings.database)["database"] == "error"
        port = int(server.url.rsplit(":", 1)[1].rstrip("/"))
        assert faults(database=str(tmp_path / "other.sqlite3"), port=port)["port"] == "error"


def test_the_command_checks_and_starts_nothing(tmp_path: Path) -> None:
    fine = command("serve", "--check", "--json", "--port", "0", "--database", str(tmp_path / "g.sqlite3"))
    assert fine.returncode == 0 and json.loads(fine.stdout)["ok"]
    bad = command("serve", "--check", "--port", "0", "--database", "mysql://x/y")
    assert bad.returncode == 2 and "cannot start" in bad.stdout
    assert command("serve", "--json").returncode == 2


def test_a_second_process_on_the_same_file_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        with pytest.raises(StorageError, match="Another server"):
            Storage(Settings(database=server.settings.database).database_url).check()
        done = command("serve", "--port", "0", "--database", server.settings.database)
        assert done.returncode == 2 and "Another server" in done.stderr and done.stderr.count("\n") == 1


# -- stopping ---------------------------------------------------------------------------------------


def test_a_server_that_is_stopped_finishes_its_acknowledgements(tmp_path: Path) -> None:
    """Whatever is kept was acknowledged, whatever was acknowledged is kept: stopped in the middle, three times."""
    plan = script("stopping", level="random")
    for attempt in range(3):
        database = tmp_path / f"{attempt}.sqlite3"
        acknowledged: dict[str, int] = {}
        with game_server(database) as server:
            made = Script(server.url, plan)
            games = [made.begin() for _ in range(6)]
            players = [
                threading.Thread(target=play_on, args=(server.url, game, made.answers, acknowledged)) for game in games
            ]
            for player in players:
                player.start()
            time.sleep(0.4 + 0.15 * attempt)
            assert server.process is not None
            os.kill(server.process.pid, signal.SIGTERM)
            server.process.wait(20)
            for player in players:
                player.join(20)
        with game_server(database) as server:
            for game in games:
                _, shown = call(server.url, "GET", f"/api/games/{game['id']}", token=game["table"]["token"])
                assert shown["version"] == acknowledged[game["id"]]
        assert sum(acknowledged.values()) > 6


def play_on(url: str, game: dict[str, Any], answers: list[Any], acknowledged: dict[str, int]) -> None:
    acknowledged[game["id"]] = 0
    address = f"{url.replace('http', 'ws', 1)}/api/games/{game['id']}/live"
    with connect(address, max_size=None, compression=None) as one:
        try:
            one.send(json.dumps({"type": "hello", "token": game["table"]["token"]}))
            for version, answer in enumerate(answers):
                one.send(json.dumps({"type": "choose", "decision": version, "answer": answer, "id": version}))
                while True:
                    message = json.loads(one.recv(20))
                    if message["type"] == "ack":
                        acknowledged[game["id"]] = message["version"]
                        break
                    if message["type"] == "refused":
                        assert message["status"] == 503
                        return
        except ConnectionClosed:
            return


def test_exports_can_be_verified(tmp_path: Path) -> None:
    """The record of an export is a record: dice and rules are proven from it."""
    from dieselfront.kernel.record import dump
    from dieselfront.server.exports import record_of

    with serving(tmp_path) as server:
        table = server.begin()
        table.play(15)
        table.do("undo")
        found = asyncio.run(server.games.storage.game(table.id))
        assert found is not None
    record = record_of(found[0], found[1], publish_seed=True)
    assert verify(rulesets.load, dump(record))["choices"] == len(record.choices)
