"""The blunder suite: every position is well-posed, its answer is legal and not to be had by chance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dieselfront import rulebook, rulesets
from dieselfront.lab import blunders
from dieselfront.lab.blunder_words import BadCondition, holds
from dieselfront.lab.blunders import Blunder, BlunderError, Solver

SUITE = {ruleset: blunders.load(ruleset) for ruleset in rulesets.names()}
FRESH = {ruleset: blunders.load(ruleset, fresh=True) for ruleset in rulesets.names()}
KNOWN = [blunder for suite in SUITE.values() for blunder in suite]
UNSEEN = [blunder for suite in FRESH.values() for blunder in suite]
ALL = [*KNOWN, *UNSEEN]
LUCKY_TRIES = 60
PLAIN = b"""
title: A plain shot
ruleset: dust1947
why: Somebody stands there.
rules: [d47.attack.declare.weapon_target]
size: 8x6
units:
  - {id: a1, card: axis-grenadier-battle-squad, side: blue, place: B3}
  - {id: b1, card: allies-usmc-fire-squad, side: red, place: F3}
turn: blue
expect: {target: b1}
solution:
  - actions: sustained
  - declare: assault rifle (leader) at b1
"""


def named(blunder: Blunder) -> str:
    return f"{blunder.ruleset}-{blunder.id}"


def plain(**changes: str) -> Blunder:
    """The plain shot with some lines told otherwise."""
    text = PLAIN.decode()
    for key, value in changes.items():
        line = next(line for line in text.splitlines() if line.startswith(f"{key}:"))
        text = text.replace(line, f"{key}: {value}")
    return blunders.read_blunder(text.encode(), "plain")


def solved(blunder: Blunder) -> Any:
    return blunders.play(blunder, Solver(blunder))


@pytest.mark.parametrize("blunder", ALL, ids=named)
def test_the_right_answer_is_legal_and_right(blunder: Blunder) -> None:
    assert blunders.judge(blunder, solved(blunder))


@pytest.mark.slow
@pytest.mark.parametrize("blunder", ALL, ids=named)
def test_chance_seldom_finds_the_right_answer(blunder: Blunder) -> None:
    tries = [blunders.attempt(blunder, "random", str(seed)) for seed in range(LUCKY_TRIES)]
    assert sum(one.right for one in tries) < LUCKY_TRIES / 2


@pytest.mark.parametrize("blunder", ALL, ids=named)
def test_every_position_says_why_and_names_rules_that_exist(blunder: Blunder) -> None:
    known = frozenset(rulebook.all_ids())
    assert blunder.rules and all(rule in known for rule in blunder.rules)
    assert blunder.why.endswith(".") and len(blunder.why) > 20


def test_the_suite_is_large_enough_and_knows_special_rules() -> None:
    assert len(SUITE["dust1947"]) >= 132 and len(SUITE["konflikt47"]) >= 90
    assert all(len(suite) >= 12 for suite in SUITE.values())
    assert sum(blunder.special for blunder in KNOWN) >= 174


def test_the_fresh_positions_stand_apart_and_bring_new_special_rules() -> None:
    assert len(FRESH) == 5
    assert all(len(suite) >= 11 for suite in FRESH.values())
    assert all(2 * sum(blunder.special for blunder in suite) >= len(suite) for suite in FRESH.values())
    asked = {rule for blunder in KNOWN for rule in blunder.rules}
    assert sum(blunder.special and not asked.issuperset(blunder.rules) for blunder in UNSEEN) >= 10
    assert not {named(blunder) for blunder in KNOWN} & {named(blunder) for blunder in UNSEEN}


def test_the_majority_of_the_tries_counts() -> None:
    blunder = plain()
    right, wrong = blunders.Try(True, ["a"], 0.0), blunders.Try(False, ["b"], 0.0)
    assert blunders.result(blunder, [right, wrong, right]).found
    assert not blunders.result(blunder, [right, wrong, wrong]).found
    assert blunders.result(blunder, [right, wrong, right]).did == ["b"], "what is shown is what went wrong"


def test_the_same_seed_gives_the_same_try() -> None:
    blunder = plain()
    one, two = (blunders.attempt(blunder, "random", "7") for _ in range(2))
    assert (one.right, one.did) == (two.right, two.did)


@pytest.mark.parametrize(
    ("condition", "true"),
    [
        ({"unit": "a1"}, True),
        ({"unit": "a2"}, False),
        ({"action": "sustained"}, True),
        ({"action": ["move", "march"]}, False),
        ({"target": ["b1"]}, True),
        ({"weapon": {"assault rifle": "b1", "machinegun": "none"}}, True),
        ({"weapon": {"assault rifle": "none"}}, False),
        ({"aim": {"assault rifle": "b1"}}, True),
        ({"aim": {"machinegun": "b1"}}, False),
        ({"aim": {"assault rifle": "salvo"}}, False),
        ({"answer": {"actions": "sustained"}}, True),
        ({"answer": {"react": "none"}}, False),
        ({"never": {"actions": "sustained"}}, False),
        ({"at": {"a1": ["B3", "B4"]}}, True),
        ({"at": {"a1": "C3"}}, False),
        ({"near": {"unit": "a1", "to": "b1", "most": 4}}, True),
        ({"near": {"unit": "a1", "to": "b1", "most": 3}}, False),
        ({"near": {"unit": "a1", "to": "F3", "least": 5}}, False),
        ({"cover": "a1"}, False),
        ({"hidden": {"a1": "b1"}}, False),
        ({"sees": {"a1": "b1"}}, True),
        ({"aboard": {"a1": "none"}}, True),
        ({"keeps": {"a1": "machinegun"}}, True),
        ({"keeps": {"a1": "bazooka"}}, False),
        ({"stays": "a1"}, True),
        ({"moves": "a1"}, False),
        ({"not": {"unit": "a1"}}, False),
        ({"any": [{"unit": "a2"}, {"target": "b1"}]}, True),
        ({"all": [{"unit": "a2"}, {"target": "b1"}]}, False),
        ({"unit": "a1", "target": "a1"}, False),
    ],
)
def test_conditions_look_at_choices_and_at_the_table(condition: Any, true: bool) -> None:
    assert holds(solved(plain()), condition) is true


MEASURED = b"""
title: A walk on a measured table
ruleset: warfare
why: Somebody stands there.
rules: [dw.action.move]
size: 48in x 48in
terrain: ["forest at 10in, 20in size 8in x 6in"]
objectives: [{id: the wood, at: [14, 23], points: 5}]
units:
  a1: {card: allies-bot-hunters, place: "14in, 28in"}
  b1: {card: ssu-frontoviki, place: "14in, 12in"}
  b2: {card: ssu-matrioshka, place: "30in, 12in", facing: south}
