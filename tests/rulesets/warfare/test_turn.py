"""Phases, initiative, orders, activation, End phase, retreat, victory (dw.turn.*, dw.initiative.*, dw.command.*,
dw.unit_phase.*, dw.end.*, dw.retreat.*)."""

from __future__ import annotations

import pytest

from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.command import SPECIAL_ORDERS
from dieselfront.rulesets.warfare.damage_tables import FIRE
from rulesets.warfare.field import BLUE, RED, Field, gap, hero, inch, plane, squad, usual, vehicle

SECTION = squad(5, name="Section", tags=["command_section"])


def whole_turn(field: Field, dice: str, **answers):
    """One turn from its Initiative phase to its End phase."""

    def procedure(play):
        field.rules.turn.begin(play, 1)
        for _ in range(40):
            if field.state.turn > 1 or field.state.over:
                return
            phase = field.state.phase
            chapter = {"initiative": field.rules.turn.initiative, "command": field.rules.command.step,
                       "units": field.rules.activation.step, "end": field.rules.turn.end}[phase]  # fmt: skip
            yield from chapter(play)

    return field.run(procedure, dice, answers, default=usual)


# -- phases and initiative ------------------------------------------------------------------------------------


@pytest.mark.rule("dw.turn.phases", "dw.initiative.fewest_first")
def test_the_phases_of_a_turn_and_who_goes_first():
    field = Field(phase="initiative")
    for n in range(3):
        field.put(BLUE, SECTION, 300 + 400 * n, 1000)
        field.put(RED, SECTION, 300 + 400 * n, 200)
    ran = whole_turn(field, "HBB HHH")
    phases = [(event.phase, event.side) for event in ran.of("PhaseBegan")]
    assert phases == [("Initiative", -1), ("Command", 0), ("Command", 1), ("Unit", 0), ("Unit", 1), ("End", -1)]
    assert ran.of("Initiative")[0].side == BLUE
    ran = whole_turn(field, "HHB HBB")
    assert field.state.initiative == RED


@pytest.mark.rule("dw.initiative.command_pool", "dw.retreat.command_pool")
def test_a_die_for_every_unit_on_the_table_that_does_not_retreat():
    field = Field(phase="initiative")
    for n in range(4):
        field.put(BLUE, squad(2), 300 + 200 * n, 1000)
    field.put(BLUE, squad(2), 1400, 1000, suppression=3)
    field.put(BLUE, squad(2), place="off")
    assert field.rules.command.pool(field.state, BLUE) == 4


@pytest.mark.rule("dw.open.pool_embarked")
def test_embarked_units_add_no_die():
    field = Field(phase="initiative")
    carrier, rider = field.put(BLUE, vehicle(), 300, 300), field.put(BLUE, squad(2), 600, 600)
    assert field.rules.command.pool(field.state, BLUE) == 2
    field.aboard(rider, carrier)
    assert field.rules.command.pool(field.state, BLUE) == 1


@pytest.mark.rule("dw.open.hero_led_pool")
def test_a_hero_led_unit_never_counts_as_retreating():
    field = Field(phase="initiative")
    unit = field.put(BLUE, squad(1), 300, 300)
    field.join(field.put(BLUE, hero(), place="off"), unit)
    unit.suppression = 3
    assert field.rules.command.pool(field.state, BLUE) == 1


@pytest.mark.rule("dw.initiative.ties", "dw.open.tie_reroll")
def test_ties_are_rolled_again_with_whole_pools_and_the_last_roll_counts():
    field = Field(phase="initiative")
    for n in range(3):
        field.put(BLUE, SECTION, 300 + 400 * n, 1000)
        field.put(RED, SECTION, 300 + 400 * n, 200)
    field.run(lambda play: field.rules.turn.initiative(play), "HHB HHB HHH HBB")
    assert field.state.initiative == RED and field.state.hits == (3, 1)
    assert field.state.orders == 1


@pytest.mark.rule("dw.open.pool_zero")
def test_two_empty_pools_roll_a_die_each():
    field = Field(phase="initiative")
    field.put(BLUE, squad(2), place="off")
    field.put(RED, squad(2), place="off")
    field.run(lambda play: field.rules.turn.initiative(play), "H H B H")
    assert field.state.initiative == BLUE and field.state.orders == 1


