"""Shooting: who, at whom, from where, and what the dice need (k47.shoot.*)."""

from __future__ import annotations

import pytest

from dieselfront import odds
from dieselfront.dice.plan import Score
from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.firing import damage_throw
from rulesets.konflikt47.field import BLUE, RED, Field, gap, gun, squad, tank, team


def duel(inches: float = 10, blue: dict | None = None, red: dict | None = None, *terrain, **given):
    field = Field(*terrain)
    a = field.put(BLUE, blue or squad(5), 600, 300, heading=180, **given)
    b = field.put(RED, red or squad(5), 600, 300 + gap(inches), order="fire")
    return field, a, b


@pytest.mark.rule("k47.shoot.sequence")
def test_the_seven_steps_come_in_order():
    field = Field()
    a = field.put(BLUE, squad(4), 600, 300)
    b = field.put(RED, squad(4), 600, 300 + gap(10))
    ran = field.shoot(a, b, [6, 6, 1, 1, 5, 5, 1, 1], answers={"reaction": None, "casualties": (0, 1)})
    kinds = [type(event).__name__ for event in ran.events]
    wanted = ["Declared", "Hit", "Rolled", "Rolled", "Casualties", "Pinned", "Tested"]
    assert kinds == wanted
    assert ran.asked.index("reaction") < ran.asked.index("casualties")


@pytest.mark.rule("k47.shoot.who")
def test_only_models_that_see_the_target_shoot():
    field = Field({"kind": "high-wall", "line": [[23.2, 14], [40, 14]]})
    firer = field.put(BLUE, squad(8), 520, 300)
    target = field.put(RED, squad(1), 500, 300 + gap(6))
    pools, _ = field.rules.shooting.pools(field.state, firer, target, list(shots_of(field, firer, target)), "fire")
    seen = sum(1 for body in firer.bodies if ground.look(field.state, firer, body, target, target.bodies[0], ()).seen)
    assert 0 < seen < 8
    assert sum(pool.dice for pool in pools) == seen


def shots_of(field: Field, unit, target):
    from dieselfront.rulesets.konflikt47.firing import Shot

    return [
        Shot(man, index, target.id, way)
        for man, index, way in field.rules.shooting.options_of(field.state, unit, "fire")
    ]


@pytest.mark.rule("k47.shoot.who")
def test_models_may_hold_fire():
    field, a, b = duel(8, squad(men=[{"weapons": ["Rifle"]}, {"weapons": ["Rifle", "SMG"]}]))
    ran = field.shoot(a, b, [1], answers={"weapons": (None,)})
    assert ran.of("Hit")[0].dice == 1


@pytest.mark.rule("k47.shoot.one_target", "k47.wrule.one_shot")
def test_a_squad_shoots_at_one_unit_but_a_panzerfaust_may_pick_a_vehicle():
    field = Field()
    a = field.put(
        BLUE, squad(men=[{"weapons": ["Rifle"], "count": 2}, {"weapons": ["Rifle", "Panzerfaust"]}]), 600, 300
    )
    b = field.put(RED, squad(5), 600, 300 + gap(10), order="fire")
    c = field.put(RED, tank(), 900, 400, heading=90, order="fire")
    answers = {"weapons": ((1, "", c.id),), "next target": [b.id]}
    ran = field.shoot(a, b, [1, 1, 1], answers=answers)
    assert {(weapon, at) for weapon, at, _ in ran.of("Declared")[0].shots} == {("Rifle", b.id), ("Panzerfaust", c.id)}
    assert a.weapons_of(2) == [0]
    assert "Panzerfaust" not in [
        a.weapon(i).name for m, i, _ in field.rules.shooting.options_of(field.state, a, "fire")
    ]
    with pytest.raises(IllegalChoice):
        field.shoot(a, b, [], answers={"target": (b.id, c.id)})


