"""Odds of Konflikt '47: closed form beside the oracle and beside played attacks, and monotone where it should be."""

from __future__ import annotations

import os
from collections.abc import Callable
from math import sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dieselfront import odds
from dieselfront.dice.rollers import FairDice
from dieselfront.forces import konflikt_catalogue
from dieselfront.kernel.game import Play
from dieselfront.odds import oracle, stages
from dieselfront.odds.games import OddsError, adapter
from dieselfront.odds.matrix import matrix
from dieselfront.rulesets.konflikt47.odds import attack as konflikt
from dieselfront.rulesets.konflikt47.odds import firing_range as konflikt_range
from dieselfront.rulesets.konflikt47.odds.firing_range import ATTACKER, TARGET, KonfliktSituation
from dieselfront.rulesets.konflikt47.odds.policy import Policy, declared
from odds.konflikt_cases import (
    RULES,
    Case,
    gun,
    machine,
    some_assault,
    some_case,
    some_reaction,
    some_turns,
    squad,
)

MANY = int(os.environ.get("DIESELFRONT_ODDS_CASES", "120"))


def agree(case: Case, most: int, *, every_face: bool = False) -> bool:
    """Do the exchange and the oracle agree to 1e-12? False if there is nothing to compare."""
    try:
        place = konflikt_range.build(RULES, case.attacker, case.target, case.situation)
        konflikt.first_fire(RULES, place, case.situation)
        slow = konflikt.by_procedure(RULES, place, case.situation, every_face=every_face, most=most)
    except (OddsError, oracle.TooManyPaths):
        return False
    fast = konflikt.exchange(RULES, place, case.situation)
    for end in {**fast.chances, **slow.chances}:
        assert fast.chances.get(end, 0.0) == pytest.approx(slow.chances.get(end, 0.0), abs=1e-12), (case, end)
    assert sum(fast.chances.values()) == pytest.approx(1.0, abs=1e-12)
    return True


def compared(make: Callable[[Random], Case], seed: int, cases: int, most: int) -> int:
    """How many of so many cases could be compared."""
    chance = Random(seed)
    return sum(agree(make(chance), most) for _ in range(cases))


@pytest.mark.rule("k47.shoot.simultaneous", "k47.he.hits", "k47.wrule.flame_hit", "k47.wrule.tesla_arc")
def test_fire_agrees_with_the_oracle() -> None:
    assert compared(some_case, 5, 60, 250) > 35


@pytest.mark.rule("k47.react.firefight", "k47.open.firefight_timing")
def test_a_firefight_agrees_with_the_oracle() -> None:
    assert compared(some_reaction, 6, 16, 250) >= 5


@pytest.mark.rule("k47.wrule.shockwave_line", "k47.open.firefight_timing")
def test_a_shockwave_of_a_firefight_runs_on_though_its_shooter_falls() -> None:
    waver = machine("soft-skin", "Zvukovoy Proyektor")
    situation = KonfliktSituation(range=9, reaction=True)
    assert agree(Case(squad("Bazooka"), waver, situation), 3000)
    found = konflikt.attack(RULES, squad("Bazooka"), waver, situation)
    assert found.outlook.chance(lambda end: end.target.destroyed and end.attacker.pins > 0) > 0.0


@pytest.mark.rule("k47.wrule.indirect_zero", "k47.pin.morale")
def test_two_turns_of_fire_agree_with_the_oracle() -> None:
    assert compared(some_turns, 7, 16, 250) >= 5


@pytest.mark.rule("k47.cq.h2h_simul", "k47.cqv.damage", "k47.cqw.attacks", "k47.react.stand_fire")
def test_close_quarters_agree_with_the_oracle() -> None:
    assert compared(some_assault, 8, 24, 300) >= 12


@pytest.mark.rule("k47.damage.exceptional", "k47.armour.massive")
@pytest.mark.parametrize(
    ("attacker", "target"),
    [
        (squad("Rifle", "Rifle"), squad("Rifle", "Rifle", "Rifle")),
        (squad("Bazooka"), machine("light tank")),
        (squad("Rifle"), gun("Light AT Gun", "Rifle", shield=True)),
    ],
)
def test_following_every_face_changes_nothing(attacker: Any, target: Any) -> None:
    assert agree(Case(attacker, target, KonfliktSituation(range=9)), 30_000, every_face=True)


