"""Readings of the rules: every case of tests/readings/<game>/ holds, checked as `dieselfront referee check` does.

docs/readings.md tells where the cases come from and how to send another one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from dieselfront import rulesets
from dieselfront.referee.cases import case_files, check_file

FOLDER = Path(__file__).parent
FILES = [file for game in sorted(FOLDER.iterdir()) if game.is_dir() for file in case_files(game)]


def rules_of(file: Path) -> list[str]:
    """The rule ids that a file names anywhere, each once."""
    named: dict[str, None] = {}

    def look(value: Any) -> None:
        if isinstance(value, dict):
            named.update(dict.fromkeys(value["rules"] if _are_rules(value.get("rules")) else ()))
            for inner in value.values():
                look(inner)
        elif isinstance(value, list):
            for inner in value:
                look(inner)

    for document in yaml.load_all(file.read_text("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        look(document)
    return list(named)


def _are_rules(value: Any) -> bool:
    """Weapons have special rules too, but no ids."""
    return isinstance(value, list) and all(isinstance(id, str) and "." in id and " " not in id for id in value)


def cases() -> list[Any]:
    """Every file as a test of its own, marked with the rules it is about."""
    found = []
    for file in FILES:
        ids = rules_of(file)
        marks = [pytest.mark.rule(*ids)] if ids else []
        found.append(pytest.param(file, id=f"{file.parent.name}/{file.stem}", marks=marks))
    return found


@pytest.mark.parametrize("file", cases())
def test_the_cases_of_a_reading_hold(file: Path):
    results = list(check_file(file.read_bytes(), file.name))
    assert results
    assert [f"{title}: {why}" for title, why in results if why] == []


def test_every_folder_is_that_of_a_game_and_holds_cases():
    games = {file.parent.name for file in FILES}
    assert games and games <= set(rulesets.names())
