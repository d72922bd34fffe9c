"""Abilities of movement: farther, over other ground, in from the edge, through the air."""

from __future__ import annotations

import pytest

from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.rulesets.warfare.going import MARCH, MOVE, REACTION
from dieselfront.rulesets.warfare.routes import Route
from dieselfront.rulesets.warfare.state import HIGH, OFF, TABLE
from dieselfront.table.measured.terrain import Cover
from rulesets.warfare.duels import WALL, duel
from rulesets.warfare.field import BLUE, RED, Field, gap, inch, plane, squad, vehicle, weapon


def north(inches: float, heading: int | None = None) -> tuple[int, ...]:
    """A point so many inches north of (900, 600)."""
    point = (900, 600 - inch(inches))
    return point if heading is None else (*point, heading)


def goes(field: Field, unit, *path, kind=MOVE, way="move") -> bool:
    return isinstance(field.route(unit, *path, kind=kind, way=way), Route)


# -- how far ---------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.ability.agile")
def test_agile_units_react_six_inches_farther():
    field = Field()
    a = field.put(BLUE, squad(1, abilities=["Agile"]))
    assert goes(field, a, north(11.9), kind=REACTION) and not goes(field, a, north(12.2), kind=REACTION)
    assert goes(field, a, north(5.9)) and not goes(field, a, north(6.2))
    assert "dw.ability.agile" in field.move(a, north(9), kind=REACTION).rules()


@pytest.mark.rule("dw.ability.fast")
def test_fast_gives_six_inches_once_a_turn():
    field = Field()
    a = field.put(BLUE, squad(1, abilities=["Fast"]))
    assert goes(field, a, north(11.9))
    ran = field.move(a, north(5.9))
    assert "dw.ability.fast" not in ran.rules()
    ran = field.move(a, north(11.9))
    assert ran.rules().count("dw.ability.fast") == 0  # from 5.9" to 11.9" is an ordinary move
    ran = field.move(a, north(1))
    assert "dw.ability.fast" in ran.rules()
    assert not goes(field, a, north(7.5)) and goes(field, a, north(6.5))
    field.state.turn += 1
    assert goes(field, a, north(7.5))


@pytest.mark.rule("dw.open.fast_and_march")
def test_the_six_inches_are_added_after_doubling_and_never_beat_difficult_ground():
    field = Field({"kind": "fence", "line": [[30, 21], [48, 21]]})
    a = field.put(BLUE, squad(1, abilities=["Fast", "Agile"]))
    south = (900, 600 + inch(17.9))
    assert goes(field, a, south, kind=MARCH) and not goes(field, a, (900, 600 + inch(18.2)), kind=MARCH)
    assert goes(field, a, south, kind=REACTION)
    assert not goes(field, a, north(4)) and goes(field, a, north(2.9))


@pytest.mark.rule("dw.ability.scout_vehicle")
def test_a_scout_vehicle_is_fast_in_its_first_activation():
    field = Field(phase="units")
    a = field.put(BLUE, vehicle(2, abilities=["Scout Vehicle"]))
    assert not goes(field, a, north(11.9, 0))  # an order is no activation
    field.activate(a, ("move",), answers={"move": (north(11.9, 0),)})
    assert a.bodies[0].y == 600 - inch(11.9)
    field.state.turn += 1
    with pytest.raises(IllegalChoice):
        field.activate(a, ("move",), answers={"move": ((900, a.bodies[0].y - inch(6.5), 0),)})


@pytest.mark.rule("dw.ability.scout_vehicle")
def test_a_scout_vehicle_may_be_kept_in_reserve():
    field = Field()
    a = field.put(BLUE, vehicle(2, abilities=["Scout Vehicle"]), place=OFF, arrival="scout vehicle")
    assert [way.rule for way in field.rules.setup.arrivals(field.state, a)] == ["dw.ability.scout_vehicle"]
    assert field.menu(a, 2) == [(), ("march",)]


