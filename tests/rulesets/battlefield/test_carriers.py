"""Vehicles and what they carry (bf.vehicle.*, bf.transport.*, bf.airlift.*, bf.sealift.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust.state import DUG_IN
from rulesets.battlefield.field import RED, Field, box
from rulesets.dust1947.table import aircraft, hero, kill, knife, squad, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 4)
TRUCK = {"skills": "Passengers (6)"}


def loaded(card=None, **details: object):
    field = Field()
    truck = field.put(vehicle(**(TRUCK | details)), (900, 600), heading=0)
    return field, truck, field.put(card or squad(RIFLE, men=5), aboard=truck)


@pytest.mark.rule("bf.transport.spaces", "bf.vehicle.passengers")
@pytest.mark.parametrize("men, armour, fits", [(4, 2, True), (6, 1, True), (7, 2, False), (3, 3, True), (4, 3, False)])
def test_spaces_by_armour(men, armour, fits):
    field = Field()
    truck = field.put(vehicle(**TRUCK), (900, 600))
    assert field.rules.transport.fits(field.play, field.put(squad(men=men, armour=armour), (500, 500)), truck) is fits


@pytest.mark.rule("bf.transport.mount")
def test_everybody_has_to_reach_the_hull():
    field = Field()
    truck = field.put(vehicle(**TRUCK), (900, 600))
    men = field.put(squad(RIFLE, men=2), (900, 760), others=[(925, 760)])
    game = field.activate(men, "move", move=(900, 649, 0, 0, ((926, 660),)))
    assert "mount" not in game.asked  # one of them is a centimetre short
    field.activate(men, "move", move=(900, 649, 0, 0, ((926, 649),)), mount=truck)
    assert men.status == "aboard"
    far = field.put(squad(RIFLE, men=2), (1200, 760), others=[(1230, 760)])
    game = field.activate(far, "move", move=(1100, 700))
    assert "mount" not in game.asked


@pytest.mark.rule("bf.transport.activation", "bf.transport.dismount")
def test_passengers_act_for_themselves_and_leave_before_their_truck_acts():
    field, truck, men = loaded()
    foe = field.put(squad(men=3), (900, 250), RED)
    game = field.activate(men, "move", "attack", dice="S" * 10, target=foe, dismount=(900, 470))
    assert men.on_board and game.labels == ["to hit"] and not truck.activated
    field, truck, men = loaded()
    truck.set(1)
    assert not any("move" in sequence or "march" in sequence for sequence in field.menu(men))


@pytest.mark.rule("bf.transport.no_sustained", "bf.transport.untargetable")
def test_what_passengers_may_not():
    field, truck, men = loaded(squad(RIFLE, weapon("Flamer", "2/1", 4, "Flame"), knife(), men=2))
    foe = field.put(squad(RIFLE, men=3), (600, 600), RED)
    assert not any("sustained" in sequence for sequence in field.menu(men))
    assert field.may_aim(men, "Rifle", foe)
    assert not field.may_aim(men, "Flamer", foe) and not field.may_aim(men, "Knife", foe)
    assert {aim[0] for aim in field.aims(foe, "Rifle")} == {truck.id}


@pytest.mark.rule("bf.transport.fire_arcs", "bf.open.half_firing")
def test_at_most_half_of_the_spaces_fire_to_one_side():
    field, _, men = loaded()
    foe = field.put(squad(men=9), (600, 600), RED)
    ahead = field.put(squad(men=1), (900, 300), RED)
    assert not field.may_aim(men, "Rifle", ahead)
    with pytest.raises(Exception, match="3 spaces of passengers"):
        field.attack(men, foe)
    game = field.attack(men, None, dice="SSSSSS", declare={"Rifle": [foe, foe, foe]})
    assert game.dice("to hit") == [6]


@pytest.mark.rule("bf.transport.destroyed_rolls", "bf.transport.destroyed_after")
def test_a_destroyed_transport_costs_lives_and_nerves():
    field, truck, men = loaded(damage=1)
    gun = field.put(vehicle(weapon("Gun", "1/4", 8)), (900, 1100), RED)
    field.attack(gun, truck, dice="A TTASS", survivors=lambda d: next(iter(d.answers())))
    assert men.on_board and len(men.main.alive) == 3 and men.suppressed and men.activated


@pytest.mark.rule("bf.open.zombie_bailout")
def test_heroes_bail_out_without_a_token():
    field, truck, joe = loaded(hero(), damage=1)
    gun = field.put(vehicle(weapon("Gun", "1/4", 8)), (900, 1100), RED)
    field.attack(gun, truck, dice="A A", survivors=lambda d: next(iter(d.answers())))
    assert joe.on_board and not joe.suppressed and joe.activated


@pytest.mark.rule("bf.open.passenger_reaction")
def test_passengers_react_with_one_attack():
    field, _, men = loaded()
    mover = field.put(squad(RIFLE, men=1), (600, 600), RED)
    assert field.rules.reactions.reactors(field.play, mover)[-1] is men
    game = field.run(
        field.rules.reactions.attempt(field.play, men, mover), "AA SSSSSS",
        declare={"Rifle": [mover, mover, mover]},
    )  # fmt: skip
    assert "reaction-attack" not in game.asked and men.activated


# -- tank riders --------------------------------------------------------------------------------------


def ridden(damage: int = 8, **options: str):
    field = Field(options=options)
    tank = field.put(vehicle(skills="Tank Riders (6)", damage=damage), (900, 600))
    return field, tank, field.put(squad(RIFLE, knife(), men=5), aboard=tank)


@pytest.mark.rule("bf.vehicle.tank_riders_hits", "bf.open.tank_rider_hits")
@pytest.mark.parametrize("option, dice, left", [("unsaved", "AAA AST TT", 3), ("all_hits", "AAA AST TTS", 3)])
def test_riders_fall_when_their_vehicle_is_hit(option, dice, left):
    field = Field(box("trees", 800, 500, 300, 300), options={"tank_rider_hits": option})
    tank = field.put(vehicle(skills="Tank Riders (6)", damage=8), (900, 750))
    riders = field.put(squad(RIFLE, men=5), aboard=tank)
    gun = field.put(vehicle(weapon("Gun", "3/1", 8)), (900, 1050), RED)
    field.attack(gun, tank, dice=dice)
    assert len(riders.main.alive) == left


@pytest.mark.rule("bf.vehicle.tank_riders_target")
def test_riders_may_be_shot_at_instead():
    field, tank, riders = ridden()
    men = field.put(squad(RIFLE, men=2), (900, 950), RED)
    game = field.attack(men, riders, dice="AASS TT")
    assert len(riders.main.alive) == 3 and tank.main.damage == 0 and game.hits == 2


@pytest.mark.rule("bf.vehicle.tank_riders_template")
def test_templates_strike_vehicle_and_riders_apart():
    field, tank, riders = ridden()
    gun = field.put(vehicle(weapon("Rocket", "*/1", 8)), (900, 1100), RED)
    game = field.attack(gun, None, dice="A SSSSS", declare=((tank.id, "blast", int(tank.where[0])),))
    assert game.dice("to hit") == [1, 5] and "tank riders" not in game.labels and riders.alive


@pytest.mark.rule("bf.vehicle.tank_riders_cc")
def test_riders_use_their_knives():
    field, _, riders = ridden()
    assert field.rules.transport.may_fire(field.play, riders, riders.card.weapons[1])


# -- air and sea --------------------------------------------------------------------------------------


def lifting(skill: str = "Airmobile"):
    field = Field()
    lifter = field.put(aircraft(skills="Airlifter, Helicopter", damage=1), (900, 600))
    return field, lifter, field.put(vehicle(weapon("Gun", "1/1", 8), skills=skill, damage=5), (900, 600))


@pytest.mark.rule("bf.airlift.load", "bf.vehicle.airlifter", "bf.vehicle.airmobile", "bf.open.airlift_capacity")
def test_an_airlifter_takes_along_what_it_hovers_over():
    field, lifter, walker = lifting()
    field.activate(lifter, "move", airlift=walker, move=(900, 300, 0))
    assert walker.status == "aboard"
    second = field.put(vehicle(skills="Airmobile"), (900, 300))
    assert field.rules.transport.below(field.play, lifter) == []
    assert not field.rules.transport.fits(field.play, second, lifter)
    field, lifter, _ = lifting("Brave")
    assert field.rules.transport.below(field.play, lifter) == []


@pytest.mark.rule("bf.airlift.activation", "bf.airlift.untargetable", "bf.airlift.dismount", "bf.vehicle.air_assault")
@pytest.mark.parametrize("skill, late", [("Airmobile", False), ("Air Assault", True)])
def test_what_a_carried_vehicle_may_do(skill, late):
    field, lifter, walker = lifting(skill)
    field.rules.transport._go_aboard(field.play, walker, lifter, "bf.airlift.load")
    foe = field.put(squad(RIFLE, men=1), (900, 900), RED)
    assert not any("attack" in sequence[:1] for sequence in field.menu(walker))
    assert walker.id not in {aim[0] for aim in field.aims(foe, "Rifle")}
    assert any("move" in sequence for sequence in field.menu(walker))
    lifter.set(1)
    assert any("move" in sequence for sequence in field.menu(walker)) is late


@pytest.mark.rule("bf.airlift.destroyed_rolls", "bf.airlift.destroyed_after", "bf.vehicle.air_assault")
@pytest.mark.parametrize("skill, damage", [("Airmobile", 3), ("Air Assault", 2)])
def test_a_vehicle_falls_with_its_airlifter(skill, damage):
    field, lifter, walker = lifting(skill)
    field.rules.transport._go_aboard(field.play, walker, lifter, "bf.airlift.load")
    flak = field.put(vehicle(weapon("Flak", "1/4", 12)), (900, 1100), RED)
    field.attack(flak, lifter, dice="A AASTT", survivors=lambda d: next(iter(d.answers())))
    assert walker.on_board and walker.main.damage == damage and walker.suppressed and walker.activated


@pytest.mark.rule("bf.vehicle.sealifter", "bf.sealift.spaces")
@pytest.mark.parametrize(
    "cards, fits",
    [
        ((vehicle(), squad(men=6)), True),
        ((vehicle(size="large"), squad(men=1)), False),
        ((vehicle(size="huge"),), False),
    ],
)
def test_twelve_spaces_on_a_landing_craft(cards, fits):
    field = Field(box("water", 0, 0, 1800, 900))
    boat = field.put(vehicle(skills="Sealifter, Naval Unit", locomotion="naval", size="huge"), (900, 500))
    for card in cards[:-1]:
        field.put(card, aboard=boat)
    last = field.put(cards[-1], (300, 1100))
    assert field.rules.transport.fits(field.play, last, boat) is fits


@pytest.mark.rule("bf.sealift.load", "bf.sealift.activation", "bf.sealift.dismount", "bf.sealift.untargetable")
def test_cargo_only_leaves():
    field = Field(box("water", 0, 0, 1800, 700))
    boat = field.put(vehicle(skills="Sealifter, Naval Unit", locomotion="naval"), (900, 675), heading=180)
    men = field.put(squad(RIFLE, men=3), aboard=boat)
    foe = field.put(squad(RIFLE, men=3), (900, 1000), RED)
    menu = field.menu(men)
    assert ("move", "attack") in menu and all(not sequence or sequence[0] in ("move", "march") for sequence in menu)
    assert {aim[0] for aim in field.aims(foe, "Rifle")} <= {boat.id}
    boat.set(1)
    assert not any("move" in sequence for sequence in field.menu(men))


@pytest.mark.rule("bf.sealift.destroyed")
@pytest.mark.parametrize("y, heading, saved", [(300, 0, False), (640, 180, True)])
def test_cargo_is_lost_at_sea_and_safe_on_the_beach(y, heading, saved):
    field = Field(box("water", 0, 0, 1800, 700))
    boat = field.put(vehicle(skills="Sealifter, Naval Unit", locomotion="naval", damage=1), (900, y), heading=heading)
    men = field.put(squad(RIFLE, men=3), aboard=boat)
    gun = field.put(vehicle(weapon("Gun", "1/4", 12)), (900, 1100), RED)
    field.attack(gun, boat, dice="A", survivors=lambda d: next(iter(d.answers())))
    assert men.on_board is saved and not men.suppressed
    assert not field.state.table.pieces_of("wreck")


# -- vehicles -----------------------------------------------------------------------------------------


@pytest.mark.rule("bf.vehicle.dozer_cover")
def test_a_dozer_digs_itself_in_until_it_moves():
    field = Field()
    tank = field.put(vehicle(skills="Dozer Blade", damage=9), (900, 600))
    field.activate(tank, "special:dozer")
    gun = field.put(vehicle(weapon("Gun", "3/1", 8)), (900, 1000), RED)
    assert field.attack(gun, tank, dice="AAA AST").saved == 1
    tank.drop(1)
    field.activate(tank, "move", dice="SS", move=(900, 500, 0))
    assert not tank.is_(DUG_IN)


@pytest.mark.rule("bf.vehicle.medevac")
def test_a_medevac_brings_soldiers_back():
    field = Field()
    van = field.put(vehicle(skills="Medevac"), (900, 600))
    men = field.put(squad(RIFLE, men=5), (900, 700))
    kill(men, 2, 3, 4)
    field.rules.ground.regroup(field.state, men)
    field.activate(van, "special:medevac", dice="AAS", return_soldier=lambda d: d.options[0])
    assert len(men.main.alive) == 4


@pytest.mark.rule("bf.vehicle.crew", "bf.open.crew_open_topped")
def test_a_crew_strikes_for_its_vehicle():
    field = Field()
    guns = (weapon("Gun", "1/4", 8), weapon("Submachine-gun", "2/1", 3, count=4))
    car = field.put(vehicle(*guns, skills="Crew", damage=5), (900, 600))
    car.main.damage = 2
    far = field.put(squad(men=9), (900, 850), RED)
    with pytest.raises(Exception, match="crew"):
        field.attack(car, far)
    with pytest.raises(Exception, match="3 of the crew"):
        field.attack(car, None, declare={"Submachine-gun": far})
    assert field.attack(car, None, dice="SSSSSS", declare={"Submachine-gun": [far, far, far]}).dice("to hit") == [6]
    foe = field.put(squad(men=9), (900, 600 - 35 - 12 - 20), RED)
    assert field.attack(car, None, dice="SSS", declare={"Improvised weapon": foe}).dice("to hit") == [3]


@pytest.mark.rule("bf.open.objective_mounted")
def test_passengers_hold_nothing():
    field = Field(objectives={"the bridge": (900, 600)})
    truck = field.put(aircraft(skills="Passengers (6)"), (900, 620))
    field.put(squad(men=5), aboard=truck)
    assert field.rules.victory.holder(field.play, field.state.objectives[0]) is None
