"""Movement on the open table: leaders, circles, true distance, area terrain (ff.move.*, ff.area.*, ff.suppress.*)."""

from __future__ import annotations

from math import cos, radians, sin

import pytest

from dieselfront import rulesets
from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.rulesets.dust.events import Moved
from dieselfront.rulesets.dust_open.places import at, xy
from dieselfront.rulesets.dust_open.regions import Spot
from dieselfront.table.measured.formation import Circle
from rulesets.dust1947.table import aircraft, hero, squad, support, vehicle, weapon
from rulesets.freeform1947.field import RED, Field, box, house, hut

RULES = rulesets.load("freeform1947")
BASE = 13
"""From the middle of an infantry base to its edge, in whole millimetres (12.5)."""


def men(count: int = 1, **more: object):
    return squad(weapon("Rifle", "1/1", 6), men=count, **more)


# -- how far --------------------------------------------------------------------------------------


@pytest.mark.rule("ff.move.move", "ff.move.less")
@pytest.mark.parametrize("way, legal", [(30, True), (101, True), (102, True), (103, False), (115, False)])
def test_a_move_of_one_goes_up_to_four_inches(way: int, legal: bool):
    field = Field()
    unit = field.put(men(move=1, march=3), (300, 300))
    if legal:
        field.activate(unit, "move", move=(300 + way, 300))
        assert field.points(unit) == [(300 + way, 300)]
    else:
        with pytest.raises(IllegalChoice):
            field.activate(unit, "move", move=(300 + way, 300))


@pytest.mark.rule("ff.move.march")
@pytest.mark.parametrize("way, legal", [(304, True), (305, True), (307, False)])
def test_a_march_of_three_goes_up_to_twelve_inches(way: int, legal: bool):
    """12" are 304.8 mm: the nearest whole millimetre is as good."""
    field = Field()
    unit = field.put(men(move=1, march=3), (300, 300))
    if not legal:
        with pytest.raises(IllegalChoice):
            field.activate(unit, "march", march=(300 + way, 300))
        return
    game = field.activate(unit, "march", march=(300 + way, 300))
    assert [move.cost for move in game.of(Moved)] == [way * 10]


@pytest.mark.rule("ff.move.march", "ff.move.straight_measure")
@pytest.mark.parametrize("start", [(300, 300), (301, 299), (305, 303)])
@pytest.mark.parametrize("degrees", [0, 17, 45, 61, 90, 133])
def test_an_order_that_means_exactly_twelve_inches_is_carried_out(start: tuple[int, int], degrees: int):
    field = Field()
    unit = field.put(men(1, march=3), start)
    goal = tuple(round(from_ + 304.8 * part(radians(degrees))) for from_, part in zip(start, (sin, cos), strict=True))
    assert field.why_not(unit, goal, 12) is None


@pytest.mark.rule("ff.move.march")
def test_the_first_leg_of_a_march_counts_against_the_whole():
    field = Field()
    unit = field.put(men(move=1, march=3), (300, 300))
    field.put(men(), (700, 700), RED)  # somebody who might react
    with pytest.raises(IllegalChoice):
        field.activate(unit, "march", march_first=(400, 300), march=(607, 300))
    field = Field()
    unit = field.put(men(move=1, march=3), (300, 300))
    field.put(men(), (700, 700), RED)
    field.activate(unit, "march", march_first=(400, 300), march=(604, 300))
    assert field.points(unit) == [(604, 300)]


@pytest.mark.rule("ff.move.facing")
def test_a_tank_moves_sideways_and_ends_looking_back():
    field = Field()
    tank = field.put(vehicle(move=2, locomotion="tracked"), (300, 300), heading=0)
    field.activate(tank, "move", move=(500, 300, 180))
    assert (field.points(tank), tank.facing) == ([(500, 300)], 180)


