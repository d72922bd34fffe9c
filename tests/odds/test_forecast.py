"""Forecasts with merged positions against the oracle, which merges nothing."""

from __future__ import annotations

from collections.abc import Generator
from random import Random
from typing import Any

import pytest

from dieselfront.dice.die import D6, DUST_DIE
from dieselfront.dice.plan import PoolPlan
from dieselfront.dice.rollers import Roller
from dieselfront.dice.throw import Dice, perform
from dieselfront.odds import exact, oracle
from dieselfront.odds.forecast import forecast, successes
from odds.plans import ARMY, dust, some_plan

CLOSE = 1e-12


@pytest.mark.parametrize("seed", range(3))
def test_results_of_throws_have_the_same_chances_as_their_dice(seed: int) -> None:
    chance = Random(seed)
    for _ in range(150):
        plan = some_plan(chance)
        truth = oracle.of_pools(plan)
        found = forecast(lambda dice: oracle.drive(oracle.roll_pools([plan]), dice))  # noqa: B023
        assert found.missing < CLOSE
        for result in {**truth.chances, **found.chances}:
            assert abs(float(truth.chances.get(result, 0)) - found.chances.get(result, 0.0)) < CLOSE


class Duel:
    """Pools fall on a squad one after the other; the squad is all there is to remember."""

    def __init__(self, plans: list[PoolPlan]) -> None:
        self.plans = plans
        self.left = plans[0].capacity
        self.place = 0

    def fight(self) -> Generator[Dice, Any, int]:
        for plan in self.plans:
            self.place += 1
            hits = (yield from perform(plan.hit, plan.dice, 0)).successes
            for save in plan.saves:
                hits -= (yield from perform(save, hits, 1)).successes
            self.left = max(0, self.left - hits)
        return self.plans[0].capacity - self.left


def test_merged_positions_change_nothing_but_the_work() -> None:
    plans = [PoolPlan("gun", 2, dust(chain=ARMY, sustained=True), (dust(label="save"),), 1, 4) for _ in range(3)]

    def run(dice: Roller) -> int:
        duel = Duel(plans)
        running.append(duel)
        return int(oracle.drive(duel.fight(), dice))

    def mark(question: Dice) -> tuple[int, int] | None:
        return (running[-1].place, running[-1].left) if question.label == "to hit" else None

    running: list[Duel] = []
    merged = forecast(run, mark)
    expected = exact.losses_of(plans)
    assert merged.runs < 10_000
    assert merged.distribution(lambda lost: lost) == pytest.approx(expected, abs=CLOSE)


def test_throws_whose_faces_matter_are_followed_by_face() -> None:
    def roll() -> Generator[Dice, Any, tuple[int, ...]]:
        thrown = yield from perform(dust(), 2, 0)
        return tuple(sorted(thrown.stages[0][1]))

    outlook = forecast(lambda dice: oracle.drive(roll(), dice), by_face=lambda question: True)
    assert outlook.chances[0, 1] == pytest.approx(2 / 9)
    assert len(outlook.chances) == 6


def test_successes_of_a_throw_are_those_of_its_dice() -> None:
    throw = dust(sustained=True)
    assert successes(throw, 2) == pytest.approx([(4 / 9) ** 2, 2 * 20 / 81, (5 / 9) ** 2])


def test_a_roll_repeated_until_it_fits_is_summed_without_end() -> None:
    faces: list[int] = []

    def until_not_army() -> Generator[Dice, Any, int]:
        yield Dice(D6, 1, 0, "ready")
        while True:
            (face,) = yield Dice(DUST_DIE, 1, 0, "table")
            if face:
                return int(face)

    def run(dice: Roller) -> int:
        faces.append(0)
        return int(oracle.drive(until_not_army(), dice))

    outlook = forecast(run, lambda question: question.label if question.label == "table" else None)
    assert outlook.chances == pytest.approx({1: 0.5, 2: 0.5})
    assert len(faces) < 15
