"""The live game: sockets, presence, updates, rejoining, computers at work."""

from __future__ import annotations

import json
import random
import socket
import time
from pathlib import Path

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, WebSocketException

from dieselfront.server.routes.live import UPDATE_SECONDS
from dieselfront.server.settings import Settings
from dieselfront.server.trial_tools import Script, script
from server.kit import LIMITS, Server, Table, Visitor, serving, some_answer


def test_a_hello_is_answered_with_the_whole_game(server: Server) -> None:
    table = server.begin()
    visitor = table.socket(table.tokens[0])
    snapshot = visitor.wait_for("snapshot")
    assert snapshot["you"] == 0 and snapshot["version"] == 0
    same = {name: value for name, value in table.look(table.tokens[0]).items() if name != "seats"}
    assert {name: value for name, value in snapshot.items() if name != "seats"} == same
    visitor.close()


def test_a_choice_is_acknowledged_and_everybody_hears_of_it(server: Server) -> None:
    table = server.begin()
    visitors = [table.socket(token) for token in (*table.tokens, table.spectator)]
    shown = [visitor.wait_for("snapshot") for visitor in visitors]
    deciding = next(number for number in (0, 1) if shown[number]["decision"]["mine"])
    answer = shown[deciding]["decision"]["options"][0]["answer"]
    visitors[deciding].send({"type": "choose", "decision": 0, "answer": answer, "id": 7})
    assert visitors[deciding].wait_for("ack")["id"] == 7
    updates = [visitor.wait_for("update", version=1) for visitor in visitors]
    assert updates[0]["view"] == updates[1]["view"] == updates[2]["view"]
    assert [bool(update["decision"]["mine"]) for update in updates].count(True) == 1
    for visitor in visitors:
        visitor.close()


def test_updates_tell_exactly_what_a_snapshot_would(server: Server) -> None:
    table = server.begin()
    watching = table.socket(table.spectator)
    log = watching.wait_for("snapshot")["log"]
    table.play(25)
    table.do("undo")
    table.do("takeback")
    end = table.play(3, seed=9)
    version = 0
    while version < end["version"]:
        update = watching.wait_for("update")
        assert update["since"] == version
        log = log[: update["kept"]] + update["log"]
        version = update["version"]
    assert log == end["log"] and update["view"] == end["view"] and update["choices"] == end["choices"]
    watching.close()


def test_choices_in_quick_succession_come_as_few_updates(server: Server) -> None:
    plan = Script(server.url.rstrip("/"), script("quick"))
    table = Table(server, plan.begin())
    visitor = table.socket(table.both)
    visitor.wait_for("snapshot")
    started = time.monotonic()
    for number, answer in enumerate(plan.answers[:60]):
        visitor.send({"type": "choose", "decision": number, "answer": answer, "id": number})
        visitor.wait_for("ack", id=number)
    seconds = time.monotonic() - started
    updates = [message for message in visitor.waiting if message["type"] == "update"]
    assert len(updates) <= seconds / UPDATE_SECONDS + 1
    last = updates[-1] if updates and updates[-1]["version"] == 60 else visitor.wait_for("update", version=60)
    assert last["choices"] == 60
    visitor.close()


def test_a_refused_choice_tells_reason_and_rule_and_a_stale_one_the_game(server: Server) -> None:
    table = server.begin()
    visitor = table.socket(table.both)
    shown = visitor.wait_for("snapshot")
    visitor.send({"type": "choose", "decision": 0, "answer": "nonsense", "id": 1})
    refused = visitor.wait_for("refused")
    assert refused["id"] == 1 and refused["reason"] and refused["status"] == 422 and "snapshot" not in refused
    visitor.send({"type": "choose", "decision": 5, "answer": shown["decision"]["options"][0]["answer"], "id": 2})
    stale = visitor.wait_for("refused")
    assert stale["status"] == 409 and stale["snapshot"]["version"] == 0
    visitor.close()


def test_everybody_sees_who_is_connected_and_a_dropped_player_resumes_his_seat(server: Server) -> None:
    table = server.begin()
    ann = table.socket(table.tokens[0])
    ann.wait_for("presence", connected=[True, False])
    bob = table.socket(table.tokens[1])
    ann.wait_for("presence", connected=[True, True])
    bob.socket.socket.shutdown(socket.SHUT_RDWR)  # the line is cut without a goodbye
    ann.wait_for("presence", connected=[True, False])
    table.play(6)
    again = table.socket(table.tokens[1])
    snapshot = again.wait_for("snapshot")
    assert snapshot["you"] == 1 and snapshot["version"] == 6
    assert [seat["connected"] for seat in snapshot["seats"]] == [True, False]
    ann.wait_for("presence", connected=[True, True])
    ann.close(), again.close()


