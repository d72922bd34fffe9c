"""Referee files: what they may say, and the one sentence with its line when something is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from dieselfront import rulesets
from dieselfront.referee import RefereeError, judge
from dieselfront.referee.contract import PlainAdaptor
from dieselfront.referee.document import entry_of, read
from dieselfront.scenarios import battle, library

BASE = """\
ruleset: dust1947
size: 8x6
terrain:
  - rubble at D3
units:
  - {id: a1, card: allies-pounder, side: blue, place: B2, facing: east}
  - {id: a2, card: allies-ranger-recon-squad, side: blue, place: B4}
  - {id: b1, card: axis-sturmgrenadier-recon-squad, side: red, place: F3}
turn: blue
"""


def put(more: str = "", base: str = BASE):
    return judge((base + more).encode(), "test.yaml")


def wrong(more: str = "", base: str = BASE) -> str:
    with pytest.raises(RefereeError) as caught:
        put(more, base)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("ruleset: dust1947", "ruleset: dust1974", "line 1: ruleset: there is no ruleset 'dust1974'"),
        ("ruleset: dust1947\n", "", "line 1: 'ruleset' is missing"),
        ("size: 8x6", "size: 8", "line 2: size: expected columns and rows"),
        ("size: 8x6", "size: 900x6", "line 2: size: expected columns and rows from 1 to 60"),
        ("rubble at D3", "ruble at D3", "line 4: 'ruble at D3': 'ruble' is not a terrain kind"),
        ("rubble at D3", "rubble at Z30", "line 4: 'rubble at Z30': Z30 is off the board"),
        ("allies-pounder", "allies-pownder", "line 6: units 1 card: There is no dust1947 card"),
        ("side: blue, place: B2", "side: green, place: B2", "line 6: units 1 side: there is no side 'green'"),
        ("place: B2", "place: B22", "line 6: units 1 place: B22 is off the board"),
        ("rubble at D3", "water at B2", "line 6: units 1 place: Pounder (a1) cannot stand at B2 because of the water"),
        ("place: B2", "place: B4", "cannot stand at B4 because"),
        ("place: B2", "plaec: B2", "line 6: unknown key 'plaec' of units 1; did you mean place"),
        ("place: B2, ", "", "line 6: units 1: 'place' is missing"),
        ("facing: east", "facing: up", "line 6: units 1 facing: nobody can face 'up'"),
        ("facing: east", "damage: 6", "line 6: units 1 damage: expected a whole number, 0 to 5"),
        ("facing: east", "models: 2", "line 6: units 1 models: Pounder is a single model"),
        ("facing: east", "tokens: [surpressed]", "line 6: units 1 tokens: there is no token 'surpressed'"),
        ("facing: east", "tokens: [suppressed, under fire]", "never both"),
        ("facing: east", "activated: maybe", "line 6: units 1 activated: expected yes or no"),
        ("facing: east", "aboard: a9", "line 6: units 1 aboard: there is no unit 'a9'"),
        ("facing: east", "ammo: {bazooka: 1}", "has no weapon 'bazooka'"),
        ("facing: east", "criticals: [engine]", "line 6: units 1 criticals: there is no critical hit 'engine'"),
        ("place: B4", "place: B4, criticals: [on fire]", "only vehicles and aircraft take critical hits"),
        ("facing: east", "status: gone", "there is no status 'gone'"),
        ("id: a2", "id: a1", "line 7: units 2: a second unit is called 'a1'"),
        ("turn: blue", "turn: gren", "line 9: turn: there is no side 'gren'"),
        ("turn: blue", "phase: combat", "line 9: phase: there is no phase 'combat'"),
        ("turn: blue", "options: {no_such: x}", "line 9: Dust 1947 has no option 'no_such'"),
        ("turn: blue", "weather: foggy", "line 9: weather: there is no weather 'foggy'"),
        ("turn: blue", "turn: blue\nturn: red", "line 10: 'turn' stands here a second time"),
        ("turn: blue", "objectives: [{name: x, squares: Z9}]", "line 9: "),
        ("turn: blue", "sides: [one]", "line 9: sides: expected two sides"),
        ("turn: blue", "wether: mild", "line 9: unknown key 'wether'; did you mean weather"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(old, new, sentence):
    assert old in BASE
    assert sentence in wrong(base=BASE.replace(old, new))


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ("ask: [{sigt: {from: a1, to: b1}}]", "line 10: 'sigt' is no question the referee knows; did you mean sight"),
        ("ask: [{sight: {from: a1}}]", "line 10: ask 1 sight: 'to' is missing"),
        ("ask: [{sight: {from: a1, too: b1}}]", "unknown key 'too'"),
        ("ask: [{sight: {from: a1, to: b9}}]", "there is no unit 'b9'"),
        ("ask: [{sight: {from: a1, to: Z9}}]", "Z9 is off the board"),
        ("ask: [{sight: {from: a1, to: b1, weapon: catapult}}]", "has no weapon 'catapult'"),
        ("ask: [{reach: {unit: a1, action: fly}}]", "there is no movement 'fly'"),
        ("ask: [{odds: {attacker: b1, target: a2, weapon: panzerfaust}}]", "has nothing to attack"),
        ("ask: [{range: {from: a1, to: b1}, arc: {}}]", "expected one question"),
        ("do:\n  - activate: a7\n", "line 11: activate: 'a7' is not among the legal answers"),
        ("do:\n  - activate: b1\n", "line 11: activate: 'b1' is not among the legal answers"),
        ("do:\n  - activate: pass\n", "you may pass only with fewer units ... (d47.turn.pass)"),
        ("do:\n  - activate: a1\n  - actions: attack + attack\n", "only one attack per activation"),
        (
            "do:\n  - activate: a1\n  - actions: move\n  - move: H6\n",
            "line 13: move: H6 is not among the legal squares",
        ),
        ("do:\n  - activate: a1\n  - declare: all at b1\n", "line 12: do 2: 'declare' cannot be answered now"),
        ("do:\n  - {activate: a1, dice: [ARMY]}\n", "line 11: scripted dice of this choice are left over: ARMY"),
        ("do:\n  - activate: a1\ndice: [ARMY]\n", "line 12: scripted dice are left over: ARMY"),
        ("do:\n  - {activate: a1, actions: move}\n", "expected one choice"),
        ("phase: turn\ndice: [ARMY, ARMY, ARMY, FOO, ARMY, ARMY]\n", "line 11: the Dust die has no face 'FOO'"),
        ("phase: turn\ndice: [ARMY, ARMY, ARMY, ARMY]\n", "line 11: scripted dice are missing: initiative needs 3"),
    ],
)
def test_wrong_questions_choices_and_dice_are_told_with_their_line(more, sentence):
    told = wrong(more)
    assert all(part in told for part in sentence.split(" ... "))


ATTACK = "do:\n  - activate: a1\n  - actions: attack\n  - declare: {machinegun: b1}\n"


def test_dice_that_nobody_scripted_are_what_the_game_waits_for():
    decision = put(ATTACK).decision
    assert decision["shape"] == decision["key"] == "dice"
    assert decision["count"] > 0 and decision["text"].endswith(f"roll {decision['count']} dice")
    assert "scripted dice are missing: the game waits for to hit" in wrong(f"{ATTACK}  - activate: b1\n")


def test_too_few_dice_are_told_at_the_choice_that_needs_them():
    assert "line 13: scripted dice are missing: to hit needs" in wrong(f"{ATTACK}    dice: [ARMY]\n")


def test_dice_left_over_show_what_each_throw_took_and_what_happened():
    complaint = wrong("phase: turn\ndice: [ARMY, ARMY, ARMY, TARGET, TARGET, TARGET, SHIELD]\n")
    assert "scripted dice are left over: SHIELD" in complaint
    assert "initiative: ARMY ARMY ARMY; initiative: TARGET TARGET TARGET" in complaint
    assert "what happened: Turn 1 begins" in complaint


@pytest.mark.parametrize(
    "data",
    [b"", b"- a", b"a: [", b"\xff", b"ruleset: !!python/name:os.system x", b"a: &x [*x]", b"{" * 5000, b"[" * 5000],
)
def test_a_file_that_is_none_is_refused(data):
    with pytest.raises(RefereeError):
        judge(data, "x")


def test_json_says_the_same_as_yaml():
    plain = yaml.safe_load(BASE) | {"ask": [{"sight": {"from": "a1", "to": "b1"}}, "options"]}
    as_json = judge(json.dumps(plain, indent="\t").encode(), "x.json").to_json()
    as_yaml = judge(yaml.safe_dump(plain).encode(), "x.yaml").to_json()
    for one in (as_json, as_yaml):
        for answer in one["answers"]:
            answer.pop("line")
    assert as_json == as_yaml


def test_lines_are_counted_as_people_count_them():
    root = read(b"a: 1\n\n# note\nb:\n  - x\n  - y: 2\n", "f")
    assert root.table()["b"].entries()[1].table()["y"].line == 6


# -- what a file can say ------------------------------------------------------------------------


def unit(found, id):
    return next(one for one in found.state["units"] if one["id"] == id)


def test_units_are_described_as_on_the_table():
    found = put(
        base="""\