@pytest.mark.rule("ff.move.straight_measure")
def test_a_diagonal_is_as_long_as_it_is():
    field = Field()
    unit = field.put(men(move=2), (300, 300))
    assert field.why_not(unit, (443, 443), 8) is None
    assert field.why_not(unit, (445, 445), 8) is not None


@pytest.mark.rule("ff.move.measure_point")
def test_the_same_point_is_measured_before_and_after():
    field = Field()
    tank = field.put(vehicle(move=2, size="large", locomotion="tracked"), (300, 300))
    assert field.why_not(tank, (300, 503), 8) is None
    assert field.why_not(tank, (300, 505), 8) is not None


@pytest.mark.rule("ff.move.large")
def test_a_huge_walker_moves_in_any_direction_like_everybody():
    field = Field()
    giant = field.put(vehicle(move=1, size="huge"), (400, 400))
    for goal in ((501, 400), (400, 299), (471, 471), (299, 400)):
        assert field.why_not(giant, goal, 4, heading=77) is None


# -- formation --------------------------------------------------------------------------------------


@pytest.mark.rule("ff.move.formation")
def test_men_change_places_freely_as_long_as_they_end_in_the_circle():
    field = Field()
    unit = field.put(men(3, move=1), (300, 300), others=[(270, 300), (330, 300)])
    field.activate(unit, "move", move=(400, 300, 0, 0, ((340, 300), (400, 260))))
    assert field.points(unit) == [(400, 300), (340, 300), (400, 260)]


@pytest.mark.rule("ff.move.leader_model")
def test_a_new_squad_has_exactly_one_leader():
    field = Field()
    unit = field.put(men(5), (300, 300))
    assert len(set(unit.figures)) == 5
    assert unit.figures[0] == (unit.card.id, 0)
    assert "leader" in unit.card.soldiers[0].roles


@pytest.mark.rule("ff.move.hero_leader")
def test_a_joined_hero_leads_and_the_circle_is_his():
    field = Field()
    chief = hero()
    unit = field.put(men(3), (300, 300), joined=chief)
    assert unit.figures[0] == (chief.id, -1)
    assert not Circle(508).broken(field.bodies(unit))


@pytest.mark.rule("ff.move.circle", "ff.move.place_rest")
@pytest.mark.parametrize("gap, coherent", [(63, True), (64, False)])
def test_every_base_touches_the_circle_of_two_inches(gap: int, coherent: bool):
    field = Field()
    unit = field.put(men(2, move=1), (300, 300))
    ways = field.ways(unit, 4)
    answer = ways.tidy((320, 300, 0, 0, ((320 + gap, 300),)))
    assert (ways.why_not(answer) is None) is coherent


@pytest.mark.rule("ff.move.place_rest")
def test_the_others_find_their_places_by_themselves():
    field = Field(box("rock", 420, 200, 60, 160))
    unit = field.put(men(6, move=1), (330, 300))
    assert field.why_not(unit, (405, 300), 4) is None
    field.activate(unit, "move", move=(405, 300))
    bodies = field.bodies(unit)
    assert not Circle(508).broken(bodies)
    assert all(not field.state.table.has(place, "rock") for place in unit.where)


@pytest.mark.rule("ff.move.leader_path")
def test_only_the_way_of_the_leader_is_charged():
    field = Field(box("mud", 300, 320, 300, 100))
    unit = field.put(men(2, move=1), (300, 300), others=[(300, 340)])
    ways = field.ways(unit, 4)
    assert ways.problem(at(401, 300), 0) is None
    assert ways.cost(at(401, 300)) == 1010


@pytest.mark.rule("ff.move.leader_path")
@pytest.mark.parametrize("spot", [(400, 240), (300, 300)])
def test_nobody_is_placed_behind_a_blank_wall_or_on_impassable_ground(spot: tuple[int, int]):
    field = Field(box("wall", 300, 262, 300, 6), box("water", 200, 290, 130, 50))
    unit = field.put(men(2, move=2), (460, 310))
    ways = field.ways(unit, 8)
    answer = ways.tidy((400, 290, 0, 0, (spot,))) if spot[1] < 290 else ways.tidy((350, 300, 0, 0, (spot,)))
    assert ways.why_not(answer) is not None


