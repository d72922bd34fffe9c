"""Finding and reading the rulebooks: `rulesets/NAME/rulebook.yaml`, read once and kept."""

from __future__ import annotations

import importlib
import os
import re
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import msgspec
import yaml

from dieselfront.rulebook.model import Choice, Head, Option, Rule, Rulebook

FILE = "rulebook.yaml"
HOME_VARIABLE = "DIESELFRONT_RULESETS"
"""Directories with games of the user's own, separated as in PATH."""

T = TypeVar("T")
_RULE = re.compile(r"^- id: (\S+)$", re.MULTILINE)
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_importing = threading.RLock()


def module(path: str) -> ModuleType:
    """A module of a game's folder. Only one thread imports at a time: games build on one another, and two threads that
    import relatives from both ends would see modules half made."""
    with _importing:
        return importlib.import_module(path)


def member(path: str, name: str) -> Any:
    """What a module of a game's folder holds under a name; packages load their engine when it is first asked for."""
    with _importing:
        return getattr(importlib.import_module(path), name)


class RulebookError(Exception):
    """A rulebook that cannot be read, or one that nobody wrote; the sentence names the file and the rule."""


class UnknownRule(RulebookError):
    """An id that no rulebook holds."""


@cache
def names() -> tuple[str, ...]:
    """The rulesets that have a rulebook, in alphabetical order."""
    return tuple(sorted(folders()))


@cache
def head(ruleset: str) -> Head:
    """The head of a book, without reading its rules."""
    text, _, _ = _text(ruleset).partition("\nrules:\n")
    known = _convert(yaml.load(text, Loader=_Loader), Head, f"{ruleset}/{FILE}")
    if known.ruleset != ruleset:
        raise RulebookError(f"{ruleset}/{FILE}: `ruleset` is '{known.ruleset}', but the folder is called '{ruleset}'")
    return known


@cache
def ids(ruleset: str) -> tuple[str, ...]:
    """The ids of a book, found without parsing it."""
    return tuple(_RULE.findall(_text(ruleset)))


@cache
def load(ruleset: str) -> Rulebook:
    """The whole book of a ruleset, with its relative behind it."""
    top = head(ruleset)
    _, _, body = _text(ruleset).partition("\nrules:\n")
    entries = yaml.load(body, Loader=_Loader) or []
    rules = tuple(_rule(ruleset, entry) for entry in entries)
    return Rulebook(top, rules, load(top.inherits) if top.inherits else None)


def all_ids() -> Iterator[str]:
    """Every id of every book."""
    for name in names():
        yield from ids(name)


def find(id: str) -> Rule:
    """The rule of this id in whichever book holds it."""
    for name in names():
        if id.startswith(head(name).prefix + "."):
            rule = load(name).find(id)
            if rule is not None:
                return rule
    raise UnknownRule(f"no rulebook holds a rule '{id}'")


def _rule(ruleset: str, entry: dict[str, Any]) -> Rule:
    where = f"{ruleset}/{FILE}, {entry.get('id', 'a rule without an id')}"
    fields = dict(entry)
    if "option" in fields:
        fields["option"] = _option(where, entry)
    return _convert(fields, Rule, where)


def _option(where: str, entry: dict[str, Any]) -> Option:
    """An option is written as a mapping of choices; the rule it belongs to is the one it stands in."""
    written = entry["option"]
    choices = tuple(Choice(name, text) for name, text in written["choices"].items())
    option = Option(written["name"], entry["id"], written["default"], choices)
    if option.choice(option.default) is None:
        raise RulebookError(f"{where}: the default '{option.default}' is none of the choices of {option.name}")
    return option


def _convert(data: Any, shape: type[T], where: str) -> T:
    try:
        return msgspec.convert(data, shape)
    except msgspec.ValidationError as error:
        raise RulebookError(f"{where}: {error}") from None


def roots() -> list[Path]:
    """Where games live: those that come with the program, then the user's own folders."""
    own = filter(None, os.environ.get(HOME_VARIABLE, "").split(os.pathsep))
    return [Path(__file__).parent.parent / "rulesets", *(Path(folder) for folder in own)]


def folders() -> dict[str, Path]:
    """Every folder with a rulebook, by its name."""
    return {
        folder.name: folder
        for root in roots()
        if root.is_dir()
        for folder in sorted(root.iterdir())
        if folder.joinpath(FILE).is_file()
    }


def forget() -> None:
    """Look for books anew."""
    for remembered in (names, head, ids, load, _text):
        remembered.cache_clear()


@cache
def _text(ruleset: str) -> str:
    if ruleset not in names():
        raise RulebookError(f"there is no ruleset '{ruleset}'; there are {', '.join(names())}")
    return folders()[ruleset].joinpath(FILE).read_text(encoding="utf-8")
