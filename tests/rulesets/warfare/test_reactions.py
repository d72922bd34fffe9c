"""Reactions to moves and attacks (dw.reaction.*)."""

from __future__ import annotations

import pytest

from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.rulesets.warfare.firing import Attack
from rulesets.warfare.field import BLUE, RED, Field, gap, hero, inch, squad, usual, vehicle, weapon


def duel(inches: float = 10, blue=None, red=None, *terrain, **options):
    """Blue is active; red looks south at it."""
    field = Field(*terrain, **options)
    a = field.put(BLUE, blue or squad(5), 900, 800)
    b = field.put(RED, red or squad(5), 900, 800 - gap(inches), heading=180)
    return field, a, b


def options(field, unit, target):
    """What the target could do about an attack with everything."""
    attack = Attack(field.state, unit)
    aims = field.rules.attacking.aims(attack, target)
    mode = next(iter(aims.values()))[0]
    attack.shots = field.rules.attacking._all_at(attack, aims, mode)
    return [how for _, how in field.rules.reactions.attack_options(field.state, attack)]


# -- who may ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.unit_phase.reactions_allowed")
def test_a_window_opens_in_the_unit_phase_and_not_for_the_own_side():
    field, a, b = duel()
    ran = field.attack(a, b, "BBBBB")
    assert ran.asked == ["target", "reaction"]
    question = ran.questions[-1]
    assert question.player == RED
    assert a.id in question.text and b.id in question.text and "Rifle" in question.text


@pytest.mark.rule("dw.command.no_reactions")
def test_no_window_in_the_command_phase():
    field, a, b = duel(phase="command")
    assert field.attack(a, b, "BBBBB").asked == ["target"]


@pytest.mark.rule("dw.reaction.eligibility", "dw.suppression.effects")
@pytest.mark.parametrize("markers", [{"suppression": 1}, {"suppression": 4}, {"reaction": True}])
def test_units_with_markers_do_not_react(markers):
    field, a, b = duel(6)
    for name, value in markers.items():
        setattr(b, name, value)
    assert options(field, a, b) == []
    assert "reaction" not in field.attack(a, b, "BBBBB").asked


@pytest.mark.rule("dw.reaction.single_action")
def test_a_reaction_is_one_move_or_one_attack():
    field, a, b = duel(10, None, squad(5, abilities=["Medic"]))
    assert options(field, a, b) == ["move", "attack", "hit the dirt"]


@pytest.mark.rule("dw.reaction.no_action_needed")
def test_a_unit_that_has_activated_may_react():
    field, a, b = duel()
    b.activated = True
    assert "attack" in options(field, a, b)


@pytest.mark.rule("dw.reaction.marker")
def test_a_reaction_costs_a_marker():
    field, a, b = duel()
    ran = field.attack(a, b, "BBBBB", answers={"reaction": (b.id, "move"), "move": ((900, 800 - gap(10) - 20),)})
    assert b.reaction
    assert "dw.reaction.marker" in ran.rules()


@pytest.mark.rule("dw.reaction.once_per_turn")
def test_a_unit_reacts_once_a_turn_even_without_its_marker():
    field, a, b = duel()
    b.reacted = True
    assert options(field, a, b) == []
    from dieselfront.kernel.game import Play

    field.rules.turn.begin(Play(field.rules, field.state), 2)
    assert options(field, a, b)


@pytest.mark.rule("dw.reaction.formation_required")
def test_a_unit_out_of_formation_does_not_react():
    field, a, b = duel()
    b.bodies[4] = b.bodies[4].at(b.bodies[0].x + gap(8), b.bodies[0].y)
    assert options(field, a, b) == []


@pytest.mark.rule("dw.open.leaderless_reaction")
def test_a_leaderless_unit_reacts_only_in_formation_round_the_stand_in():
    field, a, b = duel(10, None, squad(3))
    b.leader = None
    x, y = b.spots[0]
    b.bodies = [b.bodies[0], b.bodies[1].at(x + gap(4), y), b.bodies[2].at(x + gap(4) + gap(4), y)]
    ran = field.attack(a, b, "BBBBB", answers={"reaction": [(b.id, "hit the dirt"), None], "stand-in leader": 0})
    named = next(one for one in ran.questions if one.key == "stand-in leader")
    assert named.player == BLUE
    assert b.suppression == 0 and not b.reaction
    field, a, b = duel(10, None, squad(3))
    b.leader = None
    b.bodies = [b.bodies[0], b.bodies[1].at(x + gap(4), y), b.bodies[2].at(x + gap(4) + gap(4), y)]
    field.attack(a, b, "BBBBB", answers={"reaction": [(b.id, "hit the dirt"), None], "stand-in leader": 1})
    assert b.suppression == 1 and b.reaction and b.leader is None


