"""Shooting better: Expert, Fighting Spirit, Lucky, Take Aim, spotters, crews, reactions; and whom a skill helps."""

from __future__ import annotations

import pytest

from dieselfront.dice import DUST_DIE
from rulesets.dust1947.table import RED, Table, aircraft, hero, kill, knife, refused, squad, support, vehicle, weapon

RIFLE = weapon("Rifle", "3/1", 8)
ARMY_OR_TARGET = DUST_DIE.mask(["ARMY", "TARGET"])
ARMY = DUST_DIE.mask(["ARMY"])


def foes(table: Table, at: str = "C5", men: int = 9, **details):
    return table.put(squad(men=men), at, RED, **details)


# -- Expert -----------------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.expert")
def test_an_expert_hits_on_target_with_the_named_weapon_only():
    table = Table()
    expert = table.put(hero(weapon("Heavy Flamer", "3/1", 8), RIFLE, skills="Expert: Flamer"), "C2")
    foe = foes(table)
    game = table.attack(expert, foe, dice="TAS SS TAS S", pool_order="Heavy")
    assert game.hits == 2 + 1


@pytest.mark.rule("d47.skill.expert", "d47.skill.sharing_table")
def test_expert_is_not_shared_with_the_squad_but_goes_with_the_pilot():
    table = Table()
    foe = foes(table)
    unit = table.put(squad(RIFLE), "C2", joined=hero(RIFLE, skills="Expert: Rifle"))
    squad_plan, hero_plan = (
        table.rules.attacks.plan(table.play, shot)
        for shot in table.rules.attacks.shots(
            table.play, table.rules.activations.plain_attack(table.play, unit), [(0, 0, 0), (1, 0, 0)], [(foe.id,)] * 2
        )
    )
    assert (squad_plan.hit.faces, hero_plan.hit.faces) == (ARMY, ARMY_OR_TARGET)
    walker = table.put(vehicle(RIFLE), "D2", pilot=hero(skills="Pilot, Expert: Rifle"))
    assert table.plan(walker, "Rifle", foe).hit.faces == ARMY_OR_TARGET


@pytest.mark.rule("d47.skill.expert")
def test_a_vehicle_that_names_its_pilot_is_expert_only_with_him_aboard():
    table = Table()
    foe = foes(table)
    lynx = vehicle(RIFLE, skills="Expert, Pilot: Sigrid")
    assert table.plan(table.put(lynx, "B2"), "Rifle", foe).hit.faces == ARMY
    assert table.plan(table.put(lynx, "D2", pilot=hero()), "Rifle", foe).hit.faces == ARMY_OR_TARGET


@pytest.mark.rule("d47.skill.expert")
def test_an_expert_weapon_hits_on_target():
    table = Table()
    shooter = table.put(hero(weapon("Rifle", "3/1", 8, "Expert")), "C2")
    assert table.attack(shooter, foes(table), dice="TAS SS").hits == 2


@pytest.mark.rule("d47.open.retaliation_skills", "d47.skill.expert", "d47.skill.savage_animal")
def test_striking_back_a_savage_animal_hits_on_target_and_an_expert_does_not():
    table = Table()
    attacker = table.put(hero(damage=9), "C4")
    for card, hits in ((hero(knife("1/1", "Expert")), 0), (hero(knife("1/1", "Savage Animal", name="Bite")), 1)):
        defender = table.put(card, "C5", RED)
        name = card.weapons[0].name
        table.attack(attacker, dice="S T", declare={"Improvised weapon": defender}, retaliate={name: attacker})
        assert attacker.main.damage == hits
        table.rules.ground.lift(defender, "off")


@pytest.mark.rule("d47.reactive.passive_skills_only", "d47.skill.expert")
def test_an_expert_is_one_in_a_reaction_too():
    table = Table()
    mover = table.put(squad(RIFLE, men=4), "C2")
    expert = table.put(hero(weapon("Rifle", "2/1", 8, "Expert")), "C6", RED)
    game = table.activate(
        mover, "move", "attack", move="C3", react=expert, dice="AS TT SS SSSSSS", declare=[mover, expert]
    )
    assert game.hits == 2


# -- other faces ------------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.savage_animal")
def test_a_savage_animal_hits_on_target():
    table = Table()
    dog = table.put(hero(knife("2/1", "Savage Animal")), "C4")
    assert table.attack(dog, foes(table), dice="TS").hits == 1


