"""Ambush and reactions (k47.ambush.*, k47.react.*, k47.vehicle.recce*)."""

from __future__ import annotations

import pytest

from dieselfront import odds
from dieselfront.kernel.decisions import IllegalChoice
from dieselfront.kernel.game import Play
from dieselfront.rulesets.konflikt47 import ground
from rulesets.konflikt47.field import BLUE, RED, Field, gap, gun, inch, squad, tank, team, usual


def duel(inches: float = 10, blue: dict | None = None, red: dict | None = None, *terrain, **options):
    field = Field(*terrain, **options)
    a = field.put(BLUE, blue or squad(5), 600, 200, heading=180, order="fire")
    b = field.put(RED, red or squad(5), 600, 200 + gap(inches))
    return field, a, b


# -- ambush --------------------------------------------------------------------------------------------------


def passing(mover: dict | None = None, ambusher: dict | None = None):
    """A unit runs past a gap watched by an ambusher."""
    field = Field(
        {"kind": "high-wall", "line": [[10, 20], [22, 20]]}, {"kind": "high-wall", "line": [[27, 20], [40, 20]]}
    )
    a = field.put(BLUE, mover or squad(1), inch(21), 700)
    b = field.put(RED, ambusher or team("MMG"), inch(24.5), 300, heading=180, order="ambush")
    return field, a, b


@pytest.mark.rule("k47.ambush.trigger")
def test_the_owner_may_stop_an_enemy_where_he_sees_it_and_the_survivors_run_on():
    field, mover, ambusher = passing(squad(3))
    end = (mover.bodies[0].x + 304, 700)
    ran = field.order(mover, "run", [1] * 4, {"move": (end,), "ambush": 762})
    assert None in ran.offered["ambush"] and 762 in ran.offered["ambush"]
    assert (mover.bodies[0].x, mover.bodies[0].y) == end
    assert ambusher.order == "fire"


@pytest.mark.rule("k47.ambush.trigger")
def test_nobody_out_of_sight_is_ambushed_and_the_owner_may_wait():
    field, mover, ambusher = passing(ambusher=team("MMG", 1))
    mover.bodies = [body.at(body.x - 150, body.y) for body in mover.bodies]  # well behind the wall
    ran = field.order(mover, "run", [], {"move": ((mover.bodies[0].x - 150, 700),)})
    assert "ambush" not in ran.asked
    mover.order = ""
    ran = field.order(mover, "run", [], {"move": ((mover.bodies[0].x + 300, 700),), "ambush": None})
    assert ambusher.order == "ambush"