ruleset: dust1947
size: [10, 8]
sides: {north: {name: The Axis, bloc: Axis, points: 7}, south: The Allies}
units:
  - card: axis-sturmgrenadier-assault-squad
    side: north
    place: C3
    soldiers: [leader, bazooka]
    tokens: under fire
    joined: {card: axis-manfred, damage: 2}
    ammo: {panzerfaust: 1}
  - {card: axis-ludwig, side: The Axis, place: E3, facing: S, damage: 3, activated: yes, criticals: [immobilized]}
  - {id: tank, card: allies-pershing-ii, side: south, place: [E6, E7], facing: N}
  - {card: allies-punisher, side: south, place: "H6", facing: west}
"""
    )
    squad, walker = unit(found, "a1"), unit(found, "a2")
    assert squad["parts"][0]["soldiers"] == ["Leader", "Bazooka"]
    assert squad["parts"][1]["damage"] == 2
    assert squad["tokens"] == ["under fire"]
    assert squad["parts"][0]["weapons"][1]["ammo_left"] == 1
    assert (walker["damage"], walker["activated"], walker["facing"]) == (3, True, 2)
    assert unit(found, "tank")["places"] == ["E6", "E7"]
    assert sorted(unit(found, "b2")["places"]) == ["H6", "H7", "I6", "I7"]
    assert [side["name"] for side in found.state["sides"]] == ["The Axis", "The Allies"]
    assert found.state["sides"][0]["points"] == 7


def usable(units: str) -> list[bool]:
    """Which weapons the first unit may fire at the second."""
    base = f"ruleset: dust1947\nsize: 8x6\nunits:\n{units}turn: blue\nask:\n  - weapons: {{from: a1, to: b1}}\n"
    return [weapon["usable"] for weapon in put(base=base).answers[0].facts["weapons"]]


def test_a_critical_hit_breaks_what_it_says():
    tank = "  - {id: a1, card: allies-pounder, side: blue, place: B2, facing: east%s}\n"
    foe = "  - {id: b1, card: axis-sturmgrenadier-recon-squad, side: red, place: D2}\n"
    assert usable(tank % "" + foe) == [True, True, True]
    assert usable(tank % ", criticals: [main weapon]" + foe) == [False, True, True]


def test_marked_boxes_are_spread_over_the_men_who_carry_the_weapon():
    squad = "  - {id: a1, card: axis-grenadier-tank-hunter-squad, side: blue, place: B2, ammo: {panzerfaust 100: %d}}\n"
    foe = "  - {id: b1, card: allies-pounder, side: red, place: D2, facing: west}\n"
    assert usable(squad % 4 + foe)[1] is True
    assert usable(squad % 5 + foe)[1] is False


def test_a_map_draws_the_board_with_symbols():
    found = put(base="ruleset: dust1947\nmap: |\n  ..r..\n  .T.#.\n  .....\n")
    assert (found.state["table"]["width"], found.state["table"]["height"]) == (5, 3)
    assert found.state["table"]["features"] == {"C1": ["rubble"], "B2": ["trees"], "D2": ["structure"]}


def test_a_card_may_be_written_out():
    found = put(
        "ask: [{reach: {unit: x}}]",
        """\
