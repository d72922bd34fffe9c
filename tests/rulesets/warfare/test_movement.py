"""Moves of soldiers and vehicles, terrain, overruns (dw.action.move, dw.action.march_move, dw.move.*, dw.terrain.*,
dw.heavy_walker.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.damage_tables import DRIVE, FIRE
from dieselfront.rulesets.warfare.going import MARCH
from dieselfront.rulesets.warfare.routes import Route
from rulesets.warfare.field import BLUE, RED, Field, gap, inch, squad, vehicle, weapon


def legal(found) -> bool:
    return isinstance(found, Route)


def at(x: float, y: float) -> tuple[int, int]:
    return inch(x), inch(y)


# -- soldiers ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.action.move")
def test_a_move_is_as_long_as_the_move_characteristic():
    field = Field()
    unit = field.put(BLUE, squad(1), 900, 600)
    assert legal(field.route(unit, (900 + 152, 600)))
    assert "dw.action.move" in field.route(unit, (900 + 155, 600))


@pytest.mark.rule("dw.move.soldier_free")
def test_soldiers_go_round_corners():
    field = Field()
    unit = field.put(BLUE, squad(1), 900, 600)
    assert legal(field.route(unit, (900 + inch(4), 600), (900 + inch(4), 600 - 50)))
    assert not legal(field.route(unit, (900 + inch(4), 600), (900 + inch(4), 600 - inch(2.2))))


@pytest.mark.rule("dw.move.soldier_end_formation")
def test_everybody_ends_in_formation():
    field = Field()
    unit = field.put(BLUE, squad(2, move=9), spots=[(600, 600), (640, 600)])
    end = ("models", (600, 600 - inch(4)), (640 + inch(3), 600 + inch(3)))
    assert "dw.move.soldier_end_formation" in field.route(unit, (600, 600 - inch(4)), end)
    closer = ("models", (600, 600 - inch(4)), (640, 600 - inch(2)))
    assert legal(field.route(unit, (600, 600 - inch(4)), closer))


@pytest.mark.rule("dw.move.soldier_enemy_1in")
def test_soldiers_keep_an_inch_from_the_enemy_all_the_way():
    field = Field()
    unit = field.put(BLUE, squad(1), 600, 600)
    field.put(RED, squad(1), 680, 600 + gap(0.8))
    assert "dw.move.soldier_enemy_1in" in field.route(unit, (750, 600))
    field.state.units[-1].bodies = [field.state.units[-1].bodies[0].at(680, 600 + gap(1) + 1)]
    assert legal(field.route(unit, (750, 600)))


@pytest.mark.rule("dw.move.soldier_through_friends")
def test_soldiers_pass_friends_but_no_friendly_vehicles():
    field = Field()
    unit = field.put(BLUE, squad(1), 600, 600)
    field.put(BLUE, squad(1), 680, 600)
    assert legal(field.route(unit, (750, 600)))
    field.put(BLUE, vehicle(), 600, 680)
    assert "dw.move.soldier_through_friends" in field.route(unit, (600, 750))


@pytest.mark.rule("dw.move.vertical_limit")
def test_nobody_climbs_more_than_three_inches():
    field = Field({"kind": "cliff", "at": [20, 10], "size": [8, 8]}, {"kind": "hill", "at": [40, 10], "size": [8, 8]})
    unit = field.put(BLUE, squad(1), *at(18, 14))
    assert "dw.move.vertical_limit" in field.route(unit, at(23, 14))
    other = field.put(BLUE, squad(1), *at(38, 14))
    assert legal(field.route(other, at(43, 14)))


@pytest.mark.rule("dw.move.vertical_limit")
def test_stairs_lead_to_the_next_floor():
    field = Field({"kind": "building", "at": [20, 10], "size": [6, 6], "floors": 3})
    unit = field.put(BLUE, squad(1), *at(23, 17.5))
    ran = field.move(unit, at(23, 13), answers={"floor": 1})
    assert ran.offered["floor"] == [0, 1]
    assert unit.bodies[0].z == 110


@pytest.mark.rule("dw.action.march_move")
def test_a_march_is_twice_as_far_and_ignores_difficult_terrain():
    field = Field({"kind": "fence", "line": [[10, 20], [40, 20]]})
    unit = field.put(BLUE, squad(1), *at(20, 22))
    assert "dw.terrain.difficult_cap" in field.route(unit, at(20, 17))
    assert legal(field.route(unit, (inch(20), inch(22) - 304), kind=MARCH))
    assert not legal(field.route(unit, (inch(20), inch(22) - 310), kind=MARCH))


# -- terrain ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.terrain.difficult_cap", "dw.open.difficult_total")
def test_difficult_terrain_caps_the_whole_move_at_three_inches():
    field = Field({"kind": "fence", "line": [[10, 20], [40, 20]]})
    unit = field.put(BLUE, squad(1), *at(20, 22))
    assert legal(field.route(unit, (inch(20), inch(22) - 76)))
    assert "dw.terrain.difficult_cap" in field.route(unit, (inch(20), inch(22) - 80))


@pytest.mark.rule("dw.terrain.difficult_entry")
def test_difficult_terrain_farther_than_three_inches_is_not_entered():
    field = Field({"kind": "fence", "line": [[10, 20], [40, 20]]})
    unit = field.put(BLUE, squad(1), *at(20, 25))
    assert "dw.terrain.difficult_entry" in field.route(unit, (inch(20), inch(25) - 152))
    assert legal(field.route(unit, (inch(20), inch(25) - 100)))
    assert legal(field.route(unit, (inch(20), inch(25) - 300), kind=MARCH))


@pytest.mark.rule("dw.terrain.difficult_soldiers", "dw.open.terrain_unlisted")
@pytest.mark.parametrize(
    "kind, slow",
    [("fence", True), ("barbed-wire", True), ("wall", True), ("high-wall", True), ("deep-water", True),
     ("forest", False), ("hedge", False),
     ("tank-obstacle", False), ("swamp", False), ("building", False)],
)  # fmt: skip
def test_what_is_difficult_for_soldiers(kind, slow):
    field = Field({"kind": kind, "at": [15, 18], "size": [10, 2]})
    unit = field.put(BLUE, squad(1), *at(20, 21))
    assert legal(field.route(unit, at(20, 16))) is not slow


@pytest.mark.rule("dw.terrain.difficult_vehicles", "dw.open.terrain_unlisted")
@pytest.mark.parametrize(
    "kind, slow",
    [("crater", True), ("forest", True), ("jungle", True), ("hill", True), ("barbed-wire", True), ("rubble", True),
     ("wall", True), ("high-wall", True),
     ("swamp", True), ("trench", True), ("wreck", True), ("shallow-water", True), ("fence", False),
     ("hedge", False)],
)  # fmt: skip
def test_what_is_difficult_for_vehicles(kind, slow):
    field = Field({"kind": kind, "at": [15, 18], "size": [10, 1]})
    unit = field.put(BLUE, vehicle(), *at(20, 21), heading=0)
    assert legal(field.route(unit, (inch(20), inch(21) - 150, 0))) is not slow


@pytest.mark.rule("dw.terrain.impassable_vehicles", "dw.terrain.impassable", "dw.open.terrain_unlisted")
@pytest.mark.parametrize("kind", ["tank-obstacle", "deep-water", "building"])
def test_vehicles_do_not_enter_these_even_on_the_march(kind):
    field = Field({"kind": kind, "at": [15, 18], "size": [10, 1]})
    unit = field.put(BLUE, vehicle(), *at(20, 21), heading=0)
    assert "dw.terrain.impassable" in field.route(unit, (inch(20), inch(21) - 200, 0), kind=MARCH)
    assert legal(field.route(field.put(BLUE, squad(1), *at(18, 20)), at(18, 17.5)))


@pytest.mark.rule("dw.terrain.impassable_vehicles", "dw.terrain.impassable")
def test_rocks_stop_vehicles_even_on_the_march():
    field = Field({"kind": "rocks", "at": [15, 18], "size": [10, 1]})
    unit = field.put(BLUE, vehicle(), *at(20, 21), heading=0)
    assert "dw.terrain.impassable" in field.route(unit, (inch(20), inch(21) - 200, 0), kind=MARCH)


@pytest.mark.rule("dw.terrain.impassable")
def test_rocks_stop_soldiers_on_the_march():
    field = Field({"kind": "rocks", "at": [15, 18], "size": [10, 2]})
    unit = field.put(BLUE, squad(1), *at(20, 21))
    assert not legal(field.route(unit, at(20, 15), kind=MARCH))


# -- vehicles ------------------------------------------------------------------------------------------------


def walker_at(heading: int = 0, **card):
    field = Field()
    return field, field.put(BLUE, vehicle(**card), 900, 600, heading=heading)


@pytest.mark.rule("dw.move.vehicle_front_arc")
def test_vehicles_advance_into_their_front_arc():
    field, unit = walker_at()
    assert legal(field.route(unit, (900 + 70, 600 - 121, 0)))
    assert "dw.move.vehicle_front_arc" in field.route(unit, (900 + 121, 600 - 70, 0))


@pytest.mark.rule("dw.move.vehicle_turn")
def test_one_turn_before_or_after_a_move():
    field, unit = walker_at()
    assert legal(field.route(unit, (900, 450, 0), (900, 450, 90)))
    assert legal(field.route(unit, (900, 600, 90), (1050, 600, 90)))
    assert "dw.move.vehicle_turn" in field.route(unit, (900, 600, 90), (1050, 600, 90), (1050, 600, 100))
    assert "dw.move.vehicle_turn" in field.route(unit, (900, 450, 0), (900, 450, 100))


@pytest.mark.rule("dw.open.vehicle_turn_limits")
def test_one_turn_on_a_march_and_in_reverse_too():
    field, unit = walker_at()
    assert "dw.move.vehicle_turn" in field.route(unit, (900, 600, 45), (1100, 400, 45), (1100, 400, 55), kind=MARCH)
    assert legal(field.route(unit, (900, 670, 0), (900, 670, 90)))


@pytest.mark.rule("dw.move.vehicle_spot_turn")
def test_a_turn_on_the_spot_to_any_side_is_a_move():
    field, unit = walker_at()
    ran = field.move(unit, (900, 600, 180))
    assert unit.heading == 180 and unit.spots == ((900, 600),)
    assert ran.of("Moved")


@pytest.mark.rule("dw.move.vehicle_reverse")
def test_reversing_three_inches_through_anything_difficult():
    field = Field({"kind": "rubble", "at": [30, 25], "size": [12, 4]})
    unit = field.put(BLUE, vehicle(), 900, 600, heading=0)
    assert legal(field.route(unit, (900, 676, 0)))
    assert "dw.move.vehicle_reverse" in field.route(unit, (900, 600 + inch(4), 0))
    assert legal(field.route(unit, (900, 600 + 152, 0), kind=MARCH))


@pytest.mark.rule("dw.move.vehicle_through_vehicles", "dw.open.vehicle_enemy_distance")
def test_vehicles_block_vehicles_but_may_stand_close():
    field, unit = walker_at()
    field.put(RED, vehicle(), 900, 600 - 120)
    assert "dw.move.vehicle_through_vehicles" in field.route(unit, (900, 450, 0))
    assert legal(field.route(unit, (900, 600 - 48, 0)))


@pytest.mark.rule("dw.heavy_walker.hull_is_base")
def test_a_heavy_walker_is_measured_to_its_hull():
    field = Field()
    heavy = field.put(BLUE, vehicle(6, tags=["heavy_walker"]), 900, 600, heading=0)
    body = heavy.bodies[0]
    assert body.corners and not body.shape.is_round
    foe = field.put(RED, squad(1), 900 + body.shape.width // 2 + 12 + inch(5), 600)
    assert ground.within(heavy, foe, 5) and not ground.within(heavy, foe, 4)


@pytest.mark.rule("dw.heavy_walker.los")
def test_any_part_of_the_hull_is_a_target_and_the_centre_looks():
    field = Field({"kind": "high-wall", "line": [[30, 20], [36, 20]], "height": 200})
    heavy = field.put(RED, vehicle(7, tags=["heavy_walker"]), inch(37), inch(17), heading=0)
    unit = field.put(BLUE, squad(1, [weapon(vehicles="1/1", range=36)]), inch(34), inch(25))
    assert field.refusal(unit, heavy) is None
    hidden = field.put(RED, vehicle(7, tags=["heavy_walker"]), inch(33), inch(17), heading=0)
    assert field.refusal(unit, hidden) == "dw.attack.los_blocked_shooter"


@pytest.mark.rule("dw.heavy_walker.move")
def test_a_heavy_walker_moves_by_its_centre():
    field = Field()
    heavy = field.put(BLUE, vehicle(6, tags=["heavy_walker"]), 900, 600, heading=0)
    assert legal(field.route(heavy, (900, 600 - 152, 0)))
    assert not legal(field.route(heavy, (900, 600 - 154, 0)))
    assert not legal(field.route(heavy, (900 + 120, 600 - 80, 0)))


# -- overruns ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.move.overrun_through", "dw.move.overrun_multiple")
def test_a_vehicle_drives_through_squads_and_rolls_for_each():
    field, unit = walker_at(armor=3)
    a = field.put(RED, squad(1), 900, 530)
    b = field.put(RED, squad(2), 880, 500, pitch=40)
    ran = field.move(unit, (900, 450, 0), dice="HBB HHB")
    assert [event.target for event in ran.of("Overrun")] == [a.id, b.id]
    assert (a.suppression, b.suppression) == (1, 2)


@pytest.mark.rule("dw.move.overrun_push")
def test_soldiers_step_an_inch_aside():
    field, unit = walker_at()
    end = 600 - 100
    foe = field.put(RED, squad(1), 900, end - 30 - 12 - inch(0.4))
    field.move(unit, (900, end, 0), dice="BBB")
    hull, body = unit.bodies[0], foe.bodies[0]
    assert 0 <= ground.distance(hull, body) - 254 <= 15
    assert abs(body.x - 900) <= 2


@pytest.mark.rule("dw.move.overrun_suppression")
def test_overrun_rolls_the_armor_number():
    field, unit = walker_at(armor=4)
    foe = field.put(RED, squad(5), 860, 500, pitch=30)
    ran = field.move(unit, (900, 450, 0), dice="HHBB")
    assert foe.suppression == 2
    assert "dw.move.overrun_suppression" in ran.rules()


@pytest.mark.rule("dw.open.overrun_scope")
def test_friends_are_not_overrun_and_not_ended_on():
    field, unit = walker_at()
    friend = field.put(BLUE, squad(1), 900, 500)
    ran = field.move(unit, (900, 450, 0))
    assert not ran.of("Overrun") and friend.suppression == 0
    unit.bodies = [unit.bodies[0].at(900, 600)]
    assert isinstance(field.route(unit, (900, 510, 0)), str)


@pytest.mark.rule("dw.damage.vehicle.external_fire_overrun")
def test_a_burning_vehicle_sets_fire_to_those_it_overruns():
    field, unit = walker_at(armor=3)
    unit.effects = (FIRE,)
    foe = field.put(RED, squad(5), 860, 500, pitch=30)
    ran = field.move(unit, (900, 450, 0), dice="BBB HHBBB BB")
    assert ran.struck(foe).hits == 2
    assert len(foe.men) == 3


@pytest.mark.rule("dw.damage.vehicle.drive_damaged")
def test_a_damaged_drive_allows_no_move_at_all():
    field, unit = walker_at()
    field.put(RED, vehicle(), 900, 300)
    unit.effects = (DRIVE,)
    menu = field.menu(unit)
    assert ("attack",) in menu
    assert not any("move" in names or "march" in names for names in menu)


@pytest.mark.rule("dw.ability.tracks", "dw.open.tracks_details")
def test_a_tracked_vehicle_halted_where_friends_leave_no_room_to_turn_stays_as_it_was():
    field = Field({"kind": "rubble", "at": [30, 17.02], "size": [12, 4]})
    tank = field.put(BLUE, vehicle(5, tags=[], abilities=["Tracks"]), 900, 600, heading=90)
    field.put(BLUE, squad(1), 900, 655)
    field.move(tank, (900, 600, 0), (900, 530, 0), dice="H")
    assert not list(field.rules._crowding(field.state))
    assert tank.spots == ((900, 600),) and tank.heading == 90


@pytest.mark.rule("dw.open.orders_off_table", "dw.move.vehicle_through_vehicles")
def test_a_vehicle_of_the_reserve_is_not_set_down_on_enemies():
    field = Field(turn=2, scenario={"reserves": "allowed"})
    tank = field.put(BLUE, vehicle(), place="off", arrival="reserve")
    foe = field.put(RED, squad(1), 900, 1150)
    region = field.rules.setup.region(field.state, tank, (0, 1000, 1800, 1219), "no")
    assert region.why_not((foe.bodies[0].x, foe.bodies[0].y, 0)) is not None
    assert region.why_not((1300, 1150, 0)) is None
