"""Attacks: declaring, dice, templates, saves, damage, close combat (bf.attack.*, bf.save.*, bf.damage.*, bf.cc.*)."""

from __future__ import annotations

import pytest

from dieselfront import odds
from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.rulesets.dust.events import Damaged, Eliminated, SoldierLost, TerrainChanged
from dieselfront.rulesets.dust.shots import Attack
from dieselfront.rulesets.dust_open.places import at
from dieselfront.table.measured.terrain import Opening
from rulesets.battlefield.field import RED, Field, box, house, hut
from rulesets.dust1947.table import aircraft, hero, kill, knife, squad, support, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 4)
ROCKET = weapon("Rocket", "*/1", 8)
HOWITZER = weapon("Howitzer", "S */1, V 1/4", 8)


def line_up(count: int, x: int, y: int, gap: int = 30) -> list[tuple[int, int]]:
    return [(x + gap * number, y) for number in range(count)]


def men_at(field: Field, count: int, x: int, y: int, side: int = RED, **details: object):
    places = line_up(count, x, y)
    return field.put(squad(men=count, **details), places[0], side, others=places[1:])


# -- declaring ----------------------------------------------------------------------------------------


@pytest.mark.rule("bf.attack.sequence", "bf.action.attack", "bf.attack.declare_targets", "bf.cc.declare")
def test_everything_is_declared_before_any_die_and_blows_come_last():
    field = Field()
    men = field.put(squad(RIFLE, knife("1/1"), men=1), (500, 500))
    foe = men_at(field, 3, 500, 460)
    game = field.attack(men, foe, dice="SS S")
    assert game.asked[0] == "declare" and game.labels == ["to hit", "to hit"]
    assert [event.weapon for event in game.events if type(event).__name__ == "PoolPlanned"] == ["Rifle", "Knife"]
    assert "bf.attack.declare_targets" in game.rules


@pytest.mark.rule("bf.attack.free_choice")
def test_each_weapon_may_have_its_own_target_or_none():
    field = Field()
    men = field.put(squad(RIFLE, weapon("Bazooka", "1/4", 6, count=1), men=3), (500, 700))
    soldiers, tank = men_at(field, 3, 500, 500), field.put(vehicle(), (700, 500), RED)
    wanted = {"Rifle": soldiers, "Bazooka": tank}
    game = field.attack(men, None, dice="SSSS S", declare=lambda d: tuple(_pick(d, field, men, wanted)))
    assert {event.target for event in game.events if type(event).__name__ == "PoolPlanned"} == {soldiers.id, tank.id}


def _pick(decision, field, unit, wanted):
    armed = set()
    for item, choices in zip(decision.items, decision.choices, strict=True):
        part, index, bearer = item
        name = field.rules.attacks.weapon_of(unit.parts[part], index).name
        goal = wanted.get(name)
        last = bearer == 2
        if goal is None or (name == "Rifle" and last) or bearer in armed:
            yield None
            continue
        armed.add(bearer)
        yield next((aim for aim in choices if aim is not None and aim[0] == goal.id), None)


@pytest.mark.rule("bf.attack.squad_weapon_limit")
def test_a_soldier_uses_one_ranged_and_one_close_weapon():
    field = Field()
    men = field.put(squad(RIFLE, weapon("Pistol", "1/1", 2), knife(), men=1), (500, 500))
    foe = men_at(field, 3, 500, 460)
    with pytest.raises(IllegalChoice):
        field.attack(men, None, declare={"Rifle": foe, "Pistol": foe, "Knife": foe})
    game = field.attack(men, None, dice="SS S", declare={"Rifle": foe, "Knife": foe})
    assert len(game.labels) == 2


@pytest.mark.rule("bf.attack.hero_all_weapons")
def test_a_hero_uses_everything():
    field = Field()
    joe = field.put(hero(weapon("SMG", "2/1", 4), weapon("Pistol", "1/1", 2), knife()), (500, 500))
    foe = men_at(field, 3, 500, 460)
    game = field.attack(joe, foe, dice="SS S S")
    assert len(game.labels) == 3


