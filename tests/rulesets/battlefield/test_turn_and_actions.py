"""The turn, initiative, passing, and which actions go together (bf.turn.*, bf.action.*, bf.dice.*)."""

from __future__ import annotations

import pytest

from dieselfront.dice.die import DUST_DIE
from dieselfront.kernel.events import Rolled
from dieselfront.rulesets.battlefield import RULESET
from dieselfront.rulesets.battlefield.classic import BLANK, HIT, classic
from dieselfront.rulesets.dust.events import InitiativeWon
from dieselfront.rulesets.dust1947.dice import ARMY, SHIELD, TARGET, task
from rulesets.battlefield.field import BLUE, RED, Field
from rulesets.dust1947.table import aircraft, hero, squad, vehicle, weapon

RIFLE = weapon("Rifle", "2/1", 4)


@pytest.mark.rule("bf.dice.faces")
def test_every_face_stands_twice_on_the_die():
    assert DUST_DIE.chance(ARMY) * 3 == 1
    assert DUST_DIE.chance(ARMY | SHIELD) * 3 == DUST_DIE.chance(ARMY | TARGET) * 3 == 2


@pytest.mark.rule("bf.dice.classic_single", "bf.dice.classic_pair")
def test_classic_dice_count_the_target_for_one_face_and_the_blank_for_two():
    single, pair = classic(task("to hit", "x")), classic(task("cover save", "x", ARMY | SHIELD))
    assert single.faces == HIT and pair.faces == BLANK
    assert single.chance() * 3 == 1 and pair.chance() * 3 == 2


@pytest.mark.rule("bf.open.classic_three_way")
def test_three_way_results_are_rolled_with_a_modern_die():
    assert classic(task("inject", "x")).die is DUST_DIE
    field = Field(options={"dice": "classic"})
    rifles = field.put(squad(RIFLE, men=2), (300, 700))
    target = field.put(squad(men=3), (300, 500), RED)
    sequence = iter([(0, 1, 1, 0), (1, 0), ()])
    procedure = field.rules.attacks.run(field.play, field.rules.activations.plain_attack(field.play, rifles))
    question = procedure.send(None)
    while True:  # declare everything, then throw classic dice
        try:
            if hasattr(question, "die"):
                assert question.die.faces == ("TARGET", "BLANK")
                question = procedure.send(next(sequence)[: question.count])
            elif question.key == "declare":
                question = procedure.send(tuple(choices[-1] for choices in question.choices))
            else:
                question = procedure.send(next(iter(question.answers())))
        except StopIteration:
            break
    assert len(target.main.alive) == 2  # two targets hit, one blank fails the save of the other


@pytest.mark.rule("bf.turn.initiative", "bf.turn.initiative_choice")
def test_more_army_wins_the_initiative_and_chooses_who_begins():
    field = Field()
    game = field.run(field.rules.turn.begin(field.play), "AAS ATT", first=RED)
    assert game.of(InitiativeWon)[0].side == BLUE and field.state.to_act == RED


@pytest.mark.rule("bf.turn.initiative_tie", "bf.open.initiative_tie_icon", "bf.open.lost_icons")
def test_equal_army_is_decided_by_target_and_equal_everything_is_rolled_again():
    field = Field()
    game = field.run(field.rules.turn.begin(field.play), "ATS ATS ATT ATS", first=BLUE)
    won = game.of(InitiativeWon)
    assert [event.side for event in won] == [BLUE] and won[0].rule == "bf.turn.initiative_tie"
    assert len(game.of(Rolled)) == 4


@pytest.mark.rule("bf.skill.black_ops")
def test_black_ops_rolls_four_dice_and_two_such_heroes_no_more():
    field = Field()
    field.put(hero(skills="Black Ops"), (300, 700))
    field.put(hero(skills="Black Ops"), (500, 700))
    assert RULESET.turn.initiative_dice(field.play, BLUE) == 4
    assert RULESET.turn.initiative_dice(field.play, RED) == 3


def _next(field: Field, chosen: object, dice: str = "", **answers: object):
    return field.run(field.rules.turn.next_activation(field.play), dice, activate=chosen, actions=(), **answers)


@pytest.mark.rule("bf.turn.pass")
def test_a_player_with_fewer_units_left_may_pass_and_heroes_count():
    field = Field()
    for x in (200, 500):
        field.put(squad(RIFLE), (x, 1000))
        field.put(squad(RIFLE), (x, 200), RED)
    field.put(hero(), (500, 300), RED)
    game = _next(field, "pass")
    assert "bf.turn.pass" in game.rules and field.state.to_act == RED
    with pytest.raises(Exception, match="pass"):
        _next(field, "pass")


@pytest.mark.rule("bf.pilot.activate_together")
def test_a_vehicle_and_its_pilot_count_once():
    field = Field()
    field.put(vehicle(), (300, 700), pilot=hero(skills="Pilot"))
    assert len(RULESET.turn.waiting(field.play, BLUE)) == 1


@pytest.mark.rule("bf.turn.first_activation", "bf.turn.alternate")
def test_a_go_is_an_activation_and_then_the_other_player_has_his():
    field = Field()
    mine = field.put(squad(RIFLE), (200, 1000))
    field.put(squad(RIFLE), (200, 200), RED)
    decision = next(field.rules.turn.next_activation(field.play))
    assert "pass" not in decision.options
    _next(field, mine.id)
    assert mine.activated and field.state.to_act == RED


