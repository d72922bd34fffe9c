"""Case files: what they expect is compared with what comes, and every case that does not hold says why."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from dieselfront import players, referee, rulesets
from dieselfront.kernel.game import Game
from dieselfront.kernel.record import new_game
from dieselfront.referee.cases import check, check_file
from dieselfront.referee.expectations import at_path, mismatch
from dieselfront.scenarios import battle, library

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "cases"

CASE = """\
ruleset: dust1947
title: A case
size: 12x6
units:
  a1: {card: allies-ranger-recon-squad, place: D3}
  b1: {card: axis-sturmgrenadier-recon-squad, place: G3}
turn: blue
"""
ATTACK = """\
do:
  - activate: a1
  - actions: attack
  - declare: machinegun at b1
    dice: [ARMY, ARMY, ARMY, TARGET, SHIELD, SHIELD,  SHIELD, ARMY, TARGET]
  - casualty: assault rifle
  - casualty: assault rifle
"""


def why(more: str) -> str:
    """Why a case does not hold; nothing if it does."""
    ((_, reason),) = check_file((CASE + more).encode(), "case.yaml")
    return reason


def test_the_examples_hold():
    report = check(EXAMPLES)
    assert report.cases >= 8 and report.held == report.cases, report.failed


def test_every_case_of_the_page_holds():
    page = (ROOT / "docs" / "referee.md").read_text("utf-8")
    blocks = [block.partition("```")[0] for block in page.split("```yaml\n")[1:]]
    cases = [block for block in blocks if block.startswith("ruleset") and "expect" in block]
    assert len(cases) >= 3
    for block in cases:
        assert all(not reason for _, reason in check_file(block.encode(), "docs/referee.md")), block


# -- facts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expected", "actual", "holds"),
    [
        (True, True, True),
        ("yes", True, True),
        (False, True, False),
        (3, 3.0003, True),
        (3, 3.01, False),
        ("Under-Fire", "under fire", True),
        (2, ["a", "b"], True),
        ("none", None, True),
        (["b", "a"], ["a", "b"], True),
        (["a"], ["a", "b"], False),
        ({"has": "a"}, ["a", "b"], True),
        ({"has": ["a", "c"]}, ["a", "b"], False),
        ({"lacks": "c"}, ["a", "b"], True),
        ({"has": "in cover"}, "it is in cover.", True),
        ({"least": 2, "most": 4}, 3, True),
        ({"least": 2}, 1, False),
        ({"about": 0.5, "within": 0.1}, 0.45, True),
        ({"about": 0.5}, 0.45, False),
        ({"any": [1, 2]}, 2, True),
        ({"not": 2}, 2, False),
        ({"count": 1}, ["a"], True),
        ({"weapons.Rifle.usable": True}, {"weapons": [{"weapon": "Rifle", "usable": True}]}, True),
        ({"lines.1.rules": "x.y"}, {"lines": [{"rules": ["x.y", "x.z"]}]}, True),
        ({"lines.2.cover": True}, {"lines": [{"cover": True}]}, False),
    ],
)
def test_a_fact_is_compared_with_what_is_written(expected: Any, actual: Any, holds: bool) -> None:
    assert (mismatch(expected, actual, "it") is None) is holds


def test_a_path_goes_into_lists_by_number_or_name():
    facts = {"weapons": [{"weapon": "Machine Gun", "n": 1}, {"weapon": "Rifle", "n": 2}], "a.b": 3}
    assert at_path(facts, "weapons.2.n") == (True, 2)
    assert at_path(facts, "weapons.machine-gun.n") == (True, 1)
    assert at_path(facts, "a.b") == (True, 3)
    assert at_path(facts, "weapons.3.n") == (False, None)


# -- what a case may expect -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "expected",
    [
        "ask: [{range: {from: a1, to: b1}, expect: {range: 3, weapons.Machinegun.reaches: yes}}]\n",
        ATTACK + "expect: {units: {b1: {models: 3, tokens: [under fire], place: G3}}}\n",
        ATTACK + "expect: {events: [SoldierLost, {kind: Rolled, times: 2}], no_events: [Passed]}\n",
        ATTACK + "expect: {sequence: [Activated, Rolled, SoldierLost]}\n",
        ATTACK + "expect: {decision: {key: activate, player: red, legal: [b1], illegal: [a1]}}\n",
        ATTACK + "expect: {state: {turn: 1}, score: [0, 0]}\n",
        "do:\n  - activate: a1\n    expect:\n      decision:\n"
        "        illegal: [{answer: attack + attack, rule: d47.turn.one_move_one_attack}]\n",
        "do: [{activate: b1, refused: yes}, {activate: a1}]\nexpect: {decision: actions}\n",
        "do: [{activate: a1}, {actions: attack + attack, refused: d47.turn.one_move_one_attack}]\n",
        "do: [{activate: a1}, {actions: attack}, {declare: machinegun at b1}]\nexpect: {decision: dice}\n",
    ],
)
def test_expectations_that_are_met_hold(expected: str) -> None:
    assert not why(expected)


def test_a_position_may_be_expected_to_be_refused():
    ((_, reason),) = check_file((CASE.replace("D3", "Z9") + "refused: off the board\n").encode(), "case.yaml")
    assert not reason


@pytest.mark.parametrize(
    ("expected", "reason"),
    [
        ("ask: [{range: {from: a1, to: b1}, expect: {range: 4}}]\n", "line 8: range range is 3, expected 4"),
        ("ask: [{range: {from: a1, to: b1}, expect: {rnage: 4}}]\n", "range has no 'rnage'; did you mean range"),
        ("do: [{activate: a1}]\nexpect: {events: [Passed]}\n", "no event Passed; there were Activated"),
        ("do: [{activate: a1}]\nexpect: {no_events: [Activated]}\n", "an event Activated was not expected"),
        ("do: [{activate: a1}]\nexpect: {units: {a1: {place: E3}}}\n", "a1 stands at D3, expected E3"),
        ("do: [{activate: a1}]\nexpect: {decision: react}\n", "the game waits for actions, expected react"),
        ("do: [{activate: a1, refused: yes}]\n", "step 1 (activate) was carried out, not refused"),
        ("do: [{activate: a1, expect: {decision: {illegal: [move]}}}]\n", "move is legal, expected that it is refused"),
        ("do: [{activate: a1, expect: {decision: {legal: [fly]}}}]\n", "fly is refused: "),
        ("do: [{activate: a1, expect: {decision: {player: red}}}]\n", "side 1 decides, expected red"),
        ("do: [{activate: b1, refused: d47.turn.pass}]\n", "it was refused otherwise"),
        ("refused: yes\n", "the file was accepted, expected that it is refused"),
        ("ask: [{range: {from: a1, to: b1}}]\n", "the case expects nothing"),
        ("do: [{activate: c1}]\nexpect: {}\n", "line 8: activate: 'c1' is not among"),
        ("expect: {evnts: []}\n", "unknown key 'evnts' of expect; did you mean events"),
    ],
)
def test_expectations_that_are_not_met_say_what_came_instead(expected: str, reason: str) -> None:
    assert reason in why(expected)


def test_several_cases_share_a_position_or_follow_each_other():
    common = (
        CASE
        + """\
