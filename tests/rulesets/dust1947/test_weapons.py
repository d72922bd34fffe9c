"""Special weapons: chains, scopes, denied saves, snipers, loading, volleys, tesla, grapples, wire."""

from __future__ import annotations

import pytest

from dieselfront.dice import DUST_DIE
from dieselfront.rulesets.dust.state import GRAPPLED, STUNNED
from rulesets.dust1947.table import RED, Table, aircraft, hero, kill, knife, refused, squad, vehicle, weapon


def armed(table: Table, cells: str, rules: str, at: str = "C2", reach: int = 8, **details):
    return table.put(hero(weapon("Gun", cells, reach, rules), **details), at)


def foes(table: Table, at: str = "C5", men: int = 9, **details):
    return table.put(squad(men=men), at, RED, **details)


# -- chains -----------------------------------------------------------------------------------------


@pytest.mark.rule("d47.weapon.laser")
def test_a_laser_chains_on_army_only():
    table = Table()
    laser = armed(table, "1/1", "Laser, Expert")
    assert table.attack(laser, foes(table), dice="T T S").hits == 1


@pytest.mark.rule("d47.skill.laser_sustained", "d47.action.sustained")
def test_a_sustained_laser_rerolls_only_its_first_misses():
    table = Table()
    laser = armed(table, "2/1", "Laser")
    game = table.attack(laser, foes(table), dice="AS A ST SS", sustained=True)
    assert game.hits == 2 and [stage for stage, _ in game.rolls[0].stages] == ["roll", "re-roll", "chain"]


@pytest.mark.rule("d47.weapon.cutting")
def test_a_chainsaw_cuts_on():
    table = Table()
    saw = table.put(hero(knife("2/1", "Cutting")), "C4")
    assert table.attack(saw, foes(table), dice="AS A T").hits == 2


# -- saves ------------------------------------------------------------------------------------------


@pytest.mark.rule("d47.weapon.grenade")
def test_grenades_ignore_the_cover_of_infantry_and_not_of_vehicles():
    table = Table("rubble at C5", "rubble at E5")
    gun = armed(table, "2/1", "Grenade")
    tank = table.put(vehicle(damage=9), "E5", RED)
    assert table.attack(gun, foes(table), dice="AA AS").labels == ["to hit", "infantry save"]
    assert table.attack(gun, tank, dice="AA AS SS").labels[1] == "cover save"


@pytest.mark.rule("d47.weapon.phaser")
def test_phasers_ignore_all_cover():
    table = Table("rubble at C5", "rubble at E5")
    gun = armed(table, "2/1", "Phaser")
    tank = table.put(vehicle(damage=9), "E5", RED)
    assert table.attack(gun, foes(table), dice="AA AS").labels == ["to hit", "infantry save"]
    game = table.attack(gun, tank, dice="AA SS")
    assert "cover save" not in game.labels and tank.main.damage == 2


@pytest.mark.rule("d47.skill.radiation")
def test_saves_against_radiation_are_rolled_again():
    table = Table()
    gun = armed(table, "2/1", "Radiation")
    game = table.attack(gun, foes(table), dice="AA AA AS")
    assert game.saved == 1


@pytest.mark.rule("d47.skill.radiation", "d47.skill.aircraft_evade")
def test_radiation_spoils_evasion_too():
    table = Table()
    gun = armed(table, "2/1", "Radiation")
    plane = table.put(aircraft(damage=9), "C5", RED, tokens="evading")
    game = table.attack(gun, plane, dice="AA AA AS SS")
    assert game.saved == 1 and plane.main.damage == 1


@pytest.mark.rule("d47.open.reroll_limit")
@pytest.mark.parametrize(
    "limit, dice, saved", [("each_effect_once", "AA AA AA", 2), ("one_forced_one_chosen", "AA AA", 2)]
)
def test_each_effect_rerolls_a_die_once_or_by_option_one_of_each_kind(limit, dice, saved):
    table = Table("building from C2 to D3 with 2 floors, window on south of C3+1", options={"reroll_limit": limit})
    gun = table.put(hero(weapon("Gun", "2/1", 8, "Radiation")), "C3+1")
    game = table.attack(gun, foes(table), dice=f"AA {dice}")
    assert game.saved == saved, "height and radiation both spoil the saves"