expect: {moves: a1}
solution:
  - actions: move, attack
  - move: 14in, 23.5in
  - target: choose
  - weapons: 3 M1 Automatic Rifle at b1, 2 M9 Bazooka at b1
"""


@pytest.mark.parametrize(
    ("condition", "true"),
    [
        ({"unit": "a1"}, True),
        ({"unit": "b1"}, False),
        ({"action": "move + attack"}, True),
        ({"action": "attack + move"}, False),
        ({"action": "march"}, False),
        ({"target": "b1"}, True),
        ({"target": "b2"}, False),
        ({"weapon": {"M9 Bazooka": "b1", "Under-Barrel": "none"}}, True),
        ({"weapon": {"M9 Bazooka": "b2"}}, False),
        ({"near": {"unit": "a1", "to": "14in, 23.5in", "most": 1}}, True),
        ({"near": {"unit": "a1", "to": "the wood", "least": 3}}, False),
        ({"near": {"unit": "a1", "to": "b1", "least": 8}}, True),
        ({"holds": "the wood"}, True),
        ({"denies": "the wood"}, True),
        ({"cover": "a1"}, True),
        ({"cover": "b1"}, False),
        ({"covered": {"a1": ["b1", "b2"]}}, True),
        ({"covered": {"b2": "a1"}}, False),
        ({"hidden": {"a1": "b1"}}, False),
        ({"aboard": {"a1": "none"}}, True),
        ({"aboard": {"a1": "b2"}}, False),
        ({"keeps": {"a1": "M9 Bazooka"}}, True),
        ({"keeps": {"a1": "howitzer"}}, False),
        ({"moves": "a1"}, True),
        ({"stays": "b1"}, True),
        ({"stays": "a1"}, False),
    ],
)
def test_conditions_are_the_same_on_a_measured_table(condition: Any, true: bool) -> None:
    assert holds(solved(blunders.read_blunder(MEASURED, "measured")), condition) is true


def test_a_place_on_a_measured_table_must_be_one() -> None:
    with pytest.raises(BadCondition, match="nor a place"):
        holds(
            solved(blunders.read_blunder(MEASURED, "measured")), {"near": {"unit": "a1", "to": "the moon", "most": 1}}
        )


@pytest.mark.parametrize("condition", [{}, "b1", {"aimed": "b1"}, {"unit": "a1", "holds": "the moon"}])
def test_a_condition_nobody_understands_is_refused(condition: Any) -> None:
    with pytest.raises(BadCondition):
        holds(solved(plain()), condition)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"side": "green"}, "there is no side 'green'"),
        ({"expect": "{targets: b1}"}, "'targets' is no condition"),
    ],
)
def test_a_wrong_position_is_told_in_one_sentence(changes: dict[str, str], complaint: str) -> None:
    told = PLAIN.replace(b"turn: blue", b"turn: blue\nside: blue")
    text = told.decode()
    for key, value in changes.items():
        line = next(line for line in text.splitlines() if line.startswith(f"{key}:"))
        text = text.replace(line, f"{key}: {value}")
    with pytest.raises(BlunderError, match=complaint):
        blunder = blunders.read_blunder(text.encode(), "plain")
        blunders.judge(blunder, solved(blunder))


def test_a_position_that_leads_to_somebody_else_is_refused() -> None:
    with pytest.raises(BlunderError, match="not the decision of blue"):
        blunders.start(plain(turn="red"))


def test_a_position_without_a_solution_is_refused() -> None:
    with pytest.raises(BlunderError, match="'why' is missing"):
        blunders.read_blunder(PLAIN.replace(b"why:", b"text:"), "plain")


def test_an_unknown_position_or_game_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BlunderError, match="did you mean"):
        blunders.measure("dust1947", "random", only=["finish-the-walkers"])
    with pytest.raises(BlunderError, match="no fresh positions for chess in the blunder suite"):
        blunders.load("chess", fresh=True)
    monkeypatch.setattr(blunders, "_folder", lambda ruleset, fresh: FRESH[ruleset] if fresh else [])
    with pytest.raises(BlunderError, match="no positions for warfare in the blunder suite; add --fresh"):
        blunders.load("warfare")


@pytest.mark.parametrize(
    ("id", "fresh", "advice"),
    [("both-ends-of-the-dam", False, "add --fresh"), ("last-turn-hold", True, "leave --fresh out")],
)
def test_a_position_of_the_other_set_is_told_to_be_there(id: str, fresh: bool, advice: str) -> None:
    with pytest.raises(blunders.BlunderError, match=advice):
        blunders.chosen("dust1947", [id], fresh)


def test_a_folder_of_ones_own_may_hold_positions_of_several_games(tmp_path: Path) -> None:
    short = PLAIN.split(b"solution:")[0].replace(b"why: Somebody stands there.\n", b"")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "shot.yaml").write_bytes(short)
    (tmp_path / "other.yaml").write_bytes(next(one for one in SUITE["konflikt47"]).data)
    both = blunders.in_folder(tmp_path)
    assert [(one.id, one.ruleset) for one in both] == [("mine/shot", "dust1947"), ("other", "konflikt47")]
    assert [one.id for one in blunders.in_folder(tmp_path, "dust1947")] == ["mine/shot"]
    assert [one.id for one in blunders.in_folder(tmp_path, only=["other"])] == ["other"]
    report = blunders.measure("dust1947", "veteran", 1, positions=both[:1])
    assert (report.found, report.total) == (1, 1)


@pytest.mark.parametrize(
    "name, text, ruleset, complaint",
    [
        ("here.yaml", b"title: nothing\n", "", "'ruleset' is missing"),
        ("here.yaml", PLAIN, "warfare", "no position of warfare"),
        ("here.txt", PLAIN, "", "There is no position in"),
    ],
)
def test_a_folder_that_does_not_serve_says_why(
    tmp_path: Path, name: str, text: bytes, ruleset: str, complaint: str
) -> None:
    (tmp_path / name).write_bytes(text)
    with pytest.raises(BlunderError, match=complaint):
        blunders.in_folder(tmp_path, ruleset)
    with pytest.raises(BlunderError, match="no folder"):
        blunders.in_folder(tmp_path / "nowhere")