@pytest.mark.rule("d47.skill.take_aim")
def test_take_aim_works_in_a_sustained_attack_and_on_its_rerolls():
    table = Table()
    sniper = table.put(hero(weapon("Rifle", "2/1", 8), skills="Take Aim"), "C2")
    foe = foes(table)
    assert table.attack(sniper, foe, dice="TS T SS", sustained=True).hits == 2
    assert table.attack(sniper, foe, dice="TS").hits == 0


@pytest.mark.rule("d47.skill.take_aim", "d47.skill.sharing_table")
def test_take_aim_helps_neither_squad_nor_vehicle():
    table = Table()
    foe = foes(table)
    unit = table.put(squad(RIFLE), "C2", joined=hero(skills="Take Aim"))
    walker = table.put(vehicle(RIFLE), "D2", pilot=hero(skills="Pilot, Take Aim"))
    assert table.plan(unit, "Rifle", foe, sustained=True).hit.faces == ARMY
    assert table.plan(walker, "Rifle", foe, sustained=True).hit.faces == ARMY


@pytest.mark.rule("d47.weapon.power_scope")
@pytest.mark.parametrize("skills, rules", [("Power Scope", ""), ("", "Power Scope")])
def test_a_power_scope_sees_target_in_a_sustained_attack_only(skills, rules):
    table = Table()
    sniper = table.put(hero(weapon("Rifle", "1/1", 8, rules), skills=skills), "C2")
    foe = foes(table)
    assert table.attack(sniper, foe, dice="T S", sustained=True).hits == 1
    assert table.attack(sniper, foe, dice="T").hits == 0


@pytest.mark.rule("d47.skill.fighting_spirit", "d47.skill.declare_before_roll")
def test_fighting_spirit_is_declared_before_rolling_and_used_once():
    table = Table()
    unit = table.put(squad(weapon("Rifle", "2/1", 8), men=3, skills="Fighting Spirit"), "C2")
    foe = foes(table)
    game = table.attack(unit, foe, dice="AATTSS SSSS", fighting_spirit=True)
    assert game.hits == 4
    assert game.asked[:2] == ["declare", "fighting-spirit"]
    game = table.attack(unit, foe, dice="TTTTTT")
    assert "fighting-spirit" not in game.asked and game.hits == 0


@pytest.mark.rule("d47.skill.once_per_game_joint", "d47.skill.no_double", "d47.skill.fighting_spirit")
def test_hero_and_squad_with_fighting_spirit_use_it_once_together():
    table = Table()
    unit = table.put(squad(RIFLE, men=1, skills="Fighting Spirit"), "C2", joined=hero(RIFLE, skills="Fighting Spirit"))
    foe = foes(table)
    game = table.attack(unit, foe, dice="TTS SS TTS SS", fighting_spirit=True)
    assert game.hits == 4 and game.asked.count("fighting-spirit") == 1
    assert "fighting-spirit" not in table.attack(unit, foe, dice="SSS SSS").asked
    assert all("Fighting Spirit" in part.spent for part in unit.parts)


@pytest.mark.rule("d47.open.pilot_skill_sharing", "d47.skill.fighting_spirit")
def test_a_pilot_lends_fighting_spirit_to_his_vehicle():
    table = Table()
    walker = table.put(vehicle(RIFLE), "C2", pilot=hero(skills="Pilot, Fighting Spirit"))
    assert table.attack(walker, foes(table), dice="TTS SS", fighting_spirit=True).hits == 2


@pytest.mark.rule("d47.weapon.spotter")
def test_a_spotter_who_holds_fire_helps_the_sniper():
    table = Table()
    team = squad(
        weapon("Sniper Rifle", "1/1", 8, "Sniper", count=1), RIFLE, men=2, skills="Spotter", roles={0: "spotter"}
    )
    unit = table.put(team, "C2")
    foe = foes(table)
    aim = {"Sniper Rifle": foe}
    assert table.attack(unit, foe, dice="T", sustained=True, declare=aim).hits == 1
    assert table.attack(unit, foe, dice="T", declare=aim).hits == 0, "not in a plain attack"
    busy = {"Sniper Rifle": foe, "Rifle": [foe, None]}
    assert table.attack(unit, foe, dice="T S SSS SSS", sustained=True, declare=busy, pool_order="Sniper").hits == 0
    kill(unit, 0)
    assert table.attack(unit, foe, dice="T S", sustained=True, declare=aim).hits == 0


