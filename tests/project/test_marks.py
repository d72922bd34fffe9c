"""Marks: a test may only be marked with rules that exist."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def collected(tmp_path: Path, test: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Pytest with our conftest over one file of tests."""
    (tmp_path / "tests").mkdir()
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path / "tests")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "tests" / "test_marked.py").write_text(f"import pytest\n{test}")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize(
    "test",
    [
        '@pytest.mark.rule("d47.turn.pas")\ndef test_a(): ...\n',
        'class TestA:\n    @pytest.mark.rule("d47.turn.pas")\n    def test_a(self): ...\n',
        '@pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.rule("d47.turn.pas"))])\n'
        "def test_a(n): ...\n",
        'pytestmark = pytest.mark.rule("d47.turn.pas")\ndef test_a(): ...\n',
    ],
    ids=["function", "method", "parameter", "module"],
)
def test_a_test_marked_with_an_unknown_rule_fails(tmp_path: Path, test: str):
    shown = collected(tmp_path, test)
    assert shown.returncode != 0
    assert "'d47.turn.pas', which is no rule of any rulebook; did you mean d47.turn.pass?" in shown.stdout
    assert "1 error" in shown.stdout


def test_it_fails_with_several_workers_too(tmp_path: Path):
    shown = collected(tmp_path, '@pytest.mark.rule("d47.turn.pas")\ndef test_a(): ...\n', "-n", "2")
    assert shown.returncode != 0
    assert "did you mean d47.turn.pass?" in shown.stdout


def test_a_test_marked_with_a_rule_that_exists_runs(tmp_path: Path):
    shown = collected(tmp_path, '@pytest.mark.rule("d47.turn.pass", "ff.move.move")\ndef test_a(): ...\n')
    assert shown.returncode == 0, shown.stdout
    assert "1 passed" in shown.stdout