# -- coming in ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.ability.reserved")
def test_reserved_units_march_in_from_any_edge_away_from_the_enemy():
    field = Field()
    a = field.put(BLUE, squad(1, abilities=["Reserved", "Charge"]), place=OFF, arrival="reserved")
    foe = field.put(RED, squad(1), 13 + gap(13), 600)
    assert field.menu(a, 1) == [()] and field.menu(a, 2) == [(), ("march",)]
    way = field.rules.setup.arrival_of(field.state, a)
    assert field.rules.setup.arrival_region(field.state, a, way).why_not((13, 600, 90)) is None
    foe.bodies = [foe.bodies[0].at(13 + gap(12), 600)]
    assert field.rules.setup.arrival_region(field.state, a, way).why_not((13, 600, 90)) is not None


@pytest.mark.rule("dw.open.reserved_placement")
def test_everybody_touches_the_edge_and_the_march_is_over():
    arms = [weapon("Flamer", 6, "1/1", count=3)]
    field = Field()
    a = field.put(BLUE, squad(3, arms, abilities=["Reserved", "Charge"]), place=OFF, arrival="reserved")
    field.put(RED, squad(1), 900, 600)
    region = field.rules.setup.arrival_region(field.state, a, field.rules.setup.arrival_of(field.state, a))
    assert region.why_not((13, 600, 90, (13, 600), (13, 630), (13, 660))) is None
    assert region.why_not((13, 600, 90, (13, 600), (13, 630), (60, 600))) is not None
    ran = field.activate(a, ("march",), answers={"enter": (13, 600, 90)})
    assert a.place == TABLE and all(body.x <= 14 for body in a.bodies)
    assert "dw.ability.charge" not in ran.rules() and "reaction" not in ran.asked


# -- reactions ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.ability.assault")
@pytest.mark.parametrize("abilities, asked", [(["Assault"], False), ([], True)])
def test_an_assault_march_is_answered_only_before_it_begins(abilities, asked):
    field, a, _ = duel(squad(1, abilities=abilities), squad(1), 19.5)
    ran = field.move(a, north(11.9), kind=MARCH)
    assert ("reaction" in ran.asked) is asked


@pytest.mark.rule("dw.ability.assault")
def test_an_assault_march_from_near_is_answered_before_and_an_ordinary_move_after():
    field, a, _ = duel(squad(1, abilities=["Assault"]), squad(1), 11)
    assert field.move(a, north(9), kind=MARCH).asked.count("reaction") == 1
    field, a, _ = duel(squad(1, abilities=["Assault"]), squad(1), 14)
    assert "reaction" in field.move(a, north(5)).asked


@pytest.mark.rule("dw.ability.jump_reactions")
def test_nobody_reacts_to_soldiers_who_jump():
    field, a, _ = duel(squad(1, abilities=["Jump"]), squad(1), 8)
    assert "reaction" not in field.move(a, north(3)).asked
    field, a, _ = duel(vehicle(2, abilities=["Jump"]), squad(1), 8)
    assert "reaction" in field.move(a, north(3, 0), answers={"way of moving": "jump"}).asked


# -- over what ground -----------------------------------------------------------------------------------------


def barrier(kind: str, depth: float = 1, **more):
    """Terrain across the way from (900, 600) to the north, 2 inches ahead."""
    return {"kind": kind, "at": [25, 20.5], "size": [25, depth], **more}


@pytest.mark.rule("dw.ability.amphibious")
@pytest.mark.parametrize("kind", ["deep-water", "shallow-water"])
def test_water_is_open_ground_for_amphibious_vehicles(kind):
    field = Field(barrier(kind, 1.2))
    a = field.put(BLUE, vehicle(2, abilities=["Amphibious"]))
    assert goes(field, a, north(6, 0)) and goes(field, a, north(2.5, 0))
    assert "dw.ability.amphibious" in field.move(a, north(6, 0)).rules()
    other = field.put(BLUE, vehicle(2), 700, 600)
    assert not goes(field, other, (700, 600 - inch(6), 0))


@pytest.mark.rule("dw.ability.climb")
def test_climbers_cross_impassable_terrain_up_to_six_inches_tall():
    for height, free in ((90, True), (152, True), (178, False)):
        field = Field(barrier("rocks", height=height))
        a = field.put(BLUE, squad(1, abilities=["Climb"]))
        assert goes(field, a, north(6)) is free
        assert "nobody may stop" in field.route(a, north(2.6)) or not free
    field = Field(barrier("rocks"))
    assert not goes(field, field.put(BLUE, squad(1)), north(6))
    field = Field({"kind": "fence", "line": [[30, 21], [48, 21]]})
    ran = field.move(field.put(BLUE, squad(1, abilities=["Climb"])), north(6))
    assert "dw.ability.climb" in ran.rules()


