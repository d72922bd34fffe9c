"""Golden games: a recorded game per scenario replays move by move to the log that was reviewed."""

from __future__ import annotations

from pathlib import Path

import pytest

from dieselfront import rulesets
from dieselfront.kernel.record import load, replay, verify
from dieselfront.scenarios import library

FOLDER = Path(__file__).parent
RECORDS = sorted(FOLDER.glob("*.json"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_golden_game_replays_to_its_log(path: Path):
    data = path.read_bytes()
    assert verify(rulesets.load, data, path.name)["ok"]
    game = replay(rulesets.load(load(data).header.ruleset), load(data))
    names = game.rules.names(game.state)
    told = "".join(f"{event.sentence(names)}  [{event.rule}]\n" for event in game.events)
    assert told == path.with_suffix(".log").read_text("utf-8")


def test_every_scenario_of_dust_1947_has_its_golden_game():
    kept = {path.stem for path in RECORDS}
    assert {f"dust1947-{scenario}" for scenario in library.names("dust1947")} <= kept
