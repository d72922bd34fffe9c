"""The fast evaluation against the oracle, against another library, and against common sense."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dieselfront import odds
from dieselfront.dice.die import DUST_DIE
from dieselfront.dice.plan import PoolPlan
from dieselfront.dice.throw import Reroll, Throw
from dieselfront.odds import batch, exact, oracle, series
from odds.plans import ARMY, ARMY_OR_SHIELD, ARMY_OR_TARGET, dust, plans, reference, some_plan

CLOSE = 1e-12


def gap(first: Sequence[float], second: Sequence[float]) -> float:
    """The largest difference between two distributions, whatever their lengths."""
    length = max(len(first), len(second))
    one = list(first) + [0.0] * (length - len(first))
    other = list(second) + [0.0] * (length - len(second))
    return max((abs(a - b) for a, b in zip(one, other, strict=True)), default=0.0)


def assert_equal(found: odds.Odds, forecast: oracle.Forecast[oracle.PoolResult]) -> None:
    assert forecast.missing < CLOSE / 2
    assert gap(found.hits, forecast.distribution(lambda result: result.hits)) < CLOSE
    assert gap(found.unsaved, forecast.distribution(lambda result: result.unsaved)) < CLOSE
    assert gap(found.points, forecast.distribution(lambda result: result.points)) < CLOSE
    assert gap(found.losses, forecast.distribution(lambda result: result.lost)) < CLOSE
    assert abs(found.destroyed - forecast.chance(lambda result: result.destroyed)) < CLOSE


@pytest.mark.parametrize("seed", range(4))
def test_fast_odds_equal_the_oracle_on_a_thousand_plans(seed: int) -> None:
    chance = Random(seed)
    for _ in range(1000):
        plan = some_plan(chance)
        assert_equal(odds.evaluate(plan), oracle.of_pools(plan))


@settings(max_examples=150)
@given(plans())
def test_fast_odds_equal_the_oracle(plan: PoolPlan) -> None:
    assert_equal(odds.evaluate(plan), oracle.of_pools(plan))


@settings(max_examples=40)
@given(plans(most_dice=1, most_damage=2, saves=1, chains=True))
def test_fast_odds_of_exploding_dice_equal_the_oracle(plan: PoolPlan) -> None:
    plan.negate = None if plan.hit.chain_chance() > Fraction(1, 3) else plan.negate
    if plan.hit.chain_chance() > Fraction(1, 2):
        plan.hit.chain = ARMY
    assert_equal(odds.evaluate(plan), oracle.of_pools(plan, cut=1e-17))


@settings(max_examples=100)
@given(plans(2, 2, 1), plans(2, 2, 1), st.integers(1, 6))
def test_pools_on_one_target_equal_the_oracle(first: PoolPlan, second: PoolPlan, capacity: int) -> None:
    first.capacity = second.capacity = capacity
    assert_equal(odds.evaluate([first, second]), oracle.of_pools([first, second]))


def naive(plan: PoolPlan) -> list[Fraction]:
    """The losses by adding up every number of hits and of saves, in whole fractions as far as it matters."""
    hit, chain = plan.hit.chance(), plan.hit.chain_chance()
    kept = Fraction(1)
    for save in plan.saves:
        kept *= 1 - save.chance()
    hits = [Fraction(0)] * (plan.dice + 60)
    for starts in range(plan.dice + 1):
        weight = comb(plan.dice, starts) * hit**starts * (1 - hit) ** (plan.dice - starts)
        for more in range(len(hits) - starts):
            ways = comb(starts + more - 1, more) if starts else int(more == 0)
            hits[starts + more] += weight * ways * chain**more * (1 - chain) ** starts
    lost = [Fraction(0)] * (plan.capacity + 1)
    for number, weight in enumerate(hits):
        for past in range(min(number + 1, plan.capacity)):
            chance = comb(number, past) * kept**past * (1 - kept) ** (number - past)
            lost[past] += weight * chance
    lost[-1] = 1 - sum(lost)
    return lost


@pytest.mark.parametrize("dice", [1, 2, 5, 12])
@pytest.mark.parametrize("faces", [ARMY, ARMY_OR_TARGET])
@pytest.mark.parametrize("sustained", [False, True])
@pytest.mark.parametrize("capacity", [1, 5, 8])
def test_big_exploding_pools_equal_a_sum_in_fractions(dice: int, faces: int, sustained: bool, capacity: int) -> None:
    hit = dust(faces, sustained=sustained, chain=ARMY)
    plan = PoolPlan("laser", dice, hit, (dust(ARMY_OR_SHIELD, label="cover"),), 1, capacity)
    assert gap(exact.losses(plan), [float(chance) for chance in naive(plan)]) < CLOSE


def test_the_reference_attack_equals_another_library() -> None:
    icepool = pytest.importorskip("icepool")
    army = icepool.coin(1, 3)
    chain = army.explode(depth=40)
    one_die = army.reroll([0], depth=1).map({0: 0, 1: 1 + chain}) @ icepool.coin(1, 3)
    theirs = (12 @ one_die.clip(0, 5)).clip(0, 5)
    assert gap(exact.losses(reference()), [float(chance) for chance in theirs.probabilities()]) < CLOSE


def test_negation_of_several_points_a_hit_equals_another_library() -> None:
    icepool = pytest.importorskip("icepool")
    plan = PoolPlan("gun", 6, dust(), (dust(),), 3, 9, negate=dust(label="resilient"))
    points = (6 @ (icepool.coin(1, 3) @ icepool.coin(2, 3)) * 3) @ icepool.coin(2, 3)
    theirs = points.clip(0, 9)
    assert gap(exact.losses(plan), [float(chance) for chance in theirs.probabilities()]) < CLOSE


@settings(max_examples=100)
@given(plans(most_dice=14, chains=True, most=12))
def test_every_distribution_is_one(plan: PoolPlan) -> None:
    found = odds.evaluate(plan)
    for distribution in (found.hits, found.unsaved, found.points, found.losses):
        assert min(distribution) >= 0.0
        assert abs(sum(distribution) - 1.0) < 1e-11
    assert len(found.losses) == plan.capacity + 1


@settings(max_examples=100)
@given(plans(most_dice=12, chains=True))
def test_more_dice_never_lower_hits_or_losses(plan: PoolPlan) -> None:
    fewer = odds.evaluate(plan)
    plan.dice += 1
    more = odds.evaluate(plan)
    assert more.mean_hits >= fewer.mean_hits - CLOSE
    assert more.mean_losses >= fewer.mean_losses - CLOSE
    assert more.destroyed >= fewer.destroyed - CLOSE


@settings(max_examples=100)
@given(plans(most_dice=12, chains=True, saves=1), st.sampled_from([ARMY, ARMY_OR_SHIELD]))
def test_a_save_never_raises_losses(plan: PoolPlan, faces: int) -> None:
    before = odds.evaluate(plan)
    plan.saves = (*plan.saves, dust(faces, label="cover"))
    after = odds.evaluate(plan)
    assert after.mean_losses <= before.mean_losses + CLOSE
    assert after.destroyed <= before.destroyed + CLOSE
    assert abs(after.mean_hits - before.mean_hits) < CLOSE


@settings(max_examples=100)
@given(st.lists(plans(most_dice=14, chains=True, most=12), min_size=1, max_size=6))
def test_a_batch_equals_one_by_one(pools: list[PoolPlan]) -> None:
    table = batch.losses(batch.Batch.of(pools))
    for row, plan in zip(table, pools, strict=True):
        assert gap(list(row), exact.losses(plan)) < CLOSE
        assert row.min() >= 0.0


def test_long_distributions_of_few_exploding_dice_stay_exact() -> None:
    """Here the quick recurrence would run away: more successes than dice, and misses are rare."""
    hit = dust(ARMY_OR_TARGET, sustained=True, chain=ARMY)
    plan = PoolPlan("laser", 3, hit, (), 1, 40)
    truth = [float(chance) for chance in naive(plan)]
    assert gap(exact.losses(plan), truth) < CLOSE
    assert gap(list(batch.losses(batch.Batch.of([plan]))[0]), truth) < CLOSE


def test_a_batch_of_nothing_is_nothing() -> None:
    assert len(batch.losses(batch.Batch.of([]))) == 0


@settings(max_examples=100)
@given(plans(most_dice=14, chains=True), st.floats(1e-15, 1e-3))
def test_what_is_cut_off_is_less_than_the_stated_tail(plan: PoolPlan, tail: float) -> None:
    die = exact.hit_die(plan)
    short = series.cut(plan.dice, die.none, die.again, tail)
    long = series.die_by_die(plan.dice, die.none, die.again, short + 400)
    assert sum(long[short:]) <= tail


def test_a_tiny_chance_keeps_its_digits() -> None:
    plan = PoolPlan("rifles", 10, dust(), (dust(ARMY_OR_SHIELD),), 1, 10)
    assert exact.losses(plan)[-1] == pytest.approx(9.0**-10, rel=1e-12)


def test_expected_values_are_those_of_the_distributions() -> None:
    found = odds.evaluate(reference())
    assert found.mean_hits == pytest.approx(sum(n * p for n, p in enumerate(found.hits)), abs=1e-10)
    assert found.mean_hits == pytest.approx(10.0)
    assert found.mean_unsaved == pytest.approx(sum(n * p for n, p in enumerate(found.unsaved)), abs=1e-10)
    assert found.mean_points == pytest.approx(sum(n * p for n, p in enumerate(found.points)), abs=1e-10)


def test_the_document_has_what_scripts_read() -> None:
    document = odds.evaluate(reference()).to_json()
    assert set(document) >= {"hits", "losses", "destroyed", "expected", "steps", "rules"}
    assert document["losses"]["5"] == document["destroyed"]
    assert document["rules"] == [
        "d47.attack.hit.success",
        "d47.action.sustained",
        "d47.attack.save.infantry_cover",
        "d47.attack.save.cover_sources",
    ]
    assert [step["kind"] for step in document["steps"]] == ["hit", "save"]
    assert 0.0 < document["tail"] < 1e-12


def test_quantiles_read_off_the_losses() -> None:
    found = odds.evaluate(PoolPlan("gun", 1, dust(), (), 1, 1))
    assert (found.quantile(0.5), found.quantile(0.7), found.quantile(1.0)) == (0, 1, 1)
    assert found.at_least(1) == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match="from 0 to 1"):
        found.quantile(2.0)


def test_forced_and_allowed_rerolls_multiply_out() -> None:
    forced = Throw("save", DUST_DIE, ARMY_OR_SHIELD, "r", (Reroll(True, ARMY_OR_SHIELD, "d47.height.attacker"),))
    assert exact.chances(forced)[0] == pytest.approx(4 / 9)
    allowed = Throw("save", DUST_DIE, ARMY, "r", (Reroll(False, ARMY_OR_SHIELD, "d47.fort.bunker_saves"),))
    assert exact.chances(allowed)[0] == pytest.approx(1 / 3 + 2 / 3 * 2 / 3)


def test_impossible_plans_are_refused_with_a_sentence() -> None:
    endless = Throw("to hit", DUST_DIE, ARMY, "r", chain=DUST_DIE.all_faces)
    with pytest.raises(ValueError, match="never end"):
        exact.losses(PoolPlan("laser", 1, endless))
    with pytest.raises(ValueError, match="cannot chain"):
        exact.losses(PoolPlan("laser", 1, dust(), (dust(chain=ARMY),)))
    with pytest.raises(ValueError, match="nothing left to lose"):
        exact.losses(PoolPlan("laser", 1, dust(), capacity=0))
    with pytest.raises(ValueError, match="at least one"):
        odds.evaluate([])
