"""Platoon advantages: skills for the units of a complete platoon and for nobody else (d47.platoon.*)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from dieselfront.forces import dust_check
from dieselfront.forces.armies import Army, army_from
from dieselfront.rulesets import load

SQUADS = ["allies-ranger-recon-squad"] * 3


@pytest.fixture
def platoons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "platoons"
    folder.mkdir()
    monkeypatch.setenv("DIESELFRONT_HOME", str(tmp_path))
    chart = [{"id": "home-guard", "name": "Home Guard Platoon", "bloc": "Allies", "advantage": "Brave, Scout"}]
    (folder / "mine.json").write_text(json.dumps(chart))
    dust_check.platoon_charts.cache_clear()
    yield folder
    dust_check.platoon_charts.cache_clear()


def army(roles: list[str]) -> Army:
    units = [
        {"card": card, "label": f"u{n}", **({"platoon": "one", "role": role} if role else {})}
        for n, (card, role) in enumerate(zip(SQUADS * 2, roles, strict=False))
    ]
    plain = {"ruleset": "dust1947", "name": "x", "bloc": "Allies", "points": 50, "units": units}
    return army_from({**plain, "platoons": {"one": "home-guard"}})


def skills(made: Army) -> list[set[str]]:
    force = load("dust1947").force_from_army(made, 0)
    return [{skill["name"] for skill in force["cards"][entry["cards"][0]]["skills"]} for entry in force["units"]]


@pytest.mark.rule("d47.platoon.advantage", "d47.platoon.scope")
def test_a_complete_platoon_shares_its_advantage_and_independent_units_get_nothing(platoons: Path):
    found = skills(army(["command", "combat", "combat", "support", ""]))
    assert all("Brave" in one for one in found[:4])
    assert "Brave" not in found[4]


@pytest.mark.rule("d47.platoon.advantage", "d47.platoon.optional")
def test_an_incomplete_platoon_has_no_advantage(platoons: Path):
    assert not any("Brave" in one for one in skills(army(["command", "combat"])))
