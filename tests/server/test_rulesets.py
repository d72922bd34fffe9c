"""Every ruleset that can be played is played on the server without a line of the server's knowing it."""

from __future__ import annotations

import json
import random

import msgspec
import pytest

from dieselfront import rulesets
from dieselfront.kernel.record import verify
from dieselfront.scenarios import library
from server.kit import Server

PLAYABLE = [name for name in rulesets.names() if library.names(name)]


@pytest.mark.parametrize("ruleset", PLAYABLE)
def test_a_ruleset_is_played_previewed_and_rebuilt(server: Server, ruleset: str) -> None:
    table = server.begin(ruleset=ruleset)
    chance = random.Random(6)
    for number in range(40):
        live = server.games._games[table.id]
        decision = live.game.pending
        assert decision is not None
        answer = json.loads(msgspec.json.encode(decision.sample(chance)))
        if number % 8 == 0:
            told = table.do("preview", {"decision": number, "answer": answer})
            assert told.status_code == 200, told.text
        done = table.choose(answer, number)
        assert done.status_code == 200, done.text
    shown = table.look()
    assert shown["version"] == 40 and shown["view"]["table"] and all(line["text"] for line in shown["log"])
    del server.games._games[table.id]
    assert table.look() == shown
    table.do("concede")
    assert verify(rulesets.load, server.get(f"{table.path}/record", table.both).content)["ok"]
