"""Vehicle rules on cards, guns, buildings, transports (k47.vehicle.*, k47.artillery.*, k47.building.*)."""

from __future__ import annotations

import pytest

from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.charts import CHART
from dieselfront.rulesets.konflikt47.firing import Wound
from dieselfront.table.measured.movement import ahead_of
from rulesets.konflikt47.field import BLUE, RED, Field, gap, gun, inch, squad, tank, team, usual


def ahead(unit, inches: float, heading: int | None = None):
    body = unit.bodies[0]
    there = ahead_of(body.at(body.x, body.y, heading), round(inches * 254))
    return (there.x, there.y, body.heading if heading is None else heading)


@pytest.mark.rule("k47.vehicle.slow_tough_agile")
def test_slow_tough_and_agile_vehicles():
    field = Field()
    slow = field.put(BLUE, tank(rules=["Slow (Vehicle)"]), 300, 300)
    agile = field.put(BLUE, tank(rules=["Agile"]), 600, 300)
    rates = field.rules.movement.rates
    assert (rates(slow).advance, rates(slow).run) == (6, 12)
    assert (rates(agile).advance_turns, rates(agile).run_turns) == (2, 1)
    a = field.put(RED, gun("Heavy AT Gun"), 900, 300, heading=180)
    b = field.put(BLUE, tank("medium tank", (), rules=["Tough (Vehicle)"]), 900, 900, order="fire")
    ran = field.shoot(a, b, [6, 6, 5], answers={"weapons": ((0, "AT", b.id),)})
    assert ran.of("Shrugged") and not ran.of("DamageResult")
    ran = field.shoot(a, b, [6, 6, 4, 1, 1], answers={"weapons": ((0, "AT", b.id),)})
    assert ran.of("DamageResult")


@pytest.mark.rule("k47.vehicle.amphibious")
def test_amphibious_vehicles_swim_slowly_and_drown_when_immobilised():
    field = Field({"kind": "water", "at": [10, 10], "size": [30, 20]})
    swimmer = field.put(BLUE, tank("light tank", rules=["Amphibious"]), inch(20), inch(20), order="fire")
    dry = field.put(BLUE, tank("light tank"), inch(20), inch(36))
    limits = field.rules.movement.drive_limits
    assert limits(field.state, swimmer, "advance").ahead == 9 * 254 // 2
    assert limits(field.state, swimmer, "run").ahead == 0 and limits(field.state, swimmer, "advance").turns == 0
    assert field.rules.movement.region(field.state, dry, "advance").why_not((ahead(dry, 6),)) is not None
    other = field.put(BLUE, tank("light tank", rules=["Amphibious"]), inch(30), inch(36))
    assert field.rules.movement.region(field.state, other, "advance").why_not((ahead(other, 6),)) is None
    field.run(lambda play: field.rules.damage.immobilise(play, swimmer))
    assert not swimmer.alive


@pytest.mark.rule("k47.vehicle.amphibious")
def test_from_the_bank_water_is_crossed_at_half_speed_straight_ahead_and_on_advance_only():
    field = Field({"kind": "water", "at": [10, 10], "size": [30, 20]})
    swimmer = field.put(BLUE, tank("light tank", rules=["Amphibious"]), inch(20), inch(33))  # the bank is 3" ahead
    wants = {order: field.rules.movement.region(field.state, swimmer, order) for order in ("advance", "run")}
    assert wants["advance"].why_not((ahead(swimmer, 5.9),)) is None  # 3" of land and 2.9" of water, which count twice
    assert "rates" in wants["advance"].why_not((ahead(swimmer, 6.2),))
    assert wants["run"].why_not((ahead(swimmer, 5),)) is not None
    there = ahead(swimmer, 5)
    turned = (there[0], there[1], 45)
    assert "straight ahead" in wants["advance"].why_not((there, turned))
    backwards = field.put(BLUE, tank("light tank", rules=["Amphibious"]), inch(30), inch(33), heading=180)
    region = field.rules.movement.region(field.state, backwards, "advance")
    assert region.why_not((ahead(backwards, -1),)) is None
    assert "reverses" in region.why_not((ahead(backwards, -4),))


