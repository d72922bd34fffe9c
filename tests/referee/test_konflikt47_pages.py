"""Pages of battles on a measured table, and the command that draws a position."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from dieselfront.cli.terminal.page import page
from dieselfront.cli.terminal.report import Story, tell
from dieselfront.kernel.record import dump, record
from dieselfront.lab.simulate import Matches, line_up, play_out, seed_of
from dieselfront.players import make
from dieselfront.scenarios import battle
from tests.cli.commands import runner

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@cache
def told() -> Story:
    """A random battle."""
    matches = Matches("konflikt47", seed="page", scenario="crossroads")
    header, _ = line_up(matches, 0)
    game = battle.start(header, seed_of(matches, 0))
    player = make("random", "page", "konflikt47")
    play_out(game, [player, player])
    return tell(dump(record(game)), "test.json")


def data() -> dict:
    found = re.search(r'id="battle">(.*?)</script>', page(told()), re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_a_page_holds_the_table_and_draws_every_unit_when_it_comes():
    text = page(told())
    assert 'id="board"' in text and 'id="units"' in text and "{{" not in text
    assert ">Woods</text>" in text
    battle_data = data()
    drawn = {id for frame in battle_data["frames"] for id, state in frame["units"].items() if state[8]}
    assert drawn and drawn <= set(battle_data["units"])
    assert all("<circle" in state[8] or "<polygon" in state[8]
               for frame in battle_data["frames"] for state in frame["units"].values() if state[8])  # fmt: skip


def test_frames_hold_only_what_changed():
    frames = data()["frames"]
    assert len(frames[0]["units"]) > len(frames[-1]["units"])
    assert all(frame["terrain"] in ({}, {"changes": ""}) for frame in frames[:3])


def test_the_command_draws_a_measured_table(tmp_path, capsys, monkeypatch):
    out = tmp_path / "out.svg"
    run = runner(capsys, monkeypatch)
    code, shown, _ = run("referee", EXAMPLES / "konflikt47-reach.yaml", "--svg", out, "--json")
    assert code == 0
    text = out.read_text("utf-8")
    assert "where the hull can end" in text and "in reach, up to" in text
    assert json.loads(shown)["answers"][0]["reached"] is True
