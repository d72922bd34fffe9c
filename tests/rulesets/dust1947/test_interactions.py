"""Combinations that are easy to get wrong: skills, weapons, reactions, tokens, weather, heights, forts and orders."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust.events import TokenGained
from dieselfront.rulesets.dust.state import GRAPPLED, STUNNED, SUPPRESSED
from rulesets.dust1947.table import RED, Table, aircraft, hero, knife, squad, support, vehicle, weapon

RIFLE = weapon("Rifle", "1/1", 8)


@pytest.mark.rule("d47.attack.suppress.deferred", "d47.skill.infantry_ace", "d47.reactive.timing")
def test_an_ace_suppressed_by_a_reaction_finishes_its_third_action_first():
    table = Table()
    unit = table.put(squad(RIFLE, men=3), "C2", joined=hero(RIFLE, skills="Infantry Ace"), tokens="under fire")
    guard = table.put(squad(weapon("Gun", "1/1", 8), men=5), "C6", RED)
    game = table.activate(
        unit,
        *("move", "sustained"),
        move="C3",
        react=guard,
        dice="A SS AS ASSSS A SSS SSS S S",
        declare=[unit, guard],
    )
    assert game.labels[:3] == ["infantry ace", "recovery", "reaction"]
    assert unit.is_(SUPPRESSED), "under fire before, hit by the reaction"
    gained = next(place for place, event in enumerate(game.events) if isinstance(event, TokenGained))
    last_shot = max(place for place, event in enumerate(game.events) if getattr(event, "label", "") == "to hit")
    assert gained > last_shot, "the token comes after the sustained attack"


@pytest.mark.rule("d47.attack.suppress.deferred", "d47.skill.and_stay_down")
def test_stay_down_waits_until_the_interrupted_unit_has_acted():
    table = Table()
    unit = table.put(squad(RIFLE, knife("1/1"), men=3), "C2")
    frank = table.put(hero(weapon("MG", "1/1", 8), skills="And Stay Down", damage=9), "C5", RED)
    game = table.activate(
        unit, "move", "attack", move="C4", react=frank, dice="AS A A AAA", declare=[unit, {"Knife": frank}]
    )
    assert unit.is_(SUPPRESSED)
    assert game.hits == 1 + 3, "it could still start a close combat"


@pytest.mark.rule("d47.skill.jammer_artillery", "d47.skill.artillery_observer_reload", "d47.open.reroll_limit")
def test_a_jammed_observer_rerolls_hits_then_misses_and_the_battery_reloads():
    table = Table()
    eyes = table.put(squad(RIFLE, men=2, skills="Artillery Observer", roles={1: "radio"}), "C6")
    battery = table.put(support(weapon("Mortar", "2/1", "4-12", "Artillery, Reload")), "C2")
    foe = table.put(squad(men=5), "C9", RED)
    table.put(vehicle(skills="Jammer"), "G8", RED)
    aim = {"Mortar": lambda aim: aim[0] == table.at("C9") and "area" in aim}
    game = table.activate(eyes, "special:call-attack", dice="AA AS", declare=aim, reload=True)
    assert game.hits == 1 and battery.main.is_loaded(0) and len(foe.main.alive) == 4


@pytest.mark.rule("d47.skill.jammer_artillery", "d47.action.sustained", "d47.open.reroll_limit")
def test_jammed_and_sustained_successes_are_rerolled_before_misses():
    table = Table()
    eyes = table.put(squad(RIFLE, men=2, skills="Artillery Observer", roles={1: "radio"}), "C6")
    table.put(support(weapon("Mortar", "2/1", "4-12", "Artillery")), "C2")
    table.put(squad(men=5), "C9", RED)
    table.put(vehicle(skills="Jammer"), "G8", RED)
    aim = {"Mortar": lambda aim: aim[0] == table.at("C9") and "area" in aim}
    game = table.activate(eyes, "special:call-sustained-attack", dice="AS S AA", declare=aim)
    assert game.hits == 2 and [len(faces) for _, faces in game.rolls[0].stages] == [2, 1, 2]


@pytest.mark.rule("d47.weather.severe_cover", "d47.weapon.sniper_saves", "d47.attack.los.smoke_inside")
def test_in_severe_weather_a_sniper_leaves_the_far_a_cover_save_and_those_in_smoke_nearby_none():
    table = Table("smoke at C4", weather="high", severity="severe")
    table.state.weather = table.state.severity = "severe"
    sniper = table.put(hero(weapon("Rifle", "2/1", 8, "Sniper")), "C2")
    near, far = table.put(squad(men=5), "C4", RED), table.put(squad(men=5), "F4", RED)
    assert table.attack(sniper, near, dice="AA").labels == ["to hit"]
    assert table.attack(sniper, far, dice="AA SS").labels == ["to hit", "cover save"]


@pytest.mark.rule("d47.weather.severe_cover", "d47.weapon.phaser", "d47.skill.zombie_saves")
def test_zombies_make_no_cover_save_even_in_cover_that_nothing_negates():
    table = Table(weather="high", severity="severe")
    table.state.weather = table.state.severity = "severe"
    gun = table.put(hero(weapon("Phaser", "2/1", 8, "Phaser")), "C2")
    living, dead = table.put(squad(men=5), "C6", RED), table.put(squad(men=5, skills="Zombie"), "E6", RED)
    assert table.attack(gun, living, dice="AA SS").labels == ["to hit", "cover save"]
    assert table.attack(gun, dead, dice="AA SS").labels == ["to hit", "infantry save"]


@pytest.mark.rule("d47.weather.severe_cover", "d47.skill.defensive_tactics")
def test_weather_is_cover_for_defensive_tactics():
    table = Table(weather="high", severity="severe")
    table.state.weather = table.state.severity = "severe"
    gun = table.put(hero(weapon("Sniper", "1/1", 8, "Sniper")), "C2")
    unit = table.put(squad(men=5, skills="Defensive Tactics"), "C6", RED)
    assert table.attack(gun, unit, dice="A T A").labels == ["to hit", "cover save", "damage resilient"]


@pytest.mark.rule("d47.skill.radiation", "d47.height.target", "d47.open.reroll_limit")
def test_radiation_against_a_higher_target_forced_before_allowed():
    table = Table("building from C5 to D6 with 1 floors")
    gun = table.put(hero(weapon("Ray", "2/1", 8, "Radiation")), "C2")
    unit = table.put(squad(men=5), "C5+1", RED)
    game = table.attack(gun, unit, dice="AA AT T AA")
    assert [faces for _, faces in game.rolls[1].stages] == [("ARMY", "TARGET"), ("TARGET",), ("ARMY", "ARMY")]
    assert game.saved == 2


@pytest.mark.rule("d47.skill.stunned_reaction", "d47.weapon.grapple_held")
def test_a_grappled_unit_may_try_to_react_and_cannot_fire():
    table = Table()
    claw = table.put(vehicle(knife("1/1", "Grapple", name="Claw")), "C4")
    foe = table.put(vehicle(weapon("Gun", "1/1", 8), damage=9), "C5", RED)
    table.activate(claw, "attack", target=foe, dice="A SS")
    mover = table.put(squad(RIFLE, men=2), "F5")
    game = table.activate(mover, "march", march="F5", march_first="F5", react=foe, dice="A")
    assert game.labels == ["reaction"] and foe.is_(GRAPPLED)


@pytest.mark.rule("d47.weapon.grapple_release", "d47.reactive.uses_activation")
def test_a_reactive_attack_of_the_holder_lets_go():
    table = Table()
    claw = table.put(vehicle(knife("1/1", "Grapple", name="Claw"), weapon("Gun", "1/1", 8)), "C4", RED)
    held = table.put(vehicle(damage=9), "C5")
    table.attack(claw, dice="A SS", declare={"Claw": held})
    assert held.is_(GRAPPLED)
    mover = table.put(squad(men=3), "E4")
    table.activate(mover, "march", march="E4", march_first="E4", react=claw, dice="AS S", target=mover)
    assert not held.is_(GRAPPLED)


@pytest.mark.rule("d47.skill.execute", "d47.weapon.grapple_hit", "d47.weapon.grapple_release")
def test_held_by_the_dog_and_executed_by_the_master():
    table = Table()
    tina = table.put(hero(knife("1/1", "Grapple, Savage Animal", name="Bite"), skills="Execute"), "C4")
    foe = table.put(squad(men=3), "C5", RED)
    table.activate(tina, "attack", "special:execute", dice="T", target=foe, execute=lambda d: d.options[-1])
    assert len(foe.main.alive) == 1 and not foe.is_(GRAPPLED), "EXECUTE is an action: the grip is gone"


@pytest.mark.rule("d47.skill.cheat_death", "d47.weapon.tesla_reaction", "d47.attack.suppress.deferred")
def test_a_hero_who_cheats_death_in_a_reaction_acts_before_he_is_stunned():
    table = Table()
    frank = table.put(hero(RIFLE, skills="Cheat Death", damage=2), "C2")
    guard = table.put(hero(weapon("Gun", "1/#", 8), damage=9), "C6", RED)
    game = table.activate(frank, "move", "attack", move="C3", react=guard, dice="AS A S A A S", declare=[frank, guard])
    assert game.labels == ["reaction", "to hit", "infantry save", "cheat death", "to hit", "infantry save"]
    assert frank.is_(STUNNED) and frank.main.damage == 1


@pytest.mark.rule("d47.skill.fighting_spirit", "d47.weapon.laser", "d47.action.sustained")
def test_fighting_spirit_widens_the_initial_dice_of_a_sustained_laser_only():
    table = Table()
    unit = table.put(squad(weapon("Laser", "2/1", 8, "Laser"), men=1, skills="Fighting Spirit"), "C2")
    foe = table.put(squad(men=9), "C5", RED)
    game = table.attack(unit, foe, dice="TS T TT SS", sustained=True, fighting_spirit=True)
    assert game.hits == 2


@pytest.mark.rule("d47.weapon.flame_path", "d47.skill.camouflage_effect", "d47.open.camouflage_area")
def test_a_flame_on_its_way_to_another_target_burns_the_camouflaged():
    table = Table()
    walker = table.put(vehicle(weapon("Napalm", "1/1", 3, "Flame")), "C4")
    hidden = table.put(squad(men=4, skills="Camouflage"), "C6", RED, fielded=True)
    foe = table.put(squad(men=4), "C7", RED)
    table.attack(walker, foe, dice="A A")
    assert len(hidden.main.alive) == 3 and hidden.suppressed


@pytest.mark.rule("d47.weapon.sniper_pick", "d47.pilot.untargetable")
def test_a_sniper_cannot_name_the_pilot():
    table = Table()
    sniper = table.put(hero(weapon("Rifle", "1/1", 8, "Sniper")), "C2")
    table.put(vehicle(), "C5", RED, pilot=hero(skills="Pilot"))
    assert not any("at" in aim for aim in table.aims(sniper, "Rifle"))


@pytest.mark.rule("d47.skill.support_weapon_crew", "d47.attack.cc.retaliate")
def test_a_crew_strikes_back_with_every_man():
    table = Table()
    brute = table.put(hero(knife("1/1"), damage=9), "C4")
    gun = table.put(support(weapon("Cannon", "2/1", 8), men=3), "C5", RED)
    game = table.attack(brute, gun, dice="S AAS", retaliate={"Improvised weapon": brute})
    assert game.dice("to hit") == [1, 3]


@pytest.mark.rule("d47.skill.smoke_launchers", "d47.skill.raid", "d47.turn.max_three_actions")
def test_a_raid_leaves_no_room_for_smoke():
    table = Table()
    truck = table.put(vehicle(RIFLE, skills="Raid, Smoke Launchers"), "C3")
    assert not any("special:raid" in sequence and len(sequence) > 1 for sequence in table.menu(truck))


@pytest.mark.rule("d47.open.suppressed_aircraft")
def test_a_suppressed_plane_does_nothing_then_moves():
    table = Table()
    plane = table.put(aircraft(RIFLE), "C3", tokens="suppressed")
    table.put(squad(), "C6", RED)
    assert set(table.menu(plane, nothing_first=True)) == {("move",)}


@pytest.mark.rule("d47.open.superhuman_vs_command")
def test_a_medic_heals_a_superhuman():
    table = Table()
    medic = table.put(squad(men=2, skills="Command Squad", roles={1: "medic"}), "C3")
    victory = table.put(hero(skills="Superhuman", damage=4), "C4")
    victory.main.damage = 2
    assert victory in table.rules.command.to_heal(table.play, medic)


@pytest.mark.rule("d47.open.red_banner_rally", "d47.skill.red_banner")
def test_the_red_banner_helps_a_rally_too():
    table = Table()
    officer = table.put(hero(skills="Officer"), "C3")
    table.put(hero(skills="Red Banner"), "E3")
    shaken = table.put(squad(), "D3", tokens="suppressed")
    game = table.activate(officer, "special:rally", dice="AAS", rally=lambda decision: decision.options[0])
    assert game.dice("rally") == [3] and not shaken.suppressed


@pytest.mark.rule("d47.skill.damage_resilient", "d47.skill.assassin", "d47.attack.damage.owner_chooses")
def test_an_assassin_picks_only_after_resilience():
    table = Table()
    ozz = table.put(hero(knife("2/1"), skills="Assassin"), "C4")
    unit = table.put(squad(weapon("MG", "1/1", 6, count=1), men=3, skills="Damage Resilient"), "C5", RED)
    game = table.attack(ozz, unit, dice="AA AT", casualty="MG")
    assert unit.main.alive == (0, 1) and game.labels == ["to hit", "damage resilient"]


@pytest.mark.rule("d47.skill.scout", "d47.skill.charge", "d47.turn.max_three_actions")
def test_a_charging_scout_still_has_three_actions():
    table = Table()
    unit = table.put(squad(RIFLE, knife("1/1"), skills="Scout, Charge"), "C2")
    menu = table.menu(unit)
    assert ("march", "attack") in menu and ("march", "free:close-attack") in menu
    assert ("march", "free:close-attack", "attack") not in menu and ("march", "attack", "free:close-attack") not in menu