cases:
  - {title: one, units: {a1: {place: B3}}, ask: [{range: {from: a1, to: b1}, expect: {range: 5}}]}
  - {title: two, units: {a1: {tokens: [under fire]}}, expect: {units: {a1: {tokens: [under fire], place: D3}}}}
  - {title: three, units: {b1: }, expect: {state: {units: 1}}}
"""
    )
    assert list(check_file(common.encode(), "x")) == [("one", ""), ("two", ""), ("three", "")]
    stream = CASE + "expect: {state: {turn: 1}}\n---\n" + CASE + "expect: {state: {turn: 2}}\n"
    assert [bool(reason) for _, reason in check_file(stream.encode(), "x")] == [False, True]


def test_a_file_of_several_cases_is_no_single_question():
    for text in (CASE + "---\n" + CASE, CASE + "cases: [{title: one}]\n"):
        with pytest.raises(referee.RefereeError, match="holds several cases; `dieselfront referee check` runs them"):
            referee.judge(text.encode())


def test_a_folder_is_checked_in_one_go(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "good.yaml").write_text(CASE + "expect: {state: {turn: 1}}\n")
    (tmp_path / "deep" / "bad.yml").write_text(CASE + "expect: {state: {turn: 9}}\n")
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "readme.md").write_text("no case")
    report = check(tmp_path)
    assert (report.cases, report.held) == (3, 1)
    assert [(one.file, one.case) for one in report.failed] == [
        ("broken.json", "the whole file"),
        ("deep/bad.yml", "A case"),
    ]


def test_a_thousand_cases_take_less_than_a_minute():
    """Measured on a few, so that the suite stays quick."""
    started = time.process_time()
    count = 0
    for _ in range(3):
        report = check(EXAMPLES)
        count += report.cases
        assert report.held == report.cases
    assert (time.process_time() - started) / count < 0.06


# -- from running games -------------------------------------------------------------------------------


def played(ruleset: str, choices: int, seed: str) -> Game:
    board = library.find(library.names(ruleset)[0], ruleset)
    forces = [battle.army(one, ruleset) for one in battle.starters(ruleset)[:2]]
    header = battle.header(ruleset, board, forces, seed=seed, seats=["Ann", "Bob"], options={}, salt="")
    game = new_game(rulesets.load(ruleset), header, seed)
    player = players.make("random", seed, ruleset)
    while game.pending is not None and len(game.choices) < choices:
        game.choose(player.choose(game))
    return game


@pytest.mark.parametrize("ruleset", ["dust1947", "freeform1947", "konflikt47"])
@pytest.mark.parametrize("choices", [9, 64, 101])
def test_a_running_game_writes_a_case_that_holds(ruleset: str, choices: int) -> None:
    game = played(ruleset, choices, f"case {choices}")
    before = len(game.choices)
    text = referee.case_text(game)
    assert next(check_file(text.encode(), "x"))[1] == ""
    assert "Ann" not in text and game.header.commitment not in text and len(game.choices) == before
    case = referee.case_of(game)
    assert case["do"] and case["expect"]["sequence"]
    came_back = referee.judge(json.dumps(case | {"expect": {}}).encode())
    assert [unit["id"] for unit in came_back.state["units"]] == [
        unit["id"] for unit in game.rules.view(game.state)["units"]
    ]


def test_a_written_case_fails_when_it_expects_something_else():
    case = referee.case_of(played("dust1947", 40, "x"))
    case["expect"] = {"sequence": ["the moon falls"]}
    assert "the moon falls" in next(check_file(json.dumps(case).encode(), "x"))[1]


def test_a_forged_game_is_refused_in_one_sentence():
    case = referee.case_of(played("dust1947", 40, "x"))
    case["played"]["choices"] = "[17]"
    with pytest.raises(referee.RefereeError, match="cannot be played again"):
        referee.judge(json.dumps(case).encode())
