"""Sight, range, arcs and cover on the open table (ff.los.*, ff.range.*, ff.arc.*, ff.cover.*, ff.save.*)."""

from __future__ import annotations

import pytest

from dieselfront import rulesets
from dieselfront.rulesets.dust.state import DustState
from dieselfront.rulesets.dust_open.places import at
from dieselfront.table.measured.terrain import Opening
from rulesets.dust1947.table import aircraft, squad, support, vehicle, weapon
from rulesets.freeform1947.field import RED, Field, box, disc, house, hut

RULES = rulesets.load("freeform1947")


def men(count: int = 1, reach: int = 6, **more: object):
    return squad(weapon("Rifle", "1/1", reach), men=count, **more)


def facing_each_other(*pieces: object, gap: int = 400, target: object = None, viewer: object = None):
    """A viewer at the bottom, a target above it, terrain between."""
    field = Field(*pieces)  # type: ignore[arg-type]
    unit = field.put(viewer or men(), (500, 800))  # type: ignore[arg-type]
    foe = field.put(target or men(), (500, 800 - gap), RED)  # type: ignore[arg-type]
    return field, unit, foe


# -- lines ------------------------------------------------------------------------------------------


@pytest.mark.rule("ff.los.trace")
def test_a_tank_sees_from_a_corner_of_its_hull_what_its_middle_does_not():
    field, tank, foe = facing_each_other(box("rock", 488, 600, 24, 20), viewer=vehicle(weapon("Gun", "1/1", 6)))
    assert field.sees(tank, foe)
    field, rifles, foe = facing_each_other(box("rock", 488, 600, 24, 20))
    assert not field.sees(rifles, foe)


@pytest.mark.rule("ff.los.trace")
def test_only_hull_points_inside_the_arc_look_out():
    gun = vehicle(weapon("Gun", "1/1", 6, mount="front"))
    field, tank, foe = facing_each_other(box("rock", 440, 600, 120, 20), gap=420, viewer=gun)
    assert not field.line(tank, foe, "front").visible


@pytest.mark.rule("ff.los.body")
def test_a_model_is_seen_by_part_of_its_body_not_by_the_rim_of_its_base():
    # the body is 15 mm of a 25 mm base: a rock that hides it and leaves the rim free hides the man
    field, unit, foe = facing_each_other(box("rock", 490, 420, 20, 15))
    assert not field.sees(unit, foe)
    field, unit, foe = facing_each_other(box("rock", 498, 420, 20, 15))
    assert field.sees(unit, foe)


@pytest.mark.rule("ff.los.terrain")
def test_a_line_through_a_silo_is_blocked():
    field, unit, foe = facing_each_other(box("structure", 450, 600, 100, 100))
    line = field.line(unit, foe)
    assert not line.visible
    assert line.refusal is not None
    assert line.refusal[0] == "ff.los.terrain"


@pytest.mark.rule("ff.los.terrain", "ff.los.walls")
@pytest.mark.parametrize("kind", ["rock", "structure", "impassable", "hill", "wall"])
def test_nobody_sees_through_solid_terrain(kind: str):
    field, unit, foe = facing_each_other(box(kind, 450, 580, 100, 30))
    assert not field.sees(unit, foe)


@pytest.mark.rule("ff.cover.features", "ff.cover.model")
@pytest.mark.parametrize("kind", ["rock", "ammo_crate", "structure", "low_wall"])
def test_whoever_is_half_hidden_by_a_feature_is_covered(kind: str):
    field, unit, foe = facing_each_other(box(kind, 470, 420, 29, 15))
    line = field.line(unit, foe)
    assert line.visible
    assert line.cover


@pytest.mark.rule("ff.cover.features")
def test_who_stands_at_a_window_is_covered():
    field = Field(hut(400, 400, 200, 100, Opening((480, 500), (520, 500), floor=0)))
    inside = field.put(men(), (500, 480), RED)
    outside = field.put(men(), (500, 700))
    assert field.line(outside, inside).visible
    assert field.line(outside, inside).cover
    assert not field.line(inside, outside).cover


