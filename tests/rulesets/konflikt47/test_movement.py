"""Rates, turns, reversing, forced moves, terrain (k47.move.*, k47.terrain.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.konflikt47.charts import RATES, TERRAIN_TABLE
from dieselfront.rulesets.konflikt47.going import code
from dieselfront.table.measured.movement import ahead_of
from rulesets.konflikt47.field import BLUE, RED, Field, gap, gun, inch, squad, tank, team


def region(field: Field, unit, order: str, how: str = "move"):
    return field.rules.movement.region(field.state, unit, order, how)


def ahead(unit, inches: float, heading: int | None = None, x: int | None = None, y: int | None = None):
    """The point so many inches straight on."""
    body = unit.bodies[0]
    start = body.at(
        body.x if x is None else x, body.y if y is None else y, body.heading if heading is None else heading
    )
    there = ahead_of(start, round(inches * 254))
    return (there.x, there.y, start.heading)


@pytest.mark.rule("k47.move.rates")
def test_the_table_of_rates():
    assert {kind: tuple(rates) for kind, rates in RATES.items()} == {
        "infantry": (6, 12, -1, -1),
        "tracked": (9, 18, 1, 0),
        "half-tracked": (9, 18, 2, 1),
        "wheeled": (12, 24, 2, 1),
        "walker": (12, 18, 2, 1),
    }


@pytest.mark.rule("k47.move.infantry")
def test_infantry_advances_six_inches_and_no_further():
    field = Field()
    unit = field.put(BLUE, squad(3), 600, 400)
    assert region(field, unit, "advance").why_not(((600, 400 + 152),)) is None
    assert "k47.move.model_limit" in region(field, unit, "advance").why_not(((600, 400 + 165),))
    assert region(field, unit, "run").why_not(((600, 400 + 304),)) is None


DRIVES = [
    ("tracked", "advance", 9, 1),
    ("tracked", "run", 18, 0),
    ("half-tracked", "advance", 9, 2),
    ("half-tracked", "run", 18, 1),
    ("wheeled", "advance", 12, 2),
    ("wheeled", "run", 24, 1),
    ("walker", "advance", 12, 2),
    ("walker", "run", 18, 1),
]


@pytest.mark.rule("k47.move.tracked", "k47.move.halftracked", "k47.move.wheeled", "k47.move.walker", "k47.move.turns")
@pytest.mark.parametrize("mode, order, reach, turns", DRIVES)
def test_vehicles_drive_their_rate_with_their_turns(mode, order, reach, turns):
    field = Field(size=(100, 100))
    unit = field.put(BLUE, tank("light walker" if mode == "walker" else "light tank", mode=mode), 1200, 1200)
    zone = region(field, unit, order)
    assert zone.why_not((ahead(unit, reach),)) is None
    assert "k47.move.rates" in zone.why_not((ahead(unit, reach + 1),))
    body = unit.bodies[0]
    points = [(body.x, body.y, (30 * number) % 360) for number in range(1, turns + 1)]
    last = points[-1] if points else (body.x, body.y, body.heading)
    there = ahead(unit, reach, last[2])
    assert zone.why_not((*points, there)) is None
    too_many = (*points, (body.x, body.y, (last[2] + 20) % 360), ahead(unit, reach, (last[2] + 20) % 360))
    assert "turns" in zone.why_not(too_many)


@pytest.mark.rule("k47.move.turns")
def test_a_turn_is_at_most_ninety_degrees_at_any_point_of_the_move():
    field = Field()
    unit = field.put(BLUE, tank(), 900, 600)
    zone = region(field, unit, "advance")
    half = ahead(unit, 4)
    assert zone.why_not((half, (half[0], half[1], 90), ahead(unit, 5, 90, half[0], half[1]))) is None
    assert "90 degrees" in zone.why_not(((900, 600, 120),))
    assert "straight" in zone.why_not(((1000, 500, 0),))


@pytest.mark.rule("k47.move.turn_only")
def test_pivoting_on_the_spot_is_a_move_and_costs_the_moving_penalty():
    field = Field()
    unit = field.put(BLUE, tank(), 900, 600)
    target = field.put(RED, squad(5), 900, 800, order="fire")
    answers = {"move": ((900, 600, 90),), "weapons": ((target.id, "AT"),), "reaction": None}
    ran = field.order(unit, "advance", [1], answers)
    assert unit.heading == 90
    assert "k47.shoot.moving" in [rule for rule, _ in ran.of("Hit")[0].because]


@pytest.mark.rule("k47.move.less", "k47.open.advance_zero")
def test_advance_without_moving_is_allowed_and_still_counts_as_moving():
    field = Field()
    unit = field.put(BLUE, squad(5), 600, 400)
    target = field.put(RED, squad(5), 600, 400 + gap(10), order="fire")
    ran = field.order(unit, "advance", [1] * 5, {"move": (), "target": target.id})
    assert ran.needed() == 4


@pytest.mark.rule("k47.move.model_limit")
def test_the_path_is_measured_round_corners():
    field = Field()
    unit = field.put(BLUE, squad(1), 600, 400)
    bent = ((600 + inch(4), 400), (600 + inch(4), 400 + inch(3)))
    assert "7.0" in region(field, unit, "advance").why_not(bent)


@pytest.mark.rule("k47.move.through")
def test_troops_pass_through_friends_but_not_enemies_and_vehicles_through_nobody():
    field = Field()
    unit = field.put(BLUE, squad(1), 600, 400)
    field.put(BLUE, squad(3), 570, 500)
    assert region(field, unit, "run").why_not(((600, 600),)) is None
    foe = field.put(RED, squad(1), 900, 500)
    other = field.put(BLUE, squad(1), 900, 400)
    assert "barred" in region(field, other, "run").why_not(((900, 620),))
    armour = field.put(BLUE, tank(), 600, 900)
    assert "barred" in region(field, armour, "run").why_not(((600, 443, 0),))
    assert foe.on_table


@pytest.mark.rule("k47.move.reverse", "k47.open.reverse_wording")
def test_vehicles_reverse_half_their_advance_rate_without_turning():
    field = Field()
    wheels = field.put(BLUE, tank("armoured car", mode="wheeled"), 600, 600)
    zone = region(field, wheels, "advance")
    assert zone.why_not((ahead(wheels, -6),)) is None
    assert "k47.move.reverse" in zone.why_not((ahead(wheels, -7),))
    body = wheels.bodies[0]
    assert "turns" in zone.why_not(((body.x, body.y, 30), ahead(wheels, -3, 30)))
    tracks = field.put(BLUE, tank(), 900, 600)
    assert region(field, tracks, "run").limits.back == 9 * 254 // 2


@pytest.mark.rule("k47.move.reverse_recce")
def test_recce_vehicles_reverse_at_full_advance_rate_with_turns():
    field = Field(size=(100, 100))
    unit = field.put(BLUE, tank("armoured car", mode="wheeled", rules=["Recce"]), 1200, 1200)
    body = unit.bodies[0]
    back = ahead(unit, -12, 30)
    assert region(field, unit, "advance").why_not(((body.x, body.y, 30), back)) is None


@pytest.mark.rule("k47.move.edge")
def test_nobody_leaves_the_table_by_choice_and_panic_over_the_edge_is_the_end():
    field = Field()
    unit = field.put(BLUE, squad(3), 600, 140, pins=1)
    field.put(RED, squad(3), 600, 140 + gap(8))
    assert "off the table" in region(field, unit, "run").why_not(((600, -50),))
    ran = field.order(unit, "advance", [6, 6, 4])
    assert not unit.alive
    assert "k47.move.edge" in ran.rules()


@pytest.mark.rule("k47.move.forced")
def test_a_forced_move_stops_before_ground_that_may_not_be_run_through():
    field = Field({"kind": "woods", "at": [10, 0], "size": [30, 10]})
    unit = field.put(BLUE, squad(1), 600, 254 + 12 + inch(7), pins=1)
    field.put(RED, squad(3), 600, 254 + 12 + inch(7) + gap(8))
    field.order(unit, "advance", [6, 6, 4])
    assert unit.bodies[0].y - 12.5 >= 254
    assert unit.bodies[0].y <= 254 + 13 + inch(0.5)


@pytest.mark.rule("k47.move.forced")
def test_a_tank_facing_its_enemy_reverses_and_one_facing_away_drives_off():
    field = Field()
    facing = field.put(BLUE, tank(), 600, 600, heading=180, pins=1)
    field.put(RED, squad(3), 600, 900)
    field.order(facing, "advance", [6, 6, 4])
    assert facing.bodies[0].y == 600 - 114
    field = Field()
    away = field.put(BLUE, tank(), 600, 600, heading=0, pins=1)
    field.put(RED, squad(3), 600, 900)
    field.order(away, "advance", [6, 6, 4])
    assert away.bodies[0].y == 600 - 457


@pytest.mark.rule("k47.move.artillery")
@pytest.mark.parametrize("size, reach", [("light", 6), ("medium", 3), ("heavy", 0), ("super-heavy", 0)])
def test_guns_are_pushed_by_their_weight_and_do_not_fire_after(size, reach):
    field = Field()
    unit = field.put(BLUE, gun("Light AT Gun", size=size), 600, 400)
    field.put(RED, squad(3), 600, 200)
    assert field.rules.movement.rates(unit).advance == reach
    answers = {"move": () if not reach else ((600, 355 + 20),), "facing": 90}
    ran = field.order(unit, "advance", [], answers)
    assert not ran.of("Declared")
    assert unit.heading == 90


# -- terrain ------------------------------------------------------------------------------------------------

PIECES = {
    "rough": {"kind": "woods", "at": [20, 20], "size": [10, 6]},
    "obstacle": {"kind": "wall", "line": [[20, 23], [40, 23]]},
    "building": {"kind": "building", "at": [20, 20], "size": [10, 6]},
    "road": {"kind": "road", "line": [[30, 2], [30, 46]], "width": 4},
}
MOVERS = {
    "infantry": squad(1),
    "artillery": gun("Light AT Gun", 1, "light"),
    "wheeled": tank("armoured car", mode="wheeled"),
    "half-tracked": tank("carrier", mode="half-tracked"),
    "tracked": tank("light tank"),
    "walker": tank("light walker"),
}
CODES = {
    "rough": ("No Run", "No*", "No", "No Run", "No Run", "No Run"),
    "obstacle": ("No Run", "No", "No", "OK", "OK", "OK"),
    "building": ("OK", "No*", "No", "No", "No", "No"),
    "road": ("OK", "OK", "x2", "x2", "x2", "x2"),
}


@pytest.mark.rule("k47.terrain.table", "k47.terrain.code_ok", "k47.open.halftrack_terrain", "k47.terrain.code_no_bang")
@pytest.mark.parametrize("terrain", list(PIECES))
def test_the_terrain_table(terrain):
    field = Field(PIECES[terrain])
    piece = field.state.table.pieces[0]
    found = tuple(code(field.state, field.put(BLUE, card, 100, 100), piece) for card in MOVERS.values())
    assert found == CODES[terrain]
    assert set(TERRAIN_TABLE["open"].values()) == {"OK"}


@pytest.mark.rule("k47.terrain.code_no_run", "k47.terrain.inside")
def test_no_run_ground_may_be_crossed_on_advance_only():
    field = Field(PIECES["rough"])
    unit = field.put(BLUE, squad(2), 600, 470)
    assert region(field, unit, "advance").why_not(((600, 540),)) is None
    assert "barred" in region(field, unit, "run").why_not(((600, 540),))
    clipping = field.put(BLUE, squad(2), spots=[(440, 540), (470, 540)])  # the second man would brush the wood
    assert "barred" in region(field, clipping, "run").why_not(((475, 560),))


@pytest.mark.rule("k47.terrain.code_no")
def test_forbidden_ground_may_not_be_entered():
    field = Field(PIECES["obstacle"])
    unit = field.put(BLUE, MOVERS["wheeled"], 700, 500, heading=180)
    assert "barred" in region(field, unit, "advance").why_not((ahead(unit, 10),))


@pytest.mark.rule("k47.terrain.code_ok_star")
def test_tanks_cross_walls_but_nobody_crosses_an_anti_tank_obstacle():
    for traits, free in (((), True), (("anti-tank",), False)):
        field = Field({**PIECES["obstacle"], "traits": list(traits)}, size=(72, 72))
        for number, kind in enumerate(("tracked", "walker")):
            unit = field.put(BLUE, MOVERS[kind], 700 + 150 * number, 430, heading=180)
            assert (region(field, unit, "run").why_not((ahead(unit, 15),)) is None) is free


@pytest.mark.rule("k47.terrain.code_ok_star")
@pytest.mark.parametrize("kind", ["tracked", "half-tracked", "walker"])
def test_tank_traps_stop_every_vehicle_by_their_nature(kind):
    field = Field({"kind": "tank-traps", "line": [[20, 23], [40, 23]]}, size=(72, 72))
    unit = field.put(BLUE, MOVERS[kind], 700, 430, heading=180)
    assert region(field, unit, "run").why_not((ahead(unit, 15),)) is not None
    man = field.put(BLUE, MOVERS["infantry"], 900, 530)
    assert region(field, man, "advance").why_not(((900, 640),)) is None


@pytest.mark.rule("k47.terrain.code_ok_dstar")
def test_obstacles_may_be_marked_impassable_to_walkers():
    field = Field({**PIECES["obstacle"], "traits": ["no-walkers"]}, size=(72, 72))
    walker = field.put(BLUE, MOVERS["walker"], 700, 430, heading=180)
    assert "barred" in region(field, walker, "run").why_not((ahead(walker, 15),))
    tracks = field.put(BLUE, MOVERS["tracked"], 850, 430, heading=180)
    assert region(field, tracks, "run").why_not((ahead(tracks, 15),)) is None


@pytest.mark.rule("k47.terrain.code_no_star", "k47.artillery.dug_in")
def test_a_gun_set_up_in_a_wood_may_fire_and_pivot_but_not_move():
    field = Field(PIECES["rough"])
    unit = field.put(BLUE, gun("Medium AT Gun", 1), 600, 590)
    field.rules.setup.dig_in(field.state, unit)
    assert unit.dug_in
    assert region(field, unit, "advance").reach == 0
    field.order(unit, "advance", [], {"facing": 45})
    assert unit.heading == 45 and unit.bodies[0].y == 590
    enemy = field.put(RED, squad(5), 600, 590 + gap(12))
    assert "soft cover" in " ".join(item.text for item in field.pool(enemy, unit).because)


@pytest.mark.rule("k47.terrain.code_no_bang", "k47.open.demolish")
@pytest.mark.parametrize("option, free", [("off", False), ("on", True)])
def test_only_the_heaviest_wreck_light_buildings_and_only_with_the_option(option, free):
    house = {"kind": "building", "id": "hut", "at": [20, 20], "size": [6, 6], "traits": ["light"]}
    field = Field(house, demolish_buildings=option)
    heavy = field.put(BLUE, tank("heavy tank"), 585, 440, heading=180)
    medium = field.put(BLUE, tank("medium tank"), 900, 440, heading=180)
    way = (ahead(heavy, 6),)
    assert (region(field, heavy, "advance").why_not(way) is None) is free
    assert region(field, medium, "advance").why_not((ahead(medium, 6),)) is None
    if free:
        field.order(heavy, "advance", [], {"move": way})
        assert field.state.table.piece("hut").kind.id == "rubble"


@pytest.mark.rule("k47.terrain.code_x2", "k47.open.road_turns", "k47.open.road_walker")
@pytest.mark.parametrize(
    "kind, order, reach", [("wheeled", "advance", 24), ("walker", "run", 36), ("tracked", "advance", 18)]
)
def test_vehicles_move_twice_as_far_wholly_along_a_road(kind, order, reach):
    field = Field({"kind": "road", "line": [[30, 2], [30, 46]], "width": 4})
    unit = field.put(BLUE, MOVERS[kind], inch(30), inch(44))
    assert region(field, unit, order).why_not((ahead(unit, reach),)) is None
    assert region(field, unit, order).why_not((ahead(unit, reach + 1),)) is not None
    off_road = field.put(BLUE, MOVERS[kind], inch(60), inch(44))
    assert "k47.move.rates" in region(field, off_road, order).why_not((ahead(off_road, reach),))


@pytest.mark.rule("k47.open.road_turns")
def test_following_a_bend_of_the_road_costs_no_turns():
    field = Field({"kind": "road", "line": [[10, 40], [10, 20], [50, 20]], "width": 5})
    unit = field.put(BLUE, tank("light tank"), inch(10), inch(30))
    corner = ahead(unit, 10)
    way = (corner, (corner[0], corner[1], 90), ahead(unit, 8, 90, corner[0], corner[1]))
    assert region(field, unit, "advance").why_not(way) is None  # tracked: one turn anyway
    assert region(field, unit, "run").why_not(way) is None  # and none at all on Run off the road


@pytest.mark.rule("k47.open.ramming")
def test_vehicles_stop_more_than_an_inch_from_each_other():
    field = Field()
    unit = field.put(BLUE, tank(), 600, 800)
    field.put(RED, tank(), 600, 500, heading=90)
    assert region(field, unit, "run").why_not((ahead(unit, 9),)) is not None


@pytest.mark.rule("k47.wrule.fixed_pivot")
def test_a_fixed_weapon_is_turned_only_by_a_move():
    field = Field()
    unit = field.put(BLUE, team("MMG"), 600, 400, heading=0)
    east = field.put(RED, squad(5), 900, 400, order="fire")
    assert field.rules.shooting.targets(field.state, unit, "fire") == []
    ran = field.order(unit, "advance", [], {"move": (), "facing": 90})
    assert unit.heading == 90 and "target" not in ran.asked
    assert field.rules.shooting.targets(field.state, unit, "fire") == [east]
