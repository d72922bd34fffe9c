"""Slips of the pen in case files: a word that nobody knows is an error, and never makes an expectation hold."""

from __future__ import annotations

import re

import pytest

from dieselfront import rulesets
from dieselfront.referee.cases import check_file
from dieselfront.referee.contract import REFEREE, adaptor_for
from dieselfront.referee.vocabulary import decision_keys, event_kinds, rule_ids
from dieselfront.rulebook import head

BASES = {
    "dust1947": """\
size: 12x10
units:
  a1: {card: allies-ranger-recon-squad, place: D3}
  b1: {card: axis-sturmgrenadier-recon-squad, place: G3}
turn: blue
""",
    "freeform1947": """\
size: 36in x 28in
units:
  a1: {card: allies-ranger-recon-squad, place: "12in, 10in"}
  b1: {card: axis-sturmgrenadier-recon-squad, place: "20in, 10in"}
turn: blue
""",
    "battlefield": """\
size: 120cm x 90cm
units:
  a1: {card: allies-recon-boys, place: "50, 70"}
  b1: {card: axis-stormtroopers, place: "50, 40"}
turn: blue
""",
    "konflikt47": """\
size: 48in x 36in
units:
  a1: {card: united-states-infantry-squad, place: "20in, 28in", models: 8, pins: 1}
  b1: {card: germany-panzer-iv, place: "20in, 10in", facing: south}
turn: 2
""",
    "warfare": """\
size: 48in x 36in
units:
  a1:
    card: {name: Rifles, models: 5, weapons: [{name: Rifle, range: 16, count: 5, vs: {S: 1/1}}]}
    side: blue
    place: "12in, 24in"
  b1: {card: axis-stormtroopers, place: "12in, 14in", facing: south}
phase: unit
active: blue
""",
}
OFF_THE_TABLE = {
    "dust1947": ("D3", "Z9"),
    "freeform1947": ("12in, 10in", "99in, 10in"),
    "battlefield": ("50, 70", "500, 70"),
    "konflikt47": ("20in, 28in", "99in, 28in"),
    "warfare": ("12in, 24in", "99in, 24in"),
}
BEGUN = {
    **dict.fromkeys(("dust1947", "freeform1947", "battlefield"), "{activate: a1}"),
    "konflikt47": "{unit: a1, dice: [blue]}",
    "warfare": "{activate: a1}",
}
NEXT = {
    **dict.fromkeys(("dust1947", "freeform1947", "battlefield", "warfare"), "actions"),
    "konflikt47": "order",
}
EXPECTS = "expect: {units: {a1: {gone: no}}}\n"
GAMES = tuple(REFEREE.games())


def why(ruleset: str, more: str, base: str = "") -> str:
    """Why a case does not hold; nothing if it does."""
    ((_, reason),) = check_file(f"ruleset: {ruleset}\n{base or BASES[ruleset]}{more}".encode(), "case.yaml")
    return reason


def begun(ruleset: str, more: str) -> str:
    """Why a case does not hold that begins with a unit's activation."""
    return why(ruleset, f"do:\n  - {BEGUN[ruleset]}\n{more}")


def test_every_game_is_looked_at():
    assert set(BASES) == set(GAMES) <= set(rulesets.names())


@pytest.mark.parametrize("ruleset", GAMES)
def test_the_cases_hold_without_a_slip(ruleset: str) -> None:
    assert not begun(ruleset, EXPECTS)


# -- events -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", GAMES)
@pytest.mark.parametrize("key", ["events", "no_events", "sequence"])
def test_events_by_rules_kinds_and_fields_nobody_knows_are_refused(ruleset: str, key: str) -> None:
    def told(event: str) -> str:
        return begun(ruleset, f"expect:\n  {key}:\n    - {event}\n")

    prefix = head(ruleset).prefix
    line = BASES[ruleset].count("\n") + 6
    assert told(f"{prefix}.no.such").startswith(f"line {line}: expect {key} 1: there is no rule '{prefix}.no.such'")
    assert "did you mean TurnBegan" in told("TurnBegn")
    assert "did you mean TurnBegan" in told("{kind: TurnBegn}")
    assert "an event TurnBegan has no field 'trun'; did you mean turn" in told("{kind: TurnBegan, trun: 9}")
    assert "no event has a field 'quack'" in told("{quack: 9}")
    assert f"there is no rule '{prefix}.no.such'" in told(f"{{kind: TurnBegan, rule: {prefix}.no.such}}")


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_rule_nearly_spelt_right_is_suggested(ruleset: str) -> None:
    rule = sorted(rule_ids(ruleset))[0]
    assert rule in why(ruleset, f"expect: {{no_events: [{rule}x]}}\n").partition("did you mean")[2]