@pytest.mark.rule("ff.move.leader_path")
def test_a_squad_indoors_stays_on_one_floor():
    field = Field(house(300, 300, 150, 150, floors=2))
    unit = field.put(men(3), (375, 375), floor=1)
    assert {body.floor for body in field.bodies(unit)} == {1}
    assert {body.inside for body in field.bodies(unit)} == {"house"}


@pytest.mark.rule("ff.move.no_gap")
def test_enemies_may_stand_base_to_base_if_their_leaders_keep_apart():
    field = Field()
    field.put(men(2), (300, 300), RED, others=[(330, 300)])
    unit = field.put(men(1, move=2), (500, 300))
    assert field.why_not(unit, (355, 300), 8) is None


@pytest.mark.rule("ff.move.no_overlap")
@pytest.mark.parametrize("x, legal", [(360, True), (355, False)])
def test_a_base_does_not_end_under_a_friendly_tank(x: int, legal: bool):
    field = Field()
    field.put(vehicle(), (300, 300))  # 70 mm wide: its side is at 335
    unit = field.put(men(1, move=2), (500, 300))
    assert (field.why_not(unit, (x - 12, 300), 8) is None) is legal


@pytest.mark.rule("ff.move.leader_circles")
@pytest.mark.parametrize("gap, legal", [(48, False), (50, False), (51, True)])
@pytest.mark.parametrize("side", [0, 1])
def test_a_leader_does_not_end_inside_another_ones_circle(gap: int, legal: bool, side: int):
    field = Field()
    field.put(men(1), (300, 300), side)
    unit = field.put(men(1, move=2), (450, 300))
    assert (field.why_not(unit, (300 + gap, 300), 8) is None) is legal


@pytest.mark.rule("ff.open.single_models")
def test_support_weapons_have_no_circle_to_keep_out_of():
    field = Field()
    field.put(support(weapon("Mortar", "2/1", 6)), (300, 300))
    unit = field.put(men(1, move=2), (450, 300))
    assert field.why_not(unit, (354, 300), 8) is None


# -- passing -------------------------------------------------------------------------------------------


@pytest.mark.rule("ff.move.through_friends", "ff.open.leader_circle_meaning")
def test_a_squad_walks_through_a_friendly_squad_and_its_circle():
    field = Field()
    field.put(men(3), (300, 300))
    unit = field.put(men(1, move=2), (300, 400))
    assert field.why_not(unit, (300, 205), 8) is None


@pytest.mark.rule("ff.move.enemy_block", "ff.open.leader_circle_meaning")
@pytest.mark.parametrize("x, legal", [(340, False), (349, False), (351, True)])
def test_no_leader_passes_through_the_circle_of_an_enemy(x: int, legal: bool):
    field = Field()
    field.put(men(1), (300, 300), RED)
    unit = field.put(men(1, move=2), (x, 380))
    ways = field.ways(unit, 8)
    assert ways._is_free((x, 380), (x, 220)) is legal


@pytest.mark.rule("ff.move.enemy_block")
def test_who_stands_in_an_enemy_circle_may_leave_it():
    field = Field()
    tank = field.put(vehicle(move=2), (300, 300))
    field.put(men(1), (350, 300), RED)
    assert field.why_not(tank, (200, 300), 8) is None


@pytest.mark.rule("ff.move.vehicle_vehicle", "ff.open.pass_vehicle")
def test_no_vehicle_passes_another_but_men_and_machines_pass_each_other():
    field = Field()
    field.put(vehicle(), (300, 300))
    walker = field.put(vehicle(move=2), (300, 410))
    assert not field.ways(walker, 8)._is_free((300, 410), (300, 207))
    rifles = field.put(men(1, move=2), (350, 360))
    assert field.ways(rifles, 8)._is_free((350, 360), (300, 220))
    assert field.why_not(rifles, (300, 220), 8) is None
    field.put(men(1), (520, 410))
    assert field.ways(walker, 12)._is_free((300, 410), (600, 410))


