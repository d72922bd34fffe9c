"""Dice, measuring, unit types, formation, sight (k47.core.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.going import CHAIN, Clearance
from dieselfront.rulesets.konflikt47.routes import FootRegion
from dieselfront.rulesets.konflikt47.throws import parse, read, three, two
from rulesets.konflikt47.field import BLUE, RED, Field, gap, gun, squad, tank, team


@pytest.mark.rule("k47.core.dice")
def test_a_three_is_one_as_d2_and_two_as_d3():
    assert (two(3), three(3)) == (1, 2)
    assert (two(4), three(4)) == (2, 2)
    assert [three(face) for face in range(1, 7)] == [1, 1, 2, 2, 3, 3]


@pytest.mark.rule("k47.core.dice")
@pytest.mark.parametrize(
    "notation, faces, total", [("2D6", (3, 4), 7), ("2D6-1", (3, 4), 6), ("D6+1", (5,), 6), ("3D6", (1, 2, 3), 6)]
)
def test_sums_of_dice(notation, faces, total):
    assert read(notation, faces) == total


@pytest.mark.rule("k47.core.dice")
def test_a_plain_number_needs_no_dice_and_nonsense_is_refused():
    assert parse("3") == (0, 6, 3)
    with pytest.raises(ValueError, match="no number of dice"):
        parse("D7")


@pytest.mark.rule("k47.core.measure", "k47.shoot.range")
def test_a_shot_declared_out_of_range_stands_and_all_shots_are_lost():
    field = Field()
    firer = field.put(BLUE, squad(3), 300, 200)
    target = field.put(RED, squad(3), 300, 200 + gap(25))
    ran = field.shoot(firer, target, [])
    assert ran.of("NoShot")[0].reason == "out of range"
    assert not ran.of("Rolled")


@pytest.mark.rule("k47.core.measure")
def test_within_includes_the_exact_distance():
    field = Field()
    a = field.put(BLUE, squad(1), 300, 300)
    b = field.put(RED, squad(1), 300 + 25 + 254, 300)
    assert ground.unit_distance(field.state, a, b) == 2540
    assert ground.within(a, b, 10)
    c = field.put(RED, squad(1), 300 + 25 + 255, 900)
    assert not ground.within(a, c, 10)


@pytest.mark.rule("k47.core.unit_types")
def test_every_unit_is_of_one_of_three_kinds():
    field = Field()
    mortar = field.put(BLUE, team("Medium Mortar"), 300, 300)
    at_gun = field.put(BLUE, gun("Medium AT Gun"), 600, 300)
    walker = field.put(BLUE, tank("light walker"), 900, 300)
    kinds = [(u.is_infantry, u.is_artillery, u.is_vehicle) for u in (mortar, at_gun, walker)]
    assert kinds == [(True, False, False), (False, True, False), (False, False, True)]
    assert at_gun.gun is not None and len(at_gun.men) == 3
    assert walker.is_walker


@pytest.mark.rule("k47.core.coherency")
def test_gaps_of_one_inch_hold_a_unit_together_and_wider_ones_do_not():
    field = Field()
    held = field.put(BLUE, squad(5), 300, 300, pitch=50)  # 25.0 mm between bases
    assert not CHAIN.broken(held.bodies)
    torn = field.put(BLUE, squad(5), 300, 600, pitch=63)
    assert CHAIN.broken(torn.bodies)


@pytest.mark.rule("k47.core.coherency")
def test_a_scattered_unit_is_offered_only_orders_that_restore_it():
    field = Field()
    unit = field.put(BLUE, squad(3), spots=[(300, 300), (330, 300), (460, 300)])
    assert field.rules.orders.legal(field.state, unit) == ["advance", "run", "down"]
    field.order(unit, "advance", answers={"move": ((300, 330),), "target": None})
    assert not CHAIN.broken(unit.bodies)


@pytest.mark.rule("k47.core.coherency")
def test_models_set_down_by_hand_must_form_one_group():
    field = Field()
    unit = field.put(BLUE, squad(2), 300, 300)
    region = FootRegion(Clearance(field.state, unit, False), unit, 1524)
    assert region.why_not(((300, 350), ("models", (300, 350), (340, 350)))) is None
    assert '1" from the others' in region.why_not(((300, 350), ("models", (300, 350), (400, 350))))


@pytest.mark.rule("k47.core.one_inch")
def test_a_move_may_not_end_within_an_inch_of_another_unit():
    field = Field()
    unit = field.put(BLUE, squad(1), 300, 300)
    friend = field.put(BLUE, squad(1), 300, 500)
    region = FootRegion(Clearance(field.state, unit, False), unit, 6 * 2540)
    assert region.why_not(((300, 500 - gap(1.1)),)) is None
    assert 'less than 1"' in region.why_not(((300, 500 - gap(0.8)),))
    assert friend.on_table


@pytest.mark.rule("k47.core.los")
def test_a_tall_wall_hides_and_a_low_one_only_covers():
    tall = {"kind": "high-wall", "line": [[5, 15], [40, 15]]}
    low = {"kind": "hedge", "line": [[5, 15], [40, 15]]}
    for piece, seen in ((tall, False), (low, True)):
        field = Field(piece)
        a = field.put(BLUE, squad(1), 500, 300)
        b = field.put(RED, squad(1), 500, 450)
        assert ground.sees(field.state, a, b) is seen
    assert field.pool(a, b).because and any("soft cover" in item.text for item in field.pool(a, b).because)


@pytest.mark.rule("k47.core.los")
def test_a_vehicle_between_blocks_sight():
    field = Field()
    a = field.put(BLUE, squad(1), 500, 300)
    b = field.put(RED, squad(1), 500, 700)
    assert ground.sees(field.state, a, b)
    field.put(RED, tank("heavy tank"), 500, 500, heading=90)
    assert not ground.sees(field.state, a, b)


HOUSE = {"kind": "building", "at": [17, 16], "size": [6, 4]}


@pytest.mark.rule("k47.core.los")
@pytest.mark.parametrize("option, seen", [("block", False), ("windows", True)])
def test_a_house_between_blocks_sight_unless_the_rules_of_the_house_look_through_windows(option, seen):
    field = Field(HOUSE, buildings_between=option)
    middle = int(20 * 25.4)
    a = field.put(BLUE, squad(1), middle, int(6 * 25.4))
    b = field.put(RED, squad(1), middle, int(30 * 25.4))
    assert ground.sees(field.state, a, b) is ground.sees(field.state, b, a) is seen
    past = field.put(RED, squad(1), middle + 300, int(6 * 25.4))
    assert ground.sees(field.state, a, past)


@pytest.mark.rule("k47.core.los", "k47.building.shoot_from")
def test_those_in_the_house_look_out_of_it_and_are_seen_at_its_windows():
    field = Field(HOUSE)
    inside = field.put(RED, squad(1), int(20 * 25.4), int(18 * 25.4), building=field.state.table.pieces[0].id)
    outside = field.put(BLUE, squad(1), int(20 * 25.4), int(6 * 25.4))
    assert ground.sees(field.state, inside, outside) and ground.sees(field.state, outside, inside)


WOOD = {"kind": "woods", "at": [15, 15], "size": [10, 6]}


@pytest.mark.rule("k47.core.los_area")
def test_a_wood_lets_lines_in_and_out_but_not_across():
    field = Field(WOOD)
    a = field.put(BLUE, squad(1), 500, 300)
    behind = field.put(RED, squad(1), 500, 700)
    inside = field.put(RED, squad(1), 500, 450)
    within_too = field.put(BLUE, squad(1), 430, 500)
    assert not ground.sees(field.state, a, behind)
    assert ground.sees(field.state, a, inside)
    assert ground.sees(field.state, within_too, inside)
    assert any("soft cover" in item.text for item in field.pool(a, inside).because)
    assert any("soft cover" in item.text for item in field.pool(within_too, inside).because)


@pytest.mark.rule("k47.core.los_area")
def test_the_option_woods_block_can_be_switched_off():
    field = Field({**WOOD, "height": 20}, woods_block="off")
    a = field.put(BLUE, squad(1), 500, 300)
    behind = field.put(RED, squad(1), 500, 700)
    assert ground.sees(field.state, a, behind)


@pytest.mark.rule("k47.core.los_area")
def test_low_area_terrain_never_blocks_sight():
    field = Field({**WOOD, "kind": "rubble"})
    a = field.put(BLUE, squad(1), 500, 300)
    behind = field.put(RED, squad(1), 500, 700)
    assert ground.sees(field.state, a, behind)


@pytest.mark.rule("k47.core.los_units", "k47.wrule.indirect_los")
def test_friends_on_the_line_forbid_direct_fire_but_not_indirect():
    field = Field()
    firer = field.put(BLUE, squad(1), 500, 200)
    mortar = field.put(BLUE, team("Light Mortar"), 500, 150, pitch=27)
    friend = field.put(BLUE, squad(3), 470, 400)
    target = field.put(RED, squad(5), 450, 200 + gap(15))
    ran = field.shoot(firer, target, [])
    assert ran.of("NoShot")[0].rule == "k47.core.los_units"
    assert field.pool(mortar, target, way="indirect").dice == 1
    assert friend.on_table


@pytest.mark.rule("k47.core.los_units")
def test_comrades_of_the_own_unit_never_hinder_and_enemies_between_are_soft_cover():
    field = Field()
    firer = field.put(BLUE, squad(2), spots=[(500, 200), (500, 230)])
    target = field.put(RED, squad(5), 450, 200 + gap(15))
    assert field.pool(firer, target).dice == 2
    assert field.need(firer, target) == 4  # long range only
    field.put(RED, squad(5), 450, 400)
    assert field.need(firer, target) == 5
