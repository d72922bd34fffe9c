"""What goes wrong inside: rules that fail, computers that fail, games of another version, restarts, forgetting."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dieselfront.server.games import Pace
from dieselfront.server.live import LiveGame
from dieselfront.server.thinkers import Position, Thinkers
from server.kit import LIMITS, Server, Table, serving


def first_answer(shown: dict[str, Any]) -> Any:
    return shown["decision"]["options"][0]["answer"]


def test_a_choice_at_which_the_rules_fail_is_not_made(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    table = server.begin()
    before = table.look()

    def fail(self: LiveGame, seat: int, answer: Any) -> None:
        self.game.choose(answer)
        raise KeyError("a mistake in the rules")

    with monkeypatch.context() as patched:
        patched.setattr(LiveGame, "choose", fail)
        failed = table.choose(first_answer(before), 0)
    assert failed.status_code == 500 and "mistake" not in failed.text
    assert table.look() == before
    assert table.choose(first_answer(before), 0).status_code == 200


def test_a_computer_that_fails_is_helped_out(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    thinkers = server.games.thinkers
    asked: list[str] = []
    choose = thinkers.choose

    async def failing(position: Position, level: str, name: str) -> Any:
        asked.append(level)
        if level == "regular":
            raise ValueError("lost in thought")
        return await choose(position, level, name)

    monkeypatch.setattr(thinkers, "choose", failing)
    table = server.begin(seats=[{"kind": "computer", "level": "regular"}, {"kind": "human"}])
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and table.look(table.tokens[1])["choices"] == 0:
        time.sleep(0.02)
    assert table.look(table.tokens[1])["choices"] > 0 and asked[:2] == ["regular", "random"]


def test_after_a_restart_games_go_on_and_computers_think_on(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        people = server.begin()
        before = people.play(20)
        against = server.begin(seats=[{"kind": "computer", "level": "random"}, {"kind": "human"}])

        async def asleep(*_: Any) -> Any:
            await asyncio.sleep(60)

        server.games.thinkers.choose = asleep
        waiting = server.begin(seats=[{"kind": "computer", "level": "random"}, {"kind": "human"}])
        stuck = waiting.look(waiting.tokens[1])
        assert stuck["choices"] == 0 and against.look(against.tokens[1])
    with serving(tmp_path) as server:
        for table in (people, waiting):
            table.server = server
        assert people.look() == before
        assert people.play(1)["version"] == before["version"] + 1
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and waiting.look(waiting.tokens[1])["choices"] == 0:
            time.sleep(0.02)
        assert waiting.look(waiting.tokens[1])["choices"] > 0


@pytest.mark.parametrize("how", ["body = '[0,0,0]'", "\"check\" = '000000000000'"])
def test_a_journal_that_was_tampered_with_is_not_played_on(tmp_path: Path, how: str) -> None:
    with serving(tmp_path) as server:
        table = server.begin()
        table.play(6)
        del server.games._games[table.id]
        change(tmp_path, f"UPDATE journal SET {how} WHERE version = 3")
        shown = table.look()
        assert "Choice 3" in shown["moved"]["reason"] and shown["decision"] is None
        assert shown["moved"]["lost"] == 4 and shown["moved"]["can_go_on"]
        assert table.choose([0, 0], shown["version"]).status_code == 409
        assert table.do("undo").status_code == 409 and table.do("takeback").status_code == 409


def change(folder: Path, statement: str) -> None:
    with sqlite3.connect(folder / "games.sqlite3") as connection:
        connection.execute(statement)
    connection.close()


def test_games_nobody_looks_at_leave_the_memory_and_come_back(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(LIMITS, games_in_memory=3)
    with serving(tmp_path, limits=limits) as server:
        watched = server.begin()
        visitor = watched.socket(watched.spectator)
        visitor.wait_for("snapshot")
        tables = [server.begin() for _ in range(6)]
        first = tables[0].play(5)
        server.begin()
        assert len(server.games._games) <= 4 and watched.id in server.games._games
        assert all(table.look()["version"] in (0, 5) for table in tables)
        assert tables[0].look() == first
        visitor.close()


def test_nobody_gives_up_for_the_other_side(server: Server) -> None:
    table = server.begin()
    assert table.do("concede", {"seat": 1}, table.tokens[0]).status_code == 403
    assert table.do("concede", {"seat": 1}).status_code == 200
    assert table.look()["result"]["winner"] == 0


def test_the_other_side_may_agree_by_offering_the_same(server: Server) -> None:
    table = server.begin()
    table.play(2)
    table.do("draw", token=table.tokens[0])
    table.do("draw", token=table.tokens[1])
    assert table.look()["result"]["kind"] == "draw"


def test_a_computer_declines_draws_and_grants_takebacks(server: Server) -> None:
    table = server.begin(seats=[{"kind": "human"}, {"kind": "computer", "level": "random"}])
    assert table.do("draw", token=table.tokens[0]).status_code == 422
    assert table.do("takeback", token=table.tokens[0]).status_code == 422
    shown = wait_for_turn(table)
    table.choose(first_answer(shown), shown["version"], table.tokens[0])
    assert table.do("takeback", token=table.tokens[0]).status_code == 200


def wait_for_turn(table: Table) -> dict[str, Any]:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        shown = table.look(table.tokens[0])
        if shown["decision"]["mine"]:
            return shown
        time.sleep(0.02)
    raise AssertionError("it never was our turn")


def test_a_thinker_that_dies_is_replaced() -> None:
    async def trial() -> int:
        thinkers = Thinkers(1)
        thinkers.open()
        try:
            return await thinkers.ask(_die_once, str(time.time()))
        finally:
            thinkers.close()

    assert asyncio.run(trial()) == 42


def _die_once(name: str) -> int:
    import os
    import tempfile

    mark = Path(tempfile.gettempdir()) / f"dieselfront-{name}"
    if mark.exists():
        mark.unlink()
        return 42
    mark.touch()
    os._exit(1)


def test_updates_wait_only_when_they_take_too_much_of_the_time() -> None:
    async def trial() -> tuple[float, float]:
        pace = Pace()
        started = time.monotonic()
        await pace.wait()
        idle = time.monotonic() - started
        pace.spent(0.05)
        started = time.monotonic()
        await pace.wait()
        return idle, time.monotonic() - started

    idle, busy = asyncio.run(trial())
    assert idle < 0.02 and 0.1 < busy < 1.0
