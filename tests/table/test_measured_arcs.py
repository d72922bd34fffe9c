"""Arcs, facings and templates."""

from __future__ import annotations

import math

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from dieselfront.table.measured import (
    ALL_ROUND,
    Body,
    Disc,
    Facing,
    Strip,
    arc_polygons,
    centre_arc,
    corner_arc,
    facing_shot_at,
    facings_at,
    flame_strip,
    flame_tape,
    hull,
    in_arc,
    inches,
    mm,
    muzzle,
    on_line,
    point_in_arc,
    round_base,
    side_arc,
    teardrop,
    touched,
)
from dieselfront.table.measured.arcs import grid_points
from dieselfront.table.measured.geometry import is_convex

MAN = round_base(25)
SPECK = round_base(1)
TANK = Body(hull(60, 110), 900, 600, 0)
headings = st.integers(0, 359)


def at(bearing, far, heading=0):
    """A point of so many mm at a bearing from the tank (tenths)."""
    angle = math.radians(bearing + heading)
    return round(9000 + far * 10 * math.sin(angle)), round(6000 - far * 10 * math.cos(angle))


@given(headings, st.integers(0, 359), st.integers(200, 1500))
def test_centre_quadrants_are_ninety_degrees_each(heading, bearing, far):
    if bearing % 90 == 45:
        return
    tank = TANK.at(900, 600, heading)
    expected = Facing(((bearing + 45) // 90) % 4)
    assert facings_at(tank, *at(bearing, far, heading), from_centre=True) == (expected,)


def test_a_point_exactly_on_the_diagonal_is_in_both_quadrants():
    assert facings_at(TANK, 9000 + 3000, 6000 - 3000, from_centre=True) == (Facing.FRONT, Facing.RIGHT)


@given(headings, st.integers(-1500, 1500), st.integers(-1500, 1500))
def test_corner_quadrants_run_out_at_45_degrees_from_the_corners(heading, right, ahead):
    tank = TANK.at(900, 600, heading)
    angle = math.radians(heading)
    x = 9000 + 10 * (ahead * math.sin(angle) + right * math.cos(angle))
    y = 6000 - 10 * (ahead * math.cos(angle) - right * math.sin(angle))
    beside, before = abs(right) - 30, abs(ahead) - 55
    if abs(beside - before) < 2 or (beside < 2 and before < 2):
        return
    if before > beside:
        expected = Facing.FRONT if ahead > 0 else Facing.REAR
    else:
        expected = Facing.RIGHT if right > 0 else Facing.LEFT
    assert facings_at(tank, round(x), round(y)) == (expected,)


@pytest.mark.parametrize("bearing, inside", [(0, True), (44, True), (46, False), (180, False)])
def test_the_front_arc_is_45_degrees_either_side(bearing, inside):
    assert point_in_arc(TANK, centre_arc(Facing.FRONT), *at(bearing, 600)) is inside


def test_the_side_arc_is_everything_beyond_the_side():
    right = side_arc(Facing.RIGHT)
    assert point_in_arc(TANK, right, *at(90, 300)) and not point_in_arc(TANK, right, *at(0, 300))
    assert point_in_arc(TANK, right, 9301, 2000) and not point_in_arc(TANK, right, 9299, 2000)
    assert in_arc(TANK, ALL_ROUND, Body(MAN, 1, 1))


def test_a_target_partly_in_the_arc_is_in_it():
    edge = Body(MAN, 900 + 30 + 300, 600 - 55 - 290)  # its centre is 7 mm outside the line, its base is not
    assert not point_in_arc(TANK, corner_arc(Facing.FRONT), edge.cx, edge.cy)
    assert in_arc(TANK, corner_arc(Facing.FRONT), edge)
    assert not in_arc(TANK, corner_arc(Facing.FRONT), edge.at(edge.x + 20, edge.y + 20))


def test_guns_on_round_bases_have_arcs_from_the_centre():
    gun = Body(round_base(60), 900, 600, 0)
    assert in_arc(gun, corner_arc(Facing.FRONT), Body(MAN, 1100, 399))
    assert not in_arc(gun, corner_arc(Facing.FRONT), Body(MAN, 1130, 399))


@given(headings)
def test_arcs_are_clockwise_and_convex(heading):
    tank = TANK.at(900, 600, heading)
    for arc in (corner_arc(*Facing), centre_arc(*Facing), side_arc(*Facing)):
        assert all(is_convex(polygon) for polygon in arc_polygons(tank, arc))


@pytest.mark.parametrize(
    "x, y, facing",
    [(900, 1000, Facing.REAR), (900, 200, Facing.FRONT), (1300, 500, Facing.RIGHT), (500, 500, Facing.LEFT)],
)
def test_the_side_hit_is_the_quadrant_of_the_shooter(x, y, facing):
    assert facing_shot_at(TANK, Body(MAN, x, y)) is facing
    assert facing_shot_at(TANK, Body(hull(50, 90), x, y, 77)) is facing


def test_a_shooter_astride_the_line_counts_where_most_of_him_is():
    on_the_line = Body(round_base(60), 900 + 30 + 300, 600 - 55 - 300)
    assert facing_shot_at(TANK, on_the_line) is Facing.FRONT  # equal shares: better for the target
    rear = Body(round_base(60), 900 + 30 + 300, 600 + 55 + 300)
    assert facing_shot_at(TANK, rear) is Facing.RIGHT
    assert facing_shot_at(TANK, on_the_line.at(on_the_line.x + 10, on_the_line.y)) is Facing.RIGHT
    assert facing_shot_at(TANK, on_the_line.at(on_the_line.x - 10, on_the_line.y)) is Facing.FRONT


@given(headings, st.booleans())
def test_grid_points_lie_on_the_model_and_balance(heading, is_round):
    body = Body(round_base(40), 900, 600) if is_round else TANK.at(900, 600, heading)
    points = grid_points(body)
    assert len(points) >= 49
    assert all((x - body.cx) ** 2 + (y - body.cy) ** 2 <= body.radius**2 for x, y in points)
    assert sum(x - body.cx for x, _ in points) == sum(y - body.cy for _, y in points) == 0


def test_a_muzzle_is_the_middle_of_the_front():
    assert muzzle(TANK) == (9000, 6000 - 550)
    assert muzzle(Body(MAN, 900, 600, 90)) == (9125, 6000)


# -- templates ----------------------------------------------------------------------------------------------


def test_a_blast_touches_a_base_at_its_rim():
    blast = Disc(500, 500)
    men = [Body(MAN, 500 + x, 500) for x in (0, 40, 63, 64)]
    assert touched(blast, men) == [0, 1, 2]
    assert blast.covers(men[0]) and not blast.covers(men[1])
    assert touched(blast, [Body(hull(60, 110), 580, 500), Body(hull(60, 110), 581, 500)]) == [0]


def test_a_strip_half_an_inch_wide_touches_within_a_quarter_inch_of_its_line():
    strip = Strip((100, 100), (300, 100), inches("1/2"))
    points = [Body(SPECK, 200, 100 + dy) for dy in (6, 7)]  # a speck reaches half a millimetre
    assert touched(strip, points) == [0]
    assert Strip((100, 100), (300, 100), mm(13)).touches(points[1])


def test_a_bare_line_touches_whom_it_passes_through():
    men = [Body(MAN, 200, 112), Body(MAN, 200, 113), Body(MAN, 90, 100), Body(MAN, 87, 100)]
    assert on_line((100, 100), (300, 100), men) == [men[0], men[2]]
    assert on_line((100, 100), (300, 100), men, near=mm(1)) == men


def test_a_flame_burns_those_on_the_tape_and_under_the_template():
    flame = flame_tape((100, 100), (300, 100))
    men = [Body(MAN, 200, 118), Body(MAN, 200, 119), Body(MAN, 350, 100), Body(MAN, 364, 100)]
    assert touched(flame, men) == [0, 2]


@given(headings)
def test_flame_templates_have_their_length_and_width(heading):
    strip = shapely.Polygon(flame_strip((900, 600), heading, mm(200), mm(50)).corners)
    assert abs(strip.area - 2000 * 500) < 3000
    drop = shapely.Polygon(teardrop((900, 600), heading, inches(8), inches(3)).corners)
    assert drop.is_valid and is_convex(teardrop((900, 600), heading, inches(8), inches(3)).corners)
    far = max(math.dist((9000, 6000), corner) for corner in drop.exterior.coords)
    assert abs(far - inches(8)) < 3


def test_a_flame_strip_reaches_eighteen_centimetres_and_not_twenty_one():
    flame = flame_strip((500, 500), 0, mm(200), mm(50))
    assert touched(flame, [Body(SPECK, 500, 320), Body(SPECK, 500, 290), Body(SPECK, 526, 400)]) == [0]
