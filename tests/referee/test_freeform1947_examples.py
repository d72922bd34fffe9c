"""The freeform examples of the referee are documentation; what they say is checked here."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from dieselfront.referee import Verdict, judge
from dieselfront.referee.cases import check_file
from dieselfront.referee.errors import RefereeError
from dieselfront.referee.svg import draw

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "freeform1947"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.yaml"))
SINGLE = [name for name in NAMES if "\ncases:" not in (EXAMPLES / f"{name}.yaml").read_text("utf-8")]
"""Examples of one position; the others hold several cases, which `referee check` runs."""


@cache
def verdict(name: str) -> Verdict:
    return judge((EXAMPLES / f"{name}.yaml").read_bytes(), name)


def answers(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = verdict(name).to_json()["answers"]
    return found


def events(name: str, kind: str) -> list[dict[str, Any]]:
    return [told.event for told in verdict(name).events if told.event["kind"] == kind]


def units(name: str) -> dict[str, dict[str, Any]]:
    return {unit["id"]: unit for unit in verdict(name).state["units"]}


@pytest.mark.parametrize("name", SINGLE)
def test_every_example_can_be_drawn(name: str):
    found = verdict(name)
    picture = draw(found.state, found.answers, found.title)
    assert ElementTree.fromstring(picture).tag.endswith("svg")


@pytest.mark.rule("ff.damage.order", "ff.damage.los", "ff.cover.unit")
def test_a_squad_partly_behind_a_rock_loses_the_open_man_then_the_covered_never_the_hidden():
    cover, losses, before, after = answers("partly-behind-a-rock")
    assert cover["cover"]
    assert cover["covered"] == 4
    assert losses["first"] == ["Leader 1"]
    assert losses["then"] == ["Assault Rifle 2", "Bazooka 5"]
    assert losses["never"] == ["Assault Rifle 3", "Assault Rifle 4"]
    assert losses["most"] == 3
    assert before["leader"] == "Leader 1"
    assert after["leader"] == "Assault Rifle 3"
    assert [event["soldier"] for event in events("partly-behind-a-rock", "SoldierLost")] == [
        "Leader",
        "Assault Rifle",
        "Bazooka",
    ]
    assert units("partly-behind-a-rock")["b1"]["models_left"] == 2  # six hits, three lost


@pytest.mark.rule("ff.flame.affects", "ff.flame.dice", "ff.flame.effect")
def test_a_flame_burns_the_friend_beside_its_tape():
    (touched,) = answers("flame-touching-friends")
    assert touched["touched"]["a2"] == ["Automatic Rifle 2"]
    assert len(touched["touched"]["b1"]) == 5
    hits = events("flame-touching-friends", "Hits")
    assert [(hit["target"], hit["hits"], hit["saved"]) for hit in hits] == [("a2", 1, 0), ("b1", 2, 0)]
    assert {unit for unit, shown in units("flame-touching-friends").items() if "suppressed" in shown["tokens"]} == {
        "a2",
        "b1",
    }


@pytest.mark.rule("ff.move.terrain_part", "ff.open.rounding_step", "ff.area.trees")
def test_a_march_into_a_wood_is_halved_and_rounded_down():
    inside, too_far, across, on_foot = answers("march-through-a-wood")
    assert inside["reached"]
    assert not too_far["reached"]
    assert "rounded down" in too_far["reason"]
    assert across["reached"]
    assert across["cost"] == pytest.approx(19.8, abs=0.1)
    assert on_foot["reached"]
    assert on_foot["cost"] == pytest.approx(15.03, abs=0.05)


@pytest.mark.rule("ff.damage.leader_timing", "ff.damage.new_leader")
def test_a_leader_lost_in_a_reaction_is_replaced_at_once_and_missed_afterwards():
    (kept,) = answers("leader-lost-in-a-reaction")
    assert kept["leader"] == "Automatic Rifle 2"
    assert kept["out"] == []
    told = [one.event["rule"] for one in verdict("leader-lost-in-a-reaction").events]
    assert told.index("ff.damage.new_leader") < told.index("d47.attack.suppress.deferred")
    assert "stunned" in units("leader-lost-in-a-reaction")["a1"]["tokens"]


FILE = """
ruleset: freeform1947
size: 36in x 24in
{terrain}
units:
  - {{id: a1, card: allies-ranger-recon-squad, side: blue, {place}}}
