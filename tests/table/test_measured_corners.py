"""Ways round corners: as short as they can be, never through what bars them, and never longer than a lattice finds."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from dieselfront.table.measured.corners import Corners
from dieselfront.table.measured.geometry import Point
from dieselfront.table.measured.movement import NO_ENTRY, Going, leg_is_free, path_length, terrain_masks, walk
from dieselfront.table.measured.placement import Crowd, Keep
from dieselfront.table.measured.reach import reach
from dieselfront.table.measured.shapes import Body, hull, round_base
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import Sight, TerrainKind, blank_walls, house, rectangle

ROCK = TerrainKind("rock", "Rock", Sight.BLOCKS, height=60)
HOUSE = TerrainKind("building", "House", Sight.BLOCKS, height=80)
GOING = Going({"rock": NO_ENTRY}, walls="openings")
MAN = round_base(25)


def way(table: MeasuredTable, body: Body, goal: Point, limit: int = 5_000, keeps: tuple[Keep, ...] = ()) -> list[Point]:
    path = Corners(table, body, limit, GOING, Crowd(keeps)).path_to(*goal)
    assert path is not None
    return path


def test_a_way_round_a_rock_hugs_its_corner():
    table = MeasuredTable(600, 600, [rectangle("rock", ROCK, 240, 270, 20, 60)])
    path = way(table, Body(MAN, 200, 300), (330, 300))
    assert 1_600 <= path_length(path) <= 1_660  # 163 mm along tangents and arcs of 12.5 mm


def test_there_is_no_way_through_a_gap_narrower_than_a_base():
    rocks = [rectangle("north", ROCK, 240, 0, 20, 288), rectangle("south", ROCK, 240, 311, 20, 289)]
    corners = Corners(MeasuredTable(600, 600, rocks), Body(MAN, 200, 300), 9_000, GOING, Crowd())
    assert corners.path_to(330, 300) is None


def test_a_circle_is_gone_round_by_its_rim():
    leader = Body(MAN, 1_100, 600)
    path = way(MeasuredTable(1_400, 1_000, []), Body(MAN, 1_100, 700), (1_100, 498), keeps=(Keep(leader, 258, False),))
    assert 2_270 <= path_length(path) <= 2_340  # tangents of 86 and 88 mm and an arc of 54 mm


def test_a_house_is_entered_by_its_opening_and_left_by_it():
    table = MeasuredTable(1_400, 900, [house("hall", HOUSE, 400, 200, 500, 400)])
    path = way(table, Body(MAN, 500, 640), (500, 560))
    assert [point for point in path if point[1] == 600 and 630 <= point[0] <= 670]
    assert 2_700 <= path_length(path) <= 2_760


@pytest.mark.parametrize("far", [30, 40, 75, 80, 120])
def test_nobody_goes_through_a_blank_wall_however_far_he_stands(far: int):
    table = MeasuredTable(1_400, 900, [house("hall", HOUSE, 400, 200, 500, 400)])
    start = Body(MAN, 500, 600 + far)
    assert not leg_is_free(table, start, start.at(500, 560), GOING, 0, Crowd())
    on_the_wall = walk(table, start, [(500, 600 + far), (500, 600), (500, 560)], GOING)
    assert [problem.what for problem in on_the_wall.problems] == ["wall"]
    path = reach(table, start, 2_500, GOING, step=40).path_to(500, 560)
    assert path is None


def test_openings_at_ground_level_are_gaps_in_the_walls_and_windows_are_not():
    piece = house("hall", HOUSE, 0, 0, 200, 100, floors=2)
    assert (0, 0, 800, 0) in blank_walls(piece, 0) and (1200, 0, 2000, 0) in blank_walls(piece, 0)
    assert len(blank_walls(piece, 0)) == 8
    assert blank_walls(piece, 1) == ((0, 0, 2000, 0), (2000, 0, 2000, 1000), (2000, 1000, 0, 1000), (0, 1000, 0, 0))


@pytest.mark.parametrize("seed", range(12))
def test_ways_by_corners_are_legal_and_no_longer_than_those_of_a_lattice(seed: int):
    chance = Random(seed)
    pieces = [
        rectangle(
            f"rock {n}", ROCK, chance.randrange(60, 440), chance.randrange(60, 440), *chance.choices((15, 50), k=2)
        )
        for n in range(5)
    ]
    table = MeasuredTable(600, 600, pieces)
    shape = MAN if seed % 3 else hull(30, 50)
    start = next(
        body
        for body in (Body(shape, chance.randrange(40, 560), chance.randrange(40, 560), 30) for _ in range(99))
        if leg_is_free(table, body, body, GOING, terrain_masks(table, GOING)[1], Crowd())
    )
    keeps = (Keep(Body(MAN, chance.randrange(100, 500), chance.randrange(100, 500)), 200, False),)
    crowd = Crowd([keep for keep in keeps if keep.is_kept(start)])
    corners, lattice = Corners(table, start, 4_000, GOING, crowd), reach(table, start, 4_000, GOING, crowd, step=12)
    barred = terrain_masks(table, GOING)[1]
    for x, y, _ in lattice.spots[::29]:
        other = lattice.path_to(x, y)
        path = corners.path_to(x, y)
        assert other is not None and path is not None
        assert path_length(path) <= path_length(other) + 60
        for a, b in pairwise(path):
            assert leg_is_free(table, start.at(*a), start.at(*b), GOING, barred, crowd)
