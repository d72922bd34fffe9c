"""Under Fire, Suppression, Stunned, and reactive attacks (bf.supp.*, bf.token.*, bf.react.*)."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.dust1947.activation import Activation
from dieselfront.rulesets.dust1947.reaction import MID_MARCH, NEVER
from rulesets.battlefield.field import RED, Field
from rulesets.dust1947.table import aircraft, hero, knife, squad, support, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 4)
MANY = weapon("Gatling", "10/1", 6)


def facing_off(gun=RIFLE, men: int = 1, foes: int = 12, tokens: str = "", **details: object):
    field = Field()
    shooters = field.put(squad(gun, men=men), (500, 700))
    target = field.put(squad(knife(), men=foes, **details), (500, 420), RED, tokens=tokens)
    return field, shooters, target


@pytest.mark.rule("bf.supp.under_fire")
def test_a_hit_puts_a_unit_under_fire_even_if_it_is_saved():
    field, men, foe = facing_off()
    game = field.attack(men, foe, dice="AS A")
    assert foe.under_fire and len(foe.main.alive) == 12 and "bf.supp.under_fire" in game.rules


@pytest.mark.rule("bf.supp.upgrade", "bf.supp.max_one")
@pytest.mark.parametrize("before, after", [("under fire", "suppressed"), ("suppressed", "suppressed")])
def test_another_hit_suppresses_and_no_more(before, after):
    field, men, foe = facing_off(tokens=before)
    field.attack(men, foe, dice="AS A")
    assert foe.tokens() == [after]


@pytest.mark.rule("bf.supp.ten_hits")
@pytest.mark.parametrize("hits, token", [(10, "suppressed"), (9, "under fire")])
def test_ten_hits_suppress_at_once_saved_or_not(hits, token):
    field, men, foe = facing_off(MANY)
    game = field.attack(men, foe, dice="A" * hits + "S" * (10 - hits) + " " + "A" * hits)
    assert foe.tokens() == [token] and game.saved == hits


@pytest.mark.rule("bf.open.one_token_per_action")
def test_several_weapons_of_one_action_give_one_token():
    field = Field()
    tank = field.put(vehicle(weapon("Gun", "1/1", 8), weapon("MG", "2/1", 8)), (500, 800))
    foe = field.put(squad(men=8), (500, 420), RED)
    field.attack(tank, foe, dice="A A AS A", pool_order=lambda d: d.options[0])
    assert foe.tokens() == ["under fire"]


@pytest.mark.rule("bf.open.cc_suppression")
@pytest.mark.parametrize("option, marked", [("attacker", False), ("both", True)])
def test_blows_of_the_attacker_count_for_tokens_and_those_struck_back_by_an_option(option, marked):
    field = Field(options={"cc_suppression": option})
    men = field.put(squad(knife("1/1"), men=4), (500, 500), others=[(470, 500), (530, 500), (560, 500)])
    foe = field.put(squad(knife("1/1"), men=4), (500, 460), RED, others=[(470, 460), (530, 460), (560, 460)])
    field.attack(men, foe, dice="ASSS ASSS", retaliate=men)
    assert foe.under_fire and men.under_fire is marked


@pytest.mark.rule("bf.supp.remove_under_fire")
@pytest.mark.parametrize("dice, left", [("AS", []), ("TS", ["under fire"])])
def test_one_army_takes_the_under_fire_token_off(dice, left):
    field, _, foe = facing_off(tokens="under fire")
    field.run(field.rules.suppression.recover(field.play, foe), dice)
    assert foe.tokens() == left


@pytest.mark.rule("bf.supp.remove_suppression")
@pytest.mark.parametrize("dice, left", [("AA", []), ("AT", ["under fire"]), ("ST", ["suppressed"])])
def test_two_army_rally_a_suppressed_unit(dice, left):
    field, _, foe = facing_off(tokens="suppressed")
    field.run(field.rules.suppression.recover(field.play, foe), dice)
    assert foe.tokens() == left


@pytest.mark.rule(
    "bf.supp.more_dice", "bf.skill.brave", "bf.hero.rally_bonus", "bf.open.pilot_rally", "bf.skill.commissar"
)
def test_three_dice_with_a_brave_heart_a_hero_a_pilot_or_a_commissar_and_never_more():
    field = Field()
    dice = field.rules.suppression.recovery_dice
    assert dice(field.play, field.put(squad(), (200, 500))) == 2
    assert dice(field.play, field.put(squad(skills="Brave"), (500, 500))) == 3
    assert dice(field.play, field.put(squad(skills="Brave"), (800, 500), joined=hero(skills="Brave"))) == 3
    assert dice(field.play, field.put(vehicle(), (1100, 500), pilot=hero(skills="Pilot"))) == 3
    watched = squad(skills="Commissar", roles={1: "commissar"})
    assert dice(field.play, field.put(watched, (1400, 500))) == 3
    foe = field.put(squad(skills="Brave"), (1400, 900), tokens="suppressed")
    field.run(field.rules.suppression.recover(field.play, foe), "ASA")
    assert not foe.tokens()


@pytest.mark.rule("bf.supp.lost_action", "bf.open.cannot_fight")
def test_a_suppressed_unit_loses_its_first_action_and_may_shoot_with_the_other():
    field, men, foe = facing_off()
    men.set(1 << 3)
    game = field.activate(men, "attack", dice="ST SS", target=foe)
    assert game.labels == ["recovery", "to hit"] and men.suppressed


@pytest.mark.rule("bf.supp.no_fighting")
def test_a_suppressed_unit_neither_strikes_nor_strikes_back():
    field = Field()
    men = field.put(squad(knife("1/1"), men=2), (500, 500), others=[(530, 500)])
    foe = field.put(squad(knife("1/1"), men=2), (500, 460), RED, others=[(530, 460)], tokens="suppressed")
    assert not field.may_aim(foe, "Knife", men)
    game = field.attack(men, foe, dice="SS", retaliate=men)
    assert game.dice("to hit") == [2]


@pytest.mark.rule("bf.token.stunned")
def test_a_stunned_unit_does_not_strike_and_loses_its_token_with_a_nothing():
    field = Field()
    men = field.put(squad(knife("1/1"), RIFLE, men=2), (500, 500), others=[(530, 500)])
    foe = field.put(squad(knife("1/1"), men=2), (500, 460), RED, others=[(530, 460)], tokens="stunned")
    game = field.attack(men, None, dice="SS", declare={"Knife": foe}, retaliate=men)
    assert game.dice("to hit") == [2]
    men.set(1 << 4)
    field.activate(men, "attack", dice="SSSS", declare={"Rifle": foe}, retaliate=men)
    assert not men.stunned


@pytest.mark.rule("bf.hero.no_suppression", "bf.superhuman.no_suppression")
@pytest.mark.parametrize("skills", ["", "Superhuman"])
def test_heroes_never_take_tokens_for_being_shot_at(skills):
    field = Field()
    men = field.put(squad(MANY, men=1), (500, 700))
    joe = field.put(hero(skills=skills), (500, 400), RED)
    game = field.attack(men, joe, dice="A" * 10 + " " + "A" * 10)
    assert not joe.tokens() and "bf.hero.no_suppression" in game.rules


@pytest.mark.rule("bf.open.token_mid_activation")
def test_a_token_comes_at_once_and_stops_no_declared_action():
    field = Field()
    men = field.put(squad(RIFLE, men=2), (500, 700))
    foe = field.put(squad(RIFLE, men=3), (500, 400), RED)
    game = field.activate(
        men, "move", "attack", dice="AA AASSSS SSSS AA SSSS", move=(500, 690), react=foe,
        reaction_attack="sustained", declare=lambda d: tuple(c[-1] for c in d.choices),
    )  # fmt: skip
    assert men.under_fire and game.labels[-1] == "to hit"


# -- when ---------------------------------------------------------------------------------------------

MOMENTS = [
    (("move", "attack"), 1),
    (("attack", "move"), 1),
    (("move", "special:reload"), 1),
    (("nothing", "attack"), 1),
    (("attack",), NEVER),
    (("move",), NEVER),
    (("sustained",), NEVER),
    (("march",), MID_MARCH),
    (("move", "special:reload", "attack"), 2),
    (("march", "attack"), 1),
    (("attack", "march"), MID_MARCH),
    (("sustained", "move"), 1),
    (("move", "sustained"), NEVER),
    (("march", "free:close-attack"), MID_MARCH),
    (("attack", "nothing"), NEVER),
    (("move", "nothing"), NEVER),
    (("sustained", "free:move"), NEVER),
    ((), NEVER),
]


@pytest.mark.rule(
    "bf.react.trigger", "bf.react.vs_march", "bf.react.not_vs_sustained", "bf.react.not_vs_nothing",
    "bf.react.three_actions", "bf.open.reaction_sustained_three", "bf.open.charge_reaction",
    "bf.open.reaction_first_nothing", "bf.open.reaction_single_action",
)  # fmt: skip
@pytest.mark.parametrize("actions, moment", MOMENTS)
def test_when_the_enemy_may_react(actions, moment):
    field = Field()
    assert field.moment(field.put(squad(RIFLE), (500, 500)), *actions) == moment


@pytest.mark.rule("bf.react.trigger", "bf.open.reaction_window", "bf.react.no_aircraft")
@pytest.mark.parametrize("between, able", [(400, True), (401, False)])
def test_one_unit_within_forty_centimetres_may_try(between, able):
    field = Field()
    mover = field.put(squad(RIFLE, men=1), (500, 500))
    guard = field.put(squad(RIFLE, men=1), (500 + between + 25, 500), RED)
    field.put(aircraft(weapon("Gun", "1/1", 8), skills="Helicopter"), (500, 300), RED)
    done = field.put(squad(RIFLE, men=1), (500, 700), RED, tokens="activated")
    found = field.rules.reactions.reactors(field.play, mover)
    assert found == ([guard] if able else []) and done not in found


@pytest.mark.rule("bf.react.vs_march")
def test_a_march_is_interrupted_after_what_a_move_allows():
    field = Field()
    men = field.put(squad(RIFLE, men=1, move=2), (500, 1000))
    guard = field.put(squad(RIFLE, men=1), (500, 500), RED)
    game = field.activate(men, "march", dice="SS", march_first=(500, 800), march=(600, 700), react=guard)
    assert game.asked.index("march-first") < game.asked.index("react") < game.asked.index("march")
    assert guard.activated


@pytest.mark.rule(
    "bf.react.roll", "bf.react.two", "bf.react.one", "bf.react.none", "bf.react.uses_activation", "bf.react.resume"
)
@pytest.mark.parametrize("dice, rolls", [("AA SSSS SSSS", 2), ("AT SSSS", 2), ("TS", 1)])
def test_army_decides_what_a_reaction_is(dice, rolls):
    field = Field()
    men = field.put(squad(RIFLE, men=2), (500, 700))
    guard = field.put(squad(RIFLE, men=2), (500, 400), RED)
    game = field.activate(
        men, "move", "attack", dice=f"{dice} SSSS", move=(500, 690), react=guard, reaction_attack="sustained",
        declare=lambda d: tuple(c[-1] for c in d.choices),
    )  # fmt: skip
    assert len([label for label in game.labels if label == "reaction"]) == 1
    assert guard.activated and game.labels.count("to hit") == rolls


@pytest.mark.rule("bf.react.target", "bf.react.no_cc")
def test_a_reaction_shoots_at_the_active_unit_only_and_never_with_blows():
    field = Field()
    men = field.put(squad(RIFLE, men=1), (500, 500))
    other = field.put(squad(men=1), (700, 500))
    guard = field.put(squad(RIFLE, knife(), men=1), (500, 460), RED)
    game = field.run(
        field.rules.reactions.attempt(field.play, guard, men),
        "AS SS",
        declare=lambda d: tuple(c[-1] for c in d.choices),
    )
    aims = [
        aim for decision in game.decisions if decision.key == "declare" for c in decision.choices for aim in c if aim
    ]
    assert {aim[0] for aim in aims} <= {men.id} and other.alive
    assert game.dice("to hit") == [2]


@pytest.mark.rule("bf.react.two", "bf.open.reaction_move_attack")
def test_a_vehicle_may_turn_first_and_a_long_one_not_away():
    field = Field()
    men = field.put(squad(RIFLE, men=1), (500, 500))
    tank = field.put(vehicle(weapon("Gun", "1/1", 8, mount="front")), (500, 800), RED, heading=180)
    game = field.run(
        field.rules.reactions.attempt(field.play, tank, men), "AA S", reaction_attack="turn and attack", turn=0,
        declare=lambda d: tuple(c[-1] for c in d.choices),
    )  # fmt: skip
    assert tank.facing == 0 and game.labels == ["reaction", "to hit"]
    long = field.put(vehicle(size="large", locomotion="tracked"), (1000, 800), RED, heading=0)
    field.state.interrupted = men.id
    assert 90 not in field.rules.reactions._bearings(field.play, long, [0, 90]) or long.facing == 0


@pytest.mark.rule("bf.react.stunned", "bf.supp.reactive", "bf.open.under_fire_reaction")
def test_shaken_units_react_with_one_die():
    field = Field()
    men = field.put(squad(RIFLE, men=1), (500, 700))
    stunned = field.put(squad(RIFLE, men=1), (500, 400), RED, tokens="stunned")
    game = field.run(field.rules.reactions.attempt(field.play, stunned, men), "S")
    assert game.dice("reaction") == [1] and not stunned.stunned
    shaken = field.put(squad(RIFLE, men=1), (700, 400), RED, tokens="suppressed")
    game = field.run(field.rules.reactions.attempt(field.play, shaken, men), "ST S")
    assert game.labels == ["recovery", "reaction"] and game.dice("reaction") == [1]
    marked = field.put(squad(RIFLE, men=1), (300, 400), RED, tokens="under fire")
    game = field.run(field.rules.reactions.attempt(field.play, marked, men), "AS SS")
    assert not marked.under_fire and game.dice("reaction") == [2]


@pytest.mark.rule("bf.skill.advanced_reactive_fire")
def test_advanced_reactive_fire_reaches_farther_and_counts_shields():
    field = Field()
    men = field.put(squad(RIFLE, men=1), (500, 500))
    guard = field.put(squad(RIFLE, men=1, skills="Advanced Reactive Fire"), (500 + 575, 500), RED)
    assert field.rules.reactions.reactors(field.play, men) == [guard]
    game = field.run(field.rules.reactions.attempt(field.play, guard, men), "SA", reaction_attack="sustained")
    assert game.rolls[0].successes == 2


@pytest.mark.rule("bf.open.reaction_skills")
def test_nothing_free_comes_with_a_reaction():
    field = Field()
    men = field.put(squad(RIFLE, men=1), (500, 700))
    guard = field.put(squad(RIFLE, men=1, skills="Move and Fire, Brave"), (500, 400), RED)
    game = field.run(
        field.rules.reactions.attempt(field.play, guard, men),
        "AS SS",
        declare=lambda d: tuple(c[-1] for c in d.choices),
    )
    assert "move" not in game.asked


@pytest.mark.rule("bf.open.activation_order")
def test_hero_rally_ace_and_declaration_in_this_order():
    field = Field()
    men = field.put(squad(RIFLE, men=3), (500, 500), tokens="suppressed")
    ace = field.put(hero(skills="Infantry Ace"), (500, 560))
    game = field.activate(men, dice="TTT A", join=ace)
    assert game.asked == ["join", "actions"] and game.labels == ["recovery", "infantry ace"]
    assert game.dice("recovery") == [3] and Activation(field.play, men).budget == 2


def test_support_weapons_may_be_joined():
    field = Field()
    gun = field.put(support(weapon("MG", "4/1", 6)), (500, 500))
    joe = field.put(hero(), (500, 580))
    assert field.rules.heroes.could_join(field.state, field.rules.ground, joe, gun)
