"""Paths, drives, terrain by the part inside, reach, straight moves."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from dieselfront.table.measured import (
    NO_ENTRY,
    Ahead,
    Body,
    Chain,
    Crowd,
    Going,
    Keep,
    MeasuredTable,
    Opening,
    Pivot,
    Places,
    building,
    distance,
    drive,
    drive_reach,
    farthest,
    house,
    hull,
    inches,
    mm,
    overlaps,
    path_length,
    place_unit,
    reach,
    rectangle,
    road,
    round_base,
    runs_on,
    step_away,
    step_towards,
    stretches_inside,
    walk,
    wall,
)
from dieselfront.table.measured.bench import sample_table
from dieselfront.table.measured.kinds import HOUSE, MUD, ROAD, ROCK, SWAMP, WALL
from dieselfront.table.measured.movement import swept

MAN = round_base(25)
TANK = hull(60, 110)
SLOW = Going({"mud": 2, "swamp": 3, "rock": NO_ENTRY})
spots = st.tuples(st.integers(50, 1750), st.integers(50, 1150))


def a_table(*pieces):
    return MeasuredTable(1800, 1200, pieces)


def whats(result):
    return [(problem.what, problem.who) for problem in result.problems]


# -- length -------------------------------------------------------------------------------------------------


@given(st.lists(spots, min_size=1, max_size=6))
def test_a_path_is_as_long_as_its_legs(path):
    true = sum(math.dist(a, b) for a, b in pairwise(path)) * 10
    assert true - 1e-6 <= path_length(path) < true + 1.06


@given(spots, spots, st.integers(0, 20_000))
def test_a_straight_path_is_within_a_length_exactly_when_it_is(a, b, limit):
    square = 100 * ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2)
    assert (path_length([a, b]) <= limit) == (square <= limit * limit)


def test_six_inches_are_allowed_and_a_millimetre_more_is_not():
    table = a_table()
    man = table.stand(MAN, 100, 100)
    assert walk(table, man, [(100, 100), (252, 100)], limit=inches(6)).is_legal
    assert whats(walk(table, man, [(100, 100), (253, 100)], limit=inches(6))) == [("too far", None)]


def test_a_way_round_a_corner_is_measured_along_the_way():
    table = a_table()
    man = table.stand(MAN, 100, 100)
    assert walk(table, man, [(100, 100), (200, 100), (200, 177)], limit=inches(6)).problems
    assert walk(table, man, [(100, 100), (200, 177)], limit=inches(6)).is_legal


# -- terrain ------------------------------------------------------------------------------------------------


def test_only_the_stretch_inside_slow_terrain_costs_double():
    table = a_table(rectangle("mud", MUD, 200, 0, 100, 300))
    way = walk(table, table.stand(MAN, 150, 100), [(150, 100), (350, 100)], SLOW)
    assert (way.length, way.cost, way.entered) == (mm(200), mm(300), ("mud",))


def test_where_slow_pieces_overlap_the_slower_one_counts_once():
    table = a_table(rectangle("mud", MUD, 200, 0, 100, 300), rectangle("swamp", SWAMP, 250, 0, 100, 300))
    way = walk(table, table.stand(MAN, 150, 100), [(150, 100), (400, 100)], SLOW)
    assert way.cost == mm(250) + mm(50) * 1 + mm(100) * 2


@settings(max_examples=60)
@given(st.lists(spots, min_size=2, max_size=4))
def test_the_cost_of_a_path_is_its_length_and_its_stretches_inside_once_more(path):
    table = a_table(rectangle("mud", MUD, 300, 200, 700, 300), rectangle("more", MUD, 900, 400, 300, 500))
    way = walk(table, table.stand(MAN, *path[0]), path, SLOW)
    mud = shapely.union_all([shapely.Polygon(piece.parts[0].polygon) for piece in table.pieces])
    tenths = [(x * 10, y * 10) for x, y in path]
    legs = [shapely.LineString(ends) for ends in pairwise(tenths)]
    inside = sum(mud.intersection(leg).length for leg in legs)
    edge = sum(mud.boundary.intersection(leg).length for leg in legs)  # along an edge is not inside
    length = sum(leg.length for leg in legs)
    assert length + inside - edge - 0.1 <= way.cost <= length + inside + 1.1


def test_stretches_inside_tell_outside_and_inside_in_turn():
    table = a_table(rectangle("mud", MUD, 200, 0, 100, 300))
    assert stretches_inside(table, [(150, 100), (250, 100), (350, 100)], ["mud"]) == [
        (mm(50), False),
        (mm(100), True),
        (mm(50), False),
    ]


def test_a_base_may_touch_what_it_may_not_enter():
    table = a_table(rectangle("rock", ROCK, 200, 0, 100, 300))
    man = table.stand(round_base(20), 100, 100)
    assert walk(table, man, [(100, 100), (190, 100)], SLOW).is_legal
    assert whats(walk(table, man, [(100, 100), (191, 100)], SLOW)) == [("terrain", "rock")]
    assert whats(walk(table, man, [(100, 100), (150, 309), (350, 309)], SLOW)) == [("terrain", "rock")]
    assert walk(table, man, [(100, 100), (150, 310), (350, 310)], SLOW).is_legal


def test_single_pieces_can_be_barred_or_allowed():
    table = a_table(rectangle("rock", ROCK, 200, 0, 100, 300), rectangle("mud", MUD, 400, 0, 100, 300))
    man = table.stand(MAN, 100, 100)
    path = [(100, 100), (600, 100)]
    assert walk(table, man, path, Going({"rock": NO_ENTRY}, allowed=("rock",))).is_legal
    assert whats(walk(table, man, path, Going(barred=("mud",)))) == [("terrain", "mud")]


def test_a_table_edge_stops_every_model():
    table = a_table()
    assert whats(walk(table, table.stand(MAN, 100, 100), [(100, 100), (10, 100)])) == [("off table", None)]


def test_a_whole_path_on_roads_runs_on_roads():
    table = a_table(road("r1", ROAD, [(100, 100), (600, 100), (600, 600)], width=100))
    assert runs_on(table, [(110, 100), (600, 110), (590, 500)], ["road"])
    assert not runs_on(table, [(110, 100), (500, 200), (600, 500)], ["road"])
    assert not runs_on(table, [(110, 100)], ["road"])


def test_walls_of_a_house_are_passed_at_doors_only():
    table = a_table(house("house", HOUSE, 500, 400, 300, 200))
    man = table.stand(MAN, 650, 300)
    doors, windows, closed = Going(walls="doors"), Going(walls="openings"), Going(walls="closed")
    assert walk(table, man, [(650, 300), (650, 500)], doors).is_legal
    assert whats(walk(table, man, [(650, 300), (560, 500)], doors)) == [("wall", "house")]
    assert walk(table, man, [(650, 300), (650, 500)], windows).is_legal
    assert walk(table, man, [(650, 300), (650, 500)], closed).problems
    assert walk(table, man, [(650, 300), (560, 500)], Going()).is_legal


def test_a_window_is_an_opening_and_no_door():
    corners = [(500, 400), (800, 400), (800, 600), (500, 600)]
    table = a_table(building("house", HOUSE, corners, 1, 80, [Opening((630, 400), (670, 400), sill=10)]))
    man, path = table.stand(MAN, 650, 300), [(650, 300), (650, 500)]
    assert walk(table, man, path, Going(walls="openings")).is_legal
    assert whats(walk(table, man, path, Going(walls="doors"))) == [("wall", "house")]


# -- others -------------------------------------------------------------------------------------------------


def test_a_path_keeps_its_distance_from_others():
    table = a_table()
    man, enemy = table.stand(MAN, 100, 100), table.stand(MAN, 300, 150, key="enemy")
    straight = [(100, 100), (500, 100)]  # passes 25 mm from the enemy's base
    assert walk(table, man, straight, avoid=[Keep(enemy)]).is_legal
    assert walk(table, man, straight, avoid=[Keep(enemy, mm(24))]).is_legal
    assert whats(walk(table, man, straight, avoid=[Keep(enemy, mm(25))])) == [("model", "enemy")]
    assert walk(table, man, straight, avoid=[Keep(enemy, mm(25), strict=False)]).is_legal
    assert whats(walk(table, man, [(100, 100), (500, 150)], avoid=[Keep(enemy)])) == [("model", "enemy")]


@settings(max_examples=80)
@given(
    spots,
    spots,
    spots,
    st.integers(0, 359),
    st.integers(0, 359),
    st.sampled_from([MAN, TANK]),
    st.sampled_from([MAN, TANK]),
)
def test_sweeping_past_others_agrees_with_shapely(a, b, c, heading, other_heading, shape, other_shape):
    table = a_table()
    body, other = Body(shape, *a, heading), Body(other_shape, *c, other_heading)
    if shape is MAN:
        ground = shapely.LineString([(a[0] * 10, a[1] * 10), (b[0] * 10, b[1] * 10)])
    else:
        ground = shapely.Polygon(swept(body, body.at(*b)))
        assert ground.is_valid and ground.exterior.is_ccw  # clockwise on the page, where y runs down
    there = shapely.Polygon(other.corners) if other.corners else shapely.Point(other.cx, other.cy)
    gap = ground.distance(there) - (body.radius if shape is MAN else 0) - (other.radius if other_shape is MAN else 0)
    if abs(gap) < 1e-6 or abs(gap - 254) < 1e-6:
        return
    blocked = [p for p in walk(table, body, [a, b], avoid=[Keep(other)]).problems if p.what == "model"]
    assert bool(blocked) == (gap < 0)
    blocked = [p for p in walk(table, body, [a, b], avoid=[Keep(other, inches(1))]).problems if p.what == "model"]
    assert bool(blocked) == (gap <= 254)


def test_a_hull_may_slide_along_another_and_not_over_it():
    table = a_table()
    tank, other = table.stand(TANK, 500, 800, 0), table.stand(TANK, 560, 500, 0, "other")
    assert walk(table, tank, [(500, 800), (500, 300)], avoid=[Keep(other)]).is_legal  # sides touch all the way
    assert whats(walk(table, tank, [(500, 800), (501, 300)], avoid=[Keep(other)])) == [("model", "other")]
    assert whats(walk(table, tank, [(500, 800), (500, 300)], avoid=[Keep(other, mm(1))])) == [("model", "other")]


# -- driving ------------------------------------------------------------------------------------------------


def test_four_inches_a_right_turn_and_five_more_are_nine_inches_with_one_turn():
    table = a_table()
    tank = table.stand(TANK, 500, 500, 0)
    way = drive(table, tank, [Ahead(inches(4)), Pivot(90), Ahead(inches(5))], limit=inches(9), turns=1)
    assert way.is_legal and (way.ahead, way.back, way.turns, way.cost) == (inches(9), 0, 1, inches(9))
    assert (way.end.x, way.end.y, way.end.heading) == (500 + 127, 500 - 101, 90)  # never further than paid for


def test_too_far_too_often_and_too_wide_are_told_apart():
    table = a_table()
    tank = table.stand(TANK, 900, 600, 0)
    assert whats(drive(table, tank, [Ahead(inches(10))], limit=inches(9))) == [("too far", None)]
    assert whats(drive(table, tank, [Pivot(10), Pivot(10)], turns=1)) == [("too many turns", None)]
    assert whats(drive(table, tank, [Pivot(91)], turns=1)) == [("turn too wide", None)]


def test_reversing_is_driving_backwards_without_turning():
    table = a_table()
    way = drive(table, table.stand(TANK, 500, 500, 90), [Ahead(-inches("4.5"))])
    assert (way.end.x, way.end.y, way.end.heading, way.back, way.ahead) == (386, 500, 90, inches("4.5"), 0)


@given(st.integers(0, 359), st.integers(0, 4000))
def test_a_hull_never_gets_further_than_it_paid_for(heading, length):
    tank = Body(TANK, 900, 600, heading)
    end = drive(a_table(), tank, [Ahead(length)]).end
    assert 100 * ((end.x - 900) ** 2 + (end.y - 600) ** 2) <= length * length
    assert math.dist((end.x, end.y), (900, 600)) * 10 > length - 15


def test_a_turning_hull_sweeps_its_corners():
    table = a_table(rectangle("rock", ROCK, 540, 440, 40, 20))
    tank = table.stand(TANK, 500, 500, 0)
    assert whats(drive(table, tank, [Pivot(90)], SLOW)) == [("terrain", "rock")]
    assert drive(table, tank, [Pivot(-90)], SLOW).is_legal
    other = table.stand(MAN, 560, 460, key="man")
    assert whats(drive(a_table(), tank, [Pivot(90)], avoid=[Keep(other)])) == [("model", "man")]


def test_a_drive_charges_slow_terrain_and_names_what_it_crossed():
    table = a_table(rectangle("mud", MUD, 400, 300, 200, 100), wall("wall", WALL, [(400, 250), (600, 250)]))
    way = drive(table, table.stand(TANK, 500, 500, 0), [Ahead(mm(300))], SLOW)
    assert way.cost == mm(400) and set(way.entered) == {"mud", "wall"}


def test_the_choices_of_a_drive_are_legal_different_and_in_fixed_order():
    table = a_table(rectangle("rock", ROCK, 450, 250, 100, 80))
    tank = table.stand(TANK, 500, 500, 0)
    choices = drive_reach(table, tank, inches(9), 1, SLOW)
    assert all(choice.is_legal and choice.turns <= 1 and choice.cost <= inches(9) for choice in choices)
    ends = [(c.end.x, c.end.y, c.end.heading) for c in choices]
    assert len(set(ends)) == len(ends) > 50
    assert ends == [(c.end.x, c.end.y, c.end.heading) for c in drive_reach(table, tank, inches(9), 1, SLOW)]
    straight = drive_reach(table, tank, inches(18), 0, SLOW)
    assert max(c.ahead for c in straight) == inches(3)  # the rock is near


# -- straight moves -----------------------------------------------------------------------------------------


@given(spots, spots, st.integers(0, 5000))
def test_a_step_towards_a_point_is_straight_and_not_too_long(a, b, length):
    moved = step_towards(Body(MAN, *a), *b, length)
    assert 100 * ((moved.x - a[0]) ** 2 + (moved.y - a[1]) ** 2) <= length**2
    whole = math.dist(a, b) * 10
    assert math.dist(a, (moved.x, moved.y)) * 10 > min(whole, length) - 15
    off = shapely.LineString([a, b]).distance(shapely.Point(moved.x, moved.y)) if a != b else 0
    assert off < 1.5


def test_a_step_away_goes_the_other_way():
    moved = step_away(Body(MAN, 500, 500), 500, 400, inches(12))
    assert (moved.x, moved.y) == (500, 804)


def test_a_flight_stops_before_terrain_and_models_and_edge():
    table = a_table(rectangle("rock", ROCK, 700, 0, 100, 1200))
    man = table.stand(MAN, 500, 500)
    assert farthest(table, man, 1000, 500, SLOW).x == 687
    enemy = table.stand(MAN, 600, 500)
    assert farthest(table, man, 1000, 500, SLOW, [Keep(enemy, inches(1))]).x == 549
    assert farthest(table, man, -500, 500).x == 13
    ends = Places(table, crowd=Crowd([Keep(table.stand(MAN, 640, 505))]))
    assert farthest(table, man, 650, 500, ends=ends).x == 615


# -- reach --------------------------------------------------------------------------------------------------


def test_on_open_ground_everything_within_the_distance_is_in_reach():
    table = a_table()
    found = reach(table, table.stand(MAN, 600, 600), inches(6))
    expected = {
        (600 + 12 * i, 600 + 12 * j)
        for i in range(-13, 14)
        for j in range(-13, 14)
        if 100 * 144 * (i * i + j * j) <= inches(6) ** 2
    }
    assert {(x, y) for x, y, _ in found.spots} == expected
    assert found.covers(752, 600) and not found.covers(753, 600)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 40), spots)
def test_every_spot_in_reach_has_a_path_that_may_be_walked(seed, spot):
    table = sample_table(40, seed).with_piece(rectangle("mud", MUD, 300, 300, 900, 500))
    man = table.stand(MAN, *spot)
    enemy = table.stand(MAN, spot[0] + 60, spot[1] + 40)
    if any(piece.kind.id == "rock" and piece.overlaps(man) for piece in table.pieces):
        return
    avoid = [Keep(enemy, inches(1))]
    found = reach(table, man, inches(6), SLOW, avoid, step=24)
    for x, y, cost in found.spots:
        path = found.path_to(x, y)
        assert path is not None and path[0] == spot and path[-1] == (x, y)
        way = walk(table, man, path, SLOW, inches(6), avoid)
        assert way.is_legal, way.problems
        assert way.cost <= cost


def test_reach_goes_round_corners_and_costs_the_detour():
    table = a_table(rectangle("rock", ROCK, 600, 500, 20, 200))
    found = reach(table, table.stand(MAN, 570, 600), inches(12), SLOW)
    path = found.path_to(650, 600)
    assert path is not None and len(path) > 2
    detour = walk(table, table.stand(MAN, 570, 600), path, SLOW)
    best = 2 * math.hypot(100 + 12.5, 30) + 20  # about: round the nearer end
    assert detour.is_legal and detour.length < best * 10 * 1.1
    assert reach(table, table.stand(MAN, 570, 600), inches(6), SLOW).path_to(650, 600) is None


def test_the_outline_of_reach_is_closed_and_holds_every_spot():
    table = a_table(rectangle("rock", ROCK, 600, 500, 60, 60))
    found = reach(table, table.stand(MAN, 560, 600), inches(6), SLOW)
    rings = [shapely.Polygon(ring) for ring in found.outline()]
    assert all(ring.is_valid for ring in rings)
    outer = max(rings, key=lambda ring: ring.area)
    assert all(outer.contains(shapely.Point(x, y)) for x, y, _ in found.spots)
    covered = sum(ring.area if ring.exterior.is_ccw else -ring.area for ring in rings)
    assert abs(abs(covered) - len(found.spots) * 144) < 1


def test_ends_are_the_spots_where_one_may_stop():
    table = a_table()
    other = table.stand(MAN, 650, 600)
    law = Places(table, crowd=Crowd([Keep(other, inches(1))]))
    found = reach(table, table.stand(MAN, 600, 600), inches(6))
    ends = found.ends(law)
    assert 0 < len(ends) < len(found.spots)
    assert all(distance(table.stand(MAN, x, y), other) > inches(1) for x, y, _ in ends)


def test_a_unit_placed_and_moved_does_not_overlap():
    table = a_table(rectangle("rock", ROCK, 600, 500, 60, 60))
    unit = place_unit(MAN, 8, 560, 500, Places(table, ["rock"]), Chain(inches(1)))
    assert unit is not None
    assert not any(overlaps(a, b) for i, a in enumerate(unit) for b in unit[:i])


@pytest.mark.parametrize("limit", [0, 5])
def test_a_model_that_cannot_move_reaches_only_where_it_stands(limit):
    table = a_table()
    found = reach(table, table.stand(MAN, 600, 600), limit)
    assert found.spots == [(600, 600, 0)] and found.path_to(600, 600) == [(600, 600)]