# -- orders ------------------------------------------------------------------------------------------------


def commanders(orders: int = 3, **more):
    """A Command Section, a squad 8" away and a squad 30" away."""
    field = Field(phase="command", **more)
    section = field.put(BLUE, SECTION, 300, 600, pitch=26)
    near = field.put(BLUE, squad(5, name="Near"), 300, 600 + inch(9), pitch=26)
    far = field.put(BLUE, squad(5, name="Far"), 300 + inch(40), 600, pitch=26)
    field.state.orders = orders
    return field, section, near, far


@pytest.mark.rule("dw.command.order_count", "dw.open.order_minimum")
@pytest.mark.parametrize("hits, orders", [(0, 1), (3, 3)])
def test_an_order_for_each_hit_and_at_least_one(hits, orders):
    field, *_ = commanders()
    field.state.hits = (hits, 0)
    assert field.rules.command.order_count(field.state, BLUE) == orders


@pytest.mark.rule("dw.command.command_range")
def test_one_member_within_command_range_is_enough_and_sight_is_not_needed():
    field = Field({"kind": "building", "at": [14, 20], "size": [2, 8]}, phase="command")
    section = field.put(BLUE, SECTION, 250, 600, spots=[(250, 600)] * 1 + [(250, 630 + 26 * n) for n in range(4)])
    unit = field.put(BLUE, squad(2), spots=[(250 + gap(12), 600), (250 + gap(14), 600)])
    field.state.orders = 1
    assert field.rules.command.reach(field.state, unit).by == section.id
    unit.bodies[0] = unit.bodies[0].at(250 + gap(12.2), 600)
    assert field.rules.command.reach(field.state, unit) is None


@pytest.mark.rule("dw.open.orders_per_unit")
def test_a_unit_gets_one_order_a_phase():
    field, section, near, _far = commanders()
    field.order(near, "regroup", answers={"regroup": ()})
    assert ("regroup", near.id) not in field.rules.command.options(field.state, BLUE)
    assert ("regroup", section.id) in field.rules.command.options(field.state, BLUE)
    assert field.state.orders == 2


@pytest.mark.rule("dw.command.take_action", "dw.command.no_reactions")
def test_take_action_is_one_action_whatever_the_markers_and_nobody_reacts():
    field, _section, near, _far = commanders()
    near.suppression, near.reaction = 2, True
    foe = field.put(RED, squad(5, armor=1), 300, 600 + inch(9) + gap(8))
    ran = field.order(near, "take action", "BBBBB", {"ordered action": "attack", "target": ("direct", foe.id)})
    assert {"move", "attack"} <= set(ran.offered["ordered action"])
    assert "reaction" not in ran.asked and len(ran.of("Aimed")) == 1
    assert near.suppression == 2


@pytest.mark.rule("dw.command.take_action_marker")
def test_take_action_costs_a_reaction_marker_but_never_a_second():
    field, _section, near, _far = commanders()
    field.order(near, "take action", answers={"ordered action": "move", "move": ()})
    assert near.reaction
    field.state.phase = "units"
    assert field.rules.activation.action_count(field.state, near) == 1
    ran = field.run(
        lambda play: field.rules.command.take_action(play, near), answers={"ordered action": "move", "move": ()}
    )
    assert not ran.of("Marked")


@pytest.mark.rule("dw.open.take_action_double")
def test_take_action_offers_no_double_actions():
    field, _section, near, _far = commanders()
    near.empty = (0,)
    field.put(RED, squad(5), 300, 600 + inch(9) + gap(8))
    ran = field.order(near, "take action", answers={"ordered action": "reload"})
    assert "march" not in ran.offered["ordered action"] and "sustained attack" not in ran.offered["ordered action"]
    assert near.empty == ()