# -- snipers ----------------------------------------------------------------------------------------


def team(table: Table, **details):
    card = squad(weapon("Rifle", "1/1", 6), weapon("MG", "3/1", 6, count=1), men=4)
    return table.put(card, "C6", RED, **details)


def named(soldier: int):
    return {"Gun": lambda aim: "at" in aim and aim[2][1] == soldier}


@pytest.mark.rule("d47.weapon.sniper_saves")
def test_a_sniper_leaves_no_save():
    table = Table("rubble at C6")
    assert table.attack(armed(table, "2/1", "Sniper"), team(table), dice="AA").labels == ["to hit"]


@pytest.mark.rule("d47.weapon.sniper_pick")
def test_a_sniper_names_the_machine_gunner_and_hits_nobody_else():
    table = Table()
    foe = team(table)
    table.attack(armed(table, "2/1", "Sniper"), dice="AA", declare=named(3))
    assert foe.main.alive == (0, 1, 2)


@pytest.mark.rule("d47.weapon.sniper_pick")
def test_a_leader_can_be_named_only_as_the_last_man():
    table = Table()
    sniper, foe = armed(table, "2/1", "Sniper"), team(table)
    assert not any("at" in aim and aim[2][1] == 0 for aim in table.aims(sniper, "Gun"))
    kill(foe, 1, 2, 3)
    assert any("at" in aim and aim[2][1] == 0 for aim in table.aims(sniper, "Gun"))


@pytest.mark.rule("d47.weapon.sniper_pick", "d47.open.squad_leader_combined")
def test_a_sniper_may_name_the_joined_hero_or_then_the_squad_leader():
    table = Table()
    sniper, foe = armed(table, "2/1", "Sniper"), team(table, joined=hero(damage=3))
    table.attack(sniper, dice="AA", declare=named(-1))
    assert foe.parts[1].damage == 2 and len(foe.main.alive) == 4
    table.attack(sniper, dice="AA", declare=named(0))
    assert foe.main.alive == (1, 2, 3)


@pytest.mark.rule("d47.weapon.sniper_pick", "d47.open.hit_pools")
def test_hits_on_a_named_soldier_who_is_gone_are_lost():
    table = Table()
    sniper = table.put(hero(weapon("Gun", "1/1", 8, "Sniper"), weapon("Bomb", "1/1", 8)), "C2")
    foe = team(table)
    aim = {"Gun": named(3)["Gun"], "Bomb": foe}
    table.attack(sniper, dice="A S A", declare=aim, pool_order="Bomb", casualty=lambda decision: 3)
    assert foe.main.alive == (0, 1, 2)


@pytest.mark.rule("d47.weapon.sniper_pick", "d47.skill.damage_resilient")
def test_a_resilient_target_rolls_for_every_hit_on_it():
    table = Table()
    sniper = armed(table, "2/1", "Sniper")
    foe = table.put(squad(men=3, skills="Damage Resilient"), "C6", RED)
    game = table.attack(sniper, dice="AA AS", declare={"Gun": lambda aim: "at" in aim})
    assert game.dice("damage resilient") == [2] and len(foe.main.alive) == 2


@pytest.mark.rule("d47.open.skills_not_in_source")
def test_a_head_shot_picks_its_victim_and_stuns():
    table = Table()
    angela, foe = armed(table, "2/1", "Head Shot"), team(table)
    game = table.attack(angela, foe, dice="AS S", casualty=lambda decision: 3)
    assert foe.main.alive == (0, 1, 2) and foe.is_(STUNNED)
    assert next(d for d in game.decisions if d.key == "casualty").player == angela.side


# -- ammunition -------------------------------------------------------------------------------------


@pytest.mark.rule("d47.weapon.limited_ammo", "d47.attack.declare.limited_ammo_spent")
def test_a_weapon_fires_as_often_as_it_has_boxes():
    table = Table()
    gun = table.put(hero(weapon("Gun", "1/1", 8, ammo=2)), "C2")
    foe = foes(table)
    for _ in range(2):
        table.attack(gun, foe, dice="S")
    assert table.aims(gun, "Gun") == []