def plans_compared(seed: int, cases: int) -> int:
    """How many volleys whose plan tells all end exactly as the exchange says."""
    chance = Random(seed)
    found = 0
    for _ in range(cases):
        case = some_case(chance)
        try:
            place = konflikt_range.build(RULES, case.attacker, case.target, case.situation)
            fire = konflikt.first_fire(RULES, place, case.situation)
        except OddsError:
            continue
        plan = RULES.plans.of_volley(place.play.state, place.target, fire.pools, fire.suppressive)
        if not plan.tells_all or fire.waves or case.situation.turns > 1 or case.situation.reaction:
            continue
        told, outlook = odds.evaluate(plan), konflikt.exchange(RULES, place, case.situation)
        assert told.destroyed == pytest.approx(outlook.chance(lambda end: end.target.destroyed), abs=1e-12), case
        had = place.target.pins
        pins = outlook.distribution(lambda end, had=had: 0 if end.target.destroyed else end.target.pins - had)
        both = stages.joint(plan, ("destroyed", "pins"))
        for number, share in enumerate(pins):
            chance_of = sum(p for (dead, gained), p in both.items() if (0 if dead else gained) == number)
            assert chance_of == pytest.approx(share, abs=1e-12), case
        found += 1
    return found


@pytest.mark.rule("k47.damage.exceptional", "k47.armour.results", "k47.pin.he_replaces", "k47.morale.half")
def test_the_plan_of_a_volley_tells_its_end() -> None:
    assert plans_compared(3, 90) >= 30


@pytest.mark.slow
def test_the_plans_of_many_volleys_tell_their_ends() -> None:
    assert plans_compared(47, 800) >= 250


@pytest.mark.slow
@pytest.mark.parametrize("make", [some_case, some_reaction, some_turns, some_assault])
def test_many_situations_agree_with_the_oracle(make: Callable[[Random], Case]) -> None:
    assert compared(make, 1947, MANY, 2000) > MANY // 4


@pytest.mark.parametrize("seed", [12, 13, 16, 23])
def test_played_attacks_agree_within_sampling_error(seed: int) -> None:
    """A few hundred attacks with fair dice; four standard deviations are allowed."""
    case = some_case(Random(seed))
    place = konflikt_range.build(RULES, case.attacker, case.target, case.situation)
    try:
        found = konflikt.attack(RULES, case.attacker, case.target, case.situation).target_odds
    except OddsError:
        pytest.skip("they cannot shoot")
    dice = FairDice(f"played {seed}")
    shots = declared(RULES, place.play.state, place.attacker, place.target, case.situation.order, case.situation)
    games, thrown, gone = 500, 0, 0

    class Counting:
        def roll(self, question: Any, number: int) -> tuple[int, ...]:
            nonlocal thrown
            thrown += 1
            return dice.roll(question, thrown)

    for _ in range(games):
        play = Play(RULES, place.play.state.clone())
        procedure = konflikt.whole(play, case.situation, place.range, shots)
        oracle.drive(procedure, Counting(), Policy(case.situation, RULES, play.state))
        gone += not play.state.unit(TARGET).alive
    expected = games * found.destroyed
    assert abs(gone - expected) <= 4 * sqrt(max(1.0, expected * (1 - found.destroyed)))


# -- common sense ------------------------------------------------------------------------------------------------

SITUATIONS = st.builds(
    KonfliktSituation,
    range=st.sampled_from([4, 8, 14, 20]),
    cover=st.sampled_from(["none", "soft", "hard"]),
    order=st.sampled_from(["fire", "advance"]),
    attacker_pins=st.integers(0, 3),
    pins=st.integers(0, 3),
)
WEAPONS = st.sampled_from(["Rifle", "Automatic Rifle", "LMG", "Bazooka"])
TARGETS = st.sampled_from(
    [squad("Rifle", "Rifle"), squad(*["Rifle"] * 6, rules=("Tough",)), machine("medium tank"), machine("soft-skin")]
)


def told(attacker: Any, target: Any, situation: KonfliktSituation) -> odds.Odds:
    return konflikt.attack(RULES, attacker, target, situation).target_odds