@pytest.mark.parametrize("ruleset", GAMES)
def test_events_that_must_not_happen_are_spelt_as_the_game_spells_them(ruleset: str) -> None:
    assert "nobody knows 'quack'" in why(ruleset, "expect: {no_events: [a1 goes quack]}\n")
    assert "nobody knows 'b9'" in why(ruleset, "expect: {no_events: [{kind: Moved, unit: b9}]}\n")
    assert "nobody knows 'quack'" in why(ruleset, "expect: {events: [{kind: Rolled, label: quack, times: 0}]}\n")
    for kind in event_kinds(ruleset):
        assert not why(ruleset, f"expect: {{no_events: [{{kind: {kind}}}]}}\n")


def test_a_name_with_two_capitals_is_no_kind_of_event() -> None:
    named = BASES["warfare"].replace("name: Rifles", "name: StuG")
    assert "no event StuG" in why("warfare", "expect: {events: [StuG]}\n", named)


# -- tokens, states, decisions, rules -----------------------------------------------------------------


@pytest.mark.parametrize("ruleset", GAMES)
@pytest.mark.parametrize("fact", ["tokens: {lacks: stuned}", "tokens: {not: [supressed]}", "status: {not: bord}"])
def test_words_of_closed_lists_are_looked_up(ruleset: str, fact: str) -> None:
    for expected in (f"units: {{a1: {{{fact}}}}}", f"state: {{units.1.{fact}}}"):
        assert "there is no '" in why(ruleset, f"expect: {{{expected}}}\n")


@pytest.mark.parametrize("ruleset", GAMES)
def test_every_token_of_a_game_can_be_expected(ruleset: str) -> None:
    for path, words in adaptor_for(ruleset).fact_words().items():
        for word in words:
            reason = why(ruleset, f"expect: {{units: {{a1: {{{path}: {{lacks: {word}}}}}}}}}\n")
            assert "there is no" not in reason, (path, word)


@pytest.mark.parametrize("ruleset", GAMES)
def test_what_must_be_missing_from_an_answer_is_spelt_right(ruleset: str) -> None:
    question = "ask: [{range: {from: a1, to: b1}, expect: {rules: {lacks: %s}, text: {lacks: %s}}}]\n"
    assert not why(ruleset, question % (sorted(rule_ids(ruleset))[0], "cover"))
    assert "there is no rule" in why(ruleset, question % (f"{head(ruleset).prefix}.no.such", "cover"))
    assert "nobody knows 'cuver'" in why(ruleset, question % (sorted(rule_ids(ruleset))[0], "cuver"))


@pytest.mark.parametrize("ruleset", GAMES)
def test_decisions_are_those_a_game_asks(ruleset: str) -> None:
    key = next(key for key in decision_keys(ruleset) if key.isalpha())
    assert "never asks 'quack'" in why(ruleset, "expect: {decision: {key: {not: quack}}}\n")
    assert "never asks 'quack'" in why(ruleset, "expect: {decision: quack}\n")
    assert "there is no shape 'pick-won'; did you mean" in why(
        ruleset, "expect: {decision: {shape: {not: pick-won}}}\n"
    )
    assert not why(ruleset, f"expect: {{decision: {{key: {{not: {key}}}}}}}\n".replace("activate", "move"))


@pytest.mark.parametrize("ruleset", GAMES)
def test_defaults_answer_decisions_of_the_game_in_words_that_can_be_read(ruleset: str) -> None:
    key = next(key for key in decision_keys(ruleset) if key.isalpha() and len(key) > 4)
    assert not why(ruleset, f"defaults: {{{key}: first}}\n{EXPECTS}")
    assert not why(ruleset, f"defaults: {{{key}: none}}\n{EXPECTS}")
    slip = key[:-2] + key[-1]
    assert f"never asks '{slip}'; did you mean" in why(ruleset, f"defaults: {{{slip}: first}}\n{EXPECTS}")
    assert "'nome' can never be an answer" in why(ruleset, f"defaults: {{{key}: nome}}\n{EXPECTS}")


