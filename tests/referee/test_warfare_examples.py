"""Interactions of Dust Warfare as referee files that anybody can run: examples/warfare."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from dieselfront.referee import judge
from dieselfront.referee.cases import check
from dieselfront.referee.svg import draw

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "warfare"


def case(name: str, *rules: str):
    return pytest.param(name, marks=pytest.mark.rule(*rules), id=name)


CASES = [
    case("two-react-to-one-move", "dw.reaction.move_timing", "dw.reaction.multiple", "dw.reaction.marker"),
    case("simultaneous-fire", "dw.reaction.attack_simultaneous", "dw.leader.lost_promote"),
    case(
        "detonation-with-passengers",
        "dw.damage.vehicle.ammo_detonation",
        "dw.damage.vehicle.ammo_detonation_blast",
        "dw.damage.vehicle_table_roll",
    ),
]


@pytest.mark.parametrize("name", CASES)
def test_the_interaction_comes_out_as_written(name: str):
    file = FOLDER / f"{name}.yaml"
    assert file.read_text("utf-8").startswith("# "), "it begins with what it shows"
    assert [(one.case, one.why) for one in check(file).failed] == []
    found = judge(file.read_bytes(), name)
    ElementTree.fromstring(draw(found.state, found.answers, found.title))


def test_every_file_has_its_line():
    assert sorted(file.stem for file in FOLDER.glob("*.yaml")) == sorted(str(one.values[0]) for one in CASES)
