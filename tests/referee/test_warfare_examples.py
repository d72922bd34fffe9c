"""Interactions of Dust Warfare as referee files that anybody can run: examples/warfare."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from dieselfront.referee.cases import cases_of, check
from dieselfront.referee.runner import judge_entry
from dieselfront.referee.svg import draw

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "warfare"


def case(name: str, *rules: str):
    return pytest.param(name, marks=pytest.mark.rule(*rules), id=name)


CASES = [
    case(
        "attacked-with-blades",
        "dw.weapon.close_combat_reaction",
        "dw.weapon.close_combat_no_cover",
        "dw.weapon.close_combat_range",
    ),
    case("blinded-gunner", "dw.damage.vehicle.blinded", "dw.action.sustained_attack"),
    case(
        "bombs-along-the-flight",
        "dw.weapon.bombs_move",
        "dw.weapon.bombs_attack",
        "dw.aircraft.compulsory_reaction",
        "dw.reaction.move_timing",
    ),
    case("breached-hull", "dw.damage.vehicle.hull_breach", "dw.damage.vehicle.hull_breach_dash"),
    case(
        "burning-overrun",
        "dw.move.overrun_through",
        "dw.damage.vehicle.external_fire_overrun",
        "dw.damage.vehicle.external_fire",
    ),
    case(
        "detonation-with-passengers",
        "dw.damage.vehicle_table_roll",
        "dw.damage.vehicle.ammo_detonation",
        "dw.damage.vehicle.ammo_detonation_blast",
        "dw.ability.carry_capacity",
    ),
    case(
        "flames-and-a-wall",
        "dw.profile.spray",
        "dw.open.spray_position",
        "dw.damage.blocked_immune",
        "dw.attack.los_blocked_target",
    ),
    case("half-inside-the-rear-arc", "dw.armor_roll.vehicle_rear", "dw.arc.vehicle_four"),
    case("led-by-a-hero", "dw.retreat.condition", "dw.hero.no_retreat", "dw.hero.invert_removal"),
    case(
        "no-effect-twice",
        "dw.damage.vehicle_one_effect",
        "dw.open.one_effect_at_a_time",
        "dw.damage.vehicle_table_roll",
    ),
    case(
        "no-reactions-to-orders", "dw.command.no_reactions", "dw.command.take_action_marker", "dw.reaction.lose_action"
    ),
    case("one-radio-one-order", "dw.command.radioman", "dw.command.command_range", "dw.open.radioman_wording"),
    case(
        "order-to-a-leaderless-unit",
        "dw.command.take_action",
        "dw.leader.opponent_nominates",
        "dw.command.take_action_marker",
        "dw.open.take_action_steps",
    ),
    case("out-of-sight-and-wasted", "dw.reaction.attack_evade", "dw.reaction.attack_timing"),
    case("putting-the-fire-out", "dw.damage.vehicle.external_fire", "dw.open.fire_extinguish"),
    case("regroup-once", "dw.command.regroup", "dw.command.regroup_move", "dw.open.orders_per_unit"),
    case("screen-in-the-dirt", "dw.attack.soldiers_obscure_soldiers", "dw.attack.suppressed_no_obscure"),
    case(
        "simultaneous-fire",
        "dw.reaction.attack_simultaneous",
        "dw.damage.assign",
        "dw.leader.lost_promote",
        "dw.reaction.marker",
    ),
    case(
        "team-in-the-dirt",
        "dw.reaction.hit_the_dirt_effects",
        "dw.cover.suppressed_upgrade",
        "dw.cover.teams",
        "dw.open.cover_step_order",
    ),
    case(
        "two-react-to-one-move",
        "dw.reaction.move_timing",
        "dw.reaction.multiple",
        "dw.reaction.marker",
        "dw.reaction.move_within_12",
    ),
]


@pytest.mark.parametrize("name", CASES)
def test_the_interaction_comes_out_as_written(name: str):
    file = FOLDER / f"{name}.yaml"
    assert file.read_text("utf-8").startswith("# "), "it begins with what it shows"
    assert [(one.case, one.why) for one in check(file).failed] == []
    for entry in cases_of(file.read_bytes(), name):
        found = judge_entry(entry)
        ElementTree.fromstring(draw(found.state, found.answers, found.title))


def test_every_file_has_its_line():
    assert sorted(file.stem for file in FOLDER.glob("*.yaml")) == sorted(str(one.values[0]) for one in CASES)
