"""The exercise runs of the open table: a card for every rule, forces of what is wanting, uses that are counted."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from random import Random

import pytest

from dieselfront import rulesets
from dieselfront.lab import exercise as lab
from dieselfront.rulesets.battlefield import exercise as battle
from dieselfront.rulesets.battlefield import skills, weapons
from dieselfront.rulesets.battlefield.places import CONTACT
from dieselfront.rulesets.dust1947.skills import observers
from dieselfront.rulesets.freeform1947 import exercise as free
from dieselfront.table.measured.shapes import distance
from rulesets.battlefield.field import Field
from rulesets.dust1947.table import hero, squad, vehicle

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


def test_the_special_actions_listed_are_those_that_this_game_offers():
    rules = rulesets.load("battlefield")
    chapters = [type(chapter) for chapter in vars(rules).values() if hasattr(type(chapter), "__module__")]
    kinds = {*skills.ALL, *weapons.ALL, *chapters, observers.CallFire}
    sources = [inspect.getsource(base) for kind in kinds for base in kind.__mro__ if "dieselfront" in base.__module__]
    written = {name for source in sources for name in re.findall(r"\"([a-z]+(?:-[a-z]+)*)\"", source)}
    assert set(battle.SPECIALS) <= written
    assert not {"execute", "mount-vehicle", "leave-vehicle"} & set(battle.SPECIALS)


GUNS_OF_SIGRID = ("axis-jagdluther", "axis-snow-lynx")


def recruiter(*wanted: str) -> battle.BattleRecruiter:
    """Draws forces when nothing but these skills is wanting."""
    rules = rulesets.load("battlefield")
    cards = battle.cards(rules)
    used = lab.nothing_used(rules, battle, cards, 1)
    for counter in (used.units, used.weapons, used.skills, used.specials):
        counter.update(Counter(dict.fromkeys(counter, 1)))
    used.skills.update(dict.fromkeys(wanted, -1))
    return battle.BattleRecruiter(rules, cards, used, Random(3))


def test_experts_are_seated_where_their_weapon_is():
    forces = [recruiter("Expert").force(side) for side in (0, 1)]
    driven = {unit["pilot"]: unit["cards"][0] for force in forces for unit in force["units"] if "pilot" in unit}
    assert driven["ssu-koshka"] == "ssu-grand-ma" and driven["axis-sigrid-von-thaler-pilot"] in GUNS_OF_SIGRID


@pytest.mark.parametrize("men", [1, 3])
def test_the_eager_player_sets_miniatures_round_a_hull(men):
    field = Field()
    truck = field.put(vehicle(skills="Passengers (8)"), (500, 500))
    unit = field.put(squad(men=men) if men > 1 else hero(skills="Zombie"), (500, 650))

    class Asked:
        region = field.ways(unit)

    class Game:
        state, play = field.state, field.play

    answer = battle.Eager(None, Random(1)).at_hull(Game, Asked, unit, truck)
    assert answer is not None and Asked.region.why_not(answer) is None
    field.activate(unit, "move", move=answer, mount=lambda d: d.options[-1])
    bodies = field.rules.ground.bodies(field.state, unit) if unit.on_board else ()
    hull = field.rules.ground.first(field.state, truck)
    assert all(distance(hull, body) <= CONTACT for body in bodies)
    assert unit.on_board is (men == 1)  # zombies ride in nothing, the squad is aboard
