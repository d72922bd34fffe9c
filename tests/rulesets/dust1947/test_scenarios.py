"""The scenarios that come with Dust 1947: each can be played to its end, and together they use every mechanism."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from dieselfront.dice import commitment
from dieselfront.forces import dust_catalogue
from dieselfront.kernel.record import Header, digest, new_game
from dieselfront.rulesets.dust1947 import RULESET
from dieselfront.rulesets.dust1947 import scenario as scenarios
from dieselfront.rulesets.dust1947.scenario import ScenarioError
from dieselfront.scenarios import find, names

SCENARIOS = names("dust1947")
LEFT_BY_BATTLES = {"smoke"}


def read(name: str) -> scenarios.Scenario:
    return scenarios.read(find(name, "dust1947"))


def force(chance: random.Random, name: str) -> dict[str, Any]:
    """Some of everything, strongpoint units and engineers included."""
    cards = list(dust_catalogue())
    picks = [
        *chance.sample([card for card in cards if card.kind in ("infantry", "support")], 3),
        *chance.sample([card for card in cards if card.kind == "vehicle" and card.locomotion != "naval"], 2),
        chance.choice([card for card in cards if card.has("Dozer Blade") or card.has("Engineer Vehicle")]),
        chance.choice([card for card in cards if card.kind == "hero"]),
        chance.choice([card for card in cards if card.kind == "aircraft"]),
        chance.choice([card for card in cards if card.kind == "fortification"]),
    ]
    plain = {card.id: msgspec.to_builtins(card) for card in picks}
    return {"name": name, "bloc": "any", "cards": plain, "units": [{"cards": [card.id]} for card in picks]}


def play(name: str, seed: str) -> Any:
    chance = random.Random(f"{name}/{seed}")
    forces = [force(chance, "Blue"), force(chance, "Red")]
    header = Header("dust1947", "1", find(name, "dust1947"), forces, ["a", "b"], commitment(seed))
    game = new_game(RULESET, header, seed, keep_history=False)
    while (decision := game.pending) is not None:
        game.choose(decision.sample(chance))
    return game


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_scenario_is_played_to_its_end_with_units_of_every_kind(name):
    game = play(name, "1")
    assert game.state.phase == "over"
    assert game.state.turn <= read(name).turns


def test_the_same_seed_plays_the_same_game():
    assert digest(play("bunker-line", "7")) == digest(play("bunker-line", "7"))


def test_the_scenarios_use_every_mechanism_between_them():
    known = [read(name) for name in SCENARIOS]
    assert {one.weather for one in known} == {"none", "low", "medium", "high"}
    assert {one.severity for one in known if one.weather != "none"} >= {"random", "moderate", "severe"}
    assert {bool(one.reserve) for one in known} == {True, False}
    assert any(one.entry for one in known)
    assert any(one.goal and one.goal.side is not None for one in known)
    assert any(goal.each_turn for one in known for goal in one.objectives)
    works = [fort for one in known for fort in one.fortifications]
    assert {(fort.kind, fort.optional) for fort in works} >= {
        ("bunker", False),
        ("strongpoint", False),
        ("bunker", True),
        ("strongpoint", True),
    }


def test_every_kind_of_terrain_stands_in_some_scenario():
    used: set[str] = set()
    for name in SCENARIOS:
        board = scenarios.build(read(name), RULESET.terrain)
        used |= set(scenarios.with_forts(board, scenarios.forts(read(name), board)).masks_by_kind())
    assert set(RULESET.terrain) - used == LEFT_BY_BATTLES


def test_the_boards_have_walls_of_both_kinds_openings_of_all_sizes_and_several_floors():
    walls = [wall for name in SCENARIOS for wall in scenarios.build(read(name), RULESET.terrain).walls().values()]
    assert {(wall.kind, wall.opening) for wall in walls} >= {
        ("high", "none"),
        ("high", "small"),
        ("high", "large"),
        ("high", "huge"),
        ("low", "none"),
    }
    assert max(scenarios.build(read(name), RULESET.terrain).levels for name in SCENARIOS) == 4


@pytest.mark.parametrize(
    "wrong, words",
    [
        ({"weather": "awful"}, "weather"),
        ({"severity": "awful"}, "severity"),
        ({"reserve": -1}, "reserve"),
        ({"fortifications": [{"kind": "castle", "side": 0}]}, "kind"),
        ({"fortifications": [{"kind": "bunker", "side": 2}]}, "side"),
        ({"fortifications": [{"kind": "bunker", "side": 0, "at": "A1"}]}, "board edges"),
        ({"fortifications": [{"kind": "bunker", "side": 0, "at": "D4", "interior": "A1"}]}, "interior"),
        ({"fortifications": [{"kind": "bunker", "side": 0, "facing": "up"}]}, "face"),
        ({"entry": ["A1"]}, "entry"),
        ({"rain": True}, "rain"),
    ],
)
def test_a_scenario_that_cannot_be_is_refused_in_one_sentence(wrong, words):
    plain = {
        "id": "wrong",
        "name": "Wrong",
        "board": {"size": [14, 14]},
        "deploy": [{"squares": "A1-N6", "facing": "south"}, {"squares": "A9-N14"}],
        "turns": 3,
    }
    with pytest.raises(ScenarioError, match=words) as refusal:
        RULESET.read_scenario(plain | wrong)
    assert "\n" not in str(refusal.value)
