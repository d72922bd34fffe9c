"""The mode itself: inches for squares, leaders, what stays as it was (ff.scope.*, ff.cc/react/sustained.unchanged)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dieselfront import rulesets
from dieselfront.rulesets.dust.events import Reacts, TokenLost
from dieselfront.rulesets.dust1947 import Dust1947
from dieselfront.rulesets.dust_open.places import at, floor_of, xy
from dieselfront.rulesets.freeform1947.places import CIRCLE, MEASURES, RANGE
from dieselfront.scenarios import battle
from dieselfront.table.measured.templates import BLAST_RADIUS
from rulesets.dust1947.table import hero, knife, squad, vehicle, weapon
from rulesets.freeform1947.field import RED, Field, box

RULES = rulesets.load("freeform1947")


def rifles(men: int = 3, reach: int = 6, **more: object):
    return squad(weapon("Rifle", "1/1", reach), men=men, **more)


@pytest.mark.rule("ff.scope.mode")
def test_a_freeform_game_has_points_for_places_and_no_squares():
    header = battle.header("freeform1947", "the-mill", ["freeform1947-allies", "freeform1947-axis"], seed="7")
    game = battle.start(header, "7")
    assert game.rules.table == "measured"
    game.choose(next(iter(game.pending.answers())))
    assert game.pending.shape == "place-free"
    game.choose((613, 1003) if game.pending.player == 0 else (613, 83))
    stood = next(unit for unit in game.state.units if unit.where)
    assert stood.where[0] == at(613, 1003) or stood.where[0] == at(613, 83)


@pytest.mark.rule("ff.scope.unchanged")
def test_chapters_that_are_not_replaced_are_those_of_dust_1947():
    plain = rulesets.load("dust1947")
    assert isinstance(RULES, Dust1947)
    for chapter in ("saves", "turn", "victory", "weather", "close_combat", "suppression"):
        assert type(getattr(RULES, chapter)) is type(getattr(plain, chapter))
    assert RULES.registry.skills.keys() == plain.registry.skills.keys()


@pytest.mark.rule("ff.scope.range_unit")
def test_one_range_is_four_inches():
    assert RANGE == 4 * 254
    assert [MEASURES.ranges(tenths) for tenths in (1, 1016, 1017, 3048, 3049)] == [1, 1, 2, 3, 4]


def test_a_place_keeps_point_and_floor():
    assert xy(at(1234, 987, 2)) == (1234, 987)
    assert floor_of(at(1234, 987, 2)) == 2


@pytest.mark.rule("ff.scope.convert")
@pytest.mark.parametrize("gap, near", [(126, True), (127, False)])
def test_range_one_is_four_inches_from_the_leader_to_the_nearest_model(gap: int, near: bool):
    field = Field()
    one = field.put(rifles(men=1), (300, 300))
    other = field.put(rifles(men=2), (300 + gap, 300), others=[(330 + gap, 300)])
    assert RULES.ground.near(field.state, one, other, 1) is near
    assert RULES.ground.distance(field.state, one, other) == (1 if near else 2)


@pytest.mark.rule("ff.scope.convert")
@pytest.mark.parametrize("y, inside", [(1090, True), (800, True), (797, False)])
def test_deployment_rows_are_strips_that_hold_the_leader(y: int, inside: bool):
    field = Field(
        deploy=[{"boxes": [[0, 31.5, 40, 12]], "facing": "north"}, {"boxes": [[0, 0, 40, 12]]}], size=(1400, 1105)
    )
    unit = field.put(rifles(men=1))
    zone = RULES.setup.spots(field.play, unit)
    assert (zone.problem(at(500, y), 0) is None) is inside


@pytest.mark.rule("ff.scope.convert")
def test_four_squares_of_smoke_are_a_field_of_eight_inches():
    field = Field()
    (block,) = field.state.table.blocks_of_four(at(500, 500))
    assert sorted(map(xy, block)) == [(450, 450), (450, 550), (550, 450), (550, 550)]


@pytest.mark.rule("ff.scope.leader")
def test_range_and_sight_are_judged_from_the_leader_and_not_from_his_men():
    field = Field(box("rock", 280, 360, 45, 10))
    unit = field.put(rifles(men=2), (300, 400), others=[(350, 400)])
    target = field.put(rifles(men=1), (300, 200), RED)
    assert not field.sees(unit, target)
    RULES.ground.close_up(field.state, unit, 1)  # the other man leads now
    assert field.sees(unit, target)


@pytest.mark.rule("ff.scope.dice")
def test_each_die_has_two_of_each_face():
    plan = Field()
    unit = plan.put(rifles(men=1), (300, 300))
    target = plan.put(rifles(men=1), (300, 400), RED)
    throw = plan.plan(unit, "Rifle", target).hit
    assert throw.die.faces == ("ARMY", "SHIELD", "TARGET")
    assert [throw.die.chance(1 << face) for face in range(3)] == [Fraction(1, 3)] * 3


@pytest.mark.rule("ff.move.circle_tool")
def test_command_circle_and_blast_template_are_the_same_size():
    assert CIRCLE == BLAST_RADIUS == 508


@pytest.mark.rule("ff.sustained.unchanged")
def test_a_sustained_attack_rolls_misses_again_once():
    field = Field()
    unit = field.put(rifles(men=4), (300, 300))
    target = field.put(rifles(men=5), (300, 420), RED)
    game = field.attack(unit, target, "AATT SS TT", sustained=True)
    assert [len(stage[1]) for stage in game.rolls[0].stages] == [4, 2]


@pytest.mark.rule("ff.cc.unchanged", "ff.open.cc_range")
@pytest.mark.parametrize("gap, possible", [(126, True), (131, False)])
def test_blows_reach_as_far_as_range_one_and_are_never_saved(gap: int, possible: bool):
    field = Field(*([box("trees", 200, 100, 400, 400)] if possible else []))
    unit = field.put(squad(knife("2/1"), men=1), (300, 300))
    foe = field.put(squad(knife("1/1"), men=2), (300 + gap, 300), RED, others=[(330 + gap, 300)])
    assert field.may_aim(unit, "Knife", foe) is possible
    if possible:
        game = field.attack(unit, foe, "AA", declare={"Knife": foe}, casualty=0)
        assert game.labels == ["to hit"]
        assert not foe.alive


@pytest.mark.rule("ff.open.cc_range")
def test_who_is_struck_strikes_back_from_wherever_his_leader_stands():
    field = Field()
    unit = field.put(squad(knife("1/1"), men=1), (300, 300))
    foe = field.put(squad(knife("1/1"), men=2), (450, 300), RED, others=[(410, 300)])
    game = field.attack(unit, foe, "S SS", declare={"Knife": foe}, retaliate={"Knife": unit})
    assert "retaliate" in game.asked


@pytest.mark.rule("ff.react.unchanged")
@pytest.mark.parametrize("gap, able", [(431, True), (432, False)])
def test_reactions_reach_sixteen_inches(gap: int, able: bool):
    field = Field()
    mover = field.put(rifles(men=1), (300, 300))
    guard = field.put(rifles(men=1), (300 + gap, 300), RED)
    assert (guard in RULES.reactions.reactors(field.play, mover)) is able


@pytest.mark.rule("ff.react.unchanged")
def test_a_reaction_is_rolled_with_two_dice_and_shoots_at_the_mover():
    field = Field()
    mover = field.put(rifles(men=2, move=2, march=3), (300, 300))
    field.put(rifles(men=1), (300, 560), RED)
    game = field.activate(
        mover, "move", "attack", dice="AS", move=(300, 340), react="b1", declare=lambda decision: decision.default
    )
    assert [event.unit for event in game.of(Reacts)] == ["b1"]


@pytest.mark.rule("ff.damage.stunned_effect")
def test_a_stunned_squad_loses_its_first_action_and_then_the_token():
    field = Field()
    unit = field.put(rifles(men=2), (300, 300), tokens="stunned")
    game = field.activate(unit, "move", move=(300, 320))
    assert [event.token for event in game.of(TokenLost)] == ["stunned"]
    assert field.points(unit)[0] == (300, 320)


@pytest.mark.rule("ff.open.objectives")
@pytest.mark.parametrize("gap, holds", [(48, True), (50, True), (52, False)])
def test_a_marker_is_held_within_the_command_circle(gap: int, holds: bool):
    field = Field(objectives={"the well": (300, 300)})
    field.put(rifles(men=1), (300 + gap, 300))
    assert (RULES.victory.holder(field.play, field.state.objectives[0]) == 0) is holds


@pytest.mark.rule("ff.open.objectives")
@pytest.mark.parametrize("gap, holds", [(80, True), (90, False)])
def test_a_marker_is_held_within_two_inches_of_a_hull(gap: int, holds: bool):
    field = Field(objectives={"the well": (300, 300)})
    field.put(vehicle(), (300 + gap, 300))
    assert (RULES.victory.holder(field.play, field.state.objectives[0]) == 0) is holds


@pytest.mark.rule("ff.open.single_models")
def test_a_lone_hero_has_a_circle_and_a_tank_has_none():
    field = Field()
    alone = field.put(hero(), (300, 300))
    tank = field.put(vehicle(), (500, 300))
    assert RULES.ground.has_circle(alone)
    assert not RULES.ground.has_circle(tank)