@pytest.mark.rule("k47.ambush.trigger")
def test_the_point_where_a_runner_comes_into_sight_is_offered():
    field, mover, ambusher = passing(ambusher=team("MMG", 1))
    mover.bodies = [body.at(body.x - 150, body.y) for body in mover.bodies]
    start = mover.bodies[0]
    ran = field.order(mover, "run", [], {"move": ((start.x + 300, 700),), "ambush": None})
    first = ran.offered["ambush"][1]
    assert first % 254 and first < ran.offered["ambush"][2] < first + 254
    could_shoot = field.rules.shooting.could_shoot
    mover.bodies = [start.at(start.x + first // 10, 700)]
    assert could_shoot(field.state, ambusher, mover, "ambush")
    mover.bodies = [start.at(start.x + first // 10 - 4, 700)]
    assert not could_shoot(field.state, ambusher, mover, "ambush")


@pytest.mark.rule("k47.ambush.shot", "k47.shoot.moving")
def test_ambush_fire_has_no_moving_penalty_and_spends_the_order():
    field, mover, ambusher = passing(squad(3))
    ran = field.order(mover, "run", [1] * 4, {"move": ((mover.bodies[0].x + 250, 700),), "ambush": 762})
    assert ran.needed() == 3
    assert ran.of("Hit")[0].dice == 4
    assert ambusher.order == "fire"


@pytest.mark.rule("k47.ambush.victim")
def test_the_victim_may_not_react_and_takes_everything_at_once():
    field, mover, _ = passing(squad(4))
    dice = [6, 6, 6, 1, 5, 5, 1, 6, 6]
    ran = field.order(
        mover, "run", dice, {"move": ((mover.bodies[0].x + 250, 700),), "ambush": 762, "casualties": (0, 1)}
    )
    assert "reaction" not in ran.asked
    assert not mover.alive
    assert not ran.of("Moved")


@pytest.mark.rule("k47.ambush.vs_reaction")
def test_an_ambusher_under_fire_may_only_go_down():
    field, a, b = duel()
    b.order = "ambush"
    assert field.rules.reactions.against_shooting(field.state, a, b) == ["go down"]
    field.shoot(a, b, [1] * 5, answers={"reaction": "go down"})
    assert b.order == "down"


@pytest.mark.rule("k47.ambush.vs_reaction")
def test_an_assaulted_ambusher_may_fire_even_from_close_by():
    field = Field()
    a = field.put(BLUE, squad(4), 600, 200)
    b = field.put(RED, squad(4), 600, 200 + gap(4), order="ambush")
    answers = {"stand and fire": True, "ambush": None, "method": ["hand-to-hand"] * 2, "follow-on combat": False}
    ran = field.order(a, ("assault", b.id), [1] * 4 + [1] * 8 + [3], answers, default=usual)
    assert ran.of("Ambushed")
    assert not ran.of("Tested")


@pytest.mark.rule("k47.open.ambush_turn_end")
def test_an_ambusher_does_not_fire_at_turn_end():
    field, _, b = duel()
    b.order = "ambush"
    ran = field.run(field.rules.turn.turn_end, [], {"keep": ()})
    assert not ran.of("Declared")


# -- reactions -----------------------------------------------------------------------------------------------


@pytest.mark.rule("k47.react.who")
def test_only_units_without_an_order_react():
    field, a, b = duel()
    assert field.rules.reactions.against_shooting(field.state, a, b) == ["go down", "firefight", "run to cover"]
    b.order = "advance"
    assert field.rules.reactions.against_shooting(field.state, a, b) == []


@pytest.mark.rule("k47.react.to_what")
def test_a_reaction_is_never_reacted_to():
    field, a, b = duel()
    a.order = ""
    ran = field.shoot(a, b, [3, 3, *[1] * 10], answers={"reaction": "firefight"})
    assert ran.asked.count("reaction") == 1
    assert a.order == ""


@pytest.mark.rule("k47.react.test", "k47.open.react_fail_order")
@pytest.mark.parametrize("roll, passed", [([4, 4], True), ([4, 5], False), ([6, 6], False)])
def test_reactions_take_a_test_and_failing_costs_a_pin_but_not_the_order(roll, passed):
    field, a, b = duel()
    b.pins = 1
    more = [1] * 5 if passed else []
    ran = field.shoot(a, b, [*roll, *[1] * 5, *more], answers={"reaction": "firefight"})
    assert ran.of("Tested")[0].needed == 8
    assert (b.order, b.pins) == (("fire", 1) if passed else ("", 2))
    assert not ran.of("Fubar")


@pytest.mark.rule("k47.react.die")
@pytest.mark.parametrize("reaction, face", [("go down", "down"), ("firefight", "fire"), ("run to cover", "down")])
def test_a_reaction_uses_the_order(reaction, face):
    field, a, b = duel()
    before = field.state.cup()[1]
    dice = {"go down": [1] * 5, "firefight": [1, 1, *[1] * 10], "run to cover": [1, 1, *[1] * 5]}[reaction]
    field.shoot(a, b, dice, answers={"reaction": reaction, "run to cover": ()})
    assert b.order == face
    assert field.state.cup()[1] == before - 1


@pytest.mark.rule("k47.react.go_down")
def test_going_down_needs_no_test_and_helps_at_once():
    field, a, b = duel()
    b.pins = 6
    ran = field.shoot(a, b, [1] * 5, answers={"reaction": "go down"})
    assert not ran.of("Tested")
    assert ran.needed() == 4


@pytest.mark.rule("k47.react.firefight", "k47.open.firefight_timing")
def test_a_firefight_is_rolled_on_both_sides_before_losses():
    field, a, b = duel()
    dice = [1, 1, 6, 6, 6, 1, 1, 5, 5, 5, 6, 6, 6, 1, 1, 5, 5, 5, 1, 1, 1, 1]
    answers = {"reaction": "firefight", "casualties": [(0, 1, 2), (0, 1, 2)]}
    ran = field.shoot(a, b, dice, answers=answers)
    assert (len(a.men), len(b.men)) == (2, 2)
    kinds = [type(event).__name__ for event in ran.events]
    assert kinds.index("Casualties") > max(i for i, kind in enumerate(kinds) if kind == "Hit")
    assert a.pins == b.pins == 1


COVER = {"kind": "wall", "line": [[15, 22], [40, 22]]}


@pytest.mark.rule("k47.react.run_to_cover")
@pytest.mark.parametrize("option, need", [("bonus", 7), ("no_bonus", 6)])
def test_running_to_cover_ends_behind_the_wall_and_down(option, need):
    field = Field(COVER, run_to_cover_down=option)
    a = field.put(BLUE, squad(5), 600, 200)
    b = field.put(RED, squad(5), 600, 535)
    there = ((600, 535 + 45),)
    ran = field.shoot(a, b, [1, 1, *[1] * 5], answers={"reaction": "run to cover", "run to cover": there})
    assert b.order == "down" and b.bodies[0].y == 580
    assert ran.needed() == need  # long range, hard cover, Down


@pytest.mark.rule("k47.react.run_to_cover")
def test_running_to_cover_must_improve_matters():
    field = Field(COVER)
    a = field.put(BLUE, squad(5), 600, 200)
    b = field.put(RED, squad(5), 600, 535)
    with pytest.raises(IllegalChoice, match="better cover"):
        field.shoot(a, b, [1, 1], answers={"reaction": "run to cover", "run to cover": ((600, 500),)})


@pytest.mark.rule("k47.react.run_to_cover")
def test_a_target_that_gets_out_of_sight_is_not_shot():
    field = Field({"kind": "high-wall", "line": [[15, 22], [22, 22]]})
    a = field.put(BLUE, squad(1), 480, 200)
    b = field.put(RED, squad(1), 580, 590)
    ran = field.shoot(a, b, [1, 1], answers={"reaction": "run to cover", "run to cover": ((500, 590),)})
    assert ran.of("NoShot")[0].rule == "k47.core.los"


@pytest.mark.rule("k47.open.run_to_cover_distance")
@pytest.mark.parametrize("option, reach", [("advance", 6), ("run", 12)])
def test_how_far_one_runs_to_cover(option, reach):
    field = Field(COVER, run_to_cover_distance=option)
    a = field.put(BLUE, squad(5), 600, 200)
    b = field.put(RED, squad(5), 600, 600)
    steps = field.rules.reactions.react(Play(field.rules, field.state), b, "run to cover", a)
    steps.send(None)  # the test
    question = steps.send((0, 0))
    assert question.key == "run to cover" and question.region.reach == reach * 254


# -- against assaults ------------------------------------------------------------------------------------------


def charged(inches: float, red: dict | None = None, **given):
    field = Field(size=(72, 72))
    a = field.put(BLUE, squad(5), 600, 600)
    b = field.put(RED, red or squad(5), 600, 600 + gap(inches), **given)
    return field, a, b


@pytest.mark.rule("k47.react.escape", "k47.react.escape_move", "k47.cq.reach")
def test_an_escape_runs_away_before_the_distance_is_measured():
    field, a, b = charged(10)
    ran = field.order(a, ("assault", b.id), [1, 1], {"reaction": "escape"})
    assert b.order == "run"
    assert b.bodies[0].y == 600 + gap(10) + 304
    assert ran.of("Assaulted")[-1].how == "falls short"
    assert ground.unit_distance(field.state, a, b) > 9 * 254


@pytest.mark.rule("k47.react.escape", "k47.move.edge")
def test_an_escape_off_the_table_says_before_that_the_unit_is_lost():
    field, a, b = charged(10)
    assault = field.rules.assault
    inside = assault.about_escape(field.state, b, "escape", a)
    assert inside.act == "react" and inside.places == ((600, b.bodies[0].y + 304),) and not inside.careless
    assert assault.escape_stakes(field.state, b, "escape", a) == []
    edge = field.put(RED, squad(5), 60, 600)
    near = field.put(BLUE, squad(5), 300, 600)
    (stake,) = assault.escape_stakes(field.state, edge, "escape", near)
    told = odds.evaluate(list(stake.plans))
    assert stake.target == edge.id and told.destroyed == 1.0 and told.mean_losses == 5
    assert stake.chance == field.rules.reactions.chance(field.state, edge, "escape", near) < 1.0
    assert assault.about_escape(field.state, edge, "escape", near).careless


@pytest.mark.rule("k47.special.motorbikes")
def test_whoever_needs_no_test_escapes_for_certain():
    field, a, b = charged(10, squad(5, rules=["Motorbikes"]))
    assert field.rules.reactions.chance(field.state, b, "escape", a) == 1.0


@pytest.mark.rule("k47.react.escape_limit")
def test_who_may_escape():
    field, _a, b = charged(4)
    escapes = field.rules.assault.escapes
    assert escapes(field.state, b) == ["escape"]
    b.order = "fire"
    assert escapes(field.state, b) == []
    crew = field.put(RED, gun("Light AT Gun"), 1000, 600)
    stuck = field.put(RED, tank(), 1400, 600, immobilised=True)
    assert escapes(field.state, crew) == [] and escapes(field.state, stuck) == []


@pytest.mark.rule(
    "k47.react.stand_fire", "k47.react.stand_fire_range", "k47.open.stand_fire_place", "k47.cq.casualty_scope"
)
def test_standing_and_firing_uses_the_distance_the_assault_began_at():
    field, a, b = charged(10, squad(men=[{"weapons": ["Rifle"], "count": 3}, {"weapons": ["Pistol"], "count": 2}]))
    answers = {"reaction": None, "stand and fire": True, "method": ["hand-to-hand"] * 2, "casualties": (0,)}
    dice = [1, 1, 6, 1, 1, 1, 1, 5] + [1] * 3 + [1] * 7 + [3]
    ran = field.order(a, ("assault", b.id), dice, answers, default=usual)
    needs = {event.weapon: event.needed for event in ran.of("Hit")}
    assert needs == {"Rifle": 3, "Pistol": 4}
    assert ran.of("FightRound")[0].losses == (0, 0)  # the man lost on the way does not count
    assert b.order == "fire"


@pytest.mark.rule("k47.react.stand_fire_limit")
@pytest.mark.parametrize("inches, asked", [(5, False), (7, True)])
def test_standing_and_firing_needs_more_than_six_inches(inches, asked):
    field, a, b = charged(inches)
    dice = [1] * 10 + [3]
    ran = field.order(a, ("assault", b.id), dice, {"reaction": None, "stand and fire": False}, default=usual)
    assert ("stand and fire" in ran.asked) is asked


@pytest.mark.rule("k47.react.stand_fire", "k47.react.stand_fire_range", "k47.wrule.fixed_arc")
@pytest.mark.parametrize(
    "card, heading, asked",
    [
        (team("MMG"), 0, True),
        (team("MMG"), 180, False),
        (gun("Medium Mortar"), 0, False),
        (squad(5, ""), 0, False),
    ],
    ids=["in its arc", "outside its arc", "inside the minimum range", "unarmed"],
)
def test_nobody_is_asked_to_stand_and_fire_with_weapons_that_do_not_bear(card, heading, asked):
    field = Field(size=(72, 72))
    a = field.put(BLUE, squad(5), 600, 600)
    b = field.put(RED, card, 600, 600 + gap(9), heading=heading)
    assert field.rules.assault.can_fire_at_assaulters(field.state, b, a, 9 * 254, a.bodies) is asked
    if not asked:
        ran = field.run(lambda play: field.rules.assault.stand_and_fire(play, a, b, 9 * 254, a.bodies))
        assert ran.asked == [] and b.order == ""


@pytest.mark.rule("k47.react.one")
def test_after_a_failed_escape_there_is_no_second_reaction():
    field, a, b = charged(8)
    ran = field.order(
        a, ("assault", b.id), [6, 5, *[1] * 9, 3], {"reaction": "escape", "method": "hand-to-hand"}, default=usual
    )
    assert b.pins == 1
    assert "stand and fire" not in ran.asked


@pytest.mark.rule("k47.vehicle.react")
def test_a_tank_under_fire_may_only_firefight():
    field, a, b = duel(red=tank())
    assert field.rules.reactions.against_shooting(field.state, a, b) == ["firefight"]


# -- recce -------------------------------------------------------------------------------------------------------


def recce(**given):
    field = Field({"kind": "high-wall", "line": [[10, 24], [20, 24]]}, size=(72, 72))
    a = field.put(BLUE, gun("Light AT Gun"), 700, 300, heading=180, order="fire")
    car = field.put(RED, tank("armoured car", mode="wheeled", rules=["Recce"]), 640, 800, heading=270, **given)
    return field, a, car


@pytest.mark.rule("k47.vehicle.recce", "k47.vehicle.recce_move")
def test_a_recce_vehicle_gets_out_of_sight_even_after_acting_once_a_turn():
    field, a, car = recce(order="run")
    assert field.rules.reactions.against_shooting(field.state, a, car) == ["recce move"]
    there = (640 - 330, 800, 270)
    answers = {"reaction": "recce move", "recce move": (there,), "weapons": ((0, "AT", car.id),)}
    ran = field.shoot(a, car, [1, 1], answers=answers)
    assert ran.of("NoShot")[0].reason == "out of sight"
    assert car.order == "down" and car.recce_used
    assert not field.rules.reactions.may_recce(field.state, car)


@pytest.mark.rule("k47.vehicle.recce")
def test_a_failed_recce_test_may_be_tried_again_and_carriers_may_not_try():
    field, a, car = recce()
    answers = {"reaction": "recce move", "weapons": ((0, "AT", car.id),)}
    field.shoot(a, car, [6, 6, 1], answers=answers)
    assert field.rules.reactions.may_recce(field.state, car)
    rider = field.put(RED, squad(2), place="aboard")
    rider.carrier = car.id
    assert not field.rules.reactions.may_recce(field.state, car)


@pytest.mark.rule("k47.vehicle.recce_assault")
def test_assaulters_who_still_reach_a_recce_vehicle_hit_it_on_sixes():
    field = Field(size=(72, 72))
    a = field.put(BLUE, squad(4, rules=["Tank Hunters"]), 600, 500)
    car = field.put(RED, tank("armoured car", (), mode="wheeled", rules=["Recce"]), 640, 640, heading=180)
    answers = {"reaction": "recce move", "recce move": ((640, 680, 180),)}
    ran = field.order(a, ("assault", car.id), [1, 1, 5, 5, 5, 5, 3], answers, default=usual)
    assert ran.of("Rolled")[0].needs == ("6",)
    assert car.alive
    away = Field(size=(72, 72))
    a = away.put(BLUE, squad(4), 600, 500)
    car = away.put(RED, tank("armoured car", (), mode="wheeled", rules=["Recce"]), 640, 760, heading=180)
    answers = {"reaction": "recce move", "recce move": ((640, 760 + 600, 180),)}
    ran = away.order(a, ("assault", car.id), [1, 1, 1, 1], answers, default=usual)
    assert ran.of("Assaulted")[-1].how == "falls short"