@pytest.mark.rule("ff.move.vehicle_blocked_hull")
def test_a_tank_does_not_drive_over_enemy_models_and_men_not_through_enemy_tanks():
    field = Field()
    field.put(men(2), (300, 300), RED, others=[(360, 300)])
    tank = field.put(vehicle(move=2, locomotion="wheeled"), (386, 410))
    assert not field.ways(tank, 8)._is_free((386, 410), (386, 200))  # over the second man, outside the circle
    foe = field.put(vehicle(), (700, 300), RED)
    rifles = field.put(men(1, move=2), (700, 400))
    assert foe.alive
    assert not field.ways(rifles, 8)._is_free((700, 400), (700, 210))


@pytest.mark.rule("ff.move.leader_path")
@pytest.mark.parametrize("kind", ["rock", "impassable", "wall", "structure", "water"])
def test_nobody_ends_on_impassable_ground(kind: str):
    field = Field(box(kind, 280, 330, 40, 40))
    unit = field.put(men(1, move=1), (300, 400))
    assert field.why_not(unit, (300, 350), 40) is not None


@pytest.mark.rule("ff.move.vehicle_blocked_hull")
@pytest.mark.parametrize("kind", ["rock", "structure"])
def test_nobody_walks_through_a_rock(kind: str):
    field = Field(box(kind, 280, 330, 40, 40))
    unit = field.put(men(1, move=1), (300, 400))
    assert not field.ways(unit, 4)._is_free((300, 400), (300, 310))
    assert field.why_not(unit, (300, 310), 4) is not None
    assert field.why_not(unit, (300, 310), 8) is None  # but round it


# -- aircraft ------------------------------------------------------------------------------------------


@pytest.mark.rule("ff.move.under_aircraft")
def test_a_squad_ends_right_below_an_enemy_aircraft():
    field = Field()
    field.put(aircraft(), (300, 300), RED)
    unit = field.put(men(2, move=1), (300, 380))
    assert field.why_not(unit, (300, 300), 4) is None


@pytest.mark.rule("ff.move.aircraft_free", "ff.move.aircraft_above")
def test_an_aircraft_flies_over_buildings_and_enemies_and_ends_above_them():
    field = Field(house(250, 250, 100, 100), box("trees", 500, 200, 200, 200))
    field.put(men(3), (450, 300), RED)
    plane = field.put(aircraft(move=4), (100, 300))
    assert field.why_not(plane, (500, 300), 16) is None
    assert field.why_not(plane, (300, 300), 16) is None  # above the house
    field.activate(plane, "move", move=(500, 300, 0))
    gunner = field.put(squad(weapon("Flak", "1/1", 9), men=1), (520, 700), RED)
    assert not field.line(gunner, plane).cover  # the trees below do not hide it


@pytest.mark.rule("ff.move.aircraft_must")
def test_a_plane_begins_with_a_move_and_a_helicopter_need_not():
    field = Field()
    plane = field.put(aircraft(weapon("Gun", "1/1", 6), skills="Aircraft"), (300, 300))
    copter = field.put(aircraft(weapon("Gun", "1/1", 6), skills="Helicopter"), (300, 800))
    field.put(men(2), (600, 500), RED)
    assert all(sequence[0] in ("move", "march") for sequence in field.menu(plane))
    assert ("attack",) in field.menu(copter)


# -- transport -----------------------------------------------------------------------------------------


