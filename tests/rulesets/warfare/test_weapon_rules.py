"""Special rules of weapons (dw.weapon.*): energy weapons, piercing, grenades, ammunition, artillery, two targets."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.warfare.damage_tables import BLINDED, FIRE, FIRE_CONTROL
from dieselfront.rulesets.warfare.firing import ATTACK, SUSTAINED
from dieselfront.rulesets.warfare.state import LOW
from dieselfront.table.measured.terrain import Cover
from rulesets.warfare.duels import HEDGE, HIGH_WALL, WALL, duel
from rulesets.warfare.field import BLUE, RED, Field, gap, inch, plane, squad, vehicle, weapon


def armed(name: str = "Gun", cell: str = "3/1", rules=(), range=18, vehicles: str = "3/1", **more):
    """One soldier with one weapon."""
    return squad(1, [weapon(name, range, cell, vehicles, rules=list(rules))], **more)


# -- lasers and phasers -----------------------------------------------------------------------------------------


@pytest.mark.rule("dw.weapon.laser")
def test_a_laser_rolls_one_more_die_for_each_first_hit():
    field, a, b = duel(armed(rules=["Laser"]), squad(9, armor=1))
    ran = field.attack(a, b, "HHB HB B")
    assert ran.struck(b).hits == 3
    field, a, b = duel(armed(rules=["Laser"]), squad(9, armor=1))
    ran = field.attack(a, b, "HHB B BB B", SUSTAINED)  # the third die is rerolled, the extra dice are not
    assert ran.struck(b).hits == 2


@pytest.mark.rule("dw.weapon.phaser")
def test_phasers_leave_no_armor_roll_but_cover_counts():
    field, a, b = duel(armed(rules=["Phaser"]), squad(5, armor=4), 10, HEDGE)
    assert field.attack(a, b, "HHH").struck(b).suffered == 2


@pytest.mark.rule("dw.open.whole_attack_scope")
def test_a_phaser_denies_armor_only_to_the_target_it_is_aimed_at():
    arms = [weapon("Rifle", 18, "1/1"), weapon("Phaser", 18, "1/1", rules=["Phaser"])]
    field, a, b = duel(squad(2, arms), squad(3))
    c = field.put(RED, squad(3), 1050, 321)
    answers = {"target": ("choose", ""), "weapons": (("direct", b.id), ("direct", c.id))}
    ran = field.attack(a, b, "H BB H", answers=answers)
    assert ran.dice("armor") == [2] and ran.struck(c).suffered == 1


@pytest.mark.rule("dw.weapon.phaser_overcharge")
def test_allied_phasers_may_be_overcharged():
    field, a, b = duel(armed("Phaser", "2/1", ["Phaser"], bloc="Allies"))
    ran = field.attack(a, b, "BBBB", SUSTAINED, {"sustained attack": "overcharge"})
    assert ran.dice("Phaser") == [4] and len(ran.of("Rolled")[0].stages) == 1
    assert a.empty == (0,) and not field.can_attack(a, b)
    field.activate(a, ("reload",))
    assert field.can_attack(a, b)
    field, a, b = duel(armed("Phaser", "2/1", ["Phaser"], bloc="Axis"))
    assert field.rules.attacking.sustained_ways(field.strike(a, b, SUSTAINED).attack) == ["reroll"]


# -- radiation -----------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.weapon.radiation")
@pytest.mark.parametrize("terrain, suffered", [(HEDGE, 2), (WALL, 0)])
def test_radiation_ignores_soft_cover_even_of_teams(terrain, suffered):
    field, a, b = duel(armed("Ray", "2/1", ["Radiation"]), squad(3, armor=1, tags=["team"]), 10, terrain)
    dice = "HH B" if suffered else "HH"
    assert field.attack(a, b, dice).struck(b).suffered == suffered


@pytest.mark.rule("dw.weapon.radiation_separate")
def test_soft_cover_still_stops_the_other_weapons():
    arms = [weapon("Rifle", 18, "1/1"), weapon("Ray", 18, "1/1", rules=["Radiation"])]
    field, a, b = duel(squad(2, arms), squad(5, armor=1), 10, HEDGE)
    assert field.attack(a, b, "H H B").struck(b).suffered == 1
    field, a, b = duel(squad(2, arms), squad(5, armor=1), 10, HEDGE)
    assert field.attack(a, b, "B H B").struck(b).suffered == 1
    field, a, b = duel(squad(2, arms), squad(5, armor=1), 10, HEDGE)
    assert field.attack(a, b, "H B").struck(b).suffered == 0


# -- tesla and barrages ------------------------------------------------------------------------------------------


def two_targets(inches: float, rules, **more):
    """An attacker, a target 12" away (10" for artillery: 14"), and a second enemy behind it."""
    field = Field()
    a = field.put(BLUE, armed("Coil", rules=rules, **more), 900, 900)
    b = field.put(RED, squad(1, armor=1), 900, 900 - gap(12))
    c = field.put(RED, squad(1, armor=1), 900, b.bodies[0].y - gap(inches))
    return field, a, b, c


