"""Keeping games: the same tests on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import func, inspect, select

from dieselfront.server import tables
from dieselfront.server.migrate import downgrade, upgrade
from dieselfront.server.storage import ChatRow, Conflict, Entry, GameRow, Storage, StorageError, engine_for
from server.databases import postgres
from server.kit import LIMITS, serving


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'games.sqlite3'}"
    found: str = request.getfixturevalue("postgres_url")
    return found.replace("postgresql://", "postgresql+psycopg://")


@pytest.fixture
def storage(url: str) -> Iterator[Storage]:
    kept = Storage(url)
    kept.open()
    yield kept
    with kept.engine.begin() as connection:
        for table in reversed(tables.metadata.sorted_tables):
            connection.execute(table.delete())
    kept.close()


def a_game(id: str = "abcdefghjkmn", **changes: Any) -> GameRow:
    row = GameRow(id, 1.5, "dust1947", b"{}", "seed", "[]", "hash", "live", None, None, "{}")
    return row._replace(**changes)


def an_entry(version: int, game: str = "abcdefghjkmn", body: str = "[1]") -> Entry:
    return Entry(game, version, "choice", 0, body, "0123456789ab", 2.5)


def test_what_was_written_is_read_back_in_order(storage: Storage) -> None:
    async def trial() -> Any:
        await storage.add_game(a_game(header='{"é": 1}'.encode()), [an_entry(1)])
        await storage.append(an_entry(2, body='["ü", null, true]'))
        await storage.append(an_entry(3), an_entry(4))
        await storage.say(ChatRow("abcdefghjkmn", 1, None, "Ann", "Grüße 👋", 3.0), 10)
        await storage.set_offers("abcdefghjkmn", '{"draw":1}')
        return await storage.game("abcdefghjkmn")

    row, entries, said = asyncio.run(trial())
    assert row == a_game(header='{"é": 1}'.encode(), offers='{"draw":1}')
    assert [entry.version for entry in entries] == [1, 2, 3, 4] and entries[1].body == '["ü", null, true]'
    assert said == [ChatRow("abcdefghjkmn", 1, None, "Ann", "Grüße 👋", 3.0)]


def test_a_game_that_is_not_there_is_nothing(storage: Storage) -> None:
    assert asyncio.run(storage.game("nowhere")) is None
    assert asyncio.run(storage.record("nowhere")) is None


def test_a_version_is_written_once(storage: Storage) -> None:
    async def trial() -> None:
        await storage.add_game(a_game())
        await storage.append(an_entry(1))
        with pytest.raises(Conflict):
            await storage.append(an_entry(1, body="[2]"))
        found = await storage.game("abcdefghjkmn")
        assert found is not None and [entry.body for entry in found[1]] == ["[1]"]

    asyncio.run(trial())


def test_changes_that_arrive_together_share_a_commit(storage: Storage) -> None:
    async def trial() -> None:
        await storage.add_game(a_game())
        before = storage.commits
        await asyncio.gather(*(storage.append(an_entry(version)) for version in range(1, 201)))
        assert storage.commits - before < 100
        found = await storage.game("abcdefghjkmn")
        assert found is not None and len(found[1]) == 200

    asyncio.run(trial())


def test_one_bad_change_fails_alone(storage: Storage) -> None:
    async def trial() -> None:
        await storage.add_game(a_game())
        await storage.append(an_entry(5))
        waits = [storage.append(an_entry(version)) for version in range(1, 10)]
        results = await asyncio.gather(*waits, return_exceptions=True)
        assert [type(result) for result in results].count(Conflict) == 1 and isinstance(results[4], Conflict)
        assert sum(result is None for result in results) == 8

    asyncio.run(trial())


def test_an_entry_of_no_game_is_refused(storage: Storage) -> None:
    async def trial() -> None:
        with pytest.raises(StorageError):
            await storage.append(an_entry(1, game="zzzzzzzzzzzz"))
        await storage.add_game(a_game())
        await storage.append(an_entry(1))

    asyncio.run(trial())


def test_old_chat_goes(storage: Storage) -> None:
    async def trial() -> None:
        await storage.add_game(a_game())
        for number in range(1, 8):
            await storage.say(ChatRow("abcdefghjkmn", number, 0, "Ann", str(number), 1.0), 3)
        found = await storage.game("abcdefghjkmn")
        assert found is not None and [line.n for line in found[2]] == [5, 6, 7]

    asyncio.run(trial())


def test_what_was_acknowledged_survives_a_second_opening(url: str) -> None:
    async def trial(storage: Storage) -> None:
        await storage.add_game(a_game("survivorsaaa"))
        await storage.append(an_entry(1, "survivorsaaa"))

    first = Storage(url)
    first.open()
    asyncio.run(trial(first))
    first.close()
    second = Storage(url)
    second.open()
    found = asyncio.run(second.game("survivorsaaa"))
    second.close()
    assert found is not None and len(found[1]) == 1


def test_migrations_make_exactly_the_tables_the_code_expects(storage: Storage) -> None:
    with storage.engine.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), tables.metadata)
    assert differences == []


def test_migrations_can_be_taken_back(url: str) -> None:
    engine = engine_for(url)
    upgrade(engine)
    downgrade(engine, "base")
    assert set(inspect(engine).get_table_names()) <= {"alembic_version"}
    upgrade(engine)
    with engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(tables.games)).scalar() == 0
    engine.dispose()


def test_sqlite_writes_ahead_and_waits_for_the_disk(tmp_path: Path) -> None:
    engine = engine_for(f"sqlite:///{tmp_path / 'x.sqlite3'}")
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    engine.dispose()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("nonsense://", "expected"),
        ("mysql://a:secret@b/c", "expected SQLite or PostgreSQL"),
        ("sqlite:///:memory:", "forgets"),
        ("sqlite:////nowhere/at/all/x.sqlite3", "cannot be used"),
        ("postgresql+psycopg://a:secret@127.0.0.1:1/c", "cannot be used"),
    ],
)
def test_a_database_that_cannot_be_used_is_told_in_a_sentence_without_its_password(
    wrong: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "mkdir", lambda *_, **__: None)
    with pytest.raises(StorageError) as error:
        Storage(wrong).check()
    assert told in str(error.value) and "secret" not in str(error.value)


def test_whole_games_are_played_on_postgresql(postgres_url: str, tmp_path: Path) -> None:
    with serving(tmp_path, database=postgres_url, limits=LIMITS) as server:
        table = server.begin()
        table.play(30)
        table.do("undo")
        table.do("chat", {"text": "hello"})
        before = table.play(5, seed=3)
    with serving(tmp_path, database=postgres_url, limits=LIMITS) as server:
        table.server = server
        after = table.look()
    assert after["log"] == before["log"] and after["version"] == before["version"] and len(after["chat"]) == 1


# -- what goes wrong on the way ---------------------------------------------------------------------


def test_a_choice_the_database_refuses_is_not_made(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        table = server.begin()
        before = table.play(3)
        storage = server.games.storage
        failing = storage._append

        def fail(_: Any) -> None:
            raise sqlite3.OperationalError("database or disk is full")

        storage._append = fail
        refused = table.choose(before["decision"]["options"][0]["answer"] if "options" in before["decision"] else 0)
        assert refused.status_code in (422, 503)
        if refused.status_code == 422:
            answer = before["decision"]["spots"][0]
            refused = table.choose([answer["spot"], answer["facings"][0]], before["version"])
        assert refused.status_code == 503 and "disk" not in refused.text
        storage._append = failing
        assert table.look() == before
        assert table.play(1)["version"] == before["version"] + 1
