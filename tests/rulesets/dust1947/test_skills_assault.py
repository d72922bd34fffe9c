"""Close quarters: Charge, Berserk, First Strike, Assassin, shields, Devour, Execute, Interrogate."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust1947.damage import SINGLE
from rulesets.dust1947.table import BLUE, RED, Table, hero, knife, squad, weapon

RIFLE = weapon("Rifle", "1/1", 6)
SWORD = knife("2/1", name="Sword")


def fight(table: Table, attacker, defender, dice: str, back: str = "", **answers):
    """An attack with every blade, answered with one if `back` names it."""
    if back:
        answers.setdefault("retaliate", {back: attacker})
    return table.attack(attacker, defender, dice=dice, **answers)


# -- Charge -----------------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.charge")
def test_a_charge_is_a_free_close_attack_after_a_march():
    table = Table()
    unit = table.put(squad(RIFLE, SWORD, men=1, skills="Charge"), "C2")
    foe = table.put(squad(men=4), "C6", RED)
    game = table.activate(
        unit, "march", "free:close-attack", march_first="C4", march="C5", dice="AA", target=foe, react=None
    )
    assert game.hits == 2 and game.dice("to hit") == [2], "rifles stay silent"
    assert ("move", "free:close-attack") not in table.menu(unit)


@pytest.mark.rule("d47.skill.charge", "d47.turn.max_three_actions")
def test_charge_and_at_the_double_do_not_add_up_to_four_actions():
    table = Table()
    unit = table.put(squad(RIFLE, skills="Charge, At the Double"), "C2")
    menu = table.menu(unit)
    assert ("march", "free:move") in menu and ("march", "free:close-attack") in menu
    assert not any(len(sequence) > 2 for sequence in menu)
    assert all(s.count("march") == 0 or len(s) <= 2 for s in table.menu(unit, budget=3))


@pytest.mark.rule("d47.skill.charge", "d47.reactive.trigger_march", "d47.open.reactive_three_actions_charge")
def test_the_reaction_to_a_charge_comes_before_it_lands():
    table = Table()
    unit = table.put(squad(SWORD, men=3, skills="Charge"), "C2")
    foe = table.put(squad(weapon("Gun", "2/1", 6), men=1), "C6", RED)
    game = table.activate(
        unit,
        *("march", "free:close-attack"),
        march_first="C4",
        march="C5",
        react=foe,
        dice="AS AA SS AS",
        declare=[unit, foe],
    )
    assert [roll.label for roll in game.rolls] == ["reaction", "to hit", "infantry save", "to hit"]
    assert game.dice("to hit") == [2, 2], "only one of three is left to charge home"


# -- Berserk ----------------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.berserk")
def test_every_hit_of_a_berserk_gives_another_die():
    table = Table()
    rhino = table.put(hero(knife("2/1"), skills="Berserk"), "C4")
    foe = table.put(squad(men=5), "C5", RED)
    assert fight(table, rhino, foe, "AS A A S").hits == 3


@pytest.mark.rule("d47.skill.berserk", "d47.skill.expert")
def test_the_extra_faces_of_an_expert_count_on_the_first_roll_only():
    table = Table()
    rhino = table.put(hero(knife("2/1", "Expert"), skills="Berserk"), "C4")
    foe = table.put(squad(men=5), "C5", RED)
    assert fight(table, rhino, foe, "TT AT T").hits == 3


@pytest.mark.rule("d47.skill.berserk", "d47.action.sustained", "d47.open.chain_stacking", "d47.weapon.cutting")
def test_a_sustained_berserk_with_a_chainsaw_rerolls_initial_misses_and_rolls_one_die_a_hit():
    table = Table()
    rhino = table.put(hero(knife("2/1", "Cutting"), skills="Berserk"), "C4")
    foe = table.put(squad(men=5), "C5", RED)
    game = fight(table, rhino, foe, "AS A SS", sustained=True)
    assert game.hits == 2
    assert [stage for stage, _ in game.rolls[0].stages] == ["roll", "re-roll", "chain"]


@pytest.mark.rule("d47.skill.berserk", "d47.skill.sharing_table", "d47.open.retaliation_skills")
def test_berserk_is_for_the_hero_alone_and_works_when_striking_back():
    table = Table()
    attacker = table.put(hero(SWORD, damage=9), "C4")
    unit = table.put(squad(knife("1/1"), men=1), "C5", RED, joined=hero(knife("1/1", name="Axe"), skills="Berserk"))
    fight(table, attacker, unit, "SS A", retaliate={"Knife": attacker, "Axe": None})
    assert attacker.main.damage == 1, "no further die for the squad"
    fight(table, attacker, unit, "SS A A S", retaliate={"Knife": None, "Axe": attacker})
    assert attacker.main.damage == 3


# -- First Strike -----------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.first_strike")
def test_those_who_fall_to_a_first_strike_do_not_strike_back():
    table = Table()
    swords = table.put(squad(knife("1/1"), men=3, skills="First Strike"), "C4")
    foe = table.put(squad(knife("1/1", name="Axe"), men=3), "C5", RED)
    game = fight(table, swords, foe, "AAS S", back="Axe")
    assert game.dice("to hit") == [3, 1]


@pytest.mark.rule("d47.skill.first_strike")
def test_a_first_striker_is_first_when_struck_too():
    table = Table()
    brutes = table.put(squad(knife("1/1"), men=3), "C4")
    foe = table.put(squad(knife("1/1", name="Axe"), men=2, skills="First Strike"), "C5", RED)
    game = fight(table, brutes, foe, "AA S", back="Axe")
    assert game.dice("to hit") == [2, 1]


@pytest.mark.rule("d47.skill.first_strike", "d47.skill.sharing_table")
def test_a_first_strike_hero_strikes_before_his_own_squad():
    table = Table()
    unit = table.put(squad(knife("1/1"), men=1), "C4", joined=hero(knife("1/1", name="Sword"), skills="First Strike"))
    foe = table.put(squad(knife("1/1", name="Axe"), men=2), "C5", RED)
    game = fight(table, unit, foe, "A A S", retaliate={"Axe": unit})
    assert [event.weapon for event in game.events if hasattr(event, "weapon") and hasattr(event, "dice")] == [
        "Sword",
        "Knife",
        "Axe",
    ]
    assert game.dice("to hit") == [1, 1, 1], "one enemy fell to the hero, the other strikes with the squad"


@pytest.mark.rule("d47.skill.first_strike_both")
def test_two_first_strikers_fight_at_the_same_moment():
    table = Table()
    one = table.put(hero(knife("2/1"), skills="First Strike", damage=2), "C4")
    other = table.put(hero(knife("2/1", name="Axe"), skills="First Strike", damage=2), "C5", RED)
    fight(table, one, other, "AA AA", back="Axe")
    assert not one.alive and not other.alive


@pytest.mark.rule("d47.skill.first_strike_stun", "d47.weapon.tesla_stun")
def test_whom_a_first_strike_stuns_cannot_strike_back():
    table = Table()
    zapper = table.put(hero(knife("1/1", "Tesla"), skills="First Strike"), "C4")
    foe = table.put(squad(knife("1/1", name="Axe"), men=3), "C5", RED)
    game = fight(table, zapper, foe, "A", back="Axe")
    assert foe.tokens() == ["stunned"] and game.dice("to hit") == [1]


@pytest.mark.rule("d47.weapon.tesla_stun", "d47.attack.cc.simultaneous")
def test_an_ordinary_tesla_blade_stuns_only_after_both_have_struck():
    table = Table()
    zapper = table.put(hero(knife("1/1", "Tesla"), damage=9), "C4")
    foe = table.put(squad(knife("1/1", name="Axe"), men=3), "C5", RED)
    game = fight(table, zapper, foe, "A ASS", back="Axe")
    assert game.dice("to hit") == [1, 3] and zapper.main.damage == 1 and "stunned" in foe.tokens()


# -- Assassin and shields -----------------------------------------------------------------------------


def target_squad(table: Table, **details):
    team = squad(RIFLE, weapon("Bazooka", "1/3", 4, count=1), men=4)
    return table.put(team, "C5", RED, **details)


@pytest.mark.rule("d47.skill.assassin")
def test_an_assassin_picks_the_bazooka_but_not_the_leader():
    table = Table()
    ozz = table.put(hero(SWORD, skills="Assassin"), "C4")
    foe = target_squad(table)
    game = fight(table, ozz, foe, "AS", casualty="Bazooka")
    assert foe.main.alive == (0, 1, 2), "soldier 3 carried the bazooka"
    decision = next(decision for decision in game.decisions if decision.key == "casualty")
    assert decision.player == BLUE and 0 not in decision.options


@pytest.mark.rule("d47.skill.assassin", "d47.open.squad_leader_combined")
def test_with_a_hero_in_the_squad_its_leader_is_an_ordinary_soldier_and_the_hero_fair_game():
    table = Table()
    ozz = table.put(hero(SWORD, skills="Assassin"), "C4")
    foe = target_squad(table, joined=hero(damage=3))
    fight(table, ozz, foe, "AA", divide_hits=1, casualty=lambda decision: 0)
    assert foe.parts[1].damage == 1 and 0 not in foe.main.alive


@pytest.mark.rule("d47.skill.assassin", "d47.open.retaliation_skills")
def test_an_assassin_who_strikes_back_does_not_choose():
    table = Table()
    attackers = table.put(squad(knife("1/1"), RIFLE, men=3), "C4")
    ozz = table.put(hero(SWORD, skills="Assassin", damage=9), "C5", RED)
    game = fight(table, attackers, ozz, "SSS AS", retaliate={"Sword": attackers}, declare={"Knife": ozz})
    assert [d.player for d in game.decisions if d.key == "casualty"] == [BLUE]


@pytest.mark.rule("d47.skill.assault_shield")
def test_hits_on_the_shield_are_cancelled_on_army_or_cost_the_leader():
    table = Table()
    brute = table.put(hero(SWORD), "C4")
    guards = table.put(squad(men=3, skills="Assault Shield", roles={0: "shield"}), "C5", RED)
    game = fight(table, brute, guards, "AA A T", assault_shield=[True, True])
    assert game.labels == ["to hit", "assault shield", "assault shield"]
    assert guards.main.alive == (1, 2)


@pytest.mark.rule("d47.skill.assault_shield")
def test_the_owner_need_not_use_the_shield_and_bullets_ignore_it():
    table = Table()
    brute = table.put(hero(SWORD, RIFLE), "C4")
    guards = table.put(squad(men=4, skills="Assault Shield", roles={0: "shield"}), "C5", RED)
    game = fight(table, brute, guards, "A S AA", assault_shield=False, casualty=lambda decision: decision.options[-1])
    assert "assault shield" not in game.labels and len(guards.main.alive) == 1
    assert game.asked.count("assault-shield") == 1


@pytest.mark.rule("d47.skill.assault_shield", "d47.skill.damage_resilient")
def test_a_hit_past_the_shield_may_still_be_shrugged_off():
    table = Table()
    brute = table.put(hero(SWORD), "C4")
    guards = table.put(squad(men=3, skills="Assault Shield, Damage Resilient", roles={0: "shield"}), "C5", RED)
    fight(table, brute, guards, "AS T A", assault_shield=True)
    assert guards.main.alive == (0, 1, 2)


# -- Devour -----------------------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.devour")
@pytest.mark.parametrize("striking_back", [False, True])
def test_devouring_heals_before_the_blows_of_the_same_moment(striking_back):
    table = Table()
    lilith = table.put(hero(knife("3/1", name="Bite"), skills="Devour", damage=4), "C4", RED if striking_back else BLUE)
    lilith.main.damage = 3
    foe = table.put(squad(knife("1/1"), men=3), "C5", BLUE if striking_back else RED)
    if striking_back:
        fight(table, foe, lilith, "AAS AAS", back="Bite")
    else:
        fight(table, lilith, foe, "AAS AAS", back="Knife")
    assert lilith.main.damage == 3, "two healed, two taken"


@pytest.mark.rule("d47.skill.devour", "d47.skill.first_strike")
def test_a_first_strike_hurts_before_the_meal():
    table = Table()
    lilith = table.put(hero(knife("3/1", name="Bite"), skills="Devour", damage=4), "C4")
    lilith.main.damage = 3
    table.put(squad(knife("1/1"), men=3, skills="First Strike"), "C5", RED)
    fight(table, lilith, table.state.by_id["b1"], "ASS", back="Knife")
    assert not lilith.alive


# -- Execute and Interrogate --------------------------------------------------------------------------


@pytest.mark.rule("d47.skill.execute")
def test_a_stunned_enemy_beside_it_is_executed_without_a_roll():
    table = Table()
    tina = table.put(hero(skills="Execute"), "C4")
    foe = table.put(squad(men=2), "C5", RED, joined=hero(damage=4), tokens="stunned")
    table.activate(tina, "special:execute", execute=lambda d: next(o for o in d.options if o[2] == SINGLE))
    assert len(foe.parts) == 1 and len(foe.main.alive) == 2


@pytest.mark.rule("d47.skill.execute")
def test_only_stunned_units_within_range_one_can_be_executed():
    table = Table()
    tina = table.put(hero(skills="Execute"), "C4")
    far = table.put(squad(men=2), "C7", RED, tokens="stunned")
    near = table.put(squad(men=2), "C5", RED)
    table.activate(tina, "special:execute")
    assert len(far.main.alive) == 2 and len(near.main.alive) == 2
    assert ("special:execute",) not in table.menu(table.put(hero(), "D4"))


@pytest.mark.rule("d47.open.cheat_death_scope", "d47.skill.execute", "d47.skill.cheat_death")
def test_an_executed_hero_may_cheat_death():
    table = Table()
    tina = table.put(hero(skills="Execute, Interrogate"), "C4")
    foe = table.put(hero(damage=4, skills="Cheat Death"), "C5", RED, tokens="stunned")
    table.activate(tina, "special:execute", dice="S")
    assert foe.alive and foe.main.damage == 3
    assert not table.state.sides[BLUE].extra_initiative, "he has told nothing"


@pytest.mark.rule("d47.skill.interrogate")
@pytest.mark.parametrize("victim", ["hero", "officer"])
def test_a_hero_or_officer_killed_at_close_quarters_gives_a_fourth_initiative_die(victim):
    table = Table()
    tina = table.put(hero(SWORD, skills="Interrogate"), "C4")
    card = hero(damage=1) if victim == "hero" else squad(men=2, roles={1: "officer"})
    foe = table.put(card, "C5", RED)
    assert table.rules.turn.initiative_dice(table.play, BLUE) == 3
    fight(table, tina, foe, "AS", casualty=lambda decision: 1)
    assert table.rules.turn.initiative_dice(table.play, BLUE) == 4


@pytest.mark.rule("d47.skill.interrogate")
def test_neither_bullets_nor_common_soldiers_tell_anything():
    table = Table()
    tina = table.put(hero(weapon("Gun", "2/1", 6), SWORD, skills="Interrogate"), "C4")
    shot = table.put(hero(damage=1), "C6", RED)
    table.attack(tina, shot, dice="AA SS")
    grunt = table.put(squad(men=2), "C5", RED)
    table.attack(tina, grunt, dice="AA", declare={"Sword": grunt})
    assert not shot.alive and not grunt.alive
    assert table.rules.turn.initiative_dice(table.play, BLUE) == 3


@pytest.mark.rule("d47.skill.interrogate", "d47.skill.execute", "d47.open.extra_dice_stack", "d47.skill.black_ops")
def test_an_execution_tells_too_and_black_ops_adds_nothing_to_it():
    table = Table()
    tina = table.put(hero(skills="Execute, Interrogate, Black Ops"), "C4")
    table.put(hero(damage=4), "C5", RED, tokens="stunned")
    table.activate(tina, "special:execute")
    assert table.state.sides[BLUE].extra_initiative
    assert table.rules.turn.initiative_dice(table.play, BLUE) == 4


@pytest.mark.rule("d47.attack.suppress.no_cc_attack", "d47.skill.charge")
def test_a_suppressed_unit_cannot_charge():
    table = Table()
    unit = table.put(squad(SWORD, skills="Charge"), "C2", tokens="suppressed")
    assert not any("free:close-attack" in sequence for sequence in table.menu(unit, nothing_first=True))


@pytest.mark.rule("d47.skill.stunned_cannot_fight")
def test_a_stunned_unit_does_not_strike_back():
    table = Table()
    brute = table.put(hero(SWORD), "C4")
    foe = table.put(squad(knife("1/1", name="Axe"), men=3), "C5", RED, tokens="stunned")
    assert "retaliate" not in fight(table, brute, foe, "SS").asked