@pytest.mark.rule("dw.ability.climb_vertical")
def test_climbers_go_six_inches_or_two_floors_up():
    field = Field({"kind": "cliff", "at": [25, 10], "size": [25, 11], "height": 150})
    a, b = field.put(BLUE, squad(1, abilities=["Climb"])), field.put(BLUE, squad(1), 800, 600)
    assert goes(field, a, north(5)) and not goes(field, b, (800, 600 - inch(5)))
    field = Field({"kind": "building", "at": [32, 15], "size": [8, 6], "floors": 4})
    a = field.put(BLUE, squad(1, abilities=["Climb"]))
    assert field.move(a, north(5)).offered["floor"] == [0, 1, 2]


@pytest.mark.rule("dw.ability.jump_move")
def test_jumpers_pass_over_anything_up_to_nine_inches():
    for height, free in ((200, True), (254, False)):
        field = Field(barrier("rocks", height=height))
        a = field.put(BLUE, squad(1, abilities=["Jump"]))
        assert goes(field, a, north(6)) is free
        assert not goes(field, a, north(2.6))
    field = Field({"kind": "cliff", "at": [25, 10], "size": [25, 11], "height": 220})
    assert goes(field, field.put(BLUE, squad(1, abilities=["Jump"])), north(5))
    field = Field({"kind": "building", "at": [32, 15], "size": [8, 6], "floors": 5})
    assert field.move(field.put(BLUE, squad(1, abilities=["Jump"])), north(5)).offered["floor"] == [0, 1, 2, 3]


@pytest.mark.rule("dw.ability.jump_move")
def test_everybody_in_the_unit_must_be_able_to_jump():
    field = Field(barrier("rocks"))
    a = field.put(BLUE, squad(2, abilities=["Jump"]))
    b = field.put(BLUE, squad(1, kind="hero", name="Walker on foot"), 200, 200)
    assert a.has("Jump")
    field.join(b, a)
    assert not a.has("Jump")


@pytest.mark.rule("dw.ability.jump_vehicle_no_turn")
def test_a_vehicle_that_jumps_does_not_turn():
    field = Field(barrier("rocks"))
    a = field.put(BLUE, vehicle(2, abilities=["Jump"]))
    assert goes(field, a, north(6, 0), way="jump") and not goes(field, a, north(6, 0))
    assert "dw.ability.jump_vehicle_no_turn" in field.route(a, north(6, 0), north(6, 90), way="jump")
    assert goes(field, a, (900, 600 + inch(2), 0)) and not goes(field, a, (900, 600 + inch(2), 0), way="jump")


@pytest.mark.rule("dw.ability.dozer_blade_move")
def test_a_dozer_blade_goes_through_rubble_at_full_speed():
    field = Field(barrier("rubble", 2))
    ran = field.move(field.put(BLUE, vehicle(3, abilities=["Dozer Blade"])), north(6, 0))
    assert "dw.ability.dozer_blade_move" in ran.rules()
    assert not goes(field, field.put(BLUE, vehicle(3), 700, 600), (700, 600 - inch(6), 0))


# -- tracks and wheels -----------------------------------------------------------------------------------------


@pytest.mark.rule("dw.ability.tracks", "dw.ability.wheels")
@pytest.mark.rule("dw.open.tracks_details")
@pytest.mark.parametrize("ability, stops", [("Tracks", "H"), ("Wheels", "B")])
def test_one_die_stops_a_driven_vehicle_where_it_first_touches_difficult_ground(ability, stops):
    goes_on = "B" if stops == "H" else "H"
    ahead = (600 - 55) / 25.4 - 2  # the hull is 110 mm long; rubble begins 2" before its front
    for die, inches in ((stops, 2), (goes_on, 3)):
        field = Field({"kind": "rubble", "at": [25, ahead - 4], "size": [25, 4]})
        a = field.put(BLUE, vehicle(3, abilities=[ability], tags=[]))
        assert not goes(field, a, north(4, 0))
        ran = field.move(a, north(3, 0), dice=die)
        assert abs((600 - a.bodies[0].y) - inch(inches)) <= 2
        assert [event.rule for event in ran.of("Rolled")] == [f"dw.ability.{ability.lower()}"]
    field = Field({"kind": "rubble", "at": [25, 20], "size": [25, 8]})
    a = field.put(BLUE, vehicle(3, abilities=[ability], tags=[]))
    field.move(a, north(3, 0), dice=stops)
    assert a.bodies[0].y == 600  # it starts inside and does not move at all


