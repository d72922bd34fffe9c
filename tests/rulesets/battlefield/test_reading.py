"""What a reading of the rules against the game found."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.battlefield.card_family import FAMILY
from dieselfront.rulesets.battlefield.forts import is_main
from rulesets.battlefield.field import RED, Field, box
from rulesets.dust1947.table import hero, knife, squad, vehicle, weapon

GUN = weapon("Gun", "2/1", 6)


@pytest.mark.rule("bf.move.terrain_halt", "bf.move.terrain_limit")
def test_a_base_over_the_edge_of_a_wood_has_entered_it():
    field = Field(box("trees", 400, 300, 200, 200))
    runner = field.put(hero(GUN, move=3), (500, 800))
    ways = field.rules.movement.reach(field.play, runner, 3, "move")
    assert ways.is_rough([(500, 800), (500, 510)]) and not ways.is_rough([(500, 800), (500, 513)])


@pytest.mark.rule("bf.move.tracked_stuck_roll", "bf.open.stuck_roll_timing")
def test_a_hull_sticks_where_its_front_meets_the_wood():
    field = Field(box("trees", 400, 400, 200, 200))
    tank = field.put(vehicle(GUN, locomotion="tracked"), (500, 800), heading=0)
    field.activate(tank, "move", move=(500, 620, 0), dice="T")
    body = field.rules.ground.first(field.state, tank)
    assert min(y for _, y in body.corners) in range(6000, 6011)


@pytest.mark.rule("bf.skill.blutkreuz")
def test_the_blutkreuz_is_a_rule_of_a_weapon_too():
    field = Field()
    field.put(hero(weapon("Blutkreuz", "4/1", "C", "Blutkreuz")), (500, 500))
    zombies = field.put(squad(knife(), men=2, move=1, skills="Mindless Zombie, Zombie"), (500, 560))
    assert "bf.skill.blutkreuz" in field.activate(zombies, actions=lambda d: ()).rules


@pytest.mark.rule("bf.attack.fof_support", "bf.open.support_fof")
def test_cards_keep_the_front_mount_of_support_weapons():
    guns = FAMILY.catalogue.cards["allies-choppers"].weapons
    assert "front" in [gun.mount for gun in guns]


@pytest.mark.rule("bf.fort.main_weapon")
def test_the_rifles_of_a_gun_crew_are_no_main_weapon():
    field = Field()
    crew = field.put(FAMILY.catalogue.cards["axis-festungs-laserkanone"], (500, 500))
    assert [is_main(crew, gun) for gun in crew.card.weapons[:2]] == [False, True]


@pytest.mark.rule("bf.vehicle.tank_riders_cc")
def test_riders_strike_those_beside_their_tank():
    field = Field()
    tank = field.put(vehicle(GUN, skills="Tank Riders (6)"), (500, 600), heading=0)
    riders = field.put(squad(knife(), men=2), (900, 900))
    foe = field.put(squad(men=2), (560, 600), RED)
    assert not field.rules.ground.in_contact(field.state, riders, foe)
    riders.status, riders.aboard, riders.where = "aboard", tank.id, ()
    assert field.rules.ground.in_contact(field.state, riders, foe)
    assert field.rules.close_combat.takes_part(riders)
