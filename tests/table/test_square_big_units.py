"""Large and huge units: leading ends, turning, footprints under way (d47.move.large_*, d47.move.huge_*)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dieselfront.table.square import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    Mover,
    Occupancy,
    Place,
    Reach,
    SquareTable,
    Stance,
    Wall,
    mask_of,
)
from dieselfront.table.square.geometry import DIAGONALS, FORWARD
from table.square_kit import HUGE_WALKER, KINDS, LARGE_PLANE, LARGE_TANK, NOBODY, at, board, named

SIZE = 6


def reach(table: SquareTable, mover: Mover, start: tuple[str, int], budget: int, **more: object) -> Reach:
    occupancy = more.pop("units", NOBODY)
    stance = (table.square(start[0]), start[1])
    return table.reach(mover, stance, budget, occupancy, **more)  # type: ignore[arg-type]


# --- large ---


@pytest.mark.rule("d47.move.large_leading_edge", "d47.open.large_leading_end")
def test_the_body_of_a_large_unit_follows_its_leading_end() -> None:
    table = board()
    found = reach(table, LARGE_TANK, ("D6", NORTH), 3)
    assert found[(table.square("D3"), NORTH)] == 3
    assert named(table, found.path((table.square("D3"), NORTH))) == ["D5", "D4", "D3"]
    assert named(table, found.squares((table.square("D3"), NORTH))) == ["D3", "D4"]


@pytest.mark.rule("d47.open.large_leading_end", "d47.move.facing_free")
def test_a_large_unit_driving_east_ends_lying_east_and_faces_either_way() -> None:
    table = board()
    found = reach(table, LARGE_TANK, ("D4", NORTH), 2)
    east, west = (table.square("F4"), EAST), (table.square("E4"), WEST)
    assert found[east] == found[west] == 2
    assert found.lead(east) == "front"
    alone = board(width=3, height=2)
    along = alone.reach(LARGE_TANK, (alone.square("A1"), NORTH), 2, Occupancy(enemies=at(alone, "B2 C2")))
    assert (alone.square("C1"), NORTH) not in along, "no swing after driving"
    assert (alone.square("C1"), EAST) in along and (alone.square("B1"), WEST) in along


@pytest.mark.rule("d47.open.large_leading_end")
def test_a_large_unit_may_lead_with_its_rear() -> None:
    table = board()
    found = reach(table, LARGE_TANK, ("D4", NORTH), 2)
    backwards = (table.square("D6"), NORTH)
    assert found[backwards] == 2
    assert named(table, found.squares(backwards)) == ["D6", "D7"]
    assert found.lead(backwards) == "rear"
    assert named(table, found.path(backwards)) == ["D6", "D7"]


@pytest.mark.rule("d47.open.large_diagonal_footprint", "d47.move.large_diagonal")
def test_after_a_diagonal_step_a_large_unit_lies_straight_behind_its_leading_square() -> None:
    table = board()
    found = reach(table, LARGE_TANK, ("D4", NORTH), 1)
    assert found[(table.square("E3"), NORTH)] == 1
    assert named(table, found.squares((table.square("E3"), NORTH))) == ["E3", "E4"]
    assert found[(table.square("E3"), EAST)] == 1
    assert found.diagonal_used((table.square("E3"), NORTH))


@pytest.mark.rule("d47.move.large_diagonal", "d47.move.vehicle_corner")
def test_a_large_unit_does_not_cut_corners() -> None:
    table = board("silo at E4")
    assert (table.square("E3"), NORTH) not in reach(table, LARGE_TANK, ("D4", NORTH), 1)


@pytest.mark.rule("d47.open.rear_square_terrain")
def test_both_squares_must_be_legal_at_the_end() -> None:
    table = board("wreck at E3", "rubble at C4")
    walker = Mover("walker", "large", vehicle=True)
    found = reach(table, walker, ("C3", WEST), 2)
    assert (table.square("F3"), EAST) not in found, "its rear would stand on the wreck"
    units = Occupancy(friends=at(table, "D2"))
    assert (table.square("D1"), NORTH) not in reach(table, LARGE_TANK, ("D3", NORTH), 2, units=units)
    assert (table.square("D1"), NORTH) in reach(table, LARGE_TANK, ("D3", NORTH), 2)


@pytest.mark.rule("d47.open.large_rotate", "d47.reactive.rotate_only")
def test_a_large_unit_turns_by_swapping_or_swinging_one_end() -> None:
    table = board("silo at E4")
    turned = table.rotations(LARGE_TANK, (table.square("D4"), NORTH), NOBODY)
    assert {(table.name(front), facing) for front, facing in turned} == {
        ("D4", NORTH),
        ("D5", SOUTH),
        ("D4", EAST),
        ("E5", EAST),
        ("C5", WEST),
    }
    assert turned[0] == (table.square("D4"), NORTH)
    units = Occupancy(friends=at(table, "C4 D4 D5"), enemies=at(table, "E5"))
    left = table.rotations(LARGE_TANK, (table.square("D4"), NORTH), units)
    assert {(table.name(front), facing) for front, facing in left} == {("D4", NORTH), ("D5", SOUTH), ("C5", WEST)}


@pytest.mark.rule("d47.open.large_rotate")
def test_turning_in_place_costs_nothing_inside_a_move() -> None:
    table = board()
    start = (table.square("D4"), NORTH)
    found = table.reach(LARGE_TANK, start, 0, NOBODY)
    assert set(found) == set(table.rotations(LARGE_TANK, start, NOBODY))
    assert set(found.costs.values()) == {0}
    assert found.path((table.square("D5"), SOUTH)) == ()


@pytest.mark.rule("d47.open.large_opening_large_vehicle", "d47.terrain.opening_huge", "d47.terrain.opening_large")
def test_large_units_fit_through_gates_and_huge_ones_need_huge_openings() -> None:
    gate = board("wall along east of D1 to D9", "wall between D4 and E4 with large opening")
    assert (gate.square("F4"), EAST) in reach(gate, LARGE_TANK, ("D4", EAST), 2)
    wide = board("wall along east of D1 to D9", "wall along east of D4 to D5 with large opening")
    huge = board("wall along east of D1 to D9", "wall along east of D4 to D5 with huge opening")
    assert (wide.square("D4"), EAST) not in reach(wide, HUGE_WALKER, ("C4", EAST), 2)
    assert huge.square("E4") in {end[0] for end in reach(huge, HUGE_WALKER, ("C4", EAST), 2)}  # type: ignore[index]


@pytest.mark.rule("d47.move.large_aircraft", "d47.open.aircraft_squares")
def test_large_aircraft_lead_like_large_vehicles_over_everything() -> None:
    table = board("silo at E4, F4", width=12)
    found = reach(table, LARGE_PLANE, ("C4", EAST), 4)
    assert found[(table.square("G4"), EAST)] == 4
    units = Occupancy(aircraft=at(table, "F4"))
    blocked = reach(table, LARGE_PLANE, ("C4", EAST), 4, units=units)
    assert (table.square("G4"), EAST) not in blocked
    assert all(table.fits("large", end) for end in found)  # type: ignore[arg-type]


def test_the_hazards_of_a_large_unit_lie_under_either_end() -> None:
    table = board("mines at D2", width=7, height=3)
    found = reach(table, LARGE_TANK, ("C2", EAST), 2)
    assert named(table, found.hazards((table.square("E2"), EAST))) == ["D2"]
    assert found.hazards((table.square("C1"), NORTH)) == ()


# --- huge ---


@pytest.mark.rule("d47.move.huge_rotate", "d47.move.facing_free")
def test_a_huge_unit_faces_any_edge_before_and_after() -> None:
    table = board()
    found = reach(table, HUGE_WALKER, ("C3", NORTH), 2)
    assert [found[(table.square("E3"), facing)] for facing in range(4)] == [2, 2, 2, 2]
    assert found[(table.square("C3"), WEST)] == 0
    assert table.rotations(HUGE_WALKER, (table.square("C3"), NORTH), NOBODY) == tuple(
        (table.square("C3"), facing) for facing in range(4)
    )


@pytest.mark.rule("d47.move.large_diagonal", "d47.open.large_diagonal_footprint")
def test_a_huge_unit_shifts_as_a_block_when_it_steps_diagonally() -> None:
    table = board()
    found = reach(table, HUGE_WALKER, ("C5", NORTH), 1)
    end = (table.square("D4"), NORTH)
    assert found[end] == 1
    assert set(named(table, found.squares(end))) == {"D4", "E4", "D5", "E5"}
    assert found.path(end) == (table.square("D4"),)


@pytest.mark.rule("d47.move.large_leading_edge", "d47.open.rear_square_terrain")
def test_every_square_under_a_huge_unit_must_be_legal() -> None:
    table = board("silo at E4")
    tops = {table.name(end[0]) for end in reach(table, HUGE_WALKER, ("C3", NORTH), 1)}  # type: ignore[index]
    assert "D3" not in tops and "D4" not in tops
    assert "C4" in tops
    units = Occupancy(enemies=at(table, "D2"))
    tops = {table.name(end[0]) for end in reach(table, HUGE_WALKER, ("C3", NORTH), 1, units=units)}  # type: ignore[index]
    assert "C2" not in tops


@pytest.mark.rule("d47.move.vehicle_corner", "d47.move.large_diagonal")
def test_a_huge_unit_does_not_cut_corners() -> None:
    """Stepping north-east from C5 its front squares C5, D5 pass C4 and E5."""
    free = reach(board(), HUGE_WALKER, ("C5", NORTH), 1)
    table = board("silo at C4")
    assert (table.square("D4"), NORTH) in free
    found = reach(table, HUGE_WALKER, ("C5", NORTH), 1)
    assert (table.square("D4"), NORTH) in found, "with its east side leading it passes D4 and E6 instead"
    both = board("silo at C4, E6")
    assert (both.square("D4"), NORTH) not in reach(both, HUGE_WALKER, ("C5", NORTH), 1)


@pytest.mark.rule("d47.move.vehicle_corner", "d47.move.diagonal_between_two")
def test_units_beside_the_leading_squares_stop_the_diagonal_of_a_huge_unit() -> None:
    table = board()
    end = (table.square("D4"), NORTH)
    one = reach(table, HUGE_WALKER, ("C5", NORTH), 1, units=Occupancy(enemies=at(table, "C4")))
    both = reach(table, HUGE_WALKER, ("C5", NORTH), 1, units=Occupancy(enemies=at(table, "C4 E6")))
    assert end in one and end not in both
    graph = table.graph(HUGE_WALKER)
    start = table.square("C5")
    for friends, free in (("D4", True), ("E5", True), ("D4 E5", False)):
        steps = graph.live_steps(at(table, friends), 0, 0)
        north_east = [step for step in steps if step.offset == 1 - table.width]
        assert any(step.leaving >> start & 1 for step in north_east) is free


# --- against walking every path ---


class Big:
    """Every path of a leading end or block, step by step, with nothing clever."""

    def __init__(self, table: SquareTable, mover: Mover, units: Occupancy, start: Stance) -> None:
        self.table, self.mover, self.start = table, mover, start
        own = ~mask_of(table.footprint(mover.size, start))
        self.friends, self.enemies = units.friends & own, units.enemies & own
        self.vehicles = units.friend_vehicles & own

    def allows(self, field: str, place: Place) -> bool:
        return all(self.mover.kind in getattr(KINDS[name], field) for name in self.table.features(place))

    def enters(self, place: Place) -> bool:
        return not (self.enemies | self.vehicles) >> place & 1 and self.allows("passable", place)

    def stands(self, place: Place) -> bool:
        free = not (self.enemies | self.friends) >> place & 1
        return free and self.allows("stoppable", place) and self.allows("passable", place)

    def crosses(self, a: Place, b: Place) -> bool:
        wall = self.table.wall(a, b)
        if wall is None or wall.kind == "low" or wall.opening == "huge":
            return True
        return wall.opening == "large" and self.mover.size == "large"

    def moves_to(self, x: int, y: int, dx: int, dy: int) -> bool:
        """Whether one square of a vehicle may step, corners and squeezing included."""
        if not (0 <= x + dx < SIZE and 0 <= y + dy < SIZE):
            return False
        here, there = self.table.place(x, y), self.table.place(x + dx, y + dy)
        if not self.enters(there):
            return False
        if not (dx and dy):
            return self.crosses(here, there)
        flanks = [self.table.place(x + dx, y), self.table.place(x, y + dy)]
        for flank in flanks:
            if not self.allows("passable", flank) or self.enemies >> flank & 1:
                return False
            if not (self.crosses(here, flank) and self.crosses(flank, there)):
                return False
        return not all((self.friends | self.enemies) >> flank & 1 for flank in flanks)

    # large: walk one end, then lay the body

    def large(self, budget: int) -> dict[Stance, int]:
        best: dict[Stance, int] = dict.fromkeys(self.table.rotations(self.mover, self.start, self.occupancy()), 0)
        for lead in self.table.footprint("large", self.start):
            for path, cost in self.walks(self.table.xy(lead), budget, 0, False, ()):
                for stance in self.lie(path):
                    best[stance] = min(cost, best.get(stance, cost))
        return best

    def occupancy(self) -> Occupancy:
        return Occupancy(self.friends, self.vehicles, self.enemies)

    def walks(
        self, at_: tuple[int, int], budget: int, cost: int, spent: bool, path: tuple[tuple[int, int, int, int], ...]
    ) -> Iterator[tuple[tuple[tuple[int, int, int, int], ...], int]]:
        if path:
            yield path, cost
        for dx, dy in (*FORWARD, *DIAGONALS):
            price = cost + (2 if dx and dy and spent else 1)
            if price <= budget and self.moves_to(*at_, dx, dy):
                further = (*path, (at_[0] + dx, at_[1] + dy, dx, dy))
                there = (at_[0] + dx, at_[1] + dy)
                yield from self.walks(there, budget, price, spent or bool(dx and dy), further)

    def lie(self, path: tuple[tuple[int, int, int, int], ...]) -> Iterator[Stance]:
        x, y, dx, dy = path[-1]
        for facing, (ahead_x, ahead_y) in enumerate(FORWARD):
            if not ((ahead_x and ahead_x == dx) or (ahead_y and ahead_y == dy)):
                continue
            square, behind = self.table.place(x, y), self.table.place(x - ahead_x, y - ahead_y)
            if self.stands(square) and self.stands(behind) and self.crosses(behind, square):
                yield square, facing
                yield behind, (facing + 2) % 4

    # huge: walk the block

    def huge(self, budget: int) -> dict[Stance, int]:
        best = {self.table.xy(self.start[0]): 0}
        for block, cost in self.rolls(self.table.xy(self.start[0]), budget, 0, False):
            squares = self.block(*block)
            if all(self.stands(square) for square in squares):
                best[block] = min(cost, best.get(block, cost))
        return {(self.table.place(*block), facing): cost for block, cost in best.items() for facing in range(4)}

    def block(self, x: int, y: int) -> list[Place]:
        return [self.table.place(x + dx, y + dy) for dy in (0, 1) for dx in (0, 1)]

    def whole(self, x: int, y: int) -> bool:
        if not (0 <= x < SIZE - 1 and 0 <= y < SIZE - 1):
            return False
        a, b, c, d = self.block(x, y)
        return all(self.crosses(*pair) for pair in ((a, b), (c, d), (a, c), (b, d)))

    def rolls(self, at_: tuple[int, int], budget: int, cost: int, spent: bool) -> Iterator[tuple[tuple[int, int], int]]:
        yield at_, cost
        x, y = at_
        for dx, dy in (*FORWARD, *DIAGONALS):
            price = cost + (2 if dx and dy and spent else 1)
            leads = []
            if dy:
                row = y if dy < 0 else y + 1
                leads.append([(x, row), (x + 1, row)])
            if dx:
                column = x if dx < 0 else x + 1
                leads.append([(column, y), (column, y + 1)])
            able = any(all(self.moves_to(*square, dx, dy) for square in lead) for lead in leads)
            if price <= budget and self.whole(x + dx, y + dy) and able:
                yield from self.rolls((x + dx, y + dy), budget, price, spent or bool(dx and dy))


PLACES = st.integers(0, SIZE * SIZE - 1)
EDGES = [(y * SIZE + x, y * SIZE + x + 1) for y in range(SIZE) for x in range(SIZE - 1)] + [
    (y * SIZE + x, (y + 1) * SIZE + x) for y in range(SIZE - 1) for x in range(SIZE)
]
TABLES = st.builds(
    lambda features, walls: SquareTable(SIZE, SIZE, KINDS, features, walls),
    st.dictionaries(PLACES, st.sampled_from([("silo",), ("rubble",), ("wreck",), ("trees",)]), max_size=6),
    st.dictionaries(
        st.sampled_from(EDGES),
        st.sampled_from([Wall(), Wall("low"), Wall("high", "large"), Wall("high", "huge")]),
        max_size=5,
    ),
)
MASKS = st.sets(PLACES, max_size=3).map(mask_of)


@pytest.mark.rule("d47.move.large_leading_edge", "d47.move.large_diagonal", "d47.open.rear_square_terrain")
@settings(max_examples=120)
@given(
    TABLES,
    st.sampled_from(["walker", "tracked"]),
    st.sampled_from(["large", "huge"]),
    st.integers(0, SIZE - 2),
    st.integers(0, SIZE - 2),
    st.integers(0, 3),
    st.tuples(MASKS, MASKS, MASKS),
)
def test_big_reach_agrees_with_walking_every_path(
    table: SquareTable, kind: str, size: str, x: int, y: int, budget: int, masks: tuple[int, int, int]
) -> None:
    mover = Mover(kind, size, vehicle=True)  # type: ignore[arg-type]
    start = (table.place(x, y), NORTH)
    own = mask_of(table.footprint(mover.size, start))
    friends, vehicles, enemies = (mask & ~own for mask in masks)
    units = Occupancy(friends & ~enemies, vehicles & ~enemies, enemies)
    slow = Big(table, mover, units, start)
    if size == "huge" and not slow.whole(x, y):
        return
    expected = slow.large(budget) if size == "large" else slow.huge(budget)
    found = table.reach(mover, start, budget, units)
    assert dict(found.costs) == expected
    for end in found:
        path = found.path(end)
        assert bool(path) is (found[end] > 0)
        assert size == "large" or not path or path[-1] == end[0]  # type: ignore[index]
        assert size == "huge" or not path or path[-1] in found.squares(end)