@pytest.mark.rule("k47.shoot.vehicle_weapons", "k47.shoot.multi_targets")
def test_a_tank_fires_each_weapon_at_its_own_target_but_not_gun_and_coaxial_together():
    field = Field()
    guns = ["Turret-Mounted Medium AT Gun", "Coaxial MMG", "Hull-Mounted Forward-Facing MMG"]
    a = field.put(BLUE, tank(weapons=guns), 600, 300, heading=180)
    walker = field.put(RED, tank("light walker", ()), 900, 500, order="fire")
    men = field.put(RED, squad(5), 560, 300 + 54 + gap(8))
    answers = {"weapons": ((walker.id, "AT"), None, (men.id, "")), "next target": [men.id], "reaction": None}
    ran = field.run(lambda play: field.rules.shooting.shoot(play, a, "fire"), [6, 1, 1, 1, 1, 1], answers)
    assert men.pins == 1 and walker.pins == 0
    assert ran.asked.index("reaction") < ran.asked.index("next target")
    agree = field.rules.vehicles.agree
    refused = agree(field.state, a, [0, 1, 2], ((walker.id, "AT"), (men.id, ""), None))
    assert isinstance(refused, IllegalChoice) and refused.rule == "k47.shoot.vehicle_weapons"


@pytest.mark.rule("k47.shoot.multi_targets")
def test_each_target_may_react_before_any_die():
    field = Field()
    a = field.put(
        BLUE, tank(weapons=["Turret-Mounted Medium AT Gun", "Hull-Mounted Forward-Facing MMG"]), 600, 300, heading=180
    )
    first = field.put(RED, squad(5), 560, 500)
    second = field.put(RED, squad(5), 560, 560)
    answers = {
        "weapons": ((first.id, "HE"), (second.id, "")),
        "reaction": ["go down", "go down"],
        "next target": [first.id],
    }
    ran = field.run(lambda play: field.rules.shooting.shoot(play, a, "fire"), [1, 1, 1, 1, 1], answers)
    kinds = [type(event).__name__ for event in ran.events]
    assert kinds[:5] == ["Declared", "Reacted", "DieTurned", "Reacted", "DieTurned"]


@pytest.mark.rule("k47.shoot.arcs", "k47.wrule.fixed_arc")
def test_hull_weapons_fire_into_their_quadrant_and_turrets_all_round():
    field = Field()
    a = field.put(BLUE, tank(weapons=["Turret-Mounted Medium AT Gun", "Hull-Mounted Forward-Facing MMG"]), 900, 600)
    ahead = field.put(RED, squad(1), 900, 300)
    aside = field.put(RED, squad(1), 900 + 260, 600 - 150)  # 60 degrees off the nose
    bears = field.rules.shooting.bears
    turret, hull = a.card.weapons
    assert bears(field.state, a, hull, ahead) and not bears(field.state, a, hull, aside)
    assert bears(field.state, a, turret, aside)
    mmg = field.put(BLUE, team("MMG"), 300, 600, heading=0)
    behind = field.put(RED, squad(1), 330, 900)
    partly = field.put(RED, squad(3), 300 + 205, 600 - 200)  # touches the 45 degree line
    assert not bears(field.state, mmg, mmg.card.weapons[0], behind)
    assert bears(field.state, mmg, mmg.card.weapons[0], partly)


@pytest.mark.rule("k47.shoot.range")
def test_every_shooter_measures_for_himself():
    field = Field()
    a = field.put(BLUE, squad(5), spots=[(600, 300), (630, 300), (660, 300), (600, 200), (630, 200)])
    b = field.put(RED, squad(5), 600, 300 + gap(22), order="fire")
    assert field.shoot(a, b, [1, 1, 1]).of("Hit")[0].dice == 3


@pytest.mark.rule("k47.shoot.min_range", "k47.wrule.indirect_min")
@pytest.mark.parametrize(
    "weapon, inches, shot", [("Medium Mortar", 12, False), ("Light Mortar", 11, False), ("Light Mortar", 13, True)]
)
def test_inside_the_minimum_range_nothing_hits(weapon, inches, shot):
    field, a, b = duel(inches, team(weapon))
    ran = field.shoot(a, b, [1] if shot else [], answers={"weapons": ((0, "indirect", b.id),)})
    assert bool(ran.of("Rolled")) is shot
    if not shot:
        assert ran.of("NoShot")[0].rule == "k47.wrule.indirect_min"


