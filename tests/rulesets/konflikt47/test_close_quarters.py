"""Close quarters: infantry against infantry, vehicles, walkers, overruns (k47.cq.*, k47.cqv.*, k47.cqw.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.konflikt47 import ground
from dieselfront.rulesets.konflikt47.morale import Occasion
from rulesets.konflikt47.field import BLUE, RED, Field, gap, gun, squad, tank, team, usual

H2H, PB = "hand-to-hand", "point-blank fire"


def charge(inches: float = 5, blue: dict | None = None, red: dict | None = None, *terrain, **given):
    field = Field(*terrain, size=(72, 72))
    a = field.put(BLUE, blue or squad(5), 600, 600)
    b = field.put(RED, red or squad(5), 600, 600 + gap(inches), **{"order": "fire", **given})
    return field, a, b


def fight(field: Field, a, b, dice, methods=(H2H, H2H), **answers):
    given = {"reaction": None, "method": list(methods), "follow-on combat": False, **answers}
    return field.order(a, ("assault", b.id), dice, given, default=usual)


@pytest.mark.rule("k47.cq.sequence", "k47.cq.pb_fire", "k47.cq.h2h")
def test_point_blank_fire_is_over_before_any_blow_is_struck():
    field, a, b = charge()
    dice = [6, 1, 1, 1, 1, 5] + [1] * 3 + [5, 2] + [3]
    ran = fight(field, a, b, dice, (H2H, PB), casualties=(0,))
    kinds = [
        (type(e).__name__, getattr(e, "label", "")) for e in ran.events if type(e).__name__ in ("Rolled", "Casualties")
    ]
    assert [k for k, _ in kinds][:3] == ["Rolled", "Rolled", "Casualties"]
    assert kinds[3][1] == "hand-to-hand"


@pytest.mark.rule("k47.cq.declare")
def test_only_visible_units_can_be_assaulted_and_the_target_is_named_before_the_test():
    field = Field({"kind": "high-wall", "line": [[20, 27], [40, 27]]}, size=(72, 72))
    a = field.put(BLUE, squad(5), 600, 600, pins=1)
    hidden = field.put(RED, squad(5), 600, 800)
    seen = field.put(RED, squad(5), 600, 400)
    assert field.rules.assault.targets(field.state, a) == [seen]
    ran = field.order(a, ("assault", seen.id), [6, 5])
    assert ran.asked == ["order"] and a.order == "down" and hidden.alive
    assert ran.of("Ordered")[0].target == seen.id


@pytest.mark.rule("k47.cq.who")
def test_who_may_assault_whom():
    field = Field(size=(72, 72))
    field.put(RED, squad(5), 600, 900)
    mmg = field.put(BLUE, team("MMG"), 600, 600)
    crew = field.put(BLUE, gun("Light AT Gun"), 900, 600)
    armour = field.put(BLUE, tank(), 300, 600, heading=180)
    walker = field.put(BLUE, tank("light walker", rules=["Assault"]), 1200, 600, heading=180)
    medic = field.put(BLUE, squad(2, rules=["Medic"]), 1500, 600)
    may = [bool(field.rules.assault.targets(field.state, unit)) for unit in (mmg, crew, armour, walker, medic)]
    assert may == [True, False, False, True, False]


@pytest.mark.rule("k47.cq.reach")
@pytest.mark.parametrize("inches, how", [(12, "into contact"), (13, "falls short")])
def test_the_closest_model_must_reach_with_its_run_move(inches, how):
    field, a, b = charge(inches)
    dice = [1] * 10 + [1] if how == "into contact" else []
    ran = fight(field, a, b, dice)
    assert ran.of("Assaulted")[-1].how == how
    if how == "falls short":
        gap_left = ground.unit_distance(field.state, a, b)
        assert 254 < gap_left <= 2 * 254
        assert a.order == "run"


@pytest.mark.rule("k47.core.coherency")
def test_a_scattered_squad_whose_assault_falls_short_is_told_where_it_closes_up():
    field, a, b = charge(20, squad(7))
    a.men, a.bodies = [a.men[0], a.men[-1]], [a.bodies[0], a.bodies[-1].at(a.bodies[0].x + 150, a.bodies[0].y)]
    assert field.rules.movement.is_scattered(a)
    ran = fight(field, a, b, [])
    assert not field.rules.movement.is_scattered(a)
    assert ran.of("Moved")[-1].spots == a.spots


WOOD = {"kind": "woods", "at": [20, 28], "size": [20, 10]}


@pytest.mark.rule("k47.cq.rough")
@pytest.mark.parametrize("inches, how", [(5.9, "into contact"), (7, "falls short")])
def test_rough_ground_shortens_an_assault_to_the_advance_rate(inches, how):
    field = Field(WOOD, size=(72, 72))
    b = field.put(RED, squad(5), 600, 740, order="fire")
    a = field.put(BLUE, squad(5), 600, 740 - gap(inches))
    dice = [1] * 10 + [1] if how == "into contact" else []
    ran = fight(field, a, b, dice)
    assert ran.of("Assaulted")[-1].how == how
    if how == "falls short":
        assert max(body.y for body in a.bodies) + 12 <= 28 * 25.4 + 1  # stopped at the wood's edge


@pytest.mark.rule("k47.cq.contact")
def test_all_models_of_both_units_fight():
    field, a, b = charge(5, squad(8), squad(5))
    ran = fight(field, a, b, [1] * 8 + [1] * 5 + [1])
    dice = [len(event.stages[0][1]) for event in ran.of("Rolled")]
    assert dice == [8, 5]
    moved = ran.of("Moved")[0]
    assert len(moved.spots) == 8


@pytest.mark.rule("k47.cq.target_order")
def test_fighting_uses_up_nobodys_order():
    field, a, b = charge(order="")
    fight(field, a, b, [1] * 10 + [1])
    assert b.order == "" and a.order == "run"


@pytest.mark.rule("k47.cq.choice", "k47.open.h2h_fire_typo")
def test_the_assaulter_chooses_first_then_the_target():
    field, a, b = charge()
    ran = fight(field, a, b, [1] * 10 + [1])
    assert ran.offered["method"] == [PB, H2H]
    from dieselfront.kernel.game import Play

    field, a, b = charge()
    round_ = field.rules.assault.round(Play(field.rules, field.state), a, b)
    first = next(round_)
    second = round_.send(H2H)
    assert (first.unit, second.unit) == (a.id, b.id)


@pytest.mark.rule("k47.cq.pb_fire_detail")
def test_point_blank_fire_knows_few_modifiers():
    field, a, b = charge(
        5, squad(5), squad(2, "SMG", quality="veteran"), {"kind": "rubble", "at": [20, 20], "size": [20, 20]}
    )
    a.order = "run"
    b.order = "down"
    ran = field.run(lambda play: field.rules.assault.point_blank(play, a, b), [1] * 5)
    assert ran.needed() == 2  # no cover, no Down, no small unit
    a.pins = 1
    assert field.run(lambda play: field.rules.assault.point_blank(play, a, b), [1] * 5).needed() == 3
    shots = field.rules.assault.point_blank_shots
    for card, count in ((team("MMG"), 0), (team("Light Mortar"), 0), (gun("Light AT Gun"), 0), (squad(3, "SMG"), 3)):
        assert len(shots(field.state, field.put(BLUE, card, 1200, 300))) == count


@pytest.mark.rule("k47.cq.pb_tests", "k47.pin.cq")
def test_tests_forced_by_point_blank_fire_come_before_the_blows():
    field, a, b = charge(5, squad(4), squad(4))
    dice = [6, 6, 1, 1, 5, 5, 6, 6, 2]
    ran = fight(field, a, b, dice, (H2H, PB), casualties=(0, 1))
    assert not a.alive
    assert "hand-to-hand" not in [event.label for event in ran.of("Rolled")]


@pytest.mark.rule("k47.pin.cq", "k47.cq.h2h_pins", "k47.open.cq_pins")
def test_a_pin_of_point_blank_fire_costs_an_attack_and_blows_pin_nobody():
    field, a, b = charge(5, squad(5), squad(3))
    dice = [6, 1, 1, 1, 4, 1, 1, 1, 1, 1, 1]
    fight(field, a, b, dice, (H2H, PB), casualties=(0,))
    assert a.pins == 1 and b.pins == 0
    assert field.rules.assault.attack_dice(a) == (4, 0)
    a.pins = 5
    assert field.rules.assault.attack_dice(a) == (0, 0)


@pytest.mark.rule("k47.cq.h2h_attacks")
def test_attacks_by_weapon():
    field = Field()
    mixed = squad(men=[{"weapons": ["Rifle"], "count": 4}, {"weapons": ["SMG"], "count": 2}])
    a = field.put(BLUE, mixed, 600, 300)
    assert field.rules.assault.attack_dice(a) == (8, 0)
    b = field.put(RED, squad(5), 600, 600)
    ran = field.run(lambda play: field.rules.assault.hand_to_hand(play, a, b), [4, 4, 3, 3, 3, 3, 3, 3])
    assert ran.result.total_losses == 2


@pytest.mark.rule("k47.cq.h2h_simul", "k47.open.cq_first")
def test_blows_are_simultaneous():
    field, a, b = charge(5, squad(3), squad(3))
    fight(field, a, b, [5] * 3 + [5] * 3)
    assert not a.alive and not b.alive


@pytest.mark.rule("k47.cq.h2h_simul", "k47.special.horror")
def test_victims_of_horror_strike_after():
    field, a, b = charge(5, squad(3, rules=["Horror"]), squad(3))
    dice = [1, 1] + [5] * 3 + [1]
    ran = fight(field, a, b, dice)
    assert not b.alive and len(a.men) == 3
    assert len(ran.of("FightRound")) == 1


@pytest.mark.rule("k47.cq.compare", "k47.cq.result_loser", "k47.open.cq_loser")
@pytest.mark.parametrize("check, alive", [([4, 5], False), ([4, 4], True)])
def test_whoever_loses_more_tests_and_may_hold(check, alive):
    field, a, b = charge(5, squad(5), squad(6), pins=1)
    ran = fight(field, a, b, [4, 4, 4, 1, 1, 4, 4, 1, 1, 1, *check, 2])
    assert ran.of("FightRound")[0].winner == a.id
    assert ran.of("FightRound")[0].losses == (2, 3)
    assert b.alive is alive


@pytest.mark.rule("k47.cq.after", "k47.cq.after_choice")
def test_the_winner_decides_and_on_a_draw_the_assaulter():
    field, a, b = charge(5, squad(4), squad(4))
    dice = [4, 1, 1, 1, 4, 1, 1, 1] + [1] * 6 + [2]
    given = {"reaction": None, "method": [H2H] * 4, "follow-on combat": [True]}
    ran = field.order(a, ("assault", b.id), dice, given, default=usual)
    assert len(ran.of("FightRound")) == 2
    assert ran.of("FightRound")[0].winner == ""


@pytest.mark.rule("k47.cq.stalemate")
def test_without_losses_nobody_fights_on():
    field, a, b = charge(5, squad(3), squad(3))
    ran = fight(field, a, b, [1] * 6 + [2])
    assert "follow-on combat" not in ran.asked
    assert ground.unit_distance(field.state, a, b) > 254


@pytest.mark.rule("k47.cq.consolidate", "k47.cq.no_react_move")
def test_survivors_consolidate_and_nobody_answers():
    field, a, b = charge(5, squad(6), squad(2))
    watcher = field.put(RED, squad(3), 1200, 700, order="ambush")
    dice = [5, 5, 1, 1, 1, 1, 1, 1, 4]
    ran = fight(field, a, b, dice, consolidate=((600, 640),), ambush=None)
    assert not b.alive
    assert ran.of("Counted")[-1].label == "consolidation" and ran.of("Counted")[-1].total == 4
    assert ran.asked.count("ambush") <= 1 and watcher.order == "ambush"


@pytest.mark.rule("k47.cq.artillery")
def test_gun_crews_fight_like_infantry_and_the_gun_dies_with_them():
    field, a, b = charge(5, squad(6), gun("Light AT Gun"))
    ran = fight(field, a, b, [5, 5, 5, 1, 1, 1] + [1] * 3 + [1])
    assert [len(event.stages[0][1]) for event in ran.of("Rolled")] == [6, 3]
    assert not b.alive and b.gun is None


@pytest.mark.rule("k47.cq.building")
def test_a_building_is_assaulted_at_its_openings_and_may_be_taken():
    field = Field({"kind": "building", "id": "house", "at": [24, 28], "size": [6, 6]}, size=(72, 72))
    a = field.put(BLUE, squad(6), 600, 28 * 25 - 120)
    b = field.put(RED, squad(2), 1200, 1200, order="fire")
    field.rules.buildings.put_inside(field.state, b, field.state.table.piece("house"), 0)
    dice = [5, 5, 1, 1, 1, 1, 1, 1]
    ran = fight(field, a, b, dice, **{"occupy building": True})
    assert not b.alive and a.building == "house"
    assert ran.of("Placed")[-1].how == "occupies"


# -- infantry against vehicles ------------------------------------------------------------------------------


@pytest.mark.rule("k47.cqv.nerve", "k47.open.assault_nerve_combined", "k47.open.at_weapons")
@pytest.mark.parametrize(
    "card, pins, needed",
    [
        (squad(5), 0, 6),
        (squad(5), 2, 4),
        (squad(5, rules=["Tank Hunters"]), 0, None),
        (squad(men=[{"weapons": ["Rifle", "Panzerfaust"]}, {"weapons": ["Rifle"]}]), 0, None),
    ],
)
def test_closed_armour_takes_nerve_without_anti_tank_weapons(card, pins, needed):
    field = Field()
    a = field.put(BLUE, card, 600, 300, pins=pins)
    b = field.put(RED, tank(), 600, 500)
    occasion = field.rules.orders.occasion(field.state, a, ("assault", b.id))
    assert isinstance(occasion, Occasion)
    assert field.rules.orders.needs_test(field.state, a, occasion) is (needed is not None)
    if needed:
        assert field.rules.morale.value(field.state, a, occasion)[0] == needed
    opened = field.put(RED, tank("carrier", rules=["Open-Topped"]), 900, 500)
    assert not field.rules.vehicle_assault.needs_nerve(a, opened)


@pytest.mark.rule("k47.cqv.defensive_fire")
@pytest.mark.parametrize("inches, heading, asked", [(8, 0, True), (5, 0, False), (8, 180, False)])
def test_a_vehicle_fires_at_assaulters_from_afar_in_its_arc(inches, heading, asked):
    field = Field(size=(72, 72))
    b = field.put(RED, tank("medium tank", ("Hull-Mounted Forward-Facing MMG",)), 660, 900, heading=heading)
    a = field.put(BLUE, squad(5, rules=["Tank Hunters"]), 600, 900 - 53 - 13 - round(inches * 25.4))
    answers = {"reaction": None, "stand and fire": True, "weapons": ((a.id, ""),)}
    dice = [1, 1] + [1] * 4 if asked else []
    ran = field.order(a, ("assault", b.id), [*dice, *[1] * 5, 2], answers, default=usual)
    assert bool(ran.of("Hit")) is asked is ("stand and fire" in ran.asked)


@pytest.mark.rule("k47.cqv.to_hit", "k47.open.vehicle_not_acted")
@pytest.mark.parametrize(
    "order, option, given, score",
    [
        ("run", "stationary", {}, 7),
        ("advance", "stationary", {}, 6),
        ("fire", "stationary", {}, 4),
        ("", "stationary", {"last_order": "run"}, 4),
        ("", "previous_order", {"last_order": "run"}, 7),
        ("run", "stationary", {"halted": True}, 4),
    ],
)
def test_what_the_vehicle_did_decides_how_hard_it_is_to_hit(order, option, given, score):
    field = Field(vehicle_not_acted=option)
    b = field.put(RED, tank(), 600, 400, order=order, **given)
    assert field.rules.vehicle_assault.score(field.state, b) == score


def storm(dice, card=None, armour="medium tank", pins=0, **vehicle):
    field = Field()
    a = field.put(BLUE, card or squad(8), 600, 300, pins=pins)
    b = field.put(RED, tank(armour, (), **vehicle), 600, 450, order="fire")
    ran = field.run(lambda play: field.rules.vehicle_assault.storm(play, a, b), dice)
    return a, b, ran


@pytest.mark.rule("k47.cqv.damage")
def test_one_die_plus_the_hits_against_the_damage_value():
    _, b, ran = storm([4, 4, 4, 1, 1, 1, 1, 1, 5, 4], armour="light tank")
    assert ran.of("Counted")[0].total == 8
    assert ran.of("Damaged")
    _, b, ran = storm([1] * 8)
    assert not ran.of("Counted") and b.pins == 0


@pytest.mark.rule("k47.cqv.soft", "k47.vehicle.open_topped")
def test_soft_and_open_vehicles_are_destroyed_when_damaged():
    _, b, ran = storm([4, 4, 1, 1, 1, 1, 1, 1, 5], armour="carrier", rules=["Open-Topped"])
    assert not b.alive and not ran.of("DamageResult")


@pytest.mark.rule("k47.cqv.enclosed", "k47.cqv.grade", "k47.special.tank_hunters")
@pytest.mark.parametrize("die, dice, grade", [(6, [1], "full"), (5, [4], "superficial")])
def test_closed_vehicles_roll_on_the_table_by_grade_for_tank_hunters(die, dice, grade):
    _, _b, ran = storm([4, 4, 4, 4, 1, 1, 1, 1, die, *dice], squad(8, rules=["Tank Hunters"]))
    assert ran.of("Damaged")[0].grade == grade
    assert ran.of("DamageResult")


@pytest.mark.rule("k47.cqv.no_at")
def test_without_anti_tank_weapons_damage_is_superficial_whatever_the_total():
    _, _b, ran = storm([4] * 8 + [6, 5])
    assert ran.of("Damaged")[0].total == 14
    assert ran.of("Damaged")[0].grade == "superficial"


@pytest.mark.rule("k47.cqv.pin")
def test_a_hit_pins_the_vehicle_even_without_damage():
    _, b, _ = storm([4, 1, 1, 1, 1, 1, 1, 1, 1])
    assert b.pins == 1


@pytest.mark.rule("k47.cqv.modifiers")
def test_pins_cost_dice_and_facing_does_not_matter():
    _, _, ran = storm([1] * 6, pins=2)
    assert len(ran.of("Rolled")[0].stages[0][1]) == 6
    _, _, ran = storm([4, 1, 1, 1, 1, 1, 1, 1, 6])
    assert ran.of("Counted")[0].total == 7


@pytest.mark.rule("k47.cqv.over", "k47.cqv.regroup")
def test_after_the_assault_the_infantry_regroups_clear_of_the_vehicle():
    field = Field(size=(72, 72))
    a = field.put(BLUE, squad(5, rules=["Tank Hunters"]), 600, 500)
    b = field.put(RED, tank("medium tank", ()), 660, 640, order="fire")
    ran = field.order(a, ("assault", b.id), [1] * 5 + [3], {}, default=usual)
    assert ran.of("Counted")[-1].label == "regroup"
    assert ground.unit_distance(field.state, a, b) > 254
    assert not ran.of("FightRound")


# -- walkers ---------------------------------------------------------------------------------------------------

WALKER = tank("medium walker", ("Fist", "Fist"), rules=["Assault"])


@pytest.mark.rule("k47.cqw.assault")
def test_a_walker_turns_once_and_walks_into_contact():
    field = Field(size=(72, 72))
    walker = field.put(BLUE, tank("medium walker", ("Fist",), rules=["Assault"]), 600, 600, heading=135)
    b = field.put(RED, squad(5), 600, 600 + 30 + gap(14), order="fire")
    behind = field.put(RED, squad(5), 500, 200)
    assert [unit.id for unit in field.rules.assault.targets(field.state, walker)] == [b.id]
    ran = field.order(walker, ("assault", b.id), [1] * 3 + [1] * 5, {"method": H2H}, default=usual)
    assert ran.of("Assaulted")[1].how == "into contact" and behind.alive
    assert walker.heading == 180


@pytest.mark.rule("k47.cqw.attacks")
@pytest.mark.parametrize(
    "armour, pen",
    [("scout walker", 2), ("light walker", 3), ("medium walker", 4), ("heavy walker", 5), ("super-heavy walker", 6)],
)
def test_walker_blows_by_size(armour, pen):
    field = Field()
    walker = field.put(BLUE, tank(armour, ("Fist", "Fist")), 600, 400, pins=1)
    b = field.put(RED, squad(5), 600, 600)
    ran = field.run(lambda play: field.rules.vehicle_assault.blows(play, walker, b), [2, 2, 1])
    assert field.rules.vehicle_assault.pen(walker) == pen
    assert len(ran.of("Rolled")[0].stages[0][1]) == 3
    assert ran.result.total_losses == 2


@pytest.mark.rule("k47.cqw.gun", "k47.cq.consolidate")
def test_a_walker_crushes_a_gun_and_may_go_on_a_few_inches():
    field = Field(size=(72, 72))
    walker = field.put(BLUE, WALKER, 600, 600, heading=180)
    b = field.put(RED, gun("Light AT Gun"), 600, 900, order="fire")
    ran = field.order(walker, ("assault", b.id), [4], {}, default=usual)
    assert not b.alive
    assert "consolidate" in ran.asked


@pytest.mark.rule("k47.cqw.hit_back", "k47.cqw.result")
def test_infantry_hits_an_assaulting_walker_on_sixes_and_loses_if_it_does_no_harm():
    field = Field(size=(72, 72))
    walker = field.put(BLUE, WALKER, 600, 600, heading=180)
    b = field.put(RED, squad(8), 560, 800, order="fire")
    dice = [6, 1, 1, 1] + [5] * 8 + [1, 1] + [3]
    ran = field.order(walker, ("assault", b.id), dice, {"method": H2H, "follow-on combat": False}, default=usual)
    rolled = [event for event in ran.of("Rolled") if event.label == "assault"]
    assert rolled[0].needs == ("6",)
    assert ran.of("FightRound")[0].winner == walker.id
    assert ran.of("Tested")
    assert field.rules.vehicle_assault.score(field.state, walker) == 6
    assert ground.unit_distance(field.state, walker, b) > 254


@pytest.mark.rule("k47.cqw.result")
def test_harming_the_walker_is_a_draw():
    field = Field(size=(72, 72))
    walker = field.put(BLUE, WALKER, 600, 600, heading=180)
    b = field.put(RED, squad(8, rules=["Tank Hunters"]), 560, 800, order="fire")
    dice = [6, 1, 1, 1, 6, 6, 1, 1, 1, 1, 1, 1, 6, 4]
    ran = field.order(walker, ("assault", b.id), dice, {"method": H2H, "follow-on combat": False}, default=usual)
    assert ran.of("FightRound")[0].winner == ""


@pytest.mark.rule("k47.cqw.assaulted")
def test_an_assaulted_walker_does_not_strike_back():
    field = Field(size=(72, 72))
    a = field.put(BLUE, squad(8, rules=["Tank Hunters"]), 560, 500)
    walker = field.put(RED, WALKER, 660, 650, order="fire")
    ran = field.order(a, ("assault", walker.id), [1] * 8 + [2], {}, default=usual)
    assert [event.label for event in ran.of("Rolled")] == ["assault"]


@pytest.mark.rule("k47.cqw.vs_vehicle", "k47.open.walker_hits")
@pytest.mark.parametrize("order, needs", [("fire", ("4", "5", "6")), ("advance", ("6",))])
def test_a_walker_against_a_vehicle(order, needs):
    field = Field(size=(72, 72))
    walker = field.put(BLUE, tank("heavy walker", ("Fist", "Fist"), rules=["Assault"]), 600, 600, heading=180)
    b = field.put(RED, tank("medium tank", ()), 600, 900, heading=180, order=order)
    dice = [6, 1, 2, 4] if order == "fire" else [6, 5, 2, 4]
    ran = field.order(walker, ("assault", b.id), dice, {}, default=usual)
    assert ran.of("Rolled")[0].needs == needs
    assert ran.of("Damaged")[0].total == 2 + 5 + 2  # into the rear
    assert b.pins >= 1
    assert ground.unit_distance(field.state, walker, b) > 254


@pytest.mark.rule("k47.cqw.tank_overrun")
@pytest.mark.parametrize("roll, alive", [([4, 6], False), ([3, 3], True)])
def test_a_tank_drives_through_infantry_that_must_keep_its_nerve(roll, alive):
    field = Field(size=(72, 72))
    a = field.put(BLUE, tank("medium tank", ()), 600, 500, heading=180)
    b = field.put(RED, squad(5), 540, 650, order="fire")
    field.order(a, ("overrun", b.id), roll, {}, default=usual)
    assert b.alive is alive
    assert a.bodies[0].y > 650 and a.order == "run"
    if alive:
        assert ground.unit_distance(field.state, a, b) > 254


@pytest.mark.rule("k47.cqw.tank_overrun")
def test_a_gun_is_crushed_and_the_option_may_be_off():
    field = Field(size=(72, 72))
    a = field.put(BLUE, tank("medium tank", ()), 600, 500, heading=180)
    b = field.put(RED, gun("Light AT Gun", 2), 600, 680, order="fire")
    field.order(a, ("overrun", b.id), [], {}, default=usual)
    assert not b.alive
    off = Field(tank_overrun="off")
    a = off.put(BLUE, tank(), 600, 500, heading=180)
    off.put(RED, squad(5), 600, 650)
    assert "overrun" not in off.rules.orders.choices(off.state, a)