@pytest.mark.rule("dw.reaction.no_chain")
def test_nobody_reacts_to_a_reaction():
    field, a, b = duel()
    friend = field.put(BLUE, squad(5), 500, 800 - gap(10))
    answers = {"reaction": (b.id, "move"), "move": ((800, 800 - gap(10)),)}
    ran = field.attack(a, b, "BBBBB", answers=answers)
    assert ran.asked.count("reaction") == 1 and not friend.reaction


# -- moves ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.reaction.move_within_12")
@pytest.mark.parametrize("start, end, may", [(15, 11, True), (15, 13, False)])
def test_a_move_that_ends_within_12_inches_may_be_answered(start, end, may):
    field, a, _b = duel(start, squad(1), squad(1, [weapon(range=24)]))
    ran = field.move(a, (900, 800 - inch(start - end)))
    assert ("reaction" in ran.asked) is may


@pytest.mark.rule("dw.open.reaction_move_trigger")
def test_before_a_move_the_start_counts_and_after_it_both_ends():
    field, a, _ = duel(10, squad(1, move=6), squad(1, [weapon(range=24)]))
    ran = field.move(a, (900, 800 + inch(6)))
    assert ran.asked == ["reaction", "move", "reaction"]
    field, a, _b = duel(15, squad(1), squad(1, [weapon(range=24)]))
    ran = field.move(a, (900, 800 - inch(4)))
    assert ran.asked == ["move", "reaction"]


@pytest.mark.rule("dw.reaction.move_timing")
def test_a_reaction_is_carried_out_before_or_after_never_on_the_way():
    wall = {"kind": "high-wall", "line": [[20, 26], [34, 26]]}, {"kind": "high-wall", "line": [[37, 26], [50, 26]]}
    field = Field(*wall)
    a = field.put(BLUE, squad(1, move=9), inch(32), inch(28))
    b = field.put(RED, squad(1), inch(35.5), inch(22))
    ran = field.move(a, (inch(40), inch(28)))
    assert not any(
        "attack" in str(option)
        for question in ran.questions
        if question.key == "reaction"
        for option in question.options
    )
    assert b.spots == ((inch(35.5), inch(22)),)
    field, a, b = duel(10, squad(3, armor=1), squad(1))
    answers = {"reaction": [(b.id, "attack")], "target": ("direct", a.id), "casualties": ((1, 1),)}
    ran = field.move(a, (900, 850), dice="H B", answers=answers)
    kinds = [type(event).__name__ for event in ran.events]
    assert kinds.index("Struck") < kinds.index("Moved")


@pytest.mark.rule("dw.reaction.move_attack_target", "dw.reaction.attack_target")
def test_a_reaction_is_aimed_at_the_one_who_caused_it():
    field, a, b = duel(10, squad(1), squad(1))
    other = field.put(BLUE, squad(5), 1000, 800)
    answers = {"reaction": (b.id, "attack"), "target": ("direct", a.id)}
    ran = field.move(a, (900, 820), dice="B", answers=answers)
    assert ran.offered["target"] == [("direct", a.id), None]
    with pytest.raises(IllegalChoice):
        field, a, b = duel(10, squad(1), squad(1))
        other = field.put(BLUE, squad(5), 1000, 800)
        field.move(a, (900, 820), answers={"reaction": (b.id, "attack"), "target": ("direct", other.id)})


@pytest.mark.rule("dw.reaction.multiple")
def test_two_units_react_to_one_move_one_before_and_one_after():
    field, a, b = duel(10, squad(5, armor=1), squad(1))
    c = field.put(RED, squad(1), 800, 800 - gap(10))
    answers = {
        "reaction": [(c.id, "attack"), None, (b.id, "attack")],
        "target": [("direct", a.id), ("direct", a.id)],
        "casualties": ((4, 1),),
        "move": ((900, 780),),
    }
    ran = field.run(lambda play: field.rules.movement.move(play, a), "H B H", answers, default=usual)
    assert [event.unit for event in ran.of("Reacted")] == [c.id, b.id]
    assert b.reaction and c.reaction
    assert a.suppression == 2


@pytest.mark.rule("dw.open.reaction_triggers")
def test_a_turn_on_the_spot_is_a_move_and_a_special_action_is_not():
    field, a, _ = duel(8, vehicle())
    ran = field.move(a, (900, 800, 90))
    assert "reaction" in ran.asked
    field, a, _b = duel(8, vehicle(), None)
    a.empty = (0,)
    ran = field.activate(a, ("reload",))
    assert "reaction" not in ran.asked


# -- attacks ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.reaction.attack_within_12")
def test_move_and_attack_only_within_12_inches():
    field, a, b = duel(12)
    assert options(field, a, b) == ["move", "attack", "hit the dirt"]
    field, a, b = duel(13)
    assert options(field, a, b) == ["hit the dirt"]