@pytest.mark.rule("ff.los.smoke")
@pytest.mark.parametrize("kind", ["smoke", "fire_smoke"])
def test_smoke_of_shells_and_fires_hides_and_covers(kind: str):
    field, unit, foe = facing_each_other(disc(kind, 500, 600, 50), gap=300)
    assert not field.sees(unit, foe)
    inside = field.put(men(), (500, 600), RED)
    assert field.line(unit, inside).visible
    assert field.line(unit, inside).cover


@pytest.mark.rule("ff.los.infantry_target")
def test_one_man_of_six_in_view_is_enough():
    field = Field(box("rock", 400, 380, 170, 15))
    unit = field.put(men(), (500, 800))
    foe = field.put(men(6), (540, 340), RED, others=[(500, 340), (510, 310), (540, 310), (570, 310), (590, 340)])
    assert field.seen(unit, foe) == [5]
    assert field.may_aim(unit, "Rifle", foe)


@pytest.mark.rule("ff.los.infantry_transparent")
def test_a_squad_between_hides_nobody():
    field, unit, foe = facing_each_other()
    field.put(men(5), (500, 600), RED)
    assert field.sees(unit, foe)


@pytest.mark.rule("ff.los.vehicles_block")
@pytest.mark.parametrize("side", [0, 1])
def test_a_tank_on_the_line_blocks_it(side: int):
    field, unit, foe = facing_each_other()
    field.put(vehicle(), (500, 600), side)
    assert not field.sees(unit, foe)
    assert field.line(unit, foe).refusal[0] == "ff.los.vehicles_block"


@pytest.mark.rule("ff.los.vehicles_block")
def test_aircraft_block_nothing_on_the_ground():
    field, unit, foe = facing_each_other()
    field.put(aircraft(), (500, 600))
    assert field.sees(unit, foe)


@pytest.mark.rule("ff.los.smoke", "ff.open.smoke_area")
def test_smoke_is_a_circle_of_four_inches_that_hides_behind_and_covers_inside():
    field, unit, foe = facing_each_other(gap=300)
    RULES.smoke.place(field.play, (at(500, 600),), "test")
    (smoke,) = field.state.table.pieces_of("smoke")
    low_x, _, high_x, _ = smoke.parts[0].box
    assert high_x - low_x == 1016
    assert not field.sees(unit, foe)
    inside = field.put(men(), (500, 600), RED)
    line = field.line(unit, inside)
    assert line.visible
    assert line.cover


# -- area terrain -------------------------------------------------------------------------------------


@pytest.mark.rule("ff.los.area_length", "ff.los.area_deep")
@pytest.mark.parametrize("inches, seen", [(3, True), (5, False)])
def test_a_target_deep_inside_a_wood_is_hidden(inches: int, seen: bool):
    field, unit, foe = facing_each_other(box("trees", 300, 100, 400, 400 + int(inches * 25.4)), gap=300)
    assert field.sees(unit, foe) is seen


@pytest.mark.rule("ff.los.area_behind", "ff.open.area_through")
def test_a_thin_wood_hides_who_is_behind_it():
    field, unit, foe = facing_each_other(box("trees", 300, 540, 400, 51), gap=300)
    line = field.line(unit, foe)
    assert not line.visible
    assert line.refusal[0] == "ff.los.area_behind"


@pytest.mark.rule("ff.los.area_edge_cover", "ff.area.cover")
@pytest.mark.parametrize("kind, cover", [("trees", True), ("mud", False)])
def test_three_inches_inside_one_is_seen_and_covered_if_the_area_covers(kind: str, cover: bool):
    field, unit, foe = facing_each_other(box(kind, 300, 300, 400, 276), gap=300)
    line = field.line(unit, foe)
    assert line.visible
    assert line.cover is cover


@pytest.mark.rule("ff.open.edge_cover")
def test_an_inch_outside_the_edge_there_is_no_cover():
    field, unit, foe = facing_each_other(box("trees", 300, 300, 400, 162), gap=300)  # the wood begins behind him
    line = field.line(unit, foe)
    assert line.visible
    assert not line.cover