@pytest.mark.rule("dw.open.take_action_steps")
def test_take_action_is_no_activation():
    field, _section, near, _far = commanders()
    near.leader = None
    foe = field.put(RED, squad(5, armor=1), 300, 600 + inch(9) + gap(8))
    answers = {"stand-in leader": 2, "ordered action": "attack", "target": ("direct", foe.id)}
    ran = field.order(near, "take action", "BBBBB", answers)
    assert ran.questions[0].player == RED
    assert near.leader is None and near.suppression == 0 and not near.activated
    walker = field.put(BLUE, vehicle(), 300, 450, effects=(FIRE,))
    field.order(walker, "take action", answers={"ordered action": "move", "move": ()})
    assert walker.points_left == 6


@pytest.mark.rule("dw.command.regroup", "dw.open.regroup_details")
def test_regroup_removes_all_markers_and_names_a_leader_without_a_new_one():
    field, _section, near, _far = commanders()
    near.suppression, near.reaction, near.leader = 3, True, None
    ran = field.order(near, "regroup", answers={"leader": 4, "regroup": ()})
    assert (near.suppression, near.reaction, near.leader) == (0, False, 4)
    assert ran.of("LeaderNamed")[0].rule == "dw.command.regroup"


@pytest.mark.rule("dw.command.regroup_move")
def test_everybody_but_the_leader_may_close_up_six_inches():
    field = Field(phase="command")
    unit = field.put(BLUE, squad(2, tags=["command_section"]), spots=[(300, 600), (300 + gap(11), 600)])
    field.state.orders = 1
    there = (300 + gap(11) - 152, 600)
    with pytest.raises(IllegalChoice, match="leader stays"):
        field.order(unit, "regroup", answers={"regroup": (("models", (310, 600), there),)})
    field.state.orders = 1
    unit.notes.clear()
    field.order(unit, "regroup", answers={"regroup": (("models", (300, 600), there),)})
    assert unit.spots[1] == there and not ground.out_of_formation(unit)


@pytest.mark.rule("dw.command.special", "dw.open.special_orders")
def test_special_orders_are_platoon_data():
    field, section, near, _far = commanders()
    assert {one[0] for one in field.rules.command.options(field.state, BLUE)} == {"take action", "regroup"}
    done = []

    def advance(rules, play, unit):
        done.append(unit.id)
        return
        yield

    SPECIAL_ORDERS["Advance!"] = advance
    try:
        field.state.forces = [{"special_orders": [{"name": "Advance!", "platoon": "rangers"}]}, {}]
        assert not any(one[0] == "special" for one in field.rules.command.options(field.state, BLUE))
        section.notes["platoon"] = "rangers"
        assert ("special", near.id, "Advance!") in field.rules.command.options(field.state, BLUE)
        field.run(lambda play: field.rules.command.give(play, ("special", near.id, "Advance!")))
    finally:
        SPECIAL_ORDERS.clear()
    assert done == [near.id] and field.state.orders == 2


@pytest.mark.rule("dw.command.temp_section", "dw.open.temp_section_details")
def test_without_a_section_one_order_promotes_a_unit():
    field = Field(phase="command")
    a, _b = field.put(BLUE, squad(5), 300, 600), field.put(BLUE, squad(5), 300, 600 + inch(6))
    field.state.orders = 3
    answers = {"promote": a.id, "section leader": 1, "order": None}
    ran = field.run(lambda play: field.rules.command.step(play), answers=answers, default=usual)
    assert field.state.orders == 2 or ran.of("PhaseBegan")
    assert a.notes["temporary section"] == 1 and a.leader == 1
    assert ran.of("Promoted")
    a.leader = 0
    assert field.rules.command.sections(field.state, BLUE) == []


@pytest.mark.rule("dw.command.temp_section_range")
def test_a_temporary_section_reaches_six_inches():
    field = Field(phase="command")
    a = field.put(BLUE, squad(1), 300, 600)
    a.notes["temporary section"] = 0
    near, far = field.put(BLUE, squad(1), 300 + gap(6), 600), field.put(BLUE, squad(1), 300, 600 + gap(7))
    field.state.orders = 2
    assert field.rules.command.reach(field.state, near) is not None
    assert field.rules.command.reach(field.state, far) is None


