"""Vehicles in buildings: openings as wide as the hull let it in and out (d47.terrain.opening_*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust_open.places import at
from dieselfront.table.measured.terrain import Opening
from rulesets.dust1947.table import squad, vehicle, weapon
from rulesets.freeform1947.field import RED, Field, hut

GUN = weapon("Gun", "2/1", 12)
TANK = vehicle(locomotion="tracked")
HALL = (400, 200, 400, 400)
"""A hall from 400 to 800 and from 200 to 600; tanks of the tests have hulls of 60 by 90 mm."""


def south(width: int, middle: int = 600, floor: int = 0) -> Opening:
    return Opening((middle - width // 2, 600), (middle + width // 2, 600), floor, is_door=True)


@pytest.mark.rule("d47.terrain.opening_small", "d47.terrain.opening_large")
@pytest.mark.parametrize("width, gets_in", [(40, False), (58, False), (60, True), (100, True)])
def test_a_vehicle_enters_by_an_opening_as_wide_as_its_hull(width, gets_in):
    field = Field(hut(*HALL, south(width)))
    tank = field.put(TANK, (600, 700))
    assert (field.why_not(tank, (600, 500), 12) is None) is gets_in
    men = field.put(squad(men=1), (500, 700))
    assert field.why_not(men, (600, 500), 16) is None


@pytest.mark.rule("d47.terrain.opening_huge", "d47.open.large_opening_large_vehicle")
@pytest.mark.parametrize(
    "openings, gets_in",
    [((south(100),), False), ((south(100, 550), south(100, 650)), True), ((south(80, 540), south(80, 660)), False)],
)
def test_a_huge_vehicle_needs_an_opening_of_two_squares(openings, gets_in):
    field = Field(hut(*HALL, *openings))
    walker = field.put(vehicle(size="huge"), (600, 760))
    assert (field.why_not(walker, (600, 450), 24) is None) is gets_in


@pytest.mark.rule("d47.terrain.opening_large")
def test_the_way_leads_through_the_opening_and_round_the_house():
    field = Field(hut(*HALL, south(100)))
    tank = field.put(TANK, (600, 120))
    ways = field.ways(tank, 48)
    assert ways.problem(at(600, 400), 0) is None
    assert any(x == 600 and y > 600 for x, y in ways.points(at(600, 400)))
    assert ways.cost(at(600, 400)) > 10_000
    assert field.why_not(tank, (600, 400), 20) is not None  # the straight line is 11 inches long


@pytest.mark.rule("d47.terrain.opening_large")
def test_a_vehicle_leaves_as_it_came_and_moves_about_inside():
    field = Field(hut(*HALL, south(100)))
    tank = field.put(TANK, (600, 400))
    assert field.why_not(tank, (500, 300), 12) is None
    assert field.why_not(tank, (600, 760), 20) is None
    assert field.why_not(tank, (600, 130), 12) is not None
    assert field.ways(tank, 48).cost(at(600, 130)) > 8_000


@pytest.mark.rule("d47.terrain.opening_large", "d47.terrain.high_wall")
def test_no_hull_stands_in_a_wall_or_in_a_house_without_a_gate():
    field = Field(hut(*HALL, south(100)))
    tank = field.put(TANK, (600, 760))
    assert field.why_not(tank, (428, 400), 24) is not None  # 28 mm from the wall to its middle
    assert field.why_not(tank, (450, 400), 30) is None
    closed = Field(hut(*HALL, south(40)))
    other = closed.put(TANK, (600, 760))
    assert isinstance(closed.rules.ground.formation(closed.state, other, at(600, 400), 0), str)


@pytest.mark.rule("d47.terrain.opening_large")
def test_whoever_stands_in_the_opening_is_in_the_way():
    field = Field(hut(*HALL, south(100)))
    tank = field.put(TANK, (600, 760))
    field.put(squad(men=1), (600, 610), RED)
    assert "wide enough" in str(field.why_not(tank, (600, 400), 24))


@pytest.mark.rule("ff.los.opening")
def test_a_tank_inside_sees_out_of_the_gate_only():
    field = Field(hut(*HALL, south(100)))
    tank = field.put(vehicle(GUN, locomotion="tracked"), (600, 520))
    ahead, aside = field.put(squad(men=1), (600, 800), RED), field.put(squad(men=1), (300, 400), RED)
    assert field.sees(tank, ahead)
    assert not field.sees(tank, aside)