MODIFIERS = [
    ("k47.shoot.point_blank", {"inches": 5}, 2),
    ("k47.shoot.long", {"inches": 13}, 4),
    ("k47.pin.to_hit", {"pins": 2}, 5),
    ("k47.shoot.inexperienced", {"blue": squad(5, quality="inexperienced")}, 4),
    ("k47.shoot.small", {"red": squad(2)}, 4),
]


@pytest.mark.rule(
    "k47.shoot.mods", "k47.shoot.point_blank", "k47.shoot.long", "k47.shoot.inexperienced", "k47.shoot.small"
)
@pytest.mark.parametrize("rule, situation, need", MODIFIERS)
def test_each_line_of_the_hit_modifiers(rule, situation, need):
    inches = situation.pop("inches", 10) if "inches" in situation else 10
    field, a, b = duel(inches, situation.get("blue"), situation.get("red"), pins=situation.get("pins", 0))
    pool = field.pool(a, b)
    assert pool.need == need
    assert [item.rule for item in pool.because] == [rule]


@pytest.mark.rule("k47.shoot.mods")
def test_modifiers_add_up():
    field, a, b = duel(13, squad(5, quality="inexperienced"))
    assert field.need(a, b, "advance") == 6


@pytest.mark.rule("k47.shoot.point_blank_def")
@pytest.mark.parametrize("inches, need", [(6.0, 2), (6.1, 3)])
def test_point_blank_reaches_six_inches(inches, need):
    field, a, b = duel(inches)
    assert field.need(a, b) == need


@pytest.mark.rule("k47.shoot.long_def")
@pytest.mark.parametrize("weapon, inches, need", [("Rifle", 12.0, 3), ("Rifle", 12.2, 4), ("SMG", 7, 4)])
def test_long_range_is_more_than_half_the_range(weapon, inches, need):
    field, a, b = duel(inches, squad(5, weapon))
    assert field.need(a, b) == need


@pytest.mark.rule("k47.shoot.moving", "k47.wrule.assault_move")
@pytest.mark.parametrize(
    "weapon, how, need", [("Rifle", "advance", 4), ("SMG", "advance", 4), ("Rifle", "fire", 3), ("Rifle", "ambush", 3)]
)
def test_fire_on_the_move_costs_one_but_not_for_assault_weapons(weapon, how, need):
    field, a, b = duel(8, squad(5, weapon))
    assert field.need(a, b, how) == need  # the SMG pays for long range only


@pytest.mark.rule("k47.shoot.down", "k47.vehicle.orders")
def test_down_protects_troops_and_not_vehicles():
    field = Field()
    a = field.put(BLUE, squad(5), 600, 300)
    crew = field.put(RED, gun("Medium AT Gun"), 600, 300 + gap(12), order="down")
    armour = field.put(RED, tank("armoured car", ()), 1000, 500, order="down")
    assert "k47.shoot.down" in [item.rule for item in field.pool(a, crew).because]
    assert "k47.shoot.down" not in [item.rule for item in field.pool(a, armour).because]


@pytest.mark.rule("k47.shoot.small_def")
@pytest.mark.parametrize(
    "card, small", [(squad(3), False), (squad(2), True), (gun("Light AT Gun", 2), True), (tank(), False)]
)
def test_one_or_two_models_are_a_small_unit(card, small):
    field = Field()
    assert field.put(RED, card, 600, 300).is_small is small


WALL = {"kind": "wall", "line": [[20, 24], [29.7, 24]]}


@pytest.mark.rule("k47.shoot.cover", "k47.shoot.cover_def")
@pytest.mark.parametrize("behind, need", [(5, 5), (4, 3)])
def test_five_of_eight_behind_a_wall_are_in_hard_cover_and_four_are_not(behind, need):
    field = Field({"kind": "wall", "line": [[20, 24], [(600 + 30 * behind - 15) / 25.4, 24]]})
    a = field.put(BLUE, squad(8), 600, 620 - gap(10))
    b = field.put(RED, squad(8), 600, 620 + 25, order="fire")
    b_y = b.bodies[0].y
    ground.stand(field.state.table, b, [(600 + 30 * n, b_y) for n in range(8)])
    assert field.need(a, b) == need