@pytest.mark.rule("dw.open.section_new_leader")
def test_a_section_that_names_a_new_leader_is_a_full_section_again():
    field, section, near, _far = commanders()
    section.leader = None
    assert field.rules.command.sections(field.state, BLUE) == []
    near.notes["temporary section"] = near.leader
    field.state.phase = "units"
    field.activate(section, dice="B", answers={"leader": 1})
    found = field.rules.command.sections(field.state, BLUE)
    assert [(one.unit.id, one.inches, one.temporary) for one in found] == [(section.id, 12, False)]


@pytest.mark.rule("dw.hero.temp_command")
def test_a_hero_commands_for_free_when_no_section_is_left():
    field = Field(phase="command")
    lone = field.put(BLUE, hero(), 300, 600)
    near, far = field.put(BLUE, squad(1), 300 + gap(6), 600), field.put(BLUE, squad(1), 300, 600 + gap(7))
    field.state.orders = 2
    ran = field.run(lambda play: field.rules.command.step(play), answers={"order": ("regroup", near.id)}, default=usual)
    assert "promote" not in ran.asked and field.state.orders == 1
    assert field.rules.command.reach(field.state, far) is None
    assert [one.special for one in field.rules.command.sections(field.state, BLUE)] == [False]
    assert lone.is_lone_hero


@pytest.mark.rule("dw.hero.orders_any_range")
def test_orders_reach_heroes_anywhere():
    field, _section, _near, far = commanders()
    assert field.rules.command.reach(field.state, far) is None
    field.join(field.put(BLUE, hero(), place="off"), far)
    assert field.rules.command.reach(field.state, far).rule == "dw.hero.orders_any_range"


@pytest.mark.rule("dw.hero.join_command_section")
def test_the_unit_of_a_section_hero_is_a_command_section():
    field = Field(phase="command")
    unit = field.put(BLUE, squad(5), 300, 600)
    field.join(field.put(BLUE, hero(tags=["command_section"]), place="off"), unit)
    assert [(one.unit.id, one.inches) for one in field.rules.command.sections(field.state, BLUE)] == [(unit.id, 12)]


@pytest.mark.rule("dw.open.orders_off_table")
def test_orders_to_units_off_the_table():
    field, _section, _near, _far = commanders(scenario={"reserves": "allowed", "reserve_turn": 1})
    aircraft = field.put(BLUE, plane(), place="off")
    waiting = field.put(BLUE, squad(2), place="off", arrival="reserve")
    assert not field.rules.command.may_be_ordered(field.state, aircraft)
    assert field.rules.command.may_be_ordered(field.state, waiting)
    assert field.rules.activation.singles(field.state, waiting) == ["enter"]


# -- activation ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.unit_phase.order_of_play")
def test_one_side_activates_everybody_before_the_other_begins():
    field = Field(phase="units")
    mine = [field.put(BLUE, squad(1), 300 + 200 * n, 1000) for n in range(3)]
    theirs = [field.put(RED, squad(1), 300 + 200 * n, 200) for n in range(2)]
    order = []

    def procedure(play):
        while field.state.phase == "units":
            yield from field.rules.activation.step(play)

    ran = field.run(procedure, answers={"activate": [mine[2].id, mine[0].id, theirs[1].id]}, default=usual)
    order = [event.unit for event in ran.of("Activated")]
    assert order == [mine[2].id, mine[0].id, mine[1].id, theirs[1].id, theirs[0].id]


@pytest.mark.rule("dw.unit_phase.step_order", "dw.unit_phase.replace_leader")
def test_the_marker_of_a_new_leader_is_rolled_off_in_the_same_activation():
    field = Field()
    unit = field.put(BLUE, squad(5), leader=None)
    ran = field.activate(unit, dice="H", answers={"leader": 2})
    assert unit.leader == 2 and unit.suppression == 0
    kinds = [type(event).__name__ for event in ran.events]
    assert kinds[:4] == ["LeaderNamed", "Marked", "Rolled", "Marked"]


@pytest.mark.rule("dw.unit_phase.out_of_formation", "dw.open.leader_range_step2")
def test_stragglers_close_up_just_enough():
    field = Field()
    unit = field.put(BLUE, squad(2), spots=[(300, 600), (300 + gap(9), 600)])
    field.activate(unit)
    far = ground.distance(unit.bodies[0], unit.bodies[1])
    assert 6 * 254 - 12 <= far <= 6 * 254
    wide = field.put(BLUE, squad(2, leadership=8), spots=[(300, 900), (300 + gap(10), 900)])
    field.activate(wide)
    assert 8 * 254 - 12 <= ground.distance(wide.bodies[0], wide.bodies[1]) <= 8 * 254


