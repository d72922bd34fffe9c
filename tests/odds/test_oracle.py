"""The oracle: every way the dice can fall, with whole-number weights, decisions by a named policy."""

from __future__ import annotations

from collections.abc import Generator
from fractions import Fraction
from typing import Any

import pytest

from dieselfront.dice.die import D6, DUST_DIE
from dieselfront.dice.plan import LOSSES, PoolPlan
from dieselfront.dice.throw import Dice, perform
from dieselfront.kernel.decisions import PickOne, YesNo
from dieselfront.kernel.game import QUIET, Game, Play
from dieselfront.odds import exact, oracle
from odds.plans import ARMY, dust


def test_two_six_sided_dice_add_up_as_everybody_knows() -> None:
    def roll() -> Generator[Dice, Any, int]:
        faces = yield Dice(D6, 2, 0, "roll")
        return sum(face + 1 for face in faces)

    forecast = oracle.of_procedure(roll)
    assert forecast.chances[7] == Fraction(6, 36)
    assert forecast.chances[2] == Fraction(1, 36)
    assert sum(forecast.chances.values()) == 1
    assert forecast.paths == 21
    assert forecast.mean(lambda total: total) == 7.0


def test_faces_that_a_throw_treats_alike_may_be_taken_together() -> None:
    def roll() -> Generator[Dice, Any, int]:
        thrown = yield from perform(dust(), 4, 0)
        return thrown.successes

    apart, together = oracle.of_procedure(roll), oracle.of_procedure(roll, lump=True)
    assert apart.chances == together.chances
    assert together.paths == 5 < apart.paths


def test_an_endless_chain_is_cut_and_what_is_missing_is_told() -> None:
    plan = PoolPlan("laser", 1, dust(chain=ARMY), (), 1, 3)
    forecast = oracle.of_pools(plan, cut=1e-9)
    assert 0.0 < forecast.missing < 1e-8
    assert float(sum(forecast.chances.values())) == pytest.approx(1.0 - forecast.missing, abs=1e-15)


def with_choice() -> Generator[Any, Any, str]:
    """Roll one die; on a miss the player may roll again."""
    (face,) = yield Dice(DUST_DIE, 1, 0, "roll")
    if ARMY >> face & 1:
        return "hit"
    if (yield YesNo(0, "again")):
        (face,) = yield Dice(DUST_DIE, 1, 0, "roll")
    return "hit" if ARMY >> face & 1 else "miss"


def test_a_policy_answers_the_decisions_on_the_way() -> None:
    assert oracle.of_procedure(with_choice).chances["hit"] == Fraction(1, 3)
    assert oracle.of_procedure(with_choice, policy=oracle.last).chances["hit"] == Fraction(5, 9)
    chosen = oracle.by_key({"again": True})
    assert oracle.of_procedure(with_choice, policy=chosen).chances["hit"] == Fraction(5, 9)


class Tally:
    """The state of a toy game: how often each side scored."""

    def __init__(self, scored: int = 0, rounds: int = 0) -> None:
        self.dice_thrown = 0
        self.scored = scored
        self.rounds = rounds

    def clone(self) -> Tally:
        return Tally(self.scored, self.rounds)

    def facts(self) -> dict[str, Any]:
        return {"scored": self.scored, "rounds": self.rounds}


class ToyRules:
    """Each round a player chooses one die or two; every ARMY scores."""

    id = "toy"
    version = "1"

    def resume(self, play: Play) -> Generator[Any, Any, None]:
        state = play.state
        while state.rounds < 2:
            yield QUIET
            count = yield PickOne(0, "dice", (1, 2))
            thrown = yield from perform(dust(), count, 0)
            state.scored += thrown.successes
            state.rounds += 1

    def new_state(self, header: Any) -> Tally:
        return Tally()


def test_a_game_is_forecast_from_where_it_stands() -> None:
    game = Game(ToyRules(), Tally(), oracle.ForkingDice())
    seen = oracle.of_game(game, lambda twin: False, lambda twin: twin.state.scored, policy=oracle.last)
    assert seen.chances[4] == Fraction(1, 81)
    assert seen.mean(lambda scored: scored) == pytest.approx(4 / 3)
    first = oracle.of_game(game, lambda twin: twin.state.rounds == 1, lambda twin: twin.state.scored)
    assert first.chances == {1: Fraction(1, 3), 0: Fraction(2, 3)}
    assert game.state.rounds == 0


@pytest.mark.parametrize("dice, damage, capacity", [(2, 2, 3), (3, 3, 4), (2, 4, 4), (3, 2, 5)])
def test_hits_resolved_one_by_one_cost_no_more_than_is_left(dice: int, damage: int, capacity: int) -> None:
    plans = [PoolPlan("gun", dice, dust(), (dust(),), damage, capacity, negate=dust(label="resilient"))]
    plans.append(PoolPlan("other gun", 1, dust(), (), damage, capacity, negate=dust(label="resilient")))
    for plan in plans:
        plan.hit_by_hit = True
    for pools in (plans[:1], plans):
        rolled = oracle.of_pools(pools)
        performed = oracle.of_plans(pools, (LOSSES,))
        losses = exact.evaluate(pools).losses
        assert exact.losses_of(pools) == pytest.approx(losses, abs=1e-12)
        for lost, chance in enumerate(losses):
            ways = sum(share for result, share in rolled.chances.items() if result.lost == lost)
            assert chance == pytest.approx(float(ways), abs=1e-12)
            assert chance == pytest.approx(float(performed.chances.get((lost,), 0)), abs=1e-12)


def test_one_hit_too_many_may_be_survived_where_hits_come_one_by_one() -> None:
    plan = PoolPlan("gun", 1, dust(63), (), 4, 1, negate=dust(label="resilient"))
    together = exact.losses(plan)[-1]
    plan.hit_by_hit = True
    assert exact.losses(plan)[-1] == pytest.approx(2 / 3) and together == pytest.approx(1 - 3**-4)
