"""Orders, order tests, FUBAR, Snap to Action (k47.order.*, k47.officer.*)."""

from __future__ import annotations

import pytest

from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.rulesets.konflikt47.morale import ORDER, Occasion
from rulesets.konflikt47.field import BLUE, RED, Field, gap, gun, squad, tank, team


def facing_off(blue: dict | None = None, red: dict | None = None, inches: float = 10, **options: str):
    field = Field(**options)
    a = field.put(BLUE, blue or squad(5), 600, 400)
    b = field.put(RED, red or squad(5), 600, 400 + gap(inches))
    return field, a, b


@pytest.mark.rule("k47.order.list")
def test_there_are_six_orders_and_rally_neither_moves_nor_shoots():
    field, unit, _ = facing_off()
    assert field.rules.orders.legal(field.state, unit) == ["fire", "advance", "run", "ambush", "rally", "down"]
    ran = field.order(unit, "rally")
    assert ran.asked == ["order"]
    assert not ran.of("Moved") and not ran.of("Rolled")


LEGAL = [
    (team("MMG"), {}, ["fire", "advance", "run", "ambush", "rally", "down"]),
    (gun("Medium AT Gun"), {}, ["fire", "advance", "ambush", "rally", "down"]),
    (tank(), {}, ["fire", "advance", "run", "ambush", "rally", "down"]),
    (tank(), {"immobilised": True}, ["fire", "ambush", "rally", "down"]),
    (tank(rules=["Turret Emplacement"]), {}, ["fire", "ambush", "rally", "down"]),
    (squad(3), {"slowed": True}, ["fire", "advance", "ambush", "rally", "down"]),
    (squad(3, ""), {}, ["advance", "run", "rally", "down"]),
]


@pytest.mark.rule("k47.order.legal")
@pytest.mark.parametrize("card, given, orders", LEGAL)
def test_the_orders_offered_depend_on_the_unit_and_its_state(card, given, orders):
    field = Field()
    unit = field.put(BLUE, card, 600, 400, **given)
    assert field.rules.orders.legal(field.state, unit) == orders


@pytest.mark.rule("k47.order.legal", "k47.game.reserve")
@pytest.mark.parametrize("turn, orders", [(1, ["down"]), (2, ["advance", "run", "down"])])
def test_reserves_arrive_from_turn_two(turn, orders):
    field = Field(turn=turn)
    unit = field.put(BLUE, squad(3), place="reserve")
    assert field.rules.orders.legal(field.state, unit) == orders


@pytest.mark.rule("k47.order.legal", "k47.artillery.no_run")
def test_guns_are_never_offered_run():
    field = Field()
    unit = field.put(BLUE, gun("Medium AT Gun"), 600, 400)
    assert "run" not in field.rules.orders.choices(field.state, unit)


@pytest.mark.rule("k47.order.fire", "k47.shoot.base")
def test_fire_shoots_without_the_moving_penalty():
    field, unit, target = facing_off()
    ran = field.order(unit, "fire", [1, 2, 3, 4, 6, 1, 1, 1], {"target": target.id, "reaction": None})
    assert ran.needed() == 3
    assert ran.of("Rolled")[0].successes == 3


@pytest.mark.rule("k47.order.advance", "k47.shoot.moving")
def test_advance_moves_then_shoots_at_minus_one():
    field, unit, target = facing_off(inches=12)
    ran = field.order(unit, "advance", [1] * 5, {"move": ((600, 450),), "target": target.id, "reaction": None})
    assert [type(event).__name__ for event in ran.events][:2] == ["Ordered", "Moved"]
    assert ran.needed() == 4


@pytest.mark.rule("k47.order.run")
def test_run_moves_up_to_twelve_inches_and_does_not_shoot():
    field, unit, _ = facing_off(inches=20)
    ran = field.order(unit, "run", [], {"move": ((600, 400 + 304),)})
    assert ran.asked == ["order", "move"]
    assert unit.bodies[0].y == 704


@pytest.mark.rule("k47.order.ambush")
def test_ambush_waits():
    field, unit, _ = facing_off()
    ran = field.order(unit, "ambush")
    assert unit.order == "ambush"
    assert ran.asked == ["order"]


@pytest.mark.rule("k47.order.rally", "k47.open.rally_total", "k47.pin.remove")
def test_rally_removes_one_pin_for_the_test_and_a_die_of_pins():
    field, unit, _ = facing_off()
    unit.pins = 4
    field.order(unit, "rally", [1, 1, 2])
    assert unit.pins == 1
    unit.order, unit.pins = "", 2
    field.order(unit, "rally", [1, 1, 6])
    assert unit.pins == 0


