"""The referee's examples are documentation; what they say is checked here."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dieselfront.referee import judge
from dieselfront.referee.svg import draw

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FILES = sorted(EXAMPLES.glob("*.yaml"))


def verdict(name: str):
    return judge((EXAMPLES / f"{name}.yaml").read_bytes(), name)


def answers(name: str):
    return verdict(name).to_json()["answers"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_example_is_answered_and_can_be_drawn(file):
    found = judge(file.read_bytes(), file.name)
    assert found.answers or found.events
    assert all(answer.text and answer.rules for answer in found.answers if answer.kind != "options")
    json.dumps(found.to_json())
    ElementTree.fromstring(draw(found.state, found.answers, found.title))


@pytest.mark.rule("d47.attack.los.corner_gives_cover")
def test_a_line_past_one_corner_gives_cover():
    sight, cover, distance, _ = answers("sight-corner")
    assert (sight["visible"], sight["cover"], sight["range"]) == (True, True, 3)
    assert sight["lines"][0]["reasons"][0]["rule"] == "d47.attack.los.corner_gives_cover"
    assert cover["saves"] == [
        {"label": "cover save", "faces": ["ARMY", "SHIELD"], "rule": "d47.attack.save.infantry_cover"}
    ]
    assert distance["range"] == 3


@pytest.mark.rule("d47.attack.los.two_corners_block")
def test_a_line_between_two_corners_is_blocked():
    sight, weapons = answers("sight-two-corners")
    assert not sight["visible"]
    assert sight["rules"] == ["d47.attack.los.two_corners_block"]
    assert not any(weapon["usable"] for weapon in weapons["weapons"])


@pytest.mark.rule("d47.attack.los.vehicle_blocks")
def test_a_vehicle_blocks_through_its_square_and_covers_at_its_corner():
    through, also, corner, own = answers("sight-past-vehicle")
    assert not through["visible"] and not also["visible"]
    assert (corner["visible"], corner["cover"]) == (True, True)
    assert (own["visible"], own["cover"]) == (True, False)


@pytest.mark.rule("d47.attack.los.building_opening")
def test_somebody_must_stand_at_the_opening():
    at_the_window, behind_it, _ = answers("sight-opening")
    assert (at_the_window["visible"], at_the_window["cover"]) == (True, True)
    assert not behind_it["visible"]
    assert "nobody stands at the opening" in " ".join(behind_it["text"])


@pytest.mark.rule("d47.attack.los.huge_origin")
def test_a_huge_walker_sees_from_both_front_squares():
    hidden, seen, _ = answers("sight-huge-walker")
    assert [line["from"] for line in hidden["lines"]] == ["D5", "E5"]
    assert not hidden["visible"]
    assert seen["visible"] and seen["origin"] == "E5"
    assert [line["visible"] for line in seen["lines"]] == [False, True]


@pytest.mark.rule("d47.terrain.rubble_move", "d47.terrain.wreck_move")
def test_a_tank_drives_round_a_wall_a_wreck_and_rubble():
    first, behind_the_wall, rubble = answers("reach-tank")
    assert first["squares"]["D3"] == 1
    for blocked in ("C3", "D5", "E4", "E3"):
        assert blocked not in first["squares"]
    assert (behind_the_wall["reached"], behind_the_wall["cost"]) == (False, 5)
    assert rubble["reached"] is False and "cost" not in rubble


@pytest.mark.rule("d47.reactive.one_success", "d47.attack.suppress.deferred", "d47.attack.save.infantry_cover")
def test_a_whole_attack_under_reactive_fire():
    found = verdict("attack")
    kinds = [told.event["kind"] for told in found.events]
    assert kinds.index("Moved") < kinds.index("Reacts") < kinds.index("PoolPlanned") < kinds.index("TokenGained")
    units = {unit["id"]: unit for unit in found.state["units"]}
    assert (units["a1"]["left"], units["a1"]["tokens"]) == (3, ["under fire"])
    assert (units["b1"]["left"], units["b1"]["tokens"], units["b1"]["activated"]) == (4, ["under fire"], True)
    assert found.decision["player"] == 1
    assert found.dice_used == 2 + 8 + 3 + 6 + 3


@pytest.mark.rule("d47.attack.cc.simultaneous", "d47.attack.cc.retaliate", "d47.attack.cc.no_saves")
def test_close_combat_strikes_both_ways():
    found = verdict("close-combat")
    units = {unit["id"]: unit for unit in found.state["units"]}
    assert (units["a1"]["left"], units["b1"]["left"]) == (4, 1)
    labels = [told.event.get("label") for told in found.events]
    assert not any(label and "save" in label for label in labels)
    rolled = [told.event["unit"] for told in found.events if told.event["kind"] == "Rolled"]
    assert rolled[:2] == ["a1", "b1"]
