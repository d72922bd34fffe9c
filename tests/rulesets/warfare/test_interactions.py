"""Rules that meet: reactions, markers, cover, damage tables, transports and aircraft together."""

from __future__ import annotations

import pytest

from dieselfront.rulesets.warfare import ground
from dieselfront.rulesets.warfare.damage_tables import FIRE
from dieselfront.table.measured.terrain import Cover
from rulesets.warfare.field import BLUE, RED, Field, gap, hero, inch, plane, squad, usual, vehicle, weapon


@pytest.mark.rule(
    "dw.reaction.hit_the_dirt_effects", "dw.cover.suppressed_upgrade", "dw.cover.teams", "dw.open.cover_step_order"
)
def test_hit_the_dirt_of_a_team_in_soft_cover_stays_at_hard():
    field = Field({"kind": "hedge", "line": [[30, 19], [48, 19]]})
    a = field.put(BLUE, squad(4), 900, 600)
    b = field.put(RED, squad(3, armor=1, tags=["team"]), 900, 600 - gap(10))
    ran = field.attack(a, b, "HHHH B", answers={"reaction": (b.id, "hit the dirt"), "casualties": ((0, 1), (1, 1))})
    assert ran.struck(b).cover == 2 and ran.struck(b).suffered == 2
    assert b.suppression == 2 and b.reaction


@pytest.mark.rule(
    "dw.damage.vehicle.external_fire_overrun", "dw.reaction.move_timing", "dw.damage.vehicle.external_fire"
)
def test_a_burning_vehicle_overruns_a_squad_that_had_reacted_before():
    field = Field()
    tank = field.put(BLUE, vehicle(3), 900, 600, heading=0, effects=(FIRE,))
    foe = field.put(RED, squad(3, [weapon(vehicles="1/1", count=3)], armor=1), 870, 500, pitch=30)
    answers = {
        "reaction": [(foe.id, "attack")],
        "target": ("direct", tank.id),
        "move": ((900, 450, 0),),
    }
    ran = field.activate(tank, ("move",), "HBB HBB HBB HBB", answers)
    assert [type(event).__name__ for event in ran.events if type(event).__name__ in ("Reacted", "Overrun")] == [
        "Reacted",
        "Overrun",
    ]
    assert foe.suppression >= 2 and foe.reaction
    assert tank.points_left == 5


@pytest.mark.rule("dw.armor_roll.vehicle_rear", "dw.attack.obscured_half")
def test_a_unit_half_behind_a_vehicle_leaves_it_its_armor_but_cover_still_counts_from_behind():
    field = Field({"kind": "wall", "line": [[32, 28], [40, 28]]})
    tank = field.put(RED, vehicle(3), 900, 600, heading=0)
    card = squad(4, [weapon(vehicles="1/1", count=4)])
    half = field.put(BLUE, card, spots=[(900, 820), (930, 820), (1200, 600), (1230, 600)])
    assert field.strike(half, tank).armor_dice == 3
    behind = field.put(BLUE, card, spots=[(860, 820), (890, 850), (920, 850), (950, 850)])
    strike = field.strike(behind, tank)
    assert strike.armor_dice == 0 and strike.cover is Cover.HARD


@pytest.mark.rule(
    "dw.damage.vehicle.ammo_detonation_blast", "dw.ability.carry_capacity", "dw.ability.carry_capacity_destroyed"
)
def test_a_detonation_strikes_passengers_and_the_next_hit_throws_them_out():
    field = Field()
    carrier = field.put(RED, vehicle(3, abilities=["Carry Capacity (6)"], capacity=6), 900, 300, heading=180)
    riders = field.put(RED, squad(3, armor=1), place="off")
    field.aboard(riders, carrier)
    gun = field.put(BLUE, squad(6, [weapon("Bazooka", 36, vehicles="1/1", count=6)]), 820, 900, pitch=26)
    ran = field.attack(
        gun, carrier, "HHHHHB HHB HHHHH HHBBB B", answers={"casualties": ((0, 1), (1, 1))}, reactions=False
    )
    assert len(riders.men) == 1 and riders.place == "aboard"
    ran = field.attack(gun, carrier, "HHHHHB BBB", reactions=False)
    assert not carrier.alive and riders.place == "table" and riders.reaction
    assert ran.of("Cleared")


@pytest.mark.rule("dw.open.take_action_steps", "dw.leader.opponent_nominates", "dw.command.take_action_marker")
def test_an_order_to_a_leaderless_unit():
    field = Field(phase="command")
    section = field.put(BLUE, squad(5, tags=["command_section"]), 300, 600, pitch=26)
    unit = field.put(BLUE, squad(3), 300, 800, leader=None)
    field.state.orders = 1
    answers = {"ordered action": "move", "stand-in leader": 1, "move": ((360, 800),)}
    ran = field.order(unit, "take action", answers=answers)
    named = next(question for question in ran.questions if question.key == "stand-in leader")
    assert named.player == RED and unit.leader is None and unit.stand_in is None
    assert unit.reaction and unit.suppression == 0 and section.leader == 0


