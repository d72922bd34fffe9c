"""Several weapons at several targets, and skills that are used once or kept."""

from __future__ import annotations

import pytest

from dieselfront import odds, rulesets
from dieselfront.odds.games import OddsError, adapter
from dieselfront.rulesets.dust1947.odds import Situation
from dieselfront.rulesets.dust1947.odds import attack as dust
from odds.cards import RULES, squad, weapon

MINE, THEIRS, TANK = "allies-pounder", "axis-grenadier-recon-squad", "axis-luther"


def test_weapons_aimed_at_two_targets_are_told_apart_and_together() -> None:
    split = odds.attack(MINE, THEIRS, range=4, others=(TANK,), aims={"Antitank Gun": TANK})
    ((name, second),) = split.other_odds
    assert name == "Luther" and second.label == "Antitank Gun"
    alone = odds.attack(MINE, TANK, range=4, weapons=("Antitank Gun",)).target_odds
    assert second.losses == pytest.approx(alone.losses, abs=1e-12)
    rest = odds.attack(MINE, THEIRS, range=4, weapons=("Heavy Machinegun", "Machinegun")).target_odds
    assert split.target_odds.losses == pytest.approx(rest.losses, abs=1e-12)


def test_joint_chances_add_up_to_those_of_each_target() -> None:
    split = odds.attack(MINE, THEIRS, range=4, others=(TANK,), aims={"Antitank Gun": TANK})
    ways = split.joint()
    assert sum(way["chance"] for way in ways) == pytest.approx(1.0, abs=1e-12)
    for lost, chance in enumerate(split.target_odds.losses):
        assert sum(way["chance"] for way in ways if way["losses"][0] == lost) == pytest.approx(chance, abs=1e-12)
    shown = split.to_json()
    assert shown["others"][0]["target"] == "Luther" and len(shown["joint"]) == len(ways)


def test_two_targets_agree_with_the_procedure_in_one_piece() -> None:
    rifle, gun = weapon("Rifle", 2, count=2), weapon("Gun", 1)
    mine, theirs = squad(rifle, gun, men=1), squad(rifle, men=2, name="First")
    situation = Situation(range=2, others=(THEIRS,), aims={"Gun": THEIRS})
    fast = dust.exchange(RULES, mine, theirs, situation)
    slow = dust.by_procedure(RULES, mine, theirs, situation)
    for end in {**fast.chances, **slow.chances}:
        assert fast.chances.get(end, 0.0) == pytest.approx(slow.chances.get(end, 0.0), abs=1e-12)
    assert any(end.others[0].lost for end in fast.chances)


@pytest.mark.parametrize(
    ("aims", "others", "complaint"),
    [
        ({"Laser": TANK}, (TANK,), "has no weapon Laser"),
        ({"Machinegun": TANK}, (), "none of the further targets"),
        ({}, (TANK, TANK, TANK), "at most 2 further targets"),
    ],
)
def test_aims_that_cannot_be_are_refused(aims: dict[str, str], others: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(OddsError, match=complaint):
        odds.attack(MINE, THEIRS, aims=aims, others=others)


@pytest.mark.rule("d47.skill.once_per_game_joint")
def test_a_skill_for_once_in_a_game_is_used_or_kept() -> None:
    kept = odds.attack("axis-manfred", "allies-ranger-recon-squad")
    used = odds.attack("axis-manfred", "allies-ranger-recon-squad", skills=("Fighting Spirit",))
    assert used.target_odds.mean_losses > kept.target_odds.mean_losses
    lines = dict(adapter("dust1947").what_ifs(kept))
    assert lines["using Fighting Spirit"].skills == ("Fighting Spirit",)
    assert "keeping Fighting Spirit" in dict(adapter("dust1947").what_ifs(used))
    twice = odds.attack("axis-manfred", "allies-ranger-recon-squad", skills=("Fighting Spirit",), turns=2)
    assert twice.target_odds.mean_losses < used.target_odds.mean_losses + kept.target_odds.mean_losses


# -- the open table ------------------------------------------------------------------------------------------------


def test_the_same_adapter_tells_the_odds_on_the_open_table() -> None:
    squares = odds.attack("allies-ranger-recon-squad", THEIRS, range=3)
    inches = odds.attack("allies-ranger-recon-squad", THEIRS, ruleset="freeform1947", range=3)
    assert inches.target_odds.losses == pytest.approx(squares.target_odds.losses, abs=1e-12)
    covered = odds.attack("allies-ranger-recon-squad", THEIRS, ruleset="freeform1947", range=3, cover=True)
    assert covered.target_odds.mean_losses < inches.target_odds.mean_losses


def test_a_fight_on_the_open_table_agrees_with_its_procedure() -> None:
    rules = rulesets.load("freeform1947")
    knife, rifle = weapon("Knife", 1, reach=0), weapon("Rifle", 1)
    mine, theirs = squad(knife, rifle, men=1), squad(knife, men=2, name="First")
    situation = Situation(close=True)
    fast = dust.exchange(rules, mine, theirs, situation)
    slow = dust.by_procedure(rules, mine, theirs, situation)
    for end in {**fast.chances, **slow.chances}:
        assert fast.chances.get(end, 0.0) == pytest.approx(slow.chances.get(end, 0.0), abs=1e-12)