@pytest.mark.rule("k47.order.rally_test")
def test_rally_is_tested_with_all_pins_and_needs_none_without():
    field, unit, _ = facing_off()
    unit.pins = 4
    ran = field.order(unit, "rally", [3, 4])
    assert ran.of("Tested")[0].needed == 5
    assert (unit.order, unit.pins) == ("down", 4)
    unit.order, unit.pins = "", 0
    assert not field.order(unit, "rally").of("Tested")


@pytest.mark.rule("k47.order.down", "k47.shoot.down")
def test_down_troops_are_harder_to_hit():
    field, firer, target = facing_off()
    assert field.need(firer, target) == 3
    field.order(target, "down")
    assert field.need(firer, target) == 4


@pytest.mark.rule("k47.order.test_when")
def test_a_test_is_needed_only_with_pins_and_never_for_down():
    field, unit, _ = facing_off()
    unit.pins = 2
    assert not field.order(unit, "down").of("Tested")
    unit.order = ""
    assert field.order(unit, "ambush", [1, 1]).of("Tested")


@pytest.mark.rule("k47.order.test_roll", "k47.morale.officers", "k47.order.test_mods")
@pytest.mark.parametrize("roll, passed", [([4, 4], True), ([4, 5], False)])
def test_the_test_passes_at_or_under_the_modified_morale(roll, passed):
    field, unit, _ = facing_off()
    field.put(BLUE, squad(1, officer=True, rank="second lieutenant"), 600, 300)
    unit.pins = 2
    ran = field.order(unit, "ambush", roll)
    assert ran.of("Tested")[0].needed == 8
    assert ran.of("Tested")[0].passed is passed


@pytest.mark.rule("k47.order.test_mods", "k47.morale.nco")
def test_all_modifiers_add_up():
    field, _, _ = facing_off()
    unit = field.put(BLUE, squad(5, quality="veteran", nco=True), 900, 300, pins=3, nco_lost=True)
    field.put(BLUE, squad(1, officer=True, rank="captain"), 900, 200)
    value, because = field.rules.morale.value(field.state, unit, Occasion(ORDER, "fire"))
    assert value == 9
    assert {item.rule for item in because} == {
        "k47.morale.quality",
        "k47.pin.morale",
        "k47.morale.officers",
        "k47.morale.nco",
    }


@pytest.mark.rule("k47.order.test_limits")
@pytest.mark.parametrize(
    "quality, pins, rank, value", [("veteran", 0, "major", 10), ("regular", 8, "", 2), ("veteran", 2, "captain", 10)]
)
def test_morale_is_never_above_ten_nor_below_two(quality, pins, rank, value):
    field = Field()
    unit = field.put(BLUE, squad(3, quality=quality), 600, 400, pins=pins)
    if rank:
        field.put(BLUE, squad(1, officer=True, rank=rank), 600, 300)
    assert field.rules.morale.value(field.state, unit, Occasion(ORDER, "fire"))[0] == value


@pytest.mark.rule("k47.order.test_pass")
def test_a_passed_test_removes_a_pin_before_the_order_is_carried_out():
    field, unit, target = facing_off()
    unit.pins = 3
    ran = field.order(unit, "fire", [2, 2, *[1] * 5], {"target": target.id, "reaction": None})
    assert unit.pins == 2
    assert ran.needed() == 5


@pytest.mark.rule("k47.order.test_fail")
def test_a_failed_test_turns_the_die_to_down_and_keeps_the_pins():
    field, unit, _ = facing_off()
    unit.pins = 2
    ran = field.order(unit, "advance", [4, 5])
    assert (unit.order, unit.pins) == ("down", 2)
    assert not ran.of("Moved")


@pytest.mark.rule("k47.order.test_fail_vehicle")
def test_a_vehicle_that_fails_reverses_from_the_closest_visible_enemy():
    field = Field()
    unit = field.put(BLUE, tank(), 600, 400, heading=180, pins=3)
    field.put(RED, squad(3), 600, 800)
    field.order(unit, "advance", [5, 6])
    assert unit.order == "down"
    assert unit.bodies[0].y == 400 - 114  # 4.5 inches, whole millimetres


@pytest.mark.rule("k47.order.test_fail_vehicle")
def test_a_vehicle_without_an_enemy_in_sight_only_goes_down():
    field = Field()
    unit = field.put(BLUE, tank(), 600, 400, heading=180, pins=3)
    field.order(unit, "advance", [5, 6])
    assert (unit.order, unit.bodies[0].y) == ("down", 400)