def test_chat_and_offers_arrive(server: Server) -> None:
    table = server.begin()
    ann, bob = table.socket(table.tokens[0]), table.socket(table.tokens[1])
    ann.wait_for("snapshot"), bob.wait_for("snapshot")
    ann.send({"type": "chat", "text": "hello there"})
    assert bob.wait_for("chat")["line"]["text"] == "hello there"
    table.do("draw", {"action": "offer"}, table.tokens[1])
    assert ann.wait_for("offer")["offers"]["draw"] == 1
    ann.send({"type": "ping", "id": "x"})
    assert ann.wait_for("pong")["id"] == "x"
    ann.send({"type": "sync"})
    assert ann.wait_for("snapshot")["offers"]["draw"] == 1
    ann.close(), bob.close()


def test_two_people_at_one_screen_hold_both_seats(server: Server) -> None:
    table = server.begin()
    visitor = Visitor(table, "", hello=False)
    visitor.send({"type": "hello", "tokens": table.tokens})
    snapshot = visitor.wait_for("snapshot")
    assert snapshot["yours"] == [0, 1] and snapshot["decision"]["mine"]
    assert snapshot["you"] == snapshot["decision"]["player"]
    visitor.close()


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ({"type": "hello", "token": "wrong"}, 4403),
        ({"type": "hello"}, 4403),
        ({"type": "choose", "decision": 0, "answer": 1}, 4400),
        ({"type": "hello", "token": "x", "extra": 1}, 4400),
        ("nonsense", 4400),
        ({"type": "hello", "token": "x" * 5000}, 4400),
    ],
)
def test_who_does_not_say_hello_properly_is_shown_nothing(server: Server, first: object, code: int) -> None:
    table = server.begin()
    visitor = Visitor(table, "", hello=False)
    visitor.send(first)
    heard = []
    with pytest.raises(ConnectionClosed) as closed:
        while True:
            heard.append(visitor.receive())
    assert closed.value.rcvd is not None and closed.value.rcvd.code == code
    assert all(message["type"] == "refused" for message in heard)


def test_a_socket_of_no_game_is_refused(server: Server) -> None:
    table = server.begin()
    for id in ("zzzzzzzzzzzz", "..", "%00"):
        table.path = f"/api/games/{id}"
        with pytest.raises(WebSocketException):
            visitor = Visitor(table, table.both)
            while True:
                assert visitor.receive()["type"] == "refused"


def test_a_message_that_cannot_be_read_ends_the_visit_and_changes_nothing(server: Server) -> None:
    table = server.begin()
    for nonsense in (
        "{",
        "[]",
        '{"type":"choose"}',
        '{"type":"cheat"}',
        "[" * 20_000,
        '{"type":"choose","decision":0,"answer":' + "[" * 20_000,
        "\x00",
        json.dumps({"type": "chat", "text": ""}),
    ):
        visitor = table.socket(table.both)
        visitor.wait_for("snapshot")
        visitor.socket.send(nonsense)
        with pytest.raises(ConnectionClosed):
            while True:
                visitor.receive()
    assert table.look()["version"] == 0 and table.look()["chat"] == []


# -- computers --------------------------------------------------------------------------------------


def play_against_computer(table: Table, most: int = 3000, seed: int = 2) -> dict[str, object]:
    chance = random.Random(seed)
    visitor = table.socket(table.tokens[0])
    shown = visitor.wait_for("snapshot")
    for _ in range(most):
        if shown["over"]:
            break
        if shown["decision"]["mine"]:
            answer = some_answer(shown["decision"], chance)
            visitor.send({"type": "choose", "decision": shown["version"], "answer": answer, "id": 0})
        shown = visitor.wait_for("update", timeout=30)
    visitor.close()
    return shown


def test_a_whole_game_against_the_computer_is_played_and_stored_like_any_other(server: Server) -> None:
    table = server.begin(seats=[{"kind": "human"}, {"kind": "computer", "level": "random"}])
    end = play_against_computer(table)
    assert end["over"]
    kept = server.games._games.pop(table.id)
    again = table.look(table.tokens[0])  # rebuilt from the journal
    assert again["log"] == [json.loads(bytes(line)) for line in kept.lines] and again["over"]
    assert set(kept.makers) == {0, 1}


def test_two_computers_fight_only_while_somebody_watches(server: Server) -> None:
    table = server.begin(seats=[{"kind": "computer", "level": "random"}, {"kind": "computer", "level": "random"}])
    time.sleep(0.2)
    assert table.look(table.spectator)["version"] == 0
    visitor = table.socket(table.spectator)
    visitor.wait_for("update", timeout=20)
    visitor.close()


