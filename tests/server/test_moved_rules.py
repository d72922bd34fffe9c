"""Games outlive versions: finished ones can always be looked at, running ones go on when both players consent."""

from __future__ import annotations

import json
import pickle
import random
import sqlite3
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dieselfront import rulesets
from dieselfront.kernel.game import Play
from dieselfront.kernel.record import Record, dump, load
from dieselfront.scenarios import library
from dieselfront.server.stored_states import Unreadable, pack, struct, unpack
from dieselfront.server.trial_tools import script
from server.kit import Server, Table, serving

PLAYABLE = [name for name in rulesets.names() if library.names(name)]
PEOPLE = [{"kind": "human", "name": "Ann"}, {"kind": "human", "name": "Bob"}]


@contextmanager
def moved_rules(ruleset: str, version: str, changed: bool = True) -> Iterator[None]:
    """A later version of a ruleset: after the third throw everything happens twice."""
    rules = rulesets.load(ruleset)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(rules, "version", version, raising=False)
        if changed:
            emit = Play.emit

            def twice(self: Play, event: Any) -> None:
                emit(self, event)
                if self.state.dice_thrown >= 3:
                    emit(self, event)

            patched.setattr(Play, "emit", twice)
        yield


def in_midst(server: Server, record: Record, at: int) -> Table:
    """A game of two people after some choices of a record."""
    told = server.post("/api/records", json.loads(dump(record)))
    assert told.status_code == 201, told.text
    made = server.post(f"/api/records/{told.json()['id']}/branch", {"at": at, "seats": PEOPLE})
    assert made.status_code == 201, made.text
    return Table(server, made.json())


def play_on(server: Server, table: Table, choices: int) -> None:
    """Any legal answers, whatever the shape of the decisions."""
    chance = random.Random(4)
    for _ in range(choices):
        shown = table.look()
        if shown["over"]:
            return
        decision = server.games._games[table.id].game.pending
        answer = json.loads(msgspec.json.encode(decision.sample(chance)))
        done = table.choose(answer, shown["version"])
        assert done.status_code == 200, done.text


def wait_for_frames(server: Server, table: Table) -> None:
    """The frames of a finished game are kept a moment after its end."""
    deadline = time.monotonic() + 120
    while server.games._archiving and time.monotonic() < deadline:
        time.sleep(0.05)
    assert table.look()["over"] and not server.games._archiving


