"""Losses, markers, damage tables, fire, blasts (dw.damage.*, dw.suppression.*, dw.open.damage_*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.damage_tables import (
    BLINDED,
    BREACH,
    DETONATION,
    DRIVE,
    ENGINE,
    FIRE,
    FIRE_CONTROL,
    FORCED_LOW,
    WEAPON,
    row_for,
    table_of,
)
from dieselfront.table.measured.terrain import Cover
from rulesets.warfare.field import BLUE, RED, Field, gap, hero, inch, plane, squad, vehicle, weapon

BAZOOKAS = squad(6, [weapon("Bazooka", 24, "1/1", "1/1", "1/1", count=6)])
WALL = {"kind": "wall", "line": [[30, 18], [48, 18]]}


def duel(blue=None, red=None, inches: float = 10, *terrain, **options):
    field = Field(*terrain, **options)
    a = field.put(BLUE, blue or squad(5), 900, 600)
    b = field.put(RED, red or squad(5), 900, 600 - gap(inches), heading=180)
    b.reaction = True  # nobody reacts unless a test is about that
    return field, a, b


# -- losses ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.damage.assign")
def test_the_defender_chooses_who_falls():
    field, a, b = duel(squad(2), squad(5, armor=1))
    ran = field.attack(a, b, "HH B", answers={"casualties": ((3, 1), (4, 1))})
    question = next(one for one in ran.questions if one.key == "casualties")
    assert question.player == RED
    assert b.men == [0, 1, 2] and b.leader == 0


@pytest.mark.rule("dw.damage.assign_visible_first")
def test_unobscured_miniatures_fall_first():
    field = Field({"kind": "hedge", "line": [[30, 10], [34.6, 10]]})
    a = field.put(BLUE, squad(3), inch(33), inch(20), pitch=28)
    b = field.put(
        RED,
        squad(5, armor=1),
        spots=[(inch(31.0 + 1.2 * n), inch(8)) for n in range(3)] + [(inch(36.5), inch(8)), (inch(38), inch(8))],
        reaction=True,
    )
    strike = field.strike(a, b)
    assert [strike.grades[man] for man in range(5)] == [Cover.SOFT] * 3 + [Cover.NONE] * 2
    ran = field.attack(a, b, "HHH B", answers={"casualties": ((0, 1),)})
    assert ran.struck(b).suffered == 2 and b.men == [0, 1, 2]


@pytest.mark.rule("dw.open.damage_distribution")
def test_points_may_be_spread_over_miniatures_with_more_capacity():
    field, a, b = duel(squad(2), squad(2, armor=1, capacity=2))
    field.attack(a, b, "HH B", answers={"casualties": ((0, 1), (1, 1))})
    assert b.men == [0, 1] and b.wounds == {0: 1, 1: 1}


# -- markers ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.damage.suppression_marker")
def test_being_hit_suppresses_even_if_nothing_gets_through():
    field, a, b = duel(squad(1), squad(5), 10, WALL)
    field.attack(a, b, "H")
    assert b.suppression == 1 and len(b.men) == 5
    field, a, b = duel(squad(1), squad(5))
    field.attack(a, b, "B")
    assert b.suppression == 0


@pytest.mark.rule("dw.open.suppression_per_attack")
def test_one_marker_an_attack_however_many_hits():
    field, a, b = duel(squad(4), squad(5, armor=1))
    field.attack(a, b, "HHHH B", answers={"casualties": tuple((n, 1) for n in range(4))})
    assert b.suppression == 1


@pytest.mark.rule("dw.damage.vehicle_no_suppression")
def test_vehicles_are_never_suppressed():
    field, a, b = duel(BAZOOKAS, vehicle())
    field.attack(a, b, "HBBBBB HBB")
    assert b.suppression == 0


@pytest.mark.rule("dw.suppression.definition")
def test_a_unit_is_suppressed_until_the_last_marker_is_gone():
    field = Field(phase="end")
    unit = field.put(BLUE, squad(5), suppression=2)
    field.put(RED, squad(5), 300, 300)
    field.run(lambda play: field.rules.turn.end(play))
    assert unit.suppression == 1 and field.rules.suppression.is_suppressed(field.state, unit)


# -- the tables ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.damage.vehicle_table", "dw.open.damage_table_counts")
def test_the_rows_of_the_vehicle_table():
    tank = Field().put(BLUE, vehicle())
    found = [row_for(table_of(tank), hits).effect for hits in (0, 1, 2, 3, 4, 5, 6, 8)]
    assert found == ["", BLINDED, FIRE, WEAPON, DRIVE, DETONATION, BREACH, BREACH]


@pytest.mark.rule("dw.aircraft.damage_table", "dw.open.damage_table_counts")
def test_the_rows_of_the_aircraft_table():
    flyer = Field().put(BLUE, plane())
    found = [row_for(table_of(flyer), hits).effect for hits in range(7)]
    assert found == ["", FIRE_CONTROL, ENGINE, WEAPON, FORCED_LOW, DETONATION, BREACH]


@pytest.mark.rule("dw.damage.vehicle_table_roll")
def test_the_pool_is_damage_before_armor_less_cover():
    field, a, b = duel(BAZOOKAS, vehicle(4), 10, WALL)
    ran = field.attack(a, b, "HHHHHH HHHB HBBB")
    assert ran.struck(b).suffered == 1
    assert ran.dice("damage to") == [4]
    assert b.effects == (BLINDED,)


@pytest.mark.rule("dw.damage.vehicle_table_roll", "dw.open.damage_roll_condition")
def test_no_roll_when_armor_stops_everything():
    field, a, b = duel(BAZOOKAS, vehicle(4), 10, WALL)
    ran = field.attack(a, b, "HHHHHH HHHH")
    assert ran.dice("damage to") == []
    field, a, b = duel(BAZOOKAS, vehicle(3))
    ran = field.attack(a, b, "HHHBBB HHB BBB")
    assert ran.dice("damage to") == [3]


@pytest.mark.rule("dw.open.destroyed_no_table")
def test_no_roll_for_a_vehicle_that_is_destroyed():
    field, a, b = duel(BAZOOKAS, vehicle(3, capacity=2))
    ran = field.attack(a, b, "HHHBBB BBB")
    assert not b.alive and ran.dice("damage to") == []


@pytest.mark.rule("dw.damage.vehicle_one_effect", "dw.open.one_effect_at_a_time")
def test_no_effect_twice_but_the_next_lower_one():
    field, a, b = duel(BAZOOKAS, vehicle(3, capacity=20))
    b.effects = (FIRE,)
    field.attack(a, b, "HHBBBB BBB HH")
    assert b.effects == (FIRE, BLINDED)
    field.attack(a, b, "HHBBBB BBB HH")
    assert b.effects == (FIRE, BLINDED)


@pytest.mark.rule("dw.open.one_effect_at_a_time")
def test_the_house_may_let_the_attacker_pick_any_lesser_effect():
    field, a, b = duel(BAZOOKAS, vehicle(3, capacity=20), one_effect_at_a_time="attacker_picks")
    b.effects = (DRIVE,)
    ran = field.attack(a, b, "HHHHBB BBB HHHH", answers={"effect": BLINDED})
    assert ran.offered["effect"] == [WEAPON, FIRE, BLINDED]
    assert BLINDED in b.effects


@pytest.mark.rule("dw.damage.vehicle.external_fire")
def test_a_burning_vehicle_suffers_at_the_end_of_its_activation():
    field = Field()
    unit = field.put(BLUE, vehicle(capacity=4), effects=(FIRE,))
    field.put(RED, squad(5), 300, 300)
    ran = field.activate(unit, ("march",), answers={"move": ()})
    assert unit.points_left == 3
    assert not ran.dice("damage to")
    field.activate(unit, ("put out the fire",))
    assert unit.points_left == 3 and unit.effects == ()


@pytest.mark.rule("dw.open.fire_extinguish")
def test_putting_the_fire_out_is_one_action_that_always_works():
    field = Field()
    unit = field.put(BLUE, vehicle(capacity=1), 900, 600, effects=(FIRE,))
    foe = field.put(RED, squad(5, armor=1), 900, 500, reaction=True)
    field.activate(unit, ("put out the fire", "attack"), "BBB", {"target": ("direct", foe.id)})
    assert unit.alive and FIRE not in unit.effects
    unit.effects = (FIRE,)
    field.activate(unit, ("attack",), "BBB", {"target": ("direct", foe.id)})
    assert not unit.alive


@pytest.mark.rule("dw.damage.vehicle.weapon_damaged")
@pytest.mark.parametrize("face, chooser", [("H", BLUE), ("B", RED)])
def test_a_die_decides_who_chooses_the_lost_weapon(face, chooser):
    arms = [weapon("Gun", 24, "3/1", "3/1"), weapon("MG", 24, "5/1")]
    field, a, b = duel(BAZOOKAS, vehicle(3, weapons=arms, capacity=9))
    ran = field.attack(a, b, f"HHHBBB BBB HHH {face}", answers={"weapon lost": (0, 1)})
    question = next(one for one in ran.questions if one.key == "weapon lost")
    assert question.player == chooser
    assert [b.weapons[index].name for _, _, index in field.rules.attacking.weapons(b)] == ["Gun"]


@pytest.mark.rule("dw.damage.vehicle.ammo_detonation")
def test_a_detonation_costs_the_weapon_the_attacker_picks():
    arms = [weapon("Gun", 24, "3/1", "3/1"), weapon("MG", 24, "5/1")]
    field, a, b = duel(BAZOOKAS, vehicle(3, weapons=arms, capacity=9), 20)
    ran = field.attack(a, b, "HHHHHB BBB HHHHH", answers={"weapon lost": (0, 0)})
    assert next(one for one in ran.questions if one.key == "weapon lost").player == BLUE
    assert [b.weapons[index].name for _, _, index in field.rules.attacking.weapons(b)] == ["MG"]


@pytest.mark.rule("dw.damage.vehicle.ammo_detonation_blast")
def test_the_blast_strikes_soldiers_of_both_sides_within_12_inches():
    field, a, b = duel(BAZOOKAS, vehicle(3, capacity=9), 20)
    x, y = b.spots[0]
    friend = field.put(RED, squad(2, armor=1), x + inch(10), y, pitch=40)
    foe = field.put(BLUE, squad(2, armor=1), x - inch(11), y, pitch=-40)
    far = field.put(BLUE, squad(2, armor=1), x, y + inch(13))
    rider = field.put(RED, squad(1, armor=1), place="off")
    field.aboard(rider, b)
    ran = field.attack(a, b, "HHHHHB BBB HHHHH BBBBB BBBBB HBBBB H", answers={"weapon lost": (0, 0)})
    assert {event.target for event in ran.of("Struck")} == {b.id, friend.id, foe.id, rider.id}
    assert ran.dice("ammunition detonation") == [5, 5, 5]
    assert far.suppression == 0 and rider.suppression == 1


@pytest.mark.rule("dw.open.ammo_detonation_attack")
def test_walls_cover_against_the_blast_and_nobody_reacts():
    field, a, b = duel(BAZOOKAS, vehicle(3, capacity=9), 20, {"kind": "wall", "line": [[38, 0], [38, 10]]})
    x, y = b.spots[0]
    friend = field.put(RED, squad(2, armor=1), x + inch(8), y, pitch=30)
    ran = field.attack(a, b, "HHHHHB BBB HHHHH HHBBB", answers={"weapon lost": (0, 0)})
    assert ran.struck(friend).cover == 2
    assert friend.suppression == 1 and len(friend.men) == 2
    assert "reaction" not in ran.asked


@pytest.mark.rule("dw.open.damage_effects_repairable")
def test_a_repaired_weapon_fires_again():
    arms = [weapon("Gun", 24, "3/1", "3/1"), weapon("MG", 24, "5/1")]
    field, a, b = duel(BAZOOKAS, vehicle(3, weapons=arms, capacity=9))
    field.attack(a, b, "HHHBBB BBB HHH B", answers={"weapon lost": (0, 0)})
    assert len(field.rules.attacking.weapons(b)) == 1
    from dieselfront.kernel.game import Play

    field.rules.damage.heal_effect(Play(field.rules, field.state), b, WEAPON, "dw.ability.mechanic")
    assert len(field.rules.attacking.weapons(b)) == 2 and b.effects == ()


@pytest.mark.rule("dw.open.wreckage")
def test_a_destroyed_vehicle_leaves_a_wreck():
    field, a, b = duel(BAZOOKAS, vehicle(3, capacity=1))
    x, y = b.spots[0]
    field.attack(a, b, "HBBBBB BBB")
    piece = field.state.table.piece(f"wreck of {b.id}")
    assert piece.kind.cover is Cover.HARD and piece.covers_point(x * 10, y * 10)
    mover = field.put(BLUE, vehicle(), x, y + 120, heading=0)
    assert "dw.terrain.difficult_cap" in field.route(mover, (x, y + 120 - 150, 0))
    field, a, b = duel(BAZOOKAS, vehicle(3, capacity=1), scenario={"wrecks": False})
    field.attack(a, b, "HBBBBB BBB")
    assert not field.state.table.pieces


# -- aircraft effects ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.aircraft.damage.fire_control")
def test_damaged_fire_control_gives_every_target_soft_cover():
    field = Field()
    unit = field.put(BLUE, plane(), 900, 600, heading=0, altitude="low", effects=(FIRE_CONTROL,))
    foe = field.put(RED, squad(5), 900, 400)
    assert field.strike(unit, foe).cover is Cover.SOFT
    field = Field(WALL)
    unit = field.put(BLUE, plane(), 900, 600, heading=0, altitude="low", effects=(FIRE_CONTROL,))
    foe = field.put(RED, squad(5), 900, 300)
    assert field.strike(unit, foe).cover is Cover.HARD


@pytest.mark.rule("dw.aircraft.damage.engine")
def test_a_damaged_engine_allows_no_march():
    field = Field()
    unit = field.put(BLUE, plane(), 900, 600, effects=(ENGINE,))
    menu = field.menu(unit, 2)
    assert ("march",) not in menu and ("move",) in menu


@pytest.mark.rule("dw.aircraft.damage.weapon")
def test_an_aircraft_loses_a_weapon_too():
    arms = [weapon("Guns", 18, "3/1"), weapon("Rockets", 18, "3/1")]
    field, a, b = duel(BAZOOKAS, plane(2, weapons=arms, capacity=9))
    field.attack(a, b, "HHHBBB BB HHH H", answers={"weapon lost": (0, 1)})
    assert b.effects == (WEAPON,) and b.broken == ((0, 1),)


@pytest.mark.rule("dw.aircraft.damage.forced_low")
def test_forced_low_aircraft_cannot_climb():
    field, a, b = duel(BAZOOKAS, plane(2, capacity=9), 20)
    field.attack(a, b, "HHHHBB BB HHHH")
    assert b.effects == (FORCED_LOW,)
    field.state.active = RED
    ran = field.activate(b, ())
    assert "altitude" not in ran.asked and b.altitude == "low"


@pytest.mark.rule("dw.aircraft.damage.ammo_detonation")
def test_a_detonating_aircraft_strikes_who_is_near_its_base():
    field, a, b = duel(BAZOOKAS, plane(2, capacity=9, weapons=[weapon("Guns", 18, "3/1")]), 20)
    x, y = b.spots[0]
    near = field.put(RED, squad(1, armor=1), x + 30 + 12 + inch(12) - 1, y)
    far = field.put(RED, squad(1, armor=1), x - 30 - 12 - inch(13), y)
    ran = field.attack(a, b, "HHHHHB BB HHHHH HBBBB H")
    assert ground.within(near, b, 12)
    assert [event.target for event in ran.of("Struck")] == [b.id, near.id]
    assert far.suppression == 0 and DETONATION in b.effects


@pytest.mark.rule("dw.aircraft.damage.hull_breach")
def test_a_breached_aircraft_suffers_more_from_every_hit():
    field, a, b = duel(squad(3, [weapon("Gun", 24, vehicles="1/1", count=3)]), plane(3, capacity=9))
    b.effects = (BREACH,)
    ran = field.attack(a, b, "HHB BBBB")
    assert ran.struck(b).damage == 4 and ran.dice("armor") == []


# -- heroes and markers ------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.hero.no_suppression")
def test_lone_heroes_take_no_markers():
    field, a, b = duel(squad(1), hero(armor=1))
    field.attack(a, b, "H B")
    assert b.suppression == 0 and b.wounds == {0: 1}


@pytest.mark.rule("dw.hero.joined_suppression")
def test_a_hero_is_suppressed_with_his_unit():
    field, a, b = duel(squad(1), squad(5, armor=2))
    field.join(field.put(RED, hero(armor=2), place="off"), b)
    field.attack(a, b, "H BB", answers={"casualties": ((1, 1),)})
    assert b.suppression == 1
    assert field.rules.activation.action_count(field.state, b) == 0  # the reaction marker counts as well
    assert not field.rules.reactions.is_ready(field.state, b)


@pytest.mark.rule("dw.hero.last_alive")
def test_the_last_hero_sheds_all_markers():
    field, a, b = duel(squad(2), squad(2, armor=1), 10)
    field.join(field.put(RED, hero(armor=1), place="off"), b)
    b.suppression = 3
    b.lose(0)
    field.attack(a, b, "HH B", answers={"casualties": ((1, 1),)})
    assert b.is_lone_hero and b.suppression == 0
    assert b.leader == b.men[0]