@pytest.mark.rule("d47.weapon.limited_ammo")
def test_each_soldier_has_boxes_of_his_own():
    table = Table()
    unit = table.put(squad(weapon("Faust", "1/1", 8, ammo=1), men=3), "C2")
    foe = foes(table)
    table.attack(unit, foe, dice="S", declare={"Faust": [foe, None, None]})
    assert table.rules.attacks.bearers(table.play, unit.main, 0) == (1, 2)
    kill(unit, 1, 2)
    assert table.aims(unit, "Faust") == [], "the one who fired is left"


@pytest.mark.rule("d47.weapon.reload_token")
def test_a_fired_reload_weapon_is_empty():
    table = Table()
    unit = table.put(squad(weapon("Rocket", "1/1", 8, "Reload"), men=2), "C2")
    foe = foes(table)
    table.attack(unit, foe, dice="S", declare={"Rocket": [foe, None]})
    assert table.rules.attacks.bearers(table.play, unit.main, 0) == (1,), "the other rocket is still loaded"
    table.attack(unit, foe, dice="S")
    assert table.aims(unit, "Rocket") == []


@pytest.mark.rule("d47.weapon.reload_action", "d47.open.reload_several")
def test_one_reload_loads_everything_and_goes_with_an_attack_in_either_order():
    table = Table()
    unit = table.put(squad(weapon("Rocket", "1/1", 8, "Reload"), men=2), "C2")
    foe = foes(table)
    assert ("attack", "special:reload") in table.menu(unit)
    table.attack(unit, foe, dice="SS")
    assert ("special:reload", "attack") in table.menu(unit) and ("attack",) not in table.menu(unit)
    table.activate(unit, "special:reload", "attack", dice="SS", target=foe)
    table.activate(unit, "special:reload")
    assert unit.main.is_loaded(0)


@pytest.mark.rule("d47.action.special", "d47.weapon.reload_action")
def test_a_unit_without_reload_weapons_cannot_reload():
    table = Table()
    unit = table.put(squad(weapon("Rifle", "1/1", 8)), "C2")
    assert refused(lambda: table.activate(unit, "special:reload")).reason


@pytest.mark.rule("d47.weapon.salvo_attack")
def test_a_salvo_doubles_the_dice_and_empties_the_weapon():
    table = Table()
    gun = armed(table, "3/1", "Salvo")
    foe = foes(table)
    assert table.attack(gun, foe, dice="SSS").dice("to hit") == [3]
    assert gun.main.is_loaded(0)
    game = table.attack(gun, foe, dice="SSSSSS", declare={"Gun": lambda aim: "salvo" in aim})
    assert game.dice("to hit") == [6] and not gun.main.is_loaded(0)
    assert "d47.weapon.salvo_attack" in game.reasons


@pytest.mark.rule("d47.weapon.salvo_reload")
def test_after_a_salvo_it_takes_a_reload():
    table = Table()
    gun = armed(table, "1/1", "Salvo")
    foe = foes(table)
    table.attack(gun, foe, dice="SS", declare={"Gun": lambda aim: "salvo" in aim})
    assert table.aims(gun, "Gun") == []
    table.activate(gun, "special:reload")
    assert table.aims(gun, "Gun") != []


@pytest.mark.rule("d47.weapon.volley")
def test_a_volley_multiplies_dice_and_boxes():
    table = Table()
    gun = table.put(vehicle(weapon("Rockets", "2/3", 8, "Volley", ammo=4)), "C2")
    foe = foes(table)
    game = table.attack(gun, dice="SSSSSS", declare={"Rockets": (foe.id, "volley", 3)})
    assert game.dice("to hit") == [6] and gun.main.marked(0) == 3
    assert table.aims(gun, "Rockets") == [(foe.id, "volley", 1)]


@pytest.mark.rule("d47.open.volley_sustained", "d47.weapon.volley")
def test_a_sustained_volley_rerolls_all_its_dice():
    table = Table()
    gun = table.put(vehicle(weapon("Rockets", "2/3", 8, "Volley", ammo=4)), "C2")
    foe = foes(table)
    game = table.attack(gun, dice="AASSSS AASS SSSS", sustained=True, declare={"Rockets": (foe.id, "volley", 3)})
    assert game.hits == 4


