"""More actions and better moves: aces, scouts, free actions, raids, smoke, camouflage, initiative."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust.events import TokenLost
from dieselfront.rulesets.dust.state import ACTIVATED, CAMOUFLAGED, HAS_ACTIVATED_EVER, JINKING, REACTIVATED
from rulesets.dust1947.table import BLUE, RED, Table, aircraft, hero, refused, squad, support, vehicle, weapon

RIFLE = weapon("Rifle", "1/1", 8)
GUN = weapon("Gun", "2/1", 8)


# -- a third action ---------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.infantry_ace")
@pytest.mark.parametrize("die, three", [("T", True), ("A", True), ("S", False)])
def test_an_infantry_ace_and_his_squad_may_have_a_third_action(die, three):
    table = Table()
    unit = table.put(squad(RIFLE), "C3", joined=hero(skills="Infantry Ace"))
    table.put(squad(), "C6", RED)
    game = table.activate(unit, dice=die)
    menu = next(decision for decision in game.decisions if decision.key == "actions").options
    assert (("sustained", "move") in menu) is three
    assert not any("attack" in s and "sustained" in s for s in menu), "still one attack"


@pytest.mark.rule("d47.skill.infantry_ace", "d47.turn.max_three_actions")
def test_an_ace_at_the_double_has_three_actions_not_four():
    table = Table()
    unit = table.put(squad(RIFLE, skills="Infantry Ace, At the Double"), "C3")
    table.put(squad(), "C6", RED)
    game = table.activate(unit, dice="A")
    menu = next(decision for decision in game.decisions if decision.key == "actions").options
    assert ("march", "attack") in menu and ("march", "free:move") in menu
    assert ("march", "free:move", "attack") not in menu


@pytest.mark.rule("d47.skill.ace_pilot", "d47.skill.ace_air_pilot")
@pytest.mark.parametrize(
    "skill, card, rolls",
    [
        ("Ace Pilot", vehicle(GUN), 1),
        ("Ace Air Pilot", aircraft(GUN), 1),
        ("Ace Pilot", aircraft(GUN), 0),
        ("Ace Air Pilot", vehicle(GUN), 0),
    ],
)
def test_an_ace_at_the_controls_may_have_a_third_action(skill, card, rolls):
    table = Table()
    unit = table.put(card, "C3", pilot=hero(skills=skill))
    game = table.activate(unit, actions=("march", "attack") if rolls else ("march",), march="C4 N", dice="T" * rolls)
    assert game.dice(skill.lower()) == [1] * rolls


@pytest.mark.rule("d47.skill.ace_pilot", "d47.skill.sharing_table")
def test_an_ace_pilot_on_foot_is_no_ace():
    table = Table()
    unit = table.put(squad(RIFLE), "C3", joined=hero(skills="Ace Pilot"))
    assert table.activate(unit).labels == []


@pytest.mark.rule("d47.reactive.passive_skills_only", "d47.skill.infantry_ace")
def test_no_ace_roll_in_a_reaction():
    table = Table()
    mover = table.put(squad(RIFLE, men=3), "C3")
    ace = table.put(hero(RIFLE, skills="Infantry Ace"), "C6", RED)
    game = table.activate(mover, "move", "attack", move="C4", react=ace, dice="SS SSS", target=ace)
    assert game.labels == ["reaction", "to hit"]


@pytest.mark.rule("d47.skill.scout")
def test_a_scout_marches_and_attacks_in_its_first_activation_only():
    table = Table()
    scout = table.put(squad(RIFLE, men=2, skills="Scout"), "C2")
    foe = table.put(squad(men=4), "C9", RED)
    game = table.activate(scout, "march", "attack", march="C6", march_first="C4", dice="AS S", target=foe)
    assert game.hits == 1
    scout.drop(ACTIVATED)
    assert scout.is_(HAS_ACTIVATED_EVER) and ("march", "attack") not in table.menu(scout)
    assert refused(lambda: table.activate(scout, "march", "attack")).reason


@pytest.mark.rule("d47.skill.scout")
def test_a_scout_that_begins_otherwise_has_two_actions():
    table = Table()
    scout = table.put(squad(RIFLE, skills="Scout"), "C2")
    table.put(squad(), "C5", RED)
    menu = table.menu(scout)
    assert ("march", "attack") in menu and ("attack", "march") not in menu and ("move", "sustained") not in menu
    assert ("march", "attack") not in table.menu(scout, nothing_first=True)


# -- free actions -----------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.at_the_double")
def test_at_the_double_a_free_move_follows_the_march():
    table = Table()
    unit = table.put(squad(move=2, march=4, skills="At the Double"), "C1")
    table.activate(unit, "march", "free:move", march="C5", move="C7")
    assert unit.place == table.at("C7")


@pytest.mark.rule("d47.skill.move_and_fire")
def test_move_and_fire_adds_a_move_to_a_sustained_ranged_attack():
    table = Table()
    unit = table.put(squad(weapon("Rifle", "1/1", 4), men=2, skills="Move and Fire"), "C1")
    foe = table.put(squad(men=4), "C7", RED)
    game = table.activate(unit, "free:move", "ranged-sustained", move="C3", dice="AS S S", target=foe)
    assert game.hits == 1 and game.rolls[0].stages[1][0] == "re-roll"
    assert ("ranged-sustained", "free:move") in table.menu(unit)


@pytest.mark.rule("d47.skill.move_and_fire")
def test_move_and_fire_adds_a_ranged_attack_to_a_march():
    table = Table()
    unit = table.put(squad(RIFLE, men=2, skills="Move and Fire"), "C1")
    foe = table.put(squad(men=4), "C6", RED)
    assert ("free:ranged-attack", "march") in table.menu(unit)
    game = table.activate(unit, "march", "free:ranged-attack", march="C5", march_first="C3", dice="AS S", target=foe)
    assert game.hits == 1
    declared = next(decision for decision in game.decisions if decision.key == "declare")
    assert all(index >= 0 for _, index, _ in declared.items), "no close-combat weapons"


@pytest.mark.rule("d47.skill.move_and_fire", "d47.reactive.timing")
def test_the_reaction_comes_between_the_free_move_and_the_sustained_attack():
    table = Table()
    unit = table.put(squad(RIFLE, men=1, skills="Move and Fire"), "C1")
    foe = table.put(squad(RIFLE, men=1), "C6", RED)
    game = table.activate(unit, "free:move", "ranged-sustained", move="C3", react=foe, dice="SS S S", target=foe)
    assert game.labels == ["reaction", "to hit"]
    assert game.asked == ["actions", "move", "react", "declare"]


@pytest.mark.rule("d47.skill.raid", "d47.reactive.trigger_raid")
def test_a_raid_is_move_attack_move_with_the_reaction_after_the_first_move():
    table = Table()
    truck = table.put(vehicle(GUN, skills="Raid", move=3), "C1")
    foe = table.put(squad(RIFLE, men=4), "C8", RED)
    game = table.activate(truck, "special:raid", move=["C4 S", "C1 N"], react=foe, dice="SS AA SS", declare=foe)
    assert [key for key in game.asked if key != "casualty"] == ["actions", "move", "react", "declare", "move"]
    assert truck.place == table.at("C1") and len(foe.main.alive) == 2
    assert truck.is_(REACTIVATED), "it cannot be reactivated this turn"


@pytest.mark.rule("d47.skill.raid")
def test_a_suppressed_vehicle_cannot_raid():
    table = Table()
    truck = table.put(vehicle(GUN, skills="Raid"), "C1")
    assert ("special:raid",) in table.menu(truck)
    assert ("special:raid",) not in table.menu(truck, nothing_first=True)


@pytest.mark.rule("d47.skill.smoke_launchers", "d47.open.smoke_size", "d47.open.smoke_launcher_duration")
def test_smoke_launchers_screen_a_block_once_for_free():
    table = Table()
    tank = table.put(vehicle(GUN, skills="Smoke Launchers"), "C3")
    block = tuple(table.at(name) for name in ("C3", "D3", "C4", "D4"))
    menu = table.menu(tank)
    assert ("free:special:launch-smoke", "march") in menu and ("move", "free:special:launch-smoke") in menu
    table.activate(tank, "move", "free:special:launch-smoke", move="C3 N", launch_smoke=block)
    board = table.state.table
    assert board.squares_with("smoke") == tuple(sorted(block))
    assert not any("launch-smoke" in action for sequence in table.menu(tank) for action in sequence)
    table.end_turn()
    assert table.state.table.squares_with("smoke")
    table.state.turn += 1
    table.end_turn()
    assert not table.state.table.squares_with("smoke")


# -- Camouflage -------------------------------------------------------------------------------------


def hidden(table: Table, at: str, side: int = RED, **details):
    return table.put(squad(RIFLE, skills="Camouflage"), at, side, fielded=True, **details)


@pytest.mark.rule("d47.skill.camouflage_effect")
@pytest.mark.parametrize("at, legal", [("C4", True), ("C5", False)])
def test_a_camouflaged_unit_cannot_be_attacked_from_range_three(at, legal):
    table = Table()
    shooter = table.put(squad(RIFLE), "C2")
    foe = hidden(table, at)
    assert table.may_aim(shooter, "Rifle", foe) is legal
    refusal = table.rules.attacks.why_not(
        table.play, table.rules.activations.plain_attack(table.play, shooter), 0, 0, foe
    )
    assert (refusal is None) is legal


@pytest.mark.rule("d47.skill.camouflage_gain")
def test_camouflage_is_there_at_the_start_and_can_be_taken_again():
    table = Table()
    unit = hidden(table, "C2", BLUE)
    assert unit.is_(CAMOUFLAGED)
    unit.drop(CAMOUFLAGED)
    table.activate(unit, "special:camouflage")
    assert unit.is_(CAMOUFLAGED)


@pytest.mark.rule("d47.skill.camouflage_lost", "d47.open.camouflage_march")
@pytest.mark.parametrize("actions, kept", [(("move",), True), ((), True), (("march",), False), (("attack",), False)])
def test_everything_but_move_and_nothing_betrays_a_camouflaged_unit(actions, kept):
    table = Table()
    unit = hidden(table, "C2", BLUE)
    foe = table.put(squad(men=4), "C5", RED)
    dice = "SSS" if actions == ("attack",) else ""
    table.activate(unit, *actions, move="C3", march="C3", march_first="C3", dice=dice, target=foe)
    assert unit.is_(CAMOUFLAGED) is kept


@pytest.mark.rule("d47.skill.camouflage_lost")
def test_a_reactive_attack_betrays_it_too():
    table = Table()
    mover = table.put(squad(men=3), "C2")
    unit = hidden(table, "C5")
    game = table.activate(mover, "march", march="C3", march_first="C3", react=unit, dice="AS SSS", target=mover)
    assert not unit.is_(CAMOUFLAGED) and any(event.rule == "d47.skill.camouflage_lost" for event in game.of(TokenLost))


@pytest.mark.rule("d47.open.camouflage_combined", "d47.skill.camouflage_effect")
def test_a_combined_unit_hides_only_if_all_can():
    table = Table()
    shooter = table.put(squad(RIFLE), "C2")
    plain = table.put(squad(), "C6", RED, joined=hero(skills="Camouflage"), fielded=True)
    both = hidden(table, "E6", joined=hero(skills="Camouflage"))
    assert table.may_aim(shooter, "Rifle", plain) and not table.may_aim(shooter, "Rifle", both)


@pytest.mark.rule("d47.open.camouflage_area")
def test_an_area_attack_beside_it_reaches_a_camouflaged_unit():
    table = Table()
    gun = table.put(support(weapon("Mortar", "1/1", "4-12", "Artillery")), "C2")
    foe = hidden(table, "C7")
    points = {aim[0] for aim in table.aims(gun, "Mortar")}
    assert table.at("C7") not in points and table.at("C8") in points
    near = {"Mortar": lambda aim: aim[0] == table.at("C8") and table.at("C7") in aim[2] and "area" in aim}
    table.attack(gun, dice="A", declare=near)
    assert len(foe.main.alive) == 2


@pytest.mark.rule("d47.open.skills_not_in_source")
@pytest.mark.parametrize("rules, kept", [("Stealth", True), ("", False)])
def test_a_stealthy_weapon_does_not_betray_its_user(rules, kept):
    table = Table()
    maggie = table.put(hero(weapon("Crossbow", "1/1", 4, rules), skills="Camouflage"), "C2", fielded=True)
    foe = table.put(squad(men=4), "C5", RED)
    table.activate(maggie, "attack", dice="S", target=foe)
    assert maggie.is_(CAMOUFLAGED) is kept


# -- the rest ---------------------------------------------------------------------------------------


@pytest.mark.rule("d47.open.skills_not_in_source")
def test_crazy_jimmy_is_in_cover_after_a_march_until_he_activates_again():
    table = Table()
    jeep = table.put(vehicle(damage=9), "C3", pilot=hero(skills="Pilot, Crazy Jimmy"))
    gunner = table.put(hero(GUN), "C8", RED)
    table.activate(jeep, "march", march="C4 N", march_first="C4")
    assert jeep.is_(JINKING)
    assert table.attack(gunner, jeep, dice="AA AA").dice("cover save") == [2]
    table.activate(jeep, dice="SS")
    assert not jeep.is_(JINKING)


@pytest.mark.rule("d47.skill.black_ops")
def test_black_ops_rolls_four_initiative_dice_while_the_hero_lives():
    table = Table()
    joe = table.put(squad(), "C3", joined=hero(skills="Black Ops", damage=1))
    dice = table.rules.turn.initiative_dice
    assert dice(table.play, BLUE) == 4 and dice(table.play, RED) == 3
    gunner = table.put(hero(weapon("Gun", "1/1", 8)), "C7", RED)
    table.attack(gunner, joe, dice="A S", divide_hits=1)
    assert dice(table.play, BLUE) == 3
