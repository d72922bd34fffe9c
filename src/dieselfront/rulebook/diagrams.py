"""Diagrams of rules: positions beside the rulebook (`rulesets/NAME/diagrams/*.yaml`) that the referee judges and draws.

A diagram is an ordinary referee file; its `rules` say which rules it shows, and what it expects keeps it true.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from dieselfront.rulebook.load import folders

FOLDER = "diagrams"


@cache
def diagrams() -> dict[str, Path]:
    """The file of each rule that has a diagram; of several files for one rule the first."""
    file_of_rule: dict[str, Path] = {}
    for file in diagram_files():
        head: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
        for rule in head.get("rules", ()):
            file_of_rule.setdefault(rule, file)
    return file_of_rule


def diagram_files() -> list[Path]:
    """All diagrams of all games."""
    return [file for folder in folders().values() for file in sorted((folder / FOLDER).glob("*.yaml"))]


__all__ = ["diagram_files", "diagrams"]