@settings(max_examples=25)
@given(WEAPONS, TARGETS, SITUATIONS, st.integers(1, 4))
def test_chances_add_up_and_more_shots_never_lower_the_hits(
    weapon: str, target: Any, situation: KonfliktSituation, men: int
) -> None:
    fewer, more = told(squad(*[weapon] * men), target, situation), told(squad(*[weapon] * (men + 1)), target, situation)
    for found in (fewer, more):
        for distribution in (found.hits, found.unsaved, found.losses, found.further["pins"]):
            assert min(distribution) >= 0.0
            assert sum(distribution) == pytest.approx(1.0, abs=1e-12)
        assert all(-1e-12 <= chance <= 1.0 + 1e-12 for chance in found.chances.values())
    assert more.mean_hits >= fewer.mean_hits - 1e-12
    assert more.mean_losses >= fewer.mean_losses - 1e-12
    assert more.destroyed >= fewer.destroyed - 1e-12


@settings(max_examples=20)
@given(WEAPONS, TARGETS, SITUATIONS)
def test_cover_and_pins_of_the_shooter_never_raise_the_losses(
    weapon: str, target: Any, situation: KonfliktSituation
) -> None:
    found = [told(squad(weapon, weapon), target, situation.but(cover=cover)) for cover in ("none", "soft", "hard")]
    losses = [one.mean_losses for one in found]
    assert losses[0] >= losses[1] - 1e-12 and losses[1] >= losses[2] - 1e-12
    pinned = told(squad(weapon, weapon), target, situation.but(attacker_pins=situation.attacker_pins + 1))
    assert pinned.mean_losses <= told(squad(weapon, weapon), target, situation).mean_losses + 1e-12


# -- situations --------------------------------------------------------------------------------------------------


@pytest.mark.rule("k47.shoot.long", "k47.shoot.cover", "k47.shoot.moving", "k47.pin.to_hit", "k47.shoot.down")
@pytest.mark.parametrize(
    ("change", "chance"),
    [
        ({}, 4 / 6),
        ({"range": 13}, 3 / 6),
        ({"range": 6}, 5 / 6),
        ({"cover": "soft"}, 3 / 6),
        ({"cover": "hard"}, 2 / 6),
        ({"order": "advance"}, 3 / 6),
        ({"attacker_pins": 2}, 2 / 6),
        ({"target_tokens": ("down",)}, 3 / 6),
        ({"attacker_quality": "inexperienced"}, 3 / 6),
        ({"target_left": 2}, 3 / 6),
        ({"cover": "hard", "range": 24, "attacker_pins": 1}, 1 / 36),
    ],
)
def test_the_situation_shapes_the_dice(change: dict[str, Any], chance: float) -> None:
    found = told(squad("Rifle"), squad(*["Rifle"] * 5), KonfliktSituation(**{"range": 12, **change}))
    (step, *_) = [step for step in found.steps if step.kind == "hit"]
    assert step.chance == pytest.approx(chance)


@pytest.mark.rule("k47.armour.facing", "k47.armour.mods")
def test_the_rear_of_a_tank_is_softer_than_its_front() -> None:
    shots = [told(squad("Bazooka"), machine("medium tank"), KonfliktSituation(range=9, facing=side)) for side in
             ("front", "side", "rear")]  # fmt: skip
    assert shots[0].destroyed < shots[1].destroyed < shots[2].destroyed
    assert {"superficial damage", "full damage", "crew stunned", "immobilised", "on fire", "knocked out"} <= set(
        shots[2].chances
    )


@pytest.mark.rule("k47.special.suppressive_fire")
def test_suppressive_fire_pins_whatever_it_hits() -> None:
    plain = told(squad("LMG", "LMG"), squad(*["Rifle"] * 5), KonfliktSituation(range=20, cover="hard"))
    heavy = told(
        squad("LMG", "LMG"),
        squad(*["Rifle"] * 5),
        KonfliktSituation(range=20, cover="hard", skills=("suppressive fire",)),
    )
    assert heavy.mean_hits < plain.mean_hits
    assert heavy.further["pins"][0] == pytest.approx(heavy.destroyed, abs=1e-12)


