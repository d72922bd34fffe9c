"""What an order to assault or to overrun says beforehand, beside the real thing for every way its dice can fall."""

from __future__ import annotations

from typing import Any

import pytest

from dieselfront import odds
from dieselfront.dice import Dice
from dieselfront.dice.rollers import Roller
from dieselfront.kernel.stakes import Stake
from dieselfront.odds import oracle
from dieselfront.rulesets.konflikt47.events import Casualties, FightRound
from dieselfront.rulesets.konflikt47.playing import Play
from dieselfront.rulesets.konflikt47.state import State, Unit
from rulesets.konflikt47.field import BLUE, RED, Field, gap, gun, squad, tank, usual

Carried = tuple[int, bool]
"""Models lost by the target in the first round, and whether it is gone."""

LUMPED = ("hand-to-hand", "assault", "walker blows")
"""Throws of which only the successes are read."""


def armed(weapon: str = "Rifle", number: int = 2, **card: Any) -> dict[str, Any]:
    return squad(men=[{"weapons": [weapon]} for _ in range(number)], **card)


def placed(blue: dict[str, Any], red: dict[str, Any], inches: float = 5, **given: Any) -> tuple[Field, Unit, Unit]:
    """Two units so far apart; the enemy has acted already and does not react."""
    field = Field(size=(72, 72), tank_overrun="on")
    unit = field.put(BLUE, blue, 600, 600, heading=180 if "vehicle" in blue else 0, **given)
    return field, unit, field.put(RED, red, 600, 600 + gap(inches), order="fire")


def first_round(play: Play, unit: Unit) -> Any:
    """The order and what follows, up to the end of the first round, the test of whoever lost it included."""
    procedure = play.rules.orders.activate(play, unit)
    answer = None
    while True:
        try:
            question = procedure.send(answer)
        except StopIteration:
            return
        test = isinstance(question, Dice) and question.label == "morale check (lost the fight)"
        if not test and any(isinstance(event, FightRound) for event in play.events):
            return  # fighting on, consolidation
        answer = yield question


def carried_out(
    field: Field, unit: Unit, target: Unit, choice: str, observed: Unit | None = None
) -> oracle.Forecast[Carried]:
    """The order given and carried out for every way the dice can fall: what becomes of the target, or of another."""
    seen = observed or target
    answers = {"order": choice, f"{choice} target": target.id, "reaction": None, "method": "hand-to-hand"}

    def run(dice: Roller) -> Carried:
        state: State = field.state.clone()
        play = Play(field.rules, state)
        oracle.drive(first_round(play, state.unit(unit.id)), dice, oracle.by_key(answers, usual))
        lost = [len(event.models) for event in play.events if isinstance(event, Casualties) and event.unit == seen.id]
        return sum(lost), not state.unit(seen.id).alive

    return oracle.explore(run, lump=lambda dice: dice.label in LUMPED, most=60000)


def stake_of(field: Field, unit: Unit, target: Unit, choice: str) -> Stake:
    """What the order puts at stake for the target; the choice of the target says the same."""
    stakes = [one for one in field.rules.orders.stakes(field.state, unit, choice) if one.target == target.id]
    again = field.rules.orders.assault_stakes(field.state, unit, target, choice)
    assert [one.chance for one in again if one.target == target.id] == [one.chance for one in stakes]
    (stake,) = stakes
    return stake


def check(field: Field, unit: Unit, target: Unit, choice: str = "assault") -> Stake:
    """The odds of an order are those of the real thing, to 1e-12."""
    before = repr(field.state.facts())
    stake = stake_of(field, unit, target, choice)
    assert repr(field.state.facts()) == before  # asking changes nothing
    planned = odds.evaluate(list(stake.plans))
    real = carried_out(field, unit, target, choice)
    if not target.is_vehicle:
        for lost in range(1, len(target.men)):
            share = real.chance(lambda end, lost=lost: end[0] == lost)  # type: ignore[misc]
            assert stake.chance * planned.losses[lost] == pytest.approx(share, abs=1e-12)
    assert stake.chance * planned.destroyed == pytest.approx(real.chance(lambda end: end[1]), abs=1e-12)
    assert planned.destroyed > 0
    return stake


@pytest.mark.rule("k47.cq.h2h_attacks", "k47.order.test_pass")
@pytest.mark.parametrize("pins", [0, 1, 2])
def test_an_assault_on_troops(pins: int) -> None:
    """Each pin costs a blow, and the test that has to be passed takes one pin off."""
    stake = check(*placed(armed("SMG"), armed("Rifle", 3), pins=pins))
    assert (stake.chance == 1.0) == (not pins)
    assert stake.plans[0].start["dice"] == 4 - max(0, pins - 1)


@pytest.mark.rule("k47.cq.compare", "k47.cq.result_loser", "k47.pin.morale")
@pytest.mark.parametrize("pins", range(9))
def test_whoever_lost_the_round_tests_with_all_its_pins(pins: int) -> None:
    field, unit, target = placed(armed("SMG", 2), armed("Rifle", 3))
    target.pins = pins
    check(field, unit, target)