ruleset: dust1947
size: 5x5
units:
  - id: x
    side: blue
    place: C3
    card: {name: Scouts, kind: infantry, armour: S1, models: 3, move: 1, march: 2, skills: [Scout],
           weapons: [{name: Gun, count: 3, range: 4, vs: {S1: 2/1}}]}
""",
    )
    assert len(found.answers[0].facts["squares"]) == 9
    assert unit(found, "x")["left"] == 3


def test_two_inline_cards_of_one_id_do_not_mix_up_their_skills():
    one = put(base=INLINE.format(skills="[Scout]"))
    other = put(base=INLINE.format(skills="[]"))
    assert one.state["units"][0]["card"] != other.state["units"][0]["card"]


INLINE = """\
ruleset: dust1947
size: 5x5
units:
  - side: blue
    place: C3
    card: {{id: same, kind: infantry, armour: S1, models: 3, move: 1, march: 2, skills: {skills}}}
"""


def test_nothing_runs_further_than_it_is_asked_to():
    """The last activation of a turn ends it, but nobody scripted the dice for the next initiative."""
    found = put(
        "do:\n  - activate: a1\n  - actions: nothing\n",
        BASE.replace("place: B4", "place: B4, activated: yes").replace("place: F3", "place: F3, activated: yes"),
    )
    assert [told.event["kind"] for told in found.events][-1] == "TurnEnded"
    assert found.decision["shape"] == "dice" and found.decision["count"] >= 3
    assert found.state["turn"] == 1


def test_a_turn_may_begin_with_scripted_initiative():
    found = put(
        "phase: turn\nround: 3\ndice: [ARMY, ARMY, TARGET, SHIELD, SHIELD, ARMY]\n", BASE.replace("turn: blue\n", "")
    )
    assert found.state["turn"] == 3
    assert found.decision["key"] == "first"


def test_forced_answers_need_not_be_written_but_may_be():
    lone = BASE.replace("  - {id: a2, card: allies-ranger-recon-squad, side: blue, place: B4}\n", "")
    short = put("do:\n  - actions: move\n  - move: C2 N\n", lone)
    long = put("do:\n  - activate: a1\n  - actions: move\n  - move: {to: C2, facing: N}\n", lone)
    assert unit(short, "a1")["places"] == unit(long, "a1")["places"] == ["C2"]
    assert unit(long, "a1")["facing"] == 0


def test_choices_may_be_plain_words_or_raw_answers():
    words = put("do:\n  - activate a1\n  - move\n  - C2\n")
    raw = put("do:\n  - answer: a1\n  - answer: [move]\n  - answer: [10, 1]\n")
    assert unit(words, "a1")["places"] == unit(raw, "a1")["places"] == ["C2"]
    assert unit(words, "a1")["facing"] == 1  # it keeps its facing


def test_defaults_answer_what_no_step_speaks_of():
    moving = BASE.replace("place: F3", "place: D2")
    steps = "do:\n  - activate: a2\n  - actions: move + attack\n  - move: B3\n  - declare: hold\n"
    assert "waits for 'react'" in wrong(steps, moving)
    found = put(steps + "defaults: {react: none}\n", moving)
    assert unit(found, "a2")["places"] == ["B3"]


def test_a_question_may_stand_between_the_choices():
    question = "ask: [{range: {from: a1, to: b1}}]\n"
    found = put(question + "do:\n  - activate: a1\n  - actions: move\n  - move: C3\n  - " + question)
    assert [(answer.after, answer.facts["range"]) for answer in found.answers] == [(0, 4), (4, 3)]


def test_the_same_file_always_gets_the_same_verdict():
    more = "do:\n  - activate: a1\n  - actions: move\n  - move: C3\n"
    assert put(more).to_json() == put(more).to_json()


# -- whatever somebody writes -------------------------------------------------------------------

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.yaml"))
SCRAPS = ["a1", "b1", "C3", "Z99", "all at b1", "ARMY", "", "none", "first", 0, 1, -1, 10**9, 1.5, True, None, [], {}]
SCRAPS += [
    ["a1"],
    {"from": "a1"},
    {"a1": 1},
    "axis-ludwig",
    "allies-punisher",
    "north",
    "end",
    "move + attack",
    "é\x00",
]


def places(plain, path=()):
    """Every place of a file where something may be put instead."""
    yield path
    items = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    for key, value in items:
        yield from places(value, (*path, key))


def replaced(plain, path, value):
    if not path:
        return value
    copy = dict(plain) if isinstance(plain, dict) else list(plain)
    copy[path[0]] = replaced(copy[path[0]], path[1:], value)
    return copy


@settings(max_examples=100)
@given(st.data())
def test_whatever_is_written_gets_a_verdict_or_one_sentence(data):
    plain = yaml.safe_load(data.draw(st.sampled_from(EXAMPLES)).read_text())
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from(list(places(plain))))
        plain = replaced(plain, path, data.draw(st.sampled_from(SCRAPS)))
    try:
        found = judge(json.dumps(plain).encode(), "x")
    except RefereeError as error:
        assert str(error) and "\n" not in str(error)
    else:
        json.dumps(found.to_json())


SNIPERS = """\
ruleset: dust1947
size: 12x7
units:
  - {id: a1, card: allies-ranger-sniper-squad, side: blue, place: B4}
  - {id: b1, card: allies-heavy-ranger-command-squad, side: red, place: G4}
