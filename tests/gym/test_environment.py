"""The environment passes the tests of PettingZoo and Gymnasium, for every game, and keeps what its page promises."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from pathlib import Path
from random import Random

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="the extra dieselfront[gym] is not installed")
pytest.importorskip("pettingzoo", reason="the extra dieselfront[gym] is not installed")

import gymnasium
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from dieselfront import gym, rulesets
from dieselfront.gym.actions import Options, list_answers
from dieselfront.gym.features import BATTLE_COLUMNS, OPTION_COLUMNS, UNIT_COLUMNS
from dieselfront.gym.planes import PLANES
from dieselfront.kernel.decisions import Assign, PickOne, PickSome
from dieselfront.kernel.meaning import ACTS

GAMES = rulesets.names()
GAME = rulesets.DEFAULT
UNIT = {name: number for number, name in enumerate(UNIT_COLUMNS)}
BATTLE = {name: number for number, name in enumerate(BATTLE_COLUMNS)}
OPTION = {name: number for number, name in enumerate(OPTION_COLUMNS)}


def advance(environment, steps, seed=1):
    """So many random steps, fewer if the battle ends; yields what the acting agent sees before each."""
    chance = Random(seed)
    for _ in range(steps):
        agent = environment.agent_selection
        if environment.terminations[agent] or environment.truncations[agent]:
            return
        observation = environment.observe(agent)
        yield agent, observation
        environment.step(chance.randrange(int(observation["action_mask"].sum())))


# -- the tests of PettingZoo and Gymnasium --------------------------------------------------------


@pytest.mark.filterwarnings("ignore:Observation")
@pytest.mark.parametrize("name", GAMES)
def test_every_game_passes_the_api_test(name, capsys):
    cycles = 200 if name == GAME else 12
    api_test(gym.env(name, seed=1), num_cycles=cycles)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("name", GAMES)
def test_every_game_passes_the_seed_test(name):
    seed_test(lambda: gym.env(name), num_cycles=100 if name == GAME else 8)


@pytest.mark.parametrize("name", GAMES)
def test_the_game_against_a_computer_passes_check_env(name):
    gym.register()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = gymnasium.make(f"dieselfront/{name}-v{gym.VERSION}", opponent="random", side=1)
        check_env(made.unwrapped)


# -- battles ----------------------------------------------------------------------------------------


def test_names_carry_the_version():
    assert gym.ids() == tuple(f"{name}_v{gym.VERSION}" for name in GAMES)
    assert gym.env(gym.ids()[0]).metadata["name"] == gym.ids()[0]


@pytest.mark.parametrize(
    "name, parameters, sentence",
    [
        (f"{GAME}_v9", {}, "this installation plays"),
        ("no-such-game", {}, "There is no ruleset"),
        (GAME, {"armies": ["any"]}, "two armies, not 1"),
        (GAME, {"armies": ["any", "no-such-army"]}, "no-such-army"),
        (GAME, {"scenario": "no-such-scenario"}, "no-such-scenario"),
        (GAME, {"options": {"no-such-option": "x"}}, "no option 'no-such-option'"),
        (GAME, {"points": 20, "armies": ["any", "any"]}, "Points are for random armies"),
        (GAME, {"points": -1}, "1 point or more"),
        (GAME, {"max_actions": 1}, "max_actions"),
        (GAME, {"max_units": 7}, "even number"),
        (GAME, {"max_cycles": 0}, "max_cycles"),
        (GAME, {"render_mode": "rgb"}, "no render mode"),
        (GAME, {"map_size": 2}, "map_size"),
        (GAME, {"dice": "loaded"}, "Dice are 'fair'"),
    ],
)
def test_what_cannot_be_made_is_told_in_a_sentence(name, parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        gym.env(name, **parameters)


def test_an_army_with_more_units_than_rows_is_refused():
    environment = gym.env(GAME, max_units=4)
    with pytest.raises(gym.GymError, match="max_units must be at least"):
        environment.reset(seed=1)


def test_small_battles_have_armies_of_few_points():
    points = rulesets.load(GAME).usual_points // 2
    environment = gym.raw_env(GAME, points=points)
    environment.reset(seed=1)
    units = environment.rules.field.units(environment.game.state)
    for side in (0, 1):
        assert 0 < sum(unit.points for unit in units if unit.side == side) <= points


def test_random_armies_and_scenarios_follow_the_seed():
    environment = gym.raw_env(GAME, armies=["random", "any"], scenario="any")
    headers = []
    for seed in (1, 1, 2, 3):
        environment.reset(seed=seed)
        header = environment.game.header
        headers.append((header.scenario["id"], [force["name"] for force in header.forces], header.forces[0]))
    assert headers[0] == headers[1]
    assert headers[1] != headers[2]
    assert len({scenario for scenario, _, _ in headers}) > 1


def test_a_seed_fixes_the_battles_after_it_too():
    first, second = gym.raw_env(GAME, seed=5), gym.raw_env(GAME, seed=5)
    seeds = []
    for environment in (first, second):
        environment.reset()
        one = environment.battle_seed
        environment.reset()
        seeds.append((one, environment.battle_seed))
    assert seeds[0] == seeds[1]
    assert seeds[0][0] != seeds[0][1]


# -- actions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_mask_holds_the_options_and_each_has_words(name):
    environment = gym.raw_env(name, max_actions=40)
    environment.reset(seed=2)
    for agent, observation in advance(environment, 60):
        options = environment.infos[agent]["options"]
        mask = observation["action_mask"]
        assert 1 <= mask.sum() == len(options) <= 40
        assert mask[: len(options)].all()
        assert all(option.label for option in options)
        assert observation["battle"][BATTLE["sampled"]] == (not options.complete)
        decision = environment.game.pending
        for option in options:
            assert decision.check(option.answer) == option.answer
        assert observation["options"][: len(options), -len(ACTS) :].sum() == len(options)
        assert not observation["options"][len(options) :].any()


def test_the_other_agent_has_an_empty_mask_and_no_options():
    environment = gym.raw_env(GAME)
    environment.reset(seed=1)
    other = next(agent for agent in environment.agents if agent != environment.agent_selection)
    assert not environment.observe(other)["action_mask"].any()
    assert environment.infos[other] == {}


def test_an_action_is_the_option_of_its_index():
    environment = gym.raw_env(GAME)
    environment.reset(seed=1)
    for _ in range(20):
        wanted = environment.infos[environment.agent_selection]["options"].answers
        made = len(environment.game.choices)
        environment.step(len(wanted) - 1)
        assert environment.game.choices[made] == wanted[-1]


def test_options_cannot_be_read_after_the_decision():
    environment = gym.raw_env(GAME)
    environment.reset(seed=1)
    options = environment.infos[environment.agent_selection]["options"]
    first = options[0]
    environment.step(0)
    assert options[0] == first
    with pytest.raises(RuntimeError, match="earlier decision"):
        options[1]


def test_few_answers_are_listed_in_the_decision_s_own_order():
    assert list_answers(PickOne(0, "x", ["b", "a", "c"]), 3, "seed") == (["b", "a", "c"], True)


def test_too_many_answers_are_drawn_by_the_seed_without_repeats():
    decision = PickSome(0, "x", list(range(12)), 0, 12)
    answers, complete = list_answers(decision, 50, "seed")
    assert not complete
    assert len(set(answers)) == len(answers) == 50
    assert list_answers(decision, 50, "seed") == (answers, False)
    assert list_answers(decision, 50, "other")[0] != answers


def test_a_product_too_large_to_list_is_drawn_at_once():
    items = list(range(40))
    decision = Assign(0, "x", items, [[None, "a", "b"]] * 40, agree=lambda answer: None)
    answers, complete = list_answers(decision, 20, "seed")
    assert len(answers) == 20 and not complete


def test_an_assignment_is_told_by_its_parts():
    decision = Assign(0, "x", ["gun", "rifle"], [[None, "tank"], ["squad"]])
    assert [option.label for option in Options(decision, 5, "")] == ["rifle: squad", "gun: tank; rifle: squad"]


def test_a_masked_action_loses_under_the_checks_and_is_refused_without_them():
    checked = gym.env(GAME)
    checked.reset(seed=1)
    agent = checked.agent_selection
    last = checked.action_space(agent).n - 1
    checked.step(last)
    assert all(checked.terminations.values())
    assert checked.rewards[agent] == -1
    raw = gym.raw_env(GAME)
    raw.reset(seed=1)
    with pytest.raises(gym.GymError, match="is masked"):
        raw.step(last)


# -- what agents see --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_observations_stay_in_their_space_and_tell_the_units(name):
    environment = gym.raw_env(name)
    environment.reset(seed=3)
    for agent, observation in advance(environment, 60):
        assert environment.observation_space(agent).contains(observation)
    agent = environment.agent_selection
    side = environment.possible_agents.index(agent)
    rows = environment.observe(agent)["observation"]
    units = environment.rules.field.units(environment.game.state)
    own = [unit for unit in units if unit.side == side]
    assert rows[:, UNIT["present"]].sum() == len(units)
    assert rows[:, UNIT["own"]].sum() == len(own)
    assert np.allclose(rows[: len(own), UNIT["share"]], [unit.share for unit in own])
    assert rows[: len(own), UNIT["on_table"]].tolist() == [float(unit.on_table) for unit in own]
    waiting = [float(unit.share > 0 and not unit.on_table) for unit in own]
    assert rows[: len(own), UNIT["waiting"]].tolist() == waiting
    standing = [unit for unit in own if unit.on_table and unit.centre]
    assert standing, "after 60 steps somebody stands on the table"
    table = environment.rules.view(environment.game.state)["table"]
    row = rows[own.index(standing[0])]
    assert row[UNIT["x"]] == pytest.approx(standing[0].centre[0] / table["width"], abs=1e-5)
    assert row[UNIT["y"]] == pytest.approx(standing[0].centre[1] / table["height"], abs=1e-5)


def test_both_agents_see_the_same_table_from_their_own_seats():
    environment = gym.raw_env(GAME)
    environment.reset(seed=3)
    list(advance(environment, 40))
    first, second = (environment.observe(agent)["observation"] for agent in environment.possible_agents)
    half = environment.max_units // 2
    same = [number for name, number in UNIT.items() if name != "own"]
    assert np.array_equal(first[:half, same], second[half:, same])
    assert first[:half, UNIT["own"]].any() and not second[half:, UNIT["own"]].any()


def test_a_move_names_the_place_it_goes_to():
    environment = gym.raw_env(GAME)
    environment.reset(seed=1)
    for agent, observation in advance(environment, 30):
        options = environment.infos[agent]["options"]
        for row, option in zip(observation["options"], options, strict=False):
            assert row[OPTION["has_place"]] == bool(option.about.places)
            if option.about.places:
                assert row[OPTION["place_x"]] > 0 and row[OPTION["place_y"]] > 0


def test_without_option_features_the_observation_is_smaller():
    environment = gym.raw_env(GAME, option_features=False)
    environment.reset(seed=1)
    assert set(environment.observe(environment.agent_selection)) == {"observation", "battle", "action_mask"}


@pytest.mark.parametrize("name", GAMES)
def test_a_glance_tells_what_the_view_tells(name):
    environment = gym.raw_env(name)
    environment.reset(seed=3)
    list(advance(environment, 40))
    rules, state = environment.rules, environment.game.state
    glance, view = rules.glance(state, (0,)), rules.view_for(state, (0,))
    assert {"turn", "turns", "table", "units"} <= set(glance)
    assert all(view[key] == value for key, value in glance.items() if key != "units")
    for short, whole in zip(glance["units"], view["units"], strict=True):
        assert all(whole[key] == value for key, value in short.items())


@pytest.mark.parametrize("name", GAMES)
def test_map_planes_show_units_and_objectives_where_they_are(name):
    environment = gym.raw_env(name, map_size=16)
    environment.reset(seed=3)
    list(advance(environment, 60))
    agent = environment.agent_selection
    planes = environment.observe(agent)["map"]
    assert environment.observation_space(agent).contains(environment.observe(agent))
    side = environment.possible_agents.index(agent)
    table = environment.rules.view(environment.game.state)["table"]
    for unit in environment.rules.field.units(environment.game.state):
        if unit.on_table and unit.share > 0:
            column = min(15, int(unit.centre[0] / table["width"] * 16))
            row = min(15, int(unit.centre[1] / table["height"] * 16))
            plane = list(PLANES).index("own_strength" if unit.side == side else "enemy_strength")
            assert planes[plane, row, column] > 0
    assert planes[list(PLANES).index("terrain")].any()


@pytest.mark.parametrize("name", GAMES)
def test_a_position_is_drawn_as_a_picture(name):
    environment = gym.raw_env(name, render_mode="rgb_array")
    environment.reset(seed=1)
    list(advance(environment, 40))
    image = environment.render()
    assert image.dtype == np.uint8 and image.shape[2] == 3 and len(np.unique(image.reshape(-1, 3), axis=0)) >= 3
    drawing = gym.raw_env(name, render_mode="svg")
    drawing.reset(seed=1)
    assert drawing.render().startswith("<svg")


@pytest.mark.parametrize("name", GAMES)
def test_a_position_is_drawn_as_text(name):
    environment = gym.env(name, render_mode="ansi")
    environment.reset(seed=1)
    drawn = environment.render()
    assert drawn.startswith(rulesets.load(name).name)
    assert all(unit.name in drawn for unit in environment.unwrapped.rules.field.units(environment.unwrapped.game.state))


# -- the end ----------------------------------------------------------------------------------------


def test_the_winner_gets_1_and_the_loser_minus_1_when_the_battle_ends():
    results = gym.parallel_runner(GAME, seeds=range(4))
    assert all(result.finished for result in results)
    assert {sum(result.rewards) for result in results} == {0.0}
    assert any(result.rewards in ((1.0, -1.0), (-1.0, 1.0)) for result in results)


def test_max_cycles_truncates_without_a_reward():
    environment = gym.env(GAME, max_cycles=5)
    environment.reset(seed=1)
    steps = len(list(advance(environment, 100)))
    assert steps == 5
    assert all(environment.truncations.values()) and not any(environment.terminations.values())
    for _ in range(2):
        environment.step(None)
    assert environment.agents == []


# -- against a computer, and over processes -----------------------------------------------------------


@pytest.mark.parametrize("side", [0, 1])
def test_the_opponent_plays_the_other_side(side):
    environment = gym.solo_env(GAME, opponent="recruit", side=side)
    observation, info = environment.reset(seed=4)
    chance, done, reward = Random(1), False, 0.0
    while not done:
        assert info["side"] == side
        assert environment.battle.game.pending.player == side
        assert environment.action_masks().sum() == len(info["options"]) == observation["action_mask"].sum()
        observation, reward, done, _, info = environment.step(chance.randrange(len(info["options"])))
    winner = environment.battle.game.winner
    assert reward == (0.0 if winner is None else 1.0 if winner == side else -1.0)
    with pytest.raises(gym.GymError, match="over"):
        environment.step(0)


def test_dice_as_an_agent_are_asked_die_by_die():
    environment = gym.raw_env(GAME, dice="agent")
    environment.reset(seed=2)
    asked = 0
    for agent, observation in advance(environment, 150):
        if agent == "dice_0":
            asked += 1
            options = environment.infos[agent]["options"]
            assert observation["action_mask"].sum() == len(options) == len(environment.game.pending.faces)
    assert asked > 10
    thrown = [choice for choice in environment.game.choices if isinstance(choice, tuple) and choice]
    assert any(all(isinstance(face, str) for face in choice) for choice in thrown)


@pytest.mark.filterwarnings("ignore:Observation")
def test_the_environment_with_dice_passes_the_api_test(capsys):
    api_test(gym.env(GAME, seed=1, dice="agent", map_size=8), num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out
    with pytest.raises(gym.GymError, match="several agents"):
        gym.solo_env(GAME, dice="agent")


@pytest.mark.parametrize("name", GAMES)
def test_every_stage_of_a_curriculum_can_be_played(name):
    for stage in gym.curriculum(name):
        environment = gym.raw_env(name, **stage.parameters)
        environment.reset(seed=1)
        assert len(list(advance(environment, 5))) == 5, stage.id
    with pytest.raises(gym.GymError, match="no stage 'x'; expected"):
        gym.stage(name, "x")


def test_the_first_stage_is_two_against_two_on_six_by_six():
    environment = gym.raw_env(GAME, **gym.curriculum(GAME)[0].parameters)
    environment.reset(seed=1)
    units = environment.rules.field.units(environment.game.state)
    table = environment.rules.view(environment.game.state)["table"]
    assert [unit.side for unit in units] == [0, 0, 1, 1] and (table["width"], table["height"]) == (6, 6)


def test_a_shaped_reward_adds_the_change_of_the_lead_and_nothing_over_a_battle():
    plain = gym.solo_env(GAME, **gym.stage(GAME, "duel").parameters)
    shaped = gym.ShapedReward(plain, {"strength": 0.5})
    observation, info = shaped.reset(seed=4)
    first, total, done, chance, result = shaped.potential(observation), 0.0, False, Random(2), 0.0
    while not done:
        before = shaped.potential(observation)
        observation, reward, done, _, info = shaped.step(chance.randrange(len(info["options"])))
        result = float(plain.battle.rewards[f"player_{plain.side}"])
        after = 0.0 if done else shaped.potential(observation)
        assert reward == pytest.approx(result + after - before)
        total += reward
    assert total == pytest.approx(result - first, abs=1e-5) and result in (-1.0, 0.0, 1.0)
    with pytest.raises(gym.GymError, match="cannot be shaped by 'luck'"):
        gym.ShapedReward(plain, {"luck": 1.0})


def test_an_unknown_opponent_is_told_in_a_sentence():
    with pytest.raises(ValueError, match="there is no player"):
        gym.solo_env(GAME, opponent="napoleon")


def test_one_worker_and_two_play_the_same_battles():
    seeds = [5, 3, 9]
    alone = gym.parallel_runner(GAME, seeds=seeds, max_cycles=60)
    together = gym.parallel_runner(GAME, seeds=seeds, max_cycles=60, workers=2)
    assert [result.seed for result in together] == seeds
    assert alone == together
    assert len({result.digest for result in alone}) == 3


def test_without_the_extra_the_import_says_what_to_install():
    script = (
        "import importlib.util as util, sys\n"
        "find = util.find_spec\n"
        "util.find_spec = lambda name, package=None: None if name == 'pettingzoo' else find(name, package)\n"
        "import dieselfront.gym\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "pettingzoo, which is not installed: pip install dieselfront[gym]" in run.stderr


def test_the_page_lists_every_column():
    page = Path(__file__).parents[2].joinpath("docs", "gym.md").read_text()
    for columns in (UNIT_COLUMNS, BATTLE_COLUMNS, OPTION_COLUMNS, PLANES):
        for number, (name, meaning) in enumerate(columns.items()):
            if not name.startswith("act_"):
                assert f"| {number} | `{name}` | {meaning} |" in page
    assert all(f"`{act}`" in page for act in ACTS)


def test_the_examples_of_the_page_run():
    page = Path(__file__).parents[2].joinpath("docs", "gym.md").read_text()
    examples = re.findall(r"```python\n(.*?)```", page, re.S)
    assert len(examples) >= 3
    for example in examples:
        if not re.search(r"sb3_contrib|ray", example):
            exec(compile(example, "docs/gym.md", "exec"), {})