@pytest.mark.rule("k47.shoot.cover_def")
def test_half_of_a_unit_wholly_inside_a_wood_is_always_in_its_cover():
    field = Field({"kind": "woods", "at": [10, 22], "size": [17.5, 8]})
    a = field.put(BLUE, squad(8), 590, 300)
    b = field.put(RED, squad(8), 590, 580, order="fire")
    inside = sum(body.x + 13 <= 10 * 25.4 + 17.5 * 25.4 for body in b.bodies)
    assert inside == 4
    assert field.need(a, b) == 4


@pytest.mark.rule("k47.shoot.cover")
def test_a_wall_inside_a_wood_counts_once():
    field = Field({"kind": "woods", "at": [10, 24.2], "size": [40, 8]}, {"kind": "wall", "line": [[10, 24], [50, 24]]})
    a = field.put(BLUE, squad(5), 600, 645 - gap(11))
    b = field.put(RED, squad(5), 600, 645, order="fire")
    assert field.need(a, b) == 5


@pytest.mark.rule("k47.shoot.cover_own")
def test_a_wall_the_shooter_lines_does_not_cover_his_target():
    field = Field({"kind": "wall", "line": [[10, 12.3], [50, 12.3]]})
    a = field.put(BLUE, squad(5), 600, 296)
    b = field.put(RED, squad(5), 600, 296 + gap(10), order="fire")
    assert field.need(a, b) == 3
    second = Field(
        {"kind": "wall", "line": [[10, 12.3], [50, 12.3]]}, {"kind": "wall", "line": [[10, 21.9], [50, 21.9]]}
    )
    a = second.put(BLUE, squad(5), 600, 296)
    b = second.put(RED, squad(5), 600, 296 + gap(10), order="fire")
    assert second.need(a, b) == 5


@pytest.mark.rule("k47.shoot.cover_vehicle")
def test_a_vehicle_is_in_cover_when_half_of_it_is_hidden():
    for height, need in ((30, 5), (8, 3)):
        field = Field({"kind": "wall", "line": [[10, 24], [50, 24]], "height": height})
        a = field.put(BLUE, team("HMG"), 600, 400, heading=180)
        b = field.put(RED, tank(), 630, 700, order="fire")
        assert field.need(a, b) == need


@pytest.mark.rule("k47.shoot.nat1")
def test_a_rolled_one_always_misses():
    field, a, b = duel(5, squad(1, rules=["Sniper"]))
    pool = field.pool(a, b)
    assert pool.need == 1
    assert pool.throw().faces == 0b111110


@pytest.mark.rule("k47.shoot.impossible", "k47.open.impossible")
@pytest.mark.parametrize("pins", [4, 6])
def test_needing_more_than_six_takes_two_sixes(pins):
    field, a, b = duel(10, squad(3), pins=pins)
    pool = field.pool(a, b)
    assert pool.need > 6
    assert pool.throw().chance() == pytest.approx(1 / 36)
    ran = field.shoot(a, b, [6, 6, 5, 6, 5, 1])
    assert ran.of("Rolled")[0].successes == 1


@pytest.mark.rule("k47.shoot.simultaneous")
def test_all_hits_then_all_damage_then_casualties():
    field, a, b = duel(8, squad(10), squad(3))
    ran = field.shoot(a, b, [6] * 10 + [5] * 10)
    assert [len(event.stages[0][1]) for event in ran.of("Rolled")] == [10, 10]
    assert not b.alive


@pytest.mark.rule("k47.shoot.base")
def test_the_odds_read_the_same_plan_as_play():
    field, a, b = duel(10)
    pool = field.pool(a, b)
    shots = field.rules.shooting.first_choices(field.state, a, b)
    plan = field.rules.shooting.plan(field.state, a, b, shots)
    scores = [stage for stage in plan.stages if isinstance(stage, Score)]
    assert [stage.kind for stage in scores] == ["hit", "damage", "exceptional"]
    assert scores[0].throw.key() == pool.throw().key() and scores[0].throw.chance() == pytest.approx(2 / 3)
    assert scores[1].throw.chance() == damage_throw(4, pool.pen, "damage").chance()
    found = odds.evaluate(plan)
    assert found.mean_hits == pytest.approx(5 * 2 / 3) and found.capacity == len(b.men)