turn: blue
"""


@pytest.mark.rule("d47.weapon.spotter")
def test_odds_of_all_weapons_know_that_a_spotter_who_fires_does_not_watch() -> None:
    watched = put("ask: [{odds: {attacker: a1, target: b1, sustained: true, weapon: sniper rifle}}]", SNIPERS)
    firing = put("ask: [{odds: {attacker: a1, target: b1, sustained: true}}]", SNIPERS)
    assert "d47.weapon.spotter" in watched.answers[0].rules
    assert "d47.weapon.spotter" not in firing.answers[0].rules


CRATE = """\
ruleset: dust1947
size: 6x6
terrain:
  - ammo crate at B3
units:
  - {id: a1, card: allies-pounder, side: blue, place: B2, facing: south}
  - {id: b1, card: axis-sturmgrenadier-recon-squad, side: red, place: F6, tokens: [activated]}
turn: blue
"""


@pytest.mark.rule("d47.terrain.crate_vehicle")
@pytest.mark.parametrize(("words", "crushed"), [("C4", False), ("C4 via C3", False), ("C4 facing N via B3, C4", True)])
def test_a_move_may_name_its_way(words: str, crushed: bool):
    answer = put(f"do:\n  - activate: a1\n  - actions: move\n  - move: {words}\n", CRATE)
    rules = [event["rule"] for event in answer.to_json()["events"]]
    assert ("d47.terrain.crate_vehicle" in rules) is crushed


def test_a_way_that_cannot_be_gone_is_refused_with_its_reason():
    assert "no step from B2 to B5" in wrong("do:\n  - activate: a1\n  - actions: move\n  - move: C4 via B5\n", CRATE)


FREE_CRATE = """\
ruleset: freeform1947
size: 48in x 36in
terrain:
  - ammo_crate at 15in, 9.5in size 1in x 1in
