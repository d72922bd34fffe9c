"""Close combat (d47.attack.cc.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust.shots import Attack
from rulesets.dust1947.table import RED, Table, aircraft, hero, knife, refused, squad, vehicle, weapon


@pytest.mark.rule("d47.attack.cc.with_ranged", "d47.attack.cc.declare_together")
def test_shots_and_blows_are_declared_together():
    table = Table()
    unit = table.put(squad(weapon("Rifle", "1/1", 6), knife("1/1"), men=2), "C3")
    foe = table.put(squad(men=5), "C4", RED)
    game = table.attack(unit, foe, "SS SS", retaliate=None)
    assert game.asked.count("declare") == 1 and game.dice("to hit") == [2, 2]
    game = table.attack(unit, None, "SS", declare={"Rifle": foe})
    assert game.dice("to hit") == [2], "knives that were not declared stay in their sheaths"


@pytest.mark.rule("d47.attack.cc.all_weapons")
def test_a_model_uses_all_its_close_combat_weapons():
    table = Table()
    unit = table.put(hero(knife("3/1", name="Sword"), knife("2/1", name="Claw")), "C3")
    foe = table.put(squad(men=5), "C4", RED)
    game = table.attack(unit, foe, "SSS SS")
    assert game.dice("to hit") == [3, 2]


@pytest.mark.rule("d47.attack.cc.retaliate")
def test_the_attacked_unit_strikes_back_and_keeps_its_activation():
    table = Table()
    unit = table.put(squad(knife(), men=1), "C3")
    foe = table.put(squad(knife("2/1"), men=2), "C4", RED)
    game = table.attack(unit, foe, "S SSSS", retaliate=unit)
    assert game.dice("to hit") == [1, 4] and not foe.activated
    walker = table.put(vehicle(knife("3/2", name="Front claw", mount="front")), "G4", RED, facing="north")
    behind = table.put(squad(knife(), men=1), "G5")
    back = Attack(walker, retaliation=True, only=behind.id, ranged_allowed=False)
    lines = table.rules.attacks.weapon_lines(table.play, back)
    assert [line.weapon.name for line in lines] == ["Improvised weapon"]


@pytest.mark.rule("d47.attack.cc.simultaneous")
def test_the_fallen_have_struck_too():
    table = Table()
    unit = table.put(squad(knife(), men=3), "C3")
    foe = table.put(squad(knife(), men=3), "C4", RED)
    game = table.attack(unit, foe, "AAS AAA", retaliate=unit)
    assert game.dice("to hit") == [3, 3]
    assert foe.models == 1 and not unit.alive


@pytest.mark.rule("d47.attack.cc.no_saves")
def test_no_saves_against_blows():
    table = Table("rubble at C4")
    unit = table.put(squad(knife(), men=2), "C3")
    foe = table.put(squad(men=5), "C4", RED)
    game = table.attack(unit, foe, "AA")
    assert game.labels == ["to hit"] and foe.models == 3


@pytest.mark.rule("d47.attack.cc.sustained_choice")
@pytest.mark.parametrize(("close", "dice"), [(True, "S SA"), (False, "ST S")])
def test_the_player_chooses_which_part_is_sustained(close: bool, dice: str):
    table = Table()
    unit = table.put(squad(weapon("Rifle", "1/1", 6), knife(), men=1), "C3")
    foe = table.put(squad(men=5), "C4", RED)
    game = table.attack(unit, foe, dice, sustained=True, sustain_close=close)
    assert len(game.rolls[0].stages) == (1 if close else 2)
    assert len(game.rolls[1].stages) == (2 if close else 1)


@pytest.mark.rule("d47.attack.cc.retaliation_not_sustained")
def test_retaliation_is_never_sustained():
    table = Table()
    unit = table.put(squad(knife(), men=1), "C3")
    foe = table.put(squad(knife(), men=2), "C4", RED)
    game = table.attack(unit, foe, "SS SS", sustained=True, retaliate=unit)
    assert [len(roll.stages) for roll in game.rolls] == [2, 1]


@pytest.mark.rule("d47.attack.cc.improvised")
def test_everybody_has_an_improvised_weapon():
    table = Table()
    unit = table.put(squad(weapon(), men=4), "C3")
    tank = table.put(vehicle(armour=7, damage=8), "C4", RED)
    game = table.attack(unit, None, "AASS SS", declare={"Improvised weapon": tank})
    assert game.dice("to hit") == [4] and tank.main.damage == 2


@pytest.mark.rule("d47.attack.cc.improvised_choice")
def test_a_model_uses_its_own_weapons_or_the_improvised_one():
    table = Table()
    unit = table.put(squad(knife("2/1"), men=1), "C3")
    foe = table.put(squad(men=5), "C4", RED)
    lines = table.rules.attacks.weapon_lines(table.play, Attack(unit))
    decision = table.rules.attacks.declaration(table.play, Attack(unit), lines)
    aim = next(option for option in decision.choices[0] if option is not None)
    assert aim[0] == foe.id
    assert refused(lambda: decision.check((aim, aim))).rule == decision.rule
    assert decision.check((aim, None)) and decision.check((None, aim))


@pytest.mark.rule("d47.attack.cc.improvised_aircraft")
def test_aircraft_neither_have_nor_fear_improvised_weapons():
    table = Table()
    plane = table.put(aircraft(), "C4", RED)
    unit = table.put(squad(men=2), "C3")
    assert not table.may_aim(unit, "Improvised weapon", plane)
    assert table.rules.attacks.weapon_lines(table.play, Attack(plane)) == []
