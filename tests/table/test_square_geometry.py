"""Names, distances, arcs, rays and footprints on squares (d47.attack.range.*, d47.attack.arc.*, d47.setup.*)."""

from __future__ import annotations

from collections import deque
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dieselfront.table.square import EAST, NORTH, SOUTH, WEST, TableError, mask_of, places_of
from dieselfront.table.square.geometry import EIGHT, column_letters, offset_distance, ray, read_name
from table.square_kit import board, named

OFFSETS = st.integers(-11, 11)


@pytest.mark.parametrize(
    "name, xy", [("A1", (0, 0)), ("C4", (2, 3)), ("L9", (11, 8)), ("b2", (1, 1)), (" C4 ", (2, 3))]
)
def test_squares_are_named_by_column_letter_and_row_number(name: str, xy: tuple[int, int]) -> None:
    table = board()
    assert table.xy(table.square(name)) == xy
    assert table.name(table.square(name)) == name.strip().upper()


@given(st.integers(0, 2000), st.integers(0, 500), st.integers(0, 9))
def test_every_square_name_reads_back(x: int, y: int, level: int) -> None:
    assert read_name(f"{column_letters(x)}{y + 1}" + (f"+{level}" if level else "")) == (x, y, level)


@pytest.mark.parametrize("text", ["", "4C", "C0", "C", "C4+", "C-4", "C4 D5"])
def test_what_is_not_a_square_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(TableError, match="is not a square; expected"):
        board().square(text)


def test_squares_off_the_board_are_refused() -> None:
    with pytest.raises(TableError, match="M1 is off the board; its squares run from A1 to L9"):
        board().square("M1")
    with pytest.raises(TableError, match="C4 has no level 1"):
        board().square("C4+1")


def test_upper_floors_are_places_of_their_own() -> None:
    table = board("building from B2 to C3 with 2 floors")
    place = table.square("B2+1")
    assert (table.level(place), table.xy(place), table.name(place)) == (1, (1, 1), "B2+1")
    assert place == table.width * table.height + table.square("B2")
    assert table.ground(place) == table.square("B2")


def naive_distances(size: int) -> dict[tuple[int, int], int]:
    """Breadth-first over (square, diagonal spent), from the middle of an open board."""
    best: dict[tuple[int, int, bool], int] = {(0, 0, False): 0}
    queue = deque([(0, 0, False)])
    while queue:
        x, y, spent = queue.popleft()
        for dx, dy in EIGHT:
            diagonal = bool(dx and dy)
            state = (x + dx, y + dy, spent or diagonal)
            cost = best[(x, y, spent)] + (2 if diagonal and spent else 1)
            if max(abs(state[0]), abs(state[1])) <= size and cost < best.get(state, 10**9):
                best[state] = cost
                queue.append(state)
    found: dict[tuple[int, int], int] = {}
    for (x, y, _), cost in best.items():
        found[(x, y)] = min(cost, found.get((x, y), cost))
    return found


@pytest.mark.rule("d47.attack.range.diagonal", "d47.open.diagonal_scope")
def test_distance_agrees_with_a_walk_that_counts_the_first_diagonal_once() -> None:
    for (dx, dy), cost in naive_distances(7).items():
        assert offset_distance(dx, dy) == cost


@pytest.mark.rule("d47.attack.range.diagonal", "d47.attack.range.limit")
@pytest.mark.parametrize("other, squares", [("D4", 5), ("D3", 4), ("B2", 1), ("F1", 5), ("A1", 0)])
def test_range_counts_the_first_diagonal_as_one_and_later_ones_as_two(other: str, squares: int) -> None:
    table = board()
    assert table.distance(table.square("A1"), table.square(other)) == squares
    assert table.distance(table.square(other), table.square("A1")) == squares


