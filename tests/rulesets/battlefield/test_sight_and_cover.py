"""Fields of fire, range, line of sight and cover, miniature by miniature (bf.attack.*, bf.cover.*)."""

from __future__ import annotations

import pytest

from rulesets.battlefield.field import RED, Field, box, disc, house, hut
from rulesets.dust1947.table import aircraft, squad, support, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 4)


def at_bearing(bearing: int, far: int = 300) -> tuple[int, int]:
    from dieselfront.table.measured.angles import step

    dx, dy = step(bearing, far * 10)
    return 900 + dx // 10, 600 + dy // 10


ARCS = [
    ("front", 40, True), ("front", 52, False), ("front", 320, True), ("rear", 145, True), ("rear", 125, False),
    ("left", 270, True), ("left", 90, False), ("right", 90, True), ("turret", 180, True),
]  # fmt: skip


@pytest.mark.rule(
    "bf.attack.fof_front", "bf.attack.fof_rear", "bf.attack.fof_side", "bf.attack.fof_turret",
)  # fmt: skip
@pytest.mark.parametrize("mount, bearing, legal", ARCS)
def test_the_mount_decides_the_field_of_fire(mount, bearing, legal):
    field = Field()
    tank = field.put(vehicle(weapon("Gun", "2/1", 9, mount=mount)), (900, 600), heading=0)
    foe = field.put(squad(men=1), at_bearing(bearing, 400), RED)
    assert field.may_aim(tank, "Gun", foe) is legal


@pytest.mark.rule("bf.attack.fof_side")
def test_a_side_mount_does_not_reach_straight_ahead():
    field = Field()
    tank = field.put(vehicle(weapon("Gun", "2/1", 9, mount="left")), (900, 600), heading=0)
    assert not field.may_aim(tank, "Gun", field.put(squad(men=1), (900, 300), RED))


@pytest.mark.rule("bf.attack.fof_infantry", "bf.attack.fof_support", "bf.open.support_fof")
def test_soldiers_fire_all_round_and_support_weapons_as_their_card_says():
    field = Field()
    men = field.put(squad(RIFLE, men=1), (900, 600), heading=0)
    behind = field.put(squad(men=1), (900, 800), RED)
    assert field.may_aim(men, "Rifle", behind)
    for mount, legal in ((None, True), ("front", False)):
        gun = field.put(support(weapon("MG", "4/1", 6, mount=mount)), (500 if mount else 1300, 600), heading=0)
        foe = field.put(squad(men=1), (500 if mount else 1300, 900), RED)
        assert field.may_aim(gun, "MG", foe) is legal


@pytest.mark.rule("bf.attack.range_scale", "bf.attack.range_points")
@pytest.mark.parametrize("between, legal", [(400, True), (401, False)])
def test_exactly_at_the_limit_is_in_range_measured_between_bases(between, legal):
    field = Field()
    men = field.put(squad(RIFLE, men=1), (300, 600))
    foe = field.put(squad(men=1), (300 + between + 25, 600), RED)
    assert field.may_aim(men, "Rifle", foe) is legal


@pytest.mark.rule("bf.attack.min_range")
@pytest.mark.parametrize("between, legal", [(399, False), (400, True), (1200, True), (1201, False)])
def test_a_minimum_range_counts_too(between, legal):
    field = Field()
    gun = field.put(squad(weapon("Mortar", "3/1", "4-12"), men=1), (100, 600))
    foe = field.put(squad(men=1), (100 + between + 25, 600), RED)
    assert field.may_aim(gun, "Mortar", foe) is legal


@pytest.mark.rule("bf.attack.range_measure", "bf.attack.hit_dice")
def test_each_soldier_measures_for_himself():
    field = Field()
    men = field.put(squad(RIFLE, men=3), (500, 600), others=[(498, 640), (470, 680)])
    foe = field.put(squad(men=1), (500 + 415, 600), RED)
    game = field.attack(men, foe, dice="TTTT")
    assert game.dice("to hit") == [4]  # two of three reach it