@pytest.mark.rule("ff.open.area_sum")
@pytest.mark.parametrize("each, seen", [(30, True), (76, False)])
def test_all_covering_terrain_on_the_line_is_added_up(each: int, seen: bool):
    field, unit, foe = facing_each_other(
        box("trees", 300, 800 - each, 400, 200), box("trees", 300, 200, 400, 300 + each), gap=300
    )
    assert field.sees(unit, foe) is seen


@pytest.mark.rule("ff.open.tank_trap_sight", "ff.area.tank_traps")
def test_behind_tank_traps_one_is_seen_and_covered():
    field, unit, foe = facing_each_other(box("tank_trap", 300, 540, 400, 60), gap=300)
    line = field.line(unit, foe)
    assert line.visible
    assert line.cover
    field, unit, foe = facing_each_other(box("tank_trap", 300, 540, 400, 60), gap=300, target=vehicle())
    assert not field.line(unit, foe).cover


@pytest.mark.rule("ff.area.tank_traps")
def test_a_squad_among_tank_traps_is_covered():
    field, unit, foe = facing_each_other(box("tank_trap", 450, 450, 100, 100), gap=300)
    assert field.line(unit, foe).cover


@pytest.mark.rule("ff.open.rubble_cover", "ff.cover.features")
def test_flat_rubble_covers_nobody_and_a_heap_those_behind_it():
    field, unit, foe = facing_each_other(box("rubble", 450, 450, 100, 100), gap=300)
    assert not field.line(unit, foe).cover
    field, unit, foe = facing_each_other(box("rubble", 450, 525, 100, 20, height=15), gap=300)
    assert field.line(unit, foe).visible
    assert field.line(unit, foe).cover


# -- walls and buildings --------------------------------------------------------------------------------


@pytest.mark.rule("ff.los.walls")
def test_walls_block_and_their_openings_do_not():
    window = Opening((480, 500), (520, 500), floor=0)
    field = Field(hut(400, 400, 200, 100, window))
    inside = field.put(men(), (500, 470), RED)
    before = field.put(men(), (500, 700))
    beside = field.put(men(), (800, 470))
    assert field.sees(before, inside)
    assert not field.sees(beside, inside)
    assert field.line(beside, inside).refusal[0] == "ff.los.terrain"


@pytest.mark.rule("ff.los.opening")
@pytest.mark.parametrize("behind, seen", [(76, True), (140, False)])
def test_one_of_both_stands_within_range_one_of_the_opening(behind: int, seen: bool):
    window = Opening((480, 500), (520, 500), floor=0)
    field = Field(hut(350, 200, 300, 300, window))
    inside = field.put(men(), (500, 500 - behind - 12), RED)
    outside = field.put(men(), (500, 500 + 165))
    assert field.sees(outside, inside) is seen


@pytest.mark.rule("ff.los.opening")
@pytest.mark.parametrize("before, behind, seen", [(76, 76, True), (76, 250, True), (250, 76, True), (140, 140, False)])
def test_through_a_building_one_or_both_stand_near_an_opening(before: int, behind: int, seen: bool):
    windows = Opening((480, 500), (520, 500), floor=0), Opening((480, 400), (520, 400), floor=0)
    field = Field(hut(400, 400, 200, 100, *windows))
    one = field.put(men(), (500, 500 + before + 12))
    other = field.put(men(), (500, 400 - behind - 12), RED)
    assert field.sees(one, other) is field.sees(other, one) is seen


@pytest.mark.rule("ff.los.large_building")
@pytest.mark.parametrize("gap, seen", [(304, True), (335, False)])
def test_inside_a_hangar_sight_ends_after_twelve_inches(gap: int, seen: bool):
    field = Field(house(100, 100, 900, 400))
    one = field.put(men(), (200, 300))
    other = field.put(men(), (200 + gap + 25, 300), RED)
    assert field.sees(one, other) is seen