@pytest.mark.rule("d47.attack.range.adjacent", "d47.attack.range.close")
def test_all_eight_squares_around_are_adjacent_and_no_others() -> None:
    table = board()
    centre = table.square("C4")
    around = [place for place in table.places() if table.adjacent(centre, place)]
    assert named(table, around) == ["B3", "C3", "D3", "B4", "D4", "B5", "C5", "D5"]
    assert list(table.neighbours(centre)) == around
    assert named(table, table.neighbours(table.square("A1"))) == ["B1", "A2", "B2"]


@pytest.mark.rule("d47.terrain.floors_not_adjacent")
def test_squares_above_one_another_are_not_adjacent() -> None:
    table = board("building from B2 to C3 with 2 floors")
    ground, upstairs = table.square("B2"), table.square("B2+1")
    assert not table.adjacent(ground, upstairs)
    assert not table.contact(ground, upstairs)
    assert table.distance(ground, upstairs) == 1
    assert table.adjacent(upstairs, table.square("C3+1"))


@pytest.mark.rule("d47.open.cc_in_buildings", "d47.attack.cc.adjacent")
def test_a_solid_wall_ends_contact_and_an_opening_keeps_it() -> None:
    solid = board("wall between C4 and D4")
    window = board("wall between C4 and D4 with small opening")
    low = board("low wall between C4 and D4")
    c4, d4, d5 = (solid.square(name) for name in ("C4", "D4", "D5"))
    assert not solid.contact(c4, d4)
    assert window.contact(c4, d4)
    assert low.contact(c4, d4)
    assert solid.contact(c4, d5), "one way round the end of the wall is open"
    assert not board("wall along east of C4 to C5").contact(c4, d5)


# --- arcs; forward is north, which is up the board ---


@pytest.mark.rule("d47.attack.arc.front", "d47.attack.arc.rear", "d47.attack.arc.side", "d47.open.side_arc_ends")
@pytest.mark.parametrize(
    "arc, ahead, right, inside",
    [
        ("front", 2, 2, True),
        ("front", 3, 0, True),
        ("front", 1, 2, False),
        ("front", 0, 1, False),
        ("rear", -2, 1, True),
        ("rear", 2, 0, False),
        ("rear", -1, 2, False),
        ("right", 1, 3, True),
        ("right", -4, 1, True),
        ("right", 5, 0, False),
        ("right", 0, -1, False),
        ("left", 0, -1, True),
        ("left", -3, 0, False),
        ("all", -3, 0, True),
    ],
)
def test_arcs_by_offset(arc: str, ahead: int, right: int, inside: bool) -> None:
    table = board(width=15, height=15)
    origin = table.place(7, 7)
    turns = {NORTH: (right, -ahead), EAST: (ahead, right), SOUTH: (-right, ahead), WEST: (-ahead, -right)}
    for facing, (dx, dy) in turns.items():
        target = table.place(7 + dx, 7 + dy)
        assert table.in_arc(origin, facing, target, arc) is inside, f"facing {facing}"


def test_an_unknown_arc_is_refused() -> None:
    with pytest.raises(TableError, match="not an arc"):
        board().in_arc(0, NORTH, 1, "sideways")  # type: ignore[arg-type]


# --- rays against an exact segment in fractions ---


def naive_squares(dx: int, dy: int) -> set[tuple[int, int]]:
    """Squares of which the segment between the centres covers a positive length, clipped in fractions."""
    found = set()
    for x in range(min(0, dx), max(0, dx) + 1):
        for y in range(min(0, dy), max(0, dy) + 1):
            start, end = Fraction(0), Fraction(1)
            outside = False
            for low, way in ((x, dx), (y, dy)):
                if way == 0:
                    outside = outside or low != 0
                    continue
                first, last = sorted(((low - Fraction(1, 2)) / way, (low + Fraction(1, 2)) / way))
                start, end = max(start, first), min(end, last)
            if not outside and start < end:
                found.add((x, y))
    return found