@pytest.mark.rule("bf.attack.range_close", "bf.cc.reach")
@pytest.mark.parametrize("between, fighters", [(50, 1), (51, 0)])
def test_close_combat_is_within_five_centimetres_of_each_miniature(between, fighters):
    field = Field()
    men = field.put(squad(weapon("Knife", "2/1", "C"), men=2), (500, 600), others=[(470, 600)])
    foe = field.put(squad(men=1), (500 + between + 25, 600), RED)
    if not fighters:
        assert not field.may_aim(men, "Knife", foe)
        return
    game = field.attack(men, foe, dice="TT")
    assert game.dice("to hit") == [2]


@pytest.mark.rule("bf.attack.los_trace", "bf.attack.los_blocked", "bf.attack.los_walls")
def test_a_solid_thing_hides_what_is_wholly_behind_it():
    field = Field(box("structure", 460, 500, 80, 40))
    men = field.put(squad(RIFLE, men=1), (500, 700))
    hidden = field.put(squad(men=1), (500, 400), RED)
    half = field.put(squad(men=2), (500, 300), RED, others=[(640, 300)])
    assert not field.sees(men, hidden) and field.sees(men, half)


@pytest.mark.rule("bf.attack.los_infantry_transparent")
def test_soldiers_never_block_and_vehicles_do():
    field = Field()
    men = field.put(squad(RIFLE, men=1), (500, 800))
    foe = field.put(squad(men=1), (500, 400), RED)
    field.put(squad(men=3), (500, 600), RED, others=[(470, 600), (530, 600)])
    assert field.sees(men, foe)
    field.put(vehicle(), (500, 700), RED)
    assert not field.sees(men, foe)


@pytest.mark.rule("bf.attack.los_mutual")
def test_whoever_is_seen_sees():
    field = Field(box("wall", 300, 500, 190, 10), box("wall", 512, 500, 190, 10), box("rock", 520, 420, 60, 20))
    places = [(500, 700), (505, 300), (560, 380), (450, 640), (530, 600), (495, 460)]
    units = [field.put(squad(RIFLE, men=1), place, number % 2) for number, place in enumerate(places)]
    for one in units:
        for other in units:
            if one is not other:
                assert field.sees(one, other) == field.sees(other, one)


WOODS = [
    (80, 500, True),  # 8 cm inside
    (125, 500, False),  # 12 cm inside, the shooter far away
    (125, 50, True),  # the shooter stands 5 cm before the edge
    (280, 50, True),  # 28 cm inside
    (350, 50, False),  # 35 cm inside
]


@pytest.mark.rule("bf.attack.los_woods", "bf.attack.los_inside_limit", "bf.open.deep_wood_los")
@pytest.mark.parametrize("inside, before, seen", WOODS)
def test_a_wood_is_seen_into_by_its_edge(inside, before, seen):
    field = Field(box("trees", 400, 100, 400, 500))
    target = field.put(squad(men=1), (600, 600 - inside), RED)
    men = field.put(squad(RIFLE, men=1), (600, 600 + before + 12))
    assert field.sees(men, target) is seen


@pytest.mark.rule("bf.attack.los_inside_limit")
@pytest.mark.parametrize("apart, seen", [(320, True), (345, False)])
def test_inside_a_wood_one_sees_thirty_centimetres(apart, seen):
    field = Field(box("trees", 200, 200, 900, 600))
    men = field.put(squad(RIFLE, men=1), (400, 500))
    foe = field.put(squad(men=1), (400 + apart - 20, 500), RED)
    assert field.sees(men, foe) is seen


@pytest.mark.rule("bf.attack.los_smoke")
def test_smoke_is_an_area_too():
    field = Field(disc("smoke", 600, 600, 75))
    men = field.put(squad(RIFLE, men=1), (600, 1000))
    behind = field.put(squad(men=1), (600, 200), RED)
    within = field.put(squad(men=1), (600, 655), RED)
    assert not field.sees(men, behind)
    assert field.sees(men, within) and field.in_cover(men, within)


@pytest.mark.rule("bf.open.building_los")
def test_an_open_ruin_is_seen_through_by_those_beside_it_and_a_solid_house_never():
    field = Field(house(500, 400, 200, 200))
    near = field.put(squad(RIFLE, men=1), (600, 660))
    behind = field.put(squad(men=1), (600, 300), RED)
    far = field.put(squad(RIFLE, men=1), (600, 900))
    beyond = field.put(squad(men=1), (600, 150), RED)
    assert field.sees(near, behind) and field.in_cover(near, behind)
    assert not field.sees(far, beyond)
    solid = Field(hut(500, 400, 200, 200))
    one, other = solid.put(squad(RIFLE, men=1), (600, 660)), solid.put(squad(men=1), (600, 340), RED)
    assert not solid.sees(one, other)


