"""Odds: card against card, stakes of every decision that leads to dice, and the oracle that checks them."""

from __future__ import annotations

import pytest

from dieselfront import odds
from dieselfront.kernel.game import Play
from dieselfront.odds import choices
from dieselfront.odds.games import OddsError
from dieselfront.rulesets.warfare import RULESET
from dieselfront.rulesets.warfare.odds import ADAPTOR, trial
from dieselfront.rulesets.warfare.odds.attack import cell
from dieselfront.rulesets.warfare.odds.firing_range import WarfareSituation, build
from dieselfront.rulesets.warfare.profiles import read_card
from dieselfront.table.measured.terrain import Cover
from rulesets.warfare import oracle_cases
from rulesets.warfare.field import BLUE, RED, Field, gap, plane, squad, usual, vehicle, weapon

RIFLES = read_card(squad(5))
TANK = read_card(vehicle(3, [weapon("Gun", 24, "3/1", "4/2", arc="turret"), weapon("Cutter", "C", "2/1", "6/1")]))


@pytest.mark.parametrize("seed", ["5", "11", "17", "23", "29", "32", "36", "51"])
def test_stakes_are_what_the_procedure_comes_to(seed):
    assert oracle_cases.disagreement(seed, most=1500) in (None, "")


def test_the_oracle_has_something_to_compare_and_notices_a_difference():
    told = oracle_cases.told_before("11")
    assert told and told[0].tells_all
    found = oracle_cases.outcomes("11", most=1500)
    assert found.paths > 3
    wrong = told[0]._replace(destroyed=told[0].destroyed + 0.01)
    place = 0 if wrong.target.startswith("blue") else 1
    assert abs(found.chance(lambda end: not end[place][1]) - wrong.destroyed) > 0.005


@pytest.mark.rule("dw.cover.soft_value", "dw.cover.hard_value", "dw.armor_roll")
def test_cover_and_armor_of_a_situation():
    covers = ("none", "soft", "hard")
    losses = [odds.attack(RIFLES, RIFLES, "warfare", cover=cover).target_odds.mean_losses for cover in covers]
    assert losses == sorted(losses, reverse=True) and losses[2] > 0
    place = build(RULESET, RIFLES, RIFLES, WarfareSituation(cover="hard"))
    (strike,) = trial.strikes(RULESET, place.state, place.attacker, place.target)
    assert strike.cover is Cover.HARD and place.range == 18


@pytest.mark.rule("dw.reaction.attack_simultaneous")
def test_a_counter_attack_is_told_beside_the_attack():
    found = odds.attack(RIFLES, RIFLES, "warfare", reaction=True, range=10)
    assert found.attacker_odds is not None
    assert found.attacker_odds.losses == pytest.approx(found.target_odds.losses)
    with pytest.raises(OddsError, match="12"):
        odds.attack(RIFLES, RIFLES, "warfare", reaction=True, range=14)
    assert odds.attack(RIFLES, RIFLES, "warfare", reaction=True).situation.range == 12  # who fires back is near


@pytest.mark.rule("dw.armor_roll.vehicle_rear", "dw.damage.vehicle_table_roll")
def test_a_vehicle_from_behind_and_the_effects_of_its_table():
    front = odds.attack(TANK, TANK, "warfare").target_odds
    rear = odds.attack(TANK, TANK, "warfare", facing="rear").target_odds
    assert rear.mean_losses > front.mean_losses
    assert front.chances["blinded"] > front.chances["drive damaged"] > 0
    blind = odds.attack(TANK, TANK, "warfare", target_tokens=("blinded",)).target_odds
    assert "blinded" not in blind.chances


@pytest.mark.parametrize(
    "situation, words",
    [
        ({"cover": "deep"}, "none, soft or hard"),
        ({"facing": "top"}, "front, side or rear"),
        ({"weapons": ("Club",)}, "has no weapon club"),
        ({"skills": ("Luck",)}, "has no choice Luck"),
        ({"range": 30}, "farther than 18"),
        ({"dirt": True, "reaction": True}, "reacts once"),
        ({"sunshine": 1}, "means nothing"),
    ],
)
def test_impossible_situations_are_refused_in_a_sentence(situation, words):
    with pytest.raises(OddsError, match=words):
        odds.attack(RIFLES, RIFLES, "warfare", **situation)