@pytest.mark.rule("dw.weapon.tesla", "dw.open.two_target_weapons")
def test_a_tesla_weapon_strikes_a_second_unit_out_of_its_own_range():
    field, a, b, c = two_targets(5, ["Tesla"], range=12)
    answers = {"sustained attack": "tesla", "second target": c.id}
    ran = field.attack(a, b, "BBB BBB", SUSTAINED, answers)
    assert [event.target for event in ran.of("Struck")] == [b.id, c.id]
    assert all(len(event.stages) == 1 for event in ran.of("Rolled"))
    field, a, b, c = two_targets(7, ["Tesla"], range=12)
    ran = field.attack(a, b, "BBB BBB", SUSTAINED)  # only rerolls are on offer
    assert "second target" not in ran.asked and len(ran.of("Rolled")[0].stages) == 2
    assert "second target" not in field.attack(a, b, "BBB", ATTACK).asked


@pytest.mark.rule("dw.weapon.tesla_reactions")
def test_both_tesla_targets_react_before_the_dice():
    field, a, b, c = two_targets(5, ["Tesla"], range=12)
    answers = {
        "sustained attack": "tesla", "second target": c.id,
        "reaction": [(c.id, "hit the dirt"), (b.id, "hit the dirt")],
    }  # fmt: skip
    ran = field.attack(a, b, "BBB BBB", SUSTAINED, answers)
    kinds = [type(event).__name__ for event in ran.events]
    assert kinds.count("Reacted") == 2
    assert max(n for n, kind in enumerate(kinds) if kind == "Reacted") < kinds.index("Rolled")


@pytest.mark.rule("dw.weapon.artillery_barrage")
@pytest.mark.parametrize("name", ["Barrage", "Artillery Barrage"])
def test_a_barrage_falls_on_two_units_within_six_inches(name):
    rules = ["Artillery", name]
    field, a, b, c = two_targets(5, rules, range="A")
    b.bodies = [b.bodies[0].at(900, 900 - gap(14))]
    c.bodies = [c.bodies[0].at(900, 900 - gap(14) - gap(5))]
    ran = field.attack(a, b, "BBB BBB", ATTACK, {"second target": c.id})
    assert [event.target for event in ran.of("Struck")] == [b.id, c.id]
    c.bodies = [c.bodies[0].at(900, 900 - gap(14) - gap(7))]
    assert "second target" not in field.attack(a, b, "BBB", ATTACK).asked


@pytest.mark.rule("dw.weapon.artillery_barrage")
def test_both_units_of_a_barrage_are_targets_in_their_own_right():
    field, a, b, c = two_targets(3, ["Artillery", "Barrage"], range="A")
    b.bodies = [b.bodies[0].at(900, 900 - gap(14))]
    c.bodies = [c.bodies[0].at(900, 900 - gap(11))]  # inside the minimum range
    assert "second target" not in field.attack(a, b, "BBB", ATTACK).asked