@pytest.mark.rule("bf.attack.vehicle_all_weapons", "bf.attack.weapon_modes")
def test_a_vehicle_uses_every_weapon_and_one_mode_of_each():
    field = Field()
    guns = (weapon("Gun", "1/4", 8, mount="turret"), weapon("MG", "4/1", 8, mount="rear"))
    tank = field.put(vehicle(*guns), (500, 500), heading=0)
    foes = [men_at(field, 3, 500, 200), men_at(field, 3, 500, 800)]
    game = field.attack(tank, None, dice="S SSSS", declare={"Gun": foes[0], "MG": foes[1]})
    assert len(game.labels) == 2
    modes = field.put(vehicle(weapon("Howitzer", "3/1", 8), weapon("Howitzer", "1/5", 8)), (900, 500))
    with pytest.raises(IllegalChoice):
        field.attack(modes, None, declare={"Howitzer": foes[0]})


@pytest.mark.rule("bf.attack.support_crew")
def test_two_of_the_crew_serve_the_gun():
    field = Field()
    gun = field.put(support(weapon("MG", "4/1", 8), weapon("Pistol", "1/1", 8), men=4), (500, 800))
    foe = men_at(field, 3, 500, 500)
    kill(gun, 3)
    with pytest.raises(IllegalChoice):
        field.attack(gun, None, declare={"MG": foe, "Pistol": foe})
    game = field.attack(gun, None, dice="SSSS S", declare={"MG": foe, "Pistol": [foe]})
    assert len(game.labels) == 2


@pytest.mark.rule("bf.weapon.under_barrel")
def test_a_rifle_and_its_under_barrel_weapon_fire_at_the_same_target():
    field = Field()
    launcher = weapon("Under-barrel Grenade Launcher", "2/1", 4)
    men = field.put(squad(RIFLE, launcher, men=1), (500, 700))
    foes = [men_at(field, 3, 500, 500), men_at(field, 3, 700, 560)]
    game = field.attack(men, foes[0], dice="SS SS")
    assert len(game.labels) == 2
    with pytest.raises(IllegalChoice, match="same target"):
        field.attack(men, None, declare={"Rifle": foes[0], launcher.name: foes[1]})


# -- dice ---------------------------------------------------------------------------------------------


@pytest.mark.rule("bf.attack.hit_faces", "bf.attack.no_value")
def test_army_hits_and_an_empty_cell_rolls_nothing():
    field = Field()
    men = field.put(squad(weapon("Rifle", "S 2/1", 4), men=4), (500, 700), others=line_up(4, 500, 700)[1:])
    foe, tank = men_at(field, 5, 500, 500), field.put(vehicle(), (700, 600), RED)
    assert not field.may_aim(men, "Rifle", tank)
    game = field.attack(men, foe, dice="AAATTTSS TTT")
    assert game.hits == 3 and len(foe.main.alive) == 2


@pytest.mark.rule("bf.attack.sustained_reroll", "bf.action.sustained")
def test_a_sustained_attack_throws_misses_again_once():
    field = Field()
    men = field.put(squad(RIFLE, men=3), (500, 700))
    foe = men_at(field, 5, 500, 500)
    game = field.attack(men, foe, dice="ASSTTT AATTS TTT", sustained=True)
    assert game.hits == 3


@pytest.mark.rule("bf.attack.simultaneous")
def test_what_was_aimed_at_a_target_that_is_gone_is_lost():
    field = Field()
    men = field.put(squad(RIFLE, weapon("Grenade Gun", "2/1", 4, "Phaser", count=1), men=2), (500, 700))
    foe = men_at(field, 1, 500, 500)
    game = field.attack(
        men, None, dice="AA TT", pool_order=lambda d: d.options[0],
        declare=lambda d: tuple((foe.id,) if item[2] == item[1] else None for item in d.items),
    )  # fmt: skip
    assert foe.status == "lost" and len(game.labels) == 2  # the second weapon rolls nothing any more


# -- templates ----------------------------------------------------------------------------------------


def blast(target, centre):
    return lambda decision: tuple((target.id, "blast", int(at(*centre))) for _ in decision.items)