units:
  - {id: a1, card: allies-pounder, side: blue, place: "10in, 10in", facing: east}
  - {id: b1, card: axis-sturmgrenadier-recon-squad, side: red, place: "44in, 33in", tokens: [activated]}
turn: blue
"""


@pytest.mark.rule("d47.terrain.crate_vehicle", "ff.move.multi_segments")
@pytest.mark.parametrize(("way", "crushed"), [("", True), (', way: ["13in, 15in", "18in, 15in"]', False)])
def test_a_move_on_the_open_table_may_name_its_way(way: str, crushed: bool):
    steps = f'do:\n  - activate: a1\n  - actions: march\n  - march: {{to: "20in, 10in"{way}}}\n'
    rules = [event["rule"] for event in put(steps, FREE_CRATE).to_json()["events"]]
    assert ("d47.terrain.crate_vehicle" in rules) is crushed


def test_a_game_without_words_of_its_own_begins_from_scenario_and_forces():
    rules = rulesets.load("dust1947")
    header = battle.header(
        "dust1947",
        library.find("crossroads", "dust1947"),
        [battle.army(one, "dust1947") for one in battle.starters("dust1947")[:2]],
        seed="x",
        seats=["Ann", "Bob"],
        options={},
        salt="",
    )
    forces = json.loads(msgspec.json.encode(header.forces))
    root = entry_of({"ruleset": "dust1947", "scenario": header.scenario, "forces": forces})
    state = PlainAdaptor().position(rules, root.table(), {})
    assert len(state.units) == sum(len(force["units"]) for force in forces)
    assert "sight" in PlainAdaptor().questions
    with pytest.raises(RefereeError, match="'forces' is missing"):
        PlainAdaptor().position(rules, entry_of({"ruleset": "dust1947", "scenario": {}}).table(), {})
