"""Abilities that make attacks better: rerolls, inversions, more dice, charges, spotting."""

from __future__ import annotations

import pytest

from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.rulesets.warfare.damage_tables import BLINDED
from dieselfront.rulesets.warfare.firing import ATTACK, CHARGE, REACTION, SUSTAINED
from dieselfront.rulesets.warfare.going import MARCH
from dieselfront.rulesets.warfare.state import HIGH
from rulesets.warfare.duels import HIGH_WALL, WALL, duel, kill
from rulesets.warfare.field import BLUE, RED, Field, gap, hero, inch, plane, squad, vehicle, weapon


def gunners(*abilities: str, models: int = 4, **more):
    return squad(models, abilities=list(abilities), **more)


# -- rerolls --------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.ability.air_superiority")
def test_air_superiority_rerolls_ordinary_attacks_on_aircraft_only():
    flak = [weapon("Flak", 24, "1/1", "-", "1/1", count=3)]
    field, a, b = duel(squad(3, flak, abilities=["Air Superiority"]), plane())
    b.altitude = HIGH
    ran = field.attack(a, b, "BBB BBB")
    assert [len(stage[1]) for stage in ran.of("Rolled")[0].stages] == [3, 3]
    ground_target = field.put(RED, squad(5), 900, 400)
    assert not field.strike(a, ground_target).pools[0].throw.rerolls
    assert field.strike(a, b, REACTION).pools[0].throw.rerolls


@pytest.mark.rule("dw.ability.berserk")
def test_berserk_rerolls_one_ordinary_attack_of_the_game():
    field, a, b = duel(gunners("Berserk"))
    ran = field.attack(a, b, "BBBB BBBB", answers={"abilities": ("Berserk",)})
    assert ran.offered["abilities"] == ["Berserk"]
    assert "dw.ability.berserk" in ran.rules()
    again = field.attack(a, b, "BBBB")
    assert "abilities" not in again.asked


@pytest.mark.rule("dw.ability.berserk")
def test_berserk_gives_nothing_to_a_sustained_attack():
    field, a, b = duel(gunners("Berserk"))
    ran = field.attack(a, b, "BBBB BBBB", SUSTAINED)
    assert "abilities" not in ran.asked and not a.has_used("Berserk")


@pytest.mark.rule("dw.ability.take_aim")
def test_take_aim_inverts_a_sustained_attack_instead_of_rerolling():
    field, a, b = duel(gunners("Take Aim"), squad(5, armor=1))
    ran = field.attack(a, b, "HBBB B", SUSTAINED, {"sustained attack": "take aim"})
    assert ran.offered["sustained attack"] == ["reroll", "take aim"]
    assert ran.struck(b).hits == 3
    b.suppression = 0
    assert field.attack(a, b, "HBBB B", ATTACK).struck(b).hits == 1


@pytest.mark.rule("dw.open.blinded_inversion")
def test_a_blinded_vehicle_may_still_take_aim():
    field, a, b = duel(vehicle(abilities=["Take Aim"]))
    a.effects = (BLINDED,)
    strike = field.strike(a, b, SUSTAINED)
    assert field.rules.attacking.sustained_ways(strike.attack) == ["take aim"]


@pytest.mark.rule("dw.ability.spotter")
@pytest.mark.rule("dw.open.spotter_scope")
def test_a_spotter_inverts_every_attack_of_his_unit_but_close_combat():
    arms = [weapon("Rifle", 18, "1/1", count=4), weapon("Knife", "C", "1/1", count=4)]
    field, a, b = duel(squad(4, arms, abilities=["Spotter"]), squad(5, armor=1), 2)
    assert field.attack(a, b, "HBBB B", mode="close").struck(b).hits == 1
    b.suppression = 0
    assert field.strike(a, b, REACTION).pools[0].throw.faces == field.strike(a, b).pools[0].throw.faces
    assert field.attack(a, b, "HBBB B").struck(b).hits == 3
    (spotter,) = a.bearers("Spotter")
    kill(field, a, spotter)
    b.suppression = 0
    assert field.attack(a, b, "HBB B").struck(b).hits == 1