"""


@pytest.mark.parametrize(
    "terrain, place, told",
    [
        ("terrain: ['treez at 3in, 3in size 2in x 2in']", 'place: "9in, 9in"', "there is no terrain 'treez'"),
        ("terrain: ['rock at 8in, 8in size 2in x 2in']", 'place: "9in, 9in"', "cannot stand there"),
        ("", 'place: "90in, 9in"', "off the table"),
        ("", 'spots: ["9in, 9in", "10in, 9in"]', "has 5 models"),
        ("", 'spots: ["9in, 9in", "10in, 9in", "14in, 9in", "9in, 10in", "9in, 11in"]', "ff.move.circle"),
        ("", 'place: "nowhere"', "is no place"),
        ("", 'plaice: "9in, 9in"', "unknown key 'plaice'"),
    ],
)
def test_mistakes_are_told_with_their_line(terrain: str, place: str, told: str):
    with pytest.raises(RefereeError, match=told) as complaint:
        judge(FILE.format(terrain=terrain, place=place).encode(), "mine.yaml")
    assert complaint.value.line > 1


# -- what readers of the rules stumbled over ---------------------------------------------------------------

FIELD = """\
ruleset: freeform1947
size: 1400mm x 900mm
lengths: mm
terrain: [{kind: building, id: hall, at: [400, 200], size: [500, 400], floors: 2}]
units:
  a1: {card: {name: Ada, kind: hero, armour: S2, move: 2, march: 4, damage: 4%s}, place: "200, 640"%s}
turn: blue
"""


def why(more: str, card: str = "", unit: str = "") -> str:
    """Why a case on that field does not hold; nothing if it does."""
    ((_, reason),) = check_file((FIELD % (card, unit) + more).encode(), "case.yaml")
    return reason


REACHED = "ask:\n  - reach: {unit: a1, to: '250, 640'}\n    expect: {reached: yes}\n"
MOVE = "do:\n  - activate: a1\n  - actions: move\n  - move: %s\n"


def test_lengths_of_a_file_hold_for_what_it_expects():
    assert why(MOVE % '"250, 640"' + 'expect: {units: {a1: {place: "250, 640"}}}\n') == ""
    assert "expected 9.8, 25.2" in why(MOVE % '"250, 640"' + 'expect: {units: {a1: {place: "9.8, 25.2"}}}\n')


@pytest.mark.rule("ff.move.multi_segments")
def test_a_then_b_goes_to_b_by_way_of_a():
    there = 'expect: {units: {a1: {place: "300, 640"}}}\n'
    assert why(MOVE % '"250, 700 then 300, 640"' + there) == ""
    assert why(MOVE % '{to: "300, 640", way: ["250, 700"]}' + there) == ""
    assert "more than a place" in why(MOVE % '"250, 700 maybe"' + there)


@pytest.mark.parametrize("base", ["40", "{base: 40}", "[60, 100]", "{hull: [60, 100], height: 50}"])
def test_a_base_may_be_told_in_short(base: str):
    assert why(REACHED, unit=f", base: {base}") == ""


@pytest.mark.parametrize("base", ["-4", "wide", "[60]", "{hull: [60, 0]}", "{bass: 40}"])
def test_a_base_that_is_none_is_refused_in_a_sentence(base: str):
    reason = why(REACHED, unit=f", base: {base}")
    assert "expected the diameter of a round base" in reason and "mistake of ours" not in reason


def test_unknown_skills_of_cards_written_out_are_refused():
    expect = "expect: {units: {a1: {damage: 0}}}\n"
    assert why(expect, card=", skills: [At the Double]") == ""
    assert "there is no skill 'At The Double'; did you mean At the Double" in why(
        expect, card=", skills: [At The Double]"
    )
    weapon = ", weapons: [{name: Gun, range: 4, vs: {S2: 1/1}, rules: [Artilery]}]"
    assert "there is no weapon rule 'Artilery'" in why(expect, card=weapon)


@pytest.mark.rule("d47.terrain.building_floors")
def test_a_unit_cannot_be_put_on_a_floor_that_is_not_there():
    expect = "expect: {units: {a1: {damage: 0}}}\n"
    assert "there is no such floor" in why(expect, unit=", floor: 1")
    inside = FIELD.replace("200, 640", "650, 400")
    for floor, reason in ((1, ""), (2, ""), (3, "there is no such floor")):
        ((_, told),) = check_file((inside % ("", f", floor: {floor}") + expect).encode(), "case.yaml")
        assert reason in told and bool(reason) == bool(told)


@pytest.mark.rule("ff.open.area_through", "ff.los.area_behind")
@pytest.mark.parametrize(
    ("option", "deep", "seen"), [("blocks", 50, "no"), ("thin_woods_open", 50, "yes"), ("thin_woods_open", 130, "no")]
)
def test_a_house_may_see_through_thin_woods(option: str, deep: int, seen: str):
    case = f"""\
ruleset: freeform1947
size: 1400mm x 900mm
lengths: mm
options: {{area_through: {option}}}
terrain: [{{kind: trees, at: [400, 300], size: [{deep}, 200]}}]
units:
  a1: {{card: {{name: Ada, kind: hero, armour: S2, move: 2, march: 4, damage: 4}}, place: "300, 400"}}
  b1: {{card: {{name: Boris, kind: hero, armour: S2, move: 2, march: 4, damage: 4}}, place: "700, 400"}}
turn: blue
ask:
  - sight: {{from: a1, to: b1}}
    expect: {{visible: {seen}}}
"""
    ((_, reason),) = check_file(case.encode(), "case.yaml")
    assert reason == ""
