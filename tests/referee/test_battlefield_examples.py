"""The Battlefield examples of the referee are cases: what they expect holds, and every one of them can be drawn."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from dieselfront.referee.cases import cases_of, check
from dieselfront.referee.runner import judge_entry
from dieselfront.referee.svg import draw

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "battlefield"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.yaml"))


@pytest.mark.parametrize("name", NAMES)
def test_what_an_example_expects_holds(name: str):
    report = check(EXAMPLES / f"{name}.yaml")
    assert report.cases
    assert [(failure.case, failure.why) for failure in report.failed] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_example_can_be_drawn(name: str):
    for case in cases_of((EXAMPLES / f"{name}.yaml").read_bytes(), name):
        found = judge_entry(case)
        picture = draw(found.state, found.answers, found.title)
        assert ElementTree.fromstring(picture).tag.endswith("svg")
