"""Inherited rules on the open table: tests of Dust 1947 where geometry enters, run again with every square a point.

A test that speaks of squares (places by number, footprints, one unit a square) has nothing to say here and is left out.
"""

from __future__ import annotations

import importlib.util
import inspect
from pathlib import Path

import pytest

from rulesets.freeform1947.converted import Converted

SQUARES = Path(__file__).resolve().parent.parent / "dust1947"
CHAPTERS = (
    *("attack", "close_combat", "command", "criticals", "interactions", "reaction", "suppression", "transport"),
    *("weapons", "weather", "skills_assault", "skills_marksmanship", "skills_movement", "skills_recovery"),
)

OF_SQUARES = frozenset(
    {
        "test_a_beached_ship_lets_its_cargo_out_unharmed",
        "test_a_crash_hurts_on_target_and_survivors_are_suppressed",
        "test_a_flying_squad_is_burnt_only_where_it_lands",
        "test_a_hit_by_a_burning_wreck_suppresses_even_if_it_is_saved",
        "test_a_huge_walker_may_choose_either_front_square",
        "test_a_jammed_observer_rerolls_hits_then_misses_and_the_battery_reloads",
        "test_a_large_vehicle_can_leave_a_sealifter_at_the_edge_of_the_board",
        "test_a_large_vehicle_leaves_a_sealifter_for_dry_land_only",
        "test_a_large_vehicle_sees_from_its_front_square",
        "test_a_march_has_one_cheap_diagonal_in_all",
        "test_a_march_is_interrupted_after_the_move_value",
        "test_a_march_out_of_a_truck_can_be_interrupted",
        "test_a_road_carries_nobody_past_the_limit_of_the_weather",
        "test_a_turret_turns_and_a_front_gun_needs_a_move",
        "test_a_vehicle_in_between_hides_the_target_and_infantry_does_not",
        "test_a_vehicle_saves_on_army_in_cover_and_never_in_the_open",
        "test_a_vehicle_slowed_to_nothing_may_still_turn_in_place",
        "test_a_walker_that_dies_in_a_burning_wreck_stays_there",
        "test_a_way_round_the_fire_is_taken_where_there_is_one",
        "test_an_area_attack_beside_it_reaches_a_camouflaged_unit",
        "test_an_attack_without_damage_gives_no_roll",
        "test_blast_rolls_a_die_for_every_miniature",
        "test_whoever_has_no_step_left_to_go_into_a_sealifter_stays_outside",
        "test_cargo_leaves_before_the_ship_acts",
        "test_defensive_tactics_work_in_cover_even_against_flames",
        "test_follow_me_lets_light_infantry_dash",
        "test_from_an_aircraft_they_start_in_the_square_below",
        "test_get_moving_ends_the_officers_activation_and_another_unit_acts_again",
        "test_grenades_ignore_the_cover_of_infantry_and_not_of_vehicles",
        "test_infantry_in_cover_saves_on_army_or_shield",
        "test_jammed_and_sustained_successes_are_rerolled_before_misses",
        "test_only_the_weapons_of_survivors_fire",
        "test_passengers_fire_to_the_sides",
        "test_passengers_leave_before_their_vehicle_acts_and_not_after",
        "test_passengers_of_a_transport_that_burns_out_crawl_away_suppressed_and_done_for_the_turn",
        "test_radiation_against_a_higher_target_forced_before_allowed",
        "test_resilience_works_in_a_crash",
        "test_skills_that_order_count_on_the_move_too",
        "test_smoke_launchers_screen_a_block_once_for_free",
        "test_survivors_know_whether_the_wreck_burns_unless_the_house_rules_otherwise",
        "test_the_desert_fox_lends_at_the_double",
        "test_the_grip_ends_with_the_holder",
        "test_the_distance_of_big_units_is_the_smallest_between_their_squares",
        "test_the_smoke_moves_along_with_all_squares_of_a_burning_vehicle",
        "test_two_covered_squares_cover_a_huge_walker_and_its_own_never_do",
        "test_two_successes_sustain_or_turn_and_attack",
        "test_without_room_the_survivors_are_lost",
    }
)
"""Tests whose words are squares."""


def chapter(name: str) -> object:
    """A fresh copy of a chapter's tests, with the converted table in place of squares."""
    path = SQUARES / f"test_{name}.py"
    spec = importlib.util.spec_from_file_location(f"inherited_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    vars(module)["Table"] = Converted
    return module


for _name in CHAPTERS:
    for _test, _function in vars(chapter(_name)).items():
        if _test.startswith("test_") and inspect.isfunction(_function) and _test not in OF_SQUARES:
            globals()[f"test_{_name}_{_test.removeprefix('test_')}"] = _function


def test_there_are_many_of_them():
    assert sum(name.startswith("test_") for name in globals()) > 300


@pytest.mark.parametrize("name", sorted(OF_SQUARES))
def test_what_is_left_out_exists(name: str):
    assert any(f"def {name}(" in (SQUARES / f"test_{one}.py").read_text("utf-8") for one in CHAPTERS)
