"""Records: bit for bit, in another process, and any change is noticed."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dieselfront.dice import commitment
from dieselfront.kernel.record import BrokenRecord, Header, Record, digest, dump, load, new_game, record, replay, verify
from tests.kernel.toy import Toy


def finished(seed: str = "secret") -> Record:
    header = Header("toy", "1", {}, [], ["Ann", "Bob"], commitment(seed), "salt")
    game = new_game(Toy(), header, seed)
    chance = Random(3)
    while game.pending is not None:
        game.choose(game.pending.sample(chance))
    return record(game)


def check(data: bytes) -> dict[str, object]:
    return verify(lambda name: Toy(), data)


def test_a_record_replays_to_the_same_digest():
    kept = finished()
    game = replay(Toy(), load(dump(kept)))
    assert digest(game) == kept.result["digest"]
    assert check(dump(kept))["ok"] is True


def test_an_unfinished_record_keeps_its_seed_secret():
    header = Header("toy", "1", {}, [], ["Ann", "Bob"], commitment("x"))
    game = new_game(Toy(), header, "x")
    game.choose("walk")
    kept = record(game)
    assert kept.seed is None and kept.result is None
    with pytest.raises(BrokenRecord, match="not been published"):
        replay(Toy(), kept)
    assert replay(Toy(), kept, seed="x").state.at == [1, 0]


def test_a_seed_that_is_not_the_committed_one_is_refused():
    kept = finished()
    kept.seed = "other"
    with pytest.raises(BrokenRecord, match="commitment"):
        check(dump(kept))


def test_another_version_of_the_rules_is_refused():
    kept = finished()
    kept.header = msgspec.structs.replace(kept.header, version="0")
    with pytest.raises(BrokenRecord, match="made with toy 0"):
        check(dump(kept))


@settings(max_examples=150)
@given(st.data())
def test_no_byte_of_a_record_can_change_unnoticed(data: st.DataObject):
    original = dump(finished())
    place = data.draw(st.integers(0, len(original) - 1))
    other = data.draw(st.integers(32, 126))
    changed = original[:place] + bytes([other]) + original[place + 1 :]
    try:
        same = json.loads(changed) == json.loads(original)
    except ValueError:
        same = False
    if same:
        return
    with pytest.raises(BrokenRecord):
        check(changed)


SCRIPT = """
import sys
from tests.kernel.test_record import Toy, load, replay, digest
print(digest(replay(Toy(), load(sys.stdin.buffer.read()))))
"""


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_another_process_with_another_hash_seed_replays_the_same(hash_seed: str):
    kept = finished()
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=dump(kept),
        env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode().strip() == kept.result["digest"]
