"""Which rules are implemented and which are tested: computed from the code and the tests, never written down.

A rule is implemented when the code or data that plays its ruleset names its id, unless the ruleset's
`unimplemented.yaml` says openly that it is not done. It is tested when a test is marked with its id.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import yaml

from dieselfront.rulebook.load import FILE, RulebookError, folders, head, ids, load, names
from dieselfront.rulebook.model import Head

ROOMS = ("dice", "table", "forces", "kernel", "scenarios")
UNIMPLEMENTED = "unimplemented.yaml"
_SUFFIXES = frozenset({".py", ".yaml", ".yml", ".json"})
_ID = re.compile(r"(?<![\w.])[a-z][a-z0-9]*(?:\.[a-z0-9_]+)+")
_NOT_RUN = frozenset({"skip", "xfail"})


class Coverage(msgspec.Struct, frozen=True):
    """How far a ruleset has come. `tested` and `untested` are null where the tests are not at hand."""

    total: int
    implemented: int
    tested: int | None
    missing: list[str]
    untested: list[str] | None
    unimplemented: dict[str, str]
    inherited: list[str]


class Status(msgspec.Struct, frozen=True):
    """Of one rule: is it played, is it tested (null without tests at hand), and if it is not played, why."""

    implemented: bool
    tested: bool | None
    reason: str = ""


def status(id: str, tests: Path | None) -> Status:
    """How far one rule has come."""
    ruleset = next(name for name in names() if id in ids(name))
    reason = unimplemented(ruleset).get(id, "")
    tested = _is_marked(id, tests) if tests else None
    return Status(_is_named(id, ruleset) and not reason, tested, reason)


def coverage(ruleset: str, tests: Path | None) -> Coverage:
    """The coverage of a ruleset's own rules; those it inherits are listed as such."""
    own = ids(ruleset)
    undone = unimplemented(ruleset)
    named = named_in_code(ruleset)
    missing = [id for id in own if id not in named or id in undone]
    marked = marked_in_tests(tests) if tests else None
    untested = None if marked is None else [id for id in own if id not in marked]
    return Coverage(
        total=len(own),
        implemented=len(own) - len(missing),
        tested=None if untested is None else len(own) - len(untested),
        missing=missing,
        untested=untested,
        unimplemented=undone,
        inherited=[rule.id for rule in load(ruleset).inherited if rule.id not in undone],
    )


def tests_folder() -> Path | None:
    """The tests beside this package's source, or nothing when it was installed without them."""
    folder = _package().parent.parent / "tests"
    return folder if folder.is_dir() and _package().parent.name == "src" else None


def unimplemented(ruleset: str) -> dict[str, str]:
    """The rules a ruleset openly does not play, its own or inherited ones, each with its reason."""
    path = folders()[ruleset] / UNIMPLEMENTED
    if not path.is_file():
        return {}
    reasons = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    known = {*ids(ruleset), *(rule.id for rule in load(ruleset).inherited)}
    for id in reasons:
        if id not in known:
            raise RulebookError(f"{ruleset}/{UNIMPLEMENTED}: there is no rule '{id}' in {ruleset}/{FILE}")
    return {str(id): str(reason) for id, reason in reasons.items()}


def _is_named(id: str, ruleset: str) -> bool:
    """Is one rule named by the code and data that play its ruleset? (It reads only until that is certain.)"""
    texts = (path.read_text(encoding="utf-8") for path in _files(_folders(ruleset)))
    return any(id in text and id in _ID.findall(text) for text in texts)


def _is_marked(id: str, tests: Path) -> bool:
    """Does one rule mark a test which really runs? Only files that speak of it are parsed."""
    texts = ((path, path.read_text(encoding="utf-8")) for path in sorted(tests.rglob("test_*.py")))
    return any(id in text and id in _marks(ast.parse(text, filename=str(path))) for path, text in texts)


def named_in_code(ruleset: str) -> frozenset[str]:
    """Every rule id named by the code and data that play this ruleset."""
    named: set[str] = set()
    for path in _files(_folders(ruleset)):
        named.update(_ID.findall(path.read_text(encoding="utf-8")))
    return frozenset(named)


def marked_in_tests(tests: Path) -> frozenset[str]:
    """Every rule id that marks a test which really runs."""
    marked: set[str] = set()
    for path in sorted(tests.rglob("test_*.py")):
        marked.update(_marks(ast.parse(path.read_text(encoding="utf-8"), filename=str(path))))
    return frozenset(marked)


def _folders(ruleset: str) -> list[Path]:
    """Where a ruleset lives: its own folder, its relatives', what several games share, the rooms below."""
    own: list[str] = []
    top: Head | None = head(ruleset)
    while top:
        own.append(top.ruleset)
        top = head(top.inherits) if top.inherits else None
    games = folders()
    return [*(games[name] for name in own), *_shared(), *(_package() / room for room in ROOMS)]


def _shared() -> list[Path]:
    """What several games share: folders beside theirs that have no rulebook of their own."""
    beside = sorted(path for path in (_package() / "rulesets").iterdir() if path.joinpath("__init__.py").is_file())
    return [folder for folder in beside if not folder.joinpath(FILE).is_file()]


def _files(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in _SUFFIXES and path.name not in (FILE, UNIMPLEMENTED):
                yield path


def _package() -> Path:
    return Path(__file__).resolve().parent.parent


def _marks(module: ast.Module) -> Iterator[str]:
    """The ids in `pytest.mark.rule(...)` or `rule(...)`, leaving out tests that are always skipped."""
    constants = _constants(module)
    idle = [node for node in ast.walk(module) if _is_idle(node)]
    skipped = {id(child) for node in idle for child in ast.walk(node)}
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and id(node) not in skipped and _name(node.func) == "rule":
            for argument in node.args:
                yield from _strings(argument, constants)


def _is_idle(node: ast.AST) -> bool:
    """A test, a class of tests or a parameter with an unconditional skip or xfail."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return any(_name(_called(mark)) in _NOT_RUN and not _has_condition(mark) for mark in node.decorator_list)
    return False


def _has_condition(mark: ast.expr) -> bool:
    return isinstance(mark, ast.Call) and bool(mark.args) and not isinstance(mark.args[0], ast.Constant)


def _called(mark: ast.expr) -> ast.expr:
    return mark.func if isinstance(mark, ast.Call) else mark


def _name(function: ast.expr) -> str:
    """The last name of `pytest.mark.rule` or `rule`."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _strings(argument: ast.expr, constants: dict[str, Any]) -> Iterator[str]:
    """The ids an argument stands for: a string, a starred list, or a constant of the module."""
    if isinstance(argument, ast.Starred):
        argument = argument.value
    if isinstance(argument, ast.Name):
        argument = constants.get(argument.id, argument)
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        yield argument.value
    elif isinstance(argument, ast.Tuple | ast.List):
        for element in argument.elts:
            yield from _strings(element, constants)


def _constants(module: ast.Module) -> dict[str, ast.expr]:
    """What the module assigns to plain names at its top."""
    assigned = [node for node in module.body if isinstance(node, ast.Assign)]
    return {node.targets[0].id: node.value for node in assigned if isinstance(node.targets[0], ast.Name)}
