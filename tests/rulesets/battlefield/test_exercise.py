"""The exercise runs of the open table: a card for every rule, forces of what is wanting, uses that are counted."""

from __future__ import annotations

from random import Random

import pytest

from dieselfront import rulesets
from dieselfront.lab import exercise as lab
from dieselfront.rulesets.battlefield import exercise as battle
from dieselfront.rulesets.battlefield import skills, weapons
from dieselfront.rulesets.freeform1947 import exercise as free

GAMES = {"battlefield": battle, "freeform1947": free}


def test_both_games_of_the_open_table_can_be_exercised():
    assert set(GAMES) <= set(lab.games())


def test_every_skill_and_weapon_rule_of_battlefield_is_printed_on_some_card():
    cards = battle.cards(rulesets.load("battlefield"))
    on_cards = {ref.name for card in cards for ref in card.skills}
    on_weapons = {ref.name for card in cards for weapon in card.weapons for ref in weapon.rules}
    assert {skill.name for skill in skills.ALL} <= on_cards
    assert {rule.name for rule in weapons.ALL} <= on_weapons
    assert len({card.id for card in cards}) == len(cards)


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_battle_is_made_of_what_is_wanting_and_can_be_played(ruleset):
    own, rules = GAMES[ruleset], rulesets.load(ruleset)
    cards = own.cards(rules)
    used = lab.nothing_used(rules, own, cards, 1)
    wanted = next(card for card in cards if card.kind == "vehicle" and card.weapons and not card.has("Naval Unit"))
    for name in used.units:
        used.units[name] = int(name != wanted.id)
    for counter in (used.weapons, used.skills, used.specials):
        counter.update(dict.fromkeys(counter, 1))
    game = lab.new_battle(rules, own, cards, used, "test")
    assert any(unit.card.id == wanted.id for unit in game.state.units)
    eager = own.Eager(used, Random(1))
    for _ in range(60):
        decision = game.pending
        if decision is None:
            break
        answer = eager.choose(game, decision)
        own.count(game, decision, answer, used)
        game.choose(answer)
    assert used.choices["deploy"] > 3 and used.choices["activate"] > 0
