"""Dice, measuring, arcs, profiles, units, leaders, formation, set-up (dw.dice.*, dw.measure.*, dw.arc.*, dw.profile.*,
dw.unit.*, dw.leader.*, dw.formation.*, dw.setup.*)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dieselfront.dice import Reroll, Throw
from dieselfront.dice.throw import perform
from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.rulesets.warfare import RULESET, ground
from dieselfront.rulesets.warfare.battle import BadBattle, read_battle
from dieselfront.rulesets.warfare.profiles import best_dice, read_card
from dieselfront.rulesets.warfare.setup import OverLimit, check_points
from dieselfront.rulesets.warfare.state import Unit
from dieselfront.rulesets.warfare.throws import BLANK, COMBAT_DIE, HIT, combat, inverted
from dieselfront.rulesets.warfare.view import unit_view
from dieselfront.table.measured.shapes import is_completely_within
from rulesets.warfare.field import BLUE, RED, Field, gap, hero, inch, squad, usual, vehicle, weapon


def rolled(throw: Throw, count: int, *stages: str) -> int:
    """The successes of a throw whose stages show these faces."""
    made = perform(throw, count, 0)
    made.send(None)
    try:
        for faces in stages:
            made.send(tuple("HB".index(face) for face in faces))
    except StopIteration as stop:
        return stop.value.successes
    raise AssertionError("more dice are asked for")


# -- dice ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.dice.faces")
def test_a_combat_die_has_two_hits_and_four_blanks():
    assert COMBAT_DIE.counts == (2, 4)
    assert COMBAT_DIE.chance(HIT) == Fraction(1, 3)


@pytest.mark.rule("dw.dice.invert")
def test_inverted_dice_count_blanks():
    assert rolled(combat("x", "dw.dice.invert"), 3, "HBB") == 1
    assert rolled(combat("x", "dw.dice.invert", inverted=True), 3, "HBB") == 2


@pytest.mark.rule("dw.open.invert_twice")
def test_two_inversions_are_one():
    once = inverted(combat("x", "r"), "dw.ability.spotter", "spotter")
    twice = inverted(once, "dw.ability.take_aim", "take aim")
    assert once.faces == twice.faces == BLANK
    assert rolled(inverted(combat("x", "r", rerolls="y"), "dw.weapon.rocket_punch", "punch"), 2, "HB", "H") == 1


@pytest.mark.rule("dw.dice.reroll_final")
def test_the_second_face_stands_even_if_it_is_worse():
    throw = Throw("x", COMBAT_DIE, HIT, "r", rerolls=(Reroll(True, HIT, "r"),))
    assert rolled(throw, 1, "H", "B") == 0


@pytest.mark.rule("dw.dice.reroll_once")
def test_a_blank_that_stays_blank_is_not_rolled_a_third_time():
    throw = combat("x", "r", rerolls="dw.action.sustained_attack")
    assert rolled(throw, 2, "BB", "HB") == 1
    assert len(throw.rerolls) == 1


# -- set-up ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.setup.army_points")
def test_a_force_may_not_cost_more_than_was_agreed():
    force = {"name": "x", "points": 100, "units": [{"card": squad(points=60)}, {"card": squad(points=45)}]}
    with pytest.raises(OverLimit, match="105 AP"):
        RULESET.read_force(0, force)
    force["units"][1] = {"card": squad(points=40)}
    assert len(RULESET.read_force(0, force)) == 2
    check_points({"points": 10, "unrestricted": True}, 20)


@pytest.mark.rule("dw.setup.scenario_choice")
def test_nothing_is_deployed_without_a_scenario():
    with pytest.raises(BadBattle, match="No scenario is set"):
        read_battle({})
    assert read_battle({"id": "x", "name": "X"}).turns == 6


@pytest.mark.rule("dw.setup.battlefield_and_deploy")
def test_units_are_deployed_in_their_own_strip():
    field = Field(phase="setup")
    unit = field.put(BLUE, squad(1), place="off")
    zone = field.rules.setup.zone(field.state, BLUE)
    region = field.rules.setup.region(field.state, unit, zone, "not in the zone")
    depth = field.state.table.depth
    assert region.why_not((900, depth - inch(15), 0)) == "not in the zone"
    assert region.why_not((900, depth - inch(6), 0)) is None


@pytest.mark.rule("dw.setup.battlefield_and_deploy")
def test_sides_deploy_in_turn_and_then_the_first_turn_begins():
    field = Field(phase="setup")
    a, b = field.put(BLUE, squad(2), place="off"), field.put(RED, squad(2), place="off")
    ran = field.run(lambda play: field.rules.setup.set_up(play), default=usual)
    assert [event.unit for event in ran.of("Placed")] == [a.id, b.id]
    assert field.state.turn == 1 and field.state.phase == "initiative"


# -- measuring ------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.measure.mini_to_mini")
def test_distance_is_between_the_nearest_points_of_bases():
    field = Field()
    a, b = field.put(BLUE, squad(1), 300, 600), field.put(RED, squad(1), 300 + 178, 600)
    assert ground.unit_distance(a, b) == (178 - 25) * 10
    assert ground.within(a, b, 7) and not ground.within(a, b, 6)


@pytest.mark.rule("dw.measure.unit_to_unit")
def test_units_are_as_far_apart_as_their_nearest_miniatures():
    field = Field()
    a = field.put(BLUE, squad(2), spots=[(300, 600), (402, 600)])
    b = field.put(RED, squad(1), 402 + gap(10), 600)
    assert ground.within(a, b, 10) and not ground.within(a, b, 9)


@pytest.mark.rule("dw.measure.completely_within")
def test_completely_within_needs_the_whole_base():
    field = Field()
    a, b = field.put(BLUE, squad(1), 300, 600), field.put(RED, squad(1), 300 + gap(5.5), 600)
    assert ground.within(a, b, 6)
    assert not is_completely_within(b.bodies[0], a.bodies[0], 6 * ground.INCH)


@pytest.mark.rule("dw.measure.horizontal")
def test_height_adds_nothing_to_a_distance():
    field = Field({"kind": "hill", "at": [20, 20], "size": [6, 6], "height": 150})
    a = field.put(BLUE, squad(1), inch(23), inch(23))
    b = field.put(RED, squad(1), inch(23) + gap(8), inch(23))
    assert a.bodies[0].z == 150 and b.bodies[0].z == 0
    assert ground.within(a, b, 8) and not ground.within(a, b, 7)


@pytest.mark.rule("dw.measure.premeasure")
def test_measuring_changes_nothing():
    field = Field(active=RED)
    a, b = field.put(BLUE, squad(3), 300, 600), field.put(RED, squad(3), 700, 600)
    before = field.state.facts()
    ground.unit_distance(a, b), ground.sees(field.state, a, b), field.refusal(a, b)
    assert field.state.facts() == before


# -- arcs ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("dw.arc.soldier_no_facing", "dw.arc.turret_any")
def test_soldiers_and_turrets_fire_all_round():
    field = Field()
    gun = weapon(arc="front")
    a = field.put(BLUE, squad(1, [gun]), 900, 600, heading=0)
    south = field.put(RED, squad(1), 900, 600 + gap(6))
    assert field.refusal(a, south) is None
    walker = field.put(BLUE, vehicle(), 1200, 600, heading=0)
    behind = field.put(RED, squad(1), 1200, 900)
    assert field.refusal(walker, behind) is None


@pytest.mark.rule("dw.arc.vehicle_four")
@pytest.mark.parametrize(
    "spot, sides",
    [((64, -77), "front"), ((98, 17), "right"), ((0, 100), "rear"), ((-100, 0), "left"), ((100, -100), "front right")],
)
def test_four_arcs_of_ninety_degrees(spot, sides):
    field = Field()
    walker = field.put(BLUE, vehicle(), 900, 600, heading=0)
    from dieselfront.table.measured.arcs import point_in_arc

    x, y = (900 + spot[0] * 3) * 10, (600 + spot[1] * 3) * 10
    found = [
        name for name in ("front", "right", "rear", "left") if point_in_arc(walker.bodies[0], ground.ARCS[name], x, y)
    ]
    assert found == sides.split()


@pytest.mark.rule("dw.arc.hull_weapon", "dw.attack.arc")
def test_an_arc_bound_weapon_needs_one_miniature_in_its_arc():
    field = Field()
    walker = field.put(BLUE, vehicle(weapons=[weapon("MG", 24, "5/1", arc="front")]), 900, 600, heading=0)
    left = field.put(RED, squad(5), 500, 600, pitch=-30)
    assert field.refusal(walker, left) == "dw.attack.arc"
    partly = field.put(RED, squad(2), spots=[(500, 640), (860, 300)])
    assert field.refusal(walker, partly) is None


@pytest.mark.rule("dw.arc.hull_not_turret")
def test_arcs_follow_the_hull():
    field = Field()
    walker = field.put(BLUE, vehicle(weapons=[weapon("MG", 24, "5/1", arc="front")]), 900, 600, heading=90)
    north, east = field.put(RED, squad(1), 900, 300), field.put(RED, squad(1), 1200, 600)
    assert field.refusal(walker, north) == "dw.attack.arc"
    assert field.refusal(walker, east) is None


# -- profiles ------------------------------------------------------------------------------------------------


def duel(blue=None, red=None, inches: float = 10, *terrain, **options):
    field = Field(*terrain, **options)
    a = field.put(BLUE, blue or squad(5), 900, 600)
    b = field.put(RED, red or squad(5), 900, 600 - gap(inches))
    return field, a, b


@pytest.mark.rule("dw.profile.quantity")
def test_every_copy_of_a_weapon_has_its_own_dice():
    field, a, b = duel(squad(5, [weapon(count=5)]))
    assert field.strike(a, b).pools[0].dice == 5
    a.lose(4)
    assert field.strike(a, b).pools[0].dice == 4


@pytest.mark.rule("dw.profile.all_weapons")
def test_a_miniature_fires_everything_it_has():
    field, a, b = duel(squad(1, [weapon("Pistol", 12), weapon("Rocket", 24, "2/1")]))
    assert sum(pool.dice for pool in field.strike(a, b).pools) == 3


@pytest.mark.rule("dw.profile.range_inches", "dw.attack.range")
def test_beyond_its_range_a_weapon_is_useless():
    field, a, b = duel(squad(1, [weapon(range=16)]), squad(1), 16)
    assert field.refusal(a, b) is None
    field, a, b = duel(squad(1, [weapon(range=16)]), squad(1), 16.1)
    assert field.refusal(a, b) == "dw.attack.range"


@pytest.mark.rule("dw.profile.min_range")
def test_a_minimum_range():
    field, a, b = duel(squad(1, [weapon(range=36, min_range=12)]), squad(1), 11)
    assert field.refusal(a, b) == "dw.profile.min_range"
    field, a, b = duel(squad(1, [weapon(range=36, min_range=12)]), squad(1), 12.05)
    assert field.refusal(a, b) is None


@pytest.mark.rule("dw.open.min_range_per_miniature")
def test_one_target_between_minimum_and_maximum_is_enough():
    field = Field()
    a = field.put(BLUE, squad(1, [weapon(range=36, min_range=12)]), 900, 600)
    b = field.put(RED, squad(2), spots=[(900, 600 - gap(10)), (900, 600 - gap(13))])
    assert field.refusal(a, b) is None
    assert len(field.strike(a, b).seen) == 2


@pytest.mark.rule("dw.profile.dice_damage", "dw.attack.roll")
def test_each_hit_deals_the_damage_of_the_cell():
    field, a, b = duel(squad(1, [weapon(soldiers="4/2")]), squad(5, armor=1))
    ran = field.attack(a, b, "HHBB B")
    assert ran.struck(b).damage == 4


@pytest.mark.rule("dw.profile.spray", "dw.weapon.spray")
def test_spray_rolls_a_die_for_each_miniature_of_the_target():
    field, a, b = duel(squad(1, [weapon("Flamer", 12, "*/1", "*/1")]), squad(5))
    assert field.strike(a, b).pools[0].dice == 5
    field, a, b = duel(squad(2, [weapon("Flamer", 12, "*/1", "*/1", count=2)]), squad(4))
    assert field.strike(a, b).pools[0].dice == 8
    field, a, b = duel(squad(2, [weapon("Flamer", 12, "*/1", "*/1", count=2)]), vehicle())
    assert field.strike(a, b).pools[0].dice == 2


@pytest.mark.rule("dw.open.spray_position")
def test_spray_counts_hidden_miniatures_but_cannot_reach_them():
    field = Field({"kind": "high-wall", "line": [[37.5, 20], [48, 20]]})
    a = field.put(BLUE, squad(1, [weapon("Flamer", 18, "*/1")]), inch(34), inch(24))
    b = field.put(
        RED,
        squad(5),
        spots=[
            (inch(32), inch(18)),
            (inch(33.5), inch(18)),
            (inch(35), inch(18)),
            (inch(43), inch(18)),
            (inch(44.5), inch(18)),
        ],
    )
    strike = field.strike(a, b)
    assert strike.pools[0].dice == 5
    assert field.rules.attacking.capacity(strike) == 3


@pytest.mark.rule("dw.profile.dash")
def test_a_dash_means_no_attack():
    field, a, b = duel(squad(1), vehicle(5))
    assert field.refusal(a, b) == "dw.profile.dash"
    assert not field.can_attack(a, b)


@pytest.mark.rule("dw.profile.artillery", "dw.weapon.artillery_direct", "dw.open.artillery_direct_min_range")
def test_artillery_fires_directly_from_12_to_36_inches():
    for inches, rule in ((8, "dw.profile.min_range"), (12.05, None), (36, None), (40, "dw.attack.range")):
        field = Field(size=(72, 72))
        a = field.put(BLUE, squad(1, [weapon("Mortar", "A", "4/1", rules=["Artillery"])]), 900, 1700)
        b = field.put(RED, squad(1), 900, 1700 - gap(inches))
        assert field.refusal(a, b) == rule


@pytest.mark.rule("dw.open.stat_line")
def test_a_miniature_is_removed_when_damage_equals_its_capacity():
    field, a, b = duel(squad(2, [weapon(soldiers="1/1", count=2)]), hero(armor=1, capacity=2))
    field.attack(a, b, "HB B")
    assert b.alive and b.capacity(0) == 1
    field.attack(a, b, "HB B")
    assert not b.alive


@pytest.mark.rule("dw.open.unit_cards")
def test_converted_cards_say_so():
    cards = RULESET.all_cards()
    assert all(card.conversion == "bf-dw-1" for card in cards.values())
    unit = Unit("blue-1", 0, cards["allies-the-boss"])
    assert "converted" in unit_view(RULESET, unit).origin
    assert read_card(squad(id="mine", name="Mine")).origin == ""


@pytest.mark.rule("dw.open.demolition_dice")
def test_the_best_dice_number_counts_against_defences():
    card = read_card(squad(1, [weapon("Charge", "C", "2/1", "1/3")]))
    assert best_dice(card.weapons[0]) == 2


# -- units and leaders ----------------------------------------------------------------------------------------


@pytest.mark.rule("dw.unit.definition", "dw.hero.independent", "dw.leader.always")
def test_a_lone_hero_is_a_unit_that_leads_itself():
    field = Field(phase="initiative")
    lone = field.put(BLUE, hero())
    troop = field.put(BLUE, squad(5), 300, 300)
    assert lone.is_lone_hero and lone.leader == 0 and troop.leader == 0
    assert field.rules.command.pool(field.state, BLUE) == 2


@pytest.mark.rule("dw.unit.act_together")
def test_a_unit_is_activated_as_a_whole_and_once():
    field = Field()
    a, b = field.put(BLUE, squad(5), 300, 300), field.put(BLUE, squad(5), 900, 900)
    ran = field.run(lambda play: field.rules.activation.step(play), answers={"activate": a.id}, default=usual)
    assert a.activated and not b.activated
    assert ran.offered["activate"] == [a.id, b.id]
    ran = field.run(lambda play: field.rules.activation.step(play), default=usual)
    assert a.id not in ran.offered.get("activate", [])


@pytest.mark.rule("dw.formation.range")
def test_formation_is_leadership_range_of_the_leader():
    field = Field()
    near = field.put(BLUE, squad(2), spots=[(300, 300), (300 + gap(6), 300)])
    far = field.put(BLUE, squad(2), spots=[(300, 600), (300 + gap(6.5), 600)])
    assert ground.out_of_formation(near) == []
    assert ground.out_of_formation(far) == [1]
    wide = field.put(BLUE, squad(2, leadership=8), spots=[(300, 900), (300 + gap(6.5), 900)])
    assert ground.out_of_formation(wide) == []


@pytest.mark.rule("dw.leader.lost_promote")
def test_a_lost_leader_is_replaced_at_the_next_activation():
    field, a, b = duel(squad(5), squad(5, armor=1))
    field.attack(a, b, "HBBBB B", answers={"casualties": ((0, 1),)})
    assert b.leader is None
    field.state.active = RED
    field.activate(b, dice="BB", answers={"leader": 3})
    assert b.leader == 3


@pytest.mark.rule("dw.leader.opponent_nominates")
def test_the_opponent_names_a_stand_in_for_one_event():
    field, a, b = duel()
    a.leader = None
    ran = field.attack(a, b, "BBBBB", answers={"stand-in leader": 2})
    question = ran.questions[0]
    assert question.key == "stand-in leader" and question.player == RED
    assert a.leader is None and a.stand_in is None
    assert ran.of("LeaderNamed")[0].man == 2


@pytest.mark.rule("dw.attack.split_targets")
def test_close_combat_weapons_cannot_be_mixed_with_rifles():
    field, a, b = duel(squad(2, [weapon(count=2), weapon("Knife", "C", "1/1", count=2)]), squad(5), 2)
    answer = (("direct", b.id), ("close", b.id), None, None)
    with pytest.raises(IllegalChoice, match="only with each other"):
        field.attack(a, b, "", answers={"target": ("choose", ""), "weapons": answer})


__all__ = ["BLANK"]
