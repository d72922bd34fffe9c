"""Puzzles: mined from self-play, sound by the rules of today, judged by what was done and not by luck."""

from __future__ import annotations

import json
import shutil
from datetime import date, timedelta

import msgspec
import pytest

from dieselfront import rulebook, rulesets
from dieselfront.kernel.meaning import ACTS
from dieselfront.lab import blunders, puzzles
from dieselfront.lab.crew import Crew
from dieselfront.lab.moments import MomentError
from dieselfront.lab.puzzle_mine import GAP, Mining, mine
from dieselfront.lab.puzzles import OBJECTIVE, Puzzle

SHIPPED = [pytest.param(one, id=f"{one.ruleset}-{one.id}") for one in puzzles.every_puzzle()]


def solved(puzzle: Puzzle) -> list:
    """The choices of both sides that the solution comes to, from the position on."""
    began = len(puzzles.start(puzzle).choices)
    game = puzzles.start(puzzle)
    scene = blunders.play_on(
        game,
        puzzle.blunder.side,
        blunders.Solver(puzzle.blunder),
        blunders.Bystander(puzzle.blunder, "0"),
        puzzle.blunder.lengths,
    )
    return list(scene.game.choices)[began:]


def test_every_game_brings_puzzles():
    assert {one.ruleset for one in puzzles.every_puzzle()} == set(rulesets.names())


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_the_puzzles_of_a_game_are_sound_by_the_rules_of_today(ruleset):
    assert puzzles.broken(ruleset) == {}


@pytest.mark.parametrize("puzzle", SHIPPED)
def test_a_puzzle_has_a_clear_answer_and_known_themes(puzzle):
    assert puzzle.facts.best - puzzle.facts.next_best >= GAP - 0.001
    assert set(puzzle.facts.themes) <= {*ACTS, OBJECTIVE}
    assert set(puzzle.blunder.rules) <= set(rulebook.all_ids())


def test_an_answer_is_judged_by_what_was_done():
    puzzle = puzzles.puzzles("dust1947")[0]
    choices = solved(puzzle)
    assert puzzles.judge(puzzle, choices[:1]) == puzzles.Verdict(False, False, puzzles.judge(puzzle, choices[:1]).did)
    assert puzzles.judge(puzzle, choices).right
    other = msgspec.structs.replace(puzzle, blunder=msgspec.structs.replace(puzzle.blunder, expect={"unit": "nobody"}))
    verdict = puzzles.judge(other, choices)
    assert verdict.done and not verdict.right and verdict.did


def test_an_answer_that_is_not_legal_is_refused():
    puzzle = puzzles.puzzles("dust1947")[0]
    with pytest.raises(blunders.BlunderError):
        puzzles.judge(puzzle, ["nobody"])


def test_a_puzzle_whose_battle_goes_another_way_says_so():
    puzzle = puzzles.puzzles("dust1947")[0]
    elsewhere = msgspec.structs.replace(puzzle.blunder.battle, stands="0" * 16)
    moved = msgspec.structs.replace(puzzle, blunder=msgspec.structs.replace(puzzle.blunder, battle=elsewhere))
    with pytest.raises(MomentError, match="goes another way"):
        puzzles.start(moved)
    unplayable = msgspec.structs.replace(elsewhere, choices='["nobody"]')
    moved = msgspec.structs.replace(puzzle, blunder=msgspec.structs.replace(puzzle.blunder, battle=unplayable))
    with pytest.raises(MomentError, match="cannot be played again"):
        puzzles.start(moved)


def test_all_puzzles_have_their_day_before_one_comes_again():
    number = len(puzzles.every_puzzle())
    first = date.fromordinal(740_000 // number * number)
    days = [puzzles.daily((first + timedelta(days=day)).isoformat()) for day in range(number)]
    assert len({(one.ruleset, one.id) for one in days}) == number
    assert puzzles.daily("2026-01-01", "warfare").ruleset == "warfare"
    with pytest.raises(blunders.BlunderError, match="no day"):
        puzzles.daily("soon")


def test_mining_gives_the_same_puzzles_for_any_number_of_workers_and_writes_files_that_hold(tmp_path):
    wanted = Mining("dust1947", puzzles=1, games=2)
    alone = mine(wanted)
    with Crew(2) as crew:
        assert mine(wanted, crew) == alone
    file = puzzles.write(alone[0], tmp_path)
    (read,) = puzzles.in_folder(tmp_path)
    assert read.facts == alone[0].puzzle and read.blunder.expect == alone[0].expect
    assert blunders.judge(read.blunder, blunders.play(read.blunder, blunders.Solver(read.blunder)))
    assert file.stem == read.id


def test_a_puzzle_used_for_tuning_is_marked_and_not_tried_again(tmp_path, dieselfront):
    folder = rulesets.folders()["dust1947"] / "puzzles"
    source = sorted(folder.glob("*.yaml"))[0]
    file = tmp_path / source.name
    shutil.copy(source, file)
    assert dieselfront("lab", "puzzles", "--mark-used", str(file))[0] == 0
    marked = puzzles.read_puzzle(file.read_bytes(), file.stem)
    before = puzzles.read_puzzle(source.read_bytes(), source.stem)
    assert before.facts.tuning == "fresh" and marked.facts == msgspec.structs.replace(before.facts, tuning="used")
    assert marked.blunder.battle == before.blunder.battle


def test_the_blunder_suite_tries_puzzles(dieselfront):
    id = puzzles.puzzles("dust1947")[0].id
    command = ["lab", "blunders", "--puzzles", "--only", id, "--player", "random", "--seeds", "2", "--json"]
    report = json.loads(dieselfront(*command)[1])
    assert report["total"] == 1 and report["positions"][0]["tries"] == 2
    with pytest.raises(blunders.BlunderError, match="does not exist"):
        puzzles.unused("dust1947", ["chess"])


def test_puzzles_are_mined_and_resumed_on_the_command_line(tmp_path, dieselfront):
    command = ["lab", "puzzles", "-n", "1", "--games", "2", "--resume", str(tmp_path / "resume"), "--json"]
    code, out, _ = dieselfront(*command, "-o", str(tmp_path / "mined"))
    first = json.loads(out)
    assert code == 0 and [str(file) for file in (tmp_path / "mined").iterdir()] == first["files"]
    again = json.loads(dieselfront(*command)[1])
    assert again["puzzles"] == first["puzzles"]
    assert dieselfront("lab", "puzzles", "--mark-used", str(tmp_path / "nothing.yaml"))[0] != 0