@pytest.mark.rule("ff.los.aircraft")
def test_aircraft_and_units_outside_see_each_other_everywhere():
    field, unit, plane = facing_each_other(
        box("structure", 400, 600, 200, 100), box("hill", 300, 300, 400, 100), target=aircraft()
    )
    assert field.sees(unit, plane)
    assert field.sees(plane, unit)


@pytest.mark.rule("ff.los.aircraft_in_building")
@pytest.mark.parametrize("spot, seen", [((500, 470), True), ((500, 280), False)])
def test_an_aircraft_sees_into_a_building_only_through_an_opening_near(spot: tuple[int, int], seen: bool):
    window = Opening((480, 500), (520, 500), floor=0)
    field = Field(hut(350, 200, 300, 300, window))
    inside = field.put(men(), spot, RED)
    plane = field.put(aircraft(weapon("Gun", "1/1", 9)), (500, 800))
    behind = field.put(aircraft(weapon("Gun", "1/1", 9)), (500, 50))
    assert field.sees(plane, inside) is seen
    assert field.sees(inside, plane) is seen
    assert not field.sees(behind, inside)


@pytest.mark.rule("ff.open.aircraft_cover")
@pytest.mark.parametrize("kind, cover", [("low_wall", False), ("trees", True)])
def test_against_aircraft_only_areas_and_buildings_cover(kind: str, cover: bool):
    piece = box("low_wall", 400, 525, 200, 10) if kind == "low_wall" else box(kind, 400, 450, 200, 100)
    field, plane, foe = facing_each_other(piece, gap=300, viewer=aircraft(weapon("Gun", "1/1", 9)))
    assert field.line(plane, foe).cover is cover


# -- range ----------------------------------------------------------------------------------------------


@pytest.mark.rule("ff.range.leader")
def test_range_is_measured_from_the_leader_though_a_man_is_nearer():
    field = Field()
    unit = field.put(men(2, reach=2), (500, 800), others=[(500, 752)])
    near, far = 800 - 279 - 25, 800 - 203 - 25  # 11" and 8" from the leader
    foe = field.put(men(), (500, near), RED)
    assert field.line(unit, foe).distance == 3
    assert not field.may_aim(unit, "Rifle", foe)
    other = field.put(men(), (580, far), RED)
    assert field.line(unit, other).distance == 3
    field.put(men(), (500, far), RED)
    assert field.line(unit, field.state.by_id["b3"]).distance == 2


@pytest.mark.rule("ff.range.target_point")
def test_range_to_a_tank_ends_at_its_hull_and_to_a_gun_at_its_base():
    field = Field()
    unit = field.put(men(reach=1), (500, 800))
    tank = field.put(vehicle(), (500, 800 - 12 - 101 - 35), RED)  # hull 70 mm deep
    assert field.line(unit, tank).distance == 1
    gun = field.put(support(weapon("Mortar", "1/1", 6)), (500, 800 + 12 + 101 + 40), RED)  # base 80 mm
    assert field.line(unit, gun).distance == 1


@pytest.mark.rule("ff.range.all_in")
def test_if_the_nearest_model_is_in_range_all_are():
    field = Field()
    unit = field.put(men(6, reach=3), (500, 800))
    foe = field.put(men(2), (500, 800 - 25 - 304), RED, others=[(500, 800 - 25 - 354)])
    game = field.attack(unit, foe, "AASSSS TT")
    assert not foe.alive
    assert game.hits == 2


@pytest.mark.rule("ff.range.vehicle_from")
@pytest.mark.parametrize("gap, distance", [(254, 3), (306, 4)])
def test_a_vehicle_measures_from_its_hull(gap: int, distance: int):
    field = Field()
    tank = field.put(vehicle(weapon("Gun", "1/1", 6)), (500, 800))
    foe = field.put(men(), (500, 800 - 35 - gap - 12), RED)
    assert field.line(tank, foe).distance == distance


# -- arcs -----------------------------------------------------------------------------------------------


