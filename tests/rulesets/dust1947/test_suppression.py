"""Under fire and suppressed: gaining, shaking off, suffering (d47.attack.suppress.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust.events import TokenGained
from dieselfront.rulesets.dust1947.activation import Activation
from rulesets.dust1947.table import RED, Table, aircraft, knife, refused, squad, weapon


def facing_each_other(tokens: str = "", men: int = 3):
    table = Table()
    unit = table.put(squad(weapon("Rifle", "1/1", 6), men=3), "C3")
    foe = table.put(squad(weapon("Rifle", "1/1", 6), knife(), men=men), "C6", RED, tokens=tokens)
    return table, unit, foe


@pytest.mark.rule("d47.attack.suppress.under_fire", "d47.attack.suppress.saved_hits_count")
@pytest.mark.parametrize(("dice", "marked"), [("ASS A", True), ("ASS T", True), ("SST", False)])
def test_a_hit_puts_the_unit_under_fire_even_if_saved(dice: str, marked: bool):
    table, unit, foe = facing_each_other()
    table.attack(unit, foe, dice)
    assert foe.under_fire == marked and not foe.suppressed


@pytest.mark.rule("d47.attack.suppress.upgrade")
def test_a_second_attack_suppresses():
    table, unit, foe = facing_each_other("under fire")
    game = table.attack(unit, foe, "ASS A")
    assert foe.suppressed and not foe.under_fire
    assert [token.token for token in game.of(TokenGained)] == ["suppressed"]


@pytest.mark.rule("d47.attack.suppress.cap")
def test_a_suppressed_unit_gains_nothing_more():
    table, unit, foe = facing_each_other("suppressed")
    game = table.attack(unit, foe, "ASS A")
    assert foe.suppressed and not foe.under_fire and not game.of(TokenGained)


@pytest.mark.rule("d47.attack.suppress.not_cc")
def test_close_combat_gives_no_tokens():
    table = Table()
    unit = table.put(squad(knife("2/1"), men=1), "C3")
    foe = table.put(squad(men=5), "C4", RED)
    table.attack(unit, foe, "AA", declare={"Knife": foe})
    assert foe.models == 3 and not foe.under_fire


@pytest.mark.rule(
    "d47.attack.suppress.recovery_two",
    "d47.attack.suppress.recovery_one_under_fire",
    "d47.attack.suppress.recovery_one_suppressed",
    "d47.attack.suppress.recovery_none",
)
@pytest.mark.parametrize(
    ("token", "dice", "after"),
    [
        ("under fire", "AA", ""),
        ("suppressed", "AA", ""),
        ("under fire", "AS", ""),
        ("suppressed", "TA", "under fire"),
        ("under fire", "ST", "under fire"),
        ("suppressed", "ST", "suppressed"),
    ],
)
def test_the_recovery_roll(token: str, dice: str, after: str):
    table, unit, _ = facing_each_other()
    unit.set({"under fire": 1 << 2, "suppressed": 1 << 3}[token])
    table.activate(unit, dice=dice)
    assert [name for name in unit.tokens() if name != "activated"] == ([after] if after else [])


@pytest.mark.rule("d47.attack.suppress.under_fire_no_effect")
def test_under_fire_restricts_nothing():
    table, unit, _ = facing_each_other()
    before = table.menu(unit)
    unit.set(1 << 2)
    assert table.menu(unit) == before and table.rules.reactions.may_react(table.play, unit)


@pytest.mark.rule("d47.attack.suppress.nothing_first")
def test_a_suppressed_unit_loses_its_first_action_and_keeps_the_token():
    table, unit, foe = facing_each_other()
    unit.set(1 << 3)
    game = table.activate(unit, "attack", dice="SS SSS", target=foe)
    menu = next(decision for decision in game.decisions if decision.key == "actions")
    assert ("march",) not in menu.options and ("move", "attack") not in menu.options and ("move",) in menu.options
    assert refused(lambda: menu.check(("march",))).rule == "d47.attack.suppress.nothing_first"
    assert unit.suppressed
    declared = next(event for event in game.events if hasattr(event, "actions"))
    assert declared.actions == ("nothing", "attack")


@pytest.mark.rule("d47.attack.suppress.no_cc_attack")
def test_a_suppressed_unit_may_shoot_but_not_fight():
    table = Table()
    unit = table.put(squad(weapon("Rifle", "1/1", 6), knife(), men=2), "C3", tokens="suppressed")
    foe = table.put(squad(), "C4", RED)
    assert table.may_aim(unit, "Rifle", foe) and not table.may_aim(unit, "Knife", foe)
    assert not table.may_aim(unit, "Improvised weapon", foe)


@pytest.mark.rule("d47.attack.suppress.may_retaliate")
def test_a_suppressed_unit_strikes_back():
    table = Table()
    unit = table.put(squad(knife(), men=1), "C3")
    foe = table.put(squad(knife(), men=2), "C4", RED, tokens="suppressed")
    game = table.attack(unit, foe, "S SA", declare={"Knife": foe}, retaliate=unit)
    assert game.dice("to hit") == [1, 2] and not unit.alive


@pytest.mark.rule("d47.attack.suppress.reactive_roll")
def test_a_suppressed_reactor_recovers_first_and_then_rolls_two_dice():
    table, unit, foe = facing_each_other("suppressed")
    game = table.activate(unit, "move", "attack", dice="AS SS SSS", move="C4", react=foe, target=foe)
    assert game.labels[:2] == ["recovery", "reaction"] and game.dice("reaction") == [2]
    assert foe.under_fire and not foe.suppressed


@pytest.mark.rule("d47.attack.suppress.reactive_one_die")
def test_still_suppressed_it_reacts_with_one_die():
    table, unit, foe = facing_each_other("suppressed")
    game = table.activate(unit, "move", "attack", dice="SS A SSS SSS", move="C4", react=foe, declare=[unit, foe])
    assert game.dice("reaction") == [1] and "reaction-attack" not in game.asked
    assert game.dice("to hit") == [3, 3]


@pytest.mark.rule("d47.attack.suppress.deferred")
def test_an_interrupted_unit_is_suppressed_only_after_its_actions():
    table, unit, foe = facing_each_other()
    unit.set(1 << 2)
    game = table.activate(unit, "move", "attack", dice="SS AS ASS A SSS", move="C4", react=foe, declare=[unit, foe])
    assert game.dice("to hit") == [3, 3]
    assert unit.suppressed and game.events[-1].rule == "d47.attack.suppress.deferred"


@pytest.mark.rule("d47.reactive.no_aircraft")
def test_aircraft_never_react_but_can_be_reacted_to():
    table = Table()
    plane = table.put(aircraft(weapon("Gun", "1/1", 6)), "C6", RED)
    unit = table.put(squad(weapon(), men=1), "C3")
    assert not table.rules.reactions.may_react(table.play, plane)
    activation = Activation(table.play, plane)
    activation.actions = ("move", "attack")
    assert table.rules.reactions.moment(activation) == 1 and unit in table.rules.reactions.reactors(table.play, plane)