@pytest.mark.rule("dw.open.invert_twice")
def test_an_inverted_roll_is_not_inverted_back_and_keeps_its_rerolls():
    field, a, b = duel(gunners("Spotter", "Take Aim"), squad(9, armor=1))
    ran = field.attack(a, b, "HBBB B", SUSTAINED, {"sustained attack": "take aim"})
    assert ran.struck(b).hits == 3
    ran = field.attack(a, b, "HHBB BH B", SUSTAINED, {"sustained attack": "reroll"})
    assert ran.struck(b).hits == 3


@pytest.mark.rule("dw.ability.fighting_spirit")
def test_fighting_spirit_is_a_move_and_an_inverted_attack_once_per_game():
    field, a, b = duel(gunners("Fighting Spirit"), squad(9, armor=1), 14)
    assert ("move", "fighting spirit") in field.menu(a, 2)
    assert not any("fighting spirit" in names for names in field.menu(a, 1))
    ran = field.activate(
        a, ("move", "fighting spirit"), "HBBB B", {"move": ((900, 600 - inch(4)),), "target": ("direct", b.id)}
    )
    assert ran.struck(b).hits == 3 and "dw.ability.fighting_spirit" in ran.rules()
    assert ("move", "fighting spirit") not in field.menu(a, 2)


# -- dice and damage -----------------------------------------------------------------------------------------


@pytest.mark.rule("dw.ability.frenzy")
def test_frenzy_rolls_one_more_die_for_each_first_hit():
    field, a, b = duel(squad(3, abilities=["Frenzy"]), squad(9, armor=1))
    ran = field.attack(a, b, "HHB HB B")
    assert ran.struck(b).hits == 3


@pytest.mark.rule("dw.open.extra_dice_chain")
def test_extra_dice_come_from_hits_after_the_reroll_and_are_inverted_too():
    laser = [weapon("Laser", 18, "3/1", rules=["Laser"])]
    field, a, b = duel(squad(1, laser), squad(9, armor=1))
    ran = field.attack(a, b, "HBB HB BB B", SUSTAINED)  # reroll two, two HITs, two extra dice without reroll
    assert ran.struck(b).hits == 2
    field, a, b = duel(squad(1, laser, abilities=["Frenzy"]), squad(9, armor=1))
    assert field.attack(a, b, "HBB H B B").struck(b).hits == 2  # two extra dice for the one HIT
    field, a, b = duel(squad(1, laser, abilities=["Take Aim"]), squad(9, armor=1))
    ran = field.attack(a, b, "HHB B B", SUSTAINED, {"sustained attack": "take aim"})
    assert ran.struck(b).hits == 2


@pytest.mark.rule("dw.ability.sniper")
def test_a_sniper_leaves_neither_armor_nor_cover():
    field, a, b = duel(squad(1, abilities=["Sniper"]), squad(3, armor=3), 10, WALL)
    assert field.attack(a, b, "H").struck(b).suffered == 1
    field, a, b = duel(squad(1), squad(3, armor=3), 10, WALL)
    assert field.attack(a, b, "H").struck(b).suffered == 0


@pytest.mark.rule("dw.open.unshared_unit_effects")
@pytest.mark.parametrize("inches, armor", [(10, False), (15, True)])
def test_a_sniper_helps_his_unit_only_where_he_takes_part(inches, armor):
    field, a, b = duel(squad(3), squad(5), inches)
    field.join(field.put(BLUE, hero(abilities=["Sniper"]), 200, 200), a)
    assert field.strike(a, b).armor_allowed is armor


@pytest.mark.rule("dw.ability.headshot")
def test_a_headshot_halves_the_dice_and_ignores_armor_and_cover():
    field, a, b = duel(squad(5, abilities=["Headshot"]), squad(5, armor=3), 10, WALL)
    ran = field.attack(a, b, "HHB", answers={"abilities": ("Headshot",)})
    assert ran.dice("Rifle") == [3] and ran.struck(b).suffered == 2
    ran = field.attack(a, b, "HHHBB BBB", answers={"abilities": ()})
    assert ran.dice("Rifle") == [5] and ran.struck(b).cover == 2


@pytest.mark.rule("dw.open.whole_attack_scope")
def test_a_headshot_halves_the_sum_of_all_weapons_and_keeps_the_best():
    arms = [weapon("Rifle", 18, "1/1", count=4), weapon("Gun", 18, "5/2")]
    field, a, b = duel(squad(5, arms, abilities=["Headshot"]), squad(5))
    ran = field.attack(a, b, "BBBBB", answers={"abilities": ("Headshot",)})
    assert ran.dice("Gun") == [5] and ran.dice("Rifle") == []


