"""Several server processes on one PostgreSQL database: one has a game, the others pass their visitors on."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import delete, select, update
from websockets.exceptions import ConnectionClosed

from dieselfront.server import game_owners, tables
from dieselfront.server.forwarding import game_in
from dieselfront.server.storage import Entry, Fenced, Storage
from server.databases import cluster, postgres
from server.kit import LIMITS, Server, Table, serving, some_answer


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture
def two(database: str, tmp_path: Path) -> Iterator[tuple[Server, Server]]:
    with serving(tmp_path, database=database) as one, serving(tmp_path, database=database) as other:
        yield one, other


def at(server: Server, table: Table) -> Table:
    """The same game, asked of another process."""
    return Table(server, table.created)


def until(done: Callable[[], Any], seconds: float = 15.0) -> Any:
    """Wait for something that takes a moment."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = done()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("it did not happen in time")


def test_a_game_belongs_to_the_process_that_is_asked_first_and_the_others_pass_on(two: tuple[Server, Server]) -> None:
    one, other = two
    table = one.begin()
    twin = at(other, table)
    assert twin.look()["version"] == 0
    assert other.games.owners.fence(table.id) and not one.games.owners.fence(table.id)
    table.play(4)
    assert twin.look()["version"] == 4 and one.games.in_memory == 0
    assert table.do("chat", {"text": "hello"}).status_code == 200
    assert twin.look()["chat"][-1]["text"] == "hello"
    assert table.server.get(f"{table.path}/record", table.both).json()["choices"]


def test_sockets_at_either_process_see_each_other_and_every_change(two: tuple[Server, Server]) -> None:
    one, other = two
    table = one.begin()
    ann = table.socket(table.tokens[0])
    ann.wait_for("snapshot")
    bob = at(other, table).socket(table.tokens[1])
    assert bob.wait_for("snapshot")["version"] == 0
    ann.wait_for("presence", connected=[True, True])
    at(other, table).play(2)
    for visitor in (ann, bob):
        seen = -1
        while seen < 2:
            seen = visitor.wait_for("update")["version"]
    bob.send({"type": "chat", "text": "good luck"})
    assert ann.wait_for("chat")["line"]["text"] == "good luck"
    bob.close()
    ann.wait_for("presence", connected=[True, False])
    ann.close()


def test_a_refusal_reaches_the_visitor_through_the_other_process(two: tuple[Server, Server]) -> None:
    one, other = two
    table = one.begin()
    table.look()
    refused = at(other, table).choose("nonsense", 0)
    assert refused.status_code == 422 and refused.json()["reason"]
    assert refused.headers["x-frame-options"] == "DENY" and refused.headers.get_list("x-frame-options") == ["DENY"]
    assert other.get(table.path, "wrong").status_code == 403
    assert other.get("/api/games/222222222222", table.both).status_code == 404
    stale = at(other, table).choose("anything", 7)
    assert stale.status_code == 409 and stale.json()["snapshot"]["version"] == 0
    stranger = at(other, table).socket("wrong")
    assert stranger.receive()["type"] == "refused"
    with pytest.raises(ConnectionClosed) as closed:
        stranger.receive()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4403
    large = other.http.post(
        f"{table.path}/choices", content=b"[" * 300_000, headers={"Content-Type": "application/json"}
    )
    assert large.status_code == 413


def test_only_who_knows_the_key_of_a_process_passes_its_guard(two: tuple[Server, Server]) -> None:
    one, _ = two
    table = one.begin()
    table.look()
    elsewhere = {"Host": "elsewhere.example", "X-Seat": table.both}
    for key in ("", "x", "é"):
        answer = one.http.get(table.path, headers={**elsewhere, "X-Peer-Key": key.encode()})
        assert answer.status_code == 421, key
    known = {**elsewhere, "X-Peer-Key": one.games.owners.key}
    assert one.http.get(table.path, headers=known).status_code == 200


def test_a_process_that_ends_gives_its_games_back_at_once(database: str, tmp_path: Path) -> None:
    with serving(tmp_path, database=database) as one:
        with serving(tmp_path, database=database) as other:
            table = other.begin()
            table.play(3)
            assert other.games.owners.fence(table.id)
        started = time.monotonic()
        assert at(one, table).look()["version"] == 3
        assert time.monotonic() - started < game_owners.BURY_SECONDS