@pytest.mark.rule("bf.attack.blast_template", "bf.open.blast_template_size", "bf.attack.blast_many_units")
def test_one_die_for_each_miniature_under_the_template_friend_or_foe():
    field = Field()
    gun = field.put(vehicle(ROCKET), (500, 900))
    foe, friend = men_at(field, 4, 480, 500), men_at(field, 1, 540, 440, side=0)
    far = men_at(field, 1, 500 + 75 + 14, 560)  # its base is 7.6 cm away
    game = field.attack(gun, None, dice="SSSS S", declare=blast(foe, (500, 500 + 10)))
    assert sorted(game.dice("to hit")) == [1, 4]
    assert {event.target for event in game.events if type(event).__name__ == "PoolPlanned"} == {foe.id, friend.id}
    assert far.id not in game.reasons


@pytest.mark.rule("bf.attack.blast_multiple")
def test_several_symbols_roll_several_dice():
    field = Field()
    gun = field.put(vehicle(weapon("Rocket", "**/1", 8)), (500, 900))
    foe = men_at(field, 3, 480, 500)
    assert field.attack(gun, None, dice="SSSSSS", declare=blast(foe, (500, 500))).dice("to hit") == [6]


@pytest.mark.rule("bf.attack.blast_support")
def test_a_gun_counts_for_each_of_its_crew():
    field = Field()
    gun = field.put(vehicle(ROCKET), (500, 900))
    foe = field.put(support(weapon("MG", "4/1", 6), men=4), (500, 500), RED)
    kill(foe, 0)
    assert field.attack(gun, None, dice="SSS", declare=blast(foe, (500, 500))).dice("to hit") == [3]


@pytest.mark.rule("bf.attack.blast_centre_los")
def test_whom_the_centre_does_not_see_is_not_hit():
    field = Field(box("wall", 450, 470, 200, 8))
    gun = field.put(vehicle(ROCKET), (500, 900))
    foe = field.put(squad(men=2), (500, 510), RED, others=[(500, 440)])
    assert field.attack(gun, None, dice="S", declare=blast(foe, (500, 510))).dice("to hit") == [1]


@pytest.mark.rule("bf.attack.blast_levels")
def test_only_the_chosen_floor_is_hit_and_from_outside_only_the_ground_floor():
    field = Field(house(440, 440, 140, 120, floors=2))
    gun = field.put(vehicle(ROCKET), (500, 650))
    below = field.put(squad(men=1), (500, 530), RED)
    above = field.put(squad(men=1), (520, 540), RED, floor=1)
    centre = int(at(500, 590))
    game = field.attack(gun, None, dice="S", declare=((below.id, "blast", centre),))
    assert {e.target for e in game.events if type(e).__name__ == "PoolPlanned"} == {below.id}
    assert above.id not in {e.target for e in game.events if type(e).__name__ == "PoolPlanned"}


@pytest.mark.rule("bf.attack.blast_or_ap")
def test_a_gun_blasts_infantry_or_shoots_one_vehicle():
    field = Field()
    gun = field.put(vehicle(HOWITZER), (500, 900))
    foe, tank = men_at(field, 3, 480, 500), field.put(vehicle(), (500, 440), RED)
    assert field.attack(gun, None, dice="SSS", declare=blast(foe, (500, 500))).dice("to hit") == [3]
    assert field.attack(gun, None, dice="S", declare=((tank.id,),)).dice("to hit") == [1]


@pytest.mark.rule("bf.open.blast_several_firers")
def test_every_firer_lays_a_template_of_his_own():
    field = Field()
    men = field.put(squad(weapon("Rocket", "*/1", 8), men=2), (500, 900), others=[(530, 900)])
    foe = men_at(field, 4, 400, 500)
    answer = ((foe.id, "blast", int(at(360, 500))), (foe.id, "blast", int(at(445, 500))))
    game = field.attack(men, None, dice="SS SSSS", declare=answer)
    assert game.dice("to hit") == [2, 4]