@pytest.mark.rule("dw.unit_phase.out_of_formation_free")
def test_closing_up_is_free_and_nobody_reacts():
    field = Field()
    unit = field.put(BLUE, squad(2), spots=[(900, 600), (900 + gap(9), 600)])
    field.put(RED, squad(5), 900 + gap(9), 600 - gap(8))
    ran = field.activate(unit, ())
    assert "reaction" not in ran.asked
    assert field.rules.activation.action_count(field.state, unit) == 2
    assert isinstance(field.route(unit, (900 - 152, 600)), tuple)


@pytest.mark.rule("dw.unit_phase.remove_suppression")
def test_a_die_for_each_marker():
    field = Field()
    unit = field.put(BLUE, squad(5), suppression=3)
    field.activate(unit, dice="HBB")
    assert unit.suppression == 2


@pytest.mark.rule("dw.hero.invert_removal")
def test_hero_led_units_rally_on_blanks():
    field = Field()
    unit = field.put(BLUE, squad(5), suppression=3)
    field.join(field.put(BLUE, hero(), place="off"), unit)
    field.activate(unit, dice="HBB")
    assert unit.suppression == 1


@pytest.mark.rule("dw.unit_phase.action_count", "dw.reaction.lose_action", "dw.suppression.effects")
@pytest.mark.parametrize("suppression, reaction, actions", [(0, False, 2), (0, True, 1), (4, False, 1), (1, True, 0)])
def test_markers_cost_actions(suppression, reaction, actions):
    field = Field()
    unit = field.put(BLUE, squad(5), suppression=suppression, reaction=reaction)
    assert field.rules.activation.action_count(field.state, unit) == actions
    ran = field.activate(unit, (), dice="B" * suppression)
    assert ran.of("Activated")[0].actions == actions


@pytest.mark.rule("dw.unit_phase.mid_activation_suppression")
def test_a_unit_suppressed_while_active_finishes_its_actions():
    field = Field()
    unit = field.put(BLUE, squad(5, armor=1), 900, 700)
    foe = field.put(RED, squad(1), 900, 700 - gap(13))
    answers = {"move": ((900, 700 - 100),), "reaction": (foe.id, "attack"), "target": ("direct", foe.id),
               "casualties": ((1, 1),)}  # fmt: skip
    answers["target"] = [("direct", unit.id), ("direct", foe.id)]
    ran = field.activate(unit, ("move", "attack"), "H B BBBB", answers)
    assert unit.suppression == 1
    assert [event.unit for event in ran.of("Aimed")] == [foe.id, unit.id]


@pytest.mark.rule("dw.unit_phase.same_action", "dw.unit_phase.declare", "dw.open.same_action_twice")
def test_what_can_be_declared():
    field = Field()
    unit = field.put(BLUE, squad(5), 900, 600)
    field.put(RED, squad(5), 900, 600 - gap(14))
    menu = field.menu(unit)
    assert ("move", "attack") in menu and ("attack", "move") in menu
    assert ("march",) in menu and ("sustained attack",) in menu and () in menu
    assert ("move", "move") not in menu and ("attack", "attack") not in menu
    assert all(len(names) <= 2 for names in menu)
    with pytest.raises(IllegalChoice):
        field.activate(unit, ("move", "attack", "move"))


@pytest.mark.rule("dw.open.declare_upfront")
def test_a_declared_attack_without_a_target_is_lost():
    field = Field({"kind": "high-wall", "line": [[30, 15], [48, 15]]})
    unit = field.put(BLUE, squad(1), 900, 600)
    field.put(RED, squad(1), 900, 300)
    ran = field.activate(unit, ("move", "attack"), answers={"move": ((900, 580),)})
    assert not ran.of("Aimed") and ran.asked.count("actions") == 1


