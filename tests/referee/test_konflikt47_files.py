"""Konflikt '47 in referee files: what they may say, and the one sentence with its line when something is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dieselfront.referee import RefereeError, Verdict, judge
from dieselfront.referee.document import read
from dieselfront.referee.measured_words import NotUnderstood, heading, length, position, snug, spot
from dieselfront.referee.runner import prepare

BASE = """\
ruleset: konflikt47
size: 48in x 36in
terrain:
  - woods at 5in, 5in size 6in x 6in
  - building inn at 30in, 6in size 5in x 4in with 2 floors
units:
  a1: {card: united-states-infantry-squad, place: "20in, 28in", models: 5, pins: 1}
  a2: {card: united-states-m4a3-sherman, place: "30in, 28in", facing: north}
  b1: {card: germany-wehrmacht-waffen-ss-veteran-infantry-squad, place: "20in, 10in", models: 6, experience: veteran}
turn: 2
"""


def put(more: str = "", base: str = BASE) -> Verdict:
    return judge((base + more).encode(), "test.yaml")


def changed(old: str, new: str, more: str = "") -> Verdict:
    assert old in BASE
    return put(more, BASE.replace(old, new))


def wrong(old: str = "turn: 2", new: str = "turn: 2", more: str = "") -> str:
    with pytest.raises(RefereeError) as caught:
        changed(old, new, more)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def unit(found: Verdict, id: str) -> dict[str, Any]:
    return next(one for one in found.state["units"] if one["id"] == id)


# -- words ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tenths"),
    [("12in", 3048), ('6"', 1524), ("30 cm", 3000), ("305mm", 3050), ("4 1/2 in", 1143), (6, 1524), ("2ft", 6096)],
)
def test_lengths_are_read_as_people_write_them(text, tenths):
    assert length(text) == tenths


@pytest.mark.parametrize("text", ["12in, 8in", '12" 8"', "12 x 8", "304.8mm, 203.2mm", [12, 8], {"x": "12in", "y": 8}])
def test_places_are_read_in_many_ways(text):
    assert spot(text) == (305, 203)


@pytest.mark.parametrize("text", ["somewhere", "12in", "12in, north", "", None, [1, 2, 3]])
def test_what_is_no_place_is_refused(text):
    with pytest.raises(NotUnderstood):
        spot(text)


def test_headings_are_degrees_or_the_compass():
    assert [heading(one) for one in ("north", "NE", "90", "270°", 450, "south-west")] == [0, 45, 90, 270, 90, 225]


@given(st.integers(-400, 400), st.integers(-400, 400), st.integers(0, 30))
def test_a_way_is_shortened_only_by_what_rounding_added(dx, dy, spare):
    exact = -(-int((dx * dx + dy * dy) ** 0.5 * 1000) // 100)
    (end,) = snug((500, 500), [(500 + dx, 500 + dy)], max(0, exact - spare))
    assert abs(end[0] - 500 - dx) + abs(end[1] - 500 - dy) <= 3


def test_coordinates_are_rounded_to_the_nearest_millimetre():
    assert [position(one) for one in ("1in", "0.5mm", "10.04cm")] == [25, 1, 100]


# -- positions -----------------------------------------------------------------------------------------------


def test_the_same_table_in_millimetres():
    in_mm = BASE.replace("size: 48in", "lengths: mm\nsize: 48in").replace('"20in, 28in"', '"508, 711"')
    assert put(base=in_mm).state == put().state


def test_units_have_their_models_pins_experience_and_facing():
    found = put()
    first, tank, enemy = unit(found, "a1"), unit(found, "a2"), unit(found, "b1")
    assert (first["models_left"], first["pins"], first["order"]) == (5, 1, "")
    assert (tank["hull"]["heading"], tank["kind"]) == (0, "vehicle")
    assert (enemy["quality"], enemy["facing"], enemy["models_left"]) == ("veteran", 180, 6)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ('spots: ["20in, 28in", "22in, 28in"], models: 2', [[508, 711], [559, 711]]),
        ('place: "20in, 28in", formation: row, models: 2', [[508, 711], [537, 711]]),
        ('place: "20in, 28in", formation: column, models: 2', [[508, 711], [508, 740]]),
    ],
)
def test_models_stand_where_the_file_says(words, told):
    found = changed('place: "20in, 28in", models: 5', words)
    assert [[model["x"], model["y"]] for model in unit(found, "a1")["models"]] == told


def test_orders_tokens_buildings_and_transports():
    base = BASE.replace("turn: 2", "") + (
        '  a3: {card: united-states-m3-half-track, place: "40in, 28in", tokens: [immobilised], order: down}\n'
        "  a4: {card: united-states-bazooka-team, aboard: a3}\n"
        "  b2: {card: germany-sniper-team, inside: inn, floor: 1, order: ambush}\n"
        "  b3: {card: germany-wehrmacht-infantry-squad, status: reserve}\n"
    )
    found = put(base=base)
    assert unit(found, "a3")["tokens"] == ["down", "immobilised"]
    assert (unit(found, "a4")["status"], unit(found, "a4")["carrier"]) == ("aboard", "a3")
    assert (unit(found, "b2")["building"], unit(found, "b2")["order"]) == ("inn", "ambush")
    assert unit(found, "b3")["status"] == "reserve"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("size: 48in x 36in", "size: huge", "line 2: size: 'huge' is no place"),
        ("size: 48in x 36in", "size: 8in x 8in", "line 2: the position: the table is 8 x 8 inches; expected 24 to 120"),
        ("woods at", "wods at", "line 4: terrain 1: there is no terrain 'wods'; did you mean woods"),
        ("woods at 5in, 5in size 6in x 6in", "woods somewhere", "line 4: terrain 1: 'woods somewhere' is no terrain"),
        ("united-states-infantry-squad", "united-states-infantry-squat", "units a1 card: There is no konflikt47 card"),
        ('"20in, 28in"', '"90in, 28in"', "line 7: units a1 place: Infantry Squad (a1) would stand off the table"),
        ('"20in, 28in"', '"20in, 10in"', 'cannot stand there: less than 1" from Wehrmacht'),
        ('"20in, 28in"', '"32in, 8in"', "cannot stand there: nobody may stop on inn"),
        ("models: 5", "models: 0", "line 7: units a1 models: expected a whole number, 1 to 50"),
        ("pins: 1", "pinns: 1", "line 7: unknown key 'pinns' of units a1; did you mean pins"),
        ("pins: 1", "order: charge", "line 7: units a1 order: there is no order 'charge'"),
        ("pins: 1", "options: [bazooka gun]", "line 7: units a1 options: Infantry Squad has no option 'bazooka gun'"),
        ("facing: north", "facing: up", "line 8: units a2 facing: nobody can face 'up'"),
        ("facing: north", "tokens: [broken]", "line 8: units a2 tokens: there is no token 'broken'"),
        ("experience: veteran", "experience: elite", "line 9: units b1 experience: there is no experience 'elite'"),
        ('place: "20in, 10in", ', "", "line 9: units b1: 'place' is missing"),
        ("turn: 2", "phase: assault", "line 10: phase: there is no phase 'assault'"),
        ("turn: 2", "weather: mild", "line 10: unknown key 'weather'"),
        ("pins: 1}", "outflank: left}", "there is no table edge 'left'; expected one of north, south, east, west"),
    ],
)
def test_mistakes_are_told_with_their_line(old, new, sentence):
    assert sentence in wrong(old, new)


@pytest.mark.rule("k47.nation.scope")
@pytest.mark.parametrize("nation", ["Great Britain", "great-britain", "GREAT BRITAIN", "great_britain"])
def test_nations_count_in_any_spelling(nation):
    more = f"sides: [{{name: Blue, nation: {nation}}}, {{name: Red, nation: soviet-union}}]\n"
    units = prepare(read((BASE + more).encode(), "test.yaml")).session.state.units
    assert {unit.nation for unit in units if unit.side == 0} == {"Great Britain"}
    assert {unit.nation for unit in units if unit.side == 1} == {"Soviet Union"}


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ("sides: [{nation: Atlantis}, Red]\n", "there is no nation 'Atlantis'; expected one of Germany"),
        ("sides: [{nation: Brittain}, Red]\n", "did you mean Great Britain?"),
        ("sides: [{nation: United States, characteristic: rapid fir}, Red]\n", "did you mean Rapid Fire"),
    ],
)
def test_nations_and_characteristics_nobody_knows_are_refused(more, sentence):
    assert sentence in wrong(more=more)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("nation: Atlantis", "there is no nation 'Atlantis'"),
        ("rules: [Tuogh]", "there is no special rule 'Tuogh'; did you mean Tough"),
    ],
)
def test_cards_written_out_name_nations_and_rules_that_the_game_knows(words, sentence):
    card = f"{{name: Squad, kind: infantry, men: [{{count: 5, weapons: [Rifle]}}], {words}}}"
    assert sentence in wrong("united-states-infantry-squad", card)


def test_rules_on_cards_count_in_any_spelling():
    card = "{name: Squad, kind: infantry, men: [{count: 5, weapons: [Rifle]}], rules: [tough-fighters]}"
    file = BASE.replace("united-states-infantry-squad", card).encode()
    first = prepare(read(file, "test.yaml")).session.state.units[0]
    assert first.card.rules == ("Tough Fighters",)


# -- questions -----------------------------------------------------------------------------------------------


def ask(question: str, base: str = BASE) -> dict[str, Any]:
    found: dict[str, Any] = put(f"ask:\n  - {question}\n", base).to_json()["answers"][0]
    return found


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("sight: {from: a9, to: b1}", "there is no unit 'a9'"),
        ("sight: {from: a1}", "'to' is missing"),
        ("sihgt: {from: a1, to: b1}", "'sihgt' is no question the referee knows; did you mean sight"),
        ("reach: {unit: a1, order: fly}", "nobody moves by 'fly'"),
        ("reach: {unit: a1, to: over there}", "'over there' is no part of a way"),
        ("reach: {unit: a2, path: sideways 4in}", "'sideways 4in' is no manoeuvre"),
        ("facing: {from: a2, to: b1}", "is no vehicle, it has no facings"),
        ("odds: {attacker: a1, target: b1, weapon: lasers}", "has no weapon 'lasers'"),
        ("template: {shape: cloud, at: b1}", "there is no template 'cloud'"),
        ("morale: {unit: a1, order: attack}", "there is no order 'attack'"),
    ],
)
def test_questions_nobody_understands_are_told_with_their_line(question, sentence):
    told = wrong(more=f"ask:\n  - {question}\n")
    assert sentence in told and told.startswith("line 12:")


@pytest.mark.rule("k47.order.test_mods", "k47.order.test_when")
def test_morale_counts_pins_and_needs_no_test_without_them():
    pinned, free = ask("morale: {unit: a1, order: fire}"), ask("morale: {unit: a2, order: fire}")
    assert (pinned["needed"], pinned["test"]) == (8, True)
    assert (free["test"], free["chance"], free["fubar"]) == (False, 1.0, 0.0)


@pytest.mark.rule("k47.game.victory")
def test_objectives_are_held_by_infantry_near_them():
    base = BASE + 'objectives:\n  - {id: ford, at: "20in, 27in", points: 3}\n  - {id: hill, at: "2in, 2in"}\n'
    found = ask("objectives", base)
    assert [one["holder"] for one in found["objectives"]] == [0, None]
    assert found["score"] == [3, 0]


@pytest.mark.rule("k47.shoot.arcs")
def test_weapons_tell_why_they_cannot_be_used():
    base = BASE.replace("facing: north}", "facing: south}")
    found = {one["weapon"]: one for one in ask("weapons: {from: a2, to: b1}", base)["weapons"]}
    hull = found["Hull-Mounted Forward-Facing MMG"]
    assert not hull["usable"] and "outside its arc" in hull["text"]
    assert found["Coaxial MMG"]["usable"]


# -- choices -------------------------------------------------------------------------------------------------


def test_the_cup_is_drawn_from_the_script_and_moves_are_told_in_words():
    found = put(
        "do:\n  - {unit: a1, dice: [blue]}\n  - {order: advance, dice: [3, 3]}\n  - move: 6in north\n  - target: none\n"
    )
    first = unit(found, "a1")
    assert first["models"][0] == {"x": 508, "y": 711 - 152, "base": 25, "name": "soldier", "role": "leader"}
    assert (first["order"], first["pins"]) == ("advance", 0)
    assert found.decision["shape"] == "dice"


def test_a_way_of_exactly_the_rate_is_legal_whatever_rounding_did():
    steps = "- {order: advance, dice: [3, 3]}\n  - move: 20in, 22in\n  - target: none\n"
    found = put(f"do:\n  - {{unit: a1, dice: [blue]}}\n  {steps}")
    assert unit(found, "a1")["models"][0]["y"] == 559


@pytest.mark.parametrize(
    ("steps", "sentence"),
    [
        ("- {unit: a1, dice: [red]}", "is not among the legal answers"),
        ("- {unit: a1, dice: [7]}", "the order cup has no face '7'; its faces are blue, red"),
        ("- unit: a1", "scripted dice are missing"),
        ("- {unit: a2, dice: [blue, 3]}", "left over: 3"),
        ("- {unit: a2, dice: [blue]}\n  - order: advance\n  - move: forward 20in", "more than 9"),
        ("- {unit: a2, dice: [blue]}\n  - order: advance\n  - move: upwards", "'upwards' is no manoeuvre"),
    ],
)
def test_choices_that_are_not_legal_change_nothing_and_are_told_why(steps, sentence):
    assert sentence in wrong(more=f"do:\n  {steps}\n")


def test_a_gun_is_told_its_round_by_name():
    base = BASE.replace("turn: 2", "") + (
        '  a3: {card: united-states-57mm-anti-tank-gun, place: "12in, 28in", facing: north}\n'
    )
    for words, told in (("HE", "HE"), ("AT round", None), ("AT", "AT")):
        steps = f"do:\n  - {{unit: a3, dice: [blue]}}\n  - order: fire\n  - target: b1\n  - weapons: {words}\n"
        if told is None:
            with pytest.raises(RefereeError):
                put(steps, base)
            continue
        shots = [one.event["shots"] for one in put(steps, base).events if one.event["kind"] == "Declared"]
        assert shots[0][0][2] == told
