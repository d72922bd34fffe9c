"""Sight: fractions, heights, area terrain, buildings, models in the way; cover of models and units."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dieselfront.table.measured import (
    ALL_ROUND,
    Body,
    Cover,
    CoverRules,
    Facing,
    MeasuredTable,
    ModelCover,
    Opening,
    SightRules,
    Spotter,
    Stand,
    building,
    centre_arc,
    corner_arc,
    disc,
    eye_of,
    eyes_all_round,
    eyes_at_openings,
    eyes_in_arc,
    half_is_covered,
    house,
    hull,
    inches,
    look_from,
    majority_cover,
    mm,
    model_cover,
    rectangle,
    round_base,
    sees,
    sees_point,
    sight,
    wall,
)
from dieselfront.table.measured.bench import sample_table
from dieselfront.table.measured.geometry import line_enters
from dieselfront.table.measured.kinds import FENCE, HEDGE, HILL, HOUSE, ROCK, SMOKE, TANK_TRAPS, WALL, WOOD
from dieselfront.table.measured.sight import levels, silhouette

MAN = round_base(25)
TANK = hull(60, 110, height=50)
FREEFORM = SightRules(area_depth=inches(4), opening_reach=inches(4), indoor_reach=inches(12))


def a_table(*pieces):
    return MeasuredTable(1800, 1200, pieces)


def look(table, a, b, rules=FREEFORM, **more):
    return sight(table, table.stand(MAN, *a), table.stand(MAN, *b), rules, **more)


def effects(sighting):
    return [(reason.who, reason.effect) for reason in sighting.reasons]


# -- open ground and solid things ---------------------------------------------------------------------------


def test_on_open_ground_all_of_a_model_is_seen():
    found = look(a_table(), (100, 100), (900, 700))
    assert (found.seen, found.clear, found.total) == (15, 15, 15)
    assert found.is_clear and not found.is_half_hidden and found.reasons == ()


def test_a_tall_rock_hides_all_of_a_model_and_says_where():
    found = look(a_table(rectangle("rock", ROCK, 400, 0, 100, 400)), (100, 200), (900, 200))
    assert not found.is_seen
    assert [(r.who, r.effect, r.points, r.hides) for r in found.reasons] == [("rock", "blocks", 15, True)]
    assert found.reasons[0].at[0] == 400


def test_half_a_model_behind_a_corner_is_half_seen():
    table = a_table(rectangle("rock", ROCK, 400, 0, 100, 200))
    found = look(table, (100, 200), (900, 200))
    assert (found.seen, found.total) == (9, 15)  # three of five columns, the grazing middle one among them


def test_a_low_wall_near_the_target_hides_its_legs_only():
    table = a_table(wall("wall", replace(WALL, height=12), [(860, 0), (860, 400)]))
    found = look(table, (100, 200), (900, 200))
    assert (found.seen, found.total) == (10, 15)
    assert effects(found) == [("wall", "blocks")]


def test_from_a_hill_one_looks_over_a_wall():
    low = a_table(wall("wall", WALL, [(500, 0), (500, 400)]))
    high = low.with_piece(rectangle("hill", replace(HILL, height=150), 0, 0, 250, 400))
    assert look(low, (200, 200), (900, 200)).seen < look(high, (200, 200), (900, 200)).seen
    assert high.ground(200, 200) == 150 and high.ground(300, 200) == 0


def test_behind_a_hill_there_is_dead_ground():
    table = a_table(rectangle("hill", HILL, 400, 0, 300, 400))
    assert not look(table, (100, 200), (900, 200)).is_seen
    on_top = look(table, (100, 200), (450, 200))
    far_back = look(table, (100, 200), (690, 200))
    assert on_top.seen > far_back.seen == 0


def test_a_model_on_the_hill_sees_the_plain_and_is_seen_from_it():
    table = a_table(rectangle("hill", HILL, 400, 0, 300, 400))
    man, target = table.stand(MAN, 410, 200), table.stand(MAN, 100, 200)
    assert man.z == 60 and sees(table, man, target) and sees(table, target, man)


# -- area terrain -------------------------------------------------------------------------------------------

WIDE_WOOD = rectangle("wood", WOOD, 400, 0, 300, 600)


def test_a_line_goes_into_area_terrain_and_out_of_it_but_not_across():
    table = a_table(WIDE_WOOD)
    assert effects(look(table, (100, 200), (900, 200))) == [("wood", "through")]
    into = look(table, (100, 200), (450, 200))
    assert into.seen == into.total and into.clear == 0 and effects(into) == [("wood", "area")]
    assert look(table, (450, 200), (100, 200)).is_seen
    assert look(table, (450, 200), (480, 200)).is_seen


def test_more_than_four_inches_of_wood_hide_in_freeform_and_exactly_four_do_not():
    table = a_table(WIDE_WOOD)
    point = SightRules(columns=1, area_depth=mm(100))
    man, deep, deeper = table.stand(MAN, 100, 200), table.stand(MAN, 500, 200), table.stand(MAN, 501, 200)
    assert sight(table, man, deep, point).is_seen
    assert effects(sight(table, man, deeper, point)) == [("wood", "depth")]
    assert sight(table, man, deeper, SightRules(columns=1)).is_seen


def test_depths_of_two_woods_add_up():
    table = a_table(rectangle("w1", WOOD, 400, 0, 100, 600), rectangle("w2", WOOD, 700, 0, 100, 600))
    assert effects(look(table, (425, 200), (775, 200))) == [("w1", "depth")]
    assert look(table, (425, 200), (775, 200), SightRules()).is_seen


def test_thin_woods_are_looked_through_where_the_option_says_so():
    table = a_table(rectangle("w1", WOOD, 400, 0, 50, 600))
    assert not look(table, (100, 200), (900, 200)).is_seen
    assert look(table, (100, 200), (900, 200), replace(FREEFORM, area_through=True)).is_seen


def test_smoke_hides_those_behind_and_not_those_inside():
    table = a_table(disc("smoke", SMOKE, 500, 500, inches(2)))
    assert not look(table, (100, 500), (900, 500)).is_seen
    assert look(table, (100, 500), (500, 500)).is_seen


def test_tank_traps_never_block_sight():
    found = look(a_table(rectangle("traps", TANK_TRAPS, 400, 0, 100, 600)), (100, 200), (520, 200))
    assert found.seen == found.total and found.clear < found.total and effects(found) == [("traps", "screens")]


# -- models in the way --------------------------------------------------------------------------------------


def test_a_tank_blocks_what_it_stands_before_and_says_its_name():
    table = a_table()
    tank = table.stand(TANK, 500, 200, 0, "tiger")
    assert effects(look(table, (100, 200), (900, 200), blockers=[tank])) == [("tiger", "blocks")]
    assert look(table, (100, 200), (900, 200), blockers=[tank]).reasons[0].is_model
    assert look(table, (100, 400), (900, 400), blockers=[tank]).is_clear
    assert look(table, (600, 200), (900, 200), blockers=[tank]).is_clear
    assert look(table, (100, 200), (400, 200), blockers=[tank]).is_clear


def test_a_tank_does_not_hide_behind_itself_nor_block_its_own_eyes():
    table = a_table()
    tank, other = table.stand(TANK, 500, 200), table.stand(TANK, 900, 200)
    assert sight(table, tank, other, blockers=[tank, other]).is_clear


def test_a_line_at_the_height_of_a_wall_passes_over_it():
    table = a_table(wall("wall", WALL, [(500, 0), (500, 400)]))
    assert sees_point(table, (1000, 2000, 250), (9000, 2000, 250))
    assert not sees_point(table, (1000, 2000, 249), (9000, 2000, 250))
    assert not sees_point(table, (1000, 2000, 250), (9000, 2000, 249))


def test_a_round_walker_does_not_hide_itself():
    table = a_table()
    walker = table.stand(round_base(80, height=70), 500, 200)
    assert look_from(table, (1000, 2000, 270), walker, FREEFORM, [walker]).is_clear


def test_a_round_walker_base_blocks_too():
    table = a_table()
    walker = table.stand(round_base(80, height=70), 500, 200)
    assert not look(table, (100, 200), (900, 200), blockers=[walker]).is_seen


def test_a_hull_is_looked_at_along_the_sides_that_face_the_eye():
    table = a_table()
    tank = table.stand(TANK, 500, 500, 0)
    columns = silhouette(5000, 1000, tank, 5)
    assert {y for _, y in columns} == {4450}
    assert [x for x, _ in columns] == [
        5240,
        5120,
        5000,
        4880,
        4760,
    ]  # left to right for an eye that looks down the page
    corner = silhouette(1000, 1000, tank, 5)
    assert all(x == 4700 or y == 4450 for x, y in corner)
    assert any(x == 4700 for x, _ in corner) and any(y == 4450 for _, y in corner)


def test_half_of_a_tank_behind_a_house_corner_is_half_hidden():
    table = a_table(rectangle("rock", ROCK, 300, 0, 150, 300))
    tank = table.stand(TANK, 500, 500, 0)
    assert not sight(table, table.stand(MAN, 600, 100), tank).is_half_hidden
    assert sight(table, table.stand(MAN, 430, 10), tank).is_half_hidden


def test_a_vehicle_may_look_from_any_hull_point_in_its_arc():
    table = a_table(rectangle("rock", ROCK, 440, 250, 55, 50))
    tank, target = table.stand(TANK, 500, 500, 0), table.stand(MAN, 475, 100)
    assert not sees(table, tank, target)
    assert sees(table, tank, target, eyes=eyes_in_arc(tank, corner_arc(Facing.FRONT)))
    assert not sees(table, tank, target, eyes=eyes_in_arc(tank, corner_arc(Facing.LEFT))[:1])
    assert len(eyes_in_arc(tank, ALL_ROUND)) == len(eyes_all_round(tank)) == 9
    assert all(y <= 5000 for _, y, _ in eyes_in_arc(tank, centre_arc(Facing.FRONT)))


# -- buildings ----------------------------------------------------------------------------------------------

COTTAGE = house("house", HOUSE, 500, 400, 300, 200, floors=2)  # doors in the middle of each wall


def inside(table, x, y, floor=0):
    return table.stand_inside(MAN, "house", floor, x, y)


def test_walls_block_and_openings_do_not():
    table = a_table(COTTAGE)
    assert sees(table, inside(table, 650, 420), table.stand(MAN, 650, 300), FREEFORM)
    assert not sees(table, inside(table, 550, 420), table.stand(MAN, 550, 300), FREEFORM)


def test_an_opening_needs_somebody_near_it_in_freeform():
    table = a_table(
        building(
            "house",
            HOUSE,
            [(500, 400), (900, 400), (900, 800), (500, 800)],
            1,
            80,
            [Opening((680, 400), (720, 400), is_door=True)],
        )
    )
    near, far, outside = inside(table, 700, 500), inside(table, 700, 530), table.stand(MAN, 700, 200)
    assert sees(table, near, outside, FREEFORM)
    assert not sees(table, far, outside, FREEFORM)
    assert sees(table, far, outside, SightRules())


def test_ceilings_block_between_floors():
    table = a_table(COTTAGE)
    assert not sees(table, inside(table, 650, 420, 0), inside(table, 650, 500, 1), FREEFORM)
    assert sees(table, inside(table, 650, 420, 1), inside(table, 650, 500, 1), FREEFORM)


def test_sight_ends_after_twelve_inches_in_a_large_building():
    corners = [(100, 100), (900, 100), (900, 900), (100, 900)]
    table = a_table(building("house", HOUSE, corners, 1, 80))
    point = replace(FREEFORM, columns=1)
    assert sight(table, inside(table, 200, 500), inside(table, 504, 500), point).is_seen
    assert effects(sight(table, inside(table, 200, 500), inside(table, 505, 500), point)) == [("house", "reach")]


def test_one_looks_over_a_roof_from_higher_ground():
    table = a_table(COTTAGE, rectangle("hill", replace(HILL, height=400), 0, 0, 300, 1000))
    assert sees(table, table.stand(MAN, 290, 450), table.stand(MAN, 1500, 450))
    assert not sees(a_table(COTTAGE), Body(MAN, 290, 450), Body(MAN, 1500, 450))


def test_a_line_through_two_openings_passes_a_building():
    table = a_table(COTTAGE)
    assert sees(table, table.stand(MAN, 480, 500), table.stand(MAN, 900, 500), FREEFORM)
    assert not sees(table, table.stand(MAN, 300, 500), table.stand(MAN, 1000, 500), FREEFORM)  # nobody near


def test_a_window_is_looked_through_between_sill_and_lintel():
    corners = [(500, 400), (800, 400), (800, 600), (500, 600)]
    windows = [Opening((630, y), (670, y), sill=20, lintel=60) for y in (400, 600)]
    table = a_table(building("house", HOUSE, corners, 1, 80, windows))
    free = [z for z in (10, 20, 30, 60, 70, 80) if sees_point(table, (6500, 3000, z * 10), (6500, 7000, z * 10))]
    assert free == [20, 30, 60, 80]  # at 80 the line runs over the roof


def test_eyes_stand_at_the_openings_of_a_floor():
    table = a_table(COTTAGE)
    eyes = eyes_at_openings(table.piece("house"), 1)
    assert len(eyes) == 4 and all(z == 800 + 270 for _, _, z in eyes)
    target = table.stand(MAN, 650, 200)
    assert [look_from(table, eye, target, SightRules()).is_seen for eye in eyes] == [True, False, False, False]


def test_openings_must_lie_on_a_wall_of_an_existing_floor():
    corners = [(0, 0), (100, 0), (100, 100), (0, 100)]
    with pytest.raises(ValueError, match="does not lie on one of its walls"):
        building("b", HOUSE, corners, 1, 80, [Opening((10, 10), (50, 10))])
    with pytest.raises(ValueError, match="floor 1"):
        building("b", HOUSE, corners, 1, 80, [Opening((10, 0), (50, 0), floor=1)])


# -- properties ---------------------------------------------------------------------------------------------

ROCKS = sample_table(25)
spots = st.tuples(st.integers(0, 1800), st.integers(0, 1200))


@settings(max_examples=80)
@given(spots, spots, st.integers(0, 359), st.booleans())
def test_fractions_are_what_shooting_each_line_at_each_polygon_gives(a, b, heading, is_tank):
    viewer, target = ROCKS.stand(MAN, *a), ROCKS.stand(TANK if is_tank else MAN, *b, heading)
    found = sight(ROCKS, viewer, target)
    x, y, _ = eye_of(viewer)
    polygons = [piece.parts[0].polygon for piece in ROCKS.pieces]
    columns = silhouette(x, y, target, 5)
    seen = sum(not any(line_enters(x, y, *column, polygon) for polygon in polygons) for column in columns)
    assert (found.seen, found.total) == (3 * seen, 3 * len(columns))


@settings(max_examples=80)
@given(spots, spots, st.integers(0, 400), st.integers(0, 400))
def test_a_line_between_two_points_is_the_same_both_ways(a, b, az, bz):
    table = ROCKS.with_piece(WIDE_WOOD).with_piece(COTTAGE).with_piece(wall("hedge", HEDGE, [(900, 100), (1200, 900)]))
    eye, point = (a[0] * 10, a[1] * 10, az * 10), (b[0] * 10, b[1] * 10, bz * 10)
    tank = table.stand(TANK, 700, 700, 30)
    assert sees_point(table, eye, point, FREEFORM, [tank]) == sees_point(table, point, eye, FREEFORM, [tank])


EDGES = SightRules(edge_reach=1000, area_depth=3000, open_buildings=True)


@settings(max_examples=80)
@given(spots, st.lists(spots, min_size=1, max_size=6), st.booleans())
def test_a_spotter_sees_whom_a_whole_look_sees(a, targets, freeform):
    table = ROCKS.with_piece(WIDE_WOOD).with_piece(COTTAGE).with_piece(wall("hedge", HEDGE, [(900, 100), (1200, 900)]))
    rules = FREEFORM if freeform else SightRules()
    viewer = table.stand(MAN, *a)
    spotter = Spotter(table, rules)
    for number, spot in enumerate(targets):
        target = table.stand(TANK if number % 2 else MAN, *spot, 40 * number)
        seen = look_from(table, eye_of(viewer), target, rules, (), viewer).is_seen
        assert spotter.is_seen(eye_of(viewer), viewer, target) is seen


@settings(max_examples=80)
@given(spots, spots, spots, st.integers(0, 359), st.booleans(), st.booleans())
def test_a_quick_look_sees_whom_a_whole_look_sees_past_hulls_too(a, b, c, heading, freeform, hulled):
    table = ROCKS.with_piece(WIDE_WOOD).with_piece(COTTAGE)
    rules = FREEFORM if freeform else EDGES
    viewer = table.stand(TANK if hulled else MAN, *a, heading)
    target, hull_between = table.stand(MAN, *b), table.stand(TANK, *c, heading)
    eyes = eyes_all_round(viewer)
    for blockers in ([], [hull_between], [hull_between, viewer, target]):
        whole = sight(table, viewer, target, rules, blockers, eyes).is_seen
        assert sees(table, viewer, target, rules, blockers, eyes) is whole
        assert sees(table, viewer, target, rules, blockers, eyes) is whole  # from memory


@settings(max_examples=60)
@given(spots, spots)
def test_a_higher_eye_never_sees_less_past_low_walls(a, b):
    table = a_table(wall("w1", WALL, [(300, 100), (800, 900)]), wall("w2", WALL, [(1000, 1000), (1500, 100)]))
    target = Body(MAN, *b)
    seen = [look_from(table, (a[0] * 10, a[1] * 10, z * 10), target, SightRules()).seen for z in (10, 27, 60, 200)]
    assert seen == sorted(seen)


@given(spots, st.integers(0, 359))
def test_points_of_a_silhouette_lie_on_the_model(b, heading):
    for body in (Body(MAN, *b), Body(TANK, *b, heading)):
        for x, y in silhouette(-3000, 2500, body, 5):
            assert (x - body.cx) ** 2 + (y - body.cy) ** 2 <= (body.radius + 1) ** 2
    assert levels(Body(MAN, *b, z=10), 3) == [150, 250, 350]


def test_what_is_remembered_is_what_was_seen():
    table = a_table(WIDE_WOOD)
    first = look(table, (100, 200), (900, 200))
    assert look(table, (100, 200), (900, 200)) == first
    assert look(table, (100, 200), (900, 200)) is look(table, (100, 200), (900, 200))
    assert look(table.without_piece("wood"), (100, 200), (900, 200)).is_clear


# -- cover --------------------------------------------------------------------------------------------------

KONFLIKT = CoverRules(inside=Stand.WHOLLY, own=False)


def cover(table, a, b, rules=KONFLIKT, sight_rules=SightRules()):
    viewer, target = table.stand(MAN, *a), table.stand(MAN, *b)
    return model_cover(table, viewer, target, sight(table, viewer, target, sight_rules), rules)


def test_a_model_behind_a_wall_is_in_its_cover_and_one_before_it_is_not():
    table = a_table(wall("wall", WALL, [(500, 0), (500, 400)]))
    assert cover(table, (100, 200), (530, 200)).grade is Cover.HARD
    assert [(r.who, r.how) for r in cover(table, (100, 200), (530, 200)).reasons] == [("wall", "behind")]
    assert cover(table, (100, 200), (470, 200)).grade is Cover.NONE


def test_the_best_cover_counts_never_the_sum():
    table = a_table(WIDE_WOOD, wall("wall", WALL, [(390, 0), (390, 400)]))
    found = cover(table, (100, 200), (420, 200))
    assert found.grade is Cover.HARD and {r.who for r in found.reasons} == {"wood", "wall"}


def test_a_model_must_be_wholly_in_a_wood_in_one_book_and_only_touch_it_in_another():
    table = a_table(WIDE_WOOD)
    assert cover(table, (100, 200), (405, 200)).grade is Cover.NONE
    assert cover(table, (100, 200), (405, 200), CoverRules(inside=Stand.TOUCH)).grade is Cover.SOFT
    assert cover(table, (100, 200), (388, 200), CoverRules(inside=Stand.TOUCH)).grade is Cover.SOFT
    assert cover(table, (100, 200), (387, 200), CoverRules(inside=Stand.TOUCH)).grade is Cover.NONE
    assert cover(table, (100, 200), (413, 200)).grade is Cover.SOFT


def test_the_wall_a_shooter_lines_does_not_cover_his_target():
    table = a_table(wall("wall", WALL, [(500, 0), (500, 400)]), wall("far", WALL, [(900, 0), (900, 400)]))
    assert cover(table, (487, 200), (800, 200)).grade is Cover.NONE
    assert cover(table, (487, 200), (930, 200)).grade is Cover.HARD
    assert cover(table, (487, 200), (513, 200)).grade is Cover.HARD  # both line the same wall
    assert cover(table, (450, 200), (520, 200)).grade is Cover.HARD


def test_the_wood_a_shooter_stands_in_does_not_cover_his_target():
    table = a_table(WIDE_WOOD)
    assert cover(table, (420, 200), (200, 200)).grade is Cover.NONE
    assert cover(table, (420, 200), (500, 200)).grade is Cover.SOFT


def test_a_fence_screens_and_a_model_out_of_sight_is_covered():
    assert cover(a_table(wall("f", FENCE, [(500, 0), (500, 400)])), (100, 200), (520, 200)).grade is Cover.SOFT
    hidden = cover(a_table(rectangle("rock", ROCK, 400, 0, 100, 400)), (100, 200), (900, 200))
    assert hidden.grade is Cover.HARD and "unseen" in {r.how for r in hidden.reasons}


def test_those_in_a_house_are_in_its_cover():
    table = a_table(COTTAGE)
    viewer, target = table.stand(MAN, 650, 300), inside(table, 650, 420)
    found = model_cover(table, viewer, target, sight(table, viewer, target), KONFLIKT)
    assert found.grade is Cover.HARD
    assert model_cover(table, target, viewer, sight(table, target, viewer), KONFLIKT).grade is Cover.NONE


def covers(*grades):
    return [ModelCover(Cover(grade), ()) for grade in grades]


@pytest.mark.parametrize(
    "grades, expected",
    [
        ([1, 1, 0, 0, 0], True),
        ([1, 0, 0, 0, 0], False),
        ([1, 1, 0, 0], True),
        ([1, 0, 0, 0], False),
        ([0], False),
        ([2], True),
    ],
)
def test_half_of_the_models_rounded_for_the_target_are_enough_in_freeform(grades, expected):
    assert half_is_covered(covers(*grades)) is expected


@pytest.mark.parametrize(
    "rows, expected",
    [
        ([[2, 2, 2, 2, 2, 0, 0, 0]], Cover.HARD),  # five of eight behind a wall
        ([[2, 2, 2, 2, 0, 0, 0, 0]], Cover.NONE),  # four of eight
        ([[2, 2, 1, 0, 0]], Cover.SOFT),  # three of five covered, most of them no better than soft
        ([[2, 2], [0, 0]], Cover.NONE),  # half of the shooters have a clear line
        ([[2, 2], [2, 2], [0, 0]], Cover.HARD),
        ([[1, 1], [2, 2], [1, 1]], Cover.SOFT),
        ([], Cover.NONE),
    ],
)
def test_cover_counts_unless_half_of_the_shooters_have_a_better_line_to_half_of_the_models(rows, expected):
    assert majority_cover([covers(*row) for row in rows]) is expected