@pytest.mark.parametrize("ruleset", GAMES)
def test_the_rules_a_case_is_about_exist(ruleset: str) -> None:
    known = sorted(rule_ids(ruleset))[0]
    assert not why(ruleset, f"rules: [{known}]\n{EXPECTS}")
    assert f"there is no rule '{known}x'" in why(ruleset, f"rules: [{known}, {known}x]\n{EXPECTS}")
    line = BASES[ruleset].count("\n") + 2
    assert why(ruleset, f"rules: {known}x\nrefused: yes\n").startswith(f"line {line}: rules: there is no rule")


# -- what cannot be read is not refused ---------------------------------------------------------------


@pytest.mark.parametrize("ruleset", GAMES)
def test_only_readable_words_can_be_illegal(ruleset: str) -> None:
    def told(answer: str) -> str:
        return begun(ruleset, f"expect: {{decision: {{illegal: [{answer}]}}}}\n")

    for slip in ("sustianed", "atack + move", "Rifel at b1", "Rifle at b9", "{answer: quack, rule: x.y}"):
        assert "nobody knows '" in told(slip), slip
    assert not told("b1")
    assert "unknown key 'rull'" in told("{answer: b1, rull: x}")


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_step_that_cannot_be_read_is_not_refused(ruleset: str) -> None:
    key = NEXT[ruleset]
    assert not begun(ruleset, f"  - {{{key}: b1, refused: yes}}\n{EXPECTS}")
    assert "nobody knows 'quack'" in begun(ruleset, f"  - {{{key}: quack, refused: yes}}\n{EXPECTS}")
    assert "never asks 'acton'" in begun(ruleset, f"  - {{acton: b1, refused: yes}}\n{EXPECTS}")
    assert "quack cannot be read" in begun(ruleset, f"  - {{move: quack, refused: yes}}\n{EXPECTS}")
    shooting = next(key for key in ("declare", "weapons") if key in decision_keys(ruleset))
    assert "nobody knows 'rifel'" in begun(ruleset, f"  - {{{shooting}: Rifel at b1, refused: yes}}\n{EXPECTS}")
    assert "there is no rule" in begun(
        ruleset, f"  - {{{key}: b1, refused: {head(ruleset).prefix}.no.such}}\n{EXPECTS}"
    )


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_decision_that_does_not_come_is_refused_if_it_is_one(ruleset: str) -> None:
    assert not begun(ruleset, f"  - {{move: none, refused: cannot be answered now}}\n{EXPECTS}")


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_question_about_nobody_is_not_refused(ruleset: str) -> None:
    for question in (
        "sight: {from: a1, to: b9}",
        "reach: {unit: b9}",
        "weapons: {from: b9, to: a1}",
        "sigth: {from: a1}",
    ):
        reason = why(ruleset, f"ask: [{{{question}, refused: yes}}]\n")
        assert "there is no unit 'b9'" in reason or "'sigth' is no question" in reason, question
    assert "unknown key 'form'" in why(ruleset, "ask: [{sight: {form: a1, to: b1}, refused: yes}]\n")
    assert "no weapon 'Rifel'" in why(ruleset, "ask: [{arc: {unit: b1, weapon: Rifel, to: a1}, refused: yes}]\n")


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_position_that_cannot_be_read_is_not_refused(ruleset: str) -> None:
    base = BASES[ruleset]
    for slip, message in (
        (base.replace("units:", "uints:"), "unknown key 'uints'"),
        (base.replace("b1: {card: ", "b1: {card: no-such-"), "no-such-"),
        (base.replace("place:", "palce:", 1), "unknown key 'palce'"),
    ):
        reason = why(ruleset, "refused: yes\n", slip)
        assert message in reason and "this is a mistake of the file" in reason


@pytest.mark.parametrize("ruleset", GAMES)
def test_an_impossible_position_is_refused(ruleset: str) -> None:
    place, beyond = OFF_THE_TABLE[ruleset]
    assert not why(ruleset, "refused: yes\n", BASES[ruleset].replace(place, beyond, 1))
    enemy_there = re.sub(r"(b1: .*place: )(\"[^\"]*\"|\w+)", rf'\1"{place}"', BASES[ruleset])
    assert not why(ruleset, "refused: yes\n", enemy_there)
