"""Every kind of terrain for itself: what it costs, whom it stops, what it hides and covers (bf.move.*, bf.cover.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust.state import CAMOUFLAGED
from dieselfront.table.measured.terrain import Opening
from rulesets.battlefield.field import RED, Field, Fort, box, hut
from rulesets.dust1947.table import squad, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 8)
SLOW = ("trees", "hedge", "crops", "hill", "gully", "river", "swamp", "ammo_crate", "rubble", "wreck", "low_wall")


@pytest.mark.rule("bf.move.terrain_list", "bf.move.terrain_limit", "bf.damage.wreck")
@pytest.mark.parametrize("kind", SLOW)
def test_slowing_terrain_leaves_20_cm_of_a_move(kind):
    field = Field(box(kind, 400, 780, 300, 40))
    man = field.put(squad(RIFLE, men=1, move=3), (550, 900))
    assert field.may_go(man, (550, 700)) and not field.may_go(man, (550, 690))
    aside = field.put(squad(RIFLE, men=1, move=3), (900, 900))
    assert field.may_go(aside, (900, 600))


@pytest.mark.rule("bf.move.impassable")
@pytest.mark.parametrize("kind", ["rock", "structure", "cliff", "wall"])
@pytest.mark.parametrize("locomotion", ["infantry", "walker", "tracked"])
def test_nobody_on_the_ground_passes_impassable_terrain(kind, locomotion):
    field = Field(box(kind, 0, 780, 1800, 40))
    card = squad(RIFLE, men=1, move=4) if locomotion == "infantry" else vehicle(move=4, locomotion=locomotion)
    unit = field.put(card, (550, 920))
    assert not field.may_go(unit, (550, 660)) and not field.may_go(unit, (550, 800))
    assert field.may_go(unit, (850, 920))


@pytest.mark.rule("bf.vehicle.naval_terrain", "bf.move.impassable")
def test_deep_water_stops_whoever_neither_swims_nor_floats():
    field = Field(box("water", 0, 500, 1800, 300))
    tank, man = field.put(vehicle(move=4), (500, 900)), field.put(squad(RIFLE, men=1, move=4), (800, 900))
    assert not field.may_go(tank, (500, 650)) and not field.may_go(man, (800, 650))
    ship = field.put(vehicle(move=4, skills="Naval Unit", locomotion="walker"), (1200, 650))
    assert field.may_go(ship, (1000, 650))


@pytest.mark.rule("bf.vehicle.naval_terrain")
def test_a_ship_that_sinks_leaves_no_wreck():
    field = Field(box("water", 0, 0, 1800, 1200))
    ship = field.put(vehicle(skills="Naval Unit", damage=1), (900, 400), RED)
    gun = field.put(vehicle(weapon("Gun", "1/1", 8), skills="Naval Unit"), (900, 800))
    field.attack(gun, ship, dice="A")
    assert not ship.alive and not field.state.table.pieces_of("wreck")


@pytest.mark.rule("bf.vehicle.tracked", "bf.vehicle.half_tracked", "bf.vehicle.wheeled")
@pytest.mark.parametrize("skill", ["Tracked", "Half-Tracked", "Wheeled"])
def test_the_skill_on_the_card_says_what_a_vehicle_drives_on(skill):
    field = Field(box("trees", 400, 400, 300, 420))
    tank = field.put(vehicle(move=2, skills=skill, locomotion="walker"), (550, 950))
    game = field.activate(tank, "move", dice="A", move=(550, 770, 0))
    assert game.labels == ["terrain"]


@pytest.mark.rule("bf.move.wall_openings")
def test_vehicles_stay_outside_and_soldiers_are_slowed_indoors():
    gate = Opening((540, 600), (700, 600), 0, 0, None, True)
    field = Field(hut(400, 300, 400, 300, gate))
    walker = field.put(vehicle(move=4), (620, 720))
    assert not field.may_go(walker, (620, 500))
    man = field.put(squad(RIFLE, men=1, move=3), (560, 680))
    assert field.may_go(man, (560, 480)) and not field.may_go(man, (560, 470))


@pytest.mark.rule("bf.attack.los_blocked", "bf.attack.los_walls")
@pytest.mark.parametrize("kind", ["rock", "structure", "cliff", "wall"])
def test_a_solid_thing_hides_what_is_wholly_behind_it(kind):
    field = Field(box(kind, 460, 500, 80, 40))
    men, hidden = field.put(squad(RIFLE, men=1), (500, 700)), field.put(squad(men=1), (500, 400), RED)
    assert not field.sees(men, hidden)
    assert field.sees(men, field.put(squad(men=1), (640, 400), RED))


@pytest.mark.rule("bf.cover.definition")
@pytest.mark.parametrize("kind", ["hedge", "low_wall", "ammo_crate"])
def test_what_hides_the_legs_is_cover(kind):
    field = Field(box(kind, 500, 480, 200, 20))
    men, covered = field.put(squad(RIFLE, men=1), (600, 760)), field.put(squad(men=1), (600, 440), RED)
    assert field.sees(men, covered) and field.in_cover(men, covered)
    assert not field.in_cover(men, field.put(squad(men=1), (900, 440), RED))


@pytest.mark.rule("bf.fort.infantry_only")
@pytest.mark.parametrize("kind", ["bunker", "strongpoint"])
def test_no_hull_stands_in_the_box_of_a_fortification_even_with_a_corner(kind):
    fort = Fort(kind, RED).stood((900, 400, 180))
    field = Field(forts=[fort])
    walker = field.put(vehicle(move=3), (1150, 400))
    assert field.may_go(walker, (1040, 400)) and not field.may_go(walker, (1020, 400))


@pytest.mark.rule("bf.skill.camouflage", "bf.open.camouflage_one_way")
def test_a_camouflaged_unit_starts_hidden_and_may_hide_again():
    field = Field(box("trees", 400, 300, 300, 110))
    unit = field.put(squad(RIFLE, men=1, skills="Camouflage"), (500, 400))
    for answer in unit.effects["on_fielded"]:
        answer(field.play, unit)
    assert unit.is_(CAMOUFLAGED)
    unit.flags &= ~CAMOUFLAGED
    field.activate(unit, "special:camouflage")
    assert unit.is_(CAMOUFLAGED)


@pytest.mark.rule("bf.vehicle.engineer", "bf.engineer.cut_wire")
def test_saws_cut_wire_and_an_engineer_vehicle_counts_its_tools():
    field = Field(box("wire", 700, 700, 400, 20))
    saw = field.put(vehicle(weapon("Saw", "1/1", "C", "Cutting")), (900, 780))
    game = field.activate(saw, "special:engineering", dice="A", engineering=lambda decision: decision.options[0])
    assert game.dice("cutting wire") == [1] and not field.state.table.pieces_of("wire")
    engineer = field.put(vehicle(skills="Engineer Vehicle"), (1200, 780))
    assert field.rules.engineering.tools(field.play, engineer) == ("engineer",)