# -- cover, armor, damage tables ------------------------------------------------------------------------------------


@pytest.mark.rule("dw.weapon.burst", "dw.weapon.grenades_no_cover")
@pytest.mark.parametrize("rule", ["Burst", "Grenades"])
def test_cover_is_nothing_against_burst_weapons_and_grenades(rule):
    arms = [weapon("Rifle", 18, "1/1", count=2), weapon("Thing", 18, "1/1", rules=[rule])]
    field, a, b = duel(squad(3, arms), squad(5, armor=1), 10, WALL)
    assert field.attack(a, b, "HH H B").struck(b).suffered == 3
    field, a, b = duel(squad(2), squad(5, armor=1), 10, WALL)
    assert field.attack(a, b, "HH").struck(b).suffered == 0


@pytest.mark.rule("dw.weapon.grenades_suppress")
def test_grenades_suppress_without_a_hit_but_not_twice():
    field, a, b = duel(armed(rules=["Grenades"]))
    field.attack(a, b, "BBB")
    assert b.suppression == 1
    field, a, b = duel(armed(rules=["Grenades"]), squad(5, armor=1))
    field.attack(a, b, "HBB H")
    assert b.suppression == 1
    field, a, b = duel(armed(rules=["Grenades"]), vehicle())
    field.attack(a, b, "BBB")
    assert b.suppression == 0


@pytest.mark.rule("dw.weapon.penetrator")
@pytest.mark.parametrize("inches, dice", [(20, 3), (25, 5)])
def test_a_penetrator_halves_the_armor_dice_of_vehicles_within_24_inches(inches, dice):
    field = Field()
    a = field.put(BLUE, armed(rules=["Penetrator"], range=36), 900, 900)
    b = field.put(RED, vehicle(5), 900, 900 - gap(inches, 25, 80), heading=180)
    assert field.strike(a, b).armor_dice == dice
    soldiers = field.put(RED, squad(3, armor=2), 1000, 700)
    assert field.strike(a, soldiers).armor_dice == 2


@pytest.mark.rule("dw.weapon.tank_killer")
def test_a_tank_killer_inverts_the_damage_table():
    field, a, b = duel(armed(rules=["Tank Killer"]), vehicle(1))
    field.attack(a, b, "HHH B HBB")  # 3 damage, armor 1, then 3 dice on the table: two BLANKs
    assert b.effects == (FIRE,)
    field, a, b = duel(armed(), vehicle(1))
    field.attack(a, b, "HHH B HBB")
    assert b.effects == (BLINDED,)


@pytest.mark.rule("dw.open.tank_killer_mixed")
def test_only_weapons_that_scored_a_hit_change_the_table():
    arms = [weapon("Lance", 18, "1/1", "1/1", rules=["Tank Killer"]), weapon("Gun", 18, "2/1", "2/1"),
            weapon("Flamer", 18, "1/1", "1/1", rules=["Incendiary"])]  # fmt: skip
    field, a, b = duel(squad(3, arms), vehicle(1))
    field.attack(a, b, "B HH B B HB")
    assert b.effects == (BLINDED,)
    field, a, b = duel(squad(3, arms), vehicle(1))
    field.attack(a, b, "H HH B B HBB")
    assert b.effects == (FIRE,)
    field, a, b = duel(squad(3, arms), vehicle(1))
    ran = field.attack(a, b, "H BB H B")
    assert b.effects == (FIRE,) and not ran.dice("damage to")


@pytest.mark.rule("dw.weapon.incendiary")
def test_incendiaries_set_vehicles_on_fire_and_do_nothing_more():
    field, a, b = duel(armed(rules=["Incendiary"]), vehicle(1))
    ran = field.attack(a, b, "HHB B")
    assert b.effects == (FIRE,) and not ran.dice("damage to")
    field.attack(a, b, "HHB B")
    assert b.effects == (FIRE,)


