"""Bounds where they belong: in the dice, the cards, the situations, the boards, the searches, and before the routes."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy.exc import OperationalError

from dieselfront import rulebook
from dieselfront.dice import DUST_DIE, MOST_DICE, FairDice, TooManyDice, rollers
from dieselfront.forces.dust import Cell, DustCard
from dieselfront.odds.games import OddsError
from dieselfront.rulesets.dust1947.odds.situation import Situation
from dieselfront.rulesets.konflikt47.cards import BadCard, read_card
from dieselfront.server import protocols
from dieselfront.server.app import prepare_types
from dieselfront.server.guard import normal_path
from dieselfront.server.long_work import LongWork, waste
from dieselfront.server.refusals import Refused, asker
from dieselfront.server.thinkers import Thinkers
from dieselfront.table.square.geometry import offset_distance
from dieselfront.table.square.grid import _distance_table
from dieselfront.table.terrain import TableError
from server.kit import Server, serving, some_answer


def test_a_throw_has_no_more_dice_than_anybody_rolls() -> None:
    dice = FairDice("seed")
    assert len(dice.faces(DUST_DIE, MOST_DICE, 0)) == MOST_DICE
    assert dice.faces(DUST_DIE, 0, 0) == ()
    for count in (MOST_DICE + 1, 10**9, -1):
        with pytest.raises(TooManyDice, match=str(count)):
            dice.faces(DUST_DIE, count, 0)


def test_cards_obey_their_bounds_wherever_they_come_from() -> None:
    assert msgspec.convert({"dice": 99}, Cell).dice == 99
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"dice": 100}, Cell)
    plain = {"id": "x", "name": "X", "bloc": "Allies", "kind": "infantry", "armour_type": "S", "armour": 2}
    plain |= {"move": 1, "march": 1, "damage": 0, "points": 5, "locomotion": "infantry"}
    assert msgspec.convert(plain, DustCard).name == "X"
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**plain, "soldiers": [{"name": "one more"}] * 200}, DustCard)


@pytest.mark.parametrize(
    "men",
    [
        [{"count": 101}],
        [{"weapons": [{"name": "Gun", "range": 24, "shots": "1000D6"}]}],
        [{"weapons": [{"name": "Gun", "range": 10**9}]}],
        [{"weapons": ["Rifle"] * 500}],
    ],
)
def test_konflikt_cards_obey_theirs(men: list[Any]) -> None:
    assert len(read_card({"name": "X", "men": [{"count": 100}]}).men) == 100
    with pytest.raises(BadCard):
        read_card({"name": "X", "men": men})


@pytest.mark.parametrize("given", [{"turns": 0}, {"turns": 1000}, {"range": 10**9}, {"others": ["x"] * 9}])
def test_a_situation_is_within_bounds(given: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(given, Situation)


def test_a_situation_made_in_python_is_within_bounds_too() -> None:
    with pytest.raises(OddsError):
        Situation(turns=1000)
    with pytest.raises(OddsError):
        Situation().but(turns=1000)


@pytest.mark.parametrize("size", [(1, 1), (5, 3), (3, 7), (200, 2)])
def test_distances_of_a_board_are_those_of_every_pair(size: tuple[int, int]) -> None:
    width, height = size
    squares = [(x, y) for y in range(height) for x in range(width)]
    naive = [[offset_distance(x - ax, y - ay) for x, y in squares] for ax, ay in squares]
    assert [list(row) for row in _distance_table(width, height)] == naive


def test_a_board_has_bounds() -> None:
    from dieselfront.table.square.builder import BoardBuilder

    with pytest.raises(TableError, match="at most"):
        BoardBuilder(10_000, 10_000, {})


ENDLESS_BOARD = """\
{id: x, name: X, ruleset: dust1947, turns: 6, board: {size: [10000, 10000]},
 deploy: [{squares: A1-C3}, {squares: E1-G3}]}