# -- FUBAR ----------------------------------------------------------------------------------------------


@pytest.mark.rule("k47.order.fubar", "k47.order.fubar_ff")
def test_a_double_six_on_one_or_two_is_friendly_fire_chosen_by_the_opponent():
    field, unit, enemy = facing_off(inches=20)
    near = field.put(BLUE, squad(5), 600, 400 + gap(10))
    far = field.put(BLUE, squad(5), 900, 100)
    unit.pins = 1
    ran = field.order(unit, "advance", [6, 6, 2, *[1] * 5], {})
    assert ran.of("Fubar")[0].result == "friendly fire"
    assert unit.order == "fire" and unit.pins == 1
    assert ran.of("Declared")[0].shots[0][1] == near.id
    assert far.alive and enemy.alive


@pytest.mark.rule("k47.order.fubar_ff_none", "k47.open.ff_sight")
def test_friendly_fire_needs_a_visible_friend_with_an_enemy_within_twelve_inches():
    field, unit, _ = facing_off(inches=20)
    field.put(BLUE, squad(5), 900, 100)
    unit.pins = 1
    ran = field.order(unit, "advance", [6, 6, 1])
    assert unit.order == "down"
    assert "k47.order.fubar_ff_none" in ran.rules()
    hidden = Field({"kind": "high-wall", "line": [[20, 20], [32, 20]]})
    lost = hidden.put(BLUE, squad(2), 600, 400, pins=1)
    hidden.put(BLUE, squad(2), 600, 650)
    hidden.put(RED, squad(2), 600, 800)
    hidden.order(lost, "advance", [6, 6, 1])
    assert lost.order == "down"


@pytest.mark.rule("k47.order.fubar_ff_resolve")
def test_friendly_fire_is_full_shooting_at_its_pins_and_the_target_may_not_react():
    field, unit, _ = facing_off(inches=20)
    near = field.put(BLUE, squad(5), 600, 400 + gap(10))
    unit.pins = 2
    ran = field.order(unit, "fire", [6, 6, 1, 5, 1, 1, 1, 1, 1])
    assert ran.needed() == 5
    assert "reaction" not in ran.asked
    assert near.pins == 1


@pytest.mark.rule("k47.order.fubar_panic", "k47.move.forced")
def test_panic_runs_straight_away_from_the_closest_visible_enemy():
    field, unit, enemy = facing_off(inches=8)
    unit.pins = 1
    field.order(unit, "advance", [6, 6, 3])
    assert unit.order == "run"
    assert unit.bodies[0].x == 600
    assert unit.bodies[0].y == 400 - 304
    assert enemy.alive


@pytest.mark.rule("k47.order.fubar_panic_none")
def test_panic_without_an_enemy_in_sight_goes_down():
    field = Field()
    unit = field.put(BLUE, squad(3), 600, 400, pins=1)
    field.order(unit, "advance", [6, 6, 5])
    assert unit.order == "down"


@pytest.mark.rule("k47.order.fubar_panic_cannot")
def test_guns_go_down_instead_of_panicking():
    field = Field()
    unit = field.put(BLUE, gun("Medium AT Gun"), 600, 400, pins=1)
    field.put(RED, squad(3), 600, 200)
    field.order(unit, "fire", [6, 6, 4])
    assert unit.order == "down"
    assert unit.bodies[0].y == 400


# -- officers -------------------------------------------------------------------------------------------


def with_officer(rank: str = "captain", **options: str):
    field = Field(**options)
    officer = field.put(BLUE, squad(1, officer=True, rank=rank), 600, 400)
    near = [field.put(BLUE, squad(3), 400 + 200 * n, 500) for n in range(3)]
    field.put(RED, squad(3), 600, 1100)
    return field, officer, near


@pytest.mark.rule("k47.officer.snap", "k47.officer.snap_alloc", "k47.turn.cup_invariant")
def test_an_officer_brings_others_along_all_dice_placed_before_anyone_acts():
    field, officer, near = with_officer()
    answers = {
        "snap to action": (near[0].id, near[1].id),
        "order": ["ambush", "down", "run"],
        "next": [near[1].id, near[0].id],
        "move": ((700, 500),),
    }
    ran = field.run(lambda play: field.rules.orders.activate(play, officer), [], answers)
    assert [event.unit for event in ran.of("Ordered")] == [officer.id, near[0].id, near[1].id]
    assert [type(event).__name__ for event in ran.events] == ["Ordered", "Ordered", "Ordered", "Moved"]
    assert field.state.cup()[0] == 1