def numbers(server: Server) -> list[int]:
    """The processes that count as alive."""
    with server.games.storage.engine.connect() as connection:
        return list(connection.execute(select(tables.processes.c.number)).scalars())


def silence(server: Server) -> None:
    """No more signs of life, as if the process were frozen."""
    server.games.owners._stopping.set()
    server.games.owners._beating.join()


def wake(server: Server) -> None:
    """The frozen process goes on."""
    server.games.owners._stopping.clear()
    server.games.owners._beat()


def test_a_frozen_process_is_followed_by_another_and_can_write_nothing_when_it_wakes(
    two: tuple[Server, Server],
) -> None:
    one, other = two
    table = one.begin()
    table.play(3)
    watching = table.socket(table.spectator)
    watching.wait_for("snapshot")
    fence = one.games.owners.fence(table.id)
    silence(one)
    until(lambda: fence not in numbers(other))
    twin = at(other, table)
    assert twin.play(2, seed=3)["version"] == 5
    late = Entry(table.id, 6, "choice", 0, "null", "", 0.0)
    with pytest.raises(Fenced, match="lost the game"):
        asyncio.run(one.games.storage.append(late, fence=fence))
    assert table.look()["version"] == 5  # asked anew, of the process that has it
    wake(one)
    assert one.games.owners.lost == 1
    with pytest.raises(ConnectionClosed) as closed:
        while True:
            watching.receive()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012
    assert table.play(2, seed=4)["version"] == twin.look()["version"] == 7


def test_nobody_is_given_up_while_the_row_is_held_by_a_commit(database: str) -> None:
    storage = Storage(database.replace("postgresql://", "postgresql+psycopg://"))
    storage.open()
    owners = game_owners.SharedOwners(storage, "http://127.0.0.1:1")
    owners.start(lambda: None)
    try:
        number = owners.process
        with storage.engine.begin() as commit:
            held = select(tables.processes.c.number).where(tables.processes.c.number == number)
            assert commit.execute(held.with_for_update(key_share=True, read=True)).scalar() == number
            with storage.engine.connect() as burial, pytest.raises(Exception, match="lock timeout"):
                burial.exec_driver_sql("SET LOCAL lock_timeout = '100ms'")
                burial.execute(delete(tables.processes).where(tables.processes.c.number == number))
            with storage.engine.begin() as beating:  # a sign of life is no hindrance
                beating.exec_driver_sql("SET LOCAL lock_timeout = '100ms'")
                beating.execute(update(tables.processes).values(seen=game_owners.NOW))
    finally:
        owners.stop()
        storage.close()


def test_games_nobody_looks_at_can_be_had_by_others(database: str, tmp_path: Path) -> None:
    few = msgspec.structs.replace(LIMITS, games_in_memory=1)
    with serving(tmp_path, database=database, limits=few) as one, serving(tmp_path, database=database) as other:
        first, second = one.begin(), one.begin()
        first.play(2)
        second.look()
        until(lambda: one.games.owners.fence(first.id) is None)
        until(lambda: not one.games.owners._releasing)
        assert at(other, first).look()["version"] == 2
        assert other.games.owners.fence(first.id)
        assert first.play(1)["version"] == 3


def test_the_database_stops_and_starts_again_and_nothing_is_lost(tmp_path: Path) -> None:
    with (
        cluster() as running,
        serving(tmp_path, database=running.url) as one,
        serving(tmp_path, database=running.url) as other,
    ):
        begun = [one.begin(), other.begin()]
        decisions = {table.id: table.play(3)["decision"] for table in begun}
        everywhere = [at(server, table) for server in (one, other) for table in begun]
        running.stop()
        for table in everywhere:
            answer = some_answer(decisions[table.id], random.Random(1))
            assert table.choose(answer, 3).status_code == 503
            assert table.server.get("/health").status_code == 503
        running.start()
        for table in everywhere:
            until(partial(is_there, table))
            assert table.look()["version"] == 3
        for table in everywhere:
            assert table.play(1, seed=9)["version"] > 3


def is_there(table: Table) -> bool:
    return table.server.get(table.path, table.both).status_code == 200


def test_the_game_that_a_path_is_about() -> None:
    assert game_in("/api/games/abcdefghjkmn/live") == "abcdefghjkmn" == game_in("/api/games/abcdefghjkmn")
    assert game_in("/api/games") is None and game_in("/api/games/ABC/live") is None
    assert game_in("/api/records/abcdefghjkmn") is None
