"""Damage to troops and armour, HE (k47.damage.*, k47.he.*, k47.armour.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.konflikt47.charts import HE_TABLE
from dieselfront.rulesets.konflikt47.damage import FULL, MASSIVE, SUPERFICIAL, ArmourHit
from dieselfront.rulesets.konflikt47.firing import Wound, damage_throw
from rulesets.konflikt47.field import BLUE, RED, Field, gap, gun, squad, tank, team


def duel(inches: float = 10, blue: dict | None = None, red: dict | None = None, **options):
    field = Field(**options)
    a = field.put(BLUE, blue or squad(5), 600, 200, heading=180)
    b = field.put(RED, red or squad(5), 600, 200 + gap(inches), order="fire")
    return field, a, b


def value(card: dict, **wound) -> int:
    field = Field()
    unit = field.put(RED, card, 600, 400)
    return field.rules.damage.value(unit, Wound(field.state, None, 0, **wound))


@pytest.mark.rule("k47.damage.values")
@pytest.mark.parametrize(
    "card, wanted",
    [
        (squad(3, quality="inexperienced"), 3),
        (squad(3), 4),
        (gun("Light AT Gun", quality="veteran"), 5),
        (tank("soft-skin"), 6),
        (tank("scout walker"), 6),
    ],
)
def test_damage_values_of_troops_and_soft_targets(card, wanted):
    assert value(card) == wanted


ARMOUR = {
    "armoured car": 7, "carrier": 7, "light walker": 7, "light tank": 8, "medium walker": 8, "medium tank": 9,
    "heavy walker": 9, "heavy tank": 10, "super-heavy walker": 10, "super-heavy tank": 11,
}  # fmt: skip


@pytest.mark.rule("k47.damage.values_armour")
@pytest.mark.parametrize("armour, wanted", list(ARMOUR.items()))
def test_damage_values_of_armour(armour, wanted):
    assert value(tank(armour)) == wanted


@pytest.mark.rule("k47.damage.roll")
@pytest.mark.parametrize(
    "quality, pen, faces", [("veteran", 1, {4, 5, 6}), ("regular", 0, {4, 5, 6}), ("inexperienced", 0, {3, 4, 5, 6})]
)
def test_a_die_and_the_penetration_must_reach_the_damage_value(quality, pen, faces):
    throw = damage_throw(value(squad(3, quality=quality)), pen, "test")
    assert {face for face in range(1, 7) if throw.faces >> (face - 1) & 1} == faces


@pytest.mark.rule("k47.damage.roll")
def test_each_damaging_hit_removes_one_model():
    field, a, b = duel()
    field.shoot(a, b, [6] * 5 + [4, 4, 1, 1, 3], answers={"casualties": (0, 1)})
    assert len(b.men) == 3


@pytest.mark.rule("k47.damage.nat1")
def test_a_natural_one_never_damages():
    throw = damage_throw(3, 3, "howitzer on green men")
    assert not throw.faces & 1 and throw.faces == 0b111110


@pytest.mark.rule("k47.damage.small_arms_armour", "k47.open.small_arms_rear", "k47.armour.heavy_only")
def test_small_arms_never_hurt_armour_not_even_from_behind():
    field = Field()
    mmg = field.put(BLUE, team("MMG"), 600, 200, heading=180)
    car = field.put(RED, tank("armoured car", ()), 630, 500, heading=180, order="fire")
    ran = field.shoot(mmg, car, [6] * 4, answers={"suppressive fire": False})
    assert len(ran.of("Rolled")) == 1
    assert field.pool(mmg, car).pen == 0


@pytest.mark.rule("k47.damage.casualty_owner")
def test_the_owner_chooses_who_is_lost():
    field, a, b = duel(red=squad(5, nco=True))
    ran = field.shoot(a, b, [6, 6, 1, 1, 1, 4, 4], answers={"casualties": (3, 4)})
    assert ran.offered["casualties"] == [0, 1, 2, 3, 4]
    assert b.men == [0, 1, 2] and not b.nco_lost


@pytest.mark.rule("k47.damage.exceptional")
def test_a_six_followed_by_a_six_lets_the_shooter_choose():
    field, a, b = duel(red=squad(5, nco=True))
    ran = field.shoot(a, b, [6, 6, 1, 1, 1, 6, 4, 6], answers={"exceptional damage": 0, "casualties": (4,)})
    assert b.men == [1, 2, 3] and b.nco_lost
    assert ran.asked.index("exceptional damage") < ran.asked.index("casualties")
    field, a, b = duel()
    ran = field.shoot(a, b, [6, 1, 1, 1, 1, 6, 5], answers={"casualties": (4,)})
    assert "exceptional damage" not in ran.asked


@pytest.mark.rule("k47.damage.exceptional_gun")
def test_exceptional_damage_by_a_heavy_weapon_may_destroy_the_gun():
    for weapon, offered in (("Medium AT Gun", True), ("", False)):
        blue = gun(weapon) if weapon else squad(1)
        field, a, b = duel(12 if weapon else 10, blue, gun("Light AT Gun", 4))
        answers = {"exceptional damage": "gun" if offered else 1, "weapons": ((0, "AT", b.id),)}
        ran = field.shoot(a, b, [6, 6, 6], answers=answers)
        assert ("gun" in ran.offered["exceptional damage"]) is offered
        assert b.alive is not offered


@pytest.mark.rule("k47.damage.softskin", "k47.open.scout_walker")
@pytest.mark.parametrize("armour", ["soft-skin", "scout walker"])
def test_one_damaging_hit_destroys_a_soft_target(armour):
    field, a, b = duel(red=tank(armour, ()))
    ran = field.shoot(a, b, [6, 1, 1, 1, 1, 6])
    assert not b.alive
    assert not ran.of("DamageResult")


# -- HE --------------------------------------------------------------------------------------------------


@pytest.mark.rule("k47.he.table")
def test_the_he_table():
    assert {he: tuple(row) for he, row in HE_TABLE.items()} == {
        "D2": ("1", 1),
        "D3": ("1", 1),
        "D6": ("D2", 2),
        "2D6": ("D3", 3),
        "3D6": ("D6", 4),
    }


@pytest.mark.rule("k47.he.hits", "k47.he.declare")
def test_an_he_hit_becomes_as_many_hits_as_its_dice_show():
    field, a, b = duel(12, gun("Medium AT Gun"))
    ran = field.shoot(a, b, [6, 4, 4, 4], answers={"weapons": ((0, "HE", b.id),), "casualties": (0, 1)})
    assert len(b.men) == 3
    assert ran.of("Counted")[0].notation == "D2"
    field, a, b = duel(12, gun("Medium AT Gun"))
    field.shoot(a, b, [6, 4], answers={"weapons": ((0, "AT", b.id),), "casualties": (0,)})
    assert len(b.men) == 4


@pytest.mark.rule("k47.he.declare")
def test_both_shells_are_offered_and_he_only_weapons_fire_he():
    field, a, _ = duel(12, gun("Medium AT Gun"))
    rounds = field.rules.shooting.rounds
    assert rounds(field.state, a, a.card.weapons[0], "fire") == ("AT", "HE")
    mortar = field.put(BLUE, team("Medium Mortar"), 1000, 200)
    assert "AT" not in rounds(field.state, mortar, mortar.card.weapons[0], "fire")


@pytest.mark.rule("k47.he.vs_armour", "k47.he.no_long_range")
def test_he_rolls_once_against_armour_with_the_pen_of_its_row_at_any_range():
    field, a, b = duel(40, gun("Medium Howitzer"), tank("medium tank", ()))
    pool = field.pool(a, b, way="direct")
    assert pool.long and pool.pen == 3 and pool.need == 4
    ran = field.shoot(a, b, [6, 5, 5], answers={"weapons": ((0, "direct", b.id),)})
    assert len(ran.of("Rolled")) == 2 and b.pins == 3


@pytest.mark.rule("k47.he.down_half")
@pytest.mark.parametrize("roll, hits", [(5, 2), (1, 0)])
def test_he_hits_on_troops_that_are_down_are_halved(roll, hits):
    field, a, b = duel(12, gun("Light Howitzer"), squad(8))
    b.order = "down"
    dice = [6, 4, roll, *[1] * hits]
    ran = field.shoot(a, b, dice, answers={"weapons": ((0, "direct", b.id),)})
    damage = [event for event in ran.of("Rolled") if event.label.startswith("damage")]
    assert sum(len(event.stages[0][1]) for event in damage) == hits
    assert b.pins == 2  # pins are not halved


@pytest.mark.rule("k47.he.ambush_round")
def test_a_gun_in_ambush_has_named_its_round():
    field, a, _b = duel(12, gun("Medium AT Gun"))
    ran = field.order(a, "ambush", [], {"loaded round": "HE"})
    assert ran.offered["loaded round"] == ["AT", "HE"]
    rounds = field.rules.shooting.rounds
    assert rounds(field.state, a, a.card.weapons[0], "ambush") == ("HE",)
    del a.shell
    assert rounds(field.state, a, a.card.weapons[0], "ambush") == ("AT",)
    cannon = field.put(BLUE, team("Light Automatic Cannon"), 1000, 300)
    assert rounds(field.state, cannon, cannon.card.weapons[0], "ambush") == ("HE",)


# -- armour ----------------------------------------------------------------------------------------------


@pytest.mark.rule("k47.armour.mods", "k47.armour.facing", "k47.armour.long")
@pytest.mark.parametrize(
    "heading, facing, inches, pen",
    [(0, "front", 12, 5), (180, "rear", 12, 7), (90, "side", 12, 6), (180, "rear", 40, 6)],
)
def test_penetration_changes_with_facing_and_range(heading, facing, inches, pen):
    field, a, b = duel(inches, gun("Medium AT Gun"), tank("medium tank", ()))
    b.bodies = [b.bodies[0].at(b.bodies[0].x, b.bodies[0].y, heading)]
    pool = field.pool(a, b, way="AT")
    assert (pool.facing, pool.pen) == (facing, pen)


@pytest.mark.rule("k47.armour.heavy_only")
def test_soft_targets_know_no_facing_and_no_long_range_loss():
    field, a, b = duel(40, gun("Light AT Gun"), tank("soft-skin", ()))
    assert field.pool(a, b, way="AT").pen == 4


@pytest.mark.rule("k47.armour.walkers")
def test_walkers_have_no_weak_side_but_suffer_no_less_at_long_range():
    field, a, b = duel(20, team("Bazooka", 2), tank("heavy walker", ()))
    b.bodies = [b.bodies[0].at(b.bodies[0].x, b.bodies[0].y, 180)]
    assert field.pool(a, b).pen == 5
    field, a, b = duel(40, gun("Medium AT Gun"), tank("heavy walker", ()))
    assert field.pool(a, b, way="AT").pen == 4


@pytest.mark.rule("k47.armour.result_grade", "k47.open.grade_limits")
@pytest.mark.parametrize("total, grade", [(9, SUPERFICIAL), (10, FULL), (11, FULL), (12, MASSIVE), (15, MASSIVE)])
def test_grades_of_damage(total, grade):
    assert Field().rules.damage.grade(total, 9) == grade


def struck(grade: str, dice: list, bonus: int = 0, **given):
    field = Field()
    unit = field.put(RED, tank("medium tank"), 600, 400, **given)
    ran = field.run(lambda play: field.rules.damage.result(play, unit, ArmourHit(9, 9, grade, "", bonus)), dice)
    return unit, [event.result for event in ran.of("DamageResult")]


@pytest.mark.rule("k47.armour.superficial", "k47.armour.results")
@pytest.mark.parametrize("roll, result", [(1, "crew stunned"), (4, "crew stunned"), (5, "immobilised")])
def test_superficial_damage_rolls_minus_three(roll, result):
    assert struck(SUPERFICIAL, [roll])[1] == [result]


@pytest.mark.rule("k47.armour.superficial")
def test_superficial_damage_burns_at_worst():
    assert struck(SUPERFICIAL, [6, 1, 1])[1] == ["on fire"]


@pytest.mark.rule("k47.armour.full", "k47.armour.results", "k47.armour.ko")
@pytest.mark.parametrize(
    "roll, result", [(1, "crew stunned"), (2, "immobilised"), (4, "knocked out"), (6, "knocked out")]
)
def test_full_damage_rolls_a_die(roll, result):
    unit, results = struck(FULL, [roll])
    assert results == [result]
    assert unit.alive is (result != "knocked out")


@pytest.mark.rule("k47.armour.massive", "k47.armour.immobilised2", "k47.armour.pin_extra")
def test_massive_damage_applies_two_rolls():
    unit, results = struck(MASSIVE, [1, 2])
    assert results == ["crew stunned", "immobilised"]
    assert unit.pins == 2 and unit.immobilised and unit.order == "down"
    unit, results = struck(MASSIVE, [2, 2])
    assert not unit.alive


@pytest.mark.rule("k47.armour.ko", "k47.armour.wreck")
def test_a_knocked_out_vehicle_leaves_a_wreck_that_blocks_and_covers():
    field = Field()
    unit = field.put(RED, tank("medium tank"), 600, 400, heading=90)
    field.run(lambda play: field.rules.losses.destroy(play, unit, "test", "k47.armour.ko"))
    wreck = field.state.table.pieces[-1]
    assert wreck.kind.id == "wreck"
    a = field.put(BLUE, squad(1), 600, 200)
    b = field.put(RED, squad(1), 600, 600)
    from dieselfront.rulesets.konflikt47 import ground
    from dieselfront.rulesets.konflikt47.going import code

    assert not ground.sees(field.state, a, b)
    assert code(field.state, field.put(BLUE, tank(), 100, 100), wreck) == "No"
    assert code(field.state, a, wreck) == "No Run"
    near = field.put(RED, squad(5), 570, 450, order="fire")
    shooter = field.put(BLUE, squad(3), 570, 150)
    assert "hard cover -2" in [item.text for item in field.pool(shooter, near).because]
    field = Field()
    unit = field.put(RED, tank("medium tank"), 600, 400, heading=90)
    field.run(lambda play: field.rules.losses.destroy(play, unit, "test", "k47.armour.ko"))
    peeping = field.put(RED, squad(1), 655, 470, order="fire")  # half of him shows past the wreck
    shooter = field.put(BLUE, squad(1), 655, 150)
    assert "hard cover -2" in [item.text for item in field.pool(shooter, peeping).because]


@pytest.mark.rule("k47.armour.stunned", "k47.vehicle.halted")
def test_a_stunned_crew_goes_down_out_of_the_cup():
    unit, _ = struck(FULL, [1])
    assert unit.order == "down" and unit.pins == 1 and unit.halted


@pytest.mark.rule("k47.armour.immobilised", "k47.vehicle.immobile_turret")
def test_an_immobilised_vehicle_never_moves_but_keeps_a_die_it_has_not_used():
    unit, _ = struck(FULL, [2])
    assert unit.immobilised and unit.order == ""
    acted, _ = struck(FULL, [2], order="fire")
    assert acted.order == "down"
    field = Field()
    turret = field.put(RED, tank(), 600, 400, immobilised=True)
    target = field.put(BLUE, squad(5), 600, 700)
    assert field.rules.shooting.targets(field.state, turret, "fire") == [target]
    assert "advance" not in field.rules.orders.legal(field.state, turret)


@pytest.mark.rule("k47.armour.immobilised2")
def test_a_second_immobilisation_knocks_out():
    unit, _ = struck(FULL, [2], immobilised=True)
    assert not unit.alive


@pytest.mark.rule("k47.armour.fire")
@pytest.mark.parametrize("check, alive", [([4, 4], False), ([3, 4], True)])
def test_a_burning_crew_tests_after_its_pins(check, alive):
    field, a, b = duel(12, gun("Heavy AT Gun"), tank("medium tank", ()))
    ran = field.shoot(a, b, [6, 4, 3, *check], answers={"weapons": ((0, "AT", b.id),)})
    assert ran.of("Tested")[0].needed == 7  # one pin for the hit, one for the result
    assert b.alive is alive
    if alive:
        assert b.order == "down"


@pytest.mark.rule("k47.armour.pin_extra")
def test_the_pin_of_a_result_comes_on_top_of_the_hit():
    field, a, b = duel(12, gun("Heavy AT Gun"), tank("medium tank", ()))
    field.shoot(a, b, [6, 3, 4], answers={"weapons": ((0, "AT", b.id),)})
    assert b.pins == 2


@pytest.mark.rule("k47.armour.multi_hits")
def test_every_damaging_hit_rolls_on_the_table():
    field, a, b = duel(10, team("HMG"), tank("armoured car", (), mode="wheeled"))
    field.shoot(a, b, [6, 6, 1, 6, 6, 4, 5])
    assert b.pins == 3 and b.immobilised


@pytest.mark.rule("k47.armour.open_indirect", "k47.wrule.indirect_top", "k47.open.open_topped")
def test_indirect_hits_strike_the_top_and_open_vehicles_burn_easier():
    field, a, b = duel(25, team("Medium Mortar"), tank("carrier", (), rules=["Open-Topped"]))
    pool = field.pool(a, b, way="indirect")
    assert (pool.facing, pool.pen) == ("top", 3)
    ran = field.shoot(a, b, [6, 1, 5, 3], answers={"weapons": ((0, "indirect", b.id),)})
    assert ran.of("DamageResult")[0].result == "knocked out"
    walker = field.put(RED, tank("light walker", ()), 1000, 900)
    assert field.pool(a, walker, way="indirect").pen == 2


@pytest.mark.rule("k47.armour.mid_move")
def test_a_vehicle_stunned_on_the_move_stays_there_and_does_not_shoot():
    field = Field()
    mover = field.put(BLUE, tank("armoured car", mode="wheeled"), 600, 1000)
    ambusher = field.put(RED, gun("Heavy AT Gun"), 600, 300, heading=180, order="ambush", shell="AT")
    answers = {"move": ((600, 700, 0),), "ambush": 762}
    field.order(mover, "advance", [6, 2, 1], answers)
    assert mover.order == "down"
    assert 700 < mover.bodies[0].y < 1000
    assert ambusher.order == "fire"