@pytest.mark.rule("bf.attack.aircraft_as_vehicles")
def test_an_aircraft_is_looked_at_where_it_flies_and_saves_like_a_vehicle():
    field = Field(box("structure", 400, 600, 200, 30, height=150))
    men = field.put(squad(weapon("Flak", "3/1", 8), men=1), (500, 900))
    plane = field.put(aircraft(), (500, 400), RED)
    assert field.sees(men, plane) and field.in_cover(men, plane)
    game = field.attack(men, plane, dice="AAA AST")
    assert game.saved == 1 and "bf.save.vehicle_cover" in game.rules


@pytest.mark.rule("bf.cover.definition")
def test_cover_is_what_hides_part_of_the_body_and_never_another_miniature():
    field = Field(box("ammo_crate", 560, 480, 80, 20))
    men = field.put(squad(RIFLE, men=1), (600, 760))
    covered = field.put(squad(men=1), (600, 440), RED)
    assert field.in_cover(men, covered)
    plain = Field()
    shooter = plain.put(squad(RIFLE, men=1), (600, 760))
    behind_men = plain.put(squad(men=1), (600, 440), RED)
    plain.put(squad(men=3), (600, 480), RED, others=[(570, 480), (630, 480)])
    assert not plain.in_cover(shooter, behind_men)


@pytest.mark.rule("bf.cover.half_unit", "bf.cover.no_los_counts")
@pytest.mark.parametrize("hidden, cover", [(2, True), (1, False)])
def test_half_of_the_miniatures_have_to_be_in_cover_and_the_unseen_count(hidden, cover):
    field = Field(box("structure", 400, 500, 160, 40))
    men = field.put(squad(RIFLE, men=1), (500, 800))
    places = [(480, 460), (520, 460)][:hidden] + [(600, 460), (640, 460), (625, 420)][: 4 - hidden]
    foe = field.put(squad(men=4), places[0], RED, others=places[1:])
    assert field.in_cover(men, foe) is cover


@pytest.mark.rule("bf.cover.area_terrain")
def test_part_of_a_base_in_a_wood_is_enough():
    field = Field(box("trees", 400, 300, 200, 100))
    men = field.put(squad(RIFLE, men=1), (500, 700))
    assert field.in_cover(men, field.put(squad(men=1), (500, 405), RED))
    assert not field.in_cover(men, field.put(squad(men=1), (700, 405), RED))


@pytest.mark.rule("bf.cover.per_attacker")
def test_those_who_see_it_in_the_open_roll_apart_from_the_others():
    field = Field(box("ammo_crate", 470, 420, 60, 20))
    men = field.put(squad(RIFLE, men=4), (490, 520), others=[(515, 520), (640, 465), (640, 440)])
    foe = field.put(squad(men=1), (500, 400), RED)
    game = field.attack(men, foe, dice="SSSS SSSS", pool_order=lambda decision: decision.options[0])
    assert game.dice("to hit") == [4, 4]
    covers = [event.cover for event in game.events if type(event).__name__ == "PoolPlanned"]
    assert sorted(covers) == [False, True]


@pytest.mark.rule("bf.open.wreck_los", "bf.damage.wreck")
def test_a_wreck_covers_and_slows_and_hides_nobody():
    field = Field(box("wreck", 560, 500, 80, 60))
    men = field.put(squad(RIFLE, men=1, move=3), (600, 700))
    foe = field.put(squad(men=1), (600, 440), RED)
    assert field.sees(men, foe) and field.in_cover(men, foe)
    assert not field.may_go(men, (600, 470)) and field.may_go(men, (600, 530))
    truck = field.put(vehicle(move=2, locomotion="wheeled"), (700, 530), heading=90)
    game = field.activate(truck, "move", dice="T", move=(540, 530, 90))
    assert "bf.move.stuck_duration" in game.rules
