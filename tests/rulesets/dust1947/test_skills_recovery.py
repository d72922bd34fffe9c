"""Shaking things off: Brave, Red Banner, Damage Resilient, Defensive Tactics, Cheat Death, the Blutkreuz, stuns."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust.state import ACTIVATED, DRIVEN
from rulesets.dust1947.table import RED, Table, hero, kill, knife, squad, support, vehicle, weapon

GUN = weapon("Gun", "3/1", 8)
SWORD = knife("4/1", name="Sword")


# -- tokens -----------------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.brave", "d47.open.three_dice_recovery")
def test_the_brave_recover_with_three_dice():
    table = Table()
    unit = table.put(squad(skills="Brave"), "C3", tokens="suppressed")
    game = table.activate(unit, dice="ASA")
    assert game.dice("recovery") == [3] and "suppressed" not in unit.tokens()


@pytest.mark.rule("d47.skill.sharing_default", "d47.skill.brave", "d47.hero.share_skills")
def test_a_brave_hero_makes_his_squad_brave_until_he_dies():
    table = Table()
    unit = table.put(squad(), "C3", joined=hero(skills="Brave", damage=1), tokens="suppressed")
    assert table.activate(unit, dice="SSS").dice("recovery") == [3]
    killer = table.put(hero(weapon("Gun", "1/1", 8)), "C7", RED)
    table.attack(killer, unit, dice="A S", divide_hits=1)
    assert len(unit.parts) == 1
    unit.drop(ACTIVATED)
    assert table.activate(unit, dice="SS").dice("recovery") == [2]


@pytest.mark.rule("d47.skill.red_banner", "d47.open.extra_dice_stack")
@pytest.mark.parametrize("at, dice", [("C5", 3), ("C6", 2)])
def test_the_red_banner_helps_infantry_within_range_two(at, dice):
    table = Table()
    table.put(hero(skills="Red Banner"), "C3")
    unit = table.put(squad(skills="Brave" if dice == 3 else ""), at, tokens="under fire")
    assert table.activate(unit, dice="S" * dice).dice("recovery") == [dice]


@pytest.mark.rule("d47.skill.red_banner")
def test_the_red_banner_must_be_seen_and_helps_no_vehicles():
    table = Table("wall between C3 and C4", "wall between B3 and B4", "wall between D3 and D4")
    table.put(hero(skills="Red Banner"), "C3")
    hidden = table.put(squad(), "C4", tokens="under fire")
    tank = table.put(vehicle(), "D3", tokens="under fire")
    seen = table.put(squad(), "B3", tokens="under fire")
    for unit, dice in ((hidden, 2), (tank, 2), (seen, 3)):
        assert table.activate(unit, dice="S" * dice).dice("recovery") == [dice]


@pytest.mark.rule("d47.skill.nothins_easy")
def test_the_unit_frank_joined_takes_no_tokens_and_frank_alone_does():
    table = Table()
    flamer = table.put(hero(weapon("Flamer", "1/1", 1, "Flame")), "C4")
    joined = table.put(squad(men=4), "C5", RED, joined=hero(skills="Nothin's Easy"))
    alone = table.put(hero(skills="Nothin's Easy"), "C3", RED)
    table.attack(flamer, joined, dice="A")
    table.attack(flamer, alone, dice="A")
    assert joined.tokens() == [] and alone.tokens() == ["suppressed"]


# -- stunned ----------------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.stunned_activation", "d47.open.stunned_cannot_fight")
def test_a_stunned_unit_does_nothing_first_and_may_then_attack():
    table = Table()
    unit = table.put(squad(GUN, men=1), "C3", tokens="stunned")
    foe = table.put(squad(), "C6", RED)
    assert ("attack",) in table.menu(unit, nothing_first=True)
    game = table.activate(unit, "attack", dice="ASS S", target=foe)
    assert unit.tokens() == ["activated"] and game.hits == 1


@pytest.mark.rule("d47.weapon.tesla_with_suppression")
def test_stunned_and_suppressed_lose_one_action_only():
    table = Table()
    unit = table.put(squad(GUN, men=1), "C3", tokens="stunned, suppressed")
    foe = table.put(squad(), "C6", RED)
    game = table.activate(unit, "attack", dice="SS ASS S", target=foe)
    assert game.hits == 1 and unit.tokens() == ["suppressed", "activated"]


@pytest.mark.rule("d47.skill.stunned_reaction")
@pytest.mark.parametrize("die, shots", [("T", 0), ("A", 1)])
def test_a_stunned_unit_reacts_with_one_die_and_wakes_up(die, shots):
    table = Table()
    mover = table.put(squad(GUN, men=2), "C2")
    guard = table.put(squad(weapon("Rifle", "1/1", 8), men=1), "C5", RED, tokens="stunned, suppressed")
    dice = f"SS {die}" + " S" * shots + " SSS SSS"
    game = table.activate(
        mover, "move", "attack", move="C2", react=guard, dice=dice, declare=[mover, guard][1 - shots :]
    )
    assert game.dice("reaction") == [1] and "stunned" not in guard.tokens()
    assert game.dice("to hit") == [1] * shots + [6]


# -- wounds -----------------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.damage_resilient")
def test_every_army_negates_a_point_after_saves_and_in_close_combat():
    table = Table()
    gunner = table.put(hero(weapon("Gun", "2/2", 8), SWORD), "C4")
    tank = table.put(vehicle(skills="Damage Resilient", damage=9), "C5", RED)
    table.attack(gunner, tank, dice="AA AAST SS", declare={"Gun": tank})
    assert tank.main.damage == 2
    table.attack(gunner, tank, dice="AASS AT SS", declare={"Sword": tank})
    assert tank.main.damage == 3


@pytest.mark.rule("d47.skill.damage_resilient", "d47.attack.damage.infantry")
def test_a_resilient_squad_rolls_one_die_per_casualty_whatever_the_weapon():
    table = Table()
    gunner = table.put(hero(weapon("Gun", "2/3", 8)), "C2")
    unit = table.put(squad(men=4, skills="Damage Resilient"), "C5", RED)
    game = table.attack(gunner, unit, dice="AA SS AT")
    assert game.dice("damage resilient") == [2] and len(unit.main.alive) == 3


@pytest.mark.rule("d47.skill.damage_resilient", "d47.attack.damage.auto_kill_each_hit")
def test_two_automatic_kills_on_a_resilient_walker_are_ten_dice():
    table = Table()
    gunner = table.put(hero(weapon("Gun", "2/#", 8)), "C2")
    walker = table.put(vehicle(skills="Damage Resilient", damage=5), "C5", RED)
    table.attack(gunner, walker, dice="AA AAAAAATTTT SS")
    assert walker.alive and walker.main.damage == 4


@pytest.mark.rule("d47.open.damage_resilient_sharing", "d47.skill.sharing_table")
@pytest.mark.parametrize("resilient", ["squad", "hero"])
def test_resilience_works_for_its_bearer_alone(resilient):
    table = Table()
    gunner = table.put(hero(weapon("Gun", "2/1", 8)), "C2")
    men = squad(men=3, skills="Damage Resilient" if resilient == "squad" else "")
    lead = hero(skills="Damage Resilient" if resilient == "hero" else "")
    unit = table.put(men, "C5", RED, joined=lead)
    game = table.attack(gunner, unit, dice="AA SS A", divide_hits=1)
    assert game.dice("damage resilient") == [1]
    assert (len(unit.main.alive), unit.parts[1].damage) == ((3, 1) if resilient == "squad" else (2, 0))


@pytest.mark.rule("d47.skill.defensive_tactics")
@pytest.mark.parametrize("terrain, dice", [(("rubble at C5",), "AA AT"), ((), "AA")])
def test_defensive_tactics_work_in_cover_even_against_flames(terrain, dice):
    table = Table(*terrain)
    flamer = table.put(hero(weapon("Flamer", "2/1", 1, "Flame")), "C4")
    unit = table.put(squad(men=4), "C5", RED, joined=hero(skills="Defensive Tactics"))
    game = table.attack(flamer, unit, dice=dice)
    assert game.dice("damage resilient") == ([2] if terrain else [])


@pytest.mark.rule("d47.skill.defensive_tactics")
def test_defensive_tactics_work_in_close_combat_and_never_add_to_resilience():
    table = Table("rubble at C5")
    brute = table.put(hero(SWORD), "C4")
    unit = table.put(squad(men=4, skills="Defensive Tactics, Damage Resilient"), "C5", RED)
    game = table.attack(brute, unit, dice="AASS AT")
    assert game.dice("damage resilient") == [2] and len(unit.main.alive) == 3


# -- Cheat Death ------------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.cheat_death")
@pytest.mark.parametrize("cell", ["4/1", "1/#"])
def test_a_hero_cheats_death_once_and_stands_stunned(cell):
    table = Table()
    gunner = table.put(hero(weapon("Gun", cell, 8)), "C2")
    frank = table.put(hero(damage=4, skills="Cheat Death"), "C5", RED)
    dice = "AAAA SSSS" if cell == "4/1" else "A S"
    table.attack(gunner, frank, dice=f"{dice} S")
    assert frank.alive and frank.main.damage == 3 and frank.tokens() == ["stunned"]
    table.attack(gunner, frank, dice="A" * dice.count("A") + "S" * dice.count("S"))
    assert not frank.alive


@pytest.mark.rule("d47.skill.cheat_death")
def test_on_target_death_wins():
    table = Table()
    gunner = table.put(hero(weapon("Gun", "1/#", 8)), "C2")
    frank = table.put(hero(damage=4, skills="Cheat Death"), "C5", RED)
    table.attack(gunner, frank, dice="A S T")
    assert not frank.alive and table.state.sides[0].points_scored == 10


@pytest.mark.rule("d47.skill.cheat_death")
def test_death_is_cheated_when_the_whole_attack_is_over():
    table = Table()
    gunner = table.put(hero(weapon("Gun", "4/1", 8), weapon("Pistol", "2/1", 8)), "C2")
    frank = table.put(hero(damage=4, skills="Cheat Death"), "C5", RED)
    game = table.attack(gunner, frank, dice="AAAA SSSS A")
    assert game.labels == ["to hit", "infantry save", "cheat death"], "the pistol is used up without effect"
    assert frank.main.damage == 3


@pytest.mark.rule("d47.skill.cheat_death", "d47.attack.cc.simultaneous")
def test_cheating_death_inside_close_combat_comes_after_all_blows():
    table = Table()
    brute = table.put(hero(SWORD, knife("1/1", name="Fist"), damage=9), "C4")
    frank = table.put(hero(knife("1/1", name="Knuckles"), damage=4, skills="Cheat Death"), "C5", RED)
    game = table.attack(brute, frank, dice="AAAA A A S", retaliate={"Knuckles": brute})
    assert game.labels == ["to hit", "to hit", "to hit", "cheat death"]
    assert brute.main.damage == 1 and frank.main.damage == 3


@pytest.mark.rule("d47.skill.cheat_death", "d47.skill.first_strike")
def test_who_falls_to_a_first_strike_strikes_no_blow_even_if_he_cheats_death():
    table = Table()
    brute = table.put(hero(SWORD, skills="First Strike"), "C4")
    frank = table.put(hero(knife("1/1", name="Knuckles"), damage=4, skills="Cheat Death"), "C5", RED)
    game = table.attack(brute, frank, dice="AAAA A", retaliate={"Knuckles": brute})
    assert game.labels == ["to hit", "cheat death"] and frank.alive


@pytest.mark.rule("d47.skill.cheat_death", "d47.hero.assign_hits")
def test_a_joined_hero_who_is_down_takes_no_more_hits_of_the_attack():
    table = Table()
    gunner = table.put(hero(weapon("Gun", "2/2", 8), weapon("Pistol", "2/1", 8)), "C2")
    unit = table.put(squad(men=3), "C5", RED, joined=hero(damage=2, skills="Cheat Death"))
    game = table.attack(gunner, unit, dice="AS S AA SS T", divide_hits=[1])
    assert game.labels[-1] == "cheat death"
    assert len(unit.parts) == 1 and len(unit.main.alive) == 1


# -- the undead -------------------------------------------------------------------------------------


def zombies(table: Table, at: str, **details):
    return table.put(squad(knife("1/1"), men=5, skills="Zombie, Mindless", move=1, march=2), at, **details)


@pytest.mark.rule("d47.skill.blutkreuz")
def test_zombies_beside_the_blutkreuz_march_and_charge():
    table = Table()
    table.put(hero(skills="Blutkreuz"), "D3")
    pack = zombies(table, "C3")
    foe = table.put(squad(men=5), "C8", RED)
    game = table.activate(pack, "march", "free:close-attack", march_first="C6", march="C7", dice="AAAAA", target=foe)
    assert game.hits == 5 and not foe.alive
    assert not pack.is_(DRIVEN), "only for this activation"
    assert table.rules.movement.pace(table.play, pack) == (1, 2)


@pytest.mark.rule("d47.skill.blutkreuz")
@pytest.mark.parametrize("at, pace", [("C3", (3, 4)), ("A3", (1, 2))])
def test_the_blutkreuz_drives_only_those_within_range_one(at, pace):
    table = Table()
    table.put(hero(skills="Blutkreuz"), "D3")
    pack = zombies(table, at)
    seen = []
    table.activate(pack, actions=lambda d: seen.append(table.rules.movement.pace(table.play, pack)) or ())
    assert seen == [pace]


@pytest.mark.rule("d47.skill.resurrection")
def test_lost_zombies_rise_on_army():
    table = Table()
    master = table.put(hero(skills="Resurrection, Blutkreuz"), "D3")
    pack = zombies(table, "C3")
    kill(pack, 1, 2, 3, 4)
    table.activate(master, "special:resurrection", dice="ATSA")
    assert len(pack.main.alive) == 3


@pytest.mark.rule("d47.skill.resurrection", "d47.open.heal_eliminated_unit")
def test_resurrection_needs_zombies_that_are_near_and_not_all_gone():
    table = Table()
    master = table.put(hero(skills="Resurrection, Blutkreuz"), "D3")
    far = zombies(table, "H3")
    assert ("special:resurrection",) not in table.menu(master), "nobody is missing"
    kill(far, 1)
    table.activate(master, "special:resurrection")
    assert len(far.main.alive) == 4
    table.rules.ground.lift(far, "lost")
    assert ("special:resurrection",) not in table.menu(master)


@pytest.mark.rule("d47.open.skills_not_in_source")
def test_a_mechanic_crew_repairs_with_one_die_a_miniature():
    table = Table()
    crew = table.put(squad(men=3, skills="Mechanic Crew"), "C3")
    tank = table.put(vehicle(damage=5), "C4")
    tank.main.damage = 4
    table.activate(crew, "special:crew-repair", dice="AAS")
    assert tank.main.damage == 2


@pytest.mark.rule("d47.skill.support_weapon_base")
def test_a_crew_on_one_base_counts_its_soldiers():
    table = Table()
    gun = table.put(support(GUN, men=4), "C3")
    assert gun.models == 4 and gun.main.left == 4


@pytest.mark.rule("d47.open.skills_not_in_source")
def test_the_possessed_change_with_the_first_wound_and_back_when_healed():
    table = Table()
    demon = hero(knife("3/1", name="Bite"), skills="Possessed, Devour", alternate_profile=True)
    lilith = table.put(hero(weapon("Gun", "1/1", 6), skills="Possessed"), "C5", RED)
    lilith.main.other = demon
    gunner = table.put(hero(weapon("Gun", "1/1", 8)), "C2")
    table.attack(gunner, lilith, dice="A S")
    assert lilith.card is demon and lilith.main.damage == 1 and "on_lands_first" in lilith.effects
    table.run(table.rules.damage.heal(table.play, lilith, lilith.main, 1, "d47.command.get_up"))
    assert lilith.card is not demon


@pytest.mark.rule("d47.open.skills_not_in_source")
def test_a_combat_medic_heals():
    table = Table()
    emma = table.put(hero(skills="Combat Medic"), "C3")
    unit = table.put(squad(men=3), "C4")
    kill(unit, 2)
    assert ("special:get-up",) in table.menu(emma)
