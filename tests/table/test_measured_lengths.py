"""Lengths, headings and distances of the measured table."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from dieselfront.table.measured import (
    Body,
    cm,
    distance,
    distance_from_centre,
    heading_of,
    hull,
    inches,
    is_completely_within,
    is_nearer,
    is_within,
    mm,
    overlaps,
    round_base,
    show_cm,
    show_inches,
    turn_between,
    unit_distance,
)
from dieselfront.table.measured.angles import COS, SCALE, SIN, box_corners, direction
from dieselfront.table.measured.units import ceil_sqrt_ratio, round_half_up

places = st.integers(0, 1800)
headings = st.integers(0, 359)
MAN = round_base(25)
TANK = hull(60, 110)


@st.composite
def bodies(draw):
    shape = draw(st.sampled_from([MAN, round_base(40), TANK, hull(31, 77), hull(120, 45)]))
    return Body(shape, draw(st.integers(300, 700)), draw(st.integers(300, 700)), draw(headings))


def as_shapely(body):
    if body.corners:
        return shapely.Polygon(body.corners)
    return shapely.Point(body.cx, body.cy)


def test_an_inch_is_254_tenths_of_a_millimetre():
    assert (inches(6), inches("4.5"), inches("1/2"), inches(4.5), cm(10), mm("12.5")) == (
        1524,
        1143,
        127,
        1143,
        1000,
        125,
    )


@pytest.mark.parametrize("value", ["0.25", 0.1, "1/3", "six", "1/0"])
def test_a_length_between_tenths_is_refused_in_one_sentence(value):
    with pytest.raises(ValueError, match=r"in is not a (whole number of tenths|length)"):
        inches(value)


def test_lengths_are_shown_to_people_with_few_decimals():
    assert (show_inches(1651), show_inches(1524), show_inches(3713), show_cm(1000), show_cm(1005)) == (
        '6.5"',
        '6"',
        '14.62"',
        "10 cm",
        "10.1 cm",
    )


@given(st.integers(0, 10**9), st.integers(1, 10**6))
def test_a_rounded_up_root_is_the_smallest_that_is_enough(numerator, denominator):
    root = ceil_sqrt_ratio(numerator, denominator)
    assert root * root * denominator >= numerator
    assert root == 0 or (root - 1) ** 2 * denominator < numerator


@given(st.integers(-(10**6), 10**6), st.integers(1, 1000))
def test_rounding_is_to_the_nearest_and_the_same_on_both_sides_of_zero(numerator, denominator):
    rounded = round_half_up(numerator, denominator)
    assert abs(Fraction(numerator, denominator) - rounded) <= Fraction(1, 2)
    assert round_half_up(-numerator, denominator) == -rounded


def test_sines_made_of_whole_numbers_agree_with_the_library_and_mirror_exactly():
    for degree in range(360):
        assert abs(SIN[degree] - math.sin(math.radians(degree)) * SCALE) <= 0.5000001
        assert abs(COS[degree] - math.cos(math.radians(degree)) * SCALE) <= 0.5000001
        assert COS[degree] == SIN[(degree + 90) % 360] == -SIN[(degree + 270) % 360]
    assert SIN[45] == COS[45]
    assert SIN[30] * 2 == SCALE


@given(headings)
def test_the_heading_of_a_direction_is_that_heading(heading):
    assert heading_of(*direction(heading)) == heading


@given(st.integers(-2000, 2000), st.integers(-2000, 2000))
def test_a_heading_is_the_nearest_whole_degree(dx, dy):
    if dx == 0 and dy == 0:
        with pytest.raises(ValueError):
            heading_of(dx, dy)
        return
    true = math.degrees(math.atan2(dx, -dy)) % 360
    off = abs(heading_of(dx, dy) - true) % 360
    assert min(off, 360 - off) <= 0.5 + 1e-6


def test_turns_are_measured_the_short_way_round():
    assert (turn_between(350, 10), turn_between(10, 350), turn_between(0, 180), turn_between(90, 90)) == (
        20,
        20,
        180,
        0,
    )


@given(st.integers(1, 200), st.integers(1, 200), headings)
def test_a_quarter_turn_moves_hull_corners_exactly_onto_each_other(width, length, heading):
    corners = box_corners(width * 10, length * 10, heading)
    turned = box_corners(width * 10, length * 10, (heading + 90) % 360)
    assert turned == tuple((-y, x) for x, y in corners)


@given(bodies(), bodies())
def test_distances_agree_with_shapely_and_are_rounded_up(a, b):
    gap = as_shapely(a).distance(as_shapely(b))
    gap = max(0.0, gap - (0 if a.corners else a.radius) - (0 if b.corners else b.radius))
    assert distance(a, b) == distance(b, a)
    assert gap - 1e-6 <= distance(a, b) < gap + 1 + 1e-6


@given(bodies(), bodies(), st.integers(0, 6000))
def test_within_and_nearer_are_the_two_sides_of_a_distance(a, b, length):
    assert is_within(a, b, length) == (distance(a, b) <= length)
    assert not is_nearer(a, b, length) or is_within(a, b, length)
    assert is_nearer(a, b, length + 1) == is_within(a, b, length) or distance(a, b) == length + 1


@given(bodies(), bodies())
def test_overlaps_agree_with_shapely(a, b):
    if a.corners and b.corners:
        expected = as_shapely(a).relate_pattern(as_shapely(b), "T********")
    else:
        reach = (0 if a.corners else a.radius) + (0 if b.corners else b.radius)
        gap = as_shapely(a).distance(as_shapely(b))
        if abs(gap - reach) < 1e-6:
            return
        expected = gap < reach
    assert overlaps(a, b) == overlaps(b, a) == expected
    assert not overlaps(a, b) or distance(a, b) == 0


def test_touching_bases_do_not_overlap():
    a, b = Body(MAN, 100, 100), Body(MAN, 125, 100)
    assert distance(a, b) == 0
    assert not overlaps(a, b)
    assert overlaps(a, Body(MAN, 124, 100))


def test_two_one_inch_bases_with_centres_seven_inches_apart_are_six_inches_apart():
    a = Body(round_base(254), 0, 0)  # ten times the size: an inch is no whole number of millimetres
    b = Body(round_base(254), 1778, 0)
    assert distance(a, b) == inches(60)
    assert is_within(a, b, inches(60)) and not is_within(a, b, inches(60) - 1) and not is_nearer(a, b, inches(60))


def test_a_unit_is_as_near_as_its_nearest_model():
    one = [Body(MAN, 100, 100), Body(MAN, 200, 100)]
    other = [Body(MAN, 300, 100), Body(MAN, 400, 100)]
    assert unit_distance(one, other) == mm(75)


places = st.tuples(st.integers(0, 400), st.integers(0, 400), st.sampled_from([20, 25, 40, 0]), st.integers(0, 359))


@given(st.lists(places, min_size=1, max_size=5), st.lists(places, min_size=1, max_size=5))
def test_units_are_as_far_apart_as_their_nearest_models(one, other):
    def bodies(spots):
        return [Body(round_base(size) if size else hull(60, 110), x, y, turn) for x, y, size, turn in spots]

    mine, theirs = bodies(one), bodies(other)
    assert unit_distance(mine, theirs) == min(distance(a, b) for a in mine for b in theirs)


def test_completely_within_needs_the_whole_base():
    centre = Body(MAN, 100, 100)
    assert is_completely_within(Body(MAN, 200, 100), centre, mm(100))
    assert not is_completely_within(Body(MAN, 201, 100), centre, mm(100))
    assert is_within(Body(MAN, 201, 100), centre, mm(100))
    assert not is_completely_within(Body(round_base(200), 100, 100), centre, mm(10))
    assert not is_completely_within(Body(hull(50, 50), 175, 100), centre, mm(87))


def test_a_command_circle_is_measured_from_the_centre_of_the_leader():
    assert distance_from_centre(Body(MAN, 100, 100), Body(MAN, 163, 100)) == 505


@pytest.mark.parametrize("sizes", [(0, 10, 5), (10, -1, 5), (10, 10, -1)])
def test_models_without_extent_are_refused(sizes):
    with pytest.raises(ValueError, match="cannot stand"):
        hull(*sizes)
