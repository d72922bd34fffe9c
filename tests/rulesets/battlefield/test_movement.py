"""Movement: distances, formation, what is in the way, terrain limits, stuck rolls (bf.move.*, bf.action.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.battlefield.places import IMPERIAL, METRIC, formation
from dieselfront.rulesets.dust.events import Moved
from dieselfront.table.measured.terrain import Opening
from rulesets.battlefield.field import RED, Field, box, house, hut
from rulesets.dust1947.table import aircraft, hero, kill, squad, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 4)


@pytest.mark.rule("bf.setup.measure_system")
def test_a_point_is_ten_centimetres_or_four_inches():
    assert METRIC.range == 1000 and IMPERIAL.range == 1016
    assert METRIC.ranges(4000) == 4 and METRIC.ranges(4001) == 5
    field = Field(options={"measure": "imperial"})
    man = field.put(squad(RIFLE, men=1, move=2), (500, 1000))
    assert field.may_go(man, (500, 797)) and not field.may_go(man, (500, 796))


@pytest.mark.rule("bf.move.distance", "bf.action.move", "bf.action.march", "bf.move.march_distance")
def test_move_and_twice_that_for_a_march():
    field = Field()
    man = field.put(squad(RIFLE, men=1, move=2), (500, 1000))
    assert field.may_go(man, (500, 800)) and not field.may_go(man, (500, 799))
    assert field.may_go(man, (500, 600), "march") and not field.may_go(man, (500, 599), "march")


@pytest.mark.rule("bf.open.march_printed")
def test_the_printed_march_value_counts_by_an_option_only():
    for options, march in (({}, 6), ({"march_printed": "card"}, 7)):
        field = Field(options=options)
        assert field.pace(field.put(vehicle(move=3, march=7), (500, 500))) == (3, march)


@pytest.mark.rule("bf.skill.fast")
def test_fast_units_go_one_point_farther():
    field = Field()
    assert field.pace(field.put(squad(skills="Fast", move=2), (500, 500))) == (3, 5)
    assert field.pace(field.put(squad(skills="Agile", move=2), (900, 500))) == (3, 5)


@pytest.mark.rule("bf.move.turning")
def test_a_vehicle_ends_its_move_facing_any_way():
    field = Field()
    tank = field.put(vehicle(move=2), (500, 500), heading=0)
    game = field.activate(tank, "move", move=(500, 600, 90))
    assert tank.facing == 90 and field.points(tank) == [(500, 600)] and game.of(Moved)


@pytest.mark.rule("bf.move.formation")
@pytest.mark.parametrize("apart, legal", [(174, True), (177, False)])
def test_all_miniatures_end_within_15_cm_of_each_other(apart, legal):
    """Bases of 25 mm: 150 mm between them are 175 mm between their middles."""
    field = Field()
    men = field.put(squad(RIFLE, men=2), (500, 500), others=[(600, 500)])
    answer = (500, 480, 0, 0, ((500 + apart, 480),))
    ways = field.ways(men)
    assert (ways.why_not(answer) is None) is legal
    assert formation(METRIC) == 1500


@pytest.mark.rule("bf.move.formation_losses")
def test_losses_move_nobody():
    field = Field()
    men = field.put(squad(RIFLE, men=3), (500, 500), others=[(560, 500), (650, 500)])
    kill(men, 1)
    field.rules.ground.regroup(field.state, men)
    assert field.points(men) == [(500, 500), (650, 500)]


@pytest.mark.rule("bf.move.through_friends")
def test_soldiers_pass_friends_and_vehicles_do_not_pass_vehicles():
    field = Field(size=(1800, 400))
    wall = [field.put(vehicle(), (900, y)) for y in (40, 120, 200, 280, 360)]
    men = field.put(squad(RIFLE, men=1, move=3), (1010, 200))
    tank = field.put(vehicle(move=3), (780, 200))
    assert wall and field.may_go(men, (780 + 30, 120))
    assert not field.may_go(tank, (1060, 200))


@pytest.mark.rule("bf.move.no_overlap")
def test_nobody_ends_on_another_base():
    field = Field()
    field.put(squad(RIFLE, men=1), (500, 400))
    man = field.put(squad(RIFLE, men=1), (500, 500))
    assert not field.may_go(man, (500, 424)) and field.may_go(man, (500, 425))


@pytest.mark.rule("bf.move.through_enemies")
def test_enemy_miniatures_block_and_gaps_between_them_do_not():
    field = Field(size=(1800, 300))
    foes = [(900, y) for y in (20, 50, 80, 110, 140, 170, 200, 230, 260, 285)]
    for place in foes:
        field.put(squad(RIFLE, men=1), place, RED)
    man = field.put(squad(RIFLE, men=1, move=2), (850, 150))
    assert not field.may_go(man, (950, 150))
    open_field = Field()
    open_field.put(squad(RIFLE, men=1), (900, 100), RED)
    open_field.put(squad(RIFLE, men=1), (900, 200), RED)
    runner = open_field.put(squad(RIFLE, men=1, move=2), (850, 150))
    assert open_field.may_go(runner, (950, 150))


@pytest.mark.rule("bf.move.aircraft_over_units", "bf.move.aircraft_terrain", "bf.move.under_aircraft")
def test_aircraft_fly_over_everything_and_others_pass_below():
    field = Field(box("trees", 600, 300, 200, 200), house(850, 300, 150, 150))
    field.put(vehicle(), (500, 400), RED)
    plane = field.put(aircraft(move=6), (400, 400))
    man = field.put(squad(RIFLE, men=1, move=2), (300, 500), RED)
    assert field.may_go(plane, (1000, 400)) and field.may_go(plane, (900, 380))
    assert field.may_go(man, (500, 500)) and field.may_go(man, (400, 400))


@pytest.mark.rule("bf.move.terrain_limit", "bf.move.terrain_list", "bf.move.walkers_no_roll")
def test_terrain_leaves_20_cm_of_a_move_and_40_of_a_march():
    field = Field(box("trees", 400, 700, 300, 400), box("road", 900, 500, 100, 600))
    deep = field.put(vehicle(move=3), (550, 950))
    assert field.may_go(deep, (550, 750)) and not field.may_go(deep, (550, 740))
    assert field.may_go(deep, (550, 550), "march") and not field.may_go(deep, (550, 540), "march")
    slow = field.put(squad(RIFLE, men=1, move=1), (450, 900))
    assert field.may_go(slow, (450, 800)) and not field.may_go(slow, (450, 790))
    free = field.put(vehicle(move=3), (950, 1000))
    assert field.may_go(free, (950, 700))
    field.activate(deep, "move", move=(550, 760, 0))  # a walker rolls no die


@pytest.mark.rule("bf.move.terrain_halt")
def test_who_has_come_too_far_stops_at_the_edge():
    field = Field(box("hedge", 400, 740, 300, 20))
    tank = field.put(vehicle(move=3), (550, 1000))
    assert not field.may_go(tank, (550, 730))  # 25 cm to the hedge: it may not enter any more
    near = field.put(vehicle(move=3), (450, 900))
    assert field.may_go(near, (450, 700)) and not field.may_go(near, (450, 690))


@pytest.mark.rule("bf.open.terrain_cap_unit")
def test_terrain_slows_each_miniature_for_itself():
    field = Field(box("trees", 400, 900, 110, 200))
    men = field.put(squad(RIFLE, men=2, move=3), (560, 1000), others=[(480, 1000)])
    assert field.ways(men).why_not((560, 700, 0, 0, ((500, 810),))) is None
    assert field.ways(men).why_not((560, 700, 0, 0, ((500, 720),))) is not None


STUCK = [
    ("tracked", "A", False, "bf.move.tracked_stuck_roll"),
    ("tracked", "S", False, "bf.move.tracked_stuck_roll"),
    ("tracked", "T", True, "bf.move.tracked_stuck_roll"),
    ("wheeled", "A", False, "bf.move.halftrack_wheeled_stuck_roll"),
    ("wheeled", "S", True, "bf.move.halftrack_wheeled_stuck_roll"),
    ("half_tracked", "T", True, "bf.move.halftrack_wheeled_stuck_roll"),
]


@pytest.mark.rule(
    "bf.move.tracked_stuck_roll", "bf.move.halftrack_wheeled_stuck_roll", "bf.vehicle.tracked", "bf.vehicle.wheeled",
    "bf.vehicle.half_tracked", "bf.move.area_terrain",
)  # fmt: skip
@pytest.mark.parametrize("locomotion, die, stuck, rule", STUCK)
def test_a_die_decides_whether_a_vehicle_gets_on_in_terrain(locomotion, die, stuck, rule):
    field = Field(box("trees", 400, 400, 300, 420))
    tank = field.put(vehicle(move=2, locomotion=locomotion), (550, 950))
    game = field.activate(tank, "move", dice=die, move=(550, 770, 0))
    _x, y = field.points(tank)[0]
    assert rule in game.rules and (y > 810) is stuck
    assert (y == 770) is not stuck


@pytest.mark.rule("bf.move.stuck_duration", "bf.open.stuck_roll_timing")
def test_a_stuck_vehicle_still_attacks_and_rolls_once_for_two_hedges():
    field = Field(box("hedge", 400, 900, 300, 10), box("hedge", 400, 860, 300, 10))
    tank = field.put(vehicle(weapon("Gun", "1/1", 12), move=2, locomotion="tracked"), (550, 980))
    foe = field.put(squad(men=3), (550, 300), RED)
    game = field.activate(tank, "move", "attack", dice="T S", target=foe, move=(550, 820, 0))
    assert game.labels == ["terrain", "to hit"]
    assert field.points(tank)[0][1] > 905
    fresh = field.put(vehicle(move=2, locomotion="tracked"), (450, 980))
    again = field.activate(fresh, "move", dice="A", move=(450, 820, 0))
    assert again.labels == ["terrain"]


@pytest.mark.rule("bf.move.impassable")
def test_cliffs_and_deep_water_stop_everybody_who_cannot_fly():
    field = Field(box("cliff", 0, 480, 1800, 20), box("water", 0, 700, 1800, 40))
    man = field.put(squad(RIFLE, men=1), (500, 560))
    flyer = field.put(squad(RIFLE, men=1, skills="Flying"), (700, 560))
    assert not field.may_go(man, (500, 440)) and field.may_go(flyer, (700, 440))
    assert not field.may_go(man, (500, 720))


@pytest.mark.rule("bf.skill.flying", "bf.skill.jump")
def test_flyers_and_jumpers_pass_terrain_as_if_it_were_open_and_end_where_they_could_stand():
    field = Field(box("trees", 400, 500, 300, 300), box("water", 900, 500, 300, 300))
    for skill, x in (("Flying", 500), ("Jump", 600)):
        man = field.put(squad(RIFLE, men=1, move=4, skills=skill), (x, 850))
        assert field.may_go(man, (x, 455))
    swimmer = field.put(squad(RIFLE, men=1, move=4, skills="Flying"), (1000, 850))
    assert field.may_go(swimmer, (1000, 455)) and not field.may_go(swimmer, (1000, 650))
    assert field.pace(field.put(vehicle(move=3, skills="Jump"), (1500, 300))) == (4, 7)


@pytest.mark.rule("bf.move.tank_traps")
def test_tank_traps_stop_vehicles_and_slow_soldiers():
    field = Field(box("tank_trap", 0, 480, 1800, 30))
    walker = field.put(vehicle(move=3), (500, 620))
    man = field.put(squad(RIFLE, men=1, move=3), (800, 620))
    assert not field.may_go(walker, (500, 400))
    assert field.may_go(man, (800, 420)) and not field.may_go(man, (800, 400))


@pytest.mark.rule("bf.move.wall_openings")
def test_soldiers_use_doors_and_windows_and_nobody_walks_through_walls():
    window = Opening((560, 600), (600, 600), 0, 10, None, False)
    field = Field(hut(500, 500, 200, 100, window))
    man = field.put(squad(RIFLE, men=1), (580, 660))
    assert field.may_go(man, (580, 560))
    solid = Field(hut(500, 500, 200, 100, Opening((500, 540), (500, 560), 0, 0, None, True)))
    stuck = solid.put(squad(RIFLE, men=1, move=1), (580, 660))
    assert not solid.may_go(stuck, (580, 580))


@pytest.mark.rule("bf.move.floors")
def test_what_is_climbed_counts_as_walked():
    field = Field(house(400, 400, 300, 300, floors=2))  # floors of 80 mm
    man = field.put(squad(RIFLE, men=1, move=2), (550, 550))
    assert field.may_go(man, (550 + 110, 550), floor=1)
    assert not field.may_go(man, (550 + 130, 550), floor=1)


@pytest.mark.rule("bf.move.rotate_to_fire")
def test_a_target_outside_the_arc_needs_a_move_first():
    field = Field()
    tank = field.put(vehicle(weapon("Gun", "2/1", 6, mount="front")), (500, 500), heading=0)
    foe = field.put(squad(men=3), (500, 800), RED)
    assert not field.may_aim(tank, "Gun", foe)
    game = field.activate(tank, "move", "attack", dice="SS", target=foe, move=(500, 500, 180))
    assert game.labels == ["to hit"]


@pytest.mark.rule("bf.hero.slower_move")
def test_a_combined_unit_moves_at_the_lower_rate():
    field = Field()
    assert field.pace(field.put(squad(move=2), (500, 500), joined=hero(move=3))) == (2, 4)


@pytest.mark.rule("bf.vehicle.amphibious", "bf.vehicle.naval_terrain")
def test_amphibious_and_naval_units_on_the_water():
    field = Field(box("water", 0, 0, 1800, 600))
    swimmer = field.put(vehicle(move=3, skills="Amphibious"), (500, 700))
    boat = field.put(vehicle(move=3, skills="Naval Unit", locomotion="naval"), (900, 400))
    assert field.may_go(swimmer, (500, 400))
    assert field.may_go(boat, (900, 200)) and not field.may_go(boat, (900, 690))