@pytest.mark.rule("ff.move.transport")
def test_a_squad_mounts_beside_its_carrier_and_leaves_from_the_hull():
    field = Field()
    truck = field.put(vehicle(skills="Passengers (6)", locomotion="wheeled"), (300, 300))
    unit = field.put(men(3, move=1), (420, 300))
    field.activate(unit, "move", move=(400, 300), mount=truck)
    assert (unit.status, unit.where) == ("aboard", ())
    unit.flags = 0
    field.activate(unit, "move", dismount=(430, 300))
    assert unit.on_board
    assert field.points(unit)[0] == (430, 300)


@pytest.mark.rule("ff.move.transport")
def test_the_way_out_is_measured_from_the_hull():
    field = Field()
    truck = field.put(vehicle(skills="Passengers (6)", locomotion="wheeled"), (300, 300))  # 50 by 80
    unit = field.put(men(1, move=1), aboard=truck)
    exits = RULES.transport.exits(field.play, unit, 1)
    assert exits.problem(at(325 + 101 + 12, 300), 0) is None
    assert exits.problem(at(325 + 101 + 15, 300), 0) is not None


# -- terrain -------------------------------------------------------------------------------------------


@pytest.mark.rule("ff.move.terrain_part", "ff.area.mud_sand")
@pytest.mark.parametrize("kind", ["mud", "sand"])
@pytest.mark.parametrize("inside, legal", [(76, True), (79, False)])
def test_only_the_stretch_inside_mud_is_halved(kind: str, inside: int, legal: bool):
    """8" in hand, 2" from the edge of the base to the mud: the remaining 6" become 3"."""
    field = Field(box(kind, 363, 100, 400, 400))
    unit = field.put(men(1, move=2), (300, 300))
    assert (field.why_not(unit, (363 - BASE + inside, 300), 8) is None) is legal


@pytest.mark.rule("ff.move.terrain_example", "ff.open.move_units")
def test_the_published_example_is_arithmetic_in_inches():
    field = Field(box("mud", 363, 100, 400, 400))
    unit = field.put(men(1), (300, 300))
    assert field.why_not(unit, (363 - BASE + 25, 300), 5) is None  # a limit of 5, 2 outside: at most 1 inside
    assert field.why_not(unit, (363 - BASE + 28, 300), 5) is not None
    field = Field(box("mud", 516, 100, 600, 400))
    unit = field.put(men(1), (300, 300))
    assert field.why_not(unit, (516 - BASE + 152, 300), 20) is None  # 20", 8" outside: 12" remain, 6" inside
    assert field.why_not(unit, (516 - BASE + 155, 300), 20) is not None


@pytest.mark.rule("ff.open.rounding_step", "ff.move.multi_segments")
@pytest.mark.parametrize("inside, legal", [(75, True), (80, False), (88, False)])
def test_seven_inches_left_at_the_edge_are_three_inside(inside: int, legal: bool):
    field = Field(box("mud", 300 + BASE, 100, 400, 400))
    unit = field.put(men(1), (300, 300))
    assert (field.why_not(unit, (300 + inside, 300), 7) is None) is legal


@pytest.mark.rule("ff.move.multi_segments")
@pytest.mark.parametrize("beyond, legal", [(50, True), (54, False)])
def test_what_is_left_is_spent_after_the_mud(beyond: int, legal: bool):
    """8": 2" open, 2" during which the base touches the mud for 4", then 2" open."""
    field = Field(box("mud", 363, 0, 26, 1100))
    unit = field.put(men(1), (300, 300))
    assert (field.why_not(unit, (389 + BASE + beyond, 300), 8) is None) is legal


@pytest.mark.rule("ff.open.touch_or_inside", "ff.move.terrain_part")
def test_the_hull_of_a_vehicle_is_slowed_from_where_it_touches():
    field = Field(box("mud", 400, 0, 600, 1100))
    tank = field.put(vehicle(locomotion="tracked"), (318, 500), heading=90)
    x, nose = 318, max(x for x, _ in RULES.ground.leader(field.state, tank).corners) // 10
    free, cost = 400 - nose, field.ways(tank, 20).cost
    assert cost(at(x + free, 500)) == free * 10, "up to the mud"
    assert cost(at(x + free + 50, 500)) == free * 10 + 1000, "the nose has gone 5 cm into it"


