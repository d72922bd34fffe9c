"""`referee` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_answers_and_events_are_printed_with_their_rules(dieselfront):
    code, out, err = dieselfront("referee", EXAMPLES / "attack.yaml", "--board")
    assert (code, err) == (0, "")
    assert "d47.reactive.roll" in out and "Expected: 1.67 hits" in out and "a1" in out


def test_json_has_the_promised_keys(dieselfront):
    code, out, _ = dieselfront("referee", EXAMPLES / "close-combat.yaml", "--json")
    assert code == 0
    assert set(json.loads(out)) >= {"answers", "events", "state", "decision"}


def test_the_position_is_drawn(dieselfront, tmp_path):
    drawing = tmp_path / "x.svg"
    code, out, _ = dieselfront("referee", EXAMPLES / "reach-tank.yaml", "--svg", drawing)
    assert code == 0 and str(drawing).split("/")[-1] in out.replace("\n", "")
    ElementTree.parse(drawing)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("ruleset: dust1947\nsize: 3x3\nunits: [{card: nobody, side: blue, place: A1}]\n", "Line 3: units 1 card"),
        ("ruleset: dust1947\nsize: 3x3\nfoo: 1\n", "Line 3: unknown key 'foo'"),
        ("ruleset: dust1947\nsize: 3x3\nphase: turn\ndice: [HEADS]\n", "Line 4: "),
    ],
)
def test_mistakes_are_one_sentence_with_the_line_and_nothing_is_written(dieselfront, tmp_path, text, sentence):
    file, drawing = tmp_path / "x.yaml", tmp_path / "x.svg"
    file.write_text(text)
    code, out, err = dieselfront("referee", file, "--svg", drawing)
    assert (code, out) == (2, "")
    assert sentence in err and err.count("\n") == 1
    assert not drawing.exists()


def test_a_missing_file_is_told(dieselfront, tmp_path):
    code, _, err = dieselfront("referee", tmp_path / "none.yaml")
    assert code == 2 and "cannot be read" in err


@pytest.mark.parametrize("name", ["referee", "records", "scenarios"])
def test_every_format_has_a_schema(dieselfront, name):
    code, out, _ = dieselfront("schema", name)
    assert code == 0
    assert json.loads(out)


def test_the_examples_fit_the_schema_key_by_key():
    import yaml

    from dieselfront.referee.schema import schema

    known = schema()["properties"]
    for file in EXAMPLES.glob("*.yaml"):
        plain = yaml.safe_load(file.read_text())
        assert set(plain) <= set(known)
        units = plain["units"]
        for unit in units.values() if isinstance(units, dict) else units:
            assert set(unit) <= set(known["units"]["anyOf"][0]["items"]["properties"])


def test_a_folder_of_cases_is_checked(dieselfront, tmp_path):
    code, out, _ = dieselfront("referee", "check", EXAMPLES / "cases", "--json")
    report = json.loads(out)
    assert code == 0 and report["cases"] == report["held"] >= 8 and report["failed"] == []
    bad = "ruleset: dust1947\ntitle: never\nsize: 3x3\nexpect: {state: {turn: 7}}\n"
    (tmp_path / "bad.yaml").write_text(bad)
    code, out, _ = dieselfront("referee", "check", tmp_path)
    assert code == 1 and "bad.yaml: never" in out and "turn is 1, expected 7" in out
    assert "1 case, 0 held, 1 failed" in out
    code, out, _ = dieselfront("referee", tmp_path / "bad.yaml")
    assert code == 1 and "Not as expected" in out


def test_check_wants_a_folder_of_cases(dieselfront, tmp_path):
    code, out, err = dieselfront("referee", "check", tmp_path)
    assert (code, out) == (2, "") and "holds no case files" in err
    code, _, err = dieselfront("referee", "check", tmp_path / "nowhere")
    assert code == 2 and "does not exist" in err
    code, _, err = dieselfront("referee", "check")
    assert code == 2 and "expected a folder of case files" in err