"""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--games", "99999999999999999999"], "less than or equal to 1000000"),
        (["--games", "1", "--scenario", "endless.yaml"], "A board has at most"),
    ],
)
def test_the_command_line_begins_nothing_endless(words: list[str], sentence: str, tmp_path: Path) -> None:
    (tmp_path / "endless.yaml").write_text(ENDLESS_BOARD)
    command = [sys.executable, "-c", "from dieselfront.cli import main; main()", "simulate", *words]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2 and sentence in ended.stderr and "Traceback" not in ended.stderr


def test_words_beyond_the_twelfth_do_not_count() -> None:
    rules = [rule for name in rulebook.names() for rule in rulebook.load(name).rules]
    few = "line cover sight " * 4
    assert rulebook.search(few + "nonsense", rules) == rulebook.search(few, rules) != []
    started = time.process_time()
    rulebook.search(" ".join("abcdefghijklmnopqrstuvwxyz" * 4), rules)
    assert time.process_time() - started < 0.5


def test_paths_are_spelled_in_one_way() -> None:
    for spelled in ("/api/games", "//api/games", "/api//games/", "///api///games///"):
        assert normal_path(spelled) == "/api/games"
    assert normal_path("//") == normal_path("") == "/"


# -- long work --------------------------------------------------------------------------------------


def working(trial: Callable[[LongWork], Any], **limits: Any) -> Any:
    given = {"seconds": 5.0, "megabytes": 700, "per_address": 3, "waiting": 10, **limits}

    async def run() -> Any:
        work = LongWork(1, **given)
        try:
            return await trial(work)
        finally:
            work.close()

    return asyncio.run(run())


def test_work_that_takes_too_long_is_killed_and_the_next_is_done() -> None:
    async def trial(work: LongWork) -> None:
        assert (await work.run(waste, 0.0)).startswith("0.0 s")
        started = time.monotonic()
        with pytest.raises(Refused, match="longer"):
            await work.run(waste, 60.0, seconds=0.5)
        assert time.monotonic() - started < 5
        assert (await work.run(waste, 0.0)).startswith("0.0 s") and work.killed == 1

    working(trial)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the processor time of other processes")
def test_work_that_a_busy_machine_holds_up_is_waited_for() -> None:
    async def trial(work: LongWork) -> None:
        await work.run(waste, 0.0)
        process = multiprocessing.active_children()[0].pid
        assert process is not None
        held_up = asyncio.create_task(work.run(waste, 0.1, seconds=0.8))
        await asyncio.sleep(0.05)
        os.kill(process, signal.SIGSTOP)
        await asyncio.sleep(1.2)
        os.kill(process, signal.SIGCONT)
        assert (await held_up).startswith("0.1 s") and work.killed == 0

    working(trial)


def test_work_that_takes_too_much_memory_is_refused() -> None:
    async def trial(work: LongWork) -> None:
        with pytest.raises(Refused, match="more"):
            await work.run(waste, 0.0, 2000)
        assert (await work.run(waste, 0.0, 10)).endswith("bytes")

    working(trial)


def test_each_address_has_its_turn_and_nobody_waits_without_end() -> None:
    order: list[str] = []

    async def one(work: LongWork, address: str) -> None:
        asker.set(address)
        await work.run(waste, 0.05)
        order.append(address)

    async def trial(work: LongWork) -> None:
        await work.run(waste, 0.0)
        tasks = [asyncio.create_task(one(work, "crowd")) for _ in range(4)]
        await asyncio.sleep(0.01)
        tasks.append(asyncio.create_task(one(work, "other")))
        await asyncio.sleep(0.01)
        with pytest.raises(Refused, match="Too much of yours"):
            await one(work, "crowd")
        await asyncio.gather(*tasks)

    working(trial)
    assert order.index("other") <= 2 and order.count("crowd") == 4


def test_somebody_who_gives_up_leaves_the_queue() -> None:
    async def trial(work: LongWork) -> None:
        busy = asyncio.create_task(work.run(waste, 0.5))
        await asyncio.sleep(0.05)
        waiting = asyncio.create_task(work.run(waste, 60.0))
        await asyncio.sleep(0.05)
        assert (work.busy, work.waiting) == (1, 1)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert work.waiting == 0
        await busy
        assert (await work.run(waste, 0.0)).startswith("0.0 s")

    working(trial)


class Part(msgspec.Struct):
    """A part of something that is read."""

    name: str


class Whole(msgspec.Struct):
    """Something that is read; what its parts are is looked up when that happens for the first time."""

    part: Part


def test_what_may_be_read_is_looked_up_before_several_threads_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    prepare_types()
    monkeypatch.delitem(globals(), "Part")
    assert msgspec.json.decode(b'{"part": {"name": "wheel"}}', type=Whole).part.name == "wheel"


def test_a_computer_that_thinks_for_too_long_is_replaced() -> None:
    async def trial() -> None:
        thinkers = Thinkers(1, seconds=5.0)
        thinkers.open()
        try:
            assert (await thinkers.ask(waste, 0.0)).startswith("0.0 s")
            thinkers.seconds = 0.3
            with pytest.raises(TimeoutError):
                await thinkers.ask(waste, 60.0)
            thinkers.seconds = 30.0
            assert thinkers.killed == 1 and (await thinkers.ask(waste, 0.0)).startswith("0.0 s")
        finally:
            thinkers.close()

    asyncio.run(trial())


def test_a_choice_that_throws_too_many_dice_is_refused_and_changes_nothing(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = server.begin()
    chance = random.Random(2)
    with monkeypatch.context() as patched:
        patched.setattr(rollers, "MOST_DICE", 0)
        for _ in range(200):
            before = table.look()
            answer = some_answer(before["decision"], chance)
            done = table.choose(answer, before["version"])
            if done.status_code != 200:
                break
        assert done.status_code == 422 and "at most" in done.json()["reason"]
        assert table.look() == before
    assert table.choose(answer, before["version"]).status_code == 200


# -- the server -------------------------------------------------------------------------------------


def test_a_database_that_is_away_is_told_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as server:
        table = server.begin()
        del server.games._games[table.id]
        record = server.get("/api/records/23456789abcd")
        assert record.status_code == 404

        def away() -> Any:
            raise OperationalError("SELECT", {}, Exception("the line is dead"))

        with monkeypatch.context() as patched:
            patched.setattr(server.games.storage.engine, "connect", away)
            for path in (table.path, f"{table.path}/record", "/api/records/23456789abcd", "/api/health", "/health"):
                answer = server.get(path, table.both)
                assert answer.status_code == 503 and "cannot be read" in answer.json()["reason"], path
        assert table.look()["version"] == 0 and server.get("/health").status_code == 200


@pytest.mark.parametrize(
    "damage",
    ["seats = 'x'", "header = x'00'", "header = '{}'", "offers = '['", "ruleset = '../../x'", "header = x'FFFE'"],
)
def test_a_damaged_row_is_told_in_one_sentence(tmp_path: Path, damage: str) -> None:
    with serving(tmp_path) as server:
        table = server.begin()
        del server.games._games[table.id]
        with sqlite3.connect(tmp_path / "games.sqlite3") as connection:
            connection.execute(f"UPDATE games SET {damage}")
        connection.close()
        answer = server.get(table.path, table.both)
        assert answer.status_code == 410 and answer.json()["reason"].endswith(".")


def test_pages_of_other_sites_open_no_sockets_and_change_nothing(server: Server) -> None:
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect

    table = server.begin()
    url = server.url.replace("http://", "ws://").rstrip("/") + table.path + "/live"
    with pytest.raises(InvalidStatus):
        connect(url, origin="http://evil.example")
    host = server.url.split("//")[1].rstrip("/")
    with connect(url, origin=f"http://{host}") as ours:
        ours.send(json.dumps({"type": "hello", "token": table.spectator}))
        assert '"snapshot"' in str(ours.recv(10))
    for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        assert server.http.post("/api/games", json={}, headers=headers).status_code == 403
    assert server.http.post("/api/games", json={}, headers={"Origin": f"http://{host}"}).status_code == 201


def test_a_page_at_the_public_address_is_ours(tmp_path: Path) -> None:
    with serving(tmp_path, public_url="https://games.example/") as server:
        theirs = {"Origin": "https://games.example"}
        assert server.http.post("/api/games", json={}, headers=theirs).status_code == 201


@pytest.mark.parametrize("first", [b"", b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"])
def test_a_head_that_drips_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: bytes) -> None:
    monkeypatch.setattr(protocols, "SILENCE_SECONDS", 0.6)
    with serving(tmp_path) as server:
        host, port = server.url.split("//")[1].rstrip("/").split(":")
        with socket.create_connection((host, int(port)), timeout=10) as connection:
            if first:
                connection.sendall(first)
                assert connection.recv(4096).startswith(b"HTTP/1.1 200")
            started = time.monotonic()
            connection.settimeout(0.05)
            for byte in b"GET /health HTTP/1.1\r\nX-Long: " + b"x" * 200:
                try:
                    connection.sendall(bytes([byte]))
                    if connection.recv(100) == b"":
                        break
                except TimeoutError:
                    continue
                except OSError:
                    break
            assert time.monotonic() - started < 5