@pytest.mark.rule("dw.ability.all_in_one")
def test_all_in_one_doubles_the_dice_once_and_suppresses_the_unit():
    field, a, b = duel(gunners("All in One"))
    ran = field.attack(a, b, "B" * 8, answers={"abilities": ("All in One",)})
    assert ran.dice("Rifle") == [8] and a.suppression == 1
    ran = field.attack(a, b, "BBBB")
    assert "abilities" not in ran.asked and a.suppression == 1


@pytest.mark.rule("dw.ability.all_in_one")
def test_the_doubled_dice_of_a_sustained_attack_are_rerolled():
    field, a, b = duel(gunners("All in One"))
    ran = field.attack(a, b, "B" * 16, SUSTAINED, {"abilities": ("All in One",)})
    assert [len(stage[1]) for stage in ran.of("Rolled")[0].stages] == [8, 8]


@pytest.mark.rule("dw.ability.supercharged")
def test_supercharged_doubles_the_first_attack_and_empties_the_weapon():
    arms = [weapon("Laser", 24, "3/1", rules=["Laser"]), weapon("MG", 24, "2/1")]
    field, a, b = duel(vehicle(weapons=arms, abilities=["Supercharged"]))
    ran = field.attack(a, b, "BBBBBB BB")
    assert ran.dice("Laser") == [6] and ran.dice("MG") == [2]
    assert a.empty == (0,)
    ran = field.attack(a, b, "BB")
    assert ran.dice("Laser") == []
    field.activate(a, ("reload",))
    assert field.attack(a, b, "BBB BB").dice("Laser") == [3]
    assert a.empty == ()


# -- charges -------------------------------------------------------------------------------------------------

CHARGERS = [weapon("Rifle", 18, "1/1", count=3), weapon("Knife", "C", "1/1", count=3)]


@pytest.mark.rule("dw.ability.charge")
def test_a_charge_ends_a_march_with_a_free_attack():
    field, a, b = duel(squad(3, CHARGERS, abilities=["Charge"]), squad(5, armor=1), 12)
    ran = field.move(a, (900, 600 - inch(10.5)), kind=MARCH, dice="HHB B", answers={"target": ("close", b.id)})
    assert ran.of("Aimed")[0].kind_of == CHARGE and ran.struck(b).hits == 2
    assert field.refusal(a, b, 0, 0, CHARGE) == "dw.ability.charge"


@pytest.mark.rule("dw.ability.charge")
def test_an_ordinary_move_brings_no_free_attack():
    field, a, _ = duel(squad(3, CHARGERS, abilities=["Charge"]), squad(5), 7)
    ran = field.move(a, (900, 600 - inch(5.5)))
    assert not ran.of("Aimed")


@pytest.mark.rule("dw.open.charge_weapons")
def test_the_free_attack_is_close_or_short_never_both_and_may_be_answered():
    arms = [weapon("Flamer", 6, "1/1", count=3), weapon("Knife", "C", "1/1", count=3)]
    field, a, b = duel(squad(3, arms, abilities=["Charge"]), squad(5), 12)
    to = (900, 600 - inch(10.5))
    ran = field.move(a, to, kind=MARCH, dice="BBB", answers={"target": ("direct", b.id), "reaction": [None, None]})
    assert ("close", b.id) in ran.offered["target"] and ("direct", b.id) in ran.offered["target"]
    assert ran.asked.count("reaction") >= 2  # to the move, and to the attack
    assert len(ran.of("Rolled")[0].stages) == 1  # no rerolls
    back = [question for question in ran.questions if question.key == "target"]
    assert len(back) == 1


# -- combined guns -----------------------------------------------------------------------------------------------

TWINS = vehicle(
    weapons=[weapon("Cannon", 24, "3/1", "3/1", count=2, arc="turret")], abilities=["Combined Shots (Cannon)"]
)


