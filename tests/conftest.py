"""What all tests share: marks checked against the rulebooks, Hypothesis profiles, the shared facts."""

from __future__ import annotations

import difflib
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("DIESELFRONT_CHECK_TRUSTED", "1")  # read when the kernel is imported, here and in subprocesses

from dieselfront import rulebook

ROOT = Path(__file__).resolve().parent.parent
KNOWN_IDS = frozenset(rulebook.all_ids())

settings.register_profile("dev", deadline=None)
settings.register_profile(
    "ci", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, Any, Any]:
    """A test marked with a rule that no rulebook holds fails the collection of its file, whatever it does."""
    report = yield
    if report.passed:
        wrong = [message for item in report.result for message in wrong_marks(item)]
        if wrong:
            report.outcome, report.result, report.longrepr = "failed", [], "\n".join(wrong)
    return report


def wrong_marks(item: pytest.Item | pytest.Collector) -> Iterator[str]:
    """One sentence for each rule mark that names no rule, or one that does not exist."""
    for mark in item.iter_markers("rule"):
        if not mark.args:
            yield f"{item.nodeid}: a rule mark names at least one rule id."
        for id in mark.args:
            if id not in KNOWN_IDS:
                yield f"{item.nodeid} is marked with {id!r}, which is no rule of any rulebook{hint(str(id))}"


def hint(id: str) -> str:
    close = difflib.get_close_matches(id, sorted(KNOWN_IDS), n=1)
    return f"; did you mean {close[0]}?" if close else "; `dieselfront rules search WORDS` finds the right one."


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared facts beside the checkout; tests that need it are skipped where it is missing."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("shared data not present")
    return folder