@pytest.mark.rule("d47.skill.flame_burst", "d47.weapon.volley")
def test_napalm_bombs_are_a_volley_of_bursts():
    table = Table("rubble at C5")
    gun = table.put(vehicle(weapon("Napalm", "1/1", 8, "Volley, Flame Burst", ammo=2)), "C2")
    foe = foes(table)
    game = table.attack(
        gun, dice="AA", declare={"Napalm": lambda aim: "burst" in aim and aim[aim.index("volley") + 1] == 2}
    )
    assert game.labels == ["to hit"] and len(foe.main.alive) == 7 and foe.suppressed


@pytest.mark.rule("d47.weapon.wire_guided")
def test_a_wire_guided_missile_alone_rerolls_its_misses():
    table = Table()
    missiles = weapon("Missile", "2/1", 8, "Wire Guided", count=2)
    plane = table.put(vehicle(missiles, weapon("MG", "1/1", 8)), "C2")
    foe = foes(table)
    assert table.attack(plane, dice="AS A SS", declare={"Missile": [foe, None]}).hits == 2
    assert table.attack(plane, dice="AS S S", declare={"Missile": [foe, None], "MG": foe}).hits == 1
    assert table.attack(plane, dice="ASSS S", declare={"Missile": foe}).hits == 1, "two missiles are two weapons"


@pytest.mark.rule("d47.weapon.wire_guided", "d47.action.sustained")
def test_sustained_and_wire_guided_is_one_reroll():
    table = Table()
    gun = armed(table, "2/1", "Wire Guided")
    game = table.attack(gun, foes(table), dice="SS SS", sustained=True)
    assert game.rolls[0].stages[-1][0] == "re-roll" and len(game.rolls[0].stages) == 2


@pytest.mark.rule("d47.weapon.salvo_attack", "d47.weapon.volley", "d47.weapon.wire_guided")
def test_salvo_volley_and_wire_guided_do_not_mix():
    """Two salvos or rockets are one weapon; another weapon beside the missile breaks the guidance."""
    table = Table()
    walker = table.put(
        vehicle(
            weapon("Salvo Gun", "1/1", 8, "Salvo"),
            weapon("Rockets", "1/1", 8, "Volley", ammo=2),
            weapon("Missile", "1/1", 8, "Wire Guided"),
        ),
        "C2",
    )
    foe = foes(table)
    aims = {"Salvo Gun": (foe.id, "salvo", 2), "Rockets": (foe.id, "volley", 2), "Missile": foe}
    game = table.attack(walker, dice="SS SS S", declare=aims)
    assert game.dice("to hit") == [2, 2, 1] and all(len(roll.stages) == 1 for roll in game.rolls)


# -- tesla and grapple --------------------------------------------------------------------------------


@pytest.mark.rule("d47.weapon.tesla_stun")
@pytest.mark.parametrize("saves, stunned", [("A", False), ("S", True)])
def test_tesla_stuns_those_it_damages(saves, stunned):
    table = Table()
    foe = foes(table)
    table.attack(armed(table, "1/1", "Tesla"), foe, dice=f"A {saves}")
    assert foe.is_(STUNNED) is stunned


@pytest.mark.rule("d47.weapon.tesla_stun", "d47.skill.damage_resilient")
def test_damage_negated_stuns_nobody():
    table = Table()
    tank = table.put(vehicle(skills="Damage Resilient"), "C5", RED)
    table.attack(armed(table, "1/2", "Tesla"), tank, dice="A AA")
    assert not tank.is_(STUNNED)


@pytest.mark.rule("d47.weapon.tesla_reaction", "d47.attack.suppress.deferred")
def test_tesla_in_a_reaction_stuns_after_the_remaining_actions():
    table = Table()
    mover = table.put(squad(weapon("Rifle", "1/1", 8), men=2), "C2")
    guard = table.put(hero(weapon("Zapper", "1/1", 8, "Tesla"), damage=9), "C6", RED)
    game = table.activate(mover, "move", "attack", move="C3", react=guard, dice="AS A S A A", declare=[mover, guard])
    assert game.hits == 2 and mover.is_(STUNNED)
    assert "d47.weapon.tesla_stun" not in game.rules[: game.labels.index("to hit")]