@pytest.mark.rule("bf.open.blast_in_reaction")
def test_others_under_the_template_of_a_reaction_are_rolled_too():
    field = Field()
    gun = field.put(vehicle(ROCKET), (500, 900))
    active, other = men_at(field, 2, 480, 500), men_at(field, 2, 480, 450)
    game = field.attack(gun, None, dice="SS SS", declare=blast(active, (500, 480)), only=active.id, reactive=True)
    assert sorted(game.dice("to hit")) == [2, 2] and other.alive


FLAMER = weapon("Flamer", "*/1", 2, "Flame")


def flame(target, goal, bearer=0):
    return lambda decision: tuple((target.id, "flame", int(at(*goal)), "from", bearer) for _ in decision.items)


@pytest.mark.rule(
    "bf.attack.flame_template",
    "bf.open.flame_template",
    "bf.attack.flame_dice",
    "bf.open.flame_axis",
    "bf.weapon.flame",
)
def test_a_flame_strip_hits_whom_it_touches_and_leaves_no_saves():
    field = Field()
    man = field.put(squad(FLAMER, men=1), (500, 700))
    foe = field.put(squad(men=3), (500, 512), RED, others=[(520, 560), (500, 600)])  # 18 cm away and nearer
    far = field.put(squad(men=1), (500, 465), RED)  # 21 cm away
    game = field.attack(man, None, dice="AAS", declare=flame(foe, (500, 560)))
    assert game.dice("to hit") == [3] and len(foe.main.alive) == 1 and far.main.alive
    assert foe.under_fire and not foe.suppressed


@pytest.mark.rule("bf.attack.flame_los")
def test_a_flame_does_not_reach_behind_a_wall():
    field = Field(box("structure", 480, 590, 100, 10))
    man = field.put(squad(FLAMER, men=1), (500, 700))
    foe = field.put(squad(men=2), (500, 620), RED, others=[(500, 560)])
    assert field.attack(man, None, dice="S", declare=flame(foe, (500, 620))).dice("to hit") == [1]


@pytest.mark.rule("bf.attack.flame_template")
def test_the_whole_strip_lies_in_the_field_of_fire():
    field = Field()
    tank = field.put(vehicle(weapon("Flamer", "*/1", 3, "Flame", mount="front")), (500, 700), heading=0)
    ahead, aside = men_at(field, 1, 500, 560), men_at(field, 1, 640, 600)
    assert field.may_aim(tank, "Flamer", ahead) and not field.may_aim(tank, "Flamer", aside)


@pytest.mark.rule("bf.weapon.spray", "bf.open.square_leftovers")
def test_spray_is_played_like_a_flame():
    field = Field()
    man = field.put(squad(weapon("Jet", "*/1", 2, "Spray"), men=1), (500, 700))
    friend, foe = men_at(field, 1, 500, 640, side=0), men_at(field, 1, 500, 560)
    game = field.attack(man, None, dice="A A", declare=flame(foe, (500, 560)))
    assert not friend.alive and not foe.alive and game.saved == 0


# -- saves --------------------------------------------------------------------------------------------


@pytest.mark.rule("bf.save.infantry", "bf.save.infantry_cover", "bf.save.vehicle_cover")
@pytest.mark.parametrize(
    "covered, card, dice, losses",
    [
        (False, squad(men=5), "AAAA ASTT", 3),
        (True, squad(men=5), "AAAA ASTT", 2),
        (True, vehicle(), "AAAA ASTT", 3),
        (False, vehicle(), "AAAA", 4),
    ],
)
def test_one_die_for_each_hit(covered, card, dice, losses):
    field = Field(*([box("trees", 400, 400, 400, 150)] if covered else []))
    men = field.put(squad(RIFLE, men=2), (500, 700))
    foe = field.put(card, (500, 510), RED)
    before = foe.main.left
    field.attack(men, foe, dice=dice)
    assert before - foe.main.left == losses


@pytest.mark.rule("bf.save.cc_none")
def test_blows_leave_no_saves():
    field = Field(box("trees", 400, 400, 400, 150))
    men = field.put(squad(knife("2/1"), men=1), (500, 500))
    foe = men_at(field, 3, 500, 460)
    field.attack(men, foe, dice="AA")
    assert len(foe.main.alive) == 1


# -- damage -------------------------------------------------------------------------------------------