@pytest.mark.rule("k47.vehicle.jump")
def test_a_jump_passes_over_everything_in_a_straight_line():
    field = Field({"kind": "building", "at": [22, 20], "size": [5, 5]})
    walker = field.put(BLUE, tank("light walker", rules=["Jump"]), inch(24.5), inch(30))
    field.put(RED, squad(3), inch(24), inch(27))
    jump = field.rules.movement.region(field.state, walker, "run", "jump")
    assert jump.why_not((ahead(walker, 16),)) is None
    assert "straight" in jump.why_not(((walker.bodies[0].x, walker.bodies[0].y, 45), ahead(walker, 10, 45)))
    plain = field.rules.movement.region(field.state, walker, "run")
    assert plain.why_not((ahead(walker, 16),)) is not None
    assert jump.why_not((ahead(walker, 3),)) is not None  # it would land beside the squad


@pytest.mark.rule("k47.vehicle.misc")
def test_dual_drive_single_crew_skirts_and_emplacements():
    field = Field()
    dual = field.put(BLUE, tank(rules=["Dual Direction Drive"]), 300, 300)
    assert field.rules.movement.drive_limits(field.state, dual, "advance").back == 18 * 254
    lone = field.put(
        BLUE,
        tank("light tank", ("Turret-Mounted HMG", "Hull-Mounted Forward-Facing MMG"), rules=["Single Crew"]),
        600,
        300,
    )
    foe = field.put(RED, squad(5), 600, 100)
    refused = field.rules.vehicles.agree(field.state, lone, [0, 1], ((foe.id, ""), (foe.id, "")))
    assert isinstance(refused, IllegalChoice)
    bazooka = field.put(RED, team("Bazooka", 2), 1000, 500)
    skirted = field.put(BLUE, tank(rules=["Schuerzen Armoured Skirts"]), 1300, 500, heading=0)
    assert field.pool(bazooka, skirted).facing == "side" and field.pool(bazooka, skirted).pen == 5
    bare = field.put(BLUE, tank(), 1300, 800, heading=0)
    assert field.pool(bazooka, bare).pen == 6
    turret = field.put(BLUE, tank(rules=["Turret Emplacement"]), 1000, 900)
    assert "hard cover -2" in [item.text for item in field.pool(bazooka, turret).because]
    field.run(lambda play: field.rules.damage.immobilise(play, turret))
    assert turret.order == "down" and not turret.immobilised


@pytest.mark.rule("k47.vehicle.misc")
def test_linked_weapons_and_rear_turret_guns():
    field = Field()
    linked = field.put(
        BLUE,
        tank("light tank", ("Linked Hull-Mounted Forward-Facing MMG", "Linked Hull-Mounted Forward-Facing MMG")),
        600,
        600,
    )
    a, b = field.put(RED, squad(3), 560, 300), field.put(RED, squad(3), 680, 300)
    agree = field.rules.vehicles.agree
    assert agree(field.state, linked, [0, 1], ((a.id, ""), (b.id, ""))) is not None
    assert agree(field.state, linked, [0, 1], ((a.id, ""), (a.id, ""))) is None
    rear = field.put(
        BLUE, tank("heavy tank", ("Turret-Mounted Heavy AT Gun", "Turret-Mounted Rear-Facing MMG")), 1100, 600
    )
    front, back = field.put(RED, squad(3), 1100, 300), field.put(RED, squad(3), 1100, 900)
    assert agree(field.state, rear, [0, 1], ((front.id, "AT"), (back.id, ""))) is None
    assert agree(field.state, rear, [0, 1], ((front.id, "AT"), (front.id, ""))) is not None


@pytest.mark.rule("k47.vehicle.front_armour")
@pytest.mark.parametrize(
    "rule, front",
    [("Heavy Frontal Armour", 10), ("Heavy Front Armour", 10), ("Reinforced Front Armor", 9), ("Advanced Armour", 12)],
)
def test_front_armour_variants(rule, front):
    field = Field()
    light = rule == "Reinforced Front Armor"
    unit = field.put(BLUE, tank("light tank" if light else "medium tank", rules=[rule]), 600, 400)
    value = field.rules.damage.value
    assert value(unit, Wound(field.state, None, 0, "front")) == front
    assert value(unit, Wound(field.state, None, 0, "side")) == (8 if light else 9)


@pytest.mark.rule("k47.vehicle.front_armour")
def test_a_tough_front_is_tough_only_there():
    field = Field()
    unit = field.put(BLUE, tank("heavy walker", rules=["Tough Front Armour"]), 600, 400)
    ask = lambda facing: unit.ask("on_ignore_damage", 7, unit, Wound(field.state, None, 5, facing))  # noqa: E731
    assert (ask("front"), ask("side")) == (5, 7)