@pytest.mark.rule("k47.officer.snap")
@pytest.mark.parametrize(
    "rank, most", [("second lieutenant", 1), ("first lieutenant", 2), ("captain", 3), ("major", 4)]
)
def test_rank_fixes_how_many_orders_he_may_snap_off(rank, most):
    field = Field()
    officer = field.put(BLUE, squad(1, officer=True, rank=rank), 600, 400)
    near = [field.put(BLUE, squad(1), 500 + 60 * n, 480).id for n in range(5)]
    answers = {"order": ["ambush"] * 6, "snap to action": tuple(near[:most]), "next": near[: most + 1]}
    field.run(lambda play: field.rules.orders.activate(play, officer), [], answers)
    assert field.state.cup()[0] == 5 - most
    for unit in field.state.units:
        unit.order = ""
    with pytest.raises(IllegalChoice):
        answers = {"order": "ambush", "snap to action": tuple(near[: most + 1])}
        field.run(lambda play: field.rules.orders.activate(play, officer), [], answers)


@pytest.mark.rule("k47.officer.snap_limits")
def test_units_with_an_order_cannot_be_snapped_and_pinned_ones_test():
    field, officer, near = with_officer()
    near[0].order = "fire"
    near[1].pins = 1
    answers = {"order": ["ambush", "ambush"], "snap to action": (near[1].id,), "next": [officer.id]}
    ran = field.run(lambda play: field.rules.orders.activate(play, officer), [6, 5], answers)
    assert ran.offered["snap to action"] == [near[1].id, near[2].id]
    assert near[1].order == "down"


@pytest.mark.rule("k47.officer.snap_limits")
def test_an_officer_in_reserve_snaps_nobody():
    field, officer, _ = with_officer()
    officer.place = "reserve"
    assert not field.rules.orders.may_snap(field.state, officer, "run")


@pytest.mark.rule("k47.open.snap_default")
def test_snap_to_action_is_on_unless_the_option_says_off():
    field, officer, _ = with_officer()
    assert field.rules.orders.may_snap(field.state, officer, "fire")
    field, officer, _ = with_officer(snap_to_action="off")
    assert not field.rules.orders.may_snap(field.state, officer, "fire")


@pytest.mark.rule("k47.open.snap_chain")
def test_an_officer_ordered_by_snap_does_not_snap_himself():
    field, officer, near = with_officer("major")
    second = field.put(BLUE, squad(1, officer=True, rank="second lieutenant"), 640, 440)
    answers = {"order": ["ambush", "ambush"], "snap to action": (second.id,), "next": [second.id]}
    ran = field.run(lambda play: field.rules.orders.activate(play, officer), [], answers)
    assert ran.asked.count("snap to action") == 1
    assert near[0].order == ""


@pytest.mark.rule("k47.open.officer_down", "k47.officer.lost")
def test_an_officer_who_is_down_still_helps_and_a_dead_one_does_not():
    field = Field()
    officer = field.put(BLUE, squad(3, officer=True, rank="second lieutenant"), 600, 400, order="down")
    unit = field.put(BLUE, squad(5), 600, 480)
    assert field.rules.morale.officer_bonus(field.state, unit)[2] == 1
    assert not field.rules.orders.may_snap(field.state, officer, "down")
    officer.lose(0)
    assert field.rules.morale.officer_bonus(field.state, unit)[2] == 0


@pytest.mark.rule("k47.officer.lost")
def test_an_officer_aboard_a_transport_gives_nothing_to_units_outside():
    field = Field()
    officer = field.put(BLUE, squad(3, officer=True, rank="major"), 600, 400)
    unit = field.put(BLUE, squad(5), 600, 480)
    officer.place = "aboard"
    assert field.rules.morale.officer_bonus(field.state, unit)[2] == 0


@pytest.mark.rule("k47.officer.snap_alloc")
def test_a_snapped_assault_whose_target_is_gone_is_a_plain_run():
    field, _, near = with_officer()
    enemy = next(unit for unit in field.state.units if unit.side == RED)
    near[0].order = "run"
    enemy.place = "gone"
    ran = field.run(
        lambda play: field.rules.orders.carry_out(play, near[0], ("assault", enemy.id)), [], {"move": ((400, 550),)}
    )
    assert ran.of("Moved") and not ran.of("Assaulted")
