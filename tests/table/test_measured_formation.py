"""Coherency, automatic placement, legal places and the nearest of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dieselfront.table.measured import (
    AllWithin,
    Body,
    Chain,
    Circle,
    Crowd,
    Keep,
    Leash,
    MeasuredTable,
    Places,
    arrange,
    block,
    cm,
    column,
    distance,
    follow,
    house,
    hull,
    inches,
    keeps_from_centres,
    line,
    mm,
    overlaps,
    pattern_spots,
    place_unit,
    reaches_circle,
    rectangle,
    round_base,
)
from dieselfront.table.measured.bench import sample_table
from dieselfront.table.measured.kinds import HILL, HOUSE, ROCK
from dieselfront.table.measured.placement import offsets

MAN = round_base(25)
TABLE = MeasuredTable(1800, 1200)
RULES = [Chain(inches(1)), Circle(inches(2)), Leash(inches(6)), AllWithin(cm(15))]


def men(*spots):
    return [Body(MAN, x, y, key=i) for i, (x, y) in enumerate(spots)]


# -- coherency ----------------------------------------------------------------------------------------------


def test_a_chain_holds_at_one_inch_and_breaks_beyond():
    five = men(*[(100 + 50 * i, 100) for i in range(5)])  # gaps of 25 mm
    assert Chain(inches(1)).broken(five) == []
    assert Chain(inches(1)).broken(five[:2] + men((201, 100), (251, 100), (301, 100))) == [0, 1]
    assert Chain(mm(25)).broken(five) == [] and Chain(mm(25) - 1).broken(five) == [1, 2, 3, 4]


def test_of_two_groups_the_larger_is_the_unit():
    assert Chain(inches(1)).broken(men((100, 100), (400, 100), (440, 100))) == [0]


def test_a_command_circle_is_touched_at_two_inches_from_the_leaders_centre():
    leader = (100, 100)
    assert Circle(inches(2)).broken(men(leader, (163, 100))) == []
    assert Circle(inches(2)).broken(men(leader, (164, 100))) == [1]
    assert reaches_circle(*men(leader, (163, 100)), inches(2))


def test_a_leash_runs_from_base_to_base():
    assert Leash(inches(6)).broken(men((100, 100), (277, 100), (278, 100))) == [2]


def test_everyone_within_fifteen_centimetres_of_everyone():
    assert AllWithin(cm(15)).broken(men((100, 100), (200, 100), (275, 100))) == []
    assert AllWithin(cm(15)).broken(men((100, 100), (200, 100), (276, 100))) == [0, 2]


def test_leaders_keep_out_of_each_others_circles():
    leader = Body(MAN, 100, 100)
    assert not keeps_from_centres(leader, [Body(MAN, 150, 100)], inches(2))
    assert keeps_from_centres(leader, [Body(MAN, 151, 100)], inches(2))


# -- patterns -----------------------------------------------------------------------------------------------


def test_patterns_stand_behind_and_beside_their_leader():
    assert block(5, 30, files=3) == [(0, 0), (-30, 0), (30, 0), (0, -30), (-30, -30)]
    assert line(3, 30) == [(0, 0), (-30, 0), (30, 0)]
    assert column(3, 30) == [(0, 0), (0, -30), (0, -60)]
    assert pattern_spots(100, 100, 90, column(2, 30)) == [(100, 100), (70, 100)]
    assert pattern_spots(100, 100, 0, line(2, 30)) == [(100, 100), (70, 100)]


# -- placing ------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 30),
    st.tuples(st.integers(0, 1800), st.integers(0, 1200)),
    st.integers(0, 359),
    st.integers(1, 12),
    st.sampled_from(RULES),
)
def test_a_placed_unit_is_coherent_clear_of_everything_and_led_from_the_spot(seed, spot, heading, count, rule):
    table = sample_table(40, seed)
    tank = Body(hull(60, 110), spot[0] + 70, spot[1], 20)
    law = Places(table, ["rock"], Crowd([Keep(tank, inches(1))]))
    unit = place_unit(MAN, count, *spot, law, rule, heading)
    if unit is None:
        return
    assert (unit[0].x, unit[0].y) == spot and len(unit) == count
    assert rule.broken(unit) == []
    assert all(law.is_legal(body) and distance(body, tank) > inches(1) for body in unit)
    assert not any(overlaps(a, b) for i, a in enumerate(unit) for b in unit[:i])


@given(st.tuples(st.integers(120, 1680), st.integers(120, 1080)), st.integers(0, 359), st.integers(1, 10))
def test_on_open_ground_a_unit_always_finds_room(spot, heading, count):
    for rule in RULES:
        assert place_unit(MAN, count, *spot, Places(TABLE), rule, heading) is not None


def test_a_leader_who_cannot_stand_there_places_nobody():
    assert place_unit(MAN, 5, 5, 5, Places(TABLE), Chain(inches(1))) is None


def test_a_unit_moved_with_its_leader_keeps_its_shape_where_it_can():
    unit = place_unit(MAN, 6, 300, 300, Places(TABLE), Chain(inches(1)))
    assert unit is not None
    moved = arrange(follow(unit, 400, 320), Places(TABLE), Chain(inches(1)))
    assert moved is not None
    assert [(b.x - a.x, b.y - a.y) for a, b in zip(unit, moved, strict=True)] == [(100, 20)] * 6


def test_a_unit_moved_against_a_rock_flows_round_it_within_its_move():
    table = TABLE.with_piece(rectangle("rock", ROCK, 380, 250, 60, 60))
    law = Places(table, ["rock"])
    unit = place_unit(MAN, 8, 300, 300, law, Chain(inches(1)), 90)
    assert unit is not None
    origins = [(body.x, body.y) for body in unit]
    moved = arrange(follow(unit, 450, 340), law, Chain(inches(1)), origins, inches(8))
    assert moved is not None and Chain(inches(1)).broken(moved) == []
    for body, (x, y) in zip(moved, origins, strict=True):
        assert law.is_legal(body)
        assert 100 * ((body.x - x) ** 2 + (body.y - y) ** 2) <= inches(8) ** 2
    assert [body.key for body in moved] == [body.key for body in unit]


def test_a_straggler_is_drawn_into_coherency():
    wanted = men((500, 500), (520, 540), (900, 900))
    placed = arrange(wanted, Places(TABLE), Chain(inches(1)))
    assert placed is not None and Chain(inches(1)).broken(placed) == []
    assert (placed[0].x, placed[0].y) == (500, 500) and (placed[1].x, placed[1].y) == (520, 540)


def test_models_wanted_on_one_spot_stand_beside_each_other():
    placed = arrange(men(*[(500, 500)] * 9), Places(TABLE), Chain(inches(1)))
    assert placed is not None and Chain(inches(1)).broken(placed) == []
    assert not any(overlaps(a, b) for i, a in enumerate(placed) for b in placed[:i])


def test_a_straggler_who_may_not_come_so_far_makes_it_impossible():
    wanted = men((500, 500), (900, 900))
    assert arrange(wanted, Places(TABLE), Chain(inches(1)), [(500, 500), (900, 900)], inches(6)) is None


def test_those_placed_on_a_hill_stand_on_it():
    table = TABLE.with_piece(rectangle("hill", HILL, 200, 200, 300, 300))
    unit = place_unit(MAN, 4, 300, 300, Places(table), Chain(inches(1)))
    assert unit is not None and all(body.z == 60 for body in unit)
    assert table.settled(unit[0].at(1000, 1000)).z == 0


# -- places -------------------------------------------------------------------------------------------------


def test_places_tell_what_is_wrong():
    table = TABLE.with_piece(rectangle("rock", ROCK, 500, 500, 100, 100))
    law = Places(
        table,
        ["rock"],
        Crowd([Keep(Body(MAN, 300, 300, key="enemy"), inches(1))]),
        zones=[[(0, 0), (800, 0), (800, 800), (0, 800)]],
        test=lambda body: body.x != 77,
    )
    asked = {(5, 5): "off table", (795, 400): "zone", (310, 330): "model", (550, 550): "terrain", (77, 400): "rule"}
    for (x, y), what in asked.items():
        problem = law.problem(Body(MAN, x, y))
        assert problem is not None and problem.what == what
    assert law.problem(Body(MAN, 100, 100)) is None


def test_those_inside_a_building_stand_on_its_floor_and_others_do_not_enter():
    table = TABLE.with_piece(house("farm", HOUSE, 500, 500, 200, 200))
    law = Places(table, ["house"])
    assert law.is_legal(table.stand_inside(MAN, "farm", 0, 600, 600))
    assert not law.is_legal(table.stand(MAN, 600, 600))


@settings(max_examples=40, deadline=None)
@given(st.tuples(st.integers(460, 640), st.integers(460, 640)), st.sampled_from([1, 4]))
def test_no_legal_spot_is_nearer_than_the_nearest(spot, step):
    table = TABLE.with_piece(rectangle("rock", ROCK, 500, 500, 100, 100))
    law = Places(table, ["rock"], Crowd([Keep(Body(MAN, 480, 560))]))
    wanted = Body(MAN, *spot)
    found = law.nearest(wanted, step=step)
    assert found is not None and law.is_legal(found)
    away = (found.x - wanted.x) ** 2 + (found.y - wanted.y) ** 2
    if step == 1:
        for dx, dy in offsets(120):
            if dx * dx + dy * dy >= away:
                break
            assert not law.is_legal(wanted.at(spot[0] + dx, spot[1] + dy))


def test_there_may_be_no_legal_spot_near():
    table = TABLE.with_piece(rectangle("rock", ROCK, 0, 0, 1800, 1200))
    assert Places(table, ["rock"]).nearest(Body(MAN, 900, 600), most=60) is None


def test_steps_come_in_order_of_length():
    lengths = [dx * dx + dy * dy for dx, dy in offsets(20)]
    assert lengths == sorted(lengths) and len(set(offsets(20))) == len(lengths) and max(lengths) <= 400


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 1800), st.integers(0, 1200)), max_size=20),
    st.tuples(st.integers(0, 1800), st.integers(0, 1200)),
)
def test_a_crowd_finds_whoever_stands_too_near(others, spot):
    keeps = [Keep(Body(MAN, *other, key=i), inches(1)) for i, other in enumerate(others)]
    body = Body(hull(60, 110), *spot, 33)
    expected = any(distance(body, keep.body) <= inches(1) for keep in keeps)
    assert (Crowd(keeps).first_broken(body) is not None) == expected


@pytest.mark.parametrize(
    "gap, strict, x, kept",
    [
        (mm(25), True, 150, False),
        (mm(25), True, 151, True),
        (mm(25), False, 150, True),
        (mm(25), False, 149, False),
        (0, True, 125, True),
        (0, True, 124, False),
    ],
)
def test_more_than_a_gap_and_at_least_a_gap_differ_at_the_gap(gap, strict, x, kept):
    assert Keep(Body(MAN, 100, 100), gap, strict).is_kept(Body(MAN, x, 100)) is kept