@pytest.mark.rule("k47.vehicle.weak_sides")
@pytest.mark.parametrize(
    "rule, heading, pen",
    [
        ("Vulnerable Sides", 90, 7),
        ("Vulnerable Sides", 180, 8),
        ("Weak Side Armour", 90, 7),
        ("Vulnerable Sides", 0, 5),
    ],
)
def test_weak_sides(rule, heading, pen):
    field = Field()
    a = field.put(BLUE, team("Bazooka", 2), 600, 200)
    b = field.put(RED, tank(rules=[rule]), 600, 500, heading=heading)
    assert field.pool(a, b).pen == pen


@pytest.mark.rule("k47.vehicle.weapon_limits")
def test_weapons_that_exclude_each_other_and_odd_arcs():
    field = Field()
    busy = field.put(
        BLUE, tank("light tank", ("Turret-Mounted Light AT Gun", "Turret-Mounted MMG"), rules=["Busy Turret"]), 600, 600
    )
    carried = field.put(
        BLUE,
        tank("light tank", ("Hull-Mounted Forward-Facing Medium Howitzer", "LMG"), rules=["Crew Carried Weapon"]),
        900,
        600,
    )
    foe = field.put(RED, squad(5), 700, 300)
    agree = field.rules.vehicles.agree
    assert agree(field.state, busy, [0, 1], ((foe.id, "AT"), (foe.id, ""))).rule == "k47.vehicle.weapon_limits"
    assert agree(field.state, carried, [0, 1], ((foe.id, "direct"), (foe.id, ""))) is not None
    assert agree(field.state, carried, [0, 1], (None, (foe.id, ""))) is None
    bruin = field.put(
        BLUE, tank("medium tank", ("Hull-Mounted Forward-Facing Medium Howitzer",), rules=["Bruin Howitzer"]), 1300, 600
    )
    weapon = bruin.card.weapons[0]
    assert field.rules.shooting.rounds(field.state, bruin, weapon, "fire")[0] == "direct"
    assert "indirect" not in field.rules.shooting.rounds(field.state, bruin, weapon, "fire")
    aside = field.put(RED, squad(3), 1650, 600)
    assert field.rules.shooting.bears(field.state, bruin, weapon, aside)


GUNS = [
    ("75mm HE", "Turret-Mounted Medium AT Gun", "he", "D6"),
    ("20pdr HE", "Turret-Mounted Heavy AT Gun", "he", "D6"),
    ("122mm HE", "Turret-Mounted Super-Heavy AT Gun", "he", "2D6"),
    ("Small HE", "Turret-Mounted Light AT Gun", "he", "D3"),
    ("No HE", "Turret-Mounted Light AT Gun", "he", ""),
    ("Low-Velocity Light AT Gun", "Turret-Mounted Light AT Gun", "pen", 3),
    ("Short Barrel", "Turret-Mounted Heavy Automatic Cannon", "range", 48),
]


@pytest.mark.rule("k47.vehicle.gun_variants")
@pytest.mark.parametrize("rule, weapon, field_name, value", GUNS)
def test_gun_variants_change_the_chart(rule, weapon, field_name, value):
    field = Field()
    unit = field.put(BLUE, tank(weapons=(weapon,), rules=[rule]), 600, 400)
    assert getattr(unit.card.weapons[0], field_name) == value


@pytest.mark.rule("k47.vehicle.gun_variants")
@pytest.mark.parametrize(
    "rule, inches, pen",
    [("Squeeze-Bore", 10, 6), ("Squeeze-Bore", 20, 4), ("Squeeze-Bore", 30, 2), ("Superior Range", 30, 4)],
)
def test_guns_with_their_own_penetration(rule, inches, pen):
    field = Field()
    a = field.put(BLUE, tank("light tank", ("Turret-Mounted Light AT Gun",), rules=[rule]), 600, 100, heading=180)
    b = field.put(RED, tank("medium tank", ()), 600, 100 + 53 + inch(inches), heading=0)
    assert field.pool(a, b, way="AT").pen == pen


@pytest.mark.rule("k47.vehicle.gun_variants")
def test_short_howitzers_and_versatile_guns():
    field = Field()
    a = field.put(BLUE, gun("Light Howitzer", rules=["Short Range Howitzer"]), 600, 100, heading=180)
    b = field.put(RED, squad(5), 600, 100 + gap(30), order="fire")
    ran = field.shoot(a, b, [], answers={"weapons": ((0, "direct", b.id),)})
    assert ran.of("NoShot")[0].rule == "k47.vehicle.gun_variants"
    both = field.put(BLUE, gun("Light AT Gun", rules=["Versatile"]), 900, 100, heading=180)
    assert [weapon.chart for weapon in both.card.weapons] == ["Light AT Gun", "Light Howitzer"]


