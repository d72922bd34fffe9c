"""Leagues and the tuner."""

from __future__ import annotations

import msgspec
import pytest

from dieselfront.lab.league import League, Tuning, games_of, markdown, pairs_of, play, tune, wilson
from dieselfront.lab.simulate import SimulationError


def test_wilsons_interval_is_that_of_the_textbook() -> None:
    low, high = wilson(130, 200)
    assert (round(low, 4), round(high, 4)) == (0.5816, 0.7127)
    assert wilson(0, 10)[0] == pytest.approx(0.0) and wilson(10, 10)[1] == pytest.approx(1.0)


def test_neighbours_meet_or_everybody() -> None:
    assert pairs_of(League("dust1947", ("a", "b", "c"))) == [("a", "b"), ("b", "c")]
    assert len(pairs_of(League("dust1947", ("a", "b", "c"), all_pairs=True))) == 3
    with pytest.raises(SimulationError, match="two players"):
        pairs_of(League("dust1947", ("a",)))


def test_an_odd_number_of_games_is_refused() -> None:
    with pytest.raises(SimulationError, match="both ways"):
        play(League("dust1947", ("random", "random"), games=3))


def test_a_league_of_the_same_seed_is_the_same_league() -> None:
    wanted = League("dust1947", ("regular", "random"), games=2, seed="4")
    seen: list[object] = []
    first, second = play(wanted, progress=seen.append), play(wanted)
    assert first == second and len(seen) == games_of(wanted) == 2
    assert first.pairs[0].won + first.pairs[0].drawn + first.pairs[0].lost == 2
    assert markdown(first.pairs).count("\n") == 2


def test_a_league_tells_how_long_its_players_thought_if_it_is_asked() -> None:
    wanted = League("dust1947", ("regular", "random"), games=2, seed="4")
    plain, timed = play(wanted), play(msgspec.structs.replace(wanted, timed=True))
    assert plain.pairs[0].thinking == () and plain.pairs[0].digest == timed.pairs[0].digest
    regular, chance = timed.pairs[0].thinking
    assert regular.choices > 10 and 0.0 < regular.median < regular.longest
    assert chance.choices == 0, "who does not weigh anything does not think"


def test_the_tuner_moves_weights_towards_the_winner_and_is_reproducible() -> None:
    wanted = Tuning("dust1947", matches=1, games=2, proof=0, seed="2", names=("destroy", "cover"))
    first, second = tune(wanted), tune(wanted)
    assert first == second
    assert set(first.after) == {"destroy", "cover"}
    moved = first.after != {name: round(value, 4) for name, value in first.before.items()}
    assert moved == (first.scores[0] != 0.5)


def test_the_tuner_refuses_weights_that_do_not_exist() -> None:
    with pytest.raises(SimulationError, match="no weight 'luck'"):
        tune(Tuning("dust1947", names=("luck",)))
