"""Referee files of Dust Warfare: what a position may say, what it is refused for, the page's own example."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from dieselfront.kernel.decisions import PickOne
from dieselfront.referee import Verdict, judge
from dieselfront.referee.errors import RefereeError
from dieselfront.referee.svg import draw
from dieselfront.rulesets.warfare.referee import ADAPTOR

ROOT = Path(__file__).resolve().parents[2]
RIFLES = {"name": "Rifles", "models": 5, "weapons": [{"name": "Rifle", "range": 16, "count": 5, "vs": {"S": "1/1"}}]}
TANK = {
    "name": "Tank",
    "armor": "V3",
    "capacity": 6,
    "abilities": ["Carry Capacity (6)"],
    "weapons": [{"name": "Gun", "range": 24, "arc": "front", "vs": {"S": "3/1", "V": "4/2"}}],
}
PLANE = {
    "name": "Plane",
    "armor": "A2",
    "move": 12,
    "capacity": 4,
    "weapons": [{"name": "Bomb", "range": "B", "count": 2, "vs": {"S": "4/1"}}],
}


def asked(units: dict[str, Any], **more: Any) -> Verdict:
    """What the referee says to a position."""
    placed = {"a1": {"card": RIFLES, "place": "20in, 28in"}, **units}
    text = yaml.safe_dump({"ruleset": "warfare", "size": "48in x 36in", "units": placed, **more})
    return judge(text.encode(), "test.yaml")


def unit(found: Verdict, id: str) -> dict[str, Any]:
    return next(one for one in found.state["units"] if one["id"] == id)


def facts(found: Verdict, number: int = 0) -> dict[str, Any]:
    answer: dict[str, Any] = found.to_json()["answers"][number]
    return answer


def refusal(units: dict[str, Any], **more: Any) -> str:
    with pytest.raises(RefereeError) as error:
        asked(units, **more)
    return str(error.value)


def test_a_unit_may_have_lost_figures_its_leader_and_its_calm():
    found = asked({"b1": {"card": RIFLES, "place": "20in, 8in", "men": [2, 3], "suppression": 2, "reaction": True}})
    shown = unit(found, "b1")
    assert (shown["models_left"], shown["leader"], shown["suppression"], shown["reaction"]) == (2, None, 2, True)
    led = unit(asked({"b1": {"card": RIFLES, "place": "20in, 8in", "men": [2, 3], "leader": 3}}), "b1")
    assert led["leader"] == 3


def test_effects_bring_the_weapon_they_put_out():
    effects = ["blinded", {"weapon damaged": "Gun"}]
    found = asked(
        {"b1": {"card": TANK, "place": "20in, 12in", "effects": effects, "damage": 2}},
        active="red",
        ask=[{"weapons": {"from": "b1", "to": "a1"}}, {"table": "b1"}],
    )
    assert unit(found, "b1")["tokens"] == ["blinded", "weapon damaged"] and unit(found, "b1")["damage"] == 2
    assert facts(found)["weapons"] == []
    assert facts(found, 1)["effects"] == ["blinded", "weapon damaged"]


@pytest.mark.rule("dw.hero.join", "dw.open.hero_leads")
def test_a_hero_is_the_last_figure_of_the_unit_he_joins():
    boss = {
        "name": "Boss",
        "kind": "hero",
        "capacity": 4,
        "weapons": [{"name": "Pistol", "range": 12, "vs": {"S": "1/1"}}],
    }
    found = asked({"a2": {"card": boss, "side": "blue", "joins": "a1", "damage": 1}})
    shown = unit(found, "a1")
    assert (shown["models_left"], shown["leader"], shown["damage"], shown["damage_max"]) == (6, 6, 1, 9)
    slow = {**boss, "move": 4}
    assert "dw.hero.join" in refusal({"a2": {"card": slow, "side": "blue", "joins": "a1"}})


@pytest.mark.rule("dw.ability.carry_capacity")
def test_passengers_need_room():
    carrier = {"b1": {"card": TANK, "place": "20in, 12in"}, "b2": {"card": RIFLES, "aboard": "b1"}}
    assert unit(asked(carrier), "b2")["status"] == "aboard"
    full = {**carrier, "b3": {"card": RIFLES, "aboard": "b1"}}
    assert "no room for Rifles" in refusal(full) and "dw.ability.carry_capacity" in refusal(full)


def test_aircraft_fly_high_or_low_or_beyond_an_edge():
    placed = {"card": PLANE, "place": "20in, 12in", "facing": "south"}
    assert unit(asked({"b1": {**placed, "altitude": "high"}}), "b1")["altitude"] == "high"
    assert unit(asked({"b1": placed}), "b1")["altitude"] == "low"
    away = asked({"b1": {"card": PLANE, "left_by": "north", "dropped": ["Bomb"]}}, active="red")
    assert unit(away, "b1")["status"] == "off"
    assert "is no aircraft" in refusal({"b1": {"card": RIFLES, "place": "20in, 8in", "altitude": "high"}})


@pytest.mark.rule("dw.command.command_range", "dw.open.orders_per_unit")
def test_orders_reach_units_near_a_section_once():
    section = {"card": {**RIFLES, "tags": ["command_section"]}, "place": "28in, 28in", "side": "blue"}
    far = {"card": RIFLES, "place": "4in, 4in", "side": "blue"}
    ask = [{"orders": "a1"}, {"orders": "a3"}]
    found = asked({"a2": section, "a3": far}, phase="command", orders=2, ask=ask)
    assert facts(found)["reached"] and facts(found)["by"] == "a2" and facts(found)["left"] == 2
    assert not facts(found, 1)["reached"]
    told = {"card": RIFLES, "place": "20in, 28in", "tokens": ["ordered"]}
    assert not facts(asked({"a1": told, "a2": section}, phase="command", orders=2, ask=ask[:1]))["reached"]


@pytest.mark.rule("dw.reaction.eligibility", "dw.reaction.once_per_turn", "dw.reaction.formation_required")
@pytest.mark.parametrize(
    "state, rule",
    [
        ({"suppression": 1}, "dw.reaction.eligibility"),
        ({"reaction": True}, "dw.reaction.eligibility"),
        ({"reacted": True}, "dw.reaction.once_per_turn"),
        ({"models": 2, "spots": ["20in, 8in", "30in, 8in"]}, "dw.reaction.formation_required"),
    ],
)
def test_why_a_unit_may_not_react(state, rule):
    found = asked({"b1": {"card": RIFLES, "place": "20in, 8in", **state}}, ask=[{"reactions": "b1"}])
    assert not facts(found)["ready"] and facts(found)["rule"] == rule


def test_odds_tell_cover_armor_and_the_groups_of_dice():
    hedge = ["hedge from 10in, 18in to 30in, 18in"]
    found = asked(
        {"b1": {"card": RIFLES, "place": "20in, 16in"}},
        terrain=hedge,
        ask=[{"odds": {"from": "a1", "to": "b1"}}, {"odds": {"from": "a1", "to": "b1", "action": "sustained"}}],
    )
    plain, sustained = facts(found), facts(found, 1)
    assert (plain["cover"], plain["armor"], plain["capacity"]) == ("soft", 2, 5)
    assert plain["groups"] == [{"weapon": "Rifle", "dice": 5, "damage": 1}]
    assert sustained["expected"]["hits"] == pytest.approx(5 * 5 / 9)
    assert plain["expected"]["hits"] == pytest.approx(5 / 3)


@pytest.mark.parametrize(
    "state, words",
    [
        ({"place": "60in, 8in"}, "off the table"),
        ({"place": "20in, 28in"}, "would stand on Rifles"),
        ({"spots": ["20in, 8in"]}, "expected 5 places"),
        ({"place": "20in, 8in", "models": 6}, "5"),
        ({"place": "20in, 8in", "effects": ["blinded"]}, "soldiers have none"),
        ({"place": "20in, 8in", "tokens": ["brave"]}, "there is no token 'brave'"),
        ({"place": "20in, 8in", "used": ["Berserkk"]}, "did you mean Berserk"),
        ({"place": "20in, 8in", "abilities": ["Bravery"]}, "there is no ability 'Bravery'"),
        ({"place": "20in, 8in", "card": {**RIFLES, "abilities": ["Bravery"]}}, "there is no ability 'Bravery'"),
        ({"place": "20in, 8in", "damage": 1}, "survives 1 point"),
        ({"place": "20in, 8in", "altitud": "low"}, "altitude"),
        ({"status": "table"}, "place"),
    ],
)
def test_impossible_positions_are_refused_in_a_sentence(state, words):
    assert words in refusal({"b1": {"card": RIFLES, **state}})


@pytest.mark.rule("dw.damage.vehicle_no_suppression")
def test_a_vehicle_takes_no_suppression_markers():
    tank = {"b1": {"card": TANK, "place": "20in, 12in", "suppression": 1}}
    assert "dw.damage.vehicle_no_suppression" in refusal(tank)


def test_a_refused_target_names_the_rule():
    far = {"b1": {"card": RIFLES, "place": "20in, 4in"}, "b2": {"card": RIFLES, "place": "28in, 16in"}}
    do = [{"activate": "a1"}, {"actions": "attack"}, {"target": "b1"}]
    assert "dw.attack.range" in refusal(far, do=do)


def test_the_example_of_the_page_is_carried_out():
    page = (ROOT / "docs" / "referee.md").read_text("utf-8").partition("## The position (Dust Warfare)")[2]
    text = page.partition("```yaml\n")[2].partition("```")[0]
    found = judge(text.encode(), "page.yaml")
    assert unit(found, "b2")["models_left"] == 2 and facts(found)["reached"]
    ElementTree.fromstring(draw(found.state, found.answers))


@pytest.mark.parametrize("key", ["leader", "stand-in leader", "section leader"])
def test_a_case_written_from_a_game_counts_figures_from_1_and_is_read_back(key: str):
    question = PickOne(0, key, [0, 1, 3])
    assert ADAPTOR.written(question, 3) == 4
    assert ADAPTOR.words(None, question, 4) == ADAPTOR.words(None, question, "4") == 3
