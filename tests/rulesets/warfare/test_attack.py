"""Attacks: weapons, range, sight, cover, armor rolls, sustained attacks (dw.attack.*, dw.cover.*, dw.armor_roll*,
dw.action.attack, dw.action.sustained_attack, dw.weapon.close_combat_*)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.rulesets.warfare import ground, plans
from dieselfront.rulesets.warfare.damage_tables import BLINDED, BREACH
from dieselfront.rulesets.warfare.firing import SUSTAINED
from dieselfront.table.measured.terrain import Cover
from rulesets.warfare.field import BLUE, RED, Field, gap, inch, squad, vehicle, weapon


def duel(blue=None, red=None, inches: float = 10, *terrain, **options):
    """Blue looks north at red; terrain in inches, blue stands at (35.4, 23.6)."""
    field = Field(*terrain, **options)
    a = field.put(BLUE, blue or squad(5), 900, 600)
    b = field.put(RED, red or squad(5), 900, 600 - gap(inches), heading=180)
    return field, a, b


HEDGE = {"kind": "hedge", "line": [[30, 19], [48, 19]]}
WALL = {"kind": "wall", "line": [[30, 18], [48, 18]]}
HIGH_WALL = {"kind": "high-wall", "line": [[30, 18], [48, 18]]}


# -- weapons ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.attack.step_order")
def test_the_steps_of_an_attack_follow_each_other():
    field, a, b = duel(squad(1), squad(5, armor=1))
    ran = field.attack(a, b, "H", answers={"reaction": (b.id, "hit the dirt")})
    kinds = [type(event).__name__ for event in ran.events]
    assert kinds == ["Aimed", "Reacted", "Marked", "Marked", "Rolled", "Struck", "Marked"]
    field, a, b = duel(squad(2), squad(5, armor=1))
    ran = field.attack(a, b, "HH B", answers={"casualties": ((0, 1), (1, 1))})
    kinds = [type(event).__name__ for event in ran.events]
    assert kinds == ["Aimed", "Rolled", "Rolled", "Struck", "Lost", "Marked"]


@pytest.mark.rule("dw.action.attack")
def test_one_action_is_one_attack_without_rerolls():
    field, a, b = duel(squad(3))
    b.suppression = 1
    ran = field.activate(a, ("attack",), "BBB", {"target": ("direct", b.id)})
    assert len(ran.of("Aimed")) == 1
    assert len(ran.of("Rolled")[0].stages) == 1


@pytest.mark.rule("dw.attack.weapons_allowed")
def test_only_working_weapons_fire_and_using_one_is_optional():
    gun, mg = weapon("Gun", 24, "3/1"), weapon("MG", 24, "5/1")
    field, a, b = duel(vehicle(weapons=[gun, mg]))
    a.broken = ((0, 0),)
    assert [pool.weapon.name for pool in field.strike(a, b).pools] == ["MG"]
    a.broken = ()
    ran = field.attack(a, b, "BBB", answers={"target": ("choose", ""), "weapons": (("direct", b.id), None)})
    assert ran.of("Aimed")[0].shots == (("Gun", b.id),)


@pytest.mark.rule("dw.attack.split_targets")
def test_fire_is_split_before_any_die():
    field, a, b = duel(squad(3, [weapon(count=2), weapon("Bazooka", 18, "1/1", "1/2")]))
    walker = field.put(RED, vehicle(), 1200, 500)
    for one in (b, walker):
        one.reaction = True
    answer = (("direct", b.id), ("direct", b.id), ("direct", walker.id))
    ran = field.attack(a, b, "BB B", answers={"target": ("choose", ""), "weapons": answer})
    assert set(ran.of("Aimed")[0].shots) == {("Rifle", b.id), ("Bazooka", walker.id)}
    assert ran.asked.index("weapons") == len(ran.asked) - 1


@pytest.mark.rule("dw.attack.range")
def test_range_is_to_a_visible_miniature():
    field = Field({"kind": "high-wall", "line": [[35, 16], [45, 16]]})
    a = field.put(BLUE, squad(1, [weapon(range=12)]), inch(40), inch(24))
    b = field.put(RED, squad(2), spots=[(inch(40), inch(24) - gap(10)), (inch(28), inch(18))])
    assert field.refusal(a, b) == "dw.attack.range"


@pytest.mark.rule("dw.attack.los_origin")
def test_a_wall_hides_soldiers_and_not_a_walker_above_it():
    field, a, b = duel(squad(1), squad(1), 10, {**HIGH_WALL, "height": 51})
    assert field.refusal(a, b) == "dw.attack.los_blocked_shooter"
    tall = vehicle(7, tags=["heavy_walker"])
    field, a, b = duel(squad(1, [weapon(vehicles="1/1")]), tall, 10, {**HIGH_WALL, "height": 51})
    assert field.refusal(a, b) is None


@pytest.mark.rule("dw.attack.los_blocked_shooter")
def test_blind_shooters_do_not_fire():
    field = Field({"kind": "high-wall", "line": [[38, 20], [48, 20]]})
    a = field.put(
        BLUE,
        squad(5),
        spots=[(inch(30 + n), inch(24)) for n in range(3)] + [(inch(43), inch(21)), (inch(44), inch(21))],
    )
    b = field.put(RED, squad(1), inch(42), inch(17))
    assert field.strike(a, b).pools[0].dice == 3


@pytest.mark.rule("dw.attack.los_blocked_target", "dw.damage.blocked_immune")
def test_hidden_miniatures_take_no_damage_and_the_rest_is_lost():
    field = Field({"kind": "high-wall", "line": [[36, 20], [60, 20]]})
    a = field.put(BLUE, squad(4, [weapon(soldiers="1/1", count=4)]), inch(33), inch(24), pitch=26)
    b = field.put(
        RED,
        squad(5, armor=1),
        spots=[
            (inch(31), inch(18)),
            (inch(33), inch(18)),
            (inch(50), inch(19)),
            (inch(51.5), inch(19)),
            (inch(53), inch(19)),
        ],
    )
    b.leader = 1
    ran = field.attack(a, b, "HHHH B", answers={"reaction": None})
    assert b.men == [2, 3, 4]
    assert ran.struck(b).damage == 4 and ran.struck(b).suffered == 2


# -- obscured sight ------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.attack.obscured_los")
def test_only_the_leaders_line_decides_who_is_obscured():
    field = Field({"kind": "forest", "at": [34.6, 17], "size": [2, 3]})
    a = field.put(BLUE, squad(3), spots=[(900, 600), (700, 600), (1100, 600)])
    b = field.put(RED, squad(1), 900, 600 - gap(10))
    assert field.strike(a, b).terrain is Cover.SOFT
    a.leader = 1
    assert field.strike(a, b).terrain is Cover.NONE


@pytest.mark.rule("dw.attack.obscured_los")
def test_terrain_the_target_stands_in_obscures_it():
    field, a, b = duel(squad(1), squad(1), 10, {"kind": "rubble", "at": [32, 8], "size": [8, 6]})
    assert field.strike(a, b).terrain is Cover.SOFT


@pytest.mark.rule("dw.attack.obscured_exempt_terrain")
def test_terrain_at_the_leaders_feet_does_not_count():
    near = {"kind": "wall", "line": [[30, 23.6 - 0.49 - 0.12], [48, 23.6 - 0.49 - 0.12]]}
    field, a, b = duel(squad(1), squad(1), 10, near)
    assert field.strike(a, b).terrain is Cover.NONE
    away = {"kind": "wall", "line": [[30, 23.6 - 0.49 - 0.45], [48, 23.6 - 0.49 - 0.45]]}
    field, a, b = duel(squad(1), squad(1), 10, away)
    assert field.strike(a, b).terrain is Cover.HARD


@pytest.mark.rule("dw.attack.obscured_half")
@pytest.mark.parametrize("models, hidden, cover", [(5, 3, Cover.SOFT), (5, 2, Cover.NONE), (4, 2, Cover.SOFT)])
def test_half_of_the_unit_decides(models, hidden, cover):
    grades = [Cover.SOFT] * hidden + [Cover.NONE] * (models - hidden)
    assert ground.half_cover(grades) is cover
    field = Field({"kind": "hedge", "line": [[28, 10], [28 + 1.3 * hidden, 10]]})
    a = field.put(BLUE, squad(1), inch(29.5), inch(30))
    b = field.put(RED, squad(models), spots=[(inch(28.4 + 1.3 * n), inch(8)) for n in range(models)])
    a.bodies = [a.bodies[0].at(inch(28.4), inch(14))]
    strike = field.strike(a, b)
    assert sum(grade is Cover.SOFT for grade in strike.grades.values()) >= 1


@pytest.mark.rule("dw.open.cover_mixed_types", "dw.attack.obscured_half")
def test_two_behind_a_wall_and_two_behind_a_hedge_are_in_soft_cover():
    assert ground.half_cover([Cover.HARD, Cover.HARD, Cover.SOFT, Cover.SOFT, Cover.NONE]) is Cover.SOFT
    assert ground.half_cover([Cover.HARD, Cover.HARD, Cover.HARD, Cover.NONE, Cover.NONE]) is Cover.HARD


@pytest.mark.rule("dw.attack.vehicle_clear_base")
def test_a_vehicle_that_sticks_out_has_no_cover():
    gun = squad(1, [weapon(vehicles="2/1")])
    field, a, b = duel(gun, vehicle(), 10, {"kind": "wall", "line": [[35.4, 18], [48, 18]]})
    assert field.strike(a, b).cover is Cover.NONE
    field, a, b = duel(gun, vehicle(), 10, WALL)
    assert field.strike(a, b).cover is Cover.HARD


@pytest.mark.rule("dw.open.vehicle_cover_line")
def test_the_leaders_line_counts_unless_the_house_says_anyone():
    wall = {"kind": "wall", "line": [[30, 18], [37, 18]]}
    card = squad(2, [weapon(vehicles="1/1", range=24, count=2)], leadership=12)
    for option, cover in (("leader", Cover.HARD), ("any_miniature", Cover.NONE)):
        field = Field(wall, vehicle_cover_line=option)
        a = field.put(BLUE, card, spots=[(900, 600), (900 + inch(9), 500)])
        b = field.put(RED, vehicle(), 900, 400)
        assert field.strike(a, b).cover is cover


@pytest.mark.rule("dw.attack.own_unit_never_obscures")
def test_the_front_rank_does_not_cover_the_rear_rank():
    field = Field()
    a = field.put(BLUE, squad(2), spots=[(900, 600), (900, 560)])
    b = field.put(RED, squad(2), spots=[(900, 400), (900, 360)])
    assert set(field.strike(a, b).grades.values()) == {Cover.NONE}


@pytest.mark.rule("dw.attack.friendly_soldiers_transparent", "dw.open.soldiers_obscure_sides")
def test_own_soldiers_never_hinder():
    field, a, b = duel(squad(1), squad(1))
    field.put(BLUE, squad(5), 840, 500)
    assert field.strike(a, b).cover is Cover.NONE


@pytest.mark.rule("dw.attack.soldiers_obscure_soldiers", "dw.open.soldiers_obscure_sides")
def test_enemy_soldiers_screen_those_behind_them():
    field, a, b = duel(squad(1), squad(1))
    screen = field.put(RED, squad(5), 840, 500)
    assert field.strike(a, b).cover is Cover.SOFT
    assert screen.suppression == 0


@pytest.mark.rule("dw.attack.suppressed_no_obscure")
def test_suppressed_soldiers_do_not_screen():
    field, a, b = duel(squad(1), squad(1))
    field.put(RED, squad(5), 840, 500, suppression=1)
    assert field.strike(a, b).cover is Cover.NONE


@pytest.mark.rule("dw.attack.vehicles_obscure")
@pytest.mark.parametrize("side", [BLUE, RED])
def test_every_vehicle_gives_hard_cover(side):
    field, a, b = duel(squad(1), squad(1))
    field.put(side, vehicle(1), 900, 450)
    assert field.refusal(a, b) == "dw.attack.los_blocked_shooter" or field.strike(a, b).cover is Cover.HARD
    field, a, b = duel(squad(2), squad(1))
    a.bodies[1] = a.bodies[1].at(1010, 600)
    field.put(side, vehicle(1), 900, 450)
    assert field.strike(a, b).cover is Cover.HARD


@pytest.mark.rule("dw.attack.vehicles_ignore_enemy_soldiers")
def test_vehicles_see_over_soldiers():
    field, a, b = duel(vehicle(), squad(1))
    field.put(RED, squad(5), 840, 500)
    assert field.strike(a, b).cover is Cover.NONE


@pytest.mark.rule("dw.open.obscured_leader_absent")
def test_a_leader_who_sees_nothing_makes_hard_cover():
    field = Field({"kind": "building", "at": [33, 15], "size": [5, 4]})
    a = field.put(BLUE, squad(3), spots=[(900, 600), (1000, 600), (1040, 600)])
    b = field.put(RED, squad(1), 960, 300)
    strike = field.strike(a, b)
    assert strike.cover is Cover.HARD
    assert strike.pools[0].dice == 2
    field = Field({"kind": "cliff", "at": [33, 15], "size": [5, 4]})
    a = field.put(BLUE, squad(3), spots=[(900, 600), (1000, 600), (1040, 600)])
    b = field.put(RED, squad(1), 960, 300)
    assert field.strike(a, b).cover is Cover.HARD


# -- cover ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.cover.soft_list", "dw.open.terrain_unlisted")
@pytest.mark.parametrize("kind", ["crater", "fence", "forest", "hedge", "hill", "rubble", "shallow-water"])
def test_soft_cover(kind):
    field, a, b = duel(squad(1), squad(1), 10, {"kind": kind, "at": [30, 11], "size": [18, 3]})
    assert field.strike(a, b).terrain is Cover.SOFT


@pytest.mark.rule("dw.cover.hard_list")
@pytest.mark.parametrize("kind", ["wall", "tank-obstacle", "trench", "wreck", "deep-water"])
def test_hard_cover(kind):
    field, a, b = duel(squad(1), squad(1), 10, {"kind": kind, "at": [30, 18], "size": [18, 1]})
    assert field.strike(a, b).terrain is Cover.HARD


@pytest.mark.rule("dw.open.terrain_unlisted")
@pytest.mark.parametrize("kind", ["swamp", "barbed-wire", "road"])
def test_what_is_not_listed_covers_nobody(kind):
    field, a, b = duel(squad(1), squad(1), 10, {"kind": kind, "at": [30, 18], "size": [18, 1]})
    assert field.strike(a, b).terrain is Cover.NONE


@pytest.mark.rule("dw.cover.soft_value")
def test_soft_cover_takes_one_point():
    field, a, b = duel(squad(4), squad(5, armor=1), 10, HEDGE)
    ran = field.attack(a, b, "HHHH H", answers={"casualties": ((0, 1), (1, 1))})
    assert ran.struck(b).suffered == 2


@pytest.mark.rule("dw.cover.hard_value")
def test_hard_cover_takes_two_points():
    field, a, b = duel(squad(4), squad(5, armor=1), 10, WALL)
    ran = field.attack(a, b, "HHHH H", answers={"casualties": ((0, 1),)})
    assert ran.struck(b).suffered == 1


@pytest.mark.rule("dw.cover.no_stack")
def test_only_the_best_cover_counts():
    field, a, b = duel(squad(4), squad(5), 10, HEDGE, WALL)
    assert plans.COVER_POINTS[field.strike(a, b).cover] == 2


@pytest.mark.rule("dw.cover.teams")
def test_a_team_in_soft_cover_is_in_hard_cover():
    team = squad(2, tags=["team"])
    field, a, b = duel(squad(4), team, 10, HEDGE)
    assert field.strike(a, b).cover is Cover.HARD
    field, a, b = duel(squad(4), team)
    assert field.strike(a, b).cover is Cover.NONE


@pytest.mark.rule("dw.cover.suppressed_upgrade", "dw.suppression.effects")
@pytest.mark.parametrize("terrain, points", [([], 1), ([HEDGE], 2), ([WALL], 2)])
@pytest.mark.parametrize("markers", [1, 4])
def test_a_suppressed_squad_gains_one_step_of_cover(terrain, points, markers):
    field, a, b = duel(squad(4), squad(5), 10, *terrain)
    b.suppression = markers
    assert plans.COVER_POINTS[field.strike(a, b).cover] == points


@pytest.mark.rule("dw.open.suppressed_cover_timing")
def test_the_marker_an_attack_earns_does_not_help_against_it():
    field, a, b = duel(squad(1), squad(5, armor=1))
    ran = field.attack(a, b, "H B", answers={"casualties": ((0, 1),)})
    assert ran.struck(b).cover == 0
    assert field.strike(a, b).cover is Cover.SOFT


@pytest.mark.rule("dw.open.cover_step_order")
def test_a_suppressed_team_in_the_open_is_in_hard_cover():
    team = squad(2, tags=["team"])
    field, a, b = duel(squad(4), team)
    b.suppression = 1
    assert field.strike(a, b).cover is Cover.HARD
    field, a, b = duel(squad(4), team, cover_step_order="team_first")
    b.suppression = 1
    assert field.strike(a, b).cover is Cover.SOFT


# -- rolling ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.attack.roll_separately")
def test_different_weapons_roll_separately():
    field, a, b = duel(squad(3, [weapon(count=2), weapon("Bazooka", 18, "1/2")]), squad(5, armor=1))
    ran = field.attack(a, b, "HB H B", answers={"casualties": ((0, 1), (1, 1), (2, 1))})
    assert ran.dice("at") == [2, 1]
    assert ran.struck(b).damage == 3


@pytest.mark.rule("dw.armor_roll")
def test_armor_hits_cancel_points():
    field, a, b = duel(squad(4), squad(5, armor=3))
    ran = field.attack(a, b, "HHHH HHB", answers={"casualties": ((0, 1), (1, 1))})
    assert ran.struck(b).suffered == 2
    field, a, b = duel(squad(1), squad(5, armor=3), 10, WALL)
    ran = field.attack(a, b, "H")
    assert ran.struck(b).suffered == 0


@pytest.mark.rule("dw.armor_roll.once_per_attack")
def test_all_weapons_meet_one_armor_roll_and_one_cover():
    field, a, b = duel(squad(3, [weapon(count=2), weapon("Bazooka", 18, "1/2")]), squad(5, armor=2), 10, HEDGE)
    ran = field.attack(a, b, "HH H BB", answers={"casualties": ((0, 1), (1, 1), (2, 1))})
    assert ran.dice("armor") == [2]
    assert ran.struck(b).damage == 4 and ran.struck(b).suffered == 3


@pytest.mark.rule("dw.armor_roll.vehicle_rear")
def test_no_armor_roll_when_most_attackers_stand_wholly_behind():
    card = squad(5, [weapon(vehicles="1/1", count=5)])
    field = Field()
    b = field.put(RED, vehicle(3), 900, 600, heading=0)
    a = field.put(BLUE, card, spots=[(900, 800), (930, 800), (960, 800), (1200, 600), (1230, 600)])
    assert not field.strike(a, b).armor_allowed
    a.bodies[2] = a.bodies[2].at(1260, 600)
    assert field.strike(a, b).armor_allowed
    pair = field.put(BLUE, squad(2, [weapon(vehicles="1/1", count=2)]), spots=[(880, 850), (600, 600)])
    assert field.strike(pair, b).armor_allowed
    straddling = field.put(BLUE, squad(1, [weapon(vehicles="1/1")]), 900 + 250, 600 + 255)
    assert field.strike(straddling, b).armor_allowed  # half in the rear arc, half in the side arc


@pytest.mark.rule("dw.action.sustained_attack")
def test_a_sustained_attack_rerolls_its_blanks_once():
    field, a, b = duel(squad(4), squad(5, armor=1))
    ran = field.attack(a, b, "HBBB HBB B", kind=SUSTAINED, answers={"casualties": ((0, 1), (1, 1))})
    assert ran.struck(b).hits == 2
    assert ("sustained attack",) in field.menu(a, 2)
    assert ("sustained attack",) not in field.menu(a, 1)


@pytest.mark.rule("dw.damage.vehicle.blinded")
def test_a_blinded_vehicle_rerolls_nothing():
    field, a, b = duel(vehicle(), squad(5, armor=1))
    a.effects = (BLINDED,)
    ran = field.attack(a, b, "HBB B", kind=SUSTAINED, answers={"casualties": ((0, 1),)})
    assert ran.struck(b).hits == 1


@pytest.mark.rule("dw.damage.vehicle.hull_breach")
def test_a_breached_hull_makes_no_armor_roll():
    field, a, b = duel(squad(3, [weapon(vehicles="1/1", count=3)]), vehicle(5))
    b.effects = (BREACH,)
    ran = field.attack(a, b, "HHH BBB")
    assert ran.struck(b).suffered == 3
    assert ran.dice("armor") == []


@pytest.mark.rule("dw.damage.vehicle.hull_breach_dash")
def test_every_weapon_hurts_a_breached_vehicle():
    field, a, b = duel(squad(1), vehicle(5))
    assert field.refusal(a, b) == "dw.profile.dash"
    b.effects = (BREACH,)
    pool = field.strike(a, b).pools[0]
    assert (pool.dice, pool.damage) == (1, 1)


@pytest.mark.rule("dw.open.whole_attack_scope")
def test_effects_of_one_weapon_stay_with_its_target():
    field, a, b = duel(squad(2, [weapon(), weapon("Phaser", 18, "1/1", rules=["Phaser"])]))
    other = field.put(RED, squad(5), 1200, 400)
    answers = {"target": ("choose", ""), "weapons": (("direct", other.id), ("direct", b.id))}
    ran = field.attack(a, b, "H BB H", answers={**answers, "casualties": [((0, 1),), ((0, 1),)]}, reactions=False)
    assert ran.dice("armor") == [2]
    assert ran.struck(b).suffered == 1


# -- close combat ----------------------------------------------------------------------------------------------

KNIVES = weapon("Knife", "C", "2/1", count=2)


@pytest.mark.rule("dw.weapon.close_combat_range", "dw.profile.close_combat")
def test_close_combat_reaches_three_inches_and_keeps_to_itself():
    card = squad(2, [weapon(count=2), KNIVES])
    field, a, b = duel(card, squad(5), 3)
    assert field.refusal(a, b, place=1, mode="close") is None
    ran = field.attack(a, b, "BBBB", mode="close", reactions=False)
    assert ran.of("Aimed")[0].shots == (("Knife", b.id),)
    with pytest.raises(IllegalChoice, match="close_combat_range"):
        mixed = (("direct", b.id), ("close", b.id), None, None)
        field.attack(a, b, "", answers={"target": ("choose", ""), "weapons": mixed})
    field, a, b = duel(card, squad(5), 3.1)
    assert field.refusal(a, b, place=1, mode="close") == "dw.attack.range"


@pytest.mark.rule("dw.weapon.close_combat_one_target")
def test_close_combat_has_one_target():
    field = Field()
    a = field.put(BLUE, squad(2, [KNIVES]), 900, 600)
    b, c = field.put(RED, squad(1), 900, 660), field.put(RED, squad(1), 930, 540)
    split = (("close", b.id), ("close", c.id))
    with pytest.raises(IllegalChoice, match="one target"):
        field.attack(a, b, "", answers={"target": ("choose", ""), "weapons": split})


@pytest.mark.rule("dw.weapon.close_combat_no_cover")
def test_cover_is_nothing_in_close_combat():
    field, a, b = duel(
        squad(1, [weapon("Knife", "C", "2/1")]),
        squad(5, armor=1),
        2,
        {"kind": "trench", "at": [33, 19], "size": [8, 3.2]},
    )
    assert field.strike(a, b, mode="close").terrain is Cover.HARD
    ran = field.attack(a, b, "HH B", mode="close", answers={"casualties": ((0, 1), (1, 1))})
    assert ran.struck(b).suffered == 2


@pytest.mark.rule("dw.open.c_weapons_against_flyers")
def test_close_combat_weapons_work_on_what_their_profile_names():
    field, a, b = duel(squad(1, [weapon("Claw", "C", "2/1", "2/1")]), vehicle(3), 1)
    b.bodies = [b.bodies[0].at(900, 600 - 12 - 30 - inch(2))]
    assert field.refusal(a, b, mode="close") is None


# -- the plan ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.attack.roll", "dw.armor_roll", "dw.cover.soft_value")
def test_the_plan_gives_the_exact_chances_of_the_real_thing():
    field, a, b = duel(squad(2), squad(5, armor=1), 10, HEDGE)
    chances = plans.chances(field.strike(a, b).plan)
    third = Fraction(1, 3)
    two = third**2
    assert chances[1] == two * (1 - third)
    assert sum(chances.values()) == 1
