"""Artillery blocks and flames on squares (d47.weapon.artillery_area, d47.weapon.flame_*, d47.open.smoke_size)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dieselfront.table.square import Place, SquareTable
from table.square_kit import KINDS, NOBODY, SQUAD, at, board, named


@pytest.mark.rule("d47.open.smoke_size", "d47.weapon.artillery_area")
def test_a_square_lies_in_four_blocks_and_in_one_at_the_corner_of_the_board() -> None:
    table = board()
    assert len(table.blocks_of_four(table.square("C4"))) == 4
    assert [named(table, block) for block in table.blocks_of_four(table.square("A1"))] == [["A1", "B1", "A2", "B2"]]
    assert len(table.blocks_of_four(table.square("B1"))) == 2


@pytest.mark.rule("d47.weapon.artillery_area")
def test_an_area_does_not_reach_behind_a_solid_wall() -> None:
    table = board("wall along east of C1 to C9")
    blocks = table.area_blocks(table.square("C4"))
    assert [named(table, block) for block in blocks] == [["B3", "C3", "B4", "C4"], ["B4", "C4", "B5", "C5"]]
    gate = board("wall along east of C1 to C9", "wall along east of C4 to C5 with large opening")
    assert ["C4", "D4", "C5", "D5"] in [named(gate, block) for block in gate.area_blocks(gate.square("C4"))]


@pytest.mark.rule("d47.weapon.artillery_area")
def test_an_area_leaves_out_impassable_squares_and_keeps_the_largest_parts() -> None:
    table = board("silo at B1", width=2, height=2)
    assert [named(table, block) for block in table.area_blocks(table.square("A1"))] == [["A1", "A2", "B2"]]
    closed = board("wall along east of A1", "wall along south of A1", width=2, height=2)
    assert [named(closed, block) for block in closed.area_blocks(closed.square("A1"))] == [["A1"]]


@pytest.mark.rule("d47.weapon.artillery_area")
def test_an_area_stays_on_one_level() -> None:
    table = board("building from C3 to D4 with 1 floor")
    blocks = table.area_blocks(table.square("C3+1"))
    assert [named(table, block) for block in blocks] == [["C3+1", "D3+1", "C4+1", "D4+1"]]


@pytest.mark.rule("d47.weapon.flame_path", "d47.open.flame_path_ties")
def test_a_flame_may_take_any_shortest_path() -> None:
    table = board()
    a, b = table.square("A1"), table.square("C2")
    assert [named(table, line) for line in table.flame_lines(a, b)] == [["B1", "C2"], ["B2", "C2"]]
    straight = table.flame_lines(table.square("A1"), table.square("D1"))
    assert [named(table, line) for line in straight] == [["B1", "C1", "D1"]]
    assert [named(table, line) for line in table.flame_lines(a, table.square("B2"))] == [["B2"]]


@pytest.mark.rule("d47.weapon.flame_stop")
def test_a_flame_does_not_go_on_beyond_a_square_that_blocks_sight() -> None:
    table = board("wreck at C1")
    lines = table.flame_lines(table.square("A1"), table.square("D1"))
    assert [named(table, line) for line in lines] == [["B1", "C1"]]
    open_ground = board()
    tank = at(open_ground, "B1")
    cut = open_ground.flame_lines(0, open_ground.square("D1"), blockers=tank)
    assert [named(open_ground, line) for line in cut] == [["B1"]]


def test_a_flame_stops_at_a_solid_wall() -> None:
    table = board("wall between B1 and C1")
    assert [named(table, line) for line in table.flame_lines(0, table.square("D1"))] == [["B1"]]


@settings(max_examples=40)
@given(st.integers(0, 48), st.integers(0, 48))
def test_flame_lines_are_all_paths_as_long_as_the_range(a: Place, b: Place) -> None:
    table = SquareTable(7, 7, KINDS)
    far = table.distance(a, b)
    if not 0 < far <= 4:
        return
    lines = table.flame_lines(a, b)
    assert len(set(lines)) == len(lines)
    assert all(line[-1] == b and table.path_cost(SQUAD, (a, *line), NOBODY) == far for line in lines)

    def count(place: Place, left: int, spent: bool) -> int:
        if place == b:
            return int(left == 0)
        total = 0
        for other in table.neighbours(place):
            (x, y), (to_x, to_y) = table.xy(place), table.xy(other)
            diagonal = x != to_x and y != to_y
            price = 2 if diagonal and spent else 1
            if price <= left:
                total += count(other, left - price, spent or diagonal)
        return total

    assert len(lines) == count(a, far, False)
