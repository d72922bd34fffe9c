"""Scenarios: the ones that come along, files of one's own, random boards."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from dieselfront import rulesets, scenarios
from dieselfront.lab.simulate import Matches, play_one
from dieselfront.rulesets.dust1947 import scenario as dust
from dieselfront.rulesets.dust1947.random_board import is_playable
from dieselfront.rulesets.konflikt47 import random_board as random_konflikt47
from dieselfront.rulesets.konflikt47.battle import make_table, read_battle
from dieselfront.scenarios import ScenarioProblem
from dieselfront.table.measured.random_board import DEPLOY, PAIRS, Box
from dieselfront.table.square import BoardBuilder

OWN = ("crossroads", "factory-yard", "river-line")
BASIC = (
    *("mud", "sand", "road", "trees", "large_trees", "swamp", "water", "rubble", "structure", "impassable"),
    *("ammo_crate", "ammo_dump", "tank_trap", "wreck", "building"),
)


def board(plain):
    rules = rulesets.load("dust1947")
    return dust.build(dust.read(plain), rules.terrain)


@pytest.mark.rule("d47.setup.board")
@pytest.mark.parametrize("name", scenarios.names("dust1947"))
def test_every_scenario_can_be_set_up(name):
    plain = scenarios.find(name, "dust1947")
    table = board(plain)
    assert plain["id"] == name
    assert (table.width, table.height) == tuple(plain["board"]["size"])


def test_the_three_plain_scenarios_use_every_basic_kind_of_terrain():
    used = set()
    walls = set()
    for name in OWN:
        table = board(scenarios.find(name, "dust1947"))
        used |= {kind for place in table.places() for kind in table.features(place)}
        walls |= {(wall.kind, wall.opening) for wall in table.walls().values()}
    assert used >= set(BASIC)
    assert {kind for kind, _ in walls} == {"high", "low"}
    assert {opening for _, opening in walls} >= {"none", "small", "large"}


@pytest.mark.parametrize("name", OWN)
def test_a_tank_can_drive_from_one_side_to_the_other(name):
    from dieselfront.table.square import Mover, Occupancy

    plain = scenarios.find(name, "dust1947")
    table = board(plain)
    rules = rulesets.load("dust1947")
    assert rules.terrain
    first, second = (dust.squares(table, zone["squares"]) for zone in plain["deploy"])
    start = next(place for place in first if not table.features(place))
    reach = table.reach(Mover("tracked", vehicle=True), start, table.size, Occupancy())
    assert any(place in reach for place in second)


def test_an_unknown_scenario_suggests_the_nearest():
    with pytest.raises(ScenarioProblem, match="no scenario 'crosroads' for dust1947; did you mean crossroads"):
        scenarios.find("crosroads", "dust1947")


def test_a_file_of_ones_own_is_read_and_checked(tmp_path):
    plain = scenarios.find("crossroads", "dust1947")
    mine = tmp_path / "mine.yaml"
    mine.write_text(yaml.safe_dump({**plain, "id": "mine"}))
    assert scenarios.find(str(mine), "dust1947")["id"] == "mine"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"board": {"size": [12, 9], "terrain": ["ruble at C4"]}}, "'ruble' is not a terrain kind"),
        ({"deploy": [{"squares": "A1-Z99"}, {"squares": "A1"}]}, "off the board"),
        ({"deploy": [{"squares": "A1"}]}, "expected 2 deployment areas"),
        ({"deploy": [{"squares": "A1", "facing": "up"}, {"squares": "A2"}]}, "nobody can face 'up'"),
        ({"goal": {"hold": ["the moon"]}}, "none of its objectives"),
        ({"trnus": 8}, "trnus"),
        ({"turns": "many"}, "turns"),
        ({"ruleset": "konflikt47"}, "not for dust1947"),
    ],
)
def test_a_broken_scenario_gets_one_sentence(tmp_path, change, message):
    plain = scenarios.find("crossroads", "dust1947")
    mine = tmp_path / "mine.yaml"
    mine.write_text(yaml.safe_dump(plain | change))
    with pytest.raises(ScenarioProblem) as caught:
        scenarios.find(str(mine), "dust1947")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("data", [b"[1, 2]", b"a: [", b"\xff\xfe", b"", b"- &a [*a]"])
def test_a_file_that_is_no_scenario_is_refused(tmp_path, data):
    mine = tmp_path / "mine.yaml"
    mine.write_bytes(data)
    with pytest.raises(ScenarioProblem):
        scenarios.find(str(mine), "dust1947")


@settings(max_examples=25)
@given(st.text(max_size=12))
def test_every_random_board_is_playable_and_fair(seed):
    plain = scenarios.find(f"random:{seed}", "dust1947")
    table = board(plain)
    goals = [table.xy(place) for goal in plain["objectives"] for place in dust.squares(table, goal["squares"])]
    assert is_playable(table, goals)
    for place in table.places():
        if table.level(place) == 0:
            x, y = table.xy(place)
            twin = table.place(table.width - 1 - x, table.height - 1 - y)
            assert table.features(place) == table.features(twin)


@settings(max_examples=40)
@given(st.text(max_size=12))
def test_every_random_table_of_konflikt_is_the_same_from_both_ends_and_leaves_room(seed):
    plain = scenarios.find(f"random:{seed}", "konflikt47")
    assert make_table(read_battle(plain)).pieces
    assert 4 <= len(plain["terrain"]) <= 2 * PAIRS
    boxes = [box_of(piece) for piece in plain["terrain"]]
    assert sorted((piece["kind"], box) for piece, box in zip(plain["terrain"], boxes, strict=True)) == sorted(
        (piece["kind"], box.turned()) for piece, box in zip(plain["terrain"], boxes, strict=True)
    )
    spots = [Box(x, y, x, y) for x, y in (goal["at"] for goal in plain.get("objectives", ()))]
    assert sorted(spots) == sorted(spot.turned() for spot in spots)
    assert not any(box.is_near(other) for box, other in combinations(boxes, 2))
    assert not any(box.is_near(spot) for box in boxes for spot in spots)
    assert all(box.top >= DEPLOY and box.bottom <= 48 - DEPLOY and box.left >= 0 and box.right <= 48 for box in boxes)


def box_of(piece):
    if "line" in piece:
        (x1, y1), (x2, y2) = sorted(piece["line"])
        return Box(x1, min(y1, y2), x2, max(y1, y2))
    (x, y), (width, depth) = piece["at"], piece["size"]
    return Box(x, y, x + width, y + depth)


def test_a_random_table_of_konflikt_is_fought_over_to_the_end():
    played = play_one(Matches("konflikt47", scenario="random:12", players=("regular", "random")), 0)
    assert played.scenario == "random:12"
    assert played.turns >= random_konflikt47.BOARDS.turns or played.winner is not None
    assert played.decisions > 50


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_every_game_has_random_boards(ruleset):
    assert scenarios.find("random:7", ruleset)["id"] == "random:7"


def test_a_random_board_of_an_unknown_game_says_which_games_there_are():
    with pytest.raises(rulesets.UnknownRuleset, match="There is no ruleset 'chess'; there are battlefield, dust1947,"):
        scenarios.find("random:7", "chess")


def test_a_board_whose_halves_are_walled_off_is_not_playable():
    kinds = rulesets.load("dust1947").terrain
    open_board = BoardBuilder(8, 8, kinds)
    assert is_playable(open_board.build(), [(3, 3)])
    assert not is_playable(open_board.piece("structure from A4 to H4").build(), [(3, 5)])


def test_a_random_board_is_the_same_in_another_process():
    code = "from dieselfront import scenarios; print(scenarios.find('random:42', 'dust1947'))"
    shown = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": hashed}
        ).stdout
        for hashed in ("1", "2")
    ]
    assert shown[0] == shown[1] != ""


def test_rulesets_are_found_by_name_and_unknown_ones_suggest_the_nearest():
    assert "dust1947" in rulesets.names()
    assert rulesets.load("dust1947").id == "dust1947"
    with pytest.raises(rulesets.UnknownRuleset, match="did you mean dust1947"):
        rulesets.load("dust1974")
