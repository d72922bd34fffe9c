"""Coming from nowhere: airborne landings, spies, artillery observers."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust.events import Happened, Scored
from dieselfront.rulesets.dust.hooks import ask
from dieselfront.rulesets.dust.state import ACTIVATED, CAMOUFLAGED, HIDDEN, LANDED
from rulesets.dust1947.table import BLUE, RED, Table, hero, kill, refused, squad, support, vehicle, weapon

RIFLE = weapon("Rifle", "1/1", 8)
MORTAR = weapon("Mortar", "2/1", "4-12", "Artillery")


# -- airborne ---------------------------------------------------------------------------------------


def paras(table: Table, **details):
    return table.put(squad(RIFLE, men=2, skills="Airborne"), "", **details)


def spots(game) -> set[int]:
    return set(next(decision for decision in game.decisions if decision.key == "land").spots)


@pytest.mark.rule("d47.skill.airborne_entry", "d47.open.airborne_objective_distance", "d47.open.airborne_first_turn")
def test_paratroopers_land_away_from_objectives_in_their_own_activation():
    table = Table("building from H8 to I9 with 1 floors", "trees at C9", "water at B9", objectives={"mid": "F6"})
    unit = paras(table)
    assert unit not in table.rules.setup.to_place(table.play, BLUE)
    game = table.activate(unit, land="F9", dice="S")
    legal = spots(game)
    assert unit.place == table.at("F9") and unit.is_(LANDED)
    assert table.at("F8") not in legal and table.at("F9") in legal, "range 2 of an objective is too near"
    assert table.at("C9") in legal and table.at("B9") not in legal
    assert table.at("H8+1") in legal and table.at("H8") not in legal, "on top of a building, not inside"


@pytest.mark.rule("d47.skill.airborne_entry")
def test_an_airborne_vehicle_does_not_land_on_a_roof():
    table = Table("building from H8 to I9 with 1 floors")
    tank = table.put(vehicle(skills="Airborne"), "")
    assert table.at("H8+1") not in spots(table.activate(tank, land="C5 N", dice="S"))


@pytest.mark.rule("d47.skill.airborne_actions")
@pytest.mark.parametrize("die, menu", [("S", [()]), ("T", None), ("A", None)])
def test_after_landing_comes_nothing_and_on_shield_nothing_again(die, menu):
    table = Table()
    unit = paras(table)
    foe = table.put(squad(men=4), "C7", RED)
    if menu:
        game = table.activate(unit, land="C5", dice=die)
        assert "actions" not in game.asked
    else:
        game = table.activate(unit, "attack", land="C5", dice=f"{die} AA SS", target=foe)
        assert game.hits == 2
        offered = next(decision for decision in game.decisions if decision.key == "actions").options
        assert ("march",) not in offered and ("move", "attack") not in offered


@pytest.mark.rule("d47.skill.airborne_objective")
def test_who_lands_takes_no_objective_that_turn():
    table = Table(objectives={"mid": "F6"})
    unit = paras(table)
    table.activate(unit, "move", land="F9", move="F8", dice="A")
    table.rules.ground.put(table.state, unit, table.at("F6"), None)
    holder = table.rules.victory.holder
    assert holder(table.play, table.state.objectives[0]) is None
    unit.drop(LANDED)
    assert holder(table.play, table.state.objectives[0]) == BLUE


@pytest.mark.rule("d47.open.skills_not_in_source")
def test_quick_recovery_lets_infantry_act_at_once():
    table = Table()
    unit = table.put(squad(RIFLE, skills="Airborne"), "", joined=hero(skills="Airborne, Quick Recovery"))
    table.activate(unit, "march", land="C5", march="C9", march_first="C7")
    assert unit.place == table.at("C9")
    tank = table.put(vehicle(skills="Airborne"), "", pilot=hero(skills="Pilot, Quick Recovery"))
    assert table.activate(tank, land="F5 N", dice="S").labels == ["landing"]


# -- spies ------------------------------------------------------------------------------------------


def spy(table: Table, **details):
    return table.put(hero(RIFLE, skills="Spy", points=12), "", **details)


@pytest.mark.rule("d47.skill.spy_options")
@pytest.mark.parametrize("stays", [True, False])
def test_a_spy_may_stay_off_the_board_or_deploy(stays):
    table = Table()
    unit = spy(table)
    table.put(squad(), "C9", RED)
    answers = {} if stays else {"deploy": "C1 S"}
    table.run(table.rules.setup.deploy(table.play), stay_off=stays, **answers)
    assert unit.is_(HIDDEN) is stays and unit.on_board is not stays
    assert table.rules.setup.to_place(table.play, BLUE) == []


@pytest.mark.rule("d47.skill.spy_options", "d47.turn.pass", "d47.open.elimination_offboard")
def test_a_hidden_spy_counts_among_the_units_left_and_does_nothing():
    table = Table()
    unit = spy(table, tokens="hidden")
    assert unit in table.rules.turn.waiting(table.play, BLUE)
    assert table.rules.victory.has_units(table.play, BLUE)
    table.put(squad(), "C9", RED)
    game = table.activate(unit, spy_revealed=False)
    assert game.labels == [] and unit.is_(HIDDEN) and unit.activated


@pytest.mark.rule("d47.skill.spy_revealed")
@pytest.mark.parametrize("dice, actions", [("AS", 1), ("AA", 2), ("ST", 0)])
def test_spy_revealed(dice, actions):
    table = Table()
    unit = spy(table, tokens="hidden")
    foe = table.put(squad(men=3), "C7", RED)
    answers = {"spy_revealed": True, "spy_appears": "C6"}
    if actions:
        game = table.activate(unit, "attack", dice=dice + " S", target=foe, declare={"Rifle": foe}, **answers)
        assert unit.place == table.at("C6") and not unit.is_(HIDDEN)
        appears = next(decision for decision in game.decisions if decision.key == "spy-appears")
        assert set(appears.spots) == set(table.state.table.neighbours(table.at("C7"))), "beside an enemy"
        offered = next(decision for decision in game.decisions if decision.key == "actions").options
        assert (("march",) in offered) is (actions == 2)
    else:
        table.activate(unit, dice=dice, **answers)
        assert unit.is_(HIDDEN) and not unit.on_board


@pytest.mark.rule("d47.skill.spy_untouchable")
def test_no_order_reaches_a_hidden_spy():
    table = Table()
    unit = spy(table, tokens="hidden")
    assert ask(unit.effects, "on_ordered", None, "get-moving", unit) is not None
    unit.drop(HIDDEN)
    assert ask(unit.effects, "on_ordered", None, "get-moving", unit) is None


@pytest.mark.rule("d47.skill.spy_end")
def test_a_spy_who_never_came_counts_as_destroyed():
    table = Table(turns=1)
    spy(table, tokens="hidden")
    table.put(squad(), "C3")
    table.put(squad(), "C9", RED)
    game = table.end_turn()
    assert table.state.winner == RED
    assert [event.points for event in game.of(Scored) if event.rule == "d47.skill.spy_end"] == [12]


@pytest.mark.rule("d47.skill.spy_not_shared")
def test_a_spy_in_a_squad_deploys_with_it():
    table = Table()
    unit = table.put(squad(), "", joined=hero(skills="Spy"))
    assert table.rules.setup._manner(table.play, unit) == "place"


# -- artillery observers ------------------------------------------------------------------------------


def observers(table: Table, at: str, **details):
    return table.put(squad(RIFLE, men=2, skills="Artillery Observer, Camouflage", roles={1: "radio"}), at, **details)


def at(table: Table, name: str):
    """Aim the mortar so that its point is this square."""
    return {"Mortar": lambda aim: aim[0] == table.at(name) and "area" in aim}


@pytest.mark.rule("d47.skill.artillery_observer_fire")
def test_an_observer_brings_down_the_fire_of_a_battery_that_has_not_activated():
    table = Table()
    eyes = observers(table, "C6")
    battery = table.put(support(MORTAR), "C2")
    foe = table.put(squad(men=5), "C9", RED)
    game = table.activate(eyes, "special:call-attack", dice="AA", declare=at(table, "C9"))
    assert game.hits == 2 and len(foe.main.alive) == 3
    assert battery.activated
    eyes.drop(ACTIVATED)
    assert not any("call" in action for sequence in table.menu(eyes) for action in sequence)


@pytest.mark.rule("d47.skill.artillery_observer_fire", "d47.action.sustained")
def test_a_sustained_call_is_a_sustained_attack_of_the_battery():
    table = Table()
    eyes = observers(table, "C6")
    table.put(support(MORTAR), "C2")
    table.put(squad(men=5), "C9", RED)
    game = table.activate(eyes, "special:call-sustained-attack", dice="AS A", declare=at(table, "C9"))
    assert game.hits == 2


@pytest.mark.rule("d47.skill.artillery_observer_los", "d47.weapon.artillery_indirect", "d47.weapon.artillery_min_range")
def test_the_observer_sees_and_the_battery_measures():
    table = Table("structure from A5 to L5", size=(12, 16))
    eyes = observers(table, "C6")
    battery = table.put(support(MORTAR), "C2")
    assert table.aims(battery, "Mortar") != [] and not any(
        aim[0] == table.at("C8") for aim in table.aims(battery, "Mortar")
    )
    seen = {aim[0] for aim in table.aims(battery, "Mortar", by_observer=eyes)}
    assert table.at("C8") in seen
    assert table.at("C15") not in seen, "out of range of the battery"
    assert table.at("C4") not in seen and table.at("C3") not in seen, "unseen by the observer, or too near"


@pytest.mark.rule("d47.skill.artillery_observer_reload")
@pytest.mark.parametrize("loaded", [True, False])
def test_a_called_battery_may_reload_before_or_after_an_attack(loaded):
    table = Table()
    eyes = observers(table, "C6")
    battery = table.put(support(weapon("Mortar", "2/1", "4-12", "Artillery, Reload")), "C2")
    table.put(squad(men=5), "C9", RED)
    if not loaded:
        battery.main.unload(0, 0)
    answers = {"reload": True} if loaded else {}
    game = table.activate(eyes, "special:call-attack", dice="AA", declare=at(table, "C9"), **answers)
    assert game.hits == 2
    assert battery.main.is_loaded(0) is loaded


@pytest.mark.rule("d47.skill.artillery_observer_reload")
def test_an_empty_battery_cannot_be_called_for_a_sustained_attack():
    table = Table()
    eyes = observers(table, "C6")
    battery = table.put(support(weapon("Mortar", "2/1", "4-12", "Artillery, Reload")), "C2")
    table.put(squad(men=5), "C9", RED)
    assert ("special:call-sustained-attack",) in table.menu(eyes)
    battery.main.unload(0, 0)
    assert ("special:call-sustained-attack",) not in table.menu(eyes)
    assert ("special:call-attack",) in table.menu(eyes), "an ATTACK leaves time to load first"


@pytest.mark.rule("d47.skill.artillery_observer_fire", "d47.skill.artillery_observer_los")
def test_only_a_battery_that_can_shoot_at_something_is_called():
    table = Table("structure from A15 to L15", size=(12, 20))
    eyes = observers(table, "C20")
    far, near = table.put(support(MORTAR), "C2"), table.put(support(MORTAR), "C10")
    table.activate(eyes, "special:call-attack", declare=at(table, "C17"))
    assert near.activated and not far.activated, "the far one reaches nothing that is seen"


@pytest.mark.rule("d47.skill.artillery_observer_fire", "d47.turn.declare_all")
def test_a_call_that_no_battery_can_answer_needs_a_move_first_and_may_be_lost():
    table = Table("structure from A15 to L15", size=(12, 24))
    eyes = observers(table, "C20")
    battery = table.put(support(MORTAR), "C2")
    assert ("special:call-attack",) not in table.menu(eyes)
    game = table.activate(eyes, "move", "special:call-attack", move="C22")
    assert not battery.activated and game.of(Happened)[-1].rule == "d47.turn.declare_all"


@pytest.mark.rule("d47.skill.artillery_observer_radio")
def test_without_the_radio_man_there_are_no_calls():
    table = Table()
    eyes = observers(table, "C6")
    table.put(support(MORTAR), "C2")
    assert ("special:call-attack",) in table.menu(eyes)
    kill(eyes, 1)
    assert ("special:call-attack",) not in table.menu(eyes)


@pytest.mark.rule("d47.skill.camouflage_lost", "d47.skill.artillery_observer_fire")
def test_a_call_for_fire_betrays_nobody():
    table = Table()
    eyes = observers(table, "C6", fielded=True)
    table.put(support(MORTAR), "C2")
    table.put(squad(men=5), "C9", RED)
    table.activate(eyes, "special:call-attack", dice="SS", declare=at(table, "C9"))
    assert eyes.is_(CAMOUFLAGED)


@pytest.mark.rule("d47.open.observer_battery_tokens")
@pytest.mark.parametrize("dice, call, hits", [("SS AA", "call-attack", 2), ("SS", "call-sustained-attack", 0)])
def test_a_suppressed_battery_loses_an_action(dice, call, hits):
    table = Table()
    eyes = observers(table, "C6")
    battery = table.put(support(weapon("Mortar", "2/1", "4-12", "Artillery, Reload")), "C2", tokens="suppressed")
    table.put(squad(men=5), "C9", RED)
    game = table.activate(eyes, f"special:{call}", dice=dice, declare=at(table, "C9"))
    assert game.hits == hits and "reload" not in game.asked, "no RELOAD, no SUSTAINED ATTACK"
    assert battery.suppressed


@pytest.mark.rule("d47.turn.one_move_one_attack", "d47.skill.artillery_observer_fire")
def test_a_call_is_the_observers_attack():
    table = Table()
    eyes = observers(table, "C6")
    table.put(support(MORTAR), "C2")
    table.put(squad(men=5), "C9", RED)
    menu = table.menu(eyes)
    assert ("move", "special:call-attack") in menu and ("special:call-attack", "move") in menu
    assert not any("attack" in s and any("call" in action for action in s) for s in menu)
    assert refused(lambda: table.activate(eyes, "attack", "special:call-attack")).reason