@pytest.mark.parametrize("ruleset", PLAYABLE)
def test_a_database_of_games_is_upgraded_across_a_changed_rule(ruleset: str, tmp_path: Path) -> None:
    plan = script("upgrade", ruleset, "random")
    total = len(plan.choices)
    with serving(tmp_path) as server:
        over = in_midst(server, plan, total - 2)
        for answer in msgspec.to_builtins(plan.choices[-2:]):
            assert over.choose(answer).status_code == 200
        given_up = in_midst(server, plan, total // 2)
        given_up.do("concede", {"seat": 1})
        early, late = in_midst(server, plan, 1), in_midst(server, plan, total * 2 // 3)
        unstored = in_midst(server, plan, total * 2 // 3)
        for table in (early, late, unstored):
            play_on(server, table, 3)
        for table in (over, given_up):
            wait_for_frames(server, table)
        before = {table.id: table.look() for table in (over, given_up, early, late, unstored)}
        frames = {at: server.get(f"{over.path}/replay", over.both, at=at).json() for at in (0, total // 2, total)}
        luck = server.get(f"{over.path}/luck", over.both).json()
        record = server.get(f"{over.path}/record", over.both).content
    forget_position(tmp_path, unstored)
    with moved_rules(ruleset, "99.0"), serving(tmp_path) as server:
        for table in (over, given_up, early, late, unstored):
            table.server = server
        finished_games_are_as_they_were(server, (over, given_up), before)
        assert {at: server.get(f"{over.path}/replay", over.both, at=at).json() for at in frames} == frames
        assert server.get(f"{over.path}/luck", over.both).json() == luck
        kept, was = load(server.get(f"{over.path}/record", over.both).content), load(record)
        assert (kept.header, kept.choices, kept.checks, kept.seed) == (was.header, was.choices, was.checks, was.seed)
        assert late.look()["moved"]["lost"] < 20  # since the server was stopped in an orderly way
        assert unstored.look()["moved"]["lost"] >= 20  # back to where the new rules still agree
        for table in (early, late, unstored):
            a_running_game_goes_on_by_consent(server, table, before[table.id])


def forget_position(folder: Path, table: Table) -> None:
    """As if the server had been killed before it stored the game's position."""
    with sqlite3.connect(folder / "games.sqlite3") as connection:
        assert connection.execute("DELETE FROM positions WHERE game = ?", (table.id,)).rowcount == 1
    connection.close()


def finished_games_are_as_they_were(server: Server, tables: tuple[Table, ...], before: dict[str, Any]) -> None:
    for table in tables:
        shown = table.look()
        assert shown["moved"]["now"] == "99.0" and not shown["moved"]["can_go_on"]
        was = before[table.id]
        same = ("view", "log", "result", "over", "turn", "choices", "seed", "version", "thrown")
        assert {name: shown[name] for name in same} == {name: was[name] for name in same}
        assert table.do("move").status_code == 409


def a_running_game_goes_on_by_consent(server: Server, table: Table, was: dict[str, Any]) -> None:
    shown = table.look()
    moved = shown["moved"]
    assert moved["now"] == "99.0" and moved["can_go_on"] and shown["decision"] is None and not shown["over"]
    assert table.choose(0, shown["version"]).status_code == 409
    visitor = table.socket(table.spectator)
    visitor.wait_for("snapshot")
    assert table.do("move", token=table.tokens[0]).status_code == 200
    assert table.look()["moved"] is not None and table.look()["offers"]["move"] == 0
    assert table.do("move", {"action": "accept"}, table.tokens[0]).status_code == 422
    assert table.do("move", {"action": "accept"}, table.tokens[1]).status_code == 200
    assert visitor.wait_for("snapshot", moved=None)["version"] > shown["version"]
    visitor.close()
    now = table.look()
    said = [line for line in now["log"] if line["kind"] == "RulesMoved"]
    assert now["moved"] is None and now["decision"] is not None and len(said) == 1
    assert now["choices"] == was["choices"] - moved["lost"] and f"to {moved['now']}" in said[0]["text"]
    assert [line["n"] for line in now["log"]] == list(range(len(now["log"])))
    play_on(server, table, 6)
    after = table.look()
    del server.games._games[table.id]
    again = table.look()
    assert again == after and again["choices"] >= now["choices"]
    assert table.do("concede", {"seat": 0}).status_code == 200 and table.look()["result"]["winner"] == 1


@pytest.mark.parametrize("ruleset", PLAYABLE)
def test_nothing_is_lost_where_the_change_touches_nothing(ruleset: str, tmp_path: Path) -> None:
    """The version was raised, but every choice of this game leads where it led: the game goes on as it stands."""
    plan = script("same", ruleset, "random")
    with serving(tmp_path) as server:
        table = in_midst(server, plan, len(plan.choices) // 2)
        play_on(server, table, 2)
        was = table.look()
    with moved_rules(ruleset, "99.0", changed=False), serving(tmp_path) as server:
        table.server = server
        assert table.look()["moved"]["lost"] == 0
        assert table.do("move").status_code == 200  # both seats in one hand
        now = table.look()
        assert now["view"] == was["view"] and now["choices"] == was["choices"]
        assert now["decision"] | {"version": 0} == was["decision"] | {"version": 0}
        play_on(server, table, 3)
        shown, taken = table.look(), table.do("takeback")
        assert taken.status_code == 200 and table.look()["choices"] < shown["choices"]
    with moved_rules(ruleset, "100.0", changed=False), serving(tmp_path) as server:  # and once more
        table.server = server
        assert table.look()["moved"]["before"] == "99.0" and table.do("move").status_code == 200
        assert len([line for line in table.look()["log"] if line["kind"] == "RulesMoved"]) == 2


def test_a_game_against_the_computer_goes_on_at_once(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        table = server.begin(seats=[{"kind": "human"}, {"kind": "computer", "level": "random"}])
        play_mine(table, 4)
    with moved_rules("dust1947", "99.0"), serving(tmp_path) as server:
        table.server = server
        assert table.do("move", token=table.tokens[0]).status_code == 200
        play_mine(table, 3)


def play_mine(table: Table, choices: int) -> None:
    from server.kit import some_answer

    chance, made = random.Random(1), 0
    deadline = time.monotonic() + 20
    while made < choices and time.monotonic() < deadline:
        shown = table.look(table.tokens[0])
        if shown["decision"] and shown["decision"]["mine"]:
            answer = some_answer(shown["decision"], chance)
            made += table.choose(answer, shown["version"], table.tokens[0]).status_code == 200
        else:
            time.sleep(0.02)
    assert made == choices


@pytest.mark.parametrize("ending", ["concede", "draw"])
def test_a_game_that_waits_can_be_given_up_or_agreed_drawn(tmp_path: Path, ending: str) -> None:
    with serving(tmp_path) as server:
        table = server.begin()
        table.play(5)
    with moved_rules("dust1947", "99.0"), serving(tmp_path) as server:
        table.server = server
        assert table.do(ending).status_code == 200
        shown = table.look()
        assert shown["over"] and shown["result"]["kind"] == ("concession" if ending == "concede" else "draw")
        assert shown["seed"] and not shown["moved"]["can_go_on"] and table.do("move").status_code == 409
        assert load(server.get(f"{table.path}/record", table.both).content).seed == shown["seed"]
        server.games._games.clear()
        assert table.look() == shown


def test_only_players_consent_and_only_where_rules_have_moved(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        table = server.begin()
        table.play(5)
        assert table.do("move").status_code == 409 and table.look()["moved"] is None
    with moved_rules("dust1947", "99.0"), serving(tmp_path) as server:
        table.server = server
        assert table.do("move", token=table.spectator).status_code == 403
        assert table.do("move", {"action": "accept"}).status_code == 422
        assert server.get(f"{table.path}/sight", table.both, unit="a1").status_code == 409
        assert server.get(f"{table.path}/record", table.both).status_code == 200
        table.do("move", token=table.tokens[0])
        table.do("move", {"action": "decline"}, table.tokens[1])
        assert table.look()["offers"]["move"] is None and table.look()["moved"] is not None


# -- states as bytes --------------------------------------------------------------------------------


def test_a_state_makes_objects_of_our_rooms_only() -> None:
    class Evil:
        def __reduce__(self) -> Any:
            return print, ("gotcha",)

    for evil in (Evil(), Path("x"), pickle.Unpickler):
        data = zlib.compress(pickle.dumps(evil) if not isinstance(evil, Evil) else _evil())
        with pytest.raises(Unreadable):
            unpack(data, object())
    with pytest.raises(Unreadable):
        unpack(b"nonsense", object())


def _evil() -> bytes:
    return b"cbuiltins\nprint\n(S'gotcha'\ntR."


def test_a_field_that_a_later_version_added_begins_as_in_a_new_game() -> None:
    from dieselfront.scenarios import battle

    armies = battle.starters("dust1947")
    header = battle.header("dust1947", "crossroads", [armies[0], armies[1]], seed="1")
    rules = rulesets.load("dust1947")
    state, fresh = rules.new_state(header), rules.new_state(header)
    assert unpack(pack(state), fresh).facts() == state.facts()
    del state.dice_thrown  # as if the field had not been there when it was stored
    assert unpack(pack(state), fresh).dice_thrown == fresh.dice_thrown
    side = state.sides[0]
    values = {field: getattr(side, field) for field in side.__struct_fields__[:-1]}
    assert repr(struct(type(side), {**values, "gone": 1})) == repr(type(side)(**values))