@pytest.mark.rule("k47.vehicle.order_limits")
def test_one_man_turrets_test_for_advance_and_some_turn_on_the_spot():
    field = Field(size=(72, 72))
    one = field.put(BLUE, tank(rules=["1-Man Turret"]), 600, 400)

    def needs(order):
        return field.rules.orders.needs_test(field.state, one, field.rules.orders.occasion(field.state, one, order))

    assert needs("advance") and not needs("fire")
    spin = field.put(BLUE, tank("light tank", rules=["Turn on the spot"]), 1000, 800)
    there = ahead_of(spin.bodies[0], -18 * 254)
    way = ((there.x, there.y, 0), (there.x, there.y, 180))
    assert field.rules.movement.region(field.state, spin, "run").why_not(way) is None


@pytest.mark.rule("k47.special.rocket_system", "k47.special.flak", "k47.open.aircraft")
def test_rocket_systems_fire_directly_and_flak_fires_at_ground_targets():
    field = Field()
    rockets = field.put(BLUE, team("Light Rocket System"), 600, 200, heading=180)
    b = field.put(RED, squad(5), 600, 200 + gap(10), order="fire")
    assert field.rules.shooting.rounds(field.state, rockets, rockets.card.weapons[0], "fire") == ("direct",)
    assert field.pool(rockets, b, way="direct").need == 3
    flak = field.put(BLUE, gun("Light Automatic Cannon", rules=["Flak"]), 900, 200, heading=180)
    assert b in field.rules.shooting.targets(field.state, flak, "fire")
    observer = field.put(BLUE, squad(1), 1200, 200)
    assert "fire" in field.rules.orders.legal(field.state, observer)


# -- artillery -----------------------------------------------------------------------------------------------


@pytest.mark.rule("k47.artillery.crew")
def test_shots_are_measured_from_the_gun_and_stray_crew_must_close_up():
    field = Field()
    a = field.put(BLUE, gun("Medium AT Gun", 2), 600, 400, heading=0)
    b = field.put(RED, squad(5), 600, 355 - gap(10) - 12, order="fire")
    pool = field.pool(a, b, way="AT")
    assert pool.need == 3
    assert field.rules.shooting.eye(a, 0) is a.gun
    stray = field.put(BLUE, gun("Medium AT Gun", 2), spots=[(900, 400), (1010, 400), (900, 355)])
    assert field.rules.movement.is_scattered(stray)
    assert field.rules.orders.legal(field.state, stray) == ["advance", "down"]


@pytest.mark.rule("k47.artillery.crew_lost")
def test_the_gun_is_lost_with_its_last_crewman():
    field = Field()
    a = field.put(BLUE, gun("Medium AT Gun", 2), 600, 400)
    field.run(lambda play: field.rules.losses.remove(play, a, [0]))
    assert a.alive
    field.run(lambda play: field.rules.losses.remove(play, a, [1]))
    assert not a.alive and field.state.cup() == (0, 0)


@pytest.mark.rule("k47.artillery.tow", "k47.transport.capacity", "k47.special.quirks")
def test_guns_are_limbered_unlimbered_and_lost_with_their_tow():
    field = Field()
    a = field.put(BLUE, gun("Medium AT Gun", 2), 600, 400)
    tow = field.put(BLUE, tank("soft-skin", (), mode="wheeled", tow="medium"), 600, 270)
    light = field.put(BLUE, tank("soft-skin", (), mode="wheeled", tow="light"), 680, 380)
    assert field.rules.artillery.tows(field.state, a) == [tow] and light.on_table
    field.order(a, "fire", [], {"limber": tow.id}, default=usual)
    assert a.place == "towed" and a.gun is None
    a.order = ""
    assert field.rules.orders.legal(field.state, a) == ["fire", "advance", "rally", "down"]
    ran = field.order(a, "advance", [], {"unlimber": (600, 420, 0)}, default=usual)
    assert a.on_table and a.gun is not None and not ran.of("Declared")
    field.rules.artillery.hitch(type("P", (), {"emit": lambda s, e: None})(), a, tow)
    field.run(lambda play: field.rules.losses.destroy(play, tow, "test", "k47.artillery.tow"))
    assert not a.alive
    rift = field.put(BLUE, gun("M17 Tesla Cannon", size="heavy", rules=["Tesla Towing"]), 1000, 400)
    assert field.rules.artillery.tow_size(rift) == "medium"


