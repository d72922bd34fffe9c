"""The exercise run of Dust Warfare: a card for every rule, forces of what is wanting, uses that are counted."""

from __future__ import annotations

from collections import Counter
from random import Random
from types import SimpleNamespace

import msgspec

from dieselfront.lab import exercise as lab
from dieselfront.rulesets.warfare import RULESET, exercise, ground
from rulesets.warfare.field import BLUE, RED, Field, inch, squad


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


def play(cards, used, seed, most=400):
    """A game of eager players on both sides; returns how many choices were made."""
    game = lab.new_battle(RULESET, exercise, cards, used, seed)
    eager = exercise.Eager(used, Random(seed))
    for made in range(most):
        if (decision := game.pending) is None:
            return made
        answer = eager.choose(game, decision)
        exercise.count(game, decision, answer, used)
        game.choose(answer)
    return most


def wants_only(cards, *ids, skills=()):
    """Tallies that are full but for some cards and their weapons, and some abilities."""
    used = lab.nothing_used(RULESET, exercise, cards, 1)
    for card in cards:
        if card.id not in ids:
            used.units[card.id] = 1
            used.weapons.update({f"{card.id}/{weapon.id}": 1 for weapon in card.weapons})
    used.skills.update({name: 1 for name in used.skills if name not in skills})
    return used


def test_soldiers_who_can_only_be_bought_are_wanted_and_come_with_their_squad():
    cards = exercise.cards(RULESET)
    bought = exercise.bought_soldiers(RULESET)
    assert len(bought) == 30 and set(bought) <= {card.id for card in cards}
    id, (squad, _) = next(iter(bought.items()))
    game = lab.new_battle(RULESET, exercise, cards, wants_only(cards, id), "bought")
    figures = [figure.card.id for unit in game.state.units for figure in unit.figures]
    assert figures.count(id) >= 4 and any(unit.card.id == squad.id for unit in game.state.units)


def test_nothing_is_counted_that_nobody_wants_so_that_a_run_can_end():
    """A card that no force is drawn from would be wanting for ever."""
    cards = exercise.cards(RULESET)
    used = wants_only(cards, "allies-gunners")
    before = {kind: set(getattr(used, kind)) for kind in ("units", "weapons", "skills", "specials")}
    play(cards, used, "ends", most=150)
    assert {kind: set(getattr(used, kind)) for kind in before} == before and used.units["allies-gunners"]


def test_guns_of_one_name_count_for_the_side_they_point_to():
    card = RULESET.all_cards()["allies-skysweeper"]
    left, right = (weapon for weapon in card.weapons if weapon.arc in ("left", "right"))
    assert left.name == right.name and (left.arc, right.arc) == ("left", "right")
    field = Field()
    tank = field.put(BLUE, msgspec.to_builtins(card), 900, 600, heading=0)
    lines = [f"{card.id}/{gun.id}" for gun in (left, right)]
    used = SimpleNamespace(weapons=Counter(dict.fromkeys(lines, 0)), choices=Counter())
    foes = [field.put(RED, squad(1), 900 + inch(inches), 600) for inches in (-10, 10)]
    foe = next(one for one in foes if ground.in_side(tank.bodies[0], "right", one.bodies[0]))
    decision = SimpleNamespace(key="target", unit=tank.id, meaning=lambda _: SimpleNamespace(weapons=(left.name,)))
    exercise.count(SimpleNamespace(state=field.state), decision, ("direct", foe.id), used)
    assert [used.weapons[line] for line in lines] == [0, 1]


def test_the_eager_player_brings_rare_weapons_to_use():
    """Guns that point backwards are hardly ever aimed by chance."""
    cards = exercise.cards(RULESET)
    card = next(card for card in cards if any(weapon.arc == "rear" for weapon in card.weapons))
    rear = [f"{card.id}/{weapon.id}" for weapon in card.weapons if weapon.arc == "rear"]
    used = wants_only(cards)._replace(times=20)
    for counts in (used.units, used.weapons, used.skills):
        counts.update(dict.fromkeys(counts, 20))
    used.weapons.update(dict.fromkeys(rear, -21))
    played = play(cards, used, "rear")
    assert played and all(used.weapons[line] > 0 for line in rear)


def test_somebody_is_fearless_by_his_own_rule_alone():
    """Übertoten who are zombies too never use their own courage: the zombies' answers first."""
    cards = exercise.cards(RULESET)
    assert any(card.has("Blutkreuz Übertoten") and not card.has("Blutkreuz Zombie") for card in cards)
