"""Attack odds of Dust 1947: closed form, merged exchange and the whole procedure say the same."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dieselfront import odds, rulesets
from dieselfront.dice.rollers import FairDice
from dieselfront.forces import DustCard, dust_catalogue
from dieselfront.odds import OddsError, exact, oracle
from dieselfront.odds.forecast import Outlook
from dieselfront.rulesets.dust1947.odds import Situation
from dieselfront.rulesets.dust1947.odds import attack as dust
from odds.cards import RULES, hero, squad, walker, weapon
from odds.plans import reference

CLOSE = 1e-12

RIFLE = weapon("Rifle", 1)
KNIFE = weapon("Knife", 1, reach=0)
RIFLES = squad(RIFLE, men=3, name="Rifles")
KNIVES = squad(KNIFE, men=2, name="Knives")
WALKER = walker(weapon("Gun", 2, damage=2), damage=4)


def gap(one: Outlook[dust.End], other: Outlook[dust.End]) -> float:
    ends = {**one.chances, **other.chances}
    return max(abs(one.chances.get(end, 0.0) - other.chances.get(end, 0.0)) for end in ends)


PAIR = squad(RIFLE, men=2, name="Pair")
LIGHT = walker(weapon("Gun", 1, damage=2), damage=3, name="Light walker")

SMALL: list[tuple[DustCard, DustCard, Situation]] = [
    (RIFLES, RIFLES, Situation()),
    (RIFLES, RIFLES, Situation(cover=True, sustained=True)),
    (PAIR, LIGHT, Situation(height=1)),
    (KNIVES, KNIVES, Situation(close=True)),
    (LIGHT, PAIR, Situation(cover=True, reaction=True)),
    (PAIR, RIFLES, Situation(reaction=True)),
    (PAIR, RIFLES, Situation(turns=2)),
    (KNIVES, squad(KNIFE, men=2, skills="First Strike"), Situation(close=True)),
    (squad(RIFLE, KNIFE, men=2), KNIVES, Situation(close=True, sustained=True)),
    (RIFLES, hero(KNIFE, skills="Damage Resilient"), Situation()),
    (RIFLES, hero(KNIFE, damage=2, skills="Cheat Death"), Situation()),
    (hero(weapon("Laser", 2, rules="Laser")), RIFLES, Situation(cover=True)),
    (hero(RIFLE, weapon("Flamethrower", 2, reach=1, rules="Flame")), RIFLES, Situation(range=1)),
    (hero(weapon("Sniper Rifle", 3, rules="Sniper")), RIFLES, Situation(cover=True)),
    (hero(weapon("Rifle", 3), skills="Lucky"), RIFLES, Situation(skills=("Lucky",))),
    (PAIR, RIFLES, Situation(target_tokens=("under fire",))),
]


@pytest.mark.parametrize("mine, theirs, situation", SMALL)
def test_the_merged_exchange_equals_the_whole_procedure(mine: Any, theirs: Any, situation: Situation) -> None:
    merged = dust.exchange(RULES, mine, theirs, situation)
    whole = dust.by_procedure(RULES, mine, theirs, situation)
    assert gap(merged, whole) < CLOSE
    assert sum(merged.chances.values()) == pytest.approx(1.0, abs=CLOSE)


@pytest.mark.parametrize("mine, theirs, situation", SMALL[:4])
def test_results_of_throws_equal_single_dice(mine: Any, theirs: Any, situation: Situation) -> None:
    by_die = dust.by_procedure(RULES, mine, theirs, situation, faces=True)
    assert gap(dust.exchange(RULES, mine, theirs, situation), by_die) < CLOSE


@pytest.mark.parametrize("seed", range(3))
def test_closed_form_equals_the_exchange_for_real_cards(seed: int) -> None:
    chance = Random(seed)
    cards = [card for card in dust_catalogue() if card.kind in ("infantry", "vehicle", "hero")]
    told = 0
    while told < 8:
        mine, theirs = chance.choice(cards), chance.choice(cards)
        cover, sustained = chance.random() < 0.5, chance.random() < 0.5
        situation = Situation(cover=cover, sustained=sustained, height=chance.choice([0, 1]))
        try:
            found = dust.attack(RULES, mine, theirs, situation)
        except OddsError:
            continue
        if found.outlook is not None:
            continue
        told += 1
        outlook = dust.exchange(RULES, mine, theirs, situation)
        losses = outlook.distribution(lambda end: end.target.lost, found.target_odds.capacity + 1)
        assert losses == pytest.approx(found.target_odds.losses, abs=CLOSE)
        events = dust._events(outlook, 0)
        for name, expected in found.target_odds.chances.items():
            if name != "hit":
                assert events.get(name, 0.0) == pytest.approx(expected, abs=CLOSE), name


def played(mine: DustCard, theirs: DustCard, situation: Situation, count: int) -> list[float]:
    """How often the target lost so much when the attack was really played."""
    first = dust.prepare(RULES, mine, theirs, situation)
    tally = [0] * (first.target.main.left + 1)
    for number in range(count):
        place = first.again()
        dice = FairDice(str(number))
        oracle.drive(dust._whole(place, situation), dice, dust.Policy(situation, place.play))
        tally[first.target.main.left - (place.target.main.left if place.target.alive else 0)] += 1
    return [number / count for number in tally]


def test_played_attacks_agree_within_sampling_error() -> None:
    situation = Situation(cover=True, sustained=True)
    expected = dust.attack(RULES, RIFLES, RIFLES, situation).target_odds.losses
    for seen, chance in zip(played(RIFLES, RIFLES, situation, 3000), expected, strict=True):
        assert abs(seen - chance) < 5 * (chance * (1 - chance) / 3000) ** 0.5


@pytest.mark.slow
def test_a_million_played_attacks_agree_within_sampling_error() -> None:
    plan, count = reference(), 1_000_000
    tally = [0] * (plan.capacity + 1)
    dice = FairDice("a million")
    numbers = iter(range(100_000_000))

    class Counting:
        def roll(self, question: Any, number: int) -> tuple[int, ...]:
            return dice.roll(question, next(numbers))

    for _ in range(count):
        tally[oracle.drive(oracle.roll_pools([plan]), Counting()).lost] += 1
    for seen, chance in zip(tally, exact.losses(plan), strict=True):
        assert abs(seen / count - chance) < 5 * (chance * (1 - chance) / count) ** 0.5


# -- what the numbers mean ----------------------------------------------------------------------------------


@pytest.mark.rule("d47.attack.save.infantry_open", "d47.attack.save.infantry_cover")
def test_three_rifles_on_a_squad_by_hand() -> None:
    in_the_open = dust.attack(RULES, RIFLES, RIFLES).target_odds
    assert in_the_open.mean_losses == pytest.approx(3 * 1 / 3 * 2 / 3)
    assert in_the_open.destroyed == pytest.approx((1 / 3 * 2 / 3) ** 3)
    in_cover = dust.attack(RULES, RIFLES, RIFLES, Situation(cover=True)).target_odds
    assert in_cover.mean_losses == pytest.approx(3 * 1 / 3 * 1 / 3)


@pytest.mark.rule("d47.attack.suppress.under_fire", "d47.attack.suppress.upgrade")
def test_hits_leave_tokens_on_those_who_survive() -> None:
    fresh = dust.attack(RULES, RIFLES, RIFLES).target_odds
    unhit = (2 / 3) ** 3
    assert fresh.chances["under fire"] == pytest.approx(1 - unhit - fresh.destroyed)
    again = dust.attack(RULES, RIFLES, RIFLES, Situation(target_tokens=("under fire",))).target_odds
    assert again.chances["suppressed"] == pytest.approx(1 - unhit - again.destroyed)


@pytest.mark.rule("d47.critical.trigger")
def test_a_damaged_vehicle_has_a_critical_hit_one_time_in_nine() -> None:
    found = dust.attack(RULES, RIFLES, WALKER).target_odds
    assert found.chances["critical hit"] == pytest.approx((1 - found.losses[0] - found.destroyed) / 9)


@pytest.mark.rule("d47.attack.cc.retaliate", "d47.attack.cc.simultaneous")
def test_both_sides_of_a_close_combat_strike_at_full_strength() -> None:
    found = dust.attack(RULES, KNIVES, KNIVES, Situation(close=True))
    both = found.target_odds.losses, found.attacker_odds.losses if found.attacker_odds else ()
    assert both[0] == pytest.approx([4 / 9, 4 / 9, 1 / 9])
    assert both[1] == pytest.approx([4 / 9, 4 / 9, 1 / 9])


def test_retaliation_may_be_left_out() -> None:
    found = dust.attack(RULES, KNIVES, KNIVES, Situation(close=True, retaliate=False))
    assert found.attacker_odds is None


@pytest.mark.rule("d47.skill.first_strike")
def test_first_strikers_thin_out_those_who_strike_back() -> None:
    first = squad(KNIFE, men=2, skills="First Strike")
    found = dust.attack(RULES, first, KNIVES, Situation(close=True))
    assert found.attacker_odds is not None
    survivors = [2, 1, 0]
    expected = sum(chance * survivors[lost] / 3 for lost, chance in enumerate([4 / 9, 4 / 9, 1 / 9]))
    assert found.attacker_odds.mean_losses == pytest.approx(expected)


@pytest.mark.rule("d47.reactive.roll", "d47.reactive.two_successes")
def test_a_reaction_comes_before_the_shot_and_weakens_it() -> None:
    plain = dust.attack(RULES, RIFLES, RIFLES)
    after = dust.attack(RULES, RIFLES, RIFLES, Situation(reaction=True))
    assert after.attacker_odds is not None
    once = dust.attack(RULES, RIFLES, RIFLES).target_odds.mean_losses
    sustained = dust.attack(RULES, RIFLES, RIFLES, Situation(sustained=True)).target_odds.mean_losses
    assert after.attacker_odds.mean_losses == pytest.approx(4 / 9 * once + 1 / 9 * sustained)
    assert after.target_odds.mean_losses < plain.target_odds.mean_losses


def test_once_per_game_skills_are_used_or_kept() -> None:
    lucky = hero(weapon("Rifle", 3), skills="Lucky")
    kept = dust.attack(RULES, lucky, RIFLES).target_odds
    used = dust.attack(RULES, lucky, RIFLES, Situation(skills=("Lucky",))).target_odds
    assert used.mean_losses == pytest.approx(kept.mean_losses * (5 / 9) / (1 / 3), abs=0.2)
    assert used.mean_losses > kept.mean_losses


@pytest.mark.parametrize("seed", range(2))
def test_cover_never_helps_the_attacker_and_sustained_fire_never_hurts_him(seed: int) -> None:
    chance = Random(seed)
    cards = [card for card in dust_catalogue() if card.kind in ("infantry", "vehicle")]
    for _ in range(25):
        mine, theirs = chance.choice(cards), chance.choice(cards)
        means = []
        for situation in (Situation(cover=True), Situation(), Situation(sustained=True)):
            pools = dust.plans(RULES, mine, theirs, situation)
            if pools and all(dust.tells_all(pool) for pool in pools):
                means.append(exact.evaluate([pool.plan for pool in pools]).mean_losses)
        assert means == sorted(means) or means == pytest.approx(sorted(means))


# -- asking -------------------------------------------------------------------------------------------------


def test_five_lines_of_a_library_user() -> None:
    found = odds.attack("allies-ranger-recon-squad", "axis-grenadier-recon-squad", cover=True, sustained=True)
    assert 0.0 < found.target_odds.destroyed < 1.0
    assert "d47.action.sustained" in found.target_odds.rules()
    document = found.to_json()
    assert set(document) >= {"hits", "losses", "destroyed", "expected", "steps", "rules", "situation", "unused"}


@pytest.mark.parametrize(
    "situation, complaint",
    [
        (Situation(range=99), "a range is a number"),
        (Situation(range=9), "reaches 6"),
        (Situation(target_left=9), "from 1 to 3 soldiers"),
        (Situation(target_tokens=("sleepy",)), "no token 'sleepy'"),
        (Situation(weapons=("Howitzer",)), "has no weapon Howitzer; it has Rifle"),
    ],
)
def test_impossible_situations_are_refused_with_a_sentence(situation: Situation, complaint: str) -> None:
    with pytest.raises(OddsError, match=complaint):
        dust.attack(RULES, RIFLES, RIFLES, situation)


def test_odds_between_cards_of_a_game_that_tells_none_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulesets, "companion", lambda ruleset, room: None)
    with pytest.raises(OddsError, match="not for warfare"):
        odds.attack("a", "b", ruleset="warfare")


@pytest.mark.rule("d47.hero.same_armor")
def test_a_hero_joins_only_a_squad_of_his_armour() -> None:
    other = next(card for card in dust_catalogue() if card.kind == "hero" and card.armour != RIFLES.armour)
    with pytest.raises(OddsError, match="cannot join Rifles"):
        dust.attack(RULES, RIFLES, RIFLES, Situation(target_with=(other.id,)))


@pytest.mark.rule("d47.hero.assign_hits")
def test_hits_on_a_hero_and_his_squad_are_divided_by_the_policy() -> None:
    cards = dust_catalogue()
    squad_card = cards["allies-ranger-recon-squad"]
    heroes = [card for card in cards if card.kind == "hero" and card.damage >= 3]
    leader = next(card for card in heroes if card.armour == squad_card.armour)
    few = squad(weapon("Rifle", 2), men=1)
    situation = Situation(target_with=(leader.id,))
    kept, given = (
        dust.exchange(RULES, few, squad_card, situation.but(casualties=policy)) for policy in ("cheapest", "hero")
    )
    assert kept.mean(lambda end: end.target.lost) == pytest.approx(given.mean(lambda end: end.target.lost), abs=1e-9)
    for outlook, policy in ((kept, "cheapest"), (given, "hero")):
        assert gap(outlook, dust.by_procedure(RULES, few, squad_card, situation.but(casualties=policy))) < CLOSE


def test_losses_come_in_the_order_of_the_policy() -> None:
    place = dust.prepare(RULES, RIFLES, RIFLES, Situation(target_left=1))
    assert place.target.main.alive == (0,)  # the leader is kept
    place = dust.prepare(RULES, RIFLES, RIFLES, Situation(target_left=1, casualties="leader"))
    assert place.target.main.alive == (2,)