@pytest.mark.rule("bf.damage.order", "bf.damage.squad")
def test_the_owner_chooses_whom_he_loses_one_by_one():
    field = Field()
    men = field.put(squad(RIFLE, men=1), (500, 700))
    foe = men_at(field, 4, 500, 500)
    game = field.attack(men, foe, dice="AA TT", casualty=[1, 2])
    assert foe.main.alive == (0, 3) and len(game.of(SoldierLost)) == 2
    assert all(event.rule == "bf.damage.squad" for event in game.of(SoldierLost))


@pytest.mark.rule("bf.damage.valid_targets", "bf.open.valid_target_pool")
def test_only_those_who_could_be_attacked_fall():
    field = Field(box("structure", 520, 480, 300, 60))
    men = field.put(squad(weapon("Rifle", "3/1", 4), men=1), (500, 700))
    foe = field.put(squad(men=4), (490, 450), RED, others=[(560, 440), (590, 440), (620, 440)])
    field.attack(men, foe, dice="AAA TTT")
    assert len(foe.main.alive) == 3  # one is seen, two hits are lost


@pytest.mark.rule("bf.damage.valid_targets")
def test_where_only_the_hero_of_a_squad_can_be_reached_he_is_what_is_at_stake():
    field = Field(box("structure", 520, 480, 300, 60))
    men = field.put(squad(weapon("Rifle", "3/1", 4), men=1), (500, 700))
    joe = hero(weapon("Pistol", "1/1", 2), damage=4)
    foe = field.put(squad(men=2), (600, 440), RED, others=[(630, 440), (490, 450)], joined=joe)
    attack = Attack(men)
    (stake,) = field.rules.attacks.everything_at(field.play, attack, foe)
    (plan,) = stake.plans
    assert plan.capacity == 4 and not plan.squad and not plan.tells_all
    assert odds.evaluate([plan]).mean_losses > 0


@pytest.mark.rule("bf.damage.template_first")
def test_template_hits_come_before_the_others():
    field = Field()
    men = field.put(squad(RIFLE, weapon("Rocket", "*/1", 8, count=1), men=2), (500, 800))
    foe = men_at(field, 3, 480, 500)

    def declare(decision):
        answer = []
        for part, index, bearer in decision.items:
            name = field.rules.attacks.weapon_of(men.parts[part], index).name
            if name == "Rocket":
                answer.append((foe.id, "blast", int(at(500, 500))))
            else:
                answer.append((foe.id,) if bearer == 0 else None)
        return tuple(answer)

    game = field.attack(men, None, dice="SSS SS", declare=declare)
    assert [e.weapon for e in game.events if type(e).__name__ == "PoolPlanned"] == ["Rocket", "Rifle"]


@pytest.mark.rule("bf.damage.support", "bf.open.kill_vs_support")
@pytest.mark.parametrize("cell, left", [("1/3", 3), ("1/#", 0)])
def test_a_support_weapon_loses_a_cross_a_hit_and_all_to_a_kill(cell, left):
    field = Field()
    tank = field.put(vehicle(weapon("Gun", cell, 8)), (500, 800))
    foe = field.put(support(weapon("MG", "4/1", 6), men=4), (500, 500), RED)
    field.attack(tank, foe, dice="A T")
    assert foe.main.left == left


@pytest.mark.rule("bf.damage.track", "bf.damage.remove")
def test_a_track_takes_the_number_after_the_slash():
    field = Field()
    tank = field.put(vehicle(weapon("Gun", "2/3", 8)), (500, 900))
    walker = field.put(vehicle(damage=5), (500, 500), RED)
    game = field.attack(tank, walker, dice="AA")
    assert game.of(Damaged)[0].rule == "bf.damage.track" and walker.status == "lost"
    assert game.of(Eliminated)[0].rule == "bf.damage.remove"
    assert any("wreck" in event.sentence() for event in game.of(TerrainChanged))
    plane = field.put(aircraft(damage=2), (700, 500), RED)
    field.attack(tank, plane, dice="AS")
    assert plane.status == "lost" and len(field.state.table.pieces_of("wreck")) == 1