@pytest.mark.rule("dw.weapon.incendiary_limits")
def test_incendiaries_do_not_burn_aircraft():
    field, a, b = duel(armed(rules=["Incendiary"]), plane(1))
    b.altitude = LOW
    field.attack(a, b, "HHB B HB")
    assert b.effects == (FIRE_CONTROL,)


@pytest.mark.rule("dw.weapon.rocket_punch", "dw.dice.invert")
@pytest.mark.parametrize("rule", ["Rocket Punch", "Inverted"])
def test_a_rocket_punch_hits_with_blanks(rule):
    field, a, b = duel(armed("Fist", "2/1", [rule], range="C"), squad(5, armor=1), 2)
    assert field.attack(a, b, "HB B", mode="close").struck(b).hits == 1
    field, a, b = duel(armed("Fist", "2/1", [rule], range="C"), squad(5, armor=1), 2)
    ran = field.attack(a, b, "HH BB B", SUSTAINED, mode="close")  # a sustained attack rerolls the HITs
    assert ran.struck(b).hits == 2


# -- ammunition ---------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.weapon.reload", "dw.open.out_of_ammo_scope")
def test_a_reload_weapon_is_silent_until_reloaded_while_others_fire():
    arms = [weapon("Rocket", 18, "3/1", rules=["Reload"]), weapon("MG", 18, "2/1")]
    field, a, b = duel(vehicle(weapons=arms))
    field.attack(a, b, "BBB BB")
    assert a.empty == (0,)
    assert [pool.weapon.name for pool in field.strike(a, b).pools] == ["MG"]
    field.run(lambda play: field.rules.turn.end(play))
    assert a.empty == (0,)  # the End phase does not reload it
    ran = field.activate(a, ("reload", "attack"), "BBB BB", {"target": ("direct", b.id)})
    assert ran.dice("Rocket") == [3]


@pytest.mark.rule("dw.weapon.magazine_reload")
def test_a_magazine_is_full_again_next_turn():
    field, a, b = duel(vehicle(weapons=[weapon("Cannon", 18, "3/1", rules=["Magazine Reload"])]))
    field.attack(a, b, "BBB")
    assert not field.can_attack(a, b)
    field.run(lambda play: field.rules.turn.end(play))
    assert field.can_attack(a, b)
    field.attack(a, b, "BBB")
    field.activate(a, ("reload",))
    assert field.can_attack(a, b)


# -- artillery -------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.weapon.artillery_indirect")
@pytest.mark.parametrize("inches, possible", [(40, True), (11, False)])
def test_indirect_fire_reaches_anywhere_beyond_twelve_inches(inches, possible):
    field = Field(HIGH_WALL, size=(72, 60))
    gun = field.put(BLUE, armed("Mortar", rules=["Artillery"], range="A"), 900, 1400)
    target = field.put(RED, squad(3), 900, 1400 - gap(inches))
    field.put(BLUE, squad(1, abilities=["Artillery Strike"]), 700, target.bodies[0].y)
    assert (field.refusal(gun, target, kind=SUSTAINED, mode="indirect") is None) is possible


@pytest.mark.rule("dw.open.indirect_details")
def test_cover_against_indirect_fire_is_seen_from_the_spotter():
    field = Field(WALL)
    gun = field.put(BLUE, armed("Mortar", rules=["Artillery"], range="A"), 900, 1000)
    target = field.put(RED, squad(3), 900, 1000 - inch(30))
    field.put(BLUE, squad(1, abilities=["Artillery Strike"]), 700, target.bodies[0].y)
    assert field.strike(gun, target, SUSTAINED).cover is Cover.HARD
    assert field.strike(gun, target, SUSTAINED, mode="indirect").cover is Cover.NONE
