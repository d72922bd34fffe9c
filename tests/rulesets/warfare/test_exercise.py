"""The exercise run of Dust Warfare: a card for every rule, forces of what is wanting, uses that are counted."""

from __future__ import annotations

from random import Random

from dieselfront.lab import exercise as lab
from dieselfront.rulesets.warfare import RULESET, exercise


def test_every_ability_and_weapon_rule_is_printed_on_some_card():
    cards = exercise.cards(RULESET)
    abilities = {ref.name for card in cards for ref in card.abilities}
    rules = {ref.name for card in cards for weapon in card.weapons for ref in weapon.rules}
    assert set(RULESET.registry.abilities) <= abilities and set(RULESET.registry.weapon_rules) <= rules
    assert len({card.id for card in cards}) == len(cards)


def test_a_battle_is_made_of_what_is_wanting_and_can_be_set_up():
    cards = exercise.cards(RULESET)
    used = lab.nothing_used(RULESET, exercise, cards, 1)
    wanted = max((card for card in cards if not card.abilities), key=lambda card: len(card.weapons))
    for card in cards:
        if card is not wanted:
            used.units[card.id] = 1
            for weapon in card.weapons:
                used.weapons[f"{card.id}/{weapon.id}"] = 1
    for name in used.skills:
        used.skills[name] = 1
    game = lab.new_battle(RULESET, exercise, cards, used, "test")
    assert sum(unit.card.id == wanted.id for unit in game.state.units) > 4
    eager, chance = exercise.Eager(used, Random(1)), 0
    while game.pending is not None and chance < 60:
        decision = game.pending
        answer = eager.choose(game, decision)
        exercise.count(game, decision, answer, used)
        game.choose(answer)
        chance += 1
    assert used.choices["deploy"] > 3 and (used.units[wanted.id] > 0 or used.choices["order"] > 0)
