"""Balance: shares with intervals, warnings, what units add, and the page that shows it."""

from __future__ import annotations

import json
from random import Random

import numpy as np
import pytest

from dieselfront.lab.attribution import attribution, logistic
from dieselfront.lab.balance import Balance, Fought, added_up, games_of, measure, share_of
from dieselfront.lab.balance_page import page
from dieselfront.lab.crew import Crew
from dieselfront.lab.simulate import SimulationError

ARMIES = ("dust1947-allies", "dust1947-axis")


def fought(winner: int | None, *, first: int = 0, units=({"tank": 50}, {"squad": 50}), armies=ARMIES) -> Fought:
    return Fought("crossroads", armies, winner, first, "digest", units)


@pytest.mark.parametrize(
    "results, verdict",
    [([1.0] * 30, "lopsided"), ([0.0] * 30, "lopsided"), ([1.0, 0.0] * 15, "even"), ([1.0, 1.0, 0.0], "unsure")],
)
def test_a_share_is_lopsided_only_if_its_whole_interval_is(results, verdict):
    assert share_of("x", results).verdict == verdict


def test_draws_are_no_wins_and_no_losses():
    share = share_of("x", [1.0, None, None, 0.0])
    assert (share.games, share.won, share.drawn, share.share) == (4, 1, 2, 0.5)


def test_shares_are_counted_for_sides_armies_cells_and_whoever_acts_first():
    met = [fought(0, first=1)] * 20 + [fought(0, first=1, armies=(ARMIES[1], ARMIES[0]))] * 20
    report = added_up(Balance("dust1947"), met, [])
    assert report.scenarios[0].share == 1.0 and report.first_player.share == 0.0
    assert [army.share for army in report.armies] == [0.5, 0.5]
    assert {(cell.army, cell.side): cell.won.share for cell in report.cells} == {
        (army, side): 1.0 - side for army in ARMIES for side in (0, 1)
    }
    assert any(line.startswith("Scenario crossroads: blue wins 100%") for line in report.warnings)
    assert any(line.startswith("Whoever acts first wins 0%") for line in report.warnings)
    assert not any(line.startswith("Army") for line in report.warnings)


def test_a_unit_that_wins_more_than_its_points_is_found_with_its_interval():
    chance = Random(5)
    cards = ["good", "plain", "other", "poor"]
    games = []
    for _ in range(900):
        sides = [dict.fromkeys(chance.sample(cards, 2), 50) for _ in range(2)]
        lead = [side.get("good", 0) - side.get("poor", 0) for side in sides]
        pull = 2.0 * (lead[0] - lead[1]) / 100
        games.append(fought(int(chance.random() > 1 / (1 + np.exp(-pull))), units=tuple(sides)))
    worth = {one.card: one for one in attribution(games, 100)}
    assert next(iter(worth)) == "good" and list(worth)[-1] == "poor"
    assert worth["good"].low > 0 > worth["poor"].high
    assert worth["plain"].low < 0 < worth["plain"].high
    assert worth["good"].per_point == pytest.approx(worth["good"].adds / 10, abs=0.001)


def test_the_regression_and_its_errors_are_those_of_the_textbook():
    won = np.array([1.0] * 30 + [0.0] * 10)
    coefficients, covariances = logistic(np.ones((40, 1)), won, np.array([0.0]))
    assert coefficients[0] == pytest.approx(np.log(3.0)) and covariances[0, 0] == pytest.approx(1 / (40 * 0.75 * 0.25))


def test_a_measurement_is_the_same_for_any_number_of_workers_and_draws_its_page():
    wanted = Balance("dust1947", player="random", games=2, unit_games=4, scenarios=("crossroads",), armies=ARMIES)
    alone = measure(wanted)
    with Crew(2) as crew:
        assert measure(wanted, crew) == alone
    assert alone.games + alone.unit_games == games_of(wanted) == 6
    drawn = page(alone)
    assert drawn.count("<svg") >= 4 and "Balance of Dust 1947" in drawn and alone.digest in drawn


def test_the_command_prints_and_writes(dieselfront, tmp_path):
    file = tmp_path / "balance.html"
    words = ["-n", "2", "--units", "0", "-p", "random", "--scenario", "crossroads", "--report", str(file), "--json"]
    code, out, err = dieselfront("lab", "balance", *words, "--army", ARMIES[0], "--army", ARMIES[1])
    assert (code, err) == (0, "")
    assert json.loads(out)["games"] == 2 and file.read_text("utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize("wanted", [Balance("dust1947", games=3), Balance("dust1947", armies=("dust1947-axis",))])
def test_what_cannot_be_measured_is_told_in_a_sentence(wanted):
    with pytest.raises(SimulationError, match=r"even number|two armies"):
        measure(wanted)