@pytest.mark.rule("dw.ability.tracks_march", "dw.ability.wheels_limits")
@pytest.mark.parametrize("ability", ["Tracks", "Wheels"])
def test_difficult_ground_stays_difficult_for_driven_vehicles_on_a_march(ability):
    field = Field(barrier("rubble", 2))
    a = field.put(BLUE, vehicle(3, abilities=[ability], tags=[]))
    walker = field.put(BLUE, vehicle(3), 700, 600)
    assert goes(field, walker, (700, 600 - inch(10), 0), kind=MARCH)
    assert not goes(field, a, north(10, 0), kind=MARCH)
    ran = field.move(a, north(3, 0), kind=MARCH, dice="H")
    assert ran.of("Rolled")


@pytest.mark.rule("dw.ability.wheels_limits")
def test_wheels_do_not_turn_on_the_spot():
    field = Field()
    wheels = field.put(BLUE, vehicle(3, abilities=["Wheels"], tags=[]))
    tracks = field.put(BLUE, vehicle(3, abilities=["Tracks"], tags=[]), 500, 600)
    assert "dw.ability.wheels_limits" in field.route(wheels, (900, 600, 90))
    assert goes(field, tracks, (500, 600, 90))


# -- flight -----------------------------------------------------------------------------------------------------

FLYER = squad(1, abilities=["Flight"], name="Flyer")


@pytest.mark.rule("dw.ability.flight_state")
def test_flyers_declare_their_state_when_set_down_and_after_every_move():
    field = Field()
    a = field.put(BLUE, FLYER)
    ran = field.run(lambda play: a.hooks["on_deployed"][0](play, a), answers={"flight": "flying"})
    assert a.is_flying and ran.asked == ["flight"]
    ran = field.move(a, north(3), answers={"flight": "landed"})
    assert ran.asked.count("flight") == 1 and not a.is_flying
    assert "dw.ability.flight_state" in ran.rules()


@pytest.mark.rule("dw.ability.flight_move")
def test_flyers_pass_over_enemies_and_end_clear_of_them_and_of_friendly_vehicles():
    field = Field()
    a = field.put(BLUE, FLYER, flying=True)
    field.put(RED, squad(3), 880, 600 - inch(2.5))
    field.put(BLUE, vehicle(2), 900, 600 - inch(5.5))
    assert goes(field, a, (860, 600 - inch(4.6))) and not goes(field, a, north(2.5))
    assert not goes(field, a, north(5.3))
    assert not goes(field, a, north(3.4))  # nearer than 1" to the squad
    a.notes["flying"] = False
    assert not goes(field, a, (860, 600 - inch(4.6)))


@pytest.mark.rule("dw.open.overrun_scope")
def test_vehicles_pass_beneath_flyers_without_overrunning_them_and_stop_elsewhere():
    field = Field()
    tank = field.put(BLUE, vehicle(3))
    flyer = field.put(RED, FLYER, 900, 600 - inch(3), flying=True)
    assert not goes(field, tank, north(3, 0))
    ran = field.move(tank, north(6, 0))
    assert "dw.move.overrun_through" not in ran.rules() and flyer.spots == ((900, 600 - inch(3)),)
    flyer.notes["flying"] = False
    tank.bodies[0] = tank.bodies[0].at(900, 600)
    assert goes(field, tank, north(3, 0))


