"""Rulings on open questions that no other chapter's tests show (d47.open.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust.events import TokenGained
from rulesets.dust1947.table import RED, Table, aircraft, hero, knife, squad, vehicle, weapon


def rifles(men: int = 2, **more: object):
    return squad(weapon("Rifle", "1/1", 6), men=men, **more)


@pytest.mark.rule("d47.open.reactive_roll_moment")
def test_a_reaction_is_announced_measured_and_rolled_after_the_first_action():
    table = Table()
    unit = table.put(rifles(move=2), "C3")
    foe = table.put(rifles(), "C9", RED)  # out of reach before the move, within four after it
    game = table.activate(unit, "move", "attack", move="C5", react=foe, dice="SS SS", declare=foe)
    assert game.asked == ["actions", "move", "react", "declare"]
    assert game.labels[0] == "reaction"


@pytest.mark.rule("d47.open.reactive_underfire")
def test_a_reactor_under_fire_recovers_too_and_keeps_two_dice():
    table = Table()
    unit = table.put(rifles(), "C3")
    foe = table.put(rifles(), "C6", RED, tokens="under fire")
    game = table.activate(unit, "move", "attack", move="C4", react=foe, dice="SS SS SS", declare=foe)
    assert game.labels[:2] == ["recovery", "reaction"] and game.dice("reaction") == [2]


@pytest.mark.rule("d47.open.los_large_target")
def test_a_large_target_is_measured_to_its_nearest_square_and_seen_by_any():
    table = Table("structure at C5")
    unit = table.put(squad(weapon("Rifle", "1/1", 4), men=1), "C3")
    tank = table.put(vehicle(size="large", locomotion="tracked"), "D6", RED, facing="north")
    line = table.shots(unit, "Rifle", tank)[0].line
    assert line.distance == 3 and line.visible and line.cover, "the hidden rear square counts as covered"


@pytest.mark.rule("d47.open.blast_multi")
def test_two_blast_symbols_roll_two_dice_a_miniature():
    table = Table()
    unit = table.put(hero(weapon("Rockets", "**/1", 6)), "C3")
    assert table.plan(unit, "Rockets", table.put(squad(men=4), "C6", RED)).dice == 8


@pytest.mark.rule("d47.open.blast_mixed")
def test_in_a_mixed_square_everybody_meets_his_own_column():
    table = Table()
    unit = table.put(hero(weapon("Shell", "S */1, V 4/2", 6)), "C3")
    walker = table.put(vehicle(damage=9), "C6", RED)
    table.put(hero(), "C6", RED)
    game = table.attack(unit, walker, "SSSS S")
    assert sorted(game.dice("to hit")) == [1, 4]


@pytest.mark.rule("d47.open.suppression_steps")
def test_one_attack_moves_a_target_up_one_step_only():
    table = Table()
    unit = table.put(squad(weapon("Rifle", "1/1", 6), weapon("Pistol", "1/1", 6), men=1), "C3")
    foe = table.put(squad(men=5), "C6", RED)
    game = table.attack(unit, foe, "A A A A")
    assert [event.token for event in game.of(TokenGained)] == ["under fire"]


@pytest.mark.rule("d47.open.suppression_declare_order")
def test_rolls_come_before_the_actions_are_declared():
    table = Table()
    unit = table.put(rifles(skills="Infantry Ace"), "C3", tokens="suppressed")
    game = table.activate(unit, "move", dice="A SS", move="C4")
    assert len(game.labels) == 2 and game.labels[1] == "recovery"
    declared = next(place for place, event in enumerate(game.events) if hasattr(event, "actions"))
    rolled = [place for place, event in enumerate(game.events) if hasattr(event, "stages")]
    assert max(rolled) < declared


@pytest.mark.rule("d47.open.suppression_deferred_underfire")
def test_under_fire_waits_too_while_a_unit_is_interrupted():
    table = Table()
    unit = table.put(rifles(), "C3")
    foe = table.put(rifles(), "C6", RED)
    game = table.activate(unit, "move", "attack", move="C4", react=foe, dice="AS AS A SS", declare=[unit, foe])
    gained = [event for event in game.of(TokenGained) if event.unit == unit.id]
    assert [event.rule for event in gained] == ["d47.attack.suppress.deferred"] and unit.under_fire
    assert game.events.index(gained[0]) > max(i for i, event in enumerate(game.events) if hasattr(event, "stages"))


@pytest.mark.rule("d47.open.red_banner_rally")
def test_the_red_banner_helps_an_officers_rally():
    table = Table()
    boss = table.put(hero(weapon(), skills="Officer"), "C3")
    shaken = table.put(rifles(), "C4", tokens="suppressed")
    table.put(rifles(skills="Red Banner"), "C5")
    game = table.activate(boss, "special:rally", dice="SSS", rally="near")
    assert game.dice("rally") == [3] and shaken.suppressed


@pytest.mark.rule("d47.open.infantry_all_weapons")
def test_a_soldier_uses_every_weapon_the_card_gives_him():
    table = Table()
    unit = table.put(squad(weapon("Rifle", "1/1", 6), weapon("Pistol", "2/1", 6), men=1), "C3")
    game = table.attack(unit, table.put(squad(men=5), "C6", RED), "S SS")
    assert game.dice("to hit") == [1, 2]


@pytest.mark.rule("d47.open.cc_adjacent_targets")
def test_blows_may_be_split_and_everybody_struck_strikes_back():
    table = Table()
    unit = table.put(squad(knife(), men=2), "C3")
    one, two = table.put(squad(knife(), men=1), "C4", RED), table.put(squad(knife(), men=1), "D4", RED)
    game = table.attack(unit, None, "S S S S", declare={"Knife": [one, two]}, retaliate=[unit, unit])
    assert game.asked.count("retaliate") == 2 and len(game.rolls) == 4


@pytest.mark.rule("d47.open.activation_limit_with_three")
def test_a_third_action_keeps_the_limits():
    table = Table()
    unit = table.put(rifles(), "C3")
    table.put(squad(), "C5", RED)
    menu = table.menu(unit, budget=3)
    assert ("march", "attack") in menu and ("sustained", "move") in menu
    assert ("attack", "move", "attack") not in menu and ("move", "attack", "move") not in menu


@pytest.mark.rule("d47.open.superhuman_vs_command")
def test_superhumans_can_be_rallied_or_sent_on():
    table = Table()
    boss = table.put(hero(weapon(), skills="Officer"), "C3")
    giant = table.put(hero(weapon(), skills="Superhuman"), "C4", tokens="activated")
    assert giant in table.rules.command.to_reactivate(table.play, boss)


@pytest.mark.rule("d47.open.arc_origin")
def test_side_guns_of_a_large_vehicle_fire_from_any_own_square():
    table = Table("structure at D5")
    tank = table.put(
        vehicle(weapon("Sponson", "1/1", 4, mount="left"), size="large", locomotion="tracked"), "E5", facing="north"
    )
    west = table.put(squad(), "B6", RED)  # hidden from the front square, seen from the rear one
    assert table.may_aim(tank, "Sponson", west)


@pytest.mark.rule("d47.open.suppressed_aircraft")
def test_a_suppressed_aircraft_does_nothing_and_then_moves():
    table = Table()
    plane = table.put(aircraft(weapon("Gun", "1/1", 6)), "C3", tokens="suppressed")
    table.put(squad(), "C6", RED, tokens="activated")
    assert table.menu(plane, nothing_first=True) == [("move",)]
    table.activate(plane, dice="SS", move="C5 N")
    assert plane.where == (table.at("C5"),)
    copter = table.put(aircraft(weapon("Gun", "1/1", 6), skills="Helicopter"), "G3", tokens="suppressed")
    assert {("attack",), ("move",), ()} <= set(table.menu(copter, nothing_first=True))


@pytest.mark.rule("d47.open.stimulants_reaction")
def test_a_reaction_wastes_the_stimulants():
    table = Table()
    unit = table.put(rifles(), "C3")
    foe = table.put(rifles(), "C6", RED, tokens="stimulated")
    game = table.activate(unit, "move", "attack", move="C4", react=foe, dice="SS SS", declare=foe)
    assert "stimulants" not in game.labels and "stimulated" not in foe.tokens()


@pytest.mark.rule("d47.setup.scenario_and_points")
def test_a_list_beyond_the_limit_is_rejected():
    from dieselfront.forces.armies import army_from
    from dieselfront.forces.army_check import check_army

    def listed(points: int):
        units = [{"card": "allies-ranger-recon-squad"}, {"card": "allies-ranger-recon-squad"}]
        return army_from({"ruleset": "dust1947", "name": "x", "bloc": "Allies", "points": points, "units": units})

    cost = check_army(listed(999)).points
    assert check_army(listed(cost)).ok
    assert not check_army(listed(cost - 1)).ok
