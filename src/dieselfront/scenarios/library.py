"""Finding scenarios: those that come with the program, files of the user's own, and random boards by their seed."""

from __future__ import annotations

import difflib
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import yaml

from dieselfront import rulesets

RANDOM = "random"
MOST_BYTES = 1_000_000
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class ScenarioProblem(ValueError):
    """A scenario that is not there or cannot be set up; one sentence says what and where."""


@cache
def names(ruleset: str) -> tuple[str, ...]:
    """The ids of the scenarios that come with a ruleset, in alphabetical order."""
    return tuple(sorted(_files(ruleset)))


def find(wanted: str, ruleset: str) -> dict[str, Any]:
    """A scenario as plain data, checked: by its id, as the path of a file, or `random:SEED`."""
    if wanted == RANDOM or wanted.startswith(RANDOM + ":"):
        return _random(ruleset, wanted.partition(":")[2] or "1")
    if wanted in names(ruleset):
        return _built_in(ruleset, wanted)
    path = Path(wanted)
    if path.suffix in (".yaml", ".yml", ".json") or path.is_file():
        return read_file(path, ruleset)
    raise ScenarioProblem(_no_such(wanted, ruleset))


def read_file(path: Path, ruleset: str) -> dict[str, Any]:
    """A scenario of the user's own."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ScenarioProblem(f"{path} cannot be read: {error.strerror or error}.") from None
    if len(data) > MOST_BYTES:
        raise ScenarioProblem(f"{path.name} is too long for a scenario ({len(data)} bytes).")
    return _checked(parse(data, path.name), ruleset, path.name)


def parse(data: bytes, name: str) -> Any:
    """YAML or JSON as plain data."""
    try:
        return yaml.load(data.decode("utf-8-sig"), Loader=_Loader)
    except UnicodeDecodeError:
        raise ScenarioProblem(f"{name} is not UTF-8 text.") from None
    except (yaml.YAMLError, RecursionError) as error:
        where = getattr(error, "problem_mark", None)
        line = f", line {where.line + 1}" if where else ""
        raise ScenarioProblem(f"{name}{line}: {getattr(error, 'problem', None) or 'not YAML'}.") from None


def schema(name: str = "scenarios", ruleset: str = rulesets.DEFAULT) -> dict[str, Any]:
    """The JSON Schema of a game's scenario files."""
    return msgspec.json.schema(rulesets.load(ruleset).scenario_type)


def _checked(data: Any, ruleset: str, where: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise ScenarioProblem(f"{where}: expected a table with id, name, board, deploy and turns.")
    made_for = data.get("ruleset", ruleset)
    if made_for != ruleset:
        raise ScenarioProblem(f"{where} is a scenario for {made_for}, not for {ruleset}.")
    try:
        rulesets.load(ruleset).read_scenario(data, where)
    except ValueError as error:
        raise ScenarioProblem(str(error)) from None
    return data


@cache
def _files(ruleset: str) -> dict[str, Path]:
    """Scenario files of a ruleset by their id."""
    folder = rulesets.folders()[ruleset] / "scenarios" if ruleset in rulesets.folders() else None
    if folder is None or not folder.is_dir():
        return {}
    return {file.stem: file for file in folder.iterdir() if file.suffix == ".yaml"}


def _built_in(ruleset: str, id: str) -> dict[str, Any]:
    return deepcopy(_read_built_in(ruleset, id))


@cache
def _read_built_in(ruleset: str, id: str) -> dict[str, Any]:
    file = _files(ruleset)[id]
    return _checked(parse(file.read_bytes(), file.name), ruleset, file.name)


def _random(ruleset: str, seed: str) -> dict[str, Any]:
    return rulesets.load(ruleset).random_scenario(seed)


def _no_such(wanted: str, ruleset: str) -> str:
    close = difflib.get_close_matches(wanted, [*names(ruleset), RANDOM], n=1, cutoff=0.5)
    hint = f"did you mean {close[0]}?" if close else _listed(ruleset)
    return f"There is no scenario '{wanted}' for {ruleset}; {hint}"


def _listed(ruleset: str) -> str:
    return f"there are {', '.join(names(ruleset)) or 'none'}, random:SEED, or a file of your own."