@pytest.mark.rule("bf.damage.kill")
def test_a_kill_takes_all_that_is_left():
    field = Field()
    tank = field.put(vehicle(weapon("Gun", "1/#", 8)), (500, 900))
    foe = field.put(vehicle(damage=8), (500, 500), RED)
    field.attack(tank, foe, dice="A")
    assert foe.status == "lost"


@pytest.mark.rule("bf.open.resilient_vs_kill", "bf.skill.damage_resilient_track")
def test_resilience_against_a_kill_rolls_a_die_for_each_cross_left():
    field = Field()
    tank = field.put(vehicle(weapon("Gun", "1/#", 8)), (500, 900))
    foe = field.put(vehicle(damage=5, skills="Damage Resilient"), (500, 500), RED)
    foe.main.damage = 2
    game = field.attack(tank, foe, dice="A AST")
    assert foe.main.left == 1 and "bf.skill.damage_resilient_track" in game.rules


@pytest.mark.rule("bf.damage.no_extras")
def test_there_are_no_critical_hits():
    field = Field()
    tank = field.put(vehicle(weapon("Gun", "1/3", 8)), (500, 900))
    foe = field.put(vehicle(damage=8), (500, 500), RED)
    game = field.attack(tank, foe, dice="A")
    assert game.labels == ["to hit"] and not foe.criticals


# -- close combat -------------------------------------------------------------------------------------


@pytest.mark.rule("bf.cc.after_ranged", "bf.cc.retaliation", "bf.cc.retaliation_survivors")
def test_survivors_of_the_shooting_strike_back_and_casualties_go_together():
    field = Field()
    men = field.put(squad(weapon("Pistol", "2/1", 2), knife("3/1"), men=1), (500, 500))
    foe = field.put(
        squad(knife("1/1"), men=5),
        (500, 470),
        RED,
        others=[*line_up(5, 470, 470)[:1], (530, 470), (515, 440), (485, 440)],
    )
    game = field.attack(men, foe, dice="AA TT AAA AST", retaliate=men)
    assert game.dice("to hit") == [2, 3, 3]  # three are left, all within 5 cm
    assert not foe.alive and not men.alive


@pytest.mark.rule("bf.cc.sustained_choice")
def test_a_sustained_attack_is_made_with_one_kind_of_weapon():
    field = Field()
    men = field.put(squad(weapon("Pistol", "2/1", 2), knife("2/1"), men=1), (500, 500))
    foe = field.put(squad(knife("1/1"), men=3), (500, 465), RED, others=[(470, 465), (530, 465)])
    game = field.attack(men, foe, dice="SS AS SSS", sustained=True, sustain_close=True, retaliate=men)
    assert [len(roll.stages) for roll in game.rolls] == [2, 1]


@pytest.mark.rule("bf.cc.standard_weapons", "bf.cc.aircraft")
def test_everybody_but_aircraft_strikes_with_what_is_at_hand():
    field = Field()
    man = field.put(squad(RIFLE, men=1), (500, 500))
    walker = field.put(vehicle(armour=5, damage=5), (500, 425), RED)
    game = field.attack(man, None, dice="A", declare={"Improvised weapon": walker})
    assert walker.main.left == 4 and game.hits == 1
    plane = field.put(aircraft(), (900, 500), RED)
    assert not field.rules.attacks.may_improvise(plane, plane.main)


@pytest.mark.rule("bf.hero.skill_declare")
def test_skills_are_declared_before_the_dice():
    field = Field()
    men = field.put(squad(RIFLE, men=1, skills="Fighting Spirit"), (500, 700))
    foe = men_at(field, 3, 500, 500)
    game = field.attack(men, foe, dice="TT TT", fighting_spirit=True)
    assert game.asked == ["declare", "fighting-spirit", "casualty", "casualty"] and game.hits == 2


def test_a_solid_house_stops_a_shot():
    field = Field(hut(440, 560, 200, 60, Opening((440, 580), (440, 600), 0, 0, None, True)))
    men, foe = field.put(squad(RIFLE, men=1), (500, 900)), men_at(field, 1, 500, 400)
    assert not field.rules.attacks.has_target(field.play, Attack(men)) and foe.alive
