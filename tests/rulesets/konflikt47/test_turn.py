"""The order cup, the turn, keeping orders (k47.turn.*)."""

from __future__ import annotations

import pytest

from dieselfront.dice import Dice
from dieselfront.kernel.game import Play
from dieselfront.rulesets.konflikt47.turn import order_cup
from rulesets.konflikt47.field import BLUE, RED, Field, squad, tank, usual


def two_sides(blue: int = 2, red: int = 2, **options: str) -> Field:
    field = Field(**options)
    for number in range(blue):
        field.put(BLUE, squad(3), 200 + 200 * number, 200)
    for number in range(red):
        field.put(RED, squad(3), 200 + 200 * number, 1000)
    return field


def drawn(field: Field, dice: list, answers: dict, steps: int = 1):
    """So many draws."""

    def draws(play: Play):
        for _ in range(steps):
            yield from field.rules.turn.orders_phase_step(play)

    return field.run(draws, dice, answers, default=usual)


@pytest.mark.rule("k47.turn.pool")
def test_the_cup_holds_one_die_for_every_unit_reserves_included():
    field = two_sides(3, 2)
    field.put(RED, squad(3), place="reserve")
    assert field.state.cup() == (3, 3)


@pytest.mark.rule("k47.turn.draw")
def test_a_die_is_drawn_by_chance_and_its_owner_picks_any_unit_without_an_order():
    cup = order_cup(1, 3)
    assert cup.chance(cup.mask(["red"])) == pytest.approx(3 / 4)
    field = two_sides(1, 3)
    ran = drawn(field, ["red"], {"unit": "red-2", "order": "down"})
    assert ran.offered["unit"] == ["red-1", "red-2", "red-3"]
    assert field.state.unit("red-2").order == "down"
    assert field.state.cup() == (1, 2)


@pytest.mark.rule("k47.turn.draw_one_side")
def test_a_side_alone_in_the_cup_acts_without_a_draw_and_may_always_go_down():
    field = two_sides(1, 2)
    field.state.unit("blue-1").order = "fire"
    for unit in field.state.of(RED):
        unit.pins = 7
    ran = drawn(field, [], {"unit": "red-1", "order": "down"}, steps=2)
    assert [event.side for event in ran.of("DieDrawn")] == [1, 1]
    assert not ran.of("Tested")
    assert field.state.cup() == (0, 0)


@pytest.mark.rule("k47.turn.one_order")
def test_a_unit_with_an_order_is_not_selectable():
    field = two_sides(3, 0)
    field.state.unit("blue-2").order = "run"
    assert [unit.id for unit in field.rules.turn.selectable(field.state, BLUE)] == ["blue-1", "blue-3"]


@pytest.mark.rule("k47.turn.order_test_step")
def test_the_test_comes_after_the_order_and_before_the_action():
    field = two_sides(1, 1)
    unit = field.state.unit("blue-1")
    ran = field.order(unit, "advance", [], {"move": ((200, 250),), "target": None})
    assert [type(event).__name__ for event in ran.events] == ["Ordered", "Moved"]
    unit.order, unit.pins = "", 1
    ran = field.order(unit, "advance", [1, 1], {"move": ((200, 300),), "target": None})
    assert [type(event).__name__ for event in ran.events] == ["Ordered", "Tested", "Unpinned", "Moved"]


@pytest.mark.rule("k47.turn.reaction_step")
def test_the_target_is_asked_for_a_reaction_before_dice_are_rolled():
    field = two_sides(1, 1)
    field.put(RED, squad(1), 205, 300)
    target = field.state.unit("red-2")
    ran = field.shoot(field.state.unit("blue-1"), target, [1, 1, 1], answers={"reaction": "go down"})
    kinds = [type(event).__name__ for event in ran.events]
    assert kinds.index("Reacted") < kinds.index("Rolled")


@pytest.mark.rule("k47.turn.sequence", "k47.turn.orders_end")
def test_the_orders_phase_ends_when_everyone_has_an_order_and_the_turn_end_leads_to_the_next_turn():
    field = two_sides(1, 1)
    drawn(field, ["red"], {"unit": "red-1", "order": "down"})
    assert field.state.phase == "orders"
    drawn(field, [], {"order": "down"}, steps=2)
    assert field.state.phase == "turn end"
    field.run(field.rules.turn.turn_end, [], {"keep": ()})
    assert (field.state.phase, field.state.turn) == ("orders", 2)


@pytest.mark.rule("k47.turn.end_return", "k47.turn.retain_choice")
def test_dice_go_back_except_those_of_units_that_keep_ambush_or_down():
    field = two_sides(3, 1)
    for unit, order in zip(field.state.units, ("fire", "ambush", "down", "run"), strict=True):
        unit.order = order
    ran = field.run(field.rules.turn.turn_end, [], {"keep": ("blue-2",)})
    assert ran.offered["keep"] == ["blue-2", "blue-3"]
    assert [unit.order for unit in field.state.units] == ["", "ambush", "", ""]
    assert field.state.cup() == (2, 1)


@pytest.mark.rule("k47.turn.retain_down_pin")
@pytest.mark.parametrize("option, left", [("removes_one", 2), ("removes_none", 3)])
def test_keeping_down_sheds_a_pin(option, left):
    field = two_sides(2, 1, retain_down_pin=option)
    kept, returned = field.state.of(BLUE)
    for unit in (kept, returned):
        unit.order, unit.pins = "down", 3
    field.run(field.rules.turn.turn_end, [], {"keep": ("blue-1",)})
    assert (kept.pins, returned.pins) == (left, 3)


@pytest.mark.rule("k47.turn.dead_dice")
def test_the_die_of_a_destroyed_unit_leaves_the_game():
    field = two_sides(2, 2)
    acted, waiting = field.state.of(BLUE)
    acted.order = "fire"
    field.run(lambda play: field.rules.losses.destroy(play, waiting, "test", "k47.turn.dead_dice"))
    assert field.state.cup() == (0, 2)
    field.run(lambda play: field.rules.losses.destroy(play, acted, "test", "k47.turn.dead_dice"))
    field.run(field.rules.turn.turn_end, [])
    assert field.state.cup() == (0, 2)


@pytest.mark.rule("k47.turn.cup_invariant")
def test_a_reaction_takes_the_units_own_die_out_of_the_cup():
    field = two_sides(1, 2)
    field.put(RED, squad(2), 205, 350)
    target = field.state.unit("red-3")
    before = field.state.cup()
    field.shoot(field.state.unit("blue-1"), target, [1, 1, 1], answers={"reaction": "go down"})
    assert target.order == "down"
    assert field.state.cup() == (before[0], before[1] - 1)


@pytest.mark.rule("k47.turn.draw")
def test_the_draw_is_a_question_for_a_die_of_the_cup():
    field = two_sides(2, 3)
    step = field.rules.turn.orders_phase_step(Play(field.rules, field.state))
    question = next(step)
    assert isinstance(question, Dice)
    assert question.die.sides == (0, 0, 1, 1, 1)


@pytest.mark.rule("k47.vehicle.order_limits")
def test_a_cumbersome_vehicle_waits_for_another_unit_unless_alone():
    field = Field()
    slow = field.put(BLUE, tank(rules=["Cumbersome"]), 300, 300)
    other = field.put(BLUE, squad(3), 600, 300)
    assert field.rules.turn.selectable(field.state, BLUE) == [other]
    other.order = "fire"
    assert field.rules.turn.selectable(field.state, BLUE) == [slow]
    other.order, other.place = "", "gone"
    assert field.rules.turn.selectable(field.state, BLUE) == [slow]