@pytest.mark.rule("k47.artillery.no_run")
def test_wherever_a_gun_would_run_it_goes_down():
    field = Field()
    a = field.put(BLUE, gun("Medium AT Gun"), 600, 400, pins=1)
    field.put(RED, squad(3), 600, 200)
    field.order(a, "fire", [6, 6, 6])
    assert a.order == "down"


# -- buildings ---------------------------------------------------------------------------------------------------

HOUSE = {"kind": "building", "id": "house", "at": [20, 20], "size": [6, 6], "floors": 2}


def garrison(card=None, **house):
    field = Field({**HOUSE, **house})
    unit = field.put(RED, card or squad(5), 1500, 1000)
    field.rules.buildings.put_inside(field.state, unit, field.state.table.piece("house"), 0)
    return field, unit


@pytest.mark.rule("k47.building.enter")
def test_a_squad_enters_through_an_opening_it_can_reach_and_only_one_per_floor():
    field = Field(HOUSE)
    a = field.put(BLUE, squad(5), 530, 508 - inch(4))
    far = field.put(BLUE, squad(5), 530, 100)
    assert field.rules.buildings.enterable(field.state, a, "advance") == [("house", 0)]
    assert field.rules.buildings.enterable(field.state, far, "advance") == []
    field.order(a, "advance", [], {"manner": ("enter", "house", 0)}, default=usual)
    assert a.building == "house"
    assert field.rules.buildings.enterable(field.state, far, "run") == []
    a.order = ""
    field.order(a, "advance", [], {"manner": ("floor", 1)}, default=usual)
    assert a.floor == 1
    a.order = ""
    field.order(a, "run", [], {"manner": "leave", "leave building": (580, 420, 0)}, default=usual)
    assert not a.building and not field.rules.movement.is_scattered(a)


@pytest.mark.rule("k47.building.cover", "k47.wrule.flame_shield")
@pytest.mark.parametrize("kind, value", [("building", 5), ("bunker", 6)])
def test_buildings_are_hard_cover_and_protect(kind, value):
    field, unit = garrison(kind=kind)
    a = field.put(BLUE, squad(5), 560, 300)
    assert "hard cover -2" in [item.text for item in field.pool(a, unit).because]
    damage = field.rules.damage.value
    assert damage(unit, Wound(field.state, CHART["Rifle"], 0)) == value
    assert damage(unit, Wound(field.state, CHART["Flamethrower (Infantry)"], 2)) == 4


@pytest.mark.rule("k47.building.shoot_from")
def test_two_models_shoot_out_of_each_opening():
    field, unit = garrison(squad(8))
    b = field.put(BLUE, squad(5), 560, 250, order="fire")
    assert field.pool(unit, b).dice == 2  # one opening on that side
    corner = field.put(BLUE, squad(5), 900, 200, order="fire")
    assert field.pool(unit, corner).dice == 4


@pytest.mark.rule("k47.building.he")
@pytest.mark.parametrize(
    "dice, option, falls",
    [([6, 2, 5, 5], "on", True), ([6, 2, 4, 5, *[1] * 9], "on", False), ([6, 2, 6, 6, *[1] * 12], "off", False)],
)
def test_ten_he_hits_bring_the_house_down(dice, option, falls):
    field = Field(HOUSE, building_collapse=option)
    unit = field.put(RED, squad(12), 1500, 1000)
    field.rules.buildings.put_inside(field.state, unit, field.state.table.piece("house"), 0)
    upstairs = field.put(RED, squad(2), 1500, 1000)
    field.rules.buildings.put_inside(field.state, upstairs, field.state.table.piece("house"), 1)
    a = field.put(BLUE, gun("Medium Howitzer"), 560, 250, heading=180)
    field.shoot(a, unit, dice, answers={"weapons": ((0, "direct", unit.id),)})
    assert unit.alive is not falls and upstairs.alive is not falls
    assert (field.state.table.piece("house").kind.id == "rubble") is falls


# -- transports ------------------------------------------------------------------------------------------------


def truck(capacity: int = 12, **card):
    return tank("soft-skin", (), mode="wheeled", capacity=capacity, **card)


