"""Steps, reach, paths and stops of one-square units (d47.move.*, d47.terrain.*)."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dieselfront.table.square import Mover, Occupancy, Place, Reach, SquareTable, TableError, Wall, mask_of
from table.square_kit import (
    FLYERS,
    KINDS,
    NOBODY,
    PLANE,
    SQUAD,
    TANK,
    TRUCK,
    WALKER,
    at,
    board,
    named,
)

SIZE = 6


def can(table: SquareTable, mover: Mover, a: str, b: str, **units: str) -> bool:
    occupancy = Occupancy(**{who: at(table, where) for who, where in units.items()})
    return table.can_step(mover, table.square(a), table.square(b), occupancy)


def reach(table: SquareTable, mover: Mover, start: str, budget: int, **more: object) -> Reach:
    occupancy = more.pop("units", NOBODY)
    return table.reach(mover, table.square(start), budget, occupancy, **more)  # type: ignore[arg-type]


def cost(table: SquareTable, found: Reach, end: str) -> int | None:
    return found.get(table.square(end))


# --- costs ---


@pytest.mark.rule("d47.move.diagonal_cost", "d47.open.diagonal_scope")
def test_the_first_diagonal_costs_one_and_later_ones_two() -> None:
    table = board()
    found = reach(table, SQUAD, "A1", 3)
    assert cost(table, found, "C3") == 3
    assert cost(table, found, "D4") is None
    assert cost(table, reach(table, SQUAD, "A1", 5), "D4") == 5
    assert cost(table, found, "B2") == 1


@pytest.mark.rule("d47.open.march_split_move", "d47.move.diagonal_cost")
def test_a_diagonal_spent_before_makes_every_diagonal_dear() -> None:
    table = board()
    found = reach(table, SQUAD, "A1", 3, diagonal_used=True)
    assert cost(table, found, "B2") == 2
    assert cost(table, found, "C3") is None
    assert found.diagonal_used(table.square("A1")), "it was spent before"
    fresh = reach(table, SQUAD, "A1", 3)
    assert fresh.diagonal_used(table.square("B2"))
    assert not fresh.diagonal_used(table.square("C1"))


@pytest.mark.rule("d47.open.diagonal_scope")
def test_a_path_is_priced_as_one_action() -> None:
    table = board()
    path = [table.square(name) for name in ("A1", "A2", "B3", "B4", "C5")]
    assert table.path_cost(SQUAD, path, NOBODY) == 5
    assert table.path_cost(SQUAD, path, NOBODY, diagonal_used=True) == 6
    assert table.path_cost(SQUAD, [path[0], path[2]], NOBODY) is None


def test_the_start_is_always_an_end_and_costs_nothing() -> None:
    table = board("silo at C3")
    found = reach(table, SQUAD, "C3", 0)
    assert found.costs == {table.square("C3"): 0}
    assert found.path(table.square("C3")) == ()
    assert found.hazards(table.square("C3")) == ()


def test_ends_come_cheapest_first_and_unknown_ends_are_refused() -> None:
    table = board()
    found = reach(table, SQUAD, "B2", 2)
    assert list(found.costs.values()) == sorted(found.costs.values())
    assert len(found) == len(list(found)) == len(found.costs)
    assert found.mask == mask_of(place for place in found.costs if isinstance(place, int))
    with pytest.raises(KeyError):
        found.path(table.square("L9"))
    with pytest.raises(KeyError):
        found[table.square("L9")]


# --- units in the way ---


@pytest.mark.rule("d47.move.enemy_blocks", "d47.skill.trailblazer")
def test_enemies_block_unless_one_may_move_through_them() -> None:
    table = board(width=5, height=1)
    units = Occupancy(enemies=at(table, "C1"))
    assert named(table, reach(table, SQUAD, "A1", 4, units=units)) == ["A1", "B1"]
    through = Mover("infantry", through_enemies=True)
    assert named(table, reach(table, through, "A1", 4, units=units)) == ["A1", "B1", "D1", "E1"]


@pytest.mark.rule("d47.move.pass_friends", "d47.move.no_stacking_end", "d47.move.hero_may_share")
def test_one_passes_friends_but_only_a_hero_stops_on_them() -> None:
    table = board(width=4, height=1)
    units = Occupancy(friends=at(table, "B1"))
    assert named(table, reach(table, SQUAD, "A1", 2, units=units)) == ["A1", "C1"]
    hero = Mover("infantry", shares=True)
    assert named(table, reach(table, hero, "A1", 2, units=units)) == ["A1", "B1", "C1"]


@pytest.mark.rule("d47.move.vehicle_not_through_vehicle")
def test_vehicles_do_not_pass_friendly_vehicles_and_infantry_does() -> None:
    table = board(width=4, height=1)
    units = Occupancy(friend_vehicles=at(table, "B1"))
    assert named(table, reach(table, TANK, "A1", 2, units=units)) == ["A1"]
    assert named(table, reach(table, SQUAD, "A1", 2, units=units)) == ["A1", "C1"]
    squad = Occupancy(friends=at(table, "B1"))
    assert named(table, reach(table, TANK, "A1", 2, units=squad)) == ["A1", "C1"]


def test_the_movers_own_square_is_not_in_its_way() -> None:
    table = board(width=3, height=1)
    own = Occupancy(friends=at(table, "B1"), friend_vehicles=at(table, "B1"))
    assert named(table, reach(table, TANK, "B1", 1, units=own)) == ["B1", "A1", "C1"]


# --- diagonals past corners ---


@pytest.mark.rule("d47.move.vehicle_corner")
def test_vehicles_do_not_cut_a_corner_of_impassable_terrain_or_an_enemy() -> None:
    assert not can(board("silo at B1"), TANK, "A1", "B2")
    assert not can(board(), TANK, "A1", "B2", enemies="A2")
    assert can(board(), TANK, "A1", "B2", friends="A2")
    assert can(board("trees at B1", "crate at A2"), TANK, "A1", "B2")


@pytest.mark.rule("d47.move.vehicle_corner")
@pytest.mark.parametrize("kind", ["rubble", "water", "swamp", "wreck"])
def test_what_a_vehicle_cannot_enter_it_cannot_cut_past_either(kind: str) -> None:
    table = board(f"{kind} at B1")
    assert not can(table, TANK, "A1", "B2") and not can(table, TANK, "B2", "A1")
    assert can(table, WALKER, "A1", "B2") == (kind != "water")
    assert can(table, SQUAD, "A1", "B2")
    assert can(table, Mover("wheeled", vehicle=True, amphibious=True), "A1", "B2") == (kind in ("water", "swamp"))


@pytest.mark.rule("d47.move.infantry_corner_ok")
def test_infantry_cuts_one_corner() -> None:
    assert can(board(), SQUAD, "A1", "B2", enemies="B1")
    assert can(board("silo at B1"), SQUAD, "A1", "B2")


@pytest.mark.rule(
    "d47.move.diagonal_between_two", "d47.open.diagonal_between_friends", "d47.open.diagonal_between_structures"
)
def test_nobody_squeezes_between_two_blockers() -> None:
    assert not can(board(), SQUAD, "A1", "B2", enemies="B1 A2")
    assert not can(board(), SQUAD, "A1", "B2", friends="B1 A2")
    assert not can(board(), TANK, "A1", "B2", friends="B1 A2")
    assert not can(board("silo at B1, A2"), SQUAD, "A1", "B2")
    assert not can(board("silo at B1"), SQUAD, "A1", "B2", friends="A2")
    assert not can(board("wall along east of A1", "silo at A2"), SQUAD, "A1", "B2")


@pytest.mark.rule("d47.move.infantry_building_exit_diagonal")
def test_infantry_leaves_a_building_diagonally_through_an_opening_and_vehicles_do_not() -> None:
    house = board("building from B2 to D4, gate on south of C4")
    assert can(house, SQUAD, "C4", "B5"), "through the gate of its own square"
    assert can(house, SQUAD, "B4", "C5"), "past the doorpost beside it"
    assert not can(house, TANK, "C4", "B5")
    assert can(house, TANK, "C4", "C5")
    assert not can(house, SQUAD, "D3", "E2")
    assert not can(house, SQUAD, "B4", "A5"), "solid walls on both ways round"


# --- walls and openings ---


@pytest.mark.rule("d47.terrain.high_wall", "d47.terrain.opening_small", "d47.terrain.opening_large")
@pytest.mark.parametrize(
    "opening, fits",
    [
        ("", []),
        (" with small opening", ["infantry"]),
        (" with large opening", ["infantry", "walker", "tracked"]),
        (" with huge opening", ["infantry", "walker", "tracked"]),
    ],
)
def test_openings_let_through_whoever_fits(opening: str, fits: list[str]) -> None:
    table = board("wall between A1 and B1" + opening)
    assert [mover.kind for mover in (SQUAD, WALKER, TANK) if can(table, mover, "A1", "B1")] == fits


@pytest.mark.rule("d47.terrain.low_wall_cross", "d47.open.low_wall_wheeled")
def test_low_walls_stop_those_who_cannot_cross_them() -> None:
    table = board("low wall between A1 and B1")
    assert can(table, SQUAD, "A1", "B1")
    assert can(table, TANK, "A1", "B1")
    assert not can(table, TRUCK, "A1", "B1")
    assert can(board("low wall between A1 and B1 with large opening"), TRUCK, "A1", "B1")


@pytest.mark.rule("d47.terrain.building_floors")
def test_infantry_changes_floors_for_one_square_each_and_vehicles_cannot() -> None:
    table = board("building from B2 to D4 with 2 floors, gate on south of C4")
    found = reach(table, SQUAD, "C5", 2)
    assert cost(table, found, "C4") == 1
    assert cost(table, found, "C4+1") == 2
    assert cost(table, found, "C4+2") is None
    assert cost(table, reach(table, SQUAD, "C5", 3), "C4+2") == 3
    tank = reach(table, TANK, "C5", 4)
    assert cost(table, tank, "C3") == 2
    assert all(isinstance(end, int) and table.level(end) == 0 for end in tank)


@pytest.mark.rule("d47.babylon.plinth")
def test_infantry_climbs_a_plinth_from_beside_it() -> None:
    table = board("plinth at C3")
    found = reach(table, SQUAD, "A3", 2)
    assert cost(table, found, "C3+1") == 2
    assert cost(table, found, "C3") is None
    assert cost(table, reach(table, SQUAD, "B2", 1), "C3+1") == 1, "from a corner as well"
    assert cost(table, reach(table, SQUAD, "C3+1", 1), "D3") == 1
    assert cost(table, reach(table, TANK, "A3", 2), "C3+1") is None


@pytest.mark.rule("d47.fort.bunker_walls", "d47.fort.infantry_only")
def test_a_closed_place_is_entered_and_left_only_through_its_passages() -> None:
    table = board(width=5, height=3)
    c2, e2 = table.square("C2"), table.square("E2")
    fort = table.with_passages(((e2, c2),))
    assert can(fort, SQUAD, "E2", "C2") and can(fort, SQUAD, "C2", "E2")
    assert not can(fort, SQUAD, "B2", "C2") and not can(fort, SQUAD, "C2", "D3")
    assert not can(fort, TANK, "E2", "C2")
    assert cost(fort, reach(fort, SQUAD, "E2", 1), "C2") == 1
    assert cost(fort, reach(fort, FLYERS, "B2", 2), "C2") is None, "flyers do not come in through the roof"
    assert cost(fort, reach(fort, FLYERS, "A2", 4), "E2") == 4
    assert cost(fort, reach(fort, FLYERS, "A2", 5), "C2") == 5
    assert cost(fort, reach(fort, FLYERS, "C2", 1), "E2") == 1
    assert fort != table and fort.with_passages(()) == table
    assert SquareTable.from_plain(fort.to_plain(), KINDS) == fort


# --- terrain ---


@pytest.mark.rule("d47.terrain.rubble_move", "d47.terrain.structure", "d47.terrain.trees_move")
@pytest.mark.parametrize(
    "kind, enters",
    [
        ("silo", []),
        ("rubble", ["infantry", "walker"]),
        ("trees", ["infantry", "walker", "tracked", "wheeled"]),
        ("water", []),
        ("swamp", ["infantry", "walker"]),
    ],
)
def test_who_may_enter_what(kind: str, enters: list[str]) -> None:
    table = board(f"{kind} at B1")
    able = [m.kind for m in (SQUAD, WALKER, TANK, TRUCK) if can(table, m, "A1", "B1")]
    assert able == enters


@pytest.mark.rule("d47.terrain.water", "d47.terrain.swamp", "d47.skill.amphibious")
def test_amphibious_units_treat_water_and_swamp_as_open() -> None:
    table = board("water at B1", "swamp at C1", width=4, height=1)
    swimmer = Mover("tracked", amphibious=True, vehicle=True)
    assert cost(table, reach(table, swimmer, "A1", 3), "D1") == 3
    assert len(reach(table, swimmer, "A1", 3)) == 4


def test_naval_units_stay_on_water_whatever_drifts_over_it() -> None:
    table = board("water from A1 to C1", "smoke at B1", width=4, height=1)
    boat = Mover("naval", vehicle=True)
    assert named(table, reach(table, boat, "A1", 5)) == ["A1", "B1", "C1"]


@pytest.mark.rule("d47.terrain.wreck_move", "d47.terrain.wreck_end")
def test_a_walker_passes_a_wreck_but_only_infantry_stops_there() -> None:
    table = board("wreck at B1", width=3, height=1)
    assert named(table, reach(table, WALKER, "A1", 2)) == ["A1", "C1"]
    assert named(table, reach(table, SQUAD, "A1", 2)) == ["A1", "B1", "C1"]
    assert named(table, reach(table, TANK, "A1", 2)) == ["A1"]


@pytest.mark.rule("d47.terrain.mud_sand", "d47.open.mud_partial")
def test_mud_limits_the_whole_action_to_the_halved_value() -> None:
    table = board("mud at C1", width=6, height=1)
    found = reach(table, TANK, "A1", 4, halved_budget=2)
    assert named(table, found) == ["A1", "B1", "C1"], "the mud square is reached within 2, nothing beyond"
    assert named(table, reach(board("mud at D1", width=6, height=1), TANK, "A1", 4, halved_budget=2)) == [
        "A1",
        "B1",
        "C1",
    ]
    assert len(reach(table, TANK, "A1", 4)) == 5, "without a halved value mud is just ground"
    start = reach(board("mud at A1", width=6, height=1), TANK, "A1", 4, halved_budget=2)
    assert named(table, start) == ["A1", "B1", "C1"]


@pytest.mark.rule("d47.terrain.road_move_bonus", "d47.terrain.road_march_bonus", "d47.open.road_start")
def test_the_road_bonus_needs_the_start_and_every_square_to_be_road() -> None:
    road = board("road from A1 to E1", width=6, height=2)
    found = reach(road, TANK, "A1", 3, road_bonus=1)
    assert cost(road, found, "E1") == 4
    assert found.road(road.square("E1"))
    assert not found.road(road.square("D1")), "within the plain value"
    assert cost(road, found, "E2") is None
    assert cost(road, reach(road, TANK, "A2", 3, road_bonus=1), "E1") is None
    gap = board("road at A1, B1, D1, E1", width=6, height=1)
    assert cost(gap, reach(gap, TANK, "A1", 3, road_bonus=1), "E1") is None


# --- hazards ---


@pytest.mark.rule("d47.wire.cross", "d47.mines.attack")
def test_paths_go_round_hazards_where_the_budget_allows_it() -> None:
    table = board("mines at B2", width=3, height=3)
    found = reach(table, SQUAD, "A2", 3)
    end = table.square("C2")
    assert found.hazards(end) == ()
    assert table.square("B2") not in found.path(end)
    assert found[end] == 3, "a diagonal, then another"
    short = reach(table, SQUAD, "A2", 2)
    assert named(table, short.path(end)) == ["B2", "C2"]
    assert named(table, short.hazards(end)) == ["B2"]
    assert named(table, short.hazards(table.square("B2"))) == ["B2"]


@pytest.mark.rule("d47.open.wire_details")
def test_a_hazard_may_concern_some_movers_only() -> None:
    table = board("wire at B1", width=3, height=1)
    assert named(table, reach(table, SQUAD, "A1", 2).hazards(table.square("C1"))) == ["B1"]
    assert reach(table, TANK, "A1", 2).hazards(table.square("C1")) == ()


@pytest.mark.rule("d47.open.flying_ground_hazards")
def test_flyers_meet_a_hazard_only_where_they_land() -> None:
    table = board("mines at B1", width=3, height=1)
    found = reach(table, FLYERS, "A1", 2)
    assert found.hazards(table.square("C1")) == ()
    assert named(table, found.hazards(table.square("B1"))) == ["B1"]


# --- flying and aircraft ---


@pytest.mark.rule("d47.skill.flying_move", "d47.babylon.lamassu", "d47.babylon.impassable")
def test_flyers_pass_over_everything_and_land_where_they_could_stand() -> None:
    table = board("silo at B1", "water at C1", width=6, height=1)
    units = Occupancy(enemies=at(table, "D1"))
    assert named(table, reach(table, FLYERS, "A1", 4, units=units)) == ["A1", "E1"]


@pytest.mark.rule("d47.skill.flying_2d")
def test_flyers_count_squares_on_the_map_only_except_inside() -> None:
    table = board("building from D1 to E3 with 3 floors, door on west of D2")
    found = reach(table, FLYERS, "B2", 4)
    assert cost(table, found, "D2+3") == 2
    assert cost(table, found, "D2") == 2, "through the door"
    assert cost(table, found, "D2+1") == 3
    assert cost(table, found, "D2+2") == 3, "in from the roof, one floor down"
    inside = reach(table, FLYERS, "D2", 1)
    assert cost(table, inside, "D2+1") == 1
    assert cost(table, inside, "C2") == 1
    assert cost(table, inside, "D2+3") is None
    roof = Occupancy(enemies=at(table, "D2+3"))
    assert cost(table, reach(table, FLYERS, "B2", 4, units=roof), "D2+3") is None


@pytest.mark.rule("d47.move.diagonal_between_two")
def test_flyers_are_free_of_corners() -> None:
    assert can(board("silo at B1, A2"), FLYERS, "A1", "B2")


@pytest.mark.rule("d47.move.aircraft_ignore_ground", "d47.move.aircraft_corners")
def test_nothing_on_the_ground_concerns_aircraft() -> None:
    table = board("silo at B1, A2", "building from C1 to D2 with 2 floors")
    units = Occupancy(enemies=at(table, "B2"), friends=at(table, "C3"))
    found = reach(table, PLANE, "A1", 2, units=units)
    assert cost(table, found, "B2") == 1
    assert cost(table, found, "C2") == 2
    assert cost(table, found, "B1") == 1


@pytest.mark.rule("d47.move.aircraft_over_aircraft", "d47.open.aircraft_stacking_ground")
def test_aircraft_pass_other_aircraft_and_never_share_a_square() -> None:
    table = board(width=4, height=1)
    units = Occupancy(aircraft=at(table, "B1 A1"))
    assert named(table, reach(table, PLANE, "A1", 2, units=units)) == ["A1", "C1"]
    assert named(table, reach(table, SQUAD, "A1", 2, units=units)) == ["A1", "B1", "C1"]


# --- stops and turns ---


def test_where_one_may_stop() -> None:
    table = board("wreck at B1", "silo at C1", "building from F1 to G2 with 2 floors")
    units = Occupancy(friends=at(table, "D1"))
    stops = [name for name in ["A1", "B1", "C1", "D1", "F1+2"] if table.can_stop(SQUAD, table.square(name), units)]
    assert stops == ["A1", "B1", "F1+2"]
    assert not table.can_stop(WALKER, table.square("B1"), units)
    assert table.can_stop(FLYERS, table.square("F1+2"), units)
    assert table.can_stop(PLANE, table.square("C1"), units)


@pytest.mark.rule("d47.move.facing_free")
def test_a_standard_unit_may_face_any_edge() -> None:
    table = board()
    assert table.rotations(TANK, (5, 0), NOBODY) == ((5, 0), (5, 1), (5, 2), (5, 3))
    assert table.reach(TANK, (5, 2), 1, NOBODY).costs == table.reach(TANK, 5, 1, NOBODY).costs


def test_big_units_need_a_stance_to_start_from() -> None:
    with pytest.raises(TableError, match="starts from a stance"):
        board().reach(Mover("tracked", "large", vehicle=True), 5, 1, NOBODY)
    with pytest.raises(TableError, match="Nothing huge flies"):
        board().reach(Mover("aircraft", "huge", vehicle=True), (5, 0), 1, NOBODY)


# --- against plain Dijkstra ---


class Walk:
    """Movement told square by square, as slowly as a rulebook tells it."""

    def __init__(self, table: SquareTable, mover: Mover, units: Occupancy, start: Place) -> None:
        self.table, self.mover, self.start = table, mover, start
        own = ~(1 << start)
        self.friends, self.enemies = units.friends & own, units.enemies & own
        self.vehicles = units.friend_vehicles & own

    def allows(self, field: str, place: Place) -> bool:
        return all(self.mover.kind in getattr(KINDS[name], field) for name in self.table.features(place))

    def enters(self, place: Place) -> bool:
        if self.enemies >> place & 1 or (self.mover.vehicle and self.vehicles >> place & 1):
            return False
        return self.allows("passable", place)

    def stops(self, place: Place) -> bool:
        free = not (self.friends | self.enemies) >> place & 1
        return place == self.start or (free and self.allows("stoppable", place))

    def crosses(self, a: Place, b: Place) -> bool:
        wall = self.table.wall(a, b)
        if wall is None or wall.kind == "low" or wall.opening in ("large", "huge"):
            return True
        return wall.opening == "small" and not self.mover.vehicle

    def way_round_blocked(self, a: Place, flank: Place, b: Place) -> bool:
        corner = any(KINDS[name].corner for name in self.table.features(flank))
        if self.mover.vehicle:
            corner = not self.allows("passable", flank)
        return corner or not self.crosses(a, flank) or not self.crosses(flank, b)

    def steps(self, a: Place) -> Iterator[tuple[Place, bool]]:
        x, y = self.table.xy(a)
        for b in self.table.neighbours(a):
            to_x, to_y = self.table.xy(b)
            if not self.enters(b):
                continue
            if x == to_x or y == to_y:
                if self.crosses(a, b):
                    yield b, False
                continue
            flanks = [self.table.place(to_x, y), self.table.place(x, to_y)]
            fixed = [self.way_round_blocked(a, flank, b) for flank in flanks]
            unit = [bool((self.friends | self.enemies) >> flank & 1) for flank in flanks]
            enemy = [bool(self.enemies >> flank & 1) for flank in flanks]
            if all(one or other for one, other in zip(fixed, unit, strict=True)):
                continue
            if self.mover.vehicle and (any(fixed) or any(enemy)):
                continue
            yield b, True

    def dangerous(self, place: Place) -> bool:
        kinds = [KINDS[name] for name in self.table.features(place)]
        return any(kind.hazard and (not kind.hazard_for or self.mover.kind in kind.hazard_for) for kind in kinds)

    def best(self, budget: int, spent: bool, allowed: int) -> dict[Place, tuple[int, int]]:
        """For each end the fewest hazards, then the lowest cost, by Dijkstra over (place, diagonal, cost)."""
        start = (0, 0, self.start, spent)
        seen: set[tuple[int, Place, bool]] = set()
        ends: dict[Place, tuple[int, int]] = {}
        queue = [start]
        while queue:
            hazards, cost_, place, used = heapq.heappop(queue)
            if (cost_, place, used) in seen:
                continue
            seen.add((cost_, place, used))
            if place not in ends and self.stops(place):
                ends[place] = (hazards, cost_)
            for other, diagonal in self.steps(place):
                price = cost_ + (2 if diagonal and used else 1)
                if price <= budget and allowed >> other & 1:
                    entry = (hazards + self.dangerous(other), price, other, used or diagonal)
                    heapq.heappush(queue, entry)
        return ends

    def ends(self, budget: int, spent: bool, halved: int | None, bonus: int) -> dict[Place, tuple[int, int]]:
        everything = (1 << self.table.size) - 1
        mud = at_kind(self.table, "mud") if halved is not None else 0
        roads = at_kind(self.table, "road")
        runs = []
        if mud >> self.start & 1:
            runs.append(self.best(min(budget, halved or 0), spent, everything))
        else:
            runs.append(self.best(budget, spent, everything & ~mud))
            if halved is not None:
                runs.append(self.best(min(budget, halved), spent, everything))
            if bonus and roads >> self.start & 1:
                runs.append(self.best(budget + bonus, spent, roads & ~mud))
        best: dict[Place, tuple[int, int]] = {}
        for run in runs:
            for place, value in run.items():
                best[place] = min(value, best.get(place, value))
        best[self.start] = (0, 0)
        return best


def at_kind(table: SquareTable, kind: str) -> int:
    return mask_of(table.squares_with(kind))


PLACES = st.integers(0, SIZE * SIZE - 1)
EDGES = [(y * SIZE + x, y * SIZE + x + 1) for y in range(SIZE) for x in range(SIZE - 1)] + [
    (y * SIZE + x, (y + 1) * SIZE + x) for y in range(SIZE - 1) for x in range(SIZE)
]
TERRAIN = ["silo", "rubble", "wreck", "mud", "road", "wire", "mines", "trees"]
TABLES = st.builds(
    lambda features, walls: SquareTable(SIZE, SIZE, KINDS, features, walls),
    st.dictionaries(PLACES, st.lists(st.sampled_from(TERRAIN), max_size=2).map(tuple), max_size=14),
    st.dictionaries(
        st.sampled_from(EDGES),
        st.sampled_from([Wall(), Wall("low"), Wall("high", "small"), Wall("high", "large")]),
        max_size=8,
    ),
)
MASKS = st.sets(PLACES, max_size=4).map(mask_of)


@pytest.mark.rule(
    "d47.move.diagonal_cost", "d47.move.enemy_blocks", "d47.move.vehicle_corner", "d47.move.diagonal_between_two"
)
@settings(max_examples=250)
@given(
    TABLES,
    st.sampled_from([SQUAD, WALKER, TANK]),
    PLACES,
    st.integers(0, 6),
    st.tuples(MASKS, MASKS, MASKS),
    st.booleans(),
    st.none() | st.integers(1, 3),
    st.integers(0, 2),
)
def test_reach_agrees_with_plain_dijkstra(
    table: SquareTable,
    mover: Mover,
    start: Place,
    budget: int,
    masks: tuple[int, int, int],
    spent: bool,
    halved: int | None,
    bonus: int,
) -> None:
    friends, vehicles, enemies = masks
    units = Occupancy(friends & ~enemies, vehicles & ~enemies, enemies & ~(1 << start))
    found = table.reach(mover, start, budget, units, diagonal_used=spent, road_bonus=bonus, halved_budget=halved)
    expected = Walk(table, mover, units, start).ends(budget, spent, halved, bonus)
    assert dict(found.costs) == {place: cost_ for place, (_, cost_) in expected.items()}
    assert found.mask == mask_of(expected)
    for end in found:
        assert isinstance(end, int)
        path = found.path(end)
        assert len(found.hazards(end)) == expected[end][0]
        assert table.path_cost(mover, (start, *path), units, diagonal_used=spent) == found[end]
        assert (path[-1] if path else start) == end


@settings(max_examples=30)
@given(TABLES, PLACES, st.integers(0, 5))
def test_the_same_question_gives_the_same_paths(table: SquareTable, start: Place, budget: int) -> None:
    again = SquareTable.from_plain(table.to_plain(), KINDS)
    one, other = (t.reach(SQUAD, start, budget, NOBODY) for t in (table, again))
    assert list(one) == list(other)
    assert [one.path(end) for end in one] == [other.path(end) for end in other]
