"""The rulesets: one rulebook a folder. Each is loaded only when somebody plays it.

>>> from dieselfront import rulesets
>>> rulesets.load("dust1947").name
'Dust 1947'

A folder here is a game as soon as it has an `__init__.py` with `RULESET` and a `rulebook.yaml`. Folders of one's own
are found through the environment variable DIESELFRONT_RULESETS (directories, separated as in PATH).
"""

from __future__ import annotations

import difflib
import importlib.util
from functools import cache
from types import ModuleType
from typing import Any

from dieselfront.kernel.ruleset import Ruleset
from dieselfront.rulebook.load import folders, member, module, roots
from dieselfront.rulebook.load import forget as forget_books

DEFAULT = "dust1947"
"""The game that is meant where nobody names one."""


class UnknownRuleset(ValueError):
    """A game that nobody wrote, or that cannot be played yet; the sentence says which ones can."""


@cache
def names() -> tuple[str, ...]:
    """The games that can be played, in alphabetical order."""
    __path__[:] = [str(root) for root in roots()]
    return tuple(sorted(name for name, folder in folders().items() if folder.joinpath("__init__.py").is_file()))


@cache
def load(id: str) -> Ruleset[Any]:
    """The ruleset of this id."""
    if id not in names():
        raise UnknownRuleset(_no_such(id))
    ruleset = member(f"dieselfront.rulesets.{id}", "RULESET")
    if not isinstance(ruleset, Ruleset):
        raise UnknownRuleset(f"The RULESET of {id} does not keep the contract of kernel.ruleset.Ruleset.")
    if ruleset.id != id:
        raise UnknownRuleset(f"The RULESET in the folder {id} calls itself '{ruleset.id}'.")
    return ruleset


@cache
def lineage(id: str) -> tuple[str, ...]:
    """The game and those it is a variant of, nearest first."""
    return tuple(
        dict.fromkeys(kind.id for kind in type(load(id)).__mro__ if issubclass(kind, Ruleset) and "id" in vars(kind))
    )


@cache
def companion(id: str, room: str) -> ModuleType | None:
    """A module of the game's folder that belongs to a higher room (`referee`, `adviser`, `odds`), or its relative's.

    A folder with nothing but data in it is no module: the relative's code reads the data.
    """
    for name in lineage(id):
        path = f"dieselfront.rulesets.{name}.{room}"
        spec = importlib.util.find_spec(path)
        if spec is not None and spec.origin is not None:
            return module(path)
    return None


def forget() -> None:
    """Look for folders anew."""
    forget_books()
    for remembered in (names, load, lineage, companion):
        remembered.cache_clear()


def _no_such(id: str) -> str:
    known = names()
    if id in folders():
        return f"{id} cannot be played yet; {', '.join(known)} can."
    close = difflib.get_close_matches(id, known, n=1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}."
    return f"There is no ruleset '{id[:80]}'; {hint}"


from dieselfront.rulesets.companions import Companion, IncompleteCompanion  # noqa: E402, it uses what stands above

__all__ = [
    "DEFAULT",
    "Companion",
    "IncompleteCompanion",
    "UnknownRuleset",
    "companion",
    "folders",
    "forget",
    "lineage",
    "load",
    "names",
]
