"""The costs that a screen draws are those of the ways that play would go, and the grid stays small."""

from __future__ import annotations

from itertools import pairwise
from math import hypot

import pytest

from dieselfront.table.cost_grid import LETTERS, MOST_COLUMNS, cost_grid
from dieselfront.table.measured import NO_ENTRY, Going, MeasuredTable, inches, path_length, reach, rectangle, round_base
from dieselfront.table.measured.kinds import MUD, ROCK

MAN = round_base(25)
GOING = Going({"mud": 2, "rock": NO_ENTRY})
LIMIT = inches(12)


def walked(*pieces):
    table = MeasuredTable(1800, 1200, pieces)
    found = reach(table, table.stand(MAN, 600, 600), LIMIT, GOING)
    return table, found, found.costs()


def test_a_point_behind_a_wall_costs_the_way_round():
    _, found, grid = walked(rectangle("rock", ROCK, 624, 540, 12, 120))
    behind, straight = (660, 600), 600
    corner = hypot(624 - 12.5 - 600, 60 + 12.5) + hypot(636 + 12.5 - 624, 0) + hypot(660 - 648, 72)
    cost = grid.cost(*behind)
    assert cost > 2 * straight and cost == pytest.approx(10 * corner, rel=0.12)
    path = found.path_to(*behind)
    length = 10 * sum(hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(path))
    assert cost == pytest.approx(length, abs=LIMIT / 100)
    assert grid.cost(540, 600) == pytest.approx(600, abs=LIMIT / 100)


def test_slow_ground_costs_what_its_part_of_the_way_costs():
    _, found, grid = walked(rectangle("mud", MUD, 640, 300, 60, 600))
    there = (720, 600)
    assert grid.cost(*there) == pytest.approx(10 * (120 + 60), abs=LIMIT / 100)
    for x, y, cost in found.spots[::37]:
        assert abs(grid.cost(x, y) - cost) <= LIMIT / 100
        assert path_length(found.path_to(x, y)) <= cost


def test_what_cannot_be_reached_has_no_cost():
    _, found, grid = walked(rectangle("rock", ROCK, 640, 540, 120, 120))
    assert grid.cost(700, 600) is None and not found.covers(700, 600)
    assert grid.cost(600 + 400, 600) is None and grid.cost(5000, 5000) is None


@pytest.mark.parametrize("far", [3, 40, 150])
def test_a_grid_is_never_larger_than_its_bound_and_the_start_stays_in_it(far):
    costs = {(i, j): 10 * round(hypot(i, j)) for i in range(-far, far + 1) for j in range(-far, far + 1)}
    grid = cost_grid((600, 400), 10, 10 * 2 * far, costs)
    rows = len(grid.cells) // grid.columns
    assert grid.columns <= MOST_COLUMNS and rows <= MOST_COLUMNS and len(grid.cells) == grid.columns * rows
    assert grid.cost(600, 400) == 0 and (600 - grid.x) % grid.step == 0
    assert len(LETTERS) == len(set(LETTERS)) == 64


def test_whoever_stays_has_no_grid():
    assert cost_grid((0, 0), 12, 0, {(0, 0): 0}) is None