@pytest.mark.rule("dw.action.special")
def test_special_actions_need_something_to_do():
    field = Field()
    unit = field.put(BLUE, squad(5))
    assert not any("heal" in names or "reload" in names for names in field.menu(unit))
    unit.empty = (0,)
    assert ("reload",) in field.menu(unit)
    field.activate(unit, ("reload",))
    assert unit.empty == ()


# -- retreat ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.retreat.condition")
def test_more_markers_than_miniatures_is_a_retreat():
    field = Field()
    unit = field.put(BLUE, squad(3), suppression=3)
    assert not field.rules.suppression.is_retreating(field.state, unit)
    unit.suppression = 4
    assert field.rules.suppression.is_retreating(field.state, unit)


@pytest.mark.rule("dw.retreat.recovery")
def test_rallying_stops_the_retreat():
    field = Field()
    unit = field.put(BLUE, squad(2), inch(8), 600, suppression=3)
    before = unit.spots
    field.activate(unit, dice="HBB")
    assert unit.spots == before


@pytest.mark.rule("dw.unit_phase.retreat_moves", "dw.open.retreat_move_distance")
def test_a_retreat_goes_straight_to_the_nearest_edge_and_leaves_an_action():
    field = Field()
    unit = field.put(BLUE, squad(2), inch(12), 600, suppression=3)
    ran = field.activate(unit, dice="BBB")
    assert [x for x, _ in unit.spots] == [inch(12) - 152, inch(12) + 30 - 152]
    assert ran.of("Activated")[0].actions == 1
    assert "reaction" not in ran.asked


@pytest.mark.rule("dw.open.retreat_move_distance")
def test_the_house_may_count_the_retreat_as_the_action():
    field = Field(retreat_move_distance="is_the_action")
    unit = field.put(BLUE, squad(2), inch(12), 600, suppression=3)
    ran = field.activate(unit, dice="BBB")
    assert ran.of("Activated")[0].actions == 0


@pytest.mark.rule("dw.unit_phase.retreat_off_table")
def test_who_reaches_the_edge_is_gone():
    field = Field()
    unit = field.put(BLUE, squad(2), spots=[(inch(4), 600), (inch(9), 600)], suppression=3)
    ran = field.activate(unit, dice="BBB")
    assert unit.men == [1]
    assert ran.of("Lost")[0].rule == "dw.unit_phase.retreat_off_table"


@pytest.mark.rule("dw.hero.no_retreat")
def test_hero_led_units_do_not_retreat():
    field = Field()
    unit = field.put(BLUE, squad(1), inch(8), 600)
    field.join(field.put(BLUE, hero(), place="off"), unit)
    unit.suppression = 5
    before = unit.spots
    field.activate(unit, dice="HHHHH")
    assert unit.spots == before and unit.suppression == 5


# -- the end ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.end.scenario_actions", "dw.end.remove_suppression", "dw.end.remove_reaction")
def test_scenario_first_then_one_suppression_and_all_reaction_markers():
    field = Field(phase="end")
    a = field.put(BLUE, squad(5), suppression=3, reaction=True)
    b = field.put(RED, squad(5), 300, 300)
    ran = field.run(lambda play: field.rules.turn.end(play))
    assert (a.suppression, a.reaction, b.suppression) == (2, False, 0)
    rules = ran.rules()
    assert rules.index("dw.end.scenario_actions") < rules.index("dw.end.remove_suppression")


@pytest.mark.rule("dw.open.scenario_data")
def test_the_default_game_ends_after_six_turns_or_with_a_side():
    field = Field(phase="end", turn=6)
    field.put(BLUE, squad(5), 300, 300)
    field.put(RED, squad(5, points=33), place="gone")
    field.put(RED, squad(5), 900, 300)
    ran = field.run(lambda play: field.rules.turn.end(play))
    assert field.state.over and ran.of("GameEnded")[0].winner == BLUE
    assert ran.of("Scored")[-1].points == (33, 0)
    field = Field(phase="units", turn=2)
    field.put(RED, squad(5))
    from dieselfront.kernel.game import Play

    play = Play(field.rules, field.state)
    assert field.rules.victory.is_wiped_out(play) and play.events[-1].winner == RED
