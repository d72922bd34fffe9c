"""`simulate`: the same games for the same seed, whoever plays them and however many at once."""

from __future__ import annotations

import json

import pytest

from dieselfront.lab.simulate import Matches, SimulationError, line_up, seats, simulate
from tests.cli.commands import in_a_process

KEYS = {"games", "wins", "draws", "decisions", "events", "seconds", "digest"}


def test_the_digest_depends_on_neither_processes_nor_hash_seeds():
    alone = in_a_process("simulate", "--games", "3", "--seed", "7", "--json", hash_seed="1")
    shared = in_a_process("simulate", "--games", "3", "--seed", "7", "--json", "--workers", "2", hash_seed="2")
    assert (alone.returncode, alone.stderr, shared.returncode, shared.stderr) == (0, "", 0, "")
    first, second = json.loads(alone.stdout), json.loads(shared.stdout)
    assert set(first) >= KEYS
    assert first.pop("seconds") > 0 and second.pop("seconds") > 0
    assert first.pop("work")["on"] == "this process" and second.pop("work")["workers"] == 2
    assert first == second
    assert sum(first["wins"].values()) + first["draws"] == first["games"] == 3


def test_another_seed_is_another_set_of_games():
    digests = {simulate(Matches("dust1947", 1, seed)).digest for seed in ("1", "2")}
    assert len(digests) == 2


def test_any_goes_through_scenarios_and_armies():
    matches = Matches("dust1947", 99)
    line_ups = [line_up(matches, number) for number in range(12)]
    assert len({header.scenario["id"] for header, _ in line_ups}) >= 3
    assert all(blue != red for _, (blue, red) in line_ups)
    assert len({header.commitment for header, _ in line_ups}) == 12


def test_swapped_games_fight_every_battle_both_ways():
    matches = Matches("dust1947", 4, players=("random", "regular"), swap=True)
    assert [seats(matches, number) for number in range(4)] == [(0, 1), (1, 0), (0, 1), (1, 0)]
    (first, armies), (second, same) = line_up(matches, 0), line_up(matches, 1)
    assert first.scenario == second.scenario and armies == same
    assert (first.seats, second.seats) == (["random", "regular"], ["regular", "random"])


def test_wins_are_counted_by_player_and_by_side(dieselfront):
    code, out, err = dieselfront("simulate", "-n", "2", "--players", "regular,random", "--swap", "--json")
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert set(report["wins"]) == {"regular", "random"}
    assert sum(report["by_side"].values()) == sum(report["wins"].values())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--players", "random"], "--players wants two names"),
        (["--players", "random,genius"], "There is no player 'genius'"),
        (["--ruleset", "dust1974"], "There is no ruleset 'dust1974'; did you mean dust1947?"),
        (["--scenario", "crosroads"], "did you mean crossroads?"),
        (["--blue", "dust1947-alies"], "did you mean dust1947-allies"),
        (["--option", "x"], "--option wants NAME=CHOICE"),
        (["--option", "x=y"], "has no option 'x'"),
        (["--blue", "random:x"], "random:NUMBER"),
    ],
)
def test_mistakes_get_one_sentence_and_exit_2(dieselfront, words, sentence):
    code, out, err = dieselfront("simulate", *words)
    assert (code, out) == (2, "")
    assert sentence in err and err.count("\n") == 1


def test_no_games_are_refused():
    with pytest.raises(SimulationError, match="At least 1 game"):
        simulate(Matches("dust1947", 0))


@pytest.mark.slow
def test_two_hundred_random_games_end_without_error():
    report = simulate(Matches("dust1947", 200, "7"), workers=2)
    assert report.games == 200