@pytest.mark.rule("d47.weapon.grapple_hit")
def test_a_grapple_stuns_by_the_hit_and_the_held_one_strikes_back_once():
    table = Table()
    claw = table.put(vehicle(knife("1/1", "Grapple", name="Claw"), damage=9), "C4")
    foe = table.put(vehicle(knife("1/1"), skills="Damage Resilient", damage=9), "C5", RED)
    game = table.attack(claw, foe, dice="A A A SS", retaliate={"Knife": claw})
    assert foe.main.damage == 0 and foe.is_(GRAPPLED) and foe.held_by == claw.id
    assert game.dice("to hit") == [1, 1] and claw.main.damage == 1


@pytest.mark.rule("d47.weapon.grapple_hit", "d47.skill.first_strike")
def test_a_first_strike_grapple_prevents_the_retaliation():
    table = Table()
    dog = table.put(hero(knife("1/1", "Grapple"), skills="First Strike"), "C4")
    foe = table.put(squad(knife("1/1", name="Axe"), men=3), "C5", RED)
    assert table.attack(dog, foe, dice="A", retaliate={"Axe": dog}).dice("to hit") == [1]


@pytest.mark.rule("d47.weapon.grapple_held", "d47.open.grapple_vs_stun")
def test_the_grappled_neither_move_nor_fight_nor_wake_up():
    table = Table()
    claw = table.put(vehicle(knife("1/1", "Grapple", name="Claw")), "C4")
    foe = table.put(vehicle(knife("1/1"), weapon("Gun", "1/1", 8), damage=9), "C5", RED)
    table.attack(claw, foe, dice="A SS")
    game = table.activate(foe)
    assert game.asked == [] and foe.is_(GRAPPLED), "there is nothing to choose"
    assert "retaliate" not in table.attack(claw, foe, dice="S").asked


@pytest.mark.rule("d47.weapon.grapple_release")
def test_the_grip_lasts_until_the_holder_does_something_else():
    table = Table()
    claw = table.put(vehicle(knife("1/1", "Grapple", name="Claw")), "C4")
    foe = table.put(vehicle(damage=9), "C5", RED)
    table.activate(claw, "move", "attack", move="C4 N", target=foe, dice="A SS")
    assert foe.is_(GRAPPLED), "MOVE then the grapple"
    table.activate(claw)
    assert foe.is_(GRAPPLED), "NOTHING"
    table.activate(claw, "move", move="C4 N")
    assert not foe.is_(GRAPPLED) and foe.held_by == ""
    table.activate(claw, "attack", "move", target=foe, dice="A SS", move="C4 N")
    assert not foe.is_(GRAPPLED), "the grapple, then MOVE"


@pytest.mark.rule("d47.weapon.grapple_release")
def test_the_grip_ends_with_the_holder():
    table = Table()
    claw = table.put(vehicle(knife("1/1", "Grapple", name="Claw"), damage=1), "C4")
    foe = table.put(vehicle(damage=9), "C5", RED)
    table.activate(claw, "attack", target=foe, dice="A SS")
    gunner = table.put(hero(weapon("Gun", "1/1", 8)), "C8", RED)
    table.rules.ground.lift(foe, "board")
    foe.where, foe.place = (table.at("E5"),), table.at("E5")
    table.attack(gunner, claw, dice="A SS")
    assert not claw.alive and not foe.is_(GRAPPLED)


@pytest.mark.rule("d47.skill.grapple")
def test_the_named_weapon_grapples_and_the_others_do_not():
    table = Table()
    dogs = table.put(hero(knife("1/1", "Grapple, Savage Animal", name="Bite"), knife("1/1")), "C4")
    foe = foes(table)
    table.attack(dogs, dice="A", declare={"Knife": foe})
    assert not foe.is_(GRAPPLED)
    table.attack(dogs, dice="T", declare={"Bite": foe})
    assert foe.is_(GRAPPLED)


@pytest.mark.rule("d47.open.ranged_effects_before_cc", "d47.weapon.tesla_stun")
def test_stunned_by_the_shot_nobody_strikes_back_at_the_knife():
    table = Table()
    unit = table.put(hero(weapon("Zapper", "1/1", 8, "Tesla"), knife("1/1")), "C4")
    foe = table.put(squad(knife("1/1", name="Axe"), men=4), "C5", RED)
    game = table.attack(unit, foe, dice="A S A", retaliate={"Axe": unit})
    assert game.dice("to hit") == [1, 1]
    assert DUST_DIE.names(table.plan(unit, "Knife", foe).hit.faces) == ("ARMY",)
