"""Diagrams of rules: every file is judged as it expects, names rules of its game, and is drawn."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from dieselfront import rulebook, rulesets
from dieselfront.referee import judge
from dieselfront.rulebook.diagrams import diagram_files, diagrams
from dieselfront.server.jobs import diagram

FILES = diagram_files()


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.parent.name}-{file.stem}")
def test_a_diagram_shows_what_it_says(file: Path) -> None:
    head = yaml.safe_load(file.read_text(encoding="utf-8"))
    book = rulebook.load(head["ruleset"])
    assert head["ruleset"] == file.parent.parent.name
    assert [rule for rule in head["rules"] if book.find(rule) is None] == []
    assert judge(file.read_bytes(), file.name).failed == []


def test_a_drawing_is_an_svg_with_its_title() -> None:
    file = diagrams()["k47.shoot.arcs"]
    drawing = diagram(str(file)).decode()
    assert drawing.startswith("<svg")
    assert "A hull gun fires into its quadrant" in drawing


def test_every_game_that_ships_shows_sight_cover_arcs_and_reach() -> None:
    for game in set(rulesets.names()) - {"outpost"}:
        names = " ".join(file.stem for file in FILES if file.parent.parent.name == game)
        kinds = [kind for kind in ("sight", "cover", "half", "arc", "reach") if kind in names]
        assert len(kinds) >= 3, f"{game} has only {names}"


def test_a_rule_without_a_diagram_has_none() -> None:
    assert "d47.turn.pass" not in diagrams()
