"""The luck report: throws weighed against what they should have brought."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from dieselfront import rulesets
from dieselfront.dice.die import D6, DUST_DIE, Die
from dieselfront.dice.rollers import FairDice
from dieselfront.dice.throw import Dice, Reading, Throw
from dieselfront.kernel import record
from dieselfront.kernel.events import DiceFell
from dieselfront.kernel.game import Game
from dieselfront.odds import luck
from dieselfront.scenarios import battle
from odds.plans import ARMY, dust

HIT, MISS = 0, 1


def thrown(player: int, faces: tuple[int, ...], throw: Throw | None = None) -> tuple[Dice, tuple[int, ...]]:
    throw = throw or dust()
    return Dice(DUST_DIE, len(faces), player, throw.label, throw), faces


def test_luck_is_successes_beyond_expectation() -> None:
    report = luck.weigh([thrown(0, (HIT, HIT, HIT)), thrown(1, (MISS,) * 3)], [1, 1], ("Blue", "Red"))
    blue, red = report.sides
    assert (blue.expected, blue.successes, blue.luck) == (pytest.approx(1.0), 3, pytest.approx(2.0))
    assert blue.as_good == pytest.approx(1 / 27)
    assert red.as_bad == pytest.approx(8 / 27)
    assert report.balance == pytest.approx(3.0)
    assert report.as_extreme == pytest.approx(1 / 27 * 8 / 27 * 2)


def test_rerolls_and_chains_belong_to_their_throw() -> None:
    throw = dust(sustained=True, chain=ARMY)
    first = Dice(DUST_DIE, 2, 0, "to hit", throw)
    again = Dice(DUST_DIE, 1, 0, "to hit", throw, "re-roll")
    chain = Dice(DUST_DIE, 1, 0, "to hit", throw, "chain")
    more = Dice(DUST_DIE, 1, 0, "to hit", throw, "chain")
    seen = [(first, (HIT, MISS)), (again, (MISS,)), (chain, (HIT,)), (more, (MISS,))]
    report = luck.weigh(seen, [1] * 4, ("Blue", "Red"))
    assert len(report.rolls) == 1
    assert report.rolls[0].successes == 2
    assert report.rolls[0].expected == pytest.approx(2 * 5 / 9 / (1 - 1 / 3))


def test_the_exact_chance_and_the_normal_curve_are_neighbours() -> None:
    chance = Random(1)
    seen = [thrown(0, tuple(chance.randrange(3) for _ in range(8))) for _ in range(60)]
    side = luck.weigh(seen, [1] * 60, ("Blue", "Red")).sides[0]
    assert side.as_good == pytest.approx(side.normal, abs=0.01)


def test_fair_dice_are_ordinary_most_of_the_time() -> None:
    chance = Random(7)
    strange = 0
    for _ in range(100):
        seen = [thrown(side, tuple(chance.randrange(3) for _ in range(5))) for side in (0, 1) for _ in range(10)]
        strange += luck.weigh(seen, [1] * 20, ("Blue", "Red")).as_extreme < 0.05
    assert strange <= 12


def test_the_report_speaks_in_sentences() -> None:
    report = luck.weigh([thrown(0, (HIT,) * 6), thrown(1, (MISS,) * 6)], [1, 1], ("Blue", "Red"))
    said = report.sentences()
    assert said[0].startswith("Blue threw 6 dice in 1 throws: 6 successes where 2.0 were to be expected, 4.0 more.")
    assert "kinder to Blue than to Red" in said[2]
    assert said[-1] == "Blue was luckier than most players ever are."
    assert report.strokes(0)[0].successes == 6
    assert report.strokes(0, good=False) == []
    assert luck.one_in(1 / 7) == "1 game in 7"


def test_a_recorded_game_is_weighed_throw_by_throw() -> None:
    header = battle.header("dust1947", "crossroads", list(battle.starters("dust1947")[:2]), seed="5")
    game = battle.start(header, "5")
    chance = Random(5)
    for _ in range(120):
        if game.pending is None:
            break
        game.choose(game.pending.sample(chance))
    kept = record.record(game, publish_seed=True)
    report = luck.report(rulesets.load("dust1947"), kept)
    rolled = [event for event in game.events if type(event).__name__ == "Rolled"]
    counted = [event for event in rolled if event.label in {roll.label for roll in report.rolls}]
    assert [roll.label for roll in report.rolls] == [event.label for event in counted]
    assert [roll.successes for roll in report.rolls] == [event.successes for event in counted]
    assert report.to_json()["sides"][0]["throws"] == sum(roll.player == 0 for roll in report.rolls)


def test_dice_that_people_typed_in_are_weighed_too() -> None:
    header = battle.header("dust1947", "crossroads", list(battle.starters("dust1947")[:2]), seed=None)
    game = battle.start(header, None)
    chance = Random(3)
    for _ in range(80):
        if game.pending is None:
            break
        game.choose(game.pending.sample(chance))
    report = luck.report(rulesets.load("dust1947"), record.record(game))
    assert report.rolls
    assert all(0 <= roll.as_good <= 1 + 1e-12 for roll in report.rolls)


# -- tests, numbers and draws --------------------------------------------------------------------------------------


def test_a_test_is_lucky_when_it_passes() -> None:
    question = Dice(D6, 2, 0, "morale check", reading=Reading("k47.morale.check", at_most=7))
    report = luck.weigh([(question, (0, 5)), (question, (5, 5))], [1, 1], ("Blue", "Red"))
    assert [roll.successes for roll in report.rolls] == [1, 0]
    assert report.sides[0].expected == pytest.approx(2 * 21 / 36)
    assert [roll.kind for roll in report.rolls] == ["test", "test"]


def test_numbers_are_weighed_by_their_sum_and_the_good_way_round() -> None:
    hits = Dice(D6, 2, 0, "HE hits (2D6)", reading=Reading("k47.he.hits"))
    third = Dice(D6, 1, 0, "pins (D3)", reading=Reading("k47.he.pins", 3))
    panic = Dice(D6, 1, 1, "pins (D6)", reading=Reading("k47.special.green", good=-1))
    report = luck.weigh([(hits, (5, 5)), (third, (0,)), (panic, (5,))], [1] * 3, ("Blue", "Red"))
    blue, red = report.numbers
    assert (blue.successes, blue.expected) == (13, pytest.approx(9.0))
    assert (red.successes, red.expected) == (1, pytest.approx(3.5))  # six pins of panic are as bad as a one
    assert blue.as_good == pytest.approx((1 + 2 * 2 / 3 + 3 / 3) / 36)
    assert report.sides[0].throws == 0 and "The numbers that Blue rolled came to 13" in " ".join(report.sentences())


def test_dice_that_favour_nobody_are_only_counted() -> None:
    cup = Dice(Die("order cup", ("blue", "red"), (0, 0, 1)), 1, 0, "order die")
    fubar = Dice(D6, 1, 0, "FUBAR", reading=Reading("k47.order.fubar", good=0))
    report = luck.weigh([(cup, (1,)), (fubar, (2,))], [1, 1], ("Blue", "Red"))
    assert (report.rolls, report.neutral) == ([], 2)


@pytest.mark.rule("k47.core.dice", "k47.turn.draw", "k47.order.test_roll")
def test_every_die_of_konflikt_47_stands_in_the_log_and_in_the_report() -> None:
    header = battle.header("konflikt47", "crossroads", list(battle.starters("konflikt47")[:2]), seed="9")
    rules = rulesets.load("konflikt47")
    watching = luck.Watching(FairDice("9", header.salt))
    game = Game(rules, rules.new_state(header), watching, header)
    chance = Random(9)
    for _ in range(160):
        if game.pending is None:
            break
        game.choose(game.pending.sample(chance))
    logged = [faces for event in game.events if isinstance(event, DiceFell) for _, faces in event.stages]
    assert logged == [tuple(question.die.faces[face] for face in faces) for question, faces in watching.seen]
    kinds = {type(event).__name__ for event in game.events if isinstance(event, DiceFell)}
    assert kinds >= {"Rolled", "Tested", "Counted", "DieDrawn"}
    report = luck.weigh(watching.seen, [1] * len(watching.seen), ("Blue", "Red"))
    certain = sum(q.count for q, _ in watching.seen if q.throw is not None and not 0 < float(q.throw.chance()) < 1)
    again = sum(q.count for q, _ in watching.seen if q.stage != "roll")
    counted = sum(roll.dice for roll in report.rolls) + report.neutral + again
    assert counted == sum(question.count for question, _ in watching.seen)
    assert report.neutral >= certain


@pytest.mark.parametrize("name", ["konflikt47-crossroads", "konflikt47-the-minefield"])
def test_the_luck_of_a_recorded_game_of_konflikt_47_is_told(name: str) -> None:
    data = (Path(__file__).parent.parent / "golden" / f"{name}.json").read_bytes()
    report = luck.report(rulesets.load("konflikt47"), record.load(data))
    assert {roll.kind for roll in report.rolls} == {"throw", "test", "number"}
    assert 0.0 < report.as_extreme <= 1.0
    assert all(0 < side.as_good <= 1 and side.dice for side in report.sides)
    assert report.names == tuple(force["name"] for force in record.load(data).header.forces)
