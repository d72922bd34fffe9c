"""Why computers chose so: kept beside the choice, told when it is settled. And thinking holds nobody up."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest

from dieselfront import players
from dieselfront.kernel.decisions import Answer
from dieselfront.kernel.game import Game
from dieselfront.server import thinkers
from server.kit import Server, Table, serving, some_answer

AGAINST = [{"kind": "human", "name": "Ann"}, {"kind": "computer", "level": "regular"}]


class Talker:
    """Takes the first answer and says so; where nothing begins it says nothing new."""

    def __init__(self, seed: str) -> None:
        self.reason = ""
        self.said = 0

    def choose(self, game: Game) -> Answer:
        assert game.pending is not None
        if game.quiet:
            self.said += 1
            self.reason = f"plan {self.said}: expects to destroy 2.5 points"
        return next(iter(game.pending.answers()))


@pytest.fixture
def talking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "make", lambda level, seed, ruleset, **_: Talker(seed))


def settled(table: Table) -> dict[str, Any]:
    """The game once the computer has done with its turn and a reason may be told."""
    chance = random.Random(3)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        shown = table.look(table.tokens[0])
        if shown["explained"]:
            return shown
        if shown["decision"] and shown["decision"]["mine"]:
            table.choose(some_answer(shown["decision"], chance), shown["version"], table.tokens[0])
        time.sleep(0.01)
    raise AssertionError("the computer never said why")


@pytest.mark.usefixtures("talking")
def test_a_computer_says_why_it_chose_so(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        table = server.begin(seats=AGAINST)
        shown = settled(table)
        choice = shown["explained"][0]
        told = server.get(f"{table.path}/why", table.tokens[0], choice=choice).json()
        assert told["choice"] == choice and told["seat"] == 1
        assert told["reason"].startswith("plan 1: expects")
        assert any(line["choice"] >= choice for line in shown["log"])
        missing = server.get(f"{table.path}/why", table.tokens[0], choice=9999)
        assert missing.status_code == 404 and "No reason" in missing.json()["reason"]
    with serving(tmp_path) as server:  # it is on the disk
        table.server = server
        assert choice in table.look(table.tokens[0])["explained"]
        assert server.get(f"{table.path}/why", table.tokens[0], choice=choice).json() == told


def test_a_reason_is_not_told_while_its_plan_is_under_way(server: Server) -> None:
    table = server.begin()
    shown = table.play(200, seed=3, until=lambda now: now["turn"] > 0 and now["decision"]["shape"] == "place")
    live = server.games._games[table.id]
    under_way = live.game.settled + 1
    assert under_way <= shown["choices"]
    live.reasons[under_way] = (0, "march to G5, then shoot")
    live.reasons[live.game.settled] = (0, "long done")
    assert live.explained == [live.game.settled]
    assert server.get(f"{table.path}/why", table.both, choice=under_way).status_code == 404
    table.do("concede", {"seat": 0})
    assert server.get(f"{table.path}/why", table.both, choice=under_way).status_code == 200


def test_a_reason_goes_with_the_choice_that_is_taken_back(server: Server) -> None:
    table = server.begin()
    table.play(6, seed=1)
    live = server.games._games[table.id]
    live.reasons[len(live.makers)] = (0, "a mistake")
    table.do("takeback", {"action": "offer"})
    assert len(live.makers) == 5 and not live.reasons


def test_a_computer_remembers_its_plan_from_one_decision_to_the_next() -> None:
    first = thinkers.Position("game", b"", None, ())
    one = thinkers._player(first, "regular", "1", "dust1947")
    later = thinkers.Position("game", b"", None, (1, 2))
    assert thinkers._player(later, "regular", "1", "dust1947") is one
    assert thinkers._player(later, "regular", "0", "dust1947") is not one
    thinkers._players.pop("game")


def test_games_are_shared_out_among_the_thinkers_and_stay_where_they_are() -> None:
    some = thinkers.Thinkers(3)
    some._pools, some._busy = [None, None, None], [1, 0, 2]  # type: ignore[list-item]
    assert some._home("a") == 1
    some._busy = [0, 5, 5]
    assert some._home("a") == 1 and some._home("b") == 0


class Slow:
    """Thinks hard for a while, as an ace does."""

    reason = ""

    def __init__(self, seed: str) -> None:
        self.started = False

    def choose(self, game: Game) -> Answer:
        assert game.pending is not None
        end = time.monotonic() + 2.5
        while time.monotonic() < end:
            sum(range(1000))
        return next(iter(game.pending.answers()))


def test_while_one_computer_thinks_hard_other_tables_are_answered_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tmp_path) as server:
        monkeypatch.setattr(players, "make", lambda level, seed, ruleset, **_: Slow(seed))
        hard = server.begin(seats=[{"kind": "computer", "level": "ace"}, {"kind": "human"}])
        other = server.begin()
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline and not hard.look(hard.tokens[1])["thinking"]:
            time.sleep(0.01)
        waits = []
        for _ in range(12):
            shown = other.look()
            asked = time.monotonic()
            chosen = other.choose(some_answer(shown["decision"], random.Random(1)), shown["version"])
            waits.append(time.monotonic() - asked)
            assert chosen.status_code == 200
        assert hard.look(hard.tokens[1])["thinking"], "it was to think all the while"
        assert sorted(waits)[len(waits) // 2] < 0.25, waits
