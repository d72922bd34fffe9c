"""Aircraft: altitude, moves, hazards, sight, bombs (dw.aircraft.*, dw.weapon.bombs_*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.going import MARCH
from dieselfront.rulesets.warfare.routes import Route
from dieselfront.rulesets.warfare.state import HIGH, LOW, OFF, TABLE
from dieselfront.rulesets.warfare.terrain import KINDS, is_hazard
from dieselfront.table.measured.terrain import Cover
from rulesets.warfare.field import BLUE, RED, Field, gap, inch, plane, squad, usual, vehicle, weapon

AA = weapon("Flak", 24, "1/1", "1/1", "1/1")


def flight(*terrain, altitude=LOW, heading=90, x=600, y=600, card=None, **options):
    """A blue aircraft flying east."""
    field = Field(*terrain, **options)
    return field, field.put(BLUE, card or plane(), x, y, heading=heading, altitude=altitude)


# -- activation ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.aircraft.declare_on_deploy")
def test_an_aircraft_is_deployed_at_an_altitude():
    field = Field(phase="setup")
    unit = field.put(BLUE, plane(), place="off", altitude="")
    ran = field.run(lambda play: field.rules.setup.place(play, unit), answers={"altitude": HIGH}, default=usual)
    assert ran.asked[0] == "altitude" and ran.offered["altitude"] == [HIGH, LOW]
    assert unit.altitude == HIGH


@pytest.mark.rule("dw.aircraft.activation_order", "dw.aircraft.declare_altitude")
def test_altitude_then_the_compulsory_move_then_actions():
    field, unit = flight(altitude=HIGH)
    ran = field.activate(unit, (), answers={"altitude": LOW})
    kinds = [type(event).__name__ for event in ran.events]
    assert kinds == ["Altitude", "Moved", "Activated", "Declared"]
    field, unit = flight(altitude=HIGH)
    field.activate(unit, (), answers={"altitude": HIGH})
    assert unit.altitude == HIGH


@pytest.mark.rule("dw.aircraft.action_count")
@pytest.mark.parametrize("reaction, actions", [(False, 2), (True, 1)])
def test_two_actions_after_the_compulsory_move(reaction, actions):
    field, unit = flight()
    unit.reaction = reaction
    ran = field.activate(unit, ())
    assert ran.of("Moved")[0].rule == "dw.aircraft.compulsory_move"
    assert ran.of("Activated")[0].actions == actions


@pytest.mark.rule("dw.open.aircraft_compulsory_orders")
def test_orders_and_reactions_bring_no_compulsory_move():
    field, unit = flight()
    field.state.phase = "command"
    foe = field.put(RED, squad(1), 800, 600)
    answers = {"ordered action": "attack", "target": ("direct", foe.id)}
    ran = field.run(lambda play: field.rules.command.take_action(play, unit), "BBB", answers, default=usual)
    assert not ran.of("Moved") and unit.spots == ((600, 600),)


# -- moves ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.aircraft.move_distance")
def test_any_distance_up_to_its_move():
    field, unit = flight()
    assert isinstance(field.route(unit, (600 + 304, 600, 90)), Route)
    assert isinstance(field.route(unit, (650, 600, 90)), Route)
    assert isinstance(field.route(unit, (600 + 310, 600, 90)), str)


@pytest.mark.rule("dw.aircraft.move_front_arc")
def test_forward_only_with_one_turn_and_no_turn_on_the_spot():
    field, unit = flight()
    assert "dw.aircraft.move_front_arc" in field.route(unit, (500, 600, 90))
    assert "dw.aircraft.move_front_arc" in field.route(unit, (600, 600, 180))
    assert isinstance(field.route(unit, (800, 600, 90), (800, 600, 180)), Route)


@pytest.mark.rule("dw.aircraft.move_through", "dw.aircraft.no_overrun")
def test_it_flies_over_everybody_and_overruns_nobody():
    field, unit = flight()
    walker = field.put(RED, vehicle(), 700, 600)
    other = field.put(RED, plane(), 760, 600, altitude=LOW)
    foes = field.put(RED, squad(2), 690, 520, reaction=True)
    for one in (walker, other):
        one.reaction = True
    ran = field.move(unit, (600 + 300, 600, 90))
    assert ran.of("Moved") and not ran.of("Overrun") and foes.suppression == 0


@pytest.mark.rule("dw.aircraft.end_1in")
def test_it_ends_an_inch_from_every_enemy():
    field, unit = flight()
    field.put(RED, squad(1), 800 + 30 + 12 + inch(0.5), 600)
    assert "dw.aircraft.end_1in" in field.route(unit, (800, 600, 90))
    assert isinstance(field.route(unit, (780, 600, 90)), Route)


@pytest.mark.rule("dw.aircraft.high_ignores_terrain")
def test_high_aircraft_end_over_buildings():
    building = {"kind": "building", "at": [28, 20], "size": [8, 8]}
    field, unit = flight(building, altitude=HIGH)
    ran = field.move(unit, (inch(32), 600, 90))
    assert unit.alive and not ran.of("Hurt") and unit.points_left == 6


@pytest.mark.rule("dw.open.low_aircraft_terrain")
def test_terrain_that_is_no_hazard_does_not_slow_low_aircraft():
    field, unit = flight(
        {"kind": "crater", "at": [25, 20], "size": [4, 8]}, {"kind": "tank-obstacle", "line": [[30, 20], [30, 28]]}
    )
    assert isinstance(field.route(unit, (600 + 304, 600, 90)), Route)


# -- hazards ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.aircraft.hazard_definition")
def test_tall_cover_is_a_hazard():
    field = Field({"kind": "forest", "at": [1, 1], "size": [4, 4], "height": 127, "id": "tall"},
                  {"kind": "hedge", "line": [[10, 10], [20, 10]], "id": "low"},
                  {"kind": "cliff", "at": [40, 40], "size": [4, 4], "id": "bare"})  # fmt: skip
    table = field.state.table
    assert is_hazard(table.piece("tall")) and not is_hazard(table.piece("low")) and not is_hazard(table.piece("bare"))
    assert KINDS["forest"].cover is Cover.SOFT


TREES = {"kind": "forest", "at": [28, 20], "size": [3, 8]}


@pytest.mark.rule("dw.aircraft.hazard_soft", "dw.open.hazard_details")
def test_flying_into_trees_is_four_damage_less_armor_for_each_wood():
    field, unit = flight(TREES, {**TREES, "at": [32, 20]}, card=plane(3, capacity=9))
    ran = field.move(unit, (600 + 300, 600, 90), dice="HBB HHB")
    assert unit.points_left == 9 - 3 - 2
    assert ran.dice("armor") == [3, 3] and not ran.dice("damage to")
    field, unit = flight(TREES, x=inch(29.5))
    field.move(unit, (inch(29.5) + 200, 600, 90))
    assert unit.points_left == 6


@pytest.mark.rule("dw.aircraft.hazard_hard")
def test_flying_into_a_building_is_the_end():
    field, unit = flight({"kind": "building", "at": [28, 20], "size": [4, 8]})
    field.move(unit, (600 + 300, 600, 90))
    assert not unit.alive


@pytest.mark.rule("dw.aircraft.hazard_descend")
def test_descending_into_trees_hurts_at_once():
    field, unit = flight(TREES, altitude=HIGH, x=inch(29.5), card=plane(2, capacity=9))
    ran = field.activate(unit, (), "BB", {"altitude": LOW})
    assert unit.points_left == 5
    kinds = [type(event).__name__ for event in ran.events]
    assert kinds.index("Hurt") < kinds.index("Moved")


# -- the compulsory move ------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.aircraft.compulsory_move")
def test_straight_ahead_over_the_full_move():
    field, unit = flight()
    field.activate(unit, ())
    assert unit.spots == ((600 + 304, 600),) and unit.heading == 90


@pytest.mark.rule("dw.aircraft.compulsory_reaction")
def test_the_compulsory_move_can_be_reacted_to_before_and_after():
    field, unit = flight()
    foe = field.put(RED, squad(1, [AA]), 750, 500)
    ran = field.activate(unit, (), answers={"altitude": LOW})
    assert ran.asked.count("reaction") == 2 and not foe.reaction


@pytest.mark.rule("dw.aircraft.compulsory_shorten", "dw.open.aircraft_friends")
def test_it_is_cut_short_so_as_to_end_clear():
    field, unit = flight()
    foe = field.put(RED, squad(1), 600 + 304 + 42, 600, reaction=True)
    field.activate(unit, ())
    far = ground.distance(unit.bodies[0], foe.bodies[0])
    assert 254 <= far < 254 + 20
    field, unit = flight()
    friend = field.put(BLUE, squad(1), 600 + 304, 600)
    field.activate(unit, ())
    far = ground.distance(unit.bodies[0], friend.bodies[0])
    assert 0 <= far < 20 and unit.spots[0][0] < 904


@pytest.mark.rule("dw.aircraft.leave_table", "dw.open.aircraft_table_edge")
def test_flying_off_the_table_ends_the_activation():
    field, unit = flight(x=1829 - inch(5))
    ran = field.activate(unit)
    assert unit.place == OFF and unit.notes["left by"] == "east"
    assert "actions" not in ran.asked
    field.state.orders = 5
    field.put(BLUE, squad(5, abilities=["Radioman"], tags=["command_section"]), 300, 300)
    assert field.rules.command.reach(field.state, unit) is None
    field, unit = flight(x=1829 - inch(5))
    assert "dw.open.aircraft_table_edge" in field.route(unit, (1829 + 50, 600, 90))


@pytest.mark.rule("dw.aircraft.reenter")
def test_it_comes_back_by_the_edge_it_left_and_flies_on():
    field, unit = flight(x=1829 - inch(5))
    field.activate(unit)
    region = field.rules.aircraft.edge_region(field.state, unit, "east")
    assert region.why_not((1829 - 30, 300, 270)) is None
    assert "dw.aircraft.reenter" in region.why_not((30, 300, 90))
    ran = field.activate(unit, (), answers={"altitude": HIGH, "return": (1829 - 30, 300, 270)})
    assert unit.place == TABLE and unit.altitude == HIGH
    assert unit.spots == ((1829 - 30 - 304, 300),)
    assert ran.asked[:2] == ["altitude", "return"]


# -- combat ------------------------------------------------------------------------------------------------

BRICK = {"kind": "high-wall", "line": [[30, 18], [48, 18]]}


def over(*terrain, altitude=HIGH, red=None, inches: float = 10, **options):
    field = Field(*terrain, **options)
    a = field.put(BLUE, plane(), 900, 600, heading=0, altitude=altitude)
    b = field.put(RED, red or squad(5, [AA]), 900, 600 - gap(inches, 60), heading=180)
    return field, a, b


@pytest.mark.rule("dw.aircraft.los_high")
def test_nothing_is_in_the_way_of_a_high_aircraft():
    field, a, b = over(BRICK)
    assert field.strike(a, b).cover is Cover.NONE
    assert field.strike(b, a).cover is Cover.NONE


@pytest.mark.rule("dw.aircraft.los_high_obscured", "dw.aircraft.los_target_terrain")
@pytest.mark.parametrize("inside, cover", [(3, Cover.SOFT), (2, Cover.NONE)])
def test_units_half_inside_terrain_are_obscured_from_above(inside, cover):
    field = Field({"kind": "forest", "at": [20, 5], "size": [20, 20]})
    a = field.put(BLUE, plane(), inch(30), inch(23), heading=0, altitude=HIGH)
    spots = [(inch(32 + n), inch(12)) for n in range(inside)] + [(inch(42 + n), inch(12)) for n in range(5 - inside)]
    b = field.put(RED, squad(5), spots=spots)
    assert field.strike(a, b).cover is cover


@pytest.mark.rule("dw.aircraft.los_high_roof")
def test_roofs_hide_from_above_both_ways():
    roof = {"kind": "building", "at": [30, 8], "size": [12, 8], "roofed": True}
    field, a, b = over(roof)
    assert field.refusal(a, b) == "dw.attack.los_blocked_shooter"
    assert field.refusal(b, a) == "dw.attack.los_blocked_shooter"
    field, a, b = over({**roof, "roofed": False})
    assert field.refusal(a, b) is None


@pytest.mark.rule("dw.aircraft.los_low", "dw.aircraft.low_is_vehicle")
def test_low_aircraft_see_and_screen_like_vehicles():
    field, a, b = over({"kind": "wall", "line": [[30, 18], [48, 18]]}, altitude=LOW)
    assert field.strike(a, b).cover is Cover.HARD
    field = Field()
    shooter = field.put(BLUE, squad(2), spots=[(900, 700), (1000, 700)])
    foe = field.put(RED, squad(1), 900, 400)
    field.put(RED, plane(), 900, 550, altitude=LOW)
    assert field.strike(shooter, foe).cover is Cover.HARD


@pytest.mark.rule("dw.aircraft.range_arc")
def test_ranges_are_measured_from_the_base_and_arcs_from_its_centre():
    field, a, b = over(inches=18)
    assert field.refusal(a, b) is None
    field, a, b = over(inches=18.1)
    assert field.refusal(a, b) == "dw.attack.range"
    side = field.put(RED, squad(1), 1200, 600)
    assert field.refusal(a, side) == "dw.attack.arc"


@pytest.mark.rule("dw.aircraft.target_low_as_vehicle", "dw.open.aircraft_high_targets")
def test_low_aircraft_are_vehicles_and_high_ones_need_an_aircraft_entry():
    rifle = squad(1, [weapon(vehicles="2/1")])
    field, a, b = over(altitude=LOW, red=rifle)
    assert field.rules.attacking.class_of(a) == "V2"
    assert field.strike(b, a).pools[0].dice == 2
    a.altitude = HIGH
    assert field.refusal(b, a) == "dw.open.aircraft_high_targets"
    field, a, b = over(altitude=HIGH)
    assert field.refusal(b, a) is None


@pytest.mark.rule("dw.aircraft.rear_arc_armor")
def test_aircraft_keep_their_armor_roll_from_behind():
    field = Field()
    a = field.put(BLUE, plane(3), 900, 600, heading=0, altitude=LOW)
    b = field.put(RED, squad(3, [weapon(vehicles="1/1", count=3)]), 860, 800)
    assert field.strike(b, a).armor_dice == 3


# -- bombs ------------------------------------------------------------------------------------------------

BOMB = weapon("Bomb", "B", "6/1", "4/2", count=2)


def bomber(altitude=HIGH, bombs=BOMB, foe_y=600, foe_x=700, red=None):
    field = Field()
    a = field.put(BLUE, plane(weapons=[bombs]), 600, 600, heading=90, altitude=altitude)
    b = field.put(RED, red or squad(5, armor=1), foe_x, foe_y, pitch=28, reaction=True)
    return field, a, b


@pytest.mark.rule("dw.weapon.bombs_move", "dw.aircraft.bombs_compulsory")
def test_bombs_are_announced_before_a_move_at_high_altitude():
    field, a, b = bomber()
    answers = {"altitude": HIGH, "bombs": True, "bomb target": [b.id, None], "casualties": ((0, 1),)}
    ran = field.activate(a, (), "HBBBBB B", answers)
    assert ran.asked.index("bombs") < ran.asked.index("bomb target")
    assert ran.struck(b).hits == 1
    field, a, b = bomber(altitude=LOW)
    ran = field.activate(a, (), answers={"altitude": LOW})
    assert "bombs" not in ran.asked
    field, a, b = bomber()
    from dieselfront.rulesets.warfare.going import Move

    move = Move(field.state, a)
    move.bombs = True
    region = field.rules.movement.region(move)
    assert "dw.weapon.bombs_move" in region.route(((700, 600, 90), (700, 600, 120)))
    assert isinstance(region.route(((600, 600, 45), (680, 520, 45))), Route)


@pytest.mark.rule("dw.weapon.bombs_range")
def test_the_target_lies_behind_and_no_farther_than_the_move():
    from dieselfront.rulesets.warfare.going import Move

    field, a, b = bomber(foe_x=600, red=squad(1))
    move = Move(field.state, a)
    a.bodies = [a.bodies[0].at(600 + inch(9) + 42, 600)]
    move.length = 9 * 254 + 20
    assert b in field.rules.aircraft.bomb_targets(move)
    move.length = 7 * 254
    assert b not in field.rules.aircraft.bomb_targets(move)
    ahead = field.put(RED, squad(1), 1000, 600)
    move.length = 50 * 254
    assert ahead not in field.rules.aircraft.bomb_targets(move)


@pytest.mark.rule("dw.weapon.bombs_single_use", "dw.weapon.bombs_attack")
def test_a_dropped_bomb_is_gone_and_nobody_reacts_to_the_drop():
    field, a, b = bomber()
    b.reaction = False
    answers = {"altitude": HIGH, "bombs": True, "bomb target": [b.id, None]}
    ran = field.activate(a, (), "BBBBBB", answers)
    assert len(field.rules.aircraft.bombs(a)) == 1
    moves = [one for one in ran.questions if one.key == "reaction"]
    assert all("move" in one.text for one in moves)
    assert ran.dice("Bomb") == [6]


@pytest.mark.rule("dw.weapon.bombs_los")
def test_roofs_do_not_stop_bombs_but_cover_counts():
    field = Field({"kind": "building", "at": [25, 20], "size": [8, 8], "roofed": True})
    a = field.put(BLUE, plane(weapons=[BOMB]), 600, 600, heading=90, altitude=HIGH)
    b = field.put(RED, squad(2, armor=1), 680, 600, reaction=True)
    answers = {"altitude": HIGH, "bombs": True, "bomb target": [b.id, None]}
    ran = field.activate(a, (), "HHBBBB", answers)
    assert ran.struck(b).cover == 2 and ran.struck(b).hits == 2


@pytest.mark.rule("dw.weapon.bombs_multiple", "dw.open.bombs_multiple")
def test_equal_bombs_on_one_target_are_one_roll_with_rerolls():
    field, a, b = bomber()
    answers = {"altitude": HIGH, "bombs": True, "bomb target": b.id}
    ran = field.activate(a, (), "BBBBBB BBBBBB", answers)
    assert ran.dice("Bomb") == [6]
    assert [stage for stage, _ in ran.of("Rolled")[0].stages] == ["roll", "re-roll"]
    assert field.rules.aircraft.bombs(a) == []


@pytest.mark.rule("dw.aircraft.damage.engine")
def test_march_of_an_aircraft_is_twice_its_move():
    field, unit = flight()
    assert isinstance(field.route(unit, (600 + 608, 600, 90), kind=MARCH), Route)


@pytest.mark.rule("dw.aircraft.vehicle_interchangeable")
def test_what_is_said_of_vehicles_holds_for_aircraft():
    field = Field()
    a = field.put(BLUE, plane(3), 900, 600, heading=180, altitude=LOW)
    b = field.put(RED, squad(1, [weapon("Gun", 36, vehicles="2/1", rules=["Penetrator"])]), 900, 600 + 42 + inch(20))
    assert field.strike(b, a).armor_dice == 2
    b.bodies = [b.bodies[0].at(900, 600 + 42 + inch(21.5))]
    assert field.strike(b, a).armor_dice == 2
    far = field.put(RED, squad(1, [weapon("Gun", 36, vehicles="2/1", rules=["Penetrator"])]), 200, 600)
    assert field.strike(far, a).armor_dice == 3