@pytest.mark.rule("d47.attack.los.trace_center", "d47.open.los_corner_meaning")
@given(OFFSETS, OFFSETS)
def test_a_ray_crosses_exactly_the_squares_of_the_segment(dx: int, dy: int) -> None:
    line = ray(dx, dy)
    assert set(line.squares) == naive_squares(dx, dy)
    assert len(line.squares) == len(set(line.squares))
    assert (line.squares[0], line.squares[-1]) == ((0, 0), (dx, dy))


@given(OFFSETS, OFFSETS)
def test_a_ray_touches_exactly_the_vertices_on_the_segment(dx: int, dy: int) -> None:
    """A vertex (x+1/2, y+1/2) lies on the segment when the cross product is zero."""
    on_line = {
        (x, y)
        for x in range(min(0, dx) - 1, max(0, dx) + 1)
        for y in range(min(0, dy) - 1, max(0, dy) + 1)
        if dx * (2 * y + 1) == dy * (2 * x + 1)
        and min(0, dx) * 2 < 2 * x + 1 < max(0, dx) * 2
        and min(0, dy) * 2 < 2 * y + 1 < max(0, dy) * 2
    }
    touched = {
        (min(crossing.x, crossing.to_x), min(crossing.y, crossing.to_y))
        for crossing in ray(dx, dy).crossings
        if crossing.is_vertex
    }
    assert touched == on_line


@given(OFFSETS, OFFSETS)
def test_a_ray_looks_the_same_from_the_other_end(dx: int, dy: int) -> None:
    there, back = ray(dx, dy), ray(-dx, -dy)
    assert there.squares == tuple((x + dx, y + dy) for x, y in reversed(back.squares))
    assert [c.moment for c in there.crossings] == [back.length - c.moment for c in reversed(back.crossings)]


# --- footprints ---


@pytest.mark.rule("d47.setup.footprint_standard")
def test_a_standard_unit_stands_on_one_square() -> None:
    table = board()
    assert table.footprint("standard", (table.square("C4"), NORTH)) == (table.square("C4"),)


@pytest.mark.rule("d47.setup.footprint_large")
@pytest.mark.parametrize("facing, rear", [(NORTH, "D5"), (EAST, "C4"), (SOUTH, "D3"), (WEST, "E4")])
def test_a_large_unit_has_its_rear_square_straight_behind_its_front(facing: int, rear: str) -> None:
    table = board()
    assert named(table, table.footprint("large", (table.square("D4"), facing))) == ["D4", rear]


@pytest.mark.rule("d47.setup.footprint_huge")
@pytest.mark.parametrize(
    "facing, front", [(NORTH, {"C4", "D4"}), (EAST, {"D4", "D5"}), (SOUTH, {"C5", "D5"}), (WEST, {"C4", "C5"})]
)
def test_a_huge_unit_has_two_front_and_two_rear_squares(facing: int, front: set[str]) -> None:
    table = board()
    stance = (table.square("C4"), facing)
    squares = named(table, table.footprint("huge", stance))
    assert set(squares) == {"C4", "D4", "C5", "D5"} and set(squares[:2]) == front


def test_a_footprint_off_the_board_is_refused() -> None:
    table = board()
    assert not table.fits("large", (table.square("A9"), NORTH))
    assert not table.fits("huge", (table.square("L1"), NORTH))
    with pytest.raises(TableError, match="A large unit at A9 facing north leaves the board"):
        table.footprint("large", (table.square("A9"), NORTH))


@given(st.sets(st.integers(0, 300)))
def test_masks_and_places_are_two_ways_to_say_the_same(places: set[int]) -> None:
    assert places_of(mask_of(places)) == tuple(sorted(places))


def test_board_edges_and_squares_within_a_distance() -> None:
    table = board("silo at B2", width=4, height=3)
    assert named(table, table.edge_squares("east")) == ["D1", "D2", "D3"]
    assert len(table.edge_squares()) == 10
    assert named(table, table.within(table.square("A1"), 1)) == ["A1", "B1", "A2", "B2"]
    with pytest.raises(TableError, match="not a board edge"):
        table.edge_squares("up")  # type: ignore[arg-type]
