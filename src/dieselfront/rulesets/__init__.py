"""The rulesets: one rulebook a folder. Each is loaded only when somebody plays it.

>>> from dieselfront import rulesets
>>> rulesets.load("dust1947").name
'Dust 1947'
"""

from __future__ import annotations

import difflib
import importlib
from functools import cache
from importlib.resources import files
from typing import Any

COMMON = ("dust",)
"""Folders that several rulesets share; they are no game of their own."""


class UnknownRuleset(ValueError):
    """A game that nobody wrote, or that cannot be played yet; the sentence says which ones can."""


@cache
def names() -> tuple[str, ...]:
    """The games that can be played, in alphabetical order."""
    folders = files("dieselfront.rulesets").iterdir()
    return tuple(
        sorted(
            folder.name for folder in folders if folder.name not in COMMON and folder.joinpath("__init__.py").is_file()
        )
    )


@cache
def load(id: str) -> Any:
    """The ruleset of this id."""
    if id not in names():
        raise UnknownRuleset(_no_such(id))
    return importlib.import_module(f"dieselfront.rulesets.{id}").RULESET


def _no_such(id: str) -> str:
    known = names()
    if id.isidentifier() and (files("dieselfront.rulesets") / id / "rulebook.yaml").is_file():
        return f"{id} cannot be played yet; {', '.join(known)} can."
    close = difflib.get_close_matches(id, known, n=1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}."
    return f"There is no ruleset '{id[:80]}'; {hint}"
