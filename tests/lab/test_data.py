"""Self-play data, exported games and learned worth."""

from __future__ import annotations

import json
import math
from pathlib import Path

import msgspec
import numpy as np
import pytest

from dieselfront import rulesets
from dieselfront.kernel.record import load
from dieselfront.lab import selfplay
from dieselfront.lab.crew import Crew
from dieselfront.lab.simulate import Matches, SimulationError, simulate
from dieselfront.players import adviser_of, make, weights
from dieselfront.players.adviser import Effort
from dieselfront.players.learned import Forest, Tree, ValueModel, digest_of, value_model
from dieselfront.players.position import COLUMNS, both_seats
from dieselfront.players.search import judged
from dieselfront.scenarios import battle

WANTED = selfplay.SelfPlay("dust1947", games=3, seed="data", players=("random", "random"))
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def played() -> list[selfplay.PlayedOut]:
    return selfplay.play(WANTED)


@pytest.fixture
def dataset():
    pytest.importorskip("pyarrow", reason="the extra dieselfront[learn] is not installed")
    from dieselfront.lab import dataset

    return dataset


def a_game(ruleset: str, choices: int = 60):
    scenario, armies = battle.library.names(ruleset)[0], list(battle.starters(ruleset)[:2])
    game = battle.start(battle.header(ruleset, scenario, armies, seed="7"), "7", keep_history=False)
    player = make("random", "7", ruleset)
    for _ in range(choices):
        if game.pending is not None:
            game.choose(player.choose(game))
    return game


# -- features -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_every_game_has_every_column_and_both_seats_mirror_each_other(ruleset):
    first, second = both_seats(a_game(ruleset))
    assert list(first) == list(COLUMNS) == list(second)
    for name, value in first.items():
        assert math.isfinite(value)
        kind, _, rest = name.partition("_")
        if kind == "own":
            assert value == second[f"enemy_{rest}"]
        elif kind == "lead":
            assert value == -second[name]
    assert first["on_move"] + second["on_move"] == 1.0
    assert first["own_strength"] > 0


def test_an_adviser_s_measures_stand_beside_the_general_columns():
    adviser = adviser_of("dust1947", weights("dust1947"))
    first, _ = both_seats(a_game("dust1947"), adviser)
    assert "adviser_material" in first and set(COLUMNS) < set(first)


# -- self-play ------------------------------------------------------------------------------------------------------


def test_self_play_is_the_same_again_and_on_two_processes(played):
    with Crew(2) as crew:
        again = selfplay.play(WANTED, crew)
    assert again == played and selfplay.digest_of(again) == selfplay.digest_of(played)


def test_positions_stand_in_pairs_of_both_seats(played):
    for game in played:
        assert game.positions and len(game.columns) == len(game.positions[0].features)
        for one, other in zip(game.positions[::2], game.positions[1::2], strict=True):
            assert (one.side, other.side, one.choices) == (0, 1, other.choices)


def test_random_armies_are_new_for_every_battle_and_the_same_for_both_its_games():
    wanted = msgspec.structs.replace(WANTED, random_armies=True, games=4)
    armies = [selfplay.line_up(wanted.matches, number)[1] for number in range(4)]
    assert armies[0] == armies[1] != armies[2] == armies[3]
    assert armies[0][0] != armies[0][1]


def test_a_parquet_file_tells_what_happened_and_how_it_was_made(dataset, played, tmp_path):
    file = tmp_path / "positions.parquet"
    about = dataset.about_selfplay(WANTED, played)
    count = dataset.write_positions(file, dataset.from_selfplay(WANTED, played), about)
    table, read = dataset.read_positions(file)
    assert table.num_rows == count == sum(len(game.positions) for game in played)
    assert read["digest"] == selfplay.digest_of(played) and read["selfplay"]["seed"] == "data"
    rows = table.to_pylist()
    winners = {game.digest: game.winner for game in played}
    for row in rows:
        winner = winners[row["game"]]
        assert row["result"] == (0.5 if winner is None else float(row["side"] == winner))
    assert rows[0]["battle"] == rows[len(played[0].positions)]["battle"] != rows[-1]["battle"]
    assert rows[0]["late"] == pytest.approx(played[0].positions[0].features[0])


def test_the_page_explains_every_column(dataset):
    page = (ROOT / "docs" / "data.md").read_text("utf-8")
    for columns in (dataset.GAME_COLUMNS, dataset.POSITION_COLUMNS, COLUMNS):
        for name, meaning in columns.items():
            assert f"| `{name}` | {meaning} |" in page


# -- finished games ---------------------------------------------------------------------------------------------------


def test_finished_games_become_a_dataset_that_holds_their_records(dataset, tmp_path, dieselfront):
    records, out = tmp_path / "records", tmp_path / "set"
    simulate(Matches("dust1947", 2, "5", save=str(records)))
    (records / "notes.json").write_text("{}")
    code, printed, err = dieselfront("lab", "export", str(records), "-o", str(out), "--json")
    assert (code, err) == (0, "")
    result = json.loads(printed)
    assert result["games"] == 2 and "not a game record" in result["left_out"][str(records / "notes.json")]
    import pyarrow.parquet as parquet

    games = parquet.read_table(out / "games.parquet").to_pylist()
    assert list(games[0]) == list(dataset.GAME_COLUMNS)
    assert load(games[0]["record"].encode()) == load((records / games[0]["file"]).read_bytes())
    positions = parquet.read_table(out / "positions-dust1947.parquet")
    assert positions.num_rows == result["positions"] > 0


def test_an_export_without_finished_games_is_refused(dataset, tmp_path):
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(SimulationError, match="no finished game"):
        dataset.export([tmp_path / "x.json"], tmp_path / "set")


# -- learned worth ----------------------------------------------------------------------------------------------------


