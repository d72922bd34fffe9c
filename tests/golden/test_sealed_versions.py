"""Sealed records: whoever changes what a ruleset does raises its version and says what changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from dieselfront import rulesets
from dieselfront.kernel.record import BrokenRecord, load, verify

FOLDER = Path(__file__).parent / "sealed"
RECORDS = sorted(FOLDER.glob("*.json"))
VERSIONS = Path(rulesets.__file__).with_name("versions.yaml")
WHAT_TO_DO = (
    "The rules lead a sealed game elsewhere. Raise the version of the ruleset and of its rulebook, say in "
    "src/dieselfront/rulesets/versions.yaml what changed, and seal the new version with tools/seal.py."
)


def listed() -> dict[str, list[dict[str, Any]]]:
    told: dict[str, list[dict[str, Any]]] = yaml.safe_load(VERSIONS.read_text("utf-8"))
    return told


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_sealed_game_replays_by_the_version_it_was_played_by(path: Path) -> None:
    data = path.read_bytes()
    header = load(data, path.name).header
    assert path.stem == f"{header.ruleset}-{header.version}"
    if header.version == rulesets.load(header.ruleset).version:
        try:
            assert verify(rulesets.load, data, path.name)["over"]
        except BrokenRecord as broken:
            pytest.fail(f"{WHAT_TO_DO} ({broken})")
    else:
        with pytest.raises(BrokenRecord, match="was made with"):
            verify(rulesets.load, data, path.name)


@pytest.mark.parametrize("ruleset", sorted(listed()))
def test_every_version_says_what_changed_and_the_newest_is_played_and_sealed(ruleset: str) -> None:
    versions = listed()[ruleset]
    names = [entry["version"] for entry in versions]
    assert all(isinstance(entry["version"], str) and entry["changed"].strip() for entry in versions)
    assert len(set(names)) == len(names)
    assert names[0] == rulesets.load(ruleset).version, f"{ruleset} plays a version that versions.yaml does not tell."
    assert (FOLDER / f"{ruleset}-{names[0]}.json").is_file(), f"seal {ruleset} {names[0]} with tools/seal.py"


def test_every_sealed_version_is_told() -> None:
    known = {f"{ruleset}-{entry['version']}" for ruleset, versions in listed().items() for entry in versions}
    assert {path.stem for path in RECORDS} <= known