@pytest.mark.rule("ff.move.multi_segments", "d47.terrain.crate_vehicle")
@pytest.mark.parametrize("way, stands", [((), False), (((300, 420),), True)])
def test_its_player_may_name_the_way_of_a_move(way: tuple[tuple[int, int], ...], stands: bool):
    field = Field(box("ammo_crate", 390, 290, 20, 20))
    tank = field.put(vehicle(move=5, locomotion="tracked"), (300, 300))
    goal = (500, 300, 0, 0, (), ((*way, (500, 420))) if way else ())
    game = field.activate(tank, "move", move=goal if way else goal[:3])
    assert bool(field.state.table.pieces_of("ammo_crate")) is stands
    assert field.points(tank) == [(500, 300)] and len(game.moves[0].path) == (3 if way else 1)


@pytest.mark.rule("ff.move.multi_segments")
@pytest.mark.parametrize(
    "way, reason", [(((300, 600),), "that would cost"), (((400, 300), (500, 300)), "something is in the way")]
)
def test_a_named_way_is_measured_leg_by_leg(way: tuple[tuple[int, int], ...], reason: str):
    field = Field(box("rock", 390, 290, 20, 20))
    tank = field.put(vehicle(move=3, locomotion="tracked"), (300, 300))
    ways = RULES.movement.reach(field.play, tank, 3, "move")
    with pytest.raises(IllegalChoice, match=reason):
        Spot(0, "move", ways).check((500, 310, 0, 0, (), way))


@pytest.mark.rule("ff.open.touch_or_inside")
def test_a_base_that_only_brushes_the_mud_is_slowed_while_it_does():
    for y, slowed in ((300, True), (290, False)):
        field = Field(box("mud", 350, 305, 100, 200))
        ways = field.ways(field.put(men(1), (300, y)), 20)
        assert (ways.cost(at(500, y)) > 3000) is slowed, "the middle stays outside, the base does not"


@pytest.mark.rule("ff.area.definition")
@pytest.mark.parametrize("x, there", [(299, False), (300, True), (400, True), (401, False)])
def test_everything_inside_the_outline_is_the_area(x: int, there: bool):
    field = Field(box("mud", 300, 300, 100, 100))
    assert field.state.table.has(at(x, 350), "mud") is there


ENTRY = {
    "mud": ("half", "half", "half"),
    "sand": ("half", "half", "half"),
    "trees": ("ok", "half", "half"),
    "road": ("ok", "ok", "ok"),
    "rubble": ("ok", "ok", "no"),
    "swamp": ("half", "half", "no"),
    "tank_trap": ("ok", "no", "no"),
    "river": ("half", "half", "half"),
}


@pytest.mark.rule("ff.area.table")
@pytest.mark.parametrize("kind", ENTRY)
@pytest.mark.parametrize("mover, locomotion", list(enumerate(("infantry", "walker", "tracked"))))
def test_the_area_terrain_table(kind: str, mover: int, locomotion: str):
    """8" from the edge: all of it, half of it, or none."""
    field = Field(box(kind, 400, 0, 600, 1100))
    what = men(1) if locomotion == "infantry" else vehicle(locomotion=locomotion)
    start = 400 - {"infantry": BASE, "walker": 36, "tracked": 31}[locomotion]
    unit = field.put(what, (start, 500))
    told = ENTRY[kind][mover]
    if told == "no":
        assert field.why_not(unit, (start + 8, 500), 8) is not None
        return
    far = {"ok": 8, "half": 4, "no": 0}[told]
    ways = field.ways(unit, 8)
    assert ways.problem(at(start + int(far * 25.4), 500), 0) is None
    assert ways.problem(at(start + int(far * 25.4) + 3, 500), 0) is not None