@pytest.mark.rule("d47.open.skills_not_in_source")
def test_an_ace_gunner_makes_every_gun_of_his_vehicle_an_expert_one():
    table = Table()
    foe = foes(table)
    gunner = hero(RIFLE, skills="Pilot, Ace Gunner")
    assert table.plan(table.put(vehicle(RIFLE), "C2", pilot=gunner), "Rifle", foe).hit.faces == ARMY_OR_TARGET
    assert table.plan(table.put(gunner, "D2"), "Rifle", foe).hit.faces == ARMY


@pytest.mark.rule("d47.open.skills_not_in_source")
def test_radar_rolls_misses_against_aircraft_again():
    table = Table()
    flak = table.put(vehicle(RIFLE, skills="Radar"), "C2")
    plane = table.put(aircraft(damage=9), "C5", RED)
    assert table.attack(flak, plane, dice="ASS AS SS").hits == 2
    assert table.attack(flak, foes(table, "E5"), dice="ASS S").hits == 1


# -- more dice --------------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.killing_spree")
def test_a_killing_spree_goes_on_until_a_miss():
    table = Table()
    killer = table.put(hero(RIFLE, skills="Killing Spree"), "C2")
    game = table.attack(killer, foes(table), dice="AAS AS S SSS")
    assert game.hits == 3


@pytest.mark.rule("d47.skill.killing_spree", "d47.action.sustained")
def test_extra_dice_are_neither_rerolled_nor_hit_by_target():
    table = Table()
    killer = table.put(hero(weapon("Rifle", "3/1", 8, "Expert"), skills="Killing Spree"), "C2")
    game = table.attack(killer, foes(table), dice="TSS TS TT SS", sustained=True)
    assert game.hits == 2, "TARGET counts on the initial dice, not on the extra ones"


@pytest.mark.rule("d47.open.chain_stacking", "d47.skill.killing_spree", "d47.weapon.laser")
def test_two_chain_rules_give_one_die_a_hit():
    table = Table()
    killer = table.put(hero(weapon("Laser", "2/1", 8, "Laser"), skills="Killing Spree"), "C2")
    game = table.attack(killer, foes(table), dice="AA SS SS")
    assert game.rolls[0].stages[1] == ("chain", ("SHIELD", "SHIELD"))


@pytest.mark.rule("d47.skill.lucky")
def test_lucky_rerolls_the_misses_once_in_a_game_after_seeing_them():
    table = Table()
    jack = table.put(hero(weapon("Rifle", "4/1", 8), skills="Lucky"), "C2")
    foe = foes(table)
    game = table.attack(jack, foe, dice="SSTT AASS SS", lucky=True)
    assert game.hits == 2 and game.labels[:2] == ["to hit", "lucky re-roll"]
    game = table.attack(jack, foe, dice="SSTT")
    assert "lucky" not in game.asked


@pytest.mark.rule("d47.skill.lucky")
def test_a_lucky_hero_re_rolls_all_weapons_of_the_attack_but_not_his_squads():
    table = Table()
    unit = table.put(squad(RIFLE, men=1), "C2", joined=hero(RIFLE, weapon("Pistol", "1/1", 8), skills="Lucky"))
    game = table.attack(unit, foes(table), dice="SSS SSS SSS S A S", lucky=True)
    assert game.asked.count("lucky") == 1
    assert game.labels == ["to hit", "to hit", "lucky re-roll", "to hit", "lucky re-roll", "infantry save"]


@pytest.mark.rule("d47.skill.lucky", "d47.action.sustained", "d47.open.reroll_limit")
def test_lucky_comes_on_top_of_a_sustained_attack():
    table = Table()
    jack = table.put(hero(weapon("Rifle", "2/1", 8), skills="Lucky"), "C2")
    assert table.attack(jack, foes(table), dice="SS SS AA SS", sustained=True, lucky=True).hits == 2


# -- tokens -----------------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.and_stay_down")
def test_whoever_is_hit_stays_down():
    table = Table()
    frank = table.put(hero(RIFLE, skills="And Stay Down"), "C2")
    foe = foes(table)
    table.attack(frank, foe, dice="ASS A")
    assert foe.tokens() == ["suppressed"]