@pytest.mark.rule("dw.reaction.attack_timing")
def test_reactions_come_before_the_dice():
    field, a, b = duel(10, squad(1), squad(5, armor=1))
    ran = field.attack(a, b, "H", answers={"reaction": (b.id, "hit the dirt")})
    kinds = [type(event).__name__ for event in ran.events]
    assert kinds.index("Aimed") < kinds.index("Reacted") < kinds.index("Rolled")
    assert ran.asked == ["target", "reaction"]


@pytest.mark.rule("dw.reaction.attack_simultaneous")
def test_everybody_who_was_there_still_fires_back():
    field, a, b = duel(10, squad(5, armor=1), squad(5, armor=1))
    answers = {
        "reaction": (b.id, "attack"),
        "target": [("direct", b.id), ("direct", a.id)],
        "casualties": [((0, 1), (1, 1), (2, 1)), ((0, 1), (1, 1), (2, 1), (3, 1))],
    }
    ran = field.run(
        lambda play: field.rules.attacking.attack(play, a, "attack"), "HHHBB B HHHHB B", answers, default=usual
    )
    assert ran.dice("Rifle") == [5, 5]
    assert len(b.men) == 2 and len(a.men) == 1
    assert a.leader is None and b.leader is None
    kinds = [type(event).__name__ for event in ran.events]
    assert kinds.index("Lost") > max(n for n, kind in enumerate(kinds) if kind == "Struck")


@pytest.mark.rule("dw.leader.opponent_nominates", "dw.reaction.attack_simultaneous")
def test_who_fires_back_under_a_stand_in_is_leaderless_again_when_the_attack_is_over():
    field, a, b = duel(10, squad(5, armor=1), squad(5, armor=1))
    b.leader = None
    answers = {
        "reaction": (b.id, "attack"),
        "stand-in leader": 2,
        "target": [("direct", b.id), ("direct", a.id)],
    }
    ran = field.run(lambda play: field.rules.attacking.attack(play, a, "attack"), "BBBBB BBBBB", answers, default=usual)
    assert [event.man for event in ran.of("LeaderNamed")] == [2]
    assert b.leader is None and b.stand_in is None


@pytest.mark.rule("dw.open.multi_reaction_simultaneous")
def test_two_targets_fire_back_and_all_losses_come_together():
    field, a, b = duel(10, squad(4, armor=1), squad(2, armor=1))
    c = field.put(RED, squad(2, armor=1), 700, 800 - gap(9))
    weapons = (("direct", b.id), ("direct", b.id), ("direct", c.id), ("direct", c.id))
    answers = {
        "target": [("choose", ""), ("direct", a.id), ("direct", a.id)],
        "weapons": weapons,
        "reaction": [(b.id, "attack"), (c.id, "attack")],
        "casualties": [((0, 1),), ((0, 1),), ((0, 1),), ((1, 1),)],
    }
    ran = field.run(
        lambda play: field.rules.attacking.attack(play, a, "attack"), "HB B HB B HB B HB B", answers, default=usual
    )
    kinds = [type(event).__name__ for event in ran.events]
    assert kinds.count("Struck") == 4
    assert kinds.index("Lost") > max(n for n, kind in enumerate(kinds) if kind == "Struck")
    assert (len(a.men), len(b.men), len(c.men)) == (2, 1, 1)
    first, second = [question.text for question in ran.questions if question.key == "reaction"]
    assert f'({b.id}) with Rifle from 10" away; ' in first and f"({c.id}) with Rifle from" in first
    assert "So far" not in first and f"So far: {b.name} ({b.id}) fires back." in second


@pytest.mark.rule("dw.reaction.eligibility", "dw.reaction.move_timing")
def test_one_question_lists_everybody_who_may_and_a_no_is_for_all_of_them():
    field, a, b = duel(10, squad(1), squad(1, [weapon(range=24)]))
    c = field.put(RED, squad(1, [weapon(range=24)]), 1000, 800 - gap(10), heading=180)
    ran = field.move(a, (900, 800 + inch(6)))
    assert ran.asked == ["reaction", "move", "reaction"]  # one before and one after, however many units may
    assert {choice[0] for choice in ran.offered["reaction"] if choice is not None} == {b.id, c.id}
    for unit in (b, c):
        unit.reacted = True
    assert field.move(a, (900, 800)).asked == ["move"]  # nobody may: nobody is asked


def test_a_question_about_reactions_says_who_does_what_to_whom():
    field, a, b = duel(8)
    question = field.attack(a, b, "BBBBB").questions[-1]
    assert [question.label(option) for option in question.options] == [
        "no reaction",
        f'{b.name} ({b.id}) moves, up to 6"',
        f"{b.name} ({b.id}) attacks {a.name} ({a.id})",
        f"{b.name} ({b.id}) hits the dirt: one step more cover, one suppression marker",
    ]
    assert question.text.endswith("Which target reacts?")


