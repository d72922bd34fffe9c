"""Exact plane geometry against Shapely, and the index against asking every polygon."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from dieselfront.table.measured import MeasuredTable, Piece, Sight, TerrainKind, speed
from dieselfront.table.measured.angles import step
from dieselfront.table.measured.batch import Batch
from dieselfront.table.measured.bench import sample_lines, sample_table
from dieselfront.table.measured.geometry import (
    LINE,
    comes_nearer,
    convex_parts,
    double_area,
    is_convex,
    is_simple,
    line_enters,
    merge,
    point_in_polygon,
    segment_polygon_square,
    stretches,
)
from dieselfront.table.measured.index import LineIndex
from dieselfront.table.measured.kinds import ROCK

small = st.integers(0, 12)


@st.composite
def stars(draw, low=0, high=12_000):
    """Simple polygons round a centre, clockwise, corners at rising angles."""
    x, y = draw(st.integers(low, high)), draw(st.integers(low, high))
    count = draw(st.integers(4, 9))
    turn = draw(st.integers(0, 359))
    points = []
    for i in range(count):
        dx, dy = step(turn + 360 * i // count, draw(st.integers(60, 2500)))
        points.append((x + dx, y + dy))
    return tuple(points)


@st.composite
def lattice_polygons(draw):
    """Polygons on a coarse lattice: corners on lines and edges along lines happen all the time."""
    points = draw(st.lists(st.tuples(small, small), min_size=3, max_size=7, unique=True))
    if not is_simple(points) or double_area(points) == 0:
        points = [(2, 2), (9, 2), (9, 9), (5, 5), (2, 9)]
    return tuple(points) if double_area(points) > 0 else tuple(reversed(points))


lines = st.tuples(*[st.integers(-3000, 15_000)] * 4)


@given(stars(), lines)
def test_a_line_enters_a_polygon_when_shapely_says_so(polygon, line):
    if not shapely.Polygon(polygon).is_valid:
        return
    ax, ay, bx, by = line
    expected = shapely.Polygon(polygon).relate_pattern(shapely.LineString([(ax, ay), (bx, by)]), "T********")
    assert line_enters(*line, polygon) == expected
    assert bool(stretches(*line, polygon)) == expected
    assert line_enters(bx, by, ax, ay, polygon) == expected


@settings(max_examples=400)
@given(lattice_polygons(), st.tuples(small, small, small, small))
def test_lines_through_corners_and_along_edges_are_judged_exactly(polygon, line):
    ax, ay, bx, by = line
    if (ax, ay) == (bx, by):
        return
    expected = shapely.Polygon(polygon).relate_pattern(shapely.LineString([(ax, ay), (bx, by)]), "T********")
    assert line_enters(*line, polygon) == expected
    index = LineIndex([polygon])
    assert (index.first_entered(*line) == 0) == expected


@given(stars(), lines)
def test_stretches_inside_are_as_long_as_shapely_says(polygon, line):
    shape = shapely.Polygon(polygon)
    if not shape.is_valid:
        return
    ax, ay, bx, by = line
    whole = shapely.LineString([(ax, ay), (bx, by)])
    inside = sum(end - start for start, end in stretches(*line, polygon)) * whole.length / LINE
    assert abs(inside - shape.intersection(whole).length) < 0.01


def test_a_stretch_is_never_overstated():
    square = ((1016, 0), (2032, 0), (2032, 5000), (1016, 5000))
    ((start, end),) = stretches(0, 77, 7000, 77, square)
    assert (end - start) * 7000 <= 1016 * LINE < (end - start + 2) * 7000


def test_a_stretch_that_begins_at_a_corner_is_rounded_inwards_too():
    diamond = ((1000, 0), (2000, -1000), (3000, 0), (2000, 1000))
    ((start, end),) = stretches(0, 0, 7000, 0, diamond)
    assert 0 <= start * 7 - LINE < 7 and 0 <= 3 * LINE - end * 7 < 7


@given(lattice_polygons(), small, small)
def test_points_are_inside_on_or_outside_as_shapely_says(polygon, x, y):
    shape, point = shapely.Polygon(polygon), shapely.Point(x, y)
    expected = 1 if shape.contains(point) else 0 if shape.touches(point) else -1
    assert point_in_polygon(x, y, polygon) == expected


@given(lattice_polygons())
def test_convex_pieces_fill_the_polygon_exactly(polygon):
    pieces = convex_parts(polygon)
    assert all(is_convex(piece) and double_area(piece) > 0 for piece in pieces)
    assert sum(double_area(piece) for piece in pieces) == double_area(polygon)


@given(st.lists(st.tuples(small, small), min_size=3, max_size=6))
def test_simple_outlines_are_those_shapely_calls_valid(points):
    expected = (
        len(set(points)) == len(points) and shapely.LinearRing(points).is_simple if len(set(points)) > 2 else False
    )
    if expected and not shapely.Polygon(points).is_valid:
        return  # flat outlines: refused by their area
    assert is_simple(points) == expected or double_area(points) == 0


def test_merged_stretches_do_not_overlap():
    assert merge([(5, 9), (0, 2), (2, 3), (8, 12)]) == [(0, 3), (5, 12)]


def assert_all_ways_agree(polygons, asked):
    """Asking every polygon, the index, a batch and compiled code: all name the highest polygon entered."""
    index = LineIndex(polygons)
    expected = [max((i for i, p in enumerate(polygons) if line_enters(*line, p)), default=-1) for line in asked]
    rows = np.array(asked, dtype=np.int64)
    assert [index.first_entered(*line) for line in asked] == expected
    assert Batch(index).last_entered(rows).tolist() == expected
    if speed.use_compiled():
        try:
            assert [index.first_entered(*line) for line in asked] == expected
            assert Batch(index).last_entered(rows).tolist() == expected
        finally:
            speed.use_pure()


@settings(max_examples=60, deadline=None)
@given(st.lists(stars(), min_size=1, max_size=70), st.lists(lines, min_size=1, max_size=12))
def test_index_batch_and_compiled_code_name_the_same_polygon_as_asking_them_all(polygons, asked):
    polygons = [polygon for polygon in polygons if is_simple(polygon) and double_area(polygon) > 0]
    assert_all_ways_agree(polygons, asked)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(lattice_polygons(), min_size=1, max_size=5),
    st.lists(st.tuples(small, small, small, small), min_size=1, max_size=20),
)
def test_they_agree_on_lines_through_corners_and_along_edges_too(polygons, asked):
    assert_all_ways_agree(polygons, asked)


def test_a_corner_grazed_does_not_end_the_search():
    grazed = ((5, 5), (9, 9), (5, 9))
    entered = ((0, 3), (4, 3), (4, 7), (0, 7))
    assert_all_ways_agree([entered, grazed], [(0, 5, 10, 5), (10, 5, 0, 5)])
    assert_all_ways_agree([entered, (*grazed[1:], grazed[0])], [(0, 5, 10, 5), (10, 5, 0, 5)])


@settings(max_examples=60)
@given(st.lists(stars(), min_size=1, max_size=20), st.integers(0, 12_000), st.integers(0, 12_000), lines)
def test_a_fan_misses_no_polygon_that_one_of_its_lines_enters(polygons, cx, cy, line):
    index = LineIndex(polygons)
    x, y, radius = line[0], line[1], 600
    near = index.near_fan(x, y, cx, cy, radius, index.all_parts)
    for heading in range(0, 360, 15):
        dx, dy = step(heading, radius)
        for number, polygon in enumerate(polygons):
            if line_enters(x, y, cx + dx, cy + dy, polygon):
                assert near >> number & 1


def test_a_fan_reaches_to_the_rim_of_its_target_in_every_direction():
    cx, cy, radius = 9000, 9000, 2500
    for rim in range(0, 360, 5):
        dx, dy = step(rim, radius - 30)
        x, y = cx + dx, cy + dy
        index = LineIndex([((x - 15, y - 15), (x + 15, y - 15), (x + 15, y + 15), (x - 15, y + 15))])
        for bearing in range(0, 360, 15):
            ex, ey = step(bearing, 8000)
            assert index.near_fan(cx + ex, cy + ey, cx, cy, radius, 1)


def test_lattice_lines_on_the_sample_table_agree_with_shapely_in_all_three_ways():
    table, rows = sample_table(), sample_lines(2000)
    union = shapely.union_all([shapely.Polygon(piece.parts[0].polygon) for piece in table.pieces])
    made = shapely.linestrings(rows.reshape(-1, 2, 2) * 10)
    expected = [not shapely.relate_pattern(union, line, "T********") for line in made]
    assert table.are_clear(rows).tolist() == expected
    assert [table.is_clear(*(int(v) for v in row)) for row in rows] == expected
    assert 0.1 < sum(expected) / len(expected) < 0.9


def test_a_grazing_line_is_clear_and_a_line_a_hair_further_in_is_not():
    table = MeasuredTable(600, 600, [Piece("rock", ROCK, [[(100, 100), (200, 100), (200, 200), (100, 200)]])])
    assert table.is_clear(50, 100, 300, 100)
    assert table.is_clear(100, 50, 100, 300)
    assert table.is_clear(0, 200, 200, 0)
    assert not table.is_clear(50, 101, 300, 101)
    assert not table.is_clear(150, 150, 160, 160)


@pytest.mark.parametrize(
    "outline",
    [
        [(0, 0), (100, 0)],
        [(0, 0), (100, 0), (200, 0)],
        [(0, 0), (100, 100), (100, 0), (0, 100)],
        [(0, 0), (100, 0), (100, 0), (0, 0)],
    ],
)
def test_an_outline_that_is_no_polygon_is_refused(outline):
    with pytest.raises(ValueError, match="simple polygon"):
        Piece("x", TerrainKind("x", "X", Sight.BLOCKS), [outline])


@given(st.one_of(stars(), lattice_polygons()), lines, st.integers(0, 3000))
def test_a_line_comes_nearer_than_a_length_if_its_distance_is_less(polygon, line, reach):
    square, scale = segment_polygon_square(*line, polygon)
    assert comes_nearer(*line, polygon, reach) is (square < reach * reach * scale)