@pytest.mark.rule("bf.turn.finish_remaining", "bf.turn.end")
def test_who_has_none_left_is_skipped_and_the_turn_ends_when_all_are_done():
    field = Field()
    mine = [field.put(squad(RIFLE), (x, 1000)) for x in (200, 600)]
    foe = field.put(squad(RIFLE), (200, 200), RED, tokens="activated")
    _next(field, mine[0].id)
    field.run(field.rules.turn.next_activation(field.play))
    assert field.state.to_act == BLUE
    _next(field, mine[1].id)
    field.run(field.rules.turn.next_activation(field.play))
    field.run(field.rules.turn.next_activation(field.play))
    assert field.state.phase == "turn"
    field.run(field.rules.turn.begin(field.play), "AAA SSS", first=BLUE)
    assert not foe.activated and field.state.turn == 2


@pytest.mark.rule("bf.turn.two_actions", "bf.turn.declare_actions", "bf.action.nothing", "bf.action.special")
def test_an_activation_is_declared_as_a_whole():
    field = Field()
    mine = field.put(squad(RIFLE), (200, 1000))
    game = field.activate(mine)
    assert mine.activated and "bf.turn.declare_actions" in game.rules
    reloading = field.put(squad(weapon("Tube", "3/1", 4, "Reload")), (600, 1000))
    assert ("move", "special:reload") in field.menu(reloading)


@pytest.mark.rule("bf.action.combination", "bf.open.split_double", "bf.action.third_action_use", "bf.action.max_three")
def test_which_actions_go_together():
    field = Field()
    mine = field.put(squad(RIFLE), (300, 600))
    field.put(squad(), (300, 400), RED)
    two, three = field.menu(mine), field.menu(mine, budget=3)
    assert {("move", "attack"), ("attack", "move"), ("march",), ("sustained",)} <= set(two)
    assert not {("move", "move"), ("attack", "attack")} & set(two)
    assert {("move", "sustained"), ("march", "attack")} <= set(three)
    assert not {("move", "attack", "move"), ("attack", "move", "attack"), ("march", "sustained")} & set(three)


@pytest.mark.rule("bf.open.free_action_cap", "bf.skill.charge", "bf.skill.at_the_double")
def test_free_actions_count_towards_three():
    field = Field()
    mine = field.put(squad(RIFLE, skills="Charge, At the Double"), (300, 600))
    field.put(squad(), (300, 400), RED)
    menu = field.menu(mine)
    assert ("march", "free:close-attack") in menu and ("march", "free:move") in menu
    assert not any(len(sequence) > 2 and sequence[0] == "march" for sequence in menu)
    assert ("march", "attack", "free:close-attack") not in field.menu(mine, budget=3)


@pytest.mark.rule("bf.vehicle.naval_attack")
def test_a_naval_unit_attacks_for_nothing_after_a_march():
    field = Field()
    boat = field.put(vehicle(weapon("Gun", "2/1", 4), skills="Naval Unit"), (300, 600))
    field.put(squad(), (300, 400), RED)
    assert ("march", "free:attack") in field.menu(boat)


@pytest.mark.rule("bf.move.aircraft_first", "bf.vehicle.helicopter", "bf.open.aircraft_forced_nothing")
def test_aircraft_move_first_and_helicopters_need_not():
    field = Field()
    plane = field.put(aircraft(weapon("Gun", "2/1", 8)), (300, 600))
    chopper = field.put(aircraft(weapon("Gun", "2/1", 8), skills="Helicopter"), (600, 600))
    field.put(squad(), (300, 200), RED)
    menu = field.menu(plane)
    assert ("move", "attack") in menu and ("attack", "move") not in menu and ("sustained",) not in menu
    assert ("sustained",) in field.menu(chopper)
    held = field.menu(plane, nothing_first=True)
    assert ("move",) in held and ("attack",) not in held
    assert ("attack",) in field.menu(chopper, nothing_first=True)


@pytest.mark.rule("bf.skill.scout", "bf.open.scout_reserve")
def test_a_scout_marches_for_one_action_in_its_first_activation_on_the_table():
    field = Field()
    scouts = field.put(squad(RIFLE, skills="Scout"), (300, 900))
    assert ("march", "attack") in field.menu(scouts)
    late = field.put(squad(RIFLE, skills="Scout"), status="reserve")
    field.state.scenario = type(field.state.scenario)(
        **{name: getattr(field.state.scenario, name) for name in field.state.scenario.__struct_fields__}
        | {"arrival": ("reserves", "deploy")}
    )
    field.activate(late, dice="T")
    assert late.status == "reserve" and late.activated
    field.activate(scouts)
    assert ("march", "attack") not in field.menu(scouts)


@pytest.mark.rule("bf.setup.unit_types")
@pytest.mark.parametrize(
    "card, kind", [(hero(), "is_infantry"), (vehicle(), "is_vehicle"), (aircraft(), "is_aircraft")]
)
def test_every_unit_is_of_one_type(card, kind):
    unit = Field().put(card, (500, 500))
    assert [name for name in ("is_infantry", "is_vehicle", "is_aircraft") if getattr(unit, name)] == [kind]