@pytest.fixture
def learn():
    pytest.importorskip("lightgbm", reason="the extra dieselfront[learn] is not installed")
    from dieselfront.lab import learn

    return learn


def noise_and_signal(many: int = 3000):
    chance = np.random.default_rng(3)
    features = chance.normal(size=(many, 4))
    won = (chance.random(many) < 1 / (1 + np.exp(-2 * features[:, 0] + features[:, 1]))).astype(float)
    return features, won


def test_plain_trees_say_what_the_library_s_say(learn):
    features, won = noise_and_signal()
    base = 0.5 * features[:, 2]
    for parameters in (learn.PARAMETERS, learn.CAREFUL):
        grown = learn.grow(features, won, 30, base, parameters)
        booster = learn.boosted(features, won, 30, base, parameters)
        own = 1 / (1 + np.exp(-booster.predict(features[:200], raw_score=True) - base[:200]))
        assert learn.chances(grown, features[:200], base[:200]) == pytest.approx(own, abs=1e-3)


def test_a_forest_says_what_its_trees_say_one_by_one(learn):
    features, won = noise_and_signal()
    grown = [*learn.grow(features, won, 20, np.zeros(3000)), Tree([], [], [], [], [0.25])]
    rows = features[:300]
    one_by_one = [sum(tree.value(row) for tree in grown) for row in rows.tolist()]
    assert Forest(grown).totals(rows) == pytest.approx(one_by_one)
    on_the_edge = np.full((1, 4), grown[0].thresholds[0])  # at most the threshold goes left
    assert Forest(grown).totals(on_the_edge) == pytest.approx([sum(t.value(on_the_edge[0]) for t in grown)])


def test_a_tree_with_more_leaves_than_a_forest_can_hold_is_refused():
    chain = Tree(list(range(16)), [0.0] * 16, [-1 - n for n in range(16)], [*range(1, 16), -17], [0.0] * 17)
    with pytest.raises(ValueError, match="at most 16 leaves, not 17"):
        Forest([chain])


def test_trees_correct_the_hand_made_chance_and_leave_it_where_nothing_is_to_be_learned(learn):
    features, won = noise_and_signal()
    chance = 1 / (1 + np.exp(-2 * features[:, 0] + features[:, 1]))
    right = np.log(chance / (1 - chance))
    meaningless = np.random.default_rng(5).normal(size=(3000, 2))
    kept = learn.chances(learn.grow(meaningless, won, 20, right, learn.CAREFUL), meaningless, right)
    assert np.abs(kept - chance).mean() < 0.02
    corrected = learn.chances(learn.grow(features, won, 60, -right), features, -right)
    assert learn.log_loss(corrected, won) < learn.log_loss(1 - chance, won) / 2


def test_the_loss_and_the_calibration_are_those_of_the_textbook(learn):
    won = np.array([1.0, 0.0, 1.0, 0.5])
    assert learn.log_loss(np.full(4, 0.5), won) == pytest.approx(math.log(2), abs=1e-4)
    rows, error = learn.calibrated(np.array([0.72, 0.78, 0.74, 0.76, 0.1]), np.array([1.0, 1.0, 1.0, 0.0, 0.0]))
    assert [(row.chance, row.won, row.positions) for row in rows] == [(0.1, 0.0, 1), (0.75, 0.75, 4)]
    assert error == pytest.approx(0.02)


def test_a_tree_asks_its_columns_and_ends_in_a_leaf():
    tree = Tree([1, 0], [0.5, 2.0], [-1, -2], [1, -3], [10.0, 20.0, 30.0])
    assert [tree.value(row) for row in ([9, 0.5], [2, 0.6], [3, 0.6])] == [10.0, 20.0, 30.0]
    assert Tree([], [], [], [], [4.0]).value([]) == 4.0


def shipped() -> list[ValueModel]:
    return [model for model in map(value_model, rulesets.names()) if model is not None]


@pytest.mark.parametrize("model", shipped(), ids=lambda model: model.ruleset)
def test_a_shipped_model_is_small_whole_and_better_than_hand_made_judgement(model):
    from dieselfront.rulebook import folders

    assert (folders()[model.ruleset] / "adviser" / "value.json").stat().st_size <= 400_000
    assert model.digest == digest_of(model.base, model.trees)
    assert model.measured.loss < model.measured.hand_made_loss < model.measured.coin_loss
    game = a_game(model.ruleset)
    adviser = adviser_of(model.ruleset, weights(model.ruleset))
    chances = [model.chance(game, player, adviser) for player in (0, 1)]
    assert sum(chances) == pytest.approx(1.0) and 0.0 < chances[0] < 1.0
    plain = adviser.worth(game, 0)
    assert judged(game, adviser, 0, Effort()) == plain
    learned = judged(game, adviser, 0, Effort(learned=100.0))
    assert learned.total == pytest.approx(plain.total + 100.0 * (chances[0] - 0.5))


def test_a_small_model_is_learned_from_a_file_and_says_how(dataset, learn, tmp_path, dieselfront):
    wanted = msgspec.structs.replace(WANTED, games=14, seed="learn")
    file, model_file = tmp_path / "p.parquet", tmp_path / "value.json"
    games = selfplay.play(wanted)
    dataset.write_positions(file, dataset.from_selfplay(wanted, games), dataset.about_selfplay(wanted, games))
    code, out, err = dieselfront("lab", "learn", str(file), "-o", str(model_file), "--trees", "5", "--json")
    assert (code, err) == (0, "")
    model = msgspec.json.decode(model_file.read_bytes(), type=ValueModel)
    assert json.loads(out)["digest"] == model.digest == digest_of(model.base, model.trees)
    assert model.made["from"][0]["digest"] == selfplay.digest_of(games)
    assert model.measured.games == 14