@pytest.mark.rule("d47.skill.and_stay_down", "d47.skill.sharing_table")
def test_the_squad_of_such_a_hero_only_puts_under_fire():
    table = Table()
    unit = table.put(squad(RIFLE, men=1), "C2", joined=hero(skills="And Stay Down"))
    foe = foes(table)
    table.attack(unit, foe, dice="ASS A")
    assert foe.tokens() == ["under fire"]


@pytest.mark.rule("d47.skill.and_stay_down", "d47.skill.nothins_easy", "d47.open.token_immunity")
def test_nothing_is_easy_against_stay_down():
    table = Table()
    frank = table.put(hero(RIFLE, skills="And Stay Down"), "C2")
    foe = table.put(squad(), "C5", RED, joined=hero(skills="Nothin's Easy"))
    table.attack(frank, foe, dice="ASS A")
    assert foe.tokens() == []


# -- reactions --------------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.advanced_reactive_fire_range")
def test_quick_shooters_react_up_to_range_six():
    table = Table()
    mover = table.put(squad(), "C2")
    for at, able in (("C8", True), ("C9", False)):
        guard = table.put(squad(RIFLE, skills="Advanced Reactive Fire"), at, RED)
        assert (guard in table.rules.reactions.reactors(table.play, mover)) is able


@pytest.mark.rule("d47.skill.advanced_reactive_fire_roll", "d47.open.advanced_reactive_share")
def test_a_shield_counts_for_their_reaction_shared_with_the_squad():
    table = Table()
    mover = table.put(squad(weapon("Gun", "1/1", 8), men=2), "C2")
    guard = table.put(squad(RIFLE, men=1), "C5", RED, joined=hero(skills="Advanced Reactive Fire"))
    game = table.activate(mover, "move", "attack", move="C2", react=guard, dice="SA SSS SSS SS", declare=[mover, guard])
    assert len(game.rolls[1].stages) == 2, "two successes make it a sustained attack"


# -- crews ------------------------------------------------------------------------------------------


MORTAR = weapon("Cannon", "2/1", 8)
CARBINE = weapon("Carbine", "1/1", 8)


@pytest.mark.rule("d47.skill.support_weapon_crew")
def test_two_serve_the_gun_and_the_others_fire_their_own():
    table = Table()
    gun = table.put(support(MORTAR, CARBINE, men=3), "C2")
    foe = foes(table)
    game = table.attack(gun, foe, dice="SS S", declare={"Cannon": foe, "Carbine": [foe, None, None]})
    assert game.dice("to hit") == [2, 1]
    refusal = refused(lambda: table.attack(gun, foe, declare={"Cannon": foe, "Carbine": [foe, foe, None]}))
    assert refusal.rule == "d47.skill.support_weapon_crew"
    kill(gun, 0, 1)
    assert table.attack(gun, foe, dice="SS", declare={"Cannon": foe}).dice("to hit") == [2], "the last man alone"
    assert refused(lambda: table.attack(gun, foe, declare={"Cannon": foe, "Carbine": foe})).rule


@pytest.mark.rule("d47.skill.support_weapon_choice")
def test_the_crew_may_all_use_their_carbines_next_time():
    table = Table()
    gun = table.put(support(MORTAR, CARBINE, men=3), "C2")
    foe = foes(table)
    table.attack(gun, foe, dice="SS", declare={"Cannon": foe})
    assert table.attack(gun, foe, dice="SSS", declare={"Carbine": foe}).dice("to hit") == [3]


@pytest.mark.rule("d47.skill.support_weapon_base", "d47.skill.support_weapon_loss")
def test_each_hit_removes_one_of_the_crew_and_his_weapon():
    table = Table()
    gun = table.put(support(MORTAR, CARBINE, men=3), "C5", RED)
    shooter = table.put(hero(weapon("Cannon", "1/3", 8), weapon("Bomb", "*/1", 8)), "C2")
    table.attack(shooter, gun, dice="A S", declare={"Cannon": gun})
    assert len(gun.main.alive) == 2
    game = table.attack(shooter, gun, dice="SS", declare={"Bomb": gun})
    assert game.dice("to hit") == [2], "a blast counts the soldiers left"
    assert len(table.rules.attacks.bearers(table.play, gun.main, 1)) == 2
