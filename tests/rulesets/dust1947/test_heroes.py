"""Heroes and pilots (d47.hero.*, d47.pilot.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust.events import Activated, Scored
from dieselfront.rulesets.dust.shots import Attack
from dieselfront.rulesets.dust.state import LOST
from rulesets.dust1947.table import BLUE, RED, Table, aircraft, hero, kill, squad, vehicle, weapon


def rifles(men: int = 3, **more: object):
    return squad(weapon("Rifle", "1/1", 6), men=men, **more)


@pytest.mark.rule("d47.hero.single_miniature")
def test_a_hero_is_one_miniature_with_a_track():
    table = Table()
    lone = table.put(hero(damage=3), "C3")
    assert lone.models == 1 and lone.main.left == 3 and not lone.main.squad


@pytest.mark.rule("d47.hero.combined_activation")
def test_hero_and_squad_act_as_one_unit():
    table = Table()
    unit = table.put(rifles(), "C3", joined=hero(weapon("Pistol", "1/1", 3)))
    game = table.activate(unit, "move", move="C5")
    assert unit.where == (table.at("C5"),) and len(game.of(Activated)) == 1
    foe = table.put(squad(), "C7", RED)
    assert table.may_aim(unit, "Rifle", foe) and table.may_aim(unit, "Pistol", foe)


@pytest.mark.rule("d47.hero.slower_rate")
def test_the_slower_part_sets_the_pace():
    table = Table()
    unit = table.put(rifles(move=2, march=5), "C3", joined=hero(move=3, march=4))
    assert table.rules.movement.pace(table.play, unit) == (2, 4)


@pytest.mark.rule("d47.hero.share_skills")
def test_a_shared_skill_ends_with_its_bearer():
    table = Table()
    unit = table.put(rifles(), "C3", joined=hero(damage=1, skills="At the Double"))
    assert any("free:move" in sequence for sequence in table.menu(unit))
    unit.parts[1].damage = 1
    table.run(table.rules.damage.bury(table.play, unit))
    assert not any("free:move" in sequence for sequence in table.menu(unit))


@pytest.mark.rule("d47.hero.assign_hits")
def test_the_owner_divides_the_hits():
    table = Table()
    unit = table.put(rifles(2), "C3")
    foe = table.put(rifles(3), "C6", RED, joined=hero(damage=4))
    game = table.attack(unit, foe, "AA TT", divide_hits=2)
    asked = next(decision for decision in game.decisions if decision.key == "divide-hits")
    assert asked.player == RED and foe.parts[1].damage == 2 and len(foe.main.alive) == 3


@pytest.mark.rule("d47.hero.freed", "d47.hero.permanent")
def test_a_hero_outlives_his_squad_with_its_tokens():
    table = Table()
    unit = table.put(rifles(1), "C3", tokens="suppressed, activated", joined=hero(name="Joe"))
    kill(unit, 0)
    table.run(table.rules.damage.bury(table.play, unit))
    assert unit.alive and unit.is_hero and unit.name == "Joe" and unit.models == 1
    assert unit.suppressed and unit.activated and unit.where == (table.at("C3"),)


@pytest.mark.rule("d47.hero.separate_share_square", "d47.move.hero_may_share", "d47.move.no_stacking_end")
def test_a_lone_hero_may_share_a_square_and_stays_his_own_unit():
    table = Table()
    tank = table.put(vehicle(), "C5")
    lone = table.put(hero(), "C3")
    other = table.put(rifles(), "E5")
    table.activate(lone, "move", move="C5")
    assert lone.where == tank.where and len(table.rules.turn.waiting(table.play, BLUE)) == 2
    reach = table.rules.movement.reach(table.play, other, 2, "move")
    assert table.at("C5") not in reach


@pytest.mark.rule("d47.hero.shared_square_area_attack")
def test_an_area_attack_strikes_both_in_a_shared_square():
    table = Table()
    squad_ = table.put(rifles(3), "C6", RED)
    table.put(hero(), "C6", RED)
    gun = table.put(hero(weapon("Mortar", "*/1", 6)), "C3")
    game = table.attack(gun, squad_, "SSS S")
    assert game.dice("to hit") == [3, 1]


# -- pilots -------------------------------------------------------------------------------------


def driven(table: Table, at: str = "C5", **more: object):
    return table.put(
        vehicle(weapon("Gun", "2/1", 6, mount="turret"), **more),
        at,
        pilot=hero(weapon("Pistol", "1/1", 6), name="Ace", damage=2, skills="Pilot"),
    )


@pytest.mark.rule("d47.pilot.skill_required", "d47.skill.pilot", "d47.skill.air_pilot", "d47.skill.pilot_name")
@pytest.mark.parametrize(
    ("skills", "card", "able"),
    [
        ("Pilot", vehicle(), True),
        ("Ace Pilot", vehicle(), True),
        ("Air Pilot", vehicle(), False),
        ("", vehicle(), False),
        ("Air Pilot", aircraft(), True),
        ("Ace Air Pilot", aircraft(), True),
        ("Pilot", aircraft(), False),
        ("Pilot", vehicle(skills="Pilot: Koshka"), False),
    ],
)
def test_who_may_drive_what(skills: str, card: object, able: bool):
    table = Table()
    assert (table.rules.heroes.may_pilot(hero(skills=skills), card) is None) == able


@pytest.mark.rule("d47.skill.pilot_name")
def test_a_named_pilot_drives_his_own_machine():
    table = Table()
    assert table.rules.heroes.may_pilot(hero(name="Koshka", skills="Pilot"), vehicle(skills="Pilot: Koshka")) is None


@pytest.mark.rule("d47.pilot.combined", "d47.pilot.same_actions")
def test_pilot_and_vehicle_are_one_unit():
    table = Table()
    unit = driven(table)
    assert len(table.rules.turn.waiting(table.play, BLUE)) == 1
    game = table.activate(unit, "move", move="C6 N")
    assert [event.unit for event in game.of(Activated)] == [unit.id]


@pytest.mark.rule("d47.pilot.untargetable", "d47.pilot.no_own_weapons")
def test_a_pilot_can_neither_be_hit_nor_use_his_own_weapons():
    table = Table()
    unit = driven(table, damage=9)
    foe = table.put(rifles(3), "C8", RED)
    assert not table.may_aim(unit, "Pistol", foe) and table.may_aim(unit, "Gun", foe)
    game = table.attack(foe, unit, "AAA SS")
    assert "divide-hits" not in game.asked and unit.parts[-1].damage == 0 and unit.main.damage == 3


def lose(table: Table, unit, dice: str, **answers: object):
    unit.main.damage = unit.card.damage
    return table.run(table.rules.damage.bury(table.play, unit), dice, **answers)


@pytest.mark.rule("d47.pilot.escape_roll", "d47.pilot.escape_placement")
@pytest.mark.parametrize(("die", "damage"), [("A", 0), ("S", 0), ("T", 1)])
def test_the_pilot_gets_out(die: str, damage: int):
    table = Table()
    unit = driven(table)
    lose(table, unit, die, pilot_lands="D6")
    ace = table.state.units[-1]
    assert ace.name == "Ace" and ace.where == (table.at("D6"),) and ace.activated and ace.main.damage == damage
    assert not unit.alive


@pytest.mark.rule("d47.pilot.escape_no_space")
def test_a_pilot_without_room_is_lost():
    table = Table("structure from B4 to D4", "structure from B6 to D6", "structure at B5, D5")
    unit = driven(table)
    game = lose(table, unit, "A")
    assert table.state.units[-1].status == LOST and "d47.pilot.escape_no_space" in game.rules


@pytest.mark.rule("d47.pilot.dismount", "d47.pilot.dismount_destroys", "d47.open.dismount_from_hero_vehicle")
def test_a_pilot_who_leaves_gives_the_vehicle_up():
    table = Table()
    unit = driven(table)
    game = table.activate(unit, "special:abandon-vehicle", pilot_leaves="C8")
    ace = table.state.units[-1]
    assert ace.where == (table.at("C8"),) and ace.activated and not unit.alive
    assert table.state.table.has(table.at("C5"), "wreck") and game.of(Scored)[0].side == RED


@pytest.mark.rule("d47.pilot.before_game", "d47.hero.join_before_game", "d47.pilot.one_per_vehicle")
def test_joining_and_piloting_are_settled_by_the_force_and_by_nothing_in_play():
    table = Table()
    tank = table.put(vehicle(weapon()), "C5")
    ace = table.put(hero(weapon(), skills="Pilot"), "C3")
    squad_ = table.put(rifles(), "D3")
    game = table.activate(ace, "move", move="C5")
    assert set(game.asked) <= {"actions", "move"}
    assert len(tank.parts) == len(squad_.parts) == len(ace.parts) == 1
    assert table.rules.heroes.pilot(driven(table, "G5")).card.name == "Ace"
    assert Attack(tank).unit is tank


@pytest.mark.rule("d47.skill.commissar_recovery", "d47.skill.commissar_poon")
def test_a_living_commissar_makes_recovery_rolls_three_dice():
    table = Table()
    watched = table.put(rifles(3, roles={2: "commissar"}, skills="Commissar"), "C3", tokens="suppressed")
    game = table.activate(watched, dice="SST")
    assert game.dice("recovery") == [3]
    kill(watched, 2)
    game = table.activate(watched, dice="SS")
    assert game.dice("recovery") == [2]
    poon = table.put(rifles(3), "E3", tokens="suppressed", joined=hero(skills="Commissar"))
    assert table.activate(poon, dice="SST").dice("recovery") == [3]


@pytest.mark.rule("d47.skill.no_double", "d47.open.extra_dice_stack")
def test_commissar_and_brave_do_not_add_up():
    table = Table()
    unit = table.put(rifles(3, roles={2: "commissar"}, skills="Commissar, Brave"), "C3", tokens="suppressed")
    assert table.activate(unit, dice="SST").dice("recovery") == [3]


@pytest.mark.rule("d47.skill.commissar_return")
def test_a_commissar_comes_back_from_reserve_with_his_squad():
    table = Table(reserve=1)
    table.state.sides[BLUE].reserves_left = 1
    unit = table.put(rifles(3, roles={2: "commissar"}, skills="Commissar"), "C3")
    kill(unit, 0, 1, 2)
    table.run(table.rules.damage.bury(table.play, unit), reserve=True)
    table.rules.reserves.gather(table.play)
    assert unit.status == "reserve" and 2 in unit.main.alive