@pytest.mark.rule("ff.area.trees")
def test_trees_slow_tanks_and_not_men():
    field = Field(box("trees", 400, 0, 600, 1100))
    tank = field.put(vehicle(locomotion="tracked"), (369, 500))
    assert field.why_not(tank, (369 + 50, 500), 4) is None
    assert field.why_not(tank, (369 + 54, 500), 4) is not None
    rifles = field.put(men(1), (400, 800))
    assert field.why_not(rifles, (501, 800), 4) is None
    guard = field.put(men(1), (100, 800), RED)
    assert field.line(guard, rifles).cover


@pytest.mark.rule("ff.area.roads")
@pytest.mark.parametrize("locomotion, far", [("wheeled", 12), ("tracked", 12), ("walker", 8)])
def test_a_whole_move_on_the_road_takes_wheels_and_tracks_one_range_further(locomotion: str, far: int):
    field = Field(box("road", 0, 450, 1400, 100))
    unit = field.put(vehicle(move=2, locomotion=locomotion), (300, 500))
    reach = RULES.movement.reach(field.play, unit, 2, "move")
    assert reach.problem(at(300 + int(far * 25.4), 500), 0) is None
    assert reach.problem(at(303 + int(far * 25.4), 500), 0) is not None
    assert reach.problem(at(300 + 220, 590), 0) is not None  # off the road there is no bonus


@pytest.mark.rule("ff.area.roads")
def test_a_march_on_the_road_gains_two_ranges():
    field = Field(box("road", 0, 450, 1400, 100))
    truck = field.put(vehicle(move=2, march=4, locomotion="wheeled"), (300, 500))
    reach = RULES.movement.reach(field.play, truck, 4, "march")
    assert reach.problem(at(300 + int(24 * 25.4), 500), 0) is None


@pytest.mark.rule("ff.area.rubble")
def test_rubble_is_for_walkers_and_men():
    field = Field(box("rubble", 300, 300, 200, 200))
    for what, may in ((men(1), True), (vehicle(), True), (vehicle(locomotion="wheeled"), False)):
        unit = field.put(what, (400, 560))
        assert (field.why_not(unit, (400, 480), 4) is None) is may
        RULES.ground.lift(unit, "lost")


@pytest.mark.rule("ff.area.swamp", "ff.open.swamp_rate")
def test_swamp_takes_walkers_and_swimmers_at_half_rate():
    field = Field(box("swamp", 400, 0, 600, 1100))
    walker = field.put(vehicle(), (364, 500))
    assert field.why_not(walker, (364 + 50, 500), 4) is None
    assert field.why_not(walker, (364 + 54, 500), 4) is not None
    duck = field.put(vehicle(locomotion="wheeled", skills="Amphibious"), (374, 800))
    assert field.why_not(duck, (374 + 101, 800), 8) is None
    assert field.why_not(duck, (374 + 104, 800), 8) is not None


@pytest.mark.rule("ff.area.tank_traps")
def test_tank_traps_stop_every_vehicle():
    field = Field(box("tank_trap", 300, 300, 100, 100))
    tank = field.put(vehicle(), (350, 450))
    assert field.why_not(tank, (350, 400), 4) is not None
    rifles = field.put(men(1), (380, 500))
    assert field.why_not(rifles, (380, 399), 4) is None


@pytest.mark.rule("ff.area.river", "ff.open.river")
def test_a_river_is_waded_at_half_rate_and_deep_water_is_not():
    field = Field(box("river", 400, 0, 76, 1100), box("water", 700, 0, 76, 1100))
    rifles = field.put(men(1), (400, 500))
    assert field.ways(rifles, 8).cost(at(476, 500)) == 1520  # 3" of river use 6"
    tank = field.put(vehicle(locomotion="tracked"), (640, 500))
    assert field.why_not(tank, (720, 500), 4) is not None
    duck = field.put(vehicle(locomotion="wheeled", skills="Amphibious"), (660, 800))
    assert field.why_not(duck, (720, 800), 4) is None