def test_both_sides_of_a_fight_are_told() -> None:
    found = konflikt.attack(RULES, squad(*["Rifle"] * 3), squad(*["Rifle"] * 3), KonfliktSituation(close=True))
    assert found.attacker_odds is not None
    assert found.attacker_odds.losses == pytest.approx(found.target_odds.losses)
    assert found.attacker_odds.destroyed == pytest.approx(found.target_odds.destroyed)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"range": 60}, "out of range"),
        ({"cover": "thick"}, "none or soft or hard"),
        ({"target_tokens": ("sleepy",)}, "no order or state 'sleepy'"),
        ({"target_left": 9}, "from 1 to 2 models"),
        ({"weapons": ("Laser",)}, "it has Rifle"),
        ({"range": 200}, "from 0 to 96"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(OddsError, match=complaint):
        told(squad("Rifle"), squad("Rifle", "Rifle"), KonfliktSituation(**change))


def test_a_matrix_says_what_single_attacks_say() -> None:
    cards = konflikt_catalogue()
    mine = [cards["germany-75mm-pak-40"], cards["germany-waffen-ss-shocktrooper-squad"]]
    theirs = [cards["united-states-m24-chaffee"], cards["united-states-airborne-infantry-squad"]]
    found = matrix(RULES, mine, theirs)
    for row, cells in zip(mine, found.cells, strict=True):
        for target, cell in zip(theirs, cells, strict=True):
            if cell is not None:
                alone = konflikt.attack(RULES, row, target).target_odds
                assert cell.expected == pytest.approx(alone.mean_losses, abs=1e-12)
                assert cell.destroyed == pytest.approx(alone.destroyed, abs=1e-12)
    rows = matrix(RULES, mine[1:], theirs, by_weapon=True).rows
    assert [row.weapon for row in rows] == adapter("konflikt47").weapons(mine[1])


def test_every_card_of_the_catalogue_can_be_set_up() -> None:
    for card in list(konflikt_catalogue())[::7]:
        place = konflikt_range.build(RULES, card, card, KonfliktSituation(range=10))
        assert {place.attacker.id, place.target.id} == {ATTACKER, TARGET}


def test_the_library_takes_ids_of_either_game() -> None:
    found = odds.attack(
        "germany-75mm-pak-40", "united-states-m24-chaffee", ruleset="konflikt47", facing="side", cover="soft"
    )
    assert 0.0 < found.target_odds.destroyed < 1.0
    assert "k47.shoot.cover" in found.target_odds.rules()
    with pytest.raises(OddsError, match="--sustained means nothing in Konflikt '47"):
        odds.attack("germany-75mm-pak-40", "united-states-m24-chaffee", ruleset="konflikt47", sustained=True)
    with pytest.raises(OddsError, match="--facing means nothing in the Dust games"):
        odds.attack("allies-pounder", "allies-pounder", facing="side")


def fights_compared(seed: int, cases: int) -> int:
    """How many assaults with a vehicle in them end for the target as their plan says, which tells one round."""
    chance = Random(seed)
    found = 0
    for _ in range(cases):
        case = some_assault(chance)
        situation = case.situation.but(rounds=1, reaction=False, turns=1, modes=())
        try:
            place = konflikt_range.build(RULES, case.attacker, case.target, situation)
        except OddsError:
            continue
        if not place.target.is_vehicle or any(unit.has("Horror") for unit in (place.attacker, place.target)):
            continue
        stakes = RULES.assault.stakes(place.play.state, place.attacker, place.target)
        outlook = konflikt.exchange(RULES, place, situation)
        destroyed = outlook.chance(lambda end: end.target.destroyed)
        told = [odds.evaluate(stake.plans).destroyed for stake in stakes if stake.plans[0].tells_all]
        assert told == ([pytest.approx(destroyed, abs=1e-12)] if told else []), case
        found += len(told)
    return found


@pytest.mark.rule("k47.cqv.damage", "k47.cqv.to_hit", "k47.cqv.no_at", "k47.cqw.vs_vehicle")
def test_the_plan_of_an_assault_on_a_vehicle_tells_its_end() -> None:
    assert fights_compared(11, 80) >= 12
