"""The rulebooks: every rule of every ruleset under its id, in our own words; which are played and tested.

>>> from dieselfront import rulebook
>>> rulebook.find("d47.turn.pass").title
'Passing'
>>> [option.name for option in rulebook.load("freeform1947").options][-1]
'area_through'
"""

from __future__ import annotations

from dieselfront.rulebook.load import RulebookError, UnknownRule, all_ids, find, folders, head, ids, load, names
from dieselfront.rulebook.model import Choice, Head, Option, Rule, Rulebook
from dieselfront.rulebook.search import search

__all__ = [
    "Choice",
    "Head",
    "Option",
    "Rule",
    "Rulebook",
    "RulebookError",
    "UnknownRule",
    "all_ids",
    "find",
    "folders",
    "head",
    "ids",
    "load",
    "names",
    "search",
]