@pytest.mark.rule("ff.open.touch_or_inside")
def test_a_base_on_the_outline_is_covered_and_not_slowed():
    field = Field(box("trees", 400, 0, 200, 1100))
    rifles = field.put(men(1), (388, 500))
    guard = field.put(men(1), (100, 500), RED)
    assert field.line(guard, rifles).cover
    tank = field.put(vehicle(locomotion="wheeled"), (374, 800))  # its side touches the trees
    assert field.ways(tank, 4).cost(at(374, 900)) == 1000


# -- floors and suppression ------------------------------------------------------------------------------


@pytest.mark.rule("ff.open.height_levels")
@pytest.mark.parametrize("inches, legal", [(8, True), (7.5, False)])
def test_a_floor_costs_one_range(inches: float, legal: bool):
    field = Field(house(300, 300, 200, 200, floors=2))
    unit = field.put(men(1), (340, 400))
    assert (field.why_not(unit, (441, 400), inches, floor=1) is None) is legal


@pytest.mark.rule("ff.open.height_levels")
def test_nobody_climbs_a_floor_that_is_not_there():
    field = Field(house(300, 300, 200, 200, floors=2))
    unit = field.put(men(1), (340, 400))
    assert field.why_not(unit, (400, 400), 40, floor=3) == "there is no such floor"
    assert field.why_not(unit, (700, 400), 40, floor=1) == "there is no such floor"


@pytest.mark.rule("ff.move.leader_path")
def test_one_enters_a_house_by_its_doors():
    field = Field(hut(300, 300, 200, 200))
    unit = field.put(men(1), (400, 560))
    assert field.why_not(unit, (400, 450), 20) is not None
    field = Field(house(300, 300, 200, 200))
    unit = field.put(men(1), (400, 560))
    assert field.why_not(unit, (400, 450), 20) is None


@pytest.mark.rule("ff.move.vehicle_blocked_hull")
def test_a_hull_does_not_clip_the_corner_of_a_house():
    field = Field(house(300, 300, 200, 200))
    walker = field.put(vehicle(move=3), (270, 600))  # 70 mm wide
    assert not field.ways(walker, 12)._is_free((270, 600), (270, 400))
    assert field.ways(walker, 12)._is_free((260, 600), (260, 400))
    assert field.why_not(walker, (400, 510), 12) is not None


@pytest.mark.rule("ff.suppress.no_advance", "ff.open.advance_towards")
@pytest.mark.parametrize(
    "goal, legal", [((300, 310), True), ((300, 290), False), ((330, 300), True), ((300, 300), True)]
)
def test_a_suppressed_squad_does_not_advance_on_the_enemy_it_sees(goal: tuple[int, int], legal: bool):
    field = Field()
    unit = field.put(men(1, move=1), (300, 300), tokens="suppressed")
    field.put(men(1), (300, 40), RED)
    assert (field.why_not(unit, goal, 4) is None) is legal


@pytest.mark.rule("ff.open.advance_towards")
def test_a_suppressed_squad_that_sees_nobody_goes_where_it_likes():
    field = Field(box("rock", 200, 150, 200, 20))
    unit = field.put(men(1, move=1), (300, 300), tokens="suppressed")
    field.put(men(1), (300, 40), RED)
    assert field.why_not(unit, (300, 290), 4) is None


def test_every_offered_spot_is_accepted_and_says_what_it_costs():
    field = Field(box("mud", 350, 200, 100, 200), box("rock", 250, 350, 40, 40))
    unit = field.put(men(4, move=2), (300, 300))
    field.put(men(3), (420, 330), RED)
    ways = field.ways(unit, 8)
    decision = Spot(0, "move", ways)
    assert len(ways.costs) > 20
    for answer in decision.answers():
        assert decision.check(answer) == answer
    for place, cost in ways.costs.items():
        assert cost <= 2
        assert decision.check((place, None))[:2] == xy(place)