@pytest.mark.rule("dw.ability.combined_shots")
@pytest.mark.rule("dw.open.combined_shots_range")
def test_combined_guns_fire_one_of_them_with_six_inches_more():
    field, a, b = duel(TWINS, None, 20)
    assert field.strike(a, b).pools[0].dice == 6
    assert field.strike(a, b, mode="combined").pools[0].dice == 3
    answers = {"target": ("choose", ""), "weapons": (("combined", b.id), ("direct", b.id))}
    with pytest.raises(IllegalChoice, match="only one of the combined"):
        field.attack(a, b, "", answers=answers)
    field = Field()
    a = field.put(BLUE, TWINS, 900, 1000)
    near = field.put(RED, squad(1), 900, 1000 - gap(30, 60, 25))
    far = field.put(RED, squad(1), 1000, 1000 - gap(31, 60, 25))
    assert field.can_attack(a, near) and not field.can_attack(a, far)
    assert field.strike(a, near, mode="combined").pools[0].dice == 3


@pytest.mark.rule("dw.ability.combined_shots_lost")
def test_a_damaged_gun_ends_the_combination():
    field, a, b = duel(TWINS, None, 20)
    a.broken = ((0, 1),)
    ran = field.attack(a, b, "BBB")
    assert ("combined", b.id) not in ran.offered["target"]
    assert ran.dice("Cannon") == [3]


# -- spotting -----------------------------------------------------------------------------------------------

HOWITZER = vehicle(weapons=[weapon("Howitzer", "A", "4/1", "4/1", rules=["Artillery"])], name="Howitzer")


def battery(spotter_y: int = 300, **more):
    """A howitzer behind a high wall, its target beyond it, and a spotter on the far side."""
    field = Field(HIGH_WALL)
    gun = field.put(BLUE, HOWITZER, 900, 1100)
    eyes = field.put(BLUE, squad(2, abilities=["Artillery Strike"], **more), 600, spotter_y)
    target = field.put(RED, squad(4), 900, 300)
    return field, gun, eyes, target


@pytest.mark.rule("dw.ability.artillery_strike")
@pytest.mark.rule("dw.weapon.artillery_indirect")
def test_indirect_fire_needs_a_spotter_with_sight_and_two_actions():
    field, gun, _, target = battery()
    assert field.can_attack(gun, target, SUSTAINED) and not field.can_attack(gun, target, ATTACK)
    ran = field.attack(gun, target, "BBBB", SUSTAINED, mode="indirect")
    assert len(ran.of("Rolled")[0].stages) == 1
    field, gun, _, target = battery(spotter_y=900)
    assert not field.can_attack(gun, target, SUSTAINED)


@pytest.mark.rule("dw.open.indirect_details")
def test_indirect_fire_has_no_take_aim_and_no_spotter_of_its_own():
    field = Field(HIGH_WALL)
    own = squad(2, [weapon("Mortar", "A", "4/1", rules=["Artillery"])], abilities=["Artillery Strike", "Take Aim"])
    gun = field.put(BLUE, own, 900, 1100)
    target = field.put(RED, squad(4), 900, 300)
    assert not field.can_attack(gun, target, SUSTAINED)
    field.put(BLUE, squad(1, abilities=["Artillery Strike"]), 600, 300)
    strike = field.strike(gun, target, SUSTAINED, mode="indirect")
    assert field.rules.attacking.sustained_ways(strike.attack) == ["nothing"]
    assert not field.can_attack(gun, target, REACTION)


# -- sharing ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.ability.shared")
@pytest.mark.rule("dw.ability.lost_with_bearer")
def test_an_ability_is_the_units_while_one_bearer_lives():
    field, a, b = duel(squad(3))
    man = field.put(BLUE, hero(abilities=["Agile", "Take Aim"]), 200, 200)
    assert not a.has("Agile")
    field.join(man, a)
    assert a.has("Agile") and "take aim" in field.rules.attacking.sustained_ways(field.strike(a, b, SUSTAINED).attack)
    kill(field, a, a.hero)
    assert not a.has("Agile")
    assert field.rules.attacking.sustained_ways(field.strike(a, b, SUSTAINED).attack) == ["reroll"]


@pytest.mark.rule("dw.ability.lost_with_bearer")
def test_without_its_medic_a_squad_heals_nobody():
    field = Field()
    command = squad(4, abilities=["Command Squad", "Medic"])
    a = field.put(BLUE, command, 900, 600, suppression=1)
    assert ("heal",) in field.menu(a, 1)
    (medic,) = a.bearers("Medic")
    kill(field, a, medic)
    assert ("heal",) not in field.menu(a, 1)