@pytest.mark.rule("dw.ability.flight_terrain")
@pytest.mark.rule("dw.open.flight_state_in_move")
def test_flyers_ignore_terrain_and_land_only_where_soldiers_can_stand():
    field = Field(barrier("rocks", 1.5))
    a = field.put(BLUE, FLYER)
    assert not goes(field, a, north(6)) and not goes(field, a, north(2.3))
    a.notes["flying"] = True
    assert goes(field, a, north(6))
    ran = field.move(a, north(2.3))
    assert "flight" not in ran.asked and a.is_flying  # over rocks it cannot land
    field.move(a, north(6), answers={"flight": "landed"})
    assert not a.is_flying


@pytest.mark.rule("dw.ability.flight_no_suppressed_cover")
def test_suppression_is_no_cover_in_the_air():
    field, a, b = duel(squad(3), squad(3, abilities=["Flight"]))
    b.suppression = 2
    assert field.strike(a, b).cover is Cover.SOFT
    b.notes["flying"] = True
    assert field.strike(a, b).cover is Cover.NONE


@pytest.mark.rule("dw.ability.flight_los")
def test_only_terrain_that_holds_half_of_the_target_obscures_it_from_the_air():
    field, a, b = duel(squad(1, abilities=["Flight"]), squad(5), 10, WALL)
    assert field.strike(a, b).cover is Cover.HARD
    a.notes["flying"] = True
    assert field.strike(a, b).cover is Cover.NONE and field.strike(b, a).cover is Cover.NONE
    wood = {"kind": "forest", "points": [[34, 11], [38.3, 11], [38.3, 15], [34, 15]]}
    for inside, cover in ((3, Cover.SOFT), (2, Cover.NONE)):
        field, a, b = duel(squad(1, abilities=["Flight"]), squad(5), 10, wood)
        a.notes["flying"] = True
        edge = 970 - 15  # the wood ends at 38.3"
        b.bodies = [
            body.at(edge - 30 * number if number < inside else edge + 40 + 30 * number, body.y)
            for number, body in enumerate(b.bodies)
        ]
        assert field.strike(a, b).cover is cover


@pytest.mark.rule("dw.ability.flight_roof")
def test_a_roof_hides_from_flyers():
    house = {"kind": "building", "at": [33, 10], "size": [9, 5], "roofed": True}
    field, a, b = duel(squad(1, abilities=["Flight"]), squad(3), 10, house)
    a.notes["flying"] = True
    assert not field.can_attack(a, b) and not field.can_attack(b, a)
    open_house = {**house, "roofed": False}
    field, a, b = duel(squad(1, abilities=["Flight"]), squad(3), 10, open_house)
    a.notes["flying"] = True
    assert field.can_attack(a, b) and field.can_attack(b, a)


@pytest.mark.rule("dw.ability.flight_target_limit")
def test_short_weapons_and_bombs_do_not_reach_flyers_from_the_ground():
    arms = [weapon("Flamer", 6, "1/1"), weapon("Knife", "C", "1/1"), weapon("Rifle", 12, "1/1")]
    field, a, b = duel(squad(1, arms, kind="hero"), FLYER, 2)
    assert [field.refusal(a, b, 0, place, mode=how) for place, how in enumerate(("direct", "close", "direct"))] == [
        None, None, None,
    ]  # fmt: skip
    b.notes["flying"] = True
    rule = "dw.ability.flight_target_limit"
    assert [field.refusal(a, b, 0, place, mode=how) for place, how in enumerate(("direct", "close", "direct"))] == [
        rule, rule, None,
    ]  # fmt: skip
    bomber = field.put(BLUE, plane(weapons=[weapon("Bomb", "B", "6/1")]), 300, 300, altitude=HIGH)
    assert field.refusal(bomber, b) == rule


@pytest.mark.rule("dw.ability.flight_c_vs_aircraft")
def test_flyers_fight_high_aircraft_in_close_combat_only_where_the_weapon_says_so():
    arms = [weapon("Hook", "C", "1/1", "1/1", "1/1"), weapon("Knife", "C", "1/1", "1/1")]
    field, a, b = duel(squad(1, arms, abilities=["Flight"], kind="hero"), plane(), 2)
    b.altitude = HIGH
    assert field.refusal(a, b, 0, 0, mode="close") == "dw.ability.flight_c_vs_aircraft"
    a.notes["flying"] = True
    assert field.refusal(a, b, 0, 0, mode="close") is None
    assert field.refusal(a, b, 0, 1, mode="close") == "dw.open.aircraft_high_targets"