@pytest.mark.rule(
    "dw.weapon.bombs_move", "dw.reaction.move_timing", "dw.aircraft.compulsory_reaction", "dw.weapon.bombs_attack"
)
def test_bombs_fall_between_the_move_and_the_reaction_after_it():
    field = Field()
    bomber = field.put(
        BLUE, plane(2, weapons=[weapon("Bomb", "B", "6/1", count=1)]), 600, 600, heading=90, altitude="high"
    )
    flak = field.put(RED, squad(3, [weapon("Flak", 24, "1/1", "1/1", "1/1", count=3)], armor=1), 700, 600, pitch=30)
    answers = {"altitude": "high", "bombs": True, "reaction": None, "bomb target": flak.id, "casualties": ((0, 1),)}
    ran = field.activate(bomber, (), "HBBBBB B", answers)
    order = [question.key for question in ran.questions if question.key in ("reaction", "bomb target")]
    assert order == ["reaction", "bomb target"]  # suppressed by the bombs, the battery cannot react afterwards
    assert flak.suppression == 1


@pytest.mark.rule("dw.reaction.attack_evade", "dw.reaction.multiple", "dw.attack.split_targets")
def test_one_target_runs_the_other_fires_back():
    field = Field({"kind": "high-wall", "line": [[38, 15], [46, 15]]})
    a = field.put(BLUE, squad(2, armor=1), 900, 600)
    runner = field.put(RED, squad(1, armor=1, name="Runner"), 900 + 20, 350)
    shooter = field.put(RED, squad(1, armor=1, name="Shooter"), 800, 350)
    answers = {
        "target": [("choose", ""), ("direct", a.id)],
        "weapons": (("direct", runner.id), ("direct", shooter.id)),
        "reaction": [(runner.id, "move"), (shooter.id, "attack")],
        "move": ((920 + inch(5), 340),),
        "casualties": ((1, 1),),
    }
    ran = field.run(lambda play: field.rules.attacking.attack(play, a, "attack"), "B H B", answers, default=usual)
    assert ran.of("Wasted")[0].target == runner.id
    assert len(a.men) == 1 and runner.reaction and shooter.reaction


@pytest.mark.rule("dw.hero.last_alive", "dw.reaction.attack_simultaneous", "dw.hero.no_suppression")
def test_the_last_hero_of_a_squad_fired_on_by_two_units_at_once_keeps_no_marker():
    field = Field()
    a = field.put(BLUE, squad(3, armor=1), 900, 600)
    b = field.put(RED, squad(1, armor=2), 900, 600 - gap(10))
    field.join(field.put(RED, hero(armor=2), place="off"), b)
    b.reaction = True
    ran = field.attack(a, b, "HBB BB", answers={"casualties": ((0, 1),)})
    assert b.is_lone_hero and b.suppression == 0 and ran.of("Lost")


@pytest.mark.rule("dw.unit_phase.replace_leader", "dw.unit_phase.out_of_formation", "dw.unit_phase.retreat_moves")
def test_a_broken_squad_names_a_leader_closes_up_and_runs():
    field = Field()
    unit = field.put(
        BLUE, squad(3), spots=[(inch(20), 600), (inch(30), 600), (inch(31.5), 600)], leader=None, suppression=4
    )
    field.activate(unit, (), "BBBBB", {"leader": 1})
    assert unit.leader == 1 and unit.suppression == 5
    assert not ground.out_of_formation(unit) or unit.spots[0][1] != 600
    assert all(y > 600 for _, y in unit.spots) or all(y < 600 for _, y in unit.spots)


@pytest.mark.rule(
    "dw.attack.suppressed_no_obscure", "dw.reaction.hit_the_dirt_effects", "dw.attack.soldiers_obscure_soldiers"
)
def test_a_screen_that_hits_the_dirt_no_longer_covers_those_behind():
    field = Field()
    a = field.put(BLUE, squad(2), 900, 700)
    screen = field.put(RED, squad(5, armor=1), 840, 550)
    behind = field.put(RED, squad(1, armor=1), 900, 400)
    assert field.strike(a, behind).cover is Cover.SOFT
    weapons = (("direct", screen.id), ("direct", behind.id))
    answers = {"target": ("choose", ""), "weapons": weapons, "reaction": [(screen.id, "hit the dirt"), None]}
    ran = field.attack(a, behind, "B H H", answers=answers)
    assert ran.struck(behind).cover == 0 and ran.struck(behind).damage == 1