@pytest.mark.rule("dw.reaction.attack_evade")
def test_a_target_that_moves_out_of_sight_wastes_the_attack():
    field, a, b = duel(10, squad(1), squad(1), {"kind": "high-wall", "line": [[38, 22.5], [46, 22.5]]})
    answers = {"reaction": (b.id, "move"), "move": ((900 + inch(5), 800 - gap(10)),)}
    ran = field.attack(a, b, "", answers=answers)
    assert ran.of("Wasted")[0].rule == "dw.reaction.attack_evade"
    assert not ran.of("Rolled") and not ran.of("Struck")


@pytest.mark.rule("dw.open.partial_evasion")
def test_weapons_that_still_reach_fire_and_the_others_are_wasted():
    card = squad(2, [weapon("Rifle", 16), weapon("Gun", 24, "2/1")])
    field, a, b = duel(12, card, squad(1))
    answers = {"reaction": (b.id, "move"), "move": ((900, 800 - gap(12) - 150),)}
    ran = field.attack(a, b, "BB", answers=answers)
    assert ran.dice("Gun") == [2] and ran.dice("Rifle") == []
    assert ran.of("Wasted")[0].rule == "dw.open.partial_evasion"


@pytest.mark.rule("dw.reaction.hit_the_dirt")
def test_hit_the_dirt_at_any_distance_but_not_for_vehicles():
    field, a, b = duel(17)
    assert options(field, a, b) == ["hit the dirt"]
    field, a, b = duel(17, squad(1, [weapon(vehicles="1/1")]), vehicle())
    assert options(field, a, b) == []


@pytest.mark.rule("dw.reaction.hit_the_dirt_effects", "dw.open.hit_the_dirt_stacking")
def test_hit_the_dirt_is_one_step_of_cover_and_two_markers():
    field, a, b = duel(20, squad(2, [weapon(range=24, count=2)]), squad(5, armor=1))
    ran = field.attack(a, b, "HH B", answers={"reaction": (b.id, "hit the dirt"), "casualties": ((0, 1),)})
    assert ran.struck(b).cover == 1 and ran.struck(b).suffered == 1
    assert b.reaction and b.suppression == 2


@pytest.mark.rule("dw.reaction.hit_the_dirt_effects", "dw.cover.teams")
def test_a_team_in_the_open_that_hits_the_dirt_is_in_hard_cover():
    field, a, b = duel(10, squad(2), squad(3, armor=1, tags=["team"]))
    ran = field.attack(a, b, "HH", answers={"reaction": (b.id, "hit the dirt")})
    assert ran.struck(b).cover == 2


@pytest.mark.rule("dw.open.hit_the_dirt_hero")
def test_lone_heroes_do_not_hit_the_dirt():
    field, a, b = duel(20, squad(1, [weapon(range=24)]), hero())
    assert options(field, a, b) == []


@pytest.mark.rule("dw.open.hit_the_dirt_no_cover_weapons")
def test_hit_the_dirt_does_not_help_against_what_ignores_cover():
    field, a, b = duel(2, squad(1, [weapon("Knife", "C", "2/1")]), squad(5, armor=1))
    answers = {"reaction": (b.id, "hit the dirt"), "casualties": ((0, 1), (1, 1))}
    ran = field.attack(a, b, "HH B", mode="close", answers=answers)
    assert ran.struck(b).cover == 0 and ran.struck(b).suffered == 2
    assert b.reaction and b.suppression == 2


@pytest.mark.rule("dw.weapon.close_combat_reaction", "dw.profile.close_combat")
def test_close_combat_is_answered_with_close_combat_weapons_only():
    knife = weapon("Knife", "C", "1/1", count=2)
    field, a, b = duel(2, squad(2, [knife]), squad(2, [weapon(count=2), knife]))
    assert options(field, a, b) == ["attack", "hit the dirt"]
    answers = {"reaction": (b.id, "attack")}
    ran = field.attack(a, b, "BB BB", mode="close", answers={**answers, "target": [("close", b.id), ("close", a.id)]})
    assert [event.shots for event in ran.of("Aimed")] == [(("Knife", b.id),), (("Knife", a.id),)]
    field, a, b = duel(2, squad(2, [knife]), squad(2))
    assert options(field, a, b) == ["hit the dirt"]


@pytest.mark.rule("dw.open.c_retaliation")
def test_nobody_strikes_back_by_himself():
    knife = weapon("Knife", "C", "1/1", count=2)
    field, a, b = duel(2, squad(2, [knife]), squad(2, [knife]))
    b.suppression = 1
    ran = field.attack(a, b, "BB", mode="close")
    assert len(ran.of("Aimed")) == 1