@pytest.mark.rule("k47.transport.mount", "k47.special.large_infantry")
def test_a_squad_mounts_a_stationary_transport_in_reach_with_room():
    field = Field()
    a = field.put(BLUE, squad(10), 600, 400)
    lorry = field.put(BLUE, truck(), 700, 550, heading=90)
    full = field.put(BLUE, truck(9), 700, 700, heading=90)
    large = field.put(BLUE, squad(7, rules=["Large Infantry"]), 600, 250)
    mountable = field.rules.transports.mountable
    assert mountable(field.state, a, "run") == [lorry] and full.on_table
    assert lorry not in mountable(field.state, large, "run")
    field.order(a, "run", [], {"manner": ("mount", lorry.id)}, default=usual)
    assert a.place == "aboard" and a.carrier == lorry.id
    lorry.order = "run"
    other = field.put(BLUE, squad(1), 700, 480)
    assert mountable(field.state, other, "advance") == [full] or mountable(field.state, other, "advance") == []


@pytest.mark.rule("k47.transport.dismount")
def test_a_squad_dismounts_from_the_hull_and_fires_on_the_move():
    field = Field()
    lorry = field.put(BLUE, truck(), 700, 400, heading=90)
    a = field.put(BLUE, squad(5), place="aboard", carrier=lorry.id)
    b = field.put(RED, squad(5), 600, 800, order="fire")
    ran = field.order(a, "advance", [1] * 5, {"dismount": (640, 520, 180), "target": b.id}, default=usual)
    assert a.on_table and "k47.shoot.moving" in [rule for rule, _ in ran.of("Hit")[0].because]
    assert all(ground.distance(body, lorry.bodies[0]) <= 6 * 254 for body in a.bodies)
    assert ("assault", b.id) not in field.rules.orders.choices(field.state, a)


@pytest.mark.rule("k47.transport.orders", "k47.transport.dismount", "k47.order.legal")
def test_passengers_keep_their_die_and_may_only_dismount_or_sit():
    field = Field()
    lorry = field.put(BLUE, truck(), 700, 400)
    a = field.put(BLUE, squad(5), place="aboard", carrier=lorry.id)
    assert field.state.cup() == (2, 0)
    assert field.rules.orders.choices(field.state, a) == ["advance", "run", "rally", "down"]
    lorry.order = "run"
    assert field.rules.orders.choices(field.state, a) == ["rally", "down"]


@pytest.mark.rule("k47.transport.target")
def test_passengers_are_not_seen_and_not_pinned():
    field = Field()
    lorry = field.put(RED, truck(), 700, 500, heading=90, order="fire")
    rider = field.put(RED, squad(5), place="aboard", carrier=lorry.id)
    a = field.put(BLUE, team("MMG"), 680, 200, heading=180)
    assert field.rules.shooting.targets(field.state, a, "fire") == [lorry]
    field.shoot(a, lorry, [6, 1, 1, 1, 1], answers={"suppressive fire": False})
    assert (lorry.pins, rider.pins) == (1, 0)


@pytest.mark.rule("k47.transport.capacity")
def test_several_units_share_a_transport_within_its_capacity():
    field = Field()
    lorry = field.put(BLUE, truck(), 700, 400)
    field.put(BLUE, squad(8), place="aboard", carrier=lorry.id)
    assert field.rules.transports.free_seats(field.state, lorry) == 4


@pytest.mark.rule("k47.transport.destroyed", "k47.turn.cup_invariant")
def test_passengers_bail_out_of_a_burning_transport():
    field = Field()
    lorry = field.put(RED, truck(), 700, 600, heading=90, order="fire")
    rider = field.put(RED, squad(6), place="aboard", carrier=lorry.id)
    a = field.put(BLUE, squad(5), 660, 300)
    field.shoot(a, lorry, [6, 1, 1, 1, 1, 6, 3, 5, 1, 1], answers={"casualties": (0,)})
    assert not lorry.alive and rider.on_table
    assert (len(rider.men), rider.pins, rider.order) == (5, 1, "down")


@pytest.mark.rule("k47.transport.empty")
@pytest.mark.parametrize("option, alive", [("off", True), ("on", False)])
def test_abandoned_transports_are_lost_with_the_option(option, alive):
    field = Field(abandoned_transports=option)
    lorry = field.put(BLUE, truck(), 700, 600)
    field.put(RED, squad(3), 700, 800)
    field.put(BLUE, squad(3), 700, 200)
    field.run(field.rules.transports.turn_ended)
    assert lorry.alive is alive
