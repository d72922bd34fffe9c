"""`dieselfront cards` and `dieselfront army`: what they print, and how they refuse."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dieselfront import cli
from dieselfront.forces.armies import starter_armies
from dieselfront.scenarios.balance import army_note

FILES = Path(__file__).parent / "files"
UNKNOWN = "great-britain-machine-gun-team"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line; returns the exit code, stdout and stderr."""

    def call(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["dieselfront", *words])
        code = 0
        try:
            cli.main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return call


def document(run: Run, *words: str) -> Any:
    code, out, _ = run(*words, "--json")
    assert code == 0
    return json.loads(out)


def test_cards_list_has_every_card_with_the_promised_keys(run: Run) -> None:
    rows = document(run, "cards", "list")
    assert len(rows) >= 333 + 573
    assert {"id", "name", "ruleset", "points"} <= set(rows[0])


def test_cards_list_narrows_by_words_side_and_kind(run: Run) -> None:
    rows = document(run, "cards", "list", "recon", "--ruleset", "dust1947", "--side", "axis", "--kind", "infantry")
    assert [row["id"] for row in rows] == ["axis-grenadier-recon-squad", "axis-sturmgrenadier-recon-squad"]


def test_cards_show_tells_the_card(run: Run) -> None:
    card = document(run, "cards", "show", "allies-pounder")
    assert (card["id"], card["points"], card["armour"]) == ("allies-pounder", 13, 4)
    code, out, _ = run("cards", "show", "germany-officer")
    assert code == 0 and "regular 50 (4+)" in out


def test_cards_show_flags_rules_nobody_knows(run: Run) -> None:
    assert document(run, "cards", "show", UNKNOWN)["unknown_rules"] == ["Machine Gun Team"]
    assert "without effect: Machine Gun Team" in run("cards", "show", UNKNOWN)[1]
    assert document(run, "cards", "show", "axis-geist")["unknown_rules"] == []


def test_an_unknown_card_is_one_sentence_and_exit_2(run: Run) -> None:
    code, out, err = run("cards", "show", "allies-pownder")
    assert code == 2 and out == "" and "allies-pounder" in err and err.count("\n") == 1


def test_cards_check_tells_file_card_and_field(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text('{"ruleset": "dust1947", "cards": [{"id": "allies-pounder", "points": "many"}]}')
    code, out, _ = run("cards", "check", str(path), "--json")
    told = json.loads(out)
    assert code == 2 and told["ok"] is False
    assert told["errors"][0] | {"message": ""} == {
        "file": "mine.json",
        "card": "allies-pounder",
        "field": "points",
        "message": "",
    }
    path.write_text('{"ruleset": "dust1947", "cards": [{"id": "allies-pounder", "points": 12}]}')
    assert document(run, "cards", "check", str(path))["ok"] is True


def test_cards_compare_counts_differences(run: Run) -> None:
    told = document(run, "cards", "compare", str(FILES / "mini_dust.gst"), str(FILES / "mini_moon.cat"))
    assert told["cards"] == 4 and len(told["unexplained"]) == 4


def test_army_import_reports_units_unmatched_and_warnings(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "list.yaml"
    told = document(run, "army", "import", str(FILES / "roster.ros"), "-o", str(out))
    assert len(told["units"]) == 4 and told["unmatched"][0]["name"] == "Ranger Reconn Squad"
    assert len(told["warnings"]) == 1
    assert document(run, "army", "text", str(out))["bloc"] == "Allies"


def test_army_import_makes_homebrew_of_catalogues(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "moon.json"
    files = [str(FILES / name) for name in ("mini_dust.gst", "mini_moon.cat")]
    assert len(document(run, "army", "import", *files, "-o", str(out))["units"]) == 4
    assert document(run, "cards", "check", str(out))["ok"] is True


def test_army_import_refuses_a_bomb_in_one_sentence(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bomb.ros"
    path.write_text('<!DOCTYPE r [<!ENTITY a "b">]><roster name="&a;"/>')
    code, out, err = run("army", "import", str(path))
    assert code == 2 and out == "" and "document type" in err and err.count("\n") == 1


def test_army_check_has_the_promised_keys_and_exit_codes(run: Run, tmp_path: Path) -> None:
    told = document(run, "army", "check", "dust1947-ssu")
    assert told["ok"] is True and told["points"] == 50 and told["errors"] == []
    path = tmp_path / "bad.yaml"
    path.write_text("ruleset: dust1947\nname: Bad\npoints: 10\nbloc: Allies\nunits: [{card: allies-pounder}]\n")
    code, out, _ = run("army", "check", str(path), "--json")
    assert code == 2 and json.loads(out)["ok"] is False


def test_army_random_is_the_same_for_the_same_seed(run: Run) -> None:
    first = document(run, "army", "random", "--points", "70", "--seed", "3", "--side", "SSU")
    assert first == document(run, "army", "random", "--points", "70", "--seed", "3", "--side", "SSU")
    assert first["bloc"] == "SSU"


def test_army_print_writes_a_pdf(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("fpdf")
    told = document(run, "army", "print", "dust1947-allies", "-o", str(tmp_path / "list.pdf"))
    assert told["pages"] == 2 and (tmp_path / "list.pdf").exists()


def test_army_suggest_text_and_list_answer(run: Run) -> None:
    assert isinstance(document(run, "army", "suggest", "konflikt47-germany"), list)
    assert run("army", "text", "dust1947-axis")[1].startswith("Dieselfront army: Sturmgruppe Manfred")
    assert run("army", "text", "dust1947-axis", "--style", "battlescribe")[1].startswith("++ Sturmgruppe")
    assert run("army", "text", "dust1947-axis", "--style", "morse")[0] == 2
    assert {row["id"] for row in document(run, "army", "list")} >= {"dust1947-axis", "konflikt47-germany"}


def test_army_list_tells_what_is_lopsided(run: Run) -> None:
    rows = {row["id"]: row["balance"] for row in document(run, "army", "list")}
    notes = {id: army_note(army.ruleset, id) for id, army in starter_armies().items()}
    assert {id: row and row["text"] for id, row in rows.items()} == {id: n and n.text for id, n in notes.items()}
    shown = " ".join(run("army", "list")[1].split())
    lopsided = [note.text for note in notes.values() if note]
    assert lopsided and all(text in shown for text in lopsided)


def test_a_list_that_is_not_there_is_one_sentence(run: Run) -> None:
    code, _, err = run("army", "check", "dust1947-alies")
    assert code == 2 and "dust1947-allies" in err


@pytest.mark.parametrize("name", ["cards", "armies"])
def test_the_schema_command_knows_our_formats(run: Run, name: str) -> None:
    assert document(run, "schema", name)["$defs"]


@pytest.mark.parametrize("group", ["cards", "army"])
def test_help_is_there_for_newcomers(run: Run, group: str) -> None:
    code, out, _ = run(group, "--help")
    assert code == 0 and "check" in out


@pytest.mark.parametrize("words", ["axis-ludwig", "Ludwig", "ludwig", "Ludwigg"])
def test_a_card_is_shown_by_its_name_too(run: Run, words: str) -> None:
    assert document(run, "cards", "show", words, "--ruleset", "dust1947")["id"] == "axis-ludwig"


def test_words_that_fit_several_cards_are_told_with_their_ids(run: Run) -> None:
    code, _, err = run("cards", "show", "ranger", "--ruleset", "dust1947")
    assert code == 2
    assert "name one of them by its id: allies-" in err