def test_undo_against_the_computer_takes_its_answer_back_too(server: Server) -> None:
    table = server.begin(seats=[{"kind": "human"}, {"kind": "computer", "level": "random"}])
    chance = random.Random(1)
    visitor = table.socket(table.tokens[0])
    shown = visitor.wait_for("snapshot")
    makers = server.games._games[table.id].makers
    while not (shown["decision"]["mine"] and 0 in makers and makers[-1] == 1):  # deployment: no dice
        if shown["decision"]["mine"]:
            answer = some_answer(shown["decision"], chance)
            visitor.send({"type": "choose", "decision": shown["version"], "answer": answer})
        shown = visitor.wait_for("update", timeout=20)
    before = list(makers)
    assert shown["can_undo"]
    assert table.do("undo", token=table.tokens[0]).status_code == 200
    last_of_mine = len(before) - 1 - before[::-1].index(0)
    assert table.look(table.tokens[0])["choices"] == last_of_mine
    visitor.close()


def test_computers_think_in_processes_of_their_own(tmp_path: Path) -> None:
    with serving(tmp_path, thinkers=1) as server:
        table = server.begin(seats=[{"kind": "human"}, {"kind": "computer", "level": "regular"}])
        end = play_against_computer(table, most=30)
        assert int(str(end["choices"])) >= 15
        assert 1 in server.games._games[table.id].makers


# -- typed dice -------------------------------------------------------------------------------------


def test_at_a_real_table_people_type_the_dice_even_the_computers(server: Server) -> None:
    table = server.begin(dice="typed", seats=[{"kind": "human"}, {"kind": "computer", "level": "random"}])
    token = table.tokens[0]
    chance = random.Random(4)
    typed: set[int] = set()
    deadline = time.monotonic() + 40
    while len(typed) < 2 and time.monotonic() < deadline:
        shown = table.look(token)
        assert not shown["over"] and shown["dice"] == "typed" and shown["commitment"] == ""
        if not shown["decision"]["mine"]:
            time.sleep(0.01)
            continue
        if shown["decision"]["shape"] == "dice":
            typed.add(shown["decision"]["player"])
        table.choose(some_answer(shown["decision"], chance), shown["version"], token)
    assert typed == {0, 1}


# -- limits of sockets ------------------------------------------------------------------------------


def test_one_address_gets_only_so_many_sockets(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(LIMITS, sockets_per_address=5)
    with serving(tmp_path, limits=limits) as server:
        table = server.begin()
        held = [table.socket(table.spectator) for _ in range(5)]
        for visitor in held:
            visitor.wait_for("snapshot")
        for _ in range(20):
            with pytest.raises(WebSocketException):
                Visitor(table, table.spectator).wait_for("snapshot", timeout=2)
        held[0].close()
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            try:
                late = table.socket(table.spectator)
                late.wait_for("snapshot", timeout=2)
                break
            except WebSocketException:
                time.sleep(0.05)
        else:
            pytest.fail("a freed place was not given to anybody")
        assert table.look()["version"] == 0


def test_a_socket_that_talks_too_much_is_closed(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(LIMITS, messages_per_second=1.0, messages_burst=10.0)
    with serving(tmp_path, limits=limits) as server:
        table = server.begin()
        visitor = table.socket(table.both)
        visitor.wait_for("snapshot")
        with pytest.raises(ConnectionClosed) as closed:
            for number in range(50):
                visitor.send({"type": "ping", "id": number})
            while True:
                visitor.receive()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4429


def test_a_message_of_a_megabyte_ends_the_visit(server: Server) -> None:
    table = server.begin()
    visitor = table.socket(table.both)
    visitor.wait_for("snapshot")
    with pytest.raises(ConnectionClosed):
        visitor.send({"type": "chat", "text": "x" * 1_000_000})
        while True:
            visitor.receive()
    assert table.look()["chat"] == []


def test_who_says_nothing_is_sent_away(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(LIMITS, hello_seconds=0.2)
    with serving(tmp_path, limits=limits) as server:
        visitor = Visitor(server.begin(), "", hello=False)
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                visitor.receive()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4408


def test_settings_have_sensible_defaults() -> None:
    assert Settings().hosts == ("localhost", "127.0.0.1", "[::1]", "::1")
    assert Settings(host="0.0.0.0").hosts == ()
    assert Settings(database="postgres://a@b/c").database_url == "postgresql+psycopg://a@b/c"
    assert Settings(database="x/games.db").database_url == "sqlite:///x/games.db"
