"""Which rules count as implemented and tested."""

from __future__ import annotations

from pathlib import Path

import pytest

from dieselfront import rulebook
from dieselfront.rulebook import coverage as counting

MODULE = """
import pytest
rule = pytest.mark.rule
MANY = ("x.y.listed", "x.y.too")

@pytest.mark.rule("x.y.decorated")
def test_a(): ...

@rule("x.y.short")
def test_b(): ...

@pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.rule("x.y.parameter")), 2])
def test_c(n): ...

@pytest.mark.rule(*MANY)
def test_d(): ...

@pytest.mark.skip(reason="later")
@pytest.mark.rule("x.y.skipped")
def test_e(): ...

@pytest.mark.xfail
@pytest.mark.rule("x.y.failing")
def test_f(): ...

@pytest.mark.skipif(True, reason="no numba")
@pytest.mark.rule("x.y.sometimes")
def test_g(): ...

class TestH:
    pytestmark = [pytest.mark.rule("x.y.in_class")]
    def test_h(self): ...

def test_i():
    assert "x.y.only_text"
"""


def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str]) -> None:
    """A package of our own in place of the real one, with these files under rulesets/ and the rooms."""
    for name, text in files.items():
        path = tmp_path / "src" / "dieselfront" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    ours = tmp_path / "src" / "dieselfront"
    (ours / "rulesets").mkdir(parents=True, exist_ok=True)
    monkeypatch.setattr(counting, "_package", lambda: ours)
    monkeypatch.setattr(counting, "folders", lambda: {name: ours / "rulesets" / name for name in rulebook.names()})


def test_marks_are_read_in_all_the_ways_they_are_written(tmp_path: Path):
    (tmp_path / "test_module.py").write_text(MODULE)
    names = {id.removeprefix("x.y.") for id in counting.marked_in_tests(tmp_path)}
    assert names == {"decorated", "short", "parameter", "listed", "too", "sometimes", "in_class"}


def test_a_rule_is_implemented_when_the_code_of_its_game_names_it(tmp_path, monkeypatch):
    package(tmp_path, monkeypatch, {"rulesets/dust1947/turn.py": '"""Passing (d47.turn.pass)."""\n'})
    found = counting.coverage("dust1947", None)
    assert found.implemented == 1
    assert "d47.turn.pass" not in found.missing
    assert found.total == found.implemented + len(found.missing) == len(rulebook.ids("dust1947"))


def test_a_longer_id_does_not_implement_the_shorter_one(tmp_path, monkeypatch):
    package(tmp_path, monkeypatch, {"rulesets/dust1947/turn.py": "# d47.turn.pass_combined_count\n"})
    assert "d47.turn.pass" in counting.coverage("dust1947", None).missing


def test_the_rulebook_itself_implements_nothing(tmp_path, monkeypatch):
    package(tmp_path, monkeypatch, {"rulesets/dust1947/rulebook.yaml": "- id: d47.turn.pass\n"})
    assert counting.coverage("dust1947", None).implemented == 0


def test_another_game_does_not_implement_our_rules(tmp_path, monkeypatch):
    package(tmp_path, monkeypatch, {"rulesets/warfare/turn.py": "# d47.turn.pass\n"})
    assert counting.coverage("dust1947", None).implemented == 0


def test_a_variant_may_be_implemented_in_the_folder_of_its_relative(tmp_path, monkeypatch):
    package(tmp_path, monkeypatch, {"rulesets/dust1947/turn.py": "# ff.move.move\n"})
    assert "ff.move.move" not in counting.coverage("freeform1947", None).missing


def test_a_rule_openly_not_done_is_missing_even_where_the_code_names_it(tmp_path, monkeypatch):
    package(
        tmp_path,
        monkeypatch,
        {
            "rulesets/dust1947/turn.py": "# d47.turn.pass\n",
            "rulesets/dust1947/unimplemented.yaml": "d47.turn.pass: needs the spy\n",
        },
    )
    found = counting.coverage("dust1947", None)
    assert "d47.turn.pass" in found.missing
    assert found.unimplemented == {"d47.turn.pass": "needs the spy"}


def test_an_unknown_rule_among_those_not_done_is_refused(tmp_path, monkeypatch):
    package(tmp_path, monkeypatch, {"rulesets/dust1947/unimplemented.yaml": "d47.turn.parse: typo\n"})
    with pytest.raises(rulebook.RulebookError, match=r"d47\.turn\.parse"):
        counting.coverage("dust1947", None)


def test_the_status_of_one_rule_agrees_with_the_count(tmp_path, monkeypatch):
    package(tmp_path, monkeypatch, {"rulesets/dust1947/turn.py": "# d47.turn.pass\n"})
    (tmp_path / "test_one.py").write_text('@pytest.mark.rule("d47.turn.pass")\ndef test_a(): ...\n')
    assert counting.status("d47.turn.pass", tmp_path) == counting.Status(implemented=True, tested=True)
    assert counting.status("d47.turn.alternate", tmp_path) == counting.Status(implemented=False, tested=False)
    assert counting.status("d47.turn.pass", None).tested is None


def test_without_tests_at_hand_nothing_is_said_about_them():
    found = counting.coverage("warfare", None)
    assert found.tested is None
    assert found.untested is None


def test_tested_and_untested_make_up_the_whole(tmp_path):
    (tmp_path / "test_one.py").write_text('@pytest.mark.rule("dw.dice.faces")\ndef test_a(): ...\n')
    found = counting.coverage("warfare", tmp_path)
    assert found.tested == 1
    assert "dw.dice.faces" not in (found.untested or [])
    assert found.tested + len(found.untested or []) == found.total


@pytest.mark.parametrize("name", rulebook.names())
def test_the_openly_undone_rules_of_every_game_exist(name: str):
    known = {*rulebook.ids(name), *(rule.id for rule in rulebook.load(name).inherited)}
    assert set(counting.unimplemented(name)) <= known
