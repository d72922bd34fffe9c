"""Sight in, out of and over buildings, between floors, to aircraft (d47.attack.los.*, d47.terrain.*)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dieselfront.table.square import BoardBuilder, Place, Sight, SquareTable, Wall, mask_of
from dieselfront.table.square.sight import Eye, _Tracer, trace
from table.square_kit import KINDS, at, board

HOUSE = "building from D3 to F6 with 2 floors, window on south of E6, window on east of F4+1, door on west of D4"
"""
     A  B  C  D  E  F  G  H
  3  .  .  .| B  B  B| .
  4  .  .  .: B  B  B| .      upstairs: window from F4 to G4
  5  .  .  .| B  B  B| .
  6  .  .  .| B  B  B| .
             -- .. --
"""


def look(table: SquareTable, a: str, b: str, units: str = "", **more: object) -> Sight:
    return table.sight(table.square(a), table.square(b), blockers=at(table, units), **more)  # type: ignore[arg-type]


def codes(sight: Sight) -> list[str]:
    return [reason.code for reason in sight.reasons]


@pytest.mark.rule("d47.attack.los.building_opening", "d47.terrain.building_los_cover")
def test_next_to_the_window_one_sees_out_and_further_inside_one_does_not() -> None:
    table = board(HOUSE)
    assert look(table, "E6", "E9").visible
    assert codes(look(table, "E5", "E9")) == ["opening"]
    assert not look(table, "E5", "E9").visible
    assert look(table, "E5", "E7").visible, "the target stands next to the window"
    assert look(table, "E9", "E6") == look(table, "E8", "E6"), "looking in is the same"


@pytest.mark.rule("d47.attack.los.building_opening")
def test_diagonally_next_to_the_opening_is_next_to_it() -> None:
    table = board(HOUSE)
    assert codes(look(table, "D6", "F8")) == ["corner"], "past the edge of the window, which is next to D6"
    assert look(table, "D6", "F8").visible
    assert not look(table, "C5", "F8").visible
    assert look(table, "D6", "G8").visible, "through the window of E6, which D6 touches"
    assert not look(table, "D6", "F9").visible, "this line leaves through the wall of D6"


@pytest.mark.rule("d47.attack.los.walls_block", "d47.terrain.building_los_cover")
def test_a_building_blocks_through_its_walls_and_covers_inside() -> None:
    table = board(HOUSE)
    assert codes(look(table, "C5", "G5")) == ["wall", "wall"]
    assert codes(look(table, "E9", "E6")) == ["in_terrain", "opening"]
    assert look(table, "D5", "F5").visible, "inside the same room nothing is in the way"
    assert look(table, "D5", "F5").cover


@pytest.mark.rule("d47.attack.los.walls_block")
def test_a_line_may_come_in_by_one_opening_and_leave_by_another() -> None:
    table = board("building from D3 to F5, window on west of D4, window on east of F4")
    assert look(table, "A4", "I4").visible
    assert codes(look(table, "A4", "I4", units="E4")) == ["blocker"]
    assert not look(table, "A3", "I3").visible


def test_inner_walls_need_no_one_beside_their_doors() -> None:
    pieces = ("building from C3 to H5", "wall between E4 and F4 with small opening")
    assert look(board(*pieces), "C4", "H4").visible
    assert not look(board("building from C3 to H5", "wall between E4 and F4"), "C4", "H4").visible


@pytest.mark.rule("d47.terrain.floors_los")
def test_one_floor_apart_they_see_each_other_with_cover_and_two_apart_they_do_not() -> None:
    table = board(HOUSE)
    assert codes(look(table, "E4+1", "E4")) == ["in_terrain", "floors_apart"]
    assert look(table, "E4+1", "E4").visible
    assert look(table, "D3+1", "F6").visible
    assert codes(look(table, "E4+2", "E4")) == ["floor"]
    assert not look(table, "E4+2", "E4").visible
    assert codes(look(table, "E4", "E4+1"))[-1] == "floors_apart", "both have cover from each other"


@pytest.mark.rule("d47.terrain.floors_los")
def test_from_the_roof_one_sees_the_top_floor_and_not_the_ground_floor() -> None:
    table = board(HOUSE)
    assert look(table, "E4+2", "F5+1").visible
    assert not look(table, "E4+2", "F5").visible


@pytest.mark.rule("d47.height.attacker", "d47.open.height_units")
def test_a_roof_looks_down_on_the_ground_outside() -> None:
    table = board(HOUSE)
    assert look(table, "E4+2", "E9") == Sight(True, False, ())
    assert look(table, "E9", "E4+2") == Sight(True, False, ())
    assert table.height_of(table.square("E4+2")) == 2
    assert table.height_of(table.square("E9")) == 0


def test_an_upstairs_window_looks_down_and_needs_somebody_next_to_it_upstairs() -> None:
    table = board(HOUSE)
    assert look(table, "F4+1", "I4").visible
    assert codes(look(table, "E4+1", "I4")) == ["opening"]
    assert not look(table, "E4+1", "G4").visible, "the target below the window is not next to it"
    assert not look(table, "F5+1", "I5").visible
    assert codes(look(table, "I4", "F4+1")) == ["in_terrain", "opening"]


@pytest.mark.rule("d47.height.vehicle_height")
def test_units_on_high_roofs_look_over_a_tank_and_units_on_the_ground_do_not() -> None:
    table = board("building from A1 to A2 with 2 floors", "building from G1 to G2 with 2 floors")
    assert look(table, "A1+2", "G1+2", units="D1").visible
    assert not look(table, "B1", "F1", units="D1").visible


@pytest.mark.rule("d47.terrain.trees_height")
def test_trees_block_lines_lower_than_they_are() -> None:
    roofs = ("building from A1 to A2 with 2 floors", "building from G1 to G2 with 2 floors")
    low = ("building from A1 to A2 with 1 floor", "building from G1 to G2 with 1 floor")
    assert look(board(*roofs, "trees at D1"), "A1+2", "G1+2").visible
    assert not look(board(*low, "tall trees at D1"), "A1+1", "G1+1").visible
    assert look(board(*low, "trees at D1"), "A1+1", "G1+1").visible
    assert look(board(*roofs, "tall trees at D1"), "A1+2", "G1+2").visible


def test_a_slanting_line_passes_over_what_is_near_its_high_end() -> None:
    """From a roof at 2 down to the ground 6 squares off the line falls by a third of a floor each square."""
    roof = "building from A1 to A2 with 2 floors"
    assert look(board(roof, "trees at C1"), "A1+2", "G1").visible
    assert not look(board(roof, "trees at D1"), "A1+2", "G1").visible, "it enters D1 at 7/6 and leaves it at 5/6"
    assert not look(board(roof, "trees at E1"), "A1+2", "G1").visible
    assert look(board(roof), "A1+2", "G1", units="B1 C1").visible
    assert codes(look(board(roof), "A1+2", "G1", units="B1 E1")) == ["blocker"]


def test_another_building_blocks_a_slanting_line_below_its_roof() -> None:
    pieces = ("building from A1 to A2 with 2 floors", "building from D1 to D2 with 1 floor")
    assert not look(board(*pieces), "A1+2", "G1").visible
    assert look(board(*pieces), "A1+2", "G1").reasons[0].what == "building"
    near = ("building from A1 to A2 with 2 floors", "building from B1 to B2 with 1 floor")
    assert look(board(*near), "A1+2", "H1").visible


def test_a_wall_near_the_high_end_is_looked_over_and_one_at_the_low_end_blocks() -> None:
    roof = "building from A1 to A2 with 2 floors"
    assert look(board(roof, "wall between B1 and C1"), "A1+2", "G1").visible
    assert codes(look(board(roof, "wall between B1 and C1"), "A1+2", "C1")) == ["wall"]
    assert codes(look(board(roof, "low wall between B1 and C1"), "A1+2", "C1")) == ["low_wall"]
    assert look(board(roof), "A1+2", "B1") == Sight(True, False, ()), "right below the own wall"


@pytest.mark.rule("d47.babylon.plinth")
def test_the_top_of_a_plinth_is_seen_from_the_ground_and_its_block_hides_what_is_behind() -> None:
    table = board("plinth at D1")
    assert look(table, "A1", "D1+1").visible
    assert look(table, "D1+1", "G1").visible
    assert not look(table, "A1", "G1").visible


# --- aircraft ---


@pytest.mark.rule("d47.open.aircraft_los")
def test_aircraft_are_seen_over_silos_and_vehicles() -> None:
    table = board("silo at C1")
    assert look(table, "A1", "E1", units="B1", air="target") == Sight(True, False, ())
    assert look(table, "A1", "E1", units="B1", air="attacker") == Sight(True, False, ())
    assert look(table, "A1", "E1", units="B1", air=True) == Sight(True, False, ())


@pytest.mark.rule("d47.open.aircraft_los", "d47.attack.los.building_opening")
def test_indoors_one_needs_an_opening_of_ones_own_to_see_aircraft() -> None:
    table = board(HOUSE)
    assert look(table, "E6", "E9", air="target").visible
    assert not look(table, "E5", "E7", air="target").visible, "nobody but the unit itself can be at the window"
    assert not look(table, "F6", "I6", air="target").visible
    assert look(table, "E9", "E6", air="attacker").cover
    assert codes(look(table, "E5", "E4", air="target")) == ["indoors"], "it hovers over the same roof"
    assert look(table, "E4+2", "A1", air="target").visible


@pytest.mark.rule("d47.move.aircraft_not_inside")
def test_an_aircraft_above_trees_is_not_in_cover() -> None:
    table = board("trees at E1")
    assert look(table, "A1", "E1", air="target") == Sight(True, False, ())
    assert codes(look(table, "A1", "E1", air="attacker")) == ["in_terrain"]
    assert look(table, "A1", "E1", air="both") == Sight(True, False, ())


def test_an_aircraft_above_a_building_is_not_indoors() -> None:
    table = board(HOUSE)
    assert look(table, "E4", "A1", air="attacker").visible
    assert look(table, "A1", "E4", air="target").visible


# --- symmetry, whatever is built ---

SIZE = 6
HOUSES = st.tuples(
    st.integers(0, SIZE - 1), st.integers(0, SIZE - 1), st.integers(1, 3), st.integers(1, 3), st.integers(1, 2)
)


def town(houses: list[tuple[int, int, int, int, int]], openings: list[tuple[int, int]]) -> SquareTable:
    builder = BoardBuilder(SIZE, SIZE, KINDS)
    for x, y, wide, high, floors in houses:
        right, bottom = min(x + wide, SIZE) - 1, min(y + high, SIZE) - 1
        builder.building(f"{chr(65 + x)}{y + 1}-{chr(65 + right)}{bottom + 1}", floors=floors)
    for square, side in openings:
        name = f"{chr(65 + square % SIZE)}{square // SIZE + 1}"
        builder.wall_along(("north", "east", "south", "west")[side], name, opening="small")
    return builder.put("trees", "C3").build()


@settings(max_examples=100)
@given(
    st.lists(HOUSES, max_size=3),
    st.lists(st.tuples(st.integers(0, SIZE * SIZE - 1), st.integers(0, 3)), max_size=6),
    st.integers(0, SIZE * SIZE - 1),
    st.sampled_from(["low", "tall"]),
)
def test_lines_along_the_ground_are_what_the_tracer_of_all_lines_finds(
    houses: list[tuple[int, int, int, int, int]], openings: list[tuple[int, int]], a: Place, eye: Eye
) -> None:
    table = town(houses, openings)
    table = table.with_edge(table.square("B2"), table.square("B3"), Wall("low"))
    table = table.with_edge(table.square("B3"), table.square("C3"), Wall("low")).placing("hut", [table.square("E4")])
    for b in range(table.plane):
        fast, slow = trace(table, a, b, eye), _Tracer(table, a, b, eye, 0).line()
        for part in ("blocks", "cover", "inner", "flanks", "touched", "sight", "watch"):
            assert getattr(fast, part) == getattr(slow, part), (part, a, b)


@settings(max_examples=60)
@given(
    st.lists(HOUSES, max_size=3),
    st.lists(st.tuples(st.integers(0, SIZE * SIZE - 1), st.integers(0, 3)), max_size=4),
    st.data(),
)
def test_between_floors_and_houses_sight_is_still_mutual(
    houses: list[tuple[int, int, int, int, int]], openings: list[tuple[int, int]], data: st.DataObject
) -> None:
    table = town(houses, openings)
    places: list[Place] = list(table.places())
    a, b = data.draw(st.sampled_from(places)), data.draw(st.sampled_from(places))
    units = mask_of(set(data.draw(st.lists(st.sampled_from(places), max_size=4))) - {a, b})
    there, back = table.sight(a, b, blockers=units), table.sight(b, a, blockers=units)
    assert there.visible == back.visible
    assert table.sight(a, b, air="target").visible == table.sight(b, a, air="attacker").visible
