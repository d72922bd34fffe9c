"""Plans in stages: one of every kind that the five games roll, each beside the oracle, which follows every die."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from dieselfront import odds
from dieselfront.dice.die import D6, DUST_DIE
from dieselfront.dice.plan import (
    DESTROYED,
    DICE,
    HITS,
    LOSSES,
    POINTS,
    UNSAVED,
    Add,
    AnyPlan,
    Cap,
    Check,
    Highest,
    Look,
    Multiply,
    Number,
    Plan,
    PoolPlan,
    Save,
    Score,
    Stage,
    Subtract,
    Table,
    TableRow,
    When,
)
from dieselfront.dice.throw import Because, Reroll, Throw
from dieselfront.odds import oracle, stages
from odds.plans import reference, some_plan

CLOSE = 1e-12
SHARED = (HITS, UNSAVED, POINTS, LOSSES, DESTROYED)


def at_least(score: int) -> int:
    """The faces of a D6 that show so much or more."""
    return sum(1 << face for face in range(6) if face + 1 >= score)


def needs(score: int, label: str = "roll", rule: str = "rule", confirm: int = 0) -> Throw:
    return Throw(label, D6, at_least(score), rule, confirm=confirm)


def number(dice: int, sides: int = 6, plus: int = 0, halved: bool = False) -> Number:
    return Number("number", "rule", dice, sides, plus, halved)


def agree(plans: Sequence[AnyPlan] | AnyPlan, *names: str) -> None:
    """The evaluator and the oracle give the same joint distribution."""
    wanted = names or SHARED
    slow = oracle.of_plans(plans, wanted)
    fast = stages.joint(plans, wanted)
    for values in {*slow.chances, *fast}:
        assert fast.get(values, 0.0) == pytest.approx(float(slow.chances.get(values, 0)), abs=CLOSE), values
    assert sum(fast.values()) == pytest.approx(1.0, abs=CLOSE)


# -- Dust: pools -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_a_dust_pool_in_stages_is_the_pool_in_closed_form(seed: int) -> None:
    chance = Random(seed)
    for _ in range(60):
        plan = some_plan(chance)
        closed = odds.evaluate(plan)
        for name, known in ((HITS, closed.hits), (UNSAVED, closed.unsaved), (LOSSES, closed.losses)):
            assert stages.marginal(plan, name, len(known)) == pytest.approx(list(known), abs=CLOSE)


def test_dust_pools_agree_with_the_oracle() -> None:
    chance = Random(47)
    for _ in range(12):
        one, other = some_plan(chance), some_plan(chance)
        one.dice, other.dice = min(one.dice, 2), min(other.dice, 1)
        other.capacity = one.capacity
        agree([one, other], *SHARED[:4])


def test_a_chaining_pool_is_cut_where_next_to_nothing_is_left() -> None:
    plan = reference()
    closed = odds.evaluate(plan)
    assert stages.marginal(plan, LOSSES) == pytest.approx(list(closed.losses), abs=CLOSE)


# -- Konflikt '47: hits, damage by value and penetration, casualties, pins, morale --------------------------------


def morale(needed: int) -> Check:
    return Check(
        "morale check",
        "k47.morale.half",
        [max(2, needed - pins) for pins in range(9)],
        "pins",
        failed=(Add(DESTROYED), Add("failed")),
    )


def volley(dice: int, men: int, *, he: bool = False, tough: bool = False) -> Plan:
    """Shots at troops: damage on 4+, sixes may be of the shooter's choice, pins, a check if half are lost."""
    wound = Throw("damage", D6, at_least(4), "k47.damage.roll")
    steps: list[Stage] = [Score(needs(3, "to hit"), DICE, HITS)]
    rolls = HITS
    pins = number(0, plus=1)
    if he:
        steps.append(Multiply(number(1, 3, halved=True), HITS, "rolls", most=4))
        rolls, pins = "rolls", number(1, 2)
    steps.append(When(HITS, 1, (Highest("shaken", pins),)))
    steps.append(Score(wound, rolls, "plain", kinds=((1 << 5, "sixes"),), kind="damage"))
    if tough:
        steps += [Save(needs(5, "tough"), "sixes"), Save(needs(5, "tough"), "plain")]
    steps += [
        Score(needs(6, "exceptional"), "sixes", "chosen"),
        Add(LOSSES, "sixes"),
        Add(LOSSES, "plain"),
        Cap(LOSSES, men),
        When(LOSSES, men, (Add(DESTROYED),)),
        Look("shaken", "pins", (0, 1, 3, 4)),
        When("pins", 7, (Add(DESTROYED),), unless=DESTROYED),
        When(LOSSES, (men + 1) // 2, (morale(9),), unless=DESTROYED),
    ]
    start = {DICE: dice, "shaken": 0, "plain": 0, "sixes": 0, "rolls": 0}
    return Plan("rifles", steps, start, men, True, shows=("pins",), events=("failed", "chosen"))


@pytest.mark.parametrize(
    ("dice", "men", "he", "tough"), [(2, 2, False, False), (1, 3, False, True), (1, 2, True, False)]
)
def test_a_volley_at_troops_agrees_with_the_oracle(dice: int, men: int, he: bool, tough: bool) -> None:
    plan = volley(dice, men, he=he, tough=tough)
    agree(plan, LOSSES, DESTROYED, "pins", "chosen", "failed")
    found = odds.evaluate(plan)
    slow = oracle.of_plans(plan, (LOSSES, DESTROYED, "pins", "failed"))
    assert found.destroyed == pytest.approx(slow.chance(lambda end: end[1] > 0), abs=CLOSE)
    assert list(found.further["pins"]) == pytest.approx(slow.distribution(lambda end: end[2]), abs=CLOSE)
    assert found.chances["failed"] == pytest.approx(slow.chance(lambda end: end[3] > 0), abs=CLOSE)
    assert found.steps[0].kind == "hit" and found.steps[-1].kind == "check"


# -- Konflikt '47: the damage results table ----------------------------------------------------------------------


def damage_table(grade: str, plus: int, dice: int = 1) -> Table:
    """Stunned, immobilised (twice is the end), on fire (a check), knocked out."""
    pinned = (Add("pins"),)
    lines = (
        TableRow(1, "stunned", "k47.armour.stunned", pinned),
        TableRow(2, "immobilised", "k47.armour.immobilised", (*pinned, When("immobilised", 2, (Add(DESTROYED),)))),
        TableRow(3, "on fire", "k47.armour.fire", (*pinned, morale(8))),
        TableRow(4, "knocked out", "k47.armour.ko", (Add(DESTROYED),)),
    )
    return Table(grade, f"k47.armour.{grade}", lines, grade, dice, plus)


def shell(dice: int, value: int, pen: int, stuck: int = 0) -> Plan:
    """Every hit is rolled by itself: equal is superficial, more is full, three more is massive."""
    grades = {"superficial": 0, "full": 0, "massive": 0}
    for face in range(2, 7):
        total = face + pen
        if total >= value:
            grades["massive" if total >= value + 3 else "full" if total > value else "superficial"] |= 1 << face - 1
    damage = Throw("damage", D6, sum(grades.values()), "k47.damage.roll")
    steps: list[Stage] = [
        Score(needs(4, "to hit"), DICE, HITS),
        When(HITS, 1, (Add("pins"),)),
        Score(damage, HITS, "other", kind="damage", kinds=tuple((faces, name) for name, faces in grades.items())),
        damage_table("superficial", -3),
        damage_table("full", 0),
        damage_table("massive", 0, dice=2),
        When(DESTROYED, 1, (Add(LOSSES),)),
        Cap(LOSSES, 1),
    ]
    start = {DICE: dice, "immobilised": stuck, "other": 0, **dict.fromkeys(grades, 0)}
    return Plan("gun", steps, start, 1, shows=("pins",), events=("on fire",))


@pytest.mark.parametrize(("dice", "stuck"), [(1, 0), (2, 1)])
def test_the_vehicle_damage_table_agrees_with_the_oracle(dice: int, stuck: int) -> None:
    agree(shell(dice, 7, 4, stuck), LOSSES, "pins", "immobilised", "on fire")


def test_two_results_are_suffered_in_their_order_until_the_end() -> None:
    massive = Table("massive", "k47.armour.massive", damage_table("massive", 0).rows, 1, 2)
    plan = Plan("gun", [massive], {"immobilised": 0})
    agree(plan, DESTROYED, "pins", "immobilised", "on fire", "knocked out", "failed")
    knocked_out = stages.marginal(plan, "knocked out")
    burnt = [1 - stages.at_most(2, 8 - pins) for pins in (1, 2)]
    first = 1 / 2 + (1 / 6) * (1 + 1) * (1 / 2) + (1 / 6) * (1 - burnt[0]) * (1 / 2)
    assert knocked_out[1] == pytest.approx(first, abs=CLOSE)


# -- Dust Warfare: a sum of damage less an armour roll and cover; its table --------------------------------------


def barrage(dice: int, damage: int, armour: int, cover: int, capacity: int) -> Plan:
    """Hits are worth points; the target rolls armour dice against the sum, cover takes more away."""
    hit = Throw(
        "to hit", DUST_DIE, DUST_DIE.mask(["ARMY"]), "dw.attack.roll", (Reroll(False, DUST_DIE.mask(["ARMY"]), ""),)
    )
    roll = Throw("armour", DUST_DIE, DUST_DIE.mask(["ARMY", "SHIELD"]), "dw.armor.roll")
    cover_rule = (Because("dw.cover.soft_value", f"cover ignores {cover}"),)
    steps: list[Stage] = [
        Score(hit, DICE, HITS),
        Multiply(number(0, plus=damage), HITS, POINTS),
        Subtract(POINTS, roll, armour, cover, because=cover_rule),
        Add(LOSSES, POINTS),
        Cap(LOSSES, capacity),
        When(HITS, 1, (Add("suppression"),)),
        When(POINTS, 1, (Add("suppression"),)),
    ]
    return Plan("howitzer", steps, {DICE: dice}, capacity, shows=("suppression",))


@pytest.mark.parametrize(
    ("dice", "damage", "armour", "cover"), [(3, 2, 2, 1), (2, 3, 3, 0), (4, 1, 0, 2), (1, 5, 4, 2)]
)
def test_damage_less_armour_and_cover_agrees_with_the_oracle(dice: int, damage: int, armour: int, cover: int) -> None:
    plan = barrage(dice, damage, armour, cover, 4)
    agree(plan, HITS, POINTS, LOSSES, "suppression")
    assert "dw.cover.soft_value" in [item.rule for item in plan.reasons()]
    assert [step.kind for step in odds.evaluate(plan).steps] == ["hit", "armour"]


@pytest.mark.parametrize(("points", "plus"), [(1, 0), (2, 0), (2, 2)])
def test_a_warfare_vehicle_table_agrees_with_the_oracle(points: int, plus: int) -> None:
    lines = (
        TableRow(1, "shaken", "dw.vehicle.shaken", (Add("suppression"),)),
        TableRow(3, "weapon lost", "dw.vehicle.weapon", (Add("weapons"),)),
        TableRow(5, "engine", "dw.vehicle.engine", (When("engine", 2, (Add(DESTROYED),)),)),
        TableRow(7, "exploded", "dw.vehicle.exploded", (Add(DESTROYED),)),
    )
    table = Table("vehicle damage", "dw.vehicle.table", lines, "past", 1, plus)
    plan = Plan("gun", [Add("past", points), table, When(DESTROYED, 1, (Add(LOSSES),)), Cap(LOSSES)], {"past": 0})
    agree(plan, LOSSES, "suppression", "weapons", "engine", "shaken")


# -- stages in general -------------------------------------------------------------------------------------------


def some_stages(chance: Random) -> Plan:
    """Any few stages in a row on a handful of tallies."""
    tallies = [HITS, POINTS, LOSSES, "pins"]

    def one(depth: int = 0) -> Stage:
        of, to = chance.choice(tallies), chance.choice(tallies)
        kind = chance.randrange(9 if depth < 1 else 6)
        throw = needs(chance.randint(2, 6), confirm=at_least(4) if chance.random() < 0.2 else 0)
        if kind == 0:
            return Save(throw, of)
        if kind == 1:
            return Multiply(number(chance.randrange(2), chance.choice((2, 3)), chance.randrange(2)), of, to, most=3)
        if kind == 2:
            return Subtract(of, throw, chance.randrange(3), chance.randrange(2))
        if kind == 3:
            return Cap(of, chance.randint(1, 2))
        if kind == 4:
            return Look(of, to, [chance.randrange(3) for _ in range(3)]) if of != to else Add(to)
        if kind == 5:
            return Highest(to, number(1, 3))
        if kind == 6:
            return When(of, 1, (one(1),), unless=DESTROYED)
        if kind == 7:
            return Check("test", "rule", [7, 6, 4], of, failed=(Add(DESTROYED),), passed=(Add(to),))
        return Table("table", "rule", (TableRow(1, "a", "r", (one(1),)), TableRow(4, "b", "r", (Add(DESTROYED),))), 1)

    first = Score(needs(chance.randint(2, 6)), DICE, HITS, kinds=((1 << 5, "pins"),))
    steps = [first, *(one() for _ in range(3)), Cap(POINTS, 2), Cap(LOSSES, 2), Cap("pins", 2), Cap(HITS, 2)]
    return Plan("any", steps, {DICE: chance.randint(0, 2)})


def test_any_few_stages_agree_with_the_oracle() -> None:
    chance = Random(1947)
    for _ in range(40):
        plan = some_stages(chance)
        agree(plan, HITS, LOSSES, "pins", DESTROYED)


def test_only_what_is_asked_for_is_carried_along() -> None:
    plan = volley(30, 10)
    assert sum(stages.joint(plan, (HITS, LOSSES)).values()) == pytest.approx(1.0, abs=CLOSE)
    needed, kept = stages._sliced(stages.program(plan), (HITS,))
    assert len(kept) == 2 and "pins" not in needed


@pytest.mark.parametrize("plan", [PoolPlan("pool", 2, needs(4)), volley(2, 2)])
def test_a_plan_names_its_tallies_and_starts_anew_for_every_pool(plan: AnyPlan) -> None:
    one, two = stages.marginal(plan, HITS), stages.marginal([plan, plan], HITS)
    assert sum(n * p for n, p in enumerate(two)) == pytest.approx(2 * sum(n * p for n, p in enumerate(one)), abs=CLOSE)
