"""What is lopsided: the kept figures are those of docs/balance.md, of things that exist, and are told in words."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from dieselfront import rulesets
from dieselfront.forces.armies import starter_armies
from dieselfront.lab import balance as lab
from dieselfront.scenarios import balance, battle, library

DOCS = Path(__file__).resolve().parents[2] / "docs" / "balance.md"
HEAD = "| | games | won | drawn | share | 95 % interval | verdict |\n| --- | --- | --- | --- | --- | --- | --- |"
GAMES = [name for name in rulesets.names() if balance.measured(name)]
"""A new game may be added before anybody has measured it."""


def figures(ruleset: str) -> balance.Measured:
    kept = balance.measured(ruleset)
    assert kept is not None
    return kept


def shares(ruleset: str) -> list[balance.Share]:
    kept = figures(ruleset)
    return [*kept.armies, *kept.scenarios, kept.first_player]


def a_share(won: int, lost: int, drawn: int = 0, name: str = "x") -> balance.Share:
    counted = lab.share_of(name, [1.0] * won + [0.0] * lost + [None] * drawn)
    return balance.Share(**{field: getattr(counted, field) for field in counted.__struct_fields__})


def row(name: str, share: balance.Share) -> str:
    interval = f"{share.low:.0%} – {share.high:.0%}"
    return (
        f"| {name} | {share.games} | {share.won} | {share.drawn} | {share.share:.0%} | {interval} | {share.verdict} |"
    )


def section(ruleset: str) -> str:
    """The part of docs/balance.md about a game, as its figures want it."""
    kept, rules, armies = figures(ruleset), rulesets.load(ruleset), starter_armies()
    pairs = len(list(combinations(kept.armies, 2))) * len(kept.scenarios)
    rows = [row(f"**{armies[one.name].name}** (`{one.name}`)", one) for one in kept.armies]
    rows += [row(f"{library.find(one.name, ruleset)['name']}, {rules.sides[0]}", one) for one in kept.scenarios]
    rows += [row(kept.first_player.name, kept.first_player)]
    top = f"{kept.games} games of rules {kept.version}, `-n {kept.games // pairs}`, digest `{kept.digest[:12]}`."
    return "\n".join([f"### {rules.name}", "", top, "", HEAD, *rows])


@pytest.mark.parametrize("ruleset", GAMES)
def test_every_army_and_scenario_of_the_figures_exists(ruleset: str):
    kept = figures(ruleset)
    assert kept.ruleset == ruleset and kept.armies and kept.scenarios
    assert {one.name for one in kept.armies} <= set(battle.starters(ruleset))
    assert {one.name for one in kept.scenarios} <= set(library.names(ruleset))


@pytest.mark.parametrize("ruleset", GAMES)
def test_shares_intervals_and_verdicts_follow_from_the_counts(ruleset: str):
    for kept in shares(ruleset):
        assert kept == a_share(kept.won, kept.games - kept.won - kept.drawn, kept.drawn, kept.name)


@pytest.mark.parametrize("ruleset", GAMES)
def test_the_document_shows_the_kept_figures(ruleset: str):
    name = re.escape(rulesets.load(ruleset).name)
    shown = re.search(rf"^### {name}\n.*?(?=^### |\Z)", DOCS.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert shown is not None and shown[0].strip() == section(ruleset)


def test_the_document_shows_no_other_game():
    titles = re.findall(r"^### (.*)$", DOCS.read_text("utf-8"), re.MULTILINE)
    assert sorted(titles) == sorted(rulesets.load(name).name for name in GAMES)


@pytest.mark.parametrize("ruleset", GAMES)
def test_words_are_found_for_what_is_lopsided_and_for_nothing_else(ruleset: str):
    kept, low, high = figures(ruleset), *lab.FAIR
    for one in kept.armies:
        note = balance.army_note(ruleset, one.name)
        assert (note.short if note else "") == ("strong" if one.low > high else "weak" if one.high < low else "")
    for one in kept.scenarios:
        note = balance.scenario_note(ruleset, one.name)
        assert (note.side if note else None) == (0 if one.low > high else 1 if one.high < low else None)


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_pairing_is_uneven_if_the_intervals_of_its_armies_lie_apart(ruleset: str):
    for one, other in combinations(figures(ruleset).armies, 2):
        text = balance.pairing_note(ruleset, one.name, other.name)
        assert text == balance.pairing_note(ruleset, other.name, one.name)
        if text:
            assert one.low > other.high or other.low > one.high
            assert all(starter_armies()[army.name].name in text for army in (one, other))


def kept_for(monkeypatch: pytest.MonkeyPatch, *armies: balance.Share, scenario: balance.Share | None = None) -> None:
    first = a_share(10, 10, name="whoever acts first")
    kept = balance.Measured("dust1947", "2", "veteran", "1", 96, (scenario,) if scenario else (), first, armies, "0")
    monkeypatch.setattr(balance, "measured", lambda _: kept)


def test_a_force_is_told_with_its_share_its_games_and_their_interval(monkeypatch: pytest.MonkeyPatch):
    kept_for(monkeypatch, a_share(71, 25, name="dust1947-ssu"), a_share(20, 60, 16, name="dust1947-axis"))
    strong, weak = (balance.army_note("dust1947", army) for army in ("dust1947-ssu", "dust1947-axis"))
    assert strong and strong.text == "Won 74 % of 96 games between equal players (64–82 %): strong for its points."
    assert weak and weak.text == "Won 25 % of 80 decided games between equal players (17–35 %): weak for its points."


def test_an_army_that_met_others_of_another_size_is_not_compared_by_points(monkeypatch: pytest.MonkeyPatch):
    """One that loses to larger ones is not called weak for its points; one that beats them is strong for them."""
    kept_for(
        monkeypatch,
        a_share(20, 80, name="warfare-starter-axis"),
        a_share(80, 20, name="warfare-starter-ssu"),
        a_share(80, 20, name="warfare-ssu"),
    )
    notes = [balance.army_note("warfare", f"warfare-{army}") for army in ("starter-axis", "starter-ssu", "ssu")]
    ends = [note.text.rpartition(": ")[2] for note in notes if note]
    assert ends == [
        "weak among the starter armies, some of which are larger.",
        "strong for its points.",
        "strong among the starter armies, some of which are smaller.",
    ]


def test_a_scenario_is_told_with_the_side_it_favours(monkeypatch: pytest.MonkeyPatch):
    kept_for(monkeypatch, scenario=a_share(2, 10, name="crossroads"))
    note = balance.scenario_note("dust1947", "crossroads")
    text = "Blue won 17 % of 12 games between equal players (5–45 %): favours red."
    assert note == balance.Note("favours red", text, side=1)


def test_two_weak_armies_may_be_an_even_match(monkeypatch: pytest.MonkeyPatch):
    weak = [a_share(30, 70, name="dust1947-allies"), a_share(32, 68, name="dust1947-axis")]
    kept_for(monkeypatch, *weak, a_share(80, 20, name="dust1947-ssu"))
    assert [pair.armies for pair in balance.pairings("dust1947")] == [
        ("dust1947-allies", "dust1947-ssu"),
        ("dust1947-axis", "dust1947-ssu"),
    ]
    assert balance.pairing_note("dust1947", "dust1947-ssu", "dust1947-axis") == (
        "An uneven match: between equal players, Koshka's Vanguard won 80 % of its games, Sturmgruppe Manfred 32 %. "
        "The more experienced player might take Sturmgruppe Manfred."
    )


def test_a_game_that_nobody_measured_and_lists_of_ones_own_have_no_words():
    assert balance.measured("chess") is None and balance.pairings("chess") == []
    assert balance.army_note("dust1947", "random:1") is None and balance.scenario_note("dust1947", "random:1") is None
    assert balance.pairing_note("dust1947", "dust1947-ssu", "random:1") == ""
