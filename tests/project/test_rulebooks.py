"""The rulebooks: complete, consistent, and written for players."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
import yaml

from dieselfront import rulebook
from dieselfront.rulebook.search import wanted_words

PREFIXES = {
    "battlefield": "bf",
    "dust1947": "d47",
    "freeform1947": "ff",
    "konflikt47": "k47",
    "warfare": "dw",
}
ABOUT_SOURCES = re.compile(
    r"\bgst\b|bsdata|communit|https?:|www\.|\.com\b|\.net\b|blog|scribd|heimatt|\bOCR\b|data file|checklist"
    r"|\bseed (says|texts?|table|line)|misprints|excerpt|transcript|not implemented|\bengine (asks|needs)",
    re.IGNORECASE,
)


def all_rules() -> list[rulebook.Rule]:
    return [rule for name in rulebook.names() for rule in rulebook.load(name).rules]


def test_there_is_a_rulebook_for_each_of_the_five_games():
    assert {name: rulebook.head(name).prefix for name in rulebook.names()} == PREFIXES


@pytest.mark.parametrize("name", PREFIXES)
def test_every_rule_of_the_checklist_is_in_the_rulebook(name: str, shared: Path):
    checklist = yaml.load((shared / "rules" / f"{name}.yaml").read_text(), Loader=yaml.CSafeLoader)
    assert rulebook.ids(name) == tuple(entry["id"] for entry in checklist)


@pytest.mark.parametrize("name", PREFIXES)
def test_ids_are_unique_and_bear_the_prefix_of_their_book(name: str):
    ids = rulebook.ids(name)
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(rf"{PREFIXES[name]}(\.[a-z0-9_]+)+", id) for id in ids)


@pytest.mark.parametrize("name", PREFIXES)
def test_reading_the_ids_alone_finds_the_same_as_reading_the_book(name: str):
    assert rulebook.load(name).ids == rulebook.ids(name)


def test_every_rule_has_a_title_and_a_text():
    assert [rule.id for rule in all_rules() if not rule.title.strip() or not rule.text.strip()] == []


def test_every_designers_note_tells_its_question_and_its_reason():
    assert [rule.id for rule in all_rules() if rule.is_ruling and not (rule.problem and rule.why)] == []


def test_every_rule_named_in_another_exists():
    known = set(rulebook.all_ids())
    strangers = {(rule.id, other) for rule in all_rules() for other in rule.see_also if other not in known}
    named = re.compile(r"\b(?:d47|ff|bf|dw|k47)(?:\.[a-z0-9_]+){2,}")
    for rule in all_rules():
        told = " ".join((rule.text, rule.note, rule.example, rule.problem, rule.why))
        strangers |= {(rule.id, other) for other in named.findall(told) if other not in known and "_*" not in told}
    assert strangers == set()


def test_a_rulebook_speaks_to_players_and_not_of_where_it_was_found():
    told = {rule.id: msgspec.json.encode(rule).decode() for rule in all_rules()}
    told = {id: re.sub(r"\b(?:d47|ff|bf|dw|k47)(?:\.[a-z0-9_]+)+", "", text) for id, text in told.items()}
    assert {id: found.group() for id, text in told.items() if (found := ABOUT_SOURCES.search(text))} == {}


def test_a_rule_is_found_whichever_book_holds_it():
    assert rulebook.find("d47.turn.pass").title == "Passing"
    assert rulebook.find("k47.core.dice").chapter == "core"


def test_an_unknown_rule_is_refused():
    with pytest.raises(rulebook.UnknownRule, match=r"d47\.turn\.nothing_such"):
        rulebook.find("d47.turn.nothing_such")


def test_freeform_inherits_what_it_does_not_replace():
    book = rulebook.load("freeform1947")
    inherited = {rule.id for rule in book.inherited}
    assert "d47.turn.pass" in inherited
    assert "d47.move.diagonal_cost" not in inherited
    assert book["d47.turn.pass"].title == "Passing"


def test_what_a_variant_replaces_exists_in_both_books():
    head = rulebook.head("freeform1947")
    assert set(head.superseded) <= set(rulebook.ids(head.inherits))
    assert set(head.superseded.values()) <= set(rulebook.ids("freeform1947"))


def test_battlefield_stands_on_its_own():
    assert rulebook.head("battlefield").inherits == ""
    assert rulebook.load("battlefield").inherited == ()


@pytest.mark.parametrize("name", PREFIXES)
def test_options_have_different_names_and_at_least_two_choices(name: str):
    options = rulebook.load(name).options
    assert len({option.name for option in options}) == len(options)
    assert all(len(option.choices) >= 2 and option.choice(option.default) for option in options)


def test_the_first_options_are_all_there(shared: Path):
    named = re.findall(r"`([a-z0-9]+\.[a-z0-9_.]+)`", (shared / "rules" / "OPTIONS.md").read_text())
    assert [id for id in named if rulebook.find(id).option is None] == []


def test_freeform_offers_the_options_of_dust_1947_too():
    own = {option.name for option in rulebook.load("freeform1947").options}
    assert {"critical_destroyed", "area_through"} <= own


def test_a_search_puts_the_rule_of_that_name_first():
    assert rulebook.search("passing", all_rules())[0].id in {"d47.turn.pass", "bf.turn.pass"}
    assert rulebook.search("suppression recovery", all_rules())[0].id.startswith("d47.")


def test_a_search_wants_all_words_and_settles_for_some():
    strict = rulebook.search("march reaction", all_rules())
    assert all("march" in msgspec.json.encode(rule).decode().lower() for rule in strict)
    assert rulebook.search("march xyzzy", all_rules())
    assert rulebook.search("xyzzy", all_rules()) == []


@pytest.mark.parametrize(
    "game, words, title",
    [
        ("konflikt47", "overwatch", "ambush"),
        ("dust1947", "overwatch", "react"),
        ("dust1947", "supressed", "suppressed"),
        ("dust1947", "how many actions does a suppressed unit have?", "suppressed units lose an action"),
        ("dust1947", "infantery cover", "infantry cover save"),
        ("dust1947", "retaliaton", "retaliation"),
        ("dust1947", "can I shoot through smoke?", "smoke"),
        ("warfare", "melee", "close combat"),
    ],
)
def test_a_search_forgives_slips_words_of_other_games_and_questions(game: str, words: str, title: str) -> None:
    assert title in rulebook.search(words, rulebook.load(game).rules)[0].title.lower()


def test_words_of_a_question_alone_are_still_looked_for() -> None:
    assert wanted_words("what is it") == [("what",), ("is",), ("it",)]
    assert wanted_words("line of sight") == [("line",), ("sight",)]
    assert wanted_words("saving throw") == [("save", "armor roll")]
