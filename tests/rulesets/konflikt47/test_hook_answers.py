"""What rules of units and weapons answer at the hooks, where no test of a whole situation shows it."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.konflikt47.charts import RATES, Weapon
from dieselfront.rulesets.konflikt47.firing import Wound
from dieselfront.rulesets.konflikt47.morale import ORDER, Occasion
from rulesets.konflikt47.field import BLUE, RED, Field, gap, gun, inch, squad, tank, team, usual


def morale(field: Field, unit) -> int:
    return field.rules.morale.value(field.state, unit, Occasion(ORDER, "fire"))[0]


@pytest.mark.rule("k47.special.automaton")
def test_no_medic_helps_an_automaton_and_it_does_not_stand_and_fire():
    field = Field()
    for rules, score, fires in (([], 6, True), (["Automaton"], 7, False)):
        unit = field.put(BLUE, squad(3, rules=rules), 600, 400)
        field.put(BLUE, squad(1, rules=["Medic"]), 600, 440)
        foe = field.put(RED, squad(3), 600, 400 + gap(10))
        assert field.rules.specials.medic_score(field.state, unit) == score
        assert field.rules.assault.may_stand_and_fire(field.state, foe, unit, inch(10) * 10) is fires
        field.state.units.clear()


@pytest.mark.rule("k47.special.animated_corpse", "k47.special.horror")
@pytest.mark.parametrize(
    "rule, fearless", [("Animated Corpse", True), ("Fearsome", True), ("Horror", True), ("Slow", False)]
)
def test_horror_does_not_frighten_those_who_know_no_fear(rule, fearless):
    field = Field()
    unit = field.put(BLUE, squad(3, rules=[rule]), 600, 400)
    field.put(RED, squad(3, rules=["Horror"]), 600, 400 + gap(5))
    assert morale(field, unit) == (9 if fearless else 8)


@pytest.mark.rule("k47.special.horror")
@pytest.mark.parametrize("rule, tests", [("Horror", 1), ("Fearsome", 1), ("Slow", 0)])
def test_victims_of_fearsome_assaulters_test_their_nerve(rule, tests):
    field = Field()
    unit = field.put(BLUE, squad(3, rules=[rule]), 600, 400)
    brave = field.put(RED, squad(3, rules=["Immune to Horror"]), 600, 400 + gap(5))
    timid = field.put(RED, squad(3), 800, 400 + gap(5))
    ran = field.run(lambda play: field.rules.assault.horror(play, unit, brave))
    assert ran.result is True
    ran = field.run(lambda play: field.rules.assault.horror(play, unit, timid), [1, 1] * tests)
    assert len(ran.of("Tested")) == tests


@pytest.mark.rule("k47.special.cavalry", "k47.special.motorbikes")
@pytest.mark.parametrize("rule", ["Cavalry", "Motorbikes"])
def test_riders_board_nothing_before_they_dismount(rule):
    field = Field()
    riders = field.put(BLUE, squad(3, rules=[rule]), 600, 400)
    field.put(BLUE, tank("soft-skin", (), mode="wheeled", capacity=12), 600, 560)
    assert field.rules.transports.mountable(field.state, riders, "advance") == []
    answers = {"manner": "dismount bikes", "move": ((600, 410),)}
    ran = field.order(riders, "advance", [], answers, default=usual)
    assert [event.what for event in ran.of("Gained")] == ["dismounts"]
    assert not riders.has(rule) and field.rules.movement.rates(riders)[:2] == (6, 12)
    assert field.rules.transports.mountable(field.state, riders, "advance")


@pytest.mark.rule("k47.cq.who", "k47.special.medic", "k47.special.automaton")
@pytest.mark.parametrize(
    "card, may",
    [
        (tank("light walker", (), rules=["Assault"]), True),
        (tank("light walker", (), rules=["Automaton", "Assault"]), True),
        (tank("light walker", ()), False),
        (squad(3), True),
        (squad(3, rules=["Medic"]), False),
        (squad(3, rules=["Automaton"]), False),
    ],
)
def test_who_may_assault(card, may):
    field = Field()
    assert field.rules.assault.may_assault(field.state, field.put(BLUE, card, 600, 400)) is may


@pytest.mark.rule("k47.morale.nco")
def test_who_has_no_nco_cannot_miss_him():
    field = Field()
    usual_squad = field.put(BLUE, squad(3), 600, 400, nco_lost=True)
    without = field.put(BLUE, squad(3, rules=["No NCO in Unit"]), 900, 400, nco_lost=True)
    assert (morale(field, usual_squad), morale(field, without)) == (8, 9)


@pytest.mark.rule("k47.open.at_weapons", "k47.special.characters", "k47.special.tank_hunters")
@pytest.mark.parametrize(
    "weapon, rules, against_tanks",
    [
        ("Rifle", [], False),
        ("Rifle", ["Tank Hunters"], True),
        ("Panzerfaust", [], True),
        ("Luftfaust", [], False),
        ("Bazooka", [], True),
        ("Flamethrower (Infantry)", [], True),
        ("Tesla Gauntlet", [], True),
    ],
)
def test_what_counts_against_tanks_in_an_assault(weapon, rules, against_tanks):
    field = Field()
    unit = field.put(BLUE, squad(1, weapon, rules=rules), 600, 400)
    assert field.rules.vehicle_assault.has_anti_tank(unit) is against_tanks


@pytest.mark.rule(
    "k47.wrule.flame_top", "k47.wrule.shaped_pen", "k47.wrule.tesla_pen", "k47.special.rail_gun", "k47.armour.long"
)
@pytest.mark.parametrize(
    "weapon, inches, pen",
    [
        ("Flamethrower (Vehicle)", 10, 4),  # 3, and 1 for the top
        ("Panzerschreck", 20, 6),
        ("M17 Tesla Cannon", 30, 7),
        ("Light Rail Gun", 40, 7),
        ("Medium AT Gun", 40, 4),  # 5, less 1 at long range
    ],
)
def test_what_keeps_its_penetration_at_long_range(weapon, inches, pen):
    field = Field()
    a = field.put(BLUE, tank("light tank", (f"Turret-Mounted {weapon}",)), 600, 100, heading=180)
    b = field.put(RED, tank("medium tank", ()), 600, 100 + 53 + inch(inches), heading=0)
    pool = field.pool(a, b)
    assert pool.long and pool.pen == pen


@pytest.mark.rule("k47.vehicle.slow_tough_agile", "k47.special.quirks")
def test_an_agile_figure_lends_its_transport_a_turn():
    field = Field()
    truck = field.put(BLUE, tank("soft-skin", (), mode="wheeled", capacity=12), 600, 400)
    turns = field.rules.movement.drive_limits(field.state, truck, "advance").turns
    field.put(BLUE, squad(1, rules=["Agile"]), place="aboard", carrier=truck.id)
    assert turns == RATES["wheeled"].advance_turns
    assert field.rules.movement.drive_limits(field.state, truck, "advance").turns == turns + 1


@pytest.mark.rule("k47.vehicle.weapon_limits", "k47.special.quirks")
def test_a_loader_fires_only_with_multiple_weapons():
    field = Field()
    men = [{"weapons": ["Anti-tank Rifle"], "gunner": True}, {"weapons": ["Rifle"], "crew": True}]
    for rules, firing in (([], {0}), (["Multiple Weapons"], {0, 1})):
        unit = field.put(BLUE, {"name": "Pair", "men": men, "rules": rules}, 600, 400)
        assert {man for man, _, _ in field.rules.shooting.options_of(field.state, unit, "fire")} == firing


@pytest.mark.rule("k47.special.quirks", "k47.special.flight")
@pytest.mark.parametrize("rule, through", [("Phase Field", True), ("Flight", True), ("Slow", False)])
def test_who_passes_through_what_stops_others(rule, through):
    field = Field({"kind": "water", "at": [20, 18], "size": [10, 2]})
    unit = field.put(BLUE, squad(1, rules=[rule]), inch(25), inch(17))
    problem = field.rules.movement.region(field.state, unit, "advance").why_not(((inch(25), inch(21)),))
    assert (problem is None) is through


@pytest.mark.rule("k47.vehicle.amphibious")
def test_flotation_screens_hide_the_forward_guns_of_a_swimming_vehicle():
    field = Field()
    guns = ("Turret-Mounted Medium AT Gun", "Hull-Mounted Forward-Facing MMG")
    unit = field.put(BLUE, tank(weapons=guns, rules=["Amphibious", "Flotation Screens"]), 600, 400)
    assert {index for _, index, _ in field.rules.shooting.options_of(field.state, unit, "fire")} == {0, 1}
    unit.afloat = True
    assert {index for _, index, _ in field.rules.shooting.options_of(field.state, unit, "fire")} == {0}


@pytest.mark.rule("k47.wrule.howitzer", "k47.wrule.indirect_min")
def test_a_howitzer_has_its_minimum_range_for_indirect_fire_only():
    field = Field()
    howitzer = field.put(BLUE, gun("Light Howitzer"), 600, 200, heading=180)
    target = field.put(RED, squad(5), 600, 200 + gap(15))
    assert field.pool(howitzer, target, way="direct").dice == 1
    with pytest.raises(AssertionError, match="minimum range"):
        field.pool(howitzer, target, way="indirect")


@pytest.mark.rule("k47.wrule.shockwave_line", "k47.cq.pb_fire_detail")
def test_shockwaves_and_fixed_weapons_take_no_part_in_close_quarters():
    field = Field()
    unit = field.put(BLUE, squad(1), 600, 400)
    for special, fires in (((), True), (("Shockwave",), False), (("Fixed",), False)):
        assert field.rules.assault.fires_point_blank(unit, Weapon("Horn", 24, special=special)) is fires


@pytest.mark.rule("k47.vehicle.open_topped", "k47.armour.open_indirect")
def test_indirect_fire_falls_into_open_vehicles():
    field = Field()
    closed = field.put(RED, tank(), 600, 300)
    opened = field.put(RED, tank(rules=["Open-Topped"]), 900, 300)
    for indirect, bonuses in ((False, [0, 0]), (True, [0, 1])):
        wound = Wound(field.state, None, 3, indirect=indirect)
        assert [field.rules.damage.table_bonus(unit, wound) for unit in (closed, opened)] == bonuses
    assert closed.is_enclosed and not opened.is_enclosed


@pytest.mark.rule("k47.vehicle.recce", "k47.move.reverse_recce", "k47.vehicle.misc")
@pytest.mark.parametrize(
    "rules, back, turns",
    [
        ([], 6, 0),
        (["Recce"], 12, 2),
        (["Dual Direction Drive"], 24, 0),
        (["Turn on the Spot"], 24, 0),
        (["Recce", "Dual Direction Drive"], 24, 2),
        (["Dual Direction Drive", "Recce"], 24, 2),
    ],
)
def test_how_vehicles_reverse(rules, back, turns):
    field = Field()
    unit = field.put(BLUE, tank("armoured car", (), mode="wheeled", rules=rules), 600, 400)
    limits = field.rules.movement.drive_limits(field.state, unit, "advance")
    assert (limits.back, limits.back_turns) == (back * 254, turns)
    assert limits.flip_back is ("Turn on the Spot" in rules)


@pytest.mark.rule("k47.vehicle.command", "k47.vehicle.command_senior")
@pytest.mark.parametrize(
    "rules, platoon, bonus",
    [
        (["Command Vehicle"], 1, 1),
        (["Senior Command Vehicle"], 2, 3),
        (["Radio Network", "Command Vehicle"], 1, 2),
        (["Radio Network", "Command Vehicle"], 2, 1),
        (["Radio Network"], 1, 0),
    ],
)
def test_command_vehicles_steady_armour_near_them(rules, platoon, bonus):
    field = Field()
    unit = field.put(BLUE, tank(platoon=1), 600, 400)
    field.put(BLUE, tank(rules=rules, platoon=platoon), 760, 400)
    assert field.rules.morale.command_bonus(field.state, unit)[2] == bonus


@pytest.mark.rule("k47.special.tough_fighters", "k47.weapon.equipment", "k47.wrule.assault_cq")
def test_dice_in_hand_to_hand():
    field = Field()
    dice = {}
    for weapon, rules in (("Rifle", []), ("Rifle", ["Tough Fighters"]), ("Sword", []), ("SMG", [])):
        unit = field.put(BLUE, squad(2, weapon, rules=rules), 600, 400)
        dice[weapon, bool(rules)] = field.rules.assault.attack_dice(unit)
    assert list(dice.values()) == [(2, 0), (0, 2), (0, 2), (4, 0)]


@pytest.mark.rule("k47.wrule.team_one_man", "k47.wrule.shaped_hit", "k47.wrule.assault_move")
def test_modifiers_of_weapons_stand_in_the_order_of_the_table():
    field = Field()
    last = field.put(BLUE, team("Bazooka", 2), 600, 200, men=[0])
    target = field.put(RED, squad(5), 600, 200 + gap(10))
    reasons = [one.rule for one in field.pool(last, target, "advance").because]
    assert reasons == ["k47.shoot.moving", "k47.wrule.shaped_hit", "k47.wrule.team_one_man"]


@pytest.mark.rule("k47.special.horror")
@pytest.mark.parametrize("rule, value", [("Horror", 8), ("Fearsome", 9)])
def test_horror_frightens_friends_too(rule, value):
    field = Field()
    field.put(BLUE, squad(3, rules=[rule]), 600, 400)
    friend = field.put(BLUE, squad(3), 600, 400 + gap(5))
    assert morale(field, friend) == value


@pytest.mark.rule("k47.special.behind_lines")
@pytest.mark.parametrize("rules, edges", [([], 2), (["Deep Strike"], 4)])
def test_a_deep_strike_comes_from_any_edge(rules, edges):
    field = Field(outflanking="on")
    unit = field.put(BLUE, squad(3, rules=rules), place="reserve")
    ran = field.run(lambda play: field.rules.setup.to_reserve(play, unit), answers={"outflank": None})
    assert len(ran.offered["outflank"]) == 1 + edges


@pytest.mark.rule("k47.vehicle.jump")
@pytest.mark.parametrize("rules, offered", [([], None), (["Jump"], ["move", "jump"])])
def test_only_vehicles_that_can_are_offered_a_jump(rules, offered):
    field = Field()
    unit = field.put(BLUE, tank("light walker", (), rules=rules), 600, 400)
    ran = field.run(lambda play: field.rules.movement.manner(play, unit, "run"), answers={"manner": "move"})
    assert ran.offered.get("manner") == offered


@pytest.mark.rule("k47.vehicle.weapon_limits")
@pytest.mark.parametrize(
    "rules, groups", [([], []), (["Multiple Weapons"], [(0, 1)]), (["Crew Carried Weapon"], [(0, 1, 2)])]
)
def test_which_weapons_of_a_carrier_exclude_each_other(rules, groups):
    field = Field()
    guns = ["Hull-Mounted Forward-Facing MMG", "Pintle-Mounted Rear-Facing MMG", "Hull-Mounted Left-Arc MMG"]
    unit = field.put(BLUE, tank("carrier", guns, rules=rules), 600, 400)
    assert [group for group, _ in field.rules.vehicles.alternatives(unit)] == groups


@pytest.mark.rule("k47.cqw.attacks")
def test_the_fists_of_a_walker():
    field = Field()
    for weapons, rules, fists in (((), [], 0), (("Fist", "Fist"), [], 2), (("Fist",), ["Fist"], 2)):
        walker = field.put(BLUE, tank("light walker", weapons, rules=rules), 600, 400)
        assert field.rules.vehicle_assault.fists(walker) == fists