@pytest.mark.rule("k47.cq.compare")
def test_the_assaulters_may_lose_the_round_too() -> None:
    field, unit, target = placed(armed("Rifle", 2), armed("SMG", 2))
    target.order = "fire"
    (stake,) = [one for one in field.rules.orders.stakes(field.state, unit, "assault") if one.target == unit.id]
    planned = odds.evaluate(list(stake.plans))
    real = carried_out(field, unit, target, "assault", observed=unit)
    assert planned.destroyed == pytest.approx(real.chance(lambda end: end[1]), abs=1e-12)
    assert planned.destroyed > planned.losses[-1]


@pytest.mark.rule("k47.special.horror", "k47.cq.result_loser")
@pytest.mark.parametrize("fearsome", [BLUE, RED])
def test_victims_of_horror_strike_with_those_who_are_left(fearsome: int) -> None:
    rules = [["Horror"] if side == fearsome else [] for side in (BLUE, RED)]
    check(*placed(armed("SMG", 2, rules=rules[BLUE]), armed("Rifle", 3, rules=rules[RED])))


@pytest.mark.rule("k47.nation.soviet")
def test_soviet_losers_test_twice() -> None:
    field, unit, target = placed(armed("SMG", 2), armed("Rifle", 3, nation="Soviet Union"))
    check(field, unit, target)


@pytest.mark.rule("k47.cqw.result")
@pytest.mark.parametrize("weapon", ["Rifle", "Panzerfaust"])
def test_troops_that_hurt_the_walker_do_not_lose_to_it(weapon: str) -> None:
    field, unit, target = placed(tank("light walker", rules=["Assault"]), armed(weapon, 3))
    target.pins = 1
    check(field, unit, target)


@pytest.mark.rule("k47.special.tough_fighters")
def test_tough_fighters_strike_again() -> None:
    check(*placed(armed("Rifle", 1, rules=["Tough Fighters"]), armed("Rifle", 2)))


@pytest.mark.rule("k47.special.motorbikes")
def test_riders_are_hit_before_they_are_hurt() -> None:
    stake = check(*placed(armed("SMG", 2), armed("Rifle", 2, rules=["Motorbikes"])))
    assert odds.evaluate(list(stake.plans)).mean_hits < 4


@pytest.mark.rule("k47.cqv.damage", "k47.cqv.nerve")
@pytest.mark.parametrize("hull", ["light tank", "soft-skin"])
@pytest.mark.parametrize("pins", [0, 1])
def test_an_assault_on_a_vehicle(hull: str, pins: int) -> None:
    stake = check(*placed(armed("Panzerfaust", 2), tank(hull), pins=pins))
    assert stake.chance == 1.0 if not pins else stake.chance < 1.0


@pytest.mark.rule("k47.cqw.gun")
def test_a_walker_crushes_a_gun_for_certain() -> None:
    stake = check(*placed(tank("light walker", rules=["Assault"]), gun("Light AT Gun")))
    assert odds.evaluate(list(stake.plans)).destroyed == 1.0


@pytest.mark.rule("k47.cqw.attacks")
def test_a_walker_among_troops_says_what_both_may_lose() -> None:
    field, unit, target = placed(tank("light walker", rules=["Assault"]), armed("Rifle", 2))
    check(field, unit, target)
    stakes = field.rules.orders.stakes(field.state, unit, "assault")
    assert [(stake.target, stake.unit) for stake in stakes] == [(target.id, unit.id), (unit.id, target.id)]


@pytest.mark.rule("k47.cqw.tank_overrun")
def test_an_overrun_is_a_test_of_nerve() -> None:
    check(*placed(tank(mode="tracked"), armed("Rifle", 2), inches=3), choice="overrun")


@pytest.mark.rule("k47.cq.reach", "k47.cqw.assault")
def test_nothing_is_at_stake_in_an_assault_that_falls_short() -> None:
    for blue, far in ((armed(), 13), (tank("light walker", rules=["Assault"]), 40)):
        field, unit, target = placed(blue, armed(), far)
        assert "assault" in field.rules.orders.choices(field.state, unit)
        assert field.rules.orders.stakes(field.state, unit, "assault") == []
        assert field.rules.orders.assault_stakes(field.state, unit, target, "assault") == []
    field, unit, target = placed(tank(mode="tracked"), armed(), 40)
    assert field.rules.orders.stakes(field.state, unit, "overrun") == []


@pytest.mark.rule("k47.pin.to_hit", "k47.order.test_pass")
def test_fire_after_a_test_has_one_pin_less() -> None:
    field, unit, target = placed(armed("Rifle", 5), armed("Rifle", 5), 10, pins=2)
    (stake,) = field.rules.orders.stakes(field.state, unit, "fire")
    planned = odds.evaluate(list(stake.plans)).mean_hits
    unit.pins = 1
    assert (
        planned
        == odds.evaluate(list(field.rules.shooting.stakes_at(field.state, unit, target, "fire")[0].plans)).mean_hits
    )