@pytest.mark.rule("ff.arc.infantry")
def test_infantry_fires_behind_itself():
    field = Field()
    unit = field.put(squad(weapon("Rifle", "1/1", 6, mount="front"), men=1), (500, 500), heading=0)
    foe = field.put(men(), (500, 700), RED)
    assert field.may_aim(unit, "Rifle", foe)


def at_angle(degrees: int, mount: str) -> bool:
    from dieselfront.table.measured.angles import step

    field = Field()
    tank = field.put(vehicle(weapon("Gun", "1/1", 6, mount=mount)), (600, 500), heading=0)
    dx, dy = step(degrees, 3000)
    foe = field.put(squad(men=1, armour=1), (600 + dx // 10, 500 + dy // 10), RED)
    return field.may_aim(tank, "Gun", foe)


@pytest.mark.rule("ff.arc.front")
@pytest.mark.parametrize("degrees, inside", [(0, True), (44, True), (315, True), (50, False), (180, False)])
def test_front_weapons_reach_45_degrees_to_either_side(degrees: int, inside: bool):
    assert at_angle(degrees, "front") is inside


@pytest.mark.rule("ff.arc.rear")
@pytest.mark.parametrize("degrees, inside", [(180, True), (222, True), (130, False), (0, False)])
def test_rear_weapons_reach_45_degrees_to_either_side_of_the_rear(degrees: int, inside: bool):
    assert at_angle(degrees, "rear") is inside


@pytest.mark.rule("ff.arc.side", "ff.open.side_arc")
@pytest.mark.parametrize(
    "degrees, inside", [(90, True), (30, True), (150, True), (0, False), (180, False), (270, False)]
)
def test_side_weapons_reach_everything_beyond_the_side_of_the_hull(degrees: int, inside: bool):
    assert at_angle(degrees, "right") is inside
    assert at_angle((360 - degrees) % 360, "left") is inside


@pytest.mark.rule("ff.arc.turret")
@pytest.mark.parametrize("degrees", [0, 90, 135, 180, 300])
def test_turrets_reach_everywhere(degrees: int):
    assert at_angle(degrees, "turret")


@pytest.mark.rule("ff.arc.turn_first")
def test_out_of_arc_one_has_to_move_first():
    field = Field()
    tank = field.put(vehicle(weapon("Gun", "1/1", 6, mount="front"), move=1), (500, 500), heading=0)
    foe = field.put(men(3), (500, 700), RED)
    assert ("attack",) not in field.menu(tank)
    assert ("move", "attack") in field.menu(tank)
    field.activate(tank, "move", "attack", dice="S", move=(500, 500, 180), target=foe)
    assert tank.facing == 180


# -- cover ----------------------------------------------------------------------------------------------


def behind_a_wall(count: int, covered: int):
    """A squad in a row of which so many stand behind a low wall."""
    field = Field(*([box("low_wall", 400 - 15, 420, 30 * covered, 8)] if covered else []))
    unit = field.put(men(6), (415, 800))
    spots = [(400 + 30 * place, 400) for place in range(count)]
    lead = count // 2
    foe = field.put(men(count), spots[lead], RED, others=[spot for place, spot in enumerate(spots) if place != lead])
    return field, unit, foe


@pytest.mark.rule("ff.cover.unit", "ff.open.cover_half", "ff.cover.doubt")
@pytest.mark.parametrize(
    "count, covered, cover", [(5, 2, True), (5, 1, False), (4, 2, True), (4, 1, False), (3, 1, True)]
)
def test_half_of_the_models_rounded_for_the_target(count: int, covered: int, cover: bool):
    field, unit, foe = behind_a_wall(count, covered)
    assert len(field.covered(unit, foe)) == covered
    assert field.line(unit, foe).cover is cover


@pytest.mark.rule("ff.cover.model")
def test_a_model_is_covered_unseen_in_an_area_or_partly_hidden():
    field = Field(box("rock", 370, 420, 40, 15), box("trees", 480, 380, 40, 40), box("ammo_crate", 425, 415, 30, 10))
    unit = field.put(men(), (445, 800))
    foe = field.put(men(5), (440, 400), RED, others=[(395, 400), (500, 400), (470, 360), (440, 370)])
    assert not {1} & set(field.seen(unit, foe))  # behind the rock
    assert set(field.covered(unit, foe)) >= {0, 1, 2}
    assert 3 not in field.covered(unit, foe)


@pytest.mark.rule("ff.cover.limbs")
def test_an_arm_in_view_does_not_uncover_a_man():
    # all of the body is behind the rock, the rim of the base is not: he counts as hidden, so as covered
    field, unit, foe = facing_each_other(box("rock", 490, 420, 20, 15))
    assert field.covered(unit, foe) == [0]


@pytest.mark.rule("ff.cover.vehicle")
def test_some_of_the_hull_hidden_is_enough():
    field, unit, tank = facing_each_other(box("low_wall", 450, 480, 100, 8), gap=370, target=vehicle())
    assert field.line(unit, tank).cover
    field, unit, tank = facing_each_other(gap=370, target=vehicle())
    assert not field.line(unit, tank).cover
    field, unit, tank = facing_each_other(disc("trees", 500, 430, 50), gap=370, target=vehicle())
    assert field.line(unit, tank).cover


@pytest.mark.rule("ff.save.infantry_cover", "ff.open.dice_symbols")
def test_infantry_in_cover_saves_on_army_or_shield():
    field, unit, foe = behind_a_wall(4, 4)
    game = field.attack(unit, foe, "AAAASS ASTT")
    assert game.labels == ["to hit", "cover save"]
    assert game.saved == 2


@pytest.mark.rule("ff.save.infantry", "ff.hit.dice")
def test_infantry_in_the_open_saves_on_army_only():
    field, unit, foe = behind_a_wall(4, 0)
    game = field.attack(unit, foe, "AAAAST ASTT")
    assert game.hits == 4
    assert game.saved == 1


@pytest.mark.rule("ff.save.vehicle_cover")
def test_a_vehicle_saves_in_cover_on_army_and_never_in_the_open():
    gun = squad(weapon("Gun", "3/1", 6), men=1)
    field, unit, tank = facing_each_other(box("low_wall", 450, 480, 100, 8), gap=370, target=vehicle(), viewer=gun)
    game = field.attack(unit, tank, "AAS AS SS")
    assert game.saved == 1
    field, unit, tank = facing_each_other(gap=370, target=vehicle(), viewer=gun)
    game = field.attack(unit, tank, "AAS SS")
    assert game.saved == 0


# -- viewpoints -------------------------------------------------------------------------------------------


@pytest.mark.rule("ff.attack.viewpoint")
def test_a_tank_may_hit_whom_any_point_of_its_hull_sees():
    field = Field(box("rock", 505, 420, 200, 15))
    tank = field.put(vehicle(weapon("Gun", "6/1", 6, mount="turret")), (500, 600))
    foe = field.put(men(5), (500, 400), RED, others=[(470, 400), (440, 400), (530, 400), (560, 400)])
    seen = field.seen(tank, foe)
    assert {0, 1, 2} <= set(seen)
    assert set(field.covered(tank, foe)) >= {4}
    game = field.attack(tank, foe, "AAAAAA TTTTTT")
    assert game.hits == 6
    assert len(foe.main.alive) == 5 - len(seen)


@pytest.mark.rule("ff.attack.viewpoint", "ff.los.trace")
def test_a_support_weapon_looks_from_anywhere_on_its_base():
    field, gun, foe = facing_each_other(
        box("rock", 488, 600, 24, 20), viewer=support(weapon("Mortar", "1/1", 6), men=3)
    )
    assert field.sees(gun, foe)


def test_what_was_judged_once_is_judged_alike_after_a_vehicle_moved():
    field, unit, foe = facing_each_other()
    assert field.sees(unit, foe)
    tank = field.put(vehicle(), (500, 600))
    assert not field.sees(unit, foe)
    RULES.ground.put(field.state, tank, at(800, 600), None)
    assert field.sees(unit, foe)
    assert isinstance(field.state, DustState)
