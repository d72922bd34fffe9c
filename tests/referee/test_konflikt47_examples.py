"""The Konflikt '47 examples of the referee are documentation; what they say is checked here."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from dieselfront.referee import Verdict, judge
from dieselfront.referee.svg import draw

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@cache
def verdict(name: str) -> Verdict:
    return judge((EXAMPLES / f"konflikt47-{name}.yaml").read_bytes(), name)


def answers(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = verdict(name).to_json()["answers"]
    return found


def events(name: str, kind: str) -> list[dict[str, Any]]:
    return [told.event for told in verdict(name).events if told.event["kind"] == kind]


def units(name: str) -> dict[str, dict[str, Any]]:
    return {unit["id"]: unit for unit in verdict(name).state["units"]}


@pytest.mark.rule("k47.core.los", "k47.core.los_area")
def test_sight_tells_the_fraction_and_what_stands_in_the_way():
    wood, wall, window, spot, distance = answers("sight")
    assert not wood["visible"] and wood["fraction"] == 0
    assert {reason["who"] for line in wood["lines"] for reason in line["reasons"]} == {"woods 1"}
    assert "k47.core.los_area" in wood["rules"]
    assert wall["visible"] and [line["seen"] for line in wall["lines"]] == [6, 6, 9]
    assert window["visible"] and window["fraction"] == 1.0
    assert spot["visible"] and spot["fraction"] == pytest.approx(2 / 3, abs=0.001)
    assert distance["range"] == pytest.approx(6.44)


@pytest.mark.rule("k47.shoot.cover_def", "k47.shoot.cover")
def test_the_majority_of_models_decides_the_cover_of_a_unit():
    wall, wood, weapons, fire, advance = answers("cover")
    assert wall["cover"] == "hard" and wall["modifier"] == -2
    assert [row["covers"].count("hard") for row in wall["shooters"]] == [4] * 5
    assert wood["cover"] == "soft" and wood["area"] == "soft"
    (pool,) = weapons["weapons"][0]["pools"]
    assert (pool["dice"], pool["need"], pool["long"]) == (5, 6, True)
    assert fire["expected"]["losses"] == pytest.approx(5 / 6 / 2)
    assert sum(fire["losses"].values()) == pytest.approx(1)
    assert "k47.nation.us" not in advance["rules"] and advance["hit"] == pytest.approx(1 - (2 / 3) ** 5)


@pytest.mark.rule("k47.move.turns", "k47.move.tracked", "k47.move.reverse")
def test_a_tank_turns_once_on_the_advance_and_not_on_the_run():
    found = answers("reach")
    assert [one["reached"] for one in found] == [True, False, True, False, False, True, True, False]
    assert found[0]["path"] == [[406, 610, 0], [406, 610, 90], [533, 610, 90]]
    assert "2 turns" in found[1]["reason"] and "k47.move.rates" in found[1]["reason"]
    assert "Panzer IV" in found[3]["reason"]
    assert found[5]["reverse"] == 4.5
    assert found[7]["barred"] == ["hedge 2", "marsh 3", "rocks 1"]
    hull = units("reach")["a1"]["hull"]
    assert (hull["x"], hull["y"], hull["heading"]) == (533, 610, 90)


@pytest.mark.rule("k47.he.hits", "k47.he.pins", "k47.wrule.flame_hit", "k47.wrule.flame_pins")
def test_shells_and_flames_roll_for_their_hits():
    mortar, flames, blast, _ = answers("he-and-flames")
    assert mortar["hit"] == pytest.approx(5 / 6)
    assert mortar["expected"]["pins"] == pytest.approx(5 / 6 * 1.5)
    assert mortar["expected"]["losses"] == pytest.approx(5 / 6 * 3.5 * 5 / 6)
    assert flames["expected"]["pins"] == pytest.approx(2 / 3 * 3)
    assert len(blast["touched"]["b1"]) == 6
    labels = [event["label"] for event in events("he-and-flames", "Counted")]
    assert labels == ["pins", "HE hits", "pins", "flames", "fuel"]
    left = units("he-and-flames")
    assert (left["b1"]["models_left"], left["b1"]["pins"]) == (2, 1)
    assert left["b2"]["status"] == "gone"


@pytest.mark.rule("k47.order.fubar", "k47.order.fubar_ff", "k47.order.fubar_panic")
def test_fubar_is_friendly_fire_or_panic():
    first, second, options = answers("fubar")
    assert (first["needed"], second["needed"]) == (6, 7)
    assert first["chance"] == pytest.approx(15 / 36) and first["fubar"] == pytest.approx(1 / 36)
    assert options["text"][1:] == ["- Infantry Squad 2", "- Infantry Squad 3"]
    assert [event["result"] for event in events("fubar", "Fubar")] == ["friendly fire", "panic"]
    assert units("fubar")["a2"]["models_left"] == 4
    assert units("fubar")["a3"]["models"][0]["y"] == pytest.approx((18 + 12) * 25.4, abs=15)


@pytest.mark.rule("k47.react.stand_fire", "k47.cq.h2h_attacks", "k47.cq.result_loser")
def test_an_assault_is_met_by_fire_and_then_fought():
    asked, _ = answers("assault-stand")
    assert asked["reaches"] and asked["reactions"] == ["escape", "stand and fire"]
    kinds = [told.event["kind"] for told in verdict("assault-stand").events]
    assert kinds.index("Reacted") < kinds.index("Casualties") < kinds.index("FightRound")
    (fight,) = events("assault-stand", "FightRound")
    assert tuple(fight["losses"]) == (1, 3) and fight["winner"] == "a1"


@pytest.mark.rule("k47.react.escape", "k47.cq.reach")
def test_an_assault_falls_short_of_those_who_escape():
    (distance,) = answers("assault-escape")
    assert [event["how"] for event in events("assault-escape", "Assaulted")] == ["declared", "falls short"]
    assert distance["range"] > 6
    assert units("assault-escape")["b1"]["order"] == "run"


@pytest.mark.rule("k47.armour.facing", "k47.armour.result_grade", "k47.armour.massive", "k47.armour.ko")
def test_armour_is_hit_on_its_front_side_or_rear_and_damaged_by_grades():
    front, side, rear, ahead, aside, gun, bazooka, behind, _, _ = answers("armour")
    assert [one["facing"] for one in (front, side, rear)] == ["front", "side", "rear"]
    assert ahead["inside"] and not aside["inside"]
    pens = [one["weapons"][0]["pen"] for one in (gun, bazooka, behind)]
    assert pens == [5, 6, 7]
    grades = gun["weapons"][0]["grades"]
    assert [grades[str(face)] for face in range(1, 7)] == ["nothing"] * 3 + ["superficial", "full", "full"]
    assert behind["weapons"][0]["grades"]["6"] == "massive"
    (damaged,) = events("armour", "Damaged")
    assert (damaged["total"], damaged["grade"]) == (12, "massive")
    assert units("armour")["b1"]["status"] == "gone"


NAMES = sorted(path.stem.removeprefix("konflikt47-") for path in EXAMPLES.glob("konflikt47-*.yaml"))


@pytest.mark.parametrize("name", NAMES)
def test_every_drawing_holds_the_table_its_models_and_what_was_asked(name):
    found = verdict(name)
    text = draw(found.state, found.answers, found.title)
    ElementTree.fromstring(text)
    for unit in found.state["units"]:
        if unit["status"] == "table":
            assert f">{unit['id']}<" in text
    for answer in found.answers:
        if answer.marks.get("reaches") or answer.marks.get("drives"):
            assert "url(#reach)" in text
        if answer.marks.get("arcs"):
            assert "arc front" in text
        if answer.marks.get("templates"):
            assert ">template<" in text