def test_what_ifs_change_one_thing_each():
    found = odds.attack(RIFLES, RIFLES, "warfare")
    names = [name for name, _ in ADAPTOR.what_ifs(found)]
    assert names[:3] == ["target in soft cover", "target in hard cover", "sustained"]
    assert names[3:] == ["target suppressed", "target hits the dirt"]
    for _, other in ADAPTOR.what_ifs(found):
        ADAPTOR.attack(RULESET, RIFLES, RIFLES, other)


def test_cells_of_a_matrix():
    found = cell(RULESET, WarfareSituation(), RIFLES, "", RIFLES)
    assert found is not None and found.plain and 0 < found.expected < 5
    assert cell(RULESET, WarfareSituation(), RIFLES, "", TANK) is None
    assert ADAPTOR.weapons(TANK) == ["Gun", "Cutter"]


@pytest.mark.rule("dw.reaction.hit_the_dirt_effects")
def test_the_stakes_of_hitting_the_dirt_show_the_better_cover():
    field = Field()
    a, b = field.put(BLUE, squad(5), 900, 600), field.put(RED, squad(5), 900, 600 - gap(10))
    question = field.attack(a, b, "BBBBB").questions[-1]
    plain, lying = (choices.of_stakes(question.at_stake(answer))[0].odds for answer in (None, (b.id, "hit the dirt")))
    assert lying.mean_losses < plain.mean_losses and b.suppression == 0
    assert [stake for stake in question.at_stake((b.id, "move")) if stake.target == b.id] == []


@pytest.mark.rule("dw.ability.cheat_death")
def test_the_stakes_of_cheating_death_know_the_hits():
    field = Field()
    a = field.put(BLUE, squad(5), 900, 600)
    b = field.put(RED, squad(3, armor=1, abilities=["Cheat Death"]), 900, 600 - gap(14))
    ran = field.attack(a, b, "HHHBB B", answers={"cheat death": False, "reaction": None})
    question = next(one for one in ran.questions if one.key == "cheat death")
    refused, tried = (choices.of_stakes(question.at_stake(answer))[0].odds for answer in (False, True))
    assert refused.losses == pytest.approx([0, 0, 1 / 3, 2 / 3])
    assert tried.losses == pytest.approx([2 / 3, 0, 1 / 9, 2 / 9])


@pytest.mark.rule("dw.weapon.bombs_multiple")
def test_the_stakes_of_a_second_bomb_are_rerolls():
    field = Field()
    bomber = field.put(
        BLUE, plane(2, weapons=[weapon("Bomb", "B", "6/1", count=2)]), 600, 600, heading=90, altitude="high"
    )
    foe = field.put(RED, squad(3, armor=1), 700, 600, pitch=30, reaction=True)
    answers = {"altitude": "high", "bombs": True, "reaction": None, "bomb target": foe.id}
    ran = field.run(
        lambda play: RULESET.activation.activate(play, bomber),
        "HHHBBB HHH B",
        {**answers, "actions": ()},
        default=usual,
    )
    one, two = (question for question in ran.questions if question.key == "bomb target")
    single = choices.of_stakes(one.at_stake(foe.id))[0].odds
    double = choices.of_stakes(two.at_stake(foe.id))[0].odds
    assert single.mean_hits == pytest.approx(2) and double.mean_hits == pytest.approx(6 * 5 / 9)


def test_a_forecast_changes_nothing():
    field = Field()
    a, b = field.put(BLUE, squad(5), 900, 600), field.put(RED, squad(5), 900, 600 - gap(10))
    before = field.state.facts()
    trial.evaluate([trial.best(trial.strikes(RULESET, Play(RULESET, field.state).state, a, b))])
    assert field.state.facts() == before


@pytest.mark.rule("dw.attack.range")
@pytest.mark.parametrize("inches", [3, 6, 9, 12, 18, 24])
def test_a_weapon_takes_part_at_exactly_its_range(inches):
    card = read_card(squad(1, [weapon("Rifle", inches, "2/1")]))
    assert odds.attack(card, RIFLES, "warfare", range=inches).target_odds.mean_losses > 0


@pytest.mark.rule("dw.weapon.grenades_no_cover", "dw.attack.obscured_half")
def test_the_odds_say_what_cover_does_and_why_it_does_nothing():
    throwers = read_card(squad(5, [weapon("Grenade", 6, count=5, rules=["Grenades"])]))
    for card, counts in ((RIFLES, True), (throwers, False)):
        steps = odds.attack(card, RIFLES, "warfare", cover="hard", range=6).target_odds.steps
        rules = [because.rule for step in steps for because in step.because]
        assert "dw.attack.obscured_half" in rules
        assert ("dw.weapon.grenades_no_cover" not in rules) is counts
